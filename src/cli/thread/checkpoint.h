/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_THREAD_CHECKPOINT_H
#define CLI_THREAD_CHECKPOINT_H

#include "cli/json/writer.h"
#include <agentchat/thread.h>

/* Writes what is known of a checkpoint as members of an object; null is what was not said. */
void cli_thread_checkpoint_json(cli_json *json, const agentchat_checkpoint_info *info);

/* What log and list are asked for, as one filter, to be freed: --source, --step (an integer), --run, and the members of
   --filter; NULL: not given. NULL when out of memory. */
char *cli_thread_filter(const char *source, const char *step, const char *run, const char *filter);

#endif
