/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/chat.h"
#include "cli/show/message.h"
#include "cli/text/put.h"

bool show_chat_history(const cli_pager *pager, const agentchat_messages *messages, uint64_t last, bool full)
{
    size_t count = agentchat_messages_count(messages);

    return show_messages(pager, messages, count > last ? count - (size_t)last : 0, full);
}

bool show_chat_channel(const cli_pager *pager, const agentchat_channel_state *channel, uint64_t last, bool full)
{
    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_CHANNEL_MESSAGES:
        return show_chat_history(pager, agentchat_channel_state_messages(channel), last, full);
    case AGENTCHAT_CHANNEL_CHAT:
        return show_chat_history(pager, agentchat_snapshot_history(agentchat_channel_state_chat(channel)), last, full);
    case AGENTCHAT_CHANNEL_TEXT:
        cli_put_block(pager->out, agentchat_channel_state_data(channel), (cli_block){.screen = pager->columns});
        return true;
    case AGENTCHAT_CHANNEL_BYTES:
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    cli_put_count(pager->out, agentchat_channel_state_data(channel).len, "byte\n", "bytes\n");
    return true;
}
