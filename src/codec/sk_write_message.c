/* SPDX-License-Identifier: Apache-2.0 */
/* Writing messages of the semantic-kernel format. Layer 4. */
#include "codec/sk_write.h"

static void label_begin(aci_sk_writer *wr, const aci_sk_prop *prop)
{
    if (prop->how != ACI_SK_LABEL)
        return;
    aci_jw_object_begin(&wr->w);
    ACI_JW_KEY(&wr->w, "Label");
}

static void write_null(aci_sk_writer *wr, const aci_sk_prop *prop)
{
    ACI_SK_PROP_KEY(wr, prop);
    label_begin(wr, prop);
    aci_jw_null(&wr->w);
    if (prop->how == ACI_SK_LABEL)
        aci_jw_object_end(&wr->w);
}

static void write_value(aci_sk_writer *wr, const aci_sk_prop *prop, agentchat_str value, bool is_json)
{
    size_t len = (size_t)prop->len + 3;

    if (prop->how == ACI_SK_LABEL) {
        aci_jw_object_member(&wr->w, prop->quoted, len);
        if (is_json) {
            ACI_JW_KEY(&wr->w, "Label");
            aci_jw_raw(&wr->w, value);
        } else {
            ACI_JW_STRING_MEMBER(&wr->w, "Label", value);
        }
        aci_jw_object_end(&wr->w);
    } else if (is_json) {
        aci_jw_raw_member(&wr->w, prop->quoted, len, value);
    } else {
        aci_jw_string_member(&wr->w, prop->quoted, len, value);
    }
}

/* A field without a value: .NET leaves it out, or writes its default. */
static void write_nothing(aci_sk_writer *wr, const aci_sk_path *path, agentchat_item_kind kind, const aci_sk_prop *prop,
                          const aci_field *field, uint32_t bit, uint32_t *changed)
{
    aci_sk_path place = {path, aci_field_name((agentchat_field)prop->field), 0};

    if (wr->strict) {
        if (!prop->always)
            return;
        if (kind != AGENTCHAT_ITEM_REASONING) {
            write_null(wr, prop);
            return;
        }
        aci_sk_loss(wr, &place, "that there is no text has no place in what .NET writes");
        write_value(wr, prop, AGENTCHAT_STR(""), false);
        return;
    }
    if (field == NULL ? prop->always : true)
        write_null(wr, prop);
    /* To .NET a null author is no author; of other texts null and absent are told apart. */
    if (prop->field == AGENTCHAT_FIELD_NAME ? field != NULL : prop->always && field == NULL)
        *changed |= bit;
}

/* Strict mode writes a field as it is. Returns whether the property's name stands there now. */
static bool write_strict(aci_sk_writer *wr, const aci_sk_path *path, agentchat_item_kind kind, const aci_sk_prop *prop,
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
static void check_names(aci_sk_writer *wr, const aci_sk_path *path, const aci_sk_prop *prop, const aci_field *field)
{
    aci_sk_path place = {path, "arguments", 0};

    if (prop->field == AGENTCHAT_FIELD_ARGUMENTS && aci_sk_names_collide(wr, aci_field_text(field)))
        aci_sk_loss(wr, &place, "of names that are the same but for letter case, .NET keeps one");
}

bool aci_sk_write_fields(aci_sk_writer *wr, const aci_sk_path *path, agentchat_item_kind kind,
                         const aci_sk_table *table, const aci_sk_prop *prop, const aci_field *field,
                         const aci_extras *extras, uint32_t *changed)
{
    uint32_t bit = UINT32_C(1) << (prop - table->props);
    bool nothing = field == NULL || field->form == ACI_FORM_NULL;
    aci_sk_fix fix;

    if (wr->strict)
        return write_strict(wr, path, kind, prop, field, extras);
    if (!nothing)
        check_names(wr, path, prop, field); /* before the fix, whose text a next one takes */
    fix = aci_sk_fix_of(wr, kind, prop, field);
    if (fix.why != NULL) {
        aci_sk_path place = {path, aci_field_name((agentchat_field)prop->field), 0};

        aci_sk_repaired(wr, &place, "%s", fix.why);
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

/* ---- items ---------------------------------------------------------------------------------------------------- */

static void write_items(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_message *message,
                        const aci_sk_prop *prop)
{
    aci_sk_path list = {path, "items", 0}, place = {&list, NULL, 0};

    aci_jw_array_member(&wr->w, prop->quoted, (size_t)prop->len + 3);
    for (; place.index < message->item_count; place.index++) {
        const agentchat_item *item = message->items[place.index];

        if (!aci_sk_drops_item(wr, item))
            aci_sk_write_item(wr, &place, item);
        else if (item->is_null)
            aci_sk_repaired(wr, &place, "an item that is null was left out");
        else
            aci_sk_loss(wr, &place, "an item of a kind that .NET does not know was left out");
    }
    aci_jw_array_end(&wr->w);
}

static void own_null_items(aci_sk_own_out *own, const agentchat_message *message)
{
    bool any = false;

    for (size_t i = 0; i < message->item_count; i++) {
        if (!message->items[i]->is_null)
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

/* ---- messages ------------------------------------------------------------------------------------------------- */

static void lose_field(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_message *message, agentchat_field id)
{
    aci_sk_path place = {path, aci_field_name(id), 0};

    if (aci_find(message->fields, message->field_count, id) != NULL)
        aci_sk_loss(wr, &place, "a message's %s has no place in what .NET writes", aci_field_name(id));
}

static void write_own(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_message *message,
                      const aci_sk_table *table, uint32_t changed, const agentchat_item *item)
{
    static const agentchat_field only_ours[] = {AGENTCHAT_FIELD_ID, AGENTCHAT_FIELD_TIME};
    aci_sk_own_out own = {wr, false};

    for (size_t i = 0; i < 2; i++) {
        const aci_field *field = aci_find(message->fields, message->field_count, only_ours[i]);

        if (field != NULL)
            aci_sk_own_text(&own, aci_field_name(only_ours[i]), aci_field_view(field));
    }
    aci_sk_own_fields(&own, table, message->fields, message->field_count, changed,
                      (message->flags & ACI_MESSAGE_ITEMS_ABSENT) != 0, false);
    if ((message->flags & ACI_MESSAGE_ITEMS_NULL) != 0) {
        aci_sk_own_key(&own, "items");
        aci_jw_null(&wr->w);
    }
    own_null_items(&own, message);
    aci_sk_own_extras(&own, path, table, message->extras, item != NULL);
    if (item != NULL)
        aci_sk_own_item(&own, path->up, item);
    aci_sk_own_end(&own);
}

/* Whether strict mode leaves a property out that .NET's projection of a message does not have. */
static bool is_dropped(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_message *message,
                       const aci_sk_table *table, const aci_sk_prop *prop)
{
    if (!wr->strict || prop->field != AGENTCHAT_FIELD_METADATA || table != &aci_sk_message)
        return false;
    lose_field(wr, path, message, AGENTCHAT_FIELD_METADATA);
    return true;
}

static bool has_text_item(const agentchat_message *message)
{
    for (size_t i = 0; i < message->item_count; i++)
        if (message->items[i]->kind == AGENTCHAT_ITEM_TEXT)
            return true;
    return false;
}

void aci_sk_write_message(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_message *message,
                          const aci_sk_table *table, const agentchat_item *item)
{
    uint64_t present = aci_fields_present(message->fields, message->field_count);
    aci_sk_object object = {.in_item = item != NULL};
    uint32_t changed = 0;

    aci_jw_object_begin(&wr->w);
    if (item != NULL)
        ACI_JW_STRING_MEMBER(&wr->w, "$type", agentchat_str_from(aci_sk_type_name(AGENTCHAT_ITEM_MESSAGE)));
    for (size_t i = 0; i < table->count; i++) {
        const aci_sk_prop *prop = &table->props[i];
        bool stands;

        if (prop->legacy || aci_sk_stays_out(wr, prop, present) || is_dropped(wr, path, message, table, prop))
            continue;
        if (prop->how != ACI_SK_ITEMS) {
            const aci_field *field = aci_find(message->fields, message->field_count, (agentchat_field)prop->field);

            stands =
                aci_sk_write_fields(wr, path, (agentchat_item_kind)0, table, prop, field, message->extras, &changed);
        } else {
            stands = !wr->strict || message->item_count > 0 || !aci_sk_stands_in(message->extras, prop);
            if (stands)
                write_items(wr, path, message, prop);
        }
        object.written |= (uint32_t)stands << i;
    }
    if (wr->strict) {
        lose_field(wr, path, message, AGENTCHAT_FIELD_ID);
        lose_field(wr, path, message, AGENTCHAT_FIELD_TIME);
    }
    if (message->extras != NULL) {
        object.has_text = has_text_item(message);
        aci_sk_write_extras(wr, path, table, message->extras, &object);
    }
    if (wr->own)
        write_own(wr, path, message, table, changed, item);
    aci_jw_object_end(&wr->w);
}

void aci_sk_write_messages(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_messages *messages)
{
    const aci_sk_table *table = wr->bare ? &aci_sk_nested_message : &aci_sk_message;
    size_t count = messages->count;
    const agentchat_message **all = count > 0 ? aci_alloc(wr->env, count * sizeof(*all)) : NULL;
    aci_sk_path place = {path, NULL, 0};

    if (count > 0 && all == NULL) {
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
        return;
    }
    if (count > 0)
        aci_list_flatten(messages, all);
    for (; place.index < count && wr->w.status >= 0; place.index++) {
        const agentchat_message *message = all[place.index];

        if (place.index + 4 < count) /* messages lie apart from each other: waiting for them would show */
            __builtin_prefetch(all[place.index + 4]);

        if ((message->flags & ACI_MESSAGE_IS_NULL) == 0)
            aci_sk_write_message(wr, &place, message, table, NULL);
        else if (wr->strict)
            aci_jw_null(&wr->w);
        else
            aci_sk_repaired(wr, &place, "a message that is null was left out");
    }
    aci_free(wr->env, all, count * sizeof(*all));
}

size_t aci_sk_write_kept(aci_sk_writer *wr, const agentchat_messages *messages, size_t first)
{
    size_t written = 0;

    for (size_t i = first; i < messages->count && wr->w.status >= 0; i++) {
        const agentchat_message *message = agentchat_messages_at(messages, i);

        if (!aci_sk_channel_keeps(message))
            continue;
        aci_sk_write_message(wr, NULL, message, &aci_sk_message, NULL);
        written++;
    }
    return written;
}
