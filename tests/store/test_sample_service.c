/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A service as CONTRIBUTING.md tells how to add one, in a store that has no other: one table of notes by name, put,
 * get, list, delete and check; and its contract, on each kind of store: memory, sqlite, postgres.
 */
#include "store/core/sql.h"

#include "base/error.h"
#include "session/scene.h"
#include <stdio.h>

/* ---- the table -------------------------------------------------------------------------------------------------- */

typedef struct note_row {
    agentchat_str name, text;
    int64_t changes; /* how often it was put */
} note_row;
#define NOTE(C)                                                                                                        \
    C(note_row, name, name, TEXT)                                                                                      \
    C(note_row, text, text, TEXT)                                                                                      \
    C(note_row, changes, changes, INTEGER)
static const aci_column columns[] = {NOTE(ACI_COLUMN)};
static const aci_table table = ACI_TABLE("a stored note", columns, 0, 1);

static const aci_sql_migration sqlite[] = {{1, 1, ACI_CREATE_SQLITE("note", NOTE, "name") ", WITHOUT ROWID;\n"}};
static const aci_sql_migration postgres[] = {{1, 1, ACI_CREATE_POSTGRES("note", NOTE, "name")}};

enum { SERVICE = 1, GET, LOCK, PUT, LIST, DELETE };
#define SAME(number, text) [number] = {{{SERVICE, number, text}, {SERVICE, number, text}}}
#define ROW "SELECT " NOTE(ACI_NAME) "sum FROM note"
static const aci_statement statements[] = {
    SAME(GET, ROW " WHERE name = $1"),
    [LOCK] = {{{SERVICE, LOCK, ROW " WHERE name = $1"}, {SERVICE, LOCK, ROW " WHERE name = $1 FOR UPDATE"}}},
    SAME(PUT, ACI_INSERT("note", NOTE, ACI_VALUES_4) " ON CONFLICT(name) DO UPDATE SET text = excluded.text,"
                                                     " changes = excluded.changes, sum = excluded.sum"),
    SAME(LIST, ROW " WHERE name > $1 ORDER BY name LIMIT $2"),
    SAME(DELETE, "DELETE FROM note WHERE name = $1"),
};

/* ---- put, get, delete ------------------------------------------------------------------------------------------- */

typedef struct work {
    agentchat_str name, text;
    int64_t changes;
    bool found;
    aci_arena *arena; /* where the text goes */
} work;

static agentchat_status load(void *user, const aci_sql_value *values, size_t count, agentchat_error *err)
{
    work *w = user;
    note_row row = {.changes = 0};
    bool ok = true;
    agentchat_status status = aci_table_read(&table, 0, values, count, &row, err);

    if (status < 0)
        return status;
    w->found = true;
    w->changes = row.changes;
    if (w->arena != NULL)
        w->text = aci_arena_copy(w->arena, row.text, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status look(work *w, aci_tx *tx, int which, bool ends, agentchat_error *err)
{
    w->changes = w->found = 0;
    ACI_ASK(tx, &statements[which], load, w, ACI_TEXT(w->name));
    return aci_transact_run(tx, ends, err);
}

static agentchat_status put_work(aci_tx *tx, void *user, agentchat_error *err)
{
    work *w = user;
    note_row row = {.name = w->name, .text = w->text};
    agentchat_status status = look(w, tx, LOCK, false, err);

    if (status < 0)
        return status;
    row.changes = w->changes + 1;
    aci_transact_add(tx, &statements[PUT], NULL, NULL);
    aci_table_bind(tx, &table, &row);
    return aci_transact_run(tx, true, err);
}

static agentchat_status get_work(aci_tx *tx, void *user, agentchat_error *err)
{
    return look(user, tx, GET, true, err);
}

static agentchat_status delete_work(aci_tx *tx, void *user, agentchat_error *err)
{
    work *w = user;
    agentchat_status status = look(w, tx, LOCK, false, err);

    if (status < 0 || !w->found)
        return status;
    ACI_ASK(tx, &statements[DELETE], NULL, NULL, ACI_TEXT(w->name));
    return aci_transact_run(tx, true, err);
}

static agentchat_status note_put(agentchat_store *store, const char *name, const char *text, agentchat_error *err)
{
    work w = {.name = agentchat_str_from(name), .text = agentchat_str_from(text)};

    return aci_transact(store, true, put_work, &w, err);
}

/* w: its name, and the arena where its text goes. E_NOTFOUND. */
static agentchat_status note_get(agentchat_store *store, work *w, agentchat_error *err)
{
    agentchat_status status = aci_transact(store, false, get_work, w, err);

    return status < 0 || w->found ? status : aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no such note");
}

static agentchat_status note_delete(agentchat_store *store, const char *name, bool *was_there, agentchat_error *err)
{
    work w = {.name = agentchat_str_from(name)};
    agentchat_status status = aci_transact(store, true, delete_work, &w, err);

    *was_there = w.found;
    return status;
}

/* ---- list, check ------------------------------------------------------------------------------------------------ */

typedef struct page {
    char after[64];
    int64_t limit;
    size_t rows;
    char *names;            /* where they are appended */
    aci_store_check *check; /* damage is a finding; NULL: it is a failure */
} page;

static agentchat_status take(void *user, const aci_sql_value *values, size_t count, agentchat_error *err)
{
    page *p = user;
    note_row row = {.changes = 0};
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_table_read(&table, 0, values, count, &row, p->check != NULL ? &why : err);
    (void)snprintf(p->after, sizeof p->after, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(row.name));
    p->rows++;
    if (status == AGENTCHAT_E_CORRUPT && p->check != NULL)
        return aci_check_problem(p->check, "notes", err, "%s: %s", p->after, why.message);
    if (status >= 0 && p->names != NULL)
        strcat(strcat(p->names, p->after), " ");
    return status;
}

static agentchat_status page_work(aci_tx *tx, void *user, agentchat_error *err)
{
    page *p = user;

    p->rows = 0;
    ACI_ASK(tx, &statements[LIST], take, p, ACI_TEXT(agentchat_str_from(p->after)), ACI_INT(p->limit));
    return aci_transact_run(tx, true, err);
}

/* A page of the names after one, in their order. */
static agentchat_status note_list(agentchat_store *store, const char *after, int64_t limit, char *names,
                                  agentchat_error *err)
{
    page p = {.limit = limit, .names = names};

    names[0] = '\0';
    (void)snprintf(p.after, sizeof p.after, "%s", after);
    return aci_transact(store, false, page_work, &p, err);
}

static agentchat_status check(aci_store_check *all, agentchat_error *err)
{
    page p = {.limit = 100, .check = all};
    agentchat_status status;

    do {
        status = aci_transact_in(all->store, &all->call, false, page_work, &p, err);
        if (status >= 0 && all->bad == 0 && p.rows < 100)
            status = aci_check_note(all, "notes", NULL, err);
        if (status >= 0)
            status = aci_check_report(all, err);
    } while (status >= 0 && p.rows == 100 && !all->stopped);
    return status;
}

static const aci_service service = {
    {[ACI_SQL_SQLITE] = {"note", sqlite, 1}, [ACI_SQL_POSTGRES] = {"note", postgres, 1}},
    ACI_SERVICE_VERSION(SERVICE, "note"),
    check,
};
const aci_service *const aci_services[] = {&service}; /* in place of the library's own */
const size_t aci_service_count = 1;

/* ---- its contract ----------------------------------------------------------------------------------------------- */

static void expect_note(agentchat_store *store, const char *name, const char *text, int64_t changes)
{
    work w = {.name = agentchat_str_from(name), .arena = aci_arena_new(aci_env(NULL), 0)};
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(note_get(store, &w, &err), &err);
    assert_true(agentchat_str_equal(w.text, agentchat_str_from(text)));
    assert_int_equal(w.changes, changes);
    aci_arena_unref(w.arena);
}

static void test_sample__what_was_put_is_there(void **state)
{
    scene *s = *state;

    test_ok(note_put(s->store, "a", "one", &s->err), &s->err);
    test_ok(note_put(s->store, "a", "two", &s->err), &s->err);
    expect_note(s->store, "a", "two", 2);
    if (scene_is_shared(s)) {
        scene_reopen(s);
        expect_note(s->store, "a", "two", 2);
    }
}

static void test_sample__what_was_deleted_is_gone(void **state)
{
    scene *s = *state;
    work w = {.name = AGENTCHAT_STR("b")};
    bool was_there;

    test_ok(note_put(s->store, "b", "", &s->err), &s->err);
    test_ok(note_delete(s->store, "b", &was_there, &s->err), &s->err);
    assert_true(was_there);
    test_ok(note_delete(s->store, "b", &was_there, &s->err), &s->err);
    assert_false(was_there);
    test_fails(note_get(s->store, &w, &s->err), &s->err, AGENTCHAT_E_NOTFOUND, NULL, "no such note");
}

static void test_sample__lists_come_in_pages(void **state)
{
    scene *s = *state;
    char names[100];

    for (const char *name = "zcabd"; *name != '\0'; name++)
        test_ok(note_put(s->store, (char[]){*name, '\0'}, "x", &s->err), &s->err);
    test_ok(note_list(s->store, "", 3, names, &s->err), &s->err);
    assert_string_equal(names, "a b c ");
    test_ok(note_list(s->store, "c", 3, names, &s->err), &s->err);
    assert_string_equal(names, "d z ");
}

/* By a statement that is put together here. */
static agentchat_status damage(aci_tx *tx, void *user, agentchat_error *err)
{
    char text[64];
    aci_statement update = {{{SERVICE, 0, text}, {SERVICE, 0, text}}};
    agentchat_status status;

    (void)snprintf(text, sizeof text, "UPDATE note SET text = 'other' WHERE name = '%s'", (const char *)user);
    aci_transact_add(tx, &update, NULL, NULL);
    status = aci_transact_run(tx, false, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

static agentchat_status found(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)part;
    (void)err;
    if (problem.ptr != NULL)
        (void)snprintf(user, 100, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(problem));
    return AGENTCHAT_OK;
}

static void test_sample__damage_is_named(void **state)
{
    static char name[] = "a";
    scene *s = *state;
    char problem[100] = "", names[100];

    test_ok(note_put(s->store, "a", "one", &s->err), &s->err);
    test_ok(agentchat_store_check(s->store, found, problem, &s->err), &s->err);
    assert_string_equal(problem, "");
    test_ok(aci_transact(s->store, true, damage, name, &s->err), &s->err);
    test_fails(note_list(s->store, "", 9, names, &s->err), &s->err, AGENTCHAT_E_CORRUPT, NULL,
               "a stored note is damaged");
    test_ok(agentchat_store_check(s->store, found, problem, &s->err), &s->err);
    assert_string_equal(problem, "a: a stored note is damaged: its checksum is not that of its columns");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_sample__what_was_put_is_there),
        SCENE_TEST(test_sample__what_was_deleted_is_gone),
        SCENE_TEST(test_sample__lists_come_in_pages),
        SCENE_TEST(test_sample__damage_is_named),
    };

    return scene_program("store.sample", argc, argv) ? cmocka_run_group_tests_name("sample", tests, NULL, NULL) : 2;
}
