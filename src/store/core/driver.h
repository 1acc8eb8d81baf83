/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an SQL database has to do to be a store: the library says what is to be run, as batches of statements, and a
 * driver runs them on one connection. A batch without results that later statements of the same batch would need can
 * travel to a server in one piece, so a driver for one sends it as one and waits once.
 *
 * The drivers are libraries of their own, above this one. They see this header, which includes public ones only,
 * and nothing else of the library.
 */
#ifndef ACI_STORE_CORE_DRIVER_H
#define ACI_STORE_CORE_DRIVER_H

#include "base/shared.h"
#include <agentchat/store.h>
#include <string.h>

/* What a driver's database speaks. */
typedef enum aci_sql_dialect { ACI_SQL_SQLITE = 0, ACI_SQL_POSTGRES = 1 } aci_sql_dialect;

/* Type of a value. */
typedef enum aci_sql_type {
    ACI_SQL_NULL = 0,
    ACI_SQL_INTEGER = 1, /* 64 bits */
    ACI_SQL_TEXT = 2,    /* UTF-8 without NUL */
    ACI_SQL_BYTES = 3    /* any */
} aci_sql_type;

/* A parameter or a column. */
typedef struct aci_sql_value {
    aci_sql_type type;  /* which of the members counts */
    int64_t integer;    /* INTEGER */
    agentchat_str text; /* TEXT, BYTES; a column's lives until the row function returns */
} aci_sql_value;

/* A statement. A driver keeps what it has prepared by its text, of which it has a copy: so one may be put together. */
typedef struct aci_sql_statement {
    uint32_t service; /* whose it is; ACI_SQL_CORE: the core's own */
    uint32_t number;  /* by which the service knows it; 0: none */
    const char *text; /* one statement; parameters are $1, $2, … and first occur in this order */
} aci_sql_statement;
enum { ACI_SQL_CORE = 0 };
/* For a driver's table of statements. */
static inline uint64_t aci_sql_text_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325), part;
    size_t left = strlen(text);

    for (; left >= sizeof part; text += sizeof part, left -= sizeof part) {
        memcpy(&part, text, sizeof part);
        hash = (hash ^ part) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    part = 0;
    memcpy(&part, text, left);
    hash = (hash ^ part) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/* Called for each row, in order, with what was given with the request and the row's columns. An error ends the batch
   with it; in a batch that commits it must not fail. */
typedef agentchat_status (*aci_sql_row_fn)(void *user, const aci_sql_value *columns, size_t count,
                                           agentchat_error *err);

/* A statement to be run once. */
typedef struct aci_sql_request {
    const aci_sql_statement *statement; /* what is run */
    const aci_sql_value *params;        /* borrowed until run returns */
    size_t param_count;                 /* their number */
    aci_sql_row_fn row;                 /* NULL: rows are not wanted */
    void *user;                         /* handed to row */
    uint64_t changed;                   /* set: rows that were inserted, updated or deleted */
} aci_sql_request;

/* How a batch stands to a transaction. */
enum {
    ACI_SQL_BEGIN_READ = 1,  /* begin one before the batch: everything in it sees one state; nothing is written */
    ACI_SQL_BEGIN_WRITE = 2, /* begin one before the batch that may write */
    ACI_SQL_COMMIT = 4       /* commit it after the batch */
};

/* What is known after a failure. */
typedef enum aci_sql_outcome {
    ACI_SQL_FINAL = 0,     /* nothing was committed, and the same again would fail again */
    ACI_SQL_TRANSIENT = 1, /* nothing was committed; the same transaction may succeed if tried again */
    ACI_SQL_UNCERTAIN = 2, /* the connection was lost while committing: it may have been committed or not */
} aci_sql_outcome;

/* Of some tables, as a database records it. */
typedef struct aci_sql_version {
    uint32_t format; /* their version; 0: there are none */
    uint32_t reader; /* lowest version that a program must know to read them */
    uint32_t writer; /* lowest version that a program must know to write to them */
} aci_sql_version;

/* The tables that say which versions all others have: `store` has one row, format, reader and writer; `service` has one
   for each service that has tables, name, version, reader and writer. */
typedef struct aci_sql_layout {
    uint32_t format;    /* its number, which is the row's */
    const char *script; /* the statements that make it in a new database, separated by semicolons */
} aci_sql_layout;

/* One step in the life of a service's tables. */
typedef struct aci_sql_migration {
    uint32_t reader, writer; /* as they are after it */
    const char *script;      /* statements, separated by semicolons: CREATE TABLE or INDEX, ALTER TABLE, and changes of
                                rows; NULL: the version was never released */
} aci_sql_migration;

/* The tables of a service. */
typedef struct aci_sql_tables {
    const char *name;                    /* the service's */
    const aci_sql_migration *migrations; /* to version 1, from there to version 2, and so on */
    uint32_t count;                      /* the version that this program knows */
} aci_sql_tables;

/* Whether there may be tables of that version: 0 is none, and of a newer one nothing is known. */
static inline bool aci_sql_was_released(const aci_sql_tables *tables, uint32_t version)
{
    return version == 0 || version > tables->count || tables->migrations[version - 1].script != NULL;
}

enum { ACI_SQL_MOST_SERVICES = 8 };

/* What a database holds. */
typedef struct aci_sql_versions {
    aci_sql_version store;                           /* format 0: the database is new */
    aci_sql_version services[ACI_SQL_MOST_SERVICES]; /* in the host's order; format 0: no tables of it */
    bool has_others;                                 /* services that the host does not name have tables, too */
} aci_sql_versions;

/* What is to be done once. */
typedef struct aci_sql_step {
    int service;        /* index of the service whose tables change; -1: those of the versions */
    uint32_t from;      /* the version that they must have */
    const char *script; /* statements, separated by semicolons; they record the new version, too */
} aci_sql_step;

/* The store that a driver works for. Lives for longer than all of the driver's connections. */
typedef struct aci_sql_host {
    aci_sql_layout layout;          /* the newest; a lower one was never released */
    const aci_sql_tables *services; /* those that this program knows */
    size_t service_count;           /* their number */
    /* How often calls were cancelled; may be asked by any thread. A call is cancelled when this is not what it was
        when the call began. */
    uint32_t (*interrupts)(const struct aci_sql_host *host);
} aci_sql_host;

/* The call that a connection works for. */
typedef struct aci_sql_call {
    uint32_t interrupts; /* what host->interrupts() returned when it began */
    bool unbounded;      /* a statement of it may run for as long as it takes */
} aci_sql_call;

/*
 * A driver. The table and its functions are static, and all of them are there. connect, run and the others on different
 * connections may be called by different threads at the same time, on one connection by one at a time.
 *
 * Errors: E_BUSY when others held locks for too long, TRANSIENT where there may be time left to wait on; E_EXISTS when
 * another has put in a row of the same key since the library looked for one; E_INVALID for a text that is no UTF-8 or
 * has a NUL in it, and for a batch that does not fit the transaction; E_LIMIT for what is larger than the database
 * takes; E_CANCELLED when the call was cancelled; E_NOTFOUND for a file that is not there and must not be made;
 * E_UNSUPPORTED when the database cannot serve at all; E_SCHEMA when its tables are not those of agentchat; E_CORRUPT
 * when it is damaged; E_NOMEM; E_INTERNAL for what the library should never have asked for; E_IO for the rest.
 * err->native and err->sqlstate are set where there are such, err->source but for E_NOMEM.
 */
typedef struct aci_sql_driver {
    const char *name;        /* agentchat_store_backend() */
    aci_sql_dialect dialect; /* which texts it is given */
    /* Sets the store that it works for, once and before it connects. */
    void (*attach)(void *self, const aci_sql_host *host);
    /* Opens a connection, and takes no longer than wait_ms. A driver in memory has only one: see max_connections of
       aci_driver_store(). */
    agentchat_status (*connect)(void *self, uint32_t wait_ms, void **connection, aci_sql_outcome *outcome,
                                agentchat_error *err);
    /* Closes a connection, an open transaction with it. */
    void (*disconnect)(void *connection);
    /* Whether the connection can be used again. */
    bool (*is_alive)(void *connection);
    /* What a connection leads to, for err->source: a file, or a server and its database, nothing secret; NULL where it
       has no name. Lives as long as the connection. */
    const char *(*source)(void *connection);
    /* Sets the call that the connection works for from now on. Where the driver can, it checks while it waits or works
       for long whether that call was cancelled and ends it with E_CANCELLED. */
    void (*serve)(void *connection, const aci_sql_call *call);
    /* From now on the connection may wait for others for wait_ms and no longer, until this is called again. */
    void (*allow)(void *connection, uint32_t wait_ms);
    /* Runs a batch. After a failure the transaction, if any, is over: the driver has rolled it back. */
    agentchat_status (*run)(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                            aci_sql_outcome *outcome, agentchat_error *err);
    /* Ends the open transaction without committing it. */
    void (*rollback)(void *connection);
    /* Ends the open transaction, if any, without committing it, as rollback does, and returns OK when all that can be
       seen by then is kept as firmly as a commit of this connection would be: who finds that something was done before
       says so only then. A commit may be seen before it is kept like that, as one that was to wait for a standby and
       lost its connection. outcome is never UNCERTAIN. */
    agentchat_status (*confirm)(void *connection, aci_sql_outcome *outcome, agentchat_error *err);
    /* What the database holds; E_SCHEMA when its tables are not those of agentchat. */
    agentchat_status (*version)(void *connection, aci_sql_versions *out, aci_sql_outcome *outcome,
                                agentchat_error *err);
    /* Runs a step in one transaction, while no other connection can do the same; does nothing when the version is not
       step->from any more by then. */
    agentchat_status (*install)(void *connection, const aci_sql_step *step, aci_sql_outcome *outcome,
                                agentchat_error *err);
    /* Looks for damage below the tables and reports it as agentchat_store_check() does, part "file"; nothing where the
       server looks after that. */
    agentchat_status (*check)(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err);
    /* Leaves nothing of what was deleted in a file of the database, and waits for those who still read it: E_BUSY.
       NULL: the database has files of its own. */
    agentchat_status (*scrub)(void *connection, agentchat_error *err);
    /* Releases `self`, when all connections are closed. */
    void (*free)(void *self);
} aci_sql_driver;

/* How a store is made of a driver. */
typedef struct aci_sql_store_options {
    bool read_only;           /* as agentchat_store_options */
    bool may_install;         /* make or bring up to date the tables, where that is needed */
    uint32_t wait_ms;         /* as agentchat_store_options */
    uint32_t max_connections; /* 1 for a database that lives and dies with its connection */
    int64_t memory_ttl_us;    /* as agentchat_store_options */
} aci_sql_store_options;

/* Makes a store of a driver, what the open functions of backends end with: opens a connection, looks at the version,
   installs where it may. `self` is handed to connect and free; the function takes ownership: on failure too,
   driver->free is called. *out is NULL on failure; errors as agentchat_store_open(). */
ACI_SHARED agentchat_status aci_driver_store(const agentchat_env *env, const aci_sql_driver *driver, void *self,
                                             const aci_sql_store_options *options, agentchat_store **out,
                                             agentchat_error *err);

/* Zeroed memory of an environment, which may be NULL; size > 0. NULL when out of memory. */
ACI_SHARED void *aci_driver_alloc(const agentchat_env *env, size_t size);
/* Frees it; block may be NULL. */
ACI_SHARED void aci_driver_free(const agentchat_env *env, void *block, size_t size);

#endif
