/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searching threads: a page of what is found, from a position on.
 *
 * search.c goes from thread to thread and from namespace to namespace, search_checkpoints.c from checkpoint to
 * checkpoint. What a checkpoint adds (search_added.h) is found from two rows, its own and that of its parent; so where
 * a search goes on depends on nothing but its position.
 */
#ifndef ACI_THREAD_SEARCH_H
#define ACI_THREAD_SEARCH_H

#include "base/result_page.h"
#include "thread/query.h"
#include "thread/rows.h"

/* Before which a search goes on: message `before` of the history of checkpoint `seq`. */
typedef struct aci_search_position {
    agentchat_str thread;
    int64_t updated_us; /* of the thread */
    agentchat_str ns;
    int64_t seq, before;
} aci_search_position;

struct agentchat_thread_hits {
    aci_result_page page;
    int64_t *numbers; /* of the messages' bodies */
    size_t number_cap;
    agentchat_messages messages;
};

typedef struct aci_search {
    const agentchat_env *env;
    agentchat_thread_hits *hits;
    size_t limit;
    aci_query query;
    agentchat_str thread, ns; /* absent: all */
    aci_search_position start;
    bool continues; /* from start */
    /* ---- one attempt ---- */
    aci_tx *tx;
    int64_t num;            /* of the thread at */
    bool indexed;           /* it is: the index says which checkpoints to look at */
    aci_search_position at; /* how far it has come */
    size_t work, bytes;     /* what may still be looked at: checkpoints and numbers, messages */
    bool stopped;           /* the page ends here, with a cursor */
} aci_search;

/* Finds in the rest of the namespace at which it is. */
agentchat_status aci_search_checkpoints(aci_search *search, agentchat_error *err);

#endif
