/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_THREAD_CHECKPOINT_H
#define CLI_THREAD_CHECKPOINT_H

#include "cli/json/writer.h"
#include <agentchat/thread.h>

/* Writes what is known of a checkpoint as members of an object; null is what was not said. */
void cli_thread_checkpoint_json(cli_json *json, const agentchat_checkpoint_info *info);

#endif
