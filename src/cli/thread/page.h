/* SPDX-License-Identifier: Apache-2.0 */
/* Web pages of threads. */
#ifndef CLI_THREAD_PAGE_H
#define CLI_THREAD_PAGE_H

#include "cli/io/store.h"
#include "cli/io/web_page.h"
#include <agentchat/thread.h>

/* Whether the page would replace the store, which is said then. */
bool cli_thread_page_replaces(const cli_web_page *page, const cli_store *store);
/* Writes a page that shows the chats of two checkpoints side by side. Without a title it has their ids. false: not
   written, and the reason has been reported. */
bool cli_thread_page_write(const cli_web_page *page, const agentchat_checkpoint *before,
                           const agentchat_checkpoint *after);

#endif
