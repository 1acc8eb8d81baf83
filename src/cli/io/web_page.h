/* SPDX-License-Identifier: Apache-2.0 */
/* Writes web pages: of a chat, and of what two chats differ in. */
#ifndef CLI_IO_WEB_PAGE_H
#define CLI_IO_WEB_PAGE_H

#include "cli/command/command.h"
#include "cli/io/input.h"
#include <agentchat/view.h>

typedef struct cli_web_page {
    const char *output;    /* "-" is standard output */
    const char *title;     /* NULL, empty or whitespace-only: the names of the files */
    agentchat_str channel; /* as of agentchat_html_options; absent: none */
    bool no_media, with_report;
} cli_web_page;

/* Whether these options will do: false: no, which has been reported. */
bool cli_web_page_check(const cli_command *self, const cli_web_page *page);
/* Whether the page would replace the file or the store that it shows, which is said then. */
bool cli_web_page_replaces(const cli_web_page *page, const char *file);
/* Writes a page that shows the chat, or two side by side; `after` may be NULL. false: not written, and the reason has
   been reported. */
bool cli_web_page_write(const cli_web_page *page, const cli_input *chat, const cli_input *after);
/* Writes a page that shows a thread; name: what it is called. Nothing is reported. */
agentchat_status cli_web_page_write_thread(const cli_web_page *page, const char *name,
                                           const agentchat_html_thread *thread, agentchat_error *err);

#endif
