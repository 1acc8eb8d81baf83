/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/b64.c and of the alphabet scan in simd.h. */
#include "support/test_support.h"

#include "base/b64.h"
#include "base/simd.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Both directions through blocks of exactly the promised size, so that a sanitizer sees a byte too many. */
static void assert_pair(const char *bytes, size_t len, const char *text)
{
    size_t text_len = strlen(text), bad = 999;
    char *encoded = malloc(text_len != 0 ? text_len : 1), *decoded = malloc(len + 1);

    assert_int_equal(aci_b64_encoded_size(len), text_len);
    aci_b64_encode(bytes, len, encoded);
    assert_memory_equal(encoded, text, text_len);
    assert_true(aci_b64_check(agentchat_str_from(text), &bad));
    assert_int_equal(bad, 999);
    assert_int_equal(aci_b64_decoded_size(agentchat_str_from(text)), len);
    aci_b64_decode((agentchat_str){encoded, text_len}, decoded);
    assert_memory_equal(decoded, bytes, len);
    free(encoded);
    free(decoded);
}

static void test_b64__knows_the_vectors_of_the_rfc(void **state)
{
    (void)state;
    assert_pair("", 0, "");
    assert_pair("f", 1, "Zg==");
    assert_pair("fo", 2, "Zm8=");
    assert_pair("foo", 3, "Zm9v");
    assert_pair("foob", 4, "Zm9vYg==");
    assert_pair("fooba", 5, "Zm9vYmE=");
    assert_pair("foobar", 6, "Zm9vYmFy");
    assert_pair("\xFB\xFF\xBF", 3, "+/+/");
    assert_pair("\0\0\0", 3, "AAAA");
}

/* What the encoder should give, bit by bit. */
static void encode_slowly(const unsigned char *bytes, size_t len, char *out)
{
    for (size_t i = 0; i < len; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16;

        group |= i + 1 < len ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= i + 2 < len ? (uint32_t)bytes[i + 2] : 0;
        *out++ = alphabet[group >> 18];
        *out++ = alphabet[group >> 12 & 63];
        *out++ = i + 1 < len ? alphabet[group >> 6 & 63] : '=';
        *out++ = i + 2 < len ? alphabet[group & 63] : '=';
    }
}

static void round_trip(size_t len)
{
    unsigned char *bytes = malloc(len != 0 ? len : 1);
    size_t text_len = aci_b64_encoded_size(len), bad = 0;
    char *text = malloc(text_len != 0 ? text_len : 1), *expected = malloc(text_len != 0 ? text_len : 1);
    char *back = malloc(len + 1);
    uint32_t random = (uint32_t)len + 1;

    for (size_t i = 0; i < len; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(random >> 24);
    }
    aci_b64_encode(bytes, len, text);
    encode_slowly(bytes, len, expected);
    assert_memory_equal(text, expected, text_len);
    assert_true(aci_b64_check((agentchat_str){text, text_len}, &bad));
    assert_int_equal(aci_b64_decoded_size((agentchat_str){text, text_len}), len);
    aci_b64_decode((agentchat_str){text, text_len}, back);
    assert_memory_equal(back, bytes, len);
    free(bytes);
    free(text);
    free(expected);
    free(back);
}

static void test_b64__round_trips_at_every_length_near_a_boundary(void **state)
{
    (void)state;
    for (size_t len = 0; len < 400; len++)
        round_trip(len);
    for (size_t len = 3 * 16384 - 60; len < 3 * 16384 + 60; len++) /* steps of the decoder */
        round_trip(len);
    round_trip(1000003);
}

static void assert_wrong(const char *text, size_t expected)
{
    size_t bad = 999;

    if (aci_b64_check(agentchat_str_from(text), &bad) || bad != expected)
        fail_msg("\"%s\": %zu instead of %zu", text, bad, expected);
    assert_false(aci_b64_check(agentchat_str_from(text), NULL));
}

static void test_b64__refuses_what_is_not_canonical(void **state)
{
    (void)state;
    assert_wrong("Y", 1);
    assert_wrong("YQ", 2);
    assert_wrong("YQ=", 3);
    assert_wrong("YWI", 3);
    assert_wrong("YQ=a", 3);
    assert_wrong("YQ===", 4);
    assert_wrong("YQ==YQ==", 4);
    assert_wrong("YWI=YQ==", 4);
    assert_wrong("=", 0);
    assert_wrong("Y===", 1);
    assert_wrong("=====", 0);
    assert_wrong("YWJj=", 4);
    assert_wrong("YW J", 2);
    assert_wrong("YWJ\n", 3);
    assert_wrong("YWJ-", 3);
    assert_wrong("YWJ_", 3);
    assert_wrong("YWJ\xC3", 3);
}

static void test_b64__refuses_nonzero_unused_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < 64; i++) {
        char two[5] = {'Y', alphabet[i], '=', '=', 0}, one[5] = {'Y', 'W', alphabet[i], '=', 0};
        size_t bad = 999;

        assert_int_equal(aci_b64_check(agentchat_str_from(two), &bad), i % 16 == 0);
        assert_int_equal(bad, i % 16 == 0 ? 999 : 1);
        bad = 999;
        assert_int_equal(aci_b64_check(agentchat_str_from(one), &bad), i % 4 == 0);
        assert_int_equal(bad, i % 4 == 0 ? 999 : 2);
    }
}

static void test_b64__sizes_do_not_wrap(void **state)
{
    (void)state;
    assert_true(aci_b64_encoded_size(SIZE_MAX) == SIZE_MAX);
    assert_true(aci_b64_encoded_size(SIZE_MAX / 4 * 3) == SIZE_MAX / 4 * 4);
    assert_true(aci_b64_encoded_size(SIZE_MAX / 4 * 3 + 1) == SIZE_MAX);
    assert_int_equal(aci_b64_decoded_size((agentchat_str){NULL, 0}), 0);
}

static void test_alphabet_prefix__knows_every_byte(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        bool in = c != 0 && strchr(alphabet, c) != NULL;
        char text[48];

        memset(text, c, sizeof text);
        assert_int_equal(aci_is_b64_alphabet((unsigned char)c), in);
        assert_int_equal(aci_alphabet_prefix_portable(text, sizeof text), in ? sizeof text : 0);
        assert_int_equal(aci_b64_alphabet_prefix(text, sizeof text), in ? sizeof text : 0);
    }
}

static void test_alphabet_prefix__both_forms_agree(void **state)
{
    char text[200];

    (void)state;
    for (size_t start = 0; start < 17; start++) {
        for (size_t len = 0; len < 150; len++) {
            for (size_t i = 0; i < sizeof text; i++)
                text[i] = alphabet[(i * 7 + start) % 64];
            text[start + len] = '"';
            assert_int_equal(aci_alphabet_prefix_portable(text + start, len), len);
            assert_int_equal(aci_b64_alphabet_prefix(text + start, len), len);
            for (size_t at = 0; at < len; at += 1 + at / 40) {
                char kept = text[start + at];

                text[start + at] = "=\\\"-_\x80@[`{:.,*"[(at + len) % 14];
                assert_int_equal(aci_alphabet_prefix_portable(text + start, len), at);
                assert_int_equal(aci_b64_alphabet_prefix(text + start, len), at);
                text[start + at] = kept;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_b64__knows_the_vectors_of_the_rfc),
        cmocka_unit_test(test_b64__round_trips_at_every_length_near_a_boundary),
        cmocka_unit_test(test_b64__refuses_what_is_not_canonical),
        cmocka_unit_test(test_b64__refuses_nonzero_unused_bits),
        cmocka_unit_test(test_b64__sizes_do_not_wrap),
        cmocka_unit_test(test_alphabet_prefix__knows_every_byte),
        cmocka_unit_test(test_alphabet_prefix__both_forms_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
