/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread delete: a thread with all its checkpoints, or those that a run made. */
#include "cli/command/arguments.h"
#include "cli/io/thread.h"
#include "cli/json/writer.h"
#include "cli/terminal/waiting.h"
#include "cli/thread/removed.h"
#include "cli/thread/thread.h"

static void print_json(uint64_t threads)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_count(&json, "threads", threads);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static agentchat_status delete_run(cli_thread *t, const char *name, bool as_json)
{
    uint64_t removed = 0;
    cli_waiting waiting;

    cli_waiting_begin(&waiting, "deleting");
    agentchat_status status = agentchat_thread_delete_run(t->store.store, t->id, name, &removed, &t->store.err);
    cli_waiting_end(&waiting);

    if (status >= 0)
        cli_thread_removed_print(removed, as_json);
    return status;
}

static agentchat_status delete_all(cli_thread *t, bool as_json)
{
    cli_waiting waiting;

    cli_waiting_begin(&waiting, "deleting");
    agentchat_status status = agentchat_thread_delete(t->store.store, t->id, &t->store.err);
    cli_waiting_end(&waiting);

    if (status >= 0 && as_json)
        print_json(1);
    return status;
}

static int run(int argc, char **argv)
{
    const char *name = NULL;
    bool as_json = false;
    cli_thread t = {.store = {.self = &cli_thread_delete}};
    const cli_switch switches[] = {{"run", NULL, &name}, {"json", &as_json, NULL}};
    int status = cli_arguments(t.store.self, argc, argv, "STORE THREAD", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    cli_thread_take(&t, argv);
    if (!cli_store_open(&t.store, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = name != NULL ? delete_run(&t, name, as_json) : delete_all(&t, as_json);
    status = done < 0 ? cli_store_fail(&t.store, done) : CLI_SUCCESS;
    cli_store_close(&t.store);
    return status;
}

const cli_command cli_thread_delete = {
    .name = "thread delete",
    .summary = "delete a thread, or what a run put there",
    .help = "usage: agentchat thread delete [--run RUN] [--json] STORE THREAD\n"
            "\n"
            "Deletes a thread with the checkpoints of all its namespaces.\n"
            "\n"
            "  --run RUN  only the checkpoints that this run made, and what only they needed; prints how many they\n"
            "             were, of which none is no error\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-thread-delete)\n"
            "\n"
            "exit status: 0 success, 2 there is no such thread, or error\n",
    .run = run,
};
