/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Giving the threads of a store an index of words, and taking it away: thread by thread, in steps.
 *
 * How far a thread has come stands in its row, which every step and every put locks. So a put knows for certain whether
 * it has to keep the index of its thread, and a call that was killed is gone on with where it was.
 */
#include "thread/index.h"

#include "base/error.h"
#include "thread/settle.h"
#include "thread/terms.h"

enum { MOST_TURNS = 32 }; /* of a thread, where another call wants the contrary */

typedef struct indexing {
    const agentchat_env *env;
    aci_steps steps;
    bool on;
    /* ---- the thread ---- */
    aci_arena *arena;
    agentchat_str id;
    aci_thread_row row;
    bool found;
    aci_indexed next; /* that it is to become */
    /* ---- marking ---- */
    agentchat_str ns; /* of the last checkpoint that was marked */
    int64_t seq;
    aci_arena *page;
} indexing;

/* ---- the store's row -------------------------------------------------------------------------------------------- */

static agentchat_status switch_store(aci_tx *tx, void *user, agentchat_error *err)
{
    indexing *x = user;
    aci_index_row row = {.found = false};
    agentchat_status status;

    aci_thread_statement_add(tx, ACI_INDEX_ROW, aci_index_load, &row);
    status = aci_steps_lock(&x->steps, tx, err);
    if (status < 0 || (row.found == x->on && !row.is_damaged))
        return status;
    status = aci_index_set(tx, x->on, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

/* Locks the thread. found: it is still in the state in which it was. */
static agentchat_status lock_thread(indexing *x, aci_tx *tx, bool *found, agentchat_error *err)
{
    aci_thread_found now;
    agentchat_status status;

    aci_steps_ask_thread(tx, ACI_THREAD_LOCK, x->id, &now);
    status = aci_steps_lock(&x->steps, tx, err);
    x->found = status >= 0 && aci_steps_has(&now, x->row.num);
    *found = x->found && now.row.indexed == x->row.indexed;
    if (x->found)
        x->row = now.row;
    return status;
}

/* Writes what is queued, and the state where it changes. */
static agentchat_status end_step(indexing *x, aci_tx *tx, bool changes, agentchat_error *err)
{
    aci_thread_row row = x->row;
    agentchat_status status = AGENTCHAT_OK;

    row.indexed = changes ? (int64_t)x->next : row.indexed;
    if (changes)
        status = aci_rows_advance_thread(tx, x->id, &row, err);
    if (status >= 0)
        status = aci_steps_write(&x->steps, tx, err);
    if (status >= 0)
        status = aci_transact_run(tx, true, err);
    if (status >= 0)
        x->row = row;
    return status;
}

static agentchat_status change_step(aci_tx *tx, void *user, agentchat_error *err)
{
    indexing *x = user;
    bool found = false;
    agentchat_status status = lock_thread(x, tx, &found, err);

    return status < 0 || !found ? status : end_step(x, tx, true, err);
}

static agentchat_status clear_step(aci_tx *tx, void *user, agentchat_error *err)
{
    indexing *x = user;
    bool found = false;
    agentchat_status status = lock_thread(x, tx, &found, err);

    if (status < 0 || !found)
        return status;
    aci_thread_statement_add(tx, ACI_CLEAR_TERMS, NULL, NULL);
    aci_transact_integer(tx, x->row.num);
    aci_transact_integer(tx, (int64_t)x->steps.rows);
    status = aci_transact_run(tx, false, err);
    return status < 0 ? status : end_step(x, tx, aci_transact_changed(tx, 0) < x->steps.rows, err);
}

/* Damaged pages may give the same checkpoints again and again. */
static agentchat_status check_order(const indexing *x, const aci_term_keys *keys, agentchat_error *err)
{
    agentchat_str ns = x->ns;
    int64_t seq = x->seq;

    for (const aci_term_key *key = keys->first; key != NULL; key = key->next) {
        int order = aci_rows_compare(key->ns, ns);

        if (order < 0 || (order == 0 && key->seq <= seq))
            return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored checkpoints of a thread are not in their order");
        ns = key->ns;
        seq = key->seq;
    }
    return AGENTCHAT_OK;
}

static agentchat_status mark_page(indexing *x, aci_tx *tx, aci_term_keys *keys, agentchat_error *err)
{
    int64_t limit = (int64_t)x->steps.rows;
    agentchat_status status;

    aci_thread_statement_add(tx, ACI_CHECKPOINT_KEYS, aci_terms_load_key, keys);
    aci_transact_integer(tx, x->row.num);
    aci_transact_text(tx, x->ns);
    aci_transact_integer(tx, x->seq);
    aci_transact_integer(tx, limit);
    status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = check_order(x, keys, err);
    if (status >= 0)
        status = aci_terms_mark_keys(tx, x->row.num, keys, err);
    return status < 0 ? status : end_step(x, tx, (int64_t)keys->count < limit, err);
}

static agentchat_status mark_step(aci_tx *tx, void *user, agentchat_error *err)
{
    indexing *x = user;
    aci_term_keys keys = {.arena = aci_arena_new(x->env, 0)};
    bool found = false;
    agentchat_status status = keys.arena != NULL ? lock_thread(x, tx, &found, err) : aci_fail_nomem(err);

    if (status >= 0 && found)
        status = mark_page(x, tx, &keys, err);
    if (status < 0 || keys.count == 0) {
        aci_arena_unref(keys.arena);
        return status;
    }
    for (const aci_term_key *key = keys.first; key != NULL; key = key->next) {
        x->ns = key->ns;
        x->seq = key->seq;
    }
    aci_arena_unref(x->page); /* the namespace before was in it */
    x->page = keys.arena;
    return status;
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

/* Steps of a kind, as long as the thread stays in its state. */
static agentchat_status run_steps(indexing *x, aci_work work, aci_indexed next, agentchat_error *err)
{
    int64_t state = x->row.indexed;
    agentchat_status status;

    x->next = next;
    x->ns = AGENTCHAT_STR("");
    x->seq = 0;
    do
        status = aci_steps_run(&x->steps, work, x, err);
    while (status >= 0 && x->found && x->row.indexed == state);
    return status;
}

static agentchat_status settle(indexing *x, agentchat_error *err)
{
    agentchat_status status = aci_settle(&x->steps, x->id, x->row.num, err);

    return status < 0 || x->row.indexed == ACI_INDEXED ? status : run_steps(x, change_step, ACI_INDEXED, err);
}

/* One turn towards what it is to become. */
static agentchat_status turn(indexing *x, agentchat_error *err)
{
    switch ((aci_indexed)x->row.indexed) {
    case ACI_INDEXED_LEAVING:
        return run_steps(x, clear_step, ACI_INDEXED_NOT, err);
    case ACI_INDEXED_NOT:
        return x->on ? run_steps(x, change_step, ACI_INDEXED_MARKING, err) : AGENTCHAT_OK;
    case ACI_INDEXED_MARKING:
        return x->on ? run_steps(x, mark_step, ACI_INDEXED_MARKED, err)
                     : run_steps(x, change_step, ACI_INDEXED_LEAVING, err);
    case ACI_INDEXED_MARKED:
    case ACI_INDEXED:
        return x->on ? settle(x, err) : run_steps(x, change_step, ACI_INDEXED_LEAVING, err);
    }
    return AGENTCHAT_OK;
}

static agentchat_status index_thread(indexing *x, agentchat_error *err)
{
    const int64_t end = x->on ? ACI_INDEXED : ACI_INDEXED_NOT;
    agentchat_status status = AGENTCHAT_OK;
    unsigned turns = 0;

    do
        status = turn(x, err);
    while (status >= 0 && x->found && x->row.indexed != end && ++turns < MOST_TURNS);
    return status;
}

static agentchat_status index_all(indexing *x, agentchat_error *err)
{
    agentchat_status status = aci_steps_run(&x->steps, switch_store, x, err);
    bool more = true;

    while (status >= 0 && more) {
        aci_thread_next next = {.after = x->id, .arena = aci_arena_new(x->env, 0)};

        status = next.arena != NULL ? aci_steps_look(&x->steps, aci_rows_next_thread, &next, err) : aci_fail_nomem(err);
        if (status >= 0 && next.sound < 0)
            status = aci_fail(err, next.sound, "%s", next.why.message);
        aci_arena_unref(x->arena);
        x->arena = next.arena;
        x->id = next.id;
        x->row = next.row;
        more = x->found = status >= 0 && next.found;
        if (more)
            status = index_thread(x, err);
    }
    aci_arena_unref(x->arena);
    aci_arena_unref(x->page);
    return status;
}

agentchat_status agentchat_thread_index(agentchat_store *store, bool on, agentchat_error *err)
{
    indexing x = {.on = on, .id = AGENTCHAT_STR("")};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    x.env = store->env;
    aci_steps_begin(&x.steps, store);
    status = index_all(&x, err);
    return status < 0 ? status : AGENTCHAT_OK;
}
