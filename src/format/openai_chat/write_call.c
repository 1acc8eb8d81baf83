/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, whose arguments are text that should be JSON, and citations. */
#include "format/openai_chat/openai_chat.h"

#include "format/kit/call.h"
#include "format/kit/look.h"

void aci_openai_chat_write_function(aci_out *out, const aci_location *list, const agentchat_message *message,
                                    size_t index)
{
    const agentchat_item *item = message->items[index];
    const aci_location at = {list, {NULL, 0}, index};
    aci_object_out o;

    aci_object_out_item(&o, out, &at, item, &aci_openai_chat_function);
    aci_call_write_name(&o, &o, ACI_OC_FUNCTION_NAME);
    aci_call_write_arguments(&o, &o, ACI_OC_FUNCTION_ARGUMENTS, false);
    if (aci_object_out_get(&o, AGENTCHAT_FIELD_CALL_ID).ptr != NULL)
        aci_out_lost(out, &at, "the call's id was left out: a function_call has none");
    aci_object_out_end(&o);
}

/* Whether there is anything that stands in the object of a function. */
static bool has_function(const agentchat_item *item)
{
    for (size_t i = 0; i < item->field_count; i++)
        if (item->fields[i].id == AGENTCHAT_FIELD_FUNCTION || item->fields[i].id == AGENTCHAT_FIELD_PLUGIN ||
            item->fields[i].id == AGENTCHAT_FIELD_ARGUMENTS)
            return true;
    return false;
}

void aci_openai_chat_write_call(aci_out *out, const aci_location *list, const agentchat_message *message, size_t index)
{
    const agentchat_item *item = message->items[index];
    const aci_location at = {list, {NULL, 0}, index};
    aci_object_out o, inner;
    bool is_custom;

    aci_object_out_item(&o, out, &at, item, &aci_openai_chat_call);
    is_custom = aci_look_is_word(aci_object_out_extra(&o, ACI_OC_CALL_TYPE), "custom");
    aci_object_out_fields(&o);
    if (aci_object_out_extra(&o, ACI_OC_CALL_TYPE).ptr == NULL && !aci_object_out_form_says(&o, "type", "absent"))
        aci_object_out_word(&o, ACI_OC_CALL_TYPE, "function");
    if (!has_function(item) && aci_object_out_extra(&o, ACI_OC_CALL_FUNCTION).ptr == NULL) {
        aci_object_out_end(&o);
        return;
    }
    aci_object_out_inner(&inner, &o, is_custom ? ACI_OC_CALL_CUSTOM : ACI_OC_CALL_FUNCTION,
                         is_custom ? &aci_openai_chat_custom : &aci_openai_chat_function);
    aci_call_write_name(&o, &inner, ACI_OC_FUNCTION_NAME);
    aci_call_write_arguments(&o, &inner, ACI_OC_FUNCTION_ARGUMENTS, is_custom);
    aci_object_out_end(&inner);
    aci_object_out_end(&o);
}

/* Whether there is anything that stands in the object of a citation. */
static bool has_citation(const agentchat_item *item)
{
    for (uint32_t i = 0; i < aci_openai_chat_citation.count; i++)
        if (aci_field_find(item->fields, item->field_count, (agentchat_field)aci_openai_chat_citation.list[i].field) !=
            NULL)
            return true;
    return false;
}

void aci_openai_chat_write_annotation(aci_out *out, const aci_location *list, const agentchat_message *message,
                                      size_t index)
{
    const agentchat_item *item = message->items[index];
    const aci_location at = {list, {NULL, 0}, index};
    aci_object_out o, inner;

    aci_object_out_item(&o, out, &at, item, &aci_openai_chat_annotation);
    aci_object_out_fields(&o);
    if (has_citation(item) || aci_object_out_extra(&o, ACI_OC_ANNOTATION_URL).ptr != NULL) {
        aci_object_out_inner(&inner, &o, ACI_OC_ANNOTATION_URL, &aci_openai_chat_citation);
        aci_object_out_fields(&inner);
        aci_object_out_end(&inner);
    }
    aci_object_out_end(&o);
}
