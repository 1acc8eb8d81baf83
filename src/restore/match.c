/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a snapshot belongs to which agent of a chat. Layer 5.
 *
 * A snapshot may come from anywhere and hold any number of channels, a chat is made by its host and has few agents: the
 * cost is n log n in the former times the number of the latter.
 */
#include "restore/restore.h"

#include "base/error.h"
#include "restore/origin.h"
#include <stdlib.h>
#include <string.h>

typedef struct keyed {
    agentchat_str key;
    size_t index;
} keyed;

/* The stored channels by key. */
typedef struct directory {
    keyed *list;
    size_t count;
} directory;

static int compare_keys(agentchat_str a, agentchat_str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter > 0 ? memcmp(a.ptr, b.ptr, shorter) : 0;

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare(const void *a, const void *b)
{
    const keyed *left = a, *right = b;
    int order = compare_keys(left->key, right->key);

    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

static agentchat_status directory_make(directory *d, const agentchat_env *env, const agentchat_snapshot *snapshot,
                                       agentchat_error *err)
{
    *d = (directory){NULL, snapshot->channel_count};
    if (d->count == 0)
        return AGENTCHAT_OK;
    d->list = aci_alloc(env, d->count * sizeof *d->list); /* cannot wrap: as many larger structs exist */
    if (d->list == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < d->count; i++)
        d->list[i] = (keyed){snapshot->channels[i].key, i};
    qsort(d->list, d->count, sizeof *d->list, compare);
    for (size_t i = 1; i < d->count; i++)
        if (compare_keys(d->list[i - 1].key, d->list[i].key) == 0) {
            char path[64];

            snprintf(path, sizeof path, "/channels/%zu/channelkey", d->list[i].index);
            aci_fail(err, AGENTCHAT_E_SCHEMA, "another channel has the same key");
            aci_error_path(err, agentchat_str_from(path));
            return AGENTCHAT_E_SCHEMA;
        }
    return AGENTCHAT_OK;
}

/* Index of the stored channel with the key, or the number of channels. */
static size_t directory_find(const directory *d, agentchat_str key)
{
    size_t low = 0, high = d->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_keys(d->list[middle].key, key);

        if (order == 0)
            return d->list[middle].index;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return d->count;
}

/* ---- channels ------------------------------------------------------------------------------------------------- */

/* Whether an agent before this one has the same key: the two share a channel. */
static bool shares_key(const agentchat_chat *chat, size_t agent)
{
    for (size_t i = 0; i < agent; i++)
        if (memcmp(chat->agents[i]->key, chat->agents[agent]->key, AGENTCHAT_KEY_LEN) == 0)
            return true;
    return false;
}

/* In what follows placed[i] tells whether agent i has its channel. */

static void place(aci_plan *plan, bool *placed, size_t channel, size_t agent, agentchat_match rule)
{
    plan->channels[channel] = (aci_place){agent, rule};
    placed[agent] = true;
}

static agentchat_status ask_resolver(aci_plan *plan, bool *placed, const directory *d,
                                     const agentchat_restore_options *options, const agentchat_chat *chat,
                                     const agentchat_snapshot *snapshot, size_t agent, agentchat_error *err)
{
    agentchat_str key = {NULL, 0};
    agentchat_error cause;
    aci_excerpt excerpt;
    agentchat_status status;
    size_t found;

    agentchat_error_clear(&cause);
    status = options->resolve(options->user, snapshot, chat->agents[agent], &key, &cause);
    if (status == AGENTCHAT_DONE)
        return AGENTCHAT_OK;
    if (status < 0)
        return aci_fail(err, status, "the resolver of channel keys failed for agent %s: %s",
                        aci_excerpt_of(chat->agents[agent]->id, &excerpt),
                        cause.code != 0 ? cause.message : agentchat_status_text(status));
    found = directory_find(d, key);
    if (found == d->count)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the resolver gave agent %s a key that is not stored",
                        aci_excerpt_of(chat->agents[agent]->id, &excerpt));
    if (plan->channels[found].agent != ACI_NO_AGENT)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the resolver gave agent %s a channel that is another agent's",
                        aci_excerpt_of(chat->agents[agent]->id, &excerpt));
    place(plan, placed, found, agent, AGENTCHAT_MATCH_RESOLVER);
    return AGENTCHAT_OK;
}

static bool has_type(const agentchat_channel_state *state, const char *type)
{
    return state->type.ptr != NULL && agentchat_str_equal(state->type, agentchat_str_from(type));
}

/* Gives the agent the stored channel of its type if it is the only agent left and that the only channel left. */
static void place_by_type(aci_plan *plan, bool *placed, const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                          size_t agent)
{
    const char *type = chat->agents[agent]->table.name;
    size_t found = 0, stored = 0;

    for (size_t i = 0; i < chat->agent_count; i++)
        if (i != agent && !shares_key(chat, i) && strcmp(chat->agents[i]->table.name, type) == 0 && !placed[i])
            return;
    for (size_t i = 0; i < plan->channel_count; i++)
        if (plan->channels[i].agent == ACI_NO_AGENT && has_type(&snapshot->channels[i], type)) {
            found = i;
            stored++;
        }
    if (stored == 1)
        place(plan, placed, found, agent, AGENTCHAT_MATCH_TYPE);
}

static agentchat_status place_channels(aci_plan *plan, bool *placed, const agentchat_restore_options *options,
                                       const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                       agentchat_error *err)
{
    directory d;
    agentchat_status status = directory_make(&d, plan->env, snapshot, err);

    for (size_t i = 0; i < chat->agent_count && status >= 0; i++) {
        size_t found = directory_find(&d, agentchat_agent_channel_key(chat->agents[i]));

        if (found < d.count && plan->channels[found].agent == ACI_NO_AGENT)
            place(plan, placed, found, i, AGENTCHAT_MATCH_KEY);
    }
    for (size_t i = 0; i < chat->agent_count && status >= 0 && options->resolve != NULL; i++)
        if (!shares_key(chat, i) && !placed[i])
            status = ask_resolver(plan, placed, &d, options, chat, snapshot, i, err);
    for (size_t i = 0; i < chat->agent_count && status >= 0 && !options->no_type_match; i++)
        if (!shares_key(chat, i) && !placed[i])
            place_by_type(plan, placed, chat, snapshot, i);
    aci_free(plan->env, d.list, d.count * sizeof *d.list);
    return status;
}

/* ---- participants --------------------------------------------------------------------------------------------- */

static bool is_unique(const agentchat_chat *chat, const agentchat_snapshot *snapshot, agentchat_str name)
{
    size_t agents = 0, participants = 0;

    if (name.ptr == NULL)
        return false;
    for (size_t i = 0; i < chat->agent_count; i++)
        agents += agentchat_str_equal(chat->agents[i]->name, name);
    for (size_t i = 0; i < snapshot->participant_count; i++)
        participants += agentchat_str_equal(snapshot->participants[i].name, name);
    return agents == 1 && participants == 1;
}

static void place_participants(aci_plan *plan, const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                               bool *used, agentchat_match rule)
{
    for (size_t a = 0; a < chat->agent_count; a++) {
        if (used[a] ||
            (rule == AGENTCHAT_MATCH_NAME && !is_unique(chat, snapshot, agentchat_agent_name(chat->agents[a]))))
            continue;
        for (size_t p = 0; p < plan->participant_count && !used[a]; p++)
            if (plan->participants[p].agent == ACI_NO_AGENT &&
                aci_participant_fits(&snapshot->participants[p], chat->agents[a], rule)) {
                plan->participants[p] = (aci_place){a, rule};
                used[a] = true;
            }
    }
}

/* ---- the plan ------------------------------------------------------------------------------------------------- */

static bool places_new(const agentchat_env *env, aci_place **out, size_t count)
{
    *out = NULL;
    if (count == 0)
        return true;
    *out = aci_alloc(env, count * sizeof **out); /* cannot wrap: as many larger structs exist */
    for (size_t i = 0; *out != NULL && i < count; i++)
        (*out)[i] = (aci_place){ACI_NO_AGENT, AGENTCHAT_MATCH_NONE};
    return *out != NULL;
}

agentchat_status aci_plan_make(aci_plan *plan, const aci_restoring *restoring, const agentchat_chat *chat,
                               const agentchat_snapshot *snapshot, agentchat_error *err)
{
    size_t size = (chat->agent_count > 0 ? chat->agent_count : 1) * sizeof(bool);
    agentchat_status status;
    bool *used;

    *plan = (aci_plan){.env = chat->env};
    if (!places_new(plan->env, &plan->participants, snapshot->participant_count))
        return aci_fail_nomem(err);
    plan->participant_count = snapshot->participant_count;
    if (!places_new(plan->env, &plan->channels, snapshot->channel_count))
        return aci_fail_nomem(err);
    plan->channel_count = snapshot->channel_count;
    used = aci_alloc_zero(plan->env, size);
    if (used == NULL)
        return aci_fail_nomem(err);
    place_participants(plan, chat, snapshot, used, AGENTCHAT_MATCH_ID);
    place_participants(plan, chat, snapshot, used, AGENTCHAT_MATCH_NAME_AND_TYPE);
    place_participants(plan, chat, snapshot, used, AGENTCHAT_MATCH_NAME);
    memset(used, 0, size);
    status = place_channels(plan, used, &restoring->options, chat, snapshot, err);
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
