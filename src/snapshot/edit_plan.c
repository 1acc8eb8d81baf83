/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a history, and what they are for the lists of its channels. */
#include "snapshot/edit_plan.h"

#include "base/error.h"
#include "model/receive_filter.h"

/* ---- the history ------------------------------------------------------------------------------------------------ */

static bool apply_to(const agentchat_list_edit *edit, const agentchat_messages *list, const agentchat_env *env,
                     agentchat_messages *out)
{
    agentchat_messages shared, *result = NULL;
    bool ok;

    aci_list_copy(&shared, list);
    shared.env = env; /* what the new list has of its own */
    ok = agentchat_list_edit_apply(edit, &shared, &result, NULL) >= 0;
    aci_list_clear(&shared);
    if (ok) {
        aci_list_copy(out, result);
        agentchat_messages_unref(result);
    }
    return ok;
}

static void find_starts(aci_edit_plan *plan)
{
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};
    size_t at = 0; /* in the new list */

    /* What is inserted before an element begins where the element begins. */
    plan->starts[0] = 0;
    while (agentchat_list_edit_next(plan->edit, &step)) {
        at += step.kind == AGENTCHAT_EDIT_INSERT;
        for (size_t i = 0; i < step.count; i++) {
            at += step.kind != AGENTCHAT_EDIT_REMOVE;
            plan->starts[step.index + i + 1] = at;
        }
    }
}

static bool note_entries(aci_edit_plan *plan, size_t *size)
{
    const agentchat_list_edit *edit = plan->edit;

    plan->insertions = aci_alloc_array(plan->env, edit->inserted, sizeof(aci_edit_entry *), size);
    if (plan->insertions == NULL)
        return false;
    plan->passes = true;
    for (size_t i = 0; i < edit->count; i++) {
        const aci_edit_entry *entry = &edit->entries[i];

        if (entry->kind == AGENTCHAT_EDIT_INSERT)
            plan->insertions[plan->insertion_count++] = entry;
        if (entry->message != NULL && !aci_receive_filter_takes(entry->message, false))
            plan->passes = false;
    }
    return true;
}

agentchat_status aci_edit_plan_make(aci_edit_plan *plan, const agentchat_env *env, const agentchat_messages *before,
                                    const agentchat_list_edit *edit, agentchat_error *err)
{
    size_t size;

    *plan = (aci_edit_plan){.env = env, .edit = edit, .before = before, .passing_end = SIZE_MAX};
    if (edit->length != before->count) {
        plan->env = NULL;
        return aci_fail(err, AGENTCHAT_E_INVALID,
                        "the edit list is for %zu messages, and the history has %zu: make one for this history",
                        edit->length, before->count);
    }
    aci_list_init(&plan->after, env);
    aci_list_edit_settle(edit);
    plan->starts = aci_alloc_array(env, before->count + 1, sizeof *plan->starts, &size);
    if (plan->starts == NULL || !note_entries(plan, &size) || !apply_to(edit, before, env, &plan->after)) {
        aci_edit_plan_clear(plan);
        return aci_fail_nomem(err);
    }
    find_starts(plan);
    return AGENTCHAT_OK;
}

void aci_edit_plan_clear(aci_edit_plan *plan)
{
    size_t count;

    if (plan->env == NULL)
        return;
    count = plan->edit->length;
    if (plan->index.env != NULL)
        aci_history_index_clear(&plan->index);
    aci_free(plan->env, plan->starts, (count + 1) * sizeof *plan->starts);
    aci_free(plan->env, plan->insertions,
             (plan->edit->inserted > 0 ? plan->edit->inserted : 1) * sizeof(aci_edit_entry *));
    aci_list_clear(&plan->after);
    *plan = (aci_edit_plan){.env = NULL};
}

/* ---- positions -------------------------------------------------------------------------------------------------- */

size_t aci_edit_plan_end(const aci_edit_plan *plan, size_t position)
{
    return position == plan->edit->length ? plan->after.count : plan->starts[position];
}

aci_edit_span aci_edit_plan_span(const aci_edit_plan *plan, size_t first, size_t end)
{
    size_t from = plan->starts[first];

    return (aci_edit_span){from, first < end ? aci_edit_plan_end(plan, end) - from : 0};
}

bool aci_edit_plan_changes(const aci_edit_plan *plan, const aci_edit_given *given)
{
    const agentchat_list_edit *edit = plan->edit;

    for (size_t i = 0; i < edit->count && edit->entries[i].index < given->end; i++)
        if (edit->entries[i].index < edit->length && aci_edit_plan_is_given(given, edit->entries[i].index))
            return true;
    return false;
}

/* Whether what is inserted before an element, or at the end, comes among what the channel was given. */
static bool is_given_there(const aci_edit_plan *plan, const aci_edit_given *given, size_t index)
{
    size_t length = plan->edit->length;

    if (index < length || length == 0)
        return length == 0 || aci_edit_plan_is_given(given, index);
    return aci_edit_plan_is_given(given, length - 1);
}

bool aci_edit_plan_adds(const aci_edit_plan *plan, const aci_edit_given *given)
{
    size_t length = plan->edit->length;

    return plan->starts[length] < plan->after.count && is_given_there(plan, given, length);
}

/* The position after the last message of the history that passes the receive filter. */
static size_t passing_end(const agentchat_messages *history)
{
    size_t end = history->count;

    while (end > 0 && !aci_receive_filter_takes(agentchat_messages_at(history, end - 1), false))
        end--;
    return end;
}

agentchat_status aci_edit_plan_find_end(aci_edit_plan *plan, const agentchat_messages *list, size_t *end,
                                        agentchat_error *err)
{
    aci_edit_given all = {plan->before->count, NULL, 0};
    agentchat_status status;
    size_t *match, size, last = 0;

    *end = list->count;
    if (aci_list_is_prefix(list, plan->before))
        return AGENTCHAT_OK;
    match = aci_alloc_array(plan->env, list->count, sizeof *match, &size);
    if (match == NULL)
        return aci_fail_nomem(err);
    status = aci_edit_match(plan, &all, list, match, err);
    for (size_t i = 0; status >= 0 && i < list->count; i++)
        if (match[i] != ACI_NOT_IN_HISTORY && match[i] >= last)
            last = match[i] + 1;
    aci_free(plan->env, match, size);
    if (plan->passing_end == SIZE_MAX)
        plan->passing_end = passing_end(plan->before);
    *end = last == 0 || last >= plan->passing_end ? plan->before->count : last;
    return status;
}

/* ---- lists of channels ------------------------------------------------------------------------------------------ */

/* What becomes of an element; NULL: it stays. */
static const aci_edit_entry *entry_of(const agentchat_list_edit *edit, size_t index)
{
    size_t low = 0, high = edit->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const aci_edit_entry *entry = &edit->entries[middle];

        if (entry->index < index || (entry->index == index && entry->kind == AGENTCHAT_EDIT_INSERT))
            low = middle + 1;
        else
            high = middle;
    }
    return low < edit->count && edit->entries[low].index == index ? &edit->entries[low] : NULL;
}

/* An edit of a channel's list in the making. */
typedef struct derivation {
    const aci_edit_plan *plan;
    const aci_edit_given *given;
    agentchat_message_test_fn takes;
    void *user;
    agentchat_list_edit *out;
    size_t inserted; /* insertions of the plan that are done with */
} derivation;

static bool is_taken(const derivation *d, const agentchat_message *message)
{
    return d->takes == NULL || d->takes(d->user, message);
}

/* Inserts before message `at` of the list what comes before an element of the history, or up to it. */
static agentchat_status insert_up_to(derivation *d, size_t position, size_t at, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (; status >= 0 && d->inserted < d->plan->insertion_count; d->inserted++) {
        const aci_edit_entry *entry = d->plan->insertions[d->inserted];

        if (entry->index > position)
            break;
        if (is_given_there(d->plan, d->given, entry->index) && is_taken(d, entry->message))
            status = agentchat_list_edit_insert(d->out, at, entry->message, err);
    }
    return status;
}

static agentchat_status derive(derivation *d, const size_t *match, size_t count, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < count; i++) {
        const aci_edit_entry *entry;

        if (match[i] == ACI_NOT_IN_HISTORY)
            continue;
        status = insert_up_to(d, match[i], i, err);
        entry = entry_of(d->plan->edit, match[i]);
        if (status < 0 || entry == NULL)
            continue;
        if (entry->kind == AGENTCHAT_EDIT_REPLACE && is_taken(d, entry->message))
            status = agentchat_list_edit_replace(d->out, i, entry->message, err);
        else
            status = agentchat_list_edit_remove(d->out, i, 1, err);
    }
    return status < 0 ? status : insert_up_to(d, d->plan->edit->length, count, err);
}

agentchat_status aci_edit_plan_derive(aci_edit_plan *plan, const aci_edit_given *given, const agentchat_messages *list,
                                      agentchat_message_test_fn takes, void *user, agentchat_list_edit **out,
                                      agentchat_error *err)
{
    size_t size;
    size_t *match = aci_alloc_array(plan->env, list->count, sizeof *match, &size);
    derivation d = {plan, given, takes, user, NULL, 0};
    agentchat_status status;

    *out = NULL;
    if (match == NULL)
        return aci_fail_nomem(err);
    status = agentchat_list_edit_new(plan->env, list->count, &d.out, err);
    if (status >= 0)
        status = aci_edit_match(plan, given, list, match, err);
    if (status >= 0)
        status = derive(&d, match, list->count, err);
    aci_free(plan->env, match, size);
    if (status < 0)
        agentchat_list_edit_free(d.out);
    else
        *out = d.out;
    return status;
}

static bool takes_message(void *keep_all, const agentchat_message *message)
{
    return aci_receive_filter_takes(message, *(const bool *)keep_all);
}

/* Whether a list is just what the channel was given of the history, and becomes that of the new one. */
static bool is_history(const aci_edit_plan *plan, const aci_edit_given *given, const agentchat_messages *list,
                       bool filter)
{
    return (!filter || plan->passes) && list->count == given->end && given->pending_count == 0 &&
           aci_list_is_prefix(list, plan->before);
}

agentchat_status aci_edit_plan_apply(aci_edit_plan *plan, const aci_edit_given *given, const agentchat_messages *list,
                                     bool filter, bool keep_all, agentchat_messages *out, agentchat_error *err)
{
    agentchat_list_edit *edit = NULL;
    agentchat_status status;

    if (is_history(plan, given, list, filter)) {
        aci_list_prefix(out, &plan->after, aci_edit_plan_end(plan, list->count));
        return AGENTCHAT_OK;
    }
    status = aci_edit_plan_derive(plan, given, list, filter ? takes_message : NULL, &keep_all, &edit, err);
    if (status >= 0 && !apply_to(edit, list, plan->env, out))
        status = aci_fail_nomem(err);
    agentchat_list_edit_free(edit);
    return status;
}
