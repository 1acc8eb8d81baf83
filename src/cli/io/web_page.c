/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/io.h"

#include "base/utf8.h"
#include "cli/text/text.h"
#include <agentchat/view.h>
#include <stdlib.h>
#include <string.h>

bool cli_web_page_check(const cli_command *self, const cli_web_page *page)
{
    if (page->title != NULL && !aci_utf8_is_valid(agentchat_str_from(page->title), false)) {
        (void)cli_command_usage(self->name, "the title is not UTF-8: \"%.60s\"", page->title);
        return false;
    }
    if (cli_output_is_terminal(page->output)) {
        (void)cli_command_usage(self->name,
                                "a web page is not for a terminal: write it to a file with --output PAGE.html");
        return false;
    }
    return true;
}

bool cli_web_page_replaces(const cli_web_page *page, const char *file)
{
    bool is_store = cli_stored_lies_in(page->output);
    agentchat_error err;

    if (!is_store && !cli_input_is(page->output, file))
        return false;
    agentchat_error_clear(&err);
    cli_error_print(stderr, cli_output_name(page->output),
                    agentchat_error_set(&err, AGENTCHAT_E_INVALID,
                                        "this is the %s that is shown, and would be replaced",
                                        is_store ? "store" : "file"),
                    &err);
    return true;
}

/* The directories before a name are nobody else's business; bytes that are no text become escapes. */
static void put_name(FILE *out, const char *file)
{
    const char *slash = strrchr(file, '/');

    (void)cli_put(out, agentchat_str_from(strcmp(file, "-") == 0 ? "Chat" : slash != NULL ? slash + 1 : file));
}

static bool is_whitespace(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

/* The title of a page that is given none; NULL: out of memory. */
static char *title_of(const cli_input *chat, const cli_input *after)
{
    cli_memory title;

    if (cli_memory_begin(&title)) {
        put_name(title.out, chat->name);
        if (after != NULL) {
            (void)fputs(" → ", title.out);
            put_name(title.out, after->name);
        }
    }
    return cli_memory_end(&title) ? title.text : NULL;
}

static agentchat_status write_to(const cli_output *output, const cli_input *chat, const cli_input *after,
                                 const agentchat_html_options *options, agentchat_error *err)
{
    if (after == NULL)
        return agentchat_snapshot_write_html(chat->snapshot, output->sink, options, err);
    return agentchat_snapshot_write_html_diff(chat->snapshot, after->snapshot, output->sink, options, err);
}

static agentchat_html_options options_of(const cli_web_page *page, const char *title, const agentchat_report *report)
{
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;

    options.title = agentchat_str_from(page->title != NULL && !is_whitespace(page->title) ? page->title : title);
    options.channel = page->channel;
    options.report = page->with_report ? report : NULL;
    options.no_media = page->no_media;
    return options;
}

bool cli_web_page_write(const cli_web_page *page, const cli_input *chat, const cli_input *after)
{
    char *title = title_of(chat, after);
    agentchat_html_options options = options_of(page, title, chat->report);
    agentchat_status status;
    agentchat_error err;
    cli_output output;

    agentchat_error_clear(&err);
    if (title == NULL) {
        status = agentchat_error_set(&err, AGENTCHAT_E_NOMEM, "out of memory");
    } else {
        status = cli_output_open(&output, page->output, &err);
        if (status >= 0)
            status = write_to(&output, chat, after, &options, &err);
        cli_output_close(&output);
    }
    if (status < 0)
        cli_error_print(stderr, cli_output_name(page->output), status, &err);
    free(title);
    return status >= 0;
}

agentchat_status cli_web_page_write_thread(const cli_web_page *page, const char *name,
                                           const agentchat_html_thread *thread, agentchat_error *err)
{
    agentchat_html_options options = options_of(page, name, NULL);
    cli_output output;
    agentchat_status status = cli_output_open(&output, page->output, err);

    if (status >= 0)
        status = agentchat_thread_write_html(thread, output.sink, &options, err);
    cli_output_close(&output);
    return status;
}
