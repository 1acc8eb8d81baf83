/* SPDX-License-Identifier: Apache-2.0 */
/* JSON lines: a message, item or event on each. */
#include "support/test_support.h"

#include <string.h>

#define CHAT                                                                                                           \
    "{\"role\":\"user\",\"content\":\"hi\"}\n"                                                                         \
    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{"      \
    "\"name\":\"f\",\"arguments\":\"{}\"}}]}\n"                                                                        \
    "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"two\\nlines\"}\n"
#define EVENT(id)                                                                                                      \
    "{\"id\":\"" id                                                                                                    \
    "\",\"author\":\"user\",\"invocationId\":\"i\",\"content\":{\"role\":\"user\",\"parts\":[{\"text\":\"x\"}]}}"

static agentchat_status read_text(const char *text, size_t len, const char *format, agentchat_snapshot **out,
                                  agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;

    options.format = format;
    options.sessions = true;
    return agentchat_snapshot_read_memory(NULL, (agentchat_str){text, len}, &options, out, NULL, err);
}

static void test_lines__are_read_in_the_format_that_they_are_in(void **state)
{
    static const struct {
        const char *text, *format, *found;
        size_t messages;
    } cases[] = {
        {CHAT, NULL, "openai-chat", 3},
        {"\xEF\xBB\xBF" CHAT "\n \r\n", NULL, "openai-chat", 3},
        {"\r\n{\"role\":\"user\",\"content\":\"a\"}\r\n\r\n{\"role\":\"user\",\"content\":\"b\"}", "anthropic",
         "anthropic", 2},
        {"{\"role\":\"user\",\"content\":\"a\"}\n", NULL, "openai-chat", 1}, /* a single one */
        {"{\"role\":\"user\",\"items\":[]}\n{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"x\"}]}\n", NULL,
         "agentchat", 2},
        {"{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"x\"}]}", "agentchat", "agentchat", 1},
        /* an answer, which a format knows as it is */
        {"{\"role\":\"assistant\",\"content\":[],\"stop_sequence\":null}", NULL, "anthropic", 1},
        {"{\"Role\":{\"Label\":\"user\"},\"Content\":\"a\"}\n{\"Role\":{\"Label\":\"user\"},\"Content\":\"b\"}\n", NULL,
         "semantic-kernel", 2},
        {"{\"role\":\"user\",\"content\":\"a\"}\n{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\","
         "\"arguments\":"
         "\"{}\"}\n",
         NULL, "openai-responses", 2},
        {EVENT("1") "\n" EVENT("2") "\n", NULL, "adk", 2},
        {"[" EVENT("1") ",\n" EVENT("2") "]", NULL, "adk", 2}, /* as the ADKs' servers answer */
        {"{\"author\":\"user\",\"content\":{\"role\":\"user\",\"items\":[]}}\n{\"author\":\"Desk\"}\n", NULL,
         "agentchat", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_snapshot *snapshot = NULL;
        agentchat_error err;

        test_ok(read_text(cases[i].text, strlen(cases[i].text), cases[i].format, &snapshot, &err), &err);
        assert_string_equal(agentchat_snapshot_format(snapshot), cases[i].found);
        assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), cases[i].messages);
        agentchat_snapshot_unref(snapshot);
    }
}

static void test_lines__say_what_is_wrong_and_where(void **state)
{
    static const struct {
        const char *text, *path, *message;
        agentchat_status status;
        uint32_t line, column;
    } cases[] = {
        {CHAT "{\"role\":\"user\",\"conte", "", "the last line is cut off; the 3 before it are complete",
         AGENTCHAT_E_SYNTAX, 4, 1},
        {CHAT "\"text\"\n", "", "expected an object on each line", AGENTCHAT_E_SYNTAX, 4, 1},
        {CHAT "{\"role\":\"user\",\"content\":\"a\"} {\"role\":\"user\"}\n", "",
         "expected the end of the line after its value", AGENTCHAT_E_SYNTAX, 4, 31},
        {CHAT "{\"role\":\"user\",\"content\":tru}\n", "/3/content", "", AGENTCHAT_E_SYNTAX, 4, 26},
        {CHAT "{\"role\":\"user\",\"content\":5}\n", "/3", "", AGENTCHAT_E_SCHEMA, 4, 1},
        {EVENT("1") "\n{\"id\":\"2\",\"author\":5}\n", "/1/author", "", AGENTCHAT_E_SCHEMA, 2, 20},
        {"{\"role\":\"user\",\"items\":[]}\n{\"role\":5,\"items\":[]}\n", "/1/role", "", AGENTCHAT_E_SCHEMA, 2, 9},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_snapshot *snapshot = NULL;
        agentchat_error err;

        test_fails(read_text(cases[i].text, strlen(cases[i].text), NULL, &snapshot, &err), &err, cases[i].status,
                   cases[i].path, cases[i].message);
        if (err.line != cases[i].line || err.column != cases[i].column)
            fail_msg("%s: line %u, column %u: %s", cases[i].text, (unsigned)err.line, (unsigned)err.column,
                     err.message);
    }
}

/* Of a file that ends anywhere, what is complete is read, or it is said how much that is. */
static void test_lines__that_are_torn(void **state)
{
    static const char text[] = CHAT;
    size_t complete = 0;

    (void)state;
    for (size_t len = sizeof "{\"role\":\"user\",\"content\":\"hi\"}\n" + 1; len <= strlen(text); len++) {
        agentchat_snapshot *snapshot = NULL;
        agentchat_error err;
        bool is_whole = text[len - 1] == '\n' || text[len] == '\n' || text[len] == '\0';
        char *exact = malloc(len), message[80];

        assert_non_null(exact);
        memcpy(exact, text, len);
        if (is_whole) {
            test_ok(read_text(exact, len, NULL, &snapshot, &err), &err);
            complete = agentchat_messages_count(agentchat_snapshot_history(snapshot));
        } else {
            complete = complete > 1 ? complete : 1;
            (void)snprintf(message, sizeof message, "the last line is cut off; the %zu before it", complete);
            test_fails(read_text(exact, len, NULL, &snapshot, &err), &err, AGENTCHAT_E_SYNTAX, "", message);
        }
        agentchat_snapshot_unref(snapshot);
        free(exact);
    }
    assert_int_equal(complete, 3);
}

static void test_lines__come_back_in_each_format(void **state)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;
    char digest[AGENTCHAT_DIGEST_LEN + 1], other[AGENTCHAT_DIGEST_LEN + 1];
    size_t written = 0;

    (void)state;
    options.lines = true;
    options.strict = true;
    test_ok(read_text(CHAT, strlen(CHAT), NULL, &snapshot, &err), &err);
    test_ok(agentchat_snapshot_digest(snapshot, false, digest, &err), &err);
    for (size_t i = 0; i < agentchat_format_count(); i++) {
        const agentchat_format *format = agentchat_format_at(i);
        agentchat_bytes text = AGENTCHAT_BYTES_INIT;
        agentchat_report *report = NULL;
        agentchat_snapshot *back = NULL;
        agentchat_status status;

        if ((format->writes & (AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY)) == 0)
            continue;
        options.format = format->name;
        status = agentchat_snapshot_write_memory(snapshot, &options, &text, &report, &err);
        if (strcmp(format->name, "agentchat-encoded") == 0) {
            test_fails(status, &err, AGENTCHAT_E_INVALID, "", "has no lines");
        } else {
            size_t ends = 0;

            test_ok(status, &err);
            for (size_t c = 0; c < text.len; c++)
                ends += text.ptr[c] == '\n';
            assert_int_equal(ends, 3);
            test_ok(read_text(text.ptr, text.len, format->name, &back, &err), &err);
            test_ok(agentchat_snapshot_digest(back, false, other, &err), &err);
            if (strcmp(format->name, "anthropic") != 0) /* which has no role "tool" */
                assert_string_equal(other, digest);
            written++;
        }
        agentchat_snapshot_unref(back);
        agentchat_report_free(report);
        agentchat_bytes_clear(&text);
    }
    assert_int_equal(written, 5);
    agentchat_snapshot_unref(snapshot);
}

/* Lines hold messages alone. */
static void test_lines__report_what_they_lose(void **state)
{
    static const char chat[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"participants\":[{\"name\":\"A\",\"kind\":\"chat\"}],"
        "\"channels\":[],\"history\":[{\"role\":\"user\",\"items\":[]}],\"x\":1}";
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;

    (void)state;
    options.lines = true;
    test_ok(read_text(chat, strlen(chat), NULL, &snapshot, &err), &err);
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &text, &report, &err), &err);
    assert_string_equal(text.ptr, "{\"role\":\"user\",\"items\":[]}\n");
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 2);
    agentchat_report_free(report);
    options.fail_on_loss = true;
    agentchat_bytes_clear(&text);
    test_fails(agentchat_snapshot_write_memory(snapshot, &options, &text, NULL, &err), &err, AGENTCHAT_E_LOSS,
               "/participants", "");
    assert_int_equal(text.len, 0);
    agentchat_snapshot_unref(snapshot);
}

/* ---- out of memory ---------------------------------------------------------------------------------------------- */

static agentchat_status scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_read_options reading = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_bytes bytes = {NULL, 0, 0, env};
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status;

    reading.sessions = true;
    options.lines = true;
    status = agentchat_snapshot_read_memory(env, agentchat_str_from(user), &reading, &snapshot, NULL, err);
    if (status >= 0)
        status = agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, err);
    agentchat_snapshot_unref(snapshot);
    agentchat_bytes_clear(&bytes);
    return status;
}

static void test_lines__without_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(scenario, (char *)CHAT) > 10);
    assert_true(test_oom_sweep(scenario, (char *)EVENT("1") "\n" EVENT("2")) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines__are_read_in_the_format_that_they_are_in),
        cmocka_unit_test(test_lines__say_what_is_wrong_and_where),
        cmocka_unit_test(test_lines__that_are_torn),
        cmocka_unit_test(test_lines__come_back_in_each_format),
        cmocka_unit_test(test_lines__report_what_they_lose),
        cmocka_unit_test(test_lines__without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
