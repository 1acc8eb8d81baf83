/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scopes of state: what two sessions of one user share and what they do not, an event that changes state, values that
 * live during one invocation, and an instruction made from them.
 *
 * The store is in memory; with the name of a file as its argument, the program keeps its sessions there.
 */
#include <agentchat/agentchat.h>
#include <stdio.h>
#include <string.h>

static int failed(const agentchat_error *err)
{
    agentchat_error_print(err, stderr);
    return 1;
}

/* Prints one value; a key that is not there has none. */
static void show(const char *what, const agentchat_session *session, const char *key)
{
    agentchat_str value = agentchat_state_get(agentchat_session_state(session), key);

    printf("%s %s = " AGENTCHAT_STR_FMT "\n", what, key, AGENTCHAT_STR_ARG(value));
}

/* Two sessions of one user. The second one has the application's and the user's state, not that of the first one. */
static int make_sessions(agentchat_store *store, agentchat_session **first, agentchat_session **second)
{
    agentchat_state *initial = NULL;
    agentchat_error err;
    int status = 0;

    if (agentchat_state_new(NULL, &initial, &err) < 0 ||
        agentchat_state_set(initial, AGENTCHAT_KEY_PREFIX_APP "theme", AGENTCHAT_STR("\"dark\""), &err) < 0 ||
        agentchat_state_set(initial, AGENTCHAT_KEY_PREFIX_USER "language", AGENTCHAT_STR("\"en\""), &err) < 0 ||
        agentchat_state_set(initial, "context", AGENTCHAT_STR("\"session1\""), &err) < 0 ||
        agentchat_session_create(store, &(agentchat_session_id){"my_app", "alice", "s1"}, initial, first, &err) < 0)
        status = failed(&err);
    agentchat_state_free(initial);

    initial = NULL;
    if (status == 0 &&
        (agentchat_state_new(NULL, &initial, &err) < 0 ||
         agentchat_state_set(initial, "context", AGENTCHAT_STR("\"session2\""), &err) < 0 ||
         agentchat_session_create(store, &(agentchat_session_id){"my_app", "alice", "s2"}, initial, second, &err) < 0))
        status = failed(&err);
    agentchat_state_free(initial);
    return status;
}

/* An event that changes the session's and the user's state, in one step with being stored. */
static int append_event(agentchat_session *session)
{
    agentchat_event_builder *builder = NULL;
    agentchat_event *event = NULL;
    agentchat_error err;
    int status = 0;

    if (agentchat_event_builder_new(NULL, AGENTCHAT_STR("assistant"), &builder, &err) < 0)
        return failed(&err);
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_INVOCATION, AGENTCHAT_STR("invocation_123"));
    agentchat_event_builder_set_state(builder, "counter", AGENTCHAT_STR("42"));
    agentchat_event_builder_set_state(builder, "user:preferences", AGENTCHAT_STR("{\"theme\": \"light\"}"));
    if (agentchat_event_builder_finish(builder, &event, &err) < 0 ||
        agentchat_session_append(session, event, NULL, NULL, &err) < 0)
        status = failed(&err);
    agentchat_event_unref(event);
    return status;
}

/* An invocation of an agent: its instruction, and a value that is never stored. */
static int invoke_agent(agentchat_session *session)
{
    agentchat_bytes instruction = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    int status = 0;

    if (agentchat_invocation_begin(session, NULL, &err) < 0 ||
        agentchat_session_set_text(session, "temp:current_step", AGENTCHAT_STR("greeting"), &err) < 0 ||
        agentchat_template_render(agentchat_session_state(session),
                                  AGENTCHAT_STR("Answer in {user:language}, {user:preferences.theme} theme, "
                                                "step {temp:current_step}.{note?} {{counter}} is {counter}."),
                                  NULL, &instruction, &err) < 0)
        status = failed(&err);
    else
        printf("%s\n", instruction.ptr);
    agentchat_bytes_clear(&instruction);
    agentchat_invocation_end(session);
    return status;
}

static int run(agentchat_store *store, agentchat_session **first, agentchat_session **second)
{
    agentchat_error err;

    if (make_sessions(store, first, second) != 0)
        return 1;
    show("s2:", *second, "app:theme");
    show("s2:", *second, "user:language");
    show("s2:", *second, "context");
    if (append_event(*first) != 0 || invoke_agent(*first) != 0)
        return 1;
    show("s1:", *first, "temp:current_step");
    if (agentchat_session_refresh(*second, &err) < 0) /* s2 sees what s1 stored about the user, not its counter */
        return failed(&err);
    show("s2:", *second, "user:preferences");
    show("s2:", *second, "counter");
    return 0;
}

int main(int argc, char **argv)
{
    char url[512] = "memory:";
    agentchat_session *first = NULL, *second = NULL;
    agentchat_store *store = NULL;
    agentchat_error err;
    int status;

    if (argc > 1)
        snprintf(url, sizeof url, "sqlite:%s", argv[1]);
    if (agentchat_store_open(NULL, url, NULL, &store, &err) < 0)
        return failed(&err);
    status = run(store, &first, &second);
    agentchat_session_free(first);
    agentchat_session_free(second);
    agentchat_store_close(store);
    return status;
}
