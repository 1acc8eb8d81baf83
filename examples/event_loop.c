/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host with an event loop: it cannot wait inside an agent's function, so it takes each turn in two calls.
 *
 * Two chats go on at the same time on one thread. Each waits for an answer that comes line by line through a pipe, as
 * from a model that is far away; poll() says whose line is there.
 */
#include <agentchat/agentchat.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHATS = 2 };

typedef struct conversation {
    agentchat_chat *chat;
    agentchat_turn *turn; /* begun, and waiting for the model */
    int model;            /* where its lines come from */
} conversation;

/* Sends off what the agent's channel holds. Here the model is a pipe that has its lines already. */
static int ask_model(const agentchat_messages *seen, const char *lines)
{
    int ends[2];

    (void)seen; /* a real one gets these */
    if (pipe(ends) != 0)
        return -1;
    if (write(ends[1], lines, strlen(lines)) < 0)
        perror("write");
    close(ends[1]);
    return ends[0];
}

static agentchat_status begin(conversation *c, const char *question, const char *lines, agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_agent *agent = NULL;
    agentchat_status status;

    options.name = AGENTCHAT_STR("Desk"); /* no answer: its turns are taken in two calls only */
    if ((status = agentchat_chat_new(NULL, &c->chat, err)) < 0 ||
        (status = agentchat_history_agent_new(NULL, &options, &agent, err)) < 0 ||
        (status = agentchat_chat_add_agent(c->chat, agent, err)) < 0 ||
        (status = agentchat_chat_add_text(c->chat, "user", agentchat_str_from(question), err)) < 0 ||
        (status = agentchat_turn_begin(c->chat, AGENTCHAT_STR("Desk"), &c->turn, err)) < 0)
        return status;
    c->model = ask_model(agentchat_turn_history(c->turn), lines);
    return AGENTCHAT_OK;
}

/* A line of the answer is there, or its end: the turn ends, and the chat is free for the next. */
static agentchat_status take_line(conversation *c, agentchat_error *err)
{
    char line[64];
    size_t len = 0;
    agentchat_status status;

    while (len < sizeof line && read(c->model, line + len, 1) == 1 && line[len] != '\n')
        len++;
    if (len > 0)
        return agentchat_turn_add_text(c->turn, (agentchat_str){line, len}, err);
    close(c->model);
    c->model = -1; /* poll() passes it over */
    status = agentchat_turn_end(c->turn, err);
    c->turn = NULL;
    return status;
}

static void print(const agentchat_chat *chat)
{
    for (size_t i = agentchat_chat_message_count(chat); i-- > 0;)
        printf("%s" AGENTCHAT_STR_FMT, i + 1 == agentchat_chat_message_count(chat) ? "" : " | ",
               AGENTCHAT_STR_ARG(agentchat_message_text(agentchat_chat_newest(chat, i))));
    printf("\n");
}

int main(void)
{
    conversation all[CHATS] = {{NULL, NULL, -1}, {NULL, NULL, -1}};
    agentchat_error err;
    agentchat_status status = begin(&all[0], "Where is my order?", "It was shipped.\nIt comes today.\n", &err);

    if (status >= 0)
        status = begin(&all[1], "Are you open?", "Until six.\n", &err);
    while (status >= 0 && (all[0].turn != NULL || all[1].turn != NULL)) {
        struct pollfd waiting[CHATS] = {{all[0].model, POLLIN, 0}, {all[1].model, POLLIN, 0}};

        if (poll(waiting, CHATS, -1) < 0)
            break;
        for (int i = 0; i < CHATS && status >= 0; i++)
            if (waiting[i].revents != 0)
                status = take_line(&all[i], &err);
    }
    if (status < 0)
        agentchat_error_print(&err, stderr);
    for (int i = 0; i < CHATS; i++) {
        agentchat_turn_free(all[i].turn);
        if (status >= 0)
            print(all[i].chat);
        agentchat_chat_free(all[i].chat);
    }
    return status < 0;
}
