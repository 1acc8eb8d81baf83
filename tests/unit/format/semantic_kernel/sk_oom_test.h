/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing the semantic-kernel format while each allocation in turn fails. */
#ifndef SK_OOM_TEST_H
#define SK_OOM_TEST_H

#include "sk_test.h"

#include "format/semantic_kernel/semantic_kernel.h"

static inline agentchat_status sk_read_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    const agentchat_str *text = user;
    agentchat_snapshot *snapshot;
    agentchat_report *report = NULL;
    agentchat_status status;

    options.format = "semantic-kernel";
    status = agentchat_snapshot_read_memory(env, *text, &options, &snapshot, &report, err);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* How many allocations failed. */
static inline size_t sk_sweep_reading(agentchat_str text)
{
    return test_oom_sweep(sk_read_scenario, &text);
}

typedef struct sk_write_user {
    bool strict;
    const agentchat_snapshot *snapshot;
} sk_write_user;

static inline agentchat_status sk_write_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_report *report = aci_report_new(env);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    const sk_write_user *what = user;
    aci_write out = {.env = env, .report = report, .strict = what->strict, .max_copies = ACI_DEFAULT_MAX_COPIES};
    agentchat_status status;

    agentchat_error_clear(err);
    if (report == NULL)
        return AGENTCHAT_E_NOMEM;
    status = agentchat_sink_memory(env, &bytes, &out.sink, err);
    if (status >= 0)
        status = aci_sk_write(&out, what->snapshot, err);
    agentchat_sink_free(out.sink);
    agentchat_bytes_clear(&bytes);
    agentchat_report_free(report);
    return status;
}

static inline size_t sk_sweep_writing(const agentchat_snapshot *snapshot, bool strict)
{
    sk_write_user user = {strict, snapshot};

    return test_oom_sweep(sk_write_scenario, &user);
}

#endif
