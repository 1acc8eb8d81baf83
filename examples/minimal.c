/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest program: one agent answers one message, and the chat is saved to bread.json. */
#include <agentchat/agentchat.h>

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user, (void)seen; /* a real one calls its model here; it may say a call, its result and a text */
    return agentchat_replies_add_text(out, AGENTCHAT_STR("Silent ovens wake"), err);
}

int main(void)
{
    agentchat_error err;
    agentchat_chat *chat = NULL;

    if (agentchat_chat_new(NULL, &chat, &err) < 0 || /* NULL: the default environment */
        agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Poet"), answer, NULL, &err) < 0 ||
        agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("A haiku about bread"), &err) < 0 ||
        agentchat_chat_invoke(chat, AGENTCHAT_STR("Poet"), &err) < 0 ||
        agentchat_chat_save_file(chat, "bread.json", NULL, NULL, &err) < 0) {
        agentchat_error_print(&err, stderr);
        agentchat_chat_free(chat);
        return 1;
    }
    agentchat_chat_free(chat);
    return 0;
}
