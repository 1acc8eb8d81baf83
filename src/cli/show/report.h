/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what reading and writing did besides succeeding, for people. */
#ifndef CLI_SHOW_REPORT_H
#define CLI_SHOW_REPORT_H

#include <agentchat/agentchat.h>

/* One line per kind and sentence: losses first, then repairs, then notes, each in the order of the chat:
   `2 losses: /history/4/items/2 and 1 more  sentence`. Reports may be NULL. false: out of memory. */
bool cli_report_print(FILE *out, unsigned indent, const agentchat_report *first, const agentchat_report *second);

#endif
