/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What maps and templates cost as they grow. Each case is run with a size and with eight times that size; where the
 * cost grew by its square, it would be 64 times as much. The first argument is the greater size: 16,000 without one.
 */
#include "support/growth.h"

#include <agentchat/template.h>
#include <stdio.h>

/* ---- text that grows ------------------------------------------------------------------------------------------- */

typedef struct text {
    char *ptr;
    size_t len, cap;
} text;

static void add(text *t, const char *bytes, size_t len)
{
    if (t->len + len >= t->cap) {
        t->cap = (t->len + len) * 2 + 64;
        t->ptr = realloc(t->ptr, t->cap);
        assert_non_null(t->ptr);
    }
    memcpy(t->ptr + t->len, bytes, len);
    t->len += len;
    t->ptr[t->len] = '\0';
}

static void add_text(text *t, const char *bytes)
{
    add(t, bytes, strlen(bytes));
}

static void add_number(text *t, const char *format, size_t number)
{
    char buffer[64];

    add(t, buffer, (size_t)snprintf(buffer, sizeof buffer, format, number));
}

static agentchat_str view(const text *t)
{
    return (agentchat_str){t->ptr, t->len};
}

/* ---- maps ------------------------------------------------------------------------------------------------------ */

static agentchat_state *map_of(size_t n)
{
    agentchat_state *map = test_state(NULL);
    char key[32];

    for (size_t i = 0; i < n; i++) {
        (void)snprintf(key, sizeof key, "key-%zu", i);
        assert_int_equal(agentchat_state_set(map, key, AGENTCHAT_STR("1"), NULL), AGENTCHAT_OK);
    }
    return map;
}

static double set_all(size_t n)
{
    double before = test_seconds(), after;
    agentchat_state *map = map_of(n);

    after = test_seconds();
    agentchat_state_free(map);
    return after - before;
}

/* Takes every key out: the i-th one is number start + i * stride. */
static double delete_all(size_t n, size_t start, size_t stride)
{
    agentchat_state *map = map_of(n);
    double before, after;
    char key[32];

    before = test_seconds();
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(key, sizeof key, "key-%zu", (start + i * stride) % n);
        assert_true(agentchat_state_delete(map, key));
    }
    after = test_seconds();
    assert_int_equal(agentchat_state_count(map), 0);
    agentchat_state_free(map);
    return after - before;
}

static double delete_forwards(size_t n)
{
    return delete_all(n, 0, 1);
}

static double delete_backwards(size_t n)
{
    return delete_all(n, n - 1, n - 1);
}

static double delete_all_over(size_t n)
{
    return delete_all(n, 5, 7919); /* a prime that no size here is a multiple of */
}

/* What a map is used for after most of it has gone must not cost what all of it did. */
static double few_of_many(size_t n)
{
    agentchat_state *map = map_of(n);
    double before, after;
    char key[32];
    size_t walked = 0;

    for (size_t i = 3; i < n; i++) {
        (void)snprintf(key, sizeof key, "key-%zu", i);
        assert_true(agentchat_state_delete(map, key));
    }
    before = test_seconds();
    for (size_t i = 0; i < n; i++) {
        size_t at = 0;

        (void)snprintf(key, sizeof key, "new-%zu", i);
        assert_int_equal(agentchat_state_set(map, key, AGENTCHAT_STR("1"), NULL), AGENTCHAT_OK);
        while (agentchat_state_next(map, &at, NULL, NULL))
            walked++;
        assert_true(agentchat_state_delete(map, key));
    }
    after = test_seconds();
    assert_int_equal(walked, 4 * n);
    agentchat_state_free(map);
    return after - before;
}

static double read_object(size_t n, const char *format, const char *end, agentchat_status expected)
{
    text t = {NULL, 0, 0};
    agentchat_state *map;
    double before, after;

    add_text(&t, "{");
    for (size_t i = 0; i < n; i++)
        add_number(&t, format, i);
    add_text(&t, end);
    before = test_seconds();
    assert_int_equal(agentchat_state_read(NULL, view(&t), &map, NULL), expected);
    after = test_seconds();
    agentchat_state_free(map);
    free(t.ptr);
    return after - before;
}

static double read_plain(size_t n)
{
    return read_object(n, "\"key-%zu\":1,", "\"end\":1}", AGENTCHAT_OK);
}

static double read_escaped(size_t n)
{
    return read_object(n, "\"\\u006b\\u0065\\u0079\\u002d%zu\" : [ ] ,", "\"end\":1}", AGENTCHAT_OK);
}

static double read_late_duplicate(size_t n)
{
    return read_object(n, "\"key-%zu\":1,", "\"key-0\":1}", AGENTCHAT_E_SCHEMA);
}

static double read_unfinished(size_t n)
{
    return read_object(n, "\"key-%zu\":1,", "", AGENTCHAT_E_SYNTAX);
}

static double read_one_long_key(size_t n)
{
    text t = {NULL, 0, 0};
    agentchat_state *map;
    double before, after;

    add_text(&t, "{\"");
    for (size_t i = 0; i < n; i++)
        add_text(&t, "\\u0061");
    add_text(&t, "\":1}");
    before = test_seconds();
    assert_int_equal(agentchat_state_read(NULL, view(&t), &map, NULL), AGENTCHAT_E_INVALID);
    after = test_seconds();
    free(t.ptr);
    return after - before;
}

static double write_and_copy(size_t n)
{
    agentchat_state *map = map_of(n), *copy, *part, *all;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    double before, after;

    before = test_seconds();
    assert_int_equal(agentchat_state_write(map, &out, NULL), AGENTCHAT_OK);
    assert_int_equal(agentchat_state_copy(map, &copy, NULL), AGENTCHAT_OK);
    assert_int_equal(agentchat_state_split(copy, AGENTCHAT_SCOPE_SESSION, &part, NULL), AGENTCHAT_OK);
    assert_int_equal(agentchat_state_merge(NULL, part, part, part, &all, NULL), AGENTCHAT_OK);
    after = test_seconds();
    assert_int_equal(agentchat_state_count(all), 3 * n);
    agentchat_bytes_clear(&out);
    agentchat_state_free(all);
    agentchat_state_free(part);
    agentchat_state_free(copy);
    agentchat_state_free(map);
    return after - before;
}

static void test_state_growth__of_maps(void **state)
{
    (void)state;
    growth_check("set", set_all);
    growth_check("delete forwards", delete_forwards);
    growth_check("delete backwards", delete_backwards);
    growth_check("delete all over", delete_all_over);
    growth_check("few of many", few_of_many);
    growth_check("read", read_plain);
    growth_check("read escaped", read_escaped);
    growth_check("read, late duplicate", read_late_duplicate);
    growth_check("read, unfinished", read_unfinished);
    growth_check("read, one long key", read_one_long_key);
    growth_check("write, copy, split, merge", write_and_copy);
}

/* ---- templates ------------------------------------------------------------------------------------------------- */

/* Renders in the dialects from `first` on; what becomes of it is not the question. */
static double render_from(int first, const agentchat_state *map, const text *t)
{
    double before = test_seconds(), after;

    for (int dialect = first; dialect <= AGENTCHAT_TEMPLATE_ADK_PYTHON; dialect++) {
        agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;
        agentchat_bytes out = AGENTCHAT_BYTES_INIT;
        agentchat_status status;
        agentchat_error err;

        options.dialect = (agentchat_template_dialect)dialect;
        status = agentchat_template_render(map, view(t), &options, &out, &err);
        assert_true(status == AGENTCHAT_OK || err.offset < t->len);
        agentchat_bytes_clear(&out);
    }
    after = test_seconds();
    return after - before;
}

static double render(const agentchat_state *map, const text *t)
{
    return render_from(AGENTCHAT_TEMPLATE_AGENTCHAT, map, t);
}

/* A template of head, n times body, tail, with a value of the key "a" that is built in the same way. */
static double render_repeated(size_t n, const char *const value[3], const char *const template[3])
{
    text v = {NULL, 0, 0}, t = {NULL, 0, 0};
    agentchat_state *map = test_state(NULL);
    double took;

    add_text(&v, value[0]);
    add_text(&t, template[0]);
    for (size_t i = 0; i < n; i++) {
        add_number(&v, value[1], i); /* a format, with at most one number in it */
        add_number(&t, template[1], i);
    }
    add_text(&v, value[2]);
    add_text(&t, template[2]);
    assert_int_equal(agentchat_state_set(map, "a", view(&v), NULL), AGENTCHAT_OK);
    took = render(map, &t);
    agentchat_state_free(map);
    free(v.ptr);
    free(t.ptr);
    return took;
}

#define TEMPLATE_CASE(name, v0, v1, v2, t0, t1, t2)                                                                    \
    static double name(size_t n)                                                                                       \
    {                                                                                                                  \
        static const char *const value[] = {v0, v1, v2}, *const template[] = {t0, t1, t2};                             \
                                                                                                                       \
        return render_repeated(n, value, template);                                                                    \
    }

TEMPLATE_CASE(opening_braces, "1", "", "", "", "{", "")
TEMPLATE_CASE(closing_braces, "1", "", "", "", "}", "")
TEMPLATE_CASE(braces_and_names, "1", "", "", "", "{{a", "")
TEMPLATE_CASE(one_long_name, "1", "", "", "{", "a", "")
TEMPLATE_CASE(one_long_path, "1", "", "", "{", "a.", "a}")
TEMPLATE_CASE(many_dots, "1", "", "", "{", ".", "}")
TEMPLATE_CASE(many_missing, "1", "", "", "", "{b%zu}", "")
TEMPLATE_CASE(many_missing_paths, "1", "", "", "", "{a.b.c%zu}", "")
TEMPLATE_CASE(many_placeholders, "\"\\u0041\"", "", "", "", "{a}{{a}}", "")
TEMPLATE_CASE(many_paths, "[0", ",%zu", "]", "", "{a.%zu}", "")
TEMPLATE_CASE(one_path_again, "{\"b\":1", ",\"k%zu\":[1]", "}", "", "{a.b}", "")
TEMPLATE_CASE(duplicates, "{\"b\":{}", ",\"b\":{\"c\":{\"d\":1}}", "}", "{a.b.c.d}", "{a.b.c.k%zu?}", "")
TEMPLATE_CASE(one_large_object, "{\"x\":1", ",\"k%zu\":1", "}", "{a}", "", "")
TEMPLATE_CASE(long_fraction, "0.", "7", "", "{a}{a}", "", "")
TEMPLATE_CASE(long_integer, "1", "7", "", "{a}{a}", "", "")
TEMPLATE_CASE(long_number_moved_back, "1", "7", "e-100000", "{a}{a}", "", "")
TEMPLATE_CASE(whitespace_in_braces, "1", "", "", "{", " ", "a}")
TEMPLATE_CASE(artifacts, "1", "", "", "", "{artifact.x%zu?}", "")

/* A large value of which little is left, put in again and again. */
static double one_object_of_duplicates(size_t n)
{
    text v = {NULL, 0, 0}, t = {NULL, 0, 0};
    agentchat_state *map = test_state(NULL);
    double took;

    add_text(&v, "{\"x\":1");
    for (size_t i = 0; i < n; i++) {
        add_number(&v, ",\"x\":%zu", i);
        add_text(&t, "{a}");
    }
    add_text(&v, "}");
    assert_int_equal(agentchat_state_set(map, "a", view(&v), NULL), AGENTCHAT_OK);
    took = render_from(AGENTCHAT_TEMPLATE_ADK_RUST, map, &t);
    agentchat_state_free(map);
    free(v.ptr);
    free(t.ptr);
    return took;
}

/* Names of all the dots that a key can have, each of which may be the end of one. */
static double names_of_dots(size_t n)
{
    text t = {NULL, 0, 0};
    agentchat_state *map = map_of(10);
    double took;

    while (t.len < n) {
        add_text(&t, "{");
        for (int i = 0; i < AGENTCHAT_MAX_KEY_BYTES / 2; i++)
            add_text(&t, "a.");
        add_number(&t, "%zu?}", t.len);
    }
    took = render(map, &t);
    agentchat_state_free(map);
    free(t.ptr);
    return took;
}

static void test_state_growth__of_templates(void **state)
{
    (void)state;
    growth_check("opening braces", opening_braces);
    growth_check("closing braces", closing_braces);
    growth_check("braces and names", braces_and_names);
    growth_check("one long name", one_long_name);
    growth_check("one long path", one_long_path);
    growth_check("many dots", many_dots);
    growth_check("many missing", many_missing);
    growth_check("many missing paths", many_missing_paths);
    growth_check("many placeholders", many_placeholders);
    growth_check("many paths", many_paths);
    growth_check("one path again and again", one_path_again);
    growth_check("duplicates", duplicates);
    growth_check("one large object", one_large_object);
    growth_check("one object of duplicates", one_object_of_duplicates);
    growth_check("long fraction", long_fraction);
    growth_check("long integer", long_integer);
    growth_check("long number moved back", long_number_moved_back);
    growth_check("whitespace in braces", whitespace_in_braces);
    growth_check("artifacts", artifacts);
    growth_check("names of dots", names_of_dots);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_growth__of_maps),
        cmocka_unit_test(test_state_growth__of_templates),
    };

    growth_begin(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
