/* SPDX-License-Identifier: Apache-2.0 */
/* URLs of stores: every form, and every mistake by its name. */
#include "support/test_support.h"

#include "store/url.h"

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
        {"sqlite:///tmp/x.db", ACI_STORE_SQLITE, "///tmp/x.db", -1},
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
        test_ok(aci_store_url_parse(cases[i].url, &url, &err), &err);
        assert_int_equal(url.backend, cases[i].backend);
        assert_int_equal(url.file.len, strlen(cases[i].file));
        if (url.file.len > 0)
            assert_memory_equal(url.file.ptr, cases[i].file, url.file.len);
        assert_int_equal(url.has_durability, cases[i].durability >= 0);
        if (url.has_durability)
            assert_int_equal(url.durability, cases[i].durability);
    }
}

static void test_store_url__what_is_wrong_is_named(void **state)
{
    static const struct {
        const char *url, *message;
    } cases[] = {
        {NULL, "must not be NULL"},
        {"", "has no scheme"},
        {"store.db", "has no scheme"},
        {"/var/lib/store.db", "has no scheme"},
        {"Sqlite:x", "the scheme \"Sqlite:\" of the store's URL is unknown"},
        {"mysql://u:secret@h/d", "the scheme \"mysql:\" of the store's URL is unknown"},
        {"git+ssh-2.0:x", "the scheme \"git+ssh-2.0:\" of the store's URL is unknown"},
        {"my\x1b[31m\xC3\xA9:x", "has no scheme"},
        {"2my:x", "has no scheme"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:",
         "the scheme \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...:\""},
        {":", "has no scheme"},
        {"password=secret host=::1", "has no scheme"}, /* libpq takes these two, but they are no URLs */
        {"host=db user=me password=secret:x", "has no scheme"},
        {"me/secret@db:5432", "has no scheme"},
        {"memory", "has no scheme"},
        {"memory:x", "nothing may stand behind \"memory:\""},
        {"memory:?synchronous=full", "nothing may stand behind \"memory:\""},
        {"sqlite:", "names no file"},
        {"sqlite:?synchronous=full", "names no file"},
        {"sqlite::memory:", "the URL of a store in memory is \"memory:\""},
        {"sqlite:x?", "the option \"\" of the store's URL is unknown"},
        {"sqlite:x?\x1b[31m\xC3\xA9=1", "the option \"?[31m\?\?\" of the store's URL is unknown"},
        {"sqlite:x?mode=ro", "the option \"mode\" of the store's URL is unknown (there is: synchronous)"},
        {"sqlite:x?synchronous", "the option \"synchronous\" of the store's URL is \"\", not full or normal"},
        {"sqlite:x?synchronous=", "the option \"synchronous\" of the store's URL is \"\", not full or normal"},
        {"sqlite:x?synchronous=off", "is \"off\", not full or normal"},
        {"sqlite:x?synchronous=FULL", "is \"FULL\", not full or normal"},
        {"sqlite:x?synchronous=full=normal", "is \"full=normal\", not full or normal"},
        {"sqlite:x?synchronous=full&synchronous=full", "stands twice"},
        {"sqlite:x?synchronous=full&", "the option \"\" of the store's URL is unknown"},
        {"sqlite:x?synchronous=full&cache=shared", "the option \"cache\" of the store's URL is unknown"},
        {"postgresql:", "needs two slashes"},
        {"postgres:/u:secret@h", "needs two slashes"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aci_store_url url;
        agentchat_error err;

        agentchat_error_clear(&err);
        test_fails(aci_store_url_parse(cases[i].url, &url, &err), &err, AGENTCHAT_E_INVALID, NULL, cases[i].message);
        assert_null(strstr(err.message, "secret")); /* a password is nobody's business */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_url__what_is_understood),
        cmocka_unit_test(test_store_url__what_is_wrong_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
