/* SPDX-License-Identifier: Apache-2.0 */
/* A call of a tool: its arguments, what it changes, and what is said to it. */
#include "memory/memory_internal.h"

#include "base/error.h"
#include "json/value.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

AGENTCHAT_PRINTF(2, 0) static void say(aci_tool_call *call, const char *format, va_list args)
{
    char *text;
    va_list again;
    int len;

    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = len >= 0 ? aci_arena_text(call->arena, (size_t)len + 1) : NULL;
    if (text != NULL)
        (void)vsnprintf(text, (size_t)len + 1, format, args);
    if (call->status >= 0 && (text == NULL || !aci_buf_add(&call->said, text, (size_t)len)))
        call->status = aci_fail_nomem(call->err);
}

void aci_tool_say(aci_tool_call *call, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(call, format, args);
    va_end(args);
}

void aci_tool_say_text(aci_tool_call *call, agentchat_str text)
{
    if (call->status >= 0 && !aci_buf_add(&call->said, text.ptr, text.len))
        call->status = aci_fail_nomem(call->err);
}

void aci_tool_fail(aci_tool_call *call, const char *format, ...)
{
    va_list args;

    call->failed = true;
    call->is_json = false;
    call->said.len = 0;
    va_start(args, format);
    say(call, format, args);
    va_end(args);
}

bool aci_tool_did(aci_tool_call *call, agentchat_status status, const agentchat_error *why)
{
    if (status >= 0)
        return true;
    if (status == AGENTCHAT_E_INVALID || status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_NOTFOUND ||
        status == AGENTCHAT_E_CONFLICT || status == AGENTCHAT_E_EXISTS || status == AGENTCHAT_E_UNSUPPORTED ||
        status == AGENTCHAT_E_LIMIT) {
        aci_tool_fail(call, "Error: %s", why->message);
        return false;
    }
    if (call->status >= 0) {
        call->status = status;
        if (call->err != NULL)
            *call->err = *why;
    }
    return false;
}

/* ---- arguments ------------------------------------------------------------------------------------------------ */

/* 0: it is not there, or null. */
static uint32_t find(const aci_tool_call *call, const char *name)
{
    uint32_t node = aci_json_index_find(&call->arguments, 0, agentchat_str_from(name));

    return node != 0 && aci_json_index_kind(&call->arguments, node) != ACI_JSON_NULL ? node : 0;
}

agentchat_str aci_tool_value(const aci_tool_call *call, const char *name)
{
    uint32_t node = find(call, name);

    return node != 0 ? aci_json_index_raw(&call->arguments, node) : (agentchat_str){NULL, 0};
}

static bool is_there(aci_tool_call *call, const char *name, bool needed, uint32_t node)
{
    if (node == 0 && needed)
        aci_tool_fail(call, "Error: the argument `%s` is missing.", name);
    return node != 0;
}

bool aci_tool_text(aci_tool_call *call, const char *name, bool needed, agentchat_str *out)
{
    uint32_t node = find(call, name);

    *out = (agentchat_str){NULL, 0};
    if (!is_there(call, name, needed, node))
        return !needed;
    if (aci_json_index_kind(&call->arguments, node) != ACI_JSON_STRING) {
        aci_tool_fail(call, "Error: the argument `%s` is a text.", name);
        return false;
    }
    if (!aci_json_index_string(&call->arguments, node, call->arena, out))
        call->status = aci_fail_nomem(call->err);
    return call->status >= 0;
}

bool aci_tool_number(aci_tool_call *call, const char *name, bool needed, int64_t *out)
{
    uint32_t node = find(call, name);

    if (!is_there(call, name, needed, node))
        return !needed;
    if (aci_json_index_kind(&call->arguments, node) == ACI_JSON_NUMBER &&
        aci_json_integer(aci_json_index_raw(&call->arguments, node), out))
        return true;
    aci_tool_fail(call, "Error: the argument `%s` is a whole number.", name);
    return false;
}

/* ---- changes -------------------------------------------------------------------------------------------------- */

agentchat_status aci_tool_put(aci_tool_call *call, const char *ns, const char *key, const char *name,
                              agentchat_str value, uint64_t expect, agentchat_error *err)
{
    agentchat_memory_put_options put = call->put;
    aci_buf document;
    agentchat_status status = AGENTCHAT_OK;

    aci_buf_init(&document, call->env, SIZE_MAX);
    put.has_expect = true;
    put.expect = expect;
    put.keep_expiry = !put.has_ttl;
    put.revision = NULL;
    if (!aci_buf_printf(&document, "{\"%s\": ", name) || !aci_buf_add_str(&document, value) ||
        !aci_buf_add(&document, "}", 1))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = agentchat_memory_put(call->store, ns, key, aci_buf_str(&document), &put, err);
    aci_buf_clear(&document);
    return status;
}

agentchat_status aci_tool_delete(const aci_tool_call *call, const char *ns, const char *key, uint64_t expect,
                                 agentchat_error *err)
{
    agentchat_memory_delete_options removing = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;

    removing.has_expect = true;
    removing.expect = expect;
    return agentchat_memory_delete(call->store, ns, key, &removing, err);
}
