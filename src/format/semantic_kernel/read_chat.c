/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the envelope of the semantic-kernel format: the root object of a chat, or of a chat inside an aggregator's
 * channel.
 */
#include "format/semantic_kernel/read_chat.h"
#include "format/semantic_kernel/form.h"

#include "base/b64.h"
#include "base/buf.h"
#include "base/error.h"

typedef struct chat_reader { /* in memory of its own, since chats nest */
    aci_sk_reader *s;
    aci_json_reader *r;
    const aci_location *path;
    aci_sk_list *known; /* messages of the chat around this one, or NULL */
    aci_sk_list history;
    agentchat_snapshot *snapshot;
    agentchat_participant *participants;
    size_t participant_cap;
    aci_sk_channels channels;
    agentchat_str late_channels; /* their span, when they stand before the history */
    bool history_seen, channels_seen;
    aci_sk_sidecar sidecar;
    aci_sk_props props;
    aci_draft draft; /* only its extras are used */
} chat_reader;

/* ---- participants ------------------------------------------------------------------------------------------------ */

ACI_NOINLINE static bool read_participant(chat_reader *c, const aci_location *path, agentchat_participant *out)
{
    agentchat_str texts[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    aci_sk_props props;
    aci_draft draft;
    aci_sk_beside beside = {&aci_sk_participant, (agentchat_item_kind)0, &draft, texts, NULL};
    aci_sk_sidecar sidecar;
    bool ok;
    int index;

    if (!aci_json_object(c->r))
        return false;
    aci_draft_begin(&draft);
    aci_sk_props_begin(&props, c->s, c->r, &aci_sk_participant, path, &draft);
    ok = true;
    while (ok && (index = aci_sk_props_next(&props)) != ACI_SK_END)
        ok = index <= ACI_SK_TYPE ? aci_sk_props_text(&props, &texts[index]) : aci_sk_props_keep(&props);
    ok = ok && !aci_json_failed(c->r) && aci_sk_settle_sidecar(&props, &beside, &sidecar);
    *out = (agentchat_participant){texts[ACI_SK_ID], texts[ACI_SK_NAME], texts[ACI_SK_TYPE], NULL};
    ok = ok && aci_sk_props_extras(&props, &out->extras);
    aci_sk_props_end(&props);
    aci_draft_clear(&draft, c->s->env);
    return ok;
}

static bool read_participants(chat_reader *c)
{
    aci_location list = {c->path, AGENTCHAT_STR("participants"), 0}, location = {&list, {NULL, 0}, 0};

    c->snapshot->participant_count = 0;
    if (aci_json_peek(c->r) == ACI_JSON_NULL)
        return aci_json_null(c->r) && aci_sk_note(c->s, c->r, &list, "Participants is null");
    if (!aci_json_array(c->r))
        return false;
    for (; aci_json_element(c->r); location.index++) {
        void *grown = c->participants;

        if (!aci_grow(c->s->env, &grown, &c->participant_cap, location.index, sizeof *c->participants))
            return aci_sk_nomem(c->r);
        c->participants = grown;
        if (!read_participant(c, &location, &c->participants[location.index]))
            return false;
    }
    c->snapshot->participant_count = location.index;
    return !aci_json_failed(c->r);
}

/* ---- history ----------------------------------------------------------------------------------------------------- */

static bool read_list(chat_reader *c, aci_json_reader *r, const aci_location *path)
{
    return aci_sk_read_messages(c->s, r, path, c->known, &c->history);
}

/* A history given as text: a list of messages, null, or nothing at all. */
static bool read_history_text(chat_reader *c, const aci_location *path)
{
    aci_json_reader *sub;
    agentchat_str text;
    size_t bad;

    if (!aci_json_string(c->r, &text))
        return false;
    if (text.len == 0)
        return aci_sk_note(c->s, c->r, path, "History is empty text; it was read as no messages");
    if (!agentchat_str_equal(text, AGENTCHAT_STR("null")) && aci_b64_check(text, &bad))
        return aci_json_fail(c->r, AGENTCHAT_E_SCHEMA,
                             "the history is base64: if this is the encoded state of the decision record, name its "
                             "format (--from agentchat-encoded, options.format)");
    if (!aci_sk_decoded(c->s, c->r, &text))
        return false;
    c->snapshot->form = ACI_SK_QUOTED_HISTORY;
    sub = aci_sk_sub_new(c->s, c->r, text);
    if (sub == NULL)
        return false;
    if (aci_json_peek(sub) == ACI_JSON_NULL ? aci_json_null(sub) : read_list(c, sub, path))
        (void)aci_json_end(sub);
    return aci_sk_sub_free(c->s, c->r, sub, text, NULL);
}

static bool read_history(chat_reader *c)
{
    aci_location path = {c->path, AGENTCHAT_STR("history"), 0};
    aci_json_kind kind;

    aci_sk_list_clear(&c->history, c->s->env);
    c->history_seen = true;
    c->snapshot->form = (agentchat_str){NULL, 0};
    kind = aci_json_peek(c->r);
    if (kind == ACI_JSON_STRING)
        return read_history_text(c, &path);
    if (kind == ACI_JSON_NULL)
        return aci_json_null(c->r) && aci_sk_note(c->s, c->r, &path, "History is null; it was read as no messages");
    return read_list(c, c->r, &path);
}

/* Puts the null messages back that .NET could not have been given, at their positions, which ascend: so those whose
   position exists are the first ones. */
static bool restore_nulls(chat_reader *c)
{
    aci_sk_list *list = &c->history;
    const size_t *nulls = c->sidecar.nulls;
    size_t others = list->count, left = 0;

    for (; left < c->sidecar.null_count && nulls[left] <= list->count; left++) { /* the rest: edited since */
        agentchat_message *message = aci_sk_null_message(c->s, c->r);

        if (message == NULL || !aci_sk_list_add(c->s, c->r, list, message, (agentchat_str){NULL, 0}))
            return false;
    }
    if (left < c->sidecar.null_count &&
        !aci_sk_note(c->s, c->r, ACI_AT(c->path, "history"),
                     "agentchat says that messages were null beyond the end; they are left out"))
        return false;
    return aci_sk_interleave(c->s->env, list->messages, sizeof(*list->messages), others, nulls, left) ||
           aci_sk_nomem(c->r);
}

static bool read_late_channels(chat_reader *c)
{
    aci_json_reader *sub;

    if (c->late_channels.ptr == NULL)
        return true;
    sub = aci_sk_sub_new(c->s, c->r, c->late_channels);
    if (sub == NULL)
        return false;
    (void)aci_sk_read_channels(&c->channels, sub);
    return aci_sk_sub_free(c->s, c->r, sub, c->late_channels, "Channels");
}

/* ---- root -------------------------------------------------------------------------------------------------------- */

static bool read_property(chat_reader *c, aci_sk_props *p, int index)
{
    switch (index) {
    case ACI_SK_PARTICIPANTS:
        return read_participants(c);
    case ACI_SK_HISTORY_AT:
        return read_history(c);
    case ACI_SK_CHANNELS:
        c->channels_seen = true;
        c->late_channels = (agentchat_str){NULL, 0};
        return c->history_seen ? aci_sk_read_channels(&c->channels, c->r) : aci_json_raw(c->r, &c->late_channels);
    default:
        return aci_sk_props_keep(p);
    }
}

ACI_NOINLINE static bool read_sidecar(chat_reader *c, aci_sk_props *p)
{
    agentchat_str texts[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    aci_sk_beside beside = {&aci_sk_root, (agentchat_item_kind)0, p->draft, texts, NULL};

    return aci_sk_settle_sidecar(p, &beside, &c->sidecar);
}

/* Moves everything into the snapshot. */
static bool finish(chat_reader *c, aci_sk_props *p)
{
    agentchat_snapshot *snapshot = c->snapshot;
    aci_arena *arena = c->s->arena;

    if (c->sidecar.quoted)
        snapshot->form = (agentchat_str){NULL, 0};
    snapshot->next_turn = c->sidecar.next_turn;
    snapshot->is_complete = c->sidecar.complete;
    if (!aci_snapshot_set_values(snapshot, c->sidecar.values, c->sidecar.value_count) ||
        !aci_list_from_arena(&snapshot->history, c->s->env, arena, c->history.messages, c->history.count) ||
        !aci_sk_props_extras(p, &snapshot->extras))
        return aci_sk_nomem(c->r);
    if (snapshot->participant_count > 0) {
        snapshot->participants = aci_arena_alloc(arena, snapshot->participant_count * sizeof *c->participants);
        if (snapshot->participants == NULL)
            return aci_sk_nomem(c->r);
        memcpy(snapshot->participants, c->participants, snapshot->participant_count * sizeof *c->participants);
    }
    if (c->channels.count > 0) {
        size_t size = c->channels.count * sizeof *snapshot->channels;

        snapshot->channels = aci_arena_alloc(arena, size);
        if (snapshot->channels == NULL)
            return aci_sk_nomem(c->r);
        memcpy(snapshot->channels, c->channels.list, size);
        snapshot->channel_count = c->channels.count;
        c->channels.count = 0; /* lists and chats have moved over */
    }
    return true;
}

/* An object without anything of a chat. */
static bool refuse(chat_reader *c, size_t begin)
{
    (void)aci_json_fail_at(c->r, begin, AGENTCHAT_E_SCHEMA,
                           "the object is no state of a chat: it has no Participants, History or Channels");
    return false;
}

static bool read_root(chat_reader *c)
{
    aci_sk_props *props = &c->props;
    size_t begin = aci_json_offset(c->r);
    bool ok = true, participants_seen;
    int index;

    if (!aci_json_object(c->r))
        return false;
    aci_draft_begin(&c->draft);
    aci_sk_props_begin(props, c->s, c->r, &aci_sk_root, c->path, &c->draft);
    while (ok && (index = aci_sk_props_next(props)) != ACI_SK_END)
        ok = read_property(c, props, index);
    ok = ok && !aci_json_failed(c->r);
    participants_seen = aci_sk_props_seen(props, "Participants");
    if (ok && !participants_seen && !c->history_seen && !c->channels_seen)
        ok = refuse(c, begin);
    if (ok && !c->history_seen)
        ok = aci_sk_note(c->s, c->r, ACI_AT(c->path, "history"), "History is missing; it was read as no messages");
    ok = ok && read_sidecar(c, props) && read_late_channels(c) && aci_sk_settle_channels(&c->channels, &c->sidecar) &&
         restore_nulls(c) && aci_sk_check_channels(&c->channels) && finish(c, props);
    aci_sk_props_end(props);
    aci_draft_clear(&c->draft, c->s->env);
    return ok;
}

bool aci_sk_read_chat(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_list *known,
                      agentchat_snapshot **out)
{
    chat_reader *c = aci_alloc_zero(s->env, sizeof *c);
    bool ok;

    if (c == NULL)
        return aci_sk_nomem(r);
    *c = (chat_reader){.s = s, .r = r, .path = path, .known = known};
    c->channels =
        (aci_sk_channels){.s = s, .r = r, .path = path, .history = &c->history, .read_chat = aci_sk_read_chat};
    c->snapshot = aci_snapshot_new(s->env, aci_arena_ref(s->arena));
    if (c->snapshot == NULL) {
        aci_free(s->env, c, sizeof *c);
        return aci_sk_nomem(r);
    }
    c->snapshot->format = aci_sk_name;
    ok = read_root(c);
    aci_sk_channels_clear(&c->channels);
    aci_free(s->env, c->participants, c->participant_cap * sizeof *c->participants);
    aci_sk_list_clear(&c->history, s->env);
    if (ok) {
        *out = c->snapshot;
    } else {
        c->snapshot->participant_count = 0; /* never moved over */
        agentchat_snapshot_unref(c->snapshot);
    }
    aci_free(s->env, c, sizeof *c);
    return ok;
}
