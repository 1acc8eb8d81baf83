/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/part.h"

#include "format/kit/marks.h"
#include "format/kit/object_out.h"

static bool keep(aci_raw_reader *a, agentchat_str raw, agentchat_str type, agentchat_str form, aci_items *items)
{
    agentchat_item *item;
    aci_draft draft;

    aci_draft_begin(&draft);
    if (form.ptr != NULL)
        aci_draft_set(&draft, AGENTCHAT_FIELD_FORM, ACI_FORM_JSON, form);
    if (type.ptr != NULL)
        aci_draft_set(&draft, AGENTCHAT_FIELD_TYPE, ACI_FORM_TEXT, type);
    aci_draft_set(&draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, raw);
    aci_draft_set(&draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, a->tag);
    item = aci_draft_item(&draft, a->arena, AGENTCHAT_ITEM_OPAQUE);
    return item != NULL ? aci_items_add(items, a, item) : aci_raw_reader_nomem(a);
}

bool aci_part_keep_as(aci_raw_reader *a, agentchat_str raw, agentchat_str type, aci_items *items)
{
    return keep(a, raw, type, (agentchat_str){NULL, 0}, items);
}

/* Whether marks speak for nobody else. */
static bool is_own(const aci_raw_reader *a, const char *library)
{
    return library == NULL || agentchat_str_equal(agentchat_str_from(library), a->tag);
}

bool aci_part_refuse(aci_raw_reader *a, const aci_location *path, agentchat_str raw, const char *library,
                     const char *sentence)
{
    if (library == NULL)
        library = aci_marks_library(a->document.ptr, a->document.len);
    if (!is_own(a, library))
        return aci_raw_reader_fail(a, path, raw, AGENTCHAT_E_SCHEMA, "this looks like %s%s", library,
                                   aci_marks_advice(library));
    return aci_raw_reader_fail(a, path, raw, AGENTCHAT_E_SCHEMA, "%s", sentence);
}

bool aci_part_type(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *type)
{
    const char *library;

    *type = aci_raw_reader_member(a, raw, "type");
    if (type->ptr == NULL || *type->ptr != '"')
        return aci_part_refuse(a, path, raw, NULL, "the part has no \"type\" that is a text");
    library = aci_marks_library_of(ACI_MARK_PART, AGENTCHAT_STR("type"), *type);
    return is_own(a, library) || aci_part_refuse(a, path, raw, library, "");
}

bool aci_part_keep_in(aci_raw_reader *a, agentchat_str raw, agentchat_str form, aci_items *items)
{
    agentchat_str type = aci_raw_reader_member(a, raw, "type");

    if (type.ptr == NULL || *type.ptr != '"')
        type = (agentchat_str){NULL, 0};
    else if (!aci_raw_reader_decode(a, type, &type))
        return false;
    return keep(a, raw, type, form, items);
}

bool aci_part_keep(aci_raw_reader *a, agentchat_str raw, aci_items *items)
{
    return aci_part_keep_in(a, raw, (agentchat_str){NULL, 0}, items);
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

/* What a reader makes of a raw part. */
typedef enum reading { REFUSED, ANOTHER, THE_SAME } reading;

static reading try_reading(aci_out *out, const agentchat_item *item, agentchat_str raw, aci_part_reader *read)
{
    aci_raw_reader a = {.env = out->env, .arena = aci_arena_new(out->env, 0), .document = raw, .tag = out->tag};
    aci_items items = {NULL, 0, 0};
    reading found = REFUSED;

    if (a.arena == NULL)
        a.status = AGENTCHAT_E_NOMEM;
    else if (read(&a, NULL, raw, &items))
        found = items.count == 1 && items.list[0]->kind == AGENTCHAT_ITEM_OPAQUE &&
                        agentchat_str_equal(agentchat_item_get(items.list[0], AGENTCHAT_FIELD_TYPE),
                                            agentchat_item_get(item, AGENTCHAT_FIELD_TYPE))
                    ? THE_SAME
                    : ANOTHER;
    if (a.status == AGENTCHAT_E_NOMEM)
        aci_out_nomem(out);
    aci_arena_unref(a.arena);
    return found;
}

bool aci_part_write_opaque(aci_out *out, const aci_location *path, const agentchat_item *item, aci_part_reader *read)
{
    agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));
    aci_object_out beside;
    reading found;

    if (item->kind != AGENTCHAT_ITEM_OPAQUE || raw.ptr == NULL || !aci_tag_is(aci_tag_of_item(item), out->tag))
        return false;
    found = try_reading(out, item, raw, read);
    if (found == REFUSED)
        return false;
    aci_object_out_item_beside(&beside, out, path, item);
    (void)aci_object_out_get(&beside, AGENTCHAT_FIELD_RAW);
    (void)aci_object_out_get(&beside, AGENTCHAT_FIELD_TYPE);
    aci_object_out_beside_end(&beside);
    if (found == ANOTHER)
        aci_out_lost(out, path, "the item is read back as what stands in it");
    aci_writer_raw(&out->w, raw);
    return true;
}

void aci_part_lost(aci_out *out, const aci_location *list, size_t index)
{
    aci_out_lost(out, list, "item %zu was left out: %s has nothing for it", index, out->name);
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

void aci_part_write_content(aci_out *out, const aci_location *path, const agentchat_message *content,
                            aci_part_writer *write)
{
    const aci_location list = {path, AGENTCHAT_STR("content"), 0};
    size_t before = agentchat_report_count_of(out->report, AGENTCHAT_REPORT_LOSS);

    aci_part_write_all(out, &list, content, NULL, write);
    /* A content of which one plain text is left is that text as a value. */
    if (agentchat_report_count_of(out->report, AGENTCHAT_REPORT_LOSS) > before)
        aci_out_lost(out, path, "the content is read back with losses");
}
