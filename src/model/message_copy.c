/* SPDX-License-Identifier: Apache-2.0 */
/* Copying messages into another arena. Recursion is as deep as messages nest, which whoever made them bounded.
 */
#include "model/model.h"

#include <string.h>

/* An allocation may cost this much more than it asked for, to be aligned. */
enum { ALIGNMENT = 8 };

static size_t extras_footprint(const aci_extras *extras)
{
    size_t size = 0;

    if (extras == NULL)
        return 0;
    for (size_t i = 0; i < extras->count; i++)
        size +=
            sizeof extras->list[i] + extras->list[i].name.len + extras->list[i].value.len + extras->list[i].from.len;
    return size + sizeof *extras + ALIGNMENT;
}

static size_t fields_footprint(const aci_field *fields, size_t count)
{
    size_t size = 0;

    for (size_t i = 0; i < count; i++)
        size += sizeof *fields + (size_t)fields[i].len;
    return size;
}

/* No overflow is possible: it all stands in memory already. */
size_t aci_message_copy_size(const agentchat_message *message)
{
    size_t size = sizeof *message + 2 * ALIGNMENT + fields_footprint(message->fields, message->field_count) +
                  extras_footprint(message->extras) + message->item_count * sizeof *message->items;

    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];
        const aci_data *data = aci_data_of(item);

        size += sizeof *item + ALIGNMENT + fields_footprint(item->fields, item->field_count) +
                extras_footprint(item->extras);
        if (data != NULL)
            size += sizeof *data + ALIGNMENT + data->base64.len + data->bytes.len;
        if (aci_item_nested(item) != NULL)
            size += aci_message_copy_size(item->u.message);
    }
    return size;
}

static void copy_fields(aci_field *to, const aci_field *from, size_t count, aci_arena *arena, bool *ok)
{
    memcpy(to, from, count * sizeof *to);
    for (size_t i = 0; i < count; i++)
        if (from[i].form != ACI_FORM_NULL)
            to[i].ptr = aci_arena_copy(arena, aci_field_view(&from[i]), ok).ptr;
}

static agentchat_item *copy_item(const agentchat_item *item, aci_arena *arena)
{
    const aci_data *data = aci_data_of(item);
    agentchat_item *copy = aci_arena_alloc(arena, sizeof *copy + item->field_count * sizeof *copy->fields);
    bool ok = true;

    if (copy == NULL)
        return NULL;
    *copy = *item;
    copy->arena = arena;
    copy_fields(copy->fields, item->fields, item->field_count, arena, &ok);
    copy->extras = aci_extras_copy(item->extras, arena, &ok);
    if (data != NULL) {
        agentchat_str base64 = aci_arena_copy(arena, data->base64, &ok);

        copy->u.data = aci_data_new(arena, base64, aci_arena_copy(arena, data->bytes, &ok));
        ok = ok && copy->u.data != NULL;
    } else if (aci_item_nested(item) != NULL) {
        copy->u.message = aci_message_copy(item->u.message, arena);
        ok = ok && copy->u.message != NULL;
    }
    return ok ? copy : NULL;
}

agentchat_message *aci_message_copy(const agentchat_message *message, aci_arena *arena)
{
    agentchat_message *copy = aci_arena_alloc(arena, sizeof *copy + message->field_count * sizeof *copy->fields);
    bool ok = true;

    if (copy == NULL)
        return NULL;
    *copy = *message;
    copy->arena = arena;
    copy->items = NULL;
    copy_fields(copy->fields, message->fields, message->field_count, arena, &ok);
    copy->extras = aci_extras_copy(message->extras, arena, &ok);
    if (message->item_count > 0) {
        copy->items = aci_arena_alloc(arena, message->item_count * sizeof *copy->items);
        ok = ok && copy->items != NULL;
    }
    for (size_t i = 0; ok && i < message->item_count; i++) {
        copy->items[i] = copy_item(message->items[i], arena);
        ok = copy->items[i] != NULL;
    }
    return ok ? copy : NULL;
}
