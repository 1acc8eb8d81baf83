/* SPDX-License-Identifier: Apache-2.0 */
/* Taking a map apart into the scopes of its keys, and putting it together again. */
#include "state/state.h"

#include "base/error.h"
#include <string.h>

agentchat_status agentchat_state_split(const agentchat_state *state, agentchat_scope scope, agentchat_state **out,
                                       agentchat_error *err)
{
    agentchat_str key, rest, value;
    agentchat_state *part;
    size_t at = 0;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (aci_key_scope_prefix(scope).ptr == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "%d is no scope", (int)scope);
    part = aci_state_new(aci_state_env(state));
    if (part == NULL)
        return aci_fail_nomem(err);
    while (aci_state_next(state, &at, &key, &value)) {
        if (aci_key_scope(key, &rest) == scope && !aci_state_put(part, rest, value)) {
            agentchat_state_free(part);
            return aci_fail_nomem(err);
        }
    }
    *out = part;
    return AGENTCHAT_OK;
}

/* The full key, with its prefix, for a key of one scope; buffer has room for the longest. */
static agentchat_status full_key(agentchat_scope scope, agentchat_str key, char *buffer, agentchat_str *full,
                                 agentchat_error *err)
{
    agentchat_str prefix = aci_key_scope_prefix(scope);
    aci_excerpt shown;

    if (scope == AGENTCHAT_SCOPE_SESSION && aci_key_scope(key, NULL) != scope)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the key \"%s\" has a prefix, so that it is none of a session's",
                        aci_error_excerpt(key, &shown));
    if (key.len > AGENTCHAT_MAX_KEY_BYTES - prefix.len)
        return aci_fail(err, AGENTCHAT_E_INVALID,
                        "the key \"%s\" has %zu bytes with the prefix \"%s\", but at most %d "
                        "are allowed",
                        aci_error_excerpt(key, &shown), key.len + prefix.len, prefix.ptr, AGENTCHAT_MAX_KEY_BYTES);
    memcpy(buffer, prefix.ptr, prefix.len);
    memcpy(buffer + prefix.len, key.ptr, key.len);
    *full = (agentchat_str){buffer, prefix.len + key.len};
    return AGENTCHAT_OK;
}

static agentchat_status add_scope(agentchat_state *all, agentchat_scope scope, const agentchat_state *part,
                                  agentchat_error *err)
{
    char buffer[AGENTCHAT_MAX_KEY_BYTES];
    agentchat_status status = AGENTCHAT_OK;
    agentchat_str key, value;
    size_t at = 0;

    while (status >= 0 && aci_state_next(part, &at, &key, &value)) {
        status = full_key(scope, key, buffer, &key, err);
        if (status >= 0 && !aci_state_put(all, key, value))
            status = aci_fail_nomem(err);
    }
    return status;
}

agentchat_status agentchat_state_merge(const agentchat_env *env, const agentchat_state *app,
                                       const agentchat_state *user, const agentchat_state *session,
                                       agentchat_state **out, agentchat_error *err)
{
    agentchat_state *all;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    all = aci_state_new(env);
    if (all == NULL)
        return aci_fail_nomem(err);
    status = add_scope(all, AGENTCHAT_SCOPE_APP, app, err);
    if (status >= 0)
        status = add_scope(all, AGENTCHAT_SCOPE_USER, user, err);
    if (status >= 0)
        status = add_scope(all, AGENTCHAT_SCOPE_SESSION, session, err);
    if (status < 0)
        agentchat_state_free(all);
    else
        *out = all;
    return status;
}
