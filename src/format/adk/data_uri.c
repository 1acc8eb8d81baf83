/* SPDX-License-Identifier: Apache-2.0 */
/* Data URIs (RFC 2397) as bytes and a media type: data:[TYPE][;NAME=VALUE]…[;base64],PAYLOAD. */
#include "format/adk/data_uri.h"

#include "base/error.h"
#include "base/utf8.h"
#include "format/adk/bytes.h"

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* %XX as bytes. absent: malformed. false: out of memory. */
static bool decode_percent(aci_raw_reader *a, agentchat_str text, agentchat_str *out)
{
    char *copy;
    size_t len = 0;

    *out = text;
    if (text.len == 0 || memchr(text.ptr, '%', text.len) == NULL)
        return true;
    copy = aci_arena_text(a->arena, text.len);
    if (copy == NULL)
        return aci_raw_reader_nomem(a);
    for (size_t i = 0; i < text.len; i++) {
        bool is_escape = text.ptr[i] == '%';
        int high = is_escape && text.len - i > 2 ? hex_digit(text.ptr[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text.ptr[i + 2]) : -1;

        if (is_escape && low < 0) {
            *out = (agentchat_str){NULL, 0};
            return true;
        }
        copy[len++] = is_escape ? (char)(high * 16 + low) : text.ptr[i];
        i += is_escape ? 2 : 0;
    }
    *out = (agentchat_str){copy, len};
    return true;
}

/* Takes ";base64" off the end. */
static bool take_base64(agentchat_str *head)
{
    static const char mark[] = ";base64";
    size_t len = sizeof mark - 1;

    if (head->len < len ||
        !aci_utf8_equal_ignore_case((agentchat_str){head->ptr + head->len - len, len}, (agentchat_str){mark, len}))
        return false;
    head->len -= len;
    return true;
}

bool aci_adk_read_data_uri(aci_raw_reader *a, agentchat_str uri, aci_data *data, agentchat_str *mime_type)
{
    enum { SCHEME = 5 };
    const char *comma;
    agentchat_str head, payload;
    bool is_base64;

    if (uri.len < SCHEME || !aci_utf8_equal_ignore_case((agentchat_str){uri.ptr, SCHEME}, AGENTCHAT_STR("data:")))
        return false;
    comma = memchr(uri.ptr, ',', uri.len);
    if (comma == NULL)
        return false;
    head = (agentchat_str){uri.ptr + SCHEME, (size_t)(comma - uri.ptr) - SCHEME};
    is_base64 = take_base64(&head);
    *mime_type = head.len > 0 && *head.ptr != ';' ? head : AGENTCHAT_STR("text/plain");
    payload = (agentchat_str){comma + 1, uri.len - (size_t)(comma + 1 - uri.ptr)};
    if (!decode_percent(a, payload, &payload) || payload.ptr == NULL)
        return false;
    if (!is_base64)
        data->bytes = payload;
    else if (!aci_adk_standard_base64(a, payload, &data->base64))
        return false;
    return data->bytes.ptr != NULL || data->base64.ptr != NULL;
}
