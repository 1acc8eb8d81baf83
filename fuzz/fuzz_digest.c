/* SPDX-License-Identifier: Apache-2.0 */
/* Canonical text, which digests are made of: it is JSON, canonical itself, independent of whitespace, and jansson reads
   the same value from it. */
#include "fuzz.h"

#include "json/value.h"
#include <jansson.h>
#include <string.h>

static aci_buf canonical(agentchat_str raw)
{
    aci_buf out;

    aci_buf_init(&out, NULL, SIZE_MAX);
    FUZZ_CHECK(aci_json_canonical(raw, &out, NULL, NULL) == AGENTCHAT_OK);
    return out;
}

static bool equal(const aci_buf *a, const aci_buf *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->ptr, b->ptr, a->len) == 0);
}

/* The oracle holds integers and words, strings and containers exactly; a document with another number is left out. */
static json_t *load(agentchat_str text)
{
    json_t *value = json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);

    for (size_t i = 0; i < text.len; i++) {
        if (value != NULL && strchr(".eE-0", text.ptr[i]) != NULL) {
            json_decref(value);
            value = NULL;
        }
    }
    return value;
}

static void compare_with_jansson(agentchat_str span, const aci_buf *text)
{
    json_t *left = load(span),
           *right = left != NULL ? json_loadb(text->ptr, text->len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;

    /* Trailing zeros of an integer become an exponent, which jansson takes for a real. */
    if (left != NULL && memchr(text->ptr, 'e', text->len) == NULL)
        FUZZ_CHECK(right != NULL && json_equal(left, right));
    json_decref(left);
    json_decref(right);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_str span, all;
    aci_buf once, twice, compact, of_compact;

    if (aci_json_check(NULL, (agentchat_str){(const char *)data, size}, 0, &span, NULL, NULL) < 0)
        return 0;
    once = canonical(span);
    FUZZ_CHECK(aci_json_check(NULL, aci_buf_str(&once), 0, &all, NULL, NULL) == AGENTCHAT_OK);
    twice = canonical(aci_buf_str(&once));
    FUZZ_CHECK(equal(&once, &twice));
    aci_buf_init(&compact, NULL, SIZE_MAX);
    FUZZ_CHECK(aci_json_compact(span, &compact));
    of_compact = canonical(aci_buf_str(&compact));
    FUZZ_CHECK(equal(&once, &of_compact));
    compare_with_jansson(span, &once);
    aci_buf_clear(&once);
    aci_buf_clear(&twice);
    aci_buf_clear(&compact);
    aci_buf_clear(&of_compact);
    return 0;
}
