/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a Part of the ADKs' content as an item of ours (docs/formats/adk.md).
 *
 * The properties of a part show its kind. A part that our model cannot hold, that is two things at once, or whose
 * values are not what they should be, becomes an opaque item with the whole part in it.
 */
#include "format/adk/read.h"

#include "format/adk/media.h"
#include "format/kit/part.h"

/* A part being read. */
typedef struct part {
    aci_object o;
    agentchat_item_kind kind; /* 0: it is kept as it stands */
    agentchat_str base64, bytes;
} part;

static bool has(const aci_object *o, uint32_t row)
{
    return aci_table_has(&o->values[row]);
}

/* Takes a value as a field, unless it is none; *fits is false when it is something else than a string. */
static bool take(aci_object *o, uint32_t row, agentchat_field field, bool *fits)
{
    agentchat_str text;

    if (!has(o, row))
        return true;
    if (!aci_object_take_text(o, row, &text))
        return false;
    if (text.ptr != NULL)
        aci_object_set(o, field, ACI_FORM_TEXT, text);
    else
        *fits = false;
    return true;
}

static agentchat_str field_of(const aci_object *o, agentchat_field field)
{
    return aci_field_view(aci_field_find(o->draft.fields, o->draft.field_count, field));
}

/* Takes bytes; *fits is false when they are none. o: the object that holds them. */
static bool take_bytes(part *p, aci_object *o, const aci_location *path, uint32_t row, bool *fits)
{
    if (has(o, row) && !aci_adk_read_bytes(o->a, path, aci_object_take(o, row), &p->base64, &p->bytes))
        return false;
    *fits = *fits && (p->base64.ptr != NULL || p->bytes.ptr != NULL);
    return true;
}

/* ---- the kinds of parts: each sets p->kind when the part fits --------------------------------------------------- */

static bool read_text(part *p)
{
    char thought = has(&p->o, ACI_ADK_THOUGHT) ? *p->o.values[ACI_ADK_THOUGHT].raw.ptr : 'f';
    bool fits = thought == 't' || thought == 'f';

    if (thought == 't')
        (void)aci_object_take(&p->o, ACI_ADK_THOUGHT);
    if (!take(&p->o, ACI_ADK_TEXT, AGENTCHAT_FIELD_TEXT, &fits))
        return false;
    if (fits)
        p->kind = thought == 't' ? AGENTCHAT_ITEM_REASONING : AGENTCHAT_ITEM_TEXT;
    return true;
}

static bool read_thinking(part *p)
{
    bool fits = true;

    if (!take(&p->o, ACI_ADK_THINKING, AGENTCHAT_FIELD_TEXT, &fits) ||
        !take(&p->o, ACI_ADK_SIGNATURE, AGENTCHAT_FIELD_SIGNATURE, &fits))
        return false;
    if (fits)
        p->kind = AGENTCHAT_ITEM_REASONING;
    return true;
}

/* ADK-Rust's data and files, whose properties stand right in the part. */
static bool read_flat_data(part *p)
{
    bool fits = true, is_file = has(&p->o, ACI_ADK_FLAT_FILE_URI);

    if (!take(&p->o, is_file ? ACI_ADK_FLAT_FILE_URI : ACI_ADK_FLAT_URI, AGENTCHAT_FIELD_URI, &fits) ||
        !take(&p->o, ACI_ADK_FLAT_MIME_TYPE, AGENTCHAT_FIELD_MIME_TYPE, &fits) ||
        (!is_file && !take_bytes(p, &p->o, p->o.path, ACI_ADK_FLAT_DATA, &fits)))
        return false;
    if (fits)
        p->kind = aci_adk_part_kind(field_of(&p->o, AGENTCHAT_FIELD_MIME_TYPE));
    return true;
}

static bool read_flat_call(part *p)
{
    bool fits = p->o.values[ACI_ADK_FLAT_ARGS].raw.ptr != NULL;
    agentchat_str arguments = aci_object_take(&p->o, ACI_ADK_FLAT_ARGS);

    if (!take(&p->o, ACI_ADK_FLAT_NAME, AGENTCHAT_FIELD_FUNCTION, &fits) ||
        !take(&p->o, ACI_ADK_FLAT_ID, AGENTCHAT_FIELD_CALL_ID, &fits))
        return false;
    if (fits && *arguments.ptr != 'n')
        aci_object_set(&p->o, AGENTCHAT_FIELD_ARGUMENTS, ACI_FORM_JSON, arguments);
    if (fits)
        p->kind = AGENTCHAT_ITEM_CALL;
    return true;
}

/* ADK-Rust has the id of a response beside the object. The one inside counts. */
static bool take_response_id(part *p, const aci_object *inner, bool *fits)
{
    const aci_location at = {p->o.path, p->o.values[ACI_ADK_FLAT_ID].name, 0};
    agentchat_str inside = field_of(inner, AGENTCHAT_FIELD_CALL_ID), beside;

    if (!take(&p->o, ACI_ADK_FLAT_ID, AGENTCHAT_FIELD_CALL_ID, fits))
        return false;
    beside = field_of(&p->o, AGENTCHAT_FIELD_CALL_ID);
    return !*fits || beside.ptr == NULL || inside.ptr == NULL || agentchat_str_equal(beside, inside) ||
           aci_raw_reader_note(p->o.a, AGENTCHAT_REPORT_LOSS, &at,
                               "the id was left out: the response has another one inside");
}

/* What an object holds besides its fields, which its table names. */
static bool read_inner(part *p, aci_object *inner, uint32_t row, bool *fits)
{
    const aci_location at = {p->o.path, p->o.values[row].name, 0};

    for (uint32_t i = 0; i < inner->table->count; i++)
        *fits = *fits && (inner->table->list[i].field == 0 || !has(inner, i));
    switch (row) {
    case ACI_ADK_INLINE_DATA:
        return take_bytes(p, inner, &at, ACI_ADK_DATA_DATA, fits);
    case ACI_ADK_FILE_DATA:
        *fits = *fits && field_of(inner, AGENTCHAT_FIELD_URI).ptr != NULL;
        return true;
    case ACI_ADK_RESPONSE:
        return take_response_id(p, inner, fits);
    default:
        return true;
    }
}

static bool read_object(part *p, uint32_t row)
{
    bool fits = true, ok;
    aci_object inner;

    if (!aci_object_has(&p->o, row, '{'))
        return true;
    ok = aci_object_begin_inner(&inner, &p->o, row, aci_adk_part.list[row].of) && read_inner(p, &inner, row, &fits);
    if (!aci_object_end_inner(&inner, &p->o, row, ok))
        return false;
    if (fits)
        p->kind = row == ACI_ADK_CALL       ? AGENTCHAT_ITEM_CALL
                  : row == ACI_ADK_RESPONSE ? AGENTCHAT_ITEM_RESULT
                                            : aci_adk_part_kind(field_of(&p->o, AGENTCHAT_FIELD_MIME_TYPE));
    return true;
}

static bool read_main(part *p, uint32_t row)
{
    switch (row) {
    case ACI_ADK_TEXT:
        return read_text(p);
    case ACI_ADK_THINKING:
        return read_thinking(p);
    case ACI_ADK_INLINE_DATA:
    case ACI_ADK_FILE_DATA:
    case ACI_ADK_CALL:
    case ACI_ADK_RESPONSE:
        return read_object(p, row);
    case ACI_ADK_FLAT_DATA:
    case ACI_ADK_FLAT_FILE_URI:
        return read_flat_data(p);
    case ACI_ADK_FLAT_NAME:
        return read_flat_call(p);
    default:
        return true;
    }
}

/* ---- a part ----------------------------------------------------------------------------------------------------- */

/* The first thing that a part is; *only: it is one thing. A mere mark that it is a thought makes it a text. */
static uint32_t main_of(const aci_object *o, bool *only)
{
    uint32_t found = ACI_ADK_PART_MAINS, count = 0;

    for (uint32_t i = ACI_ADK_PART_MAINS; i-- > 0;)
        if (has(o, i)) {
            found = i;
            count++;
        }
    *only = count == 1;
    if (count == 0 && aci_object_has(o, ACI_ADK_THOUGHT, 't')) {
        *only = true;
        return ACI_ADK_TEXT;
    }
    return found;
}

/* The signature that a part of any kind may have; ADK-Rust's thinking has its own, which counts. A value that is no
   string stays an extra. */
static bool take_signature(part *p)
{
    bool ignored;

    return field_of(&p->o, AGENTCHAT_FIELD_SIGNATURE).ptr != NULL ||
           take(&p->o, ACI_ADK_THOUGHT_SIGNATURE, AGENTCHAT_FIELD_SIGNATURE, &ignored);
}

/* The whole part as it stands; its kind is the name of what it is. */
static bool keep(aci_raw_reader *a, const aci_location *path, agentchat_str raw, uint32_t row, bool only,
                 aci_items *items)
{
    if (only && row < ACI_ADK_PART_OTHER &&
        !aci_raw_reader_note(a, AGENTCHAT_REPORT_NOTE, path,
                             "the part is kept as it stands: its \"%s\" is not as expected",
                             aci_adk_part.list[row].camel))
        return false;
    if (row >= ACI_ADK_PART_OTHER && row < ACI_ADK_PART_MAINS && !aci_object_table_spell(a, &aci_adk_part, &raw))
        return false;
    return aci_part_keep_as(
        a, raw, row < ACI_ADK_PART_MAINS ? aci_table_camel(&aci_adk_part, row) : (agentchat_str){NULL, 0}, items);
}

bool aci_adk_part_read(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    uint32_t row = ACI_ADK_PART_MAINS;
    agentchat_item *item;
    bool ok = true, only = false;
    part p;

    if (*raw.ptr != '{')
        return keep(a, path, raw, row, only, items);
    p.kind = (agentchat_item_kind)0;
    p.base64 = p.bytes = (agentchat_str){NULL, 0};
    ok = aci_object_begin(&p.o, a, path, raw, &aci_adk_part);
    if (ok) {
        row = main_of(&p.o, &only);
        ok = (!only || read_main(&p, row)) && take_signature(&p);
    }
    if (ok && p.kind == 0) {
        (void)aci_object_item(&p.o, AGENTCHAT_ITEM_OPAQUE, false);
        return keep(a, path, raw, row, only, items);
    }
    item = aci_object_item(&p.o, p.kind, ok);
    if (item != NULL && (p.base64.ptr != NULL || p.bytes.ptr != NULL))
        item = aci_part_with_data(a, item, p.base64, p.bytes);
    return aci_items_add(items, a, item);
}
