/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and making stores by their URLs, and SQLite's by the name of the file. */
#include "support/test_support.h"

#include "store/core/sql.h"
#if defined(AGENTCHAT_WITH_SQLITE)
#include "store/sqlite/driver.h"
#endif

#include <agentchat/sqlite.h>
#include <agentchat/store.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct scene {
    char *dir, *path, url[4096];
} scene;

static int set_up(void **state)
{
    scene *p = calloc(1, sizeof *p);

    assert_non_null(p);
    p->dir = test_dir_make();
    p->path = test_path(p->dir, "store.db");
    snprintf(p->url, sizeof p->url, "sqlite:%s", p->path);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    scene *p = *state;

    test_dir_remove(p->dir);
    free(p->path);
    free(p);
    return 0;
}

static bool exists(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0;
}

/* A new user's first guess must not make a file in the root, or one whose name is a URL. */
static void test_store_open__a_file_is_no_url(void **state)
{
    static const char *const urls[] = {"sqlite:x.db", "memory:", "file:x.db", "postgresql://h/d", "sqlite:///x.db"};
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_store_open(NULL, "sqlite:///x.db", NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "sqlite:x.db, or sqlite:/...");
    assert_false(exists("/x.db"));
#if defined(AGENTCHAT_WITH_SQLITE)
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        test_fails(agentchat_sqlite_open(NULL, urls[i], NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
                   "not a URL: agentchat_store_open() takes both");
#else
    (void)urls;
#endif
}

static void test_store_open__urls_are_checked_first(void **state)
{
    agentchat_store *store = (agentchat_store *)state;
    agentchat_error err;

    test_fails(agentchat_store_open(NULL, "mysql://h", NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL, "mysql");
    assert_null(store);
    test_fails(agentchat_store_open(NULL, "memory:", NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, NULL, "out");
    test_fails(agentchat_store_init(NULL, "x=y", NULL, &err), &err, AGENTCHAT_E_INVALID, NULL, "has no scheme");
    assert_int_equal(agentchat_store_open(NULL, NULL, NULL, &store, NULL), AGENTCHAT_E_INVALID);
}

#if !defined(AGENTCHAT_WITH_POSTGRES)
static void test_store_open__a_backend_that_was_not_built(void **state)
{
    agentchat_store *store = (agentchat_store *)state;
    agentchat_error err;

    test_fails(agentchat_store_open(NULL, "postgresql://u:secret@h/d", NULL, &store, &err), &err,
               AGENTCHAT_E_UNSUPPORTED, NULL, "this library was built without PostgreSQL");
    assert_null(store);
    test_fails(agentchat_store_init(NULL, "postgres://h", NULL, &err), &err, AGENTCHAT_E_UNSUPPORTED, NULL,
               "without PostgreSQL");
}
#endif

#if defined(AGENTCHAT_WITH_SQLITE)
static void test_store_open__in_memory(void **state)
{
    agentchat_store *store = NULL;
    agentchat_error err;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;

    (void)state;
    test_ok(agentchat_store_open(NULL, "memory:", NULL, &store, &err), &err);
    assert_string_equal(agentchat_store_backend(store), "sqlite");
    agentchat_store_close(store);
    test_ok(agentchat_store_init(NULL, "memory:", NULL, &err), &err);
    options.read_only = true;
    test_fails(agentchat_store_open(NULL, "memory:", &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "cannot be read only");
    assert_null(store);
}

static void test_store_open__makes_a_file(void **state)
{
    scene *p = *state;
    agentchat_store *store = NULL, *second = NULL;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_error err;

    options.read_only = true;
    test_fails(agentchat_store_open(NULL, p->url, &options, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL,
               "there is no such file");
    assert_int_equal(err.native, ENOENT);
    assert_non_null(strstr(err.source, "store.db"));
    assert_false(exists(p->path));
    test_ok(agentchat_store_open(NULL, p->url, NULL, &store, &err), &err);
    test_ok(agentchat_store_open(NULL, p->url, &options, &second, &err), &err);
    agentchat_store_close(second);
    agentchat_store_close(store);
    test_ok(agentchat_sqlite_open(NULL, p->path, &options, &store, &err), &err);
    agentchat_store_close(store);
    test_ok(agentchat_store_init(NULL, p->url, NULL, &err), &err);
    test_fails(agentchat_store_init(NULL, p->url, &options, &err), &err, AGENTCHAT_E_INVALID, NULL, "read only");
}

static void test_store_open__an_empty_file_is_not_a_store_to_read(void **state)
{
    scene *p = *state;
    agentchat_store *store = NULL;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_error err;
    size_t len;

    test_file_write(p->path, "", 0);
    options.read_only = true;
    test_fails(agentchat_store_open(NULL, p->url, &options, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL,
               "there is no store here");
    assert_non_null(strstr(err.source, "store.db"));
    free(test_file_read(p->path, &len));
    assert_int_equal(len, 0);
    test_ok(agentchat_store_init(NULL, p->url, NULL, &err), &err);
    test_ok(agentchat_store_open(NULL, p->url, &options, &store, &err), &err);
    agentchat_store_close(store);
}

static void test_store_open__a_foreign_file_is_refused(void **state)
{
    scene *p = *state;
    agentchat_store *store = NULL;
    agentchat_error err;

    test_file_write(p->path,
                    "This is a text of more than a hundred bytes, which is what the header of a database has, "
                    "but no database.\n",
                    106);
    test_fails(agentchat_store_open(NULL, p->url, NULL, &store, &err), &err, AGENTCHAT_E_CORRUPT, NULL,
               "no SQLite database");
    assert_null(store);
}

static void test_store_open__options_are_checked(void **state)
{
    struct {
        agentchat_store_options known;
        uint64_t later;
    } newer = {AGENTCHAT_STORE_OPTIONS_INIT, 0};
    scene *p = *state;
    agentchat_store *store = NULL;
    agentchat_store_options options = {0}, shorter = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_error err;

    test_fails(agentchat_sqlite_open(NULL, p->path, &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "struct_size");
    test_fails(agentchat_store_open(NULL, p->url, &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "struct_size");
    test_fails(agentchat_store_init(NULL, p->url, &options, &err), &err, AGENTCHAT_E_INVALID, NULL, "struct_size");
    newer.known.struct_size = sizeof newer;
    test_ok(agentchat_store_open(NULL, p->url, &newer.known, &store, &err), &err);
    agentchat_store_close(store);
    newer.later = 1;
    test_fails(agentchat_store_open(NULL, p->url, &newer.known, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "lacks");
    test_fails(agentchat_sqlite_open(NULL, p->path, &newer.known, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "lacks");
    shorter.struct_size = offsetof(agentchat_store_options, durability);
    shorter.durability = (agentchat_durability)77; /* after the end of the struct */
    test_ok(agentchat_store_open(NULL, p->url, &shorter, &store, &err), &err);
    agentchat_store_close(store);
    shorter.struct_size = sizeof shorter;
    test_fails(agentchat_store_open(NULL, p->url, &shorter, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "durability 77");
    test_fails(agentchat_sqlite_open(NULL, "", NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL, "empty");
    test_fails(agentchat_sqlite_open(NULL, p->path, NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, NULL, "out");
    assert_null(store);
}

static void test_store_open__the_url_decides_on_durability(void **state)
{
    scene *p = *state;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;
    char url[4200];

    /* What it sets is seen in unit.sqlite_files; here, that it gets through. */
    snprintf(url, sizeof url, "%s?synchronous=normal", p->url);
    test_ok(agentchat_store_open(NULL, url, NULL, &store, &err), &err);
    assert_int_equal(((const aci_sqlite_database *)store->self)->durability, AGENTCHAT_DURABILITY_NORMAL);
    agentchat_store_close(store);
    assert_true(exists(p->path));
    options.durability = AGENTCHAT_DURABILITY_NORMAL;
    snprintf(url, sizeof url, "%s?synchronous=full", p->url);
    test_ok(agentchat_store_open(NULL, url, &options, &store, &err), &err);
    assert_int_equal(((const aci_sqlite_database *)store->self)->durability, AGENTCHAT_DURABILITY_FULL);
    agentchat_store_close(store);
    test_ok(agentchat_store_open(NULL, p->url, &options, &store, &err), &err);
    assert_int_equal(((const aci_sqlite_database *)store->self)->durability, AGENTCHAT_DURABILITY_NORMAL);
    agentchat_store_close(store);
    snprintf(url, sizeof url, "%s?synchronous=sometimes", p->url);
    test_fails(agentchat_store_open(NULL, url, NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL, "sometimes");
}

static void test_store_open__the_url_decides_on_waiting(void **state)
{
    scene *p = *state;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;
    char url[4200];

    options.wait_ms = 7000;
    snprintf(url, sizeof url, "%s?wait_ms=250", p->url);
    test_ok(agentchat_store_open(NULL, url, &options, &store, &err), &err);
    assert_int_equal(store->wait_ms, 250);
    assert_int_equal(((const aci_sqlite_database *)store->self)->wait_ms, 250);
    agentchat_store_close(store);
    test_ok(agentchat_store_open(NULL, p->url, &options, &store, &err), &err);
    assert_int_equal(store->wait_ms, 7000);
    agentchat_store_close(store);
}

static agentchat_status open_url(const agentchat_env *env, void *user, agentchat_error *err)
{
    const scene *p = user;
    agentchat_store *store = NULL;
    agentchat_status status = agentchat_store_open(env, p->url, NULL, &store, err);

    agentchat_store_close(store);
    return status < 0 ? status : agentchat_store_init(env, p->url, NULL, err);
}

static void test_store_open__without_memory(void **state)
{
    assert_true(test_oom_sweep(open_url, *state) > 5);
}
#endif

#define ON_SCENE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_open__a_file_is_no_url),
        cmocka_unit_test(test_store_open__urls_are_checked_first),
#if !defined(AGENTCHAT_WITH_POSTGRES)
        cmocka_unit_test(test_store_open__a_backend_that_was_not_built),
#endif
#if defined(AGENTCHAT_WITH_SQLITE)
        cmocka_unit_test(test_store_open__in_memory),
        ON_SCENE(test_store_open__makes_a_file),
        ON_SCENE(test_store_open__an_empty_file_is_not_a_store_to_read),
        ON_SCENE(test_store_open__a_foreign_file_is_refused),
        ON_SCENE(test_store_open__options_are_checked),
        ON_SCENE(test_store_open__the_url_decides_on_durability),
        ON_SCENE(test_store_open__the_url_decides_on_waiting),
        ON_SCENE(test_store_open__without_memory),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
