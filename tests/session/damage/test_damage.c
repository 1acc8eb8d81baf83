/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged files: cut off at every kind of position, and with flipped bits. Every call ends, with what was there, with
 * E_CORRUPT that names the session, or with another clear error, and never with anything else than what was there, from
 * which a row may be missing; what another session holds is not lost with it; and whatever cannot be read, or is
 * missing, the store's own check finds.
 *
 * AGENTCHAT_TEST_FLIPS: how many bits are flipped, one at a time (2500).
 */
#include "session/damage/damage.h"

#include <stdio.h>

typedef struct counts {
    unsigned long files, refused, errors, same, found, written;
} counts;

static uint32_t below(uint32_t *random, uint32_t limit)
{
    *random = *random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*random >> 8) * limit) >> 24);
}

static void expect_clear(agentchat_status status, const agentchat_error *err, const char *what)
{
    if (status >= 0 || (damage_may_say(status) && err->code == (int32_t)status && err->message[0] != '\0'))
        return;
    fail_msg("%s: %s, \"%s\"", what, agentchat_status_name(status), err->message);
}

static void expect_named(agentchat_status status, const agentchat_error *err, const char *id)
{
    char name[40];

    snprintf(name, sizeof name, "session app/u/%s: ", id);
    if (status == AGENTCHAT_E_CORRUPT && strncmp(err->message, name, strlen(name)) != 0)
        fail_msg("\"%s\" does not name session %s", err->message, id);
}

static void note_failure(char failed[1024], agentchat_status status, const agentchat_error *err)
{
    if (status == AGENTCHAT_E_CORRUPT)
        snprintf(failed, 1024, "%s", err->message);
}

/* A row whose key rotted may be missing; what is there is as it was. */
static void expect_part(const char *text, const char *whole, const char *id)
{
    for (const char *at = text; *at != '\0' && *at != ' ';) { /* then come revisions, one for each key that is there */
        const char *member = strstr(at, ",\""), *object = strstr(at, "}{");
        const char *end = member != NULL && (object == NULL || member < object) ? member : object;
        size_t len = end != NULL ? (size_t)(end - at) : strcspn(at, "}\n");
        char *piece = strndup(at + (*at == '{'), len - (*at == '{' && len > 0));

        assert_non_null(piece);
        if (strstr(whole, piece) == NULL)
            fail_msg("%s: it was not so: %.300s", id, piece);
        free(piece);
        at += len;
        at += strspn(at, "},\n");
    }
}

/* Reads everything in all ways. */
static void read_in_all_ways(const damaged *d, agentchat_store *store, counts *n)
{
    agentchat_status status;
    agentchat_error err;
    agentchat_session_list *list = NULL;
    agentchat_state *map = NULL;
    damage_found found;
    char failed[1024] = "", id[8];

    for (int i = 0; i < DAMAGE_SESSIONS; i++) {
        char *text;

        snprintf(id, sizeof id, "s%d", i);
        text = damage_read(store, id, &status, &err);
        expect_clear(status, &err, "get");
        expect_named(status, &err, id);
        n->errors += status < 0;
        n->same += status >= 0;
        if (status >= 0 && strcmp(text, d->texts[i]) != 0) {
            expect_part(text, d->texts[i], id);
            snprintf(failed, sizeof failed, "%s lacks rows", id);
        }
        note_failure(failed, status, &err);
        free(text);
    }
    status = agentchat_session_list_read(
        store, "app",
        &(agentchat_session_list_options){.struct_size = sizeof(agentchat_session_list_options), .limit = 3}, &list,
        &err);
    expect_clear(status, &err, "list");
    note_failure(failed, status, &err);
    agentchat_session_list_free(list);
    status = agentchat_scope_state(store, "app", "u", &map, &err);
    expect_clear(status, &err, "scope state");
    note_failure(failed, status, &err);
    agentchat_state_free(map);
    damage_check(store, &found);
    expect_clear(found.status, &found.err, "check");
    n->found += found.problems > 0 || found.status < 0;
    if (failed[0] != '\0' && found.problems == 0 && found.status >= 0)
        fail_msg("%s: and the check found nothing", failed);
}

/* Writing to it: whatever happens, it is said. */
static void write_in_all_ways(agentchat_store *store, counts *n)
{
    agentchat_session *session = NULL, *made = NULL;
    agentchat_error err;
    agentchat_status status =
        agentchat_session_get(store, &(agentchat_session_id){"app", "u", "s1"}, NULL, &session, &err);

    if (status >= 0) {
        status = agentchat_session_add(session, "n", 1, NULL, &err);
        if (status != AGENTCHAT_E_INVALID) /* another value has become that of n */
            expect_clear(status, &err, "add");
        n->written += status >= 0;
        status = agentchat_session_set(session, "app:k0", AGENTCHAT_STR("1"), &err);
        expect_clear(status, &err, "set");
        status = agentchat_session_rewind(session, NULL, NULL, &err);
        expect_clear(status, &err, "rewind");
    }
    agentchat_session_free(session);
    status = agentchat_session_create(store, &(agentchat_session_id){"app", "u", "new"}, NULL, &made, &err);
    expect_clear(status, &err, "create");
    agentchat_session_free(made);
    status = agentchat_session_copy(store, &(agentchat_session_id){"app", "u", "s2"}, "copy", NULL, &err);
    expect_clear(status, &err, "copy");
    status = agentchat_session_delete(store, &(agentchat_session_id){"app", "u", "s3"}, &err);
    expect_clear(status, &err, "delete");
    status = agentchat_user_delete(store, "app", "u", NULL, &err);
    expect_clear(status, &err, "delete user");
}

/* The file as it stands: opened for reading, which leaves it as it is, and sometimes for writing. */
static void try_file(const damaged *d, bool writes, counts *n)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = (agentchat_store *)n;
    agentchat_error err;
    agentchat_status status;

    n->files++;
    options.wait_ms = 500;
    options.read_only = !writes;
    status = agentchat_store_open(NULL, d->url, &options, &store, &err);
    expect_clear(status, &err, "open");
    if (status < 0) {
        assert_null(store);
        assert_true(err.source[0] != '\0');
        n->refused++;
        return;
    }
    read_in_all_ways(d, store, n);
    if (writes)
        write_in_all_ways(store, n);
    agentchat_store_close(store);
}

static void expect_unchanged(const damaged *d, const char *bytes, size_t len)
{
    size_t now_len;
    char *now = test_file_read(d->path, &now_len);

    assert_int_equal(now_len, len);
    assert_memory_equal(now, bytes, len);
    free(now);
}

static void report(const counts *n)
{
    print_message("%lu files, %lu refused when opened; of the sessions of the others %lu as they were, %lu not "
                  "readable; %lu with "
                  "findings, %lu written to\n",
                  n->files, n->refused, n->same, n->errors, n->found, n->written);
}

/* ---- cut off ---------------------------------------------------------------------------------------------------- */

static void test_damage__a_file_that_was_cut_off(void **state)
{
    counts n = {0};
    uint32_t random = 5;
    damaged d;

    (void)state;
    damage_begin(&d);
    for (size_t len = 1; len < d.len; len += len < 200 ? 7 : 1 + below(&random, (uint32_t)(d.len / 60))) {
        damage_write(&d, d.sound, len);
        try_file(&d, false, &n);
        expect_unchanged(&d, d.sound, len);
        damage_write(&d, d.sound, len);
        try_file(&d, true, &n);
    }
    for (size_t len = 0; len < d.len; len += 4096) { /* full pages */
        damage_write(&d, d.sound, len);
        try_file(&d, false, &n);
        expect_unchanged(&d, d.sound, len);
    }
    report(&n);
    assert_true(n.refused > 0 && n.found > 0);
    damage_end(&d);
}

/* ---- flipped bits ----------------------------------------------------------------------------------------------- */

/* Half of them where the structure of the file is: its header, and the beginning of pages. */
static size_t offset_of_flip(const damaged *d, uint32_t *random)
{
    size_t pages = d->len / 4096;

    switch (below(random, 4)) {
    case 0:
        return below(random, 100) * (pages > 0);
    case 1:
        return (size_t)below(random, (uint32_t)pages) * 4096 + below(random, 140);
    default:
        return below(random, (uint32_t)d->len);
    }
}

static void test_damage__flipped_bits(void **state)
{
    unsigned long flips = test_number("AGENTCHAT_TEST_FLIPS", 2500);
    uint32_t random = 11;
    counts n = {0};
    damaged d;
    char *bytes;

    (void)state;
    damage_begin(&d);
    bytes = malloc(d.len);
    assert_non_null(bytes);
    for (unsigned long i = 0; i < flips; i++) {
        size_t at = offset_of_flip(&d, &random);
        bool writes = i % 3 == 0;

        memcpy(bytes, d.sound, d.len);
        bytes[at] = (char)(bytes[at] ^ (1 << below(&random, 8)));
        damage_write(&d, bytes, d.len);
        try_file(&d, writes, &n);
        if (!writes)
            expect_unchanged(&d, bytes, d.len);
    }
    report(&n);
    assert_true(n.refused > 0 && n.found > 0 && n.same > 0 && n.errors > 0);
    free(bytes);
    damage_end(&d);
}

/* A page of random bytes. */
static void test_damage__overwritten_pages(void **state)
{
    uint32_t random = 23;
    counts n = {0};
    damaged d;
    char *bytes;

    (void)state;
    damage_begin(&d);
    bytes = malloc(d.len);
    assert_non_null(bytes);
    for (size_t page = 0; page < d.len / 4096; page++) {
        for (int kind = 0; kind < 3; kind++) {
            memcpy(bytes, d.sound, d.len);
            for (size_t i = 0; i < 4096; i++)
                bytes[page * 4096 + i] = kind == 0 ? '\0' : kind == 1 ? (char)0xFF : (char)below(&random, 256);
            damage_write(&d, bytes, d.len);
            try_file(&d, kind == 2, &n);
        }
    }
    report(&n);
    assert_true(n.refused > 0 && n.found > 0);
    free(bytes);
    damage_end(&d);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage__a_file_that_was_cut_off),
        cmocka_unit_test(test_damage__flipped_bits),
        cmocka_unit_test(test_damage__overwritten_pages),
    };

    scene_files_in_memory();
    if (!scene_program("session.damage", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
