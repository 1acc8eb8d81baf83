/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of a list of JSON values: appending, keeping a range, clearing, replacing, or what a reducer of the caller's
   makes of one. */
#include "list_edit/list_edit.h"

#include "base/buf.h"
#include "base/error.h"
#include <agentchat/json_text.h>
#include <string.h>

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
