/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a file: their versions, and whether they are ours. */
#include "store/sqlite/driver.h"

#include <string.h>

/* ==== what a store holds, and what an entry of a file's schema is to that ======================================== */

#define MOST_MADE 64

typedef struct entry { /* of sqlite_schema; texts live until the next row */
    const char *type, *name, *table, *sql;
    int64_t root;
} entry;

/* What a statement of ours makes. */
typedef struct made {
    const char *type, *name, *sql;
    size_t name_len, sql_len;
    bool found; /* in the file */
} made;

typedef struct made_list {
    made list[MOST_MADE];
    size_t count;
} made_list;

/* Adds what the statements of a script make; false: that is too much. */
static bool add_made(made_list *all, const char *script)
{
    static const struct {
        const char *head, *type;
    } kinds[] = {{"CREATE TABLE ", "table"}, {"CREATE INDEX ", "index"}, {"CREATE UNIQUE INDEX ", "index"}};

    for (script += strspn(script, "; \t\r\n"); *script != '\0'; script += strspn(script, "; \t\r\n")) {
        size_t len = strcspn(script, ";");

        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            const char *name = script + strlen(kinds[i].head);

            if (strncmp(script, kinds[i].head, strlen(kinds[i].head)) != 0)
                continue;
            if (all->count == MOST_MADE)
                return false;
            all->list[all->count++] = (made){kinds[i].type, name, script, strcspn(name, " ("), len, false};
        }
        script += len;
    }
    return true;
}

/* What a file of these versions holds; NULL: the layout only. */
static bool list_made(const aci_sql_host *host, const aci_sql_versions *versions, made_list *out)
{
    bool ok;

    out->count = 0;
    ok = add_made(out, host->layout.script);
    for (size_t i = 0; i < host->service_count && versions != NULL; i++) {
        const aci_sql_tables *tables = &host->services[i];

        for (uint32_t k = 0; k < versions->services[i].format && k < tables->count && ok; k++)
            ok = !aci_sql_was_released(tables, k + 1) || add_made(out, tables->migrations[k].script);
    }
    return ok;
}

static bool equals(const char *text, const char *other, size_t len)
{
    return text != NULL && strlen(text) == len && memcmp(text, other, len) == 0;
}

/* What has the name of an entry. */
static made *find_made(made_list *all, const entry *e)
{
    for (size_t i = 0; i < all->count; i++)
        if (equals(e->name, all->list[i].name, all->list[i].name_len))
            return &all->list[i];
    return NULL;
}

static bool is_same(const made *m, const entry *e)
{
    return strcmp(e->type, m->type) == 0 && equals(e->sql, m->sql, m->sql_len);
}

/* Indexes that SQLite makes for keys have no text; it looks itself that they belong to one. */
static bool is_of_key(const entry *e)
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
static bool is_plain(const entry *e)
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

static const char schema_query[] = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema";

typedef struct reading {
    aci_sqlite_connection *c;
    sqlite3_stmt *rows;
    int code; /* SQLITE_ROW while there are more */
    entry entry;
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
    r->entry = (entry){text_at(r->rows, 0), text_at(r->rows, 1), text_at(r->rows, 2), text_at(r->rows, 4),
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

/* Two trees in the same pages, or one in those of the schema, would write into each other. */
static bool has_own_root(int64_t *roots, size_t *count, const entry *e)
{
    for (size_t i = 0; i < *count; i++)
        if (roots[i] == e->root)
            return false;
    if (*count < 2 * MOST_MADE) /* ours and those of keys; a newer store may have more, which nothing here writes to */
        roots[(*count)++] = e->root;
    return e->root > 1;
}

/* NULL: it may stand there. */
static const char *refuses(made_list *all, const entry *e, bool may_hold_more)
{
    made *m = find_made(all, e);

    if (m != NULL) {
        m->found = true;
        return is_same(m, e) ? NULL : "is not as a store has it";
    }
    if (is_of_key(e))
        return NULL;
    if (!may_hold_more)
        return "belongs to no store";
    return is_plain(e) ? NULL : "is more than names, types and keys";
}

static agentchat_status find_missing(const aci_sqlite_connection *c, const made_list *all, agentchat_error *err)
{
    for (size_t i = 0; i < all->count; i++) {
        const made *m = &all->list[i];
        char shown[SHOWN_ROOM];

        snprintf(shown, sizeof shown, "%.*s", (int)m->name_len, m->name);
        if (!m->found)
            return refuse_entry(c, m->type, shown, "is missing", err);
    }
    return AGENTCHAT_OK;
}

static agentchat_status compare_store(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    bool may_hold_more = aci_sqlite_may_hold_more(c->database, &c->versions);
    int64_t roots[2 * MOST_MADE];
    size_t root_count = 0;
    agentchat_status status = AGENTCHAT_OK;
    made_list all;
    reading r;

    if (!list_made(c->database->host, &c->versions, &all))
        return refuse_file(c, "this is no store: it has more tables than any", err);
    begin(&r, c);
    while (status >= 0 && r.code == SQLITE_ROW && next(&r)) {
        const char *why = refuses(&all, &r.entry, may_hold_more);

        if (why == NULL && !has_own_root(roots, &root_count, &r.entry))
            why = "stands where another one does";
        if (why != NULL)
            status = refuse_entry(c, r.entry.type, r.entry.name, why, err);
    }
    if (status >= 0)
        status = fail_reading(&r, outcome, err);
    end(&r);
    return status < 0 ? status : find_missing(c, &all, err);
}

/* ---- the complete schema --------------------------------------------------------------------------------------- */

/* How many entries there are, the first one's name, and why the tables of versions cannot be ours; NULL: they are. */
typedef struct contents {
    size_t count;
    const char *store, *service;
    char first[SHOWN_ROOM];
} contents;

static agentchat_status look_into(aci_sqlite_connection *c, contents *out, aci_sql_outcome *outcome,
                                  agentchat_error *err)
{
    const aci_sql_host *host = c->database->host;
    agentchat_status status;
    made_list layout = {.count = 0};
    reading r;

    *out = (contents){.store = "is missing", .service = "is missing"};
    (void)(host != NULL && list_made(host, NULL, &layout));
    begin(&r, c);
    while (r.code == SQLITE_ROW && next(&r)) {
        const made *m = find_made(&layout, &r.entry);
        const char *why = m != NULL && is_same(m, &r.entry) ? NULL : "is not as a store has it";

        if (out->count++ == 0)
            aci_sqlite_printable(r.entry.name, out->first, sizeof out->first);
        if (strcmp(r.entry.name, "store") == 0)
            out->store = why;
        else if (strcmp(r.entry.name, "service") == 0)
            out->service = why;
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

/* Up to here nothing of the file but its header has been looked at. A program that must not read it does not come
   further than its versions. */
static agentchat_status inspect_ours(aci_sqlite_connection *c, const contents *found, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    const aci_sqlite_database *database = c->database;
    agentchat_status status;

    if (found->store != NULL)
        return refuse_entry(c, "table", "store", found->store, err);
    status = aci_sqlite_read_store(c, &c->versions.store, outcome, err);
    if (status < 0)
        return status;
    c->is_store = !aci_sqlite_may_use(database, &c->versions, false);
    if (c->is_store)
        return AGENTCHAT_OK;
    if (database->host->service_count > 0 && found->service != NULL)
        return refuse_entry(c, "table", "service", found->service, err);
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
    made_list known;
    reading r;

    (void)list_made(c->database->host, &c->versions, &known);
    begin(&r, c);
    while (r.code == SQLITE_ROW && next(&r))
        if (!is_of_key(&r.entry) && find_made(&known, &r.entry) == NULL)
            each(user, r.entry.type, r.entry.name);
    status = fail_reading(&r, &outcome, err);
    end(&r);
    return status;
}
