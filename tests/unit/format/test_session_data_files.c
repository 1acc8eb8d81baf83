/* SPDX-License-Identifier: Apache-2.0 */
/* Session files of both formats on disk: golden files, files of other programs. */
#include "session_data_test.h"

#include "snapshot/report.h"

#include "json/value.h"
#include <unistd.h>

/* What adk-python writes comes back as it was, but for the order of members. */
static void test_session_data__nothing_of_pythons_is_lost(void **state)
{
    char *cases = test_path(test_data_dir(), "format/adk/cases/sessions");
    char *path = test_path(cases, "python.in"), *written_as = test_path(cases, "python.out"), *before, *after;
    agentchat_error err;
    aci_buf wanted, got;

    (void)state;
    agentchat_error_clear(&err);
    before = test_file_read(path, NULL);
    after = test_file_read(written_as, NULL);
    aci_buf_init(&wanted, NULL, SIZE_MAX);
    aci_buf_init(&got, NULL, SIZE_MAX);
    before[strlen(before) - 1] = after[strlen(after) - 1] = '\0'; /* a raw value has no line end after it */
    test_ok(aci_json_canonical(agentchat_str_from(before), &wanted, aci_env(NULL), &err), &err);
    test_ok(aci_json_canonical(agentchat_str_from(after), &got, aci_env(NULL), &err), &err);
    assert_int_equal(got.len, wanted.len);
    assert_memory_equal(got.ptr, wanted.ptr, got.len);
    aci_buf_clear(&wanted);
    aci_buf_clear(&got);
    free(before);
    free(after);
    free(written_as);
    free(path);
    free(cases);
}

/* ---- golden files ---------------------------------------------------------------------------------------------- */

static void check_golden(const char *path, void *user)
{
    agentchat_report *report = aci_report_new(aci_env(NULL));
    aci_session_data data;
    agentchat_bytes out;
    size_t len;
    char *text = test_file_read(path, &len);

    (void)user;
    data = read_session((agentchat_str){text, len}, report);
    out = written(&data, "agentchat", NULL);
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

/* ---- files of other programs ----------------------------------------------------------------------------------- */

/* Files of other programs, as they are on disk. */
static void check_real(const char *path, void *user)
{
    aci_session_data data, again;
    agentchat_bytes native, adk, twice;
    size_t len, *events = user;
    char *text = test_file_read(path, &len);

    data = read_session((agentchat_str){text, len}, NULL);
    *events += data.event_count;
    native = written(&data, "agentchat", NULL);
    adk = written(&data, "adk", NULL);
    again = read_session(view(&native), NULL);
    assert_int_equal(again.event_count, data.event_count);
    twice = written(&again, "adk", NULL);
    assert_string_equal(twice.ptr, adk.ptr);
    aci_session_data_clear(&again);
    agentchat_bytes_clear(&twice);
    agentchat_bytes_clear(&native);
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

/* ---- memory ---------------------------------------------------------------------------------------------------- */

typedef struct work {
    agentchat_str text;
    const char *format;
} work;

static agentchat_status read_and_write_session(const agentchat_env *env, void *user, agentchat_error *err)
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
    status = aci_session_io_read(env, w->text, report, &data, err);
    if (status >= 0) {
        status = agentchat_sink_memory(env, &out, &sink, err);
        if (status >= 0)
            status = aci_session_io_write(&data, w->format, sink, report, err);
        agentchat_sink_free(sink);
    } else {
        assert_null(data.arena);
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
    work w = {{text, len}, "agentchat"};

    (void)user;
    assert_true(test_oom_sweep(read_and_write_session, &w) > 5);
    w.format = "adk";
    assert_true(test_oom_sweep(read_and_write_session, &w) > 5);
    free(text);
}

static void test_session_data__memory_may_run_out(void **state)
{
    char *golden = test_path(test_data_dir(), "data/golden/session-1");

    (void)state;
    test_each_file(golden, ".json", sweep_file, NULL);
    free(golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_data__nothing_of_pythons_is_lost),
        cmocka_unit_test(test_session_data__gives_golden_files_back),
        cmocka_unit_test(test_session_data__real_files),
        cmocka_unit_test(test_session_data__memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
