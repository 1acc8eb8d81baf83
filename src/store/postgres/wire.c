/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for the server. */
#include "driver.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

int64_t aci_postgres_now_ms(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool aci_postgres_poll(int socket, short events, int64_t timeout_ms, short *ready)
{
    int64_t deadline = aci_postgres_now_ms() + timeout_ms;

    for (;;) {
        struct pollfd watched = {socket, events, 0};
        int64_t left = deadline - aci_postgres_now_ms();
        int found;

        if (left < 0)
            left = 0;
        found = poll(&watched, 1, left < 1000000 ? (int)left : 1000000);
        *ready = watched.revents;
        if (found > 0)
            return true;
        if ((found < 0 && errno != EINTR && errno != EAGAIN) || aci_postgres_now_ms() >= deadline)
            return false;
    }
}

void aci_postgres_count(aci_postgres_connection *c)
{
    c->round_trips++;
    atomic_fetch_add_explicit(&c->server->round_trips, 1, memory_order_relaxed);
}

/* How long it may say nothing now. After the deadline, what is under way has the time of an answer. */
static int64_t silence_allowed(const aci_postgres_connection *c)
{
    int64_t left = c->deadline_ms - aci_postgres_now_ms(), spare = c->patience_ms / 8;

    if (left < spare)
        left = spare;
    return left < c->patience_ms ? left : c->patience_ms;
}

bool aci_postgres_receive(aci_postgres_connection *c, bool also_when_writable)
{
    int64_t allowed = silence_allowed(c);
    short ready = 0, events = (short)(also_when_writable ? POLLIN | POLLOUT : POLLIN);

    if (PQsocket(c->conn) < 0)
        return false;
    if (!aci_postgres_poll(PQsocket(c->conn), events, allowed, &ready)) {
        c->is_silent = true;
        c->is_late = allowed < c->patience_ms;
        c->silence_ms = allowed;
        return false;
    }
    c->is_heard = c->is_heard || (ready & POLLIN) != 0;
    return (ready & ~POLLOUT) == 0 || PQconsumeInput(c->conn) == 1;
}

bool aci_postgres_next(aci_postgres_connection *c, PGresult **result)
{
    *result = NULL;
    while (PQisBusy(c->conn)) {
        bool is_unsent = PQflush(c->conn) > 0;

        /* After a loss, what the server said before it may still make a result. */
        if (aci_postgres_lacks_memory(c) || (!aci_postgres_receive(c, is_unsent) && PQisBusy(c->conn)))
            return false;
    }
    *result = PQgetResult(c->conn);
    return true;
}

agentchat_status aci_postgres_query(aci_postgres_connection *c, const char *text, bool commits, PGresult **out,
                                    aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    PGresult *result = NULL, *last = NULL;

    if (out != NULL)
        *out = NULL;
    if (!PQsendQuery(c->conn, text))
        return aci_postgres_fail_lost(c, commits, outcome, err);
    aci_postgres_count(c);
    for (;;) {
        ExecStatusType kind;

        if (!aci_postgres_next(c, &result)) {
            if (status >= 0)
                status = aci_postgres_fail_lost(c, commits, outcome, err);
            break;
        }
        if (result == NULL)
            break;
        PQclear(last);
        last = result;
        kind = PQresultStatus(result);
        if (kind != PGRES_COMMAND_OK && kind != PGRES_TUPLES_OK && status >= 0)
            status = aci_postgres_fail_result(c, result, commits, outcome, err);
        if (c->is_lost)
            break;
    }
    if (status >= 0 && out != NULL) {
        *out = last;
        last = NULL;
    }
    PQclear(last);
    return status;
}
