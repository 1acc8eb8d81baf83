/* SPDX-License-Identifier: Apache-2.0 */
/* How deep a message is nested as JSON. */
#include "model/model.h"

#include "json/value.h"

static bool value_fits(agentchat_str json, uint32_t levels)
{
    return json.len / 2 <= levels || aci_json_depth_of(json) <= levels; /* a level takes two bytes at least */
}

/* Of an object that may itself use `levels` of them, which is at least 1. */
static bool properties_fit(const aci_field *fields, size_t count, const aci_extras *extras, uint32_t levels)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].form == ACI_FORM_JSON && !value_fits(aci_field_text(&fields[i]), levels - 1))
            return false;
    for (size_t i = 0; extras != NULL && i < extras->count; i++)
        if (levels < 3 || !value_fits(extras->list[i].value, levels - 3)) /* the object, the array, the entry */
            return false;
    return true;
}

static bool item_fits(const agentchat_item *item, uint32_t levels)
{
    if (levels == 0 || !properties_fit(item->fields, item->field_count, item->extras, levels))
        return false;
    if (aci_item_nested(item) == NULL)
        return true;
    /* The object that stands around the items of a result is the item itself. */
    return aci_message_depth_fits(item->u.message, item->kind == AGENTCHAT_ITEM_RESULT ? levels : levels - 1);
}

bool aci_message_depth_fits(const agentchat_message *message, uint32_t levels)
{
    if (message == NULL || (message->flags & ACI_MESSAGE_IS_NULL) != 0)
        return true;
    if (levels == 0 || !properties_fit(message->fields, message->field_count, message->extras, levels))
        return false;
    if ((message->flags & (ACI_MESSAGE_ITEMS_ABSENT | ACI_MESSAGE_ITEMS_NULL)) == 0 && levels < 2)
        return false;
    for (size_t i = 0; i < message->item_count; i++)
        if (!message->items[i]->is_null && !item_fits(message->items[i], levels - 2))
            return false;
    return true;
}

bool aci_message_depth_fits_nested(const agentchat_message *message, uint32_t levels)
{
    if (levels == 0)
        return false;
    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_message *nested = aci_item_nested(message->items[i]);
        uint32_t around = message->items[i]->kind == AGENTCHAT_ITEM_RESULT ? ACI_CONTENT_LEVELS : ACI_MESSAGE_LEVELS;

        if (nested != NULL && (levels < around || !aci_message_depth_fits_nested(nested, levels - around)))
            return false;
    }
    return true;
}
