/* SPDX-License-Identifier: Apache-2.0 */
/* What all that shows messages and events to a person works with. */
#ifndef CLI_SHOW_SHOW_H
#define CLI_SHOW_SHOW_H

#include "cli/terminal/style.h"
#include <agentchat/agentchat.h>

/* Whether a field is there and not null. */
static inline bool has(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

/* Whether a flag is set. */
static inline bool is_true(agentchat_str json)
{
    return has(json) && json.len == 4 && json.ptr[0] == 't';
}

typedef struct show {
    FILE *out;
    cli_style style;
    size_t columns; /* of the terminal; 0: none */
    bool full;
    bool failed; /* out of memory: something is missing */
    bool is_complete;
    agentchat_calls *calls;
    size_t first_call, next_call; /* first: of the messages that are shown */
} show;

#endif
