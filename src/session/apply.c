/* SPDX-License-Identifier: Apache-2.0 */
/* Making the session's own keys those of a given state, by one event with the difference. */
#include "session/append.h"

#include "base/error.h"

static bool is_own(agentchat_str key)
{
    return aci_key_scope(key, NULL) == AGENTCHAT_SCOPE_SESSION;
}

/* Adds what has to change so that the session's own keys become those of `wanted`; returns how many. */
static size_t add_difference(agentchat_event_builder *builder, const agentchat_state *have,
                             const agentchat_state *wanted)
{
    agentchat_str key, value;
    size_t changes = 0;

    for (size_t at = 0; aci_state_next(wanted, &at, &key, &value);) {
        if (!is_own(key) || agentchat_str_equal(aci_state_find(have, key), value))
            continue;
        agentchat_event_builder_set_state(builder, key.ptr, value);
        changes++;
    }
    for (size_t at = 0; aci_state_next(have, &at, &key, NULL);) {
        if (!is_own(key) || aci_state_find(wanted, key).ptr != NULL)
            continue;
        agentchat_event_builder_delete_state(builder, key.ptr);
        changes++;
    }
    return changes;
}

/* Appends the difference to what the handle shows; E_CONFLICT, and the handle shows more, when that is not all. */
static agentchat_status append_difference(agentchat_session *session, const agentchat_state *wanted, uint64_t *sequence,
                                          agentchat_error *err)
{
    aci_condition unchanged = {.has_sequence = true, .sequence = agentchat_session_sequence(session)};
    agentchat_event_builder *builder;
    agentchat_status status = agentchat_event_builder_new(session->env, AGENTCHAT_STR("system"), &builder, err);

    if (status < 0)
        return status;
    if (add_difference(builder, session->view.state, wanted) > 0)
        return aci_append_built(session, builder, unchanged, NULL, sequence, err);
    agentchat_event_builder_free(builder);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_session_apply_state(agentchat_session *session, const agentchat_state *wanted,
                                               uint64_t *sequence, agentchat_error *err)
{
    aci_sql_call call;
    int64_t deadline;
    agentchat_status status;

    agentchat_error_clear(err);
    if (sequence != NULL)
        *sequence = 0;
    if (session == NULL || wanted == NULL)
        return aci_fail_null(err, session == NULL ? "session" : "wanted");
    deadline = aci_clock_ms() + session->store->wait_ms;
    call = aci_call_begin(session->store, false);
    status = agentchat_session_refresh(session, err);
    while (status >= 0 && (status = aci_call_go_on(session->store, &call, err)) >= 0 &&
           (status = append_difference(session, wanted, sequence, err)) == AGENTCHAT_E_CONFLICT) {
        status = AGENTCHAT_OK;
        agentchat_error_clear(err);
        if (aci_clock_ms() >= deadline)
            return aci_fail(err, AGENTCHAT_E_BUSY, "others changed the session again and again for %lu ms",
                            (unsigned long)session->store->wait_ms);
    }
    return status;
}
