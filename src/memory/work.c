/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work to be done later: a row for each kind of work of a thread.
 *
 * A claim is a number that the row counts up, and a lease. Both must be as they were for whoever has claimed it to say
 * anything about it. What is done while it was queued again is found by the number of queueings at the claim.
 */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/ids.h"
#include "base/utf8.h"
#include "state/state.h"
#include <string.h>

enum { PAGE = 200, MOST_ROUNDS = 1000 };
#define LEASE_US INT64_C(300000000)
#define RETRY_US INT64_C(10000000)
#define HIGHEST (INT64_MAX / 2) /* numbers of queueings and claims never come near this */
#define NO_SUCH_WORK "the thread has no such work"

struct agentchat_work_item_list {
    aci_result_page page;
};

/* ==== rows ======================================================================================================= */

static int64_t later(int64_t now, int64_t us)
{
    return now > INT64_MAX - us ? INT64_MAX : now + us;
}

static agentchat_status read_row(aci_work_row *row, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_excerpt thread, kind;
    agentchat_status status;

    memset(row, 0, sizeof *row);
    status = aci_table_read(&aci_work_table, 0, columns, count, row, err);
    if (status >= 0 &&
        (row->attempts < 0 || row->attempts > AGENTCHAT_WORK_ATTEMPTS || row->queued < 0 || row->queued > HIGHEST ||
         row->claims < 0 || row->claims > HIGHEST || (row->has_due && row->due < 0)))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "stored work has numbers that none has");
    if (status == AGENTCHAT_E_CORRUPT)
        aci_error_prefix(err, "thread %s, work %s", aci_error_excerpt(row->thread, &thread),
                         aci_error_excerpt(row->kind, &kind));
    return status;
}

/* Rows that were read, with their texts. */
typedef struct work_rows {
    const agentchat_env *env;
    aci_arena *arena;
    aci_work_row *list;
    size_t count, cap;
    bool takes_damaged; /* as rows without anything to do */
} work_rows;

static agentchat_status add_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    work_rows *rows = user;
    void *list = rows->list;
    bool ok = true;
    aci_work_row row;
    agentchat_status status = read_row(&row, columns, count, err);

    if (status == AGENTCHAT_E_CORRUPT && rows->takes_damaged && row.thread.ptr != NULL && row.kind.ptr != NULL) {
        agentchat_error_clear(err);
        row = (aci_work_row){.thread = row.thread, .kind = row.kind};
        status = AGENTCHAT_OK;
    }
    if (status < 0)
        return status;
    if (!aci_grow(rows->env, &list, &rows->cap, rows->count, sizeof *rows->list))
        return aci_fail_nomem(err);
    rows->list = list;
    aci_table_keep(&aci_work_table, &row, rows->arena, &ok);
    rows->list[rows->count++] = row;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void put_row(aci_tx *tx, const aci_work_row *row)
{
    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_WORK_PUT], NULL, NULL);
    aci_table_bind(tx, &aci_work_table, row);
}

/* There is nothing to do any more; error: why not. */
static void settle(aci_work_row *row, agentchat_str error)
{
    row->has_due = row->has_lease = false;
    row->error = error;
}

/* Runs the batch that gives the time where the program's clock is not the store's. */
static agentchat_status look_at_clock(aci_tx *tx, int64_t *now, agentchat_error *err)
{
    aci_memory_ask_now(tx, now);
    return tx->count > 0 ? aci_transact_run(tx, false, err) : AGENTCHAT_OK;
}

/* ==== lists ====================================================================================================== */

size_t agentchat_work_item_list_count(const agentchat_work_item_list *list)
{
    return list != NULL ? list->page.count : 0;
}

const agentchat_work_item *agentchat_work_item_list_at(const agentchat_work_item_list *list, size_t index)
{
    const agentchat_work_item *items = list != NULL ? list->page.items : NULL;

    return index < agentchat_work_item_list_count(list) ? &items[index] : NULL;
}

const char *agentchat_work_item_list_cursor(const agentchat_work_item_list *list)
{
    return list != NULL ? list->page.cursor : NULL;
}

void agentchat_work_item_list_free(agentchat_work_item_list *list)
{
    if (list != NULL)
        aci_result_page_free(&list->page, sizeof *list);
}

static agentchat_work_state state_of(const aci_work_row *row, int64_t now)
{
    if (!row->has_due)
        return row->error.ptr != NULL ? AGENTCHAT_WORK_FAILED : AGENTCHAT_WORK_DONE;
    return row->has_lease && row->lease > now ? AGENTCHAT_WORK_LEASED : AGENTCHAT_WORK_QUEUED;
}

static agentchat_status show(agentchat_work_item_list *out, const aci_work_row *row, int64_t now, agentchat_error *err)
{
    agentchat_work_item *item = aci_result_page_room(&out->page);
    aci_arena *arena = out->page.arena;
    bool ok = true;

    if (item == NULL)
        return aci_fail_nomem(err);
    memset(item, 0, sizeof *item);
    item->thread = aci_arena_cstr(arena, row->thread, &ok);
    item->kind = aci_arena_cstr(arena, row->kind, &ok);
    item->state = state_of(row, now);
    if (row->body.ptr != NULL)
        item->body = (agentchat_str){aci_arena_cstr(arena, row->body, &ok), row->body.len};
    if (row->mark.ptr != NULL)
        item->mark = aci_arena_cstr(arena, row->mark, &ok);
    if (row->error.ptr != NULL)
        item->error = aci_arena_cstr(arena, row->error, &ok);
    item->due_us = row->has_due ? row->due : 0;
    item->lease_us = item->state == AGENTCHAT_WORK_LEASED ? row->lease : 0;
    item->claim = (uint64_t)row->claims;
    item->attempts = (uint32_t)row->attempts;
    out->page.count += ok;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_work_item_list *new_list(const agentchat_store *store)
{
    return aci_result_page_new(store->env, sizeof(agentchat_work_item_list), sizeof(agentchat_work_item));
}

/* ==== queueing =================================================================================================== */

agentchat_status aci_work_check(const agentchat_work_request *requests, size_t count, agentchat_error *err)
{
    if (requests == NULL && count > 0)
        return aci_fail_null(err, "work");
    for (size_t i = 0; i < count; i++) {
        const agentchat_work_request *request = &requests[i];
        agentchat_status status = request->kind != NULL
                                      ? aci_label_check(agentchat_str_from(request->kind), "kind of work", err)
                                      : aci_fail_null(err, "kind");

        if (status < 0)
            return status;
        if (request->delay_us < 0)
            return aci_fail(err, AGENTCHAT_E_INVALID, "work is due now or later, not before");
        if (request->body.ptr != NULL &&
            (!aci_utf8_is_valid(request->body, false) || memchr(request->body.ptr, '\0', request->body.len) != NULL))
            return aci_fail(err, AGENTCHAT_E_INVALID, "the body of work must be UTF-8 without NUL");
        for (size_t k = 0; k < i; k++)
            if (agentchat_str_equal(agentchat_str_from(requests[k].kind), agentchat_str_from(request->kind)))
                return aci_fail(err, AGENTCHAT_E_INVALID, "a kind of work is queued twice at once");
    }
    return AGENTCHAT_OK;
}

typedef struct row_slot { /* a row that is there, and where its texts go */
    aci_work_row row;     /* first */
    aci_arena *arena;
} row_slot;

static agentchat_status take_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    row_slot *slot = user;
    bool ok = true;
    agentchat_status status = read_row(&slot->row, columns, count, err);

    if (status >= 0)
        aci_table_keep(&aci_work_table, &slot->row, slot->arena, &ok);
    return ok ? status : aci_fail_nomem(err);
}

void aci_work_ask(aci_tx *tx, aci_queueing *q, aci_arena *arena)
{
    row_slot *slots = q->count > 0 ? aci_arena_alloc(arena, q->count * sizeof *slots) : NULL;

    q->slots = slots;
    if (slots == NULL) {
        tx->failed = tx->failed || q->count > 0;
        return;
    }
    aci_memory_ask_now(tx, &q->now);
    for (size_t i = 0; i < q->count; i++) {
        const aci_work_row held = {.thread = q->thread, .kind = agentchat_str_from(q->requests[i].kind)};

        slots[i].arena = arena;
        memset(&slots[i].row, 0, sizeof slots[i].row);
        aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_WORK_HOLD], NULL, NULL);
        aci_table_bind(tx, &aci_work_table, &held);
        ACI_MEMORY_ASK(tx, ACI_MEMORY_WORK_LOCK, take_row, &slots[i], ACI_TEXT(held.thread), ACI_TEXT(held.kind));
    }
}

void aci_work_put(aci_tx *tx, aci_queueing *q)
{
    row_slot *slots = q->slots;

    for (size_t i = 0; i < q->count; i++) {
        aci_work_row *row = &slots[i].row;

        row->thread = q->thread; /* it may have been deleted after it was held */
        row->kind = agentchat_str_from(q->requests[i].kind);
        row->has_due = true;
        row->due = later(q->now, q->requests[i].delay_us);
        row->attempts = 0;
        row->queued++;
        row->body = q->requests[i].body;
        row->error = (agentchat_str){NULL, 0};
        put_row(tx, row);
    }
}

static agentchat_status queue(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_queueing *q = user;
    aci_arena *arena = aci_arena_new(tx->store->env, 0);
    agentchat_status status = arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);

    if (status >= 0) {
        aci_work_ask(tx, q, arena);
        status = aci_transact_run(tx, false, err);
    }
    if (status >= 0) {
        aci_work_put(tx, q);
        status = aci_transact_run(tx, true, err);
    }
    aci_arena_unref(arena);
    return status;
}

static agentchat_status check_thread(const char *thread, agentchat_str *out, agentchat_error *err)
{
    *out = agentchat_str_from(thread);
    return thread == NULL ? aci_fail_null(err, "thread") : aci_label_check(*out, "thread", err);
}

agentchat_status agentchat_work_queue(agentchat_store *store, const char *thread, const agentchat_work_request *request,
                                      agentchat_error *err)
{
    aci_queueing q = {.requests = request, .count = 1};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (request == NULL)
        return aci_fail_null(err, "request");
    status = check_thread(thread, &q.thread, err);
    if (status >= 0)
        status = aci_work_check(request, 1, err);
    return status < 0 ? status : aci_transact(store, true, queue, &q, err);
}

/* ==== threads that are deleted =================================================================================== */

agentchat_status aci_work_drop(aci_tx *tx, agentchat_str thread, agentchat_error *err)
{
    /* what is damaged can be deleted, too */
    work_rows rows = {.env = tx->store->env, .arena = aci_arena_new(tx->store->env, 0), .takes_damaged = true};
    agentchat_status status = rows.arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);

    if (status >= 0) {
        ACI_MEMORY_ASK(tx, ACI_MEMORY_WORK_OF_THREAD, add_row, &rows, ACI_TEXT(thread));
        status = aci_transact_run(tx, false, err);
    }
    for (size_t i = 0; i < rows.count && status >= 0; i++) {
        aci_work_row *row = &rows.list[i];

        if (state_of(row, 0) == AGENTCHAT_WORK_DONE) {
            ACI_MEMORY_ASK(tx, ACI_MEMORY_WORK_DELETE, NULL, NULL, ACI_TEXT(row->thread), ACI_TEXT(row->kind));
            continue;
        }
        row->mark = (agentchat_str){NULL, 0}; /* of a thread that is no more */
        settle(row, row->has_due ? AGENTCHAT_STR("its thread was deleted") : row->error);
        put_row(tx, row);
    }
    if (status >= 0 && rows.count > 0)
        status = aci_transact_run(tx, false, err);
    aci_arena_unref(rows.arena);
    aci_free(rows.env, rows.list, rows.cap * sizeof *rows.list);
    return status;
}

/* ==== claiming =================================================================================================== */

typedef struct claiming {
    agentchat_work_claim_options options;
    agentchat_str kind; /* empty: any */
    work_rows found;
    agentchat_work_item_list *out;
} claiming;

/* What is due now, for whoever asks; what nobody has ever come back with fails. */
static agentchat_status claim_rows(claiming *c, aci_tx *tx, int64_t now, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < c->found.count && status >= 0; i++) {
        aci_work_row *row = &c->found.list[i];

        if (row->attempts >= AGENTCHAT_WORK_ATTEMPTS) {
            settle(row, row->error.ptr != NULL ? row->error : AGENTCHAT_STR("nobody came back with it"));
        } else {
            row->attempts++;
            row->claims++;
            row->taken = row->queued;
            row->has_lease = true;
            row->lease = later(now, c->options.lease_us);
            status = show(c->out, row, now, err);
        }
        put_row(tx, row);
    }
    return status;
}

static agentchat_status claim(aci_tx *tx, void *user, agentchat_error *err)
{
    claiming *c = user;
    int64_t now = 0;
    int rounds = 0;
    bool writes = false;
    agentchat_status status;

    c->out->page.count = 0;
    status = look_at_clock(tx, &now, err);
    do { /* until something is claimed; the rest of what nobody has come back with is left to the next call */
        c->found.count = 0;
        if (status < 0)
            break;
        ACI_MEMORY_ASK(tx, ACI_MEMORY_WORK_DUE, add_row, &c->found, ACI_INT(now), ACI_TEXT(c->kind),
                       ACI_INT((int64_t)c->options.limit));
        status = aci_transact_run(tx, false, err);
        if (status >= 0)
            status = claim_rows(c, tx, now, err);
        writes = writes || c->found.count > 0;
    } while (status >= 0 && c->found.count > 0 && c->out->page.count == 0 && ++rounds < MOST_ROUNDS);
    return status < 0 || !writes ? status : aci_transact_run(tx, true, err);
}

void agentchat_work_claim_options_init(agentchat_work_claim_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status check_lease(int64_t *lease_us, agentchat_error *err)
{
    if (*lease_us < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a lease is for some time, not for less than none");
    *lease_us = *lease_us == 0 ? LEASE_US : *lease_us;
    return AGENTCHAT_OK;
}

/* A kind that may be NULL. */
static agentchat_status check_kind(const char *kind, agentchat_str *out, agentchat_error *err)
{
    *out = kind != NULL ? agentchat_str_from(kind) : AGENTCHAT_STR("");
    return kind == NULL ? AGENTCHAT_OK : aci_label_check(*out, "kind of work", err);
}

agentchat_status agentchat_work_claim(agentchat_store *store, const agentchat_work_claim_options *options,
                                      agentchat_work_item_list **out, agentchat_error *err)
{
    claiming c;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&c, 0, sizeof c);
    status = aci_env_options_load(&c.options, sizeof c.options, options, err);
    if (status >= 0)
        status = check_kind(c.options.kind, &c.kind, err);
    if (status >= 0)
        status = check_lease(&c.options.lease_us, err);
    if (status < 0)
        return status;
    c.options.limit = c.options.limit == 0 ? 1 : aci_result_page_limit(c.options.limit);
    c.out = new_list(store);
    c.found = (work_rows){.env = store->env, .arena = aci_arena_new(store->env, 0)};
    status = c.out != NULL && c.found.arena != NULL ? aci_transact(store, true, claim, &c, err) : aci_fail_nomem(err);
    aci_arena_unref(c.found.arena);
    aci_free(store->env, c.found.list, c.found.cap * sizeof *c.found.list);
    if (status < 0)
        agentchat_work_item_list_free(c.out);
    else
        *out = c.out;
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ==== what becomes of it ========================================================================================= */

typedef struct reporting {
    enum { EXTENDED, DONE, FAILED, RETRIED } what;
    agentchat_str thread, kind, text; /* text: a mark, or an error */
    uint64_t claim;
    int64_t us; /* of a lease, or a delay */
} reporting;

/* Changes the row of somebody who has claimed it. */
static void apply(const reporting *r, aci_work_row *row, int64_t now)
{
    bool is_queued_again = row->queued != row->taken;
    int64_t delay = r->us == 0 ? RETRY_US << (row->attempts > 0 ? row->attempts - 1 : 0) : r->us;

    if (r->what == EXTENDED) {
        row->lease = later(now, r->us);
        return;
    }
    row->has_lease = false;
    if (r->what == DONE && r->text.ptr != NULL)
        row->mark = r->text;
    if (is_queued_again) /* all else is that one's */
        return;
    if (r->what == DONE)
        settle(row, (agentchat_str){NULL, 0});
    else if (r->us < 0 || row->attempts >= AGENTCHAT_WORK_ATTEMPTS)
        settle(row, r->text);
    else {
        row->due = later(now, delay);
        row->error = r->text;
    }
}

/* E_NOTFOUND, E_CONFLICT unless it waits or has failed. */
static agentchat_status apply_retry(aci_work_row *row, int64_t now, agentchat_error *err)
{
    agentchat_work_state state = row->thread.ptr != NULL ? state_of(row, now) : AGENTCHAT_WORK_DONE;

    if (state == AGENTCHAT_WORK_DONE)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, NO_SUCH_WORK);
    if (state == AGENTCHAT_WORK_LEASED)
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "somebody has claimed it; it can be retried when the lease is over");
    row->has_due = true;
    row->has_lease = false;
    row->due = now;
    row->attempts = 0;
    return AGENTCHAT_OK;
}

static agentchat_status report_in(const reporting *r, aci_tx *tx, row_slot *slot, agentchat_error *err)
{
    aci_work_row *row = &slot->row;
    int64_t now = 0;
    agentchat_status status;

    aci_memory_ask_now(tx, &now);
    ACI_MEMORY_ASK(tx, ACI_MEMORY_WORK_LOCK, take_row, slot, ACI_TEXT(r->thread), ACI_TEXT(r->kind));
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    if (r->what == RETRIED) {
        status = apply_retry(row, now, err);
    } else if (row->thread.ptr != NULL && row->has_lease && (uint64_t)row->claims == r->claim) {
        apply(r, row, now);
    } else {
        return tx->repeated
                   ? AGENTCHAT_OK /* an attempt before this one has done it */
                   : aci_fail(err, AGENTCHAT_E_CONFLICT, "the claim does not count any more: stop working on it");
    }
    if (status < 0)
        return status;
    put_row(tx, row);
    return aci_transact_run(tx, true, err);
}

static agentchat_status report(aci_tx *tx, void *user, agentchat_error *err)
{
    row_slot slot = {.arena = aci_arena_new(tx->store->env, 0)};
    agentchat_status status = slot.arena != NULL ? report_in(user, tx, &slot, err) : aci_fail_nomem(err);

    aci_arena_unref(slot.arena);
    return status;
}

/* of: whom the text is of. */
static agentchat_status report_item(agentchat_store *store, const agentchat_work_item *item, reporting *r,
                                    agentchat_error *err)
{
    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (item == NULL || item->thread == NULL || item->kind == NULL)
        return aci_fail_null(err, "item");
    if (r->text.ptr != NULL && !aci_utf8_is_valid(r->text, false))
        return aci_fail(err, AGENTCHAT_E_INVALID, "%s must be UTF-8", r->what == DONE ? "a mark" : "an error");
    r->thread = agentchat_str_from(item->thread);
    r->kind = agentchat_str_from(item->kind);
    r->claim = item->claim;
    return aci_transact(store, true, report, r, err);
}

agentchat_status agentchat_work_extend(agentchat_store *store, const agentchat_work_item *item, int64_t lease_us,
                                       agentchat_error *err)
{
    reporting r = {.what = EXTENDED, .us = lease_us};
    agentchat_status status = check_lease(&r.us, err);

    return status < 0 ? status : report_item(store, item, &r, err);
}

agentchat_status agentchat_work_done(agentchat_store *store, const agentchat_work_item *item, const char *mark,
                                     agentchat_error *err)
{
    reporting r = {.what = DONE, .text = agentchat_str_from(mark)};

    return report_item(store, item, &r, err);
}

agentchat_status agentchat_work_fail(agentchat_store *store, const agentchat_work_item *item, const char *error,
                                     int64_t delay_us, agentchat_error *err)
{
    reporting r = {.what = FAILED, .us = delay_us};

    r.text = error != NULL ? agentchat_str_from(error) : AGENTCHAT_STR("it was not said why");
    return report_item(store, item, &r, err);
}

agentchat_status agentchat_work_retry(agentchat_store *store, const char *thread, const char *kind,
                                      agentchat_error *err)
{
    reporting r = {.what = RETRIED};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (kind == NULL)
        return aci_fail_null(err, "kind");
    status = check_thread(thread, &r.thread, err);
    if (status >= 0)
        status = check_kind(kind, &r.kind, err);
    return status < 0 ? status : aci_transact(store, true, report, &r, err);
}

/* ==== listing ==================================================================================================== */

typedef struct listing {
    agentchat_work_list_options options;
    agentchat_str thread, kind; /* empty: any */
    agentchat_str after[2];     /* thread and kind */
    agentchat_work_item_list *out;
    size_t limit, rows;
    bool is_full; /* and there is more */
    int64_t now;
} listing;

static agentchat_status list_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    listing *l = user;
    const aci_work_row after = {.thread = l->after[0], .kind = l->after[1]};
    aci_work_row row;
    bool ok = true;
    agentchat_status status = read_row(&row, columns, count, err);

    if (status < 0 || l->is_full)
        return status;
    if (aci_table_compare(&aci_work_table, &row, &after) <= 0) /* damaged pages may lead in circles */
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "work is not in the order of its keys");
    l->rows++;
    if (l->thread.len > 0 && !agentchat_str_equal(row.thread, l->thread)) { /* all of the thread were read */
        l->rows = 0;
        return AGENTCHAT_OK;
    }
    l->after[0] = aci_arena_copy(l->out->page.arena, row.thread, &ok);
    l->after[1] = aci_arena_copy(l->out->page.arena, row.kind, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    if ((l->kind.len > 0 && !agentchat_str_equal(row.kind, l->kind)) ||
        (l->options.state != 0 && state_of(&row, l->now) != l->options.state))
        return AGENTCHAT_OK;
    l->is_full = l->out->page.count == l->limit;
    return l->is_full ? AGENTCHAT_OK : show(l->out, &row, l->now, err);
}

static agentchat_status list(aci_tx *tx, void *user, agentchat_error *err)
{
    listing *l = user;
    const agentchat_str begin[2] = {l->after[0], l->after[1]};
    agentchat_status status = look_at_clock(tx, &l->now, err);

    l->out->page.count = 0;
    l->is_full = false;
    do {
        l->rows = 0;
        if (status < 0)
            break;
        ACI_MEMORY_ASK(tx, ACI_MEMORY_WORK_AFTER, list_row, l, ACI_TEXT(l->after[0]), ACI_TEXT(l->after[1]),
                       ACI_INT(PAGE));
        status = aci_transact_run(tx, false, err);
    } while (status >= 0 && l->rows == PAGE && !l->is_full);
    if (status >= 0 && l->is_full) {
        const agentchat_work_item *last = agentchat_work_item_list_at(l->out, l->out->page.count - 1);
        const agentchat_str parts[2] = {agentchat_str_from(last->thread), agentchat_str_from(last->kind)};

        l->out->page.cursor = aci_sql_cursor_make(l->out->page.arena, parts, 2);
        status = l->out->page.cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
    }
    memcpy(l->after, begin, sizeof begin); /* for the next attempt */
    return status;
}

void agentchat_work_list_options_init(agentchat_work_list_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_work_list(agentchat_store *store, const agentchat_work_list_options *options,
                                     agentchat_work_item_list **out, agentchat_error *err)
{
    listing l;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&l, 0, sizeof l);
    status = aci_env_options_load(&l.options, sizeof l.options, options, err);
    if (status >= 0 && l.options.thread != NULL)
        status = check_thread(l.options.thread, &l.thread, err);
    if (status >= 0)
        status = check_kind(l.options.kind, &l.kind, err);
    if (status < 0)
        return status;
    l.out = new_list(store);
    if (l.out == NULL)
        return aci_fail_nomem(err);
    l.limit = aci_result_page_limit(l.options.limit);
    l.after[0] = l.thread.ptr != NULL ? l.thread : AGENTCHAT_STR("");
    l.after[1] = AGENTCHAT_STR("");
    if (l.options.cursor != NULL)
        status = aci_sql_cursor_read(l.out->page.arena, l.options.cursor, l.after, 2, "work", err);
    if (status >= 0)
        status = aci_transact(store, false, list, &l, err);
    if (status < 0)
        agentchat_work_item_list_free(l.out);
    else
        *out = l.out;
    return status < 0 ? status : AGENTCHAT_OK;
}
