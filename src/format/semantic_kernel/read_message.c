/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading messages, in History, in channels and as items, and with them their items.
 * $type normally stands first, and then an item is read in one go. Stores that reorder properties put it elsewhere;
 * such an item is looked through for its $type before it is read.
 */
#include "format/semantic_kernel/read_message.h"
#include "format/semantic_kernel/read_item.h"
#include "format/semantic_kernel/read_sidecar.h"

#include "base/buf.h"

/* ---- items ------------------------------------------------------------------------------------------------------- */

static agentchat_message *read_members(aci_sk_reader *s, aci_json_reader *r, const aci_location *path,
                                       const aci_sk_table *table);

static bool push_item(aci_sk_reader *s, aci_json_reader *r, size_t at, agentchat_item *item)
{
    void *items = s->items;

    if (!aci_grow(s->env, &items, &s->item_cap, s->item_count, sizeof *s->items))
        return aci_sk_nomem(r);
    s->items = items;
    memmove(s->items + at + 1, s->items + at, (s->item_count - at) * sizeof *s->items);
    s->items[at] = item;
    s->item_count++;
    return true;
}

static agentchat_item *read_nested(aci_sk_reader *s, aci_json_reader *r, const aci_location *path)
{
    agentchat_message *message = read_members(s, r, ACI_AT(path, "message"), &aci_sk_nested_message);

    return message != NULL ? aci_sk_wrap_message(s, r, path, message) : NULL;
}

static agentchat_item *read_known(aci_sk_reader *s, aci_json_reader *r, const aci_location *path,
                                  agentchat_item_kind kind)
{
    return kind == AGENTCHAT_ITEM_MESSAGE ? read_nested(s, r, path) : aci_sk_read_item(s, r, path, kind);
}

/* Reads over the members that are left. */
static bool skip_members(aci_json_reader *r)
{
    agentchat_str key, raw;

    while (aci_json_member(r, &key))
        if (!aci_json_raw(r, &raw))
            return false;
    return !aci_json_failed(r);
}

/* Reads an item again whose span is known, leaving its $type out. */
static agentchat_item *read_again(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, agentchat_str span,
                                  agentchat_item_kind kind)
{
    aci_json_reader *sub = aci_sk_sub_new(s, r, span);
    agentchat_item *item = NULL;

    if (sub == NULL)
        return NULL;
    s->skip_type = true;
    if (aci_json_object(sub))
        item = read_known(s, sub, path, kind);
    return aci_sk_sub_free(s, r, sub, span, NULL) ? item : NULL;
}

/* An item whose first property is not $type; that property's name has been read. */
static agentchat_item *read_unordered(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, const char *begin)
{
    agentchat_item_kind kind;
    agentchat_str type, raw, span;

    if (!aci_json_raw(r, &raw) || !skip_members(r))
        return NULL;
    span = (agentchat_str){begin, (size_t)(r->cursor - begin)};
    if (!aci_sk_find_type(s, r, span, &type))
        return NULL;
    if (type.ptr == NULL) {
        kind = aci_sk_guess_kind(span);
        if (kind != 0 &&
            !aci_sk_note(s, r, path, "an item without $type was read as %s by its properties", aci_sk_type_name(kind)))
            return NULL;
    } else {
        kind = aci_sk_item_kind_of(type);
    }
    return kind != 0 ? read_again(s, r, path, span, kind) : aci_sk_opaque_item(s, r, type, span);
}

static agentchat_item *read_object(aci_sk_reader *s, aci_json_reader *r, const aci_location *path)
{
    const char *begin = r->begin + aci_json_offset(r);
    agentchat_str key, type = {NULL, 0}, raw;
    agentchat_item_kind kind;

    if (!aci_json_object(r))
        return NULL;
    if (!aci_json_member(r, &key))
        return aci_json_failed(r) ? NULL
                                  : aci_sk_opaque_item(s, r, type, (agentchat_str){begin, (size_t)(r->cursor - begin)});
    if (!aci_sk_view_is(key, "$type"))
        return read_unordered(s, r, path, begin);
    if (aci_json_peek(r) == ACI_JSON_STRING ? !aci_json_string(r, &type) : !aci_json_raw(r, &raw))
        return NULL;
    kind = aci_sk_item_kind_of(type);
    if (kind != 0)
        return read_known(s, r, path, kind);
    if (!skip_members(r))
        return NULL;
    return aci_sk_opaque_item(s, r, type, (agentchat_str){begin, (size_t)(r->cursor - begin)});
}

static bool read_items(aci_sk_reader *s, aci_json_reader *r, const aci_location *path)
{
    aci_location location = {path, {NULL, 0}, 0};

    if (!aci_json_array(r))
        return false;
    for (; aci_json_element(r); location.index++) {
        agentchat_item *item;
        aci_json_kind kind = aci_json_peek(r);

        if (kind == ACI_JSON_OBJECT) {
            item = read_object(s, r, &location);
        } else if (kind == ACI_JSON_NULL) {
            if (!aci_json_null(r) || !aci_sk_note(s, r, &location, "an item is null"))
                return false;
            item = aci_sk_null_item(s, r);
        } else {
            agentchat_str raw;

            if (!aci_json_raw(r, &raw) ||
                !aci_sk_note(s, r, &location, "an item is no object; it is kept as it stands"))
                return false;
            item = aci_sk_opaque_item(s, r, (agentchat_str){NULL, 0}, raw);
        }
        if (item == NULL || !push_item(s, r, s->item_count, item))
            return false;
    }
    return !aci_json_failed(r);
}

ACI_NOINLINE agentchat_message *aci_sk_read_content(aci_sk_reader *s, aci_json_reader *r, const aci_location *path)
{
    size_t base = s->item_count;
    agentchat_message *content = NULL;
    aci_draft nothing;

    aci_draft_begin(&nothing);
    if (read_items(s, r, ACI_AT(path, "content"))) {
        content =
            aci_draft_message(&nothing, s->arena, s->items != NULL ? s->items + base : NULL, s->item_count - base, 0);
        if (content == NULL)
            (void)aci_sk_nomem(r);
    }
    s->item_count = base;
    return content;
}

/* ---- a message --------------------------------------------------------------------------------------------------- */

static bool has_text_item(const aci_sk_reader *s, size_t base)
{
    for (size_t i = base; i < s->item_count; i++)
        if (s->items[i]->kind == AGENTCHAT_ITEM_TEXT)
            return true;
    return false;
}

/* The text of the oldest files stands beside the items: it becomes a text item where there is none. */
ACI_NOINLINE static bool settle_content(aci_sk_props *p, size_t base)
{
    agentchat_str raw = aci_sk_props_kept(p, "Content"), text;
    aci_draft draft;
    agentchat_item *item;

    if (raw.ptr == NULL)
        return true;
    if (raw.ptr[0] != '"' || has_text_item(p->s, base))
        return aci_sk_props_give_back(p, "Content");
    if (!aci_sk_decode(p->s, p->r, raw, &text))
        return false;
    aci_draft_begin(&draft);
    aci_draft_set(&draft, AGENTCHAT_FIELD_TEXT, ACI_FORM_TEXT, text);
    item = aci_draft_item(&draft, p->s->arena, AGENTCHAT_ITEM_TEXT);
    return item != NULL ? push_item(p->s, p->r, base, item) &&
                              aci_sk_note(p->s, p->r, p->path, "the message's Content was read as its first text item")
                        : aci_sk_nomem(p->r);
}

/* .NET writes "AuthorName": null for a message without an author, so that null is no name of its own. */
static bool read_author(aci_sk_props *p, const aci_sk_prop *prop)
{
    if (aci_json_peek(p->r) != ACI_JSON_NULL)
        return aci_sk_props_field(p, prop);
    aci_draft_unset(p->draft, AGENTCHAT_FIELD_NAME);
    return aci_json_null(p->r);
}

static bool read_items_property(aci_sk_props *p, size_t base, uint8_t *flags)
{
    p->s->item_count = base; /* an earlier property of this name does not count */
    *flags = 0;
    if (aci_json_peek(p->r) == ACI_JSON_NULL) {
        *flags = ACI_MESSAGE_ITEMS_NULL;
        return aci_json_null(p->r);
    }
    if (aci_json_peek(p->r) != ACI_JSON_ARRAY) {
        *flags = ACI_MESSAGE_ITEMS_ABSENT;
        return aci_sk_props_mismatch(p, "an array");
    }
    return read_items(p->s, p->r, ACI_AT(p->path, "items"));
}

static bool read_property(aci_sk_props *p, const aci_sk_prop *prop, size_t base, uint8_t *flags)
{
    if (prop->how == ACI_SK_ITEMS)
        return read_items_property(p, base, flags);
    if (prop->legacy)
        return aci_sk_props_keep(p);
    return prop->field == AGENTCHAT_FIELD_NAME ? read_author(p, prop) : aci_sk_props_field(p, prop);
}

/* Puts the null items back that .NET could not have been given, at their positions, which ascend: so those whose
   position exists are the first ones. */
static bool restore_null_items(aci_sk_props *p, size_t base, const size_t *nulls, size_t count)
{
    aci_sk_reader *s = p->s;
    size_t others = s->item_count - base, left = 0;

    for (; left < count && nulls[left] <= others + left; left++) { /* the rest: edited since */
        agentchat_item *item = aci_sk_null_item(s, p->r);

        if (item == NULL || !push_item(s, p->r, s->item_count, item))
            return false;
    }
    return left == 0 || aci_sk_interleave(s->env, s->items + base, sizeof *s->items, others, nulls, left) ||
           aci_sk_nomem(p->r);
}

agentchat_message *aci_sk_null_message(aci_sk_reader *s, aci_json_reader *r)
{
    aci_draft draft;

    if (s->null_message != NULL)
        return s->null_message;
    aci_draft_begin(&draft);
    s->null_message = aci_draft_message(&draft, s->arena, NULL, 0, ACI_MESSAGE_IS_NULL | ACI_MESSAGE_ITEMS_ABSENT);
    if (s->null_message == NULL)
        (void)aci_sk_nomem(r);
    return s->null_message;
}

/* The sidecar beside the properties of .NET: what they cannot say, and what was repaired. */
ACI_NOINLINE static bool settle_sidecar(aci_sk_props *p, size_t base, uint8_t *flags, bool *is_null)
{
    aci_sk_beside beside = {p->table, (agentchat_item_kind)0, p->draft, NULL, NULL};
    aci_sk_sidecar sidecar;
    bool contradicted;

    if (!aci_sk_settle_sidecar(p, &beside, &sidecar))
        return false;
    if ((sidecar.items_null || sidecar.items_absent) && p->s->item_count == base)
        *flags = sidecar.items_null ? ACI_MESSAGE_ITEMS_NULL : ACI_MESSAGE_ITEMS_ABSENT;
    *is_null = sidecar.is_null && p->s->item_count == base && p->draft->field_count == 0 && p->draft->extra_count == 0;
    contradicted = (sidecar.is_null && !*is_null) ||
                   ((sidecar.items_null || sidecar.items_absent) && p->s->item_count != base) ||
                   (sidecar.null_count > 0 &&
                    sidecar.nulls[sidecar.null_count - 1] >= p->s->item_count - base + sidecar.null_count);
    if (contradicted && !aci_sk_note(p->s, p->r, p->path, "agentchat says another thing than Items, which counts here"))
        return false;
    p->s->wrapping = sidecar.item;
    return restore_null_items(p, base, sidecar.nulls, sidecar.null_count);
}

static agentchat_message *finish(aci_sk_props *p, size_t base, uint8_t flags)
{
    aci_sk_reader *s = p->s;
    agentchat_message *message;
    bool is_null = false;

    if (aci_json_failed(p->r) || !settle_content(p, base) || !settle_sidecar(p, base, &flags, &is_null))
        return NULL;
    if (is_null)
        return aci_sk_null_message(s, p->r);
    if (s->item_count > base)
        flags = 0;
    message =
        aci_draft_message(p->draft, s->arena, s->items != NULL ? s->items + base : NULL, s->item_count - base, flags);
    if (message == NULL)
        (void)aci_sk_nomem(p->r);
    return message;
}

/* The members of a message object that has been opened already. */
static agentchat_message *read_members(aci_sk_reader *s, aci_json_reader *r, const aci_location *path,
                                       const aci_sk_table *table)
{
    size_t base = s->item_count;
    uint8_t flags = ACI_MESSAGE_ITEMS_ABSENT;
    agentchat_message *message = NULL;
    aci_sk_props props;
    aci_draft draft;
    bool ok = true;
    int index;

    aci_draft_begin(&draft);
    aci_sk_props_begin(&props, s, r, table, path, &draft);
    while (ok && (index = aci_sk_props_next(&props)) != ACI_SK_END)
        ok = read_property(&props, &table->props[index], base, &flags);
    s->wrapping = (agentchat_str){NULL, 0};
    if (ok)
        message = finish(&props, base, flags);
    s->item_count = base;
    aci_sk_props_end(&props);
    aci_draft_clear(&draft, s->env);
    return message;
}

agentchat_message *aci_sk_read_message(aci_sk_reader *s, aci_json_reader *r, const aci_location *path)
{
    if (aci_json_peek(r) == ACI_JSON_NULL) {
        if (!aci_json_null(r) || !aci_sk_note(s, r, path, "a message is null"))
            return NULL;
        return aci_sk_null_message(s, r);
    }
    return aci_json_object(r) ? read_members(s, r, path, &aci_sk_message) : NULL;
}
