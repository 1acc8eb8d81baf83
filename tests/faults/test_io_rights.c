/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While root saves a file of somebody else: after every system call, whatever has the name of a temporary file gives
 * nobody but its owner any right, or all of it is as the old file was. Skipped for anybody but root.
 */
#include "fault_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWNER 51001u
#define GROUP 52001u
#define MODE 0664u

typedef struct files {
    char *dir;
    unsigned long looks, given;
} files;

static void look(void *user, const io_call *call, long result)
{
    files *p = user;
    DIR *stream = opendir(p->dir);

    (void)result;
    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        struct stat info;

        if (strncmp(entry->d_name, ".agentchat-", 11) != 0 || fstatat(dirfd(stream), entry->d_name, &info, 0) != 0)
            continue;
        p->looks++;
        if ((info.st_mode & 07177u) == 0)
            continue;
        p->given++;
        if (info.st_uid != OWNER || info.st_gid != GROUP || (info.st_mode & 07777u) != MODE)
            fail_msg("after %s: owner %u, group %u, mode %o", io_name_text(call->name), (unsigned)info.st_uid,
                     (unsigned)info.st_gid, (unsigned)info.st_mode);
    }
    closedir(stream);
}

static void test_io_rights__are_never_wider(void **state)
{
    files p = {.dir = test_dir_make()};
    char *path = test_path(p.dir, "chat.json");
    agentchat_write_options options = write_options("agentchat");
    agentchat_chat *chat = chat_make(24, 3000, 1);
    io_watcher watcher = {NULL, look, &p};
    agentchat_status status;
    agentchat_error err;
    struct stat info;

    (void)state;
    test_file_write(path, "old", 3);
    if (geteuid() != 0 || chown(path, OWNER, GROUP) != 0) {
        print_message("skipped: only root may give files away\n");
    } else {
        assert_int_equal(chmod(path, MODE), 0);
        io_watch(&watcher);
        status = agentchat_chat_save_file(chat, path, &options, NULL, &err);
        io_watch(NULL);
        test_ok(status, &err);
        assert_true(p.looks > 10 && p.given > 0);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_uid, OWNER);
        assert_int_equal(info.st_gid, GROUP);
        assert_int_equal(info.st_mode & 07777u, MODE);
    }
    agentchat_chat_free(chat);
    free(path);
    test_dir_remove(p.dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_io_rights__are_never_wider),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
