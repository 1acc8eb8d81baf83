/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which messages of a list are those of a history, however much either of them has that the other one lacks. Layer 5.
 *
 * Unlike an alignment for a comparison this one is for lists of which one is mostly a part of the other, of any length:
 * messages that occur once in the history are found first, those that repeat are then looked for between them. Its cost
 * grows with the lists, but for a logarithm.
 */
#ifndef ACI_VIEW_SAME_MESSAGES_H
#define ACI_VIEW_SAME_MESSAGES_H

#include "base/index.h"
#include "model/model.h"
#include "snapshot/align.h"

#define ACI_NOT_IN_HISTORY SIZE_MAX

typedef struct aci_occurrence aci_occurrence;

/* A history made ready to be compared with many lists. */
typedef struct aci_history_index {
    const agentchat_env *env;
    const agentchat_messages *history;
    size_t count;
    const agentchat_message **pointers; /* of the history's messages: what most lists share with it */
    aci_hash *digests;                  /* NULL until a list has a message that it does not share */
    aci_index by_pointer, by_digest;    /* place of the first of its kind */
    aci_occurrence *occurrences;        /* for each message of the history */
    uint32_t lists;                     /* compared so far */
} aci_history_index;

/* E_NOMEM only, as of the next one. */
agentchat_status aci_history_index_make(aci_history_index *index, const agentchat_env *env,
                                        const agentchat_messages *history, agentchat_error *err);
void aci_history_index_clear(aci_history_index *index);
/* The first message of the history that equals this one, or ACI_NOT_IN_HISTORY. */
agentchat_status aci_history_find(aci_history_index *index, const agentchat_message *message, size_t *first,
                                  agentchat_error *err);
/* The next one that equals the one at a place, or ACI_NOT_IN_HISTORY. */
size_t aci_history_next(const aci_history_index *index, size_t place);
/* match[i]: place in the history of message i of the list, or ACI_NOT_IN_HISTORY. The places ascend. */
agentchat_status aci_same_messages(aci_history_index *index, const agentchat_messages *list, size_t *match,
                                   agentchat_error *err);

#endif
