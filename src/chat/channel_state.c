/* SPDX-License-Identifier: Apache-2.0 */
/* What a channel's save and load get to see. */
#include "chat/channel_state.h"

#include "base/error.h"
#include "model/check.h"

static agentchat_status claim(agentchat_channel_save *out, agentchat_channel_kind kind, agentchat_error *err)
{
    if (out == NULL)
        return aci_fail_null(err, "out");
    if (out->is_set)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a channel's state may be set once only");
    out->kind = kind;
    return AGENTCHAT_OK;
}

static agentchat_status set_data(agentchat_channel_save *out, agentchat_channel_kind kind, agentchat_str data,
                                 agentchat_error *err)
{
    bool ok = true;
    agentchat_status status = claim(out, kind, err);

    if (status < 0)
        return status;
    if (data.ptr == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a channel's state must not be absent; an empty text will do");
    out->data = aci_arena_copy(out->arena, data, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    out->is_set = true;
    return AGENTCHAT_OK;
}

agentchat_status agentchat_channel_save_text(agentchat_channel_save *out, agentchat_str text, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (aci_check_text(text, NULL) < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a channel's state is not UTF-8; set it as bytes");
    return set_data(out, AGENTCHAT_CHANNEL_TEXT, text, err);
}

agentchat_status agentchat_channel_save_bytes(agentchat_channel_save *out, agentchat_str bytes, agentchat_error *err)
{
    agentchat_error_clear(err);
    return set_data(out, AGENTCHAT_CHANNEL_BYTES, bytes, err);
}

agentchat_status agentchat_channel_save_messages(agentchat_channel_save *out, const agentchat_messages *messages,
                                                 agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    status = claim(out, AGENTCHAT_CHANNEL_MESSAGES, err);
    if (status < 0)
        return status;
    if (messages == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "there are no messages to save; an empty list will do");
    aci_list_copy(&out->messages, messages);
    out->is_set = true;
    return AGENTCHAT_OK;
}

agentchat_status aci_channel_state_set_chat(agentchat_channel_save *out, agentchat_chat *inner, agentchat_error *err)
{
    agentchat_status status = claim(out, AGENTCHAT_CHANNEL_CHAT, err);

    if (status < 0)
        return status;
    status = out->capture(out, inner, &out->chat, err);
    if (status < 0)
        return status;
    out->is_set = true;
    return AGENTCHAT_OK;
}

agentchat_channel_kind agentchat_channel_load_kind(const agentchat_channel_load *in)
{
    return in != NULL ? agentchat_channel_state_kind(in->state) : AGENTCHAT_CHANNEL_TEXT;
}

agentchat_str agentchat_channel_load_data(const agentchat_channel_load *in)
{
    return in != NULL ? agentchat_channel_state_data(in->state) : (agentchat_str){NULL, 0};
}

const agentchat_messages *agentchat_channel_load_messages(const agentchat_channel_load *in)
{
    return in != NULL ? agentchat_channel_state_messages(in->state) : NULL;
}

const agentchat_snapshot *agentchat_channel_load_chat(const agentchat_channel_load *in)
{
    return in != NULL ? agentchat_channel_state_chat(in->state) : NULL;
}

size_t agentchat_channel_load_synced(const agentchat_channel_load *in)
{
    return in != NULL ? agentchat_channel_state_synced(in->state) : AGENTCHAT_SYNCED_UNKNOWN;
}

size_t agentchat_channel_load_history_count(const agentchat_channel_load *in)
{
    return in != NULL ? in->history_count : 0;
}

const agentchat_env *agentchat_channel_load_env(const agentchat_channel_load *in)
{
    return in != NULL ? in->env : NULL;
}

agentchat_status aci_channel_state_restore_chat(const agentchat_channel_load *in, agentchat_chat *inner,
                                                agentchat_error *err)
{
    if (agentchat_channel_load_kind(in) != AGENTCHAT_CHANNEL_CHAT || agentchat_channel_load_chat(in) == NULL)
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "the stored state is no chat");
    return in->restore(in, inner, err);
}
