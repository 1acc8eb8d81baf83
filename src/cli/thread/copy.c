/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread copy: a thread once more, under another id. */
#include "cli/command/arguments.h"
#include "cli/io/thread.h"
#include "cli/json/writer.h"
#include "cli/terminal/waiting.h"
#include "cli/thread/thread.h"

static void print_json(const char *id)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "thread", id);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int run(int argc, char **argv)
{
    bool as_json = false;
    cli_waiting waiting;
    cli_thread t = {.store = {.self = &cli_thread_copy}};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(t.store.self, argc, argv, "STORE THREAD NEW", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_thread_take(&t, argv);
    if (!cli_store_open(&t.store, CLI_CHANGE))
        return CLI_ERROR;
    cli_waiting_begin(&waiting, "copying");
    agentchat_status done = agentchat_thread_copy(t.store.store, t.id, argv[3], &t.store.err);
    cli_waiting_end(&waiting);
    if (done >= 0 && as_json)
        print_json(argv[3]);
    status = done < 0 ? cli_store_fail(&t.store, done) : CLI_SUCCESS;
    cli_store_close(&t.store);
    return status;
}

const cli_command cli_thread_copy = {
    .name = "thread copy",
    .summary = "copy a thread to another id",
    .help = "usage: agentchat thread copy [--json] STORE THREAD NEW\n"
            "\n"
            "Copies a thread, all its checkpoints with their ids, sequence numbers and pending writes, to a thread\n"
            "of the id NEW.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-thread-copy)\n"
            "\n"
            "exit status: 0 success, 1 there is a thread of the new id, 2 error\n",
    .run = run,
};
