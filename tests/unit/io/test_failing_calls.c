/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of the system that a test cannot bring about otherwise: the calls are wrapped. Tests of src/io/posix.c,
   sink_path.c and source_system.c. tests/faults tries every call with every error. */
#include "support/test_support.h"

#include "io/posix.h"
#include "io/stream.h"
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t __real_write(int fd, const void *bytes, size_t len);
int __real_fsync(int fd);
int __real_stat(const char *path, struct stat *info);
ssize_t __real_readlink(const char *path, char *text, size_t cap);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);
int __wrap_fsync(int fd);
int __wrap_stat(const char *path, struct stat *info);
ssize_t __wrap_readlink(const char *path, char *text, size_t cap);

/* What each of them answers once; 0: the truth. */
static int fsync_error, stat_error, readlink_error;
static unsigned empty_writes, writes;

ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
    writes++;
    if (empty_writes > 0) {
        empty_writes--;
        return 0;
    }
    return __real_write(fd, bytes, len);
}

/* The error that a call is to have, which is taken back. 0: it is to happen. */
static int take(int *error)
{
    int taken = *error;

    *error = 0;
    errno = taken;
    return taken;
}

int __wrap_fsync(int fd)
{
    return take(&fsync_error) != 0 ? -1 : __real_fsync(fd);
}

int __wrap_stat(const char *path, struct stat *info)
{
    return take(&stat_error) != 0 ? -1 : __real_stat(path, info);
}

ssize_t __wrap_readlink(const char *path, char *text, size_t cap)
{
    return take(&readlink_error) != 0 ? -1 : __real_readlink(path, text, cap);
}

typedef struct fixture {
    char *dir, *path, *link;
} fixture;

static int set_up(void **state)
{
    fixture *p = malloc(sizeof *p);

    assert_non_null(p);
    p->dir = test_dir_make();
    p->path = test_path(p->dir, "chat.json");
    p->link = test_path(p->dir, "link");
    test_file_write(p->path, "old", 3);
    assert_int_equal(chmod(p->path, 0640), 0);
    assert_int_equal(symlink("chat.json", p->link), 0);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    fixture *p = *state;

    test_dir_remove(p->dir);
    free(p->path);
    free(p->link);
    free(p);
    return 0;
}

static agentchat_status save(const char *path, agentchat_error *err)
{
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_path(NULL, path, NULL, &sink, err);

    if (status == AGENTCHAT_OK)
        status = aci_sink_write(sink, "new", 3, err);
    if (status == AGENTCHAT_OK)
        status = aci_sink_commit(sink, err);
    agentchat_sink_free(sink);
    return status;
}

static void assert_untouched(const fixture *p)
{
    char *text = test_file_read(p->path, NULL);
    struct stat info;

    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(lstat(p->path, &info), 0);
    assert_int_equal(info.st_mode & 07777u, 0640);
    assert_int_equal(lstat(p->link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void test_failing_calls__a_write_that_takes_nothing_is_no_endless_loop(void **state)
{
    const fixture *p = *state;
    FILE *file = fopen(p->path, "r+b");

    assert_non_null(file);
    empty_writes = 100;
    writes = 0;
    assert_int_equal(aci_posix_write_all(fileno(file), "new", 3), -1);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(writes, 1);
    empty_writes = 0;
    fclose(file);
    assert_untouched(p);
}

static void test_failing_calls__only_what_cannot_be_flushed_counts_as_flushed(void **state)
{
    static const struct {
        int error, result;
    } cases[] = {{EINTR, 0}, {EINVAL, 0}, {ENOTSUP, 0}, {EROFS, -1}, {EIO, -1}, {ENOSPC, -1}, {EDQUOT, -1}};
    const fixture *p = *state;
    FILE *file = fopen(p->path, "r+b");

    assert_non_null(file);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fsync_error = cases[i].error;
        assert_int_equal(aci_posix_flush(fileno(file)), cases[i].result);
        if (cases[i].result != 0)
            assert_int_equal(errno, cases[i].error);
    }
    fclose(file);
}

static void test_failing_calls__a_file_system_that_gave_up_has_not_saved(void **state)
{
    const fixture *p = *state;
    agentchat_error err;

    fsync_error = EROFS;
    test_fails(save(p->path, &err), &err, AGENTCHAT_E_IO, "", "cannot write the file to the disk");
    assert_int_equal(err.native, EROFS);
    assert_untouched(p);
}

/* As if it were new, it would get another mode, and a protected one would be replaced. */
static void test_failing_calls__a_file_that_cannot_be_looked_at_is_not_replaced(void **state)
{
    static const int reasons[] = {EIO, EACCES, ENOMEM, EOVERFLOW, ESTALE};
    const fixture *p = *state;
    agentchat_error err;

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        stat_error = reasons[i];
        test_fails(save(p->path, &err), &err, AGENTCHAT_E_IO, "", "cannot determine what kind of file it is");
        assert_int_equal(err.native, reasons[i]);
        assert_string_equal(err.source, p->path);
        assert_untouched(p);
    }
}

static void test_failing_calls__a_link_that_cannot_be_read_is_not_replaced(void **state)
{
    static const int reasons[] = {EIO, EACCES, ENOMEM, ESTALE};
    const fixture *p = *state;
    agentchat_error err;

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        readlink_error = reasons[i];
        test_fails(save(p->link, &err), &err, AGENTCHAT_E_IO, "",
                   "cannot determine whether the file is a symbolic link");
        assert_int_equal(err.native, reasons[i]);
        assert_string_equal(err.source, p->link);
        assert_untouched(p);
    }
}

/* A FILE that gives some bytes, fails once, and would then go on. */
static ssize_t give_or_fail(void *self, char *buffer, size_t cap)
{
    unsigned *turn = self;

    assert_true(cap >= 5);
    if ((*turn)++ == 1) {
        errno = ETIMEDOUT;
        return -1;
    }
    memcpy(buffer, "bytes", 5);
    return *turn > 5 ? 0 : 5;
}

static void test_failing_calls__a_stream_is_not_read_past_a_failure(void **state)
{
    unsigned turn = 0;
    FILE *file = fopencookie(&turn, "rb", (cookie_io_functions_t){.read = give_or_fail});
    size_t len = 0, cap = 0;
    agentchat_source *source;
    agentchat_error err;
    char *data;

    (void)state;
    assert_non_null(file);
    test_ok(agentchat_source_file(NULL, file, &source, &err), &err);
    test_fails(aci_source_read_all(source, NULL, 1000, &data, &len, &cap, &err), &err, AGENTCHAT_E_IO, "",
               "cannot read");
    assert_int_equal(err.native, ETIMEDOUT);
    assert_null(data);
    assert_int_equal(turn, 2);
    agentchat_source_free(source);
    fclose(file);
}

#define test_with_dir(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_dir(test_failing_calls__a_write_that_takes_nothing_is_no_endless_loop),
        test_with_dir(test_failing_calls__only_what_cannot_be_flushed_counts_as_flushed),
        test_with_dir(test_failing_calls__a_file_system_that_gave_up_has_not_saved),
        test_with_dir(test_failing_calls__a_file_that_cannot_be_looked_at_is_not_replaced),
        test_with_dir(test_failing_calls__a_link_that_cannot_be_read_is_not_replaced),
        cmocka_unit_test(test_failing_calls__a_stream_is_not_read_past_a_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
