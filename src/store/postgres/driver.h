/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the PostgreSQL driver share. */
#ifndef ACI_STORE_POSTGRES_DRIVER_H
#define ACI_STORE_POSTGRES_DRIVER_H

#include "store/core/driver.h"
#include <agentchat/postgres.h>
#include <libpq-fe.h>
#include <stdatomic.h>

/* ==== the parts of the PostgreSQL driver ========================================================================= */

/* They see store/core/driver.h, public headers of agentchat and libpq's.

   A batch is one network round trip: everything is sent in libpq's pipeline mode, BEGIN and COMMIT with it, and
   then the answers are read. Connections never block in libpq; what is waited for is waited for here (batch.c), and
   a server that says nothing for the connection's patience is taken to be gone. */

enum {
    ACI_POSTGRES_OLDEST = 150000,   /* lowest server_version_num that is served */
    ACI_POSTGRES_MOST_PARAMS = 64,  /* of a statement */
    ACI_POSTGRES_MOST_COLUMNS = 64, /* of a row */
    ACI_POSTGRES_MESSAGE = 1024     /* room for a server's message before it is cut to an error's */
};

/* What connections are opened with: `self` of the driver. */
typedef struct aci_postgres {
    const agentchat_env *env;
    char *url; /* holds the password; overwritten when it is freed */
    size_t url_size;
    uint32_t wait_ms;
    const aci_sql_host *host;
    atomic_bool was_reached;           /* a connection has been made */
    atomic_uint_least64_t round_trips; /* of all its connections */
} aci_postgres;

/* A statement with the types of its parameters: both decide what the server makes of it. */
typedef struct aci_postgres_prepared {
    aci_sql_statement statement; /* text NULL: the slot is free */
    uint64_t types[2];
    uint32_t variant; /* its number among all that the connection has prepared */
    enum { ACI_POSTGRES_UNPREPARED, ACI_POSTGRES_SENT, ACI_POSTGRES_READY } state;
    size_t sent_by; /* SENT: number of the command of the present batch that it is prepared for */
} aci_postgres_prepared;

typedef struct aci_postgres_connection {
    aci_postgres *server;
    PGconn *conn;
    int64_t patience_ms;  /* how long the server may say nothing */
    int64_t deadline_ms;  /* until when it may keep us waiting; what is under way then has a moment more */
    uint32_t lock_ms;     /* lock_timeout, as it is set now */
    int64_t silence_ms;   /* how long it said nothing when it was given up */
    uint64_t round_trips; /* how often the driver sent something and waited for all of the answer */
    bool is_lost;         /* nothing more can be done with it */
    bool is_silent;       /* lost because the server said nothing */
    bool is_heard;        /* it said something since the batch began */
    bool is_late;         /* is_silent, but it may just be waiting for a lock: the deadline is over */
    bool in_transaction;
    bool writes;       /* the transaction may write */
    bool is_making;    /* the tables are being made: says which rights a failure for lack of them asks for */
    bool is_unawaited; /* the last commit stands, but somebody has ended its wait for the standbys */
    char goodbye[6];   /* SQLSTATE of the notice with which the server announced its end, or "" */
    char source[512];  /* HOST/DATABASE for errors */
    aci_postgres_prepared *prepared; /* a hash table */
    size_t prepared_count, prepared_cap;
} aci_postgres_connection;

/* ---- error.c ---------------------------------------------------------------------------------------------------- */

/* Refuses what libpq does not understand, in words that quote nothing of it: a misplaced character makes a password
   part of anything. */
agentchat_status aci_postgres_check_url(const char *url, agentchat_error *err);
/* Overwrites what was secret. */
void aci_postgres_wipe(char *text, size_t size);
/* Frees what libpq makes of connection strings, with the secrets in it overwritten. NULL is allowed. */
void aci_postgres_free_options(PQconninfoOption *options);

/* ---- connect.c -------------------------------------------------------------------------------------------------- */

/* What is left of the hosts, as libpq's options of these names; NULL where libpq is to go by what it has. */
typedef struct aci_postgres_hosts {
    PQconninfoOption *options; /* the memory of the lists */
    char *host, *hostaddr, *port;
    size_t count; /* at least 1 once they are loaded */
} aci_postgres_hosts;

/* ---- connect.c -------------------------------------------------------------------------------------------------- */

void aci_postgres_disconnect(void *connection);

/* ---- batch.c ---------------------------------------------------------------------------------------------------- */

/* Milliseconds that only ever grow. */
int64_t aci_postgres_now_ms(void);
/* Waits until the socket is ready for one of poll()'s events or has failed. false: not within timeout_ms. */
bool aci_postgres_poll(int socket, short events, int64_t timeout_ms, short *ready);
/* What PQgetResult() gives next, NULL included, as soon as it is there. false: the connection is lost. */
bool aci_postgres_next(aci_postgres_connection *c, PGresult **result);
/* Counts a round trip. */
void aci_postgres_count(aci_postgres_connection *c);
/* Runs a text of one or more statements, outside of pipeline mode. `commits`: the text commits what was written. *out,
   which may be NULL, is the last result. */
agentchat_status aci_postgres_query(aci_postgres_connection *c, const char *text, bool commits, PGresult **out,
                                    aci_sql_outcome *outcome, agentchat_error *err);

/* ---- batch.c ---------------------------------------------------------------------------------------------------- */

/* How long a server waits for one lock before it says so, of a wait of so many milliseconds. */
uint32_t aci_postgres_lock_ms(int64_t wait_ms);
/* How long a server may say nothing when it is well. */
int64_t aci_postgres_patience(uint32_t wait_ms);
void aci_postgres_allow(void *connection, uint32_t wait_ms);
/* Brings lock_timeout in line with what is left of the time; a round trip where that changes it. */
agentchat_status aci_postgres_limit_locks(aci_postgres_connection *c, aci_sql_outcome *outcome, agentchat_error *err);

/* ---- batch.c ---------------------------------------------------------------------------------------------------- */

/* Name of the prepared statement. */
typedef struct aci_postgres_name {
    char text[48];
} aci_postgres_name;
void aci_postgres_prepared_clear(aci_postgres_connection *c);

/* ---- batch.c ---------------------------------------------------------------------------------------------------- */

agentchat_status aci_postgres_run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                                  aci_sql_outcome *outcome, agentchat_error *err);

/* ---- layout.c --------------------------------------------------------------------------------------------------- */

agentchat_status aci_postgres_version(void *connection, aci_sql_versions *out, aci_sql_outcome *outcome,
                                      agentchat_error *err);
agentchat_status aci_postgres_install(void *connection, const aci_sql_step *step, aci_sql_outcome *outcome,
                                      agentchat_error *err);

/* ---- error.c ---------------------------------------------------------------------------------------------------- */

/* A failure in the library's own words, with the connection's source. */
agentchat_status aci_postgres_fail(const aci_postgres_connection *c, agentchat_status status, agentchat_error *err,
                                   const char *format, ...) AGENTCHAT_PRINTF(4, 5);
/* Whether a failure does not say how far the server got: somebody between us, such as a pooler, has lost it (class 08,
   or a last word without the field that a server never leaves out), or the server itself does not know (40003). */
bool aci_postgres_leaves_open(const PGresult *result);
/* The failure that a result reports. `commits`: the COMMIT of what was written may be done although it says so. */
agentchat_status aci_postgres_fail_result(aci_postgres_connection *c, const PGresult *result, bool commits,
                                          aci_sql_outcome *outcome, agentchat_error *err);
/* The connection is lost, or libpq is out of memory for it. `commits`: the COMMIT of what was written may have reached
   the server. */
agentchat_status aci_postgres_fail_lost(aci_postgres_connection *c, bool commits, aci_sql_outcome *outcome,
                                        agentchat_error *err);
/* What was committed stands, but may be lost with this server: its commit has not waited for the standbys. */
agentchat_status aci_postgres_fail_unawaited(const aci_postgres_connection *c, agentchat_error *err);
/* Whether libpq has said that it is out of memory; then it may wait for ever for what it could not take, or have closed
 * the connection. */
bool aci_postgres_lacks_memory(const aci_postgres_connection *c);
/* Whether a server that gives this SQLSTATE has ended, or is about to end, the connection. */
bool aci_postgres_is_goodbye(const char *sqlstate);
/* ---- error.c ---------------------------------------------------------------------------------------------------- */

/* A connection could not be made: what libpq says about it. was_begun: it got as far as waiting for somebody. */
agentchat_status aci_postgres_fail_connect(aci_postgres_connection *c, bool was_begun, aci_sql_outcome *outcome,
                                           agentchat_error *err);

/* ---- error.c ---------------------------------------------------------------------------------------------------- */

/* One line without control characters, bidirectional ones and what is no UTF-8, cut to the room. */
void aci_postgres_one_line(char *out, size_t room, const char *text, size_t len);

/* ---- batch.c ---------------------------------------------------------------------------------------------------- */

/* Ends the open transaction; the connection is lost when that fails. */
void aci_postgres_rollback(void *connection);
/* Ends it, and waits until the standbys have what can be seen, as the server is set up. */
agentchat_status aci_postgres_confirm(void *connection, aci_sql_outcome *outcome, agentchat_error *err);
/* Whether the connection can be used again: nothing is open on it and the server has not closed it. */
bool aci_postgres_is_alive(void *connection);

/* ---- connect.c -------------------------------------------------------------------------------------------------- */

extern const aci_sql_driver aci_postgres_driver;
/* What the driver's table takes as `self`. wait_ms is not 0. */
agentchat_status aci_postgres_new(const agentchat_env *env, const char *url, uint32_t wait_ms, aci_postgres **out,
                                  agentchat_error *err);

/* ==== A batch under way: what the files that send it and read its answers share ================================== */

/* Types of values, as PostgreSQL numbers them: the same on every server. */
enum {
    OID_BOOL = 16,
    OID_BYTEA = 17,
    OID_NAME = 19,
    OID_INT8 = 20,
    OID_INT2 = 21,
    OID_INT4 = 23,
    OID_TEXT = 25,
    OID_BPCHAR = 1042,
    OID_VARCHAR = 1043
};

typedef struct aci_postgres_batch {
    aci_postgres_connection *c;
    aci_sql_request *requests;
    size_t count;
    /* BEGIN and COMMIT are commands like the requests that stand between them; NULL: not in this batch. */
    const aci_sql_request *begin, *commit;
    /* ---- sending ---- */
    size_t sent;    /* commands */
    size_t unasked; /* bytes since libpq was last asked whether it is held up */
    bool commit_sent, sync_sent;
    /* ---- reading ---- */
    size_t answered;  /* commands */
    bool is_prepared; /* the statement that is being prepared; not so when that failed or was skipped */
    bool is_row_mode; /* libpq has been asked to return the rows of the present answer one by one */
    bool has_committed, synced;
    /* ---- the first failure ---- */
    agentchat_status status;
    aci_sql_outcome outcome;
    agentchat_error *err;
} aci_postgres_batch;

/* Number of the commands. */
static inline size_t aci_postgres_commands(const aci_postgres_batch *b)
{
    return (b->begin != NULL) + b->count + (b->commit != NULL);
}

/* Index of the request that a command is; not below `count` for BEGIN and COMMIT. */
static inline size_t aci_postgres_request_of(const aci_postgres_batch *b, size_t command)
{
    return command - (b->begin != NULL);
}

static inline const aci_sql_request *aci_postgres_command(const aci_postgres_batch *b, size_t command)
{
    size_t index = aci_postgres_request_of(b, command);

    if (index < b->count)
        return &b->requests[index];
    return command == 0 && b->begin != NULL ? b->begin : b->commit;
}

/* ---- batch.c ---------------------------------------------------------------------------------------------------- */

#endif
