/* SPDX-License-Identifier: Apache-2.0 */
/* Changes that check what they are given: setting and adding. */
#include "state/state.h"

#include "base/error.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdio.h>

/* Checks a value as a member of the map's object, so that what goes in can be written and read again. */
static agentchat_status check_value(const agentchat_env *env, agentchat_str text, agentchat_str *span,
                                    agentchat_error *err)
{
    aci_json_options options = {.env = env, .depth_used = 1};
    aci_json_reader r;
    agentchat_status status;

    /* The reader takes writable text for decoding in place, which is not asked for here. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)(text.ptr != NULL ? text.ptr : ""), text.len, err);
    (void)(aci_json_raw(&r, span) && aci_json_end(&r));
    status = aci_json_close(&r);
    if (status == AGENTCHAT_E_SYNTAX) {
        status = AGENTCHAT_E_INVALID;
        if (err != NULL)
            err->code = status;
    }
    return status;
}

agentchat_status agentchat_state_set(agentchat_state *state, const char *key, agentchat_str value, agentchat_error *err)
{
    agentchat_str name = agentchat_str_from(key), span;
    agentchat_status status;

    agentchat_error_clear(err);
    if (state == NULL)
        return aci_fail_null(err, "state");
    status = aci_key_check(name, err);
    if (status < 0)
        return status;
    status = check_value(state->env, value, &span, err);
    if (status < 0) {
        aci_json_cure(err, status, name, "agentchat_state_set_text");
        return status;
    }
    return aci_state_put(state, name, span) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status agentchat_state_set_text(agentchat_state *state, const char *key, agentchat_str text,
                                          agentchat_error *err)
{
    agentchat_status status;
    aci_buf quoted;

    agentchat_error_clear(err);
    if (state == NULL)
        return aci_fail_null(err, "state");
    aci_buf_init(&quoted, state->env, SIZE_MAX);
    status = aci_json_quote(text, &quoted, err);
    if (status >= 0)
        status = agentchat_state_set(state, key, aci_buf_str(&quoted), err);
    aci_buf_clear(&quoted);
    return status;
}

/* A JSON number of nothing but a sign and digits. */
static bool is_integer(agentchat_str value)
{
    size_t at = value.len > 0 && value.ptr[0] == '-' ? 1 : 0;

    if (at == value.len)
        return false;
    for (; at < value.len; at++)
        if (value.ptr[at] < '0' || value.ptr[at] > '9')
            return false;
    return true;
}

static bool parse_integer(agentchat_str value, int64_t *out)
{
    bool negative = value.ptr[0] == '-';

    *out = 0;
    for (size_t at = negative ? 1 : 0; at < value.len; at++) {
        int64_t digit = value.ptr[at] - '0';

        if (__builtin_mul_overflow(*out, (int64_t)10, out) ||
            __builtin_add_overflow(*out, negative ? -digit : digit, out))
            return false;
    }
    return true;
}

agentchat_status aci_state_sum(agentchat_str key, agentchat_str value, int64_t amount, int64_t *sum,
                               agentchat_error *err)
{
    aci_excerpt shown, number;
    int64_t before = 0;

    if (value.ptr != NULL && !is_integer(value))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the value of \"%s\" is not an integer in plain digits: %s",
                        aci_error_excerpt(key, &shown), aci_error_excerpt(value, &number));
    if (value.ptr != NULL && !parse_integer(value, &before))
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the value of \"%s\" is beyond 64 bits: %s",
                        aci_error_excerpt(key, &shown), aci_error_excerpt(value, &number));
    if (__builtin_add_overflow(before, amount, sum))
        return aci_fail(err, AGENTCHAT_E_LIMIT, "%" PRId64 " and %" PRId64 " for \"%s\" are together beyond 64 bits",
                        before, amount, aci_error_excerpt(key, &shown));
    return AGENTCHAT_OK;
}

agentchat_status agentchat_state_add(agentchat_state *state, const char *key, int64_t amount, int64_t *result,
                                     agentchat_error *err)
{
    agentchat_str name = agentchat_str_from(key);
    agentchat_status status;
    char text[24];
    int64_t sum = 0;
    int len;

    agentchat_error_clear(err);
    if (state == NULL)
        return aci_fail_null(err, "state");
    status = aci_key_check(name, err);
    if (status >= 0)
        status = aci_state_sum(name, aci_state_find(state, name), amount, &sum, err);
    if (status < 0)
        return status;
    len = snprintf(text, sizeof text, "%" PRId64, sum);
    if (!aci_state_put(state, name, (agentchat_str){text, (size_t)len}))
        return aci_fail_nomem(err);
    if (result != NULL)
        *result = sum;
    return AGENTCHAT_OK;
}
