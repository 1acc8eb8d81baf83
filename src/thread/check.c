/* SPDX-License-Identifier: Apache-2.0 */
/* Checking the threads of a store. */
#include "thread/thread.h"

#include "base/buf.h"
#include "base/error.h"
#include "store/core/sql.h"
#include "thread/thread_internal.h"
#include <inttypes.h>
#include <string.h>

/* ==== whether the checkpoints of a thread can be read ============================================================ */

/* A checkpoint whose lists have more than so many times as many elements as the thread has bodies is read in full, for
   the limits. */
enum { MOST_ALONG = 64 };

typedef enum body_kind { IS_MESSAGE, IS_ELEMENT, IS_VALUE, IS_TEXT, IS_JSON_TEXT, IS_BYTES } body_kind;

typedef struct wanted_body {
    int64_t no;
    body_kind kind;
} wanted_body;

typedef struct contents_check {
    aci_readable *readable;
    aci_tx *tx;
    const agentchat_env *env;
    aci_arena *arena;
    int64_t num;
    aci_loading frames, bodies;
    aci_intervals fresh[2]; /* of messages, of values */
    aci_number_set messages;
    wanted_body *wanted; /* that are no messages */
    size_t wanted_count, wanted_cap;
    int64_t elements;
} contents_check;

static void check_contents_clear(aci_readable *readable, const agentchat_env *env)
{
    aci_intervals_clear(&readable->messages, env);
    aci_intervals_clear(&readable->values, env);
    aci_index_clear(&readable->bodies, env);
    aci_arena_unref(readable->arena);
    *readable = (aci_readable){.is_large = readable->is_large};
}

/* ---- what is wanted ---------------------------------------------------------------------------------------------- */

/* Wants a body that was not read as that kind yet. */
static bool want_body(contents_check *c, int64_t no, body_kind kind)
{
    const int64_t key[2] = {no, (int64_t)kind};
    agentchat_str text = {(const char *)key, sizeof key};
    void *wanted = c->wanted;
    bool ok = true;

    if (aci_index_find(&c->readable->bodies, text) != ACI_INDEX_NONE)
        return true;
    text = aci_arena_copy(c->readable->arena, text, &ok);
    if (!ok || !aci_index_put(&c->readable->bodies, c->env, text, 0))
        return false;
    if (kind == IS_MESSAGE)
        return aci_numbers_add(&c->messages, c->env, &no, 1);
    if (!aci_grow(c->env, &wanted, &c->wanted_cap, c->wanted_count, sizeof *c->wanted))
        return false;
    c->wanted = wanted;
    c->wanted[c->wanted_count++] = (wanted_body){no, kind};
    return aci_numbers_add(&c->bodies.set, c->env, &no, 1);
}

static bool want_list(contents_check *c, aci_range range, bool is_of_messages)
{
    aci_readable *readable = c->readable;

    c->elements += aci_range_length(range);
    return aci_intervals_take(is_of_messages ? &readable->messages : &readable->values, c->env, range,
                              &c->fresh[!is_of_messages]);
}

static bool want_frames(contents_check *c, const aci_contents *contents)
{
    bool ok = aci_numbers_add(&c->frames.set, c->env, &contents->frame, 1);

    for (size_t i = 0; i < contents->channel_count && ok; i++)
        if (contents->channels[i].kind == ACI_PART_CHAT)
            ok = want_frames(c, contents->channels[i].chat);
    return ok;
}

static agentchat_status want_chat(contents_check *c, const aci_contents *contents, agentchat_error *err);

static agentchat_status want_channel(contents_check *c, const aci_part *part, const agentchat_channel_state *channel,
                                     size_t history, agentchat_error *err)
{
    bool is_data = channel->kind == AGENTCHAT_CHANNEL_TEXT || channel->kind == AGENTCHAT_CHANNEL_BYTES;
    body_kind kind = channel->kind == AGENTCHAT_CHANNEL_BYTES ? IS_BYTES
                     : channel->spelling == ACI_SPELLED_RAW   ? IS_JSON_TEXT
                                                              : IS_TEXT;
    size_t pending;

    if (!aci_loading_part_fits(part, history, &pending) ||
        (is_data && part->kind != ACI_PART_NONE && part->kind != ACI_PART_BODY) ||
        (channel->kind == AGENTCHAT_CHANNEL_MESSAGES && part->kind != ACI_PART_LIST) ||
        (channel->kind == AGENTCHAT_CHANNEL_CHAT && part->kind != ACI_PART_CHAT))
        return aci_loading_fail_frame(err);
    if (part->kind == ACI_PART_CHAT)
        return want_chat(c, part->chat, err);
    if (part->kind == ACI_PART_LIST ? want_list(c, part->list, true)
                                    : part->kind == ACI_PART_NONE || want_body(c, part->body, kind))
        return AGENTCHAT_OK;
    return aci_fail_nomem(err);
}

static agentchat_status want_value(contents_check *c, const aci_part *part, const aci_value *value,
                                   agentchat_error *err)
{
    bool ok;

    if (part->kind == ACI_PART_LIST && value->media_type.ptr == NULL)
        ok = want_list(c, part->list, false);
    else if (part->kind == ACI_PART_BODY)
        ok = want_body(c, part->body, value->media_type.ptr == NULL ? IS_VALUE : IS_BYTES);
    else
        return aci_loading_fail_frame(err);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* What its frame says that there is. */
static agentchat_status want_chat(contents_check *c, const aci_contents *contents, agentchat_error *err)
{
    size_t history = (size_t)aci_range_length(contents->history);
    agentchat_snapshot *frame = NULL;
    agentchat_str text = {NULL, 0};
    agentchat_status status = aci_loading_find(&c->frames, contents->frame, &text, err);

    if (status >= 0)
        status = aci_frame_read(c->env, text, &frame, err);
    if (status >= 0 && (frame->channel_count != contents->channel_count || frame->value_count != contents->value_count))
        status = aci_loading_fail_frame(err);
    if (status >= 0 && !want_list(c, contents->history, true))
        status = aci_fail_nomem(err);
    for (size_t i = 0; status >= 0 && i < contents->channel_count; i++)
        status = want_channel(c, &contents->channels[i], &frame->channels[i], history, err);
    for (size_t i = 0; status >= 0 && i < contents->value_count; i++)
        status = want_value(c, &contents->values[i], &frame->values[i], err);
    agentchat_snapshot_unref(frame);
    return status;
}

/* ---- reading it ----------------------------------------------------------------------------------------------------
 */

static agentchat_status read_list_numbers(contents_check *c, const aci_intervals *fresh, body_kind kind,
                                          agentchat_error *err)
{
    aci_list_want *wants = aci_arena_alloc(c->arena, (fresh->count + 1) * sizeof *wants);
    agentchat_status status;

    if (wants == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < fresh->count; i++)
        wants[i] = (aci_list_want){fresh->list[i], NULL};
    status = aci_lists_read(c->tx, c->num, wants, fresh->count, c->arena, NULL, err);
    for (size_t i = 0; i < fresh->count && status >= 0; i++) {
        size_t count = (size_t)aci_range_length(wants[i].range);

        for (size_t k = 0; k < count && status >= 0; k++)
            if (!want_body(c, wants[i].numbers[k], kind))
                status = aci_fail_nomem(err);
    }
    return status;
}

static agentchat_status check_body(const contents_check *c, const wanted_body *body, agentchat_error *err)
{
    agentchat_str text = {NULL, 0};
    agentchat_status status = aci_loading_find(&c->bodies, body->no, &text, err);

    if (status < 0 || body->kind == IS_BYTES)
        return status;
    if (body->kind == IS_TEXT || body->kind == IS_JSON_TEXT)
        return aci_loading_check_text(c->env, text, body->kind == IS_JSON_TEXT, err);
    return aci_loading_check_value(c->env, &text, body->kind == IS_ELEMENT, err);
}

static agentchat_status read_bodies(contents_check *c, agentchat_error *err)
{
    agentchat_messages messages;
    agentchat_status status = aci_loading_bodies(&c->bodies, err);

    for (size_t i = 0; i < c->wanted_count && status >= 0; i++)
        status = check_body(c, &c->wanted[i], err);
    if (status < 0 || c->messages.count == 0)
        return status;
    status = aci_load_numbered(c->tx, c->num, c->messages.list, c->messages.count, &messages, err);
    aci_list_clear(&messages);
    return status;
}

/* One whose lists name much again and again may be larger than the limits allow. */
static agentchat_status read_in_full(const contents_check *c, const aci_checkpoint_row *row, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status = aci_load_chat(c->tx, row, NULL, NULL, &snapshot, err);

    agentchat_snapshot_unref(snapshot);
    return status;
}

static agentchat_status check(contents_check *c, const aci_checkpoint_row *row, agentchat_error *err)
{
    aci_contents *contents = NULL;
    agentchat_status status = aci_contents_read(c->env, row->contents, c->arena, &contents, err);

    if (status >= 0 && !want_frames(c, contents))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_loading_bodies(&c->frames, err);
    if (status >= 0)
        status = want_chat(c, contents, err);
    if (status >= 0)
        status = read_list_numbers(c, &c->fresh[0], IS_MESSAGE, err);
    if (status >= 0)
        status = read_list_numbers(c, &c->fresh[1], IS_ELEMENT, err);
    if (status >= 0)
        status = read_bodies(c, err);
    if (status >= 0 && (c->readable->is_large || (uint64_t)c->elements > c->env->limits.max_messages ||
                        (uint64_t)c->elements / MOST_ALONG > c->readable->bodies.count))
        status = read_in_full(c, row, err);
    return status;
}

/* Reads what of a checkpoint is not in there. After a failure nothing is in there any more. */
static agentchat_status check_contents(aci_readable *readable, aci_tx *tx, const aci_checkpoint_row *row,
                                       agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    contents_check c = {.readable = readable, .tx = tx, .env = env, .arena = aci_arena_new(env, 0), .num = row->num};
    bool begun = aci_loading_begin(&c.frames, tx, env, row->num),
         also = aci_loading_begin(&c.bodies, tx, env, row->num);
    agentchat_status status;

    if (readable->arena == NULL)
        readable->arena = aci_arena_new(env, 0);
    status = begun && also && c.arena != NULL && readable->arena != NULL ? check(&c, row, err) : aci_fail_nomem(err);
    if (status < 0)
        check_contents_clear(readable, env);
    aci_loading_end(&c.frames);
    aci_loading_end(&c.bodies);
    aci_intervals_clear(&c.fresh[0], env);
    aci_intervals_clear(&c.fresh[1], env);
    aci_numbers_clear(&c.messages, env);
    aci_free(env, c.wanted, c.wanted_cap * sizeof *c.wanted);
    aci_arena_unref(c.arena);
    return status;
}

/* ==== check ====================================================================================================== */
/*
 * Checking the threads of a store: whether every row is what it should be, every checkpoint can be read, and what a
 * thread counts is what it has. What no checkpoint needs is no damage: a checkpoint that was replaced leaves it.
 */

enum { PAGE = 500 };

typedef struct checked_name { /* of a checkpoint */
    agentchat_str ns, id;
} checked_name;

typedef struct thread_check {
    aci_store_check *all;
    const agentchat_env *env;
    /* ---- the thread ---- */
    aci_thread_next next; /* as it was found */
    agentchat_str id;
    aci_thread_row row;
    char part[400];
    /* ---- a page of its checkpoints ---- */
    aci_arena *page;
    checked_name *names;
    size_t count, cap;
    size_t rows;
    agentchat_str ns; /* of the last row */
    int64_t seq;
    bool is_lost; /* what comes after it is unknown */
    aci_readable readable;
    /* ---- of no thread ---- */
    size_t orphans;
} thread_check;

static agentchat_status run(thread_check *c, aci_work work, void *user, agentchat_error *err)
{
    return aci_check_run(c->all, c->part, work, user, &c->is_lost, err);
}

/* ---- checkpoints ---------------------------------------------------------------------------------------------- */

static agentchat_status keep_name(thread_check *c, const aci_checkpoint_row *row, agentchat_error *err)
{
    void *names = c->names;
    bool ok = true;

    if (!aci_grow(c->env, &names, &c->cap, c->count, sizeof *c->names))
        return aci_fail_nomem(err);
    c->names = names;
    c->names[c->count].ns = aci_arena_copy(c->page, row->ns, &ok);
    c->names[c->count].id = aci_arena_copy(c->page, row->id, &ok);
    c->count++;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status look_at_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    thread_check *c = user;
    agentchat_str ns = {NULL, 0};
    int64_t seq = 0;
    aci_checkpoint_row row;
    agentchat_error why;
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 1, &ns, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &seq, err);
    if (status < 0)
        return status;
    if (agentchat_str_equal(ns, c->ns) && seq <= c->seq)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "checkpoints are not in the order of their keys");
    c->rows++;
    c->seq = seq;
    c->ns = aci_arena_copy(c->page, ns, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    agentchat_error_clear(&why);
    status = aci_rows_read_checkpoint(&row, columns, count, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (status < 0)
        return aci_check_problem(c->all, c->part, err, "checkpoint number %" PRId64 ": %s", seq, why.message);
    if (row.seq < 1 || row.seq > c->row.seq)
        status = aci_check_problem(c->all, c->part, err,
                                   "checkpoint number %" PRId64 " stands outside the thread's sequence, 1 to %" PRId64,
                                   row.seq, c->row.seq);
    return status < 0 ? status : keep_name(c, &row, err);
}

/* The thread's row is that of the same moment: checkpoints are put meanwhile. */
static agentchat_status checkpoint_page(aci_tx *tx, void *user, agentchat_error *err)
{
    thread_check *c = user;
    aci_thread_found now = {.id = c->id, .row = c->row};
    agentchat_str after = c->ns;
    int64_t seq = c->seq;
    agentchat_status status;

    aci_check_drop(c->all);
    c->count = c->rows = 0;
    ACI_THREAD_ASK(tx, ACI_THREAD_ROW, aci_rows_load_thread, &now, ACI_TEXT(c->id));
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    c->row = now.row;
    c->readable.is_large = (uint64_t)now.row.bytes > c->env->limits.max_bytes;
    ACI_THREAD_ASK(tx, ACI_SCAN_CHECKPOINTS, look_at_row, c, ACI_INT(c->row.num), ACI_TEXT(after), ACI_INT(seq),
                   ACI_INT(PAGE));
    status = aci_transact_run(tx, false, err);
    if (status < 0) { /* it may be tried again */
        status = aci_rows_name_after(status, c->seq, err);
        c->ns = after;
        c->seq = seq;
    }
    return status;
}

typedef struct one_checkpoint {
    thread_check *c;
    checked_name name;
} one_checkpoint;

static agentchat_status read_checkpoint(aci_tx *tx, void *user, agentchat_error *err)
{
    const one_checkpoint *one = user;
    aci_checkpoint_found found = {.arena = one->c->page};
    agentchat_error why;
    aci_excerpt excerpt;
    agentchat_status status;

    aci_check_drop(one->c->all);
    ACI_THREAD_ASK(tx, ACI_CHECKPOINT_BY_ID, aci_rows_load_checkpoint, &found, ACI_TEXT(one->c->id),
                   ACI_TEXT(one->name.ns), ACI_TEXT(one->name.id));
    status = aci_transact_run(tx, false, err);
    if (status < 0 || !found.found) /* deleted meanwhile */
        return status;
    agentchat_error_clear(&why);
    status = check_contents(&one->c->readable, tx, &found.row, &why);
    if ((status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_LIMIT) && !tx->ended)
        return aci_check_problem(one->c->all, one->c->part, err, "checkpoint %s cannot be read: %s",
                                 aci_error_excerpt(one->name.id, &excerpt), why.message);
    if (status < 0 && err != NULL)
        *err = why;
    return status;
}

static agentchat_status check_page(thread_check *c, agentchat_error *err)
{
    agentchat_status status = run(c, checkpoint_page, c, err);

    for (size_t i = 0; i < c->count && status >= 0 && !c->all->stopped && !c->is_lost; i++) {
        one_checkpoint one = {c, c->names[i]};

        status = run(c, read_checkpoint, &one, err);
        c->is_lost = false;
    }
    return status;
}

static agentchat_status check_checkpoints(thread_check *c, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    c->ns = AGENTCHAT_STR("");
    c->seq = INT64_MIN; /* one that is damaged may be negative */
    c->is_lost = false;
    do {
        aci_arena *before = c->page;

        c->page = aci_arena_new(c->env, 0);
        status = c->page != NULL ? check_page(c, err) : aci_fail_nomem(err);
        aci_arena_unref(before);
    } while (status >= 0 && c->rows == PAGE && !c->is_lost && !c->all->stopped);
    aci_arena_unref(c->page);
    c->page = NULL;
    check_contents_clear(&c->readable, c->env);
    return status;
}

/* ---- the rest of a thread -------------------------------------------------------------------------------------- */

static agentchat_status check_pending(aci_tx *tx, void *user, agentchat_error *err)
{
    thread_check *c = user;

    aci_check_drop(c->all);
    return aci_scan(tx, c->row.num, ACI_SCAN_OF_PENDING, NULL, NULL, err);
}

static agentchat_status check_index(aci_tx *tx, void *user, agentchat_error *err)
{
    thread_check *c = user;

    aci_check_drop(c->all);
    return aci_check_terms(c->all, c->part, tx, c->id, err);
}

typedef struct counting {
    aci_reach reach;
    int64_t bytes, bodies;
    int64_t unused, unused_bytes;
} counting;

static agentchat_status add_checkpoint(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    counting *count = user;

    return aci_reach_add(&count->reach, row, arena, err);
}

static agentchat_status count_body(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    counting *count = user;
    const aci_body_row *body = row;

    (void)arena;
    (void)err;
    if (body->no > count->bodies)
        count->bodies = body->no;
    count->bytes += body->length;
    if (!aci_reach_has_body(&count->reach, body->no, body->digest)) {
        count->unused++;
        count->unused_bytes += body->length;
    }
    return AGENTCHAT_OK;
}

static agentchat_status note_counts(thread_check *c, const counting *count, const aci_thread_row *row,
                                    agentchat_error *err)
{
    char part[500];
    agentchat_status status = AGENTCHAT_OK;

    if (count->bytes != row->bytes)
        status = aci_check_problem(c->all, c->part, err, "it says that it has %" PRId64 " bytes, and has %" PRId64,
                                   row->bytes, count->bytes);
    if (status >= 0 && (count->bodies > row->bodies || count->reach.segments > row->segments))
        status = aci_check_problem(c->all, c->part, err, "it has higher numbers than it has given out");
    if (status < 0 || count->unused == 0)
        return status;
    (void)snprintf(part, sizeof part, "%s (unused: %" PRId64 " bodies, %" PRId64 " bytes; pruning deletes them)",
                   c->part, count->unused, count->unused_bytes);
    return aci_check_note(c->all, part, NULL, err);
}

static agentchat_status count_all(thread_check *c, counting *count, aci_tx *tx, agentchat_error *err)
{
    aci_thread_found now = {.id = c->id};
    agentchat_status status;

    ACI_THREAD_ASK(tx, ACI_THREAD_ROW, aci_rows_load_thread, &now, ACI_TEXT(c->id));
    status = aci_transact_run(tx, false, err);
    if (status < 0 || !now.found) /* deleted meanwhile */
        return status;
    status = aci_scan(tx, now.row.num, ACI_SCAN_OF_CHECKPOINTS, add_checkpoint, count, err);
    if (status >= 0)
        status = aci_reach_follow(&count->reach, tx, now.row.num, err);
    if (status >= 0)
        status = aci_scan(tx, now.row.num, ACI_SCAN_OF_BODIES, count_body, count, err);
    return status < 0 ? status : note_counts(c, count, &now.row, err);
}

static agentchat_status check_counts(aci_tx *tx, void *user, agentchat_error *err)
{
    thread_check *c = user;
    counting count = {.bytes = 0};
    agentchat_status status = aci_reach_begin(&count.reach, c->env) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_check_drop(c->all);
    if (status >= 0)
        status = count_all(c, &count, tx, err);
    aci_reach_clear(&count.reach);
    return status;
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

static agentchat_status check_thread(thread_check *c, agentchat_error *err)
{
    aci_excerpt excerpt;
    agentchat_status status = AGENTCHAT_OK;

    (void)snprintf(c->part, sizeof c->part, "thread %s", aci_error_excerpt(c->id, &excerpt));
    c->all->bad = 0;
    if (c->next.sound < 0)
        status = aci_check_problem(c->all, c->part, err, "%s", c->next.why.message);
    else
        status = check_checkpoints(c, err);
    if (status >= 0 && c->next.sound >= 0 && !c->all->stopped)
        status = run(c, check_pending, c, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = run(c, check_counts, c, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = run(c, check_index, c, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = aci_check_note(c->all, c->part, NULL, err);
    return status < 0 ? status : aci_check_report(c->all, err);
}

static agentchat_status next_thread(aci_tx *tx, void *user, agentchat_error *err)
{
    thread_check *c = user;

    aci_check_drop(c->all);
    return aci_rows_next_thread(tx, &c->next, err);
}

static agentchat_status check_threads(thread_check *c, agentchat_error *err)
{
    agentchat_status status;

    do {
        aci_arena *before = c->next.arena;

        c->is_lost = false;
        (void)snprintf(c->part, sizeof c->part, "threads");
        c->next = (aci_thread_next){.after = c->id, .arena = aci_arena_new(c->env, 0)};
        status = c->next.arena != NULL ? run(c, next_thread, c, err) : aci_fail_nomem(err);
        aci_arena_unref(before);
        c->id = c->next.id;
        c->row = c->next.row;
        if (status >= 0 && c->next.found && !c->is_lost && !c->all->stopped)
            status = check_thread(c, err);
    } while (status >= 0 && c->next.found && !c->all->stopped);
    return status;
}

/* ---- what belongs to nothing ----------------------------------------------------------------------------------- */

static agentchat_status note_lost(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    thread_check *c = user;
    agentchat_str table = {NULL, 0};
    int64_t num = 0, rows = 0;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &table, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &num, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &rows, err);
    if (status < 0)
        return status;
    return aci_check_problem(c->all, c->part, err,
                             "%" PRId64 " rows of table " AGENTCHAT_STR_FMT " belong to no thread (number %" PRId64 ")",
                             rows, AGENTCHAT_STR_ARG(table), num);
}

/* Rows of an orphan are no damage: the thread was deleted, or is a copy that is not complete. */
static agentchat_status count_orphan(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    thread_check *c = user;
    aci_orphan_row row = {.found = false};
    agentchat_status status = aci_orphans_load(&row, columns, count, err);

    if (status < 0)
        return status;
    c->orphans += !row.is_damaged;
    return row.is_damaged
               ? aci_check_problem(c->all, c->part, err, "a stored orphan (number %" PRId64 ") is damaged", row.num)
               : AGENTCHAT_OK;
}

static agentchat_status find_lost(aci_tx *tx, void *user, agentchat_error *err)
{
    thread_check *c = user;
    aci_index_row index = {.found = false};
    char part[160];
    agentchat_status status;

    aci_check_drop(c->all);
    c->orphans = 0;
    for (int which = ACI_LOST_CHECKPOINTS; which <= ACI_LOST_PENDING; which++)
        aci_thread_statement_add(tx, (aci_thread_statement)which, note_lost, c);
    aci_thread_statement_add(tx, ACI_ORPHANS, count_orphan, c);
    aci_thread_statement_add(tx, ACI_INDEX_ROW, aci_index_load, &index);
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && index.is_damaged)
        status = aci_check_problem(c->all, c->part, err, ACI_INDEX_DAMAGED);
    if (status < 0 || c->orphans == 0)
        return status;
    (void)snprintf(
        part, sizeof part,
        "threads (unused: what is left of %zu that were being deleted or copied; deleting, pruning or copying "
        "any thread deletes it)",
        c->orphans);
    return aci_check_note(c->all, part, NULL, err);
}

agentchat_status aci_thread_check(aci_store_check *all, agentchat_error *err)
{
    thread_check c = {.all = all, .env = all->env, .id = AGENTCHAT_STR("")};
    agentchat_status status = check_threads(&c, err);

    if (status >= 0 && !all->stopped) {
        (void)snprintf(c.part, sizeof c.part, "threads");
        status = run(&c, find_lost, &c, err);
    }
    aci_arena_unref(c.next.arena);
    aci_free(c.env, c.names, c.cap * sizeof *c.names);
    return status < 0 ? status : aci_check_report(all, err);
}
