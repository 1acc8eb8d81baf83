/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The versions of the tables in a file, making them and changing them. Backend of SQLite.
 *
 * A file is new when it has no tables and no marks; a program that was killed while it made the tables leaves one.
 */
#include "store/sqlite/driver.h"

#include <string.h>

/* In a transaction, whose beginning has looked at the schema. */
static agentchat_status find_versions(aci_sqlite_connection *c, aci_sql_versions *out, aci_sql_outcome *outcome,
                                      agentchat_error *err)
{
    agentchat_status status;

    memset(out, 0, sizeof *out);
    if (!c->is_store)
        return AGENTCHAT_OK;
    status = aci_sqlite_read_store(c, &out->store, outcome, err);
    return status < 0 ? status : aci_sqlite_read_services(c, out, outcome, err);
}

agentchat_status aci_sqlite_version(void *connection, aci_sql_versions *out, aci_sql_outcome *outcome,
                                    agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_status status;

    *outcome = ACI_SQL_FINAL;
    memset(out, 0, sizeof *out);
    aci_sqlite_start_waiting(c);
    status = aci_sqlite_begin(c, false, outcome, err);
    if (status < 0)
        return status;
    status = find_versions(c, out, outcome, err);
    if (status >= 0)
        return aci_sqlite_commit(c, outcome, err);
    aci_sqlite_rollback(c);
    return status;
}

/* ---- making the tables ----------------------------------------------------------------------------------------- */

/* What a file gets for good and only before its first table: the way to give pages back (where another program has made
   the empty database, it is made anew), and the write-ahead log. Until it has the log, whose ends can be told from what
   lost power leaves of them, everything is flushed in its order, at any durability. */
static agentchat_status lay_out(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    int64_t mode = 0;
    int code;

    if (c->database->path == NULL)
        return AGENTCHAT_OK;
    code = aci_sqlite_exec_waiting(c, "PRAGMA synchronous=FULL; PRAGMA auto_vacuum=INCREMENTAL");
    if (code == SQLITE_OK)
        code = aci_sqlite_ask(c, "PRAGMA auto_vacuum", &mode);
    if (code == SQLITE_OK && mode != 2) {
        aci_sqlite_allow_copy(c, true);
        code = aci_sqlite_exec_waiting(c, "VACUUM");
        aci_sqlite_allow_copy(c, false);
    }
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot prepare the new file", outcome, err);
    return aci_sqlite_use_log(c, outcome, err);
}

static agentchat_status run_script(aci_sqlite_connection *c, const char *script, aci_sql_outcome *outcome,
                                   agentchat_error *err)
{
    aci_sql_version made = {0, 0, 0};
    agentchat_status status;
    char text[96];
    int code = aci_sqlite_exec(c, script);

    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot make the tables", outcome, err);
    status = aci_sqlite_read_store(c, &made, outcome, err);
    if (status < 0)
        return status;
    snprintf(text, sizeof text, "PRAGMA application_id=%d; PRAGMA user_version=%lu", ACI_SQLITE_APPLICATION_ID,
             (unsigned long)made.format);
    code = aci_sqlite_exec(c, text);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot make the tables", outcome, err);
    return aci_sqlite_look_at_schema(c, outcome, err); /* what was made is what is known */
}

static bool is_due(const aci_sql_step *step, const aci_sql_versions *now)
{
    return (step->service < 0 ? now->store.format : now->services[step->service].format) == step->from;
}

agentchat_status aci_sqlite_install(void *connection, const aci_sql_step *step, aci_sql_outcome *outcome,
                                    agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    aci_sql_versions now;
    agentchat_status status = aci_sqlite_version(c, &now, outcome, err);

    if (status < 0 || !is_due(step, &now))
        return status;
    if (now.store.format == 0)
        status = lay_out(c, outcome, err);
    if (status >= 0)
        status = aci_sqlite_begin(c, true, outcome, err);
    if (status < 0)
        return status;
    status = find_versions(c, &now, outcome, err);
    if (status >= 0 && is_due(step, &now))
        status = run_script(c, step->script, outcome, err);
    if (status < 0) {
        aci_sqlite_rollback(c);
        return status;
    }
    status = aci_sqlite_commit(c, outcome, err);
    if (status >= 0)
        (void)aci_sqlite_prepare_own(c); /* else they are prepared when they are needed */
    return status;
}
