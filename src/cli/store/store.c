/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat store: makes a store's tables, looks whether what it holds is intact, and indexes its threads. */
#include "cli/store/store.h"
#include "cli/command/group.h"

static const cli_command *const commands[] = {&cli_store_init, &cli_store_check, &cli_store_index};

static int run(int argc, char **argv)
{
    static const cli_group group = {"store", CLI_ABOUT_STORE, commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_store_group = {
    .name = "store",
    .summary = "make a store of sessions and threads, or look whether it is intact",
    .run = run,
};
