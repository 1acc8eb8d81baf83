/* SPDX-License-Identifier: Apache-2.0 */
/* What a store keeps of an event, retries, and events out of a store. */
#include "unit/format/event_test.h"

#include "session/session_internal.h"

static int64_t clock_us(void *user)
{
    (void)user;
    return INT64_C(1767323045678901);
}

static int random_bytes(void *user, void *bytes, size_t size)
{
    (void)user;
    memset(bytes, 0xAB, size);
    return 0;
}

/* An environment in which time stands still and ids are all the same. */
static agentchat_env *still_env(void)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;

    options.now_us = clock_us;
    options.random = random_bytes;
    return test_env(&options);
}

#define MADE "abababab-abab-4bab-abab-abababababab"

static void assert_stored(const char *text, const char *invocation, unsigned expected_made, const char *expected)
{
    agentchat_env *env = still_env();
    agentchat_event *event = event_of(text, "agentchat"), *stored;
    agentchat_error err;
    unsigned made;

    agentchat_error_clear(&err);
    test_ok(aci_stored_event_of(env, event, invocation, &made, &stored, &err), &err);
    assert_int_equal(made, expected_made);
    agentchat_event_unref(event);
    assert_text(stored, "agentchat", expected);
    assert_true(agentchat_event_time_ns(stored) != 0);
    agentchat_event_unref(stored);
    agentchat_env_free(env);
}

static void test_store__fills_in_what_is_missing(void **state)
{
    (void)state;
    assert_stored("{\"author\":\"a\"}", NULL, ACI_EVENT_MADE_ID | ACI_EVENT_MADE_INVOCATION | ACI_EVENT_MADE_TIME,
                  "{\"id\":\"" MADE "\",\"invocation\":\"" MADE "\",\"author\":\"a\",\"time\":"
                  "\"2026-01-02T03:04:05.678901Z\"}");
    assert_stored("{\"author\":\"a\",\"id\":\"e\"}", "i", ACI_EVENT_MADE_INVOCATION | ACI_EVENT_MADE_TIME,
                  "{\"id\":\"e\",\"invocation\":\"i\",\"author\":\"a\",\"time\":\"2026-01-02T03:04:05.678901Z\"}");
    assert_stored("{\"author\":\"a\",\"invocation\":\"own\",\"time\":\"2026-11-21T10:02:00.123456789123+01:00\"}", "i",
                  ACI_EVENT_MADE_ID,
                  "{\"id\":\"" MADE "\",\"invocation\":\"own\",\"author\":\"a\",\"time\":"
                  "\"2026-11-21T10:02:00.123456789123+01:00\"}");
    assert_stored("{\"author\":\"a\",\"id\":\"e\",\"invocation\":\"i\",\"time\":\"2026-11-21T10:02:00Z\"}", NULL, 0,
                  "{\"id\":\"e\",\"invocation\":\"i\",\"author\":\"a\",\"time\":\"2026-11-21T10:02:00Z\"}");
}

static void test_store__leaves_temporary_things_out(void **state)
{
#define HEAD "{\"id\":\"e\",\"invocation\":\"i\",\"author\":\"a\",\"time\":\"2026-11-21T10:02:00Z\""
    static const struct {
        const char *text, *stored;
    } cases[] = {
        {HEAD ",\"actions\":{\"statedelta\":{\"temp:a\":1,\"b\":{\"temp:in a value\":2}},\"statedelete\":[\"temp:c\"],"
              "\"stateadd\":{\"temp:d\":1}}}",
         HEAD ",\"actions\":{\"statedelta\":{\"b\":{\"temp:in a value\":2}}}}"},
        {HEAD ",\"actions\":{\"statedelta\":{\"temp:a\":1}}}", HEAD "}"},
        {HEAD ",\"actions\":{\"artifacts\":{\"temp:a\":1,\"b\":2},\"compaction\":{\"x\":[{\"temp:y\":1}]}}}",
         HEAD ",\"actions\":{\"artifacts\":{\"b\":2},\"compaction\":{\"x\":[{}]}}}"},
        {HEAD ",\"actions\":{\"extras\":[{\"from\":\"adk\",\"name\":\"temp:x\",\"value\":1},{\"from\":\"adk\",\"name\":"
              "\"agentState\",\"value\":{\"\\u0074emp:y\":1}}],\"temp:own\":1}}",
         HEAD ",\"actions\":{\"extras\":[{\"from\":\"adk\",\"name\":\"agentState\",\"value\":{}}]}}"},
        {HEAD ",\"temp:x\":1,\"y\":[{\"z\":{\"temp:deep\":1},\"temp\":2}]}", HEAD ",\"y\":[{\"z\":{},\"temp\":2}]}"},
        {HEAD ",\"temp:x\":1}", HEAD "}"},
        {HEAD ",\"actions\":{\"statedelete\":[\"temp:c\"]}}", HEAD "}"},
        /* What was said stays as it was said, and so does what only looks temporary. */
        {HEAD ",\"actions\":{\"statedelta\":{\"b\":{\"temp:in a value\":2}},\"artifacts\":{\"a\":\"temp:b\"}},\"x\":[{"
              "\"temp\":1,\"Temp:x\":2}]}",
         HEAD ",\"actions\":{\"statedelta\":{\"b\":{\"temp:in a value\":2}},\"artifacts\":{\"a\":\"temp:b\"}},\"x\":[{"
              "\"temp\":1,\"Temp:x\":2}]}"},
        {HEAD ",\"content\":{\"items\":[{\"type\":\"call\",\"arguments\":{\"temp:x\":1}}],\"temp:y\":1}}",
         HEAD ",\"content\":{\"items\":[{\"type\":\"call\",\"arguments\":{\"temp:x\":1}}],\"temp:y\":1}}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_stored(cases[i].text, NULL, strcmp(cases[i].text, cases[i].stored) == 0 ? 0 : ACI_EVENT_TRIMMED,
                      cases[i].stored);
#undef HEAD
}

/* What goes into a store lives on when the caller's event and its environment are gone. */
static void test_store__keeps_nothing_of_another_environment(void **state)
{
    test_oom oom = {0};
    agentchat_env *theirs, *ours = still_env();
    agentchat_event *event, *stored;
    agentchat_error err;
    unsigned made;

    (void)state;
    agentchat_error_clear(&err);
    oom.fail_at = UINT64_MAX;
    theirs = test_oom_env(&oom);
    test_ok(agentchat_event_read(theirs,
                                 AGENTCHAT_STR("{\"author\":\"a\",\"content\":{\"items\":[{\"type\":\"text\",\"text\":"
                                               "\"x\"},{\"type\":\"message\",\"message\":{}}]},\"x\":[1]}"),
                                 NULL, &event, NULL, &err),
            &err);
    test_ok(aci_stored_event_of(ours, event, "i", &made, &stored, &err), &err);
    agentchat_event_unref(event);
    agentchat_env_free(theirs);
    assert_int_equal(oom.live_blocks, 0);
    assert_text(stored, "agentchat",
                "{\"id\":\"" MADE "\",\"invocation\":\"i\",\"author\":\"a\",\"time\":\"2026-01-02T03:04:05.678901Z\","
                "\"content\":{\"items\":[{\"type\":\"text\",\"text\":\"x\"},{\"type\":\"message\",\"message\":{}}]},"
                "\"x\":[1]}");
    agentchat_event_unref(stored);
    agentchat_env_free(ours);
}

static void test_store__a_retry_can_be_compared(void **state)
{
    agentchat_event *event = event_of("{\"author\":\"a\",\"content\":{\"items\":[]}}", "agentchat"), *with;
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_stored_event_with(event, AGENTCHAT_STR("e"), (agentchat_str){NULL, 0},
                                  AGENTCHAT_STR("2026-11-21T10:02:00Z"), &with, &err),
            &err);
    agentchat_event_unref(event);
    assert_text(with, "agentchat",
                "{\"id\":\"e\",\"author\":\"a\",\"time\":\"2026-11-21T10:02:00Z\",\"content\":{\"items\":[]}}");
    assert_int_equal(agentchat_event_time_ns(with), INT64_C(1795255320000000000));
    agentchat_event_unref(with);
}

static const char stored_text[] =
    "{\"id\":\"e\",\"author\":\"a\",\"actions\":{\"statedelta\":{\"k\":1},\"stateadd\":{\"n\":2,\"app:m\":-1}}}";

static void test_store__shows_what_appending_did(void **state)
{
    agentchat_event *event;
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(
        aci_stored_event_read(NULL, 7, agentchat_str_from(stored_text),
                              AGENTCHAT_STR("{\"app\":3,\"user\":4,\"sums\":{\"app:m\":-5,\"\\u006e\":9},\"later\":1,"
                                            "\"undo\":[[\"k\",2,{\"x\": 1}],[\"n\",0]]}"),
                              &event, &err),
        &err);
    assert_int_equal(agentchat_event_sequence(event), 7);
    assert_int_equal(agentchat_event_revision(event, AGENTCHAT_SCOPE_APP), 3);
    assert_int_equal(agentchat_event_revision(event, AGENTCHAT_SCOPE_USER), 4);
    assert_int_equal(agentchat_event_revision(event, AGENTCHAT_SCOPE_SESSION), 0);
    assert_str(agentchat_event_change(event, 1)->value, "9");
    assert_str(agentchat_event_change(event, 2)->value, "-5");
    assert_str(event->undo, "[[\"k\",2,{\"x\": 1}],[\"n\",0]]");
    assert_text(event, "agentchat", stored_text); /* sums, sequence numbers and revisions are no part of it */
    aci_event_set_stored(event, 8, 9, 10);
    assert_true(aci_event_set_sum(event, 1, INT64_MIN) && aci_event_set_undo(event, AGENTCHAT_STR("[]")));
    assert_int_equal(agentchat_event_sequence(event), 8);
    assert_str(agentchat_event_change(event, 1)->value, "-9223372036854775808");
    assert_str(event->undo, "[]");
    agentchat_event_unref(event);

    test_ok(aci_stored_event_read(NULL, 1, agentchat_str_from(stored_text), (agentchat_str){NULL, 0}, &event, &err),
            &err);
    assert_null(agentchat_event_change(event, 1)->value.ptr);
    assert_null(event->undo.ptr);
    agentchat_event_unref(event);
}

static void test_store__damage_is_named(void **state)
{
    static const struct {
        const char *text, *effect; /* NULL: the right one */
        const char *path, *message;
    } cases[] = {
        {"", NULL, "", "the stored text of event 7 is damaged: unexpected end"},
        {"{\"author\":\"a\"", NULL, "", "the stored text of event 7 is damaged"},
        {"{\"author\":\"a\",\"time\":\"x\"}", NULL, "/time", "text of event 7"},
        {"{\"author\":\"a\",\"id\":\"\"}", NULL, "/id", "text of event 7"},
        {"{\"author\":\"a\",\"actions\":{\"statedelta\":{\"\":1}}}", NULL, "/actions/statedelta/", "text of event 7"},
        {NULL, "", "", "the stored effect of event 7 is damaged: unexpected end"},
        {NULL, "[]", "", "effect of event 7"},
        {NULL, "{\"app\":-1}", "/app", "effect of event 7"},
        {NULL, "{\"app\":1,\"app\":1}", "/app", "twice"},
        {NULL, "{\"user\":\"1\"}", "/user", "an integer"},
        {NULL, "{\"sums\":{\"k\":1}}", "/sums/k", "adds nothing"},
        {NULL, "{\"sums\":{\"n\":1.5}}", "/sums/n", "integer"},
        {NULL, "{\"sums\":{\"n\":99999999999999999999}}", "/sums/n", "integer"},
        {NULL, "{\"sums\":[]}", "/sums", "an object"},
        {NULL, "{\"undo\":{}}", "/undo", "an array"},
        {NULL, "{\"undo\":[[]]}", "/undo/0", "a key, a revision"},
        {NULL, "{\"undo\":[[\"k\"]]}", "/undo/0", "a key, a revision"},
        {NULL, "{\"undo\":[[\"k\",\"1\"]]}", "/undo/0/1", "an integer"},
        {NULL, "{\"undo\":[[\"k\",1,2,3]]}", "/undo/0/3", "a key, a revision"},
        {NULL, "{\"undo\":[1]}", "/undo/0", "an array"},
        {NULL, "{\"undo\":[", "/undo", "end of the input"},
        {NULL, "{} x", "", "end of the input"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text != NULL ? cases[i].text : stored_text;
        agentchat_event *event = (agentchat_event *)(uintptr_t)1;
        agentchat_error err;

        agentchat_error_clear(&err);
        test_fails(
            aci_stored_event_read(NULL, 7, agentchat_str_from(text), agentchat_str_from(cases[i].effect), &event, &err),
            &err, AGENTCHAT_E_CORRUPT, cases[i].path, cases[i].message);
        assert_null(event);
        assert_int_equal(
            aci_stored_event_read(NULL, 7, agentchat_str_from(text), agentchat_str_from(cases[i].effect), &event, NULL),
            AGENTCHAT_E_CORRUPT);
    }
}

static void test_store__deeper_than_allowed_is_no_damage(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;
    agentchat_event *event;
    agentchat_error err;

    (void)state;
    limits.max_depth = 3;
    options.limits = &limits;
    env = test_env(&options);
    agentchat_error_clear(&err);
    test_fails(aci_stored_event_read(env, 1, AGENTCHAT_STR("{\"author\":\"a\",\"x\":[[[]]]}"), (agentchat_str){NULL, 0},
                                     &event, &err),
               &err, AGENTCHAT_E_LIMIT, "/x/0/0", "deeper than 3");
    agentchat_env_free(env);
}

/* An unknown property that has a namesake in `extras` is written there too, two levels deeper. Nothing is stored that
   could not be read back. */
static void test_store__stored_text_can_be_read_back(void **state)
{
    static const struct {
        const char *before, *after;
        size_t most; /* levels that can be stored */
        size_t read; /* levels that can be read */
    } cases[] = {
        {"{\"author\":\"a\",\"x\":", "}", 127, 127},
        {"{\"author\":\"a\",\"x\":", ",\"extras\":[{\"name\":\"x\",\"value\":1}]}", 125, 127},
        {"{\"author\":\"a\",\"content\":{\"x\":", ",\"extras\":[{\"name\":\"x\",\"value\":1}]}}", 124, 126},
        {"{\"author\":\"a\",\"content\":{\"items\":[{\"type\":\"text\",\"text\":\"t\",\"x\":",
         ",\"extras\":[{\"name\":\"x\",\"value\":1}]}]}}", 122, 124},
        {"{\"author\":\"a\",\"actions\":{\"x\":", ",\"extras\":[{\"name\":\"x\",\"value\":1}]}}", 124, 126},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t levels = cases[i].most - 1; levels <= cases[i].read; levels++) {
            char *text = nested(cases[i].before, levels, cases[i].after);
            agentchat_event *event = event_of(text, "agentchat"), *back;
            agentchat_error err;
            aci_buf out;

            aci_buf_init(&out, NULL, SIZE_MAX);
            assert_true(aci_buf_add(&out, "before", 6));
            agentchat_error_clear(&err);
            if (levels <= cases[i].most) {
                test_ok(aci_stored_event_text(event, &out, &err), &err);
                test_ok(aci_stored_event_read(NULL, 1, (agentchat_str){out.ptr + 6, out.len - 6},
                                              (agentchat_str){NULL, 0}, &back, &err),
                        &err);
                agentchat_event_unref(back);
            } else {
                test_fails(aci_stored_event_text(event, &out, &err), &err, AGENTCHAT_E_LIMIT, "",
                           "nested deeper than 128 levels");
                assert_int_equal(out.len, 6);
            }
            aci_buf_clear(&out);
            agentchat_event_unref(event);
            free(text);
        }
    }
}

/* What appending replaced stands three levels deeper in the effect than in the state, whatever an environment allows.
 */
static void test_store__the_deepest_value_can_be_undone(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;
    agentchat_event *event;
    agentchat_error err;
    char *effect;

    (void)state;
    limits.max_depth = ACI_HIGHEST_MAX_DEPTH;
    options.limits = &limits;
    env = test_env(&options);
    effect = nested("{\"undo\":[[\"k\",1,", ACI_HIGHEST_MAX_DEPTH, "]]}");
    agentchat_error_clear(&err);
    test_ok(aci_stored_event_read(env, 1, agentchat_str_from(stored_text), agentchat_str_from(effect), &event, &err),
            &err);
    assert_int_equal(event->undo.len, strlen(effect) - strlen("{\"undo\":}"));
    agentchat_event_unref(event);
    agentchat_env_free(env);
    free(effect);
}

static void test_store__a_message_becomes_an_event(void **state)
{
    static const struct {
        const char *role, *name, *id, *time, *expected;
    } cases[] = {
        {"assistant", "Desk", "m1", "2026-11-21T10:02:00Z",
         "{\"id\":\"m1\",\"invocation\":\"i\",\"author\":\"Desk\",\"time\":\"2026-11-21T10:02:00Z\",\"content\":"
         "{\"role\":\"assistant\",\"name\":\"Desk\",\"items\":[],\"id\":\"m1\",\"time\":\"2026-11-21T10:02:00Z\"}}"},
        {"user", NULL, NULL, NULL,
         "{\"invocation\":\"i\",\"author\":\"user\",\"content\":{\"role\":\"user\",\"items\":[]}}"},
        {"user", "", "", "10 o'clock",
         "{\"invocation\":\"i\",\"author\":\"\",\"content\":{\"role\":\"user\",\"name\":\"\",\"items\":[],\"id\":\"\","
         "\"time\":\"10 o'clock\"}}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_message_builder *builder = test_message_builder(NULL, cases[i].role, cases[i].name);
        agentchat_message *message;
        agentchat_event *event;
        agentchat_error err;

        agentchat_message_builder_set(builder, AGENTCHAT_FIELD_ID, agentchat_str_from(cases[i].id));
        agentchat_message_builder_set(builder, AGENTCHAT_FIELD_TIME, agentchat_str_from(cases[i].time));
        test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
        test_ok(agentchat_event_from_message(NULL, message, "i", &event, &err), &err);
        assert_ptr_equal(agentchat_event_content(event), message);
        agentchat_message_unref(message);
        assert_text(event, "agentchat", cases[i].expected);
        agentchat_event_unref(event);
    }
}

static void test_store__a_message_becomes_no_event(void **state)
{
    agentchat_event *event;
    agentchat_message *message;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_event_from_message(NULL, NULL, NULL, &event, &err), &err, AGENTCHAT_E_INVALID, "",
               "message must not be NULL");
    test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("x"), &message, &err),
            &err);
    test_fails(agentchat_event_from_message(NULL, message, "", &event, &err), &err, AGENTCHAT_E_INVALID, "/invocation",
               "empty");
    agentchat_message_unref(message);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static const char much_text[] =
    "{\"author\":\"a\",\"content\":{\"items\":[{\"type\":\"text\",\"text\":\"x\"}]},\"actions\":{\"statedelta\":{\"k\":"
    "1,"
    "\"temp:t\":2},\"stateadd\":{\"n\":1},\"artifacts\":{\"temp:a\":1},\"x\":{\"temp:y\":1}},\"y\":1}";

static agentchat_status store(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_event *event = NULL, *stored = NULL, *with = NULL, *back = NULL;
    unsigned made;
    agentchat_status status =
        agentchat_event_read(user != NULL ? NULL : env, agentchat_str_from(much_text), "agentchat", &event, NULL, err);
    aci_buf text;

    aci_buf_init(&text, env, SIZE_MAX);
    if (status >= 0)
        status = aci_stored_event_of(env, event, NULL, &made, &stored, err);
    assert_int_equal(stored != NULL, status >= 0);
    if (status >= 0)
        status = aci_stored_event_with(stored, AGENTCHAT_STR("e"), (agentchat_str){NULL, 0}, (agentchat_str){NULL, 0},
                                       &with, err);
    assert_int_equal(with != NULL, status >= 0);
    if (status >= 0)
        status = aci_stored_event_text(with, &text, err);
    if (status >= 0)
        status = aci_stored_event_read(env, 1, aci_buf_str(&text), AGENTCHAT_STR("{\"sums\":{\"n\":1},\"undo\":[]}"),
                                       &back, err);
    assert_int_equal(back != NULL, status >= 0);
    aci_buf_clear(&text);
    agentchat_event_unref(back);
    agentchat_event_unref(with);
    agentchat_event_unref(stored);
    agentchat_event_unref(event);
    return status;
}

static void test_store__memory_may_run_out(void **state)
{
    static char other[] = "another environment";

    (void)state;
    assert_true(test_oom_sweep(store, NULL) > 10);
    assert_true(test_oom_sweep(store, other) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__fills_in_what_is_missing),
        cmocka_unit_test(test_store__leaves_temporary_things_out),
        cmocka_unit_test(test_store__keeps_nothing_of_another_environment),
        cmocka_unit_test(test_store__a_retry_can_be_compared),
        cmocka_unit_test(test_store__shows_what_appending_did),
        cmocka_unit_test(test_store__damage_is_named),
        cmocka_unit_test(test_store__deeper_than_allowed_is_no_damage),
        cmocka_unit_test(test_store__stored_text_can_be_read_back),
        cmocka_unit_test(test_store__the_deepest_value_can_be_undone),
        cmocka_unit_test(test_store__a_message_becomes_an_event),
        cmocka_unit_test(test_store__a_message_becomes_no_event),
        cmocka_unit_test(test_store__memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
