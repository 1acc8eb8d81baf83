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
    agentchat_status status = agentchat_chat_new(NULL, out, err);

    (void)user;
    if (status >= 0)
        status = agentchat_chat_add_history_agent(*out, AGENTCHAT_STR("inner"), answer, NULL, err);
    if (status < 0) {
        agentchat_chat_free(*out);
        *out = NULL;
    }
    return status;
}

static bool ends_with(agentchat_str text, const char *end)
{
    size_t len = strlen(end);

    return text.len >= len && memcmp(text.ptr + text.len - len, end, len) == 0;
}

/* Name and id are the participant's; the type, too, of agents that are made for any. */
static agentchat_status make_agent(const agentchat_participant *participant, agentchat_agent **out,
                                   agentchat_error *err)
{
    agentchat_str type = agentchat_participant_type(participant);

    if (ends_with(type, "AggregatorAgent")) {
        agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

        options.participant = participant;
        options.make = make_inner;
        return agentchat_aggregator_new(NULL, &options, out, err);
    }
    if (ends_with(type, "ChatCompletionAgent")) {
        agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

        options.participant = participant;
        options.answer = answer;
        return agentchat_history_agent_new(NULL, &options, out, err);
    }
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.participant = participant;
    options.type = "Host.ThreadAgent";
    options.channel_type = "Host.ThreadChannel";
    options.ops = &thread_ops;
    return agentchat_remote_agent_new(NULL, &options, out, err);
}

/* At most eight agents, whatever the document lists; participants that a document holds twice become one. */
static agentchat_chat *make_chat(const agentchat_snapshot *snapshot)
{
    agentchat_chat *chat;

    FUZZ_CHECK(agentchat_chat_new(NULL, &chat, NULL) == AGENTCHAT_OK);
    for (size_t i = 0; i < agentchat_snapshot_participant_count(snapshot) && i < 8; i++) {
        agentchat_agent *agent;
        agentchat_error err;

        FUZZ_CHECK(make_agent(agentchat_snapshot_participant(snapshot, i), &agent, &err) == AGENTCHAT_OK);
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
    fuzz_round_trip(captured, "agentchat");
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
    agentchat_snapshot *snapshot = fuzz_read((agentchat_str){(const char *)data, size}, NULL, &err);
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
