/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON text to jansson values. Layer 1.
 *
 * jansson would change some values silently (numbers beyond the precision of a double) and refuses others without
 * saying where. So the text is walked with our own reader first, and jansson gets what it can hold unchanged.
 */
#include <agentchat/json.h>

#include "base/error.h"
#include "json/bridge.h"
#include "json/reader_internal.h"
#include "json/value.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Values inside values, the innermost scalar counted: JSON_PARSER_MAX_DEPTH of jansson. */
enum { JANSSON_LEVELS = 2048 };

static bool refuse(aci_json_reader *r, const char *why)
{
    (void)aci_json_fail(r, AGENTCHAT_E_UNSUPPORTED, "%s", why);
    return false;
}

static bool fits_int64(agentchat_str digits)
{
    bool negative = digits.ptr[0] == '-';
    int64_t value = 0;

    for (size_t i = negative ? 1 : 0; i < digits.len; i++) {
        int digit = digits.ptr[i] - '0';

        if (__builtin_mul_overflow(value, (int64_t)10, &value) ||
            __builtin_add_overflow(value, (int64_t)(negative ? -digit : digit), &value))
            return false;
    }
    return true;
}

/* Whether the double nearest to the number spells the very same number. */
static agentchat_status check_real(agentchat_str text, bool *exact)
{
    const agentchat_env *env = aci_env(NULL);
    char spelled[ACI_REAL_SIZE];
    aci_buf wanted, got;
    agentchat_status status = AGENTCHAT_E_NOMEM;
    double value;

    *exact = false;
    aci_buf_init(&wanted, env, SIZE_MAX);
    aci_buf_init(&got, env, SIZE_MAX);
    if (!aci_json_canonical_number(text, &wanted))
        goto cleanup;
    status = AGENTCHAT_OK;
    if (wanted.len >= sizeof(spelled)) /* more digits than any double needs, or an exponent that none has */
        goto cleanup;
    memcpy(spelled, wanted.ptr, wanted.len); /* the same number, and without the point that depends on the locale */
    spelled[wanted.len] = '\0';
    value = strtod(spelled, NULL);
    if (!isfinite(value))
        goto cleanup;
    if (!aci_json_canonical_number((agentchat_str){spelled, aci_real_print(value, spelled)}, &got)) {
        status = AGENTCHAT_E_NOMEM;
        goto cleanup;
    }
    *exact = got.len == wanted.len && memcmp(got.ptr, wanted.ptr, got.len) == 0;
cleanup:
    aci_buf_clear(&wanted);
    aci_buf_clear(&got);
    return status;
}

static bool check_number(aci_json_reader *r, agentchat_str text)
{
    bool integer = memchr(text.ptr, '.', text.len) == NULL && memchr(text.ptr, 'e', text.len) == NULL &&
                   memchr(text.ptr, 'E', text.len) == NULL;
    bool exact;

    if (integer)
        return fits_int64(text) || refuse(r, "an integer does not fit into jansson's 64 bits");
    if (check_real(text, &exact) < 0) {
        (void)aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
        return false;
    }
    return exact || refuse(r, "a number is beyond the range or precision of a double");
}

static bool check_value(aci_json_reader *r)
{
    aci_json_kind kind = aci_json_peek(r);
    agentchat_str text;

    if (kind == ACI_JSON_ERROR)
        return false;
    if (r->depth == JANSSON_LEVELS)
        return refuse(r, "nested deeper than jansson reads");
    if (kind == ACI_JSON_OBJECT)
        return aci_json_object(r);
    if (kind == ACI_JSON_ARRAY)
        return aci_json_array(r);
    if (!aci_json_raw(r, &text))
        return false;
    if (kind == ACI_JSON_STRING && aci_json_has_lone_surrogates(text))
        return refuse(r, "a string holds half a surrogate pair, which jansson cannot hold");
    return kind != ACI_JSON_NUMBER || check_number(r, text);
}

/* Walks through the text up to and including the member name in which the byte before `stop` stands; then fails with
   `why`. Without `why` walks to the end. */
static agentchat_status walk(agentchat_str text, size_t stop, const char *why, agentchat_error *err)
{
    aci_json_options options = {.max_depth = JANSSON_LEVELS + 1};
    aci_json_reader r;

    aci_json_begin(&r, &options, (char *)(uintptr_t)text.ptr, text.len, err);
    do {
        const aci_json_frame *frame = r.depth > 0 ? &r.frames[r.depth - 1] : NULL;

        if (frame != NULL && frame->is_object) {
            agentchat_str name = {frame->key, frame->key_len};

            if (why != NULL && (size_t)(name.ptr + name.len + 1 - text.ptr) >= stop)
                (void)refuse(&r, why);
            else if (aci_json_has_lone_surrogates(name))
                (void)refuse(&r, "a name holds half a surrogate pair, which jansson cannot hold");
        }
    } while (check_value(&r) && aci_reader_walk_next(&r, 0));
    (void)aci_json_end(&r);
    return aci_json_close(&r);
}

static agentchat_status jansson_refused(agentchat_str text, const json_error_t *error, agentchat_error *err)
{
    size_t position = error->position > 0 ? (size_t)error->position : 0;
    enum json_error_code code = json_error_code(error);
    const char *why;
    agentchat_status status;

    if (code == json_error_duplicate_key)
        why = "a name stands twice in an object, which jansson cannot hold";
    else if (code == json_error_null_byte_in_key)
        why = "a name holds U+0000, which jansson cannot hold";
    else if (code == json_error_unknown || code == json_error_out_of_memory || code == json_error_invalid_syntax)
        return aci_fail_nomem(
            err); /* out of memory, jansson says nothing, or "invalid token"; the syntax was checked */
    else
        return aci_fail(err, AGENTCHAT_E_UNSUPPORTED, "jansson cannot read this value");
    status = walk(text, position, why, err);
    return status < 0 ? status : aci_fail(err, AGENTCHAT_E_UNSUPPORTED, "%s", why);
}

agentchat_status agentchat_json_load(agentchat_str text, json_t **out, agentchat_error *err)
{
    json_error_t error;
    agentchat_status status;

    agentchat_error_clear(err);
    *out = NULL;
    if (text.ptr == NULL || agentchat_str_is_null(text))
        return aci_fail(err, AGENTCHAT_E_INVALID, "there is no JSON text to read");
    status = walk(text, 0, NULL, err);
    if (status < 0)
        return status;
    if (text.len > INT_MAX)
        return aci_fail(err, AGENTCHAT_E_UNSUPPORTED, "the text is longer than jansson reads");
    memset(&error, 0, sizeof(error));
    *out = json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    return *out != NULL ? AGENTCHAT_OK : jansson_refused(text, &error, err);
}

/* ---- fields --------------------------------------------------------------------------------------------------- */

static agentchat_status load_field(agentchat_str text, json_t **out, agentchat_error *err)
{
    *out = NULL;
    if (agentchat_str_is_null(text))
        return agentchat_json_load(AGENTCHAT_STR("null"), out, err);
    return text.ptr == NULL ? AGENTCHAT_OK : agentchat_json_load(text, out, err);
}

agentchat_status agentchat_message_get_json(const agentchat_message *message, agentchat_field field, json_t **out,
                                            agentchat_error *err)
{
    agentchat_error_clear(err);
    return load_field(agentchat_message_get(message, field), out, err);
}

agentchat_status agentchat_item_get_json(const agentchat_item *item, agentchat_field field, json_t **out,
                                         agentchat_error *err)
{
    agentchat_error_clear(err);
    return load_field(agentchat_item_get(item, field), out, err);
}
