/* SPDX-License-Identifier: Apache-2.0 */
/* A message of a chat as an event. */
#include "event/draft.h"

#include "base/error.h"

/* A field of the message that an event can have too; absent when it breaks the event's rules. */
static agentchat_str fitting(const agentchat_message *message, agentchat_field from, agentchat_event_field to)
{
    agentchat_str text = agentchat_message_get(message, from);

    if (agentchat_str_is_null(text) || aci_event_check_text(to, text, NULL) < 0)
        return (agentchat_str){NULL, 0};
    return text;
}

agentchat_status agentchat_event_from_message(const agentchat_env *env, const agentchat_message *message,
                                              const char *invocation, agentchat_event **out, agentchat_error *err)
{
    agentchat_str author = agentchat_message_name(message);
    agentchat_event_builder *builder;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (message == NULL)
        return aci_fail_null(err, "message");
    if (author.ptr == NULL || agentchat_str_is_null(author))
        author = agentchat_message_role(message);
    if (author.ptr == NULL || agentchat_str_is_null(author))
        author = AGENTCHAT_STR("");
    status = agentchat_event_builder_new(env, author, &builder, err);
    if (status < 0)
        return status;
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, fitting(message, AGENTCHAT_FIELD_ID, AGENTCHAT_EVENT_ID));
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_TIME,
                                fitting(message, AGENTCHAT_FIELD_TIME, AGENTCHAT_EVENT_TIME));
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_INVOCATION, agentchat_str_from(invocation));
    agentchat_event_builder_set_content(builder, message);
    return agentchat_event_builder_finish(builder, out, err);
}
