/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of restoring share: chats of two agents and of a nested one, a saved chat, a refusal. */
#ifndef RESTORE_TEST_H
#define RESTORE_TEST_H

#include "unit/chat/chat_mock.h"

static inline agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, speaker(NULL, "Inner", "inner"));
    return AGENTCHAT_OK;
}

static inline agentchat_agent *aggregator(const char *name)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = agentchat_str_from(name);
    options.make = make_inner;
    return test_aggregator_new(NULL, &options);
}

static inline agentchat_chat *two_agents(void)
{
    agentchat_chat *chat = test_chat_new(NULL);

    add_agent(chat, speaker(NULL, "First", "1st"));
    add_agent(chat, speaker(NULL, "Second", "2nd"));
    return chat;
}

/* Saves a chat with one user message and one turn; takes ownership of the chat. */
static inline agentchat_snapshot *saved(agentchat_chat *chat)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    add_text(chat, "test");
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    snapshot = through_bytes(capture(chat));
    agentchat_chat_free(chat);
    return snapshot;
}

/* Restoring is refused, changes nothing, and the chat stays usable. */
static inline void refuse(agentchat_chat *chat, const agentchat_snapshot *snapshot, agentchat_status expected,
                          const char *message)
{
    char *before = picture(chat), *after;
    agentchat_report *report = NULL;
    agentchat_error err;

    test_fails(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err, expected, "", message);
    assert_non_null(report);
    agentchat_report_free(report);
    after = picture(chat);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

#endif
