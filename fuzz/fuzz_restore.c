/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any document into a live chat whose agents are made from its participants: either the chat holds its history and
 * gives it back when it is captured, or nothing has happened and the chat can be used.
 */
#include "documents.h"

#include <string.h>

/* What a participant's type says is looked at by the host; this one knows three kinds of agents. */
static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("answer"), err);
}

static agentchat_status thread_create(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("thread"), err);
}

static agentchat_status thread_post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)batch;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status thread_answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("from the thread"), err);
}

static const agentchat_remote_ops thread_ops = {sizeof(agentchat_remote_ops), thread_create, thread_post, thread_answer,
                                                NULL};

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);
    agentchat_status status =
        agentchat_chat_add_agent(chat, agentchat_history_agent_new(NULL, "inner", answer, NULL), err);

    (void)user;
    if (status < 0) {
        agentchat_chat_free(chat);
        chat = NULL;
    }
    *out = chat;
    return status;
}

static bool ends_with(agentchat_str text, const char *end)
{
    size_t len = strlen(end);

    return text.len >= len && memcmp(text.ptr + text.len - len, end, len) == 0;
}

/* A name as the constructors take it; one with a NUL inside is none. */
static char *name_of(agentchat_str text)
{
    char *name = NULL;

    if (text.ptr != NULL && text.len > 0 && memchr(text.ptr, '\0', text.len) == NULL && (name = malloc(text.len + 1))) {
        memcpy(name, text.ptr, text.len);
        name[text.len] = '\0';
    }
    return name;
}

static agentchat_agent *make_agent(const agentchat_participant *participant)
{
    agentchat_str type = agentchat_participant_type(participant);
    char *name = name_of(agentchat_participant_name(participant));
    agentchat_agent *agent;

    if (ends_with(type, "AggregatorAgent")) {
        agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

        options.name = name;
        options.make = make_inner;
        agent = agentchat_aggregator_new(NULL, &options);
    } else if (ends_with(type, "ChatCompletionAgent")) {
        agent = agentchat_history_agent_new(NULL, name, answer, NULL);
    } else {
        agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

        options.name = name;
        options.type = "Host.ThreadAgent";
        options.channel_type = "Host.ThreadChannel";
        options.ops = &thread_ops;
        agent = agentchat_remote_agent_new(NULL, &options);
    }
    free(name);
    return agent;
}

/* At most eight agents, whatever the document lists; NULL agents are those with a name that no agent can have. */
static agentchat_chat *make_chat(const agentchat_snapshot *snapshot)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);

    FUZZ_CHECK(chat != NULL);
    for (size_t i = 0; i < agentchat_snapshot_participant_count(snapshot) && i < 8; i++) {
        const agentchat_participant *participant = agentchat_snapshot_participant(snapshot, i);
        agentchat_agent *agent = make_agent(participant);
        agentchat_error err;

        if (agent == NULL)
            continue;
        if (agentchat_agent_set_id(agent, agentchat_participant_id(participant), &err) < 0)
            FUZZ_CHECK(err.code == AGENTCHAT_E_INVALID);
        if (agentchat_chat_add_agent(chat, agent, &err) < 0)
            FUZZ_CHECK(err.code == AGENTCHAT_E_EXISTS);
    }
    return chat;
}

static void check_restored(agentchat_chat *chat, const agentchat_snapshot *snapshot)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_snapshot *captured = NULL, *again = NULL;

    options.no_delivery = true;
    FUZZ_CHECK(agentchat_chat_capture(chat, &options, &captured, NULL, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(fuzz_same_digest(snapshot, captured, false));
    fuzz_round_trip(captured, AGENTCHAT_FORMAT_AGENTCHAT);
    FUZZ_CHECK(agentchat_chat_capture(chat, &options, &again, NULL, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(fuzz_same_digest(captured, again, true));
    agentchat_snapshot_unref(captured);
    agentchat_snapshot_unref(again);
}

static void check_unchanged(agentchat_chat *chat, size_t agents)
{
    FUZZ_CHECK(agentchat_chat_message_count(chat) == 0 && agentchat_chat_kept_count(chat) == 0);
    FUZZ_CHECK(agentchat_chat_agent_count(chat) == agents);
}

/* Whatever came before, a chat with agents can be talked to. */
static void check_usable(agentchat_chat *chat)
{
    size_t before = agentchat_chat_message_count(chat);
    agentchat_error err;

    FUZZ_CHECK(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("go on"), &err) == AGENTCHAT_OK);
    /* A chat that is complete is not run on, nor is one inside it. */
    if (agentchat_chat_agent_count(chat) > 0 && agentchat_chat_invoke_next(chat, &err) < 0)
        FUZZ_CHECK(err.code == AGENTCHAT_E_INVALID);
    FUZZ_CHECK(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("and on"), &err) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_chat_message_count(chat) > before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_error err;
    agentchat_snapshot *snapshot = fuzz_read((agentchat_str){(const char *)data, size}, AGENTCHAT_FORMAT_NONE, &err);
    agentchat_report *report = NULL;
    agentchat_chat *chat;
    agentchat_status status;
    size_t agents;

    if (snapshot == NULL)
        return 0;
    chat = make_chat(snapshot);
    agents = agentchat_chat_agent_count(chat);
    status = agentchat_chat_restore(chat, snapshot, NULL, &report, &err);
    if (status < 0) {
        FUZZ_CHECK(status == (agents == 0 ? AGENTCHAT_E_NO_AGENTS : status) && report != NULL);
        check_unchanged(chat, agents);
    } else {
        FUZZ_CHECK(agents > 0 && report != NULL);
        check_restored(chat, snapshot);
    }
    check_usable(chat);
    agentchat_report_free(report);
    agentchat_chat_free(chat);
    agentchat_snapshot_unref(snapshot);
    return 0;
}
