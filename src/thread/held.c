/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a checkpoint need not be read. Lists are compared by their positions: those of a segment stand for the same
 * bodies as long as a checkpoint is there that has them.
 */
#include "thread/held.h"

/* How much of a range's beginning stands in another one; *first: from where on. */
static size_t begins_with(const aci_range *range, const aci_range *base, size_t *first)
{
    int64_t to = range->to < base->to ? range->to : base->to;

    if (range->seg == 0 || range->seg != base->seg || range->from < base->from || range->from >= to)
        return 0;
    *first = (size_t)(range->from - base->from);
    return (size_t)(to - range->from);
}

static void take_off(aci_range *range, size_t count)
{
    range->from += (int64_t)count;
    if (range->from >= range->to)
        *range = (aci_range){0, 0, 0};
}

/* Chooses a list of messages if it has more of the range than what was chosen. */
static void offer(const aci_range *range, const aci_range *base, const agentchat_messages *messages,
                  aci_held_list *held)
{
    size_t first = 0, count = begins_with(range, base, &first);

    if (count > held->count && messages->count == (size_t)aci_range_length(*base))
        *held = (aci_held_list){.messages = messages, .first = first, .count = count};
}

static void mark_channel(aci_part *part, const aci_part *base, const agentchat_channel_state *channel,
                         const aci_contents *chat, const agentchat_snapshot *snapshot)
{
    switch (part->kind) {
    case ACI_PART_NONE:
        break;
    case ACI_PART_LIST:
        if (base != NULL && base->kind == ACI_PART_LIST && channel->kind == AGENTCHAT_CHANNEL_MESSAGES)
            offer(&part->list, &base->list, &channel->messages, &part->held);
        offer(&part->list, &chat->history, &snapshot->history, &part->held);
        take_off(&part->list, part->held.count);
        break;
    case ACI_PART_BODY:
        if (base != NULL && base->kind == ACI_PART_BODY && base->body == part->body &&
            (channel->kind == AGENTCHAT_CHANNEL_TEXT || channel->kind == AGENTCHAT_CHANNEL_BYTES))
            part->held_bytes = channel->data;
        break;
    case ACI_PART_CHAT:
        if (base != NULL && base->kind == ACI_PART_CHAT && channel->kind == AGENTCHAT_CHANNEL_CHAT)
            aci_held_mark(part->chat, base->chat, channel->chat);
        break;
    }
}

/* A text that is an array is held in pieces in the store alone: it serves where nothing of it changed. */
static void mark_value(aci_part *part, const aci_part *base, const aci_value *value)
{
    size_t first = 0, count;

    if (part->kind != base->kind)
        return;
    if (part->kind == ACI_PART_BODY) {
        if (part->body == base->body && value->list == NULL)
            part->held_value = value;
        return;
    }
    count = begins_with(&part->list, &base->list, &first);
    if (value->list != NULL && aci_value_list_count(value->list) == (size_t)aci_range_length(base->list)) {
        part->held = (aci_held_list){.values = value->list, .first = first, .count = count};
        take_off(&part->list, count);
    } else if (value->list == NULL && part->list.seg == base->list.seg && part->list.from == base->list.from &&
               part->list.to == base->list.to) {
        part->held_value = value;
        part->list = (aci_range){0, 0, 0};
    }
}

void aci_held_mark(aci_contents *contents, const aci_contents *base, const agentchat_snapshot *snapshot)
{
    if (snapshot->channel_count != base->channel_count || snapshot->value_count != base->value_count)
        return; /* it is not that of the contents */
    offer(&contents->history, &base->history, &snapshot->history, &contents->held);
    take_off(&contents->history, contents->held.count);
    for (size_t i = 0; i < contents->channel_count; i++) {
        bool is_there = i < base->channel_count;

        mark_channel(&contents->channels[i], is_there ? &base->channels[i] : NULL,
                     is_there ? &snapshot->channels[i] : NULL, base, snapshot);
    }
    for (size_t i = 0; i < contents->value_count && i < base->value_count; i++)
        mark_value(&contents->values[i], &base->values[i], &snapshot->values[i]);
}
