/* SPDX-License-Identifier: Apache-2.0 */
/* Two texts compared word by word. */
#include "support/test_support.h"

#include "io/stream.h"
#include "view/words.h"
#include <stdio.h>

/* Both sides as they are written. */
static void compare(const char *left, const char *right, agentchat_bytes out[2])
{
    agentchat_error err;
    aci_words words;

    agentchat_error_clear(&err);
    assert_true(aci_words_compare(&words, aci_env(NULL), agentchat_str_from(left), agentchat_str_from(right)));
    for (int side = 0; side < 2; side++) {
        agentchat_sink *sink = NULL;
        aci_html h;

        out[side] = (agentchat_bytes)AGENTCHAT_BYTES_INIT;
        test_ok(agentchat_sink_memory(NULL, &out[side], &sink, &err), &err);
        test_ok(aci_html_begin(&h, aci_env(NULL), sink, &err), &err);
        aci_words_put(&h, &words, side);
        test_ok(aci_html_end(&h), &err);
        test_ok(aci_sink_commit(sink, &err), &err);
        agentchat_sink_free(sink);
    }
    aci_words_clear(&words);
}

static void check(const char *left, const char *right, const char *left_expected, const char *right_expected)
{
    agentchat_bytes out[2];

    compare(left, right, out);
    assert_string_equal(out[0].len > 0 ? out[0].ptr : "", left_expected);
    assert_string_equal(out[1].len > 0 ? out[1].ptr : "", right_expected);
    agentchat_bytes_clear(&out[0]);
    agentchat_bytes_clear(&out[1]);
}

static void test_words__mark_what_the_other_side_has_not(void **state)
{
    (void)state;
    check("", "", "", "");
    check("same words", "same words", "same words", "same words");
    check("", "new", "", "<ins>new</ins>");
    check("old", "", "<del>old</del>", "");
    check("the old house", "the new house", "the <del>old</del> house", "the <ins>new</ins> house");
    check("a b", "a  b", "a<del> </del>b", "a<ins>  </ins>b");
    check("f(x)", "f(x, y)", "f(x)", "f(x<ins>, y</ins>)");
    check("<b>", "<i>", "&lt;<del>b</del>&gt;", "&lt;<ins>i</ins>&gt;");
    check("\xE4\xBD\xA0\xE5\xA5\xBD", "\xE4\xBD\xA0\xE4\xBB\xAC", "\xE4\xBD\xA0<del>\xE5\xA5\xBD</del>",
          "\xE4\xBD\xA0<ins>\xE4\xBB\xAC</ins>");
}

static void test_words__long_words_are_distinguished(void **state)
{
    char left[200], right[200], expected[240];

    (void)state;
    memset(left, 'x', sizeof left - 1);
    left[sizeof left - 1] = '\0';
    memcpy(right, left, sizeof left);
    check(left, right, left, right);
    right[150] = 'y';
    snprintf(expected, sizeof expected, "<del>%s</del>", left);
    {
        agentchat_bytes out[2];

        compare(left, right, out);
        assert_string_equal(out[0].ptr, expected);
        agentchat_bytes_clear(&out[0]);
        agentchat_bytes_clear(&out[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words__mark_what_the_other_side_has_not),
        cmocka_unit_test(test_words__long_words_are_distinguished),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
