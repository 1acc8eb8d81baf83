/* SPDX-License-Identifier: Apache-2.0 */
/* Statements: preparing and running them, what they may do, how long they wait, what SQLite says as errors. */
#include "store/sqlite/driver.h"

#include <locale.h>
#include <string.h>
#include <time.h>

/* ==== call ======================================================================================================= */
/*
 * The call that a connection works for: whether it was cancelled, how long it may run and wait for others. Backend of
 * SQLite.
 *
 * SQLite's own timeout sleeps longer each time, up to 100 ms, so that who came last wins again and again and who
 * waits longest starves. Pauses here are short, random and never grow.
 */

#define SHORTEST_US 200
#define LONGEST_US 2000

int64_t aci_sqlite_now_us(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void aci_sqlite_attach(void *self, const aci_sql_host *host)
{
    aci_sqlite_database *database = self;

    database->host = host;
}

void aci_sqlite_serve(void *connection, const aci_sql_call *call)
{
    aci_sqlite_connection *c = connection;

    c->call = *call;
}

void aci_sqlite_allow(void *connection, uint32_t wait_ms)
{
    aci_sqlite_connection *c = connection;

    c->wait_ms = wait_ms;
}

/* Whether the call that the connection works for was cancelled. */
static bool sqlite_is_cancelled(const aci_sqlite_connection *c)
{
    const aci_sql_host *host = c->database->host;

    return host != NULL && host->interrupts(host) != c->call.interrupts;
}

void aci_sqlite_start_statement(aci_sqlite_connection *c)
{
    c->until_us = c->call.unbounded ? INT64_MAX : aci_sqlite_now_us() + (int64_t)c->database->statement_ms * 1000;
}

void aci_sqlite_start_waiting(aci_sqlite_connection *connection)
{
    connection->deadline_us = aci_sqlite_now_us() + (int64_t)connection->wait_ms * 1000;
    aci_sqlite_start_statement(connection);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int aci_sqlite_wait(void *connection, int count)
{
    aci_sqlite_connection *c = connection;
    int64_t left = c->deadline_us - aci_sqlite_now_us();
    int64_t pause = SHORTEST_US + (int64_t)(next_random(&c->random) % (LONGEST_US - SHORTEST_US + 1));
    struct timespec time = {0, 0};

    (void)count;
    if (left <= 0 || sqlite_is_cancelled(c))
        return 0;
    time.tv_nsec = (long)(pause < left ? pause : left) * 1000;
    (void)nanosleep(&time, NULL);
    return 1;
}

/* ==== text that comes out of a file: checking it, and showing foreign text in messages =========================== */

/* Backend of SQLite. */

/* Bytes of the character of several bytes at p; 0 when it is not valid UTF-8. */
static size_t wide_char(const unsigned char *p, size_t left)
{
    unsigned char lead = p[0];
    unsigned char lowest = 0x80, highest = 0xBF; /* of the second byte */
    size_t size;

    if (lead >= 0xC2 && lead <= 0xDF)
        size = 2;
    else if (lead >= 0xE0 && lead <= 0xEF)
        size = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        size = 4;
    else
        return 0;
    if (lead == 0xE0)
        lowest = 0xA0; /* shorter forms exist */
    else if (lead == 0xED)
        highest = 0x9F; /* surrogates */
    else if (lead == 0xF0)
        lowest = 0x90;
    else if (lead == 0xF4)
        highest = 0x8F; /* beyond U+10FFFF */
    if (left < size || p[1] < lowest || p[1] > highest)
        return 0;
    for (size_t i = 2; i < size; i++) {
        if (p[i] < 0x80 || p[i] > 0xBF)
            return 0;
    }
    return size;
}

/* Whether eight bytes are ASCII without NUL: no highest bit is set, and subtracting 1 from each sets none either. */
static bool is_plain(const unsigned char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    return ((word | (word - UINT64_C(0x0101010101010101))) & UINT64_C(0x8080808080808080)) == 0;
}

bool aci_sqlite_is_text(const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t at = 0;

    while (at < len) {
        size_t size = 1;

        if (len - at >= sizeof(uint64_t) && is_plain(p + at))
            size = sizeof(uint64_t);
        else if (p[at] == '\0')
            return false;
        else if (p[at] >= 0x80)
            size = wide_char(p + at, len - at);
        if (size == 0)
            return false;
        at += size;
    }
    return true;
}

void aci_sqlite_printable(const char *text, char *buffer, size_t size)
{
    size_t at = 0;

    for (; text[at] != '\0' && at + 1 < size; at++)
        buffer[at] = (text[at] >= ' ' && text[at] <= '~') ? text[at] : '?';
    buffer[at] = '\0';
}

/* ==== errors: what SQLite's result codes mean here =============================================================== */

/* Backend of SQLite.

   The statements are the library's own and have been checked before, and what they insert has been looked for in
   the same transaction. So when SQLite does not understand one, or finds two rows with one key, it is the tables
   that are not what they should be, and that is a damaged file. */

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
    if (was_stopped || (aci_sqlite_is_busy(code) && sqlite_is_cancelled(connection))) {
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

/* ==== statements: preparing them, and running the driver's own =================================================== */

/* Backend of SQLite. */

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
        (void)sqlite3_finalize(c->prepared[i]);
    aci_driver_free(c->database->env, c->prepared, c->prepared_cap * sizeof *c->prepared);
}

/* ==== the statements of the library, prepared once for each connection =========================================== */

/* Backend of SQLite. */

enum { LEAST_SLOTS = 64 }; /* a power of two */

/* The slot of the statement of that text, or the free one where it would stand; the table has such. */
static sqlite3_stmt **slot_of(sqlite3_stmt **table, size_t cap, const char *text)
{
    for (size_t at = (size_t)aci_sql_text_hash(text);; at++) {
        sqlite3_stmt **slot = &table[at & (cap - 1)];

        if (*slot == NULL || strcmp(sqlite3_sql(*slot), text) == 0)
            return slot;
    }
}

/* Keeps at least a half of the table free. */
static bool reserve(aci_sqlite_connection *c)
{
    const agentchat_env *env = c->database->env;
    size_t cap = c->prepared_cap > 0 ? c->prepared_cap * 2 : LEAST_SLOTS;
    sqlite3_stmt **table;

    if (c->prepared_count * 2 < c->prepared_cap)
        return true;
    table = aci_driver_alloc(env, cap * sizeof *table);
    if (table == NULL)
        return false;
    for (size_t i = 0; i < c->prepared_cap; i++) {
        if (c->prepared[i] != NULL)
            *slot_of(table, cap, sqlite3_sql(c->prepared[i])) = c->prepared[i];
    }
    aci_driver_free(env, c->prepared, c->prepared_cap * sizeof *c->prepared);
    c->prepared = table;
    c->prepared_cap = cap;
    return true;
}

agentchat_status aci_sqlite_prepared_of(aci_sqlite_connection *c, const aci_sql_statement *statement,
                                        sqlite3_stmt **out, aci_sql_outcome *outcome, agentchat_error *err)
{
    sqlite3_stmt **slot;
    int code;

    *out = NULL;
    if (!reserve(c))
        return aci_sqlite_fail_nomem(c->database, err);
    slot = slot_of(c->prepared, c->prepared_cap, statement->text);
    if (*slot == NULL) {
        do
            code = aci_sqlite_prepare(c, statement->text, true, slot);
        while (aci_sqlite_is_busy(code) && aci_sqlite_wait(c, 0) != 0);
        if (code != SQLITE_OK)
            return aci_sqlite_fail_on(c, code, "cannot prepare a statement", outcome, err);
        c->prepared_count++;
    }
    *out = *slot;
    return AGENTCHAT_OK;
}

/* ==== guard ====================================================================================================== */
/*
 * What keeps a connection from doing what nobody has asked for: settings and limits, who may stop a statement, and
 * what may be looked at while the schema of a file is read. Backend of SQLite.
 */

#define STEPS 1000     /* of SQLite's machine between two looks at the clock */
#define LOAD_LOOKS 100 /* so often while a schema is read: a hundred times what a store's takes */
#define LOAD_LENGTH 200000

/* ---- settings -------------------------------------------------------------------------------------------------- */

static const struct {
    int option, value;
} options[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_ENABLE_FKEY, 0},
    {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    {SQLITE_DBCONFIG_DQS_DML, 0}, /* a name in double quotes is never a text */
    {SQLITE_DBCONFIG_DQS_DDL, 0},
};

static const struct {
    int limit, value;
} limits[] = {
    {SQLITE_LIMIT_SQL_LENGTH, 100000},     {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 100},        {SQLITE_LIMIT_COMPOUND_SELECT, 20},
    {SQLITE_LIMIT_FUNCTION_ARG, 32},       {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 1000},  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_WORKER_THREADS, 0},      {SQLITE_LIMIT_VDBE_OP, 100000},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1},
};

/* ---- stopping -------------------------------------------------------------------------------------------------- */

/* SQLite's progress handler; not 0: the statement ends. */
static int look_around(void *connection)
{
    aci_sqlite_connection *c = connection;

    if (c->guard == ACI_SQLITE_ENDING)
        return 0;
    if (c->guard == ACI_SQLITE_LOADING && c->looks++ >= LOAD_LOOKS)
        c->stop = ACI_SQLITE_STOP_LOAD;
    else if (sqlite_is_cancelled(c))
        c->stop = ACI_SQLITE_STOP_CANCELLED;
    else if (aci_sqlite_now_us() >= c->until_us)
        c->stop = ACI_SQLITE_STOP_TIME;
    else
        return 0;
    return 1;
}

/* ---- reading a schema ------------------------------------------------------------------------------------------ */

static bool begins_with(const char *text, const char *head)
{
    return text != NULL && strncmp(text, head, strlen(head)) == 0;
}

/* SQLite's authorizer. While it reads a schema, SQLite also reads tables of statistics when there are such, which may
   be anything: at no time is one of them looked at. */
static int authorize(void *connection, int action, const char *first, const char *second, const char *schema,
                     const char *inner)
{
    const aci_sqlite_connection *c = connection;

    (void)second;
    (void)schema;
    (void)inner;
    if (action == SQLITE_READ && begins_with(first, "sqlite_stat"))
        return SQLITE_DENY;
    if (c->guard != ACI_SQLITE_LOADING)
        return SQLITE_OK;
    if (action == SQLITE_READ)
        return strcmp(first, "sqlite_master") == 0 || strcmp(first, "sqlite_schema") == 0 ? SQLITE_OK : SQLITE_DENY;
    return action == SQLITE_SELECT || action == SQLITE_PRAGMA || action == SQLITE_TRANSACTION ? SQLITE_OK : SQLITE_DENY;
}

void aci_sqlite_begin_loading(aci_sqlite_connection *c)
{
    c->guard = ACI_SQLITE_LOADING;
    c->looks = 0;
    c->length = sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, LOAD_LENGTH);
}

void aci_sqlite_end_loading(aci_sqlite_connection *c)
{
    (void)sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, c->length);
    c->guard = ACI_SQLITE_ORDINARY;
}

/* An SQLite that is older than its header does not know all of these, and needs none. */
void aci_sqlite_allow_copy(aci_sqlite_connection *c, bool allowed)
{
    (void)sqlite3_limit(c->db, SQLITE_LIMIT_ATTACHED, allowed ? 1 : 0);
#if defined(SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE)
    (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, allowed ? 1 : 0, (int *)NULL);
#endif
#if defined(SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE)
    (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, allowed ? 1 : 0, (int *)NULL);
#endif
}

int aci_sqlite_set_guard(aci_sqlite_connection *c)
{
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof options / sizeof options[0] && code == SQLITE_OK; i++)
        code = sqlite3_db_config(c->db, options[i].option, options[i].value, (int *)NULL);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        (void)sqlite3_limit(c->db, limits[i].limit, limits[i].value);
    aci_sqlite_allow_copy(c, false);
    sqlite3_progress_handler(c->db, STEPS, look_around, c);
    if (code == SQLITE_OK)
        code = sqlite3_set_authorizer(c->db, authorize, c);
    return code == SQLITE_OK ? sqlite3_busy_handler(c->db, aci_sqlite_wait, c) : code;
}
