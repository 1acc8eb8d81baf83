/* SPDX-License-Identifier: Apache-2.0 */
/* The end of building: the message is put together in the scratch arena and copied into one of its own. */
#include "model/builder.h"

#include "base/error.h"
#include <string.h>

/* A message that has the items of another one and nothing else: those of a result's content. */
static agentchat_message *items_of(const agentchat_message *message, aci_arena *arena)
{
    aci_draft nothing;

    aci_draft_begin(&nothing);
    return aci_draft_message(&nothing, arena, message->items, message->item_count,
                             message->flags & ACI_MESSAGE_ITEMS_NULL);
}

/* The item as the scratch message has it. A nested message is only pointed to: the copy that follows copies it, too. */
static agentchat_item *assemble_item(const aci_built_item *built, aci_arena *arena)
{
    agentchat_item *item = aci_draft_item(&built->draft, arena, built->kind);

    if (item == NULL)
        return NULL;
    item->is_null = built->is_null;
    if (built->kind == AGENTCHAT_ITEM_MESSAGE) {
        item->u.message = built->nested;
    } else if (built->kind == AGENTCHAT_ITEM_RESULT && built->nested != NULL) {
        item->u.message = items_of(built->nested, arena);
        if (item->u.message == NULL)
            return NULL;
    } else if (built->base64.ptr != NULL || built->bytes.ptr != NULL) {
        item->u.data = aci_data_new(arena, built->base64, built->bytes);
        if (item->u.data == NULL)
            return NULL;
    }
    return item;
}

static agentchat_message *assemble(agentchat_message_builder *builder)
{
    agentchat_message *message, *result;
    agentchat_item **items = NULL;
    aci_arena *arena;

    if (builder->item_count > 0) {
        items = aci_arena_alloc(builder->scratch, builder->item_count * sizeof *items);
        if (items == NULL)
            return NULL;
    }
    for (size_t i = 0; i < builder->item_count; i++) {
        items[i] = assemble_item(&builder->items[i], builder->scratch);
        if (items[i] == NULL)
            return NULL;
    }
    message = aci_draft_message(&builder->draft, builder->scratch, items, builder->item_count,
                                builder->item_count == 0 ? builder->empty_flags : 0);
    if (message == NULL)
        return NULL;
    arena = aci_arena_new(builder->env, aci_message_copy_size(message));
    if (arena == NULL)
        return NULL;
    result = aci_message_copy(message, arena);
    if (result == NULL)
        aci_arena_unref(arena);
    return result; /* the reference on the arena is the message's */
}

agentchat_status agentchat_message_builder_finish(agentchat_message_builder *builder, agentchat_message **out,
                                                  agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL) {
        agentchat_message_builder_free(builder);
        return aci_fail_null(err, "out");
    }
    *out = NULL;
    if (builder == NULL)
        return aci_fail_null(err, "builder");
    aci_builder_check_role(builder);
    if (!aci_builder_is_broken(builder)) {
        *out = assemble(builder);
        if (*out == NULL)
            aci_builder_nomem(builder);
    }
    status = builder->status;
    if (status < 0 && err != NULL)
        *err = builder->error;
    agentchat_message_builder_free(builder);
    return status;
}

agentchat_status agentchat_message_new_text(const agentchat_env *env, const char *role, agentchat_str name,
                                            agentchat_str text, agentchat_message **out, agentchat_error *err)
{
    agentchat_message_builder *builder;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = agentchat_message_builder_new(env, role, name, &builder, err);
    if (status < 0)
        return status;
    agentchat_message_builder_add_text(builder, text);
    return agentchat_message_builder_finish(builder, out, err);
}
