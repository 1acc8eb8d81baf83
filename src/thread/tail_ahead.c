/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the newest messages of a thread in one batch. */
#include "thread/tail_ahead.h"

#include "base/error.h"
#include "thread/body_row.h"

enum { OTHERS = 8 }; /* bodies that are no messages of the history among the newest ones of a thread */

static agentchat_status load_segment(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    (void)columns;
    (void)count;
    (void)err;
    ((aci_tail_ahead *)user)->has_spans = true;
    return AGENTCHAT_OK;
}

static agentchat_status load_item(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_tail_ahead *ahead = user;
    void *items = ahead->items;
    aci_item_row row;
    bool ok = true;
    agentchat_status status = aci_lists_read_item(&row, columns, count, err);

    if (status < 0)
        return status;
    if (!aci_grow(ahead->get->store->env, &items, &ahead->item_cap, ahead->item_count, sizeof *ahead->items))
        return aci_fail_nomem(err);
    ahead->items = items;
    row.bodies = aci_arena_copy(ahead->arena, row.bodies, &ok);
    ahead->items[ahead->item_count++] = row;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status load_body(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_tail_ahead *ahead = user;
    void *bodies = ahead->bodies;
    aci_body_row row;
    bool ok = true;
    agentchat_status status = aci_body_row_read(&row, columns, count, err);

    if (status >= 0)
        status = aci_body_row_check(&row, ahead->get->found.row.num, columns, count, err);
    if (status < 0)
        return status;
    if (!aci_grow(ahead->get->store->env, &bodies, &ahead->body_cap, ahead->body_count, sizeof *ahead->bodies))
        return aci_fail_nomem(err);
    ahead->bodies = bodies;
    ahead->bodies[ahead->body_count++] = (aci_body_ahead){row.no, aci_arena_copy(ahead->arena, row.bytes, &ok)};
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_tail_ahead_ask(aci_tail_ahead *ahead, const aci_get *get, aci_tx *tx, size_t count,
                                    agentchat_error *err)
{
    *ahead = (aci_tail_ahead){.get = get, .arena = aci_arena_new(get->store->env, 0)};
    if (ahead->arena == NULL)
        return aci_fail_nomem(err);
    aci_thread_statement_add(tx, ACI_TAIL_SEGMENT, load_segment, ahead);
    aci_transact_text(tx, get->thread);
    aci_transact_text(tx, get->ns);
    aci_thread_statement_add(tx, ACI_TAIL_ITEMS, load_item, ahead);
    aci_transact_text(tx, get->thread);
    aci_transact_text(tx, get->ns);
    aci_transact_integer(tx, (int64_t)count);
    aci_thread_statement_add(tx, ACI_TAIL_BODIES, load_body, ahead);
    aci_transact_text(tx, get->thread);
    aci_transact_integer(tx, (int64_t)count + OTHERS);
    return AGENTCHAT_OK;
}

/* The numbers of the bodies of a range, in the arena; NULL: the items of it are not all there. */
static agentchat_status find_numbers(const aci_tail_ahead *ahead, aci_range range, int64_t **out, agentchat_error *err)
{
    size_t count = (size_t)aci_range_length(range), done = 0;
    int64_t *numbers = aci_arena_alloc(ahead->arena, count * sizeof *numbers);

    *out = NULL;
    if (numbers == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < ahead->item_count && done < count; i++) {
        const aci_item_row *item = &ahead->items[i];
        int64_t next = range.from + (int64_t)done, *bodies = NULL;
        agentchat_status status = AGENTCHAT_OK;

        if (item->seg != range.seg || item->pos > next)
            return AGENTCHAT_OK;
        if (next - item->pos < item->count)
            status = aci_lists_item_numbers(item, ahead->arena, &bodies, err);
        if (status < 0)
            return status;
        for (int64_t at = next - item->pos; at < item->count && done < count; at++)
            numbers[done++] = bodies[at];
    }
    if (done == count)
        *out = numbers;
    return AGENTCHAT_OK;
}

agentchat_status aci_tail_ahead_messages(const aci_tail_ahead *ahead, aci_range range, agentchat_messages *out,
                                         bool *complete, agentchat_error *err)
{
    int64_t *numbers = NULL;
    agentchat_status status = AGENTCHAT_OK;

    *complete = false;
    if (!ahead->has_spans && (uint64_t)aci_range_length(range) <= ahead->body_count)
        status = find_numbers(ahead, range, &numbers, err);
    if (numbers == NULL)
        return status;
    return aci_load_ahead(ahead->get->store->env, numbers, (size_t)aci_range_length(range), ahead->bodies,
                          ahead->body_count, out, complete, err);
}

void aci_tail_ahead_clear(aci_tail_ahead *ahead)
{
    if (ahead->get == NULL)
        return;
    aci_free(ahead->get->store->env, ahead->items, ahead->item_cap * sizeof *ahead->items);
    aci_free(ahead->get->store->env, ahead->bodies, ahead->body_cap * sizeof *ahead->bodies);
    aci_arena_unref(ahead->arena);
    ahead->get = NULL;
}
