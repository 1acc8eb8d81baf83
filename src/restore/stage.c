/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a restore will put into a chat, made before anything of the chat is touched. */
#include "restore/restore.h"

#include "base/error.h"
#include "capture/origin.h"
#include "chat/channel.h"
#include "chat/channel_state.h"
#include "restore/position.h"

/* What the channel has not been given: what was pending, and the history after its position. */
static bool fill_queue(aci_channel *channel, const agentchat_env *env, const agentchat_channel_state *state,
                       size_t synced, size_t history_count)
{
    for (size_t i = 0; i < state->pending_count; i++)
        if (state->pending[i] < synced && !aci_queue_add_position(&channel->queue, env, state->pending[i]))
            return false;
    if (synced < history_count) {
        if (!aci_queue_reserve(&channel->queue, env))
            return false;
        aci_queue_push(&channel->queue, (aci_range){synced, history_count - synced});
    }
    channel->synced = history_count;
    return true;
}

agentchat_status aci_stage_channel(aci_restoring *restoring, const agentchat_env *env,
                                   const agentchat_channel_state *state, size_t synced, size_t history_count,
                                   agentchat_agent *agent, aci_channel **out, agentchat_error *err)
{
    agentchat_channel_load load = {env, state, history_count, restoring->restore_inner, restoring};
    agentchat_error *cause = aci_chat_cause(agent->chat);
    agentchat_status status;
    void *self = NULL;

    *out = NULL;
    status = agent->table.load(agent->context, &load, &self, cause);
    if (status == AGENTCHAT_DONE)
        return AGENTCHAT_DONE;
    if (status < 0)
        return aci_agent_fail_channel(agent, status, cause, "could not be restored", err);
    *out = aci_channel_new(env, agent, self);
    if (*out == NULL)
        return aci_fail_nomem(err);
    if (!fill_queue(*out, env, state, synced, history_count)) {
        aci_channel_free(env, *out);
        *out = NULL;
        return aci_fail_nomem(err);
    }
    return AGENTCHAT_OK;
}

/* Positions must lie in the history, whoever made the snapshot. */
static agentchat_status check_positions(const agentchat_channel_state *state, size_t history_count,
                                        agentchat_error *err)
{
    if (state->synced != AGENTCHAT_SYNCED_UNKNOWN && state->synced > history_count)
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "the channel knows more messages than the history has");
    for (size_t i = 0; i < state->pending_count; i++)
        if (state->pending[i] >= history_count || (i > 0 && state->pending[i] <= state->pending[i - 1]))
            return aci_fail(err, AGENTCHAT_E_SCHEMA,
                            "the positions of pending messages are not in ascending order "
                            "or beyond the history");
    return AGENTCHAT_OK;
}

/* Copies the state into the snapshot that the chat will keep it in: the document it came from may be large, and a chat
   that is saved and restored again and again must not keep all of them in memory. */
static bool keep_state(aci_stage *stage, const agentchat_channel_state *state, size_t synced,
                       const agentchat_channel_state *origin)
{
    agentchat_snapshot *from = stage->kept_from;
    agentchat_channel_state *copy = &from->channels[from->channel_count++];

    if (!aci_snapshot_copy_channel(copy, state, from->arena))
        return false;
    stage->kept[stage->kept_count++] = (aci_kept){copy, synced, origin};
    return true;
}

/* What had to be found out about a channel of a file that does not say. */
static bool report_position(const aci_restoring *restoring, aci_position position)
{
    agentchat_str path = aci_buf_str(&restoring->path), none = {NULL, 0};

    if (position.missing > 0)
        return aci_report_add(restoring->report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, path, none,
                              "the channel lacks %zu of the history's messages; they are delivered to it",
                              position.missing);
    return !position.is_assumed ||
           aci_report_add(restoring->report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, path, none,
                          "how much of the history the channel was given is not known; all of it, it is assumed");
}

static agentchat_status stage_one(aci_stage *stage, aci_restoring *restoring, aci_positions *positions,
                                  const agentchat_chat *chat, const agentchat_snapshot *snapshot, size_t index,
                                  aci_channel_match match, agentchat_error *err)
{
    const agentchat_channel_state *state = &snapshot->channels[index];
    const agentchat_channel_state *origin = &stage->origin->channels[index];
    bool matched = match.agent != ACI_NO_AGENT;
    agentchat_status status = check_positions(state, snapshot->history.count, err);
    aci_position position;

    if (status >= 0 && aci_chat_is_interrupted(chat))
        status = aci_chat_fail_interrupted(err);
    if (status >= 0)
        status = aci_position_find(positions, state, &position, err);
    if (status < 0)
        return status;
    if (!report_position(restoring, position))
        return aci_fail_nomem(err);
    if (matched) {
        status = aci_stage_channel(restoring, stage->env, state, position.synced, snapshot->history.count,
                                   chat->agents[match.agent], &stage->channels[stage->channel_count], err);
        if (status == AGENTCHAT_OK)
            stage->channels[stage->channel_count++]->origin = origin;
    } else if (!keep_state(stage, state, position.synced, origin)) {
        status = aci_fail_nomem(err);
    }
    return status;
}

/* The report's entry for a stored channel; DONE: its agent wants it made anew, which is reported as one of the extra
   channels. */
static bool report_channel(const aci_restoring *restoring, const agentchat_chat *chat,
                           const agentchat_channel_state *state, aci_channel_match match, agentchat_status status)
{
    agentchat_str path = aci_buf_str(&restoring->path);
    const agentchat_agent *agent;
    aci_excerpt name;

    if (status == AGENTCHAT_DONE)
        return true;
    if (match.agent == ACI_NO_AGENT)
        return aci_report_add(restoring->report, AGENTCHAT_REPORT_CHANNEL_KEPT, AGENTCHAT_MATCH_NONE, path, state->key,
                              "no agent uses this channel; its state stays with the chat");
    agent = chat->agents[match.agent];
    return aci_report_add(restoring->report, AGENTCHAT_REPORT_CHANNEL_RESTORED, match.rule, path, state->key,
                          "the state was given to agent %s",
                          aci_error_excerpt(agent->name.ptr != NULL ? agent->name : agent->id, &name));
}

static agentchat_status stage_channels(aci_stage *stage, aci_restoring *restoring, aci_positions *positions,
                                       const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                       const aci_plan *plan, agentchat_error *err)
{
    for (size_t i = 0; i < plan->channel_count; i++) {
        size_t len = restoring->path.len;
        agentchat_status status;
        char step[40];

        snprintf(step, sizeof step, "/channels/%zu", i);
        if (!aci_buf_add_str(&restoring->path, agentchat_str_from(step)))
            return aci_fail_nomem(err);
        status = stage_one(stage, restoring, positions, chat, snapshot, i, plan->channels[i], err);
        if (status >= 0 && !report_channel(restoring, chat, &snapshot->channels[i], plan->channels[i], status))
            status = aci_fail_nomem(err);
        restoring->path.len = len;
        if (status < 0) {
            aci_error_path_prepend(err, agentchat_str_from(step));
            return status;
        }
    }
    return AGENTCHAT_OK;
}

/* Room for what is to come: channels of matched states, and a snapshot for the others. */
static bool reserve(aci_stage *stage, const aci_plan *plan)
{
    size_t matched = 0, kept;
    aci_arena *arena;

    for (size_t i = 0; i < plan->channel_count; i++)
        matched += plan->channels[i].agent != ACI_NO_AGENT;
    if (matched > 0) {
        stage->channels = aci_alloc(stage->env, matched * sizeof(aci_channel *));
        if (stage->channels == NULL)
            return false;
        stage->channel_cap = matched;
    }
    kept = plan->channel_count - matched;
    if (kept == 0)
        return true;
    stage->kept = aci_alloc(stage->env, kept * sizeof *stage->kept);
    if (stage->kept == NULL)
        return false;
    stage->kept_cap = kept;
    arena = aci_arena_new(stage->env, 0);
    stage->kept_from = arena != NULL ? aci_snapshot_new(stage->env, arena) : NULL;
    if (stage->kept_from == NULL)
        return false;
    stage->kept_from->channels = aci_arena_alloc(arena, kept * sizeof *stage->kept_from->channels);
    return stage->kept_from->channels != NULL;
}

/* The stored messages, and those of the chat that come after them: for the channels these are new. */
static bool stage_history(aci_stage *stage, const aci_restoring *restoring, const agentchat_chat *chat,
                          const agentchat_snapshot *snapshot)
{
    size_t unsaved = restoring->replacing != NULL && restoring->depth == 0 ? restoring->replacing->unsaved : 0;

    aci_list_copy(&stage->history, &snapshot->history);
    stage->history.env = stage->env; /* what the chat appends is its own, and the snapshot may outlive it */
    if (unsaved == 0)
        return true;
    for (size_t i = 0; i < stage->channel_count; i++) {
        aci_channel *channel = stage->channels[i];

        if (!aci_queue_reserve(&channel->queue, stage->env))
            return false;
        aci_queue_push(&channel->queue, (aci_range){snapshot->history.count, unsaved});
        channel->synced += unsaved;
    }
    return aci_list_append_range(&stage->history, &chat->history, chat->history.count - unsaved, unsaved);
}

agentchat_status aci_stage_make(aci_stage *stage, aci_restoring *restoring, const agentchat_chat *chat,
                                const agentchat_snapshot *snapshot, const aci_plan *plan, agentchat_error *err)
{
    agentchat_status status;

    *stage = (aci_stage){.env = chat->env};
    if (!reserve(stage, plan))
        return aci_fail_nomem(err);
    status = aci_origin_make(stage->env, snapshot, &stage->origin, err);
    if (status >= 0)
        status = aci_stage_values(stage, restoring, chat, snapshot, err);
    if (status >= 0) {
        aci_positions positions;

        aci_positions_begin(&positions, stage->env, &snapshot->history);
        status = stage_channels(stage, restoring, &positions, chat, snapshot, plan, err);
        aci_positions_end(&positions);
    }
    if (status >= 0 && !stage_history(stage, restoring, chat, snapshot))
        status = aci_fail_nomem(err);
    return status;
}

/* ---- ids -----------------------------------------------------------------------------------------------------------
 */

static bool takes_id(const agentchat_chat *chat, const agentchat_agent *agent, agentchat_str stored)
{
    return agent->id_is_made && !agent->key_from_id && stored.len > 0 && !agentchat_str_equal(agent->id, stored) &&
           aci_index_find(&chat->agent_ids, stored) == ACI_INDEX_NONE;
}

agentchat_status aci_stage_ids(aci_stage *stage, const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                               const aci_plan *plan, agentchat_error *err)
{
    bool ok = true, any = false;

    for (size_t i = 0; i < plan->participant_count && !any; i++) {
        size_t at = plan->participants[i].agent;

        any = at != ACI_NO_AGENT && takes_id(chat, chat->agents[at], snapshot->participants[i].id);
    }
    if (!any)
        return AGENTCHAT_OK;
    stage->agent_ids = aci_alloc(stage->env, chat->agent_count * sizeof *stage->agent_ids);
    if (stage->agent_ids == NULL)
        return aci_fail_nomem(err);
    stage->agent_count = chat->agent_count;
    for (size_t i = 0; i < chat->agent_count; i++)
        stage->agent_ids[i] = chat->agents[i]->id;
    for (size_t i = 0; i < plan->participant_count && ok; i++) {
        size_t at = plan->participants[i].agent;
        agentchat_str stored = snapshot->participants[i].id;
        const char *text;

        if (at == ACI_NO_AGENT || !takes_id(chat, chat->agents[at], stored) ||
            aci_index_find(&stage->agents_by_id, stored) != ACI_INDEX_NONE)
            continue;
        text = aci_arena_cstr(chat->agents[at]->arena, stored, &ok);
        stage->agent_ids[at] = (agentchat_str){text, stored.len};
        ok = ok && aci_index_put(&stage->agents_by_id, stage->env, stage->agent_ids[at], at);
    }
    for (size_t i = 0; i < chat->agent_count && ok; i++)
        ok = aci_index_put(&stage->agents_by_id, stage->env, stage->agent_ids[i], i);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_stage_clear(aci_stage *stage)
{
    if (stage->env == NULL)
        return;
    aci_free(stage->env, stage->agent_ids, stage->agent_count * sizeof *stage->agent_ids);
    aci_index_clear(&stage->agents_by_id, stage->env);
    while (stage->channel_count > 0)
        aci_channel_free(stage->env, stage->channels[--stage->channel_count]);
    aci_list_clear(&stage->history);
    aci_free(stage->env, stage->channels, stage->channel_cap * sizeof(aci_channel *));
    aci_free(stage->env, stage->kept, stage->kept_cap * sizeof *stage->kept);
    agentchat_snapshot_unref(stage->kept_from);
    agentchat_snapshot_unref(stage->origin);
    aci_chat_values_free(stage->env, stage->values, stage->value_count, stage->value_cap);
    aci_index_clear(&stage->value_names, stage->env);
    *stage = (aci_stage){0};
}
