/* SPDX-License-Identifier: Apache-2.0 */
/* The persistent list, against plain arrays, with forks everywhere, in threads and without memory. */
#include "support/test_support.h"

#include "base/error.h"
#include "model/model.h"
#include <pthread.h>

enum { POOL = 300, LISTS = 24, LONGEST = 400 };

static agentchat_message *pool[POOL];     /* messages of their own */
static agentchat_message *document[POOL]; /* messages that share an arena */
static aci_arena *document_arena;

static int make_pool(void **state)
{
    aci_draft d;

    (void)state;
    document_arena = aci_arena_new(aci_env(NULL), 0);
    aci_draft_begin(&d);
    for (size_t i = 0; i < POOL; i++) {
        if (agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("x"), &pool[i], NULL) < 0)
            return 1;
        document[i] = aci_draft_message(&d, document_arena, NULL, 0, 0);
    }
    return 0;
}

static int free_pool(void **state)
{
    (void)state;
    for (size_t i = 0; i < POOL; i++)
        agentchat_message_unref(pool[i]);
    aci_arena_unref(document_arena);
    return 0;
}

typedef struct model {
    agentchat_messages list;
    const agentchat_message *array[LONGEST];
    size_t count;
} model;

static void check(const model *m)
{
    const agentchat_message *flat[LONGEST] = {NULL};
    aci_list_cursor cursor;

    assert_int_equal(agentchat_messages_count(&m->list), m->count);
    aci_list_flatten(&m->list, flat);
    aci_list_cursor_begin(&cursor, &m->list);
    for (size_t i = 0; i < m->count; i++) {
        assert_ptr_equal(flat[i], m->array[i]);
        assert_ptr_equal(agentchat_messages_at(&m->list, i), m->array[i]);
        assert_ptr_equal(aci_list_cursor_at(&cursor, i), m->array[i]);
    }
    for (size_t i = m->count; i-- > 0;)
        assert_ptr_equal(aci_list_cursor_at(&cursor, i), m->array[i]);
    assert_null(agentchat_messages_at(&m->list, m->count));
    assert_null(aci_list_cursor_at(&cursor, m->count));
}

static void append(model *m, const agentchat_message *message)
{
    if (m->count == LONGEST)
        return;
    assert_true(aci_list_append(&m->list, message));
    m->array[m->count++] = message;
}

static void copy_model(model *to, const model *from, size_t first, size_t count)
{
    agentchat_messages made;

    count = first > from->count ? 0 : count > from->count - first ? from->count - first : count;
    if (first == 0 && count == from->count)
        aci_list_copy(&made, &from->list);
    else if (first == 0)
        aci_list_prefix(&made, &from->list, count);
    else
        assert_true(aci_list_slice(&made, &from->list, first, count));
    memmove(to->array, from->array + first, count * sizeof *to->array);
    aci_list_clear(&to->list);
    to->list = made;
    to->count = count;
}

static void check_prefix(const model *a, const model *b)
{
    bool expected = a->count <= b->count && memcmp(a->array, b->array, a->count * sizeof *a->array) == 0;

    assert_int_equal(aci_list_is_prefix(&a->list, &b->list), expected);
}

static void step(model *models)
{
    model *m = &models[test_pick(LISTS)], *other = &models[test_pick(LISTS)];
    size_t n, first;

    switch (test_pick(8)) {
    case 0:
        copy_model(m, other, 0, other->count);
        break;
    case 1:
        copy_model(m, other, 0, test_pick(other->count + 1));
        break;
    case 2:
        copy_model(m, other, test_pick(other->count + 1), test_pick(other->count + 2));
        break;
    case 3:
        n = test_pick(40);
        aci_list_clear(&m->list);
        assert_true(aci_list_from_arena(&m->list, aci_env(NULL), document_arena, document, n));
        memcpy(m->array, document, n * sizeof *document);
        m->count = n;
        break;
    case 4:
        first = test_pick(other->count + 1);
        n = test_pick(other->count - first + 1);
        if (m != other && m->count + n <= LONGEST) {
            assert_true(aci_list_append_range(&m->list, &other->list, first, n));
            memcpy(m->array + m->count, other->array + first, n * sizeof *m->array);
            m->count += n;
        }
        break;
    default:
        for (n = test_pick(30); n > 0; n--)
            append(m, test_pick(2) == 0 ? pool[test_pick(POOL)] : document[test_pick(POOL)]);
    }
    check(m);
    check_prefix(m, other);
    check_prefix(other, m);
}

static void test_list__behaves_like_an_array_under_any_operations(void **state)
{
    model *models = calloc(LISTS, sizeof *models);

    (void)state;
    for (size_t i = 0; i < LISTS; i++)
        aci_list_init(&models[i].list, aci_env(NULL));
    for (size_t round = 0; round < 6000; round++)
        step(models);
    for (size_t i = 0; i < LISTS; i++)
        check(&models[i]);
    for (size_t i = 0; i < LISTS; i++)
        aci_list_clear(&models[i].list);
    free(models);
}

static void test_list__prefixes_share(void **state)
{
    agentchat_messages list, prefix, empty;

    (void)state;
    aci_list_init(&list, aci_env(NULL));
    for (size_t i = 0; i < 100; i++)
        assert_true(aci_list_append(&list, pool[i]));
    aci_list_prefix(&prefix, &list, 3);
    aci_list_prefix(&empty, &list, 0);
    assert_null(empty.tail);
    assert_true(aci_list_is_prefix(&prefix, &list));
    assert_true(aci_list_is_prefix(&empty, &prefix));
    assert_false(aci_list_is_prefix(&list, &prefix));
    aci_list_clear(&list);
    assert_ptr_equal(agentchat_messages_at(&prefix, 2), pool[2]);
    aci_list_clear(&prefix);
    aci_list_clear(&empty);
}

/* Counts allocations for `count` appends, forking before each one if asked to. */
static uint64_t blocks_for(size_t count, bool forked)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_messages list, other;
    uint64_t before = oom.live_blocks, used;

    aci_list_init(&list, env);
    for (size_t i = 0; i < count; i++) {
        if (forked) {
            aci_list_copy(&other, &list);
            assert_true(aci_list_append(&other, pool[1])); /* takes the slot */
        }
        assert_true(aci_list_append(&list, pool[0]));
        if (forked)
            aci_list_clear(&other);
    }
    used = oom.live_blocks - before;
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(agentchat_messages_at(&list, i), pool[0]);
    aci_list_clear(&list);
    assert_int_equal(oom.live_blocks, before);
    agentchat_env_free(env);
    return used;
}

static void test_list__stays_in_few_segments(void **state)
{
    (void)state;
    assert_true(blocks_for(100000, false) <= 16);
    assert_true(blocks_for(6400, true) <= 120);
}

static void test_list__an_arena_is_counted_once_for_a_document(void **state)
{
    aci_arena *arena = aci_arena_new(aci_env(NULL), 0);
    agentchat_messages list;
    agentchat_message *one[3];
    aci_draft d;

    (void)state;
    aci_draft_begin(&d);
    for (size_t i = 0; i < 3; i++)
        one[i] = aci_draft_message(&d, arena, NULL, 0, 0);
    assert_true(aci_list_from_arena(&list, aci_env(NULL), arena, one, 3));
    aci_arena_unref(arena); /* the list alone keeps it: a sanitizer sees an access after its end */
    assert_ptr_equal(agentchat_messages_at(&list, 2), one[2]);
    assert_int_equal(agentchat_message_item_count(agentchat_messages_at(&list, 2)), 0);
    aci_list_clear(&list);
}

static void test_list__long_chains_are_taken_apart_without_recursion(void **state)
{
    agentchat_messages list, other;

    (void)state;
    aci_list_init(&list, aci_env(NULL));
    for (size_t i = 0; i < 1000000; i++) {
        assert_true(aci_list_append(&list, pool[0]));
        if (i % 65 == 64) { /* one more than a fork copies: the longest chain there can be */
            aci_list_prefix(&other, &list, list.count);
            assert_true(aci_list_append(&other, pool[1]));
            aci_list_clear(&other);
        }
    }
    assert_int_equal(list.count, 1000000);
    aci_list_clear(&list);
}

static void test_messages__are_made_and_released(void **state)
{
    agentchat_messages *list = (agentchat_messages *)1;
    const agentchat_message *bad[2] = {pool[0], NULL};
    agentchat_error err;

    (void)state;
    test_fails(agentchat_messages_new(NULL, bad, 2, &list, &err), &err, AGENTCHAT_E_INVALID, "",
               "message 1 of the list is NULL");
    assert_null(list);
    test_ok(agentchat_messages_new(NULL, NULL, 0, &list, &err), &err);
    assert_int_equal(agentchat_messages_count(list), 0);
    assert_null(agentchat_messages_at(list, 0));
    agentchat_messages_unref(list);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)pool, POOL, &list, &err), &err);
    assert_int_equal(agentchat_messages_count(list), POOL);
    assert_ptr_equal(agentchat_messages_at(list, POOL - 1), pool[POOL - 1]);
    agentchat_messages_unref(list);
    agentchat_messages_unref(NULL);
    assert_int_equal(agentchat_messages_count(NULL), 0);
    assert_null(agentchat_messages_at(NULL, 0));
}

static void test_messages__stay_while_the_chat_goes_on(void **state)
{
    agentchat_messages history, *kept = NULL, *again = NULL;
    agentchat_error err;

    (void)state;
    aci_list_init(&history, aci_env(NULL));
    for (size_t i = 0; i < 3; i++)
        assert_true(aci_list_append(&history, pool[i]));
    test_ok(agentchat_messages_ref(&history, &kept, &err), &err);
    for (size_t i = 3; i < 100; i++)
        assert_true(aci_list_append(&history, pool[i]));
    assert_int_equal(agentchat_messages_count(kept), 3);
    aci_list_clear(&history);
    test_ok(agentchat_messages_ref(kept, &again, &err), &err);
    agentchat_messages_unref(kept);
    assert_int_equal(agentchat_messages_count(again), 3);
    assert_ptr_equal(agentchat_messages_at(again, 2), pool[2]);
    agentchat_messages_unref(again);
    again = (agentchat_messages *)1;
    test_fails(agentchat_messages_ref(NULL, &again, &err), &err, AGENTCHAT_E_INVALID, "", "messages must not be NULL");
    assert_null(again);
    test_fails(agentchat_messages_ref(&history, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
}

static agentchat_status list_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_messages list, fork, slice, *made = NULL;
    agentchat_status status = agentchat_messages_new(env, (const agentchat_message *const *)pool, 10, &made, err);

    (void)user;
    if (status < 0)
        return status;
    aci_list_init(&list, env);
    aci_list_init(&fork, env);
    aci_list_init(&slice, env);
    for (size_t i = 0; i < 200 && status >= 0; i++) {
        size_t count = list.count;

        if (!aci_list_append(&list, pool[i])) {
            assert_int_equal(list.count, count);
            status = aci_fail_nomem(err);
        }
    }
    aci_list_prefix(&fork, &list, 150);
    if (status >= 0 && (!aci_list_append(&fork, pool[0]) || !aci_list_append_range(&fork, made, 2, 8) ||
                        !aci_list_slice(&slice, &fork, 140, 12)))
        status = aci_fail_nomem(err);
    if (status < 0)
        assert_true(fork.count == list.count || fork.count == 150 || fork.count == 151 || fork.count == 159);
    aci_list_clear(&list);
    aci_list_clear(&fork);
    aci_list_clear(&slice);
    agentchat_messages_unref(made);
    return status;
}

static void test_list__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(list_scenario, NULL) > 8);
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

typedef struct job {
    agentchat_messages list; /* the thread's own value; shares segments with all others */
    const agentchat_message *mine;
    size_t base;
    bool ok;
} job;

static void *append_and_read(void *user)
{
    job *j = user;

    j->ok = true;
    for (size_t round = 0; round < 200; round++) {
        agentchat_messages fork;

        aci_list_prefix(&fork, &j->list, j->base + round % 5);
        j->ok = j->ok && aci_list_append(&fork, j->mine) && aci_list_append(&j->list, j->mine);
        for (size_t i = 0; i < j->list.count; i++)
            j->ok = j->ok && agentchat_messages_at(&j->list, i) == (i < j->base ? pool[i] : j->mine);
        j->ok = j->ok && agentchat_messages_at(&fork, fork.count - 1) == j->mine;
        aci_list_clear(&fork);
    }
    aci_list_clear(&j->list);
    return NULL;
}

static void test_list__forks_of_a_shared_list_grow_in_threads(void **state)
{
    (void)state;
    for (size_t base = 0; base < 20; base++) {
        agentchat_messages shared;
        pthread_t threads[4];
        job jobs[4];

        aci_list_init(&shared, aci_env(NULL));
        for (size_t i = 0; i < base; i++)
            assert_true(aci_list_append(&shared, pool[i]));
        for (size_t i = 0; i < 4; i++) {
            jobs[i] = (job){.mine = pool[100 + i], .base = base};
            aci_list_copy(&jobs[i].list, &shared);
            assert_int_equal(pthread_create(&threads[i], NULL, append_and_read, &jobs[i]), 0);
        }
        for (size_t i = 0; i < base; i++)
            assert_ptr_equal(agentchat_messages_at(&shared, i), pool[i]);
        for (size_t i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
            assert_true(jobs[i].ok);
        }
        aci_list_clear(&shared);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list__behaves_like_an_array_under_any_operations),
        cmocka_unit_test(test_list__prefixes_share),
        cmocka_unit_test(test_list__stays_in_few_segments),
        cmocka_unit_test(test_list__an_arena_is_counted_once_for_a_document),
        cmocka_unit_test(test_list__long_chains_are_taken_apart_without_recursion),
        cmocka_unit_test(test_messages__are_made_and_released),
        cmocka_unit_test(test_messages__stay_while_the_chat_goes_on),
        cmocka_unit_test(test_list__survives_running_out_of_memory),
        cmocka_unit_test(test_list__forks_of_a_shared_list_grow_in_threads),
    };

    test_seed(12345);
    return cmocka_run_group_tests(tests, make_pool, free_pool);
}
