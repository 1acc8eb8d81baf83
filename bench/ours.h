/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks of agentchat itself share: a sink that copies, an agent that says nothing, giving up. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "measure.h"
#include <agentchat/agentchat.h>

static inline void bench_fail(const agentchat_error *err)
{
    agentchat_error_print(err, stderr);
    exit(1);
}

/* Ends the program unless a call went well. */
static inline void bench_must(agentchat_status status, const agentchat_error *err)
{
    if (status < 0)
        bench_fail(err);
}

static inline agentchat_status bench_sink_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    (void)err;
    bench_take(self, bytes, len);
    return AGENTCHAT_OK;
}

/* Writes a snapshot to where bytes are copied and dropped; gives their number. */
static inline size_t bench_write(const agentchat_snapshot *snapshot, const agentchat_write_options *options)
{
    static const agentchat_sink_ops ops = {sizeof ops, bench_sink_write, NULL, NULL};
    size_t total = 0;
    agentchat_sink *sink = NULL;
    agentchat_error err;

    bench_must(agentchat_sink_new(NULL, &ops, &total, &sink, &err), &err);
    bench_must(agentchat_snapshot_write(snapshot, sink, options, NULL, &err), &err);
    agentchat_sink_free(sink);
    return total;
}

static inline agentchat_status bench_silence(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                             agentchat_error *err)
{
    (void)user;
    (void)seen;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

/* A chat with one history agent, Desk, that says nothing. */
static inline agentchat_chat *bench_chat(const agentchat_env *env)
{
    agentchat_error err;
    agentchat_chat *chat;

    bench_must(agentchat_chat_new(env, &chat, &err), &err);
    bench_must(agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), bench_silence, NULL, &err), &err);
    return chat;
}

#endif
