/* SPDX-License-Identifier: Apache-2.0 */
/* Putting and deleting documents. */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include <string.h>

/* ==== changing a namespace, whose row is locked ================================================================== */

typedef struct change {
    aci_tx *tx;
    const agentchat_env *env;
    int64_t now, revision, raised;
    int64_t keep; /* steps of its documents that are logged */
    bool clears;  /* the log of what is deleted, too */
    aci_space_row space;
    bool has_space;
    aci_space *name; /* where the namespace stands, of one that is found */
} change;

/* Numbers that can still be counted up. */
static agentchat_status check_space_row(const aci_space_row *row, agentchat_error *err)
{
    if (row->documents >= 0 && row->words >= 0 && row->documents < INT64_MAX / 2 && row->words < INT64_MAX / 2)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored namespace has numbers that none has");
}

static agentchat_status load_space(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    change *c = user;
    agentchat_str ns = c->space.ns;
    agentchat_status status = aci_table_read(&aci_space_table, 0, columns, count, &c->space, err);

    c->space.ns = ns;
    c->has_space = status >= 0;
    return status < 0 ? status : check_space_row(&c->space, err);
}

/* Asks for the time, a number of the counter, and the namespace. */
static void ask_space(change *c, agentchat_str ns)
{
    c->has_space = false;
    c->space = (aci_space_row){.ns = ns};
    aci_memory_ask_now(c->tx, &c->now);
    aci_transact_add(c->tx, &aci_memory_statements[ACI_MEMORY_REVISION], aci_memory_load_number, &c->revision);
    ACI_MEMORY_ASK(c->tx, ACI_MEMORY_SPACE_LOCK, load_space, c, ACI_BYTES(ns));
}

/* Queues what has become of the namespace, and that the number is taken. */
static void put_space(change *c)
{
    const aci_setting_row counter = {.name = AGENTCHAT_STR("revision"), .number = c->revision};
    int64_t sum = 0;

    c->space.changed = c->revision;
    if (c->space.documents > 0) {
        if (aci_table_sum_row(&aci_space_table, &c->space, &sum, NULL) < 0)
            c->tx->failed = true;
        ACI_MEMORY_ASK(c->tx, ACI_MEMORY_SPACE_PUT, NULL, NULL, ACI_INT(c->space.documents), ACI_INT(c->space.words),
                       ACI_INT(c->space.changed), ACI_INT(sum), ACI_BYTES(c->space.ns));
    } else {
        ACI_MEMORY_ASK(c->tx, ACI_MEMORY_SPACE_DELETE, NULL, NULL, ACI_BYTES(c->space.ns));
    }
    aci_transact_add(c->tx, &aci_memory_statements[ACI_MEMORY_REVISION_PUT], NULL, NULL);
    aci_table_bind(c->tx, &aci_setting_table, &counter);
}

/* The words of a document as it was indexed. */
static agentchat_status words_of(const change *c, const aci_document *row, aci_word_list *words, agentchat_error *err)
{
    aci_json_index index;
    agentchat_status status;

    if (!aci_words_begin(words, c->env))
        return aci_fail_nomem(err);
    aci_json_index_init(&index, c->env);
    status = aci_json_index_text(&index, row->value, 0, 0, err);
    if (status >= 0)
        status = aci_words_add_document(words, &index, row->fields, err);
    aci_json_index_clear(&index);
    return aci_document_damage(status, row, err);
}

/* Queues the deletion of words of a document that another one does not have; kept NULL: of all. */
static void delete_words(const change *c, const aci_document *row, const aci_word_list *words,
                         const aci_word_list *kept)
{
    for (size_t i = 0; i < words->count; i++)
        if (kept == NULL || aci_index_find(&kept->index, words->list[i].term) == ACI_INDEX_NONE)
            ACI_MEMORY_ASK(c->tx, ACI_MEMORY_WORD_DELETE, NULL, NULL, ACI_BYTES(c->space.ns),
                           ACI_TEXT(words->list[i].term), ACI_INT(row->no));
}

/* Deletes a document and its words, logs that, and counts it out of its namespace. What is queued has run then. */
static agentchat_status delete_document(change *c, const aci_document *row, bool is_undo, agentchat_error *err)
{
    aci_log_row step = {.ns = row->ns, .key = row->key, .step = c->revision, .undo = is_undo, .at = c->now};
    aci_word_list words;
    aci_excerpt excerpt;
    size_t last;
    agentchat_status status = words_of(c, row, &words, err);

    if (status >= 0) {
        delete_words(c, row, &words, NULL);
        (void)aci_vectors_put(c->tx, row, 0, true, NULL, NULL);
        if (c->clears)
            ACI_MEMORY_ASK(c->tx, ACI_MEMORY_LOG_CLEAR, NULL, NULL, ACI_BYTES(row->ns), ACI_TEXT(row->key));
        aci_log_step(c->tx, c->keep == 0 && is_undo ? AGENTCHAT_MEMORY_LOG_USUAL : c->keep, row, &step);
        ACI_MEMORY_ASK(c->tx, ACI_MEMORY_DELETE, NULL, NULL, ACI_BYTES(row->ns), ACI_TEXT(row->key));
        c->space.documents--;
        c->space.words -= row->words;
        last = c->tx->count - 1;
        status = aci_transact_run(c->tx, false, err);              /* the words live only now */
        if (status >= 0 && aci_transact_changed(c->tx, last) != 1) /* who goes on until nothing is left would not end */
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "key %s: the document is not found by its key",
                              aci_error_excerpt(row->key, &excerpt));
    }
    aci_words_end(&words);
    return status;
}

static agentchat_status fail_conflict(const aci_document *row, uint64_t expected, bool is_there, agentchat_error *err)
{
    aci_excerpt excerpt;
    const char *key = aci_error_excerpt(row->key, &excerpt);

    if (!is_there)
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "key %s: revision %llu was expected, and there is no document", key,
                        (unsigned long long)expected);
    if (expected == 0)
        return aci_fail(err, AGENTCHAT_E_CONFLICT, "key %s: no document was expected, and revision %lld is there", key,
                        (long long)row->rev);
    return aci_fail(err, AGENTCHAT_E_CONFLICT, "key %s: revision %llu was expected, and %lld is there", key,
                    (unsigned long long)expected, (long long)row->rev);
}

/* ==== put ======================================================================================================== */

static void set_times(const change *c, const aci_putting *p, const aci_document *before, aci_document *row)
{
    bool is_there = before != NULL && aci_document_lives(before, c->now);

    row->rev = c->revision;
    row->no = before != NULL ? before->no : c->revision;
    row->created = is_there ? before->created : c->now;
    row->updated = before != NULL && before->updated >= c->now ? before->updated + 1 : c->now;
    row->has_expires = p->options.has_ttl && p->options.ttl_us != AGENTCHAT_MEMORY_NEVER;
    row->has_ttl = row->has_expires;
    row->ttl = row->has_ttl && p->options.ttl_us > 0 ? p->options.ttl_us : 0;
    row->expires = row->has_expires ? aci_document_expiry(c->now, row->ttl) : 0;
    if (!is_there && p->undoes != NULL) {
        row->has_expires = p->undoes->has_expires;
        row->expires = p->undoes->expires;
        row->has_ttl = p->undoes->has_ttl;
        row->ttl = p->undoes->ttl;
    }
    if (!is_there || !p->options.keep_expiry)
        return;
    row->has_expires = before->has_expires;
    row->expires = before->expires;
    row->has_ttl = before->has_ttl;
    row->ttl = before->ttl;
}

static agentchat_status replace_words(change *c, const aci_putting *p, const aci_document *before,
                                      const aci_document *row, agentchat_error *err)
{
    aci_word_list old = {.env = p->env};
    agentchat_status status = before != NULL ? words_of(c, before, &old, err) : AGENTCHAT_OK;

    if (status >= 0)
        delete_words(c, row, &old, &p->words);
    for (size_t i = 0; i < p->words.count && status >= 0; i++) {
        const aci_word_count *word = &p->words.list[i];
        size_t at = aci_index_find(&old.index, word->term);
        const aci_word_row put = {row->ns, word->term, row->no, word->count, row->words};

        if (at != ACI_INDEX_NONE && before != NULL && old.list[at].count == word->count && before->words == row->words)
            continue;
        aci_transact_add(c->tx, &aci_memory_statements[ACI_MEMORY_WORD_PUT], NULL, NULL);
        aci_table_bind(c->tx, &aci_word_table, &put);
    }
    if (status >= 0 && c->tx->count > 0)
        status = aci_transact_run(c->tx, false, err); /* the old words live only now */
    aci_words_end(&old);
    return status;
}

/* Whether two texts are equal but for their line ends, which an export writes as spaces. */
static bool equals_in_a_line(agentchat_str a, agentchat_str b)
{
    bool is = a.len == b.len;

    for (size_t i = 0; i < a.len && is; i++) {
        char x = a.ptr[i] == '\n' || a.ptr[i] == '\r' ? ' ' : a.ptr[i];
        char y = b.ptr[i] == '\n' || b.ptr[i] == '\r' ? ' ' : b.ptr[i];

        is = x == y;
    }
    return is;
}

/* Whether the vectors that the caller has given to what is there are those that an import brings. */
static agentchat_status compare_own(aci_putting *p, aci_tx *tx, const aci_document *before, bool *same,
                                    agentchat_error *err)
{
    size_t wanted = p->vectors != NULL && p->vectors->is_own ? p->vectors->count : 0;
    const agentchat_memory_vectors *made = wanted > 0 ? &p->vectors->of->made : NULL;
    aci_embedding own;
    agentchat_status status;

    *same = wanted == 0;
    if (!p->settings.is_there)
        return AGENTCHAT_OK;
    status = aci_embedding_begin(&own, p->env, err);
    if (status >= 0)
        status = aci_vectors_own(tx, before, p->settings.gen, &own, err);
    *same = own.made.count == wanted &&
            (made == NULL || (made->dimensions == own.made.dimensions &&
                              memcmp(made->numbers + p->vectors->first * made->dimensions, own.made.numbers,
                                     wanted * made->dimensions * sizeof *made->numbers) == 0));
    aci_embedding_end(&own);
    return status;
}

/* Whether what is there is what an import brings, but for its vectors. */
static bool is_the_same(const aci_document *before, const aci_document *row, const aci_putting *p)
{
    return equals_in_a_line(before->value, row->value) && (before->fields.ptr == NULL) == (row->fields.ptr == NULL) &&
           agentchat_str_equal(before->fields, row->fields) && before->has_ttl == p->given.has_ttl &&
           (!before->has_ttl || before->ttl == p->given.ttl);
}

/* The times and the revision of the file, for a key that is not there. */
static void take_given(change *c, const aci_putting *p, aci_document *row)
{
    row->rev = p->given.rev;
    row->created = p->given.created;
    row->updated = p->given.updated;
    row->has_expires = p->given.has_expires;
    row->expires = p->given.expires;
    row->has_ttl = p->given.has_ttl;
    row->ttl = p->given.ttl;
    if (row->rev <= c->revision)
        return;
    c->revision = row->rev;
    ACI_MEMORY_ASK(c->tx, ACI_MEMORY_REVISION_RAISE, aci_memory_load_number, &c->raised, ACI_INT(row->rev));
}

/* Whether anything is to be put. */
static agentchat_status compare_expected(aci_putting *p, aci_tx *tx, const aci_document *before, uint64_t there,
                                         bool *goes_on, agentchat_error *err)
{
    aci_excerpt excerpt;
    bool same = false;
    agentchat_status status;

    *goes_on = true;
    if (p->options.has_expect && p->options.expect != there) {
        *goes_on = false;
        return tx->repeated && there != 0 && agentchat_str_equal(before->value, p->row.value)
                   ? AGENTCHAT_OK /* the attempt before has put it */
                   : fail_conflict(before != NULL ? before : &p->row, p->options.expect, there != 0, err);
    }
    if (!p->is_import || there == 0)
        return AGENTCHAT_OK;
    status = compare_own(p, tx, before, &same, err);
    if (status < 0)
        return status;
    *goes_on = !(same && is_the_same(before, &p->row, p)) && p->mode != AGENTCHAT_MEMORY_IMPORT_SKIP;
    if (!*goes_on || p->mode == AGENTCHAT_MEMORY_IMPORT_REPLACE)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CONFLICT, "key %s: another document is there, with revision %lld",
                    aci_error_excerpt(p->row.key, &excerpt), (long long)before->rev);
}

/* Queues the vectors of the document, after the settings were read. */
static agentchat_status put_vectors(aci_putting *p, aci_tx *tx, aci_document *row, bool is_new, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    p->is_stale = p->made_of.ptr != NULL && p->wanted.fields.ptr == NULL && p->settings.is_there &&
                  !agentchat_str_equal(p->made_of, p->settings.fields); /* wanted ones are a conflict */
    if (p->is_stale)
        return AGENTCHAT_OK;
    if (p->vectors != NULL)
        status = aci_vector_settings_fix(tx, &p->settings, &p->wanted, err);
    if (status < 0 || !p->settings.is_there || (is_new && p->vectors == NULL))
        return status;
    row->has_embedded = p->vectors != NULL;
    row->embedded = row->has_embedded ? p->settings.gen : 0;
    return aci_vectors_put(tx, row, p->settings.gen, true, p->vectors, err);
}

enum { MOST_ATTEMPTS = 100 };

agentchat_status aci_putting_run(aci_putting *p, aci_tx *tx, agentchat_error *err)
{
    change c = {.tx = tx, .env = p->env};
    aci_document row = p->row, *before;
    aci_log_row step;
    const aci_space_row none = {.ns = row.ns};
    int attempts = 0;
    uint64_t there;
    bool goes_on;
    agentchat_status status;

    p->is_written = false;
    do { /* somebody may have deleted its last document, and with it its row, after this had found it there */
        p->before.count = 0;
        p->before.ns = row.ns;
        p->before.key = row.key;
        aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_SPACE_HOLD], NULL, NULL);
        aci_table_bind(tx, &aci_space_table, &none);
        ask_space(&c, row.ns);
        ACI_MEMORY_ASK(tx, ACI_MEMORY_LOCK, aci_documents_load, &p->before, ACI_BYTES(row.ns), ACI_TEXT(row.key));
        aci_vector_settings_ask(tx, ACI_MEMORY_SETTING_SHARE, &p->settings);
        aci_log_ask(tx, row.ns, p->words.arena, &c.keep);
        status = aci_transact_run(tx, false, err);
    } while (status >= 0 && !c.has_space && ++attempts < MOST_ATTEMPTS);
    if (status >= 0 && !c.has_space)
        status = aci_fail(err, AGENTCHAT_E_BUSY, "others keep deleting the namespace");
    if (status < 0)
        return aci_document_damage(status, &row, err);
    before = p->before.count > 0 ? p->before.list : NULL;
    there = before != NULL && aci_document_lives(before, c.now) ? (uint64_t)before->rev : 0;
    p->revision = (int64_t)there;
    status = compare_expected(p, tx, before, there, &goes_on, err);
    if (status >= 0 && goes_on && p->guard != NULL)
        status = p->guard(p, tx, p->guard_user, err);
    if (status < 0 || !goes_on)
        return status;
    set_times(&c, p, before, &row);
    if (p->is_import && there == 0)
        take_given(&c, p, &row);
    row.words = p->words.total;
    c.space.documents += before == NULL;
    c.space.words += row.words - (before != NULL ? before->words : 0);
    status = put_vectors(p, tx, &row, before == NULL, err);
    if (status < 0 || p->is_stale)
        return status;
    status = replace_words(&c, p, before, &row, err);
    if (status < 0)
        return status;
    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_PUT], NULL, NULL);
    aci_table_bind(tx, &aci_document_table, &row);
    step = (aci_log_row){row.ns, row.key, .step = c.revision, .rev = row.rev, .undo = p->undoes != NULL, .at = c.now};
    if (c.keep == 0 && (p->options.log || p->undoes != NULL))
        c.keep = AGENTCHAT_MEMORY_LOG_USUAL;
    aci_log_step(tx, c.keep, there != 0 ? before : NULL, &step);
    put_space(&c);
    p->revision = row.rev;
    p->is_written = true;
    return aci_transact_run(tx, !p->is_import, err);
}

static agentchat_status put(aci_tx *tx, void *user, agentchat_error *err)
{
    return aci_putting_run(user, tx, err);
}

bool aci_putting_begin(aci_putting *p, const agentchat_env *env)
{
    p->env = env;
    return aci_words_begin(&p->words, env) && aci_documents_begin(&p->before, env) &&
           aci_vector_settings_begin(&p->settings, env, NULL) >= 0;
}

void aci_putting_end(aci_putting *p)
{
    aci_words_end(&p->words);
    aci_documents_end(&p->before);
    aci_vector_settings_end(&p->settings);
}

/* Reads the document and its words. */
agentchat_status aci_putting_read(aci_putting *p, agentchat_str json, agentchat_error *err)
{
    aci_json_index index;
    agentchat_status status = AGENTCHAT_OK;

    if (p->options.no_index && p->options.fields != NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "fields and no_index exclude each other");
    if (p->options.no_index || p->options.fields != NULL)
        status = aci_words_fields(p->options.fields, p->options.no_index ? 0 : p->options.field_count, p->words.arena,
                                  &p->row.fields, err);
    aci_json_index_init(&index, p->env);
    if (status >= 0) {
        status = aci_json_index_text(&index, json, 0, 0, err);
        if (status < 0)
            status = aci_filter_refuse(status, "the document", err);
    }
    if (status >= 0 && aci_json_index_kind(&index, 0) != ACI_JSON_OBJECT)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "a document is a JSON object; this is another value");
    p->row.value = status >= 0 ? aci_json_index_raw(&index, 0) : json;
    if (status >= 0)
        status = aci_words_add_document(&p->words, &index, p->row.fields, err);
    aci_json_index_clear(&index);
    return status;
}

void agentchat_memory_put_options_init(agentchat_memory_put_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

/* ---- its vectors ---------------------------------------------------------------------------------------------- */

agentchat_status aci_putting_embed(aci_putting *p, agentchat_store *store, aci_embedding *e, agentchat_error *err)
{
    aci_json_index index;
    agentchat_str fields = p->row.fields;
    agentchat_status status = AGENTCHAT_OK;

    if (fields.ptr == NULL) {
        if (p->wanted.fields.ptr == NULL)
            status = aci_transact(store, false, aci_vector_settings_read, &p->settings, err);
        fields = p->wanted.fields.ptr != NULL ? p->wanted.fields
                 : p->settings.is_there       ? p->settings.fields
                                              : AGENTCHAT_STR("[\"$\"]");
        p->made_of = fields;
    }
    aci_json_index_init(&index, p->env);
    if (status >= 0)
        status = aci_json_index_text(&index, p->row.value, 0, 0, err);
    if (status >= 0)
        status = aci_embedding_add(e, &index, fields, err);
    aci_json_index_clear(&index);
    return status;
}

/* What the options say about vectors. */
static agentchat_status take_options(aci_putting *p, agentchat_memory_embedder *embedder, agentchat_error *err)
{
    const agentchat_memory_put_options *options = &p->options;
    agentchat_status status = AGENTCHAT_OK;

    if (options->vector_count > 0 && options->vectors == NULL)
        return aci_fail_null(err, "options->vectors");
    if (options->embedder != NULL)
        status = aci_embedder_load(embedder, options->embedder, err);
    if (status >= 0 && (options->metric < 0 || options->metric > AGENTCHAT_MEMORY_METRIC_L2))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "%d is no metric", (int)options->metric);
    if (status >= 0 && options->store_fields != NULL)
        status =
            aci_words_fields(options->store_fields, options->store_field_count, p->words.arena, &p->wanted.fields, err);
    p->wanted.metric = options->metric;
    p->wanted.model = agentchat_str_from(embedder->model);
    return status;
}

static agentchat_status take_own(const aci_putting *p, aci_embedding *own, agentchat_error *err)
{
    const agentchat_memory_put_options *options = &p->options;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < options->vector_count && status >= 0; i++)
        status = agentchat_memory_vectors_add(&own->made, options->vectors + i * options->dimensions,
                                              options->dimensions, err);
    return status;
}

/* Makes or takes the vectors, and puts. */
static agentchat_status embed_and_put(aci_putting *p, agentchat_store *store, agentchat_error *err)
{
    agentchat_memory_embedder embedder = {.embed = NULL};
    const agentchat_memory_put_options *options = &p->options;
    agentchat_status status = take_options(p, &embedder, err);

    for (int attempts = 0; status >= 0; attempts++) {
        aci_embedding e;
        aci_vector_part part = {.of = &e, .is_own = options->vector_count > 0};

        status = aci_embedding_begin(&e, p->env, err);
        if (status >= 0)
            status = take_own(p, &e, err);
        if (status >= 0 && !part.is_own && embedder.embed != NULL && !options->no_index) {
            status = aci_putting_embed(p, store, &e, err);
            if (status >= 0)
                status = aci_embedding_run(&e, &embedder, err);
            p->vectors = &part;
        }
        part.count = e.made.count;
        p->wanted.dimensions = part.count > 0 ? (int64_t)e.made.dimensions : 0;
        p->vectors = part.is_own ? &part : p->vectors;
        if (status >= 0)
            status = aci_transact(store, true, put, p, err);
        p->vectors = NULL;
        aci_embedding_end(&e);
        if (status < 0 || !p->is_stale)
            return status;
        if (attempts == MOST_ATTEMPTS)
            return aci_fail(err, AGENTCHAT_E_BUSY, "others keep changing what vectors are made of");
    }
    return status;
}

static agentchat_status read_put(aci_putting *p, agentchat_store *store, const agentchat_memory_op *op,
                                 agentchat_error *err)
{
    agentchat_status status = aci_env_options_load(&p->options, sizeof p->options, op->put, err);

    if (status >= 0)
        status = aci_document_name(op->ns, op->key, &p->space, &p->row.key, err);
    if (status >= 0 && p->space.len == 0)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "a document has a namespace, and \"/\" is none");
    if (status < 0)
        return status;
    p->row.ns = aci_space_bytes(&p->space);
    if (!p->options.has_ttl && store->memory_ttl_us != 0) {
        p->options.has_ttl = true;
        p->options.ttl_us = store->memory_ttl_us;
    }
    return aci_putting_begin(p, store->env) ? aci_putting_read(p, op->json, err) : aci_fail_nomem(err);
}

static void end_put(aci_putting *p, agentchat_status status)
{
    if (status >= 0 && p->options.revision != NULL)
        *p->options.revision = (uint64_t)p->revision;
    if (p->env != NULL)
        aci_putting_end(p);
}

static agentchat_status run_put(aci_putting *p, agentchat_store *store, const agentchat_memory_op *op,
                                agentchat_error *err)
{
    agentchat_status status = read_put(p, store, op, err);

    if (status >= 0)
        status = embed_and_put(p, store, err);
    end_put(p, status);
    return status;
}

agentchat_status aci_putting_put(agentchat_store *store, const agentchat_memory_op *op,
                                 agentchat_status (*guard)(const aci_putting *p, aci_tx *tx, void *user,
                                                           agentchat_error *err),
                                 void *user, agentchat_error *err)
{
    aci_putting p;

    memset(&p, 0, sizeof p);
    p.guard = guard;
    p.guard_user = user;
    return run_put(&p, store, op, err);
}

agentchat_status aci_putting_undo(agentchat_store *store, const agentchat_memory_op *op, const aci_log_row *step,
                                  agentchat_error *err)
{
    aci_putting p;

    memset(&p, 0, sizeof p);
    p.undoes = step;
    p.row.fields = step->fields;
    return run_put(&p, store, op, err);
}

agentchat_status agentchat_memory_put(agentchat_store *store, const char *ns, const char *key, agentchat_str json,
                                      const agentchat_memory_put_options *options, agentchat_error *err)
{
    const agentchat_memory_op op = {.ns = ns, .key = key, .json = json, .put = options};

    agentchat_error_clear(err);
    return store != NULL ? aci_putting_put(store, &op, NULL, NULL, err) : aci_fail_null(err, "store");
}

/* ---- as a part of a batch ------------------------------------------------------------------------------------- */

typedef struct put_part {
    aci_putting p;
    aci_embedding own; /* vectors of the caller's */
    aci_vector_part part;
    bool is_waiting; /* for vectors of texts that are embedded with others' */
} put_part;

static agentchat_status begin_put_part(void *state, agentchat_store *store, const agentchat_memory_op *op,
                                       aci_embedding *texts, agentchat_error *err)
{
    put_part *s = state;
    agentchat_memory_embedder embedder = {.embed = NULL};
    agentchat_status status = read_put(&s->p, store, op, err);

    if (status >= 0)
        status = aci_embedding_share(texts, &s->p.options.embedder, err);
    if (status >= 0)
        status = aci_embedding_begin(&s->own, store->env, err);
    if (status >= 0)
        status = take_options(&s->p, &embedder, err);
    if (status >= 0)
        status = take_own(&s->p, &s->own, err);
    s->part = (aci_vector_part){&s->own, 0, s->own.made.count, true};
    s->is_waiting = s->part.count == 0 && embedder.embed != NULL && !s->p.options.no_index;
    if (status >= 0 && s->is_waiting) {
        s->part = (aci_vector_part){texts, texts->count, 0, false};
        status = aci_putting_embed(&s->p, store, texts, err);
        s->part.count = texts->count - s->part.first;
    }
    if (s->is_waiting || s->part.count > 0)
        s->p.vectors = &s->part;
    return status;
}

static agentchat_status take_put_part(void *state, aci_embedding *made, agentchat_error *err)
{
    put_part *s = state;

    (void)made;
    (void)err;
    s->p.wanted.dimensions = s->part.count > 0 ? (int64_t)s->part.of->made.dimensions : 0;
    return AGENTCHAT_OK;
}

static agentchat_status run_put_part(aci_tx *tx, void *user, agentchat_error *err)
{
    put_part *s = user;
    agentchat_status status = aci_putting_run(&s->p, tx, err);

    return status >= 0 && s->p.is_stale
               ? aci_fail(err, AGENTCHAT_E_CONFLICT, "what vectors are made of has changed meanwhile: try again")
               : status;
}

static void end_put_part(void *state, agentchat_memory_op *op, agentchat_status status)
{
    put_part *s = state;

    (void)op;
    end_put(&s->p, status);
    aci_embedding_end(&s->own);
}

const aci_memory_part aci_memory_put_part = {sizeof(put_part), true,         begin_put_part,
                                             take_put_part,    run_put_part, end_put_part};

/* ==== delete ===================================================================================================== */

typedef struct deleting {
    agentchat_memory_delete_options options;
    aci_space space;
    agentchat_str ns, end, key;
    aci_filter filter;
    aci_document_list found; /* of a page */
    uint64_t count;
    bool is_undo;
} deleting;

static agentchat_status delete_one(aci_tx *tx, void *user, agentchat_error *err)
{
    deleting *d = user;
    change c = {.tx = tx, .env = tx->store->env, .clears = d->options.purge};
    aci_document *row;
    agentchat_status status;

    d->found.count = 0;
    d->found.ns = d->ns;
    d->found.key = d->key;
    ask_space(&c, d->ns);
    ACI_MEMORY_ASK(tx, ACI_MEMORY_LOCK, aci_documents_load, &d->found, ACI_BYTES(d->ns), ACI_TEXT(d->key));
    if (!c.clears)
        aci_log_ask(tx, d->ns, d->found.arena, &c.keep);
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return aci_document_damage(status, &(aci_document){.ns = d->ns, .key = d->key}, err);
    row = d->found.list;
    if (d->found.count == 0 || !aci_document_lives(row, c.now)) {
        const aci_document none = {.key = d->key};

        if (d->options.has_expect && d->options.expect != 0 && !tx->repeated)
            return fail_conflict(&none, d->options.expect, false, err);
        if (c.clears) {
            ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_CLEAR, NULL, NULL, ACI_BYTES(d->ns), ACI_TEXT(d->key));
            status = aci_transact_run(tx, true, err);
        }
        if (status < 0)
            return status;
        if (tx->repeated || tx->is_shared)
            return AGENTCHAT_OK;
        return c.clears ? AGENTCHAT_DONE : aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no such document");
    }
    if (d->options.has_expect && d->options.expect != (uint64_t)row->rev)
        return fail_conflict(row, d->options.expect, true, err);
    status = delete_document(&c, row, d->is_undo, err);
    if (status < 0)
        return status;
    put_space(&c);
    return aci_transact_run(tx, true, err);
}

/* Deletes, or counts, what is asked for of a namespace, whose row is locked. */
static agentchat_status delete_in_space(change *c, deleting *d, agentchat_error *err)
{
    aci_json_index index;
    agentchat_str after = AGENTCHAT_STR("");
    aci_arena *arena = aci_arena_new(c->env, 0); /* of the key after which a page begins */
    agentchat_status status = arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
    agentchat_str end = {NULL, 0};
    bool ok = status >= 0 && aci_space_end(c->space.ns, true, arena, &end);
    enum { PAGE = 200 };

    aci_json_index_init(&index, c->env);
    do {
        aci_documents_end(&d->found);
        if (!ok || !aci_documents_begin(&d->found, c->env)) {
            status = aci_fail_nomem(err);
            break;
        }
        if (after.len == 0 && !c->clears && !d->options.dry_run)
            aci_log_ask(c->tx, c->space.ns, arena, &c->keep);
        ACI_MEMORY_ASK(c->tx, ACI_MEMORY_AFTER, aci_documents_load, &d->found, ACI_BYTES(c->space.ns), ACI_BYTES(end),
                       ACI_BYTES(c->space.ns), ACI_TEXT(after), ACI_INT(PAGE));
        status = aci_transact_run(c->tx, false, err);
        for (size_t i = 0; i < d->found.count && status >= 0; i++) {
            const aci_document *row = &d->found.list[i];
            bool is = aci_document_lives(row, c->now) &&
                      (d->options.older_than_us == 0 || row->updated <= c->now - d->options.older_than_us);

            if (is)
                status = aci_document_matches(row, &d->filter, &index, &is, err);
            d->count += status >= 0 && is;
            if (status >= 0 && is && !d->options.dry_run)
                status = delete_document(c, row, false, err);
        }
        if (status >= 0 && d->found.count > 0)
            status = aci_documents_go_on(&d->found, c->space.ns, after, err);
        if (d->found.count > 0)
            after = aci_arena_copy(arena, d->found.list[d->found.count - 1].key, &ok);
    } while (status >= 0 && d->found.count == PAGE);
    aci_json_index_clear(&index);
    aci_arena_unref(arena);
    return status;
}

static agentchat_status load_next_space(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    change *c = user;
    agentchat_status status = aci_table_read(&aci_space_table, 0, columns, count, &c->space, err);

    if (status >= 0)
        status = check_space_row(&c->space, err);
    if (status >= 0)
        status = aci_memory_load_space(c->name, columns, count, err);
    c->has_space = status >= 0;
    c->space.ns = aci_space_bytes(c->name);
    return status;
}

static agentchat_status delete_below(aci_tx *tx, void *user, agentchat_error *err)
{
    deleting *d = user;
    aci_space name = {.len = 0}, last; /* last: the one before, which the statement has as long as it runs */
    change c = {.tx = tx, .env = tx->store->env, .clears = d->options.purge, .name = &name};
    bool any = d->options.purge && !d->filter.is_set && d->options.older_than_us == 0;
    agentchat_status status;

    d->count = 0;
    aci_memory_ask_now(tx, &c.now);
    if (!d->options.dry_run)
        aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_REVISION], aci_memory_load_number, &c.revision);
    if (any) /* the log of what was deleted before, too */
        ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_CLEAR_BELOW, NULL, NULL, ACI_BYTES(d->ns), ACI_BYTES(d->end));
    do {
        uint64_t before = d->count;

        last = name;
        c.has_space = false;
        ACI_MEMORY_ASK(tx, d->options.dry_run ? ACI_MEMORY_SPACE_NEXT : ACI_MEMORY_SPACE_NEXT_LOCK, load_next_space, &c,
                       ACI_BYTES(d->ns), ACI_BYTES(d->end), ACI_BYTES(aci_space_bytes(&last)));
        status = aci_transact_run(tx, false, err);
        if (status >= 0 && c.has_space && aci_str_compare(c.space.ns, aci_space_bytes(&last)) <= 0)
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "namespaces are not in the order of their names");
        if (status >= 0 && c.has_space)
            status = delete_in_space(&c, d, err);
        if (status >= 0 && d->count > before && !d->options.dry_run) {
            any = true;
            put_space(&c);
            status = aci_transact_run(tx, false, err);
        }
    } while (status >= 0 && c.has_space);
    return status < 0 || !any ? status : aci_transact_run(tx, true, err);
}

void agentchat_memory_delete_options_init(agentchat_memory_delete_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status begin_delete(void *state, agentchat_store *store, const agentchat_memory_op *op,
                                     aci_embedding *texts, agentchat_error *err)
{
    deleting *d = state;
    agentchat_status status = aci_env_options_load(&d->options, sizeof d->options, op->removing, err);

    if (status >= 0 && (d->options.filter.ptr != NULL || d->options.older_than_us != 0 || d->options.dry_run))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "a filter, an age and a dry run are of all below a namespace");
    if (status >= 0 && texts != NULL && d->options.purge)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "a purge is no part of a batch");
    if (status >= 0)
        status = aci_document_name(op->ns, op->key, &d->space, &d->key, err);
    if (status < 0)
        return status;
    d->ns = aci_space_bytes(&d->space);
    return aci_documents_begin(&d->found, store->env) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void end_delete(void *state, agentchat_memory_op *op, agentchat_status status)
{
    (void)op;
    (void)status;
    aci_documents_end(&((deleting *)state)->found);
}

const aci_memory_part aci_memory_delete_part = {sizeof(deleting), true, begin_delete, NULL, delete_one, end_delete};

/* A purge may take long: it cuts off what others have left, too. */
static agentchat_status delete_and_purge(deleting *d, agentchat_store *store, aci_work work, agentchat_error *err)
{
    const aci_sql_call call = aci_sql_call_begin(store, d->options.purge);
    agentchat_status purged, status = aci_transact_in(store, &call, !d->options.dry_run, work, d, err);

    if (!d->options.purge || (status < 0 && status != AGENTCHAT_E_NOTFOUND))
        return status;
    agentchat_error_clear(err);
    purged = aci_pool_scrub(store, &call, err);
    if (purged == AGENTCHAT_E_BUSY)
        aci_error_prefix(err, "it is deleted; do it again for the rest");
    return purged < 0 ? purged : status == AGENTCHAT_E_NOTFOUND ? AGENTCHAT_DONE : status;
}

static agentchat_status delete_as(const agentchat_memory_op *op, bool is_undo, agentchat_store *store,
                                  agentchat_error *err)
{
    agentchat_memory_op one = *op;
    deleting d;
    agentchat_status status;

    memset(&d, 0, sizeof d);
    d.is_undo = is_undo;
    status = begin_delete(&d, store, op, NULL, err);
    if (status >= 0)
        status = delete_and_purge(&d, store, delete_one, err);
    end_delete(&d, &one, status);
    return status;
}

agentchat_status aci_delete_undo(agentchat_store *store, const agentchat_memory_op *op, agentchat_error *err)
{
    return delete_as(op, true, store, err);
}

agentchat_status agentchat_memory_delete(agentchat_store *store, const char *ns, const char *key,
                                         const agentchat_memory_delete_options *options, agentchat_error *err)
{
    const agentchat_memory_op op = {.ns = ns, .key = key, .removing = options};

    agentchat_error_clear(err);
    return store != NULL ? delete_as(&op, false, store, err) : aci_fail_null(err, "store");
}

agentchat_status agentchat_memory_delete_below(agentchat_store *store, const char *ns,
                                               const agentchat_memory_delete_options *options, uint64_t *count,
                                               agentchat_error *err)
{
    deleting d = {.count = 0};
    aci_arena *arena = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (count != NULL)
        *count = 0;
    if (store == NULL || ns == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "ns");
    status = aci_env_options_load(&d.options, sizeof d.options, options, err);
    if (status >= 0 && d.options.has_expect)
        status =
            aci_fail(err, AGENTCHAT_E_INVALID, "a revision is expected of one document, not of all below a namespace");
    if (status >= 0 && d.options.purge && d.options.dry_run)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "a purge and a dry run exclude each other");
    if (status >= 0 && d.options.older_than_us < 0)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "an age is not negative");
    if (status >= 0)
        status = aci_space_read(ns, false, &d.space, err);
    if (status < 0)
        return status;
    d.ns = aci_space_bytes(&d.space);
    arena = aci_arena_new(store->env, 0);
    status = arena != NULL && aci_space_end(d.ns, false, arena, &d.end) ? AGENTCHAT_OK : aci_fail_nomem(err);
    if (status >= 0)
        status = aci_filter_begin(&d.filter, store->env, d.options.filter, err);
    if (status >= 0)
        status = delete_and_purge(&d, store, delete_below, err);
    if (status >= 0 && count != NULL)
        *count = d.count;
    aci_filter_end(&d.filter);
    aci_documents_end(&d.found);
    aci_arena_unref(arena);
    return status;
}

/* ==== sweep ====================================================================================================== */

typedef struct sweeping {
    aci_steps steps;
    aci_space space;
    aci_document_list found;
    bool more;
} sweeping;

static agentchat_status sweep(aci_tx *tx, void *user, agentchat_error *err)
{
    sweeping *s = user;
    change c = {.tx = tx, .env = tx->store->env};
    agentchat_status status;

    s->found.count = 0;
    s->space.len = 0;
    s->more = false;
    aci_memory_ask_now(tx, &c.now);
    status = tx->count > 0 ? aci_transact_run(tx, false, err) : AGENTCHAT_OK;
    if (status < 0)
        return status;
    ACI_MEMORY_ASK(tx, ACI_MEMORY_EXPIRED_SPACE, aci_memory_load_space, &s->space, ACI_INT(c.now));
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    if (s->space.len == 0) { /* what is left is in the log */
        ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_EXPIRED, NULL, NULL, ACI_INT(c.now));
        return aci_transact_run(tx, true, err);
    }
    ask_space(&c, aci_space_bytes(&s->space));
    status = aci_steps_lock(&s->steps, tx, err);
    if (status < 0)
        return status;
    ACI_MEMORY_ASK(tx, ACI_MEMORY_EXPIRED, aci_documents_load, &s->found, ACI_BYTES(c.space.ns), ACI_INT(c.now),
                   ACI_INT((int64_t)s->steps.rows));
    status = aci_transact_run(tx, false, err);
    for (size_t i = 0; i < s->found.count && status >= 0; i++)
        status = delete_document(&c, &s->found.list[i], false, err);
    if (status < 0)
        return status;
    s->more = s->found.count > 0;
    put_space(&c);
    status = aci_steps_write(&s->steps, tx, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

agentchat_status agentchat_memory_sweep(agentchat_store *store, uint64_t *count, agentchat_error *err)
{
    uint64_t swept = 0;
    agentchat_status status = AGENTCHAT_OK;
    sweeping s;

    agentchat_error_clear(err);
    if (count != NULL)
        *count = 0;
    if (store == NULL)
        return aci_fail_null(err, "store");
    aci_steps_begin(&s.steps, store);
    do {
        s.more = false;
        status =
            aci_documents_begin(&s.found, store->env) ? aci_steps_run(&s.steps, sweep, &s, err) : aci_fail_nomem(err);
        swept += status >= 0 && s.more ? s.found.count : 0;
        aci_documents_end(&s.found);
    } while (status >= 0 && s.more);
    if (count != NULL)
        *count = swept;
    return status;
}
