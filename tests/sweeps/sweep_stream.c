/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/stream.h: sources and sinks of every kind. What reading and writing allocate is swept with the
   functions that do it, in sweep_snapshot_io.c. */
#include "sweep.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* ---- sources ---------------------------------------------------------------------------------------------------- */

static int freed; /* calls of count_free */

static void count_free(void *self)
{
    (void)self;
    freed++;
}

static agentchat_status end_of_source(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    (void)self;
    (void)buffer;
    (void)cap;
    (void)err;
    *out_len = 0;
    return AGENTCHAT_DONE;
}

static agentchat_status source_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_source_ops ops = {sizeof ops, end_of_source, count_free};
    agentchat_source *source = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    freed = 0;
    sweep_begin();
    status = agentchat_source_new(env, &ops, NULL, &source, err);
    sweep_end();
    if (status < 0) {
        assert_null(source);
        assert_int_equal(freed, 1); /* ownership passes, on failure too */
        freed = 0;
        test_ok(agentchat_source_new(env, &ops, NULL, &source, &again), &again);
    }
    agentchat_source_free(source);
    assert_int_equal(freed, 1);
    return status;
}

static agentchat_status source_memory(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source *source = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_source_memory(env, AGENTCHAT_STR("text"), &source, err);
    sweep_end();
    if (status < 0) {
        assert_null(source);
        test_ok(agentchat_source_memory(env, AGENTCHAT_STR("text"), &source, &again), &again);
    }
    agentchat_source_free(source);
    return status;
}

static agentchat_status source_fd(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source *source = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_source_fd(env, STDIN_FILENO, &source, err);
    sweep_end();
    if (status < 0) {
        assert_null(source);
        test_ok(agentchat_source_fd(env, STDIN_FILENO, &source, &again), &again);
    }
    agentchat_source_free(source);
    return status;
}

static agentchat_status source_file(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source *source = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_source_file(env, stdin, &source, err);
    sweep_end();
    if (status < 0) {
        assert_null(source);
        test_ok(agentchat_source_file(env, stdin, &source, &again), &again);
    }
    agentchat_source_free(source);
    return status;
}

/* The number of the descriptor that the next file would get: the same before and after when none is left open. */
static int next_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY);

    assert_true(fd >= 0);
    close(fd);
    return fd;
}

static agentchat_status source_path(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source *source = NULL;
    agentchat_error again;
    agentchat_status status;
    int descriptor = next_descriptor();

    (void)variant;
    sweep_begin();
    status = agentchat_source_path(env, "/dev/null", &source, err);
    sweep_end();
    if (status < 0) {
        assert_null(source);
        assert_int_equal(next_descriptor(), descriptor);
        assert_string_equal(err->source, "/dev/null");
        test_ok(agentchat_source_path(env, "/dev/null", &source, &again), &again);
    }
    agentchat_source_free(source);
    assert_int_equal(next_descriptor(), descriptor);
    return status;
}

static agentchat_status source_free(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source *source = NULL;

    (void)variant;
    test_ok(agentchat_source_path(env, "/dev/null", &source, err), err);
    sweep_begin();
    agentchat_source_free(NULL);
    agentchat_source_free(source);
    sweep_end();
    return AGENTCHAT_OK;
}

/* ---- sinks ------------------------------------------------------------------------------------------------------ */

static agentchat_status take(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    (void)self;
    (void)bytes;
    (void)len;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status sink_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof ops, take, NULL, count_free};
    agentchat_sink *sink = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    freed = 0;
    sweep_begin();
    status = agentchat_sink_new(env, &ops, NULL, &sink, err);
    sweep_end();
    if (status < 0) {
        assert_null(sink);
        assert_int_equal(freed, 1);
        freed = 0;
        test_ok(agentchat_sink_new(env, &ops, NULL, &sink, &again), &again);
    }
    agentchat_sink_free(sink);
    assert_int_equal(freed, 1);
    return status;
}

/* 0: over nothing; 1: over bytes that are there and stay. */
static agentchat_status sink_memory(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_error again;
    agentchat_status status;

    if (variant == 1) {
        bytes.env = env;
        test_ok(agentchat_bytes_append(&bytes, AGENTCHAT_STR("start"), &again), &again);
    }
    sweep_begin();
    status = agentchat_sink_memory(env, &bytes, &sink, err);
    sweep_end();
    if (status < 0) {
        assert_null(sink);
        test_ok(agentchat_sink_memory(env, &bytes, &sink, &again), &again);
    }
    agentchat_sink_free(sink);
    if (variant == 1)
        assert_string_equal(bytes.ptr, "start");
    agentchat_bytes_clear(&bytes);
    return status;
}

static agentchat_status sink_fd(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_sink *sink = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_sink_fd(env, STDOUT_FILENO, &sink, err);
    sweep_end();
    if (status < 0) {
        assert_null(sink);
        test_ok(agentchat_sink_fd(env, STDOUT_FILENO, &sink, &again), &again);
    }
    agentchat_sink_free(sink);
    return status;
}

static agentchat_status sink_file(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_sink *sink = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_sink_file(env, stdout, &sink, err);
    sweep_end();
    if (status < 0) {
        assert_null(sink);
        test_ok(agentchat_sink_file(env, stdout, &sink, &again), &again);
    }
    agentchat_sink_free(sink);
    return status;
}

static void count_one(const char *path, void *user)
{
    (void)path;
    (void)user;
}

/* 0: a new file; 1: one that is there; 2: through a symbolic link. No temporary file stays, and the old one does. */
static agentchat_status sink_path(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_sink_path_options options = AGENTCHAT_SINK_PATH_OPTIONS_INIT;
    char *dir = test_dir_make(), *path = test_path(dir, "file"), *link = test_path(dir, "link");
    const char *given = variant == 2 ? link : path;
    agentchat_sink *sink = NULL;
    agentchat_error again;
    agentchat_status status;
    int descriptor = next_descriptor();

    if (variant != 0)
        test_file_write(path, "old", 3);
    if (variant == 2)
        assert_int_equal(symlink("file", link), 0);
    options.free_user = count_free;
    freed = 0;
    sweep_begin();
    status = agentchat_sink_path(env, given, &options, &sink, err);
    sweep_end();
    assert_int_equal(freed, status < 0);
    if (status < 0) {
        assert_null(sink);
        freed = 0;
        assert_int_equal(next_descriptor(), descriptor);
        assert_int_equal(test_each_file(dir, "", count_one, NULL), variant);
        test_ok(agentchat_sink_path(env, given, &options, &sink, &again), &again);
    }
    agentchat_sink_free(sink);
    assert_int_equal(freed, 1);
    assert_int_equal(next_descriptor(), descriptor);
    assert_int_equal(test_each_file(dir, "", count_one, NULL), variant); /* the link counts as a file */
    test_dir_remove(dir);
    free(path);
    free(link);
    return status;
}

static agentchat_status sink_free(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    char *dir = test_dir_make(), *path = test_path(dir, "file");
    agentchat_sink *sink = NULL;

    (void)variant;
    test_ok(agentchat_sink_path(env, path, NULL, &sink, err), err);
    sweep_begin();
    agentchat_sink_free(NULL);
    agentchat_sink_free(sink);
    sweep_end();
    test_dir_remove(dir);
    free(path);
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source_ops source;
    agentchat_sink_ops sink;
    agentchat_sink_path_options options;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_source_ops_init(&source, sizeof source);
    agentchat_sink_ops_init(&sink, sizeof sink);
    agentchat_sink_path_options_init(&options, sizeof options);
    sweep_end();
    assert_true(source.struct_size == sizeof source && source.read == NULL && source.free == NULL);
    assert_true(sink.struct_size == sizeof sink && sink.write == NULL && sink.free == NULL);
    assert_true(options.struct_size == sizeof options && options.go_on == NULL && options.free_user == NULL);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_source_new", source_new, SWEEP_ALLOCATES, 0},
    {"agentchat_source_memory", source_memory, SWEEP_ALLOCATES, 0},
    {"agentchat_source_fd", source_fd, SWEEP_ALLOCATES, 0},
    {"agentchat_source_file", source_file, SWEEP_ALLOCATES, 0},
    {"agentchat_source_path", source_path, SWEEP_ALLOCATES, 0},
    {"agentchat_source_free", source_free, SWEEP_NEVER, 0},
    {"agentchat_sink_new", sink_new, SWEEP_ALLOCATES, 0},
    {"agentchat_sink_memory", sink_memory, SWEEP_ALLOCATES, 2},
    {"agentchat_sink_fd", sink_fd, SWEEP_ALLOCATES, 0},
    {"agentchat_sink_file", sink_file, SWEEP_ALLOCATES, 0},
    {"agentchat_sink_path", sink_path, SWEEP_ALLOCATES, 3},
    {"agentchat_source_ops_init", inits, SWEEP_NEVER, 0},
    {"agentchat_sink_ops_init", inits, SWEEP_NEVER, 0},
    {"agentchat_sink_path_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_sink_free", sink_free, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.stream", rows, sizeof rows / sizeof *rows);
}
