/* SPDX-License-Identifier: Apache-2.0 */
/* JSON for a person: what stands on which line, what is cut where, and that it is the same JSON. */
#include "view_test.h"

#include "view/json_text.h"
#include <jansson.h>

#define CUT "\xE2\x80\xA6"

typedef struct shortened {
    agentchat_str json;
    size_t most;
} shortened;

static void put_json(aci_html *h, const void *what)
{
    aci_view_json(h, *(const agentchat_str *)what);
}

static void put_short(aci_html *h, const void *what)
{
    const shortened *s = what;

    aci_view_json_short(h, s->json, s->most);
}

static void put_members(aci_html *h, const void *what)
{
    const shortened *s = what;

    aci_view_json_members_short(h, s->json, s->most);
}

/* ---- indented --------------------------------------------------------------------------------------------------- */

static void test_json_text__indented(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"1", "1"},
        {" null ", "null"},
        {"\"a\"", "&quot;a&quot;"},
        {"{}", "{}"},
        {"[ ]", "[]"},
        {"{\"a\" : 1,\t\"b\":[1,2 ,{}]}", "{\n  &quot;a&quot;: 1,\n  &quot;b&quot;: [\n    1,\n    2,\n    {}\n  ]\n}"},
        {"[[[]]]", "[\n  [\n    []\n  ]\n]"},
        {"[1.50E+2,true]", "[\n  1.50E+2,\n  true\n]"},
        {"\"a\\\"{[,:]}\\\\\"", "&quot;a\\&quot;{[,:]}\\\\&quot;"},
        {"\"\\u00e9\\u4E2D\\ud83d\\ude00\"", "&quot;\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80&quot;"},
        /* What would not be seen, or would end the string, stays an escape. */
        {"\"\\u0022\\u005c\\u0000\\u202e\\ud800\\n\"", "&quot;\\u0022\\u005c\\u0000\\u202e\\ud800\\n&quot;"},
        {"\"\\ud800\\u0041\\udc00\"", "&quot;\\ud800A\\udc00&quot;"},
        {"\"\\\\u00e9\"", "&quot;\\\\u00e9&quot;"},
        {"\"\\u003cb\\u003e\"", "&quot;&lt;b&gt;&quot;"},
        {"{\"<b>\":\"&\"}", "{\n  &quot;&lt;b&gt;&quot;: &quot;&amp;&quot;\n}"},
        {"\"\xE2\x80\xAE\"", "&quot;<bdi class=\"u\" data-c=\"202E\">\xE2\x80\xAE</bdi>&quot;"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_str json = agentchat_str_from(cases[i][0]);
        char *html = view_html(put_json, &json, NULL);

        assert_string_equal(html, cases[i][1]);
        free(html);
    }
}

/* Lines are indented only so far: deep nesting costs no more than its size. */
static void test_json_text__deep_nesting_is_not_indented_for_ever(void **state)
{
    enum { DEPTH = 20000 };
    char *text = malloc(2 * DEPTH);
    agentchat_str json = {text, 2 * DEPTH};
    size_t len;
    char *html;

    (void)state;
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    html = view_html(put_json, &json, &len);
    assert_true(len < 2 * DEPTH * 60);
    assert_non_null(strstr(html, "\n                                                ["));
    assert_null(strstr(html, "\n                                                 "));
    free(html);
    free(text);
}

static void check_same_json(const char *path, void *user)
{
    size_t len, html_len, back_len;
    char *text = test_file_read(path, &len), *html, *back;
    agentchat_str json = {text, len};
    json_t *before = json_loadb(text, len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL), *after;

    html = view_html(put_json, &json, &html_len);
    back = malloc(html_len + 1);
    back_len = view_text(html, html_len, back);
    if (before != NULL) { /* not what jansson refuses and we do not: lone surrogates, deep nesting */
        after = json_loadb(back, back_len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        assert_non_null(after);
        assert_true(json_equal(before, after));
        json_decref(after);
        json_decref(before);
        ++*(size_t *)user;
    }
    free(back);
    free(html);
    free(text);
}

static void test_json_text__every_valid_text_stays_the_same_json(void **state)
{
    char *dir = test_path(test_data_dir(), "conformance/json/accept");
    size_t compared = 0;

    (void)state;
    test_each_file(dir, ".json", check_same_json, &compared);
    assert_true(compared > 50);
    free(dir);
}

/* ---- in short --------------------------------------------------------------------------------------------------- */

static void test_json_text__in_short(void **state)
{
    static const struct {
        const char *json;
        size_t most;
        const char *value, *members;
    } cases[] = {
        {"", 10, "", ""},
        {"{}", 10, "{}", ""},
        {" {\"a\":1, \"b\" : {\"c\":[true]}} ", 99, "{&quot;a&quot;: 1, &quot;b&quot;: {&quot;c&quot;: [true]}}",
         "a: 1, b: {&quot;c&quot;: [true]}"},
        {"[1, 2]", 99, "[1, 2]", "[1, 2]"},
        {"\"{}\"", 99, "&quot;{}&quot;", "&quot;{}&quot;"},
        {"{\"a\":\"b\"}", 99, "{&quot;a&quot;: &quot;b&quot;}", "a: &quot;b&quot;"},
        {"{\"<i>\":\"</i>\"}", 99, "{&quot;&lt;i&gt;&quot;: &quot;&lt;/i&gt;&quot;}",
         "&lt;i&gt;: &quot;&lt;/i&gt;&quot;"},
        {"{\"a\":12345}", 3, "{&quot;a" CUT, "a: 1" CUT},
        {"[1,2]", 0, CUT, CUT},
        {"\"abc\"", 3, "&quot;ab" CUT, "&quot;ab" CUT},
        {"\"\xE4\xB8\xAD\xE4\xB8\xAD\"", 2, "&quot;\xE4\xB8\xAD" CUT, "&quot;\xE4\xB8\xAD" CUT},
        {"\"\\u4e2d\\u4e2d\"", 3, "&quot;\xE4\xB8\xAD" CUT, "&quot;\xE4\xB8\xAD" CUT},
        {"\"\\n\\n\"", 2, "&quot;\\n" CUT, "&quot;\\n" CUT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shortened s = {agentchat_str_from(cases[i].json), cases[i].most};
        char *value = view_html(put_short, &s, NULL), *members = view_html(put_members, &s, NULL);

        assert_string_equal(value, cases[i].value);
        assert_string_equal(members, cases[i].members);
        free(value);
        free(members);
    }
}

/* What is cut off anywhere begins like what is not. */
static void check_prefixes(view_put put, const char *json)
{
    shortened s = {agentchat_str_from(json), SIZE_MAX};
    size_t full_len, last = 0;
    char *full = view_html(put, &s, &full_len);

    assert_null(strstr(full, CUT));
    for (s.most = 0; s.most <= s.json.len; s.most++) {
        size_t len;
        char *html = view_html(put, &s, &len);

        assert_true(aci_utf8_is_valid((agentchat_str){html, len}, false));
        if (len >= 3 && memcmp(html + len - 3, CUT, 3) == 0)
            len -= 3;
        else
            assert_int_equal(len, full_len);
        assert_memory_equal(html, full, len);
        assert_true(len >= last);
        last = len;
        free(html);
    }
    free(full);
}

static void test_json_text__what_is_cut_begins_like_the_full_text(void **state)
{
    static const char *const texts[] = {
        "{\"name\":\"caf\xC3\xA9 \\ud83d\\ude00 \xF0\x9F\x98\x80 \\\"x\\\\\", \"n\":[1,2.5e9,{}], \"<\":null}",
        "[[\"\xE4\xB8\xAD\xE4\xB8\xAD\\u4e2d\\u202e\\u0022\"],true]",
        "\"\\ud83d\\ude00\\ud83d\"",
        "-12345678901234567890",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_prefixes(put_short, texts[i]);
        check_prefixes(put_members, texts[i]);
    }
}

/* A value of megabytes costs what is shown of it. */
static void test_json_text__a_long_value_is_short(void **state)
{
    enum { LEN = 1 << 20 };
    char *text = malloc(LEN);
    shortened s = {{text, LEN}, 80};
    size_t len;
    char *html;

    (void)state;
    memset(text, 'x', LEN);
    text[0] = text[LEN - 1] = '"';
    html = view_html(put_short, &s, &len);
    assert_int_equal(len, 6 + 79 + 3);
    free(html);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_text__indented),
        cmocka_unit_test(test_json_text__deep_nesting_is_not_indented_for_ever),
        cmocka_unit_test(test_json_text__every_valid_text_stays_the_same_json),
        cmocka_unit_test(test_json_text__in_short),
        cmocka_unit_test(test_json_text__what_is_cut_begins_like_the_full_text),
        cmocka_unit_test(test_json_text__a_long_value_is_short),
    };

    return cmocka_run_group_tests_name("json_text", tests, NULL, NULL);
}
