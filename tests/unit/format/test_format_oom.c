/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documents of the tests, read and then written in each format, while memory runs out at every call: an error like
 * any other, and nothing leaks. Each document is read as it stands and as the other formats have it.
 */
#include "support/test_support.h"

#include <stdio.h>

/* The work grows with the square of a document's size. */
enum { LARGEST = 30000 };

typedef struct target {
    const char *format;
    bool strict;
} target;

static const target targets[] = {
    {"agentchat", false},
    {"agentchat-encoded", false},
    {"semantic-kernel", false},
    {"semantic-kernel", true},
};
enum { TARGETS = (int)(sizeof targets / sizeof *targets) };

typedef struct work {
    agentchat_str text;
    const target *to;
    size_t documents, points;
} work;

static agentchat_status read_with_report(const agentchat_env *env, agentchat_str text, agentchat_snapshot **out,
                                         agentchat_error *err)
{
    agentchat_report *report = NULL;
    agentchat_status status;

    status = agentchat_snapshot_read_memory(env, text, NULL, out, &report, err);
    agentchat_report_free(report);
    return status;
}

static agentchat_status write_with_report(const agentchat_snapshot *snapshot, const target *to, agentchat_bytes *out,
                                          agentchat_error *err)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_status status;

    options.format = to->format;
    options.strict = to->strict;
    status = agentchat_snapshot_write_memory(snapshot, &options, out, &report, err);
    agentchat_report_free(report);
    return status;
}

static agentchat_status read_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    const work *w = user;
    agentchat_snapshot *snapshot;
    agentchat_status status = read_with_report(env, w->text, &snapshot, err);

    assert_true((status < 0) == (snapshot == NULL));
    agentchat_snapshot_unref(snapshot);
    return status;
}

static agentchat_status write_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    const work *w = user;
    agentchat_bytes bytes = {NULL, 0, 0, env};
    agentchat_snapshot *snapshot;
    agentchat_status status;

    test_oom_running()->held = true;
    test_ok(read_with_report(env, w->text, &snapshot, err), err);
    test_oom_running()->held = false;
    status = write_with_report(snapshot, w->to, &bytes, err);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* What cannot be read is not swept: its error could come before the allocation that fails. */
static agentchat_snapshot *try_read(agentchat_str text)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    (void)read_with_report(NULL, text, &snapshot, &err);
    return snapshot;
}

static void sweep_written(work *w, const agentchat_snapshot *snapshot)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *again;
    agentchat_error err;

    test_ok(write_with_report(snapshot, w->to, &bytes, &err), &err);
    w->text = (agentchat_str){bytes.ptr, bytes.len};
    again = bytes.len <= LARGEST ? try_read(w->text) : NULL; /* may be deeper than readers go by default */
    if (again != NULL)
        w->points += test_oom_sweep(read_scenario, w);
    agentchat_snapshot_unref(again);
    agentchat_bytes_clear(&bytes);
}

static void sweep_file(const char *path, void *user)
{
    work *w = user;
    agentchat_str text;
    agentchat_snapshot *snapshot;

    text.ptr = test_file_read(path, &text.len);
    snapshot = text.len <= LARGEST ? try_read(text) : NULL;
    if (snapshot != NULL) {
        w->documents++;
        w->text = text;
        w->points += test_oom_sweep(read_scenario, w);
        for (int i = 0; i < TARGETS; i++) {
            w->to = &targets[i];
            w->text = text;
            w->points += test_oom_sweep(write_scenario, w);
            sweep_written(w, snapshot);
        }
    }
    agentchat_snapshot_unref(snapshot);
    free((char *)text.ptr);
}

static void test_format__survives_running_out_of_memory_in_every_document(void **state)
{
    static const char *const dirs[] = {"data", "interop/semantic-kernel/recorded/named",
                                       "interop/semantic-kernel/recorded/probes"};
    work w = {.documents = 0};

    (void)state;
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        char *dir = test_path(test_data_dir(), dirs[i]);

        (void)test_each_file(dir, ".json", sweep_file, &w);
        free(dir);
    }
    print_message("%zu documents, %zu points to fail\n", w.documents, w.points);
    assert_true(w.documents > 100 && w.points > 10000);
}

/* The encoded state of the decision record, which no document of the tests is. */
static agentchat_status read_encoded_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_status status;

    options.format = "agentchat-encoded";
    status = agentchat_snapshot_read_memory(env, agentchat_str_from(user), &options, &snapshot, NULL, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_format__survives_running_out_of_memory_in_an_encoded_state(void **state)
{
    char text[] =
        "{\"history\":\"W3sicm9sZSI6InVzZXIiLCJpdGVtcyI6W3sidGV4dCI6ImhpIn1dfV0=\",\"participants\":[\"e30=\"],"
        "\"channels\":[{\"channelkey\":\"k\",\"channelstate\":\"dGhyZWFkX2FiYw==\"}]}";

    (void)state;
    assert_true(test_oom_sweep(read_encoded_scenario, text) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format__survives_running_out_of_memory_in_every_document),
        cmocka_unit_test(test_format__survives_running_out_of_memory_in_an_encoded_state),
    };

    return cmocka_run_group_tests_name("format_oom", tests, NULL, NULL);
}
