/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/io/sink_path.c. */
#define _DEFAULT_SOURCE /* mknod() */
#include "support/test_support.h"

#include "io/stream.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct place {
    char *dir, *path;
} place;

static int set_up(void **state)
{
    place *p = malloc(sizeof *p);

    assert_non_null(p);
    p->dir = test_dir_make();
    p->path = test_path(p->dir, "chat.json");
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    place *p = *state;

    test_dir_remove(p->dir);
    free(p->path);
    free(p);
    return 0;
}

static agentchat_status save(const char *path, const char *text, bool commit, agentchat_error *err)
{
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_path(NULL, path, &sink, err);

    if (status == AGENTCHAT_OK)
        status = aci_sink_write(sink, text, strlen(text), err);
    if (status == AGENTCHAT_OK && commit)
        status = aci_sink_commit(sink, err);
    agentchat_sink_free(sink);
    return status;
}

static void assert_holds(const char *path, const char *expected)
{
    char *text = test_file_read(path, NULL);

    assert_string_equal(text, expected);
    free(text);
}

static size_t files_in(const char *dir)
{
    size_t count = 0;
    DIR *stream = opendir(dir);

    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(stream);
    return count;
}

static unsigned mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777u;
}

static void test_sink_path__new_file_is_private(void **state)
{
    place *p = *state;
    agentchat_error err;
    agentchat_sink *sink;
    mode_t old = umask(0);

    test_ok(agentchat_sink_path(NULL, p->path, &sink, &err), &err);
    assert_string_equal(aci_sink_name(sink), p->path);
    assert_int_equal(access(p->path, F_OK), -1); /* nothing to see before the commit */
    test_ok(aci_sink_write(sink, "new", 3, &err), &err);
    test_ok(aci_sink_commit(sink, &err), &err);
    agentchat_sink_free(sink);
    umask(old);
    assert_holds(p->path, "new");
    assert_int_equal(mode_of(p->path), 0600);
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__mode_is_kept(void **state)
{
    static const mode_t modes[] = {0600, 0640, 0644, 0666, 0755};
    place *p = *state;
    agentchat_error err;

    test_file_write(p->path, "old", 3);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(p->path, modes[i]), 0);
        test_ok(save(p->path, "new", true, &err), &err);
        assert_int_equal(mode_of(p->path), modes[i]);
        assert_holds(p->path, "new");
    }
}

static void test_sink_path__without_commit_the_old_file_stays(void **state)
{
    place *p = *state;
    agentchat_error err;

    test_file_write(p->path, "old", 3);
    test_ok(save(p->path, "new", false, &err), &err);
    assert_holds(p->path, "old");
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__an_open_reader_keeps_the_old_bytes(void **state)
{
    place *p = *state;
    agentchat_error err;
    char text[8] = "";
    FILE *reader;

    test_file_write(p->path, "old", 3);
    reader = fopen(p->path, "rb");
    assert_non_null(reader);
    test_ok(save(p->path, "brand new", true, &err), &err);
    assert_int_equal(fread(text, 1, sizeof text - 1, reader), 3);
    assert_string_equal(text, "old");
    fclose(reader);
    assert_holds(p->path, "brand new");
}

static void test_sink_path__symbolic_links_are_followed(void **state)
{
    place *p = *state;
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
    place *p = *state;
    agentchat_error err;

    assert_int_equal(symlink("chat.json", p->path), 0);
    test_fails(save(p->path, "x", true, &err), &err, AGENTCHAT_E_IO, "", "symbolic link");
    assert_int_equal(err.native, ELOOP);
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__relative_names_survive_a_change_of_directory(void **state)
{
    place *p = *state;
    char *sub = test_path(p->dir, "sub");
    int before = open(".", O_RDONLY);
    agentchat_sink *sink;
    agentchat_error err;

    assert_int_equal(mkdir(sub, 0700), 0);
    assert_int_equal(chdir(p->dir), 0);
    test_ok(agentchat_sink_path(NULL, "chat.json", &sink, &err), &err);
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
    place *p = *state;
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

static void test_sink_path__a_link_of_any_length_is_read_whole(void **state)
{
    place *p = *state;
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
    place *p = *state;
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
    place *p = *state;
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

static void test_sink_path__bad_places_are_refused(void **state)
{
    place *p = *state;
    char *missing = test_path(p->dir, "no/such/place.json"), *slash = test_path(p->dir, "new/");
    char *below = test_path(p->dir, "chat.json/x");
    agentchat_sink *sink;
    agentchat_error err;

    test_file_write(p->path, "old", 3);
    test_fails(agentchat_sink_path(NULL, p->dir, &sink, &err), &err, AGENTCHAT_E_IO, "",
               "cannot write the file: Is a directory");
    assert_null(sink);
    assert_int_equal(err.native, EISDIR);
    assert_true(strlen(err.source) > 0);
    test_fails(agentchat_sink_path(NULL, missing, &sink, &err), &err, AGENTCHAT_E_IO, "",
               "cannot open the directory of the file: No such file or directory");
    assert_int_equal(err.native, ENOENT);
    test_fails(agentchat_sink_path(NULL, below, &sink, &err), &err, AGENTCHAT_E_IO, "", "Not a directory");
    assert_int_equal(err.native, ENOTDIR);
    test_fails(agentchat_sink_path(NULL, slash, &sink, &err), &err, AGENTCHAT_E_IO, "", "Is a directory");
    test_fails(agentchat_sink_path(NULL, "", &sink, &err), &err, AGENTCHAT_E_IO, "", "No such file");
    test_fails(agentchat_sink_path(NULL, NULL, &sink, &err), &err, AGENTCHAT_E_INVALID, "", "path is NULL");
    test_fails(agentchat_sink_path(NULL, p->path, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out is NULL");
    assert_holds(p->path, "old");
    assert_int_equal(files_in(p->dir), 1);
    free(missing);
    free(slash);
    free(below);
}

/* Runs check in a child process; as another user when the tests are root's, who may do anything. */
static void in_child(const place *p, void (*check)(const place *p))
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

static void save_into_read_only_dir(const place *p)
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
    place *p = *state;

    in_child(p, save_into_read_only_dir);
    assert_holds(p->path, "old");
}

static void save_over_read_only_file(const place *p)
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
    place *p = *state;

    in_child(p, save_over_read_only_file);
    assert_holds(p->path, "old");
    assert_int_equal(mode_of(p->path), 0400);
    assert_int_equal(files_in(p->dir), 1);
}

static void save_into_write_only_dir(const place *p)
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
    place *p = *state;

    in_child(p, save_into_write_only_dir);
    assert_holds(p->path, "second");
    assert_int_equal(files_in(p->dir), 1);
}

static void save_beyond_the_size_limit(const place *p)
{
    struct rlimit limit = {4096, 4096};
    char big[10000];
    agentchat_error err;
    agentchat_sink *sink;

    memset(big, 'b', sizeof big);
    exit_unless(save(p->path, "old", true, &err) == AGENTCHAT_OK, 10);
    signal(SIGXFSZ, SIG_IGN);
    exit_unless(setrlimit(RLIMIT_FSIZE, &limit) == 0, 11);
    exit_unless(agentchat_sink_path(NULL, p->path, &sink, &err) == AGENTCHAT_OK, 12);
    exit_unless(aci_sink_write(sink, big, sizeof big, &err) == AGENTCHAT_E_IO, 13);
    exit_unless(err.native == EFBIG && strstr(err.source, "chat.json") != NULL, 14);
    exit_unless(aci_sink_commit(sink, NULL) == AGENTCHAT_E_INVALID, 15);
    agentchat_sink_free(sink);
}

static void test_sink_path__a_write_that_fails_leaves_the_old_file(void **state)
{
    place *p = *state;

    in_child(p, save_beyond_the_size_limit);
    assert_holds(p->path, "old");
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__a_rename_that_fails_leaves_no_temporary_file(void **state)
{
    place *p = *state;
    agentchat_sink *sink;
    agentchat_error err;

    test_ok(agentchat_sink_path(NULL, p->path, &sink, &err), &err);
    test_ok(aci_sink_write(sink, "x", 1, &err), &err);
    assert_int_equal(mkdir(p->path, 0700), 0);
    test_fails(aci_sink_commit(sink, &err), &err, AGENTCHAT_E_IO, "", "cannot put the new file in the place");
    assert_int_equal(err.native, EISDIR);
    agentchat_sink_free(sink);
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__a_killed_writer_leaves_the_old_file(void **state)
{
    place *p = *state;
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
        if (agentchat_sink_path(NULL, p->path, &sink, NULL) == AGENTCHAT_OK &&
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
}

static int constant_random(void *user, void *bytes, size_t size)
{
    memset(bytes, *(int *)user, size);
    return 0;
}

static int broken_random(void *user, void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return -1;
}

static void test_sink_path__names_of_temporary_files_never_clash(void **state)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    place *p = *state;
    agentchat_sink *sinks[5];
    agentchat_error err;
    agentchat_env *env;
    int seed = 9;

    options.random = constant_random;
    options.user = &seed;
    env = agentchat_env_new(&options);
    assert_non_null(env);
    for (size_t i = 0; i < 5; i++) {
        char digit = (char)('0' + i);

        test_ok(agentchat_sink_path(env, p->path, &sinks[i], &err), &err);
        test_ok(aci_sink_write(sinks[i], &digit, 1, &err), &err);
    }
    assert_int_equal(files_in(p->dir), 5);
    for (size_t i = 0; i < 5; i++) {
        char expected[2] = {(char)('0' + i), 0};

        test_ok(aci_sink_commit(sinks[i], &err), &err);
        assert_holds(p->path, expected);
        agentchat_sink_free(sinks[i]);
    }
    assert_int_equal(files_in(p->dir), 1);

    /* All names that this source of random bytes can give are taken. */
    for (unsigned i = 0; i < 64; i++) {
        char name[100];
        char *taken;

        snprintf(name, sizeof name, ".agentchat-09090909-0909-4909-8909-090909090909-%u.tmp", i);
        taken = test_path(p->dir, name);
        test_file_write(taken, "", 0);
        free(taken);
    }
    test_fails(agentchat_sink_path(env, p->path, &sinks[0], &err), &err, AGENTCHAT_E_IO, "",
               "cannot make a temporary file beside the file: File exists");
    assert_int_equal(files_in(p->dir), 65);
    agentchat_env_free(env);

    options.random = broken_random;
    env = agentchat_env_new(&options);
    assert_non_null(env);
    test_fails(agentchat_sink_path(env, p->path, &sinks[0], &err), &err, AGENTCHAT_E_INTERNAL, "", "random bytes");
    agentchat_env_free(env);
}

static agentchat_status save_with(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_path(env, user, &sink, err);

    if (status == AGENTCHAT_OK)
        status = aci_sink_write(sink, "new", 3, err);
    if (status == AGENTCHAT_OK)
        status = aci_sink_commit(sink, err);
    agentchat_sink_free(sink);
    return status;
}

static void test_sink_path__survives_every_failed_allocation(void **state)
{
    place *p = *state;
    char *link = test_path(p->dir, "link");

    assert_int_equal(symlink("chat.json", link), 0);
    assert_true(test_oom_sweep(save_with, link) >= 8);
    assert_holds(p->path, "new");
    assert_int_equal(files_in(p->dir), 2);
    free(link);
}

#define test_with_dir(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_dir(test_sink_path__new_file_is_private),
        test_with_dir(test_sink_path__mode_is_kept),
        test_with_dir(test_sink_path__without_commit_the_old_file_stays),
        test_with_dir(test_sink_path__an_open_reader_keeps_the_old_bytes),
        test_with_dir(test_sink_path__symbolic_links_are_followed),
        test_with_dir(test_sink_path__a_ring_of_links_is_an_error),
        test_with_dir(test_sink_path__relative_names_survive_a_change_of_directory),
        test_with_dir(test_sink_path__long_names_work),
        test_with_dir(test_sink_path__a_link_of_any_length_is_read_whole),
        test_with_dir(test_sink_path__what_is_no_regular_file_is_written_directly),
        test_with_dir(test_sink_path__a_device_is_written_directly),
        test_with_dir(test_sink_path__a_descriptors_name_is_written_directly),
        test_with_dir(test_sink_path__bad_places_are_refused),
        test_with_dir(test_sink_path__a_read_only_directory_is_an_error),
        test_with_dir(test_sink_path__a_read_only_file_is_not_replaced),
        test_with_dir(test_sink_path__a_directory_that_cannot_be_listed_works),
        test_with_dir(test_sink_path__a_write_that_fails_leaves_the_old_file),
        test_with_dir(test_sink_path__a_rename_that_fails_leaves_no_temporary_file),
        test_with_dir(test_sink_path__a_killed_writer_leaves_the_old_file),
        test_with_dir(test_sink_path__names_of_temporary_files_never_clash),
        test_with_dir(test_sink_path__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
