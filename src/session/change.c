/* SPDX-License-Identifier: Apache-2.0 */
/* Changing state without an event of the caller's, by compare and set, and by an output. */
#include "session/session_internal.h"

#include "base/error.h"
#include "model/check.h"
#include "json/value.h"

/* ==== single changes of state, each of them an event ============================================================= */

/* Checks handle and key. *temporary: the change is the invocation's and no event. */
static agentchat_status begin_change(const agentchat_session *session, const char *key, bool *temporary,
                                     agentchat_error *err)
{
    agentchat_status status;
    aci_excerpt excerpt;

    agentchat_error_clear(err);
    if (session == NULL || key == NULL)
        return aci_fail_null(err, session == NULL ? "session" : "key");
    status = aci_key_check(agentchat_str_from(key), err);
    if (status < 0)
        return status;
    *temporary = aci_key_scope(agentchat_str_from(key), NULL) == AGENTCHAT_SCOPE_TEMP;
    if (*temporary && session->invocation == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "key %s lives during an invocation only, and none is under way",
                        aci_error_excerpt(agentchat_str_from(key), &excerpt));
    return AGENTCHAT_OK;
}

static const aci_condition anyway = {.must_be_there = false}, if_there = {.must_be_there = true};

/* Appends an event of one change, or of several; frees the builder. sum: of the first change, if it is one; it and
   sequence may be NULL. */
static agentchat_status append_built(agentchat_session *session, agentchat_event_builder *builder, aci_condition when,
                                     int64_t *sum, uint64_t *sequence, agentchat_error *err)
{
    agentchat_event *event = NULL;
    agentchat_status status = agentchat_event_builder_finish(builder, &event, err);
    aci_append a;

    if (status < 0)
        return status;
    status = aci_append_begin(&a, session, event, err);
    a.must_be_there = when.must_be_there;
    a.options.has_expect_sequence = when.has_sequence;
    a.options.expect_sequence = when.sequence;
    if (status >= 0)
        status = aci_append_run(&a, err);
    if (status >= 0 && sum != NULL)
        *sum = a.changes[0].sum;
    if (status >= 0 && sequence != NULL)
        *sequence = a.sequence;
    aci_append_end(&a);
    agentchat_event_unref(event);
    return status < 0 ? status : AGENTCHAT_OK;
}

agentchat_status agentchat_session_set(agentchat_session *session, const char *key, agentchat_str value,
                                       agentchat_error *err)
{
    bool temporary = false;
    agentchat_status status = begin_change(session, key, &temporary, err);
    agentchat_event_builder *builder;

    if (status < 0)
        return status;
    status = aci_check_json(session->env, &value, err);
    if (status < 0) {
        aci_json_cure(err, status, agentchat_str_from(key), "agentchat_session_set_text");
        return status;
    }
    if (temporary)
        return agentchat_state_set(session->view.state, key, value, err);
    status = agentchat_event_builder_new(session->env, AGENTCHAT_STR("system"), &builder, err);
    if (status < 0)
        return status;
    agentchat_event_builder_set_state(builder, key, value);
    return append_built(session, builder, anyway, NULL, NULL, err);
}

agentchat_status agentchat_session_set_text(agentchat_session *session, const char *key, agentchat_str text,
                                            agentchat_error *err)
{
    agentchat_status status;
    aci_buf quoted;

    agentchat_error_clear(err);
    if (session == NULL)
        return aci_fail_null(err, "session");
    aci_buf_init(&quoted, session->env, SIZE_MAX);
    status = aci_json_quote(text, &quoted, err);
    if (status >= 0)
        status = agentchat_session_set(session, key, aci_buf_str(&quoted), err);
    aci_buf_clear(&quoted);
    return status;
}

agentchat_status agentchat_session_add(agentchat_session *session, const char *key, int64_t amount, int64_t *result,
                                       agentchat_error *err)
{
    bool temporary = false;
    agentchat_status status = begin_change(session, key, &temporary, err);
    agentchat_event_builder *builder;
    int64_t sum = 0;

    if (result != NULL)
        *result = 0;
    if (status < 0)
        return status;
    if (temporary) {
        status = agentchat_state_add(session->view.state, key, amount, &sum, err);
    } else {
        status = agentchat_event_builder_new(session->env, AGENTCHAT_STR("system"), &builder, err);
        if (status < 0)
            return status;
        agentchat_event_builder_add_state(builder, key, amount);
        status = append_built(session, builder, anyway, &sum, NULL, err);
    }
    if (status >= 0 && result != NULL)
        *result = sum;
    return status;
}

agentchat_status agentchat_session_delete_key(agentchat_session *session, const char *key, agentchat_error *err)
{
    bool temporary = false;
    agentchat_status status = begin_change(session, key, &temporary, err);
    agentchat_event_builder *builder;
    aci_excerpt excerpt;

    if (status < 0)
        return status;
    if (temporary && !aci_state_remove(session->view.state, agentchat_str_from(key)))
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no key %s",
                        aci_error_excerpt(agentchat_str_from(key), &excerpt));
    if (temporary)
        return AGENTCHAT_OK;
    status = agentchat_event_builder_new(session->env, AGENTCHAT_STR("system"), &builder, err);
    if (status < 0)
        return status;
    agentchat_event_builder_delete_state(builder, key);
    return append_built(session, builder, if_there, NULL, NULL, err);
}

/* ==== making the session's own keys those of a given state, by one event with the difference ===================== */

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
        return append_built(session, builder, unchanged, NULL, sequence, err);
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
    deadline = aci_sql_clock_ms() + session->store->wait_ms;
    call = aci_sql_call_begin(session->store, false);
    status = agentchat_session_refresh(session, err);
    while (status >= 0 && (status = aci_sql_call_go_on(session->store, &call, err)) >= 0 &&
           (status = append_difference(session, wanted, sequence, err)) == AGENTCHAT_E_CONFLICT) {
        status = AGENTCHAT_OK;
        agentchat_error_clear(err);
        if (aci_sql_clock_ms() >= deadline)
            return aci_fail(err, AGENTCHAT_E_BUSY, "others changed the session again and again for %lu ms",
                            (unsigned long)session->store->wait_ms);
    }
    return status;
}
