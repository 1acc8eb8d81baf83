/* SPDX-License-Identifier: Apache-2.0 */
/* What an agent says: into the histories that hear it and, for a history channel, its own list: into all or none. */
#include "chat/replies.h"

#include "base/error.h"
#include "base/utf8.h"

static bool append(agentchat_replies *out, const agentchat_message *message)
{
    agentchat_messages grown;

    if (out->own == NULL)
        return aci_chat_say(out->chat, &message, 1);
    aci_list_copy(&grown, out->own);
    if (!aci_list_append(&grown, message) || !aci_chat_say(out->chat, &message, 1)) {
        aci_list_clear(&grown);
        return false;
    }
    aci_list_clear(out->own);
    *out->own = grown;
    return true;
}

static agentchat_status say(agentchat_replies *out, const agentchat_message *message, agentchat_error *err)
{
    bool replaces = false;
    agentchat_status status = aci_chat_keeper_says(out->chat, message, err);

    if (status >= 0)
        status = aci_chat_replaces(out->chat, message, &replaces, err);
    return status < 0 || replaces || append(out, message) ? status : aci_fail_nomem(err);
}

/* The message, or a copy with the agent's name where it has none. */
static agentchat_status name(const agentchat_replies *out, const agentchat_message *message,
                             const agentchat_message **named, agentchat_error *err)
{
    agentchat_str author = agentchat_message_name(message);

    if (out->agent->name.ptr != NULL && (author.ptr == NULL || agentchat_str_is_null(author)))
        return aci_model_with(out->chat->env, message, AGENTCHAT_FIELD_NAME, out->agent->name, named, err);
    *named = agentchat_message_ref(message);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_replies_add(agentchat_replies *out, const agentchat_message *message, agentchat_error *err)
{
    const agentchat_message *named = NULL, *given = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL || message == NULL)
        return aci_fail_null(err, out == NULL ? "out" : "message");
    if (aci_utf8_equal_ignore_case(agentchat_message_role(message), AGENTCHAT_STR("system")))
        return aci_fail(err, AGENTCHAT_E_INVALID, "an agent cannot say a message of the role \"system\"");
    status = name(out, message, &named, err);
    if (status >= 0)
        status = aci_chat_identify(out->chat, named, &given, err);
    if (status >= 0)
        status = say(out, given, err);
    agentchat_message_unref(given);
    agentchat_message_unref(named);
    return status;
}

const agentchat_messages *agentchat_replies_seen(const agentchat_replies *out)
{
    return out != NULL ? out->own : NULL;
}

agentchat_status agentchat_replies_add_text(agentchat_replies *out, agentchat_str text, agentchat_error *err)
{
    agentchat_message *message = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    status = agentchat_message_new_text(out->chat->env, "assistant", out->agent->name, text, &message, err);
    if (status >= 0)
        status = agentchat_replies_add(out, message, err);
    agentchat_message_unref(message);
    return status;
}

/* Whether values may be changed; the first change saves them as they were. */
static agentchat_status begin_change(agentchat_replies *out, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    return aci_chat_values_save(out->chat, &out->saved) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status agentchat_replies_set_value(agentchat_replies *out, agentchat_str name, agentchat_str value,
                                             agentchat_error *err)
{
    agentchat_status status = begin_change(out, err);

    return status < 0 ? status : aci_chat_value_set(out->chat, name, (agentchat_str){NULL, 0}, value, err);
}

agentchat_status agentchat_replies_update(agentchat_replies *out, agentchat_str name, agentchat_str update,
                                          agentchat_error *err)
{
    agentchat_status status = begin_change(out, err);

    return status < 0 ? status : aci_chat_value_update(out->chat, name, update, err);
}

const agentchat_messages *agentchat_replies_partial(const agentchat_replies *out)
{
    return out != NULL ? out->chat->partial : NULL;
}

const agentchat_agent *agentchat_replies_agent(const agentchat_replies *out)
{
    return out != NULL ? out->agent : NULL;
}

bool agentchat_replies_is_interrupted(const agentchat_replies *out)
{
    return out != NULL && aci_chat_is_interrupted(out->chat);
}

const agentchat_env *agentchat_replies_env(const agentchat_replies *out)
{
    return out != NULL ? out->chat->env : NULL;
}
