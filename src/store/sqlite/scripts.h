/* SPDX-License-Identifier: Apache-2.0 */
/* The texts that make the tables of a store, and what an entry of a file's schema is to them. */
#ifndef ACI_STORE_SQLITE_SCRIPTS_H
#define ACI_STORE_SQLITE_SCRIPTS_H

#include "store/sqlite/driver.h"

typedef struct aci_sqlite_entry { /* of sqlite_schema; texts live until the next row */
    const char *type, *name, *table, *sql;
    int64_t root;
} aci_sqlite_entry;

/* What stands under an entry's name. */
typedef enum aci_sqlite_verdict { ACI_SQLITE_UNKNOWN, ACI_SQLITE_SAME, ACI_SQLITE_OTHER } aci_sqlite_verdict;

enum { ACI_SQLITE_MOST_SCRIPTS = 64 };
/* What makes the tables of a file, as far as this program knows them. */
typedef struct aci_sqlite_scripts {
    const char *list[ACI_SQLITE_MOST_SCRIPTS];
    size_t count;
} aci_sqlite_scripts;

/* Those of these versions. false: no store ever had such a layout. */
bool aci_sqlite_scripts_of(const aci_sql_host *host, const aci_sql_versions *versions, aci_sqlite_scripts *out);
/* Whether they make an entry of that name, and the very same one. *number: which one of those that they make it is. */
aci_sqlite_verdict aci_sqlite_scripts_find(const aci_sqlite_scripts *all, const aci_sqlite_entry *e, unsigned *number);
/* The same of one script. *number is counted up by those that it makes before it. */
aci_sqlite_verdict aci_sqlite_script_find(const char *script, const aci_sqlite_entry *e, unsigned *number);
/* The next statement of a script; false: there is none. */
bool aci_sqlite_script_next(const char **script, const char **text, size_t *len);
/* What a statement makes and under what name; false: nothing, as INSERT. */
bool aci_sqlite_script_makes(const char *text, size_t len, const char **type, const char **name, size_t *name_len);

/* Indexes that SQLite makes for keys have no text; it looks itself that they belong to one. */
bool aci_sqlite_entry_is_of_key(const aci_sqlite_entry *e);
/* Names, types and keys only: words, commas and parentheses, no operators, no quotes, no calls. */
bool aci_sqlite_entry_is_plain(const aci_sqlite_entry *e);

#endif
