/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting a checkpoint, as the public call and the live chats do it.
 *
 * The first batch locks the thread and reads the checkpoint that is followed; the second one asks which of the new
 * bodies are there already, how the segments stand that are continued, and, where the checkpoint is not the newest of
 * the thread, what follows it already; the third one writes and commits.
 */
#ifndef ACI_THREAD_PUT_H
#define ACI_THREAD_PUT_H

#include "base/buf.h"
#include "thread/memory.h"

typedef struct aci_put {
    agentchat_store *store;
    agentchat_str thread, ns, id, parent, expect, source, run, metadata; /* absent where not given; id never is */
    const agentchat_snapshot *snapshot;
    agentchat_checkpoint_put_options options;
    const aci_memory *memory; /* NULL: nothing is remembered */
    /* ---- set by aci_put_run() ---- */
    aci_checkpoint_row row; /* its texts are those above but contents, which are: */
    aci_buf contents;
    char made[AGENTCHAT_ID_SIZE];
} aci_put;

/* Takes over and checks what the caller gave; clear it in any case. */
agentchat_status aci_put_begin(aci_put *put, agentchat_store *store, const char *thread,
                               const agentchat_snapshot *snapshot, const agentchat_checkpoint_put_options *options,
                               agentchat_error *err);
agentchat_status aci_put_run(aci_put *put, agentchat_error *err);
void aci_put_clear(aci_put *put);

#endif
