/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the schema `agentchat` holds, and making the tables in it.
 *
 * A schema without any table counts as new: where users may not create schemas, an administrator makes an empty one for
 * them. Only one connection makes tables at a time; who waited for another looks once more and finds them.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

/* Making tables can take long (indexes of full ones), without a word from the server. */
#define PATIENCE_TO_MAKE_MS ((int64_t)3600 * 1000)

/* The number is the name "agentcha" as eight bytes; other programs on the same database have other ones. */
static const char lock_for_making[] = "BEGIN ISOLATION LEVEL READ COMMITTED;"
                                      "SELECT pg_catalog.pg_advisory_xact_lock(7018969009060735073)";
/* Every transaction reads the number of the layout before all else and keeps a lock for that until its end: so this
   waits for those that go by the old one, and holds up those to come. */
static const char lock_out_others[] = "LOCK TABLE agentchat.store IN ACCESS EXCLUSIVE MODE";
static const char look[] = "SELECT (SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'agentchat'),"
                           " count(*), count(*) FILTER (WHERE relname = 'store' AND relkind IN ('r', 'p'))"
                           " FROM pg_catalog.pg_class WHERE relnamespace ="
                           " (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = 'agentchat')";
static const char version_text[] = "SELECT format::bigint, reader::bigint, writer::bigint FROM agentchat.store";

typedef struct schema {
    bool is_there, is_empty, is_ours;
} schema;

static agentchat_status look_at_schema(aci_postgres_connection *c, schema *out, agentchat_sql_outcome *outcome,
                                       agentchat_error *err)
{
    PGresult *result = NULL;
    agentchat_status status = aci_postgres_query(c, look, false, &result, outcome, err);

    if (status >= 0 && (PQntuples(result) != 1 || PQnfields(result) != 3))
        status = aci_postgres_fail(c, AGENTCHAT_E_IO, err, "the server did not say what the schema agentchat holds");
    if (status >= 0) {
        out->is_there = strcmp(PQgetvalue(result, 0, 0), "0") != 0;
        out->is_empty = strcmp(PQgetvalue(result, 0, 1), "0") == 0;
        out->is_ours = strcmp(PQgetvalue(result, 0, 2), "0") != 0;
    }
    PQclear(result);
    return status;
}

static bool take_number(const PGresult *result, int column, uint32_t *out)
{
    long long value = strtoll(PQgetvalue(result, 0, column), NULL, 10);

    *out = (uint32_t)value;
    return value >= 1 && value <= (long long)UINT32_MAX;
}

static agentchat_status refuse_schema(const aci_postgres_connection *c, const char *why, agentchat_error *err)
{
    return aci_postgres_fail(c, AGENTCHAT_E_SCHEMA, err, "the schema agentchat is not ours: %s", why);
}

static agentchat_status read_version(aci_postgres_connection *c, agentchat_sql_version *out,
                                     agentchat_sql_outcome *outcome, agentchat_error *err)
{
    PGresult *result = NULL;
    agentchat_error own;
    agentchat_status status;

    agentchat_error_clear(&own);
    status = aci_postgres_query(c, version_text, false, &result, outcome, &own);
    if (status < 0 && strcmp(own.sqlstate, "42703") == 0)
        status = refuse_schema(c, "its table store has other columns", err);
    else if (status < 0 && err != NULL)
        *err = own;
    if (status >= 0 && (PQntuples(result) != 1 || PQnfields(result) != 3))
        status = refuse_schema(c, "its table store has to have one row", err);
    else if (status >= 0 && (!take_number(result, 0, &out->format) || !take_number(result, 1, &out->reader) ||
                             !take_number(result, 2, &out->writer)))
        status = refuse_schema(c, "its table store has numbers that are no versions", err);
    PQclear(result);
    return status;
}

static agentchat_status look_at_version(aci_postgres_connection *c, schema *found, agentchat_sql_version *out,
                                        agentchat_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = look_at_schema(c, found, outcome, err);

    memset(out, 0, sizeof *out);
    if (status < 0 || found->is_empty)
        return status;
    return found->is_ours ? read_version(c, out, outcome, err) : refuse_schema(c, "it has no table store", err);
}

agentchat_status aci_postgres_version(void *connection, agentchat_sql_version *out, agentchat_sql_outcome *outcome,
                                      agentchat_error *err)
{
    aci_postgres_connection *c = connection;
    schema found = {false, false, false};

    *outcome = AGENTCHAT_SQL_FINAL;
    if (!aci_postgres_is_alive(c))
        return aci_postgres_fail_lost(c, false, outcome, err);
    return look_at_version(c, &found, out, outcome, err);
}

/* The script alone may take long. */
static agentchat_status run_script(aci_postgres_connection *c, const char *script, agentchat_sql_outcome *outcome,
                                   agentchat_error *err)
{
    int64_t patience = c->patience_ms, deadline = c->deadline_ms;
    agentchat_status status;

    c->patience_ms = PATIENCE_TO_MAKE_MS;
    c->deadline_ms = INT64_MAX;
    status = aci_postgres_query(c, script, false, NULL, outcome, err);
    c->patience_ms = patience;
    c->deadline_ms = deadline;
    return status;
}

static agentchat_status make_tables(aci_postgres_connection *c, uint32_t from, const char *script,
                                    agentchat_sql_outcome *outcome, agentchat_error *err)
{
    schema found = {false, false, false};
    agentchat_sql_version version = {0, 0, 0};
    agentchat_status status = aci_postgres_query(c, lock_for_making, false, NULL, outcome, err);

    if (status >= 0)
        status = look_at_version(c, &found, &version, outcome, err);
    if (status < 0 || version.format != from)
        return status;
    /* IF NOT EXISTS would ask for the right to create one even where there is one. */
    if (!found.is_there)
        status = aci_postgres_query(c, "CREATE SCHEMA agentchat", false, NULL, outcome, err);
    if (status >= 0 && from > 0)
        status = aci_postgres_query(c, lock_out_others, false, NULL, outcome, err);
    if (status >= 0)
        status = run_script(c, script, outcome, err);
    if (status >= 0)
        status = aci_postgres_query(c, "COMMIT", true, NULL, outcome, err);
    return status;
}

agentchat_status aci_postgres_install(void *connection, uint32_t from, const char *script,
                                      agentchat_sql_outcome *outcome, agentchat_error *err)
{
    aci_postgres_connection *c = connection;
    agentchat_status status;

    *outcome = AGENTCHAT_SQL_FINAL;
    if (!aci_postgres_is_alive(c))
        return aci_postgres_fail_lost(c, false, outcome, err);
    c->is_making = true;
    status = aci_postgres_limit_locks(c, outcome, err);
    if (status >= 0)
        status = make_tables(c, from, script, outcome, err);
    c->is_making = false;
    aci_postgres_rollback(c); /* does nothing after a commit */
    return status;
}
