/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Patch and JSON Merge Patch on text. With AGENTCHAT_REAL_FILES set, the public cases of JSON Patch are tried,
 * too.
 */
#include "support/test_support.h"

#include <agentchat/json_text.h>

typedef agentchat_status (*patch_fn)(const agentchat_env *env, agentchat_str document, agentchat_str patch,
                                     agentchat_bytes *out, agentchat_error *err);

typedef struct patch_case {
    const char *document, *patch;
    const char *expected; /* NULL: it fails */
    agentchat_status status;
    const char *why; /* part of the message */
} patch_case;

static void try_cases(patch_fn apply, const patch_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const patch_case *c = &cases[i];
        agentchat_bytes out = AGENTCHAT_BYTES_INIT;
        agentchat_error err;
        agentchat_status status =
            apply(NULL, agentchat_str_from(c->document), agentchat_str_from(c->patch), &out, &err);

        if (c->expected != NULL) {
            test_ok(status, &err);
            assert_string_equal(out.ptr, c->expected);
        } else {
            test_fails(status, &err, c->status, NULL, c->why);
            assert_int_equal(out.len, 0);
        }
        agentchat_bytes_clear(&out);
    }
}
#define TRY(apply, cases) try_cases(apply, cases, sizeof(cases) / sizeof *(cases))

#define OK(document, patch, expected)                                                                                  \
    {                                                                                                                  \
        document, patch, expected, AGENTCHAT_OK, NULL                                                                  \
    }
#define FAILS(document, patch, status, why)                                                                            \
    {                                                                                                                  \
        document, patch, NULL, AGENTCHAT_E_##status, why                                                               \
    }

static void test_json_patch__keeps_the_spelling(void **state)
{
    static const patch_case cases[] = {
        OK("{\"a\":0.10,\"b\":123456789012345678901234567890,\"c\":\"\\u0041\"}",
           "[{\"op\":\"add\",\"path\":\"/d\",\"value\":1E2}]",
           "{\"a\":0.10,\"b\":123456789012345678901234567890,\"c\":\"\\u0041\",\"d\":1E2}"),
        OK(" {\n  \"a\": 1.0,\n  \"b\": [1,2 ,3]\n} ", "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":{\"x\":  2}}]",
           "{\n  \"a\": {\"x\":  2},\n  \"b\": [1,2 ,3]\n}"),
        OK("{\n  \"a\": 1\n}", "[{\"op\":\"add\",\"path\":\"/b\",\"value\":2}]", "{\n  \"a\": 1,\n  \"b\": 2\n}"),
        OK("{\"a\": 1, \"b\": 2}", "[{\"op\":\"remove\",\"path\":\"/a\"}]", "{\"b\": 2}"),
        OK("{\"a\": 1}", "[{\"op\":\"remove\",\"path\":\"/a\"}]", "{}"),
        OK("[1, 2]", "[{\"op\":\"add\",\"path\":\"/1\",\"value\":9},{\"op\":\"add\",\"path\":\"/-\",\"value\":8}]",
           "[1, 9, 2, 8]"),
        OK("[]", "[{\"op\":\"add\",\"path\":\"/0\",\"value\":[]},{\"op\":\"add\",\"path\":\"/0/-\",\"value\":7}]",
           "[[7]]"),
        OK("{}", "[]", "{}"),
        OK("1", "[{\"op\":\"add\",\"path\":\"\",\"value\":{}},{\"op\":\"add\",\"path\":\"/\",\"value\":1}]",
           "{\"\": 1}"),
        OK("{\"a/b\":1,\"m~n\":2,\"\\u00e9\":3}",
           "[{\"op\":\"replace\",\"path\":\"/a~1b\",\"value\":4},{\"op\":\"remove\",\"path\":\"/m~0n\"},"
           "{\"op\":\"replace\",\"path\":\"/\xC3\xA9\",\"value\":5}]",
           "{\"a/b\":4,\"\\u00e9\":5}"),
        OK("{}", "[{\"op\":\"add\",\"path\":\"/q\\\"\\n\",\"value\":1}]", "{\"q\\\"\\n\": 1}"),
    };

    (void)state;
    TRY(agentchat_json_patch, cases);
}

static void test_json_patch__moves_and_copies(void **state)
{
    static const patch_case cases[] = {
        OK("{\"a\":{\"b\":1.50},\"c\":{}}", "[{\"op\":\"move\",\"from\":\"/a/b\",\"path\":\"/c/d\"}]",
           "{\"a\":{},\"c\":{\"d\":1.50}}"),
        OK("[1,2,3]", "[{\"op\":\"move\",\"from\":\"/0\",\"path\":\"/2\"}]", "[2,3,1]"),
        OK("{\"a\":1}", "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a\"}]", "{\"a\":1}"),
        OK("{\"a\":[1]}",
           "[{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"},{\"op\":\"add\",\"path\":\"/a/-\",\"value\":2},"
           "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/c\"},{\"op\":\"remove\",\"path\":\"/c/0\"}]",
           "{\"a\":[1,2],\"b\":[1],\"c\":[2]}"),
        FAILS("{\"a\":{}}", "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a/b\"}]", INVALID, "into itself"),
        FAILS("{\"a\":1}", "[{\"op\":\"move\",\"from\":\"/b\",\"path\":\"/a\"}]", NOTFOUND,
              "operation 1 (move /a): there is no such value"),
        FAILS("{\"a\":1}", "[{\"op\":\"remove\",\"path\":\"\"}]", INVALID, "whole document"),
    };

    (void)state;
    TRY(agentchat_json_patch, cases);
}

static void test_json_patch__tests(void **state)
{
    static const patch_case cases[] = {
        OK("{\"a\":[1.0,{\"x\":\"\\u0041\",\"y\":null}]}",
           "[{\"op\":\"test\",\"path\":\"/a\",\"value\":[1,{\"y\":null,\"x\":\"A\"}]}]",
           "{\"a\":[1.0,{\"x\":\"\\u0041\",\"y\":null}]}"),
        FAILS("{\"a\":12345678901234567890}", "[{\"op\":\"test\",\"path\":\"/a\",\"value\":12345678901234567891}]",
              CONFLICT, "another value"),
        FAILS("{\"a\":1}",
              "[{\"op\":\"add\",\"path\":\"/b\",\"value\":1},{\"op\":\"test\",\"path\":\"/a\",\"value\":\"1\"}]",
              CONFLICT, "operation 2 (test /a): another value is there"),
        FAILS("{\"a\":1}", "[{\"op\":\"test\",\"path\":\"/b\",\"value\":null}]", NOTFOUND, "no such value"),
    };

    (void)state;
    TRY(agentchat_json_patch, cases);
}

static void test_json_patch__refuses_what_is_none(void **state)
{
    static const patch_case cases[] = {
        FAILS("{}", "{}", INVALID, "array of operations"),
        FAILS("{}", "[1]", INVALID, "operation 1 (? ?): an operation is an object"),
        FAILS("{}", "[{\"op\":\"spam\",\"path\":\"/a\"}]", INVALID, "op is add, remove"),
        FAILS("{}", "[{\"op\":\"add\",\"value\":1}]", INVALID, "no path"),
        FAILS("{}", "[{\"op\":\"add\",\"path\":\"/a\"}]", INVALID, "no value"),
        FAILS("{}", "[{\"op\":\"copy\",\"path\":\"/a\"}]", INVALID, "no from"),
        FAILS("{}", "[{\"op\":\"add\",\"path\":null,\"value\":1}]", INVALID, "are texts"),
        FAILS("{}", "[{\"op\":\"add\",\"path\":\"a\",\"value\":1}]", INVALID, "begins with /"),
        FAILS("{}", "[{\"op\":\"add\",\"path\":\"/~2\",\"value\":1}]", INVALID, "after ~"),
        FAILS("{}", "[{\"op\":\"add\",\"path\":\"/~\",\"value\":1}]", INVALID, "after ~"),
        FAILS("{\"b\":1}", "[{\"op\":\"add\",\"path\":\"/a\",\"value\":1,\"op\":\"remove\"}]", INVALID, "given twice"),
        FAILS("{\"a\":1}", "[{\"op\":\"add\",\"path\":\"/a/b\",\"value\":1}]", NOTFOUND,
              "nothing that this could be in"),
        FAILS("{}", "[{\"op\":\"add\",\"path\":\"/a/b\",\"value\":1}]", NOTFOUND, "nothing that this could be in"),
        FAILS("[1]", "[{\"op\":\"add\",\"path\":\"/2\",\"value\":1}]", NOTFOUND, "no such index"),
        FAILS("[1]", "[{\"op\":\"add\",\"path\":\"/01\",\"value\":1}]", NOTFOUND, "no such index"),
        FAILS("[1]", "[{\"op\":\"add\",\"path\":\"/99999999999999999999\",\"value\":1}]", NOTFOUND, "no such index"),
        FAILS("[1,2]", "[{\"op\":\"remove\",\"path\":\"/4294967297\"}]", NOTFOUND, "no such index"),
        FAILS("[1]", "[{\"op\":\"remove\",\"path\":\"/-\"}]", NOTFOUND, "no such value"),
        FAILS("{", "[]", SYNTAX, "the document: "),
        FAILS("{}", "[", SYNTAX, "the patch: "),
    };

    (void)state;
    TRY(agentchat_json_patch, cases);
}

/* What is small must not become large, or deep. */
static void test_json_patch__has_limits(void **state)
{
    static char patch[100000] =
        "[{\"op\":\"add\",\"path\":\"/a\",\"value\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}";
    size_t len = strlen(patch);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    for (int i = 0; i < 60; i++)
        len +=
            (size_t)snprintf(patch + len, sizeof patch - len, ",{\"op\":\"copy\",\"from\":\"\",\"path\":\"/%d\"}", i);
    snprintf(patch + len, sizeof patch - len, "]");
    test_fails(agentchat_json_patch(NULL, AGENTCHAT_STR("{}"), agentchat_str_from(patch), &out, &err), &err,
               AGENTCHAT_E_LIMIT, NULL, "moves or copies too much");
    len = (size_t)snprintf(patch, sizeof patch, "[{\"op\":\"add\",\"path\":\"\",\"value\":[]}");
    for (int i = 0; i < 300; i++)
        len += (size_t)snprintf(
            patch + len, sizeof patch - len,
            ",{\"op\":\"add\",\"path\":\"/-\",\"value\":[]},{\"op\":\"move\",\"from\":\"\",\"path\":\"/0\"}");
    snprintf(patch + len, sizeof patch - len, "]");
    assert_true(agentchat_json_patch(NULL, AGENTCHAT_STR("[]"), agentchat_str_from(patch), &out, &err) < 0);
    len = (size_t)snprintf(patch, sizeof patch, "[");
    for (int i = 0; i < 200; i++) { /* each into the one before */
        len += (size_t)snprintf(patch + len, sizeof patch - len, "%s{\"op\":\"add\",\"path\":\"", i > 0 ? "," : "");
        for (int k = 0; k < i; k++)
            len += (size_t)snprintf(patch + len, sizeof patch - len, "/0");
        len += (size_t)snprintf(patch + len, sizeof patch - len, "/-\",\"value\":[[]]}");
    }
    snprintf(patch + len, sizeof patch - len, "]");
    test_fails(agentchat_json_patch(NULL, AGENTCHAT_STR("[]"), agentchat_str_from(patch), &out, &err), &err,
               AGENTCHAT_E_LIMIT, NULL, "nested too deeply");
    assert_int_equal(out.len, 0);
    agentchat_bytes_clear(&out);
}

/* The cases of RFC 7396's appendix, and spelling. */
static void test_json_merge_patch(void **state)
{
    static const patch_case cases[] = {
        OK("{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"),
        OK("{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"),
        OK("{\"a\":\"b\"}", "{\"a\":null}", "{}"),
        OK("{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"),
        OK("{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"),
        OK("{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"),
        OK("{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"),
        OK("{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"),
        OK("[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"),
        OK("{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]"),
        OK("{\"a\":\"foo\"}", "null", "null"),
        OK("{\"a\":\"foo\"}", "\"bar\"", "\"bar\""),
        OK("{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"),
        OK("[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\": \"b\"}"),
        OK("{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\": {\"bb\": {}}}"),
        OK("{\n  \"n\": 0.10,\n  \"m\": 7\n}", "{\"\\u006d\":8,\"o\":{\"x\":1}}",
           "{\n  \"n\": 0.10,\n  \"m\": 8,\n  \"o\": {\"x\": 1}\n}"),
    };

    (void)state;
    TRY(agentchat_json_merge_patch, cases);
}

static void expect_same_value(agentchat_str got, agentchat_str expected, const char *patch)
{
    agentchat_bytes test = AGENTCHAT_BYTES_INIT, out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_bytes_append(&test, AGENTCHAT_STR("[{\"op\":\"test\",\"path\":\"\",\"value\":"), &err), &err);
    test_ok(agentchat_bytes_append(&test, expected, &err), &err);
    test_ok(agentchat_bytes_append(&test, AGENTCHAT_STR("}]"), &err), &err);
    if (agentchat_json_patch(NULL, got, (agentchat_str){test.ptr, test.len}, &out, &err) < 0)
        fail_msg("%s\ngives %.*s", patch, (int)got.len, got.ptr);
    agentchat_bytes_clear(&test);
    agentchat_bytes_clear(&out);
}

static void try_file(const char *path, void *user)
{
    size_t len, *tried = user;
    char *text = test_file_read(path, &len);
    agentchat_json_walk walk;
    bool is_array = agentchat_json_walk_into(&walk, (agentchat_str){text, len});

    assert_true(is_array);
    while (agentchat_json_walk_next(&walk)) {
        agentchat_str document = agentchat_json_find(walk.value, AGENTCHAT_STR("doc"));
        agentchat_str patch = agentchat_json_find(walk.value, AGENTCHAT_STR("patch"));
        agentchat_str expected = agentchat_json_find(walk.value, AGENTCHAT_STR("expected"));
        bool fails = agentchat_json_find(walk.value, AGENTCHAT_STR("error")).ptr != NULL;
        agentchat_bytes out = AGENTCHAT_BYTES_INIT;
        char what[500];
        agentchat_error err;
        agentchat_status status;

        if (patch.ptr == NULL)
            continue;
        status = agentchat_json_patch(NULL, document, patch, &out, &err);
        snprintf(what, sizeof what, "%.*s", (int)(patch.len < 400 ? patch.len : 400), patch.ptr);
        if ((status < 0) != fails)
            fail_msg("%s: %s", what, status < 0 ? err.message : "this should fail");
        if (!fails && expected.ptr != NULL)
            expect_same_value((agentchat_str){out.ptr, out.len}, expected, what);
        agentchat_bytes_clear(&out);
        ++*tried;
    }
    free(text);
}

static void test_json_patch__public_cases(void **state)
{
    size_t tried = 0;
    char *dir;

    (void)state;
    if (test_real_files() == NULL) {
        print_message("AGENTCHAT_REAL_FILES is not set\n");
        skip();
    }
    dir = test_path(test_real_files(), "json-patch-tests");
    (void)test_each_file(dir, ".json", try_file, &tried);
    free(dir);
    assert_true(tried >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_patch__keeps_the_spelling),
        cmocka_unit_test(test_json_patch__moves_and_copies),
        cmocka_unit_test(test_json_patch__tests),
        cmocka_unit_test(test_json_patch__refuses_what_is_none),
        cmocka_unit_test(test_json_patch__has_limits),
        cmocka_unit_test(test_json_merge_patch),
        cmocka_unit_test(test_json_patch__public_cases),
    };

    return cmocka_run_group_tests_name("json_patch", tests, NULL, NULL);
}
