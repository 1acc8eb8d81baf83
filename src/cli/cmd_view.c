/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat view: a chat as one web page. Layer: cli. */
#include "arguments.h"
#include "channel.h"
#include "output.h"
#include "terminal.h"
#include <agentchat/view.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct job {
    const char *file, *output; /* "-" is standard input, and standard output */
    const char *title;         /* NULL: the file's name */
    const char *channel;       /* the beginning of its key; NULL: none */
    bool no_media, with_report;
} job;

/* Gives a copy that ends with a NUL; NULL: out of memory. */
static char *copy_of(agentchat_str text, bool shown)
{
    char *copy = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&copy, &len);

    if (memory != NULL) {
        if (shown)
            (void)cli_put(memory, text);
        else
            (void)fwrite(text.ptr, 1, text.len, memory);
    }
    return cli_memory_end(memory, &copy) ? copy : NULL;
}

/* A file's name can have bytes that are no text, and directories before it that are nobody else's business. */
static char *title_of(const char *file)
{
    const char *slash = strrchr(file, '/');

    return copy_of(agentchat_str_from(strcmp(file, "-") == 0 ? "Chat" : slash != NULL ? slash + 1 : file), true);
}

static agentchat_status write_page(const job *j, const cli_file *file, const agentchat_channel_state *channel,
                                   agentchat_error *err)
{
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    char *title = title_of(j->file);
    char *key = channel != NULL ? copy_of(agentchat_channel_state_key(channel), false) : NULL;
    agentchat_status status = AGENTCHAT_OK;
    cli_output output;

    options.title = j->title != NULL ? j->title : title;
    options.channel = key;
    options.report = j->with_report ? file->report : NULL;
    options.no_media = j->no_media;
    if (title == NULL || (channel != NULL && key == NULL))
        status = agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    if (status >= 0) {
        status = cli_output_open(&output, j->output, err);
        if (status >= 0)
            status = agentchat_snapshot_write_html(file->snapshot, output.sink, &options, err);
        cli_output_close(&output);
    }
    free(title);
    free(key);
    return status;
}

static int view(const job *j)
{
    const agentchat_channel_state *channel = NULL;
    agentchat_error err;
    cli_file file;
    int result = CLI_FINE;

    agentchat_error_clear(&err);
    if (cli_output_is_input(j->output, j->file)) {
        cli_print_error(stderr, j->output,
                        agentchat_error_set(&err, AGENTCHAT_E_INVALID, "the output is the file itself"), &err);
        return CLI_ERROR;
    }
    if (!cli_file_open(&file, j->file))
        return CLI_ERROR;
    if (j->channel != NULL)
        channel = cli_channel_find(&cli_view, file.snapshot, j->channel, &result);
    if (j->channel == NULL || channel != NULL) {
        agentchat_status status = write_page(j, &file, channel, &err);

        if (status < 0) {
            cli_print_error(stderr, j->output, status, &err);
            result = CLI_ERROR;
        }
    }
    cli_file_close(&file);
    return result;
}

/* Surrogates are none, though cli_decode() takes them. */
static bool is_utf8(agentchat_str text)
{
    uint32_t code_point = 0;
    unsigned length = 1;

    for (size_t at = 0; at < text.len && length > 0; at += length) {
        length = cli_decode(text.ptr + at, text.len - at, &code_point);
        if (code_point >= 0xd800 && code_point <= 0xdfff)
            length = 0;
    }
    return length > 0;
}

static int run(int argc, char **argv)
{
    job j = {.output = "-"};
    const cli_switch switches[] = {{"output", NULL, &j.output},
                                   {"title", NULL, &j.title},
                                   {"channel", NULL, &j.channel},
                                   {"no-media", &j.no_media, NULL},
                                   {"report", &j.with_report, NULL}};
    int status = cli_arguments(&cli_view, argc, argv, "FILE", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (j.title != NULL && !is_utf8(agentchat_str_from(j.title)))
        return cli_usage(cli_view.name, "the title is not UTF-8: \"%.60s\"", j.title);
    if (strcmp(j.output, "-") == 0 && isatty(STDOUT_FILENO))
        return cli_usage(cli_view.name, "a web page is not for a terminal: write it to a file with --output PAGE.html");
    j.file = argv[1];
    return view(&j);
}

const cli_command cli_view = {
    .name = "view",
    .summary = "write a chat as a web page to look at",
    .help = "usage: agentchat view [OPTION...] FILE\n"
            "\n"
            "Writes the chat as one web page that loads nothing, for any browser: the conversation, each call with\n"
            "its result, participants and channels, and what each channel had been given; with search and filters.\n"
            "\n"
            "  --output PAGE   the file to write, which is replaced atomically, and only when all went well;\n"
            "                  without it, or with -, standard output, when that is no terminal\n"
            "  --title TITLE   of the page; without it the file's name\n"
            "  --channel KEY   open the page as the channel of that key sees the chat; the beginning of the key is\n"
            "                  enough\n"
            "  --no-media      name images and sounds instead of putting them into the page\n"
            "  --report        show on the page what reading the file noted, repaired and lost\n"
            "\n"
            "exit status: 0 written, 1 there is no such channel, 2 error\n",
    .run = run,
};
