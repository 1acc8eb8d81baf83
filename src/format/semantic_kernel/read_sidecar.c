/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the sidecar, the "agentchat" property that our writer puts beside .NET's: what they cannot say, and what
 * stood there before a repair (docs/formats/semantic-kernel.md).
 * A property of this name that does not have our shape is somebody else's: it stays an unknown property.
 */
#include "format/semantic_kernel/read_sidecar.h"
#include "format/semantic_kernel/read_sidecar_parts.h"
#include "format/semantic_kernel/write_sidecar.h"

#include "base/error.h"

static bool read_from(aci_sk_sidecar_reader *o, agentchat_str raw, agentchat_str *out)
{
    return aci_sk_sidecar_string(o, raw, out) && aci_tag_is_valid(*out);
}

/* Reads an extra and adds it to the draft if it belongs here. *at: its position, SIZE_MAX when none is given. */
static bool read_extra(aci_sk_sidecar_reader *o, agentchat_str raw, size_t *at, bool *added)
{
    agentchat_extra extra = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    agentchat_str key;
    bool ok = *raw.ptr == '{';
    aci_walk walk;

    *at = SIZE_MAX;
    aci_walk_begin(&walk, raw);
    while (ok && aci_sk_sidecar_member(o, &walk, &key)) {
        if (aci_sk_view_is(key, "from"))
            ok = read_from(o, walk.value, &extra.from);
        else if (aci_sk_view_is(key, "at"))
            ok = aci_sk_sidecar_size(walk.value, at);
        else if (aci_sk_view_is(key, "name"))
            ok = aci_sk_sidecar_string(o, walk.value, &extra.name);
        else
            ok = aci_sk_sidecar_json(o, key, walk.value, &extra.value);
    }
    if (!ok || extra.name.ptr == NULL || extra.value.ptr == NULL)
        return false;
    *added = aci_sk_extra_is_moved(o->beside->table, &extra, true);
    o->refused += !*added;
    return !*added || aci_draft_add_extra(o->draft, o->s->env, extra) || aci_sk_nomem(o->r);
}

static bool read_extras(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    aci_draft *draft = o->draft;
    size_t count = draft->extra_count, read = 0, last = 0, *at;
    bool any = false, added;
    void *room;
    aci_walk walk;

    if (o->has_extras || !aci_sk_sidecar_room(o, raw, sizeof *at, &room))
        return false;
    o->has_extras = true;
    at = room;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk)) {
        if (!read_extra(o, walk.value, &at[read], &added))
            return false;
        if (!added)
            continue;
        if (at[read] != SIZE_MAX) {
            if (any && at[read] <= last)
                return false;
            any = true;
            last = at[read];
        }
        read++;
    }
    for (size_t i = 0; i < read; i++)
        if (at[i] >= count + read) /* edited since: there is no such position */
            at[i] = SIZE_MAX;
    return aci_sk_interleave(o->s->env, draft->extras, sizeof *draft->extras, count, at, read) || aci_sk_nomem(o->r);
}

static agentchat_field field_of(const aci_sk_sidecar_reader *o, agentchat_str name)
{
    for (int i = 1; i < AGENTCHAT_FIELD_FORM; i++) {
        agentchat_field field = (agentchat_field)i;

        if (!(o->kind == 0 ? aci_field_of_message(field) : aci_field_of_item(o->kind, field)))
            continue;
        if (aci_sk_view_is(name, aci_field_name(field)))
            return field;
    }
    return (agentchat_field)0;
}

/* Names of what was absent, although .NET's form has to say something. */
static bool read_absent(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    agentchat_str name;
    aci_walk walk;

    if (*raw.ptr != '[')
        return false;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk)) {
        agentchat_field field;

        if (!aci_sk_sidecar_string(o, walk.value, &name))
            return false;
        field = field_of(o, name);
        if (aci_sk_view_is(name, "items"))
            o->sidecar->items_absent = true;
        else if (aci_sk_view_is(name, "data"))
            o->sidecar->data_absent = true;
        else if (field != 0)
            aci_draft_unset(o->draft, field);
    }
    return true;
}

static bool read_field(aci_sk_sidecar_reader *o, agentchat_field field, agentchat_str raw)
{
    aci_form form = *raw.ptr == 'n' ? ACI_FORM_NULL : aci_field_form(field);
    agentchat_str value = form == ACI_FORM_NULL ? agentchat_str_null() : raw;

    if (form == ACI_FORM_TEXT && !aci_sk_sidecar_string(o, raw, &value))
        return false;
    if (form == ACI_FORM_JSON && aci_field_mismatch(field, value) != NULL)
        return false;
    aci_draft_set(o->draft, field, form, value);
    return true;
}

static bool read_opaque(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    agentchat_str key, from = {NULL, 0}, type = {NULL, 0}, item = {NULL, 0};
    bool ok = *raw.ptr == '{';
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    while (ok && aci_sk_sidecar_member(o, &walk, &key)) {
        if (aci_sk_view_is(key, "from"))
            ok = read_from(o, walk.value, &from);
        else if (aci_sk_view_is(key, "kind"))
            ok = aci_sk_sidecar_text_or_null(o, walk.value, &type);
        else
            ok = aci_sk_sidecar_json(o, key, walk.value, &item);
    }
    if (!ok || item.ptr == NULL)
        return false;
    o->draft->field_count = 0; /* the text in its stead was for .NET's readers only */
    if (type.ptr != NULL)
        aci_draft_set(o->draft, AGENTCHAT_FIELD_TYPE, agentchat_str_is_null(type) ? ACI_FORM_NULL : ACI_FORM_TEXT,
                      type);
    aci_draft_set(o->draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, item);
    aci_draft_set(o->draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, from);
    o->sidecar->opaque = true;
    o->kind = AGENTCHAT_ITEM_OPAQUE;
    return true;
}

static bool read_content(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    aci_json_reader *sub = aci_sk_sub_new(o->s, o->r, raw);
    agentchat_error err;

    if (sub == NULL)
        return false;
    agentchat_error_clear(&err);
    sub->err = &err; /* what no reader takes for items is no failure */
    o->sidecar->content = o->s->read_content(o->s, sub, o->path);
    if (sub->status != AGENTCHAT_E_SCHEMA)
        return aci_sk_sub_free(o->s, o->r, sub, raw, "agentchat/content");
    (void)aci_json_close(sub);
    aci_free(o->s->env, sub, sizeof *sub);
    return false;
}

/* Members of messages and items. */
static bool read_field_member(aci_sk_sidecar_reader *o, agentchat_str key, agentchat_str raw, bool *mine)
{
    agentchat_field field = field_of(o, key);

    *mine = true;
    if (field != 0)
        return read_field(o, field, raw);
    if (aci_sk_view_is(key, "absent"))
        return read_absent(o, raw);
    if (o->kind == 0 && aci_sk_view_is(key, "items"))
        return o->sidecar->items_null = *raw.ptr == 'n';
    if (o->kind == 0 && aci_sk_view_is(key, "null"))
        return aci_sk_sidecar_flag(raw, &o->sidecar->is_null);
    if (o->kind == 0 && aci_sk_view_is(key, "item")) {
        o->sidecar->item = raw;
        return *raw.ptr == '{';
    }
    if (o->kind != 0 && aci_sk_view_is(key, "opaque"))
        return read_opaque(o, raw);
    if (o->kind == AGENTCHAT_ITEM_RESULT && aci_sk_view_is(key, "content"))
        return read_content(o, raw);
    *mine = false;
    return true;
}

/* ---- the sidecar ---------------------------------------------------------------------------------------------- */

static bool read_member(aci_sk_sidecar_reader *o, agentchat_str key, agentchat_str raw)
{
    aci_excerpt excerpt;
    bool mine;

    if (aci_sk_view_is(key, "extras"))
        return read_extras(o, raw);
    if (aci_sk_view_is(key, "nulls"))
        return aci_sk_sidecar_positions(o, raw, &o->sidecar->nulls, &o->sidecar->null_count);
    if (!(o->texts != NULL ? aci_sk_sidecar_envelope(o, key, raw, &mine) : read_field_member(o, key, raw, &mine)))
        return false;
    return mine ||
           aci_raw_reader_report(o->s->report, o->s->env, AGENTCHAT_REPORT_LOSS, (agentchat_str){NULL, 0}, o->path,
                                 "the property agentchat holds %s, which this version does not know",
                                 aci_error_excerpt(key, &excerpt)) ||
           aci_sk_nomem(o->r);
}

/* A copy with room of its own for the extras. */
static bool copy_draft(aci_sk_reader *s, const aci_draft *from, aci_draft *to)
{
    aci_draft_begin(to);
    memcpy(to->fields, from->fields, from->field_count * sizeof *to->fields);
    to->field_count = from->field_count;
    for (size_t i = 0; i < from->extra_count; i++)
        if (!aci_draft_add_extra(to, s->env, from->extras[i]))
            return false;
    return true;
}

/* Reads all of it into copies; true: they count. */
static bool read_all(aci_sk_sidecar_reader *o, agentchat_str raw)
{
    agentchat_str key;
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    while (aci_sk_sidecar_member(o, &walk, &key))
        if (!read_member(o, key, walk.value))
            return false;
    return !aci_json_failed(o->r) && aci_sk_check_sidecar(o);
}

bool aci_sk_read_sidecar(aci_sk_reader *s, aci_json_reader *r, agentchat_str raw, const aci_location *path,
                         const aci_sk_beside *beside, aci_sk_sidecar *sidecar)
{
    agentchat_extra unknown = {AGENTCHAT_STR("agentchat"), raw, ACI_TAG(aci_sk_name)};
    agentchat_str texts[3];
    aci_draft work;
    aci_sk_sidecar_reader o = {s,      r,     path, beside->kind, &work, beside->texts != NULL ? texts : NULL, sidecar,
                               beside, false, 0};

    *sidecar = (aci_sk_sidecar){.synced = AGENTCHAT_SYNCED_UNKNOWN};
    if (beside->texts != NULL)
        memcpy(texts, beside->texts, sizeof texts);
    if (!copy_draft(s, beside->draft, &work)) {
        aci_draft_clear(&work, s->env);
        return aci_sk_nomem(r);
    }
    if (read_all(&o, raw)) {
        aci_draft_clear(beside->draft, s->env);
        *beside->draft = work;
        if (beside->texts != NULL)
            memcpy(beside->texts, texts, sizeof texts);
        return true;
    }
    aci_draft_clear(&work, s->env);
    if (aci_json_failed(r))
        return false;
    *sidecar = (aci_sk_sidecar){.synced = AGENTCHAT_SYNCED_UNKNOWN};
    return (aci_draft_add_extra(beside->draft, s->env, unknown) || aci_sk_nomem(r)) &&
           aci_sk_note(s, r, path, "the property agentchat has a foreign shape; it is kept as an unknown property");
}

bool aci_sk_settle_sidecar(aci_sk_props *p, const aci_sk_beside *beside, aci_sk_sidecar *sidecar)
{
    agentchat_str raw = aci_sk_props_kept(p, "agentchat");

    *sidecar = (aci_sk_sidecar){.synced = AGENTCHAT_SYNCED_UNKNOWN};
    if (raw.ptr == NULL)
        return true;
    return *raw.ptr == '{' ? aci_sk_read_sidecar(p->s, p->r, raw, p->path, beside, sidecar)
                           : aci_sk_props_give_back(p, "agentchat");
}
