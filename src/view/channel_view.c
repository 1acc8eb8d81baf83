/* SPDX-License-Identifier: Apache-2.0 */
/* What channels had been given: a channel of messages is compared with the history. */
#include "view/channel_view.h"

#include "base/buf.h"
#include "base/checked.h"
#include "base/error.h"
#include "snapshot/history_index.h"
#include <string.h>

typedef struct making {
    const agentchat_env *env;
    const agentchat_messages *history;
    aci_history_index index;
    agentchat_error *err;
} making;

/* ---- runs ----------------------------------------------------------------------------------------------------- */

static bool add_run(const making *m, aci_channel_view *view, aci_standing standing, size_t count)
{
    if (count == 0)
        return true;
    if (view->run_count > 0 && view->runs[view->run_count - 1].standing == standing) {
        view->runs[view->run_count - 1].count += count;
        return true;
    }
    if (!aci_grow(m->env, (void **)&view->runs, &view->run_cap, view->run_count, sizeof *view->runs))
        return false;
    view->runs[view->run_count++] = (aci_run){standing, count};
    return true;
}

static bool add_own(const making *m, aci_channel_view *view, size_t index, size_t before)
{
    if (!aci_grow(m->env, (void **)&view->owns, &view->own_cap, view->own_count, sizeof *view->owns))
        return false;
    view->owns[view->own_count++] = (aci_own_message){index, before};
    return true;
}

/* What a message that the channel neither holds nor waits for is to it. */
static aci_standing standing_of(const agentchat_channel_state *channel, size_t message)
{
    if (channel->synced == AGENTCHAT_SYNCED_UNKNOWN)
        return channel->kind == AGENTCHAT_CHANNEL_MESSAGES ? ACI_NOT_HELD : ACI_UNKNOWN;
    if (message >= channel->synced)
        return ACI_NOT_GIVEN;
    return channel->kind == AGENTCHAT_CHANNEL_MESSAGES ? ACI_LEFT : ACI_HELD;
}

/* The messages of the history from `from` to `to`, none of which the channel holds: at the cost of those that wait, not
   of all. */
static bool add_others(const making *m, aci_channel_view *view, const agentchat_channel_state *channel, size_t from,
                       size_t to, size_t *next_pending)
{
    bool ok = true;

    while (ok && from < to) {
        size_t waiting, stop = to;

        while (*next_pending < channel->pending_count && channel->pending[*next_pending] < from)
            ++*next_pending;
        waiting = *next_pending < channel->pending_count ? channel->pending[*next_pending] : SIZE_MAX;
        if (waiting == from) {
            ok = add_run(m, view, ACI_WAITING, 1);
            from++;
            continue;
        }
        if (waiting < stop)
            stop = waiting;
        if (from < channel->synced && channel->synced < stop)
            stop = channel->synced;
        ok = add_run(m, view, standing_of(channel, from), stop - from);
        from = stop;
    }
    return ok;
}

/* Where what the channel had been given ends, after the last message that it holds. */
static size_t end_of_given(const agentchat_channel_state *channel, size_t next, size_t history_count)
{
    size_t end = channel->synced == AGENTCHAT_SYNCED_UNKNOWN ? next : channel->synced;

    for (size_t i = 0; i < channel->pending_count; i++) {
        if (channel->pending[i] >= next) {
            end = channel->pending[i] < end ? channel->pending[i] : end;
            break;
        }
    }
    if (end < next)
        return next;
    return end < history_count ? end : history_count;
}

/* Where messages that only the channel holds stand, of which i is the first: just before the next one of the history
   that it holds, so that a summary stands after everything that it summarizes. */
static size_t position_of_owns(const making *m, const agentchat_channel_state *channel, const size_t *match, size_t i,
                               size_t next)
{
    size_t count = agentchat_messages_count(&channel->messages);

    for (; i < count; i++)
        if (match[i] != ACI_NOT_IN_HISTORY)
            return match[i];
    return end_of_given(channel, next, m->index.count);
}

/* A list that begins where the history does, as most are, holds just these messages: known at no cost. */
static bool view_beginning(const making *m, aci_channel_view *view, const agentchat_channel_state *channel)
{
    size_t pending = 0, count = channel->messages.count;

    return add_run(m, view, ACI_HELD, count) && add_others(m, view, channel, count, m->index.count, &pending);
}

static bool view_messages(making *m, aci_channel_view *view, const agentchat_channel_state *channel)
{
    size_t count = agentchat_messages_count(&channel->messages), size = 0, next = 0, pending = 0, before = 0;
    size_t *match = aci_mul(count + 1, sizeof *match, &size) ? aci_alloc(m->env, size) : NULL;
    bool ok = match != NULL && aci_history_index_match(&m->index, &channel->messages, match, m->err) >= 0;

    for (size_t i = 0; ok && i < count; i++) {
        if (match[i] == ACI_NOT_IN_HISTORY) {
            if (i == 0 || match[i - 1] != ACI_NOT_IN_HISTORY)
                before = position_of_owns(m, channel, match, i, next);
            ok = add_own(m, view, i, before);
            continue;
        }
        ok = add_others(m, view, channel, next, match[i], &pending) && add_run(m, view, ACI_HELD, 1);
        next = match[i] + 1;
    }
    ok = ok && add_others(m, view, channel, next, m->index.count, &pending);
    aci_free(m->env, match, size);
    return ok;
}

static bool view_of(making *m, aci_channel_view *view, const agentchat_channel_state *channel)
{
    size_t pending = 0;

    if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES && aci_list_is_prefix(&channel->messages, m->history))
        return view_beginning(m, view, channel);
    if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES)
        return view_messages(m, view, channel);
    return add_others(m, view, channel, 0, m->index.count, &pending);
}

agentchat_status aci_channel_views_make(aci_channel_views *views, const agentchat_snapshot *snapshot,
                                        agentchat_error *err)
{
    making m = {.env = snapshot->env, .history = &snapshot->history, .err = err};
    size_t size = 0;
    bool ok;

    *views = (aci_channel_views){snapshot->env, NULL, 0};
    if (snapshot->channel_count == 0)
        return AGENTCHAT_OK;
    if (aci_mul(snapshot->channel_count, sizeof *views->list, &size))
        views->list = aci_alloc_zero(m.env, size);
    if (views->list == NULL)
        return aci_fail_nomem(err);
    views->count = snapshot->channel_count;
    ok = aci_history_index_make(&m.index, m.env, &snapshot->history, err) >= 0;
    for (size_t i = 0; ok && i < views->count; i++)
        ok = view_of(&m, &views->list[i], &snapshot->channels[i]);
    aci_history_index_clear(&m.index);
    if (ok)
        return AGENTCHAT_OK;
    aci_channel_views_clear(views);
    return aci_fail_nomem(err);
}

void aci_channel_views_clear(aci_channel_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        aci_channel_view *view = &views->list[i];

        aci_free(views->env, view->runs, view->run_cap * sizeof *view->runs);
        aci_free(views->env, view->owns, view->own_cap * sizeof *view->owns);
    }
    aci_free(views->env, views->list, views->count * sizeof *views->list);
    *views = (aci_channel_views){views->env, NULL, 0};
}

size_t aci_channel_view_count(const aci_channel_view *view, aci_standing standing)
{
    size_t count = 0;

    for (size_t i = 0; i < view->run_count; i++)
        count += view->runs[i].standing == standing ? view->runs[i].count : 0;
    return count;
}
