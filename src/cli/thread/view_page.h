/* SPDX-License-Identifier: Apache-2.0 */
/* The web page of a thread. */
#ifndef CLI_THREAD_VIEW_PAGE_H
#define CLI_THREAD_VIEW_PAGE_H

#include "cli/io/thread.h"
#include "cli/io/web_page.h"

/* Writes a page of the newest checkpoints of t's namespace, at most so many (0: 100), and of `shown`, with which it
   opens. false: not written, and the reason has been reported. */
bool cli_thread_view_page_write(cli_thread *t, const cli_web_page *page, const agentchat_checkpoint *shown,
                                uint64_t limit);

#endif
