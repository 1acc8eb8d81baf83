/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading while input fails: each call of the library with each of many errnos, in every format, through every kind of
 * source; sources that fail in the middle; and what that does to a chat that was to be restored: nothing.
 */
#include "fault_support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

typedef enum kind { KIND_PATH, KIND_DESCRIPTOR, KIND_FILE, KINDS } kind;

typedef struct files {
    char *dir, *path[FORMATS];
    agentchat_chat *chat;
    agentchat_bytes document[FORMATS];
    char digest[FORMATS][AGENTCHAT_DIGEST_LEN + 1]; /* of what a successful reading gives */
} files;

static void digest_of(const agentchat_snapshot *snapshot, char out[AGENTCHAT_DIGEST_LEN + 1])
{
    agentchat_error err;

    test_ok(agentchat_snapshot_digest(snapshot, true, out, &err), &err);
}

static int set_up(void **state)
{
    files *p = calloc(1, sizeof *p);

    assert_non_null(p);
    p->dir = test_dir_make();
    p->chat = chat_make(12, 7000, 3); /* more than one read of a source that does not know its size */
    for (size_t i = 0; i < FORMATS; i++) {
        agentchat_snapshot *snapshot;
        agentchat_error err;
        char name[16];

        snprintf(name, sizeof name, "%zu.json", i);
        p->path[i] = test_path(p->dir, name);
        p->document[i] = chat_document(p->chat, formats[i]);
        test_file_write(p->path[i], p->document[i].ptr, p->document[i].len);
        test_ok(agentchat_snapshot_read_file(NULL, p->path[i], NULL, &snapshot, NULL, &err), &err);
        digest_of(snapshot, p->digest[i]);
        agentchat_snapshot_unref(snapshot);
    }
    *state = p;
    alarm(280); /* a retry that never ends is a failure, too */
    return 0;
}

static int tear_down(void **state)
{
    files *p = *state;

    alarm(0);
    for (size_t i = 0; i < FORMATS; i++) {
        agentchat_bytes_clear(&p->document[i]);
        free(p->path[i]);
    }
    agentchat_chat_free(p->chat);
    test_dir_remove(p->dir);
    free(p);
    return 0;
}

static agentchat_status read_source(agentchat_status made, agentchat_source *source, agentchat_snapshot **out,
                                    agentchat_error *err)
{
    *out = NULL;
    if (made >= 0)
        made = agentchat_snapshot_read(NULL, source, NULL, out, NULL, err);
    agentchat_source_free(source);
    return made;
}

/* Reads through a source of a kind, watched; what the test itself opens is not. */
static agentchat_status read_as(kind how, const char *path, const io_watcher *watcher, agentchat_snapshot **out,
                                agentchat_error *err)
{
    agentchat_source *source = NULL;
    agentchat_status status = AGENTCHAT_OK;
    int fd = how == KIND_DESCRIPTOR ? open(path, O_RDONLY) : -1;
    FILE *file = how == KIND_FILE ? fopen(path, "rb") : NULL;

    io_watch(watcher);
    switch (how) {
    case KIND_PATH:
        status = agentchat_snapshot_read_file(NULL, path, NULL, out, NULL, err);
        break;
    case KIND_DESCRIPTOR:
        status = agentchat_source_fd(NULL, fd, &source, err);
        status = read_source(status, source, out, err);
        break;
    case KIND_FILE:
        status = agentchat_source_file(NULL, file, &source, err);
        status = read_source(status, source, out, err);
        break;
    case KINDS:
        fail_msg("no such kind");
    }
    io_watch(NULL);
    if (fd >= 0)
        assert_int_equal(close(fd), 0); /* the library has left it open */
    if (file != NULL)
        assert_int_equal(fclose(file), 0);
    return status;
}

/* ---- each call --------------------------------------------------------------------------------------------------- */

/* Whether a reading gets over the failure: it tries again, or it was only a hint on the size. */
static bool is_survived(const io_call *call, int error)
{
    switch (call->name) {
    case IO_OPEN:
        return error == EINTR;
    case IO_READ:
        return error == EINTR || error == EAGAIN;
    case IO_FSTAT:
    case IO_FSTATAT:
    case IO_LSEEK:
    case IO_FILENO:
    case IO_FTELLO:
    case IO_CLOSE: /* nothing was written */
        return true;
    case IO_FACCESSAT:
    case IO_FCHMOD:
    case IO_FCHOWN:
    case IO_FCNTL:
    case IO_FFLUSH:
    case IO_FGETXATTR:
    case IO_FLOCK:
    case IO_FREAD:
    case IO_FREMOVEXATTR:
    case IO_FSETXATTR:
    case IO_FSYNC:
    case IO_FWRITE:
    case IO_OPENAT:
    case IO_POLL:
    case IO_READLINK:
    case IO_RENAMEAT:
    case IO_STAT:
    case IO_UNLINKAT:
    case IO_WRITE:
    case IO_NAMES:
        break;
    }
    return false;
}

static void assert_success(const files *p, size_t format, agentchat_status status, agentchat_snapshot *snapshot,
                           const agentchat_error *err)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];

    test_ok(status, err);
    digest_of(snapshot, digest);
    assert_string_equal(digest, p->digest[format]);
    agentchat_snapshot_unref(snapshot);
}

/* One reading with a failure, and a second one without. False when the call to fail was never made. */
static bool try_one(const files *p, kind how, size_t format, fault_plan *plan)
{
    io_watcher watcher = plan_watcher(plan);
    size_t descriptors = open_descriptors();
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;
    agentchat_status status = read_as(how, p->path[format], &watcher, &snapshot, &err);
    bool is_good = !plan->has_hit || is_survived(&plan->hit, plan->error);

    if (is_good != (status >= 0))
        print_error("%s: call %lu (%s) with \"%s\"\n", formats[format], plan->at,
                    plan->has_hit ? io_name_text(plan->hit.name) : "none", strerror(plan->error));
    assert_int_equal(open_descriptors(), descriptors);
    if (is_good) {
        assert_success(p, format, status, snapshot, &err);
        return plan->has_hit;
    }
    assert_null(snapshot);
    test_fails(status, &err, plan->hit.name == IO_OPEN && plan->error == ENOENT ? AGENTCHAT_E_NOTFOUND : AGENTCHAT_E_IO,
               "", strerror(plan->error));
    assert_int_equal(err.native, plan->error);
    if (how == KIND_PATH)
        assert_non_null(strstr(p->path[format], err.source)); /* it is short enough to stand there in full */
    status = read_as(how, p->path[format], NULL, &snapshot, &err);
    assert_success(p, format, status, snapshot, &err);
    return true;
}

static void test_io_read__every_call_fails_once(void **state)
{
    const files *p = *state;
    unsigned long points = 0;

    for (size_t format = 0; format < FORMATS; format++)
        for (kind how = KIND_PATH; how < KINDS; how++)
            for (size_t e = 0; e < ERRORS; e++) {
                unsigned long n = 0;

                for (;; n++) {
                    fault_plan plan = {.at = n, .error = errors[e]};

                    if (!try_one(p, how, format, &plan))
                        break;
                }
                assert_true(n >= 4);
                points += n;
            }
    print_message("%lu calls made to fail\n", points);
}

static void test_io_read__storms_of_interruptions_do_no_harm(void **state)
{
    const files *p = *state;

    for (unsigned seed = 0; seed < 45; seed++) {
        storm weather = {.random = seed};
        io_watcher watcher = storm_watcher(&weather);
        agentchat_snapshot *snapshot;
        agentchat_error err;
        agentchat_status status =
            read_as((kind)(seed / FORMATS % KINDS), p->path[seed % FORMATS], &watcher, &snapshot, &err);

        assert_success(p, seed % FORMATS, status, snapshot, &err);
        assert_true(weather.parts > 5);
    }
}

/* ---- failing in the middle --------------------------------------------------------------------------------------- */

/* A FILE whose medium fails after some bytes: once, or for good. */
typedef struct medium {
    const char *bytes;
    size_t len, at, good;
    bool only_once, has_failed;
} medium;

static ssize_t medium_read(void *self, char *buffer, size_t cap)
{
    medium *m = self;
    size_t end = m->at < m->good ? m->good : m->len;
    size_t step = end - m->at < cap ? end - m->at : cap;

    if (m->at == m->good && !(m->only_once && m->has_failed)) {
        m->has_failed = true;
        errno = ETIMEDOUT;
        return -1;
    }
    memcpy(buffer, m->bytes + m->at, step);
    m->at += step;
    return (ssize_t)step;
}

static void test_io_read__a_stream_that_fails_in_the_middle_is_no_success(void **state)
{
    const files *p = *state;

    for (size_t format = 0; format < FORMATS; format++)
        for (size_t part = 0; part <= 16; part++)
            for (int only_once = 0; only_once < 2; only_once++) {
                medium m = {p->document[format].ptr,
                            p->document[format].len,
                            0,
                            p->document[format].len * part / 16,
                            only_once != 0,
                            false};
                FILE *file = fopencookie(&m, "rb", (cookie_io_functions_t){.read = medium_read});
                agentchat_snapshot *snapshot;
                agentchat_source *source;
                agentchat_status status;
                agentchat_error err;

                assert_non_null(file);
                test_ok(agentchat_source_file(NULL, file, &source, &err), &err);
                status = read_source(AGENTCHAT_OK, source, &snapshot, &err);
                fclose(file);
                assert_true(m.has_failed);
                test_fails(status, &err, AGENTCHAT_E_IO, "", "cannot read");
                assert_null(snapshot);
                assert_int_equal(err.native, ETIMEDOUT);
            }
}

/* What a program does with a checkpoint: read, and restore what was read. */
static agentchat_status load(agentchat_chat *chat, agentchat_source *source, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status = read_source(AGENTCHAT_OK, source, &snapshot, err);

    if (status >= 0)
        status = agentchat_chat_restore(chat, snapshot, NULL, NULL, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_io_read__a_source_that_fails_in_the_middle_leaves_the_chat(void **state)
{
    const files *p = *state;

    for (size_t format = 0; format < FORMATS; format++) {
        agentchat_bytes document = p->document[format];
        agentchat_chat *chat = chat_make_empty();
        agentchat_bytes before = chat_document(chat, "agentchat");
        agentchat_snapshot *restored;
        agentchat_error err;

        for (size_t good = 0; good < document.len; good += good < 100 ? 1 : document.len / 67) {
            agentchat_bytes after;

            test_fails(load(chat, test_source_failing(document.ptr, document.len, good), &err), &err, AGENTCHAT_E_IO,
                       "", "the test's source fails");
            after = chat_document(chat, "agentchat");
            assert_int_equal(after.len, before.len);
            assert_memory_equal(after.ptr, before.ptr, before.len);
            agentchat_bytes_clear(&after);
        }
        /* The second try works, in pieces of a few bytes. */
        test_ok(load(chat, test_source_chunked(document.ptr, document.len, 0), &err), &err);
        restored = chat_snapshot(chat);
        assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(restored)),
                         agentchat_chat_message_count(p->chat));
        agentchat_snapshot_unref(restored);
        agentchat_bytes_clear(&before);
        agentchat_chat_free(chat);
    }
}

static void test_io_read__memory_needs_no_calls(void **state)
{
    const files *p = *state;

    for (size_t format = 0; format < FORMATS; format++) {
        fault_plan plan = {.at = 0, .error = EIO, .all_after = true};
        io_watcher watcher = plan_watcher(&plan);
        agentchat_snapshot *snapshot;
        agentchat_status status;
        agentchat_error err;

        io_watch(&watcher);
        status = agentchat_snapshot_read_memory(NULL, (agentchat_str){p->document[format].ptr, p->document[format].len},
                                                NULL, &snapshot, NULL, &err);
        io_watch(NULL);
        assert_success(p, format, status, snapshot, &err);
        assert_int_equal(plan.calls, 0);
    }
}

#define test_with_files(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_files(test_io_read__every_call_fails_once),
        test_with_files(test_io_read__storms_of_interruptions_do_no_harm),
        test_with_files(test_io_read__a_stream_that_fails_in_the_middle_is_no_success),
        test_with_files(test_io_read__a_source_that_fails_in_the_middle_leaves_the_chat),
        test_with_files(test_io_read__memory_needs_no_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
