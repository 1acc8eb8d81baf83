/* SPDX-License-Identifier: Apache-2.0 */
/* Making a snapshot of what the store has of a checkpoint. */
#ifndef ACI_THREAD_LOAD_H
#define ACI_THREAD_LOAD_H

#include "snapshot/snapshot.h"
#include "thread/contents.h"
#include "thread/rows.h"

/* Reads the chat of a checkpoint within a transaction. held: another checkpoint of the thread, whose chat is known:
   what that has is shared and not read. NULL: there is none. */
agentchat_status aci_load_chat(aci_tx *tx, const aci_checkpoint_row *row, const aci_checkpoint_row *held,
                               const agentchat_snapshot *held_chat, agentchat_snapshot **out, agentchat_error *err);
/* Bodies that were read before it was known whether they are needed; sound, by descending numbers. */
typedef struct aci_body_ahead {
    int64_t no;
    agentchat_str bytes;
} aci_body_ahead;
/* Makes the messages that are the bodies of these numbers from what was read ahead, without the store; *out as below.
 *complete: false where that does not have everything. */
agentchat_status aci_load_ahead(const agentchat_env *env, const int64_t *numbers, size_t count,
                                const aci_body_ahead *ahead, size_t ahead_count, agentchat_messages *out,
                                bool *complete, agentchat_error *err);
/* Reads the messages that are the bodies of these numbers; *out as below. */
agentchat_status aci_load_numbered(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count,
                                   agentchat_messages *out, agentchat_error *err);
/* The same without their large data, which is empty then. */
agentchat_status aci_load_without_data(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count,
                                       agentchat_messages *out, agentchat_error *err);
/* Reads the messages of a part of a list; *out is to be cleared with aci_list_clear(). */
agentchat_status aci_load_messages(aci_tx *tx, int64_t num, aci_range range, agentchat_messages *out,
                                   agentchat_error *err);

#endif
