/* SPDX-License-Identifier: Apache-2.0 */
/* Session files as deep as they may be, and deeper. */
#include "session_data_test.h"

static void test_session_data__is_as_deep_as_its_events(void **state)
{
    /* A map of state cannot hold these. */
    static const struct {
        const char *text, *path;
    } too_deep[] = {
        {"{\"agentchatsession\":{\"format\":1},\"state\":{\"k\":[[[[1]]]]},\"events\":[]}", "/state/k"},
        {"{\"agentchatsession\":{\"format\":1},\"state\":{\"app:k\":[[[[1]]]]},\"events\":[]}", "/state/app:k"},
        {"{\"agentchatsession\":{\"format\":1},\"state\":{},\"initial\":{\"k\":[[[[]]]]},\"events\":[]}", "/initial/k"},
        {"{\"id\":\"s\",\"state\":{\"user:k\":[[[[{}]]]]}}", "/state/user:k"},
    };
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    aci_session_data data;
    agentchat_env *env;
    agentchat_error err;

    (void)state;
    limits.max_depth = 4;
    options.limits = &limits;
    env = test_env(&options);
    agentchat_error_clear(&err);
    test_ok(aci_session_io_read(env,
                                AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"state\":{\"k\":[[[1]]]},"
                                              "\"events\":[{\"author\":\"a\",\"x\":[[[1]]]}]}"),
                                NULL, &data, &err),
            &err);
    aci_session_data_clear(&data);
    test_ok(
        aci_session_io_read(env, AGENTCHAT_STR("{\"id\":\"s\",\"state\":{\"temp:k\":[[[[1]]]]}}"), NULL, &data, &err),
        &err); /* it is left out */
    aci_session_data_clear(&data);
    test_fails(aci_session_io_read(env,
                                   AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"state\":{},"
                                                 "\"events\":[{\"author\":\"a\",\"x\":[[[[1]]]]}]}"),
                                   NULL, &data, &err),
               &err, AGENTCHAT_E_LIMIT, "/events/0/x/0/0/0", "deeper than");
    for (size_t i = 0; i < sizeof too_deep / sizeof *too_deep; i++) {
        agentchat_error_clear(&err);
        test_fails(aci_session_io_read(env, agentchat_str_from(too_deep[i].text), NULL, &data, &err), &err,
                   AGENTCHAT_E_LIMIT, too_deep[i].path, "deeper than 4 levels");
    }
    agentchat_env_free(env);
    limits.max_bytes = 10;
    env = test_env(&options);
    agentchat_error_clear(&err);
    test_fails(aci_session_io_read(env, AGENTCHAT_STR("{\"id\":\"xyz\"}"), NULL, &data, &err), &err, AGENTCHAT_E_LIMIT,
               "", "more than 10 bytes");
    agentchat_error_clear(&err);
    test_fails(aci_session_io_read(env, (agentchat_str){NULL, 0}, NULL, &data, &err), &err, AGENTCHAT_E_SYNTAX, "",
               "end of the input");
    agentchat_env_free(env);
}

/* Arguments and results stand one level deeper in the ADK format. What we write there we read again. */
static void test_session_data__what_goes_to_an_adk_comes_back(void **state)
{
#define NATIVE "{\"agentchatsession\":{\"format\":1},\"id\":\"s\",\"state\":{},\"events\":[{\"author\":\"a\","
    static const struct {
        const char *before, *after;
        size_t levels; /* the most that the event can have */
    } cases[] = {
        {NATIVE "\"content\":{\"items\":[{\"type\":\"call\",\"arguments\":{\"a\":", "}}]}}]}", 123},
        {NATIVE "\"content\":{\"items\":[{\"type\":\"result\",\"result\":{\"a\":", "}}]}}]}", 123},
        {NATIVE "\"actions\":{\"compaction\":{\"start\":\"2026-01-02T03:04:05Z\",\"end\":\"2026-01-02T03:04:06Z\","
                "\"content\":{\"items\":[{\"type\":\"call\",\"arguments\":{\"a\":",
         "}}]}}}}]}", 121},
        {NATIVE "\"actions\":{\"statedelta\":{\"k\":", "}}}]}", 125},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = nested(cases[i].before, cases[i].levels, cases[i].after);
        aci_session_data data = read_session(agentchat_str_from(text), NULL), again;
        agentchat_bytes adk = written(&data, "adk", NULL), second;
        agentchat_error err;

        again = read_session(view(&adk), NULL);
        second = written(&again, "adk", NULL);
        assert_string_equal(second.ptr, adk.ptr);
        agentchat_bytes_clear(&adk);
        agentchat_bytes_clear(&second);
        aci_session_data_clear(&data);
        aci_session_data_clear(&again);
        free(text);

        text = nested(cases[i].before, cases[i].levels + 1, cases[i].after);
        agentchat_error_clear(&err);
        assert_int_equal(aci_session_io_read(NULL, agentchat_str_from(text), NULL, &data, &err), AGENTCHAT_E_LIMIT);
        free(text);
    }
#undef NATIVE
}

/* It is the depth in the native format that is limited, wherever a value stands in the ADKs'. */
static void test_session_data__an_adks_event_is_as_deep_as_ours(void **state)
{
    static const struct {
        const char *before, *after;
        size_t most;
        const char *part; /* of the native format, in the message */
    } cases[] = {
        {"{\"id\":\"s\",\"events\":[{},{\"content\":{\"parts\":[{\"functionCall\":{\"args\":", "}}]}}]}", 124,
         "\"content\""},
        {"{\"id\":\"s\",\"events\":[{},{\"content\":{\"parts\":[{\"functionResponse\":{\"response\":", "}}]}}]}", 124,
         "\"content\""},
        {"{\"id\":\"s\",\"events\":[{},{\"content\":{\"parts\":[{\"new\":", "}]}}]}", 123, "\"content\""},
        {"{\"id\":\"s\",\"events\":[{},{\"customMetadata\":", "}]}", 125, "\"extras\""},
        {"{\"id\":\"s\",\"events\":[{},{\"actions\":{\"agentState\":", "}}]}", 124, "\"actions/extras\""},
        {"{\"id\":\"s\",\"events\":[{},{\"actions\":{\"stateDelta\":{\"k\":", "}}}]}", 125, "\"actions/statedelta\""},
        {"{\"id\":\"s\",\"events\":[{},{\"actions\":{\"artifactDelta\":{\"k\":", "}}}]}", 125, "\"actions/artifacts\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = nested(cases[i].before, cases[i].most, cases[i].after);
        aci_session_data data = read_session(agentchat_str_from(text), NULL);
        agentchat_error err;

        assert_int_equal(data.event_count, 2);
        aci_session_data_clear(&data);
        free(text);
        text = nested(cases[i].before, cases[i].most + 1, cases[i].after);
        agentchat_error_clear(&err);
        test_fails(aci_session_io_read(NULL, agentchat_str_from(text), NULL, &data, &err), &err, AGENTCHAT_E_LIMIT,
                   "/events/1", "nested deeper than 128 levels");
        if (strstr(err.message, cases[i].part) == NULL)
            fail_msg("%s: %s", cases[i].before, err.message);
        assert_int_equal(err.offset, strstr(text, "{},{") - text + 3);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_data__is_as_deep_as_its_events),
        cmocka_unit_test(test_session_data__what_goes_to_an_adk_comes_back),
        cmocka_unit_test(test_session_data__an_adks_event_is_as_deep_as_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
