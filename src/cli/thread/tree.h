/* SPDX-License-Identifier: Apache-2.0 */
/* A page of a thread's checkpoints as a tree, for a person. */
#ifndef CLI_THREAD_TREE_H
#define CLI_THREAD_TREE_H

#include "cli/io/thread.h"
#include "cli/terminal/pager.h"

/* Draws each checkpoint in a row of its own, newest first: the lines, the end of its id, its step, the last message of
   its chat. */
agentchat_status cli_thread_tree_put(cli_thread *t, const cli_pager *pager, const agentchat_checkpoint_list *list);

#endif
