/* SPDX-License-Identifier: Apache-2.0 */
#include "session/failover/writes.h"

#define APP "app"

static agentchat_session *get(agentchat_store *store, const char *user, const char *id)
{
    agentchat_session *session = NULL;
    agentchat_error err;

    return agentchat_session_get(store, &(agentchat_session_id){APP, user, id}, NULL, &session, &err) >= 0 ? session
                                                                                                           : NULL;
}

static agentchat_status append_if(agentchat_store *store, const char *user, const char *id, const uint64_t *sequence,
                                  agentchat_error *err)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    agentchat_event_builder *builder = test_event_builder(NULL, "user");
    agentchat_session *session = NULL;
    agentchat_event *event = NULL;
    agentchat_status status;

    options.has_expect_sequence = sequence != NULL;
    options.expect_sequence = sequence != NULL ? *sequence : 0;
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(id));
    status = agentchat_event_builder_finish(builder, &event, err);
    if (status >= 0)
        status = agentchat_session_get(store, &(agentchat_session_id){APP, user, "s"}, NULL, &session, err);
    if (status >= 0)
        status = agentchat_session_append(session, event, &options, NULL, err);
    agentchat_session_free(session);
    agentchat_event_unref(event);
    return status;
}

void writes_prepare(agentchat_store *store, const char *user)
{
    agentchat_session *session = NULL;
    agentchat_error err;

    test_ok(agentchat_session_create(store, &(agentchat_session_id){APP, user, "s"}, NULL, &session, &err), &err);
    agentchat_session_free(session);
    test_ok(append_if(store, user, "e1", NULL, &err), &err);
}

/* ---- the writes ------------------------------------------------------------------------------------------------- */

static agentchat_status create(agentchat_store *store, const char *user, agentchat_error *err)
{
    agentchat_session *session = NULL;
    agentchat_status status =
        agentchat_session_create(store, &(agentchat_session_id){APP, user, "new"}, NULL, &session, err);

    agentchat_session_free(session);
    return status;
}

static agentchat_status append(agentchat_store *store, const char *user, agentchat_error *err)
{
    return append_if(store, user, "e2", NULL, err);
}

static agentchat_status append_expecting(agentchat_store *store, const char *user, agentchat_error *err)
{
    return append_if(store, user, "e3", &(uint64_t){1}, err);
}

typedef agentchat_status (*on_session)(agentchat_session *session, agentchat_error *err);

static agentchat_status with_session(agentchat_store *store, const char *user, on_session work, agentchat_error *err)
{
    agentchat_session *session = NULL;
    agentchat_status status =
        agentchat_session_get(store, &(agentchat_session_id){APP, user, "s"}, NULL, &session, err);

    if (status >= 0)
        status = work(session, err);
    agentchat_session_free(session);
    return status;
}

static agentchat_status set_key(agentchat_session *session, agentchat_error *err)
{
    return agentchat_session_set(session, "user:k", AGENTCHAT_STR("1"), err);
}

static agentchat_status add_to_key(agentchat_session *session, agentchat_error *err)
{
    int64_t sum = 0;
    agentchat_status status = agentchat_session_add(session, "user:k", 1, &sum, err);

    return status >= 0 && sum != 1 ? agentchat_error_set(err, AGENTCHAT_E_INTERNAL, "added twice") : status;
}

static agentchat_status go_back(agentchat_session *session, agentchat_error *err)
{
    return agentchat_session_rewind(session, NULL, NULL, err);
}

static agentchat_status set(agentchat_store *store, const char *user, agentchat_error *err)
{
    return with_session(store, user, set_key, err);
}

static agentchat_status add(agentchat_store *store, const char *user, agentchat_error *err)
{
    return with_session(store, user, add_to_key, err);
}

static agentchat_status rewind_all(agentchat_store *store, const char *user, agentchat_error *err)
{
    return with_session(store, user, go_back, err);
}

static agentchat_status copy(agentchat_store *store, const char *user, agentchat_error *err)
{
    return agentchat_session_copy(store, &(agentchat_session_id){APP, user, "s"}, "new", NULL, err);
}

static agentchat_status delete_it(agentchat_store *store, const char *user, agentchat_error *err)
{
    return agentchat_session_delete(store, &(agentchat_session_id){APP, user, "s"}, err);
}

static agentchat_status delete_user(agentchat_store *store, const char *user, agentchat_error *err)
{
    return agentchat_user_delete(store, APP, user, NULL, err);
}

static agentchat_status import(agentchat_store *store, const char *user, agentchat_error *err)
{
    static const char text[] = "{\"agentchatsession\":{\"format\":1},\"state\":{},\"events\":[]}";
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_session *session = NULL;
    agentchat_source *source = NULL;
    agentchat_status status = agentchat_source_memory(NULL, agentchat_str_from(text), &source, err);

    options.as = (agentchat_session_id){APP, user, "new"};
    if (status >= 0)
        status = agentchat_session_import(store, source, &options, &session, NULL, err);
    agentchat_session_free(session);
    agentchat_source_free(source);
    return status;
}

/* ---- what they do ----------------------------------------------------------------------------------------------- */

static bool has_new(agentchat_store *store, const char *user)
{
    agentchat_session *session = get(store, user, "new");

    agentchat_session_free(session);
    return session != NULL;
}

static bool lacks_session(agentchat_store *store, const char *user)
{
    agentchat_session *session = NULL;
    agentchat_error err;
    agentchat_status status =
        agentchat_session_get(store, &(agentchat_session_id){APP, user, "s"}, NULL, &session, &err);

    agentchat_session_free(session);
    return status == AGENTCHAT_E_NOTFOUND;
}

static bool has_events(agentchat_store *store, const char *user, size_t count)
{
    agentchat_session *session = get(store, user, "s");
    bool is_so = session != NULL && agentchat_session_event_count(session) == count;

    agentchat_session_free(session);
    return is_so;
}

static bool has_two_events(agentchat_store *store, const char *user)
{
    return has_events(store, user, 2);
}

static bool has_no_events(agentchat_store *store, const char *user)
{
    return has_events(store, user, 0);
}

static bool has_key(agentchat_store *store, const char *user)
{
    agentchat_session *session = get(store, user, "s");
    bool is_so = session != NULL && agentchat_str_equal(agentchat_state_get(agentchat_session_state(session), "user:k"),
                                                        AGENTCHAT_STR("1"));

    agentchat_session_free(session);
    return is_so;
}

const kind kinds[] = {
    {"create", NULL, create, AGENTCHAT_OK, has_new},
    {"append", NULL, append, AGENTCHAT_OK, has_two_events},
    {"set", NULL, set, AGENTCHAT_OK, has_key},
    {"add", NULL, add, AGENTCHAT_OK, has_key},
    {"copy", NULL, copy, AGENTCHAT_OK, has_new},
    {"delete", NULL, delete_it, AGENTCHAT_OK, lacks_session},
    {"delete-user", NULL, delete_user, AGENTCHAT_OK, lacks_session},
    {"rewind", NULL, rewind_all, AGENTCHAT_OK, has_no_events},
    {"import", NULL, import, AGENTCHAT_OK, has_new},
    /* What was done before, by somebody who did not learn of it or does not report it. */
    {"append-again", append, append, AGENTCHAT_OK, has_two_events},
    {"append-after-another", append, append_expecting, AGENTCHAT_E_CONFLICT, has_two_events},
    {"create-again", create, create, AGENTCHAT_E_EXISTS, has_new},
    {"copy-again", copy, copy, AGENTCHAT_E_EXISTS, has_new},
    {"import-again", import, import, AGENTCHAT_E_EXISTS, has_new},
    {"delete-again", delete_it, delete_it, AGENTCHAT_E_NOTFOUND, lacks_session},
    {"delete-user-again", delete_user, delete_user, AGENTCHAT_OK, lacks_session},
    {"rewind-again", rewind_all, rewind_all, AGENTCHAT_OK, has_no_events},
};
const size_t kind_count = sizeof kinds / sizeof kinds[0];
