/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the PostgreSQL driver share. */
#include "postgres_support.h"

#include <stdio.h>

const agentchat_sql_statement note_insert = {10, "INSERT INTO note(id, text) VALUES($1, $2)"};
const agentchat_sql_statement note_update = {11, "UPDATE note SET text = $2 WHERE id = $1"};
const agentchat_sql_statement note_delete = {12, "DELETE FROM note WHERE id >= $1"};
const agentchat_sql_statement note_count = {13, "SELECT count(*) FROM note"};
const agentchat_sql_statement note_select = {14, "SELECT id, text FROM note WHERE id >= $1 ORDER BY id"};
const agentchat_sql_statement note_fail = {15, "SELECT 1 / $1"};
const agentchat_sql_statement note_backend = {16, "SELECT pg_backend_pid()"};

static agentchat_status connect_to(const char *url, uint32_t wait_ms, bool was_reached, aci_postgres_connection **out,
                                   agentchat_sql_outcome *outcome, agentchat_error *err)
{
    aci_postgres *server = NULL;
    void *connection = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    *out = NULL;
    status = aci_postgres_new(NULL, url, wait_ms, &server, err);
    *outcome = AGENTCHAT_SQL_FINAL;
    if (status < 0)
        return status;
    atomic_store(&server->was_reached, was_reached);
    status = aci_postgres_driver.connect(server, &connection, outcome, err);
    *out = connection;
    if (status < 0)
        aci_postgres_driver.free(server);
    return status;
}

agentchat_status pg_connect(const char *url, uint32_t wait_ms, aci_postgres_connection **out,
                            agentchat_sql_outcome *outcome, agentchat_error *err)
{
    return connect_to(url, wait_ms, true, out, outcome, err);
}

agentchat_status pg_connect_first(const char *url, uint32_t wait_ms, aci_postgres_connection **out,
                                  agentchat_sql_outcome *outcome, agentchat_error *err)
{
    return connect_to(url, wait_ms, false, out, outcome, err);
}

aci_postgres_connection *pg_open(const char *url, uint32_t wait_ms)
{
    aci_postgres_connection *c = NULL;
    agentchat_sql_outcome outcome;
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

agentchat_sql_value integer_of(int64_t integer)
{
    agentchat_sql_value value = {AGENTCHAT_SQL_INTEGER, 0, {NULL, 0}};

    value.integer = integer;
    return value;
}

agentchat_sql_value text_of(const char *text)
{
    agentchat_sql_value value = {AGENTCHAT_SQL_TEXT, 0, {NULL, 0}};

    value.text = agentchat_str_from(text);
    return value;
}

agentchat_sql_value null_value(void)
{
    agentchat_sql_value value = {AGENTCHAT_SQL_NULL, 0, {NULL, 0}};

    return value;
}

agentchat_sql_request request_of(const agentchat_sql_statement *statement, const agentchat_sql_value *params,
                                 size_t count)
{
    agentchat_sql_request request = {statement, params, count, NULL, NULL, 77};

    return request;
}

agentchat_status take_row(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    rows *r = user;

    (void)err;
    for (size_t i = 0; i < count && r->len + 64 < sizeof r->text; i++) {
        char *at = r->text + r->len;
        size_t room = sizeof r->text - r->len;
        int len = 0;

        switch (columns[i].type) {
        case AGENTCHAT_SQL_NULL:
            len = snprintf(at, room, "N ");
            break;
        case AGENTCHAT_SQL_INTEGER:
            len = snprintf(at, room, "I%lld ", (long long)columns[i].integer);
            break;
        case AGENTCHAT_SQL_TEXT:
            len = snprintf(at, room, "T%.*s ", columns[i].text.len < 32 ? (int)columns[i].text.len : 32,
                           columns[i].text.ptr);
            break;
        case AGENTCHAT_SQL_TYPE_MAX_:
            fail();
        }
        r->len += (size_t)len;
    }
    if (r->len + 64 < sizeof r->text)
        r->text[r->len++] = '|';
    r->text[r->len] = '\0';
    r->count++;
    return AGENTCHAT_OK;
}

agentchat_sql_request request_rows(const agentchat_sql_statement *statement, const agentchat_sql_value *params,
                                   size_t count, rows *out)
{
    agentchat_sql_request request = request_of(statement, params, count);

    memset(out, 0, sizeof *out);
    request.row = take_row;
    request.user = out;
    return request;
}

agentchat_status pg_one(aci_postgres_connection *c, unsigned flags, agentchat_sql_request request,
                        agentchat_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_error_clear(err);
    return aci_postgres_driver.run(c, flags, &request, 1, outcome, err);
}

agentchat_status note_write(aci_postgres_connection *c, int64_t id, const char *text, agentchat_sql_outcome *outcome,
                            agentchat_error *err)
{
    agentchat_sql_value params[] = {integer_of(id), text_of(text)};

    return pg_one(c, WRITE_ALL, request_of(&note_insert, params, 2), outcome, err);
}

static int64_t number(aci_postgres_connection *c, const agentchat_sql_statement *statement)
{
    agentchat_sql_outcome outcome;
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
