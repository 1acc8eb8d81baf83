/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat show: the conversation, or what one channel holds, for a person to read. */
#include "cli/chat/chat.h"
#include "cli/command/arguments.h"
#include "cli/io/channel.h"
#include "cli/io/input.h"
#include "cli/show/chat.h"
#include "cli/terminal/pager.h"
#include "cli/text/number.h"

typedef struct request {
    const char *channel; /* NULL: the history */
    uint64_t last;       /* UINT64_MAX: all */
    bool full, no_pager;
} request;

static int show_file(const request *r, const agentchat_snapshot *snapshot)
{
    const agentchat_channel_state *channel = NULL;
    cli_pager pager;
    bool is_complete;
    int status;

    if (r->channel != NULL &&
        (channel = cli_channel_find(&cli_show, snapshot, r->channel, "agentchat channels FILE", &status)) == NULL)
        return status;
    cli_pager_open(&pager, !r->no_pager);
    if (channel != NULL)
        is_complete = show_chat_channel(&pager, channel, r->last, r->full);
    else
        is_complete = show_chat_history(&pager, agentchat_snapshot_history(snapshot), r->last, r->full);
    if (!cli_pager_close(&pager))
        return CLI_ERROR;
    if (!is_complete)
        (void)fputs("agentchat: out of memory\n", stderr);
    return is_complete ? CLI_SUCCESS : CLI_ERROR;
}

static int run(int argc, char **argv)
{
    request r = {.last = UINT64_MAX};
    const char *last = NULL;
    const cli_switch switches[] = {
        {"last", NULL, &last}, {"channel", NULL, &r.channel}, {"full", &r.full, NULL}, {"no-pager", &r.no_pager, NULL}};
    int status = cli_arguments(&cli_show, argc, argv, "FILE", switches, sizeof switches / sizeof switches[0]);
    cli_input file;

    if (status != CLI_GO_ON)
        return status;
    if (last != NULL && !cli_number_count(last, &r.last))
        return cli_command_usage(cli_show.name, "--last needs a number of messages, not \"%s\"", last);
    if (!cli_input_open(&file, argv[1]))
        return CLI_ERROR;
    status = show_file(&r, file.snapshot);
    cli_input_close(&file);
    return status;
}

const cli_command cli_show = {
    .name = "show",
    .summary = "show the conversation, or what one channel holds",
    .help = "usage: agentchat show [OPTION...] FILE\n"
            "\n"
            "Shows the messages, oldest first: number, role, author, time, model, and below that the items. A\n"
            "function call is a line → Plugin.function(arguments), and its result stands below it as ← value,\n"
            "with the id of the call at the right. Attachments are shown as kind, type and size. Control\n"
            "characters and the like are shown as escapes, so a file cannot do anything to your terminal. Of a\n"
            "session the chat of its events is shown.\n"
            "\n"
            "  --last N       only the last N messages\n"
            "  --channel KEY  what the channel of that key holds; the beginning of the key is enough\n"
            "  --full         shorten nothing, leave nothing out, results where they are stored\n"
            "  --no-pager     on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "\n"
            "exit status: 0 success, 1 there is no such channel, 2 the file is no chat or cannot be read\n",
    .run = run,
};
