/* SPDX-License-Identifier: Apache-2.0 */
/* Batches and transactions of the SQLite driver: values, rows, errors, what is left after them. */
#include "sqlite_support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first rows that a statement gave, as text: "I7 T<bytes> N|…" */
typedef struct rows {
    char text[400];
    size_t len, count;
    agentchat_status answer; /* what the row function returns from its second row on */
} rows;

static agentchat_status take_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    rows *r = user;

    for (size_t i = 0; i < count; i++) {
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
            len = snprintf(at, room, "T%.*s ", (int)columns[i].text.len, columns[i].text.ptr);
            break;
        case ACI_SQL_BYTES:
            len = snprintf(at, room, "B%zu ", columns[i].text.len);
            break;
        }
        r->len += (size_t)len;
    }
    r->text[r->len++] = '|';
    r->text[r->len] = '\0';
    r->count++;
    if (r->count >= 2 && r->answer < 0)
        return agentchat_error_set(err, r->answer, "enough");
    return AGENTCHAT_OK;
}

static void test_run__values_come_back_as_they_went_in(void **state)
{
    static const aci_sql_statement statement = {1, 10, "SELECT $1, $2, $3, $2"};
    aci_sql_value params[] = {
        integer_of(INT64_MIN), text_of(AGENTCHAT_STR("h\xC3\xA9\xF0\x9F\x98\x80")), {ACI_SQL_NULL, 0, {NULL, 0}}};
    aci_sqlite_connection *c = memory_open();
    agentchat_error err;
    rows got = {0};

    (void)state;
    test_ok(run_note(c, READ_ALL, &statement, params, 3, take_row, &got, NULL, &err), &err);
    assert_string_equal(got.text, "I-9223372036854775808 Th\xC3\xA9\xF0\x9F\x98\x80 N Th\xC3\xA9\xF0\x9F\x98\x80 |");
    params[0] = text_of((agentchat_str){"", 0});
    params[1] = text_of((agentchat_str){NULL, 0});
    params[2] = integer_of(INT64_MAX);
    got = (rows){0};
    test_ok(run_note(c, READ_ALL, &statement, params, 3, take_row, &got, NULL, &err), &err);
    assert_string_equal(got.text, "T T I9223372036854775807 T |");
    scene_close(c);
}

static void test_run__columns_that_no_store_has_are_damage(void **state)
{
    static const struct {
        const char *sql, *message;
    } cases[] = {
        {"SELECT 1, 1.5", "column 2 of a row holds a number that is no integer"},
        {"SELECT cast(x'610062' AS TEXT)", "column 1 of a row holds text that is no UTF-8, or has a NUL"},
        {"SELECT cast(x'80' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'C3' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'C0AF' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'E0808A' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'EDA080' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'F08080AF' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'F4908080' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'F5808080' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'616161616161616161E282' AS TEXT)", "no UTF-8"},
        {"SELECT cast(x'61616161616161006161616161616161' AS TEXT)", "has a NUL"},
    };
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aci_sql_statement statement = {1, 10, cases[i].sql};
        aci_sqlite_connection *c = memory_open();
        rows got = {0};

        test_fails(run_note(c, READ_ALL, &statement, NULL, 0, take_row, &got, NULL, &err), &err, AGENTCHAT_E_CORRUPT,
                   NULL, cases[i].message);
        assert_string_equal(err.source, "memory:");
        assert_int_equal(notes_in(c, READ_ALL), 0); /* the connection is of use still */
        scene_close(c);
    }
}

static void test_run__text_is_checked_over_all_of_unicode(void **state)
{
    (void)state;
    /* Each scalar value alone and after eight bytes; no surrogate. */
    for (uint32_t code = 1; code <= 0x110000; code += code < 0x3000 ? 1 : 251) {
        char text[16] = "abcdefgh";
        size_t len = 8;
        bool good = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);

        if (code < 0x80) {
            text[len++] = (char)code;
        } else if (code < 0x800) {
            text[len++] = (char)(0xC0 | code >> 6);
            text[len++] = (char)(0x80 | (code & 63));
        } else if (code < 0x10000) {
            text[len++] = (char)(0xE0 | code >> 12);
            text[len++] = (char)(0x80 | (code >> 6 & 63));
            text[len++] = (char)(0x80 | (code & 63));
        } else {
            text[len++] = (char)(0xF0 | code >> 18);
            text[len++] = (char)(0x80 | (code >> 12 & 63));
            text[len++] = (char)(0x80 | (code >> 6 & 63));
            text[len++] = (char)(0x80 | (code & 63));
        }
        assert_int_equal(aci_sqlite_is_text(text, len), good);
        assert_int_equal(aci_sqlite_is_text(text + 8, len - 8), good);
        if (code >= 0x80)
            assert_false(aci_sqlite_is_text(text, len - 1));
    }
    for (size_t at = 0; at < 20; at++) {
        char text[20];

        memset(text, 1, sizeof text); /* the lowest byte that is allowed */
        assert_true(aci_sqlite_is_text(text, sizeof text));
        text[at] = '\0';
        assert_false(aci_sqlite_is_text(text, sizeof text));
    }
}

static void test_run__tells_how_many_rows_changed(void **state)
{
    aci_sqlite_connection *c = memory_open();
    aci_sql_value one[] = {integer_of(1)};
    agentchat_error err;
    uint64_t changed = 0;

    (void)state;
    for (int64_t id = 1; id <= 3; id++)
        test_ok(note_write(c, id, AGENTCHAT_STR("a"), &err), &err);
    test_ok(run_note(c, WRITE_ALL, &note_delete, one, 1, NULL, NULL, &changed, &err), &err);
    assert_int_equal(changed, 1);
    test_ok(run_note(c, WRITE_ALL, &note_delete, one, 1, NULL, NULL, &changed, &err), &err);
    assert_int_equal(changed, 0);
    test_ok(run_note(c, WRITE_ALL, &note_clear, NULL, 0, NULL, NULL, &changed, &err), &err);
    assert_int_equal(changed, 2);
    test_ok(run_note(c, READ_ALL, &note_count, NULL, 0, NULL, NULL, &changed, &err), &err);
    assert_int_equal(changed, 0);
    scene_close(c);
}

static void test_run__a_batch_may_be_part_of_a_transaction(void **state)
{
    aci_sql_value params[] = {integer_of(1), text_of(AGENTCHAT_STR("a"))};
    aci_sqlite_connection *writer = scene_open_tables(*state), *reader = scene_open(*state);
    agentchat_error err;

    test_ok(run_note(writer, ACI_SQL_BEGIN_WRITE, &note_insert, params, 2, NULL, NULL, NULL, &err), &err);
    assert_int_equal(notes_in(writer, 0), 1);
    assert_int_equal(notes_in(reader, READ_ALL), 0);
    assert_int_equal(notes_in(writer, ACI_SQL_COMMIT), 1);
    assert_int_equal(notes_in(reader, READ_ALL), 1);

    params[0] = integer_of(2);
    test_ok(run_note(writer, ACI_SQL_BEGIN_WRITE, &note_insert, params, 2, NULL, NULL, NULL, &err), &err);
    aci_sqlite_driver.rollback(writer);
    aci_sqlite_driver.rollback(writer); /* does nothing */
    assert_int_equal(notes_in(writer, READ_ALL), 1);
    scene_close(reader);
    scene_close(writer);
}

static void test_run__a_reading_transaction_sees_one_state(void **state)
{
    aci_sqlite_connection *writer = scene_open_tables(*state), *reader = scene_open(*state);
    agentchat_error err;

    test_ok(note_write(writer, 1, AGENTCHAT_STR("a"), &err), &err);
    assert_int_equal(notes_in(reader, ACI_SQL_BEGIN_READ), 1);
    test_ok(note_write(writer, 2, AGENTCHAT_STR("b"), &err), &err);
    assert_int_equal(notes_in(writer, READ_ALL), 2);
    assert_int_equal(notes_in(reader, 0), 1);
    assert_int_equal(notes_in(reader, ACI_SQL_COMMIT), 1);
    assert_int_equal(notes_in(reader, READ_ALL), 2);
    scene_close(reader);
    scene_close(writer);
}

static void test_run__closing_ends_a_transaction_without_its_changes(void **state)
{
    aci_sql_value params[] = {integer_of(1), text_of(AGENTCHAT_STR("a"))};
    aci_sqlite_connection *c = scene_open_tables(*state);
    agentchat_error err;

    test_ok(run_note(c, ACI_SQL_BEGIN_WRITE, &note_insert, params, 2, NULL, NULL, NULL, &err), &err);
    scene_close(c);
    c = scene_open(*state);
    assert_int_equal(notes_in(c, READ_ALL), 0);
    scene_close(c);
}

static void test_run__a_row_function_that_fails_ends_the_batch(void **state)
{
    aci_sqlite_connection *c = memory_open();
    aci_sql_value params[] = {integer_of(9), text_of(AGENTCHAT_STR("x")), integer_of(0)};
    aci_sql_request batch[] = {
        {&note_insert, params, 2, NULL, NULL, 0},
        {&note_select, params + 2, 1, take_row, NULL, 0},
        {&note_clear, NULL, 0, NULL, NULL, 77},
    };
    aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
    agentchat_error err;
    rows got = {.answer = AGENTCHAT_E_CALLBACK};

    (void)state;
    agentchat_error_clear(&err);
    for (int64_t id = 1; id <= 3; id++)
        test_ok(note_write(c, id, AGENTCHAT_STR("a"), &err), &err);
    batch[1].user = &got;
    test_fails(aci_sqlite_driver.run(c, ACI_SQL_BEGIN_WRITE, batch, 3, &outcome, &err), &err, AGENTCHAT_E_CALLBACK,
               NULL, "enough");
    assert_int_equal(outcome, ACI_SQL_FINAL);
    assert_int_equal(got.count, 2);
    assert_int_equal(batch[2].changed, 77); /* was not run */
    assert_true(aci_sqlite_driver.is_alive(c));
    assert_int_equal(notes_in(c, READ_ALL), 3); /* 9 is not there */
    scene_close(c);
}

static void test_run__a_failing_statement_takes_the_transaction_with_it(void **state)
{
    aci_sqlite_connection *c = scene_open_tables(*state), *other = scene_open(*state);
    aci_sql_value params[] = {integer_of(1), text_of(AGENTCHAT_STR("x")), integer_of(1), text_of(AGENTCHAT_STR("y"))};
    aci_sql_request batch[] = {{&note_insert, params, 2, NULL, NULL, 0}, {&note_insert, params + 2, 2, NULL, NULL, 0}};
    aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_fails(aci_sqlite_driver.run(c, WRITE_ALL, batch, 2, &outcome, &err), &err, AGENTCHAT_E_CORRUPT, NULL,
               "UNIQUE constraint failed: note.id");
    assert_int_equal(err.native, SQLITE_CONSTRAINT_PRIMARYKEY);
    assert_int_equal(outcome, ACI_SQL_FINAL);
    assert_int_equal(c->state, ACI_SQLITE_IDLE);
    test_ok(note_write(other, 2, AGENTCHAT_STR("z"), &err), &err); /* the lock is gone */
    assert_int_equal(notes_in(c, READ_ALL), 1);
    scene_close(other);
    scene_close(c);
}

/* As many as there are: they are kept by their texts, which may go away. */
static void test_run__many_statements_of_many_services(void **state)
{
    enum { SERVICES = 4, STATEMENTS = 300 };
    char(*texts)[32] = calloc(SERVICES * STATEMENTS, sizeof *texts);
    aci_sqlite_connection *c = memory_open();
    agentchat_error err;

    (void)state;
    assert_non_null(texts);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < SERVICES * STATEMENTS; i++) {
            aci_sql_statement statement = {1000 + i % SERVICES, i / SERVICES * (i % SERVICES == 3 ? 1000003 : 1),
                                           texts[i]};
            char expected[32];
            rows got = {0};

            snprintf(texts[i], sizeof texts[i], "SELECT %lu", (unsigned long)i);
            snprintf(expected, sizeof expected, "I%lu |", (unsigned long)i);
            test_ok(run_note(c, READ_ALL, &statement, NULL, 0, take_row, &got, NULL, &err), &err);
            assert_string_equal(got.text, expected);
        }
    }
    scene_close(c);
    free(texts);
}

static void test_run__what_is_out_of_order_is_refused(void **state)
{
    static const aci_sql_statement unknown = {1, 11, "SELECT 1 FROM nowhere"}, two = {1, 12, "SELECT 1; SELECT 2"},
                                   none = {1, 13, " "};
    static const struct {
        const aci_sql_statement *statement;
        unsigned flags;
        size_t params;
        agentchat_status status;
        const char *message;
    } cases[] = {
        {&note_count, 0, 0, AGENTCHAT_E_INTERNAL, "a batch without a transaction"},
        {&note_count, ACI_SQL_COMMIT, 0, AGENTCHAT_E_INTERNAL, "a batch without a transaction"},
        {&note_clear, READ_ALL, 0, AGENTCHAT_E_INTERNAL, "a statement writes in a transaction that only reads"},
        {&note_delete, WRITE_ALL, 0, AGENTCHAT_E_INTERNAL, "parameters"},
        {&note_count, READ_ALL, 1, AGENTCHAT_E_INTERNAL, "parameters"},
        {&two, READ_ALL, 0, AGENTCHAT_E_INTERNAL, "cannot prepare"},
        {&none, READ_ALL, 0, AGENTCHAT_E_INTERNAL, "cannot prepare"},
        {&unknown, READ_ALL, 0, AGENTCHAT_E_CORRUPT, "the tables are not what they should be (no such table: nowhere)"},
    };
    aci_sqlite_connection *c = memory_open();
    aci_sql_value one = integer_of(1);
    agentchat_error err;

    (void)state;
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_fails(run_note(c, cases[i].flags, cases[i].statement, &one, cases[i].params, NULL, NULL, NULL, &err), &err,
                   cases[i].status, NULL, cases[i].message);
        assert_true(aci_sqlite_driver.is_alive(c));
        assert_int_equal(notes_in(c, READ_ALL), 1);
    }
    assert_int_equal(notes_in(c, ACI_SQL_BEGIN_WRITE), 1);
    test_fails(run_note(c, READ_ALL, &note_count, NULL, 0, NULL, NULL, NULL, &err), &err, AGENTCHAT_E_INTERNAL, NULL,
               "inside another one");
    assert_int_equal(notes_in(c, READ_ALL), 1); /* that one is over, too */
    scene_close(c);
}

static void test_run__too_long_a_text_is_a_limit(void **state)
{
    aci_sql_value params[] = {integer_of(1), text_of((agentchat_str){"", (size_t)1 << 31})};
    aci_sqlite_connection *c = memory_open();
    agentchat_error err;

    (void)state;
    test_fails(run_note(c, WRITE_ALL, &note_insert, params, 2, NULL, NULL, NULL, &err), &err, AGENTCHAT_E_LIMIT, NULL,
               "longer than SQLite can hold");
    assert_int_equal(notes_in(c, READ_ALL), 0);
    scene_close(c);
}

static void test_run__a_file_that_was_replaced_is_not_written(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s), *fresh;
    char *moved = test_path(s->dir, "moved.db");
    aci_sql_value params[] = {integer_of(2), text_of(AGENTCHAT_STR("b"))};
    aci_sql_request request = {&note_insert, params, 2, NULL, NULL, 0};
    aci_sql_outcome outcome = ACI_SQL_FINAL;
    agentchat_error err;

    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    assert_int_equal(rename(s->path, moved), 0);
    agentchat_error_clear(&err);
    test_fails(aci_sqlite_driver.run(c, WRITE_ALL, &request, 1, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
               "moved or deleted while it was open");
    assert_int_equal(outcome, ACI_SQL_FINAL);
    assert_false(aci_sqlite_driver.is_alive(c));
    /* The file is not made again without the knowledge of who opened the store. */
    test_fails(aci_sqlite_driver.connect(c->database, c->database->wait_ms, (void **)&fresh, &outcome, &err), &err,
               AGENTCHAT_E_IO, NULL, "there is no such file");
    assert_null(fresh);
    /* Another file is not taken for the one that was opened, however like it is. */
    test_file_write(s->path, "", 0);
    test_fails(aci_sqlite_driver.connect(c->database, c->database->wait_ms, (void **)&fresh, &outcome, &err), &err,
               AGENTCHAT_E_IO, NULL, "another file has replaced this one");
    assert_int_equal(rename(moved, s->path), 0);
    agentchat_error_clear(&err);
    test_ok(aci_sqlite_driver.connect(c->database, c->database->wait_ms, (void **)&fresh, &outcome, &err), &err);
    assert_int_equal(notes_in(fresh, READ_ALL), 1);
    aci_sqlite_driver.disconnect(fresh);
    scene_close(c);
    free(moved);
}

/* Another store is moved over the file of one that is open: each keeps what it had, and nothing of the other. */
static void test_run__a_file_that_takes_its_place_stays_as_it_is(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s), *reader = scene_open(s), *fresh;
    char *path = s->path, *moved = test_path(s->dir, "moved.db"), *backup = test_path(s->dir, "backup.db");
    agentchat_error err;

    for (int64_t i = 0; i < 50; i++)
        test_ok(note_write(c, i, AGENTCHAT_STR("a"), &err), &err);
    s->path = backup;
    fresh = scene_open_tables(s);
    test_ok(note_write(fresh, 1000, AGENTCHAT_STR("b"), &err), &err);
    scene_close(fresh);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(rename(backup, path), 0);
    test_fails(note_write(c, 50, AGENTCHAT_STR("a"), &err), &err, AGENTCHAT_E_IO, NULL,
               "another file has replaced this one");
    assert_int_equal(notes_in(reader, READ_ALL), 50);
    s->path = path;
    fresh = scene_open(s);
    assert_int_equal(notes_in(fresh, READ_ALL), 1);
    test_ok(note_write(fresh, 1001, AGENTCHAT_STR("b"), &err), &err);
    scene_close(c);
    scene_close(reader);
    scene_close(fresh);
    assert_int_equal(raw_ask(path, "SELECT count(*) FROM note"), 2);
    assert_int_equal(raw_ask(moved, "SELECT count(*) FROM note"), 50);
    assert_int_equal(raw_ask(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
    free(moved);
    free(backup);
}

static void test_run__a_store_in_memory_has_one_connection(void **state)
{
    aci_sqlite_connection *c = memory_open();
    aci_sql_outcome outcome;
    void *second = c;
    agentchat_error err;

    (void)state;
    test_fails(aci_sqlite_driver.connect(c->database, c->database->wait_ms, &second, &outcome, &err), &err,
               AGENTCHAT_E_IO, NULL, "is gone");
    assert_null(second);
    scene_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run__values_come_back_as_they_went_in),
        cmocka_unit_test(test_run__columns_that_no_store_has_are_damage),
        cmocka_unit_test(test_run__text_is_checked_over_all_of_unicode),
        cmocka_unit_test(test_run__tells_how_many_rows_changed),
        cmocka_unit_test_setup_teardown(test_run__a_batch_may_be_part_of_a_transaction, scene_set_up, scene_tear_down),
        cmocka_unit_test_setup_teardown(test_run__a_reading_transaction_sees_one_state, scene_set_up, scene_tear_down),
        cmocka_unit_test_setup_teardown(test_run__closing_ends_a_transaction_without_its_changes, scene_set_up,
                                        scene_tear_down),
        cmocka_unit_test(test_run__a_row_function_that_fails_ends_the_batch),
        cmocka_unit_test_setup_teardown(test_run__a_failing_statement_takes_the_transaction_with_it, scene_set_up,
                                        scene_tear_down),
        cmocka_unit_test(test_run__many_statements_of_many_services),
        cmocka_unit_test(test_run__what_is_out_of_order_is_refused),
        cmocka_unit_test(test_run__too_long_a_text_is_a_limit),
        cmocka_unit_test_setup_teardown(test_run__a_file_that_was_replaced_is_not_written, scene_set_up,
                                        scene_tear_down),
        ON_SCENE(test_run__a_file_that_takes_its_place_stays_as_it_is),
        cmocka_unit_test(test_run__a_store_in_memory_has_one_connection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
