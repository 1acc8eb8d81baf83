/* SPDX-License-Identifier: Apache-2.0 */
/* Searching threads. */
#include "thread/thread_internal.h"

#include "base/error.h"
#include "state/state.h"
#include "store/core/sql.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ==== search terms =============================================================================================== */
/* Which checkpoints the index names: the rows of each word, and of the empty one, side by side, newest first. */

enum { PAGE = 64, MOST_PAGES = 256, WORK_OF_ROW = 16, MOST_STREAMS = ACI_QUERY_WORDS + 1 };

typedef struct stream { /* of a term */
    aci_term_row before;
    int64_t seqs[PAGE];
    size_t count, at;
    bool is_over; /* the store has no more */
} stream;

typedef struct merge {
    const aci_search *search;
    stream streams[MOST_STREAMS]; /* the first one is that of the marks */
    size_t count, pages;
} merge;

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static agentchat_status load_term(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    stream *s = user;
    aci_term_row row;
    agentchat_status status = aci_terms_read(&row, columns, count, err);

    if (status < 0)
        return status;
    if (row.num != s->before.num || row.seq >= s->before.seq || !agentchat_str_equal(row.ns, s->before.ns) ||
        !agentchat_str_equal(row.term, s->before.term) || s->count == PAGE ||
        (s->count > 0 && row.seq >= s->seqs[s->count - 1]))
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored terms of a thread are not in their order");
    s->seqs[s->count++] = row.seq;
    return AGENTCHAT_OK;
}

/* The newest one that a stream has; 0: none. */
static int64_t head(const stream *s)
{
    return s->at < s->count ? s->seqs[s->at] : 0;
}

/* Reads on in the streams that are at the end of what they have. */
static agentchat_status read_pages(merge *m, stream *const *streams, size_t count, agentchat_error *err)
{
    aci_tx *tx = m->search->tx;
    agentchat_status status;

    for (size_t i = 0; i < count; i++)
        aci_terms_ask(tx, &streams[i]->before, PAGE, load_term, streams[i]);
    status = aci_transact_run(tx, false, err);
    for (size_t i = 0; i < count && status >= 0; i++)
        streams[i]->is_over = streams[i]->count < PAGE;
    m->pages += count;
    return status;
}

/* Brings all streams to their newest rows up to a sequence number. */
static agentchat_status seek(merge *m, int64_t last, agentchat_error *err)
{
    stream *at_end[MOST_STREAMS];
    size_t count = 0;

    for (size_t i = 0; i < m->count; i++) {
        stream *s = &m->streams[i];

        while (head(s) > last)
            s->at++;
        if (s->at < s->count || s->is_over)
            continue;
        s->count = s->at = 0;
        s->before.seq = last + 1;
        at_end[count++] = s;
    }
    return count > 0 ? read_pages(m, at_end, count, err) : AGENTCHAT_OK;
}

/* ---- all words -------------------------------------------------------------------------------------------------- */

/* The oldest of the words' heads, before which none can have all of them; 0: a word is over. */
static int64_t common(const merge *m, bool *all)
{
    int64_t low = INT64_MAX, high = 0;

    for (size_t i = 1; i < m->count; i++) {
        int64_t one = head(&m->streams[i]);

        low = one < low ? one : low;
        high = one > high ? one : high;
    }
    *all = low == high;
    return low;
}

static agentchat_status merge_all(merge *m, int64_t below, aci_term_candidates *out, agentchat_error *err)
{
    int64_t last = below - 1;
    agentchat_status status = seek(m, last, err);

    while (status >= 0) {
        bool all = false;
        int64_t low = common(m, &all), marked = head(&m->streams[0]);

        if (low == 0 && marked == 0) {
            out->reached = 0;
            break;
        }
        if (marked >= low || all) {
            out->seqs[out->count++] = marked >= low ? marked : low;
            last = out->seqs[out->count - 1] - 1;
        } else {
            last = low;
        }
        out->reached = last + 1;
        if (out->count == ACI_SEARCH_TOGETHER || m->pages >= MOST_PAGES)
            break;
        status = seek(m, last, err);
    }
    out->work = m->pages * PAGE * WORK_OF_ROW;
    return status;
}

/* Finds the newest ones before a sequence number: those that have all words of the query, or the first ones of many,
   and those that are marked. */
static agentchat_status search_terms(const aci_search *search, int64_t below, aci_term_candidates *out,
                                     agentchat_error *err)
{
    const aci_query *query = &search->query;
    size_t words = query->count < ACI_QUERY_WORDS ? query->count : ACI_QUERY_WORDS;
    merge *m = aci_alloc_zero(search->env, sizeof *m);
    agentchat_status status;

    out->count = out->work = 0;
    out->reached = 0;
    if (m == NULL)
        return aci_fail_nomem(err);
    m->search = search;
    m->count = words + 1;
    for (size_t i = 0; i < m->count; i++)
        m->streams[i].before =
            (aci_term_row){search->num, 0, search->at.ns, i > 0 ? query->first[i - 1] : AGENTCHAT_STR("")};
    status = merge_all(m, below, out, err);
    aci_free(search->env, m, sizeof *m);
    return status;
}

/* ==== searching the checkpoints of a namespace, newest first: the messages that each of them adds ================ */

enum { WORK_OF_CHECKPOINT = 1024, WORK_OF_NUMBER = 4 };

typedef struct chunk {
    aci_search *search;
    aci_added_list added;
    aci_added_messages messages;
    aci_term_candidates candidates; /* which checkpoints are looked at, where the thread is indexed */
} chunk;

/* ---- messages --------------------------------------------------------------------------------------------------- */

static agentchat_status add_hit(aci_search *s, const aci_added_message *one, agentchat_error *err)
{
    aci_result_page *page = &s->hits->page;
    void *numbers = s->hits->numbers;
    agentchat_checkpoint_info *info = aci_arena_alloc(page->arena, sizeof *info);
    agentchat_thread_hit *hit = aci_result_page_room(page);
    bool ok = true;

    if (info == NULL || hit == NULL ||
        !aci_grow(s->env, &numbers, &s->hits->number_cap, page->count, sizeof *s->hits->numbers))
        return aci_fail_nomem(err);
    s->hits->numbers = numbers;
    s->hits->numbers[page->count] = one->number;
    *hit = (agentchat_thread_hit){.checkpoint = info,
                                  .position = (uint64_t)one->position,
                                  .match_begin = s->query.match_begin,
                                  .match_end = s->query.match_end};
    hit->thread = aci_arena_cstr(page->arena, s->at.thread, &ok);
    hit->excerpt = aci_arena_copy(page->arena, (agentchat_str){s->query.excerpt, s->query.excerpt_len}, &ok);
    if (!ok || !aci_rows_checkpoint_info(&one->checkpoint->row, page->arena, info))
        return aci_fail_nomem(err);
    page->count++;
    return AGENTCHAT_OK;
}

static agentchat_status look_at(void *user, const aci_added_message *one, const agentchat_message *message,
                                agentchat_error *err)
{
    aci_search *s = user;
    bool matches = false;
    agentchat_status status = aci_query_match(&s->query, message, &matches, err);

    s->at.seq = one->checkpoint->row.seq;
    s->at.before = one->position;
    if (status >= 0 && matches)
        status = add_hit(s, one, err);
    s->stopped = s->hits->page.count == s->limit; /* whether there is another one would take long to find out */
    return status;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static size_t work_of(const aci_added_list *added)
{
    size_t work = 0;

    for (size_t i = 0; i < added->count; i++) {
        work += WORK_OF_CHECKPOINT;
        if (added->rows[i].gone_numbers != NULL)
            work += (size_t)aci_range_length(added->rows[i].gone) * WORK_OF_NUMBER;
    }
    return work;
}

/* Beyond the checkpoints that were looked at, or those that the index has passed over. */
static void go_on_after(chunk *c)
{
    aci_search *s = c->search;
    const aci_added_list *added = &c->added;

    if (s->indexed && added->count == added->read)
        s->at.seq = c->candidates.reached;
    else if (added->count > 0)
        s->at.seq = added->rows[added->count - 1].row.seq;
    else
        return;
    s->at.before = 0;
}

static agentchat_status search_all(chunk *c, agentchat_error *err)
{
    aci_search *s = c->search;
    const aci_added_list *added = &c->added;
    aci_search_position from = s->at;
    agentchat_status status = AGENTCHAT_OK;
    size_t work = work_of(added) + c->candidates.work;

    for (size_t i = 0; i < added->count && status >= 0 && !s->stopped; i++)
        status = aci_added_messages_of(&c->messages, &added->rows[i],
                                       added->rows[i].row.seq == from.seq ? from.before : INT64_MAX, err);
    if (status >= 0 && !s->stopped)
        status = aci_added_messages_end(&c->messages, err);
    if (status < 0 || s->stopped)
        return status;
    go_on_after(c);
    s->work = work < s->work ? s->work - work : 0;
    s->stopped = s->work == 0;
    return status;
}

/* Those that come next: of all checkpoints, or of those that the index names. */
static agentchat_status read_next(chunk *c, agentchat_error *err)
{
    aci_search *s = c->search;
    aci_added_list *added = &c->added;
    agentchat_status status = AGENTCHAT_OK;

    *added = (aci_added_list){.env = s->env, .tx = s->tx, .num = s->num, .thread = s->at.thread, .ns = s->at.ns};
    added->below = s->at.before > 0 && s->at.seq < INT64_MAX ? s->at.seq + 1 : s->at.seq;
    added->arena = aci_arena_new(s->env, 0);
    if (added->arena == NULL)
        return aci_fail_nomem(err);
    if (s->indexed) {
        status = search_terms(s, added->below, &c->candidates, err);
        added->only = c->candidates.seqs;
        added->only_count = c->candidates.count;
    }
    return status < 0 ? status : aci_search_added_read(added, err);
}

static bool has_more(const chunk *c)
{
    return c->added.count < c->added.read || (c->search->indexed && c->candidates.reached > 0);
}

/* Finds in the rest of the namespace at which it is. */
static agentchat_status search_checkpoints(aci_search *search, agentchat_error *err)
{
    const agentchat_env *env = search->env;
    chunk *c = aci_alloc_zero(env, sizeof *c);
    agentchat_status status = c != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
    bool more = true;

    while (status >= 0 && more && !search->stopped) {
        c->search = search;
        c->messages.added = &c->added;
        c->messages.each = look_at;
        c->messages.user = search;
        c->messages.stopped = &search->stopped;
        c->messages.bytes = &search->bytes;
        c->messages.count = 0;
        status = read_next(c, err);
        if (status >= 0)
            status = search_all(c, err);
        more = has_more(c);
        aci_arena_unref(c->added.arena);
    }
    aci_free(env, c, sizeof *c);
    return status;
}

/* ==== search ===================================================================================================== */
/* Searching threads: the public calls, and the way from thread to thread and from namespace to namespace. */

enum {
    CURSOR_PARTS = 6,
    THREADS = 32,        /* that are read together first … */
    MOST_THREADS = 8192, /* … and at last */
    WORK = 16 << 20,     /* of a page: checkpoints, and numbers of messages */
    BYTES = 16 << 20,    /* … and messages */
    WORK_OF_NAMESPACE = 1024
};

/* ---- namespaces ------------------------------------------------------------------------------------------------- */

/* A thread or namespace costs something, too, however little is in it. */
static void spend(aci_search *s)
{
    s->work = s->work > WORK_OF_NAMESPACE ? s->work - WORK_OF_NAMESPACE : 0;
    s->stopped = s->stopped || s->work == 0;
}

/* Goes to the next one. */
static agentchat_status next_of_thread(aci_search *s, bool *found, agentchat_error *err)
{
    agentchat_status status = aci_namespaces_next(s->tx, s->num, s->hits->page.arena, &s->at.ns, found, err);

    s->at.seq = *found ? INT64_MAX : 0; /* 0: nothing is left */
    s->at.before = 0;
    spend(s);
    return status;
}

/* From where it is to the end of the thread. */
static agentchat_status search_thread(aci_search *s, agentchat_error *err)
{
    bool more = true;
    agentchat_status status = AGENTCHAT_OK;

    while (status >= 0 && more) {
        status = search_checkpoints(s, err);
        more = !s->stopped && s->ns.ptr == NULL;
        if (status >= 0 && more)
            status = next_of_thread(s, &more, err);
    }
    spend(s);
    return status;
}

/* The messages of a thread that were found, in full. */
static agentchat_status read_messages(aci_search *s, size_t first, agentchat_error *err)
{
    agentchat_thread_hits *hits = s->hits;
    size_t count = hits->page.count - first;
    agentchat_messages list;
    agentchat_status status;

    if (count == 0)
        return AGENTCHAT_OK;
    status = aci_load_numbered(s->tx, s->num, hits->numbers + first, count, &list, err);
    if (status >= 0 && !aci_list_append_range(&hits->messages, &list, 0, count))
        status = aci_fail_nomem(err);
    aci_list_clear(&list);
    return status;
}

static agentchat_status search_and_read(aci_search *s, int64_t num, int64_t indexed, agentchat_error *err)
{
    size_t first = s->hits->page.count;
    agentchat_status status;

    s->num = num;
    s->indexed = indexed == ACI_INDEXED;
    status = search_thread(s, err);
    if (status >= 0)
        status = read_messages(s, first, err);
    return aci_rows_name_thread(status, s->at.thread, s->at.ns, err);
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

typedef struct searched_thread {
    agentchat_str id;
    int64_t num, updated_us, indexed;
} searched_thread;

typedef struct thread_page {
    aci_search *search;
    searched_thread *rows; /* room for `size`; in the page's arena */
    size_t count, size;
    agentchat_str id; /* of the last one, which comes before all that follow */
    int64_t updated_us;
} thread_page;

static agentchat_status load_thread(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    thread_page *page = user;
    aci_thread_row row;
    agentchat_str id = {NULL, 0};
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &id, err);

    if (status >= 0)
        status = aci_rows_read_thread(&row, columns, count, err);
    if (status < 0)
        return status;
    if (page->count == page->size || row.updated_us > page->updated_us ||
        (row.updated_us == page->updated_us && aci_str_compare(id, page->id) >= 0))
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored threads are not in their order");
    page->rows[page->count].id = aci_arena_copy(page->search->hits->page.arena, id, &ok);
    page->rows[page->count].num = row.num;
    page->rows[page->count].indexed = row.indexed;
    page->rows[page->count].updated_us = row.updated_us;
    page->id = page->rows[page->count].id;
    page->updated_us = row.updated_us;
    page->count += ok;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void begin_thread(aci_search *s, agentchat_str id, int64_t updated_us)
{
    s->at = (aci_search_position){
        .thread = id, .updated_us = updated_us, .ns = s->ns.ptr != NULL ? s->ns : AGENTCHAT_STR(""), .seq = INT64_MAX};
}

/* The thread that the cursor names, or the only one that is searched. */
static agentchat_status search_named(aci_search *s, agentchat_str id, agentchat_error *err)
{
    aci_thread_found found = {.id = id};
    agentchat_status status;

    begin_thread(s, id, s->start.updated_us);
    if (s->continues)
        s->at = s->start;
    ACI_THREAD_ASK(s->tx, ACI_THREAD_ROW, aci_rows_load_thread, &found, ACI_TEXT(id));
    status = aci_transact_run(s->tx, false, err);
    return status < 0 || !found.found ? status : search_and_read(s, found.row.num, found.row.indexed, err);
}

/* Those that were put to before the one at which the search is. */
static agentchat_status search_others(aci_search *s, agentchat_error *err)
{
    const agentchat_str nobody = {NULL, 0};
    thread_page page = {.search = s, .updated_us = INT64_MAX, .size = THREADS};
    bool is_first = !s->continues;
    agentchat_status status;

    if (s->continues) {
        page.id = s->start.thread;
        page.updated_us = s->start.updated_us;
    }
    do { /* the database sorts the threads of an hour each time, so each time they are more */
        page.size = is_first || page.size >= MOST_THREADS ? page.size : 2 * page.size;
        page.count = 0;
        page.rows = aci_arena_alloc(s->hits->page.arena, page.size * sizeof *page.rows);
        if (page.rows == NULL)
            return aci_fail_nomem(err);
        aci_rows_ask_threads(s->tx, s->at.updated_us, is_first ? nobody : s->at.thread, (int64_t)page.size, load_thread,
                             &page);
        is_first = false;
        status = aci_transact_run(s->tx, false, err);
        for (size_t i = 0; i < page.count && status >= 0 && !s->stopped; i++) {
            begin_thread(s, page.rows[i].id, page.rows[i].updated_us);
            status = search_and_read(s, page.rows[i].num, page.rows[i].indexed, err);
        }
    } while (status >= 0 && !s->stopped && page.count == page.size);
    return status;
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static agentchat_status make_cursor(aci_search *s, agentchat_error *err)
{
    const aci_search_position *at = &s->at;
    char updated[24], seq[24], before[24];
    agentchat_str parts[CURSOR_PARTS] = {s->thread.ptr != NULL ? AGENTCHAT_STR("thread") : AGENTCHAT_STR("all"),
                                         at->thread};

    snprintf(updated, sizeof updated, "%" PRId64, at->updated_us);
    snprintf(seq, sizeof seq, "%" PRId64, at->seq);
    snprintf(before, sizeof before, "%" PRId64, at->before);
    parts[2] = agentchat_str_from(updated);
    parts[3] = at->ns;
    parts[4] = agentchat_str_from(seq);
    parts[5] = agentchat_str_from(before);
    s->hits->page.cursor = aci_sql_cursor_make(s->hits->page.arena, parts, CURSOR_PARTS);
    return s->hits->page.cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status search_work(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_search *s = user;
    agentchat_thread_hits *hits = s->hits;
    agentchat_thread_hit *items;
    agentchat_status status = AGENTCHAT_OK;
    aci_list_cursor cursor;

    s->tx = tx;
    s->work = WORK;
    s->bytes = BYTES;
    s->stopped = false;
    hits->page.count = 0;
    aci_list_clear(&hits->messages); /* of an attempt that failed */
    if (s->thread.ptr != NULL || s->continues)
        status = search_named(s, s->thread.ptr != NULL ? s->thread : s->start.thread, err);
    if (status >= 0 && s->thread.ptr == NULL && !s->stopped)
        status = search_others(s, err);
    if (status >= 0 && s->stopped)
        status = make_cursor(s, err);
    items = hits->page.items;
    aci_list_cursor_begin(&cursor, &hits->messages);
    for (size_t i = 0; i < hits->page.count && status >= 0; i++)
        items[i].message = aci_list_cursor_at(&cursor, i);
    return status;
}

/* ---- the public calls -------------------------------------------------------------------------------------------- */

static agentchat_status fail_cursor(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a search");
}

static agentchat_status read_cursor(aci_search *s, const char *cursor, agentchat_error *err)
{
    agentchat_str parts[CURSOR_PARTS];
    aci_search_position *start = &s->start;
    bool is_of_one;
    agentchat_status status = aci_sql_cursor_read(s->hits->page.arena, cursor, parts, CURSOR_PARTS, "messages", err);

    if (status < 0)
        return status;
    is_of_one = agentchat_str_equal(parts[0], AGENTCHAT_STR("thread"));
    if ((!is_of_one && !agentchat_str_equal(parts[0], AGENTCHAT_STR("all"))) || !aci_rows_is_name(parts[1]) ||
        (parts[3].len > 0 && !aci_rows_is_name(parts[3])) || !aci_json_integer(parts[2], &start->updated_us) ||
        !aci_json_integer(parts[4], &start->seq) || !aci_json_integer(parts[5], &start->before) || start->seq < 0 ||
        start->before < 0)
        return fail_cursor(err);
    if (is_of_one != (s->thread.ptr != NULL) || (is_of_one && !agentchat_str_equal(parts[1], s->thread)))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the cursor belongs to the search of other threads");
    if (s->ns.ptr != NULL && !agentchat_str_equal(parts[3], s->ns))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the cursor belongs to the search of another namespace");
    start->thread = parts[1];
    start->ns = parts[3];
    s->continues = true;
    return AGENTCHAT_OK;
}

static agentchat_status begin(aci_search *s, const char *thread, agentchat_str query,
                              const agentchat_thread_search_options *options, agentchat_error *err)
{
    agentchat_status status = aci_rows_check_optional(thread, "thread", &s->thread, err);

    s->limit = aci_result_page_limit(options->limit);
    if (status >= 0 && options->ns != NULL)
        status = aci_rows_check_namespace(options->ns, &s->ns, err);
    if (status >= 0)
        status = aci_query_begin(&s->query, s->env, query, err);
    return status < 0 || options->cursor == NULL ? status : read_cursor(s, options->cursor, err);
}

void agentchat_thread_search_options_init(agentchat_thread_search_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_thread_search(agentchat_store *store, const char *thread, agentchat_str query,
                                         const agentchat_thread_search_options *options, agentchat_thread_hits **out,
                                         agentchat_error *err)
{
    agentchat_thread_search_options loaded;
    aci_search s = {.limit = 0};
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
    s.env = store->env;
    s.hits = aci_result_page_new(store->env, sizeof *s.hits, sizeof(agentchat_thread_hit));
    if (s.hits == NULL)
        return aci_fail_nomem(err);
    aci_list_init(&s.hits->messages, store->env);
    status = begin(&s, thread, query, &loaded, err);
    if (status >= 0)
        status = aci_transact(store, false, search_work, &s, err);
    aci_query_clear(&s.query);
    if (status >= 0)
        *out = s.hits;
    else
        agentchat_thread_hits_free(s.hits);
    return status;
}

size_t agentchat_thread_hits_count(const agentchat_thread_hits *hits)
{
    return hits != NULL ? hits->page.count : 0;
}

const agentchat_thread_hit *agentchat_thread_hits_at(const agentchat_thread_hits *hits, size_t index)
{
    const agentchat_thread_hit *items = hits != NULL ? hits->page.items : NULL;

    return index < agentchat_thread_hits_count(hits) ? &items[index] : NULL;
}

const char *agentchat_thread_hits_cursor(const agentchat_thread_hits *hits)
{
    return hits != NULL ? hits->page.cursor : NULL;
}

void agentchat_thread_hits_free(agentchat_thread_hits *hits)
{
    if (hits == NULL)
        return;
    aci_free(hits->page.env, hits->numbers, hits->number_cap * sizeof *hits->numbers);
    aci_list_clear(&hits->messages);
    aci_result_page_free(&hits->page, sizeof *hits);
}
