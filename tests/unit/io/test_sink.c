/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/io/sink.c. */
#include "io_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static agentchat_status put(agentchat_sink *sink, const char *text, agentchat_error *err)
{
    agentchat_error_clear(err);
    return aci_sink_write(sink, text, strlen(text), err);
}

static agentchat_status commit(agentchat_sink *sink, agentchat_error *err)
{
    agentchat_error_clear(err);
    return aci_sink_commit(sink, err);
}

static void test_sink__memory_appends(void **state)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    (void)state;
    for (int round = 0; round < 2; round++) {
        test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
        test_ok(put(sink, "one ", &err), &err);
        test_ok(put(sink, "two ", &err), &err);
        test_ok(commit(sink, &err), &err);
        agentchat_sink_free(sink);
    }
    assert_string_equal(bytes.ptr, "one two one two ");
    assert_int_equal(bytes.len, 16);
    agentchat_bytes_clear(&bytes);
    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
    test_ok(commit(sink, &err), &err);
    agentchat_sink_free(sink);
    assert_string_equal(bytes.ptr, ""); /* printable although nothing was written */
    agentchat_bytes_clear(&bytes);
}

static void test_sink__memory_without_commit_takes_its_part_away(void **state)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
    test_ok(put(sink, "gone", &err), &err);
    agentchat_sink_free(sink);
    assert_null(bytes.ptr);
    assert_int_equal(bytes.len, 0);
    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
    test_ok(put(sink, "kept", &err), &err);
    test_ok(commit(sink, &err), &err);
    agentchat_sink_free(sink);
    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
    test_ok(put(sink, " gone", &err), &err);
    agentchat_sink_free(sink);
    assert_string_equal(bytes.ptr, "kept");
    assert_int_equal(bytes.len, 4);
    agentchat_bytes_clear(&bytes);
}

static void test_sink__memory_wants_one_environment(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_sink_memory(env, &bytes, &sink, &err), &err);
    test_ok(put(sink, "x", &err), &err);
    test_ok(commit(sink, &err), &err);
    agentchat_sink_free(sink);
    test_fails(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err, AGENTCHAT_E_INVALID, "", "another environment");
    assert_null(sink);
    test_fails(agentchat_sink_memory(NULL, NULL, &sink, &err), &err, AGENTCHAT_E_INVALID, "", "bytes must not be NULL");
    test_fails(agentchat_sink_memory(NULL, &bytes, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    agentchat_bytes_clear(&bytes);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
}

static void test_sink__descriptor_and_file_take_all_bytes(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "f"), *text;
    agentchat_sink *sink;
    agentchat_error err;
    FILE *file = fopen(path, "wb");

    (void)state;
    assert_non_null(file);
    test_ok(agentchat_sink_fd(NULL, fileno(file), &sink, &err), &err);
    assert_null(aci_sink_name(sink));
    test_ok(put(sink, "by descriptor, ", &err), &err);
    test_ok(put(sink, "", &err), &err);
    test_ok(commit(sink, &err), &err);
    agentchat_sink_free(sink);
    test_ok(agentchat_sink_file(NULL, file, &sink, &err), &err);
    test_ok(put(sink, "by FILE", &err), &err);
    test_ok(commit(sink, &err), &err);
    agentchat_sink_free(sink);
    text = test_file_read(path, NULL); /* flushed, and both still open */
    assert_string_equal(text, "by descriptor, by FILE");
    assert_int_equal(fclose(file), 0);
    free(text);
    free(path);
    test_dir_remove(dir);
}

static void test_sink__a_full_disk_is_an_error(void **state)
{
    int fd = open("/dev/full", O_WRONLY);
    char big[70000];
    agentchat_sink *sink;
    agentchat_error err;
    FILE *file;

    (void)state;
    if (fd < 0)
        skip();
    test_ok(agentchat_sink_fd(NULL, fd, &sink, &err), &err);
    test_fails(put(sink, "x", &err), &err, AGENTCHAT_E_IO, "", "cannot write: No space left on device");
    assert_int_equal(err.native, ENOSPC);
    test_fails(put(sink, "x", &err), &err, AGENTCHAT_E_INVALID, "", "has failed before");
    test_fails(commit(sink, &err), &err, AGENTCHAT_E_INVALID, "", "has failed before");
    agentchat_sink_free(sink);

    file = fdopen(fd, "wb");
    assert_non_null(file);
    test_ok(agentchat_sink_file(NULL, file, &sink, &err), &err);
    test_ok(put(sink, "x", &err), &err); /* still in the FILE's buffer */
    test_fails(commit(sink, &err), &err, AGENTCHAT_E_IO, "", "cannot write: No space left on device");
    assert_int_equal(err.native, ENOSPC);
    agentchat_sink_free(sink);
    memset(big, 'b', sizeof big);
    test_ok(agentchat_sink_file(NULL, file, &sink, &err), &err);
    test_fails(aci_sink_write(sink, big, sizeof big, &err), &err, AGENTCHAT_E_IO, "", "No space left on device");
    agentchat_sink_free(sink);
    fclose(file);
}

static void test_sink__bad_descriptors_are_refused(void **state)
{
    agentchat_sink *sink;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_sink_fd(NULL, -1, &sink, &err), &err, AGENTCHAT_E_INVALID, "", "negative");
    assert_null(sink);
    test_fails(agentchat_sink_file(NULL, NULL, &sink, &err), &err, AGENTCHAT_E_INVALID, "", "file must not be NULL");
    test_ok(agentchat_sink_fd(NULL, 987654, &sink, &err), &err);
    test_fails(put(sink, "x", &err), &err, AGENTCHAT_E_IO, "", "Bad file descriptor");
    agentchat_sink_free(sink);
    agentchat_sink_free(NULL);
}

/* A pipe whose reader is slow, so that writes are short, interrupted, or would block. */
static void test_sink__interruptions_and_short_writes_do_no_harm(void **state)
{
    struct sigaction action = {.sa_handler = ignore_signal}, old; /* without SA_RESTART */
    struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
    const size_t size = 1 << 20;
    char *bytes = malloc(size);

    (void)state;
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i % 251);
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
    for (int blocking = 0; blocking < 2; blocking++) {
        agentchat_sink *sink;
        agentchat_error err;
        int ends[2], result = -1;
        pid_t reader;

        assert_int_equal(pipe(ends), 0);
        if (!blocking)
            assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
        reader = fork();
        assert_true(reader >= 0);
        if (reader == 0) {
            size_t at = 0;

            close(ends[1]);
            for (;;) {
                struct timespec pause = {0, 300000};
                char piece[5000];
                ssize_t got = read(ends[0], piece, sizeof piece);

                if (got <= 0)
                    _exit(at == size ? 0 : 1);
                if (at + (size_t)got > size || memcmp(piece, bytes + at, (size_t)got) != 0)
                    _exit(2);
                at += (size_t)got;
                nanosleep(&pause, NULL);
            }
        }
        close(ends[0]);
        assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
        test_ok(agentchat_sink_fd(NULL, ends[1], &sink, &err), &err);
        test_ok(aci_sink_write(sink, bytes, size, &err), &err);
        test_ok(aci_sink_commit(sink, &err), &err);
        agentchat_sink_free(sink);
        assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
        close(ends[1]);
        while (waitpid(reader, &result, 0) < 0)
            assert_int_equal(errno, EINTR);
        assert_true(WIFEXITED(result));
        assert_int_equal(WEXITSTATUS(result), 0);
    }
    assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
    free(bytes);
}

typedef struct recorder {
    agentchat_status on_write, on_commit;
    bool says_why;
    int writes, commits, frees;
} recorder;

static agentchat_status recorder_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    recorder *r = self;

    (void)bytes;
    (void)len;
    r->writes++;
    if (r->says_why)
        agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the remote end is gone");
    return r->on_write;
}

static agentchat_status recorder_commit(void *self, agentchat_error *err)
{
    recorder *r = self;

    (void)err;
    r->commits++;
    return r->on_commit;
}

static void recorder_free(void *self)
{
    ((recorder *)self)->frees++;
}

static const agentchat_sink_ops recorder_ops = {sizeof recorder_ops, recorder_write, recorder_commit, recorder_free};

static void test_sink__calls_each_function_as_often_as_promised(void **state)
{
    recorder r = {0};
    agentchat_sink *sink;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_sink_new(NULL, &recorder_ops, &r, &sink, &err), &err);
    test_ok(put(sink, "", &err), &err);
    assert_int_equal(r.writes, 0);
    test_ok(put(sink, "a", &err), &err);
    test_ok(commit(sink, &err), &err);
    test_fails(commit(sink, &err), &err, AGENTCHAT_E_INVALID, "", "committed already");
    test_fails(put(sink, "b", &err), &err, AGENTCHAT_E_INVALID, "", "committed already");
    agentchat_sink_free(sink);
    assert_int_equal(r.writes, 1);
    assert_int_equal(r.commits, 1);
    assert_int_equal(r.frees, 1);
}

static void test_sink__answers_of_a_callers_functions_are_checked(void **state)
{
    static const struct {
        recorder given;
        bool at_commit;
        agentchat_status expected;
        const char *message;
    } cases[] = {
        {{.on_write = AGENTCHAT_DONE}, false, AGENTCHAT_E_CALLBACK, "write function broke its contract: it returned 1"},
        {{.on_write = AGENTCHAT_E_BUSY}, false, AGENTCHAT_E_BUSY, "failed to write: another operation is active"},
        {{.on_write = AGENTCHAT_E_IO, .says_why = true}, false, AGENTCHAT_E_IO, "the remote end is gone"},
        {{.on_commit = AGENTCHAT_DONE}, true, AGENTCHAT_E_CALLBACK, "commit function broke its contract"},
        {{.on_commit = AGENTCHAT_E_IO}, true, AGENTCHAT_E_IO, "the sink failed to commit: input or output failed"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        recorder r = cases[i].given;
        agentchat_sink *sink;
        agentchat_error err;

        test_ok(agentchat_sink_new(NULL, &recorder_ops, &r, &sink, &err), &err);
        if (cases[i].at_commit) {
            test_ok(put(sink, "a", &err), &err);
            test_fails(commit(sink, &err), &err, cases[i].expected, "", cases[i].message);
        } else {
            test_fails(put(sink, "a", &err), &err, cases[i].expected, "", cases[i].message);
        }
        test_fails(commit(sink, &err), &err, AGENTCHAT_E_INVALID, "", "has failed before");
        assert_int_equal(aci_sink_write(sink, "a", 1, NULL), AGENTCHAT_E_INVALID);
        assert_int_equal(r.writes, 1);
        assert_int_equal(r.commits, cases[i].at_commit ? 1 : 0);
        agentchat_sink_free(sink);
        assert_int_equal(r.frees, 1);
    }
}

static void test_sink__self_is_taken_over_on_failure_too(void **state)
{
    agentchat_sink_ops ops = recorder_ops;
    test_oom oom = {.fail_at = 0};
    agentchat_env *env = test_oom_env(&oom);
    recorder r = {0};
    agentchat_sink *sink;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_sink_new(env, &ops, &r, &sink, &err), &err, AGENTCHAT_E_NOMEM, "", "out of memory");
    assert_null(sink);
    assert_int_equal(r.frees, 1);
    ops.write = NULL;
    test_fails(agentchat_sink_new(NULL, &ops, &r, &sink, &err), &err, AGENTCHAT_E_INVALID, "", "write function");
    assert_int_equal(r.frees, 2);
    ops.struct_size = 1;
    test_fails(agentchat_sink_new(NULL, &ops, &r, &sink, &err), &err, AGENTCHAT_E_INVALID, "", "struct_size");
    assert_int_equal(r.frees, 3);
    test_fails(agentchat_sink_new(NULL, &ops, &r, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    assert_int_equal(r.frees, 4);
    test_fails(agentchat_sink_new(NULL, NULL, &r, &sink, &err), &err, AGENTCHAT_E_INVALID, "", "ops must not be NULL");
    agentchat_env_free(env);
}

static void test_sink__fails_at_a_chosen_write(void **state)
{
    agentchat_sink *sink = test_sink_failing(2, false);
    agentchat_error err;

    (void)state;
    test_ok(put(sink, "a", &err), &err);
    test_ok(put(sink, "b", &err), &err);
    test_fails(put(sink, "c", &err), &err, AGENTCHAT_E_IO, "", "refuses this write");
    agentchat_sink_free(sink);
    sink = test_sink_failing(1, true);
    test_ok(put(sink, "a", &err), &err);
    test_fails(commit(sink, &err), &err, AGENTCHAT_E_IO, "", "refuses to commit");
    agentchat_sink_free(sink);
}

static agentchat_status write_each_kind(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sinks[3] = {NULL, NULL, NULL};
    agentchat_status status = agentchat_sink_memory(env, &bytes, &sinks[0], err);

    if (status == AGENTCHAT_OK)
        status = agentchat_sink_fd(env, fileno(user), &sinks[1], err);
    if (status == AGENTCHAT_OK)
        status = agentchat_sink_file(env, user, &sinks[2], err);
    for (size_t i = 0; i < 3; i++) {
        for (int round = 0; status == AGENTCHAT_OK && round < 50; round++)
            status = aci_sink_write(sinks[i], "0123456789", 10, err);
        if (status == AGENTCHAT_OK)
            status = aci_sink_commit(sinks[i], err);
        agentchat_sink_free(sinks[i]);
    }
    if (status == AGENTCHAT_OK)
        assert_int_equal(bytes.len, 500);
    agentchat_bytes_clear(&bytes);
    return status;
}

static void test_sink__survives_every_failed_allocation(void **state)
{
    FILE *file = fopen("/dev/null", "wb");

    (void)state;
    assert_non_null(file);
    assert_int_equal(test_oom_sweep(write_each_kind, file), 9);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sink__memory_appends),
        cmocka_unit_test(test_sink__memory_without_commit_takes_its_part_away),
        cmocka_unit_test(test_sink__memory_wants_one_environment),
        cmocka_unit_test(test_sink__descriptor_and_file_take_all_bytes),
        cmocka_unit_test(test_sink__a_full_disk_is_an_error),
        cmocka_unit_test(test_sink__bad_descriptors_are_refused),
        cmocka_unit_test(test_sink__interruptions_and_short_writes_do_no_harm),
        cmocka_unit_test(test_sink__calls_each_function_as_often_as_promised),
        cmocka_unit_test(test_sink__answers_of_a_callers_functions_are_checked),
        cmocka_unit_test(test_sink__self_is_taken_over_on_failure_too),
        cmocka_unit_test(test_sink__fails_at_a_chosen_write),
        cmocka_unit_test(test_sink__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
