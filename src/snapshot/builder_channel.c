/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of a snapshot being built. */
#include "snapshot/builder.h"

#include "base/buf.h"
#include "base/checked.h"
#include "base/error.h"
#include <string.h>

static size_t find_channel(const agentchat_snapshot_builder *b, agentchat_str key)
{
    size_t index = aci_index_find(&b->channel_keys, key);

    return index != ACI_INDEX_NONE ? index : b->channel_count;
}

void aci_snapshot_builder_drop_state(agentchat_channel_state *channel)
{
    aci_list_clear(&channel->messages);
    agentchat_snapshot_unref(channel->chat);
}

/* The channel of that key, new or emptied, with key, type and synced set. NULL: failed, see the builder's error. */
static agentchat_channel_state *set_channel(agentchat_snapshot_builder *b, agentchat_str key, agentchat_str type,
                                            agentchat_channel_kind kind, size_t synced)
{
    size_t index;
    void *array;
    agentchat_channel_state *channel;

    if (aci_snapshot_builder_is_broken(b))
        return NULL;
    if (!aci_is_given(key)) {
        aci_snapshot_builder_refuse(b, "channels", b->channel_count, "channelkey", "a channel needs a key");
        return NULL;
    }
    index = find_channel(b, key);
    aci_snapshot_builder_text(b, &key, "channels", index, "channelkey");
    aci_snapshot_builder_text(b, &type, "channels", index, "channeltype");
    array = b->channels;
    if (!aci_snapshot_builder_is_broken(b) &&
        !aci_grow(b->env, &array, &b->channel_cap, b->channel_count, sizeof *b->channels))
        aci_snapshot_builder_nomem(b);
    b->channels = array;
    if (!aci_snapshot_builder_is_broken(b) && !aci_index_add(&b->channel_keys, b->env, key, index))
        aci_snapshot_builder_nomem(b);
    if (aci_snapshot_builder_is_broken(b))
        return NULL;
    channel = &b->channels[index];
    if (index < b->channel_count)
        aci_snapshot_builder_drop_state(channel);
    else
        b->channel_count++;
    *channel = (agentchat_channel_state){.key = key, .type = type, .kind = kind, .synced = synced};
    aci_list_init(&channel->messages, b->env);
    return channel;
}

void agentchat_snapshot_builder_set_channel(agentchat_snapshot_builder *builder, agentchat_str key, agentchat_str type,
                                            agentchat_channel_kind kind, agentchat_str data, size_t synced)
{
    size_t index;
    agentchat_channel_state *channel;

    if (aci_snapshot_builder_is_broken(builder))
        return;
    index = find_channel(builder, key);
    if (kind == AGENTCHAT_CHANNEL_TEXT)
        aci_snapshot_builder_text(builder, &data, "channels", index, "channelstate");
    else if (kind == AGENTCHAT_CHANNEL_BYTES)
        aci_snapshot_builder_copy(builder, &data);
    else
        aci_snapshot_builder_refuse(builder, "channels", index, "statekind",
                                    "only text and bytes are set with this function");
    channel = set_channel(builder, key, type, kind, synced);
    if (channel != NULL)
        channel->data = data;
}

void agentchat_snapshot_builder_set_channel_messages(agentchat_snapshot_builder *builder, agentchat_str key,
                                                     agentchat_str type, const agentchat_messages *messages,
                                                     size_t synced)
{
    agentchat_channel_state *channel;

    if (aci_snapshot_builder_is_broken(builder))
        return;
    if (messages == NULL) {
        aci_snapshot_builder_refuse(builder, "channels", find_channel(builder, key), "channelstate",
                                    "the list of messages is NULL");
        return;
    }
    channel = set_channel(builder, key, type, AGENTCHAT_CHANNEL_MESSAGES, synced);
    if (channel != NULL)
        aci_list_copy(&channel->messages, messages);
}

/* Containers of format 1 between a chat and one nested in it: the channels, the channel, the chat. */
enum { CHAT_LEVELS = 3 };

/* Whether chat, nested in another one, and the chats nested in it fit into so many levels of containers. */
static bool chat_fits(const agentchat_snapshot *chat, uint32_t levels)
{
    if (levels < CHAT_LEVELS)
        return false;
    for (size_t i = 0; i < chat->channel_count; i++)
        if (chat->channels[i].chat != NULL && !chat_fits(chat->channels[i].chat, levels - CHAT_LEVELS))
            return false;
    return true;
}

void agentchat_snapshot_builder_set_channel_chat(agentchat_snapshot_builder *builder, agentchat_str key,
                                                 agentchat_str type, const agentchat_snapshot *chat, size_t synced)
{
    size_t index;
    agentchat_channel_state *channel;

    if (aci_snapshot_builder_is_broken(builder))
        return;
    index = find_channel(builder, key);
    if (chat == NULL) {
        aci_snapshot_builder_refuse(builder, "channels", index, "channelstate", "the chat is NULL");
        return;
    }
    if (!chat_fits(chat, builder->env->limits.max_depth - 1)) {
        aci_snapshot_builder_fail(builder,
                                  aci_fail(&builder->error, AGENTCHAT_E_LIMIT,
                                           "chats are nested deeper than the limit of %lu levels allows",
                                           (unsigned long)builder->env->limits.max_depth),
                                  "channels", index, "channelstate");
        return;
    }
    channel = set_channel(builder, key, type, AGENTCHAT_CHANNEL_CHAT, synced);
    if (channel != NULL)
        channel->chat = agentchat_snapshot_ref(chat);
}

void agentchat_snapshot_builder_set_pending(agentchat_snapshot_builder *builder, agentchat_str key,
                                            const size_t *positions, size_t count)
{
    size_t index, size;
    size_t *copy = NULL;

    if (aci_snapshot_builder_is_broken(builder))
        return;
    index = find_channel(builder, key);
    if (index == builder->channel_count) {
        aci_snapshot_builder_refuse(builder, "channels", index, "", "no channel of the snapshot has this key");
        return;
    }
    for (size_t i = 1; i < count; i++)
        if (positions[i - 1] >= positions[i]) {
            aci_snapshot_builder_refuse(builder, "channels", index, "pending", "the positions do not ascend");
            return;
        }
    if (count > 0) {
        copy = aci_mul(count, sizeof *copy, &size) ? aci_arena_alloc(builder->arena, size) : NULL;
        if (copy == NULL) {
            aci_snapshot_builder_nomem(builder);
            return;
        }
        memcpy(copy, positions, size);
    }
    builder->channels[index].pending = copy;
    builder->channels[index].pending_count = count;
}

void agentchat_snapshot_builder_remove_channel(agentchat_snapshot_builder *builder, agentchat_str key)
{
    size_t index;

    if (aci_snapshot_builder_is_broken(builder))
        return;
    index = find_channel(builder, key);
    if (index == builder->channel_count)
        return;
    key = builder->channels[index].key; /* lives in the arena, whatever becomes of the caller's */
    aci_snapshot_builder_drop_state(&builder->channels[index]);
    builder->channel_count--;
    memmove(&builder->channels[index], &builder->channels[index + 1],
            (builder->channel_count - index) * sizeof *builder->channels);
    aci_index_remove(&builder->channel_keys, key, index);
    for (size_t i = index; i < builder->channel_count; i++) /* a snapshot to start from may have two of a key */
        if (agentchat_str_equal(builder->channels[i].key, key) &&
            !aci_index_add(&builder->channel_keys, builder->env, builder->channels[i].key, i))
            aci_snapshot_builder_nomem(builder);
}

/* A position after a range of `count` messages that have become `with`. One so far past the end of any history that it
   would overflow stays as it is; it is refused at the end. */
static size_t moved(size_t position, size_t count, size_t with)
{
    return position - count < SIZE_MAX - with ? position - count + with : position;
}

/* Positions of a channel after `count` messages from `first` on have become `with`. What the channel was given of the
   range is given by its end: if it had seen only part of it, it gets the replacement as something new. */
void aci_snapshot_builder_move(agentchat_channel_state *channel, size_t first, size_t count, size_t with)
{
    size_t kept = 0;

    if (channel->synced != AGENTCHAT_SYNCED_UNKNOWN && channel->synced > first)
        channel->synced = channel->synced >= first + count ? moved(channel->synced, count, with) : first;
    for (size_t i = 0; i < channel->pending_count; i++) {
        size_t position = channel->pending[i];

        if (position < first)
            channel->pending[kept++] = position;
        else if (position >= first + count)
            channel->pending[kept++] = moved(position, count, with);
    }
    channel->pending_count = kept;
}
