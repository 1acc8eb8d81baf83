/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jansson values to JSON text.
 *
 * A tree made by a host may be of any depth, so it is walked with an explicit stack, up to the limit; jansson's own
 * writer recurses, and spells 0.1 with 17 digits.
 */
#include <agentchat/json.h>

#include "base/error.h"
#include "base/utf8.h"
#include "json/bridge.h"
#include "json/value.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- doubles -------------------------------------------------------------------------------------------------- */

static const char number_bytes[] = "+-0123456789eE";

static size_t print(double value, bool is_float, int digits, char out[ACI_REAL_SIZE])
{
    char *point, *after_point;

    for (;; digits++) {
        (void)snprintf(out, ACI_REAL_SIZE, "%.*g", digits, value);
        if (digits >= (is_float ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG) ||
            (is_float ? (double)strtof(out, NULL) : strtod(out, NULL)) == value)
            break;
    }
    /* The locale's decimal point may be of several bytes; it is what is no part of a number otherwise. */
    point = out + strspn(out, number_bytes);
    after_point = point + strcspn(point, number_bytes);
    if (after_point > point) {
        memmove(point + 1, after_point, strlen(after_point) + 1);
        *point = '.';
    } else if (strpbrk(out, "eE") == NULL) {
        memcpy(point, ".0", 3);
    }
    return strlen(out);
}

/* Any 15 digits survive, so fewer than that need no try, except where a double has fewer of its own. */
size_t aci_json_real_print(double value, char out[ACI_REAL_SIZE])
{
    return print(value, false, fabs(value) < DBL_MIN ? 1 : DBL_DIG, out);
}

size_t aci_json_float_print(float value, char out[ACI_REAL_SIZE])
{
    return print(value, true, fabsf(value) < FLT_MIN ? 1 : FLT_DIG, out);
}

/* ---- tree ----------------------------------------------------------------------------------------------------- */

typedef struct level {
    const json_t *container;
    void *iter;   /* of an object: the current member */
    size_t index; /* of an array: the current element */
} level;

typedef struct dump {
    const agentchat_env *env;
    uint32_t max_depth;
    aci_buf text;
    level *levels;
    size_t count, cap;
    agentchat_error *err;
} dump;

/* jansson's iteration takes no const. */
static json_t *loosened(const json_t *value)
{
    return (json_t *)(uintptr_t)value;
}

/* JSON Pointer of the current location for the error; left out where there is no memory for it. */
static agentchat_status fail_here(dump *d, agentchat_status status, const char *why)
{
    aci_buf pointer;
    bool ok = true;

    (void)aci_fail(d->err, status, "%s", why);
    aci_buf_init(&pointer, d->env, SIZE_MAX);
    for (size_t i = 0; ok && i < d->count; i++) {
        const level *l = &d->levels[i];

        if (l->iter != NULL)
            ok = aci_json_pointer_add(
                &pointer, (agentchat_str){json_object_iter_key(l->iter), json_object_iter_key_len(l->iter)});
        else
            ok = aci_json_pointer_add_index(&pointer, l->index);
    }
    if (ok)
        aci_error_path(d->err, aci_buf_str(&pointer));
    aci_buf_clear(&pointer);
    return status;
}

static agentchat_status put(dump *d, const char *text, size_t len)
{
    return aci_buf_add(&d->text, text, len) ? AGENTCHAT_OK : aci_fail_nomem(d->err);
}

static agentchat_status put_string(dump *d, const char *text, size_t len)
{
    if (!aci_utf8_is_valid((agentchat_str){text, len}, false))
        return fail_here(d, AGENTCHAT_E_INVALID, "a string is not UTF-8");
    return aci_json_canonical_string((agentchat_str){text, len}, &d->text) ? AGENTCHAT_OK : aci_fail_nomem(d->err);
}

static agentchat_status put_scalar(dump *d, const json_t *value)
{
    char digits[ACI_REAL_SIZE];

    switch (json_typeof(value)) {
    case JSON_STRING:
        return put_string(d, json_string_value(value), json_string_length(value));
    case JSON_INTEGER:
        return put(d, digits,
                   (size_t)snprintf(digits, sizeof(digits), "%" JSON_INTEGER_FORMAT, json_integer_value(value)));
    case JSON_REAL:
        if (!isfinite(json_real_value(value)))
            return fail_here(d, AGENTCHAT_E_INVALID, "a number is not finite");
        return put(d, digits, aci_json_real_print(json_real_value(value), digits));
    case JSON_TRUE:
        return put(d, "true", 4);
    case JSON_FALSE:
        return put(d, "false", 5);
    case JSON_NULL:
    case JSON_OBJECT:
    case JSON_ARRAY:
    default:
        return put(d, "null", 4);
    }
}

/* Begins a value: writes a scalar, or opens a container and stands before its first member. */
static agentchat_status put_value(dump *d, const json_t *value)
{
    if (value == NULL)
        return fail_here(d, AGENTCHAT_E_INVALID, "there is no value");
    if (!json_is_object(value) && !json_is_array(value))
        return put_scalar(d, value);
    if (d->count >= d->max_depth)
        return fail_here(d, AGENTCHAT_E_LIMIT, "nested deeper than the limit allows");
    if (!aci_grow(d->env, (void **)&d->levels, &d->cap, d->count, sizeof(level)))
        return aci_fail_nomem(d->err);
    d->levels[d->count++] = (level){value, NULL, SIZE_MAX};
    return put(d, json_is_object(value) ? "{" : "[", 1);
}

/* Goes on in the innermost container: its next value, or its end. */
static agentchat_status step(dump *d)
{
    level *l = &d->levels[d->count - 1];
    bool first = l->iter == NULL && l->index == SIZE_MAX;
    agentchat_status status;

    if (json_is_array(l->container)) {
        l->index++;
        if (l->index >= json_array_size(l->container)) {
            d->count--;
            return put(d, "]", 1);
        }
        status = first ? AGENTCHAT_OK : put(d, ",", 1);
        return status < 0 ? status : put_value(d, json_array_get(l->container, l->index));
    }
    l->iter = first ? json_object_iter(loosened(l->container)) : json_object_iter_next(loosened(l->container), l->iter);
    if (l->iter == NULL) {
        d->count--;
        return put(d, "}", 1);
    }
    status = first ? AGENTCHAT_OK : put(d, ",", 1);
    if (status >= 0)
        status = put_string(d, json_object_iter_key(l->iter), json_object_iter_key_len(l->iter));
    if (status >= 0)
        status = put(d, ":", 1);
    return status < 0 ? status : put_value(d, json_object_iter_value(l->iter));
}

/* Writes into d->text, which the caller clears. */
static agentchat_status dump_tree(dump *d, const json_t *value)
{
    agentchat_status status = put_value(d, value);

    while (status >= 0 && d->count > 0)
        status = step(d);
    aci_free(d->env, d->levels, d->cap * sizeof(level));
    return status;
}

agentchat_status agentchat_json_dump(const agentchat_env *env, const json_t *value, agentchat_bytes *out,
                                     agentchat_error *err)
{
    dump d = {.env = aci_env(env), .err = err};
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    d.max_depth = d.env->limits.max_depth;
    aci_buf_init(&d.text, d.env, SIZE_MAX);
    status = dump_tree(&d, value);
    if (status >= 0)
        status = aci_buf_append_bytes(out, env, aci_buf_str(&d.text), err);
    aci_buf_clear(&d.text);
    return status;
}
