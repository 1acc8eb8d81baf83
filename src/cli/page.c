/* SPDX-License-Identifier: Apache-2.0 */
/* Layer: cli. */
#include "page.h"
#include "base/utf8.h"
#include "output.h"
#include "terminal.h"
#include <agentchat/view.h>
#include <stdlib.h>
#include <string.h>

bool cli_page_check(const cli_command *self, const cli_page *page)
{
    if (page->title != NULL && !aci_utf8_is_valid(agentchat_str_from(page->title), false)) {
        (void)cli_usage(self->name, "the title is not UTF-8: \"%.60s\"", page->title);
        return false;
    }
    if (cli_output_is_terminal(page->output)) {
        (void)cli_usage(self->name, "a web page is not for a terminal: write it to a file with --output PAGE.html");
        return false;
    }
    return true;
}

bool cli_page_replaces(const cli_page *page, const char *file)
{
    agentchat_error err;

    if (!cli_output_is_input(page->output, file))
        return false;
    agentchat_error_clear(&err);
    cli_print_error(
        stderr, cli_output_name(page->output),
        agentchat_error_set(&err, AGENTCHAT_E_INVALID, "this is the file that is shown, and would be replaced"), &err);
    return true;
}

/* The directories before a name are nobody else's business; bytes that are no text become escapes. */
static void put_name(FILE *out, const char *file)
{
    const char *slash = strrchr(file, '/');

    (void)cli_put(out, agentchat_str_from(strcmp(file, "-") == 0 ? "Chat" : slash != NULL ? slash + 1 : file));
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* The title of a page that is given none; NULL: out of memory. */
static char *title_of(const cli_file *chat, const cli_file *after)
{
    char *title = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&title, &len);

    if (memory != NULL) {
        put_name(memory, chat->name);
        if (after != NULL) {
            (void)fputs(" → ", memory);
            put_name(memory, after->name);
        }
    }
    return cli_memory_end(memory, &title) ? title : NULL;
}

static agentchat_status write_to(const cli_output *output, const cli_file *chat, const cli_file *after,
                                 const agentchat_html_options *options, agentchat_error *err)
{
    if (after == NULL)
        return agentchat_snapshot_write_html(chat->snapshot, output->sink, options, err);
    return agentchat_snapshot_write_html_diff(chat->snapshot, after->snapshot, output->sink, options, err);
}

bool cli_page_write(const cli_page *page, const cli_file *chat, const cli_file *after)
{
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    char *title = title_of(chat, after);
    agentchat_status status;
    agentchat_error err;
    cli_output output;

    agentchat_error_clear(&err);
    options.title = page->title != NULL && !is_blank(page->title) ? page->title : title;
    options.channel = page->channel;
    options.report = page->with_report ? chat->report : NULL;
    options.no_media = page->no_media;
    if (title == NULL) {
        status = agentchat_error_set(&err, AGENTCHAT_E_NOMEM, "out of memory");
    } else {
        status = cli_output_open(&output, page->output, &err);
        if (status >= 0)
            status = write_to(&output, chat, after, &options, &err);
        cli_output_close(&output);
    }
    if (status < 0)
        cli_print_error(stderr, cli_output_name(page->output), status, &err);
    free(title);
    return status >= 0;
}
