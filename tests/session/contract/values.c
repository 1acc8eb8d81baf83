/* SPDX-License-Identifier: Apache-2.0 */
/* Values come back as they were spelled, from every field that holds them. */
#include "session/contract/contract.h"

#include <stdio.h>

static const char *const values[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0",
    "1.50",
    "1E5",
    "1e+05",
    "123456789012345678901234567890",
    "-99999999999999999999999.5e-400",
    "9223372036854775807",
    "9223372036854775808",
    "\"\"",
    "\"\\u0041\\/\\\\\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "\"\xC3\xA9\xF0\x9F\x98\x80\"",
    "\"'; DROP TABLE state; --\"",
    "\"temp:x\"",
    "[]",
    "[ 1,2 ,\t3 ]",
    "{}",
    "{ \"b\" : 1, \"a\" : 2 }",
    "{\"a\":1,\"a\":2}",
    "{\"\":{\"\":[[[[]]]]}}",
    "{\"app:x\":1,\"user:y\":2}",
    "\"<>&\\t\x7F\"",
};
#define VALUES (sizeof values / sizeof *values)

static void expect_all(const agentchat_session *session, const char *prefix)
{
    char key[32];

    for (size_t i = 0; i < VALUES; i++) {
        snprintf(key, sizeof key, "%sk%zu", prefix, i);
        expect_key(session, key, values[i]);
    }
}

static void test_values__keep_their_spelling_when_set(void **state)
{
    static const char *const prefixes[] = {"", "user:", "app:"};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    char key[32];

    for (size_t p = 0; p < 3; p++) {
        agentchat_event_builder *builder = test_event_builder(s->env, "a");
        agentchat_event *event = NULL;

        for (size_t i = 0; i < VALUES; i++) {
            snprintf(key, sizeof key, "%sk%zu", prefixes[p], i);
            agentchat_event_builder_set_state(builder, key, agentchat_str_from(values[i]));
        }
        test_ok(agentchat_event_builder_finish(builder, &event, &s->err), &s->err);
        test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
        agentchat_event_unref(event);
        expect_all(session, prefixes[p]);
        again = scene_get(s, "u", "s");
        expect_all(again, prefixes[p]);
        for (size_t i = 0; i < VALUES; i++) {
            const agentchat_change *change = agentchat_event_change(agentchat_session_event(again, p), i);

            assert_true(agentchat_str_equal(change->value, agentchat_str_from(values[i])));
        }
        agentchat_session_free(again);
    }
    agentchat_session_free(session);
}

static void test_values__keep_their_spelling_in_initial_state(void **state)
{
    scene *s = *state;
    agentchat_state *initial = scene_state(s, "{}");
    agentchat_session *session = NULL, *again;
    char key[32];

    for (size_t i = 0; i < VALUES; i++) {
        snprintf(key, sizeof key, "app:k%zu", i);
        test_ok(agentchat_state_set(initial, key, agentchat_str_from(values[i]), &s->err), &s->err);
        snprintf(key, sizeof key, "k%zu", i);
        test_ok(agentchat_state_set(initial, key, agentchat_str_from(values[i]), &s->err), &s->err);
    }
    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){s->app, "u", "s"}, initial, &session, &s->err),
            &s->err);
    again = scene_get(s, "u", "s");
    expect_all(session, "");
    expect_all(session, "app:");
    expect_all(again, "");
    expect_all(again, "app:");
    agentchat_state_free(initial);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_values__keep_their_spelling_through_rewind_and_copy(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *copy;
    agentchat_state *empty = scene_state(s, "{}");
    char key[32];

    for (size_t i = 0; i < VALUES; i++) {
        snprintf(key, sizeof key, "k%zu", i);
        test_ok(agentchat_session_set(session, key, agentchat_str_from(values[i]), &s->err), &s->err);
    }
    (void)scene_append(s, session, "mark", NULL);
    test_ok(agentchat_session_apply_state(session, empty, NULL, &s->err), &s->err);
    test_ok(agentchat_session_rewind(session, "mark", NULL, &s->err), &s->err);
    expect_all(session, "");
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, "copy", NULL, &s->err),
            &s->err);
    copy = scene_get(s, "u", "copy");
    expect_all(copy, "");
    agentchat_state_free(empty);
    agentchat_session_free(copy);
    agentchat_session_free(session);
}

static void test_values__times_are_kept_as_written(void **state)
{
    static const struct {
        const char *time;
        int64_t ns;
    } rows[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"1970-01-01T00:00:00.000000001Z", 1},
        {"1970-01-01T01:00:00+01:00", 0},
        {"1969-12-31T23:59:59.999999999Z", -1},
        {"2026-11-21T10:02:00.120Z", INT64_C(1795255320120000000)},
        {"2026-11-21T10:02:00.12-00:30", INT64_C(1795257120120000000)},
        {"9999-12-31T23:59:59.999999999Z", INT64_MAX},
        {"0001-01-01T00:00:00Z", INT64_MIN},
    };
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        (void)scene_append_at(s, session, NULL, NULL, rows[i].time);
    again = scene_get(s, "u", "s");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(agentchat_str_equal(agentchat_event_get(agentchat_session_event(again, i), AGENTCHAT_EVENT_TIME),
                                        agentchat_str_from(rows[i].time)));
        assert_true(agentchat_event_time_ns(agentchat_session_event(again, i)) == rows[i].ns);
    }
    agentchat_session_free(again);
    again = scene_get_with(s, "u", "s", (agentchat_session_get_options){.since_ns = INT64_MAX, .has_since = true});
    assert_int_equal(agentchat_session_event_count(again), 1);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_values__deeper_than_allowed_are_refused(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char deep[2 * 4000 + 1];

    memset(deep, '[', 4000);
    memset(deep + 4000, ']', 4000);
    deep[8000] = '\0';
    expect_fails(s, agentchat_session_set(session, "k", agentchat_str_from(deep), &s->err), AGENTCHAT_E_LIMIT, NULL);
    expect_stored(s, "u", "s", "{}", "");
    agentchat_session_free(session);
}

/* As deep as is allowed: what was accepted once can be read for ever. */
static void test_values__of_the_greatest_depth_can_be_read_again(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char deep[2 * 4000 + 1], key[32];
    int accepted = 0;

    for (size_t depth = 1; depth <= 4000; depth += depth < 100 || depth >= 140 ? 50 : 1) {
        agentchat_event_builder *builder = test_event_builder(s->env, "a");
        agentchat_event *event = NULL;
        agentchat_status status;

        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        deep[2 * depth] = '\0';
        snprintf(key, sizeof key, "k%zu", depth);
        agentchat_event_builder_set_state(builder, key, agentchat_str_from(deep));
        status = agentchat_event_builder_finish(builder, &event, &s->err);
        if (status >= 0)
            status = agentchat_session_append(session, event, NULL, NULL, &s->err);
        assert_true(status >= 0 || status == AGENTCHAT_E_LIMIT);
        agentchat_event_unref(event);
        if (status >= 0) {
            agentchat_session *again = scene_get(s, "u", "s");

            expect_key(again, key, deep);
            agentchat_session_free(again);
            accepted++;
            test_ok(agentchat_session_delete_key(session, key, &s->err), &s->err);
            test_ok(agentchat_session_rewind(session, NULL, NULL, &s->err), &s->err);
        }
    }
    assert_true(accepted > 3);
    agentchat_session_free(session);
}

/* A temporary value is not stored, but shown with the state, which can be written and read. */
static void test_values__temporary_ones_are_as_deep_as_others(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_state *read = NULL;
    char deep[2 * 128 + 1];

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    for (size_t depth = 127; depth <= 128; depth++) {
        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        deep[2 * depth] = '\0';
        if (depth == 127)
            test_ok(agentchat_session_set(session, "temp:k", agentchat_str_from(deep), &s->err), &s->err);
        else
            expect_fails(s, agentchat_session_set(session, "temp:k", agentchat_str_from(deep), &s->err),
                         AGENTCHAT_E_LIMIT, "deeper than 128");
    }
    expect_fails(s, agentchat_session_set(session, "temp:k", AGENTCHAT_STR("[1"), &s->err), AGENTCHAT_E_INVALID, NULL);
    test_ok(agentchat_state_write(agentchat_session_state(session), &text, &s->err), &s->err);
    test_ok(agentchat_state_read(s->env, (agentchat_str){text.ptr, text.len}, &read, &s->err), &s->err);
    assert_int_equal(agentchat_state_get(read, "temp:k").len, 2 * 127);
    agentchat_state_free(read);
    agentchat_bytes_clear(&text);
    agentchat_session_free(session);
}

/* An unknown property with a namesake in `extras` stands deeper in what is stored than in what was read. What could not
   be read back is refused, and the session stays as it is. */
static void test_values__what_could_not_be_read_back_is_not_stored(void **state)
{
    static const struct {
        const char *before, *after;
        size_t levels;
    } rows[] = {
        {"\"x\":", ",\"extras\":[{\"name\":\"x\",\"value\":1}]", 127},
        {"\"content\":{\"x\":", ",\"extras\":[{\"name\":\"x\",\"value\":1}]}", 126},
        {"\"content\":{\"items\":[{\"type\":\"text\",\"text\":\"t\",\"x\":",
         ",\"extras\":[{\"name\":\"x\",\"value\":1}]}]}", 124},
        {"\"actions\":{\"x\":", ",\"extras\":[{\"name\":\"x\",\"value\":1}]}", 126},
    };
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char text[1024], deep[2 * 127 + 1];

    (void)scene_append(s, session, "e1", "k=1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        agentchat_event *event;

        memset(deep, '[', rows[i].levels);
        memset(deep + rows[i].levels, ']', rows[i].levels);
        deep[2 * rows[i].levels] = '\0';
        (void)snprintf(text, sizeof text, "{\"author\":\"a\",\"id\":\"d\",%s%s%s}", rows[i].before, deep,
                       rows[i].after);
        event = scene_read_event(s, text);
        expect_fails(s, agentchat_session_append(session, event, NULL, NULL, &s->err), AGENTCHAT_E_LIMIT,
                     "nested deeper than 128 levels");
        expect_stored(s, "u", "s", "{\"k\":1}", "e1");
        agentchat_event_unref(event);
    }
    (void)scene_append(s, session, "e2", "k=2");
    expect_stored(s, "u", "s", "{\"k\":2}", "e1 e2");
    agentchat_session_free(session);
}

int contract_values(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_values__keep_their_spelling_when_set),
        SCENE_TEST(test_values__keep_their_spelling_in_initial_state),
        SCENE_TEST(test_values__keep_their_spelling_through_rewind_and_copy),
        SCENE_TEST(test_values__times_are_kept_as_written),
        SCENE_TEST(test_values__deeper_than_allowed_are_refused),
        SCENE_TEST(test_values__of_the_greatest_depth_can_be_read_again),
        SCENE_TEST(test_values__temporary_ones_are_as_deep_as_others),
        SCENE_TEST(test_values__what_could_not_be_read_back_is_not_stored),
    };

    return CONTRACT_GROUP("values", tests);
}
