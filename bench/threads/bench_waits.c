/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long others wait while a long thread is pruned, copied or deleted.
 *
 *     bench_waits URL WHAT TURNS
 *
 * WHAT is what is done to a thread of TURNS turns, of a question of 100 bytes and an answer of 400, in the new store at
 * URL, which is as it was given afterwards: not removed.
 *
 *   prune-1       prune to the newest checkpoint
 *   prune-half    prune to the newest half
 *   summary-1     prune to the newest one, where each turn has replaced a summary of 1.3 KB
 *   copy          copy it
 *   delete        delete it
 *   session-copy  copy a session of so many events, which have the question
 *
 * Meanwhile two processes put turns of their own as fast as they can, with a pause of 0.1 ms: one into another thread,
 * one into another namespace of the same thread. They begin a few seconds before, and what they do then is the row
 * "alone". Where there is no such thread, or it is deleted, both put into other threads.
 *
 * Rows, all times in milliseconds:
 *   waits   what, turns, who puts, when (alone, meanwhile), puts, median, 99 %, longest, longest until the writer's
 *           lock was got, longest that this process held it, longest that it copied the log into the file
 *   holds   what, turns, which lock (writer, copier), times, median, 99 %, longest, longest of the thread's own work
 *   took    what, turns, milliseconds, load average before and after
 * What is said of locks is of SQLite only: -1 elsewhere.
 */
#include "conversation.h"
#include "locks.h"

#include <agentchat/agentchat.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { WRITERS = 2, MOST = 1 << 21, ALONE_US = 3000000 };

typedef enum state { IS_STARTING, IS_ALONE, IS_BESIDE, IS_OVER } state;

typedef struct put {
    float took, waited;
} put;

typedef struct writer {
    atomic_size_t count;
    size_t alone;              /* of these before the work began */
    double held[2], copied[2]; /* longest, alone and meanwhile */
    put puts[MOST];
} writer;

typedef struct shared {
    _Atomic state state;
    writer writers[WRITERS];
} shared;

typedef struct work {
    const char *name;
    void (*make)(agentchat_store *store); /* what it is done to */
    void (*run)(agentchat_store *store);
    bool is_shared; /* others may put into it */
} work;

static const char *url, *what;
static size_t turns;
static shared *all;

static bool is_sqlite(void)
{
    return strncmp(url, "sqlite:", 7) == 0;
}

static agentchat_store *open_store(const char *where)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    bench_must(agentchat_store_open(NULL, where, NULL, &store, &err), &err);
    return store;
}

/* ---- watching --------------------------------------------------------------------------------------------------- */

static sqlite3_vfs *usual, watching;
static sqlite3_io_methods watched;

static int open_watched(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
    int code = usual->xOpen(usual, name, file, flags, out_flags);

    (void)vfs;
    if (code != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0)
        return code;
    watched = *file->pMethods;
    bench_locks_watch(&watched);
    file->pMethods = &watched;
    return code;
}

static void watch(void)
{
    usual = sqlite3_vfs_find(NULL);
    watching = *usual;
    watching.zName = "watching";
    watching.xOpen = open_watched;
    (void)sqlite3_vfs_register(&watching, 1);
}

/* ---- those who put ---------------------------------------------------------------------------------------------- */

static void save(bench_conversation *conversation, agentchat_store *store, const char *thread, const char *ns)
{
    agentchat_thread_save_options options = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_error err;

    options.ns = ns;
    bench_must(agentchat_thread_save(store, thread, conversation->chat, &options, NULL, &err), &err);
}

static void put_one(bench_conversation *conversation, agentchat_store *store, const char *thread, const char *ns,
                    writer *me)
{
    double before;
    put *one = &me->puts[atomic_load(&me->count)];

    bench_prepare(conversation);
    bench_ask(conversation);
    bench_answer(conversation);
    bench_first_locked = 0;
    before = bench_now_us();
    save(conversation, store, thread, ns);
    one->took = (float)(bench_now_us() - before);
    one->waited = (float)(bench_first_locked - before);
    atomic_fetch_add(&me->count, 1);
}

/* The longest one so far; then it begins anew. */
static double longest_of(bench_held *held)
{
    double longest = 0;

    for (size_t i = 0; i < held->count; i++)
        longest = held->wall[i] > longest ? held->wall[i] : longest;
    held->count = 0;
    return longest;
}

static void note_longest(writer *me, size_t when)
{
    me->held[when] = longest_of(&bench_held_writing);
    me->copied[when] = longest_of(&bench_held_copying);
}

static void put_until_it_is_over(writer *me, const char *thread, const char *ns)
{
    const struct timespec pause = {0, 100000};
    agentchat_store *store = open_store(url);
    bench_conversation conversation;
    bool was_alone = true;

    bench_begin(&conversation, BENCH_PLAIN, bench_short);
    for (state now; (now = atomic_load(&all->state)) != IS_OVER && atomic_load(&me->count) < MOST;) {
        if (now == IS_BESIDE && was_alone)
            note_longest(me, 0);
        was_alone = now != IS_BESIDE;
        put_one(&conversation, store, thread, ns, me);
        if (now == IS_ALONE)
            me->alone = atomic_load(&me->count);
        nanosleep(&pause, NULL);
    }
    note_longest(me, 1);
    bench_end(&conversation);
    agentchat_store_close(store);
}

static pid_t start(writer *me, const char *thread, const char *ns)
{
    pid_t child = fork();

    if (child == 0) {
        put_until_it_is_over(me, thread, ns);
        exit(0);
    }
    if (child < 0) {
        perror("bench_waits");
        exit(1);
    }
    while (atomic_load(&me->count) == 0)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    return child;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static double part_of(double *times, size_t count, double part)
{
    size_t at = (size_t)((double)count * part);

    return count == 0 ? 0 : times[at < count ? at : count - 1] / 1e3;
}

static void print_puts(const char *who, const char *when, const put *puts, size_t count, double held, double copied)
{
    double *times = malloc((count + 1) * sizeof *times), waited = 0;

    for (size_t i = 0; i < count; i++) {
        times[i] = puts[i].took;
        waited = puts[i].waited > waited ? puts[i].waited : waited;
    }
    qsort(times, count, sizeof *times, bench_compare);
    printf("waits\t%s\t%zu\t%s\t%s\t%zu\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", what, turns, who, when, count,
           part_of(times, count, .5), part_of(times, count, .99), part_of(times, count, 1),
           is_sqlite() ? waited / 1e3 : -1, is_sqlite() ? held / 1e3 : -1, is_sqlite() ? copied / 1e3 : -1);
    free(times);
}

static void print_held(const char *which, bench_held *held)
{
    qsort(held->wall, held->count, sizeof *held->wall, bench_compare);
    printf("holds\t%s\t%zu\t%s\t%zu\t%.3f\t%.3f\t%.3f\t%.3f\n", what, turns, which, held->count,
           part_of(held->wall, held->count, .5), part_of(held->wall, held->count, .99),
           part_of(held->wall, held->count, 1), held->most_cpu / 1e3);
}

static void print_writer(const char *who, const writer *me)
{
    print_puts(who, "alone", me->puts, me->alone, me->held[0], me->copied[0]);
    print_puts(who, "meanwhile", me->puts + me->alone, me->count - me->alone, me->held[1], me->copied[1]);
}

/* ---- the work --------------------------------------------------------------------------------------------------- */

static void make_thread(agentchat_store *store, bench_kind kind)
{
    bench_conversation conversation;

    bench_begin(&conversation, kind, bench_short);
    for (size_t i = 0; i < turns; i++) {
        bench_prepare(&conversation);
        bench_ask(&conversation);
        bench_answer(&conversation);
        save(&conversation, store, "long", NULL);
    }
    bench_end(&conversation);
}

static void make_plain(agentchat_store *store)
{
    make_thread(store, BENCH_PLAIN);
}

static void make_with_summary(agentchat_store *store)
{
    make_thread(store, BENCH_SUMMARY);
}

static const agentchat_session_id long_session = {"shop", "ana", "long"};

static void make_session(agentchat_store *store)
{
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    agentchat_session *made = NULL, *session = NULL;
    agentchat_error err;

    bench_must(agentchat_session_create(store, &long_session, NULL, &made, &err), &err);
    agentchat_session_free(made);
    options.no_events = true; /* the handle does not collect what it appends */
    bench_must(agentchat_session_get(store, &long_session, &options, &session, &err), &err);
    for (size_t i = 0; i < turns; i++) {
        agentchat_message *said = NULL;
        agentchat_event *event = NULL;

        bench_must(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0},
                                              bench_text(i, bench_short.question), &said, &err),
                   &err);
        bench_must(agentchat_event_from_message(NULL, said, NULL, &event, &err), &err);
        bench_must(agentchat_session_append(session, event, NULL, NULL, &err), &err);
        agentchat_event_unref(event);
        agentchat_message_unref(said);
    }
    agentchat_session_free(session);
}

static void prune_to(agentchat_store *store, size_t keep)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    agentchat_error err;

    options.keep = keep;
    bench_must(agentchat_thread_prune(store, "long", &options, NULL, &err), &err);
}

static void prune_to_1(agentchat_store *store)
{
    prune_to(store, 1);
}

static void prune_to_half(agentchat_store *store)
{
    prune_to(store, turns / 2);
}

static void copy(agentchat_store *store)
{
    agentchat_error err;

    bench_must(agentchat_thread_copy(store, "long", "copy", &err), &err);
}

static void delete (agentchat_store *store)
{
    agentchat_error err;

    bench_must(agentchat_thread_delete(store, "long", &err), &err);
}

static void copy_session(agentchat_store *store)
{
    agentchat_error err;

    bench_must(agentchat_session_copy(store, &long_session, "copy", NULL, &err), &err);
}

static const work works[] = {
    {"prune-1", make_plain, prune_to_1, true},
    {"prune-half", make_plain, prune_to_half, true},
    {"summary-1", make_with_summary, prune_to_1, true},
    {"copy", make_plain, copy, true},
    {"delete", make_plain, delete, false},
    {"session-copy", make_session, copy_session, false},
};

/* In a process of its own, whose memory is not that of those who come after. */
static void make(const work *one)
{
    agentchat_store *store;
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        store = open_store(url);
        one->make(store);
        agentchat_store_close(store);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(1);
}

static double load_average(void)
{
    double load = -1;
    FILE *file = fopen("/proc/loadavg", "r");

    if (file == NULL)
        return -1;
    if (fscanf(file, "%lf", &load) != 1)
        load = -1;
    fclose(file);
    return load;
}

static void measure(const work *one)
{
    pid_t children[WRITERS];
    agentchat_store *store;
    double load, before, took;

    make(one);
    store = open_store(url);
    atomic_store(&all->state, IS_ALONE);
    children[0] = start(&all->writers[0], "other", NULL);
    children[1] = start(&all->writers[1], one->is_shared ? "long" : "third", one->is_shared ? "beside" : NULL);
    nanosleep(&(struct timespec){ALONE_US / 1000000, 0}, NULL);
    load = load_average();
    atomic_store(&all->state, IS_BESIDE);
    before = bench_now_us();
    one->run(store);
    took = bench_now_us() - before;
    nanosleep(&(struct timespec){0, 200000000}, NULL); /* what it has left to the others */
    atomic_store(&all->state, IS_OVER);
    for (size_t i = 0; i < WRITERS; i++)
        (void)waitpid(children[i], NULL, 0);
    agentchat_store_close(store);
    print_writer("another thread", &all->writers[0]);
    print_writer(one->is_shared ? "the same thread" : "a third thread", &all->writers[1]);
    if (is_sqlite()) {
        print_held("writer", &bench_held_writing);
        print_held("copier", &bench_held_copying);
    }
    printf("took\t%s\t%zu\t%.1f\t%.2f\t%.2f\n", what, turns, took / 1e3, load, load_average());
}

int main(int argc, char **argv)
{
    agentchat_error err;

    if (argc != 4 || (turns = strtoul(argv[3], NULL, 10)) == 0) {
        fprintf(stderr, "usage: bench_waits URL WHAT TURNS\n");
        return 2;
    }
    url = argv[1];
    what = argv[2];
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) {
        perror("bench_waits");
        return 1;
    }
    watch();
    bench_must(agentchat_store_init(NULL, url, NULL, &err), &err);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (strcmp(what, works[i].name) != 0)
            continue;
        measure(&works[i]);
        return 0;
    }
    fprintf(stderr, "bench_waits: %s is nothing that it measures\n", what);
    return 2;
}
