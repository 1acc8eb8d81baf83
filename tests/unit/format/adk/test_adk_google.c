/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What google-adk and ADK-Rust wrote, recorded (tests/interop/google-adk/recorded/ORIGIN.md), and what is written for
 * google-adk of values that it refuses or carries out (tests/interop/google-adk/kinds.jsonl). Whether it takes all
 * that, interop.adk.live asks google-adk itself.
 */
#include "unit/format/session_data_test.h"

#include "snapshot/report.h"
#include <jansson.h>
#include <stdlib.h>

/* Calls a function with every line of a file, parsed. */
static void each_line(const char *name, void (*call)(json_t *line, void *user), void *user)
{
    char *path = test_path(test_data_dir(), name), *text = test_file_read(path, NULL);

    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *value = json_loads(line, JSON_ALLOW_NUL, NULL);

        assert_non_null(value);
        call(value, user);
        json_decref(value);
    }
    free(text);
    free(path);
}

static agentchat_str text_in(json_t *line, const char *name)
{
    json_t *value = json_object_get(line, name);

    assert_true(json_is_string(value));
    return (agentchat_str){json_string_value(value), json_string_length(value)};
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void check_case(json_t *line, void *user)
{
    agentchat_report *report = aci_report_new(aci_env(NULL));
    char *text = malloc(text_in(line, "events").len + 100), *entries;
    agentchat_bytes out;
    aci_session_data data;
    json_t *session, *events;
    char *got;

    (void)user;
    (void)sprintf(text, "{\"id\":\"s\",\"appName\":\"a\",\"userId\":\"u\",\"state\":{},\"events\":%s}",
                  text_in(line, "events").ptr);
    data = read_session(agentchat_str_from(text), report);
    out = written(&data, "adk", report);
    entries = entries_of(report);
    session = json_loads(out.ptr, 0, NULL);
    events = json_object_get(session, "events");
    got = json_dumps(events, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    if (strcmp(got, text_in(line, "written").ptr) != 0 || strcmp(entries, text_in(line, "report").ptr) != 0)
        fail_msg("\n%s\nbecame\n%s\nreport\n%s", text_in(line, "events").ptr, got, entries);
    free(got);
    json_decref(session);
    free(entries);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    aci_session_data_clear(&data);
    free(text);
}

static void test_adk_google__only_what_it_takes_is_written(void **state)
{
    (void)state;
    each_line("interop/google-adk/kinds.jsonl", check_case, NULL);
}

static agentchat_status through(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_str text = agentchat_str_from(user);
    agentchat_report *report = aci_report_new(aci_env(env));
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    aci_session_data data;
    agentchat_status status;

    if (report == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "no report");
    status = aci_session_io_read(env, text, report, &data, err);
    if (status >= 0)
        status = agentchat_sink_memory(env, &out, &sink, err);
    if (status >= 0)
        status = aci_session_io_write(&data, "adk", sink, report, err);
    agentchat_sink_free(sink);
    aci_session_data_clear(&data);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    return status;
}

static void sweep_case(json_t *line, void *user)
{
    char *text = malloc(text_in(line, "events").len + 100);

    (void)user;
    (void)sprintf(text, "{\"id\":\"s\",\"appName\":\"a\",\"userId\":\"u\",\"state\":{},\"events\":%s}",
                  text_in(line, "events").ptr);
    assert_true(test_oom_sweep(through, text) > 5);
    free(text);
}

static void test_adk_google__memory_may_run_out(void **state)
{
    (void)state;
    each_line("interop/google-adk/kinds.jsonl", sweep_case, NULL);
}

/* ---- recorded sessions ------------------------------------------------------------------------------------------ */

typedef struct recorded {
    char subject[100]; /* of the named file before */
    agentchat_bytes out;
    size_t read, refused;
} recorded;

/* The same session in four formats is written the same. */
static void compare_forms(recorded *r, agentchat_str name, const agentchat_bytes *out)
{
    const char *dot = memchr(name.ptr, '.', name.len);
    size_t len = dot != NULL ? (size_t)(dot - name.ptr) : 0;

    if (len == 0 || len >= sizeof r->subject || memcmp(name.ptr, "named/", 6) != 0 ||
        memcmp(name.ptr, "named/actions-auth", 18) == 0 || memcmp(name.ptr, "named/state-odd", 15) == 0)
        return; /* in the last two the formats spell open-ended values differently */
    if (strlen(r->subject) == len && memcmp(r->subject, name.ptr, len) == 0) {
        if (strcmp(r->out.ptr, out->ptr) != 0)
            fail_msg("%s is not written as its other formats", name.ptr);
        return;
    }
    memcpy(r->subject, name.ptr, len);
    r->subject[len] = '\0';
    agentchat_bytes_clear(&r->out);
    r->out = (agentchat_bytes)AGENTCHAT_BYTES_INIT;
    (void)agentchat_bytes_append(&r->out, (agentchat_str){out->ptr, out->len}, NULL);
}

static void check_recorded(json_t *line, void *user)
{
    recorded *r = user;
    agentchat_report *report = aci_report_new(aci_env(NULL));
    aci_session_data data, again;
    agentchat_bytes out, twice;
    agentchat_error err;

    agentchat_error_clear(&err);
    if (aci_session_io_read(NULL, text_in(line, "text"), NULL, &data, &err) < 0) {
        r->refused++;
        agentchat_report_free(report);
        return;
    }
    r->read++;
    out = written(&data, "adk", NULL);
    compare_forms(r, text_in(line, "name"), &out);
    again = read_session(view(&out), NULL);
    twice = written(&again, "adk", report);
    assert_string_equal(twice.ptr, out.ptr);
    for (size_t i = 0; i < agentchat_report_count(report); i++) { /* but for what is after the year 5138 */
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        if (entry->kind == AGENTCHAT_REPORT_LOSS)
            assert_str(entry->text, "the number is so high that readers take it for milliseconds");
    }
    agentchat_bytes_clear(&out);
    agentchat_bytes_clear(&twice);
    aci_session_data_clear(&data);
    aci_session_data_clear(&again);
    agentchat_report_free(report);
}

static void test_adk_google__what_was_recorded_goes_through(void **state)
{
    recorded r = {.out = AGENTCHAT_BYTES_INIT};

    (void)state;
    each_line("interop/google-adk/recorded/python.jsonl", check_recorded, &r);
    assert_int_equal(r.read + r.refused, 401);
    assert_int_equal(r.refused, 23); /* 20 that google-adk refuses too, two with NaN, one too deep */
    agentchat_bytes_clear(&r.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adk_google__only_what_it_takes_is_written),
        cmocka_unit_test(test_adk_google__memory_may_run_out),
        cmocka_unit_test(test_adk_google__what_was_recorded_goes_through),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
