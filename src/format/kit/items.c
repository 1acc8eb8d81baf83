/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/items.h"

bool aci_items_add(aci_items *items, aci_raw_reader *a, agentchat_item *item)
{
    if (item == NULL)
        return false;
    if (items->count == items->cap) {
        size_t cap = items->cap > 0 ? items->cap * 2 : 4;
        agentchat_item **list = aci_arena_alloc(a->arena, cap * sizeof(agentchat_item *));

        if (list == NULL)
            return aci_raw_reader_nomem(a);
        for (size_t i = 0; i < items->count; i++)
            list[i] = items->list[i];
        items->list = list;
        items->cap = cap;
    }
    items->list[items->count++] = item;
    return true;
}

agentchat_item *aci_items_text(aci_raw_reader *a, agentchat_item_kind kind, agentchat_str text, agentchat_field flag)
{
    agentchat_item *item;
    aci_draft draft;

    aci_draft_begin(&draft);
    aci_draft_set(&draft, AGENTCHAT_FIELD_TEXT, ACI_FORM_TEXT, text);
    if (flag != 0)
        aci_draft_set(&draft, flag, ACI_FORM_JSON, AGENTCHAT_STR("true"));
    item = aci_draft_item(&draft, a->arena, kind);
    if (item == NULL)
        (void)aci_raw_reader_nomem(a);
    return item;
}
