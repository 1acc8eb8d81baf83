/* SPDX-License-Identifier: Apache-2.0 */
/* The chats of the tests of live chats, and what is done with them. */
#include "thread/contract/live.h"

/* Answers with the number of the messages that it has seen. */
static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    char text[64];

    (void)user;
    snprintf(text, sizeof text, "answer %zu", agentchat_messages_count(seen));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

agentchat_agent *speaker(const char *name)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.name = options.id = agentchat_str_from(name);
    options.answer = answer;
    return test_history_agent_new(NULL, &options);
}

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    *out = test_chat_new(NULL);
    return test_add_agent(*out, speaker("Inner"), err);
}

/* A chat of two agents with ids, and an aggregator where one is wanted. */
agentchat_chat *fresh(bool nested)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    test_ok(test_add_agent(chat, speaker("Ann"), &err), &err);
    test_ok(test_add_agent(chat, speaker("Bob"), &err), &err);
    if (nested) {
        agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

        options.name = options.id = AGENTCHAT_STR("Group");
        options.make = make_inner;
        test_ok(test_add_agent(chat, test_aggregator_new(NULL, &options), &err), &err);
    }
    return chat;
}

void say(scene *s, agentchat_chat *chat, const char *text)
{
    test_ok(agentchat_chat_add_text(chat, "user", agentchat_str_from(text), &s->err), &s->err);
}

void invoke(scene *s, agentchat_chat *chat, const char *agent)
{
    test_ok(agentchat_chat_invoke(chat, agentchat_str_from(agent), &s->err), &s->err);
}

void update(scene *s, agentchat_chat *chat, const char *name, const char *what)
{
    test_ok(agentchat_chat_update(chat, agentchat_str_from(name), agentchat_str_from(what), &s->err), &s->err);
}

void attach(scene *s, agentchat_chat *chat, const agentchat_thread_attach_options *options)
{
    test_ok(agentchat_thread_attach(s->store, s->app, chat, options, NULL, &s->err), &s->err);
}

/* Texts of the history, separated by "|". */
const char *texts(const agentchat_chat *chat)
{
    static char text[4096];
    const agentchat_messages *history = agentchat_chat_history(chat);

    text[0] = '\0';
    for (size_t i = 0; i < agentchat_messages_count(history); i++) {
        agentchat_str one = agentchat_message_text(agentchat_messages_at(history, i));

        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", i > 0 ? "|" : "", (int)one.len, one.ptr);
    }
    return text;
}

/* The newest checkpoint is the chat as it is. */
void expect_saved_at(scene *s, agentchat_chat *chat, const char *file, int line)
{
    agentchat_snapshot *snapshot = NULL;

    test_ok(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &s->err), &s->err);
    expect_chat_at(s, NULL, snapshot, file, line);
    agentchat_snapshot_unref(snapshot);
}
