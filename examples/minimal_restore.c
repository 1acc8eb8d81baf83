/* SPDX-License-Identifier: Apache-2.0 */
/* The other half of minimal.c, in another process: reads bread.json, restores the chat and goes on with it. */
#include <agentchat/agentchat.h>

/* Answers from what the agent has seen, so that one can see that its memory came back. */
static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    return agentchat_replies_add_text(out,
                                      agentchat_messages_count(seen) == 3 ? AGENTCHAT_STR("Flour on each sleeve")
                                                                          : AGENTCHAT_STR("Have we met?"),
                                      err);
}

int main(void)
{
    agentchat_error err;
    agentchat_snapshot *saved = NULL;
    agentchat_chat *chat = NULL;
    int status = 1;

    /* The chat gets its agents before it is restored: the file says who took part, never what code to run. */
    if (agentchat_chat_new(NULL, &chat, &err) < 0 ||
        agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Poet"), answer, NULL, &err) < 0 ||
        agentchat_snapshot_read_file(NULL, "bread.json", NULL, &saved, NULL, &err) < 0 ||
        agentchat_chat_restore(chat, saved, NULL, NULL, &err) < 0 ||
        agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("And the second line?"), &err) < 0 ||
        agentchat_chat_invoke(chat, AGENTCHAT_STR("Poet"), &err) < 0) {
        agentchat_error_print(&err, stderr);
    } else {
        for (size_t i = agentchat_chat_message_count(chat); i-- > 0;) { /* the newest has index 0 */
            const agentchat_message *m = agentchat_chat_newest(chat, i);
            printf(AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(agentchat_message_role(m)),
                   AGENTCHAT_STR_ARG(agentchat_message_text(m)));
        }
        status = 0;
    }
    agentchat_snapshot_unref(saved);
    agentchat_chat_free(chat);
    return status;
}
