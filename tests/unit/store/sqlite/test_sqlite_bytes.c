/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as parameters and as columns of the SQLite driver. */
#include "sqlite_support.h"

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

static const aci_sql_statement put = {1, 10, "INSERT INTO data(bytes) VALUES($1)"};
static const aci_sql_statement get = {1, 11, "SELECT bytes, length(bytes) FROM data"};
static const aci_sql_statement clear = {1, 12, "DELETE FROM data"};

static void round_trip(void *user, piece p)
{
    aci_sqlite_connection *c = user;
    aci_sql_value value = bytes_of(p.bytes);
    agentchat_error err;

    test_ok(run_note(c, WRITE_ALL, &put, &value, 1, NULL, NULL, NULL, &err), &err);
    test_ok(run_note(c, READ_ALL, &get, NULL, 0, compare, &p, NULL, &err), &err);
    assert_true(p.found);
    test_ok(run_note(c, WRITE_ALL, &clear, NULL, 0, NULL, NULL, NULL, &err), &err);
}

static void test_bytes__come_back_as_they_were(void **state)
{
    aci_sqlite_connection *c = memory_open();

    (void)state;
    assert_int_equal(aci_sqlite_exec(c, "CREATE TEMP TABLE data(bytes BLOB) STRICT"), SQLITE_OK);
    each_piece(round_trip, c);
    scene_close(c);
}

static agentchat_status take_type(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    (void)err;
    assert_int_equal(count, 1);
    *(aci_sql_type *)user = columns[0].type;
    return AGENTCHAT_OK;
}

/* Text is no bytes and bytes are no text, whatever they hold: who takes a column says which it wants. */
static void test_bytes__are_told_from_text(void **state)
{
    static const aci_sql_statement same = {1, 13, "SELECT $1"};
    aci_sql_value values[] = {{ACI_SQL_BYTES, 0, AGENTCHAT_STR("a")}, {ACI_SQL_TEXT, 0, AGENTCHAT_STR("a")}};
    aci_sqlite_connection *c = memory_open();
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        aci_sql_type type = ACI_SQL_NULL;

        test_ok(run_note(c, READ_ALL, &same, &values[i], 1, take_type, &type, NULL, &err), &err);
        assert_int_equal(type, values[i].type);
    }
    test_fails(run_note(c, WRITE_ALL, &note_insert, (aci_sql_value[]){{ACI_SQL_INTEGER, 1, {NULL, 0}}, values[0]}, 2,
                        NULL, NULL, NULL, &err),
               &err, AGENTCHAT_E_CORRUPT, NULL, "");
    scene_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes__come_back_as_they_were),
        cmocka_unit_test(test_bytes__are_told_from_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
