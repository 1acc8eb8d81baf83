/* SPDX-License-Identifier: Apache-2.0 */
#include "integers.h"

#include "support/test_support.h"
#include <agentchat/json.h>
#include <string.h>

enum { LONGEST = 18 }; /* digits that any 64 bits hold */

/* The length of an integer that begins there; 0: it is another number. */
static size_t integer_at(const char *at, const char *end)
{
    const char *p = at + (*at == '-');

    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p < end && (*p == '.' || *p == 'e' || *p == 'E') ? 0 : (size_t)(p - at);
}

static size_t number_at(const char *at, const char *end)
{
    const char *p = at;

    while (p < end && strchr("+-.eE0123456789", *p) != NULL && *p != '\0')
        p++;
    return (size_t)(p - at);
}

static size_t string_at(const char *at, const char *end)
{
    const char *p = at + 1;

    while (p < end && *p != '"')
        p += *p == '\\' ? 2 : 1;
    return (size_t)((p < end ? p + 1 : end) - at);
}

static void append(agentchat_bytes *out, const char *text, size_t len)
{
    agentchat_error err;

    test_ok(agentchat_bytes_append(out, (agentchat_str){text, len}, &err), &err);
}

json_t *integers_load(agentchat_str text)
{
    agentchat_bytes marked = AGENTCHAT_BYTES_INIT;
    const char *at = text.ptr, *end = text.ptr + text.len;
    json_t *value;

    while (at < end) {
        bool is_number = *at == '-' || (*at >= '0' && *at <= '9');
        size_t len = *at == '"' ? string_at(at, end) : is_number ? number_at(at, end) : 1;

        if (is_number && integer_at(at, end) > LONGEST) {
            append(&marked, "\"" INTEGERS_MARK, sizeof INTEGERS_MARK);
            append(&marked, at, len);
            append(&marked, "\"", 1);
        } else {
            append(&marked, at, len);
        }
        at += len;
    }
    value = json_loadb(marked.ptr, marked.len, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    agentchat_bytes_clear(&marked);
    return value;
}

void integers_dump(const json_t *value, agentchat_bytes *out)
{
    static const char mark[] = "\"" INTEGERS_MARK;
    agentchat_bytes marked = AGENTCHAT_BYTES_INIT;
    const char *at, *end;
    agentchat_error err;

    test_ok(agentchat_json_dump(NULL, value, &marked, &err), &err);
    end = marked.ptr + marked.len;
    for (at = marked.ptr; at < end;) {
        size_t len = *at == '"' ? string_at(at, end) : 1;

        if (len > sizeof mark && strncmp(at, mark, sizeof mark - 1) == 0)
            append(out, at + sizeof mark - 1, len - sizeof mark);
        else
            append(out, at, len);
        at += len;
    }
    agentchat_bytes_clear(&marked);
}
