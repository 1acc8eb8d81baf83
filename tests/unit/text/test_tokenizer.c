/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/text: which words a text is found by. */
#include "support/test_support.h"

#include "base/utf8.h"
#include "text/tokenizer.h"

/* All tokens of a text with a | after each. */
static const char *words_of(agentchat_str text, bool singles)
{
    static char out[1 << 16];
    aci_tokenizer tokenizer;
    aci_token token;
    size_t len = 0;

    aci_tokenizer_begin(&tokenizer, text, singles);
    while (aci_tokenizer_next(&tokenizer, &token)) {
        assert_true(token.text.len > 0 && token.text.len <= ACI_MOST_TOKEN);
        assert_true(token.begin < token.end && token.end <= text.len);
        assert_true(len + token.text.len + 2 < sizeof out);
        memcpy(out + len, token.text.ptr, token.text.len);
        len += token.text.len;
        out[len++] = '|';
    }
    out[len] = '\0';
    return out;
}

typedef struct example {
    const char *text, *words;
} example;

static void check_examples(const example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_string_equal(words_of(agentchat_str_from(examples[i].text), false), examples[i].words);
}
#define CHECK(examples) check_examples(examples, sizeof(examples) / sizeof *(examples))

static void test_tokenizer__words_and_what_separates_them(void **state)
{
    static const example examples[] = {
        {"", ""},
        {"   \t\n", ""},
        {"-- ... !?", ""},
        {"word", "word|"},
        {"Hello, World!", "hello|world|"},
        {"order_id=42", "order|id|42|"},
        {"e-mail", "e|mail|"},
        {"don't don\u2019t", "don|t|don|t|"},
        {"3.14 1,000 0x1F", "3|14|1|000|0x1f|"},
        {"a1b2", "a1b2|"},
        {"\u0664\u0662 \u096A\u0968", "\u0664\u0662|\u096A\u0968|"}, /* digits of other scripts stay what they are */
        {"x\u200By", "x|y|"},                                        /* a zero-width space is a space */
        {"Zu\u00ADsam\u200Dmen", "zusammen|"},                       /* soft hyphen, joiner */
        {"\uFEFFstart", "start|"},
        {"\u00BD cup", "1|2|cup|"},
        {"https://example.org/a?b=c", "https|example|org|a|b|c|"},
    };

    (void)state;
    CHECK(examples);
}

static void test_tokenizer__case_and_accents_are_folded(void **state)
{
    static const example examples[] = {
        {"Caf\u00E9 CAFE\u0301 cafe", "cafe|cafe|cafe|"}, /* composed, decomposed, without */
        {"\u1EAD a\u0323\u0302 a\u0302\u0323", "a|a|a|"},
        {"Stra\u00DFe STRASSE stra\u1E9Ee", "strasse|strasse|strasse|"},
        {"\u0130stanbul ISTANBUL i\u0307stanbul", "istanbul|istanbul|istanbul|"},
        {"\u0131s\u0131", "\u0131s\u0131|"}, /* a dotless i is a letter of its own */
        {"\u03BF\u03B4\u03CC\u03C2 \u039F\u0394\u039F\u03A3", "\u03BF\u03B4\u03BF\u03C3|\u03BF\u03B4\u03BF\u03C3|"},
        {"\u1FB3 \u03B1\u0345 \u0391\u0399", "\u03B1\u03B9|\u03B1\u03B9|\u03B1\u03B9|"},
        {"\u0451\u0439 \u0435\u0438", "\u0435\u0438|\u0435\u0438|"},
        {"\uFB01ne \uFF26\uFF29\uFF2E\uFF25 \u24D5ine", "fine|fine|fine|"},
        {"\u212B \u00C5 A\u030A", "a|a|a|"},
        {"\u00F8re \u0142", "\u00F8re|\u0142|"}, /* a stroke is no accent to Unicode */
        {"\u05E9\u05C1\u05B8\u05DC\u05D5\u05B9\u05DD \u05E9\u05DC\u05D5\u05DD",
         "\u05E9\u05DC\u05D5\u05DD|\u05E9\u05DC\u05D5\u05DD|"},
        {"\u0623\u064E\u0643\u0652\u062A\u064F\u0628 \u0627\u0643\u0640\u0640\u062A\u0628",
         "\u0627\u0643\u062A\u0628|\u0627\u0643\u062A\u0628|"},
        {"\u0915\u093F\u0924\u093E\u092C \u0958 \u0915\u093C",
         "\u0915\u093F\u0924\u093E\u092C|\u0915\u093C|\u0915\u093C|"},
    };

    (void)state;
    CHECK(examples);
}

static void test_tokenizer__scripts_without_spaces_in_pairs(void **state)
{
    static const example examples[] = {
        {"\u6771\u4EAC\u90FD", "\u6771\u4EAC|\u4EAC\u90FD|"},
        {"\u8336", "\u8336|"},
        {"\u8336\u3002\u559D\u8336", "\u8336|\u559D\u8336|"},
        {"iPhone\u624B\u673A15", "iphone|\u624B\u673A|15|"},
        {"\u304B\u306A", "\u304B\u306A|"},
        {"\u30AC\u30B9 \u30AB\u3099\u30B9 \uFF76\uFF9E\uFF7D",
         "\u30AB\u3099\u30B9|\u30AB\u3099\u30B9|\u30AB\u3099\u30B9|"}, /* voiced: a letter of its own */
        {"\u30AB\u30B9", "\u30AB\u30B9|"},
        {"\u30B3\u30FC\u30D2\u30FC", "\u30B3\u30FC|\u30FC\u30D2|\u30D2\u30FC|"},
        {"\u732B\u304C\u597D\u304D", "\u732B\u304B\u3099|\u304B\u3099\u597D|\u597D\u304D|"},
        {"\U00020BB7\u91CE\u5BB6", "\U00020BB7\u91CE|\u91CE\u5BB6|"},
        {"\u0E01\u0E34\u0E19\u0E02\u0E49\u0E32\u0E27",
         "\u0E01\u0E34\u0E19|\u0E19\u0E02\u0E49|\u0E02\u0E49\u0E32|\u0E32\u0E27|"},
        {"\u0E01\u0E38\u0E48 \u0E01\u0E48\u0E38",
         "\u0E01\u0E38\u0E48|\u0E01\u0E38\u0E48|"}, /* marks in canonical order */
    };

    (void)state;
    CHECK(examples);
}

static void test_tokenizer__hangul_words_are_words(void **state)
{
    (void)state;
    /* 한국어 문서, composed and as jamo */
    assert_string_equal(words_of(AGENTCHAT_STR("\uD55C\uAD6D\uC5B4 \uBB38\uC11C"), false),
                        "\u1112\u1161\u11AB\u1100\u116E\u11A8\u110B\u1165|\u1106\u116E\u11AB\u1109\u1165|");
    assert_string_equal(words_of(AGENTCHAT_STR("\u1112\u1161\u11AB\u1100\u116E\u11A8\u110B\u1165"), false),
                        "\u1112\u1161\u11AB\u1100\u116E\u11A8\u110B\u1165|");
}

static void test_tokenizer__emoji_are_words_by_themselves(void **state)
{
    static const example examples[] = {
        {"done\U0001F389\U0001F389", "done|\U0001F389|\U0001F389|"},
        {"\u2764\uFE0F \u2764", "\u2764|\u2764|"},
        {"\U0001F44D\U0001F3FD", "\U0001F44D|"}, /* whatever the colour of the skin */
        {"\U0001F469\u200D\U0001F4BB", "\U0001F469|\U0001F4BB|"},
        {"\U0001F1E9\U0001F1EA", "\U0001F1E9|\U0001F1EA|"},
        {"1\uFE0F\u20E3", "1|"},
        {"\u2192 + = $ \u20AC", ""},
    };

    (void)state;
    CHECK(examples);
}

static void test_tokenizer__marks_alone_are_nothing(void **state)
{
    static const example examples[] = {
        {"\u0301", ""},
        {"\u0301\u0301 a", "a|"},
        {"\u093F", ""},
        {"\u3099\u304B", "\u304B|"},
        {"\U0001F389\u093F", "\U0001F389|"},
    };

    (void)state;
    CHECK(examples);
}

static void test_tokenizer__what_is_no_utf8_separates(void **state)
{
    static const example examples[] = {
        {"a\xED\xA0\x80"
         "b",
         "a|b|"},
        {"\xED\xB0\x80", ""},
        {"a\xFF\xFE"
         "b",
         "a|b|"},
        {"a\xE6\x9D", "a|"},
        {"\xC3", ""},
        {"\xF4\x90\x80\x80x", "x|"},
    };

    (void)state;
    CHECK(examples);
    assert_string_equal(words_of((agentchat_str){"a\0b", 3}, false), "a|b|");
    assert_string_equal(words_of((agentchat_str){NULL, 0}, false), "");
}

static void test_tokenizer__single_characters_on_request(void **state)
{
    (void)state;
    assert_string_equal(words_of(AGENTCHAT_STR("\u6771\u4EAC\u90FD go"), true),
                        "\u6771|\u4EAC|\u6771\u4EAC|\u90FD|\u4EAC\u90FD|go|");
    assert_string_equal(words_of(AGENTCHAT_STR("\u8336"), true), "\u8336|");
    assert_string_equal(words_of(AGENTCHAT_STR("abc"), true), "abc|");
}

static void test_tokenizer__says_where_they_stand(void **state)
{
    static const char text[] = "  \u00C9t\u00E9, \u6771\u4EAC\u90FD";
    static const size_t ranges[][2] = {{2, 7}, {9, 15}, {12, 18}};
    aci_tokenizer tokenizer;
    aci_token token;

    (void)state;
    aci_tokenizer_begin(&tokenizer, agentchat_str_from(text), false);
    for (size_t i = 0; i < 3; i++) {
        assert_true(aci_tokenizer_next(&tokenizer, &token));
        assert_int_equal(token.begin, ranges[i][0]);
        assert_int_equal(token.end, ranges[i][1]);
    }
    assert_false(aci_tokenizer_next(&tokenizer, &token));
    assert_false(aci_tokenizer_next(&tokenizer, &token));
}

/* `count` times a character, as a token and in pairs. */
static void check_long(const char *character, size_t count, size_t tokens, size_t longest)
{
    size_t len = strlen(character), seen = 0, most = 0;
    char *text = test_malloc(len * count);
    aci_tokenizer tokenizer;
    aci_token token;

    for (size_t i = 0; i < count; i++)
        memcpy(text + i * len, character, len);
    aci_tokenizer_begin(&tokenizer, (agentchat_str){text, len * count}, false);
    while (aci_tokenizer_next(&tokenizer, &token)) {
        seen++;
        most = token.text.len > most ? token.text.len : most;
        assert_true(aci_utf8_is_valid(token.text, false));
    }
    assert_int_equal(seen, tokens);
    assert_int_equal(most, longest);
    test_free(text);
}

static void test_tokenizer__long_words_are_cut_after_a_character(void **state)
{
    (void)state;
    check_long("x", 128, 1, 128);
    check_long("x", 129, 1, 128);
    check_long("x", 1000000, 1, 128);
    check_long("\u0436", 1000000, 1, 128);
    check_long("\U0001D538", 100, 1, 100); /* a double-struck A is an a */
    check_long("\uFDFA", 1000, 3001, 14);  /* four words, of which the last and the next first are one */
    check_long("\u6771", 1000, 999, 6);
    check_long("\u0E38", 1000000, 0, 0); /* marks of no letter */
    assert_string_equal(
        words_of(AGENTCHAT_STR("\u0E01\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38"
                               "\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38"),
                 false),
        "\u0E01\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38"
        "\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38\u0E38|");
}

/* Each code point alone: the tokens of what it becomes are those again. */
static void test_tokenizer__the_words_of_a_word_are_it(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char text[4], first[256], again[256];

        snprintf(first, sizeof first, "%s", words_of((agentchat_str){text, aci_utf8_encode(c, text)}, false));
        snprintf(again, sizeof again, "%s", words_of(agentchat_str_from(first), false));
        if (strcmp(first, again) != 0)
            fail_msg("code point %x: %s, then %s", (unsigned)c, first, again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokenizer__words_and_what_separates_them),
        cmocka_unit_test(test_tokenizer__case_and_accents_are_folded),
        cmocka_unit_test(test_tokenizer__scripts_without_spaces_in_pairs),
        cmocka_unit_test(test_tokenizer__hangul_words_are_words),
        cmocka_unit_test(test_tokenizer__emoji_are_words_by_themselves),
        cmocka_unit_test(test_tokenizer__marks_alone_are_nothing),
        cmocka_unit_test(test_tokenizer__what_is_no_utf8_separates),
        cmocka_unit_test(test_tokenizer__single_characters_on_request),
        cmocka_unit_test(test_tokenizer__says_where_they_stand),
        cmocka_unit_test(test_tokenizer__long_words_are_cut_after_a_character),
        cmocka_unit_test(test_tokenizer__the_words_of_a_word_are_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
