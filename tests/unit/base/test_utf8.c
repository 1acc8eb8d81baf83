/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/utf8.c and of the ASCII scan in simd.h. */
#include "support/test_support.h"

#include "base/simd.h"
#include "base/utf8.h"

static size_t char_len(const char *text, size_t len, bool wtf8)
{
    const unsigned char *p = (const unsigned char *)text;

    return aci_utf8_char(p, p + len, wtf8);
}

static void test_utf8__every_code_point_survives_a_round_trip(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        uint32_t back = 0xFFFFFFFF;
        char text[4];
        size_t len = aci_utf8_encode(c, text);
        const unsigned char *p = (const unsigned char *)text;

        assert_int_equal(len, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        if (aci_utf8_decode(p, p + len, true, &back) != len || back != c ||
            aci_utf8_char(p, p + len, false) != (surrogate ? 0 : len) || aci_utf8_char(p, p + len - 1, true) != 0)
            fail_msg("code point %x", (unsigned)c);
    }
}

/* All sequences of three bytes (and of four that begin so) against the definition: a sequence is a character exactly
   when it is what the encoder makes of some code point. */
static void test_utf8__accepts_only_what_the_encoder_makes(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 1u << 24; bits += 1 + (bits >> 16 < 0xC0 ? 0xFF : 0)) {
        unsigned char raw[4] = {(unsigned char)(bits >> 16), (unsigned char)(bits >> 8), (unsigned char)bits, 0x80};
        uint32_t code_point = 0;
        size_t len = aci_utf8_decode(raw, raw + 4, true, &code_point);

        if (len != 0) {
            char again[4];

            if (code_point > 0x10FFFF || aci_utf8_encode(code_point, again) != len || memcmp(again, raw, len) != 0)
                fail_msg("%02x %02x %02x", raw[0], raw[1], raw[2]);
        }
    }
}

static void test_utf8__refuses_malformed_sequences(void **state)
{
    static const char *const bad[] = {"\x80",
                                      "\xBF",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xC3",
                                      "\xC3(",
                                      "\xE0\x9F\xBF",
                                      "\xE2\x82",
                                      "\xE2(\xAC",
                                      "\xE2\x82(",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xF0\x9F\x98",
                                      "\xFE",
                                      "\xFF",
                                      "\xF0\x9F\x98(",
                                      "\xF0\x9F(\x80"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(char_len(bad[i], strlen(bad[i]), false), 0);
        assert_int_equal(char_len(bad[i], strlen(bad[i]), true), 0);
    }
    assert_int_equal(char_len("", 0, true), 0);
    assert_int_equal(char_len("\xED\xA0\x80", 3, false), 0);
    assert_int_equal(char_len("\xED\xA0\x80", 3, true), 3);
    assert_int_equal(char_len("\xED\xBF\xBF", 3, true), 3);
    assert_int_equal(char_len("\xED\x9F\xBF", 3, false), 3);
}

static void test_utf8__finds_the_first_wrong_byte_anywhere(void **state)
{
    static const char *const units[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    char text[256];

    (void)state;
    for (size_t unit = 0; unit < 4; unit++) {
        size_t width = strlen(units[unit]), len = 0;

        while (len + width <= 200) {
            memcpy(text + len, units[unit], width);
            len += width;
        }
        assert_int_equal(aci_utf8_valid_prefix(text, len, false), len);
        for (size_t at = 0; at < len; at++) {
            char kept = text[at];

            text[at] = (char)0xFF;
            assert_int_equal(aci_utf8_valid_prefix(text, len, false), at / width * width);
            text[at] = kept;
        }
        for (size_t end = 0; end <= len; end++)
            assert_int_equal(aci_utf8_valid_prefix(text, end, false), end / width * width);
    }
    assert_int_equal(aci_utf8_valid_prefix(NULL, 0, false), 0);
    assert_true(aci_utf8_is_valid(AGENTCHAT_STR(""), false));
    assert_false(aci_utf8_is_valid(AGENTCHAT_STR("ok\xED\xA0\x80"), false));
    assert_true(aci_utf8_is_valid(AGENTCHAT_STR("ok\xED\xA0\x80"), true));
}

static void test_ascii_prefix__both_forms_agree(void **state)
{
    char text[200];

    (void)state;
    for (size_t start = 0; start < 17; start++) {
        for (size_t len = 0; len < 150; len++) {
            memset(text, 'a', sizeof text);
            text[start + len] = (char)0x80; /* directly after it: must not be read */
            assert_int_equal(aci_ascii_prefix_portable(text + start, len), len);
            assert_int_equal(aci_ascii_prefix(text + start, len), len);
            for (size_t at = 0; at < len; at += 1 + at / 40) {
                text[start + at] = (char)(at % 2 == 0 ? 0x80 : 0xFF);
                assert_int_equal(aci_ascii_prefix_portable(text + start, len), at);
                assert_int_equal(aci_ascii_prefix(text + start, len), at);
                text[start + at] = 'a';
            }
        }
    }
}

static void test_surrogates__are_found(void **state)
{
    (void)state;
    assert_false(aci_utf8_has_surrogates((agentchat_str){NULL, 0}));
    assert_false(aci_utf8_has_surrogates(AGENTCHAT_STR("plain \xED\x9F\xBF\xED\x9F\xBF\xF0\x9F\x98\x80")));
    assert_true(aci_utf8_has_surrogates(AGENTCHAT_STR("\xED\xA0\x80")));
    assert_true(aci_utf8_has_surrogates(AGENTCHAT_STR("\xED\x9F\xBF\xED\xBF\xBF")));
    assert_true(aci_utf8_has_surrogates(AGENTCHAT_STR("x\xED\x9F\xBFy\xED\xB0\x80z")));
}

static void test_ignore_case__folds_ascii_only(void **state)
{
    (void)state;
    assert_true(aci_utf8_equal_ignore_case(AGENTCHAT_STR("Content-TYPE"), AGENTCHAT_STR("content-type")));
    assert_true(aci_utf8_equal_ignore_case((agentchat_str){NULL, 0}, AGENTCHAT_STR("")));
    assert_false(aci_utf8_equal_ignore_case(AGENTCHAT_STR("abc"), AGENTCHAT_STR("abcd")));
    assert_false(aci_utf8_equal_ignore_case(AGENTCHAT_STR("["), AGENTCHAT_STR("{")));
    assert_false(aci_utf8_equal_ignore_case(AGENTCHAT_STR("@"), AGENTCHAT_STR("`")));
    assert_false(aci_utf8_equal_ignore_case(AGENTCHAT_STR("\xC3\xA9"), AGENTCHAT_STR("\xC3\x89")));
}

static void test_is_whitespace__means_unicode_white_space(void **state)
{
    (void)state;
    assert_true(aci_utf8_is_whitespace((agentchat_str){NULL, 0}));
    assert_true(aci_utf8_is_whitespace(AGENTCHAT_STR("")));
    assert_true(aci_utf8_is_whitespace(AGENTCHAT_STR(" \t\r\n\v\f")));
    assert_true(aci_utf8_is_whitespace(
        AGENTCHAT_STR("\xC2\x85\xC2\xA0\xE1\x9A\x80\xE2\x80\x80\xE2\x80\x8A\xE2\x80\xA8\xE2\x80\xA9"
                      "\xE2\x80\xAF\xE2\x81\x9F\xE3\x80\x80")));
    assert_false(aci_utf8_is_whitespace(AGENTCHAT_STR(" x ")));
    assert_false(aci_utf8_is_whitespace(AGENTCHAT_STR("\xE2\x80\x8B"))); /* zero width space is none for .NET */
    assert_false(aci_utf8_is_whitespace(AGENTCHAT_STR("\xEF\xBB\xBF")));
    assert_false(aci_utf8_is_whitespace(AGENTCHAT_STR(" \xFF")));
    assert_false(aci_utf8_is_whitespace(AGENTCHAT_STR("\0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8__every_code_point_survives_a_round_trip),
        cmocka_unit_test(test_utf8__accepts_only_what_the_encoder_makes),
        cmocka_unit_test(test_utf8__refuses_malformed_sequences),
        cmocka_unit_test(test_utf8__finds_the_first_wrong_byte_anywhere),
        cmocka_unit_test(test_ascii_prefix__both_forms_agree),
        cmocka_unit_test(test_surrogates__are_found),
        cmocka_unit_test(test_ignore_case__folds_ascii_only),
        cmocka_unit_test(test_is_whitespace__means_unicode_white_space),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
