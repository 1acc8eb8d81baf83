/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running along the properties of an object: the exact spelling wins over another letter case, the last one of several
 * wins, and what is unknown or of the wrong type is kept as an extra.
 */
#include "format/semantic_kernel/read_properties.h"

#include "base/error.h"

void aci_sk_props_begin(aci_sk_props *p, aci_sk_reader *s, aci_json_reader *r, const aci_sk_table *table,
                        const aci_location *path, aci_draft *draft)
{
    *p = (aci_sk_props){
        .s = s, .r = r, .table = table, .path = path, .draft = draft, .current = ACI_SK_END, .skip_type = s->skip_type};
    s->skip_type = false;
}

void aci_sk_props_end(aci_sk_props *p)
{
    aci_free(p->s->env, p->others, p->table->count * sizeof *p->others);
    p->others = NULL;
}

static bool need_others(aci_sk_props *p)
{
    if (p->others == NULL)
        p->others = aci_alloc_zero(p->s->env, p->table->count * sizeof *p->others);
    return p->others != NULL || aci_sk_nomem(p->r);
}

static bool add_extra(aci_sk_props *p, agentchat_str name, agentchat_str raw)
{
    agentchat_extra extra = {name, raw, ACI_TAG(aci_sk_name)};

    return aci_draft_add_extra(p->draft, p->s->env, extra) || aci_sk_nomem(p->r);
}

/* The same for the value of the current property, spelled as .NET does: it goes away again if a later one counts. */
static bool add_exact_extra(aci_sk_props *p, agentchat_str raw)
{
    if (!need_others(p) || !add_extra(p, p->key, raw))
        return false;
    if ((p->exact & UINT32_C(1) << p->current) != 0)
        p->others[p->current].extra = p->draft->extra_count;
    return true;
}

/* Marks it, so that an object with many such properties costs no more than its size. */
static void remove_exact_extra(aci_sk_props *p, int index)
{
    if (p->others == NULL || p->others[index].extra == 0)
        return;
    p->draft->extras[p->others[index].extra - 1].name.ptr = NULL;
    p->others[index].extra = 0;
    p->removed = true;
}

static void drop_removed(aci_sk_props *p)
{
    aci_draft *draft = p->draft;
    size_t kept = 0;

    for (size_t i = 0; p->removed && i < draft->extra_count; i++)
        if (draft->extras[i].name.ptr != NULL)
            draft->extras[kept++] = draft->extras[i];
    if (p->removed)
        draft->extra_count = kept;
    p->removed = false;
}

static bool note_duplicate(aci_sk_props *p, agentchat_str key)
{
    aci_excerpt excerpt;

    return aci_sk_note(p->s, p->r, p->path, "the property %s occurs more than once; the last one counts",
                       aci_error_excerpt(key, &excerpt));
}

/* A property of the table, spelled as .NET does. */
static bool take_exact(aci_sk_props *p, int index, agentchat_str key)
{
    uint32_t bit = UINT32_C(1) << index;

    if ((p->exact & bit) != 0) {
        remove_exact_extra(p, index);
        if (!note_duplicate(p, key))
            return false;
    } else if ((p->other & bit) != 0) {
        p->other &= ~bit;
        if (!add_extra(p, p->others[index].key, p->others[index].raw))
            return false;
    }
    p->exact |= bit;
    p->expected = (size_t)index + 1;
    return true;
}

/* A property of the table in another letter case. *mine: whether it counts as that property. */
static bool take_other(aci_sk_props *p, int index, agentchat_str key, bool *mine)
{
    uint32_t bit = UINT32_C(1) << index;

    *mine = (p->exact & bit) == 0;
    if (!*mine)
        return true;
    if (!need_others(p) || ((p->other & bit) != 0 && !note_duplicate(p, key)))
        return false;
    p->other |= bit;
    p->others[index].key = key;
    p->other_begin = p->r->begin + aci_json_offset(p->r);
    return true;
}

/* The value of a property in another case has been read: its span is now known. */
static void close_other(aci_sk_props *p)
{
    if (p->other_begin == NULL)
        return;
    p->others[p->current].raw = (agentchat_str){p->other_begin, (size_t)(p->r->cursor - p->other_begin)};
    p->other_begin = NULL;
}

int aci_sk_props_next(aci_sk_props *p)
{
    agentchat_str key, raw;
    bool exact, mine;

    for (;;) {
        int index;

        close_other(p);
        if (!aci_json_member(p->r, &key)) {
            drop_removed(p);
            return ACI_SK_END;
        }
        index = aci_sk_find_property(p->table, p->expected, key, &exact);
        mine = index >= 0;
        if (mine && !(exact ? take_exact(p, index, key) : take_other(p, index, key, &mine)))
            return ACI_SK_END;
        if (mine) {
            p->key = key;
            p->current = index;
            return index;
        }
        if (!aci_json_raw(p->r, &raw))
            return ACI_SK_END;
        if (p->skip_type && aci_sk_view_is(key, "$type"))
            continue;
        if (!add_extra(p, key, raw))
            return ACI_SK_END;
    }
}

bool aci_sk_props_mismatch(aci_sk_props *p, const char *wanted)
{
    agentchat_str raw;
    aci_excerpt excerpt;

    if (p->other_begin != NULL) { /* then it is just an unknown property */
        p->other &= ~(UINT32_C(1) << p->current);
        p->other_begin = NULL;
    }
    return aci_json_raw(p->r, &raw) && add_exact_extra(p, raw) &&
           aci_sk_note(p->s, p->r, p->path, "the property %s is not %s; it is kept as an unknown property",
                       aci_error_excerpt(p->key, &excerpt), wanted);
}

bool aci_sk_props_keep(aci_sk_props *p)
{
    agentchat_str raw;

    if (!need_others(p) || !aci_json_raw(p->r, &raw))
        return false;
    p->other_begin = NULL;
    p->others[p->current].key = p->key;
    p->others[p->current].raw = raw;
    p->old |= UINT32_C(1) << p->current;
    return true;
}

/* The bit of a property of the table; *index gets its index. */
static uint32_t bit_of(const aci_sk_props *p, const char *name, int *index)
{
    bool exact;

    *index = aci_sk_find_property(p->table, 0, agentchat_str_from(name), &exact);
    return *index >= 0 ? UINT32_C(1) << *index : 0;
}

agentchat_str aci_sk_props_kept(const aci_sk_props *p, const char *name)
{
    int index;

    return (p->old & bit_of(p, name, &index)) != 0 ? p->others[index].raw : (agentchat_str){NULL, 0};
}

bool aci_sk_props_give_back(aci_sk_props *p, const char *name)
{
    int index;
    uint32_t bit = p->old & bit_of(p, name, &index);

    p->old &= ~bit;
    return bit == 0 || add_extra(p, p->others[index].key, p->others[index].raw);
}

bool aci_sk_props_seen(const aci_sk_props *p, const char *name)
{
    int index;

    return ((p->exact | p->other) & bit_of(p, name, &index)) != 0;
}

bool aci_sk_props_text(aci_sk_props *p, agentchat_str *out)
{
    aci_json_kind kind = aci_json_peek(p->r);

    *out = (agentchat_str){NULL, 0};
    if (kind != ACI_JSON_ERROR && !aci_sk_property_fits(&p->table->props[p->current], kind))
        return aci_sk_props_mismatch(p, "a string");
    if (kind == ACI_JSON_STRING)
        return aci_json_string(p->r, out);
    if (kind == ACI_JSON_NULL) {
        *out = agentchat_str_null();
        return aci_json_null(p->r);
    }
    return false;
}

/* Sets a text field from a view; an absent one takes the field away. */
static void set_text(aci_draft *draft, const aci_sk_prop *prop, agentchat_str text)
{
    agentchat_field field = (agentchat_field)prop->field;

    if (agentchat_str_is_null(text))
        aci_draft_set(draft, field, ACI_FORM_NULL, text);
    else
        aci_draft_set(draft, field, ACI_FORM_TEXT, text);
}

/* {"Label": "user"}: with anything else in it the object becomes an extra too, so that it comes back unchanged. */
static bool read_label(aci_sk_props *p, const aci_sk_prop *prop)
{
    static const aci_sk_prop label_prop[] = {{"Label", NULL, NULL, 5, ACI_SK_TEXT, 0, false, false}};
    static const aci_sk_table label_table = {label_prop, 1};
    aci_sk_props inner;
    aci_draft unknown;
    agentchat_str label = {NULL, 0}, raw;
    const char *begin = p->r->begin + aci_json_offset(p->r);
    bool ok = true, more;

    if (!aci_json_object(p->r))
        return false;
    aci_draft_begin(&unknown);
    aci_sk_props_begin(&inner, p->s, p->r, &label_table, p->path, &unknown);
    while (ok && aci_sk_props_next(&inner) != ACI_SK_END)
        ok = aci_sk_props_text(&inner, &label);
    ok = ok && !aci_json_failed(p->r);
    more = unknown.extra_count > 0;
    aci_sk_props_end(&inner);
    aci_draft_clear(&unknown, p->s->env);
    if (!ok)
        return false;
    set_text(p->draft, prop, label.ptr != NULL ? label : agentchat_str_null());
    raw = (agentchat_str){begin, (size_t)(p->r->cursor - begin)};
    if (!more)
        return true;
    return add_exact_extra(p, raw) &&
           aci_sk_note(p->s, p->r, p->path, "%s has unknown properties; it is also kept as it stands", prop->name);
}

bool aci_sk_props_field(aci_sk_props *p, const aci_sk_prop *prop)
{
    aci_json_kind kind = aci_json_peek(p->r);
    agentchat_field field = (agentchat_field)prop->field;
    agentchat_str value;

    if (kind == ACI_JSON_ERROR)
        return false;
    if (!aci_sk_property_fits(prop, kind)) {
        aci_draft_unset(p->draft, field);
        return aci_sk_props_mismatch(p, "a string");
    }
    if (kind == ACI_JSON_NULL) {
        aci_draft_set(p->draft, field, ACI_FORM_NULL, agentchat_str_null());
        return aci_json_null(p->r);
    }
    if (prop->how == ACI_SK_JSON) {
        if (!aci_json_raw(p->r, &value))
            return false;
        aci_draft_set(p->draft, field, ACI_FORM_JSON, value);
        return true;
    }
    if (kind == ACI_JSON_STRING) {
        if (!aci_json_string(p->r, &value))
            return false;
        set_text(p->draft, prop, value);
        return true;
    }
    return read_label(p, prop);
}

bool aci_sk_props_extras(aci_sk_props *p, aci_extras **out)
{
    aci_draft *draft = p->draft;

    if (draft->extra_count == 0)
        return true;
    *out = aci_extras_new(p->s->arena, draft->extras, draft->extra_count);
    return *out != NULL || aci_sk_nomem(p->r);
}
