/* SPDX-License-Identifier: Apache-2.0 */
/* Restoring, all or nothing, and states that a reduced restore left without an agent. */
#include "restore/restore.h"

#include "base/error.h"
#include "chat/channel.h"
#include "chat/channel_state.h"

/* A channel that is freed must not be in use: its chat may be running the function that called us. */
static agentchat_status check_inner(const agentchat_chat *chat, agentchat_error *err)
{
    for (size_t i = 0; i < chat->channel_count; i++) {
        const aci_channel *channel = chat->channels[i];

        if (channel->agent->inner != NULL && aci_chat_is_busy(channel->agent->inner(channel->self)))
            return aci_fail(err, AGENTCHAT_E_BUSY, "an operation of a chat inside channel %s (%s) is active",
                            channel->agent->table.name, channel->key);
    }
    return AGENTCHAT_OK;
}

static agentchat_status check(const aci_restoring *restoring, const agentchat_chat *chat,
                              const agentchat_snapshot *snapshot, bool nested, agentchat_error *err)
{
    if (restoring->depth >= chat->env->limits.max_depth)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "chats are nested more than %u deep",
                        (unsigned)chat->env->limits.max_depth);
    if (chat->agent_count == 0 && (!nested || snapshot->participant_count > 0))
        return aci_fail(err, AGENTCHAT_E_NO_AGENTS, "the chat has no agents; add them and restore again");
    if (restoring->replacing != NULL && restoring->depth == 0)
        return check_inner(chat, err);
    if (chat->history.count > 0 || chat->kept_count > 0)
        return aci_fail(err, AGENTCHAT_E_IN_USE, "the chat has been used; restore into an unused chat");
    for (size_t i = 0; i < chat->channel_count; i++)
        if (!chat->channels[i]->is_fresh)
            return aci_fail(err, AGENTCHAT_E_IN_USE, "the chat has been used; restore into an unused chat");
    return AGENTCHAT_OK;
}

static bool report_participants(aci_restoring *restoring, const agentchat_snapshot *snapshot, const aci_plan *plan)
{
    size_t len = restoring->path.len;
    bool ok = true;

    for (size_t i = 0; ok && i < plan->participant_count; i++) {
        const agentchat_participant *participant = &snapshot->participants[i];
        bool matched = plan->participants[i].agent != ACI_NO_AGENT;
        aci_excerpt name;

        ok = aci_buf_printf(&restoring->path, "/participants/%zu", i) &&
             aci_report_add(restoring->report,
                            matched ? AGENTCHAT_REPORT_PARTICIPANT_MATCHED : AGENTCHAT_REPORT_PARTICIPANT_MISSING,
                            plan->participants[i].rule, aci_buf_str(&restoring->path), participant->id,
                            matched ? "%s is an agent of the chat" : "%s is no agent of the chat",
                            aci_error_excerpt(participant->name.len > 0 ? participant->name : participant->id, &name));
        restoring->path.len = len;
    }
    return ok;
}

/* One entry for each key of an agent that gets no channel now. */
static bool report_extra(const aci_restoring *restoring, const agentchat_chat *chat, const aci_stage *stage)
{
    aci_index keys = {0}; /* of staged channels and of agents so far */
    bool ok = true;

    if (restoring->report == NULL)
        return true;
    for (size_t i = 0; ok && i < stage->channel_count; i++)
        ok = aci_index_add(&keys, chat->env, (agentchat_str){stage->channels[i]->key, AGENTCHAT_KEY_LEN}, i);
    for (size_t i = 0; ok && i < chat->agent_count; i++) {
        const agentchat_agent *agent = chat->agents[i];
        agentchat_str key = agentchat_agent_channel_key(agent);
        aci_excerpt name;

        if (aci_index_find(&keys, key) != ACI_INDEX_NONE)
            continue;
        ok = aci_index_add(&keys, chat->env, key, i) &&
             aci_report_add(restoring->report, AGENTCHAT_REPORT_CHANNEL_EXTRA, AGENTCHAT_MATCH_NONE,
                            aci_buf_str(&restoring->path), agentchat_agent_channel_key(agent),
                            "agent %s has no stored state and is given the whole history at first use",
                            aci_error_excerpt(agent->name.ptr != NULL ? agent->name : agent->id, &name));
    }
    aci_index_clear(&keys, chat->env);
    return ok;
}

/* Index of the agent whose turn it is: that of the participant if it is here, else the same position in the order. */
static size_t next_turn(const agentchat_chat *chat, const agentchat_snapshot *snapshot, const aci_plan *plan)
{
    uint64_t turn = snapshot->next_turn;

    if (turn < plan->participant_count && plan->participants[turn].agent != ACI_NO_AGENT)
        return plan->participants[turn].agent;
    return turn < chat->agent_count ? (size_t)turn : 0;
}

static agentchat_status restore_into(aci_restoring *restoring, agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                     bool nested, agentchat_error *err);

/* What a channel that holds a chat loads it with. */
static agentchat_status restore_inner(const agentchat_channel_load *self, agentchat_chat *inner, agentchat_error *err)
{
    static const char step[] = "/channelstate";
    aci_restoring *restoring = self->context;
    size_t len = restoring->path.len;
    agentchat_status status;

    if (!aci_buf_add(&restoring->path, step, sizeof step - 1))
        return aci_fail_nomem(err);
    status = aci_chat_enter(inner, err);
    if (status >= 0) {
        restoring->depth++;
        status = restore_into(restoring, inner, agentchat_channel_load_chat(self), true, err);
        restoring->depth--;
        aci_chat_leave(inner);
    }
    restoring->path.len = len;
    if (status < 0)
        aci_error_path_prepend(err, agentchat_str_from(step));
    return status;
}

/* Gives an agent that joined later the channel of a state that was kept for it. */
static agentchat_status claim(agentchat_chat *chat, const aci_kept *kept, agentchat_agent *agent, aci_channel **out,
                              agentchat_error *err)
{
    aci_restoring restoring = {.restore_inner = restore_inner};
    agentchat_status status;

    aci_buf_init(&restoring.path, chat->env, SIZE_MAX);
    status = aci_stage_channel(&restoring, chat->env, kept->state, kept->synced, chat->history.count, agent, out, err);
    if (status == AGENTCHAT_OK)
        (*out)->origin = kept->origin;
    aci_buf_clear(&restoring.path);
    return status;
}

/* Moves what is staged into the chat. Nothing fails here. */
static void commit(agentchat_chat *chat, const agentchat_snapshot *snapshot, const aci_plan *plan, aci_stage *stage)
{
    size_t turn = next_turn(chat, snapshot, plan);

    aci_chat_drop_channels(chat); /* emptied by a reset, or replaced */
    aci_chat_drop_kept(chat);
    aci_chat_drop_origin(chat);
    aci_chat_values_free(chat->env, chat->values, chat->value_count, chat->value_cap);
    aci_index_clear(&chat->value_names, chat->env);
    aci_list_clear(&chat->history);
    chat->history = stage->history;
    chat->channels = stage->channels;
    chat->channel_count = stage->channel_count;
    chat->channel_cap = stage->channel_cap;
    chat->kept = stage->kept;
    chat->kept_count = stage->kept_count;
    chat->kept_cap = stage->kept_cap;
    chat->kept_from = stage->kept_from;
    chat->claim = claim;
    chat->origin = stage->origin;
    for (size_t i = 0; i < plan->participant_count; i++)
        if (plan->participants[i].agent != ACI_NO_AGENT)
            chat->agents[plan->participants[i].agent]->origin = &chat->origin->participants[i];
    chat->values = stage->values;
    chat->value_count = stage->value_count;
    chat->value_cap = stage->value_cap;
    chat->value_names = stage->value_names;
    for (size_t i = 0; i < stage->agent_count; i++)
        chat->agents[i]->id = stage->agent_ids[i];
    if (stage->agent_ids != NULL) {
        aci_index_clear(&chat->agent_ids, chat->env);
        chat->agent_ids = stage->agents_by_id;
        aci_free(chat->env, stage->agent_ids, stage->agent_count * sizeof *stage->agent_ids);
    }
    chat->next_turn = turn;
    chat->is_complete = snapshot->is_complete;
    *stage = (aci_stage){0};
}

/* Restores a snapshot into a chat whose flag is taken. nested: an empty one needs no agents. */
static agentchat_status restore_into(aci_restoring *restoring, agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                     bool nested, agentchat_error *err)
{
    aci_plan plan = {0};
    aci_stage stage = {0};
    agentchat_status status = check(restoring, chat, snapshot, nested, err);

    if (status < 0)
        return status;
    status = aci_plan_make(&plan, restoring, chat, snapshot, err);
    if (status < 0)
        goto cleanup;
    if (restoring->report != NULL && !report_participants(restoring, snapshot, &plan)) {
        status = aci_fail_nomem(err);
        goto cleanup;
    }
    status = aci_stage_make(&stage, restoring, chat, snapshot, &plan, err);
    if (status < 0)
        goto cleanup;
    if (!report_extra(restoring, chat, &stage)) {
        status = aci_fail_nomem(err);
        goto cleanup;
    }
    status = aci_stage_ids(&stage, chat, snapshot, &plan, err);
    if (status < 0)
        goto cleanup;
    commit(chat, snapshot, &plan, &stage);

cleanup:
    aci_stage_clear(&stage);
    if (plan.env != NULL)
        aci_plan_clear(&plan);
    return status;
}

agentchat_status aci_restore_outermost(agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                       const agentchat_restore_options *options, const aci_replacing *replacing,
                                       agentchat_report **report, agentchat_error *err)
{
    aci_restoring restoring = {.options = *options, .replacing = replacing, .restore_inner = restore_inner};
    agentchat_status status;

    if (report != NULL) {
        if (*report == NULL)
            *report = aci_report_new(chat->env);
        restoring.report = *report;
        if (*report == NULL)
            return aci_fail_nomem(err);
    }
    aci_buf_init(&restoring.path, chat->env, SIZE_MAX);
    status = restore_into(&restoring, chat, snapshot, false, err);
    aci_buf_clear(&restoring.path);
    return status;
}

void agentchat_restore_options_init(agentchat_restore_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_chat_restore(agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                        const agentchat_restore_options *options, agentchat_report **report,
                                        agentchat_error *err)
{
    agentchat_restore_options o;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (chat == NULL)
        return aci_fail_null(err, "chat");
    if (snapshot == NULL)
        return aci_fail_null(err, "snapshot");
    status = aci_env_options_load(&o, sizeof o, options, err);
    if (status < 0)
        return status;
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = aci_restore_outermost(chat, snapshot, &o, NULL, report, err);
    aci_chat_leave(chat);
    return status;
}
