/* SPDX-License-Identifier: Apache-2.0 */
/* Media in the ADK format: bytes, which have several spellings, and data URIs (RFC 2397), which are
   data:[TYPE][;NAME=VALUE]…[;base64],PAYLOAD. */
#include "format/adk/media.h"

#include "base/b64.h"
#include "base/error.h"
#include "base/utf8.h"
#include "json/value.h"

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

/* Value of a character of either alphabet; 64 for any other. */
static unsigned b64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0') + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : 64;
}

bool aci_adk_is_base64(agentchat_str text)
{
    bool standard = false, url_safe = false;
    size_t len = text.len;
    unsigned last = 0;

    while (len > 0 && text.ptr[len - 1] == '=' && text.len - len < 2)
        len--;
    if (len % 4 == 1 || (text.len != len && text.len % 4 != 0))
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = text.ptr[i];

        last = b64_value(c);
        if (last > 63)
            return false;
        standard = standard || c == '+' || c == '/';
        url_safe = url_safe || c == '-' || c == '_';
    }
    if (standard && url_safe)
        return false;
    return len % 4 == 2 ? (last & 15) == 0 : len % 4 != 3 || (last & 3) == 0; /* unused bits are zero */
}

/* Any base64 as our model has it: the standard alphabet, padded; absent: it is none. false: out of memory. */
static bool standard_base64(aci_raw_reader *a, agentchat_str text, agentchat_str *out)
{
    size_t len = text.len, padded, bad;
    char *copy;

    *out = text;
    if (aci_b64_check(text, &bad))
        return true;
    *out = (agentchat_str){NULL, 0};
    if (!aci_adk_is_base64(text))
        return true;
    while (text.ptr[len - 1] == '=')
        len--;
    padded = len + (4 - len % 4) % 4;
    copy = aci_arena_text(a->arena, padded);
    if (copy == NULL)
        return aci_raw_reader_nomem(a);
    for (size_t i = 0; i < len; i++)
        copy[i] = (char)(text.ptr[i] == '-' ? '+' : text.ptr[i] == '_' ? '/' : text.ptr[i]);
    memset(copy + len, '=', padded - len);
    *out = (agentchat_str){copy, padded};
    return true;
}

/* Whether text is spelled as adk-python spells it. */
static bool is_url_safe(agentchat_str text)
{
    return text.len % 4 == 0 &&
           (text.len == 0 || (memchr(text.ptr, '+', text.len) == NULL && memchr(text.ptr, '/', text.len) == NULL));
}

/* Numbers from 0 to 255. absent: it is something else. */
static bool number_bytes(aci_raw_reader *a, agentchat_str raw, agentchat_str *out)
{
    aci_walk walk;
    size_t count = 0;
    char *bytes;
    int64_t value;

    *out = (agentchat_str){NULL, 0};
    aci_raw_reader_walk(a, &walk, raw);
    for (; aci_walk_next(&walk); count++)
        if (aci_json_kind_of(walk.value) != ACI_JSON_NUMBER || !aci_json_integer(walk.value, &value) || value < 0 ||
            value > 255)
            return true;
    bytes = aci_arena_text(a->arena, count + 1);
    if (bytes == NULL)
        return aci_raw_reader_nomem(a);
    *out = (agentchat_str){bytes, count};
    aci_raw_reader_walk(a, &walk, raw);
    while (aci_walk_next(&walk)) {
        (void)aci_json_integer(walk.value, &value);
        *bytes++ = (char)(unsigned char)value;
    }
    return true;
}

bool aci_adk_read_bytes(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *base64,
                        agentchat_str *bytes)
{
    aci_json_kind kind = aci_json_kind_of(raw);
    agentchat_str text;

    *base64 = *bytes = (agentchat_str){NULL, 0};
    if (kind == ACI_JSON_ARRAY)
        return number_bytes(a, raw, bytes) &&
               (bytes->ptr == NULL ||
                aci_raw_reader_note(a, AGENTCHAT_REPORT_NOTE, path,
                                    "the bytes are numbers, which Google's ADKs write as base64"));
    if (kind != ACI_JSON_STRING)
        return true;
    if (!aci_raw_reader_decode(a, raw, &text) || !standard_base64(a, text, base64))
        return false;
    return base64->ptr == NULL || is_url_safe(text) ||
           aci_raw_reader_note(a, AGENTCHAT_REPORT_NOTE, path,
                               "base64 is written back in the URL-safe alphabet, padded, as adk-python writes it");
}

/* ---- data URIs --------------------------------------------------------------------------------------------------- */

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
    else if (!standard_base64(a, payload, &data->base64))
        return false;
    return data->bytes.ptr != NULL || data->base64.ptr != NULL;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

agentchat_item_kind aci_adk_part_kind(agentchat_str mime_type)
{
    if (mime_type.len >= 6 && memcmp(mime_type.ptr, "image/", 6) == 0)
        return AGENTCHAT_ITEM_IMAGE;
    if (mime_type.len >= 6 && memcmp(mime_type.ptr, "audio/", 6) == 0)
        return AGENTCHAT_ITEM_AUDIO;
    return AGENTCHAT_ITEM_BINARY;
}
