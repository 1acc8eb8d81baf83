/* SPDX-License-Identifier: Apache-2.0 */
/* What is read of a session file, what is left out of it, and what is wrong with it. */
#include "session_data_test.h"

#include "snapshot/report.h"

static void test_session_data__is_all_there(void **state)
{
    char *path = test_path(test_data_dir(), "data/golden/session-1/every-property.json");
    aci_session_data data;
    size_t len;
    char *text = test_file_read(path, &len);

    (void)state;
    data = read_session((agentchat_str){text, len}, NULL);
    assert_str(data.app, "shop");
    assert_str(data.user, "ana/m\xC3\xBCnchen");
    assert_str(data.id, "s-1");
    assert_str(data.time, "2026-11-21T10:02:09.000001Z");
    assert_int_equal(data.sequence, 12);
    assert_int_equal(agentchat_state_count(data.state), 6);
    assert_str(agentchat_state_get(data.state, "cart"), "[{\"price\":19.90,\"item\":\"lamp\"}]");
    assert_str(agentchat_state_get(data.initial, "n"), "1");
    assert_int_equal(data.event_count, 3);
    assert_int_equal(agentchat_event_sequence(data.events[1]), 2);
    assert_int_equal(agentchat_event_sequence(data.events[2]), 12);
    aci_session_data_clear(&data);
    assert_null(data.events);
    aci_session_data_clear(&data);
    free(text);
    free(path);
}

static void test_session_data__sequence_numbers_are_filled_in(void **state)
{
    aci_session_data data = read_session(
        AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"events\":[{\"author\":\"a\"},{\"author\":\"b\","
                      "\"sequence\":5},{\"author\":\"c\"}],\"state\":{}}"),
        NULL);

    (void)state;
    assert_int_equal(agentchat_event_sequence(data.events[0]), 1);
    assert_int_equal(agentchat_event_sequence(data.events[2]), 6);
    assert_int_equal(data.sequence, 6);
    assert_null(data.app.ptr);
    assert_null(data.initial);
    aci_session_data_clear(&data);
}

static void test_session_data__events_keep_their_index(void **state)
{
    aci_session_data data =
        read_session(AGENTCHAT_STR("{\"id\":\"s\",\"events\":[{\"partial\":true},{},{\"partial\":true},{},{}]}"), NULL);
    aci_session_data empty = {0};

    (void)state;
    assert_int_equal(data.event_count, 3);
    assert_int_equal(aci_session_event_index(&data, 0), 1);
    assert_int_equal(aci_session_event_index(&data, 1), 3);
    assert_int_equal(aci_session_event_index(&data, 2), 4);
    assert_int_equal(aci_session_event_index(&empty, 5), 5);
    aci_session_data_clear(&data);
    assert_null(data.indices);
}

static void test_session_data__what_is_not_kept_is_reported(void **state)
{
    static const struct {
        const char *text, *entries;
    } cases[] = {
        {"{\"agentchatsession\":{\"format\":2,\"reader\":1,\"later\":0},\"state\":{\"temp:x\":1},\"events\":[{"
         "\"author\":\"a\","
         "\"partial\":true,\"sequence\":3}],\"new\":1}",
         "loss /agentchatsession/later: the unknown property was left out: sessions have no such properties\n"
         "loss /state/temp:x: the key was left out: temp: keys are not stored\n"
         "loss /events/0: the event was left out: it is partial\n"
         "loss /new: the unknown property was left out: sessions have no such properties\n"},
        {"{\"id\":\"s\",\"appName\":\"\",\"user_id\":null,\"events\":null,\"state\":null,\"x\":null,\"y\":[1],\"z\":{}"
         "}",
         "loss /y: the unknown property was left out: sessions have no such properties\n"
         "note /z: the unknown property was left out; there is nothing in it\n"},
        {"{\"id\":\"\\u0000\",\"appName\":\"a\",\"appName\":\"b\",\"state\":{\"\":1,\"app:\":2,\"temp:\":3,\"a\":4,"
         "\"a\":5,"
         "\"x\\u0000\":6}}",
         "loss /appName: the property occurs twice in its object: one of them was taken\n"
         "loss /id: the name was left out: the session id \"\\u0000\" has a NUL in it\n"
         "loss /state/: the key was left out: the key must not be empty\n"
         "loss /state/app:: the key was left out: the key \"app:\" has nothing after its prefix\n"
         "loss /state/temp:: the key was left out: the key \"temp:\" has nothing after its prefix\n"
         "loss /state/a: the key stands twice in its object: the last one was taken\n"
         "loss /state/x: the key was left out: the key \"x\\u0000\" has a NUL in it\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_report *report = aci_report_new(aci_env(NULL));
        aci_session_data data = read_session(agentchat_str_from(cases[i].text), report);
        char *entries = entries_of(report);

        assert_string_equal(entries, cases[i].entries);
        assert_int_equal(data.event_count, 0);
        free(entries);
        agentchat_report_free(report);
        aci_session_data_clear(&data);
    }
}

/* The location of each error is marked by « in the text, which is taken out. */
static void test_session_data__errors_have_locations(void **state)
{
#define NATIVE "{\"agentchatsession\":{\"format\":1},"
    static const struct {
        const char *marked;
        agentchat_status status;
        const char *path, *message;
    } cases[] = {
        {"«", AGENTCHAT_E_SYNTAX, "", "end of the input"},
        {"«[]", AGENTCHAT_E_SCHEMA, "", "no mark of a format"},
        {"«{\"a\":1}", AGENTCHAT_E_SCHEMA, "", "no mark of a format"},
        {"«{}", AGENTCHAT_E_SCHEMA, "", "no session"},
        {"«{\"foo\":1}", AGENTCHAT_E_SCHEMA, "", "no session"},
        {"{\"id\":\"s\"}«x", AGENTCHAT_E_SYNTAX, "", "end of the input"},
        {"{\"id\":«1}", AGENTCHAT_E_SCHEMA, "/id", "a string"},
        {"{\"id\":\"s\",\"state\":«[]}", AGENTCHAT_E_SCHEMA, "/state", "an object"},
        {"{\"id\":\"s\",\"events\":«{}}", AGENTCHAT_E_SCHEMA, "/events", "an array"},
        {"{\"id\":\"s\",\"events\":[«null]}", AGENTCHAT_E_SCHEMA, "/events/0", "an object"},
        {"{\"id\":\"s\",\"events\":[\n{},\n {\"author\":«5}]}", AGENTCHAT_E_SCHEMA, "/events/1/author", "a string"},
        {"{\"id\":\"s\",\"events\":[{\"content\":{\"parts\":[1,«}]}", AGENTCHAT_E_SYNTAX, "/events/0/content/parts/1",
         "a value"},
        {"{\"id\":\"s\",\"lastUpdateTime\":«[]}", AGENTCHAT_E_SCHEMA, "/lastUpdateTime", "a number"},
        {"«" NATIVE "\"state\":{}}", AGENTCHAT_E_SCHEMA, "", "needs \"events\""},
        {"«" NATIVE "\"events\":[]}", AGENTCHAT_E_SCHEMA, "", "needs \"state\""},
        {"{\"agentchatsession\":«{},\"state\":{},\"events\":[]}", AGENTCHAT_E_SCHEMA, "/agentchatsession",
         "\"format\""},
        {"{\"agentchatsession\":«{\"format\":1,\"reader\":2},\"state\":{},\"events\":[]}", AGENTCHAT_E_SCHEMA,
         "/agentchatsession", "\"reader\""},
        {"{\"agentchatsession\":«{\"format\":2,\"reader\":2},\"state\":1}", AGENTCHAT_E_VERSION, "/agentchatsession",
         "from version 2"},
        {"{\"agentchatsession\":{\"format\":«1.0}}", AGENTCHAT_E_SCHEMA, "/agentchatsession/format", "an integer"},
        {"{\"agentchatsession\":«1}", AGENTCHAT_E_SCHEMA, "/agentchatsession", "an object"},
        {NATIVE "\"state\":{},\"state\":«{}}", AGENTCHAT_E_SCHEMA, "/state", "twice"},
        {NATIVE "\"state\":{«\"\":1}}", AGENTCHAT_E_INVALID, "/state/", "empty"},
        {NATIVE "\"state\":{\"a\":1,«\"a\":2}}", AGENTCHAT_E_SCHEMA, "/state/a", "twice"},
        {NATIVE "\"id\":«\"\\ud800\"}", AGENTCHAT_E_INVALID, "/id", "surrogate"},
        {NATIVE "\"state\":{},\"events\":[{\"id\":\"e\",\"author\":\"a\"},«{\"id\":\"e\",\"author\":\"a\"}]}",
         AGENTCHAT_E_SCHEMA, "/events/1", "the id of event 0"},
        {NATIVE "\"app\":«\"\"}", AGENTCHAT_E_INVALID, "/app", "empty"},
        {NATIVE "\"user\":«null}", AGENTCHAT_E_SCHEMA, "/user", "a string"},
        {NATIVE "\"time\":«1}", AGENTCHAT_E_SCHEMA, "/time", "a string"},
        {NATIVE "\"time\":«\"x\"}", AGENTCHAT_E_SCHEMA, "/time", "no time"},
        {NATIVE "\"sequence\":«-1}", AGENTCHAT_E_SCHEMA, "/sequence", "an integer"},
        {NATIVE "\"sequence\":«9007199254740992}", AGENTCHAT_E_SCHEMA, "/sequence", "an integer"},
        {NATIVE "\"sequence\":«1,\"state\":{},\"events\":[{\"author\":\"a\",\"sequence\":2}]}", AGENTCHAT_E_SCHEMA,
         "/sequence", "less than that of the last"},
        {NATIVE "\"state\":{},\"events\":[{\"author\":\"a\",\"sequence\":2},«{\"author\":\"a\",\"sequence\":2}]}",
         AGENTCHAT_E_SCHEMA, "/events/1", "must ascend"},
        {NATIVE "\"initial\":{«\"app:x\":1}}", AGENTCHAT_E_INVALID, "/initial/app:x", "no prefix"},
        {NATIVE "\"initial\":{«\"temp:x\":1}}", AGENTCHAT_E_INVALID, "/initial/temp:x", "no prefix"},
        {NATIVE "\"events\":[{\"author\":\"a\",\"actions\":{\"stateadd\":{\"n\":«1.5}}}]}", AGENTCHAT_E_SCHEMA,
         "/events/0/actions/stateadd/n", "integer"},
        {NATIVE "\"events\":[{\"author\":\"a\",\"time\":«\"x\"}]}", AGENTCHAT_E_SCHEMA, "/events/0/time", "no time"},
        {NATIVE "\"events\":[«{}]}", AGENTCHAT_E_SCHEMA, "/events/0", "an \"author\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len, at;
        char *text = unmarked(cases[i].marked, &len, &at);
        aci_session_data data;
        agentchat_status status;
        agentchat_error err;

        agentchat_error_clear(&err);
        status = aci_session_io_read(NULL, (agentchat_str){text, len}, NULL, &data, &err);
        assert_marked(cases[i].marked, status, &err, cases[i].status, at, cases[i].path, cases[i].message);
        assert_null(data.events);
        assert_null(data.arena);
        if (memchr(text, '\n', len) != NULL)
            assert_true(err.line == 3 && err.column == 12);
        free(text);
    }
#undef NATIVE
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_data__is_all_there),
        cmocka_unit_test(test_session_data__sequence_numbers_are_filled_in),
        cmocka_unit_test(test_session_data__events_keep_their_index),
        cmocka_unit_test(test_session_data__what_is_not_kept_is_reported),
        cmocka_unit_test(test_session_data__errors_have_locations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
