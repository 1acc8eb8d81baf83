/* SPDX-License-Identifier: Apache-2.0 */
/* Batches that are larger than what fits between driver and server: nobody may wait for the other to read first. */
#include "postgres_support.h"

#include <stdio.h>

static char *database;

typedef struct tally {
    size_t rows, bytes;
    bool is_wrong;
} tally;

/* Rows (id, text) whose text is the letter of the id, any number of times. */
static agentchat_status tally_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    tally *t = user;
    char letter = (char)('a' + columns[0].integer % 26);

    (void)err;
    t->rows++;
    t->bytes += columns[1].text.len;
    if (count != 2 || columns[1].text.len == 0 || columns[1].text.ptr[0] != letter ||
        memchr(columns[1].text.ptr, letter ^ 1, columns[1].text.len) != NULL ||
        columns[1].text.ptr[columns[1].text.len - 1] != letter)
        t->is_wrong = true;
    return AGENTCHAT_OK;
}

/* count times: a note is written, and it is read back in the same batch. */
static void write_and_read_back(aci_postgres_connection *c, size_t count, size_t len)
{
    static const aci_sql_statement select_one = {1, 20, "SELECT id, text FROM note WHERE id = $1"};
    aci_sql_request *requests = calloc(count * 2, sizeof *requests);
    aci_sql_value *params = calloc(count * 2, sizeof *params);
    char *texts[26] = {NULL};
    aci_sql_outcome outcome;
    agentchat_error err;
    tally t = {0, 0, false};

    for (size_t i = 0; i < count; i++) {
        char **text = &texts[i % 26];

        if (*text == NULL) {
            *text = malloc(len);
            memset(*text, 'a' + (int)(i % 26), len);
        }
        params[i * 2] = integer_of((int64_t)i);
        params[i * 2 + 1] = text_of("");
        params[i * 2 + 1].text = (agentchat_str){*text, len};
        requests[i * 2] = request_of(&note_insert, &params[i * 2], 2);
        requests[i * 2 + 1] = request_of(&select_one, &params[i * 2], 1);
        requests[i * 2 + 1].row = tally_row;
        requests[i * 2 + 1].user = &t;
    }
    agentchat_error_clear(&err);
    test_ok(aci_postgres_driver.run(c, WRITE_ALL, requests, count * 2, &outcome, &err), &err);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(requests[i * 2].changed, 1);
    assert_int_equal(t.rows, count);
    assert_int_equal(t.bytes, count * len);
    assert_false(t.is_wrong);
    for (size_t i = 0; i < 26; i++)
        free(texts[i]);
    free(params);
    free(requests);
}

static void test_large__ten_thousand_requests_are_one_round_trip(void **state)
{
    aci_postgres_connection *c = pg_open(database, 30000);

    (void)state;
    pg_make_notes(database);
    write_and_read_back(c, 10000, 1000);
    assert_int_equal(c->round_trips, 2);
    assert_int_equal(notes_in(c), 10000);
    pg_close(c);
}

static void test_large__values_of_fifty_megabytes_pass_both_ways_at_once(void **state)
{
    aci_postgres_connection *c = pg_open(database, 30000);

    (void)state;
    pg_make_notes(database);
    test_postgres_run(database, "ALTER TABLE agentchat.note ALTER text SET STORAGE EXTERNAL"); /* no time for packing */
    write_and_read_back(c, 2, (size_t)50 * 1000 * 1000);
    assert_int_equal(c->round_trips, 2);
    assert_int_equal(notes_in(c), 2);
    pg_close(c);
}

/* The server fails at the first of many requests while most of them have still to be sent. */
static void test_large__a_failure_at_the_beginning_ends_a_large_batch(void **state)
{
    enum { COUNT = 2000, LEN = 20000 };
    aci_postgres_connection *c = pg_open(database, 30000);
    aci_sql_request *requests = calloc(COUNT, sizeof *requests);
    char *text = malloc(LEN);
    aci_sql_value params[] = {integer_of(1), text_of("")}, zero[] = {integer_of(0)};
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    pg_make_notes(database);
    memset(text, 'x', LEN);
    params[1].text = (agentchat_str){text, LEN};
    requests[0] = request_of(&note_fail, zero, 1);
    for (size_t i = 1; i < COUNT; i++)
        requests[i] = request_of(&note_insert, params, 2);
    agentchat_error_clear(&err);
    test_fails(aci_postgres_driver.run(c, WRITE_ALL, requests, COUNT, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
               "division by zero");
    assert_int_equal(outcome, ACI_SQL_FINAL);
    assert_true(aci_postgres_driver.is_alive(c));
    assert_int_equal(notes_in(c), 0);
    free(text);
    free(requests);
    pg_close(c);
}

static agentchat_status count_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    int64_t *next = user;

    (void)err;
    return count == 1 && columns[0].integer == (*next)++ ? AGENTCHAT_OK : AGENTCHAT_E_INTERNAL;
}

static void test_large__a_great_many_rows_come_in_order(void **state)
{
    static const aci_sql_statement series = {1, 21, "SELECT generate_series(1, 300000)"};
    aci_postgres_connection *c = pg_open(database, 30000);
    aci_sql_request request = request_of(&series, NULL, 0);
    aci_sql_outcome outcome;
    agentchat_error err;
    int64_t next = 1;

    (void)state;
    request.row = count_row;
    request.user = &next;
    test_ok(pg_one(c, READ_ALL, request, &outcome, &err), &err);
    assert_int_equal(next, 300001);
    pg_close(c);
}

static void test_large__what_the_server_would_not_take_is_not_sent(void **state)
{
    aci_postgres_connection *c = pg_open(database, 30000);
    aci_sql_value params[] = {integer_of(1), text_of("x")};
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    pg_make_notes(database);
    params[1].text.len = (size_t)1 << 30; /* never looked at */
    test_fails(pg_one(c, WRITE_ALL, request_of(&note_insert, params, 2), &outcome, &err), &err, AGENTCHAT_E_LIMIT, NULL,
               "larger than PostgreSQL accepts (1 GiB)");
    assert_int_equal(outcome, ACI_SQL_FINAL);
    params[1].text.len = SIZE_MAX;
    test_fails(pg_one(c, WRITE_ALL, request_of(&note_insert, params, 2), &outcome, &err), &err, AGENTCHAT_E_LIMIT, NULL,
               "larger than PostgreSQL accepts (1 GiB)");
    assert_int_equal(notes_in(c), 0);
    pg_close(c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large__ten_thousand_requests_are_one_round_trip),
        cmocka_unit_test(test_large__values_of_fifty_megabytes_pass_both_ways_at_once),
        cmocka_unit_test(test_large__a_failure_at_the_beginning_ends_a_large_batch),
        cmocka_unit_test(test_large__a_great_many_rows_come_in_order),
        cmocka_unit_test(test_large__what_the_server_would_not_take_is_not_sent),
    };

    test_postgres_begin("unit.postgres_large");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
