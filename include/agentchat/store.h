/* SPDX-License-Identifier: Apache-2.0 */
/* Where sessions are stored: in memory, in an SQLite file, or on a PostgreSQL server. */
#ifndef AGENTCHAT_STORE_H
#define AGENTCHAT_STORE_H

#include <agentchat/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open store. Any number of threads may use one at the same time; it must outlive what was made with it. After a
    fork the child must open one of its own. */
typedef struct agentchat_store agentchat_store;

/** When an acknowledged write is on the disk (SQLite; a PostgreSQL server decides for itself). Numbers are stable. */
typedef enum agentchat_durability {
    AGENTCHAT_DURABILITY_FULL = 0,   /**< at once: it survives a loss of power */
    AGENTCHAT_DURABILITY_NORMAL = 1, /**< it survives a killed process; after a loss of power the last ones may be gone,
                                          in order, never a part of one */
    AGENTCHAT_DURABILITY_MAX_ = 0x7fffffff
} agentchat_durability;

/** How a store is opened. */
typedef struct agentchat_store_options {
    size_t struct_size;              /**< sizeof(agentchat_store_options) */
    bool read_only;                  /**< writing is E_INVALID; nothing is created or brought up to date */
    agentchat_durability durability; /**< FULL */
    uint32_t wait_ms;                /**< how long a call waits in all for others and for a server that has gone, before
                                          it fails with E_BUSY or E_IO, in milliseconds; 0: 30,000 */
    uint32_t max_connections;        /**< at most so many connections at the same time; 0: 8 */
    uint32_t statement_ms;           /**< SQLite: how long one statement may run, in milliseconds, before the call fails
                                          with E_LIMIT: a file may be made to take for ever. 0: 120,000. Checking a
                                          store and copying a session have no such limit */
    int64_t memory_ttl_us;           /**< time to live of documents in the long-term memory whose put does not say one,
                                          in microseconds; 0: they do not expire */
} agentchat_store_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_STORE_OPTIONS_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(agentchat_store_options), false, AGENTCHAT_DURABILITY_FULL, 0, 0, 0, 0                                  \
    }

/**
 * AGENTCHAT_STORE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_store_options_init(agentchat_store_options *options, size_t size);

/**
 * Opens a store by its URL. This function and agentchat_store_init() are in the library agentchat-store, which links
 * every backend that was built; a program that wants one backend only calls agentchat_sqlite_open() or
 * agentchat_postgres_open().
 * @param[in]  env     Environment or NULL; must outlive the store.
 * @param[in]  url     `memory:`, `sqlite:FILE`, `sqlite:FILE?synchronous=normal`, or `postgresql://…` as libpq takes
 * it; in the latter two also the option `wait_ms=NUMBER`. The plain name of a file, without `:`, `@` and `=`, means
 * `sqlite:FILE`. What an option says goes before @p options. An SQLite file is
 * made, and brought up to date, unless options->read_only is set; the tables on a PostgreSQL server are made by
 * agentchat_store_init() only.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The store (agentchat_store_close()); NULL on failure.
 * @param[out] err     Detail, or NULL; source is the file or server.
 * @retval AGENTCHAT_E_INVALID     @p url or @p out is NULL, a URL or an option that is none, struct_size is not set.
 * @retval AGENTCHAT_E_UNSUPPORTED a backend that was not built, or a server that cannot serve (encoding, version).
 * @retval AGENTCHAT_E_NOTFOUND    read_only, and there is no such file; or the server has no tables of agentchat.
 * @retval AGENTCHAT_E_SCHEMA      a file or schema of something else, or whose tables are not as agentchat makes them.
 * @retval AGENTCHAT_E_VERSION     made by a newer version that this one must not read; err->native is its number.
 * @retval AGENTCHAT_E_IO          it cannot be opened or reached. A server that is starting or full is waited for, one
 * that is not there only by stores that are open.
 * @retval AGENTCHAT_E_CORRUPT     a damaged file.
 * @retval AGENTCHAT_E_BUSY        others held it for longer than options->wait_ms.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_store_open(const agentchat_env *env, const char *url,
                                                                        const agentchat_store_options *options,
                                                                        agentchat_store **out, agentchat_error *err);

/**
 * Makes the tables of a store, or brings older ones up to date; does nothing when they are. Parameters and errors as
 * agentchat_store_open().
 * @param[in]  env     Environment or NULL.
 * @param[in]  url     The URL.
 * @param[in]  options Options, or NULL; read_only is E_INVALID.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_store_init(const agentchat_env *env, const char *url,
                                                                        const agentchat_store_options *options,
                                                                        agentchat_error *err);

/** Closes a store. @param[in] store NULL is allowed. Nothing made with it may still be in use. */
AGENTCHAT_API void agentchat_store_close(agentchat_store *store);

/**
 * Cancels what is running: every call on the store, or on a session of it, that has begun and not ended yet ends soon
 * with AGENTCHAT_E_CANCELLED and has changed nothing, unless it is nearly done and succeeds. Calls that begin
 * afterwards are not affected. On PostgreSQL a statement that is under way ends first.
 * @param[in] store The store; NULL is allowed. It must not be closed meanwhile.
 * @threadsafe Yes; it may also be called by a signal handler.
 */
AGENTCHAT_API void agentchat_store_interrupt(agentchat_store *store);

/** Name of its backend: "sqlite" or "postgresql". @param[in] store NULL gives "". @return A static string. */
AGENTCHAT_API const char *agentchat_store_backend(const agentchat_store *store);

/**
 * Called for each part that agentchat_store_check() has looked at, on the thread that called it and before it returns.
 * @param[in]  user    As given.
 * @param[in]  part    What was looked at: "file", "state app NAME", "session APP/USER/ID", …; a view for the call.
 * @param[in]  problem Absent when it is intact, else one sentence; a part may have several.
 * @param[out] err     Detail of a failure.
 * @return OK to go on, DONE to stop, an error to stop with it.
 */
typedef agentchat_status (*agentchat_store_check_fn)(void *user, agentchat_str part, agentchat_str problem,
                                                     agentchat_error *err);

/**
 * Looks through everything that a store holds. Changes nothing. What a newer version has added to it is named by a part
 * "unknown table NAME" or "unknown index NAME" and not looked at.
 * @param[in]  store The store.
 * @param[in]  each  Called for each part.
 * @param[in]  user  Handed to @p each; used during the call only.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID   @p store or @p each is NULL.
 * @retval AGENTCHAT_E_CANCELLED agentchat_store_interrupt() was called meanwhile.
 * @retval AGENTCHAT_E_CORRUPT so damaged that it cannot be looked through; what could be seen was reported.
 * @retval AGENTCHAT_E_IO      it cannot be read.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_store_check(agentchat_store *store,
                                                                         agentchat_store_check_fn each, void *user,
                                                                         agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
