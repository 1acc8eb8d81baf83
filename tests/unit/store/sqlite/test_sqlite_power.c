/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The power fails. What the driver writes, flushes and removes is recorded; after each of these steps, states are made
 * in which a disk may come up, and read: what was flushed is there; of the rest nothing, everything, or a random choice
 * of writes and parts of others. With full durability the file holds what was acknowledged, and at most the one
 * transaction more that was on its way. With normal durability it holds what some transaction had left, never a
 * mixture.
 */
#include "sqlite_support.h"
#include "sqlite_vfs.h"

#include <stdio.h>
#include <unistd.h>

#define ACKNOWLEDGED 0 /* a kind beside those of sqlite_vfs.h */
#define SECTOR 512
#define MOST_STEPS 20000
#define MOST_STATES 64

static const char *const suffixes[] = {"", "-wal", "-journal"};
enum { FILES = 3 };

typedef struct step {
    unsigned kind;
    int file;
    char *bytes;
    size_t len;
    uint64_t at;
} step;

/* What was recorded. After transaction i the notes were states[i], a set of bits; state 0: there are no tables. */
static struct {
    step steps[MOST_STEPS];
    size_t count;
    uint64_t states[MOST_STATES];
    size_t acknowledged; /* transactions */
} record;

static int file_of(const char *name)
{
    for (int file = FILES - 1; file > 0; file--) {
        size_t len = strlen(name), tail = strlen(suffixes[file]);

        if (len > tail && strcmp(name + len - tail, suffixes[file]) == 0)
            return file;
    }
    return 0;
}

static void watch(unsigned kind, const char *name, const void *bytes, size_t len, uint64_t at)
{
    step *s = &record.steps[record.count++];

    assert_true(record.count < MOST_STEPS);
    *s = (step){.kind = kind, .file = file_of(name), .len = len, .at = at};
    if (len > 0) {
        s->bytes = malloc(len);
        assert_non_null(s->bytes);
        memcpy(s->bytes, bytes, len);
    }
}

static void acknowledge(uint64_t notes)
{
    record.states[++record.acknowledged] = notes;
    assert_true(record.acknowledged + 1 < MOST_STATES);
    record.steps[record.count++] = (step){.kind = ACKNOWLEDGED};
}

static void forget(void)
{
    for (size_t i = 0; i < record.count; i++)
        free(record.steps[i].bytes);
    memset(&record, 0, sizeof record);
}

/* ---- what is recorded -------------------------------------------------------------------------------------------- */

#define INSTALLED (UINT64_C(1) << 63)

static void change(aci_sqlite_connection *c, uint64_t *notes, int64_t id, bool writes, size_t len)
{
    static char text[30000];
    aci_sql_value params[] = {integer_of(id), text_of((agentchat_str){text, len})};
    agentchat_error err;

    memset(text, 'p', sizeof text);
    test_ok(
        run_note(c, WRITE_ALL, writes ? &note_insert : &note_delete, params, writes ? 2 : 1, NULL, NULL, NULL, &err),
        &err);
    *notes ^= UINT64_C(1) << id;
    acknowledge(*notes);
}

/* Two connections one after the other, so that the log is begun, filled, moved into the file, removed and begun again;
   a short way to a checkpoint, so that it is used again from its beginning, too. */
static void record_work(const scene *s)
{
    uint64_t notes = INSTALLED;
    aci_sqlite_connection *c;

    test_vfs_watcher = watch;
    c = scene_open_tables(s);
    acknowledge(notes);
    for (int64_t id = 1; id <= 5; id++)
        change(c, &notes, id, true, id == 3 ? 30000 : 100);
    change(c, &notes, 3, false, 0);
    scene_close(c);
    c = scene_open(s);
    assert_int_equal(sqlite3_wal_autocheckpoint(c->db, 12), SQLITE_OK);
    for (int64_t id = 10; id <= 20; id++)
        change(c, &notes, id, true, id % 4 == 0 ? 9000 : 100);
    for (int64_t id = 10; id <= 20; id += 3)
        change(c, &notes, id, false, 0);
    scene_close(c);
    test_vfs_watcher = NULL;
}

/* ---- a disk ------------------------------------------------------------------------------------------------------ */

typedef struct content {
    char *bytes;
    size_t len, room;
    bool exists;
} content;

static void resize(content *c, size_t len)
{
    if (len > c->room) {
        c->room = len * 2;
        c->bytes = realloc(c->bytes, c->room);
        assert_non_null(c->bytes);
    }
    if (len > c->len)
        memset(c->bytes + c->len, 0, len - c->len);
    c->len = len;
    c->exists = true;
}

static void apply(content *c, const step *s, size_t from, size_t to)
{
    if (s->kind == TEST_VFS_WRITE) {
        if (c->len < s->at + to)
            resize(c, (size_t)s->at + to);
        memcpy(c->bytes + s->at + from, s->bytes + from, to - from);
    } else if (s->kind == TEST_VFS_TRUNCATE) {
        resize(c, (size_t)s->at);
    } else if (s->kind == TEST_VFS_DELETE) {
        c->len = 0;
        c->exists = false;
    }
}

typedef enum way { LOSE_ALL, KEEP_ALL, AT_RANDOM, WAYS = 5 } way;

/* A write may have arrived in any of its sectors. */
static void apply_sectors(content *c, const step *s, uint64_t *random)
{
    for (size_t from = 0; from < s->len; from += SECTOR - (s->at + from) % SECTOR) {
        size_t to = from + SECTOR - (size_t)((s->at + from) % SECTOR);

        if (next_random(random) % 2 == 0)
            apply(c, s, from, to < s->len ? to : s->len);
    }
}

/* The files after the first `count` steps. */
static void come_up(size_t count, way how, uint64_t *random, content files[FILES])
{
    size_t flushed[FILES] = {0};

    for (size_t i = 0; i < count; i++) {
        if (record.steps[i].kind == TEST_VFS_SYNC || record.steps[i].kind == TEST_VFS_DELETE)
            flushed[record.steps[i].file] = i;
    }
    for (int file = 0; file < FILES; file++) {
        files[file].len = 0;
        files[file].exists = false;
    }
    for (size_t i = 0; i < count; i++) {
        const step *s = &record.steps[i];
        bool is_certain = i < flushed[s->file];

        if (s->kind == ACKNOWLEDGED || s->kind == TEST_VFS_SYNC)
            continue;
        if (s->kind == TEST_VFS_DELETE && i + 1 < count)
            is_certain = true; /* the file that comes next under the name is another one */
        if (is_certain || how == KEEP_ALL)
            apply(&files[s->file], s, 0, s->len);
        else if (how >= AT_RANDOM && s->kind == TEST_VFS_WRITE && next_random(random) % 4 == 0)
            apply_sectors(&files[s->file], s, random);
        else if (how >= AT_RANDOM && next_random(random) % 2 == 0)
            apply(&files[s->file], s, 0, s->len);
    }
}

static void write_files(const scene *s, const content files[FILES])
{
    char name[4096];

    snprintf(name, sizeof name, "%s-shm", s->path);
    unlink(name);
    for (int file = 0; file < FILES; file++) {
        snprintf(name, sizeof name, "%s%s", s->path, suffixes[file]);
        unlink(name);
        if (files[file].exists)
            test_file_write(name, files[file].bytes, files[file].len);
    }
}

/* ---- what it holds ----------------------------------------------------------------------------------------------- */

static agentchat_status take_note(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    (void)err;
    assert_int_equal(count, 2);
    *(uint64_t *)user |= UINT64_C(1) << columns[0].integer;
    return AGENTCHAT_OK;
}

static agentchat_status take_finding(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)part;
    (void)err;
    *(bool *)user |= problem.ptr != NULL;
    return AGENTCHAT_OK;
}

/* UINT64_MAX: it is damaged. */
static uint64_t notes_on_disk(const scene *s)
{
    aci_sql_value zero = integer_of(0);
    aci_sql_version version = {0};
    aci_sql_outcome outcome;
    aci_sqlite_connection *c = NULL;
    agentchat_error err;
    uint64_t notes = INSTALLED;
    bool is_damaged = false;

    if (scene_connect(s, &c, &err) < 0 || scene_version(c, &version, &outcome, &err) < 0)
        is_damaged = true;
    else if (version.format == 0)
        notes = 0;
    else if (run_note(c, READ_ALL, &note_select, &zero, 1, take_note, &notes, NULL, &err) < 0)
        is_damaged = true;
    if (c == NULL || aci_sqlite_driver.check(c, take_finding, &is_damaged, &err) < 0)
        is_damaged = true;
    scene_close(c);
    return is_damaged ? UINT64_MAX : notes;
}

typedef struct tally {
    size_t states, outdated, damaged; /* outdated: older than what was acknowledged */
} tally;

/* Looks at states after each step. */
static tally crash_everywhere(const scene *s)
{
    content files[FILES] = {{0}};
    uint64_t random = 0x2545F4914F6CDD1Du;
    size_t acknowledged = 0;
    tally t = {0};

    for (size_t count = 0; count <= record.count; count++) {
        for (way how = LOSE_ALL; how < WAYS; how++) {
            uint64_t notes;
            size_t found;

            come_up(count, how, &random, files);
            write_files(s, files);
            notes = notes_on_disk(s);
            found = acknowledged + 1;
            while (found != SIZE_MAX && (found > record.acknowledged || record.states[found] != notes))
                found--;
            t.states++;
            t.damaged += found == SIZE_MAX;
            t.outdated += found != SIZE_MAX && found < acknowledged;
        }
        if (count < record.count && record.steps[count].kind == ACKNOWLEDGED)
            acknowledged++;
    }
    for (int file = 0; file < FILES; file++)
        free(files[file].bytes);
    print_message("%zu transactions in %zu steps: %zu states, %zu older than acknowledged, %zu of none\n",
                  record.acknowledged, record.count, t.states, t.outdated, t.damaged);
    return t;
}

static void test_power__full_durability_keeps_what_was_acknowledged(void **state)
{
    tally t;

    record_work(*state);
    t = crash_everywhere(*state);
    assert_int_equal(t.damaged, 0);
    assert_int_equal(t.outdated, 0);
}

static void test_power__normal_durability_keeps_complete_transactions(void **state)
{
    scene *s = *state;
    tally t;

    s->options.durability = AGENTCHAT_DURABILITY_NORMAL;
    record_work(s);
    t = crash_everywhere(s);
    assert_int_equal(t.damaged, 0);
    assert_true(t.outdated > 0); /* which shows that full durability is not for free, and that this test sees it */
}

/* With one flush left out the same look at the states finds damage. */
static void test_power__a_missing_flush_is_seen(void **state)
{
    size_t damaged = 0;

    record_work(*state);
    for (size_t i = 0; i < record.count; i++) {
        if (record.steps[i].kind == TEST_VFS_SYNC && record.steps[i].file == 1)
            record.steps[i].kind = ACKNOWLEDGED + 2048; /* nothing */
    }
    damaged = crash_everywhere(*state).damaged;
    assert_true(damaged > 0);
}

/* What another program has left unflushed in the log is flushed before it is reported to anybody. */
static void test_power__what_others_left_is_flushed_before_it_is_confirmed(void **state)
{
    static const agentchat_durability durabilities[] = {AGENTCHAT_DURABILITY_FULL, AGENTCHAT_DURABILITY_NORMAL};
    scene *s = *state;
    aci_sql_outcome outcome;
    agentchat_error err;

    for (size_t i = 0; i < 2; i++) {
        aci_sqlite_connection *other, *c;
        bool flushed = false;

        s->options.durability = AGENTCHAT_DURABILITY_NORMAL;
        other = i == 0 ? scene_open_tables(s) : scene_open(s);
        s->options.durability = durabilities[i];
        c = scene_open(s);
        test_ok(note_write(other, (int64_t)i + 1, AGENTCHAT_STR("unflushed"), &err), &err);
        assert_int_equal(notes_in(c, ACI_SQL_BEGIN_WRITE), i + 1); /* it is seen, and the transaction is open */
        test_vfs_watcher = watch;
        test_ok(aci_sqlite_confirm(c, &outcome, &err), &err);
        test_vfs_watcher = NULL;
        for (size_t k = 0; k < record.count; k++)
            flushed = flushed || (record.steps[k].kind == TEST_VFS_SYNC && record.steps[k].file == 1);
        assert_int_equal(flushed, durabilities[i] == AGENTCHAT_DURABILITY_FULL);
        assert_int_equal(record.count > 0, flushed); /* and who does not flush writes nothing either */
        assert_int_equal(notes_in(c, READ_ALL), i + 1);
        forget();
        scene_close(c);
        scene_close(other);
    }
}

static int tear_down(void **state)
{
    forget();
    return scene_tear_down(state);
}

#define ON_DISK(test) cmocka_unit_test_setup_teardown(test, scene_set_up_vfs, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_DISK(test_power__full_durability_keeps_what_was_acknowledged),
        ON_DISK(test_power__normal_durability_keeps_complete_transactions),
        ON_DISK(test_power__a_missing_flush_is_seen),
        ON_DISK(test_power__what_others_left_is_flushed_before_it_is_confirmed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
