/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What .NET refuses to read, field by field, and what default mode writes instead. One row of the table in
 * docs/formats/semantic-kernel.md for each case here.
 */
#include "format/semantic_kernel/repair.h"

#include "base/utf8.h"
#include "json/value.h"
#include "json/walk.h"

static const char surrogate_why[] = "a lone surrogate was replaced by U+FFFD";

static aci_sk_repair keep(void)
{
    return (aci_sk_repair){ACI_SK_KEEP, {NULL, 0}, NULL};
}

static aci_sk_repair omit(const char *why)
{
    return (aci_sk_repair){ACI_SK_OMIT, {NULL, 0}, why};
}

static aci_sk_repair replace(const char *text, const char *why)
{
    return (aci_sk_repair){ACI_SK_REPLACE, agentchat_str_from(text), why};
}

/* ---- lone surrogates ------------------------------------------------------------------------------------------ */

aci_sk_repair aci_sk_repair_text(aci_sk_writer *wr, agentchat_str text)
{
    if (text.len == 0 || !aci_utf8_has_surrogates(text))
        return keep();
    wr->text.len = 0;
    if (!aci_buf_add_without_surrogates(&wr->text, text)) {
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
        return keep();
    }
    return (aci_sk_repair){ACI_SK_REPLACE, aci_buf_str(&wr->text), surrogate_why};
}

static aci_sk_repair fix_raw(aci_sk_writer *wr, agentchat_str raw)
{
    if (memchr(raw.ptr, '\\', raw.len) == NULL || !aci_json_has_lone_surrogates(raw))
        return keep();
    wr->text.len = 0;
    if (!aci_json_replace_lone_surrogates(raw, &wr->text)) {
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
        return keep();
    }
    return (aci_sk_repair){ACI_SK_REPLACE, aci_buf_str(&wr->text), surrogate_why};
}

/* ---- JSON fields ---------------------------------------------------------------------------------------------- */

/* Whether the walk's next values have one of the types that are wanted. */
static bool is_text_or_null(agentchat_str raw)
{
    return raw.ptr[0] == '"' || raw.ptr[0] == 'n';
}

static bool is_list_of_strings(agentchat_str raw)
{
    aci_walk walk;

    if (raw.ptr[0] != '[')
        return false;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk))
        if (!is_text_or_null(walk.value))
            return false;
    return true;
}

static bool raw_key_is(agentchat_str key, const char *name)
{
    return key.len >= 2 && aci_sk_view_is((agentchat_str){key.ptr + 1, key.len - 2}, name);
}

/* Whether a raw value is a number that System.Text.Json takes for an Int32. */
static bool is_int32(agentchat_str raw)
{
    int64_t value;

    return aci_json_integer(raw, &value) && value >= INT32_MIN && value <= INT32_MAX;
}

/* Of an exception's properties .NET sets three; they must have the right type. */
static bool is_exception(agentchat_str raw)
{
    aci_walk walk;

    if (raw.ptr[0] != '{')
        return false;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk)) {
        if ((raw_key_is(walk.key, "HelpLink") || raw_key_is(walk.key, "Source")) && !is_text_or_null(walk.value))
            return false;
        if (raw_key_is(walk.key, "HResult") && !is_int32(walk.value))
            return false;
    }
    return true;
}

aci_sk_repair aci_sk_repair_json(aci_sk_writer *wr, agentchat_field id, agentchat_str raw)
{
    if (id == AGENTCHAT_FIELD_ARGUMENTS && raw.ptr[0] != '{')
        return omit("arguments that are no object were taken out");
    if (id == AGENTCHAT_FIELD_METADATA && raw.ptr[0] != '{')
        return omit("metadata that is no object was taken out");
    if ((id == AGENTCHAT_FIELD_START_INDEX || id == AGENTCHAT_FIELD_END_INDEX) && !is_int32(raw))
        return omit("an index that is no 32-bit integer was taken out");
    if (id == AGENTCHAT_FIELD_TOOLS && !is_list_of_strings(raw))
        return omit("tools that are no list of strings were taken out");
    if (id == AGENTCHAT_FIELD_EXCEPTION && !is_exception(raw))
        return omit("an exception that .NET cannot read was taken out");
    return fix_raw(wr, raw);
}

/* ---- fields --------------------------------------------------------------------------------------------------- */

/* Fields that must not be missing, null, empty or whitespace-only. */
static aci_sk_repair fix_empty(agentchat_item_kind kind, agentchat_field id, const aci_field *field)
{
    bool nothing = field == NULL || field->form == ACI_FORM_NULL;
    bool empty = nothing || aci_utf8_is_whitespace(aci_field_text(field));

    if (!empty)
        return keep();
    if (id == AGENTCHAT_FIELD_ROLE)
        return replace("user", "a missing, empty or whitespace-only role was written as user");
    if (id == AGENTCHAT_FIELD_NAME && !nothing)
        return (aci_sk_repair){ACI_SK_NULL, {NULL, 0}, "an empty or whitespace-only author name was written as null"};
    if (id == AGENTCHAT_FIELD_FUNCTION && kind == AGENTCHAT_ITEM_CALL && nothing)
        return replace("", "a missing function name was written as empty");
    if (id == AGENTCHAT_FIELD_TEXT && kind == AGENTCHAT_ITEM_ACTION)
        return replace("(none)", "a missing, empty or whitespace-only action text was filled in");
    if (id == AGENTCHAT_FIELD_KIND)
        return field == NULL ? (aci_sk_repair){ACI_SK_SKIP, {NULL, 0}, NULL}
                             : omit("an empty or whitespace-only annotation kind was taken out");
    if (id == AGENTCHAT_FIELD_LABEL || id == AGENTCHAT_FIELD_REFERENCE_ID || id == AGENTCHAT_FIELD_FILE_ID)
        return replace("(none)", "a missing, empty or whitespace-only text that .NET requires was filled in");
    return keep();
}

aci_sk_repair aci_sk_repair_field(aci_sk_writer *wr, agentchat_item_kind kind, const aci_sk_prop *prop,
                                  const aci_field *field)
{
    agentchat_field id = (agentchat_field)prop->field;
    aci_sk_repair fix = fix_empty(kind, id, field);
    agentchat_str value;

    if (fix.what != ACI_SK_KEEP || field == NULL || field->form == ACI_FORM_NULL)
        return fix;
    value = aci_field_text(field);
    if (field->form == ACI_FORM_JSON)
        return aci_sk_repair_json(wr, id, value);
    if (id == AGENTCHAT_FIELD_URI && !aci_sk_uri_is_absolute(value))
        return omit("a URI that is not absolute was taken out");
    return aci_sk_repair_text(wr, value);
}

/* ---- opaque items ---------------------------------------------------------------------------------------------- */

/* A string of the raw item that says something to a reader. */
static agentchat_str spoken_part(agentchat_str raw)
{
    aci_walk walk;

    if (raw.len == 0 || raw.ptr[0] != '{')
        return (agentchat_str){NULL, 0};
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk))
        if ((raw_key_is(walk.key, "Text") || raw_key_is(walk.key, "text")) && walk.value.ptr[0] == '"')
            return walk.value;
    return (agentchat_str){NULL, 0};
}

agentchat_str aci_sk_opaque_text(aci_sk_writer *wr, const aci_field *fields, size_t count)
{
    agentchat_str raw = aci_field_view(aci_field_find(fields, count, AGENTCHAT_FIELD_RAW));
    agentchat_str type = aci_field_view(aci_field_find(fields, count, AGENTCHAT_FIELD_TYPE));
    agentchat_str text = spoken_part(raw);
    aci_buf given;
    bool ok;

    aci_buf_init(&given, wr->env, SIZE_MAX);
    if (text.ptr != NULL)
        ok = aci_json_unquote(text, &given);
    else
        ok = aci_buf_add(&given, "[", 1) && aci_buf_add_str(&given, type.len > 0 ? type : AGENTCHAT_STR("unknown")) &&
             aci_buf_add(&given, "]", 1);
    wr->text.len = 0;
    if (!ok || !aci_buf_add_without_surrogates(&wr->text, aci_buf_str(&given)))
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
    aci_buf_clear(&given);
    return aci_buf_str(&wr->text);
}
