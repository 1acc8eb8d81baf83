/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting a checkpoint, as the public call and the live chats do it.
 *
 * The first batch locks the thread and reads the checkpoint that is followed; the second one asks which of the new
 * bodies are there already, how the segments stand that are continued, and, where the checkpoint is not the newest of
 * the thread, which is the newest of its line; the third one writes and commits.
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
    /* ---- of a live chat; set by the caller after aci_put_begin() ---- */
    const aci_memory *memory; /* the checkpoint that it stands on, its parent; NULL: none */
    const aci_lost *lost;     /* an earlier put whose outcome is not known; NULL: none */
    const char *advice;       /* what a conflict ends with; NULL: of no live chat */
    bool may_begin;           /* the thread that it remembers may be gone: it begins it anew */
    agentchat_str answered;   /* as aci_consumption */
    /* ---- set by aci_put_run() ---- */
    aci_found_lost found;   /* what became of the lost one */
    bool is_uncertain;      /* on failure: it may have been put all the same */
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
