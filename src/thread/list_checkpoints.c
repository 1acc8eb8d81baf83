/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of checkpoints by pages, newest first. A cursor holds the sequence number of the last one of its page.
 *
 * The key of a checkpoint has the namespace before the sequence number. So those of all namespaces are read by spans of
 * sequence numbers, for which each namespace is looked into once: as many numbers as rows are wanted, and twice as many
 * each time that some were missing, because they are gone.
 */
#include "thread/filter.h"
#include "thread/rows.h"

#include "base/error.h"
#include "base/result_page.h"
#include "store/core/cursor.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdio.h>

enum { CURSOR_PARTS = 2, MOST_AT_ONCE = 1000, FEWEST_FILTERED = 16, MOST_FILTERED = 16384 };

struct agentchat_checkpoint_list {
    aci_result_page page;
};

typedef struct listing {
    const agentchat_env *env;
    aci_result_page *page;                 /* of the list that is made */
    agentchat_str thread, ns, before, run; /* before and run absent: not asked for */
    bool all_namespaces;
    size_t limit;
    aci_filter filter;
    int64_t first;           /* the sequence number before which the page begins */
    int64_t next;            /* … and the rest of it */
    size_t asked, seen;      /* rows of the batch */
    aci_thread_found found;  /* the thread, where all namespaces are asked for */
    int64_t span;            /* sequence numbers of the batch, likewise */
    aci_checkpoint_found at; /* the checkpoint `before` */
} listing;

/* ---- rows ----------------------------------------------------------------------------------------------------- */

static agentchat_status add_item(listing *l, const aci_checkpoint_row *row, agentchat_error *err)
{
    agentchat_checkpoint_info *item = aci_result_page_room(l->page);

    if (item == NULL || !aci_rows_checkpoint_info(row, l->page->arena, item))
        return aci_fail_nomem(err);
    l->page->count++;
    return AGENTCHAT_OK;
}

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    listing *l = user;
    aci_checkpoint_row row;
    bool matches;
    agentchat_status status = aci_rows_read_checkpoint(&row, columns, count, err);

    if (status >= 0 && row.seq >= l->next)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored checkpoints of a thread are not in their order");
    if (status < 0)
        return status;
    l->seen++;
    l->next = row.seq;
    matches = l->run.ptr == NULL || agentchat_str_equal(l->run, row.run);
    if (matches)
        status = aci_filter_match(&l->filter, &row, &matches, err);
    return status < 0 || !matches || l->page->count > l->limit ? status : add_item(l, &row, err);
}

static agentchat_status find_before(listing *l, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status;

    l->at = (aci_checkpoint_found){.arena = l->page->arena};
    aci_thread_statement_add(tx, ACI_CHECKPOINT_BY_ID, aci_rows_load_checkpoint, &l->at);
    aci_transact_text(tx, l->thread);
    aci_transact_text(tx, l->ns);
    aci_transact_text(tx, l->before);
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && !l->at.found)
        status = aci_rows_fail_no_checkpoint(l->thread, l->ns, l->before, err);
    if (status >= 0 && l->at.row.seq < l->next)
        l->next = l->at.row.seq;
    return status;
}

/* ---- batches --------------------------------------------------------------------------------------------------- */

/* So many rows that the page may be full after them, and one that shows whether there is a next page. Where rows are
   passed over, twice as many as before: each batch looks into every namespace. */
static size_t batch_size(const listing *l)
{
    size_t wanted = l->limit + 1 - l->page->count;
    bool is_filtered = l->filter.count > 0 || l->run.ptr != NULL;
    size_t most = is_filtered ? MOST_FILTERED : MOST_AT_ONCE;

    if (is_filtered && wanted < 2 * l->asked)
        wanted = 2 * l->asked;
    if (is_filtered && wanted < FEWEST_FILTERED)
        wanted = FEWEST_FILTERED;
    return wanted < most ? wanted : most;
}

static void ask_one(listing *l, aci_tx *tx)
{
    aci_thread_statement_add(tx, ACI_CHECKPOINT_HEADERS, load_row, l);
    aci_transact_text(tx, l->thread);
    aci_transact_text(tx, l->ns);
    aci_transact_integer(tx, l->next);
    aci_transact_integer(tx, (int64_t)l->asked);
}

/* The number from which; INT64_MIN: there are none below. */
static int64_t ask_all(listing *l, aci_tx *tx)
{
    int64_t top = l->found.row.seq, end = l->next <= top ? l->next : top + 1;
    int64_t from = end > l->span + 1 ? end - l->span : INT64_MIN;

    aci_thread_statement_add(tx, ACI_CHECKPOINT_HEADERS_ALL, load_row, l);
    aci_transact_integer(tx, l->found.row.num);
    aci_transact_integer(tx, from);
    aci_transact_integer(tx, l->next);
    aci_transact_integer(tx, (int64_t)l->asked);
    return from;
}

/* Reads a batch. *more: there may be others after it. */
static agentchat_status read_batch(listing *l, aci_tx *tx, bool *more, agentchat_error *err)
{
    int64_t from = INT64_MIN;
    agentchat_status status;

    l->asked = batch_size(l);
    l->seen = 0;
    if (l->span < (int64_t)l->asked)
        l->span = (int64_t)l->asked;
    if (l->all_namespaces)
        from = ask_all(l, tx);
    else
        ask_one(l, tx);
    status = aci_transact_run(tx, false, err);
    status = aci_rows_name_before(status, l->next, err); /* what the last row of the batch has set */
    *more = l->seen == l->asked || from != INT64_MIN;
    if (l->seen == l->asked) {
        l->span = 0;
    } else {
        l->next = from;
        l->span = l->span < ACI_THREAD_HIGHEST / 4 ? 2 * l->span : l->span;
    }
    return status;
}

/* *is_there: the thread has rows to list. */
static agentchat_status find_thread(listing *l, aci_tx *tx, bool *is_there, agentchat_error *err)
{
    agentchat_status status;

    l->found = (aci_thread_found){.id = l->thread};
    aci_thread_statement_add(tx, ACI_THREAD_ROW, aci_rows_load_thread, &l->found);
    aci_transact_text(tx, l->thread);
    status = aci_transact_run(tx, false, err);
    *is_there = l->found.found;
    return status;
}

static agentchat_status list_work(aci_tx *tx, void *user, agentchat_error *err)
{
    listing *l = user;
    agentchat_status status = AGENTCHAT_OK;
    const agentchat_checkpoint_info *items;
    bool more = true;
    char number[24];

    l->page->count = l->asked = 0;
    l->next = l->first;
    l->span = 0;
    if (l->before.ptr != NULL)
        status = find_before(l, tx, err);
    if (status >= 0 && l->all_namespaces)
        status = find_thread(l, tx, &more, err);
    while (status >= 0 && more && l->page->count <= l->limit)
        status = read_batch(l, tx, &more, err);
    if (status < 0 || l->page->count <= l->limit)
        return status;
    l->page->count = l->limit;
    items = l->page->items;
    snprintf(number, sizeof number, "%" PRIu64, items[l->limit - 1].sequence);
    l->page->cursor =
        aci_cursor_make(l->page->arena, (agentchat_str[]){l->thread, agentchat_str_from(number)}, CURSOR_PARTS);
    return l->page->cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- the public calls ----------------------------------------------------------------------------------------- */

static agentchat_status read_cursor(listing *l, const char *cursor, agentchat_error *err)
{
    agentchat_str parts[CURSOR_PARTS];
    agentchat_status status = aci_cursor_read(l->page->arena, cursor, parts, CURSOR_PARTS, "checkpoints", err);

    if (status < 0)
        return status;
    if (!aci_json_integer(parts[1], &l->first) || l->first <= 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of checkpoints");
    if (!agentchat_str_equal(parts[0], l->thread))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the cursor belongs to the list of another thread");
    return AGENTCHAT_OK;
}

static agentchat_status begin(listing *l, const char *thread, const agentchat_checkpoint_list_options *options,
                              agentchat_error *err)
{
    agentchat_status status = aci_rows_check_thread(thread, &l->thread, err);

    l->limit = aci_result_page_limit(options->limit);
    l->all_namespaces = options->all_namespaces;
    l->first = INT64_MAX;
    if (status >= 0)
        status = aci_rows_check_namespace(options->ns, &l->ns, err);
    if (status >= 0)
        status = aci_rows_check_optional(options->before, "checkpoint", &l->before, err);
    if (status >= 0)
        status = aci_rows_check_optional(options->run, "run", &l->run, err);
    if (status >= 0)
        status = aci_filter_begin(&l->filter, l->env, options->filter, l->page->arena, err);
    return status < 0 || options->cursor == NULL ? status : read_cursor(l, options->cursor, err);
}

void agentchat_checkpoint_list_options_init(agentchat_checkpoint_list_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_checkpoint_list_read(agentchat_store *store, const char *thread,
                                                const agentchat_checkpoint_list_options *options,
                                                agentchat_checkpoint_list **out, agentchat_error *err)
{
    agentchat_checkpoint_list_options loaded;
    listing l = {.limit = 0};
    agentchat_checkpoint_list *list;
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
    l.env = store->env;
    list = aci_result_page_new(store->env, sizeof *list, sizeof(agentchat_checkpoint_info));
    if (list == NULL)
        return aci_fail_nomem(err);
    l.page = &list->page;
    status = begin(&l, thread, &loaded, err);
    if (status >= 0)
        status = aci_rows_name_thread(aci_transact(store, false, list_work, &l, err), l.thread,
                                      l.all_namespaces ? AGENTCHAT_STR("") : l.ns, err);
    aci_filter_clear(&l.filter);
    if (status >= 0)
        *out = list;
    else
        agentchat_checkpoint_list_free(list);
    return status;
}

size_t agentchat_checkpoint_list_count(const agentchat_checkpoint_list *list)
{
    return list != NULL ? list->page.count : 0;
}

const agentchat_checkpoint_info *agentchat_checkpoint_list_at(const agentchat_checkpoint_list *list, size_t index)
{
    const agentchat_checkpoint_info *items = list != NULL ? list->page.items : NULL;

    return index < agentchat_checkpoint_list_count(list) ? &items[index] : NULL;
}

const char *agentchat_checkpoint_list_cursor(const agentchat_checkpoint_list *list)
{
    return list != NULL ? list->page.cursor : NULL;
}

void agentchat_checkpoint_list_free(agentchat_checkpoint_list *list)
{
    if (list != NULL)
        aci_result_page_free(&list->page, sizeof *list);
}
