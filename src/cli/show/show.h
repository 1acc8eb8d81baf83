/* SPDX-License-Identifier: Apache-2.0 */
/* Showing chats, messages, sessions and reports to a person. */
#ifndef CLI_SHOW_SHOW_H
#define CLI_SHOW_SHOW_H

#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <agentchat/agentchat.h>
#include <agentchat/session.h>
#include <agentchat/thread.h>

/* ==== what all that shows messages and events to a person works with ============================================= */

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

/* ==== A message in a few words =================================================================================== */

/* Writes `assistant Desk: It was shipped on Tuesday`: role, name, and the first line of its first text, or its first
   item. As it stands: for a line that is put together in memory. */
void show_brief(FILE *out, const agentchat_message *message);

/* ==== A call or a result as one line, with the id of the call at the right ======================================= */

void show_result(show *s, const agentchat_item *item, unsigned indent);

/* The same without the id, in full and as it stands: for a line that is put together in memory. */
void show_call_put(FILE *out, const agentchat_item *item);

/* ==== chat ======================================================================================================= */

/* Shows a history, or of a channel what it holds: the last so many messages, UINT64_MAX for all. false: out of
   memory. */
bool show_chat_history(const cli_pager *pager, const agentchat_messages *messages, uint64_t last, bool full);
bool show_chat_channel(const cli_pager *pager, const agentchat_channel_state *channel, uint64_t last, bool full);

/* ==== lines of which something may be left out =================================================================== */

enum { SHOW_MAX_COLUMNS = 100 }; /* of calls, results, addresses */

/* Columns for what follows something of `used` columns; 0: any number. */
size_t show_room(const show *s, size_t used);
/* Ends and releases a line that was put together in memory: shortens it, and puts an id at its right; absent: none. */
void show_line(show *s, cli_memory *text, agentchat_str id, unsigned indent);
/* Data that belongs to a field of the item or message and is shown with full only: `  name: value`. */
void show_detail(show *s, const char *name, agentchat_str value, unsigned indent);
/* A property that the format does not know, with full only. */
void show_extra(show *s, const agentchat_extra *extra, unsigned indent);

/* ==== message ==================================================================================================== */

/* Shows messages first to count-1. A result stands below its call; with full, everything stands where it is stored and
   nothing is shortened. false: out of memory. */
bool show_messages(const cli_pager *pager, const agentchat_messages *messages, size_t first, bool full);
/* The same for the end of a history, before which so many messages stand. */
bool show_message_tail(const cli_pager *pager, const agentchat_messages *messages, uint64_t before, bool full);

/* The same one by one: prepares for a list of messages, each of which from the first that is shown is then given to
   show_message() or show_body() in that order; those before it may hold the calls of results. is_complete: nothing
   stands before them. To be ended in any case, before the list is; false: out of memory. */
bool show_begin(show *s, const cli_pager *pager, bool full, const agentchat_messages *messages, size_t first,
                bool is_complete);
void show_end(show *s);

/* Shows a message's first line and its items. */
void show_message(show *s, const agentchat_message *message, unsigned indent, bool linked);
/* Shows its items alone. */
void show_body(show *s, const agentchat_message *message, unsigned indent, bool linked);
/* `2026-11-21 10:02` of an RFC 3339 time, with the offset if it is not Z; anything else, and with full, as it stands.
 */
void show_time(const show *s, agentchat_str time);

/* ==== pending ==================================================================================================== */

/* Shows pending writes, one a line, the path at the right. false: out of memory. */
bool show_pending(const cli_pager *pager, const agentchat_pending_list *list, bool full);

/* ==== prints what reading and writing did besides succeeding, for people ========================================= */

/* One line per kind and sentence: losses first, then repairs, then notes, each in the order of the chat:
   `2 losses: /history/4/items/2 and 1 more  sentence`. Reports may be NULL. false: out of memory. */
bool cli_report_print(FILE *out, unsigned indent, const agentchat_report *first, const agentchat_report *second);

/* ==== session ==================================================================================================== */

/* Shows a session's name, its state and the events that the handle holds, each with what it changed. false:
   out of memory. */
bool show_session(const cli_pager *pager, const agentchat_session *session, bool full);

#endif
