/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the server and libpq say, as errors and outcomes. The one table from SQLSTATE to status is here.
 *
 * Only the primary message of the server's is handed on: details hold values. The text comes from outside, so it is
 * made one line of harmless characters first. Nothing here ever sees a password: libpq does not repeat one, and strings
 * that could make it do so are refused by url.c.
 */
#include "driver.h"

#include <stdarg.h>
#include <string.h>

/* ---- filling a record ----------------------------------------------------------------------------------------- */

/* Copies text into a field; of a long one the end is kept, from the start of a character on. */
static void store_tail(char *field, size_t room, const char *text)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    size_t len = strlen(text), head = 0;

    if (len >= room) {
        head = sizeof ellipsis - 1;
        text += len - (room - 1 - head);
        while (((unsigned char)*text & 0xC0u) == 0x80u)
            text++;
        len = strlen(text);
        memcpy(field, ellipsis, head);
    }
    memcpy(field + head, text, len + 1);
}

static agentchat_status fail(const aci_postgres_connection *c, agentchat_status status, const char *sqlstate,
                             const char *message, agentchat_error *err)
{
    agentchat_error_set(err, status, "%s", message);
    if (err != NULL) {
        store_tail(err->source, sizeof err->source, c->source);
        if (strlen(sqlstate) < sizeof err->sqlstate)
            memcpy(err->sqlstate, sqlstate, strlen(sqlstate) + 1);
    }
    return status;
}

agentchat_status aci_postgres_fail(const aci_postgres_connection *c, agentchat_status status, agentchat_error *err,
                                   const char *format, ...)
{
    char message[ACI_POSTGRES_MESSAGE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail(c, status, "", message, err);
}

/* ---- SQLSTATE ------------------------------------------------------------------------------------------------- */

typedef struct meaning {
    const char *state; /* five characters, or two for a class */
    agentchat_status status;
    aci_sql_outcome outcome;
    const char *advice; /* put before the server's message, or NULL */
} meaning;

static const char by_session[] = "prepared statements do not last here (a connection pooler must work by session)";

static const meaning meanings[] = {
    {"08", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL},
    {"22021", AGENTCHAT_E_INVALID, ACI_SQL_FINAL, "a text is no UTF-8 or has a NUL in it"},
    {"22003", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, "a stored number is not what it should be"},
    {"22P02", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, "a stored text is not what it should be"},
    {"23505", AGENTCHAT_E_EXISTS, ACI_SQL_FINAL, NULL},
    {"28P01", AGENTCHAT_E_IO, ACI_SQL_FINAL, "the server rejects the password"},
    {"28000", AGENTCHAT_E_IO, ACI_SQL_FINAL,
     "the server does not let this user in from here (its roles and its pg_hba.conf decide)"},
    {"3D000", AGENTCHAT_E_IO, ACI_SQL_FINAL, "the server has no such database"},
    {"25006", AGENTCHAT_E_IO, ACI_SQL_FINAL,
     "the server accepts no writes (a standby, or default_transaction_read_only is on)"},
    {"25P03", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL}, /* idle_in_transaction_session_timeout */
    {"25P04", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL}, /* transaction_timeout */
    {"26000", AGENTCHAT_E_IO, ACI_SQL_FINAL, by_session},
    {"40001", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, NULL},
    {"40003", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL}, /* aci_postgres_leaves_open() */
    {"40P01", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, NULL},
    {"42P05", AGENTCHAT_E_IO, ACI_SQL_FINAL, by_session},
    {"42501", AGENTCHAT_E_IO, ACI_SQL_FINAL, NULL}, /* grants() says what to do */
    {"42", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, "the tables are not what they should be"},
    {"53100", AGENTCHAT_E_IO, ACI_SQL_FINAL, "the server's disk is full"},
    {"53200", AGENTCHAT_E_NOMEM, ACI_SQL_FINAL, "the server is out of memory"},
    {"53300", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, "the server has no connection left"},
    {"54", AGENTCHAT_E_LIMIT, ACI_SQL_FINAL, NULL},
    {"55P03", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, "others held what is needed for too long"},
    {"57P01", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL},
    {"57P02", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL},
    {"57P03", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL},
    {"57P05", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL}, /* idle_session_timeout */
    {"XX001", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, NULL},
    {"XX002", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, NULL},
};

static const meaning *meaning_of(const char *sqlstate)
{
    static const meaning other = {"", AGENTCHAT_E_IO, ACI_SQL_FINAL, NULL};

    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (strncmp(sqlstate, meanings[i].state, strlen(meanings[i].state)) == 0)
            return &meanings[i];
    }
    return &other;
}

bool aci_postgres_passes(const char *sqlstate)
{
    return meaning_of(sqlstate)->outcome == ACI_SQL_TRANSIENT;
}

bool aci_postgres_is_goodbye(const char *sqlstate)
{
    return strncmp(sqlstate, "57P0", 4) == 0;
}

/* What to do where a right is missing; the server's message says which. */
static const char *grants(const aci_postgres_connection *c)
{
    return c->is_making ? "grant the user CREATE on the database, or have another make the tables"
                        : "grant the user USAGE on schema agentchat and SELECT, INSERT, UPDATE, DELETE on its tables";
}

agentchat_status aci_postgres_fail_state(const aci_postgres_connection *c, const char *sqlstate, const char *message,
                                         aci_sql_outcome *outcome, agentchat_error *err)
{
    const meaning *meant = meaning_of(sqlstate);
    char text[ACI_POSTGRES_MESSAGE];

    if (strcmp(sqlstate, "42501") == 0)
        snprintf(text, sizeof text, "%s: %s", message, grants(c));
    else if (meant->advice != NULL)
        snprintf(text, sizeof text, "%s: %s", meant->advice, message);
    else
        snprintf(text, sizeof text, "%s", message[0] != '\0' ? message : "the server gave no reason");
    *outcome = meant->outcome;
    return fail(c, meant->status, sqlstate, text, err);
}

/* ---- failures of a connection --------------------------------------------------------------------------------- */

static const char *field(const PGresult *result, int which)
{
    const char *value = PQresultErrorField(result, which);

    return value != NULL ? value : "";
}

/* The failure is the last thing that is said on the connection. */
static bool is_last(const PGresult *result)
{
    const char *severity = field(result, PG_DIAG_SEVERITY_NONLOCALIZED);

    if (severity[0] == '\0') /* as poolers say it */
        severity = field(result, PG_DIAG_SEVERITY);
    return strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0;
}

bool aci_postgres_leaves_open(const PGresult *result)
{
    const char *sqlstate = field(result, PG_DIAG_SQLSTATE);
    bool is_foreign = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED) == NULL; /* no server leaves it out */
    bool is_broken = strncmp(sqlstate, "08", 2) == 0;

    return strcmp(sqlstate, "40003") == 0 || (is_last(result) ? is_foreign || is_broken : is_foreign && is_broken);
}

agentchat_status aci_postgres_fail_result(aci_postgres_connection *c, const PGresult *result, bool commits,
                                          aci_sql_outcome *outcome, agentchat_error *err)
{
    const char *sqlstate = field(result, PG_DIAG_SQLSTATE), *primary = field(result, PG_DIAG_MESSAGE_PRIMARY);
    char message[ACI_POSTGRES_MESSAGE];
    agentchat_status status;

    if (strlen(sqlstate) != 5) /* libpq made this result itself */
        return aci_postgres_fail_lost(c, commits, outcome, err);
    aci_postgres_one_line(message, sizeof message, primary, strlen(primary));
    status = aci_postgres_fail_state(c, sqlstate, message, outcome, err);
    if (is_last(result) || aci_postgres_leaves_open(result)) {
        c->is_lost = true;
        *outcome = commits ? ACI_SQL_UNCERTAIN : meaning_of(sqlstate)->outcome;
    }
    if (strcmp(sqlstate, "26000") == 0 || strcmp(sqlstate, "42P05") == 0)
        c->is_lost = true; /* what is known of its prepared statements is wrong */
    return status;
}

agentchat_status aci_postgres_fail_unawaited(const aci_postgres_connection *c, agentchat_error *err)
{
    return aci_postgres_fail(
        c, AGENTCHAT_E_IO, err,
        "the server's wait for its standby was ended: what was written stands here, but may be lost "
        "with this server");
}

bool aci_postgres_lacks_memory(const aci_postgres_connection *c)
{
    const char *said = PQerrorMessage(c->conn);

    return strstr(said, "out of memory") != NULL || strstr(said, "cannot allocate memory") != NULL;
}

/* Why a connection is lost. Returns the status that goes with it. */
static agentchat_status reason_of_loss(const aci_postgres_connection *c, bool commits, char *message, size_t room)
{
    const char *said = PQerrorMessage(c->conn);

    if (c->is_silent) {
        snprintf(message, room, "it said nothing for %lld ms%s", (long long)c->silence_ms,
                 commits ? " (a standby that it waits for may be down)" : "");
    } else if (c->goodbye[0] != '\0') {
        snprintf(message, room, "it was shut down");
    } else if (aci_postgres_lacks_memory(c) || (PQstatus(c->conn) == CONNECTION_OK && !c->is_lost)) {
        /* Nothing but memory makes libpq fail on a connection that stands. */
        return AGENTCHAT_E_NOMEM;
    } else {
        aci_postgres_one_line(message, room, said, strcspn(said, "\n")); /* what follows are guesses of libpq's */
        if (message[0] == '\0' || PQstatus(c->conn) == CONNECTION_OK)
            snprintf(message, room, "the connection is not fit for use any more");
    }
    return AGENTCHAT_E_IO;
}

agentchat_status aci_postgres_fail_lost(aci_postgres_connection *c, bool commits, aci_sql_outcome *outcome,
                                        agentchat_error *err)
{
    char message[ACI_POSTGRES_MESSAGE];
    agentchat_status status = reason_of_loss(c, commits, message, sizeof message);

    c->is_lost = true;
    *outcome = commits ? ACI_SQL_UNCERTAIN : ACI_SQL_TRANSIENT;
    if (c->is_late && c->is_heard && !commits)
        return aci_postgres_fail(c, AGENTCHAT_E_BUSY, err, "others held what is needed for too long");
    if (status == AGENTCHAT_E_NOMEM) {
        if (!commits)
            *outcome = ACI_SQL_FINAL;
        return aci_postgres_fail(c, status, err, "out of memory");
    }
    aci_postgres_fail(c, status, err, "the server was lost%s: %s", commits ? " while committing" : "", message);
    if (err != NULL)
        memcpy(err->sqlstate, c->goodbye, sizeof c->goodbye);
    return status;
}
