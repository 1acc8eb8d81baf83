/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread delete: a thread with all its checkpoints. */
#include "cli/command/arguments.h"
#include "cli/io/thread.h"
#include "cli/json/writer.h"
#include "cli/thread/thread.h"

static void print_json(uint64_t threads)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_count(&json, "threads", threads);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int run(int argc, char **argv)
{
    bool as_json = false;
    cli_thread t = {.store = {.self = &cli_thread_delete}};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(t.store.self, argc, argv, "STORE THREAD", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_thread_take(&t, argv);
    if (!cli_store_open(&t.store, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_thread_delete(t.store.store, t.id, &t.store.err);
    if (done >= 0 && as_json)
        print_json(1);
    status = done < 0 ? cli_store_fail(&t.store, done) : CLI_SUCCESS;
    cli_store_close(&t.store);
    return status;
}

const cli_command cli_thread_delete = {
    .name = "thread delete",
    .summary = "delete a thread with all its checkpoints",
    .help = "usage: agentchat thread delete [--json] STORE THREAD\n"
            "\n"
            "Deletes a thread with the checkpoints of all its namespaces.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-thread-delete)\n"
            "\n"
            "exit status: 0 success, 2 there is no such thread, or error\n",
    .run = run,
};
