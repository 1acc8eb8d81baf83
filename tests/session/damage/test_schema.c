/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files whose schema is not what the library makes: whatever differs may be code, so it is named, and nothing of the
 * file is used. What a newer version has added may stand there as long as it cannot be code.
 */
#include "session/damage/damage.h"

#include <stdio.h>

typedef struct change {
    const char *statements, *message;
} change;

#define EDIT(name, from, to)                                                                                           \
    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, '" from "', '" to "') WHERE name = '" name \
    "'"
#define PLANT(type, name, sql)                                                                                         \
    "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES('" type "', '" name "', '" name "', 0, '" sql "')"
/* A scan that takes for years, and an allocation of gigabytes. */
#define SLOW "instr(zeroblob(50000000), zeroblob(20000000) || x''01'')"
#define LARGE "replace(hex(zeroblob(240000000)), ''00'', ''\"a'')"

static const change changes[] = {
    /* what is missing */
    {"DROP TABLE event", "the table \"event\" is missing"},
    {"DROP TABLE state", "the table \"state\" is missing"},
    {"DROP TABLE scope", "the table \"scope\" is missing"},
    {"DROP TABLE session", "the table \"session\" is missing"},
    {"DROP TABLE store", "the table \"store\" is missing"},
    {"DROP TABLE service", "the table \"service\" is missing"},
    {"DROP INDEX event_time", "the index \"event_time\" is missing"},
    /* tables that are otherwise than they were made */
    {"ALTER TABLE state RENAME COLUMN rev TO revision", "the table \"state\" is not"},
    {"ALTER TABLE scope ADD COLUMN more TEXT", "the table \"scope\" is not"},
    {"ALTER TABLE session ADD COLUMN more TEXT DEFAULT ('x')", "the table \"session\" is not"},
    {"ALTER TABLE session ADD COLUMN more INTEGER AS (seq + 1) VIRTUAL", "the table \"session\" is not"},
    {"ALTER TABLE event ADD COLUMN more TEXT REFERENCES session(id)", "the table \"event\" is not"},
    {"ALTER TABLE event RENAME TO e; ALTER TABLE e RENAME TO Event", "\"Event\" belongs to no store"},
    {"ALTER TABLE event RENAME TO e; ALTER TABLE e RENAME TO event", "the table \"event\" is not"},
    {EDIT("event", " STRICT", ""), "the table \"event\" is not"},
    {EDIT("scope", ", WITHOUT ROWID", ""), "\"scope\" is not"},
    {EDIT("session", "app TEXT NOT NULL", "app TEXT NOT NULL COLLATE NOCASE"), "the table \"session\" is not"},
    {EDIT("session", "updated_us INTEGER NOT NULL", "updated_us INTEGER AS (" SLOW ") VIRTUAL"),
     "the table \"session\" is not"},
    {EDIT("event", "json TEXT NOT NULL", "json TEXT AS (" LARGE ") VIRTUAL"), "the table \"event\" is not"},
    {EDIT("event", "PRIMARY KEY", "CHECK(" SLOW " = 0), PRIMARY KEY"), "the table \"event\" is not"},
    {EDIT("store", "writer INTEGER NOT NULL", "writer INTEGER AS (" SLOW ") VIRTUAL"), "the table \"store\" is not"},
    {EDIT("state", "value TEXT NOT NULL", "value TEXT NOT NULL DEFAULT (" SLOW ")"), "the table \"state\" is not"},
    {EDIT("event_time", "time_ns)", "seq)"), "the index \"event_time\" is not"},
    {EDIT("event_id", "num, id)", "num, id) WHERE seq > 0"), "the index \"event_id\" is not"},
    {EDIT("event_time", "time_ns)", "time_ns + " SLOW ")"), "the index \"event_time\" is not"},
    /* views in their stead */
    {"ALTER TABLE event RENAME TO e; CREATE VIEW event AS SELECT * FROM e", "\"e\" belongs to no store"},
    {"DROP TABLE store; CREATE VIEW store AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)"
     " SELECT x AS format, x AS reader, x AS writer FROM n",
     "\"store\" is not"},
    {"DROP TABLE scope; CREATE VIEW scope AS SELECT '' AS app, '' AS usr, 1 AS rev", "the view \"scope\" is not"},
    /* what nobody has made */
    {"CREATE TABLE more(x)", "the table \"more\" belongs to no store"},
    {"CREATE TABLE \"a'\"\"b\x1b[1m;\"(x)", "the table \"a'\"b?[1m;\" belongs to no store"},
    {"CREATE TABLE more(id INTEGER PRIMARY KEY AUTOINCREMENT)", "belongs to no store"},
    {"CREATE INDEX more ON event(length(json))", "the index \"more\" belongs to no store"},
    {"CREATE INDEX more ON event(seq) WHERE seq > 1", "the index \"more\" belongs to no store"},
    {"CREATE INDEX more ON event(seq)", "the index \"more\" belongs to no store"},
    {"CREATE VIEW more AS SELECT 1", "the view \"more\" belongs to no store"},
    {"CREATE TRIGGER more AFTER INSERT ON event BEGIN DELETE FROM session; END",
     "the trigger \"more\" belongs to no store"},
    {PLANT("table", "more", "CREATE VIRTUAL TABLE more USING fts5(a)"), "the table \"more\" belongs to no store"},
    {PLANT("table", "more", "CREATE VIRTUAL TABLE more USING there_is_none(a)"),
     "the table \"more\" belongs to no store"},
    {"ANALYZE", "\"sqlite_stat1\" belongs to no store"},
    {"ANALYZE; " EDIT("sqlite_stat1", "stat)", "stat AS (" SLOW "))"), "\"sqlite_stat1\" belongs to no store"},
    /* trees in the pages of others */
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema AS other"
     " WHERE other.name = 'scope') WHERE name = 'state'",
     "stands where another one does"},
    /* very much of it */
    {"PRAGMA writable_schema=ON; WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 30000)"
     " INSERT INTO sqlite_schema SELECT 'table', 't' || x, 't' || x, 2, 'CREATE TABLE t' || x || '(x)' FROM n",
     "its schema is larger than that of any store"},
    {"PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES('table', 'more', 'more', 2,"
     " 'CREATE TABLE more(x' || replace(hex(zeroblob(200000)), '0', ' ') || ')')",
     "longer entry than that of any store"},
};

static agentchat_status open_as(const damaged *d, bool read_only, agentchat_store **store, agentchat_error *err)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;

    options.read_only = read_only;
    options.statement_ms = 20000;
    return agentchat_store_open(NULL, d->url, &options, store, err);
}

static void expect_refusal(const change *c, agentchat_status status, const agentchat_error *err, const char *what)
{
    if (status != AGENTCHAT_E_SCHEMA || strstr(err->message, c->message) == NULL)
        fail_msg("%s, %s: %s \"%s\", expected \"%s\"", c->statements, what, agentchat_status_name(status), err->message,
                 c->message);
}

static void test_schema__what_differs_is_named(void **state)
{
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        agentchat_store *store = NULL;
        agentchat_error err;

        damage_run(&d, changes[i].statements);
        for (int writes = 0; writes < 2; writes++) {
            expect_refusal(&changes[i], open_as(&d, !writes, &store, &err), &err, writes ? "writing" : "reading");
            assert_null(store);
        }
    }
    damage_end(&d);
}

static void test_schema__what_others_change_is_seen_by_the_next_call(void **state)
{
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        agentchat_store *store = NULL;
        agentchat_session *session = NULL;
        char statements[2000];
        agentchat_status status;
        agentchat_error err;

        damage_write(&d, NULL, 0);
        test_ok(open_as(&d, false, &store, &err), &err);
        test_ok(agentchat_session_get(store, &(agentchat_session_id){"app", "u", "s1"}, NULL, &session, &err), &err);
        /* By one connection, which does not read the schema anew; and what counts the schema up. */
        snprintf(statements, sizeof statements, "%s; CREATE TABLE counted(x)", changes[i].statements);
        damage_poke(&d, statements);
        status = agentchat_session_set(session, "k", AGENTCHAT_STR("1"), &err);
        if (status != AGENTCHAT_E_SCHEMA)
            fail_msg("%s, set: %s \"%s\"", changes[i].statements, agentchat_status_name(status), err.message);
        free(damage_read(store, "s1", &status, &err));
        if (status != AGENTCHAT_E_SCHEMA)
            fail_msg("%s, get: %s \"%s\"", changes[i].statements, agentchat_status_name(status), err.message);
        agentchat_session_free(session);
        agentchat_store_close(store);
    }
    damage_end(&d);
}

/* ---- newer versions ---------------------------------------------------------------------------------------------- */

#define NEWER "UPDATE service SET version = 4;"

static agentchat_status take_part(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    char *parts = user;
    size_t len = strlen(parts);

    (void)err;
    assert_null(problem.ptr);
    snprintf(parts + len, 2000 - len, AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(part));
    return AGENTCHAT_OK;
}

static void test_schema__a_newer_version_may_add_what_is_no_code(void **state)
{
    static const char *const names[] = {"unknown table recall\n", "unknown index recall_by_time\n",
                                        "unknown index session_by_num\n"};
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_status status;
    agentchat_error err;
    char parts[2000] = "";
    damaged d;
    char *text;

    (void)state;
    damage_begin(&d);
    damage_run(&d, NEWER "CREATE TABLE recall(root TEXT NOT NULL, key TEXT NOT NULL, time INTEGER NOT NULL,"
                         " PRIMARY KEY(root, key), UNIQUE(root, time)) STRICT;"
                         "CREATE INDEX recall_by_time ON recall(root, time);"
                         "CREATE INDEX session_by_num ON session(num);");
    test_ok(open_as(&d, false, &store, &err), &err);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){"app", "u", "s1"}, NULL, &session, &err), &err);
    test_ok(agentchat_session_set(session, "k", AGENTCHAT_STR("1"), &err), &err);
    agentchat_session_free(session);
    text = damage_read(store, "s2", &status, &err);
    test_ok(status, &err);
    assert_string_equal(text, d.texts[2]);
    free(text);
    test_ok(agentchat_store_check(store, take_part, parts, &err), &err);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strstr(parts, names[i]) == NULL)
            fail_msg("%s is not in\n%s", names[i], parts);
    }
    agentchat_store_close(store);
    damage_end(&d);
}

static void test_schema__a_newer_version_may_not_change_what_is_ours(void **state)
{
    static const change cases[] = {
        {NEWER "ALTER TABLE scope ADD COLUMN more TEXT", "the table \"scope\" is not"},
        {NEWER "DROP INDEX event_time", "the index \"event_time\" is missing"},
        {NEWER "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM session; END",
         "the trigger \"t\" is more than"},
        {NEWER "CREATE VIEW v AS SELECT 1", "the view \"v\" is more than"},
        {NEWER "CREATE TABLE t(x, y AS (x + 1))", "the table \"t\" is more than"},
        {NEWER "CREATE TABLE t(x, y GENERATED ALWAYS AS (x))", "the table \"t\" is more than"},
        {NEWER "CREATE TABLE t(x, CHECK(abs(x)))", "the table \"t\" is more than"},
        {NEWER "CREATE TABLE t(x DEFAULT 1)", "the table \"t\" is more than"},
        {NEWER "CREATE TABLE t(x REFERENCES session(id))", "the table \"t\" is more than"},
        {NEWER "CREATE TABLE t(x TEXT COLLATE NOCASE)", "the table \"t\" is more than"},
        {NEWER "CREATE TABLE \"t\"(x)", "the table \"t\" is more than"},
        {NEWER "CREATE INDEX i ON event(abs(seq))", "the index \"i\" is more than"},
        {NEWER "CREATE INDEX i ON event(seq) WHERE seq", "the index \"i\" is more than"},
        {NEWER "ANALYZE", "\"sqlite_stat1\" is more than"},
        {NEWER PLANT("table", "v", "CREATE VIRTUAL TABLE v USING fts5(a)"), "the table \"v\" is more than"},
        {"UPDATE store SET format = 3, reader = 1, writer = 3; CREATE VIEW v AS SELECT 1",
         "the view \"v\" is more than"},
    };
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_store *store = NULL;
        agentchat_error err;

        damage_run(&d, cases[i].statements);
        expect_refusal(&cases[i], open_as(&d, true, &store, &err), &err, "reading");
    }
    damage_end(&d);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema__what_differs_is_named),
        cmocka_unit_test(test_schema__what_others_change_is_seen_by_the_next_call),
        cmocka_unit_test(test_schema__a_newer_version_may_add_what_is_no_code),
        cmocka_unit_test(test_schema__a_newer_version_may_not_change_what_is_ours),
    };

    scene_files_in_memory();
    if (!scene_program("session.schema", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
