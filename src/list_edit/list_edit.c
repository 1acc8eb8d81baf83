/* SPDX-License-Identifier: Apache-2.0 */
/* Edit lists: making, applying and combining them. */
#include "list_edit/list_edit.h"

#include "base/buf.h"
#include "base/error.h"
#include "list_edit/list_edit_internal.h"
#include <agentchat/calls.h>
#include <stdlib.h>
#include <string.h>

/* ==== list edit ================================================================================================== */

agentchat_status agentchat_list_edit_new(const agentchat_env *env, size_t length, agentchat_list_edit **out,
                                         agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = aci_alloc_zero(aci_env(env), sizeof **out);
    if (*out == NULL)
        return aci_fail_nomem(err);
    (*out)->env = aci_env(env);
    (*out)->length = length;
    return AGENTCHAT_OK;
}

void agentchat_list_edit_free(agentchat_list_edit *edit)
{
    if (edit == NULL)
        return;
    for (size_t i = 0; i < edit->count; i++)
        agentchat_message_unref(edit->entries[i].message);
    aci_free(edit->env, edit->entries, edit->cap * sizeof *edit->entries);
    aci_free(edit->env, edit, sizeof *edit);
}

/* ---- entries ---------------------------------------------------------------------------------------------------- */

/* Less than 0: a comes before b in the list; 0: they are for one element, or are inserted at one position. */
static int compare_positions(const aci_edit_entry *a, const aci_edit_entry *b)
{
    bool a_inserts = a->kind == AGENTCHAT_EDIT_INSERT, b_inserts = b->kind == AGENTCHAT_EDIT_INSERT;

    return a->index != b->index ? (a->index > b->index) - (a->index < b->index) : b_inserts - a_inserts;
}

static int compare_waiting(const void *a, const void *b)
{
    const aci_edit_entry *x = a, *y = b;
    int order = compare_positions(x, y);

    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

/* Merges the entries that wait, sorted, from the end, so that each entry moves once. */
static void merge_waiting(agentchat_list_edit *edit)
{
    size_t waiting = edit->count - edit->settled, settled = edit->settled, at = edit->count;
    aci_edit_entry *copy = edit->entries + edit->count;

    memcpy(copy, edit->entries + settled, waiting * sizeof *copy);
    while (waiting > 0)
        if (settled > 0 && compare_positions(&edit->entries[settled - 1], &copy[waiting - 1]) > 0)
            edit->entries[--at] = edit->entries[--settled];
        else
            edit->entries[--at] = copy[--waiting];
}

static void add_to_counts(agentchat_list_edit *edit, agentchat_edit_kind kind, size_t count)
{
    edit->removed += kind == AGENTCHAT_EDIT_REMOVE ? count : 0;
    edit->inserted += kind == AGENTCHAT_EDIT_INSERT ? count : 0;
}

/* Of several entries for one element the last one stays. */
static void drop_overridden(agentchat_list_edit *edit)
{
    size_t kept = 0;

    edit->removed = edit->inserted = 0;
    for (size_t i = 0; i < edit->count; i++) {
        const aci_edit_entry *entry = &edit->entries[i];

        if (i + 1 < edit->count && entry->kind != AGENTCHAT_EDIT_INSERT && compare_positions(entry, entry + 1) == 0) {
            agentchat_message_unref(entry->message);
            continue;
        }
        add_to_counts(edit, entry->kind, 1);
        edit->entries[kept++] = *entry;
    }
    edit->count = edit->settled = kept;
}

void aci_list_edit_settle(const agentchat_list_edit *edit)
{
    /* It changes how it holds what it says, not what it says. */
    agentchat_list_edit *changed = (agentchat_list_edit *)(uintptr_t)edit;

    if (edit->settled == edit->count)
        return;
    qsort(changed->entries + edit->settled, edit->count - edit->settled, sizeof *edit->entries, compare_waiting);
    merge_waiting(changed);
    drop_overridden(changed);
}

/* Whether an entry comes after all that there are. */
static bool is_next(const agentchat_list_edit *edit, size_t index, agentchat_edit_kind kind)
{
    aci_edit_entry entry = {index, kind, 0, NULL};
    int order = edit->count > 0 ? compare_positions(&edit->entries[edit->count - 1], &entry) : -1;

    return edit->settled == edit->count && (order < 0 || (order == 0 && kind == AGENTCHAT_EDIT_INSERT));
}

/* Makes room for so many entries; waits: for those that wait twice. */
static bool reserve(agentchat_list_edit *edit, size_t count, bool waits)
{
    size_t waiting = edit->count - edit->settled, wanted = waits ? 2 * count + waiting : count;
    void *entries = edit->entries;
    bool ok = count < SIZE_MAX / 4; /* so that nothing wraps: no memory has as many entries */

    while (ok && edit->cap - edit->count < wanted)
        ok = aci_grow(edit->env, &entries, &edit->cap, edit->cap, sizeof *edit->entries);
    edit->entries = entries;
    return ok;
}

/* Adds an entry for each of so many elements. message: a reference is taken for each. */
static agentchat_status add(agentchat_list_edit *edit, size_t index, size_t count, agentchat_edit_kind kind,
                            const agentchat_message *message, agentchat_error *err)
{
    enum { FEW = 64 };
    bool next = is_next(edit, index, kind);

    if (!reserve(edit, count, !next))
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count; i++, edit->count++)
        edit->entries[edit->count] =
            (aci_edit_entry){index + i, kind, (uint32_t)(edit->count - edit->settled), agentchat_message_ref(message)};
    if (next) {
        edit->settled = edit->count;
        add_to_counts(edit, kind, count);
    } else if (edit->count - edit->settled > FEW && edit->count - edit->settled > edit->settled) {
        aci_list_edit_settle(edit); /* elements that change again and again take no more memory */
    }
    return AGENTCHAT_OK;
}

static agentchat_status check(const agentchat_list_edit *edit, size_t index, size_t count, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (edit == NULL)
        return aci_fail_null(err, "edit");
    if (index > edit->length || count > edit->length - index)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the list has %zu elements: there are no %zu from %zu on",
                        edit->length, count, index);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_list_edit_remove(agentchat_list_edit *edit, size_t index, size_t count, agentchat_error *err)
{
    agentchat_status status = check(edit, index, count, err);

    return status < 0 || count == 0 ? status : add(edit, index, count, AGENTCHAT_EDIT_REMOVE, NULL, err);
}

agentchat_status agentchat_list_edit_replace(agentchat_list_edit *edit, size_t index, const agentchat_message *message,
                                             agentchat_error *err)
{
    agentchat_status status = check(edit, index, 1, err);

    if (status < 0)
        return status;
    return message != NULL ? add(edit, index, 1, AGENTCHAT_EDIT_REPLACE, message, err) : aci_fail_null(err, "message");
}

agentchat_status agentchat_list_edit_insert(agentchat_list_edit *edit, size_t index, const agentchat_message *message,
                                            agentchat_error *err)
{
    agentchat_status status = check(edit, index, 0, err);

    if (status < 0)
        return status;
    return message != NULL ? add(edit, index, 1, AGENTCHAT_EDIT_INSERT, message, err) : aci_fail_null(err, "message");
}

size_t aci_list_edit_bound(const int64_t *given, size_t otherwise, size_t length)
{
    uint64_t back;

    if (given == NULL)
        return otherwise;
    if (*given >= 0)
        return (uint64_t)*given < length ? (size_t)*given : length;
    back = (uint64_t) - (*given + 1) + 1;
    return back < length ? length - (size_t)back : 0;
}

agentchat_status agentchat_list_edit_keep(agentchat_list_edit *edit, const int64_t *from, const int64_t *to,
                                          agentchat_error *err)
{
    agentchat_status status = check(edit, 0, 0, err);
    size_t first, last;

    if (status < 0)
        return status;
    first = aci_list_edit_bound(from, 0, edit->length);
    last = aci_list_edit_bound(to, edit->length, edit->length);
    if (first >= last)
        return agentchat_list_edit_remove(edit, 0, edit->length, err);
    /* All at once, so that it fails before anything has changed. */
    if (!reserve(edit, first + edit->length - last, !is_next(edit, first > 0 ? 0 : last, AGENTCHAT_EDIT_REMOVE)))
        return aci_fail_nomem(err);
    status = agentchat_list_edit_remove(edit, 0, first, err);
    return status < 0 ? status : agentchat_list_edit_remove(edit, last, edit->length - last, err);
}

agentchat_status aci_list_edit_keep_flagged(agentchat_list_edit *edit, const bool *keep, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < edit->length;) {
        size_t end = i;

        while (end < edit->length && keep[end] == keep[i])
            end++;
        if (!keep[i])
            status = agentchat_list_edit_remove(edit, i, end - i, err);
        i = end;
    }
    return status;
}

/* ---- what is in it ---------------------------------------------------------------------------------------------- */

size_t agentchat_list_edit_length(const agentchat_list_edit *edit)
{
    return edit != NULL ? edit->length : 0;
}

size_t agentchat_list_edit_result_length(const agentchat_list_edit *edit)
{
    if (edit == NULL)
        return 0;
    aci_list_edit_settle(edit);
    return edit->length - edit->removed + edit->inserted;
}

bool agentchat_list_edit_is_empty(const agentchat_list_edit *edit)
{
    return edit == NULL || edit->count == 0;
}

bool agentchat_list_edit_next(const agentchat_list_edit *edit, agentchat_edit_step *step)
{
    size_t index, at;

    if (edit == NULL || step == NULL)
        return false;
    aci_list_edit_settle(edit);
    index = step->index + step->count;
    at = step->position;
    if (at == edit->count && index == edit->length)
        return false;
    if (at == edit->count || edit->entries[at].index > index) {
        size_t end = at < edit->count ? edit->entries[at].index : edit->length;

        *step = (agentchat_edit_step){AGENTCHAT_EDIT_KEEP, index, end - index, NULL, at};
        return true;
    }
    *step = (agentchat_edit_step){edit->entries[at].kind, index, edit->entries[at].kind != AGENTCHAT_EDIT_INSERT,
                                  edit->entries[at].message, at + 1};
    while (step->kind == AGENTCHAT_EDIT_REMOVE && step->position < edit->count &&
           edit->entries[step->position].kind == AGENTCHAT_EDIT_REMOVE &&
           edit->entries[step->position].index == step->index + step->count) {
        step->count++;
        step->position++;
    }
    return true;
}

static bool append(agentchat_messages *list, const agentchat_messages *from, const agentchat_edit_step *step)
{
    if (step->kind == AGENTCHAT_EDIT_REMOVE)
        return true;
    if (step->kind == AGENTCHAT_EDIT_KEEP)
        return aci_list_append_range(list, from, step->index, step->count);
    return aci_list_append(list, step->message);
}

agentchat_status agentchat_list_edit_apply(const agentchat_list_edit *edit, const agentchat_messages *messages,
                                           agentchat_messages **out, agentchat_error *err)
{
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};
    agentchat_messages *list;
    bool ok = true;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (edit == NULL || messages == NULL)
        return aci_fail_null(err, edit == NULL ? "edit" : "messages");
    if (messages->count != edit->length)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the edit list is for %zu messages, and there are %zu", edit->length,
                        messages->count);
    list = aci_alloc(messages->env, sizeof *list);
    if (list == NULL)
        return aci_fail_nomem(err);
    aci_list_init(list, messages->env);
    if (agentchat_list_edit_next(edit, &step)) {
        if (step.kind == AGENTCHAT_EDIT_KEEP)
            aci_list_prefix(list, messages, step.count);
        else
            ok = append(list, messages, &step);
    }
    while (ok && agentchat_list_edit_next(edit, &step))
        ok = append(list, messages, &step);
    if (!ok) {
        agentchat_messages_unref(list);
        return aci_fail_nomem(err);
    }
    *out = list;
    return AGENTCHAT_OK;
}

/* ==== calls and their results, so that no list keeps the one without the other =================================== */

static size_t first_of(aci_pairs *pairs, size_t message)
{
    while (pairs->first[message] != message) {
        pairs->first[message] = pairs->first[pairs->first[message]];
        message = pairs->first[message];
    }
    return message;
}

/* Makes two groups one. */
static void join(aci_pairs *pairs, size_t a, size_t b)
{
    size_t one = first_of(pairs, a), other = first_of(pairs, b), next;

    if (one == other)
        return;
    pairs->first[one > other ? one : other] = one < other ? one : other;
    next = pairs->next[one];
    pairs->next[one] = pairs->next[other];
    pairs->next[other] = next;
}

static bool has_only_results(const agentchat_message *message)
{
    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        if (agentchat_item_get_kind(agentchat_message_item(message, i)) != AGENTCHAT_ITEM_RESULT)
            return false;
    return agentchat_message_item_count(message) > 0;
}

agentchat_status aci_pairs_find(aci_pairs *pairs, const agentchat_env *env, const agentchat_messages *messages,
                                agentchat_error *err)
{
    agentchat_calls *calls = NULL;
    agentchat_status status;
    size_t bytes, last = messages->count; /* after the last message that is more than results */

    *pairs = (aci_pairs){.env = aci_env(env), .count = messages->count};
    pairs->first = aci_alloc_array(pairs->env, pairs->count + 1, sizeof(size_t), &bytes);
    pairs->next = aci_alloc_array(pairs->env, pairs->count + 1, sizeof(size_t), &bytes);
    pairs->alone = aci_alloc_array(pairs->env, pairs->count + 1, sizeof(bool), &bytes);
    if (pairs->first == NULL || pairs->next == NULL || pairs->alone == NULL) {
        aci_pairs_clear(pairs);
        return aci_fail_nomem(err);
    }
    status = agentchat_calls_find(env, messages, &calls, err);
    while (last > 0 && has_only_results(agentchat_messages_at(messages, last - 1)))
        last--;
    for (size_t i = 0; i < pairs->count; i++) {
        pairs->first[i] = pairs->next[i] = i;
        pairs->alone[i] = false;
    }
    for (size_t i = 0; i < agentchat_calls_count(calls); i++) {
        const agentchat_call *call = agentchat_calls_at(calls, i);

        if (call->partner != AGENTCHAT_NO_PARTNER)
            join(pairs, call->message, agentchat_calls_at(calls, call->partner)->message);
        else if (agentchat_item_get_kind(call->item) == AGENTCHAT_ITEM_RESULT || call->message + 1 != last)
            pairs->alone[call->message] = true;
    }
    for (size_t i = 0; i < pairs->count; i++)
        pairs->first[i] = first_of(pairs, i);
    agentchat_calls_free(calls);
    if (status < 0)
        aci_pairs_clear(pairs);
    return status;
}

void aci_pairs_complete(const aci_pairs *pairs, bool *keep, bool *broken)
{
    memset(broken, 0, pairs->count * sizeof *broken);
    for (size_t i = 0; i < pairs->count; i++)
        broken[pairs->first[i]] = broken[pairs->first[i]] || !keep[i];
    for (size_t i = 0; i < pairs->count; i++)
        keep[i] = keep[i] && !broken[pairs->first[i]];
}

void aci_pairs_drop(const aci_pairs *pairs, bool *keep, size_t message)
{
    keep[message] = false;
    for (size_t at = pairs->next[message]; at != message; at = pairs->next[at])
        keep[at] = false;
}

void aci_pairs_clear(aci_pairs *pairs)
{
    aci_free(pairs->env, pairs->first, (pairs->count + 1) * sizeof(size_t));
    aci_free(pairs->env, pairs->next, (pairs->count + 1) * sizeof(size_t));
    aci_free(pairs->env, pairs->alone, (pairs->count + 1) * sizeof(bool));
    pairs->first = pairs->next = NULL;
    pairs->alone = NULL;
}

/* ==== edit lists that only remove: what a test chooses, all but the last messages ================================ */

/* A list and where the edit list goes, checked. */
static agentchat_status begin(const agentchat_env *env, const agentchat_messages *messages, agentchat_list_edit **out,
                              agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    return messages != NULL ? agentchat_list_edit_new(env, messages->count, out, err) : aci_fail_null(err, "messages");
}

static agentchat_status end(agentchat_status status, agentchat_list_edit **out)
{
    if (status < 0) {
        agentchat_list_edit_free(*out);
        *out = NULL;
    }
    return status;
}

agentchat_status agentchat_messages_remove_if(const agentchat_env *env, const agentchat_messages *messages,
                                              agentchat_message_test_fn test, void *user, agentchat_list_edit **out,
                                              agentchat_error *err)
{
    agentchat_status status = begin(env, messages, out, err);
    aci_list_cursor cursor;

    if (status < 0)
        return status;
    if (test == NULL)
        return end(aci_fail_null(err, "test"), out);
    aci_list_cursor_begin(&cursor, messages);
    for (size_t i = 0; status >= 0 && i < messages->count; i++)
        if (test(user, aci_list_cursor_at(&cursor, i)))
            status = agentchat_list_edit_remove(*out, i, 1, err);
    return end(status, out);
}

bool agentchat_messages_find_id(const agentchat_messages *messages, agentchat_str id, size_t *index)
{
    for (size_t i = agentchat_messages_count(messages); i-- > 0;) {
        agentchat_str given = agentchat_message_get(agentchat_messages_at(messages, i), AGENTCHAT_FIELD_ID);

        if (id.ptr != NULL && given.ptr != NULL && !agentchat_str_is_null(given) && agentchat_str_equal(given, id)) {
            if (index != NULL)
                *index = i;
            return true;
        }
    }
    return false;
}

agentchat_status agentchat_messages_keep_last(const agentchat_env *env, const agentchat_messages *messages,
                                              size_t count, agentchat_list_edit **out, agentchat_error *err)
{
    agentchat_status status = begin(env, messages, out, err);
    bool *flags; /* whether each stays, and memory for as many */
    aci_pairs pairs;
    size_t bytes;

    if (status < 0)
        return status;
    flags = aci_alloc_array(aci_env(env), messages->count + 1, 2 * sizeof *flags, &bytes);
    if (flags == NULL)
        return end(aci_fail_nomem(err), out);
    status = aci_pairs_find(&pairs, env, messages, err);
    if (status >= 0) {
        for (size_t i = 0; i < messages->count; i++)
            flags[i] = messages->count - i <= count;
        aci_pairs_complete(&pairs, flags, flags + messages->count);
        status = aci_list_edit_keep_flagged(*out, flags, err);
        aci_pairs_clear(&pairs);
    }
    aci_free(aci_env(env), flags, bytes);
    return end(status, out);
}

/* ==== roles as they are compared ================================================================================= */

agentchat_str aci_roles_plain(agentchat_str role)
{
    return agentchat_str_equal(role, AGENTCHAT_STR("human"))       ? AGENTCHAT_STR("user")
           : agentchat_str_equal(role, AGENTCHAT_STR("ai"))        ? AGENTCHAT_STR("assistant")
           : agentchat_str_equal(role, AGENTCHAT_STR("developer")) ? AGENTCHAT_STR("system")
                                                                   : role;
}

bool aci_roles_has(const char *list, agentchat_str role)
{
    if (list == NULL || *list == '\0')
        return true;
    for (;;) {
        size_t len = strcspn(list, ",");

        if (agentchat_str_equal(aci_roles_plain((agentchat_str){list, len}), aci_roles_plain(role)))
            return true;
        if (list[len] == '\0')
            return false;
        list += len + 1;
    }
}
