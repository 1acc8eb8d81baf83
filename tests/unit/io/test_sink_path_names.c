/* SPDX-License-Identifier: Apache-2.0 */
/* Saving to a path that is a link, relative, long, no regular file, or one where no file can be. */
#define _DEFAULT_SOURCE /* mknod() */
#include "sink_path_test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static void test_sink_path__symbolic_links_are_followed(void **state)
{
    fixture *p = *state;
    char *sub = test_path(p->dir, "sub"), *target = test_path(sub, "real.json");
    char *first = test_path(p->dir, "first"), *second = test_path(p->dir, "second");
    struct stat info;
    agentchat_error err;

    assert_int_equal(mkdir(sub, 0700), 0);
    assert_int_equal(symlink("sub/real.json", first), 0); /* relative to its own directory */
    assert_int_equal(symlink(first, second), 0);          /* absolute */
    test_ok(save(second, "through dangling links", true, &err), &err);
    assert_holds(target, "through dangling links");
    assert_int_equal(mode_of(target), 0600);
    assert_int_equal(chmod(target, 0640), 0);
    test_ok(save(second, "again", true, &err), &err);
    assert_holds(target, "again");
    assert_int_equal(mode_of(target), 0640);
    assert_int_equal(lstat(first, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat(second, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(files_in(sub), 1);
    assert_int_equal(files_in(p->dir), 3);
    free(sub);
    free(target);
    free(first);
    free(second);
}

static void test_sink_path__a_ring_of_links_is_an_error(void **state)
{
    fixture *p = *state;
    agentchat_error err;

    assert_int_equal(symlink("chat.json", p->path), 0);
    test_fails(save(p->path, "x", true, &err), &err, AGENTCHAT_E_IO, "", "symbolic link");
    assert_int_equal(err.native, ELOOP);
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__relative_names_survive_a_change_of_directory(void **state)
{
    fixture *p = *state;
    char *sub = test_path(p->dir, "sub");
    int before = open(".", O_RDONLY);
    agentchat_sink *sink;
    agentchat_error err;

    assert_int_equal(mkdir(sub, 0700), 0);
    assert_int_equal(chdir(p->dir), 0);
    test_ok(agentchat_sink_path(NULL, "chat.json", NULL, &sink, &err), &err);
    assert_int_equal(chdir(sub), 0);
    test_ok(aci_sink_write(sink, "here", 4, &err), &err);
    test_ok(aci_sink_commit(sink, &err), &err);
    agentchat_sink_free(sink);
    assert_int_equal(fchdir(before), 0);
    close(before);
    assert_holds(p->path, "here");
    assert_int_equal(files_in(sub), 0);
    free(sub);
}

static void test_sink_path__long_names_work(void **state)
{
    fixture *p = *state;
    agentchat_error err;
    char name[256];
    char *path;

    memset(name, 'n', 255);
    name[255] = '\0';
    path = test_path(p->dir, name);
    test_ok(save(path, "x", true, &err), &err);
    assert_holds(path, "x");
    free(path);
}

static void test_sink_path__a_link_of_any_length_is_read_in_full(void **state)
{
    fixture *p = *state;
    agentchat_error err;
    char *link = test_path(p->dir, "link");
    char text[1000];
    size_t len = 0;

    for (; len < 900; len += 2)
        memcpy(text + len, "./", 2);
    memcpy(text + len, "chat.json", 10);
    assert_int_equal(symlink(text, link), 0);
    test_ok(save(link, "far", true, &err), &err);
    assert_holds(p->path, "far");
    free(link);
}

static void test_sink_path__what_is_no_regular_file_is_written_directly(void **state)
{
    fixture *p = *state;
    agentchat_error err;
    char text[8] = "";
    int reader;

    assert_int_equal(mkfifo(p->path, 0600), 0);
    reader = open(p->path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    test_ok(save(p->path, "fifo", true, &err), &err);
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "fifo");
    close(reader);
    assert_int_equal(files_in(p->dir), 1);
}

/* Makes the device that is always full once more, at a name of the test's own: a mistake must not replace the system's.
   Skips the test where that is not allowed, or is of no use. */
static void make_full_device(const char *path)
{
    struct stat info;
    int fd;

    if (stat("/dev/full", &info) != 0 || !S_ISCHR(info.st_mode) || mknod(path, S_IFCHR | 0600, info.st_rdev) != 0)
        skip();
    fd = open(path, O_WRONLY);
    if (fd < 0) /* a file system without devices */
        skip();
    close(fd);
}

static void test_sink_path__a_device_is_written_directly(void **state)
{
    fixture *p = *state;
    struct stat info;
    agentchat_error err;

    make_full_device(p->path);
    test_fails(save(p->path, "x", true, &err), &err, AGENTCHAT_E_IO, "",
               "cannot write the file: No space left on device");
    assert_int_equal(err.native, ENOSPC);
    assert_string_equal(err.source, p->path);
    test_ok(save(p->path, "", true, &err), &err);
    assert_int_equal(lstat(p->path, &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_int_equal(files_in(p->dir), 1);
}

/* The link's text ("pipe:[123]") names no file, so it must not be followed by its text. Nothing that a mistake could
   replace has a name there. */
static void test_sink_path__a_descriptors_name_is_written_directly(void **state)
{
    agentchat_error err;
    char name[32], text[8] = "";
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/proc/self/fd/%d", ends[1]);
    if (access(name, W_OK) != 0)
        skip();
    test_ok(save(name, "pipe", true, &err), &err);
    assert_int_equal(read(ends[0], text, sizeof text), 4);
    assert_string_equal(text, "pipe");
    close(ends[0]);
    close(ends[1]);
}

/* A regular file, through a descriptor: it is written where the descriptor stands, and stays the same file. */
static void test_sink_path__a_descriptors_file_is_not_replaced(void **state)
{
    static const char *const names[] = {"/proc/self/fd/%d", "/dev/fd/%d", "/proc/thread-self/fd/%d"};
    fixture *p = *state;
    agentchat_error err;
    char name[40], expected[64] = "log:";
    struct stat before, after;
    int fd;

    test_file_write(p->path, "log:", 4);
    fd = open(p->path, O_WRONLY | O_APPEND);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &before), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, names[i], fd);
        if (access(name, F_OK) != 0)
            continue;
        test_ok(save(name, "more.", true, &err), &err);
        strcat(expected, "more.");
        assert_holds(p->path, expected);
    }
    { /* through a link of somebody's own */
        char *link = test_path(p->dir, "link");

        assert_int_equal(symlink(name, link), 0);
        test_ok(save(link, "end", true, &err), &err);
        strcat(expected, "end");
        assert_holds(p->path, expected);
        assert_int_equal(unlink(link), 0);
        free(link);
    }
    close(fd);
    /* Without O_APPEND: from where the descriptor stands. */
    fd = open(p->path, O_WRONLY);
    assert_int_equal(lseek(fd, 1, SEEK_SET), 1);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    test_ok(save(name, "OG", true, &err), &err);
    memcpy(expected + 1, "OG", 2);
    assert_holds(p->path, expected);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 3);
    assert_int_equal(stat(p->path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    /* Without a name any more. */
    assert_int_equal(unlink(p->path), 0);
    test_ok(save(name, ":", true, &err), &err);
    assert_int_equal(files_in(p->dir), 0);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 4);
    close(fd);
    /* One that is open for reading only cannot be written through. */
    test_file_write(p->path, "old", 3);
    fd = open(p->path, O_RDONLY);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    agentchat_error_clear(&err);
    test_fails(save(name, "x", true, &err), &err, AGENTCHAT_E_IO, "", "Bad file descriptor");
    close(fd);
    assert_holds(p->path, "old");
    assert_int_equal(files_in(p->dir), 1);
}

/* A socket has no name that could be opened. */
static void test_sink_path__a_sockets_descriptor_is_written_to(void **state)
{
    agentchat_error err;
    char name[32], text[8] = "";
    int ends[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    if (access(name, F_OK) != 0)
        skip();
    test_ok(save(name, "sock", true, &err), &err);
    assert_int_equal(read(ends[0], text, sizeof text), 4);
    assert_string_equal(text, "sock");
    close(ends[0]);
    close(ends[1]);
}

static void test_sink_path__bad_paths_are_refused(void **state)
{
    fixture *p = *state;
    char *missing = test_path(p->dir, "no/such/file.json"), *slash = test_path(p->dir, "new/");
    char *below = test_path(p->dir, "chat.json/x");
    agentchat_sink *sink;
    agentchat_error err;

    test_file_write(p->path, "old", 3);
    test_fails(agentchat_sink_path(NULL, p->dir, NULL, &sink, &err), &err, AGENTCHAT_E_IO, "",
               "cannot write the file: Is a directory");
    assert_null(sink);
    assert_int_equal(err.native, EISDIR);
    assert_true(strlen(err.source) > 0);
    test_fails(agentchat_sink_path(NULL, missing, NULL, &sink, &err), &err, AGENTCHAT_E_IO, "",
               "cannot open the directory of the file: No such file or directory");
    assert_int_equal(err.native, ENOENT);
    test_fails(agentchat_sink_path(NULL, below, NULL, &sink, &err), &err, AGENTCHAT_E_IO, "", "Not a directory");
    assert_int_equal(err.native, ENOTDIR);
    test_fails(agentchat_sink_path(NULL, slash, NULL, &sink, &err), &err, AGENTCHAT_E_IO, "", "Is a directory");
    test_fails(agentchat_sink_path(NULL, "", NULL, &sink, &err), &err, AGENTCHAT_E_IO, "", "No such file");
    test_fails(agentchat_sink_path(NULL, NULL, NULL, &sink, &err), &err, AGENTCHAT_E_INVALID, "",
               "path must not be NULL");
    test_fails(agentchat_sink_path(NULL, p->path, NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    assert_holds(p->path, "old");
    assert_int_equal(files_in(p->dir), 1);
    free(missing);
    free(slash);
    free(below);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_dir(test_sink_path__symbolic_links_are_followed),
        test_with_dir(test_sink_path__a_ring_of_links_is_an_error),
        test_with_dir(test_sink_path__relative_names_survive_a_change_of_directory),
        test_with_dir(test_sink_path__long_names_work),
        test_with_dir(test_sink_path__a_link_of_any_length_is_read_in_full),
        test_with_dir(test_sink_path__what_is_no_regular_file_is_written_directly),
        test_with_dir(test_sink_path__a_device_is_written_directly),
        test_with_dir(test_sink_path__a_descriptors_name_is_written_directly),
        test_with_dir(test_sink_path__a_descriptors_file_is_not_replaced),
        test_with_dir(test_sink_path__a_sockets_descriptor_is_written_to),
        test_with_dir(test_sink_path__bad_paths_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
