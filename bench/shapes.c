/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes.h"

agentchat_str bench_text(const char *format, size_t number)
{
    static char text[8][64];
    static size_t next;
    char *at = text[next++ % 8];

    return (agentchat_str){at, (size_t)snprintf(at, sizeof text[0], format, number)};
}

agentchat_message *bench_message(size_t number)
{
    agentchat_message *message = NULL;
    agentchat_error err;

    bench_must(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0},
                                          bench_text("This is message number %zu.", number), &message, &err),
               &err);
    return message;
}

agentchat_snapshot_builder *bench_edit(const agentchat_snapshot *from)
{
    agentchat_snapshot_builder *builder;
    agentchat_error err;

    bench_must(agentchat_snapshot_builder_new(NULL, from, &builder, &err), &err);
    return builder;
}

agentchat_snapshot_builder *bench_builder(size_t messages)
{
    agentchat_snapshot_builder *builder = bench_edit(NULL);

    for (size_t i = 0; i < messages; i++) {
        agentchat_message *message = bench_message(i);

        agentchat_snapshot_builder_add_message(builder, message);
        agentchat_message_unref(message);
    }
    return builder;
}

agentchat_snapshot *bench_finish(agentchat_snapshot_builder *builder)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    bench_must(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    return snapshot;
}
