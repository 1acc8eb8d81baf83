/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text on many lines and on one. Brackets are counted, so nothing recurses. */
#include "format/kit/layout.h"

#include "json/tokens.h"
#include "json/value.h"

enum { DEEPEST = 32 };

static bool line_end(aci_buf *out, uint32_t spaces)
{
    if (!aci_buf_reserve(out, (size_t)spaces + 1))
        return false;
    out->ptr[out->len++] = '\n';
    memset(out->ptr + out->len, ' ', spaces);
    out->len += spaces;
    return true;
}

bool aci_layout(agentchat_str json, uint32_t indent, uint32_t depth, aci_buf *out)
{
    const char *p = json.ptr, *end = p + json.len;
    bool ok = true;

    while (ok && (p = aci_after_whitespace(p, end)) < end) {
        const char *start = p;

        switch (*p) {
        case '{':
        case '[':
            ok = aci_buf_add(out, p, 1);
            p = aci_after_whitespace(p + 1, end);
            if (*p == '}' || *p == ']') /* an empty one stays in one piece */
                ok = ok && aci_buf_add(out, p++, 1);
            else if (++depth <= DEEPEST)
                ok = ok && line_end(out, depth * indent);
            break;
        case '}':
        case ']':
            ok = (depth-- > DEEPEST || line_end(out, depth * indent)) && aci_buf_add(out, p++, 1);
            break;
        case ',':
            ok = aci_buf_add(out, p++, 1) && (depth > DEEPEST || line_end(out, depth * indent));
            break;
        case ':':
            ok = aci_buf_add(out, depth > DEEPEST ? ":" : ": ", depth > DEEPEST ? 1 : 2);
            p++;
            break;
        default:
            p = aci_after_scalar(p, end);
            ok = aci_buf_add(out, start, (size_t)(p - start));
            break;
        }
    }
    return ok;
}

bool aci_layout_one_line(aci_buf *out, size_t from)
{
    agentchat_str text = {out->ptr + from, out->len - from};
    aci_buf compact;
    bool ok;

    if (memchr(text.ptr, '\n', text.len) == NULL && memchr(text.ptr, '\r', text.len) == NULL)
        return true;
    aci_buf_init(&compact, out->env, SIZE_MAX);
    ok = aci_json_compact(text, &compact);
    if (ok) {
        memcpy(out->ptr + from, compact.ptr, compact.len); /* it is shorter */
        out->len = from + compact.len;
    }
    aci_buf_clear(&compact);
    return ok;
}
