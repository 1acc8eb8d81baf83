/* SPDX-License-Identifier: Apache-2.0 */
/* All rows of a thread, in the order of their keys; checking those of the index. */
#include "thread/thread_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include <inttypes.h>
#include <string.h>

/* ==== going over all rows of a thread ============================================================================ */

enum { PAGE = 500, PAGE_WITH_BYTES = 64 };

typedef struct page {
    const agentchat_env *env;
    aci_arena *arena;
    int64_t num; /* of the thread */
    aci_scan_table which;
    aci_any_row *rows;
    size_t count, cap;
} page;

static const aci_column segment_columns[] = {ACI_COLUMN_INTEGER(aci_segment_row, seg)};
static const aci_table segment_table = ACI_TABLE("a stored segment", segment_columns, 0, 1);
static const aci_column body_columns[] = {ACI_COLUMN_BYTES(aci_body_row, digest) ACI_COLUMN_BYTES(aci_body_row, bytes)};
static const aci_table body_table = ACI_TABLE("a stored body", body_columns, 0, 1); /* in the order of the digests */

/* What is different from table to table. */
static const struct {
    const aci_table *rows;
    aci_thread_statement statement;
    int64_t limit;
} tables[] = {
    [ACI_SCAN_OF_CHECKPOINTS] = {&aci_checkpoint_table, ACI_SCAN_CHECKPOINTS, PAGE},
    [ACI_SCAN_OF_SEGMENTS] = {&segment_table, ACI_SCAN_SEGMENTS, PAGE},
    [ACI_SCAN_OF_ITEMS] = {&aci_item_table, ACI_SCAN_ITEMS, PAGE},
    [ACI_SCAN_OF_BODIES] = {&body_table, ACI_SCAN_BODIES, PAGE},
    [ACI_SCAN_OF_REFERENCES] = {&body_table, ACI_SCAN_REFERENCES, PAGE_WITH_BYTES},
    [ACI_SCAN_OF_PENDING] = {&aci_pending_table, ACI_SCAN_PENDING, PAGE_WITH_BYTES},
    [ACI_SCAN_OF_TERMS] = {&aci_term_table, ACI_SCAN_TERMS, PAGE},
};

bool aci_scan_keep(aci_scan_table which, aci_any_row *row, aci_arena *arena)
{
    aci_segment_row *segment = &row->segment;
    aci_span *spans;
    bool ok = true;

    if (which != ACI_SCAN_OF_SEGMENTS) {
        aci_table_keep(tables[which].rows, row, arena, &ok);
        return ok;
    }
    spans = aci_arena_alloc(arena, (segment->span_count + 1) * sizeof *spans);
    for (size_t i = 0; spans != NULL && i < segment->span_count; i++)
        spans[i] = segment->spans[i];
    segment->spans = spans;
    return spans != NULL;
}

/* ---- pages ---------------------------------------------------------------------------------------------------- */

static agentchat_status read_segment(const page *p, aci_segment_row *row, const aci_sql_value *columns, size_t count,
                                     agentchat_error *err)
{
    aci_segment_found found = {.arena = p->arena};
    agentchat_status status = aci_lists_read_segment(&found, columns, count, err);

    *row = found.row;
    return status;
}

static agentchat_status read_row(const page *p, aci_any_row *row, const aci_sql_value *columns, size_t count,
                                 agentchat_error *err)
{
    switch (p->which) {
    case ACI_SCAN_OF_CHECKPOINTS:
        return aci_rows_read_checkpoint(&row->checkpoint, columns, count, err);
    case ACI_SCAN_OF_SEGMENTS:
        return read_segment(p, &row->segment, columns, count, err);
    case ACI_SCAN_OF_ITEMS:
        return aci_lists_read_item(&row->item, columns, count, err);
    case ACI_SCAN_OF_BODIES:
        return aci_body_row_read(&row->body, p->num, columns, count, err);
    case ACI_SCAN_OF_REFERENCES:
        return aci_body_row_verify(&row->body, p->num, columns, count, err);
    case ACI_SCAN_OF_PENDING:
        return aci_pending_read_row(&row->pending, columns, count, err);
    case ACI_SCAN_OF_TERMS:
        break;
    }
    return aci_terms_read(&row->term, columns, count, err);
}

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    page *p = user;
    void *rows = p->rows;
    aci_any_row *row;
    agentchat_status status;

    if (!aci_grow(p->env, &rows, &p->cap, p->count, sizeof *p->rows))
        return aci_fail_nomem(err);
    p->rows = rows;
    row = &p->rows[p->count];
    memset(row, 0, sizeof *row);
    status = read_row(p, row, columns, count, err);
    if (status >= 0 && p->which != ACI_SCAN_OF_SEGMENTS && !aci_scan_keep(p->which, row, p->arena))
        return aci_fail_nomem(err);
    p->count += status >= 0;
    return status;
}

/* The checkpoint that could not be read comes after the last one that could. */
static agentchat_status name_checkpoint(agentchat_status status, const page *p, const aci_any_row *after,
                                        agentchat_error *err)
{
    const aci_any_row *last = p->count > 0 ? &p->rows[p->count - 1] : after;

    return aci_rows_name_after(status, last != NULL ? last->checkpoint.seq : INT64_MIN, err);
}

/* Reads the page after a row, which the page before still holds. */
static agentchat_status read_page(page *p, aci_tx *tx, const aci_any_row *after, agentchat_error *err)
{
    agentchat_status status;

    p->count = 0;
    p->arena = aci_arena_new(p->env, 0);
    if (p->arena == NULL)
        return aci_fail_nomem(err);
    ACI_THREAD_ASK(tx, tables[p->which].statement, load_row, p, ACI_INT(p->num));
    aci_table_bind_key(tx, tables[p->which].rows, after);
    if (p->which == ACI_SCAN_OF_REFERENCES)
        aci_transact_bytes(tx, AGENTCHAT_STR("["));
    aci_transact_integer(tx, tables[p->which].limit);
    status = aci_transact_run(tx, false, err);
    return p->which == ACI_SCAN_OF_CHECKPOINTS ? name_checkpoint(status, p, after, err) : status;
}

/* Where pages of the database are damaged, it may give rows that it gave before, again and again. */
static agentchat_status check_order(const page *p, const aci_any_row *last, agentchat_error *err)
{
    if (p->count == 0 || aci_table_compare(tables[p->which].rows, &p->rows[p->count - 1], last) > 0)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the rows of a thread are not in the order of their keys");
}

static agentchat_status show_page(const page *p, aci_tx *tx, aci_scan_fn each, void *user, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < p->count && each != NULL && status >= 0; i++)
        status = each(user, &p->rows[i], p->arena, err);
    return status < 0 || tx->count == 0 ? status : aci_transact_run(tx, false, err);
}

agentchat_status aci_scan(aci_tx *tx, int64_t num, aci_scan_table which, aci_scan_fn each, void *user,
                          agentchat_error *err)
{
    page p = {.env = tx->store->env, .num = num, .which = which};
    agentchat_status status = AGENTCHAT_OK;
    aci_arena *before = NULL;
    aci_any_row last = {.body = {.no = 0}};

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
    } while (status >= 0 && p.count == (size_t)tables[which].limit);
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
    status = aci_scan(tx, now.row.num, ACI_SCAN_OF_TERMS, NULL, NULL, err);
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
