/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots from streams, memory and files, and back: options, reports, failures, atomic files. */
#include "document_test.h"

#include <stdio.h>

#define DOCUMENT                                                                                                       \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\n\"history\":[\n{\"role\":\"user\",\"items\":[{\"type\":\"text\","    \
    "\"text\":\"hi\"}]}\n],\n\"participants\":[],\n\"channels\":[]}\n"
/* One property that an entry of extras does not have: a loss when read. */
#define LOSSY                                                                                                          \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"extras\":[{\"note\":1,\"name\":\"a\","                 \
    "\"value\":"                                                                                                       \
    "1}]}],\"participants\":[],\"channels\":[]}"

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static void read_in_pieces(const char *path, void *user)
{
    size_t len;
    char *bytes = test_file_read(path, &len);

    (void)user;
    for (size_t chunk = 0; chunk <= 7; chunk++) {
        agentchat_source *source = test_source_chunked(bytes, len, chunk);
        agentchat_bytes again = AGENTCHAT_BYTES_INIT;
        agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
        agentchat_snapshot *snapshot;
        agentchat_error err;

        test_ok(agentchat_snapshot_read(NULL, source, NULL, &snapshot, NULL, &err), &err);
        agentchat_source_free(source);
        options.format = agentchat_snapshot_format(snapshot);
        test_ok(agentchat_snapshot_write_memory(snapshot, &options, &again, NULL, &err), &err);
        assert_int_equal(again.len, len);
        assert_memory_equal(again.ptr, bytes, len);
        agentchat_bytes_clear(&again);
        agentchat_snapshot_unref(snapshot);
    }
    free(bytes);
}

static void test_snapshot_io__reads_the_same_in_pieces_of_any_size(void **state)
{
    char *dir = test_path(test_data_dir(), "data/golden/format-1");

    (void)state;
    assert_true(test_each_file(dir, ".json", read_in_pieces, NULL) > 5);
    free(dir);
}

static void test_snapshot_io__leaves_the_callers_bytes_alone(void **state)
{
    char text[] = "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"role\":\"\\u0061\\n\"}],"
                  "\"participants\":[],\"channels\":[]}";
    char *before = strdup(text);
    agentchat_snapshot *snapshot = read_text(text);

    (void)state;
    assert_string_equal(text, before);
    memset(text, 'x', sizeof(text));
    assert_str(agentchat_message_role(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0)), "a\n");
    agentchat_snapshot_unref(snapshot);
    free(before);
}

static void test_snapshot_io__says_plainly_what_is_no_json(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *message;
    } cases[] = {
        {"", 0, "the input is empty"}, {"\xFF\xFE{\0", 4, "UTF-16"}, {"\xFE\xFF\0{", 4, "UTF-16"},
        {"{\0\"\0", 4, "UTF-16"},      {"\0{\0\"", 4, "UTF-16"},     {"\x1F\x8B\x08\0", 4, "gzip"},
    };
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        test_fails(agentchat_snapshot_read_memory(NULL, (agentchat_str){cases[i].bytes, cases[i].len}, NULL, &snapshot,
                                                  NULL, &err),
                   &err, AGENTCHAT_E_SYNTAX, "", cases[i].message);
        assert_int_equal(err.offset, 0);
        assert_int_equal(err.line, 1);
        assert_null(snapshot);
    }
}

static void test_snapshot_io__names_the_file_that_fails(void **state)
{
    static const char broken[] = "{\"agentchat\":{\"format\":1,\"reader\":1},\n!";
    char *dir = test_dir_make(), *path = test_path(dir, "chat.json");
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, NULL, &err), &err, AGENTCHAT_E_NOTFOUND, NULL,
               NULL);
    assert_null(snapshot);
    assert_non_null(strstr(err.source, "chat.json"));
    test_file_write(path, broken, strlen(broken));
    test_fails(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, NULL, &err), &err, AGENTCHAT_E_SYNTAX, "",
               NULL);
    assert_non_null(strstr(err.source, "chat.json"));
    assert_int_equal(err.offset, strlen(broken) - 1);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 1);
    free(path);
    test_dir_remove(dir);
}

static void test_snapshot_io__passes_a_failing_source_on(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    for (size_t good = 0; good < sizeof(DOCUMENT) - 1; good += 7) {
        agentchat_source *source = test_source_failing(DOCUMENT, sizeof(DOCUMENT) - 1, good);

        assert_int_equal(agentchat_snapshot_read(NULL, source, NULL, &snapshot, NULL, &err), AGENTCHAT_E_IO);
        assert_int_equal(err.code, AGENTCHAT_E_IO);
        assert_null(snapshot);
        agentchat_source_free(source);
    }
}

static void test_snapshot_io__hands_the_report_of_a_reading_over(void **state)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(LOSSY), &options, &snapshot, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 1);
    assert_str(agentchat_report_at(report, 0)->path, "/history/0/extras/0/note");
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);

    options.fail_on_loss = true;
    test_fails(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(LOSSY), &options, &snapshot, &report, &err), &err,
               AGENTCHAT_E_LOSS, "/history/0/extras/0/note", "left out");
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 1);
    agentchat_report_free(report);
    assert_null(snapshot);
    test_fails(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR("!"), NULL, &snapshot, &report, &err), &err,
               AGENTCHAT_E_SYNTAX, NULL, NULL);
    assert_non_null(report); /* an empty one */
    assert_int_equal(agentchat_report_count(report), 0);
    agentchat_report_free(report);
    test_ok(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(DOCUMENT), &options, &snapshot, &report, &err), &err);
    assert_int_equal(agentchat_report_count(report), 0);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

static void test_snapshot_io__refuses_calls_that_make_no_sense(void **state)
{
    agentchat_read_options read = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_write_options write = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot, *good = read_text(DOCUMENT);
    agentchat_error err;

    (void)state;
    assert_int_equal(agentchat_snapshot_read(NULL, NULL, NULL, &snapshot, NULL, &err), AGENTCHAT_E_INVALID);
    assert_null(snapshot);
    assert_int_equal(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(DOCUMENT), NULL, NULL, NULL, &err),
                     AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_snapshot_read_file(NULL, NULL, NULL, &snapshot, NULL, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_snapshot_write_file(good, NULL, NULL, NULL, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_snapshot_write_memory(good, NULL, NULL, NULL, &err), AGENTCHAT_E_INVALID);
    read.struct_size = 0;
    assert_int_equal(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(DOCUMENT), &read, &snapshot, NULL, &err),
                     AGENTCHAT_E_INVALID);
    assert_null(snapshot);
    read.struct_size = sizeof(read);
    read.format = "another";
    assert_int_equal(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(DOCUMENT), &read, &snapshot, NULL, &err),
                     AGENTCHAT_E_INVALID);
    read.format = NULL;
    read.limits = &limits;
    limits.max_depth = 10001;
    assert_int_equal(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(DOCUMENT), &read, &snapshot, NULL, &err),
                     AGENTCHAT_E_INVALID);
    assert_null(snapshot);

    assert_int_equal(agentchat_snapshot_write_memory(NULL, NULL, &bytes, NULL, &err), AGENTCHAT_E_INVALID);
    write.format = "another";
    assert_int_equal(agentchat_snapshot_write_memory(good, &write, &bytes, NULL, &err), AGENTCHAT_E_INVALID);
    write.struct_size = 1;
    assert_int_equal(agentchat_snapshot_write_memory(good, &write, &bytes, NULL, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_snapshot_write(good, NULL, NULL, NULL, &err), AGENTCHAT_E_INVALID);
    assert_null(bytes.ptr);
    agentchat_snapshot_unref(good);
}

/* The ADKs' format holds events and sessions. */
static void test_snapshot_io__a_format_without_chats(void **state)
{
    agentchat_read_options read = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_write_options write = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_snapshot *snapshot, *good = read_text(DOCUMENT);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    read.format = "adk";
    test_fails(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR("{}"), &read, &snapshot, NULL, &err), &err,
               AGENTCHAT_E_INVALID, "", "chats are not read as \"adk\", but as agentchat, ");
    assert_null(snapshot);
    write.format = "adk";
    test_fails(agentchat_snapshot_write_memory(good, &write, &bytes, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "chats are not written as \"adk\", but as agentchat, ");
    assert_null(bytes.ptr);
    agentchat_snapshot_unref(good);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static void test_snapshot_io__appends_to_what_memory_holds(void **state)
{
    agentchat_snapshot *snapshot = read_text(DOCUMENT);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_write_memory(snapshot, NULL, &bytes, NULL, &err), &err);
    assert_string_equal(bytes.ptr, DOCUMENT);
    test_ok(agentchat_snapshot_write_memory(snapshot, NULL, &bytes, NULL, &err), &err);
    assert_string_equal(bytes.ptr, DOCUMENT DOCUMENT);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
}

static void test_snapshot_io__writes_files_that_read_back(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "chat.json"), *text;
    agentchat_snapshot *snapshot = read_text(DOCUMENT), *back;
    agentchat_error err;
    size_t len;

    (void)state;
    test_ok(agentchat_snapshot_write_file(snapshot, path, NULL, NULL, &err), &err);
    text = test_file_read(path, &len);
    assert_string_equal(text, DOCUMENT);
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &back, NULL, &err), &err);
    agentchat_snapshot_unref(back);
    agentchat_snapshot_unref(snapshot);
    free(text);
    free(path);
    test_dir_remove(dir);
}

static void test_snapshot_io__leaves_the_old_file_when_a_save_fails(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "chat.json"), *text;
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = read_text(DOCUMENT);
    agentchat_error err;
    size_t len;

    (void)state;
    test_file_write(path, "old", 3);
    options.format = "another";
    assert_int_equal(agentchat_snapshot_write_file(snapshot, path, &options, NULL, &err), AGENTCHAT_E_INVALID);
    assert_non_null(strstr(err.source, "chat.json"));
    text = test_file_read(path, &len);
    assert_string_equal(text, "old");
    agentchat_snapshot_unref(snapshot);
    free(text);
    free(path);
    test_dir_remove(dir);
}

/* A sink that takes a number of writes and records whether it was committed. */
typedef struct counting {
    size_t writes, bytes;
    bool committed, freed;
} counting;

static agentchat_status counting_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    counting *c = self;

    (void)bytes;
    (void)err;
    c->writes++;
    c->bytes += len;
    return AGENTCHAT_OK;
}

static agentchat_status counting_commit(void *self, agentchat_error *err)
{
    (void)err;
    ((counting *)self)->committed = true;
    return AGENTCHAT_OK;
}

static void test_snapshot_io__commits_what_it_has_written_in_full(void **state)
{
    const agentchat_sink_ops ops = {sizeof(ops), counting_write, counting_commit, NULL};
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = read_text(DOCUMENT);
    agentchat_report *report;
    agentchat_sink *sink;
    agentchat_error err;

    (void)state;
    for (int rehearsed = 0; rehearsed < 2; rehearsed++) {
        counting c = {0, 0, false, false};

        options.fail_on_loss = rehearsed != 0;
        test_ok(agentchat_sink_new(NULL, &ops, &c, &sink, &err), &err);
        test_ok(agentchat_snapshot_write(snapshot, sink, &options, &report, &err), &err);
        assert_true(c.committed);
        assert_int_equal(c.bytes, sizeof(DOCUMENT) - 1);
        assert_int_equal(agentchat_report_count(report), 0);
        agentchat_report_free(report);
        agentchat_sink_free(sink);
    }
    agentchat_snapshot_unref(snapshot);
}

/* ---- out of memory ---------------------------------------------------------------------------------------------- */

static agentchat_status file_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    char *const *paths = user;
    agentchat_snapshot *snapshot;
    agentchat_status status = agentchat_snapshot_read_file(env, paths[0], NULL, &snapshot, NULL, err);

    if (status >= 0)
        status = agentchat_snapshot_write_file(snapshot, paths[1], NULL, NULL, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_snapshot_io__survives_running_out_of_memory(void **state)
{
    char *dir = test_dir_make();
    char *paths[] = {test_path(dir, "in.json"), test_path(dir, "out.json")};

    (void)state;
    test_file_write(paths[0], DOCUMENT, sizeof(DOCUMENT) - 1);
    assert_true(test_oom_sweep(file_scenario, paths) > 8);
    free(paths[0]);
    free(paths[1]);
    test_dir_remove(dir);
}

/* A program built against an older header hands over a shorter struct: what lies after it is not looked at. */
static void test_snapshot_io__options_end_where_their_size_says(void **state)
{
    agentchat_read_options reading = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_write_options writing = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    (void)state;
    reading.fail_on_loss = true;
    reading.struct_size = offsetof(agentchat_read_options, fail_on_loss);
    test_ok(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(LOSSY), &reading, &snapshot, NULL, &err), &err);
    writing.fail_on_loss = true;
    writing.format = "semantic-kernel";
    writing.struct_size = offsetof(agentchat_write_options, fail_on_loss);
    test_ok(agentchat_snapshot_write_memory(snapshot, &writing, &bytes, NULL, &err), &err);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
}

/* A report is always left to free: NULL where nothing was begun. */
static void test_snapshot_io__a_call_that_did_not_begin_has_no_report(void **state)
{
    agentchat_read_options reading = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_report *const set = (agentchat_report *)1;
    agentchat_report *report = set;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_snapshot_read_file(NULL, "/no such/file", NULL, &snapshot, &report, &err), &err,
               AGENTCHAT_E_NOTFOUND, NULL, NULL);
    assert_null(report);
    report = set;
    reading.struct_size = 0;
    test_fails(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR(DOCUMENT), &reading, &snapshot, &report, &err), &err,
               AGENTCHAT_E_INVALID, NULL, "struct_size");
    assert_null(report);
    report = set;
    test_fails(agentchat_snapshot_write_file(NULL, "/no such/file", NULL, &report, &err), &err, AGENTCHAT_E_IO, NULL,
               NULL);
    assert_null(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snapshot_io__options_end_where_their_size_says),
        cmocka_unit_test(test_snapshot_io__a_call_that_did_not_begin_has_no_report),
        cmocka_unit_test(test_snapshot_io__reads_the_same_in_pieces_of_any_size),
        cmocka_unit_test(test_snapshot_io__leaves_the_callers_bytes_alone),
        cmocka_unit_test(test_snapshot_io__says_plainly_what_is_no_json),
        cmocka_unit_test(test_snapshot_io__names_the_file_that_fails),
        cmocka_unit_test(test_snapshot_io__passes_a_failing_source_on),
        cmocka_unit_test(test_snapshot_io__hands_the_report_of_a_reading_over),
        cmocka_unit_test(test_snapshot_io__refuses_calls_that_make_no_sense),
        cmocka_unit_test(test_snapshot_io__a_format_without_chats),
        cmocka_unit_test(test_snapshot_io__appends_to_what_memory_holds),
        cmocka_unit_test(test_snapshot_io__writes_files_that_read_back),
        cmocka_unit_test(test_snapshot_io__leaves_the_old_file_when_a_save_fails),
        cmocka_unit_test(test_snapshot_io__commits_what_it_has_written_in_full),
        cmocka_unit_test(test_snapshot_io__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
