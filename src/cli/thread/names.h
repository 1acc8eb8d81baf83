/* SPDX-License-Identifier: Apache-2.0 */
/* The ids of checkpoints, shortened to their ends. */
#ifndef CLI_THREAD_NAMES_H
#define CLI_THREAD_NAMES_H

#include <agentchat/thread.h>

/* Finds out of how many bytes the end of each id of a page has to be, so that it is another one than all others there,
   and most likely than those of the whole thread. NULL: out of memory; else to be freed. */
size_t *cli_thread_names(const agentchat_checkpoint_list *list);
/* Writes the end of an id that has at least so many bytes, with … in front where something was left out. */
void cli_thread_names_put(FILE *out, const char *id, size_t bytes);
/* Bytes with which an end is most likely the only one among that many checkpoints. */
size_t cli_thread_names_shortest(uint64_t checkpoints);

#endif
