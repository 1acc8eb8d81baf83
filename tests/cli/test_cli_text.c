/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's own text functions: what reaches a terminal, and looking into JSON text. */
#include "support/test_support.h"

#include "base/invisible.h"
#include "base/utf8.h"
#include "cli/json/json.h"
#include "cli/text/text.h"

/* Everything that `print` writes, as a string to be freed. */
typedef struct output {
    char *text;
    size_t len;
    FILE *file;
} output;

static void begin(output *o)
{
    *o = (output){NULL, 0, NULL};
    o->file = open_memstream(&o->text, &o->len);
    assert_non_null(o->file);
}

static agentchat_str end(output *o)
{
    assert_int_equal(fclose(o->file), 0);
    return (agentchat_str){o->text, o->len};
}

static size_t encode(uint32_t c, char out[4])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

/* No byte of the text is a control, and all of it is UTF-8 without a character that must not be shown. */
static void assert_safe(agentchat_str text)
{
    for (size_t at = 0; at < text.len;) {
        uint32_t code_point = 0;
        const unsigned char *begin = (const unsigned char *)text.ptr, *p = begin + at, *end = begin + text.len;
        size_t length = aci_utf8_decode(p, end, true, &code_point);

        assert_int_not_equal(length, 0);
        assert_true(!aci_is_invisible(code_point) || aci_invisible_is_joined(begin, p, end));
        at += length;
    }
}

static void test_put__shows_every_code_point_safely(void **state)
{
    (void)state;
    for (uint32_t first = 0; first <= 0x10ffff; first += 256) {
        char expected[1024];
        size_t len = 0;
        output o;

        begin(&o);
        for (uint32_t c = first; c < first + 256; c++) {
            char bytes[4];
            agentchat_str text = {bytes, encode(c, bytes)};

            if (aci_is_invisible(c))
                continue;
            assert_int_equal(cli_put(o.file, text), cli_put_width(text));
            memcpy(expected + len, bytes, text.len);
            len += text.len;
        }
        agentchat_str shown = end(&o);
        assert_int_equal(shown.len, len);
        assert_memory_equal(shown.ptr, expected, len);
        free(o.text);
        begin(&o);
        for (uint32_t c = first; c < first + 256; c++) {
            char bytes[4];
            agentchat_str text = {bytes, encode(c, bytes)};

            if (aci_is_invisible(c))
                assert_true(cli_put(o.file, text) >= 2);
        }
        assert_safe(end(&o));
        free(o.text);
    }
}

static void test_put__shows_any_two_bytes_safely(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            char bytes[] = {(char)first, (char)second};
            output o;

            begin(&o);
            (void)cli_put(o.file, (agentchat_str){bytes, 2});
            assert_safe(end(&o));
            free(o.text);
        }
    }
}

static void test_put__escapes_in_one_line(void **state)
{
    output o;

    (void)state;
    begin(&o);
    (void)cli_put(o.file, AGENTCHAT_STR("a\nb\tc\x1b[m\xff\xc0\x80\xed\xa0\x80\xf5\xe2\x82"));
    assert_str(end(&o), "a\\nb\\tc\\u001b[m\\xff\\xc0\\x80\\ud800\\xf5\\xe2\\x82");
    free(o.text);
}

static void test_put_cut__counts_columns(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
        const char *shown;
    } rows[] = {
        {"abcdef", 0, "abcdef"}, {"abcdef", 6, "abcdef"}, {"abcdef", 5, "abcd…"},
        {"abcdef", 1, "…"},      {"東京都", 6, "東京都"}, {"東京都", 5, "東京…"},
        {"東京都", 4, "東…"},    {"ab\x1b", 4, "ab…"},    {"", 3, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        output o;

        begin(&o);
        size_t columns = cli_put_cut(o.file, agentchat_str_from(rows[i].text), rows[i].columns);
        agentchat_str shown = end(&o);

        assert_string_equal(shown.ptr, rows[i].shown);
        assert_int_equal(columns, cli_put_width(shown));
        free(o.text);
    }
}

static void test_put_block__indents_and_cuts(void **state)
{
    output o;

    (void)state;
    begin(&o);
    cli_put_block(o.file, AGENTCHAT_STR("one\r\n\n\tcode\x07\nfour\nfive\n"), (cli_block){.indent = 2, .max_lines = 3});
    assert_str(end(&o), "  one\n\n  \tcode\\u0007\n  … 2 more lines (--full shows all)\n");
    free(o.text);
    begin(&o);
    cli_put_block(o.file, AGENTCHAT_STR("0123456789"), (cli_block){.indent = 2, .max_columns = 5});
    assert_str(end(&o), "  0123…\n");
    free(o.text);
}

static void test_put_block__breaks_lines_at_the_screen(void **state)
{
    static const char *const rows[][2] = {
        {"one two three four five six", "  one two three four\n  five six\n"}, /* 20 columns for the text */
        {"one two three fours five", "  one two three fours\n  five\n"},
        {"12345678901234567890", "  12345678901234567890\n"},
        {"12345678901234567890 x", "  12345678901234567890\n  x\n"},
        {"123456789012345678901", "  12345678901234567890\n  1\n"},
        {"日本語日本語日本語日本語", "  日本語日本語日本語日\n  本語\n"},
        {"                       x", "  \n    x\n"},
        {"\tone two three four five six", "  \tone two three four five six\n"},
        {"\x1b[2J\x1b[2J\x1b[2J", "  \\u001b[2J\\u001b[2J\n  \\u001b[2J\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        output o;

        begin(&o);
        cli_put_block(o.file, agentchat_str_from(rows[i][0]), (cli_block){.indent = 2, .screen = 22});
        assert_str(end(&o), rows[i][1]);
        free(o.text);
    }
}

static void test_fitting__is_the_longest_beginning(void **state)
{
    (void)state;
    assert_int_equal(cli_put_fitting(AGENTCHAT_STR(""), 0), 0);
    assert_int_equal(cli_put_fitting(AGENTCHAT_STR("abc"), 2), 2);
    assert_int_equal(cli_put_fitting(AGENTCHAT_STR("abc"), 3), 3);
    assert_int_equal(cli_put_fitting(AGENTCHAT_STR("日本"), 3), 3);
    assert_int_equal(cli_put_fitting(AGENTCHAT_STR("a\x1b"), 6), 1); /* shown as six */
    assert_int_equal(cli_put_fitting(AGENTCHAT_STR("a\x1b"), 7), 2);
}

static void test_json_text__writes_lines(void **state)
{
    static const char *const rows[][2] = {
        {"{\"a\":[1.50,{\"b\":{}}, [ ] ],\"c\" : \"x, {\\\"y\\\": [1]}\"}",
         "{\n  \"a\": [\n    1.50,\n    {\n      \"b\": {}\n    },\n    []\n  ],\n"
         "  \"c\": \"x, {\\\"y\\\": [1]}\"\n}"},
        {" null ", "null"},
        {"-1.5e+3", "-1.5e+3"},
        {"\"\\u00fc\"", "\"ü\""},
        {"[true,\n false]", "[\n  true,\n  false\n]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        output o;

        begin(&o);
        cli_json_indented(o.file, agentchat_str_from(rows[i][0]));
        assert_str(end(&o), rows[i][1]);
        free(o.text);
    }
}

static void test_json_text__writes_one_line(void **state)
{
    static const char *const rows[][2] = {
        {"{\n  \"a\": [\n    1.50,\n    2\n  ],\n  \"b  c\": \"x  \\\" y\"\n}",
         "{\"a\": [1.50, 2], \"b  c\": \"x  \\\" y\"}"},
        {"{\"a\":1}", "{\"a\":1}"},
        {"[ ]", "[]"},
        {"null", "null"},
        {"{\"Z\\u00FCrich\":\"\\u0022\\u002B\\u005c\\\\u0041\\n\\ud83d\\ude00\"}",
         "{\"Zürich\":\"\\\"+\\\\\\\\u0041\\n😀\"}"},
        {"\"\\u001b \\u202e \\ud83d \\ude00 \\u6771\"", "\"\\u001b \\u202e \\ud83d \\ude00 東\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        output o;

        begin(&o);
        cli_json_one_line(o.file, agentchat_str_from(rows[i][0]));
        assert_string_equal(end(&o).ptr, rows[i][1]);
        free(o.text);
    }
}

static void test_json_writer__base64(void **state)
{
    static const char *const rows[][2] = {{"", "\"\""},
                                          {"f", "\"Zg==\""},
                                          {"fo", "\"Zm8=\""},
                                          {"foo", "\"Zm9v\""},
                                          {"foob", "\"Zm9vYg==\""},
                                          {"fooba", "\"Zm9vYmE=\""},
                                          {"\xff\xfe\xfb", "\"//77\""}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cli_json json = {0};
        output o;

        begin(&o);
        json.out = o.file;
        cli_json_base64(&json, NULL, agentchat_str_from(rows[i][0]));
        assert_string_equal(end(&o).ptr, rows[i][1]);
        free(o.text);
    }
}

static void test_json_text__strings_and_sizes(void **state)
{
    (void)state;
    assert_str(cli_json_string(AGENTCHAT_STR("\"f,g\"")), "f,g");
    assert_null(cli_json_string(AGENTCHAT_STR("1")).ptr);
    assert_true(cli_json_is_empty(AGENTCHAT_STR("[]")));
    assert_true(cli_json_is_empty(AGENTCHAT_STR(" { \n} ")));
    assert_false(cli_json_is_empty(AGENTCHAT_STR("[0]")));
    assert_false(cli_json_is_empty(AGENTCHAT_STR("{\"a\":{}}")));
    assert_false(cli_json_is_empty(AGENTCHAT_STR("\"[]\"")));
    assert_false(cli_json_is_empty(AGENTCHAT_STR("0")));
    assert_int_equal(cli_json_length(AGENTCHAT_STR("[]")), 0);
    assert_int_equal(cli_json_length(AGENTCHAT_STR(" [ ] ")), 0);
    assert_int_equal(cli_json_length(AGENTCHAT_STR("[1]")), 1);
    assert_int_equal(cli_json_length(AGENTCHAT_STR("[[1,2],{\"a\":[3,4]},\"5,6\"]")), 3);
    assert_int_equal(cli_json_length(AGENTCHAT_STR("{}")), 0);
}

static void test_json_out__keeps_spelling_and_is_safe(void **state)
{
    output o;
    cli_json json = {0};

    (void)state;
    begin(&o);
    json.out = o.file;
    cli_json_begin(&json, NULL, '{');
    cli_json_text(&json, "text",
                  AGENTCHAT_STR("q\" b\\ n\n e\x1b l\xed\xa0\x80 r\xe2\x80\xae x\xff t\xf3\xa0\x81\x81"));
    cli_json_text(&json, "absent", (agentchat_str){NULL, 0});
    cli_json_text(&json, "null", agentchat_str_null());
    cli_json_raw(&json, "raw", AGENTCHAT_STR("{\n\"n\": 1.50e+400, \"r\": \"\xe2\x80\xae\"}"));
    cli_json_begin(&json, "list", '[');
    cli_json_count(&json, NULL, UINT64_MAX);
    cli_json_bool(&json, NULL, false);
    cli_json_end(&json, ']');
    cli_json_end(&json, '}');
    cli_json_line(&json);
    assert_str(end(&o), "{\"text\": \"q\\\" b\\\\ n\\n e\\u001b l\\ud800 r\\u202e x\xef\xbf\xbd t\\udb40\\udc41\", "
                        "\"null\": null, \"raw\": { \"n\": 1.50e+400, \"r\": \"\\u202e\"}, "
                        "\"list\": [18446744073709551615, false]}\n");
    free(o.text);
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

static void test_cli_time__of_any_number_is_a_time_or_none(void **state)
{
    static const struct {
        int64_t us;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000000Z"},
        {1, "1970-01-01T00:00:00.000001Z"},
        {-1, "1969-12-31T23:59:59.999999Z"},
        {-1000000, "1969-12-31T23:59:59.000000Z"},
        {-1000001, "1969-12-31T23:59:58.999999Z"},
        {INT64_C(253402300799999999), "9999-12-31T23:59:59.999999Z"},
        {INT64_C(253402300800000000), "(no time)"},
        {INT64_C(-62167219200000000), "0000-01-01T00:00:00.000000Z"},
        {INT64_C(-62167219200000001), "(no time)"},
        {INT64_MAX, "(no time)"},
        {INT64_MAX - 1000000, "(no time)"},
        {INT64_MIN, "(no time)"},
        {INT64_MIN + 1, "(no time)"},
        {INT64_MIN + 999999, "(no time)"},
        {INT64_MIN + 1000000, "(no time)"},
    };
    char buffer[CLI_TIME_LEN];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(cli_time_text(cases[i].us, buffer), cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put__shows_every_code_point_safely),
        cmocka_unit_test(test_put__shows_any_two_bytes_safely),
        cmocka_unit_test(test_put__escapes_in_one_line),
        cmocka_unit_test(test_put_cut__counts_columns),
        cmocka_unit_test(test_put_block__indents_and_cuts),
        cmocka_unit_test(test_put_block__breaks_lines_at_the_screen),
        cmocka_unit_test(test_fitting__is_the_longest_beginning),
        cmocka_unit_test(test_json_text__writes_lines),
        cmocka_unit_test(test_json_text__writes_one_line),
        cmocka_unit_test(test_json_writer__base64),
        cmocka_unit_test(test_json_text__strings_and_sizes),
        cmocka_unit_test(test_json_out__keeps_spelling_and_is_safe),
        cmocka_unit_test(test_cli_time__of_any_number_is_a_time_or_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
