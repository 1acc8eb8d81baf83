/* SPDX-License-Identifier: Apache-2.0 */
/* Getting checkpoints and the tails of their histories. */
#include "thread/thread.h"

#include "base/error.h"
#include "thread/thread_internal.h"
#include <inttypes.h>
#include <string.h>

/* ==== getting a checkpoint ======================================================================================= */

/* ---- finding it ------------------------------------------------------------------------------------------------- */

agentchat_status aci_get_begin(aci_get *get, agentchat_store *store, const char *thread,
                               const agentchat_checkpoint_options *options, agentchat_error *err)
{
    agentchat_checkpoint_options loaded;
    agentchat_status status;

    memset(get, 0, sizeof *get);
    if (store == NULL)
        return aci_fail_null(err, "store");
    get->store = store;
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status >= 0)
        status = aci_rows_check_thread(thread, &get->thread, err);
    if (status >= 0)
        status = aci_rows_check_namespace(loaded.ns, &get->ns, err);
    if (status >= 0)
        status = aci_rows_check_optional(loaded.id, "checkpoint", &get->id, err);
    if (status < 0)
        return status;
    get->found.arena = aci_arena_new(store->env, 0);
    return get->found.arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_get_clear(aci_get *get)
{
    aci_arena_unref(get->found.arena);
}

static agentchat_status load_lines(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_get *get = user;
    agentchat_status status = aci_rows_load_number(&get->first_line, columns, count, err);

    return status < 0 ? status : aci_rows_load_number(&get->last_line, columns + 1, count - 1, err);
}

static void ask(const aci_get *get, aci_tx *tx, aci_thread_statement which, aci_sql_row_fn row, void *user)
{
    ACI_THREAD_ASK(tx, which, row, user, ACI_TEXT(get->thread), ACI_TEXT(get->ns));
}

/* Queues the statement that finds its row. */
static void get_ask(aci_get *get, aci_tx *tx)
{
    get->found.found = get->held.found = get->line_newest.found = false;
    get->held.arena = get->line_newest.arena = get->found.arena;
    if (get->line != 0) {
        ask(get, tx, ACI_CHECKPOINT_LINE_NEWEST, aci_rows_load_checkpoint, &get->found);
        aci_transact_integer(tx, get->line);
    } else if (get->id.ptr != NULL) {
        ask(get, tx, ACI_CHECKPOINT_BY_ID, aci_rows_load_checkpoint, &get->found);
        aci_transact_text(tx, get->id);
    } else {
        ask(get, tx, ACI_CHECKPOINT_NEWEST, aci_rows_load_checkpoint, &get->found);
    }
    if (get->memory != NULL) {
        ask(get, tx, ACI_CHECKPOINT_BY_ID, aci_rows_load_checkpoint, &get->held);
        aci_transact_text(tx, get->memory->id);
    }
    if (!get->about_lines)
        return;
    ask(get, tx, ACI_CHECKPOINT_LINES, load_lines, get);
    if (get->id.ptr != NULL) {
        ask(get, tx, ACI_CHECKPOINT_LINE_NEWEST_OF, aci_rows_load_checkpoint, &get->line_newest);
        aci_transact_text(tx, get->id);
    }
}

/* Runs what is queued, that statement among it: E_NOTFOUND. ends: it is the transaction's last batch. */
static agentchat_status get_find(aci_get *get, aci_tx *tx, bool ends, agentchat_error *err)
{
    agentchat_status status = aci_transact_run(tx, ends, err);
    aci_excerpt excerpt;

    if (status >= 0 && !get->found.found && get->line != 0)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "thread %s has no line %" PRId64 " (any more)",
                        aci_error_excerpt(get->thread, &excerpt), get->line);
    if (status >= 0 && !get->found.found)
        status = aci_rows_fail_no_checkpoint(get->thread, get->ns, get->id, err);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

struct agentchat_checkpoint {
    const agentchat_env *env;
    aci_arena *arena; /* of what is known of it */
    agentchat_checkpoint_info info;
    agentchat_snapshot *snapshot;
};

static agentchat_status get_work(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_get *get = user;
    bool is_held;
    agentchat_status status;

    agentchat_snapshot_unref(get->snapshot); /* of an attempt that failed */
    get->snapshot = NULL;
    get_ask(get, tx);
    status = get_find(get, tx, false, err);
    is_held = get->held.found && aci_thread_memory_fits(get->memory, &get->held.row);
    return status < 0 ? status
                      : aci_load_chat(tx, &get->found.row, is_held ? &get->held.row : NULL,
                                      is_held ? get->memory->snapshot : NULL, &get->snapshot, err);
}

agentchat_status aci_get_run(aci_get *get, agentchat_error *err)
{
    agentchat_status status = aci_transact(get->store, false, get_work, get, err);

    if (status < 0) {
        agentchat_snapshot_unref(get->snapshot);
        get->snapshot = NULL;
    }
    return aci_rows_name_damage(status, get->thread, get->ns, get->id, err);
}

static agentchat_status give(aci_get *get, agentchat_checkpoint **out, agentchat_error *err)
{
    agentchat_checkpoint *checkpoint = aci_alloc_zero(get->store->env, sizeof *checkpoint);

    if (checkpoint == NULL || !aci_rows_checkpoint_info(&get->found.row, get->found.arena, &checkpoint->info)) {
        aci_free(get->store->env, checkpoint, sizeof *checkpoint);
        agentchat_snapshot_unref(get->snapshot);
        return aci_fail_nomem(err);
    }
    checkpoint->env = get->store->env;
    checkpoint->arena = aci_arena_ref(get->found.arena);
    checkpoint->snapshot = get->snapshot;
    *out = checkpoint;
    return AGENTCHAT_OK;
}

void agentchat_checkpoint_options_init(agentchat_checkpoint_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_checkpoint_get(agentchat_store *store, const char *thread,
                                          const agentchat_checkpoint_options *options, agentchat_checkpoint **out,
                                          agentchat_error *err)
{
    aci_get get;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = aci_get_begin(&get, store, thread, options, err);
    if (status >= 0)
        status = aci_get_run(&get, err);
    if (status >= 0)
        status = give(&get, out, err);
    aci_get_clear(&get);
    return status;
}

const agentchat_checkpoint_info *agentchat_checkpoint_get_info(const agentchat_checkpoint *checkpoint)
{
    return checkpoint != NULL ? &checkpoint->info : NULL;
}

const agentchat_snapshot *agentchat_checkpoint_snapshot(const agentchat_checkpoint *checkpoint)
{
    return checkpoint != NULL ? checkpoint->snapshot : NULL;
}

void agentchat_checkpoint_free(agentchat_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    agentchat_snapshot_unref(checkpoint->snapshot);
    aci_arena_unref(checkpoint->arena);
    aci_free(checkpoint->env, checkpoint, sizeof *checkpoint);
}

/* ==== reading the newest messages of a thread in one batch ======================================================= */

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
    agentchat_status status = aci_body_row_verify(&row, ahead->get->found.row.num, columns, count, err);

    if (status < 0)
        return status;
    if (!aci_grow(ahead->get->store->env, &bodies, &ahead->body_cap, ahead->body_count, sizeof *ahead->bodies))
        return aci_fail_nomem(err);
    ahead->bodies = bodies;
    ahead->bodies[ahead->body_count++] = (aci_body_ahead){row.no, aci_arena_copy(ahead->arena, row.bytes, &ok)};
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* Queues the statements, after the one for the newest checkpoint. Clear it in any case. E_NOMEM. */
static agentchat_status tail_ahead_ask(aci_tail_ahead *ahead, const aci_get *get, aci_tx *tx, size_t count,
                                       agentchat_error *err)
{
    *ahead = (aci_tail_ahead){.get = get, .arena = aci_arena_new(get->store->env, 0)};
    if (ahead->arena == NULL)
        return aci_fail_nomem(err);
    ACI_THREAD_ASK(tx, ACI_TAIL_SEGMENT, load_segment, ahead, ACI_TEXT(get->thread), ACI_TEXT(get->ns));
    ACI_THREAD_ASK(tx, ACI_TAIL_ITEMS, load_item, ahead, ACI_TEXT(get->thread), ACI_TEXT(get->ns),
                   ACI_INT((int64_t)count));
    ACI_THREAD_ASK(tx, ACI_TAIL_BODIES, load_body, ahead, ACI_TEXT(get->thread), ACI_INT((int64_t)count + OTHERS));
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

/* Makes the messages of a range of the history; *complete: false where what was read does not have them all. */
static agentchat_status tail_ahead_messages(const aci_tail_ahead *ahead, aci_range range, agentchat_messages *out,
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

static void tail_ahead_clear(aci_tail_ahead *ahead)
{
    if (ahead->get == NULL)
        return;
    aci_free(ahead->get->store->env, ahead->items, ahead->item_cap * sizeof *ahead->items);
    aci_free(ahead->get->store->env, ahead->bodies, ahead->body_cap * sizeof *ahead->bodies);
    aci_arena_unref(ahead->arena);
    ahead->get = NULL;
}

/* ==== the newest messages of a thread ============================================================================ */

enum { MOST_AHEAD = 1000 }; /* of more messages the time is not that of the round trips */

typedef struct tail {
    aci_get get;
    size_t count;
    agentchat_messages messages;
    bool complete; /* the messages are those that were asked for */
} tail;

/* Where the newest messages stand; empty: there are none. */
static agentchat_status find_range(tail *t, aci_range *range, agentchat_error *err)
{
    aci_contents *contents = NULL;
    agentchat_status status =
        aci_contents_read(t->get.store->env, t->get.found.row.contents, t->get.found.arena, &contents, err);

    *range = (aci_range){0, 0, 0};
    if (status < 0 || contents->history.seg == 0)
        return status;
    *range = contents->history;
    if ((uint64_t)aci_range_length(*range) > t->count)
        range->from = range->to - (int64_t)t->count;
    return AGENTCHAT_OK;
}

/* One batch after the other. */
static agentchat_status by_steps(aci_tx *tx, void *user, agentchat_error *err)
{
    tail *t = user;
    aci_range range = {0, 0, 0};
    agentchat_status status;

    aci_list_clear(&t->messages); /* of an attempt that failed */
    get_ask(&t->get, tx);
    status = get_find(&t->get, tx, false, err);
    if (status >= 0)
        status = find_range(t, &range, err);
    if (status < 0 || aci_range_length(range) == 0)
        return status;
    return aci_load_messages(tx, t->get.found.row.num, range, &t->messages, err);
}

static agentchat_status at_once(tail *t, aci_tail_ahead *ahead, aci_tx *tx, agentchat_error *err)
{
    aci_range range = {0, 0, 0};
    agentchat_status status;

    get_ask(&t->get, tx);
    status = tail_ahead_ask(ahead, &t->get, tx, t->count, err);
    if (status >= 0)
        status = get_find(&t->get, tx, true, err);
    if (status >= 0)
        status = find_range(t, &range, err);
    if (status < 0)
        return status;
    t->complete = aci_range_length(range) == 0;
    return t->complete ? status : tail_ahead_messages(ahead, range, &t->messages, &t->complete, err);
}

static agentchat_status in_one_batch(aci_tx *tx, void *user, agentchat_error *err)
{
    tail *t = user;
    aci_tail_ahead ahead = {.get = NULL};
    agentchat_status status;

    aci_list_clear(&t->messages);
    status = at_once(t, &ahead, tx, err);
    tail_ahead_clear(&ahead);
    return status;
}

/* Damage may be of what is not needed, so it is no reason to fail: what is read by steps says where it is. */
static agentchat_status run(tail *t, agentchat_error *err)
{
    agentchat_store *store = t->get.store;
    agentchat_status status = AGENTCHAT_E_CORRUPT;
    agentchat_error why;

    agentchat_error_clear(&why);
    if (store->driver->dialect == ACI_SQL_POSTGRES && t->get.id.ptr == NULL && t->count <= MOST_AHEAD)
        status = aci_transact(store, false, in_one_batch, t, &why);
    if (status == AGENTCHAT_E_CORRUPT || (status >= 0 && !t->complete))
        return aci_transact(store, false, by_steps, t, err);
    if (status < 0 && err != NULL)
        *err = why;
    return status;
}

agentchat_status agentchat_thread_tail(agentchat_store *store, const char *thread, size_t count,
                                       const agentchat_checkpoint_options *options, agentchat_messages **out,
                                       agentchat_error *err)
{
    tail t = {.count = count};
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = aci_get_begin(&t.get, store, thread, options, err);
    if (status >= 0) {
        aci_list_init(&t.messages, store->env);
        status = aci_rows_name_damage(run(&t, err), t.get.thread, t.get.ns, t.get.id, err);
    }
    if (status >= 0)
        status = agentchat_messages_ref(&t.messages, out, err);
    aci_list_clear(&t.messages);
    aci_get_clear(&t.get);
    return status;
}
