/* SPDX-License-Identifier: Apache-2.0 */
/* Every call of src/state that allocates, with each of its allocations failing: E_NOMEM, and all as it was before. */
#include "template_test.h"

#include "base/error.h"
#include "state/state.h"

static const char some_object[] = "{\"a\":1,\"\\u0062\":\"x\",\"user:c\":[[[[[[[[[[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]]]"
                                  "]]]]]]],\"app:d\":{\"e\":\"\\u0066\"},"
                                  "\"k1\":1,\"k2\":2,\"k3\":3,\"k4\":4,\"k5\":5,\"k6\":6,\"k7\":7,\"k8\":8,\"k9\":9,"
                                  "\"l1\":1,\"l2\":2,\"l3\":3,\"l4\":4}";

/* A map in the scenario's environment, made while nothing fails. */
static agentchat_state *map_of(const agentchat_env *env, const char *object)
{
    agentchat_state *map;
    agentchat_error err;

    test_oom_running()->held = true;
    test_ok(agentchat_state_read(env, agentchat_str_from(object), &map, &err), &err);
    test_oom_running()->held = false;
    return map;
}

static char *written(const agentchat_state *map)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    char *copy;

    test_oom_running()->held = true;
    test_ok(agentchat_state_write(map, &text, &err), &err);
    copy = strdup(text.ptr);
    agentchat_bytes_clear(&text);
    test_oom_running()->held = false;
    return copy;
}

static agentchat_status scenario_new(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_state *map = (agentchat_state *)(uintptr_t)1;
    agentchat_status status = agentchat_state_new(env, &map, err);

    (void)user;
    assert_int_equal(map != NULL, status == AGENTCHAT_OK);
    agentchat_state_free(map);
    return status;
}

static agentchat_status scenario_read(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_state *map = (agentchat_state *)(uintptr_t)1;
    agentchat_status status = agentchat_state_read(env, agentchat_str_from(user), &map, err);

    assert_int_equal(map != NULL, status == AGENTCHAT_OK);
    agentchat_state_free(map);
    return status;
}

static agentchat_status scenario_write(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_state *map = map_of(env, user);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_status status = agentchat_state_write(map, &out, err);

    assert_int_equal(out.ptr != NULL, status == AGENTCHAT_OK);
    if (status == AGENTCHAT_OK) {
        status = agentchat_state_write(map, &out, err);
        assert_int_equal(out.ptr[out.len], 0);
    }
    agentchat_bytes_clear(&out);
    agentchat_state_free(map);
    return status;
}

static agentchat_status scenario_copy(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_state *map = map_of(env, user), *copy = map;
    agentchat_status status = agentchat_state_copy(map, &copy, err);

    assert_int_equal(copy != NULL, status == AGENTCHAT_OK);
    agentchat_state_free(map);
    agentchat_state_free(copy);
    return status;
}

typedef agentchat_status change(agentchat_state *map, agentchat_error *err);

static agentchat_status change_a_value(agentchat_state *map, agentchat_error *err)
{
    return agentchat_state_set(map, "a", AGENTCHAT_STR("\"another one\""), err);
}

static agentchat_status add_a_key(agentchat_state *map, agentchat_error *err)
{
    return agentchat_state_set(map, "new", AGENTCHAT_STR("[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]"),
                               err);
}

static agentchat_status bring_a_key_back(agentchat_state *map, agentchat_error *err)
{
    return agentchat_state_set(map, "gone", AGENTCHAT_STR("1"), err);
}

static agentchat_status count_up(agentchat_state *map, agentchat_error *err)
{
    return agentchat_state_add(map, "a", 1, NULL, err);
}

static agentchat_status count_from_zero(agentchat_state *map, agentchat_error *err)
{
    return agentchat_state_add(map, "counter", 1, NULL, err);
}

/* Maps of so many keys that some of them are about to grow. */
static agentchat_status scenario_change(const agentchat_env *env, void *user, agentchat_error *err)
{
    change *const *call = user;

    for (int keys = 0; keys < 40; keys++) {
        agentchat_state *map = map_of(env, "{\"a\":1,\"gone\":2}");
        agentchat_status status;
        char *before, *after;

        test_oom_running()->held = true;
        for (int i = 0; i < keys; i++) {
            char key[16];

            (void)snprintf(key, sizeof key, "k%d", i);
            test_ok(agentchat_state_set(map, key, AGENTCHAT_STR("0"), err), err);
        }
        assert_true(agentchat_state_delete(map, "gone"));
        before = written(map);
        status = (*call)(map, err);
        after = written(map);
        assert_int_equal(strcmp(before, after) == 0, status < 0);
        free(before);
        free(after);
        agentchat_state_free(map);
        if (status < 0)
            return status;
    }
    return AGENTCHAT_OK;
}

static agentchat_status scenario_split(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_state *map = map_of(env, user), *part = map;
    agentchat_status status = AGENTCHAT_OK;

    for (int scope = AGENTCHAT_SCOPE_SESSION; status == AGENTCHAT_OK && scope <= AGENTCHAT_SCOPE_TEMP; scope++) {
        status = agentchat_state_split(map, (agentchat_scope)scope, &part, err);
        assert_int_equal(part != NULL, status == AGENTCHAT_OK);
        agentchat_state_free(part);
    }
    agentchat_state_free(map);
    return status;
}

static agentchat_status scenario_merge(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_state *app = map_of(env, "{\"x\":1,\"y\":2,\"user:z\":3}"), *session = map_of(env, "{\"k\":1}"),
                    *all = app;
    agentchat_status status = agentchat_state_merge(env, app, app, session, &all, err);

    (void)user;
    assert_int_equal(all != NULL, status == AGENTCHAT_OK);
    agentchat_state_free(all);
    agentchat_state_free(app);
    agentchat_state_free(session);
    return status;
}

typedef struct template_case {
    agentchat_template_dialect dialect;
    const char *state, *text, *expected;
} template_case;

static agentchat_status scenario_render(const agentchat_env *env, void *user, agentchat_error *err)
{
    const template_case *c = user;
    agentchat_template_options options = template_options(c->dialect);
    agentchat_state *map = map_of(env, c->state);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_status status;
    size_t before;

    status = agentchat_template_render(map, agentchat_str_from(c->text), &options, &out, err);
    assert_int_equal(out.ptr != NULL, status == AGENTCHAT_OK);
    if (status == AGENTCHAT_OK) {
        assert_string_equal(out.ptr, c->expected);
        before = out.len;
        status = agentchat_template_render(map, agentchat_str_from(c->text), &options, &out, err);
        assert_int_equal(out.len, status == AGENTCHAT_OK ? 2 * before : before);
    }
    agentchat_bytes_clear(&out);
    agentchat_state_free(map);
    return status;
}

static void test_state_oom__new(void **state)
{
    (void)state;
    assert_int_equal(test_oom_sweep(scenario_new, NULL), 1);
}

static void test_state_oom__read(void **state)
{
    char object[sizeof some_object];

    (void)state;
    memcpy(object, some_object, sizeof object);
    assert_true(test_oom_sweep(scenario_read, object) > 40);
}

static void test_state_oom__write(void **state)
{
    char object[sizeof some_object];

    (void)state;
    memcpy(object, some_object, sizeof object);
    assert_true(test_oom_sweep(scenario_write, object) > 3);
}

static void test_state_oom__copy_split_and_merge(void **state)
{
    char object[sizeof some_object];

    (void)state;
    memcpy(object, some_object, sizeof object);
    assert_true(test_oom_sweep(scenario_copy, object) > 40);
    assert_true(test_oom_sweep(scenario_split, object) > 40);
    assert_true(test_oom_sweep(scenario_merge, NULL) > 10);
}

static void test_state_oom__changes_all_or_nothing(void **state)
{
    static change *const calls[] = {change_a_value, add_a_key, bring_a_key_back, count_up, count_from_zero};

    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        change *call = calls[i];

        assert_true(test_oom_sweep(scenario_change, (void *)&call) >= 40);
    }
}

static void test_state_oom__render(void **state)
{
    static const template_case cases[] = {
        {AGENTCHAT_TEMPLATE_AGENTCHAT,
         "{\"a\":\"\\u0041\",\"o\":{\"x\":[1,{\"\\u0079\":{\"z\":\"\\ud800\"}}]},\"b\":\"plain\",\"n\":[1]}",
         "{a}{a}{o.x.1.y.z}{o.x.0}{none?}{b}{{b}}{artifact.a}{artifact.file.txt}{n.0}{n}{o.none?}{x1?}{x2?}{x3?}",
         "AA\xEF\xBF\xBD"
         "1plain{b}text of a[file.txt]1[1]"},
        {AGENTCHAT_TEMPLATE_ADK_RUST,
         "{\"o\":{\"b\":1.50,\"a\":[\"\\u0041\",null],\"\\u0061\":{\"d\":1,\"c\":{}}},\"n\":1e30,\"s\":\"\\u0041\"}",
         "{o}{n}{s}{artifact.a}{none?}", "{\"a\":{\"c\":{},\"d\":1},\"b\":1.5}1e+30Atext of a"},
        {AGENTCHAT_TEMPLATE_ADK_PYTHON,
         "{\"o\":{\"b\":1.50,\"a\":[\"\\u0041\",null],\"\\u0061\":{\"d\":1,\"c\":{}}},\"n\":1e30,\"s\":\"\\u0041\"}",
         "{ o }{n}{s}{artifact.a}{none?}", "{'b': 1.5, 'a': {'d': 1, 'c': {}}}1e+30Atext of a"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        template_case c = cases[i];

        assert_true(test_oom_sweep(scenario_render, &c) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_oom__new),
        cmocka_unit_test(test_state_oom__read),
        cmocka_unit_test(test_state_oom__write),
        cmocka_unit_test(test_state_oom__copy_split_and_merge),
        cmocka_unit_test(test_state_oom__changes_all_or_nothing),
        cmocka_unit_test(test_state_oom__render),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
