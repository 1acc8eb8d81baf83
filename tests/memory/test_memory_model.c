/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random sequences of calls on the memory, compared with a model that keeps documents in an array and looks at all of
 * them. After each sequence the store finds nothing wrong with itself.
 *
 * AGENTCHAT_TEST_SEQUENCES: how many sequences (40).
 */
#include "session/scene.h"

#include <agentchat/memory.h>
#include <stdlib.h>
#include <string.h>

enum { SPACES = 5, KEYS = 4, CALLS = 60, WORDS = 6, MOST = SPACES * KEYS };

static const char *const spaces[SPACES] = {"a", "a/b", "a/b/c", "ab", "a/d"};
static const char *const words[WORDS] = {"red", "green", "blue", "tea", "cup", "red red"};

typedef struct document {
    bool is_there;
    uint64_t revision;
    int64_t updated, expires; /* expires: AGENTCHAT_MEMORY_NEVER */
    int n;
    const char *text;
    char json[100];
} document;

typedef struct model {
    scene *s;
    document documents[SPACES][KEYS];
    uint64_t random;
    uint64_t clock; /* of updates */
} model;

static unsigned below(model *m, unsigned limit)
{
    m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(m->random >> 33) % limit;
}

static const char *name(const model *m, unsigned space)
{
    static char names[2][200];
    static unsigned next;
    char *out = names[next++ % 2];

    (void)snprintf(out, sizeof names[0], "%s/%s", m->s->app, spaces[space]);
    return out;
}

static bool lives(const document *d)
{
    return d->is_there && d->expires != 0;
}

/* Whether the namespace is, or is below, another one. */
static bool is_in(unsigned space, unsigned other, bool exact)
{
    size_t len = strlen(spaces[other]);

    if (strncmp(spaces[space], spaces[other], len) != 0)
        return false;
    return spaces[space][len] == '\0' || (!exact && spaces[space][len] == '/');
}

static bool has_word(const document *d, const char *word)
{
    return strstr(d->text, word) != NULL;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

static void put(model *m)
{
    unsigned space = below(m, SPACES), k = below(m, KEYS);
    document *d = &m->documents[space][k], now = {.is_there = true, .expires = AGENTCHAT_MEMORY_NEVER};
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    uint64_t there = lives(d) ? d->revision : 0;
    char key[2] = {(char)('k' + k), '\0'};
    agentchat_status status;

    now.n = (int)below(m, 5);
    now.text = words[below(m, WORDS)];
    (void)snprintf(now.json, sizeof now.json, "{\"n\":%d,\"text\":\"%s\"}", now.n, now.text);
    options.revision = &now.revision;
    options.has_expect = below(m, 3) == 0;
    options.expect = below(m, 2) == 0 ? there : below(m, 2) * 1000000;
    options.has_ttl = below(m, 6) == 0;
    if (options.has_ttl)
        now.expires = 0;
    status = agentchat_memory_put(m->s->store, name(m, space), key, agentchat_str_from(now.json), &options, &m->s->err);
    if (options.has_expect && options.expect != there) {
        assert_int_equal(status, AGENTCHAT_E_CONFLICT);
        return;
    }
    test_ok(status, &m->s->err);
    assert_true(now.revision > d->revision);
    now.updated = (int64_t)++m->clock;
    *d = now;
}

static void get(model *m)
{
    unsigned space = below(m, SPACES), k = below(m, KEYS);
    const document *d = &m->documents[space][k];
    agentchat_memory_results *page = NULL;
    char key[2] = {(char)('k' + k), '\0'};
    agentchat_status status = agentchat_memory_get(m->s->store, name(m, space), key, false, &page, &m->s->err);

    assert_int_equal(status, lives(d) ? AGENTCHAT_OK : AGENTCHAT_E_NOTFOUND);
    if (status >= 0) {
        assert_string_equal(agentchat_memory_results_at(page, 0)->value.ptr, d->json);
        assert_int_equal(agentchat_memory_results_at(page, 0)->revision, d->revision);
    }
    agentchat_memory_results_free(page);
}

static void delete_one(model *m)
{
    unsigned space = below(m, SPACES), k = below(m, KEYS);
    document *d = &m->documents[space][k];
    char key[2] = {(char)('k' + k), '\0'};
    agentchat_status status = agentchat_memory_delete(m->s->store, name(m, space), key, NULL, &m->s->err);

    assert_int_equal(status, lives(d) ? AGENTCHAT_OK : AGENTCHAT_E_NOTFOUND);
    if (lives(d))
        d->is_there = false;
}

static void delete_below(model *m)
{
    unsigned space = below(m, SPACES);
    int n = (int)below(m, 5);
    agentchat_memory_delete_options options = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;
    uint64_t count = 0, expected = 0;
    char filter[40];

    (void)snprintf(filter, sizeof filter, "{\"n\":{\"$lt\":%d.0}}", n);
    options.filter = agentchat_str_from(filter);
    options.dry_run = below(m, 2) == 0;
    test_ok(agentchat_memory_delete_below(m->s->store, name(m, space), &options, &count, &m->s->err), &m->s->err);
    for (unsigned i = 0; i < SPACES; i++)
        for (unsigned k = 0; k < KEYS; k++) {
            document *d = &m->documents[i][k];

            if (!is_in(i, space, false) || !lives(d) || d->n >= n)
                continue;
            expected++;
            d->is_there = options.dry_run;
        }
    assert_int_equal(count, expected);
}

static void sweep(model *m)
{
    test_ok(agentchat_memory_sweep(m->s->store, NULL, &m->s->err), &m->s->err);
    for (unsigned i = 0; i < SPACES; i++)
        for (unsigned k = 0; k < KEYS; k++)
            m->documents[i][k].is_there = lives(&m->documents[i][k]);
}

/* All pages of a search, against all documents that match: those without a text in their order. */
static void search(model *m)
{
    unsigned space = below(m, SPACES);
    int n = (int)below(m, 5);
    const char *word = below(m, 2) == 0 ? words[below(m, 5)] : NULL;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;
    int64_t before = INT64_MAX;
    double score = 1e9;
    size_t found = 0, expected = 0;
    char filter[40], *cursor = NULL;

    (void)snprintf(filter, sizeof filter, "{\"n\":{\"$gte\":%d}}", n);
    query.limit = 1 + below(m, 6);
    query.exact = below(m, 3) == 0;
    query.filter = agentchat_str_from(below(m, 2) == 0 ? filter : "{}");
    query.text = agentchat_str_from(word != NULL ? word : "");
    do {
        query.cursor = cursor;
        test_ok(agentchat_memory_search(m->s->store, name(m, space), &query, &page, &m->s->err), &m->s->err);
        for (size_t i = 0; i < agentchat_memory_results_count(page); i++) {
            const agentchat_memory_item *item = agentchat_memory_results_at(page, i);
            const document *d = NULL;

            for (unsigned j = 0; j < MOST && d == NULL; j++)
                if (m->documents[j / KEYS][j % KEYS].revision == item->revision)
                    d = &m->documents[j / KEYS][j % KEYS];
            assert_true(d != NULL && lives(d));
            assert_string_equal(item->value.ptr, d->json);
            assert_true(item->has_score == (word != NULL));
            assert_true(word != NULL ? item->score < score || (item->score == score && d->updated < before)
                                     : d->updated < before);
            score = item->score;
            before = d->updated;
            found++;
        }
        free(cursor);
        cursor = agentchat_memory_results_cursor(page) != NULL ? strdup(agentchat_memory_results_cursor(page)) : NULL;
        agentchat_memory_results_free(page);
    } while (cursor != NULL);
    for (unsigned i = 0; i < SPACES; i++)
        for (unsigned k = 0; k < KEYS; k++) {
            const document *d = &m->documents[i][k];

            expected += is_in(i, space, query.exact) && lives(d) && (query.filter.len == 2 || d->n >= n) &&
                        (word == NULL || has_word(d, word));
        }
    assert_int_equal(found, expected);
}

static void list(model *m)
{
    agentchat_memory_namespace_options options = AGENTCHAT_MEMORY_NAMESPACE_OPTIONS_INIT;
    agentchat_memory_namespaces *page = NULL;
    agentchat_memory_counts counts;
    size_t documents = 0, listed = 0, expected = 0, found = 0;

    options.prefix = m->s->app;
    test_ok(agentchat_memory_list_namespaces(m->s->store, &options, &page, &m->s->err), &m->s->err);
    found = agentchat_memory_namespaces_count(page);
    for (size_t i = 0; i < found; i++)
        listed += agentchat_memory_namespaces_at(page, i)->documents;
    agentchat_memory_namespaces_free(page);
    for (unsigned i = 0; i < SPACES; i++) {
        size_t here = 0;

        for (unsigned k = 0; k < KEYS; k++)
            here += lives(&m->documents[i][k]);
        documents += here;
        expected += here > 0;
    }
    assert_int_equal(found, expected);
    assert_int_equal(listed, documents);
    test_ok(agentchat_memory_stats(m->s->store, m->s->app, &counts, &m->s->err), &m->s->err);
    assert_int_equal(counts.documents, documents);
}

static void test_memory_model__random_sequences_do_what_the_model_does(void **state)
{
    static void (*const calls[])(model *) = {put,        put,          put,   put,    get,    get,
                                             delete_one, delete_below, sweep, search, search, list};
    uint64_t sequences = test_number("AGENTCHAT_TEST_SEQUENCES", 40);
    scene *s = *state;

    for (uint64_t i = 0; i < sequences; i++) {
        model m = {.s = s, .random = i * 7919 + 17};

        for (int call = 0; call < CALLS; call++)
            calls[below(&m, sizeof calls / sizeof *calls)](&m);
        if (i % 10 == 0)
            expect_sound(s->store);
        test_ok(agentchat_memory_delete_below(s->store, s->app, NULL, NULL, &s->err), &s->err);
        test_ok(agentchat_memory_sweep(s->store, NULL, &s->err), &s->err);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {SCENE_TEST(test_memory_model__random_sequences_do_what_the_model_does)};

    scene_files_in_memory();
    return scene_program("memory.model", argc, argv) ? cmocka_run_group_tests_name("memory", tests, NULL, NULL) : 2;
}
