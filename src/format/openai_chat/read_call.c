/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, whose arguments are text that should be JSON, and citations. */
#include "format/openai_chat/openai_chat.h"

#include "json/value.h"

/* Whitespace around the JSON of arguments, which the form mark has. */
static bool note_whitespace(aci_object *o, const char *name, const char *text, size_t len)
{
    bool ok;
    aci_buf quoted;

    if (len == 0)
        return true;
    aci_buf_init(&quoted, o->a->env, SIZE_MAX);
    ok = (aci_json_canonical_string((agentchat_str){text, len}, &quoted) || aci_raw_reader_nomem(o->a)) &&
         aci_object_note(o, name, aci_buf_str(&quoted));
    aci_buf_clear(&quoted);
    return ok;
}

/* Arguments: the JSON in the text, or the text itself as a string. */
static bool take_arguments(aci_object *call, aci_object *inner, bool is_custom)
{
    agentchat_str raw = inner->values[ACI_OC_FUNCTION_ARGUMENTS].raw, text, span;
    agentchat_status status;

    if (!is_custom && aci_object_has(inner, ACI_OC_FUNCTION_ARGUMENTS, '{')) { /* as other servers have it */
        aci_object_set(call, AGENTCHAT_FIELD_ARGUMENTS, ACI_FORM_JSON,
                       aci_object_take(inner, ACI_OC_FUNCTION_ARGUMENTS));
        return aci_object_note_word(call, "arguments", "object");
    }
    if (!aci_object_take_text(inner, ACI_OC_FUNCTION_ARGUMENTS, &text))
        return false;
    if (text.ptr == NULL)
        return is_custom || raw.ptr != NULL || aci_object_note_word(call, "arguments", "absent");
    status = is_custom ? AGENTCHAT_E_SYNTAX : aci_json_check(call->a->env, text, 0, &span, NULL, NULL);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_raw_reader_nomem(call->a);
    if (status < 0 || agentchat_str_equal(span, AGENTCHAT_STR("null"))) {
        aci_object_set(call, AGENTCHAT_FIELD_ARGUMENTS, ACI_FORM_JSON, raw);
        return is_custom || aci_object_note_word(call, "arguments", "text");
    }
    aci_object_set(call, AGENTCHAT_FIELD_ARGUMENTS, ACI_FORM_JSON, span);
    return note_whitespace(call, "before", text.ptr, (size_t)(span.ptr - text.ptr)) &&
           note_whitespace(call, "after", span.ptr + span.len, (size_t)(text.ptr + text.len - span.ptr) - span.len);
}

static bool take_inner(aci_object *call, uint32_t row)
{
    bool is_custom = row == ACI_OC_CALL_CUSTOM, ok;
    aci_object inner;

    ok = aci_object_begin_inner(&inner, call, row, is_custom ? &aci_openai_chat_custom : &aci_openai_chat_function) &&
         take_arguments(call, &inner, is_custom);
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
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_chat_function) && take_arguments(&o, &o, false) &&
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
