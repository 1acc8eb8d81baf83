/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/object.h"

#include "format/kit/look.h"
#include <string.h>

/* ---- beginning -------------------------------------------------------------------------------------------------- */

/* Whether a value can be what a field holds. */
static bool fits(agentchat_field field, agentchat_str raw)
{
    if (aci_field_form(field) == ACI_FORM_TEXT)
        return *raw.ptr == '"';
    return *raw.ptr != 'n' && aci_field_mismatch(field, raw) == NULL;
}

static bool read_fields(aci_object *o)
{
    for (uint32_t i = 0; i < o->table->count; i++) {
        agentchat_field field = (agentchat_field)o->table->list[i].field;
        agentchat_str text = o->values[i].raw;

        if (field == 0 || text.ptr == NULL || !fits(field, text) ||
            aci_field_find(o->draft.fields, o->draft.field_count, field) != NULL)
            continue;
        if (aci_field_form(field) == ACI_FORM_TEXT && !aci_raw_reader_decode(o->a, text, &text))
            return false;
        aci_draft_set(&o->draft, field, aci_field_form(field), text);
        o->values[i].raw = (agentchat_str){NULL, 0};
    }
    return true;
}

bool aci_object_begin(aci_object *o, aci_raw_reader *a, const aci_location *path, agentchat_str raw,
                      const aci_object_table *table)
{
    o->a = a;
    o->path = path;
    o->table = table;
    aci_draft_begin(&o->draft);
    aci_buf_init(&o->form, a->env, SIZE_MAX);
    return aci_object_table_members(a, path, raw, table, o->values, &o->draft) && read_fields(o);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

agentchat_str aci_object_take(aci_object *o, uint32_t row)
{
    agentchat_str raw = o->values[row].raw;

    o->values[row].raw = (agentchat_str){NULL, 0};
    return raw;
}

bool aci_object_has(const aci_object *o, uint32_t row, char first)
{
    agentchat_str raw = o->values[row].raw;

    return (raw.ptr != NULL ? *raw.ptr : '\0') == first;
}

bool aci_object_says(const aci_object *o, uint32_t row, const char *word)
{
    return aci_look_is_word(o->values[row].raw, word);
}

bool aci_object_take_text(aci_object *o, uint32_t row, agentchat_str *out)
{
    *out = (agentchat_str){NULL, 0};
    return !aci_object_has(o, row, '"') || aci_raw_reader_decode(o->a, aci_object_take(o, row), out);
}

void aci_object_set(aci_object *o, agentchat_field field, aci_form form, agentchat_str value)
{
    aci_draft_set(&o->draft, field, form, value);
}

bool aci_object_note(aci_object *o, const char *name, agentchat_str json)
{
    return ((o->form.len == 0 || aci_buf_add(&o->form, ",", 1)) && aci_buf_printf(&o->form, "\"%s\":", name) &&
            aci_buf_add_str(&o->form, json)) ||
           aci_raw_reader_nomem(o->a);
}

bool aci_object_note_word(aci_object *o, const char *name, const char *word)
{
    return aci_object_note(o, name, AGENTCHAT_STR("\"")) &&
           ((aci_buf_add_str(&o->form, agentchat_str_from(word)) && aci_buf_add(&o->form, "\"", 1)) ||
            aci_raw_reader_nomem(o->a));
}

/* ---- what is left ----------------------------------------------------------------------------------------------- */

/* The name that the value of a row keeps: to a lenient reader both spellings are one. */
static agentchat_str name_of(const aci_object *o, uint32_t row)
{
    return o->a->is_lenient ? aci_table_camel(o->table, row) : o->values[row].name;
}

/* Known members that nobody took, nulls included unless they stand for nothing. */
static bool keep_untaken(aci_object *o)
{
    for (uint32_t i = 0; i < o->table->count; i++) {
        agentchat_extra extra = {name_of(o, i), o->values[i].raw, o->a->tag};

        if (o->a->is_lenient && !aci_table_has(&o->values[i]))
            continue;
        if (extra.value.ptr == NULL)
            continue;
        if (!aci_object_table_spell_value(o->a, &o->table->list[i], &extra.value))
            return false;
        if (!aci_draft_add_extra(&o->draft, o->a->env, extra))
            return aci_raw_reader_nomem(o->a);
    }
    return true;
}

/* Moves the extras that are null into the form mark. */
static bool move_nulls(aci_object *o)
{
    size_t kept = 0, count = o->draft.extra_count;
    bool ok = true;

    for (size_t i = 0; ok && i < count; i++) {
        const agentchat_extra extra = o->draft.extras[i];

        if (*extra.value.ptr != 'n') {
            o->draft.extras[kept++] = extra;
            continue;
        }
        ok = i == kept ? aci_object_note(o, "null", AGENTCHAT_STR("["))
                       : aci_buf_add(&o->form, ",", 1) || aci_raw_reader_nomem(o->a);
        ok = ok && (aci_json_canonical_string(extra.name, &o->form) || aci_raw_reader_nomem(o->a));
    }
    o->draft.extra_count = kept;
    return ok && (kept == count || aci_buf_add(&o->form, "]", 1) || aci_raw_reader_nomem(o->a));
}

/* The form mark as JSON text in the arena; absent when there is nothing to say. */
static bool make_mark(aci_object *o, agentchat_str *out)
{
    bool ok = true;
    aci_buf mark;

    *out = (agentchat_str){NULL, 0};
    if (o->form.len == 0)
        return true;
    aci_buf_init(&mark, o->a->env, SIZE_MAX);
    ok = aci_buf_add_str(&mark, AGENTCHAT_STR("{\"from\":\"")) && aci_buf_add_str(&mark, o->a->tag) &&
         aci_buf_add_str(&mark, AGENTCHAT_STR("\",\"value\":{")) && aci_buf_add_str(&mark, aci_buf_str(&o->form)) &&
         aci_buf_add_str(&mark, AGENTCHAT_STR("}}"));
    if (ok)
        *out = aci_arena_copy(o->a->arena, aci_buf_str(&mark), &ok);
    aci_buf_clear(&mark);
    return ok || aci_raw_reader_nomem(o->a);
}

static void clear(aci_object *o)
{
    aci_buf_clear(&o->form);
    aci_draft_clear(&o->draft, o->a->env);
}

/* Turns what is left into extras and the form mark of the draft. */
static bool finish(aci_object *o)
{
    agentchat_str mark;

    if (!keep_untaken(o) || !move_nulls(o) || !make_mark(o, &mark))
        return false;
    if (mark.ptr != NULL)
        aci_draft_set(&o->draft, AGENTCHAT_FIELD_FORM, ACI_FORM_JSON, mark);
    return true;
}

/* ---- inner objects ---------------------------------------------------------------------------------------------- */

bool aci_object_begin_inner(aci_object *inner, aci_object *outer, uint32_t row, const aci_object_table *table)
{
    const aci_location at = {outer->path, outer->values[row].name, 0};
    bool ok = aci_object_begin(inner, outer->a, &at, aci_object_take(outer, row), table);

    inner->path = outer->path; /* `at` ends here */
    return ok;
}

/* The object of what is left. */
static bool put_object(const aci_draft *rest, aci_buf *out)
{
    bool ok = aci_buf_add(out, "{", 1);

    for (size_t i = 0; ok && i < rest->extra_count; i++)
        ok = (i == 0 || aci_buf_add(out, ",", 1)) && aci_json_canonical_string(rest->extras[i].name, out) &&
             aci_buf_add(out, ":", 1) && aci_buf_add_str(out, rest->extras[i].value);
    return ok && aci_buf_add(out, "}", 1);
}

bool aci_object_rest(aci_object *o, agentchat_str *json, bool ok)
{
    aci_buf text;

    *json = (agentchat_str){NULL, 0};
    aci_buf_init(&text, o->a->env, SIZE_MAX);
    ok = ok && keep_untaken(o);
    if (ok && o->draft.extra_count > 0) {
        ok = put_object(&o->draft, &text);
        if (ok)
            *json = aci_arena_copy(o->a->arena, aci_buf_str(&text), &ok);
        ok = ok || aci_raw_reader_nomem(o->a);
    }
    aci_buf_clear(&text);
    clear(o);
    return ok;
}

bool aci_object_end_inner(aci_object *inner, aci_object *outer, uint32_t row, bool ok)
{
    agentchat_extra extra = {name_of(outer, row), {NULL, 0}, outer->a->tag};

    for (size_t i = 0; i < inner->draft.field_count; i++) {
        const aci_field *field = &inner->draft.fields[i];

        aci_draft_set(&outer->draft, (agentchat_field)field->id, (aci_form)field->form, aci_field_text(field));
    }
    if (!aci_object_rest(inner, &extra.value, ok))
        return false;
    return extra.value.ptr == NULL || aci_draft_add_extra(&outer->draft, outer->a->env, extra) ||
           aci_raw_reader_nomem(outer->a);
}

/* ---- ends ------------------------------------------------------------------------------------------------------- */

agentchat_item *aci_object_item(aci_object *o, agentchat_item_kind kind, bool ok)
{
    agentchat_item *item = NULL;

    if (ok && finish(o)) {
        item = aci_draft_item(&o->draft, o->a->arena, kind);
        if (item == NULL)
            (void)aci_raw_reader_nomem(o->a);
    }
    clear(o);
    return item;
}

agentchat_message *aci_object_message(aci_object *o, const aci_items *items, bool ok)
{
    agentchat_message *message = NULL;

    if (ok && finish(o)) {
        message = aci_draft_message(&o->draft, o->a->arena, items->list, items->count, 0);
        if (message == NULL)
            (void)aci_raw_reader_nomem(o->a);
    }
    clear(o);
    return message;
}

bool aci_object_leftovers(aci_object *o, aci_extras **extras, agentchat_str *form, bool ok)
{
    *extras = NULL;
    ok = ok && keep_untaken(o) && move_nulls(o) && make_mark(o, form);
    if (ok && o->draft.extra_count > 0) {
        *extras = aci_extras_new(o->a->arena, o->draft.extras, o->draft.extra_count);
        ok = *extras != NULL || aci_raw_reader_nomem(o->a);
    }
    clear(o);
    return ok;
}
