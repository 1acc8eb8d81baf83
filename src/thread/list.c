/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of threads and of checkpoints. */
#include "thread/thread.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/result_page.h"
#include "state/state.h"
#include "store/core/sql.h"
#include "thread/thread_internal.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdio.h>

/* ==== which metadata a list of checkpoints, or of threads, asks for ============================================== */

/* Values are compared as the digest does (docs/formats/digest.md). */

static agentchat_status add_member(aci_filter *filter, uint32_t key, aci_arena *arena, agentchat_error *err)
{
    aci_filter_member *member = &filter->members[filter->count++];
    agentchat_status status;
    bool ok = true;
    aci_buf text;

    aci_buf_init(&text, filter->env, SIZE_MAX);
    status = aci_json_canonical(aci_json_index_raw(&filter->index, key + 1), &text, filter->env, err);
    if (status >= 0) {
        member->value = aci_arena_copy(arena, aci_buf_str(&text), &ok);
        text.len = 0;
        ok = ok && aci_json_unquote(aci_json_index_raw(&filter->index, key), &text);
        if (ok)
            member->name = aci_arena_copy(arena, aci_buf_str(&text), &ok);
    }
    aci_buf_clear(&text);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

static agentchat_status read_members(aci_filter *filter, aci_arena *arena, agentchat_error *err)
{
    const aci_json_index *index = &filter->index;
    agentchat_status status = AGENTCHAT_OK;
    size_t count = 0;

    for (uint32_t key = aci_json_index_first(index, 0); key != 0; key = aci_json_index_next(index, 0, key))
        count++;
    if (count == 0)
        return AGENTCHAT_OK;
    filter->members = aci_arena_alloc(arena, count * sizeof *filter->members);
    if (filter->members == NULL)
        return aci_fail_nomem(err);
    for (uint32_t key = aci_json_index_first(index, 0); key != 0 && status >= 0;
         key = aci_json_index_next(index, 0, key))
        status = add_member(filter, key, arena, err);
    return status;
}

/* Reads a filter, a JSON object; absent: all match. Clear it in any case. E_INVALID when it is none. */
static agentchat_status filter_begin(aci_filter *filter, const agentchat_env *env, agentchat_str json, aci_arena *arena,
                                     agentchat_error *err)
{
    agentchat_status status;
    agentchat_error why;

    *filter = (aci_filter){.env = env};
    aci_json_index_init(&filter->index, env);
    if (json.ptr == NULL)
        return AGENTCHAT_OK;
    agentchat_error_clear(&why);
    status = aci_json_index_text(&filter->index, json, 0, 0, &why);
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return aci_fail(err, status, "%s", why.message);
    if (status < 0 || aci_json_index_kind(&filter->index, 0) != ACI_JSON_OBJECT)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a filter must be a JSON object");
    return read_members(filter, arena, err);
}

/* The metadata comes from the store: it was checked before it went there. */
static agentchat_status read_metadata(aci_filter *filter, agentchat_str metadata, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_json_index_text(&filter->index, metadata, 0, 0, &why);
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return aci_fail(err, status, "%s", why.message);
    if (status < 0 || aci_json_index_kind(&filter->index, 0) != ACI_JSON_OBJECT)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored metadata of a checkpoint is no JSON object");
    return AGENTCHAT_OK;
}

/* Whether the value of a member is that text. */
static agentchat_status compare(const aci_filter *filter, const aci_filter_member *member, agentchat_str json,
                                bool *matches, agentchat_error *err)
{
    agentchat_status status;
    aci_buf text;

    aci_buf_init(&text, filter->env, SIZE_MAX);
    status = aci_json_canonical(json, &text, filter->env, err);
    if (status >= 0)
        *matches = agentchat_str_equal(aci_buf_str(&text), member->value);
    aci_buf_clear(&text);
    return status;
}

/* Whether a checkpoint itself has what a member asks for. *has: it has something under that name. */
static agentchat_status match_own(const aci_filter *filter, const aci_filter_member *member,
                                  const aci_checkpoint_row *row, bool *has, bool *matches, agentchat_error *err)
{
    bool is_source = agentchat_str_equal(member->name, AGENTCHAT_STR("source"));
    bool is_word = is_source || agentchat_str_equal(member->name, AGENTCHAT_STR("run")), ok;
    agentchat_str word = is_source ? row->source : row->run;
    char step[24];
    aci_buf text;

    *has = is_word ? word.ptr != NULL : row->has_step && agentchat_str_equal(member->name, AGENTCHAT_STR("step"));
    if (!*has)
        return AGENTCHAT_OK;
    if (!is_word) {
        (void)snprintf(step, sizeof step, "%" PRId64, row->step);
        return compare(filter, member, agentchat_str_from(step), matches, err);
    }
    aci_buf_init(&text, filter->env, SIZE_MAX);
    *matches = member->value.ptr[0] == '"';
    ok = !*matches || aci_json_unquote(member->value, &text);
    *matches = *matches && agentchat_str_equal(aci_buf_str(&text), word);
    aci_buf_clear(&text);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* Whether a checkpoint has every member of the filter, with an equal value: "source", "step" and "run" where it has
   them itself, and others in its metadata. */
static agentchat_status filter_match(aci_filter *filter, const aci_checkpoint_row *row, bool *matches,
                                     agentchat_error *err)
{
    agentchat_status status;

    *matches = true;
    if (filter->count == 0)
        return AGENTCHAT_OK;
    status = read_metadata(filter, row->meta, err);
    for (size_t i = 0; i < filter->count && status >= 0 && *matches; i++) {
        const aci_filter_member *member = &filter->members[i];
        uint32_t node = aci_json_index_find(&filter->index, 0, member->name);
        bool has = false;

        status = match_own(filter, member, row, &has, matches, err);
        if (status >= 0 && !has && node != 0)
            status = compare(filter, member, aci_json_index_raw(&filter->index, node), matches, err);
        else if (!has)
            *matches = false;
    }
    return status;
}

static void filter_clear(aci_filter *filter)
{
    if (filter->env != NULL)
        aci_json_index_clear(&filter->index);
}

/* ==== lists of checkpoints by pages, newest first ================================================================ */

/* A cursor holds the sequence number of the last one of its page.

   The key of a checkpoint has the namespace before the sequence number. So those of all namespaces are read by
   spans of sequence numbers, for which each namespace is looked into once: as many numbers as rows are wanted, and
   twice as many each time that some were missing, because they are gone. */

enum {
    LIST_CHECKPOINTS_CURSOR_PARTS = 2,
    LIST_CHECKPOINTS_MOST_AT_ONCE = 1000,
    LIST_CHECKPOINTS_FEWEST_FILTERED = 16,
    LIST_CHECKPOINTS_MOST_FILTERED = 16384
};

struct agentchat_checkpoint_list {
    aci_result_page page;
};

typedef struct list_checkpoints_listing {
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
} list_checkpoints_listing;

/* ---- rows ----------------------------------------------------------------------------------------------------- */

static agentchat_status list_checkpoints_add_item(list_checkpoints_listing *l, const aci_checkpoint_row *row,
                                                  agentchat_error *err)
{
    agentchat_checkpoint_info *item = aci_result_page_room(l->page);

    if (item == NULL || !aci_rows_checkpoint_info(row, l->page->arena, item))
        return aci_fail_nomem(err);
    l->page->count++;
    return AGENTCHAT_OK;
}

static agentchat_status list_checkpoints_load_row(void *user, const aci_sql_value *columns, size_t count,
                                                  agentchat_error *err)
{
    list_checkpoints_listing *l = user;
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
        status = filter_match(&l->filter, &row, &matches, err);
    return status < 0 || !matches || l->page->count > l->limit ? status : list_checkpoints_add_item(l, &row, err);
}

static agentchat_status find_before(list_checkpoints_listing *l, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status;

    l->at = (aci_checkpoint_found){.arena = l->page->arena};
    ACI_THREAD_ASK(tx, ACI_CHECKPOINT_BY_ID, aci_rows_load_checkpoint, &l->at, ACI_TEXT(l->thread), ACI_TEXT(l->ns),
                   ACI_TEXT(l->before));
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
static size_t list_checkpoints_batch_size(const list_checkpoints_listing *l)
{
    size_t wanted = l->limit + 1 - l->page->count;
    bool is_filtered = l->filter.count > 0 || l->run.ptr != NULL;
    size_t most = is_filtered ? LIST_CHECKPOINTS_MOST_FILTERED : LIST_CHECKPOINTS_MOST_AT_ONCE;

    if (is_filtered && wanted < 2 * l->asked)
        wanted = 2 * l->asked;
    if (is_filtered && wanted < LIST_CHECKPOINTS_FEWEST_FILTERED)
        wanted = LIST_CHECKPOINTS_FEWEST_FILTERED;
    return wanted < most ? wanted : most;
}

static void ask_one(list_checkpoints_listing *l, aci_tx *tx)
{
    ACI_THREAD_ASK(tx, ACI_CHECKPOINT_HEADERS, list_checkpoints_load_row, l, ACI_TEXT(l->thread), ACI_TEXT(l->ns),
                   ACI_INT(l->next), ACI_INT((int64_t)l->asked));
}

/* The number from which; INT64_MIN: there are none below. */
static int64_t ask_all(list_checkpoints_listing *l, aci_tx *tx)
{
    int64_t top = l->found.row.seq, end = l->next <= top ? l->next : top + 1;
    int64_t from = end > l->span + 1 ? end - l->span : INT64_MIN;

    ACI_THREAD_ASK(tx, ACI_CHECKPOINT_HEADERS_ALL, list_checkpoints_load_row, l, ACI_INT(l->found.row.num),
                   ACI_INT(from), ACI_INT(l->next), ACI_INT((int64_t)l->asked));
    return from;
}

/* Reads a batch. *more: there may be others after it. */
static agentchat_status read_batch(list_checkpoints_listing *l, aci_tx *tx, bool *more, agentchat_error *err)
{
    int64_t from = INT64_MIN;
    agentchat_status status;

    l->asked = list_checkpoints_batch_size(l);
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
static agentchat_status find_thread(list_checkpoints_listing *l, aci_tx *tx, bool *is_there, agentchat_error *err)
{
    agentchat_status status;

    l->found = (aci_thread_found){.id = l->thread};
    ACI_THREAD_ASK(tx, ACI_THREAD_ROW, aci_rows_load_thread, &l->found, ACI_TEXT(l->thread));
    status = aci_transact_run(tx, false, err);
    *is_there = l->found.found;
    return status;
}

static agentchat_status list_checkpoints_list_work(aci_tx *tx, void *user, agentchat_error *err)
{
    list_checkpoints_listing *l = user;
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
    l->page->cursor = aci_sql_cursor_make(l->page->arena, (agentchat_str[]){l->thread, agentchat_str_from(number)},
                                          LIST_CHECKPOINTS_CURSOR_PARTS);
    return l->page->cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- the public calls ----------------------------------------------------------------------------------------- */

static agentchat_status list_checkpoints_read_cursor(list_checkpoints_listing *l, const char *cursor,
                                                     agentchat_error *err)
{
    agentchat_str parts[LIST_CHECKPOINTS_CURSOR_PARTS];
    agentchat_status status =
        aci_sql_cursor_read(l->page->arena, cursor, parts, LIST_CHECKPOINTS_CURSOR_PARTS, "checkpoints", err);

    if (status < 0)
        return status;
    if (!aci_json_integer(parts[1], &l->first) || l->first <= 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of checkpoints");
    if (!agentchat_str_equal(parts[0], l->thread))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the cursor belongs to the list of another thread");
    return AGENTCHAT_OK;
}

static agentchat_status begin(list_checkpoints_listing *l, const char *thread,
                              const agentchat_checkpoint_list_options *options, agentchat_error *err)
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
        status = filter_begin(&l->filter, l->env, options->filter, l->page->arena, err);
    return status < 0 || options->cursor == NULL ? status : list_checkpoints_read_cursor(l, options->cursor, err);
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
    list_checkpoints_listing l = {.limit = 0};
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
        status = aci_rows_name_thread(aci_transact(store, false, list_checkpoints_list_work, &l, err), l.thread,
                                      l.all_namespaces ? AGENTCHAT_STR("") : l.ns, err);
    filter_clear(&l.filter);
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

/* ==== lists of threads by pages ================================================================================== */

/* A cursor holds the last row of its page. A thread that is put to only moves towards the beginning, since the time
   of its last put never goes back; so a page after a cursor cannot show it again.

   Rows are read in batches, for each of which the database sorts the threads of an hour. With a filter each is
   twice as large as the one before, and the newest checkpoints are asked for in smaller ones. */

enum {
    LIST_THREADS_CURSOR_PARTS = 2,
    LIST_THREADS_MOST_AT_ONCE = 1000,
    LIST_THREADS_FEWEST_FILTERED = 16,
    LIST_THREADS_MOST_FILTERED = 8192,
    NEWEST_AT_ONCE = 64
};

struct agentchat_thread_list {
    aci_result_page page;
};

/* A thread of a batch. */
typedef struct candidate {
    agentchat_str id;
    aci_thread_row row;
    aci_checkpoint_found newest; /* asked for with a filter only */
} candidate;

typedef struct list_threads_listing {
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
} list_threads_listing;

/* ---- a batch --------------------------------------------------------------------------------------------------- */

static agentchat_status list_threads_load_row(void *user, const aci_sql_value *columns, size_t count,
                                              agentchat_error *err)
{
    list_threads_listing *l = user;
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
    status = aci_rows_read_thread(&c->row, columns, count, err);
    if (status >= 0) {
        c->id = aci_arena_copy(l->arena, id, &ok);
        l->count += ok;
    }
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

/* The next `wanted` threads, after the one that is named, if there is such a one. */
static agentchat_status read_rows(list_threads_listing *l, aci_tx *tx, size_t wanted, int64_t after_us,
                                  agentchat_str after_id, agentchat_error *err)
{
    l->count = 0;
    aci_rows_ask_threads(tx, after_us, after_id, (int64_t)wanted, list_threads_load_row, l);
    return aci_transact_run(tx, false, err);
}

static agentchat_status read_newest(list_threads_listing *l, aci_tx *tx, size_t first, size_t end, agentchat_error *err)
{
    if (l->filter.count == 0)
        return AGENTCHAT_OK;
    for (size_t i = first; i < end; i++)
        ACI_THREAD_ASK(tx, ACI_CHECKPOINT_NEWEST, aci_rows_load_checkpoint, &l->batch[i].newest,
                       ACI_TEXT(l->batch[i].id), ACI_TEXT(AGENTCHAT_STR("")));
    return aci_transact_run(tx, false, err);
}

/* ---- the page -------------------------------------------------------------------------------------------------- */

static agentchat_status list_threads_add_item(list_threads_listing *l, const candidate *c, agentchat_error *err)
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

static agentchat_status take_some(list_threads_listing *l, size_t first, size_t end, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = first; status >= 0 && i < end && l->page->count <= l->limit; i++) {
        const candidate *c = &l->batch[i];
        bool matches = l->filter.count == 0 || c->newest.found;

        if (matches && l->filter.count > 0)
            status = filter_match(&l->filter, &c->newest.row, &matches, err);
        if (status >= 0 && matches)
            status = list_threads_add_item(l, c, err);
    }
    return status;
}

static agentchat_status take_batch(list_threads_listing *l, aci_tx *tx, agentchat_error *err)
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
static size_t list_threads_batch_size(const list_threads_listing *l)
{
    size_t wanted = l->limit + 1 - l->page->count,
           most = l->filter.count > 0 ? LIST_THREADS_MOST_FILTERED : LIST_THREADS_MOST_AT_ONCE;

    if (l->filter.count > 0 && wanted < 2 * l->wanted)
        wanted = 2 * l->wanted;
    if (l->filter.count > 0 && wanted < LIST_THREADS_FEWEST_FILTERED)
        wanted = LIST_THREADS_FEWEST_FILTERED;
    return wanted < most ? wanted : most;
}

static agentchat_status read_batches(list_threads_listing *l, aci_tx *tx, agentchat_error *err)
{
    bool is_end = false;
    int64_t after_us = l->after_us;
    agentchat_str after_id = l->after_id;
    agentchat_status status = AGENTCHAT_OK;
    aci_arena *before = NULL; /* of the batch before, which holds after_id */

    while (status >= 0 && !is_end && l->page->count <= l->limit) {
        l->wanted = list_threads_batch_size(l);
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

static agentchat_status list_threads_list_work(aci_tx *tx, void *user, agentchat_error *err)
{
    list_threads_listing *l = user;
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
    l->page->cursor =
        aci_sql_cursor_make(l->page->arena, (agentchat_str[]){agentchat_str_from(time), agentchat_str_from(last->id)},
                            LIST_THREADS_CURSOR_PARTS);
    return l->page->cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- the public calls ------------------------------------------------------------------------------------------ */

static agentchat_status list_threads_read_cursor(list_threads_listing *l, const char *cursor, agentchat_error *err)
{
    agentchat_str parts[LIST_THREADS_CURSOR_PARTS];
    agentchat_status status =
        aci_sql_cursor_read(l->page->arena, cursor, parts, LIST_THREADS_CURSOR_PARTS, "threads", err);

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
    list_threads_listing l = {.limit = 0};
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
    status = filter_begin(&l.filter, l.env, loaded.filter, l.page->arena, err);
    if (status >= 0 && loaded.cursor != NULL)
        status = list_threads_read_cursor(&l, loaded.cursor, err);
    if (status >= 0)
        status = aci_transact(store, false, list_threads_list_work, &l, err);
    aci_free(l.env, l.batch, l.cap * sizeof *l.batch);
    filter_clear(&l.filter);
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
