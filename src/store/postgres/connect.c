/* SPDX-License-Identifier: Apache-2.0 */
/* Opening stores and connections. */
#include "driver.h"

#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* ==== hosts ====================================================================================================== */
/*
 * The hosts that a connection may be made to: lists that libpq reads from the URL, the environment or a service file.
 *
 * libpq tries them in turn, but without blocking it waits for the first that says nothing for as long as it is asked
 * to. So who connects gives each a part of the time, strikes out the one that has used it up, and begins anew with
 * the others: what else libpq asks of a host (target_session_attrs) stays its business.
 */

/* ---- lists ---------------------------------------------------------------------------------------------------- */

static size_t length_of(const char *list)
{
    size_t count = 1;

    if (list == NULL || list[0] == '\0')
        return 0;
    for (; *list != '\0'; list++)
        count += *list == ',';
    return count;
}

/* The entry of a list that is as long; one of a single entry has it everywhere. */
static const char *entry_of(const char *list, size_t index, size_t *len)
{
    if (length_of(list) <= 1)
        index = 0;
    for (; list != NULL && index > 0; index--)
        list += strcspn(list, ",") + 1;
    *len = list != NULL ? strcspn(list, ",") : 0;
    return list;
}

/* Whether the entry is `text`, or there is none. */
static bool fits(const char *list, size_t index, const char *text)
{
    size_t len = 0;
    const char *entry = entry_of(list, index, &len);

    return len == 0 || (text != NULL && strlen(text) == len && memcmp(entry, text, len) == 0);
}

/* false: nothing is left of it. */
static bool remove_entry(char *list, size_t index)
{
    size_t len = 0;
    char *entry = list + (entry_of(list, index, &len) - list);

    if (entry[len] == ',')
        memmove(entry, entry + len + 1, strlen(entry + len + 1) + 1);
    else
        entry[entry > list ? -1 : 0] = '\0';
    return list[0] != '\0';
}

/* ---- hosts ---------------------------------------------------------------------------------------------------- */

static void postgres_hosts_load(aci_postgres_hosts *hosts, PGconn *conn)
{
    hosts->options = PQconninfo(conn);
    for (PQconninfoOption *option = hosts->options; option != NULL && option->keyword != NULL; option++) {
        if (strcmp(option->keyword, "host") == 0)
            hosts->host = option->val;
        else if (strcmp(option->keyword, "hostaddr") == 0)
            hosts->hostaddr = option->val;
        else if (strcmp(option->keyword, "port") == 0)
            hosts->port = option->val;
    }
    hosts->count = length_of(hosts->hostaddr);
    if (hosts->count == 0)
        hosts->count = length_of(hosts->host);
    if (hosts->count == 0)
        hosts->count = 1;
}

/* Which of them libpq is at; `count` when that is unknown. */
static size_t postgres_hosts_at(const aci_postgres_hosts *hosts, const PGconn *conn)
{
    size_t at = 0;

    while (at < hosts->count && !(fits(hosts->host, at, PQhost(conn)) && fits(hosts->port, at, PQport(conn)) &&
                                  fits(hosts->hostaddr, at, PQhostaddr(conn))))
        at++;
    return at;
}

/* Strikes out the one that libpq is at. false: there is no other to try. */
static bool postgres_hosts_strike(aci_postgres_hosts *hosts, const PGconn *conn)
{
    char *const lists[] = {hosts->host, hosts->hostaddr, hosts->port};
    size_t at = postgres_hosts_at(hosts, conn);
    bool is_left = hosts->count > 1 && at < hosts->count;

    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && is_left; i++) {
        if (length_of(lists[i]) > 1)
            is_left = remove_entry(lists[i], at);
    }
    hosts->count -= is_left;
    return is_left;
}

static void postgres_hosts_free(aci_postgres_hosts *hosts)
{
    aci_postgres_free_options(hosts->options);
}

/* ==== making a connection: the handshake without blocking, then every setting in one round trip ================== */

/* Settings are made after the handshake and not in its options, which poolers refuse and which would take the place
   of the user's own. What the server decides (synchronous_commit, statement_timeout, read-only databases) is left
   alone. */

/* pg_temp comes last, so that no temporary table can stand before one of ours. lock_timeout: see batch.c. */
static const char settings[] = "SELECT pg_catalog.current_setting('server_version_num'),"
                               " pg_catalog.current_setting('server_encoding'),"
                               " pg_catalog.set_config('search_path', 'agentchat, pg_temp', false),"
                               " pg_catalog.set_config('lock_timeout', $1, false),"
                               " pg_catalog.set_config('standard_conforming_strings', 'on', false),"
                               " pg_catalog.set_config('client_min_messages', 'warning', false)";
/* A server then notices within a second that a client is gone which it keeps waiting for a lock. Not every platform
   can; where it cannot, everything else still holds. */
static const char watchfulness[] = "SELECT pg_catalog.set_config('client_connection_check_interval', '1s', false)";

/* Notices are not shown to anybody. Two are remembered: that with which a server announces its end, and that of a
   commit whose wait for the standbys was ended, by pg_cancel_backend() or statement_timeout. The latter has no SQLSTATE
   of its own, but it names a function of the server, which no translation changes. */
static void on_notice(void *user, const PGresult *result)
{
    aci_postgres_connection *c = user;
    const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *function = PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);

    if (function != NULL && strcmp(function, "SyncRepWaitForLSN") == 0)
        c->is_unawaited = true;
    if (sqlstate != NULL && strlen(sqlstate) == 5 && aci_postgres_is_goodbye(sqlstate))
        memcpy(c->goodbye, sqlstate, sizeof c->goodbye);
}

static void set_source(aci_postgres_connection *c)
{
    const char *host = PQhost(c->conn), *port = PQport(c->conn), *database = PQdb(c->conn);
    bool is_usual = port == NULL || port[0] == '\0' || strcmp(port, "5432") == 0;
    char name[sizeof c->source];

    snprintf(name, sizeof name, "%s%s%s/%s", host != NULL ? host : "", is_usual ? "" : ":", is_usual ? "" : port,
             database != NULL ? database : "");
    aci_postgres_one_line(c->source, sizeof c->source, name, strlen(name));
}

static agentchat_status start(aci_postgres_connection *c, const aci_postgres_hosts *hosts, agentchat_error *err)
{
    /* What comes before dbname yields to the user's string; what comes after it and is not NULL does not. */
    char patience[24];
    const char *const keywords[] = {
        "fallback_application_name", "tcp_user_timeout", "dbname", "client_encoding", "host", "hostaddr", "port", NULL};
    const char *const values[] = {"agentchat", patience,        c->server->url, "UTF8",
                                  hosts->host, hosts->hostaddr, hosts->port,    NULL};

    snprintf(patience, sizeof patience, "%lld", (long long)(c->patience_ms < INT32_MAX ? c->patience_ms : INT32_MAX));
    c->conn = PQconnectStartParams(keywords, values, 1);
    if (c->conn == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    PQsetNoticeReceiver(c->conn, on_notice, c);
    (void)PQsetErrorVerbosity(c->conn, PQERRORS_VERBOSE); /* with the SQLSTATE, which is not given otherwise here */
    set_source(c);
    return AGENTCHAT_OK;
}

/* *is_silent: the host that libpq is at has used up its part of the time; then err is left alone. */
static agentchat_status shake_hands(aci_postgres_connection *c, const aci_postgres_hosts *hosts, int64_t deadline,
                                    bool *is_silent, aci_sql_outcome *outcome, agentchat_error *err)
{
    PostgresPollingStatusType wanted =
        PQstatus(c->conn) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
    size_t at = SIZE_MAX;
    int64_t until = deadline;
    bool was_begun = false;

    while (wanted != PGRES_POLLING_OK) {
        size_t now_at = postgres_hosts_at(hosts, c->conn);
        int64_t now = aci_postgres_now_ms();
        short ready = 0;

        if (wanted == PGRES_POLLING_FAILED)
            return aci_postgres_fail_connect(c, was_begun, outcome, err);
        was_begun = true;
        if (at != now_at)
            until = now + (deadline - now) / (int64_t)hosts->count;
        at = now_at;
        if (!aci_postgres_poll(PQsocket(c->conn), wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT, until - now,
                               &ready)) {
            *is_silent = true;
            return AGENTCHAT_E_IO;
        }
        wanted = PQconnectPoll(c->conn);
    }
    set_source(c); /* of several hosts, the one that it is */
    return AGENTCHAT_OK;
}

static agentchat_status reach(aci_postgres_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    int64_t begun = aci_postgres_now_ms(), deadline = c->deadline_ms;
    aci_postgres_hosts hosts = {0};
    bool is_silent = false, was_silent = false;
    agentchat_status status = start(c, &hosts, err);

    if (status < 0)
        return status;
    postgres_hosts_load(&hosts, c->conn);
    status = shake_hands(c, &hosts, deadline, &is_silent, outcome, err);
    while (is_silent && postgres_hosts_strike(&hosts, c->conn)) {
        was_silent = true;
        is_silent = false;
        PQfinish(c->conn);
        status = start(c, &hosts, err);
        if (status >= 0)
            status = shake_hands(c, &hosts, deadline, &is_silent, outcome, err);
    }
    if (is_silent)
        status = aci_postgres_fail(c, AGENTCHAT_E_IO, err, "the server did not let us in within %lu ms",
                                   (unsigned long)(deadline - begun));
    if (status == AGENTCHAT_E_IO && (is_silent || was_silent)) /* of several hosts one may come back */
        *outcome = ACI_SQL_TRANSIENT;
    postgres_hosts_free(&hosts);
    return status;
}

/* libpq says why it could not connect in the language of the thread, and says it by no other means. */
static agentchat_status reach_in_english(aci_postgres_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    locale_t english = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
    agentchat_status status;

    if (english == (locale_t)0)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    before = uselocale(english);
    status = reach(c, outcome, err);
    (void)uselocale(before);
    freelocale(english);
    return status;
}

/* What a server must be. It reports that when it lets us in, too, but libpq forgets it when it is short of memory. */
static agentchat_status check_server(const aci_postgres_connection *c, const PGresult *settled, agentchat_error *err)
{
    bool is_said = PQntuples(settled) == 1 && PQnfields(settled) >= 2;
    int version = is_said ? (int)strtol(PQgetvalue(settled, 0, 0), NULL, 10) : 0;
    const char *encoding = is_said ? PQgetvalue(settled, 0, 1) : "";
    char shown[64];

    if (!is_said)
        return aci_postgres_fail(c, AGENTCHAT_E_IO, err, "the server did not say what it is");
    if (version < ACI_POSTGRES_OLDEST)
        return aci_postgres_fail(c, AGENTCHAT_E_UNSUPPORTED, err,
                                 "the server is PostgreSQL %d, %d is the oldest that will do", version / 10000,
                                 ACI_POSTGRES_OLDEST / 10000);
    if (strcmp(encoding, "UTF8") == 0)
        return AGENTCHAT_OK;
    aci_postgres_one_line(shown, sizeof shown, encoding, strlen(encoding));
    return aci_postgres_fail(c, AGENTCHAT_E_UNSUPPORTED, err, "the database's encoding is %s, it has to be UTF8",
                             shown);
}

static bool send_settings(aci_postgres_connection *c)
{
    char wait[16];
    const char *const values[] = {wait};

    c->lock_ms = aci_postgres_lock_ms(c->server->wait_ms);
    snprintf(wait, sizeof wait, "%lu", (unsigned long)c->lock_ms);
    return PQsetnonblocking(c->conn, 1) == 0 && PQenterPipelineMode(c->conn) &&
           PQsendQueryParams(c->conn, settings, 1, NULL, values, NULL, NULL, 0) && PQpipelineSync(c->conn) &&
           PQsendQueryParams(c->conn, watchfulness, 0, NULL, NULL, NULL, NULL, 0) && PQpipelineSync(c->conn);
}

static agentchat_status take_settings(aci_postgres_connection *c, const PGresult *result, aci_sql_outcome *outcome,
                                      agentchat_error *err)
{
    ExecStatusType kind = PQresultStatus(result);

    return kind == PGRES_TUPLES_OK || kind == PGRES_COMMAND_OK
               ? check_server(c, result, err)
               : aci_postgres_fail_result(c, result, false, outcome, err);
}

static agentchat_status configure(aci_postgres_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    int syncs = 0;

    if (!send_settings(c))
        return aci_postgres_fail_lost(c, false, outcome, err);
    aci_postgres_count(c);
    while (syncs < 2 && status >= 0) {
        PGresult *result = NULL;
        bool is_there = aci_postgres_next(c, &result);

        if (result != NULL && PQresultStatus(result) == PGRES_PIPELINE_SYNC)
            syncs++;
        else if (result != NULL && syncs == 0)
            status = take_settings(c, result, outcome, err);
        PQclear(result);
        /* Once the connection has ended, PQgetResult() says for ever that there is nothing more. */
        if (status >= 0 && syncs < 2 && (!is_there || PQstatus(c->conn) != CONNECTION_OK))
            status = aci_postgres_fail_lost(c, false, outcome, err);
    }
    if (status >= 0 && PQexitPipelineMode(c->conn) != 1)
        status = aci_postgres_fail_lost(c, false, outcome, err);
    return status;
}

static agentchat_status postgres_connect(void *self, uint32_t wait_ms, void **connection, aci_sql_outcome *outcome,
                                         agentchat_error *err)
{
    aci_postgres *server = self;
    aci_postgres_connection *c = aci_driver_alloc(server->env, sizeof *c);
    agentchat_status status;

    *connection = NULL;
    *outcome = ACI_SQL_FINAL;
    if (c == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    c->server = server;
    c->patience_ms = aci_postgres_patience(server->wait_ms);
    aci_postgres_allow(c, wait_ms);
    status = reach_in_english(c, outcome, err);
    if (status >= 0)
        status = configure(c, outcome, err);
    if (status < 0) {
        aci_postgres_disconnect(c);
        return status;
    }
    c->deadline_ms = INT64_MAX; /* until somebody sets one */
    atomic_store(&server->was_reached, true);
    *connection = c;
    return AGENTCHAT_OK;
}

void aci_postgres_disconnect(void *connection)
{
    aci_postgres_connection *c = connection;

    PQfinish(c->conn);
    aci_postgres_prepared_clear(c);
    aci_driver_free(c->server->env, c, sizeof *c);
}

/* ==== the driver's table, and what its connections are opened with =============================================== */

agentchat_status aci_postgres_new(const agentchat_env *env, const char *url, uint32_t wait_ms, aci_postgres **out,
                                  agentchat_error *err)
{
    size_t size = strlen(url) + 1;
    agentchat_status status = aci_postgres_check_url(url, err);
    aci_postgres *server;

    *out = NULL;
    if (status < 0)
        return status;
    server = aci_driver_alloc(env, sizeof *server);
    if (server == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    server->url = aci_driver_alloc(env, size);
    if (server->url == NULL) {
        aci_driver_free(env, server, sizeof *server);
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    }
    memcpy(server->url, url, size);
    server->url_size = size;
    server->env = env;
    server->wait_ms = wait_ms;
    atomic_init(&server->was_reached, false);
    atomic_init(&server->round_trips, 0);
    *out = server;
    return AGENTCHAT_OK;
}

static void release(void *self)
{
    aci_postgres *server = self;

    aci_postgres_wipe(server->url, server->url_size);
    aci_driver_free(server->env, server->url, server->url_size);
    aci_driver_free(server->env, server, sizeof *server);
}

/* A server looks after its own files. */
static agentchat_status check(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    (void)connection;
    (void)each;
    (void)user;
    (void)err;
    return AGENTCHAT_OK;
}

static const char *source(void *connection)
{
    const aci_postgres_connection *c = connection;

    return c->source;
}

static void attach(void *self, const aci_sql_host *host)
{
    aci_postgres *server = self;

    server->host = host;
}

/* A call that is cancelled ends between its batches. */
static void serve(void *connection, const aci_sql_call *call)
{
    (void)connection;
    (void)call;
}

const aci_sql_driver aci_postgres_driver = {
    .name = "postgresql",
    .dialect = ACI_SQL_POSTGRES,
    .attach = attach,
    .connect = postgres_connect,
    .disconnect = aci_postgres_disconnect,
    .is_alive = aci_postgres_is_alive,
    .source = source,
    .serve = serve,
    .allow = aci_postgres_allow,
    .run = aci_postgres_run,
    .rollback = aci_postgres_rollback,
    .confirm = aci_postgres_confirm,
    .version = aci_postgres_version,
    .install = aci_postgres_install,
    .check = check,
    .free = release,
};

/* ==== opening stores on a PostgreSQL server: the public functions ================================================ */

/* An options struct is never this large; trusting a larger number would read past the end of the caller's. */
#define HIGHEST_STRUCT_SIZE 4096

enum { DEFAULT_WAIT_MS = 30000, DEFAULT_CONNECTIONS = 8 };

/* Reads the caller's options, which may be of an older or a newer version: what this one does not know must be 0. */
static bool load_options(const agentchat_store_options *given, agentchat_store_options *out)
{
    const unsigned char *bytes = (const unsigned char *)given;
    size_t size = 0;

    memset(out, 0, sizeof *out);
    if (given == NULL)
        return true;
    memcpy(&size, bytes, sizeof size);
    if (size < sizeof size || size > HIGHEST_STRUCT_SIZE)
        return false;
    for (size_t i = sizeof *out; i < size; i++) {
        if (bytes[i] != 0)
            return false;
    }
    memcpy(out, bytes, size < sizeof *out ? size : sizeof *out);
    return out->durability == AGENTCHAT_DURABILITY_FULL || out->durability == AGENTCHAT_DURABILITY_NORMAL;
}

static agentchat_status open_store(const agentchat_env *env, const char *url, const agentchat_store_options *options,
                                   bool may_install, agentchat_store **out, agentchat_error *err)
{
    aci_sql_store_options passed = {false, may_install, 0, 0, 0};
    agentchat_store_options loaded;
    aci_postgres *server = NULL;
    agentchat_status status;

    if (url == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "url must not be NULL");
    if (!load_options(options, &loaded))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "the options are not valid (begin with AGENTCHAT_STORE_OPTIONS_INIT)");
    if (may_install && loaded.read_only)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "tables cannot be made for reading only");
    passed.read_only = loaded.read_only;
    passed.wait_ms = loaded.wait_ms != 0 ? loaded.wait_ms : DEFAULT_WAIT_MS;
    passed.memory_ttl_us = loaded.memory_ttl_us;
    passed.max_connections = loaded.max_connections != 0 ? loaded.max_connections : DEFAULT_CONNECTIONS;
    status = aci_postgres_new(env, url, passed.wait_ms, &server, err);
    if (status >= 0)
        status = aci_driver_store(env, &aci_postgres_driver, server, &passed, out, err);
    return status;
}

agentchat_status agentchat_postgres_open(const agentchat_env *env, const char *url,
                                         const agentchat_store_options *options, agentchat_store **out,
                                         agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "out must not be NULL");
    *out = NULL;
    return open_store(env, url, options, false, out, err);
}

agentchat_status agentchat_postgres_init(const agentchat_env *env, const char *url,
                                         const agentchat_store_options *options, agentchat_error *err)
{
    agentchat_store *store = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    status = open_store(env, url, options, true, &store, err);
    agentchat_store_close(store);
    return status;
}
