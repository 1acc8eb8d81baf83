/* SPDX-License-Identifier: Apache-2.0 */
/* Setting fields from jansson values: their text, made with the builder's memory, is set as any other. */
#include <agentchat/json.h>

#include "model/builder.h"

typedef void set_function(agentchat_message_builder *builder, agentchat_field field, agentchat_str value);

static void set_json(agentchat_message_builder *builder, bool in_item, agentchat_field field, const json_t *value,
                     set_function *set)
{
    const char *name = aci_field_name(field);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error error;

    if (aci_builder_is_broken(builder))
        return;
    if (agentchat_json_dump(builder->env, value, &text, &error) < 0)
        aci_builder_fail(builder, in_item, name != NULL ? name : "", &error);
    else
        set(builder, field, (agentchat_str){text.ptr, text.len});
    agentchat_bytes_clear(&text);
}

void agentchat_message_builder_set_json(agentchat_message_builder *builder, agentchat_field field, const json_t *value)
{
    set_json(builder, false, field, value, agentchat_message_builder_set);
}

void agentchat_message_builder_set_item_json(agentchat_message_builder *builder, agentchat_field field,
                                             const json_t *value)
{
    set_json(builder, true, field, value, agentchat_message_builder_set_item);
}
