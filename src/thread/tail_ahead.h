/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the newest messages of a thread in one batch, for a database that is asked over a network: with the
 * checkpoint, what its history's end is most often made of. The statements are none where that is of no use.
 */
#ifndef ACI_THREAD_TAIL_AHEAD_H
#define ACI_THREAD_TAIL_AHEAD_H

#include "thread/get.h"
#include "thread/lists.h"
#include "thread/load.h"

typedef struct aci_tail_ahead {
    const aci_get *get; /* its row is known before the others are */
    aci_arena *arena;
    aci_item_row *items;
    size_t item_count, item_cap;
    aci_body_ahead *bodies;
    size_t body_count, body_cap;
    bool has_spans; /* the end of the history may stand elsewhere */
} aci_tail_ahead;

/* Queues the statements, after the one for the newest checkpoint. Clear it in any case. E_NOMEM. */
agentchat_status aci_tail_ahead_ask(aci_tail_ahead *ahead, const aci_get *get, aci_tx *tx, size_t count,
                                    agentchat_error *err);
/* Makes the messages of a range of the history; *complete: false where what was read does not have them all. */
agentchat_status aci_tail_ahead_messages(const aci_tail_ahead *ahead, aci_range range, agentchat_messages *out,
                                         bool *complete, agentchat_error *err);
void aci_tail_ahead_clear(aci_tail_ahead *ahead);

#endif
