/* SPDX-License-Identifier: Apache-2.0 */
/* Which stored participant is which agent of a chat: by id, then by name and type, then by a name that is unique on
   both sides. */
#include "restore/restore.h"

#include "base/index.h"
#include "capture/origin.h"

/* Those of one name, in their order. */
typedef struct names {
    aci_index first; /* by the name */
    size_t *next;    /* of the same name; ACI_INDEX_NONE after the last */
    size_t count;
} names;

static bool has_name(agentchat_str name)
{
    return name.ptr != NULL && !agentchat_str_is_null(name);
}

static bool names_make(names *n, const agentchat_env *env, size_t count)
{
    *n = (names){.count = count};
    if (count > 0)
        n->next = aci_alloc(env, count * sizeof *n->next); /* cannot wrap: as many larger structs exist */
    return count == 0 || n->next != NULL;
}

/* From the last one to the first. */
static bool names_add(names *n, const agentchat_env *env, agentchat_str name, size_t position)
{
    n->next[position] = ACI_INDEX_NONE;
    if (!has_name(name))
        return true;
    n->next[position] = aci_index_find(&n->first, name);
    return aci_index_put(&n->first, env, name, position);
}

static void names_clear(names *n, const agentchat_env *env)
{
    aci_index_clear(&n->first, env);
    aci_free(env, n->next, n->count * sizeof *n->next);
}

/* The first of a name, if it is the only one. */
static size_t only(const names *n, agentchat_str name)
{
    size_t first = has_name(name) ? aci_index_find(&n->first, name) : ACI_INDEX_NONE;

    return first != ACI_INDEX_NONE && n->next[first] == ACI_INDEX_NONE ? first : ACI_INDEX_NONE;
}

static void match(aci_plan *plan, bool *used, size_t participant, size_t agent, agentchat_match rule)
{
    plan->participants[participant] = (aci_channel_match){agent, rule};
    used[agent] = true;
}

/* Of several participants with one id, the first. */
static void match_by_id(aci_plan *plan, bool *used, const agentchat_chat *chat, const agentchat_snapshot *snapshot)
{
    for (size_t p = 0; p < snapshot->participant_count; p++) {
        size_t agent = has_name(snapshot->participants[p].id)
                           ? aci_index_find(&chat->agent_ids, snapshot->participants[p].id)
                           : ACI_INDEX_NONE;

        if (agent != ACI_INDEX_NONE && !used[agent])
            match(plan, used, p, agent, AGENTCHAT_MATCH_ID);
    }
}

static void match_by_name_and_type(aci_plan *plan, bool *used, const agentchat_chat *chat,
                                   const agentchat_snapshot *snapshot, const names *participants)
{
    for (size_t a = 0; a < chat->agent_count; a++) {
        agentchat_str name = chat->agents[a]->name;
        size_t p = has_name(name) ? aci_index_find(&participants->first, name) : ACI_INDEX_NONE;

        for (; p != ACI_INDEX_NONE && !used[a]; p = participants->next[p])
            if (plan->participants[p].agent == ACI_NO_AGENT &&
                aci_origin_fits(&snapshot->participants[p], chat->agents[a], AGENTCHAT_MATCH_NAME_AND_TYPE))
                match(plan, used, p, a, AGENTCHAT_MATCH_NAME_AND_TYPE);
    }
}

static void match_by_name(aci_plan *plan, bool *used, const agentchat_chat *chat, const names *agents,
                          const names *participants)
{
    for (size_t a = 0; a < chat->agent_count; a++) {
        size_t p = only(participants, chat->agents[a]->name);

        if (!used[a] && p != ACI_INDEX_NONE && plan->participants[p].agent == ACI_NO_AGENT &&
            only(agents, chat->agents[a]->name) == a)
            match(plan, used, p, a, AGENTCHAT_MATCH_NAME);
    }
}

static bool all_matched(const agentchat_chat *chat, const bool *used)
{
    size_t matched = 0;

    while (matched < chat->agent_count && used[matched])
        matched++;
    return matched == chat->agent_count;
}

bool aci_plan_participants(aci_plan *plan, bool *used, const agentchat_chat *chat, const agentchat_snapshot *snapshot)
{
    names agents = {.count = 0}, participants = {.count = 0};
    bool ok;

    match_by_id(plan, used, chat, snapshot);
    if (all_matched(chat, used))
        return true;
    ok = names_make(&agents, plan->env, chat->agent_count) &&
         names_make(&participants, plan->env, snapshot->participant_count);

    for (size_t i = chat->agent_count; ok && i > 0; i--)
        ok = names_add(&agents, plan->env, chat->agents[i - 1]->name, i - 1);
    for (size_t i = snapshot->participant_count; ok && i > 0; i--)
        ok = names_add(&participants, plan->env, snapshot->participants[i - 1].name, i - 1);
    if (ok) {
        match_by_name_and_type(plan, used, chat, snapshot, &participants);
        match_by_name(plan, used, chat, &agents, &participants);
    }
    names_clear(&agents, plan->env);
    names_clear(&participants, plan->env);
    return ok;
}
