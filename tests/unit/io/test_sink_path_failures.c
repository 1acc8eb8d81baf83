/* SPDX-License-Identifier: Apache-2.0 */
/* Saving to a path that fails, for want of rights or room, or because the program is killed: the old file stays. */
#include "sink_path_test.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs check in a child process; as another user when the tests are root's, who may do anything. */
static void in_child(const fixture *p, void (*check)(const fixture *p))
{
    int result = -1;
    pid_t child;

    if (geteuid() == 0)
        assert_int_equal(chown(p->dir, 65534, 65534), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        check(p);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
}

static void exit_unless(bool good, int code)
{
    if (!good)
        _exit(code);
}

static void save_into_read_only_dir(const fixture *p)
{
    agentchat_error err;

    exit_unless(save(p->path, "old", true, &err) == AGENTCHAT_OK, 10);
    exit_unless(chmod(p->dir, 0500) == 0, 11);
    exit_unless(save(p->path, "new", true, &err) == AGENTCHAT_E_IO, 12);
    exit_unless(err.code == AGENTCHAT_E_IO && err.native == EACCES && err.source[0] != '\0', 13);
    exit_unless(strcmp(err.message, "cannot make a temporary file beside the file: Permission denied") == 0, 14);
}

static void test_sink_path__a_read_only_directory_is_an_error(void **state)
{
    fixture *p = *state;

    in_child(p, save_into_read_only_dir);
    assert_holds(p->path, "old");
}

static void save_over_read_only_file(const fixture *p)
{
    agentchat_error err;

    exit_unless(save(p->path, "old", true, &err) == AGENTCHAT_OK, 10);
    exit_unless(chmod(p->path, 0400) == 0, 11);
    exit_unless(save(p->path, "new", true, &err) == AGENTCHAT_E_IO, 12);
    exit_unless(err.code == AGENTCHAT_E_IO && err.native == EACCES, 13);
    exit_unless(strcmp(err.message, "cannot open the file for writing: Permission denied") == 0, 14);
}

static void test_sink_path__a_read_only_file_is_not_replaced(void **state)
{
    fixture *p = *state;

    in_child(p, save_over_read_only_file);
    assert_holds(p->path, "old");
    assert_int_equal(mode_of(p->path), 0400);
    assert_int_equal(files_in(p->dir), 1);
}

static void save_into_write_only_dir(const fixture *p)
{
    agentchat_error err;

    exit_unless(chmod(p->dir, 0300) == 0, 10);
    exit_unless(save(p->path, "first", true, &err) == AGENTCHAT_OK, 11);
    exit_unless(save(p->path, "dropped", false, &err) == AGENTCHAT_OK, 12);
    exit_unless(save(p->path, "second", true, &err) == AGENTCHAT_OK, 13);
    exit_unless(chmod(p->dir, 0700) == 0, 14);
}

static void test_sink_path__a_directory_that_cannot_be_listed_works(void **state)
{
    fixture *p = *state;

    in_child(p, save_into_write_only_dir);
    assert_holds(p->path, "second");
    assert_int_equal(files_in(p->dir), 1);
}

static void save_beyond_the_size_limit(const fixture *p)
{
    struct rlimit limit = {4096, 4096};
    char big[10000];
    agentchat_error err;
    agentchat_sink *sink;

    memset(big, 'b', sizeof big);
    exit_unless(save(p->path, "old", true, &err) == AGENTCHAT_OK, 10);
    signal(SIGXFSZ, SIG_IGN);
    exit_unless(setrlimit(RLIMIT_FSIZE, &limit) == 0, 11);
    exit_unless(agentchat_sink_path(NULL, p->path, NULL, &sink, &err) == AGENTCHAT_OK, 12);
    exit_unless(aci_sink_write(sink, big, sizeof big, &err) == AGENTCHAT_E_IO, 13);
    exit_unless(err.native == EFBIG && strstr(err.source, "chat.json") != NULL, 14);
    exit_unless(aci_sink_commit(sink, NULL) == AGENTCHAT_E_INVALID, 15);
    agentchat_sink_free(sink);
}

static void test_sink_path__a_write_that_fails_leaves_the_old_file(void **state)
{
    fixture *p = *state;

    in_child(p, save_beyond_the_size_limit);
    assert_holds(p->path, "old");
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__a_rename_that_fails_leaves_no_temporary_file(void **state)
{
    fixture *p = *state;
    agentchat_sink *sink;
    agentchat_error err;

    test_ok(agentchat_sink_path(NULL, p->path, NULL, &sink, &err), &err);
    test_ok(aci_sink_write(sink, "x", 1, &err), &err);
    assert_int_equal(mkdir(p->path, 0700), 0);
    test_fails(aci_sink_commit(sink, &err), &err, AGENTCHAT_E_IO, "", "cannot replace the old file with the new one");
    assert_int_equal(err.native, EISDIR);
    agentchat_sink_free(sink);
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__a_killed_writer_leaves_the_old_file(void **state)
{
    fixture *p = *state;
    int result = 0, ready[2];
    char byte;
    pid_t writer;

    test_file_write(p->path, "old", 3);
    assert_int_equal(pipe(ready), 0);
    writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        agentchat_sink *sink;
        char big[100000];

        memset(big, 'b', sizeof big);
        if (agentchat_sink_path(NULL, p->path, NULL, &sink, NULL) == AGENTCHAT_OK &&
            aci_sink_write(sink, big, sizeof big, NULL) == AGENTCHAT_OK && write(ready[1], "r", 1) == 1) {
            for (;;)
                pause();
        }
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(waitpid(writer, &result, 0), writer);
    assert_true(WIFSIGNALED(result));
    close(ready[0]);
    assert_holds(p->path, "old");
    assert_int_equal(files_in(p->dir), 2); /* only the killed one's temporary file is left over */
    {
        agentchat_error err;

        test_ok(save(p->path, "next", true, &err), &err);
    }
    assert_holds(p->path, "next");
    assert_int_equal(files_in(p->dir), 1); /* and the next one removes it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_dir(test_sink_path__a_read_only_directory_is_an_error),
        test_with_dir(test_sink_path__a_read_only_file_is_not_replaced),
        test_with_dir(test_sink_path__a_directory_that_cannot_be_listed_works),
        test_with_dir(test_sink_path__a_write_that_fails_leaves_the_old_file),
        test_with_dir(test_sink_path__a_rename_that_fails_leaves_no_temporary_file),
        test_with_dir(test_sink_path__a_killed_writer_leaves_the_old_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
