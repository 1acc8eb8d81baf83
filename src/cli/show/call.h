/* SPDX-License-Identifier: Apache-2.0 */
/* A call or a result as one line, with the id of the call at the right. */
#ifndef CLI_SHOW_CALL_H
#define CLI_SHOW_CALL_H

#include "cli/show/show.h"

void show_call(show *s, const agentchat_item *item, unsigned indent);
void show_result(show *s, const agentchat_item *item, unsigned indent);

/* The same without the id, in full and as it stands: for a line that is put together in memory. */
void show_call_put(FILE *out, const agentchat_item *item);
void show_result_put(FILE *out, const agentchat_item *item);

#endif
