/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaving `temp:` members out of JSON text.
 *
 * The text was validated before, so tokens are found without checking them again. Commas are put where something is
 * kept, not copied, so it does not matter which members of an object go.
 */
#include "session/temporary.h"

#include "json/tokens.h"
#include <agentchat/state.h>
#include <string.h>

static const char prefix[] = AGENTCHAT_KEY_PREFIX_TEMP;
enum { PREFIX_LEN = sizeof prefix - 1 };

bool aci_is_temporary(agentchat_str name)
{
    return name.len >= PREFIX_LEN && memcmp(name.ptr, prefix, PREFIX_LEN) == 0;
}

/* The same of a name as it is spelled, p after its opening quote: each character stands for itself or is an escape by
   number; the prefix has none of those with a short escape. */
static bool is_temporary_spelled(const char *p, const char *end)
{
    for (size_t i = 0; i < PREFIX_LEN; i++) {
        if (p < end && *p == prefix[i])
            p++;
        else if (end - p >= 6 && p[0] == '\\' && p[1] == 'u' && aci_lex_hex4(p + 2) == (unsigned char)prefix[i])
            p += 6;
        else
            return false;
    }
    return true;
}

/* Takes the name at p with its colon. */
static const char *after_name(const char *p, const char *end)
{
    p = aci_after_whitespace(aci_after_string(p, end), end);
    return aci_after_whitespace(p + 1, end);
}

/* Whether the text can have such a name at all: a look that most texts end with. */
static bool may_have(agentchat_str json)
{
    const char *p = json.ptr, *end = p + json.len;

    if (memchr(p, '\\', json.len) != NULL)
        return true;
    for (; end - p >= PREFIX_LEN && (p = memchr(p, prefix[0], (size_t)(end - p) - PREFIX_LEN + 1)) != NULL; p++)
        if (memcmp(p, prefix, PREFIX_LEN) == 0)
            return true;
    return false;
}

bool aci_temporary_strip(agentchat_str json, aci_buf *out, bool *any)
{
    const char *p = json.ptr, *end = p + json.len;
    size_t before = out->len;
    bool comma = false, ok = true;

    *any = false;
    if (!may_have(json))
        return true;
    while (ok && (p = aci_after_whitespace(p, end)) < end) {
        const char *start = p;

        if (*p == ',') {
            p++;
        } else if (*p == '{' || *p == '[') {
            ok = (!comma || aci_buf_add(out, ",", 1)) && aci_buf_add(out, p++, 1);
            comma = false;
        } else if (*p == '}' || *p == ']') {
            ok = aci_buf_add(out, p++, 1);
            comma = true;
        } else {
            const char *name_end = *p == '"' ? aci_after_string(p, end) : p;
            bool is_name =
                *p == '"' && aci_after_whitespace(name_end, end) < end && *aci_after_whitespace(name_end, end) == ':';

            if (is_name && is_temporary_spelled(p + 1, end)) {
                p = aci_after_value(after_name(p, end), end);
                *any = true;
                continue;
            }
            p = is_name ? name_end : aci_after_scalar(p, end);
            ok = (!comma || aci_buf_add(out, ",", 1)) && aci_buf_add(out, start, (size_t)(p - start)) &&
                 (!is_name || aci_buf_add(out, ":", 1));
            if (is_name)
                p = after_name(start, end);
            comma = !is_name;
        }
    }
    if (!*any)
        out->len = before;
    return ok;
}
