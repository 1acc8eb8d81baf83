/* SPDX-License-Identifier: Apache-2.0 */
/* What a channel's edit gets to see. */
#include "chat/channel_edit.h"

#include "base/error.h"

agentchat_status aci_channel_edit_apply(const agentchat_channel_edit *in, const agentchat_messages *list, bool keep_all,
                                        agentchat_messages *out, agentchat_error *err)
{
    return aci_edit_plan_apply(in->plan, &in->given, list, true, keep_all, out, err);
}

agentchat_status agentchat_channel_edit_list(const agentchat_channel_edit *in, const agentchat_messages *messages,
                                             agentchat_message_test_fn takes, void *user, agentchat_list_edit **out,
                                             agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (in == NULL || messages == NULL)
        return aci_fail_null(err, in == NULL ? "in" : "messages");
    return aci_edit_plan_derive(in->plan, &in->given, messages, takes, user, out, err);
}

const agentchat_list_edit *agentchat_channel_edit_of_history(const agentchat_channel_edit *in)
{
    return in != NULL ? in->plan->edit : NULL;
}

const agentchat_messages *agentchat_channel_edit_history(const agentchat_channel_edit *in)
{
    return in != NULL ? in->plan->before : NULL;
}

const agentchat_env *agentchat_channel_edit_env(const agentchat_channel_edit *in)
{
    return in != NULL ? in->plan->env : NULL;
}
