/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a chat was restored from, as far as it is to be saved again.
 *
 * Participants without an agent are kept, all of them, whether or not a state is kept for them: which state is whose
 * cannot be seen from a document, and the history may well have messages of theirs. Each is removed when the agent that
 * it stands for joins, and all are on a reset.
 */
#include "capture/origin.h"

#include "base/error.h"

static bool copy_participants(agentchat_snapshot *to, const agentchat_snapshot *from)
{
    bool ok = true;

    if (from->participant_count == 0)
        return true;
    to->participants = aci_arena_alloc(to->arena, from->participant_count * sizeof *to->participants);
    if (to->participants == NULL)
        return false;
    for (size_t i = 0; ok && i < from->participant_count; i++) {
        aci_snapshot_copy_participant(&to->participants[i], &from->participants[i], to->arena, &ok);
        to->participant_count = i + 1;
    }
    return ok;
}

/* What of a state outlives its restoring. The text is needed to see whether it is still the same. */
static bool copy_channels(agentchat_snapshot *to, const agentchat_snapshot *from)
{
    bool ok = true;

    if (from->channel_count == 0)
        return true;
    to->channels = aci_arena_alloc(to->arena, from->channel_count * sizeof *to->channels);
    if (to->channels == NULL)
        return false;
    for (size_t i = 0; i < from->channel_count && ok; i++) {
        const agentchat_channel_state *state = &from->channels[i];
        agentchat_channel_state *copy = &to->channels[to->channel_count++];

        *copy = (agentchat_channel_state){.kind = AGENTCHAT_CHANNEL_TEXT, .synced = AGENTCHAT_SYNCED_UNKNOWN};
        copy->extras = aci_extras_copy(state->extras, to->arena, &ok);
        if (state->kind != AGENTCHAT_CHANNEL_TEXT || state->spelling == ACI_SPELLED_ANY)
            continue;
        copy->spelling = state->spelling;
        copy->data = aci_arena_copy(to->arena, state->data, &ok);
    }
    return ok;
}

agentchat_status aci_origin_make(const agentchat_env *env, const agentchat_snapshot *snapshot, agentchat_snapshot **out,
                                 agentchat_error *err)
{
    aci_arena *arena = aci_arena_new(env, 0);
    agentchat_snapshot *origin = arena != NULL ? aci_snapshot_new(env, arena) : NULL;
    bool ok = true;

    *out = NULL;
    if (origin == NULL)
        return aci_fail_nomem(err);
    origin->source_bytes = snapshot->source_bytes;
    origin->form = aci_arena_copy(arena, snapshot->form, &ok);
    origin->extras = aci_extras_copy(snapshot->extras, arena, &ok);
    if (!ok || !copy_participants(origin, snapshot) || !copy_channels(origin, snapshot)) {
        agentchat_snapshot_unref(origin);
        return aci_fail_nomem(err);
    }
    *out = origin;
    return AGENTCHAT_OK;
}

static bool same(agentchat_str a, agentchat_str b)
{
    return a.ptr != NULL && !agentchat_str_is_null(a) && agentchat_str_equal(a, b);
}

bool aci_origin_fits(const agentchat_participant *participant, const agentchat_agent *agent, agentchat_match rule)
{
    if (rule == AGENTCHAT_MATCH_ID)
        return same(participant->id, agent->id);
    return same(participant->name, agent->name) &&
           (rule == AGENTCHAT_MATCH_NAME || same(participant->type, agent->type));
}

static bool is_taken(const agentchat_chat *chat, const agentchat_participant *participant)
{
    for (size_t i = 0; i < chat->agent_count; i++)
        if (chat->agents[i]->origin == participant)
            return true;
    return false;
}

static void adopt(agentchat_chat *chat, agentchat_agent *agent, agentchat_match rule)
{
    for (size_t i = 0; i < chat->origin->participant_count && agent->origin == NULL; i++) {
        const agentchat_participant *participant = &chat->origin->participants[i];

        if (aci_origin_fits(participant, agent, rule) && !is_taken(chat, participant))
            agent->origin = participant;
    }
}

void aci_origin_adopt(agentchat_chat *chat)
{
    if (chat->origin == NULL)
        return;
    for (size_t i = chat->adopted_count; i < chat->agent_count; i++)
        adopt(chat, chat->agents[i], AGENTCHAT_MATCH_ID);
    for (size_t i = chat->adopted_count; i < chat->agent_count; i++)
        adopt(chat, chat->agents[i], AGENTCHAT_MATCH_NAME_AND_TYPE);
    chat->adopted_count = chat->agent_count;
}

/* A stored list may name one id twice; the agent that bears it stands for all of them. */
static bool is_agent(const agentchat_chat *chat, const agentchat_participant *participant)
{
    agentchat_str id = participant->id;

    return id.ptr != NULL && !agentchat_str_is_null(id) && aci_index_find(&chat->agent_ids, id) != ACI_INDEX_NONE;
}

bool aci_origin_kept(const agentchat_chat *chat, bool **out)
{
    size_t count = chat->origin != NULL ? chat->origin->participant_count : 0;

    *out = NULL;
    if (count == 0)
        return true;
    *out = aci_alloc(chat->env, count * sizeof **out); /* cannot wrap: as many larger structs exist */
    if (*out == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        (*out)[i] = !is_agent(chat, &chat->origin->participants[i]);
    for (size_t i = 0; i < chat->agent_count; i++)
        if (chat->agents[i]->origin != NULL)
            (*out)[chat->agents[i]->origin - chat->origin->participants] = false;
    return true;
}
