/* SPDX-License-Identifier: Apache-2.0 */
/* Which checkpoints of a namespace the index of its thread names for a query. */
#ifndef ACI_THREAD_SEARCH_TERMS_H
#define ACI_THREAD_SEARCH_TERMS_H

#include "thread/search.h"
#include "thread/search_added.h"

typedef struct aci_term_candidates {
    int64_t seqs[ACI_SEARCH_TOGETHER]; /* descending */
    size_t count;
    int64_t reached; /* those from this sequence number on are complete; 0: all */
    size_t work;     /* that it was, as searches count it */
} aci_term_candidates;

/* Finds the newest ones before a sequence number: those that have all words of the query, or the first ones of many,
   and those that are marked. */
agentchat_status aci_search_terms(const aci_search *search, int64_t below, aci_term_candidates *out,
                                  agentchat_error *err);

#endif
