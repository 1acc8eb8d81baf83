/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equality of messages as they are stored. Layer 2. Stricter than equality of meaning, which the digest defines: here a
 * null differs from nothing, and JSON values compare by their text. Only data compares by bytes, whatever its form.
 */
#include "model/model.h"

#include "base/b64.h"
#include <string.h>

/* A multiple of three, so that pieces encode without padding between them. */
enum { PIECE = 1536 };

/* Whether base64 text is what bytes encode to, piece by piece: an image needs no memory of its size. */
static bool encodes_to(agentchat_str bytes, agentchat_str base64)
{
    char piece[PIECE / 3 * 4];
    size_t at = 0;

    if (aci_b64_encoded_size(bytes.len) != base64.len)
        return false;
    for (size_t done = 0; done < bytes.len; done += PIECE) {
        size_t len = bytes.len - done < PIECE ? bytes.len - done : PIECE;
        size_t encoded = aci_b64_encoded_size(len);

        aci_b64_encode(bytes.ptr + done, len, piece);
        if (memcmp(piece, base64.ptr + at, encoded) != 0)
            return false;
        at += encoded;
    }
    return true;
}

bool aci_data_equal(const aci_data *a, const aci_data *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL)
        return false;
    if (a->bytes.ptr != NULL && b->bytes.ptr != NULL)
        return agentchat_str_equal(a->bytes, b->bytes);
    if (a->base64.ptr != NULL && b->base64.ptr != NULL)
        return agentchat_str_equal(a->base64, b->base64); /* canonical: one spelling for each value */
    return a->bytes.ptr != NULL ? encodes_to(a->bytes, b->base64) : encodes_to(b->bytes, a->base64);
}

static bool fields_equal(const aci_field *a, size_t a_count, const aci_field *b, size_t b_count)
{
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++)
        if (a[i].id != b[i].id || a[i].form != b[i].form ||
            !agentchat_str_equal(aci_field_view(&a[i]), aci_field_view(&b[i])))
            return false;
    return true;
}

static bool extras_equal(const aci_extras *a, const aci_extras *b)
{
    size_t count = a != NULL ? a->count : 0;

    if (count != (b != NULL ? b->count : 0))
        return false;
    for (size_t i = 0; i < count; i++)
        if (a->list[i].from != b->list[i].from || !agentchat_str_equal(a->list[i].name, b->list[i].name) ||
            !agentchat_str_equal(a->list[i].value, b->list[i].value))
            return false;
    return true;
}

static bool items_equal(const agentchat_item *a, const agentchat_item *b)
{
    if (a->kind != b->kind || a->from != b->from || a->is_null != b->is_null ||
        !fields_equal(a->fields, a->field_count, b->fields, b->field_count) || !extras_equal(a->extras, b->extras))
        return false;
    if (a->kind == AGENTCHAT_ITEM_MESSAGE)
        return aci_message_equal(a->u.message, b->u.message);
    return aci_data_equal(aci_item_data(a), aci_item_data(b));
}

bool aci_message_equal(const agentchat_message *a, const agentchat_message *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL || a->flags != b->flags || a->item_count != b->item_count ||
        !fields_equal(a->fields, a->field_count, b->fields, b->field_count) || !extras_equal(a->extras, b->extras))
        return false;
    for (size_t i = 0; i < a->item_count; i++)
        if (!items_equal(a->items[i], b->items[i]))
            return false;
    return true;
}
