/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of cases: each calls the library's function for it and checks the answer. */
#ifndef RUNNER_KINDS_H
#define RUNNER_KINDS_H

#include "verdict.h"

/* A case as it was read. */
typedef struct kind_case {
    const json_t *one;
    agentchat_str line;  /* its text */
    const json_t *lists; /* lists that are named: an object */
} kind_case;

verdict kind_add(const kind_case *c);
verdict kind_trim(const kind_case *c);
verdict kind_filter(const kind_case *c);
verdict kind_merge(const kind_case *c);
verdict kind_tokens(const kind_case *c);
verdict kind_keep(const kind_case *c);
verdict kind_summarize(const kind_case *c);

/* What several kinds pass over. */
#define KIND_ODD "a message that only Python's coercion knows, or refuses"
#define KIND_REMOVAL "a RemoveMessage among messages, which is no message here"
#define KIND_OPTION "an option of a type that only Python has"

verdict kind_passed_over(notation_form form);

/* Conditions of options: a list of texts, which ends with NULL. Classes of messages become their roles. */
enum { KIND_MOST = 512 };
typedef struct kind_texts {
    const char *list[KIND_MOST + 1];
    const char *const *given; /* NULL: there is no condition */
} kind_texts;
/* is_type: of messages. false: something else than texts, classes, lists, tuples or sets of them. */
bool kind_take_texts(const json_t *given, bool is_type, kind_texts *out);

/* Predicates of rules. */
/* Whether a condition names a text: as one, or in a list, tuple or set. */
bool kind_names(const json_t *condition, const char *text);
/* Whether a condition names the type of a chunk of the case, or that or the role of a ChatMessage. */
bool kind_names_chunk(const json_t *one, const json_t *condition);
bool kind_names_chat(const json_t *one, const json_t *condition);
bool kind_has_member(const json_t *one, const char *name); /* a message with such a member that is not empty */

/* The library's approximate counter, but that calls beside a list of parts cost nothing, as they do there. */
#define KIND_CALLS "calls beside a list of parts cost nothing there; here they count beside one part or none"
agentchat_status kind_count_as_there(void *user, const agentchat_message *const *messages, size_t count,
                                     uint64_t *tokens, agentchat_error *err);

#endif
