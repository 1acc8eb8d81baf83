/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat store index: gives the threads of a store an index of words, or takes it away. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/json/writer.h"
#include "cli/store/store.h"
#include "cli/terminal/waiting.h"
#include <agentchat/thread.h>
#include <inttypes.h>
#include <string.h>

static agentchat_status switch_index(cli_store *s, bool on)
{
    cli_waiting waiting;
    agentchat_status status;

    cli_waiting_begin(&waiting, "indexing");
    status = agentchat_thread_index(s->store, on, &s->err);
    cli_waiting_end(&waiting);
    return status;
}

static agentchat_status print_state(cli_store *s, bool as_json)
{
    cli_json json = {.out = stdout};
    uint64_t threads = 0, indexed = 0;
    bool on = false;
    agentchat_status status = agentchat_thread_index_state(s->store, &on, &threads, &indexed, &s->err);

    if (status < 0)
        return status;
    if (!as_json) {
        printf("%s, %" PRIu64 " of %" PRIu64 " threads are indexed\n", on ? "on" : "off", indexed, threads);
        return status;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_bool(&json, "on", on);
    cli_json_count(&json, "threads", threads);
    cli_json_count(&json, "indexed", indexed);
    cli_json_end(&json, '}');
    cli_json_line(&json);
    return status;
}

static int run_index(int argc, char **argv)
{
    cli_store s = {.self = &cli_store_index};
    bool as_json = false;
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE WHAT [on|off]", switches, sizeof switches / sizeof *switches);

    if (status != CLI_GO_ON)
        return status;
    const char *change = argv[3];
    s.name = argv[1];
    if (strcmp(argv[2], "threads") != 0)
        return cli_command_usage(s.self->name, "only threads can be indexed, not \"%s\"", argv[2]);
    if (change != NULL && strcmp(change, "on") != 0 && strcmp(change, "off") != 0)
        return cli_command_usage(s.self->name, "the index is switched on or off, not \"%s\"", change);
    if (!cli_store_open(&s, change != NULL ? CLI_CHANGE : CLI_READ))
        return CLI_ERROR;
    agentchat_status done = change != NULL ? switch_index(&s, strcmp(change, "on") == 0) : AGENTCHAT_OK;
    if (done >= 0 && (change == NULL || as_json))
        done = print_state(&s, as_json);
    status = done < 0 ? cli_store_fail(&s, done) : CLI_SUCCESS;
    cli_store_close(&s);
    return status;
}

const cli_command cli_store_index = {
    .name = "store index",
    .summary = "give threads an index for searching, or take it away",
    .help = "usage: agentchat store index [--json] STORE threads [on|off]\n"
            "\n"
            "Gives the threads of a store an index of words, so that agentchat thread search need not read all of\n"
            "them, or takes it away. What is found is the same. The index is built for the threads that are there,\n"
            "and kept for these and new ones by all who put to them, which costs them time and space. Others may\n"
            "work meanwhile. A command that was ended before it was done does the rest when it is run again.\n"
            "Without on or off it says whether it is on, and how many threads have a complete index.\n"
            "\n"
            "  --json  say so, after switching too: one JSON object (schema: agentchat check --schema\n"
            "          cli-store-index)\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_index,
};
