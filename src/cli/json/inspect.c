/* SPDX-License-Identifier: Apache-2.0 */
/* The text is valid JSON, so a scan needs to know about strings and nesting only. */
#include "cli/json/inspect.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <string.h>

bool cli_json_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t cli_json_skip_space(agentchat_str json, size_t at)
{
    while (at < json.len && cli_json_is_space(json.ptr[at]))
        at++;
    return at;
}

size_t cli_json_skip_string(agentchat_str json, size_t at)
{
    for (at++; at < json.len && json.ptr[at] != '"'; at++) {
        if (json.ptr[at] == '\\')
            at++;
    }
    return at < json.len ? at + 1 : json.len;
}

/* Position after the value that begins at `at`: of a comma or a closing bracket on its own level. */
static size_t skip_value(agentchat_str json, size_t at)
{
    size_t depth = 0;

    while (at < json.len) {
        char c = json.ptr[at];

        if (c == '"') {
            at = cli_json_skip_string(json, at);
            continue;
        }
        if (depth == 0 && (c == ',' || c == '}' || c == ']'))
            break;
        if (c == '{' || c == '[')
            depth++;
        else if (c == '}' || c == ']')
            depth--;
        at++;
    }
    return at;
}

bool cli_json_next_member(agentchat_str object, size_t *at, agentchat_str *name, agentchat_str *value)
{
    size_t p = cli_json_skip_space(object, *at);

    if (p >= object.len || (*at == 0 ? object.ptr[p] != '{' : object.ptr[p] != ','))
        return false;
    p = cli_json_skip_space(object, p + 1);
    if (p >= object.len || object.ptr[p] != '"')
        return false;
    size_t end = cli_json_skip_string(object, p);
    *name = (agentchat_str){object.ptr + p + 1, end - p - 2};
    p = cli_json_skip_space(object, end);
    p = cli_json_skip_space(object, p + 1); /* after the colon */
    end = skip_value(object, p);
    *at = end;
    while (end > p && cli_json_is_space(object.ptr[end - 1]))
        end--;
    *value = (agentchat_str){object.ptr + p, end - p};
    return true;
}

agentchat_str cli_json_member(agentchat_str object, const char *name)
{
    agentchat_str member, value;

    for (size_t at = 0; cli_json_next_member(object, &at, &member, &value);) {
        if (agentchat_str_equal(member, agentchat_str_from(name)))
            return value;
    }
    return (agentchat_str){NULL, 0};
}

agentchat_str cli_json_string(agentchat_str json)
{
    if (json.len < 2 || json.ptr[0] != '"')
        return (agentchat_str){NULL, 0};
    return (agentchat_str){json.ptr + 1, json.len - 2};
}

bool cli_json_is_empty(agentchat_str json)
{
    size_t at = cli_json_skip_space(json, 0);

    if (at >= json.len || (json.ptr[at] != '{' && json.ptr[at] != '['))
        return false;
    at = cli_json_skip_space(json, at + 1);
    return at < json.len && (json.ptr[at] == '}' || json.ptr[at] == ']');
}

size_t cli_json_length(agentchat_str array)
{
    size_t count = 0, at = cli_json_skip_space(array, 0);

    if (at >= array.len || array.ptr[at] != '[')
        return 0;
    at = cli_json_skip_space(array, at + 1);
    if (at >= array.len || array.ptr[at] == ']')
        return 0;
    while (at < array.len) {
        at = skip_value(array, at);
        count++;
        if (at >= array.len || array.ptr[at] != ',')
            break;
        at++;
    }
    return count;
}

/* ---- strings -------------------------------------------------------------------------------------------------- */

static uint32_t hex4(const char *digits)
{
    char text[5] = "";

    memcpy(text, digits, 4);
    return (uint32_t)strtoul(text, NULL, 16);
}

/* Decodes the \uXXXX at `at`, both of a surrogate pair; *at becomes the position after it. */
static size_t decode_unicode(agentchat_str quoted, size_t *at, char out[4])
{
    uint32_t code = hex4(quoted.ptr + *at + 2);

    *at += 6;
    if (code >= 0xd800 && code < 0xdc00 && quoted.len - *at >= 6 && memcmp(quoted.ptr + *at, "\\u", 2) == 0) {
        uint32_t low = hex4(quoted.ptr + *at + 2);

        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            *at += 6;
        }
    }
    return aci_utf8_encode(code, out);
}

char *cli_json_decode(agentchat_str quoted)
{
    static const char escapes[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    char *out = malloc(quoted.len + 1);
    size_t len = 0;

    for (size_t at = 0; out != NULL && at < quoted.len;) {
        if (quoted.ptr[at] != '\\') {
            out[len++] = quoted.ptr[at++];
        } else if (quoted.ptr[at + 1] == 'u') {
            len += decode_unicode(quoted, &at, out + len);
        } else {
            const char *escape = strchr(escapes, quoted.ptr[at + 1]);

            out[len++] = escape != NULL ? meanings[escape - escapes] : quoted.ptr[at + 1];
            at += 2;
        }
    }
    if (out != NULL)
        out[len] = '\0';
    return out;
}
