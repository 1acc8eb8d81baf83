/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a result. */
#include "model/model.h"

agentchat_str aci_item_content_plain(const agentchat_item *item)
{
    static const agentchat_str none = {NULL, 0};
    const agentchat_item *text = agentchat_item_content_count(item) == 1 ? agentchat_item_content(item, 0) : NULL;
    agentchat_str found = none;

    if (text == NULL || text->is_null || text->kind != AGENTCHAT_ITEM_TEXT || aci_extras_count(text->extras) > 0)
        return none;
    for (size_t i = 0; i < text->field_count; i++) {
        const aci_field *field = &text->fields[i];

        if (field->id == AGENTCHAT_FIELD_TEXT)
            found = aci_field_view(field);
        else if (aci_field_is_covered(field))
            return none;
    }
    return agentchat_str_is_null(found) ? none : found;
}
