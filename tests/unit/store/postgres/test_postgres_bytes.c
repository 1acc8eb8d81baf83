/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as parameters and as columns of the PostgreSQL driver, and numbers of every size beside them. */
#include "batch_scene.h"

/* What is written and what is found. */
typedef struct piece {
    agentchat_str bytes;
    bool found;
} piece;

static agentchat_status compare(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    piece *p = user;

    (void)err;
    assert_int_equal(count, 2);
    assert_int_equal(columns[0].type, p->bytes.ptr != NULL ? ACI_SQL_BYTES : ACI_SQL_NULL);
    assert_int_equal(columns[1].type, columns[0].type == ACI_SQL_NULL ? ACI_SQL_NULL : ACI_SQL_INTEGER);
    assert_int_equal(columns[0].text.len, p->bytes.len);
    if (p->bytes.ptr != NULL) {
        assert_non_null(columns[0].text.ptr);
        assert_memory_equal(columns[0].text.ptr, p->bytes.ptr, p->bytes.len);
        assert_int_equal(columns[1].integer, (int64_t)p->bytes.len);
    }
    p->found = true;
    return AGENTCHAT_OK;
}

static aci_sql_value bytes_of(agentchat_str bytes)
{
    return (aci_sql_value){bytes.ptr != NULL ? ACI_SQL_BYTES : ACI_SQL_NULL, 0, bytes};
}

/* Whatever it holds, and as many as they are. */
static void each_piece(void (*round_trip)(void *, piece), void *user)
{
    enum { LARGE = 1024 * 1024 };
    char *large = malloc(LARGE), all[256];

    assert_non_null(large);
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)(i * 2654435761u >> 13);
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = (char)i;
    round_trip(user, (piece){{NULL, 0}, false});
    round_trip(user, (piece){{"", 0}, false});
    round_trip(user, (piece){{"\0", 1}, false});
    round_trip(user, (piece){{"a\0b\0\0", 5}, false});
    round_trip(user, (piece){{"text", 4}, false});
    round_trip(user, (piece){{"\xFF\xC0\xED\xA0\x80", 5}, false});
    round_trip(user, (piece){{all, sizeof all}, false});
    round_trip(user, (piece){{large, LARGE}, false});
    free(large);
}

static const aci_sql_statement put = {1, 40, "INSERT INTO note(id, bytes) VALUES(1, $1)"};
static const aci_sql_statement get = {1, 41, "SELECT bytes, length(bytes) FROM note"};
static const aci_sql_statement clear = {1, 42, "DELETE FROM note"};

static void round_trip(void *user, piece p)
{
    aci_sql_value value = bytes_of(p.bytes);
    aci_sql_request requests[3] = {request_of(&put, &value, 1), request_of(&get, NULL, 0), request_of(&clear, NULL, 0)};
    scene *s = user;

    requests[1].row = compare;
    requests[1].user = &p;
    test_ok(run(s, WRITE_ALL, requests, 3), &s->err);
    assert_true(p.found);
}

static void test_bytes__come_back_as_they_were(void **state)
{
    test_postgres_run(database, "ALTER TABLE agentchat.note ADD COLUMN bytes BYTEA");
    each_piece(round_trip, *state);
}

static void test_numbers__of_every_size(void **state)
{
    static const aci_sql_statement numbers = {
        1, 43,
        "SELECT -1::int2, 32767::int2, (-2147483648)::int4, 2147483647::int4, -2::int8, true, false, 'n'::name,"
        " (-9223372036854775807 - 1)::int8, 9223372036854775807::int8, $1::bigint, ''::text"};
    aci_sql_value value = integer_of(-5);
    scene *s = *state;
    rows got = {0};

    test_ok(pg_one(s->c, READ_ALL, request_rows(&numbers, &value, 1, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I-1 I32767 I-2147483648 I2147483647 I-2 I1 I0 Tn I-9223372036854775808 "
                                  "I9223372036854775807 I-5 T |");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bytes__come_back_as_they_were, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers__of_every_size, set_up, tear_down),
    };

    test_postgres_begin("unit.postgres_bytes");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
