/* SPDX-License-Identifier: Apache-2.0 */
/* Agents for the tests of chats: one whose channel counts, records and fails on demand, and the simplest history agent.
 */
#ifndef CHAT_MOCK_H
#define CHAT_MOCK_H

#include "support/test_support.h"

#include <stdio.h>

#define MOCK_TYPE "test.MockChannel"

typedef struct mock mock;
struct mock {
    const char *says; /* NULL: nothing */
    /* how many of the next calls fail; negative: all */
    int fail_create, fail_receive, fail_invoke, fail_save, fail_restore, fail_reset;
    int creates, receives, invokes, saves, restores, resets, frees;
    size_t last_batch; /* messages of the last receive */
    char given[8192];  /* what was received, by any channel of this mock: "text;text;" */
    agentchat_status (*during)(mock *m, agentchat_replies *out, agentchat_error *err); /* before it says its text */
    void (*on_free)(mock *m);                                                          /* while a channel is freed */
    agentchat_chat *chat;
    agentchat_status seen_status; /* what `during` or `on_free` got */
    struct mock_channel *channel; /* the one made last, while it lives */
};

typedef struct mock_channel {
    mock *m;
    char seen[8192]; /* what this channel knows: given and said, "text;text;" */
} mock_channel;

static inline bool mock_fails(int *countdown)
{
    if (*countdown == 0)
        return false;
    if (*countdown > 0)
        --*countdown;
    return true;
}

static inline void mock_note(char *log, size_t size, agentchat_str text)
{
    size_t len = strlen(log);

    assert_true(len + text.len + 2 <= size);
    memcpy(log + len, text.ptr != NULL ? text.ptr : "", text.len);
    log[len + text.len] = ';';
    log[len + text.len + 1] = '\0';
}

static inline agentchat_status mock_create(void *agent, void **out, agentchat_error *err)
{
    mock *m = agent;
    mock_channel *channel;

    m->creates++;
    if (mock_fails(&m->fail_create))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "create is down");
    channel = calloc(1, sizeof *channel);
    assert_non_null(channel);
    channel->m = m;
    m->channel = channel;
    *out = channel;
    return AGENTCHAT_OK;
}

static inline agentchat_status mock_receive(void *self, const agentchat_messages *batch, agentchat_error *err)
{
    mock_channel *channel = self;
    mock *m = channel->m;

    m->receives++;
    m->last_batch = agentchat_messages_count(batch);
    if (mock_fails(&m->fail_receive))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "receive is down");
    for (size_t i = 0; i < agentchat_messages_count(batch); i++) {
        agentchat_str text = agentchat_message_text(agentchat_messages_at(batch, i));

        mock_note(channel->seen, sizeof channel->seen, text);
        mock_note(m->given, sizeof m->given, text);
    }
    return AGENTCHAT_OK;
}

static inline agentchat_status mock_invoke(void *self, void *agent, agentchat_replies *out, agentchat_error *err)
{
    mock_channel *channel = self;
    mock *m = agent;

    m->invokes++;
    if (m->during != NULL) {
        agentchat_status status = m->during(m, out, err);

        if (status < 0)
            return status;
    }
    if (m->says != NULL) {
        agentchat_status status = agentchat_replies_add_text(out, agentchat_str_from(m->says), err);

        if (status < 0)
            return status;
        mock_note(channel->seen, sizeof channel->seen, agentchat_str_from(m->says));
    }
    if (mock_fails(&m->fail_invoke))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "invoke is down");
    return AGENTCHAT_OK;
}

static inline agentchat_status mock_save(void *self, agentchat_channel_save *out, agentchat_error *err)
{
    mock_channel *channel = self;

    channel->m->saves++;
    if (mock_fails(&channel->m->fail_save))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "save is down");
    return agentchat_channel_save_text(out, agentchat_str_from(channel->seen), err);
}

static inline agentchat_status mock_load(void *agent, const agentchat_channel_load *in, void **out,
                                         agentchat_error *err)
{
    mock *m = agent;
    agentchat_str seen = agentchat_channel_load_data(in);
    mock_channel *channel;

    m->restores++;
    if (mock_fails(&m->fail_restore))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "restore is down");
    if (agentchat_channel_load_kind(in) != AGENTCHAT_CHANNEL_TEXT)
        return agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "no text");
    channel = calloc(1, sizeof *channel);
    assert_non_null(channel);
    channel->m = m;
    assert_true(seen.len < sizeof channel->seen);
    if (seen.len > 0)
        memcpy(channel->seen, seen.ptr, seen.len);
    m->channel = channel;
    *out = channel;
    return AGENTCHAT_OK;
}

static inline void mock_free(void *self)
{
    mock_channel *channel = self;

    channel->m->frees++;
    if (channel->m->on_free != NULL)
        channel->m->on_free(channel->m);
    if (channel->m->channel == channel)
        channel->m->channel = NULL;
    free(channel);
}

static const agentchat_channel_type mock_type = {.struct_size = sizeof(agentchat_channel_type),
                                                 .name = MOCK_TYPE,
                                                 .create = mock_create,
                                                 .receive = mock_receive,
                                                 .invoke = mock_invoke,
                                                 .save = mock_save,
                                                 .load = mock_load,
                                                 .free = mock_free};

/* An agent with a mock channel of the key strings (MOCK_TYPE, name). */
static inline agentchat_agent *mock_agent(const agentchat_env *env, const char *name, mock *m)
{
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    const char *keys[2] = {MOCK_TYPE, name != NULL ? name : "unnamed"};

    options.name = agentchat_str_from(name);
    options.channel = &mock_type;
    options.keys = keys;
    options.key_count = 2;
    options.user = m;
    return test_agent_new(env, &options);
}

/* A history agent that says user, a text, each time; nothing for NULL. */
static inline agentchat_status say(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                   agentchat_error *err)
{
    (void)seen;
    return user != NULL ? agentchat_replies_add_text(out, agentchat_str_from(user), err) : AGENTCHAT_OK;
}

static inline agentchat_agent *speaker(const agentchat_env *env, const char *name, const char *text)
{
    return test_speaker_new(env, name, say, (void *)(uintptr_t)text);
}

/* Texts of a list, each followed by ";". The buffer is the caller's, of 8192 bytes. */
static inline const char *texts(const agentchat_messages *list, char *buffer)
{
    buffer[0] = '\0';
    for (size_t i = 0; i < agentchat_messages_count(list); i++)
        mock_note(buffer, 8192, agentchat_message_text(agentchat_messages_at(list, i)));
    return buffer;
}

static inline void assert_texts(const agentchat_messages *list, const char *expected)
{
    char buffer[8192];

    assert_string_equal(texts(list, buffer), expected);
}

static inline void assert_channel_texts(agentchat_chat *chat, size_t agent, const char *expected)
{
    const agentchat_messages *list = NULL;
    agentchat_error err;

    test_ok(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, agent), &list, &err), &err);
    assert_texts(list, expected);
}

static inline void add_text(agentchat_chat *chat, const char *text)
{
    agentchat_error err;

    test_ok(agentchat_chat_add_text(chat, "user", agentchat_str_from(text), &err), &err);
}

static inline void add_agent(agentchat_chat *chat, agentchat_agent *agent)
{
    agentchat_error err;

    test_ok(agentchat_chat_add_agent(chat, agent, &err), &err);
}

static inline void invoke(agentchat_chat *chat, const char *name)
{
    agentchat_error err;

    test_ok(agentchat_chat_invoke(chat, agentchat_str_from(name), &err), &err);
}

static inline agentchat_snapshot *capture(agentchat_chat *chat)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    test_ok(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

/* Everything a chat would save, without any delivery, as bytes. free() it. */
static inline char *picture(agentchat_chat *chat)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;
    char *copy;

    options.no_delivery = true;
    test_ok(agentchat_chat_capture(chat, &options, &snapshot, NULL, &err), &err);
    test_ok(agentchat_snapshot_write_memory(snapshot, NULL, &bytes, NULL, &err), &err);
    copy = malloc(bytes.len + 1);
    assert_non_null(copy);
    memcpy(copy, bytes.ptr, bytes.len + 1);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    return copy;
}

/* The snapshot after a trip through bytes, as another process reads it. Takes ownership of the reference. */
static inline agentchat_snapshot *through_bytes(agentchat_snapshot *snapshot)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *read = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_write_memory(snapshot, NULL, &bytes, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    test_ok(agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, NULL, &read, NULL, &err), &err);
    agentchat_bytes_clear(&bytes);
    return read;
}

#endif
