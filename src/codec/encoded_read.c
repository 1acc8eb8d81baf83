/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading agentchat-encoded: format 1 with each discrete state in base64 (docs/formats/agentchat.md). Layer 4. What is
 * wrong inside a state is reported with its pointer there and the position of the string that holds it.
 */
#include "codec/agentchat.h"

/* Reads one string of base64 through a reader of format 1. */
static bool read_text_with(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat, aci_f1_part read)
{
    aci_f1_aside *aside = aci_f1_open_text(f, r);
    bool done;

    if (aside == NULL)
        return false;
    (void)read(f, aci_f1_aside_begin(f, aside, true), chat);
    done = aci_f1_aside_end(f, aside, r);
    aci_f1_aside_free(f, aside);
    return done;
}

static bool read_history(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat)
{
    return read_text_with(f, r, chat, aci_f1_read_history);
}

static bool read_array_with(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat, aci_f1_part read)
{
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!read_text_with(f, r, chat, read))
            return false;
    return !aci_json_failed(r);
}

static bool read_participants(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat)
{
    return read_array_with(f, r, chat, aci_f1_read_participant);
}

static bool read_values(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat)
{
    return read_array_with(f, r, chat, aci_f1_read_value);
}

/* The channel that was added last: everything of it but its key stands in the text. */
static bool read_rest(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat)
{
    agentchat_channel_state *channel = &chat->channels[chat->channel_count - 1];
    size_t start = aci_json_offset(r);

    if (!aci_f1_read_channel(f, r, chat, channel))
        return false;
    if (channel->key.ptr == NULL)
        return true;
    aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the \"channelkey\" stands outside of the encoded state");
    return false;
}

/* {"channelkey":…,"channelstate":base64} */
static bool read_channel(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat)
{
    agentchat_str key, name = {NULL, 0};
    size_t start = aci_json_offset(r);
    uint32_t seen = 0;

    if (!aci_json_object(r))
        return false;
    while (aci_json_member(r, &name)) {
        if (agentchat_str_equal(name, AGENTCHAT_STR("channelkey"))) {
            if (!aci_f1_once(r, &seen, 0) || !aci_f1_read_text(r, &key))
                return false;
        } else if (agentchat_str_equal(name, AGENTCHAT_STR("channelstate"))) {
            if (!aci_f1_once(r, &seen, 1) || !read_text_with(f, r, chat, read_rest))
                return false;
        } else {
            aci_json_fail(r, AGENTCHAT_E_SCHEMA, "an encoded channel has only \"channelkey\" and \"channelstate\"");
            return false;
        }
    }
    if (aci_json_failed(r))
        return false;
    if ((seen & 2) == 0) {
        aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "an encoded channel needs a \"channelstate\"");
        return false;
    }
    if ((seen & 1) != 0)
        chat->channels[chat->channel_count - 1].key = key;
    return true;
}

static bool read_channels(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat)
{
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (aci_f1_new_channel(f, r, chat) == NULL || !read_channel(f, r, chat))
            return false;
    return !aci_json_failed(r);
}

agentchat_status aci_encoded_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    static const aci_f1_parts parts = {read_history, read_participants, read_channels, read_values, true};

    return aci_f1_read(in, &parts, out, err);
}
