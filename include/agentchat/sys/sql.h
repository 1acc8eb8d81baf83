/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an SQL database has to do to be a store. For writers of backends; stable within a minor version only, and not
 * included by agentchat.h.
 *
 * The library says what is to be run, as batches of statements; a driver runs them on one connection. A batch without
 * results that later statements of the same batch would need can travel to a server in one piece, so a driver for one
 * sends it as one and waits once.
 */
#ifndef AGENTCHAT_SYS_SQL_H
#define AGENTCHAT_SYS_SQL_H

#include <agentchat/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a driver's database speaks. Numbers are stable. */
typedef enum agentchat_sql_dialect {
    AGENTCHAT_SQL_SQLITE = 0,
    AGENTCHAT_SQL_POSTGRES = 1,
    AGENTCHAT_SQL_DIALECT_MAX_ = 0x7fffffff
} agentchat_sql_dialect;

/** Type of a value. Numbers are stable. */
typedef enum agentchat_sql_type {
    AGENTCHAT_SQL_NULL = 0,
    AGENTCHAT_SQL_INTEGER = 1, /**< 64 bits */
    AGENTCHAT_SQL_TEXT = 2,    /**< UTF-8 without NUL */
    AGENTCHAT_SQL_TYPE_MAX_ = 0x7fffffff
} agentchat_sql_type;

/** A parameter or a column. */
typedef struct agentchat_sql_value {
    agentchat_sql_type type; /**< which of the members counts */
    int64_t integer;         /**< INTEGER */
    agentchat_str text;      /**< TEXT; a column's lives until the row function returns */
} agentchat_sql_value;

/** A statement in static storage: a driver may keep what it prepared by its id. */
typedef struct agentchat_sql_statement {
    uint32_t id;      /**< unique among the library's statements of one dialect; below AGENTCHAT_SQL_STATEMENTS */
    const char *text; /**< one statement; parameters are $1, $2, … and first occur in this order */
} agentchat_sql_statement;
/** All ids are below this. */
#define AGENTCHAT_SQL_STATEMENTS 256

/**
 * Called for each row, in order.
 * @param[in]  user    As given with the request.
 * @param[in]  columns The row.
 * @param[in]  count   Number of columns.
 * @param[out] err     Detail of a failure.
 * @return OK, or an error that ends the batch with it. It must not fail in a batch that commits.
 */
typedef agentchat_status (*agentchat_sql_row_fn)(void *user, const agentchat_sql_value *columns, size_t count,
                                                 agentchat_error *err);

/** A statement to be run once. */
typedef struct agentchat_sql_request {
    const agentchat_sql_statement *statement; /**< what is run */
    const agentchat_sql_value *params;        /**< borrowed until run returns */
    size_t param_count;                       /**< their number */
    agentchat_sql_row_fn row;                 /**< NULL: rows are not wanted */
    void *user;                               /**< handed to row */
    uint64_t changed;                         /**< set: rows that were inserted, updated or deleted */
} agentchat_sql_request;

/** How a batch stands to a transaction. */
enum {
    AGENTCHAT_SQL_BEGIN_READ =
        1, /**< begin one before the batch: everything in it sees one state; nothing is written */
    AGENTCHAT_SQL_BEGIN_WRITE = 2, /**< begin one before the batch that may write */
    AGENTCHAT_SQL_COMMIT = 4       /**< commit it behind the batch */
};

/** What is known after a failure. Numbers are stable. */
typedef enum agentchat_sql_outcome {
    AGENTCHAT_SQL_FINAL = 0,     /**< nothing was committed, and the same again would fail again */
    AGENTCHAT_SQL_TRANSIENT = 1, /**< nothing was committed; the same transaction may succeed if tried again */
    AGENTCHAT_SQL_UNCERTAIN = 2, /**< the connection was lost while committing: it may have been committed or not */
    AGENTCHAT_SQL_OUTCOME_MAX_ = 0x7fffffff
} agentchat_sql_outcome;

/** What a database holds of ours. */
typedef struct agentchat_sql_version {
    uint32_t format; /**< number of its layout; 0: it is new, nothing of ours is there */
    uint32_t reader; /**< lowest number that a program must know to read it */
    uint32_t writer; /**< lowest number that a program must know to write to it */
} agentchat_sql_version;

/** A layout of the tables that some version of the library has made. */
typedef struct agentchat_sql_layout {
    uint32_t format;    /**< its number */
    const char *script; /**< the statements that make it, separated by semicolons, as install is given them */
} agentchat_sql_layout;

/** The store that a driver works for. Lives for longer than all of the driver's connections. */
typedef struct agentchat_sql_host {
    size_t struct_size;                  /**< sizeof(agentchat_sql_host) */
    const agentchat_sql_layout *layouts; /**< all that were ever made, the newest last; one number may stand twice */
    size_t layout_count;                 /**< their number */
    /** How often calls were cancelled; may be asked by any thread. A call is cancelled when this is not what it was
        when the call began. */
    uint32_t (*interrupts)(const struct agentchat_sql_host *host);
} agentchat_sql_host;

/** The call that a connection works for. */
typedef struct agentchat_sql_call {
    uint32_t interrupts; /**< what host->interrupts() said when it began */
    bool unbounded;      /**< a statement of it may run for as long as it takes */
} agentchat_sql_call;

/**
 * A driver. The table and its functions are static. connect, run and the others on different connections may be called
 * by different threads at the same time, on one connection by one at a time.
 *
 * Errors: E_BUSY when others held locks for too long, TRANSIENT where there may be time left to wait on; E_EXISTS when
 * another has put in a row of the same key since the library looked for one; E_INVALID for a text that is no UTF-8 or
 * has a NUL in it, and for a batch that does not fit the transaction; E_LIMIT for what is larger than the database
 * takes; E_CANCELLED when the call was cancelled; E_NOTFOUND for a file that is not there and must not be made;
 * E_UNSUPPORTED when the database cannot serve at all; E_SCHEMA when its tables are not ours; E_CORRUPT when it is
 * damaged; E_NOMEM; E_INTERNAL for what the library should never have asked for; E_IO for the rest. err->native and
 * err->sqlstate are set where there are such, err->source but for E_NOMEM.
 */
typedef struct agentchat_sql_driver {
    size_t struct_size;            /**< sizeof(agentchat_sql_driver) */
    const char *name;              /**< agentchat_store_backend() */
    agentchat_sql_dialect dialect; /**< which texts it is given */
    /** Required. Opens a connection. A driver in memory has only one: see max_connections of agentchat_sql_store(). */
    agentchat_status (*connect)(void *self, void **connection, agentchat_sql_outcome *outcome, agentchat_error *err);
    /** Required. Runs a batch. After a failure the transaction, if any, is over: the driver has rolled it back. */
    agentchat_status (*run)(void *connection, unsigned flags, agentchat_sql_request *requests, size_t count,
                            agentchat_sql_outcome *outcome, agentchat_error *err);
    /** Required. Ends the open transaction without committing it. */
    void (*rollback)(void *connection);
    /** Required. Whether the connection can be used again. */
    bool (*is_alive)(void *connection);
    /** Required. Closes a connection, an open transaction with it. */
    void (*disconnect)(void *connection);
    /** Required. What the database holds; E_SCHEMA when it is something else than ours. */
    agentchat_status (*version)(void *connection, agentchat_sql_version *out, agentchat_sql_outcome *outcome,
                                agentchat_error *err);
    /** Required. Runs statements, separated by semicolons, in one transaction, while no other connection can do the
        same; does nothing when the layout's number is not `from` any more by then. */
    agentchat_status (*install)(void *connection, uint32_t from, const char *script, agentchat_sql_outcome *outcome,
                                agentchat_error *err);
    /** Optional. Looks for damage below the tables and reports it as agentchat_store_check() does, part "file". */
    agentchat_status (*check)(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err);
    /** Required. Releases `self`, when all connections are closed. */
    void (*free)(void *self);
    /** Optional; a table may end before it. What a connection leads to, for err->source: a file, or a server and its
        database, nothing secret. Lives as long as the connection. */
    const char *(*source)(void *connection);
    /** Optional; a table may end before it. Tells which store it works for, once and before it connects. */
    void (*attach)(void *self, const agentchat_sql_host *host);
    /** Optional; a table may end before it. Tells which call the connection works for from now on. Where the driver
        waits or works for long, it looks whether that call was cancelled and ends it with E_CANCELLED. */
    void (*serve)(void *connection, const agentchat_sql_call *call);
    /** Optional; a table may end before it. Ends the open transaction, if any, without committing it, as rollback does,
       and returns OK when all that can be seen by then is kept as firmly as a commit of this connection would be: who
       finds that something was done before says so only then. Needed where a commit can be seen before it is kept like
       that, as one that was to wait for a standby and lost its connection. outcome is never UNCERTAIN. */
    agentchat_status (*confirm)(void *connection, agentchat_sql_outcome *outcome, agentchat_error *err);
    /** Optional; a table may end before it. As connect, and called in its place, but takes no longer than wait_ms. */
    agentchat_status (*connect_within)(void *self, uint32_t wait_ms, void **connection, agentchat_sql_outcome *outcome,
                                       agentchat_error *err);
    /** Optional; a table may end before it. From now on the connection may wait for others for wait_ms and no longer:
        all calls on it together, until this is called again. Without it, each wait may take as long as the store's. */
    void (*allow)(void *connection, uint32_t wait_ms);
} agentchat_sql_driver;

/** Makes a store of a driver: what the open functions of backends end with. */
typedef struct agentchat_sql_store_options {
    size_t struct_size;       /**< sizeof(agentchat_sql_store_options) */
    bool read_only;           /**< as agentchat_store_options */
    bool may_install;         /**< make or bring up to date the tables, where that is needed */
    uint32_t wait_ms;         /**< as agentchat_store_options */
    uint32_t max_connections; /**< 1 for a database that lives and dies with its connection */
} agentchat_sql_store_options;

/**
 * Makes a store of a driver: opens a connection, looks at the version, installs where it may.
 * @param[in]  env     Environment or NULL.
 * @param[in]  driver  The driver; static.
 * @param[in]  self    Handed to connect and free. Taken over: on failure too, driver->free is called.
 * @param[in]  options Options; not NULL.
 * @param[out] out     The store; NULL on failure.
 * @param[out] err     Detail, or NULL; errors as agentchat_store_open().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_sql_store(const agentchat_env *env,
                                                                       const agentchat_sql_driver *driver, void *self,
                                                                       const agentchat_sql_store_options *options,
                                                                       agentchat_store **out, agentchat_error *err);

/* Memory of an environment, for backends that have no other access to it. */
/** Allocates zeroed memory; size > 0. @param[in] env Environment or NULL. @param[in] size Bytes. @return NULL when out
    of memory. */
AGENTCHAT_API void *agentchat_sys_alloc(const agentchat_env *env, size_t size);
/** Frees memory of agentchat_sys_alloc(). @param[in] env The same. @param[in] block NULL is allowed. @param[in] size
    The same. */
AGENTCHAT_API void agentchat_sys_free(const agentchat_env *env, void *block, size_t size);

#ifdef __cplusplus
}
#endif

#endif
