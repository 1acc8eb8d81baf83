/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON value as the text that stands for it in a rendered template. */
#include "state/template.h"

#include "base/utf8.h"
#include "json/value.h"

/* A string without its quotes. Half a surrogate pair is no character, so the text that a template becomes cannot have
   it: the replacement character stands there. */
static bool string_text(agentchat_str raw, aci_buf *made, agentchat_str *text)
{
    aci_buf repaired;
    bool ok;

    if (memchr(raw.ptr, '\\', raw.len) == NULL) {
        *text = (agentchat_str){raw.ptr + 1, raw.len - 2};
        return true;
    }
    if (aci_json_has_lone_surrogates(raw)) {
        aci_buf_init(&repaired, made->env, SIZE_MAX);
        ok = aci_json_replace_lone_surrogates(raw, &repaired) && aci_json_unquote(aci_buf_str(&repaired), made);
        aci_buf_clear(&repaired);
    } else {
        ok = aci_json_unquote(raw, made);
    }
    *text = aci_buf_str(made);
    return ok;
}

static agentchat_str python_word(aci_json_kind kind)
{
    if (kind == ACI_JSON_NULL)
        return (agentchat_str){"", 0};
    return kind == ACI_JSON_TRUE ? AGENTCHAT_STR("True") : AGENTCHAT_STR("False");
}

static bool adk_text(agentchat_template_dialect dialect, agentchat_str json, aci_buf *made, agentchat_str *text)
{
    aci_json_kind kind = aci_json_kind_of(json);
    bool ok = true;

    *text = json;
    if (kind == ACI_JSON_TRUE || kind == ACI_JSON_FALSE || kind == ACI_JSON_NULL) {
        if (dialect == AGENTCHAT_TEMPLATE_ADK_PYTHON)
            *text = python_word(kind);
        return true;
    }
    ok = kind == ACI_JSON_NUMBER ? aci_template_number(dialect, json, made) : aci_template_object(dialect, json, made);
    *text = aci_buf_str(made);
    return ok;
}

bool aci_template_value(agentchat_template_dialect dialect, agentchat_str json, aci_buf *made, agentchat_str *text)
{
    if (aci_json_kind_of(json) == ACI_JSON_STRING)
        return string_text(json, made, text);
    if (dialect != AGENTCHAT_TEMPLATE_AGENTCHAT)
        return adk_text(dialect, json, made, text);
    *text = json;
    return true;
}
