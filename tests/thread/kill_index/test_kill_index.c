/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that switches the index of threads on, adds words of what was replaced, or switches it off is killed at
 * random moments, again and again, until one comes to its end: after each of them searches find what they find in a
 * store that never had an index, whatever is put meanwhile, and what was done stays done.
 *
 *     test_thread_kill_index sqlite|postgres
 *
 * THREAD_ROUNDS: how often all of that is done (1).
 */
#include "thread/contract/contract.h"

#include "store/core/sql.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, CHECKPOINTS = 60, WINDOW = 12, IS_DONE = 9 };

typedef struct pair {
    scene *s;
    agentchat_store *plain; /* the same, and never an index */
    uint32_t puts;          /* for numbers that are new */
    char names[THREADS][80];
} pair;

/* ---- putting ---------------------------------------------------------------------------------------------------- */

static void text_of(uint32_t number, char text[64])
{
    snprintf(text, 64, "word%u and word%u", (unsigned)(number % 23), (unsigned)(number * 7 % 31));
}

static void put_to(agentchat_store *store, const char *thread, const char *history,
                   const agentchat_checkpoint_put_options *options)
{
    agentchat_snapshot *chat = chat_of(history, NULL, NULL);
    agentchat_error err;

    test_ok(agentchat_checkpoint_put(store, thread, chat, options, NULL, &err), &err);
    agentchat_snapshot_unref(chat);
}

/* The newest messages up to `last`, as checkpoint `number` of a thread of both stores. */
static void put_both(pair *p, unsigned thread, uint32_t number, uint32_t last, bool replace)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    char history[WINDOW * 64] = "", text[64], id[32];
    size_t len = 0;

    for (uint32_t i = last >= WINDOW ? last - WINDOW + 1 : 0; i <= last; i++) {
        text_of(i, text);
        len += (size_t)snprintf(history + len, sizeof history - len, "%s%s", len > 0 ? "|" : "", text);
    }
    snprintf(id, sizeof id, "c%u", (unsigned)number);
    options.id = id;
    options.replace = replace;
    put_to(p->s->store, p->names[thread], history, &options);
    put_to(p->plain, p->names[thread], history, &options);
}

static void put_next(pair *p, unsigned thread)
{
    put_both(p, thread, p->puts, p->puts, false);
    p->puts++;
}

static void replace_some(pair *p)
{
    for (unsigned i = 0; i < THREADS; i++)
        for (unsigned k = 0; k < CHECKPOINTS / 6; k++)
            put_both(p, i, i * CHECKPOINTS + (uint32_t)test_pick(CHECKPOINTS), p->puts + (uint32_t)test_pick(100),
                     true);
}

static void pair_begin(pair *p, scene *s)
{
    *p = (pair){.s = s};
    test_ok(agentchat_store_open(NULL, "memory:", NULL, &p->plain, &s->err), &s->err);
    for (unsigned i = 0; i < THREADS; i++) {
        snprintf(p->names[i], sizeof p->names[i], "%s-%u", s->app, i);
        for (unsigned k = 0; k < CHECKPOINTS; k++)
            put_next(p, i);
    }
}

static void pair_end(pair *p)
{
    for (unsigned i = 0; i < THREADS; i++)
        test_ok(agentchat_thread_delete(p->s->store, p->names[i], &p->s->err), &p->s->err);
    agentchat_store_close(p->plain);
}

/* ---- searching -------------------------------------------------------------------------------------------------- */

/* Of all pages, a line for each message. */
static void find_all(agentchat_store *store, const char *thread, const char *query, char out[FOUND_SIZE])
{
    agentchat_thread_search_options options = AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT;
    agentchat_thread_hits *page = NULL;
    char cursor[1024] = "";
    agentchat_error err;
    size_t len = 0;

    do {
        options.cursor = cursor[0] != '\0' ? cursor : NULL;
        options.limit = 25;
        test_ok(agentchat_thread_search(store, thread, agentchat_str_from(query), &options, &page, &err), &err);
        for (size_t i = 0; i < agentchat_thread_hits_count(page); i++) {
            const agentchat_thread_hit *hit = agentchat_thread_hits_at(page, i);

            len += (size_t)snprintf(out + len, FOUND_SIZE - len, "%s:%d %.*s\n", hit->checkpoint->id,
                                    (int)hit->position, (int)hit->excerpt.len, hit->excerpt.ptr);
            assert_true(len < FOUND_SIZE);
        }
        snprintf(cursor, sizeof cursor, "%s",
                 agentchat_thread_hits_cursor(page) != NULL ? agentchat_thread_hits_cursor(page) : "");
        agentchat_thread_hits_free(page);
    } while (cursor[0] != '\0');
    assert_true(len > 0);
}

static void expect_same_answers(const pair *p)
{
    static char found_here[FOUND_SIZE], expected[FOUND_SIZE];
    char query[64];

    for (unsigned i = 0; i < THREADS; i++) {
        text_of(i * CHECKPOINTS + (uint32_t)test_pick(CHECKPOINTS / 2), query);
        if (test_pick(2) == 0)
            *strchr(query, ' ') = '\0';
        find_all(p->plain, p->names[i], query, expected);
        find_all(p->s->store, p->names[i], query, found_here);
        assert_string_equal(found_here, expected);
    }
}

/* ---- killing ---------------------------------------------------------------------------------------------------- */

static void switch_in_small_steps(const scene *s, bool on)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    if (agentchat_store_open(NULL, s->url, NULL, &store, &err) < 0)
        _exit(3);
    store->step_rows = s->kind == STORE_POSTGRES ? 16 : 2;
    _exit(agentchat_thread_index(store, on, &err) < 0 ? 4 : IS_DONE);
}

/* Kills a process that switches the index after some moments. false: it was done before. */
static bool kill_one(const scene *s, bool on, unsigned round)
{
    /* Connecting to a server takes a while. Later ones live longer, so that one comes to its end. */
    size_t us = s->kind == STORE_POSTGRES ? 30000 + round * 3000 : 1000 + round * 100;
    pid_t pid = fork();
    int how;

    us += test_pick(6000);
    assert_true(pid >= 0);
    if (pid == 0)
        switch_in_small_steps(s, on);
    (void)nanosleep(&(struct timespec){.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000}, NULL);
    (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    if (WIFSIGNALED(how))
        return true;
    assert_int_equal(WEXITSTATUS(how), IS_DONE);
    return false;
}

typedef struct counts {
    unsigned killed, unfinished; /* unfinished: threads were left to be indexed, or not to be any more */
} counts;

/* Until one was not killed. */
static counts kill_until_done(pair *p, bool on)
{
    counts n = {0, 0};
    uint64_t threads = 0, indexed = 0, before = on ? 0 : UINT64_MAX;
    bool is_on = false, more;

    do {
        more = kill_one(p->s, on, n.killed);
        n.killed += more;
        test_ok(agentchat_thread_index_state(p->s->store, &is_on, &threads, &indexed, &p->s->err), &p->s->err);
        assert_true(on ? indexed >= before : indexed <= before); /* it goes on where it was */
        before = indexed;
        n.unfinished += is_on == on && indexed != (on ? threads : 0);
        expect_same_answers(p);
        put_next(p, (unsigned)test_pick(THREADS));
    } while (more);
    expect_same_answers(p);
    assert_true(is_on == on);
    assert_int_equal(indexed, on ? threads : 0);
    return n;
}

static void add(counts *sum, counts n)
{
    sum->killed += n.killed;
    sum->unfinished += n.unfinished;
}

static void test_kill_index__searches_find_the_same(void **state)
{
    scene *s = *state;
    size_t rounds = (size_t)test_number("THREAD_ROUNDS", 1);
    counts building = {0, 0}, adding = {0, 0}, deleting = {0, 0};
    pair p;

    test_seed(77);
    for (size_t i = 0; i < rounds; i++) {
        pair_begin(&p, s);
        add(&building, kill_until_done(&p, true));
        expect_sound(s->store);
        replace_some(&p);
        expect_same_answers(&p);
        add(&adding, kill_until_done(&p, true));
        expect_sound(s->store);
        add(&deleting, kill_until_done(&p, false));
        expect_sound(s->store);
        pair_end(&p);
    }
    print_message("killed %u times while an index was built, %u while words were added, %u while it was deleted\n",
                  building.killed, adding.killed, deleting.killed);
    assert_true(building.unfinished > 0);
    if (s->kind != STORE_POSTGRES) /* where one may be done before it is killed */
        assert_true(adding.killed > 0 && deleting.killed > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {SCENE_TEST(test_kill_index__searches_find_the_same)};

    scene_files_in_memory();
    if (!scene_program("thread.kill_index", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("kill_index", tests, NULL, NULL);
}
