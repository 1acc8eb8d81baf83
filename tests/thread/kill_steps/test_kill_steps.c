/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that prune and that copy a thread are killed at random moments, again and again, while others put into it
 * and one reads: what was acknowledged and is to be kept is there, a copy is complete or no thread, and what is left of
 * the killed ones is garbage that the next calls delete.
 *
 *     test_thread_kill_steps sqlite|postgres
 *
 * THREAD_ROUNDS: how many times one of each is killed (SQLite: 20, PostgreSQL: 8).
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, usleep() */

#include "thread/kill_steps/traffic.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_COPIES = 16, MOST_PUTS = 80 }; /* in a round */

typedef struct shared {
    traffic traffic;
    atomic_bool is_over;
    atomic_uint may_put[TRAFFIC_WRITERS]; /* so many: those who are killed prune no faster */
    atomic_uint reads;
    atomic_uint opened;                  /* stores, by those who are killed */
    atomic_uint begun, done;             /* copies */
    traffic_numbers before[MOST_COPIES]; /* what was acknowledged when a copy began */
} shared;

typedef struct crowd {
    scene *s;
    shared *shared;
    pid_t parent;
    pid_t writers[TRAFFIC_WRITERS], reader;
    uint32_t random;
    int64_t begun_us;                              /* of the clock that the processes have */
    unsigned first_copy, oldest_copy;              /* of the round, of those that were not deleted yet */
    unsigned with_bodies, with_orphans, cut_short; /* rounds that left something, copies that were no thread */
} crowd;

/* ---- the processes ---------------------------------------------------------------------------------------------- */

/* Long before the clock of the process that looks and clears: what a killed copy holds is free at once. */
static int64_t earlier_clock(void *user)
{
    const crowd *c = user;
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return c->begun_us + (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static agentchat_store *open_own(crowd *c)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;

    options.now_us = earlier_clock;
    options.user = c;
    if (agentchat_store_open(test_env(&options), c->s->url, NULL, &store, &err) < 0) {
        fprintf(stderr, "a process cannot open the store: %s\n", err.message);
        _exit(3);
    }
    return store;
}

/* A process does not outlive the one that kills it. */
static bool goes_on(const crowd *c)
{
    return getppid() == c->parent && !atomic_load(&c->shared->is_over);
}

static void expect_work(const char *what, agentchat_status status, const agentchat_error *err)
{
    if (status >= 0 || status == AGENTCHAT_E_BUSY)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, agentchat_status_name(status), err->message);
    _exit(4);
}

static void write_on(crowd *c, unsigned number)
{
    agentchat_store *store = open_own(c);
    agentchat_error err;

    while (goes_on(c)) {
        if (atomic_load(&c->shared->traffic.puts[number]) < atomic_load(&c->shared->may_put[number]))
            expect_work("putting", traffic_put(store, c->s->app, &c->shared->traffic, number, &err), &err);
        else
            (void)usleep(1000);
    }
}

static void prune_on(crowd *c, unsigned number)
{
    agentchat_store *store = open_own(c);
    agentchat_error err;

    (void)number;
    (void)atomic_fetch_add(&c->shared->opened, 1);
    while (goes_on(c))
        expect_work("pruning", traffic_prune(store, c->s->app, &err), &err);
}

static void copy_name(const crowd *c, unsigned number, char name[80])
{
    snprintf(name, 80, "%s-copy-%u", c->s->app, number);
}

static void copy_on(crowd *c, unsigned number)
{
    agentchat_store *store = open_own(c);
    agentchat_error err;
    char name[80];

    (void)atomic_fetch_add(&c->shared->opened, 1);
    while (goes_on(c) && number < c->first_copy + MOST_COPIES) {
        agentchat_status status;

        c->shared->before[number - c->first_copy] = traffic_now(&c->shared->traffic);
        atomic_store(&c->shared->begun, number + 1);
        copy_name(c, number, name);
        status = agentchat_thread_copy(store, c->s->app, name, &err);
        expect_work("copying", status, &err);
        if (status >= 0)
            atomic_store(&c->shared->done, ++number);
    }
    while (goes_on(c))
        (void)usleep(1000);
}

/* Every copy that is a thread is complete, unless it is being deleted. */
static agentchat_status read_copies(const crowd *c, agentchat_store *store, agentchat_error *err)
{
    static const traffic_numbers none;
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    agentchat_thread_list *list = NULL;
    agentchat_status status;

    options.limit = 1000;
    status = agentchat_thread_list_read(store, &options, &list, err);
    for (size_t i = 0; i < agentchat_thread_list_count(list) && status >= 0; i++) {
        const char *id = agentchat_thread_list_at(list, i)->id;

        if (strcmp(id, c->s->app) == 0)
            continue;
        status = traffic_look(store, id, &none, NULL, 8, err);
        if (status == AGENTCHAT_E_NOTFOUND)
            status = AGENTCHAT_OK;
    }
    agentchat_thread_list_free(list);
    return status;
}

static void read_on(crowd *c, unsigned number)
{
    agentchat_store *store = open_own(c);
    agentchat_error err;

    test_seed(number);
    while (goes_on(c)) {
        traffic_numbers before = traffic_now(&c->shared->traffic);
        agentchat_status status = AGENTCHAT_OK;

        if (before.puts[0] > 0) /* there is a thread */
            status = traffic_look(store, c->s->app, &before, &c->shared->traffic, 8, &err);
        expect_work("reading", status, &err);
        expect_work("reading copies", read_copies(c, store, &err), &err);
        (void)atomic_fetch_add(&c->shared->reads, 1);
    }
}

static pid_t start(crowd *c, void (*work)(crowd *c, unsigned number), unsigned number)
{
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        work(c, number);
        _exit(0);
    }
    return pid;
}

/* ---- killing ---------------------------------------------------------------------------------------------------- */

static unsigned pick(crowd *c, unsigned below)
{
    return test_next_random(&c->random) % below;
}

/* One that has ended by itself has said why. */
static void expect_alive(crowd *c)
{
    int how;

    for (unsigned i = 0; i < TRAFFIC_WRITERS; i++)
        assert_int_equal(waitpid(c->writers[i], &how, WNOHANG), 0);
    assert_int_equal(waitpid(c->reader, &how, WNOHANG), 0);
}

/* They go on afterwards. */
static void await_puts(crowd *c, unsigned more)
{
    traffic_numbers before = traffic_now(&c->shared->traffic);

    for (unsigned i = 0; i < TRAFFIC_WRITERS; i++)
        atomic_store(&c->shared->may_put[i], before.puts[i] + MOST_PUTS);
    for (unsigned i = 0; i < TRAFFIC_WRITERS; i++) {
        while (atomic_load(&c->shared->traffic.puts[i]) < before.puts[i] + more) {
            expect_alive(c);
            (void)usleep(1000);
        }
    }
}

static void end_killed(pid_t pid)
{
    int how;

    (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
}

/* A process that prunes and one that copies, each killed after some moments, in either order. */
static void kill_both(crowd *c)
{
    pid_t pids[2];
    unsigned first = pick(c, 2);

    c->first_copy = atomic_load(&c->shared->done);
    atomic_store(&c->shared->begun, c->first_copy);
    atomic_store(&c->shared->opened, 0);
    pids[0] = start(c, prune_on, 0);
    pids[1] = start(c, copy_on, c->first_copy);
    while (atomic_load(&c->shared->opened) < 2) {
        expect_alive(c);
        (void)usleep(500);
    }
    (void)usleep(pick(c, 80000));
    end_killed(pids[first]);
    (void)usleep(pick(c, 80000));
    end_killed(pids[1 - first]);
}

/* ---- expecting -------------------------------------------------------------------------------------------------- */

typedef struct finding {
    size_t problems, bodies, orphans;
} finding;

static bool has_text(agentchat_str text, const char *part)
{
    char copy[512];

    snprintf(copy, sizeof copy, "%.*s", (int)text.len, text.ptr);
    return strstr(copy, part) != NULL;
}

static agentchat_status note(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    finding *f = user;

    (void)err;
    if (problem.ptr != NULL)
        print_error("%.*s: %.*s\n", (int)part.len, part.ptr, (int)problem.len, problem.ptr);
    f->problems += problem.ptr != NULL;
    f->bodies += has_text(part, "(unused: ") && has_text(part, " bodies");
    f->orphans += has_text(part, "(unused: what is left of");
    return AGENTCHAT_OK;
}

static finding look_for_garbage(crowd *c)
{
    finding found = {0, 0, 0};

    test_ok(agentchat_store_check(c->s->store, note, &found, &c->s->err), &c->s->err);
    assert_int_equal(found.problems, 0);
    return found;
}

/* A server may still carry out what a dead client has asked for. */
static void expect_kept(crowd *c)
{
    traffic_numbers before = traffic_now(&c->shared->traffic);
    const traffic *pruned = c->s->kind == STORE_POSTGRES ? &c->shared->traffic : NULL;

    test_ok(traffic_look(c->s->store, c->s->app, &before, pruned, 1, &c->s->err), &c->s->err);
}

/* Those that were acknowledged are complete; the one that was under way is complete or no thread. */
static void expect_copies(crowd *c)
{
    unsigned done = atomic_load(&c->shared->done), begun = atomic_load(&c->shared->begun);
    char name[80];

    for (unsigned i = c->first_copy; i < begun; i++) {
        agentchat_status status;

        copy_name(c, i, name);
        status = traffic_look(c->s->store, name, &c->shared->before[i - c->first_copy], NULL, 1, &c->s->err);
        if (status == AGENTCHAT_E_NOTFOUND && i >= done) {
            c->cut_short++;
            continue;
        }
        test_ok(status, &c->s->err);
    }
    atomic_store(&c->shared->done, begun); /* another name each time */
}

/* With them goes what is left of the ones that were cut short. */
static void delete_copies(crowd *c)
{
    unsigned end = atomic_load(&c->shared->begun);
    char name[80];

    for (unsigned i = c->oldest_copy; i < end; i++) {
        agentchat_status status;

        copy_name(c, i, name);
        status = agentchat_thread_delete(c->s->store, name, &c->s->err);
        if (status != AGENTCHAT_E_NOTFOUND)
            test_ok(status, &c->s->err);
    }
    c->oldest_copy = end;
}

static void expect_round(crowd *c)
{
    finding found;

    expect_alive(c);
    expect_kept(c);
    expect_copies(c);
    found = look_for_garbage(c);
    c->with_bodies += found.bodies > 0;
    c->with_orphans += found.orphans > 0;
    if (pick(c, 3) > 0) /* what is left stays until others come */
        delete_copies(c);
    if (pick(c, 4) == 0)
        test_ok(traffic_prune(c->s->store, c->s->app, &c->s->err), &c->s->err);
}

/* The next calls delete all that the killed ones have left. */
static void expect_cleared(crowd *c)
{
    finding found = {0, 1, 1};

    for (unsigned i = 0; i < 100 && found.bodies + found.orphans > 0; i++) {
        if (i > 0) /* the server still works for the dead */
            (void)usleep(50000);
        c->oldest_copy = 0; /* a server may have made one since */
        delete_copies(c);
        test_ok(traffic_prune(c->s->store, c->s->app, &c->s->err), &c->s->err);
        found = look_for_garbage(c);
    }
    assert_int_equal(found.bodies, 0);
    assert_int_equal(found.orphans, 0);
}

static void expect_left(crowd *c)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;

    expect_kept(c);
    options.all_namespaces = true;
    options.limit = 1000000;
    test_ok(agentchat_checkpoint_list_read(c->s->store, c->s->app, &options, &list, &c->s->err), &c->s->err);
    assert_int_equal(agentchat_checkpoint_list_count(list), TRAFFIC_WRITERS * TRAFFIC_KEEP);
    agentchat_checkpoint_list_free(list);
}

/* ---- the test --------------------------------------------------------------------------------------------------- */

static void begin_crowd(crowd *c, scene *s)
{
    struct timespec now = {0, 0};

    *c = (crowd){.s = s, .parent = getpid(), .random = 77};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    c->begun_us = s->now_us - (int64_t)now.tv_sec * 1000000 - INT64_C(86400000000);
    c->shared = mmap(NULL, sizeof *c->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(c->shared != MAP_FAILED);
    memset(c->shared, 0, sizeof *c->shared);
    for (unsigned i = 0; i < TRAFFIC_WRITERS; i++)
        c->writers[i] = start(c, write_on, i);
    c->reader = start(c, read_on, 5);
}

static void end_crowd(crowd *c)
{
    int how;

    atomic_store(&c->shared->is_over, true);
    for (unsigned i = 0; i <= TRAFFIC_WRITERS; i++) {
        pid_t pid = i < TRAFFIC_WRITERS ? c->writers[i] : c->reader;

        assert_int_equal(waitpid(pid, &how, 0), pid);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
}

static void test_kill_steps__who_prunes_and_copies_is_killed_and_nothing_is_lost(void **state)
{
    uint64_t rounds = test_number("THREAD_ROUNDS", scene_kind() == STORE_POSTGRES ? 8 : 20);
    crowd c;

    begin_crowd(&c, *state);
    await_puts(&c, MOST_PUTS);
    for (uint64_t i = 0; i < rounds; i++) {
        await_puts(&c, 1 + pick(&c, TRAFFIC_KEEP));
        kill_both(&c);
        expect_round(&c);
    }
    end_crowd(&c);
    expect_cleared(&c);
    expect_left(&c);
    print_message("%u and %u checkpoints, %u reads of all; %u copies, %u of them cut short; garbage after %u rounds,"
                  " rows of no thread after %u\n",
                  atomic_load(&c.shared->traffic.puts[0]), atomic_load(&c.shared->traffic.puts[1]),
                  atomic_load(&c.shared->reads), atomic_load(&c.shared->begun), c.cut_short, c.with_bodies,
                  c.with_orphans);
    assert_true(c.cut_short > 0 && c.with_bodies + c.with_orphans > 0); /* they were killed at their work */
    (void)munmap(c.shared, sizeof *c.shared);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_kill_steps__who_prunes_and_copies_is_killed_and_nothing_is_lost),
    };

    scene_files_in_memory();
    if (!scene_program("thread.kill_steps", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("thread.kill_steps", tests, NULL, NULL);
}
