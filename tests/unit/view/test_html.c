/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of HTML: what stands for each character, its window, and failures that stick. */
#include "view_test.h"

#define U(number, bytes) "<bdi class=\"u\" data-c=\"" number "\">" bytes "</bdi>"
#define INSTEAD "\xEF\xBF\xBD"
enum { WINDOW = 65536 };

static void put_text(aci_html *h, const void *what)
{
    aci_html_text(h, *(const agentchat_str *)what);
}

static void put_value(aci_html *h, const void *what)
{
    aci_html_value(h, *(const agentchat_str *)what);
}

/* ---- characters ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *in;
    size_t len;
    const char *text, *value;
} cases[] = {
    {"", 0, "", ""},
    {"plain 'text'/=`", 15, "plain 'text'/=`", "plain 'text'/=`"},
    {"<a b=\"c\">&amp;", 14, "&lt;a b=&quot;c&quot;&gt;&amp;amp;", "&lt;a b=&quot;c&quot;&gt;&amp;amp;"},
    {"\n\t", 2, "\n\t", "\n\t"},
    {"a\r\nb", 4, "a&#13;\nb", "a" INSTEAD "\nb"},
    {"a\rb", 3, "a" U("000D", "&#13;") "b", "a" INSTEAD "b"},
    {"\r\r\n", 3, U("000D", "&#13;") "&#13;\n", INSTEAD INSTEAD "\n"},
    {"\0", 1, U("0000", ""), INSTEAD},
    {"\x1B[31m", 5, U("001B", "\x1B") "[31m", INSTEAD "[31m"},
    {"\x7F", 1, U("007F", "\x7F"), INSTEAD},
    {"\xC2\x85\xC2\xA0", 4, U("0085", "\xC2\x85") "\xC2\xA0", INSTEAD "\xC2\xA0"},
    {"\xD8\x9C\xD8\x9D", 4, U("061C", "\xD8\x9C") "\xD8\x9D", INSTEAD "\xD8\x9D"},
    {"\xE2\x80\xAE", 3, U("202E", "\xE2\x80\xAE"), INSTEAD},
    {"\xE2\x80\xA8", 3, U("2028", "\xE2\x80\xA8"), INSTEAD},
    {"\xE2\x81\xA6x\xE2\x81\xA9", 7, U("2066", "\xE2\x81\xA6") "x" U("2069", "\xE2\x81\xA9"), INSTEAD "x" INSTEAD},
    {"\xE2\x80\x93", 3, "\xE2\x80\x93", "\xE2\x80\x93"},
    {"\xED\xA0\x80", 3, U("D800", ""), INSTEAD},
    {"\xEF\xBB\xBF", 3, U("FEFF", "\xEF\xBB\xBF"), INSTEAD},
    {"\xF4\x8F\xBF\xBF", 4, U("10FFFF", "\xF4\x8F\xBF\xBF"), INSTEAD},
    {"\xF0\x9F\x98\x80\xC3\xA9\xE4\xB8\xAD", 9, "\xF0\x9F\x98\x80\xC3\xA9\xE4\xB8\xAD",
     "\xF0\x9F\x98\x80\xC3\xA9\xE4\xB8\xAD"},
    {"</script><!--", 13, "&lt;/script&gt;&lt;!--", "&lt;/script&gt;&lt;!--"},
};

static void test_html__each_kind_of_character(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_str in = {cases[i].in, cases[i].len};
        char *text = view_html(put_text, &in, NULL), *value = view_html(put_value, &in, NULL);

        assert_string_equal(text, cases[i].text);
        assert_string_equal(value, cases[i].value);
        free(text);
        free(value);
    }
}

/* Bytes that are no UTF-8 at all do not get into a page, nor do they take anything with them. */
static void test_html__what_is_no_text_is_left_out(void **state)
{
    static const char *const broken[] = {
        "\xFF", "\x80", "\xC3", "\xE2\x80", "\xF4\x90\x80\x80", "\xC0\xBC", "\xF0\x80\x80\xBC"};

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char in[16];
        agentchat_str given = {in, (size_t)snprintf(in, sizeof in, "<%s<", broken[i])};
        size_t text_len, value_len;
        char *text = view_html(put_text, &given, &text_len), *value = view_html(put_value, &given, &value_len);

        assert_int_equal(strncmp(text, "&lt;", 4), 0);
        assert_string_equal(text + text_len - 4, "&lt;");
        assert_int_equal(strncmp(value, "&lt;", 4), 0);
        assert_string_equal(value + value_len - 4, "&lt;");
        assert_null(strchr(text, '<'));
        free(text);
        free(value);
    }
}

/* Every code point in one text: it comes back, and exactly those are marked that would not be seen. */
static void test_html__every_code_point_comes_back(void **state)
{
    char *in = malloc(4 * 0x110000), *back;
    size_t len = 0, html_len, marks = 0, marked = 0;
    agentchat_str given;
    char *html;

    (void)state;
    assert_non_null(in);
    for (uint32_t c = 0; c < 0x110000; c++) {
        if (c == 0xDC00) /* after DBFF it would be the other half of a pair */
            in[len++] = 'x';
        len += aci_utf8_encode(c, in + len);
        marks += c != '\t' && c != '\n' && aci_is_invisible(c);
    }
    given = (agentchat_str){in, len};
    html = view_html(put_text, &given, &html_len);
    back = malloc(html_len);
    assert_int_equal(view_text(html, html_len, back), len);
    assert_memory_equal(back, in, len);
    for (size_t i = 0; i < html_len; i++)
        marked += html[i] == '<' && html[i + 1] == 'b';
    assert_int_equal(marked, marks);
    free(html);
    html = view_html(put_value, &given, &html_len);
    assert_int_equal(strcspn(html, "<>\""), html_len);
    assert_true(aci_utf8_is_valid((agentchat_str){html, html_len}, false));
    free(html);
    free(back);
    free(in);
}

static void put_numbers(aci_html *h, const void *what)
{
    (void)what;
    aci_html_u64(h, 0);
    ACI_HTML(h, " ");
    aci_html_u64(h, 9);
    ACI_HTML(h, " ");
    aci_html_u64(h, 10);
    ACI_HTML(h, " ");
    aci_html_u64(h, UINT64_MAX);
}

static void test_html__numbers(void **state)
{
    char *text = view_html(put_numbers, NULL, NULL);

    (void)state;
    assert_string_equal(text, "0 9 10 18446744073709551615");
    free(text);
}

/* ---- the window ------------------------------------------------------------------------------------------------- */

typedef struct pieces {
    size_t first, second;
    const char *bytes;
} pieces;

static void put_pieces(aci_html *h, const void *what)
{
    const pieces *p = what;

    aci_html_raw(h, p->bytes, p->first);
    aci_html_raw(h, p->bytes + p->first, p->second);
    ACI_HTML(h, "!");
}

static void test_html__pieces_around_the_size_of_the_window(void **state)
{
    static const size_t sizes[] = {0, 1, WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    char *bytes = malloc(6 * WINDOW);

    (void)state;
    assert_non_null(bytes);
    for (size_t i = 0; i < 6 * WINDOW; i++)
        bytes[i] = (char)('a' + i % 23);
    for (size_t i = 0; i < COUNT * COUNT; i++) {
        pieces p = {sizes[i / COUNT], sizes[i % COUNT], bytes};
        size_t len;
        char *html = view_html(put_pieces, &p, &len);

        assert_int_equal(len, p.first + p.second + 1);
        assert_memory_equal(html, bytes, len - 1);
        assert_int_equal(html[len - 1], '!');
        free(html);
    }
    free(bytes);
}

/* ---- failures --------------------------------------------------------------------------------------------------- */

static void test_html__the_first_failure_sticks(void **state)
{
    static char bytes[WINDOW];

    (void)state;
    for (uint64_t good = 0; good < 4; good++) {
        agentchat_sink *sink = test_sink_failing(good, false);
        agentchat_error err;
        aci_html h;

        agentchat_error_clear(&err);
        test_ok(aci_html_begin(&h, aci_env(NULL), sink, &err), &err);
        for (uint64_t i = 0; i < 4; i++) {
            aci_html_raw(&h, bytes, sizeof bytes);
            assert_int_equal(h.status, i < good ? AGENTCHAT_OK : AGENTCHAT_E_IO);
        }
        aci_html_text(&h, AGENTCHAT_STR("<\r>"));
        aci_html_value(&h, AGENTCHAT_STR("<"));
        aci_html_fail(&h, AGENTCHAT_E_NOMEM, "too late");
        test_fails(aci_html_end(&h), &err, AGENTCHAT_E_IO, NULL, "refuses this write");
        agentchat_sink_free(sink);
    }
}

static void put_failure(aci_html *h, const void *what)
{
    ACI_HTML(h, "a");
    aci_html_fail(h, AGENTCHAT_E_LIMIT, what);
    aci_html_fail(h, AGENTCHAT_E_IO, "another one");
    ACI_HTML(h, "b");
}

static void test_html__fails_for_a_reason_of_ours(void **state)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_fails(view_write(NULL, put_failure, "the reason", &bytes, &err), &err, AGENTCHAT_E_LIMIT, NULL, "the reason");
    assert_int_equal(bytes.len, 0);
    agentchat_bytes_clear(&bytes);
}

static agentchat_status write_long(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes bytes = {NULL, 0, 0, env};
    pieces p = {WINDOW, WINDOW, user};
    agentchat_status status = view_write(env, put_pieces, &p, &bytes, err);

    assert_true(status < 0 || bytes.len == 2 * WINDOW + 1);
    agentchat_bytes_clear(&bytes);
    return status;
}

static void test_html__out_of_memory(void **state)
{
    static char bytes[2 * WINDOW];

    (void)state;
    assert_true(test_oom_sweep(write_long, bytes) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html__each_kind_of_character),
        cmocka_unit_test(test_html__what_is_no_text_is_left_out),
        cmocka_unit_test(test_html__every_code_point_comes_back),
        cmocka_unit_test(test_html__numbers),
        cmocka_unit_test(test_html__pieces_around_the_size_of_the_window),
        cmocka_unit_test(test_html__the_first_failure_sticks),
        cmocka_unit_test(test_html__fails_for_a_reason_of_ours),
        cmocka_unit_test(test_html__out_of_memory),
    };

    return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
