/* SPDX-License-Identifier: Apache-2.0 */
/* Adding to lists: messages by their ids, updates of lists of JSON values. */
#include "list_edit/list_edit.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/index.h"
#include <agentchat/json_text.h>
#include <string.h>

/* ==== add messages =============================================================================================== */
/* Adding messages by their ids, as LangGraph's add_messages does (langgraph 1.2.22, langgraph/graph/message.py). */

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

/* ==== json list ================================================================================================== */
/*
 * Updates of a list of JSON values: appending, keeping a range, clearing, replacing, or what a reducer of the
 * caller's makes of one.
 */

/* ---- what an update says ---------------------------------------------------------------------------------------- */

static agentchat_status fail(agentchat_error *err, const char *what)
{
    return aci_fail(err, AGENTCHAT_E_INVALID, "update of a list: %s", what);
}

static size_t length_of(agentchat_str array)
{
    agentchat_json_walk walk;
    size_t length = 0;

    agentchat_json_walk_into(&walk, array);
    while (agentchat_json_walk_next(&walk))
        length++;
    return length;
}

/* An integer, clamped to what 64 bits hold; false: it is none. */
static bool read_integer(agentchat_str value, int64_t *out)
{
    bool is_negative = value.len > 0 && *value.ptr == '-';
    uint64_t magnitude = 0;

    if (agentchat_json_kind_of(value) != AGENTCHAT_JSON_NUMBER)
        return false;
    for (size_t i = is_negative; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9')
            return false;
        if (magnitude <= (INT64_MAX - 9) / 10)
            magnitude = magnitude * 10 + (uint64_t)(value.ptr[i] - '0');
        else
            magnitude = INT64_MAX;
    }
    *out = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

/* A bound of a range; *bound is NULL where the value is null, an open one. */
static agentchat_status read_bound(agentchat_str update, const char *name, int64_t *number, const int64_t **bound,
                                   agentchat_error *err)
{
    agentchat_str value = agentchat_json_find(update, agentchat_str_from(name));
    agentchat_json_kind kind = agentchat_json_kind_of(value);

    *bound = kind == AGENTCHAT_JSON_NULL ? NULL : number;
    *number = kind == AGENTCHAT_JSON_TRUE;
    if (kind == AGENTCHAT_JSON_NULL || kind == AGENTCHAT_JSON_TRUE || kind == AGENTCHAT_JSON_FALSE ||
        read_integer(value, number))
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_INVALID, "update of a list: \"%s\" must be an integer or null", name);
}

static agentchat_status read_keep(agentchat_str update, aci_list_edit_update *out, agentchat_error *err)
{
    size_t length = out->to;
    int64_t from, to;
    const int64_t *first, *last;
    agentchat_status status = read_bound(update, "from", &from, &first, err);

    if (status >= 0)
        status = read_bound(update, "to", &to, &last, err);
    if (status < 0)
        return status;
    out->from = aci_list_edit_bound(first, 0, length);
    out->to = aci_list_edit_bound(last, length, length);
    if (out->to < out->from)
        out->to = out->from;
    return AGENTCHAT_OK;
}

static agentchat_status read_append(agentchat_str update, aci_list_edit_update *out, agentchat_error *err)
{
    out->value = agentchat_json_find(update, AGENTCHAT_STR("value"));
    return out->value.ptr != NULL ? AGENTCHAT_OK : fail(err, "to append, it needs \"value\"");
}

static agentchat_status read_overwrite(agentchat_str list, aci_list_edit_update *out, agentchat_error *err)
{
    if (agentchat_json_kind_of(list) != AGENTCHAT_JSON_ARRAY)
        return fail(err, "what takes the place of the list must be a list");
    out->to = 0;
    out->values = list;
    return AGENTCHAT_OK;
}

/* The value of an object that has nothing but the name of LangGraph's for overwriting; absent: it is none. */
static agentchat_str overwriting(agentchat_str update)
{
    return length_of(update) == 1 ? agentchat_json_find(update, AGENTCHAT_STR("__overwrite__"))
                                  : (agentchat_str){NULL, 0};
}

agentchat_status aci_list_edit_update_read(agentchat_str update, size_t length, aci_list_edit_update *out,
                                           agentchat_error *err)
{
    agentchat_str type = agentchat_json_find(update, AGENTCHAT_STR("type")), list;

    *out = (aci_list_edit_update){.to = length};
    if (agentchat_json_kind_of(update) == AGENTCHAT_JSON_ARRAY) {
        out->values = update;
        return AGENTCHAT_OK;
    }
    if (agentchat_json_kind_of(update) == AGENTCHAT_JSON_OBJECT) {
        list = overwriting(update);
        if (list.ptr != NULL)
            return read_overwrite(list, out, err);
        if (agentchat_json_equal(type, AGENTCHAT_STR("keep")))
            return read_keep(update, out, err);
        if (agentchat_json_equal(type, AGENTCHAT_STR("append")))
            return read_append(update, out, err);
        if (agentchat_json_equal(type, AGENTCHAT_STR("__overwrite__")))
            return read_overwrite(agentchat_json_find(update, AGENTCHAT_STR("value")), out, err);
        if (agentchat_json_equal(type, AGENTCHAT_STR("clear"))) {
            out->to = 0;
            return AGENTCHAT_OK;
        }
    }
    return fail(err, "it must be a list, or an object whose type is keep, append, clear or __overwrite__");
}

/* ---- the new list ------------------------------------------------------------------------------------------------ */

typedef struct reducing {
    const agentchat_env *env;
    agentchat_str existing; /* an array */
    aci_buf list;           /* the new one */
    agentchat_error *err;
} reducing;

static bool add_value(aci_buf *list, agentchat_str value)
{
    return (list->len == 1 || aci_buf_add_str(list, AGENTCHAT_STR(","))) && aci_buf_add_str(list, value);
}

/* Adds elements [from, to) of an array. */
static bool add_range(reducing *r, agentchat_str array, size_t from, size_t to)
{
    agentchat_json_walk walk;
    bool ok = true;

    agentchat_json_walk_into(&walk, array);
    for (size_t i = 0; ok && i < to && agentchat_json_walk_next(&walk); i++)
        ok = i < from || add_value(&r->list, walk.value);
    return ok;
}

static agentchat_status reduce(reducing *r, agentchat_str update)
{
    aci_list_edit_update what;
    agentchat_status status = aci_list_edit_update_read(update, length_of(r->existing), &what, r->err);

    if (status < 0)
        return status;
    if (add_range(r, r->existing, what.from, what.to) &&
        (what.values.ptr == NULL || add_range(r, what.values, 0, SIZE_MAX)) &&
        (what.value.ptr == NULL || add_value(&r->list, what.value)))
        return AGENTCHAT_OK;
    return aci_fail_nomem(r->err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static agentchat_status check_array(const reducing *r, agentchat_str text, const char *what, agentchat_str *array)
{
    agentchat_status status = agentchat_json_check(r->env, text, array, r->err);

    if (status >= 0 && agentchat_json_kind_of(*array) != AGENTCHAT_JSON_ARRAY)
        return aci_fail(r->err, AGENTCHAT_E_INVALID, "%s must be a JSON array", what);
    return status;
}

/* What the caller's reducer makes of an update; *done: it made something. */
static agentchat_status reduce_by(reducing *r, agentchat_json_reducer_fn reducer, void *user, agentchat_str update,
                                  bool *done)
{
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;
    agentchat_str array = {NULL, 0};
    agentchat_status status;

    made.env = r->env;
    status = reducer(user, r->existing, update, &made, r->err);
    *done = status != AGENTCHAT_DONE;
    if (status >= 0 && *done)
        status = check_array(r, (agentchat_str){made.ptr, made.len}, "what a reducer makes of a list", &array);
    if (status >= 0 && *done && !add_range(r, array, 0, SIZE_MAX))
        status = aci_fail_nomem(r->err);
    agentchat_bytes_clear(&made);
    return status;
}

agentchat_status agentchat_json_list_reduce(const agentchat_env *env, agentchat_str existing, agentchat_str update,
                                            agentchat_json_reducer_fn reducer, void *user, agentchat_bytes *out,
                                            agentchat_error *err)
{
    reducing r = {.env = aci_env(env), .existing = AGENTCHAT_STR("[]"), .err = err};
    agentchat_status status = AGENTCHAT_OK;
    bool done = false;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    if (existing.ptr != NULL)
        status = check_array(&r, existing, "a list that is updated", &r.existing);
    if (status >= 0)
        status = agentchat_json_check(env, update, &update, err);
    if (status < 0)
        return status;
    aci_buf_init(&r.list, r.env, SIZE_MAX);
    status = aci_buf_add_str(&r.list, AGENTCHAT_STR("[")) ? AGENTCHAT_OK : aci_fail_nomem(err);
    if (status >= 0 && reducer != NULL)
        status = reduce_by(&r, reducer, user, update, &done);
    if (status >= 0 && !done)
        status = reduce(&r, update);
    if (status >= 0 && !aci_buf_add_str(&r.list, AGENTCHAT_STR("]")))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_buf_append_bytes(out, r.env, aci_buf_str(&r.list), err);
    aci_buf_clear(&r.list);
    return status;
}
