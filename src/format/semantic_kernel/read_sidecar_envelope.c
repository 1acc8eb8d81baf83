/* SPDX-License-Identifier: Apache-2.0 */
/* The sidecar in the chat, its participants and its channels (read_sidecar_parts.h). */
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/read_sidecar_parts.h"

static bool read_turn(agentchat_str raw, uint64_t *out)
{
    int64_t value = 0;
    bool is =
        *raw.ptr >= '0' && *raw.ptr <= '9' && aci_json_integer(raw, &value) && (uint64_t)value <= ACI_HIGHEST_INTEGER;

    *out = (uint64_t)value;
    return is;
}

static bool read_state(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    agentchat_str key, spelling = {NULL, 0};
    aci_walk walk;

    if (*raw.ptr != '{')
        return false;
    aci_walk_begin(&walk, raw);
    while (aci_sk_sidecar_member(o, &walk, &key))
        if (!(aci_sk_view_is(key, "text")
                  ? aci_sk_sidecar_text_or_null(o, walk.value, &o->sidecar->state)
                  : aci_sk_view_is(key, "spelling") && aci_sk_sidecar_string(o, walk.value, &spelling)))
            return false;
    o->sidecar->has_state = true;
    o->sidecar->state_spelling = aci_sk_view_is(spelling, "raw")      ? ACI_SPELLED_RAW
                                 : aci_sk_view_is(spelling, "string") ? ACI_SPELLED_STRING
                                                                      : ACI_SPELLED_ANY;
    return true;
}

static bool decode_value(aci_sk_sidecar_reader *o, agentchat_str raw, agentchat_str *out)
{
    agentchat_str base64;
    bool valid;

    return aci_sk_sidecar_string(o, raw, &base64) && aci_sk_decode_base64(o->s, o->r, base64, &valid, out) && valid;
}

/* {"name": …, "value": …}, or with "mediatype" and "base64" instead of the value. */
static bool read_value(aci_sk_sidecar_reader *o, agentchat_str raw, aci_value *value)
{
    agentchat_str key;
    bool ok = *raw.ptr == '{', is_bytes = false;
    aci_walk walk;

    *value = (aci_value){.list = NULL};
    aci_walk_begin(&walk, raw);
    while (ok && aci_sk_sidecar_member(o, &walk, &key)) {
        if (aci_sk_view_is(key, "name"))
            ok = aci_sk_sidecar_string(o, walk.value, &value->name);
        else if (aci_sk_view_is(key, "mediatype"))
            ok = aci_sk_sidecar_string(o, walk.value, &value->media_type);
        else if (aci_sk_view_is(key, "base64"))
            ok = is_bytes = decode_value(o, walk.value, &value->value);
        else
            ok = aci_sk_sidecar_json(o, key, walk.value, &value->value);
    }
    return ok && value->name.ptr != NULL && value->value.ptr != NULL && is_bytes == (value->media_type.ptr != NULL);
}

static bool read_values(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    aci_value *list;
    void *room;
    aci_walk walk;

    if (!aci_sk_sidecar_room(o, raw, sizeof *list, &room))
        return false;
    o->sidecar->values = list = room;
    o->sidecar->value_count = 0;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk))
        if (!read_value(o, walk.value, &list[o->sidecar->value_count++]))
            return false;
    return true;
}

/* Channels that were left out: read when the history is known, so only their shape is looked at here. */
static bool read_channels(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    agentchat_str key;
    aci_walk list, walk;
    size_t at;

    if (*raw.ptr != '[')
        return false;
    aci_walk_begin(&list, raw);
    while (aci_walk_next(&list)) {
        if (*list.value.ptr != '{')
            return false;
        aci_walk_begin(&walk, list.value);
        while (aci_sk_sidecar_member(o, &walk, &key))
            if (!(aci_sk_view_is(key, "at") ? aci_sk_sidecar_size(walk.value, &at)
                                            : aci_sk_view_is(key, "channel") && *walk.value.ptr == '{'))
                return false;
    }
    o->sidecar->channels = raw;
    return true;
}

/* What a channel's state is, where neither its key nor its type says so. */
static bool read_holds(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    agentchat_str text;

    if (!aci_sk_sidecar_string(o, raw, &text))
        return false;
    if (aci_sk_view_is(text, "messages"))
        o->sidecar->holds = ACI_SK_STATE_HISTORY;
    else if (aci_sk_view_is(text, "chat"))
        o->sidecar->holds = ACI_SK_STATE_CHAT;
    else
        return false;
    return true;
}

bool aci_sk_sidecar_envelope(aci_sk_sidecar_reader *o, agentchat_str key, agentchat_str raw, bool *mine)
{
    static const char *const text_names[] = {"id", "name", "type", "key"};
    aci_sk_sidecar *sidecar = o->sidecar;

    *mine = true;
    for (size_t i = 0; i < 4; i++)
        if (aci_sk_view_is(key, text_names[i])) /* a channel has its key where a participant has its id */
            return aci_sk_sidecar_text_or_null(o, raw, &o->texts[i % 3]);
    if (aci_sk_view_is(key, "synced"))
        return aci_sk_sidecar_size(raw, &sidecar->synced);
    if (aci_sk_view_is(key, "pending"))
        return aci_sk_sidecar_positions(o, raw, &sidecar->pending, &sidecar->pending_count);
    if (aci_sk_view_is(key, "appended"))
        return aci_sk_sidecar_size(raw, &sidecar->appended);
    if (aci_sk_view_is(key, "turn"))
        return read_turn(raw, &sidecar->next_turn);
    if (aci_sk_view_is(key, "complete"))
        return aci_sk_sidecar_flag(raw, &sidecar->complete);
    if (aci_sk_view_is(key, "quoted"))
        return aci_sk_sidecar_flag(raw, &sidecar->quoted);
    if (aci_sk_view_is(key, "added"))
        return aci_sk_sidecar_flag(raw, &sidecar->added);
    if (aci_sk_view_is(key, "bytes"))
        return aci_sk_sidecar_flag(raw, &sidecar->bytes);
    if (aci_sk_view_is(key, "state"))
        return read_state(o, raw);
    if (aci_sk_view_is(key, "holds"))
        return read_holds(o, raw);
    if (aci_sk_view_is(key, "values"))
        return read_values(o, raw);
    if (aci_sk_view_is(key, "channels"))
        return read_channels(o, raw);
    *mine = false;
    return true;
}
