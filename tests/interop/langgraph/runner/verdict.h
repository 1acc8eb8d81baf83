/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an answer of the library's is the recorded one, and if not, which rule says why. */
#ifndef RUNNER_VERDICT_H
#define RUNNER_VERDICT_H

#include "notation.h"

typedef enum verdict_kind {
    VERDICT_EQUAL,
    VERDICT_DIFFERENT, /* by rule */
    VERDICT_SKIPPED,   /* by rule */
    VERDICT_FAILING
} verdict_kind;

typedef struct verdict {
    verdict_kind kind;
    const char *rule; /* of the middle two: what it says */
} verdict;

/* What of a list of messages a rule allows to be different. All else must be equal. */
enum {
    ASPECT_ID = 1,
    ASPECT_NAME = 2,
    ASPECT_METADATA = 4,
    ASPECT_CALLS = 8,
    ASPECT_TEXTS = 16,   /* where one text ends and the next begins */
    ASPECT_CONTENT = 32, /* all of it */
    ASPECT_ROLE = 64,
    ASPECT_LIST = 128,   /* which messages there are, but not what they hold */
    ASPECT_EMPTY = 256,  /* messages of an empty text, which are there only */
    ASPECT_CHUNKS = 512, /* whether chunks stay */
    ASPECT_CHATS = 1024  /* whether ChatMessages stay */
};

/* A difference that is on purpose. Whether it applies depends on what a case gives, never on its answer or its name. */
typedef struct verdict_rule {
    const char *says;
    bool (*applies)(const json_t *one);
    unsigned aspects;
    const char *error;        /* an exception that is none here; NULL: none */
    agentchat_status refused; /* what we refuse and they do not; OK: nothing */
} verdict_rule;

/* An answer of ours: what a function returned, and of the list that it made. */
typedef struct verdict_answer {
    agentchat_status status;
    const json_t *notation;                   /* what `given` was made of; NULL: no rule excepts messages */
    const agentchat_messages *given, *result; /* result: NULL when status is a failure */
} verdict_answer;

verdict verdict_skipped(const char *rule);
verdict verdict_of(bool is_equal);
/* rules end with one that says NULL. */
verdict verdict_of_list(const json_t *one, const verdict_answer *answer, const verdict_rule *rules);
/* For what is no list: whether the case's error is the one for a status, or a rule says why not. */
verdict verdict_of_error(const json_t *one, agentchat_status status, const verdict_rule *rules);
/* The first rule that applies and allows the status, or failing. */
verdict verdict_by_rule(const json_t *one, agentchat_status status, const verdict_rule *rules);
/* The status that is refused with where Python raises the exception of a case; OK: the case has none that is known. */
agentchat_status verdict_status(const json_t *one);

/* Makes a list of an edit list and releases that. */
agentchat_messages *verdict_applied(agentchat_list_edit *edit, const agentchat_messages *messages);

#endif
