/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 both ways against a naive decoder: the same text is accepted, or refused at the same byte, and what is encoded
   is canonical and comes back. */
#include "fuzz.h"

#include "base/b64.h"
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int digit(unsigned char c)
{
    const char *at = c != '\0' ? strchr(alphabet, c) : NULL;

    return at != NULL ? (int)(at - alphabet) : -1;
}

/* Decodes group by group; false when the text is not canonical. */
static bool naive(agentchat_str text, unsigned char *out, size_t *out_len)
{
    *out_len = 0;
    if (text.len % 4 != 0)
        return false;
    for (size_t at = 0; at < text.len; at += 4) {
        bool last = at + 4 == text.len;
        int pads = last ? (text.ptr[at + 3] == '=') + (text.ptr[at + 3] == '=' && text.ptr[at + 2] == '=') : 0;
        uint32_t bits = 0;

        for (int i = 0; i < 4; i++) {
            int value = i < 4 - pads ? digit((unsigned char)text.ptr[at + (size_t)i]) : 0;

            if (value < 0)
                return false;
            bits = bits << 6 | (uint32_t)value;
        }
        if ((pads == 1 && (bits & 0xFF) != 0) || (pads == 2 && (bits & 0xFFFF) != 0))
            return false;
        for (int i = 0; i < 3 - pads; i++)
            out[(*out_len)++] = (unsigned char)(bits >> (16 - 8 * i));
    }
    return true;
}

static void decode(agentchat_str text)
{
    unsigned char *expected = malloc(text.len + 1);
    char *decoded = malloc(text.len + 1);
    size_t len = 0, bad = 0;
    bool good;

    FUZZ_CHECK(expected != NULL && decoded != NULL);
    good = naive(text, expected, &len);
    FUZZ_CHECK(aci_b64_check(text, &bad) == good);
    if (good) {
        FUZZ_CHECK(aci_b64_decoded_size(text) == len);
        aci_b64_decode(text, decoded);
        FUZZ_CHECK(memcmp(decoded, expected, len) == 0);
    } else {
        FUZZ_CHECK(bad <= text.len);
    }
    FUZZ_CHECK(aci_b64_alphabet_prefix(text.ptr, text.len) <= text.len);
    free(expected);
    free(decoded);
}

static void encode(agentchat_str bytes)
{
    size_t size = aci_b64_encoded_size(bytes.len), len = 0;
    char *text = malloc(size + 1);
    unsigned char *back = malloc(size + 1);

    FUZZ_CHECK(text != NULL && back != NULL);
    aci_b64_encode(bytes.ptr, bytes.len, text);
    FUZZ_CHECK(naive((agentchat_str){text, size}, back, &len));
    FUZZ_CHECK(len == bytes.len && (len == 0 || memcmp(back, bytes.ptr, len) == 0));
    decode((agentchat_str){text, size});
    free(text);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_str input = {size > 0 ? (const char *)data : "", size};

    decode(input);
    encode(input);
    return 0;
}
