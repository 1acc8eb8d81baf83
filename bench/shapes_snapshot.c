/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of unusual shape. */
#include "shapes.h"

static agentchat_snapshot *participants(size_t count)
{
    agentchat_snapshot_builder *builder = bench_builder(1);

    for (size_t i = 0; i < count; i++)
        agentchat_snapshot_builder_add_participant(builder, bench_text("participant-%08zu", i),
                                                   bench_text("Name %zu", i),
                                                   AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_AGENT));
    return bench_finish(builder);
}

static agentchat_snapshot *channels(size_t count)
{
    agentchat_snapshot_builder *builder = bench_builder(1);

    for (size_t i = 0; i < count; i++)
        agentchat_snapshot_builder_set_channel(builder, bench_text("key-%08zu", i), AGENTCHAT_STR("Remote"),
                                               AGENTCHAT_CHANNEL_TEXT, bench_text("thread_%zu", i), 1);
    return bench_finish(builder);
}

static agentchat_snapshot *values(size_t count)
{
    agentchat_snapshot_builder *builder = bench_builder(1);

    for (size_t i = 0; i < count; i++)
        agentchat_snapshot_builder_set_value(builder, bench_text("value-%08zu", i), (agentchat_str){NULL, 0},
                                             bench_text("{\"number\":%zu}", i));
    return bench_finish(builder);
}

/* Every second message waits for the channel: no two of them stand together. */
static agentchat_snapshot *pending(size_t count)
{
    agentchat_snapshot_builder *builder = bench_builder(2 * count);
    size_t *positions = malloc(count * sizeof *positions);

    if (positions == NULL)
        exit(1);
    for (size_t i = 0; i < count; i++)
        positions[i] = 2 * i;
    agentchat_snapshot_builder_set_channel(builder, AGENTCHAT_STR("key"), AGENTCHAT_STR("Remote"),
                                           AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("thread"), 2 * count);
    agentchat_snapshot_builder_set_pending(builder, AGENTCHAT_STR("key"), positions, count);
    free(positions);
    return bench_finish(builder);
}

/* A history of one message. */
static agentchat_snapshot *of_one(agentchat_message_builder *builder)
{
    agentchat_snapshot_builder *snapshot = bench_builder(0);
    agentchat_message *message = NULL;
    agentchat_error err;

    bench_must(agentchat_message_builder_finish(builder, &message, &err), &err);
    agentchat_snapshot_builder_add_message(snapshot, message);
    agentchat_message_unref(message);
    return bench_finish(snapshot);
}

static agentchat_message_builder *start(const char *role)
{
    agentchat_message_builder *builder;
    agentchat_error err;

    bench_must(agentchat_message_builder_new(NULL, role, (agentchat_str){NULL, 0}, &builder, &err), &err);
    return builder;
}

static agentchat_snapshot *items(size_t count)
{
    agentchat_message_builder *builder = start("user");

    for (size_t i = 0; i < count; i++)
        agentchat_message_builder_add_text(builder, bench_text("item %zu", i));
    return of_one(builder);
}

static agentchat_snapshot *calls(size_t count)
{
    agentchat_message_builder *builder = start("assistant");

    for (size_t i = 0; i < count; i++)
        agentchat_message_builder_add_call(builder, bench_text("call_%zu", i), AGENTCHAT_STR("Orders"),
                                           AGENTCHAT_STR("lookup"), bench_text("{\"order\":%zu}", i));
    return of_one(builder);
}

static agentchat_snapshot *extras(size_t count)
{
    agentchat_message_builder *builder = start("user");

    for (size_t i = 0; i < count; i++)
        agentchat_message_builder_add_extra(builder, bench_text("x%zu", i), bench_text("%zu", i),
                                            (agentchat_str){NULL, 0});
    return of_one(builder);
}

/* {"k0":0,"k1":1,…}; to be freed. */
static agentchat_str object_of(size_t count)
{
    char *text = malloc(count * 40 + 3);
    size_t len = 1;

    if (text == NULL)
        exit(1);
    text[0] = '{';
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, 40, "%s\"k%zu\":%zu", i ? "," : "", i, i);
    text[len++] = '}';
    return (agentchat_str){text, len};
}

static agentchat_snapshot *metadata(size_t count)
{
    agentchat_message_builder *builder = start("user");
    agentchat_str object = object_of(count);

    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_METADATA, object);
    free((char *)(uintptr_t)object.ptr);
    return of_one(builder);
}

static agentchat_snapshot *arguments(size_t count)
{
    agentchat_message_builder *builder = start("assistant");
    agentchat_str object = object_of(count);

    agentchat_message_builder_add_call(builder, AGENTCHAT_STR("call"), AGENTCHAT_STR("Orders"), AGENTCHAT_STR("lookup"),
                                       object);
    free((char *)(uintptr_t)object.ptr);
    return of_one(builder);
}

/* A history channel that holds count messages of a history, chosen by position. */
static agentchat_snapshot *channel_of(size_t count, size_t history, size_t (*position)(size_t index, size_t history))
{
    static const agentchat_str key = {"Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=", 44};
    agentchat_snapshot_builder *builder = bench_edit(NULL);
    const agentchat_message **all = malloc(history * sizeof *all), **some = malloc(count * sizeof *some);
    agentchat_messages *list = NULL;
    agentchat_error err;

    if (all == NULL || some == NULL)
        exit(1);
    for (size_t i = 0; i < history; i++) {
        all[i] = bench_message(i);
        agentchat_snapshot_builder_add_message(builder, all[i]);
    }
    for (size_t i = 0; i < count; i++)
        some[i] = all[position(i, history)];
    bench_must(agentchat_messages_new(NULL, some, count, &list, &err), &err);
    agentchat_snapshot_builder_set_channel_messages(builder, key, AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL), list,
                                                    history);
    agentchat_messages_unref(list);
    for (size_t i = 0; i < history; i++)
        agentchat_message_unref(all[i]);
    free(all);
    free(some);
    return bench_finish(builder);
}

static size_t every_second(size_t index, size_t history)
{
    (void)history;
    return 2 * index;
}

static size_t from_the_end(size_t index, size_t history)
{
    return history - 1 - index;
}

static size_t the_first(size_t index, size_t history)
{
    (void)index;
    (void)history;
    return 0;
}

static agentchat_snapshot *second_messages(size_t count)
{
    return channel_of(count, 2 * count, every_second);
}

static agentchat_snapshot *reversed_messages(size_t count)
{
    return channel_of(count, count, from_the_end);
}

static agentchat_snapshot *same_message(size_t count)
{
    return channel_of(count, count, the_first);
}

/* Chats inside one another. */
static agentchat_snapshot *nested_chats(size_t count)
{
    agentchat_snapshot *chat = bench_finish(bench_builder(10));

    for (size_t i = 0; i < count; i++) {
        agentchat_snapshot_builder *builder = bench_builder(10);

        agentchat_snapshot_builder_set_channel_chat(builder, AGENTCHAT_STR("inner"),
                                                    AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR_CHANNEL), chat, 10);
        agentchat_snapshot_unref(chat);
        chat = bench_finish(builder);
    }
    return chat;
}

static agentchat_snapshot *nested_messages(size_t count)
{
    agentchat_message *message = bench_message(0);
    agentchat_snapshot_builder *snapshot = bench_builder(0);
    agentchat_error err;

    for (size_t i = 0; i < count; i++) {
        agentchat_message_builder *builder = start("user");
        agentchat_message *outer = NULL;

        agentchat_message_builder_add_message(builder, message);
        bench_must(agentchat_message_builder_finish(builder, &outer, &err), &err);
        agentchat_message_unref(message);
        message = outer;
    }
    agentchat_snapshot_builder_add_message(snapshot, message);
    agentchat_message_unref(message);
    return bench_finish(snapshot);
}

const bench_shape bench_snapshot_shapes[] = {
    {"participants", 100000, participants, NULL},
    {"channels", 100000, channels, NULL},
    {"named values", 100000, values, NULL},
    {"messages pending for a channel", 100000, pending, NULL},
    {"items in one message", 1000000, items, NULL},
    {"calls in one message", 1000000, calls, NULL},
    {"extras on one message", 100000, extras, NULL},
    {"members of one message's metadata", 100000, metadata, NULL},
    {"members of one call's arguments", 100000, arguments, NULL},
    {"channel with every second message", 100000, second_messages, NULL},
    {"channel with the messages reversed", 100000, reversed_messages, NULL},
    {"channel with one message again and again", 100000, same_message, NULL},
    {"chats inside one another", 30, nested_chats, NULL},
    {"messages inside one another", 40, nested_messages, NULL},
    {NULL, 0, NULL, NULL},
};
