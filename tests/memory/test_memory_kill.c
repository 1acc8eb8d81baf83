/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that puts and deletes documents with words and vectors is killed at random moments: what it was told is
 * stored is there, with its words and its vector, nothing is half there, and the store finds nothing wrong with itself.
 *
 *     test_memory_kill sqlite|postgres
 *
 * MEMORY_ROUNDS: how many are killed (15).
 */
#include "session/scene.h"
#include "session/server.h"

#include <agentchat/memory.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEYS = 20, DIMENSIONS = 4 };

/* One number after the other is put under the next key; each seventh deletes it. */
static bool deletes(unsigned number)
{
    return number % 7 == 6;
}

static void name_of(const scene *s, unsigned number, char ns[100], char key[20])
{
    snprintf(ns, 100, "%s/%u", s->app, number % KEYS % 3);
    snprintf(key, 20, "k%u", number % KEYS);
}

static void vector_of(unsigned number, float out[DIMENSIONS])
{
    for (unsigned i = 0; i < DIMENSIONS; i++)
        out[i] = (float)(number * (i + 3) % 101) - 50.5f;
}

static agentchat_status do_one(const scene *s, agentchat_store *store, unsigned number, bool has_vectors,
                               agentchat_error *err)
{
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    float vector[DIMENSIONS];
    char ns[100], key[20], json[100];
    agentchat_status status;

    name_of(s, number, ns, key);
    if (deletes(number)) {
        status = agentchat_memory_delete(store, ns, key, NULL, err);
        return status == AGENTCHAT_E_NOTFOUND ? AGENTCHAT_OK : status;
    }
    snprintf(json, sizeof json, "{\"n\":%u,\"text\":\"word%u tea\"}", number, number);
    vector_of(number, vector);
    if (has_vectors) {
        options.vectors = vector;
        options.vector_count = 1;
        options.dimensions = DIMENSIONS;
    }
    return agentchat_memory_put(store, ns, key, agentchat_str_from(json), &options, err);
}

/* The process that is killed: says each number that is stored. */
static void put_and_say(const scene *s, unsigned number, bool has_vectors, int out)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    if (agentchat_store_open(NULL, s->url, NULL, &store, &err) < 0)
        _exit(3);
    for (;; number++)
        if (do_one(s, store, number, has_vectors, &err) < 0 ||
            write(out, &number, sizeof number) != (ssize_t)sizeof number)
            _exit(4);
}

/* Returns the number after the last one that was said to be stored. */
static unsigned kill_one(const scene *s, unsigned number, bool has_vectors)
{
    long us = (long)test_pick(s->kind == STORE_POSTGRES ? 20000 : 5000); /* after its first call has ended */
    int ends[2], how;
    unsigned said;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        put_and_say(s, number, has_vectors, ends[1]);
    close(ends[1]);
    assert_int_equal(read(ends[0], &said, sizeof said), sizeof said);
    number = said + 1;
    (void)nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
    (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFSIGNALED(how));
    while (read(ends[0], &said, sizeof said) == (ssize_t)sizeof said)
        number = said + 1;
    close(ends[0]);
    return number;
}

/* Whether a search finds the document of that number first. */
static void expect_found(scene *s, const char *ns, unsigned number, agentchat_memory_query query)
{
    agentchat_memory_results *page = NULL;
    char json[100];

    snprintf(json, sizeof json, "{\"n\":%u,\"text\":\"word%u tea\"}", number, number);
    test_ok(agentchat_memory_search(s->store, ns, &query, &page, &s->err), &s->err);
    assert_true(agentchat_memory_results_count(page) > 0);
    assert_true(agentchat_memory_results_at(page, 0)->has_score);
    assert_str(agentchat_memory_results_at(page, 0)->value, json);
    agentchat_memory_results_free(page);
}

/* What is under the key of a number; UINT32_MAX: nothing. It is found by its words and its vector. */
static unsigned look(scene *s, unsigned number, bool has_vectors)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;
    char ns[100], key[20], word[30];
    float vector[DIMENSIONS];
    unsigned there = UINT32_MAX;
    agentchat_status status;

    name_of(s, number, ns, key);
    status = agentchat_memory_get(s->store, ns, key, false, &page, &s->err);
    if (status == AGENTCHAT_E_NOTFOUND)
        return there;
    test_ok(status, &s->err);
    assert_int_equal(sscanf(agentchat_memory_results_at(page, 0)->value.ptr, "{\"n\":%u,", &there), 1);
    agentchat_memory_results_free(page);
    snprintf(word, sizeof word, "word%u", there);
    query.text = agentchat_str_from(word);
    expect_found(s, ns, there, query);
    query.text = (agentchat_str){0};
    vector_of(there, vector);
    query.vector = vector;
    query.dimensions = DIMENSIONS;
    if (has_vectors)
        expect_found(s, ns, there, query);
    return there;
}

static void test_memory_kill__what_is_stored_is_there(void **state)
{
    scene *s = *state;
    size_t rounds = (size_t)test_number("MEMORY_ROUNDS", 15);
    bool has_vectors = s->kind != STORE_POSTGRES || server_has_extension("vector");
    unsigned next = 0, unsaid = 0;

    test_seed(41);
    for (size_t round = 0; round < rounds; round++) {
        unsigned there;

        next = kill_one(s, next, has_vectors);
        for (unsigned i = next > KEYS ? next - KEYS : 0; i < next; i++) {
            there = look(s, i, has_vectors);
            if (there != (deletes(i) ? UINT32_MAX : i)) { /* it was being done, and was not said any more */
                assert_int_equal(i + KEYS, next);
                assert_int_equal(there, deletes(next) ? UINT32_MAX : next);
            }
        }
        unsaid += next >= KEYS && look(s, next, has_vectors) == next;
        expect_sound(s->store);
    }
    print_message("%zu killed after %u calls; %u were stored and not said\n", rounds, next, unsaid);
    assert_true(next >= rounds);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {SCENE_TEST(test_memory_kill__what_is_stored_is_there)};

    scene_files_in_memory();
    if (!scene_program("memory.kill", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("memory_kill", tests, NULL, NULL);
}
