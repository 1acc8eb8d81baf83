/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drafts: fields in any order go in, an immutable message or item with fields in the order of their numbers comes out.
 * Text is never copied here; the caller sees to it that it lives as long as the arena.
 */
#include "model/model.h"

#include "base/buf.h"
#include <string.h>

#define LEN_MASK ((UINT64_C(1) << 48) - 1)

void aci_draft_begin(aci_draft *d)
{
    d->field_count = 0;
    d->extras = NULL;
    d->extra_count = 0;
    d->extra_cap = 0;
}

/* Index of the first field whose number is not below id. */
static size_t place_of(const aci_draft *d, agentchat_field id)
{
    size_t at = d->field_count;

    while (at > 0 && d->fields[at - 1].id >= (uint64_t)id)
        at--;
    return at;
}

/* A field in two stores. The compiler writes bit-fields one by one, and a read of the complete field soon afterwards
   has to wait for all of them, so their word is put together here where it is known how it is laid out. */
static inline aci_field field_of(agentchat_field id, aci_form form, agentchat_str value)
{
    aci_field field;
#if defined(__GNUC__) && defined(__LP64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word = (value.len & LEN_MASK) | ((uint64_t)id & 0xff) << 48 | ((uint64_t)form & 0xff) << 56;

    _Static_assert(sizeof field == 16, "a pointer, and one word for the bit-fields");
    field.ptr = value.ptr;
    memcpy((char *)&field + sizeof word, &word, sizeof word);
#else
    field = (aci_field){value.ptr, value.len & LEN_MASK, (uint64_t)id & 0xff, (uint64_t)form & 0xff};
#endif
    return field;
}

/* aci_draft_set() in all cases. Kept a call of its own, which spares the usual case saving the registers for it. */
__attribute__((noinline)) static void set_any(aci_draft *d, agentchat_field id, aci_form form, agentchat_str value)
{
    size_t at = place_of(d, id);

    if (value.ptr == NULL && form != ACI_FORM_NULL) {
        aci_draft_unset(d, id);
        return;
    }
    /* A field is null in one way only: RAW, the complete item as it stood in its source, is the text of a null. */
    if (id == AGENTCHAT_FIELD_RAW && form == ACI_FORM_NULL) {
        form = ACI_FORM_JSON;
        value = AGENTCHAT_STR("null");
    } else if (form == ACI_FORM_JSON && id != AGENTCHAT_FIELD_RAW && value.len == 4 &&
               memcmp(value.ptr, "null", 4) == 0) {
        form = ACI_FORM_NULL;
    }
    if (at == d->field_count || d->fields[at].id != (uint64_t)id) {
        if (d->field_count == ACI_MAX_FIELDS) /* no message and no kind of item has so many */
            return;
        for (size_t i = d->field_count; i > at; i--)
            d->fields[i] = d->fields[i - 1];
        d->field_count++;
    }
    if (form == ACI_FORM_NULL)
        value = (agentchat_str){NULL, 0};
    d->fields[at] = field_of(id, form, value);
}

void aci_draft_set(aci_draft *d, agentchat_field id, aci_form form, agentchat_str value)
{
    size_t n = d->field_count;

    /* Nearly always: a text, or JSON that begins as no null does, after all that is there. */
    if (value.ptr != NULL && (form == ACI_FORM_TEXT || (form == ACI_FORM_JSON && *value.ptr != 'n')) &&
        n < ACI_MAX_FIELDS && (n == 0 || d->fields[n - 1].id < (uint64_t)id)) {
        d->fields[n] = field_of(id, form, value);
        d->field_count = n + 1;
    } else {
        set_any(d, id, form, value);
    }
}

void aci_draft_unset(aci_draft *d, agentchat_field id)
{
    size_t at = place_of(d, id);

    if (at == d->field_count || d->fields[at].id != (uint64_t)id)
        return;
    d->field_count--;
    memmove(&d->fields[at], &d->fields[at + 1], (d->field_count - at) * sizeof *d->fields);
}

bool aci_draft_add_extra(aci_draft *d, const agentchat_env *env, agentchat_extra extra)
{
    void *array = d->extras;

    if (!aci_grow(env, &array, &d->extra_cap, d->extra_count, sizeof *d->extras))
        return false;
    d->extras = array;
    d->extras[d->extra_count++] = extra;
    return true;
}

/* A few fields: a loop is faster than a call of memcpy(). */
static inline void copy_fields(aci_field *to, const aci_draft *d)
{
    for (size_t i = 0; i < d->field_count; i++)
        to[i] = d->fields[i];
}

void aci_draft_clear(aci_draft *d, const agentchat_env *env)
{
    aci_free(env, d->extras, d->extra_cap * sizeof *d->extras);
    aci_draft_begin(d);
}

agentchat_item *aci_draft_item(const aci_draft *d, aci_arena *arena, agentchat_item_kind kind)
{
    agentchat_item *item = aci_arena_alloc(arena, sizeof *item + d->field_count * sizeof *item->fields);

    if (item == NULL)
        return NULL;
    item->kind = (uint8_t)kind;
    item->field_count = (uint8_t)d->field_count;
    item->is_null = 0;
    memset(item->reserved, 0, sizeof item->reserved);
    item->u.none = NULL;
    item->extras = NULL;
    item->arena = arena;
    copy_fields(item->fields, d);
    if (d->extra_count > 0) {
        item->extras = aci_extras_new(arena, d->extras, d->extra_count);
        if (item->extras == NULL)
            return NULL;
    }
    return item;
}

agentchat_message *aci_draft_message(const aci_draft *d, aci_arena *arena, agentchat_item *const *items,
                                     size_t item_count, uint8_t flags)
{
    agentchat_message *message;

    if (item_count > UINT32_MAX) /* more than memory holds */
        return NULL;
    message = aci_arena_alloc(arena, sizeof *message + d->field_count * sizeof *message->fields);
    if (message == NULL)
        return NULL;
    message->arena = arena;
    message->items = NULL;
    message->extras = NULL;
    message->item_count = (uint32_t)item_count;
    message->field_count = (uint8_t)d->field_count;
    message->flags = flags;
    message->reserved = 0;
    copy_fields(message->fields, d);
    if (item_count > 0) {
        message->items = aci_arena_alloc(arena, item_count * sizeof *items);
        if (message->items == NULL)
            return NULL;
        for (size_t i = 0; i < item_count; i++) /* mostly one */
            message->items[i] = items[i];
    }
    if (d->extra_count > 0) {
        message->extras = aci_extras_new(arena, d->extras, d->extra_count);
        if (message->extras == NULL)
            return NULL;
    }
    return message;
}
