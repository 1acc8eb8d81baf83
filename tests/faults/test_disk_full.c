/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving onto a disk that becomes full: a limit of many values on the size of files, and a real file system of a
 * few pages, which also runs out of names. The old file stays, and a save works again once there is room.
 */
#include "fault_support.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT_MOUNT 77

typedef struct files {
    char *dir, *path;
    agentchat_chat *chat;
    agentchat_bytes fresh[FORMATS], old;
} files;

static int set_up(void **state)
{
    files *p = calloc(1, sizeof *p);
    agentchat_chat *before = chat_make(2, 30, 5);

    assert_non_null(p);
    p->dir = test_dir_make();
    p->path = test_path(p->dir, "chat.json");
    p->chat = chat_make(50, 2000, 4);
    for (size_t i = 0; i < FORMATS; i++)
        p->fresh[i] = chat_document(p->chat, formats[i]);
    p->old = chat_document(before, "agentchat");
    agentchat_chat_free(before);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    files *p = *state;

    for (size_t i = 0; i < FORMATS; i++)
        agentchat_bytes_clear(&p->fresh[i]);
    agentchat_bytes_clear(&p->old);
    agentchat_chat_free(p->chat);
    test_dir_remove(p->dir);
    free(p->path);
    free(p);
    return 0;
}

static agentchat_status save(const files *p, const char *path, size_t format, agentchat_error *err)
{
    agentchat_write_options options = write_options(formats[format]);

    return agentchat_chat_save_file(p->chat, path, &options, NULL, err);
}

/* The exit status of a child that does something, or minus the signal that ended it. */
typedef int (*child_work)(const files *p, size_t format, rlim_t limit);
static int in_child(const files *p, child_work work, size_t format, rlim_t limit)
{
    int result;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(work(p, format, limit));
    assert_int_equal(waitpid(child, &result, 0), child);
    return WIFSIGNALED(result) ? -WTERMSIG(result) : WEXITSTATUS(result);
}

/* ---- a limit on the size ----------------------------------------------------------------------------------------- */

static bool limit_files(rlim_t limit)
{
    struct rlimit both;

    return getrlimit(RLIMIT_FSIZE, &both) == 0 && (both.rlim_cur = limit, setrlimit(RLIMIT_FSIZE, &both) == 0);
}

static int save_under_limit(const files *p, size_t format, rlim_t limit)
{
    size_t descriptors = open_descriptors();
    agentchat_status status;
    agentchat_error err;
    bool fits = limit >= p->fresh[format].len;

    signal(SIGXFSZ, SIG_IGN);
    if (!limit_files(limit))
        return 1;
    status = save(p, p->path, format, &err);
    if (open_descriptors() != descriptors)
        return 2;
    if (fits)
        return status == AGENTCHAT_OK ? 0 : 3;
    if (status != AGENTCHAT_E_IO || err.native != EFBIG || strcmp(err.source, p->path) != 0)
        return 4;
    if (!file_is(p->path, p->old.ptr, p->old.len))
        return 5;
    if (!limit_files(RLIM_INFINITY)) /* room again */
        return 6;
    return save(p, p->path, format, &err) == AGENTCHAT_OK ? 0 : 7;
}

static void test_disk_full__a_limit_on_the_size_leaves_the_old_file(void **state)
{
    const files *p = *state;

    for (size_t format = 0; format < FORMATS; format++) {
        size_t len = p->fresh[format].len;
        const rlim_t limits[] = {0, 1, 4095, 4096, len / 3, len / 2, len - 4097, len - 1, len, len + 1};

        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            test_file_write(p->path, p->old.ptr, p->old.len);
            assert_int_equal(in_child(p, save_under_limit, format, limits[i]), 0);
            assert_true(file_is(p->path, p->fresh[format].ptr, len));
            assert_int_equal(temporaries_in(p->dir, "chat.json", false), 0);
        }
    }
}

static int save_and_die(const files *p, size_t format, rlim_t limit)
{
    agentchat_error err;
    struct rlimit none = {0, 0};

    signal(SIGXFSZ, SIG_DFL);
    if (setrlimit(RLIMIT_CORE, &none) != 0 || !limit_files(limit))
        return 1;
    return save(p, p->path, format, &err) < 0 ? 2 : 3;
}

/* A host that does not ignore the signal is ended by it, as by any other. */
static void test_disk_full__the_signal_of_the_limit_leaves_the_old_file(void **state)
{
    const files *p = *state;

    for (size_t format = 0; format < FORMATS; format++) {
        agentchat_error err;

        test_file_write(p->path, p->old.ptr, p->old.len);
        assert_int_equal(in_child(p, save_and_die, format, 5000), -SIGXFSZ);
        assert_true(file_is(p->path, p->old.ptr, p->old.len));
        assert_int_equal(temporaries_in(p->dir, "chat.json", true), 1);
        test_ok(save(p, p->path, format, &err), &err);
    }
}

/* ---- a small file system ----------------------------------------------------------------------------------------- */

static bool put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool good = file != NULL && fputs(text, file) >= 0;

    return file != NULL && fclose(file) == 0 && good;
}

/* Somebody who is not root is root in a name space of users, when the kernel lets him make one. */
static bool enter_name_spaces(void)
{
    char user[32], group[32];

    snprintf(user, sizeof user, "0 %u 1", (unsigned)geteuid());
    snprintf(group, sizeof group, "0 %u 1", (unsigned)getegid());
    if (unshare(CLONE_NEWNS) == 0)
        return true;
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && put("/proc/self/setgroups", "deny") &&
           put("/proc/self/uid_map", user) && put("/proc/self/gid_map", group);
}

/* A file system of its own in a name space of its own, which the kernel takes away with the child. */
static bool mount_small(const char *dir, const char *options)
{
    return enter_name_spaces() && mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("small", dir, "tmpfs", 0, options) == 0;
}

static void fill(const char *path, size_t len)
{
    char *bytes = calloc(1, len);

    assert_non_null(bytes);
    test_file_write(path, bytes, len);
    free(bytes);
}

/* Room for `limit` bytes beside the old file, which is not enough; then the rest is made free. */
static int save_onto_small(const files *p, size_t format, rlim_t limit)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), len = p->fresh[format].len;
    size_t capacity = (len + page - 1) / page * page + 4 * page;
    char *ballast = test_path(p->dir, ".agentchat-ballast.tmp"), options[64];
    size_t descriptors;
    agentchat_error err;

    snprintf(options, sizeof options, "size=%zu,mode=0700", capacity);
    if (!mount_small(p->dir, options))
        return CANNOT_MOUNT;
    test_file_write(p->path, p->old.ptr, p->old.len);
    fill(ballast, capacity - page - (size_t)limit);
    descriptors = open_descriptors();
    if (save(p, p->path, format, &err) != AGENTCHAT_E_IO || err.native != ENOSPC || strcmp(err.source, p->path) != 0)
        return 2;
    if (open_descriptors() != descriptors)
        return 3;
    if (!file_is(p->path, p->old.ptr, p->old.len) || temporaries_in(p->dir, "chat.json", false) != 1)
        return 4; /* the one file beside it is the ballast */
    if (unlink(ballast) != 0 || save(p, p->path, format, &err) != AGENTCHAT_OK)
        return 5;
    return file_is(p->path, p->fresh[format].ptr, len) && temporaries_in(p->dir, "chat.json", false) == 0 ? 0 : 6;
}

/* No room for one more name. */
static int save_without_names(const files *p, size_t format, rlim_t limit)
{
    agentchat_error err;

    (void)limit;
    if (!mount_small(p->dir, "size=4m,nr_inodes=2,mode=0700")) /* the directory and the old file */
        return CANNOT_MOUNT;
    test_file_write(p->path, p->old.ptr, p->old.len);
    if (save(p, p->path, format, &err) != AGENTCHAT_E_IO || err.native != ENOSPC)
        return 2;
    if (strstr(err.message, "cannot make a temporary file beside the file") == NULL)
        return 3;
    return file_is(p->path, p->old.ptr, p->old.len) && temporaries_in(p->dir, "chat.json", false) == 0 ? 0 : 4;
}

/* A file system that may only be read. */
static int save_onto_read_only(const files *p, size_t format, rlim_t limit)
{
    agentchat_error err;

    (void)limit;
    if (!mount_small(p->dir, "size=4m,mode=0700"))
        return CANNOT_MOUNT;
    test_file_write(p->path, p->old.ptr, p->old.len);
    if (mount("small", p->dir, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) != 0)
        return 2;
    if (save(p, p->path, format, &err) != AGENTCHAT_E_IO || err.native != EROFS)
        return 3;
    return file_is(p->path, p->old.ptr, p->old.len) && temporaries_in(p->dir, "chat.json", false) == 0 ? 0 : 4;
}

static void expect_or_skip(int result)
{
    if (result == CANNOT_MOUNT) {
        print_message("a file system of its own needs user name spaces or root\n");
        skip();
    }
    assert_int_equal(result, 0);
}

static void test_disk_full__a_small_file_system_leaves_the_old_file(void **state)
{
    const files *p = *state;

    for (size_t format = 0; format < FORMATS; format++) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);

        for (size_t pages = 0; pages * page < p->fresh[format].len; pages += 5)
            expect_or_skip(in_child(p, save_onto_small, format, (rlim_t)(pages * page)));
    }
}

static void test_disk_full__no_room_for_a_name_leaves_the_old_file(void **state)
{
    expect_or_skip(in_child(*state, save_without_names, 0, 0));
}

static void test_disk_full__a_read_only_file_system_leaves_the_old_file(void **state)
{
    expect_or_skip(in_child(*state, save_onto_read_only, 0, 0));
}

#define test_with_files(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_files(test_disk_full__a_limit_on_the_size_leaves_the_old_file),
        test_with_files(test_disk_full__the_signal_of_the_limit_leaves_the_old_file),
        test_with_files(test_disk_full__a_small_file_system_leaves_the_old_file),
        test_with_files(test_disk_full__no_room_for_a_name_leaves_the_old_file),
        test_with_files(test_disk_full__a_read_only_file_system_leaves_the_old_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
