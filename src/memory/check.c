/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking the memory of a store: whether every document is what it should be, and is found by its words, and whether
 * a namespace has what it counts. Each namespace is looked at as of one moment.
 */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 200 };

typedef struct memory_check {
    aci_store_check *all;
    const agentchat_env *env;
    char part[400];
    aci_space name; /* of the namespace */
    aci_space_row space;
    bool found, is_lost;
    bool is_same;           /* its row is asked for again; else the next one */
    agentchat_status sound; /* whether its row is; if not, see why */
    agentchat_error why;
    /* ---- the namespace ---- */
    aci_arena *page;      /* of the key after which the next page begins */
    agentchat_str key;    /* that, or the term */
    agentchat_str thread; /* of work; of the log it is the namespace */
    int64_t no;           /* of the log it is the step */
    int64_t gen, n;       /* of the vector that was read last, whose document is number no */
    aci_vector_settings settings;
    size_t rows;
    int64_t documents, words, word_rows;
    uint64_t expected, stored; /* sums of the checksums of its words' rows, as they should be and as they are */
} memory_check;

/* ---- documents ------------------------------------------------------------------------------------------------ */

static agentchat_status expect_words(memory_check *c, const aci_document *row, const aci_json_index *index,
                                     agentchat_error *err)
{
    aci_word_list words;
    agentchat_status status =
        aci_words_begin(&words, c->env) ? aci_words_add_document(&words, index, row->fields, err) : aci_fail_nomem(err);

    for (size_t i = 0; i < words.count && status >= 0; i++) {
        const aci_word_row word = {row->ns, words.list[i].term, row->no, words.list[i].count, row->words};
        int64_t sum = 0;

        status = aci_table_sum_row(&aci_word_table, &word, &sum, err);
        c->expected += (uint64_t)sum;
        c->word_rows++;
    }
    if (status >= 0 && words.total != row->words)
        status =
            aci_fail(err, AGENTCHAT_E_CORRUPT, "it has %" PRId64 " words and counts %" PRId64, words.total, row->words);
    aci_words_end(&words);
    return status;
}

static agentchat_status check_document(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    memory_check *c = user;
    aci_document row;
    aci_json_index index;
    agentchat_error why;
    agentchat_str key = {NULL, 0};
    aci_excerpt excerpt;
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 1, &key, err); /* after which it goes on */

    if (status >= 0 && aci_str_compare(key, c->key) <= 0)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "documents are not in the order of their keys");
    if (status < 0)
        return status;
    c->key = aci_arena_copy(c->page, key, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    c->rows++;
    c->documents++;
    agentchat_error_clear(&why);
    memset(&row, 0, sizeof row);
    aci_json_index_init(&index, c->env);
    status = aci_table_read(&aci_document_table, 0, columns, count, &row, &why);
    c->words = (int64_t)((uint64_t)c->words + (uint64_t)row.words); /* damaged ones may be any */
    if (status >= 0)
        status = aci_json_index_text(&index, row.value, 0, 0, &why);
    if (status >= 0)
        status = expect_words(c, &row, &index, &why);
    aci_json_index_clear(&index);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    return status >= 0
               ? AGENTCHAT_OK
               : aci_check_problem(c->all, c->part, err, "key %s: %s", aci_error_excerpt(key, &excerpt), why.message);
}

static agentchat_status check_word(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    memory_check *c = user;
    aci_word_row row;
    bool ok = true;
    int64_t sum = 0;
    agentchat_status status;

    memset(&row, 0, sizeof row);
    status = aci_table_read(&aci_word_table, 0, columns, count, &row, err);
    if (status >= 0)
        status = aci_table_sum_row(&aci_word_table, &row, &sum, err);
    if (status < 0)
        return status;
    if (aci_str_compare(row.term, c->key) < 0 || (agentchat_str_equal(row.term, c->key) && row.no <= c->no))
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "words are not in the order of their keys");
    c->key = aci_arena_copy(c->page, row.term, &ok);
    c->no = row.no;
    c->rows++;
    c->word_rows--;
    c->stored += (uint64_t)sum;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status check_vector(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    memory_check *c = user;
    aci_vector row;
    agentchat_error why;
    agentchat_status status = aci_transact_column_integer(columns, count, 1, &row.no, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &row.gen, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 3, &row.n, err);
    if (status < 0)
        return status;
    if (row.no < c->no || (row.no == c->no && (row.gen < c->gen || (row.gen == c->gen && row.n <= c->n))))
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "vectors are not in the order of their keys");
    c->no = row.no;
    c->gen = row.gen;
    c->n = row.n;
    c->rows++;
    agentchat_error_clear(&why);
    status = aci_vector_read(c->all->store, columns, count, c->page, &row, &why);
    if (status >= 0 && row.gen == c->settings.gen && row.kind < ACI_VECTOR_NONE &&
        row.numbers.len != (size_t)c->settings.dimensions * sizeof(float))
        status = aci_fail(&why, AGENTCHAT_E_CORRUPT, "vector %" PRId64 " of document %" PRId64 " has another length",
                          row.n, row.no);
    if (status >= 0 || status == AGENTCHAT_E_NOMEM)
        return status < 0 ? aci_fail_nomem(err) : status;
    return aci_check_problem(c->all, c->part, err, "%s", why.message);
}

static agentchat_status note_stale(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    memory_check *c = user;
    agentchat_str key = {NULL, 0};
    aci_excerpt excerpt;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &key, err);

    return status < 0
               ? status
               : aci_check_problem(c->all, c->part, err, "key %s: its vectors are not those of its present value",
                                   aci_error_excerpt(key, &excerpt));
}

static agentchat_status check_vectors(memory_check *c, aci_tx *tx, agentchat_error *err)
{
    agentchat_str ns = aci_space_bytes(&c->name);
    int64_t orphans = 0;
    agentchat_status status = AGENTCHAT_OK;

    c->no = c->gen = c->n = -1;
    do {
        c->rows = 0;
        if (!c->settings.is_there)
            break;
        ACI_MEMORY_ASK(tx, ACI_MEMORY_VECTOR_ROWS, check_vector, c, ACI_BYTES(ns), ACI_INT(c->no), ACI_INT(c->gen),
                       ACI_INT(c->n), ACI_INT(PAGE));
        status = aci_transact_run(tx, false, err);
    } while (status >= 0 && c->rows == PAGE);
    if (status < 0)
        return status;
    ACI_MEMORY_ASK(tx, ACI_MEMORY_VECTORS_STALE, note_stale, c, ACI_BYTES(ns), ACI_INT(c->settings.gen), ACI_INT(PAGE));
    ACI_MEMORY_ASK(tx, ACI_MEMORY_VECTORS_ORPHANED, aci_memory_load_number, &orphans, ACI_BYTES(ns));
    status = aci_transact_run(tx, false, err);
    return status < 0 || orphans == 0
               ? status
               : aci_check_problem(c->all, c->part, err, "%" PRId64 " vectors are of documents that are not there",
                                   orphans);
}

/* Goes through the documents of the namespace, or through its words. */
static agentchat_status walk(memory_check *c, aci_tx *tx, bool of_words, agentchat_str end, agentchat_error *err)
{
    agentchat_str ns = aci_space_bytes(&c->name);
    agentchat_status status;

    c->key = AGENTCHAT_STR("");
    c->no = INT64_MIN;
    do {
        c->rows = 0;
        if (of_words)
            ACI_MEMORY_ASK(tx, ACI_MEMORY_WORD_ROWS, check_word, c, ACI_BYTES(ns), ACI_TEXT(c->key), ACI_INT(c->no),
                           ACI_INT(PAGE));
        else
            ACI_MEMORY_ASK(tx, ACI_MEMORY_AFTER, check_document, c, ACI_BYTES(ns), ACI_BYTES(end), ACI_BYTES(ns),
                           ACI_TEXT(c->key), ACI_INT(PAGE));
        status = aci_transact_run(tx, false, err);
    } while (status >= 0 && c->rows == PAGE);
    return status;
}

/* ---- namespaces ----------------------------------------------------------------------------------------------- */

static agentchat_status load_space(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    memory_check *c = user;
    agentchat_str before = aci_space_bytes(&c->name);
    agentchat_str now = {NULL, 0};
    int order;
    agentchat_status status = aci_transact_column_bytes(columns, count, 0, &now, err);

    order = status >= 0 ? aci_str_compare(now, before) : 0;
    if (status >= 0 && (now.len > ACI_MOST_SPACE || (c->is_same ? order != 0 : order <= 0)))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "namespaces are not in the order of their names");
    if (status < 0)
        return status;
    agentchat_error_clear(&c->why);
    memset(&c->space, 0, sizeof c->space);
    c->sound = aci_table_read(&aci_space_table, 0, columns, count, &c->space, &c->why);
    memcpy(c->name.bytes, now.ptr, now.len);
    c->name.len = now.len;
    c->found = true;
    return c->sound == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}

static agentchat_status next_space(aci_tx *tx, void *user, agentchat_error *err)
{
    memory_check *c = user;
    const aci_space last = c->name; /* the statement has it as long as it runs */

    aci_check_drop(c->all);
    c->found = c->is_same = false;
    ACI_MEMORY_ASK(tx, ACI_MEMORY_SPACE_ROWS, load_space, c, ACI_BYTES(aci_space_bytes(&last)), ACI_INT(1));
    return aci_transact_run(tx, true, err);
}

static agentchat_status check_space(aci_tx *tx, void *user, agentchat_error *err)
{
    memory_check *c = user;
    const aci_space last = c->name; /* the statement has it as long as it runs */
    agentchat_str end = {NULL, 0};
    agentchat_status status;

    aci_check_drop(c->all);
    c->documents = c->words = c->word_rows = 0;
    c->expected = c->stored = 0;
    aci_arena_unref(c->page);
    c->page = aci_arena_new(c->env, 0);
    if (c->page == NULL || !aci_space_end(aci_space_bytes(&c->name), true, c->page, &end))
        return aci_fail_nomem(err);
    /* its row as of the same moment */
    c->found = false;
    c->is_same = true;
    c->settings.arena = c->page;
    aci_vector_settings_ask(tx, ACI_MEMORY_SETTING, &c->settings);
    ACI_MEMORY_ASK(tx, ACI_MEMORY_SPACE_ROW, load_space, c, ACI_BYTES(aci_space_bytes(&last)));
    status = aci_transact_run(tx, false, err);
    if (status < 0 || !c->found) /* deleted meanwhile */
        return status;
    if (c->sound < 0)
        status = aci_check_problem(c->all, c->part, err, "%s", c->why.message);
    if (status >= 0)
        status = walk(c, tx, false, end, err);
    if (status >= 0)
        status = walk(c, tx, true, end, err);
    if (status >= 0)
        status = check_vectors(c, tx, err);
    if (status < 0)
        return status;
    if (c->sound >= 0 && (c->documents != c->space.documents || c->words != c->space.words))
        status = aci_check_problem(c->all, c->part, err,
                                   "it counts %" PRId64 " documents with %" PRId64 " words, and has %" PRId64
                                   " with %" PRId64,
                                   c->space.documents, c->space.words, c->documents, c->words);
    if (status >= 0 && c->all->bad == 0 && (c->word_rows != 0 || c->expected != c->stored))
        status = aci_check_problem(c->all, c->part, err, "its documents have other words than it is searched by");
    return status;
}

static agentchat_status check_lost(aci_tx *tx, void *user, agentchat_error *err)
{
    memory_check *c = user;
    int64_t documents = 0, words = 0, vectors = 0;
    agentchat_status status;

    aci_check_drop(c->all);
    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_LOST_DOCUMENTS], aci_memory_load_number, &documents);
    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_LOST_WORDS], aci_memory_load_number, &words);
    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_LOST_VECTORS], aci_memory_load_number, &vectors);
    status = aci_transact_run(tx, true, err);
    if (status < 0 || (documents == 0 && words == 0 && vectors == 0))
        return status;
    return aci_check_problem(c->all, c->part, err,
                             "%" PRId64 " documents, %" PRId64 " words and %" PRId64
                             " vectors are of namespaces that are not there",
                             documents, words, vectors);
}

/* ---- work ------------------------------------------------------------------------------------------------------ */

static agentchat_status check_work_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    memory_check *c = user;
    aci_work_row row;
    aci_excerpt thread, kind;
    agentchat_error why;
    bool ok = true;
    const aci_work_row last = {.thread = c->thread, .kind = c->key};
    agentchat_status status;

    agentchat_error_clear(&why);
    memset(&row, 0, sizeof row);
    status = aci_table_read(&aci_work_table, 0, columns, count, &row, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (row.kind.ptr == NULL || row.thread.ptr == NULL || aci_table_compare(&aci_work_table, &row, &last) <= 0)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "work is not in the order of its keys");
    c->rows++;
    c->thread = aci_arena_copy(c->page, row.thread, &ok);
    c->key = aci_arena_copy(c->page, row.kind, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    return status >= 0 ? status
                       : aci_check_problem(c->all, c->part, err, "thread %s, work %s: %s",
                                           aci_error_excerpt(row.thread, &thread), aci_error_excerpt(row.kind, &kind),
                                           why.message);
}

/* ---- the log --------------------------------------------------------------------------------------------------- */

static agentchat_status check_log_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    memory_check *c = user;
    const aci_log_row last = {.ns = c->thread, .key = c->key, .step = c->no};
    aci_log_row row;
    agentchat_error why;
    bool ok = true;
    agentchat_status status;

    agentchat_error_clear(&why);
    memset(&row, 0, sizeof row);
    status = aci_table_read(&aci_log_table, 0, columns, count, &row, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (row.ns.ptr == NULL || row.key.ptr == NULL || aci_table_compare(&aci_log_table, &row, &last) <= 0)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "steps are not in the order of their keys");
    c->rows++;
    c->thread = aci_arena_copy(c->page, row.ns, &ok);
    c->key = aci_arena_copy(c->page, row.key, &ok);
    c->no = row.step;
    if (!ok)
        return aci_fail_nomem(err);
    return status >= 0 ? status : aci_check_problem(c->all, c->part, err, "%s", why.message);
}

/* Goes through the log, or through work. */
static agentchat_status check_rows(memory_check *c, aci_tx *tx, bool of_work, agentchat_error *err)
{
    agentchat_status status;

    aci_check_drop(c->all);
    aci_arena_unref(c->page);
    c->page = aci_arena_new(c->env, 0);
    c->thread = c->key = AGENTCHAT_STR("");
    c->no = 0;
    status = c->page != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
    do {
        c->rows = 0;
        if (status < 0)
            break;
        if (of_work)
            ACI_MEMORY_ASK(tx, ACI_MEMORY_WORK_AFTER, check_work_row, c, ACI_TEXT(c->thread), ACI_TEXT(c->key),
                           ACI_INT(PAGE));
        else
            ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_AFTER, check_log_row, c, ACI_BYTES(c->thread), ACI_TEXT(c->key),
                           ACI_INT(c->no), ACI_INT(PAGE));
        status = aci_transact_run(tx, false, err);
    } while (status >= 0 && c->rows == PAGE);
    return status;
}

static agentchat_status check_work(aci_tx *tx, void *user, agentchat_error *err)
{
    return check_rows(user, tx, true, err);
}

static agentchat_status check_log(aci_tx *tx, void *user, agentchat_error *err)
{
    return check_rows(user, tx, false, err);
}

static agentchat_status run(memory_check *c, aci_work work, agentchat_error *err)
{
    return aci_check_run(c->all, c->part, work, c, &c->is_lost, err);
}

static agentchat_status check_all(memory_check *c, agentchat_error *err)
{
    aci_excerpt excerpt;
    agentchat_status status;

    do {
        aci_arena *arena = aci_arena_new(c->env, 0);
        const char *name;

        (void)snprintf(c->part, sizeof c->part, "memory");
        c->is_lost = false;
        status = arena != NULL ? run(c, next_space, err) : aci_fail_nomem(err);
        name = status >= 0 && c->found ? aci_space_print(aci_space_bytes(&c->name), arena) : "";
        if (status >= 0 && name == NULL)
            status = aci_fail_nomem(err);
        if (status >= 0 && c->found && !c->is_lost && !c->all->stopped) {
            (void)snprintf(c->part, sizeof c->part, "memory %s", aci_error_excerpt(agentchat_str_from(name), &excerpt));
            c->all->bad = 0;
            status = run(c, check_space, err);
            if (status >= 0 && c->all->bad == 0 && c->found && !c->all->stopped)
                status = aci_check_note(c->all, c->part, NULL, err);
            c->found = true;
            c->is_lost = false; /* of one namespace: the next ones can be looked at */
        }
        aci_arena_unref(arena);
    } while (status >= 0 && c->found && !c->is_lost && !c->all->stopped);
    (void)snprintf(c->part, sizeof c->part, "memory");
    if (status >= 0 && !c->all->stopped)
        status = run(c, check_lost, err);
    (void)snprintf(c->part, sizeof c->part, "memory log");
    if (status >= 0 && !c->all->stopped)
        status = run(c, check_log, err);
    (void)snprintf(c->part, sizeof c->part, "work");
    return status < 0 || c->all->stopped ? status : run(c, check_work, err);
}

agentchat_status aci_memory_check(aci_store_check *all, agentchat_error *err)
{
    memory_check *c = aci_alloc_zero(all->env, sizeof *c);
    agentchat_status status;

    if (c == NULL)
        return aci_fail_nomem(err);
    c->all = all;
    c->env = all->env;
    status = check_all(c, err);
    aci_arena_unref(c->page);
    aci_free(all->env, c, sizeof *c);
    return status < 0 ? status : aci_check_report(all, err);
}
