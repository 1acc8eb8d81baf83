/* SPDX-License-Identifier: Apache-2.0 */
/* Connection strings: what is refused before anything is connected to, and that no part of a password shows. */
#include "postgres_support.h"

#include <stdio.h>

/* Each has "hush" somewhere in its password, or where a password got to because it was not escaped. */
static const char *const wrong[] = {
    "postgresql://user:pa/hush@host/db",
    "postgresql://user:12/hush@host/db",
    "postgresql://user:p@hush@host/db",
    "postgresql://user:p@ss:hush@host/db",
    "postgresql://user:p?a@hush@host/db",
    "postgresql://user:p?a@b/hush@host/db",
    "postgresql://us/er:hush@host/db",
    "postgresql://user:hush%zz@host/db",
    "postgresql://user:hush%00@host/db",
    "postgresql://user:hu sh@host/db?hush",
    "postgresql://user:pw@host:hush/db",
    "postgresql://user:pw@host/db?hush=1",
    "postgresql://user:pw@host/db?port=hush",
    "postgresql://user:pw@[::1hush/db",
    "postgres://user:p@hush@host/db",
    "host=h password=pw hush",
    "host=h pasword=hush",
    "host=h password='hush",
    "host=h port=hush",
    "hush",
};

static const char *const right[] = {
    "",
    "postgresql://",
    "postgresql:///db?host=/tmp/x",
    "postgres://user:p%40ss%2Fw%3Fhush@host:5433/db?sslmode=require",
    "postgresql://user@[::1]:5432/db",
    "postgresql://user:p?w=1@host/db?application_name=a@b", /* a '?' is a part of the password here */
    "postgresql://a:1,b:2,c/db?target_session_attrs=any",
    "postgresql:///db?password=a@b&host=%40abstract",
    "host=h dbname=d password=a@b/c?d port=5432",
    "host=a,b port=1,2",
};

static void test_url__a_wrong_one_is_refused_without_a_word_of_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        agentchat_store *store = (agentchat_store *)&store;
        agentchat_error err;

        agentchat_error_clear(&err);
        if (aci_postgres_check_url(wrong[i], &err) != AGENTCHAT_E_INVALID)
            fail_msg("%s is let through", wrong[i]);
        assert_null(strstr(err.message, "hush"));
        test_fails(agentchat_postgres_open(NULL, wrong[i], NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
                   "the connection string is not one that libpq accepts");
        assert_null(store);
        assert_string_equal(err.source, "");
    }
}

static void test_url__a_right_one_is_let_through(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        agentchat_error err;

        agentchat_error_clear(&err);
        if (aci_postgres_check_url(right[i], &err) < 0)
            fail_msg("%s is refused: %s", right[i], err.message);
    }
}

static void test_url__what_is_kept_of_it_is_overwritten(void **state)
{
    char text[] = "postgresql://user:hush@host/db";

    (void)state;
    aci_postgres_wipe(text, sizeof text);
    for (size_t i = 0; i < sizeof text; i++)
        assert_int_equal(text[i], 0);
}

static void test_open__arguments_are_checked(void **state)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = (agentchat_store *)&options;
    struct {
        agentchat_store_options known;
        uint64_t more;
    } newer = {AGENTCHAT_STORE_OPTIONS_INIT, 1};
    union {
        agentchat_store_options known;
        unsigned char bytes[4096 + 1];
    } largest = {AGENTCHAT_STORE_OPTIONS_INIT};
    agentchat_error err;

    (void)state;
    test_fails(agentchat_postgres_open(NULL, NULL, NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "url must not be NULL");
    assert_null(store);
    test_fails(agentchat_postgres_open(NULL, "host=x", NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "out must not be NULL");
    assert_int_equal(agentchat_postgres_open(NULL, "host=x port=y", NULL, &store, NULL), AGENTCHAT_E_INVALID);
    options.struct_size = 3;
    test_fails(agentchat_postgres_open(NULL, "host=x", &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "AGENTCHAT_STORE_OPTIONS_INIT");
    newer.known.struct_size = sizeof newer;
    test_fails(agentchat_postgres_open(NULL, "host=x", &newer.known, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "the options are not valid");
    largest.known.struct_size = sizeof largest.bytes;
    test_fails(agentchat_postgres_open(NULL, "host=x", &largest.known, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "the options are not valid");
    options = (agentchat_store_options)AGENTCHAT_STORE_OPTIONS_INIT;
    options.durability = (agentchat_durability)7;
    test_fails(agentchat_postgres_open(NULL, "host=x", &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "the options are not valid");
    options = (agentchat_store_options)AGENTCHAT_STORE_OPTIONS_INIT;
    options.read_only = true;
    test_fails(agentchat_postgres_init(NULL, "host=x", &options, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "tables cannot be made for reading only");
}

/* The message identifies the option without quoting any of it. */
static void test_url__an_unknown_option_is_reported_by_its_number(void **state)
{
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_fails(aci_postgres_check_url("postgresql://h/d?user=me&sslmod=require", &err), &err, AGENTCHAT_E_INVALID, NULL,
               "of what follows the \"?\", option number 2 is unknown");
    agentchat_error_clear(&err);
    test_fails(aci_postgres_check_url("postgresql://u:p?a=b@h/d?hush=1", &err), &err, AGENTCHAT_E_INVALID, NULL,
               "option number 1 is unknown");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_url__an_unknown_option_is_reported_by_its_number),
        cmocka_unit_test(test_url__a_wrong_one_is_refused_without_a_word_of_it),
        cmocka_unit_test(test_url__a_right_one_is_let_through),
        cmocka_unit_test(test_url__what_is_kept_of_it_is_overwritten),
        cmocka_unit_test(test_open__arguments_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
