/* SPDX-License-Identifier: Apache-2.0 */
/* Appending events: sequence numbers, what is filled in, what the event says of its changes. */
#include "session/contract/contract.h"

#include <stdio.h>

static void test_append__sequence_numbers_count_up_from_one(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char id[16];

    for (uint64_t i = 1; i <= 20; i++) {
        snprintf(id, sizeof id, "e%d", (int)i);
        assert_int_equal(scene_append(s, session, id, NULL), i);
        assert_int_equal(agentchat_session_sequence(session), i);
        assert_int_equal(agentchat_event_sequence(agentchat_session_event(session, i - 1)), i);
    }
    agentchat_session_free(session);
}

static void test_append__missing_id_invocation_and_time_are_made(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    const agentchat_event *event, *stored;
    int64_t before = s->now_us;

    (void)scene_append(s, session, NULL, NULL);
    event = agentchat_session_event(session, 0);
    assert_int_equal(agentchat_event_get(event, AGENTCHAT_EVENT_ID).len, 36);
    assert_int_equal(agentchat_event_get(event, AGENTCHAT_EVENT_INVOCATION).len, 36);
    assert_true(agentchat_event_time_ns(event) >= before * 1000);
    assert_true(agentchat_event_time_ns(event) < s->now_us * 1000);
    assert_str(agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR), "agent");
    again = scene_get(s, "u", "s");
    stored = agentchat_session_event(again, 0);
    for (int field = AGENTCHAT_EVENT_ID; field <= AGENTCHAT_EVENT_COMPACTION; field++)
        assert_true(agentchat_str_equal(agentchat_event_get(stored, (agentchat_event_field)field),
                                        agentchat_event_get(event, (agentchat_event_field)field)));
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_append__the_callers_event_stays_as_it_is(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event = scene_event(s, NULL, "temp:x=1 n+=2", NULL);

    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    assert_null(agentchat_event_get(event, AGENTCHAT_EVENT_ID).ptr);
    assert_null(agentchat_event_get(event, AGENTCHAT_EVENT_TIME).ptr);
    assert_int_equal(agentchat_event_sequence(event), 0);
    assert_int_equal(agentchat_event_change_count(event), 2);
    assert_null(agentchat_event_change(event, 1)->value.ptr);
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

static void test_append__an_event_without_an_id_can_be_appended_twice(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event = scene_event(s, NULL, "n+=1", NULL);

    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    assert_int_equal(agentchat_session_event_count(session), 2);
    expect_state(session, "{\"n\":2}");
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

static void test_append__the_event_tells_revisions_of_the_scopes_it_changed(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":0}"), *again;

    (void)scene_append(s, session, "e1", "own=1");
    (void)scene_append(s, session, "e2", "app:a=1 user:b=1");
    (void)scene_append(s, session, "e3", "app:c=1 app:d=1");
    again = scene_get(s, "u", "s");
    for (int i = 0; i < 2; i++) {
        const agentchat_session *handle = i == 0 ? session : again;
        const agentchat_event *e1 = agentchat_session_event(handle, 0), *e2 = agentchat_session_event(handle, 1);
        const agentchat_event *e3 = agentchat_session_event(handle, 2);

        assert_int_equal(agentchat_event_revision(e1, AGENTCHAT_SCOPE_APP), 0);
        assert_int_equal(agentchat_event_revision(e1, AGENTCHAT_SCOPE_USER), 0);
        assert_int_equal(agentchat_event_revision(e2, AGENTCHAT_SCOPE_APP), 2);
        assert_int_equal(agentchat_event_revision(e2, AGENTCHAT_SCOPE_USER), 1);
        assert_int_equal(agentchat_event_revision(e3, AGENTCHAT_SCOPE_APP), 3);
        assert_int_equal(agentchat_event_revision(e3, AGENTCHAT_SCOPE_USER), 0);
        assert_int_equal(agentchat_session_revision(handle, "app:a"), 2);
        assert_int_equal(agentchat_session_revision(handle, "app:c"), 3);
        assert_int_equal(agentchat_session_revision(handle, "app:d"), 3);
        assert_int_equal(agentchat_session_revision(handle, "user:b"), 1);
    }
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_append__the_event_tells_the_sums_of_what_it_added(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"n\":40,\"app:n\":-1}"), *again;

    (void)scene_append(s, session, "e1", "n+=2 app:n+=1 user:n+=-7 other=1");
    again = scene_get(s, "u", "s");
    for (int i = 0; i < 2; i++) {
        const agentchat_event *event = agentchat_session_event(i == 0 ? session : again, 0);
        size_t sums = 0;

        for (size_t j = 0; j < agentchat_event_change_count(event); j++) {
            const agentchat_change *change = agentchat_event_change(event, j);

            if (change->kind != AGENTCHAT_CHANGE_ADD)
                continue;
            sums++;
            if (strcmp(change->key, "n") == 0)
                assert_str(change->value, "42");
            else if (strcmp(change->key, "app:n") == 0)
                assert_str(change->value, "0");
            else
                assert_str(change->value, "-7");
        }
        assert_int_equal(sums, 3);
    }
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_append__null_is_a_value(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"a\":1,\"app:a\":1,\"user:a\":1}");

    (void)scene_append(s, session, "e1", "a=null app:a=null user:a=null");
    expect_stored(s, "u", "s", "{\"a\":null,\"app:a\":null,\"user:a\":null}", "e1");
    assert_true(agentchat_session_revision(session, "a") > 0);
    agentchat_session_free(session);
}

static void test_append__values_are_replaced_as_a_whole(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"a\":{\"x\":1,\"y\":{\"z\":2}}}");

    (void)scene_append(s, session, "e1", "a={\"y\":{}}");
    expect_stored(s, "u", "s", "{\"a\":{\"y\":{}}}", "e1");
    agentchat_session_free(session);
}

static void test_append__deleting_a_missing_key_is_no_error(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"a\":1}");

    (void)scene_append(s, session, "e1", "-none -app:none -user:none -a");
    expect_state(session, "{}");
    expect_stored(s, "u", "s", "{}", "e1");
    agentchat_session_free(session);
}

static void test_append__adding_to_what_is_no_integer_fails_and_stores_nothing(void **state)
{
    static const struct {
        const char *value;
        agentchat_status status;
    } rows[] = {
        {"\"1\"", AGENTCHAT_E_INVALID},
        {"null", AGENTCHAT_E_INVALID},
        {"1.5", AGENTCHAT_E_INVALID},
        {"1e3", AGENTCHAT_E_INVALID},
        {"[]", AGENTCHAT_E_INVALID},
        {"true", AGENTCHAT_E_INVALID},
        {"9223372036854775807", AGENTCHAT_E_LIMIT},
        {"9223372036854775808", AGENTCHAT_E_LIMIT},
        {"-99999999999999999999", AGENTCHAT_E_LIMIT},
    };
    scene *s = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char *const prefixes[] = {"", "user:", "app:"};

        for (size_t p = 0; p < 3; p++) {
            char id[24], changes[96], wanted[96];
            agentchat_session *session;
            agentchat_event *event;

            snprintf(id, sizeof id, "s%zu-%zu", i, p);
            session = scene_create(s, "u", id, NULL);
            snprintf(changes, sizeof changes, "%sk=%s", prefixes[p], rows[i].value);
            (void)scene_append(s, session, "e1", changes);
            snprintf(changes, sizeof changes, "other=1 %sk+=1", prefixes[p]);
            event = scene_event(s, "e2", changes, NULL);
            expect_fails(s, agentchat_session_append(session, event, NULL, NULL, &s->err), rows[i].status, "k");
            agentchat_event_unref(event);
            snprintf(wanted, sizeof wanted, "{\"%sk\":%s}", prefixes[p], rows[i].value);
            expect_state(session, wanted);
            expect_events(session, "e1");
            expect_stored(s, "u", id, wanted, "e1");
            snprintf(changes, sizeof changes, "-%sk", prefixes[p]);
            (void)scene_append(s, session, "e3", changes);
            agentchat_session_free(session);
        }
    }
}

static void test_append__sums_reach_both_ends_of_64_bits(void **state)
{
    scene *s = *state;
    agentchat_session *session =
        scene_create(s, "u", "s", "{\"top\":9223372036854775806,\"app:bottom\":-9223372036854775807}");

    (void)scene_append(s, session, "e1", "top+=1 app:bottom+=-1");
    expect_stored(s, "u", "s", "{\"top\":9223372036854775807,\"app:bottom\":-9223372036854775808}", "e1");
    agentchat_session_free(session);
}

static void test_append__a_partial_event_is_never_stored(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event = scene_read_event(s, "{\"author\":\"a\",\"partial\":true,\"id\":\"e1\","
                                                 "\"actions\":{\"statedelta\":{\"k\":1,\"app:k\":1,\"temp:k\":1}}}");
    agentchat_event *complete = scene_read_event(s, "{\"author\":\"a\",\"partial\":false,\"id\":\"e1\"}");

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    assert_int_equal(agentchat_session_append(session, event, NULL, NULL, &s->err), AGENTCHAT_DONE);
    assert_int_equal(s->err.code, 0);
    expect_state(session, "{}");
    assert_int_equal(agentchat_session_sequence(session), 0);
    test_ok(agentchat_session_append(session, complete, NULL, NULL, &s->err), &s->err);
    expect_stored(s, "u", "s", "{}", "e1");
    agentchat_event_unref(event);
    agentchat_event_unref(complete);
    agentchat_session_free(session);
}

static void test_append__many_changes_of_one_event_are_one_step(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    agentchat_event_builder *builder = test_event_builder(s->env, "agent");
    agentchat_event *event = NULL;
    char key[32];

    for (int i = 0; i < 900; i++) {
        snprintf(key, sizeof key, "%sk%d", i % 3 == 0 ? "app:" : i % 3 == 1 ? "user:" : "", i);
        if (i % 2 == 0)
            agentchat_event_builder_set_state(builder, key, AGENTCHAT_STR("\"set\""));
        else
            agentchat_event_builder_add_state(builder, key, i);
    }
    test_ok(agentchat_event_builder_finish(builder, &event, &s->err), &s->err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    again = scene_get(s, "u", "s");
    assert_int_equal(agentchat_state_count(agentchat_session_state(again)), 900);
    assert_int_equal(agentchat_event_revision(agentchat_session_event(again, 0), AGENTCHAT_SCOPE_APP), 1);
    expect_key(again, "app:k0", "\"set\"");
    expect_key(again, "user:k1", "1");
    expect_key(again, "k899", "899");
    agentchat_event_unref(event);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_append__a_large_event_comes_back(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    agentchat_event_builder *builder = test_event_builder(s->env, "agent");
    agentchat_event *event = NULL;
    size_t len = 3 * 1024 * 1024;
    char *value = malloc(len + 1);

    assert_non_null(value);
    memset(value, 'x', len);
    value[0] = value[len - 1] = '"';
    value[len] = '\0';
    agentchat_event_builder_set_state(builder, "big", agentchat_str_from(value));
    test_ok(agentchat_event_builder_finish(builder, &event, &s->err), &s->err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    again = scene_get(s, "u", "s");
    expect_key(again, "big", value);
    free(value);
    agentchat_event_unref(event);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_append__needs_handle_and_event(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event = scene_event(s, "e1", NULL, NULL);
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;

    expect_fails(s, agentchat_session_append(NULL, event, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_session_append(session, NULL, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, NULL);
    options.struct_size = 1;
    expect_fails(s, agentchat_session_append(session, event, &options, NULL, &s->err), AGENTCHAT_E_INVALID, NULL);
    assert_int_equal(agentchat_session_append(session, event, NULL, NULL, NULL), AGENTCHAT_OK);
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

int contract_append(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_append__sequence_numbers_count_up_from_one),
        SCENE_TEST(test_append__missing_id_invocation_and_time_are_made),
        SCENE_TEST(test_append__the_callers_event_stays_as_it_is),
        SCENE_TEST(test_append__an_event_without_an_id_can_be_appended_twice),
        SCENE_TEST(test_append__the_event_tells_revisions_of_the_scopes_it_changed),
        SCENE_TEST(test_append__the_event_tells_the_sums_of_what_it_added),
        SCENE_TEST(test_append__null_is_a_value),
        SCENE_TEST(test_append__values_are_replaced_as_a_whole),
        SCENE_TEST(test_append__deleting_a_missing_key_is_no_error),
        SCENE_TEST(test_append__adding_to_what_is_no_integer_fails_and_stores_nothing),
        SCENE_TEST(test_append__sums_reach_both_ends_of_64_bits),
        SCENE_TEST(test_append__a_partial_event_is_never_stored),
        SCENE_TEST(test_append__many_changes_of_one_event_are_one_step),
        SCENE_TEST(test_append__a_large_event_comes_back),
        SCENE_TEST(test_append__needs_handle_and_event),
    };

    return CONTRACT_GROUP("append", tests);
}
