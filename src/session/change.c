/* SPDX-License-Identifier: Apache-2.0 */
/* Single changes of state, each of them an event. */
#include "session/append.h"

#include "base/error.h"
#include "model/check.h"
#include "json/value.h"

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

agentchat_status aci_append_built(agentchat_session *session, agentchat_event_builder *builder, aci_condition when,
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
    return aci_append_built(session, builder, anyway, NULL, NULL, err);
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
        status = aci_append_built(session, builder, anyway, &sum, NULL, err);
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
    return aci_append_built(session, builder, if_there, NULL, NULL, err);
}
