/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel of one's own: a mailbox that counts the letters it was sent. A channel stands between the chat and agents
 * of one kind. It is given what others say, lets its agent answer, and knows how to save and restore itself; the chat
 * does everything else. The program saves such a chat, restores it and shows that the mailbox has kept its count.
 */
#include <agentchat/agentchat.h>
#include <stdlib.h>
#include <string.h>

typedef struct mailbox {
    unsigned letters;
} mailbox;

/* An empty channel, made when the agent is first used. */
static agentchat_status create(void *agent, void **out, agentchat_error *err)
{
    (void)agent;
    *out = calloc(1, sizeof(mailbox));
    return *out != NULL ? AGENTCHAT_OK : agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
}

/* Others said something: each message is given once, in order, also what was said before the agent joined. */
static agentchat_status receive(void *channel, const agentchat_messages *batch, agentchat_error *err)
{
    (void)err;
    ((mailbox *)channel)->letters += (unsigned)agentchat_messages_count(batch);
    return AGENTCHAT_OK;
}

/* The agent's turn: it may say any number of messages through `out`. */
static agentchat_status invoke(void *channel, void *agent, agentchat_replies *out, agentchat_error *err)
{
    char text[64];

    (void)agent;
    (void)snprintf(text, sizeof text, "%u letters so far", ((mailbox *)channel)->letters);
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

/* The state goes into the file as text, bytes or messages: whatever fits. A text that is a JSON array or object stands
   in a file of Semantic Kernel's as that value, as .NET writes it; any other one, a number like this one too, as a
   string. It comes back as the same text in either case. */
static agentchat_status save(void *channel, agentchat_channel_save *out, agentchat_error *err)
{
    char text[16];

    (void)snprintf(text, sizeof text, "%u", ((mailbox *)channel)->letters);
    return agentchat_channel_save_text(out, agentchat_str_from(text), err);
}

/* Never trust what a file says: check it, and fail with a sentence when it is wrong. The chat then stays as it was. */
static agentchat_status load(void *agent, const agentchat_channel_load *in, void **out, agentchat_error *err)
{
    agentchat_str state = agentchat_channel_load_data(in);
    char digits[8] = "";
    mailbox *box;

    if (state.len == 0 || state.len >= sizeof digits)
        return agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "a mailbox's state is a small number");
    memcpy(digits, state.ptr, state.len);
    if (strspn(digits, "0123456789") != state.len)
        return agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "a mailbox's state is a small number");
    if (create(agent, out, err) < 0)
        return AGENTCHAT_E_NOMEM;
    box = *out;
    box->letters = (unsigned)strtoul(digits, NULL, 10);
    return AGENTCHAT_OK;
}

static const agentchat_channel_type mail_channel = {
    .struct_size = sizeof mail_channel,
    .name = "example.MailChannel",
    .create = create,
    .receive = receive,
    .invoke = invoke,
    .save = save,
    .load = load,
    .free = free,
};

/* A chat with one agent on a mail channel; NULL when that fails. */
static agentchat_chat *make_chat(agentchat_error *err)
{
    agentchat_chat *chat = NULL;
    agentchat_agent *agent = NULL;
    agentchat_agent_options postmaster = AGENTCHAT_AGENT_OPTIONS_INIT;

    postmaster.name = AGENTCHAT_STR("Postmaster");
    postmaster.channel = &mail_channel;
    if (agentchat_chat_new(NULL, &chat, err) == AGENTCHAT_OK &&
        agentchat_agent_new(NULL, &postmaster, &agent, err) == AGENTCHAT_OK &&
        agentchat_chat_add_agent(chat, agent, err) == AGENTCHAT_OK)
        return chat;
    agentchat_chat_free(chat);
    return NULL;
}

/* The mailbox gets two letters and is saved. */
static agentchat_status first_day(agentchat_bytes *file, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_chat *chat = make_chat(err);
    agentchat_status status;

    (void)((status = agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("Dear Postmaster"), err)) < 0 ||
           (status = agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("Dear Postmaster again"), err)) < 0 ||
           (status = agentchat_chat_invoke(chat, AGENTCHAT_STR("Postmaster"), err)) < 0 ||
           (status = agentchat_chat_capture(chat, NULL, &snapshot, NULL, err)) < 0 ||
           (status = agentchat_snapshot_write_memory(snapshot, NULL, file, NULL, err)));
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    return status;
}

/* The mailbox is restored and gets a third. */
static agentchat_status second_day(const agentchat_bytes *file, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_chat *chat = make_chat(err);
    agentchat_str bytes = {file->ptr, file->len};
    agentchat_status status;

    (void)((status = agentchat_snapshot_read_memory(NULL, bytes, NULL, &snapshot, NULL, err)) < 0 ||
           (status = agentchat_chat_restore(chat, snapshot, NULL, NULL, err)) < 0 ||
           (status = agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("One more"), err)) < 0 ||
           (status = agentchat_chat_invoke(chat, AGENTCHAT_STR("Postmaster"), err)));
    if (status >= 0) {
        agentchat_str text = agentchat_message_text(agentchat_chat_newest(chat, 0));
        printf("Postmaster: " AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(text));
    }
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    return status;
}

int main(void)
{
    agentchat_error err;
    agentchat_bytes file = AGENTCHAT_BYTES_INIT; /* stands for a file */
    int failed = first_day(&file, &err) < 0 || second_day(&file, &err) < 0;

    if (failed)
        agentchat_error_print(&err, stderr);
    agentchat_bytes_clear(&file);
    return failed;
}
