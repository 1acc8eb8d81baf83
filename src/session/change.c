/* SPDX-License-Identifier: Apache-2.0 */
/* Single changes of state, each of them an event, and invocations with their `temp:` keys. Layer 5. */
#include "session/append.h"

#include "base/error.h"
#include "base/ids.h"
#include "model/check.h"
#include <string.h>

/* ---- invocations ---------------------------------------------------------------------------------------------- */

agentchat_status agentchat_invocation_begin(agentchat_session *session, const char *id, agentchat_error *err)
{
    char made[ACI_ID_LEN + 1];
    agentchat_status status = AGENTCHAT_OK;

    agentchat_error_clear(err);
    if (session == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "session must not be NULL");
    if (session->invocation != NULL)
        return aci_fail(err, AGENTCHAT_E_BUSY, "an invocation is under way on this handle");
    if (id == NULL) {
        status = aci_id_new(session->env, made, err);
        id = made;
    } else {
        status = aci_label_check(agentchat_str_from(id), "invocation id", err);
    }
    if (status < 0)
        return status;
    session->invocation = aci_strdup(session->env, agentchat_str_from(id));
    if (session->invocation == NULL)
        return aci_fail_nomem(err);
    session->invocation_len = strlen(id);
    return AGENTCHAT_OK;
}

/* Taking keys out may move the others together, so that some are passed over; few passes find them all. */
static void drop_temporary(agentchat_state *state)
{
    bool found = true;

    while (found) {
        agentchat_str key;

        found = false;
        for (size_t at = 0; agentchat_state_next(state, &at, &key, NULL);) {
            if (agentchat_key_scope(key, NULL) == AGENTCHAT_SCOPE_TEMP)
                found = aci_state_remove(state, key);
        }
    }
}

void agentchat_invocation_end(agentchat_session *session)
{
    if (session == NULL || session->invocation == NULL)
        return;
    drop_temporary(session->view.state);
    aci_free(session->env, session->invocation, session->invocation_len + 1);
    session->invocation = NULL;
}

const char *agentchat_invocation_id(const agentchat_session *session)
{
    return session != NULL ? session->invocation : NULL;
}

/* ---- changes -------------------------------------------------------------------------------------------------- */

/* Checks handle and key. *temporary: the change is the invocation's and no event. */
static agentchat_status begin_change(const agentchat_session *session, const char *key, bool *temporary,
                                     agentchat_error *err)
{
    agentchat_status status;
    aci_excerpt excerpt;

    agentchat_error_clear(err);
    if (session == NULL || key == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "session and key must not be NULL");
    status = aci_key_check(agentchat_str_from(key), err);
    if (status < 0)
        return status;
    *temporary = agentchat_key_scope(agentchat_str_from(key), NULL) == AGENTCHAT_SCOPE_TEMP;
    if (*temporary && session->invocation == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "key %s lives during an invocation only, and none is under way",
                        aci_excerpt_of(agentchat_str_from(key), &excerpt));
    return AGENTCHAT_OK;
}

typedef struct condition { /* on which an event is appended */
    bool must_be_there;    /* every changed key */
    uint64_t sequence;     /* AGENTCHAT_ANY_SEQUENCE */
} condition;
static const condition anyway = {false, AGENTCHAT_ANY_SEQUENCE}, if_there = {true, AGENTCHAT_ANY_SEQUENCE};

/* Appends an event of one change, or of several. */
static agentchat_status append_built(agentchat_session *session, agentchat_event_builder *builder, condition when,
                                     int64_t *sum, uint64_t *sequence, agentchat_error *err)
{
    agentchat_event *event = NULL;
    agentchat_status status = agentchat_event_builder_finish(builder, &event, err);
    aci_append a;

    if (status < 0)
        return status;
    status = aci_append_begin(&a, session, event, err);
    a.must_be_there = when.must_be_there;
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
    if (temporary)
        return agentchat_state_set(session->view.state, key, value, err);
    status = aci_check_json(session->env, &value, err);
    if (status < 0)
        return status;
    builder = agentchat_event_builder_new(session->env, "system");
    agentchat_event_builder_set_state(builder, key, value);
    return append_built(session, builder, anyway, NULL, NULL, err);
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
        builder = agentchat_event_builder_new(session->env, "system");
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
                        aci_excerpt_of(agentchat_str_from(key), &excerpt));
    if (temporary)
        return AGENTCHAT_OK;
    builder = agentchat_event_builder_new(session->env, "system");
    agentchat_event_builder_delete_state(builder, key);
    return append_built(session, builder, if_there, NULL, NULL, err);
}

/* ---- a whole state -------------------------------------------------------------------------------------------- */

static bool is_own(agentchat_str key)
{
    return agentchat_key_scope(key, NULL) == AGENTCHAT_SCOPE_SESSION;
}

/* Adds what has to change so that the session's own keys become those of `wanted`; returns how many. */
static size_t add_difference(agentchat_event_builder *builder, const agentchat_state *have,
                             const agentchat_state *wanted)
{
    agentchat_str key, value;
    size_t changes = 0;

    for (size_t at = 0; agentchat_state_next(wanted, &at, &key, &value);) {
        if (!is_own(key) || agentchat_str_equal(aci_state_find(have, key), value))
            continue;
        agentchat_event_builder_set_state(builder, key.ptr, value);
        changes++;
    }
    for (size_t at = 0; agentchat_state_next(have, &at, &key, NULL);) {
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
    agentchat_event_builder *builder = agentchat_event_builder_new(session->env, "system");
    condition unchanged = {false, agentchat_session_sequence(session)};

    if (add_difference(builder, session->view.state, wanted) > 0)
        return append_built(session, builder, unchanged, NULL, sequence, err);
    agentchat_event_builder_free(builder);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_session_apply_state(agentchat_session *session, const agentchat_state *wanted,
                                               uint64_t *sequence, agentchat_error *err)
{
    int64_t deadline;
    agentchat_status status;

    agentchat_error_clear(err);
    if (sequence != NULL)
        *sequence = 0;
    if (session == NULL || wanted == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "session and wanted must not be NULL");
    deadline = aci_clock_ms() + session->store->wait_ms;
    status = agentchat_session_refresh(session, err);
    if (status < 0)
        return status;
    while ((status = append_difference(session, wanted, sequence, err)) == AGENTCHAT_E_CONFLICT) {
        agentchat_error_clear(err);
        if (aci_clock_ms() >= deadline)
            return aci_fail(err, AGENTCHAT_E_BUSY, "others changed the session again and again for %lu ms",
                            (unsigned long)session->store->wait_ms);
    }
    return status;
}
