/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat show: the conversation, or what one channel holds, for a person to read. Layer: cli. */
#include "arguments.h"
#include "channel.h"
#include "show.h"

typedef struct request {
    const char *channel; /* NULL: the history */
    uint64_t last;       /* UINT64_MAX: all */
    bool full, no_pager;
} request;

static bool show_list(const request *r, const cli_screen *screen, const agentchat_messages *messages)
{
    size_t count = agentchat_messages_count(messages);

    return show_messages(screen, messages, count > r->last ? count - (size_t)r->last : 0, r->full);
}

static bool show_channel(const request *r, const cli_screen *screen, const agentchat_channel_state *channel)
{
    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_STATE_MESSAGES:
        return show_list(r, screen, agentchat_channel_state_messages(channel));
    case AGENTCHAT_STATE_CHAT:
        return show_list(r, screen, agentchat_snapshot_history(agentchat_channel_state_chat(channel)));
    case AGENTCHAT_STATE_TEXT:
        cli_put_block(screen->out, agentchat_channel_state_data(channel), (cli_block){.screen = screen->columns});
        return true;
    case AGENTCHAT_STATE_BYTES:
    case AGENTCHAT_STATE_MAX_:
        break;
    }
    cli_print_count(screen->out, agentchat_channel_state_data(channel).len, "byte\n", "bytes\n");
    return true;
}

static int show_file(const request *r, const agentchat_snapshot *snapshot)
{
    const agentchat_channel_state *channel = NULL;
    cli_screen screen;
    bool is_complete;
    int status;

    if (r->channel != NULL && (channel = cli_channel_find(&cli_show, snapshot, r->channel, &status)) == NULL)
        return status;
    cli_screen_open(&screen, !r->no_pager);
    is_complete = channel != NULL ? show_channel(r, &screen, channel)
                                  : show_list(r, &screen, agentchat_snapshot_history(snapshot));
    if (!cli_screen_close(&screen))
        return CLI_ERROR;
    if (!is_complete)
        (void)fputs("agentchat: out of memory\n", stderr);
    return is_complete ? CLI_FINE : CLI_ERROR;
}

static int run(int argc, char **argv)
{
    enum { OPT_LAST = CLI_OPT_FIRST, OPT_CHANNEL, OPT_FULL, OPT_NO_PAGER };
    static const struct option options[] = {CLI_OPTION_HELP,
                                            {"last", required_argument, NULL, OPT_LAST},
                                            {"channel", required_argument, NULL, OPT_CHANNEL},
                                            {"full", no_argument, NULL, OPT_FULL},
                                            {"no-pager", no_argument, NULL, OPT_NO_PAGER},
                                            {NULL, 0, NULL, 0}};
    request r = {.last = UINT64_MAX};
    cli_file file;

    for (int option; (option = cli_option(argc, argv, options)) != -1;) {
        switch (option) {
        case CLI_OPT_HELP:
            return cli_help(&cli_show);
        case OPT_LAST:
            if (!cli_parse_count(optarg, &r.last))
                return cli_usage(cli_show.name, "--last needs a number of messages, not \"%s\"", optarg);
            break;
        case OPT_CHANNEL:
            r.channel = optarg;
            break;
        case OPT_FULL:
            r.full = true;
            break;
        case OPT_NO_PAGER:
            r.no_pager = true;
            break;
        default:
            return CLI_ERROR;
        }
    }
    if (argc - optind != 1)
        return cli_usage(cli_show.name, "give one file");
    if (!cli_file_open(&file, argv[optind]))
        return CLI_ERROR;
    int status = show_file(&r, file.snapshot);
    cli_file_close(&file);
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
            "characters and the like are shown as escapes, so a file cannot do anything to your terminal.\n"
            "\n"
            "  --last N       only the last N messages\n"
            "  --channel KEY  what the channel of that key holds; the beginning of the key is enough\n"
            "  --full         shorten nothing, leave nothing out, results where they are stored\n"
            "  --no-pager     on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "\n"
            "exit status: 0 fine, 1 there is no such channel, 2 the file is no chat or cannot be read\n",
    .run = run,
};
