/* SPDX-License-Identifier: Apache-2.0 */
/* Reading messages of the semantic-kernel format, in History, in channels and as items. Layer 4. */
#include "codec/sk_read.h"

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
    aci_json_reader sub;
    aci_draft draft;
    agentchat_item *item;

    if (raw.ptr == NULL)
        return true;
    if (raw.ptr[0] != '"' || has_text_item(p->s, base))
        return aci_sk_props_give_back(p, "Content");
    aci_sk_sub_begin(p->s, p->r, &sub, raw, p->r->err);
    (void)aci_json_string(&sub, &text);
    if (!aci_sk_sub_end(p->r, &sub, raw, "Content"))
        return false;
    aci_draft_begin(&draft);
    aci_draft_set(&draft, AGENTCHAT_FIELD_TEXT, ACI_FORM_TEXT, text);
    item = aci_draft_item(&draft, p->s->home, AGENTCHAT_ITEM_TEXT);
    return item != NULL ? aci_sk_push_item(p->s, p->r, base, item) &&
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
    aci_sk_path path = {p->path, "items", 0};

    p->s->item_count = base; /* an earlier property of this name does not count */
    *flags = 0;
    if (aci_json_peek(p->r) == ACI_JSON_NULL) {
        *flags = ACI_MESSAGE_ITEMS_NULL;
        return aci_json_null(p->r);
    }
    if (aci_json_peek(p->r) != ACI_JSON_ARRAY) {
        *flags = ACI_MESSAGE_ITEMS_ABSENT;
        return aci_sk_props_misfit(p, "an array");
    }
    return aci_sk_read_items(p->s, p->r, &path);
}

static bool read_property(aci_sk_props *p, const aci_sk_prop *prop, size_t base, uint8_t *flags)
{
    switch ((aci_sk_how)prop->how) {
    case ACI_SK_ITEMS:
        return read_items_property(p, base, flags);
    case ACI_SK_CONTENT:
    case ACI_SK_OWN:
        return aci_sk_props_keep(p);
    case ACI_SK_TEXT:
        if (prop->field == AGENTCHAT_FIELD_NAME)
            return read_author(p, prop);
        return aci_sk_props_field(p, prop);
    case ACI_SK_JSON:
    case ACI_SK_LABEL:
    case ACI_SK_DATA:
    case ACI_SK_DATA_URI:
    case ACI_SK_HISTORY:
    case ACI_SK_LIST:
    case ACI_SK_STATE:
        break;
    }
    return aci_sk_props_field(p, prop);
}

/* Puts the null items back that .NET could not have been given, at their positions, which ascend: so those that have a
   place are the first ones, and the others are put around them from behind, each moved once. */
static bool restore_null_items(aci_sk_props *p, size_t base, const size_t *nulls, size_t count)
{
    aci_sk_reader *s = p->s;
    size_t from = s->item_count - base, left = 0;

    while (left < count && nulls[left] <= from + left) { /* the rest: edited since, there are no such positions */
        agentchat_item *item = aci_sk_null_item(s, p->r);

        if (item == NULL || !aci_sk_push_item(s, p->r, s->item_count, item))
            return false;
        left++;
    }
    for (size_t to = from + left; left > 0; to--) {
        if (nulls[left - 1] != to - 1) {
            agentchat_item *null_item = s->items[base + to - 1];

            from--;
            s->items[base + to - 1] = s->items[base + from];
            s->items[base + from] = null_item;
        } else {
            left--;
        }
    }
    return true;
}

/* What our own writer put beside the properties of .NET: what they cannot say, and what was repaired. */
ACI_NOINLINE static bool settle_own(aci_sk_props *p, size_t base, uint8_t *flags, bool *is_null)
{
    agentchat_str raw = aci_sk_props_kept(p, "agentchat");
    aci_sk_beside beside = {p->table, (agentchat_item_kind)0, p->draft, NULL, NULL};
    aci_sk_own own = {0};
    bool contradicted;

    if (raw.ptr == NULL)
        return true;
    if (raw.ptr[0] != '{')
        return aci_sk_props_give_back(p, "agentchat");
    if (!aci_sk_read_own(p->s, p->r, raw, p->path, &beside, &own))
        return false;
    if ((own.items_null || own.items_absent) && p->s->item_count == base)
        *flags = own.items_null ? ACI_MESSAGE_ITEMS_NULL : ACI_MESSAGE_ITEMS_ABSENT;
    *is_null = own.is_null && p->s->item_count == base && p->draft->field_count == 0 && p->draft->extra_count == 0;
    contradicted = (own.is_null && !*is_null) || ((own.items_null || own.items_absent) && p->s->item_count != base) ||
                   (own.null_count > 0 && own.nulls[own.null_count - 1] >= p->s->item_count - base + own.null_count);
    if (contradicted && !aci_sk_note(p->s, p->r, p->path, "agentchat says another thing than Items, which counts here"))
        return false;
    p->s->wrapping = own.item;
    return restore_null_items(p, base, own.nulls, own.null_count);
}

static agentchat_message *finish(aci_sk_props *p, size_t base, uint8_t flags)
{
    aci_sk_reader *s = p->s;
    agentchat_message *message;
    bool is_null = false;

    if (aci_json_failed(p->r) || !settle_content(p, base) || !settle_own(p, base, &flags, &is_null))
        return NULL;
    if (is_null)
        return aci_sk_null_message(s, p->r);
    if (s->item_count > base)
        flags = 0;
    message =
        aci_draft_message(p->draft, s->home, s->items != NULL ? s->items + base : NULL, s->item_count - base, flags);
    if (message == NULL)
        (void)aci_sk_nomem(p->r);
    return message;
}

agentchat_message *aci_sk_read_message_members(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path,
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

agentchat_message *aci_sk_null_message(aci_sk_reader *s, aci_json_reader *r)
{
    aci_draft draft;

    if (s->null_message != NULL)
        return s->null_message;
    aci_draft_begin(&draft);
    s->null_message = aci_draft_message(&draft, s->home, NULL, 0, ACI_MESSAGE_IS_NULL | ACI_MESSAGE_ITEMS_ABSENT);
    if (s->null_message == NULL)
        (void)aci_sk_nomem(r);
    return s->null_message;
}

agentchat_message *aci_sk_read_message(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path)
{
    if (aci_json_peek(r) == ACI_JSON_NULL) {
        if (!aci_json_null(r) || !aci_sk_note(s, r, path, "a message is null"))
            return NULL;
        return aci_sk_null_message(s, r);
    }
    return aci_json_object(r) ? aci_sk_read_message_members(s, r, path, &aci_sk_message) : NULL;
}
