/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of documents: what each call does with them, the same on every store that can have them. */
#include "session/scene.h"

#include "session/server.h"
#include <agentchat/memory.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- embedders ------------------------------------------------------------------------------------------------ */

/* How often a text has each of the first letters of the alphabet. */
typedef struct letters {
    size_t dimensions;
    enum { RIGHT, FAILS, SILENT, ONE_FOR_ALL, NONE, NOT_A_NUMBER, UNEQUAL } how;
    char seen[600]; /* the texts that it was given */
    size_t calls;
} letters;

static agentchat_status count_letters(void *user, const agentchat_str *texts, size_t count,
                                      agentchat_memory_vectors *out, agentchat_error *err)
{
    letters *l = user;
    float numbers[64] = {0};
    size_t used = strlen(l->seen);
    agentchat_status status = AGENTCHAT_OK;

    l->calls++;
    if (l->how == FAILS || l->how == SILENT)
        return l->how == FAILS ? agentchat_error_set(err, AGENTCHAT_E_IO, "no answer") : AGENTCHAT_E_IO;
    if (l->how == ONE_FOR_ALL) /* as the page that this comes from does */
        return agentchat_memory_vectors_add(out, numbers, 2 * count, err);
    for (size_t i = 0; i < count && status >= 0 && l->how != NONE; i++) {
        memset(numbers, 0, sizeof numbers);
        for (size_t at = 0; at < texts[i].len; at++)
            if (texts[i].ptr[at] >= 'a' && texts[i].ptr[at] < 'a' + (int)l->dimensions)
                numbers[texts[i].ptr[at] - 'a']++;
        if (l->how == NOT_A_NUMBER)
            numbers[0] = NAN;
        if (used + texts[i].len + 2 < sizeof l->seen)
            used += (size_t)snprintf(l->seen + used, sizeof l->seen - used, "%.*s|", (int)texts[i].len, texts[i].ptr);
        status = agentchat_memory_vectors_add(out, numbers, l->dimensions + (l->how == UNEQUAL ? i : 0), err);
    }
    return status;
}

static agentchat_memory_embedder embedder_of(letters *l)
{
    agentchat_memory_embedder embedder = AGENTCHAT_MEMORY_EMBEDDER_INIT;

    embedder.embed = count_letters;
    embedder.user = l;
    return embedder;
}

/* ---- doing ---------------------------------------------------------------------------------------------------- */

/* All tests share a store, whose settings are for all: each begins with none of another's documents, and with four
   numbers compared by their cosine. */
static void begin(scene *s)
{
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_reindex_options reindex = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    const char *whole[] = {"$"};

    test_ok(agentchat_memory_delete_below(s->store, "/", NULL, NULL, &s->err), &s->err);
    reindex.embedder = &embedder;
    reindex.metric = AGENTCHAT_MEMORY_METRIC_COSINE;
    reindex.fields = whole;
    reindex.field_count = 1;
    options.embedder = &embedder;
    if (agentchat_memory_put(s->store, "first", "k", AGENTCHAT_STR("{\"t\":\"a\"}"), &options, &s->err) < 0)
        test_ok(agentchat_memory_put(s->store, "first", "k", AGENTCHAT_STR("{\"t\":\"a\"}"), NULL, &s->err), &s->err);
    embedder.model = s->app;
    test_ok(agentchat_memory_reindex(s->store, &reindex, NULL, &s->err), &s->err);
    test_ok(agentchat_memory_delete_below(s->store, "/", NULL, NULL, &s->err), &s->err);
}

static agentchat_status put(scene *s, const char *ns, const char *key, const char *json,
                            const agentchat_memory_put_options *options)
{
    return agentchat_memory_put(s->store, ns, key, agentchat_str_from(json), options, &s->err);
}

static void put_vector(scene *s, const char *ns, const char *key, const char *json, float a, float b, float c)
{
    const float numbers[] = {a, b, c, 0};
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;

    options.vectors = numbers;
    options.vector_count = 1;
    options.dimensions = 4;
    test_ok(put(s, ns, key, json, &options), &s->err);
}

static void put_letters(scene *s, letters *l, const char *ns, const char *key, const char *json)
{
    agentchat_memory_embedder embedder = embedder_of(l);
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;

    options.embedder = &embedder;
    test_ok(put(s, ns, key, json, &options), &s->err);
}

static const float query_a[] = {1, 0, 0, 0}, query_b[] = {0, 1, 0, 0};

static agentchat_memory_query near(const float *vector)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;

    query.vector = vector;
    query.dimensions = 4;
    query.limit = 100;
    return query;
}

/* ---- expecting ------------------------------------------------------------------------------------------------ */

/* "key:score" of all pages; "key" where there is no score. */
static void expect(scene *s, const char *ns, agentchat_memory_query query, const char *expected)
{
    char found[2000] = "", cursor[2000];
    agentchat_memory_results *page = NULL;
    bool more;

    do {
        test_ok(agentchat_memory_search(s->store, ns, &query, &page, &s->err), &s->err);
        for (size_t i = 0; i < agentchat_memory_results_count(page); i++) {
            const agentchat_memory_item *item = agentchat_memory_results_at(page, i);
            size_t used = strlen(found);

            used += (size_t)snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? " " : "", item->key);
            if (item->has_score)
                (void)snprintf(found + used, sizeof found - used, ":%.4g", item->score);
        }
        more = agentchat_memory_results_cursor(page) != NULL;
        (void)snprintf(cursor, sizeof cursor, "%s", more ? agentchat_memory_results_cursor(page) : "");
        query.cursor = cursor;
        query.offset = 0;
        agentchat_memory_results_free(page);
    } while (more);
    assert_string_equal(found, expected);
}

static void expect_by_pages(scene *s, const char *ns, agentchat_memory_query query, const char *expected)
{
    for (query.limit = 1; query.limit < 8; query.limit++)
        expect(s, ns, query, expected);
}

static void expect_search_fails(scene *s, agentchat_memory_query query, agentchat_status status, const char *why)
{
    agentchat_memory_results *page = NULL;

    expect_fails(s, agentchat_memory_search(s->store, "/", &query, &page, &s->err), status, why);
    assert_null(page);
}

static void expect_counts(scene *s, uint64_t documents, uint64_t waiting, uint64_t unseen)
{
    agentchat_memory_counts counts;

    test_ok(agentchat_memory_stats(s->store, "/", &counts, &s->err), &s->err);
    assert_int_equal(counts.documents, documents);
    assert_int_equal(counts.waiting, waiting);
    assert_int_equal(counts.unseen, unseen);
}

/* ---- tests ---------------------------------------------------------------------------------------------------- */

static void test_vectors__the_nearest_come_first(void **state)
{
    scene *s = *state;
    agentchat_memory_query query = near(query_a);

    begin(s);
    put_vector(s, "n", "far", "{\"n\":1}", 0, 1, 0);
    put_vector(s, "n/m", "same", "{\"n\":2}", 2, 0, 0);
    put_vector(s, "n", "away", "{\"n\":1}", -1, 0, 0);
    put_vector(s, "n", "near", "{\"n\":1}", 3, 1, 0);
    put_vector(s, "n", "far2", "{\"n\":1}", 0, 0, 5);
    test_ok(put(s, "n", "none", "{\"n\":1}", NULL), &s->err);
    test_ok(put(s, "n", "later", "{\"n\":2}", NULL), &s->err);
    test_ok(put(s, "o", "other", "{\"n\":2}", NULL), &s->err);
    expect_by_pages(s, "n", query, "same:1 near:0.9487 far2:0 far:0 away:-1 later none");
    query.offset = 2;
    expect_by_pages(s, "n", query, "far2:0 far:0 away:-1 later none");
    query.offset = 6;
    expect_by_pages(s, "n", query, "none");
    query.offset = 9;
    expect_by_pages(s, "n", query, "");
    query = near(query_a);
    query.filter = AGENTCHAT_STR("{\"n\":1}");
    expect_by_pages(s, "n", query, "near:0.9487 far2:0 far:0 away:-1 none");
    query.has_min_score = true;
    expect_by_pages(s, "n", query, "near:0.9487 far2:0 far:0");
    query = near(query_a);
    query.exact = true;
    query.mode = AGENTCHAT_MEMORY_MODE_VECTOR;
    expect_by_pages(s, "n", query, "near:0.9487 far2:0 far:0 away:-1 later none");
    expect_by_pages(s, "nothing", query, "");
    expect_counts(s, 8, 3, 3);
    expect_sound(s->store);
}

static void test_vectors__follow_their_document(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_results *page = NULL;
    agentchat_memory_query query = near(query_a);
    const float both[] = {0, 0, 1, 0, 1, 1, 0, 0};

    begin(s);
    put_vector(s, "n", "k", "{}", 1, 0, 0);
    put_vector(s, "n", "k", "{}", 0, 1, 0);
    expect(s, "n", query, "k:0");
    options.vectors = both;
    options.vector_count = 2;
    options.dimensions = 4;
    options.no_index = true;
    test_ok(put(s, "n", "k", "{}", &options), &s->err);
    expect_by_pages(s, "n", query, "k:0.7071");
    put_vector(s, "n", "l", "{}", 1, 0, 1);
    expect_by_pages(s, "n", query, "l:0.7071 k:0.7071");
    query.limit = 1;
    test_ok(agentchat_memory_search(s->store, "n", &query, &page, &s->err), &s->err);
    assert_null(agentchat_memory_results_at(page, 0)->field);
    query.cursor = agentchat_memory_results_cursor(page);
    query.vector = query_b;
    expect_search_fails(s, query, AGENTCHAT_E_INVALID, "another search");
    query.vector = query_a;
    test_ok(put(s, "n", "k", "{}", NULL), &s->err); /* the same value, without a vector */
    expect_fails(s, agentchat_memory_search(s->store, "n", &query, &(agentchat_memory_results *){NULL}, &s->err),
                 AGENTCHAT_E_CONFLICT, "put or deleted");
    agentchat_memory_results_free(page);
    query = near(query_a);
    expect(s, "n", query, "l:0.7071 k");
    test_ok(agentchat_memory_delete(s->store, "n", "l", NULL, &s->err), &s->err);
    expect(s, "n", query, "k");
    test_ok(put(s, "n", "l", "{}", NULL), &s->err);
    expect(s, "n", query, "l k");
    expect_sound(s->store);
}

static void test_vectors__of_fields(void **state)
{
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;
    const char *fields[] = {"x", "y[*].z", "none"};

    begin(s);
    options.embedder = &embedder;
    options.fields = fields;
    options.field_count = 3;
    test_ok(put(s, "n", "k", "{\"x\":\"a\\u0061b\",\"y\":[{\"z\":[1, \"c\"]},{\"z\":null},{\"z\":2.50}],\"w\":\"d\"}",
                &options),
            &s->err);
    assert_string_equal(l.seen, "aab|[1, \"c\"]|2.50|");
    assert_int_equal(l.calls, 1);
    query.text = AGENTCHAT_STR("b a a");
    query.embedder = &embedder;
    test_ok(agentchat_memory_search(s->store, "n", &query, &page, &s->err), &s->err);
    assert_int_equal(agentchat_memory_results_count(page), 1);
    assert_string_equal(agentchat_memory_results_at(page, 0)->field, "x");
    assert_true(agentchat_memory_results_at(page, 0)->score > 0.999);
    agentchat_memory_results_free(page);
    query.text = AGENTCHAT_STR("c");
    test_ok(agentchat_memory_search(s->store, "n", &query, &page, &s->err), &s->err);
    assert_string_equal(agentchat_memory_results_at(page, 0)->field, "y[*].z");
    agentchat_memory_results_free(page);
    query.mode = AGENTCHAT_MEMORY_MODE_TEXT; /* words, as without the embedder */
    expect(s, "n", query, "k:0.2877");
    options.fields = NULL;
    options.no_index = true;
    l.calls = 0;
    test_ok(put(s, "n", "k", "{\"x\":\"a\"}", &options), &s->err);
    assert_int_equal(l.calls, 0);
    expect(s, "n", near(query_a), "k");
    expect_counts(s, 1, 0, 1);
    options.no_index = false;
    *l.seen = '\0';
    test_ok(put(s, "n", "k", "{ \"\\u0078\": [1.0, \"\\u00fc\\n\", \"a\"] }", &options), &s->err);
    assert_string_equal(l.seen, "{ \"x\": [1.0, \"\u00fc\\n\", \"a\"] }|");
    expect(s, "n", near(query_a), "k:1");
    expect_sound(s->store);
}

static void test_vectors__metrics(void **state)
{
    scene *s = *state;
    agentchat_memory_reindex_options reindex = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    agentchat_memory_query query = near(query_a);
    const float zero[] = {0, 0, 0, 0};
    uint64_t count = 7;

    begin(s);
    put_vector(s, "n", "long", "{}", 3, 4, 0);
    put_vector(s, "n", "zero", "{}", 0, 0, 0);
    put_vector(s, "n", "short", "{}", 1, 0.5F, 0);
    expect_by_pages(s, "n", query, "short:0.8944 long:0.6 zero");
    expect_counts(s, 3, 0, 1);
    query.vector = zero;
    expect_search_fails(s, query, AGENTCHAT_E_INVALID, "zeros");
    query.vector = query_a;
    reindex.metric = AGENTCHAT_MEMORY_METRIC_INNER_PRODUCT;
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    assert_int_equal(count, 0);
    expect_by_pages(s, "n", query, "long:3 short:1 zero:0");
    reindex.metric = AGENTCHAT_MEMORY_METRIC_L2;
    test_ok(agentchat_memory_reindex(s->store, &reindex, NULL, &s->err), &s->err);
    expect_by_pages(s, "n", query, "short:-0.5 zero:-1 long:-4.472");
    query.has_min_score = true;
    query.min_score = -1;
    expect_by_pages(s, "n", query, "short:-0.5 zero:-1");
    for (int i = 1; i <= 400; i++) { /* more than are asked for at once, and as texts in another order */
        char key[20];

        snprintf(key, sizeof key, "m%d", i);
        put_vector(s, "many", key, "{}", 1 + (float)i, 0, 0);
    }
    query.min_score = -11;
    query.limit = 11;
    expect(s, "many", query, "m1:-1 m2:-2 m3:-3 m4:-4 m5:-5 m6:-6 m7:-7 m8:-8 m9:-9 m10:-10 m11:-11");
    expect_sound(s->store);
    reindex.metric = (agentchat_memory_metric)9;
    expect_fails(s, agentchat_memory_reindex(s->store, &reindex, NULL, &s->err), AGENTCHAT_E_INVALID, "no metric");
}

static void test_vectors__hybrid(void **state)
{
    scene *s = *state;
    agentchat_memory_query query = near(query_a);

    begin(s);
    put_vector(s, "n", "both", "{\"t\":\"tea and cake\"}", 1, 1, 0);
    put_vector(s, "n", "near", "{\"t\":\"water\"}", 1, 0, 0);
    test_ok(put(s, "n", "word", "{\"t\":\"tea\"}", NULL), &s->err);
    test_ok(put(s, "n", "none", "{\"t\":\"milk\"}", NULL), &s->err);
    query.text = AGENTCHAT_STR("tea");
    query.mode = AGENTCHAT_MEMORY_MODE_HYBRID;
    expect_by_pages(s, "n", query, "both:0.03226 word:0.01639 near:0.01639");
    query.has_min_score = true;
    expect_search_fails(s, query, AGENTCHAT_E_INVALID, "hybrid");
    query.has_min_score = false;
    query.text.len = 0;
    expect_search_fails(s, query, AGENTCHAT_E_INVALID, "hybrid");
    query = (agentchat_memory_query)AGENTCHAT_MEMORY_QUERY_INIT;
    query.text = AGENTCHAT_STR("tea");
    query.mode = AGENTCHAT_MEMORY_MODE_HYBRID;
    expect_search_fails(s, query, AGENTCHAT_E_UNSUPPORTED, "a vector or an embedder");
    query.mode = AGENTCHAT_MEMORY_MODE_VECTOR;
    expect_search_fails(s, query, AGENTCHAT_E_UNSUPPORTED, "a vector or an embedder");
    query.mode = (agentchat_memory_mode)8;
    expect_search_fails(s, query, AGENTCHAT_E_INVALID, "no mode");
}

static void test_vectors__what_does_not_go_together(void **state)
{
    static const char *const models[] = {"one", "two"};
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_query query = near(query_a);
    const float five[] = {1, 2, 3, 4, INFINITY};

    begin(s);
    put_vector(s, "n", "k", "{\"v\":1}", 1, 0, 0);
    options.vectors = five;
    options.vector_count = 1;
    options.dimensions = 5;
    expect_fails(s, put(s, "n", "k", "{\"v\":2}", &options), AGENTCHAT_E_INVALID, "not finite");
    options.dimensions = 3;
    expect_fails(s, put(s, "n", "k", "{\"v\":2}", &options), AGENTCHAT_E_CONFLICT, "have 4 numbers, not 3");
    options.dimensions = 0;
    expect_fails(s, put(s, "n", "k", "{\"v\":2}", &options), AGENTCHAT_E_INVALID, "1 to 16000");
    options.dimensions = 4;
    options.metric = AGENTCHAT_MEMORY_METRIC_L2;
    expect_fails(s, put(s, "n", "k", "{\"v\":2}", &options), AGENTCHAT_E_CONFLICT, "by cosine, not l2");
    options.metric = AGENTCHAT_MEMORY_METRIC_COSINE;
    options.store_fields = models;
    options.store_field_count = 2;
    expect_fails(s, put(s, "n", "k", "{\"v\":2}", &options), AGENTCHAT_E_CONFLICT, "the fields [\"$\"], not");
    options.vector_count = 0;
    options.embedder = &embedder;
    expect_fails(s, put(s, "n", "k", "{\"one\":\"a\"}", &options), AGENTCHAT_E_CONFLICT, "the fields [\"$\"], not");
    assert_int_equal(l.calls, 1);
    options = (agentchat_memory_put_options)AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    options.embedder = &embedder;
    embedder.model = "another";
    expect_fails(s, put(s, "n", "k", "{\"v\":2}", &options), AGENTCHAT_E_CONFLICT, "not another");
    embedder.model = s->app;
    test_ok(put(s, "n", "l", "{}", &options), &s->err);
    query.dimensions = 3;
    expect_search_fails(s, query, AGENTCHAT_E_CONFLICT, "have 4 numbers, not 3");
    query.vector = NULL;
    query.text = AGENTCHAT_STR("a");
    query.embedder = &embedder;
    embedder.model = "another";
    expect_search_fails(s, query, AGENTCHAT_E_CONFLICT, "not another");
    expect(s, "n", near(query_a), "k:1 l");
    expect_sound(s->store);
}

static void test_vectors__bad_embedders(void **state)
{
    static const struct {
        int how;
        agentchat_status status;
        const char *why;
    } cases[] = {
        {FAILS, AGENTCHAT_E_IO, "no answer"},
        {SILENT, AGENTCHAT_E_IO, "did not say why"},
        {ONE_FOR_ALL, AGENTCHAT_E_INVALID, "1 vectors for 2 texts"},
        {NONE, AGENTCHAT_E_INVALID, "0 vectors for 2 texts"},
        {NOT_A_NUMBER, AGENTCHAT_E_INVALID, "not finite"},
        {UNEQUAL, AGENTCHAT_E_INVALID, "has 5 numbers, and one before it 4"},
    };
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_reindex_options reindex = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    const char *fields[] = {"x", "y"};

    begin(s);
    options.embedder = &embedder;
    options.fields = fields;
    options.field_count = 2;
    reindex.embedder = &embedder;
    test_ok(put(s, "n", "there", "{\"x\":\"a\",\"y\":\"b\"}", &options), &s->err);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        l.how = cases[i].how;
        expect_fails(s, put(s, "n", "there", "{\"x\":\"c\",\"y\":\"d\"}", &options), cases[i].status, cases[i].why);
        expect_fails(s, put(s, "n", "new", "{\"x\":\"c\",\"y\":\"d\"}", &options), cases[i].status, cases[i].why);
    }
    embedder.embed = NULL;
    expect_fails(s, put(s, "n", "new", "{}", &options), AGENTCHAT_E_INVALID, "no function");
    expect_fails(s, agentchat_memory_reindex(s->store, &reindex, NULL, &s->err), AGENTCHAT_E_INVALID, "no function");
    expect(s, "n", near(query_a), "there:1");
    expect_sound(s->store);
}

/* A store that has none is given them by a reindex. The first of the tests, which share a store. */
static void test_vectors__the_first_by_a_reindex(void **state)
{
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_reindex_options reindex = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    const float large[] = {3e38F, 3e38F, 0, 0};
    agentchat_memory_query query = near(large);
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    uint64_t count = 0;

    reindex.metric = AGENTCHAT_MEMORY_METRIC_L2;
    expect_fails(s, agentchat_memory_reindex(s->store, &reindex, &count, &s->err), AGENTCHAT_E_INVALID,
                 "no vectors yet");
    reindex.embedder = &embedder;
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    test_ok(put(s, "n", "k", "{\"x\":\"a\"}", NULL), &s->err);
    test_ok(put(s, "n", "l", "{\"x\":\"b\"}", NULL), &s->err);
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    assert_int_equal(count, 2);
    expect_by_pages(s, "n", near(query_a), "k:0 l:-1.414");
    put_letters(s, &l, "n", "m", "{\"x\":\"aa\"}");
    expect_by_pages(s, "n", near(query_a), "k:0 m:-1 l:-1.414");
    /* what is too far for a sum is the farthest */
    options.vectors = large;
    options.vector_count = 1;
    options.dimensions = 4;
    test_ok(put(s, "n", "far", "{}", &options), &s->err);
    test_ok(put(s, "n", "none", "{}", NULL), &s->err);
    expect_by_pages(s, "n", near(query_a), "k:0 m:-1 l:-1.414 far:-1.798e+308 none");
    query.has_min_score = true;
    query.min_score = 0;
    expect_by_pages(s, "n", query, "far:0");
    expect_sound(s->store);
}

static void test_vectors__a_reindex(void **state)
{
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_put_options hidden = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_reindex_options reindex = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    const char *fields[] = {"x"};
    uint64_t count = 0;

    begin(s);
    hidden.no_index = true;
    embedder.model = s->app;
    reindex.embedder = &embedder;
    test_ok(put(s, "n", "hidden", "{\"x\":\"a\"}", &hidden), &s->err);
    test_ok(put(s, "n", "wait", "{\"x\":\"ab\",\"y\":\"c\"}", NULL), &s->err);
    test_ok(put(s, "n", "empty", "{}", NULL), &s->err);
    put_letters(s, &l, "n", "made", "{\"x\":\"b\",\"y\":\"a\"}");
    expect_counts(s, 4, 2, 3);
    /* what waits */
    l.calls = 0;
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    assert_int_equal(count, 2);
    assert_int_equal(l.calls, 1);
    expect_counts(s, 4, 0, 2);
    expect(s, "n", near(query_a), "made:0.7071 wait:0.5774 empty hidden");
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    assert_int_equal(count, 0);
    /* other fields: all of them */
    reindex.fields = fields;
    reindex.field_count = 1;
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    assert_int_equal(count, 3);
    expect_by_pages(s, "n", near(query_a), "wait:0.7071 made:0 empty hidden");
    expect_sound(s->store);
    /* another model with other dimensions */
    reindex.fields = NULL;
    l.dimensions = 3;
    embedder.model = "three";
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    assert_int_equal(count, 3);
    expect_search_fails(s, near(query_a), AGENTCHAT_E_CONFLICT, "have 3 numbers, not 4");
    expect_sound(s->store);
    /* other dimensions under the same name: found out with the first page */
    test_ok(put(s, "n", "wait", "{\"x\":\"aab\"}", NULL), &s->err);
    l.dimensions = 4;
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    expect_by_pages(s, "n", near(query_a), "wait:0.8944 made:0 empty hidden");
    /* what the caller gave stays, and decides about the dimensions */
    put_vector(s, "n", "own", "{\"x\":\"d\"}", 1, 0, 0);
    embedder.model = "four";
    test_ok(agentchat_memory_reindex(s->store, &reindex, &count, &s->err), &s->err);
    expect_by_pages(s, "n", near(query_a), "own:1 wait:0.8944 made:0 empty hidden");
    l.dimensions = 2;
    embedder.model = "two";
    expect_fails(s, agentchat_memory_reindex(s->store, &reindex, &count, &s->err), AGENTCHAT_E_CONFLICT, "4");
    expect_by_pages(s, "n", near(query_a), "own:1 wait:0.8944 made:0 empty hidden");
    expect_sound(s->store);
    reindex.embedder = NULL;
    reindex.fields = fields;
    expect_fails(s, agentchat_memory_reindex(s->store, &reindex, &count, &s->err), AGENTCHAT_E_INVALID, "embedder");
}

/* All texts are made into vectors together. */
static void test_vectors__of_a_batch(void **state)
{
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_put_options own = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT, hidden = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT, hybrid = AGENTCHAT_MEMORY_QUERY_INIT;
    static const char *const json[] = {"{\"x\":\"a\"}", "{\"x\":\"b\"}", "{\"x\":\"c\"}", "{\"x\":\"d\"}"};
    agentchat_memory_op ops[6];

    begin(s);
    put_letters(s, &l, "n", "first", "{\"x\":\"ab\"}");
    own.vectors = query_a;
    own.vector_count = 1;
    own.dimensions = 4;
    hidden.no_index = true;
    query.text = AGENTCHAT_STR("a");
    hybrid.text = AGENTCHAT_STR("ab");
    hybrid.mode = AGENTCHAT_MEMORY_MODE_HYBRID;
    for (size_t i = 0; i < 6; i++) {
        static const char *const keys[] = {"k0", "k1", "k2", "k3"};

        agentchat_memory_op_init(&ops[i], sizeof ops[i]);
        ops[i].ns = "n";
        ops[i].kind = i < 4 ? AGENTCHAT_MEMORY_OP_PUT : AGENTCHAT_MEMORY_OP_SEARCH;
        ops[i].key = i < 4 ? keys[i] : NULL;
        ops[i].json = agentchat_str_from(i < 4 ? json[i] : NULL);
    }
    ops[1].put = &own;
    ops[2].put = &hidden;
    ops[4].query = &query;
    ops[5].query = &hybrid;
    l.calls = 0;
    *l.seen = '\0';
    test_ok(agentchat_memory_batch(s->store, ops, 6, &embedder, &s->err), &s->err);
    assert_int_equal(l.calls, 1);
    assert_string_equal(l.seen, "{\"x\":\"a\"}|{\"x\":\"d\"}|a|ab|");
    for (size_t i = 4; i < 6; i++) {
        assert_int_equal(agentchat_memory_results_count(ops[i].results), 1);
        assert_string_equal(agentchat_memory_results_at(ops[i].results, 0)->key, "first");
        assert_true(agentchat_memory_results_at(ops[i].results, 0)->has_score);
        agentchat_memory_results_free(ops[i].results);
    }
    expect_by_pages(s, "n", near(query_a), "k1:1 k0:1 first:0.7071 k3:0 k2");
    own.embedder = &embedder;
    expect_fails(s, agentchat_memory_batch(s->store, ops, 6, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "operation 1: the embedder of a batch");
    own.embedder = NULL;
    l.how = FAILS;
    expect_fails(s, agentchat_memory_batch(s->store, ops, 6, &embedder, &s->err), AGENTCHAT_E_IO, "no answer");
    expect_sound(s->store);
}

/* ---- while others put ----------------------------------------------------------------------------------------- */

typedef struct putter {
    agentchat_store *store;
    letters l;
    agentchat_error err;
    agentchat_status status;
} putter;

static void *put_many(void *user)
{
    putter *p = user;
    agentchat_memory_embedder embedder = embedder_of(&p->l);
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    char key[16], json[64];

    options.embedder = &embedder;
    for (int i = 0; i < 120 && p->status >= 0; i++) {
        (void)snprintf(key, sizeof key, "k%d", i % 40);
        (void)snprintf(json, sizeof json, "{\"x\":\"ab%d\"}", i);
        options.embedder = i % 3 == 0 ? &embedder : NULL;
        p->status =
            agentchat_memory_put(p->store, i % 2 == 0 ? "n" : "m", key, agentchat_str_from(json), &options, &p->err);
        if (i % 7 == 0)
            (void)agentchat_memory_delete(p->store, "n", key, NULL, NULL);
    }
    return NULL;
}

static void test_vectors__a_reindex_while_others_put(void **state)
{
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_reindex_options reindex = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    putter p = {.l = {.dimensions = 4}};
    pthread_t thread;
    char model[16];

    begin(s);
    put_letters(s, &l, "n", "first", "{\"x\":\"a\"}");
    p.store = s->store;
    s->step_us = 0; /* the clock is read by two */
    reindex.embedder = &embedder;
    embedder.model = model;
    assert_int_equal(pthread_create(&thread, NULL, put_many, &p), 0);
    for (int i = 0; i < 10; i++) {
        (void)snprintf(model, sizeof model, "m%d", i);
        l.calls = 0;
        if (agentchat_memory_reindex(s->store, &reindex, NULL, &s->err) < 0)
            assert_true(s->err.code == AGENTCHAT_E_CONFLICT || s->err.code == AGENTCHAT_E_BUSY);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    test_ok(p.status, &p.err);
    test_ok(agentchat_memory_reindex(s->store, &reindex, NULL, &s->err), &s->err);
    s->step_us = 1;
    expect_sound(s->store);
    {
        agentchat_memory_counts counts;

        test_ok(agentchat_memory_stats(s->store, "/", &counts, &s->err), &s->err);
        assert_int_equal(counts.waiting, 0);
        assert_int_equal(counts.unseen, 0);
    }
}

/* ---- export and import ---------------------------------------------------------------------------------------- */

static char *exported(scene *s)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    char *text;

    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &s->err), &s->err);
    test_ok(agentchat_memory_export(s->store, "/", sink, NULL, &s->err), &s->err);
    agentchat_sink_free(sink);
    text = strndup(bytes.len > 0 ? bytes.ptr : "", bytes.len);
    agentchat_bytes_clear(&bytes);
    return text;
}

static agentchat_status import_text(scene *s, const char *text, const agentchat_memory_embedder *embedder,
                                    uint64_t *count)
{
    agentchat_source *source = NULL;
    agentchat_status status;

    test_ok(agentchat_source_memory(NULL, agentchat_str_from(text), &source, &s->err), &s->err);
    status = agentchat_memory_import(s->store, source, AGENTCHAT_MEMORY_IMPORT_FAIL, embedder, count, &s->err);
    agentchat_source_free(source);
    return status;
}

static void test_vectors__are_carried_to_another_store(void **state)
{
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    char *first, *second;
    uint64_t count = 0;

    begin(s);
    put_vector(s, "n", "own", "{\"x\":\"d\"}", 0.1F, 1e-30F, -3);
    put_letters(s, &l, "n", "made", "{\"x\":\"ab\"}");
    first = exported(s);
    assert_non_null(strstr(first, "\"vectors\": [[0.1,1e-30,-3.0,0.0]]}\n"));
    test_ok(import_text(s, first, NULL, &count), &s->err);
    assert_int_equal(count, 0);
    put_vector(s, "n", "own", "{\"x\":\"d\"}", 0.1F, 1e-30F, -4);
    expect_fails(s, import_text(s, first, NULL, &count), AGENTCHAT_E_CONFLICT, "another document");
    test_ok(agentchat_memory_delete_below(s->store, "/", NULL, NULL, &s->err), &s->err);
    test_ok(import_text(s, first, NULL, &count), &s->err);
    assert_int_equal(count, 2);
    expect(s, "n", near(query_a), "own:0.03331 made");
    second = exported(s);
    assert_string_equal(first, second);
    test_ok(agentchat_memory_delete_below(s->store, "/", NULL, NULL, &s->err), &s->err);
    l.how = ONE_FOR_ALL;
    *l.seen = '\0';
    l.how = FAILS;
    expect_fails(s, import_text(s, first, &embedder, &count), AGENTCHAT_E_IO, "no answer");
    expect_counts(s, 0, 0, 0);
    l.how = RIGHT;
    test_ok(import_text(s, first, &embedder, &count), &s->err);
    assert_string_equal(l.seen, "{\"x\":\"ab\"}|");
    expect(s, "n", near(query_a), "made:0.7071 own:0.03331");
    expect_sound(s->store);
    free(first);
    free(second);
    expect_fails(s,
                 import_text(s,
                             "{\"namespace\":[\"a\"],\"key\":\"k\",\"value\":{},\"revision\":1,\"created\":"
                             "\"2026-11-21T10:02:00.000000Z\",\"updated\":\"2026-11-21T10:02:00.000000Z\","
                             "\"vectors\":[[1,\"2\"]]}",
                             NULL, &count),
                 AGENTCHAT_E_INVALID, "line 1: a vector has something else than numbers");
}

/* ---- PostgreSQL without pgvector ------------------------------------------------------------------------------ */

static void test_vectors__need_the_extension(void **state)
{
    scene *s = *state;
    letters l = {.dimensions = 4};
    agentchat_memory_embedder embedder = embedder_of(&l);
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_reindex_options reindex = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;

    options.embedder = &embedder;
    reindex.embedder = &embedder;
    expect_fails(s, put(s, "n", "k", "{\"x\":\"a\"}", &options), AGENTCHAT_E_UNSUPPORTED, "pgvector");
    expect_search_fails(s, near(query_a), AGENTCHAT_E_UNSUPPORTED, "pgvector");
    test_ok(put(s, "n", "k", "{\"x\":\"a\"}", NULL), &s->err);
    expect_fails(s, agentchat_memory_reindex(s->store, &reindex, NULL, &s->err), AGENTCHAT_E_UNSUPPORTED, "pgvector");
    expect_counts(s, 1, 1, 1);
    expect_sound(s->store);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_vectors__the_first_by_a_reindex),
        SCENE_TEST(test_vectors__the_nearest_come_first),
        SCENE_TEST(test_vectors__follow_their_document),
        SCENE_TEST(test_vectors__of_fields),
        SCENE_TEST(test_vectors__metrics),
        SCENE_TEST(test_vectors__hybrid),
        SCENE_TEST(test_vectors__what_does_not_go_together),
        SCENE_TEST(test_vectors__bad_embedders),
        SCENE_TEST(test_vectors__a_reindex),
        SCENE_TEST(test_vectors__of_a_batch),
        SCENE_TEST(test_vectors__a_reindex_while_others_put),
        SCENE_TEST(test_vectors__are_carried_to_another_store),
    };
    const struct CMUnitTest without[] = {SCENE_TEST(test_vectors__need_the_extension)};

    if (!scene_program("memory.vectors", argc, argv))
        return 2;
    if (scene_kind() == STORE_POSTGRES && !server_has_extension("vector"))
        return cmocka_run_group_tests(without, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
