/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading channels of format 1, whose states may be messages that refer to the history by runs, and whole chats.
 * The history has been read before, wherever it stands in the document.
 */
#include "format/native/chat.h"

#include "base/checked.h"
#include <string.h>

agentchat_channel_state *aci_native_new_channel(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    agentchat_channel_state *channel;
    void *array = chat->channels;

    if (!aci_grow(f->in->env, &array, &chat->channel_cap, chat->channel_count, sizeof(*chat->channels))) {
        aci_native_nomem(r);
        return NULL;
    }
    chat->channels = array;
    channel = &chat->channels[chat->channel_count++];
    memset(channel, 0, sizeof(*channel));
    aci_list_init(&channel->messages, f->in->env);
    channel->synced = AGENTCHAT_SYNCED_UNKNOWN;
    return channel;
}

/* ---- states ----------------------------------------------------------------------------------------------------- */

/* The runs of one state: each begins where the one before it ended or later, so that a state is never longer than the
   history; and what all states of an input name together is limited, so that memory stays bounded by it. */
typedef struct run_state {
    size_t cursor;       /* end of the last run */
    size_t first, count; /* a run that is alone so far, and not on the stack yet */
} run_state;

/* Takes from the budget what the references to so many messages of the history cost. */
static bool take_references(aci_native_reader *f, aci_json_reader *r, size_t count)
{
    if (count > f->references_left)
        return aci_json_fail_at(
            r, aci_json_offset(r), AGENTCHAT_E_LIMIT,
            "the channels name the history's messages more often than the document's size allows: raise "
            "max_copies, which is %u, if they may",
            (unsigned)f->in->limits.max_copies);
    f->references_left -= count;
    return true;
}

static bool push_run(aci_native_reader *f, aci_json_reader *r, const aci_native_chat *chat, size_t first, size_t count)
{
    if (!take_references(f, r, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!aci_native_push_message(f, r, f->messages[chat->history_base + first + i]))
            return false;
    return true;
}

/* [first,count] */
static bool read_run(aci_native_reader *f, aci_json_reader *r, const aci_native_chat *chat, run_state *runs, bool alone)
{
    size_t start = aci_json_offset(r), history = chat->history_count;
    uint64_t number[2] = {0, 0};
    size_t n = 0;

    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        if (n == 2) {
            if (aci_json_peek(r) != ACI_JSON_ERROR)
                aci_json_fail_at(r, aci_json_offset(r), AGENTCHAT_E_SCHEMA, "a run has two integers and no more");
            return false;
        }
        if (!aci_json_u64(r, &number[n++]))
            return false;
    }
    if (aci_json_failed(r))
        return false;
    if (n < 2 || number[1] == 0)
        return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "a run is an array of a position and a count above 0");
    if (number[0] > history || number[1] > history - number[0])
        return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the run leaves the history, which has %zu messages",
                                history);
    if (number[0] < runs->cursor)
        return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the run begins before the end of the run before it");
    if (number[1] > f->runs_left)
        return aci_json_fail_at(r, start, AGENTCHAT_E_LIMIT, "the channels name more than %llu messages of the history",
                                (unsigned long long)f->in->limits.max_messages);
    f->runs_left -= number[1];
    runs->cursor = (size_t)(number[0] + number[1]);
    if (!alone)
        return push_run(f, r, chat, (size_t)number[0], (size_t)number[1]);
    runs->first = (size_t)number[0];
    runs->count = (size_t)number[1];
    return true;
}

/* Messages go on the reader's stack; a state that is one run shares the history's list instead, which costs nothing
   when the run begins where the history does. */
static bool read_messages(aci_native_reader *f, aci_json_reader *r, const aci_native_chat *chat,
                          agentchat_channel_state *channel)
{
    size_t base = f->message_count;
    run_state runs = {0, 0, 0};
    bool first = true;

    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        if (runs.count > 0 && !push_run(f, r, chat, runs.first, runs.count))
            return false;
        runs.count = 0;
        if (aci_json_peek(r) == ACI_JSON_ARRAY) {
            channel->named = true;
            if (!read_run(f, r, chat, &runs, first))
                return false;
        } else {
            agentchat_message *message = aci_native_read_message(f, r);

            if (message == NULL || !aci_native_push_message(f, r, message))
                return false;
        }
        first = false;
    }
    if (aci_json_failed(r) || (runs.first > 0 && !take_references(f, r, runs.count)))
        return false;
    if (runs.count > 0 ? !aci_list_slice(&channel->messages, &chat->snapshot->history, runs.first, runs.count)
                       : !aci_list_from_arena(&channel->messages, f->in->env, f->in->arena,
                                              f->messages != NULL ? &f->messages[base] : NULL, f->message_count - base))
        return aci_native_nomem(r);
    f->message_count = base;
    return true;
}

static bool read_bytes(aci_native_reader *f, aci_json_reader *r, agentchat_str *out)
{
    agentchat_str base64;

    if (aci_json_peek(r) != ACI_JSON_NULL)
        return aci_json_base64(r, &base64) && aci_native_decode(f, r, base64, out);
    *out = agentchat_str_null();
    return aci_json_null(r);
}

static bool read_state(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat,
                       agentchat_channel_state *channel)
{
    switch (channel->kind) {
    case AGENTCHAT_CHANNEL_BYTES:
        return read_bytes(f, r, &channel->data);
    case AGENTCHAT_CHANNEL_MESSAGES:
        return read_messages(f, r, chat, channel);
    case AGENTCHAT_CHANNEL_CHAT:
        channel->chat = f->read_chat(f, r);
        return channel->chat != NULL;
    case AGENTCHAT_CHANNEL_TEXT:
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return aci_native_read_text(r, &channel->data);
}

/* ---- the other properties --------------------------------------------------------------------------------------- */

static bool read_kind(aci_json_reader *r, agentchat_channel_kind *out)
{
    agentchat_str name;

    if (!aci_json_string(r, &name))
        return false;
    *out = aci_native_state_kind(name);
    if (*out != 0)
        return true;
    return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the kind of state is none of text, bytes, messages, chat");
}

static bool read_spelling(aci_json_reader *r, aci_spelling *out)
{
    bool raw;

    if (!aci_json_bool(r, &raw))
        return false;
    *out = raw ? ACI_SPELLED_RAW : ACI_SPELLED_STRING;
    return true;
}

static bool read_synced(aci_json_reader *r, const aci_native_chat *chat, size_t *out)
{
    uint64_t value;

    if (!aci_json_u64(r, &value))
        return false;
    if (value > chat->history_count)
        return aci_json_fail(r, AGENTCHAT_E_SCHEMA,
                             "the position is past the end of the history, which has %zu messages",
                             chat->history_count);
    *out = (size_t)value;
    return true;
}

/* Positions ascend, so there are never more than the history has messages. */
static bool read_pending(aci_native_reader *f, aci_json_reader *r, const aci_native_chat *chat,
                         agentchat_channel_state *channel)
{
    void *list = NULL;
    size_t cap = 0, count = 0, size;
    uint64_t value, least = 0;

    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        if (!aci_json_u64(r, &value))
            break;
        if (value < least || value >= chat->history_count) {
            aci_json_fail(r, AGENTCHAT_E_SCHEMA,
                          value < least ? "positions must ascend"
                                        : "there is no message at this position of the history");
            break;
        }
        if (!aci_grow(f->in->env, &list, &cap, count, sizeof(size_t))) {
            aci_native_nomem(r);
            break;
        }
        ((size_t *)list)[count++] = (size_t)value;
        least = value + 1;
    }
    if (!aci_json_failed(r) && count > 0) {
        channel->pending = aci_mul(count, sizeof(size_t), &size) ? aci_arena_alloc(f->in->arena, size) : NULL;
        if (channel->pending != NULL) {
            memcpy(channel->pending, list, size);
            channel->pending_count = count;
        } else {
            aci_native_nomem(r);
        }
    }
    aci_free(f->in->env, list, cap * sizeof(size_t));
    return !aci_json_failed(r);
}

/* ---- a channel -------------------------------------------------------------------------------------------------- */

/* What is known of a channel object while its members are read. */
typedef struct channel_read {
    agentchat_channel_state *channel;
    aci_native_deferred *state; /* a state that stood before its kind */
    bool has_state;
    aci_draft draft;
} channel_read;

static bool read_channel_member(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat, channel_read *c,
                                uint8_t what)
{
    switch (what) {
    case ACI_NATIVE_KEY:
        return aci_native_read_text(r, &c->channel->key);
    case ACI_NATIVE_TYPE:
        return aci_native_read_text(r, &c->channel->type);
    case ACI_NATIVE_STATE_KIND:
        return read_kind(r, &c->channel->kind);
    case ACI_NATIVE_RAW:
        return read_spelling(r, &c->channel->spelling);
    case ACI_NATIVE_STATE:
        c->has_state = true;
        if (c->channel->kind != 0)
            return read_state(f, r, chat, c->channel);
        c->state = aci_native_skip(f, r);
        return c->state != NULL;
    case ACI_NATIVE_SYNCED:
        return read_synced(r, chat, &c->channel->synced);
    default:
        return read_pending(f, r, chat, c->channel);
    }
}

static bool read_channel_members(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat, channel_read *c)
{
    aci_native_members members = {.known = &aci_native_channel, .draft = &c->draft};
    uint8_t what;

    if (!aci_json_object(r))
        return false;
    while (aci_native_next(f, r, &members, &what))
        if (!read_channel_member(f, r, chat, c, what))
            return false;
    return !aci_json_failed(r);
}

/* What can be checked once the object is complete. */
static bool finish_channel(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat, channel_read *c,
                           size_t start)
{
    agentchat_channel_kind kind = c->channel->kind;

    if (kind == 0)
        return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "a channel needs a \"statekind\"");
    if (!c->has_state && (kind == AGENTCHAT_CHANNEL_MESSAGES || kind == AGENTCHAT_CHANNEL_CHAT))
        return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA,
                                "a channel of this kind of state needs a \"channelstate\"");
    if (c->channel->spelling != ACI_SPELLED_ANY && kind != AGENTCHAT_CHANNEL_TEXT)
        return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "only a state of kind \"text\" may have \"raw\"");
    if (c->state != NULL) {
        (void)read_state(f, aci_native_deferred_begin(f, c->state, true), chat, c->channel);
        if (!aci_native_deferred_end(f, c->state, r))
            return false;
    }
    return aci_native_take_extras(f, r, &c->draft, &c->channel->extras);
}

bool aci_native_read_channel_members(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat,
                                     agentchat_channel_state *channel)
{
    size_t start = aci_json_offset(r);
    channel_read c = {.channel = channel};
    bool done;

    aci_draft_begin(&c.draft);
    done = read_channel_members(f, r, chat, &c) && finish_channel(f, r, chat, &c, start);
    aci_draft_clear(&c.draft, f->in->env);
    aci_native_deferred_free(f, c.state);
    return done;
}

bool aci_native_read_channel(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    agentchat_channel_state *channel = aci_native_new_channel(f, r, chat);

    return channel != NULL && aci_native_read_channel_members(f, r, chat, channel);
}
