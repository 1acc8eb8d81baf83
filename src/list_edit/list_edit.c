/* SPDX-License-Identifier: Apache-2.0 */
#include "list_edit/list_edit.h"

#include "base/buf.h"
#include "base/error.h"
#include <string.h>

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

/* The entry of an element, or where it would stand: after what is inserted before the element. */
static size_t find(const agentchat_list_edit *edit, size_t index)
{
    size_t from = 0, to = edit->count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const aci_edit_entry *entry = &edit->entries[middle];

        if (entry->index < index || (entry->index == index && entry->kind == AGENTCHAT_EDIT_INSERT))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static bool reserve(agentchat_list_edit *edit, size_t count)
{
    void *entries = edit->entries;
    bool ok = true;

    while (ok && edit->cap - edit->count < count)
        ok = aci_grow(edit->env, &entries, &edit->cap, edit->cap, sizeof *edit->entries);
    edit->entries = entries;
    return ok;
}

static bool make_room(agentchat_list_edit *edit, size_t at, size_t count)
{
    if (!reserve(edit, count))
        return false;
    memmove(edit->entries + at + count, edit->entries + at, (edit->count - at) * sizeof *edit->entries);
    edit->count += count;
    return true;
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

/* Sets what becomes of an element. message: a reference is taken. */
static agentchat_status set(agentchat_list_edit *edit, size_t index, agentchat_edit_kind kind,
                            const agentchat_message *message, agentchat_error *err)
{
    size_t at = find(edit, index);
    aci_edit_entry *entry;

    if (at == edit->count || edit->entries[at].index != index) {
        if (!make_room(edit, at, 1))
            return aci_fail_nomem(err);
        edit->entries[at] = (aci_edit_entry){index, AGENTCHAT_EDIT_REPLACE, NULL};
    }
    entry = &edit->entries[at];
    edit->removed += (kind == AGENTCHAT_EDIT_REMOVE) - (size_t)(entry->kind == AGENTCHAT_EDIT_REMOVE);
    agentchat_message_unref(entry->message);
    entry->kind = kind;
    entry->message = agentchat_message_ref(message);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_list_edit_remove(agentchat_list_edit *edit, size_t index, size_t count, agentchat_error *err)
{
    agentchat_status status = check(edit, index, count, err);
    size_t at, before;

    if (status < 0 || count == 0)
        return status;
    /* Mostly nothing was said of them before: then they go in at once. */
    at = find(edit, index);
    before = find(edit, index + count - 1);
    if (at == before && (at == edit->count || edit->entries[at].index > index + count - 1)) {
        if (!make_room(edit, at, count))
            return aci_fail_nomem(err);
        for (size_t i = 0; i < count; i++)
            edit->entries[at + i] = (aci_edit_entry){index + i, AGENTCHAT_EDIT_REMOVE, NULL};
        edit->removed += count;
        return AGENTCHAT_OK;
    }
    if (!reserve(edit, count)) /* so that it fails before anything has changed */
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count; i++)
        (void)set(edit, index + i, AGENTCHAT_EDIT_REMOVE, NULL, NULL);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_list_edit_replace(agentchat_list_edit *edit, size_t index, const agentchat_message *message,
                                             agentchat_error *err)
{
    agentchat_status status = check(edit, index, 1, err);

    if (status < 0)
        return status;
    return message != NULL ? set(edit, index, AGENTCHAT_EDIT_REPLACE, message, err) : aci_fail_null(err, "message");
}

agentchat_status agentchat_list_edit_insert(agentchat_list_edit *edit, size_t index, const agentchat_message *message,
                                            agentchat_error *err)
{
    agentchat_status status = check(edit, index, 0, err);
    size_t at;

    if (status < 0)
        return status;
    if (message == NULL)
        return aci_fail_null(err, "message");
    at = find(edit, index);
    if (!make_room(edit, at, 1))
        return aci_fail_nomem(err);
    edit->entries[at] = (aci_edit_entry){index, AGENTCHAT_EDIT_INSERT, agentchat_message_ref(message)};
    edit->inserted++;
    return AGENTCHAT_OK;
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
    if (!reserve(edit, first + edit->length - last))
        return aci_fail_nomem(err);
    status = agentchat_list_edit_remove(edit, last, edit->length - last, err);
    return status < 0 ? status : agentchat_list_edit_remove(edit, 0, first, err);
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
    return edit != NULL ? edit->length - edit->removed + edit->inserted : 0;
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
