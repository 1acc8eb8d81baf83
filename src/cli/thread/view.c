/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread view: a thread as one web page, its tree, and any checkpoint as a chat. */
#include "cli/command/arguments.h"
#include "cli/io/channel.h"
#include "cli/text/number.h"
#include "cli/thread/page.h"
#include "cli/thread/thread.h"
#include "cli/thread/view_page.h"

typedef struct job {
    cli_thread thread;
    const char *at;      /* NULL: the newest one */
    const char *channel; /* as of cli_channel_find(); NULL: none */
    uint64_t limit;
    cli_web_page page;
} job;

static int write_page(job *j, const agentchat_checkpoint *checkpoint)
{
    int status = CLI_ERROR;

    if (j->channel != NULL) {
        const agentchat_channel_state *channel = cli_channel_find(
            j->thread.store.self, agentchat_checkpoint_snapshot(checkpoint), j->channel, CLI_THREAD_CHANNELS, &status);

        if (channel == NULL)
            return status;
        j->page.channel = agentchat_channel_state_key(channel);
    }
    return cli_thread_view_page_write(&j->thread, &j->page, checkpoint, j->limit) ? CLI_SUCCESS : CLI_ERROR;
}

static int view(job *j)
{
    agentchat_checkpoint *checkpoint;
    int status;

    if (cli_thread_page_replaces(&j->page, &j->thread.store))
        return CLI_ERROR;
    checkpoint = cli_thread_open(&j->thread, j->at);
    if (checkpoint == NULL)
        return CLI_ERROR;
    status = write_page(j, checkpoint);
    agentchat_checkpoint_free(checkpoint);
    cli_store_close(&j->thread.store);
    return status;
}

static int run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_view}}, .page = {.output = "-"}};
    const char *limit = NULL;
    const cli_switch switches[] = {{"at", NULL, &j.at},
                                   {"limit", NULL, &limit},
                                   {"output", NULL, &j.page.output},
                                   {"title", NULL, &j.page.title},
                                   {"channel", NULL, &j.channel},
                                   {"no-media", &j.page.no_media, NULL},
                                   {"namespace", NULL, &j.thread.ns}};
    const cli_command *self = j.thread.store.self;
    int status = cli_arguments(self, argc, argv, "STORE THREAD", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (limit != NULL && (!cli_number_count(limit, &j.limit) || j.limit == 0 || j.limit > SIZE_MAX))
        return cli_command_usage(self->name, "--limit needs a number of checkpoints from 1, not \"%s\"", limit);
    if (!cli_web_page_check(self, &j.page))
        return CLI_ERROR;
    cli_thread_take(&j.thread, argv);
    return view(&j);
}

const cli_command cli_thread_view = {
    .name = "thread view",
    .summary = "write a thread as a web page to look at",
    .help = "usage: agentchat thread view [OPTION...] STORE THREAD\n"
            "\n"
            "Writes a thread as one web page: its checkpoints as a tree, as thread log draws it, and the chat of\n"
            "the newest one, as agentchat view shows it. The chats of the others are in the page too, to choose\n"
            "from; each message is there once.\n"
            "\n"
            "  --at ID         open the page with this checkpoint\n"
            "  --limit N       the newest N checkpoints, and that of --at; without it 100\n"
            "  --output PAGE   the file to write, which is replaced atomically, and only when all went well;\n"
            "                  without it, or with -, standard output, when that is no terminal\n"
            "  --title TITLE   of the page; without it, or when it is empty or whitespace-only, the thread's id\n"
            "  --channel KEY   open the page as the channel of that key sees the chat; the beginning of the key is\n"
            "                  enough\n"
            "  --no-media      name images and sounds instead of putting them into the page\n"
            "  --namespace NS  the checkpoints of this namespace\n"
            "\n"
            "exit status: 0 written, 1 there is no such channel, 2 error\n",
    .run = run,
};
