/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text on many lines and on one. */
#include "support/test_support.h"

#include "format/kit/layout.h"

static void assert_layout(const char *json, uint32_t depth, const char *expected)
{
    aci_buf out;

    aci_buf_init(&out, NULL, SIZE_MAX);
    assert_true(aci_layout(agentchat_str_from(json), 2, depth, &out));
    assert_true(aci_buf_add(&out, "", 1));
    assert_string_equal(out.ptr, expected);
    aci_buf_clear(&out);
}

static void test_layout__is_pythons(void **state)
{
    (void)state;
    assert_layout("1.50", 0, "1.50");
    assert_layout(" \"a:b,{\\\"\" ", 3, "\"a:b,{\\\"\"");
    assert_layout("[]", 1, "[]");
    assert_layout("{ \n }", 1, "{}");
    assert_layout("[1,[],{}]", 0, "[\n  1,\n  [],\n  {}\n]");
    assert_layout("{\"a\" :1 ,\"b\":{ \"c\":[true,null]}}", 1,
                  "{\n    \"a\": 1,\n    \"b\": {\n      \"c\": [\n        true,\n        null\n      ]\n    }\n  }");
}

/* What is nested deeper than 32 levels stays on one line, where it stands. */
static void test_layout__deep_ones_stay_on_a_line(void **state)
{
    aci_buf in, expected;

    (void)state;
    aci_buf_init(&in, NULL, SIZE_MAX);
    aci_buf_init(&expected, NULL, SIZE_MAX);
    for (int i = 0; i < 32; i++)
        assert_true(aci_buf_add(&in, "[", 1) && aci_buf_printf(&expected, "[\n%*s", 2 * (i + 1), ""));
    assert_true(aci_buf_add_str(&in, AGENTCHAT_STR("[{\"a\":[1,2]},3],4")));
    assert_true(aci_buf_printf(&expected, "[{\"a\":[1,2]},3],\n%*s4", 64, ""));
    for (int i = 31; i >= 0; i--)
        assert_true(aci_buf_add(&in, "]", 1) && aci_buf_printf(&expected, "\n%*s]", 2 * i, ""));
    assert_true(aci_buf_add(&in, "", 1) && aci_buf_add(&expected, "", 1));
    assert_layout(in.ptr, 0, expected.ptr);
    aci_buf_clear(&in);
    aci_buf_clear(&expected);
}

static void test_layout__one_line(void **state)
{
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"", ""},
        {"{\"a\": [1, 2]}", "{\"a\": [1, 2]}"},
        {"{\"a\": [1,\n 2]}", "{\"a\":[1,2]}"},
        {"{\"a b\": \"x  y\\n\",\r\"c\": 1 }", "{\"a b\":\"x  y\\n\",\"c\":1}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        aci_buf out;

        aci_buf_init(&out, NULL, SIZE_MAX);
        assert_true(aci_buf_add_str(&out, AGENTCHAT_STR("a \n")));
        assert_true(aci_buf_add_str(&out, agentchat_str_from(cases[i].text)));
        assert_true(aci_layout_one_line(&out, 3));
        assert_true(aci_buf_add(&out, "", 1));
        assert_memory_equal(out.ptr, "a \n", 3);
        assert_string_equal(out.ptr + 3, cases[i].line);
        aci_buf_clear(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout__is_pythons),
        cmocka_unit_test(test_layout__deep_ones_stay_on_a_line),
        cmocka_unit_test(test_layout__one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
