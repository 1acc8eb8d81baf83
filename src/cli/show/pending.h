/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SHOW_PENDING_H
#define CLI_SHOW_PENDING_H

#include "cli/terminal/pager.h"
#include <agentchat/thread.h>

/* Shows pending writes, one a line, the path at the right. false: out of memory. */
bool show_pending(const cli_pager *pager, const agentchat_pending_list *list, bool full);

#endif
