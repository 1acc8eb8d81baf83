/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a file: their versions, and whether they are ours. */
#include "store/sqlite/driver.h"

#include <string.h>

/* ==== the texts that make the tables of a store, and what an entry of a file's schema is to them ================= */

/* Backend of SQLite. */

/* The next statement of a script; false: there is none. */
static bool sqlite_script_next(const char **script, const char **text, size_t *len)
{
    const char *p = *script + strspn(*script, "; \t\r\n");

    *text = p;
    *len = strcspn(p, ";");
    *script = p + *len;
    return *len > 0;
}

/* What a statement makes and under what name; false: nothing, as INSERT. */
static bool sqlite_script_makes(const char *text, size_t len, const char **type, const char **name, size_t *name_len)
{
    static const struct {
        const char *head, *type;
    } kinds[] = {{"CREATE TABLE ", "table"}, {"CREATE INDEX ", "index"}, {"CREATE UNIQUE INDEX ", "index"}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t head = strlen(kinds[i].head);

        if (len <= head || strncmp(text, kinds[i].head, head) != 0)
            continue;
        *type = kinds[i].type;
        *name = text + head;
        *name_len = strcspn(*name, " (");
        return true;
    }
    return false;
}

static bool equals(const char *text, const char *other, size_t len)
{
    return text != NULL && strlen(text) == len && memcmp(text, other, len) == 0;
}

/* The same of one script. *number is counted up by those that it makes before it. */
static aci_sqlite_verdict sqlite_script_find(const char *script, const aci_sqlite_entry *e, unsigned *number)
{
    const char *text, *type, *name;
    size_t len, name_len;

    while (sqlite_script_next(&script, &text, &len)) {
        if (!sqlite_script_makes(text, len, &type, &name, &name_len))
            continue;
        if (equals(e->name, name, name_len))
            return strcmp(e->type, type) == 0 && equals(e->sql, text, len) ? ACI_SQLITE_SAME : ACI_SQLITE_OTHER;
        ++*number;
    }
    return ACI_SQLITE_UNKNOWN;
}

/* Whether they make an entry of that name, and the very same one. *number: which one of those that they make it is. */
static aci_sqlite_verdict sqlite_scripts_find(const aci_sqlite_scripts *all, const aci_sqlite_entry *e,
                                              unsigned *number)
{
    aci_sqlite_verdict v = ACI_SQLITE_UNKNOWN;

    *number = 0;
    for (size_t i = 0; i < all->count && v == ACI_SQLITE_UNKNOWN; i++)
        v = sqlite_script_find(all->list[i], e, number);
    return v;
}

static bool add_script(aci_sqlite_scripts *all, const char *script)
{
    if (all->count == ACI_SQLITE_MOST_SCRIPTS)
        return false;
    all->list[all->count++] = script;
    return true;
}

/* Those of these versions. false: there are too many. */
static bool sqlite_scripts_of(const aci_sql_host *host, const aci_sql_versions *versions, aci_sqlite_scripts *out)
{
    bool ok;

    out->count = 0;
    ok = add_script(out, host->layout.script);
    for (size_t i = 0; i < host->service_count && ok; i++) {
        const aci_sql_tables *tables = &host->services[i];

        uint32_t known = versions->services[i].format;

        known = known < tables->count ? known : tables->count;
        for (uint32_t k = 0; k < known && ok; k++)
            ok = !aci_sql_was_released(tables, k + 1) || add_script(out, tables->migrations[k].script);
    }
    return ok;
}

/* Indexes that SQLite makes for keys have no text; it looks itself that they belong to one. */
static bool sqlite_entry_is_of_key(const aci_sqlite_entry *e)
{
    static const char head[] = "sqlite_autoindex_";
    size_t len = strlen(e->table);

    return e->sql == NULL && strcmp(e->type, "index") == 0 && strncmp(e->name, head, sizeof head - 1) == 0 &&
           strncmp(e->name + sizeof head - 1, e->table, len) == 0 && e->name[sizeof head - 1 + len] == '_';
}

/* ---- what newer versions may add ------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Words that begin something that runs, or that another file or order has a part in. */
static bool is_harmless_word(const char *word, size_t len)
{
    static const char *const others[] = {"AS",         "CHECK",   "COLLATE",   "CONFLICT", "CONSTRAINT",    "DEFAULT",
                                         "REFERENCES", "FOREIGN", "GENERATED", "WHERE",    "AUTOINCREMENT", "VIRTUAL",
                                         "TRIGGER",    "VIEW",    "TEMP",      "TEMPORARY"};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strlen(others[i]) == len && sqlite3_strnicmp(word, others[i], (int)len) == 0)
            return false;
    }
    return true;
}

/* Names, types and keys only: words, commas and parentheses, no operators, no quotes, no calls. */
static bool sqlite_entry_is_plain(const aci_sqlite_entry *e)
{
    int depth = 0, deepest = strcmp(e->type, "table") == 0 ? 2 : 1; /* of a table, also that of a key */

    if (e->sql == NULL || sqlite3_strnicmp(e->name, "sqlite_", 7) == 0 ||
        (strcmp(e->type, "table") != 0 && strcmp(e->type, "index") != 0))
        return false;
    for (const char *p = e->sql; *p != '\0';) {
        size_t len = 0;

        while (is_letter(p[len]))
            len++;
        if (len == 0 && strchr("(), \t\n", *p) == NULL)
            return false;
        depth += (*p == '(') - (*p == ')');
        if (depth < 0 || depth > deepest || !is_harmless_word(p, len))
            return false;
        p += len > 0 ? len : 1;
    }
    return depth == 0;
}

/* ==== the versions of the tables in a file ======================================================================= */

/* Backend of SQLite. */

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
    sqlite3_stmt *statement = NULL;
    int code;

    memset(out->services, 0, sizeof out->services);
    out->has_others = false;
    if (host->service_count == 0 || out->store.format < host->layout.format)
        return AGENTCHAT_OK;
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

bool aci_sqlite_may_use(const aci_sqlite_database *database, const aci_sql_versions *versions, bool writes)
{
    const aci_sql_host *host = database->host;

    if ((writes ? versions->store.writer : versions->store.reader) > host->layout.format ||
        versions->store.format < host->layout.format)
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
    bool more = versions->has_others || versions->store.format > host->layout.format;

    for (size_t i = 0; i < host->service_count && !more; i++)
        more = versions->services[i].format > host->services[i].count;
    return more;
}

/* ==== what a file holds: nothing yet, a store, or something else ================================================= */

/* Backend of SQLite.

   A schema is code: generated columns, checks, triggers, views, expressions in indexes and virtual tables run where
   a table is only read. So nothing of a file is used before each entry of its schema has been compared with the
   text of one that the library has made: SQLite keeps these texts as they were given. That is done in the
   transaction that goes on to use it, and again when the schema's counter says that somebody has changed it.

   A store of a newer version may hold more: tables and indexes that are made of names, types and keys and of
   nothing else. The library does not touch them. */

#define SHOWN_ROOM 64
#define MOST_ROOTS 64

static const char schema_query[] = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema";

typedef struct reading {
    aci_sqlite_connection *c;
    sqlite3_stmt *rows;
    int code; /* SQLITE_ROW while there are more */
    aci_sqlite_entry entry;
} reading;

/* ---- errors ---------------------------------------------------------------------------------------------------- */

/* Closing a file that is not ours must not move anything from its log into it either; without one it removes what
   opening has made. */
static void leave_alone(const aci_sqlite_connection *c)
{
    if (c->had_log)
        (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
}

static agentchat_status refuse_file(const aci_sqlite_connection *c, const char *why, agentchat_error *err)
{
    leave_alone(c);
    (void)agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "%s", why);
    return aci_sqlite_source(c->database, AGENTCHAT_E_SCHEMA, err);
}

static agentchat_status refuse_entry(const aci_sqlite_connection *c, const char *type, const char *name,
                                     const char *why, agentchat_error *err)
{
    char shown_type[16], shown[SHOWN_ROOM], text[176];

    aci_sqlite_printable(type, shown_type, sizeof shown_type);
    aci_sqlite_printable(name, shown, sizeof shown);
    snprintf(text, sizeof text, "the %s \"%s\" %s", shown_type, shown, why);
    return refuse_file(c, text, err);
}

/* ---- reading sqlite_schema ------------------------------------------------------------------------------------- */

static const char *text_at(sqlite3_stmt *rows, int column)
{
    return (const char *)sqlite3_column_text(rows, column);
}

static bool next(reading *r)
{
    r->code = sqlite3_step(r->rows);
    if (r->code != SQLITE_ROW)
        return false;
    r->entry = (aci_sqlite_entry){text_at(r->rows, 0), text_at(r->rows, 1), text_at(r->rows, 2), text_at(r->rows, 4),
                                  sqlite3_column_int64(r->rows, 3)};
    if (r->entry.sql == NULL && sqlite3_column_type(r->rows, 4) != SQLITE_NULL)
        r->code = SQLITE_NOMEM;
    if (r->entry.type == NULL || r->entry.name == NULL || r->entry.table == NULL)
        r->code = SQLITE_CORRUPT;
    return r->code == SQLITE_ROW;
}

static void begin(reading *r, aci_sqlite_connection *c)
{
    *r = (reading){.c = c};
    aci_sqlite_begin_loading(c);
    r->code = aci_sqlite_prepare(c, schema_query, false, &r->rows);
    if (r->code == SQLITE_OK)
        r->code = SQLITE_ROW;
}

static void end(reading *r)
{
    (void)sqlite3_finalize(r->rows);
    aci_sqlite_end_loading(r->c);
}

/* What ends a reading that has not come to its end. */
static agentchat_status fail_reading(reading *r, aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_sqlite_connection *c = r->c;

    if (r->code == SQLITE_DONE)
        return AGENTCHAT_OK;
    if ((r->code & 0xFF) == SQLITE_INTERRUPT && c->stop == ACI_SQLITE_STOP_LOAD)
        return refuse_file(c, "this is no store: its schema is larger than that of any store", err);
    if ((r->code & 0xFF) == SQLITE_TOOBIG)
        return refuse_file(c, "this is no store: its schema has a longer entry than that of any store", err);
    leave_alone(c);
    return aci_sqlite_fail_on(c, r->code, "cannot read the file's schema", outcome, err);
}

/* ---- comparing ------------------------------------------------------------------------------------------------- */

typedef struct comparison {
    aci_sqlite_connection *c;
    aci_sqlite_scripts scripts;
    bool may_hold_more;
    uint64_t found; /* those of the script, as bits */
    int64_t roots[MOST_ROOTS];
    size_t root_count;
} comparison;

/* Two trees in the same pages, or one in those of the schema, would write into each other. */
static bool has_own_root(comparison *m, const aci_sqlite_entry *e)
{
    for (size_t i = 0; i < m->root_count; i++) {
        if (m->roots[i] == e->root)
            return false;
    }
    if (m->root_count < MOST_ROOTS)
        m->roots[m->root_count++] = e->root;
    return e->root > 1;
}

static agentchat_status compare_entry(comparison *m, const aci_sqlite_entry *e, agentchat_error *err)
{
    unsigned number = 0;
    aci_sqlite_verdict v = sqlite_scripts_find(&m->scripts, e, &number);

    if (v == ACI_SQLITE_OTHER)
        return refuse_entry(m->c, e->type, e->name, "is not as a store has it", err);
    if (v == ACI_SQLITE_UNKNOWN && !sqlite_entry_is_of_key(e) && !m->may_hold_more)
        return refuse_entry(m->c, e->type, e->name, "belongs to no store", err);
    if (v == ACI_SQLITE_UNKNOWN && !sqlite_entry_is_of_key(e) && !sqlite_entry_is_plain(e))
        return refuse_entry(m->c, e->type, e->name, "is more than names, types and keys", err);
    if (!has_own_root(m, e))
        return refuse_entry(m->c, e->type, e->name, "stands where another one does", err);
    if (v == ACI_SQLITE_SAME)
        m->found |= UINT64_C(1) << number;
    return AGENTCHAT_OK;
}

static agentchat_status find_missing_in(const comparison *m, const char *script, unsigned *number, agentchat_error *err)
{
    const char *text, *type, *name;
    size_t len, name_len;

    while (sqlite_script_next(&script, &text, &len)) {
        char shown[SHOWN_ROOM];

        if (!sqlite_script_makes(text, len, &type, &name, &name_len))
            continue;
        snprintf(shown, sizeof shown, "%.*s", (int)name_len, name);
        if ((m->found >> *number & 1) == 0)
            return refuse_entry(m->c, type, shown, "is missing", err);
        ++*number;
    }
    return AGENTCHAT_OK;
}

static agentchat_status find_missing(const comparison *m, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    unsigned number = 0;

    for (size_t i = 0; i < m->scripts.count && status >= 0; i++)
        status = find_missing_in(m, m->scripts.list[i], &number, err);
    return status;
}

static agentchat_status compare_store(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    comparison m = {.c = c, .may_hold_more = aci_sqlite_may_hold_more(c->database, &c->versions)};
    agentchat_status status = AGENTCHAT_OK;
    reading r;

    if (!sqlite_scripts_of(c->database->host, &c->versions, &m.scripts))
        return refuse_file(c, "this is no store: it has more tables than any", err);
    begin(&r, c);
    while (r.code == SQLITE_ROW && status >= 0 && next(&r))
        status = compare_entry(&m, &r.entry, err);
    if (status >= 0)
        status = fail_reading(&r, outcome, err);
    end(&r);
    return status < 0 ? status : find_missing(&m, err);
}

/* ---- the complete schema --------------------------------------------------------------------------------------- */

/* How many entries there are, the first one's name, and whether the tables of versions are as they ever were. */
typedef struct contents {
    size_t count;
    aci_sqlite_verdict store, service; /* ACI_SQLITE_UNKNOWN: there is none */
    char first[SHOWN_ROOM];
} contents;

/* What stands under a name in the layout. */
static aci_sqlite_verdict compare_name(const aci_sql_host *host, const aci_sqlite_entry *e)
{
    unsigned number = 0;

    return host != NULL && sqlite_script_find(host->layout.script, e, &number) == ACI_SQLITE_SAME ? ACI_SQLITE_SAME
                                                                                                  : ACI_SQLITE_OTHER;
}

static agentchat_status look_into(aci_sqlite_connection *c, contents *out, aci_sql_outcome *outcome,
                                  agentchat_error *err)
{
    const aci_sqlite_database *database = c->database;
    agentchat_status status;
    reading r;

    memset(out, 0, sizeof *out);
    begin(&r, c);
    while (r.code == SQLITE_ROW && next(&r)) {
        if (out->count++ == 0)
            aci_sqlite_printable(r.entry.name, out->first, sizeof out->first);
        if (strcmp(r.entry.name, "store") == 0)
            out->store = compare_name(database->host, &r.entry);
        else if (strcmp(r.entry.name, "service") == 0)
            out->service = compare_name(database->host, &r.entry);
    }
    status = fail_reading(&r, outcome, err);
    end(&r);
    return status;
}

static agentchat_status refuse_other(const aci_sqlite_connection *c, const contents *found, int64_t version,
                                     agentchat_error *err)
{
    char text[176];

    if (found->count > 1)
        snprintf(text, sizeof text, "this is the database of another program (it holds \"%s\" and %zu more)",
                 found->first, found->count - 1);
    else if (found->count == 1)
        snprintf(text, sizeof text, "this is the database of another program (it holds \"%s\")", found->first);
    else
        snprintf(text, sizeof text, "this is the database of another program (its user_version is %lld)",
                 (long long)version);
    return refuse_file(c, text, err);
}

/* Texts of another encoding would have another order. */
static agentchat_status check_encoding(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool is_utf8 = false;
    int code = aci_sqlite_prepare(c, "PRAGMA encoding", false, &statement);

    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        const char *name = text_at(statement, 0);

        is_utf8 = name != NULL && strcmp(name, "UTF-8") == 0;
    }
    (void)sqlite3_finalize(statement);
    if (code != SQLITE_ROW)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    return is_utf8 ? AGENTCHAT_OK : refuse_file(c, "its texts are not in UTF-8, as those of every store are", err);
}

static agentchat_status refuse_table(const aci_sqlite_connection *c, const char *name, aci_sqlite_verdict v,
                                     agentchat_error *err)
{
    return refuse_entry(c, "table", name, v == ACI_SQLITE_UNKNOWN ? "is missing" : "is not as a store has it", err);
}

/* Up to here nothing of the file but its header has been looked at. A program that must not read it does not come
   further than its versions. */
static agentchat_status inspect_ours(aci_sqlite_connection *c, const contents *found, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    const aci_sqlite_database *database = c->database;
    agentchat_status status;

    if (found->store != ACI_SQLITE_SAME)
        return refuse_table(c, "store", found->store, err);
    status = aci_sqlite_read_store(c, &c->versions.store, outcome, err);
    if (status < 0)
        return status;
    c->is_store = !aci_sqlite_may_use(database, &c->versions, false);
    if (c->is_store)
        return AGENTCHAT_OK;
    if (database->host->service_count > 0 && found->service != ACI_SQLITE_SAME)
        return refuse_table(c, "service", found->service, err);
    status = aci_sqlite_read_services(c, &c->versions, outcome, err);
    if (status >= 0 && aci_sqlite_may_use(database, &c->versions, false))
        status = compare_store(c, outcome, err);
    c->is_store = status >= 0;
    return status;
}

static agentchat_status ask_header(aci_sqlite_connection *c, int64_t *id, int64_t *version, aci_sql_outcome *outcome,
                                   agentchat_error *err)
{
    char text[96];
    int code = aci_sqlite_ask(c, "PRAGMA application_id", id);

    if (code == SQLITE_OK)
        code = aci_sqlite_ask(c, "PRAGMA user_version", version);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    if (*id == 0 || *id == ACI_SQLITE_APPLICATION_ID)
        return AGENTCHAT_OK;
    snprintf(text, sizeof text, "this is the database of another program (its application_id is 0x%08lx)",
             (unsigned long)(uint32_t)*id);
    return refuse_file(c, text, err);
}

agentchat_status aci_sqlite_inspect(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    int64_t id = 0, version = 0;
    contents found;
    agentchat_status status = ask_header(c, &id, &version, outcome, err);

    c->is_store = false;
    memset(&c->versions, 0, sizeof c->versions);
    if (status >= 0)
        status = look_into(c, &found, outcome, err);
    if (status >= 0 && id == 0 && (found.count > 0 || version != 0))
        status = refuse_other(c, &found, version, err);
    if (status >= 0)
        status = check_encoding(c, outcome, err);
    if (status < 0 || id == 0)
        return status;
    return inspect_ours(c, &found, outcome, err);
}

agentchat_status aci_sqlite_each_unknown(aci_sqlite_connection *c, aci_sqlite_unknown_fn each, void *user,
                                         agentchat_error *err)
{
    aci_sql_outcome outcome;
    agentchat_status status;
    aci_sqlite_scripts known;
    reading r;

    (void)sqlite_scripts_of(c->database->host, &c->versions, &known);
    begin(&r, c);
    while (r.code == SQLITE_ROW && next(&r)) {
        unsigned number;

        if (!sqlite_entry_is_of_key(&r.entry) && sqlite_scripts_find(&known, &r.entry, &number) == ACI_SQLITE_UNKNOWN)
            each(user, r.entry.type, r.entry.name);
    }
    status = fail_reading(&r, &outcome, err);
    end(&r);
    return status;
}
