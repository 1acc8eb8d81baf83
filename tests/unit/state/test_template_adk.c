/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the templates' dialects adk-rust and adk-python: a test for each row of the table in docs/templates.md. */
#include "template_test.h"

static const agentchat_template_dialect RUST = AGENTCHAT_TEMPLATE_ADK_RUST, PYTHON = AGENTCHAT_TEMPLATE_ADK_PYTHON;

static const char *const some_state =
    "{\"name\":\"Alice\",\"_n\":\"low\",\"a1\":\"one\",\"app:x\":\"ax\",\"user:x\":\"ux\",\"temp:x\":\"tx\","
    "\"foo:bar\":\"no\",\"User:x\":\"no\",\"a:b:c\":\"no\",\"user:preferences\":{\"theme\":\"dark\"},"
    "\"user:preferences.theme\":\"no\",\"a.b\":\"no\",\"a\":{\"b\":\"no\"},\"1a\":\"no\",\"a-b\":\"no\","
    "\"\\u00fcber\":\"umlaut\",\"app:\\u00fcber\":\"umlauts\",\"three\":3,\"real\":1.0,\"yes\":true,\"none\":null,"
    "\"object\":{\"b\":1,\"a\":[true,null]},\"array\":[1,\"x\"],\"braces\":\"{name}{{name}}\",\"artifact\":\"key\"}";

static void check(agentchat_template_dialect dialect, const char *text, const char *expected)
{
    agentchat_state *map = template_state(some_state);

    check_render_as(dialect, map, text, expected);
    agentchat_state_free(map);
}

static void check_bad(agentchat_template_dialect dialect, const char *text, agentchat_status status, uint64_t offset,
                      const char *message)
{
    agentchat_state *map = template_state(some_state);

    check_fails_as(dialect, map, text, status, offset, message);
    agentchat_state_free(map);
}

static void test_template_rust__value_of_a_key(void **state)
{
    (void)state;
    check(RUST, "I am {name}, {_n} {a1}", "I am Alice, low one");
}

static void test_template_python__value_of_a_key(void **state)
{
    (void)state;
    check(PYTHON, "I am {name}, {_n} {a1}", "I am Alice, low one");
}

static void test_template_rust__missing_key(void **state)
{
    (void)state;
    check_bad(RUST, "a {missing} {lost}", AGENTCHAT_E_NOTFOUND, 2,
              "no value for {missing} at byte 2, {lost} at byte 12");
}

static void test_template_python__missing_key(void **state)
{
    (void)state;
    check_bad(PYTHON, "a {missing} {{ lost }}", AGENTCHAT_E_NOTFOUND, 2,
              "no value for {missing} at byte 2, {lost} at byte 12");
}

static void test_template_rust__optional_key(void **state)
{
    (void)state;
    check(RUST, "[{missing?}{user:missing?}] {name?}", "[] Alice");
    check(RUST, "{missing??}{artifact.a??}", "{missing??}{artifact.a??}");
}

static void test_template_python__optional_key(void **state)
{
    (void)state;
    check(PYTHON, "[{missing?}{user:missing?}] {name?} { name? }", "[] Alice Alice");
    check(PYTHON, "{missing??}{name ?}", "{missing??}{name ?}");
}

static void test_template_rust__prefixes(void **state)
{
    (void)state;
    check(RUST, "{app:x} {user:x} {temp:x}", "ax ux tx");
}

static void test_template_python__prefixes(void **state)
{
    (void)state;
    check(PYTHON, "{app:x} {user:x} {temp:x}", "ax ux tx");
}

static const char *const other_prefixes = "{foo:bar}{User:x}{a:b:c}{user:}{app:user:x}{foo:bar?}";

static void test_template_rust__other_prefixes_are_text(void **state)
{
    (void)state;
    check(RUST, other_prefixes, other_prefixes);
}

static void test_template_python__other_prefixes_are_text(void **state)
{
    (void)state;
    check(PYTHON, other_prefixes, other_prefixes);
}

static void test_template_rust__dots_are_text(void **state)
{
    (void)state;
    check(RUST, "{user:preferences.theme}{a.b}{a.b?}{a.}", "{user:preferences.theme}{a.b}{a.b?}{a.}");
}

static void test_template_python__dots_are_text(void **state)
{
    (void)state;
    check(PYTHON, "{user:preferences.theme}{a.b}{a.b?}{a.}", "{user:preferences.theme}{a.b}{a.b?}{a.}");
}

static void test_template_rust__inner_whitespace_is_text(void **state)
{
    (void)state;
    check(RUST, "{ name }{name }{\nname}", "{ name }{name }{\nname}");
}

static void test_template_python__inner_whitespace_is_stripped(void **state)
{
    (void)state;
    check(PYTHON, "{ name }{name }{\n\tname\r\n}{\xC2\xA0name\xE3\x80\x80}{\x1Cname\x1F}", "AliceAliceAliceAliceAlice");
    check(PYTHON, "{na me}", "{na me}");
}

static void test_template_rust__double_braces(void **state)
{
    (void)state;
    check(RUST, "{{name}}", "{Alice}");
    check(RUST, "{{name}", "{Alice");
}

static void test_template_python__double_braces(void **state)
{
    (void)state;
    check(PYTHON, "{{name}}", "Alice");
    check(PYTHON, "{{name}", "Alice");
}

static void test_template_rust__triple_braces(void **state)
{
    (void)state;
    check(RUST, "{{{name}}}", "{{Alice}}");
}

static void test_template_python__triple_braces(void **state)
{
    (void)state;
    check(PYTHON, "{{{name}}}", "Alice");
    check(PYTHON, "{{{{{{name}", "Alice");
}

/* No name between the braces. */
static const char *const no_names = "{} {1a} {a-b} {\"k\": \"v\"} {{a-b}} {{}} { } } {a b} {na{me {?} {unclosed name";

static void test_template_rust__no_names_are_text(void **state)
{
    (void)state;
    check(RUST, no_names, no_names);
    check(RUST, "{\"name\": {name}}", "{\"name\": Alice}");
}

static void test_template_python__no_names_are_text(void **state)
{
    (void)state;
    check(PYTHON, no_names, no_names);
    check(PYTHON, "{\"name\": {name}}", "{\"name\": Alice"); /* both of the braces after it belong to the placeholder */
}

static void test_template_rust__names_are_ascii(void **state)
{
    (void)state;
    check(RUST,
          "{\xC3\xBC"
          "ber}{app:\xC3\xBC"
          "ber}",
          "{\xC3\xBC"
          "ber}{app:\xC3\xBC"
          "ber}");
}

static void test_template_python__names_are_identifiers(void **state)
{
    (void)state;
    check(PYTHON,
          "{\xC3\xBC"
          "ber} {app:\xC3\xBC"
          "ber}",
          "umlaut umlauts");
}

static void test_template_rust__numbers_and_booleans(void **state)
{
    (void)state;
    check(RUST, "{three} {real} {yes}", "3 1.0 true");
}

static void test_template_python__numbers_and_booleans(void **state)
{
    (void)state;
    check(PYTHON, "{three} {real} {yes}", "3 1.0 True");
}

static void test_template_rust__null(void **state)
{
    (void)state;
    check(RUST, "[{none}{none?}]", "[nullnull]");
}

static void test_template_python__null(void **state)
{
    (void)state;
    check(PYTHON, "[{none}{none?}]", "[]");
}

static void test_template_rust__objects_and_arrays(void **state)
{
    (void)state;
    check(RUST, "{object} {array}", "{\"a\":[true,null],\"b\":1} [1,\"x\"]");
}

static void test_template_python__objects_and_arrays(void **state)
{
    (void)state;
    check(PYTHON, "{object} {array}", "{'b': 1, 'a': [True, None]} [1, 'x']");
}

static void test_template_rust__values_are_not_expanded(void **state)
{
    (void)state;
    check(RUST, "{braces}{artifact.braces}", "{name}{{name}}{name}{{x}}");
}

static void test_template_python__values_are_not_expanded(void **state)
{
    (void)state;
    check(PYTHON, "{braces}{artifact.braces}", "{name}{{name}}{name}{{x}}");
}

static void test_template_rust__artifacts(void **state)
{
    (void)state;
    check(RUST, "{artifact.file.txt} [{artifact.empty}] {artifact.x:y} {artifact..}", "[file.txt] [] [x:y] [.]");
    check_bad(RUST, "x {artifact.missing}", AGENTCHAT_E_NOTFOUND, 2, "no value for {artifact.missing} at byte 2");
    check(RUST, "{artifact}", "key");
}

static void test_template_python__artifacts(void **state)
{
    (void)state;
    check(PYTHON, "{artifact.file.txt} [{ artifact.empty }] {{artifact.x:y}}", "[file.txt] [] [x:y]");
    check_bad(PYTHON, "x {artifact.missing}", AGENTCHAT_E_NOTFOUND, 2, "no value for {artifact.missing} at byte 2");
    check(PYTHON, "{artifact}", "key");
}

static void check_no_function(agentchat_template_dialect dialect)
{
    static const char *const texts[] = {"ab{artifact.a}", "ab{artifact.a?}"};
    agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    options.dialect = dialect;
    for (size_t i = 0; i < 2; i++) {
        test_fails(agentchat_template_render(NULL, agentchat_str_from(texts[i]), &options, &out, &err), &err,
                   AGENTCHAT_E_INVALID, "", "an artifact is named, but there is no function for artifacts");
        assert_int_equal(err.offset, 2);
    }
    test_fails(agentchat_template_render(NULL, AGENTCHAT_STR("{x}{artifact.a}"), &options, &out, &err), &err,
               AGENTCHAT_E_NOTFOUND, "", "no value for {x} at byte 0");
}

static void test_template_rust__no_artifacts_at_all(void **state)
{
    (void)state;
    check_no_function(RUST);
}

static void test_template_python__no_artifacts_at_all(void **state)
{
    (void)state;
    check_no_function(PYTHON);
}

static void test_template_rust__optional_artifact(void **state)
{
    (void)state;
    check(RUST, "[{artifact.missing?}] {artifact.a?}", "[] text of a");
}

static void test_template_python__optional_artifact(void **state)
{
    (void)state;
    check(PYTHON, "[{artifact.missing?}] {artifact.a?}", "[] text of a");
}

static void test_template_rust__artifact_without_a_name(void **state)
{
    (void)state;
    check_bad(RUST, "a {artifact.}", AGENTCHAT_E_INVALID, 2, "an artifact's placeholder must include a file name");
    check_bad(RUST, "{artifact.?}", AGENTCHAT_E_INVALID, 0, "an artifact's placeholder must include a file name");
}

static void test_template_python__artifact_without_a_name(void **state)
{
    (void)state;
    check_bad(PYTHON, "a {artifact.}", AGENTCHAT_E_NOTFOUND, 2, "no value for {artifact.} at byte 2");
    check(PYTHON, "[{artifact.?}]", "[]");
}

static void test_template_rust__artifact_with_two_dots(void **state)
{
    (void)state;
    check_bad(RUST, "{artifact.a..b}", AGENTCHAT_E_INVALID, 0, "an artifact's name must not have \"..\" in it");
    check_bad(RUST, "{artifact.a..?}", AGENTCHAT_E_INVALID, 0, "an artifact's name must not have \"..\" in it");
}

static void test_template_python__artifact_with_two_dots(void **state)
{
    (void)state;
    check(PYTHON, "{artifact.a..b}", "[a..b]");
}

static void test_template_rust__artifact_with_other_characters(void **state)
{
    (void)state;
    check(RUST, "{artifact.a/b}{artifact.my-file.txt}", "{artifact.a/b}{artifact.my-file.txt}");
}

static void test_template_python__artifact_with_other_characters(void **state)
{
    (void)state;
    check(PYTHON, "{artifact.a/b}{artifact.my-file.txt}", "[a/b][my-file.txt]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template_rust__value_of_a_key),
        cmocka_unit_test(test_template_python__value_of_a_key),
        cmocka_unit_test(test_template_rust__missing_key),
        cmocka_unit_test(test_template_python__missing_key),
        cmocka_unit_test(test_template_rust__optional_key),
        cmocka_unit_test(test_template_python__optional_key),
        cmocka_unit_test(test_template_rust__prefixes),
        cmocka_unit_test(test_template_python__prefixes),
        cmocka_unit_test(test_template_rust__other_prefixes_are_text),
        cmocka_unit_test(test_template_python__other_prefixes_are_text),
        cmocka_unit_test(test_template_rust__dots_are_text),
        cmocka_unit_test(test_template_python__dots_are_text),
        cmocka_unit_test(test_template_rust__inner_whitespace_is_text),
        cmocka_unit_test(test_template_python__inner_whitespace_is_stripped),
        cmocka_unit_test(test_template_rust__double_braces),
        cmocka_unit_test(test_template_python__double_braces),
        cmocka_unit_test(test_template_rust__triple_braces),
        cmocka_unit_test(test_template_python__triple_braces),
        cmocka_unit_test(test_template_rust__no_names_are_text),
        cmocka_unit_test(test_template_python__no_names_are_text),
        cmocka_unit_test(test_template_rust__names_are_ascii),
        cmocka_unit_test(test_template_python__names_are_identifiers),
        cmocka_unit_test(test_template_rust__numbers_and_booleans),
        cmocka_unit_test(test_template_python__numbers_and_booleans),
        cmocka_unit_test(test_template_rust__null),
        cmocka_unit_test(test_template_python__null),
        cmocka_unit_test(test_template_rust__objects_and_arrays),
        cmocka_unit_test(test_template_python__objects_and_arrays),
        cmocka_unit_test(test_template_rust__values_are_not_expanded),
        cmocka_unit_test(test_template_python__values_are_not_expanded),
        cmocka_unit_test(test_template_rust__artifacts),
        cmocka_unit_test(test_template_python__artifacts),
        cmocka_unit_test(test_template_rust__no_artifacts_at_all),
        cmocka_unit_test(test_template_python__no_artifacts_at_all),
        cmocka_unit_test(test_template_rust__optional_artifact),
        cmocka_unit_test(test_template_python__optional_artifact),
        cmocka_unit_test(test_template_rust__artifact_without_a_name),
        cmocka_unit_test(test_template_python__artifact_without_a_name),
        cmocka_unit_test(test_template_rust__artifact_with_two_dots),
        cmocka_unit_test(test_template_python__artifact_with_two_dots),
        cmocka_unit_test(test_template_rust__artifact_with_other_characters),
        cmocka_unit_test(test_template_python__artifact_with_other_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
