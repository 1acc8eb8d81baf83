/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving while input and output fail: each call of the library, one after the other, with each of many errnos, alone
 * and with all later calls. After each failure the status is right, the old file is there byte for byte (or, once it
 * has been replaced, the new one is), no file is left over, and a second try works.
 */
#include "fault_support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum way { WAY_SNAPSHOT_FILE, WAY_CHAT_FILE, WAY_CHAT_SINK, WAYS } way;

/* Where it goes: to a file or through a symbolic link, which exists or not. */
typedef struct shape {
    const char *name;
    bool through_link, exists;
} shape;

static const shape shapes[] = {
    {"a new file", false, false},
    {"an old file", false, true},
    {"a new file through a link", true, false},
    {"an old file through a link", true, true},
};

#define SHAPES (sizeof shapes / sizeof *shapes)
#define KEPT_MODE 0640u

typedef struct files {
    char *dir, *sub, *file, *link;
    agentchat_chat *chat;
    agentchat_snapshot *snapshot;
    agentchat_bytes fresh[FORMATS]; /* what is saved */
    agentchat_bytes old;            /* what is there before */
    unsigned long formats_each;     /* how many formats each error is tried with; AGENTCHAT_TEST_FORMATS_EACH */
} files;

static int set_up(void **state)
{
    files *p = calloc(1, sizeof *p);
    agentchat_chat *before = chat_make(3, 50, 7);

    assert_non_null(p);
    p->dir = test_dir_make();
    p->sub = test_path(p->dir, "sub");
    p->file = test_path(p->sub, "real.json");
    p->link = test_path(p->dir, "link.json");
    assert_int_equal(mkdir(p->sub, 0700), 0);
    assert_int_equal(symlink("sub/real.json", p->link), 0);
    p->formats_each = number_from_env("AGENTCHAT_TEST_FORMATS_EACH", 1);
    p->chat = chat_make(24, 3000, 1); /* several buffers full */
    p->snapshot = chat_snapshot(p->chat);
    for (size_t i = 0; i < FORMATS; i++)
        p->fresh[i] = chat_document(p->chat, formats[i]);
    p->old = chat_document(before, "agentchat");
    agentchat_chat_free(before);
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
    agentchat_bytes_clear(&p->old);
    agentchat_snapshot_unref(p->snapshot);
    agentchat_chat_free(p->chat);
    test_dir_remove(p->dir);
    free(p->sub);
    free(p->file);
    free(p->link);
    free(p);
    return 0;
}

static agentchat_status save(const files *p, way how, const char *format, const char *path, agentchat_error *err)
{
    agentchat_write_options options = write_options(format);
    agentchat_sink *sink = NULL;
    agentchat_status status = AGENTCHAT_OK;

    switch (how) {
    case WAY_SNAPSHOT_FILE:
        return agentchat_snapshot_write_file(p->snapshot, path, &options, NULL, err);
    case WAY_CHAT_FILE:
        return agentchat_chat_save_file(p->chat, path, &options, NULL, err);
    case WAY_CHAT_SINK:
        status = agentchat_sink_path(NULL, path, NULL, &sink, err);
        if (status >= 0)
            status = agentchat_chat_save(p->chat, sink, &options, NULL, err);
        agentchat_sink_free(sink);
        return status;
    case WAYS:
        break;
    }
    fail_msg("no such way");
    return AGENTCHAT_E_INTERNAL;
}

/* ---- the rules --------------------------------------------------------------------------------------------------- */

/* A look at what an earlier saver may have left, or at whether a link is the system's own: nothing depends on it. */
static bool is_precaution(const io_call *call)
{
    if (call->name == IO_STAT)
        return strcmp(call->path, "/proc") == 0 || strcmp(call->path, "/") == 0;
    return call->name == IO_FSTATAT;
}

/* Whether a save through a path gets over the failure: it tries again, or the call does not matter. */
static bool is_survived(const fault_plan *plan)
{
    const io_call *call = &plan->hit;
    int error = plan->error;

    switch (call->name) {
    case IO_OPENAT: /* a directory that may be written but not read is used by its name */
        return error == EINTR || (call->directory && error == EACCES);
    case IO_WRITE:
        return error == EINTR || error == EAGAIN;
    case IO_FSYNC: /* what cannot be flushed at all; EROFS is none of these: that is how a broken file system answers */
        return error == EINTR || error == EINVAL || error == ENOTSUP;
    case IO_CLOSE: /* of what nothing was written to; after EINTR the descriptor is closed */
        return call->fd != plan->written || error == EINTR;
    case IO_FGETXATTR: /* a file system without access control lists */
        return error == ENOTSUP;
    case IO_FREMOVEXATTR: /* the list that is still there gets no rights */
    case IO_FLOCK:        /* there are no locks, so the file gets another name */
        return true;
    case IO_FSTAT: /* whether the file that was just made is still there */
        return plan->written == 0;
    case IO_FSTATAT:
    case IO_STAT:
        return is_precaution(call);
    case IO_FACCESSAT:
    case IO_FCHMOD:
    case IO_FCHOWN:
    case IO_FCNTL:
    case IO_FFLUSH:
    case IO_FILENO:
    case IO_FREAD:
    case IO_FSETXATTR:
    case IO_FTELLO:
    case IO_FWRITE:
    case IO_LSEEK:
    case IO_OPEN:
    case IO_POLL:
    case IO_READ:
    case IO_READLINK:
    case IO_RENAMEAT:
    case IO_UNLINKAT:
    case IO_NAMES:
        break;
    }
    return false;
}

/* Answers that are facts and no failures: the file is not there, this is no link, somebody removes that as a leftover,
   the old file cannot be looked into. */
static bool is_fact(const io_call *call, int error)
{
    if (call->name == IO_OPENAT && !call->directory && (call->flags & O_CREAT) == 0)
        return error == ENOENT || error == ELOOP || error == EACCES || error == EAGAIN;
    return (call->name == IO_STAT && error == ENOENT) || (call->name == IO_FLOCK && error == EAGAIN) ||
           (call->name == IO_READLINK && (error == EINVAL || error == ENOENT));
}

static bool names_the_file(const char *source, const char *path)
{
    size_t source_len = strlen(source), path_len = strlen(path);
    const char *cut = strstr(source, "\xE2\x80\xA6"); /* the tail of a long name */

    if (cut == source) {
        source += 3;
        source_len -= 3;
        return source_len > 0 && source_len <= path_len && strcmp(path + path_len - source_len, source) == 0;
    }
    return strcmp(source, path) == 0;
}

static void prepare(const files *p, const shape *s)
{
    temporaries_in(p->sub, "real.json", true);
    unlink(p->link); /* a call that lied about it may have made a file of it */
    assert_int_equal(symlink("sub/real.json", p->link), 0);
    if (s->exists) {
        test_file_write(p->file, p->old.ptr, p->old.len);
        assert_int_equal(chmod(p->file, KEPT_MODE), 0);
    } else if (access(p->file, F_OK) == 0) {
        assert_int_equal(unlink(p->file), 0);
    }
}

static void assert_new(const files *p, const shape *s, size_t format, bool for_owner_only)
{
    assert_true(file_is(p->file, p->fresh[format].ptr, p->fresh[format].len));
    assert_int_equal(mode_of_file(p->file), s->exists && !for_owner_only ? KEPT_MODE : 0600u);
    assert_int_equal(mode_of_file(p->link), 0777); /* still a link */
}

static void assert_old(const files *p, const shape *s)
{
    if (s->exists) {
        assert_true(file_is(p->file, p->old.ptr, p->old.len));
        assert_int_equal(mode_of_file(p->file), KEPT_MODE);
    } else {
        assert_int_equal(access(p->file, F_OK), -1);
    }
    assert_int_equal(mode_of_file(p->link), 0777);
}

static void check_outcome(const files *p, const shape *s, size_t format, const char *path, const fault_plan *plan,
                          agentchat_status status, const agentchat_error *err)
{
    /* When everything fails from there on, it is only after the rename that nothing depends on it. */
    bool is_good = !plan->has_hit || (is_survived(plan) && (!plan->all_after || plan->has_renamed));
    /* What has not been taken from the new file must have no effect. */
    bool for_owner_only = plan->has_hit && plan->hit.name == IO_FREMOVEXATTR && plan->error != ENOTSUP;

    if (is_good != (status >= 0))
        print_error("%s, %s: call %lu (%s) with \"%s\"%s\n", s->name, formats[format], plan->at,
                    plan->has_hit ? io_name_text(plan->hit.name) : "none", strerror(plan->error),
                    plan->all_after ? " and all later ones" : "");
    if (is_good) {
        test_ok(status, err);
        assert_new(p, s, format, for_owner_only);
        return;
    }
    test_fails(status, err, AGENTCHAT_E_IO, "", NULL);
    assert_int_equal(err->native, plan->error);
    assert_true(names_the_file(err->source, path));
    assert_non_null(strstr(err->message, strerror(plan->error)));
    if (plan->has_renamed) {
        assert_new(p, s, format, false);
        assert_non_null(strstr(err->message, "the file is in place"));
    } else {
        assert_old(p, s);
        assert_null(strstr(err->message, "the file is in place"));
    }
}

/* One failure, and then a second try. False when the call to fail was never made. */
static bool try_one(const files *p, way how, const shape *s, size_t format, fault_plan *plan)
{
    const char *path = s->through_link ? p->link : p->file;
    io_watcher watcher = plan_watcher(plan);
    fault_plan nothing = {.at = ULONG_MAX};
    size_t descriptors;
    agentchat_status status;
    agentchat_error err;

    prepare(p, s);
    descriptors = open_descriptors();
    io_watch(&watcher);
    status = save(p, how, formats[format], path, &err);
    io_watch(NULL);
    assert_int_equal(open_descriptors(), descriptors);
    if (plan->has_hit && is_fact(&plan->hit, plan->error))
        return true;
    check_outcome(p, s, format, path, plan, status, &err);
    assert_int_equal(temporaries_in(p->sub, "real.json", false), plan->has_kept_temporary ? 1 : 0);
    watcher = plan_watcher(&nothing);
    io_watch(&watcher);
    status = save(p, how, formats[format], path, &err);
    io_watch(NULL);
    test_ok(status, &err);
    assert_true(file_is(p->file, p->fresh[format].ptr, p->fresh[format].len));
    return plan->has_hit;
}

static unsigned long sweep(const files *p, way how, const shape *s, size_t format, int error, bool all_after)
{
    unsigned long n = 0;

    for (;; n++) {
        fault_plan plan = {.at = n, .error = error, .all_after = all_after};

        if (!try_one(p, how, s, format, &plan))
            return n;
    }
}

static void test_io_save__every_call_fails_once(void **state)
{
    const files *p = *state;
    unsigned long points = 0;

    for (size_t s = 0; s < SHAPES; s++)
        for (size_t e = 0; e < ERRORS; e++)
            for (size_t turn = 0; turn < p->formats_each; turn++) {
                /* The ways differ in what is above the sink, so they take turns. */
                unsigned long here =
                    sweep(p, (way)((s + e + turn) % WAYS), &shapes[s], (e + turn) % FORMATS, errors[e], false);

                assert_true(here >= 12); /* stat, readlink, open, writes, … */
                points += here;
            }
    print_message("%lu calls made to fail\n", points);
}

static void test_io_save__every_call_and_all_later_ones_fail(void **state)
{
    static const int lasting[] = {EIO, ENOSPC, EDQUOT, EROFS, ESTALE};
    const files *p = *state;

    for (size_t s = 0; s < SHAPES; s++)
        for (size_t e = 0; e < sizeof lasting / sizeof *lasting; e++)
            for (size_t turn = 0; turn < p->formats_each; turn++)
                sweep(p, (way)((s + e + turn) % WAYS), &shapes[s], (e + turn) % FORMATS, lasting[e], true);
}

/* ---- less than asked for ----------------------------------------------------------------------------------------- */

static void test_io_save__storms_of_interruptions_do_no_harm(void **state)
{
    const files *p = *state;
    unsigned long seen = 0, parts = 0;

    for (unsigned seed = 0; seed < 60; seed++) {
        const shape *s = &shapes[seed % SHAPES];
        size_t format = seed % FORMATS;
        storm weather = {.random = seed};
        io_watcher watcher = storm_watcher(&weather);
        agentchat_status status;
        agentchat_error err;

        prepare(p, s);
        io_watch(&watcher);
        status = save(p, (way)(seed % WAYS), formats[format], s->through_link ? p->link : p->file, &err);
        io_watch(NULL);
        test_ok(status, &err);
        assert_new(p, s, format, false);
        assert_int_equal(temporaries_in(p->sub, "real.json", false), 0);
        seen += weather.interruptions;
        parts += weather.parts;
    }
    assert_true(seen > 1000 && parts > 1000);
}

typedef struct stuck {
    unsigned long writes;
} stuck;

static io_answer take_nothing(void *user, const io_call *call)
{
    stuck *s = user;

    if (call->name != IO_WRITE)
        return (io_answer){0};
    if (++s->writes > 1000)
        fail_msg("a write that takes nothing is tried for ever");
    return (io_answer){.limited = true, .most = 0};
}

static void test_io_save__a_write_that_takes_nothing_is_a_full_disk(void **state)
{
    const files *p = *state;
    stuck s = {0};
    io_watcher watcher = {take_nothing, NULL, &s};
    agentchat_status status;
    agentchat_error err;

    prepare(p, &shapes[1]);
    io_watch(&watcher);
    status = save(p, WAY_CHAT_FILE, formats[0], p->file, &err);
    io_watch(NULL);
    test_fails(status, &err, AGENTCHAT_E_IO, "", "cannot write the file");
    assert_int_equal(err.native, ENOSPC);
    assert_old(p, &shapes[1]);
    assert_int_equal(temporaries_in(p->sub, "real.json", false), 0);
}

/* ---- what is no file --------------------------------------------------------------------------------------------- */

static void drain(int reader)
{
    char bytes[4096];

    while (read(reader, bytes, sizeof bytes) > 0) {
    }
}

/* A pipe has no old state to keep, but its failures are reported. */
static void test_io_save__what_is_written_directly_reports_every_failure(void **state)
{
    files *p = *state;
    agentchat_snapshot *full = p->snapshot;
    agentchat_chat *small = chat_make(2, 50, 11); /* it goes into the pipe at once */

    p->snapshot = chat_snapshot(small);
    for (size_t e = 0; e < ERRORS; e++)
        for (unsigned long n = 0;; n++) {
            fault_plan plan = {.at = n, .error = errors[e]};
            io_watcher watcher = plan_watcher(&plan);
            agentchat_status status;
            agentchat_error err;
            size_t descriptors;
            int reader;

            unlink(p->file); /* a call that lied about it may have made a file of it */
            assert_int_equal(mkfifo(p->file, 0600), 0);
            reader = open(p->file, O_RDONLY | O_NONBLOCK);
            assert_true(reader >= 0);
            descriptors = open_descriptors();
            io_watch(&watcher);
            status = save(p, WAY_SNAPSHOT_FILE, formats[n % FORMATS], p->file, &err);
            io_watch(NULL);
            assert_int_equal(open_descriptors(), descriptors);
            drain(reader);
            close(reader);
            if (!plan.has_hit) {
                test_ok(status, &err);
                assert_true(n >= 4);
                break;
            }
            if (is_fact(&plan.hit, plan.error))
                continue;
            assert_int_equal(temporaries_in(p->sub, "real.json", false), 0);
            if (is_survived(&plan)) {
                test_ok(status, &err);
            } else {
                test_fails(status, &err, AGENTCHAT_E_IO, "", NULL);
                assert_int_equal(err.native, plan.error);
                assert_true(names_the_file(err.source, p->file));
            }
        }
    agentchat_snapshot_unref(p->snapshot);
    agentchat_chat_free(small);
    p->snapshot = full;
}

#define test_with_files(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_files(test_io_save__every_call_fails_once),
        test_with_files(test_io_save__every_call_and_all_later_ones_fail),
        test_with_files(test_io_save__storms_of_interruptions_do_no_harm),
        test_with_files(test_io_save__a_write_that_takes_nothing_is_a_full_disk),
        test_with_files(test_io_save__what_is_written_directly_reports_every_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
