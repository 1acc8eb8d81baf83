/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of messages that a caller owns: a persistent list in a block of its own. */
#include "model/model.h"

#include "base/error.h"

agentchat_status agentchat_messages_new(const agentchat_env *env, const agentchat_message *const *messages,
                                        size_t count, agentchat_messages **out, agentchat_error *err)
{
    agentchat_messages *list;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    for (size_t i = 0; i < count; i++)
        if (messages == NULL || messages[i] == NULL)
            return aci_fail(err, AGENTCHAT_E_INVALID, "message %zu of the list is NULL", i);
    env = aci_env(env);
    list = aci_alloc(env, sizeof *list);
    if (list == NULL)
        return aci_fail_nomem(err);
    if (!aci_list_from_array(list, env, messages, count)) {
        aci_free(env, list, sizeof *list);
        return aci_fail_nomem(err);
    }
    *out = list;
    return AGENTCHAT_OK;
}

agentchat_status agentchat_messages_ref(const agentchat_messages *messages, agentchat_messages **out,
                                        agentchat_error *err)
{
    agentchat_messages *list;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (messages == NULL)
        return aci_fail_null(err, "messages");
    list = aci_alloc(messages->env, sizeof *list);
    if (list == NULL)
        return aci_fail_nomem(err);
    aci_list_copy(list, messages);
    *out = list;
    return AGENTCHAT_OK;
}

void agentchat_messages_unref(agentchat_messages *messages)
{
    if (messages == NULL)
        return;
    aci_list_clear(messages);
    aci_free(messages->env, messages, sizeof *messages);
}
