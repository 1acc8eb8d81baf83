/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that no program of ours has written, put into the tables by another one. What reads them says that the store is
 * corrupt; the check names them; other sessions are as they were; and nothing that a call writes makes it worse. Most
 * tests do so where rows have no checksums, as version 1 of the tables has left them: what is found there is found by
 * what the rows say. With checksums nothing that is read is other than it was.
 */
#include "session/damage/damage.h"

#include <stdio.h>

typedef struct hostile_row {
    const char *statements;
    const char *broken;  /* the session that cannot be read in full; NULL: every one; "": none */
    const char *message; /* of reading it; NULL: it can be read */
    const char *part;    /* what the check names; NULL: it finds nothing */
    const char *problem;
} hostile_row;

#define EVENT_OF(id, rest)                                                                                             \
    "UPDATE event SET " rest " WHERE seq = 5 AND num = (SELECT num FROM session WHERE id = '" id "')"
#define STATE_OF(sid, rest) "UPDATE state SET " rest " WHERE sid = '" sid "' AND key = 'n'"

#define SESSION_COLUMNS "app, usr, id, num, seq, rewinds, created_us, updated_us"

static const char no_sums[] = "UPDATE session SET last = NULL, keys = NULL, sum = NULL;"
                              "UPDATE scope SET keys = NULL, sum = NULL;"
                              "UPDATE event SET prev = NULL, sum = NULL";

static const hostile_row rows[] = {
    /* the event itself */
    {EVENT_OF("s1", "json = ''"), "s1", "", "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = '{'"), "s1", "", "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = 'null'"), "s1", "", "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = '[]'"), "s1", "", "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = '{}'"), "s1", "", "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = json || 'x'"), "s1", "", "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = replace(json, 'system', char(1))"), "s1", "", "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = '{\"id\":\"x\",\"author\":1}'"), "s1", "", "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = '{\"author\":\"a\",\"content\":{\"role\":7}}'"), "s1", "", "session app/u/s1",
     "event 5 cannot be read"},
    {EVENT_OF("s1", "json = '{\"author\":\"a\",\"time\":\"yesterday\"}'"), "s1", "", "session app/u/s1",
     "event 5 cannot be read"},
    {EVENT_OF("s1", "json = '{\"author\":\"a\",\"actions\":{\"stateadd\":{\"n\":1e999}}}'"), "s1", "",
     "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = '{\"author\":\"a\",\"actions\":{\"statedelta\":{\"app:\":1}}}'"), "s1", "",
     "session app/u/s1", "event 5 cannot be read"},
    {EVENT_OF("s1", "json = CAST(x'7b22617574686f72223a22ff227d' AS TEXT)"), "s1", "UTF-8", "session app/u/s1",
     "UTF-8"},
    {EVENT_OF("s1", "json = json || char(0)"), "s1", "NUL", "session app/u/s1", "NUL"},
    {EVENT_OF("s1", "json = replace(hex(zeroblob(100000)), '0', '[')"), "s1", "", "session app/u/s1",
     "event 5 cannot be read"},
    {EVENT_OF("s1",
              "json = replace(json, '\"system\"', '\"system\",\"more\":' || replace(hex(zeroblob(2000)), '0', '[')"
              " || replace(hex(zeroblob(2000)), '0', ']'))"),
     "s1", "", "session app/u/s1", "event 5 cannot be read"},
    /* what it did */
    {EVENT_OF("s2", "effect = 'x'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '[]'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"app\":-1}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"app\":99999999999999999999}'"), "s2", "", "session app/u/s2",
     "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"user\":\"1\"}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"sums\":[]}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"sums\":{\"n\":1.5}}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"undo\":{}}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"undo\":[[]]}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"undo\":[[1,2]]}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"undo\":[[\"k\",1,2,3]]}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"undo\":[[\"app:k\",1,2]]}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"undo\":[[\"\",1,2]]}'"), "s2", "", "session app/u/s2", "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"undo\":[[\"temp:x\",1,2]]}'"), "s2", "", "session app/u/s2",
     "event 5 cannot be read"},
    {EVENT_OF("s2", "effect = '{\"undo\":[[\"' || replace(hex(zeroblob(300)), '0', 'k') || '\",1,2]]}'"), "s2", "",
     "session app/u/s2", "event 5 cannot be read"},
    /* its row */
    {EVENT_OF("s1", "id = 'other'"), "", NULL, "session app/u/s1", "event 5 has another id than its row"},
    {EVENT_OF("s1", "time_ns = time_ns + 1"), "", NULL, "session app/u/s1", "event 5 has another time than its row"},
    {EVENT_OF("s1", "seq = 1000"), "", NULL, "session app/u/s1", "event 1000 stands outside the session's sequence"},
    {EVENT_OF("s1", "seq = -5"), "", NULL, "session app/u/s1", "event -5 stands outside the session's sequence"},
    {EVENT_OF("s1", "seq = 9223372036854775807"), "", NULL, "session app/u/s1", "stands outside"},
    {EVENT_OF("s1", "num = 4711"), "", NULL, "events", "1 events belong to no session (number 4711)"},
    {EVENT_OF("s1", "app = 'nobody'"), "", NULL, "events", "application nobody"},
    /* values of state */
    {STATE_OF("s3", "value = ''"), "s3", "n", "state of session app/u/s3", "key n"},
    {STATE_OF("s3", "value = '{'"), "s3", "n", "state of session app/u/s3", "key n"},
    {STATE_OF("s3", "value = '1 2'"), "s3", "n", "state of session app/u/s3", "key n"},
    {STATE_OF("s3", "value = replace(hex(zeroblob(200000)), '0', '[')"), "s3", "", "state of session app/u/s3",
     "key n"},
    {STATE_OF("s3", "value = CAST(x'22ff22' AS TEXT)"), "s3", "UTF-8", "state", "UTF-8"},
    {STATE_OF("s3", "value = '\"a' || char(0) || '\"'"), "s3", "NUL", "state", "NUL"},
    {STATE_OF("s3", "key = ''"), "s3", "key", "state of session app/u/s3", "key"},
    {STATE_OF("s3", "key = 'app:x'"), "s3", "app:x", "state of session app/u/s3", "app:x"},
    {STATE_OF("s3", "key = 'user:x'"), "s3", "user:x", "state of session app/u/s3", "user:x"},
    {STATE_OF("s3", "key = 'temp:x'"), "s3", "temp:x", "state of session app/u/s3", "temp:x"},
    {STATE_OF("s3", "key = replace(hex(zeroblob(257)), '0', 'k')"), "s3", "512", "state of session app/u/s3", "512"},
    {STATE_OF("s3", "rev = 0"), "s3", "revision of key n is 0", "state of session app/u/s3", "key n has revision 0"},
    {STATE_OF("s3", "rev = -1"), "s3", "revision of key n is -1", "state of session app/u/s3", "key n has revision -1"},
    {STATE_OF("s3", "rev = 1000000"), "", NULL, "state of session app/u/s3", "key n has revision 1000000"},
    {STATE_OF("s3", "sid = 'none'"), "", NULL, "state of session app/u/none", "belongs to nothing"},
    {STATE_OF("s3", "usr = 'w'"), "", NULL, "state of session app/w/s3", "belongs to nothing"},
    {"UPDATE state SET value = '[' WHERE usr = '' AND key = 'a'", NULL, "app:a", "state of application app", "key a"},
    {"UPDATE state SET value = 'x' WHERE usr = 'u' AND sid = '' AND key = 'b'", NULL, "user:b", "state of user app/u",
     "key b"},
    {"UPDATE state SET key = '' WHERE usr = '' AND key = 'a'", NULL, "prefix", "state of application app", "key"},
    {"UPDATE state SET key = replace(hex(zeroblob(255)), '0', 'k') WHERE usr = '' AND key = 'a'", NULL, "512",
     "state of application app", "512"},
    {"UPDATE scope SET rev = 3 WHERE usr = ''", "", NULL, "state of application app", "its owner is at 3"},
    {"DELETE FROM scope WHERE usr = 'u'", NULL, "keys are not those", "state of user app/u", "belongs to nothing"},
    {"UPDATE scope SET rev = -1", NULL, "revision of the state is -1", "state of application app",
     "its owner is at -1"},
    /* sessions */
    {"UPDATE session SET seq = -1 WHERE id = 's1'", "s1", "sequence of the session is -1", "session app/u/s1",
     "sequence of the session is -1"},
    {"UPDATE session SET rewinds = -1 WHERE id = 's1'", "s1", "number of rewinds is -1", "session app/u/s1",
     "number of rewinds is -1"},
    {"UPDATE session SET seq = 3 WHERE id = 's1'", "", NULL, "session app/u/s1", "stands outside"},
    {"UPDATE session SET num = num / 2 WHERE id = 's1'", "s1", NULL, "events", "belong to no session"},
    {"DELETE FROM session WHERE id = 's1'", "s1", "there is no session", "events", "belong to no session"},
    {"INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', '', 'x', 1, 0, 0, 1, 1)", "", NULL, "session app", "user"},
    {"INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', 'u', '', 1, 0, 0, 1, 1)", "", NULL, "session app/u",
     "session id"},
    {"INSERT INTO session(" SESSION_COLUMNS ") VALUES('', 'u', 'x', 1, 0, 0, 1, 1)", "", NULL, "session",
     "application"},
    {"INSERT INTO session(" SESSION_COLUMNS
     ") VALUES('app', 'u', replace(hex(zeroblob(300)), '0', 'k'), 1, 0, 0, 1, 1)",
     "", NULL, "session app/u/kkk", "session id"},
    {"INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', 'u', CAST(x'ff' AS TEXT), 1, 0, 0, 1, 1)", "", NULL,
     "sessions", "UTF-8"},
};

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static agentchat_store *open_store(const damaged *d)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    test_ok(agentchat_store_open(NULL, d->url, NULL, &store, &err), &err);
    return store;
}

/* A store as it was but for the statements, without checksums. */
static void run_without_sums(const damaged *d, const char *statements)
{
    damage_run(d, no_sums);
    damage_poke(d, statements);
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
        if (is_broken(row, id) && row->message != NULL) {
            agentchat_status wanted =
                strstr(row->message, "there is no") != NULL ? AGENTCHAT_E_NOTFOUND : AGENTCHAT_E_CORRUPT;

            if ((status != wanted && status != AGENTCHAT_E_LIMIT) || strstr(err.message, row->message) == NULL)
                fail_msg("%s\n%s: %s \"%s\", expected %s with \"%s\"", row->statements, id,
                         agentchat_status_name(status), err.message, agentchat_status_name(wanted), row->message);
        } else if (status < 0) {
            fail_msg("%s\n%s: %s \"%s\"", row->statements, id, agentchat_status_name(status), err.message);
        } else if (row->broken == NULL || row->broken[0] != '\0') {
            if (!is_broken(row, id) && strcmp(text, d->texts[i]) != 0)
                fail_msg("%s\n%s is not what it was: %s", row->statements, id, text);
        }
        free(text);
    }
}

static void check(agentchat_store *store, const hostile_row *row)
{
    damage_found found;
    char part[300], *line;

    damage_check(store, &found);
    if (found.status < 0)
        fail_msg("%s\nthe check fails: %s \"%s\"; %s", row->statements, agentchat_status_name(found.status),
                 found.err.message, found.text);
    snprintf(part, sizeof part, "%s", row->part);
    for (line = found.text; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
        size_t len = strcspn(line, "\n");
        char text[700];

        snprintf(text, sizeof text, "%.*s", (int)len, line);
        if (strncmp(text, part, strlen(part)) == 0 && strstr(text + strlen(part), row->problem) != NULL)
            return;
    }
    fail_msg("%s\nthe check does not say \"%s: %s\", but\n%s", row->statements, row->part, row->problem, found.text);
}

static void test_rows__are_named_and_leave_other_sessions_alone(void **state)
{
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        agentchat_store *store;

        run_without_sums(&d, rows[i].statements);
        store = open_store(&d);
        read_sessions(&d, store, &rows[i]);
        check(store, &rows[i]);
        agentchat_store_close(store);
    }
    damage_end(&d);
}

/* Where a row has some of its checksums and not the others, they do not count as missing. */
static void test_rows__cannot_lose_single_checksums(void **state)
{
    static const char *const lost[] = {
        "UPDATE session SET last = NULL WHERE id = 's1'",
        "UPDATE session SET keys = NULL WHERE id = 's1'",
        "UPDATE session SET sum = NULL WHERE id = 's1'",
        "UPDATE scope SET keys = NULL WHERE usr = 'u'",
        "UPDATE scope SET sum = NULL WHERE usr = 'u'",
        EVENT_OF("s1", "prev = NULL"),
        EVENT_OF("s1", "sum = NULL"),
        EVENT_OF("s1", "prev = NULL, sum = NULL"),
    };
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        agentchat_store *store;
        agentchat_status status;
        agentchat_error err;
        damage_found found;

        damage_run(&d, lost[i]);
        store = open_store(&d);
        free(damage_read(store, "s1", &status, &err));
        test_fails(status, &err, AGENTCHAT_E_CORRUPT, NULL, "session app/u/s1: ");
        damage_check(store, &found);
        test_ok(found.status, &found.err);
        if (found.problems == 0)
            fail_msg("%s: the check finds nothing", lost[i]);
        agentchat_store_close(store);
    }
    damage_end(&d);
}

/* With checksums: equal to what it was, or damaged. */
static void test_rows__with_checksums_are_never_read_as_others(void **state)
{
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        agentchat_store *store;
        damage_found found;

        damage_run(&d, rows[i].statements);
        store = open_store(&d);
        for (int k = 0; k < DAMAGE_SESSIONS; k++) {
            agentchat_status status;
            agentchat_error err;
            char id[16], *text;

            snprintf(id, sizeof id, "s%d", k);
            text = damage_read(store, id, &status, &err);
            if (status >= 0 ? strcmp(text, d.texts[k]) != 0
                            : status != AGENTCHAT_E_CORRUPT && status != AGENTCHAT_E_LIMIT &&
                                  strstr(err.message, "there is no session") == NULL)
                fail_msg("%s\n%s: %s \"%s\", %s", rows[i].statements, id, agentchat_status_name(status), err.message,
                         status >= 0 ? text : "");
            if (status == AGENTCHAT_E_CORRUPT && strstr(err.message, "session app/u/s") == NULL)
                fail_msg("%s\n%s: \"%s\" does not name it", rows[i].statements, id, err.message);
            free(text);
        }
        damage_check(store, &found);
        test_ok(found.status, &found.err);
        if (found.problems == 0)
            fail_msg("%s\nthe check finds nothing", rows[i].statements);
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
    if (status < 0 && strstr(row->problem, "UTF-8") == NULL) /* a name that cannot be read cannot be deleted by name */
        fail_msg("%s\ndelete user: %s \"%s\"", row->statements, agentchat_status_name(status), err.message);
}

static void test_rows__break_nothing_else_when_there_is_writing(void **state)
{
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        agentchat_store *store;

        run_without_sums(&d, rows[i].statements);
        store = open_store(&d);
        write_on(store, &rows[i]);
        agentchat_store_close(store);
    }
    damage_end(&d);
}

/* ---- numbers at their ends -------------------------------------------------------------------------------------- */

/* Neither read nor written to, but it can be deleted. */
static void expect_refused(const damaged *d, const char *statements, const char *message)
{
    agentchat_store *store;
    agentchat_session *session = NULL;
    agentchat_error err;
    agentchat_status status;

    damage_run(d, no_sums);
    store = open_store(d);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){"app", "u", "s1"}, NULL, &session, &err), &err);
    damage_poke(d, statements);
    test_fails(agentchat_session_set(session, "k", AGENTCHAT_STR("1"), &err), &err, AGENTCHAT_E_CORRUPT, NULL, message);
    test_fails(agentchat_session_set(session, "app:k", AGENTCHAT_STR("1"), &err), &err, AGENTCHAT_E_CORRUPT, NULL,
               message);
    test_fails(agentchat_session_set(session, "user:k", AGENTCHAT_STR("1"), &err), &err, AGENTCHAT_E_CORRUPT, NULL,
               message);
    test_fails(agentchat_session_rewind(session, NULL, NULL, &err), &err, AGENTCHAT_E_CORRUPT, NULL, message);
    test_fails(agentchat_session_refresh(session, &err), &err, AGENTCHAT_E_CORRUPT, NULL, message);
    free(damage_read(store, "s1", &status, &err));
    test_fails(status, &err, AGENTCHAT_E_CORRUPT, NULL, message);
    agentchat_session_free(session);
    test_ok(agentchat_session_delete(store, &(agentchat_session_id){"app", "u", "s1"}, &err), &err);
    test_ok(agentchat_user_delete(store, "app", "u", NULL, &err), &err);
    agentchat_store_close(store);
}

static void test_rows__numbers_at_the_end_of_64_bits_are_not_counted_beyond(void **state)
{
    damaged d;

    (void)state;
    damage_begin(&d);
    expect_refused(&d, "UPDATE session SET seq = 9223372036854775807 WHERE id = 's1'", "sequence");
    expect_refused(&d, "UPDATE session SET seq = 9223372036854775806 WHERE id = 's1'", "sequence");
    expect_refused(&d, "UPDATE session SET rewinds = 9223372036854775807 WHERE id = 's1'", "rewinds");
    expect_refused(&d, "UPDATE scope SET rev = 9223372036854775807 WHERE usr = ''", "");
    expect_refused(&d, "UPDATE scope SET rev = 9223372036854775807 WHERE usr = 'u'", "");
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
    run_without_sums(d, text);
}

static void test_rows__of_other_types_are_named(void **state)
{
    static const hostile_row others[] = {
        {EVENT_OF("s1", "json = x'7b7d'"), "s1", "is no text", "session app/u/s1", "is no text"},
        {EVENT_OF("s1", "json = 7"), "s1", "", "session app/u/s1", ""},
        {EVENT_OF("s1", "effect = 1.5"), "s1", "", "session app/u/s1", ""},
        {EVENT_OF("s1", "time_ns = 'noon'"), "s1", "is no integer", "session app/u/s1", ""},
        {EVENT_OF("s1", "seq = 'five'"), "s1", "", "session app/u/s1", ""},
        {STATE_OF("s3", "value = x'31'"), "s3", "is no text", "state", "is no text"},
        {STATE_OF("s3", "rev = 'x'"), "s3", "", "state", ""},
        {STATE_OF("s3", "rev = 1e300"), "s3", "", "state", ""},
        {STATE_OF("s3", "key = x'6e'"), "s3", "", "state", ""},
        {"UPDATE session SET seq = 'x' WHERE id = 's1'", "s1", "", "session", ""},
        {"UPDATE session SET seq = 1.5 WHERE id = 's1'", "s1", "", "session", ""},
        {"UPDATE session SET rewinds = x'00' WHERE id = 's1'", "s1", "", "session", ""},
        {"UPDATE scope SET rev = 'x' WHERE usr = ''", NULL, "", "state of application app", ""},
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
        {"UPDATE service SET version = 3", AGENTCHAT_OK, AGENTCHAT_OK, 0},
        {"UPDATE service SET version = 3, writer = 3", AGENTCHAT_OK, AGENTCHAT_E_VERSION, 3},
        {"UPDATE service SET version = 7, reader = 5, writer = 6", AGENTCHAT_E_VERSION, AGENTCHAT_E_VERSION, 7},
        {"UPDATE service SET version = 2147483648", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"UPDATE service SET version = 0", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"UPDATE service SET reader = -1", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
        {"DELETE FROM service", AGENTCHAT_E_SCHEMA, AGENTCHAT_E_SCHEMA, 0},
        {"INSERT INTO service VALUES('memory', 9, 9, 9)", AGENTCHAT_OK, AGENTCHAT_OK, 0},
        {"INSERT INTO service VALUES('memory', 0, 9, 9)", AGENTCHAT_E_CORRUPT, AGENTCHAT_E_CORRUPT, 0},
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
    damage_poke(&d, "UPDATE service SET version = 4, writer = 3");
    test_fails(agentchat_session_set(session, "k", AGENTCHAT_STR("1"), &err), &err, AGENTCHAT_E_VERSION, NULL,
               "must not write");
    assert_int_equal(err.native, 4);
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
    damage_poke(&d, "UPDATE service SET reader = 3");
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
        ") VALUES('app', CAST(x'0161ff' AS TEXT), 's', 1, 0, 0, 1, 1)", /* the first of all */
        "INSERT INTO session(" SESSION_COLUMNS
        ") VALUES('app', 'u', CAST(x'7331ff' AS TEXT), 1, 0, 0, 1, 1)", /* after s1 */
        "INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', 'u', CAST(x'7331fe' AS TEXT), 2, 0, 0, 1, 1);"
        "INSERT INTO session(" SESSION_COLUMNS ") VALUES('app', 'u', CAST(x'7331ff' AS TEXT), 3, 0, 0, 1, 1)",
        "INSERT INTO state VALUES('app', CAST(x'0161ff' AS TEXT), '', 'k', '1', 1)",
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

        run_without_sums(&d, broken);
        damage_poke(&d, unreadable[i]);
        store = open_store(&d);
        damage_check(store, &found);
        test_ok(found.status, &found.err);
        if (strstr(found.text, "UTF-8") == NULL ||
            strstr(found.text, "session app/u/s3: event 5 has another id than its row") == NULL ||
            strstr(found.text, "state of session app/u/s3: key n has revision 1000000") == NULL)
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
                   " INSERT INTO state SELECT 'app', CAST(x'01ff' AS TEXT), '', 'k' || i, '1', 1 FROM n");
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
        cmocka_unit_test(test_rows__cannot_lose_single_checksums),
        cmocka_unit_test(test_rows__with_checksums_are_never_read_as_others),
        cmocka_unit_test(test_rows__break_nothing_else_when_there_is_writing),
        cmocka_unit_test(test_rows__numbers_at_the_end_of_64_bits_are_not_counted_beyond),
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
