/* SPDX-License-Identifier: Apache-2.0 */
/* What killed savers leave beside a file: the next save of that file removes it, and nothing else. */
#include "sink_path_test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAVERS 12u

/* Lets a child save to path until its file is half written, and leaves it there. */
static pid_t begin_saving(const char *path)
{
    int ready[2];
    pid_t child;
    char byte;

    assert_int_equal(pipe(ready), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        agentchat_sink *sink;

        if (agentchat_sink_path(NULL, path, NULL, &sink, NULL) == AGENTCHAT_OK &&
            aci_sink_write(sink, "half", 4, NULL) == AGENTCHAT_OK && write(ready[1], "r", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

static void end(pid_t child)
{
    int result;

    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &result, 0), child);
}

static void test_sink_path_leftovers__of_many_savers_are_removed(void **state)
{
    const fixture *p = *state;
    pid_t savers[SAVERS];
    agentchat_error err;

    for (size_t i = 0; i < SAVERS; i++)
        savers[i] = begin_saving(p->path);
    assert_int_equal(files_in(p->dir), SAVERS);
    for (size_t i = 0; i < SAVERS; i++)
        end(savers[i]);
    assert_int_equal(files_in(p->dir), SAVERS);
    test_ok(save(p->path, "new", true, &err), &err);
    assert_holds(p->path, "new");
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path_leftovers__are_no_files_of_living_savers(void **state)
{
    const fixture *p = *state;
    pid_t dead = begin_saving(p->path), living = begin_saving(p->path);
    agentchat_sink *own;
    agentchat_error err;

    test_ok(agentchat_sink_path(NULL, p->path, NULL, &own, &err),
            &err); /* of this process, which saves once more below */
    test_ok(aci_sink_write(own, "own", 3, &err), &err);
    end(dead);
    assert_int_equal(files_in(p->dir), 3);
    test_ok(save(p->path, "new", true, &err), &err);
    assert_int_equal(files_in(p->dir), 3);
    test_ok(aci_sink_commit(own, &err), &err);
    agentchat_sink_free(own);
    assert_holds(p->path, "own");
    assert_int_equal(files_in(p->dir), 2);
    end(living);
    test_ok(save(p->path, "last", false, &err), &err); /* also one that is given up */
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path_leftovers__of_other_files_are_left_alone(void **state)
{
    const fixture *p = *state;
    char *other = test_path(p->dir, "other.json");
    agentchat_error err;

    end(begin_saving(other));
    test_ok(save(p->path, "new", true, &err), &err);
    assert_int_equal(files_in(p->dir), 2);
    test_ok(save(other, "new", true, &err), &err);
    assert_int_equal(files_in(p->dir), 2);
    free(other);
}

/* The name of the first temporary file, as a child's leftover shows it. */
static char *name_of_leftover(const fixture *p)
{
    char *found = NULL;
    DIR *stream;

    end(begin_saving(p->path));
    stream = opendir(p->dir);
    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream))
        if (strncmp(entry->d_name, ".agentchat-", 11) == 0)
            found = test_path(p->dir, entry->d_name);
    closedir(stream);
    assert_non_null(found);
    assert_int_equal(unlink(found), 0);
    return found;
}

static void test_sink_path_leftovers__are_regular_files_with_one_name(void **state)
{
    const fixture *p = *state;
    char *name = name_of_leftover(p), *precious = test_path(p->dir, "precious");
    agentchat_error err;
    struct stat info;

    test_file_write(precious, "mine", 4);
    assert_int_equal(link(precious, name), 0);
    test_ok(save(p->path, "a", true, &err), &err);
    assert_int_equal(lstat(name, &info), 0);
    assert_int_equal(unlink(name), 0);

    assert_int_equal(symlink("precious", name), 0);
    test_ok(save(p->path, "b", true, &err), &err);
    assert_int_equal(lstat(name, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(unlink(name), 0);

    assert_int_equal(mkfifo(name, 0600), 0); /* opening one would wait */
    test_ok(save(p->path, "c", true, &err), &err);
    assert_int_equal(lstat(name, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(unlink(name), 0);

    assert_int_equal(mkdir(name, 0700), 0);
    test_ok(save(p->path, "d", true, &err), &err);
    assert_int_equal(rmdir(name), 0);
    assert_holds(p->path, "d");
    assert_holds(precious, "mine");
    assert_int_equal(files_in(p->dir), 2);
    free(name);
    free(precious);
}

/* Savers that are killed and savers that live, all of one file, all at once: each that says it has saved has. */
static void test_sink_path_leftovers__do_no_harm_to_savers_at_once(void **state)
{
    const fixture *p = *state;
    pid_t savers[SAVERS];
    agentchat_error err;
    int result;

    for (size_t i = 0; i < SAVERS; i++) {
        savers[i] = fork();
        assert_true(savers[i] >= 0);
        if (savers[i] == 0) {
            for (unsigned n = 0; n < 60; n++) {
                if (save(p->path, "complete", true, &err) != AGENTCHAT_OK)
                    _exit(1);
                if (i % 3 == 0 && n == 20 + i) {
                    agentchat_sink *sink;

                    if (agentchat_sink_path(NULL, p->path, NULL, &sink, NULL) == AGENTCHAT_OK)
                        raise(SIGKILL);
                }
            }
            _exit(0);
        }
    }
    for (size_t i = 0; i < SAVERS; i++) {
        assert_int_equal(waitpid(savers[i], &result, 0), savers[i]);
        if (i % 3 == 0)
            assert_true(WIFSIGNALED(result));
        else
            assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    }
    test_ok(save(p->path, "complete", true, &err), &err);
    assert_holds(p->path, "complete");
    assert_int_equal(files_in(p->dir), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_dir(test_sink_path_leftovers__of_many_savers_are_removed),
        test_with_dir(test_sink_path_leftovers__are_no_files_of_living_savers),
        test_with_dir(test_sink_path_leftovers__of_other_files_are_left_alone),
        test_with_dir(test_sink_path_leftovers__are_regular_files_with_one_name),
        test_with_dir(test_sink_path_leftovers__do_no_harm_to_savers_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
