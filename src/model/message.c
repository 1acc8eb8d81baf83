/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at messages and items, and counting references: all of it reads an immutable thing. */
#include "model/model.h"

#include "base/buf.h"
#include "base/error.h"

agentchat_message *agentchat_message_ref(const agentchat_message *message)
{
    if (message != NULL)
        aci_arena_ref(message->arena);
    return (agentchat_message *)(uintptr_t)message; /* const in the interface, so that a view can be kept */
}

void agentchat_message_unref(const agentchat_message *message)
{
    if (message != NULL)
        aci_arena_unref(message->arena);
}

agentchat_str agentchat_message_get(const agentchat_message *message, agentchat_field field)
{
    if (message == NULL)
        return (agentchat_str){NULL, 0};
    return aci_field_view(aci_field_find(message->fields, message->field_count, field));
}

agentchat_str agentchat_message_role(const agentchat_message *message)
{
    return agentchat_message_get(message, AGENTCHAT_FIELD_ROLE);
}

agentchat_str agentchat_message_name(const agentchat_message *message)
{
    return agentchat_message_get(message, AGENTCHAT_FIELD_NAME);
}

agentchat_str agentchat_message_text(const agentchat_message *message)
{
    size_t count = agentchat_message_item_count(message);

    for (size_t i = 0; i < count; i++)
        if (message->items[i]->kind == AGENTCHAT_ITEM_TEXT)
            return agentchat_item_get(message->items[i], AGENTCHAT_FIELD_TEXT);
    return (agentchat_str){NULL, 0};
}

agentchat_status agentchat_message_join_text(const agentchat_message *message, agentchat_str separator,
                                             agentchat_bytes *out, agentchat_error *err)
{
    bool ok = true, is_first = true;
    agentchat_status status;
    aci_buf text;

    agentchat_error_clear(err);
    if (message == NULL || out == NULL)
        return aci_fail_null(err, message == NULL ? "message" : "out");
    aci_buf_init(&text, aci_arena_env(message->arena), SIZE_MAX);
    for (size_t i = 0; i < message->item_count && ok; i++) {
        const agentchat_item *item = message->items[i];
        agentchat_str one = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_TEXT));

        if (item->kind != AGENTCHAT_ITEM_TEXT || one.ptr == NULL || agentchat_str_is_null(one))
            continue;
        ok = (is_first || aci_buf_add_str(&text, separator)) && aci_buf_add_str(&text, one);
        is_first = false;
    }
    status = ok ? aci_buf_append_bytes(out, text.env, aci_buf_str(&text), err) : aci_fail_nomem(err);
    aci_buf_clear(&text);
    return status;
}

size_t agentchat_message_item_count(const agentchat_message *message)
{
    return message != NULL ? message->item_count : 0;
}

const agentchat_item *agentchat_message_item(const agentchat_message *message, size_t index)
{
    return message != NULL && index < message->item_count ? message->items[index] : NULL;
}

size_t agentchat_message_extra_count(const agentchat_message *message)
{
    return message != NULL ? aci_extras_count(message->extras) : 0;
}

const agentchat_extra *agentchat_message_extra(const agentchat_message *message, size_t index)
{
    return message != NULL ? aci_extras_at(message->extras, index) : NULL;
}

agentchat_item_kind agentchat_item_get_kind(const agentchat_item *item)
{
    return item != NULL ? (agentchat_item_kind)item->kind : AGENTCHAT_ITEM_OPAQUE;
}

agentchat_str agentchat_item_get(const agentchat_item *item, agentchat_field field)
{
    if (item == NULL)
        return (agentchat_str){NULL, 0};
    return aci_field_view(aci_field_find(item->fields, item->field_count, field));
}

const agentchat_message *agentchat_item_message(const agentchat_item *item)
{
    return item != NULL && item->kind == AGENTCHAT_ITEM_MESSAGE ? item->u.message : NULL;
}

static const agentchat_message *content_of(const agentchat_item *item)
{
    return item != NULL && item->kind == AGENTCHAT_ITEM_RESULT ? item->u.message : NULL;
}

bool agentchat_item_has_content(const agentchat_item *item)
{
    const agentchat_message *content = content_of(item);

    return content != NULL && (content->flags & ACI_MESSAGE_ITEMS_NULL) == 0;
}

size_t agentchat_item_content_count(const agentchat_item *item)
{
    return agentchat_message_item_count(content_of(item));
}

const agentchat_item *agentchat_item_content(const agentchat_item *item, size_t index)
{
    return agentchat_message_item(content_of(item), index);
}

size_t agentchat_item_extra_count(const agentchat_item *item)
{
    return item != NULL ? aci_extras_count(item->extras) : 0;
}

const agentchat_extra *agentchat_item_extra(const agentchat_item *item, size_t index)
{
    return item != NULL ? aci_extras_at(item->extras, index) : NULL;
}
