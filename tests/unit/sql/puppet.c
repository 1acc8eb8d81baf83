/* SPDX-License-Identifier: Apache-2.0 */
/* A driver that does as it is told: it answers each call as a test has put down, and counts. */
#include "puppet.h"

#include <pthread.h>
#include <time.h>

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

agentchat_status puppet_confirm(void *connection, agentchat_sql_outcome *outcome, agentchat_error *err)
{
    line *l = connection;
    agentchat_status status = give(l->p->confirms, 8, &l->p->confirm_count, outcome, err);

    l->dead = status < 0 && l->p->dead_after_failure;
    return status;
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

const agentchat_sql_driver puppet_driver = {
    .struct_size = sizeof puppet_driver,
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

puppet sound(void)
{
    puppet p;

    memset(&p, 0, sizeof p);
    p.version = (agentchat_sql_version){1, 1, 1};
    p.writer = 1;
    return p;
}

agentchat_status open_puppet(puppet *p, uint32_t wait_ms, bool read_only, bool may_install, agentchat_store **store,
                             agentchat_error *err)
{
    agentchat_sql_store_options options = {sizeof options, read_only, may_install, wait_ms, 2};

    return agentchat_sql_store(NULL, &puppet_driver, p, &options, store, err);
}

agentchat_store *open_sound(puppet *p)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    test_ok(open_puppet(p, 200, false, false, &store, &err), &err);
    return store;
}

/* ---- a transaction --------------------------------------------------------------------------------------------- */

const aci_statement some = {{{7, "sqlite's"}, {7, "postgres's"}}};

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

agentchat_status work(aci_tx *tx, void *user, agentchat_error *err)
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

void stage_open(stage *s)
{
    s->p = sound();
    s->store = open_sound(&s->p);
    s->j = (job){.commits = true};
    agentchat_error_clear(&s->err);
}

void stage_close(stage *s)
{
    agentchat_store_close(s->store);
}
