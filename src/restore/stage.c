/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a restore will put into a chat, made before anything of the chat is touched. Layer 5. */
#include "restore/restore.h"

#include "base/error.h"
#include "chat/channel.h"
#include "chat/state.h"
#include "restore/cause.h"
#include "restore/origin.h"
#include <string.h>

/* The operation that a source hands to a channel which holds a chat. */
static agentchat_status restore_inner(const agentchat_state_source *self, agentchat_chat *inner, agentchat_error *err)
{
    static const char step[] = "/channelstate";
    aci_restoring *restoring = self->context;
    const agentchat_env *env = restoring->path.env;
    size_t len = restoring->path.len;
    agentchat_error *cause;
    agentchat_status status;

    if (!aci_buf_add(&restoring->path, step, sizeof step - 1))
        return aci_fail_nomem(err);
    cause = aci_cause_new(env, err);
    status = cause != NULL ? aci_chat_enter(inner, cause) : AGENTCHAT_E_NOMEM;
    if (status >= 0) {
        restoring->depth++;
        status = aci_restore_into(restoring, inner, agentchat_state_source_chat(self), true, cause);
        restoring->depth--;
        aci_chat_leave(inner);
    }
    restoring->path.len = len;
    if (status < 0 && cause != NULL)
        aci_cause_tell(cause, step, err);
    aci_cause_free(env, cause);
    return status;
}

/* What the channel has not been given: what was pending, and what came after it was last told. */
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
    agentchat_state_source source = {env, state, history_count, restore_inner, restoring};
    agentchat_error *cause = aci_cause_new(env, err);
    agentchat_status status;
    void *self = NULL;

    *out = NULL;
    if (cause == NULL)
        return AGENTCHAT_E_NOMEM;
    status = agent->table.restore(agent->context, &source, &self, cause);
    if (status < 0)
        (void)aci_channel_fail(agent, status, cause, "could not be restored", err);
    aci_cause_free(env, cause);
    if (status < 0 || status == AGENTCHAT_DONE)
        return status;
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
   that is saved and restored again and again must not drag all of them along. */
static bool keep_state(aci_stage *stage, const agentchat_channel_state *state, size_t synced,
                       const agentchat_channel_state *origin)
{
    agentchat_snapshot *from = stage->kept_from;
    agentchat_channel_state *copy = &from->channels[from->channel_count++];
    bool ok = true;

    *copy = (agentchat_channel_state){
        .kind = state->kind, .spelling = state->spelling, .synced = state->synced, .named = state->named};
    aci_list_copy(&copy->messages, &state->messages);
    copy->chat = agentchat_snapshot_ref(state->chat);
    copy->key = aci_home_copy(from->home, state->key, &ok);
    copy->type = aci_home_copy(from->home, state->type, &ok);
    copy->data = aci_home_copy(from->home, state->data, &ok);
    copy->extras = aci_extras_copy(state->extras, from->home, &ok);
    if (state->pending_count > 0) {
        copy->pending = aci_home_alloc(from->home, state->pending_count * sizeof *copy->pending);
        if (copy->pending == NULL)
            return false;
        memcpy(copy->pending, state->pending, state->pending_count * sizeof *copy->pending);
        copy->pending_count = state->pending_count;
    }
    stage->kept[stage->kept_count++] = (aci_kept){copy, synced, origin};
    return ok;
}

/* How far into the history a state has been given messages. A state that does not say was up to date when it was saved;
   an unmatched list of messages may be older, so its newest message is looked for in the history. */
static agentchat_status find_synced(aci_newest *newest, const agentchat_channel_state *state, bool matched, size_t *out,
                                    agentchat_error *err)
{
    agentchat_status status;
    size_t position;

    *out = state->synced != AGENTCHAT_SYNCED_UNKNOWN ? state->synced : newest->history->count;
    if (state->synced != AGENTCHAT_SYNCED_UNKNOWN || matched || state->kind != AGENTCHAT_STATE_MESSAGES ||
        state->messages.count == 0)
        return AGENTCHAT_OK;
    status =
        aci_newest_find(newest, agentchat_messages_at(&state->messages, state->messages.count - 1), &position, err);
    if (status >= 0 && position != SIZE_MAX)
        *out = position + 1;
    return status;
}

static agentchat_status stage_one(aci_stage *stage, aci_restoring *restoring, const agentchat_chat *chat,
                                  const agentchat_snapshot *snapshot, aci_newest *newest, size_t index, aci_place place,
                                  agentchat_error *err)
{
    const agentchat_channel_state *state = &snapshot->channels[index];
    const agentchat_channel_state *origin = &stage->origin->channels[index];
    bool matched = place.agent != ACI_NO_AGENT;
    agentchat_status status = check_positions(state, snapshot->history.count, err);
    size_t synced;

    if (status >= 0)
        status = find_synced(newest, state, matched, &synced, err);
    if (status < 0)
        return status;
    if (matched) {
        status = aci_stage_channel(restoring, stage->env, state, synced, snapshot->history.count,
                                   chat->agents[place.agent], &stage->channels[stage->channel_count], err);
        if (status == AGENTCHAT_OK)
            stage->channels[stage->channel_count++]->origin = origin;
    } else if (!keep_state(stage, state, synced, origin)) {
        status = aci_fail_nomem(err);
    }
    return status;
}

/* The report's entry for a stored channel; DONE: its agent wants it made anew, which is reported as one of the extra
   channels. */
static bool report_channel(const aci_restoring *restoring, const agentchat_chat *chat,
                           const agentchat_channel_state *state, aci_place place, agentchat_status status)
{
    agentchat_str path = aci_buf_str(&restoring->path);
    const agentchat_agent *agent;
    aci_excerpt name;

    if (status == AGENTCHAT_DONE)
        return true;
    if (place.agent == ACI_NO_AGENT)
        return aci_report_add(restoring->report, AGENTCHAT_REPORT_CHANNEL_KEPT, AGENTCHAT_MATCH_NONE, path, state->key,
                              "no agent uses this channel; its state stays with the chat");
    agent = chat->agents[place.agent];
    return aci_report_add(restoring->report, AGENTCHAT_REPORT_CHANNEL_RESTORED, place.rule, path, state->key,
                          "the state was given to agent %s",
                          aci_excerpt_of(agent->name.ptr != NULL ? agent->name : agent->id, &name));
}

static agentchat_status stage_channels(aci_stage *stage, aci_restoring *restoring, const agentchat_chat *chat,
                                       const agentchat_snapshot *snapshot, const aci_plan *plan, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error *cause = NULL;
    aci_newest newest;

    aci_newest_begin(&newest, stage->env, &snapshot->history);
    for (size_t i = 0; status >= 0 && i < plan->channel_count; i++) {
        size_t len = restoring->path.len;
        char step[40];

        if (cause == NULL)
            cause = aci_cause_new(stage->env, err);
        snprintf(step, sizeof step, "/channels/%zu", i);
        if (cause == NULL || !aci_buf_add_str(&restoring->path, agentchat_str_from(step))) {
            status = aci_fail_nomem(err);
            break;
        }
        status = stage_one(stage, restoring, chat, snapshot, &newest, i, plan->channels[i], cause);
        if (status >= 0 && !report_channel(restoring, chat, &snapshot->channels[i], plan->channels[i], status))
            status = aci_fail_nomem(cause);
        restoring->path.len = len;
        if (status < 0)
            aci_cause_tell(cause, step, err);
    }
    aci_newest_end(&newest);
    aci_cause_free(stage->env, cause);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* Of several of one name the first is the one that a look-up finds, as in the snapshot. */
static bool index_values(aci_stage *stage)
{
    for (size_t i = 0; i < stage->value_count; i++)
        if (!aci_index_add(&stage->value_names, stage->env, stage->values[i].name, i))
            return false;
    return true;
}

/* The names of the snapshot's values: of each the first. */
static bool index_stored(aci_index *names, const agentchat_env *env, const agentchat_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (!aci_index_add(names, env, snapshot->values[i].name, i))
            return false;
    return true;
}

/* Those of the chat's values that the snapshot does not have. */
static bool stage_own_values(aci_stage *stage, const agentchat_chat *chat, const agentchat_snapshot *snapshot)
{
    aci_index stored = {0};
    bool ok = index_stored(&stored, stage->env, snapshot);

    for (size_t i = 0; ok && i < chat->value_count; i++)
        if (aci_index_find(&stored, chat->values[i].name) == ACI_INDEX_NONE) {
            stage->values[stage->value_count++] = chat->values[i];
            aci_home_ref(chat->values[i].home);
        }
    aci_index_clear(&stored, stage->env);
    return ok;
}

/* The snapshot's values, and those of the chat that the snapshot does not have. */
static agentchat_status stage_values(aci_stage *stage, const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                     agentchat_error *err)
{
    size_t room = snapshot->value_count + chat->value_count;

    if (room == 0)
        return AGENTCHAT_OK;
    stage->values = aci_alloc(stage->env, room * sizeof *stage->values);
    if (stage->values == NULL)
        return aci_fail_nomem(err);
    stage->value_cap = room;
    if (chat->value_count > 0 && !stage_own_values(stage, chat, snapshot))
        return aci_fail_nomem(err);
    for (size_t i = 0; i < snapshot->value_count; i++) {
        const aci_value *value = &snapshot->values[i];

        if (!aci_chat_value_make(stage->env, value->name, value->media_type, value->value,
                                 &stage->values[stage->value_count]))
            return aci_fail_nomem(err);
        stage->value_count++;
    }
    return index_values(stage) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* Room for what is to come: channels of matched states, and a snapshot for the others. */
static bool reserve(aci_stage *stage, const aci_plan *plan)
{
    size_t matched = 0, kept;
    aci_home *home;

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
    home = aci_home_new(stage->env, 0);
    stage->kept_from = home != NULL ? aci_snapshot_new(stage->env, home) : NULL;
    if (stage->kept_from == NULL)
        return false;
    stage->kept_from->channels = aci_home_alloc(home, kept * sizeof *stage->kept_from->channels);
    return stage->kept_from->channels != NULL;
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
        status = stage_values(stage, chat, snapshot, err);
    return status < 0 ? status : stage_channels(stage, restoring, chat, snapshot, plan, err);
}

void aci_stage_clear(aci_stage *stage)
{
    if (stage->env == NULL)
        return;
    while (stage->channel_count > 0)
        aci_channel_free(stage->env, stage->channels[--stage->channel_count]);
    aci_free(stage->env, stage->channels, stage->channel_cap * sizeof(aci_channel *));
    aci_free(stage->env, stage->kept, stage->kept_cap * sizeof *stage->kept);
    agentchat_snapshot_unref(stage->kept_from);
    agentchat_snapshot_unref(stage->origin);
    aci_chat_values_free(stage->env, stage->values, stage->value_count, stage->value_cap);
    aci_index_clear(&stage->value_names, stage->env);
    *stage = (aci_stage){0};
}
