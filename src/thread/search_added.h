/* SPDX-License-Identifier: Apache-2.0 */
/* What checkpoints add to the histories of their parents: the messages that are searched in them. */
#ifndef ACI_THREAD_SEARCH_ADDED_H
#define ACI_THREAD_SEARCH_ADDED_H

#include "thread/contents.h"
#include "thread/search.h"

enum { ACI_SEARCH_TOGETHER = 64 }; /* checkpoints */

typedef struct aci_added {
    aci_checkpoint_row row;
    aci_range history;
    aci_checkpoint_found parent; /* when it was asked for */
    /* ---- what the history has that the parent's may not have, and the other way round ---- */
    aci_range added, gone;
    int64_t *added_numbers; /* of the bodies; 0: the parent has it, too */
    int64_t *gone_numbers;  /* NULL: there are none, or they do not matter */
} aci_added;

typedef struct aci_added_list {
    const aci_search *search;
    aci_arena *arena;
    aci_added rows[ACI_SEARCH_TOGETHER + 1]; /* the last one may be the parent of one before it */
    size_t read, count;                      /* count: of those that are searched */
} aci_added_list;

/* Reads the next checkpoints of the namespace, newest first, into an empty list. */
agentchat_status aci_search_added_read(aci_added_list *list, agentchat_error *err);

#endif
