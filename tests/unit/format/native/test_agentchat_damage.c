/* SPDX-License-Identifier: Apache-2.0 */
/* Reading format 1 from damaged files, and without memory. */
#include "unit/format/document_test.h"

enum { LARGEST_TO_DAMAGE = 4000 };

/* A golden file, cut off after each byte and with each byte changed: an error or a snapshot, never more. That takes the
   square of its size, so that large ones are left to the fuzzers. */
static void damage(const char *path, void *user)
{
    static const char changes[] = "\"{}[],:\\0n\x80\xff";
    size_t len;
    char *bytes = test_file_read(path, &len);
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    *(int *)user += len <= LARGEST_TO_DAMAGE;
    if (len > LARGEST_TO_DAMAGE) {
        free(bytes);
        return;
    }
    options.format = strstr(strrchr(path, '/'), "encoded") != NULL ? "agentchat-encoded" : "agentchat";
    for (size_t i = 0; i + 2 < len; i++) {
        char *piece = malloc(i + 1);

        assert_non_null(piece);
        memcpy(piece, bytes, i);
        assert_int_equal(
            agentchat_snapshot_read_memory(NULL, (agentchat_str){piece, i}, &options, &snapshot, NULL, &err),
            AGENTCHAT_E_SYNTAX);
        assert_in_range(err.offset, i > 11 ? i - 11 : 0, i); /* the start of a word, escape or character cut in two */
        assert_null(snapshot);
        free(piece);
    }
    for (size_t i = 0; i < len; i++) {
        char before = bytes[i];

        for (size_t c = 0; c < sizeof(changes); c++) {
            bytes[i] = changes[c];
            if (agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes, len}, NULL, &snapshot, NULL, &err) < 0)
                assert_true(snapshot == NULL && err.code != AGENTCHAT_E_INTERNAL);
            agentchat_snapshot_unref(snapshot);
        }
        bytes[i] = before;
    }
    free(bytes);
}

static void test_agentchat_read__survives_any_damage(void **state)
{
    char *dir = data_path("data/golden/format-1");
    int damaged = 0;

    (void)state;
    (void)test_each_file(dir, ".json", damage, &damaged);
    assert_true(damaged > 10);
    free(dir);
}

static agentchat_status read_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    const agentchat_str *bytes = user;
    agentchat_report *report;
    agentchat_snapshot *snapshot;
    agentchat_status status;

    status = agentchat_snapshot_read_memory(env, *bytes, NULL, &snapshot, &report, err);
    assert_true(status >= 0 || snapshot == NULL);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void sweep(const char *path, void *user)
{
    size_t len;
    char *bytes = test_file_read(path, &len);
    agentchat_str view = {bytes, len};

    (void)user;
    assert_true(test_oom_sweep(read_scenario, &view) > 4);
    free(bytes);
}

static void test_agentchat_read__survives_running_out_of_memory(void **state)
{
    char *golden = data_path("data/golden/format-1");

    (void)state;
    test_each_file(golden, ".json", sweep, NULL);
    free(golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agentchat_read__survives_any_damage),
        cmocka_unit_test(test_agentchat_read__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
