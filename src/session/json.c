/* SPDX-License-Identifier: Apache-2.0 */
/* Values of state as jansson's. */
#include <agentchat/session_json.h>

#include "base/error.h"
#include "session/session.h"

agentchat_status agentchat_state_get_json(const agentchat_state *state, const char *key, json_t **out,
                                          agentchat_error *err)
{
    agentchat_str value = agentchat_state_get(state, key);

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    return value.ptr == NULL ? AGENTCHAT_OK : agentchat_json_load(value, out, err);
}

agentchat_status agentchat_state_set_json(agentchat_state *state, const char *key, const json_t *value,
                                          agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    agentchat_error_clear(err);
    if (state == NULL)
        return aci_fail_null(err, "state");
    status = agentchat_json_dump(state->env, value, &text, err);
    if (status >= 0)
        status = agentchat_state_set(state, key, (agentchat_str){text.ptr, text.len}, err);
    agentchat_bytes_clear(&text);
    return status;
}

agentchat_status agentchat_session_set_json(agentchat_session *session, const char *key, const json_t *value,
                                            agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    agentchat_error_clear(err);
    if (session == NULL)
        return aci_fail_null(err, "session");
    status = agentchat_json_dump(session->env, value, &text, err);
    if (status >= 0)
        status = agentchat_session_set(session, key, (agentchat_str){text.ptr, text.len}, err);
    agentchat_bytes_clear(&text);
    return status;
}
