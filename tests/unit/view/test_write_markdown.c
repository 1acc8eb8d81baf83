/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A conversation as Markdown: what is written, and, by cmark's reading of it, that no text of a message is anything but
 * text.
 */
#include "view_test.h"

#include <agentchat/view.h>
#include <cmark.h>
#include <string.h>

static char *markdown_of(const agentchat_snapshot *snapshot, bool data)
{
    agentchat_markdown_options options = AGENTCHAT_MARKDOWN_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    options.data = data;
    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
    test_ok(agentchat_snapshot_write_markdown(snapshot, sink, &options, &err), &err);
    agentchat_sink_free(sink);
    return bytes.ptr; /* the environment's allocator is malloc() */
}

/* ---- what is written -------------------------------------------------------------------------------------------- */

#define CHAT(history)                                                                                                  \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"participants\":[],\"channels\":[],\"history\":[" history "]}"
#define MESSAGE(role, items) "{\"role\":\"" role "\",\"items\":[" items "]}"

static void test_write_markdown__items(void **state)
{
    static const struct {
        const char *history, *expected;
        bool data;
    } cases[] = {
        {"", "", false},
        {"{\"role\":\"assistant\",\"name\":\"Desk\",\"time\":\"2026-11-21T12:02:00Z\",\"model\":\"m\",\"items\":[{"
         "\"type\":"
         "\"text\",\"text\":\"One\\ntwo.\\n\\n  Three.\"}]}",
         "## assistant Desk\n\n`2026-11-21T12:02:00Z` `m`\n\nOne\\\ntwo.\n\n&nbsp;&nbsp;Three.\n\n", false},
        {MESSAGE("assistant",
                 "{\"type\":\"call\",\"id\":\"c`1\",\"plugin\":\"p\",\"function\":\"f_x\",\"arguments\":{\"a\":1.50}}"),
         "## assistant\n\n**Call** p.f\\_x ``c`1``\n\n```json\n{\n  \"a\": 1.50\n}\n```\n\n", false},
        {MESSAGE("tool", "{\"type\":\"result\",\"id\":\"c\",\"failed\":true,\"result\":\"a\\n```\\nb\"}"),
         "## tool\n\n**Result (failed)** `c`\n\n````\na\n```\nb\n````\n\n", false},
        {MESSAGE("user", "{\"type\":\"image\",\"uri\":\"https://e.org/a b>.png?x=1&copy=2\"}"),
         "## user\n\n[image](<https://e.org/a%20b%3E.png?x=1&amp;copy=2>)\n\n", false},
        {MESSAGE("user", "{\"type\":\"image\",\"uri\":\"javascript:alert(1)\"}"),
         "## user\n\nimage `javascript:alert(1)`\n\n", false},
        {MESSAGE("user", "{\"type\":\"image\",\"mimetype\":\"image/png\",\"data\":\"AAEC\"}"),
         "## user\n\nimage, image/png, 3 bytes\n\n", false},
        {MESSAGE("user", "{\"type\":\"image\",\"mimetype\":\"image/png\",\"data\":\"AAEC\"}"),
         "## user\n\n![image](data:image/png;base64,AAEC)\n\n", true},
        {MESSAGE("user", "{\"type\":\"image\",\"mimetype\":\"text/html\",\"data\":\"AAEC\"}"),
         "## user\n\nimage, text/html, 3 bytes\n\n", true},
        {MESSAGE("assistant", "{\"type\":\"reasoning\",\"text\":\"Hm.\"}"),
         "## assistant\n\n> **Reasoning**\n> \n> Hm.\n> \n\n", false},
        {MESSAGE("a # b\\nc", "{\"type\":\"text\",\"text\":\"\"}"), "## a \\# b c\n\n", false},
        {MESSAGE("user",
                 "{\"type\":\"text\",\"text\":\"ask @ann of #12 :tada: at 10:02:00, http://x, a@b.c, www.x.y\"}"),
         "## user\n\nask `@`ann of `#`12 `:`tada: at 10:02:00, http\\://x, a`@`b.c, www\\.x.y\n\n", false},
        {MESSAGE("user",
                 "{\"type\":\"text\",\"text\":\"o/GH-26, xGH-2, gh-x, a@1a2b3c4#1 or 1a2b3c; order 12345678\"}"),
         "## user\n\no/`GH-26`, xGH-2, gh-x, a`@1a2b3c4#`1 or 1a2b3c; order 12345678\n\n", false},
        {MESSAGE("user", "{\"type\":\"text\",\"text\":\"\\u202Ertl \\u0000 \\ud800\"}"),
         "## user\n\n(U+202E)rtl (U+0000) (U+D800)\n\n", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], expected[1024], *written;
        agentchat_snapshot *snapshot;

        (void)snprintf(text, sizeof text, CHAT("%s"), cases[i].history);
        (void)snprintf(expected, sizeof expected, "# Chat\n\n%s", cases[i].expected);
        snapshot = read_text(text);
        written = markdown_of(snapshot, cases[i].data);
        assert_string_equal(written, expected);
        free(written);
        agentchat_snapshot_unref(snapshot);
    }
}

/* ---- that text stays text --------------------------------------------------------------------------------------- */

static const char *const pieces[] = {
    "\\",     "`",    "*",        "_",          "[",           "]",      "<",    ">",     "&",      "|",
    "~",      "$",    "-",        "+",          "=",           ".",      ")",    "#",     "@",      ":",
    "!",      "(",    "{",        "\"",         "'",           "/",      " ",    "\n",    "\t",     "A",
    "1",      "x",    "www.",     "http://x.y", "&amp;",       "<b>",    "</b>", "1. ",   "23) ",   "- ",
    "* ",     "```",  "~~~",      "    ",       "> ",          "---",    "===",  "***",   "[a](b)", "![a](b)",
    "[a]: b", "<!--", "-->",      "| a |",      "|---|",       ":tada:", "@me",  "a@b.c", "\n\n",   "\n    ",
    "\\\n",   "  \n", "\xC3\xA9", "<a@b.c>",    "<https://x>", "&#64;",  "# ",   "\n# ",  "\n- ",   "\n> ",
    "GH-1",   "gh-2", "1a2b3c4",
};

/* What text says, as it is shown: spaces at ends of lines go, empty lines are one, a tab at a beginning is four
   spaces. */
static char *normal(const char *text)
{
    char *out = malloc(4 * strlen(text) + 1), *end = out;
    size_t breaks = 2;

    assert_non_null(out);
    while (*text != '\0') {
        size_t len = strcspn(text, "\n"), kept = len;

        while (kept > 0 && (text[kept - 1] == ' ' || text[kept - 1] == '\t'))
            kept--;
        if (kept > 0) {
            bool is_first = true;

            for (size_t i = 0; i < breaks && end > out; i++)
                *end++ = '\n';
            for (size_t i = 0; i < kept; i++) {
                is_first = is_first && (text[i] == ' ' || text[i] == '\t');
                for (int n = text[i] == '\t' && is_first ? 4 : 1; n > 0; n--)
                    *end++ = text[i] == '\t' && is_first ? ' ' : text[i];
            }
            breaks = 1;
        } else {
            breaks = 2;
        }
        text += len + (text[len] != '\0');
    }
    *end = '\0';
    return out;
}

/* Adds what an inline says; fails where it is something else than text. */
static void take_inline(cmark_node *node, char **end, const char *document)
{
    const char *literal = cmark_node_get_literal(node);

    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_LINEBREAK:
        *(*end)++ = '\n';
        return;
    case CMARK_NODE_CODE:
        if (strspn(literal, "@#:GHgh-0123456789abcdef") != strlen(literal))
            fail_msg("code in:\n%s", document);
        break;
    case CMARK_NODE_TEXT:
        break;
    default:
        fail_msg("%s in:\n%s", cmark_node_get_type_string(node), document);
    }
    for (; *literal != '\0'; literal++) {
        bool is_space = strncmp(literal, "\xC2\xA0", 2) == 0;

        *(*end)++ = is_space ? ' ' : *literal;
        literal += is_space;
    }
}

static char *said_by(const char *document)
{
    cmark_node *root = cmark_parse_document(document, strlen(document), CMARK_OPT_DEFAULT), *block;
    char *out = malloc(strlen(document) + 1), *end = out;

    assert_true(root != NULL && out != NULL);
    block = cmark_node_first_child(root);
    for (int i = 0; i < 2; i++, block = cmark_node_next(block))
        assert_int_equal(cmark_node_get_type(block), CMARK_NODE_HEADING);
    for (; block != NULL; block = cmark_node_next(block)) {
        if (cmark_node_get_type(block) != CMARK_NODE_PARAGRAPH)
            fail_msg("%s in:\n%s", cmark_node_get_type_string(block), document);
        if (end > out)
            end += sprintf(end, "\n\n");
        for (cmark_node *node = cmark_node_first_child(block); node != NULL; node = cmark_node_next(node))
            take_inline(node, &end, document);
    }
    *end = '\0';
    cmark_node_free(root);
    return out;
}

static agentchat_snapshot *chat_of(const char *text)
{
    agentchat_snapshot_builder *builder = NULL;
    agentchat_snapshot *snapshot = NULL;
    agentchat_message *message = NULL;
    agentchat_error err;

    test_ok(
        agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, agentchat_str_from(text), &message, &err),
        &err);
    test_ok(agentchat_snapshot_builder_new(NULL, NULL, &builder, &err), &err);
    agentchat_snapshot_builder_add_message(builder, message);
    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    agentchat_message_unref(message);
    return snapshot;
}

static void check_text(const char *text)
{
    agentchat_snapshot *snapshot = chat_of(text);
    char *document = markdown_of(snapshot, false), *said = said_by(document), *expected = normal(text);

    if (strcmp(said, expected) != 0)
        fail_msg("\"%s\" became \"%s\" by:\n%s", expected, said, document);
    if (strstr(document, "://") != NULL && strstr(document, "\\://") == NULL)
        fail_msg("a link in:\n%s", document);
    if (strstr(document, "www.") != NULL)
        fail_msg("a link in:\n%s", document);
    free(document);
    free(said);
    free(expected);
    agentchat_snapshot_unref(snapshot);
}

static void test_write_markdown__text_is_text(void **state)
{
    char text[256];

    (void)state;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        check_text(pieces[i]);
    test_seed(7);
    for (int round = 0; round < 20000; round++) {
        size_t len = 0;

        for (size_t n = 1 + test_pick(12); n > 0; n--)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s",
                                    pieces[test_pick(sizeof pieces / sizeof *pieces)]);
        check_text(text);
    }
}

/* A value as a block of code, which nothing in it ends. */
static void test_write_markdown__values_stay_in_their_blocks(void **state)
{
    (void)state;
    test_seed(8);
    for (int round = 0; round < 3000; round++) {
        agentchat_bytes quoted = AGENTCHAT_BYTES_INIT;
        agentchat_snapshot *snapshot;
        char value[256], text[2048], *document;
        cmark_node *root, *block;
        agentchat_error err;
        size_t len = 0;

        value[0] = '\0';
        for (size_t n = 1 + test_pick(12); n > 0; n--)
            len += (size_t)snprintf(value + len, sizeof value - len, "%s",
                                    pieces[test_pick(sizeof pieces / sizeof *pieces)]);
        test_ok(agentchat_json_quote(NULL, agentchat_str_from(value), &quoted, &err), &err);
        (void)snprintf(text, sizeof text, CHAT(MESSAGE("tool", "{\"type\":\"result\",\"result\":%s}")), quoted.ptr);
        snapshot = read_text(text);
        document = markdown_of(snapshot, false);
        root = cmark_parse_document(document, strlen(document), CMARK_OPT_DEFAULT);
        block = cmark_node_last_child(root);
        assert_int_equal(cmark_node_get_type(block), CMARK_NODE_CODE_BLOCK);
        assert_int_equal(cmark_node_get_type(cmark_node_previous(block)), CMARK_NODE_PARAGRAPH);
        assert_true(strncmp(cmark_node_get_literal(block), value, strlen(value)) == 0);
        cmark_node_free(root);
        free(document);
        agentchat_snapshot_unref(snapshot);
        agentchat_bytes_clear(&quoted);
    }
}

/* ---- failures --------------------------------------------------------------------------------------------------- */

static agentchat_status scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes bytes = {NULL, 0, 0, env};
    agentchat_snapshot *snapshot = NULL;
    agentchat_sink *sink = NULL;
    agentchat_status status = agentchat_snapshot_read_memory(env, agentchat_str_from(user), NULL, &snapshot, NULL, err);

    if (status >= 0)
        status = agentchat_sink_memory(env, &bytes, &sink, err);
    if (status >= 0)
        status = agentchat_snapshot_write_markdown(snapshot, sink, NULL, err);
    agentchat_sink_free(sink);
    agentchat_snapshot_unref(snapshot);
    agentchat_bytes_clear(&bytes);
    return status;
}

static void test_write_markdown__fails_as_it_should(void **state)
{
    static char chat[] = CHAT(MESSAGE("assistant", "{\"type\":\"call\",\"function\":\"f\",\"arguments\":{\"a\":[1]}},"
                                                   "{\"type\":\"result\",\"result\":\"x\"}"));
    agentchat_markdown_options options = AGENTCHAT_MARKDOWN_OPTIONS_INIT;
    agentchat_snapshot *snapshot = read_text(chat);
    agentchat_sink *sink = test_sink_failing(0, false);
    agentchat_error err;

    (void)state;
    assert_true(test_oom_sweep(scenario, chat) > 5);
    test_fails(agentchat_snapshot_write_markdown(snapshot, sink, NULL, &err), &err, AGENTCHAT_E_IO, NULL, NULL);
    test_fails(agentchat_snapshot_write_markdown(NULL, sink, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "snapshot");
    test_fails(agentchat_snapshot_write_markdown(snapshot, NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "sink");
    options.title = AGENTCHAT_STR("\xFF");
    test_fails(agentchat_snapshot_write_markdown(snapshot, sink, &options, &err), &err, AGENTCHAT_E_INVALID, "",
               "title");
    agentchat_sink_free(sink);
    agentchat_snapshot_unref(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_markdown__items),
        cmocka_unit_test(test_write_markdown__text_is_text),
        cmocka_unit_test(test_write_markdown__values_stay_in_their_blocks),
        cmocka_unit_test(test_write_markdown__fails_as_it_should),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
