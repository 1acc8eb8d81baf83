/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, whose arguments are text that should be JSON, and citations. */
#include "format/openai_chat/openai_chat.h"

#include "format/kit/look.h"
#include "json/value.h"

/* A string of JSON, decoded, as a string; around it the whitespace that the form mark has. */
static bool add_unquoted(agentchat_str raw, aci_buf *out)
{
    return raw.ptr == NULL || *raw.ptr != '"' || aci_json_unquote(raw, out);
}

/* call: the item's object, which has the form mark; o: that in which the arguments stand, perhaps the same. */
static void write_arguments(aci_object_out *call, aci_object_out *o, bool is_custom)
{
    agentchat_str arguments = aci_object_out_get(call, AGENTCHAT_FIELD_ARGUMENTS);
    bool is_text = arguments.ptr != NULL && *arguments.ptr == '"' &&
                   (is_custom || aci_object_out_form_says(call, "arguments", "text")),
         ok;
    aci_buf text;

    if (arguments.ptr == NULL && (aci_object_out_form_says(call, "arguments", "absent") ||
                                  aci_object_out_rest_has(o, ACI_OC_FUNCTION_ARGUMENTS) || is_custom))
        return;
    if (arguments.ptr == NULL) {
        aci_out_changed(o->out, call->path, "a call must have arguments: {} was written");
        arguments = AGENTCHAT_STR("{}");
    }
    if (*arguments.ptr == '{' && aci_object_out_form_says(call, "arguments", "object")) {
        aci_object_out_key(o, ACI_OC_FUNCTION_ARGUMENTS);
        aci_writer_raw(&o->out->w, arguments);
        return;
    }
    aci_buf_init(&text, o->out->env, SIZE_MAX);
    ok = is_text ? aci_json_unquote(arguments, &text)
                 : add_unquoted(aci_object_out_form(call, "before"), &text) && aci_buf_add_str(&text, arguments) &&
                       add_unquoted(aci_object_out_form(call, "after"), &text);
    if (!ok)
        aci_out_nomem(o->out);
    aci_object_out_text(o, ACI_OC_FUNCTION_ARGUMENTS, aci_buf_str(&text));
    aci_buf_clear(&text);
}

void aci_openai_chat_write_name(aci_object_out *call, aci_object_out *o, uint32_t row)
{
    agentchat_str plugin = aci_object_out_get(call, AGENTCHAT_FIELD_PLUGIN);
    agentchat_str function = aci_object_out_get(call, AGENTCHAT_FIELD_FUNCTION);
    aci_buf name;

    if (plugin.ptr != NULL)
        aci_out_changed(o->out, call->path, "the plugin was written into the function's name");
    if (plugin.ptr == NULL || plugin.len == 0) {
        aci_object_out_text(o, row, function);
        return;
    }
    aci_buf_init(&name, o->out->env, SIZE_MAX);
    if (!aci_buf_add_str(&name, plugin) || !aci_buf_add(&name, "-", 1) || !aci_buf_add_str(&name, function))
        aci_out_nomem(o->out);
    aci_object_out_text(o, row, aci_buf_str(&name));
    aci_buf_clear(&name);
}

void aci_openai_chat_write_function(aci_out *out, const aci_location *list, const agentchat_message *message,
                                    size_t index)
{
    const agentchat_item *item = message->items[index];
    const aci_location at = {list, {NULL, 0}, index};
    aci_object_out o;

    aci_object_out_item(&o, out, &at, item, &aci_openai_chat_function);
    aci_openai_chat_write_name(&o, &o, ACI_OC_FUNCTION_NAME);
    write_arguments(&o, &o, false);
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
    aci_openai_chat_write_name(&o, &inner, ACI_OC_FUNCTION_NAME);
    write_arguments(&o, &inner, is_custom);
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
