/* SPDX-License-Identifier: Apache-2.0 */
/* What is deleted gives its space back, and its text is gone from the file. */
#include "sqlite_support.h"

#include <stdio.h>
#include <sys/stat.h>

#define SECRET "the quick brown fox"

static long long size_of(const scene *s)
{
    struct stat info;

    assert_int_equal(stat(s->path, &info), 0);
    return (long long)info.st_size;
}

static size_t secrets_in(const char *path)
{
    size_t len, found = 0;
    char *bytes = test_file_read(path, &len);

    for (size_t i = 0; i + sizeof SECRET - 1 <= len; i++)
        found += memcmp(bytes + i, SECRET, sizeof SECRET - 1) == 0;
    free(bytes);
    return found;
}

static void fill(aci_sqlite_connection *c, int64_t notes, size_t len)
{
    char *text = malloc(len);
    aci_sql_value params[] = {integer_of(1), text_of((agentchat_str){text, len})};
    agentchat_error err;

    assert_non_null(text);
    for (size_t i = 0; i < len; i++)
        text[i] = SECRET[i % (sizeof SECRET - 1)];
    for (int64_t id = 1; id <= notes; id++) {
        params[0] = integer_of(id);
        test_ok(run_note(c, id == 1 ? ACI_SQL_BEGIN_WRITE : 0, &note_insert, params, 2, NULL, NULL, NULL, &err), &err);
    }
    assert_int_equal(notes_in(c, ACI_SQL_COMMIT), notes);
    free(text);
}

static void test_space__deleting_everything_makes_the_file_small(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;
    long long empty, full;

    scene_close(c);
    empty = size_of(s);
    c = scene_open(s);
    fill(c, 3000, 3000); /* more than what goes with the transaction, in several pieces after it */
    scene_close(c);
    full = size_of(s);
    assert_true(full > 3000 * 3000);
    assert_true(secrets_in(s->path) > 0);
    c = scene_open(s);
    test_ok(run_note(c, WRITE_ALL, &note_clear, NULL, 0, NULL, NULL, NULL, &err), &err);
    assert_int_equal(notes_in(c, READ_ALL), 0);
    scene_close(c);
    assert_int_equal(size_of(s), empty);
    assert_int_equal(secrets_in(s->path), 0);
    assert_int_equal(raw_ask(s->path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
}

static void test_space__one_large_text_goes_with_its_transaction(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    aci_sql_value one = integer_of(1);
    agentchat_error err;
    int64_t free_pages = -1;
    uint64_t changed;

    fill(c, 1, 100000);
    test_ok(run_note(c, WRITE_ALL, &note_delete, &one, 1, NULL, NULL, &changed, &err), &err);
    assert_int_equal(changed, 1);
    assert_int_equal(aci_sqlite_ask(c, "PRAGMA freelist_count", &free_pages), SQLITE_OK);
    assert_int_equal(free_pages, 0);
    scene_close(c);
    assert_int_equal(secrets_in(s->path), 0);
}

static void test_space__a_short_text_is_overwritten_where_it_stood(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    aci_sql_value one = integer_of(1);
    agentchat_error err;

    test_ok(note_write(c, 1, AGENTCHAT_STR(SECRET), &err), &err);
    test_ok(note_write(c, 2, AGENTCHAT_STR("stays"), &err), &err);
    test_ok(run_note(c, WRITE_ALL, &note_delete, &one, 1, NULL, NULL, NULL, &err), &err);
    scene_close(c);
    assert_int_equal(secrets_in(s->path), 0);
}

/* Others hold the lock or read an old state: deleting succeeds, the space comes back later. */
static void test_space__others_in_the_way_do_no_harm(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c, *reader;
    agentchat_error err;

    s->options.wait_ms = 200;
    c = scene_open_tables(s);
    reader = scene_open(s);
    fill(c, 500, 3000);
    assert_int_equal(notes_in(reader, ACI_SQL_BEGIN_READ), 500);
    test_ok(run_note(c, WRITE_ALL, &note_clear, NULL, 0, NULL, NULL, NULL, &err), &err);
    assert_int_equal(notes_in(reader, 0), 500);
    assert_int_equal(notes_in(reader, ACI_SQL_COMMIT), 500);
    assert_int_equal(notes_in(reader, READ_ALL), 0);
    scene_close(reader);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    scene_close(c);
    assert_int_equal(raw_ask(s->path, "PRAGMA freelist_count"), 0);
    assert_true(size_of(s) < 100000);
}

/* Somebody who was killed has left free pages, or deletes much more just now. */
static void test_space__what_others_have_left_goes_little_by_little(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;
    int64_t before, after;

    fill(c, 300, 3000);
    raw_run(s->path, "DELETE FROM note");
    before = raw_ask(s->path, "PRAGMA freelist_count");
    assert_true(before > 100);
    for (int64_t id = 1; id < 6; id++, before = after) {
        test_ok(note_write(c, id, AGENTCHAT_STR("a"), &err), &err);
        after = raw_ask(s->path, "PRAGMA freelist_count");
        assert_int_equal(before - after, 8);
    }
    c->call.unbounded = true;
    test_ok(note_write(c, 6, AGENTCHAT_STR("a"), &err), &err);
    assert_int_equal(raw_ask(s->path, "PRAGMA freelist_count"), 0);
    scene_close(c);
}

static void test_space__in_memory_there_is_nothing_to_give_back(void **state)
{
    aci_sqlite_connection *c = memory_open();
    agentchat_error err;

    (void)state;
    fill(c, 100, 3000);
    test_ok(run_note(c, WRITE_ALL, &note_clear, NULL, 0, NULL, NULL, NULL, &err), &err);
    assert_int_equal(notes_in(c, READ_ALL), 0);
    scene_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SCENE(test_space__deleting_everything_makes_the_file_small),
        ON_SCENE(test_space__one_large_text_goes_with_its_transaction),
        ON_SCENE(test_space__a_short_text_is_overwritten_where_it_stood),
        ON_SCENE(test_space__others_in_the_way_do_no_harm),
        ON_SCENE(test_space__what_others_have_left_goes_little_by_little),
        cmocka_unit_test(test_space__in_memory_there_is_nothing_to_give_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
