/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a server may keep us waiting.
 *
 * A server that waits for a lock is as silent as one that has gone. So it is made to wait for a part of the time only
 * and to say so, and is then asked again: it is known to be alive, and one that has gone is found out while there is
 * time left to turn to another. A statement that locks a row may wait twice, for its turn among those who wait and then
 * for who holds the row, each for lock_timeout: four times that is the full wait.
 */
#include "driver.h"

enum { LEAST_SPARE_MS = 2000 };

uint32_t aci_postgres_lock_ms(int64_t wait_ms)
{
    int64_t part = wait_ms / 4;

    return part < 1 ? 1 : part < INT32_MAX ? (uint32_t)part : INT32_MAX;
}

int64_t aci_postgres_patience(uint32_t wait_ms)
{
    int64_t spare = wait_ms / 4;

    return wait_ms / 2 + (spare > LEAST_SPARE_MS ? spare : LEAST_SPARE_MS);
}

void aci_postgres_allow(void *connection, uint32_t wait_ms)
{
    aci_postgres_connection *c = connection;

    c->deadline_ms = aci_postgres_now_ms() + wait_ms;
}

agentchat_status aci_postgres_limit_locks(aci_postgres_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    uint32_t usual = aci_postgres_lock_ms(c->server->wait_ms);
    int64_t left = (c->deadline_ms - aci_postgres_now_ms()) / 2; /* it may wait twice */
    uint32_t wanted = left >= usual ? usual : left < 1 ? 1 : (uint32_t)left;
    agentchat_status status;
    char text[64];

    if (wanted == c->lock_ms)
        return AGENTCHAT_OK;
    snprintf(text, sizeof text, "SET lock_timeout = %lu", (unsigned long)wanted);
    status = aci_postgres_query(c, text, false, NULL, outcome, err);
    if (status >= 0)
        c->lock_ms = wanted;
    return status;
}
