/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/io/source.c: sources of bytes, their sizes and limits. */
#include "io_test.h"

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
    contents got;

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
            contents got;

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
    contents got;

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
    contents got;

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

static void test_source__fails_in_the_middle(void **state)
{
    agentchat_source *source = test_source_failing("0123456789", 10, 4);
    agentchat_error err;
    contents got;

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
        contents got;

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
        cmocka_unit_test(test_source__a_wrong_size_is_survived),
        cmocka_unit_test(test_source__a_size_beyond_the_limit_is_refused_unread),
        cmocka_unit_test(test_source__a_size_beyond_the_memory_ends),
        cmocka_unit_test(test_source__fails_in_the_middle),
        cmocka_unit_test(test_source__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
