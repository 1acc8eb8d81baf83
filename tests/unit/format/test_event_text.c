/* SPDX-License-Identifier: Apache-2.0 */
/* The native format of events: reading, writing, errors with their locations; distinguishing it from that of the ADKs.
 */
#include "event_test.h"

#include "format/adk/adk.h"
#include "format/event_io.h"

static void test_text__written_so_read_and_written_again(void **state)
{
    static const char *const cases[] = {
        "{\"author\":\"\"}",
        "{\"id\":\"e\",\"invocation\":\"i\",\"author\":\"a\",\"time\":\"2026-11-21T10:02:00.1234567890123+05:30\","
        "\"branch\":\"\",\"partial\":true}",
        "{\"author\":\"a\",\"content\":null}",
        "{\"author\":\"a\",\"content\":{}}",
        "{\"author\":\"a\",\"content\":{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":"
        "\"\xC3\xA9\\n\\ud800\"},"
        "null,{\"type\":\"new\",\"x\":1},{\"type\":\"image\",\"data\":\"AAEC\"}],\"later\":[1, 2]}}",
        "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"b\":1.50,\"a\":12345678901234567890123,\"app:x\":null,"
        "\"temp:t\":{\"b\":1,\"a\":[1, 2],\"a\":3}},\"statedelete\":[\"user:y\",\"z\"],\"stateadd\":{\"n\":"
        "-9223372036854775808,\"m\":9223372036854775807,\"o\":0}}}",
        "{\"author\":\"a\",\"actions\":{\"artifacts\":{},\"transfer\":\"\",\"escalate\":false,\"skipsummarization\":"
        "true,\"compaction\":{\"any\":[thing]}}}",
        "{\"author\":\"a\",\"actions\":{\"extras\":[{\"from\":\"adk\",\"name\":\"route\",\"value\":1},{\"name\":"
        "\"route\",\"value\":2}],\"endOfAgent\":true},\"longrunning\":[\"c\",\"\\u0063\"],\"extras\":[{\"from\":"
        "\"semantic-kernel\",\"name\":\"x\",\"value\":[]}],\"foo\":{\"a\":1e5}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = strdup(cases[i]), *word = strstr(text, "[thing]");
        agentchat_event *event;

        if (word != NULL)
            memcpy(word, "[10.00]", 7);
        event = event_of(text, "agentchat");
        assert_text(event, "agentchat", text);
        assert_text(event, NULL, text);
        agentchat_event_unref(event);
        free(text);
    }
}

static void test_text__any_layout_is_read(void **state)
{
    agentchat_event *event =
        event_of(" {\n\t\"extras\" : [ ] , \"content\" : { \"items\" : [ ] } ,\r\n \"\\u0061uthor\" : \"\\u0061\" ,\n"
                 "\"actions\":{\"stateadd\":{\"c\":-0},\"statedelta\":{\"k\" : {\"x\" :\n [1 ,2] }}} } ",
                 "agentchat");

    (void)state;
    /* A value with a line end in it would not be one line, so there is no whitespace at all. */
    assert_text(event, "agentchat",
                "{\"author\":\"a\",\"content\":{\"items\":[]},\"actions\":{\"statedelta\":{\"k\":{\"x\":[1,2]}},"
                "\"stateadd\":{\"c\":0}}}");
    agentchat_event_unref(event);
}

static void test_text__a_sequence_number_is_not_read(void **state)
{
    agentchat_report *report;
    agentchat_event *event;
    agentchat_error err;
    char *entries;

    (void)state;
    test_ok(agentchat_event_read(NULL, AGENTCHAT_STR("{\"sequence\":7,\"author\":\"a\"}"), NULL, &event, &report, &err),
            &err);
    entries = entries_of(report);
    assert_string_equal(entries, "note /sequence: the sequence number was left out: the session assigns it\n");
    assert_int_equal(agentchat_event_sequence(event), 0);
    assert_text(event, "agentchat", "{\"author\":\"a\"}");
    free(entries);
    agentchat_report_free(report);
    agentchat_event_unref(event);
}

static void test_text__a_report_is_filled_on_failure_too(void **state)
{
    agentchat_report *report = NULL;
    agentchat_event *event;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_event_read(NULL,
                                    AGENTCHAT_STR("{\"author\":\"a\",\"actions\":{\"stateDelta\":{\"app:\":1},"
                                                  "\"artifactDelta\":3}}"),
                                    "adk", &event, &report, &err),
               &err, AGENTCHAT_E_SCHEMA, "/actions/artifactDelta", "expected an object");
    assert_null(event);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 1);
    agentchat_report_free(report);
}

/* The location of each error is marked by « in the text, which is taken out. */
static void test_text__errors_have_locations(void **state)
{
    static const struct {
        const char *marked;
        agentchat_status status;
        const char *path, *message;
    } cases[] = {
        {"«", AGENTCHAT_E_SYNTAX, "", "end of the input"},
        {"«nul", AGENTCHAT_E_SYNTAX, "", "expected a value, found 'n'"},
        {"«not json", AGENTCHAT_E_SYNTAX, "", "expected a value, found 'n'"},
        {"«null", AGENTCHAT_E_SCHEMA, "", "expected an object, found null"},
        {"«[]", AGENTCHAT_E_SCHEMA, "", "an object"},
        {"«{}", AGENTCHAT_E_SCHEMA, "", "needs an \"author\""},
        {"{\"author\":\"a\"}«x", AGENTCHAT_E_SYNTAX, "", "end of the input"},
        {"{\"author\":\"a\",«}", AGENTCHAT_E_SYNTAX, "", "name of a member"},
        {"{\"author\":«null}", AGENTCHAT_E_SCHEMA, "/author", "a string"},
        {"{\"author\":\"a\",«\"author\":\"a\"}", AGENTCHAT_E_SCHEMA, "/author", "twice"},
        {"{\"author\":\"a\",\"id\":«\"\"}", AGENTCHAT_E_INVALID, "/id", "must not be empty"},
        {"{\"author\":\"a\",\"id\":«\"\\u0000\"}", AGENTCHAT_E_INVALID, "/id", "NUL"},
        {"{\"author\":\"a\",\"id\":«\"\\udc00\"}", AGENTCHAT_E_INVALID, "/id", "surrogate"},
        {"{\"author\":\"a\",\"invocation\":«\"\"}", AGENTCHAT_E_INVALID, "/invocation", "must not be empty"},
        {"{\"author\":\"a\",\"time\":«\"now\"}", AGENTCHAT_E_SCHEMA, "/time", "\"now\" is no time"},
        {"{\"author\":\"a\",\"time\":«1}", AGENTCHAT_E_SCHEMA, "/time", "a string"},
        {"{\"author\":\"a\",\"partial\":«\"yes\"}", AGENTCHAT_E_SCHEMA, "/partial", "true or false"},
        {"{\"author\":\"a\",\"sequence\":«0}", AGENTCHAT_E_SCHEMA, "/sequence", "from 1"},
        {"{\"author\":\"a\",\"sequence\":«9007199254740992}", AGENTCHAT_E_SCHEMA, "/sequence", "from 1"},
        {"{\"author\":\"a\",\"longrunning\":«[1]}", AGENTCHAT_E_SCHEMA, "/longrunning", "array of strings"},
        {"{\"author\":\"a\",\"content\":«1}", AGENTCHAT_E_SCHEMA, "/content", "an object"},
        {"{\"author\":\"a\",\"content\":{\"items\":[«{\"text\":\"x\"}]}}", AGENTCHAT_E_SCHEMA, "/content/items/0",
         "\"type\""},
        {"{\"author\":\"a\",\"actions\":«null}", AGENTCHAT_E_SCHEMA, "/actions", "an object"},
        {"{\"author\":\"a\",\"actions\":{\"statedelta\":«null}}", AGENTCHAT_E_SCHEMA, "/actions/statedelta",
         "an object"},
        {"{\"author\":\"a\",\"actions\":{\"statedelta\":{«\"\":1}}}", AGENTCHAT_E_INVALID, "/actions/statedelta/",
         "must not be empty"},
        {"{\"author\":\"a\",\"actions\":{\"statedelta\":{«\"user:\":1}}}", AGENTCHAT_E_INVALID,
         "/actions/statedelta/user:", "user:"},
        {"{\"author\":\"a\",\"actions\":{\"statedelta\":{\"k\":1,«\"\\u006b\":1}}}", AGENTCHAT_E_SCHEMA,
         "/actions/statedelta/k", "\"k\" twice"},
        {"{\"author\":\"a\",\"actions\":{\"statedelta\":{\"k\":«tru}}}", AGENTCHAT_E_SYNTAX, "/actions/statedelta/k",
         ""},
        {"{\"author\":\"a\",\"actions\":{\"statedelta\":{\"k\":1},\"statedelete\":[\"x\",«\"k\"]}}", AGENTCHAT_E_SCHEMA,
         "/actions/statedelete/1", "\"k\" twice"},
        {"{\"author\":\"a\",\"actions\":{\"statedelete\":[«1]}}", AGENTCHAT_E_SCHEMA, "/actions/statedelete/0",
         "a string"},
        {"{\"author\":\"a\",\"actions\":{\"stateadd\":{\"k\":«1.0}}}", AGENTCHAT_E_SCHEMA, "/actions/stateadd/k",
         "integer"},
        {"{\"author\":\"a\",\"actions\":{\"stateadd\":{\"k\":«9223372036854775808}}}", AGENTCHAT_E_SCHEMA,
         "/actions/stateadd/k", "integer"},
        {"{\"author\":\"a\",\"actions\":{\"stateadd\":{\"k\":«\"1\"}}}", AGENTCHAT_E_SCHEMA, "/actions/stateadd/k",
         "integer"},
        {"{\"author\":\"a\",\"actions\":{\"artifacts\":«[]}}", AGENTCHAT_E_SCHEMA, "/actions/artifacts", "an object"},
        {"{\"author\":\"a\",\"actions\":{\"x\":1,«\"x\":1}}", AGENTCHAT_E_SCHEMA, "/actions/x", "twice"},
        {"{\"author\":\"a\",\"extras\":[«{\"name\":\"x\"}]}", AGENTCHAT_E_SCHEMA, "/extras/0", "both"},
        {"{\n\"author\":\n«1}", AGENTCHAT_E_SCHEMA, "/author", "a string"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len, at;
        char *text = unmarked(cases[i].marked, &len, &at);
        agentchat_event *event = (agentchat_event *)(uintptr_t)1;
        agentchat_status status;
        agentchat_report *report;
        agentchat_error err;

        status = agentchat_event_read(NULL, (agentchat_str){text, len}, "agentchat", &event, &report, &err);
        assert_marked(cases[i].marked, status, &err, cases[i].status, at, cases[i].path, cases[i].message);
        assert_null(event);
        assert_non_null(report);
        if (memchr(text, '\n', len) != NULL)
            assert_true(err.line == 3 && err.column == 1);
        agentchat_report_free(report);
        free(text);
    }
}

static void test_text__limits_hold(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;
    agentchat_event *event;
    agentchat_error err;

    (void)state;
    limits.max_depth = 4;
    limits.max_bytes = 60;
    options.limits = &limits;
    env = test_env(&options);
    test_ok(agentchat_event_read(env, AGENTCHAT_STR("{\"author\":\"a\",\"x\":[[[1]]]}"), NULL, &event, NULL, &err),
            &err);
    agentchat_event_unref(event);
    test_fails(agentchat_event_read(env, AGENTCHAT_STR("{\"author\":\"a\",\"x\":[[[[1]]]]}"), NULL, &event, NULL, &err),
               &err, AGENTCHAT_E_LIMIT, "/x/0/0/0", "deeper than 4");
    test_fails(agentchat_event_read(env,
                                    AGENTCHAT_STR("{\"author\":\"a\",\"x\":\"0123456789012345678901234567890123456"
                                                  "789\"}"),
                                    NULL, &event, NULL, &err),
               &err, AGENTCHAT_E_LIMIT, "", "more than 60 bytes");
    /* An extra of an ADK's event stands two levels deeper in the native format, which must be readable too. */
    test_fails(
        agentchat_event_read(env, AGENTCHAT_STR("{\"author\":\"a\",\"goAway\":[[1]]}"), "adk", &event, NULL, &err),
        &err, AGENTCHAT_E_LIMIT, "", "deeper than 4 levels as agentchat writes it, in its \"extras\"");
    agentchat_env_free(env);
}

static void test_text__formats_that_have_no_events(void **state)
{
    agentchat_event *event = event_of("{\"author\":\"a\"}", "agentchat"), *none;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_report *report;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_event_read(NULL, AGENTCHAT_STR("{}"), "semantic-kernel", &none, NULL, &err), &err,
               AGENTCHAT_E_INVALID, "", "as \"semantic-kernel\", but as agentchat, adk or adk-rust");
    assert_null(none);
    test_fails(agentchat_event_read(NULL, (agentchat_str){NULL, 0}, NULL, &none, &report, &err), &err,
               AGENTCHAT_E_SYNTAX, "", "end of the input");
    agentchat_report_free(report);
    test_fails(agentchat_event_write(event, "agentchat-encoded", &out, &report, &err), &err, AGENTCHAT_E_INVALID, "",
               "but as agentchat, adk or adk-rust");
    assert_null(report);
    test_fails(agentchat_event_write(NULL, "adk", &out, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "event must not be NULL");
    test_fails(agentchat_event_write(event, "adk", NULL, &report, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    assert_null(report);
    report = (agentchat_report *)(uintptr_t)1;
    test_fails(agentchat_event_read(NULL, AGENTCHAT_STR("{}"), NULL, NULL, &report, &err), &err, AGENTCHAT_E_INVALID,
               "", "out must not be NULL");
    assert_null(report);
    agentchat_bytes_clear(&out);
    agentchat_event_unref(event);
}

static void test_text__is_appended(void **state)
{
    agentchat_event *event = event_of("{\"author\":\"a\"}", "agentchat");
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_bytes_append(&out, AGENTCHAT_STR("1\n"), &err), &err);
    test_ok(agentchat_event_write(event, "agentchat", &out, NULL, &err), &err);
    assert_string_equal(out.ptr, "1\n{\"author\":\"a\"}");
    agentchat_bytes_clear(&out);
    agentchat_event_unref(event);
}

static void test_text__its_format_is_detected(void **state)
{
    static const struct {
        const char *text;
        bool adk;
    } cases[] = {
        {"{\"author\":\"a\"}", false},
        {"{\"author\":\"a\",\"unknown\":1}", false},
        {"{\"id\":\"1\",\"author\":\"a\",\"timestamp\":1}", true},
        {"{\"author\":\"a\",\"time\":\"2026-11-21T10:02:00Z\",\"timestamp\":1}", false},
        {"{\"author\":\"a\",\"timestamp\":1,\"time\":1}", true},
        {"{\"author\":\"a\",\"invocation_id\":\"i\"}", true},
        {"{\"author\":\"a\",\"\\u0069nvocationId\":\"i\"}", true},
        {"{\"author\":\"a\",\"content\":{\"role\":\"user\",\"parts\":[]}}", true},
        {"{\"author\":\"a\",\"content\":{\"role\":\"user\",\"items\":[]}}", false},
        {"{\"author\":\"a\",\"content\":{\"role\":\"user\"}}", false},
        {"{\"author\":\"a\",\"content\":null,\"actions\":{\"escalate\":true,\"stateDelta\":{}}}", true},
        {"{\"author\":\"a\",\"actions\":{\"escalate\":true,\"statedelta\":{}}}", false},
        {"{\"author\":\"a\",\"actions\":{\"compaction\":{\"state_delta\":{}}}}", false},
        {"{\"author\":\"a\",\"actions\":{\"x\":{\"stateDelta\":1},\"state_delta\":{}}}", true},
        {"{\"author\":\"a\",\"turnComplete\":true}", true},
        {"{\"author\":\"a\",\"finish_reason\":null}", true},
        {"{\"author\":\"a\",\"output\":1}", true},
        {"{\"author\":\"a\",\"extras\":[],\"output\":1}", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const aci_format *format;

        test_ok(aci_event_detect(NULL, agentchat_str_from(cases[i].text), &format, NULL), NULL);
        if (strcmp(format->about.name, cases[i].adk ? "adk" : "agentchat") != 0)
            fail_msg("%s", cases[i].text);
    }
}

static agentchat_status there_and_back(const agentchat_env *env, void *user, agentchat_error *err)
{
    return read_and_write(env, user, NULL, "agentchat", err);
}

static void test_text__memory_may_run_out(void **state)
{
    static const char text[] = "{\"sequence\":1,\"author\":\"a\",\"content\":{\"items\":[{\"text\":\"x\",\"type\":"
                               "\"text\"},{\"type\":\"new\"}]},"
                               "\"actions\":{\"statedelta\":{\"k\":\n1,\"l\":2},\"x\":1,\"extras\":[{\"from\":\"mars\","
                               "\"name\":\"x\",\"value\":"
                               "1},{\"from\":\"adk\",\"name\":\"x\",\"value\":1}]},\"longrunning\":[\"\\n\"]}";

    (void)state;
    assert_true(test_oom_sweep(there_and_back, (void *)(uintptr_t)text) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text__written_so_read_and_written_again),
        cmocka_unit_test(test_text__any_layout_is_read),
        cmocka_unit_test(test_text__a_sequence_number_is_not_read),
        cmocka_unit_test(test_text__a_report_is_filled_on_failure_too),
        cmocka_unit_test(test_text__errors_have_locations),
        cmocka_unit_test(test_text__limits_hold),
        cmocka_unit_test(test_text__formats_that_have_no_events),
        cmocka_unit_test(test_text__is_appended),
        cmocka_unit_test(test_text__its_format_is_detected),
        cmocka_unit_test(test_text__memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
