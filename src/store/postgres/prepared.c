/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which statements the server has prepared on a connection.
 *
 * A statement is prepared with the types of the parameters that it is first run with, and once more when it is run with
 * others: so what the server makes of it never depends on which of its uses came first. NULL leaves the type to the
 * server. A preparation lasts although the transaction fails, but not one that the server skipped because something
 * before it had failed: batch.c marks them ready by the answers only.
 */
#include "driver.h"

#include <stdio.h>

enum { LEAST_SLOTS = 128 }; /* a power of two */

static void types_of(const aci_sql_request *request, uint64_t types[2])
{
    types[0] = types[1] = 0;
    for (size_t i = 0; i < request->param_count; i++)
        types[i / 32] |= (uint64_t)request->params[i].type << (i % 32 * 2);
}

/* The slot of a statement that is the same, or the free one where it would stand; the table has free ones. */
static aci_postgres_prepared *slot_of(aci_postgres_prepared *table, size_t cap, const aci_sql_statement *statement,
                                      const uint64_t types[2])
{
    uint64_t hash = (((uint64_t)statement->service << 32 | statement->number) * 31 + types[0]) * 31 + types[1];
    size_t at = (size_t)((hash * UINT64_C(0x9E3779B97F4A7C15)) >> 32);

    for (;; at++) {
        aci_postgres_prepared *slot = &table[at & (cap - 1)];

        if (slot->statement.text == NULL ||
            (slot->statement.text == statement->text && slot->statement.number == statement->number &&
             slot->statement.service == statement->service && slot->types[0] == types[0] && slot->types[1] == types[1]))
            return slot;
    }
}

/* Keeps at least a half of the table free. */
static bool reserve(aci_postgres_connection *c)
{
    const agentchat_env *env = c->server->env;
    size_t cap = c->prepared_cap > 0 ? c->prepared_cap * 2 : LEAST_SLOTS;
    aci_postgres_prepared *table;

    if (c->prepared_count * 2 < c->prepared_cap)
        return true;
    table = aci_driver_alloc(env, cap * sizeof *table);
    if (table == NULL)
        return false;
    for (size_t i = 0; i < c->prepared_cap; i++) {
        const aci_postgres_prepared *old = &c->prepared[i];

        if (old->statement.text != NULL)
            *slot_of(table, cap, &old->statement, old->types) = *old;
    }
    aci_driver_free(env, c->prepared, c->prepared_cap * sizeof *c->prepared);
    c->prepared = table;
    c->prepared_cap = cap;
    return true;
}

aci_postgres_prepared *aci_postgres_prepared_find(aci_postgres_connection *c, const aci_sql_request *request)
{
    aci_postgres_prepared *slot = NULL;
    uint64_t types[2];

    types_of(request, types);
    if (c->prepared_cap > 0)
        slot = slot_of(c->prepared, c->prepared_cap, request->statement, types);
    if (slot != NULL && slot->statement.text != NULL)
        return slot;
    if (!reserve(c))
        return NULL;
    slot = slot_of(c->prepared, c->prepared_cap, request->statement, types);
    slot->statement = *request->statement;
    slot->types[0] = types[0];
    slot->types[1] = types[1];
    slot->variant = (uint32_t)++c->prepared_count;
    return slot;
}

const char *aci_postgres_prepared_name(const aci_postgres_prepared *prepared, aci_postgres_name *buffer)
{
    snprintf(buffer->text, sizeof buffer->text, "agentchat_%lu_%lu_%lu", (unsigned long)prepared->statement.service,
             (unsigned long)prepared->statement.number, (unsigned long)prepared->variant);
    return buffer->text;
}

void aci_postgres_prepared_clear(aci_postgres_connection *c)
{
    aci_driver_free(c->server->env, c->prepared, c->prepared_cap * sizeof *c->prepared);
}
