/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts that make the tables of a store, and what an entry of a file's schema is to them. Backend of SQLite.
 */
#include "store/sqlite/scripts.h"

#include <string.h>

bool aci_sqlite_script_next(const char **script, const char **text, size_t *len)
{
    const char *p = *script + strspn(*script, "; \t\r\n");

    *text = p;
    *len = strcspn(p, ";");
    *script = p + *len;
    return *len > 0;
}

bool aci_sqlite_script_makes(const char *text, size_t len, const char **type, const char **name, size_t *name_len)
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

aci_sqlite_verdict aci_sqlite_script_find(const char *script, const aci_sqlite_entry *e, unsigned *number)
{
    const char *text, *type, *name;
    size_t len, name_len;

    while (aci_sqlite_script_next(&script, &text, &len)) {
        if (!aci_sqlite_script_makes(text, len, &type, &name, &name_len))
            continue;
        if (equals(e->name, name, name_len))
            return strcmp(e->type, type) == 0 && equals(e->sql, text, len) ? ACI_SQLITE_SAME : ACI_SQLITE_OTHER;
        ++*number;
    }
    return ACI_SQLITE_UNKNOWN;
}

aci_sqlite_verdict aci_sqlite_scripts_find(const aci_sqlite_scripts *all, const aci_sqlite_entry *e, unsigned *number)
{
    aci_sqlite_verdict v = ACI_SQLITE_UNKNOWN;

    *number = 0;
    for (size_t i = 0; i < all->count && v == ACI_SQLITE_UNKNOWN; i++)
        v = aci_sqlite_script_find(all->list[i], e, number);
    return v;
}

static bool add_script(aci_sqlite_scripts *all, const char *script)
{
    if (all->count == ACI_SQLITE_MOST_SCRIPTS)
        return false;
    all->list[all->count++] = script;
    return true;
}

bool aci_sqlite_scripts_of(const aci_sql_host *host, const aci_sql_versions *versions, aci_sqlite_scripts *out)
{
    const aci_sql_layout *layout = aci_sql_layout_of(host, versions->store.format);
    bool ok = layout != NULL;

    out->count = 0;
    if (ok)
        ok = add_script(out, layout->script);
    for (size_t i = 0; i < host->service_count && ok; i++) {
        const aci_sql_tables *tables = &host->services[i];

        uint32_t known = versions->services[i].format;

        known = known < tables->count ? known : tables->count;
        for (uint32_t k = 0; k < known && ok; k++)
            ok = !aci_sql_was_released(tables, k + 1) || add_script(out, tables->migrations[k].script);
    }
    return ok;
}

bool aci_sqlite_entry_is_of_key(const aci_sqlite_entry *e)
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

bool aci_sqlite_entry_is_plain(const aci_sqlite_entry *e)
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
