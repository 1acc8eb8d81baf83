/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening and closing a connection, and what each connection sets up for itself. Backend of SQLite.
 *
 * A file may come from anywhere, so what stands in its schema is not trusted: no triggers, no views, no extensions, no
 * other files, and pages are looked at before they are used. Nothing is written to a file that is not known to be ours.
 */
#include "backends/sqlite/driver.h"

#include <string.h>

/* None of these change the file. A log that has become large is cut when it begins anew. Intermediate results stay in
   memory, so that no text gets into temporary files. A file that another program cuts off must not end this one, so it
   is not mapped. */
static const char settings[] = "PRAGMA mmap_size=0;"
                               "PRAGMA cell_size_check=ON;"
                               "PRAGMA temp_store=MEMORY;"
                               "PRAGMA secure_delete=FAST;"
                               "PRAGMA journal_size_limit=16777216;"
                               "PRAGMA checkpoint_fullfsync=ON;";

static int configure_handle(aci_sqlite_connection *c)
{
    static const struct {
        int option, value;
    } options[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0}, /* a name in double quotes is never a text */
        {SQLITE_DBCONFIG_DQS_DDL, 0},
    };
    static const struct {
        int limit, value;
    } limits[] = {
        {SQLITE_LIMIT_SQL_LENGTH, 100000},    {SQLITE_LIMIT_COLUMN, 100},       {SQLITE_LIMIT_EXPR_DEPTH, 100},
        {SQLITE_LIMIT_COMPOUND_SELECT, 20},   {SQLITE_LIMIT_FUNCTION_ARG, 32},  {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_VARIABLE_NUMBER, 1000}, {SQLITE_LIMIT_TRIGGER_DEPTH, 10}, {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof options / sizeof options[0] && code == SQLITE_OK; i++)
        code = sqlite3_db_config(c->db, options[i].option, options[i].value, (int *)NULL);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        (void)sqlite3_limit(c->db, limits[i].limit, limits[i].value);
    return code == SQLITE_OK ? sqlite3_busy_handler(c->db, aci_sqlite_wait, c) : code;
}

static int configure_session(aci_sqlite_connection *c)
{
    int code = aci_sqlite_exec_waiting(c, settings);

    if (code != SQLITE_OK)
        return code;
    if (c->database->read_only)
        return aci_sqlite_exec_waiting(c, "PRAGMA query_only=ON");
    if (c->database->durability == AGENTCHAT_DURABILITY_NORMAL)
        return aci_sqlite_exec_waiting(c, "PRAGMA synchronous=NORMAL");
    return aci_sqlite_exec_waiting(c, "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON");
}

/* A file of ours that another program has taken out of write-ahead log mode goes back into it. */
static agentchat_status keep_log_mode(aci_sqlite_connection *c, agentchat_sql_outcome *outcome, agentchat_error *err)
{
    int64_t id = 0;
    int code;

    if (c->database->read_only || c->database->path == NULL)
        return AGENTCHAT_OK;
    code = aci_sqlite_ask(c, "PRAGMA application_id", &id);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    return id == ACI_SQLITE_APPLICATION_ID ? aci_sqlite_use_log(c, outcome, err) : AGENTCHAT_OK;
}

agentchat_status aci_sqlite_use_log(aci_sqlite_connection *c, agentchat_sql_outcome *outcome, agentchat_error *err)
{
    bool is_log = false;
    int code = aci_sqlite_set_log_mode(c, &is_log);

    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot switch the file to a write-ahead log", outcome, err);
    if (!is_log) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the file system cannot hold the file's write-ahead log");
        return aci_sqlite_source(c->database, AGENTCHAT_E_IO, err);
    }
    return AGENTCHAT_OK;
}

static agentchat_status connect_to(aci_sqlite_connection *c, agentchat_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status;
    int code;

    c->had_log = c->database->path != NULL && aci_sqlite_has_log(c->database);
    status = aci_sqlite_open_file(c->database, &c->db, outcome, err);
    if (status < 0)
        return status;
    code = configure_handle(c);
    if (code == SQLITE_OK)
        code = aci_sqlite_prepare_own(c);
    if (code == SQLITE_OK)
        code = configure_session(c);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    return keep_log_mode(c, outcome, err);
}

agentchat_status aci_sqlite_connect(void *self, void **connection, agentchat_sql_outcome *outcome, agentchat_error *err)
{
    aci_sqlite_database *database = self;
    aci_sqlite_connection *c;
    agentchat_status status;

    *connection = NULL;
    *outcome = AGENTCHAT_SQL_FINAL;
    if (database->path == NULL && database->connected) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the store in memory is gone with its connection");
        return aci_sqlite_source(database, AGENTCHAT_E_IO, err);
    }
    c = agentchat_sys_alloc(database->env, sizeof *c);
    if (c == NULL)
        return aci_sqlite_fail_nomem(database, err);
    c->database = database;
    c->random = ((uint64_t)aci_sqlite_now_us() << 20) ^ (uint64_t)(uintptr_t)c ^ 1;
    c->random |= 1;
    aci_sqlite_start_waiting(c);
    status = connect_to(c, outcome, err);
    if (status < 0) {
        aci_sqlite_disconnect(c);
        return status;
    }
    if (database->path == NULL)
        database->connected = true;
    *connection = c;
    return AGENTCHAT_OK;
}

void aci_sqlite_disconnect(void *connection)
{
    aci_sqlite_connection *c = connection;

    aci_sqlite_finalize_all(c);
    (void)sqlite3_close(c->db); /* rolls back; the last connection of all writes the log into the file and removes it */
    agentchat_sys_free(c->database->env, c, sizeof *c);
}

bool aci_sqlite_is_alive(void *connection)
{
    const aci_sqlite_connection *c = connection;

    return !c->dead;
}
