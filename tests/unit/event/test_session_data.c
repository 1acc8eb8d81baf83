/* SPDX-License-Identifier: Apache-2.0 */
/* Session files of both forms: samples, golden files, files of other programs, errors, memory. */
#include "event_test.h"

#include "event/session_data.h"
#include "io/stream.h"
#include "json/value.h"
#include <unistd.h>

static aci_session_data read_whole(agentchat_str text, agentchat_report *report)
{
    aci_session_data data;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(aci_session_data_read(NULL, text, report, &data, &err), &err);
    return data;
}

static agentchat_bytes written(const aci_session_data *data, agentchat_format format, agentchat_report *report)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    test_ok(agentchat_sink_memory(NULL, &out, &sink, &err), &err);
    test_ok(aci_session_data_write(data, format, sink, report, &err), &err);
    test_ok(aci_sink_commit(sink, &err), &err);
    agentchat_sink_free(sink);
    return out;
}

static agentchat_str view(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->ptr, bytes->len};
}

/* ---- samples and golden files ----------------------------------------------------------------------------------- */

/* Text of a file beside a sample. */
static char *beside(const char *path, const char *suffix)
{
    size_t stem = strlen(path) - strlen(".json");
    char *name = malloc(stem + strlen(suffix) + 1), *text;

    memcpy(name, path, stem);
    memcpy(name + stem, suffix, strlen(suffix) + 1);
    text = test_file_read(name, NULL);
    free(name);
    return text;
}

static void assert_beside(const char *path, const char *suffix, const char *text)
{
    char *expected = beside(path, suffix);

    if (strcmp(text, expected) != 0)
        fail_msg("%s%s is\n%s\nnow it would be\n%s", path, suffix, expected, text);
    free(expected);
}

static void check_sample(const char *path, void *user)
{
    agentchat_report *reading = aci_report_new(aci_env(NULL)), *writing = aci_report_new(aci_env(NULL));
    aci_session_data data, again;
    agentchat_bytes own, adk, twice;
    char *read_notes, *write_notes, *notes, *text;
    size_t len;

    (void)user;
    text = test_file_read(path, &len);
    data = read_whole((agentchat_str){text, len}, reading);
    own = written(&data, AGENTCHAT_FORMAT_AGENTCHAT, NULL);
    adk = written(&data, AGENTCHAT_FORMAT_ADK, writing);
    read_notes = entries_of(reading);
    write_notes = entries_of(writing);
    notes = malloc(strlen(read_notes) + strlen(write_notes) + 32);
    (void)sprintf(notes, "reading\n%swriting\n%s", read_notes, write_notes);
    assert_beside(path, ".own", own.ptr);
    assert_beside(path, ".adk", adk.ptr);
    assert_beside(path, ".notes", notes);

    /* Both are read again and give the same bytes. */
    again = read_whole(view(&own), NULL);
    twice = written(&again, AGENTCHAT_FORMAT_ADK, NULL);
    if (strstr(text, "temp:") == NULL)
        assert_string_equal(twice.ptr, adk.ptr);
    agentchat_bytes_clear(&twice);
    twice = written(&again, AGENTCHAT_FORMAT_NONE, NULL);
    assert_non_null(strstr(own.ptr, "\"events\""));
    aci_session_data_clear(&again);
    agentchat_bytes_clear(&twice);
    again = read_whole(view(&adk), NULL);
    twice = written(&again, AGENTCHAT_FORMAT_ADK, NULL);
    assert_string_equal(twice.ptr, adk.ptr);
    aci_session_data_clear(&again);
    agentchat_bytes_clear(&twice);

    aci_session_data_clear(&data);
    agentchat_bytes_clear(&own);
    agentchat_bytes_clear(&adk);
    agentchat_report_free(reading);
    agentchat_report_free(writing);
    free(read_notes);
    free(write_notes);
    free(notes);
    free(text);
}

static void test_session_data__samples(void **state)
{
    char *dir = test_path(test_data_dir(), "interop/adk");

    (void)state;
    assert_int_equal(test_each_file(dir, ".json", check_sample, NULL), 6);
    free(dir);
}

/* What adk-python writes comes back as it was, but for the order of members. */
static void test_session_data__nothing_of_pythons_is_lost(void **state)
{
    char *path = test_path(test_data_dir(), "interop/adk/python.json"), *before, *after = beside(path, ".adk");
    agentchat_error err;
    aci_buf wanted, got;

    (void)state;
    agentchat_error_clear(&err);
    before = test_file_read(path, NULL);
    aci_buf_init(&wanted, NULL, SIZE_MAX);
    aci_buf_init(&got, NULL, SIZE_MAX);
    before[strlen(before) - 1] = after[strlen(after) - 1] = '\0'; /* a raw value has no line end behind it */
    test_ok(aci_json_canonical(agentchat_str_from(before), &wanted, aci_env(NULL), &err), &err);
    test_ok(aci_json_canonical(agentchat_str_from(after), &got, aci_env(NULL), &err), &err);
    assert_int_equal(got.len, wanted.len);
    assert_memory_equal(got.ptr, wanted.ptr, got.len);
    aci_buf_clear(&wanted);
    aci_buf_clear(&got);
    free(before);
    free(after);
    free(path);
}

static void check_golden(const char *path, void *user)
{
    agentchat_report *report = aci_report_new(aci_env(NULL));
    aci_session_data data;
    agentchat_bytes out;
    size_t len;
    char *text = test_file_read(path, &len);

    (void)user;
    data = read_whole((agentchat_str){text, len}, report);
    out = written(&data, AGENTCHAT_FORMAT_AGENTCHAT, NULL);
    assert_string_equal(out.ptr, text);
    assert_int_equal(agentchat_report_count(report), 0);
    agentchat_bytes_clear(&out);
    aci_session_data_clear(&data);
    agentchat_report_free(report);
    free(text);
}

static void test_session_data__gives_golden_files_back(void **state)
{
    char *dir = test_path(test_data_dir(), "data/golden/session-1");

    (void)state;
    assert_int_equal(test_each_file(dir, ".json", check_golden, NULL), 2);
    free(dir);
}

/* Files of other programs, in place. */
static void check_real(const char *path, void *user)
{
    aci_session_data data, again;
    agentchat_bytes own, adk, twice;
    size_t len, *events = user;
    char *text = test_file_read(path, &len);

    data = read_whole((agentchat_str){text, len}, NULL);
    *events += data.event_count;
    own = written(&data, AGENTCHAT_FORMAT_AGENTCHAT, NULL);
    adk = written(&data, AGENTCHAT_FORMAT_ADK, NULL);
    again = read_whole(view(&own), NULL);
    assert_int_equal(again.event_count, data.event_count);
    twice = written(&again, AGENTCHAT_FORMAT_ADK, NULL);
    assert_string_equal(twice.ptr, adk.ptr);
    aci_session_data_clear(&again);
    agentchat_bytes_clear(&twice);
    agentchat_bytes_clear(&own);
    agentchat_bytes_clear(&adk);
    aci_session_data_clear(&data);
    free(text);
}

static void test_session_data__real_files(void **state)
{
    size_t events = 0, found;
    char *dir;

    (void)state;
    if (test_real_files() == NULL)
        skip();
    dir = test_path(test_real_files(), "adk");
    found = access(dir, R_OK) == 0 ? test_each_file(dir, ".session.json", check_real, &events) : 0;
    free(dir);
    if (found == 0)
        skip();
    assert_true(events > 0);
}

/* ---- what is read ----------------------------------------------------------------------------------------------- */

static void test_session_data__is_all_there(void **state)
{
    char *path = test_path(test_data_dir(), "data/golden/session-1/every-property.json");
    aci_session_data data;
    size_t len;
    char *text = test_file_read(path, &len);

    (void)state;
    data = read_whole((agentchat_str){text, len}, NULL);
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

static void test_session_data__places_are_filled_in(void **state)
{
    aci_session_data data = read_whole(
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
        read_whole(AGENTCHAT_STR("{\"id\":\"s\",\"events\":[{\"partial\":true},{},{\"partial\":true},{},{}]}"), NULL);
    aci_session_data own = {0};

    (void)state;
    assert_int_equal(data.event_count, 3);
    assert_int_equal(aci_session_event_index(&data, 0), 1);
    assert_int_equal(aci_session_event_index(&data, 1), 3);
    assert_int_equal(aci_session_event_index(&data, 2), 4);
    assert_int_equal(aci_session_event_index(&own, 5), 5);
    aci_session_data_clear(&data);
    assert_null(data.indices);
}

static void test_session_data__what_is_not_kept_is_told(void **state)
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
        {"{\"id\":\"s\",\"appName\":\"\",\"user_id\":null,\"events\":null,\"state\":null,\"x\":null,\"y\":[1]}",
         "note /x: the unknown property was left out; there is nothing in it\n"
         "loss /y: the unknown property was left out: sessions have no such properties\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_report *report = aci_report_new(aci_env(NULL));
        aci_session_data data = read_whole(agentchat_str_from(cases[i].text), report);
        char *entries = entries_of(report);

        assert_string_equal(entries, cases[i].entries);
        assert_int_equal(data.event_count, 0);
        free(entries);
        agentchat_report_free(report);
        aci_session_data_clear(&data);
    }
}

/* The place of each error is marked by « in the text, which is taken out. */
static void test_session_data__errors_have_places(void **state)
{
#define OWN "{\"agentchatsession\":{\"format\":1},"
    static const struct {
        const char *marked;
        agentchat_status status;
        const char *path, *message;
    } cases[] = {
        {"«", AGENTCHAT_E_SYNTAX, "", "end of the input"},
        {"«[]", AGENTCHAT_E_SCHEMA, "", "an object"},
        {"«{}", AGENTCHAT_E_SCHEMA, "", "no session"},
        {"«{\"foo\":1}", AGENTCHAT_E_SCHEMA, "", "no session"},
        {"{\"id\":\"s\"}«x", AGENTCHAT_E_SYNTAX, "", "end of the input"},
        {"{\"id\":«1}", AGENTCHAT_E_SCHEMA, "/id", "a string"},
        {"{\"id\":«\"\\ud800\"}", AGENTCHAT_E_INVALID, "/id", "surrogate"},
        {"{\"id\":\"s\",\"appName\":«\"\\u0000\"}", AGENTCHAT_E_INVALID, "/appName", "NUL"},
        {"{\"id\":\"s\",\"state\":«[]}", AGENTCHAT_E_SCHEMA, "/state", "an object"},
        {"{\"id\":\"s\",\"state\":{«\"\":1}}", AGENTCHAT_E_INVALID, "/state/", "empty"},
        {"{\"id\":\"s\",\"state\":{\"a\":1,«\"a\":2}}", AGENTCHAT_E_SCHEMA, "/state/a", "twice"},
        {"{\"id\":\"s\",\"events\":«{}}", AGENTCHAT_E_SCHEMA, "/events", "an array"},
        {"{\"id\":\"s\",\"events\":[«null]}", AGENTCHAT_E_SCHEMA, "/events/0", "an object"},
        {"{\"id\":\"s\",\"events\":[\n{},\n {\"author\":«5}]}", AGENTCHAT_E_SCHEMA, "/events/1/author", "a string"},
        {"{\"id\":\"s\",\"events\":[{\"id\":\"e\"},«{\"id\":\"e\"}]}", AGENTCHAT_E_SCHEMA, "/events/1",
         "the id of event 0"},
        {"{\"id\":\"s\",\"events\":[{\"content\":{\"parts\":[1,«}]}", AGENTCHAT_E_SYNTAX, "/events/0/content/parts/1",
         "a value"},
        {"{\"id\":\"s\",\"lastUpdateTime\":«true}", AGENTCHAT_E_SCHEMA, "/lastUpdateTime", "a number"},
        {"{\"id\":\"s\",\"app_name\":\"a\",\"app_name\":«\"a\"}", AGENTCHAT_E_SCHEMA, "/app_name", "twice"},
        {"«" OWN "\"state\":{}}", AGENTCHAT_E_SCHEMA, "", "needs \"events\""},
        {"«" OWN "\"events\":[]}", AGENTCHAT_E_SCHEMA, "", "needs \"state\""},
        {"{\"agentchatsession\":«{},\"state\":{},\"events\":[]}", AGENTCHAT_E_SCHEMA, "/agentchatsession",
         "\"format\""},
        {"{\"agentchatsession\":«{\"format\":1,\"reader\":2},\"state\":{},\"events\":[]}", AGENTCHAT_E_SCHEMA,
         "/agentchatsession", "\"reader\""},
        {"{\"agentchatsession\":«{\"format\":2,\"reader\":2},\"state\":1}", AGENTCHAT_E_VERSION, "/agentchatsession",
         "from version 2"},
        {"{\"agentchatsession\":{\"format\":«1.0}}", AGENTCHAT_E_SCHEMA, "/agentchatsession/format", "an integer"},
        {"{\"agentchatsession\":«1}", AGENTCHAT_E_SCHEMA, "/agentchatsession", "an object"},
        {OWN "\"app\":«\"\"}", AGENTCHAT_E_INVALID, "/app", "empty"},
        {OWN "\"user\":«null}", AGENTCHAT_E_SCHEMA, "/user", "a string"},
        {OWN "\"time\":«1}", AGENTCHAT_E_SCHEMA, "/time", "a string"},
        {OWN "\"time\":«\"x\"}", AGENTCHAT_E_SCHEMA, "/time", "no time"},
        {OWN "\"sequence\":«-1}", AGENTCHAT_E_SCHEMA, "/sequence", "an integer"},
        {OWN "\"sequence\":«9007199254740992}", AGENTCHAT_E_SCHEMA, "/sequence", "an integer"},
        {OWN "\"sequence\":«1,\"state\":{},\"events\":[{\"author\":\"a\",\"sequence\":2}]}", AGENTCHAT_E_SCHEMA,
         "/sequence", "before that of the last"},
        {OWN "\"state\":{},\"events\":[{\"author\":\"a\",\"sequence\":2},«{\"author\":\"a\",\"sequence\":2}]}",
         AGENTCHAT_E_SCHEMA, "/events/1", "must ascend"},
        {OWN "\"initial\":{«\"app:x\":1}}", AGENTCHAT_E_INVALID, "/initial/app:x", "no prefix"},
        {OWN "\"initial\":{«\"temp:x\":1}}", AGENTCHAT_E_INVALID, "/initial/temp:x", "no prefix"},
        {OWN "\"events\":[{\"author\":\"a\",\"actions\":{\"stateadd\":{\"n\":«1.5}}}]}", AGENTCHAT_E_SCHEMA,
         "/events/0/actions/stateadd/n", "whole number"},
        {OWN "\"events\":[{\"author\":\"a\",\"time\":«\"x\"}]}", AGENTCHAT_E_SCHEMA, "/events/0/time", "no time"},
        {OWN "\"events\":[«{}]}", AGENTCHAT_E_SCHEMA, "/events/0", "an \"author\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *mark = strstr(cases[i].marked, "«");
        size_t before = (size_t)(mark - cases[i].marked), len = strlen(cases[i].marked) - strlen("«");
        char *text = malloc(len + 1);
        aci_session_data data;
        agentchat_status status;
        agentchat_error err;

        memcpy(text, cases[i].marked, before);
        memcpy(text + before, mark + strlen("«"), len - before);
        agentchat_error_clear(&err);
        status = aci_session_data_read(NULL, (agentchat_str){text, len}, NULL, &data, &err);
        if (status != cases[i].status || err.code != status || err.offset != before ||
            strcmp(err.path, cases[i].path) != 0 || strstr(err.message, cases[i].message) == NULL ||
            data.events != NULL || data.home != NULL)
            fail_msg("%s: %s at %llu, %s: %s", cases[i].marked, agentchat_status_name((agentchat_status)err.code),
                     (unsigned long long)err.offset, err.path, err.message);
        if (memchr(text, '\n', len) != NULL)
            assert_true(err.line == 3 && err.column == 12);
        free(text);
    }
#undef OWN
}

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
    env = agentchat_env_new(&options);
    agentchat_error_clear(&err);
    test_ok(aci_session_data_read(env,
                                  AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"state\":{\"k\":[[[1]]]},"
                                                "\"events\":[{\"author\":\"a\",\"x\":[[[1]]]}]}"),
                                  NULL, &data, &err),
            &err);
    aci_session_data_clear(&data);
    test_ok(
        aci_session_data_read(env, AGENTCHAT_STR("{\"id\":\"s\",\"state\":{\"temp:k\":[[[[1]]]]}}"), NULL, &data, &err),
        &err); /* it is left out */
    aci_session_data_clear(&data);
    test_fails(aci_session_data_read(env,
                                     AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"state\":{},"
                                                   "\"events\":[{\"author\":\"a\",\"x\":[[[[1]]]]}]}"),
                                     NULL, &data, &err),
               &err, AGENTCHAT_E_LIMIT, "/events/0/x/0/0/0", "deeper than");
    for (size_t i = 0; i < sizeof too_deep / sizeof *too_deep; i++) {
        agentchat_error_clear(&err);
        test_fails(aci_session_data_read(env, agentchat_str_from(too_deep[i].text), NULL, &data, &err), &err,
                   AGENTCHAT_E_LIMIT, too_deep[i].path, "deeper than 4 levels");
    }
    agentchat_env_free(env);
    limits.max_bytes = 10;
    env = agentchat_env_new(&options);
    agentchat_error_clear(&err);
    test_fails(aci_session_data_read(env, AGENTCHAT_STR("{\"id\":\"xyz\"}"), NULL, &data, &err), &err,
               AGENTCHAT_E_LIMIT, "", "more than 10 bytes");
    agentchat_error_clear(&err);
    test_fails(aci_session_data_read(env, (agentchat_str){NULL, 0}, NULL, &data, &err), &err, AGENTCHAT_E_SYNTAX, "",
               "end of the input");
    agentchat_env_free(env);
}

/* ---- depth ------------------------------------------------------------------------------------------------------ */

/* `levels` arrays inside each other, put between two texts. To be freed with free(). */
static char *nested(const char *before, size_t levels, const char *behind)
{
    size_t head = strlen(before), tail = strlen(behind);
    char *text = malloc(head + 2 * levels + tail + 1);

    memcpy(text, before, head);
    memset(text + head, '[', levels);
    memset(text + head + levels, ']', levels);
    memcpy(text + head + 2 * levels, behind, tail + 1);
    return text;
}

/* Arguments and results stand one level deeper in the ADKs' form. What we write there we read again. */
static void test_session_data__what_goes_to_an_adk_comes_back(void **state)
{
#define OWN "{\"agentchatsession\":{\"format\":1},\"id\":\"s\",\"state\":{},\"events\":[{\"author\":\"a\","
    static const struct {
        const char *before, *behind;
        size_t levels; /* the most that the event can have */
    } cases[] = {
        {OWN "\"content\":{\"items\":[{\"type\":\"call\",\"arguments\":{\"a\":", "}}]}}]}", 123},
        {OWN "\"content\":{\"items\":[{\"type\":\"result\",\"result\":{\"a\":", "}}]}}]}", 123},
        {OWN "\"actions\":{\"compaction\":{\"start\":\"2026-01-02T03:04:05Z\",\"end\":\"2026-01-02T03:04:06Z\","
             "\"content\":{\"items\":[{\"type\":\"call\",\"arguments\":{\"a\":",
         "}}]}}}}]}", 121},
        {OWN "\"actions\":{\"statedelta\":{\"k\":", "}}}]}", 125},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = nested(cases[i].before, cases[i].levels, cases[i].behind);
        aci_session_data data = read_whole(agentchat_str_from(text), NULL), again;
        agentchat_bytes adk = written(&data, AGENTCHAT_FORMAT_ADK, NULL), second;
        agentchat_error err;

        again = read_whole(view(&adk), NULL);
        second = written(&again, AGENTCHAT_FORMAT_ADK, NULL);
        assert_string_equal(second.ptr, adk.ptr);
        agentchat_bytes_clear(&adk);
        agentchat_bytes_clear(&second);
        aci_session_data_clear(&data);
        aci_session_data_clear(&again);
        free(text);

        text = nested(cases[i].before, cases[i].levels + 1, cases[i].behind);
        agentchat_error_clear(&err);
        assert_int_equal(aci_session_data_read(NULL, agentchat_str_from(text), NULL, &data, &err), AGENTCHAT_E_LIMIT);
        free(text);
    }
#undef OWN
}

/* It is the depth in our own form that is limited, wherever a value stands in theirs. */
static void test_session_data__an_adks_event_is_as_deep_as_ours(void **state)
{
    static const struct {
        const char *before, *behind;
        size_t most;
        const char *part; /* of our own form, in the sentence */
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
        char *text = nested(cases[i].before, cases[i].most, cases[i].behind);
        aci_session_data data = read_whole(agentchat_str_from(text), NULL);
        agentchat_error err;

        assert_int_equal(data.event_count, 2);
        aci_session_data_clear(&data);
        free(text);
        text = nested(cases[i].before, cases[i].most + 1, cases[i].behind);
        agentchat_error_clear(&err);
        test_fails(aci_session_data_read(NULL, agentchat_str_from(text), NULL, &data, &err), &err, AGENTCHAT_E_LIMIT,
                   "/events/1", "nested deeper than 128 levels");
        if (strstr(err.message, cases[i].part) == NULL)
            fail_msg("%s: %s", cases[i].before, err.message);
        assert_int_equal(err.offset, strstr(text, "{},{") - text + 3);
        free(text);
    }
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

#define INITIAL(key)                                                                                                   \
    "loss /initial/" key ": what the key was before the first event was left out: there is no place for it\n"

/* Nothing is lost of a key that is what it was before the first event. */
static void test_session_data__initial_state_that_still_stands_is_not_lost(void **state)
{
    agentchat_report *report = aci_report_new(aci_env(NULL));
    aci_session_data data = read_whole(
        AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"state\":{\"still\":[1],\"again\":1,\"new\":2,"
                      "\"spelled\":1.0,\"n\":2},\"initial\":{\"still\":[1],\"again\":1,\"gone\":1,\"deleted\":"
                      "1,\"spelled\":1.00,\"n\":1},\"events\":[{\"author\":\"a\",\"time\":\"2026-01-02T03:04:05Z\","
                      "\"actions\":{\"statedelta\":{\"again\":1,\"new\":2},\"statedelete\":[\"deleted\"]}},{"
                      "\"author\":\"a\",\"time\":\"2026-01-02T03:04:05Z\",\"actions\":{\"stateadd\":{\"n\":1}}}]}"),
        NULL);
    agentchat_bytes out = written(&data, AGENTCHAT_FORMAT_ADK, report);
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
        read_whole(AGENTCHAT_STR("{\"agentchatsession\":{\"format\":1},\"id\":\"s\",\"state\":{\"a\":"
                                 "\"\\ud800\"},\"initial\":{\"a\":1},\"events\":[]}"),
                   NULL);
    agentchat_bytes out = written(&data, AGENTCHAT_FORMAT_ADK, report);
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

static void test_session_data__the_last_event_tells_the_time(void **state)
{
    aci_session_data data =
        read_whole(AGENTCHAT_STR("{\"id\":\"s\",\"events\":[{\"author\":\"a\",\"timestamp\":1.5}]}"), NULL);
    agentchat_bytes out = written(&data, AGENTCHAT_FORMAT_ADK, NULL);

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
    data.state = agentchat_state_new(NULL);
    test_ok(agentchat_state_set(data.state, "k", AGENTCHAT_STR("{\"x\":\n1}"), &err), &err);
    test_ok(agentchat_state_set(data.state, "temp:t", AGENTCHAT_STR("1"), &err), &err);
    out = written(&data, AGENTCHAT_FORMAT_NONE, NULL);
    assert_string_equal(out.ptr, "{\"agentchatsession\":{\"format\":1},\n\"app\":\"a\",\n\"state\":{\"k\":{\"x\":1}},\n"
                                 "\"events\":[]}\n");
    agentchat_bytes_clear(&out);
    out = written(&data, AGENTCHAT_FORMAT_ADK, NULL);
    assert_null(strstr(out.ptr, "temp"));
    agentchat_bytes_clear(&out);
    agentchat_error_clear(&err);
    test_fails(aci_session_data_write(&data, AGENTCHAT_FORMAT_SEMANTIC_KERNEL, NULL, NULL, &err), &err,
               AGENTCHAT_E_INVALID, "", "format 3");
    aci_session_data_clear(&data);
}

static void test_session_data__sinks_may_fail(void **state)
{
    char *path = test_path(test_data_dir(), "data/golden/session-1/every-property.json");
    static const agentchat_format formats[] = {AGENTCHAT_FORMAT_AGENTCHAT, AGENTCHAT_FORMAT_ADK};
    aci_session_data data;
    size_t len;
    char *text = test_file_read(path, &len);

    (void)state;
    data = read_whole((agentchat_str){text, len}, NULL);
    for (size_t i = 0; i < 2; i++) {
        agentchat_status status = AGENTCHAT_E_IO;

        for (uint64_t good = 0; status < 0; good++) {
            agentchat_sink *sink = test_sink_failing(good, false);
            agentchat_error err;

            agentchat_error_clear(&err);
            status = aci_session_data_write(&data, formats[i], sink, NULL, &err);
            assert_true(status == AGENTCHAT_OK || status == AGENTCHAT_E_IO);
            assert_true(good < 100 && (good > 0 || status < 0));
            agentchat_sink_free(sink);
        }
    }
    aci_session_data_clear(&data);
    free(text);
    free(path);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

typedef struct work {
    agentchat_str text;
    agentchat_format format;
} work;

static agentchat_status read_and_write(const agentchat_env *env, void *user, agentchat_error *err)
{
    const work *w = user;
    agentchat_report *report = NULL;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    aci_session_data data;
    agentchat_status status;

    report = aci_report_new(aci_env(env));
    if (report == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "no report");
    status = aci_session_data_read(env, w->text, report, &data, err);
    if (status >= 0) {
        status = agentchat_sink_memory(env, &out, &sink, err);
        if (status >= 0)
            status = aci_session_data_write(&data, w->format, sink, report, err);
        agentchat_sink_free(sink);
    } else {
        assert_null(data.home);
    }
    aci_session_data_clear(&data);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    return status;
}

static void sweep_file(const char *path, void *user)
{
    size_t len;
    char *text = test_file_read(path, &len);
    work w = {{text, len}, AGENTCHAT_FORMAT_AGENTCHAT};

    (void)user;
    assert_true(test_oom_sweep(read_and_write, &w) > 5);
    w.format = AGENTCHAT_FORMAT_ADK;
    assert_true(test_oom_sweep(read_and_write, &w) > 5);
    free(text);
}

static void test_session_data__memory_may_run_out(void **state)
{
    char *samples = test_path(test_data_dir(), "interop/adk");
    char *golden = test_path(test_data_dir(), "data/golden/session-1");

    (void)state;
    test_each_file(samples, ".json", sweep_file, NULL);
    test_each_file(golden, ".json", sweep_file, NULL);
    free(samples);
    free(golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_data__samples),
        cmocka_unit_test(test_session_data__nothing_of_pythons_is_lost),
        cmocka_unit_test(test_session_data__gives_golden_files_back),
        cmocka_unit_test(test_session_data__real_files),
        cmocka_unit_test(test_session_data__is_all_there),
        cmocka_unit_test(test_session_data__places_are_filled_in),
        cmocka_unit_test(test_session_data__events_keep_their_index),
        cmocka_unit_test(test_session_data__what_is_not_kept_is_told),
        cmocka_unit_test(test_session_data__errors_have_places),
        cmocka_unit_test(test_session_data__is_as_deep_as_its_events),
        cmocka_unit_test(test_session_data__what_goes_to_an_adk_comes_back),
        cmocka_unit_test(test_session_data__an_adks_event_is_as_deep_as_ours),
        cmocka_unit_test(test_session_data__initial_state_that_still_stands_is_not_lost),
        cmocka_unit_test(test_session_data__initial_state_is_no_adks),
        cmocka_unit_test(test_session_data__the_last_event_tells_the_time),
        cmocka_unit_test(test_session_data__a_caller_s_own),
        cmocka_unit_test(test_session_data__sinks_may_fail),
        cmocka_unit_test(test_session_data__memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
