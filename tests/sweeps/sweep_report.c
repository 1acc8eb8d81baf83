/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/report.h. Making a report is swept with what makes it: sweep_snapshot_io.c, sweep_chat_state.c.
 */
#include "sweep.h"

/* What writing a snapshot for Semantic Kernel loses. */
static agentchat_report *some_report(const agentchat_env *env)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_error err;

    options.format = "semantic-kernel";
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, &report, &err), &err);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    return report;
}

static agentchat_status look_at_report(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_report *report = some_report(env);
    const agentchat_report_entry *entry, *beyond;
    const char *kind, *match;
    size_t count, losses, none;

    (void)variant;
    (void)err;
    sweep_begin();
    count = agentchat_report_count(report);
    losses = agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS);
    none = agentchat_report_count(NULL) + agentchat_report_count_of(NULL, AGENTCHAT_REPORT_LOSS);
    entry = agentchat_report_at(report, 0);
    beyond = agentchat_report_at(report, count);
    kind = agentchat_report_kind_name(entry->kind);
    match = agentchat_match_name(AGENTCHAT_MATCH_ID);
    sweep_end();
    assert_true(losses > 0 && count >= losses);
    assert_int_equal(none, 0);
    assert_non_null(entry->text.ptr);
    assert_null(beyond);
    assert_string_not_equal(kind, "unknown");
    assert_string_equal(match, "id");
    sweep_begin();
    agentchat_report_free(NULL);
    agentchat_report_free(report);
    sweep_end();
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_report_count", look_at_report, SWEEP_NEVER, 0},
    {"agentchat_report_count_of", look_at_report, SWEEP_NEVER, 0},
    {"agentchat_report_at", look_at_report, SWEEP_NEVER, 0},
    {"agentchat_report_kind_name", look_at_report, SWEEP_NEVER, 0},
    {"agentchat_match_name", look_at_report, SWEEP_NEVER, 0},
    {"agentchat_report_free", look_at_report, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.report", rows, sizeof rows / sizeof *rows);
}
