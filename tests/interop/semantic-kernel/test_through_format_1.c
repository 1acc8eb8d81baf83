/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What .NET wrote, through the native formats and back: byte for byte the same file, or equal by value for those that
 * were not written with .NET's default options; and the same digests all the way.
 */
#include "support/test_support.h"

#include <jansson.h>
#include <stdio.h>

static agentchat_snapshot *read_bytes(agentchat_bytes *bytes)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes->ptr, bytes->len}, NULL, &snapshot, NULL, &err),
            &err);
    return snapshot;
}

static agentchat_bytes write_bytes(const agentchat_snapshot *snapshot, const char *format, bool strict)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    options.format = format;
    options.strict = strict;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    return bytes;
}

static void assert_same_digest(const agentchat_snapshot *a, const agentchat_snapshot *b)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;

    for (int all = 0; all < 2; all++) {
        test_ok(agentchat_snapshot_digest(a, all, left, &err), &err);
        test_ok(agentchat_snapshot_digest(b, all, right, &err), &err);
        assert_string_equal(left, right);
    }
}

/* Files with options of their own; the others must come back byte for byte. */
static bool by_value_only(const char *path)
{
    return strstr(path, "-compact.json") || strstr(path, "-relaxed.json") || strstr(path, "-camel.json");
}

/* Equal JSON values, but for the letter case of envelope names, which is the camel-case file's subject. */
static void assert_equal_values(const char *path, const char *a, size_t a_len, const char *b, size_t b_len)
{
    json_error_t err;
    json_t *left = json_loadb(a, a_len, JSON_ALLOW_NUL, &err), *right = json_loadb(b, b_len, JSON_ALLOW_NUL, &err);

    assert_non_null(left);
    assert_non_null(right);
    if (strstr(path, "-camel.json") != NULL) {
        assert_true(json_equal(json_object_get(left, "history"), json_object_get(right, "History")));
        assert_int_equal(json_array_size(json_object_get(left, "channels")),
                         json_array_size(json_object_get(right, "Channels")));
    } else {
        assert_true(json_equal(left, right));
    }
    json_decref(left);
    json_decref(right);
}

static void through(const char *path, void *user)
{
    const char *const *format = user;
    agentchat_snapshot *original = NULL, *again;
    agentchat_bytes ours, theirs;
    agentchat_error err;
    size_t len;
    char *file = test_file_read(path, &len);

    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &original, NULL, &err), &err);
    ours = write_bytes(original, *format, false);
    again = read_bytes(&ours);
    assert_string_equal(agentchat_snapshot_format(again), *format);
    assert_same_digest(original, again);
    theirs = write_bytes(again, "semantic-kernel", true);
    if (by_value_only(path)) {
        assert_equal_values(path, file, len, theirs.ptr, theirs.len);
    } else if (theirs.len != len || memcmp(theirs.ptr, file, len) != 0) {
        fail_msg("%s: not the bytes that .NET wrote", path);
    }
    agentchat_snapshot_unref(original);
    agentchat_snapshot_unref(again);
    agentchat_bytes_clear(&ours);
    agentchat_bytes_clear(&theirs);
    free(file);
}

static void each_recorded(const char *folder, const char *format, size_t at_least)
{
    char dir[4096];

    snprintf(dir, sizeof dir, "%s/interop/semantic-kernel/recorded/%s", test_data_dir(), folder);
    assert_true(test_each_file(dir, ".json", through, &format) >= at_least);
}

static void test_through__named_files_come_back_byte_for_byte(void **state)
{
    (void)state;
    each_recorded("named", "agentchat", 28);
}

static void test_through__random_files_come_back_byte_for_byte(void **state)
{
    (void)state;
    each_recorded("random", "agentchat", 160);
}

static void test_through_encoded__named_files_come_back_byte_for_byte(void **state)
{
    (void)state;
    each_recorded("named", "agentchat-encoded", 28);
}

/* What our default mode writes for .NET reads back with the meaning of the original. */
static void default_mode(const char *path, void *user)
{
    agentchat_snapshot *original = NULL, *again;
    agentchat_bytes bytes;
    agentchat_error err;
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];

    (void)user;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &original, NULL, &err), &err);
    bytes = write_bytes(original, "semantic-kernel", false);
    again = read_bytes(&bytes);
    test_ok(agentchat_snapshot_digest(original, false, left, &err), &err);
    test_ok(agentchat_snapshot_digest(again, false, right, &err), &err);
    if (strcmp(left, right) != 0)
        fail_msg("%s: another history after writing in the default mode and reading", path);
    agentchat_snapshot_unref(original);
    agentchat_snapshot_unref(again);
    agentchat_bytes_clear(&bytes);
}

static void test_default_mode__keeps_the_history_of_every_file(void **state)
{
    static const char *const folders[] = {"named", "random"};
    char dir[4096];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        snprintf(dir, sizeof dir, "%s/interop/semantic-kernel/recorded/%s", test_data_dir(), folders[i]);
        assert_true(test_each_file(dir, ".json", default_mode, NULL) >= 28);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_through__named_files_come_back_byte_for_byte),
        cmocka_unit_test(test_through__random_files_come_back_byte_for_byte),
        cmocka_unit_test(test_through_encoded__named_files_come_back_byte_for_byte),
        cmocka_unit_test(test_default_mode__keeps_the_history_of_every_file),
    };

    return cmocka_run_group_tests_name("through_format_1", tests, NULL, NULL);
}
