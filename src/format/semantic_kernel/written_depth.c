/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How deep what default mode writes will nest. .NET's reader takes 64 levels, counted in each document on its own, and
 * a text inside a string is a document on its own; so what is too deep is written that way. Counts may be a
 * level or two too high, never too low.
 */
#include "format/semantic_kernel/written_depth.h"
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/repair.h"

#include "json/value.h"

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t depth_of_raw(agentchat_str raw)
{
    return raw.len > 1 && (raw.ptr[0] == '{' || raw.ptr[0] == '[') ? aci_json_depth_of(raw) : 0;
}

/* Fields and extras of a message or an item that is an object at `level`. */
static uint32_t depth_of_fields(aci_sk_writer *wr, const aci_field *fields, size_t count, const aci_extras *extras,
                                uint32_t level)
{
    /* the sidecar: an object, a list of extras, an extra, and in it a value that is flat enough or text */
    uint32_t deepest = level + (extras != NULL ? 3 + ACI_SK_DEEP_VALUE : 2);

    for (size_t i = 0; i < count; i++) {
        agentchat_str raw = aci_field_text(&fields[i]);
        uint32_t depth;

        if (fields[i].form != ACI_FORM_JSON)
            continue;
        depth = level + depth_of_raw(raw);
        if (depth >= deepest && aci_sk_repair_json(wr, (agentchat_field)fields[i].id, raw).what != ACI_SK_KEEP)
            depth++; /* what it was stands in the sidecar */
        deepest = larger(deepest, depth);
    }
    return deepest;
}

static uint32_t depth_of_message(aci_sk_writer *wr, const agentchat_message *message, uint32_t level);

static uint32_t depth_of_item(aci_sk_writer *wr, const agentchat_item *item, uint32_t level)
{
    uint32_t deepest;

    if (item->kind == AGENTCHAT_ITEM_MESSAGE) {
        uint32_t depth = depth_of_message(wr, item->u.message, level);

        if (item->field_count == 0 && item->extras == NULL)
            return depth;
        /* an object inside the message's sidecar */
        return larger(depth, depth_of_fields(wr, item->fields, item->field_count, item->extras, level + 2));
    }
    if (item->kind == AGENTCHAT_ITEM_OPAQUE) /* the raw item stands in the sidecar, as text when it is deep */
        return level + 2 + ACI_SK_DEEP_VALUE;
    deepest = depth_of_fields(wr, item->fields, item->field_count, item->extras, level);
    for (size_t i = 0; i < agentchat_item_content_count(item); i++) /* the sidecar, the array, the item */
        deepest = larger(deepest, depth_of_item(wr, agentchat_item_content(item, i), level + 3));
    return deepest;
}

static uint32_t depth_of_message(aci_sk_writer *wr, const agentchat_message *message, uint32_t level)
{
    uint32_t deepest = depth_of_fields(wr, message->fields, message->field_count, message->extras, level);

    for (size_t i = 0; i < message->item_count; i++)
        deepest = larger(deepest, depth_of_item(wr, message->items[i], level + 2));
    return deepest;
}

uint32_t aci_sk_depth_of_messages(aci_sk_writer *wr, const agentchat_messages *messages)
{
    uint32_t deepest = 1;
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, messages);
    for (size_t i = 0; i < messages->count; i++)
        deepest = larger(deepest, depth_of_message(wr, aci_list_cursor_at(&cursor, i), 2));
    return deepest;
}

uint32_t aci_sk_depth_of_state(aci_sk_writer *wr, const agentchat_channel_state *channel)
{
    switch (channel->kind) {
    case AGENTCHAT_CHANNEL_MESSAGES:
        return aci_sk_depth_of_messages(wr, &channel->messages);
    case AGENTCHAT_CHANNEL_CHAT:
        return aci_sk_depth_of_chat(wr, channel->chat);
    case AGENTCHAT_CHANNEL_TEXT:
        return channel->spelling != ACI_SPELLED_STRING && channel->data.len > 0 ? depth_of_raw(channel->data) : 0;
    case AGENTCHAT_CHANNEL_BYTES:
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return 0;
}

uint32_t aci_sk_depth_of_chat(aci_sk_writer *wr, const agentchat_snapshot *chat)
{
    uint32_t history = aci_sk_depth_of_messages(wr, &chat->history), deepest = 1 + history;

    deepest = larger(deepest, 4 + ACI_SK_DEEP_VALUE); /* the sidecar */
    for (size_t i = 0; i < chat->channel_count; i++) {
        const agentchat_channel_state *channel = &chat->channels[i];

        deepest = larger(deepest, 3 + aci_sk_depth_of_state(wr, channel));
        if (aci_sk_state_of(channel->key, channel->type) != ACI_SK_STATE_OTHER)
            deepest = larger(deepest, 3 + history); /* it may be brought up to date, or made anew */
    }
    if (chat->participant_count > 0) /* a channel may be added, a chat within a chat at most */
        deepest = larger(deepest, 3 + 3 + history);
    return deepest;
}
