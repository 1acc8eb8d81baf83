/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions out of a store into a file, and back into a store. What files may hold is tested with their readers. */
#include "session/contract/contract.h"

#include <stdio.h>

static agentchat_bytes written(scene *s, const agentchat_session *session, const char *format)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;

    options.format = format;
    test_ok(agentchat_sink_memory(s->env, &text, &sink, &s->err), &s->err);
    test_ok(agentchat_session_export(session, sink, &options, NULL, &s->err), &s->err);
    agentchat_sink_free(sink);
    return text;
}

static agentchat_status import(scene *s, const char *text, const char *app, const char *user, const char *id,
                               agentchat_session **out)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_session *session = NULL;
    agentchat_source *source = NULL;
    agentchat_status status;

    options.as = (agentchat_session_id){app, user, id};
    test_ok(agentchat_source_memory(s->env, agentchat_str_from(text), &source, &s->err), &s->err);
    status = agentchat_session_import(s->store, source, &options, &session, NULL, &s->err);
    if (out != NULL)
        *out = session;
    else
        agentchat_session_free(session);
    agentchat_source_free(source);
    return status;
}

/* A session in which everything has happened. */
static agentchat_session *eventful(scene *s)
{
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"user:b\":[2],\"k\":1.50,\"gone\":null}");

    (void)scene_append_at(s, session, "e1", "k=2 n+=5 app:n+=1", "2001-02-03T04:05:06.000000007Z");
    (void)scene_append(s, session, "lost", "k=3");
    test_ok(agentchat_session_rewind(session, "e1", NULL, &s->err), &s->err);
    (void)scene_append(s, session, "e2", "-gone user:b=\"x\" n+=-7");
    return session;
}

static void test_exchange__the_native_format_gives_the_same_session(void **state)
{
    scene *s = *state;
    agentchat_session *session = eventful(s), *made = NULL, *again;
    agentchat_bytes text = written(s, session, "agentchat"), second;

    test_ok(import(s, text.ptr, NULL, NULL, "copy", &made), &s->err);
    expect_state(made, "{\"app:a\":1,\"app:n\":1,\"user:b\":\"x\",\"k\":2,\"n\":-2}");
    expect_events(made, "");
    assert_int_equal(agentchat_session_sequence(made), agentchat_session_sequence(session));
    again = scene_get(s, "u", "copy");
    expect_state(again, "{\"app:a\":1,\"app:n\":1,\"user:b\":\"x\",\"k\":2,\"n\":-2}");
    expect_events(again, "e1 e2");
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(agentchat_event_sequence(agentchat_session_event(again, i)),
                         agentchat_event_sequence(agentchat_session_event(session, i)));
    assert_str(agentchat_event_get(agentchat_session_event(again, 0), AGENTCHAT_EVENT_TIME),
               "2001-02-03T04:05:06.000000007Z");
    second = written(s, again, "agentchat");
    assert_non_null(strstr(second.ptr, "\"id\":\"copy\""));
    assert_string_equal(strstr(second.ptr, "\"events\""), strstr(text.ptr, "\"events\""));
    expect_sound(s->store);
    agentchat_bytes_clear(&text);
    agentchat_bytes_clear(&second);
    agentchat_session_free(again);
    agentchat_session_free(made);
    agentchat_session_free(session);
}

static void test_exchange__what_was_brought_in_goes_on_like_any_other(void **state)
{
    scene *s = *state;
    agentchat_session *session = eventful(s), *made = NULL;
    agentchat_bytes text = written(s, session, "agentchat");
    uint64_t removed = 0;

    test_ok(import(s, text.ptr, NULL, NULL, "copy", &made), &s->err);
    (void)scene_append(s, made, "e3", "k=4 app:n+=1");
    expect_stored(s, "u", "copy", "{\"app:a\":1,\"app:n\":2,\"user:b\":\"x\",\"k\":4,\"n\":-2}", "e1 e2 e3");
    test_ok(agentchat_session_rewind(made, "e1", &removed, &s->err), &s->err);
    assert_int_equal(removed, 2);
    expect_stored(s, "u", "copy", "{\"app:a\":1,\"app:n\":2,\"user:b\":\"x\",\"k\":2,\"n\":5,\"gone\":null}", "e1");
    test_ok(agentchat_session_rewind(made, NULL, &removed, &s->err), &s->err);
    expect_stored(s, "u", "copy", "{\"app:a\":1,\"app:n\":2,\"user:b\":\"x\",\"k\":1.50,\"gone\":null}", "");
    expect_stored(s, "u", "s", "{\"app:a\":1,\"app:n\":2,\"user:b\":\"x\",\"k\":2,\"n\":-2}", "e1 e2");
    expect_sound(s->store);
    agentchat_bytes_clear(&text);
    agentchat_session_free(made);
    agentchat_session_free(session);
}

static void test_exchange__the_form_of_an_adk_comes_back(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"user:b\":\"x\",\"k\":true}"), *again;
    agentchat_bytes text;

    (void)scene_append_at(s, session, "e1", "k=false", "2001-02-03T04:05:06.5Z");
    text = written(s, session, "adk");
    test_ok(import(s, text.ptr, NULL, NULL, "copy", NULL), &s->err);
    again = scene_get(s, "u", "copy");
    expect_state(again, "{\"app:a\":1,\"user:b\":\"x\",\"k\":false}");
    expect_events(again, "e1");
    assert_str(agentchat_event_get(agentchat_session_event(again, 0), AGENTCHAT_EVENT_AUTHOR), "agent");
    agentchat_bytes_clear(&text);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_exchange__wider_scopes_are_set(void **state)
{
    static const char text[] = "{\"agentchatsession\":{\"format\":1},\"user\":\"u\",\"id\":\"new\","
                               "\"state\":{\"app:a\":2,\"user:b\":3,\"user:c\":4,\"own\":5},\"events\":[]}";
    scene *s = *state;
    agentchat_session *there = scene_create(s, "u", "s", "{\"app:a\":1,\"app:x\":1,\"user:b\":1}"), *made = NULL;
    agentchat_session *other = scene_create(s, "v", "s", NULL);

    test_ok(import(s, text, s->app, NULL, NULL, &made), &s->err);
    expect_state(made, "{\"app:a\":2,\"app:x\":1,\"user:b\":3,\"user:c\":4,\"own\":5}");
    test_ok(agentchat_session_refresh(there, &s->err), &s->err);
    expect_state(there, "{\"app:a\":2,\"app:x\":1,\"user:b\":3,\"user:c\":4}");
    test_ok(agentchat_session_refresh(other, &s->err), &s->err);
    expect_state(other, "{\"app:a\":2,\"app:x\":1}");
    assert_true(agentchat_session_revision(there, "app:a") > agentchat_session_revision(there, "app:x"));
    agentchat_session_free(there);
    agentchat_session_free(other);
    agentchat_session_free(made);
}

static void test_exchange__a_file_that_cannot_come_in_changes_nothing(void **state)
{
    static const struct {
        const char *text;
        agentchat_status status;
    } rows[] = {
        {"{\"agentchatsession\":{\"format\":1},\"id\":\"s\",\"state\":{\"app:a\":9},\"events\":[]}",
         AGENTCHAT_E_EXISTS},
        {"{\"agentchatsession\":{\"format\":1},\"id\":\"new\",\"state\":{\"app:a\":9},\"events\":[{}]}",
         AGENTCHAT_E_SCHEMA},
        {"{\"agentchatsession\":{\"format\":1},\"id\":\"new\",\"state\":{\"app:\":9},\"events\":[]}",
         AGENTCHAT_E_INVALID},
        {"{\"agentchatsession\":{\"format\":1},\"id\":\"\",\"state\":{\"app:a\":9},\"events\":[]}",
         AGENTCHAT_E_INVALID},
        {"{\"agentchatsession\":{\"format\":2,\"reader\":2},\"state\":{},\"events\":[]}", AGENTCHAT_E_VERSION},
        {"{\"agentchatsession\":{\"format\":1},\"id\":\"new\",\"state\":{\"app:a\":9},\"events\":[",
         AGENTCHAT_E_SYNTAX},
        {"[]", AGENTCHAT_E_SCHEMA},
        {"", AGENTCHAT_E_SYNTAX},
    };
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1}"), *made;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        made = session;
        expect_fails(s, import(s, rows[i].text, s->app, "u", NULL, &made), rows[i].status, NULL);
        assert_null(made);
        expect_missing(s, "u", "new");
        expect_stored(s, "u", "s", "{\"app:a\":1}", "");
    }
    expect_fails(
        s, import(s, "{\"agentchatsession\":{\"format\":1},\"state\":{},\"events\":[]}", s->app, NULL, NULL, NULL),
        AGENTCHAT_E_SCHEMA, "user");
    agentchat_session_free(session);
}

/* An unknown property with a namesake in `extras` stands deeper in what is stored than in the file. */
static void test_exchange__what_could_not_be_read_back_is_not_brought_in(void **state)
{
    scene *s = *state;
    char text[1024], deep[2 * 127 + 1];

    memset(deep, '[', 127);
    memset(deep + 127, ']', 127);
    deep[2 * 127] = '\0';
    (void)snprintf(text, sizeof text,
                   "{\"agentchatsession\":{\"format\":1},\"id\":\"new\",\"state\":{},\"events\":[{\"author\":\"a\","
                   "\"partial\":true},"
                   "{\"author\":\"a\",\"x\":%s,\"extras\":[{\"name\":\"x\",\"value\":1}]}]}",
                   deep);
    test_fails(import(s, text, s->app, "u", NULL, NULL), &s->err, AGENTCHAT_E_LIMIT, "/events/1",
               "nested deeper than 128 levels");
    expect_missing(s, "u", "new");
}

/* Nothing of a file is lost or made up without being reported. */
static void test_exchange__what_changes_in_an_import_is_reported(void **state)
{
    static const char text[] =
        "{\"id\":\"new\",\"events\":[{\"author\":\"a\",\"partial\":true},"
        "{\"id\":\"e1\",\"invocationId\":\"i\",\"author\":\"a\",\"timestamp\":1,\"actions\":{\"stateDelta\":{\"k\":{"
        "\"temp:in a value\":1}}}},"
        "{\"id\":\"e2\",\"invocationId\":\"i\",\"author\":\"a\",\"timestamp\":2,\"actions\":{\"stateDelta\":{\"temp:"
        "draft\":1}}},"
        "{\"id\":\"e3\",\"invocationId\":\"i\",\"author\":\"a\",\"timestamp\":3,\"actions\":{\"artifactDelta\":{\"temp:"
        "a\":1}}},"
        "{\"id\":\"e4\",\"invocationId\":\"i\",\"author\":\"a\",\"timestamp\":4,\"actions\":{\"agentState\":{\"x\":{"
        "\"temp:y\":1}}}},"
        "{\"id\":\"e5\",\"invocationId\":\"i\",\"author\":\"a\",\"timestamp\":5,\"customMetadata\":{\"temp:z\":1}},"
        "{\"id\":\"e6\",\"invocationId\":\"i\",\"author\":\"a\",\"timestamp\":6,\"actions\":{\"compaction\":{"
        "\"startTimestamp\":1,"
        "\"endTimestamp\":2,"
        "\"compactedContent\":{\"parts\":[{\"functionCall\":{\"args\":{\"temp:celsius\":21}}}]}}}},"
        "{\"id\":\"e7\",\"invocationId\":\"i\",\"author\":\"a\"}]}";
    scene *s = *state;
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_session *session = NULL;
    agentchat_report *report = NULL;
    agentchat_source *source = NULL;

    options.as.app = s->app;
    options.as.user = "u";
    for (int fails = 1; fails >= 0; fails--) {
        options.fail_on_loss = fails != 0;
        test_ok(agentchat_source_memory(s->env, agentchat_str_from(text), &source, &s->err), &s->err);
        if (fails != 0) {
            expect_fails(s, agentchat_session_import(s->store, source, &options, &session, &report, &s->err),
                         AGENTCHAT_E_LOSS, NULL);
            assert_null(session);
            expect_missing(s, "u", "new");
        } else {
            test_ok(agentchat_session_import(s->store, source, &options, &session, &report, &s->err), &s->err);
            agentchat_session_free(session);
            expect_stored(s, "u", "new", "{}", "e1 e2 e3 e4 e5 e6 e7");
        }
        agentchat_source_free(source);
        assert_int_equal(agentchat_report_count(report), 7);
        for (size_t i = 0; i < 7; i++) {
            const agentchat_report_entry *entry = agentchat_report_at(report, i);
            char path[16];

            (void)snprintf(path, sizeof path, "/events/%zu", i == 0 ? i : i + 1);
            assert_str(entry->path, path);
            assert_int_equal(entry->kind, i < 6 ? AGENTCHAT_REPORT_LOSS : AGENTCHAT_REPORT_NOTE);
            assert_non_null(strstr(entry->text.ptr, i == 0 ? "partial" : i < 6 ? "temp:" : "no time"));
        }
        agentchat_report_free(report);
    }
}

static void test_exchange__a_large_session_comes_back_unchanged(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    agentchat_bytes text, second;

    for (int i = 0; i < 300; i++)
        (void)scene_append(s, session, NULL, i % 3 == 0 ? "n+=1 k=\"\xC3\xA9\"" : "app:n+=1");
    text = written(s, session, "agentchat");
    test_ok(import(s, text.ptr, NULL, NULL, "copy", NULL), &s->err);
    again = scene_get(s, "u", "copy");
    assert_int_equal(agentchat_session_event_count(again), 300);
    second = written(s, again, "agentchat");
    assert_string_equal(strstr(second.ptr, "\"events\""), strstr(text.ptr, "\"events\""));
    agentchat_bytes_clear(&text);
    agentchat_bytes_clear(&second);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

/* The last events alone: what was before them is their initial state. */
static void test_exchange__a_part_of_a_session_can_be_rewound(void **state)
{
    static const char *const changes[] = {"k=1 a=1", "k=2 -a", "k=3 n+=3", "k=4 a=4 n+=4", "k=5 -k0 app:x=5"};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k0\":0}"), *part, *made = NULL;
    agentchat_bytes text;
    char id[16];

    for (int i = 0; i < 5; i++) {
        snprintf(id, sizeof id, "e%d", i + 1);
        (void)scene_append(s, session, id, changes[i]);
    }
    for (int way = 0; way < 2; way++) { /* by number, and by time: the clock counts microseconds */
        snprintf(id, sizeof id, "copy%d", way);
        part = way == 0 ? scene_get_with(s, "u", "s", (agentchat_session_get_options){.last = 2})
                        : scene_get_with(s, "u", "s",
                                         (agentchat_session_get_options){
                                             .since_ns = agentchat_event_time_ns(agentchat_session_event(session, 3)),
                                             .has_since = true});
        expect_events(part, "e4 e5");
        text = written(s, part, "agentchat");
        test_ok(import(s, text.ptr, NULL, NULL, id, &made), &s->err);
        expect_stored(s, "u", id, "{\"k\":5,\"a\":4,\"n\":7,\"app:x\":5}", "e4 e5");
        test_ok(agentchat_session_rewind(made, NULL, NULL, &s->err), &s->err);
        expect_stored(s, "u", id, "{\"k\":3,\"k0\":0,\"n\":3,\"app:x\":5}", "");
        agentchat_bytes_clear(&text);
        agentchat_session_free(made);
        agentchat_session_free(part);
    }
    agentchat_session_free(session);
}

/* Times that do not grow with the sequence numbers: what was before the first event cannot be derived from those that
   are held. */
#define SINCE INT64_C(1767225605000000000)
static void test_exchange__a_session_with_holes_has_no_initial_state(void **state)
{
    static const char *const times[] = {"2026-01-01T00:00:05Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:07Z",
                                        "2026-01-01T00:00:09Z"};
    static const struct {
        agentchat_session_get_options options;
        const char *events;
        bool has_holes;
    } rows[] = {{{.since_ns = SINCE, .has_since = true}, "e1 e3 e4", true},
                {{.since_ns = SINCE, .has_since = true, .last = 2}, "e3 e4", false},
                {{.since_ns = SINCE, .has_since = true, .no_events = true}, "", false}};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char id[16];

    for (int i = 0; i < 4; i++) {
        snprintf(id, sizeof id, "e%d", i + 1);
        (void)scene_append_at(s, session, id, "k+=1", times[i]);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        agentchat_session *part = scene_get_with(s, "u", "s", rows[i].options);
        agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
        agentchat_bytes text = AGENTCHAT_BYTES_INIT;
        agentchat_sink *sink = NULL;
        agentchat_status status;

        expect_events(part, rows[i].events);
        test_ok(agentchat_sink_memory(s->env, &text, &sink, &s->err), &s->err);
        status = agentchat_session_export(part, sink, &options, NULL, &s->err);
        if (rows[i].has_holes)
            expect_fails(s, status, AGENTCHAT_E_INVALID, "between them");
        else
            test_ok(status, &s->err);
        agentchat_sink_free(sink);
        agentchat_bytes_clear(&text);
        text = written(s, part, "adk"); /* which knows no initial state */
        agentchat_bytes_clear(&text);
        agentchat_session_free(part);
    }
    agentchat_session_free(session);
}

static void test_exchange__options_of_zeros_change_nothing(void **state)
{
    scene *s = *state;
    agentchat_session_file_options zeros = {.struct_size = sizeof zeros};
    agentchat_session *session = eventful(s), *made = NULL;
    agentchat_bytes plain = AGENTCHAT_BYTES_INIT, with = AGENTCHAT_BYTES_INIT;
    agentchat_source *source = NULL;
    agentchat_sink *sink = NULL;

    test_ok(agentchat_sink_memory(s->env, &plain, &sink, &s->err), &s->err);
    test_ok(agentchat_session_export(session, sink, NULL, NULL, &s->err), &s->err);
    agentchat_sink_free(sink);
    test_ok(agentchat_sink_memory(s->env, &with, &sink, &s->err), &s->err);
    test_ok(agentchat_session_export(session, sink, &zeros, NULL, &s->err), &s->err);
    agentchat_sink_free(sink);
    assert_string_equal(with.ptr, plain.ptr);
    agentchat_session_free(session);

    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
    test_ok(agentchat_source_memory(s->env, (agentchat_str){with.ptr, with.len}, &source, &s->err), &s->err);
    test_ok(agentchat_session_import(s->store, source, &zeros, &made, NULL, &s->err), &s->err);
    assert_string_equal(agentchat_session_get_id(made)->app, s->app);
    assert_string_equal(agentchat_session_get_id(made)->user, "u");
    assert_string_equal(agentchat_session_get_id(made)->id, "s");
    agentchat_session_free(made);
    agentchat_source_free(source);
    agentchat_bytes_clear(&plain);
    agentchat_bytes_clear(&with);
}

/* The report says what was there before it failed. */
static void test_exchange__reports_come_on_failure_too(void **state)
{
    static const char text[] = "{\"agentchatsession\":{\"format\":1},\"user\":\"u\",\"state\":{},\"events\":[]}";
    scene *s = *state;
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_session *session = eventful(s), *made = (agentchat_session *)s;
    agentchat_report *report = NULL;
    agentchat_bytes file = AGENTCHAT_BYTES_INIT;
    agentchat_source *source = NULL;
    agentchat_sink *sink = NULL;

    options.format = "semantic-kernel"; /* no sessions in there */
    test_ok(agentchat_sink_memory(s->env, &file, &sink, &s->err), &s->err);
    expect_fails(s, agentchat_session_export(session, sink, &options, &report, &s->err), AGENTCHAT_E_INVALID, NULL);
    assert_non_null(report);
    agentchat_report_free(report);
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&file);
    agentchat_session_free(session);

    options.as = (agentchat_session_id){"", "u", NULL};
    test_ok(agentchat_source_memory(s->env, agentchat_str_from(text), &source, &s->err), &s->err);
    expect_fails(s, agentchat_session_import(s->store, source, &options, &made, &report, &s->err), AGENTCHAT_E_INVALID,
                 "application");
    assert_null(made);
    assert_int_equal(agentchat_report_count(report), 1); /* that an id was made */
    agentchat_report_free(report);
    agentchat_source_free(source);
}

static void test_exchange__says_which_argument_is_wrong(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *made = (agentchat_session *)s;
    agentchat_report *report = (agentchat_report *)s;
    agentchat_bytes file = AGENTCHAT_BYTES_INIT;
    agentchat_source *source = NULL;
    agentchat_sink *sink = NULL;

    test_ok(agentchat_sink_memory(s->env, &file, &sink, &s->err), &s->err);
    test_ok(agentchat_source_memory(s->env, AGENTCHAT_STR("{}"), &source, &s->err), &s->err);
    expect_fails(s, agentchat_session_export(NULL, sink, NULL, &report, &s->err), AGENTCHAT_E_INVALID, "session");
    assert_null(report);
    expect_fails(s, agentchat_session_export(session, NULL, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, "sink");
    expect_fails(s, agentchat_session_import(NULL, source, NULL, &made, &report, &s->err), AGENTCHAT_E_INVALID,
                 "store");
    assert_null(made);
    assert_null(report);
    expect_fails(s, agentchat_session_import(s->store, NULL, NULL, &made, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "source");
    expect_fails(s, agentchat_session_import(s->store, source, NULL, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, "out");
    agentchat_source_free(source);
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&file);
    agentchat_session_free(session);
}

int contract_exchange(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_exchange__the_native_format_gives_the_same_session),
        SCENE_TEST(test_exchange__what_was_brought_in_goes_on_like_any_other),
        SCENE_TEST(test_exchange__the_form_of_an_adk_comes_back),
        SCENE_TEST(test_exchange__wider_scopes_are_set),
        SCENE_TEST(test_exchange__a_file_that_cannot_come_in_changes_nothing),
        SCENE_TEST(test_exchange__options_of_zeros_change_nothing),
        SCENE_TEST(test_exchange__reports_come_on_failure_too),
        SCENE_TEST(test_exchange__says_which_argument_is_wrong),
        SCENE_TEST(test_exchange__what_could_not_be_read_back_is_not_brought_in),
        SCENE_TEST(test_exchange__what_changes_in_an_import_is_reported),
        SCENE_TEST(test_exchange__a_large_session_comes_back_unchanged),
        SCENE_TEST(test_exchange__a_part_of_a_session_can_be_rewound),
        SCENE_TEST(test_exchange__a_session_with_holes_has_no_initial_state),
    };

    return CONTRACT_GROUP("exchange", tests);
}
