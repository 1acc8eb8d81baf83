/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread: puts chats into the threads of a store, looks at them and takes them out. */
#include "cli/thread/thread.h"
#include "cli/command/group.h"

static const cli_command *const commands[] = {
    &cli_thread_put,  &cli_thread_list,   &cli_thread_log,  &cli_thread_show,  &cli_thread_search, &cli_thread_diff,
    &cli_thread_view, &cli_thread_export, &cli_thread_copy, &cli_thread_prune, &cli_thread_delete,
};

static int run(int argc, char **argv)
{
    static const cli_group group = {
        "thread",
        "A thread is a conversation that was saved again and again: a tree of checkpoints, "
        "each of which is a\n"
        "whole chat. The id of a checkpoint may be shortened to its beginning or its end, "
        "where only one\n"
        "begins or ends so. --namespace NS: of the checkpoints of another namespace.\n" CLI_ABOUT_STORE,
        commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_thread_group = {
    .name = "thread",
    .summary = "put chats into threads of a store, look at their checkpoints",
    .run = run,
};
