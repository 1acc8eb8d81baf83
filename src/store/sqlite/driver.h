/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the SQLite driver share. */
#ifndef ACI_STORE_SQLITE_DRIVER_H
#define ACI_STORE_SQLITE_DRIVER_H

#include "store/core/driver.h"
#include <sqlite3.h>
#include <sys/types.h>

/* ==== the driver for SQLite: what its files share ================================================================ */

/* It sees store/core/driver.h, the public headers and SQLite's.

   One thread at a time uses a connection, so SQLite's own mutexes are left out (SQLITE_OPEN_NOMUTEX). A file of
   ours is in write-ahead log mode; a connection that may write switches it when it is not. Everything that a
   connection sets up for itself, and what a new file gets for good, is in connect.c.

   SQLite's result codes are extended ones everywhere (SQLITE_OPEN_EXRESCODE); aci_sqlite_fail() makes errors of
   them. */

/* "agtc": marks a file as ours; file(1) shows it. The layout's number is in the table `store`; user_version repeats it
   for people. */
#define ACI_SQLITE_APPLICATION_ID 0x61677463

#define ACI_SQLITE_LONGEST_PATH 4096
#define ACI_SQLITE_LONGEST_SUFFIX 8 /* "-journal" */

/* What a store was opened with; the driver's `self`. Immutable when the first connection is there. */
typedef struct aci_sqlite_database {
    const agentchat_env *env;
    char *path; /* absolute, so that a host may change its directory; NULL: in memory */
    size_t path_size;
    char *name; /* as the caller gave it, for errors */
    size_t name_size;
    bool read_only;
    bool connected; /* a store in memory has had its connection, and all that was in it */
    agentchat_durability durability;
    uint32_t wait_ms, statement_ms;
    const aci_sql_host *host; /* NULL: none; then no file is known for a store */
    sqlite3_vfs vfs, *base;   /* file.c: what this store's connections open files by, and what does it for it */
    char vfs_name[40];
    bool is_registered;
    bool is_known; /* which file it is: */
    dev_t device;
    ino_t inode;
} aci_sqlite_database;

/* Statements of the driver's own that each transaction needs. */
typedef enum aci_sqlite_own {
    ACI_SQLITE_OWN_BEGIN_READ,
    ACI_SQLITE_OWN_BEGIN_WRITE,
    ACI_SQLITE_OWN_COMMIT,
    ACI_SQLITE_OWN_ROLLBACK,
    ACI_SQLITE_OWN_FREE_PAGES,
    ACI_SQLITE_OWN_PAGES,
    ACI_SQLITE_OWN_SCHEMA_COUNTER,
    ACI_SQLITE_OWN_COUNT
} aci_sqlite_own;

typedef enum aci_sqlite_state {
    ACI_SQLITE_IDLE,    /* no transaction */
    ACI_SQLITE_READING, /* in one that reads */
    ACI_SQLITE_WRITING  /* in one that may write */
} aci_sqlite_state;

/* What is under way; statement.c. */
typedef enum aci_sqlite_guard {
    ACI_SQLITE_ORDINARY,
    ACI_SQLITE_LOADING, /* a schema is read that may be anything */
    ACI_SQLITE_ENDING   /* a transaction ends, and nothing stops that */
} aci_sqlite_guard;

typedef enum aci_sqlite_stop { /* why a statement was stopped last */
                               ACI_SQLITE_STOP_NONE,
                               ACI_SQLITE_STOP_CANCELLED,
                               ACI_SQLITE_STOP_TIME,
                               ACI_SQLITE_STOP_LOAD
} aci_sqlite_stop;

typedef struct aci_sqlite_connection {
    aci_sqlite_database *database;
    sqlite3 *db;
    aci_sqlite_state state;
    bool dead;         /* it must not be used again */
    bool knows_shared; /* which file PATH-shm is, by which it shares the log with others: */
    dev_t shared_device;
    ino_t shared_inode;
    bool had_log;        /* when it was opened, there was a log that held something */
    uint32_t wait_ms;    /* how long a batch may wait for others */
    int64_t deadline_us; /* until when the present call may wait for others */
    int64_t until_us;    /* until when the present statement may run */
    aci_sql_call call;
    aci_sqlite_guard guard;
    aci_sqlite_stop stop;
    unsigned looks;     /* of the progress handler since loading began */
    int length;         /* the limit that is put back after loading */
    int64_t began_us;   /* when the present transaction began */
    int64_t free_pages; /* of the file then, when it writes */
    int log_pages;      /* of the log after the last commit of this connection; 0: it has made none */
    int written_pages;  /* into the log, since this connection has copied the log into the file */
    /* ---- what schema.c has found ---- */
    bool is_store;
    int64_t schema_counter; /* of the schema that was compared; -1: none was */
    aci_sql_versions versions;
    /* ---- */
    uint64_t random; /* state of the generator of pauses; never 0 */
    sqlite3_stmt *own[ACI_SQLITE_OWN_COUNT];
    sqlite3_stmt **prepared; /* a hash table by their texts; NULL: the slot is free */
    size_t prepared_count, prepared_cap;
} aci_sqlite_connection;

extern const aci_sql_driver aci_sqlite_driver;

/* ---- the members of the table ---------------------------------------------------------------------------------- */

void aci_sqlite_disconnect(void *connection);
agentchat_status aci_sqlite_run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                                aci_sql_outcome *outcome, agentchat_error *err);
void aci_sqlite_rollback(void *connection);
void aci_sqlite_free(void *self);
void aci_sqlite_attach(void *self, const aci_sql_host *host);
void aci_sqlite_serve(void *connection, const aci_sql_call *call);
void aci_sqlite_allow(void *connection, uint32_t wait_ms);
agentchat_status aci_sqlite_confirm(void *connection, aci_sql_outcome *outcome, agentchat_error *err);

/* ---- files (file.c) --------------------------------------------------------------------------------------------- */

/* Makes a database's description of the path that the caller gave; NULL: in memory. */
agentchat_status aci_sqlite_database_new(const agentchat_env *env, const char *path,
                                         const agentchat_store_options *options, aci_sqlite_database **out,
                                         agentchat_error *err);
/* Makes the file, empty and for its owner only, when it is not there. Reading never comes here. */
agentchat_status aci_sqlite_make_file(const aci_sqlite_database *database, agentchat_error *err);
/* Looks at the file and opens it in the way that fits. *db is to be closed on failure too. */
agentchat_status aci_sqlite_open_file(aci_sqlite_database *database, sqlite3 **db, aci_sql_outcome *outcome,
                                      agentchat_error *err);

/* The file system that knows this store's files only. */
int aci_sqlite_vfs_register(aci_sqlite_database *database, sqlite3_vfs *base);
/* Whether a write-ahead log lies beside the file that holds something. */
bool aci_sqlite_has_log(const aci_sqlite_database *database);
/* Whether the file of that name is the one that db, and every connection before, has opened: else E_IO. */
agentchat_status aci_sqlite_same_file(aci_sqlite_database *database, sqlite3 *db, agentchat_error *err);

/* Whether there is a file of that name that is another one. */
bool aci_sqlite_is_replaced(const aci_sqlite_database *database);
/* Remembers which file the connection shares the log by, as soon as there is one. */
void aci_sqlite_note_shared(aci_sqlite_connection *connection);
/* Another file has replaced the connection's, and would be read together with this one's log: writes the log
   into the file that it belongs to, wherever that is now, and leaves none. */
void aci_sqlite_take_log_along(aci_sqlite_connection *connection);

/* ---- what a file holds (schema.c, connect.c) -------------------------------------------------------------------- */

/* In a transaction: looks what the file holds, and refuses what is neither new nor a store as the library makes them.
   Sets is_store and versions. */
agentchat_status aci_sqlite_inspect(aci_sqlite_connection *connection, aci_sql_outcome *outcome, agentchat_error *err);
/* Calls each with what a newer version has added. */
typedef void (*aci_sqlite_unknown_fn)(void *user, const char *type, const char *name);
agentchat_status aci_sqlite_each_unknown(aci_sqlite_connection *connection, aci_sqlite_unknown_fn each, void *user,
                                         agentchat_error *err);
/* ---- versions (schema.c) ---------------------------------------------------------------------------------------- */

/* Reads the row of `store`. */
agentchat_status aci_sqlite_read_store(aci_sqlite_connection *connection, aci_sql_version *out,
                                       aci_sql_outcome *outcome, agentchat_error *err);
/* Reads what there is of the services: out->store is set. */
agentchat_status aci_sqlite_read_services(aci_sqlite_connection *connection, aci_sql_versions *out,
                                          aci_sql_outcome *outcome, agentchat_error *err);
/* Whether a program that knows what this one does may read, or write to, all that it knows of. */
bool aci_sqlite_may_use(const aci_sqlite_database *database, const aci_sql_versions *versions, bool writes);
/* Whether a newer program may have added tables. */
bool aci_sqlite_may_hold_more(const aci_sqlite_database *database, const aci_sql_versions *versions);

/* ---- guards (statement.c) --------------------------------------------------------------------------------------- */

/* Settings, limits, and who may stop or deny what; the first thing that a new connection gets. */
int aci_sqlite_set_guard(aci_sqlite_connection *connection);
/* Whether SQLite may make a copy of an empty database to change its layout. */
void aci_sqlite_allow_copy(aci_sqlite_connection *connection, bool allowed);
/* Between them nothing is looked at but the schema, and not much of that. */
void aci_sqlite_begin_loading(aci_sqlite_connection *connection);
void aci_sqlite_end_loading(aci_sqlite_connection *connection);

/* ---- errors (statement.c) --------------------------------------------------------------------------------------- */

/* The error of a result code: status, text, native, source; *outcome (may be NULL) says whether trying again makes
   sense. what: what was not possible, "cannot …". db: whose code it is; NULL: nobody's. */
agentchat_status aci_sqlite_fail(const aci_sqlite_database *database, sqlite3 *db, int code, const char *what,
                                 aci_sql_outcome *outcome, agentchat_error *err);
/* The same for a connection: knows whether it has waited for as long as it may. */
agentchat_status aci_sqlite_fail_on(const aci_sqlite_connection *connection, int code, const char *what,
                                    aci_sql_outcome *outcome, agentchat_error *err);
agentchat_status aci_sqlite_fail_errno(const aci_sqlite_database *database, agentchat_status status, int error_number,
                                       const char *what, agentchat_error *err);
/* The file is not there: E_NOTFOUND for who reads. */
agentchat_status aci_sqlite_fail_missing(const aci_sqlite_database *database, int error_number, agentchat_error *err);
agentchat_status aci_sqlite_fail_nomem(const aci_sqlite_database *database, agentchat_error *err);
/* Names the file in an error that does not name anything yet. Returns status. */
agentchat_status aci_sqlite_source(const aci_sqlite_database *database, agentchat_status status, agentchat_error *err);
agentchat_status aci_sqlite_source_name(const char *path, agentchat_status status, agentchat_error *err);
/* Whether the code says that others are in the way. */
bool aci_sqlite_is_busy(int code);

/* ---- connections (connect.c) ------------------------------------------------------------------------------------ */

/* Switches the file to a write-ahead log, or says why not. */
agentchat_status aci_sqlite_use_log(aci_sqlite_connection *connection, aci_sql_outcome *outcome, agentchat_error *err);

/* ---- calls (statement.c) ---------------------------------------------------------------------------------------- */

/* Microseconds that only ever grow. */
int64_t aci_sqlite_now_us(void);
/* From now on a statement may run for as long as the store was opened with. */
void aci_sqlite_start_statement(aci_sqlite_connection *connection);
/* From now on the call may wait for as long as the store was opened with. */
void aci_sqlite_start_waiting(aci_sqlite_connection *connection);
/* SQLite's busy handler, and what loops around it do: sleeps for 0.2 to 2 ms; 0 when the time is over. */
int aci_sqlite_wait(void *connection, int count);

/* ---- statements (statement.c) ----------------------------------------------------------------------------------- */

/* Prepares one statement. persistent: it will be kept. */
int aci_sqlite_prepare(aci_sqlite_connection *connection, const char *text, bool persistent, sqlite3_stmt **out);
/* The prepared form of a statement, prepared once. */
agentchat_status aci_sqlite_prepared_of(aci_sqlite_connection *connection, const aci_sql_statement *statement,
                                        sqlite3_stmt **out, aci_sql_outcome *outcome, agentchat_error *err);
/* Prepares what ends transactions, so that ending one needs no memory. To be done anew when the tables have changed:
   SQLite would do it at the next use. */
int aci_sqlite_prepare_own(aci_sqlite_connection *connection);
/* Steps one of the driver's own statements to its end, as often as others are in the way. */
int aci_sqlite_step_own(aci_sqlite_connection *connection, aci_sqlite_own which);
/* Runs statements, whose rows nobody wants. No retries besides the busy handler's. */
int aci_sqlite_exec(aci_sqlite_connection *connection, const char *text);
/* Runs one until nobody is in the way or the time is over. */
int aci_sqlite_exec_waiting(aci_sqlite_connection *connection, const char *text);
/* First column of the first row; *out is as it was when there is no row. */
int aci_sqlite_ask(aci_sqlite_connection *connection, const char *text, int64_t *out);
int aci_sqlite_ask_own(aci_sqlite_connection *connection, aci_sqlite_own which, int64_t *out);
/* Switches the file to a write-ahead log, as often as others are in the way. *is_log: whether it is in that mode now.
 */
int aci_sqlite_set_log_mode(aci_sqlite_connection *connection, bool *is_log);
void aci_sqlite_finalize_all(aci_sqlite_connection *connection);

/* ---- transactions, space, the log (run.c) ----------------------------------------------------------------------- */

/* Every use of a connection begins with it: E_IO for a dead one. */
agentchat_status aci_sqlite_begin(aci_sqlite_connection *connection, bool writes, aci_sql_outcome *outcome,
                                  agentchat_error *err);
/* In a transaction: compares the schema unless that was done and nobody has changed it since. */
agentchat_status aci_sqlite_look_at_schema(aci_sqlite_connection *connection, aci_sql_outcome *outcome,
                                           agentchat_error *err);
/* Whether it succeeds or not, the transaction is over afterwards. */
agentchat_status aci_sqlite_commit(aci_sqlite_connection *connection, aci_sql_outcome *outcome, agentchat_error *err);
/* What the driver's `rollback` is: the end of a transaction, whether it has read or is to be undone. */
void aci_sqlite_end(void *connection);
/* From now on the library, and not SQLite, decides who copies the log into the file. */
void aci_sqlite_watch_log(aci_sqlite_connection *connection);

/* ---- text (statement.c) ----------------------------------------------------------------------------------------- */

/* Whether it is UTF-8 without NUL. */
bool aci_sqlite_is_text(const char *text, size_t len);
/* Copies foreign text for a message: printable ASCII as it stands, all else as "?"; cut at the end of the buffer. */
void aci_sqlite_printable(const char *text, char *buffer, size_t size);

#endif
