/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels that a chat lacks to be restored by .NET, which fails for every agent without one: agents that have not
 * spoken yet. The channel is what .NET would have made at that agent's first turn.
 * Our reader leaves these channels out again ("added"), so an agent that had none synchronises at first use.
 */
#include "format/semantic_kernel/write_chat.h"
#include "format/semantic_kernel/write_message.h"
#include "format/semantic_kernel/written_depth.h"

/* What the key of an aggregator's channel is made of: its name, else its id; absent when it has neither. */
static agentchat_str label_of(const agentchat_participant *participant)
{
    if (participant->name.ptr != NULL && !agentchat_str_is_null(participant->name))
        return participant->name;
    return agentchat_str_is_null(participant->id) ? (agentchat_str){NULL, 0} : participant->id;
}

/* The key of an aggregator's channel. false: it has neither name nor id, or out of memory. */
static bool aggregator_key(aci_sk_writer *wr, const agentchat_participant *participant, char key[AGENTCHAT_KEY_LEN + 1])
{
    agentchat_str keys[2] = {AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR_CHANNEL), label_of(participant)};

    if (keys[1].ptr == NULL)
        return false;
    if (agentchat_channel_key(keys, 2, key) == AGENTCHAT_OK)
        return true;
    aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
    return false;
}

/* The history as a history channel would have received it, as the elements of an array. */
static void write_history_state(aci_sk_writer *wr, const agentchat_snapshot *chat)
{
    aci_writer_array_begin(&wr->w);
    (void)aci_sk_write_kept(wr, &chat->history, 0);
    aci_writer_array_end(&wr->w);
}

static void write_chat_state(aci_sk_writer *wr, const agentchat_snapshot *chat)
{
    aci_json_writer *w = &wr->w;

    aci_writer_object_begin(w);
    ACI_JW_KEY(w, "Participants");
    aci_writer_array_begin(w);
    aci_writer_array_end(w);
    ACI_JW_KEY(w, "History");
    aci_writer_array_begin(w);
    aci_sk_write_messages(wr, NULL, &chat->history);
    aci_writer_array_end(w);
    ACI_JW_KEY(w, "Channels");
    aci_writer_array_begin(w);
    aci_writer_object_begin(w);
    ACI_JW_KEY(w, "ChannelKey");
    aci_writer_string(w, AGENTCHAT_STR(ACI_SK_HISTORY_KEY));
    ACI_JW_KEY(w, "ChannelType");
    aci_writer_string(w, AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL));
    ACI_JW_KEY(w, "ChannelState");
    write_history_state(wr, chat);
    aci_writer_object_end(w);
    aci_writer_array_end(w);
    aci_writer_object_end(w);
}

void aci_sk_write_made_state(aci_sk_writer *wr, const agentchat_snapshot *chat, aci_sk_state kind, uint32_t level)
{
    agentchat_report *report = wr->report;
    uint32_t depth = aci_sk_depth_of_messages(wr, &chat->history) + (kind == ACI_SK_STATE_CHAT ? 3 : 0);
    bool sidecar = wr->sidecar, quote = !wr->quoted && level + 2 + depth > ACI_SK_MAX_DEPTH;

    /* What is repaired in the messages is reported where they stand in the history, and our reader reads it there. */
    wr->report = NULL;
    wr->sidecar = false;
    aci_sk_line_begin(wr, quote);
    if (kind == ACI_SK_STATE_CHAT)
        write_chat_state(wr, chat);
    else
        write_history_state(wr, chat);
    aci_sk_line_end(wr, quote);
    wr->report = report;
    wr->sidecar = sidecar;
}

static void write_added(aci_sk_writer *wr, const agentchat_snapshot *chat, agentchat_str key, const char *type,
                        aci_sk_state kind, uint32_t level)
{
    aci_json_writer *w = &wr->w;
    aci_sk_sidecar_out sidecar = {.wr = wr};

    aci_writer_object_begin(w);
    ACI_JW_KEY(w, "ChannelKey");
    aci_writer_string(w, key);
    ACI_JW_KEY(w, "ChannelType");
    aci_writer_string(w, agentchat_str_from(type));
    ACI_JW_KEY(w, "ChannelState");
    aci_sk_write_made_state(wr, chat, kind, level);
    aci_sk_copy_end(wr);
    aci_sk_sidecar_true(&sidecar, "added", true);
    aci_sk_sidecar_end(&sidecar);
    aci_writer_object_end(w);
}

static bool is_other(const agentchat_participant *participant)
{
    return participant->type.len > 0 && !aci_sk_view_is(participant->type, AGENTCHAT_TYPE_HISTORY_AGENT) &&
           !aci_sk_view_is(participant->type, AGENTCHAT_TYPE_AGGREGATOR);
}

/* The names of those who have spoken. */
static void index_authors(aci_sk_writer *wr, const agentchat_messages *history, aci_index *authors)
{
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, history);
    for (size_t i = 0; i < history->count; i++) {
        agentchat_str name = agentchat_message_name(aci_list_cursor_at(&cursor, i));

        if (name.len > 0 && !aci_index_add(authors, wr->env, name, i)) {
            aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
            return;
        }
    }
}

/* Agents of kinds whose channels cannot be made here, such as remote threads: their keys are not known. One is taken to
   lack its channel when it never spoke and there are fewer channels of other kinds than agents. */
static void report_others(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat)
{
    aci_location list = {path, AGENTCHAT_STR("participants"), 0}, location = {&list, {NULL, 0}, 0};
    aci_index authors = {0};
    size_t agents = 0, channels = 0;

    for (size_t i = 0; i < chat->participant_count; i++)
        agents += is_other(&chat->participants[i]);
    for (size_t i = 0; i < chat->channel_count; i++)
        channels += aci_sk_state_of(chat->channels[i].key, chat->channels[i].type) == ACI_SK_STATE_OTHER;
    if (channels >= agents)
        return;
    index_authors(wr, &chat->history, &authors);
    for (; location.index < chat->participant_count; location.index++) {
        const agentchat_participant *participant = &chat->participants[location.index];

        if (is_other(participant) &&
            (participant->name.len == 0 || aci_index_find(&authors, participant->name) == ACI_INDEX_NONE))
            aci_sk_loss(wr, &location,
                        "the agent never spoke and its channel cannot be made here; .NET will refuse the "
                        "file while the agent is in the chat");
    }
    aci_index_clear(&authors, wr->env);
}

/* Whether a participant before this one has the same channel. labels: of the aggregators so far; has_history: whether
   there was a history agent. */
static bool is_repeated(aci_sk_writer *wr, const agentchat_participant *participant, aci_index *labels,
                        bool *has_history)
{
    agentchat_str label = label_of(participant);
    bool repeated = false;

    if (aci_sk_view_is(participant->type, AGENTCHAT_TYPE_HISTORY_AGENT)) {
        repeated = *has_history;
        *has_history = true;
    } else if (aci_sk_view_is(participant->type, AGENTCHAT_TYPE_AGGREGATOR) && label.ptr != NULL) {
        repeated = aci_index_find(labels, label) != ACI_INDEX_NONE;
        if (!aci_index_add(labels, wr->env, label, 0))
            aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
    }
    return repeated;
}

void aci_sk_write_missing(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat,
                          const aci_index *keys, uint32_t level)
{
    aci_index labels = {0};
    bool has_history = false;
    aci_location list = {path, AGENTCHAT_STR("participants"), 0}, location = {&list, {NULL, 0}, 0};

    report_others(wr, path, chat);
    for (; location.index < chat->participant_count && wr->w.status >= 0; location.index++) {
        const agentchat_participant *participant = &chat->participants[location.index];
        char key[AGENTCHAT_KEY_LEN + 1];

        bool is_history = aci_sk_view_is(participant->type, AGENTCHAT_TYPE_HISTORY_AGENT);
        agentchat_str added = AGENTCHAT_STR(ACI_SK_HISTORY_KEY);

        if (is_repeated(wr, participant, &labels, &has_history))
            continue;
        if (!is_history) {
            if (!aci_sk_view_is(participant->type, AGENTCHAT_TYPE_AGGREGATOR) || !aggregator_key(wr, participant, key))
                continue;
            added = agentchat_str_from(key);
        }
        if (aci_index_find(keys, added) != ACI_INDEX_NONE)
            continue;
        if (!aci_sk_copy_begin(wr)) {
            aci_sk_loss(wr, &location,
                        "the agent has no channel, and the history was repeated as often as max_copies allows; .NET "
                        "will refuse the file while the agent is in the chat");
            continue;
        }
        aci_sk_repaired(wr, &location, "the %s had no channel yet; one with the history was added",
                        is_history ? "agent" : "aggregator");
        write_added(wr, chat, added, is_history ? AGENTCHAT_TYPE_HISTORY_CHANNEL : AGENTCHAT_TYPE_AGGREGATOR_CHANNEL,
                    is_history ? ACI_SK_STATE_HISTORY : ACI_SK_STATE_CHAT, level);
    }
    aci_index_clear(&labels, wr->env);
}
