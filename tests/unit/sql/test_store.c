/* SPDX-License-Identifier: Apache-2.0 */
/* Stores over a driver that does as it is told: versions, trying again, connections shared by threads. */
#include "sql/sql.h"
#include "support/test_support.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

/* ---- a driver that does as it is told ------------------------------------------------------------------------- */

typedef struct answer { /* to one run: what it returns, and with what outcome */
    agentchat_status status;
    agentchat_sql_outcome outcome;
} answer;

typedef struct puppet {
    agentchat_sql_version version;
    answer connects[8], runs[16];
    size_t connect_count, run_count; /* how many of the answers were given; beyond them all is well */
    size_t opened, closed, installs, rollbacks, freed;
    unsigned flags[16]; /* of the runs */
    size_t statements[16];
    int64_t writer; /* what the statement about the version says */
    bool dead_after_failure;
    long failing_takes_ms; /* each run that fails */
    atomic_int in_use, most_in_use;
} puppet;

typedef struct line { /* a connection */
    puppet *p;
    bool dead;
} line;

static agentchat_status give(const answer *answers, size_t room, size_t *next, agentchat_sql_outcome *outcome,
                             agentchat_error *err)
{
    answer a = *next < room ? answers[*next] : (answer){AGENTCHAT_OK, AGENTCHAT_SQL_FINAL};

    ++*next;
    *outcome = a.outcome;
    return a.status < 0 ? agentchat_error_set(err, a.status, "as told") : AGENTCHAT_OK;
}

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER; /* connections are opened by several threads */

static agentchat_status puppet_connect(void *self, void **connection, agentchat_sql_outcome *outcome,
                                       agentchat_error *err)
{
    puppet *p = self;
    agentchat_status status;
    line *l;

    pthread_mutex_lock(&counting);
    status = give(p->connects, 8, &p->connect_count, outcome, err);
    p->opened += status >= 0;
    pthread_mutex_unlock(&counting);
    if (status < 0)
        return status;
    l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->p = p;
    *connection = l;
    return AGENTCHAT_OK;
}

static agentchat_status puppet_run(void *connection, unsigned flags, agentchat_sql_request *requests, size_t count,
                                   agentchat_sql_outcome *outcome, agentchat_error *err)
{
    line *l = connection;
    puppet *p = l->p;
    agentchat_sql_value row[3] = {{AGENTCHAT_SQL_INTEGER, 1, {NULL, 0}},
                                  {AGENTCHAT_SQL_INTEGER, 1, {NULL, 0}},
                                  {AGENTCHAT_SQL_INTEGER, 1, {NULL, 0}}};
    agentchat_status status;

    if (p->run_count < 16) {
        p->flags[p->run_count] = flags;
        p->statements[p->run_count] = count;
    }
    status = give(p->runs, 16, &p->run_count, outcome, err);
    if (status < 0) {
        struct timespec pause = {0, p->failing_takes_ms * 1000000};

        (void)nanosleep(&pause, NULL);
        l->dead = p->dead_after_failure;
        return status;
    }
    row[2].integer = p->writer;
    for (size_t i = 0; i < count && status >= 0; i++) {
        requests[i].changed = i + 10;
        if (requests[i].row != NULL)
            status = requests[i].row(requests[i].user, row, 3, err);
    }
    return status;
}

static void puppet_rollback(void *connection)
{
    ((line *)connection)->p->rollbacks++;
}

static bool puppet_is_alive(void *connection)
{
    return !((line *)connection)->dead;
}

static void puppet_disconnect(void *connection)
{
    ((line *)connection)->p->closed++;
    free(connection);
}

static agentchat_status puppet_version(void *connection, agentchat_sql_version *out, agentchat_sql_outcome *outcome,
                                       agentchat_error *err)
{
    (void)err;
    *outcome = AGENTCHAT_SQL_FINAL;
    *out = ((line *)connection)->p->version;
    return AGENTCHAT_OK;
}

static agentchat_status puppet_install(void *connection, uint32_t from, const char *script,
                                       agentchat_sql_outcome *outcome, agentchat_error *err)
{
    (void)err;
    *outcome = AGENTCHAT_SQL_FINAL;
    assert_int_equal(from, 0);
    assert_non_null(strstr(script, "CREATE TABLE event"));
    ((line *)connection)->p->installs++;
    return AGENTCHAT_OK;
}

static const char *puppet_source(void *connection)
{
    (void)connection;
    return "theatre";
}

static void puppet_free(void *self)
{
    ((puppet *)self)->freed++;
}

static const agentchat_sql_driver driver = {
    .struct_size = sizeof driver,
    .name = "puppet",
    .dialect = AGENTCHAT_SQL_POSTGRES,
    .connect = puppet_connect,
    .run = puppet_run,
    .rollback = puppet_rollback,
    .is_alive = puppet_is_alive,
    .disconnect = puppet_disconnect,
    .version = puppet_version,
    .install = puppet_install,
    .free = puppet_free,
    .source = puppet_source,
};

static puppet sound(void)
{
    puppet p;

    memset(&p, 0, sizeof p);
    p.version = (agentchat_sql_version){1, 1, 1};
    p.writer = 1;
    return p;
}

static agentchat_status open_puppet(puppet *p, uint32_t wait_ms, bool read_only, bool may_install,
                                    agentchat_store **store, agentchat_error *err)
{
    agentchat_sql_store_options options = {sizeof options, read_only, may_install, wait_ms, 2};

    return agentchat_sql_store(NULL, &driver, p, &options, store, err);
}

static agentchat_store *open_sound(puppet *p)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    test_ok(open_puppet(p, 200, false, false, &store, &err), &err);
    return store;
}

/* ---- opening -------------------------------------------------------------------------------------------------- */

static void test_store__opens_what_is_there_and_closes_all_of_it(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);

    (void)state;
    assert_string_equal(agentchat_store_backend(store), "puppet");
    agentchat_store_close(store);
    assert_int_equal(p.opened, 1);
    assert_int_equal(p.closed, 1);
    assert_int_equal(p.freed, 1);
    assert_int_equal(p.installs, 0);
    agentchat_store_close(NULL);
}

static void test_store__installs_only_where_it_may(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.version = (agentchat_sql_version){0, 0, 0};
    test_fails(open_puppet(&p, 0, false, false, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "no store here");
    assert_null(store);
    assert_string_equal(err.source, "theatre");
    assert_int_equal(p.freed, 1);
    test_fails(open_puppet(&p, 0, true, true, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "no store here");
    assert_int_equal(p.installs, 0);
    test_ok(open_puppet(&p, 0, false, true, &store, &err), &err);
    assert_int_equal(p.installs, 1);
    agentchat_store_close(store);
    assert_int_equal(p.freed, 3);
}

static void test_store__refuses_a_layout_that_it_is_too_old_for(void **state)
{
    static const agentchat_sql_version newer = {3, 1, 2};
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.version = newer;
    test_fails(open_puppet(&p, 0, false, true, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not write");
    assert_int_equal(err.native, 3);
    assert_string_equal(err.source, "theatre");
    test_ok(open_puppet(&p, 0, true, false, &store, &err), &err); /* reading is still allowed */
    agentchat_store_close(store);
    p.version.reader = 2;
    test_fails(open_puppet(&p, 0, true, false, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not read");
}

static void test_store__a_driver_may_be_older_than_its_last_member(void **state)
{
    agentchat_sql_driver older = driver;
    agentchat_sql_store_options options = {sizeof options, false, false, 0, 0};
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.version = (agentchat_sql_version){0, 0, 0};
    older.struct_size = offsetof(agentchat_sql_driver, source);
    test_fails(agentchat_sql_store(NULL, &older, &p, &options, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, NULL);
    assert_string_equal(err.source, "");
    older.struct_size = sizeof older;
    older.source = NULL;
    test_fails(agentchat_sql_store(NULL, &older, &p, &options, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, NULL);
    assert_string_equal(err.source, "");
    older.struct_size = offsetof(agentchat_sql_driver, free);
    test_fails(agentchat_sql_store(NULL, &older, &p, &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "driver");
}

static void test_store__waits_for_a_server_that_starts(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.connects[0] = p.connects[1] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_TRANSIENT};
    test_ok(open_puppet(&p, 1000, false, false, &store, &err), &err);
    assert_int_equal(err.code, 0);
    assert_int_equal(p.connect_count, 3);
    agentchat_store_close(store);
    p = sound();
    for (size_t i = 0; i < 8; i++)
        p.connects[i] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_TRANSIENT};
    test_fails(open_puppet(&p, 1, false, false, &store, &err), &err, AGENTCHAT_E_IO, NULL, "as told");
    assert_null(store);
    assert_int_equal(p.freed, 1);
}

static void test_store__checks_its_arguments_and_still_takes_the_driver_over(void **state)
{
    puppet p = sound();
    agentchat_sql_store_options options = {sizeof options, false, false, 0, 0};
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_sql_store(NULL, NULL, &p, &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL, "driver");
    test_fails(agentchat_sql_store(NULL, &driver, &p, NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL, "options");
    assert_int_equal(p.freed, 1);
    test_fails(agentchat_sql_store(NULL, &driver, &p, &options, NULL, &err), &err, AGENTCHAT_E_INVALID, NULL, "out");
    assert_int_equal(p.freed, 2);
}

static agentchat_status open_and_close(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_sql_store_options options = {sizeof options, false, false, 0, 3};
    agentchat_store *store = NULL;
    agentchat_status status = agentchat_sql_store(env, &driver, user, &options, &store, err);

    agentchat_store_close(store);
    return status;
}

static void test_store__opening_survives_every_failed_allocation(void **state)
{
    puppet p = sound();

    (void)state;
    assert_true(test_oom_sweep(open_and_close, &p) >= 2);
    assert_true(p.freed >= 3);
    assert_int_equal(p.opened, p.closed);
}

/* ---- transactions --------------------------------------------------------------------------------------------- */

static const aci_statement some = {{{7, "sqlite's"}, {7, "postgres's"}}};

typedef struct job {
    size_t calls, rows;
    bool commits, repeated, fails_in_row;
    agentchat_status fails; /* of its own, behind the first batch */
} job;

static agentchat_status take_row(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    job *j = user;
    int64_t number = 0;
    agentchat_str text;

    assert_int_equal(aci_column_integer(columns, count, 0, &number, err), AGENTCHAT_OK);
    assert_int_equal(number, 1);
    j->rows++;
    if (j->fails_in_row)
        return aci_column_text(columns, count, 1, &text, err);
    return AGENTCHAT_OK;
}

static agentchat_status work(aci_tx *tx, void *user, agentchat_error *err)
{
    job *j = user;
    agentchat_status status;

    j->calls++;
    j->repeated = tx->repeated;
    aci_tx_add(tx, &some, take_row, j);
    aci_tx_text(tx, AGENTCHAT_STR("a"));
    aci_tx_integer(tx, 5);
    aci_tx_add(tx, &some, NULL, NULL);
    aci_tx_text(tx, (agentchat_str){NULL, 0});
    status = aci_tx_run(tx, !tx->writes, err);
    if (status < 0 || !tx->writes)
        return status;
    assert_int_equal(aci_tx_changed(tx, 0), 11); /* the version's statement went before */
    assert_int_equal(aci_tx_changed(tx, 2), 0);
    if (j->fails < 0)
        return agentchat_error_set(err, j->fails, "of its own");
    if (!j->commits)
        return AGENTCHAT_OK;
    aci_tx_add(tx, &some, NULL, NULL);
    return aci_tx_run(tx, true, err);
}

static void test_store__a_transaction_looks_then_commits(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);
    job j = {.commits = true};
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_transact(store, true, work, &j, &err), &err);
    assert_int_equal(j.calls, 1);
    assert_int_equal(j.rows, 1);
    assert_int_equal(p.run_count, 2);
    assert_int_equal(p.flags[0], AGENTCHAT_SQL_BEGIN_WRITE);
    assert_int_equal(p.flags[1], AGENTCHAT_SQL_COMMIT);
    assert_int_equal(p.statements[0], 3);
    assert_int_equal(p.statements[1], 1);
    assert_int_equal(p.rollbacks, 0);
    j = (job){.commits = false};
    test_ok(aci_transact(store, true, work, &j, &err), &err); /* nothing was committed */
    assert_int_equal(p.rollbacks, 1);
    test_ok(aci_transact(store, false, work, &j, &err), &err);
    assert_int_equal(p.flags[3], AGENTCHAT_SQL_BEGIN_READ | AGENTCHAT_SQL_COMMIT);
    assert_int_equal(p.rollbacks, 1);
    assert_int_equal(p.opened, 1); /* one connection served all of it */
    agentchat_store_close(store);
}

static void test_store__a_failure_rolls_back_and_is_not_repeated(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);
    job j = {.commits = true, .fails = AGENTCHAT_E_CONFLICT};
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_CONFLICT, NULL, "of its own");
    assert_int_equal(j.calls, 1);
    assert_int_equal(p.rollbacks, 1);
    agentchat_error_clear(&err);
    j = (job){.commits = true, .fails_in_row = true};
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_CORRUPT, NULL, "column 2");
    assert_int_equal(j.calls, 1);
    assert_int_equal(p.rollbacks, 2);
    agentchat_error_clear(&err);
    p.runs[p.run_count] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_FINAL};
    j = (job){.commits = true};
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_IO, NULL, "as told");
    assert_int_equal(j.calls, 1);
    assert_int_equal(p.rollbacks, 2); /* the driver has rolled back itself */
    agentchat_store_close(store);
}

static void test_store__tries_again_what_may_succeed(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);
    job j = {.commits = true};
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    p.dead_after_failure = true;
    p.runs[0] = (answer){AGENTCHAT_E_BUSY, AGENTCHAT_SQL_TRANSIENT};
    p.runs[2] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_TRANSIENT};
    test_ok(aci_transact(store, true, work, &j, &err), &err);
    assert_int_equal(err.code, 0);
    assert_int_equal(j.calls, 3);
    assert_false(j.repeated);
    assert_int_equal(p.opened, 3); /* the dead ones were replaced */
    assert_int_equal(p.closed, 2);
    agentchat_store_close(store);
}

static void test_store__says_when_an_attempt_may_have_been_committed(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);
    job j = {.commits = true};
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    p.runs[1] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_UNCERTAIN};
    test_ok(aci_transact(store, true, work, &j, &err), &err);
    assert_int_equal(j.calls, 2);
    assert_true(j.repeated);
    agentchat_store_close(store);
}

static void test_store__gives_up_when_the_wait_is_over(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    job j = {.commits = true};
    agentchat_error err;

    (void)state;
    test_ok(open_puppet(&p, 1, false, false, &store, &err), &err);
    for (size_t i = 0; i < 16; i++)
        p.runs[i] = (answer){AGENTCHAT_E_BUSY, AGENTCHAT_SQL_TRANSIENT};
    agentchat_error_clear(&err);
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_BUSY, NULL, "as told");
    assert_in_range(j.calls, 1, 4);
    agentchat_store_close(store);
}

/* A server whose silence tells of its loss has used up the wait by then; what became of the commit is looked up all the
   same. */
static void test_store__a_lost_connection_lets_the_wait_begin_anew(void **state)
{
    static const agentchat_sql_outcome outcomes[] = {AGENTCHAT_SQL_TRANSIENT, AGENTCHAT_SQL_UNCERTAIN};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        puppet p = sound();
        agentchat_store *store = NULL;
        job j = {.commits = true};
        agentchat_error err;

        p.dead_after_failure = true;
        p.failing_takes_ms = 60;
        p.runs[1] = (answer){AGENTCHAT_E_IO, outcomes[i]};
        test_ok(open_puppet(&p, 40, false, false, &store, &err), &err);
        test_ok(aci_transact(store, true, work, &j, &err), &err);
        assert_int_equal(j.calls, 2);
        assert_int_equal(j.repeated, outcomes[i] == AGENTCHAT_SQL_UNCERTAIN);
        agentchat_store_close(store);
    }
}

static void test_store__the_wait_begins_anew_only_once_and_only_after_a_loss(void **state)
{
    (void)state;
    for (size_t lost = 0; lost < 2; lost++) {
        puppet p = sound();
        agentchat_store *store = NULL;
        job j = {.commits = true};
        agentchat_error err;

        p.dead_after_failure = lost == 1;
        p.failing_takes_ms = 60;
        for (size_t i = 0; i < 16; i++)
            p.runs[i] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_TRANSIENT};
        test_ok(open_puppet(&p, 40, false, false, &store, &err), &err);
        test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_IO, NULL, "as told");
        assert_int_equal(j.calls, 1 + lost);
        agentchat_store_close(store);
    }
}

static agentchat_status work_beside(aci_tx *tx, void *user, agentchat_error *err)
{
    job j = {.commits = true};
    agentchat_status status = work(tx, user, err);

    return status >= 0 ? aci_transact(tx->store, true, work, &j, err) : status;
}

static void test_store__a_loss_closes_the_idle_connections_too(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);
    job j = {.commits = true};
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_transact(store, true, work_beside, &j, &err), &err);
    assert_int_equal(p.opened, 2);
    assert_int_equal(p.closed, 0);
    p.dead_after_failure = true;
    p.runs[p.run_count] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_TRANSIENT};
    test_ok(aci_transact(store, true, work, &j, &err), &err);
    assert_int_equal(p.closed, 2);
    assert_int_equal(p.opened, 3);
    test_ok(aci_transact(store, true, work_beside, &j, &err), &err); /* their places are free */
    assert_int_equal(p.opened, 4);
    agentchat_store_close(store);
    assert_int_equal(p.closed, 4);
}

static void test_store__every_transaction_asks_whether_it_still_may(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);
    job j = {.commits = true};
    agentchat_error err;

    (void)state;
    p.writer = 9;
    agentchat_error_clear(&err);
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not write");
    assert_string_equal(err.source, "theatre");
    assert_int_equal(p.run_count, 1); /* nothing was written */
    assert_int_equal(p.rollbacks, 1);
    agentchat_error_clear(&err);
    test_ok(aci_transact(store, false, work, &j, &err), &err);
    agentchat_store_close(store);
}

static void test_store__a_store_for_reading_refuses_to_write(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    job j = {0};
    agentchat_error err;

    (void)state;
    test_ok(open_puppet(&p, 0, true, false, &store, &err), &err);
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_INVALID, NULL, "for reading");
    assert_int_equal(j.calls, 0);
    agentchat_store_close(store);
}

static agentchat_status commit_at_once(aci_tx *tx, void *user, agentchat_error *err)
{
    (void)user;
    aci_tx_add(tx, &some, NULL, NULL);
    return aci_tx_run(tx, true, err);
}

static void test_store__writing_without_looking_is_a_bug(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_fails(aci_transact(store, true, commit_at_once, NULL, &err), &err, AGENTCHAT_E_INTERNAL, NULL, NULL);
    assert_int_equal(p.run_count, 0);
    agentchat_store_close(store);
}

static agentchat_status transact_once(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_sql_store_options options = {sizeof options, false, false, 0, 1};
    job j = {.commits = true};
    agentchat_store *store = NULL;
    agentchat_status status = agentchat_sql_store(env, &driver, user, &options, &store, err);

    if (status >= 0)
        status = aci_transact(store, true, work, &j, err);
    agentchat_store_close(store);
    return status;
}

static void test_store__a_transaction_survives_every_failed_allocation(void **state)
{
    puppet p = sound();

    (void)state;
    assert_true(test_oom_sweep(transact_once, &p) >= 5);
    assert_int_equal(p.opened, p.closed);
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

static agentchat_status linger(aci_tx *tx, void *user, agentchat_error *err)
{
    puppet *p = user;
    struct timespec moment = {0, 2000000};
    int now = atomic_fetch_add(&p->in_use, 1) + 1;
    int most = atomic_load(&p->most_in_use);

    (void)tx;
    (void)err;
    while (now > most && !atomic_compare_exchange_weak(&p->most_in_use, &most, now))
        ;
    nanosleep(&moment, NULL);
    atomic_fetch_sub(&p->in_use, 1);
    return AGENTCHAT_OK;
}

static void *use_store(void *user)
{
    agentchat_store *store = user;
    agentchat_error err;

    for (int i = 0; i < 20; i++)
        if (aci_transact(store, false, linger, store->self, &err) < 0)
            return store;
    return NULL;
}

static void test_store__threads_share_at_most_so_many_connections(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    pthread_t threads[8];
    agentchat_error err;

    (void)state;
    test_ok(open_puppet(&p, 10000, false, false, &store, &err), &err);
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_store, store), 0);
    for (int i = 0; i < 8; i++) {
        void *failed = NULL;

        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_in_range(atomic_load(&p.most_in_use), 1, 2);
    agentchat_store_close(store);
    assert_int_equal(p.opened, p.closed);
}

static agentchat_status inside(aci_tx *tx, void *user, agentchat_error *err)
{
    agentchat_store *store = tx->store;

    (void)user;
    return store->most > 2 ? AGENTCHAT_OK : aci_transact(store, false, inside, NULL, err);
}

static void test_store__waiting_for_a_connection_ends(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_ok(open_puppet(&p, 30, false, false, &store, &err), &err);
    agentchat_error_clear(&err);
    test_fails(aci_transact(store, false, inside, NULL, &err), &err, AGENTCHAT_E_BUSY, NULL, "all 2 connections");
    agentchat_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__opens_what_is_there_and_closes_all_of_it),
        cmocka_unit_test(test_store__installs_only_where_it_may),
        cmocka_unit_test(test_store__refuses_a_layout_that_it_is_too_old_for),
        cmocka_unit_test(test_store__a_driver_may_be_older_than_its_last_member),
        cmocka_unit_test(test_store__waits_for_a_server_that_starts),
        cmocka_unit_test(test_store__checks_its_arguments_and_still_takes_the_driver_over),
        cmocka_unit_test(test_store__opening_survives_every_failed_allocation),
        cmocka_unit_test(test_store__a_transaction_looks_then_commits),
        cmocka_unit_test(test_store__a_failure_rolls_back_and_is_not_repeated),
        cmocka_unit_test(test_store__tries_again_what_may_succeed),
        cmocka_unit_test(test_store__says_when_an_attempt_may_have_been_committed),
        cmocka_unit_test(test_store__gives_up_when_the_wait_is_over),
        cmocka_unit_test(test_store__a_lost_connection_lets_the_wait_begin_anew),
        cmocka_unit_test(test_store__the_wait_begins_anew_only_once_and_only_after_a_loss),
        cmocka_unit_test(test_store__a_loss_closes_the_idle_connections_too),
        cmocka_unit_test(test_store__every_transaction_asks_whether_it_still_may),
        cmocka_unit_test(test_store__a_store_for_reading_refuses_to_write),
        cmocka_unit_test(test_store__writing_without_looking_is_a_bug),
        cmocka_unit_test(test_store__a_transaction_survives_every_failed_allocation),
        cmocka_unit_test(test_store__threads_share_at_most_so_many_connections),
        cmocka_unit_test(test_store__waiting_for_a_connection_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
