/* SPDX-License-Identifier: Apache-2.0 */
/* What is written of a session, in the native format and for an ADK. */
#include "session_data_test.h"

#include "snapshot/report.h"

#define INITIAL(key)                                                                                                   \
    "loss /initial/" key ": what the key was before the first event was left out: there is no field for it\n"

/* Nothing is lost of a key that is what it was before the first event. */
static void test_session_data__initial_state_that_still_stands_is_not_lost(void **state)
{
    agentchat_report *report = aci_report_new(aci_env(NULL));
    aci_session_data data = read_session(
        AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"state\":{\"still\":[1],\"again\":1,\"new\":2,"
                      "\"spelled\":1.0,\"n\":2},\"initial\":{\"still\":[1],\"again\":1,\"gone\":1,\"deleted\":"
                      "1,\"spelled\":1.00,\"n\":1},\"events\":[{\"author\":\"a\",\"time\":\"2026-01-02T03:04:05Z\","
                      "\"actions\":{\"statedelta\":{\"again\":1,\"new\":2},\"statedelete\":[\"deleted\"]}},{"
                      "\"author\":\"a\",\"time\":\"2026-01-02T03:04:05Z\",\"actions\":{\"stateadd\":{\"n\":1}}}]}"),
        NULL);
    agentchat_bytes out = written(&data, "adk", report);
    char *entries = entries_of(report), *initial = strstr(entries, "loss /initial");

    (void)state;
    assert_non_null(initial);
    assert_int_equal(
        strncmp(initial, INITIAL("again") INITIAL("gone") INITIAL("deleted") INITIAL("spelled") INITIAL("n"),
                strlen(INITIAL("again") INITIAL("gone") INITIAL("deleted") INITIAL("spelled") INITIAL("n"))),
        0);
    assert_null(strstr(entries, "/initial/still"));
    free(entries);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    aci_session_data_clear(&data);
}

static void test_session_data__initial_state_is_no_adks(void **state)
{
    agentchat_report *report = aci_report_new(aci_env(NULL));
    aci_session_data data =
        read_session(AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"id\":\"s\",\"state\":{\"a\":"
                                   "\"\\ud800\"},\"initial\":{\"a\":1},\"events\":[]}"),
                     NULL);
    agentchat_bytes out = written(&data, "adk", report);
    char *entries = entries_of(report);

    (void)state;
    assert_string_equal(entries, INITIAL("a") "loss /state/a: lone surrogates were replaced by U+FFFD: adk-python "
                                              "refuses them\n");
    assert_string_equal(out.ptr,
                        "{\n  \"id\": \"s\",\n  \"appName\": \"\",\n  \"userId\": \"\",\n  \"state\": {\n    \"a\": "
                        "\"\\uFFFD\"\n  },\n  \"events\": []\n}\n");
    free(entries);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    aci_session_data_clear(&data);
}

static void test_session_data__the_last_event_gives_the_time(void **state)
{
    aci_session_data data =
        read_session(AGENTCHAT_STR("{\"id\":\"s\",\"events\":[{\"author\":\"a\",\"timestamp\":1.5}]}"), NULL);
    agentchat_bytes out = written(&data, "adk", NULL);

    (void)state;
    assert_non_null(strstr(out.ptr, "\"lastUpdateTime\": 1.5"));
    agentchat_bytes_clear(&out);
    aci_session_data_clear(&data);
}

static void test_session_data__a_caller_s_own(void **state)
{
    aci_session_data data = {0};
    agentchat_bytes out;
    agentchat_error err;

    (void)state;
    data.app = AGENTCHAT_STR("a");
    data.state = test_state(NULL);
    test_ok(agentchat_state_set(data.state, "k", AGENTCHAT_STR("{\"x\":\n1}"), &err), &err);
    test_ok(agentchat_state_set(data.state, "temp:t", AGENTCHAT_STR("1"), &err), &err);
    out = written(&data, NULL, NULL);
    assert_string_equal(out.ptr, "{\"agentchatsession\":{\"format\":1},\n\"app\":\"a\",\n\"state\":{\"k\":{\"x\":1}},\n"
                                 "\"events\":[]}\n");
    agentchat_bytes_clear(&out);
    out = written(&data, "adk", NULL);
    assert_null(strstr(out.ptr, "temp"));
    agentchat_bytes_clear(&out);
    agentchat_error_clear(&err);
    test_fails(aci_session_io_write(&data, "semantic-kernel", NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "as \"semantic-kernel\", but as agentchat, adk or adk-rust");
    aci_session_data_clear(&data);
}

static void test_session_data__sinks_may_fail(void **state)
{
    char *path = test_path(test_data_dir(), "data/golden/session-1/every-property.json");
    static const char *const formats[] = {"agentchat", "adk"};
    aci_session_data data;
    size_t len;
    char *text = test_file_read(path, &len);

    (void)state;
    data = read_session((agentchat_str){text, len}, NULL);
    for (size_t i = 0; i < 2; i++) {
        agentchat_status status = AGENTCHAT_E_IO;

        for (uint64_t good = 0; status < 0; good++) {
            agentchat_sink *sink = test_sink_failing(good, false);
            agentchat_error err;

            agentchat_error_clear(&err);
            status = aci_session_io_write(&data, formats[i], sink, NULL, &err);
            assert_true(status == AGENTCHAT_OK || status == AGENTCHAT_E_IO);
            assert_true(good < 100 && (good > 0 || status < 0));
            agentchat_sink_free(sink);
        }
    }
    aci_session_data_clear(&data);
    free(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_data__initial_state_that_still_stands_is_not_lost),
        cmocka_unit_test(test_session_data__initial_state_is_no_adks),
        cmocka_unit_test(test_session_data__the_last_event_gives_the_time),
        cmocka_unit_test(test_session_data__a_caller_s_own),
        cmocka_unit_test(test_session_data__sinks_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
