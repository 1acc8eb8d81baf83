/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of templates in the native dialect: what is a placeholder, the escape, errors, artifacts, limits. */
#include "template_test.h"

static const agentchat_template_dialect NATIVE = AGENTCHAT_TEMPLATE_AGENTCHAT;

static const char *const some_state =
    "{\"name\":\"Alice\",\"n\":3,\"app:x\":\"ax\",\"user:x\":\"ux\",\"temp:x\":\"tx\",\"a "
    "b\":\"space\",\"k-1\":\"minus\","
    "\"\\u00fcber\":\"umlaut\",\"a/b\":\"slash\",\"really?\":\"question\",\"braces\":\"{name}{{name}}\",\"1\":\"one\","
    "\"x:y\":\"colon\",\"artifact\":\"no prefix\",\"artifact.\":\"dot\",\"a.b\":\"dotted\",\"say "
    "\\\"x\\\"\":\"quotes\","
    "\"empty\":\"\"}";

static void check(const char *text, const char *expected)
{
    agentchat_state *map = template_state(some_state);

    check_render_as(NATIVE, map, text, expected);
    agentchat_state_free(map);
}

static void test_template__replaces_placeholders(void **state)
{
    (void)state;
    check("", "");
    check("no placeholder", "no placeholder");
    check("{name}", "Alice");
    check("Hello {name}, you are {n}.", "Hello Alice, you are 3.");
    check("{name}{name}{n}", "AliceAlice3");
    check("{app:x}{user:x}{temp:x}", "axuxtx");
    check("{k-1}{\xC3\xBC"
          "ber}{a/b}{x:y}{a.b}",
          "minusumlautslashcolondotted");
    check("[{empty}]", "[]");
}

static void test_template__optional_ones_may_be_missing(void **state)
{
    (void)state;
    check("[{none?}][{user:none?}][{name?}]", "[][][Alice]");
    check("[{name.x?}][{none.x?}]", "[][]");
    check("{really??}", "question");
    check("[{really?}]", "[]"); /* the key `really` */
}

/* All of these look like a placeholder at first sight. */
static void test_template__leaves_other_braces(void **state)
{
    static const char *const texts[] = {
        "{",
        "}",
        "{}",
        "{ }",
        "{}}",
        "{{}}",
        "{{{}}}",
        "}{",
        "{name",
        "name}",
        "{ name}",
        "{name }",
        "{ name }",
        "{\tname}",
        "{name\xC2\xA0}",
        "{\xE3\x80\x80name}",
        "{name ?}",
        "{?}",
        "{na\nme}",
        "{\nname\n}",
        "{na\x7Fme}",
        "{\"k\": 1}",
        "{\"name\"}",
        "{'name'}",
        "{name\"}",
        "{it's}",
        "{\"a\":{\"b\":{}}}",
        "{ \"a\" : [ { } ] }",
        "{user:}",
        "{app:}",
        "{temp:}",
        "{user:?}",
        "{name",
        "{{name",
        "{{name ",
        "{{ name }}",
        "{{\"k\"}}",
        "if (x) { y(); }",
        "{na{",
        "\\frac{ }{ }",
        "{a b}",
        "{a\u00A0b}",
        "{1}",
        "{user:1a}",
        "{0?}",
        "{x:1}",
        "{name, n}",
        "{name,n}",
        "{name!r}",
        "{name:>5}",
        "{n:03d}",
        "{name=}",
        "{a;b}",
        "{app: x}",
        "{{1}}",
        "{color: red}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check(texts[i], texts[i]);
}

static void test_template__json_around_a_placeholder_stays(void **state)
{
    (void)state;
    check("{\"who\":\"{name}\",\"n\":{n}}", "{\"who\":\"Alice\",\"n\":3}");
    check("{\"a\":{\"b\":{n}}}", "{\"a\":{\"b\":3}}");
}

static void test_template__double_braces_escape(void **state)
{
    (void)state;
    check("{{name}}", "{name}");
    check("{{none}}", "{none}"); /* whether or not it is there */
    check("{{none?}}{{user:x.y}}{{artifact.f}}", "{none?}{user:x.y}{artifact.f}");
    check("a {{name}} b {name}", "a {name} b Alice");
    check("{{name}}{{name}}", "{name}{name}");
    check("{{{name}}}", "{{name}}"); /* of more braces one is taken off on either side */
    check("{{{{name}}}}", "{{{name}}}");
    check("{{name}", "{Alice");
    check("{name}}", "Alice}");
    check("{{{name}}", "{{name}");
    check("{{name}}}", "{name}}");
    check("{{name?}", "{Alice");
    check("{{ {name} }}", "{{ Alice }}");
}

static void test_template__values_are_not_expanded(void **state)
{
    (void)state;
    check("{braces}", "{name}{{name}}");
    check("{artifact.braces}", "{name}{{x}}");
    check("{{braces}}", "{braces}");
}

static void test_template__artifacts(void **state)
{
    (void)state;
    check("<{artifact.a}>", "<text of a>");
    check("{artifact.file.txt}{artifact.a/b}{artifact.my-file.txt}{artifact.a..b}",
          "[file.txt][a/b][my-file.txt][a..b]");
    check("[{artifact.empty}][{artifact.none?}]", "[][]");
    check("{artifact.a?}", "text of a");
    check("{artifact}{artifact.}", "no prefixdot"); /* nothing after the prefix: a key */
}

static void test_template__asks_for_an_artifact_once(void **state)
{
    agentchat_template_options options = template_options(NATIVE);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    size_t calls = 0;

    (void)state;
    options.user = &calls;
    test_ok(agentchat_template_render(
                NULL, AGENTCHAT_STR("{artifact.a}{artifact.a}{artifact.none?}{artifact.none?}{{artifact.a/b}}"),
                &options, &out, &err),
            &err);
    assert_string_equal(out.ptr, "text of atext of a{artifact.a/b}");
    assert_int_equal(calls, 2);
    agentchat_bytes_clear(&out);
}

static void check_bad(const char *text, agentchat_status status, uint64_t offset, const char *message)
{
    agentchat_state *map = template_state(some_state);

    check_fails_as(NATIVE, map, text, status, offset, message);
    agentchat_state_free(map);
}

static void test_template__failing_artifacts(void **state)
{
    (void)state;
    check_bad("ab {artifact.broken}", AGENTCHAT_E_IO, 3, "the disk is gone");
    check_bad("{none} {artifact.broken?}", AGENTCHAT_E_IO, 7, "the disk is gone");
    check_bad("{artifact.silent}", AGENTCHAT_E_BUSY, 0, "the artifact cannot be loaded: another operation is active");
    check_bad("{artifact.mixed}", AGENTCHAT_E_BUSY, 0, "no answer");
    check_bad("{artifact.positive}", AGENTCHAT_E_CALLBACK, 0,
              "the function for artifacts broke its contract: it returned 1");
    check_bad("{artifact.bytes}", AGENTCHAT_E_CALLBACK, 0, "the text of the artifact is not UTF-8");
}

static void test_template__names_all_that_is_missing(void **state)
{
    (void)state;
    check_bad("{x}", AGENTCHAT_E_NOTFOUND, 0, "no value for {x} at byte 0");
    check_bad("Dear {x},\n{name} {user:y.z} {artifact.none} {x}", AGENTCHAT_E_NOTFOUND, 5,
              "no value for {x} at byte 5, {user:y.z} at byte 17, {artifact.none} at byte 28");
    check_bad("{x?}{x}", AGENTCHAT_E_NOTFOUND, 4, "no value for {x} at byte 4"); /* the first one may be missing */
    check_bad("{name.x}", AGENTCHAT_E_NOTFOUND, 0, "no value for {name.x} at byte 0");
    check_bad("{a\xE2\x80\xAE}", AGENTCHAT_E_NOTFOUND, 0, "no value for {a\\u202e} at byte 0");
    check_bad("{Name}", AGENTCHAT_E_NOTFOUND, 0, "no value for {Name} at byte 0");
}

static void test_template__may_keep_what_is_missing(void **state)
{
    static const char *const results[] = {
        "a {no} {artifact.no} {name.no} 1 text of a /{x:y}/", /* as they are numbered */
        "a {no} {artifact.no} {name.no} 1 text of a /{x:y}/", "a {no} {artifact.no} {name.no} 1 text of a /{x:y}/"};
    agentchat_state *map = template_state("{\"name\":1}");
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    for (int dialect = AGENTCHAT_TEMPLATE_AGENTCHAT; dialect <= AGENTCHAT_TEMPLATE_ADK_PYTHON; dialect++) {
        agentchat_template_options options = template_options((agentchat_template_dialect)dialect);

        options.keep_missing = true;
        test_ok(agentchat_template_render(
                    map, AGENTCHAT_STR("a {no} {artifact.no} {name.no} {name} {artifact.a}{no?} /{x:y}/"), &options,
                    &out, &err),
                &err);
        assert_string_equal(out.ptr, results[dialect]);
        agentchat_bytes_clear(&out);
        options.artifact = NULL;
        test_ok(agentchat_template_render(map, AGENTCHAT_STR("{artifact.a}"), &options, &out, &err), &err);
        assert_string_equal(out.ptr, "{artifact.a}");
        agentchat_bytes_clear(&out);
    }
    agentchat_state_free(map);
}

static void test_template__locates_what_is_missing(void **state)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_template_render(NULL, AGENTCHAT_STR("\xC3\xA4\n\n \xC3\xA4 {x} {y}\n"), NULL, &out, &err),
               &err, AGENTCHAT_E_NOTFOUND, "", "no value for {x} at byte 8, {y} at byte 12");
    assert_int_equal(err.offset, 8);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 5);
    assert_null(out.ptr);
}

/* Of more names than fit the others are counted, also those that would fit after one that does not. */
static void check_counted(int width)
{
    enum { NAMES = 100 };
    char text[8192], *at = text;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    unsigned left_out = 0, named = 0;
    const char *rest;

    for (int i = 0; i < NAMES; i++)
        at += sprintf(at, "{k%0*d}", width - 1, i);
    (void)sprintf(at, "{x}");
    assert_int_equal(agentchat_template_render(NULL, agentchat_str_from(text), NULL, &out, &err), AGENTCHAT_E_NOTFOUND);
    for (const char *p = err.message; (p = strstr(p, "} at ")) != NULL; p++)
        named++;
    rest = strstr(err.message, " and ");
    assert_non_null(rest);
    assert_int_equal(sscanf(rest, " and %u more", &left_out), 1);
    assert_string_equal(rest + strlen(rest) - 5, " more");
    assert_true(named >= 2);
    assert_int_equal(named + left_out, NAMES + 1);
    assert_null(strstr(err.message, "{x}"));
}

static void test_template__counts_what_does_not_fit(void **state)
{
    char text[4096];
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    for (int width = 3; width <= 60; width++)
        check_counted(width);
    /* Names of any length and character never break the message. */
    memset(text, 'n', sizeof text);
    memcpy(text, "{", 1);
    memcpy(text + 2000, "}{", 2);
    memcpy(text + sizeof text - 2, "}", 2);
    assert_int_equal(agentchat_template_render(NULL, agentchat_str_from(text), NULL, &out, &err), AGENTCHAT_E_NOTFOUND);
    assert_non_null(strstr(err.message, "\xE2\x80\xA6} at byte 0, {nnn"));
}

static void test_template__refuses_bad_arguments(void **state)
{
    agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    check_bad("ab\xFF{x}", AGENTCHAT_E_INVALID, 2, "the template is not UTF-8");
    check_bad("a\n{\xED\xA0\x80}", AGENTCHAT_E_INVALID, 3, "the template is not UTF-8");
    test_fails(agentchat_template_render(NULL, AGENTCHAT_STR("x"), NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    options.dialect = (agentchat_template_dialect)3;
    test_fails(agentchat_template_render(NULL, AGENTCHAT_STR("x"), &options, &out, &err), &err, AGENTCHAT_E_INVALID, "",
               "3 is no dialect of templates");
    options.dialect = (agentchat_template_dialect)-1;
    test_fails(agentchat_template_render(NULL, AGENTCHAT_STR("x"), &options, &out, &err), &err, AGENTCHAT_E_INVALID, "",
               "-1 is no dialect of templates");
    options.dialect = AGENTCHAT_TEMPLATE_AGENTCHAT;
    options.struct_size = 0;
    test_fails(agentchat_template_render(NULL, AGENTCHAT_STR("x"), &options, &out, &err), &err, AGENTCHAT_E_INVALID, "",
               "struct_size");
    test_ok(agentchat_template_render(NULL, (agentchat_str){NULL, 0}, NULL, &out, &err), &err);
    assert_int_equal(out.len, 0);
    agentchat_bytes_clear(&out);
}

static void test_template__appends(void **state)
{
    agentchat_state *map = template_state(some_state);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_template_render(map, AGENTCHAT_STR("{name}!"), NULL, &out, &err), &err);
    test_ok(agentchat_template_render(map, AGENTCHAT_STR(" {n}"), NULL, &out, &err), &err);
    assert_string_equal(out.ptr, "Alice! 3");
    /* the template may be what it is appended to */
    test_ok(agentchat_template_render(map, (agentchat_str){out.ptr, out.len}, NULL, &out, &err), &err);
    assert_string_equal(out.ptr, "Alice! 3Alice! 3");
    agentchat_bytes_clear(&out);
    agentchat_state_free(map);
}

static void test_template__text_may_have_a_nul(void **state)
{
    agentchat_state *map = template_state("{\"n\":\"a\\u0000b\"}");
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_template_render(map, AGENTCHAT_STR("\0{n\0}{n}"), NULL, &out, &err), &err);
    assert_int_equal(out.len, 8);
    assert_memory_equal(out.ptr, "\0{n\0}a\0b", 9);
    agentchat_bytes_clear(&out);
    agentchat_state_free(map);
}

static void test_template__obeys_the_limit(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_env *env;
    agentchat_state *map;
    agentchat_error err;

    (void)state;
    limits.max_bytes = 30;
    options.limits = &limits;
    env = test_env(&options);
    map = test_state(env);
    test_ok(agentchat_state_set(map, "v", AGENTCHAT_STR("\"0123456789\""), &err), &err);
    test_ok(agentchat_template_render(map, AGENTCHAT_STR("{v}{v}{v}"), NULL, &out, &err), &err);
    assert_int_equal(out.len, 30);
    test_fails(agentchat_template_render(map, AGENTCHAT_STR("{v}\n{v} {v}"), NULL, &out, &err), &err, AGENTCHAT_E_LIMIT,
               "", "the result is longer than 30 bytes, the limit max_bytes");
    assert_int_equal(err.offset, 8);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 5);
    assert_int_equal(out.len, 30);
    test_fails(agentchat_template_render(map, AGENTCHAT_STR("{x}{v}{v}{v}{v}"), NULL, &out, &err), &err,
               AGENTCHAT_E_NOTFOUND, "", "no value for {x} at byte 0");
    test_fails(agentchat_template_render(map, AGENTCHAT_STR("0123456789012345678901234567890"), NULL, &out, &err), &err,
               AGENTCHAT_E_LIMIT, "", "the limit max_bytes");
    agentchat_bytes_clear(&out);
    agentchat_state_free(map);
    agentchat_env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template__replaces_placeholders),
        cmocka_unit_test(test_template__optional_ones_may_be_missing),
        cmocka_unit_test(test_template__leaves_other_braces),
        cmocka_unit_test(test_template__json_around_a_placeholder_stays),
        cmocka_unit_test(test_template__double_braces_escape),
        cmocka_unit_test(test_template__values_are_not_expanded),
        cmocka_unit_test(test_template__artifacts),
        cmocka_unit_test(test_template__asks_for_an_artifact_once),
        cmocka_unit_test(test_template__failing_artifacts),
        cmocka_unit_test(test_template__names_all_that_is_missing),
        cmocka_unit_test(test_template__may_keep_what_is_missing),
        cmocka_unit_test(test_template__locates_what_is_missing),
        cmocka_unit_test(test_template__counts_what_does_not_fit),
        cmocka_unit_test(test_template__refuses_bad_arguments),
        cmocka_unit_test(test_template__appends),
        cmocka_unit_test(test_template__text_may_have_a_nul),
        cmocka_unit_test(test_template__obeys_the_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
