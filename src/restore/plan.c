/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a snapshot belongs to which agent of a chat.
 *
 * Each side is found in the other by a text that both have, so the cost is that of their numbers. Only agents whose key
 * no channel has are compared with all channels, by type.
 */
#include "restore/restore.h"

#include "base/error.h"
#include <string.h>

/* The stored channels by key. */
static agentchat_status index_channels(aci_index *keys, const agentchat_env *env, const agentchat_snapshot *snapshot,
                                       agentchat_error *err)
{
    for (size_t i = 0; i < snapshot->channel_count; i++) {
        agentchat_str key = snapshot->channels[i].key;
        char path[64];

        if (aci_index_find(keys, key) != ACI_INDEX_NONE) {
            snprintf(path, sizeof path, "/channels/%zu/channelkey", i);
            aci_fail(err, AGENTCHAT_E_SCHEMA, "another channel has the same key");
            aci_error_path(err, agentchat_str_from(path));
            return AGENTCHAT_E_SCHEMA;
        }
        if (!aci_index_add(keys, env, key, i))
            return aci_fail_nomem(err);
    }
    return AGENTCHAT_OK;
}

/* In what follows matched[i] says that agent i needs no channel any more: it has one, or it shares that of an agent
   before it, which has the same key. */

static bool match_sharers(bool *matched, const agentchat_env *env, const agentchat_chat *chat)
{
    aci_index keys = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < chat->agent_count; i++) {
        agentchat_str key = agentchat_agent_channel_key(chat->agents[i]);

        matched[i] = aci_index_find(&keys, key) != ACI_INDEX_NONE;
        ok = aci_index_add(&keys, env, key, i);
    }
    aci_index_clear(&keys, env);
    return ok;
}

static void match(aci_plan *plan, bool *matched, size_t channel, size_t agent, agentchat_match rule)
{
    plan->channels[channel] = (aci_channel_match){agent, rule};
    matched[agent] = true;
}

static agentchat_status ask_resolver(aci_plan *plan, bool *matched, const aci_index *keys,
                                     const agentchat_restore_options *options, const agentchat_chat *chat,
                                     const agentchat_snapshot *snapshot, size_t agent, agentchat_error *err)
{
    agentchat_str key = {NULL, 0};
    agentchat_error *cause = aci_chat_cause(chat->agents[agent]->chat);
    aci_excerpt excerpt;
    agentchat_status status;
    size_t found;

    status = options->resolve(options->user, snapshot, chat->agents[agent], &key, cause);
    if (status == AGENTCHAT_DONE)
        return AGENTCHAT_OK;
    if (status < 0)
        return aci_fail(err, status, "the resolver of channel keys failed for agent %s: %s",
                        aci_error_excerpt(chat->agents[agent]->id, &excerpt),
                        cause->code != 0 ? cause->message : agentchat_status_text(status));
    found = aci_index_find(keys, key);
    if (found == ACI_INDEX_NONE)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the resolver gave agent %s a key that is not stored",
                        aci_error_excerpt(chat->agents[agent]->id, &excerpt));
    if (plan->channels[found].agent != ACI_NO_AGENT)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the resolver gave agent %s a channel that is another agent's",
                        aci_error_excerpt(chat->agents[agent]->id, &excerpt));
    match(plan, matched, found, agent, AGENTCHAT_MATCH_RESOLVER);
    return AGENTCHAT_OK;
}

static bool has_type(const agentchat_channel_state *state, const char *type)
{
    return state->type.ptr != NULL && agentchat_str_equal(state->type, agentchat_str_from(type));
}

/* Gives the agent the stored channel of its type if it is the only agent left and that the only channel left. */
static void match_by_type(aci_plan *plan, bool *matched, const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                          size_t agent)
{
    const char *type = chat->agents[agent]->table.name;
    size_t found = 0, stored = 0;

    for (size_t i = 0; i < chat->agent_count; i++)
        if (i != agent && !matched[i] && strcmp(chat->agents[i]->table.name, type) == 0)
            return;
    for (size_t i = 0; i < plan->channel_count; i++)
        if (plan->channels[i].agent == ACI_NO_AGENT && has_type(&snapshot->channels[i], type)) {
            found = i;
            stored++;
        }
    if (stored == 1)
        match(plan, matched, found, agent, AGENTCHAT_MATCH_TYPE);
}

static agentchat_status match_channels(aci_plan *plan, bool *matched, const agentchat_restore_options *options,
                                       const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                       agentchat_error *err)
{
    aci_index keys = {0};
    agentchat_status status = index_channels(&keys, plan->env, snapshot, err);

    if (status >= 0 && !match_sharers(matched, plan->env, chat))
        status = aci_fail_nomem(err);
    for (size_t i = 0; i < chat->agent_count && status >= 0; i++) {
        size_t found = aci_index_find(&keys, agentchat_agent_channel_key(chat->agents[i]));

        if (found != ACI_INDEX_NONE && plan->channels[found].agent == ACI_NO_AGENT)
            match(plan, matched, found, i, AGENTCHAT_MATCH_KEY);
    }
    for (size_t i = 0; i < chat->agent_count && status >= 0 && options->resolve != NULL; i++)
        if (!matched[i])
            status = ask_resolver(plan, matched, &keys, options, chat, snapshot, i, err);
    for (size_t i = 0; i < chat->agent_count && status >= 0 && !options->no_type_match; i++)
        if (!matched[i])
            match_by_type(plan, matched, chat, snapshot, i);
    aci_index_clear(&keys, plan->env);
    return status;
}

/* ---- the plan ------------------------------------------------------------------------------------------------- */

static bool matches_new(const agentchat_env *env, aci_channel_match **out, size_t count)
{
    *out = NULL;
    if (count == 0)
        return true;
    *out = aci_alloc(env, count * sizeof **out); /* cannot wrap: as many larger structs exist */
    for (size_t i = 0; *out != NULL && i < count; i++)
        (*out)[i] = (aci_channel_match){ACI_NO_AGENT, AGENTCHAT_MATCH_NONE};
    return *out != NULL;
}

agentchat_status aci_plan_make(aci_plan *plan, const aci_restoring *restoring, const agentchat_chat *chat,
                               const agentchat_snapshot *snapshot, agentchat_error *err)
{
    size_t size = (chat->agent_count > 0 ? chat->agent_count : 1) * sizeof(bool);
    agentchat_status status;
    bool *used;

    *plan = (aci_plan){.env = chat->env};
    if (!matches_new(plan->env, &plan->participants, snapshot->participant_count))
        return aci_fail_nomem(err);
    plan->participant_count = snapshot->participant_count;
    if (!matches_new(plan->env, &plan->channels, snapshot->channel_count))
        return aci_fail_nomem(err);
    plan->channel_count = snapshot->channel_count;
    used = aci_alloc_zero(plan->env, size);
    if (used == NULL)
        return aci_fail_nomem(err);
    status = aci_plan_participants(plan, used, chat, snapshot) ? AGENTCHAT_OK : aci_fail_nomem(err);
    if (status >= 0)
        status = match_channels(plan, used, &restoring->options, chat, snapshot, err);
    aci_free(plan->env, used, size);
    return status;
}

void aci_plan_clear(aci_plan *plan)
{
    aci_free(plan->env, plan->participants, plan->participant_count * sizeof *plan->participants);
    aci_free(plan->env, plan->channels, plan->channel_count * sizeof *plan->channels);
    plan->participants = NULL;
    plan->channels = NULL;
    plan->participant_count = 0;
    plan->channel_count = 0;
}
