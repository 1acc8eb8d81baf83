/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: preparing them, and running the driver's own. Backend of SQLite. */
#include "store/sqlite/driver.h"

#include <string.h>

static const char *const own_texts[ACI_SQLITE_OWN_COUNT] = {
    [ACI_SQLITE_OWN_BEGIN_READ] = "BEGIN",
    [ACI_SQLITE_OWN_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [ACI_SQLITE_OWN_COMMIT] = "COMMIT",
    [ACI_SQLITE_OWN_ROLLBACK] = "ROLLBACK",
    [ACI_SQLITE_OWN_FREE_PAGES] = "PRAGMA freelist_count",
    [ACI_SQLITE_OWN_PAGES] = "PRAGMA page_count",
    [ACI_SQLITE_OWN_SCHEMA_COUNTER] = "PRAGMA schema_version",
};

static bool is_whitespace(const char *text)
{
    return text[strspn(text, " \t\r\n;")] == '\0';
}

int aci_sqlite_prepare(aci_sqlite_connection *c, const char *text, bool persistent, sqlite3_stmt **out)
{
    const char *rest = "";
    int code = sqlite3_prepare_v3(c->db, text, -1, persistent ? SQLITE_PREPARE_PERSISTENT : 0, out, &rest);

    if (code == SQLITE_OK && (*out == NULL || !is_whitespace(rest))) { /* nothing, or more than one */
        (void)sqlite3_finalize(*out);
        *out = NULL;
        return SQLITE_MISUSE;
    }
    return code;
}

static int prepare_own(aci_sqlite_connection *c, aci_sqlite_own which)
{
    return c->own[which] != NULL ? SQLITE_OK : aci_sqlite_prepare(c, own_texts[which], true, &c->own[which]);
}

int aci_sqlite_prepare_own(aci_sqlite_connection *c)
{
    static const aci_sqlite_own ends[] = {ACI_SQLITE_OWN_COMMIT, ACI_SQLITE_OWN_ROLLBACK};
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof ends / sizeof *ends && code == SQLITE_OK; i++) {
        (void)sqlite3_finalize(c->own[ends[i]]);
        c->own[ends[i]] = NULL;
        code = prepare_own(c, ends[i]);
    }
    return code;
}

static int step_to_end(sqlite3_stmt *statement)
{
    int code;

    do
        code = sqlite3_step(statement);
    while (code == SQLITE_ROW);
    (void)sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int aci_sqlite_step_own(aci_sqlite_connection *c, aci_sqlite_own which)
{
    bool is_end = which == ACI_SQLITE_OWN_COMMIT || which == ACI_SQLITE_OWN_ROLLBACK;
    int code;

    do {
        c->guard = is_end ? ACI_SQLITE_ENDING : c->guard;
        code = prepare_own(c, which);
        if (code == SQLITE_OK)
            code = step_to_end(c->own[which]);
        c->guard = is_end ? ACI_SQLITE_ORDINARY : c->guard;
        /* SQLite does not call its busy handler where waiting could be a deadlock; here nothing is held. */
    } while (aci_sqlite_is_busy(code) && aci_sqlite_wait(c, 0) != 0);
    return code;
}

void aci_sqlite_rollback(void *connection)
{
    aci_sqlite_connection *c = connection;

    /* After some errors SQLite has rolled back by itself. */
    if (sqlite3_get_autocommit(c->db) == 0)
        (void)aci_sqlite_step_own(c, ACI_SQLITE_OWN_ROLLBACK);
    if (sqlite3_get_autocommit(c->db) == 0)
        c->dead = true;
    c->state = ACI_SQLITE_IDLE;
}

int aci_sqlite_exec(aci_sqlite_connection *c, const char *text)
{
    return sqlite3_exec(c->db, text, NULL, NULL, NULL);
}

int aci_sqlite_exec_waiting(aci_sqlite_connection *c, const char *text)
{
    int code;

    do
        code = aci_sqlite_exec(c, text);
    while (aci_sqlite_is_busy(code) && aci_sqlite_wait(c, 0) != 0);
    return code;
}

int aci_sqlite_ask(aci_sqlite_connection *c, const char *text, int64_t *out)
{
    sqlite3_stmt *statement = NULL;
    int code = aci_sqlite_prepare(c, text, false, &statement);

    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int aci_sqlite_ask_own(aci_sqlite_connection *c, aci_sqlite_own which, int64_t *out)
{
    int code = prepare_own(c, which);

    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(c->own[which]);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(c->own[which], 0);
    (void)sqlite3_reset(c->own[which]);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int aci_sqlite_set_log_mode(aci_sqlite_connection *c, bool *is_log)
{
    int code;

    *is_log = false;
    do {
        sqlite3_stmt *statement = NULL;

        code = aci_sqlite_prepare(c, "PRAGMA journal_mode=WAL", false, &statement);
        if (code == SQLITE_OK)
            code = sqlite3_step(statement);
        if (code == SQLITE_ROW) {
            const unsigned char *mode = sqlite3_column_text(statement, 0);

            *is_log = mode != NULL && strcmp((const char *)mode, "wal") == 0;
            code = mode != NULL ? SQLITE_OK : SQLITE_NOMEM;
        }
        (void)sqlite3_finalize(statement);
    } while (aci_sqlite_is_busy(code) && aci_sqlite_wait(c, 0) != 0);
    return code;
}

void aci_sqlite_finalize_all(aci_sqlite_connection *c)
{
    for (size_t i = 0; i < ACI_SQLITE_OWN_COUNT; i++)
        (void)sqlite3_finalize(c->own[i]);
    for (size_t i = 0; i < c->prepared_cap; i++)
        (void)sqlite3_finalize(c->prepared[i].statement);
    aci_driver_free(c->database->env, c->prepared, c->prepared_cap * sizeof *c->prepared);
}
