/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flipped bits in a file with a memory: a document reads back as it was, or the damage is said, of it or of the file,
 * and what is not found any more, by its key, its words or its vector, the store's own check finds.
 *
 * AGENTCHAT_TEST_FLIPS: how many bits are flipped, one at a time (400).
 */
#include "session/scene.h"

#include <agentchat/agentchat.h>
#include <unistd.h>

enum { DOCUMENTS = 120, DIMENSIONS = 24, WORDED = 7 };

typedef struct file {
    char *dir, *path, *sound; /* the file as it was made */
    char url[4200];
    size_t len;
} file;

typedef struct counts {
    size_t refused, same, damaged, missing, found;
} counts;

static void document_of(size_t number, char ns[20], char key[20], char json[300])
{
    snprintf(ns, 20, "a/%zu", number % 4);
    snprintf(key, 20, "k%zu", number);
    snprintf(
        json, 300, "{\"n\":%zu,\"text\":\"word%zu tea %.*s\"}", number, number % WORDED, (int)(number % 50 * 3),
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

static void vector_of(size_t number, float out[DIMENSIONS])
{
    for (size_t i = 0; i < DIMENSIONS; i++)
        out[i] = (float)((number + 2) * (i + 3) % 101) - 50.5f;
}

static void file_begin(file *f)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    memset(f, 0, sizeof *f);
    f->dir = test_dir_make();
    f->path = test_path(f->dir, "memory.db");
    snprintf(f->url, sizeof f->url, "sqlite:%s?synchronous=normal", f->path);
    test_ok(agentchat_store_open(NULL, f->url, NULL, &store, &err), &err);
    for (size_t i = 0; i < DOCUMENTS; i++) {
        agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
        char ns[20], key[20], json[300];
        float vector[DIMENSIONS];

        document_of(i, ns, key, json);
        vector_of(i, vector);
        options.vectors = vector;
        options.vector_count = 1;
        options.dimensions = DIMENSIONS;
        test_ok(agentchat_memory_put(store, ns, key, agentchat_str_from(json), &options, &err), &err);
    }
    expect_sound(store);
    agentchat_store_close(store);
    f->sound = test_file_read(f->path, &f->len);
}

static void file_flip(file *f, size_t byte, unsigned bit)
{
    static const char *const beside[] = {"-wal", "-shm", "-journal"};
    char name[4300];

    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", f->path, beside[i]);
        (void)unlink(name);
    }
    f->sound[byte] = (char)(f->sound[byte] ^ (1 << bit));
    test_file_write(f->path, f->sound, f->len);
    f->sound[byte] = (char)(f->sound[byte] ^ (1 << bit));
}

/* Damage is said as such; the tables of a file may look like those of another program. */
static bool is_damage(agentchat_status status, const agentchat_error *err)
{
    if (status < 0 && status != AGENTCHAT_E_CORRUPT && status != AGENTCHAT_E_SCHEMA && status != AGENTCHAT_E_VERSION &&
        status != AGENTCHAT_E_IO && status != AGENTCHAT_E_NOTFOUND)
        fail_msg("%s, \"%s\"", agentchat_status_name(status), err->message);
    return status < 0 && status != AGENTCHAT_E_NOTFOUND;
}

static void expect_as_put(const agentchat_memory_item *item)
{
    char ns[20], key[20], json[300];

    assert_int_equal(item->key[0], 'k');
    document_of(strtoul(item->key + 1, NULL, 10), ns, key, json);
    assert_string_equal(item->key, key);
    assert_string_equal(item->ns, ns);
    assert_str(item->value, json);
}

/* Returns whether documents are missing. */
static bool get_all(agentchat_store *store, counts *n)
{
    bool is_missing = false;

    for (size_t i = 0; i < DOCUMENTS; i++) {
        agentchat_memory_results *page = NULL;
        char ns[20], key[20], json[300];
        agentchat_error err;
        agentchat_status status;

        document_of(i, ns, key, json);
        status = agentchat_memory_get(store, ns, key, false, &page, &err);
        if (is_damage(status, &err)) {
            n->damaged++;
            is_missing = true;
            if (status == AGENTCHAT_E_CORRUPT && strstr(err.message, key) == NULL &&
                strstr(err.message, "the file is damaged") == NULL)
                fail_msg("\"%s\" names nothing", err.message);
        } else if (status < 0) {
            n->missing++;
            is_missing = true;
        } else {
            expect_as_put(agentchat_memory_results_at(page, 0));
            n->same++;
        }
        agentchat_memory_results_free(page);
    }
    return is_missing;
}

/* Returns whether not all that should be is found. */
static bool search(agentchat_store *store, agentchat_memory_query query, size_t expected)
{
    agentchat_memory_results *page = NULL;
    size_t found = 0;
    agentchat_error err;
    bool failed;

    query.limit = DOCUMENTS;
    failed = is_damage(agentchat_memory_search(store, "/", &query, &page, &err), &err);
    for (size_t i = 0; i < agentchat_memory_results_count(page); i++) {
        const agentchat_memory_item *item = agentchat_memory_results_at(page, i);

        expect_as_put(item);
        found += item->has_score;
    }
    agentchat_memory_results_free(page);
    return failed || found != expected;
}

static bool search_all(agentchat_store *store)
{
    agentchat_memory_query words = AGENTCHAT_MEMORY_QUERY_INIT, nearest = AGENTCHAT_MEMORY_QUERY_INIT;
    float vector[DIMENSIONS];
    bool is_missing;

    words.text = AGENTCHAT_STR("word3");
    is_missing = search(store, words, (DOCUMENTS + WORDED - 1 - 3) / WORDED);
    vector_of(7, vector);
    nearest.vector = vector;
    nearest.dimensions = DIMENSIONS;
    return search(store, nearest, DOCUMENTS) || is_missing;
}

static agentchat_status count_problem(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)part;
    (void)err;
    *(size_t *)user += problem.ptr != NULL;
    return AGENTCHAT_OK;
}

static void try_file(const file *f, size_t byte, counts *n)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    size_t problems = 0;
    agentchat_error err;
    bool is_missing;

    options.read_only = true;
    options.wait_ms = 500;
    if (is_damage(agentchat_store_open(NULL, f->url, &options, &store, &err), &err)) {
        n->refused++;
        return;
    }
    is_missing = get_all(store, n);
    is_missing = search_all(store) || is_missing;
    if (is_damage(agentchat_store_check(store, count_problem, &problems, &err), &err))
        problems++;
    n->found += problems > 0;
    if (is_missing && problems == 0)
        fail_msg("byte %zu: something is missing, and the check found nothing", byte);
    agentchat_store_close(store);
}

static void test_memory_damage__flipped_bits(void **state)
{
    size_t flips = (size_t)test_number("AGENTCHAT_TEST_FLIPS", 400);
    counts n = {0};
    file f;

    (void)state;
    test_seed(8);
    file_begin(&f);
    for (size_t i = 0; i < flips; i++) {
        size_t byte = test_pick(f.len);

        file_flip(&f, byte, (unsigned)test_pick(8));
        try_file(&f, byte, &n);
    }
    print_message(
        "%zu files of %zu bytes, %zu refused when opened; of the documents of the others %zu as they were, %zu"
        " damaged, %zu missing; %zu with findings\n",
        flips, f.len, n.refused, n.same, n.damaged, n.missing, n.found);
    assert_true(n.same > 0 && n.damaged > 0 && n.found > 0);
    free(f.sound);
    free(f.path);
    test_dir_remove(f.dir);
}

/* A thread can be deleted although its work is damaged, and then nothing is left to be found. */
static void test_memory_damage__work_of_a_thread_that_is_deleted(void **state)
{
    const agentchat_work_request request = {"extract", 0, AGENTCHAT_STR("damage-me")};
    agentchat_work_item_list *list = NULL;
    agentchat_snapshot_builder *builder = NULL;
    agentchat_snapshot *chat = NULL;
    agentchat_store *store = NULL;
    size_t problems = 0, damaged = 0;
    agentchat_error err;
    file f;

    (void)state;
    file_begin(&f);
    test_ok(agentchat_store_open(NULL, f.url, NULL, &store, &err), &err);
    test_ok(agentchat_snapshot_builder_new(NULL, NULL, &builder, &err), &err);
    test_ok(agentchat_snapshot_builder_finish(builder, &chat, &err), &err);
    test_ok(agentchat_checkpoint_put(store, "t", chat, NULL, NULL, &err), &err);
    agentchat_snapshot_unref(chat);
    test_ok(agentchat_work_queue(store, "t", &request, &err), &err);
    agentchat_store_close(store);
    free(f.sound);
    f.sound = test_file_read(f.path, &f.len);
    for (size_t i = 0; i + 9 < f.len; i++)
        if (memcmp(f.sound + i, "damage-me", 9) == 0) {
            f.sound[i] = 'D';
            damaged++;
        }
    assert_true(damaged > 0);
    test_file_write(f.path, f.sound, f.len);
    test_ok(agentchat_store_open(NULL, f.url, NULL, &store, &err), &err);
    test_fails(agentchat_work_claim(store, NULL, &list, &err), &err, AGENTCHAT_E_CORRUPT, NULL,
               "thread t, work extract");
    test_ok(agentchat_store_check(store, count_problem, &problems, &err), &err);
    assert_int_equal(problems, 1);
    test_ok(agentchat_thread_delete(store, "t", &err), &err);
    expect_sound(store);
    test_ok(agentchat_work_list(store, NULL, &list, &err), &err);
    assert_int_equal(agentchat_work_item_list_count(list), 0);
    agentchat_work_item_list_free(list);
    agentchat_store_close(store);
    free(f.sound);
    free(f.path);
    test_dir_remove(f.dir);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_damage__work_of_a_thread_that_is_deleted),
        cmocka_unit_test(test_memory_damage__flipped_bits),
    };

    scene_files_in_memory();
    if (!scene_program("memory.damage", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("memory_damage", tests, NULL, NULL);
}
