/* SPDX-License-Identifier: Apache-2.0 */
/* The versions of the tables in a file. Backend of SQLite. */
#include "store/sqlite/driver.h"

#include <string.h>

static bool to_number(sqlite3_stmt *statement, int column, uint32_t *out)
{
    int64_t value = sqlite3_column_int64(statement, column);

    *out = (uint32_t)value;
    return sqlite3_column_type(statement, column) == SQLITE_INTEGER && value >= 1 && value <= INT32_MAX;
}

static bool to_version(sqlite3_stmt *statement, int column, aci_sql_version *out)
{
    return to_number(statement, column, &out->format) && to_number(statement, column + 1, &out->reader) &&
           to_number(statement, column + 2, &out->writer);
}

static agentchat_status fail_table(const aci_sqlite_connection *c, int code, const char *what, aci_sql_outcome *outcome,
                                   agentchat_error *err)
{
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        return aci_sqlite_fail_on(c, code, "cannot read the version of the tables", outcome, err);
    (void)agentchat_error_set(err, AGENTCHAT_E_CORRUPT, "%s", what);
    return aci_sqlite_source(c->database, AGENTCHAT_E_CORRUPT, err);
}

agentchat_status aci_sqlite_read_store(aci_sqlite_connection *c, aci_sql_version *out, aci_sql_outcome *outcome,
                                       agentchat_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = aci_sqlite_prepare(c, "SELECT format, reader, writer FROM store", false, &statement);
    bool good = false;

    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        good = to_version(statement, 0, out);
    if (code == SQLITE_ROW)
        code = good ? sqlite3_step(statement) : SQLITE_OK;
    good = good && code == SQLITE_DONE;
    (void)sqlite3_finalize(statement);
    return good ? AGENTCHAT_OK : fail_table(c, code, "the table \"store\" does not hold one version", outcome, err);
}

/* One row of `service`. */
static bool take_service(const aci_sql_host *host, sqlite3_stmt *statement, aci_sql_versions *out)
{
    const char *name = (const char *)sqlite3_column_text(statement, 0);
    aci_sql_version other, *version = &other;

    for (size_t i = 0; i < host->service_count && name != NULL; i++) {
        if (strcmp(name, host->services[i].name) == 0)
            version = &out->services[i];
    }
    out->has_others = out->has_others || version == &other;
    return name != NULL && to_version(statement, 1, version);
}

agentchat_status aci_sqlite_read_services(aci_sqlite_connection *c, aci_sql_versions *out, aci_sql_outcome *outcome,
                                          agentchat_error *err)
{
    const aci_sql_host *host = c->database->host;
    const aci_sql_layout *layout = aci_sql_layout_of(host, out->store.format);
    sqlite3_stmt *statement = NULL;
    int code;

    memset(out->services, 0, sizeof out->services);
    out->has_others = false;
    if (layout == NULL || !layout->has_services) {
        if (layout != NULL && layout->first_service > 0)
            out->services[0] = (aci_sql_version){layout->first_service, 1, 1};
        return AGENTCHAT_OK;
    }
    code = aci_sqlite_prepare(c, "SELECT name, version, reader, writer FROM service", false, &statement);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW && !take_service(host, statement, out))
            break;
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_DONE ? AGENTCHAT_OK
                               : fail_table(c, code, "the table \"service\" does not hold versions", outcome, err);
}

static const aci_sql_layout *newest(const aci_sqlite_database *database)
{
    return &database->host->layouts[database->host->layout_count - 1];
}

bool aci_sqlite_may_use(const aci_sqlite_database *database, const aci_sql_versions *versions, bool writes)
{
    const aci_sql_host *host = database->host;

    if ((writes ? versions->store.writer : versions->store.reader) > newest(database)->format)
        return false;
    for (size_t i = 0; i < host->service_count; i++) {
        if ((writes ? versions->services[i].writer : versions->services[i].reader) > host->services[i].count ||
            !aci_sql_was_released(&host->services[i], versions->services[i].format))
            return false;
    }
    return true;
}

bool aci_sqlite_may_hold_more(const aci_sqlite_database *database, const aci_sql_versions *versions)
{
    const aci_sql_host *host = database->host;
    bool more = versions->has_others || versions->store.format > newest(database)->format;

    for (size_t i = 0; i < host->service_count && !more; i++)
        more = versions->services[i].format > host->services[i].count;
    return more;
}
