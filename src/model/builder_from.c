/* SPDX-License-Identifier: Apache-2.0 */
/* Building from what is there: a message to start from, copies of items, and what is changed about them. The text of a
   source is not copied here: the builder holds the source until the end, when all text is copied once. */
#include "model/builder.h"

#include "base/error.h"
#include "base/ids.h"
#include "model/check.h"
#include <string.h>

static void copy_draft(agentchat_message_builder *builder, aci_draft *draft, const aci_field *fields, size_t count,
                       const aci_extras *extras)
{
    memcpy(draft->fields, fields, count * sizeof *fields); /* no message and no kind of item has more than fit */
    draft->field_count = count;
    for (size_t i = 0; extras != NULL && i < extras->count; i++)
        if (!aci_draft_add_extra(draft, builder->env, extras->list[i])) {
            aci_builder_nomem(builder);
            return;
        }
}

static void copy_item(agentchat_message_builder *builder, const agentchat_item *item)
{
    aci_built_item *copy = aci_builder_add_item(builder, (agentchat_item_kind)item->kind);
    const aci_data *data = aci_data_of(item);

    if (copy == NULL)
        return;
    copy->is_null = item->is_null;
    copy->source = aci_arena_ref(item->arena);
    copy_draft(builder, &copy->draft, item->fields, item->field_count, item->extras);
    if (data != NULL) {
        copy->base64 = data->base64;
        copy->bytes = data->bytes;
    } else if (aci_item_nested(item) != NULL && !aci_builder_is_broken(builder)) {
        aci_builder_nest(builder, copy, item->u.message);
    }
}

agentchat_status agentchat_message_builder_from(const agentchat_env *env, const agentchat_message *message,
                                                agentchat_message_builder **out, agentchat_error *err)
{
    agentchat_message_builder *builder;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (message == NULL)
        return aci_fail_null(err, "message");
    builder = aci_builder_start(env);
    if (builder == NULL)
        return aci_fail_nomem(err);
    builder->source = aci_arena_ref(message->arena);
    builder->lacks_role = agentchat_message_role(message).len == 0;
    builder->empty_flags = message->flags & (ACI_MESSAGE_ITEMS_ABSENT | ACI_MESSAGE_ITEMS_NULL);
    copy_draft(builder, &builder->draft, message->fields, message->field_count, message->extras);
    for (size_t i = 0; i < message->item_count && !aci_builder_is_broken(builder); i++)
        copy_item(builder, message->items[i]);
    builder->selected = AGENTCHAT_NO_ITEM;
    return aci_builder_hand_out(builder, out, err);
}

void agentchat_message_builder_add_item_copy(agentchat_message_builder *builder, const agentchat_item *item)
{
    if (aci_builder_is_broken(builder))
        return;
    if (item == NULL)
        aci_builder_refuse(builder, false, "items", "the item to copy is NULL");
    else
        copy_item(builder, item);
}

void agentchat_message_builder_select_item(agentchat_message_builder *builder, size_t index)
{
    if (aci_builder_is_broken(builder))
        return;
    if (index != AGENTCHAT_NO_ITEM && index >= builder->item_count)
        aci_builder_refuse(builder, false, "items", "the item to select is not there");
    else
        builder->selected = index;
}

void agentchat_message_builder_remove_items(agentchat_message_builder *builder, size_t first, size_t count)
{
    if (aci_builder_is_broken(builder))
        return;
    if (first > builder->item_count || count > builder->item_count - first) {
        aci_builder_refuse(builder, false, "items", "the items to remove are not all there");
        return;
    }
    for (size_t i = first; i < first + count; i++)
        aci_builder_drop_item(builder, &builder->items[i]);
    if (count > 0)
        memmove(&builder->items[first], &builder->items[first + count],
                (builder->item_count - first - count) * sizeof *builder->items);
    builder->item_count -= count;
    builder->selected = AGENTCHAT_NO_ITEM;
}

void agentchat_message_builder_remove_extra(agentchat_message_builder *builder, agentchat_str name)
{
    aci_draft *draft;
    size_t kept = 0;

    if (aci_builder_is_broken(builder))
        return;
    draft = builder->selected != AGENTCHAT_NO_ITEM ? &builder->items[builder->selected].draft : &builder->draft;
    for (size_t i = 0; i < draft->extra_count; i++)
        if (!agentchat_str_equal(draft->extras[i].name, name))
            draft->extras[kept++] = draft->extras[i];
    draft->extra_count = kept;
}

agentchat_status aci_model_with(const agentchat_env *env, const agentchat_message *message, agentchat_field field,
                                agentchat_str value, const agentchat_message **out, agentchat_error *err)
{
    agentchat_message_builder *builder = NULL;
    agentchat_message *made = NULL;
    agentchat_status status = agentchat_message_builder_from(env, message, &builder, err);

    *out = NULL;
    if (status < 0)
        return status;
    agentchat_message_builder_set(builder, field, value);
    status = agentchat_message_builder_finish(builder, &made, err);
    *out = made;
    return status;
}

agentchat_status aci_model_with_id(const agentchat_env *env, const agentchat_message *message,
                                   const agentchat_message **out, agentchat_error *err)
{
    char id[ACI_ID_LEN + 1];
    agentchat_status status;

    *out = NULL;
    if (aci_message_id(message).ptr != NULL) {
        *out = agentchat_message_ref(message);
        return AGENTCHAT_OK;
    }
    status = aci_id_new(env, id, err);
    return status < 0 ? status : aci_model_with(env, message, AGENTCHAT_FIELD_ID, agentchat_str_from(id), out, err);
}
