/* SPDX-License-Identifier: Apache-2.0 */
/* Writing messages, and the items that hold a message. */
#include "format/semantic_kernel/write_message.h"

#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/repair.h"
#include "format/semantic_kernel/write_sidecar.h"

/* ---- items ------------------------------------------------------------------------------------------------------- */

static void write_nested(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    aci_location inside = {path, AGENTCHAT_STR("message"), 0};

    aci_sk_write_message(wr, &inside, item->u.message, &aci_sk_nested_message, item);
    if (!wr->strict)
        return;
    aci_sk_lose_beside(wr, path, item, "a message inside a message");
    if ((item->u.message->flags & ACI_MESSAGE_IS_NULL) != 0)
        aci_sk_loss(wr, &inside, "a message inside a message was null and is written as an empty one");
}

/* Whether an element is left out. */
static bool drops_item(const aci_sk_writer *wr, const agentchat_item *item)
{
    return item->is_null ? !wr->strict
                         : wr->strict && item->kind == AGENTCHAT_ITEM_OPAQUE && !aci_sk_is_own(aci_tag_of_item(item));
}

static void write_items(aci_sk_writer *wr, const aci_location *path, const agentchat_message *message,
                        const aci_sk_prop *prop)
{
    aci_location list = {path, AGENTCHAT_STR("items"), 0}, location = {&list, {NULL, 0}, 0};

    aci_writer_array_member(&wr->w, prop->quoted, (size_t)prop->len + 3);
    for (; location.index < message->item_count; location.index++) {
        const agentchat_item *item = message->items[location.index];

        if (!drops_item(wr, item))
            (item->kind == AGENTCHAT_ITEM_MESSAGE ? write_nested : aci_sk_write_item)(wr, &location, item);
        else if (item->is_null)
            aci_sk_repaired(wr, &location, "an item that is null was left out");
        else
            aci_sk_loss(wr, &location, "an item of a kind that .NET does not know was left out");
    }
    aci_writer_array_end(&wr->w);
}

void aci_sk_write_content(aci_sk_writer *wr, const aci_location *path, const agentchat_message *content)
{
    aci_location location = {path, {NULL, 0}, 0};

    aci_writer_array_begin(&wr->w);
    for (; location.index < content->item_count; location.index++) {
        const agentchat_item *item = content->items[location.index];

        if (item->is_null) /* .NET does not look in here */
            aci_writer_null(&wr->w);
        else
            (item->kind == AGENTCHAT_ITEM_MESSAGE ? write_nested : aci_sk_write_item)(wr, &location, item);
    }
    aci_writer_array_end(&wr->w);
}

static void sidecar_null_items(aci_sk_sidecar_out *sidecar, const agentchat_message *message)
{
    for (size_t i = 0; i < message->item_count; i++)
        if (message->items[i]->is_null) {
            aci_sk_sidecar_element(sidecar, "nulls");
            aci_writer_u64(&sidecar->wr->w, i);
        }
    aci_sk_sidecar_array_end(sidecar);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void write_sidecar(aci_sk_writer *wr, const aci_location *path, const agentchat_message *message,
                          const aci_sk_table *table, uint32_t changed, const agentchat_item *item)
{
    aci_sk_sidecar_out sidecar = {.wr = wr};

    aci_sk_sidecar_other_fields(&sidecar, table, message->fields, message->field_count);
    aci_sk_sidecar_fields(&sidecar, table, message->fields, message->field_count, changed,
                          (message->flags & ACI_MESSAGE_ITEMS_ABSENT) != 0, false);
    if ((message->flags & ACI_MESSAGE_ITEMS_NULL) != 0) {
        aci_sk_sidecar_key(&sidecar, "items");
        aci_writer_null(&wr->w);
    }
    sidecar_null_items(&sidecar, message);
    aci_sk_sidecar_extras(&sidecar, path, table, message->extras, item != NULL);
    if (item != NULL)
        aci_sk_sidecar_item(&sidecar, path->up, item);
    aci_sk_sidecar_end(&sidecar);
}

/* Whether strict mode leaves a property out that .NET's projection of a message does not have. */
static bool is_dropped(aci_sk_writer *wr, const aci_location *path, const agentchat_message *message,
                       const aci_sk_table *table, const aci_sk_prop *prop)
{
    if (!wr->strict || prop->field != AGENTCHAT_FIELD_METADATA || table != &aci_sk_message)
        return false;
    if (aci_field_find(message->fields, message->field_count, AGENTCHAT_FIELD_METADATA) != NULL)
        aci_sk_loss(wr, ACI_AT(path, "metadata"), ".NET's format has no field for a message's metadata");
    return true;
}

/* Whether a name stays out of a message inside a message that would be null there: without a sidecar nothing tells it
   from no name, which is not written there. */
static bool is_null_name(aci_sk_writer *wr, const agentchat_message *message, const aci_sk_prop *prop)
{
    const aci_field *name;

    if (prop->always || wr->sidecar || prop->field != AGENTCHAT_FIELD_NAME)
        return false;
    name = aci_field_find(message->fields, message->field_count, AGENTCHAT_FIELD_NAME);
    return name != NULL &&
           (name->form == ACI_FORM_NULL || (!wr->strict && aci_sk_repair_field(wr, 0, prop, name).what == ACI_SK_NULL));
}

static bool has_text_item(const agentchat_message *message)
{
    for (size_t i = 0; i < message->item_count; i++)
        if (message->items[i]->kind == AGENTCHAT_ITEM_TEXT)
            return true;
    return false;
}

void aci_sk_write_message(aci_sk_writer *wr, const aci_location *path, const agentchat_message *message,
                          const aci_sk_table *table, const agentchat_item *item)
{
    uint64_t present = aci_fields_present(message->fields, message->field_count);
    aci_sk_object object = {.in_item = item != NULL};
    uint32_t changed = 0;

    aci_writer_object_begin(&wr->w);
    if (item != NULL)
        ACI_JW_STRING_MEMBER(&wr->w, "$type", agentchat_str_from(aci_sk_type_name(AGENTCHAT_ITEM_MESSAGE)));
    for (size_t i = 0; i < table->count; i++) {
        const aci_sk_prop *prop = &table->props[i];
        bool stands;

        if (prop->legacy || aci_sk_stays_out(wr, prop, present) || is_null_name(wr, message, prop) ||
            is_dropped(wr, path, message, table, prop))
            continue;
        if (prop->how != ACI_SK_ITEMS) {
            const aci_field *field =
                aci_field_find(message->fields, message->field_count, (agentchat_field)prop->field);

            stands =
                aci_sk_write_field(wr, path, (agentchat_item_kind)0, table, prop, field, message->extras, &changed);
        } else {
            stands = !wr->strict || message->item_count > 0 || !aci_sk_stands_in(message->extras, prop);
            if (stands)
                write_items(wr, path, message, prop);
        }
        object.written |= (uint32_t)stands << i;
    }
    if (wr->strict)
        aci_sk_lose_fields(wr, path, table, message->fields, message->field_count, "a message's");
    if (message->extras != NULL) {
        object.has_text = has_text_item(message);
        aci_sk_write_extras(wr, path, table, message->extras, &object);
    }
    if (wr->sidecar)
        write_sidecar(wr, path, message, table, changed, item);
    aci_writer_object_end(&wr->w);
}

void aci_sk_write_messages(aci_sk_writer *wr, const aci_location *path, const agentchat_messages *messages)
{
    const aci_sk_table *table = wr->bare ? &aci_sk_nested_message : &aci_sk_message;
    size_t count = messages->count;
    const agentchat_message **all = count > 0 ? aci_alloc(wr->env, count * sizeof(*all)) : NULL;
    aci_location location = {path, {NULL, 0}, 0};

    if (count > 0 && all == NULL) {
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
        return;
    }
    if (count > 0)
        aci_list_flatten(messages, all);
    for (; location.index < count && wr->w.status >= 0; location.index++) {
        const agentchat_message *message = all[location.index];

        if (location.index + 4 < count) /* messages lie apart from each other: waiting for them would show */
            __builtin_prefetch(all[location.index + 4]);

        if ((message->flags & ACI_MESSAGE_IS_NULL) == 0)
            aci_sk_write_message(wr, &location, message, table, NULL);
        else if (wr->strict)
            aci_writer_null(&wr->w);
        else
            aci_sk_repaired(wr, &location, "a message that is null was left out");
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
