/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that another program has changed. What is read is what it was, or the call says that the store is corrupt and
 * names the session; a row whose key was changed may be missing, and then the check names it. Other sessions are as
 * they were, and nothing that a call writes makes it worse.
 */
#include "session/damage/damage.h"

#include <stdio.h>

typedef struct hostile_row {
    const char *statements;
    const char *broken; /* the session that is not read as it was; NULL: every one; "": none */
    const char *part;   /* what the check names */
} hostile_row;

#define EVENT_OF(id, rest)                                                                                             \
    "UPDATE event SET " rest " WHERE seq = 5 AND num = (SELECT num FROM session WHERE id = '" id "')"
#define STATE_OF(sid, rest) "UPDATE state SET " rest " WHERE sid = '" sid "' AND key = 'n'"

#define SESSION_COLUMNS "app, usr, id, num, origin, seq, rewinds, created_us, updated_us, sum"

static const hostile_row rows[] = {
    /* an event */
    {EVENT_OF("s1", "json = ''"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "json = '{}'"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "json = json || 'x'"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "json = replace(json, 'system', 'System')"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "json = CAST(x'7b22617574686f72223a22ff227d' AS TEXT)"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "json = json || char(0)"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "json = replace(hex(zeroblob(100000)), '0', '[')"), "s1", "session app/u/s1"},
    {EVENT_OF("s2", "effect = '{}'"), "s2", "session app/u/s2"},
    {EVENT_OF("s2", "effect = '{\"undo\":[[\"app:k\",1,2]]}'"), "s2", "session app/u/s2"},
    {EVENT_OF("s1", "id = 'other'"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "time_ns = time_ns + 1"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "seq = 1000"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "seq = -5"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "seq = 9223372036854775807"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "sum = sum + 1"), "s1", "session app/u/s1"},
    {EVENT_OF("s1", "num = 4711"), "s1", "events"},
    {EVENT_OF("s1", "app = 'nobody'"), "s1", "events"},
    /* a key of a state */
    {STATE_OF("s3", "value = ''"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "value = value || '0'"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "value = replace(hex(zeroblob(200000)), '0', '[')"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "value = CAST(x'22ff22' AS TEXT)"), "s3", "state"},
    {STATE_OF("s3", "value = '\"a' || char(0) || '\"'"), "s3", "state"},
    {STATE_OF("s3", "key = ''"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "key = 'app:x'"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "key = 'm'"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "rev = 0"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "rev = 1000000"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "sum = 0"), "s3", "state of session app/u/s3"},
    {STATE_OF("s3", "sid = 'none'"), "s3", "state of session app/u/none"},
    {STATE_OF("s3", "usr = 'w'"), "s3", "state of session app/w/s3"},
    {"UPDATE state SET value = '[' WHERE usr = '' AND key = 'a'", NULL, "state of application app"},
    {"UPDATE state SET value = 'x' WHERE usr = 'u' AND sid = '' AND key = 'b'", NULL, "state of user app/u"},
    {"UPDATE state SET key = 'z' WHERE usr = '' AND key = 'a'", NULL, "state of application app"},
    {"UPDATE scope SET rev = 3 WHERE usr = ''", NULL, "state of application app"},
    {"UPDATE scope SET rev = -1", NULL, "state of application app"},
    {"DELETE FROM scope WHERE usr = 'u'", "", "state of user app/u"},
    /* a session */
    {"UPDATE session SET seq = -1 WHERE id = 's1'", "s1", "session app/u/s1"},
    {"UPDATE session SET seq = 9223372036854775807 WHERE id = 's1'", "s1", "session app/u/s1"},
    {"UPDATE session SET rewinds = 7 WHERE id = 's1'", "s1", "session app/u/s1"},
    {"UPDATE session SET num = num / 2 WHERE id = 's1'", "s1", "events"},
    {"UPDATE session SET id = 'other' WHERE id = 's1'", "s1", "session app/u/other"},
    {"DELETE FROM session WHERE id = 's1'", "s1", "events"},
    {"INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', '', 'x', 1, 1, 0, 0, 1, 1, 1)", "", "session app"},
    {"INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', 'u', '', 1, 1, 0, 0, 1, 1, 1)", "", "session app/u"},
    {"INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', 'u', CAST(x'ff' AS TEXT), 1, 1, 0, 0, 1, 1, 1)", "",
     "sessions"},
};

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static agentchat_store *open_store(const damaged *d)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    test_ok(agentchat_store_open(NULL, d->url, NULL, &store, &err), &err);
    return store;
}

static bool is_broken(const hostile_row *row, const char *id)
{
    return row->broken == NULL || strcmp(row->broken, id) == 0;
}

static void read_sessions(const damaged *d, agentchat_store *store, const hostile_row *row)
{
    agentchat_status status;
    agentchat_error err;
    char id[16];

    for (int i = 0; i < DAMAGE_SESSIONS; i++) {
        char *text;

        snprintf(id, sizeof id, "s%d", i);
        text = damage_read(store, id, &status, &err);
        if (!is_broken(row, id) && (status < 0 || strcmp(text, d->texts[i]) != 0))
            fail_msg("%s\n%s is not what it was: %s \"%s\", %s", row->statements, id, agentchat_status_name(status),
                     err.message, text);
        if (status == AGENTCHAT_E_CORRUPT && strstr(err.message, "session app/u/s") == NULL)
            fail_msg("%s\n%s: \"%s\" does not name it", row->statements, id, err.message);
        if (status < 0 && status != AGENTCHAT_E_CORRUPT && status != AGENTCHAT_E_LIMIT &&
            status != AGENTCHAT_E_NOTFOUND)
            fail_msg("%s\n%s: %s \"%s\"", row->statements, id, agentchat_status_name(status), err.message);
        free(text);
    }
}

static void check(agentchat_store *store, const hostile_row *row)
{
    damage_found found;
    size_t len = strlen(row->part);

    damage_check(store, &found);
    if (found.status < 0)
        fail_msg("%s\nthe check fails: %s \"%s\"; %s", row->statements, agentchat_status_name(found.status),
                 found.err.message, found.text);
    for (const char *line = found.text; line != NULL && *line != '\0';
         line = strchr(line, '\n'), line += line != NULL) {
        if (strncmp(line, row->part, len) == 0)
            return;
    }
    fail_msg("%s\nthe check does not name \"%s\", but\n%s", row->statements, row->part, found.text);
}

static void test_rows__are_named_and_leave_other_sessions_alone(void **state)
{
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        agentchat_store *store;

        damage_run(&d, rows[i].statements);
        store = open_store(&d);
        read_sessions(&d, store, &rows[i]);
        check(store, &rows[i]);
        agentchat_store_close(store);
    }
    damage_end(&d);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Whatever is done to a store with such a row, no session that was sound breaks. */
static void write_on(agentchat_store *store, const hostile_row *row)
{
    agentchat_session *session = NULL, *made = NULL;
    agentchat_error err;
    agentchat_status status;
    char id[16];

    for (int i = 0; i < DAMAGE_SESSIONS; i++) {
        snprintf(id, sizeof id, "s%d", i);
        status = agentchat_session_get(store, &(agentchat_session_id){"app", "u", id}, NULL, &session, &err);
        if (status < 0)
            continue;
        (void)agentchat_session_add(session, "n", 1, NULL, &err);
        (void)agentchat_session_set(session, "app:a", AGENTCHAT_STR("2"), &err);
        (void)agentchat_session_set(session, "user:b", AGENTCHAT_STR("2"), &err);
        status = agentchat_session_rewind(session, NULL, NULL, &err);
        if (status < 0 && status != AGENTCHAT_E_CORRUPT && status != AGENTCHAT_E_LIMIT)
            fail_msg("%s\nrewind: %s \"%s\"", row->statements, agentchat_status_name(status), err.message);
        agentchat_session_free(session);
    }
    status = agentchat_session_create(store, &(agentchat_session_id){"app", "u", "new"}, NULL, &made, &err);
    if (status < 0 && row->broken != NULL)
        fail_msg("%s\ncreate: %s \"%s\"", row->statements, agentchat_status_name(status), err.message);
    agentchat_session_free(made);
    for (int i = 0; i < DAMAGE_SESSIONS; i++) {
        char *text;

        snprintf(id, sizeof id, "s%d", i);
        text = damage_read(store, id, &status, &err);
        if (status < 0 && !is_broken(row, id))
            fail_msg("%s\n%s broke: %s \"%s\"", row->statements, id, agentchat_status_name(status), err.message);
        free(text);
    }
    status = agentchat_user_delete(store, "app", "u", NULL, &err);
    if (status < 0 && strcmp(row->part, "sessions") != 0) /* a name that cannot be read cannot be deleted by name */
        fail_msg("%s\ndelete user: %s \"%s\"", row->statements, agentchat_status_name(status), err.message);
}

static void test_rows__break_nothing_else_when_there_is_writing(void **state)
{
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        agentchat_store *store;

        damage_run(&d, rows[i].statements);
        store = open_store(&d);
        write_on(store, &rows[i]);
        agentchat_store_close(store);
    }
    damage_end(&d);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

/* Tables that take any type while a statement writes, and say afterwards again that they do not. */
static void run_without_types(const damaged *d, const char *statements)
{
    static const char before[] =
        "CREATE TEMP TABLE kept AS SELECT name, sql FROM sqlite_schema;"
        "PRAGMA writable_schema=ON;"
        "UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'), ') STRICT', ')');"
        "PRAGMA writable_schema=RESET;";
    static const char after[] =
        ";PRAGMA writable_schema=ON;"
        "UPDATE sqlite_schema AS s SET sql = (SELECT kept.sql FROM kept WHERE kept.name = s.name);"
        "PRAGMA writable_schema=RESET";
    char text[2000];

    snprintf(text, sizeof text, "%s%s%s", before, statements, after);
    damage_run(d, text);
}

static void test_rows__of_other_types_are_named(void **state)
{
    static const hostile_row others[] = {
        {EVENT_OF("s1", "json = x'7b7d'"), "s1", "session app/u/s1"},
        {EVENT_OF("s1", "json = 7"), "s1", "session app/u/s1"},
        {EVENT_OF("s1", "effect = 1.5"), "s1", "session app/u/s1"},
        {EVENT_OF("s1", "time_ns = 'noon'"), "s1", "session app/u/s1"},
        {EVENT_OF("s1", "seq = 'five'"), "s1", "session app/u/s1"},
        {STATE_OF("s3", "value = x'31'"), "s3", "state"},
        {STATE_OF("s3", "rev = 'x'"), "s3", "state"},
        {STATE_OF("s3", "rev = 1e300"), "s3", "state"},
        {STATE_OF("s3", "key = x'6e'"), "s3", "state"},
        {"UPDATE session SET seq = 'x' WHERE id = 's1'", "s1", "session"},
        {"UPDATE session SET rewinds = x'00' WHERE id = 's1'", "s1", "session"},
        {"UPDATE scope SET rev = 'x' WHERE usr = ''", NULL, "state of application app"},
    };
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        agentchat_store *store;

        run_without_types(&d, others[i].statements);
        store = open_store(&d);
        read_sessions(&d, store, &others[i]);
        check(store, &others[i]);
        agentchat_store_close(store);
    }
    damage_end(&d);
}

static void test_rows__of_the_version_decide_who_may_open(void **state)
{
    static const struct {
        const char *statements;
        agentchat_status reading, writing;
        int32_t native;
    } versions[] = {
        {"UPDATE store SET format = 3", AGENTCHAT_OK, AGENTCHAT_OK, 0},
        {"UPDATE store SET format = 3, writer = 3", AGENTCHAT_OK, AGENTCHAT_E_VERSION, 3},
        {"UPDATE store SET format = 1", AGENTCHAT_E_VERSION, AGENTCHAT_E_VERSION, 0}, /* never released */
        {"UPDATE store SET format = 7, reader = 5, writer = 6", AGENTCHAT_E_VERSION, AGENTCHAT_E_VERSION, 7},
        {"UPDATE store SET format = 2147483647, reader = 2147483647, writer = 2147483647", AGENTCHAT_E_VERSION,
         AGENTCHAT_E_VERSION, 2147483647},
        {"UPDATE store SET format = 2147483648", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"UPDATE store SET format = 9223372036854775807", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"UPDATE store SET format = 0", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"UPDATE store SET reader = -1", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"DELETE FROM store", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"INSERT INTO store VALUES(1, 1, 1)", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"DROP TABLE store", AGENTCHAT_E_SCHEMA, AGENTCHAT_E_SCHEMA, 0},
        {"UPDATE service SET version = 4", AGENTCHAT_OK, AGENTCHAT_OK, 0},
        {"UPDATE service SET version = 4, writer = 4", AGENTCHAT_OK, AGENTCHAT_E_VERSION, 4},
        {"UPDATE service SET version = 7, reader = 5, writer = 6", AGENTCHAT_E_VERSION, AGENTCHAT_E_VERSION, 7},
        {"UPDATE service SET version = 2147483648", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"UPDATE service SET version = 0", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"UPDATE service SET reader = -1", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"DELETE FROM service", AGENTCHAT_E_SCHEMA, AGENTCHAT_E_SCHEMA, 0},
        {"INSERT INTO service VALUES('recall', 9, 9, 9)", AGENTCHAT_OK, AGENTCHAT_OK, 0},
        {"INSERT INTO service VALUES('recall', 0, 9, 9)", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"INSERT INTO service VALUES('', 1, 1, 1)", AGENTCHAT_OK, AGENTCHAT_OK, 0},
        {"DROP TABLE service", AGENTCHAT_E_SCHEMA, AGENTCHAT_E_SCHEMA, 0},
        {"PRAGMA application_id = 1", AGENTCHAT_E_SCHEMA, AGENTCHAT_E_SCHEMA, 0},
        {"PRAGMA application_id = 0", AGENTCHAT_E_SCHEMA, AGENTCHAT_E_SCHEMA, 0},
    };
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        for (int writes = 0; writes < 2; writes++) {
            agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
            agentchat_status wanted = writes ? versions[i].writing : versions[i].reading, status;
            agentchat_store *store = NULL;
            agentchat_error err;

            damage_run(&d, versions[i].statements);
            options.read_only = !writes;
            status = agentchat_store_open(NULL, d.url, &options, &store, &err);
            if (status != wanted)
                fail_msg("%s, %s: %s \"%s\"", versions[i].statements, writes ? "writing" : "reading",
                         agentchat_status_name(status), err.message);
            if (status == AGENTCHAT_E_VERSION)
                assert_int_equal(err.native, versions[i].native);
            if (status >= 0) {
                free(damage_read(store, "s1", &status, &err));
                test_ok(status, &err);
            }
            agentchat_store_close(store);
        }
    }
    damage_end(&d);
}

/* A newer program changes the version while this one has the store open. */
static void test_rows__of_the_version_are_heeded_by_every_call(void **state)
{
    agentchat_store *store;
    agentchat_session *session = NULL, *made = NULL;
    agentchat_error err;
    agentchat_status status;
    damaged d;
    char *text;

    (void)state;
    damage_begin(&d);
    store = open_store(&d);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){"app", "u", "s1"}, NULL, &session, &err), &err);
    damage_poke(&d, "UPDATE service SET version = 5, writer = 4");
    test_fails(agentchat_session_set(session, "k", AGENTCHAT_STR("1"), &err), &err, AGENTCHAT_E_VERSION, NULL,
               "must not write");
    assert_int_equal(err.native, 5);
    test_fails(agentchat_session_create(store, &(agentchat_session_id){"app", "u", "new"}, NULL, &made, &err), &err,
               AGENTCHAT_E_VERSION, NULL, NULL);
    test_fails(agentchat_session_copy(store, &(agentchat_session_id){"app", "u", "s1"}, "new", NULL, &err), &err,
               AGENTCHAT_E_VERSION, NULL, NULL);
    test_fails(agentchat_session_delete(store, &(agentchat_session_id){"app", "u", "s1"}, &err), &err,
               AGENTCHAT_E_VERSION, NULL, NULL);
    test_fails(agentchat_user_delete(store, "app", "u", NULL, &err), &err, AGENTCHAT_E_VERSION, NULL, NULL);
    test_fails(agentchat_session_rewind(session, NULL, NULL, &err), &err, AGENTCHAT_E_VERSION, NULL, NULL);
    text = damage_read(store, "s1", &status, &err);
    test_ok(status, &err);
    assert_string_equal(text, d.texts[1]);
    free(text);
    damage_poke(&d, "UPDATE service SET reader = 4");
    test_fails(agentchat_session_refresh(session, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not read");
    free(damage_read(store, "s1", &status, &err));
    assert_int_equal(status, AGENTCHAT_E_VERSION);
    agentchat_session_free(session);
    agentchat_store_close(store);
    damage_end(&d);
}

/* Rows that cannot be read at all, wherever they stand, hide no other damage. */
static void test_rows__that_cannot_be_read_do_not_end_the_check(void **state)
{
    static const char *const unreadable[] = {
        "INSERT INTO session(" SESSION_COLUMNS
        ") VALUES('app', CAST(x'0161ff' AS TEXT), 's', 1, 1, 0, 0, 1, 1, 1)", /* the first of all */
        "INSERT INTO session(" SESSION_COLUMNS
        ") VALUES('app', 'u', CAST(x'7331ff' AS TEXT), 1, 1, 0, 0, 1, 1, 1)", /* after s1 */
        "INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', 'u', CAST(x'7331fe' AS TEXT), 2, 2, 0, 0, 1, 1, 1);"
        "INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', 'u', CAST(x'7331ff' AS TEXT), 3, 3, 0, 0, 1, 1, 1)",
        "INSERT INTO state VALUES('app', CAST(x'0161ff' AS TEXT), '', 'k', '1', 1, 1)",
        "UPDATE state SET value = CAST(x'ff' AS TEXT) WHERE usr = ''",
        EVENT_OF("s2", "json = CAST(x'ff' AS TEXT)"),
        "UPDATE event SET effect = CAST(x'ff' AS TEXT) WHERE seq < 3",
    };
    static const char broken[] = EVENT_OF("s3", "id = 'other'") ";" STATE_OF("s3", "rev = 1000000");
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        agentchat_store *store;
        damage_found found;

        damage_run(&d, broken);
        damage_poke(&d, unreadable[i]);
        store = open_store(&d);
        damage_check(store, &found);
        test_ok(found.status, &found.err);
        if (strstr(found.text, "UTF-8") == NULL || strstr(found.text, "session app/u/s3: event 5") == NULL ||
            strstr(found.text, "state of session app/u/s3: key n") == NULL)
            fail_msg("%s: the check finds only:\n%s", unreadable[i], found.text);
        agentchat_store_close(store);
    }
    damage_end(&d);
}

/* A store full of them is not read row by row without end. */
static void test_rows__that_cannot_be_read_are_named_up_to_a_number(void **state)
{
    agentchat_store *store;
    damage_found found;
    damaged d;

    (void)state;
    damage_begin(&d);
    damage_run(&d, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
                   " INSERT INTO state SELECT 'app', CAST(x'01ff' AS TEXT), '', 'k' || i, '1', 1, 1 FROM n");
    store = open_store(&d);
    damage_check(store, &found);
    test_ok(found.status, &found.err);
    assert_in_range(found.problems, 1000, 1010);
    agentchat_store_close(store);
    damage_end(&d);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows__are_named_and_leave_other_sessions_alone),
        cmocka_unit_test(test_rows__break_nothing_else_when_there_is_writing),
        cmocka_unit_test(test_rows__of_other_types_are_named),
        cmocka_unit_test(test_rows__of_the_version_decide_who_may_open),
        cmocka_unit_test(test_rows__of_the_version_are_heeded_by_every_call),
        cmocka_unit_test(test_rows__that_cannot_be_read_do_not_end_the_check),
        cmocka_unit_test(test_rows__that_cannot_be_read_are_named_up_to_a_number),
    };

    scene_files_in_memory();
    if (!scene_program("session.rows", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
