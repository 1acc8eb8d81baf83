/* SPDX-License-Identifier: Apache-2.0 */
/* A summary of a message, item, participant or channel in a few words. */
#ifndef CLI_DIFF_SUMMARY_H
#define CLI_DIFF_SUMMARY_H

#include <agentchat/base.h>

/* Writes the value that stands at the path of a difference: summarized if it is one of these, else its JSON text. */
void diff_summary_put(FILE *out, agentchat_str path, agentchat_str value);

#endif
