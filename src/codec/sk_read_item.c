/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the items of a message. Layer 4.
 * $type normally stands first, and then an item is read in one go. Stores that reorder properties put it elsewhere;
 * such an item is looked through for its $type before it is read.
 */
#include "codec/sk_read.h"

#include "base/b64.h"
#include "base/buf.h"
#include "base/error.h"

bool aci_sk_push_item(aci_sk_reader *s, aci_json_reader *r, size_t at, agentchat_item *item)
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

ACI_NOINLINE static agentchat_item *make_opaque(aci_sk_reader *s, aci_json_reader *r, agentchat_str type,
                                                agentchat_str raw)
{
    agentchat_item *item;
    aci_draft draft;

    aci_draft_begin(&draft);
    if (type.ptr != NULL)
        aci_draft_set(&draft, AGENTCHAT_FIELD_TYPE, ACI_FORM_TEXT, type);
    aci_draft_set(&draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, raw);
    item = aci_draft_item(&draft, s->home, AGENTCHAT_ITEM_OPAQUE);
    if (item == NULL)
        (void)aci_sk_nomem(r);
    else
        item->from = AGENTCHAT_FORMAT_SEMANTIC_KERNEL;
    return item;
}

agentchat_item *aci_sk_null_item(aci_sk_reader *s, aci_json_reader *r)
{
    agentchat_item *item = make_opaque(s, r, (agentchat_str){NULL, 0}, AGENTCHAT_STR("null"));

    if (item != NULL)
        item->is_null = 1;
    return item;
}

/* ---- base64 --------------------------------------------------------------------------------------------------- */

/* Clears the bits that the last character of base64 has too many; .NET reads over them. */
static bool clear_spare_bits(char *text, size_t len)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t padding = len >= 1 && text[len - 1] == '=' ? (len >= 2 && text[len - 2] == '=' ? 2 : 1) : 0;
    const char *digit;

    if (padding == 0 || len < 4)
        return false;
    digit = memchr(alphabet, text[len - 1 - padding], 64);
    if (digit == NULL)
        return false;
    text[len - 1 - padding] = alphabet[(size_t)(digit - alphabet) & (padding == 2 ? 0x30u : 0x3cu)];
    return true;
}

/* Line breaks and blanks inside base64 are read over, as .NET does. */
static bool settle_base64(aci_sk_props *p, agentchat_str text, agentchat_str *out)
{
    char *copy = text.len > 0 ? aci_home_text(p->s->home, text.len) : NULL;
    size_t len = 0, bad = 0;

    if (copy == NULL)
        return aci_sk_nomem(p->r);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != ' ' && text.ptr[i] != '\n' && text.ptr[i] != '\r' && text.ptr[i] != '\t')
            copy[len++] = text.ptr[i];
    aci_home_text_shrink(p->s->home, copy, text.len, len);
    *out = (agentchat_str){copy, len};
    if (aci_b64_check(*out, &bad) || (clear_spare_bits(copy, len) && aci_b64_check(*out, &bad)))
        return aci_sk_note(p->s, p->r, p->path, "base64 was written in another way than RFC 4648 asks for");
    (void)aci_b64_check(text, &bad);
    (void)aci_json_fail(p->r, AGENTCHAT_E_SCHEMA, "base64 has an invalid character at byte %zu of the value", bad);
    return false;
}

bool aci_sk_read_base64(aci_sk_props *p, agentchat_str *out, bool *misfit)
{
    agentchat_str text;

    *misfit = false;
    *out = (agentchat_str){NULL, 0};
    switch (aci_json_peek(p->r)) {
    case ACI_JSON_STRING:
        break;
    case ACI_JSON_ERROR:
        return false;
    case ACI_JSON_NULL:
        return aci_json_null(p->r);
    case ACI_JSON_OBJECT:
    case ACI_JSON_ARRAY:
    case ACI_JSON_NUMBER:
    case ACI_JSON_TRUE:
    case ACI_JSON_FALSE:
        *misfit = true;
        return aci_sk_props_misfit(p, "a string of base64");
    }
    if (aci_json_plain_base64(p->r, out))
        return true;
    return !aci_json_failed(p->r) && aci_json_string(p->r, &text) && settle_base64(p, text, out);
}

/* ---- one item ------------------------------------------------------------------------------------------------- */

static bool read_property(aci_sk_props *p, const aci_sk_prop *prop, aci_data **data)
{
    agentchat_str base64;
    bool misfit;

    if (prop->legacy)
        return aci_sk_props_keep(p);
    if (prop->how != ACI_SK_DATA)
        return aci_sk_props_field(p, prop);
    *data = NULL;
    if (!aci_sk_read_base64(p, &base64, &misfit))
        return false;
    if (base64.ptr == NULL)
        return true;
    *data = aci_data_new(p->s->home, base64, (agentchat_str){NULL, 0});
    return *data != NULL || aci_sk_nomem(p->r);
}

/* Makes the item from the draft and what our own property says about it. */
ACI_NOINLINE static agentchat_item *finish(aci_sk_props *p, agentchat_item_kind kind, aci_data *data)
{
    agentchat_str raw = aci_sk_props_kept(p, "agentchat");
    aci_sk_beside beside = {p->table, kind, p->draft, NULL, data};
    aci_sk_own own = {0};
    agentchat_item *item;

    if (raw.ptr != NULL && raw.ptr[0] != '{') {
        if (!aci_sk_props_give_back(p, "agentchat"))
            return NULL;
    } else if (raw.ptr != NULL && !aci_sk_read_own(p->s, p->r, raw, p->path, &beside, &own)) {
        return NULL;
    }
    if (own.opaque)
        kind = AGENTCHAT_ITEM_OPAQUE;
    item = aci_draft_item(p->draft, p->s->home, kind);
    if (item == NULL) {
        (void)aci_sk_nomem(p->r);
        return NULL;
    }
    if (own.opaque)
        item->from = own.opaque_from;
    else if (kind == AGENTCHAT_ITEM_IMAGE || kind == AGENTCHAT_ITEM_AUDIO || kind == AGENTCHAT_ITEM_BINARY)
        item->u.data = own.data_absent ? NULL : data;
    return item;
}

/* The members behind $type. */
ACI_NOINLINE static agentchat_item *read_members(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path,
                                                 agentchat_item_kind kind)
{
    const aci_sk_table *table = aci_sk_item_table(kind);
    agentchat_item *item = NULL;
    aci_data *data = NULL;
    aci_sk_props props;
    aci_draft draft;
    bool ok = true;
    int index;

    aci_draft_begin(&draft);
    aci_sk_props_begin(&props, s, r, table, path, &draft);
    while (ok && (index = aci_sk_props_next(&props)) != ACI_SK_END)
        ok = read_property(&props, &table->props[index], &data);
    if (ok && !aci_json_failed(r) && aci_sk_settle_legacy(&props, kind, &data))
        item = finish(&props, kind, data);
    aci_sk_props_end(&props);
    aci_draft_clear(&draft, s->env);
    return item;
}

static agentchat_item *make_nested(aci_sk_reader *s, aci_json_reader *r, const aci_draft *draft,
                                   agentchat_message *message)
{
    agentchat_item *item = aci_draft_item(draft, s->home, AGENTCHAT_ITEM_MESSAGE);

    if (item != NULL)
        item->u.message = message;
    if (item == NULL || (draft->extra_count > 0 &&
                         (item->extras = aci_extras_new(s->home, draft->extras, draft->extra_count)) == NULL)) {
        (void)aci_sk_nomem(r);
        return NULL;
    }
    return item;
}

/* The item around a message, with what our own property in it says about the item. */
ACI_NOINLINE static agentchat_item *wrap(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path,
                                         agentchat_message *message)
{
    agentchat_str wrapping = s->wrapping;
    agentchat_item *item = NULL;
    aci_draft draft;
    aci_sk_beside beside = {NULL, AGENTCHAT_ITEM_MESSAGE, &draft, NULL, NULL};
    aci_sk_own own = {0};

    aci_draft_begin(&draft);
    if (wrapping.ptr == NULL || aci_sk_read_own(s, r, wrapping, path, &beside, &own))
        item = make_nested(s, r, &draft, message);
    aci_draft_clear(&draft, s->env);
    return item;
}

static agentchat_item *read_nested(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path)
{
    aci_sk_path inside = {path, "message", 0};
    agentchat_message *message = aci_sk_read_message_members(s, r, &inside, &aci_sk_nested_message);

    return message != NULL ? wrap(s, r, path, message) : NULL;
}

static agentchat_item *read_known(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path,
                                  agentchat_item_kind kind)
{
    return kind == AGENTCHAT_ITEM_MESSAGE ? read_nested(s, r, path) : read_members(s, r, path, kind);
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

ACI_NOINLINE bool aci_sk_find_type(aci_sk_reader *s, aci_json_reader *r, agentchat_str span, agentchat_str *type)
{
    aci_json_reader sub;
    agentchat_str key, raw;

    *type = (agentchat_str){NULL, 0};
    aci_sk_sub_begin(s, r, &sub, span, r->err);
    if (aci_json_object(&sub))
        while (aci_json_member(&sub, &key)) {
            if (!aci_sk_view_is(key, "$type")) {
                (void)aci_json_raw(&sub, &raw);
            } else if (aci_json_peek(&sub) == ACI_JSON_STRING) {
                (void)aci_json_string(&sub, type);
            } else {
                *type = agentchat_str_null();
                (void)aci_json_raw(&sub, &raw);
            }
        }
    return aci_sk_sub_end(r, &sub, span, NULL);
}

/* Reads an item again whose span is known, leaving its $type out. */
static agentchat_item *read_again(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, agentchat_str span,
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
static agentchat_item *read_unordered(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, const char *begin)
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
        kind = aci_sk_kind_of(type);
    }
    return kind != 0 ? read_again(s, r, path, span, kind) : make_opaque(s, r, type, span);
}

static agentchat_item *read_object(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path)
{
    const char *begin = r->begin + aci_json_offset(r);
    agentchat_str key, type = {NULL, 0}, raw;
    agentchat_item_kind kind;

    if (!aci_json_object(r))
        return NULL;
    if (!aci_json_member(r, &key))
        return aci_json_failed(r) ? NULL : make_opaque(s, r, type, (agentchat_str){begin, (size_t)(r->cursor - begin)});
    if (!aci_sk_view_is(key, "$type"))
        return read_unordered(s, r, path, begin);
    if (aci_json_peek(r) == ACI_JSON_STRING ? !aci_json_string(r, &type) : !aci_json_raw(r, &raw))
        return NULL;
    kind = aci_sk_kind_of(type);
    if (kind != 0)
        return read_known(s, r, path, kind);
    if (!skip_members(r))
        return NULL;
    return make_opaque(s, r, type, (agentchat_str){begin, (size_t)(r->cursor - begin)});
}

bool aci_sk_read_items(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path)
{
    aci_sk_path place = {path, NULL, 0};

    if (!aci_json_array(r))
        return false;
    for (; aci_json_element(r); place.index++) {
        agentchat_item *item;
        aci_json_kind kind = aci_json_peek(r);

        if (kind == ACI_JSON_OBJECT) {
            item = read_object(s, r, &place);
        } else if (kind == ACI_JSON_NULL) {
            if (!aci_json_null(r) || !aci_sk_note(s, r, &place, "an item is null"))
                return false;
            item = aci_sk_null_item(s, r);
        } else {
            agentchat_str raw;

            if (!aci_json_raw(r, &raw) || !aci_sk_note(s, r, &place, "an item is no object; it is kept as it stands"))
                return false;
            item = make_opaque(s, r, (agentchat_str){NULL, 0}, raw);
        }
        if (item == NULL || !aci_sk_push_item(s, r, s->item_count, item))
            return false;
    }
    return !aci_json_failed(r);
}
