/* SPDX-License-Identifier: Apache-2.0 */
/* What the schema holds, and making the tables: once, by one of many, or not at all. */
#include "postgres_support.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char script[] =
    "CREATE TABLE store(format BIGINT NOT NULL, reader BIGINT NOT NULL, writer BIGINT NOT NULL);\n"
    "CREATE TABLE thing(app TEXT COLLATE \"C\" PRIMARY KEY);\n"
    "INSERT INTO thing VALUES('a\\b'); INSERT INTO store(format, reader, writer) VALUES(1, 1, 1);\n";

static char *database;

typedef struct scene {
    aci_postgres_connection *c;
    aci_sql_version version;
    aci_sql_outcome outcome;
    agentchat_error err;
} scene;

static int set_up(void **state)
{
    scene *s = calloc(1, sizeof *s);

    test_postgres_run(database, "DROP SCHEMA IF EXISTS agentchat CASCADE");
    s->c = pg_open(database, 10000);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    scene *s = *state;

    pg_close(s->c);
    free(s);
    return 0;
}

static agentchat_status ask_version(scene *s)
{
    aci_sql_versions versions = {.store = {9, 9, 9}};
    agentchat_status status;

    agentchat_error_clear(&s->err);
    status = aci_postgres_driver.version(s->c, &versions, &s->outcome, &s->err);
    s->version = versions.store;
    return status;
}

static agentchat_status install(scene *s, uint32_t from, const char *text)
{
    aci_sql_step step = {-1, from, text};

    agentchat_error_clear(&s->err);
    return aci_postgres_driver.install(s->c, &step, &s->outcome, &s->err);
}

static void assert_version(scene *s, uint32_t format, uint32_t reader, uint32_t writer)
{
    test_ok(ask_version(s), &s->err);
    assert_int_equal(s->version.format, format);
    assert_int_equal(s->version.reader, reader);
    assert_int_equal(s->version.writer, writer);
    assert_true(aci_postgres_driver.is_alive(s->c));
}

static void test_version__of_a_database_without_ours_is_none(void **state)
{
    scene *s = *state;

    assert_version(s, 0, 0, 0);
}

static void test_version__of_a_schema_that_was_made_for_us_is_none(void **state)
{
    scene *s = *state;

    test_postgres_run(database, "CREATE SCHEMA agentchat");
    assert_version(s, 0, 0, 0);
}

static void test_version__is_what_the_table_says(void **state)
{
    scene *s = *state;

    test_ok(install(s, 0, script), &s->err);
    assert_version(s, 1, 1, 1);
    test_postgres_run(database, "UPDATE agentchat.store SET format = 4294967295, reader = 2, writer = 3");
    assert_version(s, UINT32_MAX, 2, 3);
}

static void test_version__a_schema_of_others_is_refused(void **state)
{
    static const struct {
        const char *statements, *message;
    } cases[] = {
        {"CREATE TABLE agentchat.users(id INT)", "it has no table store"},
        {"CREATE VIEW agentchat.store AS SELECT 1 AS format, 1 AS reader, 1 AS writer", "it has no table store"},
        {"CREATE TABLE agentchat.store(id INT)", "its table store has other columns"},
        {"CREATE TABLE agentchat.store(format INT, reader INT, writer INT)", "its table store has to have one row"},
        {"CREATE TABLE agentchat.store AS SELECT 1 AS format, 1 AS reader, 1 AS writer FROM generate_series(1, 2)",
         "its table store has to have one row"},
        {"CREATE TABLE agentchat.store AS SELECT 0 AS format, 1 AS reader, 1 AS writer",
         "numbers that are no versions"},
        {"CREATE TABLE agentchat.store AS SELECT 1 AS format, -1 AS reader, 1 AS writer",
         "numbers that are no versions"},
        {"CREATE TABLE agentchat.store AS SELECT 1 AS format, NULL::bigint AS reader, 1 AS writer",
         "numbers that are no versions"},
        {"CREATE TABLE agentchat.store AS SELECT 1 AS format, 1 AS reader, 4294967296 AS writer",
         "numbers that are no versions"},
    };
    scene *s = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_postgres_run(database, "DROP SCHEMA IF EXISTS agentchat CASCADE; CREATE SCHEMA agentchat");
        test_postgres_run(database, cases[i].statements);
        test_fails(ask_version(s), &s->err, AGENTCHAT_E_SCHEMA, NULL, "the schema agentchat is not ours: ");
        assert_non_null(strstr(s->err.message, cases[i].message));
        assert_non_null(strstr(s->err.source, "/agentchat_"));
        assert_int_equal(s->outcome, ACI_SQL_FINAL);
        test_fails(install(s, 0, script), &s->err, AGENTCHAT_E_SCHEMA, NULL, cases[i].message);
        assert_true(aci_postgres_driver.is_alive(s->c));
    }
}

static void test_install__makes_schema_and_tables(void **state)
{
    scene *s = *state;

    test_ok(install(s, 0, script), &s->err);
    assert_true(aci_postgres_driver.is_alive(s->c));
    assert_int_equal(test_postgres_count(database, "SELECT count(*) FROM agentchat.thing WHERE app = E'a\\\\b'"), 1);
}

static void test_install__takes_a_schema_that_was_made_for_it(void **state)
{
    scene *s = *state;
    char *url = test_postgres_url_with(database, "modest", NULL);

    test_postgres_run(database,
                      "DO $$ BEGIN CREATE ROLE modest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;"
                      "CREATE SCHEMA agentchat AUTHORIZATION modest");
    pg_close(s->c);
    s->c = pg_open(url, 10000);
    test_ok(install(s, 0, script), &s->err);
    assert_version(s, 1, 1, 1);
    free(url);
}

static void test_install__does_nothing_when_another_layout_is_there_by_then(void **state)
{
    scene *s = *state;

    test_ok(install(s, 0, script), &s->err);
    test_ok(install(s, 0, "DROP TABLE thing"), &s->err);
    test_ok(install(s, 2, "DROP TABLE thing"), &s->err);
    assert_int_equal(test_postgres_count(database, "SELECT count(*) FROM agentchat.thing"), 1);
    test_ok(install(s, 1, "DROP TABLE thing; UPDATE store SET format = 2"), &s->err);
    assert_version(s, 2, 1, 1);
    assert_true(aci_postgres_driver.is_alive(s->c));
}

/* Who has read the number of the layout goes by it up to the end of his transaction. */
static void test_install__changes_no_layout_under_a_transaction(void **state)
{
    static const aci_sql_statement look = {1, 17, "SELECT format FROM store"};
    static const char change[] = "ALTER TABLE thing ADD COLUMN more TEXT; UPDATE store SET format = 2";
    scene *s = *state;
    aci_postgres_connection *writer = pg_open(database, 3000);
    rows got;

    test_ok(install(s, 0, script), &s->err);
    test_ok(pg_one(writer, ACI_SQL_BEGIN_WRITE, request_rows(&look, NULL, 0, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I1 |");
    pg_close(s->c);
    s->c = pg_open(database, 300);
    test_fails(install(s, 1, change), &s->err, AGENTCHAT_E_BUSY, NULL, "others held what is needed for too long");
    assert_version(s, 1, 1, 1);
    aci_postgres_driver.rollback(writer);
    test_ok(install(s, 1, change), &s->err);
    assert_version(s, 2, 1, 1);
    pg_close(writer);
}

static void test_install__leaves_nothing_when_it_fails(void **state)
{
    scene *s = *state;

    test_fails(install(s, 0, "CREATE TABLE store(format BIGINT); CREATE TABLE x(y BIGINT); SELECT 1 / 0"), &s->err,
               AGENTCHAT_E_IO, NULL, "division by zero");
    assert_int_equal(s->outcome, ACI_SQL_FINAL);
    assert_version(s, 0, 0, 0);
    assert_int_equal(test_postgres_count(database, "SELECT count(*) FROM pg_namespace WHERE nspname = 'agentchat'"), 0);
}

static void test_rights__what_is_missing_is_said(void **state)
{
    scene *s = *state;
    char *url = test_postgres_url_with(database, "modest", NULL);

    test_postgres_run(database,
                      "DO $$ BEGIN CREATE ROLE modest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
    pg_close(s->c);
    s->c = pg_open(url, 10000);
    test_fails(install(s, 0, script), &s->err, AGENTCHAT_E_IO, NULL, "permission denied for database ");
    assert_non_null(strstr(s->err.message, ": grant the user CREATE on the database, or have another make the tables"));
    assert_string_equal(s->err.sqlstate, "42501");
    assert_int_equal(s->outcome, ACI_SQL_FINAL);
    test_postgres_run(database,
                      "CREATE SCHEMA agentchat; CREATE TABLE agentchat.store AS SELECT 1 AS format, 1 AS reader, "
                      "1 AS writer");
    test_fails(ask_version(s), &s->err, AGENTCHAT_E_IO, NULL,
               "permission denied for schema agentchat: grant the user USAGE on schema agentchat and SELECT, INSERT, "
               "UPDATE, DELETE on its tables");
    test_postgres_run(database, "GRANT USAGE ON SCHEMA agentchat TO modest");
    test_fails(ask_version(s), &s->err, AGENTCHAT_E_IO, NULL,
               "permission denied for table store: grant the user USAGE");
    test_postgres_run(database, "GRANT SELECT ON agentchat.store TO modest");
    assert_version(s, 1, 1, 1);
    free(url);
}

static void test_install__waits_for_another_and_is_busy_when_that_takes_too_long(void **state)
{
    scene *s = *state;
    PGconn *other = PQconnectdb(database);

    pg_close(s->c);
    s->c = pg_open(database, 300);
    PQclear(PQexec(other, "SELECT pg_advisory_lock(7018969009060735073)"));
    test_fails(install(s, 0, script), &s->err, AGENTCHAT_E_BUSY, NULL, "others held what is needed for too long");
    assert_int_equal(s->outcome, ACI_SQL_TRANSIENT);
    assert_true(aci_postgres_driver.is_alive(s->c));
    PQfinish(other);
    test_ok(install(s, 0, script), &s->err);
}

/* Up to the script of the tables: the lock, and a look at an empty schema. */
#define LOCKED TEST_FAKE_SETTLED "query;done:BEGIN;columns:1;row:;done:SELECT 1;ready;"
#define FOUND LOCKED "query;columns:3;row:1,0,0;done:SELECT 1;ready;"

static void assert_install_lost(const char *server, aci_sql_outcome outcome)
{
    test_fake *fake = test_fake_new(server);
    scene s = {.c = pg_open(test_fake_url(fake), 3000)};
    int64_t begun = aci_postgres_now_ms();

    s.c->patience_ms = 400;
    test_fails(install(&s, 0, script), &s.err, AGENTCHAT_E_IO, NULL, "it said nothing for 400 ms");
    assert_int_equal(s.outcome, outcome);
    assert_in_range(aci_postgres_now_ms() - begun, 400, 20000);
    pg_close(s.c);
    test_fake_free(fake);
}

/* Making tables may take long; nothing else of it does. */
static void test_install__a_server_that_says_nothing_is_given_up(void **state)
{
    (void)state;
    assert_install_lost(TEST_FAKE_SETTLED "query;hang", ACI_SQL_TRANSIENT);
    assert_install_lost(LOCKED "query;hang", ACI_SQL_TRANSIENT);
    assert_install_lost(FOUND "query;pause:800;done:CREATE TABLE;ready;query;hang", ACI_SQL_UNCERTAIN);
}

static void test_install__by_many_processes_at_once_happens_once(void **state)
{
    enum { PROCESSES = 8 };
    scene *s = *state;
    pid_t children[PROCESSES];
    int gate[2];

    assert_int_equal(pipe(gate), 0);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            scene own = {.c = pg_open(database, 10000)};
            bool done;
            char byte;

            close(gate[1]);
            (void)!read(gate[0], &byte, 1); /* all begin when the parent closes it */
            done = install(&own, 0, script) >= 0 && ask_version(&own) >= 0 && own.version.format == 1;
            pg_close(own.c);
            _exit(done ? 0 : 1);
        }
    }
    close(gate[0]);
    test_postgres_await(database,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                        "AND application_name = 'agentchat'",
                        "9");
    close(gate[1]);
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;

        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_version(s, 1, 1, 1);
    assert_int_equal(test_postgres_count(database, "SELECT count(*) FROM agentchat.thing"), 1);
}

/* The public function, as far as it goes without tables of the real layout. */
static void test_open__says_what_is_not_there(void **state)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_postgres_open(NULL, database, NULL, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, NULL);
    assert_null(store);
    assert_non_null(strstr(err.source, "/agentchat_"));
    test_postgres_run(database,
                      "CREATE SCHEMA agentchat; CREATE TABLE agentchat.store AS SELECT 7 AS format, 7 AS reader, "
                      "7 AS writer");
    test_fails(agentchat_postgres_open(NULL, database, NULL, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, NULL);
    assert_int_equal(err.native, 7);
    assert_non_null(strstr(err.source, "/agentchat_"));
}

static void test_open__of_what_was_initialised_succeeds(void **state)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_postgres_init(NULL, database, NULL, &err), &err);
    test_ok(agentchat_postgres_init(NULL, database, NULL, &err), &err);
    test_ok(agentchat_postgres_open(NULL, database, NULL, &store, &err), &err);
    assert_string_equal(agentchat_store_backend(store), "postgresql");
    agentchat_store_close(store);
    options.read_only = true;
    test_ok(agentchat_postgres_open(NULL, database, &options, &store, &err), &err);
    agentchat_store_close(store);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_version__of_a_database_without_ours_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_version__of_a_schema_that_was_made_for_us_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_version__is_what_the_table_says, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_version__a_schema_of_others_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_install__makes_schema_and_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_install__takes_a_schema_that_was_made_for_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_install__does_nothing_when_another_layout_is_there_by_then, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_install__changes_no_layout_under_a_transaction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_install__leaves_nothing_when_it_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rights__what_is_missing_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_install__waits_for_another_and_is_busy_when_that_takes_too_long, set_up,
                                        tear_down),
        cmocka_unit_test(test_install__a_server_that_says_nothing_is_given_up),
        cmocka_unit_test_setup_teardown(test_install__by_many_processes_at_once_happens_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_open__says_what_is_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_open__of_what_was_initialised_succeeds, set_up, tear_down),
    };

    test_postgres_begin("unit.postgres_layout");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
