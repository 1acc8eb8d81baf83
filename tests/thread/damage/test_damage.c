/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flipped bits in a file with threads that are indexed: every call ends with what was put or with a clear error, never
 * with something else, and what cannot be read the store's own check finds.
 *
 * AGENTCHAT_TEST_FLIPS: how many bits are flipped, one at a time (1500).
 */
#include "thread/contract/contract.h"

#include <stdio.h>
#include <unistd.h>

enum { NODES = 14, DAMAGED = 6 }; /* the latter: for the test of one that has text which is none */

typedef struct file {
    char *dir, *path, *sound; /* the file as it was made */
    char url[4200];
    size_t len;
    char ids[NODES][24];
    char *texts[NODES]; /* what reading each checkpoint gives */
    char hits[4096];    /* what is found by a word */
} file;

typedef struct counts {
    unsigned long files, refused, same, failed, found, written;
} counts;

static uint32_t below(uint32_t *random, uint32_t limit)
{
    *random = *random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*random >> 8) * limit) >> 24);
}

static bool may_say(agentchat_status status)
{
    return status >= 0 || status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_SCHEMA ||
           status == AGENTCHAT_E_VERSION || status == AGENTCHAT_E_IO || status == AGENTCHAT_E_NOTFOUND ||
           status == AGENTCHAT_E_LIMIT;
}

static void expect_clear(agentchat_status status, const agentchat_error *err, const char *what)
{
    if (status < 0 && !(may_say(status) && err->code == (int32_t)status && err->message[0] != '\0'))
        fail_msg("%s: %s, \"%s\"", what, agentchat_status_name(status), err->message);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static agentchat_status add_text(agentchat_bytes *out, const char *text, agentchat_error *err)
{
    agentchat_status status = agentchat_bytes_append(out, agentchat_str_from(text != NULL ? text : "(none)"), err);

    return status < 0 ? status : agentchat_bytes_append(out, AGENTCHAT_STR("\n"), err);
}

static agentchat_status add_pending(agentchat_store *store, const char *id, agentchat_bytes *out, agentchat_error *err)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;
    agentchat_status status;

    options.id = id;
    options.all = true;
    status = agentchat_checkpoint_pending(store, "t", &options, &list, err);
    for (size_t i = 0; i < agentchat_pending_list_count(list) && status >= 0; i++) {
        const agentchat_pending_write *write = agentchat_pending_list_at(list, i);

        status = add_text(out, write->task, err);
        if (status >= 0)
            status = add_text(out, write->consumed_by, err);
        if (status >= 0)
            status = agentchat_bytes_append(out, write->value, err);
    }
    agentchat_pending_list_free(list);
    return status;
}

/* Everything that reading a checkpoint gives, as text; free(). NULL: it failed. Pending writes are rows of their own:
   one that cannot be found is missing in the list. */
static char *read_node(agentchat_store *store, const char *id, agentchat_status *status, agentchat_error *err)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_bytes all = AGENTCHAT_BYTES_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    const agentchat_checkpoint_info *info;
    char *text = NULL;

    options.id = id;
    *status = agentchat_checkpoint_get(store, "t", &options, &checkpoint, err);
    info = agentchat_checkpoint_get_info(checkpoint);
    if (*status >= 0)
        *status = agentchat_snapshot_write_memory(agentchat_checkpoint_snapshot(checkpoint), NULL, &all, NULL, err);
    if (*status >= 0)
        *status = add_text(&all, info->parent, err);
    if (*status >= 0)
        *status = add_text(&all, info->run, err);
    if (*status >= 0)
        *status = agentchat_bytes_append(&all, info->metadata, err);
    agentchat_checkpoint_free(checkpoint);
    if (*status >= 0)
        text = strdup(all.ptr);
    agentchat_bytes_clear(&all);
    return text;
}

static char *read_pending(agentchat_store *store, const char *id, agentchat_status *status, agentchat_error *err)
{
    agentchat_bytes all = AGENTCHAT_BYTES_INIT;
    char *text = NULL;

    *status = add_pending(store, id, &all, err);
    if (*status >= 0)
        text = strdup(all.ptr != NULL ? all.ptr : "");
    agentchat_bytes_clear(&all);
    return text;
}

/* Where a word is found. */
static agentchat_status find_more(agentchat_store *store, char out[4096], agentchat_error *err)
{
    agentchat_thread_hits *hits = NULL;
    agentchat_status status = agentchat_thread_search(store, "t", AGENTCHAT_STR("more"), NULL, &hits, err);
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < agentchat_thread_hits_count(hits) && len < 4000; i++) {
        const agentchat_thread_hit *hit = agentchat_thread_hits_at(hits, i);

        len += (size_t)snprintf(out + len, 4096 - len, "%.60s:%d ", hit->checkpoint->id, (int)hit->position);
    }
    agentchat_thread_hits_free(hits);
    return status;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void put_write(agentchat_store *store, const char *id)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_write write = {"",  "task", "messages", 0, {NULL, 0}, AGENTCHAT_STR("{\"pending\":[1,2,3]}"),
                                     NULL};
    agentchat_error err;

    options.id = id;
    test_ok(agentchat_checkpoint_put_writes(store, "t", &options, &write, 1, &err), &err);
}

static void fill(file *f, agentchat_store *store)
{
    agentchat_snapshot *chats[NODES];
    agentchat_error err;

    test_seed(7);
    for (size_t i = 0; i < NODES; i++) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
        size_t parent = i > 1 ? i - 1 - test_pick(2) : 0;

        if (i == 0) {
            chats[i] = chat_of("one|two|three", "one|two", "l=[1,{\"a\":2},[3]] v={\"x\":1}");
        } else if (i == 5) {
            chats[i] = picture_chat("picture", 9000, "image/png");
        } else {
            agentchat_snapshot *other = any_chat();

            chats[i] = i % 3 == 0 ? changed_chat(chats[parent], other) : chat_with(chats[parent], "more");
            agentchat_snapshot_unref(other);
        }
        snprintf(f->ids[i], sizeof f->ids[i], "c%zu", i);
        options.id = f->ids[i];
        options.parent = i > 0 ? f->ids[parent] : NULL;
        options.branch = true;
        options.run = i % 2 == 0 ? "even" : "odd";
        options.metadata = AGENTCHAT_STR("{\"k\":[1,2]}");
        options.source = i == DAMAGED ? "a source" : NULL;
        test_ok(agentchat_checkpoint_put(store, "t", chats[i], &options, NULL, &err), &err);
        put_write(store, f->ids[i]);
    }
    for (size_t i = 0; i < NODES; i++)
        agentchat_snapshot_unref(chats[i]);
}

static void file_begin(file *f)
{
    agentchat_store *store = NULL;
    agentchat_status status;
    agentchat_error err;

    memset(f, 0, sizeof *f);
    f->dir = test_dir_make();
    f->path = test_path(f->dir, "threads.db");
    snprintf(f->url, sizeof f->url, "sqlite:%s?synchronous=normal", f->path);
    test_ok(agentchat_store_open(NULL, f->url, NULL, &store, &err), &err);
    fill(f, store);
    for (size_t i = 0; i < NODES; i++) {
        f->texts[i] = read_node(store, f->ids[i], &status, &err);
        test_ok(status, &err);
    }
    test_ok(agentchat_thread_index(store, true, &err), &err);
    test_ok(find_more(store, f->hits, &err), &err);
    assert_true(strlen(f->hits) > 0);
    expect_sound(store);
    agentchat_store_close(store);
    f->sound = test_file_read(f->path, &f->len);
}

static void file_end(file *f)
{
    for (size_t i = 0; i < NODES; i++)
        free(f->texts[i]);
    free(f->sound);
    free(f->path);
    test_dir_remove(f->dir);
}

static void file_write(const file *f, const char *bytes)
{
    static const char *const beside[] = {"-wal", "-shm", "-journal"};
    char name[4300];

    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", f->path, beside[i]);
        (void)unlink(name);
    }
    test_file_write(f->path, bytes, f->len);
}

/* ---- what comes of it -------------------------------------------------------------------------------------------- */

typedef struct finding {
    size_t problems;
    agentchat_status status;
} finding;

static agentchat_status note(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    finding *f = user;

    (void)part;
    (void)err;
    f->problems += problem.ptr != NULL;
    return AGENTCHAT_OK;
}

static size_t first_difference(const char *a, const char *b)
{
    size_t at = 0;

    while (a[at] != '\0' && a[at] == b[at])
        at++;
    return at;
}

/* What is damaged is named. */
static void expect_named(agentchat_status status, const agentchat_error *err, const char *id)
{
    char name[64];

    snprintf(name, sizeof name, "thread t, checkpoint %s: ", id);
    if (status == AGENTCHAT_E_CORRUPT && strncmp(err->message, name, strlen(name)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err->message, name);
}

/* Reads all checkpoints. gone: some may have been deleted. why: the last failure. */
static void read_all(const file *f, agentchat_store *store, char why[1024], counts *n)
{
    agentchat_status status;
    agentchat_error err;

    for (size_t i = 0; i < NODES; i++) {
        char *text = read_node(store, f->ids[i], &status, &err);

        expect_clear(status, &err, "get");
        expect_named(status, &err, f->ids[i]);
        if (text != NULL && strcmp(text, f->texts[i]) != 0) {
            size_t at = first_difference(text, f->texts[i]);

            fail_msg("%s: read at %zu %.100s, not %.100s", f->ids[i], at, text + at, f->texts[i] + at);
        }
        n->same += text != NULL;
        n->failed += text == NULL;
        if (status < 0 && status != AGENTCHAT_E_VERSION) /* the file may say that it has no threads */
            snprintf(why, 1024, "%s: %s, %.900s", f->ids[i], agentchat_status_name(status), err.message);
        free(text);
        free(read_pending(store, f->ids[i], &status, &err));
        expect_clear(status, &err, "pending");
        expect_named(status, &err, f->ids[i]);
        if (status == AGENTCHAT_E_CORRUPT)
            snprintf(why, 1024, "pending writes of %s: %.900s", f->ids[i], err.message);
    }
}

/* What is not found, or cannot be searched, is a reason, too. */
static void search_all(const file *f, agentchat_store *store, char why[1024])
{
    char hits[4096];
    agentchat_error err;
    agentchat_status status = find_more(store, hits, &err);

    expect_clear(status, &err, "search");
    if (status == AGENTCHAT_E_CORRUPT)
        snprintf(why, 1024, "search: %.900s", err.message);
    else if (status >= 0 && strcmp(hits, f->hits) != 0)
        snprintf(why, 1024, "found %.400s, not %.400s", hits, f->hits);
}

static void write_all(const file *f, agentchat_store *store, counts *n)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_thread_prune_options pruning = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("new|chat", NULL, NULL);
    char why[1024] = "";
    agentchat_error err;
    agentchat_status status;

    options.parent = f->ids[3];
    options.branch = true;
    status = agentchat_checkpoint_put(store, "t", chat, &options, NULL, &err);
    expect_clear(status, &err, "put");
    expect_named(status, &err, f->ids[3]);
    n->written += status >= 0;
    status = agentchat_thread_copy(store, "t", "copy", &err);
    expect_clear(status, &err, "copy");
    pruning.keep = 4;
    status = agentchat_thread_prune(store, "t", &pruning, NULL, &err);
    expect_clear(status, &err, "prune");
    n->written += status >= 0;
    read_all(f, store, why, n); /* what is still there is what it was */
    status = agentchat_thread_delete_run(store, "t", "odd", NULL, &err);
    expect_clear(status, &err, "delete a run");
    read_all(f, store, why, n);
    status = agentchat_thread_delete(store, "t", &err);
    expect_clear(status, &err, "delete");
    agentchat_snapshot_unref(chat);
}

static void try_file(const file *f, bool writes, counts *n)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    char why[1024] = "";
    finding found = {0, AGENTCHAT_OK};
    agentchat_error err;
    agentchat_status status;

    n->files++;
    options.wait_ms = 500;
    options.read_only = !writes;
    status = agentchat_store_open(NULL, f->url, &options, &store, &err);
    expect_clear(status, &err, "open");
    if (status < 0) {
        n->refused++;
        return;
    }
    read_all(f, store, why, n);
    search_all(f, store, why);
    found.status = agentchat_store_check(store, note, &found, &err);
    expect_clear(found.status, &err, "check");
    n->found += found.problems > 0 || found.status < 0;
    if (why[0] != '\0' && found.problems == 0 && found.status >= 0)
        fail_msg("%s: and the check found nothing", why);
    if (writes)
        write_all(f, store, n);
    agentchat_store_close(store);
}

static void test_damage__flipped_bits(void **state)
{
    unsigned long flips = (unsigned long)test_number("AGENTCHAT_TEST_FLIPS", 1500);
    uint32_t random = 31;
    counts n = {0};
    char *bytes;
    file f;

    (void)state;
    file_begin(&f);
    bytes = malloc(f.len);
    assert_non_null(bytes);
    for (unsigned long i = 0; i < flips; i++) {
        uint32_t pages = (uint32_t)(f.len / 4096);
        size_t at = below(&random, 4) == 0 ? (size_t)below(&random, pages) * 4096 + below(&random, 140)
                                           : below(&random, (uint32_t)f.len);

        memcpy(bytes, f.sound, f.len);
        bytes[at] = (char)(bytes[at] ^ (1 << below(&random, 8)));
        file_write(&f, bytes);
        try_file(&f, i % 4 == 0, &n);
    }
    print_message("%lu files of %zu bytes, %lu refused when opened; of the checkpoints of the others %lu as they were,"
                  " %lu not readable; %lu with findings, %lu written to\n",
                  n.files, f.len, n.refused, n.same, n.failed, n.found, n.written);
    assert_true(n.refused > 0 && n.found > 0 && n.same > 0 && n.failed > 0 && n.written > 0);
    free(bytes);
    file_end(&f);
}

static agentchat_status list_all(agentchat_store *store, bool all_namespaces, agentchat_error *err)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    agentchat_status status;

    options.all_namespaces = all_namespaces;
    status = agentchat_checkpoint_list_read(store, "t", &options, &list, err);
    agentchat_checkpoint_list_free(list);
    return status;
}

static agentchat_status expect_neighbour(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    size_t *problems = user;

    (void)err;
    if (problem.ptr == NULL)
        return AGENTCHAT_OK;
    ++*problems;
    assert_string_equal(part.ptr, "thread t");
    assert_non_null(
        strstr(problem.ptr, "the checkpoint after number 6: column 11 of a row holds text that is no UTF-8"));
    return AGENTCHAT_OK;
}

/* The database says what is wrong with a column, before it is known of which checkpoint it is. */
static void test_damage__text_that_is_none_is_named(void **state)
{
    static const char before[] = "thread t: the checkpoint before number 8: column 11 of a row holds text";
    static const char after[] = "thread t: the checkpoint after number 6: column 11 of a row holds text";
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_thread_prune_options pruning = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_thread_hits *hits = NULL;
    agentchat_error err;
    size_t problems = 0, at = 0;
    file f;

    (void)state;
    file_begin(&f);
    while (at + 8 < f.len && memcmp(f.sound + at, "a source", 8) != 0)
        at++;
    assert_true(at + 8 < f.len);
    f.sound[at] = (char)0xFF;
    file_write(&f, f.sound);
    test_ok(agentchat_store_open(NULL, f.url, NULL, &store, &err), &err);
    options.id = f.ids[DAMAGED];
    test_fails(agentchat_checkpoint_get(store, "t", &options, &checkpoint, &err), &err, AGENTCHAT_E_CORRUPT, NULL,
               "thread t, checkpoint c6: column 11 of a row holds text");
    test_fails(list_all(store, false, &err), &err, AGENTCHAT_E_CORRUPT, NULL, before);
    test_fails(list_all(store, true, &err), &err, AGENTCHAT_E_CORRUPT, NULL, before);
    test_ok(agentchat_thread_index(store, false, &err), &err); /* so that a search looks at all of them */
    test_fails(agentchat_thread_search(store, "t", AGENTCHAT_STR("zzz"), NULL, &hits, &err), &err, AGENTCHAT_E_CORRUPT,
               NULL, before);
    test_fails(agentchat_thread_copy(store, "t", "copy", &err), &err, AGENTCHAT_E_CORRUPT, NULL, after);
    pruning.keep = 4;
    test_fails(agentchat_thread_prune(store, "t", &pruning, NULL, &err), &err, AGENTCHAT_E_CORRUPT, NULL, after);
    test_ok(agentchat_store_check(store, expect_neighbour, &problems, &err), &err);
    assert_int_equal(problems, 1);
    agentchat_store_close(store);
    file_end(&f);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage__text_that_is_none_is_named),
        cmocka_unit_test(test_damage__flipped_bits),
    };

    scene_files_in_memory();
    if (!scene_program("thread.damage", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
