/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading channels and their states.
 * A state is read as messages or as a chat only where key or type says so, and only if it is one; otherwise it stays
 * the text that it is. So reading it is an attempt: what it notes and what goes wrong counts only when it succeeds.
 */
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/read_chat.h"
#include "format/semantic_kernel/repair.h"

#include "base/error.h"

typedef struct channel_reader { /* in memory of its own, since chats nest */
    aci_sk_reader *s;
    aci_json_reader *r;
    const aci_location *path;
    aci_sk_list *known;
    aci_sk_chat_reader *read_chat;
    agentchat_channel_state *channel;
    agentchat_str texts[3]; /* key, -, type */
    agentchat_str late;     /* the state's span, when it stands before key and type */
    aci_sk_props props;
    aci_draft draft; /* only its extras are used */
} channel_reader;

/* ---- an attempt ----------------------------------------------------------------------------------------------- */

typedef struct attempt { /* in memory of its own, since chats nest */
    aci_json_reader sub;
    agentchat_error err;
    aci_sk_list list;
} attempt;

/* Appends the notes of an attempt that succeeded to the others. */
static bool keep_notes(agentchat_report *to, const agentchat_report *from)
{
    for (size_t i = 0; i < agentchat_report_count(from); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(from, i);

        if (!aci_report_add(to, entry->kind, entry->match, entry->path, entry->key, AGENTCHAT_STR_FMT,
                            AGENTCHAT_STR_ARG(entry->text)))
            return false;
    }
    return true;
}

static bool read_as(channel_reader *c, attempt *a, const aci_location *path, aci_sk_state kind)
{
    agentchat_channel_state *channel = c->channel;

    if (kind == ACI_SK_STATE_CHAT)
        return c->read_chat(c->s, &a->sub, path, c->known, &channel->chat);
    return aci_sk_read_messages(c->s, &a->sub, path, c->known, &a->list) &&
           (aci_list_from_arena(&channel->messages, c->s->env, c->s->arena, a->list.messages, a->list.count) ||
            aci_sk_nomem(&a->sub));
}

static bool note_text(channel_reader *c, aci_sk_state kind)
{
    return aci_sk_note(c->s, c->r, c->path, "the state is not %s, as its channel says; it is kept as text",
                       kind == ACI_SK_STATE_CHAT ? "a chat" : "a list of messages");
}

/* Tries to read the value at the beginning of `text` as messages or as a chat. whole: nothing may follow it. *len gets
   the bytes that it takes, 0 when it is neither, which is noted. */
static bool try_state(channel_reader *c, aci_json_reader *r, aci_sk_state kind, agentchat_str text, bool whole,
                      size_t *len)
{
    aci_sk_reader *s = c->s;
    agentchat_channel_state *channel = c->channel;
    agentchat_report *report = s->report;
    size_t items = s->item_count;
    uint64_t messages = s->messages;
    attempt *a = aci_alloc_zero(s->env, sizeof *a);
    bool ok = false, fatal;

    *len = 0;
    if (a == NULL)
        return aci_sk_nomem(r);
    agentchat_error_clear(&a->err);
    s->report = report != NULL ? aci_report_new(s->env) : NULL;
    aci_sk_sub_begin(s, r, &a->sub, text, &a->err);
    if (report != NULL && s->report == NULL)
        (void)aci_sk_nomem(&a->sub);
    else
        ok = read_as(c, a, ACI_AT(c->path, "channelstate"), kind) && (!whole || aci_json_end(&a->sub)) &&
             (keep_notes(report, s->report) || aci_sk_nomem(&a->sub));
    fatal = a->sub.status == AGENTCHAT_E_NOMEM || a->sub.status == AGENTCHAT_E_LIMIT;
    if (ok) {
        *len = (size_t)(a->sub.cursor - text.ptr);
        channel->kind = kind == ACI_SK_STATE_CHAT ? AGENTCHAT_CHANNEL_CHAT : AGENTCHAT_CHANNEL_MESSAGES;
    } else { /* nothing of it counts */
        s->item_count = items;
        s->messages = messages;
        aci_sk_channel_clear(channel);
        aci_list_init(&channel->messages, s->env);
    }
    if (fatal)
        (void)aci_sk_sub_end(r, &a->sub, text, NULL);
    (void)aci_json_close(&a->sub);
    agentchat_report_free(s->report);
    s->report = report;
    aci_sk_list_clear(&a->list, s->env);
    aci_free(s->env, a, sizeof *a);
    return !fatal && (ok || note_text(c, kind));
}

/* ---- the state ------------------------------------------------------------------------------------------------ */

/* A state given as a string: its text, or what the text holds. */
static bool read_string_state(channel_reader *c, aci_json_reader *r, aci_sk_state kind)
{
    agentchat_channel_state *channel = c->channel;
    agentchat_str text;
    size_t len = 0;

    channel->spelling = ACI_SPELLED_STRING;
    if (!aci_json_string(r, &text))
        return false;
    if (kind != ACI_SK_STATE_OTHER) {
        agentchat_str inner = text;

        if (!aci_sk_decoded(c->s, r, &inner) || !try_state(c, r, kind, inner, true, &len))
            return false;
        if (len > 0)
            return true;
    }
    channel->data = text;
    return true;
}

/* A state given as a JSON value. */
static bool read_raw_state(channel_reader *c, aci_json_reader *r, aci_sk_state kind)
{
    agentchat_channel_state *channel = c->channel;
    const char *begin = r->begin + aci_json_offset(r);
    size_t len = 0;

    channel->spelling = ACI_SPELLED_RAW;
    if (kind != ACI_SK_STATE_OTHER) {
        if (!try_state(c, r, kind, (agentchat_str){begin, (size_t)(r->end - begin)}, false, &len))
            return false;
        if (len > 0 && aci_json_match(r, (agentchat_str){begin, len}))
            return true; /* what has been read was skipped, by comparing it with itself */
    }
    return aci_json_raw(r, &channel->data);
}

static bool read_state(channel_reader *c, aci_json_reader *r)
{
    aci_sk_state kind = aci_sk_state_of(c->texts[0], c->texts[2]);
    agentchat_channel_state *channel = c->channel;
    aci_json_kind found;

    aci_sk_channel_clear(channel); /* of an earlier property of this name */
    aci_list_init(&channel->messages, c->s->env);
    channel->kind = AGENTCHAT_CHANNEL_TEXT;
    channel->data = (agentchat_str){NULL, 0};
    found = aci_json_peek(r);
    if (found == ACI_JSON_STRING)
        return read_string_state(c, r, kind);
    if (found == ACI_JSON_NULL) {
        channel->data = agentchat_str_null();
        channel->spelling = ACI_SPELLED_RAW;
        return aci_json_null(r);
    }
    if (found == ACI_JSON_ERROR)
        return false;
    return read_raw_state(c, r, kind);
}

static bool read_late_state(channel_reader *c)
{
    aci_json_reader *sub;

    if (c->late.ptr == NULL)
        return true;
    sub = aci_sk_sub_new(c->s, c->r, c->late);
    if (sub == NULL)
        return false;
    (void)read_state(c, sub);
    return aci_sk_sub_free(c->s, c->r, sub, c->late, "ChannelState");
}

/* ---- the sidecar ---------------------------------------------------------------------------------------------- */

/* A state that was read as text, since neither key nor type said more. */
static bool undo_text(channel_reader *c, aci_sk_state kind)
{
    agentchat_channel_state *channel = c->channel;
    agentchat_str text = channel->data;
    size_t len = 0;

    if (channel->kind != AGENTCHAT_CHANNEL_TEXT || text.len == 0)
        return true;
    if (channel->spelling == ACI_SPELLED_STRING && !aci_sk_decoded(c->s, c->r, &text))
        return false;
    if (!try_state(c, c->r, kind, text, true, &len))
        return false;
    if (len > 0)
        channel->data = (agentchat_str){NULL, 0};
    return true;
}

/* A text that stands there because .NET could not have read the one in the sidecar: that one counts if it shows so. */
static bool undo_state(channel_reader *c, aci_sk_sidecar *sidecar)
{
    agentchat_channel_state *channel = c->channel;
    aci_sk_writer wr = {.env = c->s->env};
    aci_sk_repair fix;
    bool shown, nothing = sidecar->state.ptr == NULL || agentchat_str_is_null(sidecar->state);

    aci_buf_init(&wr.text, wr.env, SIZE_MAX);
    fix = aci_sk_repair_text(&wr, sidecar->state);
    shown = channel->kind == AGENTCHAT_CHANNEL_TEXT && channel->spelling == ACI_SPELLED_STRING &&
            (sidecar->bytes ? nothing && channel->data.len == 0
                            : fix.what == ACI_SK_REPLACE && agentchat_str_equal(fix.text, channel->data));
    aci_buf_clear(&wr.text);
    if (wr.w.status < 0)
        return aci_sk_nomem(c->r);
    if (!shown)
        return aci_sk_note(c->s, c->r, c->path, "agentchat says another state than ChannelState, which counts here");
    return aci_sk_apply_state(c->s, c->r, channel, sidecar);
}

/* Applies what does not depend on the history; the rest waits for it (read_claim.c). */
static bool apply_sidecar(channel_reader *c, aci_sk_sidecar *sidecar)
{
    agentchat_channel_state *channel = c->channel;

    channel->synced = sidecar->synced;
    channel->pending = sidecar->pending;
    channel->pending_count = sidecar->pending_count;
    if (sidecar->has_state) {
        if (sidecar->added || aci_sk_state_of(c->texts[0], c->texts[2]) != ACI_SK_STATE_OTHER)
            return true;
        sidecar->has_state = false;
        return undo_state(c, sidecar);
    }
    if (sidecar->holds != ACI_SK_STATE_OTHER && !undo_text(c, (aci_sk_state)sidecar->holds))
        return false;
    if (sidecar->quoted)
        channel->spelling = ACI_SPELLED_RAW;
    if (!sidecar->bytes)
        return true;
    if (channel->spelling == ACI_SPELLED_STRING && !aci_sk_apply_bytes(c->s, c->r, channel))
        return false;
    return channel->kind == AGENTCHAT_CHANNEL_BYTES ||
           aci_sk_note(c->s, c->r, c->path, "agentchat says that the state is bytes in base64, which it is not");
}

/* The sidecar; the names in it count when the state has been read by those that stand outside. */
static bool settle(channel_reader *c, aci_sk_sidecar *sidecar)
{
    agentchat_str texts[3];
    aci_sk_beside beside = {&aci_sk_channel, (agentchat_item_kind)0, &c->draft, texts, NULL};

    memcpy(texts, c->texts, sizeof texts);
    if (!aci_sk_settle_sidecar(&c->props, &beside, sidecar) || !read_late_state(c) || !apply_sidecar(c, sidecar))
        return false;
    memcpy(c->texts, texts, sizeof texts);
    return aci_sk_props_extras(&c->props, &c->channel->extras);
}

static bool read_property(channel_reader *c, aci_sk_props *p, int index)
{
    bool typed;

    switch (index) {
    case ACI_SK_KEY:
        return aci_sk_props_text(p, &c->texts[0]);
    case ACI_SK_CHANNEL_TYPE:
        return aci_sk_props_text(p, &c->texts[2]);
    case ACI_SK_STATE_AT:
        typed = aci_sk_props_seen(p, "ChannelKey") && aci_sk_props_seen(p, "ChannelType");
        c->late = (agentchat_str){NULL, 0};
        return typed ? read_state(c, c->r) : aci_json_raw(c->r, &c->late);
    default:
        return aci_sk_props_keep(p);
    }
}

static bool read_all(channel_reader *c, aci_sk_sidecar *sidecar)
{
    bool ok = true;
    int index;

    aci_draft_begin(&c->draft);
    aci_sk_props_begin(&c->props, c->s, c->r, &aci_sk_channel, c->path, &c->draft);
    while (ok && (index = aci_sk_props_next(&c->props)) != ACI_SK_END)
        ok = read_property(c, &c->props, index);
    ok = ok && !aci_json_failed(c->r) && settle(c, sidecar);
    c->channel->key = c->texts[0];
    c->channel->type = c->texts[2];
    aci_sk_props_end(&c->props);
    aci_draft_clear(&c->draft, c->s->env);
    return ok;
}

bool aci_sk_read_channel(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_list *known,
                         aci_sk_chat_reader *read_chat, agentchat_channel_state *channel, aci_sk_sidecar *sidecar)
{
    channel_reader *c;
    bool ok;

    *sidecar = (aci_sk_sidecar){.synced = AGENTCHAT_SYNCED_UNKNOWN};
    *channel = (agentchat_channel_state){0};
    channel->kind = AGENTCHAT_CHANNEL_TEXT;
    channel->synced = AGENTCHAT_SYNCED_UNKNOWN;
    aci_list_init(&channel->messages, s->env);
    if (!aci_json_object(r))
        return false;
    c = aci_alloc_zero(s->env, sizeof *c);
    if (c == NULL)
        return aci_sk_nomem(r);
    *c = (channel_reader){.s = s, .r = r, .path = path, .known = known, .read_chat = read_chat, .channel = channel};
    ok = read_all(c, sidecar);
    aci_free(s->env, c, sizeof *c);
    if (!ok)
        aci_sk_channel_clear(channel);
    return ok;
}
