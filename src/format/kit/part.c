/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/part.h"

bool aci_part_keep(aci_raw_reader *a, agentchat_str raw, aci_items *items)
{
    agentchat_str type = aci_raw_reader_member(a, raw, "type");
    agentchat_item *item;
    aci_draft draft;

    aci_draft_begin(&draft);
    if (type.ptr != NULL && *type.ptr == '"') {
        if (!aci_raw_reader_decode(a, type, &type))
            return false;
        aci_draft_set(&draft, AGENTCHAT_FIELD_TYPE, ACI_FORM_TEXT, type);
    }
    aci_draft_set(&draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, raw);
    aci_draft_set(&draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, a->tag);
    item = aci_draft_item(&draft, a->arena, AGENTCHAT_ITEM_OPAQUE);
    return item != NULL ? aci_items_add(items, a, item) : aci_raw_reader_nomem(a);
}

agentchat_item *aci_part_with_data(aci_raw_reader *a, agentchat_item *item, agentchat_str base64, agentchat_str bytes)
{
    if (item == NULL)
        return NULL;
    item->u.data = aci_data_new(a->arena, base64, bytes);
    if (item->u.data != NULL)
        return item;
    (void)aci_raw_reader_nomem(a);
    return NULL;
}

agentchat_item *aci_part_with_content(aci_raw_reader *a, agentchat_item *item, const aci_items *content)
{
    aci_draft nothing;

    if (item == NULL)
        return NULL;
    aci_draft_begin(&nothing);
    item->u.message = aci_draft_message(&nothing, a->arena, content->list, content->count, 0);
    if (item->u.message != NULL)
        return item;
    (void)aci_raw_reader_nomem(a);
    return NULL;
}

bool aci_part_read_all(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read)
{
    const aci_location list = {o->path, o->values[row].name, 0};
    aci_location at = {&list, {NULL, 0}, 0};
    aci_walk walk;

    aci_raw_reader_walk(o->a, &walk, aci_object_take(o, row));
    for (; aci_walk_next(&walk); at.index++)
        if (!read(o->a, &at, walk.value, items))
            return false;
    return true;
}

bool aci_part_write_opaque(aci_out *out, const agentchat_item *item)
{
    agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));

    if (item->kind != AGENTCHAT_ITEM_OPAQUE || raw.ptr == NULL || !aci_tag_is(aci_tag_of_item(item), out->tag))
        return false;
    aci_writer_raw(&out->w, raw);
    return true;
}

void aci_part_lost(aci_out *out, const aci_location *list, size_t index)
{
    bool is_content = agentchat_str_equal(list->name, AGENTCHAT_STR("content"));

    /* A content of which one text is left is that text. */
    aci_out_lost(out, is_content ? list->up : list, "item %zu %swas left out: %s has nothing for it", index,
                 is_content ? "of the content " : "", out->tag.ptr);
}

void aci_part_write_all(aci_out *out, const aci_location *list, const agentchat_message *message,
                        aci_part_test *is_part, aci_part_writer *write)
{
    aci_writer_array_begin(&out->w);
    for (size_t i = 0; i < message->item_count; i++)
        if (is_part == NULL || is_part(message->items[i]))
            write(out, list, message, i);
    aci_writer_array_end(&out->w);
}
