/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat view: a chat as one web page. */
#include "cli/chat/chat.h"
#include "cli/command/arguments.h"
#include "cli/io/channel.h"
#include "cli/io/input.h"
#include "cli/io/web_page.h"

/* wanted: the key of the channel with which the page opens, or its beginning; NULL: none. */
static int write_page(cli_web_page *page, const cli_input *file, const char *wanted)
{
    int status = CLI_ERROR;

    if (wanted != NULL) {
        const agentchat_channel_state *channel =
            cli_channel_find(&cli_view, file->snapshot, wanted, "agentchat channels FILE", &status);

        if (channel == NULL)
            return status;
        page->channel = agentchat_channel_state_key(channel);
    }
    return cli_web_page_write(page, file, NULL) ? CLI_SUCCESS : CLI_ERROR;
}

static int view(cli_web_page *page, const char *name, const char *wanted)
{
    cli_input file;
    int status;

    if (cli_web_page_replaces(page, name) || !cli_input_open(&file, name))
        return CLI_ERROR;
    status = write_page(page, &file, wanted);
    cli_input_close(&file);
    return status;
}

static int run(int argc, char **argv)
{
    cli_web_page page = {.output = "-"};
    const char *channel = NULL;
    const cli_switch switches[] = {{"output", NULL, &page.output},
                                   {"title", NULL, &page.title},
                                   {"channel", NULL, &channel},
                                   {"no-media", &page.no_media, NULL},
                                   {"report", &page.with_report, NULL}};
    int status = cli_arguments(&cli_view, argc, argv, "FILE", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    return cli_web_page_check(&cli_view, &page) ? view(&page, argv[1], channel) : CLI_ERROR;
}

const cli_command cli_view = {
    .name = "view",
    .summary = "write a chat as a web page to look at",
    .help =
        "usage: agentchat view [OPTION...] FILE\n"
        "\n"
        "Writes the chat as one web page that loads nothing, for any browser: the conversation, each call with\n"
        "its result, participants and channels, and what each channel had been given; with search and filters. Of a\n"
        "session the chat of its events is shown.\n"
        "\n"
        "  --output PAGE   the file to write, which is replaced atomically, and only when all went well;\n"
        "                  without it, or with -, standard output, when that is no terminal\n"
        "  --title TITLE   of the page; without it, or when it is empty or whitespace-only, the file's name\n"
        "  --channel KEY   open the page as the channel of that key sees the chat; the beginning of the key is\n"
        "                  enough\n"
        "  --no-media      name images and sounds instead of putting them into the page\n"
        "  --report        show on the page what reading the file noted, repaired and lost\n"
        "\n"
        "exit status: 0 written, 1 there is no such channel, 2 error\n",
    .run = run,
};
