/* SPDX-License-Identifier: Apache-2.0 */
/* The one table of fields: names in format 1, what a field holds, who may have it. Everything that reads, writes,
   compares or digests a message asks here. */
#include "model/form_mark.h"

#include <string.h>

typedef enum value_rule { ANY_VALUE = 0, A_BOOLEAN, A_FORM_MARK } value_rule;

typedef struct field_info {
    const char *name;
    aci_form form;
    bool on_message;
    uint32_t kinds; /* bit n: item kind n may have the field */
    value_rule rule;
} field_info;

#define KIND(name) (UINT32_C(1) << AGENTCHAT_ITEM_##name)
#define EVERY_KIND                                                                                                     \
    (KIND(TEXT) | KIND(IMAGE) | KIND(AUDIO) | KIND(BINARY) | KIND(CALL) | KIND(RESULT) | KIND(ANNOTATION) |            \
     KIND(FILE) | KIND(REASONING) | KIND(ACTION) | KIND(MESSAGE) | KIND(OPAQUE))
#define WITH_DATA (KIND(IMAGE) | KIND(AUDIO) | KIND(BINARY))

static const field_info fields_by_number[] = {
    [AGENTCHAT_FIELD_ROLE] = {"role", ACI_FORM_TEXT, true, 0, ANY_VALUE},
    [AGENTCHAT_FIELD_NAME] = {"name", ACI_FORM_TEXT, true, 0, ANY_VALUE},
    [AGENTCHAT_FIELD_ID] = {"id", ACI_FORM_TEXT, true, 0, ANY_VALUE},
    [AGENTCHAT_FIELD_TIME] = {"time", ACI_FORM_TEXT, true, 0, ANY_VALUE},
    [AGENTCHAT_FIELD_MODEL_ID] = {"model", ACI_FORM_TEXT, true, EVERY_KIND, ANY_VALUE},
    [AGENTCHAT_FIELD_MIME_TYPE] = {"mimetype", ACI_FORM_TEXT, true, EVERY_KIND, ANY_VALUE},
    [AGENTCHAT_FIELD_METADATA] = {"metadata", ACI_FORM_JSON, true, EVERY_KIND, ANY_VALUE},
    [AGENTCHAT_FIELD_TEXT] = {"text", ACI_FORM_TEXT, false, KIND(TEXT) | KIND(REASONING) | KIND(ACTION), ANY_VALUE},
    [AGENTCHAT_FIELD_URI] = {"uri", ACI_FORM_TEXT, false, WITH_DATA, ANY_VALUE},
    [AGENTCHAT_FIELD_CALL_ID] = {"id", ACI_FORM_TEXT, false, KIND(CALL) | KIND(RESULT), ANY_VALUE},
    [AGENTCHAT_FIELD_PLUGIN] = {"plugin", ACI_FORM_TEXT, false, KIND(CALL) | KIND(RESULT), ANY_VALUE},
    [AGENTCHAT_FIELD_FUNCTION] = {"function", ACI_FORM_TEXT, false, KIND(CALL) | KIND(RESULT), ANY_VALUE},
    [AGENTCHAT_FIELD_ARGUMENTS] = {"arguments", ACI_FORM_JSON, false, KIND(CALL), ANY_VALUE},
    [AGENTCHAT_FIELD_EXCEPTION] = {"exception", ACI_FORM_JSON, false, KIND(CALL), ANY_VALUE},
    [AGENTCHAT_FIELD_RESULT] = {"result", ACI_FORM_JSON, false, KIND(RESULT), ANY_VALUE},
    [AGENTCHAT_FIELD_KIND] = {"kind", ACI_FORM_TEXT, false, KIND(ANNOTATION), ANY_VALUE},
    [AGENTCHAT_FIELD_LABEL] = {"label", ACI_FORM_TEXT, false, KIND(ANNOTATION), ANY_VALUE},
    [AGENTCHAT_FIELD_REFERENCE_ID] = {"reference", ACI_FORM_TEXT, false, KIND(ANNOTATION), ANY_VALUE},
    [AGENTCHAT_FIELD_TITLE] = {"title", ACI_FORM_TEXT, false, KIND(ANNOTATION), ANY_VALUE},
    [AGENTCHAT_FIELD_START_INDEX] = {"start", ACI_FORM_JSON, false, KIND(ANNOTATION), ANY_VALUE},
    [AGENTCHAT_FIELD_END_INDEX] = {"end", ACI_FORM_JSON, false, KIND(ANNOTATION), ANY_VALUE},
    [AGENTCHAT_FIELD_FILE_ID] = {"file", ACI_FORM_TEXT, false, KIND(FILE), ANY_VALUE},
    [AGENTCHAT_FIELD_TOOLS] = {"tools", ACI_FORM_JSON, false, KIND(FILE), ANY_VALUE},
    [AGENTCHAT_FIELD_SIGNATURE] = {"signature", ACI_FORM_TEXT, false, EVERY_KIND, ANY_VALUE},
    [AGENTCHAT_FIELD_TYPE] = {"kind", ACI_FORM_TEXT, false, KIND(OPAQUE), ANY_VALUE},
    [AGENTCHAT_FIELD_RAW] = {"raw", ACI_FORM_JSON, false, KIND(OPAQUE), ANY_VALUE},
    [AGENTCHAT_FIELD_FROM] = {"from", ACI_FORM_TEXT, false, KIND(OPAQUE), ANY_VALUE},
    [AGENTCHAT_FIELD_FAILED] = {"failed", ACI_FORM_JSON, false, KIND(RESULT), A_BOOLEAN},
    [AGENTCHAT_FIELD_REDACTED] = {"redacted", ACI_FORM_JSON, false, KIND(REASONING), A_BOOLEAN},
    [AGENTCHAT_FIELD_REFUSAL] = {"refusal", ACI_FORM_JSON, false, KIND(TEXT), A_BOOLEAN},
    [AGENTCHAT_FIELD_ISSUER] = {"issuer", ACI_FORM_TEXT, false, EVERY_KIND, ANY_VALUE},
    [AGENTCHAT_FIELD_FORM] = {"form", ACI_FORM_JSON, true, EVERY_KIND, A_FORM_MARK},
};

/* The row of a field; NULL for a number that is no field, which callers may hand in. */
static const field_info *info_of(agentchat_field id)
{
    size_t index = (size_t)id;

    if (index == 0 || index >= sizeof fields_by_number / sizeof *fields_by_number)
        return NULL;
    return &fields_by_number[index];
}

aci_form aci_field_form(agentchat_field id)
{
    const field_info *info = info_of(id);

    return info != NULL ? info->form : ACI_FORM_TEXT;
}

const char *aci_field_name(agentchat_field id)
{
    const field_info *info = info_of(id);

    return info != NULL ? info->name : NULL;
}

const char *aci_field_mismatch(agentchat_field id, agentchat_str json)
{
    const field_info *info = info_of(id);
    value_rule rule = info != NULL ? info->rule : ANY_VALUE;

    if (rule == A_BOOLEAN && *json.ptr != 't' && *json.ptr != 'f' && *json.ptr != 'n')
        return "must be true, false or null";
    if (rule == A_FORM_MARK && *json.ptr != 'n' && !aci_form_mark_is_valid(json))
        return "must be an object of two members, \"from\" with the name of a format and \"value\"";
    return NULL;
}

bool aci_field_of_message(agentchat_field id)
{
    const field_info *info = info_of(id);

    return info != NULL && info->on_message;
}

bool aci_field_of_item(agentchat_item_kind kind, agentchat_field id)
{
    const field_info *info = info_of(id);

    return info != NULL && (size_t)kind < 32 && (info->kinds >> kind & 1) != 0;
}

const aci_field *aci_field_find(const aci_field *fields, size_t count, agentchat_field id)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].id == (uint64_t)id)
            return &fields[i];
    return NULL;
}

agentchat_str aci_field_view(const aci_field *field)
{
    if (field == NULL)
        return (agentchat_str){NULL, 0};
    if (field->form == ACI_FORM_NULL)
        return agentchat_str_null();
    return (agentchat_str){field->ptr, (size_t)field->len};
}

bool aci_field_is_covered(const aci_field *field)
{
    if (field->form == ACI_FORM_NULL || field->id == AGENTCHAT_FIELD_FORM || field->id == AGENTCHAT_FIELD_FROM)
        return false;
    if (field->form == ACI_FORM_JSON && field->len == 4 && memcmp(field->ptr, "null", 4) == 0)
        return false;
    return (field->id != AGENTCHAT_FIELD_FAILED && field->id != AGENTCHAT_FIELD_REDACTED &&
            field->id != AGENTCHAT_FIELD_REFUSAL) ||
           *field->ptr == 't';
}
