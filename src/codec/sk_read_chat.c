/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the envelope of the semantic-kernel format: the root object of a chat, or of a chat inside an aggregator's
 * channel. Layer 4.
 * Channels are read when the history is known, so that they can share its messages, wherever they stand.
 */
#include "codec/sk_read.h"

#include "base/buf.h"
#include "base/error.h"

typedef struct chat_reader { /* in memory of its own, since chats nest */
    aci_sk_reader *s;
    aci_json_reader *r;
    const aci_sk_path *path;
    aci_sk_list *known; /* messages of the chat around this one, or NULL */
    aci_sk_list history;
    agentchat_snapshot *snapshot;
    agentchat_participant *participants;
    size_t participant_cap;
    agentchat_channel_state *channels;
    size_t channel_count, channel_cap;
    aci_sk_claims claims;
    aci_sk_own channel_own;      /* of the channel that is being read */
    agentchat_str late_channels; /* their span, when they stand before the history */
    bool history_seen, channels_seen;
    aci_sk_own own;
    aci_sk_props props;
    aci_draft draft; /* only its extras are used */
} chat_reader;

/* ---- participants --------------------------------------------------------------------------------------------- */

ACI_NOINLINE static bool read_participant(chat_reader *c, const aci_sk_path *path, agentchat_participant *out)
{
    agentchat_str texts[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}}, raw;
    aci_sk_props props;
    aci_draft draft;
    aci_sk_beside beside = {&aci_sk_participant, (agentchat_item_kind)0, &draft, texts, NULL};
    aci_sk_own own;
    bool ok;
    int index;

    if (!aci_json_object(c->r))
        return false;
    aci_draft_begin(&draft);
    aci_sk_props_begin(&props, c->s, c->r, &aci_sk_participant, path, &draft);
    ok = true;
    while (ok && (index = aci_sk_props_next(&props)) != ACI_SK_END)
        ok = index <= ACI_SK_TYPE ? aci_sk_props_text(&props, &texts[index]) : aci_sk_props_keep(&props);
    ok = ok && !aci_json_failed(c->r);
    raw = aci_sk_props_kept(&props, "agentchat");
    if (ok && raw.ptr != NULL) {
        own = (aci_sk_own){0};
        ok = raw.ptr[0] != '{' ? aci_sk_props_give_back(&props, "agentchat")
                               : aci_sk_read_own(c->s, c->r, raw, path, &beside, &own);
    }
    *out = (agentchat_participant){texts[ACI_SK_ID], texts[ACI_SK_NAME], texts[ACI_SK_TYPE], NULL};
    ok = ok && aci_sk_take_extras(&props, &out->extras);
    aci_sk_props_end(&props);
    aci_draft_clear(&draft, c->s->env);
    return ok;
}

static bool read_participants(chat_reader *c)
{
    aci_sk_path list = {c->path, "participants", 0}, place = {&list, NULL, 0};

    c->snapshot->participant_count = 0;
    if (aci_json_peek(c->r) == ACI_JSON_NULL)
        return aci_json_null(c->r) && aci_sk_note(c->s, c->r, &list, "Participants is null");
    if (!aci_json_array(c->r))
        return false;
    for (; aci_json_element(c->r); place.index++) {
        void *grown = c->participants;

        if (!aci_grow(c->s->env, &grown, &c->participant_cap, place.index, sizeof *c->participants))
            return aci_sk_nomem(c->r);
        c->participants = grown;
        if (!read_participant(c, &place, &c->participants[place.index]))
            return false;
    }
    c->snapshot->participant_count = place.index;
    return !aci_json_failed(c->r);
}

/* ---- history -------------------------------------------------------------------------------------------------- */

static bool read_list(chat_reader *c, aci_json_reader *r, const aci_sk_path *path)
{
    return aci_sk_read_messages(c->s, r, path, c->known, &c->history);
}

/* A history given as text: a list of messages, null, or nothing at all. */
static bool read_history_text(chat_reader *c, const aci_sk_path *path)
{
    aci_json_reader *sub;
    agentchat_str text;

    if (!aci_json_string(c->r, &text))
        return false;
    if (text.len == 0)
        return aci_sk_note(c->s, c->r, path, "History is empty text; it was read as no messages");
    if (!aci_sk_decoded(c->s, c->r, &text))
        return false;
    c->snapshot->history_spelling = ACI_SPELLED_STRING;
    sub = aci_sk_sub_new(c->s, c->r, text);
    if (sub == NULL)
        return false;
    if (aci_json_peek(sub) == ACI_JSON_NULL ? aci_json_null(sub) : read_list(c, sub, path))
        (void)aci_json_end(sub);
    return aci_sk_sub_free(c->s, c->r, sub, text, NULL);
}

static bool read_history(chat_reader *c)
{
    aci_sk_path path = {c->path, "history", 0};

    aci_sk_list_clear(&c->history, c->s->env);
    c->history_seen = true;
    c->snapshot->history_spelling = ACI_SPELLED_RAW;
    switch (aci_json_peek(c->r)) {
    case ACI_JSON_STRING:
        return read_history_text(c, &path);
    case ACI_JSON_NULL:
        return aci_json_null(c->r) && aci_sk_note(c->s, c->r, &path, "History is null; it was read as no messages");
    case ACI_JSON_ERROR:
    case ACI_JSON_OBJECT:
    case ACI_JSON_ARRAY:
    case ACI_JSON_NUMBER:
    case ACI_JSON_TRUE:
    case ACI_JSON_FALSE:
        break;
    }
    return read_list(c, c->r, &path);
}

/* Puts the null messages back that .NET could not have been given, at their positions, which ascend: so those that have
   a place are the first ones, and the others are put around them from behind, each moved once. */
static bool restore_nulls(chat_reader *c)
{
    aci_sk_path path = {c->path, "history", 0};
    aci_sk_list *list = &c->history;
    const size_t *nulls = c->own.nulls;
    size_t from = list->count, left = 0;

    while (left < c->own.null_count &&
           nulls[left] <= list->count) { /* the rest: edited since, there is no such place */
        agentchat_message *message = aci_sk_null_message(c->s, c->r);

        if (message == NULL || !aci_sk_list_add(c->s, c->r, list, message, (agentchat_str){NULL, 0}))
            return false;
        left++;
    }
    if (left < c->own.null_count && !aci_sk_note(c->s, c->r, &path,
                                                 "agentchat says that messages were null beyond the "
                                                 "end; they are left out"))
        return false;
    for (size_t to = list->count; left > 0; to--) {
        if (nulls[left - 1] != to - 1) {
            agentchat_message *null_message = list->messages[to - 1];

            from--;
            list->messages[to - 1] = list->messages[from];
            list->messages[from] = null_message;
        } else {
            left--;
        }
    }
    return true;
}

/* ---- channels ------------------------------------------------------------------------------------------------- */

static void clear_channels(chat_reader *c)
{
    for (size_t i = 0; i < c->channel_count; i++)
        aci_sk_channel_clear(&c->channels[i]);
    c->channel_count = 0;
    c->claims.count = 0;
}

static bool note_duplicate_key(chat_reader *c, aci_json_reader *r, const aci_sk_path *path, agentchat_str key)
{
    enum { CHECKED = 256 }; /* a note is a courtesy, and not worth the square of what a hostile file holds */

    for (size_t i = 0; i < c->channel_count && i < CHECKED; i++)
        if (agentchat_str_equal(c->channels[i].key, key))
            return aci_sk_note(c->s, r, path, "another channel has the same key");
    return true;
}

static bool add_claim(chat_reader *c, aci_json_reader *r, const aci_sk_own *own)
{
    void *grown = c->claims.list;

    if (!aci_grow(c->s->env, &grown, &c->claims.cap, c->claims.count, sizeof *c->claims.list))
        return aci_sk_nomem(r);
    c->claims.list = grown;
    c->claims.list[c->claims.count++] = (aci_sk_claim){c->channel_count - 1, *own};
    return true;
}

/* Reads a channel and puts it at the end of the list. at: its position, for notes. left_out: it is none of .NET's. */
static bool read_channel(chat_reader *c, aci_json_reader *r, size_t at, bool left_out)
{
    aci_sk_path list = {c->path, "channels", 0}, place = {&list, NULL, at};
    agentchat_channel_state *channel;
    void *grown = c->channels;

    if (!aci_grow(c->s->env, &grown, &c->channel_cap, c->channel_count, sizeof *c->channels))
        return aci_sk_nomem(r);
    c->channels = grown;
    channel = &c->channels[c->channel_count];
    if (!aci_sk_read_channel(c->s, r, &place, &c->history, channel, &c->channel_own))
        return false;
    if (!c->channel_own.added && !note_duplicate_key(c, r, &place, channel->key)) {
        aci_sk_channel_clear(channel);
        return false;
    }
    c->channel_count++;
    c->channel_own.added = c->channel_own.added && !left_out;
    return !aci_sk_is_claim(&c->channel_own) || add_claim(c, r, &c->channel_own);
}

static bool read_channels(chat_reader *c, aci_json_reader *r)
{
    aci_sk_path list = {c->path, "channels", 0};

    clear_channels(c);
    if (aci_json_peek(r) == ACI_JSON_NULL)
        return aci_json_null(r) && aci_sk_note(c->s, r, &list, "Channels is null");
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!read_channel(c, r, c->channel_count, false))
            return false;
    return !aci_json_failed(r);
}

/* Positions of the channels that were left out, in the order in which they are read. */
typedef struct left_out {
    size_t *at;
    size_t count, cap;
} left_out;

static bool add_position(chat_reader *c, aci_json_reader *r, left_out *list, uint64_t at)
{
    void *grown = list->at;

    if (list->count > 0 && at < list->at[list->count - 1])
        at = list->at[list->count - 1]; /* they ascend where our writer wrote them */
    if (!aci_grow(c->s->env, &grown, &list->cap, list->count, sizeof *list->at))
        return aci_sk_nomem(r);
    list->at = grown;
    list->at[list->count++] = (size_t)at;
    return true;
}

/* {"at": 1, "channel": {…}}: a channel that our writer could not give to .NET. */
static bool read_left_out(chat_reader *c, aci_json_reader *r, left_out *list)
{
    uint64_t at = c->channel_count;
    agentchat_str key;

    if (!aci_json_object(r))
        return false;
    while (aci_json_member(r, &key)) {
        size_t before = c->channel_count;

        if (aci_sk_view_is(key, "at")) {
            if (!aci_json_u64(r, &at))
                return false;
            continue;
        }
        if (!read_channel(c, r, at < before ? (size_t)at : before, true) ||
            (c->channel_count > before && !add_position(c, r, list, at)))
            return false;
    }
    return !aci_json_failed(r);
}

/* Moves the channels behind the first `count` to their positions, each of them once. */
static bool place_left_out(chat_reader *c, size_t count, const left_out *list)
{
    size_t total = c->channel_count, next = 0, rest = 0;
    agentchat_channel_state *old;

    if (list->count == 0)
        return true;
    old = aci_alloc(c->s->env, total * sizeof *old); /* cannot wrap: as large an array exists */
    if (old == NULL)
        return aci_sk_nomem(c->r);
    memcpy(old, c->channels, total * sizeof *old);
    for (size_t i = 0; i < total; i++)
        c->channels[i] =
            next < list->count && (list->at[next] <= i || rest == count) ? old[count + next++] : old[rest++];
    aci_free(c->s->env, old, total * sizeof *old);
    return true;
}

static bool settle_claims(chat_reader *c)
{
    return aci_sk_settle_claims(c->s, c->r, c->path, &c->claims, &c->history, c->own.nulls, c->own.null_count,
                                c->channels, &c->channel_count);
}

/* Drops the channels behind the first `count` that .NET could have been given: those whose key is none of theirs. */
static bool check_left_out(chat_reader *c, size_t count, left_out *list)
{
    aci_sk_path channels = {c->path, "channels", 0}, place = {&channels, NULL, 0};
    size_t read = c->channel_count - count, kept = 0;
    aci_index keys = {0};
    bool ok = true;

    for (size_t i = 0; ok && read > 0 && i < count; i++)
        ok = c->channels[i].key.ptr == NULL || agentchat_str_is_null(c->channels[i].key) ||
             aci_index_add(&keys, c->s->env, c->channels[i].key, i) || aci_sk_nomem(c->r);
    for (size_t i = 0; ok && i < read; i++) {
        agentchat_channel_state *channel = &c->channels[count + i];
        agentchat_str key = channel->key;

        if (key.ptr == NULL || agentchat_str_is_null(key) || aci_index_find(&keys, key) != ACI_INDEX_NONE) {
            agentchat_channel_state dropped = c->channels[count + kept];

            c->channels[count + kept] = *channel;
            *channel = dropped;
            list->at[kept++] = list->at[i];
            continue;
        }
        place.index = count + i;
        ok = aci_sk_note(c->s, c->r, &place, "agentchat says that this channel was left out, which nothing explains");
    }
    aci_index_clear(&keys, c->s->env);
    if (!ok)
        return false;
    while (c->channel_count > count + kept)
        aci_sk_channel_clear(&c->channels[--c->channel_count]);
    list->count = kept;
    return true;
}

static bool restore_left_out(chat_reader *c)
{
    size_t count = c->channel_count;
    left_out list = {NULL, 0, 0};
    aci_json_reader *sub;
    bool ok;

    if (c->own.channels.ptr == NULL)
        return true;
    sub = aci_sk_sub_new(c->s, c->r, c->own.channels);
    if (sub == NULL)
        return false;
    if (aci_json_array(sub))
        while (aci_json_element(sub) && read_left_out(c, sub, &list))
            continue;
    ok = aci_sk_sub_free(c->s, c->r, sub, c->own.channels, "agentchat/channels") && settle_claims(c) &&
         check_left_out(c, count, &list) && place_left_out(c, count, &list);
    aci_free(c->s->env, list.at, list.cap * sizeof *list.at);
    return ok;
}

static bool read_late_channels(chat_reader *c)
{
    aci_json_reader *sub;

    if (c->late_channels.ptr == NULL)
        return true;
    sub = aci_sk_sub_new(c->s, c->r, c->late_channels);
    if (sub == NULL)
        return false;
    (void)read_channels(c, sub);
    return aci_sk_sub_free(c->s, c->r, sub, c->late_channels, "Channels");
}

/* Positions that do not fit the history are not believed. */
static bool check_positions(chat_reader *c)
{
    for (size_t i = 0; i < c->channel_count; i++) {
        agentchat_channel_state *channel = &c->channels[i];
        aci_sk_path list = {c->path, "channels", 0}, place = {&list, NULL, i};
        bool fits = channel->synced == AGENTCHAT_SYNCED_UNKNOWN || channel->synced <= c->history.count;

        if (channel->pending_count > 0 && channel->pending[channel->pending_count - 1] >= c->history.count)
            fits = false;
        if (fits)
            continue;
        channel->synced = AGENTCHAT_SYNCED_UNKNOWN;
        channel->pending = NULL;
        channel->pending_count = 0;
        if (!aci_sk_note(c->s, c->r, &place, "synced or pending lies beyond the history; neither was read"))
            return false;
    }
    return true;
}

/* ---- root ----------------------------------------------------------------------------------------------------- */

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
        return c->history_seen ? read_channels(c, c->r) : aci_json_raw(c->r, &c->late_channels);
    default:
        return aci_sk_props_keep(p);
    }
}

ACI_NOINLINE static bool read_own(chat_reader *c, aci_sk_props *p)
{
    agentchat_str raw = aci_sk_props_kept(p, "agentchat"), texts[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    aci_sk_beside beside = {&aci_sk_root, (agentchat_item_kind)0, p->draft, texts, NULL};

    if (raw.ptr == NULL)
        return true;
    if (raw.ptr[0] != '{')
        return aci_sk_props_give_back(p, "agentchat");
    return aci_sk_read_own(c->s, c->r, raw, c->path, &beside, &c->own);
}

/* Moves everything into the snapshot. */
static bool finish(chat_reader *c, aci_sk_props *p)
{
    agentchat_snapshot *snapshot = c->snapshot;
    aci_home *home = c->s->home;

    if (c->own.quoted)
        snapshot->history_spelling = ACI_SPELLED_RAW;
    snapshot->next_turn = c->own.next_turn;
    snapshot->is_complete = c->own.complete;
    if (!aci_snapshot_set_values(snapshot, c->own.values, c->own.value_count) ||
        !aci_list_from_home(&snapshot->history, c->s->env, home, c->history.messages, c->history.count) ||
        !aci_sk_take_extras(p, &snapshot->extras))
        return aci_sk_nomem(c->r);
    if (snapshot->participant_count > 0) {
        snapshot->participants = aci_home_alloc(home, snapshot->participant_count * sizeof *c->participants);
        if (snapshot->participants == NULL)
            return aci_sk_nomem(c->r);
        memcpy(snapshot->participants, c->participants, snapshot->participant_count * sizeof *c->participants);
    }
    if (c->channel_count > 0) {
        snapshot->channels = aci_home_alloc(home, c->channel_count * sizeof *c->channels);
        if (snapshot->channels == NULL)
            return aci_sk_nomem(c->r);
        memcpy(snapshot->channels, c->channels, c->channel_count * sizeof *c->channels);
        snapshot->channel_count = c->channel_count;
        c->channel_count = 0; /* lists and chats have moved over */
    }
    return true;
}

static bool has_extra(const aci_draft *draft, const char *name)
{
    for (size_t i = 0; i < draft->extra_count; i++) {
        if (agentchat_str_equal(draft->extras[i].name, agentchat_str_from(name)))
            return true;
    }
    return false;
}

/* An object without anything of a chat: a session is what is given most easily by mistake. */
static bool refuse(chat_reader *c, const aci_draft *draft, size_t begin)
{
    bool is_session =
        has_extra(draft, "events") && (has_extra(draft, "agentchatsession") || has_extra(draft, "appName") ||
                                       has_extra(draft, "app_name") || has_extra(draft, "id"));

    if (is_session)
        (void)aci_json_fail_at(c->r, begin, AGENTCHAT_E_SCHEMA,
                               "this is the file of a session, not of a chat; agentchat session import reads it");
    else
        (void)aci_json_fail_at(c->r, begin, AGENTCHAT_E_SCHEMA,
                               "the object is no state of a chat: it has no Participants, History or Channels");
    return false;
}

static bool read_root(chat_reader *c)
{
    aci_sk_path history = {c->path, "history", 0};
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
        ok = refuse(c, &c->draft, begin);
    if (ok && !c->history_seen)
        ok = aci_sk_note(c->s, c->r, &history, "History is missing; it was read as no messages");
    ok = ok && read_own(c, props) && read_late_channels(c) && settle_claims(c) && restore_left_out(c) &&
         restore_nulls(c) && check_positions(c) && finish(c, props);
    aci_sk_props_end(props);
    aci_draft_clear(&c->draft, c->s->env);
    return ok;
}

bool aci_sk_read_chat(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, aci_sk_list *known,
                      agentchat_snapshot **out)
{
    chat_reader *c = aci_alloc_zero(s->env, sizeof *c);
    bool ok;

    if (c == NULL)
        return aci_sk_nomem(r);
    c->s = s;
    c->r = r;
    c->path = path;
    c->known = known;
    c->snapshot = aci_snapshot_new(s->env, aci_home_ref(s->home));
    if (c->snapshot == NULL) {
        aci_free(s->env, c, sizeof *c);
        return aci_sk_nomem(r);
    }
    c->snapshot->format = AGENTCHAT_FORMAT_SEMANTIC_KERNEL;
    c->snapshot->history_spelling = ACI_SPELLED_RAW;
    ok = read_root(c);
    clear_channels(c);
    aci_free(s->env, c->channels, c->channel_cap * sizeof *c->channels);
    aci_free(s->env, c->claims.list, c->claims.cap * sizeof *c->claims.list);
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
