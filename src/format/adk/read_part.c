/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a Part of the ADKs' content as an item of ours (docs/formats/adk.md).
 *
 * The properties of a part show its kind. A part that our model cannot hold, that is two things at once, or whose
 * values are not what they should be, becomes an opaque item with the whole part in it.
 */
#include "format/adk/read.h"

#include "format/adk/bytes.h"
#include "format/adk/part_kind.h"

/* ---- parts ------------------------------------------------------------------------------------------------------ */

typedef struct part_reader {
    aci_raw_reader *a;
    const aci_location *path;
    aci_table_value values[ACI_TABLE_ROWS];
    uint64_t taken; /* bits of the values that the item holds */
    aci_draft draft;
    agentchat_str base64, bytes;
} part_reader;

static bool has(const part_reader *p, uint32_t i)
{
    return aci_table_has(&p->values[i]);
}

static bool is_string(const part_reader *p, uint32_t i)
{
    return has(p, i) && *p->values[i].raw.ptr == '"';
}

/* Takes a value that is a string as a field. */
static bool take(part_reader *p, uint32_t i, agentchat_field field)
{
    agentchat_str text;

    if (!aci_raw_reader_decode(p->a, p->values[i].raw, &text))
        return false;
    aci_draft_set(&p->draft, field, ACI_FORM_TEXT, text);
    p->taken |= UINT64_C(1) << i;
    return true;
}

/* The same of a value that may be missing; *fits is false when it is something else than a string. */
static bool take_if(part_reader *p, uint32_t i, agentchat_field field, bool *fits)
{
    if (!has(p, i))
        return true;
    if (is_string(p, i))
        return take(p, i, field);
    *fits = false;
    return true;
}

static agentchat_item_kind kind_of_data(const part_reader *p)
{
    const aci_field *mime = aci_field_find(p->draft.fields, p->draft.field_count, AGENTCHAT_FIELD_MIME_TYPE);

    return aci_adk_part_kind(aci_field_view(mime));
}

/* Each of the following sets *kind, to 0 when the part does not fit. They return false after a failure. */

static bool read_text(part_reader *p, agentchat_item_kind *kind)
{
    bool fits = is_string(p, ACI_ADK_TEXT) || !has(p, ACI_ADK_TEXT);
    char thought = has(p, ACI_ADK_THOUGHT) ? *p->values[ACI_ADK_THOUGHT].raw.ptr : 'f';

    *kind = thought == 't' ? AGENTCHAT_ITEM_REASONING : AGENTCHAT_ITEM_TEXT;
    if (!fits || (thought != 't' && thought != 'f')) {
        *kind = (agentchat_item_kind)0;
        return true;
    }
    if (thought == 't')
        p->taken |= UINT64_C(1) << ACI_ADK_THOUGHT;
    return take_if(p, ACI_ADK_TEXT, AGENTCHAT_FIELD_TEXT, &fits);
}

static bool read_thinking(part_reader *p, agentchat_item_kind *kind)
{
    bool fits = is_string(p, ACI_ADK_THINKING);

    *kind = (agentchat_item_kind)0;
    if (!fits)
        return true;
    if (!take(p, ACI_ADK_THINKING, AGENTCHAT_FIELD_TEXT) ||
        !take_if(p, ACI_ADK_SIGNATURE, AGENTCHAT_FIELD_SIGNATURE, &fits))
        return false;
    *kind = fits ? AGENTCHAT_ITEM_REASONING : (agentchat_item_kind)0;
    return true;
}

/* ADK-Rust's data and files, whose properties stand right in the part. */
static bool read_flat_data(part_reader *p, agentchat_item_kind *kind)
{
    bool fits = true, is_file = has(p, ACI_ADK_FLAT_FILE_URI);

    *kind = (agentchat_item_kind)0;
    if (!take_if(p, is_file ? ACI_ADK_FLAT_FILE_URI : ACI_ADK_FLAT_URI, AGENTCHAT_FIELD_URI, &fits) ||
        !take_if(p, ACI_ADK_FLAT_MIME_TYPE, AGENTCHAT_FIELD_MIME_TYPE, &fits))
        return false;
    if (!is_file) {
        if (!aci_adk_read_bytes(p->a, p->path, p->values[ACI_ADK_FLAT_DATA].raw, &p->base64, &p->bytes))
            return false;
        fits = fits && (p->base64.ptr != NULL || p->bytes.ptr != NULL);
        p->taken |= UINT64_C(1) << ACI_ADK_FLAT_DATA;
    }
    if (fits)
        *kind = kind_of_data(p);
    return true;
}

static bool read_flat_call(part_reader *p, agentchat_item_kind *kind)
{
    bool fits = true;

    *kind = (agentchat_item_kind)0;
    if (!take_if(p, ACI_ADK_FLAT_NAME, AGENTCHAT_FIELD_FUNCTION, &fits) ||
        !take_if(p, ACI_ADK_FLAT_ID, AGENTCHAT_FIELD_CALL_ID, &fits))
        return false;
    if (!fits || p->values[ACI_ADK_FLAT_ARGS].raw.ptr == NULL)
        return true;
    if (has(p, ACI_ADK_FLAT_ARGS))
        aci_draft_set(&p->draft, AGENTCHAT_FIELD_ARGUMENTS, ACI_FORM_JSON, p->values[ACI_ADK_FLAT_ARGS].raw);
    p->taken |= UINT64_C(1) << ACI_ADK_FLAT_ARGS;
    *kind = AGENTCHAT_ITEM_CALL;
    return true;
}

/* ---- parts with an object in them ------------------------------------------------------------------------------- */

/* The object of a part, as a part of its own whose values stand in the same reader's draft. */
typedef struct inner {
    part_reader *p;
    uint32_t index; /* of the object in the part */
    const aci_object_table *table;
    part_reader own;
    uint32_t kept; /* values from this index on are kept in an extra */
} inner;

/* What is left of an object, as the value of an extra with the name of the object. */
static bool keep_rest(inner *in)
{
    aci_raw_reader *a = in->p->a;
    aci_draft *rest = &in->own.draft;
    agentchat_extra extra = {aci_table_camel(&aci_adk_part, in->index), {NULL, 0}, ACI_TAG(aci_adk_name)};
    bool ok = true;
    aci_buf text;

    if (!aci_object_table_keep(a, in->table, in->own.values, in->kept, rest))
        return false;
    if (rest->extra_count == 0)
        return true;
    aci_buf_init(&text, a->env, SIZE_MAX);
    for (size_t i = 0; ok && i < rest->extra_count; i++)
        ok = aci_buf_add(&text, i == 0 ? "{" : ",", 1) && aci_json_canonical_string(rest->extras[i].name, &text) &&
             aci_buf_add(&text, ":", 1) && aci_buf_add_str(&text, rest->extras[i].value);
    ok = ok && aci_buf_add(&text, "}", 1);
    if (ok)
        extra.value = aci_arena_copy(a->arena, aci_buf_str(&text), &ok);
    ok = ok && aci_draft_add_extra(&in->p->draft, a->env, extra);
    aci_buf_clear(&text);
    return ok || aci_raw_reader_nomem(a);
}

/* Takes a string of the object as a field of the part. */
static bool take_inner(inner *in, uint32_t i, agentchat_field field, bool *fits)
{
    agentchat_str text;

    if (!has(&in->own, i))
        return true;
    if (!is_string(&in->own, i)) {
        *fits = false;
        return true;
    }
    if (!aci_raw_reader_decode(in->p->a, in->own.values[i].raw, &text))
        return false;
    aci_draft_set(&in->p->draft, field, ACI_FORM_TEXT, text);
    return true;
}

static void take_inner_json(inner *in, uint32_t i, agentchat_field field)
{
    if (has(&in->own, i))
        aci_draft_set(&in->p->draft, field, ACI_FORM_JSON, in->own.values[i].raw);
}

/* ADK-Rust has the id of a response beside the object. The one inside counts. */
static bool take_response_id(inner *in, bool *fits)
{
    part_reader *p = in->p;
    const aci_location at = {p->path, p->values[ACI_ADK_FLAT_ID].name, 0};
    agentchat_str beside = {NULL, 0}, inside;

    if (!take_if(p, ACI_ADK_FLAT_ID, AGENTCHAT_FIELD_CALL_ID, fits))
        return false;
    if (is_string(p, ACI_ADK_FLAT_ID))
        beside = aci_field_view(aci_field_find(p->draft.fields, p->draft.field_count, AGENTCHAT_FIELD_CALL_ID));
    if (!take_inner(in, ACI_ADK_RESPONSE_ID, AGENTCHAT_FIELD_CALL_ID, fits))
        return false;
    inside = aci_field_view(aci_field_find(p->draft.fields, p->draft.field_count, AGENTCHAT_FIELD_CALL_ID));
    return !*fits || beside.ptr == NULL || agentchat_str_equal(beside, inside) ||
           aci_raw_reader_note(p->a, AGENTCHAT_REPORT_LOSS, &at,
                               "the id was left out: the response has another one inside");
}

/* The fields of each kind of object. */
static bool read_fields(inner *in, agentchat_item_kind *kind, bool *fits)
{
    part_reader *p = in->p;
    const aci_location at = {p->path, p->values[in->index].name, 0};

    switch (in->index) {
    case ACI_ADK_INLINE_DATA:
        in->kept = ACI_ADK_DATA_KEPT;
        if (!take_inner(in, ACI_ADK_DATA_MIME_TYPE, AGENTCHAT_FIELD_MIME_TYPE, fits) ||
            (has(&in->own, ACI_ADK_DATA_DATA) &&
             !aci_adk_read_bytes(p->a, &at, in->own.values[ACI_ADK_DATA_DATA].raw, &p->base64, &p->bytes)))
            return false;
        *kind = kind_of_data(p);
        *fits = *fits && (p->base64.ptr != NULL || p->bytes.ptr != NULL);
        return true;
    case ACI_ADK_FILE_DATA:
        in->kept = ACI_ADK_FILE_KEPT;
        if (!take_inner(in, ACI_ADK_FILE_MIME_TYPE, AGENTCHAT_FIELD_MIME_TYPE, fits))
            return false;
        *kind = kind_of_data(p);
        *fits = *fits && has(&in->own, ACI_ADK_FILE_URI);
        return take_inner(in, ACI_ADK_FILE_URI, AGENTCHAT_FIELD_URI, fits);
    case ACI_ADK_CALL:
        in->kept = ACI_ADK_CALL_KEPT;
        *kind = AGENTCHAT_ITEM_CALL;
        take_inner_json(in, ACI_ADK_CALL_ARGS, AGENTCHAT_FIELD_ARGUMENTS);
        return take_inner(in, ACI_ADK_CALL_ID, AGENTCHAT_FIELD_CALL_ID, fits) &&
               take_inner(in, ACI_ADK_CALL_NAME, AGENTCHAT_FIELD_FUNCTION, fits);
    default:
        in->kept = ACI_ADK_RESPONSE_KEPT;
        *kind = AGENTCHAT_ITEM_RESULT;
        take_inner_json(in, ACI_ADK_RESPONSE_RESPONSE, AGENTCHAT_FIELD_RESULT);
        return take_inner(in, ACI_ADK_RESPONSE_NAME, AGENTCHAT_FIELD_FUNCTION, fits) && take_response_id(in, fits);
    }
}

static bool read_object(part_reader *p, uint32_t index, agentchat_item_kind *kind)
{
    inner in = {.p = p, .index = index, .table = aci_adk_part.list[index].of};
    const aci_location at = {p->path, p->values[index].name, 0};
    bool fits = true, ok;

    *kind = (agentchat_item_kind)0;
    if (*p->values[index].raw.ptr != '{')
        return true;
    aci_draft_begin(&in.own.draft);
    ok = aci_object_table_members(p->a, &at, p->values[index].raw, in.table, in.own.values, &in.own.draft) &&
         read_fields(&in, kind, &fits) && (!fits || keep_rest(&in));
    if (!fits)
        *kind = (agentchat_item_kind)0;
    p->taken |= UINT64_C(1) << index;
    aci_draft_clear(&in.own.draft, p->a->env);
    return ok;
}

/* ---- a part ----------------------------------------------------------------------------------------------------- */

/* The one thing that a part is; ACI_ADK_PART_MAINS when it is nothing or more than one thing. */
static uint32_t main_of(const part_reader *p)
{
    uint32_t found = ACI_ADK_PART_MAINS, count = 0;

    for (uint32_t i = 0; i < ACI_ADK_PART_MAINS; i++)
        if (has(p, i)) {
            found = i;
            count++;
        }
    if (count == 0 && has(p, ACI_ADK_THOUGHT) && *p->values[ACI_ADK_THOUGHT].raw.ptr == 't')
        return ACI_ADK_TEXT;
    return count == 1 ? found : ACI_ADK_PART_MAINS;
}

static bool read_main(part_reader *p, agentchat_item_kind *kind)
{
    uint32_t index = main_of(p);

    *kind = (agentchat_item_kind)0;
    switch (index) {
    case ACI_ADK_TEXT:
        return read_text(p, kind);
    case ACI_ADK_THINKING:
        return read_thinking(p, kind);
    case ACI_ADK_INLINE_DATA:
    case ACI_ADK_FILE_DATA:
    case ACI_ADK_CALL:
    case ACI_ADK_RESPONSE:
        return read_object(p, index, kind);
    case ACI_ADK_FLAT_DATA:
    case ACI_ADK_FLAT_FILE_URI:
        return read_flat_data(p, kind);
    case ACI_ADK_FLAT_NAME:
        return read_flat_call(p, kind);
    default:
        return true;
    }
}

/* The signature that a part of any kind may have; ADK-Rust's thinking has its own, which counts. A value that is no
   string stays an extra. */
static bool take_signature(part_reader *p)
{
    return aci_field_find(p->draft.fields, p->draft.field_count, AGENTCHAT_FIELD_SIGNATURE) != NULL ||
           !is_string(p, ACI_ADK_THOUGHT_SIGNATURE) || take(p, ACI_ADK_THOUGHT_SIGNATURE, AGENTCHAT_FIELD_SIGNATURE);
}

/* What stands in the part besides what was taken. */
static bool keep_others(part_reader *p)
{
    for (uint32_t i = 0; i < aci_adk_part.count; i++)
        if ((p->taken >> i & 1) != 0)
            p->values[i].raw = (agentchat_str){NULL, 0};
    return aci_object_table_keep(p->a, &aci_adk_part, p->values, 0, &p->draft);
}

static agentchat_item *make_item(part_reader *p, agentchat_item_kind kind)
{
    agentchat_item *item = aci_draft_item(&p->draft, p->a->arena, kind);

    if (item != NULL && (p->base64.ptr != NULL || p->bytes.ptr != NULL)) {
        item->u.data = aci_data_new(p->a->arena, p->base64, p->bytes);
        if (item->u.data == NULL)
            item = NULL;
    }
    if (item == NULL)
        (void)aci_raw_reader_nomem(p->a);
    return item;
}

/* The whole part as it stands; its kind is the name of what it is. */
static agentchat_item *make_opaque(part_reader *p, agentchat_str raw)
{
    uint32_t index = main_of(p);

    if (index < ACI_ADK_PART_OTHER &&
        !aci_raw_reader_note(p->a, AGENTCHAT_REPORT_NOTE, p->path,
                             "the part is kept as it stands: its \"%s\" is not as expected",
                             aci_adk_part.list[index].camel))
        return NULL;
    aci_draft_clear(&p->draft, p->a->env);
    p->base64 = p->bytes = (agentchat_str){NULL, 0};
    for (uint32_t i = ACI_ADK_PART_MAINS; i-- > 0;)
        if (has(p, i))
            aci_draft_set(&p->draft, AGENTCHAT_FIELD_TYPE, ACI_FORM_TEXT, aci_table_camel(&aci_adk_part, i));
    aci_draft_set(&p->draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, raw);
    aci_draft_set(&p->draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, ACI_TAG(aci_adk_name));
    return make_item(p, AGENTCHAT_ITEM_OPAQUE);
}

agentchat_item *aci_adk_part_read(aci_raw_reader *a, const aci_location *path, agentchat_str raw)
{
    agentchat_item_kind kind = (agentchat_item_kind)0;
    agentchat_item *item = NULL;
    part_reader p;
    bool ok = true;

    memset(&p, 0, sizeof p);
    p.a = a;
    p.path = path;
    aci_draft_begin(&p.draft);
    if (*raw.ptr == '{')
        ok = aci_object_table_members(a, path, raw, &aci_adk_part, p.values, &p.draft) && read_main(&p, &kind);
    if (ok && kind != 0)
        item = take_signature(&p) && keep_others(&p) ? make_item(&p, kind) : NULL;
    else if (ok)
        item = make_opaque(&p, raw);
    aci_draft_clear(&p.draft, a->env);
    return item;
}
