/* SPDX-License-Identifier: Apache-2.0 */
/* The long-term memory over a hostile database: every call ends, with success or with a status that it may have, what
   it gives can be used, and nothing is leaked. */
#include "failing_memory.h"
#include "hostile_database.h"

#include <agentchat/memory_kinds.h>
#include <agentchat/memory_tools.h>
#include <agentchat/work.h>
#include <string.h>

enum { CALLS = 16 };

typedef struct world {
    fuzz_input in;
    fuzz_memory memory;
    hostile_database database;
    agentchat_store *store;
} world;

static bool may_be(agentchat_status status)
{
    return status >= 0 || status == AGENTCHAT_E_NOTFOUND || status == AGENTCHAT_E_CONFLICT ||
           status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_IO || status == AGENTCHAT_E_VERSION ||
           status == AGENTCHAT_E_LIMIT || status == AGENTCHAT_E_INVALID || status == AGENTCHAT_E_NOMEM ||
           status == AGENTCHAT_E_INTERNAL || status == AGENTCHAT_E_BUSY;
}

static agentchat_status embed(void *user, const agentchat_str *texts, size_t count, agentchat_memory_vectors *out,
                              agentchat_error *err)
{
    static const float numbers[] = {1, 2, 3};
    agentchat_status status = AGENTCHAT_OK;

    (void)texts;
    for (size_t i = 0; i < count && status >= 0; i++)
        status = agentchat_memory_vectors_add(out, numbers, 2 + (fuzz_byte(user) >= 250), err);
    return status;
}

static void look_at(agentchat_memory_results *page)
{
    for (size_t i = 0; i < agentchat_memory_results_count(page); i++) {
        const agentchat_memory_item *item = agentchat_memory_results_at(page, i);

        FUZZ_CHECK(strlen(item->ns) < 4096 && strlen(item->key) < 4096 && item->value.ptr[item->value.len] == '\0');
    }
    agentchat_memory_results_free(page);
}

static agentchat_status put(world *w, const agentchat_memory_embedder *embedder, agentchat_error *err)
{
    static const float numbers[] = {0, 1};
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;

    options.embedder = fuzz_below(&w->in, 2) == 0 ? embedder : NULL;
    options.vectors = numbers;
    options.vector_count = fuzz_below(&w->in, 4) == 0;
    options.dimensions = 2;
    options.has_expect = fuzz_below(&w->in, 4) == 0;
    return agentchat_memory_put(w->store, "a", "k", AGENTCHAT_STR("{\"text\":\"tea cup\"}"), &options, err);
}

static agentchat_status search(world *w, const agentchat_memory_embedder *embedder, agentchat_error *err)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;
    agentchat_status status;
    uint32_t how = fuzz_below(&w->in, 4);

    query.text = how > 0 ? AGENTCHAT_STR("tea cup") : AGENTCHAT_STR("");
    query.embedder = how > 1 ? embedder : NULL;
    query.mode = how > 2 ? AGENTCHAT_MEMORY_MODE_HYBRID : AGENTCHAT_MEMORY_MODE_AUTO;
    query.limit = 2;
    query.offset = fuzz_below(&w->in, 3);
    query.refresh = fuzz_below(&w->in, 2) == 0;
    if (fuzz_below(&w->in, 2) == 0)
        query.filter = AGENTCHAT_STR("{\"n\":{\"$lte\":2}}");
    status = agentchat_memory_search(w->store, "a", &query, &page, err);
    FUZZ_CHECK((status < 0) == (page == NULL) && agentchat_memory_results_count(page) <= 2);
    look_at(page);
    return status;
}

static agentchat_status carry(world *w, const agentchat_memory_embedder *embedder, agentchat_error *err)
{
    static const char line[] =
        "{\"namespace\":[\"a\"],\"key\":\"k\",\"value\":{\"text\":\"tea\"},\"revision\":2,\"created\":"
        "\"2026-11-21T10:02:00.000000Z\",\"updated\":\"2026-11-21T10:02:00.000000Z\",\"vectors\":[[1,2]]}\n";
    agentchat_bytes bytes = {NULL, 0, 0, w->memory.env};
    agentchat_sink *sink = NULL;
    agentchat_source *source = NULL;
    bool out = fuzz_below(&w->in, 2) == 0;
    agentchat_status status = out ? agentchat_sink_memory(w->memory.env, &bytes, &sink, err)
                                  : agentchat_source_memory(w->memory.env, agentchat_str_from(line), &source, err);

    if (status >= 0)
        status = out ? agentchat_memory_export(w->store, "/", sink, NULL, err)
                     : agentchat_memory_import(w->store, source, AGENTCHAT_MEMORY_IMPORT_REPLACE,
                                               fuzz_below(&w->in, 2) == 0 ? embedder : NULL, NULL, err);
    agentchat_sink_free(sink);
    agentchat_source_free(source);
    agentchat_bytes_clear(&bytes);
    return status;
}

static agentchat_status work(world *w, agentchat_error *err)
{
    const agentchat_work_request request = {"k", fuzz_byte(&w->in), AGENTCHAT_STR("b")};
    agentchat_work_list_options options = AGENTCHAT_WORK_LIST_OPTIONS_INIT;
    agentchat_work_item item = {.thread = "a", .kind = "k", .claim = fuzz_below(&w->in, 3)};
    agentchat_work_item_list *list = NULL;
    agentchat_status status;

    switch (fuzz_below(&w->in, 7)) {
    case 0:
        return agentchat_work_queue(w->store, "a", &request, err);
    case 1:
        status = agentchat_work_claim(w->store, NULL, &list, err);
        break;
    case 2:
        return agentchat_work_extend(w->store, &item, 7, err);
    case 3:
        return agentchat_work_done(w->store, &item, "m", err);
    case 4:
        return agentchat_work_fail(w->store, &item, "e", 0, err);
    case 5:
        return agentchat_work_retry(w->store, "a", "k", err);
    default:
        options.limit = 2;
        options.state = (agentchat_work_state)fuzz_below(&w->in, 5);
        status = agentchat_work_list(w->store, &options, &list, err);
    }
    FUZZ_CHECK((status < 0) == (list == NULL));
    agentchat_work_item_list_free(list);
    return status;
}

static agentchat_status collect(world *w, const agentchat_memory_embedder *embedder, agentchat_error *err)
{
    static const agentchat_collection_change changes[] = {
        {AGENTCHAT_COLLECTION_ADD, "k", {"{\"text\":\"tea\"}", 14}, 0, false},
        {AGENTCHAT_COLLECTION_UPDATE, "k", {"{\"text\":\"cup\"}", 14}, 0, false},
    };
    agentchat_memory_put_options put = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_collection_options options = AGENTCHAT_COLLECTION_OPTIONS_INIT;
    agentchat_collection_outcomes *out = NULL;
    agentchat_status status;

    put.embedder = embedder;
    options.put = fuzz_below(&w->in, 2) == 0 ? &put : NULL;
    status = agentchat_collection_apply(w->store, "a", changes, 2, &options, &out, NULL, err);
    agentchat_collection_outcomes_free(out);
    return status;
}

/* The log, an undo, or a call of a tool. */
static agentchat_status use(world *w, agentchat_error *err)
{
    static const char *const arguments[] = {
        "{\"command\":\"view\",\"path\":\"/memories\"}",
        "{\"command\":\"insert\",\"path\":\"/memories/k\",\"insert_line\":0,\"insert_text\":\"x\"}",
        "{\"command\":\"rename\",\"old_path\":\"/memories/k\",\"new_path\":\"/memories/l/m\"}",
        "{\"command\":\"delete\",\"path\":\"/memories/k\"}",
    };
    agentchat_memory_steps *steps = NULL;
    agentchat_message_builder *builder = NULL;
    agentchat_message *call = NULL;
    size_t which = fuzz_below(&w->in, 6);
    agentchat_status status;

    if (which == 4)
        return agentchat_memory_undo(w->store, "a", "k", NULL, err);
    if (which == 5) {
        status = agentchat_memory_log(w->store, "a", fuzz_below(&w->in, 2) == 0 ? "k" : NULL, 0, &steps, err);
        agentchat_memory_steps_free(steps);
        return status;
    }
    status = agentchat_message_builder_new(NULL, "tool", agentchat_str_null(), &builder, err);
    FUZZ_CHECK(status >= 0);
    agentchat_message_builder_add_call(builder, AGENTCHAT_STR("c"), agentchat_str_null(), AGENTCHAT_STR("memory"),
                                       agentchat_str_from(arguments[which]));
    FUZZ_CHECK(agentchat_message_builder_finish(builder, &call, err) >= 0 &&
               agentchat_message_builder_new(NULL, "tool", agentchat_str_null(), &builder, err) >= 0);
    status = agentchat_memory_tools_answer(w->store, "a", agentchat_message_item(call, 0), builder, NULL, err);
    agentchat_message_builder_free(builder);
    agentchat_message_unref(call);
    return status;
}

static agentchat_status call(world *w, agentchat_error *err)
{
    agentchat_memory_embedder embedder = AGENTCHAT_MEMORY_EMBEDDER_INIT;
    agentchat_memory_reindex_options reindex = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    agentchat_memory_namespaces *spaces = NULL;
    agentchat_memory_results *page = NULL;
    agentchat_memory_counts counts;
    agentchat_status status;

    embedder.embed = embed;
    embedder.user = &w->in;
    switch (fuzz_below(&w->in, 12)) {
    case 0:
        return put(w, &embedder, err);
    case 1:
        status = agentchat_memory_get(w->store, "a", "k", fuzz_below(&w->in, 2) == 0, &page, err);
        look_at(page);
        return status;
    case 2:
        return agentchat_memory_delete(w->store, "a", "k", NULL, err);
    case 3:
        return agentchat_memory_delete_below(w->store, "/", NULL, NULL, err);
    case 4:
        return search(w, &embedder, err);
    case 5:
        status = agentchat_memory_list_namespaces(w->store, NULL, &spaces, err);
        agentchat_memory_namespaces_free(spaces);
        return status;
    case 6:
        return fuzz_below(&w->in, 2) == 0 ? agentchat_memory_stats(w->store, "a", &counts, err)
                                          : agentchat_memory_sweep(w->store, NULL, err);
    case 7:
        return carry(w, &embedder, err);
    case 9:
        return work(w, err);
    case 10:
        return collect(w, &embedder, err);
    case 11:
        return use(w, err);
    default:
        embedder.model = fuzz_below(&w->in, 2) == 0 ? "m" : NULL;
        reindex.embedder = &embedder;
        return agentchat_memory_reindex(w->store, &reindex, NULL, err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world w;

    memset(&w, 0, sizeof w);
    w.in = (fuzz_input){data, size};
    fuzz_memory_begin(&w.memory, 0);
    w.database.in = &w.in;
    FUZZ_CHECK(hostile_database_store(&w.database, w.memory.env, &w.store, NULL) == AGENTCHAT_OK);
    for (int i = 0; i < CALLS && w.in.size > 0; i++) {
        agentchat_error err;
        agentchat_status status;

        if (fuzz_byte(&w.in) >= 192)
            fuzz_memory_fail(&w.memory, fuzz_byte(&w.in), fuzz_below(&w.in, 2) == 0);
        agentchat_error_clear(&err);
        status = call(&w, &err);
        fuzz_memory_calm(&w.memory);
        FUZZ_CHECK(may_be(status) && (status < 0) == (err.code < 0));
    }
    agentchat_store_close(w.store);
    FUZZ_CHECK(w.database.open == 0);
    fuzz_memory_end(&w.memory);
    return 0;
}
