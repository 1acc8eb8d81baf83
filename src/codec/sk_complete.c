/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels that a chat lacks to be restored by .NET, which fails for every agent without one: agents that have not
 * spoken yet. The channel is what .NET would have made at that agent's first turn. Layer 4.
 * Our own reader leaves these channels out again ("added"), so an agent that had none synchronises at first use.
 */
#include "codec/sk_write.h"

static bool has_key(const agentchat_snapshot *chat, agentchat_str key)
{
    for (size_t i = 0; i < chat->channel_count; i++)
        if (agentchat_str_equal(chat->channels[i].key, key))
            return true;
    return false;
}

/* The key of an aggregator's channel. false: it has neither name nor id, or out of memory. */
static bool aggregator_key(aci_sk_writer *wr, const agentchat_participant *participant, char key[AGENTCHAT_KEY_LEN + 1])
{
    bool named = participant->name.ptr != NULL && !agentchat_str_is_null(participant->name);
    agentchat_str keys[2] = {AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR_CHANNEL),
                             named ? participant->name : participant->id};

    if (keys[1].ptr == NULL || agentchat_str_is_null(keys[1]))
        return false;
    if (agentchat_channel_key(keys, 2, key) == AGENTCHAT_OK)
        return true;
    aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
    return false;
}

/* The history as a history channel would have received it, as the elements of an array. */
static void write_history_state(aci_sk_writer *wr, const agentchat_snapshot *chat)
{
    aci_jw_array_begin(&wr->w);
    (void)aci_sk_write_kept(wr, &chat->history, 0);
    aci_jw_array_end(&wr->w);
}

static void write_chat_state(aci_sk_writer *wr, const agentchat_snapshot *chat)
{
    aci_json_writer *w = &wr->w;

    aci_jw_object_begin(w);
    ACI_JW_KEY(w, "Participants");
    aci_jw_array_begin(w);
    aci_jw_array_end(w);
    ACI_JW_KEY(w, "History");
    aci_jw_array_begin(w);
    aci_sk_write_messages(wr, NULL, &chat->history);
    aci_jw_array_end(w);
    ACI_JW_KEY(w, "Channels");
    aci_jw_array_begin(w);
    aci_jw_object_begin(w);
    ACI_JW_KEY(w, "ChannelKey");
    aci_jw_string(w, AGENTCHAT_STR(ACI_SK_HISTORY_KEY));
    ACI_JW_KEY(w, "ChannelType");
    aci_jw_string(w, AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL));
    ACI_JW_KEY(w, "ChannelState");
    write_history_state(wr, chat);
    aci_jw_object_end(w);
    aci_jw_array_end(w);
    aci_jw_object_end(w);
}

void aci_sk_write_made_state(aci_sk_writer *wr, const agentchat_snapshot *chat, aci_sk_state kind, uint32_t level)
{
    agentchat_report *report = wr->report;
    uint32_t depth = aci_sk_depth_of_messages(wr, &chat->history) + (kind == ACI_SK_STATE_CHAT ? 3 : 0);
    bool own = wr->own, quoted = wr->quoted, quote = !quoted && level + 2 + depth > ACI_SK_MAX_DEPTH;

    /* What is repaired in the messages is reported where they stand in the history, and our reader reads it there. */
    wr->report = NULL;
    wr->own = false;
    if (quote) {
        aci_jw_quoted_begin(&wr->w);
        wr->quoted = true;
    }
    aci_jw_inline_begin(&wr->w);
    if (kind == ACI_SK_STATE_CHAT)
        write_chat_state(wr, chat);
    else
        write_history_state(wr, chat);
    aci_jw_inline_end(&wr->w);
    if (quote)
        aci_jw_quoted_end(&wr->w);
    wr->report = report;
    wr->own = own;
    wr->quoted = quoted;
}

static void write_added(aci_sk_writer *wr, const agentchat_snapshot *chat, agentchat_str key, const char *type,
                        aci_sk_state kind, uint32_t level)
{
    aci_json_writer *w = &wr->w;
    aci_sk_own_out own = {wr, false};

    aci_jw_object_begin(w);
    ACI_JW_KEY(w, "ChannelKey");
    aci_jw_string(w, key);
    ACI_JW_KEY(w, "ChannelType");
    aci_jw_string(w, agentchat_str_from(type));
    ACI_JW_KEY(w, "ChannelState");
    aci_sk_write_made_state(wr, chat, kind, level);
    aci_sk_own_key(&own, "added");
    aci_jw_bool(w, true);
    aci_sk_own_end(&own);
    aci_jw_object_end(w);
}

static bool is_other(const agentchat_participant *participant)
{
    return participant->type.len > 0 && !aci_sk_view_is(participant->type, AGENTCHAT_TYPE_HISTORY_AGENT) &&
           !aci_sk_view_is(participant->type, AGENTCHAT_TYPE_AGGREGATOR);
}

static bool has_spoken(const agentchat_snapshot *chat, const agentchat_participant *participant)
{
    for (size_t i = 0; i < chat->history.count; i++) {
        const agentchat_message *message = agentchat_messages_at(&chat->history, i);

        if (participant->name.len > 0 && agentchat_str_equal(agentchat_message_name(message), participant->name))
            return true;
    }
    return false;
}

/* Agents of kinds whose channels cannot be made here, such as remote threads: their keys are not known. One is taken to
   lack its channel when it never spoke and there are fewer channels of other kinds than agents. */
static void report_others(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat)
{
    aci_sk_path list = {path, "participants", 0}, place = {&list, NULL, 0};
    size_t agents = 0, channels = 0;

    for (size_t i = 0; i < chat->participant_count; i++)
        agents += is_other(&chat->participants[i]);
    for (size_t i = 0; i < chat->channel_count; i++)
        channels += aci_sk_state_of(chat->channels[i].key, chat->channels[i].type) == ACI_SK_STATE_OTHER;
    if (channels >= agents)
        return;
    for (; place.index < chat->participant_count; place.index++)
        if (is_other(&chat->participants[place.index]) && !has_spoken(chat, &chat->participants[place.index]))
            aci_sk_loss(wr, &place,
                        "the agent never spoke and its channel cannot be made here; .NET will refuse the "
                        "file while the agent is in the chat");
}

static bool is_repeated(const agentchat_snapshot *chat, size_t index)
{
    const agentchat_participant *participant = &chat->participants[index];
    bool aggregator = aci_sk_view_is(participant->type, AGENTCHAT_TYPE_AGGREGATOR);

    for (size_t i = 0; i < index; i++)
        if (agentchat_str_equal(chat->participants[i].type, participant->type) &&
            (!aggregator ||
             (participant->name.len > 0 && agentchat_str_equal(chat->participants[i].name, participant->name))))
            return true;
    return false;
}

void aci_sk_write_missing(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat, uint32_t level)
{
    aci_sk_path list = {path, "participants", 0}, place = {&list, NULL, 0};

    report_others(wr, path, chat);
    for (; place.index < chat->participant_count && wr->w.status >= 0; place.index++) {
        const agentchat_participant *participant = &chat->participants[place.index];
        char key[AGENTCHAT_KEY_LEN + 1];

        if (is_repeated(chat, place.index))
            continue;
        if (aci_sk_view_is(participant->type, AGENTCHAT_TYPE_HISTORY_AGENT)) {
            if (has_key(chat, AGENTCHAT_STR(ACI_SK_HISTORY_KEY)))
                continue;
            aci_sk_repaired(wr, &place, "the agent had no channel yet; one with the history was added");
            write_added(wr, chat, AGENTCHAT_STR(ACI_SK_HISTORY_KEY), AGENTCHAT_TYPE_HISTORY_CHANNEL,
                        ACI_SK_STATE_HISTORY, level);
        } else if (aci_sk_view_is(participant->type, AGENTCHAT_TYPE_AGGREGATOR) &&
                   aggregator_key(wr, participant, key)) {
            if (has_key(chat, agentchat_str_from(key)))
                continue;
            aci_sk_repaired(wr, &place, "the aggregator had no channel yet; one with the history was added");
            write_added(wr, chat, agentchat_str_from(key), AGENTCHAT_TYPE_AGGREGATOR_CHANNEL, ACI_SK_STATE_CHAT, level);
        }
    }
}
