/* SPDX-License-Identifier: Apache-2.0 */
/* Values of state as jansson's json_t: forms of the calls of state.h, event.h and session.h. Needs jansson.h;
   agentchat.h does not include it. */
#ifndef AGENTCHAT_SESSION_JSON_H
#define AGENTCHAT_SESSION_JSON_H

#include <agentchat/json.h>
#include <agentchat/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agentchat_state_get() and agentchat_json_load() in one.
 * @param[in]  state NULL gives no key.
 * @param[in]  key   NULL gives no key.
 * @param[out] out   A new reference; NULL when there is no such key (the status is OK then) or on failure.
 * @param[out] err   Detail, or NULL; errors as agentchat_json_load().
 * @retval AGENTCHAT_E_INVALID @p out is NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_state_get_json(const agentchat_state *state,
                                                                            const char *key, json_t **out,
                                                                            agentchat_error *err);

/**
 * agentchat_state_set() with a jansson value.
 * @param[in,out] state The map; unchanged on failure.
 * @param[in]     key   The key.
 * @param[in]     value The value; borrowed.
 * @param[out]    err   Detail, or NULL; also the errors of agentchat_json_dump().
 * @retval AGENTCHAT_E_INVALID @p state, @p key or @p value is NULL; or as agentchat_state_set().
 */
AGENTCHAT_API agentchat_status agentchat_state_set_json(agentchat_state *state, const char *key, const json_t *value,
                                                        agentchat_error *err);

/**
 * agentchat_session_set() with a jansson value.
 * @param[in,out] session The handle.
 * @param[in]     key     The key.
 * @param[in]     value   The value; borrowed.
 * @param[out]    err     Detail, or NULL; also the errors of agentchat_json_dump().
 * @retval AGENTCHAT_E_INVALID @p session, @p key or @p value is NULL; or as agentchat_session_set().
 */
AGENTCHAT_API agentchat_status agentchat_session_set_json(agentchat_session *session, const char *key,
                                                          const json_t *value, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
