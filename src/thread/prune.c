/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting checkpoints of a thread: by age and number, or those of a run. */
#include "thread/collect.h"
#include "thread/scan.h"

#include "base/buf.h"
#include "base/error.h"

typedef struct candidate {
    agentchat_str ns, id;
    int64_t seq, parent_seq, time_us;
    bool has_child;
    bool is_of_run;
} candidate;

typedef struct pruning {
    const agentchat_env *env;
    agentchat_str thread;
    agentchat_str run; /* absent: by the options */
    agentchat_thread_prune_options options;
    uint64_t removed;
    /* ---- one attempt ---- */
    aci_tx *tx;
    aci_thread_found found;
    aci_arena *arena;
    candidate *list; /* by namespace and sequence number */
    size_t count, cap;
} pruning;

/* ---- what is there --------------------------------------------------------------------------------------------- */

static agentchat_status add_candidate(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    pruning *p = user;
    const aci_checkpoint_row *row = found;
    void *list = p->list;
    bool ok = true;
    candidate *one;

    (void)arena;
    if (!aci_grow(p->env, &list, &p->cap, p->count, sizeof *p->list))
        return aci_fail_nomem(err);
    p->list = list;
    one = &p->list[p->count];
    *one = (candidate){.seq = row->seq,
                       .parent_seq = row->parent_seq,
                       .time_us = row->time_us,
                       .is_of_run = p->run.ptr != NULL && agentchat_str_equal(row->run, p->run)};
    if (p->count > 0 && agentchat_str_equal(p->list[p->count - 1].ns, row->ns))
        one->ns = p->list[p->count - 1].ns;
    else
        one->ns = aci_arena_copy(p->arena, row->ns, &ok);
    one->id = aci_arena_copy(p->arena, row->id, &ok);
    p->count++;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* Marks the parents among the candidates [first, last) of a namespace. */
static void mark_parents(pruning *p, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        size_t low = first, high = i;

        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (p->list[middle].seq < p->list[i].parent_seq)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < i && p->list[low].seq == p->list[i].parent_seq)
            p->list[low].has_child = true;
    }
}

/* ---- deleting -------------------------------------------------------------------------------------------------- */

static bool is_to_go(const pruning *p, const candidate *one, size_t newer)
{
    const agentchat_thread_prune_options *o = &p->options;

    if (p->run.ptr != NULL)
        return one->is_of_run;
    return newer > 0 && (one->has_child || o->branches) && (o->keep == 0 || newer >= o->keep) &&
           (o->before_us == 0 || one->time_us < o->before_us);
}

static void remove_one(pruning *p, const candidate *one)
{
    aci_thread_statement_add(p->tx, ACI_CHECKPOINT_DELETE, NULL, NULL);
    aci_transact_integer(p->tx, p->found.row.num);
    aci_transact_text(p->tx, one->ns);
    aci_transact_integer(p->tx, one->seq);
    aci_thread_statement_add(p->tx, ACI_PENDING_DELETE, NULL, NULL);
    aci_transact_integer(p->tx, p->found.row.num);
    aci_transact_text(p->tx, one->ns);
    aci_transact_text(p->tx, one->id);
}

/* Returns how many were removed. */
static uint64_t remove_candidates(pruning *p)
{
    uint64_t removed = 0;

    for (size_t first = 0, last; first < p->count; first = last) {
        for (last = first + 1; last < p->count && agentchat_str_equal(p->list[last].ns, p->list[first].ns);)
            last++;
        mark_parents(p, first, last);
        for (size_t i = first; i < last; i++) {
            if (!is_to_go(p, &p->list[i], last - 1 - i))
                continue;
            remove_one(p, &p->list[i]);
            removed++;
        }
    }
    return removed;
}

static agentchat_status prune(pruning *p, agentchat_error *err)
{
    uint64_t removed;
    agentchat_status status;

    p->found = (aci_thread_found){.id = p->thread};
    p->count = 0;
    aci_thread_statement_add(p->tx, ACI_THREAD_LOCK, aci_rows_load_thread, &p->found);
    aci_transact_text(p->tx, p->thread);
    status = aci_transact_run(p->tx, false, err);
    if (status >= 0 && !p->found.found)
        status = aci_rows_fail_no_thread(p->thread, err);
    if (status >= 0)
        status = aci_scan(p->tx, p->found.row.num, ACI_SCAN_OF_CHECKPOINTS, add_candidate, p, err);
    if (status < 0)
        return status;
    removed = remove_candidates(p);
    if (p->tx->repeated && removed < p->removed)
        removed = p->removed; /* an attempt whose answer was lost has removed them */
    p->removed = removed;
    status = aci_collect(p->tx, &p->found.row, err);
    if (status >= 0)
        status = aci_rows_advance_thread(p->tx, p->thread, &p->found.row, err);
    return status < 0 ? status : aci_transact_run(p->tx, true, err);
}

static agentchat_status prune_work(aci_tx *tx, void *user, agentchat_error *err)
{
    pruning *p = user;
    agentchat_status status;

    p->tx = tx;
    p->arena = aci_arena_new(p->env, 0);
    status = p->arena != NULL ? prune(p, err) : aci_fail_nomem(err);
    aci_free(p->env, p->list, p->cap * sizeof *p->list);
    p->list = NULL;
    p->cap = 0;
    aci_arena_unref(p->arena);
    return status;
}

/* ---- the public calls ------------------------------------------------------------------------------------------- */

static agentchat_status run_work(pruning *p, agentchat_store *store, uint64_t *removed, agentchat_error *err)
{
    aci_sql_call call = aci_call_begin(store, true); /* as long as the thread is */
    agentchat_status status = aci_transact_in(store, &call, true, prune_work, p, err);

    if (status >= 0 && removed != NULL)
        *removed = p->removed;
    return status;
}

void agentchat_thread_prune_options_init(agentchat_thread_prune_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_thread_prune(agentchat_store *store, const char *thread,
                                        const agentchat_thread_prune_options *options, uint64_t *removed,
                                        agentchat_error *err)
{
    pruning p = {.removed = 0};
    agentchat_status status;

    agentchat_error_clear(err);
    if (removed != NULL)
        *removed = 0;
    if (store == NULL)
        return aci_fail_null(err, "store");
    p.env = store->env;
    status = aci_env_options_load(&p.options, sizeof p.options, options, err);
    if (status >= 0)
        status = aci_rows_check_thread(thread, &p.thread, err);
    if (status < 0)
        return status;
    if (p.options.keep == 0 && p.options.before_us == 0)
        return aci_fail(err, AGENTCHAT_E_INVALID,
                        "pruning needs to know how many checkpoints stay, or which age they may have");
    return run_work(&p, store, removed, err);
}

agentchat_status agentchat_thread_delete_run(agentchat_store *store, const char *thread, const char *run,
                                             uint64_t *removed, agentchat_error *err)
{
    pruning p = {.removed = 0};
    agentchat_status status;

    agentchat_error_clear(err);
    if (removed != NULL)
        *removed = 0;
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (run == NULL)
        return aci_fail_null(err, "run");
    p.env = store->env;
    status = aci_rows_check_thread(thread, &p.thread, err);
    if (status >= 0)
        status = aci_rows_check_optional(run, "run", &p.run, err);
    return status < 0 ? status : run_work(&p, store, removed, err);
}
