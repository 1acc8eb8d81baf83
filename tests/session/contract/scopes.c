/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes of state: who sees what, from when, and what of it lasts. */
#include "session/contract/contract.h"

#include <agentchat/template.h>

/* ---- when a session is created ---------------------------------------------------------------------------------- */

static void test_scopes__creating_puts_app_keys_into_the_applications_state(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "alice", "s1", "{\"app:version\":\"1.0.0\",\"topic\":1}");
    agentchat_state *app = NULL;

    test_ok(agentchat_scope_state(s->store, s->app, NULL, &app, &s->err), &s->err);
    expect_map(app, "{\"app:version\":\"1.0.0\"}");
    agentchat_state_free(app);
    agentchat_session_free(session);
}

static void test_scopes__creating_puts_user_keys_into_the_users_state(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "alice", "s1", "{\"user:name\":\"Alice\",\"topic\":1}");
    agentchat_state *alice = NULL, *bob = NULL;

    test_ok(agentchat_scope_state(s->store, s->app, "alice", &alice, &s->err), &s->err);
    test_ok(agentchat_scope_state(s->store, s->app, "bob", &bob, &s->err), &s->err);
    expect_map(alice, "{\"user:name\":\"Alice\"}");
    expect_map(bob, "{}");
    agentchat_state_free(alice);
    agentchat_state_free(bob);
    agentchat_session_free(session);
}

static void test_scopes__creating_puts_the_other_keys_but_temp_into_the_session(void **state)
{
    scene *s = *state;
    agentchat_session *session =
        scene_create(s, "alice", "s1", "{\"topic\":\"Getting started\",\"User:x\":1,\"foo:bar\":2,\"temp:t\":3}");

    expect_state(session, "{\"topic\":\"Getting started\",\"User:x\":1,\"foo:bar\":2}");
    expect_stored(s, "alice", "s1", "{\"topic\":\"Getting started\",\"User:x\":1,\"foo:bar\":2}", "");
    agentchat_session_free(session);
}

static void test_scopes__creating_returns_all_scopes_merged(void **state)
{
    scene *s = *state;
    agentchat_session *first = scene_create(s, "alice", "s1", "{\"app:a\":1,\"user:u\":2,\"s\":3,\"temp:t\":4}");
    agentchat_session *second = scene_create(s, "alice", "s2", "{\"app:b\":5,\"user:v\":6,\"s\":7}");

    expect_state(first, "{\"app:a\":1,\"user:u\":2,\"s\":3}");
    expect_state(second, "{\"app:a\":1,\"app:b\":5,\"user:u\":2,\"user:v\":6,\"s\":7}");
    agentchat_session_free(first);
    agentchat_session_free(second);
}

static void test_scopes__creating_replaces_values_of_wider_scopes(void **state)
{
    scene *s = *state;
    agentchat_session *first = scene_create(s, "alice", "s1", "{\"app:a\":{\"x\":1},\"user:u\":{\"x\":1}}");
    agentchat_session *second = scene_create(s, "alice", "s2", "{\"app:a\":{\"y\":2},\"user:u\":null}");

    expect_state(second, "{\"app:a\":{\"y\":2},\"user:u\":null}");
    expect_stored(s, "alice", "s1", "{\"app:a\":{\"y\":2},\"user:u\":null}", "");
    agentchat_session_free(first);
    agentchat_session_free(second);
}

/* ---- when a session is got -------------------------------------------------------------------------------------- */

static void test_scopes__getting_merges_the_applications_state_as_it_is_now(void **state)
{
    scene *s = *state;
    agentchat_session *alice = scene_create(s, "alice", "s1", "{\"own\":1}");
    agentchat_session *bob = scene_create(s, "bob", "s1", NULL);

    (void)scene_append(s, bob, "e1", "app:theme=\"dark\"");
    expect_stored(s, "alice", "s1", "{\"app:theme\":\"dark\",\"own\":1}", "");
    (void)scene_append(s, bob, "e2", "-app:theme");
    expect_stored(s, "alice", "s1", "{\"own\":1}", "");
    agentchat_session_free(alice);
    agentchat_session_free(bob);
}

static void test_scopes__getting_merges_the_users_state_as_it_is_now(void **state)
{
    scene *s = *state;
    agentchat_session *first = scene_create(s, "alice", "s1", "{\"own\":1}");
    agentchat_session *second = scene_create(s, "alice", "s2", NULL);
    agentchat_session *bob = scene_create(s, "bob", "s3", NULL);

    (void)scene_append(s, second, "e1", "user:language=\"en\"");
    expect_stored(s, "alice", "s1", "{\"user:language\":\"en\",\"own\":1}", "");
    expect_stored(s, "bob", "s3", "{}", "");
    agentchat_session_free(first);
    agentchat_session_free(second);
    agentchat_session_free(bob);
}

static void test_scopes__getting_gives_the_sessions_own_state_to_nobody_else(void **state)
{
    scene *s = *state;
    agentchat_session *first = scene_create(s, "alice", "s1", "{\"context\":\"session1\"}");
    agentchat_session *second = scene_create(s, "alice", "s2", "{\"context\":\"session2\"}");

    (void)scene_append(s, first, "e1", "more=1");
    expect_stored(s, "alice", "s1", "{\"context\":\"session1\",\"more\":1}", "e1");
    expect_stored(s, "alice", "s2", "{\"context\":\"session2\"}", "");
    agentchat_session_free(first);
    agentchat_session_free(second);
}

static void test_scopes__equal_names_in_three_scopes_are_three_keys(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "alice", "s1", "{\"app:x\":1,\"user:x\":2,\"x\":3}");

    expect_stored(s, "alice", "s1", "{\"app:x\":1,\"user:x\":2,\"x\":3}", "");
    (void)scene_append(s, session, "e1", "user:x=20");
    expect_stored(s, "alice", "s1", "{\"app:x\":1,\"user:x\":20,\"x\":3}", "e1");
    agentchat_session_free(session);
}

static void test_scopes__equal_users_of_two_applications_are_two(void **state)
{
    scene *s = *state;
    agentchat_session *here = scene_create(s, "alice", "s1", "{\"app:a\":1,\"user:u\":1,\"x\":1}"), *there = NULL;
    char other[80];

    snprintf(other, sizeof other, "%s-other", s->app);
    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){other, "alice", "s1"}, NULL, &there, &s->err),
            &s->err);
    expect_state(there, "{}");
    (void)scene_append(s, there, "e1", "app:a=2 user:u=2 x=2");
    expect_stored(s, "alice", "s1", "{\"app:a\":1,\"user:u\":1,\"x\":1}", "");
    agentchat_session_free(here);
    agentchat_session_free(there);
}

/* ---- when an event is appended ---------------------------------------------------------------------------------- */

static void test_scopes__appending_carries_out_the_changes_of_the_event(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "alice", "s1", NULL);

    (void)scene_append(s, session, "e1", "counter=42 user:last_seen=\"2024-01-15\"");
    expect_state(session, "{\"counter\":42,\"user:last_seen\":\"2024-01-15\"}");
    expect_stored(s, "alice", "s1", "{\"counter\":42,\"user:last_seen\":\"2024-01-15\"}", "e1");
    agentchat_session_free(session);
}

static void test_scopes__appending_stores_no_temp_keys(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "alice", "s1", NULL), *again;
    const agentchat_event *event;

    (void)scene_append(s, session, "e1", "temp:step=1 kept=2");
    expect_stored(s, "alice", "s1", "{\"kept\":2}", "e1");
    again = scene_get(s, "alice", "s1");
    event = agentchat_session_event(again, 0);
    assert_int_equal(agentchat_event_change_count(event), 1);
    assert_string_equal(agentchat_event_change(event, 0)->key, "kept");
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_scopes__appending_changes_the_applications_state_for_every_user(void **state)
{
    scene *s = *state;
    agentchat_session *alice = scene_create(s, "alice", "s1", "{\"app:n\":1,\"app:gone\":1}");
    agentchat_session *bob = scene_create(s, "bob", "s1", NULL);

    (void)scene_append(s, alice, "e1", "app:n=2 app:new=[3] -app:gone");
    expect_stored(s, "bob", "s1", "{\"app:n\":2,\"app:new\":[3]}", "");
    agentchat_session_free(alice);
    agentchat_session_free(bob);
}

static void test_scopes__appending_changes_the_users_state_for_all_sessions_of_the_user(void **state)
{
    scene *s = *state;
    agentchat_session *first = scene_create(s, "alice", "s1", "{\"user:n\":1,\"user:gone\":1}");
    agentchat_session *second = scene_create(s, "alice", "s2", NULL);
    agentchat_session *bob = scene_create(s, "bob", "s1", NULL);

    (void)scene_append(s, first, "e1", "user:n=2 user:new=[3] -user:gone");
    expect_stored(s, "alice", "s2", "{\"user:n\":2,\"user:new\":[3]}", "");
    expect_stored(s, "bob", "s1", "{}", "");
    agentchat_session_free(first);
    agentchat_session_free(second);
    agentchat_session_free(bob);
}

static void test_scopes__appending_changes_the_sessions_state_for_this_session(void **state)
{
    scene *s = *state;
    agentchat_session *first = scene_create(s, "alice", "s1", "{\"n\":1,\"gone\":1}");
    agentchat_session *second = scene_create(s, "alice", "s2", "{\"n\":10}");

    (void)scene_append(s, first, "e1", "n=2 new=[3] -gone");
    expect_stored(s, "alice", "s1", "{\"n\":2,\"new\":[3]}", "e1");
    expect_stored(s, "alice", "s2", "{\"n\":10}", "");
    agentchat_session_free(first);
    agentchat_session_free(second);
}

static void test_scopes__only_the_first_prefix_counts(void **state)
{
    scene *s = *state;
    agentchat_session *alice = scene_create(s, "alice", "s1", "{\"app:user:z\":1,\"user:app:z\":2,\"user:temp:z\":3}");
    agentchat_session *bob = scene_create(s, "bob", "s1", "{\"app:temp:z\":4}");

    expect_stored(s, "alice", "s1", "{\"app:user:z\":1,\"app:temp:z\":4,\"user:app:z\":2,\"user:temp:z\":3}", "");
    expect_stored(s, "bob", "s1", "{\"app:user:z\":1,\"app:temp:z\":4}", "");
    agentchat_session_free(alice);
    agentchat_session_free(bob);
}

/* ---- temp: ------------------------------------------------------------------------------------------------------ */

static void test_scopes__temp_keys_are_gone_after_the_invocation(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "alice", "s1", NULL);

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    (void)scene_append(s, session, "e1", "temp:current_step=\"search\" kept=1");
    expect_state(session, "{\"temp:current_step\":\"search\",\"kept\":1}");
    agentchat_invocation_end(session);
    expect_state(session, "{\"kept\":1}");
    expect_stored(s, "alice", "s1", "{\"kept\":1}", "e1");
    agentchat_session_free(session);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static void test_scopes__state_is_read_by_key_and_as_a_whole(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "user_123", NULL,
                                              "{\"app:version\":\"1.0.0\",\"user:name\":\"Alice\","
                                              "\"topic\":\"Getting started\"}");
    agentchat_state *map = scene_state(s, "{}");
    agentchat_str value;
    const char *key;

    expect_key(session, "topic", "\"Getting started\"");
    expect_key(session, "app:version", "\"1.0.0\"");
    expect_key(session, "version", NULL);
    for (size_t at = 0; agentchat_state_next(agentchat_session_state(session), &at, &key, &value);)
        test_ok(agentchat_state_set(map, key, value, &s->err), &s->err);
    expect_state(session, "{\"app:version\":\"1.0.0\",\"user:name\":\"Alice\",\"topic\":\"Getting started\"}");
    expect_map(map, "{\"app:version\":\"1.0.0\",\"user:name\":\"Alice\",\"topic\":\"Getting started\"}");
    agentchat_state_free(map);
    agentchat_session_free(session);
}

static void test_scopes__a_second_session_inherits_what_is_shared(void **state)
{
    scene *s = *state;
    agentchat_session *first = scene_create(s, "alice", "s1",
                                            "{\"app:theme\":\"dark\",\"user:language\":\"en\","
                                            "\"context\":\"session1\"}");
    agentchat_session *second = scene_create(s, "alice", "s2", "{\"context\":\"session2\"}");

    expect_key(second, "app:theme", "\"dark\"");
    expect_key(second, "user:language", "\"en\"");
    expect_key(second, "context", "\"session2\"");
    expect_key(first, "context", "\"session1\"");
    agentchat_session_free(first);
    agentchat_session_free(second);
}

static void test_scopes__state_goes_into_instructions(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "alice", "s1",
                                              "{\"user:name\":\"Alice\",\"topic\":\"C\",\"user:language\":\"en\","
                                              "\"user:preferences\":{\"theme\":\"dark\"}}");
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;

    test_ok(agentchat_template_render(agentchat_session_state(session),
                                      AGENTCHAT_STR("You are helping {user:name} with {topic}. Their preferred "
                                                    "language is {user:language}, theme {user:preferences.theme}."),
                                      NULL, &text, &s->err),
            &s->err);
    assert_string_equal(text.ptr, "You are helping Alice with C. Their preferred language is en, theme dark.");
    agentchat_bytes_clear(&text);
    agentchat_session_free(session);
}

int contract_scopes(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_scopes__creating_puts_app_keys_into_the_applications_state),
        SCENE_TEST(test_scopes__creating_puts_user_keys_into_the_users_state),
        SCENE_TEST(test_scopes__creating_puts_the_other_keys_but_temp_into_the_session),
        SCENE_TEST(test_scopes__creating_returns_all_scopes_merged),
        SCENE_TEST(test_scopes__creating_replaces_values_of_wider_scopes),
        SCENE_TEST(test_scopes__getting_merges_the_applications_state_as_it_is_now),
        SCENE_TEST(test_scopes__getting_merges_the_users_state_as_it_is_now),
        SCENE_TEST(test_scopes__getting_gives_the_sessions_own_state_to_nobody_else),
        SCENE_TEST(test_scopes__equal_names_in_three_scopes_are_three_keys),
        SCENE_TEST(test_scopes__equal_users_of_two_applications_are_two),
        SCENE_TEST(test_scopes__appending_carries_out_the_changes_of_the_event),
        SCENE_TEST(test_scopes__appending_stores_no_temp_keys),
        SCENE_TEST(test_scopes__appending_changes_the_applications_state_for_every_user),
        SCENE_TEST(test_scopes__appending_changes_the_users_state_for_all_sessions_of_the_user),
        SCENE_TEST(test_scopes__appending_changes_the_sessions_state_for_this_session),
        SCENE_TEST(test_scopes__only_the_first_prefix_counts),
        SCENE_TEST(test_scopes__temp_keys_are_gone_after_the_invocation),
        SCENE_TEST(test_scopes__state_is_read_by_key_and_as_a_whole),
        SCENE_TEST(test_scopes__a_second_session_inherits_what_is_shared),
        SCENE_TEST(test_scopes__state_goes_into_instructions),
    };

    return CONTRACT_GROUP("scopes", tests);
}
