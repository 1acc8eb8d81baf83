/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the sidecar, the "agentchat" property: what .NET's properties cannot say, and what stood there before a
 * repair. Its shape is in docs/formats/semantic-kernel.md.
 */
#include "format/semantic_kernel/write_sidecar.h"

#include "base/utf8.h"
#include "json/value.h"

void aci_sk_sidecar_key(aci_sk_sidecar_out *sidecar, const char *name)
{
    aci_json_writer *w = &sidecar->wr->w;

    if (!sidecar->open) {
        ACI_JW_KEY(w, "agentchat");
        aci_writer_inline_begin(w);
        aci_writer_object_begin(w);
        sidecar->open = true;
    }
    aci_writer_key(w, agentchat_str_from(name));
}

void aci_sk_sidecar_end(aci_sk_sidecar_out *sidecar)
{
    if (!sidecar->open)
        return;
    aci_writer_object_end(&sidecar->wr->w);
    aci_writer_inline_end(&sidecar->wr->w);
    sidecar->open = false;
}

void aci_sk_sidecar_true(aci_sk_sidecar_out *sidecar, const char *name, bool value)
{
    if (!value)
        return;
    aci_sk_sidecar_key(sidecar, name);
    aci_writer_bool(&sidecar->wr->w, true);
}

void aci_sk_sidecar_u64(aci_sk_sidecar_out *sidecar, const char *name, uint64_t value)
{
    aci_sk_sidecar_key(sidecar, name);
    aci_writer_u64(&sidecar->wr->w, value);
}

void aci_sk_sidecar_element(aci_sk_sidecar_out *sidecar, const char *name)
{
    if (sidecar->in_array)
        return;
    aci_sk_sidecar_key(sidecar, name);
    aci_writer_array_begin(&sidecar->wr->w);
    sidecar->in_array = true;
}

void aci_sk_sidecar_array_end(aci_sk_sidecar_out *sidecar)
{
    if (sidecar->in_array)
        aci_writer_array_end(&sidecar->wr->w);
    sidecar->in_array = false;
}

void aci_sk_sidecar_text(aci_sk_sidecar_out *sidecar, const char *name, agentchat_str text)
{
    aci_sk_sidecar_key(sidecar, name);
    if (agentchat_str_is_null(text))
        aci_writer_null(&sidecar->wr->w);
    else
        aci_writer_string(&sidecar->wr->w, text);
}

void aci_sk_sidecar_value(aci_sk_writer *wr, const char *name, agentchat_str raw)
{
    bool deep = raw.len >= (size_t)ACI_SK_DEEP_VALUE * 2 && aci_json_depth_of(raw) > ACI_SK_DEEP_VALUE;

    aci_writer_key(&wr->w, deep ? AGENTCHAT_STR("text") : agentchat_str_from(name));
    if (deep)
        aci_writer_string(&wr->w, raw);
    else
        aci_writer_raw(&wr->w, raw);
}

static void write_field(aci_sk_sidecar_out *sidecar, const aci_field *field)
{
    aci_sk_sidecar_key(sidecar, aci_field_name((agentchat_field)field->id));
    if (field->form == ACI_FORM_NULL)
        aci_writer_null(&sidecar->wr->w);
    else if (field->form == ACI_FORM_JSON)
        aci_writer_raw(&sidecar->wr->w, aci_field_text(field));
    else
        aci_writer_string(&sidecar->wr->w, aci_field_text(field));
}

void aci_sk_sidecar_fields(aci_sk_sidecar_out *sidecar, const aci_sk_table *table, const aci_field *fields,
                           size_t count, uint32_t changed, bool no_items, bool no_data)
{
    aci_json_writer *w = &sidecar->wr->w;
    uint32_t absent = 0;

    for (size_t i = 0; i < table->count; i++) {
        const aci_field *field;

        if ((changed & (UINT32_C(1) << i)) == 0)
            continue;
        field = aci_field_find(fields, count, (agentchat_field)table->props[i].field);
        if (field != NULL)
            write_field(sidecar, field);
        else
            absent |= UINT32_C(1) << i;
    }
    for (size_t i = 0; i < table->count; i++)
        if ((absent & (UINT32_C(1) << i)) != 0) {
            aci_sk_sidecar_element(sidecar, "absent");
            aci_writer_string(w, agentchat_str_from(aci_field_name((agentchat_field)table->props[i].field)));
        }
    if (no_items || no_data) {
        aci_sk_sidecar_element(sidecar, "absent");
        aci_writer_string(w, no_items ? AGENTCHAT_STR("items") : AGENTCHAT_STR("data"));
    }
    aci_sk_sidecar_array_end(sidecar);
}

void aci_sk_sidecar_null_messages(aci_sk_sidecar_out *sidecar, const agentchat_messages *messages)
{
    for (size_t i = 0; i < messages->count; i++)
        if ((agentchat_messages_at(messages, i)->flags & ACI_MESSAGE_IS_NULL) != 0) {
            aci_sk_sidecar_element(sidecar, "nulls");
            aci_writer_u64(&sidecar->wr->w, i);
        }
    aci_sk_sidecar_array_end(sidecar);
}

/* ---- unknown properties ------------------------------------------------------------------------------------------ */

/* Why an unknown property is moved into the sidecar; NULL: it stands beside .NET's (table NULL: there is no such
   location). Every name that the reader looks up goes, whatever its letter case or age: what the reader does with the
   value depends on what else stands there. */
static const char *why_moved(const aci_sk_table *table, const agentchat_extra *extra, bool in_item)
{
    bool exact = false, deep;
    int index = table != NULL ? aci_sk_find_property(table, 0, extra->name, &exact) : -1;

    if (!aci_sk_is_own(extra->from) || table == NULL)
        return "a property of another format was moved into the agentchat property";
    if (index >= 0 && (!exact || table->props[index].legacy))
        return "a property that would be read as one of .NET's was moved into the agentchat property";
    deep = extra->value.len >= (size_t)ACI_SK_DEEP_VALUE * 2 && aci_json_depth_of(extra->value) > ACI_SK_DEEP_VALUE;
    if (index >= 0 || deep || (in_item && extra->name.len > 0 && extra->name.ptr[0] == '$') ||
        aci_utf8_has_surrogates(extra->name))
        return "a property that .NET would refuse was moved into the agentchat property";
    return NULL;
}

bool aci_sk_extra_is_moved(const aci_sk_table *table, const agentchat_extra *extra, bool in_item)
{
    return why_moved(table, extra, in_item) != NULL;
}

static void write_moved(aci_sk_writer *wr, const agentchat_extra *extra, size_t at, bool says_at)
{
    aci_writer_object_begin(&wr->w);
    if (says_at) {
        ACI_JW_KEY(&wr->w, "at");
        aci_writer_u64(&wr->w, at);
    }
    if (extra->from.ptr != NULL) {
        ACI_JW_KEY(&wr->w, "from");
        aci_writer_string(&wr->w, extra->from);
    }
    ACI_JW_KEY(&wr->w, "name");
    aci_writer_string(&wr->w, extra->name);
    aci_sk_sidecar_value(wr, "value", extra->value);
    aci_writer_object_end(&wr->w);
}

void aci_sk_sidecar_extras(aci_sk_sidecar_out *sidecar, const aci_location *path, const aci_sk_table *table,
                           const aci_extras *extras, bool in_item)
{
    aci_sk_writer *wr = sidecar->wr;
    size_t count = extras != NULL ? extras->count : 0, plain = 0, moved = 0;
    aci_location list = {path, AGENTCHAT_STR("extras"), 0}, location = {&list, {NULL, 0}, 0};

    for (size_t i = 0; i < count; i++)
        plain += !aci_sk_extra_is_moved(table, &extras->list[i], in_item);
    for (; location.index < count; location.index++) {
        const agentchat_extra *extra = &extras->list[location.index];
        const char *why = why_moved(table, extra, in_item);

        if (why == NULL)
            continue;
        aci_sk_sidecar_element(sidecar, "extras");
        if (aci_sk_is_own(extra->from))
            aci_sk_repaired(wr, &location, "%s", why);
        /* A reader appends them to the plain ones; only another position needs to be said. */
        write_moved(wr, extra, location.index, location.index != plain + moved);
        moved++;
    }
    aci_sk_sidecar_array_end(sidecar);
}

/* ---- items ---------------------------------------------------------------------------------------------------- */

void aci_sk_sidecar_other_fields(aci_sk_sidecar_out *sidecar, const aci_sk_table *table, const aci_field *fields,
                                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        agentchat_field id = (agentchat_field)fields[i].id;

        if (id != AGENTCHAT_FIELD_TYPE && id != AGENTCHAT_FIELD_RAW && id != AGENTCHAT_FIELD_FROM &&
            id != AGENTCHAT_FIELD_FORM && aci_sk_field_property(table, id) == NULL)
            write_field(sidecar, &fields[i]);
    }
}

/* ---- items that hold a message ----------------------------------------------------------------------------------- */

void aci_sk_sidecar_item(aci_sk_sidecar_out *sidecar, const aci_location *path, const agentchat_item *item)
{
    aci_sk_sidecar_out inside = {sidecar->wr, true, false};

    aci_sk_sidecar_true(sidecar, "null", (item->u.message->flags & ACI_MESSAGE_IS_NULL) != 0);
    if (item->field_count == 0 && item->extras == NULL)
        return;
    aci_sk_sidecar_key(sidecar, "item");
    aci_writer_object_begin(&sidecar->wr->w);
    aci_sk_sidecar_other_fields(&inside, aci_sk_item_table(AGENTCHAT_ITEM_OPAQUE), item->fields, item->field_count);
    aci_sk_sidecar_extras(&inside, path, NULL, item->extras, true);
    aci_writer_object_end(&sidecar->wr->w);
}
