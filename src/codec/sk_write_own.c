/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the "agentchat" property: what .NET's properties cannot say, and what stood there before a repair. Its shape
 * is in docs/formats/semantic-kernel.md. Layer 4.
 */
#include "codec/sk_write.h"

void aci_sk_own_key(aci_sk_own_out *own, const char *name)
{
    aci_json_writer *w = &own->wr->w;

    if (!own->open) {
        ACI_JW_KEY(w, "agentchat");
        aci_jw_inline_begin(w);
        aci_jw_object_begin(w);
        own->open = true;
    }
    aci_jw_key(w, agentchat_str_from(name));
}

void aci_sk_own_end(aci_sk_own_out *own)
{
    if (!own->open)
        return;
    aci_jw_object_end(&own->wr->w);
    aci_jw_inline_end(&own->wr->w);
    own->open = false;
}

void aci_sk_own_text(aci_sk_own_out *own, const char *name, agentchat_str text)
{
    aci_sk_own_key(own, name);
    if (agentchat_str_is_null(text))
        aci_jw_null(&own->wr->w);
    else
        aci_jw_string(&own->wr->w, text);
}

void aci_sk_own_value(aci_sk_writer *wr, const char *name, agentchat_str raw)
{
    bool deep = raw.len >= (size_t)ACI_SK_DEEP_VALUE * 2 && aci_json_depth_of(raw) > ACI_SK_DEEP_VALUE;

    aci_jw_key(&wr->w, deep ? AGENTCHAT_STR("text") : agentchat_str_from(name));
    if (deep)
        aci_jw_string(&wr->w, raw);
    else
        aci_jw_raw(&wr->w, raw);
}

static void write_field(aci_sk_own_out *own, const aci_field *field)
{
    aci_sk_own_key(own, aci_field_name((agentchat_field)field->id));
    if (field->form == ACI_FORM_NULL)
        aci_jw_null(&own->wr->w);
    else if (field->form == ACI_FORM_JSON)
        aci_jw_raw(&own->wr->w, aci_field_text(field));
    else
        aci_jw_string(&own->wr->w, aci_field_text(field));
}

void aci_sk_own_fields(aci_sk_own_out *own, const aci_sk_table *table, const aci_field *fields, size_t count,
                       uint32_t changed, bool no_items, bool no_data)
{
    aci_json_writer *w = &own->wr->w;
    uint32_t absent = 0;

    for (size_t i = 0; i < table->count; i++) {
        const aci_field *field;

        if ((changed & (UINT32_C(1) << i)) == 0)
            continue;
        field = aci_find(fields, count, (agentchat_field)table->props[i].field);
        if (field != NULL)
            write_field(own, field);
        else
            absent |= UINT32_C(1) << i;
    }
    if (absent == 0 && !no_items && !no_data)
        return;
    aci_sk_own_key(own, "absent");
    aci_jw_array_begin(w);
    for (size_t i = 0; i < table->count; i++)
        if ((absent & (UINT32_C(1) << i)) != 0)
            aci_jw_string(w, agentchat_str_from(aci_field_name((agentchat_field)table->props[i].field)));
    if (no_items)
        aci_jw_string(w, AGENTCHAT_STR("items"));
    if (no_data)
        aci_jw_string(w, AGENTCHAT_STR("data"));
    aci_jw_array_end(w);
}

void aci_sk_own_item(aci_sk_own_out *own, const aci_sk_path *path, const agentchat_item *item)
{
    aci_sk_own_out inside = {own->wr, true};

    if ((item->u.message->flags & ACI_MESSAGE_IS_NULL) != 0) {
        aci_sk_own_key(own, "null");
        aci_jw_bool(&own->wr->w, true);
    }
    if (item->field_count == 0 && item->extras == NULL)
        return;
    aci_sk_own_key(own, "item");
    aci_jw_object_begin(&own->wr->w);
    for (size_t i = 0; i < item->field_count; i++)
        write_field(&inside, &item->fields[i]);
    aci_sk_own_extras(&inside, path, NULL, item->extras, true);
    aci_jw_object_end(&own->wr->w);
}

void aci_sk_own_null_messages(aci_sk_own_out *own, const agentchat_messages *messages)
{
    bool any = false;

    for (size_t i = 0; i < messages->count; i++) {
        if ((agentchat_messages_at(messages, i)->flags & ACI_MESSAGE_IS_NULL) == 0)
            continue;
        if (!any) {
            aci_sk_own_key(own, "nulls");
            aci_jw_array_begin(&own->wr->w);
            any = true;
        }
        aci_jw_u64(&own->wr->w, i);
    }
    if (any)
        aci_jw_array_end(&own->wr->w);
}
