/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on threads, and what they share. */
#ifndef CLI_THREAD_THREAD_H
#define CLI_THREAD_THREAD_H

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/terminal/terminal.h"
#include <agentchat/thread.h>
#include <stdbool.h>
#include <stdint.h>

/* ==== the commands of the group `agentchat thread` =============================================================== */

extern const cli_command cli_thread_group;
extern const cli_command cli_thread_put, cli_thread_list, cli_thread_log, cli_thread_show, cli_thread_search,
    cli_thread_diff, cli_thread_view, cli_thread_export, cli_thread_copy, cli_thread_prune, cli_thread_delete;

/* ==== checkpoint ================================================================================================= */

/* Writes what is known of a checkpoint as members of an object; null is what was not said. */
void cli_thread_checkpoint_json(cli_json *json, const agentchat_checkpoint_info *info);

/* What log and list are asked for, as one filter, to be freed: --source, --step (an integer), --run, and the members of
   --filter; NULL: not given. NULL when out of memory. */
char *cli_thread_filter(const char *source, const char *step, const char *run, const char *filter);

/* ==== the last message of a checkpoint's chat, in a line ========================================================= */

/* `#213 assistant Desk: It was shipped`; nothing when the checkpoint was removed meanwhile. */
agentchat_status cli_thread_last_message_put(cli_thread *t, FILE *out, const agentchat_checkpoint_info *info);

/* ==== the ids of checkpoints, shortened to their ends ============================================================ */

/* Finds out of how many bytes the end of each id of a page has to be, so that it is another one than all others there,
   and most likely than those of the whole thread. NULL: out of memory; else to be freed. */
size_t *cli_thread_names(const agentchat_checkpoint_list *list);
/* Writes the end of an id that has at least so many bytes, with … in front where something was left out. */
void cli_thread_names_put(FILE *out, const char *id, size_t bytes);
/* Bytes with which an end is most likely the only one among that many checkpoints. */
size_t cli_thread_names_shortest(uint64_t checkpoints);

/* ==== web pages of threads ======================================================================================= */

/* Whether the page would replace the store, which is said then. */
bool cli_thread_page_replaces(const cli_web_page *page, const cli_store *store);
/* Writes a page that shows the chats of two checkpoints side by side. Without a title it has their ids. false: not
   written, and the reason has been reported. */
bool cli_thread_page_write(const cli_web_page *page, const agentchat_checkpoint *before,
                           const agentchat_checkpoint *after);

/* ==== removed ==================================================================================================== */

/* Says how many checkpoints were deleted. */
void cli_thread_removed_print(uint64_t checkpoints, bool as_json);

/* ==== A page of a thread's checkpoints as a tree, for a person =================================================== */

/* Draws each checkpoint in a row of its own, newest first: the lines, the end of its id, its step, the last message of
   its chat. */
agentchat_status cli_thread_tree_put(cli_thread *t, const cli_pager *pager, const agentchat_checkpoint_list *list);

#endif
