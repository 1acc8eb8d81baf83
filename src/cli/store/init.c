/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat store init: makes the tables of a store. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/store/store.h"

static int run_init(int argc, char **argv)
{
    cli_store s = {.self = &cli_store_init};
    int status = cli_arguments(s.self, argc, argv, "STORE", NULL, 0);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    agentchat_status made = cli_store_make(&s);
    return made < 0 ? cli_store_fail(&s, made) : CLI_SUCCESS;
}

const cli_command cli_store_init = {
    .name = "store init",
    .summary = "make the tables of a store, or bring older ones up to date",
    .help = "usage: agentchat store init STORE\n"
            "\n"
            "Makes the tables of a store, or brings those of an older version up to date; does nothing when they\n"
            "are. A file is also made by the first session that goes into it; the tables on a PostgreSQL server\n"
            "are made by this command only, in the schema agentchat.\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_init,
};
