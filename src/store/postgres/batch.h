/* SPDX-License-Identifier: Apache-2.0 */
/* A batch under way: what the files that send it and read its answers share. */
#ifndef ACI_STORE_POSTGRES_BATCH_H
#define ACI_STORE_POSTGRES_BATCH_H

#include "driver.h"

/* Types of values, as PostgreSQL numbers them: the same on every server. */
enum {
    OID_BOOL = 16,
    OID_BYTEA = 17,
    OID_NAME = 19,
    OID_INT8 = 20,
    OID_INT2 = 21,
    OID_INT4 = 23,
    OID_TEXT = 25,
    OID_BPCHAR = 1042,
    OID_VARCHAR = 1043
};

typedef struct aci_postgres_batch {
    aci_postgres_connection *c;
    aci_sql_request *requests;
    size_t count;
    /* BEGIN and COMMIT are commands like the requests that stand between them; NULL: not in this batch. */
    const aci_sql_request *begin, *commit;
    /* ---- sending ---- */
    size_t sent;    /* commands */
    size_t unasked; /* bytes since libpq was last asked whether it is held up */
    bool commit_sent, sync_sent;
    /* ---- reading ---- */
    size_t answered;  /* commands */
    bool is_prepared; /* the statement that is being prepared; not so when that failed or was skipped */
    bool is_row_mode; /* libpq has been asked to return the rows of the present answer one by one */
    bool has_committed, synced;
    /* ---- the first failure ---- */
    agentchat_status status;
    aci_sql_outcome outcome;
    agentchat_error *err;
} aci_postgres_batch;

/* Number of the commands. */
static inline size_t aci_postgres_commands(const aci_postgres_batch *b)
{
    return (b->begin != NULL) + b->count + (b->commit != NULL);
}

/* Index of the request that a command is; not below `count` for BEGIN and COMMIT. */
static inline size_t aci_postgres_request_of(const aci_postgres_batch *b, size_t command)
{
    return command - (b->begin != NULL);
}

static inline const aci_sql_request *aci_postgres_command(const aci_postgres_batch *b, size_t command)
{
    size_t index = aci_postgres_request_of(b, command);

    if (index < b->count)
        return &b->requests[index];
    return command == 0 && b->begin != NULL ? b->begin : b->commit;
}

/* ---- answers.c ------------------------------------------------------------------------------------------------ */

/* The connection is lost: fails the batch, unless something has before or its COMMIT has been answered. */
void aci_postgres_lose(aci_postgres_batch *b);
/* Reads one answer or a part of it, waiting for it. */
void aci_postgres_read_next(aci_postgres_batch *b);
/* Reads what is there without waiting. */
void aci_postgres_read_ready(aci_postgres_batch *b);

#endif
