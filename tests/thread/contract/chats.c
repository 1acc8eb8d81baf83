/* SPDX-License-Identifier: Apache-2.0 */
/* Chats for the tests of threads, and comparing them. */
#include "thread/contract/contract.h"

static const char channel_key[] = "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=";

static agentchat_message *message_of(const char *text, size_t len)
{
    agentchat_message *message = NULL;
    agentchat_error err;

    test_ok(
        agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, (agentchat_str){text, len}, &message, &err),
        &err);
    return message;
}

/* Texts separated by "|" as messages. */
static agentchat_messages *messages_of(const char *texts)
{
    agentchat_message *array[1024] = {NULL};
    agentchat_messages *messages = NULL;
    agentchat_error err;
    size_t count = 0;

    while (*texts != '\0') {
        size_t len = strcspn(texts, "|");

        assert_true(count < sizeof array / sizeof *array);
        array[count++] = message_of(texts, len);
        texts += len + (texts[len] == '|');
    }
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)array, count, &messages, &err), &err);
    while (count > 0)
        agentchat_message_unref(array[--count]);
    return messages;
}

static void add_values(agentchat_snapshot_builder *builder, const char *values)
{
    while (values != NULL && *values != '\0') {
        size_t len = strcspn(values, " "), name = strcspn(values, "=");

        agentchat_snapshot_builder_set_value(builder, (agentchat_str){values, name}, (agentchat_str){NULL, 0},
                                             (agentchat_str){values + name + 1, len - name - 1});
        values += len + (values[len] == ' ');
    }
}

static agentchat_snapshot *finish(agentchat_snapshot_builder *builder)
{
    agentchat_snapshot *chat = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_builder_finish(builder, &chat, &err), &err);
    return chat;
}

agentchat_snapshot *chat_of(const char *history, const char *channel, const char *values)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(NULL, NULL);
    agentchat_messages *messages = messages_of(history);

    agentchat_snapshot_builder_add_participant(builder, AGENTCHAT_STR("a1"), AGENTCHAT_STR("Desk"),
                                               AGENTCHAT_STR("agent"));
    agentchat_snapshot_builder_replace(builder, 0, 0, messages);
    if (channel != NULL) {
        agentchat_messages *held = messages_of(channel);

        agentchat_snapshot_builder_set_channel_messages(builder, agentchat_str_from(channel_key),
                                                        AGENTCHAT_STR("history"), held,
                                                        agentchat_messages_count(messages));
        agentchat_messages_unref(held);
    }
    add_values(builder, values);
    agentchat_messages_unref(messages);
    return finish(builder);
}

agentchat_snapshot *chat_with(const agentchat_snapshot *chat, const char *text)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(NULL, chat);
    agentchat_message *message = message_of(text, strlen(text));
    const agentchat_channel_state *channel = agentchat_snapshot_channel(chat, 0);
    size_t count = agentchat_messages_count(agentchat_snapshot_history(chat));

    agentchat_snapshot_builder_add_message(builder, message);
    if (channel != NULL) {
        const agentchat_messages *held = agentchat_channel_state_messages(channel);
        size_t held_count = agentchat_messages_count(held);
        const agentchat_message *array[64];
        agentchat_messages *longer = NULL;
        agentchat_error err;

        assert_true(held_count < 64);
        for (size_t i = 0; i < held_count; i++)
            array[i] = agentchat_messages_at(held, i);
        array[held_count] = message;
        test_ok(agentchat_messages_new(NULL, array, held_count + 1, &longer, &err), &err);
        agentchat_snapshot_builder_set_channel_messages(builder, agentchat_str_from(channel_key),
                                                        AGENTCHAT_STR("history"), longer, count + 1);
        agentchat_messages_unref(longer);
    }
    agentchat_message_unref(message);
    return finish(builder);
}

const char *put_chat(scene *s, const agentchat_snapshot *chat, const agentchat_checkpoint_put_options *options)
{
    static char id[AGENTCHAT_ID_SIZE];

    test_ok(agentchat_checkpoint_put(s->store, s->app, chat, options, id, &s->err), &s->err);
    return id;
}

bool put_chat_after(scene *s, const agentchat_snapshot *chat, const agentchat_checkpoint_put_options *options)
{
    agentchat_checkpoint_put_options branch = *options;
    agentchat_status status = agentchat_checkpoint_put(s->store, s->app, chat, options, NULL, &s->err);

    branch.branch = true;
    if (status == AGENTCHAT_E_CONFLICT)
        (void)put_chat(s, chat, &branch);
    else
        test_ok(status, &s->err);
    return status == AGENTCHAT_E_CONFLICT || options->no_parent;
}

agentchat_checkpoint *get_checkpoint(scene *s, const char *id)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;

    options.id = id;
    test_ok(agentchat_checkpoint_get(s->store, s->app, &options, &checkpoint, &s->err), &s->err);
    return checkpoint;
}

/* Prints the first difference. */
static agentchat_status show(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                             agentchat_error *err)
{
    (void)user;
    (void)err;
    print_error("%.*s: %.*s, not %.*s\n", (int)path.len, path.ptr, (int)left.len, left.ptr != NULL ? left.ptr : "",
                (int)right.len, right.ptr != NULL ? right.ptr : "");
    return AGENTCHAT_DONE;
}

static void expect_bytes(agentchat_bytes *left, agentchat_bytes *right, const char *file, int line)
{
    if (left->len != right->len || (left->len > 0 && memcmp(left->ptr, right->ptr, left->len) != 0)) {
        print_error("%.*s\nnot\n%.*s\n", (int)left->len, left->ptr, (int)right->len, right->ptr);
        _fail(file, line);
    }
    agentchat_bytes_clear(left);
    agentchat_bytes_clear(right);
}

/* The document of a chat without its channels. */
static void write_rest(const agentchat_snapshot *chat, agentchat_bytes *out)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(NULL, chat);
    agentchat_snapshot *rest;
    agentchat_error err;

    for (size_t i = 0; i < agentchat_snapshot_channel_count(chat); i++)
        agentchat_snapshot_builder_remove_channel(builder,
                                                  agentchat_channel_state_key(agentchat_snapshot_channel(chat, i)));
    rest = finish(builder);
    test_ok(agentchat_snapshot_write_memory(rest, NULL, out, NULL, &err), &err);
    agentchat_snapshot_unref(rest);
}

static void expect_channel(const agentchat_channel_state *channel, const agentchat_channel_state *expected,
                           const char *file, int line)
{
    agentchat_bytes left = AGENTCHAT_BYTES_INIT, right = AGENTCHAT_BYTES_INIT;
    size_t pending = agentchat_channel_state_pending_count(expected);
    agentchat_error err;

    _assert_int_equal(agentchat_channel_state_synced(channel), agentchat_channel_state_synced(expected), file, line);
    _assert_int_equal(agentchat_channel_state_pending_count(channel), pending, file, line);
    for (size_t i = 0; i < pending; i++)
        _assert_int_equal(agentchat_channel_state_pending(channel, i), agentchat_channel_state_pending(expected, i),
                          file, line);
    if (agentchat_channel_state_kind(expected) == AGENTCHAT_CHANNEL_CHAT)
        expect_equal_at(agentchat_channel_state_chat(channel), agentchat_channel_state_chat(expected), file, line);
    if (agentchat_channel_state_kind(expected) != AGENTCHAT_CHANNEL_MESSAGES)
        return;
    test_ok(agentchat_messages_write(agentchat_channel_state_messages(channel), &left, &err), &err);
    test_ok(agentchat_messages_write(agentchat_channel_state_messages(expected), &right, &err), &err);
    expect_bytes(&left, &right, file, line);
}

void expect_equal_at(const agentchat_snapshot *chat, const agentchat_snapshot *expected, const char *file, int line)
{
    agentchat_bytes left = AGENTCHAT_BYTES_INIT, right = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    bool equal = false;

    test_ok(agentchat_snapshot_diff(chat, expected, show, NULL, &equal, &err), &err);
    if (!equal)
        _fail(file, line);
    /* What a digest does not cover, too: spelling, marks, positions, pending deliveries. */
    write_rest(chat, &left);
    write_rest(expected, &right);
    expect_bytes(&left, &right, file, line);
    for (size_t i = 0; i < agentchat_snapshot_channel_count(expected); i++)
        expect_channel(agentchat_snapshot_channel(chat, i), agentchat_snapshot_channel(expected, i), file, line);
}

void expect_chat_at(scene *s, const char *id, const agentchat_snapshot *expected, const char *file, int line)
{
    agentchat_checkpoint *checkpoint = get_checkpoint(s, id);

    expect_equal_at(agentchat_checkpoint_snapshot(checkpoint), expected, file, line);
    agentchat_checkpoint_free(checkpoint);
}

agentchat_thread_info thread_info(scene *s)
{
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    agentchat_thread_info found = {.id = NULL};
    agentchat_thread_list *list = NULL;

    options.limit = 10000;
    test_ok(agentchat_thread_list_read(s->store, &options, &list, &s->err), &s->err);
    for (size_t i = 0; i < agentchat_thread_list_count(list); i++)
        if (strcmp(agentchat_thread_list_at(list, i)->id, s->app) == 0)
            found = *agentchat_thread_list_at(list, i);
    agentchat_thread_list_free(list);
    assert_non_null(found.id);
    found.id = s->app;
    return found;
}
