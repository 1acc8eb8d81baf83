/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of which something may be left out. */
#ifndef CLI_SHOW_LINE_H
#define CLI_SHOW_LINE_H

#include "cli/show/show.h"
#include "cli/text/memory.h"

enum { SHOW_MAX_COLUMNS = 100 }; /* of calls, results, addresses */

/* Columns for what follows something of `used` columns; 0: any number. */
size_t show_room(const show *s, size_t used);
/* Ends and releases a line that was put together in memory: shortens it, and puts an id at its right; absent: none. */
void show_line(show *s, cli_memory *text, agentchat_str id, unsigned indent);
/* A line of the tool's own. */
void show_note(show *s, const char *text, unsigned indent);
/* Data that belongs to a field of the item or message and is shown with full only: `  name: value`. */
void show_detail(show *s, const char *name, agentchat_str value, unsigned indent);
/* A property that the format does not know, with full only. */
void show_extra(show *s, const agentchat_extra *extra, unsigned indent);

#endif
