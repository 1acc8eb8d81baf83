/* SPDX-License-Identifier: Apache-2.0 */
/* The persistent list of JSON texts, against plain arrays, with forks everywhere, in threads and without memory. */
#include "support/test_support.h"

#include "model/value_list.h"
#include <pthread.h>

enum { LISTS = 24, LONGEST = 400, TEXT = 12 };

typedef struct model {
    aci_value_list *list;
    char array[LONGEST][TEXT];
    size_t count;
} model;

static agentchat_str text_of(const char *text)
{
    return agentchat_str_from(text);
}

static void check(const model *m)
{
    char expected[LONGEST * TEXT + 3] = "[";
    agentchat_str text = {NULL, 0};
    aci_value_list_cursor cursor;

    assert_int_equal(aci_value_list_count(m->list), m->count);
    aci_value_list_cursor_begin(&cursor, m->list);
    for (size_t i = 0; i < m->count; i++) {
        assert_str(aci_value_list_cursor_at(&cursor, i), m->array[i]);
        strcat(strcat(expected, i > 0 ? "," : ""), m->array[i]);
    }
    for (size_t i = m->count; i-- > 0;)
        assert_str(aci_value_list_cursor_at(&cursor, i), m->array[i]);
    assert_null(aci_value_list_cursor_at(&cursor, m->count).ptr);
    assert_true(aci_value_list_text(m->list, &text));
    strcat(expected, "]");
    assert_str(text, expected);
}

/* What is said to be shared is the same. */
static void check_shared(const model *a, const model *b)
{
    size_t skipped, run;

    aci_value_list_shared(a->list, b->list, &skipped, &run);
    assert_true(run <= b->count && skipped + run <= a->count);
    for (size_t i = 0; i < run; i++)
        assert_string_equal(a->array[skipped + i], b->array[i]);
}

/* m becomes elements [first, first + count) of another one, and some more. */
static void make(model *m, const model *from, size_t first, size_t count, size_t more)
{
    model *made = calloc(1, sizeof *made);
    agentchat_str added[LONGEST];

    memcpy(made->array, from->array[first], count * sizeof *made->array);
    made->count = count;
    for (size_t i = 0; i < more; i++) {
        snprintf(made->array[made->count], TEXT, " %zu", test_pick(1000));
        added[i] = text_of(made->array[made->count++]);
    }
    made->list = aci_value_list_make(aci_env(NULL), from->list, first, count, added, more);
    assert_non_null(made->list);
    check(made);
    check_shared(from, made);
    aci_value_list_unref(m->list);
    *m = *made;
    free(made);
}

static void step(model *models)
{
    model *m = &models[test_pick(LISTS)], *from = test_pick(3) == 0 ? &models[test_pick(LISTS)] : m;
    size_t first = test_pick(3) > 0 ? 0 : test_pick(from->count + 1), count = from->count - first;

    if (test_pick(4) == 0)
        count = test_pick(count + 1);
    make(m, from, first, count, test_pick(LONGEST - count < 40 ? LONGEST - count + 1 : 40));
    check(from);
    check_shared(&models[test_pick(LISTS)], m);
}

static void test_value_list__behaves_like_an_array_under_any_operations(void **state)
{
    model *models = calloc(LISTS, sizeof *models);

    (void)state;
    for (size_t i = 0; i < LISTS; i++)
        models[i].list = aci_value_list_make(aci_env(NULL), NULL, 0, 0, NULL, 0);
    for (size_t round = 0; round < 4000; round++)
        step(models);
    for (size_t i = 0; i < LISTS; i++) {
        check(&models[i]);
        aci_value_list_unref(models[i].list);
    }
    free(models);
}

/* What goes on from a list is known to be its without a look at the elements, but for what a fork copies. */
static void test_value_list__shares(void **state)
{
    agentchat_str texts[100], one = AGENTCHAT_STR("1");
    aci_value_list *list, *grown, *cut, *fork;
    size_t skipped, run;

    (void)state;
    for (size_t i = 0; i < 100; i++)
        texts[i] = AGENTCHAT_STR("[]");
    list = aci_value_list_make(aci_env(NULL), NULL, 0, 0, texts, 100);
    grown = aci_value_list_make(aci_env(NULL), list, 0, 100, &one, 1);
    cut = aci_value_list_make(aci_env(NULL), grown, 30, 71, &one, 1);
    fork = aci_value_list_make(aci_env(NULL), grown, 0, 100, texts, 3);
    aci_value_list_shared(list, grown, &skipped, &run);
    assert_int_equal(skipped, 0);
    assert_int_equal(run, 100);
    aci_value_list_shared(list, cut, &skipped, &run);
    assert_int_equal(skipped, 30);
    assert_int_equal(run, 70);
    aci_value_list_shared(cut, list, &skipped, &run);
    assert_int_equal(run, 0);
    aci_value_list_shared(grown, fork, &skipped, &run);
    assert_int_equal(skipped, 0);
    assert_int_equal(run, 100);
    aci_value_list_unref(list);
    aci_value_list_unref(grown);
    aci_value_list_unref(cut);
    aci_value_list_unref(fork);
}

/* Blocks that are alive after so many turns, each of which drops two elements in front and appends two. */
static uint64_t blocks_of_window(const agentchat_env *env, test_oom *oom, size_t turns, size_t window)
{
    agentchat_str texts[2] = {AGENTCHAT_STR("1"), AGENTCHAT_STR("{\"a\":2}")};
    aci_value_list *list = aci_value_list_make(env, NULL, 0, 0, NULL, 0);
    uint64_t used;

    for (size_t i = 0; i < turns; i++) {
        size_t first = aci_value_list_count(list) >= window ? 2 : 0;
        aci_value_list *next = aci_value_list_make(env, list, first, aci_value_list_count(list) - first, texts, 2);

        aci_value_list_unref(list);
        list = next;
    }
    used = oom->live_blocks;
    aci_value_list_unref(list);
    return used;
}

static void test_value_list__a_window_keeps_what_it_shows(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);

    (void)state;
    assert_true(blocks_of_window(env, &oom, 20000, 40) <= blocks_of_window(env, &oom, 100, 40) + 30);
    agentchat_env_free(env);
}

static void test_value_list__splits_an_array_and_gives_it_back(void **state)
{
    static const char *const arrays[] = {"[]", "[1]", "[ 1 , 2\n]", "[\"a,]\" ,{\"b\":[1, 2]},[]]", "[null,1.50,1.5]"};
    aci_arena *arena = aci_arena_new(aci_env(NULL), 0);

    (void)state;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        agentchat_str *texts = NULL, text = {NULL, 0};
        size_t count = 0;
        aci_value_list *list;

        assert_true(aci_value_list_split(text_of(arrays[i]), arena, &texts, &count));
        list = aci_value_list_make(aci_env(NULL), NULL, 0, 0, texts, count);
        assert_true(aci_value_list_text(list, &text));
        assert_str(text, arrays[i]);
        aci_value_list_unref(list);
    }
    aci_arena_unref(arena);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 500 };

static aci_value_list *base;

/* Each goes on from the same list, and asks for its text at the same time. */
static void *go_on(void *user)
{
    aci_value_list *list = aci_value_list_ref(base);
    agentchat_str text = {NULL, 0};

    if (!aci_value_list_text(list, &text) || text.len < 2)
        return user;
    for (size_t i = 0; i < ROUNDS; i++) {
        aci_value_list *next =
            aci_value_list_make(aci_env(NULL), list, 0, aci_value_list_count(list), (const agentchat_str *)user, 1);

        aci_value_list_unref(list);
        list = next;
        if (list == NULL)
            return user;
    }
    if (!aci_value_list_text(list, &text) || text.ptr[text.len - 2] != *((const agentchat_str *)user)->ptr)
        return user;
    aci_value_list_unref(list);
    return NULL;
}

static void test_value_list__threads_go_on_from_one_list(void **state)
{
    agentchat_str own[THREADS] = {AGENTCHAT_STR("1"), AGENTCHAT_STR("2"), AGENTCHAT_STR("3"), AGENTCHAT_STR("4")};
    pthread_t threads[THREADS];
    void *failed;

    (void)state;
    base = aci_value_list_make(aci_env(NULL), NULL, 0, 0, own, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, go_on, &own[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    aci_value_list_unref(base);
}

/* ---- no memory --------------------------------------------------------------------------------------------------- */

static agentchat_status scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_str texts[100], text;
    aci_value_list *list = NULL, *fork = NULL, *window = NULL;
    bool ok;

    (void)user;
    for (size_t i = 0; i < 100; i++)
        texts[i] = AGENTCHAT_STR("123");
    list = aci_value_list_make(env, NULL, 0, 0, texts, 100);
    if (list != NULL)
        fork = aci_value_list_make(env, list, 0, 90, texts, 100);
    if (fork != NULL)
        window = aci_value_list_make(env, fork, 150, 40, texts, 1);
    ok = window != NULL && aci_value_list_text(window, &text);
    if (ok)
        assert_int_equal(text.len, 41 * 4 + 1);
    aci_value_list_unref(list);
    aci_value_list_unref(fork);
    aci_value_list_unref(window);
    return ok ? AGENTCHAT_OK : agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
}

static void test_value_list__runs_out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(scenario, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_list__behaves_like_an_array_under_any_operations),
        cmocka_unit_test(test_value_list__shares),
        cmocka_unit_test(test_value_list__a_window_keeps_what_it_shows),
        cmocka_unit_test(test_value_list__splits_an_array_and_gives_it_back),
        cmocka_unit_test(test_value_list__threads_go_on_from_one_list),
        cmocka_unit_test(test_value_list__runs_out_of_memory),
    };

    return cmocka_run_group_tests_name("model.value_list", tests, NULL, NULL);
}
