/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving to what the host has opened, or made, while it fails: descriptors, FILEs, memory, and sinks of the host's own.
 * Each failure is reported with its errno, what the host owns stays open, and a second try works.
 */
#include "fault_support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

typedef struct files {
    char *dir, *file;
    agentchat_chat *chat;
    agentchat_snapshot *snapshot;
    agentchat_bytes fresh[FORMATS]; /* what is saved */
} files;

static int set_up(void **state)
{
    files *p = calloc(1, sizeof *p);

    assert_non_null(p);
    p->dir = test_dir_make();
    p->file = test_path(p->dir, "chat.json");
    p->chat = chat_make(24, 3000, 1); /* several buffers full */
    p->snapshot = chat_snapshot(p->chat);
    for (size_t i = 0; i < FORMATS; i++)
        p->fresh[i] = chat_document(p->chat, formats[i]);
    *state = p;
    alarm(280); /* a retry that never ends is a failure, too */
    return 0;
}

static int tear_down(void **state)
{
    files *p = *state;

    alarm(0);
    for (size_t i = 0; i < FORMATS; i++)
        agentchat_bytes_clear(&p->fresh[i]);
    agentchat_snapshot_unref(p->snapshot);
    agentchat_chat_free(p->chat);
    test_dir_remove(p->dir);
    free(p->file);
    free(p);
    return 0;
}

/* What the fault was and whether it may be survived; the descriptor stays open and usable. */
static void test_io_sinks__descriptors_report_every_failure(void **state)
{
    const files *p = *state;

    for (size_t e = 0; e < ERRORS; e++)
        for (size_t format = 0; format < FORMATS; format++)
            for (unsigned long n = 0;; n++) {
                fault_plan plan = {.at = n, .error = errors[e]};
                io_watcher watcher = plan_watcher(&plan);
                agentchat_write_options options = write_options(formats[format]);
                int fd = open(p->file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
                agentchat_status status;
                agentchat_error err;
                agentchat_sink *sink;

                assert_true(fd >= 0);
                test_ok(agentchat_sink_fd(NULL, fd, &sink, &err), &err);
                io_watch(&watcher);
                status = agentchat_chat_save(p->chat, sink, &options, NULL, &err);
                agentchat_sink_free(sink);
                io_watch(NULL);
                if (plan.has_hit && plan.error != EINTR && plan.error != EAGAIN) {
                    test_fails(status, &err, AGENTCHAT_E_IO, "", "cannot write");
                    assert_int_equal(err.native, plan.error);
                    assert_int_equal(ftruncate(fd, 0), 0);
                    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
                    test_ok(agentchat_sink_fd(NULL, fd, &sink, &err), &err);
                    test_ok(agentchat_chat_save(p->chat, sink, &options, NULL, &err), &err);
                    agentchat_sink_free(sink);
                } else {
                    test_ok(status, &err);
                }
                assert_int_equal(close(fd), 0);
                assert_true(file_is(p->file, p->fresh[format].ptr, p->fresh[format].len));
                if (!plan.has_hit) {
                    assert_true(n >= 2);
                    break;
                }
            }
}

static void test_io_sinks__storms_of_interruptions_do_no_harm(void **state)
{
    const files *p = *state;

    for (unsigned seed = 0; seed < 30; seed++) {
        size_t format = seed % FORMATS;
        agentchat_write_options options = write_options(formats[format]);
        storm weather = {.random = seed};
        io_watcher watcher = storm_watcher(&weather);
        int fd = open(p->file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        agentchat_status status;
        agentchat_error err;
        agentchat_sink *sink;

        assert_true(fd >= 0);
        test_ok(agentchat_sink_fd(NULL, fd, &sink, &err), &err);
        io_watch(&watcher);
        status = agentchat_chat_save(p->chat, sink, &options, NULL, &err);
        agentchat_sink_free(sink);
        io_watch(NULL);
        test_ok(status, &err);
        assert_int_equal(close(fd), 0);
        assert_true(file_is(p->file, p->fresh[format].ptr, p->fresh[format].len));
        assert_true(weather.interruptions > 10 && weather.parts > 5);
    }
}

static io_answer shorten_writes(void *user, const io_call *call)
{
    unsigned long *at = user;
    io_answer answer = {0};

    if (call->name == IO_FWRITE && call->number == *at) {
        answer.limited = true;
        answer.most = call->len / 2;
    }
    return answer;
}

static agentchat_status save_to_stream(const files *p, size_t format, FILE *stream, const io_watcher *watcher,
                                       agentchat_error *err)
{
    agentchat_write_options options = write_options(formats[format]);
    agentchat_sink *sink;
    agentchat_status status;

    test_ok(agentchat_sink_file(NULL, stream, &sink, err), err);
    io_watch(watcher);
    status = agentchat_chat_save(p->chat, sink, &options, NULL, err);
    agentchat_sink_free(sink);
    io_watch(NULL);
    return status;
}

static void test_io_sinks__streams_report_every_failure(void **state)
{
    const files *p = *state;

    for (size_t e = 0; e < ERRORS; e++)
        for (size_t format = 0; format < FORMATS; format++)
            for (unsigned long n = 0;; n++) {
                fault_plan plan = {.at = n, .error = errors[e]};
                io_watcher watcher = plan_watcher(&plan), part = {shorten_writes, NULL, &n};
                FILE *stream = fopen(p->file, "wb");
                agentchat_status status;
                agentchat_error err;

                assert_non_null(stream);
                status = save_to_stream(p, format, stream, &watcher, &err);
                if (plan.has_hit) {
                    test_fails(status, &err, AGENTCHAT_E_IO, "", "cannot write");
                    assert_int_equal(err.native, plan.error);
                    if (plan.hit.name == IO_FWRITE) { /* half of it, then the end of the disk */
                        test_fails(save_to_stream(p, format, stream, &part, &err), &err, AGENTCHAT_E_IO, "",
                                   "No space");
                        assert_int_equal(err.native, ENOSPC);
                    }
                    assert_non_null(freopen(p->file, "wb", stream));
                    status = save_to_stream(p, format, stream, NULL, &err);
                }
                test_ok(status, &err);
                assert_true(file_is(p->file, p->fresh[format].ptr, p->fresh[format].len)); /* flushed */
                assert_int_equal(fclose(stream), 0);
                if (!plan.has_hit) {
                    assert_true(n >= 2);
                    break;
                }
            }
}

static void test_io_sinks__memory_needs_no_calls(void **state)
{
    const files *p = *state;

    for (size_t format = 0; format < FORMATS; format++) {
        fault_plan plan = {.at = 0, .error = EIO, .all_after = true};
        io_watcher watcher = plan_watcher(&plan);
        agentchat_write_options options = write_options(formats[format]);
        agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
        agentchat_status status;
        agentchat_error err;

        io_watch(&watcher);
        status = agentchat_snapshot_write_memory(p->snapshot, &options, &bytes, NULL, &err);
        io_watch(NULL);
        test_ok(status, &err);
        assert_int_equal(plan.calls, 0);
        assert_int_equal(bytes.len, p->fresh[format].len);
        agentchat_bytes_clear(&bytes);
    }
}

/* A sink of the host's that fails at its write n, or at its commit, in every format. */
static void test_io_sinks__a_hosts_own_sink_may_fail_anywhere(void **state)
{
    const files *p = *state;

    for (size_t format = 0; format < FORMATS; format++) {
        agentchat_write_options options = write_options(formats[format]);

        for (uint64_t n = 0;; n++) {
            agentchat_sink *sink = test_sink_failing(n, true);
            agentchat_status status;
            agentchat_error err;

            status = agentchat_chat_save(p->chat, sink, &options, NULL, &err);
            agentchat_sink_free(sink);
            test_fails(status, &err, AGENTCHAT_E_IO, "", "the test's sink refuses");
            if (strstr(err.message, "commit") != NULL) {
                assert_true(n >= 2);
                break;
            }
        }
    }
}

#define test_with_files(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_files(test_io_sinks__descriptors_report_every_failure),
        test_with_files(test_io_sinks__storms_of_interruptions_do_no_harm),
        test_with_files(test_io_sinks__streams_report_every_failure),
        test_with_files(test_io_sinks__memory_needs_no_calls),
        test_with_files(test_io_sinks__a_hosts_own_sink_may_fail_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
