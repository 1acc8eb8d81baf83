/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of threads by pages. A cursor holds the last row of its page. A thread that is put to only moves towards the
 * beginning, since the time of its last put never goes back; so a page after a cursor cannot show it again.
 *
 * Rows are read in batches, for each of which the database sorts the threads of an hour. With a filter each is twice as
 * large as the one before, and the newest checkpoints are asked for in smaller ones.
 */
#include "thread/filter.h"
#include "thread/rows.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/result_page.h"
#include "state/state.h"
#include "store/core/cursor.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdio.h>

enum { CURSOR_PARTS = 2, MOST_AT_ONCE = 1000, FEWEST_FILTERED = 16, MOST_FILTERED = 8192, NEWEST_AT_ONCE = 64 };

struct agentchat_thread_list {
    aci_result_page page;
};

/* A thread of a batch. */
typedef struct candidate {
    agentchat_str id;
    aci_thread_row row;
    aci_checkpoint_found newest; /* asked for with a filter only */
} candidate;

typedef struct listing {
    const agentchat_env *env;
    aci_result_page *page; /* of the list that is made */
    size_t limit;
    aci_filter filter;
    int64_t after_us;
    agentchat_str after_id;
    aci_arena *arena; /* of the batch */
    candidate *batch;
    size_t count, cap;
    size_t wanted; /* rows of it */
} listing;

/* ---- a batch --------------------------------------------------------------------------------------------------- */

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    listing *l = user;
    candidate *c;
    agentchat_str id = {NULL, 0};
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &id, err);

    if (status < 0)
        return status;
    if (!aci_grow(l->env, (void **)&l->batch, &l->cap, l->count, sizeof *l->batch))
        return aci_fail_nomem(err);
    c = &l->batch[l->count];
    *c = (candidate){.newest.arena = l->arena};
    status = aci_rows_read_thread(&c->row, id, columns, count, 1, err);
    if (status >= 0) {
        c->id = aci_arena_copy(l->arena, id, &ok);
        l->count += ok;
    }
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

/* The next `wanted` threads, after the one that is named, if there is such a one. */
static agentchat_status read_rows(listing *l, aci_tx *tx, size_t wanted, int64_t after_us, agentchat_str after_id,
                                  agentchat_error *err)
{
    l->count = 0;
    aci_rows_ask_threads(tx, after_us, after_id, (int64_t)wanted, load_row, l);
    return aci_transact_run(tx, false, err);
}

static agentchat_status read_newest(listing *l, aci_tx *tx, size_t first, size_t end, agentchat_error *err)
{
    if (l->filter.count == 0)
        return AGENTCHAT_OK;
    for (size_t i = first; i < end; i++) {
        aci_thread_statement_add(tx, ACI_CHECKPOINT_NEWEST, aci_rows_load_checkpoint, &l->batch[i].newest);
        aci_transact_text(tx, l->batch[i].id);
        aci_transact_text(tx, AGENTCHAT_STR(""));
    }
    return aci_transact_run(tx, false, err);
}

/* ---- the page -------------------------------------------------------------------------------------------------- */

static agentchat_status add_item(listing *l, const candidate *c, agentchat_error *err)
{
    aci_result_page *page = l->page;
    agentchat_thread_info *item = aci_result_page_room(page);
    bool ok = true;

    if (item == NULL)
        return aci_fail_nomem(err);
    *item = (agentchat_thread_info){.id = aci_arena_cstr(page->arena, c->id, &ok),
                                    .sequence = (uint64_t)c->row.seq,
                                    .messages = (uint64_t)c->row.messages,
                                    .bytes = (uint64_t)c->row.bytes,
                                    .created_us = c->row.created_us,
                                    .updated_us = c->row.updated_us};
    page->count += ok;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status take_some(listing *l, size_t first, size_t end, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = first; status >= 0 && i < end && l->page->count <= l->limit; i++) {
        const candidate *c = &l->batch[i];
        bool matches = l->filter.count == 0 || c->newest.found;

        if (matches && l->filter.count > 0)
            status = aci_filter_match(&l->filter, &c->newest.row, &matches, err);
        if (status >= 0 && matches)
            status = add_item(l, c, err);
    }
    return status;
}

static agentchat_status take_batch(listing *l, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t first = 0, end; status >= 0 && first < l->count && l->page->count <= l->limit; first = end) {
        end = l->count - first < NEWEST_AT_ONCE ? l->count : first + NEWEST_AT_ONCE;
        status = read_newest(l, tx, first, end, err);
        if (status >= 0)
            status = take_some(l, first, end, err);
    }
    return status;
}

/* One thread more than wanted shows whether there is a next page. */
static size_t batch_size(const listing *l)
{
    size_t wanted = l->limit + 1 - l->page->count, most = l->filter.count > 0 ? MOST_FILTERED : MOST_AT_ONCE;

    if (l->filter.count > 0 && wanted < 2 * l->wanted)
        wanted = 2 * l->wanted;
    if (l->filter.count > 0 && wanted < FEWEST_FILTERED)
        wanted = FEWEST_FILTERED;
    return wanted < most ? wanted : most;
}

static agentchat_status read_batches(listing *l, aci_tx *tx, agentchat_error *err)
{
    bool is_end = false;
    int64_t after_us = l->after_us;
    agentchat_str after_id = l->after_id;
    agentchat_status status = AGENTCHAT_OK;
    aci_arena *before = NULL; /* of the batch before, which holds after_id */

    while (status >= 0 && !is_end && l->page->count <= l->limit) {
        l->wanted = batch_size(l);
        l->arena = aci_arena_new(l->env, 0);
        status = l->arena == NULL ? aci_fail_nomem(err) : read_rows(l, tx, l->wanted, after_us, after_id, err);
        if (status >= 0)
            status = take_batch(l, tx, err);
        is_end = status < 0 || l->count < l->wanted;
        if (!is_end) {
            after_us = l->batch[l->count - 1].row.updated_us;
            after_id = l->batch[l->count - 1].id;
        }
        aci_arena_unref(before);
        before = l->arena;
    }
    aci_arena_unref(before);
    return status;
}

static agentchat_status list_work(aci_tx *tx, void *user, agentchat_error *err)
{
    listing *l = user;
    const agentchat_thread_info *items, *last;
    agentchat_status status;
    char time[24];

    l->page->count = l->wanted = 0;
    status = read_batches(l, tx, err);
    if (status < 0 || l->page->count <= l->limit)
        return status;
    l->page->count = l->limit;
    items = l->page->items;
    last = &items[l->limit - 1];
    snprintf(time, sizeof time, "%" PRId64, last->updated_us);
    l->page->cursor = aci_cursor_make(
        l->page->arena, (agentchat_str[]){agentchat_str_from(time), agentchat_str_from(last->id)}, CURSOR_PARTS);
    return l->page->cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- the public calls ------------------------------------------------------------------------------------------ */

static agentchat_status read_cursor(listing *l, const char *cursor, agentchat_error *err)
{
    agentchat_str parts[CURSOR_PARTS];
    agentchat_status status = aci_cursor_read(l->page->arena, cursor, parts, CURSOR_PARTS, "threads", err);

    if (status < 0)
        return status;
    if (!aci_json_integer(parts[0], &l->after_us) || aci_label_check(parts[1], "thread", NULL) < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of threads");
    l->after_id = parts[1];
    return AGENTCHAT_OK;
}

void agentchat_thread_list_options_init(agentchat_thread_list_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_thread_list_read(agentchat_store *store, const agentchat_thread_list_options *options,
                                            agentchat_thread_list **out, agentchat_error *err)
{
    agentchat_thread_list_options loaded;
    listing l = {.limit = 0};
    agentchat_thread_list *list;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status < 0)
        return status;
    list = aci_result_page_new(store->env, sizeof *list, sizeof(agentchat_thread_info));
    if (list == NULL)
        return aci_fail_nomem(err);
    l.env = store->env;
    l.page = &list->page;
    l.limit = aci_result_page_limit(loaded.limit);
    status = aci_filter_begin(&l.filter, l.env, loaded.filter, l.page->arena, err);
    if (status >= 0 && loaded.cursor != NULL)
        status = read_cursor(&l, loaded.cursor, err);
    if (status >= 0)
        status = aci_transact(store, false, list_work, &l, err);
    aci_free(l.env, l.batch, l.cap * sizeof *l.batch);
    aci_filter_clear(&l.filter);
    if (status >= 0)
        *out = list;
    else
        agentchat_thread_list_free(list);
    return status;
}

size_t agentchat_thread_list_count(const agentchat_thread_list *list)
{
    return list != NULL ? list->page.count : 0;
}

const agentchat_thread_info *agentchat_thread_list_at(const agentchat_thread_list *list, size_t index)
{
    const agentchat_thread_info *items = list != NULL ? list->page.items : NULL;

    return index < agentchat_thread_list_count(list) ? &items[index] : NULL;
}

const char *agentchat_thread_list_cursor(const agentchat_thread_list *list)
{
    return list != NULL ? list->page.cursor : NULL;
}

void agentchat_thread_list_free(agentchat_thread_list *list)
{
    if (list != NULL)
        aci_result_page_free(&list->page, sizeof *list);
}
