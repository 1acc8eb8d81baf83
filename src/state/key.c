/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of keys, and the scope that a key's prefix names. */
#include "state/state.h"

#include "base/error.h"
#include <string.h>

/* In the order of the enumeration's numbers. */
static const agentchat_str prefixes[] = {
    [AGENTCHAT_SCOPE_SESSION] = {"", 0},
    [AGENTCHAT_SCOPE_USER] = {AGENTCHAT_KEY_PREFIX_USER, sizeof AGENTCHAT_KEY_PREFIX_USER - 1},
    [AGENTCHAT_SCOPE_APP] = {AGENTCHAT_KEY_PREFIX_APP, sizeof AGENTCHAT_KEY_PREFIX_APP - 1},
    [AGENTCHAT_SCOPE_TEMP] = {AGENTCHAT_KEY_PREFIX_TEMP, sizeof AGENTCHAT_KEY_PREFIX_TEMP - 1},
};

agentchat_str aci_key_scope_prefix(agentchat_scope scope)
{
    if (scope < AGENTCHAT_SCOPE_SESSION || scope > AGENTCHAT_SCOPE_TEMP)
        return (agentchat_str){NULL, 0};
    return prefixes[scope];
}

agentchat_scope aci_key_scope(agentchat_str key, agentchat_str *rest)
{
    static const agentchat_scope with_prefix[] = {AGENTCHAT_SCOPE_APP, AGENTCHAT_SCOPE_USER, AGENTCHAT_SCOPE_TEMP};
    agentchat_scope scope = AGENTCHAT_SCOPE_SESSION;

    for (size_t i = 0; i < sizeof with_prefix / sizeof *with_prefix; i++) {
        agentchat_str prefix = prefixes[with_prefix[i]];

        if (key.len >= prefix.len && memcmp(key.ptr, prefix.ptr, prefix.len) == 0)
            scope = with_prefix[i];
    }
    if (rest != NULL)
        *rest = scope == AGENTCHAT_SCOPE_SESSION
                    ? key
                    : (agentchat_str){key.ptr + prefixes[scope].len, key.len - prefixes[scope].len};
    return scope;
}

agentchat_scope agentchat_key_scope(const char *key, const char **rest)
{
    agentchat_str after;
    agentchat_scope scope = aci_key_scope(agentchat_str_from(key), &after);

    if (rest != NULL)
        *rest = after.ptr;
    return scope;
}

agentchat_status aci_key_check(agentchat_str key, agentchat_error *err)
{
    agentchat_status status = aci_label_check(key, "key", err);
    agentchat_str rest;
    aci_excerpt shown;

    if (status < 0)
        return status;
    (void)aci_key_scope(key, &rest);
    if (rest.len == 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the key \"%s\" has nothing after its prefix",
                        aci_error_excerpt(key, &shown));
    return AGENTCHAT_OK;
}

agentchat_status agentchat_key_check(const char *key, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (key == NULL)
        return aci_fail_null(err, "key");
    return aci_key_check(agentchat_str_from(key), err);
}
