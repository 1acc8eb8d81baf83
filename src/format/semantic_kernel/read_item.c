/* SPDX-License-Identifier: Apache-2.0 */
/* Reading one item; one that holds a message is read in read_message.c. */
#include "format/semantic_kernel/read_item.h"
#include "format/semantic_kernel/read_sidecar.h"

/* ---- items of unknown kind --------------------------------------------------------------------------------------- */

ACI_NOINLINE agentchat_item *aci_sk_opaque_item(aci_sk_reader *s, aci_json_reader *r, agentchat_str type,
                                                agentchat_str raw)
{
    agentchat_item *item;
    aci_draft draft;

    aci_draft_begin(&draft);
    if (type.ptr != NULL)
        aci_draft_set(&draft, AGENTCHAT_FIELD_TYPE, ACI_FORM_TEXT, type);
    aci_draft_set(&draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, raw);
    aci_draft_set(&draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, ACI_TAG(aci_sk_name));
    item = aci_draft_item(&draft, s->arena, AGENTCHAT_ITEM_OPAQUE);
    if (item == NULL)
        (void)aci_sk_nomem(r);
    return item;
}

agentchat_item *aci_sk_null_item(aci_sk_reader *s, aci_json_reader *r)
{
    agentchat_item *item = aci_sk_opaque_item(s, r, (agentchat_str){NULL, 0}, AGENTCHAT_STR("null"));

    if (item != NULL)
        item->is_null = 1;
    return item;
}

/* ---- items of known kind ----------------------------------------------------------------------------------------- */

static bool read_property(aci_sk_props *p, const aci_sk_prop *prop, aci_data **data)
{
    agentchat_str base64;

    if (prop->legacy)
        return aci_sk_props_keep(p);
    if (prop->how != ACI_SK_DATA)
        return aci_sk_props_field(p, prop);
    *data = NULL;
    if (!aci_sk_read_base64(p, &base64))
        return false;
    if (base64.ptr == NULL)
        return true;
    *data = aci_data_new(p->s->arena, base64, (agentchat_str){NULL, 0});
    return *data != NULL || aci_sk_nomem(p->r);
}

/* Makes the item from the draft and what the sidecar says about it. */
ACI_NOINLINE static agentchat_item *finish(aci_sk_props *p, agentchat_item_kind kind, aci_data *data)
{
    aci_sk_beside beside = {p->table, kind, p->draft, NULL, data};
    aci_sk_sidecar sidecar;
    agentchat_item *item;

    if (!aci_sk_settle_sidecar(p, &beside, &sidecar))
        return NULL;
    if (sidecar.opaque)
        kind = AGENTCHAT_ITEM_OPAQUE;
    item = aci_draft_item(p->draft, p->s->arena, kind);
    if (item == NULL) {
        (void)aci_sk_nomem(p->r);
        return NULL;
    }
    if (kind == AGENTCHAT_ITEM_RESULT)
        item->u.message = sidecar.content;
    else if (kind == AGENTCHAT_ITEM_IMAGE || kind == AGENTCHAT_ITEM_AUDIO || kind == AGENTCHAT_ITEM_BINARY)
        item->u.data = sidecar.data_absent ? NULL : data;
    return item;
}

ACI_NOINLINE agentchat_item *aci_sk_read_item(aci_sk_reader *s, aci_json_reader *r, const aci_location *path,
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
    if (ok && !aci_json_failed(r) && aci_sk_read_legacy(&props, kind, &data))
        item = finish(&props, kind, data);
    aci_sk_props_end(&props);
    aci_draft_clear(&draft, s->env);
    return item;
}

/* ---- the item around a message ----------------------------------------------------------------------------------- */

static agentchat_item *make_nested(aci_sk_reader *s, aci_json_reader *r, const aci_draft *draft,
                                   agentchat_message *message)
{
    agentchat_item *item = aci_draft_item(draft, s->arena, AGENTCHAT_ITEM_MESSAGE);

    if (item != NULL)
        item->u.message = message;
    if (item == NULL || (draft->extra_count > 0 &&
                         (item->extras = aci_extras_new(s->arena, draft->extras, draft->extra_count)) == NULL)) {
        (void)aci_sk_nomem(r);
        return NULL;
    }
    return item;
}

ACI_NOINLINE agentchat_item *aci_sk_wrap_message(aci_sk_reader *s, aci_json_reader *r, const aci_location *path,
                                                 agentchat_message *message)
{
    agentchat_str wrapping = s->wrapping;
    agentchat_item *item = NULL;
    aci_draft draft;
    aci_sk_beside beside = {NULL, AGENTCHAT_ITEM_MESSAGE, &draft, NULL, NULL};
    aci_sk_sidecar sidecar = {0};

    aci_draft_begin(&draft);
    if (wrapping.ptr == NULL || aci_sk_read_sidecar(s, r, wrapping, path, &beside, &sidecar))
        item = make_nested(s, r, &draft, message);
    aci_draft_clear(&draft, s->env);
    return item;
}
