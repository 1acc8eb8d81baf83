/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged files: cut off at every length, and with bits flipped. Whatever is there, no call may crash, and what is
 * reported is damage, never a wrong kind of error. Random flips come from a fixed seed; AGENTCHAT_TEST_FLIPS is their
 * number.
 */
#include "sqlite_support.h"
#include "sqlite_vfs.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct damage_scene {
    scene s; /* a copy; it owns nothing */
    void *base;
    char *log_path, *index_path;
    char *file, *log; /* a good file with its log */
    size_t file_len, log_len;
} damage_scene;

typedef struct tally {
    size_t intact, refused, corrupt, other;
} tally;

/* Notes of several sizes, so that there are leaves, inner pages, overflow pages and pages of free ones. */
static void write_notes(aci_sqlite_connection *c, int64_t first, int64_t last)
{
    char text[9000];
    agentchat_error err;

    memset(text, 'n', sizeof text);
    for (int64_t id = first; id <= last; id++) {
        aci_sql_value params[] = {integer_of(id), text_of((agentchat_str){text, (size_t)(id * 97 % 400)})};

        if (id % 20 == 0)
            params[1].text.len = sizeof text;
        test_ok(run_note(c, id == first ? ACI_SQL_BEGIN_WRITE : 0, &note_insert, params, 2, NULL, NULL, NULL, &err),
                &err);
    }
    (void)notes_in(c, ACI_SQL_COMMIT);
}

/* The file as a killed process leaves it: half of it in the log. */
static int write_and_die(void *user)
{
    const scene *s = user;
    aci_sqlite_connection *c = scene_open_tables(s);

    write_notes(c, 1, 100);
    scene_close(c);
    c = scene_open(s);
    write_notes(c, 101, 130);
    return die();
}

static int set_up(void **state)
{
    damage_scene *d = calloc(1, sizeof *d);

    assert_non_null(d);
    test_vfs_install();
    test_vfs_state.without_flushes = true; /* thousands of files are written and closed */
    scene_set_up_fast(&d->base);
    d->s = *(scene *)d->base;
    d->s.options.wait_ms = 5; /* a file may be damaged so that it seems to be in use */
    d->log_path = test_path(d->s.dir, "store.db-wal");
    d->index_path = test_path(d->s.dir, "store.db-shm");
    assert_int_equal(in_child(write_and_die, &d->s), -SIGKILL);
    d->file = test_file_read(d->s.path, &d->file_len);
    d->log = test_file_read(d->log_path, &d->log_len);
    assert_true(d->file_len > 20000 && d->log_len > 8000);
    *state = d;
    return 0;
}

static int tear_down(void **state)
{
    damage_scene *d = *state;

    scene_tear_down(&d->base);
    free(d->log_path);
    free(d->index_path);
    free(d->file);
    free(d->log);
    free(d);
    return 0;
}

static agentchat_status take_anything(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    size_t *sum = user;

    (void)err;
    for (size_t i = 0; i < count; i++) {
        for (size_t at = 0; at < columns[i].text.len; at++)
            *sum += (unsigned char)columns[i].text.ptr[at];
    }
    return AGENTCHAT_OK;
}

static agentchat_status take_problem(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)err;
    assert_str(part, "file");
    *(size_t *)user += problem.len > 0;
    for (size_t i = 0; i < problem.len; i++)
        assert_true(problem.ptr[i] >= ' ' && problem.ptr[i] <= '~');
    return AGENTCHAT_OK;
}

/* Everything that a store does, on what is there. The first failure, or OK. */
static agentchat_status use(const scene *s, size_t *problems, agentchat_error *err)
{
    aci_sql_value note[] = {integer_of(1000), text_of(AGENTCHAT_STR("new"))}, from = integer_of(0);
    aci_sqlite_connection *c = NULL;
    aci_sql_version version;
    aci_sql_outcome outcome;
    agentchat_error other;
    agentchat_status first = scene_connect(s, &c, err), status;
    size_t sum = 0;

    if (first < 0)
        return first;
    first = scene_version(c, &version, &outcome, err);
    if (first >= 0 && version.format != 3)
        first = agentchat_error_set(err, AGENTCHAT_E_CORRUPT, "another version");
    if (first >= 0)
        first = run_note(c, READ_ALL, &note_select, &from, 1, take_anything, &sum, NULL, err);
    /* The others run in any case: one part of a file may be good while another is not. */
    agentchat_error_clear(&other);
    (void)aci_sqlite_driver.check(c, take_problem, problems, &other);
    agentchat_error_clear(&other);
    status = run_note(c, WRITE_ALL, &note_insert, note, 2, NULL, NULL, NULL, &other);
    if (first >= 0 && status < 0) {
        first = status;
        *err = other;
    }
    agentchat_error_clear(&other);
    status = run_note(c, WRITE_ALL, &note_clear, NULL, 0, NULL, NULL, NULL, &other);
    if (first >= 0 && status < 0) {
        first = status;
        *err = other;
    }
    scene_close(c);
    return first;
}

static void check_file(const damage_scene *d, const char *file, size_t file_len, const char *log, size_t log_len,
                       tally *t, const char *what, size_t where)
{
    agentchat_error err;
    size_t problems = 0;
    agentchat_status status;

    unlink(d->s.path);
    test_file_write(d->s.path, file, file_len);
    unlink(d->index_path);
    unlink(d->log_path);
    if (log_len > 0)
        test_file_write(d->log_path, log, log_len);
    status = use(&d->s, &problems, &err);
    if (status >= 0) {
        t->intact++;
        return;
    }
    assert_true(err.message[0] != '\0' && err.code == (int32_t)status);
    if (status == AGENTCHAT_E_CORRUPT) {
        t->corrupt++;
    } else if (status == AGENTCHAT_E_SCHEMA) {
        t->refused++; /* the mark that makes it ours is damaged */
    } else {
        t->other++; /* a flipped bit may make a file that can be read only */
        if (status != AGENTCHAT_E_IO && status != AGENTCHAT_E_BUSY && status != AGENTCHAT_E_NOMEM &&
            status != AGENTCHAT_E_LIMIT)
            fail_msg("%s %zu: %s, %s", what, where, agentchat_status_name(status), err.message);
    }
}

static void show(const char *what, const tally *t)
{
    print_message("%s: %zu of no effect, %zu damage, %zu not ours, %zu others\n", what, t->intact, t->corrupt,
                  t->refused, t->other);
}

static void test_damage__a_file_cut_off_anywhere(void **state)
{
    damage_scene *d = *state;
    tally t = {0}, log = {0};

    for (size_t len = 0; len < d->file_len; len += len < 128 ? 1 : (len % 4096 == 0 || len % 4096 == 4095) ? 1 : 511) {
        check_file(d, d->file, len, NULL, 0, &t, "cut at", len);
    }
    show("cut file", &t);
    assert_int_equal(t.intact, 0);
    assert_int_equal(t.other, 0);
    assert_true(t.corrupt > 50);
    /* Of a log, what is complete counts. */
    for (size_t len = 0; len < d->log_len; len += 97)
        check_file(d, d->file, d->file_len, d->log, len, &log, "log cut at", len);
    show("cut log", &log);
    assert_int_equal(log.corrupt + log.refused + log.other, 0);
}

/* Every bit of the file's header and of the first pages' headers. */
static void test_damage__each_bit_of_the_header(void **state)
{
    damage_scene *d = *state;
    tally t = {0};

    for (size_t bit = 0; bit < 8 * 120; bit++) {
        d->file[bit / 8] ^= (char)(1 << bit % 8);
        check_file(d, d->file, d->file_len, NULL, 0, &t, "bit", bit);
        d->file[bit / 8] ^= (char)(1 << bit % 8);
    }
    show("bits of the header", &t);
    assert_true(t.corrupt > 100);
}

static void test_damage__random_bits(void **state)
{
    damage_scene *d = *state;
    const char *text = getenv("AGENTCHAT_TEST_FLIPS");
    size_t count = text != NULL ? (size_t)atol(text) : 1500;
    uint64_t random = 0x9E3779B97F4A7C15u;
    tally t = {0}, log = {0};

    for (size_t i = 0; i < count; i++) {
        size_t positions[4];
        size_t flips = 1 + next_random(&random) % 4;

        for (size_t k = 0; k < flips; k++) {
            positions[k] = next_random(&random) % (8 * d->file_len);
            if (next_random(&random) % 2 == 0) /* structure is at the beginning of pages */
                positions[k] = positions[k] / 32768 * 32768 + positions[k] % 512;
            d->file[positions[k] / 8] ^= (char)(1 << positions[k] % 8);
        }
        check_file(d, d->file, d->file_len, NULL, 0, &t, "flip", i);
        for (size_t k = 0; k < flips; k++)
            d->file[positions[k] / 8] ^= (char)(1 << positions[k] % 8);
    }
    show("flipped bits", &t);
    assert_true(t.corrupt > 0 && t.intact > 0);
    /* A log has checksums: what is damaged in it counts as not written, and so does everything after it. */
    for (size_t i = 0; i < count / 5; i++) {
        size_t bit = next_random(&random) % (8 * d->log_len);

        d->log[bit / 8] ^= (char)(1 << bit % 8);
        check_file(d, d->file, d->file_len, d->log, d->log_len, &log, "flip in the log", i);
        d->log[bit / 8] ^= (char)(1 << bit % 8);
    }
    show("flipped bits of the log", &log);
    assert_int_equal(log.corrupt + log.refused, 0);
}

/* Pages with the contents of another page, with zeros, or with random bytes. */
static void test_damage__random_pages(void **state)
{
    damage_scene *d = *state;
    size_t pages = d->file_len / 4096;
    uint64_t random = 88172645463325252u;
    char *copy = malloc(d->file_len);
    tally t = {0};

    assert_non_null(copy);
    for (size_t i = 0; i < 200; i++) {
        char *page = copy + next_random(&random) % pages * 4096;

        memcpy(copy, d->file, d->file_len);
        switch (i % 3) {
        case 0:
            memcpy(page, d->file + next_random(&random) % pages * 4096, 4096);
            break;
        case 1:
            memset(page, 0, 4096);
            break;
        default:
            for (size_t k = 0; k < 4096; k++)
                page[k] = (char)next_random(&random);
        }
        check_file(d, copy, d->file_len, NULL, 0, &t, "page", i);
    }
    show("pages", &t);
    assert_true(t.corrupt > 20);
    free(copy);
}

/* ---- what check says --------------------------------------------------------------------------------------------- */

typedef struct findings {
    size_t intact, problems, stop_at;
    char first[200];
} findings;

static agentchat_status take_finding(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    findings *f = user;

    assert_str(part, "file");
    if (problem.ptr == NULL) {
        f->intact++;
        return AGENTCHAT_OK;
    }
    if (f->problems++ == 0)
        snprintf(f->first, sizeof f->first, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(problem));
    if (f->problems == f->stop_at)
        return AGENTCHAT_DONE;
    return f->stop_at == 99 ? agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "no more") : AGENTCHAT_OK;
}

static void test_damage__check_names_what_it_finds(void **state)
{
    damage_scene *d = *state;
    findings good = {0}, bad = {0}, stopped = {.stop_at = 1}, failed = {.stop_at = 99};
    aci_sqlite_connection *c = scene_open(&d->s);
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(aci_sqlite_driver.check(c, take_finding, &good, &err), &err);
    assert_int_equal(good.intact, 1);
    assert_int_equal(good.problems, 0);
    scene_close(c);

    /* Entries of the index are wrong without SQLite's knowledge: the table without it is good. */
    raw_run(d->s.path, "PRAGMA writable_schema=ON;"
                       "UPDATE sqlite_schema SET sql='CREATE INDEX note_text ON note(id)' WHERE name='note_text'");
    raw_run(d->s.path, "INSERT INTO note(id, text) VALUES(1000, 'x'), (1001, 'y'), (1002, 'z')");
    raw_run(d->s.path, "PRAGMA writable_schema=ON;"
                       "UPDATE sqlite_schema SET sql='CREATE INDEX note_text ON note(text)' WHERE name='note_text'");
    c = scene_open(&d->s);
    agentchat_error_clear(&err);
    test_ok(aci_sqlite_driver.check(c, take_finding, &bad, &err), &err);
    assert_int_equal(bad.intact, 0);
    assert_true(bad.problems > 1);
    assert_non_null(strstr(bad.first, "note_text"));
    assert_int_equal(aci_sqlite_driver.check(c, take_finding, &stopped, &err), AGENTCHAT_DONE);
    assert_int_equal(stopped.problems, 1);
    test_fails(aci_sqlite_driver.check(c, take_finding, &failed, &err), &err, AGENTCHAT_E_CALLBACK, NULL, "no more");
    scene_close(c);

    memset(d->file + 100, 0, 8); /* the root of the schema */
    test_file_write(d->s.path, d->file, d->file_len);
    unlink(d->log_path);
    d->s.options.read_only = true;
    if (scene_connect(&d->s, &c, &err) >= 0) {
        agentchat_error_clear(&err);
        test_fails(aci_sqlite_driver.check(c, take_finding, &bad, &err), &err, AGENTCHAT_E_CORRUPT, NULL, "damaged");
    }
    assert_int_equal(err.code, AGENTCHAT_E_CORRUPT);
    scene_close(c);
}

#define ON_DAMAGE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_DAMAGE(test_damage__a_file_cut_off_anywhere),
        ON_DAMAGE(test_damage__each_bit_of_the_header),
        ON_DAMAGE(test_damage__random_bits),
        ON_DAMAGE(test_damage__random_pages),
        ON_DAMAGE(test_damage__check_names_what_it_finds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
