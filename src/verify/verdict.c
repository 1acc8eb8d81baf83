/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that fail, and what an expectation says. */
#include "verify/verdict.h"

#include "base/error.h"
#include "json/value.h"
#include "json/walk.h"
#include <stdarg.h>
#include <string.h>

void aci_verdict_fail(aci_verdict *v, const char *check, agentchat_str path, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int len;

    v->failed++;
    if (v->each == NULL)
        return;
    va_start(arguments, format);
    len = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    v->each(v->user, check, path, (agentchat_str){text, len < (int)sizeof text ? (size_t)len : sizeof text - 1});
}

agentchat_str aci_verdict_member(agentchat_str object, const char *name)
{
    size_t len = strlen(name);
    aci_walk walk;

    if (object.ptr == NULL || *object.ptr != '{')
        return (agentchat_str){NULL, 0};
    aci_walk_begin(&walk, object);
    while (aci_walk_next(&walk))
        if (walk.key.len == len + 2 && memcmp(walk.key.ptr + 1, name, len) == 0)
            return walk.value;
    return (agentchat_str){NULL, 0};
}

bool aci_verdict_is(aci_verdict *v, agentchat_str raw, agentchat_str text, agentchat_status *status)
{
    aci_buf decoded;
    bool is;

    if (*raw.ptr != '"')
        return false;
    aci_buf_init(&decoded, v->env, SIZE_MAX);
    if (!aci_json_unquote(raw, &decoded))
        *status = aci_fail_nomem(v->err);
    is = *status >= 0 && agentchat_str_equal(aci_buf_str(&decoded), text);
    aci_buf_clear(&decoded);
    return is;
}
