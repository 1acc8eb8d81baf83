/* SPDX-License-Identifier: Apache-2.0 */
/* Putting a checkpoint: the transaction. */
#include "thread/thread.h"

#include "base/error.h"
#include "base/ids.h"
#include "memory/memory.h"
#include "thread/thread_internal.h"
#include "json/value.h"
#include <string.h>

/* Of what a put adds to an index of words while others wait. */
enum { MOST_BYTES = 1 << 20, MOST_WORDS = 10000 };

/* One attempt. */
typedef struct attempt {
    aci_put *put;
    aci_tx *tx;
    aci_thread_found thread;
    aci_checkpoint_found newest, same, parent; /* same: of the id that is put */
    aci_checkpoint_found line_newest;          /* of the parent's line */
    aci_checkpoint_found lost, line_next;      /* of an earlier put; what comes after the remembered one */
    aci_consumption consumption;               /* pending writes of the parent */
    aci_bodies bodies;
    aci_thread_plan plan;
    aci_queueing queueing;
    aci_term_set words; /* of what the checkpoint adds, where the thread is indexed */
} attempt;

/* ---- the first batch ------------------------------------------------------------------------------------------ */

static void ask_checkpoint(attempt *a, aci_thread_statement which, agentchat_str id, aci_sql_row_fn row, void *user)
{
    ACI_THREAD_ASK(a->tx, which, row, user, ACI_TEXT(a->put->thread), ACI_TEXT(a->put->ns));
    if (id.ptr != NULL)
        aci_transact_text(a->tx, id);
}

/* The pending writes of the checkpoint that is followed, in the same batch. */
static void ask_pending(attempt *a)
{
    a->consumption = (aci_consumption){.arena = a->plan.arena, .consumer = a->put->id, .answered = a->put->answered};
    if (!a->put->options.no_parent)
        ask_checkpoint(a, a->put->parent.ptr != NULL ? ACI_PENDING_ROWS : ACI_PENDING_NEWEST, a->put->parent,
                       aci_pending_load_consumed, &a->consumption);
}

static void ask_lost(attempt *a)
{
    const aci_put *put = a->put;
    const aci_memory *memory = put->memory;
    static const agentchat_str none = {NULL, 0};

    ask_checkpoint(a, ACI_CHECKPOINT_BY_ID, agentchat_str_from(put->lost->id), aci_rows_load_checkpoint, &a->lost);
    ask_checkpoint(a, memory != NULL ? ACI_CHECKPOINT_LINE_NEXT : ACI_CHECKPOINT_FIRST, none, aci_rows_load_checkpoint,
                   &a->line_next);
    if (memory != NULL)
        ACI_BIND(a->tx, ACI_INT(memory->line), ACI_INT(memory->seq));
}

static agentchat_status look(attempt *a, agentchat_error *err)
{
    static const agentchat_str none = {NULL, 0};
    aci_put *put = a->put;

    a->thread.id = put->thread;
    a->newest.arena = a->same.arena = a->parent.arena = a->line_newest.arena = a->plan.arena;
    a->lost.arena = a->line_next.arena = a->plan.arena;
    ACI_THREAD_ASK(a->tx, ACI_THREAD_LOCK, aci_rows_load_thread, &a->thread, ACI_TEXT(put->thread));
    if (put->parent.ptr == NULL || put->expect.ptr != NULL || put->options.expect_none)
        ask_checkpoint(a, ACI_CHECKPOINT_NEWEST, none, aci_rows_load_checkpoint, &a->newest);
    if (put->id.ptr != put->made || a->tx->repeated) /* nobody else has an id that was made */
        ask_checkpoint(a, ACI_CHECKPOINT_BY_ID, put->id, aci_rows_load_checkpoint, &a->same);
    if (put->parent.ptr != NULL)
        ask_checkpoint(a, ACI_CHECKPOINT_BY_ID, put->parent, aci_rows_load_checkpoint, &a->parent);
    if (put->lost != NULL && put->found.outcome == ACI_LOST_UNKNOWN)
        ask_lost(a);
    ask_pending(a);
    aci_work_ask(a->tx, &a->queueing, a->plan.arena);
    return aci_transact_run(a->tx, false, err);
}

/* The lost put is what the chat stands on, or it was none. */
static agentchat_status find_lost(attempt *a, agentchat_error *err)
{
    aci_put *put = a->put;
    agentchat_status status;

    if (put->lost == NULL || put->found.outcome != ACI_LOST_UNKNOWN)
        return AGENTCHAT_OK;
    status = aci_thread_memory_decide_lost(put->lost, a->lost.found ? &a->lost.row : NULL, put->memory,
                                           a->line_next.found ? &a->line_next.row : NULL, true, &put->found, err);
    if (status == AGENTCHAT_E_CONFLICT &&
        put->options.branch) { /* whatever became of it, this one is a line of its own */
        put->found.outcome = ACI_LOST_NOT_PUT;
        if (err != NULL)
            agentchat_error_clear(err);
        status = AGENTCHAT_OK;
    }
    if (status < 0 || put->found.outcome != ACI_LOST_PUT)
        return status;
    put->memory = &put->found.memory;
    put->parent = put->memory->id;
    put->options.expect_none = false;
    put->options.branch = put->options.branch && !put->lost->branch;
    a->newest.found = a->parent.found = false;
    return look(a, err);
}

/* A thread that is not there is made; somebody else may make it at the same moment. */
static agentchat_status make_thread(attempt *a, agentchat_error *err)
{
    aci_thread_row row = {.created_us = aci_now_us(a->put->store->env)};
    agentchat_status status = aci_rows_new_number(a->put->store->env, &row.num, err);

    row.updated_us = row.created_us;
    if (status < 0)
        return status;
    aci_rows_insert_thread(a->tx, a->put->thread, &row);
    status = look(a, err); /* whoever made it holds the lock until everything of it can be seen */
    if (status >= 0 && !a->thread.found)
        status = aci_fail(err, AGENTCHAT_E_INTERNAL, "a thread that was made cannot be found");
    return status;
}

/* ---- the second batch, which asks what the plan needs, too ------------------------------------------------------- */

/* Nothing follows what the thread has given its highest number. */
static void ask_followers(attempt *a)
{
    static const agentchat_str none = {NULL, 0};
    const aci_put *put = a->put;

    if (a->same.found || put->parent.ptr == NULL || (a->parent.found && a->parent.row.seq == a->thread.row.seq))
        return;
    if (!a->newest.found)
        ask_checkpoint(a, ACI_CHECKPOINT_NEWEST, none, aci_rows_load_checkpoint, &a->newest);
    if (a->parent.found) {
        ask_checkpoint(a, ACI_CHECKPOINT_LINE_NEWEST, none, aci_rows_load_checkpoint, &a->line_newest);
        aci_transact_integer(a->tx, a->parent.row.line);
    }
}

/* ---- deciding ------------------------------------------------------------------------------------------------- */

static agentchat_status check_expected(const attempt *a, agentchat_error *err)
{
    const aci_put *put = a->put;
    aci_excerpt is, expected;

    if (put->options.expect_none && a->newest.found)
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "the newest checkpoint is %s; there should be none%s%s",
                        aci_error_excerpt(a->newest.row.id, &is), put->advice != NULL ? "; " : "",
                        put->advice != NULL ? put->advice : "");
    if (put->expect.ptr == NULL || (a->newest.found && agentchat_str_equal(a->newest.row.id, put->expect)))
        return AGENTCHAT_OK;
    if (!a->newest.found)
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "there is no checkpoint, and %s is expected to be the newest",
                        aci_error_excerpt(put->expect, &expected));
    return aci_fail(err, AGENTCHAT_E_CONFLICT, "the newest checkpoint is %s, not %s as is expected",
                    aci_error_excerpt(a->newest.row.id, &is), aci_error_excerpt(put->expect, &expected));
}

/* Whether the parent is another one than the newest of its line. */
static bool is_followed(const attempt *a)
{
    return a->line_newest.found && a->line_newest.row.seq != a->parent.row.seq;
}

static agentchat_status fail_parent(const attempt *a, const char *what, const char *advice, agentchat_error *err)
{
    aci_excerpt excerpt;

    return aci_fail(err, AGENTCHAT_E_CONFLICT, "checkpoint %s %s; %s", aci_error_excerpt(a->put->parent, &excerpt),
                    what, a->put->advice != NULL ? a->put->advice : advice);
}

static agentchat_status check_parent(const attempt *a, agentchat_error *err)
{
    const aci_memory *memory = a->put->memory;

    if (a->put->options.branch || a->put->parent.ptr == NULL)
        return AGENTCHAT_OK;
    if (!a->parent.found && (memory != NULL || a->newest.found))
        return fail_parent(a, "is not there any more", "read the newest one first, or put a branch", err);
    if (a->parent.found && is_followed(a))
        return fail_parent(a, "has been followed by another one", "read that first, or put a branch", err);
    if (memory != NULL && !aci_thread_memory_fits(memory, &a->parent.row))
        return fail_parent(a, "has been replaced", "read it first, or put a branch", err);
    return AGENTCHAT_OK;
}

static agentchat_status decide(attempt *a, agentchat_error *err)
{
    agentchat_status status;

    if (a->same.found) /* whether it is the same is decided when its contents are known */
        return AGENTCHAT_OK;
    status = check_parent(a, err);
    return status < 0 ? status : check_expected(a, err);
}

/* What a live chat remembers is of a thread that may be gone, and another may have its name. */
static agentchat_status check_thread(attempt *a, agentchat_error *err)
{
    aci_put *put = a->put;

    if (put->memory == NULL || (a->thread.found && a->thread.row.num == put->memory->num))
        return AGENTCHAT_OK;
    if (a->thread.found || !put->may_begin || put->options.branch)
        return aci_thread_memory_fail_gone(put->thread, a->thread.found, err);
    put->memory = NULL;
    put->found.outcome = ACI_LOST_NOT_PUT;
    return AGENTCHAT_OK;
}

/* ---- contents ------------------------------------------------------------------------------------------------- */

/* What the new checkpoint is compared with, and, where it is remembered, what that is as a snapshot. */
static agentchat_status plan_it(attempt *a, agentchat_error *err)
{
    const aci_put *put = a->put;
    const agentchat_snapshot *held = NULL;
    const aci_checkpoint_found *from = a->same.found ? &a->same : &a->parent;
    aci_contents *base = NULL;
    agentchat_status status = AGENTCHAT_OK;

    if (from->found)
        status = aci_contents_read(put->store->env, from->row.contents, a->plan.arena, &base, err);
    if (status < 0)
        return status;
    if (from->found && put->memory != NULL && aci_thread_memory_fits(put->memory, &from->row))
        held = put->memory->snapshot;
    if (held == NULL) {
        status = aci_thread_plan_elements(&a->plan, put->snapshot, err);
        if (status >= 0 && base != NULL)
            status = aci_numbers_read_lists(a->tx, a->thread.row.num, base, a->plan.arena, NULL, err);
        if (status >= 0 && base != NULL)
            status = aci_numbers_match(a->tx, a->thread.row.num, base, &a->bodies, err);
    }
    return status < 0 ? status : aci_thread_plan_make(&a->plan, put->snapshot, base, held, err);
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

static void fill_row(attempt *a)
{
    aci_put *put = a->put;
    aci_checkpoint_row *row = &put->row;

    *row = (aci_checkpoint_row){.num = a->thread.row.num,
                                .seq = a->same.found ? a->same.row.seq : a->thread.row.seq + 1,
                                .written = a->thread.row.seq + 1,
                                .step = put->options.step,
                                .has_step = put->options.has_step,
                                .time_us = put->options.time_us,
                                .messages = (int64_t)put->snapshot->history.count,
                                .ns = put->ns,
                                .id = put->id,
                                .source = put->source,
                                .run = put->run,
                                .meta = put->metadata,
                                .contents = aci_buf_str(&put->contents)};
    if (row->time_us == 0)
        row->time_us = a->same.found ? a->same.row.time_us : aci_now_us(put->store->env);
    row->parent = put->parent;
    if (a->same.found && put->parent.ptr == NULL) { /* where it stands is not said again */
        row->parent = a->same.row.parent;
        row->parent_seq = a->same.row.parent_seq;
        row->branch = a->same.row.branch;
    } else if (a->parent.found) {
        row->parent = a->parent.row.id;
        row->parent_seq = a->parent.row.seq;
        row->branch = a->same.found || (a->newest.found && a->newest.row.seq != a->parent.row.seq);
    }
    if (a->same.found) /* one that is replaced stands where it stood */
        row->line = a->same.row.line;
    else
        row->line = put->options.branch || !a->parent.found ? row->seq : a->parent.row.line;
}

static bool is_same(const aci_checkpoint_row *a, const aci_checkpoint_row *b)
{
    return a->has_step == b->has_step && a->step == b->step && a->time_us == b->time_us &&
           agentchat_str_equal(a->parent, b->parent) && agentchat_str_equal(a->source, b->source) &&
           agentchat_str_equal(a->run, b->run) && agentchat_str_equal(a->meta, b->meta) &&
           agentchat_str_equal(a->contents, b->contents);
}

/* A checkpoint that takes the place of another one, and what was compared with that. */
static agentchat_status mark_replaced(attempt *a, agentchat_error *err)
{
    const aci_checkpoint_row *row = &a->put->row;
    aci_term_keys keys = {.arena = a->plan.arena};
    agentchat_status status;

    aci_terms_ask_followers(a->tx, row->num, row->ns, row->seq, &keys);
    status = aci_transact_run(a->tx, false, err);
    if (status < 0)
        return status;
    aci_terms_delete(a->tx, row->num, row->ns, row->seq);
    aci_terms_mark(a->tx, row->num, row->ns, row->seq);
    aci_terms_mark_keys(a->tx, row->num, &keys);
    return AGENTCHAT_OK;
}

/* Of the messages that its history does not have from that of the parent. Others wait meanwhile: where they are many,
   the checkpoint is marked, and searches look at it until its words are added (index.c). */
static agentchat_status write_words(attempt *a, agentchat_error *err)
{
    const aci_checkpoint_row *row = &a->put->row;
    const aci_planned_list *history = a->plan.lists;
    aci_list_cursor cursor;
    size_t first = history->prefix.seg != 0 ? (size_t)aci_range_length(history->prefix) : 0, bytes = 0;

    aci_list_cursor_begin(&cursor, &a->put->snapshot->history);
    for (size_t i = 0; i < history->middle_count && bytes <= MOST_BYTES && a->words.count <= MOST_WORDS; i++) {
        bytes += a->bodies.list[history->middle[i]].bytes.len;
        if (bytes <= MOST_BYTES && !aci_term_set_add(&a->words, aci_list_cursor_at(&cursor, first + i)))
            return aci_fail_nomem(err);
    }
    if (bytes > MOST_BYTES || a->words.count > MOST_WORDS) {
        aci_terms_mark(a->tx, row->num, row->ns, row->seq);
        return AGENTCHAT_OK;
    }
    for (size_t i = 0; i < a->words.count; i++)
        aci_terms_insert(a->tx, &(aci_term_row){row->num, row->seq, row->ns, a->words.list[i]});
    return AGENTCHAT_OK;
}

/* A thread is indexed from its first checkpoint on where the store's new threads are. */
static agentchat_status write_terms(attempt *a, agentchat_error *err)
{
    aci_thread_row *thread = &a->thread.row;

    if (thread->seq == 0 && thread->indexed == ACI_INDEXED_NOT && a->thread.wants_index != 0)
        thread->indexed = ACI_INDEXED;
    if (!aci_terms_are_kept(thread))
        return AGENTCHAT_OK;
    if (a->same.found)
        return mark_replaced(a, err);
    return aci_term_set_begin(&a->words, a->put->store->env) ? write_words(a, err) : aci_fail_nomem(err);
}

static agentchat_status write_all(attempt *a, agentchat_error *err)
{
    aci_put *put = a->put;
    aci_thread_row *thread = &a->thread.row;
    int64_t now = aci_now_us(put->store->env);
    agentchat_status status = write_terms(a, err);

    if (status < 0)
        return status;
    if (a->same.found) {
        thread->replaced++;
        ACI_THREAD_ASK(a->tx, ACI_CHECKPOINT_DELETE, NULL, NULL, ACI_INT(thread->num), ACI_TEXT(put->ns),
                       ACI_INT(put->row.seq));
    }
    thread->seq = put->row.written;
    thread->messages = put->row.messages;
    thread->updated_us = now > thread->updated_us ? now : thread->updated_us;
    aci_pending_consume(&a->consumption, a->tx, put->row.parent, !a->same.found && put->row.line != put->row.seq);
    aci_rows_insert_checkpoint(a->tx, &put->row);
    aci_rows_advance_thread(a->tx, put->thread, thread);
    aci_work_put(a->tx, &a->queueing);
    put->is_uncertain = !a->tx->failed;
    return aci_transact_run(a->tx, true, err);
}

/* Until the plan's contents are complete and its rows are queued. */
static agentchat_status prepare(attempt *a, agentchat_error *err)
{
    aci_resolving resolving = {.tx = a->tx, .thread = &a->thread.row, .plan = &a->plan};
    agentchat_status status = look(a, err);

    if (status >= 0)
        status = check_thread(a, err);
    if (status >= 0 && !a->thread.found)
        status = make_thread(a, err);
    if (status >= 0)
        status = find_lost(a, err);
    if (status < 0)
        return status;
    if (a->put->parent.ptr == NULL && !a->put->options.no_parent)
        a->parent = a->newest;
    status = plan_it(a, err);
    if (status < 0)
        return status;
    ask_followers(a);
    status = aci_resolve_ask(&resolving, err);
    if (status >= 0)
        status = decide(a, err);
    if (status >= 0)
        status = aci_resolve(&resolving, err);
    aci_resolve_clear(&resolving);
    return status;
}

static agentchat_status put_in(attempt *a, agentchat_error *err)
{
    aci_put *put = a->put;
    aci_excerpt excerpt;
    agentchat_status status = prepare(a, err);

    if (status < 0)
        return status;
    put->contents.len = 0;
    if (!aci_contents_write(a->plan.contents, &put->contents))
        return aci_fail_nomem(err);
    fill_row(a);
    if (a->same.found && is_same(&put->row, &a->same.row))
        return AGENTCHAT_OK; /* nothing was written yet but bodies that it has, too */
    if (a->same.found && !put->options.replace)
        return aci_fail(err, AGENTCHAT_E_EXISTS, "there is another checkpoint %s already",
                        aci_error_excerpt(put->id, &excerpt));
    return write_all(a, err);
}

static agentchat_status put_work(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_put *put = user;
    const agentchat_env *env = put->store->env;
    attempt a = {.put = put, .tx = tx, .queueing = {.thread = put->thread}};
    agentchat_status status = AGENTCHAT_OK;

    a.queueing.requests = put->options.work;
    a.queueing.count = put->options.work_count;
    if (a.queueing.count > 0)
        aci_transact_also(tx, &aci_memory_service);
    a.plan.env = env;
    a.plan.bodies = &a.bodies;
    a.plan.arena = aci_arena_new(env, 0);
    if (!aci_bodies_begin(&a.bodies, env) || a.plan.arena == NULL)
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = put_in(&a, err);
    aci_term_set_clear(&a.words);
    aci_bodies_clear(&a.bodies);
    aci_arena_unref(a.plan.arena);
    return status;
}

/* ---- the public call ------------------------------------------------------------------------------------------ */

static agentchat_status check_metadata(aci_put *put, agentchat_error *err)
{
    const agentchat_env *env = put->store->env;
    aci_json_kind kind = ACI_JSON_OBJECT;
    agentchat_status status;

    if (put->options.metadata.ptr == NULL) {
        put->metadata = AGENTCHAT_STR("{}");
        return AGENTCHAT_OK;
    }
    status = aci_json_check(env, put->options.metadata, env->limits.max_depth, &put->metadata, &kind, err);
    if (status >= 0 && kind == ACI_JSON_OBJECT)
        return AGENTCHAT_OK;
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return status;
    if (err != NULL)
        agentchat_error_clear(err);
    return aci_fail(err, AGENTCHAT_E_INVALID, "the metadata of a checkpoint must be a JSON object");
}

static agentchat_status check_options(aci_put *put, agentchat_error *err)
{
    const agentchat_checkpoint_put_options *o = &put->options;
    agentchat_status status = aci_rows_check_namespace(o->ns, &put->ns, err);

    if (status >= 0)
        status = aci_rows_check_optional(o->id, "checkpoint", &put->id, err);
    if (status >= 0)
        status = aci_rows_check_optional(o->parent, "parent", &put->parent, err);
    if (status >= 0)
        status = aci_rows_check_optional(o->expect, "expected checkpoint", &put->expect, err);
    if (status >= 0)
        status = aci_rows_check_optional(o->source, "source", &put->source, err);
    if (status >= 0)
        status = aci_rows_check_optional(o->run, "run", &put->run, err);
    if (status >= 0)
        status = check_metadata(put, err);
    if (status >= 0)
        status = aci_work_check(o->work, o->work_count, err);
    if (status < 0)
        return status;
    if (o->no_parent && o->parent != NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a checkpoint has a parent or none, not both");
    if (o->expect_none && o->expect != NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a newest checkpoint is expected or none, not both");
    return AGENTCHAT_OK;
}

agentchat_status aci_put_begin(aci_put *put, agentchat_store *store, const char *thread,
                               const agentchat_snapshot *snapshot, const agentchat_checkpoint_put_options *options,
                               agentchat_error *err)
{
    agentchat_status status;

    memset(put, 0, sizeof *put);
    if (store == NULL || snapshot == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "snapshot");
    put->store = store;
    put->snapshot = snapshot;
    aci_buf_init(&put->contents, store->env, SIZE_MAX);
    status = aci_env_options_load(&put->options, sizeof put->options, options, err);
    if (status >= 0)
        status = aci_rows_check_thread(thread, &put->thread, err);
    if (status >= 0)
        status = check_options(put, err);
    if (status < 0 || put->id.ptr != NULL)
        return status;
    status = aci_id_new_ordered(store->env, put->made, err);
    put->id = agentchat_str_from(put->made);
    return status;
}

agentchat_status aci_put_run(aci_put *put, agentchat_error *err)
{
    agentchat_status status = aci_transact(put->store, true, put_work, put, err);

    put->is_uncertain = put->is_uncertain && status < 0 && status != AGENTCHAT_E_CONFLICT &&
                        status != AGENTCHAT_E_NOTFOUND && status != AGENTCHAT_E_EXISTS;
    return aci_rows_name_damage(status, put->thread, put->ns, put->options.no_parent ? put->id : put->parent, err);
}

void aci_put_clear(aci_put *put)
{
    if (put->store != NULL)
        aci_buf_clear(&put->contents);
}

void agentchat_checkpoint_put_options_init(agentchat_checkpoint_put_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_checkpoint_put(agentchat_store *store, const char *thread,
                                          const agentchat_snapshot *snapshot,
                                          const agentchat_checkpoint_put_options *options, char id[AGENTCHAT_ID_SIZE],
                                          agentchat_error *err)
{
    aci_put put;
    agentchat_status status;

    agentchat_error_clear(err);
    if (id != NULL)
        id[0] = '\0';
    status = aci_put_begin(&put, store, thread, snapshot, options, err);
    if (status >= 0)
        status = aci_put_run(&put, err);
    if (status >= 0 && id != NULL)
        memcpy(id, put.id.ptr, put.id.len + 1); /* every name here ends with a NUL */
    aci_put_clear(&put);
    return status < 0 ? status : AGENTCHAT_OK;
}
