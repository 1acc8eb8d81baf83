/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the raw text of an opaque item would be read as that item again. */
#include "format/semantic_kernel/read_item.h"
#include "format/semantic_kernel/trial_read.h"

#include "json/value.h"

/* The kind that an item is read as, and its $type; as read_message.c finds them. */
static agentchat_item_kind kind_of_object(aci_sk_trial *p, agentchat_str raw, agentchat_str *type)
{
    agentchat_str key, value;

    *type = (agentchat_str){NULL, 0};
    if (!aci_json_object(&p->r) || !aci_json_member(&p->r, &key))
        return (agentchat_item_kind)0;
    if (aci_sk_view_is(key, "$type")) {
        (void)(aci_json_peek(&p->r) == ACI_JSON_STRING ? aci_json_string(&p->r, type) : aci_json_raw(&p->r, &value));
        return aci_sk_item_kind_of(*type);
    }
    if (!aci_sk_find_type(&p->s, &p->r, raw, type))
        return (agentchat_item_kind)0;
    return type->ptr == NULL ? aci_sk_guess_kind(raw) : aci_sk_item_kind_of(*type);
}

bool aci_sk_reads_as_opaque(aci_sk_writer *wr, const agentchat_item *item)
{
    agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));
    agentchat_str given = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_TYPE)), type;
    bool has_type = given.ptr != NULL && !agentchat_str_is_null(given), same;
    aci_sk_trial *p;

    if (raw.len == 0 || aci_json_kind_of(raw) == ACI_JSON_NULL)
        return item->is_null != 0;
    if (aci_json_kind_of(raw) != ACI_JSON_OBJECT)
        return !has_type;
    p = aci_sk_trial_begin(wr, raw);
    if (p == NULL)
        return true;
    same = kind_of_object(p, raw, &type) == 0 && p->r.status >= 0 &&
           (has_type ? agentchat_str_equal(given, type) : type.ptr == NULL || agentchat_str_is_null(type));
    aci_sk_trial_end(wr, p);
    return same;
}
