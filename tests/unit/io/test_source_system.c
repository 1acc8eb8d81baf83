/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/io/source_system.c: paths, descriptors and FILEs, and what the system says of them. */
#define _FILE_OFFSET_BITS 64 /* files beyond 2 GiB on machines of 32 bits too */
#include "io_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void test_source__path_is_named_in_errors(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "x.json");
    agentchat_source *source = (agentchat_source *)(void *)dir;
    agentchat_error err;
    contents got;

    (void)state;
    test_fails(agentchat_source_path(NULL, path, &source, &err), &err, AGENTCHAT_E_NOTFOUND, "",
               "cannot open the file: No such file or directory");
    assert_null(source);
    assert_int_equal(err.native, ENOENT);
    assert_string_equal(err.source + strlen(err.source) - 7, "/x.json");
    test_fails(agentchat_source_path(NULL, dir, &source, &err), &err, AGENTCHAT_E_IO, "",
               "cannot read the file: Is a directory");
    assert_int_equal(err.native, EISDIR);
    test_file_write(path, "hello", 5);
    test_ok(agentchat_source_path(NULL, path, &source, &err), &err);
    assert_string_equal(aci_source_name(source), path);
    test_fails(read_all(source, 4, &got, &err), &err, AGENTCHAT_E_LIMIT, "", "longer than 4 bytes");
    assert_string_equal(err.source + strlen(err.source) - 7, "/x.json");
    agentchat_source_free(source);
    if (geteuid() != 0) {
        assert_int_equal(chmod(path, 0), 0);
        test_fails(agentchat_source_path(NULL, path, &source, &err), &err, AGENTCHAT_E_IO, "", "Permission denied");
        assert_int_equal(err.native, EACCES);
    }
    free(path);
    path = test_path(dir, "x.json/y");
    test_fails(agentchat_source_path(NULL, path, &source, &err), &err, AGENTCHAT_E_IO, "", "Not a directory");
    free(path);
    test_dir_remove(dir);
}

static void test_source__begins_where_descriptor_and_file_stand(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "f");
    agentchat_source *source;
    agentchat_error err;
    FILE *file;

    (void)state;
    test_file_write(path, "0123456789", 10);
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fgetc(file), '0');
    test_ok(agentchat_source_file(NULL, file, &source, &err), &err);
    assert_gives(source, "123456789", 9);
    assert_int_equal(fseek(file, 0, SEEK_SET), 0); /* the FILE still is ours and open */
    assert_int_equal(lseek(fileno(file), 7, SEEK_SET), 7);
    test_ok(agentchat_source_fd(NULL, fileno(file), &source, &err), &err);
    assert_gives(source, "789", 3);
    assert_int_equal(lseek(fileno(file), 0, SEEK_CUR), 10);
    test_ok(agentchat_source_fd(NULL, fileno(file), &source, &err), &err);
    assert_gives(source, "", 0);
    fclose(file);
    free(path);
    test_dir_remove(dir);
}

static void test_source__a_file_beyond_two_gibibytes_is_too_long(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "large");
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    agentchat_source *source;
    agentchat_error err;
    contents got;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)3 << 30), 0); /* takes no room on the disk */
    close(fd);
    test_ok(agentchat_source_path(NULL, path, &source, &err), &err);
    test_fails(read_all(source, 1 << 20, &got, &err), &err, AGENTCHAT_E_LIMIT, "", "longer than 1048576 bytes");
    agentchat_source_free(source);
    assert_int_equal(unlink(path), 0); /* test_dir_remove() may not see a file of that size */
    free(path);
    test_dir_remove(dir);
}

/* Their size is said to be 0 although they have bytes. */
static void test_source__files_of_the_system_are_read(void **state)
{
    agentchat_source *source;
    agentchat_error err;
    contents got;

    (void)state;
    if (access("/proc/self/status", R_OK) != 0)
        skip();
    test_ok(agentchat_source_path(NULL, "/proc/self/status", &source, &err), &err);
    test_ok(read_all(source, 1 << 20, &got, &err), &err);
    assert_true(got.len > 100);
    assert_memory_equal(got.data, "Name:", 5);
    aci_free(aci_env(NULL), got.data, got.cap);
    agentchat_source_free(source);
    test_ok(agentchat_source_path(NULL, "/dev/null", &source, &err), &err);
    assert_gives(source, "", 0);
}

static void test_source__file_over_memory_is_read(void **state)
{
    char bytes[] = "some bytes";
    FILE *file = fmemopen(bytes, 10, "rb");
    agentchat_source *source;
    agentchat_error err;

    (void)state;
    assert_non_null(file);
    test_ok(agentchat_source_file(NULL, file, &source, &err), &err);
    assert_gives(source, "some bytes", 10);
    fclose(file);
}

static void test_source__read_errors_carry_errno(void **state)
{
    char *dir = test_dir_make();
    int fd = open(dir, O_RDONLY);
    agentchat_source *source;
    agentchat_error err;
    FILE *file;
    contents got;

    (void)state;
    assert_true(fd >= 0);
    test_ok(agentchat_source_fd(NULL, fd, &source, &err), &err);
    test_fails(read_all(source, 100, &got, &err), &err, AGENTCHAT_E_IO, "", "cannot read: Is a directory");
    assert_int_equal(err.native, EISDIR);
    assert_string_equal(err.source, "");
    agentchat_source_free(source);
    file = fdopen(fd, "rb");
    assert_non_null(file);
    test_ok(agentchat_source_file(NULL, file, &source, &err), &err);
    test_fails(read_all(source, 100, &got, &err), &err, AGENTCHAT_E_IO, "", "cannot read: Is a directory");
    assert_int_equal(err.native, EISDIR);
    agentchat_source_free(source);
    fclose(file);
    test_ok(agentchat_source_fd(NULL, 987654, &source, &err), &err);
    test_fails(read_all(source, 100, &got, &err), &err, AGENTCHAT_E_IO, "", "Bad file descriptor");
    agentchat_source_free(source);
    test_fails(agentchat_source_fd(NULL, -1, &source, &err), &err, AGENTCHAT_E_INVALID, "", "negative");
    test_fails(agentchat_source_file(NULL, NULL, &source, &err), &err, AGENTCHAT_E_INVALID, "",
               "file must not be NULL");
    test_fails(agentchat_source_path(NULL, NULL, &source, &err), &err, AGENTCHAT_E_INVALID, "",
               "path must not be NULL");
    test_fails(agentchat_source_path(NULL, dir, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    agentchat_source_free(NULL);
    test_dir_remove(dir);
}

/* A pipe whose writer pauses while a timer interrupts the reader; blocking and not. */
static void test_source__interruptions_and_pauses_do_no_harm(void **state)
{
    struct sigaction action = {.sa_handler = ignore_signal}, old; /* without SA_RESTART */
    struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};

    (void)state;
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
    for (int blocking = 0; blocking < 2; blocking++) {
        agentchat_source *source;
        agentchat_error err;
        int ends[2];
        pid_t writer;

        assert_int_equal(pipe(ends), 0);
        if (!blocking)
            assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
        writer = fork();
        assert_true(writer >= 0);
        if (writer == 0) {
            for (int i = 0; i < 10; i++) {
                struct timespec pause = {0, 5000000};

                nanosleep(&pause, NULL);
                if (write(ends[1], "0123456789", 10) != 10)
                    _exit(1);
            }
            _exit(0);
        }
        close(ends[1]);
        assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
        test_ok(agentchat_source_fd(NULL, ends[0], &source, &err), &err);
        {
            char expected[101] = "";

            for (int i = 0; i < 10; i++)
                memcpy(expected + 10 * i, "0123456789", 10);
            assert_gives(source, expected, 100);
        }
        assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
        close(ends[0]);
        while (waitpid(writer, NULL, 0) < 0)
            assert_int_equal(errno, EINTR);
    }
    assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source__path_is_named_in_errors),
        cmocka_unit_test(test_source__begins_where_descriptor_and_file_stand),
        cmocka_unit_test(test_source__a_file_beyond_two_gibibytes_is_too_long),
        cmocka_unit_test(test_source__files_of_the_system_are_read),
        cmocka_unit_test(test_source__file_over_memory_is_read),
        cmocka_unit_test(test_source__read_errors_carry_errno),
        cmocka_unit_test(test_source__interruptions_and_pauses_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
