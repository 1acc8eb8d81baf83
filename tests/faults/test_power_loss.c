/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The power fails during a save. The file operations of real saves are recorded; after each of them, every state in
 * which a disk may come up (file_model.h) is made as a real directory, and read: the file is the last acknowledged
 * state or the one that was being saved, complete, with its mode; after a success it is the new one always. The
 * recorded sequence with a mistake built in must be caught by the same checker.
 */
#include "crash_scene.h"

static void test_power_loss__leaves_the_old_or_the_new_file(void **state)
{
    unsigned long states = 0, distinct = 0;

    (void)state;
    for (size_t i = 0; i < FORMATS; i++)
        for (int exists = 0; exists < 2; exists++)
            for (int through_link = 0; through_link < 2; through_link++) {
                scene s = scene_make(formats[i], exists != 0, through_link != 0);

                assert_int_equal(crash_everywhere(&s, &s.recorded), 0);
                assert_true(s.distinct > 50);
                states += s.states;
                distinct += s.distinct;
                scene_clear(&s);
            }
    print_message("%lu states, %lu of them distinct\n", states, distinct);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

static size_t find(const operations *list, operation_kind kind, size_t from)
{
    while (from < list->count && list->at[from].kind != kind)
        from++;
    assert_true(from < list->count);
    return from;
}

static size_t find_last(const operations *list, operation_kind kind)
{
    size_t last = find(list, kind, 0);

    for (size_t i = last; i < list->count; i++)
        if (list->at[i].kind == kind)
            last = i;
    return last;
}

static void move(operations *list, size_t from, size_t to)
{
    operation moved = list->at[from];

    operations_remove(list, from);
    operations_insert(list, to, moved);
}

static void without_syncing_the_file(operations *list)
{
    operations_remove(list, find(list, OPERATION_SYNC, 0));
}

static void without_syncing_the_last_file(operations *list)
{
    operations_remove(list, find_last(list, OPERATION_SYNC));
}

static void without_syncing_the_directory(operations *list)
{
    operations_remove(list, find_last(list, OPERATION_SYNC_DIRECTORY));
}

static void renaming_before_syncing(operations *list)
{
    move(list, find(list, OPERATION_RENAME, 0), find(list, OPERATION_SYNC, 0));
}

static void syncing_the_directory_before_renaming(operations *list)
{
    move(list, find(list, OPERATION_SYNC_DIRECTORY, 0), find(list, OPERATION_RENAME, 0));
}

static void syncing_before_the_last_write(operations *list)
{
    size_t sync = find(list, OPERATION_SYNC, 0), write = sync;

    while (list->at[write].kind != OPERATION_WRITE)
        write--;
    move(list, sync, write);
}

static void without_the_last_write(operations *list)
{
    size_t write = find(list, OPERATION_SYNC, 0);

    while (list->at[write].kind != OPERATION_WRITE)
        write--;
    operations_remove(list, write);
}

static void removing_the_old_file_first(operations *list)
{
    size_t rename = find(list, OPERATION_RENAME, 0);
    operation removal = {.kind = OPERATION_REMOVE};

    memcpy(removal.name, FILE_NAME, sizeof FILE_NAME);
    operations_insert(list, rename, removal);
}

static void acknowledging_before_renaming(operations *list)
{
    move(list, find(list, OPERATION_SUCCESS, 0), find(list, OPERATION_RENAME, 0));
}

static void giving_the_mode_after_syncing(operations *list)
{
    move(list, find(list, OPERATION_MODE, 0), find(list, OPERATION_SYNC, 0));
}

/* The first save writes into the file that is there. */
static void writing_in_place(operations *list)
{
    size_t create = find(list, OPERATION_CREATE, 0), rename;
    size_t temporary = list->at[create].number;

    list->at[create] = (operation){.kind = OPERATION_TRUNCATE, .number = 0};
    for (size_t i = create; list->at[i].kind != OPERATION_SUCCESS; i++)
        if (list->at[i].number == temporary && list->at[i].kind != OPERATION_RENAME)
            list->at[i].number = 0;
    rename = find(list, OPERATION_RENAME, 0);
    operations_remove(list, rename);
    /* The numbers of files follow from the order of their making. */
    for (size_t i = rename; i < list->count; i++)
        if (list->at[i].kind != OPERATION_BEGIN && list->at[i].kind != OPERATION_SUCCESS && list->at[i].number > 0)
            list->at[i].number--;
}

static void test_power_loss__the_checker_catches_mistakes(void **state)
{
    static const struct {
        const char *what;
        void (*make)(operations *list);
    } mistakes[] = {
        {"the first save does not sync its file", without_syncing_the_file},
        {"the last save does not sync its file", without_syncing_the_last_file},
        {"the last save does not sync the directory", without_syncing_the_directory},
        {"the file is renamed before it is synced", renaming_before_syncing},
        {"the directory is synced before the file is renamed", syncing_the_directory_before_renaming},
        {"the file is synced before its last write", syncing_before_the_last_write},
        {"a write is missing", without_the_last_write},
        {"the old file is removed before the new one is in place", removing_the_old_file_first},
        {"success is reported before the file is renamed", acknowledging_before_renaming},
        {"the mode is given after syncing", giving_the_mode_after_syncing},
        {"the file is written in place", writing_in_place},
    };
    scene s = scene_make("agentchat", true, false);

    (void)state;
    assert_int_equal(crash_everywhere(&s, &s.recorded), 0);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        operations wrong = operations_copy(&s.recorded);
        unsigned long violations;

        mistakes[i].make(&wrong);
        violations = crash_everywhere(&s, &wrong);
        if (violations == 0)
            fail_msg("not caught: %s", mistakes[i].what);
        print_message("%s: %lu of %lu states are wrong\n", mistakes[i].what, violations, s.distinct);
        operations_clear(&wrong);
    }
    scene_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_loss__leaves_the_old_or_the_new_file),
        cmocka_unit_test(test_power_loss__the_checker_catches_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
