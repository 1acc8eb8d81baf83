/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread prune: takes old checkpoints out of a thread. */
#include "cli/command/arguments.h"
#include "cli/io/thread.h"
#include "cli/terminal/waiting.h"
#include "cli/text/number.h"
#include "cli/thread/removed.h"
#include "cli/thread/thread.h"
#include <time.h>

/* A time before which nothing was made would be one that nobody asked for: 0. */
static int64_t time_before(int64_t span_us)
{
    int64_t now_us = (int64_t)time(NULL) * 1000000;

    return now_us > span_us ? now_us - span_us : 1;
}

static int prune(cli_thread *t, const agentchat_thread_prune_options *options, bool as_json)
{
    uint64_t removed = 0;
    cli_waiting waiting;

    if (!cli_store_open(&t->store, CLI_CHANGE))
        return CLI_ERROR;
    cli_waiting_begin(&waiting, "pruning");
    agentchat_status done = agentchat_thread_prune(t->store.store, t->id, options, &removed, &t->store.err);
    cli_waiting_end(&waiting);
    if (done >= 0)
        cli_thread_removed_print(removed, as_json);
    int status = done < 0 ? cli_store_fail(&t->store, done) : CLI_SUCCESS;
    cli_store_close(&t->store);
    return status;
}

static int run(int argc, char **argv)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    cli_thread t = {.store = {.self = &cli_thread_prune}};
    const char *keep = NULL, *older = NULL, *name = t.store.self->name;
    int64_t span_us = 0;
    bool as_json = false;
    const cli_switch switches[] = {{"keep", NULL, &keep},
                                   {"older-than", NULL, &older},
                                   {"branches", &options.branches, NULL},
                                   {"json", &as_json, NULL}};
    int status = cli_arguments(t.store.self, argc, argv, "STORE THREAD", switches, 4);

    if (status != CLI_GO_ON)
        return status;
    if (keep == NULL && older == NULL)
        return cli_command_usage(name, "--keep or --older-than is missing: which checkpoints may go");
    if (keep != NULL && (!cli_number_count(keep, &options.keep) || options.keep == 0))
        return cli_command_usage(name, "--keep needs a number of checkpoints from 1, not \"%s\"", keep);
    if (older != NULL && !cli_number_span_us(older, &span_us))
        return cli_command_usage(name, "--older-than needs a time such as 90s, 15m, 12h, 30d or 2w, not \"%s\"", older);
    if (older != NULL)
        options.before_us = time_before(span_us);
    cli_thread_take(&t, argv);
    return prune(&t, &options, as_json);
}

const cli_command cli_thread_prune = {
    .name = "thread prune",
    .summary = "delete old checkpoints of a thread",
    .help = "usage: agentchat thread prune [--keep N] [--older-than D] [--branches] [--json] STORE THREAD\n"
            "\n"
            "Deletes old checkpoints of all namespaces, and what only they needed, and prints how many they were.\n"
            "The newest one of each namespace always stays, and so does the newest of every line. What stays can be\n"
            "read completely.\n"
            "\n"
            "  --keep N        the newest N of each namespace stay\n"
            "  --older-than D  those stay that were made within this time: 90s, 15m, 12h, 30d, 2w; where both are\n"
            "                  given, what either keeps stays\n"
            "  --branches      the newest of other lines may go too, though a chat may be attached there\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-thread-prune)\n"
            "\n"
            "exit status: 0 success, 2 there is no such thread, or error\n",
    .run = run,
};
