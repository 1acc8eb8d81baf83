/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of the library, prepared once for each connection. Backend of SQLite. */
#include "store/sqlite/driver.h"

#include <string.h>

enum { LEAST_SLOTS = 64 }; /* a power of two */

/* The slot of the statement of that service and number, or the free one where it would stand; the table has such. */
static aci_sqlite_prepared *slot_of(aci_sqlite_prepared *table, size_t cap, const aci_sql_statement *statement)
{
    for (size_t at = (size_t)statement->service * 251 + statement->number;; at++) {
        aci_sqlite_prepared *slot = &table[at & (cap - 1)];

        if (slot->of.text == NULL || (slot->of.number == statement->number && slot->of.service == statement->service))
            return slot;
    }
}

/* Keeps at least a half of the table free. */
static bool reserve(aci_sqlite_connection *c)
{
    const agentchat_env *env = c->database->env;
    size_t cap = c->prepared_cap > 0 ? c->prepared_cap * 2 : LEAST_SLOTS;
    aci_sqlite_prepared *table;

    if (c->prepared_count * 2 < c->prepared_cap)
        return true;
    table = aci_driver_alloc(env, cap * sizeof *table);
    if (table == NULL)
        return false;
    for (size_t i = 0; i < c->prepared_cap; i++) {
        if (c->prepared[i].of.text != NULL)
            *slot_of(table, cap, &c->prepared[i].of) = c->prepared[i];
    }
    aci_driver_free(env, c->prepared, c->prepared_cap * sizeof *c->prepared);
    c->prepared = table;
    c->prepared_cap = cap;
    return true;
}

agentchat_status aci_sqlite_prepared_of(aci_sqlite_connection *c, const aci_sql_statement *statement,
                                        sqlite3_stmt **out, aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_sqlite_prepared *slot;
    sqlite3_stmt *prepared = NULL;
    int code;

    *out = NULL;
    if (!reserve(c))
        return aci_sqlite_fail_nomem(c->database, err);
    slot = slot_of(c->prepared, c->prepared_cap, statement);
    if (slot->of.text != NULL && slot->of.text != statement->text && strcmp(slot->of.text, statement->text) != 0)
        return aci_sqlite_fail_on(c, SQLITE_MISUSE, "two statements have one number", outcome, err);
    if (slot->of.text == NULL) {
        do
            code = aci_sqlite_prepare(c, statement->text, true, &prepared);
        while (aci_sqlite_is_busy(code) && aci_sqlite_wait(c, 0) != 0);
        if (code != SQLITE_OK)
            return aci_sqlite_fail_on(c, code, "cannot prepare a statement", outcome, err);
        *slot = (aci_sqlite_prepared){*statement, prepared};
        c->prepared_count++;
    }
    *out = slot->statement;
    return AGENTCHAT_OK;
}
