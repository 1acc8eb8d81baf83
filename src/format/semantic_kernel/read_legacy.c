/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Older spellings of items, which .NET itself no longer reads or silently empties: annotations of 1.9 to 1.49, results
 * whose call id was called Id, bytes called Content, data URIs.
 */
#include "format/semantic_kernel/data_uri.h"
#include "format/semantic_kernel/read_item.h"

/* Decodes the string under an old property; absent when there is none. */
static bool decode(aci_sk_props *p, const char *name, agentchat_str *out)
{
    agentchat_str raw = aci_sk_props_kept(p, name);

    *out = (agentchat_str){NULL, 0};
    return raw.ptr == NULL || *raw.ptr != '"' || aci_sk_decode(p->s, p->r, raw, out);
}

static bool has_field(const aci_sk_props *p, agentchat_field field)
{
    return aci_field_find(p->draft->fields, p->draft->field_count, field) != NULL;
}

/* Moves a string from an old property into its field, if nothing stands there. */
static bool move_text(aci_sk_props *p, const char *name, agentchat_field field, const char *now)
{
    agentchat_str text;

    if (!decode(p, name, &text))
        return false;
    if (text.ptr == NULL || has_field(p, field))
        return aci_sk_props_give_back(p, name);
    aci_draft_set(p->draft, field, ACI_FORM_TEXT, text);
    return aci_sk_note(p->s, p->r, p->path, "the old property %s was read as %s", name, now);
}

static bool settle_annotation(aci_sk_props *p)
{
    bool old = !aci_sk_props_seen(p, "Kind") && !aci_sk_props_seen(p, "Label") && !aci_sk_props_seen(p, "ReferenceId");

    if (!old)
        return aci_sk_props_give_back(p, "Quote") && aci_sk_props_give_back(p, "FileId");
    if (aci_sk_props_kept(p, "Quote").ptr == NULL && aci_sk_props_kept(p, "FileId").ptr == NULL)
        return true;
    if (!move_text(p, "Quote", AGENTCHAT_FIELD_LABEL, "Label") ||
        !move_text(p, "FileId", AGENTCHAT_FIELD_REFERENCE_ID, "ReferenceId"))
        return false;
    if (has_field(p, AGENTCHAT_FIELD_LABEL) || has_field(p, AGENTCHAT_FIELD_REFERENCE_ID))
        aci_draft_set(p->draft, AGENTCHAT_FIELD_KIND, ACI_FORM_TEXT, AGENTCHAT_STR("filecitation"));
    return true;
}

/* The bytes of 1.5 to 1.14 under their old name. */
static bool settle_content(aci_sk_props *p, aci_data **data)
{
    agentchat_str raw = aci_sk_props_kept(p, "Content"), base64;
    aci_json_reader sub, *outer = p->r;
    bool ok;

    if (raw.ptr == NULL)
        return true;
    if (*data != NULL || *raw.ptr != '"')
        return aci_sk_props_give_back(p, "Content");
    aci_sk_sub_begin(p->s, outer, &sub, raw, outer->err);
    p->r = &sub;
    ok = aci_sk_read_base64(p, &base64);
    p->r = outer;
    if (!aci_sk_sub_end(outer, &sub, raw, "Content") || !ok)
        return false;
    *data = aci_data_new(p->s->arena, base64, (agentchat_str){NULL, 0});
    if (*data == NULL)
        return aci_sk_nomem(outer);
    return aci_sk_note(p->s, outer, p->path, "the old property Content was read as Data");
}

static bool apply_data_uri(aci_sk_props *p, agentchat_str text, aci_data **data, bool *applied)
{
    aci_sk_data_uri uri;

    *applied = *data == NULL && text.ptr != NULL && aci_sk_data_uri_parse(text, &uri);
    if (!*applied)
        return true;
    *data = aci_sk_data_uri_apply(&uri, p->draft, p->s->env, p->s->arena);
    return *data != NULL || aci_sk_nomem(p->r);
}

static bool settle_data(aci_sk_props *p, aci_data **data)
{
    agentchat_str uri = aci_field_view(aci_field_find(p->draft->fields, p->draft->field_count, AGENTCHAT_FIELD_URI)),
                  text;
    bool applied;

    if (!settle_content(p, data))
        return false;
    if (uri.len > 0 && aci_sk_is_data_uri(uri)) {
        if (!apply_data_uri(p, uri, data, &applied))
            return false;
        if (applied)
            aci_draft_unset(p->draft, AGENTCHAT_FIELD_URI);
        if (!aci_sk_note(p->s, p->r, p->path,
                         applied ? "a data URI in Uri was read as data" : "Uri holds a data URI that cannot be read"))
            return false;
    }
    if (!decode(p, "DataUri", &text) || !apply_data_uri(p, text, data, &applied))
        return false;
    if (!applied)
        return aci_sk_props_give_back(p, "DataUri");
    return aci_sk_note(p->s, p->r, p->path, "the property DataUri was read as data");
}

bool aci_sk_read_legacy(aci_sk_props *p, agentchat_item_kind kind, aci_data **data)
{
    if (kind == AGENTCHAT_ITEM_IMAGE || kind == AGENTCHAT_ITEM_AUDIO || kind == AGENTCHAT_ITEM_BINARY)
        return settle_data(p, data);
    if (p->old == 0)
        return true;
    if (kind == AGENTCHAT_ITEM_RESULT)
        return move_text(p, "Id", AGENTCHAT_FIELD_CALL_ID, "CallId");
    if (kind == AGENTCHAT_ITEM_ANNOTATION)
        return settle_annotation(p);
    return true;
}
