/* SPDX-License-Identifier: Apache-2.0 */
/* All rows of a thread, in the order of their keys; checking those of the index. */
#include "thread/thread_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include <inttypes.h>
#include <string.h>

/* ==== going over all rows of a thread ============================================================================ */

enum { PAGE = 500, PAGE_WITH_BYTES = 64 };

typedef union any_row {
    aci_checkpoint_row checkpoint;
    aci_segment_row segment;
    aci_item_row item;
    aci_body_row body;
    aci_pending_row pending;
    aci_term_row term;
} any_row;

typedef struct page {
    const agentchat_env *env;
    aci_arena *arena;
    int64_t num; /* of the thread */
    any_row *rows;
    size_t count, cap;
    const struct table *table;
} page;

/* What is different from table to table. */
typedef struct table {
    aci_thread_statement statement;
    int64_t limit;
    /* Reads a row, which lives in the arena. */
    agentchat_status (*read)(any_row *row, const page *p, const aci_sql_value *columns, size_t count,
                             agentchat_error *err);
    /* Gives the key of a row to the statement; NULL: one before all. */
    void (*key)(aci_tx *tx, const any_row *row);
    /* Whether a row comes after another one. */
    bool (*is_after)(const any_row *row, const any_row *other);
} table;

static agentchat_status keep(agentchat_str **texts, size_t count, aci_arena *arena, agentchat_error *err)
{
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        *texts[i] = aci_arena_copy(arena, *texts[i], &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- tables --------------------------------------------------------------------------------------------------- */

static agentchat_status read_checkpoint(any_row *row, const page *p, const aci_sql_value *columns, size_t count,
                                        agentchat_error *err)
{
    aci_checkpoint_found found = {.arena = p->arena};
    agentchat_status status = aci_rows_load_checkpoint(&found, columns, count, err);

    row->checkpoint = found.row;
    return status;
}

static void key_checkpoint(aci_tx *tx, const any_row *row)
{
    ACI_BIND(tx, ACI_TEXT(row != NULL ? row->checkpoint.ns : AGENTCHAT_STR("")),
             ACI_INT(row != NULL ? row->checkpoint.seq : INT64_MIN));
}

static bool is_later_checkpoint(const any_row *row, const any_row *other)
{
    int order = aci_rows_compare(row->checkpoint.ns, other->checkpoint.ns);

    return order != 0 ? order > 0 : row->checkpoint.seq > other->checkpoint.seq;
}

static agentchat_status read_segment(any_row *row, const page *p, const aci_sql_value *columns, size_t count,
                                     agentchat_error *err)
{
    aci_segment_found found = {.arena = p->arena};
    agentchat_status status = aci_lists_read_segment(&found, columns, count, err);

    row->segment = found.row;
    return status;
}

static void key_segment(aci_tx *tx, const any_row *row)
{
    aci_transact_integer(tx, row != NULL ? row->segment.seg : INT64_MIN);
}

static bool is_later_segment(const any_row *row, const any_row *other)
{
    return row->segment.seg > other->segment.seg;
}

static agentchat_status read_item(any_row *row, const page *p, const aci_sql_value *columns, size_t count,
                                  agentchat_error *err)
{
    agentchat_status status = aci_lists_read_item(&row->item, columns, count, err);

    return status < 0 ? status : keep((agentchat_str *[]){&row->item.bodies}, 1, p->arena, err);
}

static void key_item(aci_tx *tx, const any_row *row)
{
    ACI_BIND(tx, ACI_INT(row != NULL ? row->item.seg : INT64_MIN), ACI_INT(row != NULL ? row->item.pos : INT64_MIN));
}

static bool is_later_item(const any_row *row, const any_row *other)
{
    return row->item.seg != other->item.seg ? row->item.seg > other->item.seg : row->item.pos > other->item.pos;
}

static agentchat_status read_body(any_row *row, const page *p, const aci_sql_value *columns, size_t count,
                                  agentchat_error *err)
{
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &row->body.no, err);

    if (status >= 0)
        status = aci_transact_column_bytes(columns, count, 1, &row->body.digest, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &row->body.length, err);
    if (status >= 0)
        status = aci_body_row_check_sum(p->num, row->body.no, row->body.digest, columns, count, 3, err);
    if (status >= 0 && (row->body.length < 0 || row->body.length > UINT32_MAX))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored body is longer than any is");
    return status < 0 ? status : keep((agentchat_str *[]){&row->body.digest}, 1, p->arena, err);
}

static agentchat_status read_bytes(any_row *row, const page *p, const aci_sql_value *columns, size_t count,
                                   agentchat_error *err)
{
    agentchat_status status = aci_body_row_read(&row->body, columns, count, err);

    if (status >= 0)
        status = aci_body_row_check(&row->body, p->num, columns, count, err);
    return status < 0 ? status : keep((agentchat_str *[]){&row->body.digest, &row->body.bytes}, 2, p->arena, err);
}

static void key_body(aci_tx *tx, const any_row *row)
{
    aci_transact_bytes(tx, row != NULL ? row->body.digest : AGENTCHAT_STR(""));
}

static bool is_later_body(const any_row *row, const any_row *other)
{
    return aci_rows_compare(row->body.digest, other->body.digest) > 0;
}

static void key_reference(aci_tx *tx, const any_row *row)
{
    key_body(tx, row);
    aci_transact_bytes(tx, AGENTCHAT_STR("["));
}

static agentchat_status read_pending(any_row *row, const page *p, const aci_sql_value *columns, size_t count,
                                     agentchat_error *err)
{
    aci_pending_row *one = &row->pending;
    agentchat_status status = aci_pending_read_row(one, columns, count, err);
    bool ok = true;

    if (status >= 0)
        aci_pending_copy_texts(one, p->arena, &ok);
    return ok ? status : aci_fail_nomem(err);
}

static void key_pending(aci_tx *tx, const any_row *row)
{
    static const agentchat_str first = {"", 0};
    const aci_pending_row *p = row != NULL ? &row->pending : NULL;

    ACI_BIND(tx, ACI_TEXT(p != NULL ? p->ns : first), ACI_TEXT(p != NULL ? p->checkpoint : first),
             ACI_TEXT(p != NULL ? p->path : first), ACI_TEXT(p != NULL ? p->task : first),
             ACI_INT(p != NULL ? p->index : INT64_MIN));
}

static bool is_later_pending(const any_row *row, const any_row *other)
{
    const aci_pending_row *a = &row->pending, *b = &other->pending;
    int order = aci_rows_compare(a->ns, b->ns);

    if (order == 0)
        order = aci_rows_compare(a->checkpoint, b->checkpoint);
    if (order == 0)
        order = aci_rows_compare(a->path, b->path);
    if (order == 0)
        order = aci_rows_compare(a->task, b->task);
    return order != 0 ? order > 0 : a->index > b->index;
}

static agentchat_status read_term(any_row *row, const page *p, const aci_sql_value *columns, size_t count,
                                  agentchat_error *err)
{
    agentchat_status status = aci_terms_read(&row->term, columns, count, err);

    return status < 0 ? status : keep((agentchat_str *[]){&row->term.ns, &row->term.term}, 2, p->arena, err);
}

static void key_term(aci_tx *tx, const any_row *row)
{
    ACI_BIND(tx, ACI_TEXT(row != NULL ? row->term.ns : AGENTCHAT_STR("")),
             ACI_TEXT(row != NULL ? row->term.term : AGENTCHAT_STR("")),
             ACI_INT(row != NULL ? row->term.seq : INT64_MIN));
}

static bool is_later_term(const any_row *row, const any_row *other)
{
    int order = aci_rows_compare(row->term.ns, other->term.ns);

    if (order == 0)
        order = aci_rows_compare(row->term.term, other->term.term);
    return order != 0 ? order > 0 : row->term.seq > other->term.seq;
}

static const table tables[] = {
    [ACI_SCAN_OF_CHECKPOINTS] = {ACI_SCAN_CHECKPOINTS, PAGE, read_checkpoint, key_checkpoint, is_later_checkpoint},
    [ACI_SCAN_OF_SEGMENTS] = {ACI_SCAN_SEGMENTS, PAGE, read_segment, key_segment, is_later_segment},
    [ACI_SCAN_OF_ITEMS] = {ACI_SCAN_ITEMS, PAGE, read_item, key_item, is_later_item},
    [ACI_SCAN_OF_BODIES] = {ACI_SCAN_BODIES, PAGE, read_body, key_body, is_later_body},
    [ACI_SCAN_OF_REFERENCES] = {ACI_SCAN_REFERENCES, PAGE_WITH_BYTES, read_bytes, key_reference, is_later_body},
    [ACI_SCAN_OF_PENDING] = {ACI_SCAN_PENDING, PAGE_WITH_BYTES, read_pending, key_pending, is_later_pending},
    [ACI_SCAN_OF_TERMS] = {ACI_SCAN_TERMS, PAGE, read_term, key_term, is_later_term},
};

/* ---- pages ---------------------------------------------------------------------------------------------------- */

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    page *p = user;
    void *rows = p->rows;
    agentchat_status status;

    if (!aci_grow(p->env, &rows, &p->cap, p->count, sizeof *p->rows))
        return aci_fail_nomem(err);
    p->rows = rows;
    memset(&p->rows[p->count], 0, sizeof p->rows[p->count]);
    status = p->table->read(&p->rows[p->count], p, columns, count, err);
    p->count += status >= 0;
    return status;
}

/* The checkpoint that could not be read comes after the last one that could. */
static agentchat_status name_checkpoint(agentchat_status status, const page *p, const any_row *after,
                                        agentchat_error *err)
{
    const any_row *last = p->count > 0 ? &p->rows[p->count - 1] : after;

    return aci_rows_name_after(status, last != NULL ? last->checkpoint.seq : INT64_MIN, err);
}

/* Reads the page after a row, which the page before still holds. */
static agentchat_status read_page(page *p, aci_tx *tx, const any_row *after, agentchat_error *err)
{
    agentchat_status status;

    p->count = 0;
    p->arena = aci_arena_new(p->env, 0);
    if (p->arena == NULL)
        return aci_fail_nomem(err);
    ACI_THREAD_ASK(tx, p->table->statement, load_row, p, ACI_INT(p->num));
    p->table->key(tx, after);
    aci_transact_integer(tx, p->table->limit);
    status = aci_transact_run(tx, false, err);
    return p->table == &tables[ACI_SCAN_OF_CHECKPOINTS] ? name_checkpoint(status, p, after, err) : status;
}

/* Where pages of the database are damaged, it may give rows that it gave before, again and again. */
static agentchat_status check_order(const page *p, const any_row *last, agentchat_error *err)
{
    if (p->count == 0 || p->table->is_after(&p->rows[p->count - 1], last))
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the rows of a thread are not in the order of their keys");
}

static agentchat_status show_page(const page *p, aci_tx *tx, aci_scan_fn each, void *user, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < p->count && status >= 0; i++)
        status = each(user, &p->rows[i], p->arena, err);
    return status < 0 || tx->count == 0 ? status : aci_transact_run(tx, false, err);
}

agentchat_status aci_scan(aci_tx *tx, int64_t num, aci_scan_table which, aci_scan_fn each, void *user,
                          agentchat_error *err)
{
    page p = {.env = tx->store->env, .num = num, .table = &tables[which]};
    agentchat_status status = AGENTCHAT_OK;
    aci_arena *before = NULL;
    any_row last = {.body = {0, 0, {NULL, 0}, {NULL, 0}}};

    do {
        bool is_first = before == NULL;

        if (p.count > 0)
            last = p.rows[p.count - 1];
        status = read_page(&p, tx, is_first ? NULL : &last, err);
        if (status >= 0 && !is_first)
            status = check_order(&p, &last, err);
        aci_arena_unref(before); /* the texts of `last` are in it */
        before = p.arena;
        if (status >= 0)
            status = show_page(&p, tx, each, user, err);
    } while (status >= 0 && p.count == (size_t)p.table->limit);
    aci_arena_unref(before);
    aci_free(p.env, p.rows, p.cap * sizeof *p.rows);
    return status;
}

/* ==== comparing the index of a thread with its messages ========================================================== */

typedef struct comparing {
    aci_store_check *all;
    const char *part;
    const agentchat_env *env;
    aci_tx *tx;
    agentchat_str thread, ns;
    int64_t num;
    aci_arena *names;
    aci_added_list added;
    /* ---- one checkpoint ---- */
    aci_term_set words;
    aci_arena *arena;
    aci_index stored;
    bool is_marked;
} comparing;

static agentchat_status look_at_row(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    (void)user;
    (void)row;
    (void)arena;
    (void)err;
    return AGENTCHAT_OK; /* its checksum is right */
}

static agentchat_status take_message(void *user, const aci_added_message *one, const agentchat_message *message,
                                     agentchat_error *err)
{
    comparing *c = user;

    (void)one;
    return aci_term_set_add(&c->words, message) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status take_term(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    comparing *c = user;
    aci_term_row row;
    bool ok = true;
    agentchat_status status = aci_terms_read(&row, columns, count, err);

    if (status < 0)
        return status;
    c->is_marked = c->is_marked || row.term.len == 0;
    row.term = aci_arena_copy(c->arena, row.term, &ok);
    return ok && aci_index_add(&c->stored, c->env, row.term, 0) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status read_stored(comparing *c, int64_t seq, agentchat_error *err)
{
    ACI_THREAD_ASK(c->tx, ACI_TERMS_OF_CHECKPOINT, take_term, c, ACI_INT(c->num), ACI_TEXT(c->ns), ACI_INT(seq));
    return aci_transact_run(c->tx, false, err);
}

static agentchat_status read_words(comparing *c, const aci_added *one, agentchat_error *err)
{
    bool stopped = false;
    size_t bytes = SIZE_MAX;
    aci_added_messages *m = aci_arena_alloc(c->arena, sizeof *m);
    agentchat_status status;

    if (m == NULL)
        return aci_fail_nomem(err);
    m->added = &c->added;
    m->each = take_message;
    m->user = c;
    m->stopped = &stopped;
    m->bytes = &bytes;
    m->count = 0;
    status = aci_added_messages_of(m, one, INT64_MAX, err);
    return status < 0 ? status : aci_added_messages_end(m, err);
}

static agentchat_status report_missing(const comparing *c, int64_t seq, agentchat_error *err)
{
    size_t missing = 0;

    for (size_t i = 0; i < c->words.count && !c->is_marked; i++)
        missing += aci_index_find(&c->stored, c->words.list[i]) == ACI_INDEX_NONE;
    if (missing == 0)
        return AGENTCHAT_OK;
    return aci_check_problem(c->all, c->part, err,
                             "checkpoint number %" PRId64 ": the index lacks %zu of its words; switch it off and on",
                             seq, missing);
}

static agentchat_status compare_one(comparing *c, const aci_added *one, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    c->is_marked = false;
    c->arena = aci_arena_new(c->env, 0);
    if (!aci_term_set_begin(&c->words, c->env) || c->arena == NULL)
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = read_stored(c, one->row.seq, err);
    if (status >= 0)
        status = read_words(c, one, err);
    if (status >= 0)
        status = report_missing(c, one->row.seq, err);
    aci_index_clear(&c->stored, c->env);
    aci_term_set_clear(&c->words);
    aci_arena_unref(c->arena);
    return status;
}

/* Some checkpoints of the namespace, before a sequence number, which becomes that of the last one. */
static agentchat_status compare_some(comparing *c, int64_t *below, agentchat_error *err)
{
    agentchat_status status;

    c->added = (aci_added_list){.env = c->env, .tx = c->tx, .num = c->num, .thread = c->thread, .ns = c->ns};
    c->added.below = *below;
    c->added.arena = aci_arena_new(c->env, 0);
    status = c->added.arena != NULL ? aci_search_added_read(&c->added, err) : aci_fail_nomem(err);
    for (size_t i = 0; i < c->added.count && status >= 0; i++) {
        if (c->added.rows[i].row.seq >= *below)
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored checkpoints of a thread are not in their order");
        else
            status = compare_one(c, &c->added.rows[i], err);
        *below = c->added.rows[i].row.seq;
    }
    aci_arena_unref(c->added.arena);
    return status;
}

static agentchat_status compare_all(comparing *c, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    bool more = true;

    do {
        int64_t below = INT64_MAX;

        do
            status = compare_some(c, &below, err);
        while (status >= 0 && c->added.count < c->added.read);
        if (status >= 0)
            status = aci_namespaces_next(c->tx, c->num, c->names, &c->ns, &more, err);
    } while (status >= 0 && more);
    return status;
}

agentchat_status aci_check_terms(aci_store_check *all, const char *part, aci_tx *tx, agentchat_str thread,
                                 agentchat_error *err)
{
    aci_thread_found now = {.id = thread};
    comparing *c;
    agentchat_status status;

    ACI_THREAD_ASK(tx, ACI_THREAD_ROW, aci_rows_load_thread, &now, ACI_TEXT(thread));
    status = aci_transact_run(tx, false, err);
    if (status < 0 || !now.found || now.row.indexed == ACI_INDEXED_NOT) /* deleted meanwhile, or not indexed */
        return status;
    status = aci_scan(tx, now.row.num, ACI_SCAN_OF_TERMS, look_at_row, NULL, err);
    if (status < 0 || now.row.indexed < ACI_INDEXED_MARKED || now.row.indexed > ACI_INDEXED)
        return status;
    c = aci_alloc_zero(all->env, sizeof *c);
    if (c == NULL)
        return aci_fail_nomem(err);
    c->all = all;
    c->part = part;
    c->env = all->env;
    c->tx = tx;
    c->thread = thread;
    c->ns = AGENTCHAT_STR("");
    c->num = now.row.num;
    c->names = aci_arena_new(c->env, 0);
    status = c->names != NULL ? compare_all(c, err) : aci_fail_nomem(err);
    aci_arena_unref(c->names);
    aci_free(all->env, c, sizeof *c);
    return status;
}
