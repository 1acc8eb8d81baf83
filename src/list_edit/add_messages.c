/* SPDX-License-Identifier: Apache-2.0 */
/* Adding messages by their ids, as LangGraph's add_messages does (langgraph 1.2.22, langgraph/graph/message.py). */
#include "list_edit/list_edit.h"

#include "base/error.h"
#include "base/index.h"
#include <string.h>

/* A message of the list, or one that comes. */
typedef struct entry {
    const agentchat_message *message; /* one reference where it is new */
    agentchat_str id;
    bool is_new; /* it was made here, or came in an update */
} entry;

typedef struct adding {
    const agentchat_env *env;
    entry *entries;
    size_t length; /* of the list; entries after it are appended */
    size_t first;  /* the first entry that counts: of the list, or after all of it went */
    size_t count;
    aci_index ids;  /* the last entry with an id */
    aci_index gone; /* ids that were removed, IS_GONE, or came again, IS_BACK */
    agentchat_error *err;
} adding;

/* Gives an entry a message: a reference of it, or of a copy that has an id. */
static agentchat_status set(adding *a, entry *e, const agentchat_message *message, bool is_update)
{
    const agentchat_message *before = e->is_new ? e->message : NULL;
    const agentchat_message *given;
    agentchat_status status = aci_model_with_id(a->env, message, &given, a->err);

    if (status < 0)
        return status;
    e->message = given;
    e->is_new = given != message || is_update;
    e->id = aci_message_id(given);
    if (!e->is_new)
        agentchat_message_unref(given);
    agentchat_message_unref(before);
    return AGENTCHAT_OK;
}

static agentchat_status take_list(adding *a, const agentchat_messages *messages)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, messages);
    for (; status >= 0 && a->count < messages->count; a->count++) {
        status = set(a, &a->entries[a->count], aci_list_cursor_at(&cursor, a->count), false);
        if (status >= 0 && !aci_index_put(&a->ids, a->env, a->entries[a->count].id, a->count))
            status = aci_fail_nomem(a->err);
    }
    return status;
}

enum { IS_BACK, IS_GONE };

static agentchat_status remove_id(adding *a, agentchat_str id)
{
    aci_excerpt excerpt;

    if (aci_index_find(&a->ids, id) == ACI_INDEX_NONE)
        return aci_fail(a->err, AGENTCHAT_E_NOTFOUND, "there is no message with the id \"%s\" to be removed",
                        aci_error_excerpt(id, &excerpt));
    return aci_index_put(&a->gone, a->env, id, IS_GONE) ? AGENTCHAT_OK : aci_fail_nomem(a->err);
}

static agentchat_status append(adding *a, const agentchat_message *message)
{
    entry *e = &a->entries[a->count];
    agentchat_status status;

    *e = (entry){NULL, {NULL, 0}, false};
    status = set(a, e, message, true);
    if (status < 0)
        return status;
    a->count++;
    return aci_index_put(&a->ids, a->env, e->id, a->count - 1) ? AGENTCHAT_OK : aci_fail_nomem(a->err);
}

static agentchat_status put(adding *a, const agentchat_message *message)
{
    agentchat_str id = aci_message_id(message);
    size_t found = id.ptr != NULL ? aci_index_find(&a->ids, id) : ACI_INDEX_NONE;

    if (found == ACI_INDEX_NONE)
        return append(a, message);
    /* The texts of the indices must stay: the message that is replaced may go at once. */
    if (!aci_index_put(&a->gone, a->env, id, IS_BACK) || !aci_index_put(&a->ids, a->env, id, found))
        return aci_fail_nomem(a->err);
    return set(a, &a->entries[found], message, true);
}

static agentchat_status take_updates(adding *a, const agentchat_message_update *updates, size_t count)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < count; i++)
        status = updates[i].message != NULL ? put(a, updates[i].message) : remove_id(a, updates[i].remove);
    return status;
}

static bool is_gone(const adding *a, size_t at)
{
    return aci_index_find(&a->gone, a->entries[at].id) == IS_GONE;
}

static agentchat_status make_edit(const adding *a, agentchat_list_edit *edit)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = a->first; status >= 0 && i < a->count; i++) {
        const entry *e = &a->entries[i];

        if (is_gone(a, i))
            status = i < a->length ? agentchat_list_edit_remove(edit, i, 1, a->err) : AGENTCHAT_OK;
        else if (i >= a->length)
            status = agentchat_list_edit_insert(edit, a->length, e->message, a->err);
        else if (e->is_new)
            status = agentchat_list_edit_replace(edit, i, e->message, a->err);
    }
    return status;
}

static agentchat_status check(const agentchat_message_update *updates, size_t count, agentchat_error *err)
{
    if (updates == NULL && count > 0)
        return aci_fail_null(err, "updates");
    for (size_t i = 0; i < count; i++)
        if ((updates[i].message == NULL) == (updates[i].remove.ptr == NULL))
            return aci_fail(err, AGENTCHAT_E_INVALID,
                            "update %zu is not either a message or the id of one to be removed", i);
    return AGENTCHAT_OK;
}

/* The updates after the last one that removes all. */
static size_t after_remove_all(const agentchat_message_update *updates, size_t count)
{
    while (count > 0 && !(updates[count - 1].message == NULL &&
                          agentchat_str_equal(updates[count - 1].remove, AGENTCHAT_REMOVE_ALL)))
        count--;
    return count;
}

static agentchat_status add(adding *a, const agentchat_messages *messages, const agentchat_message_update *updates,
                            size_t count, agentchat_list_edit *edit)
{
    size_t anew = after_remove_all(updates, count);
    agentchat_status status =
        anew > 0 ? agentchat_list_edit_remove(edit, 0, edit->length, a->err) : take_list(a, messages);

    if (anew > 0)
        a->first = a->count = a->length;
    if (status >= 0)
        status = take_updates(a, anew > 0 ? updates + anew : updates, count - anew);
    return status < 0 ? status : make_edit(a, edit);
}

agentchat_status agentchat_messages_add(const agentchat_env *env, const agentchat_messages *messages,
                                        const agentchat_message_update *updates, size_t count,
                                        agentchat_list_edit **out, agentchat_error *err)
{
    adding a = {.env = aci_env(env), .err = err};
    agentchat_status status;
    size_t bytes;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (messages == NULL)
        return aci_fail_null(err, "messages");
    status = check(updates, count, err);
    if (status < 0)
        return status;
    a.length = messages->count;
    a.entries = count <= SIZE_MAX - messages->count
                    ? aci_alloc_array(a.env, messages->count + count, sizeof *a.entries, &bytes)
                    : NULL;
    if (a.entries == NULL)
        return aci_fail_nomem(err);
    status = agentchat_list_edit_new(env, messages->count, out, err);
    if (status >= 0)
        status = add(&a, messages, updates, count, *out);
    if (status < 0) {
        agentchat_list_edit_free(*out);
        *out = NULL;
    }
    aci_index_clear(&a.ids, a.env);
    aci_index_clear(&a.gone, a.env);
    for (size_t i = 0; i < messages->count + count; i++)
        if (a.entries[i].is_new)
            agentchat_message_unref(a.entries[i].message);
    aci_free(a.env, a.entries, bytes);
    return status;
}
