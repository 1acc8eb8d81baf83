/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, whose arguments are text that should be JSON, and citations. */
#include "format/openai_chat/openai_chat.h"

#include "format/kit/call.h"

static bool take_inner(aci_object *call, uint32_t row)
{
    bool is_custom = row == ACI_OC_CALL_CUSTOM, ok;
    aci_object inner;

    ok = aci_object_begin_inner(&inner, call, row, is_custom ? &aci_openai_chat_custom : &aci_openai_chat_function) &&
         aci_call_read_arguments(call, &inner, ACI_OC_FUNCTION_ARGUMENTS, is_custom);
    return aci_object_end_inner(&inner, call, row, ok);
}

bool aci_openai_chat_read_call(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_chat_call);
    bool is_custom = ok && aci_object_says(&o, ACI_OC_CALL_TYPE, "custom");
    uint32_t row = is_custom ? ACI_OC_CALL_CUSTOM : ACI_OC_CALL_FUNCTION;

    if (ok && aci_object_has(&o, row, '{'))
        ok = take_inner(&o, row);
    if (ok && aci_object_says(&o, ACI_OC_CALL_TYPE, "function"))
        (void)aci_object_take(&o, ACI_OC_CALL_TYPE);
    else if (ok && aci_object_has(&o, ACI_OC_CALL_TYPE, '\0'))
        ok = aci_object_note_word(&o, "type", "absent");
    return aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_CALL, ok));
}

bool aci_openai_chat_read_function_call(aci_raw_reader *a, const aci_location *path, agentchat_str raw,
                                        aci_items *items)
{
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_chat_function) &&
              aci_call_read_arguments(&o, &o, ACI_OC_FUNCTION_ARGUMENTS, false) &&
              aci_object_note_word(&o, "in", "function_call");

    return aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_CALL, ok));
}

bool aci_openai_chat_read_annotation(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    aci_object o, inner;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_chat_annotation);

    if (ok && aci_object_has(&o, ACI_OC_ANNOTATION_URL, '{')) {
        ok = aci_object_begin_inner(&inner, &o, ACI_OC_ANNOTATION_URL, &aci_openai_chat_citation);
        ok = aci_object_end_inner(&inner, &o, ACI_OC_ANNOTATION_URL, ok);
    }
    return aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_ANNOTATION, ok));
}
