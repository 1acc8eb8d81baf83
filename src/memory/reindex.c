/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making vectors anew: of documents that have none of a generation, page by page, until none is left. Those of another
 * generation than the one that is searched are seen by nobody until the last transaction makes it the one.
 */
#include "memory/memory_internal.h"

#include "base/error.h"
#include <string.h>

enum { PAGE = 128, MOST_PASSES = 20 };

typedef struct reindexing {
    aci_steps steps;
    const agentchat_env *env;
    agentchat_memory_embedder embedder; /* embed NULL: none */
    aci_vector_settings now, next;
    agentchat_str fields; /* the new ones; absent: they stay */
    int64_t metric;
    uint64_t count;
    bool is_over;
    /* ---- a page ---- */
    aci_document_list found;
    aci_embedding own, made;           /* vectors of all documents of the page */
    size_t own_of[PAGE], of[PAGE];     /* how many each has */
    size_t at, own_before, before;     /* the next document, and vectors of those before it */
    agentchat_str after_ns, after_key; /* of the page before */
} reindexing;

/* ---- reading a page --------------------------------------------------------------------------------------------- */

static agentchat_status read_page(aci_tx *tx, void *user, agentchat_error *err)
{
    reindexing *r = user;
    agentchat_status status;

    r->found.count = r->own.made.count = 0;
    ACI_MEMORY_ASK(tx, ACI_MEMORY_WAITING, aci_documents_load, &r->found, ACI_BYTES(r->after_ns),
                   ACI_TEXT(r->after_key), ACI_INT(r->next.gen), ACI_INT(r->now.gen), ACI_INT(PAGE));
    status = aci_transact_run(tx, false, err);
    for (size_t i = 0; i < r->found.count && status >= 0; i++) {
        size_t before = r->own.made.count;

        if (r->now.is_there && r->found.list[i].has_embedded)
            status = aci_vectors_own(tx, &r->found.list[i], r->now.gen, &r->own, err);
        r->own_of[i] = r->own.made.count - before;
    }
    return status;
}

/* Makes the vectors of those that have none of the caller's. */
static agentchat_status embed_page(reindexing *r, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_json_index index;

    aci_json_index_init(&index, r->env);
    for (size_t i = 0; i < r->found.count && status >= 0; i++) {
        const aci_document *row = &r->found.list[i];
        size_t before = r->made.count;

        if (r->own_of[i] == 0) {
            status = aci_json_index_text(&index, row->value, 0, 0, err);
            if (status >= 0)
                status =
                    aci_embedding_add(&r->made, &index, row->fields.ptr != NULL ? row->fields : r->next.fields, err);
            status = aci_document_damage(status, row, err);
        }
        r->of[i] = r->made.count - before;
    }
    aci_json_index_clear(&index);
    return status < 0 ? status : aci_embedding_run(&r->made, &r->embedder, err);
}

/* ---- writing it ------------------------------------------------------------------------------------------------- */

/* Queues the vectors of a document, if it is still the one that was read. */
static agentchat_status put_one(reindexing *r, aci_tx *tx, const aci_document *read, agentchat_error *err)
{
    aci_vector_part part = {.of = &r->made, .first = r->before, .count = r->of[r->at]};
    aci_document_list there = {.env = NULL};
    int64_t sum = 0;
    aci_document *row;
    agentchat_status status = aci_documents_begin(&there, r->env) ? AGENTCHAT_OK : aci_fail_nomem(err);

    if (r->own_of[r->at] > 0)
        part = (aci_vector_part){&r->own, r->own_before, r->own_of[r->at], true};
    if (status >= 0) {
        ACI_MEMORY_ASK(tx, ACI_MEMORY_LOCK, aci_documents_load, &there, ACI_BYTES(read->ns), ACI_TEXT(read->key));
        status = aci_transact_run(tx, false, err);
    }
    row = there.list;
    if (status >= 0 && there.count > 0 && row->rev == read->rev) {
        status = aci_vectors_put(tx, row, r->next.gen, false, &part, err);
        if (status >= 0 && (!row->has_embedded || row->embedded > r->now.gen || r->next.gen == r->now.gen)) {
            row->has_embedded = true;
            row->embedded = r->next.gen;
            status = aci_table_sum_row(&aci_document_table, row, &sum, err);
            ACI_MEMORY_ASK(tx, ACI_MEMORY_EMBEDDED, NULL, NULL, ACI_INT(row->embedded), ACI_INT(sum),
                           ACI_BYTES(row->ns), ACI_TEXT(row->key), ACI_INT(row->rev));
        }
        if (status >= 0)
            status = aci_transact_run(tx, false, err); /* the row lives only now */
    }
    aci_documents_end(&there);
    return status;
}

static agentchat_status check_settings(const reindexing *r, const aci_vector_settings *there, agentchat_error *err)
{
    if (there->is_there == r->now.is_there && there->gen == r->now.gen)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CONFLICT, "another reindex, or the first vector, has come between");
}

static agentchat_status write_step(aci_tx *tx, void *user, agentchat_error *err)
{
    reindexing *r = user;
    const size_t at = r->at, own_before = r->own_before, before = r->before;
    size_t end = r->found.count - at < r->steps.rows ? r->found.count : at + r->steps.rows;
    aci_vector_settings there;
    agentchat_status status = aci_vector_settings_begin(&there, r->env, err);

    if (status >= 0) {
        aci_vector_settings_ask(tx, ACI_MEMORY_SETTING_SHARE, &there);
        status = aci_steps_lock(&r->steps, tx, err);
    }
    if (status >= 0)
        status = check_settings(r, &there, err);
    if (status >= 0 && !r->now.is_there)
        status = aci_vector_settings_fix(tx, &there, &r->next, err);
    for (; status >= 0 && r->at < end; r->at++) {
        status = put_one(r, tx, &r->found.list[r->at], err);
        r->own_before += r->own_of[r->at];
        r->before += r->of[r->at];
    }
    if (status >= 0)
        status = aci_steps_write(&r->steps, tx, err);
    if (status >= 0)
        status = aci_transact_run(tx, true, err);
    aci_vector_settings_end(&there);
    if (status < 0) { /* it may be called again */
        r->at = at;
        r->own_before = own_before;
        r->before = before;
    }
    return status;
}

static agentchat_status write_page(reindexing *r, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    r->at = r->own_before = r->before = 0;
    while (status >= 0 && r->at < r->found.count) {
        status = aci_steps_run(&r->steps, write_step, r, err);
        if (status >= 0 && !r->now.is_there) { /* these are fixed now */
            r->now.is_there = true;
            r->now.gen = r->next.gen;
        }
    }
    r->count += status >= 0 ? r->found.count : 0;
    return status;
}

/* Whether the page's vectors are such as the next generation has. *again: they are of another length than those that
   are there: all are made anew. */
static agentchat_status check_page(reindexing *r, bool *again, agentchat_error *err)
{
    int64_t dimensions = r->made.made.count > 0 ? (int64_t)r->made.made.dimensions : 0;

    if (r->next.dimensions == 0)
        r->next.dimensions = dimensions != 0 ? dimensions : r->own.made.count > 0 ? (int64_t)r->own.made.dimensions : 0;
    *again = dimensions != 0 && dimensions != r->next.dimensions && r->next.gen == r->now.gen;
    if (dimensions != 0 && dimensions != r->next.dimensions && !*again)
        return aci_fail(err, AGENTCHAT_E_CONFLICT,
                        "the embedder gave vectors of %lld numbers, and of %lld were there before (an embedder's, or "
                        "given with documents)",
                        (long long)dimensions, (long long)r->next.dimensions);
    if (r->own.made.count > 0 && r->next.dimensions != 0 && (int64_t)r->own.made.dimensions != r->next.dimensions)
        return aci_fail(
            err, AGENTCHAT_E_CONFLICT,
            "vectors that were given with documents have %zu numbers, and the new ones %lld: both cannot be "
            "searched together",
            r->own.made.dimensions, (long long)r->next.dimensions);
    return AGENTCHAT_OK;
}

/* ---- the end ---------------------------------------------------------------------------------------------------- */

/* Makes the next generation the one that is searched, unless a document lacks vectors of it. */
static agentchat_status switch_over(aci_tx *tx, void *user, agentchat_error *err)
{
    reindexing *r = user;
    aci_vector_settings there;
    agentchat_status status = aci_vector_settings_begin(&there, r->env, err);

    r->found.count = 0;
    if (status >= 0) {
        aci_vector_settings_ask(tx, ACI_MEMORY_SETTING_LOCK, &there);
        status = aci_transact_run(tx, false, err);
    }
    if (status >= 0)
        status = check_settings(r, &there, err);
    if (status >= 0 && r->next.gen != r->now.gen) {
        ACI_MEMORY_ASK(tx, ACI_MEMORY_WAITING, aci_documents_load, &r->found, ACI_BYTES(AGENTCHAT_STR("")),
                       ACI_TEXT(AGENTCHAT_STR("")), ACI_INT(r->next.gen), ACI_INT(r->now.gen), ACI_INT(1));
        status = aci_transact_run(tx, false, err);
    }
    r->is_over = status >= 0 && r->found.count == 0;
    if (r->next.dimensions == 0) /* no document has a text */
        r->next.dimensions = r->now.dimensions;
    if (r->is_over)
        status = aci_vector_settings_put(tx, ACI_MEMORY_SETTING_PUT, &r->next, err);
    aci_vector_settings_end(&there);
    return status < 0 || !r->is_over ? status : aci_transact_run(tx, true, err);
}

typedef struct old_vectors {
    aci_steps *steps;
    const agentchat_env *env;
    aci_arena *arena;
    int64_t gen;
    aci_vector *list;
    size_t count, cap;
} old_vectors;

static agentchat_status load_old(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    old_vectors *old = user;
    aci_vector row = {.no = 0};
    int64_t *const numbers[] = {&row.no, &row.gen, &row.n};
    void *list = old->list;
    bool ok = true;
    agentchat_status status = aci_transact_column_bytes(columns, count, 0, &row.ns, err);

    for (size_t i = 0; i < 3 && status >= 0; i++)
        status = aci_transact_column_integer(columns, count, i + 1, numbers[i], err);
    if (status < 0)
        return status;
    row.ns = aci_arena_copy(old->arena, row.ns, &ok);
    if (!ok || !aci_grow(old->env, &list, &old->cap, old->count, sizeof *old->list))
        return aci_fail_nomem(err);
    old->list = list;
    old->list[old->count++] = row;
    return AGENTCHAT_OK;
}

static agentchat_status delete_old(aci_tx *tx, void *user, agentchat_error *err)
{
    old_vectors *old = user;
    aci_vector_settings there;
    agentchat_status status = aci_vector_settings_begin(&there, old->env, err);

    old->count = 0;
    if (status >= 0) {
        aci_vector_settings_ask(tx, ACI_MEMORY_SETTING_LOCK, &there);
        ACI_MEMORY_ASK(tx, ACI_MEMORY_OLD_VECTORS, load_old, old, ACI_INT(old->gen),
                       ACI_INT((int64_t)old->steps->rows));
        status = aci_steps_lock(old->steps, tx, err);
    }
    if (status >= 0 && there.gen != old->gen)
        old->count = 0; /* another one has become the present one since */
    for (size_t i = 0; i < old->count && status >= 0; i++)
        ACI_MEMORY_ASK(tx, ACI_MEMORY_OLD_DELETE, NULL, NULL, ACI_BYTES(old->list[i].ns), ACI_INT(old->list[i].no),
                       ACI_INT(old->list[i].gen), ACI_INT(old->list[i].n));
    aci_vector_settings_end(&there);
    if (status >= 0)
        status = aci_steps_write(old->steps, tx, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* Deletes vectors of other generations, also of a reindex that was broken off. */
static agentchat_status clear_old(reindexing *r, agentchat_error *err)
{
    old_vectors old = {.steps = &r->steps, .env = r->env, .gen = r->next.gen};
    agentchat_status status = AGENTCHAT_OK;

    do {
        old.arena = aci_arena_new(r->env, 0);
        status = old.arena != NULL ? aci_steps_run(&r->steps, delete_old, &old, err) : aci_fail_nomem(err);
        aci_arena_unref(old.arena);
    } while (status >= 0 && old.count > 0);
    aci_free(r->env, old.list, old.cap * sizeof *old.list);
    return status;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* Goes once through all documents that wait. */
static agentchat_status pass(reindexing *r, bool *again, agentchat_error *err)
{
    aci_document_list before = {.env = NULL}; /* has the key after which the page begins */
    agentchat_status status;

    r->after_ns = r->after_key = AGENTCHAT_STR("");
    do {
        *again = false;
        status =
            aci_documents_begin(&r->found, r->env) ? aci_embedding_begin(&r->own, r->env, err) : aci_fail_nomem(err);
        if (status >= 0)
            status = aci_embedding_begin(&r->made, r->env, err);
        if (status >= 0)
            status = aci_steps_look(&r->steps, read_page, r, err);
        if (status >= 0)
            status = embed_page(r, err);
        if (status >= 0)
            status = check_page(r, again, err);
        if (status >= 0 && !*again && (r->now.is_there || r->next.dimensions != 0))
            status = write_page(r, err);
        if (status >= 0 && r->found.count > 0)
            status = aci_documents_go_on(&r->found, r->after_ns, r->after_key, err);
        aci_embedding_end(&r->own);
        aci_embedding_end(&r->made);
        aci_documents_end(&before);
        before = r->found;
        r->found = (aci_document_list){.env = NULL};
        if (before.count > 0) {
            r->after_ns = before.list[before.count - 1].ns;
            r->after_key = before.list[before.count - 1].key;
        }
    } while (status >= 0 && !*again && before.count == PAGE);
    aci_documents_end(&before);
    return status;
}

/* A generation is a number of the counter: those that two programs make at a time are never the same. */
static agentchat_status take_generation(aci_tx *tx, void *user, agentchat_error *err)
{
    reindexing *r = user;
    aci_setting_row counter = {.name = AGENTCHAT_STR("revision")};
    agentchat_status status;

    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_REVISION], aci_memory_load_number, &counter.number);
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && (counter.number <= r->now.gen || counter.number > INT64_MAX / 2))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the counter of revisions has a number that it cannot have");
    if (status < 0)
        return status;
    r->next.gen = counter.number;
    r->next.dimensions = 0;
    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_REVISION_PUT], NULL, NULL);
    aci_table_bind(tx, &aci_setting_table, &counter);
    return aci_transact_run(tx, true, err);
}

/* What is to be made: the settings of the next generation, which may be the present one. */
static agentchat_status aim(reindexing *r, agentchat_error *err)
{
    agentchat_str model = agentchat_str_from(r->embedder.model);
    agentchat_status status = aci_steps_look(&r->steps, aci_vector_settings_read, &r->now, err);

    if (status < 0)
        return status;
    r->next = r->now;
    if (!r->now.is_there) { /* as the first put makes them */
        r->next.gen = 1;
        r->next.metric = AGENTCHAT_MEMORY_METRIC_COSINE;
        r->next.fields = AGENTCHAT_STR("[\"$\"]");
    }
    if (r->metric != AGENTCHAT_MEMORY_METRIC_ANY)
        r->next.metric = r->metric;
    if (r->fields.ptr != NULL)
        r->next.fields = r->fields;
    if (model.ptr != NULL)
        r->next.model = model;
    return r->now.is_there && r->embedder.embed != NULL &&
                   (!agentchat_str_equal(r->next.fields, r->now.fields) ||
                    !agentchat_str_equal(r->next.model, r->now.model))
               ? aci_steps_run(&r->steps, take_generation, r, err)
               : AGENTCHAT_OK;
}

static agentchat_status reindex(reindexing *r, agentchat_error *err)
{
    bool again = false;
    agentchat_status status = aim(r, err);

    if (status >= 0 && r->embedder.embed == NULL && !r->now.is_there && r->metric != AGENTCHAT_MEMORY_METRIC_ANY)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the store has no vectors yet; the first put says how they compare");
    for (int passes = 0; status >= 0 && !r->is_over; passes++) {
        if (passes == MOST_PASSES)
            return aci_fail(err, AGENTCHAT_E_CONFLICT, "others keep putting documents: the vectors are never complete");
        if (r->embedder.embed != NULL)
            status = pass(r, &again, err);
        if (status >= 0 && again)
            status = aci_steps_run(&r->steps, take_generation, r, err);
        else if (status >= 0 && !r->now.is_there)
            return AGENTCHAT_OK; /* there was nothing to make any of */
        else if (status >= 0)
            status = aci_documents_begin(&r->found, r->env)
                         ? aci_transact_in(r->steps.store, &r->steps.call, true, switch_over, r, err)
                         : aci_fail_nomem(err);
        aci_documents_end(&r->found);
    }
    return status < 0 ? status : clear_old(r, err);
}

void agentchat_memory_reindex_options_init(agentchat_memory_reindex_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_memory_reindex(agentchat_store *store, const agentchat_memory_reindex_options *options,
                                          uint64_t *count, agentchat_error *err)
{
    agentchat_memory_reindex_options o;
    reindexing r;
    agentchat_status status;

    agentchat_error_clear(err);
    if (count != NULL)
        *count = 0;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&r, 0, sizeof r);
    status = aci_env_options_load(&o, sizeof o, options, err);
    if (status >= 0 && o.embedder != NULL)
        status = aci_embedder_load(&r.embedder, o.embedder, err);
    if (status >= 0 && (o.metric < 0 || o.metric > AGENTCHAT_MEMORY_METRIC_L2))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "%d is no metric", (int)o.metric);
    if (status >= 0 && o.fields != NULL && o.embedder == NULL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "vectors of other fields need an embedder");
    if (status < 0)
        return status;
    r.env = store->env;
    r.metric = o.metric;
    aci_steps_begin(&r.steps, store);
    status = aci_vector_settings_begin(&r.now, store->env, err);
    if (status >= 0 && o.fields != NULL)
        status = aci_words_fields(o.fields, o.field_count, r.now.arena, &r.fields, err);
    if (status >= 0)
        status = reindex(&r, err);
    if (count != NULL)
        *count = r.count;
    aci_vector_settings_end(&r.now);
    return status;
}
