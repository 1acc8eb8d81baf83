/* SPDX-License-Identifier: Apache-2.0 */
/* What a whole message, item, participant or channel is in a few words. Layer: cli. */
#ifndef CLI_DIFF_SUMMARY_H
#define CLI_DIFF_SUMMARY_H

#include <agentchat/base.h>

/* Writes the value that stands at the path of a difference: summed up if it is such a whole, else its JSON text. */
void diff_summary_put(FILE *out, agentchat_str path, agentchat_str value);

#endif
