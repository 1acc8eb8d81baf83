/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store for services: its connections, transactions made of batches, the layout of its tables, rows, checks.
 *
 * A piece of work is a function that queues statements and runs them in batches; aci_transact() gives it a connection
 * and, where the database says that it may succeed if tried again, calls it again. So a piece of work must be able to
 * start anew: it changes nothing outside but its own results.
 */
#ifndef ACI_STORE_CORE_SQL_H
#define ACI_STORE_CORE_SQL_H

#include "base/arena.h"
#include "base/env.h"
#include "base/sha256.h"
#include "store/core/driver.h"
#include <agentchat/base.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* ==== the store: its connections, transactions made of batches, and the layout of its tables ===================== */

/* A statement as each dialect spells it, by aci_sql_dialect; text NULL: that one needs none. */
typedef struct aci_statement {
    aci_sql_statement of[2];
} aci_statement;

typedef struct aci_store_check aci_store_check; /* below */

/* A part of the library that keeps something in tables of its own. */
typedef struct aci_service {
    aci_sql_tables tables[2]; /* by aci_sql_dialect */
    aci_statement version;    /* ACI_SERVICE_VERSION() */
    /* Looks through its tables, for agentchat_store_check(). */
    agentchat_status (*check)(aci_store_check *check, agentchat_error *err);
} aci_service;
/* What gives the row of a service; number: the one that its statements have. */
#define ACI_SERVICE_VERSION(number, name)                                                                              \
    {                                                                                                                  \
        {                                                                                                              \
            {ACI_SQL_CORE, (number), "SELECT version, reader, writer FROM service WHERE name = '" name "'"},           \
            {                                                                                                          \
                ACI_SQL_CORE, (number), "SELECT version, reader, writer FROM service WHERE name = '" name "'"          \
            }                                                                                                          \
        }                                                                                                              \
    }
/* All of them, by the number of their statements, which begins with 1; src/services/services.c */
extern const aci_service *const aci_services[];
extern const size_t aci_service_count;

struct agentchat_store {
    const agentchat_env *env;
    const aci_sql_driver *driver;
    void *self;        /* the driver's */
    aci_sql_host host; /* what the driver is given of the store: */
    aci_sql_tables tables[ACI_SQL_MOST_SERVICES];
    atomic_uint lacks;      /* services without tables, a bit each: the store is only read */
    atomic_uint interrupts; /* counted up by signal handlers, too */
    bool read_only;
    uint32_t wait_ms;
    int64_t memory_ttl_us;
    uint32_t step_rows; /* rows that one of the transactions of a long call works on; 0: as many as take little time.
                           Tests set it */
    /* ---- under the lock ---- */
    pthread_mutex_t lock;
    pthread_cond_t freed; /* a connection came back, or its slot became free */
    void **idle;          /* connections that nobody uses; room for `most` of them */
    uint32_t idle_count;
    uint32_t open; /* connections that are idle, in use, or being opened */
    uint32_t most;
};

/* ---- time ----------------------------------------------------------------------------------------------------- */

/* Milliseconds that only ever grow. */
int64_t aci_sql_clock_ms(void);
/* Waits for a moment that grows with the number of attempts and is never quite the same. */
void aci_sql_clock_pause(unsigned attempts);

/* ---- calls ---------------------------------------------------------------------------------------------------- */

/* What a public call begins with that makes more than one transaction; aci_transact() does it for those of one. */
aci_sql_call aci_sql_call_begin(const agentchat_store *store, bool unbounded);
/* E_CANCELLED when it was. */
agentchat_status aci_sql_call_go_on(const agentchat_store *store, const aci_sql_call *call, agentchat_error *err);

/* ---- transactions --------------------------------------------------------------------------------------------- */

typedef struct aci_tx {
    agentchat_store *store;
    aci_sql_call call;
    void *connection;
    bool writes;
    bool begun;       /* the transaction has been begun */
    bool ended;       /* it is over: committed, or lost by a failure */
    bool repeated;    /* an earlier attempt may have been committed although that was not confirmed */
    bool failed;      /* out of memory while queueing */
    bool is_shared;   /* by several pieces of work: none of them commits it */
    unsigned allowed; /* so many of the versions that this transaction has found let it read or write */
    bool expects_no_tables;
    const aci_service *service; /* that it works for */
    const aci_service *also;    /* whose tables it writes, too; NULL: no others */
    bool skips;                 /* the statement queued last is none in this dialect: its parameters go nowhere */
    aci_sql_request *requests;
    size_t count, cap;
    size_t ran, first;     /* statements of the last batch; those of versions that were put before them */
    aci_sql_value *values; /* parameters of all requests, one after the other */
    size_t value_count, value_cap;
    aci_sql_outcome outcome;     /* of the batch that failed */
    agentchat_status row_status; /* the first failure of a row function */
    agentchat_error row_error;
} aci_tx;

/* A piece of work. It must run its last batch with commit; else what it wrote is rolled back.

   Work that writes may also find that there is nothing to do: it was done before, or stands in the way (E_EXISTS,
   E_CONFLICT, E_NOTFOUND). This is reported to the caller only when what was seen is as durable as a commit would
   be. */
typedef agentchat_status (*aci_work)(aci_tx *tx, void *user, agentchat_error *err);
/* Runs work in a transaction, and again for as long as the database says that it may succeed and the store's wait is
   not over: one deadline for a connection, for locks and for a server that has gone. */
agentchat_status aci_transact(agentchat_store *store, bool writes, aci_work work, void *user, agentchat_error *err);
/* The same as a part of a call that has begun before. */
agentchat_status aci_transact_in(agentchat_store *store, const aci_sql_call *call, bool writes, aci_work work,
                                 void *user, agentchat_error *err);

/* Before its first batch: the transaction, which writes, works for another service, too. */
void aci_transact_also(aci_tx *tx, const aci_service *service);
/* Queues a statement, then its parameters in their order. Texts and bytes are borrowed until the batch has run. Row
   functions may fail: aci_transact_run() then fails after the batch with their first error; but not when it has
   committed what was written, which stands: then only tx->row_status reports it. */
void aci_transact_add(aci_tx *tx, const aci_statement *statement, aci_sql_row_fn row, void *user);
void aci_transact_text(aci_tx *tx, agentchat_str text);   /* absent: NULL */
void aci_transact_bytes(aci_tx *tx, agentchat_str bytes); /* absent: NULL */
void aci_transact_integer(aci_tx *tx, int64_t integer);
/* Several of them: ACI_BIND(tx, ACI_INT(number), ACI_TEXT(name)). */
void aci_transact_bind(aci_tx *tx, const aci_sql_value *values, size_t count);
#define ACI_INT(value) ((aci_sql_value){ACI_SQL_INTEGER, (value), {NULL, 0}})
#define ACI_TEXT(...) ((aci_sql_value){ACI_SQL_TEXT, 0, __VA_ARGS__})
#define ACI_BYTES(...) ((aci_sql_value){ACI_SQL_BYTES, 0, __VA_ARGS__})
#define ACI_BIND(tx, ...)                                                                                              \
    aci_transact_bind(tx, (const aci_sql_value[]){__VA_ARGS__},                                                        \
                      sizeof((const aci_sql_value[]){__VA_ARGS__}) / sizeof(aci_sql_value))
/* A statement with its parameters. */
#define ACI_ASK(tx, statement, row, user, ...) (aci_transact_add(tx, statement, row, user), ACI_BIND(tx, __VA_ARGS__))
/* Runs what is queued as one batch. The first batch of a transaction that writes must not be the one that commits: it
   checks whether this program may write at all. */
agentchat_status aci_transact_run(aci_tx *tx, bool commit, agentchat_error *err);
/* Rows that statement `index` of the last batch changed, counted from 0 as they were queued. */
uint64_t aci_transact_changed(const aci_tx *tx, size_t index);

/* Columns of a row, for row functions: E_CORRUPT when there is no such column or it has another type. */
agentchat_status aci_transact_column_integer(const aci_sql_value *columns, size_t count, size_t index, int64_t *out,
                                             agentchat_error *err);
agentchat_status aci_transact_column_text(const aci_sql_value *columns, size_t count, size_t index, agentchat_str *out,
                                          agentchat_error *err);
agentchat_status aci_transact_column_bytes(const aci_sql_value *columns, size_t count, size_t index, agentchat_str *out,
                                           agentchat_error *err);

/* ---- connections ---------------------------------------------------------------------------------------------- */

/* A connection for a call: an idle one or a new one. Waits until deadline_ms for one to come back or for the right to
   open one, and for it to be opened where the driver supports that. */
agentchat_status aci_pool_take(agentchat_store *store, const aci_sql_call *call, int64_t deadline_ms, void **connection,
                               aci_sql_outcome *outcome, agentchat_error *err);
/* Gives it back. One that is not alive is closed, and those that are idle with it: what has ended the one has probably
   ended them too, and each would have to be found out on its own. Returns whether it was alive. */
bool aci_pool_give(agentchat_store *store, void *connection);
void aci_pool_close(agentchat_store *store);
/* Lets a connection wait for others until the deadline. */
void aci_pool_allow(const agentchat_store *store, void *connection, int64_t deadline_ms);
/* Adds to an error what the connection leads to, where the driver knows it and the error does not say so yet. */
void aci_pool_source(const agentchat_store *store, void *connection, agentchat_error *err);

/* Leaves nothing of what was deleted in a file of the store, where the driver has files. E_BUSY. */
agentchat_status aci_pool_scrub(agentchat_store *store, const aci_sql_call *call, agentchat_error *err);

/* ---- layout --------------------------------------------------------------------------------------------------- */

/* Whether a program that knows `known` may read, or write to, tables of that version: else E_VERSION. of: whose they
   are; NULL: the versions'. */
agentchat_status aci_sql_layout_check(const aci_sql_version *version, uint32_t known, const char *of, bool writes,
                                      agentchat_error *err);

/* ==== checking a store: what its services share, which each look through their own tables ======================== */

typedef struct aci_check_finding {
    char *problem; /* aci_strdup(); NULL: the part is intact */
    char *part;
    size_t problem_len, part_len;
} aci_check_finding;

struct aci_store_check {
    agentchat_store *store;
    aci_sql_call call;
    const agentchat_env *env;
    agentchat_store_check_fn each;
    void *user;
    aci_check_finding *findings;
    size_t count, cap;
    bool stopped; /* the caller has seen enough */
    uint64_t bad; /* problems of the part under way; for who looks at it */
};

/* Notes that a part is intact (problem: NULL), or what is wrong with it. */
agentchat_status aci_check_note(aci_store_check *c, const char *part, const char *problem, agentchat_error *err);
agentchat_status aci_check_problem(aci_store_check *c, const char *part, agentchat_error *err, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
/* Reports to the caller what was noted; not while a transaction is open. */
agentchat_status aci_check_report(aci_store_check *c, agentchat_error *err);
/* Runs a part of a check as one transaction that reads, then reports. What makes that impossible is a finding about
   `part`, and sets *lost. Does nothing when the caller has seen enough. */
agentchat_status aci_check_run(aci_store_check *c, const char *part, aci_work work, void *user, bool *lost,
                               agentchat_error *err);
/* Forgets what was noted, as when a transaction is tried again. */
void aci_check_drop(aci_store_check *c);

/* ==== cursors of lists that are read by pages: some texts as one printable text and back ========================= */

/* base64 of `1` and the parts, which have no NUL in them, each after a NUL; NUL-terminated, in the arena. NULL: out of
   memory. */
const char *aci_sql_cursor_make(aci_arena *arena, const agentchat_str *parts, size_t count);
/* The parts, NUL-terminated. E_INVALID when it is no cursor with so many of them; `of`: of what list. */
agentchat_status aci_sql_cursor_read(aci_arena *arena, const char *cursor, agentchat_str *parts, size_t count,
                                     const char *of, agentchat_error *err);

/* ==== long calls, in many short transactions ===================================================================== */

/* A step is a transaction that writes; between two of them others get their turn. How many rows a step works on
   follows from how long the one before took. */

typedef struct aci_steps {
    agentchat_store *store;
    aci_sql_call call;
    size_t rows;            /* that the next step may write; 2 KiB of a body count as one */
    bool any;               /* a step has been committed */
    bool is_all_or_nothing; /* nobody sees what the steps do but the last */
    int64_t locked_us;      /* when the one that runs got its lock */
    int64_t worked_us;      /* how long it worked then */
} aci_steps;

void aci_steps_begin(aci_steps *steps, agentchat_store *store);
/* Runs a step. Its work calls the next two. Once a step has been committed, the error of a later one that is cancelled
   says so. */
agentchat_status aci_steps_run(aci_steps *steps, aci_work work, void *user, agentchat_error *err);
/* Runs the first batch, which locks a row. */
agentchat_status aci_steps_lock(aci_steps *steps, aci_tx *tx, agentchat_error *err);
/* Runs what is queued, without committing it yet, and looks at the time. */
agentchat_status aci_steps_write(aci_steps *steps, aci_tx *tx, agentchat_error *err);
/* Looks at the store between two steps, in a transaction that reads. */
agentchat_status aci_steps_look(aci_steps *steps, aci_work work, void *user, agentchat_error *err);

/* ==== tables that describe themselves ============================================================================ */

/* A table's columns are a list of C(STRUCT, member, column, KIND), where KIND is INTEGER (int64_t), TEXT or BYTES
   (agentchat_str), MAYBE_TEXT (absent: NULL) or MAYBE_INTEGER (with a bool has_MEMBER). The columns that say whose a
   row is stand in a list of their own, in front. From these lists come the statements that make the table in either
   database, the lists of columns in statements, and the aci_table by which rows are read and written. Each row ends
   with a checksum of all columns but the owner's, so that copies of a row under another owner have the same. */
typedef struct aci_column {
    aci_sql_type type;
    bool may_be_null;
    size_t offset; /* of the member */
    size_t has;    /* of the bool, of an integer that may be null */
} aci_column;

typedef struct aci_table {
    const char *row; /* what a row is, in messages: with an owner, the first column after it follows, "event 5" */
    const aci_column *columns;
    size_t count, owner; /* owner: so many in front say whose the row is */
    size_t keys;         /* so many after these are its key among the owner's rows; 0: it is not read by pages */
    size_t salt;         /* offset of an integer that the checksum covers, too, and no column holds; 0: none */
} aci_table;

#define ACI_COLUMN_INTEGER(row, member) {ACI_SQL_INTEGER, false, offsetof(row, member), 0},
#define ACI_COLUMN_TEXT(row, member) {ACI_SQL_TEXT, false, offsetof(row, member), 0},
#define ACI_COLUMN_BYTES(row, member) {ACI_SQL_BYTES, false, offsetof(row, member), 0},
#define ACI_COLUMN_MAYBE_TEXT(row, member) {ACI_SQL_TEXT, true, offsetof(row, member), 0},
#define ACI_COLUMN_MAYBE_INTEGER(row, member)                                                                          \
    {ACI_SQL_INTEGER, true, offsetof(row, member), offsetof(row, has_##member)},
#define ACI_SQLITE_INTEGER " INTEGER NOT NULL, "
#define ACI_SQLITE_TEXT " TEXT NOT NULL, "
#define ACI_SQLITE_BYTES " BLOB NOT NULL, "
#define ACI_SQLITE_MAYBE_TEXT " TEXT, "
#define ACI_SQLITE_MAYBE_INTEGER " INTEGER, "
#define ACI_POSTGRES_INTEGER " BIGINT NOT NULL, "
#define ACI_POSTGRES_TEXT " TEXT COLLATE \"C\" NOT NULL, "
#define ACI_POSTGRES_BYTES " BYTEA NOT NULL, "
#define ACI_POSTGRES_MAYBE_TEXT " TEXT COLLATE \"C\", "
#define ACI_POSTGRES_MAYBE_INTEGER " BIGINT, "
/* What a list becomes: COLUMNS(ACI_COLUMN) in an array of aci_column, COLUMNS(ACI_NAME) "sum" in a statement. */
#define ACI_COLUMN(row, member, name, kind) ACI_COLUMN_##kind(row, member)
#define ACI_NAME(row, member, name, kind) #name ", "
#define ACI_IN_SQLITE(row, member, name, kind) #name ACI_SQLITE_##kind
#define ACI_IN_POSTGRES(row, member, name, kind) #name ACI_POSTGRES_##kind
/* The statements that make a table. more: between the columns and their end, as "PRIMARY KEY(id)". */
#define ACI_CREATE_SQLITE(name, columns, more)                                                                         \
    "CREATE TABLE " name "(" columns(ACI_IN_SQLITE) "sum INTEGER NOT NULL, PRIMARY KEY(" more ")) STRICT"
#define ACI_CREATE_POSTGRES(name, columns, more)                                                                       \
    "CREATE TABLE " name "(" columns(ACI_IN_POSTGRES) "sum BIGINT NOT NULL, PRIMARY KEY(" more "));\n"
/* "INSERT INTO name(columns, sum) VALUES($1, …)": values is ACI_VALUES_N, N with the sum. */
#define ACI_INSERT(name, columns, values) "INSERT INTO " name "(" columns(ACI_NAME) "sum) VALUES(" values ")"
#define ACI_VALUES_2 "$1, $2"
#define ACI_VALUES_3 ACI_VALUES_2 ", $3"
#define ACI_VALUES_4 ACI_VALUES_3 ", $4"
#define ACI_VALUES_5 ACI_VALUES_4 ", $5"
#define ACI_VALUES_6 ACI_VALUES_5 ", $6"
#define ACI_VALUES_7 ACI_VALUES_6 ", $7"
#define ACI_VALUES_8 ACI_VALUES_7 ", $8"
#define ACI_VALUES_9 ACI_VALUES_8 ", $9"
#define ACI_VALUES_10 ACI_VALUES_9 ", $10"
#define ACI_VALUES_11 ACI_VALUES_10 ", $11"
#define ACI_VALUES_12 ACI_VALUES_11 ", $12"
#define ACI_VALUES_13 ACI_VALUES_12 ", $13"
#define ACI_VALUES_14 ACI_VALUES_13 ", $14"
#define ACI_VALUES_15 ACI_VALUES_14 ", $15"
#define ACI_VALUES_16 ACI_VALUES_15 ", $16"
#define ACI_VALUES_17 ACI_VALUES_16 ", $17"

/* A table of a row's name in messages, an array of columns, and how many of them are the owner's and the key. */
#define ACI_TABLE(row, columns, owner, keys) ACI_SALTED_TABLE(row, columns, owner, keys, 0)
#define ACI_SALTED_TABLE(row, columns, owner, keys, salt)                                                              \
    {                                                                                                                  \
        row, columns, sizeof(columns) / sizeof *(columns), owner, keys, salt                                           \
    }

/* Binds a row to the statement that was queued last, whose next parameters are all columns and the checksum. */
void aci_table_bind(aci_tx *tx, const aci_table *table, const void *row);
/* The checksum alone: bound, or as a number; E_NOMEM. */
agentchat_status aci_table_sum_row(const aci_table *table, const void *row, int64_t *out, agentchat_error *err);
void aci_table_bind_sum(aci_tx *tx, const aci_table *table, const void *row);
/* Binds the key of a row, after which those of a page begin; NULL: one before all. */
void aci_table_bind_key(aci_tx *tx, const aci_table *table, const void *row);
/* Which of two rows' keys is the greater: below 0, 0, above 0. Texts compare by their bytes. */
int aci_table_compare(const aci_table *table, const void *row, const void *other);
/* Copies the texts of a row into an arena. *ok: false when there is no memory; else as it was. */
void aci_table_keep(const aci_table *table, void *row, aci_arena *arena, bool *ok);
/* Reads a row: its columns from number `from` on, 0 or table->owner, and the checksum. Columns after that are the
   caller's. Texts live as long as these do. E_CORRUPT, with the struct filled: a column of another
   type is absent or 0. */
agentchat_status aci_table_read(const aci_table *table, size_t from, const aci_sql_value *columns, size_t count,
                                void *row, agentchat_error *err);

/* ==== checksums of rows: the first eight bytes of a SHA-256 over the columns, each with its length =============== */

typedef struct aci_table_sum {
    aci_sha256 sha;
    bool ok;
} aci_table_sum;
void aci_table_sum_begin(aci_table_sum *sum);
void aci_table_sum_integer(aci_table_sum *sum, int64_t value);
void aci_table_sum_text(aci_table_sum *sum, agentchat_str text); /* absent is not empty */
/* *out: the checksum. E_NOMEM. */
agentchat_status aci_table_sum_end(aci_table_sum *sum, int64_t *out, agentchat_error *err);

#endif
