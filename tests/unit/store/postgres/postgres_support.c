/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the PostgreSQL driver share. */
#include "postgres_support.h"

#include <stdio.h>

const aci_sql_statement note_insert = {1, 10, "INSERT INTO note(id, text) VALUES($1, $2)"};
const aci_sql_statement note_update = {1, 11, "UPDATE note SET text = $2 WHERE id = $1"};
const aci_sql_statement note_delete = {1, 12, "DELETE FROM note WHERE id >= $1"};
const aci_sql_statement note_count = {1, 13, "SELECT count(*) FROM note"};
const aci_sql_statement note_select = {1, 14, "SELECT id, text FROM note WHERE id >= $1 ORDER BY id"};
const aci_sql_statement note_fail = {1, 15, "SELECT 1 / $1"};
const aci_sql_statement note_backend = {1, 16, "SELECT pg_backend_pid()"};

/* A store of one table of versions, whatever its number. */
static const aci_sql_host host = {{1, ""}, NULL, 0, NULL};

static agentchat_status connect_to(const char *url, uint32_t wait_ms, bool was_reached, aci_postgres_connection **out,
                                   aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_postgres *server = NULL;
    void *connection = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    *out = NULL;
    status = aci_postgres_new(NULL, url, wait_ms, &server, err);
    *outcome = ACI_SQL_FINAL;
    if (status < 0)
        return status;
    aci_postgres_driver.attach(server, &host);
    atomic_store(&server->was_reached, was_reached);
    status = aci_postgres_driver.connect(server, server->wait_ms, &connection, outcome, err);
    *out = connection;
    if (status < 0)
        aci_postgres_driver.free(server);
    return status;
}

agentchat_status pg_connect(const char *url, uint32_t wait_ms, aci_postgres_connection **out, aci_sql_outcome *outcome,
                            agentchat_error *err)
{
    return connect_to(url, wait_ms, true, out, outcome, err);
}

agentchat_status pg_connect_first(const char *url, uint32_t wait_ms, aci_postgres_connection **out,
                                  aci_sql_outcome *outcome, agentchat_error *err)
{
    return connect_to(url, wait_ms, false, out, outcome, err);
}

aci_postgres_connection *pg_open(const char *url, uint32_t wait_ms)
{
    aci_postgres_connection *c = NULL;
    aci_sql_outcome outcome;
    agentchat_error err;

    test_ok(pg_connect(url, wait_ms, &c, &outcome, &err), &err);
    return c;
}

void pg_close(aci_postgres_connection *c)
{
    aci_postgres *server = c != NULL ? c->server : NULL;

    if (c == NULL)
        return;
    aci_postgres_driver.disconnect(c);
    aci_postgres_driver.free(server);
}

void pg_make_notes(const char *url)
{
    test_postgres_run(url, "DROP SCHEMA IF EXISTS agentchat CASCADE; CREATE SCHEMA agentchat;"
                           "CREATE TABLE agentchat.note(id BIGINT PRIMARY KEY, text TEXT COLLATE \"C\")");
}

aci_sql_value integer_of(int64_t integer)
{
    aci_sql_value value = {ACI_SQL_INTEGER, 0, {NULL, 0}};

    value.integer = integer;
    return value;
}

aci_sql_value text_of(const char *text)
{
    aci_sql_value value = {ACI_SQL_TEXT, 0, {NULL, 0}};

    value.text = agentchat_str_from(text);
    return value;
}

aci_sql_value null_value(void)
{
    aci_sql_value value = {ACI_SQL_NULL, 0, {NULL, 0}};

    return value;
}

aci_sql_request request_of(const aci_sql_statement *statement, const aci_sql_value *params, size_t count)
{
    aci_sql_request request = {statement, params, count, NULL, NULL, 77};

    return request;
}

agentchat_status take_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    rows *r = user;

    (void)err;
    for (size_t i = 0; i < count && r->len + 64 < sizeof r->text; i++) {
        char *at = r->text + r->len;
        size_t room = sizeof r->text - r->len;
        int len = 0;

        switch (columns[i].type) {
        case ACI_SQL_NULL:
            len = snprintf(at, room, "N ");
            break;
        case ACI_SQL_INTEGER:
            len = snprintf(at, room, "I%lld ", (long long)columns[i].integer);
            break;
        case ACI_SQL_TEXT:
            len = snprintf(at, room, "T%.*s ", columns[i].text.len < 32 ? (int)columns[i].text.len : 32,
                           columns[i].text.ptr);
            break;
        case ACI_SQL_BYTES:
            len = snprintf(at, room, "B%zu ", columns[i].text.len);
            break;
        }
        r->len += (size_t)len;
    }
    if (r->len + 64 < sizeof r->text)
        r->text[r->len++] = '|';
    r->text[r->len] = '\0';
    r->count++;
    return AGENTCHAT_OK;
}

aci_sql_request request_rows(const aci_sql_statement *statement, const aci_sql_value *params, size_t count, rows *out)
{
    aci_sql_request request = request_of(statement, params, count);

    memset(out, 0, sizeof *out);
    request.row = take_row;
    request.user = out;
    return request;
}

agentchat_status pg_one(aci_postgres_connection *c, unsigned flags, aci_sql_request request, aci_sql_outcome *outcome,
                        agentchat_error *err)
{
    agentchat_error_clear(err);
    return aci_postgres_driver.run(c, flags, &request, 1, outcome, err);
}

agentchat_status note_write(aci_postgres_connection *c, int64_t id, const char *text, aci_sql_outcome *outcome,
                            agentchat_error *err)
{
    aci_sql_value params[] = {integer_of(id), text_of(text)};

    return pg_one(c, WRITE_ALL, request_of(&note_insert, params, 2), outcome, err);
}

static int64_t number(aci_postgres_connection *c, const aci_sql_statement *statement)
{
    aci_sql_outcome outcome;
    agentchat_error err;
    rows got;

    test_ok(pg_one(c, READ_ALL, request_rows(statement, NULL, 0, &got), &outcome, &err), &err);
    assert_int_equal(got.text[0], 'I');
    return strtoll(got.text + 1, NULL, 10);
}

int64_t notes_in(aci_postgres_connection *c)
{
    return number(c, &note_count);
}

int64_t backend_of(aci_postgres_connection *c)
{
    return number(c, &note_backend);
}
