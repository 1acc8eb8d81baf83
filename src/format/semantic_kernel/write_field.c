/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the fields of messages and items. */
#include "format/semantic_kernel/repair.h"
#include "format/semantic_kernel/write_message.h"

static void label_begin(aci_sk_writer *wr, const aci_sk_prop *prop)
{
    if (prop->how != ACI_SK_LABEL)
        return;
    aci_writer_object_begin(&wr->w);
    ACI_JW_KEY(&wr->w, "Label");
}

static void write_null(aci_sk_writer *wr, const aci_sk_prop *prop)
{
    ACI_SK_PROP_KEY(wr, prop);
    label_begin(wr, prop);
    aci_writer_null(&wr->w);
    if (prop->how == ACI_SK_LABEL)
        aci_writer_object_end(&wr->w);
}

static void write_value(aci_sk_writer *wr, const aci_sk_prop *prop, agentchat_str value, bool is_json)
{
    size_t len = (size_t)prop->len + 3;

    if (prop->how == ACI_SK_LABEL) {
        aci_writer_object_member(&wr->w, prop->quoted, len);
        if (is_json) {
            ACI_JW_KEY(&wr->w, "Label");
            aci_writer_raw(&wr->w, value);
        } else {
            ACI_JW_STRING_MEMBER(&wr->w, "Label", value);
        }
        aci_writer_object_end(&wr->w);
    } else if (is_json) {
        aci_writer_raw_member(&wr->w, prop->quoted, len, value);
    } else {
        aci_writer_string_member(&wr->w, prop->quoted, len, value);
    }
}

/* A field without a value: .NET leaves it out, or writes its default. */
static void write_nothing(aci_sk_writer *wr, const aci_location *path, agentchat_item_kind kind,
                          const aci_sk_prop *prop, const aci_field *field, uint32_t bit, uint32_t *changed)
{
    if (wr->strict) {
        if (!prop->always)
            return;
        if (kind != AGENTCHAT_ITEM_REASONING) {
            write_null(wr, prop);
            return;
        }
        aci_sk_loss(wr, ACI_AT(path, "text"), ".NET's format cannot express that there is no text");
        write_value(wr, prop, AGENTCHAT_STR(""), false);
        return;
    }
    if (field == NULL ? prop->always : true)
        write_null(wr, prop);
    /* To .NET a null author is no author; for other texts null and absent differ. */
    if (prop->field == AGENTCHAT_FIELD_NAME ? field != NULL : prop->always && field == NULL)
        *changed |= bit;
}

/* Strict mode writes a field as it is. Returns whether the property's name stands there now. */
static bool write_strict(aci_sk_writer *wr, const aci_location *path, agentchat_item_kind kind, const aci_sk_prop *prop,
                         const aci_field *field, const aci_extras *extras)
{
    if (field != NULL && field->form != ACI_FORM_NULL) {
        write_value(wr, prop, aci_field_text(field), field->form == ACI_FORM_JSON);
        return true;
    }
    if (!prop->always || (field == NULL && aci_sk_stands_in(extras, prop)))
        return false;
    write_nothing(wr, path, kind, prop, field, 0, NULL);
    return true;
}

/* Of the arguments whose names are the same to .NET it keeps one. */
static void check_names(aci_sk_writer *wr, const aci_location *path, const aci_sk_prop *prop, const aci_field *field)
{
    if (prop->field == AGENTCHAT_FIELD_ARGUMENTS && aci_sk_names_collide(wr, aci_field_text(field)))
        aci_sk_loss(wr, ACI_AT(path, "arguments"), "of names that are the same but for letter case, .NET keeps one");
}

bool aci_sk_write_field(aci_sk_writer *wr, const aci_location *path, agentchat_item_kind kind,
                        const aci_sk_table *table, const aci_sk_prop *prop, const aci_field *field,
                        const aci_extras *extras, uint32_t *changed)
{
    uint32_t bit = UINT32_C(1) << (prop - table->props);
    bool nothing = field == NULL || field->form == ACI_FORM_NULL;
    aci_sk_repair fix;

    if (wr->strict)
        return write_strict(wr, path, kind, prop, field, extras);
    if (!nothing)
        check_names(wr, path, prop, field); /* before the fix, whose text a next one takes */
    fix = aci_sk_repair_field(wr, kind, prop, field);
    if (fix.why != NULL) {
        aci_location location = {path, agentchat_str_from(aci_field_name((agentchat_field)prop->field)), 0};

        aci_sk_repaired(wr, &location, "%s", fix.why);
        *changed |= bit;
    }
    switch (fix.what) {
    case ACI_SK_OMIT:
    case ACI_SK_SKIP:
        return false;
    case ACI_SK_NULL:
        write_null(wr, prop);
        return true;
    case ACI_SK_REPLACE:
        write_value(wr, prop, fix.text, field != NULL && field->form == ACI_FORM_JSON);
        return true;
    case ACI_SK_KEEP:
        break;
    }
    if (nothing)
        write_nothing(wr, path, kind, prop, field, bit, changed);
    else
        write_value(wr, prop, aci_field_text(field), field->form == ACI_FORM_JSON);
    return true;
}

void aci_sk_lose_fields(aci_sk_writer *wr, const aci_location *path, const aci_sk_table *table, const aci_field *fields,
                        size_t count, const char *whose)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = aci_field_name((agentchat_field)fields[i].id);
        aci_location location = {path, agentchat_str_from(name), 0};

        if (aci_sk_field_property(table, (agentchat_field)fields[i].id) == NULL && aci_field_is_covered(&fields[i]))
            aci_sk_loss(wr, &location, ".NET's format has no field for %s %s", whose, name);
    }
}
