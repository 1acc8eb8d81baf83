/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the state of a channel; one that is a chat is written in write_chat.c. */
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/trial_read.h"
#include "format/semantic_kernel/write_chat.h"
#include "format/semantic_kernel/write_message.h"
#include "format/semantic_kernel/written_depth.h"

#include "json/value.h"

/* ---- positions --------------------------------------------------------------------------------------------------- */

/* Whether the channel has not been given all of the history. */
static bool is_stale(const aci_sk_channel_out *c)
{
    return c->channel->pending_count > 0 ||
           (c->channel->synced != AGENTCHAT_SYNCED_UNKNOWN && c->channel->synced < c->chat->history.count);
}

void aci_sk_lose_position(aci_sk_channel_out *c, const char *why)
{
    aci_location location = {c->path, agentchat_str_from(c->channel->pending_count > 0 ? "pending" : "synced"), 0};

    if (is_stale(c))
        aci_sk_loss(c->wr, &location, "%s", why);
}

/* Gives a list of messages what the channel has not been given yet. */
static void append_rest(aci_sk_channel_out *c)
{
    const agentchat_channel_state *channel = c->channel;
    const agentchat_messages *history = &c->chat->history;
    aci_sk_writer *wr = c->wr;
    bool sidecar = wr->sidecar;
    agentchat_report *report = wr->report;

    wr->sidecar = false; /* our reader takes them away again */
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
    wr->sidecar = sidecar;
    wr->report = report;
    aci_sk_repaired(wr, c->path, "the channel had not been given all of the history and was brought up to date");
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static uint32_t depth_of(aci_sk_channel_out *c)
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

bool aci_sk_state_begin(aci_sk_channel_out *c)
{
    aci_sk_writer *wr = c->wr;
    uint32_t depth = depth_of(c);
    bool spelled = c->channel->spelling == ACI_SPELLED_STRING && !wr->quoted;
    bool deep = !wr->strict && !wr->quoted && c->level + 2 + depth > ACI_SK_MAX_DEPTH;

    c->quoted = !spelled && deep && depth <= ACI_SK_MAX_DEPTH;
    if (c->quoted)
        aci_sk_repaired(wr, c->path, "nested deeper than .NET reads here, so it was written as a string");
    else if (deep && !spelled && c->channel->kind != AGENTCHAT_CHANNEL_CHAT)
        aci_sk_loss(wr, c->path, "nested deeper than the 64 levels that .NET reads; it will refuse the file");
    aci_sk_line_begin(wr, spelled || c->quoted);
    return spelled || c->quoted;
}

/* Messages that the document names from the history are copies; those that stand in it are not. */
static bool write_held(aci_sk_channel_out *c, const aci_location *location)
{
    aci_sk_writer *wr = c->wr;

    if (!aci_sk_copy_begin(wr) && c->channel->named) {
        aci_sk_copies_fail(wr, location);
        return false;
    }
    aci_sk_write_messages(wr, location, &c->channel->messages);
    if (c->channel->named)
        aci_sk_copy_end(wr);
    else
        wr->held += aci_sk_made(wr) - wr->copy_start;
    return true;
}

void aci_sk_write_state_messages(aci_sk_channel_out *c)
{
    aci_sk_writer *wr = c->wr;
    bool quoted;

    c->updated = !wr->strict && is_stale(c) && aci_sk_copy_begin(wr);
    quoted = aci_sk_state_begin(c);
    aci_writer_array_begin(&wr->w);
    if (!write_held(c, ACI_AT(c->path, "channelstate")))
        return;
    if (wr->strict)
        aci_sk_lose_position(c, ".NET's format has no field for the channel's position in the history");
    else if (c->updated)
        append_rest(c);
    else
        aci_sk_lose_position(
            c, "the channel has not been given all of the history, which was repeated as often as max_copies "
               "allows; .NET will not give it the rest");
    aci_writer_array_end(&wr->w);
    aci_sk_line_end(wr, quoted);
}

/* Whether .NET would write a text as JSON rather than as a string, and may; only where a reader gets the same text
   back: not of a string or null, nor with whitespace around. */
static bool is_raw(aci_sk_channel_out *c, agentchat_str text)
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
    aci_sk_repaired(wr, c->path, "nested deeper than .NET reads here, so it was written as a string");
    c->quoted = true;
    return false;
}

/* A history channel or an aggregator's whose state .NET could not read. */
static bool is_made(aci_sk_channel_out *c)
{
    if (c->wr->strict || aci_sk_state_of(c->channel->key, c->channel->type) == ACI_SK_STATE_OTHER)
        return false;
    if (aci_sk_copy_begin(c->wr))
        return true;
    aci_sk_loss(c->wr, ACI_AT(c->path, "channelstate"),
                "the state is none that .NET can read, and the history was repeated as often as max_copies allows; "
                ".NET will refuse the file");
    return false;
}

static void write_made(aci_sk_channel_out *c)
{
    aci_sk_repaired(c->wr, c->path, "the state is none that .NET can read; one with the history was written");
    aci_sk_write_made_state(c->wr, c->chat, aci_sk_state_of(c->channel->key, c->channel->type), c->level);
    aci_sk_copy_end(c->wr);
    c->replaced = true;
}

/* Strict: the text of a channel that holds messages or a chat, when it is one. */
static void lose_text(aci_sk_channel_out *c, agentchat_str text)
{
    aci_sk_state kind = aci_sk_state_of(c->channel->key, c->channel->type);

    if (c->wr->strict && aci_sk_reads_as_state(c->wr, text, kind))
        aci_sk_loss(c->wr, ACI_AT(c->path, "channelstate"), "nothing says that the state is a text; it is read as %s",
                    kind == ACI_SK_STATE_CHAT ? "a chat" : "a list of messages");
}

bool aci_sk_write_state_text(aci_sk_channel_out *c, bool nulls)
{
    aci_sk_writer *wr = c->wr;
    agentchat_str data = c->channel->data;
    bool nothing = data.ptr == NULL || agentchat_str_is_null(data);
    bool made = is_made(c);

    if (nothing && !made && !nulls && (wr->strict || data.ptr == NULL))
        return false;
    ACI_SK_PROP_KEY(wr, &aci_sk_channel.props[ACI_SK_STATE_AT]);
    if (made) {
        write_made(c);
        return true;
    }
    if (nothing) {
        aci_writer_null(&wr->w);
    } else if (is_raw(c, data)) {
        aci_writer_inline_begin(&wr->w);
        aci_writer_raw(&wr->w, data);
        aci_writer_inline_end(&wr->w);
    } else {
        c->replaced = aci_sk_write_string(wr, ACI_AT(c->path, "channelstate"), data);
    }
    if (!nothing)
        lose_text(c, data);
    aci_sk_lose_position(c, "the channel has not been given all of the history, and .NET will not give it the rest");
    return true;
}

void aci_sk_write_state_bytes(aci_sk_channel_out *c)
{
    bool made = is_made(c);

    ACI_SK_PROP_KEY(c->wr, &aci_sk_channel.props[ACI_SK_STATE_AT]);
    if (made) {
        write_made(c);
        return;
    }
    if (c->channel->data.ptr == NULL || agentchat_str_is_null(c->channel->data))
        c->replaced = true; /* by bytes of which there are none */
    aci_writer_base64_bytes(&c->wr->w, c->channel->data);
    if (c->wr->strict)
        aci_sk_loss(c->wr, ACI_AT(c->path, "channelstate"),
                    "a state of bytes was written as base64, and nothing says so");
    aci_sk_lose_position(c, "the channel has not been given all of the history, and .NET will not give it the rest");
}
