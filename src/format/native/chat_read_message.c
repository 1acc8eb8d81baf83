/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading messages and items of format 1. Nothing is allocated for a message but its own block in the arena:
 * properties are predicted in the order in which they are written, items are gathered on the reader's stack.
 */
#include "format/native/chat.h"

#include <string.h>

bool aci_native_read_json(aci_json_reader *r, agentchat_field field, agentchat_str *out)
{
    size_t start;
    const char *mismatch;

    if (field < AGENTCHAT_FIELD_FAILED) /* the others hold anything */
        return aci_json_raw(r, out);
    (void)aci_json_peek(r);
    start = aci_json_offset(r);
    if (!aci_json_raw(r, out))
        return false;
    mismatch = aci_field_mismatch(field, *out);
    if (mismatch != NULL)
        aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "\"%s\" %s", aci_field_name(field), mismatch);
    return mismatch == NULL;
}

/* A field: text or null, or any JSON value. */
static bool read_field(aci_json_reader *r, aci_draft *draft, agentchat_field field)
{
    agentchat_str value;

    if (aci_field_form(field) == ACI_FORM_JSON) {
        if (!aci_native_read_json(r, field, &value))
            return false;
        aci_draft_set(draft, field, ACI_FORM_JSON, value);
        return true;
    }
    if (aci_json_next_byte(r) != '"' && aci_json_peek(r) == ACI_JSON_NULL) {
        aci_draft_set(draft, field, ACI_FORM_NULL, agentchat_str_null());
        return aci_json_null(r);
    }
    if (!aci_json_string(r, &value))
        return false;
    aci_draft_set(draft, field, ACI_FORM_TEXT, value);
    return true;
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* What an item holds besides the fields of its draft. */
typedef struct item_parts {
    agentchat_str base64;
    agentchat_message *message; /* or the content of a result */
} item_parts;

static bool read_from(aci_json_reader *r, aci_draft *draft)
{
    agentchat_str name;

    if (!aci_native_read_from(r, &name))
        return false;
    aci_draft_set(draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, name);
    return true;
}

static agentchat_message *read_content(aci_native_reader *f, aci_json_reader *r);

static bool read_item_members(aci_native_reader *f, aci_json_reader *r, const aci_native_object *known,
                              aci_draft *draft, item_parts *parts)
{
    aci_native_members members = {.known = known, .draft = draft};
    agentchat_str type;
    uint8_t what;

    if (!aci_json_object(r))
        return false;
    while (aci_native_next(f, r, &members, &what)) {
        bool done;

        switch (what) {
        case ACI_NATIVE_TYPE:
            done = aci_json_string(r, &type);
            break;
        case ACI_NATIVE_DATA:
            done = aci_json_base64(r, &parts->base64);
            break;
        case ACI_NATIVE_MESSAGE:
        case ACI_NATIVE_CONTENT:
            parts->message = what == ACI_NATIVE_MESSAGE ? aci_native_read_message(f, r) : read_content(f, r);
            done = parts->message != NULL;
            break;
        case ACI_NATIVE_FROM:
            done = read_from(r, draft);
            break;
        default:
            done = read_field(r, draft, (agentchat_field)what);
            break;
        }
        if (!done)
            return false;
    }
    return !aci_json_failed(r);
}

static agentchat_item *make_item(aci_native_reader *f, aci_json_reader *r, const aci_draft *draft,
                                 agentchat_item_kind kind, const item_parts *parts)
{
    agentchat_item *item = aci_draft_item(draft, f->in->arena, kind);
    bool made = item != NULL;

    if (made && parts->base64.ptr != NULL) {
        item->u.data = aci_data_new(f->in->arena, parts->base64, (agentchat_str){NULL, 0});
        made = item->u.data != NULL;
    }
    if (!made) {
        aci_native_nomem(r);
        return NULL;
    }
    if (parts->message != NULL)
        item->u.message = parts->message;
    return item;
}

static agentchat_item *read_known_item(aci_native_reader *f, aci_json_reader *r, agentchat_item_kind kind)
{
    item_parts parts = {{NULL, 0}, NULL};
    size_t start = (size_t)(r->cursor - r->begin); /* its opening bracket, which was seen */
    agentchat_item *item = NULL;
    aci_draft draft;

    aci_draft_begin(&draft);
    if (read_item_members(f, r, aci_native_item(kind), &draft, &parts)) {
        if (kind == AGENTCHAT_ITEM_MESSAGE && parts.message == NULL)
            aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "an item of type \"message\" needs a \"message\"");
        else
            item = make_item(f, r, &draft, kind, &parts);
    }
    if (draft.extras != NULL)
        aci_draft_clear(&draft, f->in->env);
    return item;
}

/* An item that is kept as it stands: `type` is absent for a null. */
static agentchat_item *keep_item(aci_native_reader *f, aci_json_reader *r, agentchat_str type, agentchat_str raw)
{
    agentchat_item *item;
    aci_draft draft;

    aci_draft_begin(&draft);
    if (type.ptr != NULL)
        aci_draft_set(&draft, AGENTCHAT_FIELD_TYPE, ACI_FORM_TEXT, type);
    aci_draft_set(&draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, raw);
    aci_draft_set(&draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, ACI_TAG(aci_native_name));
    item = aci_draft_item(&draft, f->in->arena, AGENTCHAT_ITEM_OPAQUE);
    if (item == NULL) {
        aci_native_nomem(r);
        return NULL;
    }
    item->is_null = type.ptr == NULL;
    return item;
}

static const char *skip_whitespace(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

/* The kind of the item whose first byte is p, when its type stands first, in plain spelling, and is one whose items can
   be read straight on; else 0. Looks only, so that an unknown item can still be kept as it stands. The zero bytes after
   the input end every loop. */
static agentchat_item_kind look_ahead(const char *p)
{
    static const char type[] = "\"type\"", usual[] = "{\"type\":\"";
    agentchat_item_kind kind;
    size_t len = 0;

    if (memcmp(p, usual, sizeof(usual) - 1) == 0) {
        p += sizeof(usual) - 2;
    } else {
        p = skip_whitespace(p + 1);
        if (strncmp(p, type, sizeof(type) - 1) != 0)
            return (agentchat_item_kind)0;
        p = skip_whitespace(p + sizeof(type) - 1);
        if (*p != ':')
            return (agentchat_item_kind)0;
        p = skip_whitespace(p + 1);
        if (*p != '"')
            return (agentchat_item_kind)0;
    }
    p++;
    while (len < 16 && p[len] >= 'a' && p[len] <= 'z')
        len++;
    if (p[len] != '"')
        return (agentchat_item_kind)0;
    kind = aci_native_kind((agentchat_str){p, len});
    return kind != AGENTCHAT_ITEM_OPAQUE ? kind : (agentchat_item_kind)0;
}

/* Looks for a string in an item that was skipped. */
static bool look_for(aci_native_reader *f, aci_json_reader *r, aci_native_deferred *deferred, agentchat_str name,
                     agentchat_str *out)
{
    (void)aci_native_find_string(aci_native_deferred_begin(f, deferred, false), name, out);
    return aci_native_deferred_end(f, deferred, r);
}

/* Finds the type of an item that was skipped. false after a failure. *kind is 0 when the item is to be kept as it
   stands. */
static bool look_inside(aci_native_reader *f, aci_json_reader *r, aci_native_deferred *deferred, agentchat_str *type,
                        agentchat_item_kind *kind)
{
    agentchat_str from = {NULL, 0};
    bool repeats = false;

    if (!look_for(f, r, deferred, AGENTCHAT_STR("type"), type))
        return false;
    if (type->ptr == NULL)
        return aci_json_fail_at(r, (size_t)deferred->offset, AGENTCHAT_E_SCHEMA, "an item needs a \"type\"");
    if (aci_native_kind(*type) == AGENTCHAT_ITEM_OPAQUE && !look_for(f, r, deferred, AGENTCHAT_STR("from"), &from))
        return false;
    if (from.ptr != NULL) {
        (void)aci_native_find_repeat(aci_native_deferred_begin(f, deferred, false), f->in->env, &repeats);
        if (!aci_native_deferred_end(f, deferred, r))
            return false;
    }
    *kind = repeats ? (agentchat_item_kind)0 : aci_native_item_kind(*type, from);
    return true;
}

/* An item whose type does not stand first, is spelled with escapes, or is not known. */
static agentchat_item *read_odd_item(aci_native_reader *f, aci_json_reader *r)
{
    aci_native_deferred *deferred = aci_native_skip(f, r);
    agentchat_item *item = NULL;
    agentchat_item_kind kind = (agentchat_item_kind)0;
    agentchat_str type;

    if (deferred != NULL && look_inside(f, r, deferred, &type, &kind)) {
        if (kind == 0) {
            item = keep_item(f, r, type, deferred->span);
        } else {
            item = read_known_item(f, aci_native_deferred_begin(f, deferred, true), kind);
            if (!aci_native_deferred_end(f, deferred, r))
                item = NULL;
        }
    }
    aci_native_deferred_free(f, deferred);
    return item;
}

static agentchat_item *read_item(aci_native_reader *f, aci_json_reader *r)
{
    aci_json_kind json = aci_json_next_byte(r) == '{' ? ACI_JSON_OBJECT : aci_json_peek(r);
    agentchat_item_kind kind;
    agentchat_str raw;

    if (json == ACI_JSON_NULL)
        return aci_json_raw(r, &raw) ? keep_item(f, r, (agentchat_str){NULL, 0}, raw) : NULL;
    if (json != ACI_JSON_OBJECT) {
        (void)aci_json_object(r); /* says what it found instead */
        return NULL;
    }
    kind = look_ahead(r->cursor);
    return kind != 0 ? read_known_item(f, r, kind) : read_odd_item(f, r);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

static bool grow_items(aci_native_reader *f)
{
    void *array = f->items;

    if (!aci_grow(f->in->env, &array, &f->item_cap, f->item_count, sizeof(*f->items)))
        return false;
    f->items = array;
    return true;
}

/* Pushes the items of an array on the reader's stack. */
static bool read_items(aci_native_reader *f, aci_json_reader *r)
{
    size_t base = f->item_count;

    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        agentchat_item *item = read_item(f, r);

        if (item == NULL)
            return false;
        if (f->item_count == f->item_cap && !grow_items(f))
            return aci_native_nomem(r);
        f->items[f->item_count++] = item;
    }
    if (!aci_json_failed(r) && f->item_count - base > UINT32_MAX)
        aci_json_fail(r, AGENTCHAT_E_LIMIT, "a message has more than 4294967295 items");
    return !aci_json_failed(r);
}

/* The items of a message or the content of a result: an array or null. */
static bool read_items_or_null(aci_native_reader *f, aci_json_reader *r, uint8_t *flags)
{
    *flags = aci_json_next_byte(r) != '[' && aci_json_peek(r) == ACI_JSON_NULL ? ACI_MESSAGE_ITEMS_NULL : 0;
    return *flags != 0 ? aci_json_null(r) : read_items(f, r);
}

static agentchat_message *read_content(aci_native_reader *f, aci_json_reader *r)
{
    size_t base = f->item_count;
    agentchat_message *content = NULL;
    uint8_t flags;
    aci_draft nothing;

    aci_draft_begin(&nothing);
    if (read_items_or_null(f, r, &flags)) {
        content = aci_draft_message(&nothing, f->in->arena, f->items != NULL ? &f->items[base] : NULL,
                                    f->item_count - base, flags);
        if (content == NULL)
            aci_native_nomem(r);
    }
    f->item_count = base;
    return content;
}

static bool read_message_members(aci_native_reader *f, aci_json_reader *r, aci_draft *draft, uint8_t *flags)
{
    aci_native_members members = {.known = &aci_native_message, .draft = draft};
    uint8_t what;

    if (!aci_json_object(r))
        return false;
    while (aci_native_next(f, r, &members, &what))
        if (what == ACI_NATIVE_ITEMS ? !read_items_or_null(f, r, flags) : !read_field(r, draft, (agentchat_field)what))
            return false;
    return !aci_json_failed(r);
}

agentchat_message *aci_native_read_message(aci_native_reader *f, aci_json_reader *r)
{
    size_t base = f->item_count;
    uint8_t flags = ACI_MESSAGE_ITEMS_ABSENT;
    agentchat_message *message = NULL;
    aci_draft draft;
    bool done;

    if (f->messages_left == 0) {
        aci_json_fail_at(r, aci_json_offset(r), AGENTCHAT_E_LIMIT, "the input has more than %llu messages",
                         (unsigned long long)f->in->limits.max_messages);
        return NULL;
    }
    f->messages_left--;
    aci_draft_begin(&draft);
    if (aci_json_next_byte(r) != '{' && aci_json_peek(r) == ACI_JSON_NULL) {
        flags |= ACI_MESSAGE_IS_NULL;
        done = aci_json_null(r);
    } else {
        done = read_message_members(f, r, &draft, &flags);
    }
    if (done) {
        message = aci_draft_message(&draft, f->in->arena, f->items != NULL ? &f->items[base] : NULL,
                                    f->item_count - base, flags);
        if (message == NULL)
            aci_native_nomem(r);
    }
    f->item_count = base;
    if (draft.extras != NULL)
        aci_draft_clear(&draft, f->in->env);
    return message;
}
