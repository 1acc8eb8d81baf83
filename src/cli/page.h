/* SPDX-License-Identifier: Apache-2.0 */
/* Writes web pages: of a chat, and of what two chats differ in. Layer: cli. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli.h"

typedef struct cli_page {
    const char *output;    /* "-" is standard output */
    const char *title;     /* NULL or blank: the names of the files */
    agentchat_str channel; /* as of agentchat_html_options; absent: none */
    bool no_media, with_report;
} cli_page;

/* Whether these options will do: false: no, which has been said. */
bool cli_page_check(const cli_command *self, const cli_page *page);
/* Whether the page would replace the file that it shows, which is said then. */
bool cli_page_replaces(const cli_page *page, const char *file);
/* Writes a page that shows the chat, or two side by side; `after` may be NULL. false: not written, and said why. */
bool cli_page_write(const cli_page *page, const cli_file *chat, const cli_file *after);

#endif
