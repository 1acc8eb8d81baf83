/* SPDX-License-Identifier: Apache-2.0 */
/* A mock driver: it answers each call as a test has prescribed, and counts. */
#include "mock_driver.h"

#include <pthread.h>
#include <time.h>

/* The versions of tables that this library knows: of sessions, of threads. */
static const aci_sql_version known[] = {{3, 3, 3}, {3, 3, 3}, {1, 1, 1}};

typedef struct line { /* a connection */
    mock *p;
    bool dead;
} line;

static agentchat_status give(const answer *answers, size_t room, size_t *next, aci_sql_outcome *outcome,
                             agentchat_error *err)
{
    answer a = *next < room ? answers[*next] : (answer){AGENTCHAT_OK, ACI_SQL_FINAL};

    ++*next;
    *outcome = a.outcome;
    return a.status < 0 ? agentchat_error_set(err, a.status, "as prescribed") : AGENTCHAT_OK;
}

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER; /* connections are opened by several threads */

static agentchat_status mock_connect(void *self, uint32_t wait_ms, void **connection, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    mock *p = self;
    agentchat_status status;
    line *l;

    assert_true(wait_ms > 0);
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

/* What a statement gives: of those about versions what they are, if there is one. false: no row. */
static bool row_of(const mock *p, const aci_sql_statement *statement, aci_sql_value row[3])
{
    aci_sql_version version = {1, 1, 1};

    if (strncmp(statement->text, "SELECT version", 14) == 0)
        version = p->versions.services[statement->number - 1];
    for (size_t i = 0; i < 3; i++)
        row[i] = (aci_sql_value){ACI_SQL_INTEGER, 0, {NULL, 0}};
    row[0].integer = version.format;
    row[1].integer = version.reader;
    row[2].integer = p->writer;
    return version.format > 0;
}

static agentchat_status mock_run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                                 aci_sql_outcome *outcome, agentchat_error *err)
{
    line *l = connection;
    mock *p = l->p;
    aci_sql_value row[3];
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
    for (size_t i = 0; i < count && status >= 0; i++) {
        requests[i].changed = i + 10;
        if (requests[i].row != NULL && row_of(p, requests[i].statement, row))
            status = requests[i].row(requests[i].user, row, 3, err);
    }
    return status;
}

static void mock_rollback(void *connection)
{
    ((line *)connection)->p->rollbacks++;
}

static bool mock_is_alive(void *connection)
{
    return !((line *)connection)->dead;
}

static void mock_disconnect(void *connection)
{
    ((line *)connection)->p->closed++;
    free(connection);
}

static agentchat_status mock_version(void *connection, aci_sql_versions *out, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    (void)err;
    *outcome = ACI_SQL_FINAL;
    *out = ((line *)connection)->p->versions;
    return AGENTCHAT_OK;
}

static agentchat_status mock_install(void *connection, const aci_sql_step *step, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    mock *p = ((line *)connection)->p;
    static const char *const tables[] = {"CREATE TABLE service", "CREATE TABLE event", "CREATE TABLE checkpoint",
                                         "CREATE TABLE memory"};
    agentchat_status status = give(p->installs, 8, &p->install_count, outcome, err);

    if (status < 0)
        return status;
    assert_non_null(strstr(step->script, tables[step->service + 1]));
    assert_int_equal(step->from,
                     step->service < 0 ? p->versions.store.format : p->versions.services[step->service].format);
    if (step->service < 0)
        p->versions.store = (aci_sql_version){2, 2, 2};
    else
        p->versions.services[step->service] = known[step->service];
    return AGENTCHAT_OK;
}

static agentchat_status mock_confirm(void *connection, aci_sql_outcome *outcome, agentchat_error *err)
{
    line *l = connection;
    agentchat_status status = give(l->p->confirms, 8, &l->p->confirm_count, outcome, err);

    l->dead = status < 0 && l->p->dead_after_failure;
    return status;
}

static const char *mock_source(void *connection)
{
    (void)connection;
    return "mock source";
}

static void mock_attach(void *self, const aci_sql_host *host)
{
    ((mock *)self)->host = host;
}

static void mock_serve(void *connection, const aci_sql_call *call)
{
    mock *p = ((line *)connection)->p;

    assert_true(p->host->interrupts(p->host) >= call->interrupts);
}

static void mock_allow(void *connection, uint32_t wait_ms)
{
    (void)connection;
    assert_true(wait_ms > 0);
}

static agentchat_status mock_check(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    (void)connection;
    return each(user, AGENTCHAT_STR("file"), (agentchat_str){NULL, 0}, err);
}

static void mock_free(void *self)
{
    ((mock *)self)->freed++;
}

const aci_sql_driver mock_driver = {
    .name = "mock",
    .dialect = ACI_SQL_POSTGRES,
    .connect = mock_connect,
    .run = mock_run,
    .rollback = mock_rollback,
    .is_alive = mock_is_alive,
    .disconnect = mock_disconnect,
    .version = mock_version,
    .install = mock_install,
    .free = mock_free,
    .source = mock_source,
    .attach = mock_attach,
    .serve = mock_serve,
    .allow = mock_allow,
    .confirm = mock_confirm,
    .check = mock_check,
};

mock sound(void)
{
    mock p;

    memset(&p, 0, sizeof p);
    p.versions.store = (aci_sql_version){2, 2, 2};
    p.versions.services[0] = known[0];
    p.versions.services[1] = known[1];
    p.versions.services[2] = known[2];
    p.writer = 1;
    return p;
}

agentchat_status open_mock(mock *p, uint32_t wait_ms, bool read_only, bool may_install, agentchat_store **store,
                           agentchat_error *err)
{
    aci_sql_store_options options = {read_only, may_install, wait_ms, 2, 0};

    return aci_driver_store(NULL, &mock_driver, p, &options, store, err);
}

agentchat_store *open_sound(mock *p)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    test_ok(open_mock(p, 200, false, false, &store, &err), &err);
    return store;
}

/* ---- a transaction --------------------------------------------------------------------------------------------- */

const aci_statement some = {{{1, 7, "sqlite's"}, {1, 7, "postgres's"}}};
static const aci_statement of_threads = {{{2, 7, "sqlite's"}, {2, 7, "postgres's"}}};

static agentchat_status take_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    job *j = user;
    int64_t number = 0;
    agentchat_str text;

    assert_int_equal(aci_transact_column_integer(columns, count, 0, &number, err), AGENTCHAT_OK);
    assert_int_equal(number, 1);
    j->rows++;
    if (j->fails_in_row)
        return aci_transact_column_text(columns, count, 1, &text, err);
    return AGENTCHAT_OK;
}

agentchat_status work(aci_tx *tx, void *user, agentchat_error *err)
{
    job *j = user;
    const aci_statement *statement = j->of_threads ? &of_threads : &some;
    agentchat_status status;

    j->calls++;
    j->repeated = tx->repeated;
    aci_transact_add(tx, statement, take_row, j);
    aci_transact_text(tx, AGENTCHAT_STR("a"));
    aci_transact_integer(tx, 5);
    aci_transact_add(tx, statement, NULL, NULL);
    aci_transact_text(tx, (agentchat_str){NULL, 0});
    status = aci_transact_run(tx, !tx->writes, err);
    if (status < 0 || !tx->writes)
        return status;
    assert_int_equal(aci_transact_changed(tx, 0), 11); /* the version's statement went before */
    assert_int_equal(aci_transact_changed(tx, 2), 0);
    if (j->fails < 0)
        return agentchat_error_set(err, j->fails, "of its own");
    if (!j->commits)
        return AGENTCHAT_OK;
    aci_transact_add(tx, statement, NULL, NULL);
    return aci_transact_run(tx, true, err);
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
