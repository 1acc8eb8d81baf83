/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which messages of a list are those of a history, however much either of them has that the other one lacks.
 *
 * Unlike an alignment for a comparison this one is for lists of which one is mostly a part of the other, of any length:
 * messages that occur once in the history are found first; one that repeats is then the one next to those, in the list
 * as in the history, or else the first between them. A message that the list shares with the history is that one, even
 * when others say the same. The cost of a list grows with the list alone, but for a logarithm, and once with the
 * history.
 */
#ifndef ACI_SNAPSHOT_HISTORY_INDEX_H
#define ACI_SNAPSHOT_HISTORY_INDEX_H

#include "base/index.h"
#include "base/shared.h"
#include "model/model.h"
#include "snapshot/align.h"

#define ACI_NOT_IN_HISTORY SIZE_MAX

/* Messages that are one and the same: the positions in the history of each kind of them, ascending. */
typedef struct aci_kinds {
    aci_index numbers; /* of the kinds */
    size_t count;
    size_t *starts; /* where the positions of each kind begin; one more after the last */
    size_t *positions;
} aci_kinds;

/* A history made ready to be compared with many lists. */
typedef struct aci_history_index {
    const agentchat_env *env;
    const agentchat_messages *history;
    bool content; /* equal: in content alone; to be set before anything is looked for */
    size_t count;
    const agentchat_message **pointers; /* of the history's messages */
    aci_hash *digests;                  /* NULL until a list has a message that it does not share with the history */
    aci_kinds by_pointer, by_digest;
    aci_kinds by_id;      /* of messages with an id; empty until one is looked for */
    aci_kinds without_id; /* by digest, those that have none; the same */
} aci_history_index;

/* E_NOMEM only, as of the next one. */
ACI_SHARED agentchat_status aci_history_index_make(aci_history_index *index, const agentchat_env *env,
                                                   const agentchat_messages *history, agentchat_error *err);
ACI_SHARED void aci_history_index_clear(aci_history_index *index);
/* Where a message may stand in the history: its positions, ascending; a view into the index. */
typedef struct aci_candidates {
    const size_t *positions;
    size_t count;
} aci_candidates;

/* The positions of the messages that are this very one. */
aci_candidates aci_history_index_find_same(const aci_history_index *index, const agentchat_message *message);
/* The positions of the messages that are this very one; those of equal ones when the history does not share it. */
ACI_SHARED agentchat_status aci_history_index_find(aci_history_index *index, const agentchat_message *message,
                                                   aci_candidates *out, agentchat_error *err);
/* The positions of the messages with an id. E_NOMEM. */
agentchat_status aci_history_index_find_id(aci_history_index *index, agentchat_str id, aci_candidates *out,
                                           agentchat_error *err);
/* The positions of the messages without an id that are equal to one. */
agentchat_status aci_history_index_find_without_id(aci_history_index *index, const agentchat_message *message,
                                                   aci_candidates *out, agentchat_error *err);
/* match[i]: position in the history of message i of the list, or ACI_NOT_IN_HISTORY. The positions ascend. */
ACI_SHARED agentchat_status aci_history_index_match(aci_history_index *index, const agentchat_messages *list,
                                                    size_t *match, agentchat_error *err);

#endif
