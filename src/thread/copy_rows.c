/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a thread as those of another one. Their checksums cover the number of their thread, so all of them
 * travel. */
#include "thread/copy_rows.h"

#include "base/buf.h"
#include "base/error.h"

typedef enum copied_kind { IS_BODY, IS_SEGMENT, IS_ITEM, IS_CHECKPOINT, IS_PENDING, IS_TERM } copied_kind;

struct aci_copied_row {
    copied_kind kind;
    union {
        aci_body_row body;
        aci_segment_row segment;
        aci_item_row item;
        aci_checkpoint_row checkpoint;
        aci_pending_row pending;
        aci_term_row term;
    } of;
};

/* ---- numbers of bodies ------------------------------------------------------------------------------------------ */

static agentchat_status add_number(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_body_row *body = found;

    (void)arena;
    return aci_numbers_add(&rows->bodies, rows->env, &body->no, 1) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_copy_rows_learn_bodies(aci_copier *rows, agentchat_error *err)
{
    agentchat_status status;

    rows->bodies.count = 0;
    status = aci_scan(rows->reader, rows->source, ACI_SCAN_OF_BODIES, add_number, rows, err);
    aci_numbers_sort(&rows->bodies);
    return status;
}

/* A body that is missing is missing in the copy, too: a prune that was at work at the moment of the copy has deleted
   it, and left the position that named it, which nothing reaches any more. */
int64_t aci_copy_rows_number(const aci_copier *rows, int64_t no)
{
    size_t at;

    if (rows->bodies.count == 0)
        return no;
    at = aci_numbers_find(&rows->bodies, no);
    return at < rows->bodies.count ? rows->first + (int64_t)at : ACI_THREAD_HIGHEST;
}

static int64_t copied_number(const void *user, int64_t no)
{
    return aci_copy_rows_number(user, no);
}

/* ---- queueing --------------------------------------------------------------------------------------------------- */

/* What belongs to a body, and is found by its number, is to be copied here too. */
agentchat_status aci_copy_rows_queue_body(const aci_copier *rows, aci_tx *tx, const aci_body_row *body,
                                          agentchat_error *err)
{
    int64_t no = aci_copy_rows_number(rows, body->no), sum = 0;
    agentchat_status status = aci_body_row_sum(rows->num, no, body->digest, &sum, err);

    aci_thread_statement_add(tx, ACI_BODY_INSERT, NULL, NULL);
    aci_transact_integer(tx, rows->num);
    aci_transact_integer(tx, no);
    aci_transact_bytes(tx, body->digest);
    aci_transact_bytes(tx, body->bytes.len > 0 ? body->bytes : AGENTCHAT_STR(""));
    aci_transact_integer(tx, sum);
    return status;
}

static agentchat_status queue_item(const aci_copier *rows, aci_tx *tx, const aci_item_row *item, aci_arena *arena,
                                   agentchat_error *err)
{
    int64_t *numbers = NULL;
    agentchat_status status = aci_lists_item_numbers(item, arena, &numbers, err);

    if (status < 0)
        return status;
    for (int64_t i = 0; i < item->count; i++)
        numbers[i] = aci_copy_rows_number(rows, numbers[i]);
    return aci_lists_insert_items(tx, rows->num, item->seg, item->pos, numbers, (size_t)item->count, arena, err);
}

static agentchat_status queue_checkpoint(const aci_copier *rows, aci_tx *tx, const aci_checkpoint_row *checkpoint,
                                         aci_arena *arena, agentchat_error *err)
{
    aci_checkpoint_row copy = *checkpoint;
    aci_contents *contents = NULL;
    bool ok = true;
    aci_buf text;
    agentchat_status status = aci_contents_read(rows->env, copy.contents, arena, &contents, err);

    if (status < 0)
        return status;
    aci_contents_renumber(contents, copied_number, rows);
    aci_buf_init(&text, rows->env, SIZE_MAX);
    ok = aci_contents_write(contents, &text);
    copy.contents = ok ? aci_arena_copy(arena, aci_buf_str(&text), &ok) : copy.contents;
    aci_buf_clear(&text);
    copy.num = rows->num;
    return ok ? aci_rows_insert_checkpoint(tx, &copy, err) : aci_fail_nomem(err);
}

static agentchat_status queue_pending(const aci_copier *rows, aci_tx *tx, const aci_pending_row *pending,
                                      agentchat_error *err)
{
    aci_pending_row copy = *pending;

    copy.num = rows->num;
    return aci_pending_put_row(tx, &copy, err);
}

static agentchat_status queue_term(const aci_copier *rows, aci_tx *tx, const aci_term_row *term, agentchat_error *err)
{
    aci_term_row copy = *term;

    copy.num = rows->num;
    return aci_terms_insert(tx, &copy, err);
}

static agentchat_status queue_one(const aci_copier *rows, aci_tx *tx, const aci_copied_row *one, aci_arena *arena,
                                  agentchat_error *err)
{
    switch (one->kind) {
    case IS_BODY:
        return aci_copy_rows_queue_body(rows, tx, &one->of.body, err);
    case IS_SEGMENT:
        return aci_lists_put_segment(tx, rows->num, &one->of.segment, arena, err);
    case IS_ITEM:
        return queue_item(rows, tx, &one->of.item, arena, err);
    case IS_CHECKPOINT:
        return queue_checkpoint(rows, tx, &one->of.checkpoint, arena, err);
    case IS_PENDING:
        return queue_pending(rows, tx, &one->of.pending, err);
    case IS_TERM:
        return queue_term(rows, tx, &one->of.term, err);
    }
    return AGENTCHAT_OK;
}

agentchat_status aci_copy_rows_queue(const aci_copier *rows, aci_tx *tx, aci_arena *arena, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < rows->count && status >= 0; i++)
        status = queue_one(rows, tx, &rows->list[i], arena, err);
    return status;
}

/* ---- gathering -------------------------------------------------------------------------------------------------- */

typedef struct wanted_body {
    aci_arena *arena;
    aci_body_row *body;
} wanted_body;

static agentchat_status load_bytes(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    const wanted_body *wanted = user;
    agentchat_str bytes = {NULL, 0};
    bool ok = true;
    agentchat_status status = aci_transact_column_bytes(columns, count, 2, &bytes, err);

    if (status < 0)
        return status;
    wanted->body->bytes = aci_arena_copy(wanted->arena, bytes, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* The bytes of the bodies of the portion; as they are: one that is damaged is damaged in the copy. */
static agentchat_status read_bytes(aci_copier *rows, agentchat_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        aci_body_row *body = &rows->list[i].of.body;
        wanted_body *wanted;

        if (rows->list[i].kind != IS_BODY)
            continue;
        wanted = aci_arena_alloc(rows->arena, sizeof *wanted);
        if (wanted == NULL)
            return aci_fail_nomem(err);
        *wanted = (wanted_body){rows->arena, body};
        aci_thread_statement_add(rows->reader, ACI_BODY_BY_DIGEST, load_bytes, wanted);
        aci_transact_integer(rows->reader, rows->source);
        aci_transact_bytes(rows->reader, body->digest);
    }
    return rows->reader->count > 0 ? aci_transact_run(rows->reader, false, err) : AGENTCHAT_OK;
}

static agentchat_status write_portion(aci_copier *rows, agentchat_error *err)
{
    agentchat_status status = rows->count > 0 ? read_bytes(rows, err) : AGENTCHAT_OK;

    if (status >= 0 && rows->count > 0)
        status = rows->write(rows->user, err);
    aci_arena_unref(rows->arena);
    rows->arena = NULL;
    rows->count = rows->cost = 0;
    return status;
}

/* Room for a row, whose texts are to be copied into rows->arena. NULL: out of memory. */
static aci_copied_row *add_row(aci_copier *rows, copied_kind kind, int64_t length)
{
    void *list = rows->list;

    if (rows->arena == NULL)
        rows->arena = aci_arena_new(rows->env, 0);
    if (rows->arena == NULL || !aci_grow(rows->env, &list, &rows->cap, rows->count, sizeof *rows->list))
        return NULL;
    rows->list = list;
    rows->list[rows->count].kind = kind;
    rows->cost += 1 + (length > 0 ? (size_t)(length / 2048) : 0);
    return &rows->list[rows->count++];
}

static agentchat_status end_row(aci_copier *rows, bool ok, agentchat_error *err)
{
    if (!ok)
        return aci_fail_nomem(err);
    return rows->cost >= *rows->most ? write_portion(rows, err) : AGENTCHAT_OK;
}

static agentchat_status take_body(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_body_row *body = found;
    aci_copied_row *row;
    bool ok = true;

    (void)arena;
    if (body->no == rows->has_body)
        return AGENTCHAT_OK;
    row = add_row(rows, IS_BODY, body->length);
    if (row == NULL)
        return aci_fail_nomem(err);
    row->of.body = *body;
    row->of.body.digest = aci_arena_copy(rows->arena, body->digest, &ok);
    return end_row(rows, ok, err);
}

static agentchat_status take_segment(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_segment_row *segment = found;
    aci_copied_row *row = add_row(rows, IS_SEGMENT, 0);
    aci_span *spans = row != NULL ? aci_arena_alloc(rows->arena, (segment->span_count + 1) * sizeof *spans) : NULL;

    (void)arena;
    if (spans == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < segment->span_count; i++)
        spans[i] = segment->spans[i];
    row->of.segment = *segment;
    row->of.segment.spans = spans;
    return end_row(rows, true, err);
}

static agentchat_status take_item(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_item_row *item = found;
    aci_copied_row *row = add_row(rows, IS_ITEM, (int64_t)item->bodies.len);
    bool ok = true;

    (void)arena;
    if (row == NULL)
        return aci_fail_nomem(err);
    row->of.item = *item;
    row->of.item.bodies = aci_arena_copy(rows->arena, item->bodies, &ok);
    return end_row(rows, ok, err);
}

static agentchat_status take_checkpoint(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_checkpoint_row *checkpoint = found;
    aci_copied_row *row = add_row(rows, IS_CHECKPOINT, (int64_t)(checkpoint->meta.len + checkpoint->contents.len));
    bool ok = true;

    (void)arena;
    if (row == NULL)
        return aci_fail_nomem(err);
    row->of.checkpoint = *checkpoint;
    aci_rows_copy_checkpoint(&row->of.checkpoint, rows->arena, &ok);
    return end_row(rows, ok, err);
}

static agentchat_status take_pending(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_pending_row *pending = found;
    aci_copied_row *row = add_row(rows, IS_PENDING, (int64_t)pending->value.len);
    bool ok = true;

    (void)arena;
    if (row == NULL)
        return aci_fail_nomem(err);
    row->of.pending = *pending;
    aci_pending_copy_texts(&row->of.pending, rows->arena, &ok);
    return end_row(rows, ok, err);
}

static agentchat_status take_term(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_term_row *term = found;
    aci_copied_row *row = add_row(rows, IS_TERM, 0);
    bool ok = true;

    (void)arena;
    if (row == NULL)
        return aci_fail_nomem(err);
    row->of.term = *term;
    row->of.term.ns = aci_arena_copy(rows->arena, term->ns, &ok);
    row->of.term.term = aci_arena_copy(rows->arena, term->term, &ok);
    return end_row(rows, ok, err);
}

agentchat_status aci_copy_rows(aci_copier *rows, agentchat_error *err)
{
    static const struct {
        aci_scan_table table;
        aci_scan_fn take;
    } tables[] = {{ACI_SCAN_OF_BODIES, take_body},
                  {ACI_SCAN_OF_SEGMENTS, take_segment},
                  {ACI_SCAN_OF_ITEMS, take_item},
                  {ACI_SCAN_OF_CHECKPOINTS, take_checkpoint},
                  {ACI_SCAN_OF_PENDING, take_pending}};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < sizeof tables / sizeof *tables && status >= 0; i++)
        status = aci_scan(rows->reader, rows->source, tables[i].table, tables[i].take, rows, err);
    if (status >= 0 && rows->has_terms)
        status = aci_scan(rows->reader, rows->source, ACI_SCAN_OF_TERMS, take_term, rows, err);
    return status < 0 ? status : write_portion(rows, err);
}

void aci_copy_rows_clear(aci_copier *rows)
{
    aci_arena_unref(rows->arena);
    if (rows->env != NULL) {
        aci_free(rows->env, rows->list, rows->cap * sizeof *rows->list);
        aci_numbers_clear(&rows->bodies, rows->env);
    }
    rows->arena = NULL;
    rows->list = NULL;
    rows->count = rows->cap = rows->cost = 0;
}
