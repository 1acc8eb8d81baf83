/* SPDX-License-Identifier: Apache-2.0 */
/* Shows messages and events to a person. Layer: cli. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "screen.h"
#include <agentchat/agentchat.h>
#include <agentchat/session.h>

/* Whether a field is there and not null. */
static inline bool has(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

typedef struct show {
    FILE *out;
    cli_style style;
    size_t columns; /* of the terminal; 0: none */
    bool full;
    bool failed; /* out of memory: something is missing */
    bool is_whole;
    agentchat_calls *calls;
    size_t first_call, next_call; /* first: of the messages that are shown */
} show;

/* Shows messages first to count-1. A result stands below its call; with full, everything stands where it is stored and
   nothing is shortened. false: out of memory. */
bool show_messages(const cli_screen *screen, const agentchat_messages *messages, size_t first, bool full);

/* The same one by one: prepares for a list of messages, each of which from the first that is shown is then given to
   show_message() or show_body() in that order; those before it may hold the calls of results. is_whole: nothing stands
   before them. To be ended in any case, before the list is; false: out of memory. */
bool show_begin(show *s, const cli_screen *screen, bool full, const agentchat_messages *messages, size_t first,
                bool is_whole);
void show_end(show *s);

/* Shows one item, indented. */
void show_item(show *s, const agentchat_item *item, unsigned indent);
/* Shows a message's first line and its items. */
void show_message(show *s, const agentchat_message *message, unsigned indent, bool linked);
/* Shows its items alone. */
void show_body(show *s, const agentchat_message *message, unsigned indent, bool linked);
/* `2026-11-21 10:02` of an RFC 3339 time, with the offset if it is not Z; anything else, and with full, as it stands.
 */
void show_time(const show *s, agentchat_str time);

/* show_call.c: a call's or a result's line, with the id of the call at the right. */
void show_call(show *s, const agentchat_item *item, unsigned indent);
void show_result(show *s, const agentchat_item *item, unsigned indent);
/* Ends a line that was put together in memory (NULL: there was none for it), and releases its text: shortens it, and
   puts an id at its right; absent: none. */
void show_line(show *s, FILE *memory, char **text, const size_t *len, agentchat_str id, unsigned indent);
/* A line of the tool's own. */
void show_note(show *s, const char *text, unsigned indent);
/* Columns for what stands behind something of `used` columns; 0: any number. */
size_t show_room(const show *s, size_t used);
/* Data that belongs to a field of the item or message and is shown with full only: `  name: value`. */
void show_detail(show *s, const char *name, agentchat_str value, unsigned indent);
/* A property that the format does not know, with full only. */
void show_extra(show *s, agentchat_extra extra, unsigned indent);

/* show_session.c: a session's name, its state and the events that the handle holds, each with what it changed. false:
   out of memory. */
bool show_session(const cli_screen *screen, const agentchat_session *session, bool full);

#endif
