/* SPDX-License-Identifier: Apache-2.0 */
/* Ending transactions, and whether a connection can be used afterwards. */
#include "driver.h"

#include <poll.h>

void aci_postgres_rollback(void *connection)
{
    aci_postgres_connection *c = connection;
    aci_sql_outcome outcome = ACI_SQL_FINAL;

    c->in_transaction = false;
    if (c->is_lost || PQtransactionStatus(c->conn) == PQTRANS_IDLE)
        return;
    if (aci_postgres_query(c, "ROLLBACK", false, NULL, &outcome, NULL) < 0 ||
        PQtransactionStatus(c->conn) != PQTRANS_IDLE)
        c->is_lost = true;
}

/* A commit waits for the standbys when it has written to the log, and then for all that is in the log before it. So it
   writes a message that nobody reads: that needs no table and no row, of which there may be none any more. A standby
   refuses the first function in words that say what it is; it would refuse the second in others. */
static const char confirmation[] = "ROLLBACK;BEGIN ISOLATION LEVEL READ COMMITTED;"
                                   "SELECT pg_catalog.pg_current_xact_id(),"
                                   " pg_catalog.pg_logical_emit_message(true, 'agentchat', ''::pg_catalog.text);"
                                   "COMMIT";

agentchat_status aci_postgres_confirm(void *connection, aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_postgres_connection *c = connection;
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    *outcome = ACI_SQL_FINAL;
    c->in_transaction = c->is_unawaited = c->is_heard = false;
    status = aci_postgres_query(c, confirmation, false, NULL, outcome, &why);
    if (status >= 0 && !c->is_unawaited)
        return AGENTCHAT_OK;
    aci_postgres_rollback(c); /* does nothing where all was done */
    if (status >= 0) {
        *outcome = ACI_SQL_TRANSIENT;
        return aci_postgres_fail_unawaited(c, err);
    }
    if (c->is_silent)
        return aci_postgres_fail(c, AGENTCHAT_E_IO, err,
                                 "the server did not confirm within %lld ms what it holds (a standby that it waits for "
                                 "may be down)",
                                 (long long)c->silence_ms);
    if (err != NULL)
        *err = why;
    return status;
}

bool aci_postgres_is_alive(void *connection)
{
    aci_postgres_connection *c = connection;
    short ready = 0;

    /* An idle connection has nothing to say, but a server that ends says so and closes it. */
    while (!c->is_lost && PQsocket(c->conn) >= 0 && aci_postgres_poll(PQsocket(c->conn), POLLIN, 0, &ready)) {
        if (PQconsumeInput(c->conn) != 1 || PQisBusy(c->conn) || c->goodbye[0] != '\0')
            c->is_lost = true;
    }
    return !c->is_lost && PQsocket(c->conn) >= 0 && PQstatus(c->conn) == CONNECTION_OK &&
           PQtransactionStatus(c->conn) == PQTRANS_IDLE;
}
