/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/snapshot.h, reading and writing: every format from and to streams, memory and files. */
#include "sweep.h"

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* What is read: three formats, detected; with a report wanted, for the odd variants; the last two fail on loss, which
   there is none of. */
enum { READINGS = 8 };

static const char *reading_format(unsigned variant)
{
    static const char *const formats[] = {"agentchat", "agentchat-encoded", "semantic-kernel", "agentchat"};

    return formats[variant / 2];
}

static agentchat_read_options reading_options(unsigned variant)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;

    options.fail_on_loss = variant >= 6;
    return options;
}

static agentchat_bytes reading_document(unsigned variant)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(NULL);
    agentchat_bytes document = sweep_document(snapshot, reading_format(variant));

    agentchat_snapshot_unref(snapshot);
    return document;
}

/* After a failure no snapshot was given out; the report, if there was memory for it, is for the caller to free. */
static void check_nothing_read(agentchat_status status, const agentchat_snapshot *snapshot, agentchat_report **report)
{
    if (status < 0) {
        assert_null(snapshot);
        agentchat_report_free(*report);
        *report = NULL;
    }
}

/* What was read is what is in the document. Releases both. */
static void check_read(agentchat_snapshot *snapshot, agentchat_report *report, unsigned variant)
{
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 3);
    assert_string_equal(agentchat_snapshot_format(snapshot), reading_format(variant));
    assert_true((report != NULL) == (variant % 2 == 1));
    if (strcmp(reading_format(variant), "semantic-kernel") != 0) { /* which cannot hold all of it */
        agentchat_snapshot *expected = sweep_rich_snapshot(NULL);

        sweep_assert_same(snapshot, expected);
        agentchat_snapshot_unref(expected);
    }
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

static agentchat_status snapshot_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes document = reading_document(variant);
    agentchat_source *source = test_source_chunked(document.ptr, document.len, variant % 2 == 1 ? 100 : SIZE_MAX);
    agentchat_snapshot *snapshot = NULL;
    agentchat_report *report = NULL, **wanted = variant % 2 == 1 ? &report : NULL;
    agentchat_read_options options = reading_options(variant);
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_snapshot_read(env, source, &options, &snapshot, wanted, err);
    sweep_end();
    check_nothing_read(status, snapshot, &report);
    agentchat_source_free(source);
    if (status < 0) {
        source = test_source_chunked(document.ptr, document.len, SIZE_MAX); /* the other one is used up */
        test_ok(agentchat_snapshot_read(env, source, &options, &snapshot, wanted, &again), &again);
        agentchat_source_free(source);
    }
    check_read(snapshot, report, variant);
    agentchat_bytes_clear(&document);
    return status;
}

static agentchat_status snapshot_read_memory(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes document = reading_document(variant);
    agentchat_str bytes = {document.ptr, document.len};
    agentchat_snapshot *snapshot = NULL;
    agentchat_report *report = NULL, **wanted = variant % 2 == 1 ? &report : NULL;
    agentchat_read_options options = reading_options(variant);
    agentchat_error again;
    agentchat_status status;

    options.format = reading_format(variant);
    sweep_begin();
    status = agentchat_snapshot_read_memory(env, bytes, &options, &snapshot, wanted, err);
    sweep_end();
    check_nothing_read(status, snapshot, &report);
    if (status < 0)
        test_ok(agentchat_snapshot_read_memory(env, bytes, &options, &snapshot, wanted, &again), &again);
    check_read(snapshot, report, variant);
    agentchat_bytes_clear(&document);
    return status;
}

static agentchat_status snapshot_read_file(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes document = reading_document(variant);
    char *dir = test_dir_make(), *path = test_path(dir, "file");
    agentchat_snapshot *snapshot = NULL;
    agentchat_report *report = NULL, **wanted = variant % 2 == 1 ? &report : NULL;
    agentchat_read_options options = reading_options(variant);
    agentchat_error again;
    agentchat_status status;

    test_file_write(path, document.ptr, document.len);
    sweep_begin();
    status = agentchat_snapshot_read_file(env, path, &options, &snapshot, wanted, err);
    sweep_end();
    check_nothing_read(status, snapshot, &report);
    if (status < 0)
        test_ok(agentchat_snapshot_read_file(env, path, &options, &snapshot, wanted, &again), &again);
    check_read(snapshot, report, variant);
    agentchat_bytes_clear(&document);
    test_dir_remove(dir);
    free(path);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* What is written: three formats, and Semantic Kernel's strictly; with a report wanted, for the odd variants. The last
   two fail on loss, which there is none of. */
enum { WRITINGS = 10 };

static agentchat_write_options writing_options(unsigned variant)
{
    static const char *const formats[] = {NULL, "agentchat-encoded", "semantic-kernel", "semantic-kernel", "agentchat"};
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    options.format = formats[variant / 2];
    options.strict = variant / 2 == 3;
    options.fail_on_loss = variant / 2 == 4;
    return options;
}

/* What the same writing gives elsewhere. */
static agentchat_bytes expected_bytes(unsigned variant)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(NULL);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_write_options options = writing_options(variant);
    agentchat_error err;

    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    return bytes;
}

/* Clears both. */
static void check_written(agentchat_bytes *bytes, agentchat_report *report, unsigned variant)
{
    agentchat_bytes expected = expected_bytes(variant);

    assert_true((report != NULL) == (variant % 2 == 1));
    assert_int_equal(bytes->len, expected.len);
    assert_memory_equal(bytes->ptr, expected.ptr, expected.len);
    agentchat_bytes_clear(&expected);
    agentchat_bytes_clear(bytes);
    agentchat_report_free(report);
}

static agentchat_status snapshot_write(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = sweep_sink(env, &bytes);
    agentchat_report *report = NULL, **wanted = variant % 2 == 1 ? &report : NULL;
    agentchat_write_options options = writing_options(variant);
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_snapshot_write(snapshot, sink, &options, wanted, err);
    sweep_end();
    agentchat_sink_free(sink);
    if (status < 0) {
        agentchat_report_free(report);
        assert_int_equal(bytes.len, 0); /* not committed */
        sink = sweep_sink(env, &bytes);
        test_ok(agentchat_snapshot_write(snapshot, sink, &options, wanted, &again), &again);
        agentchat_sink_free(sink);
    }
    check_written(&bytes, report, variant);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static agentchat_status snapshot_write_memory(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL, **wanted = variant % 2 == 1 ? &report : NULL;
    agentchat_write_options options = writing_options(variant);
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_snapshot_write_memory(snapshot, &options, &bytes, wanted, err);
    sweep_end();
    if (status < 0) {
        agentchat_report_free(report);
        assert_null(bytes.ptr);
        test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, wanted, &again), &again);
    }
    check_written(&bytes, report, variant);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void assert_file(const char *path, const char *expected, size_t len)
{
    size_t got;
    char *text = test_file_read(path, &got);

    assert_int_equal(got, len);
    assert_memory_equal(text, expected, len);
    free(text);
}

/* The formats are swept with the functions above; each file that is written has to wait for the disk. */
static agentchat_status snapshot_write_file(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env);
    agentchat_bytes expected = expected_bytes(variant);
    char *dir = test_dir_make(), *path = test_path(dir, "file");
    agentchat_report *report = NULL, **wanted = variant % 2 == 1 ? &report : NULL;
    agentchat_write_options options = writing_options(variant);
    agentchat_error again;
    agentchat_status status;

    test_file_write(path, "old", 3);
    sweep_begin();
    status = agentchat_snapshot_write_file(snapshot, path, &options, wanted, err);
    sweep_end();
    assert_int_equal(test_each_file(dir, "", NULL, NULL), 1); /* no temporary file stays */
    if (status < 0) {
        agentchat_report_free(report);
        assert_file(path, "old", 3);
        test_ok(agentchat_snapshot_write_file(snapshot, path, &options, wanted, &again), &again);
    }
    assert_true((report != NULL) == (variant % 2 == 1));
    assert_file(path, expected.ptr, expected.len);
    agentchat_report_free(report);
    agentchat_bytes_clear(&expected);
    agentchat_snapshot_unref(snapshot);
    test_dir_remove(dir);
    free(path);
    return status;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_read_options reading;
    agentchat_write_options writing;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_read_options_init(&reading, sizeof reading);
    agentchat_write_options_init(&writing, sizeof writing);
    sweep_end();
    assert_true(reading.struct_size == sizeof reading && !reading.fail_on_loss && reading.limits == NULL);
    assert_true(writing.struct_size == sizeof writing && !writing.fail_on_loss && writing.max_copies == 0);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_read_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_write_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_snapshot_read", snapshot_read, SWEEP_ALLOCATES, READINGS},
    {"agentchat_snapshot_read_memory", snapshot_read_memory, SWEEP_ALLOCATES, READINGS},
    {"agentchat_snapshot_read_file", snapshot_read_file, SWEEP_ALLOCATES, READINGS},
    {"agentchat_snapshot_write", snapshot_write, SWEEP_ALLOCATES, WRITINGS},
    {"agentchat_snapshot_write_file", snapshot_write_file, SWEEP_ALLOCATES, 2},
    {"agentchat_snapshot_write_memory", snapshot_write_memory, SWEEP_ALLOCATES, WRITINGS},
};

int main(void)
{
    return sweep_main("sweep.snapshot_io", rows, sizeof rows / sizeof *rows);
}
