/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of checkpoints holds no contents, so the last message of each is read besides, which costs no more than that
 * message. Another program may remove a checkpoint between the two.
 */
#include "cli/thread/last_message.h"
#include "cli/show/brief.h"

agentchat_status cli_thread_last_message_put(cli_thread *t, FILE *out, const agentchat_checkpoint_info *info)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_messages *messages = NULL;

    if (info->messages == 0) {
        (void)fputs("(no messages)", out);
        return AGENTCHAT_OK;
    }
    options.ns = info->ns;
    options.id = info->id;
    agentchat_status status = agentchat_thread_tail(t->store.store, t->id, 1, &options, &messages, &t->store.err);
    if (status == AGENTCHAT_E_NOTFOUND)
        return AGENTCHAT_OK;
    if (status < 0)
        return status;
    (void)fprintf(out, "#%llu ", (unsigned long long)info->messages - 1);
    show_brief(out, agentchat_messages_at(messages, 0));
    agentchat_messages_unref(messages);
    return AGENTCHAT_OK;
}
