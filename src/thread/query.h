/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages have all words of a query. */
#ifndef ACI_THREAD_QUERY_H
#define ACI_THREAD_QUERY_H

#include "base/arena.h"
#include "base/index.h"
#include "thread/message_words.h"

enum { ACI_MOST_EXCERPT = 240, ACI_QUERY_WORDS = 8 };

typedef struct aci_query {
    const agentchat_env *env;
    aci_arena *arena;
    aci_index by_word;
    uint64_t *seen; /* by word: in which message it was seen last */
    size_t count;
    agentchat_str first[ACI_QUERY_WORDS]; /* of them, as many as there are: for the index of a thread */
    /* ---- the message that is looked at ---- */
    uint64_t message; /* its number, from 1 */
    size_t found;     /* words that it has */
    aci_message_words words;
    char excerpt[ACI_MOST_EXCERPT];
    size_t excerpt_len, match_begin, match_end;
} aci_query;

/* E_INVALID when the query has no word, E_NOMEM. Clear it in any case. */
agentchat_status aci_query_begin(aci_query *query, const agentchat_env *env, agentchat_str text, agentchat_error *err);
void aci_query_clear(aci_query *query);
/* Whether a message has all words; the excerpt is set when it does. */
agentchat_status aci_query_match(aci_query *query, const agentchat_message *message, bool *matches,
                                 agentchat_error *err);

#endif
