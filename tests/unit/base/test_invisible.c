/* SPDX-License-Identifier: Apache-2.0 */
/* Characters that would not be seen, and where the few that honest text needs stay. lint.unicode-table compares the
   complete table with Python's. */
#include "support/test_support.h"

#include "base/invisible.h"
#include "base/utf8.h"

static void test_invisible__table(void **state)
{
    static const uint32_t invisible[] = {
        0,       '\t',    '\n',    0x1B,    0x7F,    0x80,    0x9F,    0xAD,    0x34F,    0x61C,    0x115F,    0x1160,
        0x17B4,  0x180B,  0x180E,  0x180F,  0x200B,  0x200C,  0x200D,  0x200E,  0x200F,   0x2028,   0x2029,    0x202A,
        0x202E,  0x2060,  0x2064,  0x2065,  0x2066,  0x2069,  0x206F,  0x3164,  0xD800,   0xDFFF,   0xFDD0,    0xFDEF,
        0xFE00,  0xFE0F,  0xFEFF,  0xFFA0,  0xFFF0,  0xFFF9,  0xFFFB,  0xFFFE,  0x13430,  0x1343F,  0x1BCA0,   0x1D173,
        0x1FFFE, 0xE0000, 0xE0001, 0xE0020, 0xE007F, 0xE0100, 0xE01EF, 0xE0FFF, 0x10FFFF, 0x110000, UINT32_MAX};
    static const uint32_t seen[] = {' ',    '~',    0xA0,   0xAC,    0xAE,    0x300,   0x600,   0x605,   0x61B,
                                    0x61D,  0x6DD,  0x70F,  0x200A,  0x2010,  0x2027,  0x202F,  0x205F,  0x2070,
                                    0x2800, 0x3000, 0x3042, 0xD7FF,  0xE000,  0xF8FF,  0xFDCF,  0xFDF0,  0xFE10,
                                    0xFEFE, 0xFFFC, 0xFFFD, 0x1342F, 0x1F600, 0xE1000, 0xF0000, 0x10FFFD};

    (void)state;
    for (size_t i = 0; i < sizeof invisible / sizeof *invisible; i++)
        assert_true(aci_is_invisible(invisible[i]));
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        assert_false(aci_is_invisible(seen[i]));
}

/* Invisible characters of a text that stay, and those that do not. */
static void count(const char *text, size_t *joined, size_t *marked)
{
    const unsigned char *begin = (const unsigned char *)text, *p = begin, *end = p + strlen(text);

    *joined = *marked = 0;
    while (p < end) {
        uint32_t c = 0;
        size_t len = aci_utf8_decode(p, end, true, &c);

        assert_true(len > 0);
        if (aci_is_invisible(c))
            ++*(aci_invisible_is_joined(begin, p, end) ? joined : marked);
        p += len;
    }
}

#define ZWNJ "\u200C"
#define ZWJ "\u200D"
#define TEXT_LOOK "\uFE0E"
#define EMOJI_LOOK "\uFE0F"

static void test_invisible__what_honest_text_needs(void **state)
{
    static const struct {
        const char *text;
        size_t joined, marked;
    } cases[] = {
        {"\u0645\u06CC" ZWNJ "\u062E\u0648\u0627\u0647\u0645", 1, 0}, /* Persian */
        {"\u0915\u094D" ZWJ "\u0937 \u0D28\u0D4D" ZWJ " \u0DC1\u0DCA" ZWJ "\u0DBB", 3,
         0},                                                                        /* Devanagari, Malayalam, Sinhala */
        {"\U0001F469" ZWJ "\U0001F680", 1, 0},                                      /* an astronaut */
        {"\U0001F469\U0001F3FD" ZWJ "\U0001F91D" ZWJ "\U0001F468\U0001F3FB", 2, 0}, /* people holding hands */
        {"\U0001F3F3" EMOJI_LOOK ZWJ "\U0001F308 \u2764" EMOJI_LOOK ZWJ "\U0001F525", 4, 0},
        {"\u2764" EMOJI_LOOK " \u2764" TEXT_LOOK " \u00A9" EMOJI_LOOK " \u263A" EMOJI_LOOK, 4, 0},
        {"1" EMOJI_LOOK "\u20E3 #" EMOJI_LOOK "\u20E3 *" EMOJI_LOOK "\u20E3", 3, 0}, /* keys */
        {"1" EMOJI_LOOK "2" EMOJI_LOOK, 0, 2},
        {"a" ZWJ "b" ZWNJ "c" EMOJI_LOOK "d\u00E9" ZWJ "\u4E00" ZWJ "\u4E00" EMOJI_LOOK, 0, 6},
        {ZWJ EMOJI_LOOK "\U0001F469", 0, 2},
        {"\U0001F469" ZWJ ZWJ ZWNJ ZWJ, 1, 3}, /* one follows a character, no more */
        {"\u2764" EMOJI_LOOK EMOJI_LOOK TEXT_LOOK ZWJ ZWJ, 1, 4},
        {"\u0645\u034F" ZWNJ "\u0645\u061C" ZWJ, 0, 4}, /* an invisible one joins nothing */
        {"\u180B" ZWJ "\u17B4" ZWNJ, 0, 4},
        {"\U0001F469\uFE00 \u2764\U000E0100 \U0001F3F4\U000E0067\U000E007F", 0, 4}, /* others never stay */
        {"\u00AD soft\u00ADly\u200B", 0, 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t joined, marked;

        count(cases[i].text, &joined, &marked);
        assert_int_equal(joined, cases[i].joined);
        assert_int_equal(marked, cases[i].marked);
    }
}

/* Wherever the text is cut, and whatever bytes stand before, nothing is read that is not there. */
static void test_invisible__reads_within_the_text(void **state)
{
    static const char all_bytes[] = "\xA9\xE2\x80\x8D\xF0\x9F\xE2\x80\x8D\x80\x80\x80\x80\x80\xE2\x80\x8D\xEF\xB8\x8F";

    (void)state;
    for (size_t from = 0; from < sizeof all_bytes; from++) {
        for (size_t to = from + 1; to < sizeof all_bytes; to++) {
            unsigned char *text = malloc(to - from);

            assert_non_null(text);
            memcpy(text, all_bytes + from, to - from);
            for (size_t i = 0; i < to - from; i++)
                assert_false(aci_invisible_is_joined(text, text + i, text + (to - from)));
            free(text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invisible__table),
        cmocka_unit_test(test_invisible__what_honest_text_needs),
        cmocka_unit_test(test_invisible__reads_within_the_text),
    };

    return cmocka_run_group_tests_name("invisible", tests, NULL, NULL);
}
