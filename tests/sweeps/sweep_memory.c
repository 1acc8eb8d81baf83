/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/memory.h. */
#include "sweep_fixture.h"

#include <agentchat/memory_kinds.h>
#include <agentchat/memory_tools.h>
#include <agentchat/stream.h>
#include <string.h>

/* Three documents "k1" to "k3" in "a", "a/b" and "c"; "c" has one that has expired, too. */
typedef struct scene {
    fixture p;
} scene;

/* A vector of two numbers for each text; of three where user is set. */
static agentchat_status embed(void *user, const agentchat_str *texts, size_t count, agentchat_memory_vectors *out,
                              agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < count && status >= 0; i++) {
        const float numbers[] = {(float)texts[i].len, 1, 2};

        status = agentchat_memory_vectors_add(out, numbers, user != NULL ? 3 : 2, err);
    }
    return status;
}

static const agentchat_memory_embedder embedder = {sizeof(agentchat_memory_embedder), embed, NULL, NULL};

static void put(const scene *s, const char *ns, const char *key, const char *json, int64_t ttl_us)
{
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_error err;
    static const float given[] = {0.5F, 1};

    options.embedder = strcmp(key, "k2") == 0 ? &embedder : NULL;
    options.vectors = given;
    options.vector_count = strcmp(key, "k3") == 0;
    options.dimensions = 2;
    options.has_ttl = true;
    options.ttl_us = ttl_us;
    test_ok(agentchat_memory_put(s->p.store, ns, key, agentchat_str_from(json), &options, &err), &err);
}

static void scene_begin(scene *s, const agentchat_env *env, unsigned variant)
{
    fixture_begin(&s->p, env, 0, false);
    put(s, "a", "k1", "{\"text\":\"gr\\u00fcn tea\",\"n\":1}", AGENTCHAT_MEMORY_NEVER);
    put(s, "a/b", "k2", "{\"text\":\"green tea\",\"n\":2}", INT64_C(3600000000));
    put(s, "c", "k3", "{\"text\":\"tea\"}", AGENTCHAT_MEMORY_NEVER);
    put(s, "c", "k4", "{\"text\":\"old tea\"}", 0);
    if (variant % 2 == 1)
        sweep_may_swallow();
    sqlite_memory_count(variant % 2 == 1);
}

static void scene_end(scene *s)
{
    sqlite_memory_count(false);
    fixture_end(&s->p);
}

/* How many documents there are, expired ones too. */
static uint64_t count(const scene *s)
{
    agentchat_memory_counts counts;
    agentchat_error err;

    sqlite_memory_count(false);
    test_ok(agentchat_memory_stats(s->p.store, "/", &counts, &err), &err);
    return counts.documents + counts.expired;
}

static agentchat_status memory_put(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const char *fields[] = {"text", "l[*]"};
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_status status;
    scene s;

    options.field_count = variant < 2 ? 0 : 2;
    options.fields = variant < 2 ? NULL : fields;
    options.embedder = variant < 4 ? NULL : &embedder;
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_put(s.p.store, "a", variant < 2 ? "k1" : "new",
                                  AGENTCHAT_STR("{\"text\":\"other w\\u00f6rds\",\"l\":[\"x\",7]}"), &options, err);
    sweep_end();
    assert_int_equal(count(&s), status >= 0 && variant >= 2 ? 5 : 4);
    scene_end(&s);
    return status;
}

static agentchat_status memory_get(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_results *page = (agentchat_memory_results *)(uintptr_t)1;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_get(s.p.store, "a/b", "k2", variant >= 2, &page, err);
    sweep_end();
    assert_true((page != NULL) == (status >= 0));
    agentchat_memory_results_free(page);
    scene_end(&s);
    return status;
}

static agentchat_status memory_delete(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_delete(s.p.store, "a", "k1", NULL, err);
    sweep_end();
    assert_int_equal(count(&s), status >= 0 ? 3 : 4);
    scene_end(&s);
    return status;
}

static agentchat_status memory_delete_below(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_delete_options options = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;
    agentchat_status status;
    uint64_t deleted = 7;
    scene s;

    options.filter = AGENTCHAT_STR("{\"text\":{\"$contains\":\"\\u0074ea\"}}");
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_delete_below(s.p.store, "a", &options, &deleted, err);
    sweep_end();
    assert_int_equal(deleted, status >= 0 ? 2 : 0);
    assert_int_equal(count(&s), status >= 0 ? 2 : 4);
    scene_end(&s);
    return status;
}

static agentchat_status memory_sweep(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;
    uint64_t swept = 7;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_sweep(s.p.store, &swept, err);
    sweep_end();
    if (status >= 0)
        assert_int_equal(swept, 1);
    scene_end(&s);
    return status;
}

/* Variants 0 and 1: the latest, by a filter; 2 and 3: the second page of a text; then of vectors; then of both. */
static agentchat_status memory_search(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *first = NULL, *page = (agentchat_memory_results *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sqlite_memory_count(false);
    query.limit = 1;
    query.refresh = variant < 2;
    if (variant >= 4)
        query.embedder = &embedder;
    if (variant >= 6)
        query.mode = AGENTCHAT_MEMORY_MODE_HYBRID;
    if (variant < 2) {
        query.filter = AGENTCHAT_STR("{\"$or\":[{\"n\":{\"$gte\":0.5}},{\"text\":\"\\u0074\"}]}");
    } else {
        query.text = AGENTCHAT_STR("green tea");
        test_ok(agentchat_memory_search(s.p.store, "/", &query, &first, &again), &again);
        query.cursor = agentchat_memory_results_cursor(first);
    }
    sqlite_memory_count(variant % 2 == 1);
    sweep_begin();
    status = agentchat_memory_search(s.p.store, "/", &query, &page, err);
    sweep_end();
    assert_int_equal(agentchat_memory_results_count(page), status >= 0);
    agentchat_memory_results_free(page);
    agentchat_memory_results_free(first);
    scene_end(&s);
    return status;
}

static agentchat_status memory_namespaces(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_namespace_options options = AGENTCHAT_MEMORY_NAMESPACE_OPTIONS_INIT;
    agentchat_memory_namespaces *page = (agentchat_memory_namespaces *)(uintptr_t)1;
    agentchat_status status;
    scene s;

    options.limit = 1;
    options.depth = 1;
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_list_namespaces(s.p.store, &options, &page, err);
    sweep_end();
    assert_int_equal(agentchat_memory_namespaces_count(page), status >= 0);
    agentchat_memory_namespaces_free(page);
    scene_end(&s);
    return status;
}

static agentchat_status memory_stats(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_counts counts = {7, 7, 7, 7, 7};
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_stats(s.p.store, "a", &counts, err);
    sweep_end();
    assert_int_equal(counts.documents, status >= 0 ? 2 : 0);
    scene_end(&s);
    return status;
}

static agentchat_status memory_export(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes bytes = {NULL, 0, 0, env};
    agentchat_sink *sink = NULL;
    agentchat_error again;
    agentchat_status status;
    uint64_t written = 7;
    scene s;

    scene_begin(&s, env, variant);
    sqlite_memory_count(false);
    test_ok(agentchat_sink_memory(env, &bytes, &sink, &again), &again);
    sqlite_memory_count(variant % 2 == 1);
    sweep_begin();
    status = agentchat_memory_export(s.p.store, "/", sink, &written, err);
    sweep_end();
    if (status >= 0)
        assert_int_equal(written, 3);
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&bytes);
    scene_end(&s);
    return status;
}

static agentchat_status memory_import(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char lines[] =
        "{\"namespace\":[\"a\"],\"key\":\"new\",\"value\":{\"text\":\"caf\\u00e9\"},\"revision\":70,\"created\":"
        "\"2026-11-21T10:02:00.000000Z\",\"updated\":\"2026-11-21T10:02:00.000000Z\",\"index\":[\"text\"],"
        "\"vectors\":[[1,2.5]]}\n"
        "{\"namespace\":[\"a\"],\"key\":\"k1\",\"value\":{\"text\":\"other\"},\"revision\":71,\"created\":"
        "\"2026-11-21T10:02:00.000000Z\",\"updated\":\"2026-11-21T10:02:00.000000Z\",\"ttl\":5,\"expires\":"
        "\"2026-11-21T10:02:00.000000Z\"}\n";
    agentchat_source *source = NULL;
    agentchat_error again;
    agentchat_status status;
    uint64_t written = 7;
    scene s;

    scene_begin(&s, env, variant);
    sqlite_memory_count(false);
    test_ok(agentchat_source_memory(env, agentchat_str_from(lines), &source, &again), &again);
    sqlite_memory_count(variant % 2 == 1);
    sweep_begin();
    status = agentchat_memory_import(s.p.store, source, AGENTCHAT_MEMORY_IMPORT_REPLACE, variant < 2 ? NULL : &embedder,
                                     &written, err);
    sweep_end();
    assert_int_equal(written, status >= 0 ? 2 : 0);
    agentchat_source_free(source);
    assert_int_equal(count(&s), status >= 0 ? 5 : 4);
    scene_end(&s);
    return status;
}

/* Variants 0 and 1: what waits; 2 and 3: all, with vectors of another name. */
static agentchat_status memory_reindex(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_reindex_options options = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    agentchat_memory_embedder another = embedder;
    agentchat_status status;
    uint64_t embedded = 7;
    scene s;

    another.model = variant < 2 ? NULL : "another";
    options.embedder = &another;
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_reindex(s.p.store, &options, &embedded, err);
    sweep_end();
    if (status >= 0)
        assert_int_equal(embedded, variant < 2 ? 2 : 4);
    assert_int_equal(count(&s), 4);
    scene_end(&s);
    return status;
}

static agentchat_status memory_batch(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_memory_op_kind kinds[] = {AGENTCHAT_MEMORY_OP_PUT, AGENTCHAT_MEMORY_OP_GET,
                                                     AGENTCHAT_MEMORY_OP_SEARCH, AGENTCHAT_MEMORY_OP_NAMESPACES,
                                                     AGENTCHAT_MEMORY_OP_DELETE};
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_op ops[5];
    agentchat_status status;
    scene s;

    query.text = AGENTCHAT_STR("tea");
    for (size_t i = 0; i < 5; i++) {
        agentchat_memory_op_init(&ops[i], sizeof ops[i]);
        ops[i].kind = kinds[i];
        ops[i].ns = "a";
        ops[i].key = i == 0 ? "new" : "k1";
        ops[i].json = AGENTCHAT_STR("{\"text\":\"tea\"}");
        ops[i].query = &query;
    }
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_memory_batch(s.p.store, ops, 5, variant < 2 ? NULL : &embedder, err);
    sweep_end();
    assert_true((ops[1].results != NULL) == (status >= 0) && (ops[3].namespaces != NULL) == (status >= 0));
    agentchat_memory_results_free(ops[1].results);
    agentchat_memory_results_free(ops[2].results);
    agentchat_memory_namespaces_free(ops[3].namespaces);
    assert_int_equal(count(&s), 4);
    scene_end(&s);
    return status;
}

/* The sweep is of the one call in an embedder. */
static struct {
    agentchat_error *err;
    agentchat_status status;
} now;

static agentchat_status embed_in_sweep(void *user, const agentchat_str *texts, size_t count,
                                       agentchat_memory_vectors *out, agentchat_error *err)
{
    static const float numbers[] = {1, 2};

    (void)user;
    (void)texts;
    assert_int_equal(count, 1);
    sweep_begin();
    now.status = agentchat_memory_vectors_add(out, numbers, 2, now.err);
    sweep_end();
    return now.status < 0 ? agentchat_memory_vectors_add(out, numbers, 2, err) : AGENTCHAT_OK;
}

static agentchat_status vectors_add(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_embedder adding = embedder;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_error again;
    scene s;

    adding.embed = embed_in_sweep;
    options.embedder = &adding;
    now.err = err;
    scene_begin(&s, env, variant);
    test_ok(agentchat_memory_put(s.p.store, "a", "k1", AGENTCHAT_STR("{}"), &options, &again), &again);
    scene_end(&s);
    return now.status;
}

static agentchat_status look_at_pages(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_results *page = NULL;
    agentchat_memory_namespaces *spaces = NULL;
    agentchat_error again;
    scene s;

    (void)variant;
    (void)err;
    scene_begin(&s, env, 0);
    test_ok(agentchat_memory_search(s.p.store, "a", NULL, &page, &again), &again);
    test_ok(agentchat_memory_list_namespaces(s.p.store, NULL, &spaces, &again), &again);
    sqlite_memory_count(true);
    sweep_begin();
    assert_int_equal(agentchat_memory_results_count(page), 2);
    assert_string_equal(agentchat_memory_results_at(page, 0)->key, "k2");
    assert_null(agentchat_memory_results_cursor(page));
    assert_int_equal(agentchat_memory_namespaces_count(spaces), 3);
    assert_string_equal(agentchat_memory_namespaces_at(spaces, 1)->ns, "a/b");
    assert_null(agentchat_memory_namespaces_cursor(spaces));
    agentchat_memory_results_free(page);
    agentchat_memory_namespaces_free(spaces);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_put_options putting;
    agentchat_memory_delete_options deleting;
    agentchat_memory_query query;
    agentchat_memory_namespace_options listing;
    agentchat_memory_reindex_options reindexing;
    agentchat_memory_embedder making;
    agentchat_memory_op op;
    agentchat_profile_options profile;
    agentchat_collection_options collection;
    agentchat_memory_render_options rendering;
    agentchat_memory_tools_options tools;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_memory_put_options_init(&putting, sizeof putting);
    agentchat_memory_delete_options_init(&deleting, sizeof deleting);
    agentchat_memory_query_init(&query, sizeof query);
    agentchat_memory_namespace_options_init(&listing, sizeof listing);
    agentchat_memory_reindex_options_init(&reindexing, sizeof reindexing);
    agentchat_memory_embedder_init(&making, sizeof making);
    agentchat_memory_op_init(&op, sizeof op);
    agentchat_profile_options_init(&profile, sizeof profile);
    agentchat_collection_options_init(&collection, sizeof collection);
    agentchat_memory_render_options_init(&rendering, sizeof rendering);
    agentchat_memory_tools_options_init(&tools, sizeof tools);
    sweep_end();
    assert_true(tools.struct_size == sizeof tools && tools.put == NULL);
    assert_true(rendering.struct_size == sizeof rendering && rendering.counter == NULL);
    assert_true(profile.struct_size == sizeof profile && profile.attempts == 0);
    assert_true(collection.struct_size == sizeof collection && collection.allowed == 0);
    assert_true(op.struct_size == sizeof op && op.put == NULL);
    assert_true(reindexing.struct_size == sizeof reindexing && reindexing.embedder == NULL);
    assert_true(making.struct_size == sizeof making && making.embed == NULL);
    assert_true(putting.struct_size == sizeof putting && !putting.has_expect && putting.fields == NULL);
    assert_true(deleting.struct_size == sizeof deleting && !deleting.dry_run);
    assert_true(query.struct_size == sizeof query && query.limit == 0);
    assert_true(listing.struct_size == sizeof listing && listing.depth == 0);
    return AGENTCHAT_OK;
}

static agentchat_status make_profile(void *user, agentchat_profile_draft *draft, agentchat_error *err)
{
    const unsigned *variant = user;
    static const char *const texts[] = {"{\"n\":5}", "[{\"op\":\"add\",\"path\":\"/l\",\"value\":[1]}]", "{\"l\":[1]}"};

    draft->change = (agentchat_profile_change)(AGENTCHAT_PROFILE_REPLACE + *variant / 2);
    return agentchat_bytes_append(&draft->text, agentchat_str_from(texts[*variant / 2]), err);
}

/* Variants 0 and 1: a new document, which keeps members; 2 and 3: a patch; then a merge patch. */
static agentchat_status profile_update(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_profile_options options = AGENTCHAT_PROFILE_OPTIONS_INIT;
    agentchat_bytes lost = AGENTCHAT_BYTES_INIT;
    agentchat_status status;
    scene s;

    options.lost = &lost;
    options.keep_members = true;
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_profile_update(s.p.store, "a", "k1", make_profile, &variant, &options, err);
    sweep_end();
    assert_int_equal(count(&s), 4);
    agentchat_bytes_clear(&lost);
    scene_end(&s);
    return status;
}

/* Variants 0 and 1: equal documents are looked for; 2 and 3: near ones. */
static agentchat_status collection_apply(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_collection_change changes[] = {
        {AGENTCHAT_COLLECTION_ADD, NULL, {"{\"text\":\"tea\"}", 14}, 0, false},
        {AGENTCHAT_COLLECTION_UPDATE, "k3", {"{\"text\":\"tea \"}", 15}, 0, true},
        {AGENTCHAT_COLLECTION_DELETE, "none", {NULL, 0}, 0, false},
    };
    agentchat_memory_put_options put = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_collection_options options = AGENTCHAT_COLLECTION_OPTIONS_INIT;
    agentchat_collection_outcomes *out = (agentchat_collection_outcomes *)(uintptr_t)1;
    agentchat_status status;
    scene s;

    put.embedder = &embedder;
    options.put = variant >= 2 ? &put : NULL;
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_collection_apply(s.p.store, "c", changes, 3, &options, &out, NULL, err);
    sweep_end();
    assert_true((out != NULL) == (status >= 0));
    if (status >= 0) {
        assert_int_equal(agentchat_collection_outcomes_at(out, 1)->status, AGENTCHAT_OK);
        assert_int_equal(agentchat_collection_outcomes_at(out, 2)->status, AGENTCHAT_E_NOTFOUND);
    }
    agentchat_collection_outcomes_free(out);
    scene_end(&s);
    return status;
}

static agentchat_status look_at_outcomes(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_collection_change none = {AGENTCHAT_COLLECTION_NONE, NULL, {NULL, 0}, 0, false};
    agentchat_collection_outcomes *out = NULL;
    scene s;

    scene_begin(&s, env, variant);
    test_ok(agentchat_collection_apply(s.p.store, "c", &none, 1, NULL, &out, NULL, err), err);
    sweep_begin();
    assert_int_equal(agentchat_collection_outcomes_count(out), 1);
    assert_non_null(agentchat_collection_outcomes_at(out, 0));
    agentchat_collection_outcomes_free(out);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

/* ---- the log ---------------------------------------------------------------------------------------------------- */

/* "l" has a log, in which key "k" has these steps. */
static void log_begin(scene *s, const agentchat_env *env, unsigned variant, unsigned puts)
{
    scene_begin(s, env, variant);
    if (puts > 0)
        test_ok(agentchat_memory_log_keep(s->p.store, "l", 3, NULL), NULL);
    for (unsigned i = 0; i < puts; i++)
        test_ok(agentchat_memory_put(s->p.store, "l", "k", AGENTCHAT_STR("{\"text\":\"tea\"}"), NULL, NULL), NULL);
}

static agentchat_status log_keep(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;
    scene s;

    log_begin(&s, env, variant, 0);
    sweep_begin();
    status = agentchat_memory_log_keep(s.p.store, "l/m", 3, err);
    sweep_end();
    scene_end(&s);
    return status;
}

static agentchat_status log_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_steps *steps = (agentchat_memory_steps *)(uintptr_t)1;
    agentchat_status status;
    scene s;

    log_begin(&s, env, variant, 2);
    sweep_begin();
    status = agentchat_memory_log(s.p.store, "l", variant >= 2 ? "k" : NULL, 0, &steps, err);
    sweep_end();
    assert_int_equal(agentchat_memory_steps_count(steps), status >= 0 ? 2 : 0);
    assert_true(status < 0 || agentchat_memory_steps_at(steps, 1)->before_revision == 0);
    agentchat_memory_steps_free(steps);
    scene_end(&s);
    return status;
}

/* Variants 0 and 1: what was put is brought back; 2 and 3: the first put is undone. */
static agentchat_status undo(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_status status;
    scene s;

    options.embedder = &embedder;
    log_begin(&s, env, variant, variant >= 2 ? 1 : 2);
    sweep_begin();
    status = agentchat_memory_undo(s.p.store, "l", "k", &options, err);
    sweep_end();
    scene_end(&s);
    return status;
}

static agentchat_status look_at_steps(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_steps *steps = NULL;
    scene s;

    log_begin(&s, env, variant, 1);
    test_ok(agentchat_memory_log(s.p.store, "l", "k", 0, &steps, err), err);
    sweep_begin();
    assert_int_equal(agentchat_memory_steps_count(steps), 1);
    assert_non_null(agentchat_memory_steps_at(steps, 0));
    agentchat_memory_steps_free(steps);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

/* ---- episodes, instructions, and how memories are shown ---------------------------------------------------------- */

/* Variants 0 and 1: a text; 2 and 3: messages. */
static agentchat_status render(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_memory_render_options options = AGENTCHAT_MEMORY_RENDER_OPTIONS_INIT;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT, keys = AGENTCHAT_BYTES_INIT;
    agentchat_messages *messages = (agentchat_messages *)(uintptr_t)1;
    agentchat_memory_results *page = NULL;
    const agentchat_memory_results *const *pages = (const agentchat_memory_results *const *)&page;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    put(&s, "e", "k5", "{\"input\":\"x\",\"output\":1.50}", AGENTCHAT_MEMORY_NEVER);
    put(&s, "e", "k6", "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}", AGENTCHAT_MEMORY_NEVER);
    test_ok(agentchat_memory_search(s.p.store, NULL, NULL, &page, NULL), NULL);
    options.keys = &keys;
    options.max_tokens = 1000;
    sweep_begin();
    if (variant < 2)
        status = agentchat_memory_render_text(pages, 1, &options, &text, err);
    else
        status = agentchat_memory_render_messages(pages, 1, &options, &messages, err);
    sweep_end();
    assert_true(variant < 2 ? (text.len > 0) == (status >= 0) : (messages != NULL) == (status >= 0));
    if (variant >= 2)
        agentchat_messages_unref(messages);
    agentchat_bytes_clear(&text);
    agentchat_bytes_clear(&keys);
    agentchat_memory_results_free(page);
    scene_end(&s);
    return status;
}

static agentchat_messages *one_message(const agentchat_env *env)
{
    agentchat_messages *messages = NULL;

    test_ok(agentchat_messages_read(
                env, AGENTCHAT_STR("[{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"x\"}]}]"), &messages,
                NULL, NULL),
            NULL);
    return messages;
}

static agentchat_status episode_put(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    messages = one_message(env);
    sweep_begin();
    status = agentchat_episode_put(s.p.store, "e", NULL, AGENTCHAT_STR("tea"), messages, NULL, err);
    sweep_end();
    agentchat_messages_unref(messages);
    scene_end(&s);
    return status;
}

static agentchat_status episodes_recall(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *messages = one_message(env), *found = (agentchat_messages *)(uintptr_t)1;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    test_ok(agentchat_episode_put(s.p.store, "e", "k", AGENTCHAT_STR("tea"), messages, NULL, NULL), NULL);
    agentchat_messages_unref(messages);
    sweep_begin();
    status = agentchat_episodes_recall(s.p.store, "e", NULL, NULL, &found, err);
    sweep_end();
    assert_int_equal(agentchat_messages_count(found), status >= 0);
    agentchat_messages_unref(found);
    scene_end(&s);
    return status;
}

static agentchat_status make_instructions(void *user, agentchat_instructions_draft *draft, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(&draft->text, AGENTCHAT_STR("Be \"kind\"."), err);
}

/* Variants 0 and 1: feedback; 2 and 3: a revision; 4 and 5: reading them. */
static agentchat_status instructions(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_messages *messages;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    messages = one_message(env);
    put(&s, "i", "bot", "{\"text\":\"Be.\",\"n\":1.50}", AGENTCHAT_MEMORY_NEVER);
    if (variant / 2 == 1)
        test_ok(agentchat_instructions_feedback(s.p.store, "i", "bot", messages, AGENTCHAT_STR("rude"), NULL), NULL);
    sweep_begin();
    if (variant / 2 == 0)
        status = agentchat_instructions_feedback(s.p.store, "i", "bot", messages, AGENTCHAT_STR("rude"), err);
    else if (variant / 2 == 1)
        status = agentchat_instructions_revise(s.p.store, "i", "bot", make_instructions, NULL, err);
    else
        status = agentchat_instructions_get(s.p.store, "i", "bot", &text, err);
    sweep_end();
    assert_int_equal(text.len, variant / 2 == 2 && status >= 0 ? 3 : 0);
    agentchat_bytes_clear(&text);
    agentchat_messages_unref(messages);
    scene_end(&s);
    return status;
}

static agentchat_status revise(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    return instructions(env, variant + 2, err);
}

static agentchat_status instructions_get(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    return instructions(env, variant + 4, err);
}

static agentchat_status render_messages(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    return render(env, variant + 2, err);
}

/* ---- tools ------------------------------------------------------------------------------------------------------ */

static agentchat_status tools_answer(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char *const calls[][2] = {
        {"manage_memory", "{\"content\":\"tea\",\"action\":\"update\",\"id\":\"k1\"}"},
        {"manage_memory", "{\"content\":\"t\\u0065a\"}"},
        {"search_memory", "{\"query\":\"tea\"}"},
        {"memory", "{\"command\":\"create\",\"path\":\"/memories/d/g\",\"file_text\":\"x\"}"},
        {"memory", "{\"command\":\"view\",\"path\":\"/memories\"}"},
        {"memory", "{\"command\":\"view\",\"path\":\"/memories/f\"}"},
        {"memory", "{\"command\":\"str_replace\",\"path\":\"/memories/f\",\"old_str\":\"x\",\"new_str\":\"y\"}"},
        {"memory", "{\"command\":\"str_replace\",\"path\":\"/memories/f\",\"old_str\":\"l\"}"},
        {"memory", "{\"command\":\"insert\",\"path\":\"/memories/f\",\"insert_line\":1,\"insert_text\":\"y\"}"},
        {"memory", "{\"command\":\"rename\",\"old_path\":\"/memories/d\",\"new_path\":\"/memories/e\"}"},
        {"memory", "{\"command\":\"rename\",\"old_path\":\"/memories/f\",\"new_path\":\"/memories/e\"}"},
        {"memory", "{\"command\":\"delete\",\"path\":\"/memories/d\"}"},
    };
    const char *const *one = calls[variant];
    agentchat_message_builder *builder = NULL;
    agentchat_message *call = NULL, *result = NULL;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    put(&s, "a/memories", "f", "{\"text\":\"l x\\nl\"}", AGENTCHAT_MEMORY_NEVER);
    put(&s, "a/memories/d", "f", "{\"text\":\"x\"}", AGENTCHAT_MEMORY_NEVER);
    test_ok(agentchat_message_builder_new(env, "assistant", agentchat_str_null(), &builder, NULL), NULL);
    agentchat_message_builder_add_call(builder, AGENTCHAT_STR("c"), agentchat_str_null(), agentchat_str_from(one[0]),
                                       agentchat_str_from(one[1]));
    test_ok(agentchat_message_builder_finish(builder, &call, NULL), NULL);
    test_ok(agentchat_message_builder_new(env, "tool", agentchat_str_null(), &builder, NULL), NULL);
    sweep_begin();
    status = agentchat_memory_tools_answer(s.p.store, "a", agentchat_message_item(call, 0), builder, NULL, err);
    if (status >= 0)
        status = agentchat_message_builder_finish(builder, &result, err); /* which says what could not be added */
    else
        agentchat_message_builder_free(builder);
    sweep_end();
    agentchat_message_unref(result);
    agentchat_message_unref(call);
    scene_end(&s);
    return status;
}

static agentchat_status tools_define(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes text = {.env = env};
    agentchat_status status;

    sweep_begin();
    status = agentchat_memory_tools_define(0, variant == 0 ? "openai-chat" : "anthropic", &text, err);
    sweep_end();
    assert_true((text.len > 0) == (status >= 0));
    agentchat_bytes_clear(&text);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_memory_tools_answer", tools_answer, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 12},
    {"agentchat_memory_tools_define", tools_define, SWEEP_ALLOCATES, 2},
    {"agentchat_memory_tools_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_render_text", render, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_render_messages", render_messages, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_render_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_episode_put", episode_put, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_episodes_recall", episodes_recall, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_instructions_feedback", instructions, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_instructions_revise", revise, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_instructions_get", instructions_get, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_log", log_read, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_memory_log_keep", log_keep, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_undo", undo, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_memory_steps_count", look_at_steps, SWEEP_NEVER, 0},
    {"agentchat_memory_steps_at", look_at_steps, SWEEP_NEVER, 0},
    {"agentchat_memory_steps_free", look_at_steps, SWEEP_NEVER, 0},
    {"agentchat_collection_apply", collection_apply, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_collection_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_collection_outcomes_count", look_at_outcomes, SWEEP_NEVER, 0},
    {"agentchat_collection_outcomes_at", look_at_outcomes, SWEEP_NEVER, 0},
    {"agentchat_collection_outcomes_free", look_at_outcomes, SWEEP_NEVER, 0},
    {"agentchat_profile_update", profile_update, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 3 * FIXTURE_VARIANTS},
    {"agentchat_profile_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_put_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_delete_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_query_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_namespace_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_reindex_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_embedder_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_vectors_add", vectors_add, SWEEP_ALLOCATES, 1},
    {"agentchat_memory_op_init", inits, SWEEP_NEVER, 0},
    {"agentchat_memory_batch", memory_batch, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_memory_reindex", memory_reindex, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_memory_put", memory_put, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 3 * FIXTURE_VARIANTS},
    {"agentchat_memory_get", memory_get, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_memory_delete", memory_delete, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_delete_below", memory_delete_below, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_sweep", memory_sweep, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_search", memory_search, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 4 * FIXTURE_VARIANTS},
    {"agentchat_memory_list_namespaces", memory_namespaces, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_stats", memory_stats, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_export", memory_export, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_memory_import", memory_import, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_memory_results_count", look_at_pages, SWEEP_NEVER, 0},
    {"agentchat_memory_results_at", look_at_pages, SWEEP_NEVER, 0},
    {"agentchat_memory_results_cursor", look_at_pages, SWEEP_NEVER, 0},
    {"agentchat_memory_results_free", look_at_pages, SWEEP_NEVER, 0},
    {"agentchat_memory_namespaces_count", look_at_pages, SWEEP_NEVER, 0},
    {"agentchat_memory_namespaces_at", look_at_pages, SWEEP_NEVER, 0},
    {"agentchat_memory_namespaces_cursor", look_at_pages, SWEEP_NEVER, 0},
    {"agentchat_memory_namespaces_free", look_at_pages, SWEEP_NEVER, 0},
};

int main(void)
{
    sqlite_memory_begin();
    return sweep_main("sweep.memory", rows, sizeof rows / sizeof *rows);
}
