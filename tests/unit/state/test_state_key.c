/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/state/key.c. */
#include "support/test_support.h"

#include "state/state.h"

enum { LONGEST = AGENTCHAT_MAX_KEY_BYTES };

/* `len` bytes: a prefix, then one letter again and again. */
static const char *long_key(const char *prefix, size_t len)
{
    static char text[LONGEST + 64];
    size_t at = strlen(prefix);

    memset(text, 'k', sizeof text);
    memcpy(text, prefix, at);
    text[len] = '\0';
    return text;
}

static void test_state_key__scopes(void **state)
{
    static const struct {
        const char *key;
        agentchat_scope scope;
        const char *rest;
    } cases[] = {
        {"a", AGENTCHAT_SCOPE_SESSION, "a"},
        {"app:a", AGENTCHAT_SCOPE_APP, "a"},
        {"user:a", AGENTCHAT_SCOPE_USER, "a"},
        {"temp:a", AGENTCHAT_SCOPE_TEMP, "a"},
        {"app:user:z", AGENTCHAT_SCOPE_APP, "user:z"},
        {"temp:app:z", AGENTCHAT_SCOPE_TEMP, "app:z"},
        {"app:", AGENTCHAT_SCOPE_APP, ""},
        {"", AGENTCHAT_SCOPE_SESSION, ""},
        {"app", AGENTCHAT_SCOPE_SESSION, "app"},
        {"App:a", AGENTCHAT_SCOPE_SESSION, "App:a"},
        {"User:a", AGENTCHAT_SCOPE_SESSION, "User:a"},
        {" app:a", AGENTCHAT_SCOPE_SESSION, " app:a"},
        {"apps:a", AGENTCHAT_SCOPE_SESSION, "apps:a"},
        {"foo:bar", AGENTCHAT_SCOPE_SESSION, "foo:bar"},
        {":a", AGENTCHAT_SCOPE_SESSION, ":a"},
        {"session:a", AGENTCHAT_SCOPE_SESSION, "session:a"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *rest = NULL;

        assert_int_equal(agentchat_key_scope(cases[i].key, &rest), cases[i].scope);
        assert_string_equal(rest, cases[i].rest);
        assert_int_equal(agentchat_key_scope(cases[i].key, NULL), cases[i].scope);
    }
}

static void test_state_key__null_has_no_prefix(void **state)
{
    const char *rest = "something";

    (void)state;
    assert_int_equal(agentchat_key_scope(NULL, &rest), AGENTCHAT_SCOPE_SESSION);
    assert_null(rest);
    assert_int_equal(agentchat_key_scope(NULL, NULL), AGENTCHAT_SCOPE_SESSION);
}

/* A key that ends in the middle of a prefix must not be read beyond its end. */
static void test_state_key__looks_at_its_own_bytes_only(void **state)
{
    char *exact = malloc(3);

    (void)state;
    assert_non_null(exact);
    memcpy(exact, "use", 3);
    assert_int_equal(aci_key_scope((agentchat_str){exact, 3}, NULL), AGENTCHAT_SCOPE_SESSION);
    free(exact);
}

static void test_state_key__takes_what_is_not_forbidden(void **state)
{
    static const char *const keys[] = {"a",
                                       " ",
                                       "a b",
                                       "a/b",
                                       "a\\b",
                                       "..",
                                       "a\nb",
                                       "{a}",
                                       "\"",
                                       "\x7F",
                                       "user:a.b",
                                       "app:user:",
                                       "\xC3\xBC",
                                       "\xF0\x9F\x98\x80",
                                       "\xEF\xBF\xBF",
                                       "\xED\x9F\xBF",
                                       "temp: "};
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        test_ok(agentchat_key_check(keys[i], &err), &err);
    test_ok(agentchat_key_check(long_key("", LONGEST), &err), &err);
    test_ok(agentchat_key_check(long_key("app:", LONGEST), &err), &err);
}

static void test_state_key__refuses_by_name(void **state)
{
    static const struct {
        const char *key;
        size_t len;
        const char *message;
    } cases[] = {
        {"", 0, "the key must not be empty"},
        {NULL, 0, "the key must not be empty"},
        {"app:", 4, "the key \"app:\" has nothing after its prefix"},
        {"user:", 5, "the key \"user:\" has nothing after its prefix"},
        {"temp:", 5, "the key \"temp:\" has nothing after its prefix"},
        {"a\0b", 3, "the key \"a\\u0000b\" has a NUL in it"},
        {"a\xFF", 2, "the key \"a\\xff\" is not UTF-8"},
        {"\xC0\x80", 2, "is not UTF-8"},
        {"\xE2\x82", 2, "is not UTF-8"},
        {"x\xED\xA0\x80", 4, "the key \"x\\ud800\" has a surrogate in it, which is no character"},
        {"\xED\xBF\xBF", 3, "the key \"\\udfff\" has a surrogate in it"},
        {"\xF4\x90\x80\x80", 4, "is not UTF-8"},
    };
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_error_clear(&err);
        test_fails(aci_key_check((agentchat_str){cases[i].key, cases[i].len}, &err), &err, AGENTCHAT_E_INVALID, "",
                   cases[i].message);
        if (cases[i].key != NULL && strlen(cases[i].key) == cases[i].len)
            test_fails(agentchat_key_check(cases[i].key, &err), &err, AGENTCHAT_E_INVALID, "", cases[i].message);
    }
    test_fails(agentchat_key_check(NULL, &err), &err, AGENTCHAT_E_INVALID, "", "key must not be NULL");
    test_fails(agentchat_key_check(long_key("", LONGEST + 1), &err), &err, AGENTCHAT_E_INVALID, "",
               "\xE2\x80\xA6\" has 513 bytes, but at most 512 are allowed");
    test_fails(agentchat_key_check(long_key("app:", LONGEST + 1), &err), &err, AGENTCHAT_E_INVALID, "",
               "the key \"app:kkk");
    assert_int_equal(agentchat_key_check(long_key("", LONGEST + 1), NULL), AGENTCHAT_E_INVALID);
}

/* What is shown of a key is safe on a terminal. */
static void test_state_key__shows_keys_escaped(void **state)
{
    agentchat_error err;

    (void)state;
    test_fails(agentchat_key_check("\x1B[31m\xE2\x80\xAE\xFF", &err), &err, AGENTCHAT_E_INVALID, "",
               "the key \"\\u001b[31m\\u202e\\xff\" is not UTF-8");
}

static void test_state_key__labels_have_no_prefixes(void **state)
{
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_label_check(AGENTCHAT_STR("app:"), "session id", &err), &err);
    test_fails(aci_label_check(AGENTCHAT_STR(""), "session id", &err), &err, AGENTCHAT_E_INVALID, "",
               "the session id must not be empty");
    agentchat_error_clear(&err);
    test_fails(aci_label_check(agentchat_str_from(long_key("", LONGEST + 2)), "application", &err), &err,
               AGENTCHAT_E_INVALID, "", "the application \"kkk");
}

/* aci_ calls keep the first failure, the public one begins anew. */
static void test_state_key__keeps_the_first_failure(void **state)
{
    agentchat_error err;

    (void)state;
    (void)agentchat_error_set(&err, AGENTCHAT_E_IO, "first");
    assert_int_equal(aci_key_check(AGENTCHAT_STR(""), &err), AGENTCHAT_E_INVALID);
    assert_string_equal(err.message, "first");
    assert_int_equal(agentchat_key_check("", &err), AGENTCHAT_E_INVALID);
    assert_string_equal(err.message, "the key must not be empty");
    test_ok(agentchat_key_check("k", &err), &err);
    assert_int_equal(err.code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_key__scopes),
        cmocka_unit_test(test_state_key__null_has_no_prefix),
        cmocka_unit_test(test_state_key__looks_at_its_own_bytes_only),
        cmocka_unit_test(test_state_key__takes_what_is_not_forbidden),
        cmocka_unit_test(test_state_key__refuses_by_name),
        cmocka_unit_test(test_state_key__shows_keys_escaped),
        cmocka_unit_test(test_state_key__labels_have_no_prefixes),
        cmocka_unit_test(test_state_key__keeps_the_first_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
