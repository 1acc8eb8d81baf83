/* SPDX-License-Identifier: Apache-2.0 */
/* The newest messages of a thread. */
#include "thread/get.h"
#include "thread/load.h"
#include "thread/tail_ahead.h"

#include "base/error.h"

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
    aci_get_ask(&t->get, tx);
    status = aci_get_find(&t->get, tx, false, err);
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

    aci_get_ask(&t->get, tx);
    status = aci_tail_ahead_ask(ahead, &t->get, tx, t->count, err);
    if (status >= 0)
        status = aci_get_find(&t->get, tx, true, err);
    if (status >= 0)
        status = find_range(t, &range, err);
    if (status < 0)
        return status;
    t->complete = aci_range_length(range) == 0;
    return t->complete ? status : aci_tail_ahead_messages(ahead, range, &t->messages, &t->complete, err);
}

static agentchat_status in_one_batch(aci_tx *tx, void *user, agentchat_error *err)
{
    tail *t = user;
    aci_tail_ahead ahead = {.get = NULL};
    agentchat_status status;

    aci_list_clear(&t->messages);
    status = at_once(t, &ahead, tx, err);
    aci_tail_ahead_clear(&ahead);
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
