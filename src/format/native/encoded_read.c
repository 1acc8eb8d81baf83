/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading agentchat-encoded: format 1 with each discrete state in base64 (docs/formats/agentchat.md). What is
 * wrong inside a state is reported with its pointer there and the position of the string that holds it.
 */
#include "format/native/chat.h"

/* Reads one string of base64 through a reader of format 1. */
static bool read_text_with(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat, aci_native_part *read)
{
    aci_native_deferred *deferred = aci_native_open_text(f, r);
    bool done;

    if (deferred == NULL)
        return false;
    (void)read(f, aci_native_deferred_begin(f, deferred, true), chat);
    done = aci_native_deferred_end(f, deferred, r);
    aci_native_deferred_free(f, deferred);
    return done;
}

static bool read_history(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    return read_text_with(f, r, chat, aci_native_read_history);
}

static bool read_participant(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    return read_text_with(f, r, chat, aci_native_read_participant);
}

static bool read_value(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    return read_text_with(f, r, chat, aci_native_read_value);
}

/* The channel that was added last: everything of it but its key stands in the text. */
static bool read_rest(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    agentchat_channel_state *channel = &chat->channels[chat->channel_count - 1];
    size_t start = aci_json_offset(r);

    if (!aci_native_read_channel_members(f, r, chat, channel))
        return false;
    if (channel->key.ptr == NULL)
        return true;
    return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the \"channelkey\" stands outside of the encoded state");
}

/* {"channelkey":…,"channelstate":base64} */
static bool read_channel(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    agentchat_str key, name = {NULL, 0};
    size_t start = aci_json_offset(r);
    uint32_t seen = 0;

    if (aci_native_new_channel(f, r, chat) == NULL || !aci_json_object(r))
        return false;
    while (aci_json_member(r, &name)) {
        if (agentchat_str_equal(name, AGENTCHAT_STR("channelkey"))) {
            if (!aci_native_once(r, &seen, 0) || !aci_native_read_text(r, &key))
                return false;
        } else if (agentchat_str_equal(name, AGENTCHAT_STR("channelstate"))) {
            if (!aci_native_once(r, &seen, 1) || !read_text_with(f, r, chat, read_rest))
                return false;
        } else
            return aci_json_fail(r, AGENTCHAT_E_SCHEMA,
                                 "an encoded channel has only \"channelkey\" and \"channelstate\"");
    }
    if (aci_json_failed(r))
        return false;
    if ((seen & 2) == 0)
        return aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "an encoded channel needs a \"channelstate\"");
    if ((seen & 1) != 0)
        chat->channels[chat->channel_count - 1].key = key;
    return true;
}

agentchat_status aci_native_encoded_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    static const aci_native_parts parts = {read_history, read_participant, read_channel, read_value, true};

    return aci_native_read(in, &parts, out, err);
}
