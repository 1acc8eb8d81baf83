/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat store index: gives the threads of a store an index of words, or takes it away. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/store/store.h"
#include "cli/terminal/waiting.h"
#include <agentchat/thread.h>
#include <string.h>

static int run_index(int argc, char **argv)
{
    cli_store s = {.self = &cli_store_index};
    cli_waiting waiting;
    int status = cli_arguments(s.self, argc, argv, "STORE WHAT on|off", NULL, 0);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (strcmp(argv[2], "threads") != 0)
        return cli_command_usage(s.self->name, "only threads can be indexed, not \"%s\"", argv[2]);
    if (strcmp(argv[3], "on") != 0 && strcmp(argv[3], "off") != 0)
        return cli_command_usage(s.self->name, "the index is switched on or off, not \"%s\"", argv[3]);
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    cli_waiting_begin(&waiting, "indexing");
    agentchat_status done = agentchat_thread_index(s.store, strcmp(argv[3], "on") == 0, &s.err);
    cli_waiting_end(&waiting);
    status = done < 0 ? cli_store_fail(&s, done) : CLI_SUCCESS;
    cli_store_close(&s);
    return status;
}

const cli_command cli_store_index = {
    .name = "store index",
    .summary = "give threads an index for searching, or take it away",
    .help = "usage: agentchat store index STORE threads on|off\n"
            "\n"
            "Gives the threads of a store an index of words, so that agentchat thread search need not read all of\n"
            "them, or takes it away. What is found is the same. The index is built for the threads that are there,\n"
            "and kept for these and new ones by all who put to them, which costs them time and space. Others may\n"
            "work meanwhile. A command that was ended before it was done does the rest when it is run again.\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_index,
};
