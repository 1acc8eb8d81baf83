/* SPDX-License-Identifier: Apache-2.0 */
/* Chats of unusual shape: n of something of which a chat usually has a few. What bench_shapes.c and its files of
   shapes share. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "ours.h"
#include "steps.h"

typedef struct bench_shape {
    const char *name;
    size_t most;                               /* larger numbers are not tried */
    agentchat_snapshot *(*make)(size_t count); /* a snapshot, which is then written, read, compared, … */
    void (*run)(size_t count);                 /* or, without one, the steps themselves */
} bench_shape;

/* Each ends with one that has no name. */
extern const bench_shape bench_snapshot_shapes[], bench_live_shapes[], bench_document_shapes[];

/* Text with a number in it, valid until the next call but seven. */
agentchat_str bench_text(const char *format, size_t number);
agentchat_message *bench_message(size_t number);
/* A builder that starts from a snapshot, or from nothing for NULL; one with a history of so many messages. */
agentchat_snapshot_builder *bench_edit(const agentchat_snapshot *from);
agentchat_snapshot_builder *bench_builder(size_t messages);
agentchat_snapshot *bench_finish(agentchat_snapshot_builder *builder);

#endif
