/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equality of messages as they are stored. Stricter than equality of meaning, which the digest defines: here a
 * null differs from nothing, and JSON values compare by their text. Only data compares by bytes, whatever its form.
 */
#include "model/model.h"

static bool fields_equal(const aci_field *a, size_t a_count, const aci_field *b, size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (a[i].id != b[i].id || a[i].form != b[i].form ||
            !agentchat_str_equal(aci_field_view(&a[i]), aci_field_view(&b[i])))
            return false;
    return true;
}

static bool extras_equal(const aci_extras *a, const aci_extras *b)
{
    size_t count = a != NULL ? a->count : 0;

    if (count != (b != NULL ? b->count : 0))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!agentchat_str_equal(a->list[i].from, b->list[i].from) ||
            !agentchat_str_equal(a->list[i].name, b->list[i].name) ||
            !agentchat_str_equal(a->list[i].value, b->list[i].value))
            return false;
    return true;
}

static bool items_equal(const agentchat_item *a, const agentchat_item *b)
{
    if (a->kind != b->kind || a->is_null != b->is_null ||
        !fields_equal(a->fields, a->field_count, b->fields, b->field_count) || !extras_equal(a->extras, b->extras))
        return false;
    if (aci_item_nested(a) != NULL || aci_item_nested(b) != NULL)
        return aci_message_equal(aci_item_nested(a), aci_item_nested(b));
    return aci_data_equal(aci_data_of(a), aci_data_of(b));
}

bool aci_message_equal(const agentchat_message *a, const agentchat_message *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL || a->flags != b->flags || a->item_count != b->item_count ||
        !fields_equal(a->fields, a->field_count, b->fields, b->field_count) || !extras_equal(a->extras, b->extras))
        return false;
    for (size_t i = 0; i < a->item_count; i++)
        if (!items_equal(a->items[i], b->items[i]))
            return false;
    return true;
}
