/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chat that has grown too long: its first messages give way to a summary. The agent is shown its channel, not the
 * chat's history, so the edit is applied to the chat as a whole: history and channels change in one step, or not at
 * all. The program shows what the agent is shown before and after.
 */
#include <agentchat/agentchat.h>
#include <stdio.h>

/* Prints what it is shown, in place of asking a model. */
static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    printf("The agent is shown:\n");
    for (size_t i = 0; i < agentchat_messages_count(seen); i++) {
        agentchat_str role = agentchat_message_role(agentchat_messages_at(seen, i));
        agentchat_str text = agentchat_message_text(agentchat_messages_at(seen, i));

        printf("  " AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(role), AGENTCHAT_STR_ARG(text));
    }
    return agentchat_replies_add_text(out, AGENTCHAT_STR("noted"), err);
}

static agentchat_status talk(agentchat_chat *chat, agentchat_error *err)
{
    static const char *const said[] = {"My name is Ann", "I bake bread", "On Sundays I rest"};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < sizeof said / sizeof *said; i++) {
        status = agentchat_chat_add_text(chat, "user", agentchat_str_from(said[i]), err);
        if (status >= 0)
            status = agentchat_chat_invoke(chat, AGENTCHAT_STR("Listener"), err);
    }
    return status;
}

/* All but the last two messages go, and a summary comes before them: an edit may bring a system message, as it is given
   by the program itself. */
static agentchat_status summarize(agentchat_chat *chat, agentchat_error *err)
{
    agentchat_list_edit *edit = NULL;
    agentchat_message *summary = NULL;
    agentchat_report *report = NULL;
    agentchat_status status;

    (void)((status = agentchat_messages_keep_last(NULL, agentchat_chat_history(chat), 2, &edit, err)) < 0 ||
           (status = agentchat_message_new_text(NULL, "system", (agentchat_str){NULL, 0},
                                                AGENTCHAT_STR("Summary: Ann bakes bread."), &summary, err)) < 0 ||
           (status = agentchat_list_edit_insert(edit, 0, summary, err)) < 0 ||
           (status = agentchat_chat_edit(chat, edit, &report, err)));
    if (status >= 0)
        printf("The history has %zu messages; %zu channels could not follow.\n", agentchat_chat_message_count(chat),
               agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_UNEDITED));
    agentchat_report_free(report);
    agentchat_message_unref(summary);
    agentchat_list_edit_free(edit);
    return status;
}

int main(void)
{
    agentchat_error err;
    agentchat_chat *chat = NULL;
    bool ok = agentchat_chat_new(NULL, &chat, &err) >= 0 &&
              agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Listener"), answer, NULL, &err) >= 0 &&
              talk(chat, &err) >= 0 && summarize(chat, &err) >= 0 &&
              agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("What do I do?"), &err) >= 0 &&
              agentchat_chat_invoke(chat, AGENTCHAT_STR("Listener"), &err) >= 0;

    if (!ok)
        agentchat_error_print(&err, stderr);
    agentchat_chat_free(chat);
    return ok ? 0 : 1;
}
