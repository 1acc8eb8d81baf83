/* SPDX-License-Identifier: Apache-2.0 */
/* Locations in a snapshot, as reports and errors show them. */
#include "format/semantic_kernel/location.h"

#include "base/error.h"
#include "json/value.h"
#include <stdarg.h>
#include <stdio.h>

/* Longest pointer that a report shows; a longer one is cut at a token. */
enum { MAX_POINTER = 4096, MAX_TOKENS = 256, MAX_TEXT = 400 };

static bool add_tokens(aci_buf *buf, const aci_sk_path *path)
{
    const aci_sk_path *tokens[MAX_TOKENS];
    size_t count = 0;

    for (; path != NULL && count < MAX_TOKENS; path = path->up)
        tokens[count++] = path;
    while (count > 0) {
        const aci_sk_path *token = tokens[--count];

        if (!(token->name != NULL ? aci_json_pointer_add(buf, agentchat_str_from(token->name))
                                  : aci_json_pointer_add_index(buf, token->index)))
            return false;
    }
    return true;
}

bool aci_sk_report(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                   const aci_sk_path *path, const char *format, ...)
{
    char text[MAX_TEXT];
    aci_buf pointer;
    va_list arguments;
    bool ok;

    if (report == NULL)
        return true;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    aci_buf_init(&pointer, env, (size_t)MAX_POINTER * MAX_TOKENS);
    ok = add_tokens(&pointer, path) && aci_report_add(report, kind, AGENTCHAT_MATCH_NONE, aci_buf_str(&pointer),
                                                      (agentchat_str){NULL, 0}, "%s", text);
    aci_buf_clear(&pointer);
    return ok;
}

void aci_sk_locate_error(const agentchat_env *env, const aci_sk_path *path, agentchat_error *err)
{
    aci_buf pointer;

    aci_buf_init(&pointer, env, (size_t)MAX_POINTER * MAX_TOKENS);
    if (add_tokens(&pointer, path))
        aci_error_path(err, aci_buf_str(&pointer));
    aci_buf_clear(&pointer);
}
