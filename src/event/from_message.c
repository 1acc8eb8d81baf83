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

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "out must not be NULL");
    *out = NULL;
    if (message == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "no message was given");
    builder = agentchat_event_builder_new(env, "");
    if (author.ptr == NULL || agentchat_str_is_null(author))
        author = agentchat_message_role(message);
    if (author.ptr != NULL)
        agentchat_event_builder_set(builder, AGENTCHAT_EVENT_AUTHOR,
                                    agentchat_str_is_null(author) ? AGENTCHAT_STR("") : author);
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, fitting(message, AGENTCHAT_FIELD_ID, AGENTCHAT_EVENT_ID));
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_TIME,
                                fitting(message, AGENTCHAT_FIELD_TIME, AGENTCHAT_EVENT_TIME));
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_INVOCATION, agentchat_str_from(invocation));
    agentchat_event_builder_set_content(builder, message);
    return agentchat_event_builder_finish(builder, out, err);
}
