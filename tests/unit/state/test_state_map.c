/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/state/map.c, and of setting in src/state/change.c. */
#include "support/test_support.h"

#include "base/env.h"
#include "state/state.h"

static void set(agentchat_state *map, const char *key, const char *value)
{
    agentchat_error err;

    test_ok(agentchat_state_set(map, key, agentchat_str_from(value), &err), &err);
}

/* Asserts a map's content as it is written. */
static void check_written(const agentchat_state *map, const char *expected)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_state_write(map, &text, &err), &err);
    assert_string_equal(text.ptr, expected);
    assert_int_equal(text.len, strlen(expected));
    agentchat_bytes_clear(&text);
}

static void test_state_map__gets_what_was_set(void **state)
{
    agentchat_state *map = test_state(NULL);

    (void)state;
    assert_int_equal(agentchat_state_count(map), 0);
    assert_null(agentchat_state_get(map, "a").ptr);
    set(map, "a", "1");
    set(map, "user:b", "\"x\"");
    set(map, "app:c", "null");
    assert_int_equal(agentchat_state_count(map), 3);
    assert_str(agentchat_state_get(map, "a"), "1");
    assert_str(agentchat_state_get(map, "user:b"), "\"x\"");
    assert_str(agentchat_state_get(map, "app:c"), "null");
    assert_null(agentchat_state_get(map, "b").ptr);
    assert_null(agentchat_state_get(map, "A").ptr);
    assert_null(agentchat_state_get(map, "").ptr);
    assert_null(agentchat_state_get(map, NULL).ptr);
    agentchat_state_free(map);
}

/* A key that is there keeps its position, one that comes back is last. */
static void test_state_map__keeps_the_order(void **state)
{
    agentchat_state *map = test_state(NULL);

    (void)state;
    set(map, "b", "1");
    set(map, "a", "2");
    set(map, "c", "3");
    set(map, "b", "4");
    check_written(map, "{\"b\":4,\"a\":2,\"c\":3}");
    assert_true(agentchat_state_delete(map, "b"));
    check_written(map, "{\"a\":2,\"c\":3}");
    set(map, "b", "5");
    check_written(map, "{\"a\":2,\"c\":3,\"b\":5}");
    agentchat_state_free(map);
}

static void test_state_map__deletes(void **state)
{
    agentchat_state *map = test_state(NULL);

    (void)state;
    set(map, "a", "1");
    assert_false(agentchat_state_delete(map, "b"));
    assert_false(agentchat_state_delete(map, NULL));
    assert_true(agentchat_state_delete(map, "a"));
    assert_false(agentchat_state_delete(map, "a"));
    assert_int_equal(agentchat_state_count(map), 0);
    assert_null(agentchat_state_get(map, "a").ptr);
    check_written(map, "{}");
    agentchat_state_free(map);
}

static void test_state_map__keeps_the_spelling(void **state)
{
    static const char *const values[] = {
        "12345678901234567890123",
        "1.50",
        "-0",
        "1E+2",
        "0.10000000000000000000001",
        "\"\\u0061\\/\"",
        "{\"b\": 1,\t\"a\":[ ],\"b\":2}",
        "\"\\ud800\"",
        "1e999999999999",
    };
    agentchat_state *map = test_state(NULL);

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        set(map, "k", values[i]);
        assert_str(agentchat_state_get(map, "k"), values[i]);
    }
    agentchat_state_free(map);
}

static void test_state_map__strips_whitespace_around_a_value(void **state)
{
    agentchat_state *map = test_state(NULL);

    (void)state;
    set(map, "k", " \t\r\n [ 1 , 2 ] \n");
    assert_str(agentchat_state_get(map, "k"), "[ 1 , 2 ]");
    agentchat_state_free(map);
}

static void test_state_map__refuses_keys_and_values(void **state)
{
    static const struct {
        const char *key, *value, *path, *message;
        uint64_t offset;
    } cases[] = {
        {"", "1", "", "the key must not be empty", AGENTCHAT_NO_OFFSET},
        {NULL, "1", "", "the key must not be empty", AGENTCHAT_NO_OFFSET},
        {"temp:", "1", "", "the key \"temp:\" has nothing after its prefix", AGENTCHAT_NO_OFFSET},
        {"\xFF", "1", "", "the key \"\\xff\" is not UTF-8", AGENTCHAT_NO_OFFSET},
        {"k", NULL, "", "unexpected end of the input", 0},
        {"k", "", "", "unexpected end of the input", 0},
        {"k", "  ", "", "unexpected end of the input", 2},
        {"k", "nul", "", "expected a value", 0},
        {"k", "01", "", "expected the end of the input, found '1'", 1},
        {"k", "1 2", "", "expected the end of the input, found '2'", 2},
        {"k", "{\"a\":[1,x]}", "/a/1", "expected a value, found 'x'", 8},
        {"k", "{\"a\":1,}", "", "expected the name of a member", 7},
        {"k", "\"\xFF\"", "", "a string is not UTF-8", 1},
        {"k", "'a'", "", "expected a value", 0},
    };
    agentchat_state *map = test_state(NULL);
    agentchat_error err;

    (void)state;
    set(map, "k", "7");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_fails(agentchat_state_set(map, cases[i].key, agentchat_str_from(cases[i].value), &err), &err,
                   AGENTCHAT_E_INVALID, cases[i].path, cases[i].message);
        assert_int_equal(err.offset, cases[i].offset);
        assert_int_equal(agentchat_state_set(map, cases[i].key, agentchat_str_from(cases[i].value), NULL),
                         AGENTCHAT_E_INVALID);
    }
    check_written(map, "{\"k\":7}");
    agentchat_state_free(map);
}

static agentchat_env *env_of_depth(uint32_t depth)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;

    limits.max_depth = depth;
    options.limits = &limits;
    return test_env(&options);
}

/* The object that a map is written as is a level too, so that what goes in comes back. */
static void test_state_map__counts_depth_with_the_map_itself(void **state)
{
    agentchat_env *env = env_of_depth(3);
    agentchat_state *map = test_state(env), *back = NULL;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    set(map, "k", "[[1]]");
    test_fails(agentchat_state_set(map, "k", AGENTCHAT_STR("[[[]]]"), &err), &err, AGENTCHAT_E_LIMIT, "/0/0",
               "nested deeper than 3 levels");
    assert_str(agentchat_state_get(map, "k"), "[[1]]");
    test_ok(agentchat_state_write(map, &text, &err), &err);
    test_ok(agentchat_state_read(env, (agentchat_str){text.ptr, text.len}, &back, &err), &err);
    agentchat_bytes_clear(&text);
    agentchat_state_free(back);
    agentchat_state_free(map);
    agentchat_env_free(env);
}

/* Views of the map itself, which the call makes invalid, are fine as arguments. */
static void test_state_map__takes_views_of_itself(void **state)
{
    agentchat_state *map = test_state(NULL);
    const char *key;
    agentchat_error err;
    size_t at = 0;

    (void)state;
    set(map, "a", "\"the value\"");
    test_ok(agentchat_state_set(map, "a", agentchat_state_get(map, "a"), &err), &err);
    test_ok(agentchat_state_set(map, "b", agentchat_state_get(map, "a"), &err), &err);
    assert_true(agentchat_state_next(map, &at, &key, NULL));
    test_ok(agentchat_state_set(map, key, AGENTCHAT_STR("1"), &err), &err);
    assert_true(agentchat_state_delete(map, key));
    check_written(map, "{\"b\":\"the value\"}");
    agentchat_state_free(map);
}

static void test_state_map__walks_in_order_with_terminated_keys(void **state)
{
    agentchat_state *map = test_state(NULL);
    agentchat_str value;
    const char *key;
    size_t at = 0;

    (void)state;
    assert_false(agentchat_state_next(map, &at, &key, &value));
    assert_null(key);
    assert_null(value.ptr);
    set(map, "one", "1");
    set(map, "two", "2");
    set(map, "three", "3");
    assert_true(agentchat_state_delete(map, "two"));
    at = 0;
    assert_true(agentchat_state_next(map, &at, &key, &value));
    assert_string_equal(key, "one");
    assert_str(value, "1");
    assert_true(agentchat_state_next(map, &at, &key, NULL));
    assert_string_equal(key, "three");
    assert_false(agentchat_state_next(map, &at, NULL, NULL));
    assert_false(agentchat_state_next(map, &at, NULL, NULL));
    agentchat_state_free(map);
}

static void test_state_map__copies(void **state)
{
    agentchat_state *map = test_state(NULL), *copy;
    agentchat_error err;

    (void)state;
    set(map, "a", "1");
    set(map, "b", "2");
    set(map, "c", "3");
    (void)agentchat_state_delete(map, "a");
    test_ok(agentchat_state_copy(map, &copy, &err), &err);
    set(map, "b", "4");
    set(copy, "d", "5");
    check_written(copy, "{\"b\":2,\"c\":3,\"d\":5}");
    check_written(map, "{\"b\":4,\"c\":3}");
    agentchat_state_free(map);
    check_written(copy, "{\"b\":2,\"c\":3,\"d\":5}");
    agentchat_state_free(copy);
}

static void test_state_map__constructors_say_what_is_null(void **state)
{
    agentchat_state *map = test_state(NULL), *copy = map;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_state_new(NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    test_fails(agentchat_state_set(map, "user:name", AGENTCHAT_STR("Ann"), &err), &err, AGENTCHAT_E_INVALID, "",
               "the value of user:name is not JSON; quote it, or use agentchat_state_set_text: ");
    test_fails(agentchat_state_set_text(map, "user:name", AGENTCHAT_STR("\xFF"), &err), &err, AGENTCHAT_E_INVALID, "",
               "not UTF-8");
    test_fails(agentchat_state_copy(map, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    test_fails(agentchat_state_copy(NULL, &copy, &err), &err, AGENTCHAT_E_INVALID, "", "state must not be NULL");
    assert_null(copy);
    agentchat_state_free(map);
}

static void test_state_map__null_is_an_empty_one(void **state)
{
    agentchat_error err;
    size_t at = 0;
    int64_t sum = 7;

    (void)state;
    assert_int_equal(agentchat_state_count(NULL), 0);
    assert_null(agentchat_state_get(NULL, "a").ptr);
    assert_false(agentchat_state_delete(NULL, "a"));
    assert_false(agentchat_state_next(NULL, &at, NULL, NULL));
    check_written(NULL, "{}");
    agentchat_state_free(NULL);
    test_fails(agentchat_state_set(NULL, "a", AGENTCHAT_STR("1"), &err), &err, AGENTCHAT_E_INVALID, "",
               "state must not be NULL");
    test_fails(agentchat_state_add(NULL, "a", 1, &sum, &err), &err, AGENTCHAT_E_INVALID, "", "state must not be NULL");
    assert_int_equal(sum, 7);
    assert_ptr_equal(aci_state_env(NULL), aci_env(NULL));
}

/* ---- against a naive model ------------------------------------------------------------------------------------- */

enum { KEYS = 64, STEPS = 40000 };

typedef struct model {
    struct {
        int key, value;
    } entries[KEYS];
    int count;
} model;

static int model_find(const model *m, int key)
{
    for (int i = 0; i < m->count; i++)
        if (m->entries[i].key == key)
            return i;
    return -1;
}

static void model_set(model *m, int key, int value)
{
    int at = model_find(m, key);

    if (at < 0)
        at = m->count++;
    m->entries[at].key = key;
    m->entries[at].value = value;
}

static bool model_delete(model *m, int key)
{
    int at = model_find(m, key);

    if (at < 0)
        return false;
    m->count--;
    memmove(&m->entries[at], &m->entries[at + 1], (size_t)(m->count - at) * sizeof m->entries[0]);
    return true;
}

static void check_model(const model *m, const agentchat_state *map)
{
    agentchat_str value;
    const char *key;
    char expected[32];
    size_t at = 0;

    assert_int_equal(agentchat_state_count(map), m->count);
    for (int i = 0; i < m->count; i++) {
        assert_true(agentchat_state_next(map, &at, &key, &value));
        (void)snprintf(expected, sizeof expected, "key-%d", m->entries[i].key);
        assert_string_equal(key, expected);
        (void)snprintf(expected, sizeof expected, "%d", m->entries[i].value);
        assert_str(value, expected);
    }
    assert_false(agentchat_state_next(map, &at, &key, &value));
}

/* Phases of growing and of shrinking, so that empty slots come and go. */
static void test_state_map__random_changes_match_a_naive_map(void **state)
{
    agentchat_state *map = test_state(NULL);
    model m = {.count = 0};
    uint32_t random = 12345;

    (void)state;
    for (int step = 0; step < STEPS; step++) {
        char key[32], value[32];
        int number, deletes = step / 500 % 2 == 0 ? 3 : 7;

        random = random * 1664525u + 1013904223u;
        number = (int)(random >> 16) % KEYS;
        (void)snprintf(key, sizeof key, "key-%d", number);
        (void)snprintf(value, sizeof value, "%d", step);
        if ((int)(random >> 8 & 0xFF) % 10 < deletes) {
            assert_int_equal(agentchat_state_delete(map, key), model_delete(&m, number));
        } else {
            set(map, key, value);
            model_set(&m, number, step);
        }
        if (step % 7 == 0)
            check_model(&m, map);
    }
    check_model(&m, map);
    agentchat_state_free(map);
}

/* What is gone gives its memory back: the slots too, once most of them are empty. */
static void test_state_map__gives_memory_back(void **state)
{
    enum { MANY = 5000 };
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_state *map = test_state(env);
    uint64_t full;

    (void)state;
    for (int i = 0; i < MANY; i++) {
        char key[32];

        (void)snprintf(key, sizeof key, "key-%d", i);
        set(map, key, "\"a value of some length\"");
    }
    full = oom.live_bytes;
    for (int i = 0; i < MANY; i++) {
        char key[32];

        (void)snprintf(key, sizeof key, "key-%d", (i * 7919) % MANY);
        assert_true(agentchat_state_delete(map, key));
    }
    assert_true(oom.live_bytes < full / 50);
    agentchat_state_free(map);
    agentchat_env_free(env);
    assert_int_equal(oom.live_blocks, 0);
}

/* Taking out never fails, whatever memory there is. */
static void test_state_map__deletes_without_memory(void **state)
{
    enum { MANY = 300 };
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_state *map = test_state(env);
    char key[32];

    (void)state;
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(key, sizeof key, "key-%d", i);
        set(map, key, "1");
    }
    oom.fail_at = oom.calls;
    oom.all_after = true;
    for (int i = 0; i < MANY; i += 2) {
        (void)snprintf(key, sizeof key, "key-%d", i);
        assert_true(agentchat_state_delete(map, key));
    }
    for (int i = 1; i < MANY - 9; i += 2) {
        (void)snprintf(key, sizeof key, "key-%d", i);
        assert_str(agentchat_state_get(map, key), "1");
        assert_true(agentchat_state_delete(map, key));
        assert_null(agentchat_state_get(map, key).ptr);
    }
    assert_int_equal(agentchat_state_count(map), 5);
    assert_true(oom.failures > 0);
    oom.fail_at = UINT64_MAX;
    oom.all_after = false;
    set(map, "key-0", "2");
    check_written(map, "{\"key-291\":1,\"key-293\":1,\"key-295\":1,\"key-297\":1,\"key-299\":1,\"key-0\":2}");
    agentchat_state_free(map);
    agentchat_env_free(env);
    assert_int_equal(oom.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_map__gets_what_was_set),
        cmocka_unit_test(test_state_map__keeps_the_order),
        cmocka_unit_test(test_state_map__deletes),
        cmocka_unit_test(test_state_map__keeps_the_spelling),
        cmocka_unit_test(test_state_map__strips_whitespace_around_a_value),
        cmocka_unit_test(test_state_map__refuses_keys_and_values),
        cmocka_unit_test(test_state_map__counts_depth_with_the_map_itself),
        cmocka_unit_test(test_state_map__takes_views_of_itself),
        cmocka_unit_test(test_state_map__walks_in_order_with_terminated_keys),
        cmocka_unit_test(test_state_map__copies),
        cmocka_unit_test(test_state_map__constructors_say_what_is_null),
        cmocka_unit_test(test_state_map__null_is_an_empty_one),
        cmocka_unit_test(test_state_map__random_changes_match_a_naive_map),
        cmocka_unit_test(test_state_map__gives_memory_back),
        cmocka_unit_test(test_state_map__deletes_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
