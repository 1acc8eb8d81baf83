/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a chat in the store. */
#include "thread/frame.h"

#include "base/error.h"

/* A chat without anything, for a channel that holds one. */
static agentchat_snapshot *nothing(const agentchat_env *env, aci_arena *arena)
{
    agentchat_snapshot *chat = aci_arena_alloc(arena, sizeof *chat);

    if (chat != NULL) {
        *chat = (agentchat_snapshot){.env = env, .arena = arena};
        aci_list_init(&chat->history, env);
    }
    return chat;
}

static bool bare_channels(agentchat_snapshot *bare, aci_arena *arena)
{
    agentchat_channel_state *list;

    if (bare->channel_count == 0)
        return true;
    list = aci_arena_alloc(arena, bare->channel_count * sizeof *list);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < bare->channel_count; i++) {
        agentchat_channel_state *channel = &list[i];

        *channel = bare->channels[i];
        aci_list_init(&channel->messages, bare->env);
        channel->synced = AGENTCHAT_SYNCED_UNKNOWN;
        channel->pending_count = 0;
        if (channel->data.len > 0)
            channel->data = channel->spelling == ACI_SPELLED_RAW ? AGENTCHAT_STR("0") : AGENTCHAT_STR("");
        if (channel->kind == AGENTCHAT_CHANNEL_CHAT) {
            channel->chat = nothing(bare->env, arena);
            if (channel->chat == NULL)
                return false;
        }
    }
    bare->channels = list;
    return true;
}

static bool bare_values(agentchat_snapshot *bare, aci_arena *arena)
{
    aci_value *list;

    if (bare->value_count == 0)
        return true;
    list = aci_arena_alloc(arena, bare->value_count * sizeof *list);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < bare->value_count; i++) {
        list[i] = bare->values[i];
        list[i].list = NULL;
        list[i].value = list[i].media_type.ptr == NULL ? AGENTCHAT_STR("0") : AGENTCHAT_STR("");
    }
    bare->values = list;
    return true;
}

agentchat_status aci_frame_write(const agentchat_snapshot *snapshot, aci_arena *arena, agentchat_str *out,
                                 agentchat_error *err)
{
    agentchat_snapshot bare = *snapshot;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_status status;
    bool ok = true;

    aci_list_init(&bare.history, snapshot->env);
    bare.next_turn = 0;
    bare.is_complete = false;
    if (!bare_channels(&bare, arena) || !bare_values(&bare, arena))
        return aci_fail_nomem(err);
    status = agentchat_snapshot_write_memory(&bare, NULL, &bytes, NULL, err);
    if (status >= 0)
        *out = aci_arena_copy(arena, (agentchat_str){bytes.ptr, bytes.len}, &ok);
    agentchat_bytes_clear(&bytes);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

agentchat_status aci_frame_read(const agentchat_env *env, agentchat_str frame, agentchat_snapshot **out,
                                agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_status status;
    agentchat_error why;

    agentchat_error_clear(&why);
    options.format = "agentchat";
    status = agentchat_snapshot_read_memory(env, frame, &options, out, NULL, &why);
    if (status >= 0 || status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return status < 0 ? aci_fail(err, status, "%s", why.message) : status;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored frame of a chat cannot be read: %s", why.message);
}
