/* SPDX-License-Identifier: Apache-2.0 */
/* URLs of stores: every form, and every mistake by its name. */
#include "support/test_support.h"

#include "store/open/url.h"

#include <stdio.h>

static void test_store_url__what_is_understood(void **state)
{
    static const struct {
        const char *url;
        aci_store_backend backend;
        const char *file;
        int durability; /* -1: not said */
    } cases[] = {
        {"memory:", ACI_STORE_MEMORY, "", -1},
        {"sqlite:store.db", ACI_STORE_SQLITE, "store.db", -1},
        {"sqlite:/var/lib/a b/%20#.db", ACI_STORE_SQLITE, "/var/lib/a b/%20#.db", -1},
        {"sqlite:/tmp/x.db", ACI_STORE_SQLITE, "/tmp/x.db", -1},
        {"store.db", ACI_STORE_SQLITE, "store.db", -1},
        {"/var/lib/store?.db", ACI_STORE_SQLITE, "/var/lib/store?.db", -1},
        {"sqlite:a:b&c=d", ACI_STORE_SQLITE, "a:b&c=d", -1},
        {"sqlite:x?synchronous=normal", ACI_STORE_SQLITE, "x", AGENTCHAT_DURABILITY_NORMAL},
        {"sqlite:x?synchronous=full", ACI_STORE_SQLITE, "x", AGENTCHAT_DURABILITY_FULL},
        {"postgresql://", ACI_STORE_POSTGRES, "", -1},
        {"postgresql://u:p@h:5432/d?sslmode=require", ACI_STORE_POSTGRES, "", -1},
        {"postgres://h/d", ACI_STORE_POSTGRES, "", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aci_store_url url;
        agentchat_error err;

        agentchat_error_clear(&err);
        test_ok(aci_url_parse(cases[i].url, &url, &err), &err);
        assert_int_equal(url.backend, cases[i].backend);
        assert_int_equal(url.file.len, strlen(cases[i].file));
        if (url.file.len > 0)
            assert_memory_equal(url.file.ptr, cases[i].file, url.file.len);
        assert_int_equal(url.has_durability, cases[i].durability >= 0);
        if (url.has_durability)
            assert_int_equal(url.durability, cases[i].durability);
    }
}

/* The option that says how long to wait is ours; libpq gets the URL without it. */
static void test_store_url__how_long_to_wait(void **state)
{
    static const struct {
        const char *url, *for_libpq; /* NULL: it is none of libpq's */
        bool has_wait;
        uint32_t wait_ms;
    } cases[] = {
        {"sqlite:x?wait_ms=5000", NULL, true, 5000},
        {"sqlite:x?synchronous=normal&wait_ms=0", NULL, true, 1},
        {"sqlite:x?wait_ms=4294967295&synchronous=full", NULL, true, UINT32_MAX},
        {"sqlite:x?synchronous=full", NULL, false, 0},
        {"postgresql://h/d", "postgresql://h/d", false, 0},
        {"postgresql://h/d?wait_ms=5000", "postgresql://h/d", true, 5000},
        {"postgres://?wait_ms=7", "postgres://", true, 7},
        {"postgresql://h/d?wait_ms=1&sslmode=require", "postgresql://h/d?sslmode=require", true, 1},
        {"postgresql://h/d?user=u&wait_ms=1&sslmode=require", "postgresql://h/d?user=u&sslmode=require", true, 1},
        {"postgresql://h/d?sslmode=require&wait_ms=20", "postgresql://h/d?sslmode=require", true, 20},
        {"postgresql://u:p?wait_ms=9@h/d", "postgresql://u:p?wait_ms=9@h/d", false, 0}, /* a part of the password */
        {"postgresql://u:p?wait_ms=9@h/d?wait_ms=8", "postgresql://u:p?wait_ms=9@h/d", true, 8},
        {"postgresql://h/d?my_wait_ms=9", "postgresql://h/d?my_wait_ms=9", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *url = cases[i].url;
        aci_store_url parsed;
        agentchat_error err;
        char rest[128];

        agentchat_error_clear(&err);
        test_ok(aci_url_parse(url, &parsed, &err), &err);
        assert_int_equal(parsed.has_wait, cases[i].has_wait);
        assert_int_equal(parsed.wait_ms, cases[i].wait_ms);
        if (cases[i].for_libpq == NULL)
            continue;
        snprintf(rest, sizeof rest, "%.*s%s", (int)parsed.wait_at, url, url + parsed.wait_at + parsed.wait_len);
        assert_string_equal(rest, cases[i].for_libpq);
    }
}

static void test_store_url__what_is_wrong_is_named(void **state)
{
    static const struct {
        const char *url, *message;
    } cases[] = {
        {NULL, "must not be NULL"},
        {"", "name is empty"},
        {"sqlite://store.db",
         "no slashes stand between \"sqlite:\" and the file in a store's URL: sqlite:store.db, or"},
        {"sqlite:///store.db?wait_ms=1", "in a store's URL: sqlite:store.db, or sqlite:/... for a path from the root"},
        {"a=b.db", "needs sqlite: before it"},
        {"Sqlite:x", "the scheme \"Sqlite:\" of the store's URL is unknown"},
        {"mysql://u:secret@h/d", "the scheme \"mysql:\" of the store's URL is unknown"},
        {"git+ssh-2.0:x", "the scheme \"git+ssh-2.0:\" of the store's URL is unknown"},
        {"my\x1b[31m\xC3\xA9:x", "has no scheme"},
        {"2my:x", "has no scheme"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:",
         "the scheme \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...:\""},
        {":", "has no scheme"},
        {"password=secret host=::1", "has no scheme"}, /* libpq accepts these two, but they are no URLs */
        {"host=db user=me password=secret:x", "has no scheme"},
        {"me/secret@db:5432", "has no scheme"},
        {"memory", "has no scheme"},
        {"memory:x", "nothing may follow \"memory:\""},
        {"memory:?synchronous=full", "nothing may follow \"memory:\""},
        {"sqlite:", "names no file"},
        {"sqlite:?synchronous=full", "names no file"},
        {"sqlite::memory:", "the URL of a store in memory is \"memory:\""},
        {"sqlite:x?", "the option \"\" of the store's URL is unknown"},
        {"sqlite:x?\x1b[31m\xC3\xA9=1", "the option \"?[31m\?\?\" of the store's URL is unknown"},
        {"sqlite:x?mode=ro", "the option \"mode\" of the store's URL is unknown (there are: synchronous, wait_ms)"},
        {"sqlite:x?synchronous", "the option \"synchronous\" of the store's URL is \"\", not full or normal"},
        {"sqlite:x?synchronous=", "the option \"synchronous\" of the store's URL is \"\", not full or normal"},
        {"sqlite:x?synchronous=off", "is \"off\", not full or normal"},
        {"sqlite:x?synchronous=FULL", "is \"FULL\", not full or normal"},
        {"sqlite:x?synchronous=full=normal", "is \"full=normal\", not full or normal"},
        {"sqlite:x?synchronous=full&synchronous=full", "stands twice"},
        {"sqlite:x?synchronous=full&", "the option \"\" of the store's URL is unknown"},
        {"sqlite:x?synchronous=full&cache=shared", "the option \"cache\" of the store's URL is unknown"},
        {"sqlite:x?wait_ms", "the option \"wait_ms\" of the store's URL is no number of milliseconds"},
        {"sqlite:x?wait_ms=", "is no number of milliseconds"},
        {"sqlite:x?wait_ms=-1", "is no number of milliseconds"},
        {"sqlite:x?wait_ms=1s", "is no number of milliseconds"},
        {"sqlite:x?wait_ms=0.5", "is no number of milliseconds"},
        {"sqlite:x?wait_ms=4294967296", "is no number of milliseconds (0 to 4294967295)"},
        {"sqlite:x?wait_ms=99999999999999999999999999", "is no number of milliseconds"},
        {"sqlite:x?wait_ms=1&synchronous=full&wait_ms=1", "\"wait_ms\" stands twice"},
        {"postgresql://u:secret@h/d?wait_ms=soon", "is no number of milliseconds"},
        {"postgresql://u:a/b?wait_ms=secret@h", "is no number of milliseconds"},
        {"postgresql://h/d?wait_ms=1&sslmode=require&wait_ms=2", "\"wait_ms\" stands twice"},
        {"postgresql:", "needs two slashes"},
        {"postgres:/u:secret@h", "needs two slashes"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aci_store_url url;
        agentchat_error err;

        agentchat_error_clear(&err);
        test_fails(aci_url_parse(cases[i].url, &url, &err), &err, AGENTCHAT_E_INVALID, NULL, cases[i].message);
        assert_null(strstr(err.message, "secret")); /* a password is nobody's business */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_url__what_is_understood),
        cmocka_unit_test(test_store_url__how_long_to_wait),
        cmocka_unit_test(test_store_url__what_is_wrong_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
