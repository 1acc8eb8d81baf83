/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of templates in the native dialect: which key and path a placeholder means, and how values look. */
#include "template_test.h"

static const agentchat_template_dialect NATIVE = AGENTCHAT_TEMPLATE_AGENTCHAT;

static void check(const char *json, const char *text, const char *expected)
{
    agentchat_state *map = template_state(json);

    check_render_as(NATIVE, map, text, expected);
    agentchat_state_free(map);
}

static void check_missing(const char *json, const char *name)
{
    agentchat_state *map = template_state(json);
    char text[96], message[128];

    (void)snprintf(text, sizeof text, "{%s}", name);
    (void)snprintf(message, sizeof message, "no value for {%s} at byte 0", name);
    check_fails_as(NATIVE, map, text, AGENTCHAT_E_NOTFOUND, 0, message);
    (void)snprintf(text, sizeof text, "[{%s?}]", name);
    check_render_as(NATIVE, map, text, "[]");
    agentchat_state_free(map);
}

static void test_template_values__look_as_they_are_spelled(void **state)
{
    static const char *const values[] = {"3",       "1.50",  "-0",   "1E+2",     "12345678901234567890123",
                                         "true",    "false", "null", "[ 1, 2 ]", "{\"b\":1, \"a\":\"\\u0061\"}",
                                         "[\"x\"]", "{}"};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char json[96], nested[128];

        (void)snprintf(json, sizeof json, "{\"v\":%s}", values[i]);
        check(json, "{v}", values[i]);
        (void)snprintf(nested, sizeof nested, "{\"o\":[0,%s ,1]}", json);
        check(nested, "{o.1.v}", values[i]);
    }
}

static void test_template_values__strings_are_bare(void **state)
{
    (void)state;
    check("{\"v\":\"\"}", "[{v}]", "[]");
    check("{\"v\":\"plain\"}", "{v}", "plain");
    check("{\"v\":\"a\\n\\\"b\\\"\\\\\\u00fc\\ud83d\\ude00\"}", "{v}{v}",
          "a\n\"b\"\\\xC3\xBC\xF0\x9F\x98\x80"
          "a\n\"b\"\\\xC3\xBC\xF0\x9F\x98\x80");
    check("{\"o\":{\"v\":\"\\u0041\"}}", "{o.v}", "A");
}

/* Half a surrogate pair is no character; inside of other values it is still an escape. */
static void test_template_values__have_no_half_pairs(void **state)
{
    (void)state;
    check("{\"v\":\"a\\ud800b\\udc00\\ud83d\\ude00\"}", "{v}",
          "a\xEF\xBF\xBD"
          "b\xEF\xBF\xBD\xF0\x9F\x98\x80");
    check("{\"v\":[\"\\ud800\"]}", "{v}", "[\"\\ud800\"]");
}

static void test_template_values__paths_lead_into_objects_and_arrays(void **state)
{
    static const char *const json =
        "{\"user:preferences\":{\"theme\":\"dark\",\"sizes\":[10,20,[30]],\"\":\"no name\",\"\\u0065sc\":\"e\","
        "\"0\":\"zero\",\"a b\":\"space\",\"null\":null}}";

    (void)state;
    check(json, "{user:preferences.theme}", "dark");
    check(json, "{user:preferences.sizes}", "[10,20,[30]]");
    check(json, "{user:preferences.sizes.0}", "10");
    check(json, "{user:preferences.sizes.2.0}", "30");
    check(json, "{user:preferences.0}", "zero");
    check(json, "{user:preferences.}", "no name");
    check(json, "{user:preferences.esc}", "e");
    check(json, "{user:preferences.a b}", "{user:preferences.a b}"); /* no name has whitespace in it */
    check(json, "{user:preferences.null}", "null");
    check(json, "{user:preferences.theme}{user:preferences.sizes.1}{user:preferences.theme}", "dark20dark");
    check_missing(json, "user:preferences.none");
    check_missing(json, "user:preferences.theme.x");
    check_missing(json, "user:preferences.theme.0");
    check_missing(json, "user:preferences.sizes.3");
    check_missing(json, "user:preferences.sizes.00");
    check_missing(json, "user:preferences.sizes.-1");
    check_missing(json, "user:preferences.sizes.+1");
    check_missing(json, "user:preferences.sizes.length");
    check_missing(json, "user:preferences.sizes.");
    check_missing(json, "user:preferences..");
    check_missing(json, "user:preferences.null.x");
    check_missing("{\"a\":[1]}", "a.18446744073709551616");
}

static void test_template_values__the_longest_key_wins(void **state)
{
    static const char *const json = "{\"a\":{\"b\":{\"c\":\"a/b/c\"},\"x\":\"a/x\"},\"a.b\":{\"d\":\"a.b/"
                                    "d\"},\"a.b.e\":\"a.b.e\",\"a.b.f.\":\"end\","
                                    "\".g\":\"dot first\",\"h\":{\"\":{\"i\":\"h//i\"}}}";

    (void)state;
    check(json, "{a.x}", "a/x");
    check(json, "{a.b}", "{\"d\":\"a.b/d\"}");
    check(json, "{a.b.d}", "a.b/d");
    check(json, "{a.b.e}", "a.b.e");
    check(json, "{a.b.f.}", "end");
    check(json, "{.g}", "dot first");
    check(json, "{h..i}", "h//i");
    check_missing(json, "a.b.c"); /* the key a.b is longer than a, and has no c */
    check_missing(json, "a.b.e.x");
    check_missing(json, "b");
    check_missing(json, ".");
    check_missing(json, "a.c");
}

static void test_template_values__prefixes_are_part_of_the_key(void **state)
{
    static const char *const json =
        "{\"user:a.b\":1,\"user:a\":{\"b\":2,\"c\":3},\"a\":{\"b\":4},\"app:user:z\":{\"y\":5}}";

    (void)state;
    check(json, "{user:a.b}{user:a.c}{a.b}{app:user:z.y}", "1345");
    check_missing(json, "user:z");
    check_missing(json, "app:a");
}

static void test_template_values__the_last_of_duplicates_counts(void **state)
{
    (void)state;
    check("{\"o\":{\"a\":1,\"a\":2}}", "{o.a}", "2");
    check("{\"o\":{\"a\":{\"x\":1},\"\\u0061\":{\"x\":2}}}", "{o.a.x}", "2");
    check("{\"o\":{\"a\":{\"x\":1,\"x\":{\"y\":3}},\"b\":0,\"a\":{\"x\":{\"y\":4}}}}", "{o.a.x.y}{o.a}",
          "4{\"x\":{\"y\":4}}");
    check_missing("{\"o\":{\"a\":{\"x\":1},\"a\":{}}}", "o.a.x");
    check_missing("{\"o\":{\"a\":{\"x\":1},\"a\":5}}", "o.a.x");
    check_missing("{\"o\":{\"a\":{\"x\":{\"y\":1}},\"a\":{\"x\":{}}}}", "o.a.x.y");
    check_missing("{\"o\":{\"a\":[{\"x\":1}],\"a\":[]}}", "o.a.0.x");
}

/* A path as deep as values can be, and deeper ones. */
static void test_template_values__deep_paths(void **state)
{
    enum { DEPTH = 127, LONG = 30000 };
    char json[DEPTH * 8 + 64], text[LONG * 2 + 64], *at = json;
    agentchat_state *map;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    at += sprintf(at, "{\"k\":");
    for (int i = 0; i < DEPTH; i++)
        at += sprintf(at, "{\"a\":");
    at += sprintf(at, "7");
    memset(at, '}', DEPTH + 1);
    at[DEPTH + 1] = '\0';
    map = template_state(json);
    at = text + sprintf(text, "{k");
    for (int i = 0; i < DEPTH; i++)
        at += sprintf(at, ".a");
    (void)sprintf(at, "}{k.a.a.a.a.b?}");
    test_ok(agentchat_template_render(map, agentchat_str_from(text), NULL, &out, &err), &err);
    assert_string_equal(out.ptr, "7");
    for (size_t steps = DEPTH + 1; steps < LONG; steps *= 3) { /* beyond what any value can have, too */
        at = text + sprintf(text, "[{k");
        for (size_t i = 0; i < steps; i++)
            at += sprintf(at, ".a");
        (void)sprintf(at, "?}]");
        agentchat_bytes_clear(&out);
        test_ok(agentchat_template_render(map, agentchat_str_from(text), NULL, &out, &err), &err);
        assert_string_equal(out.ptr, "[]");
    }
    agentchat_bytes_clear(&out);
    agentchat_state_free(map);
}

/* ---- against a naive search -------------------------------------------------------------------------------------- */

/* A value of nested objects with few names, many of them twice, and arrays; every scalar is another number. */
static char *random_value(uint32_t *random, char *at, int depth, int *scalar)
{
    static const char *const names[] = {"a", "b", "0", "1", ""};
    uint32_t kind = depth > 0 ? test_next_random(random) % 5 : 4, count = test_next_random(random) % 5;

    if (kind == 4)
        return at + sprintf(at, "%d", ++*scalar);
    *at++ = kind < 3 ? '{' : '[';
    for (uint32_t i = 0; i < count; i++) {
        at += sprintf(at, "%s", i > 0 ? "," : "");
        if (kind < 3)
            at += sprintf(at, "\"%s\":", names[test_next_random(random) % 5]);
        at = random_value(random, at, depth - 1, scalar);
    }
    *at++ = kind < 3 ? '}' : ']';
    *at = '\0';
    return at;
}

/* The end of the value that begins at p; there is no whitespace and there are no brackets in strings. */
static const char *skip_value(const char *p)
{
    int depth = 0;

    do {
        depth += *p == '{' || *p == '[';
        depth -= *p == '}' || *p == ']';
        p++;
    } while (depth > 0 || (*p >= '0' && *p <= '9'));
    return p;
}

/* The last member of that name, or the element of that number; NULL when there is none. Values without whitespace only.
 */
static const char *naive_child(const char *p, const char *name, size_t len)
{
    bool is_object = *p == '{';
    const char *found = NULL;
    int index = 0;

    if (*p != '{' && *p != '[')
        return NULL;
    p++;
    while (*p != '}' && *p != ']') {
        char number[16];
        const char *key = number;
        size_t key_len;

        p += *p == ',';
        if (is_object) {
            key = p + 1;
            key_len = (size_t)(strchr(key, '"') - key);
            p = key + key_len + 2;
        } else {
            key_len = (size_t)sprintf(number, "%d", index++);
        }
        if (key_len == len && memcmp(key, name, len) == 0)
            found = p;
        p = skip_value(p);
    }
    return found;
}

/* Appends a placeholder of a random path, and what it must become. */
static void random_placeholder(uint32_t *random, const char *value, char **text, char **expected)
{
    static const char *const names[] = {"a", "b", "0", "1", "", "2", "c"};
    uint32_t steps = 1 + test_next_random(random) % 4;

    *text += sprintf(*text, "{k");
    for (uint32_t i = 0; i < steps; i++) {
        const char *name = names[test_next_random(random) % 7];

        *text += sprintf(*text, ".%s", name);
        value = value != NULL ? naive_child(value, name, strlen(name)) : NULL;
    }
    *text += sprintf(*text, "?};");
    *expected +=
        sprintf(*expected, "%.*s;", value != NULL ? (int)(skip_value(value) - value) : 0, value != NULL ? value : "");
}

static void test_template_values__random_paths_match_a_naive_search(void **state)
{
    enum { ROUNDS = 2000, PLACEHOLDERS = 12 };
    static char json[1 << 16], text[4096], expected[1 << 16];
    uint32_t random = 99;
    size_t found = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        char *at = json + sprintf(json, "{\"k\":"), *text_at = text, *expected_at = expected;
        const char *value = at;
        int scalar = 0;

        at = random_value(&random, at, 5, &scalar);
        (void)sprintf(at, "}");
        for (int i = 0; i < PLACEHOLDERS; i++)
            random_placeholder(&random, value, &text_at, &expected_at);
        check(json, text, expected);
        found += strlen(expected) - PLACEHOLDERS;
    }
    assert_true(found > 10000); /* else hardly any path leads anywhere */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template_values__look_as_they_are_spelled),
        cmocka_unit_test(test_template_values__strings_are_bare),
        cmocka_unit_test(test_template_values__have_no_half_pairs),
        cmocka_unit_test(test_template_values__paths_lead_into_objects_and_arrays),
        cmocka_unit_test(test_template_values__the_longest_key_wins),
        cmocka_unit_test(test_template_values__prefixes_are_part_of_the_key),
        cmocka_unit_test(test_template_values__the_last_of_duplicates_counts),
        cmocka_unit_test(test_template_values__deep_paths),
        cmocka_unit_test(test_template_values__random_paths_match_a_naive_search),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
