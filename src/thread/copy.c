/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copying a thread. The bytes of bodies are copied by the database; the other rows travel, since their checksums cover
 * the number of their thread. It is one transaction, so that nobody sees a part of the new thread, and a killed one
 * leaves nothing.
 */
#include "thread/scan.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/ids.h"

typedef struct copying {
    agentchat_str from, to;
    int64_t num;    /* of the new thread */
    int64_t source; /* of the thread */
    int64_t shift;  /* from the numbers of its bodies to those of the copies */
    aci_tx *tx;
} copying;

/* ---- rows ----------------------------------------------------------------------------------------------------- */

static agentchat_status copy_body(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    const copying *c = user;
    const aci_body_row *body = row;
    int64_t no = body->no + c->shift, sum = 0;
    agentchat_status status = aci_rows_sum_body(c->num, no, body->digest, &sum, err);

    (void)arena;
    aci_thread_statement_add(c->tx, ACI_BODY_COPY, NULL, NULL);
    aci_transact_integer(c->tx, c->num);
    aci_transact_integer(c->tx, no);
    aci_transact_integer(c->tx, sum);
    aci_transact_integer(c->tx, c->source);
    aci_transact_bytes(c->tx, body->digest);
    return status;
}

static agentchat_status copy_segment(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    const copying *c = user;

    return aci_lists_put_segment(c->tx, c->num, row, arena, err);
}

static agentchat_status copy_item(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    const copying *c = user;
    const aci_item_row *item = row;
    int64_t *numbers = NULL;
    agentchat_status status = aci_lists_item_numbers(item, arena, &numbers, err);

    if (status < 0)
        return status;
    for (int64_t i = 0; i < item->count; i++)
        numbers[i] += c->shift;
    return aci_lists_insert_items(c->tx, c->num, item->seg, item->pos, numbers, (size_t)item->count, arena, err);
}

static agentchat_status copy_checkpoint(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    const copying *c = user;
    const agentchat_env *env = c->tx->store->env;
    aci_checkpoint_row copy = *(const aci_checkpoint_row *)row;
    aci_contents *contents = NULL;
    aci_buf text;
    bool ok = true;
    agentchat_status status = aci_contents_read(env, copy.contents, arena, &contents, err);

    if (status < 0)
        return status;
    aci_contents_shift(contents, c->shift);
    aci_buf_init(&text, env, SIZE_MAX);
    if (!aci_contents_write(contents, &text))
        status = aci_fail_nomem(err);
    copy.contents = status >= 0 ? aci_arena_copy(arena, aci_buf_str(&text), &ok) : copy.contents;
    aci_buf_clear(&text);
    copy.num = c->num;
    if (status < 0 || !ok)
        return aci_fail_nomem(err);
    return aci_rows_insert_checkpoint(c->tx, &copy, err);
}

static agentchat_status copy_pending(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    const copying *c = user;
    aci_pending_row copy = *(const aci_pending_row *)row;

    (void)arena;
    copy.num = c->num;
    return aci_pending_put_row(c->tx, &copy, err);
}

static agentchat_status copy_rows(copying *c, agentchat_error *err)
{
    static const struct {
        aci_scan_table table;
        aci_scan_fn copy;
    } tables[] = {{ACI_SCAN_OF_BODIES, copy_body},
                  {ACI_SCAN_OF_SEGMENTS, copy_segment},
                  {ACI_SCAN_OF_ITEMS, copy_item},
                  {ACI_SCAN_OF_CHECKPOINTS, copy_checkpoint},
                  {ACI_SCAN_OF_PENDING, copy_pending}};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < sizeof tables / sizeof *tables && status >= 0; i++)
        status = aci_scan(c->tx, c->source, tables[i].table, tables[i].copy, c, err);
    return status;
}

/* ---- the transaction ------------------------------------------------------------------------------------------- */

static void ask_thread(aci_tx *tx, aci_thread_found *found)
{
    aci_thread_statement_add(tx, ACI_THREAD_LOCK, aci_rows_load_thread, found);
    aci_transact_text(tx, found->id);
}

static agentchat_status fail_exists(agentchat_str thread, agentchat_error *err)
{
    aci_excerpt excerpt;

    return aci_fail(err, AGENTCHAT_E_EXISTS, "there is a thread %s already", aci_error_excerpt(thread, &excerpt));
}

/* Where numbers of bodies are of the whole file, the copies get the next ones, at the same distances. */
static agentchat_status find_shift(copying *c, agentchat_error *err)
{
    int64_t highest = 0, lowest = 1;
    agentchat_status status = AGENTCHAT_OK;

    aci_thread_statement_add(c->tx, ACI_BODY_HIGHEST, aci_rows_load_number, &highest);
    aci_thread_statement_add(c->tx, ACI_BODY_LOWEST, aci_rows_load_number, &lowest);
    aci_transact_integer(c->tx, c->source);
    if (c->tx->count > 0) {
        status = aci_transact_run(c->tx, false, err);
        c->shift = highest + 1 - lowest;
    }
    return status;
}

static agentchat_status make_thread(const copying *c, const aci_thread_row *source, agentchat_error *err)
{
    aci_thread_row row = *source;
    agentchat_status status;

    row.num = c->num;
    row.bodies += c->shift;
    row.created_us = row.updated_us = aci_now_us(c->tx->store->env);
    status = aci_rows_insert_thread(c->tx, c->to, &row, err);
    if (status >= 0)
        status = aci_transact_run(c->tx, false, err);
    if (status >= 0 && aci_transact_changed(c->tx, 0) == 0) /* somebody made it meanwhile */
        status = fail_exists(c->to, err);
    return status;
}

static agentchat_status copy_work(aci_tx *tx, void *user, agentchat_error *err)
{
    copying *c = user;
    aci_thread_found source = {.id = c->from}, target = {.id = c->to};
    agentchat_status status;

    c->tx = tx;
    ask_thread(tx, &source);
    ask_thread(tx, &target);
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    if (target.found && tx->repeated && target.row.num == c->num)
        return AGENTCHAT_OK; /* by an attempt whose answer was lost */
    if (!source.found)
        return aci_rows_fail_no_thread(c->from, err);
    if (target.found)
        return fail_exists(c->to, err);
    c->source = source.row.num;
    status = find_shift(c, err);
    if (status >= 0)
        status = make_thread(c, &source.row, err);
    if (status >= 0)
        status = copy_rows(c, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

agentchat_status agentchat_thread_copy(agentchat_store *store, const char *thread, const char *new_thread,
                                       agentchat_error *err)
{
    copying c = {.num = 0};
    aci_sql_call call;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (new_thread == NULL)
        return aci_fail_null(err, "new_thread");
    status = aci_rows_check_thread(thread, &c.from, err);
    if (status >= 0)
        status = aci_rows_check_thread(new_thread, &c.to, err);
    if (status >= 0)
        status = aci_rows_new_number(store->env, &c.num, err);
    if (status < 0)
        return status;
    call = aci_call_begin(store, true); /* as long as the thread is */
    status = aci_transact_in(store, &call, true, copy_work, &c, err);
    return status < 0 ? status : AGENTCHAT_OK;
}
