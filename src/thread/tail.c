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
    bool is_by_steps; /* nothing is read ahead */
    agentchat_messages messages;
} tail;

static agentchat_status load(tail *t, aci_tx *tx, const aci_tail_ahead *ahead, agentchat_error *err)
{
    int64_t num = t->get.found.row.num, *numbers = NULL;
    aci_contents *contents = NULL;
    aci_range range;
    agentchat_status status =
        aci_contents_read(tx->store->env, t->get.found.row.contents, t->get.found.arena, &contents, err);

    if (status < 0)
        return status;
    range = contents->history;
    if (aci_range_length(range) > 0 && (uint64_t)aci_range_length(range) > t->count)
        range.from = range.to - (int64_t)t->count;
    if (range.seg == 0 || range.from == range.to)
        return AGENTCHAT_OK;
    if (ahead->get != NULL)
        status = aci_tail_ahead_numbers(ahead, range, &numbers, err);
    if (status < 0)
        return status;
    if (numbers == NULL)
        return aci_load_messages(tx, num, range, &t->messages, err);
    return aci_load_numbered(tx, num, numbers, (size_t)aci_range_length(range), ahead->bodies, ahead->body_count,
                             &t->messages, err);
}

static agentchat_status tail_work(aci_tx *tx, void *user, agentchat_error *err)
{
    tail *t = user;
    aci_tail_ahead ahead = {.get = NULL};
    agentchat_status status = AGENTCHAT_OK;

    aci_list_clear(&t->messages); /* of an attempt that failed */
    aci_get_ask(&t->get, tx);
    if (!t->is_by_steps)
        status = aci_tail_ahead_ask(&ahead, &t->get, tx, t->count, err);
    if (status >= 0)
        status = aci_get_find(&t->get, tx, err);
    if (status >= 0)
        status = load(t, tx, &ahead, err);
    aci_tail_ahead_clear(&ahead);
    return status;
}

static agentchat_status run(tail *t, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    t->is_by_steps = t->get.id.ptr != NULL || t->count > MOST_AHEAD;
    if (t->is_by_steps)
        return aci_transact(t->get.store, false, tail_work, t, err);
    agentchat_error_clear(&why);
    status = aci_transact(t->get.store, false, tail_work, t, &why);
    if (status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_IO) { /* which may be of what is not needed */
        t->is_by_steps = true;
        return aci_transact(t->get.store, false, tail_work, t, err);
    }
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
        status = run(&t, err);
    }
    if (status >= 0)
        status = agentchat_messages_ref(&t.messages, out, err);
    aci_list_clear(&t.messages);
    aci_get_clear(&t.get);
    return status;
}
