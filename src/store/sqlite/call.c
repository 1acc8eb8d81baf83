/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call that a connection works for: whether it was cancelled, how long it may run and wait for others. Backend of
 * SQLite.
 *
 * SQLite's own timeout sleeps longer each time, up to 100 ms, so that who came last wins again and again and who waits
 * longest starves. Pauses here are short, random and never grow.
 */
#include "store/sqlite/driver.h"

#include <time.h>

#define SHORTEST_US 200
#define LONGEST_US 2000

int64_t aci_sqlite_now_us(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void aci_sqlite_attach(void *self, const aci_sql_host *host)
{
    aci_sqlite_database *database = self;

    database->host = host;
}

void aci_sqlite_serve(void *connection, const aci_sql_call *call)
{
    aci_sqlite_connection *c = connection;

    c->call = *call;
}

void aci_sqlite_allow(void *connection, uint32_t wait_ms)
{
    aci_sqlite_connection *c = connection;

    c->wait_ms = wait_ms;
}

bool aci_sqlite_is_cancelled(const aci_sqlite_connection *c)
{
    const aci_sql_host *host = c->database->host;

    return host != NULL && host->interrupts(host) != c->call.interrupts;
}

void aci_sqlite_start_statement(aci_sqlite_connection *c)
{
    c->until_us = c->call.unbounded ? INT64_MAX : aci_sqlite_now_us() + (int64_t)c->database->statement_ms * 1000;
}

void aci_sqlite_start_waiting(aci_sqlite_connection *connection)
{
    connection->deadline_us = aci_sqlite_now_us() + (int64_t)connection->wait_ms * 1000;
    aci_sqlite_start_statement(connection);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int aci_sqlite_wait(void *connection, int count)
{
    aci_sqlite_connection *c = connection;
    int64_t left = c->deadline_us - aci_sqlite_now_us();
    int64_t pause = SHORTEST_US + (int64_t)(next_random(&c->random) % (LONGEST_US - SHORTEST_US + 1));
    struct timespec time = {0, 0};

    (void)count;
    if (left <= 0 || aci_sqlite_is_cancelled(c))
        return 0;
    time.tv_nsec = (long)(pause < left ? pause : left) * 1000;
    (void)nanosleep(&time, NULL);
    return 1;
}
