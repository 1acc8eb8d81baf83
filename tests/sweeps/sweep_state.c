/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/state.h and agentchat/template.h: keys, maps, templates. */
#include "sweep.h"

static const char some_object[] =
    "{\"app:a\":1,\"\\u0062\":[1,{\"c\":\"\\u0064\"}],\"user:u\":\"x\",\"n\":1.50,\"g\":{}}";

static agentchat_state *make(const agentchat_env *env, const char *object)
{
    agentchat_state *map;
    agentchat_error err;

    test_ok(agentchat_state_read(env, agentchat_str_from(object), &map, &err), &err);
    return map;
}

static void check_written(const agentchat_state *map, const char *expected)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_state_write(map, &text, &err), &err);
    assert_string_equal(text.ptr, expected);
    agentchat_bytes_clear(&text);
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static agentchat_status keys(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status good, bad;
    agentchat_scope scope;
    agentchat_error again;
    const char *rest;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    scope = agentchat_key_scope("app:user:z", &rest);
    good = agentchat_key_check("app:user:z", &again);
    bad = agentchat_key_check(sweep_long().ptr, &again);
    sweep_end();
    assert_int_equal(scope, AGENTCHAT_SCOPE_APP);
    assert_string_equal(rest, "user:z");
    assert_int_equal(good, AGENTCHAT_OK);
    assert_int_equal(bad, AGENTCHAT_E_INVALID);
    return AGENTCHAT_OK;
}

/* ---- maps ------------------------------------------------------------------------------------------------------- */

static agentchat_status state_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = (agentchat_state *)(uintptr_t)1;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_state_new(env, &map, err);
    sweep_end();
    assert_int_equal(map != NULL, status >= 0);
    if (map != NULL)
        check_written(map, "{}");
    agentchat_state_free(map);
    return status;
}

static agentchat_status state_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = (agentchat_state *)(uintptr_t)1;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_state_read(env, agentchat_str_from(some_object), &map, err);
    sweep_end();
    if (status < 0) {
        assert_null(map);
        map = make(env, some_object);
    }
    assert_int_equal(agentchat_state_count(map), 5);
    agentchat_state_free(map);
    return status;
}

static agentchat_status state_write(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = make(env, some_object);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error again;
    agentchat_status status;

    if (variant == 1) {
        test_ok(agentchat_state_write(map, &text, &again), &again);
        text.len = 0;
    }
    sweep_begin();
    status = agentchat_state_write(map, &text, err);
    sweep_end();
    if (status < 0) {
        assert_int_equal(text.len, 0);
        test_ok(agentchat_state_write(map, &text, &again), &again);
    }
    assert_string_equal(text.ptr, "{\"app:a\":1,\"b\":[1,{\"c\":\"\\u0064\"}],\"user:u\":\"x\",\"n\":1.50,\"g\":{}}");
    agentchat_bytes_clear(&text);
    agentchat_state_free(map);
    return status;
}

static agentchat_status state_copy(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = make(env, "{\"a\":1,\"b\":2}"), *copy = map;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_state_copy(map, &copy, err);
    sweep_end();
    assert_int_equal(copy != NULL, status >= 0);
    if (copy != NULL)
        check_written(copy, "{\"a\":1,\"b\":2}");
    check_written(map, "{\"a\":1,\"b\":2}");
    agentchat_state_free(copy);
    agentchat_state_free(map);
    return status;
}

static agentchat_status state_free(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = make(env, some_object);

    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_state_free(map);
    agentchat_state_free(NULL);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status look(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = make(env, some_object);
    agentchat_str got, value;
    const char *key;
    size_t count, at = 0, steps = 0;

    (void)variant;
    (void)err;
    sweep_begin();
    count = agentchat_state_count(map);
    got = agentchat_state_get(map, "n");
    while (agentchat_state_next(map, &at, &key, &value))
        steps++;
    sweep_end();
    assert_int_equal(count, 5);
    assert_int_equal(steps, 5);
    assert_str(got, "1.50");
    agentchat_state_free(map);
    return AGENTCHAT_OK;
}

/* Variants: a new key, another value, a key that was taken out before. */
static agentchat_status state_set(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char *const names[] = {"c", "a", "b"};
    static const char *const after[] = {"{\"a\":1,\"c\":[2]}", "{\"a\":[2]}", "{\"a\":1,\"b\":[2]}"};
    agentchat_state *map = make(env, "{\"a\":1,\"b\":2}");
    agentchat_error again;
    agentchat_status status;

    assert_true(agentchat_state_delete(map, "b"));
    sweep_begin();
    status = agentchat_state_set(map, names[variant], AGENTCHAT_STR(" [2] "), err);
    sweep_end();
    if (status < 0) {
        check_written(map, "{\"a\":1}");
        test_ok(agentchat_state_set(map, names[variant], AGENTCHAT_STR("[2]"), &again), &again);
    }
    check_written(map, after[variant]);
    agentchat_state_free(map);
    return status;
}

static agentchat_status state_set_as_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = make(env, "{\"a\":1}");
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_state_set_text(map, "b", AGENTCHAT_STR("\"2\""), err);
    sweep_end();
    if (status < 0) {
        check_written(map, "{\"a\":1}");
        test_ok(agentchat_state_set_text(map, "b", AGENTCHAT_STR("\"2\""), &again), &again);
    }
    check_written(map, "{\"a\":1,\"b\":\"\\\"2\\\"\"}");
    agentchat_state_free(map);
    return status;
}

static agentchat_status state_add(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = make(env, variant == 0 ? "{\"a\":1}" : "{}");
    int64_t sum = 77;
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_state_add(map, "a", 41, &sum, err);
    sweep_end();
    if (status < 0) {
        assert_int_equal(sum, 77);
        check_written(map, variant == 0 ? "{\"a\":1}" : "{}");
        test_ok(agentchat_state_add(map, "a", 41, &sum, &again), &again);
    }
    assert_int_equal(sum, variant == 0 ? 42 : 41);
    check_written(map, variant == 0 ? "{\"a\":42}" : "{\"a\":41}");
    agentchat_state_free(map);
    return status;
}

/* The one that makes the map smaller, which it can do without. */
static agentchat_status state_delete(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = make(env, "{\"z\":1}");
    agentchat_error again;
    bool deleted;
    char key[16];

    (void)variant;
    (void)err;
    for (int i = 0; i < 18; i++) {
        (void)snprintf(key, sizeof key, "k%d", i);
        test_ok(agentchat_state_set(map, key, AGENTCHAT_STR("0"), &again), &again);
    }
    for (int i = 0; i < 17; i++) {
        (void)snprintf(key, sizeof key, "k%d", i);
        assert_true(agentchat_state_delete(map, key));
    }
    sweep_may_swallow();
    sweep_begin();
    deleted = agentchat_state_delete(map, "k17");
    sweep_end();
    assert_true(deleted);
    assert_false(agentchat_state_delete(map, "k17"));
    check_written(map, "{\"z\":1}");
    agentchat_state_free(map);
    return AGENTCHAT_OK;
}

static agentchat_status state_split(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = make(env, some_object), *part = map;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_state_split(map, AGENTCHAT_SCOPE_SESSION, &part, err);
    sweep_end();
    if (status < 0) {
        assert_null(part);
        test_ok(agentchat_state_split(map, AGENTCHAT_SCOPE_SESSION, &part, &again), &again);
    }
    check_written(part, "{\"b\":[1,{\"c\":\"\\u0064\"}],\"n\":1.50,\"g\":{}}");
    agentchat_state_free(part);
    agentchat_state_free(map);
    return status;
}

static agentchat_status state_merge(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *app = make(env, "{\"k\":1}"), *user = make(env, "{\"k\":2}"), *session = make(env, "{\"k\":3}");
    agentchat_state *all = app;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_state_merge(env, app, user, session, &all, err);
    sweep_end();
    if (status < 0) {
        assert_null(all);
        test_ok(agentchat_state_merge(env, app, user, session, &all, &again), &again);
    }
    check_written(all, "{\"app:k\":1,\"user:k\":2,\"k\":3}");
    agentchat_state_free(all);
    agentchat_state_free(app);
    agentchat_state_free(user);
    agentchat_state_free(session);
    return status;
}

/* ---- templates -------------------------------------------------------------------------------------------------- */

static agentchat_status artifact(void *user, agentchat_str name, agentchat_bytes *out, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out, name, err);
}

/* Variants are dialects. */
static agentchat_status template_render(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char *const texts[] = {"{b.1.c}{n}{{n}}{artifact.file}{b.0}{x?}", "{b}{n}{artifact.file}{x?}",
                                        "{ b }{n}{artifact.file}{x?}"};
    static const char *const expected[] = {"d1.50{n}file1", "[1,{\"c\":\"d\"}]1.5file", "[1, {'c': 'd'}]1.5file"};
    agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;
    agentchat_state *map = make(env, some_object);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error again;
    agentchat_status status;

    options.dialect = (agentchat_template_dialect)variant;
    options.artifact = artifact;
    sweep_begin();
    status = agentchat_template_render(map, agentchat_str_from(texts[variant]), &options, &out, err);
    sweep_end();
    if (status < 0) {
        assert_null(out.ptr);
        test_ok(agentchat_template_render(map, agentchat_str_from(texts[variant]), &options, &out, &again), &again);
    }
    assert_string_equal(out.ptr, expected[variant]);
    agentchat_bytes_clear(&out);
    agentchat_state_free(map);
    return status;
}

static agentchat_status template_options_init(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_template_options options;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_template_options_init(&options, sizeof options);
    sweep_end();
    assert_true(options.struct_size == sizeof options && options.dialect == AGENTCHAT_TEMPLATE_AGENTCHAT);
    assert_true(options.artifact == NULL && options.user == NULL);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_template_options_init", template_options_init, SWEEP_NEVER, 0},
    {"agentchat_key_scope", keys, SWEEP_NEVER, 0},
    {"agentchat_key_check", keys, SWEEP_NEVER, 0},
    {"agentchat_state_new", state_new, SWEEP_ALLOCATES, 0},
    {"agentchat_state_read", state_read, SWEEP_ALLOCATES, 0},
    {"agentchat_state_write", state_write, SWEEP_ALLOCATES, 2},
    {"agentchat_state_copy", state_copy, SWEEP_ALLOCATES, 0},
    {"agentchat_state_free", state_free, SWEEP_NEVER, 0},
    {"agentchat_state_count", look, SWEEP_NEVER, 0},
    {"agentchat_state_get", look, SWEEP_NEVER, 0},
    {"agentchat_state_next", look, SWEEP_NEVER, 0},
    {"agentchat_state_set", state_set, SWEEP_ALLOCATES, 3},
    {"agentchat_state_set_text", state_set_as_text, SWEEP_ALLOCATES, 0},
    {"agentchat_state_add", state_add, SWEEP_ALLOCATES, 2},
    {"agentchat_state_delete", state_delete, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 0}, /* a smaller index */
    {"agentchat_state_split", state_split, SWEEP_ALLOCATES, 0},
    {"agentchat_state_merge", state_merge, SWEEP_ALLOCATES, 0},
    {"agentchat_template_render", template_render, SWEEP_ALLOCATES, 3},
};

int main(void)
{
    return sweep_main("sweep.state", rows, sizeof rows / sizeof *rows);
}
