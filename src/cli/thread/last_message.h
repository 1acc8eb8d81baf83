/* SPDX-License-Identifier: Apache-2.0 */
/* The last message of a checkpoint's chat, in a line. */
#ifndef CLI_THREAD_LAST_MESSAGE_H
#define CLI_THREAD_LAST_MESSAGE_H

#include "cli/io/thread.h"

/* `#213 assistant Desk: It was shipped`; nothing when the checkpoint was removed meanwhile. */
agentchat_status cli_thread_last_message_put(cli_thread *t, FILE *out, const agentchat_checkpoint_info *info);

#endif
