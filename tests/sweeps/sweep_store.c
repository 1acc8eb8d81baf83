/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/store.h, sqlite.h, postgres.h and sys/sql.h: opening, making, closing and checking stores. libpq
   has no way to be given an allocator, so its own memory is not swept. */
#include "sweep_fixture.h"

#ifdef SWEEP_WITH_POSTGRES
#include <agentchat/postgres.h>
#endif
#include <unistd.h>

/* ---- opening ---------------------------------------------------------------------------------------------------- */

typedef struct file {
    char *dir;
    char url[4200], path[4096];
    size_t before;
} file;

static void file_begin(file *f, unsigned variant)
{
    f->dir = test_dir_make();
    snprintf(f->path, sizeof f->path, "%s/store.db", f->dir);
    snprintf(f->url, sizeof f->url, "sqlite:%s?synchronous=normal", f->path);
    f->before = sqlite_memory_used();
    if (variant == 1)
        sweep_may_swallow();
    sqlite_memory_count(variant == 1);
}

static void file_end(file *f, agentchat_store *store)
{
    sqlite_memory_count(false);
    if (store != NULL)
        assert_string_equal(agentchat_store_backend(store), "sqlite");
    agentchat_store_close(store);
    assert_int_equal(sqlite_memory_used(), f->before);
    test_dir_remove(f->dir);
}

/* Variants 2 and 3: a store in memory. */
static agentchat_status store_open(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_store *store = (agentchat_store *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    const char *url;
    file f;

    file_begin(&f, variant % 2);
    url = variant < 2 ? f.url : "memory:";
    sweep_begin();
    status = agentchat_store_open(env, url, NULL, &store, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(store);
        test_ok(agentchat_store_open(env, url, NULL, &store, &again), &again);
    }
    file_end(&f, store);
    return status;
}

static agentchat_status sqlite_open(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_store *store = (agentchat_store *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    file f;

    file_begin(&f, variant);
    sweep_begin();
    status = agentchat_sqlite_open(env, f.path, NULL, &store, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(store);
        test_ok(agentchat_sqlite_open(env, f.path, NULL, &store, &again), &again);
    }
    file_end(&f, store);
    return status;
}

static agentchat_status store_init(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_store *store = NULL;
    agentchat_error again;
    agentchat_status status;
    file f;

    file_begin(&f, variant);
    sweep_begin();
    status = agentchat_store_init(env, f.url, NULL, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0)
        test_ok(agentchat_store_init(env, f.url, NULL, &again), &again);
    test_ok(agentchat_store_open(env, f.url, NULL, &store, &again), &again);
    file_end(&f, store);
    return status;
}

static agentchat_status look_at_store(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const char *backend, *none;
    fixture p;

    (void)variant;
    (void)err;
    fixture_begin(&p, env, 0, false);
    agentchat_session_free(p.session);
    p.session = NULL;
    sqlite_memory_count(true);
    sweep_begin();
    backend = agentchat_store_backend(p.store);
    agentchat_store_interrupt(NULL);
    agentchat_store_interrupt(p.store);
    none = agentchat_store_backend(NULL);
    agentchat_store_close(NULL);
    agentchat_store_close(p.store);
    sweep_end();
    assert_string_equal(backend, "sqlite");
    assert_string_equal(none, "");
    p.store = NULL;
    fixture_end(&p);
    return AGENTCHAT_OK;
}

/* ---- checking --------------------------------------------------------------------------------------------------- */

static agentchat_status take_part(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    size_t *parts = user;

    (void)err;
    if (problem.ptr != NULL)
        fail_msg(AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(part), AGENTCHAT_STR_ARG(problem));
    ++*parts;
    return AGENTCHAT_OK;
}

static agentchat_status store_check(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    size_t parts = 0;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_begin();
    status = agentchat_store_check(p.store, take_part, &parts, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        fixture_expect_unchanged(&p);
        parts = 0;
        test_ok(agentchat_store_check(p.store, take_part, &parts, &again), &again);
    }
    assert_true(parts >= 3);
    fixture_end(&p);
    return status;
}

/* ---- PostgreSQL ------------------------------------------------------------------------------------------------- */

#ifdef SWEEP_WITH_POSTGRES
/* There is no server, which is what the call comes to with memory. */
static agentchat_status without_server(agentchat_status status, agentchat_error *err)
{
    if (status != AGENTCHAT_E_IO)
        return status;
    agentchat_error_clear(err);
    return AGENTCHAT_OK;
}

static agentchat_status postgres_open(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = (agentchat_store *)(uintptr_t)1;
    agentchat_status status;

    (void)variant;
    options.wait_ms = 1;
    sweep_begin();
    status = agentchat_postgres_open(env, "postgresql:///x?host=/there/is/none", &options, &store, err);
    sweep_end();
    assert_true(status < 0);
    assert_null(store);
    return without_server(status, err);
}

static agentchat_status postgres_init(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_status status;

    (void)variant;
    options.wait_ms = 1;
    sweep_begin();
    status = agentchat_postgres_init(env, "postgresql:///x?host=/there/is/none", &options, err);
    sweep_end();
    assert_true(status < 0);
    return without_server(status, err);
}
#endif

static agentchat_status options_init(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_store_options options;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_store_options_init(&options, sizeof options);
    sweep_end();
    assert_true(options.struct_size == sizeof options && options.durability == AGENTCHAT_DURABILITY_FULL);
    assert_true(!options.read_only && options.wait_ms == 0);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_store_options_init", options_init, SWEEP_NEVER, 0},
    {"agentchat_store_open", store_open, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_store_init", store_init, SWEEP_ALLOCATES, 0},
    {"agentchat_store_close", look_at_store, SWEEP_NEVER, 0},
    {"agentchat_store_backend", look_at_store, SWEEP_NEVER, 0},
    {"agentchat_store_interrupt", look_at_store, SWEEP_NEVER, 0},
    {"agentchat_store_check", store_check, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_sqlite_open", sqlite_open, SWEEP_ALLOCATES, 0},
#ifdef SWEEP_WITH_POSTGRES
    {"agentchat_postgres_open", postgres_open, SWEEP_ALLOCATES, 0},
    {"agentchat_postgres_init", postgres_init, SWEEP_ALLOCATES, 0},
#endif
};

int main(void)
{
    if (access("/dev/shm", R_OK | W_OK | X_OK) == 0) /* flushing many small files to the disk is not what is swept */
        (void)setenv("TMPDIR", "/dev/shm", 0);
    sqlite_memory_begin();
    return sweep_main("sweep.store", rows, sizeof rows / sizeof *rows);
}
