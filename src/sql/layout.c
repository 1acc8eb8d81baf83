/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a store and their version. Layer 4. docs/stores.md describes them.
 *
 * Every table but the version's begins its primary key with the application, and nothing refers from one application
 * to another, so that a distributed database can spread the tables by it. `num` is a session's number, drawn at random
 * when it is made: a session that is deleted and made again under the same id is another one. In `state`, an empty usr
 * or sid stands for the wider scopes. Texts compare by their bytes.
 */
#include "sql/sql.h"

#include "base/error.h"

static const char sqlite_script[] =
    "CREATE TABLE store(format INTEGER NOT NULL, reader INTEGER NOT NULL, writer INTEGER NOT NULL) STRICT;\n"
    "CREATE TABLE session(app TEXT NOT NULL, usr TEXT NOT NULL, id TEXT NOT NULL, num INTEGER NOT NULL,"
    " seq INTEGER NOT NULL, rewinds INTEGER NOT NULL, created_us INTEGER NOT NULL, updated_us INTEGER NOT NULL,"
    " PRIMARY KEY(app, usr, id)) STRICT, WITHOUT ROWID;\n"
    "CREATE UNIQUE INDEX session_num ON session(app, num);\n"
    "CREATE INDEX session_by_app ON session(app, updated_us, usr, id);\n"
    "CREATE INDEX session_by_user ON session(app, usr, updated_us, id);\n"
    "CREATE TABLE event(app TEXT NOT NULL, num INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,"
    " time_ns INTEGER NOT NULL, json TEXT NOT NULL, effect TEXT NOT NULL, PRIMARY KEY(app, num, seq)) STRICT;\n"
    "CREATE UNIQUE INDEX event_id ON event(app, num, id);\n"
    "CREATE INDEX event_time ON event(app, num, time_ns);\n"
    "CREATE TABLE scope(app TEXT NOT NULL, usr TEXT NOT NULL, rev INTEGER NOT NULL, PRIMARY KEY(app, usr))"
    " STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE state(app TEXT NOT NULL, usr TEXT NOT NULL, sid TEXT NOT NULL, key TEXT NOT NULL,"
    " value TEXT NOT NULL, rev INTEGER NOT NULL, PRIMARY KEY(app, usr, sid, key)) STRICT, WITHOUT ROWID;\n"
    "INSERT INTO store(format, reader, writer) VALUES(1, 1, 1);\n";

static const char postgres_script[] =
    "CREATE TABLE store(format BIGINT NOT NULL, reader BIGINT NOT NULL, writer BIGINT NOT NULL);\n"
    "CREATE TABLE session(app TEXT COLLATE \"C\" NOT NULL, usr TEXT COLLATE \"C\" NOT NULL,"
    " id TEXT COLLATE \"C\" NOT NULL, num BIGINT NOT NULL, seq BIGINT NOT NULL, rewinds BIGINT NOT NULL,"
    " created_us BIGINT NOT NULL, updated_us BIGINT NOT NULL, PRIMARY KEY(app, usr, id));\n"
    "CREATE UNIQUE INDEX session_num ON session(app, num);\n"
    "CREATE INDEX session_by_app ON session(app, updated_us, usr, id);\n"
    "CREATE INDEX session_by_user ON session(app, usr, updated_us, id);\n"
    "CREATE TABLE event(app TEXT COLLATE \"C\" NOT NULL, num BIGINT NOT NULL, seq BIGINT NOT NULL,"
    " id TEXT COLLATE \"C\" NOT NULL, time_ns BIGINT NOT NULL, json TEXT COLLATE \"C\" NOT NULL,"
    " effect TEXT COLLATE \"C\" NOT NULL, PRIMARY KEY(app, num, seq));\n"
    "CREATE INDEX event_time ON event(app, num, time_ns);\n"
    "CREATE UNIQUE INDEX event_id ON event(app, num, id);\n"
    "CREATE TABLE scope(app TEXT COLLATE \"C\" NOT NULL, usr TEXT COLLATE \"C\" NOT NULL, rev BIGINT NOT NULL,"
    " PRIMARY KEY(app, usr));\n"
    "CREATE TABLE state(app TEXT COLLATE \"C\" NOT NULL, usr TEXT COLLATE \"C\" NOT NULL,"
    " sid TEXT COLLATE \"C\" NOT NULL, key TEXT COLLATE \"C\" NOT NULL, value TEXT COLLATE \"C\" NOT NULL,"
    " rev BIGINT NOT NULL, PRIMARY KEY(app, usr, sid, key));\n"
    "INSERT INTO store(format, reader, writer) VALUES(1, 1, 1);\n";

#define VERSION_TEXT "SELECT format, reader, writer FROM store"
const aci_statement aci_layout_version = {{{0, VERSION_TEXT}, {0, VERSION_TEXT}}};

/* What was released once stays here: a file made by it is known by these very texts. */
static const agentchat_sql_layout sqlite_layouts[] = {{1, sqlite_script}};
static const agentchat_sql_layout postgres_layouts[] = {{1, postgres_script}};

const agentchat_sql_layout *aci_layouts(agentchat_sql_dialect dialect, size_t *count)
{
    *count = dialect == AGENTCHAT_SQL_POSTGRES ? sizeof postgres_layouts / sizeof *postgres_layouts
                                               : sizeof sqlite_layouts / sizeof *sqlite_layouts;
    return dialect == AGENTCHAT_SQL_POSTGRES ? postgres_layouts : sqlite_layouts;
}

static agentchat_status judge(const agentchat_store *store, const agentchat_sql_version *version, agentchat_error *err)
{
    uint32_t needed = store->read_only ? version->reader : version->writer;
    agentchat_status status;

    if (needed <= ACI_LAYOUT)
        return AGENTCHAT_OK;
    status =
        aci_fail(err, AGENTCHAT_E_VERSION, "the store has layout %lu, this program knows up to %lu and must not %s it",
                 (unsigned long)version->format, (unsigned long)ACI_LAYOUT, store->read_only ? "read" : "write to");
    if (err != NULL)
        err->native = (int32_t)version->format;
    return status;
}

static agentchat_status look_or_install(agentchat_store *store, void *connection, bool may_install,
                                        agentchat_sql_outcome *outcome, agentchat_error *err)
{
    const agentchat_sql_driver *driver = store->driver;
    agentchat_sql_version version = {0, 0, 0};
    agentchat_status status = driver->version(connection, &version, outcome, err);

    if (status < 0 || version.format != 0)
        return status < 0 ? status : judge(store, &version, err);
    *outcome = AGENTCHAT_SQL_FINAL;
    if (!may_install || store->read_only)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no store here (agentchat store init makes one)");
    return driver->install(connection, 0, store->host.layouts[store->host.layout_count - 1].script, outcome, err);
}

/* Who asks for tables to be made on a server is told that they are there only when they are kept like those that it has
   made. Opening a file asks for nothing, and what is written to it later is kept together with its tables. */
static agentchat_status prepare_on(agentchat_store *store, void *connection, bool may_install,
                                   agentchat_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = look_or_install(store, connection, may_install, outcome, err);

    if (status >= 0 && may_install && !store->read_only && store->driver->dialect == AGENTCHAT_SQL_POSTGRES &&
        aci_store_confirms(store))
        status = store->driver->confirm(connection, outcome, err);
    return status;
}

agentchat_status aci_layout_prepare(agentchat_store *store, bool may_install, agentchat_error *err)
{
    int64_t deadline = aci_clock_ms() + store->wait_ms;
    agentchat_sql_call call = aci_call_begin(store, true);

    for (unsigned attempts = 0;; attempts++) {
        agentchat_sql_outcome outcome = AGENTCHAT_SQL_FINAL;
        void *connection = NULL;
        agentchat_status status = aci_pool_take(store, &call, deadline, &connection, &outcome, err);

        if (status >= 0) {
            aci_store_allow(store, connection, deadline);
            status = prepare_on(store, connection, may_install, &outcome, err);
            if (status < 0)
                aci_store_source(store, connection, err);
            aci_pool_give(store, connection);
        }
        if (status >= 0 || outcome == AGENTCHAT_SQL_FINAL || aci_clock_ms() >= deadline)
            return status;
        agentchat_error_clear(err);
        aci_wait_a_moment(attempts);
    }
}
