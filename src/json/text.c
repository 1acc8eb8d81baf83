/* SPDX-License-Identifier: Apache-2.0 */
/* Values and strings of JSON text as hosts see them: agentchat/json_text.h but for the walk. */
#include <agentchat/json_text.h>

#include "base/error.h"
#include "base/utf8.h"
#include "json/lex.h"
#include "json/value.h"

/* ---- values --------------------------------------------------------------------------------------------------- */

agentchat_status agentchat_json_check(const agentchat_env *env, agentchat_str text, agentchat_str *out,
                                      agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    return aci_json_check(env, text, 0, out, NULL, err);
}

agentchat_json_kind agentchat_json_kind_of(agentchat_str value)
{
    static const agentchat_json_kind kinds[] = {
        [ACI_JSON_ERROR] = AGENTCHAT_JSON_NONE,    [ACI_JSON_OBJECT] = AGENTCHAT_JSON_OBJECT,
        [ACI_JSON_ARRAY] = AGENTCHAT_JSON_ARRAY,   [ACI_JSON_STRING] = AGENTCHAT_JSON_STRING,
        [ACI_JSON_NUMBER] = AGENTCHAT_JSON_NUMBER, [ACI_JSON_TRUE] = AGENTCHAT_JSON_TRUE,
        [ACI_JSON_FALSE] = AGENTCHAT_JSON_FALSE,   [ACI_JSON_NULL] = AGENTCHAT_JSON_NULL,
    };

    return kinds[aci_json_kind_of(value)];
}

agentchat_str agentchat_json_find(agentchat_str object, agentchat_str name)
{
    agentchat_json_walk walk;

    agentchat_json_walk_into(&walk, object);
    while (agentchat_json_walk_next(&walk))
        if (agentchat_json_equal(walk.key, name))
            return walk.value;
    return (agentchat_str){NULL, 0};
}

/* ---- strings -------------------------------------------------------------------------------------------------- */

static bool is_string(agentchat_str value)
{
    return value.len >= 2 && value.ptr[0] == '"' && value.ptr[value.len - 1] == '"';
}

/* The code unit of the \uXXXX at p; UINT32_MAX when there is none. */
static uint32_t unit_at(const char *p, const char *end)
{
    uint32_t unit = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? aci_lex_hex4(p + 2) : UINT32_MAX;

    return unit <= 0xFFFF ? unit : UINT32_MAX;
}

/* The length of the escape at p and what it stands for; 0 when there is none. */
static size_t escape_at(const char *p, const char *end, uint32_t *code_point)
{
    uint32_t high = unit_at(p, end), low;

    if (high != UINT32_MAX) {
        low = high >= 0xD800 && high < 0xDC00 ? unit_at(p + 6, end) : 0;
        *code_point = high;
        if (low < 0xDC00 || low > 0xDFFF)
            return 6;
        *code_point = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        return 12;
    }
    if (end - p < 2 || p[0] != '\\' || (unsigned char)p[1] > 127 || aci_lex_escapes[(unsigned char)p[1]] == 0)
        return 0;
    *code_point = (unsigned char)aci_lex_escapes[(unsigned char)p[1]];
    return 2;
}

bool agentchat_json_string_part(agentchat_str *rest, agentchat_str *part, uint32_t *code_point)
{
    uint32_t escaped = UINT32_MAX;
    const char *next;
    size_t len;

    if (rest == NULL || rest->len == 0)
        return false;
    len = escape_at(rest->ptr, rest->ptr + rest->len, &escaped);
    if (len == 0) {
        next = memchr(rest->ptr + 1, '\\', rest->len - 1);
        len = next != NULL ? (size_t)(next - rest->ptr) : rest->len;
    }
    if (part != NULL)
        *part = (agentchat_str){rest->ptr, len};
    if (code_point != NULL)
        *code_point = escaped;
    *rest = (agentchat_str){rest->ptr + len, rest->len - len};
    return true;
}

bool agentchat_json_equal(agentchat_str string, agentchat_str text)
{
    agentchat_str rest, part;
    uint32_t code_point;
    char bytes[4];

    if (!is_string(string))
        return false;
    rest = (agentchat_str){string.ptr + 1, string.len - 2};
    while (agentchat_json_string_part(&rest, &part, &code_point)) {
        if (code_point != UINT32_MAX)
            part = (agentchat_str){bytes, aci_utf8_encode(code_point, bytes)};
        if (part.len > text.len || memcmp(part.ptr, text.ptr, part.len) != 0)
            return false;
        text = (agentchat_str){text.ptr + part.len, text.len - part.len};
    }
    return text.len == 0;
}

agentchat_status aci_json_quote(agentchat_str text, aci_buf *out, agentchat_error *err)
{
    if (!aci_utf8_is_valid(text, true))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the text is not UTF-8");
    return aci_json_canonical_string(text, out) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_json_cure(agentchat_error *err, agentchat_status status, agentchat_str name, const char *function)
{
    aci_excerpt excerpt;

    if (status == AGENTCHAT_E_INVALID)
        aci_error_prefix(err, "the value of %s is not JSON; quote it, or use %s", aci_error_excerpt(name, &excerpt),
                         function);
}

agentchat_status agentchat_json_quote(const agentchat_env *env, agentchat_str text, agentchat_bytes *out,
                                      agentchat_error *err)
{
    agentchat_status status;
    aci_buf quoted;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    aci_buf_init(&quoted, env, SIZE_MAX);
    status = aci_json_quote(text, &quoted, err);
    if (status >= 0)
        status = aci_buf_append_bytes(out, env, aci_buf_str(&quoted), err);
    aci_buf_clear(&quoted);
    return status;
}

agentchat_status agentchat_json_decode(const agentchat_env *env, agentchat_str string, agentchat_bytes *out,
                                       agentchat_error *err)
{
    agentchat_status status;
    agentchat_str span;
    aci_json_kind kind;
    aci_buf text;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    if (aci_json_check(env, string, 0, &span, &kind, NULL) < 0 || kind != ACI_JSON_STRING)
        return aci_fail(err, AGENTCHAT_E_INVALID, "not a JSON string");
    aci_buf_init(&text, env, SIZE_MAX);
    status =
        aci_json_unquote(span, &text) ? aci_buf_append_bytes(out, env, aci_buf_str(&text), err) : aci_fail_nomem(err);
    aci_buf_clear(&text);
    return status;
}
