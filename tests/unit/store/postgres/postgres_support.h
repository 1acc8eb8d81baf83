/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the PostgreSQL driver share: connections, a small table of notes, rows as text. */
#ifndef POSTGRES_SUPPORT_H
#define POSTGRES_SUPPORT_H

#include "support/postgres/test_fake.h"
#include "support/postgres/test_postgres.h"
#include "support/postgres/test_proxy.h"

#include "store/postgres/driver.h"

#define WRITE_ALL (ACI_SQL_BEGIN_WRITE | ACI_SQL_COMMIT)
#define READ_ALL (ACI_SQL_BEGIN_READ | ACI_SQL_COMMIT)

/* Connections through the driver's table; each with its own description of the server: as a store has it that is open.
 */
agentchat_status pg_connect(const char *url, uint32_t wait_ms, aci_postgres_connection **out, aci_sql_outcome *outcome,
                            agentchat_error *err);
/* The first one of a store. */
agentchat_status pg_connect_first(const char *url, uint32_t wait_ms, aci_postgres_connection **out,
                                  aci_sql_outcome *outcome, agentchat_error *err);
aci_postgres_connection *pg_open(const char *url, uint32_t wait_ms); /* one that must succeed */
void pg_close(aci_postgres_connection *c);                           /* NULL is allowed */

/* (Re)makes the schema agentchat with note(id BIGINT PRIMARY KEY, text TEXT). */
void pg_make_notes(const char *url);
extern const aci_sql_statement note_insert; /* $1 id, $2 text */
extern const aci_sql_statement note_update; /* $1 id, $2 text */
extern const aci_sql_statement note_delete; /* ids from $1 on */
extern const aci_sql_statement note_count;
extern const aci_sql_statement note_select;  /* ids from $1 on: id, text in their order */
extern const aci_sql_statement note_fail;    /* division by zero */
extern const aci_sql_statement note_backend; /* the process that serves the connection */

aci_sql_value integer_of(int64_t integer);
aci_sql_value text_of(const char *text);
aci_sql_value null_value(void);
aci_sql_request request_of(const aci_sql_statement *statement, const aci_sql_value *params, size_t count);

/* Rows as text: "I7 Ttext N|I8 …". */
typedef struct rows {
    char text[400];
    size_t len, count;
} rows;
agentchat_status take_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
aci_sql_request request_rows(const aci_sql_statement *statement, const aci_sql_value *params, size_t count, rows *out);

/* One statement as a batch. */
agentchat_status pg_one(aci_postgres_connection *c, unsigned flags, aci_sql_request request, aci_sql_outcome *outcome,
                        agentchat_error *err);
/* Writes a note in a transaction of its own. */
agentchat_status note_write(aci_postgres_connection *c, int64_t id, const char *text, aci_sql_outcome *outcome,
                            agentchat_error *err);
/* How many notes there are, asked by the driver. Asserts that this works: the connection is of use. */
int64_t notes_in(aci_postgres_connection *c);
/* Number of the process that serves the connection. */
int64_t backend_of(aci_postgres_connection *c);

#endif
