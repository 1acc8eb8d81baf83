/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/object_out.h"

#include "base/error.h"
#include "format/kit/look.h"
#include "model/form_mark.h"
#include "json/walk.h"
#include <string.h>

/* ---- beginning -------------------------------------------------------------------------------------------------- */

static void begin(aci_object_out *o, aci_out *out, const aci_location *path, const aci_object_table *table)
{
    *o = (aci_object_out){.out = out, .path = path, .table = table};
    aci_writer_object_begin(&out->w);
}

static void take_fields(aci_object_out *o, const aci_field *fields, size_t count, const aci_extras *extras)
{
    o->fields = fields;
    o->field_count = count;
    o->extras = extras;
    o->mark = aci_field_view(aci_field_find(fields, count, AGENTCHAT_FIELD_FORM));
    if (agentchat_str_is_null(o->mark))
        o->mark = (agentchat_str){NULL, 0};
}

void aci_object_out_message(aci_object_out *o, aci_out *out, const aci_location *path, const agentchat_message *message,
                            const aci_object_table *table)
{
    begin(o, out, path, table);
    take_fields(o, message->fields, message->field_count, message->extras);
}

void aci_object_out_item(aci_object_out *o, aci_out *out, const aci_location *path, const agentchat_item *item,
                         const aci_object_table *table)
{
    begin(o, out, path, table);
    take_fields(o, item->fields, item->field_count, item->extras);
}

void aci_object_out_message_beside(aci_object_out *o, aci_out *out, const aci_location *path,
                                   const agentchat_message *message)
{
    *o = (aci_object_out){.out = out, .path = path};
    take_fields(o, message->fields, message->field_count, message->extras);
}

void aci_object_out_item_beside(aci_object_out *o, aci_out *out, const aci_location *path, const agentchat_item *item)
{
    *o = (aci_object_out){.out = out, .path = path};
    take_fields(o, item->fields, item->field_count, item->extras);
}

void aci_object_out_plain(aci_object_out *o, aci_out *out, const aci_extras *extras, agentchat_str mark,
                          const aci_object_table *table)
{
    begin(o, out, NULL, table);
    o->extras = extras;
    o->mark = mark;
}

/* ---- what there is ---------------------------------------------------------------------------------------------- */

agentchat_str aci_object_out_get(aci_object_out *o, agentchat_field field)
{
    aci_object_out *outer = o->around != NULL ? o->around : o;
    agentchat_str text = aci_field_view(aci_field_find(outer->fields, outer->field_count, field));

    outer->carried |= UINT64_C(1) << field;
    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

agentchat_str aci_object_out_extra(const aci_object_out *o, uint32_t row)
{
    const agentchat_str name = aci_table_camel(o->table, row);

    for (size_t i = 0; o->extras != NULL && i < o->extras->count; i++)
        if (aci_tag_is(o->extras->list[i].from, o->out->tag) && agentchat_str_equal(o->extras->list[i].name, name))
            return o->extras->list[i].value;
    return (agentchat_str){NULL, 0};
}

/* The value of an extra of another format, which counts as written from then on. */
static agentchat_str take_foreign(aci_object_out *o, const char *name)
{
    for (size_t i = 0; o->extras != NULL && i < o->extras->count; i++) {
        const agentchat_extra *extra = &o->extras->list[i];

        if (aci_tag_is(extra->from, o->out->tag) || !agentchat_str_equal(extra->name, agentchat_str_from(name)))
            continue;
        o->taken = extra;
        return extra->value;
    }
    return (agentchat_str){NULL, 0};
}

agentchat_str aci_object_out_take_filename(aci_object_out *o)
{
    static const char *const names[] = {"title", "filename", "file"};
    agentchat_str name = {NULL, 0};
    aci_walk walk;

    for (size_t i = 0; i < sizeof names / sizeof *names && name.ptr == NULL; i++) {
        agentchat_str value = take_foreign(o, names[i]);

        if (value.ptr != NULL && *value.ptr == '"')
            name = value;
        if (value.ptr == NULL || *value.ptr != '{')
            continue;
        aci_walk_begin(&walk, value);
        while (name.ptr == NULL && aci_walk_next(&walk))
            if (aci_look_is_word(walk.key, "filename") && *walk.value.ptr == '"')
                name = walk.value;
    }
    if (name.ptr == NULL)
        o->taken = NULL;
    return name;
}

agentchat_str aci_object_out_form(const aci_object_out *o, const char *name)
{
    return aci_form_mark_member(o->mark, o->out->tag, name);
}

bool aci_object_out_form_says(const aci_object_out *o, const char *name, const char *word)
{
    return aci_look_is_word(aci_object_out_form(o, name), word);
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

void aci_object_out_key(aci_object_out *o, uint32_t row)
{
    o->rows |= UINT64_C(1) << row;
    aci_writer_key(&o->out->w, aci_table_camel(o->table, row));
}

void aci_object_out_text(aci_object_out *o, uint32_t row, agentchat_str text)
{
    if (text.ptr == NULL)
        return;
    aci_object_out_key(o, row);
    aci_writer_string(&o->out->w, text);
}

void aci_object_out_word(aci_object_out *o, uint32_t row, const char *word)
{
    aci_object_out_text(o, row, agentchat_str_from(word));
}

bool aci_object_out_field(aci_object_out *o, uint32_t row, agentchat_field field)
{
    agentchat_str value = aci_object_out_get(o, field);

    if (value.ptr == NULL)
        return false;
    aci_object_out_key(o, row);
    if (aci_field_form(field) == ACI_FORM_TEXT)
        aci_writer_string(&o->out->w, value);
    else
        aci_writer_raw(&o->out->w, value);
    return true;
}

void aci_object_out_fields(aci_object_out *o)
{
    for (uint32_t i = 0; i < o->table->count; i++)
        if (o->table->list[i].field != 0 && (o->rows >> i & 1) == 0)
            (void)aci_object_out_field(o, i, (agentchat_field)o->table->list[i].field);
}

void aci_object_out_with(aci_object_out *o, aci_out *out, agentchat_str rest, const aci_object_table *table)
{
    begin(o, out, NULL, table);
    if (rest.ptr != NULL && *rest.ptr == '{')
        o->rest = rest;
}

void aci_object_out_inner(aci_object_out *inner, aci_object_out *outer, uint32_t row, const aci_object_table *table)
{
    agentchat_str rest = aci_object_out_extra(outer, row);

    aci_object_out_key(outer, row);
    aci_object_out_with(inner, outer->out, rest, table);
    inner->path = outer->path;
    inner->around = outer;
    if (inner->rest.ptr != NULL)
        outer->merged |= UINT64_C(1) << row;
}

bool aci_object_out_rest_has(const aci_object_out *o, uint32_t row)
{
    aci_walk walk;

    if (o->rest.ptr == NULL)
        return false;
    aci_walk_begin(&walk, o->rest);
    while (aci_walk_next(&walk))
        if (aci_look_is_word(walk.key, o->table->list[row].camel))
            return true;
    return false;
}

/* ---- ends ------------------------------------------------------------------------------------------------------- */

/* Takes a name for a member; false: there is one already. */
static bool take_name(aci_object_out *o, agentchat_str name)
{
    uint32_t row = aci_object_table_find(o->table, name, NULL);

    if (row < o->table->count) {
        bool is_free = (o->rows >> row & 1) == 0;

        o->rows |= UINT64_C(1) << row;
        return is_free;
    }
    if (aci_index_find(&o->others, name) != ACI_INDEX_NONE)
        return false;
    if (!aci_index_put(&o->others, o->out->env, name, 0))
        aci_out_nomem(o->out);
    return true;
}

static void lost_extra(aci_object_out *o, agentchat_str name, const char *why)
{
    const aci_location at = {o->path, AGENTCHAT_STR("extras"), 0};
    aci_excerpt excerpt;

    aci_out_lost(o->out, &at, "%s was left out: %s", aci_error_excerpt(name, &excerpt), why);
}

/* Whether a reader would take a value for what a row is: then it is none of the values that reading leaves. */
static bool is_taken(const aci_table_row *row, agentchat_str value)
{
    agentchat_field field = (agentchat_field)row->field;

    if (field == 0)
        return row->takes != NULL && strchr(row->takes, *value.ptr) != NULL;
    return aci_field_form(field) == ACI_FORM_TEXT ? *value.ptr == '"' : aci_field_mismatch(field, value) == NULL;
}

static void put_member(aci_object_out *o, agentchat_str name, agentchat_str value)
{
    uint32_t row = aci_object_table_find(o->table, name, NULL);

    if (row < o->table->count && *value.ptr != 'n' && is_taken(&o->table->list[row], value)) {
        lost_extra(o, name, "the name stands for something else");
    } else if (take_name(o, name)) {
        aci_writer_key(&o->out->w, name);
        aci_writer_raw(&o->out->w, value);
    } else if (*value.ptr != 'n') {
        lost_extra(o, name, "something else has its name");
    }
}

/* A null is a matter of form when it is read back. */
static void put_extra(aci_object_out *o, const agentchat_extra *extra)
{
    if (*extra->value.ptr == 'n')
        lost_extra(o, extra->name, "a null says nothing");
    put_member(o, extra->name, extra->value);
}

static bool is_shared(const aci_object_out *o, agentchat_str name)
{
    uint32_t row = aci_object_table_find(o->table, name, NULL);

    return row < o->table->count && o->table->list[row].is_shared;
}

static void put_extras(aci_object_out *o)
{
    uint64_t merged = o->merged; /* of several extras with the name of a row, the first one was merged */

    for (size_t i = 0; o->extras != NULL && i < o->extras->count && o->out->w.status >= 0; i++) {
        const agentchat_extra *extra = &o->extras->list[i];
        uint32_t row = aci_object_table_find(o->table, extra->name, NULL);

        if (extra == o->taken)
            continue;
        if (!aci_tag_is(extra->from, o->out->tag) && is_shared(o, extra->name))
            put_extra(o, extra);
        else if (!aci_tag_is(extra->from, o->out->tag))
            lost_extra(o, extra->name, "it belongs to another format");
        else if (row < o->table->count && (merged >> row & 1) != 0)
            merged &= ~(UINT64_C(1) << row);
        else
            put_extra(o, extra);
    }
}

/* Members by their raw names: those of an object, or null for each string of an array. The names that the index has
   must live until the object ends, so they are decoded into an arena. */
static void put_named(aci_object_out *o, agentchat_str list)
{
    aci_raw_reader a = {.env = o->out->env};
    bool is_object;
    aci_walk walk;

    if (list.ptr == NULL || (*list.ptr != '{' && *list.ptr != '['))
        return;
    is_object = *list.ptr == '{';
    a.arena = aci_arena_new(o->out->env, 0);
    if (a.arena == NULL) {
        aci_out_nomem(o->out);
        return;
    }
    aci_walk_begin(&walk, list);
    while (o->out->w.status >= 0 && aci_walk_next(&walk)) {
        agentchat_str name;

        if (!is_object && *walk.value.ptr != '"')
            continue;
        if (aci_raw_reader_decode(&a, is_object ? walk.key : walk.value, &name))
            put_member(o, name, is_object ? walk.value : AGENTCHAT_STR("null"));
        else
            aci_out_nomem(o->out);
    }
    aci_index_clear(&o->others, o->out->env);
    aci_arena_unref(a.arena);
}

void aci_object_out_lost_fields(aci_object_out *o)
{
    for (size_t i = 0; i < o->field_count; i++) {
        const aci_field *field = &o->fields[i];
        const aci_location at = {o->path, agentchat_str_from(aci_field_name((agentchat_field)field->id)), 0};

        if ((o->carried >> field->id & 1) == 0 && aci_field_is_covered(field))
            aci_out_lost(o->out, &at, "%s cannot hold the property", o->out->name);
    }
}

void aci_object_out_end(aci_object_out *o)
{
    put_extras(o);
    put_named(o, o->rest);
    put_named(o, aci_object_out_form(o, "null"));
    aci_index_clear(&o->others, o->out->env);
    aci_object_out_lost_fields(o);
    aci_writer_object_end(&o->out->w);
}

void aci_object_out_beside_end(aci_object_out *o)
{
    for (size_t i = 0; o->extras != NULL && i < o->extras->count; i++)
        if (o->into != NULL && is_shared(o->into, o->extras->list[i].name)) {
            aci_excerpt excerpt;

            aci_out_changed(o->out, o->into->path != NULL ? o->into->path : o->path, "%s was written into the message",
                            aci_error_excerpt(o->extras->list[i].name, &excerpt));
            put_extra(o->into, &o->extras->list[i]);
        } else {
            lost_extra(o, o->extras->list[i].name, "there is nowhere to write it");
        }
    aci_object_out_lost_fields(o);
}
