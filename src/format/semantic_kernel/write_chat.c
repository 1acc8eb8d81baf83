/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a chat with its channels, whose states may be chats: an indented shell around long lines, as .NET does it;
 * what is nested is compact.
 */
#include "format/semantic_kernel/write_chat.h"
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/form.h"
#include "format/semantic_kernel/repair.h"
#include "format/semantic_kernel/write_message.h"
#include "format/semantic_kernel/written_depth.h"

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static void write_nested_chat(aci_sk_channel_out *c)
{
    aci_sk_writer *wr = c->wr;
    bool quoted = aci_sk_state_begin(c);

    aci_sk_write_chat(wr, ACI_AT(c->path, "channelstate"), c->channel->chat, quoted ? 1 : c->level + 3);
    aci_sk_line_end(wr, quoted);
    aci_sk_lose_position(
        c, "the aggregator's chat has not been given all of the history, and .NET will not give it the rest");
}

/* A list or a chat in a channel that is not known to hold one. */
static void check_kind(aci_sk_channel_out *c, aci_sk_state is)
{
    aci_sk_state expected = aci_sk_state_of(c->channel->key, c->channel->type);

    if (c->wr->strict && expected != is)
        aci_sk_loss(c->wr, ACI_AT(c->path, "channelstate"), "nothing says that the state is %s",
                    is == ACI_SK_STATE_CHAT ? "a chat" : "a list of messages");
    else if (expected != is && expected != ACI_SK_STATE_OTHER)
        aci_sk_loss(c->wr, ACI_AT(c->path, "channelstate"),
                    "the state is not what .NET expects in this channel; it will refuse the file");
}

/* Returns whether the state's name stands there. */
static bool write_state(aci_sk_channel_out *c, bool nulls)
{
    switch (c->channel->kind) {
    case AGENTCHAT_CHANNEL_MESSAGES:
        ACI_SK_PROP_KEY(c->wr, &aci_sk_channel.props[ACI_SK_STATE_AT]);
        check_kind(c, ACI_SK_STATE_HISTORY);
        aci_sk_write_state_messages(c);
        return true;
    case AGENTCHAT_CHANNEL_CHAT:
        ACI_SK_PROP_KEY(c->wr, &aci_sk_channel.props[ACI_SK_STATE_AT]);
        check_kind(c, ACI_SK_STATE_CHAT);
        write_nested_chat(c);
        return true;
    case AGENTCHAT_CHANNEL_BYTES:
        aci_sk_write_state_bytes(c);
        return true;
    case AGENTCHAT_CHANNEL_TEXT:
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return aci_sk_write_state_text(c, nulls);
}

static void write_channel(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat,
                          const agentchat_channel_state *channel, uint32_t level)
{
    aci_sk_channel_out c = {.wr = wr, .path = path, .chat = chat, .channel = channel, .level = level};
    const aci_sk_prop *props = aci_sk_channel.props;
    bool nulls = wr->strict && (level > 1 || wr->quoted);
    aci_sk_object object = {.envelope = true};

    aci_writer_object_begin(&wr->w);
    object.written |= (uint32_t)aci_sk_write_text(wr, path, &props[ACI_SK_KEY], "channelkey", channel->key, nulls)
                      << ACI_SK_KEY;
    object.written |=
        (uint32_t)aci_sk_write_text(wr, path, &props[ACI_SK_CHANNEL_TYPE], "channeltype", channel->type, nulls)
        << ACI_SK_CHANNEL_TYPE;
    object.written |= (uint32_t)write_state(&c, nulls) << ACI_SK_STATE_AT;
    aci_sk_write_extras(wr, path, &aci_sk_channel, channel->extras, &object);
    if (wr->sidecar)
        aci_sk_write_channel_sidecar(&c);
    aci_writer_object_end(&wr->w);
}

/* ---- history ----------------------------------------------------------------------------------------------------- */

/* Whether a part of `depth` levels under `level` containers has to go into a string; reports when even that does not
   help. */
static bool must_quote(aci_sk_writer *wr, const aci_location *path, uint32_t level, uint32_t depth)
{
    if (wr->strict || level + depth <= ACI_SK_MAX_DEPTH)
        return false;
    if (wr->quoted || depth > ACI_SK_MAX_DEPTH) {
        aci_sk_loss(wr, path, "nested deeper than the 64 levels that .NET reads; it will refuse the file");
        return false;
    }
    aci_sk_repaired(wr, path, "nested deeper than .NET reads here, so it was written as a string");
    return true;
}

/* Returns whether it was put into a string although the source did not have it in one. */
static bool write_history(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat, uint32_t level)
{
    bool spelled = aci_sk_form_is(chat, ACI_SK_QUOTED_HISTORY) && !wr->quoted;
    uint64_t start = aci_sk_made(wr);
    bool quote = spelled || must_quote(wr, ACI_AT(path, "history"), level,
                                       wr->strict ? 0 : aci_sk_depth_of_messages(wr, &chat->history));

    ACI_SK_PROP_KEY(wr, &aci_sk_root.props[ACI_SK_HISTORY_AT]);
    aci_sk_line_begin(wr, quote);
    aci_writer_array_begin(&wr->w);
    aci_sk_write_messages(wr, ACI_AT(path, "history"), &chat->history);
    aci_writer_array_end(&wr->w);
    aci_sk_line_end(wr, quote);
    wr->held += aci_sk_made(wr) - start;
    return quote && !spelled;
}

/* ---- the sidecar ------------------------------------------------------------------------------------------------- */

static void index_channels(aci_sk_writer *wr, const agentchat_snapshot *chat, aci_index *keys)
{
    for (size_t i = 0; !wr->strict && i < chat->channel_count; i++) {
        agentchat_str key = chat->channels[i].key;

        if (key.ptr != NULL && !agentchat_str_is_null(key) && !aci_index_add(keys, wr->env, key, i)) {
            aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
            return;
        }
    }
}

/* Whether .NET has no use for this channel: it has no key, or that of an earlier one. */
static bool leaves_out(const aci_sk_writer *wr, const agentchat_snapshot *chat, const aci_index *keys, size_t index)
{
    agentchat_str key = chat->channels[index].key;

    return !wr->strict && (key.ptr == NULL || agentchat_str_is_null(key) || aci_index_find(keys, key) != index);
}

static void sidecar_values(aci_sk_sidecar_out *sidecar, const agentchat_snapshot *chat)
{
    aci_sk_writer *wr = sidecar->wr;

    for (size_t i = 0; i < chat->value_count; i++) {
        const aci_value *value = &chat->values[i];
        agentchat_str text = {NULL, 0};

        if (!aci_snapshot_value_text(value, &text)) {
            aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
            return;
        }
        aci_sk_sidecar_element(sidecar, "values");
        aci_writer_object_begin(&wr->w);
        ACI_JW_KEY(&wr->w, "name");
        aci_writer_string(&wr->w, value->name);
        if (value->media_type.ptr != NULL) {
            ACI_JW_KEY(&wr->w, "mediatype");
            aci_writer_string(&wr->w, value->media_type);
            ACI_JW_KEY(&wr->w, "base64");
            aci_writer_base64_bytes(&wr->w, text);
        } else {
            aci_sk_sidecar_value(wr, "value", text);
        }
        aci_writer_object_end(&wr->w);
    }
    aci_sk_sidecar_array_end(sidecar);
}

static void sidecar_left_out(aci_sk_sidecar_out *sidecar, const aci_location *path, const agentchat_snapshot *chat,
                             const aci_index *keys, uint32_t level)
{
    aci_location list = {path, AGENTCHAT_STR("channels"), 0}, location = {&list, {NULL, 0}, 0};
    aci_sk_writer *wr = sidecar->wr;

    for (; location.index < chat->channel_count; location.index++) {
        if (!leaves_out(wr, chat, keys, location.index))
            continue;
        aci_sk_sidecar_element(sidecar, "channels");
        aci_writer_object_begin(&wr->w);
        ACI_JW_KEY(&wr->w, "at");
        aci_writer_u64(&wr->w, location.index);
        ACI_JW_KEY(&wr->w, "channel");
        write_channel(wr, &location, chat, &chat->channels[location.index], level + 3);
        aci_writer_object_end(&wr->w);
    }
    aci_sk_sidecar_array_end(sidecar);
}

static void write_sidecar(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat,
                          const aci_index *keys, bool quoted, uint32_t level)
{
    aci_sk_sidecar_out sidecar = {.wr = wr};

    if (chat->next_turn > 0)
        aci_sk_sidecar_u64(&sidecar, "turn", chat->next_turn);
    aci_sk_sidecar_true(&sidecar, "complete", chat->is_complete);
    aci_sk_sidecar_true(&sidecar, "quoted", quoted);
    aci_sk_sidecar_null_messages(&sidecar, &chat->history);
    sidecar_values(&sidecar, chat);
    sidecar_left_out(&sidecar, path, chat, keys, level);
    aci_sk_sidecar_extras(&sidecar, path, &aci_sk_root, chat->extras, false);
    aci_sk_sidecar_end(&sidecar);
}

static void report_sidecar_losses(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat)
{
    aci_location values = {path, AGENTCHAT_STR("values"), 0}, value = {&values, {NULL, 0}, 0};

    if (chat->next_turn > 0)
        aci_sk_loss(wr, ACI_AT(path, "turn"), ".NET's format has no field for the position of the round robin");
    if (chat->is_complete)
        aci_sk_loss(wr, ACI_AT(path, "complete"), ".NET's format has no field for completion");
    for (; value.index < chat->value_count; value.index++)
        aci_sk_loss(wr, &value, ".NET's format has no field for a named value");
}

/* ---- chat -------------------------------------------------------------------------------------------------------- */

void aci_sk_write_chat(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat, uint32_t level)
{
    static const aci_sk_object object = {
        .envelope = true, .written = 1u << ACI_SK_PARTICIPANTS | 1u << ACI_SK_HISTORY_AT | 1u << ACI_SK_CHANNELS};
    aci_location list = {path, AGENTCHAT_STR("channels"), 0}, location = {&list, {NULL, 0}, 0};
    aci_index keys = {0};
    bool quoted;

    index_channels(wr, chat, &keys);
    aci_writer_object_begin(&wr->w);
    aci_sk_write_participants(wr, path, chat, level > 1 || wr->quoted);
    quoted = write_history(wr, path, chat, level);
    ACI_SK_PROP_KEY(wr, &aci_sk_root.props[ACI_SK_CHANNELS]);
    aci_writer_array_begin(&wr->w);
    for (; location.index < chat->channel_count && wr->w.status >= 0; location.index++) {
        if (!leaves_out(wr, chat, &keys, location.index))
            write_channel(wr, &location, chat, &chat->channels[location.index], level);
        else
            aci_sk_repaired(wr, &location, "a channel without a key of its own was moved into the agentchat property");
    }
    if (!wr->strict)
        aci_sk_write_missing(wr, path, chat, &keys, level);
    aci_writer_array_end(&wr->w);
    aci_sk_write_extras(wr, path, &aci_sk_root, chat->extras, &object);
    if (wr->strict)
        report_sidecar_losses(wr, path, chat);
    else if (wr->sidecar)
        write_sidecar(wr, path, chat, &keys, quoted, level);
    aci_writer_object_end(&wr->w);
    aci_index_clear(&keys, wr->env);
}
