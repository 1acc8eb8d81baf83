/* SPDX-License-Identifier: Apache-2.0 */
/* The long-term memory: what each call does, the same on every store. */
#include "session/scene.h"

#include <agentchat/memory.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_US INT64_C(3600000000)

/* ---- doing ---------------------------------------------------------------------------------------------------- */

/* Namespaces begin with the scene's application, which no other test has. */
static const char *in(const scene *s, const char *rest)
{
    static char names[4][700];
    static unsigned next;
    char *name = names[next++ % 4];

    (void)snprintf(name, sizeof names[0], "%s%s%s", s->app, *rest != '\0' ? "/" : "", rest);
    return name;
}

static uint64_t put_with(scene *s, const char *ns, const char *key, const char *json,
                         agentchat_memory_put_options options)
{
    uint64_t revision = 0;

    options.revision = &revision;
    test_ok(agentchat_memory_put(s->store, in(s, ns), key, agentchat_str_from(json), &options, &s->err), &s->err);
    return revision;
}

static uint64_t put(scene *s, const char *ns, const char *key, const char *json)
{
    return put_with(s, ns, key, json, (agentchat_memory_put_options)AGENTCHAT_MEMORY_PUT_OPTIONS_INIT);
}

static void put_for(scene *s, const char *ns, const char *key, const char *json, int64_t ttl_us)
{
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;

    options.has_ttl = true;
    options.ttl_us = ttl_us;
    (void)put_with(s, ns, key, json, options);
}

/* ---- expecting ------------------------------------------------------------------------------------------------ */

static void expect_document(scene *s, const char *ns, const char *key, const char *json)
{
    agentchat_memory_results *page = NULL;

    test_ok(agentchat_memory_get(s->store, in(s, ns), key, false, &page, &s->err), &s->err);
    assert_int_equal(agentchat_memory_results_count(page), 1);
    assert_string_equal(agentchat_memory_results_at(page, 0)->value.ptr, json);
    assert_int_equal(agentchat_memory_results_at(page, 0)->value.len, strlen(json));
    assert_string_equal(agentchat_memory_results_at(page, 0)->key, key);
    assert_string_equal(agentchat_memory_results_at(page, 0)->ns, in(s, ns));
    agentchat_memory_results_free(page);
}

static void expect_none(scene *s, const char *ns, const char *key)
{
    agentchat_memory_results *page = NULL;

    expect_fails(s, agentchat_memory_get(s->store, in(s, ns), key, false, &page, &s->err), AGENTCHAT_E_NOTFOUND,
                 "no such document");
    assert_null(page);
}

/* The keys of all pages, separated by spaces, each page by `limit`. */
static void expect_keys_in(scene *s, const char *ns, agentchat_memory_query query, const char *expected)
{
    char found[2000] = "";
    agentchat_memory_results *page = NULL;
    char *cursor = NULL;

    do {
        query.cursor = cursor;
        test_ok(agentchat_memory_search(s->store, in(s, ns), &query, &page, &s->err), &s->err);
        for (size_t i = 0; i < agentchat_memory_results_count(page); i++)
            (void)snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", *found != '\0' ? " " : "",
                           agentchat_memory_results_at(page, i)->key);
        free(cursor);
        cursor = agentchat_memory_results_cursor(page) != NULL ? strdup(agentchat_memory_results_cursor(page)) : NULL;
        query.offset = 0;
        agentchat_memory_results_free(page);
    } while (cursor != NULL);
    assert_string_equal(found, expected);
}

static void expect_filtered(scene *s, const char *filter, const char *expected)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;

    query.filter = agentchat_str_from(filter);
    expect_keys_in(s, "", query, expected);
}

static void expect_found(scene *s, const char *ns, const char *text, const char *expected)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;

    query.text = agentchat_str_from(text);
    expect_keys_in(s, ns, query, expected);
}

/* ---- put, get, delete ----------------------------------------------------------------------------------------- */

static void test_L2_documents__come_back_as_they_are_spelled(void **state)
{
    static const char json[] = "{ \"b\": 1.10, \"a\":[1e400,-0], \"b\":\"\\u0000\\ud800\", \"\":{} }";
    scene *s = *state;

    (void)put(s, "a", "k", json);
    expect_document(s, "a", "k", json);
    (void)put(s, "a", "k", "  {\"x\":1}\n");
    expect_document(s, "a", "k", "{\"x\":1}");
    if (scene_is_shared(s))
        scene_reopen(s);
    expect_document(s, "a", "k", "{\"x\":1}");
    expect_none(s, "a", "K");
    expect_none(s, "b", "k");
    expect_none(s, "a/k", "k");
    expect_sound(s->store);
}

static void test_memory__revisions_are_expected(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_delete_options gone = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;
    uint64_t first, second;

    options.has_expect = true;
    first = put_with(s, "a", "k", "{}", options);
    assert_true(first > 0);
    expect_fails(s, agentchat_memory_put(s->store, in(s, "a"), "k", AGENTCHAT_STR("{\"x\":1}"), &options, &s->err),
                 AGENTCHAT_E_CONFLICT, "no document was expected");
    options.expect = first;
    second = put_with(s, "a", "k", "{\"x\":2}", options);
    assert_true(second > first);
    expect_fails(s, agentchat_memory_put(s->store, in(s, "a"), "k", AGENTCHAT_STR("{}"), &options, &s->err),
                 AGENTCHAT_E_CONFLICT, "was expected");
    expect_fails(s, agentchat_memory_put(s->store, in(s, "a"), "none", AGENTCHAT_STR("{}"), &options, &s->err),
                 AGENTCHAT_E_CONFLICT, "there is no document");
    expect_document(s, "a", "k", "{\"x\":2}");
    gone.has_expect = true;
    gone.expect = first;
    expect_fails(s, agentchat_memory_delete(s->store, in(s, "a"), "k", &gone, &s->err), AGENTCHAT_E_CONFLICT, NULL);
    gone.expect = second;
    test_ok(agentchat_memory_delete(s->store, in(s, "a"), "k", &gone, &s->err), &s->err);
    expect_none(s, "a", "k");
    expect_fails(s, agentchat_memory_delete(s->store, in(s, "a"), "k", NULL, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    options.expect = 0;
    assert_true(put_with(s, "a", "k", "{}", options) > second);
    expect_sound(s->store);
}

static void test_memory__what_is_no_document_is_refused(void **state)
{
    static const char *const texts[] = {"", "[]", "1", "null", "\"x\"", "{", "{} {}", "{\"a\":}", "\xff"};
    scene *s = *state;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_fails(s, agentchat_memory_put(s->store, in(s, "a"), "k", agentchat_str_from(texts[i]), NULL, &s->err),
                     AGENTCHAT_E_INVALID, NULL);
    expect_none(s, "a", "k");
}

static void test_memory__names_have_rules(void **state)
{
    static const char *const wrong[] = {"", "/", "/a", "a/", "a//b", "a~3", "a~", "~", "\xff/a"};
    static const char *const right[] = {"a~1b", "~0", "~2", "*", "a b", "%", "_", "\xe6\x9d\xb1/\xe4\xba\xac", "."};
    scene *s = *state;
    char longest[1026], key[514];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_fails(s, agentchat_memory_put(s->store, wrong[i], "k", AGENTCHAT_STR("{}"), NULL, &s->err),
                     AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_memory_put(s->store, NULL, "k", AGENTCHAT_STR("{}"), NULL, &s->err), AGENTCHAT_E_INVALID,
                 NULL);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        char json[32];

        (void)snprintf(json, sizeof json, "{\"i\":%zu}", i);
        (void)put(s, right[i], "a/b", json);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        agentchat_memory_results *page = NULL;
        char json[32];

        (void)snprintf(json, sizeof json, "{\"i\":%zu}", strcmp(right[i], "~2") == 0 ? i + 1 : i); /* both are "*" */
        test_ok(agentchat_memory_get(s->store, in(s, right[i]), "a/b", false, &page, &s->err), &s->err);
        assert_string_equal(agentchat_memory_results_at(page, 0)->value.ptr, json);
        assert_string_equal(agentchat_memory_results_at(page, 0)->ns,
                            in(s, strcmp(right[i], "*") == 0 ? "~2" : right[i]));
        agentchat_memory_results_free(page);
    }
    memset(longest, 'a', sizeof longest);
    longest[511] = '/';
    longest[1023] = '\0';
    test_ok(agentchat_memory_put(s->store, longest, "k", AGENTCHAT_STR("{}"), NULL, &s->err), &s->err);
    test_ok(agentchat_memory_delete(s->store, longest, "k", NULL, &s->err), &s->err);
    longest[1023] = 'a';
    longest[1024] = '\0';
    expect_fails(s, agentchat_memory_put(s->store, longest, "k", AGENTCHAT_STR("{}"), NULL, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    memset(key, 'k', sizeof key);
    key[513] = '\0';
    expect_fails(s, agentchat_memory_put(s->store, in(s, "a"), key, AGENTCHAT_STR("{}"), NULL, &s->err),
                 AGENTCHAT_E_INVALID, "key");
    key[512] = '\0';
    (void)put(s, "a", key, "{}");
    expect_fails(s, agentchat_memory_put(s->store, in(s, "a"), "", AGENTCHAT_STR("{}"), NULL, &s->err),
                 AGENTCHAT_E_INVALID, "key");
    expect_sound(s->store);
}

static void test_memory__below_is_what_has_more_labels(void **state)
{
    scene *s = *state;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_delete_options options = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;
    uint64_t count = 0;

    (void)put(s, "a", "1", "{\"n\":1}");
    (void)put(s, "a/b", "2", "{\"n\":2}");
    (void)put(s, "ab", "3", "{\"n\":3}");
    (void)put(s, "a/b/c", "4", "{\"n\":4}");
    expect_keys_in(s, "a", query, "4 2 1");
    query.exact = true;
    expect_keys_in(s, "a", query, "1");
    expect_keys_in(s, "", query, "");
    options.filter = AGENTCHAT_STR("{\"n\":{\"$gt\":2}}");
    options.dry_run = true;
    test_ok(agentchat_memory_delete_below(s->store, in(s, "a"), &options, &count, &s->err), &s->err);
    assert_int_equal(count, 1);
    options.dry_run = false;
    test_ok(agentchat_memory_delete_below(s->store, in(s, "a"), &options, &count, &s->err), &s->err);
    assert_int_equal(count, 1);
    expect_none(s, "a/b/c", "4");
    test_ok(agentchat_memory_delete_below(s->store, in(s, "a"), NULL, &count, &s->err), &s->err);
    assert_int_equal(count, 2);
    test_ok(agentchat_memory_delete_below(s->store, in(s, "a"), NULL, &count, &s->err), &s->err);
    assert_int_equal(count, 0);
    expect_document(s, "ab", "3", "{\"n\":3}");
    expect_fails(s, agentchat_memory_delete_below(s->store, NULL, NULL, &count, &s->err), AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_memory_delete_below(s->store, "", NULL, &count, &s->err), AGENTCHAT_E_INVALID, "\"/\"");
    expect_sound(s->store);
}

/* ---- expiry --------------------------------------------------------------------------------------------------- */

static void test_memory__the_expired_exists_for_no_call(void **state)
{
    scene *s = *state;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_counts counts;
    agentchat_memory_namespaces *spaces = NULL;
    agentchat_memory_namespace_options prefix = AGENTCHAT_MEMORY_NAMESPACE_OPTIONS_INIT;
    uint64_t count = 0;

    (void)put(s, "a", "stays", "{\"text\":\"tea\"}");
    put_for(s, "b", "gone", "{\"text\":\"tea\"}", 0);
    put_for(s, "b", "late", "{\"text\":\"tea\"}", -1);
    put_for(s, "a", "ever", "{\"text\":\"tea\"}", AGENTCHAT_MEMORY_NEVER);
    put_for(s, "a", "long", "{\"text\":\"tea\"}", HOUR_US);
    expect_none(s, "b", "gone");
    expect_keys_in(s, "", query, "long ever stays");
    expect_found(s, "b", "tea", "");
    expect_fails(s, agentchat_memory_delete(s->store, in(s, "b"), "gone", NULL, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    test_ok(agentchat_memory_stats(s->store, in(s, ""), &counts, &s->err), &s->err);
    assert_int_equal(counts.documents, 3);
    assert_int_equal(counts.expired, 2);
    prefix.prefix = s->app;
    test_ok(agentchat_memory_list_namespaces(s->store, &prefix, &spaces, &s->err), &s->err);
    assert_int_equal(agentchat_memory_namespaces_count(spaces), 1);
    assert_int_equal(agentchat_memory_namespaces_at(spaces, 0)->documents, 3);
    agentchat_memory_namespaces_free(spaces);
    options.has_expect = true; /* 0: there is none */
    (void)put_with(s, "b", "gone", "{\"new\":1}", options);
    expect_document(s, "b", "gone", "{\"new\":1}");
    test_ok(agentchat_memory_sweep(s->store, &count, &s->err), &s->err);
    test_ok(agentchat_memory_stats(s->store, in(s, ""), &counts, &s->err), &s->err);
    assert_int_equal(counts.documents, 4);
    assert_int_equal(counts.expired, 0);
    expect_sound(s->store);
}

static void test_memory__a_read_refreshes_when_it_is_asked_to(void **state)
{
    scene *s = *state;
    agentchat_memory_results *page = NULL;
    int64_t before;
    uint64_t revision;

    put_for(s, "a", "k", "{\"text\":\"tea\"}", HOUR_US);
    test_ok(agentchat_memory_get(s->store, in(s, "a"), "k", false, &page, &s->err), &s->err);
    before = agentchat_memory_results_at(page, 0)->expires_us;
    revision = agentchat_memory_results_at(page, 0)->revision;
    agentchat_memory_results_free(page);
    s->now_us += HOUR_US / 2;
    for (int i = 0; i < 2; i++) { /* the page has the new time, and so does the store */
        test_ok(agentchat_memory_get(s->store, in(s, "a"), "k", i == 0, &page, &s->err), &s->err);
        assert_true(agentchat_memory_results_at(page, 0)->expires_us > before);
        assert_int_equal(agentchat_memory_results_at(page, 0)->revision, revision);
        agentchat_memory_results_free(page);
    }
    expect_sound(s->store);
}

/* ---- filters -------------------------------------------------------------------------------------------------- */

static void test_memory__filters(void **state)
{
    scene *s = *state;

    (void)put(s, "f", "a", "{\"n\":1,\"t\":\"x\",\"l\":[1,{\"a\":1}],\"o\":{\"p\":{\"q\":1},\"r\":2},\"a.b\":5}");
    (void)put(s, "f", "b", "{\"n\":10.0,\"t\":\"xy\",\"z\":null,\"o\":{},\"b\":true}");
    (void)put(s, "f", "c", "{\"n\":\"9\",\"t\":\"\\u0078\",\"n2\":90071992547409931,\"d\":1,\"d\":2}");
    expect_filtered(s, "{}", "c b a");
    expect_filtered(s, "{\"n\":1}", "a");
    expect_filtered(s, "{\"n\":1.0}", "a");
    expect_filtered(s, "{\"n\":1e1}", "b");
    expect_filtered(s, "{\"n2\":90071992547409932}", "");
    expect_filtered(s, "{\"t\":\"x\"}", "c a");
    expect_filtered(s, "{\"b\":1}", "");
    expect_filtered(s, "{\"d\":1}", "");
    expect_filtered(s, "{\"d\":2}", "c");
    expect_filtered(s, "{\"z\":null}", "c b a");
    expect_filtered(s, "{\"z\":{\"$exists\":true}}", "b");
    expect_filtered(s, "{\"z\":{\"$ne\":1}}", "b");
    expect_filtered(s, "{\"n\":{\"$ne\":1}}", "c b");
    expect_filtered(s, "{\"n2\":{\"$nin\":[1]}}", "c");
    expect_filtered(s, "{\"n2\":{\"$not\":{\"$gt\":1}}}", "b a");
    expect_filtered(s, "{\"n\":{\"$gt\":1}}", "b");
    expect_filtered(s, "{\"n\":{\"$gte\":1,\"$lt\":10}}", "a");
    expect_filtered(s, "{\"n\":{\"$lte\":\"9\"}}", "c");
    expect_filtered(s, "{\"n\":{\"$in\":[\"9\",1]}}", "c a");
    expect_filtered(s, "{\"n\":{\"$in\":[]}}", "");
    expect_filtered(s, "{\"o\":{}}", "b");
    expect_filtered(s, "{\"o\":{\"r\":2,\"p\":{\"q\":1}}}", "a");
    expect_filtered(s, "{\"o.p.q\":1}", "a");
    expect_filtered(s, "{\"a.b\":5}", "a");
    expect_filtered(s, "{\"l\":[1,{\"a\":1.0}]}", "a");
    expect_filtered(s, "{\"l.0\":1}", "");
    expect_filtered(s, "{\"l\":{\"$contains\":{\"a\":1}}}", "a");
    expect_filtered(s, "{\"o\":{\"$contains\":{\"p\":{}}}}", "a");
    expect_filtered(s, "{\"t\":{\"$contains\":\"y\"}}", "b");
    expect_filtered(s, "{\"$or\":[{\"n\":1},{\"n\":\"9\"}]}", "c a");
    expect_filtered(s, "{\"$or\":[]}", "");
    expect_filtered(s, "{\"$and\":[]}", "c b a");
    expect_filtered(s, "{\"$not\":{\"n\":1}}", "c b");
    expect_filtered(s, "{\"n\":{\"$gt\":-1e999999999999999999999}}", "b a");
    expect_filtered(s, "{\"n\":{\"$lt\":1e-999999999999999999999}}", "");
}

static void test_memory__what_is_no_filter_is_refused(void **state)
{
    static const char *const filters[] = {"",
                                          "[]",
                                          "1",
                                          "{\"a\":1",
                                          "{\"$x\":1}",
                                          "{\"a\":{\"$x\":1}}",
                                          "{\"a\":{\"$gt\":1,\"b\":2}}",
                                          "{\"$and\":[],\"b\":2}",
                                          "{\"a\":1,\"a\":2}",
                                          "{\"$and\":{}}",
                                          "{\"$or\":[1]}",
                                          "{\"$not\":[]}",
                                          "{\"$eq\":1}",
                                          "{\"a\":{\"$in\":1}}",
                                          "{\"a\":{\"$exists\":1}}"};
    scene *s = *state;

    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
        agentchat_memory_results *page = NULL;

        query.filter = agentchat_str_from(filters[i]);
        expect_fails(s, agentchat_memory_search(s->store, "/", &query, &page, &s->err), AGENTCHAT_E_INVALID, NULL);
        assert_null(page);
    }
}

/* ---- searching ------------------------------------------------------------------------------------------------ */

static void test_memory__pages_and_offsets(void **state)
{
    scene *s = *state;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;
    char cursor[2000];

    for (int i = 0; i < 7; i++) {
        char key[8], json[64];

        (void)snprintf(key, sizeof key, "k%d", i);
        (void)snprintf(json, sizeof json, "{\"i\":%d,\"text\":\"green tea\"}", i);
        (void)put(s, i % 2 == 0 ? "p/x" : "p/y", key, json);
    }
    for (query.limit = 1; query.limit < 9; query.limit++) {
        query.text = AGENTCHAT_STR("");
        expect_keys_in(s, "p", query, "k6 k5 k4 k3 k2 k1 k0");
        query.text = AGENTCHAT_STR("tea");
        expect_keys_in(s, "p", query, "k6 k5 k4 k3 k2 k1 k0");
    }
    query.limit = 3;
    query.offset = 5;
    expect_keys_in(s, "p", query, "k1 k0");
    query.offset = 7;
    expect_keys_in(s, "p", query, "");
    query.offset = 0;
    test_ok(agentchat_memory_search(s->store, in(s, "p"), &query, &page, &s->err), &s->err);
    (void)snprintf(cursor, sizeof cursor, "%s", agentchat_memory_results_cursor(page));
    agentchat_memory_results_free(page);
    query.cursor = cursor;
    query.exact = true;
    expect_fails(s, agentchat_memory_search(s->store, in(s, "p"), &query, &page, &s->err), AGENTCHAT_E_INVALID,
                 "another search");
    query.exact = false;
    query.offset = 1;
    expect_fails(s, agentchat_memory_search(s->store, in(s, "p"), &query, &page, &s->err), AGENTCHAT_E_INVALID,
                 "exclude");
    query.offset = 0;
    (void)put(s, "p/z", "new", "{}");
    expect_fails(s, agentchat_memory_search(s->store, in(s, "p"), &query, &page, &s->err), AGENTCHAT_E_CONFLICT,
                 "offset");
    query.has_min_score = true; /* without a text there is no score */
    query.text = AGENTCHAT_STR("");
    query.cursor = NULL;
    expect_fails(s, agentchat_memory_search(s->store, in(s, "p"), &query, &page, &s->err), AGENTCHAT_E_INVALID,
                 "min_score");
    query.has_min_score = false;
    query.cursor = "nonsense";
    expect_fails(s, agentchat_memory_search(s->store, in(s, "p"), &query, &page, &s->err), AGENTCHAT_E_INVALID, NULL);
}

static void test_memory__words(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    const char *fields[] = {"title", "l[*].t", "{o.a,o.b}"}, *wrong[] = {"a..b", "a[", "[x]", ".a", "{a", ""};

    (void)put(s, "w", "coffee", "{\"text\":\"she drinks espresso, never after four\"}");
    (void)put(s, "w", "tea", "{\"text\":\"buys oolong tea as a gift; tea again\",\"n\":42}");
    (void)put(s, "w", "long", "{\"text\":\"tea and very many other words that make it a longer document of words\"}");
    expect_found(s, "w", "Espresso", "coffee");
    expect_found(s, "w", "tea", "tea long");
    expect_found(s, "w", "42", "tea");
    expect_found(s, "w", "text", "");
    expect_found(s, "w", "nothing 'here\"*-(", "");
    expect_found(s, "w", "***", "");
    expect_found(s, "w", "espresso OR oolong", "coffee tea");
    (void)put(s, "w", "tea", "{\"text\":\"coffee now\"}");
    expect_found(s, "w", "tea", "long");
    expect_found(s, "w", "coffee", "tea");
    options.no_index = true;
    (void)put_with(s, "w", "tea", "{\"text\":\"coffee now\"}", options);
    expect_found(s, "w", "coffee", "");
    options.no_index = false;
    options.fields = fields;
    options.field_count = 3;
    (void)put_with(
        s, "w", "f",
        "{\"title\":\"alpha\",\"l\":[{\"t\":\"beta\"},{\"t\":\"gamma\"}],\"o\":{\"a\":\"delta\",\"c\":\"eps\"}}",
        options);
    expect_found(s, "w", "alpha", "f");
    expect_found(s, "w", "gamma", "f");
    expect_found(s, "w", "delta", "f");
    expect_found(s, "w", "eps", "");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.fields = &wrong[i];
        options.field_count = 1;
        expect_fails(s, agentchat_memory_put(s->store, in(s, "w"), "k", AGENTCHAT_STR("{}"), &options, &s->err),
                     AGENTCHAT_E_INVALID, "no path");
    }
    test_ok(agentchat_memory_delete(s->store, in(s, "w"), "f", NULL, &s->err), &s->err);
    expect_found(s, "w", "alpha", "");
    expect_sound(s->store);
}

/* ---- others at the same time ---------------------------------------------------------------------------------- */

typedef struct writer {
    scene *s;
    agentchat_store *store;
    char ns[700];
    int number, conflicts;
} writer;

/* Puts and deletes the last document of a namespace again and again, and counts up one that all share. */
static void *write_much(void *user)
{
    writer *w = user;
    char key[8], json[40];

    (void)snprintf(key, sizeof key, "w%d", w->number);
    for (int i = 0; i < 40; i++) {
        agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
        agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
        agentchat_memory_results *page = NULL;
        agentchat_error err;
        agentchat_status status;

        (void)snprintf(json, sizeof json, "{\"t\":\"red %s\"}", key);
        test_ok(agentchat_memory_put(w->store, w->ns, key, agentchat_str_from(json), NULL, &err), &err);
        query.text = agentchat_str_from(key);
        query.exact = true;
        test_ok(agentchat_memory_search(w->store, w->ns, &query, &page, &err), &err);
        assert_int_equal(agentchat_memory_results_count(page), 1);
        agentchat_memory_results_free(page);
        test_ok(agentchat_memory_delete(w->store, w->ns, key, NULL, &err), &err);
        options.has_expect = true;
        do {
            char ns[720];
            int n;

            (void)snprintf(ns, sizeof ns, "%s/sum", w->ns);
            test_ok(agentchat_memory_get(w->store, ns, "n", false, &page, &err), &err);
            options.expect = agentchat_memory_results_at(page, 0)->revision;
            n = atoi(agentchat_memory_results_at(page, 0)->value.ptr + 5);
            agentchat_memory_results_free(page);
            (void)snprintf(json, sizeof json, "{\"n\":%d}", n + 1);
            status = agentchat_memory_put(w->store, ns, "n", agentchat_str_from(json), &options, &err);
            assert_true(status >= 0 || status == AGENTCHAT_E_CONFLICT);
            w->conflicts += status < 0;
        } while (status < 0);
    }
    return NULL;
}

static void test_memory__writers_lose_nothing_of_each_other(void **state)
{
    enum { WRITERS = 3 };
    scene *s = *state;
    writer writers[WRITERS];
    pthread_t threads[WRITERS];

    (void)put(s, "shared/sum", "n", "{\"n\":0}");
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (writer){.s = s, .store = s->store, .number = i};
        (void)snprintf(writers[i].ns, sizeof writers[i].ns, "%s", in(s, "shared"));
        assert_int_equal(pthread_create(&threads[i], NULL, write_much, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    expect_document(s, "shared/sum", "n", "{\"n\":120}");
    expect_found(s, "shared", "red", "");
    expect_sound(s->store);
}

/* ---- namespaces ----------------------------------------------------------------------------------------------- */

static void expect_spaces(scene *s, agentchat_memory_namespace_options options, const char *expected)
{
    char found[1000] = "", cursor[1000];
    agentchat_memory_namespaces *page = NULL;
    bool more;

    do {
        test_ok(agentchat_memory_list_namespaces(s->store, &options, &page, &s->err), &s->err);
        for (size_t i = 0; i < agentchat_memory_namespaces_count(page); i++) {
            const agentchat_memory_namespace *one = agentchat_memory_namespaces_at(page, i);
            const char *rest = one->ns + strlen(s->app);

            assert_memory_equal(one->ns, s->app, strlen(s->app));
            (void)snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s=%d", *found != '\0' ? " " : "",
                           rest, (int)one->documents);
        }
        more = agentchat_memory_namespaces_cursor(page) != NULL;
        (void)snprintf(cursor, sizeof cursor, "%s", more ? agentchat_memory_namespaces_cursor(page) : "");
        options.cursor = cursor;
        agentchat_memory_namespaces_free(page);
    } while (more);
    assert_string_equal(found, expected);
}

static void test_memory__namespaces(void **state)
{
    scene *s = *state;
    agentchat_memory_namespace_options options = AGENTCHAT_MEMORY_NAMESPACE_OPTIONS_INIT;

    options.prefix = s->app;
    expect_spaces(s, options, "");
    (void)put(s, "users/ana/prefs", "k", "{}");
    (void)put(s, "users/ana/prefs", "l", "{}");
    (void)put(s, "users/bob/prefs", "k", "{}");
    (void)put(s, "users/bob", "k", "{}");
    (void)put(s, "a~1b/~2", "k", "{}");
    for (options.limit = 1; options.limit < 6; options.limit++) {
        options.depth = 0;
        expect_spaces(s, options, "/a~1b/~2=1 /users/ana/prefs=2 /users/bob=1 /users/bob/prefs=1");
        options.depth = 3;
        expect_spaces(s, options, "/a~1b/~2=1 /users/ana=2 /users/bob=2");
    }
    options.depth = 0;
    options.suffix = "prefs";
    expect_spaces(s, options, "/users/ana/prefs=2 /users/bob/prefs=1");
    options.suffix = NULL;
    options.prefix = in(s, "users/*/prefs");
    expect_spaces(s, options, "/users/ana/prefs=2 /users/bob/prefs=1");
    options.prefix = in(s, "*/~2");
    expect_spaces(s, options, "/a~1b/~2=1");
    test_ok(agentchat_memory_delete(s->store, in(s, "users/bob"), "k", NULL, &s->err), &s->err);
    options.prefix = in(s, "users/bob");
    expect_spaces(s, options, "/users/bob/prefs=1");
}

/* ---- export and import ---------------------------------------------------------------------------------------- */

static char *exported(scene *s, const char *ns, uint64_t expected)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    uint64_t count = 0;
    char *text;

    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &s->err), &s->err);
    test_ok(agentchat_memory_export(s->store, in(s, ns), sink, &count, &s->err), &s->err);
    assert_int_equal(count, expected);
    agentchat_sink_free(sink);
    text = strndup(bytes.len > 0 ? bytes.ptr : "", bytes.len);
    agentchat_bytes_clear(&bytes);
    return text;
}

static agentchat_status import_text(scene *s, const char *text, agentchat_memory_import_mode mode, uint64_t *count)
{
    agentchat_source *source = NULL;
    agentchat_status status;

    test_ok(agentchat_source_memory(NULL, agentchat_str_from(text), &source, &s->err), &s->err);
    status = agentchat_memory_import(s->store, source, mode, NULL, count, &s->err);
    agentchat_source_free(source);
    return status;
}

static void test_memory__what_is_exported_is_imported(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    const char *fields[] = {"a"};
    char *first, *second;
    uint64_t count = 0, revision;

    (void)put(s, "x/~1", "k\"1", "{\"a\": 0.10,\n\"b\":\"\\u0000\"}");
    put_for(s, "x", "k2", "{\"a\":\"tea\"}", HOUR_US);
    put_for(s, "x", "gone", "{}", 0);
    options.fields = fields;
    options.field_count = 1;
    revision = put_with(s, "y", "k3", "{\"a\":\"tea\",\"b\":\"cup\"}", options);
    first = exported(s, "", 3);
    test_ok(import_text(s, first, AGENTCHAT_MEMORY_IMPORT_FAIL, &count), &s->err);
    assert_int_equal(count, 0);
    test_ok(agentchat_memory_delete_below(s->store, s->app, NULL, NULL, &s->err), &s->err);
    test_ok(import_text(s, first, AGENTCHAT_MEMORY_IMPORT_FAIL, &count), &s->err);
    assert_int_equal(count, 3);
    second = exported(s, "", 3);
    assert_string_equal(first, second);
    expect_found(s, "y", "tea", "k3");
    expect_found(s, "y", "cup", "");
    expect_document(s, "x/~1", "k\"1", "{\"a\": 0.10, \"b\":\"\\u0000\"}");
    assert_true(put(s, "y", "k3", "{\"a\":\"other\"}") > revision);
    expect_fails(s, import_text(s, first, AGENTCHAT_MEMORY_IMPORT_FAIL, &count), AGENTCHAT_E_CONFLICT,
                 "line 3: key k3");
    test_ok(import_text(s, first, AGENTCHAT_MEMORY_IMPORT_SKIP, &count), &s->err);
    assert_int_equal(count, 0);
    expect_document(s, "y", "k3", "{\"a\":\"other\"}");
    test_ok(import_text(s, first, AGENTCHAT_MEMORY_IMPORT_REPLACE, &count), &s->err);
    assert_int_equal(count, 1);
    expect_document(s, "y", "k3", "{\"a\":\"tea\",\"b\":\"cup\"}");
    free(first);
    free(second);
    expect_sound(s->store);
}

/* A document of a higher revision than any raises the counter. */
static void test_memory__an_import_raises_the_counter(void **state)
{
    scene *s = *state;
    char line[400];
    uint64_t first = put(s, "a", "k", "{}"), higher = first + 1000;

    (void)snprintf(line, sizeof line,
                   "{\"namespace\":[\"%s\",\"a\"],\"key\":\"l\",\"value\":{},\"revision\":%llu,\"created\":"
                   "\"2026-11-21T10:02:00.000000Z\",\"updated\":\"2026-11-21T10:02:00.000001Z\"}\n",
                   s->app, (unsigned long long)higher);
    test_ok(import_text(s, line, AGENTCHAT_MEMORY_IMPORT_FAIL, NULL), &s->err);
    assert_true(put(s, "a", "k", "{}") > higher);
    expect_sound(s->store);
}

static void test_memory__a_bad_line_writes_nothing(void **state)
{
#define NAME "\"namespace\":[\"bad\"],\"key\":\"k\""
#define TIMES "\"created\":\"2026-11-21T10:02:00.000000Z\",\"updated\":\"2026-11-21T10:02:00.000000Z\""
    static const char *const lines[] = {
        "nonsense",
        "[]",
        "{}",
        "{\"namespace\":[],\"key\":\"k\",\"value\":{},\"revision\":1," TIMES "}",
        "{\"namespace\":[\"\"],\"key\":\"k\",\"value\":{},\"revision\":1," TIMES "}",
        "{\"namespace\":[\"bad\"],\"key\":\"\",\"value\":{},\"revision\":1," TIMES "}",
        "{" NAME ",\"revision\":1," TIMES "}",
        "{" NAME ",\"value\":[],\"revision\":1," TIMES "}",
        "{" NAME ",\"value\":{},\"revision\":0," TIMES "}",
        "{" NAME ",\"value\":{},\"revision\":9007199254740993," TIMES "}",
        "{" NAME ",\"value\":{},\"revision\":1}",
        "{\"namespace\":[\"\\ud800\"],\"key\":\"k\",\"value\":{},\"revision\":1," TIMES "}",
        "{\"namespace\":[\"bad\"],\"key\":\"a\\u0000\",\"value\":{},\"revision\":1," TIMES "}",
        "{" NAME ",\"value\":{},\"revision\":1,\"created\":\"2026-02-30T10:02:00.000000Z\",\"updated\":"
        "\"2026-11-21T10:02:00.000000Z\"}",
        "{" NAME ",\"value\":{},\"revision\":1,\"index\":[\"a..b\"]," TIMES "}",
    };
    scene *s = *state;
    char text[900];

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        (void)snprintf(text, sizeof text,
                       "{\"namespace\":[\"%s\"],\"key\":\"good\",\"value\":{},\"revision\":1," TIMES "}\n\n%s\n",
                       s->app, lines[i]);
        expect_fails(s, import_text(s, text, AGENTCHAT_MEMORY_IMPORT_FAIL, NULL), AGENTCHAT_E_INVALID, "line 3");
        assert_int_equal(s->err.line, 3);
        expect_none(s, "", "good");
    }
}

static agentchat_memory_op op_of(agentchat_memory_op_kind kind, const char *ns, const char *key, const char *json)
{
    agentchat_memory_op op = AGENTCHAT_MEMORY_OP_INIT;

    op.kind = kind;
    op.ns = ns;
    op.key = key;
    op.json = (agentchat_str){json, json != NULL ? strlen(json) : 0};
    return op;
}

static void free_ops(agentchat_memory_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        agentchat_memory_results_free(ops[i].results);
        agentchat_memory_namespaces_free(ops[i].namespaces);
    }
}

/* A store may say how long documents live whose put does not. */
static void test_memory__a_time_to_live_of_the_store(void **state)
{
    scene *s = *state;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *before = s->store;

    options.memory_ttl_us = HOUR_US;
    s->store = scene_open(s, &options);
    (void)put(s, "a", "usual", "{}");
    put_for(s, "a", "own", "{}", 3 * HOUR_US);
    put_for(s, "a", "never", "{}", AGENTCHAT_MEMORY_NEVER);
    expect_document(s, "a", "usual", "{}");
    s->now_us += 2 * HOUR_US;
    if (s->kind != STORE_POSTGRES) { /* which has a clock of its own */
        expect_none(s, "a", "usual");
        expect_document(s, "a", "own", "{}");
        expect_document(s, "a", "never", "{}");
    }
    agentchat_store_close(s->store);
    s->store = before;
}

/* Reads see what was there before; of two writes the last counts. */
static void test_memory__a_batch(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options expecting = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_namespace_options listing = AGENTCHAT_MEMORY_NAMESPACE_OPTIONS_INIT;
    uint64_t revision = 0, first = put(s, "a", "k", "{\"t\":\"tea\"}");
    char a[80], b[80];
    agentchat_memory_op ops[9];

    (void)snprintf(a, sizeof a, "%s/a", s->app);
    (void)snprintf(b, sizeof b, "%s/b", s->app);
    (void)put(s, "a", "gone", "{}");
    listing.prefix = s->app;
    query.text = AGENTCHAT_STR("tea");
    expecting.has_expect = true;
    expecting.expect = first;
    expecting.revision = &revision;
    ops[0] = op_of(AGENTCHAT_MEMORY_OP_PUT, a, "k", "{\"t\":\"cup\"}");
    ops[0].put = &expecting;
    ops[1] = op_of(AGENTCHAT_MEMORY_OP_GET, a, "k", NULL);
    ops[2] = op_of(AGENTCHAT_MEMORY_OP_GET, a, "none", NULL);
    ops[3] = op_of(AGENTCHAT_MEMORY_OP_SEARCH, s->app, NULL, NULL);
    ops[3].query = &query;
    ops[4] = op_of(AGENTCHAT_MEMORY_OP_PUT, b, "l", "{\"n\":1}");
    ops[5] = op_of(AGENTCHAT_MEMORY_OP_NAMESPACES, NULL, NULL, NULL);
    ops[5].listing = &listing;
    ops[6] = op_of(AGENTCHAT_MEMORY_OP_DELETE, a, "gone", NULL);
    ops[7] = op_of(AGENTCHAT_MEMORY_OP_PUT, b, "l", "{\"n\":2}");
    ops[8] = op_of(AGENTCHAT_MEMORY_OP_DELETE, a, "never", NULL);
    test_ok(agentchat_memory_batch(s->store, ops, 9, NULL, &s->err), &s->err);
    assert_true(revision > first);
    assert_string_equal(agentchat_memory_results_at(ops[1].results, 0)->value.ptr, "{\"t\":\"tea\"}");
    assert_non_null(ops[2].results);
    assert_int_equal(agentchat_memory_results_count(ops[2].results), 0);
    assert_int_equal(agentchat_memory_results_count(ops[3].results), 1);
    assert_int_equal(agentchat_memory_namespaces_count(ops[5].namespaces), 1);
    assert_null(ops[0].results);
    free_ops(ops, 9);
    expect_document(s, "a", "k", "{\"t\":\"cup\"}");
    expect_document(s, "b", "l", "{\"n\":2}");
    expect_none(s, "a", "gone");
    /* nothing of one that fails */
    expect_fails(s, agentchat_memory_batch(s->store, ops, 9, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "operation 0: key k");
    assert_null(ops[1].results);
    assert_null(ops[5].namespaces);
    ops[0].key = ops[4].key;
    ops[0].ns = b;
    expect_fails(s, agentchat_memory_batch(s->store, ops, 9, NULL, &s->err), AGENTCHAT_E_INVALID, "written once");
    ops[8].kind = (agentchat_memory_op_kind)6;
    expect_fails(s, agentchat_memory_batch(s->store, ops + 1, 8, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "operation 7: 6 is no kind");
    ops[8] = op_of(AGENTCHAT_MEMORY_OP_PUT, b, "m", "[]");
    ops[6] = op_of(AGENTCHAT_MEMORY_OP_DELETE, b, "l", NULL);
    expect_fails(s, agentchat_memory_batch(s->store, ops + 6, 3, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "operation 2: a document is a JSON object");
    expect_document(s, "b", "l", "{\"n\":2}");
    test_ok(agentchat_memory_batch(s->store, ops + 1, 3, NULL, &s->err), &s->err); /* reads alone */
    assert_int_equal(agentchat_memory_results_count(ops[3].results), 0);
    free_ops(ops + 1, 3);
    test_ok(agentchat_memory_batch(s->store, NULL, 0, NULL, &s->err), &s->err);
    expect_sound(s->store);
}

static void test_memory__bad_calls(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_results *page = NULL;
    const char *fields[] = {"a"};

    expect_fails(s, agentchat_memory_put(NULL, "a", "k", AGENTCHAT_STR("{}"), NULL, &s->err), AGENTCHAT_E_INVALID,
                 "store");
    expect_fails(s, agentchat_memory_put(s->store, "a", NULL, AGENTCHAT_STR("{}"), NULL, &s->err), AGENTCHAT_E_INVALID,
                 "key");
    options.no_index = true;
    options.fields = fields;
    options.field_count = 1;
    expect_fails(s, agentchat_memory_put(s->store, "a", "k", AGENTCHAT_STR("{}"), &options, &s->err),
                 AGENTCHAT_E_INVALID, "exclude");
    expect_fails(s, agentchat_memory_get(s->store, "a", "k", false, NULL, &s->err), AGENTCHAT_E_INVALID, "out");
    expect_fails(s, agentchat_memory_put(s->store, "/", "k", AGENTCHAT_STR("{}"), NULL, &s->err), AGENTCHAT_E_INVALID,
                 "is none");
    expect_fails(s, agentchat_memory_get(s->store, "/", "k", false, &page, &s->err), AGENTCHAT_E_NOTFOUND, "no such");
    expect_fails(s, agentchat_memory_delete(s->store, "/", "k", NULL, &s->err), AGENTCHAT_E_NOTFOUND, "no such");
    expect_fails(s, agentchat_memory_get(NULL, "a", "k", false, &page, &s->err), AGENTCHAT_E_INVALID, "store");
    expect_fails(s, agentchat_memory_search(NULL, "a", NULL, &page, &s->err), AGENTCHAT_E_INVALID, "store");
    expect_fails(s, agentchat_memory_sweep(NULL, NULL, &s->err), AGENTCHAT_E_INVALID, "store");
    assert_int_equal(agentchat_memory_results_count(NULL), 0);
    assert_null(agentchat_memory_results_at(NULL, 0));
    assert_null(agentchat_memory_results_cursor(NULL));
    agentchat_memory_results_free(NULL);
    agentchat_memory_namespaces_free(NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_L2_documents__come_back_as_they_are_spelled),
        SCENE_TEST(test_memory__revisions_are_expected),
        SCENE_TEST(test_memory__what_is_no_document_is_refused),
        SCENE_TEST(test_memory__names_have_rules),
        SCENE_TEST(test_memory__below_is_what_has_more_labels),
        SCENE_TEST(test_memory__the_expired_exists_for_no_call),
        SCENE_TEST(test_memory__a_read_refreshes_when_it_is_asked_to),
        SCENE_TEST(test_memory__filters),
        SCENE_TEST(test_memory__what_is_no_filter_is_refused),
        SCENE_TEST(test_memory__pages_and_offsets),
        SCENE_TEST(test_memory__words),
        SCENE_TEST(test_memory__writers_lose_nothing_of_each_other),
        SCENE_TEST(test_memory__namespaces),
        SCENE_TEST(test_memory__what_is_exported_is_imported),
        SCENE_TEST(test_memory__an_import_raises_the_counter),
        SCENE_TEST(test_memory__a_bad_line_writes_nothing),
        SCENE_TEST(test_memory__a_time_to_live_of_the_store),
        SCENE_TEST(test_memory__a_batch),
        SCENE_TEST(test_memory__bad_calls),
    };

    return scene_program("memory.contract", argc, argv) ? cmocka_run_group_tests_name("memory", tests, NULL, NULL) : 2;
}
