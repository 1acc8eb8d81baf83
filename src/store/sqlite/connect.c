/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening and closing a connection, and what each connection sets up for itself. Backend of SQLite.
 *
 * A file may come from anywhere: no other files are opened for it (vfs.c), its schema is compared before any of it is
 * used (schema.c), pages are looked at before they are used, and nothing runs for ever (guard.c). Nothing is written to
 * a file that is not known to be ours.
 */
#include "store/sqlite/driver.h"

#include <string.h>

/* None of these change the file. A log that has become large is cut when it begins anew. Intermediate results stay in
   memory, so that no text gets into temporary files. A file that another program cuts off must not end this one, so it
   is not mapped. Only commits write to the log (log_file.c). */
static const char settings[] = "PRAGMA mmap_size=0;"
                               "PRAGMA cache_spill=OFF;"
                               "PRAGMA cell_size_check=ON;"
                               "PRAGMA temp_store=MEMORY;"
                               "PRAGMA secure_delete=FAST;"
                               "PRAGMA journal_size_limit=16777216;"
                               "PRAGMA checkpoint_fullfsync=ON;";

/* To be done when the schema has been compared: SQLite reads it for that. */
static int set_durability(aci_sqlite_connection *c)
{
    if (c->database->read_only)
        return SQLITE_OK;
    if (c->database->durability == AGENTCHAT_DURABILITY_NORMAL)
        return aci_sqlite_exec_waiting(c, "PRAGMA synchronous=NORMAL");
    return aci_sqlite_exec_waiting(c, "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON");
}

/* A store that another program has taken out of write-ahead log mode goes back into it. */
static agentchat_status keep_log_mode(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    const aci_sqlite_database *database = c->database;

    if (database->read_only || database->path == NULL || !c->is_store ||
        !aci_sqlite_may_use(database, &c->versions, true))
        return AGENTCHAT_OK;
    return aci_sqlite_use_log(c, outcome, err);
}

/* The first transaction compares the schema. */
static agentchat_status look_inside(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = aci_sqlite_begin(c, false, outcome, err);

    return status < 0 ? status : aci_sqlite_commit(c, outcome, err);
}

agentchat_status aci_sqlite_use_log(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    bool is_log = false;
    int code = aci_sqlite_set_log_mode(c, &is_log);

    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot switch the file to a write-ahead log", outcome, err);
    if (!is_log) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the file system cannot hold the file's write-ahead log");
        return aci_sqlite_source(c->database, AGENTCHAT_E_IO, err);
    }
    code = set_durability(c);
    return code == SQLITE_OK ? AGENTCHAT_OK
                             : aci_sqlite_fail_on(c, code, "cannot set the file's durability", outcome, err);
}

static agentchat_status connect_to(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status;
    int code;

    c->had_log = c->database->path != NULL && aci_sqlite_has_log(c->database);
    status = aci_sqlite_open_file(c->database, &c->db, outcome, err);
    if (status < 0)
        return status;
    code = aci_sqlite_set_guard(c);
    if (code == SQLITE_OK)
        code = aci_sqlite_prepare_own(c);
    if (code == SQLITE_OK)
        code = aci_sqlite_exec_waiting(c, settings);
    if (code == SQLITE_OK && c->database->read_only)
        code = aci_sqlite_exec_waiting(c, "PRAGMA query_only=ON");
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    aci_sqlite_watch_log(c);
    status = look_inside(c, outcome, err);
    if (status < 0)
        return status;
    status = keep_log_mode(c, outcome, err);
    if (status < 0)
        return status;
    code = set_durability(c);
    return code == SQLITE_OK ? AGENTCHAT_OK : aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
}

agentchat_status aci_sqlite_connect(void *self, uint32_t wait_ms, void **connection, aci_sql_outcome *outcome,
                                    agentchat_error *err)
{
    aci_sqlite_database *database = self;
    aci_sqlite_connection *c;
    agentchat_status status;

    *connection = NULL;
    *outcome = ACI_SQL_FINAL;
    if (database->path == NULL && database->connected) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the store in memory is gone with its connection");
        return aci_sqlite_source(database, AGENTCHAT_E_IO, err);
    }
    c = aci_driver_alloc(database->env, sizeof *c);
    if (c == NULL)
        return aci_sqlite_fail_nomem(database, err);
    c->database = database;
    c->wait_ms = wait_ms;
    c->random = ((uint64_t)aci_sqlite_now_us() << 20) ^ (uint64_t)(uintptr_t)c ^ 1;
    c->random |= 1;
    c->schema_counter = -1;
    if (database->host != NULL)
        c->call.interrupts = database->host->interrupts(database->host);
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
    aci_driver_free(c->database->env, c, sizeof *c);
}

bool aci_sqlite_is_alive(void *connection)
{
    const aci_sqlite_connection *c = connection;

    return !c->dead;
}

const char *aci_sqlite_source_of(void *connection)
{
    const aci_sqlite_connection *c = connection;

    return c->database->name;
}
