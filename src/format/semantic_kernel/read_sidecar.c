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

static bool read_from(aci_sk_sidecar_reader *o, agentchat_str *out)
{
    if (!aci_json_string(o->r, out))
        return false;
    if (aci_tag_is_valid(*out))
        return true;
    (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "%s", aci_tag_rule);
    return false;
}

/* Reads an extra and adds it to the draft if it belongs here. *at: its position, SIZE_MAX when none is given. */
static bool read_extra(aci_sk_sidecar_reader *o, size_t *at, bool *added)
{
    agentchat_extra extra = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    agentchat_str key;
    bool ok = aci_json_object(o->r);

    *at = SIZE_MAX;
    *added = false;
    while (ok && aci_json_member(o->r, &key)) {
        if (aci_sk_view_is(key, "from"))
            ok = read_from(o, &extra.from);
        else if (aci_sk_view_is(key, "at"))
            ok = aci_sk_read_sidecar_size(o, at);
        else if (aci_sk_view_is(key, "name"))
            ok = aci_json_string(o->r, &extra.name);
        else
            ok = aci_sk_read_sidecar_json(o, key, &extra.value);
    }
    if (!ok || aci_json_failed(o->r))
        return false;
    if (extra.name.ptr == NULL || extra.value.ptr == NULL) {
        (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "an extra needs name and value");
        return false;
    }
    *added = aci_sk_extra_is_moved(o->beside->table, &extra, true);
    if (!*added)
        o->refused++;
    return !*added || aci_draft_add_extra(o->draft, o->s->env, extra) || aci_sk_nomem(o->r);
}

/* Moves the extras after the first `count` to where `at` says, one position for each of them; the others keep their
   order around them. */
static bool position_extras(aci_sk_sidecar_reader *o, size_t count, const size_t *at)
{
    aci_draft *draft = o->draft;
    size_t total = draft->extra_count, rest = 0, moved = count;
    agentchat_extra *old;

    if (total == count)
        return true;
    old = aci_alloc(o->s->env, total * sizeof *old); /* cannot wrap: as large an array exists */
    if (old == NULL)
        return aci_sk_nomem(o->r);
    memcpy(old, draft->extras, total * sizeof *old);
    for (size_t i = 0; i < total; i++) {
        while (moved < total && at[moved - count] >= total)
            moved++;
        while (rest >= count && rest < total && at[rest - count] < total)
            rest++;
        draft->extras[i] = moved < total && (at[moved - count] <= i || rest == total) ? old[moved++] : old[rest++];
    }
    aci_free(o->s->env, old, total * sizeof *old);
    return true;
}

static bool read_extras(aci_sk_sidecar_reader *o)
{
    size_t count = o->draft->extra_count, read = 0, cap = 0, last = 0;
    size_t *at = NULL;
    bool ok = aci_json_array(o->r), any = false, added;

    if (ok && o->has_extras) {
        (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "extras occurs twice");
        return false;
    }
    o->has_extras = true;
    while (ok && aci_json_element(o->r)) {
        void *grown = at;

        ok = aci_grow(o->s->env, &grown, &cap, read, sizeof *at) || aci_sk_nomem(o->r);
        at = grown;
        ok = ok && read_extra(o, &at[read], &added);
        if (!ok || !added)
            continue;
        if (at[read] == SIZE_MAX) {
            read++;
            continue;
        }
        if (any && at[read] <= last) {
            (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "positions must ascend");
            ok = false;
        }
        any = true;
        last = at[read++];
    }
    ok = ok && !aci_json_failed(o->r) && position_extras(o, count, at);
    aci_free(o->s->env, at, cap * sizeof *at);
    return ok;
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
static bool read_absent(aci_sk_sidecar_reader *o)
{
    agentchat_str name;
    bool ok = aci_json_array(o->r);

    while (ok && aci_json_element(o->r)) {
        ok = aci_json_string(o->r, &name);
        if (!ok)
            break;
        if (aci_sk_view_is(name, "items")) {
            o->sidecar->items_absent = true;
        } else if (aci_sk_view_is(name, "data")) {
            o->sidecar->data_absent = true;
        } else {
            agentchat_field field = field_of(o, name);

            if (field != 0)
                aci_draft_unset(o->draft, field);
        }
    }
    return ok && !aci_json_failed(o->r);
}

static bool read_field(aci_sk_sidecar_reader *o, agentchat_field field)
{
    agentchat_str value;

    if (aci_json_peek(o->r) == ACI_JSON_NULL) {
        aci_draft_set(o->draft, field, ACI_FORM_NULL, agentchat_str_null());
        return aci_json_null(o->r);
    }
    if (!(aci_field_form(field) == ACI_FORM_JSON ? aci_json_raw(o->r, &value) : aci_json_string(o->r, &value)))
        return false;
    if (aci_field_form(field) == ACI_FORM_JSON && aci_field_mismatch(field, value) != NULL) {
        (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "a flag is true or false");
        return false;
    }
    aci_draft_set(o->draft, field, aci_field_form(field), value);
    return true;
}

static bool read_opaque(aci_sk_sidecar_reader *o)
{
    agentchat_str key, from = {NULL, 0}, type = {NULL, 0}, raw = {NULL, 0};
    bool ok = aci_json_object(o->r);

    while (ok && aci_json_member(o->r, &key)) {
        if (aci_sk_view_is(key, "from"))
            ok = read_from(o, &from);
        else if (aci_sk_view_is(key, "kind"))
            ok = aci_sk_read_sidecar_text(o, &type);
        else
            ok = aci_sk_read_sidecar_json(o, key, &raw);
    }
    if (!ok || aci_json_failed(o->r))
        return false;
    if (raw.ptr == NULL) {
        (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "an opaque item needs raw");
        return false;
    }
    o->draft->field_count = 0; /* the text in its stead was for .NET's readers only */
    if (type.ptr != NULL)
        aci_draft_set(o->draft, AGENTCHAT_FIELD_TYPE, agentchat_str_is_null(type) ? ACI_FORM_NULL : ACI_FORM_TEXT,
                      type);
    aci_draft_set(o->draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, raw);
    aci_draft_set(o->draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, from);
    o->sidecar->opaque = true;
    o->kind = AGENTCHAT_ITEM_OPAQUE;
    return true;
}

/* Members of messages and items. */
static bool read_field_member(aci_sk_sidecar_reader *o, agentchat_str key, bool *mine)
{
    agentchat_field field = field_of(o, key);

    *mine = true;
    if (field != 0)
        return read_field(o, field);
    if (aci_sk_view_is(key, "absent"))
        return read_absent(o);
    if (o->kind == 0 && aci_sk_view_is(key, "items")) {
        o->sidecar->items_null = true;
        return aci_json_null(o->r);
    }
    if (o->kind == 0 && aci_sk_view_is(key, "null"))
        return aci_json_bool(o->r, &o->sidecar->is_null);
    if (o->kind == 0 && aci_sk_view_is(key, "item"))
        return aci_json_peek(o->r) == ACI_JSON_OBJECT ? aci_json_raw(o->r, &o->sidecar->item)
                                                      : aci_sk_read_sidecar_refuse(o);
    if (o->kind != 0 && aci_sk_view_is(key, "opaque"))
        return read_opaque(o);
    if (o->kind == AGENTCHAT_ITEM_RESULT && aci_sk_view_is(key, "content")) {
        o->sidecar->content = o->s->read_content(o->s, o->r, o->path);
        return o->sidecar->content != NULL;
    }
    *mine = false;
    return true;
}

/* ---- the sidecar ---------------------------------------------------------------------------------------------- */

static bool read_member(aci_sk_sidecar_reader *o, agentchat_str key)
{
    agentchat_str raw;
    aci_excerpt excerpt;
    bool mine;

    if (aci_sk_view_is(key, "extras"))
        return read_extras(o);
    if (aci_sk_view_is(key, "nulls"))
        return aci_sk_read_sidecar_positions(o, &o->sidecar->nulls, &o->sidecar->null_count);
    if (!(o->texts != NULL ? aci_sk_read_sidecar_envelope(o, key, &mine) : read_field_member(o, key, &mine)))
        return false;
    if (mine)
        return true;
    return aci_json_raw(o->r, &raw) &&
           (aci_sk_report(o->s->report, o->s->env, AGENTCHAT_REPORT_LOSS, o->path,
                          "the property agentchat holds %s, which this version does not know",
                          aci_error_excerpt(key, &excerpt)) ||
            aci_sk_nomem(o->r));
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
static bool read_all(aci_sk_sidecar_reader *o, agentchat_str raw, aci_json_reader *outer, agentchat_error *err)
{
    aci_json_reader sub;
    agentchat_str key;
    bool ok;

    aci_sk_sub_begin(o->s, outer, &sub, raw, err);
    o->r = &sub;
    ok = aci_json_object(&sub);
    while (ok && aci_json_member(&sub, &key))
        ok = read_member(o, key);
    if (sub.status == AGENTCHAT_E_SCHEMA) /* somebody else's, which is no failure */
        (void)aci_json_close(&sub);
    else
        (void)aci_sk_sub_end(outer, &sub, raw, "agentchat");
    o->r = NULL; /* it ends here */
    return ok && sub.status >= 0;
}

bool aci_sk_read_sidecar(aci_sk_reader *s, aci_json_reader *r, agentchat_str raw, const aci_sk_path *path,
                         const aci_sk_beside *beside, aci_sk_sidecar *sidecar)
{
    agentchat_extra unknown = {AGENTCHAT_STR("agentchat"), raw, ACI_TAG(aci_sk_name)};
    agentchat_str texts[3];
    aci_draft work;
    aci_sk_sidecar_reader o = {s,      NULL,  path, beside->kind, &work, beside->texts != NULL ? texts : NULL, sidecar,
                               beside, false, 0};
    agentchat_error err;

    agentchat_error_clear(&err);
    *sidecar = (aci_sk_sidecar){.synced = AGENTCHAT_SYNCED_UNKNOWN};
    if (beside->texts != NULL)
        memcpy(texts, beside->texts, sizeof texts);
    if (!copy_draft(s, beside->draft, &work)) {
        aci_draft_clear(&work, s->env);
        return aci_sk_nomem(r);
    }
    if (read_all(&o, raw, r, &err) && aci_sk_check_sidecar(&o, r)) {
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
