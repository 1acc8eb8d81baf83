/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of a chat in the store: what is left of a snapshot without its lists, states and values, and without what
 * changes from step to step; so most checkpoints of a thread share one.
 */
#ifndef ACI_THREAD_FRAME_H
#define ACI_THREAD_FRAME_H

#include "snapshot/snapshot.h"

/* Writes a snapshot's frame, a document of format 1, into the arena. */
agentchat_status aci_frame_write(const agentchat_snapshot *snapshot, aci_arena *arena, agentchat_str *out,
                                 agentchat_error *err);
/* Reads a frame as a snapshot, which is the caller's to fill. E_CORRUPT when it is none. */
agentchat_status aci_frame_read(const agentchat_env *env, agentchat_str frame, agentchat_snapshot **out,
                                agentchat_error *err);

#endif
