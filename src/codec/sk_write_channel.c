/* SPDX-License-Identifier: Apache-2.0 */
/* Writing channels and their states. Layer 4. */
#include "codec/sk_write.h"

/* What is known about a channel while it is written, for our own property at its end. */
typedef struct channel_out {
    aci_sk_writer *wr;
    const aci_sk_path *path;
    const agentchat_snapshot *chat;
    const agentchat_channel_state *channel;
    uint32_t level;
    size_t appended;
    bool quoted, replaced;
    bool updated; /* what the channel has not been given is written behind its messages */
} channel_out;

void aci_sk_index_channels(aci_sk_writer *wr, const agentchat_snapshot *chat, aci_index *keys)
{
    for (size_t i = 0; !wr->strict && i < chat->channel_count; i++) {
        agentchat_str key = chat->channels[i].key;

        if (key.ptr != NULL && !agentchat_str_is_null(key) && !aci_index_add(keys, wr->env, key, i)) {
            aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
            return;
        }
    }
}

bool aci_sk_leaves_out(const aci_sk_writer *wr, const agentchat_snapshot *chat, const aci_index *keys, size_t index)
{
    agentchat_str key = chat->channels[index].key;

    return !wr->strict && (key.ptr == NULL || agentchat_str_is_null(key) || aci_index_find(keys, key) != index);
}

/* ---- positions ------------------------------------------------------------------------------------------------ */

/* Whether the channel has not been given all of the history. */
static bool is_stale(const channel_out *c)
{
    return c->channel->pending_count > 0 ||
           (c->channel->synced != AGENTCHAT_SYNCED_UNKNOWN && c->channel->synced < c->chat->history.count);
}

static void lose_position(channel_out *c, const char *why)
{
    aci_sk_path place = {c->path, c->channel->pending_count > 0 ? "pending" : "synced", 0};

    if (is_stale(c))
        aci_sk_loss(c->wr, &place, "%s", why);
}

/* Gives a list of messages what the channel has not been given yet. */
static void append_rest(channel_out *c)
{
    const agentchat_channel_state *channel = c->channel;
    const agentchat_messages *history = &c->chat->history;
    aci_sk_writer *wr = c->wr;
    bool own = wr->own;
    agentchat_report *report = wr->report;

    wr->own = false; /* our reader takes them away again */
    wr->report = NULL;
    (void)aci_sk_copy_begin(wr); /* it was asked before */
    for (size_t i = 0; i < channel->pending_count; i++) {
        const agentchat_message *message = agentchat_messages_at(history, channel->pending[i]);

        if (message == NULL || !aci_sk_channel_keeps(message))
            continue;
        aci_sk_write_message(wr, NULL, message, &aci_sk_message, NULL);
        c->appended++;
    }
    if (channel->synced != AGENTCHAT_SYNCED_UNKNOWN)
        c->appended += aci_sk_write_kept(wr, history, channel->synced);
    aci_sk_copy_end(wr);
    wr->own = own;
    wr->report = report;
    aci_sk_repaired(wr, c->path, "the channel was behind the history and was brought up to date");
}

/* ---- states --------------------------------------------------------------------------------------------------- */

static bool begin_quoted(channel_out *c, uint32_t depth)
{
    aci_sk_writer *wr = c->wr;
    bool spelled = c->channel->spelling == ACI_SPELLED_STRING && !wr->quoted;
    bool deep = !wr->strict && !wr->quoted && c->level + 2 + depth > ACI_SK_MAX_DEPTH;

    c->quoted = !spelled && deep && depth <= ACI_SK_MAX_DEPTH;
    if (c->quoted)
        aci_sk_repaired(wr, c->path, "nested deeper than .NET reads at this place, so it was written as a string");
    else if (deep && !spelled && c->channel->kind != AGENTCHAT_STATE_CHAT)
        aci_sk_loss(wr, c->path, "nested deeper than the 64 levels that .NET reads; it will refuse the file");
    if (!spelled && !c->quoted)
        return false;
    aci_jw_quoted_begin(&wr->w);
    wr->quoted = true;
    return true;
}

static void end_quoted(channel_out *c, bool quoted)
{
    if (!quoted)
        return;
    aci_jw_quoted_end(&c->wr->w);
    c->wr->quoted = false;
}

static uint32_t depth_of(channel_out *c)
{
    uint32_t depth, history;

    if (c->wr->strict)
        return 0;
    depth = aci_sk_depth_of_state(c->wr, c->channel);
    if (!c->updated)
        return depth;
    history = aci_sk_depth_of_messages(c->wr, &c->chat->history);
    return depth > history ? depth : history;
}

/* Messages that the document names from the history are copies; those that stand in it are not. */
static bool write_held(channel_out *c, const aci_sk_path *place)
{
    aci_sk_writer *wr = c->wr;

    if (!aci_sk_copy_begin(wr) && c->channel->named) {
        aci_sk_copies_fail(wr, place);
        return false;
    }
    aci_sk_write_messages(wr, place, &c->channel->messages);
    if (c->channel->named)
        aci_sk_copy_end(wr);
    else
        wr->held += aci_sk_made(wr) - wr->copy_start;
    return true;
}

static void write_messages(channel_out *c)
{
    aci_sk_writer *wr = c->wr;
    aci_sk_path place = {c->path, "channelstate", 0};
    bool quoted;

    c->updated = !wr->strict && is_stale(c) && aci_sk_copy_begin(wr);
    quoted = begin_quoted(c, depth_of(c));
    aci_jw_inline_begin(&wr->w);
    aci_jw_array_begin(&wr->w);
    if (!write_held(c, &place))
        return;
    if (wr->strict)
        lose_position(c, "how far the channel is behind the history has no place in what .NET writes");
    else if (c->updated)
        append_rest(c);
    else
        lose_position(c, "the channel is behind the history, which was repeated as often as max_copies allows; .NET "
                         "will not give it the rest");
    aci_jw_array_end(&wr->w);
    aci_jw_inline_end(&wr->w);
    end_quoted(c, quoted);
}

static void write_chat(channel_out *c)
{
    aci_sk_writer *wr = c->wr;
    aci_sk_path place = {c->path, "channelstate", 0};
    bool quoted = begin_quoted(c, depth_of(c));

    aci_jw_inline_begin(&wr->w);
    aci_sk_write_chat(wr, &place, c->channel->chat, quoted ? 1 : c->level + 3);
    aci_jw_inline_end(&wr->w);
    end_quoted(c, quoted);
    lose_position(c, "the aggregator's chat is behind the history, and .NET will not give it the rest");
}

/* Whether .NET would write a text as JSON rather than as a string, and may; only where a reader gets the same text
   back: not of a string or null, nor with whitespace around. */
static bool is_raw(channel_out *c, agentchat_str text)
{
    aci_sk_writer *wr = c->wr;
    agentchat_str span;
    aci_json_kind kind;
    char first = text.len > 0 ? text.ptr[0] : '\0', last = text.len > 0 ? text.ptr[text.len - 1] : '\0';

    if (c->channel->spelling == ACI_SPELLED_STRING)
        return false;
    if (c->channel->spelling == ACI_SPELLED_ANY && !((first == '[' && last == ']') || (first == '{' && last == '}')))
        return false;
    if (aci_json_check(wr->env, text, ACI_HIGHEST_MAX_DEPTH, &span, &kind, NULL) < 0)
        return false;
    if (span.len != text.len || kind == ACI_JSON_STRING || kind == ACI_JSON_NULL)
        return false;
    if (wr->strict || wr->quoted || c->level + 2 + aci_json_depth_of(text) <= ACI_SK_MAX_DEPTH)
        return true;
    aci_sk_repaired(wr, c->path, "nested deeper than .NET reads at this place, so it was written as a string");
    c->quoted = true;
    return false;
}

static void write_string(channel_out *c, agentchat_str text)
{
    aci_sk_writer *wr = c->wr;
    aci_sk_fix fix = wr->strict ? (aci_sk_fix){ACI_SK_KEEP, {NULL, 0}, NULL} : aci_sk_fix_text(wr, text);

    if (fix.what == ACI_SK_REPLACE) {
        aci_sk_path place = {c->path, "channelstate", 0};

        aci_sk_repaired(wr, &place, "%s", fix.why);
        c->replaced = true;
        text = fix.text;
    }
    aci_jw_string(&wr->w, text);
}

/* A history channel or an aggregator's whose state .NET could not read. */
static bool is_made(channel_out *c)
{
    aci_sk_path place = {c->path, "channelstate", 0};

    if (c->wr->strict || aci_sk_state_of(c->channel->key, c->channel->type) == ACI_SK_STATE_OTHER)
        return false;
    if (aci_sk_copy_begin(c->wr))
        return true;
    aci_sk_loss(c->wr, &place,
                "the state is none that .NET can read, and the history was repeated as often as max_copies allows; "
                ".NET will refuse the file");
    return false;
}

static void write_made(channel_out *c)
{
    aci_sk_repaired(c->wr, c->path, "the state is none that .NET can read; one with the history was written");
    aci_sk_write_made_state(c->wr, c->chat, aci_sk_state_of(c->channel->key, c->channel->type), c->level);
    aci_sk_copy_end(c->wr);
    c->replaced = true;
}

/* Strict: the text of a channel that holds messages or a chat, when it is one. */
static void lose_text(channel_out *c, agentchat_str text)
{
    aci_sk_path place = {c->path, "channelstate", 0};
    aci_sk_state kind = aci_sk_state_of(c->channel->key, c->channel->type);

    if (c->wr->strict && aci_sk_reads_as_state(c->wr, text, kind))
        aci_sk_loss(c->wr, &place, "that the state is a text is said nowhere; it is read as %s",
                    kind == ACI_SK_STATE_CHAT ? "a chat" : "a list of messages");
}

static bool write_text(channel_out *c, bool nested)
{
    aci_sk_writer *wr = c->wr;
    agentchat_str data = c->channel->data;
    bool nothing = data.ptr == NULL || agentchat_str_is_null(data);
    bool made = is_made(c);

    if (nothing && !made && !nested && (wr->strict || data.ptr == NULL))
        return false;
    ACI_SK_PROP_KEY(wr, &aci_sk_channel.props[ACI_SK_STATE_AT]);
    if (made) {
        write_made(c);
        return true;
    }
    if (nothing) {
        aci_jw_null(&wr->w);
    } else if (is_raw(c, data)) {
        aci_jw_inline_begin(&wr->w);
        aci_jw_raw(&wr->w, data);
        aci_jw_inline_end(&wr->w);
    } else {
        write_string(c, data);
    }
    if (!nothing)
        lose_text(c, data);
    lose_position(c, "the channel is behind the history, and .NET will not give it the rest");
    return true;
}

static void write_bytes(channel_out *c)
{
    aci_sk_path place = {c->path, "channelstate", 0};
    bool made = is_made(c);

    ACI_SK_PROP_KEY(c->wr, &aci_sk_channel.props[ACI_SK_STATE_AT]);
    if (made) {
        write_made(c);
        return;
    }
    if (c->channel->data.ptr == NULL || agentchat_str_is_null(c->channel->data))
        c->replaced = true; /* by bytes of which there are none */
    aci_jw_base64_bytes(&c->wr->w, c->channel->data);
    if (c->wr->strict)
        aci_sk_loss(c->wr, &place, "a state of bytes was written as base64, and nothing says so");
    lose_position(c, "the channel is behind the history, and .NET will not give it the rest");
}

/* A list or a chat in a channel that is not known to hold one. */
static void check_kind(channel_out *c, aci_sk_state is)
{
    aci_sk_path place = {c->path, "channelstate", 0};
    aci_sk_state expected = aci_sk_state_of(c->channel->key, c->channel->type);

    if (c->wr->strict && expected != is)
        aci_sk_loss(c->wr, &place, "that the state is %s is said nowhere",
                    is == ACI_SK_STATE_CHAT ? "a chat" : "a list of messages");
    else if (expected != is && expected != ACI_SK_STATE_OTHER)
        aci_sk_loss(c->wr, &place, "the state is not what .NET expects in this channel; it will refuse the file");
}

/* Returns whether the state's name stands there. */
static bool write_state(channel_out *c, bool nested)
{
    switch (c->channel->kind) {
    case AGENTCHAT_STATE_MESSAGES:
        ACI_SK_PROP_KEY(c->wr, &aci_sk_channel.props[ACI_SK_STATE_AT]);
        check_kind(c, ACI_SK_STATE_HISTORY);
        write_messages(c);
        return true;
    case AGENTCHAT_STATE_CHAT:
        ACI_SK_PROP_KEY(c->wr, &aci_sk_channel.props[ACI_SK_STATE_AT]);
        check_kind(c, ACI_SK_STATE_CHAT);
        write_chat(c);
        return true;
    case AGENTCHAT_STATE_BYTES:
        write_bytes(c);
        return true;
    case AGENTCHAT_STATE_TEXT:
    case AGENTCHAT_STATE_MAX_:
        break;
    }
    return write_text(c, nested);
}

/* ---- our own property ----------------------------------------------------------------------------------------- */

static void own_state(aci_sk_own_out *own, const agentchat_channel_state *channel)
{
    aci_json_writer *w = &own->wr->w;
    static const char *const spellings[] = {"any", "raw", "string"};

    aci_sk_own_key(own, "state");
    aci_jw_object_begin(w);
    ACI_JW_KEY(w, "spelling");
    aci_jw_string(w, agentchat_str_from(spellings[channel->spelling <= ACI_SPELLED_STRING ? channel->spelling : 0]));
    if (channel->data.ptr != NULL) {
        ACI_JW_KEY(w, "text");
        if (agentchat_str_is_null(channel->data))
            aci_jw_null(w);
        else if (channel->kind == AGENTCHAT_STATE_BYTES)
            aci_jw_base64_bytes(w, channel->data);
        else
            aci_jw_string(w, channel->data);
    }
    aci_jw_object_end(w);
}

static void own_positions(aci_sk_own_out *own, const agentchat_channel_state *channel)
{
    aci_json_writer *w = &own->wr->w;

    if (channel->synced != AGENTCHAT_SYNCED_UNKNOWN) {
        aci_sk_own_key(own, "synced");
        aci_jw_u64(w, channel->synced);
    }
    if (channel->pending_count == 0)
        return;
    aci_sk_own_key(own, "pending");
    aci_jw_array_begin(w);
    for (size_t i = 0; i < channel->pending_count; i++)
        aci_jw_u64(w, channel->pending[i]);
    aci_jw_array_end(w);
}

/* What a state is where neither key nor type tells a reader. */
static void own_kind(aci_sk_own_out *own, const agentchat_channel_state *channel)
{
    aci_sk_state kind = aci_sk_state_of(channel->key, channel->type);

    if (channel->kind == AGENTCHAT_STATE_MESSAGES && kind != ACI_SK_STATE_HISTORY)
        aci_sk_own_text(own, "holds", AGENTCHAT_STR("messages"));
    if (channel->kind == AGENTCHAT_STATE_CHAT && kind != ACI_SK_STATE_CHAT)
        aci_sk_own_text(own, "holds", AGENTCHAT_STR("chat"));
}

static void write_own(channel_out *c)
{
    const agentchat_channel_state *channel = c->channel;
    aci_sk_own_out own = {c->wr, false};

    if (aci_sk_fix_text(c->wr, channel->key).what == ACI_SK_REPLACE)
        aci_sk_own_text(&own, "key", channel->key);
    if (aci_sk_fix_text(c->wr, channel->type).what == ACI_SK_REPLACE)
        aci_sk_own_text(&own, "type", channel->type);
    own_positions(&own, channel);
    if (c->appended > 0) {
        aci_sk_own_key(&own, "appended");
        aci_jw_u64(&c->wr->w, c->appended);
    }
    if (c->quoted) {
        aci_sk_own_key(&own, "quoted");
        aci_jw_bool(&c->wr->w, true);
    }
    if (channel->kind == AGENTCHAT_STATE_BYTES) {
        aci_sk_own_key(&own, "bytes");
        aci_jw_bool(&c->wr->w, true);
    }
    if (c->replaced)
        own_state(&own, channel);
    own_kind(&own, channel);
    if (channel->kind == AGENTCHAT_STATE_MESSAGES)
        aci_sk_own_null_messages(&own, &channel->messages);
    aci_sk_own_extras(&own, c->path, &aci_sk_channel, channel->extras, false);
    aci_sk_own_end(&own);
}

/* ---- a channel ------------------------------------------------------------------------------------------------ */

/* Returns whether the name stands there. */
static bool write_name(channel_out *c, size_t index, const char *name, agentchat_str text, bool nested)
{
    aci_sk_writer *wr = c->wr;
    bool nothing = text.ptr == NULL || agentchat_str_is_null(text);
    aci_sk_fix fix = wr->strict ? (aci_sk_fix){ACI_SK_KEEP, {NULL, 0}, NULL} : aci_sk_fix_text(wr, text);

    if (nothing && !(nested && wr->strict) && (wr->strict || text.ptr == NULL))
        return false;
    ACI_SK_PROP_KEY(wr, &aci_sk_channel.props[index]);
    if (nothing) {
        aci_jw_null(&wr->w);
    } else if (fix.what == ACI_SK_REPLACE) {
        aci_sk_path place = {c->path, name, 0};

        aci_sk_repaired(wr, &place, "%s", fix.why);
        aci_jw_string(&wr->w, fix.text);
    } else {
        aci_jw_string(&wr->w, text);
    }
    return true;
}

void aci_sk_write_channel(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat,
                          const agentchat_channel_state *channel, uint32_t level)
{
    channel_out c = {.wr = wr, .path = path, .chat = chat, .channel = channel, .level = level};
    bool nested = level > 1 || wr->quoted;
    aci_sk_object object = {.envelope = true};

    aci_jw_object_begin(&wr->w);
    object.written |= (uint32_t)write_name(&c, ACI_SK_KEY, "channelkey", channel->key, nested) << ACI_SK_KEY;
    object.written |= (uint32_t)write_name(&c, ACI_SK_CHANNEL_TYPE, "channeltype", channel->type, nested)
                      << ACI_SK_CHANNEL_TYPE;
    object.written |= (uint32_t)write_state(&c, nested && wr->strict) << ACI_SK_STATE_AT;
    aci_sk_write_extras(wr, path, &aci_sk_channel, channel->extras, &object);
    if (wr->own)
        write_own(&c);
    aci_jw_object_end(&wr->w);
}
