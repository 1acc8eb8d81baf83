/* SPDX-License-Identifier: Apache-2.0 */
/* The sidecar in the chat, its participants and its channels (read_sidecar_parts.h). */
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/read_sidecar_parts.h"

#include "base/b64.h"
#include "base/buf.h"

static bool read_turn(aci_sk_sidecar_reader *o, uint64_t *out)
{
    if (!aci_json_u64(o->r, out))
        return false;
    if (*out <= ACI_HIGHEST_INTEGER)
        return true;
    (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "the number is too large");
    return false;
}

static bool read_state(aci_sk_sidecar_reader *o)
{
    agentchat_str key, spelling = {NULL, 0};
    bool ok = aci_json_object(o->r);

    while (ok && aci_json_member(o->r, &key))
        ok = aci_sk_view_is(key, "text")       ? aci_sk_read_sidecar_text(o, &o->sidecar->state)
             : aci_sk_view_is(key, "spelling") ? aci_json_string(o->r, &spelling)
                                               : aci_sk_read_sidecar_refuse(o);
    if (!ok || aci_json_failed(o->r))
        return false;
    o->sidecar->has_state = true;
    o->sidecar->state_spelling = aci_sk_view_is(spelling, "raw")      ? ACI_SPELLED_RAW
                                 : aci_sk_view_is(spelling, "string") ? ACI_SPELLED_STRING
                                                                      : ACI_SPELLED_ANY;
    return true;
}

static bool decode_value(aci_sk_sidecar_reader *o, aci_value *value)
{
    agentchat_str base64;
    char *bytes;

    if (!aci_json_base64(o->r, &base64))
        return false;
    bytes = aci_arena_text(o->s->arena, aci_b64_decoded_size(base64) + 1);
    if (bytes == NULL)
        return aci_sk_nomem(o->r);
    aci_b64_decode(base64, bytes);
    value->value = (agentchat_str){bytes, aci_b64_decoded_size(base64)};
    return true;
}

static bool read_value(aci_sk_sidecar_reader *o, aci_value *value)
{
    agentchat_str key;
    bool ok = aci_json_object(o->r), is_bytes = false;

    *value = (aci_value){{NULL, 0}, {NULL, 0}, {NULL, 0}};
    while (ok && aci_json_member(o->r, &key)) {
        if (aci_sk_view_is(key, "name"))
            ok = aci_json_string(o->r, &value->name);
        else if (aci_sk_view_is(key, "mediatype"))
            ok = aci_json_string(o->r, &value->media_type);
        else if (aci_sk_view_is(key, "base64"))
            ok = is_bytes = decode_value(o, value);
        else
            ok = aci_sk_read_sidecar_json(o, key, &value->value);
    }
    if (ok && !aci_json_failed(o->r) &&
        (value->name.ptr == NULL || value->value.ptr == NULL || is_bytes != (value->media_type.ptr != NULL))) {
        (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "a named value needs name and value, or media type and base64");
        ok = false;
    }
    return ok && !aci_json_failed(o->r);
}

static bool read_values(aci_sk_sidecar_reader *o)
{
    aci_value *array = NULL;
    size_t count = 0, cap = 0;
    bool ok = aci_json_array(o->r);

    while (ok && aci_json_element(o->r)) {
        void *grown = array;

        ok = aci_grow(o->s->env, &grown, &cap, count, sizeof *array) || aci_sk_nomem(o->r);
        array = grown;
        ok = ok && read_value(o, &array[count]);
        count++;
    }
    ok = ok && !aci_json_failed(o->r);
    if (ok && count > 0) {
        o->sidecar->values = aci_arena_alloc(o->s->arena, count * sizeof *array);
        o->sidecar->value_count = count;
        if (o->sidecar->values != NULL)
            memcpy(o->sidecar->values, array, count * sizeof *array);
        else
            ok = aci_sk_nomem(o->r);
    }
    aci_free(o->s->env, array, cap * sizeof *array);
    return ok;
}

/* Channels that were left out: read when the history is known, so only their shape is looked at here. */
static bool read_channels(aci_sk_sidecar_reader *o)
{
    const char *begin = o->r->begin + aci_json_offset(o->r);
    agentchat_str key, raw;
    size_t at;
    bool ok = aci_json_array(o->r);

    while (ok && aci_json_element(o->r)) {
        ok = aci_json_object(o->r);
        while (ok && aci_json_member(o->r, &key)) {
            if (aci_sk_view_is(key, "at"))
                ok = aci_sk_read_sidecar_size(o, &at);
            else
                ok = aci_sk_view_is(key, "channel") && aci_json_peek(o->r) == ACI_JSON_OBJECT
                         ? aci_json_raw(o->r, &raw)
                         : aci_sk_read_sidecar_refuse(o);
        }
        ok = ok && !aci_json_failed(o->r);
    }
    o->sidecar->channels = (agentchat_str){begin, (size_t)(o->r->cursor - begin)};
    return ok && !aci_json_failed(o->r);
}

/* What a channel's state is, where neither its key nor its type says so. */
static bool read_holds(aci_sk_sidecar_reader *o)
{
    agentchat_str text;

    if (!aci_json_string(o->r, &text))
        return false;
    if (aci_sk_view_is(text, "messages"))
        o->sidecar->holds = ACI_SK_STATE_HISTORY;
    else if (aci_sk_view_is(text, "chat"))
        o->sidecar->holds = ACI_SK_STATE_CHAT;
    else
        return aci_sk_read_sidecar_refuse(o);
    return true;
}

bool aci_sk_read_sidecar_envelope(aci_sk_sidecar_reader *o, agentchat_str key, bool *mine)
{
    static const char *const text_names[] = {"id", "name", "type", "key"};
    aci_sk_sidecar *sidecar = o->sidecar;

    *mine = true;
    for (size_t i = 0; i < 4; i++)
        if (aci_sk_view_is(key, text_names[i]))
            return aci_sk_read_sidecar_text(
                o, &o->texts[i % 3]); /* a channel has its key where a participant has its id */
    if (aci_sk_view_is(key, "synced"))
        return aci_sk_read_sidecar_size(o, &sidecar->synced);
    if (aci_sk_view_is(key, "pending"))
        return aci_sk_read_sidecar_positions(o, &sidecar->pending, &sidecar->pending_count);
    if (aci_sk_view_is(key, "appended"))
        return aci_sk_read_sidecar_size(o, &sidecar->appended);
    if (aci_sk_view_is(key, "turn"))
        return read_turn(o, &sidecar->next_turn);
    if (aci_sk_view_is(key, "complete"))
        return aci_json_bool(o->r, &sidecar->complete);
    if (aci_sk_view_is(key, "quoted"))
        return aci_json_bool(o->r, &sidecar->quoted);
    if (aci_sk_view_is(key, "added"))
        return aci_json_bool(o->r, &sidecar->added);
    if (aci_sk_view_is(key, "bytes"))
        return aci_json_bool(o->r, &sidecar->bytes);
    if (aci_sk_view_is(key, "state"))
        return read_state(o);
    if (aci_sk_view_is(key, "holds"))
        return read_holds(o);
    if (aci_sk_view_is(key, "values"))
        return read_values(o);
    if (aci_sk_view_is(key, "channels"))
        return read_channels(o);
    *mine = false;
    return true;
}
