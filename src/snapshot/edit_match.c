/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which messages of the history those of a channel stand for.
 *
 * First by identity: the very same message, or the one of the same id. Others are aligned with what the channel was
 * given: messages that occur once there by their longest ascending run, and then, from the end, each that repeats with
 * the last equal one that is left, since what a channel drops is at its beginning.
 */
#include "snapshot/edit_plan.h"

#include "base/error.h"
#include "snapshot/longest_run.h"

/* Where a message of the list may stand. */
typedef struct target {
    aci_candidates found;
    bool is_same; /* by identity: it stands there in whatever order */
} target;

typedef struct matching {
    aci_edit_plan *plan;
    const aci_edit_given *given;
    const agentchat_messages *list;
    target *targets; /* one for each message of the list */
    size_t *match;
    size_t skips_left; /* how many pending positions may still be passed over, so that the work is bounded */
} matching;

bool aci_edit_plan_is_given(const aci_edit_given *given, size_t position)
{
    size_t low = 0, high = given->pending_count;

    if (position >= given->end)
        return false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (given->pending[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low == given->pending_count || given->pending[low] != position;
}

/* ---- where a message may stand ---------------------------------------------------------------------------------- */

static agentchat_status index_history(aci_edit_plan *plan, agentchat_error *err)
{
    agentchat_status status;

    if (plan->index.env != NULL)
        return AGENTCHAT_OK;
    status = aci_history_index_make(&plan->index, plan->env, plan->before, err);
    if (status < 0)
        plan->index.env = NULL;
    plan->index.content = true; /* a file may say more of a message in the history than in a channel, or less */
    return status;
}

/* By its id; without one, or with one that the history does not have, by what it says. Two ids are two messages. */
static agentchat_status find_target(aci_edit_plan *plan, const agentchat_message *message, target *out,
                                    agentchat_error *err)
{
    agentchat_str id = agentchat_message_get(message, AGENTCHAT_FIELD_ID);
    agentchat_status status;

    *out = (target){aci_history_index_find_same(&plan->index, message), true};
    if (out->found.count > 0)
        return AGENTCHAT_OK;
    if (id.len == 0) {
        out->is_same = false;
        return aci_history_index_find(&plan->index, message, &out->found, err);
    }
    status = aci_history_index_find_id(&plan->index, id, &out->found, err);
    if (status < 0 || out->found.count > 0)
        return status;
    out->is_same = false;
    return aci_history_index_find_without_id(&plan->index, message, &out->found, err);
}

static agentchat_status find_targets(const matching *m, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, m->list);
    for (size_t i = 0; status >= 0 && i < m->list->count; i++) {
        target *at = &m->targets[i];

        status = find_target(m->plan, aci_list_cursor_at(&cursor, i), at, err);
        if (status >= 0 && at->found.count == 1 && !aci_edit_plan_is_given(m->given, at->found.positions[0]))
            at->found.count = 0;
    }
    return status;
}

/* ---- where it stands -------------------------------------------------------------------------------------------- */

/* The last candidate below a bound that the channel was given. */
static size_t last_below(matching *m, aci_candidates found, size_t bound)
{
    size_t low = 0, high = found.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (found.positions[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0 && m->skips_left > 0 && !aci_edit_plan_is_given(m->given, found.positions[low - 1])) {
        low--;
        m->skips_left--;
    }
    return low > 0 && aci_edit_plan_is_given(m->given, found.positions[low - 1]) ? found.positions[low - 1]
                                                                                 : ACI_NOT_IN_HISTORY;
}

/* The position after that of the last match before i. at: the index after that match, for an i that falls. */
static size_t position_before(const size_t *match, size_t i, size_t *at)
{
    for (*at = *at < i ? *at : i; *at > 0; --*at)
        if (match[*at - 1] != ACI_NOT_IN_HISTORY)
            return match[*at - 1] + 1;
    return 0;
}

static void fill_from_end(matching *m)
{
    size_t bound = m->given->end, at = m->list->count;

    for (size_t i = m->list->count; i-- > 0;) {
        if (m->match[i] == ACI_NOT_IN_HISTORY && m->targets[i].found.count > 1) {
            size_t position = last_below(m, m->targets[i].found, bound);

            if (position != ACI_NOT_IN_HISTORY && position >= position_before(m->match, i, &at))
                m->match[i] = position;
        }
        if (m->match[i] != ACI_NOT_IN_HISTORY)
            bound = m->match[i];
    }
}

static agentchat_status match_list(matching *m, agentchat_error *err)
{
    size_t count = m->list->count;
    agentchat_status status = find_targets(m, err);

    if (status < 0)
        return status;
    for (size_t i = 0; i < count; i++)
        m->match[i] = m->targets[i].found.count == 1 ? m->targets[i].found.positions[0] : ACI_NO_POSITION;
    if (!aci_longest_run(m->plan->env, m->match, count))
        return aci_fail_nomem(err);
    fill_from_end(m);
    for (size_t i = 0; i < count; i++)
        if (m->match[i] == ACI_NOT_IN_HISTORY && m->targets[i].is_same && m->targets[i].found.count == 1)
            m->match[i] = m->targets[i].found.positions[0];
    return AGENTCHAT_OK;
}

agentchat_status aci_edit_match(aci_edit_plan *plan, const aci_edit_given *given, const agentchat_messages *list,
                                size_t *match, agentchat_error *err)
{
    size_t size;
    matching m = {plan, given, list, NULL, match, 0};
    agentchat_status status = index_history(plan, err);

    if (status < 0)
        return status;
    m.targets = aci_alloc_array(plan->env, list->count, sizeof *m.targets, &size);
    if (m.targets == NULL)
        return aci_fail_nomem(err);
    m.skips_left = list->count + given->pending_count;
    status = match_list(&m, err);
    aci_free(plan->env, m.targets, size);
    return status;
}
