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

static void types_of(const agentchat_sql_request *request, uint64_t types[2])
{
    types[0] = types[1] = 0;
    for (size_t i = 0; i < request->param_count; i++)
        types[i / 32] |= (uint64_t)request->params[i].type << (i % 32 * 2);
}

aci_postgres_prepared *aci_postgres_prepared_find(aci_postgres_connection *c, const agentchat_sql_request *request)
{
    uint64_t types[2], hash;

    types_of(request, types);
    hash = ((uint64_t)request->statement->id * 31 + types[0]) * 31 + types[1];
    hash = (hash * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    for (size_t tries = 0; tries < ACI_POSTGRES_PREPARED; tries++) {
        aci_postgres_prepared *slot = &c->prepared[(hash + tries) & (ACI_POSTGRES_PREPARED - 1)];

        if (slot->text == NULL) {
            slot->text = request->statement->text;
            slot->types[0] = types[0];
            slot->types[1] = types[1];
            return slot;
        }
        if (slot->text == request->statement->text && slot->types[0] == types[0] && slot->types[1] == types[1])
            return slot;
    }
    return NULL;
}

const char *aci_postgres_prepared_name(const aci_postgres_connection *c, const aci_postgres_prepared *prepared,
                                       aci_postgres_name *buffer)
{
    snprintf(buffer->text, sizeof buffer->text, "agentchat_%u", (unsigned)(prepared - c->prepared));
    return buffer->text;
}
