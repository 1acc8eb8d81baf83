/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat show: the conversation, or what one channel holds, for a person to read. Layer: cli. */
#include "channel.h"
#include "cli.h"
#include "show.h"
#include <errno.h>
#include <stdlib.h>

typedef struct request {
    const char *channel; /* NULL: the history */
    size_t last;         /* SIZE_MAX: all */
    bool full;
} request;

static bool parse_count(const char *text, size_t *out)
{
    char *end = NULL;

    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value >= SIZE_MAX)
        return false;
    *out = (size_t)value;
    return true;
}

static int show_list(const request *r, const agentchat_messages *messages)
{
    size_t count = agentchat_messages_count(messages);

    if (show_messages(stdout, messages, count > r->last ? count - r->last : 0, r->full))
        return CLI_FINE;
    (void)fputs("agentchat: out of memory\n", stderr);
    return CLI_ERROR;
}

static int show_channel(const request *r, const agentchat_snapshot *snapshot)
{
    int status;
    const agentchat_channel_state *channel = cli_channel_find(&cli_show, snapshot, r->channel, &status);

    if (channel == NULL)
        return status;
    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_STATE_MESSAGES:
        return show_list(r, agentchat_channel_state_messages(channel));
    case AGENTCHAT_STATE_CHAT:
        return show_list(r, agentchat_snapshot_history(agentchat_channel_state_chat(channel)));
    case AGENTCHAT_STATE_TEXT:
        cli_put_block(stdout, agentchat_channel_state_data(channel), 0, 0, 0);
        return CLI_FINE;
    case AGENTCHAT_STATE_BYTES:
    case AGENTCHAT_STATE_MAX_:
        break;
    }
    cli_print_count(stdout, agentchat_channel_state_data(channel).len, "byte\n", "bytes\n");
    return CLI_FINE;
}

static int run(int argc, char **argv)
{
    enum { OPT_LAST = CLI_OPT_FIRST, OPT_CHANNEL, OPT_FULL };
    static const struct option options[] = {CLI_OPTION_HELP,
                                            {"last", required_argument, NULL, OPT_LAST},
                                            {"channel", required_argument, NULL, OPT_CHANNEL},
                                            {"full", no_argument, NULL, OPT_FULL},
                                            {NULL, 0, NULL, 0}};
    request r = {.last = SIZE_MAX};
    cli_file file;

    for (int option; (option = cli_option(argc, argv, options)) != -1;) {
        switch (option) {
        case CLI_OPT_HELP:
            return cli_help(&cli_show);
        case OPT_LAST:
            if (!parse_count(optarg, &r.last))
                return cli_usage(cli_show.name, "--last needs a number of messages, not \"%s\"", optarg);
            break;
        case OPT_CHANNEL:
            r.channel = optarg;
            break;
        case OPT_FULL:
            r.full = true;
            break;
        default:
            return CLI_ERROR;
        }
    }
    if (argc - optind != 1)
        return cli_usage(cli_show.name, "give one file");
    if (!cli_file_open(&file, argv[optind]))
        return CLI_ERROR;
    int status =
        r.channel == NULL ? show_list(&r, agentchat_snapshot_history(file.snapshot)) : show_channel(&r, file.snapshot);
    cli_file_close(&file);
    return status;
}

const cli_command cli_show = {
    .name = "show",
    .summary = "show the conversation, or what one channel holds",
    .help = "usage: agentchat show [--last N] [--channel KEY] [--full] FILE\n"
            "\n"
            "Shows the messages, oldest first: role, author, time, model, and below that the items. A function\n"
            "call is a line → Plugin.function(arguments), and its result stands below it as ← value, with the id\n"
            "of the call at the right. Attachments are shown as kind, type and size. Control characters and the\n"
            "like are shown as escapes, so a file cannot do anything to your terminal.\n"
            "\n"
            "  --last N       only the last N messages\n"
            "  --channel KEY  what the channel of that key holds; the beginning of the key is enough\n"
            "  --full         shorten nothing, leave nothing out, results where they are stored\n"
            "\n"
            "exit status: 0 fine, 1 there is no such channel, 2 the file is no chat or cannot be read\n",
    .run = run,
};
