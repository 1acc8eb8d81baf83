/* SPDX-License-Identifier: Apache-2.0 */
/* Setting fields from jansson values: their text, made with the builder's memory, is set as any other. Layer 2. */
#include <agentchat/json.h>

#include "model/builder.h"

typedef void set_function(agentchat_builder *builder, agentchat_field field, agentchat_str value);

static void set_json(agentchat_builder *builder, bool in_item, agentchat_field field, const json_t *value,
                     set_function *set)
{
    const agentchat_env *env = aci_builder_env(builder);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error error;

    if (env == NULL)
        return;
    if (agentchat_json_dump(env, value, &text, &error) < 0)
        aci_builder_fail(builder, in_item, field, &error);
    else
        set(builder, field, (agentchat_str){text.ptr, text.len});
    agentchat_bytes_clear(&text);
}

void agentchat_builder_set_json(agentchat_builder *builder, agentchat_field field, const json_t *value)
{
    set_json(builder, false, field, value, agentchat_builder_set);
}

void agentchat_builder_set_item_json(agentchat_builder *builder, agentchat_field field, const json_t *value)
{
    set_json(builder, true, field, value, agentchat_builder_set_item);
}
