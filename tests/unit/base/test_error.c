/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/error.c. */
#include "support/test_support.h"

#include "base/error.h"
#include <errno.h>
#include <locale.h>

static void assert_printed(const agentchat_error *err, const char *expected)
{
    char *text = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&text, &len);

    assert_non_null(stream);
    agentchat_error_print(err, stream);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
    assert_int_equal(agentchat_error_format(err, NULL, 0), len - 1); /* the newline is not part of it */
    text = malloc(len);
    assert_non_null(text);
    assert_int_equal(agentchat_error_format(err, text, len), len - 1);
    assert_memory_equal(text, expected, len - 1);
    assert_int_equal(text[len - 1], '\0');
    free(text);
}

static void test_error__clear_gives_an_unset_record(void **state)
{
    agentchat_error err;

    (void)state;
    memset(&err, 0xAA, sizeof err);
    agentchat_error_clear(&err);
    assert_int_equal(err.struct_size, sizeof err);
    assert_int_equal(err.code, 0);
    assert_int_equal(err.native, 0);
    assert_true(err.offset == AGENTCHAT_NO_OFFSET);
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_string_equal(err.path, "");
    assert_string_equal(err.source, "");
    assert_string_equal(err.sqlstate, "");
    assert_string_equal(err.message, "");
    agentchat_error_clear(NULL);
}

static void test_error__set_replaces_everything(void **state)
{
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    aci_fail(&err, AGENTCHAT_E_SYNTAX, "first");
    aci_error_at(&err, 5, 1, 6);
    assert_int_equal(agentchat_error_set(&err, AGENTCHAT_E_CALLBACK, "second %d: %s", 2, err.message),
                     AGENTCHAT_E_CALLBACK);
    test_fails(AGENTCHAT_E_CALLBACK, &err, AGENTCHAT_E_CALLBACK, "", "second 2: first");
    assert_true(err.offset == AGENTCHAT_NO_OFFSET);
    assert_int_equal(err.line, 0);
    assert_int_equal(agentchat_error_set(NULL, AGENTCHAT_E_IO, "x"), AGENTCHAT_E_IO);
}

static void test_error__set_text_takes_a_message_as_it_is(void **state)
{
    char long_text[1500];
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    aci_error_path(&err, AGENTCHAT_STR("/a"));
    assert_int_equal(agentchat_error_set_text(&err, AGENTCHAT_E_CALLBACK, AGENTCHAT_STR("100 %s of \0 it")),
                     AGENTCHAT_E_CALLBACK);
    test_fails(AGENTCHAT_E_CALLBACK, &err, AGENTCHAT_E_CALLBACK, "", "100 %s of ? it");
    agentchat_error_set_text(&err, AGENTCHAT_E_IO, (agentchat_str){err.message + 4, 2});
    assert_string_equal(err.message, "%s");
    assert_int_equal(err.code, AGENTCHAT_E_IO);
    memset(long_text, 'x', sizeof long_text);
    memcpy(long_text + 1022, "\xC3\xA9", 2); /* one byte of it would fit */
    agentchat_error_set_text(&err, AGENTCHAT_E_IO, (agentchat_str){long_text, sizeof long_text});
    assert_int_equal(strlen(err.message), 1022);
    agentchat_error_set_text(&err, AGENTCHAT_E_IO, (agentchat_str){NULL, 0});
    assert_string_equal(err.message, "");
    assert_int_equal(agentchat_error_set_text(NULL, AGENTCHAT_E_IO, AGENTCHAT_STR("x")), AGENTCHAT_E_IO);
}

static void test_error__format_cuts_between_characters(void **state)
{
    agentchat_error err;
    char text[8];

    (void)state;
    agentchat_error_set(&err, AGENTCHAT_E_IO, "abc\xC3\xA9\ng");
    memset(text, 'z', sizeof text);
    assert_int_equal(agentchat_error_format(&err, text, 0), 12);
    assert_int_equal(text[0], 'z');
    agentchat_error_format(&err, text, 1);
    assert_string_equal(text, "");
    agentchat_error_format(&err, text, 5);
    assert_string_equal(text, "abc");
    assert_int_equal(agentchat_error_format(&err, text, sizeof text), 12);
    assert_string_equal(text, "abc\xC3\xA9"); /* no half of the escape, and nothing after it */
    assert_int_equal(agentchat_error_format(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
}

static void test_error__the_first_failure_wins(void **state)
{
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    assert_int_equal(aci_fail(&err, AGENTCHAT_E_SCHEMA, "first %s", "one"), AGENTCHAT_E_SCHEMA);
    assert_int_equal(aci_fail(&err, AGENTCHAT_E_IO, "second"), AGENTCHAT_E_IO);
    assert_int_equal(aci_fail_nomem(&err), AGENTCHAT_E_NOMEM);
    assert_int_equal(aci_fail_errno(&err, AGENTCHAT_E_IO, ENOSPC, "third"), AGENTCHAT_E_IO);
    test_fails(AGENTCHAT_E_SCHEMA, &err, AGENTCHAT_E_SCHEMA, "", "first one");
    assert_string_equal(err.message, "first one");
    assert_int_equal(err.native, 0);
    assert_int_equal(aci_fail_nomem(NULL), AGENTCHAT_E_NOMEM);
    assert_int_equal(aci_fail_errno(NULL, AGENTCHAT_E_IO, EIO, "x"), AGENTCHAT_E_IO);
}

static void test_error__errno_is_reported_in_english(void **state)
{
    agentchat_error err;

    (void)state;
    setlocale(LC_ALL, ""); /* whatever it is: the message stays */
    agentchat_error_clear(&err);
    aci_fail_errno(&err, AGENTCHAT_E_IO, ENOSPC, "cannot write");
    setlocale(LC_ALL, "C");
    assert_int_equal(err.native, ENOSPC);
    assert_string_equal(err.message, "cannot write: No space left on device");
}

static void test_error__a_long_message_is_cut_between_characters(void **state)
{
    agentchat_error err;
    char text[1200];

    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        size_t len = shift;

        memset(text, 'x', shift);
        while (len + 3 < sizeof text) {
            memcpy(text + len, "\xE2\x82\xAC", 3);
            len += 3;
        }
        text[len] = '\0';
        agentchat_error_set(&err, AGENTCHAT_E_SYNTAX, "%s", text);
        len = strlen(err.message);
        assert_true(len > sizeof err.message - 4 && len < sizeof err.message);
        assert_int_equal((len - shift) % 3, 0);
        assert_memory_equal(err.message, text, len);
    }
    memset(text, 'y', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    agentchat_error_set(&err, AGENTCHAT_E_SYNTAX, "%s", text);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

static void test_error__a_long_path_keeps_its_tail(void **state)
{
    agentchat_error err;
    char text[1200];

    (void)state;
    agentchat_error_clear(&err);
    aci_error_path(&err, AGENTCHAT_STR("/history/3"));
    assert_string_equal(err.path, "/history/3");
    aci_error_path_prepend(&err, AGENTCHAT_STR("/channels/1/channelstate"));
    assert_string_equal(err.path, "/channels/1/channelstate/history/3");

    memset(text, 'a', sizeof text);
    memcpy(text + sizeof text - 5, "/last", 5);
    aci_error_path(&err, (agentchat_str){text, sizeof text});
    assert_int_equal(strlen(err.path), sizeof err.path - 1);
    assert_memory_equal(err.path, "\xE2\x80\xA6", 3);
    assert_string_equal(err.path + sizeof err.path - 1 - 5, "/last");
    aci_error_path_prepend(&err, AGENTCHAT_STR("/front"));
    assert_memory_equal(err.path,
                        "\xE2\x80\xA6"
                        "aaa",
                        6);

    /* 511 bytes fit exactly; one more does not. */
    aci_error_path(&err, (agentchat_str){text, sizeof err.path - 2});
    aci_error_path_prepend(&err, AGENTCHAT_STR("/"));
    assert_int_equal(err.path[0], '/');
    assert_int_equal(strlen(err.path), sizeof err.path - 1);
    aci_error_path(&err, (agentchat_str){text, sizeof err.path - 1});
    aci_error_path_prepend(&err, AGENTCHAT_STR("/"));
    assert_memory_equal(err.path, "\xE2\x80\xA6", 3);
    aci_error_path(&err, AGENTCHAT_STR("/a\0b"));
    assert_string_equal(err.path, "/a?b");
}

static void test_error__a_cut_path_begins_with_a_complete_character(void **state)
{
    agentchat_error err;
    char text[1202];

    (void)state;
    for (size_t i = 0; i + 3 <= sizeof text; i += 3)
        memcpy(text + i, "\xE2\x82\xAC", 3);
    for (size_t cut = 0; cut < 3; cut++) {
        agentchat_error_clear(&err);
        memset(text + 1199, 'z', cut);
        aci_error_path(&err, (agentchat_str){text, 1199 + cut});
        assert_memory_equal(err.path, "\xE2\x80\xA6\xE2\x82\xAC", 6);
        assert_true(strlen(err.path) > sizeof err.path - 4);
    }
}

static void test_error__source_is_set_once(void **state)
{
    agentchat_error err;
    char name[400];

    (void)state;
    agentchat_error_clear(&err);
    aci_error_source(&err, NULL);
    assert_string_equal(err.source, "");
    aci_error_source(&err, "first.json");
    aci_error_source(&err, "second.json");
    assert_string_equal(err.source, "first.json");
    agentchat_error_clear(&err);
    memset(name, 'd', sizeof name);
    memcpy(name + 390, "/c.json", 8);
    aci_error_source(&err, name);
    assert_int_equal(strlen(err.source), sizeof err.source - 1);
    assert_memory_equal(err.source, "\xE2\x80\xA6", 3);
    assert_string_equal(err.source + strlen(err.source) - 7, "/c.json");
    aci_error_source(NULL, "x");
    aci_error_path(NULL, AGENTCHAT_STR("x"));
    aci_error_path_prepend(NULL, AGENTCHAT_STR("x"));
    aci_error_at(NULL, 1, 1, 1);
}

static void test_error__prefix_leaves_the_rest_of_the_record(void **state)
{
    agentchat_error err;
    char expected[sizeof err.message];

    (void)state;
    agentchat_error_clear(&err);
    (void)aci_fail(&err, AGENTCHAT_E_CORRUPT, "event 5 is damaged");
    aci_error_path(&err, AGENTCHAT_STR("/a"));
    aci_error_prefix(&err, "session %s/%d", "u", 7);
    assert_string_equal(err.message, "session u/7: event 5 is damaged");
    assert_string_equal(err.path, "/a");
    assert_int_equal(err.code, AGENTCHAT_E_CORRUPT);
    for (int i = 0; i < 100; i++)
        aci_error_prefix(&err, "%s", "a long name");
    memset(expected, 0, sizeof expected);
    for (size_t i = 0; i + 1 < sizeof expected; i++)
        expected[i] = "a long name: "[i % 13];
    assert_string_equal(err.message, expected);
    aci_error_prefix(NULL, "nothing");
}

static void test_error__print_leaves_unset_parts_out(void **state)
{
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    aci_fail(&err, AGENTCHAT_E_SCHEMA, "no good");
    assert_printed(&err, "no good\n");
    aci_error_path(&err, AGENTCHAT_STR("/a/b"));
    assert_printed(&err, "/a/b: no good\n");
    aci_error_at(&err, 20, 3, 0);
    assert_printed(&err, "3: /a/b: no good\n");
    aci_error_at(&err, 20, 3, 4);
    assert_printed(&err, "3:4: /a/b: no good\n");
    aci_error_source(&err, "c.json");
    assert_printed(&err, "c.json:3:4: /a/b: no good\n");
    aci_error_at(&err, AGENTCHAT_NO_OFFSET, 0, 0);
    assert_printed(&err, "c.json: /a/b: no good\n");
    agentchat_error_clear(&err);
    err.code = AGENTCHAT_E_NOMEM;
    assert_printed(&err, "out of memory\n");
}

static void test_error__print_shows_dangerous_characters(void **state)
{
    agentchat_error err;

    (void)state;
    agentchat_error_set(&err, AGENTCHAT_E_SCHEMA, "%s", "a\x1b[31m\n\xC2\x9B\xE2\x80\xAE\xFF\xF0\x9F\xBF\xBF \xC3\xA9");
    aci_error_path(&err, AGENTCHAT_STR("/\x07"));
    aci_error_source(&err, "\xE2\x80\xA8.json");
    assert_printed(&err, "\\u2028.json: /\\u0007: a\\u001b[31m\\u000a\\u009b\\u202e\\xff\\U0001ffff \xC3\xA9\n");
}

static void test_excerpt__shows_at_most_forty_characters(void **state)
{
    aci_excerpt buffer;
    char text[200];

    (void)state;
    assert_string_equal(aci_error_excerpt((agentchat_str){NULL, 0}, &buffer), "");
    assert_string_equal(aci_error_excerpt(AGENTCHAT_STR("a\0b\x1b\xE2\x80\xAE\xC0"), &buffer),
                        "a\\u0000b\\u001b\\u202e\\xc0");
    memset(text, 'q', sizeof text);
    text[40] = '\0';
    assert_string_equal(aci_error_excerpt((agentchat_str){text, 40}, &buffer), text);
    text[40] = 'q';
    aci_error_excerpt((agentchat_str){text, 41}, &buffer);
    assert_int_equal(strlen(buffer.text), 43);
    assert_string_equal(buffer.text + 40, "\xE2\x80\xA6");

    /* Never longer than the buffer, and never cut inside a character or an escape. */
    for (size_t i = 0; i + 4 <= sizeof text; i += 4)
        memcpy(text + i, "\xF0\x9F\x98\x80", 4);
    aci_error_excerpt((agentchat_str){text, sizeof text}, &buffer);
    assert_int_equal(strlen(buffer.text), 23 * 4 + 3);
    memset(text, 1, sizeof text);
    aci_error_excerpt((agentchat_str){text, sizeof text}, &buffer);
    assert_int_equal(strlen(buffer.text), 15 * 6 + 3);
    aci_error_excerpt((agentchat_str){text, 15}, &buffer);
    assert_int_equal(strlen(buffer.text), 15 * 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error__clear_gives_an_unset_record),
        cmocka_unit_test(test_error__set_replaces_everything),
        cmocka_unit_test(test_error__set_text_takes_a_message_as_it_is),
        cmocka_unit_test(test_error__format_cuts_between_characters),
        cmocka_unit_test(test_error__the_first_failure_wins),
        cmocka_unit_test(test_error__errno_is_reported_in_english),
        cmocka_unit_test(test_error__a_long_message_is_cut_between_characters),
        cmocka_unit_test(test_error__a_long_path_keeps_its_tail),
        cmocka_unit_test(test_error__a_cut_path_begins_with_a_complete_character),
        cmocka_unit_test(test_error__source_is_set_once),
        cmocka_unit_test(test_error__prefix_leaves_the_rest_of_the_record),
        cmocka_unit_test(test_error__print_leaves_unset_parts_out),
        cmocka_unit_test(test_error__print_shows_dangerous_characters),
        cmocka_unit_test(test_excerpt__shows_at_most_forty_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
