/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server is lost while eight writers put checkpoints and append events, and its standby takes its place: no write
 * that was acknowledged is lost, and none is there twice.
 *
 *     test_thread_failover
 *
 * AGENTCHAT_TEST_FAILOVERS: how many servers are lost (3).
 */
#include "thread/contract/contract.h"

#include "support/postgres/test_postgres.h"

#include <agentchat/postgres.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { WRITERS = 8, WRITES = 15, MOST = 5000 };

typedef struct writer {
    agentchat_store *store;
    int number;
    pthread_t process;
    atomic_bool *stop;
    atomic_uint puts, appends; /* acknowledged */
    atomic_int status;         /* of what went wrong for good */
    agentchat_error err;
} writer;

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* What a writer puts: a window of what it says. */
static agentchat_snapshot *chat_at(int number, unsigned i)
{
    char history[512] = "", values[32];
    size_t len = 0;

    for (unsigned k = i > 8 ? i - 8 : 0; k <= i; k++)
        len += (size_t)snprintf(history + len, sizeof history - len, "%s%d says %u", len > 0 ? "|" : "", number, k);
    snprintf(values, sizeof values, "n=%u", i);
    return chat_of(history, NULL, values);
}

/* Each in a namespace of one thread: they wait for one another. */
static agentchat_status put_next(writer *w, unsigned i)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_at(w->number, i);
    char ns[16], id[32], parent[32];
    agentchat_status status;

    snprintf(ns, sizeof ns, "w%d", w->number);
    snprintf(id, sizeof id, "w%d-%u", w->number, i);
    options.ns = ns;
    options.id = id;
    if (i > 0) {
        snprintf(parent, sizeof parent, "w%d-%u", w->number, i - 1);
        options.parent = parent;
    }
    status = agentchat_checkpoint_put(w->store, "thread", chat, &options, NULL, &w->err);
    agentchat_snapshot_unref(chat);
    return status;
}

/* All to one session. */
static agentchat_status append_next(writer *w, agentchat_session *session, unsigned i)
{
    agentchat_event_builder *builder = test_event_builder(NULL, "user");
    agentchat_event *event = NULL;
    agentchat_status status;
    char id[32];

    snprintf(id, sizeof id, "w%d-%u", w->number, i);
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(id));
    agentchat_event_builder_add_state(builder, "count", 1);
    status = agentchat_event_builder_finish(builder, &event, &w->err);
    if (status >= 0)
        status = agentchat_session_append(session, event, NULL, NULL, &w->err);
    agentchat_event_unref(event);
    return status;
}

static agentchat_session *get_session(agentchat_store *store, agentchat_error *err)
{
    agentchat_session *session = NULL;

    test_ok(agentchat_session_get(store, &(agentchat_session_id){"app", "user", "s"}, NULL, &session, err), err);
    return session;
}

static void note_failure(writer *w, agentchat_status status)
{
    if (status < 0 && status != AGENTCHAT_E_IO && status != AGENTCHAT_E_BUSY)
        atomic_store(&w->status, status);
}

/* What could not be confirmed is written once more, under the same id. */
static void *write_on(void *user)
{
    writer *w = user;
    agentchat_session *session = get_session(w->store, &w->err);

    while (!atomic_load(w->stop) && atomic_load(&w->status) >= 0 && atomic_load(&w->puts) < MOST) {
        agentchat_status status = put_next(w, atomic_load(&w->puts));

        note_failure(w, status);
        if (status >= 0) {
            (void)atomic_fetch_add(&w->puts, 1);
            status = append_next(w, session, atomic_load(&w->appends));
            note_failure(w, status);
            if (status >= 0)
                (void)atomic_fetch_add(&w->appends, 1);
        }
    }
    agentchat_session_free(session);
    return NULL;
}

static agentchat_store *open_store(const char *url)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;

    options.wait_ms = 120000;
    options.max_connections = 1;
    test_ok(agentchat_postgres_open(NULL, url, &options, &store, &err), &err);
    return store;
}

/* Until each has written so many more. */
static void await_writes(writer writers[WRITERS], unsigned more)
{
    for (int i = 0; i < WRITERS; i++) {
        unsigned wanted = atomic_load(&writers[i].appends) + more;

        while (atomic_load(&writers[i].appends) < wanted && atomic_load(&writers[i].status) >= 0)
            (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

/* ---- expecting -------------------------------------------------------------------------------------------------- */

static void expect_thread(agentchat_store *store, const writer *w)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    unsigned acknowledged = atomic_load(&w->puts);
    agentchat_checkpoint_list *list = NULL;
    agentchat_error err;
    char ns[16], id[32];
    size_t count;

    snprintf(ns, sizeof ns, "w%d", w->number);
    options.ns = ns;
    options.limit = MOST + 1;
    test_ok(agentchat_checkpoint_list_read(store, "thread", &options, &list, &err), &err);
    count = agentchat_checkpoint_list_count(list);
    assert_int_equal(count, acknowledged); /* nothing was under way any more */
    for (size_t i = 0; i < count; i++) {
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(list, count - 1 - i);
        agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
        agentchat_snapshot *chat = chat_at(w->number, (unsigned)i);
        agentchat_checkpoint *checkpoint = NULL;

        snprintf(id, sizeof id, "w%d-%zu", w->number, i);
        assert_string_equal(info->id, id);
        which.ns = ns;
        which.id = id;
        test_ok(agentchat_checkpoint_get(store, "thread", &which, &checkpoint, &err), &err);
        expect_equal(agentchat_checkpoint_snapshot(checkpoint), chat);
        agentchat_checkpoint_free(checkpoint);
        agentchat_snapshot_unref(chat);
    }
    agentchat_checkpoint_list_free(list);
}

/* Each writer's events in their order, each once, and each counted once. */
static void expect_session(agentchat_store *store, const writer writers[WRITERS])
{
    agentchat_error err;
    agentchat_session *session = get_session(store, &err);
    unsigned next[WRITERS] = {0};
    char id[32];

    for (size_t i = 0; i < agentchat_session_event_count(session); i++) {
        agentchat_str found = agentchat_event_get(agentchat_session_event(session, i), AGENTCHAT_EVENT_ID);
        int number = found.ptr[1] - '0';

        assert_in_range(number, 0, WRITERS - 1);
        snprintf(id, sizeof id, "w%d-%u", number, next[number]++);
        assert_true(agentchat_str_equal(found, agentchat_str_from(id)));
    }
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(next[i], atomic_load(&writers[i].appends));
    snprintf(id, sizeof id, "%zu", agentchat_session_event_count(session));
    assert_str(agentchat_state_get(agentchat_session_state(session), "count"), id);
    agentchat_session_free(session);
}

/* ---- the test --------------------------------------------------------------------------------------------------- */

/* stop: how the server is lost. */
static void lose_server(const char *stop)
{
    test_postgres_pair pair = test_postgres_pair_new();
    char *both = test_postgres_pair_url(&pair, "&target_session_attrs=read-write");
    writer writers[WRITERS];
    agentchat_session *session = NULL;
    atomic_bool is_over = false;
    agentchat_store *store = open_store(both);
    agentchat_error err;

    test_ok(agentchat_session_create(store, &(agentchat_session_id){"app", "user", "s"}, NULL, &session, &err), &err);
    agentchat_session_free(session);
    agentchat_store_close(store);
    memset(writers, 0, sizeof writers);
    for (int i = 0; i < WRITERS; i++) {
        writers[i].store = open_store(both);
        writers[i].number = i;
        writers[i].stop = &is_over;
        assert_int_equal(pthread_create(&writers[i].process, NULL, write_on, &writers[i]), 0);
    }
    await_writes(writers, WRITES);
    test_postgres_server_do(pair.primary, stop);
    test_postgres_server_do(pair.standby, "promote");
    await_writes(writers, WRITES);
    atomic_store(&is_over, true);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_join(writers[i].process, NULL), 0);
    store = open_store(pair.standby->url);
    for (int i = 0; i < WRITERS; i++) {
        test_ok((agentchat_status)atomic_load(&writers[i].status), &writers[i].err);
        expect_thread(store, &writers[i]);
        agentchat_store_close(writers[i].store);
    }
    expect_session(store, writers);
    expect_sound(store);
    agentchat_store_close(store);
    free(both);
    test_postgres_pair_free(&pair);
}

static void test_failover__acknowledged_writes_are_there_once(void **state)
{
    static const char *const stops[] = {"kill", "down immediate", "down fast"};
    uint64_t times = test_number("AGENTCHAT_TEST_FAILOVERS", 3);

    (void)state;
    for (uint64_t i = 0; i < times; i++)
        lose_server(stops[i % 3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failover__acknowledged_writes_are_there_once)};

    test_postgres_begin("thread.failover.postgres");
    return cmocka_run_group_tests_name("failover", tests, NULL, NULL);
}
