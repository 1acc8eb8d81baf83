/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/content.h"

#include "format/kit/marks.h"

/* ---- what is a message ------------------------------------------------------------------------------------------ */

static bool has_capital(agentchat_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] >= 'A' && name.ptr[i] <= 'Z')
            return true;
    return false;
}

/* The library of which a member of the message is: one that the table does not know, or knows in snake_case. */
static const char *library_of(const aci_object *o)
{
    const char *found = NULL;

    for (size_t i = 0; i < o->draft.extra_count && found == NULL; i++)
        found = aci_marks_library_of(ACI_MARK_MESSAGE, o->draft.extras[i].name, o->draft.extras[i].value);
    for (uint32_t i = 0; i < o->table->count && found == NULL; i++)
        if (o->values[i].raw.ptr != NULL && has_capital(o->values[i].name))
            found = aci_marks_library_of(ACI_MARK_MESSAGE, o->values[i].name, o->values[i].raw);
    return found;
}

bool aci_content_check_message(aci_object *o, agentchat_str raw, uint32_t row, bool may_lack)
{
    const char *library = library_of(o);

    if (library != NULL)
        return aci_part_refuse(o->a, o->path, raw, library, "");
    if (aci_field_find(o->draft.fields, o->draft.field_count, AGENTCHAT_FIELD_ROLE) == NULL)
        return aci_part_refuse(o->a, o->path, raw, NULL,
                               "expected a message: the object has no \"role\" that is a text");
    if (aci_object_has(o, row, '[') || aci_object_has(o, row, '"') || aci_object_has(o, row, 'n') ||
        (may_lack && aci_object_has(o, row, '\0')))
        return true;
    return aci_part_refuse(
        o->a, o->path, raw, NULL,
        "expected a message: the object has no \"content\" that is a text, null or a list of parts, and no "
        "call");
}

/* ---- contents --------------------------------------------------------------------------------------------------- */

/* Whether an item is nothing but a text. */
static bool is_plain(const agentchat_item *item)
{
    const aci_field *text = aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_TEXT);

    for (size_t i = 0; i < item->field_count; i++)
        if (&item->fields[i] != text &&
            (item->fields[i].id == AGENTCHAT_FIELD_FORM || aci_field_is_covered(&item->fields[i])))
            return false;
    return item->kind == AGENTCHAT_ITEM_TEXT && text != NULL && text->form == ACI_FORM_TEXT &&
           (item->extras == NULL || item->extras->count == 0);
}

bool aci_content_read(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read)
{
    size_t before = items->count, count;
    agentchat_str text;

    if (aci_object_has(o, row, '\0'))
        return aci_object_note_word(o, "content", "absent");
    if (aci_object_has(o, row, '"'))
        return aci_object_take_text(o, row, &text) &&
               aci_items_add(items, o->a, aci_items_text(o->a, AGENTCHAT_ITEM_TEXT, text, (agentchat_field)0));
    if (!aci_object_has(o, row, '['))
        return true;
    if (!aci_part_read_all(o, row, items, read))
        return false;
    count = items->count - before;
    return count > 1 || (count == 1 && !is_plain(items->list[before])) || aci_object_note_word(o, "content", "parts");
}

/* The only item that stands in a content; NULL when there is none, or more. *count: how many there are. */
static const agentchat_item *only_part(const agentchat_message *message, aci_part_test *is_part, size_t *count)
{
    const agentchat_item *found = NULL;

    *count = 0;
    for (size_t i = 0; i < message->item_count; i++)
        if (is_part(message->items[i])) {
            found = message->items[i];
            ++*count;
        }
    return *count == 1 ? found : NULL;
}

bool aci_content_is_plain(const agentchat_message *message, aci_part_test *is_part)
{
    size_t count;
    const agentchat_item *only = only_part(message, is_part, &count);

    return only != NULL && is_plain(only);
}

/* Whether a message has what it may be instead of a content. */
static bool has_more(const agentchat_message *message)
{
    bool has = false;

    for (size_t i = 0; i < message->item_count; i++)
        has = has || message->items[i]->kind == AGENTCHAT_ITEM_CALL ||
              message->items[i]->kind == AGENTCHAT_ITEM_ANNOTATION;
    return has;
}

bool aci_content_write(aci_object_out *o, uint32_t row, const agentchat_message *message, aci_part_test *is_part,
                       aci_part_writer *write)
{
    const aci_location items = {o->path, AGENTCHAT_STR("items"), 0};
    bool in_parts = aci_object_out_form_says(o, "content", "parts");
    size_t count;
    const agentchat_item *only = only_part(message, is_part, &count);

    if (count == 0 && !in_parts)
        return has_more(message) && aci_object_out_form_says(o, "content", "absent");
    aci_object_out_key(o, row);
    if (only != NULL && is_plain(only) && !in_parts) {
        aci_writer_string(&o->out->w,
                          aci_field_view(aci_field_find(only->fields, only->field_count, AGENTCHAT_FIELD_TEXT)));
        return true;
    }
    aci_part_write_all(o->out, &items, message, is_part, write);
    return true;
}
