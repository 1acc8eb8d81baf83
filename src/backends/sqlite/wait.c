/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for others. Backend of SQLite.
 *
 * SQLite's own timeout sleeps longer each time, up to 100 ms, so that who came last wins again and again and who waits
 * longest starves. Pauses here are short, random and never grow.
 */
#include "backends/sqlite/driver.h"

#include <time.h>

#define SHORTEST_US 200
#define LONGEST_US 2000

int64_t aci_sqlite_now_us(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void aci_sqlite_start_waiting(aci_sqlite_connection *connection)
{
    connection->deadline_us = aci_sqlite_now_us() + (int64_t)connection->database->wait_ms * 1000;
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
