/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the schema `agentchat` holds, and making the tables in it.
 *
 * A schema without any table counts as new: where users may not create schemas, an administrator makes an empty one
 * for them. Only one connection makes tables at a time; who waited for another looks once more and finds them.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Making tables can take long (indexes of full ones), while the server says nothing. */
#define PATIENCE_TO_MAKE_MS ((int64_t)3600 * 1000)

/* The number is the name "agentcha" as eight bytes; other programs on the same database have other ones. */
static const char lock_for_making[] = "BEGIN ISOLATION LEVEL READ COMMITTED;"
                                      "SELECT pg_catalog.pg_advisory_xact_lock(7018969009060735073)";
/* Every transaction reads the version of its service, or in layout 1 of all tables, before all else and keeps a lock
   for that until its end: so this waits for those that go by the old one, and holds up those to come. */
static const char look[] = "SELECT (SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'agentchat'),"
                           " count(*), count(*) FILTER (WHERE relname = 'store' AND relkind IN ('r', 'p'))"
                           " FROM pg_catalog.pg_class WHERE relnamespace ="
                           " (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = 'agentchat')";
static const char version_text[] = "SELECT format::bigint, reader::bigint, writer::bigint FROM agentchat.store";
static const char services_text[] =
    "SELECT name, version::bigint, reader::bigint, writer::bigint FROM agentchat.service";

typedef struct schema {
    bool is_there, is_empty, is_ours;
} schema;

static agentchat_status look_at_schema(aci_postgres_connection *c, schema *out, aci_sql_outcome *outcome,
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

static bool take_number(const PGresult *result, int row, int column, uint32_t *out)
{
    long long value = strtoll(PQgetvalue(result, row, column), NULL, 10);

    *out = (uint32_t)value;
    return value >= 1 && value <= (long long)UINT32_MAX;
}

static agentchat_status refuse_schema(const aci_postgres_connection *c, const char *why, agentchat_error *err)
{
    return aci_postgres_fail(c, AGENTCHAT_E_SCHEMA, err, "the schema agentchat is not ours: %s", why);
}

static bool take_version(const PGresult *result, int row, int column, aci_sql_version *out)
{
    return take_number(result, row, column, &out->format) && take_number(result, row, column + 1, &out->reader) &&
           take_number(result, row, column + 2, &out->writer);
}

/* Runs a query of a table of versions; E_SCHEMA when it is another table. */
static agentchat_status ask_versions(aci_postgres_connection *c, const char *text, const char *table, PGresult **out,
                                     aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_error own;
    agentchat_status status;
    char why[64];

    agentchat_error_clear(&own);
    status = aci_postgres_query(c, text, false, out, outcome, &own);
    snprintf(why, sizeof why,
             strcmp(own.sqlstate, "42P01") == 0 ? "it has no table %s" : "its table %s has other columns", table);
    if (status < 0 && (strcmp(own.sqlstate, "42703") == 0 || strcmp(own.sqlstate, "42P01") == 0))
        return refuse_schema(c, why, err);
    if (status < 0 && err != NULL)
        *err = own;
    return status;
}

static agentchat_status read_store(aci_postgres_connection *c, aci_sql_version *out, aci_sql_outcome *outcome,
                                   agentchat_error *err)
{
    PGresult *result = NULL;
    agentchat_status status = ask_versions(c, version_text, "store", &result, outcome, err);

    if (status >= 0 && (PQntuples(result) != 1 || PQnfields(result) != 3))
        status = refuse_schema(c, "its table store has to have one row", err);
    else if (status >= 0 && !take_version(result, 0, 0, out))
        status = refuse_schema(c, "its table store has numbers that are no versions", err);
    PQclear(result);
    return status;
}

static bool take_service(const aci_sql_host *host, const PGresult *result, int row, aci_sql_versions *out)
{
    aci_sql_version other, *version = &other;

    for (size_t i = 0; i < host->service_count; i++) {
        if (strcmp(PQgetvalue(result, row, 0), host->services[i].name) == 0)
            version = &out->services[i];
    }
    out->has_others = out->has_others || version == &other;
    return take_version(result, row, 1, version);
}

static agentchat_status read_services(aci_postgres_connection *c, aci_sql_versions *out, aci_sql_outcome *outcome,
                                      agentchat_error *err)
{
    PGresult *result = NULL;
    agentchat_status status = ask_versions(c, services_text, "service", &result, outcome, err);

    if (status >= 0 && PQnfields(result) != 4)
        status = refuse_schema(c, "its table service has other columns", err);
    for (int row = 0; status >= 0 && row < PQntuples(result); row++) {
        if (!take_service(c->server->host, result, row, out))
            status = refuse_schema(c, "its table service has numbers that are no versions", err);
    }
    PQclear(result);
    return status;
}

static agentchat_status look_at_version(aci_postgres_connection *c, schema *found, aci_sql_versions *out,
                                        aci_sql_outcome *outcome, agentchat_error *err)
{
    const aci_sql_host *host = c->server->host;
    agentchat_status status = look_at_schema(c, found, outcome, err);

    memset(out, 0, sizeof *out);
    if (status < 0 || found->is_empty)
        return status;
    if (!found->is_ours)
        return refuse_schema(c, "it has no table store", err);
    status = read_store(c, &out->store, outcome, err);
    /* What is of another layout may have anything. */
    if (status < 0 || host->service_count == 0 || out->store.format < host->layout.format ||
        out->store.reader > host->layout.format)
        return status;
    return read_services(c, out, outcome, err);
}

agentchat_status aci_postgres_version(void *connection, aci_sql_versions *out, aci_sql_outcome *outcome,
                                      agentchat_error *err)
{
    aci_postgres_connection *c = connection;
    schema found = {false, false, false};

    *outcome = ACI_SQL_FINAL;
    if (!aci_postgres_is_alive(c))
        return aci_postgres_fail_lost(c, false, outcome, err);
    return look_at_version(c, &found, out, outcome, err);
}

/* The script alone may take long. */
static agentchat_status run_script(aci_postgres_connection *c, const char *script, aci_sql_outcome *outcome,
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

/* Keeps out those who go by the versions that change. */
static agentchat_status lock_others_out(aci_postgres_connection *c, const aci_sql_versions *now,
                                        aci_sql_outcome *outcome, agentchat_error *err)
{
    const char *text = c->server->host->service_count > 0
                           ? "LOCK TABLE agentchat.store, agentchat.service IN ACCESS EXCLUSIVE MODE"
                           : "LOCK TABLE agentchat.store IN ACCESS EXCLUSIVE MODE";

    return now->store.format == 0 ? AGENTCHAT_OK : aci_postgres_query(c, text, false, NULL, outcome, err);
}

static agentchat_status take_step(aci_postgres_connection *c, const aci_sql_step *step, aci_sql_outcome *outcome,
                                  agentchat_error *err)
{
    schema found = {false, false, false};
    aci_sql_versions now;
    agentchat_status status = aci_postgres_query(c, lock_for_making, false, NULL, outcome, err);

    if (status >= 0)
        status = look_at_version(c, &found, &now, outcome, err);
    if (status < 0 || (step->service < 0 ? now.store.format : now.services[step->service].format) != step->from)
        return status;
    /* IF NOT EXISTS would ask for the right to create one even where there is one. */
    if (!found.is_there)
        status = aci_postgres_query(c, "CREATE SCHEMA agentchat", false, NULL, outcome, err);
    if (status >= 0)
        status = lock_others_out(c, &now, outcome, err);
    if (status >= 0)
        status = run_script(c, step->script, outcome, err);
    if (status >= 0)
        status = aci_postgres_query(c, "COMMIT", true, NULL, outcome, err);
    return status;
}

agentchat_status aci_postgres_install(void *connection, const aci_sql_step *step, aci_sql_outcome *outcome,
                                      agentchat_error *err)
{
    aci_postgres_connection *c = connection;
    agentchat_status status;

    *outcome = ACI_SQL_FINAL;
    if (!aci_postgres_is_alive(c))
        return aci_postgres_fail_lost(c, false, outcome, err);
    c->is_making = true;
    status = aci_postgres_limit_locks(c, outcome, err);
    if (status >= 0)
        status = take_step(c, step, outcome, err);
    c->is_making = false;
    aci_postgres_rollback(c); /* does nothing after a commit */
    return status;
}
