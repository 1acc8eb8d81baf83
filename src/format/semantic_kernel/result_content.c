/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a result in .NET's format. */
#include "format/semantic_kernel/result_content.h"

#include "json/value.h"

static bool add_texts(const agentchat_message *content, aci_buf *out, bool *any)
{
    *any = false;
    for (size_t i = 0; i < content->item_count; i++) {
        const agentchat_item *item = content->items[i];
        agentchat_str text = agentchat_item_get(item, AGENTCHAT_FIELD_TEXT);

        if (item->kind != AGENTCHAT_ITEM_TEXT || text.ptr == NULL || agentchat_str_is_null(text))
            continue;
        if ((*any && !aci_buf_add(out, "\n", 1)) || !aci_buf_add_str(out, text))
            return false;
        *any = true;
    }
    return true;
}

bool aci_sk_content_text(const agentchat_message *content, aci_buf *out)
{
    aci_buf text;
    bool any, ok;

    aci_buf_init(&text, out->env, SIZE_MAX);
    ok = add_texts(content, &text, &any) && (!any || aci_json_canonical_string(aci_buf_str(&text), out));
    aci_buf_clear(&text);
    return ok;
}
