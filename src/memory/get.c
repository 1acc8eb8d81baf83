/* SPDX-License-Identifier: Apache-2.0 */
/* Reading documents: one, those that were updated last, namespaces and numbers. */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/ids.h"
#include "state/state.h"
#include <string.h>

/* ==== documents as they are read ================================================================================= */

bool aci_documents_begin(aci_document_list *documents, const agentchat_env *env)
{
    *documents = (aci_document_list){.env = env, .arena = aci_arena_new(env, 0)};
    return documents->arena != NULL;
}

void aci_documents_end(aci_document_list *documents)
{
    aci_arena_unref(documents->arena);
    if (documents->env != NULL)
        aci_free(documents->env, documents->list, documents->cap * sizeof *documents->list);
    *documents = (aci_document_list){.env = NULL};
}

agentchat_status aci_document_damage(agentchat_status status, const aci_document *row, agentchat_error *err)
{
    aci_excerpt key, ns;
    char labels[64];
    size_t len = 0;

    if ((status != AGENTCHAT_E_CORRUPT && status != AGENTCHAT_E_SYNTAX) ||
        (err != NULL && strncmp(err->message, "namespace ", 10) == 0)) /* its row has been named */
        return status;
    for (; len < row->ns.len && len < sizeof labels; len++) /* the last byte of a sound one ends its last label */
        labels[len] = row->ns.ptr[len] != '\0' ? row->ns.ptr[len] : '/';
    aci_error_prefix(err, "namespace %s, key %s",
                     aci_error_excerpt((agentchat_str){labels, len > 0 ? len - 1 : 0}, &ns),
                     aci_error_excerpt(row->key, &key));
    if (err != NULL)
        err->code = (int32_t)AGENTCHAT_E_CORRUPT;
    return AGENTCHAT_E_CORRUPT;
}

#define MOST_WORDS (INT64_C(1) << 40) /* so that sums of them are numbers */

agentchat_status aci_documents_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_document_list *documents = user;
    void *list = documents->list;
    aci_document row;
    bool ok = true;
    agentchat_status status;

    memset(&row, 0, sizeof row);
    status = aci_table_read(&aci_document_table, 0, columns, count, &row, err);
    if (status >= 0 &&
        (row.no <= 0 || row.rev <= 0 || row.words < 0 || row.words > MOST_WORDS || row.updated == INT64_MAX))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored document has numbers that none has");
    if (documents->key.ptr != NULL && status < 0) {
        row.ns = documents->ns;
        row.key = documents->key;
    }
    if (status < 0)
        return aci_document_damage(status, &row, err);
    if (!aci_grow(documents->env, &list, &documents->cap, documents->count, sizeof *documents->list))
        return aci_fail_nomem(err);
    documents->list = list;
    aci_table_keep(&aci_document_table, &row, documents->arena, &ok);
    documents->list[documents->count++] = row;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_memory_load_space(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_space *out = user;
    agentchat_str bytes = {NULL, 0};
    agentchat_status status = aci_transact_column_bytes(columns, count, 0, &bytes, err);

    if (status < 0)
        return status;
    if (bytes.len > ACI_MOST_SPACE)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored namespace is longer than any is");
    if (bytes.len > 0)
        memcpy(out->bytes, bytes.ptr, bytes.len);
    out->len = bytes.len;
    return AGENTCHAT_OK;
}

void aci_memory_ask_now(aci_tx *tx, int64_t *now)
{
    *now = aci_now_us(tx->store->env);
    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_NOW], aci_memory_load_number, now);
}

bool aci_document_lives(const aci_document *row, int64_t now)
{
    return !row->has_expires || row->expires > now;
}

int64_t aci_document_expiry(int64_t now, int64_t ttl)
{
    return now > INT64_MAX - 1 - ttl ? INT64_MAX - 1 : now + ttl; /* the highest is for ever */
}

agentchat_status aci_documents_go_on(const aci_document_list *documents, agentchat_str ns, agentchat_str key,
                                     agentchat_error *err)
{
    const aci_document after = {.ns = ns, .key = key};

    if (aci_table_compare(&aci_document_table, &documents->list[documents->count - 1], &after) > 0)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "documents are not in the order of their keys");
}

agentchat_status aci_document_name(const char *ns, const char *key, aci_space *space, agentchat_str *name,
                                   agentchat_error *err)
{
    agentchat_status status;

    if (key == NULL)
        return aci_fail_null(err, "key");
    status = aci_space_read(ns, false, space, err); /* nothing is found in the empty one */
    *name = agentchat_str_from(key);
    return status < 0 ? status : aci_label_check(*name, "key", err);
}

agentchat_status aci_document_matches(const aci_document *row, const aci_filter *filter, aci_json_index *index,
                                      bool *out, agentchat_error *err)
{
    agentchat_status status;

    *out = true;
    if (!filter->is_set)
        return AGENTCHAT_OK;
    status = aci_json_index_text(index, row->value, 0, 0, err);
    if (status < 0)
        return aci_document_damage(status, row, err);
    return aci_filter_matches(filter, index, out, err);
}

agentchat_status aci_document_show(agentchat_memory_results *out, const aci_document *row, agentchat_error *err)
{
    agentchat_memory_item *item = aci_result_page_room(&out->page);
    aci_arena *arena = out->page.arena;
    bool ok = true;

    if (item == NULL)
        return aci_fail_nomem(err);
    memset(item, 0, sizeof *item);
    item->ns = aci_space_print(row->ns, arena);
    item->key = aci_arena_cstr(arena, row->key, &ok);
    item->value.ptr = aci_arena_cstr(arena, row->value, &ok);
    item->value.len = row->value.len;
    item->revision = (uint64_t)row->rev;
    item->created_us = row->created;
    item->updated_us = row->updated;
    item->expires_us = row->has_expires ? row->expires : AGENTCHAT_MEMORY_NEVER;
    out->page.count += ok && item->ns != NULL;
    return ok && item->ns != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_document_refresh(aci_tx *tx, aci_document *row, int64_t now)
{
    int64_t sum = 0;

    if (!row->has_ttl || row->ttl <= 0)
        return;
    row->expires = aci_document_expiry(now, row->ttl);
    if (aci_table_sum_row(&aci_document_table, row, &sum, NULL) < 0)
        tx->failed = true;
    ACI_MEMORY_ASK(tx, ACI_MEMORY_REFRESH, NULL, NULL, ACI_INT(row->expires), ACI_INT(sum), ACI_BYTES(row->ns),
                   ACI_TEXT(row->key), ACI_INT(row->rev));
}

size_t agentchat_memory_results_count(const agentchat_memory_results *page)
{
    return page != NULL ? page->page.count : 0;
}

const agentchat_memory_item *agentchat_memory_results_at(const agentchat_memory_results *page, size_t index)
{
    const agentchat_memory_item *items = page != NULL ? page->page.items : NULL;

    return index < agentchat_memory_results_count(page) ? &items[index] : NULL;
}

const char *agentchat_memory_results_cursor(const agentchat_memory_results *page)
{
    return page != NULL ? page->page.cursor : NULL;
}

void agentchat_memory_results_free(agentchat_memory_results *page)
{
    if (page != NULL)
        aci_result_page_free(&page->page, sizeof *page);
}

/* ==== get ======================================================================================================== */

typedef struct getting {
    aci_space space;
    agentchat_str ns, key;
    bool refreshes;
    aci_document_list found;
    agentchat_memory_results *out;
} getting;

static agentchat_status get(aci_tx *tx, void *user, agentchat_error *err)
{
    getting *g = user;
    int64_t now = 0;
    agentchat_status status;

    g->found.count = g->out->page.count = 0;
    g->found.ns = g->ns;
    g->found.key = g->key;
    aci_memory_ask_now(tx, &now);
    ACI_MEMORY_ASK(tx, g->refreshes ? ACI_MEMORY_LOCK : ACI_MEMORY_ROW, aci_documents_load, &g->found, ACI_BYTES(g->ns),
                   ACI_TEXT(g->key));
    status = aci_transact_run(tx, !g->refreshes, err);
    if (status >= 0 && (g->found.count == 0 || !aci_document_lives(g->found.list, now)))
        return tx->is_shared ? AGENTCHAT_OK : aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no such document");
    if (status >= 0 && g->refreshes) {
        aci_document_refresh(tx, g->found.list, now);
        status = aci_transact_run(tx, true, err);
    }
    return status < 0 ? aci_document_damage(status, &(aci_document){.ns = g->ns, .key = g->key}, err)
                      : aci_document_show(g->out, g->found.list, err);
}

agentchat_memory_results *aci_documents_page(const agentchat_env *env)
{
    return aci_result_page_new(env, sizeof(agentchat_memory_results), sizeof(agentchat_memory_item));
}

static agentchat_status begin_get(void *state, agentchat_store *store, const agentchat_memory_op *op,
                                  aci_embedding *texts, agentchat_error *err)
{
    getting *g = state;
    agentchat_status status = aci_document_name(op->ns, op->key, &g->space, &g->key, err);

    (void)texts;
    if (status < 0)
        return status;
    g->ns = aci_space_bytes(&g->space);
    g->refreshes = op->refresh && !store->read_only;
    g->out = aci_documents_page(store->env);
    return g->out != NULL && aci_documents_begin(&g->found, store->env) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void end_get(void *state, agentchat_memory_op *op, agentchat_status status)
{
    getting *g = state;

    aci_documents_end(&g->found);
    if (status >= 0)
        op->results = g->out;
    else
        agentchat_memory_results_free(g->out);
}

const aci_memory_part aci_memory_get_part = {sizeof(getting), false, begin_get, NULL, get, end_get};

agentchat_status agentchat_memory_get(agentchat_store *store, const char *ns, const char *key, bool refresh,
                                      agentchat_memory_results **out, agentchat_error *err)
{
    agentchat_memory_op op = {.ns = ns, .key = key, .refresh = refresh};
    getting g;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&g, 0, sizeof g);
    status = begin_get(&g, store, &op, NULL, err);
    if (status >= 0)
        status = aci_transact(store, g.refreshes, get, &g, err);
    end_get(&g, &op, status);
    *out = op.results;
    return status;
}

/* ==== namespaces ================================================================================================= */

struct agentchat_memory_namespaces {
    aci_result_page page;
};

typedef struct listing {
    agentchat_memory_namespace_options options;
    aci_space prefix, suffix, from; /* from: that of the cursor */
    agentchat_str ns, end;          /* the range that is read */
    agentchat_str after;            /* what was read last */
    agentchat_str last;             /* what was listed last */
    size_t rows, limit;
    aci_arena *arena;
    agentchat_memory_namespaces *out;
    bool is_full;
} listing;

static size_t count_labels(agentchat_str space)
{
    size_t count = 0, at = 0;
    agentchat_str label;

    while (aci_space_label(space, &at, &label))
        count++;
    return count;
}

/* The first labels of a namespace, all when it has no more. */
static agentchat_str first_labels(agentchat_str space, size_t count)
{
    size_t at = 0;
    agentchat_str label;

    while (count-- > 0 && aci_space_label(space, &at, &label))
        ;
    return (agentchat_str){space.ptr, at};
}

/* Whether the labels of a namespace from number `from` on begin with those of a pattern. */
static bool has_labels(agentchat_str space, size_t from, agentchat_str pattern)
{
    size_t at = first_labels(space, from).len, in_pattern = 0;
    agentchat_str label, wanted;

    while (aci_space_label(pattern, &in_pattern, &wanted)) {
        if (!aci_space_label(space, &at, &label))
            return false;
        if (!(wanted.len == 1 && (unsigned char)*wanted.ptr == 0xFF) && !agentchat_str_equal(label, wanted))
            return false;
    }
    return true;
}

static agentchat_status take_space(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    listing *l = user;
    aci_space_row row;
    int64_t expired = 0;
    agentchat_memory_namespace *item;
    agentchat_str suffix = aci_space_bytes(&l->suffix), shown;
    size_t labels, wanted = count_labels(suffix);
    bool ok = true;
    agentchat_status status = aci_table_read(&aci_space_table, 0, columns, count, &row, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, aci_space_table.count + 1, &expired, err);
    if (status >= 0 && (expired < 0 || row.documents < 0))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored namespace has numbers that none has");
    if (status < 0)
        return status;
    if (aci_str_compare(row.ns, l->after) <= 0)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "namespaces are not in the order of their names");
    l->rows++;
    l->after = aci_arena_copy(l->arena, row.ns, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    labels = count_labels(row.ns);
    if (l->is_full || row.documents <= expired || !has_labels(row.ns, 0, aci_space_bytes(&l->prefix)) ||
        labels < wanted || !has_labels(row.ns, labels - wanted, suffix))
        return AGENTCHAT_OK;
    shown = l->options.depth > 0 ? first_labels(l->after, l->options.depth) : l->after;
    item = l->out->page.items;
    if (l->out->page.count > 0 && agentchat_str_equal(shown, l->last)) {
        item[l->out->page.count - 1].documents += (uint64_t)(row.documents - expired);
        return AGENTCHAT_OK;
    }
    l->is_full = l->out->page.count == l->limit;
    if (l->is_full)
        return AGENTCHAT_OK;
    item = aci_result_page_room(&l->out->page);
    if (item == NULL)
        return aci_fail_nomem(err);
    *item =
        (agentchat_memory_namespace){aci_space_print(shown, l->out->page.arena), (uint64_t)(row.documents - expired)};
    l->out->page.count += item->ns != NULL;
    l->last = shown;
    return item->ns != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status list_spaces(aci_tx *tx, void *user, agentchat_error *err)
{
    enum { PAGE = 500 };
    listing *l = user;
    int64_t now = 0;
    agentchat_status status;

    l->out->page.count = 0;
    l->out->page.cursor = NULL;
    l->is_full = false;
    l->after = aci_space_bytes(&l->from);
    if (l->options.depth > 0 && l->options.cursor != NULL && !aci_space_end(l->after, false, l->arena, &l->after))
        return aci_fail_nomem(err);
    aci_memory_ask_now(tx, &now);
    status = tx->count > 0 ? aci_transact_run(tx, false, err) : AGENTCHAT_OK;
    do {
        l->rows = 0;
        if (status < 0)
            break;
        ACI_MEMORY_ASK(tx, ACI_MEMORY_SPACES, take_space, l, ACI_INT(now), ACI_BYTES(l->ns), ACI_BYTES(l->end),
                       ACI_BYTES(l->after), ACI_INT(PAGE));
        status = aci_transact_run(tx, false, err);
    } while (status >= 0 && l->rows == PAGE && !l->is_full);
    return status;
}

void agentchat_memory_namespace_options_init(agentchat_memory_namespace_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status begin_listing(void *state, agentchat_store *store, const agentchat_memory_op *op,
                                      aci_embedding *texts, agentchat_error *err)
{
    listing *l = state;
    agentchat_str cursor[1];
    bool is_range;
    agentchat_status status = aci_env_options_load(&l->options, sizeof l->options, op->listing, err);

    (void)texts;
    if (status < 0)
        return status;
    l->arena = aci_arena_new(store->env, 0);
    l->out = aci_result_page_new(store->env, sizeof *l->out, sizeof(agentchat_memory_namespace));
    if (l->arena == NULL || l->out == NULL)
        return aci_fail_nomem(err);
    status = aci_space_read(l->options.prefix, true, &l->prefix, err);

    if (status >= 0)
        status = aci_space_read(l->options.suffix, true, &l->suffix, err);
    if (status >= 0 && l->options.cursor != NULL)
        status = aci_sql_cursor_read(l->arena, l->options.cursor, cursor, 1, "namespaces", err);
    if (status >= 0 && l->options.cursor != NULL)
        status = aci_space_read(cursor[0].ptr, false, &l->from, err);
    if (status < 0)
        return status;
    l->limit = aci_result_page_limit(l->options.limit);
    is_range = memchr(l->prefix.bytes, 0xFF, l->prefix.len) == NULL;
    l->ns = is_range ? aci_space_bytes(&l->prefix) : AGENTCHAT_STR("");
    return aci_space_end(l->ns, false, l->arena, &l->end) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status run_listing(aci_tx *tx, void *user, agentchat_error *err)
{
    listing *l = user;
    agentchat_str name;
    agentchat_status status = list_spaces(tx, user, err);

    if (status < 0 || !l->is_full)
        return status;
    name = agentchat_str_from(((agentchat_memory_namespace *)l->out->page.items)[l->out->page.count - 1].ns);
    l->out->page.cursor = aci_sql_cursor_make(l->out->page.arena, &name, 1);
    return l->out->page.cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void end_listing(void *state, agentchat_memory_op *op, agentchat_status status)
{
    listing *l = state;

    aci_arena_unref(l->arena);
    if (status >= 0)
        op->namespaces = l->out;
    else
        agentchat_memory_namespaces_free(l->out);
}

const aci_memory_part aci_memory_namespaces_part = {sizeof(listing), false,      begin_listing, NULL,
                                                    run_listing,     end_listing};

agentchat_status agentchat_memory_list_namespaces(agentchat_store *store,
                                                  const agentchat_memory_namespace_options *options,
                                                  agentchat_memory_namespaces **out, agentchat_error *err)
{
    agentchat_memory_op op = {.listing = options};
    listing l;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&l, 0, sizeof l);
    status = begin_listing(&l, store, &op, NULL, err);
    if (status >= 0)
        status = aci_transact(store, false, run_listing, &l, err);
    end_listing(&l, &op, status);
    *out = op.namespaces;
    return status;
}

size_t agentchat_memory_namespaces_count(const agentchat_memory_namespaces *page)
{
    return page != NULL ? page->page.count : 0;
}

const agentchat_memory_namespace *agentchat_memory_namespaces_at(const agentchat_memory_namespaces *page, size_t index)
{
    const agentchat_memory_namespace *items = page != NULL ? page->page.items : NULL;

    return index < agentchat_memory_namespaces_count(page) ? &items[index] : NULL;
}

const char *agentchat_memory_namespaces_cursor(const agentchat_memory_namespaces *page)
{
    return page != NULL ? page->page.cursor : NULL;
}

void agentchat_memory_namespaces_free(agentchat_memory_namespaces *page)
{
    if (page != NULL)
        aci_result_page_free(&page->page, sizeof *page);
}

/* ==== numbers ==================================================================================================== */

typedef struct counting {
    agentchat_str ns, end;
    aci_vector_settings settings;
    int64_t numbers[5];
} counting;

static agentchat_status load_numbers(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    counting *c = user;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < 5 && status >= 0; i++)
        status = aci_transact_column_integer(columns, count, i, &c->numbers[i], err);
    return status;
}

static agentchat_status count_documents(aci_tx *tx, void *user, agentchat_error *err)
{
    counting *c = user;
    int64_t now = 0;
    agentchat_status status;

    aci_memory_ask_now(tx, &now);
    aci_vector_settings_ask(tx, ACI_MEMORY_SETTING, &c->settings);
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    ACI_MEMORY_ASK(tx, ACI_MEMORY_COUNT, load_numbers, c, ACI_INT(now), ACI_INT(c->settings.gen),
                   ACI_INT(aci_vector_kinds(&c->settings)), ACI_BYTES(c->ns), ACI_BYTES(c->end));
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_memory_stats(agentchat_store *store, const char *ns, agentchat_memory_counts *out,
                                        agentchat_error *err)
{
    aci_space space;
    aci_arena *arena;
    counting c = {.numbers = {0}};
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    memset(out, 0, sizeof *out);
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_space_read(ns, false, &space, err);
    if (status < 0)
        return status;
    c.ns = aci_space_bytes(&space);
    arena = aci_arena_new(store->env, 0);
    c.settings.arena = arena;
    status = arena != NULL && aci_space_end(c.ns, false, arena, &c.end)
                 ? aci_transact(store, false, count_documents, &c, err)
                 : aci_fail_nomem(err);
    aci_arena_unref(arena);
    if (status >= 0)
        *out = (agentchat_memory_counts){(uint64_t)c.numbers[0] - (uint64_t)c.numbers[1], (uint64_t)c.numbers[1],
                                         (uint64_t)c.numbers[2], (uint64_t)c.numbers[3], (uint64_t)c.numbers[4]};
    return status;
}
