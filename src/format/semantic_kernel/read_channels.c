/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the channels of a chat, when the history is known, so that they can share its messages; and those that our
 * writer could not give to .NET, from the sidecar.
 */
#include "format/semantic_kernel/read_chat.h"

#include "base/index.h"

static void clear(aci_sk_channels *c)
{
    for (size_t i = 0; i < c->count; i++)
        aci_sk_channel_clear(&c->list[i]);
    c->count = 0;
    c->claims.count = 0;
}

static bool note_duplicate_key(aci_sk_channels *c, aci_json_reader *r, const aci_location *path, agentchat_str key)
{
    enum { CHECKED = 256 }; /* a note is a courtesy, and not worth the square of what a hostile file holds */

    for (size_t i = 0; i < c->count && i < CHECKED; i++)
        if (agentchat_str_equal(c->list[i].key, key))
            return aci_sk_note(c->s, r, path, "another channel has the same key");
    return true;
}

static bool add_claim(aci_sk_channels *c, aci_json_reader *r, const aci_sk_sidecar *sidecar)
{
    void *grown = c->claims.list;

    if (!aci_grow(c->s->env, &grown, &c->claims.cap, c->claims.count, sizeof *c->claims.list))
        return aci_sk_nomem(r);
    c->claims.list = grown;
    c->claims.list[c->claims.count++] = (aci_sk_claim){c->count - 1, *sidecar};
    return true;
}

/* Reads a channel and puts it at the end of the list. at: its position, for notes. left_out: it is none of .NET's. */
static bool read_channel(aci_sk_channels *c, aci_json_reader *r, size_t at, bool left_out)
{
    aci_location list = {c->path, AGENTCHAT_STR("channels"), 0}, location = {&list, {NULL, 0}, at};
    agentchat_channel_state *channel;
    void *grown = c->list;

    if (!aci_grow(c->s->env, &grown, &c->cap, c->count, sizeof *c->list))
        return aci_sk_nomem(r);
    c->list = grown;
    channel = &c->list[c->count];
    if (!aci_sk_read_channel(c->s, r, &location, c->history, c->read_chat, channel, &c->sidecar))
        return false;
    if (!c->sidecar.added && !note_duplicate_key(c, r, &location, channel->key)) {
        aci_sk_channel_clear(channel);
        return false;
    }
    c->count++;
    c->sidecar.added = c->sidecar.added && !left_out;
    return !aci_sk_is_claim(&c->sidecar) || add_claim(c, r, &c->sidecar);
}

bool aci_sk_read_channels(aci_sk_channels *c, aci_json_reader *r)
{
    clear(c);
    if (aci_json_peek(r) == ACI_JSON_NULL)
        return aci_json_null(r) && aci_sk_note(c->s, r, ACI_AT(c->path, "channels"), "Channels is null");
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!read_channel(c, r, c->count, false))
            return false;
    return !aci_json_failed(r);
}

/* ---- channels that were left out --------------------------------------------------------------------------------- */

/* Positions of the channels that were left out, in the order in which they are read. */
typedef struct left_out {
    size_t *at;
    size_t count, cap;
} left_out;

static bool add_position(aci_sk_channels *c, aci_json_reader *r, left_out *list, uint64_t at)
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
static bool read_left_out(aci_sk_channels *c, aci_json_reader *r, left_out *list)
{
    uint64_t at = c->count;
    agentchat_str key;

    if (!aci_json_object(r))
        return false;
    while (aci_json_member(r, &key)) {
        size_t before = c->count;

        if (aci_sk_view_is(key, "at")) {
            if (!aci_json_u64(r, &at))
                return false;
            continue;
        }
        if (!read_channel(c, r, at < before ? (size_t)at : before, true) ||
            (c->count > before && !add_position(c, r, list, at)))
            return false;
    }
    return !aci_json_failed(r);
}

static bool settle_claims(aci_sk_channels *c, const aci_sk_sidecar *chat)
{
    return aci_sk_settle_claims(c->s, c->r, c->path, &c->claims, c->history, chat->nulls, chat->null_count, c->list,
                                &c->count);
}

/* Drops the channels after the first `count` that .NET could have been given: those whose key is none of theirs. */
static bool check_left_out(aci_sk_channels *c, size_t count, left_out *list)
{
    aci_location channels = {c->path, AGENTCHAT_STR("channels"), 0}, location = {&channels, {NULL, 0}, 0};
    size_t read = c->count - count, kept = 0;
    aci_index keys = {0};
    bool ok = true;

    for (size_t i = 0; ok && read > 0 && i < count; i++)
        ok = c->list[i].key.ptr == NULL || agentchat_str_is_null(c->list[i].key) ||
             aci_index_add(&keys, c->s->env, c->list[i].key, i) || aci_sk_nomem(c->r);
    for (size_t i = 0; ok && i < read; i++) {
        agentchat_channel_state *channel = &c->list[count + i];
        agentchat_str key = channel->key;

        if (key.ptr == NULL || agentchat_str_is_null(key) || aci_index_find(&keys, key) != ACI_INDEX_NONE) {
            agentchat_channel_state dropped = c->list[count + kept];

            c->list[count + kept] = *channel;
            *channel = dropped;
            list->at[kept++] = list->at[i];
            continue;
        }
        location.index = count + i;
        ok =
            aci_sk_note(c->s, c->r, &location, "agentchat says that this channel was left out, which nothing explains");
    }
    aci_index_clear(&keys, c->s->env);
    if (!ok)
        return false;
    while (c->count > count + kept)
        aci_sk_channel_clear(&c->list[--c->count]);
    list->count = kept;
    return true;
}

/* Reads the channels that were left out and puts them where they were. */
static bool restore_left_out(aci_sk_channels *c, const aci_sk_sidecar *chat)
{
    size_t count = c->count;
    left_out list = {NULL, 0, 0};
    agentchat_str raw = chat->channels;
    aci_json_reader *sub = aci_sk_sub_new(c->s, c->r, raw);
    bool ok;

    if (sub == NULL)
        return false;
    if (aci_json_array(sub))
        while (aci_json_element(sub) && read_left_out(c, sub, &list))
            continue;
    ok = aci_sk_sub_free(c->s, c->r, sub, raw, "agentchat/channels") && settle_claims(c, chat) &&
         check_left_out(c, count, &list) &&
         (aci_sk_interleave(c->s->env, c->list, sizeof *c->list, count, list.at, list.count) || aci_sk_nomem(c->r));
    aci_free(c->s->env, list.at, list.cap * sizeof *list.at);
    return ok;
}

bool aci_sk_settle_channels(aci_sk_channels *c, const aci_sk_sidecar *chat)
{
    return settle_claims(c, chat) && (chat->channels.ptr == NULL || restore_left_out(c, chat));
}

/* ---- positions --------------------------------------------------------------------------------------------------- */

bool aci_sk_check_channels(aci_sk_channels *c)
{
    for (size_t i = 0; i < c->count; i++) {
        agentchat_channel_state *channel = &c->list[i];
        aci_location list = {c->path, AGENTCHAT_STR("channels"), 0}, location = {&list, {NULL, 0}, i};
        bool fits = channel->synced == AGENTCHAT_SYNCED_UNKNOWN || channel->synced <= c->history->count;

        if (channel->pending_count > 0 && channel->pending[channel->pending_count - 1] >= c->history->count)
            fits = false;
        if (fits)
            continue;
        channel->synced = AGENTCHAT_SYNCED_UNKNOWN;
        channel->pending = NULL;
        channel->pending_count = 0;
        if (!aci_sk_note(c->s, c->r, &location, "synced or pending lies beyond the history; neither was read"))
            return false;
    }
    return true;
}

void aci_sk_channels_clear(aci_sk_channels *c)
{
    clear(c);
    aci_free(c->s->env, c->list, c->cap * sizeof *c->list);
    aci_free(c->s->env, c->claims.list, c->claims.cap * sizeof *c->claims.list);
}
