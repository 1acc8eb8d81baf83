/* SPDX-License-Identifier: Apache-2.0 */
/* A map out of a JSON object and back. */
#include "state/state.h"

#include "base/error.h"
#include "json/value.h"
#include <inttypes.h>

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* The reader is after the name; an error is located at the name. */
static bool check_name(aci_json_reader *r, const agentchat_state *state, agentchat_str key)
{
    agentchat_error fault;
    agentchat_status status;
    aci_excerpt shown;

    agentchat_error_clear(&fault);
    status = aci_key_check(key, &fault);
    if (status < 0) {
        (void)aci_json_fail(r, status, "%s", fault.message);
        return false;
    }
    if (aci_state_find(state, key).ptr != NULL) {
        (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the key \"%s\" is there twice", aci_error_excerpt(key, &shown));
        return false;
    }
    return true;
}

static void read_members(aci_json_reader *r, agentchat_state *state)
{
    agentchat_str key, value;

    if (!aci_json_object(r))
        return;
    while (aci_json_member(r, &key)) {
        if (check_name(r, state, key) && aci_json_raw(r, &value) && !aci_state_put(state, key, value))
            (void)aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    }
    (void)aci_json_end(r);
}

static agentchat_status read_object(agentchat_state *state, agentchat_str object, agentchat_error *err)
{
    aci_json_options options = {.env = state->env, .arena = aci_arena_new(state->env, 0)};
    aci_json_reader r;
    agentchat_status status;

    if (options.arena == NULL)
        return aci_fail_nomem(err);
    /* The reader takes writable text for decoding in place, which is not asked for here. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)(object.ptr != NULL ? object.ptr : ""), object.len, err);
    read_members(&r, state);
    status = aci_json_close(&r);
    aci_arena_unref(options.arena);
    return status;
}

agentchat_status agentchat_state_read(const agentchat_env *env, agentchat_str object, agentchat_state **out,
                                      agentchat_error *err)
{
    agentchat_state *state;
    agentchat_status status;

    agentchat_error_clear(err);
    env = aci_env(env);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (object.len > env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the object is longer than %" PRIu64 " bytes, the limit max_bytes",
                        env->limits.max_bytes);
    state = aci_state_new(env);
    if (state == NULL)
        return aci_fail_nomem(err);
    status = read_object(state, object, err);
    if (status < 0)
        agentchat_state_free(state);
    else
        *out = state;
    return status;
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

static bool write_members(const agentchat_state *state, aci_buf *out)
{
    agentchat_str key, value;
    size_t at = 0;
    bool ok = aci_buf_add(out, "{", 1);

    for (size_t i = 0; ok && aci_state_next(state, &at, &key, &value); i++) {
        ok = (i == 0 || aci_buf_add(out, ",", 1)) && aci_json_canonical_string(key, out) && aci_buf_add(out, ":", 1) &&
             aci_buf_add_str(out, value);
    }
    return ok && aci_buf_add(out, "}", 1);
}

agentchat_status agentchat_state_write(const agentchat_state *state, agentchat_bytes *out, agentchat_error *err)
{
    agentchat_status status;
    aci_buf text;

    agentchat_error_clear(err);
    aci_buf_init(&text, aci_state_env(state), SIZE_MAX);
    status = write_members(state, &text) ? aci_bytes_take(out, &text, err) : aci_fail_nomem(err);
    aci_buf_clear(&text);
    return status;
}
