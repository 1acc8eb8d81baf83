/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/call.h"

#include "json/value.h"

/* ---- reading --------------------------------------------------------------------------------------------------- */

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
bool aci_call_read_arguments(aci_object *call, aci_object *inner, uint32_t row, bool is_custom)
{
    agentchat_str raw = inner->values[row].raw, text, span;
    agentchat_status status;

    if (!is_custom && aci_object_has(inner, row, '{')) { /* as other servers have it */
        aci_object_set(call, AGENTCHAT_FIELD_ARGUMENTS, ACI_FORM_JSON, aci_object_take(inner, row));
        return aci_object_note_word(call, "arguments", "object");
    }
    if (!aci_object_take_text(inner, row, &text))
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

/* ---- writing --------------------------------------------------------------------------------------------------- */

/* A string of JSON, decoded, as a string; around it the whitespace that the form mark has. */
static bool add_unquoted(agentchat_str raw, aci_buf *out)
{
    return raw.ptr == NULL || *raw.ptr != '"' || aci_json_unquote(raw, out);
}

void aci_call_write_arguments(aci_object_out *call, aci_object_out *o, uint32_t row, bool is_custom)
{
    agentchat_str arguments = aci_object_out_get(call, AGENTCHAT_FIELD_ARGUMENTS);
    bool is_text = arguments.ptr != NULL && *arguments.ptr == '"' &&
                   (is_custom || aci_object_out_form_says(call, "arguments", "text")),
         ok;
    aci_buf text;

    if (arguments.ptr == NULL &&
        (aci_object_out_form_says(call, "arguments", "absent") || aci_object_out_rest_has(o, row) ||
         aci_object_out_extra(o, row).ptr != NULL || is_custom))
        return;
    if (arguments.ptr == NULL) {
        aci_out_changed(o->out, call->path, "a call must have arguments: {} was written");
        arguments = AGENTCHAT_STR("{}");
    }
    if (*arguments.ptr == '{' && aci_object_out_form_says(call, "arguments", "object")) {
        aci_object_out_key(o, row);
        aci_writer_raw(&o->out->w, arguments);
        return;
    }
    aci_buf_init(&text, o->out->env, SIZE_MAX);
    ok = is_text ? aci_json_unquote(arguments, &text)
                 : add_unquoted(aci_object_out_form(call, "before"), &text) && aci_buf_add_str(&text, arguments) &&
                       add_unquoted(aci_object_out_form(call, "after"), &text);
    if (!ok)
        aci_out_nomem(o->out);
    aci_object_out_text(o, row, aci_buf_str(&text));
    aci_buf_clear(&text);
}

void aci_call_write_name(aci_object_out *call, aci_object_out *o, uint32_t row)
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
