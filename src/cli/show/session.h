/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SHOW_SESSION_H
#define CLI_SHOW_SESSION_H

#include "cli/terminal/pager.h"
#include <agentchat/session.h>

/* Shows a session's name, its state and the events that the handle holds, each with what it changed. false:
   out of memory. */
bool show_session(const cli_pager *pager, const agentchat_session *session, bool full);

#endif
