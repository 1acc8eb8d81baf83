/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strict base64 over libb64 1.2. The only file that knows libb64.
 *
 * libb64 decodes anything, so text is checked before it gets there; it writes a line end after every 72 characters and
 * reads one byte past what it decodes; its lengths are int. Each is dealt with below where it occurs.
 */
#include "base/b64.h"

#include "base/simd.h"
#include <b64/cdecode.h>
#include <b64/cencode.h>

/* Characters to decode in one call: a multiple of four, small enough for an int and for the cache. */
#define DECODE_STEP ((size_t)1 << 16)
/* Bytes and characters of one line of libb64's encoder. */
#define LINE_BYTES 54
#define LINE_CHARS 72

size_t aci_b64_alphabet_prefix(const char *text, size_t len)
{
    return aci_alphabet_prefix(text, len);
}

/* Whether the bits of the last character before the padding that stand for no byte are zero. */
static bool unused_bits_are_zero(char last, unsigned mask)
{
    return ((unsigned)base64_decode_value(last) & mask) == 0;
}

/* The index of the first wrong byte of text; SIZE_MAX when it is canonical. */
static size_t first_wrong(agentchat_str text)
{
    size_t n = aci_alphabet_prefix(text.ptr, text.len);

    if (n == text.len)
        return n % 4 == 0 ? SIZE_MAX : text.len;
    if (text.ptr[n] != '=' || n % 4 < 2)
        return n;
    if (n % 4 == 2) {
        if (n + 1 == text.len)
            return text.len;
        if (text.ptr[n + 1] != '=')
            return n + 1;
        if (n + 2 < text.len)
            return n + 2;
        return unused_bits_are_zero(text.ptr[n - 1], 0x0Fu) ? SIZE_MAX : n - 1;
    }
    if (n + 1 < text.len)
        return n + 1;
    return unused_bits_are_zero(text.ptr[n - 1], 0x03u) ? SIZE_MAX : n - 1;
}

bool aci_b64_check(agentchat_str text, size_t *bad)
{
    size_t wrong = first_wrong(text);

    if (wrong != SIZE_MAX && bad != NULL)
        *bad = wrong;
    return wrong == SIZE_MAX;
}

static size_t padding_of(agentchat_str text)
{
    if (text.len == 0 || text.ptr[text.len - 1] != '=')
        return 0;
    return text.ptr[text.len - 2] == '=' ? 2 : 1;
}

size_t aci_b64_decoded_size(agentchat_str text)
{
    return text.len / 4 * 3 - padding_of(text);
}

void aci_b64_decode(agentchat_str text, char *out)
{
    size_t left = text.len - padding_of(text);
    const char *from = text.ptr;

    while (left > 0) {
        size_t step = left < DECODE_STEP ? left : DECODE_STEP;
        base64_decodestate state;

        /* Each step is a multiple of four characters, so that a fresh state is right for it. */
        base64_init_decodestate(&state);
        out += base64_decode_block(from, (int)step, out, &state);
        from += step;
        left -= step;
    }
}

size_t aci_b64_encoded_size(size_t len)
{
    return len / 3 + (len % 3 != 0) > SIZE_MAX / 4 ? SIZE_MAX : (len / 3 + (len % 3 != 0)) * 4;
}

void aci_b64_encode(const void *bytes, size_t len, char *out)
{
    const char *from = bytes;
    char last[LINE_CHARS + 8];
    base64_encodestate state;
    int written;

    /* One line at a time: the line end after it is overwritten by the next line. */
    while (len > LINE_BYTES) {
        base64_init_encodestate(&state);
        base64_encode_block(from, LINE_BYTES, out, &state);
        from += LINE_BYTES;
        out += LINE_CHARS;
        len -= LINE_BYTES;
    }
    if (len == 0)
        return;
    /* Nothing follows the last line, so it is encoded into a buffer of its own, which has room for its line ends. */
    base64_init_encodestate(&state);
    written = base64_encode_block(from, (int)len, last, &state);
    base64_encode_blockend(last + written, &state);
    memcpy(out, last, (len + 2) / 3 * 4);
}
