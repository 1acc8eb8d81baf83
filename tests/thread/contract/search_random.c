/* SPDX-License-Identifier: Apache-2.0 */
/* Random trees that are put and pruned, copied, and indexed at one time or another, and what is found in them beside
   what a naive search finds. THREAD_SEARCHES says how many. */
#include "thread/contract/contract.h"

enum { MOST_NODES = 24, MOST_TEXTS = 20, WORDS = 4 };
static const char *const words[WORDS] = {"red", "green", "blue", "grey"};

typedef struct node {
    char id[8];
    const char *ns;
    size_t parent;              /* MOST_NODES: none */
    unsigned texts[MOST_TEXTS]; /* a bit for each word */
    size_t count;
    bool gone;
} node;

typedef struct tree {
    node nodes[MOST_NODES];
    size_t count;
} tree;

/* Appended to, cut off at the beginning or the end, changed in the middle, or all of this. */
static void change_texts(node *n)
{
    size_t at = test_pick(n->count + 1);

    if (test_pick(3) == 0) {
        size_t cut = test_pick(n->count + 1);

        n->count -= cut;
        memmove(n->texts, n->texts + (test_pick(2) == 0 ? cut : 0), n->count * sizeof *n->texts);
    } else if (test_pick(3) == 0 && at < n->count) {
        n->texts[at] = (unsigned)test_pick(1u << WORDS);
    } else if (test_pick(4) == 0 && n->count < MOST_TEXTS) {
        memmove(n->texts + at + 1, n->texts + at, (n->count - at) * sizeof *n->texts);
        n->texts[at] = (unsigned)test_pick(1u << WORDS);
        n->count++;
    }
    for (size_t i = test_pick(4); i > 0 && n->count < MOST_TEXTS; i--)
        n->texts[n->count++] = (unsigned)test_pick(1u << WORDS);
}

static void put_node(scene *s, const tree *t, const node *n, bool replace)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    char text[MOST_TEXTS * 32] = "";
    agentchat_snapshot *chat;

    for (size_t i = 0; i < n->count; i++) {
        strcat(text, i > 0 ? "|." : ".");
        for (size_t w = 0; w < WORDS; w++)
            if ((n->texts[i] >> w & 1) != 0)
                strcat(strcat(text, " "), words[w]);
    }
    chat = chat_of(text, test_pick(3) == 0 ? "red|green" : NULL, NULL);
    options.id = n->id;
    options.ns = n->ns;
    options.parent = n->parent != MOST_NODES ? t->nodes[n->parent].id : NULL;
    options.no_parent = n->parent == MOST_NODES;
    options.branch = true;
    options.replace = replace;
    (void)put_chat(s, chat, &options);
    agentchat_snapshot_unref(chat);
}

static void grow(scene *s, tree *t)
{
    node *n = &t->nodes[t->count];
    bool replace = t->count > 0 && test_pick(8) == 0;

    if (replace) {
        n = &t->nodes[test_pick(t->count)];
        if (n->gone)
            return;
        change_texts(n);
        put_node(s, t, n, true);
        return;
    }
    *n = (node){.ns = test_pick(4) == 0 ? "sub" : "", .parent = MOST_NODES};
    for (size_t i = t->count, tries = test_pick(4); i-- > 0 && tries > 0;)
        if (strcmp(t->nodes[i].ns, n->ns) == 0 && !t->nodes[i].gone) {
            n->parent = i;
            tries -= test_pick(2) == 0 ? 1 : tries;
        }
    if (n->parent != MOST_NODES) {
        memcpy(n->texts, t->nodes[n->parent].texts, sizeof n->texts);
        n->count = t->nodes[n->parent].count;
    }
    change_texts(n);
    snprintf(n->id, sizeof n->id, "c%zu", t->count);
    put_node(s, t, n, false);
    t->count++;
}

/* Prunes, and finds out what that has left. */
static void prune(scene *s, tree *t)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    options.keep = 1 + test_pick(4);
    options.branches = test_pick(2) == 0;
    test_ok(agentchat_thread_prune(s->store, s->app, &options, NULL, &s->err), &s->err);
    for (size_t i = 0; i < t->count; i++) {
        agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
        agentchat_checkpoint *checkpoint = NULL;

        which.ns = t->nodes[i].ns;
        which.id = t->nodes[i].id;
        t->nodes[i].gone = agentchat_checkpoint_get(s->store, s->app, &which, &checkpoint, NULL) < 0;
        agentchat_checkpoint_free(checkpoint);
    }
}

static size_t occurrences(const node *n, unsigned text, size_t from)
{
    size_t count = 0;

    for (size_t i = from; i < n->count; i++)
        count += n->texts[i] == text;
    return count;
}

/* With what a checkpoint is compared; NULL: nothing. */
static const node *base_of(const tree *t, size_t at)
{
    const node *n = &t->nodes[at];

    if (n->parent != MOST_NODES && !t->nodes[n->parent].gone)
        return &t->nodes[n->parent];
    while (at-- > 0)
        if (!t->nodes[at].gone && strcmp(t->nodes[at].ns, n->ns) == 0)
            return &t->nodes[at];
    return NULL;
}

static void find_naively(const tree *t, unsigned query, const char *ns, char *out)
{
    for (size_t at = t->count; at-- > 0;) {
        const node *n = &t->nodes[at], *base = base_of(t, at);

        for (size_t i = n->count; i-- > 0 && !n->gone && strcmp(n->ns, ns) == 0;) {
            size_t before = base != NULL ? occurrences(base, n->texts[i], 0) : 0;
            size_t len = strlen(out);

            if ((n->texts[i] & query) == query &&
                occurrences(n, n->texts[i], i) + before <= occurrences(n, n->texts[i], 0))
                snprintf(out + len, FOUND_SIZE - len, "%s%s:%zu", len > 0 ? " " : "", n->id, i);
        }
    }
}

static void compare_with_naive(scene *s, const tree *t)
{
    static char expected[FOUND_SIZE];
    search what = {.limit = test_pick(2) == 0 ? 0 : 1 + test_pick(5)};
    unsigned query = 1 + (unsigned)test_pick((1u << WORDS) - 1);
    char text[64] = "";

    for (size_t w = 0; w < WORDS; w++)
        if ((query >> w & 1) != 0)
            strcat(strcat(text, words[w]), " ");
    what.query = text;
    expected[0] = '\0';
    find_naively(t, query, "", expected);
    find_naively(t, query, "sub", expected);
    assert_string_equal(found(s, what), expected);
}

static void copy_thread(scene *s, const char *name)
{
    static size_t number;
    char copy[sizeof s->app];

    snprintf(copy, sizeof copy, "%.40s-%zu-copy", name, ++number);
    test_ok(agentchat_thread_copy(s->store, s->app, copy, &s->err), &s->err);
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    memcpy(s->app, copy, sizeof copy);
}

/* A tree that is indexed from the beginning, from some checkpoint on, and perhaps not any more later. */
static void search_indexed(scene *s, const char *name, tree *t)
{
    bool on = test_pick(2) == 0;

    test_ok(agentchat_thread_index(s->store, on, &s->err), &s->err);
    t->count = 0;
    while (t->count < MOST_NODES) {
        grow(s, t);
        if (test_pick(12) == 0)
            prune(s, t);
        if (test_pick(3) == 0)
            compare_with_naive(s, t);
        if (test_pick(10) == 0) {
            on = test_pick(4) != 0;
            test_ok(agentchat_thread_index(s->store, on, &s->err), &s->err);
        }
        if (test_pick(24) == 0 && t->count > 0)
            copy_thread(s, name);
    }
    for (int k = 0; k < 4; k++)
        compare_with_naive(s, t);
    expect_sound(s->store);
}

/* Those of other tests would be indexed again and again. */
static void delete_all_threads(scene *s)
{
    size_t count = 1;

    while (count > 0) {
        agentchat_thread_list *list = NULL;

        test_ok(agentchat_thread_list_read(s->store, NULL, &list, &s->err), &s->err);
        count = agentchat_thread_list_count(list);
        for (size_t i = 0; i < count; i++)
            test_ok(agentchat_thread_delete(s->store, agentchat_thread_list_at(list, i)->id, &s->err), &s->err);
        agentchat_thread_list_free(list);
    }
}

static void test_search__equals_a_naive_search_when_indexed(void **state)
{
    scene *s = *state;
    size_t count = (size_t)test_number("THREAD_SEARCHES", s->kind == STORE_POSTGRES ? 10 : 40);
    char name[sizeof s->app];
    tree t;

    delete_all_threads(s);
    memcpy(name, s->app, sizeof name);
    for (size_t i = 0; i < count; i++) {
        test_seed((uint32_t)i + 1001);
        snprintf(s->app, sizeof s->app, "%.40s-%zu", name, i);
        search_indexed(s, name, &t);
        test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    }
    test_ok(agentchat_thread_index(s->store, false, &s->err), &s->err);
    memcpy(s->app, name, sizeof name);
}

static void test_search__equals_a_naive_search(void **state)
{
    scene *s = *state;
    size_t count = (size_t)test_number("THREAD_SEARCHES", 40);
    char name[sizeof s->app];
    tree t;

    memcpy(name, s->app, sizeof name);
    for (size_t i = 0; i < count; i++) {
        test_seed((uint32_t)i + 1);
        snprintf(s->app, sizeof s->app, "%.40s-%zu", name, i);
        t.count = 0;
        while (t.count < MOST_NODES) {
            grow(s, &t);
            if (test_pick(12) == 0)
                prune(s, &t);
            if (test_pick(3) == 0)
                compare_with_naive(s, &t);
        }
        for (int k = 0; k < 4; k++)
            compare_with_naive(s, &t);
    }
    memcpy(s->app, name, sizeof name);
}

int contract_search_random(void)
{
    const struct CMUnitTest tests[] = {SCENE_TEST(test_search__equals_a_naive_search),
                                       SCENE_TEST(test_search__equals_a_naive_search_when_indexed)};

    return CONTRACT_GROUP("search_random", tests);
}
