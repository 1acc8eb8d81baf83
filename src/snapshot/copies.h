/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often a document may be repeated in what is made of it (docs/limits.md).
 *
 * Messages that channels name from the history, and what the writer of semantic-kernel completes, take no room in a
 * document: a hundred kilobytes can stand for a gigabyte. Whatever spells them out counts the bytes here, one budget
 * for a whole operation, nested chats included, and begins another copy only while something is left. So an operation
 * never makes more than the budget and the one copy that it had begun.
 */
#ifndef ACI_SNAPSHOT_COPIES_H
#define ACI_SNAPSHOT_COPIES_H

#include "snapshot/snapshot.h"

/* Bytes that are allowed whatever the size, so that small chats are complete. */
#define ACI_COPIES_FREE (UINT64_C(1) << 20)

typedef struct aci_copies {
    uint64_t most;   /* copies */
    uint64_t source; /* bytes that were read; 0: nothing was */
    uint64_t used;   /* bytes of copies */
} aci_copies;

/* Bytes that may be repeated of what takes `once` bytes. */
static inline uint64_t aci_copies_bytes(uint64_t once, uint64_t most)
{
    return once > (UINT64_MAX - ACI_COPIES_FREE) / most ? UINT64_MAX : once * most + ACI_COPIES_FREE;
}

/* Whether another copy may begin. once: bytes that were made so far of what is no copy; what was read counts as that
   where it is more. */
static inline bool aci_copies_left(const aci_copies *copies, uint64_t once)
{
    return copies->used < aci_copies_bytes(once > copies->source ? once : copies->source, copies->most);
}

/* Sticks in err: what was repeated too often, and what to do. */
agentchat_status aci_copies_fail(const aci_copies *copies, agentchat_error *err);

#endif
