/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between a chat and what was read of it again. Uses no cmocka. */
#ifndef FORMAT_UNREPORTED_H
#define FORMAT_UNREPORTED_H

#include <agentchat/agentchat.h>

/* The first difference in meaning that no entry of the report is at or above, as one line; NULL: none. Else to be freed
   with free(). An entry about an element of a list is taken for one about those after it too, since they move. */
char *unreported_difference(const agentchat_snapshot *chat, const agentchat_snapshot *back,
                            const agentchat_report *report);

#endif
