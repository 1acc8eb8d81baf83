/* SPDX-License-Identifier: Apache-2.0 */
/* Where two chats differ, for people and for programs. */
#ifndef CLI_DIFF_COMPARE_H
#define CLI_DIFF_COMPARE_H

#include <agentchat/agentchat.h>

/* A chat and what it is called. */
typedef struct diff_side {
    const char *name;
    const agentchat_snapshot *snapshot;
} diff_side;

/* Prints the differences as one JSON object. */
agentchat_status diff_compare_json(diff_side left, diff_side right, bool *equal, agentchat_error *err);
/* Prints them as lines, on a terminal in a pager if that is wanted. *shown: as of cli_pager_close(). */
agentchat_status diff_compare_lines(diff_side left, diff_side right, bool full, bool with_pager, bool *equal,
                                    bool *shown, agentchat_error *err);

#endif
