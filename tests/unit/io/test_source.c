/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/io/source.c and source_system.c. */
#define _FILE_OFFSET_BITS 64 /* files beyond 2 GiB on machines of 32 bits too */
#include "support/test_support.h"

#include "io/stream_impl.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct whole {
    char *data;
    size_t len, cap;
} whole;

static agentchat_status read_all(agentchat_source *source, uint64_t max_bytes, whole *out, agentchat_error *err)
{
    agentchat_error_clear(err);
    return aci_source_read_all(source, NULL, max_bytes, &out->data, &out->len, &out->cap, err);
}

/* Reads to the end, compares, checks the zero bytes behind, releases the source. */
static void assert_gives(agentchat_source *source, const void *expected, size_t len)
{
    agentchat_error err;
    whole got;

    assert_non_null(source);
    test_ok(read_all(source, 1 << 28, &got, &err), &err);
    assert_int_equal(got.len, len);
    assert_memory_equal(got.data, expected, len);
    assert_true(got.cap >= len + ACI_READ_PADDING);
    for (size_t i = 0; i < ACI_READ_PADDING; i++)
        assert_int_equal(got.data[len + i], 0);
    aci_free(aci_env(NULL), got.data, got.cap);
    agentchat_source_free(source);
}

static char *make_bytes(size_t len)
{
    char *bytes = malloc(len + 1);

    assert_non_null(bytes);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(i * 31 + i / 251);
    bytes[len] = '\0';
    return bytes;
}

static void test_source__memory_gives_its_bytes(void **state)
{
    agentchat_source *source;
    agentchat_error err;
    char *bytes = make_bytes(300000);

    (void)state;
    test_ok(agentchat_source_memory(NULL, (agentchat_str){bytes, 300000}, &source, &err), &err);
    assert_null(aci_source_name(source));
    assert_gives(source, bytes, 300000);
    test_ok(agentchat_source_memory(NULL, (agentchat_str){NULL, 0}, &source, &err), &err);
    assert_gives(source, "", 0);
    test_ok(agentchat_source_memory(NULL, AGENTCHAT_STR(""), &source, &err), &err);
    assert_gives(source, "", 0);
    test_fails(agentchat_source_memory(NULL, (agentchat_str){NULL, 1}, &source, &err), &err, AGENTCHAT_E_INVALID, "",
               "no address");
    assert_null(source);
    free(bytes);
}

static void test_source__chunks_of_any_size_give_the_same(void **state)
{
    static const size_t sizes[] = {0, 1, 7, 65535, 65536, 65537, 200000};
    static const size_t chunks[] = {0, 1, 3, 7, 4096, 1000000};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *bytes = make_bytes(sizes[i]);

        for (size_t j = 0; j < sizeof chunks / sizeof *chunks; j++)
            assert_gives(test_source_chunked(bytes, sizes[i], chunks[j]), bytes, sizes[i]);
        free(bytes);
    }
}

static void test_source__known_sizes_are_read_in_one_piece(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    char *dir = test_dir_make(), *path = test_path(dir, "big"), *bytes = make_bytes(5000000);
    agentchat_source *source;
    agentchat_error err;
    whole got;

    (void)state;
    test_file_write(path, bytes, 5000000);
    for (int kind = 0; kind < 4; kind++) {
        FILE *file = fopen(path, "rb");
        uint64_t before;

        assert_non_null(file);
        if (kind == 0)
            test_ok(agentchat_source_memory(NULL, (agentchat_str){bytes, 5000000}, &source, &err), &err);
        else if (kind == 1)
            test_ok(agentchat_source_path(NULL, path, &source, &err), &err);
        else if (kind == 2)
            test_ok(agentchat_source_fd(NULL, fileno(file), &source, &err), &err);
        else
            test_ok(agentchat_source_file(NULL, file, &source, &err), &err);
        before = oom.calls;
        test_ok(aci_source_read_all(source, env, 5000000, &got.data, &got.len, &got.cap, &err), &err);
        assert_int_equal(oom.calls - before, 1);
        assert_int_equal(got.len, 5000000);
        assert_memory_equal(got.data, bytes, 5000000);
        assert_true(got.cap < 5000000 + 100);
        aci_free(env, got.data, got.cap);
        agentchat_source_free(source);
        fclose(file);
    }
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
    free(bytes);
    free(path);
    test_dir_remove(dir);
}

static void test_source__the_limit_is_exact(void **state)
{
    char *bytes = make_bytes(200000);
    static const size_t sizes[] = {1, 100, 65536, 65537, 200000};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int kind = 0; kind < 2; kind++) {
            agentchat_source *source;
            agentchat_error err;
            char message[100];
            whole got;

            for (size_t over = 0; over < 2; over++) {
                if (kind == 0)
                    test_ok(agentchat_source_memory(NULL, (agentchat_str){bytes, sizes[i]}, &source, &err), &err);
                else
                    source = test_source_chunked(bytes, sizes[i], 1000);
                snprintf(message, sizeof message, "longer than %zu bytes, the limit max_bytes", sizes[i] - over);
                if (over == 0) {
                    test_ok(read_all(source, sizes[i], &got, &err), &err);
                    assert_int_equal(got.len, sizes[i]);
                    aci_free(aci_env(NULL), got.data, got.cap);
                } else {
                    test_fails(read_all(source, sizes[i] - 1, &got, &err), &err, AGENTCHAT_E_LIMIT, "", message);
                    assert_null(got.data);
                }
                agentchat_source_free(source);
            }
        }
    }
    free(bytes);
}

static void test_source__path_is_named_in_errors(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "x.json");
    agentchat_source *source = (agentchat_source *)(void *)dir;
    agentchat_error err;
    whole got;

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

static uint64_t says_ten(void *self)
{
    (void)self;
    return 10;
}

static uint64_t says_a_million(void *self)
{
    (void)self;
    return 1000000;
}

/* A file may grow or shrink between fstat and the last read, so the size is only a hint. */
static void test_source__a_wrong_size_is_survived(void **state)
{
    static const size_t sizes[] = {0, 9, 10, 11, 12, 1000, 100000};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *bytes = make_bytes(sizes[i]);
        agentchat_source *source = test_source_chunked(bytes, sizes[i], 1000);

        source->bytes_left = says_ten;
        assert_gives(source, bytes, sizes[i]);
        source = test_source_chunked(bytes, sizes[i], 1000);
        source->bytes_left = says_a_million;
        assert_gives(source, bytes, sizes[i]);
        free(bytes);
    }
}

static void test_source__a_size_beyond_the_limit_is_refused_unread(void **state)
{
    agentchat_source *source = test_source_failing("", 0, 0);
    agentchat_error err;
    whole got;

    (void)state;
    source->bytes_left = says_a_million;
    test_fails(read_all(source, 999999, &got, &err), &err, AGENTCHAT_E_LIMIT, "", "longer than 999999 bytes");
    test_fails(read_all(source, 1000000, &got, &err), &err, AGENTCHAT_E_IO, "", "fails after 0 bytes");
    agentchat_source_free(source);
}

static uint64_t says_all_that_32_bits_count(void *self)
{
    (void)self;
    return UINT32_MAX;
}

/* Where a size_t has 32 bits, one more than that size is nothing. */
static void test_source__a_size_beyond_the_memory_ends(void **state)
{
    agentchat_source *source;
    agentchat_error err;
    whole got;

    (void)state;
    if (sizeof(size_t) > 4)
        skip(); /* there it is a size like any other, and 4 GiB would be asked for */
    source = test_source_chunked("some bytes", 10, 3);
    source->bytes_left = says_all_that_32_bits_count;
    if (read_all(source, UINT64_MAX, &got, &err) == AGENTCHAT_OK)
        aci_free(aci_env(NULL), got.data, got.cap);
    else
        assert_int_equal(err.code, AGENTCHAT_E_NOMEM);
    agentchat_source_free(source);
}

static void test_source__a_file_beyond_two_gibibytes_is_too_long(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "large");
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    agentchat_source *source;
    agentchat_error err;
    whole got;

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
    whole got;

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
    whole got;

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
    test_fails(agentchat_source_file(NULL, NULL, &source, &err), &err, AGENTCHAT_E_INVALID, "", "FILE is NULL");
    test_fails(agentchat_source_path(NULL, NULL, &source, &err), &err, AGENTCHAT_E_INVALID, "", "path is NULL");
    test_fails(agentchat_source_path(NULL, dir, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out is NULL");
    agentchat_source_free(NULL);
    test_dir_remove(dir);
}

static void ignore_signal(int number)
{
    (void)number;
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

typedef struct answers {
    agentchat_status status;
    size_t len;
    bool says_why;
    int calls, frees;
} answers;

static agentchat_status answers_read(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    answers *a = self;

    (void)buffer;
    (void)cap;
    a->calls++;
    *out_len = a->len == SIZE_MAX ? cap + 1 : a->len;
    if (a->says_why)
        agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the remote end is gone");
    return a->status;
}

static void answers_free(void *self)
{
    ((answers *)self)->frees++;
}

static void test_source__answers_of_a_callers_functions_are_checked(void **state)
{
    static const struct {
        answers given;
        agentchat_status expected;
        const char *message;
    } cases[] = {
        {{AGENTCHAT_OK, 0, false, 0, 0}, AGENTCHAT_E_CALLBACK, "gave no bytes and did not say DONE"},
        {{AGENTCHAT_OK, SIZE_MAX, false, 0, 0}, AGENTCHAT_E_CALLBACK, "more bytes than it was asked for"},
        {{AGENTCHAT_DONE, 1, false, 0, 0}, AGENTCHAT_E_CALLBACK, "broke its contract"},
        {{(agentchat_status)7, 0, false, 0, 0}, AGENTCHAT_E_CALLBACK, "broke its contract"},
        {{AGENTCHAT_E_BUSY, 0, false, 0, 0},
         AGENTCHAT_E_BUSY,
         "the source failed to read: another operation is active"},
        {{AGENTCHAT_E_IO, 3, true, 0, 0}, AGENTCHAT_E_IO, "the remote end is gone"},
        {{AGENTCHAT_E_CALLBACK, 0, true, 0, 0}, AGENTCHAT_E_CALLBACK, "the remote end is gone"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const agentchat_source_ops ops = {sizeof ops, answers_read, answers_free};
        answers given = cases[i].given;
        agentchat_source *source;
        agentchat_error err;
        whole got;

        test_ok(agentchat_source_new(NULL, &ops, &given, &source, &err), &err);
        test_fails(read_all(source, 1000, &got, &err), &err, cases[i].expected, "", cases[i].message);
        assert_null(got.data);
        assert_int_equal(aci_source_read_all(source, NULL, 1000, &got.data, &got.len, &got.cap, NULL),
                         cases[i].expected);
        assert_int_equal(given.calls, 2);
        agentchat_source_free(source);
        assert_int_equal(given.frees, 1);
    }
}

static void test_source__stray_error_record_of_a_success_is_dropped(void **state)
{
    static const agentchat_source_ops ops = {sizeof ops, answers_read, answers_free};
    answers given = {AGENTCHAT_DONE, 0, true, 0, 0};
    agentchat_source *source;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_source_new(NULL, &ops, &given, &source, &err), &err);
    assert_gives(source, "", 0);
}

static void test_source__self_is_taken_over_on_failure_too(void **state)
{
    agentchat_source_ops ops = {sizeof ops, answers_read, answers_free};
    test_oom oom = {.fail_at = 0};
    agentchat_env *env = test_oom_env(&oom);
    answers given = {AGENTCHAT_DONE, 0, false, 0, 0};
    agentchat_source *source;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_source_new(env, &ops, &given, &source, &err), &err, AGENTCHAT_E_NOMEM, "", "out of memory");
    assert_null(source);
    assert_int_equal(given.frees, 1);
    ops.read = NULL;
    test_fails(agentchat_source_new(NULL, &ops, &given, &source, &err), &err, AGENTCHAT_E_INVALID, "", "read function");
    assert_int_equal(given.frees, 2);
    ops.struct_size = 0;
    test_fails(agentchat_source_new(NULL, &ops, &given, &source, &err), &err, AGENTCHAT_E_INVALID, "", "struct_size");
    assert_int_equal(given.frees, 3);
    test_fails(agentchat_source_new(NULL, &ops, &given, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out is NULL");
    assert_int_equal(given.frees, 4);
    test_fails(agentchat_source_new(NULL, NULL, &given, &source, &err), &err, AGENTCHAT_E_INVALID, "", "are NULL");
    agentchat_env_free(env);
}

static void test_source__fails_in_the_middle(void **state)
{
    agentchat_source *source = test_source_failing("0123456789", 10, 4);
    agentchat_error err;
    whole got;

    (void)state;
    test_fails(read_all(source, 1000, &got, &err), &err, AGENTCHAT_E_IO, "", "fails after 4 bytes");
    assert_null(got.data);
    assert_int_equal(got.len, 0);
    agentchat_source_free(source);
}

static agentchat_status read_each_kind(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_source *sources[4] = {NULL, NULL, NULL, NULL};
    FILE *file = fopen(user, "rb");
    agentchat_status status;

    status = agentchat_source_memory(env, AGENTCHAT_STR("abc"), &sources[0], err);
    if (status == AGENTCHAT_OK)
        status = agentchat_source_path(env, user, &sources[1], err);
    if (status == AGENTCHAT_OK)
        status = agentchat_source_fd(env, fileno(file), &sources[2], err);
    if (status == AGENTCHAT_OK)
        status = agentchat_source_file(env, file, &sources[3], err);
    for (size_t i = 0; i < 4; i++) {
        whole got;

        if (status == AGENTCHAT_OK) {
            status = aci_source_read_all(sources[i], env, 1 << 20, &got.data, &got.len, &got.cap, err);
            if (status == AGENTCHAT_OK)
                aci_free(env, got.data, got.cap);
            else
                assert_null(got.data);
        }
        agentchat_source_free(sources[i]);
    }
    fclose(file);
    return status;
}

static void test_source__survives_every_failed_allocation(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "f");

    (void)state;
    test_file_write(path, "abc", 3);
    assert_int_equal(test_oom_sweep(read_each_kind, path), 13);
    free(path);
    test_dir_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source__memory_gives_its_bytes),
        cmocka_unit_test(test_source__chunks_of_any_size_give_the_same),
        cmocka_unit_test(test_source__known_sizes_are_read_in_one_piece),
        cmocka_unit_test(test_source__the_limit_is_exact),
        cmocka_unit_test(test_source__path_is_named_in_errors),
        cmocka_unit_test(test_source__begins_where_descriptor_and_file_stand),
        cmocka_unit_test(test_source__a_wrong_size_is_survived),
        cmocka_unit_test(test_source__a_size_beyond_the_limit_is_refused_unread),
        cmocka_unit_test(test_source__a_size_beyond_the_memory_ends),
        cmocka_unit_test(test_source__a_file_beyond_two_gibibytes_is_too_long),
        cmocka_unit_test(test_source__files_of_the_system_are_read),
        cmocka_unit_test(test_source__file_over_memory_is_read),
        cmocka_unit_test(test_source__read_errors_carry_errno),
        cmocka_unit_test(test_source__interruptions_and_pauses_do_no_harm),
        cmocka_unit_test(test_source__answers_of_a_callers_functions_are_checked),
        cmocka_unit_test(test_source__stray_error_record_of_a_success_is_dropped),
        cmocka_unit_test(test_source__self_is_taken_over_on_failure_too),
        cmocka_unit_test(test_source__fails_in_the_middle),
        cmocka_unit_test(test_source__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
