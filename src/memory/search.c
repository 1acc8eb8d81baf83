/* SPDX-License-Identifier: Apache-2.0 */
/* Searching documents: those that were updated last, those that have words, those that are near. */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/sha256.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search_call {
    agentchat_memory_query query;
    aci_space space;
    agentchat_str ns, end; /* what is searched */
    aci_filter filter;
    bool by_words, by_vectors;    /* neither: those that were updated last */
    aci_embedding embedding;      /* its one vector is the query's */
    aci_vector_settings settings; /* of the store's vectors */
    aci_vector_settings wanted;   /* what the query's is */
    size_t text;                  /* its number among texts that are embedded with others' */
    bool is_waiting;              /* for that */
    agentchat_memory_results *out;
    char name[17];    /* of the search, which its cursors have: a digest of what it asks for */
    aci_arena *arena; /* of the call */
    aci_tx *tx;
    int64_t now;
    aci_document last;       /* the one that was shown last: its namespace, key and time */
    agentchat_str cursor[4]; /* its parts: the search, and three that say where it goes on */
} search_call;

/* ---- cursors: the search that they are of, and where it goes on ----------------------------------------------- */

static agentchat_status name_search(search_call *s, agentchat_error *err)
{
    unsigned char digest[32];
    aci_sha256 sha;
    const agentchat_str vector = {(const char *)s->query.vector,
                                  s->query.vector != NULL ? s->query.dimensions * sizeof *s->query.vector : 0};
    const agentchat_str parts[] = {s->ns, s->query.filter, s->query.text, vector};
    bool ok = aci_sha256_begin(&sha);

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint64_t len = parts[i].ptr != NULL ? parts[i].len : UINT64_MAX;

        ok = ok && aci_sha256_add(&sha, &len, sizeof len) &&
             (parts[i].len == 0 || aci_sha256_add(&sha, parts[i].ptr, parts[i].len));
    }
    ok = ok && aci_sha256_add(&sha, &s->by_words, sizeof s->by_words) &&
         aci_sha256_add(&sha, &s->by_vectors, sizeof s->by_vectors) &&
         aci_sha256_add(&sha, &s->query.exact, sizeof s->query.exact) &&
         aci_sha256_add(&sha, &s->query.has_min_score, sizeof s->query.has_min_score) &&
         aci_sha256_add(&sha, &s->query.min_score, sizeof s->query.min_score);
    ok = aci_sha256_end(&sha, ok ? digest : NULL) && ok;
    for (size_t i = 0; i < 8 && ok; i++)
        (void)snprintf(s->name + 2 * i, 3, "%02x", digest[i]);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status read_cursor(search_call *s, agentchat_error *err)
{
    agentchat_status status;

    if (s->query.cursor == NULL)
        return AGENTCHAT_OK;
    if (s->query.offset != 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a cursor and an offset exclude each other");
    status = aci_sql_cursor_read(s->arena, s->query.cursor, s->cursor, 4, "documents", err);
    if (status >= 0 && !agentchat_str_equal(s->cursor[0], agentchat_str_from(s->name)))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the cursor is of another search");
    return status;
}

static agentchat_status search_cursor(search_call *s, const char *where, agentchat_error *err)
{
    const char *ns = aci_space_print(s->last.ns, s->arena);
    const agentchat_str all[] = {agentchat_str_from(s->name), agentchat_str_from(where), agentchat_str_from(ns),
                                 s->last.key};

    s->out->page.cursor = ns != NULL ? aci_sql_cursor_make(s->out->page.arena, all, 4) : NULL;
    return s->out->page.cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status search_show(search_call *s, aci_document *row, bool *full, agentchat_error *err)
{
    bool ok = true;

    *full = s->out->page.count == s->query.limit;
    if (*full)
        return AGENTCHAT_OK;
    s->last = (aci_document){.updated = row->updated};
    s->last.ns = aci_arena_copy(s->arena, row->ns, &ok);
    s->last.key = aci_arena_copy(s->arena, row->key, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    if (s->query.refresh)
        aci_document_refresh(s->tx, row, s->now);
    return aci_document_show(s->out, row, err);
}

/* ---- those that were updated last ----------------------------------------------------------------------------- */

enum { MOST_TOGETHER = 1000, USUAL_LIMIT = 10 };

/* Shows those of a page of rows that match. */
static agentchat_status show_rows(search_call *s, aci_document_list *found, size_t *passed, bool *full,
                                  agentchat_error *err)
{
    aci_json_index index;
    agentchat_status status = AGENTCHAT_OK;

    aci_json_index_init(&index, s->tx->store->env);
    for (size_t i = 0; i < found->count && status >= 0 && !*full; i++) {
        bool is = false;

        status = aci_document_matches(&found->list[i], &s->filter, &index, &is, err);
        if (status >= 0 && is && (*passed)++ >= s->query.offset)
            status = search_show(s, &found->list[i], full, err);
    }
    aci_json_index_clear(&index);
    return status < 0 || s->tx->count == 0 ? status : aci_transact_run(s->tx, false, err);
}

/* In the order of pages; damaged ones of the database may lead in circles. */
static bool is_later(const aci_document *row, const aci_document *after)
{
    return row->updated != after->updated ? row->updated < after->updated
                                          : aci_table_compare(&aci_document_table, row, after) > 0;
}

/* Shows those after one; unseen: those that no search by vectors can see. */
static agentchat_status show_latest(search_call *s, aci_document after, bool unseen, size_t *passed, bool *full,
                                    agentchat_error *err)
{
    size_t together = s->query.limit < MOST_TOGETHER ? s->query.limit + 1 : MOST_TOGETHER, count = 0;
    bool ok = true;
    agentchat_status status = AGENTCHAT_OK;

    if (s->query.offset > 0)
        together = MOST_TOGETHER;
    else if (s->filter.is_set) /* each page goes through all of an index again */
        together = together < MOST_TOGETHER / 16 ? together * 16 : MOST_TOGETHER;
    while (status >= 0 && !*full) {
        aci_document_list found;

        if (!aci_documents_begin(&found, s->tx->store->env))
            return aci_fail_nomem(err);
        ACI_MEMORY_ASK(s->tx, unseen ? ACI_MEMORY_UNSEEN : ACI_MEMORY_LATEST, aci_documents_load, &found,
                       ACI_BYTES(s->ns), ACI_BYTES(s->end), ACI_INT(s->now), ACI_INT(after.updated),
                       ACI_BYTES(after.ns), ACI_TEXT(after.key));
        if (unseen)
            ACI_BIND(s->tx, ACI_INT(s->settings.gen), ACI_INT(aci_vector_kinds(&s->settings)));
        ACI_BIND(s->tx, ACI_INT((int64_t)together));
        status = aci_transact_run(s->tx, false, err);
        if (status >= 0)
            status = show_rows(s, &found, passed, full, err);
        count = found.count;
        if (status >= 0 && count > 0 && !is_later(&found.list[count - 1], &after))
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "documents are not in the order of their times");
        if (count > 0) {
            after = found.list[count - 1];
            after.ns = aci_arena_copy(s->arena, after.ns, &ok);
            after.key = aci_arena_copy(s->arena, after.key, &ok);
        }
        aci_documents_end(&found);
        if (status >= 0 && !ok)
            status = aci_fail_nomem(err);
        if (count < together)
            break;
        together = together < MOST_TOGETHER / 4 ? together * 4 : MOST_TOGETHER;
    }
    return status;
}

static agentchat_status search_latest(search_call *s, agentchat_error *err)
{
    aci_document after = {.ns = AGENTCHAT_STR(""), .key = AGENTCHAT_STR(""), .updated = INT64_MAX};
    size_t passed = 0;
    bool full = false;
    char updated[24];
    aci_space space;
    agentchat_status status = AGENTCHAT_OK;

    if (s->query.cursor != NULL) {
        after.updated = strtoll(s->cursor[1].ptr, NULL, 10);
        status = aci_space_read(s->cursor[2].ptr, false, &space, err);
        after.ns = aci_space_bytes(&space);
        after.key = s->cursor[3];
    }
    if (status >= 0)
        status = show_latest(s, after, false, &passed, &full, err);
    if (status >= 0 && full && !is_later(&s->last, &after))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "documents are not in the order of their times");
    (void)snprintf(updated, sizeof updated, "%" PRId64, s->last.updated);
    return status < 0 || !full ? status : search_cursor(s, updated, err);
}

/* ---- ranked: those that have words, by their BM25, and the nearest ---------------------------------------------- */

/* BM25 with the constants that are usual; the one that is usual where two ranks are added. */
#define K1 1.2
#define B 0.75
#define RANK_OFFSET 60

enum { LEAST_TOGETHER = 64 };

typedef struct posting { /* that a document has a word */
    const agentchat_str *ns;
    int64_t no, count, words, updated;
    uint32_t term;
} posting;

typedef struct match {
    const agentchat_str *ns, *field; /* field: NULL: none */
    int64_t no, updated;
    double score;
} match;

typedef struct read_match { /* with its document */
    match of;
    aci_document row;
    aci_arena *arena;
    bool is_there;
} read_match;

typedef struct matching {
    search_call *s;
    const agentchat_env *env;
    aci_word_list words;
    uint32_t term; /* that is read */
    posting *postings;
    size_t posting_count, posting_cap;
    match *list;
    size_t count, cap;
    bool is_all;                     /* else there are more, after these */
    bool has_several;                /* of a document */
    int64_t sums[3];                 /* of the namespaces: documents, words, the highest change */
    const agentchat_str *ns, *field; /* that came last */
    /* ---- where the page begins ---- */
    double score; /* minus infinity: among those that have none */
    aci_document after;
    aci_space after_space;
    size_t passed;
} matching;

/* A text that comes again and again, once. */
static bool keep(matching *m, const agentchat_str **last, agentchat_str text)
{
    agentchat_str *copy;
    bool ok = true;

    if (*last != NULL && agentchat_str_equal(**last, text))
        return true;
    copy = aci_arena_alloc(m->s->arena, sizeof *copy);
    if (copy == NULL)
        return false;
    *copy = aci_arena_copy(m->s->arena, text, &ok);
    *last = copy;
    return ok;
}

static bool add_match(matching *m, match one)
{
    void *list = m->list;

    if (!aci_grow(m->env, &list, &m->cap, m->count, sizeof *m->list))
        return false;
    m->list = list;
    m->list[m->count++] = one;
    return true;
}

static int by_score(const void *left, const void *right)
{
    const match *a = left, *b = right;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->updated != b->updated)
        return a->updated > b->updated ? -1 : 1;
    return (a->no > b->no) - (a->no < b->no);
}

static int by_document(const void *left, const void *right)
{
    const match *a = left, *b = right;

    return a->no != b->no ? (a->no > b->no) - (a->no < b->no) : by_score(left, right);
}

/* Makes one of all matches of a document, from a position on: with the best score, or the sum of all. */
static void merge(matching *m, size_t from, bool sums)
{
    size_t count = from;

    if (m->count - from < 2)
        return;
    qsort(m->list + from, m->count - from, sizeof *m->list, by_document);
    for (size_t i = from; i < m->count; i++) {
        match *before = count > from ? &m->list[count - 1] : NULL;

        if (before == NULL || before->no != m->list[i].no) {
            m->list[count++] = m->list[i];
            continue;
        }
        if (sums)
            before->score += m->list[i].score;
        if (before->field == NULL)
            before->field = m->list[i].field;
    }
    m->count = count;
}

/* Makes a heap below `at` whose root is the worst, when all below it are heaps. */
static void sift(match *heap, size_t count, size_t at)
{
    for (size_t below = 2 * at + 1; below < count; at = below, below = 2 * at + 1) {
        match moved = heap[at];

        if (below + 1 < count && by_score(&heap[below + 1], &heap[below]) > 0)
            below++;
        if (by_score(&heap[below], &moved) <= 0)
            break;
        heap[at] = heap[below];
        heap[below] = moved;
    }
}

/* Keeps the best of all from a position on. */
static void keep_best(matching *m, size_t from, size_t count)
{
    match *heap = m->list + from;
    size_t all = m->count - from;

    if (count == 0 || all <= count)
        return;
    for (size_t at = count / 2; at-- > 0;)
        sift(heap, count, at);
    for (size_t i = count; i < all; i++) {
        if (by_score(&heap[i], heap) >= 0)
            continue;
        heap[0] = heap[i];
        sift(heap, count, 0);
    }
    m->count = from + count;
    m->is_all = false;
}

/* Turns scores into those of ranks, from a position on. */
static void rank(matching *m, size_t from)
{
    if (m->count - from > 1)
        qsort(m->list + from, m->count - from, sizeof *m->list, by_score);
    for (size_t i = from; i < m->count; i++)
        m->list[i].score = 1.0 / (double)(RANK_OFFSET + 1 + (i - from));
}

/* ---- what has the words --------------------------------------------------------------------------------------- */

static agentchat_status load_sums(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    int64_t *sums = user;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < 3 && status >= 0; i++)
        status = aci_transact_column_integer(columns, count, i, &sums[i], err);
    return status;
}

static agentchat_status load_posting(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    matching *m = user;
    void *postings = m->postings;
    posting one = {.term = m->term};
    agentchat_str ns = {NULL, 0};
    agentchat_status status = aci_transact_column_bytes(columns, count, 0, &ns, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &one.no, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &one.count, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 3, &one.words, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 4, &one.updated, err);
    if (status < 0)
        return status;
    if (!keep(m, &m->ns, ns) || !aci_grow(m->env, &postings, &m->posting_cap, m->posting_count, sizeof *m->postings))
        return aci_fail_nomem(err);
    one.ns = m->ns;
    m->postings = postings;
    m->postings[m->posting_count++] = one;
    return AGENTCHAT_OK;
}

static int by_number(const void *left, const void *right)
{
    const posting *a = left, *b = right;

    if (a->no != b->no)
        return a->no < b->no ? -1 : 1;
    return (a->term > b->term) - (a->term < b->term);
}

static double score_of(const matching *m, const posting *p, const size_t *having)
{
    double documents = (double)m->sums[0], have = (double)having[p->term], often = (double)p->count;
    double average = documents > 0 && m->sums[1] > 0 ? (double)m->sums[1] / documents : 1;
    double rarity = log(1 + ((documents > have ? documents - have : 0) + 0.5) / (have + 0.5));

    return rarity * often * (K1 + 1) / (often + K1 * (1 - B + B * (double)p->words / average));
}

/* One match for each document, with the scores of its words summed. */
static agentchat_status add_up(matching *m, agentchat_error *err)
{
    size_t *having = aci_arena_alloc(m->s->arena, (m->words.count + 1) * sizeof *having);

    if (having == NULL)
        return aci_fail_nomem(err);
    memset(having, 0, (m->words.count + 1) * sizeof *having);
    for (size_t i = 0; i < m->posting_count; i++)
        having[m->postings[i].term]++;
    if (m->posting_count > 1)
        qsort(m->postings, m->posting_count, sizeof *m->postings, by_number);
    for (size_t i = 0; i < m->posting_count; i++) {
        const posting *p = &m->postings[i];

        if ((m->count == 0 || m->list[m->count - 1].no != p->no) &&
            !add_match(m, (match){p->ns, NULL, p->no, p->updated, 0}))
            return aci_fail_nomem(err);
        m->list[m->count - 1].score += score_of(m, p, having);
    }
    return AGENTCHAT_OK;
}

static agentchat_status find_words(matching *m, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (!aci_words_begin(&m->words, m->env) || !aci_words_add_text(&m->words, m->s->query.text, true))
        return aci_fail_nomem(err);
    for (m->term = 0; m->term < m->words.count && status >= 0; m->term++) {
        ACI_MEMORY_ASK(m->s->tx, ACI_MEMORY_WORDS, load_posting, m, ACI_TEXT(m->words.list[m->term].term),
                       ACI_BYTES(m->s->ns), ACI_BYTES(m->s->end));
        status = aci_transact_run(m->s->tx, false, err);
    }
    return status < 0 ? status : add_up(m, err);
}

/* ---- what is near --------------------------------------------------------------------------------------------- */

static agentchat_status load_near(void *user, const aci_near *near, agentchat_error *err)
{
    matching *m = user;

    if (!keep(m, &m->ns, near->ns) || (near->field.ptr != NULL && !keep(m, &m->field, near->field)) ||
        !add_match(m, (match){m->ns, near->field.ptr != NULL ? m->field : NULL, near->no, near->updated, near->score}))
        return aci_fail_nomem(err);
    m->has_several = m->has_several || near->n > 0;
    return AGENTCHAT_OK;
}

/* Adds those that are nearest; all of them, or at least so many vectors. */
static agentchat_status find_near(matching *m, size_t least, agentchat_error *err)
{
    search_call *s = m->s;
    size_t from = m->count;
    aci_nearest n = {.tx = s->tx, .settings = &s->settings, .ns = s->ns, .end = s->end, .each = load_near, .user = m};
    agentchat_status status;

    m->is_all = true;
    if (!s->settings.is_there)
        return AGENTCHAT_OK;
    n.vector = s->embedding.made.numbers;
    n.limit = least < INT32_MAX ? (int64_t)least : INT64_MAX;
    n.is_whole = s->ns.len == 0 && !s->query.exact;
    m->has_several = false;
    status = aci_vectors_nearest(&n, err);
    m->is_all = n.is_all;
    if (status >= 0 && m->has_several)
        merge(m, from, false);
    if (status >= 0 && n.is_all && least < m->count)
        keep_best(m, from, least);
    return status;
}

/* Finds what is to be shown; least: so many vectors at least, where not all come at once. */
static agentchat_status find_matches(matching *m, size_t least, agentchat_error *err)
{
    bool both = m->s->by_words && m->s->by_vectors;
    agentchat_status status = AGENTCHAT_OK;

    m->count = 0;
    m->is_all = true;
    if (m->s->by_words)
        status = find_words(m, err);
    if (both)
        rank(m, 0);
    if (status >= 0 && m->s->by_vectors) {
        size_t from = m->count;

        status = find_near(m, both ? SIZE_MAX : least, err);
        if (both) {
            rank(m, from);
            merge(m, 0, true);
        }
    }
    if (m->count > 1)
        qsort(m->list, m->count, sizeof *m->list, by_score);
    return status;
}

/* ---- the page ------------------------------------------------------------------------------------------------- */

/* The order in which they are shown. */
static int by_place(const void *left, const void *right)
{
    const read_match *a = left, *b = right;
    int order;

    if (a->of.score != b->of.score)
        return a->of.score > b->of.score ? -1 : 1;
    if (a->is_there != b->is_there)
        return a->is_there ? -1 : 1;
    if (a->row.updated != b->row.updated)
        return a->row.updated > b->row.updated ? -1 : 1;
    order = aci_str_compare(a->row.ns, b->row.ns);
    return order != 0 ? order : aci_str_compare(a->row.key, b->row.key);
}

static agentchat_status load_match(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    read_match *m = user;
    aci_document_list one = {.env = aci_arena_env(m->arena), .arena = m->arena};
    agentchat_status status = aci_documents_load(&one, columns, count, err);

    if (status >= 0)
        m->row = one.list[0];
    m->is_there = status >= 0;
    aci_free(one.env, one.list, one.cap * sizeof *one.list);
    return status;
}

/* Reads the documents of some matches, which end with all of one score and time. */
static agentchat_status read_matches(matching *m, const match *some, read_match *out, size_t count, aci_arena *arena,
                                     agentchat_error *err)
{
    agentchat_status status;

    for (size_t i = 0; i < count; i++) {
        out[i] = (read_match){.of = some[i], .arena = arena};
        ACI_MEMORY_ASK(m->s->tx, ACI_MEMORY_BY_NUMBER, load_match, &out[i], ACI_BYTES(*some[i].ns),
                       ACI_INT(some[i].no));
    }
    status = aci_transact_run(m->s->tx, false, err);
    if (status >= 0 && count > 1)
        qsort(out, count, sizeof *out, by_place);
    return status;
}

/* Changes with what the scores of vectors follow from. */
static int64_t settings_number(const search_call *s)
{
    return (int64_t)((uint64_t)s->settings.gen * 4 + (uint64_t)s->settings.metric);
}

/* The cursor says where the page begins: the sums, the bits of the score, the time, the settings of vectors. */
static agentchat_status begin_after(matching *m, agentchat_error *err)
{
    int64_t numbers[5] = {0, 0, 0, 0, 0};
    const char *at;
    char *end;
    agentchat_status status;

    m->score = HUGE_VAL;
    if (m->s->query.cursor == NULL)
        return AGENTCHAT_OK;
    at = m->s->cursor[1].ptr;
    for (int i = 0; i < 5; i++, at = end) {
        numbers[i] = strtoll(at, &end, 10);
        if (end == at)
            return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of documents");
    }
    memcpy(&m->score, &numbers[2], sizeof m->score);
    if (numbers[0] != m->sums[0] || numbers[1] != m->sums[2] || numbers[4] != settings_number(m->s))
        return aci_fail(err, AGENTCHAT_E_CONFLICT,
                        "documents were put or deleted since the page before: search again, with an offset to go on");
    status = aci_space_read(m->s->cursor[2].ptr, false, &m->after_space, err);
    m->after = (aci_document){.ns = aci_space_bytes(&m->after_space), .key = m->s->cursor[3], .updated = numbers[3]};
    return status;
}

static agentchat_status end_page(matching *m, double score, agentchat_error *err)
{
    char where[120];
    int64_t bits;

    memcpy(&bits, &score, sizeof bits);
    (void)snprintf(where, sizeof where, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, m->sums[0],
                   m->sums[2], bits, m->s->last.updated, settings_number(m->s));
    return search_cursor(m->s, where, err);
}

static agentchat_status show_match(matching *m, read_match *one, bool *full, agentchat_error *err)
{
    const aci_result_page *page = &m->s->out->page;
    agentchat_memory_item *item;
    bool ok = true;
    agentchat_status status = search_show(m->s, &one->row, full, err);

    if (status < 0 || *full)
        return status;
    item = (agentchat_memory_item *)page->items + page->count - 1;
    item->score = one->of.score;
    item->has_score = true;
    if (one->of.field != NULL)
        item->field = aci_arena_cstr(page->arena, *one->of.field, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* Shows those of some matches that are to be shown; *full: the page is, and has a cursor. */
static agentchat_status show_matches(matching *m, read_match *some, size_t count, bool *full, agentchat_error *err)
{
    const read_match after = {.of = {.score = m->score}, .row = m->after, .is_there = true};
    const agentchat_memory_query *query = &m->s->query;
    aci_json_index index;
    double last = 0;
    agentchat_status status = AGENTCHAT_OK;

    aci_json_index_init(&index, m->env);
    for (size_t i = 0; i < count && status >= 0 && !*full; i++) {
        bool is = some[i].is_there && aci_document_lives(&some[i].row, m->s->now) &&
                  (!query->has_min_score || some[i].of.score >= query->min_score) &&
                  (query->cursor == NULL || by_place(&some[i], &after) > 0);

        if (is)
            status = aci_document_matches(&some[i].row, &m->s->filter, &index, &is, err);
        if (status < 0 || !is || m->passed++ < query->offset)
            continue;
        if (m->s->out->page.count > 0)
            last = ((agentchat_memory_item *)m->s->out->page.items)[m->s->out->page.count - 1].score;
        status = show_match(m, &some[i], full, err);
    }
    aci_json_index_clear(&index);
    if (status >= 0 && *full)
        status = end_page(m, last, err);
    return status < 0 || m->s->tx->count == 0 ? status : aci_transact_run(m->s->tx, false, err);
}

/* Whether only their names can say which of two comes first, which are read with the documents. */
static bool is_level(const match *a, const match *b)
{
    return a->score == b->score && a->updated == b->updated;
}

/* Shows those from one on that are read together, up to *end. */
static agentchat_status show_some(matching *m, size_t at, size_t end, bool *full, agentchat_error *err)
{
    aci_arena *arena;
    read_match *some;
    agentchat_status status;

    if (m->list[end - 1].score > m->score ||
        (m->list[end - 1].score == m->score && m->list[end - 1].updated > m->after.updated)) /* before the cursor */
        return AGENTCHAT_OK;
    arena = aci_arena_new(m->env, 0);
    some = arena != NULL ? aci_arena_alloc(arena, (end - at) * sizeof *some) : NULL;
    status = some != NULL ? read_matches(m, &m->list[at], some, end - at, arena, err) : aci_fail_nomem(err);
    if (status >= 0)
        status = show_matches(m, some, end - at, full, err);
    aci_arena_unref(arena);
    return status;
}

/* Those without a score come last. */
static agentchat_status show_rest(matching *m, bool *full, agentchat_error *err)
{
    aci_document after = {.ns = AGENTCHAT_STR(""), .key = AGENTCHAT_STR(""), .updated = INT64_MAX};
    agentchat_status status;

    if (m->score == -HUGE_VAL)
        after = m->after;
    status = show_latest(m->s, after, true, &m->passed, full, err);
    if (status >= 0 && *full) {
        const aci_result_page *page = &m->s->out->page;
        const agentchat_memory_item *item = (agentchat_memory_item *)page->items + page->count - 1;

        status = end_page(m, item->has_score ? item->score : -HUGE_VAL, err);
    }
    return status;
}

static agentchat_status show_page(matching *m, agentchat_error *err)
{
    const agentchat_memory_query *query = &m->s->query;
    size_t together = query->limit < LEAST_TOGETHER  ? LEAST_TOGETHER
                      : query->limit < MOST_TOGETHER ? query->limit + 1
                                                     : MOST_TOGETHER;
    /* SQLite goes through all vectors each time: the second time all are kept that a filter may refuse */
    bool is_twice = m->s->filter.is_set && m->s->tx->store->driver->dialect == ACI_SQL_SQLITE;
    size_t least = together * (is_twice ? 16 : 4) + (query->offset < SIZE_MAX / 16 ? query->offset : SIZE_MAX / 16);
    size_t end;
    bool full = false, is_over = m->score == -HUGE_VAL;
    agentchat_status status = find_matches(m, least, err);

    for (size_t at = 0; status >= 0 && !full && !is_over; at = end) {
        for (end = at + 1; end < m->count && (end - at < together || is_level(&m->list[end], &m->list[end - 1]));)
            end++;
        if (end >= m->count && !m->is_all) { /* what is level with the last may come yet */
            least = !is_twice && least < SIZE_MAX / 8 ? least * 8 : SIZE_MAX;
            status = find_matches(m, least, err);
            end = at;
            continue;
        }
        is_over = at >= m->count || (query->has_min_score && m->list[at].score < query->min_score);
        if (!is_over)
            status = show_some(m, at, end, &full, err);
        together = together < MOST_TOGETHER / 2 ? together * 2 : MOST_TOGETHER;
    }
    if (status >= 0 && !full && m->s->by_vectors && !m->s->by_words && !query->has_min_score)
        status = show_rest(m, &full, err);
    return status;
}

static agentchat_status search_ranked(search_call *s, agentchat_error *err)
{
    matching m = {.s = s, .env = s->tx->store->env};
    agentchat_status status;

    ACI_MEMORY_ASK(s->tx, ACI_MEMORY_SPACES_SUM, load_sums, m.sums, ACI_BYTES(s->ns), ACI_BYTES(s->end));
    status = aci_transact_run(s->tx, false, err);
    if (status >= 0)
        status = begin_after(&m, err);
    if (status >= 0)
        status = show_page(&m, err);
    if (m.words.env != NULL)
        aci_words_end(&m.words);
    aci_free(m.env, m.postings, m.posting_cap * sizeof *m.postings);
    aci_free(m.env, m.list, m.cap * sizeof *m.list);
    return status;
}

/* ---- any ------------------------------------------------------------------------------------------------------ */

/* Whether the query's vector can be compared with the store's. */
static agentchat_status check_vector(search_call *s, agentchat_error *err)
{
    const agentchat_memory_vectors *made = &s->embedding.made;
    agentchat_status status = aci_vectors_may(s->tx, &s->settings, err);
    bool is_zero = true;

    s->wanted.dimensions = (int64_t)made->dimensions;
    if (status >= 0 && s->settings.is_there)
        status = aci_vector_settings_compare(&s->settings, &s->wanted, err);
    for (size_t i = 0; i < made->dimensions; i++)
        is_zero = is_zero && made->numbers[i] == 0;
    if (status >= 0 && is_zero && (!s->settings.is_there || s->settings.metric == AGENTCHAT_MEMORY_METRIC_COSINE))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the query's vector has zeros only, which have no cosine");
    return status;
}

static agentchat_status search(aci_tx *tx, void *user, agentchat_error *err)
{
    search_call *s = user;
    agentchat_status status;

    s->tx = tx;
    s->out->page.count = 0;
    s->out->page.cursor = NULL;
    aci_memory_ask_now(tx, &s->now);
    if (s->by_vectors)
        aci_vector_settings_ask(tx, ACI_MEMORY_SETTING, &s->settings);
    status = tx->count > 0 || tx->writes ? aci_transact_run(tx, false, err) : AGENTCHAT_OK;
    if (status >= 0 && s->by_vectors)
        status = check_vector(s, err);
    if (status >= 0)
        status = s->by_words || s->by_vectors ? search_ranked(s, err) : search_latest(s, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* Makes or takes the query's vector; its text may be embedded with others'. */
static agentchat_status take_vector(search_call *s, const agentchat_env *env, aci_embedding *texts,
                                    agentchat_error *err)
{
    agentchat_memory_embedder embedder = {.embed = NULL};
    agentchat_status status = aci_embedding_begin(&s->embedding, env, err);

    if (status >= 0)
        status = aci_vector_settings_begin(&s->settings, env, err);
    if (status < 0)
        return status;
    if (s->query.vector != NULL)
        return agentchat_memory_vectors_add(&s->embedding.made, s->query.vector, s->query.dimensions, err);
    status = aci_embedder_load(&embedder, s->query.embedder, err);
    if (status < 0)
        return status;
    s->wanted.model = agentchat_str_from(embedder.model);
    s->is_waiting = texts != NULL;
    if (s->is_waiting)
        s->text = texts->count;
    if (!aci_embedding_add_text(s->is_waiting ? texts : &s->embedding, s->query.text))
        return aci_fail_nomem(err);
    return s->is_waiting ? AGENTCHAT_OK : aci_embedding_run(&s->embedding, &embedder, err);
}

static agentchat_status take_made(void *state, aci_embedding *made, agentchat_error *err)
{
    search_call *s = state;

    return s->is_waiting
               ? agentchat_memory_vectors_add(&s->embedding.made, made->made.numbers + s->text * made->made.dimensions,
                                              made->made.dimensions, err)
               : AGENTCHAT_OK;
}

/* What is compared with documents. */
static agentchat_status take_mode(search_call *s, agentchat_error *err)
{
    const agentchat_memory_query *query = &s->query;
    bool has_text = query->text.len > 0, has_vector = query->vector != NULL || query->embedder != NULL;

    switch (query->mode) {
    case AGENTCHAT_MEMORY_MODE_AUTO:
    case AGENTCHAT_MEMORY_MODE_TEXT:
        s->by_vectors = query->mode == AGENTCHAT_MEMORY_MODE_AUTO && has_vector;
        break;
    case AGENTCHAT_MEMORY_MODE_VECTOR:
    case AGENTCHAT_MEMORY_MODE_HYBRID:
        if (!has_vector)
            return aci_fail(err, AGENTCHAT_E_UNSUPPORTED, "a search by vectors needs a vector or an embedder");
        s->by_vectors = true;
        if (query->mode == AGENTCHAT_MEMORY_MODE_HYBRID && (!has_text || query->has_min_score))
            return aci_fail(err, AGENTCHAT_E_INVALID, "a hybrid search has a text, and no min_score");
        break;
    case AGENTCHAT_MEMORY_MODE_MAX_:
    default:
        return aci_fail(err, AGENTCHAT_E_INVALID, "%d is no mode of a search", (int)query->mode);
    }
    s->by_vectors = s->by_vectors && (has_text || query->vector != NULL);
    s->by_words = has_text && (!s->by_vectors || query->mode == AGENTCHAT_MEMORY_MODE_HYBRID);
    if (query->has_min_score && ((!s->by_words && !s->by_vectors) || isnan(query->min_score)))
        return aci_fail(err, AGENTCHAT_E_INVALID, "min_score is a number, and goes with a query");
    return AGENTCHAT_OK;
}

void agentchat_memory_query_init(agentchat_memory_query *query, size_t size)
{
    aci_env_options_init(query, size);
}

static agentchat_status begin_search(void *state, agentchat_store *store, const agentchat_memory_op *op,
                                     aci_embedding *texts, agentchat_error *err)
{
    search_call *s = state;
    agentchat_status status = aci_env_options_load(&s->query, sizeof s->query, op->query, err);

    if (s->query.limit == 0)
        s->query.limit = USUAL_LIMIT;
    if (status >= 0 && texts != NULL)
        status = aci_embedding_share(texts, &s->query.embedder, err);
    if (status >= 0)
        status = take_mode(s, err);
    if (status >= 0)
        status = aci_space_read(op->ns, false, &s->space, err);
    if (status < 0)
        return status;
    s->query.refresh = s->query.refresh && !store->read_only;
    s->ns = aci_space_bytes(&s->space);
    s->arena = aci_arena_new(store->env, 0);
    s->out = aci_documents_page(store->env);
    if (s->arena == NULL || s->out == NULL || !aci_space_end(s->ns, s->query.exact, s->arena, &s->end))
        return aci_fail_nomem(err);
    status = aci_filter_begin(&s->filter, store->env, s->query.filter, err);
    if (status >= 0 && s->by_vectors)
        status = take_vector(s, store->env, texts, err);
    if (status >= 0)
        status = name_search(s, err);
    return status < 0 ? status : read_cursor(s, err);
}

static void end_search(void *state, agentchat_memory_op *op, agentchat_status status)
{
    search_call *s = state;

    aci_filter_end(&s->filter);
    aci_embedding_end(&s->embedding);
    aci_vector_settings_end(&s->settings);
    aci_arena_unref(s->arena);
    if (status >= 0)
        op->results = s->out;
    else
        agentchat_memory_results_free(s->out);
}

const aci_memory_part aci_memory_search_part = {sizeof(search_call), false,  begin_search,
                                                take_made,           search, end_search};

agentchat_status agentchat_memory_search(agentchat_store *store, const char *ns, const agentchat_memory_query *query,
                                         agentchat_memory_results **out, agentchat_error *err)
{
    agentchat_memory_op op = {.ns = ns, .query = query};
    agentchat_status status;
    search_call s;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&s, 0, sizeof s);
    status = begin_search(&s, store, &op, NULL, err);
    if (status >= 0)
        status = aci_transact(store, s.query.refresh, search, &s, err);
    end_search(&s, &op, status);
    *out = op.results;
    return status;
}
