/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors: what SQLite's result codes mean here. Backend of SQLite.
 *
 * The statements are the library's own and have been checked before, and what they insert has been looked for in the
 * same transaction. So when SQLite does not understand one, or finds two rows with one key, it is the tables that are
 * not what they should be, and that is a damaged file.
 */
#include "store/sqlite/driver.h"

#include <locale.h>
#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6"
#define ELLIPSIS_LEN 3
#define DETAIL_ROOM 112 /* of SQLite's own text about an error */

static int primary(int code)
{
    return code & 0xFF;
}

bool aci_sqlite_is_busy(int code)
{
    return primary(code) == SQLITE_BUSY || primary(code) == SQLITE_LOCKED || primary(code) == SQLITE_PROTOCOL ||
           primary(code) == SQLITE_SCHEMA;
}

static agentchat_status status_of(int code)
{
    if (code == SQLITE_IOERR_NOMEM || primary(code) == SQLITE_NOMEM)
        return AGENTCHAT_E_NOMEM;
    if (code == SQLITE_IOERR_DATA) /* a checksum of the file's pages is wrong */
        return AGENTCHAT_E_CORRUPT;
    if (aci_sqlite_is_busy(code))
        return AGENTCHAT_E_BUSY;
    switch (primary(code)) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
        return AGENTCHAT_E_CORRUPT;
    case SQLITE_TOOBIG:
        return AGENTCHAT_E_LIMIT;
    case SQLITE_INTERNAL:
    case SQLITE_MISMATCH:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
        return AGENTCHAT_E_INTERNAL;
    default:
        return AGENTCHAT_E_IO;
    }
}

/* ---- the record ------------------------------------------------------------------------------------------------ */

agentchat_status aci_sqlite_source(const aci_sqlite_database *database, agentchat_status status, agentchat_error *err)
{
    return aci_sqlite_source_name(database->name, status, err);
}

agentchat_status aci_sqlite_source_name(const char *path, agentchat_status status, agentchat_error *err)
{
    const char *name = path != NULL ? path : "memory:";
    size_t len = strlen(name);

    if (err == NULL || err->source[0] != '\0')
        return status;
    if (len < sizeof err->source) {
        memcpy(err->source, name, len + 1);
        return status;
    }
    name += len - (sizeof err->source - 1 - ELLIPSIS_LEN); /* the end says more than the beginning */
    while (((unsigned char)*name & 0xC0u) == 0x80u)
        name++;
    memcpy(err->source, ELLIPSIS, ELLIPSIS_LEN);
    memcpy(err->source + ELLIPSIS_LEN, name, strlen(name) + 1);
    return status;
}

static void set_native(agentchat_error *err, int code)
{
    if (err != NULL)
        err->native = code;
}

/* The host may have set a locale; messages are English all the same. Not static: strerror() is not for threads. */
static void describe_errno(int error_number, char *buffer, size_t size)
{
    locale_t english = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (english == (locale_t)0) {
        snprintf(buffer, size, "system error %d", error_number);
        return;
    }
    snprintf(buffer, size, "%s", strerror_l(error_number, english));
    freelocale(english);
}

agentchat_status aci_sqlite_fail_nomem(const aci_sqlite_database *database, agentchat_error *err)
{
    agentchat_status status = agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");

    return database != NULL ? aci_sqlite_source(database, status, err) : status;
}

agentchat_status aci_sqlite_fail_errno(const aci_sqlite_database *database, agentchat_status status, int error_number,
                                       const char *what, agentchat_error *err)
{
    char reason[DETAIL_ROOM];

    describe_errno(error_number, reason, sizeof reason);
    status = agentchat_error_set(err, status, "%s: %s", what, reason);
    set_native(err, error_number);
    return aci_sqlite_source(database, status, err);
}

agentchat_status aci_sqlite_fail_missing(const aci_sqlite_database *database, int error_number, agentchat_error *err)
{
    agentchat_status status = database->read_only ? AGENTCHAT_E_NOTFOUND : AGENTCHAT_E_IO;

    (void)agentchat_error_set(err, status, "there is no such file");
    set_native(err, error_number);
    return aci_sqlite_source(database, status, err);
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

/* The system's reason of a code that has one; 0 without. */
static int errno_of(sqlite3 *db, int code)
{
    bool has_reason = primary(code) == SQLITE_IOERR || primary(code) == SQLITE_CANTOPEN;

    return db != NULL && has_reason ? sqlite3_system_errno(db) : 0;
}

static const char *name_of(int code)
{
    if (code == SQLITE_READONLY_DIRECTORY)
        return "files beside it are needed, and its directory cannot be written";
    switch (primary(code)) {
    case SQLITE_NOTADB:
        return "the file is no SQLite database, or its beginning is damaged";
    case SQLITE_CORRUPT:
        return "the file is damaged";
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
        return "the tables are not what they should be";
    case SQLITE_FULL:
        return "the disk is full";
    case SQLITE_READONLY:
        return "the file or its directory cannot be written";
    case SQLITE_CANTOPEN:
        return "the file, or one beside it, cannot be opened";
    case SQLITE_IOERR:
        return "input or output failed";
    case SQLITE_TOOBIG:
        return "a text is longer than SQLite can hold";
    default:
        return sqlite3_errstr(code);
    }
}

/* Of all texts about damage only the one about a schema says more than the code: which entry, and why. */
static bool names_schema(sqlite3 *db, int code)
{
    static const char head[] = "malformed database schema";

    return primary(code) == SQLITE_CORRUPT && strncmp(sqlite3_errmsg(db), head, sizeof head - 1) == 0;
}

/* What the code means: the system's own words where it has given the reason; for tables that are not what they should
   be also SQLite's, which name the table. */
static void explain(sqlite3 *db, int code, char *buffer, size_t size)
{
    int error_number = errno_of(db, code);
    char detail[DETAIL_ROOM] = "";

    if (error_number != 0) {
        describe_errno(error_number, detail, sizeof detail);
        snprintf(buffer, size, "%s%s", detail, primary(code) == SQLITE_CANTOPEN ? ", for it or a file beside it" : "");
        return;
    }
    if (db != NULL && (primary(code) == SQLITE_ERROR || primary(code) == SQLITE_CONSTRAINT || names_schema(db, code)))
        aci_sqlite_printable(sqlite3_errmsg(db), detail, sizeof detail);
    if (detail[0] != '\0')
        snprintf(buffer, size, "%s (%s)", name_of(code), detail);
    else
        snprintf(buffer, size, "%s", name_of(code));
}

agentchat_status aci_sqlite_fail(const aci_sqlite_database *database, sqlite3 *db, int code, const char *what,
                                 aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = status_of(code);
    char reason[2 * DETAIL_ROOM];

    if (outcome != NULL)
        *outcome = status == AGENTCHAT_E_BUSY ? ACI_SQL_TRANSIENT : ACI_SQL_FINAL;
    explain(db, code, reason, sizeof reason);
    if (status == AGENTCHAT_E_NOMEM)
        (void)aci_sqlite_fail_nomem(database, err);
    else
        (void)agentchat_error_set(err, status, "%s: %s", what, reason);
    set_native(err, code);
    return aci_sqlite_source(database, status, err);
}

agentchat_status aci_sqlite_fail_on(const aci_sqlite_connection *connection, int code, const char *what,
                                    aci_sql_outcome *outcome, agentchat_error *err)
{
    const aci_sqlite_database *database = connection->database;
    bool was_stopped = primary(code) == SQLITE_INTERRUPT;

    if (was_stopped && connection->stop == ACI_SQLITE_STOP_TIME) {
        (void)agentchat_error_set(err, AGENTCHAT_E_LIMIT, "%s: it ran for longer than %lu ms, the limit of the store",
                                  what, (unsigned long)database->statement_ms);
        set_native(err, code);
        return aci_sqlite_source(database, AGENTCHAT_E_LIMIT, err);
    }
    if (was_stopped || (aci_sqlite_is_busy(code) && aci_sqlite_is_cancelled(connection))) {
        if (outcome != NULL)
            *outcome = ACI_SQL_FINAL;
        (void)agentchat_error_set(err, AGENTCHAT_E_CANCELLED, "the call was cancelled; it has changed nothing");
        return aci_sqlite_source(database, AGENTCHAT_E_CANCELLED, err);
    }
    if (!aci_sqlite_is_busy(code) || aci_sqlite_now_us() < connection->deadline_us)
        return aci_sqlite_fail(database, connection->db, code, what, outcome, err);
    *outcome = ACI_SQL_FINAL; /* it has been tried for as long as it may */
    (void)agentchat_error_set(err, AGENTCHAT_E_BUSY, "%s: others held the file for longer than %lu ms", what,
                              (unsigned long)database->wait_ms);
    set_native(err, code);
    return aci_sqlite_source(database, AGENTCHAT_E_BUSY, err);
}
