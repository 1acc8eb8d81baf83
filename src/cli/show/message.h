/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SHOW_MESSAGE_H
#define CLI_SHOW_MESSAGE_H

#include "cli/show/show.h"
#include "cli/terminal/pager.h"

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

#endif
