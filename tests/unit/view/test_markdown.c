/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Markdown: which texts are read as such, what each element becomes, that nothing of a text becomes markup, deep
 * nesting, what memory hostile texts take, and without memory.
 */
#include "view_test.h"

#include "view/markdown.h"

static void put(aci_html *h, const void *what)
{
    (void)aci_markdown(h, *(const agentchat_str *)what);
}

/* What stands inside <div class="md">; nothing when it is not written. */
static char *html_of(const char *text)
{
    static const char open[] = "<div class=\"md\" dir=\"auto\">", close[] = "</div>";
    agentchat_str given = agentchat_str_from(text);
    size_t len;
    char *html = view_html(put, &given, &len);

    if (len > 0) {
        assert_true(view_begins(html, html + len, open));
        len -= sizeof open - 1 + sizeof close - 1;
        assert_string_equal(html + sizeof open - 1 + len, close);
        memmove(html, html + sizeof open - 1, len);
        html[len] = '\0';
    }
    return html;
}

/* A beginning, a piece so many times, an end. */
static char *repeat(const char *head, const char *piece, size_t times, const char *tail)
{
    size_t piece_len = strlen(piece);
    char *text = malloc(strlen(head) + times * piece_len + strlen(tail) + 1), *end = text;

    assert_non_null(text);
    end += sprintf(end, "%s", head);
    for (size_t i = 0; i < times; i++, end += piece_len)
        memcpy(end, piece, piece_len);
    (void)sprintf(end, "%s", tail);
    return text;
}

static bool is_needed(const char *text)
{
    return aci_markdown_is_needed(agentchat_str_from(text));
}

/* ---- whether it is needed --------------------------------------------------------------------------------------- */

static void test_markdown__is_needed_where_it_changes_something(void **state)
{
    static const char *const needed[] = {"# a",   "a\n# b", "a\r# b", "- a",    "+ a",   "* a",  "1. a",
                                         "23) a", "> a",    "a\n===", "a *b*",  "a _b_", "`a`",  "[a]",
                                         "<a>",   "&amp;",  "a\\*",   "~~~\na", "\ta",   "   a", "```\na```"};
    static const char *const plain[] = {
        "", "a", "a - b", "a # b", "2024\nis a year", "a\n\nb", "caf\xC3\xA9!", "a > b", "x + y = z", "(a)"};

    (void)state;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        assert_true(is_needed(needed[i]));
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_false(is_needed(plain[i]));
}

/* What is not needed really shows as it stands. */
static void test_markdown__what_does_not_need_it_is_one_paragraph(void **state)
{
    static const char *const plain[] = {"a", "a - b", "a # b", "2024\nis a year", "caf\xC3\xA9!", "a > b", "(a) ! ] x"};

    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char *html = html_of(plain[i]), text[64];

        assert_false(is_needed(plain[i]));
        assert_int_equal(strncmp(html, "<p>", 3), 0);
        text[view_text(html, strlen(html), text)] = '\0';
        assert_string_equal(text, plain[i]);
        free(html);
    }
}

static void test_markdown__is_not_for_what_it_cannot_read(void **state)
{
    char *text;

    (void)state;
    assert_false(aci_markdown_is_needed((agentchat_str){"*a*\0", 4}));
    assert_false(is_needed("*a* \xED\xA0\x80"));
    text = repeat("", "*a* ", 1 << 18, "");
    assert_true(is_needed(text));
    free(text);
    text = repeat("", "*a* ", 1 << 18, "b");
    assert_false(is_needed(text));
    free(text);
}

/* Given how a text may begin and go on, whether it is read. Blocks beyond what pages nest are not, nor are many inside
   one another that cmark would go through for each of many marks or empty lines. */
static bool is_read(const char *opener, size_t openers, const char *piece, size_t pieces)
{
    char *front = repeat("", opener, openers, "a *b*\n"), *text = repeat(front, piece, pieces, "");
    bool is = is_needed(text);

    free(text);
    free(front);
    return is;
}

static void test_markdown__is_not_for_blocks_too_deep(void **state)
{
    static const char *const openers[] = {">", "> ", "+ ", "- ", "1) ", "1. ", "+\t", "9876) "};
    static const char *const lines[] = {"\n", "\r", "\r\n", " \n", ">\n", "\t\n", "*", "_", "]", "*a*"};

    (void)state;
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
        assert_true(is_read(openers[i], 48, "", 0));
        assert_false(is_read(openers[i], 49, "", 0));
        for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
            assert_true(is_read(openers[i], 48, lines[k], 10));
            assert_true(is_read(openers[i], 5, lines[k], 1000));
            assert_false(is_read(openers[i], 45, lines[k], 100000));
        }
    }
    assert_false(is_read("> - ", 25, "", 0));
    assert_true(is_read("* ", 30, "", 0));
    assert_false(is_read("* ", 49, "word ", 1000));
    assert_false(
        is_needed("\xEF\xBB\xBF- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - "
                  "- - - - - - - a")); /* cmark begins after the byte order mark */
}

/* As deep, but a level on each line; and as far to the right without being deep. */
static void test_markdown__counts_what_goes_on(void **state)
{
    char *text = malloc(100 * 200), *end = text;

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < 48; i++)
        end += sprintf(end, "%*s- a\n", (int)(2 * i), "");
    assert_true(is_needed(text));
    (void)sprintf(end, "%*s- a\n", 96, "");
    assert_false(is_needed(text));
    end = text;
    for (size_t i = 0; i < 60; i++)
        end += sprintf(end, "- a\n%*s^\n    - b\n", 100 + (int)i, "");
    assert_true(is_needed(text));
    free(text);
    /* What people write: paragraphs, code far to the right, rules and tables. */
    text = repeat("",
                  "- a\n\n    - b\n\n```\n                                        code\n\n```\n\n----\n\n| - | - |\n\n",
                  5000, "");
    assert_true(is_needed(text));
    free(text);
}

/* Links in one paragraph with images that have begun. */
static void test_markdown__is_not_for_links_inside_many_images(void **state)
{
    char *text;

    (void)state;
    for (size_t apart = 0; apart < 2; apart++) {
        char *front = repeat("", apart ? "![\n \t\r\n" : "![\r\n", 1000, "");

        text = repeat(front, "[a](b)", 1000, "");
        assert_int_equal(is_needed(text), apart);
        free(text);
        free(front);
    }
    text = repeat("", "[![build](https://example.org/build.svg)](https://example.org/build)\n", 400, "");
    assert_true(is_needed(text));
    free(text);
    text = repeat("", "[", 1 << 20, "");
    assert_true(is_needed(text));
    free(text);
}

/* ---- elements --------------------------------------------------------------------------------------------------- */

static void test_markdown__each_element(void **state)
{
    static const char *const cases[][2] = {
        {"a", "<p>a</p>"},
        {"a\nb  \nc", "<p>a\nb\nc</p>"},
        {"# a\n###### b", "<p class=\"h1\">a</p><p class=\"h6\">b</p>"},
        {"a\n=\nb\n-", "<p class=\"h1\">a</p><p class=\"h2\">b</p>"},
        {"> a", "<blockquote><p>a</p></blockquote>"},
        {"- a\n- b", "<ul class=\"tight\"><li><p>a</p></li><li><p>b</p></li></ul>"},
        {"- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"},
        {"1. a", "<ol class=\"tight\"><li><p>a</p></li></ol>"},
        {"7) a\n\n8) b", "<ol start=\"7\"><li><p>a</p></li><li><p>b</p></li></ol>"},
        {"0. a", "<ol class=\"tight\" start=\"0\"><li><p>a</p></li></ol>"},
        {"*a* **b** `c <d>`", "<p><em>a</em> <strong>b</strong> <code>c &lt;d&gt;</code></p>"},
        {"***", "<hr>"},
        {"    a\n\n    b", "<pre class=\"code\">\na\n\nb\n</pre>"},
        {"```\n\n<a>\n```", "<pre class=\"code\">\n\n&lt;a&gt;\n</pre>"},
        {"``` c++ \"x\"\na\n```", "<p class=\"language\">c++ &quot;x&quot;</p><pre class=\"code\">\na\n</pre>"},
        {"[a](http://b/?c&d \"t\")",
         "<p><span class=\"link\">a <code class=\"target\">http://b/?c&amp;d</code></span></p>"},
        {"<http://b>", "<p><span class=\"link\">http://b</span></p>"},
        {"[](x)", "<p><span class=\"link\"> <code class=\"target\">x</code></span></p>"},
        {"![a](b)", "<p><span class=\"link image\">a <code class=\"target\">b</code></span></p>"},
        {"[a]\n\n[a]: javascript:alert(1)",
         "<p><span class=\"link\">a <code class=\"target\">javascript:alert(1)</code></span></p>"},
        {"a <b onclick=\"c\">d</b>", "<p>a <code>&lt;b onclick=&quot;c&quot;&gt;</code>d<code>&lt;/b&gt;</code></p>"},
        {"<script>a</script>", "<pre class=\"code\">\n&lt;script&gt;a&lt;/script&gt;\n</pre>"},
        {"<!-- a -->", "<pre class=\"code\">\n&lt;!-- a --&gt;\n</pre>"},
        {"&lt;b&gt; &#60;i&#62; &quot;", "<p>&lt;b&gt; &lt;i&gt; &quot;</p>"},
        {"\\<b> \\[a](c)", "<p>&lt;b&gt; [a](c)</p>"},
        {"*\xE2\x80\xAE*", "<p><em><bdi class=\"u\" data-c=\"202E\">\xE2\x80\xAE</bdi></em></p>"},
        {"&#0;&#x202e;", "<p>\xEF\xBF\xBD<bdi class=\"u\" data-c=\"202E\">\xE2\x80\xAE</bdi></p>"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *html = html_of(cases[i][0]);

        assert_string_equal(html, cases[i][1]);
        free(html);
    }
}

/* Elements are closed in the order in which they were opened, none is deeper than browsers nest, and the text is all
   there. */
static void check_nesting(const char *html, const char *word, size_t words)
{
    const char *open[64];
    size_t depth = 0, deepest = 0, found = 0;

    for (const char *p = html; (p = strstr(p, word)) != NULL; p++)
        found++;
    assert_int_equal(found, words);
    for (const char *p = html; (p = strchr(p, '<')) != NULL; p++) {
        size_t len = strcspn(p + 1 + (p[1] == '/'), " >");

        if (p[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_memory_equal(open[depth] + 1, p + 2, len);
            assert_true(strcspn(open[depth] + 1, " >") == len);
        } else {
            assert_true(depth < 64);
            open[depth++] = p;
        }
        deepest = depth > deepest ? depth : deepest;
    }
    assert_int_equal(depth, 0);
    assert_in_range(deepest, 40, 50);
}

static void test_markdown__deep_nesting(void **state)
{
    static const char *const pieces[] = {"> ", "+ ", "1) ", "> - ", "**a *"};
    char *text, *html;

    (void)state;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        bool is_inline = pieces[i][0] == '*';

        text = repeat("", pieces[i], is_inline ? 500 : i == 3 ? 24 : 48, "word");
        if (is_inline) {
            char *closed = repeat(text, "***", 500, "");

            free(text);
            text = closed;
        }
        html = html_of(text);
        check_nesting(html, "word", 1);
        free(html);
        free(text);
    }
}

/* ---- cost: time is looked at by hostile.growth and by the fuzz target markdown-cost -------------------------------
 */

/* Whether a text is written; memory keeps to a bound in any case, and all is given back. */
static bool is_written(const char *head, const char *piece, const char *middle, const char *piece_after, size_t size)
{
    size_t times = size / (strlen(piece) + strlen(piece_after));
    char *front = repeat(head, piece, times, middle), *text = repeat(front, piece_after, times, "");
    agentchat_str given = agentchat_str_from(text);
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_bytes bytes = {NULL, 0, 0, env};
    agentchat_error err;
    uint64_t before = oom.live_bytes;
    bool written;

    oom.peak_bytes = before;
    if (is_needed(text))
        test_ok(view_write(env, put, &given, &bytes, &err), &err);
    assert_true(oom.peak_bytes - before <= 32 * given.len + 2 * bytes.cap + (1 << 20) + 70000);
    written = bytes.len > 0;
    agentchat_bytes_clear(&bytes);
    assert_int_equal(oom.live_bytes, before);
    agentchat_env_free(env);
    free(front);
    free(text);
    return written;
}

/* What cmark takes much memory for is written while it is short. */
static void test_markdown__memory_keeps_to_a_bound(void **state)
{
    static const char *const families[][4] = {
        {"", "*a ", "", ""},      {"", "*", "", ""},     {"", "a***b_ ", "", ""},      {"", "*a _b ", "", "a* b__ "},
        {"", "[", "a", "](b)"},   {"", "&amp;", "", ""}, {"", "- a\n\n", "", ""},      {"", "#\n", "", ""},
        {"", "[a]: b\n", "", ""}, {"", "<a>\\", "", ""}, {"", "1. a\n2) b\n", "", ""}, {"", "`a` ", "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const char *const *f = families[i];

        for (size_t size = 1024; size <= 1 << 20; size *= 32) {
            bool written = is_written(f[0], f[1], f[2], f[3], size);

            assert_true(written || size > 1024 || strcmp(f[1], "[a]: b\n") == 0 || strcmp(f[1], "*") == 0);
        }
    }
    assert_false(is_written("", "*a ", "", "", 1 << 20));
}

/* References repeat what they name: up to four times what the text says. */
static void test_markdown__references_that_repeat_a_long_target(void **state)
{
    char *target = repeat("[a]: /", "u", 1000, "\n\n[a]\n");

    (void)state;
    assert_true(is_written(target, "b", "", "", 1));
    assert_true(is_written(target, "[a]", "", "", 3));
    assert_false(is_written(target, "[a]", "", "", 300));
    free(target);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static agentchat_status write(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes bytes = {NULL, 0, 0, env};
    agentchat_status status = view_write(env, put, user, &bytes, err);

    agentchat_bytes_clear(&bytes);
    return status;
}

static void test_markdown__out_of_memory(void **state)
{
    agentchat_str text = AGENTCHAT_STR("# a\n\n> - *b* **c** `d` [e](f \"g\") ![h](i)\n>   1. j\n\n```k\nl\n```\n"
                                       "[m]: n\n\n[m] &amp; <o> <http://p>\n<q>\n\n    r\n");

    (void)state;
    assert_true(test_oom_sweep(write, &text) > 50);
}

/* A machine with little memory: whatever it has, the text is written or memory has run out, and all is given back. */
typedef struct purse {
    size_t left, most;
} purse;

static void *take(void *user, size_t size)
{
    purse *p = user;

    if (size > p->left)
        return NULL;
    p->left -= size;
    return malloc(size);
}

static void give_back(void *user, void *block, size_t size)
{
    ((purse *)user)->left += size;
    free(block);
}

static void test_markdown__with_little_memory(void **state)
{
    char *repeated = repeat("", "*a* `b` [c](d)\n\n- e\n", 500, "");
    agentchat_str text = agentchat_str_from(repeated);
    size_t written = 0, refused = 0;

    (void)state;
    for (size_t most = 70000; most < 4u << 20; most += most / 6) {
        purse p = {most, most};
        agentchat_allocator allocator = {.struct_size = sizeof allocator, .alloc = take, .free = give_back, .user = &p};
        agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
        agentchat_env *env;
        agentchat_error err;

        options.allocator = &allocator;
        env = test_env(&options);
        if (write(env, &text, &err) >= 0)
            written++;
        else
            assert_int_equal(err.code, AGENTCHAT_E_NOMEM), refused++;
        agentchat_env_free(env);
        assert_int_equal(p.left, p.most);
    }
    assert_true(written > 0);
    assert_true(refused > 3);
    free(repeated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markdown__is_needed_where_it_changes_something),
        cmocka_unit_test(test_markdown__what_does_not_need_it_is_one_paragraph),
        cmocka_unit_test(test_markdown__is_not_for_what_it_cannot_read),
        cmocka_unit_test(test_markdown__is_not_for_blocks_too_deep),
        cmocka_unit_test(test_markdown__counts_what_goes_on),
        cmocka_unit_test(test_markdown__is_not_for_links_inside_many_images),
        cmocka_unit_test(test_markdown__each_element),
        cmocka_unit_test(test_markdown__deep_nesting),
        cmocka_unit_test(test_markdown__memory_keeps_to_a_bound),
        cmocka_unit_test(test_markdown__references_that_repeat_a_long_target),
        cmocka_unit_test(test_markdown__out_of_memory),
        cmocka_unit_test(test_markdown__with_little_memory),
    };

    return cmocka_run_group_tests_name("markdown", tests, NULL, NULL);
}
