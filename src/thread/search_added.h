/* SPDX-License-Identifier: Apache-2.0 */
/* What checkpoints add to the histories of their parents: the messages that are searched in them. */
#ifndef ACI_THREAD_SEARCH_ADDED_H
#define ACI_THREAD_SEARCH_ADDED_H

#include "thread/contents.h"
#include "thread/rows.h"

enum { ACI_SEARCH_TOGETHER = 64 }; /* checkpoints */

typedef struct aci_added {
    aci_checkpoint_row row;
    aci_range history;
    aci_checkpoint_found parent; /* when it was asked for, */
    aci_checkpoint_found before; /* and what comes before it in the namespace, likewise */
    /* ---- what the history has that the parent's may not have, and the other way round ---- */
    aci_range added, gone;
    int64_t *added_numbers; /* of the bodies; 0: the parent has it, too */
    int64_t *gone_numbers;  /* NULL: there are none, or they do not matter */
} aci_added;

typedef struct aci_added_list {
    const agentchat_env *env;
    aci_tx *tx;
    int64_t num;
    agentchat_str thread, ns;
    aci_arena *arena;
    int64_t below;       /* sequence number before which those are that are read; or */
    const int64_t *only; /* these, descending; NULL: all */
    size_t only_count;
    aci_added rows[ACI_SEARCH_TOGETHER + 1]; /* the last one may be the parent of one before it */
    size_t read, count;                      /* count: of those that are searched */
} aci_added_list;

/* Reads checkpoints of the namespace, newest first, into an empty list: some that are next, or those of `only` that are
   there. */
agentchat_status aci_search_added_read(aci_added_list *list, agentchat_error *err);

#endif
