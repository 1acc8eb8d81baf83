/* SPDX-License-Identifier: Apache-2.0 */
/* A call or a result as one line, with the id of the call at the right. */
#ifndef CLI_SHOW_CALL_H
#define CLI_SHOW_CALL_H

#include "cli/show/show.h"

void show_call(show *s, const agentchat_item *item, unsigned indent);
void show_result(show *s, const agentchat_item *item, unsigned indent);

#endif
