/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting checkpoints and threads. */
#include "thread/thread_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/index.h"
#include "memory/memory.h"

/* ==== deleting checkpoints of a thread: by age and number, or those of a run ===================================== */

/* Which ones go is decided in one look at all of them. They are deleted in steps, each only if it still is what was
   looked at: where one was replaced meanwhile, it is decided anew. A checkpoint that is put meanwhile makes none of
   the others stay, so what comes of it is what would have come if all of them had been deleted at the moment of
   that look. Then what they alone needed is collected. */

typedef struct candidate {
    agentchat_str ns, id;
    int64_t seq, line, time_us, sum, messages;
    bool is_newest; /* of its line */
    bool is_of_run;
} candidate;

enum { MOST_LOOKS = 16 }; /* where others replace again and again what is to go */

typedef struct pruning {
    const agentchat_env *env;
    agentchat_str thread;
    agentchat_str run; /* absent: by the options */
    agentchat_thread_prune_options options;
    uint64_t removed;
    aci_steps steps;
    int64_t num;
    bool is_known; /* num */
    bool is_gone;  /* the thread of that number */
    bool is_indexed;
    /* ---- one look ---- */
    aci_arena *arena;
    candidate *list; /* by namespace and sequence number; at last those that go */
    size_t count, cap;
    size_t next;      /* that was not deleted yet */
    int64_t seq;      /* of the thread */
    int64_t last_seq; /* the newest of all that stay */
    int64_t messages; /* … and how many it has */
    size_t changed;   /* that were not what was looked at any more */
    /* ---- one step ---- */
    uint64_t deleted;
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
                       .line = row->line,
                       .time_us = row->time_us,
                       .sum = row->sum,
                       .messages = row->messages,
                       .is_of_run = p->run.ptr != NULL && agentchat_str_equal(row->run, p->run)};
    if (p->count > 0 && agentchat_str_equal(p->list[p->count - 1].ns, row->ns))
        one->ns = p->list[p->count - 1].ns;
    else
        one->ns = aci_arena_copy(p->arena, row->ns, &ok);
    one->id = aci_arena_copy(p->arena, row->id, &ok);
    p->count++;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_str line_key(const candidate *one)
{
    return (agentchat_str){(const char *)&one->line, sizeof one->line};
}

/* Marks the newest of each line among the candidates [first, last) of a namespace, which are in their order. */
static bool mark_newest(pruning *p, size_t first, size_t last)
{
    aci_index lines = {0};
    bool ok = true;

    for (size_t i = first; i < last && ok; i++)
        ok = aci_index_put(&lines, p->env, line_key(&p->list[i]), i);
    for (size_t i = first; i < last && ok; i++)
        p->list[i].is_newest = aci_index_find(&lines, line_key(&p->list[i])) == i;
    aci_index_clear(&lines, p->env);
    return ok;
}

/* ---- deciding -------------------------------------------------------------------------------------------------- */

static bool is_to_go(const pruning *p, const candidate *one, size_t newer)
{
    const agentchat_thread_prune_options *o = &p->options;

    if (p->run.ptr != NULL)
        return one->is_of_run;
    return newer > 0 && (!one->is_newest || o->branches) && (o->keep == 0 || newer >= o->keep) &&
           (o->before_us == 0 || one->time_us < o->before_us);
}

/* Leaves those in the list that go. false: out of memory. */
static bool choose(pruning *p)
{
    size_t kept = 0;
    bool ok = true;

    for (size_t first = 0, last; first < p->count; first = last) {
        for (last = first + 1; last < p->count && agentchat_str_equal(p->list[last].ns, p->list[first].ns);)
            last++;
        ok = ok && mark_newest(p, first, last);
        for (size_t i = first; i < last; i++) {
            if (is_to_go(p, &p->list[i], last - 1 - i)) {
                p->list[kept++] = p->list[i];
            } else if (p->list[i].seq > p->last_seq) {
                p->last_seq = p->list[i].seq;
                p->messages = p->list[i].messages;
            }
        }
    }
    p->count = kept;
    return ok;
}

static agentchat_status look(aci_tx *tx, void *user, agentchat_error *err)
{
    pruning *p = user;
    aci_thread_found found;
    agentchat_status status;

    aci_arena_unref(p->arena);
    p->arena = aci_arena_new(p->env, 0);
    p->count = p->next = p->changed = 0;
    p->last_seq = p->messages = 0;
    if (p->arena == NULL)
        return aci_fail_nomem(err);
    aci_rows_ask_thread(tx, ACI_THREAD_ROW, p->thread, &found);
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && !found.found && !p->is_known)
        status = aci_rows_fail_no_thread(p->thread, err);
    if (status < 0)
        return status;
    p->is_gone = p->is_known && !aci_rows_has(&found, p->num);
    if (p->is_gone)
        return AGENTCHAT_OK;
    status = aci_scan(tx, found.row.num, ACI_SCAN_OF_CHECKPOINTS, add_candidate, p, err);
    if (status < 0)
        return status;
    p->num = found.row.num;
    p->seq = found.row.seq;
    p->is_indexed = p->is_indexed || aci_terms_are_kept(&found.row);
    return choose(p) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- deleting -------------------------------------------------------------------------------------------------- */

static agentchat_status delete_checkpoints(const pruning *p, aci_tx *tx, size_t count, agentchat_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const candidate *one = &p->list[p->next + i];

        ACI_THREAD_ASK(tx, ACI_CHECKPOINT_DELETE_AS_IT_IS, NULL, NULL, ACI_INT(p->num), ACI_TEXT(one->ns),
                       ACI_INT(one->seq), ACI_INT(one->sum));
    }
    return aci_transact_run(tx, false, err);
}

/* The pending writes of those that were deleted, and no others: who has deleted a checkpoint before may have put it and
   its writes once more. */
static size_t delete_pending(const pruning *p, aci_tx *tx, const bool *was_deleted, size_t count)
{
    size_t deleted = 0;

    for (size_t i = 0; i < count; i++) {
        if (!was_deleted[i])
            continue;
        ACI_THREAD_ASK(tx, ACI_PENDING_DELETE, NULL, NULL, ACI_INT(p->num), ACI_TEXT(p->list[p->next + i].ns),
                       ACI_TEXT(p->list[p->next + i].id));
        deleted++;
    }
    return deleted;
}

/* Their words; what was compared with them adds more now. */
static void delete_terms(const pruning *p, aci_tx *tx, const bool *was_deleted, size_t count, aci_term_keys *marks)
{
    for (size_t i = 0; i < count; i++) {
        const candidate *one = &p->list[p->next + i];

        if (!was_deleted[i])
            continue;
        aci_terms_delete(tx, p->num, one->ns, one->seq);
        aci_terms_ask_followers(tx, p->num, one->ns, one->seq, marks);
    }
}

/* Deletes the next ones. The thread counts the messages of the newest of all that remain: it is looked for in the end,
   and until then the newest of those that stay is taken where nobody has put any. */
static agentchat_status delete_next(pruning *p, aci_tx *tx, aci_thread_row *thread, size_t count, aci_arena *arena,
                                    agentchat_error *err)
{
    bool *was_deleted = aci_arena_alloc(arena, count * sizeof *was_deleted);
    bool is_end = p->next + count == p->count;
    aci_checkpoint_found last = {.arena = arena};
    agentchat_status status = was_deleted != NULL ? delete_checkpoints(p, tx, count, err) : aci_fail_nomem(err);
    aci_term_keys marks = {.arena = arena};
    size_t deleted;

    if (status < 0)
        return status;
    for (size_t i = 0; i < count; i++)
        was_deleted[i] = aci_transact_changed(tx, i) > 0;
    deleted = delete_pending(p, tx, was_deleted, count);
    if (!tx->repeated || deleted > p->deleted) /* an attempt whose answer was lost may have deleted them */
        p->deleted = deleted;
    if (aci_terms_are_kept(thread))
        delete_terms(p, tx, was_deleted, count, &marks);
    if (is_end)
        ACI_THREAD_ASK(tx, ACI_CHECKPOINT_LAST, aci_rows_load_checkpoint, &last, ACI_INT(p->num));
    status = aci_steps_write(&p->steps, tx, err);
    if (is_end)
        thread->messages = last.found ? last.row.messages : 0;
    else if (thread->seq == p->seq)
        thread->messages = p->messages;
    if (status >= 0)
        aci_terms_mark_keys(tx, p->num, &marks);
    return status;
}

static agentchat_status delete_some(aci_tx *tx, void *user, agentchat_error *err)
{
    pruning *p = user;
    size_t left = p->count - p->next, count = left < p->steps.rows ? left : p->steps.rows;
    aci_arena *arena = aci_arena_new(p->env, 0);
    aci_thread_found found;
    agentchat_status status = arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_rows_ask_thread(tx, ACI_THREAD_LOCK, p->thread, &found);
    if (status >= 0)
        status = aci_steps_lock(&p->steps, tx, err);
    p->is_gone = status >= 0 && !aci_rows_has(&found, p->num);
    if (status >= 0 && !p->is_gone) {
        status = delete_next(p, tx, &found.row, count, arena, err);
        aci_rows_advance_thread(tx, p->thread, &found.row);
        if (status >= 0)
            status = aci_transact_run(tx, true, err);
        if (status >= 0) {
            p->next += count;
            p->changed += count - (size_t)p->deleted;
        }
    }
    aci_arena_unref(arena);
    return status;
}

static agentchat_status delete_all(pruning *p, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    while (status >= 0 && p->next < p->count && !p->is_gone) {
        p->deleted = 0;
        status = aci_steps_run(&p->steps, delete_some, p, err);
        p->removed += status >= 0 ? p->deleted : 0;
    }
    return status;
}

static agentchat_status prune(pruning *p, agentchat_error *err)
{
    agentchat_status status;
    unsigned looks = 0;

    do {
        status = aci_steps_look(&p->steps, look, p, err);
        p->is_known = p->is_known || status >= 0;
        if (status >= 0)
            status = delete_all(p, err);
    } while (status >= 0 && p->changed > 0 && ++looks < MOST_LOOKS);
    if (status >= 0 && !p->is_gone)
        status = aci_collect(&p->steps, p->thread, p->num, err);
    if (status >= 0 && !p->is_gone && p->is_indexed)
        status = aci_settle(&p->steps, p->thread, p->num, err);
    aci_free(p->env, p->list, p->cap * sizeof *p->list);
    aci_arena_unref(p->arena);
    return status;
}

/* ---- the public calls ------------------------------------------------------------------------------------------- */

static agentchat_status run_work(pruning *p, agentchat_store *store, uint64_t *removed, agentchat_error *err)
{
    agentchat_status status;

    aci_steps_begin(&p->steps, store);
    status = aci_rows_name_thread(prune(p, err), p->thread, AGENTCHAT_STR(""), err);
    if (removed != NULL)
        *removed = p->removed;
    if (status >= 0)
        aci_orphans_clear_all(&p->steps);
    return status < 0 ? status : AGENTCHAT_OK;
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

/* ==== deleting a thread ========================================================================================== */

/* Its row goes first, so that it is gone for everybody at once, and with it as many of its other rows as a step may
   delete; then the rest of them, in steps. Until they are gone its number is an orphan, so that another call can go
   on where this one was killed. */

typedef struct deletion {
    aci_steps steps;
    aci_thread_found thread;
    /* ---- what an attempt has deleted whose answer may be lost ---- */
    bool tried;
    int64_t tried_num;
    bool is_done; /* with all of its rows */
} deletion;

/* Nothing else of the row counts: what is damaged can be deleted too. */
static agentchat_status load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    deletion *d = user;

    d->thread.found = true;
    return aci_transact_column_integer(columns, count, 1, &d->thread.row.num, err);
}

static agentchat_status delete_row(aci_tx *tx, void *user, agentchat_error *err)
{
    deletion *d = user;
    agentchat_status status;

    d->thread.found = false;
    aci_transact_also(tx, &aci_memory_service);
    ACI_THREAD_ASK(tx, ACI_THREAD_LOCK, load_number, d, ACI_TEXT(d->thread.id));
    status = aci_steps_lock(&d->steps, tx, err);
    if (status < 0)
        return status;
    if (tx->repeated && d->tried && (!d->thread.found || d->thread.row.num != d->tried_num))
        return AGENTCHAT_OK; /* that attempt has done it; what is there now is another thread */
    if (!d->thread.found)
        return aci_rows_fail_no_thread(d->thread.id, err);
    d->tried = true;
    d->tried_num = d->thread.row.num;
    status = aci_work_drop(tx, d->thread.id, err);
    if (status < 0)
        return status;
    ACI_THREAD_ASK(tx, ACI_THREAD_DELETE, NULL, NULL, ACI_TEXT(d->thread.id));
    status = aci_orphans_clear_some(&d->steps, tx, d->tried_num, &d->is_done, err);
    if (status >= 0 && !d->is_done)
        aci_orphans_put(tx, ACI_ORPHAN_INSERT, d->tried_num, 0);
    if (status >= 0)
        status = aci_steps_write(&d->steps, tx, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

agentchat_status agentchat_thread_delete(agentchat_store *store, const char *thread, agentchat_error *err)
{
    deletion d = {.tried = false};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_rows_check_thread(thread, &d.thread.id, err);
    if (status < 0)
        return status;
    aci_steps_begin(&d.steps, store);
    status = aci_steps_run(&d.steps, delete_row, &d, err);
    if (status >= 0 && !d.is_done)
        status = aci_orphans_clear(&d.steps, d.tried_num, err);
    if (status >= 0 || status == AGENTCHAT_E_NOTFOUND) /* perhaps a call before this one was killed on its way */
        aci_orphans_clear_all(&d.steps);
    return status < 0 ? status : AGENTCHAT_OK;
}
