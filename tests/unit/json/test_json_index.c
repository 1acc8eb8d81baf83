/* SPDX-License-Identifier: Apache-2.0 */
/* The flat index: its nodes, errors, limits, memory; and against the pull reader on text that is cut and damaged. */
#include "support/test_support.h"
#include "json/index.h"
#include "json/value.h"
#include "json/walk.h"

static agentchat_status make(aci_json_index *index, const char *text, uint32_t max_depth, agentchat_error *err)
{
    agentchat_error_clear(err);
    return aci_json_index_text(index, agentchat_str_from(text), max_depth, 0, err);
}

static void test_index__members_and_elements(void **state)
{
    aci_json_index ix;
    agentchat_error err;
    aci_arena *arena = aci_arena_new(NULL, 0);
    agentchat_str text;
    uint32_t list, node;

    (void)state;
    aci_json_index_init(&ix, NULL);
    test_ok(make(&ix, " {\"a\":\"x\", \"l\\u0069st\" : [1.5, {}, [ ], {\"b\":null}],\n \"e\":\"\\ud83d\\ude00\\n\"} ",
                 0, &err),
            &err);
    assert_int_equal(aci_json_index_kind(&ix, 0), ACI_JSON_OBJECT);
    node = aci_json_index_find(&ix, 0, AGENTCHAT_STR("a"));
    assert_true(aci_json_index_string(&ix, node, NULL, &text)); /* a view needs no arena */
    assert_str(text, "x");
    list = aci_json_index_find(&ix, 0, AGENTCHAT_STR("list"));
    assert_str(aci_json_index_raw(&ix, list), "[1.5, {}, [ ], {\"b\":null}]");
    node = aci_json_index_first(&ix, list);
    assert_str(aci_json_index_raw(&ix, node), "1.5");
    node = aci_json_index_next(&ix, list, node);
    assert_int_equal(aci_json_index_kind(&ix, node), ACI_JSON_OBJECT);
    assert_int_equal(aci_json_index_first(&ix, node), 0);
    node = aci_json_index_next(&ix, list, node);
    assert_int_equal(aci_json_index_first(&ix, node), 0);
    node = aci_json_index_next(&ix, list, node);
    node = aci_json_index_find(&ix, node, AGENTCHAT_STR("b"));
    assert_int_equal(aci_json_index_kind(&ix, node), ACI_JSON_NULL);
    assert_int_equal(aci_json_index_next(&ix, list, ix.nodes[list].after - 3), 0); /* the last element */
    node = aci_json_index_find(&ix, 0, AGENTCHAT_STR("e"));
    assert_true(aci_json_index_is(&ix, node, AGENTCHAT_STR("\xF0\x9F\x98\x80\n")));
    assert_false(aci_json_index_is(&ix, node, AGENTCHAT_STR("\xF0\x9F\x98\x80")));
    assert_true(aci_json_index_string(&ix, node, arena, &text));
    assert_str(text, "\xF0\x9F\x98\x80\n");
    assert_int_equal(aci_json_index_find(&ix, 0, AGENTCHAT_STR("b")), 0);    /* that of an inner object */
    assert_int_equal(aci_json_index_find(&ix, list, AGENTCHAT_STR("b")), 0); /* no object */
    aci_arena_unref(arena);
    aci_json_index_clear(&ix);
}

static void test_index__scalars_and_reuse(void **state)
{
    static const char *const texts[] = {"1", " \"\" ", "true", "false", "null", "[]", "{}"};
    aci_json_index ix;
    agentchat_error err;

    (void)state;
    aci_json_index_init(&ix, NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        test_ok(make(&ix, texts[i], 0, &err), &err);
        assert_int_equal(ix.count, 1);
        assert_int_equal(aci_json_index_kind(&ix, 0), aci_json_kind_of(aci_json_index_raw(&ix, 0)));
    }
    aci_json_index_clear(&ix);
}

static void test_index__errors_are_the_readers(void **state)
{
    const char *text = "{\"list\": [\n {\"a/b\": 1},\n {\"c\": [1, tru]}]}";
    aci_json_index ix;
    agentchat_error err, expected;
    agentchat_str key;
    aci_json_reader r;

    (void)state;
    aci_json_index_init(&ix, NULL);
    agentchat_error_clear(&err);
    aci_json_begin(&r, NULL, (char *)(uintptr_t)text, strlen(text), &err);
    assert_true(aci_json_object(&r) && aci_json_member(&r, &key) && aci_json_array(&r));
    assert_true(aci_json_element(&r) && aci_json_index_read(&ix, &r));
    assert_true(aci_json_index_is(&ix, 1, AGENTCHAT_STR("a/b")));
    assert_true(aci_json_element(&r));
    assert_false(aci_json_index_read(&ix, &r));
    assert_int_equal(ix.count, 0);
    test_fails(aci_json_close(&r), &err, AGENTCHAT_E_SYNTAX, "/list/1/c/1", NULL);
    assert_int_equal(err.line, 3);
    agentchat_error_clear(&expected);
    assert_int_equal(aci_json_check(NULL, agentchat_str_from(text), 0, &key, NULL, &expected), err.code);
    assert_string_equal(err.message, expected.message);
    assert_int_equal(err.offset, expected.offset);
    assert_int_equal(err.column, expected.column);
    /* Depth counts, and nothing may follow. */
    test_ok(make(&ix, "[[1]]", 2, &err), &err);
    assert_int_equal(make(&ix, "[[[1]]]", 2, &err), AGENTCHAT_E_LIMIT);
    assert_int_equal(make(&ix, "[] []", 2, &err), AGENTCHAT_E_SYNTAX);
    assert_int_equal(ix.count, 0);
    assert_int_equal(make(&ix, "", 2, &err), AGENTCHAT_E_SYNTAX);
    aci_json_index_clear(&ix);
}

/* The nodes of the next value against what the pulls give. */
static void compare(const aci_json_index *ix, aci_json_reader *r, uint32_t *node)
{
    uint32_t at = *node, child;
    agentchat_str raw;
    agentchat_str key, text;

    assert_int_equal(aci_json_index_kind(ix, at), aci_json_peek(r));
    (*node)++;
    if (aci_json_index_kind(ix, at) == ACI_JSON_OBJECT) {
        assert_true(aci_json_object(r));
        child = aci_json_index_first(ix, at);
        while (aci_json_member(r, &key)) {
            assert_int_equal(child, *node);
            assert_true(aci_json_index_is(ix, child, key));
            child = aci_json_index_next(ix, at, child);
            (*node)++;
            compare(ix, r, node);
        }
    } else if (aci_json_index_kind(ix, at) == ACI_JSON_ARRAY) {
        assert_true(aci_json_array(r));
        child = aci_json_index_first(ix, at);
        while (aci_json_element(r)) {
            assert_int_equal(child, *node);
            child = aci_json_index_next(ix, at, child);
            compare(ix, r, node);
        }
    } else if (aci_json_index_kind(ix, at) == ACI_JSON_STRING) {
        assert_true(aci_json_string(r, &text));
        assert_true(aci_json_index_string(ix, at, r->options.arena, &key));
        assert_true(agentchat_str_equal(key, text));
        assert_true(aci_json_index_is(ix, at, text));
        return;
    } else {
        assert_true(aci_json_raw(r, &raw));
        assert_true(agentchat_str_equal(raw, aci_json_index_raw(ix, at)));
        return;
    }
    assert_int_equal(child, 0);
    assert_int_equal(ix->nodes[at].after, *node);
    assert_ptr_equal(r->cursor, ix->text + ix->nodes[at].end);
}

static void compare_text(aci_json_index *ix, const char *bytes, size_t len)
{
    char *exact = malloc(len > 0 ? len : 1); /* so that a byte read beyond is found */
    agentchat_str text = {exact, len}, span;
    agentchat_error err, expected;

    assert_non_null(exact);
    memcpy(exact, bytes, len);
    agentchat_error_clear(&err);
    agentchat_error_clear(&expected);
    assert_int_equal(aci_json_index_text(ix, text, 0, 0, &err), aci_json_check(NULL, text, 0, &span, NULL, &expected));
    assert_string_equal(err.message, expected.message);
    assert_string_equal(err.path, expected.path);
    assert_int_equal(err.offset, expected.offset);
    assert_int_equal(err.line, expected.line);
    assert_int_equal(err.column, expected.column);
    if (err.code == 0) {
        aci_arena *arena = aci_arena_new(NULL, 0);
        aci_json_options options = {.arena = arena};
        aci_json_reader r;
        uint32_t node = 0;

        aci_json_begin(&r, &options, exact, len, &err);
        compare(ix, &r, &node);
        assert_int_equal(node, ix->count);
        assert_true(aci_json_end(&r));
        test_ok(aci_json_close(&r), &err);
        aci_arena_unref(arena);
    }
    free(exact);
}

static void test_index__same_as_the_reader(void **state)
{
    static const char *const texts[] = {
        "{\"id\":\"e-1\",\"author\":\"Ünïcödé 東京都千代田区 \\\"quoted\\\"\",\"parts\":[{\"text\":\"a\\u0041\\ud800 "
        "b\"},"
        "{\"call\":{\"args\":{\"n\":-1.5e+10,\"list\":[1,2,3,[],{}],\"deep\":[[[[null]]]]}}}],\"ok\":true}",
        " [ \"a long text that has no escapes and is longer than a window of sixty-four bytes, which it is\" ,\r\n\t"
        "\"and one that has its escape far after the first window of sixty-four bytes, right at the end\\n\" ] ",
    };
    aci_json_index ix;

    (void)state;
    aci_json_index_init(&ix, NULL);
    test_seed(7);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        size_t len = strlen(texts[i]);
        char damaged[512];

        compare_text(&ix, texts[i], len);
        for (size_t cut = 0; cut < len; cut++)
            compare_text(&ix, texts[i], cut);
        for (int n = 0; n < 20000; n++) {
            static const char bytes[] = "{}[],:\"\\ \n09-.eEtfnu\x01\x80\xC3\xED\xFF";

            memcpy(damaged, texts[i], len);
            for (size_t k = test_pick(3) + 1; k > 0; k--)
                damaged[test_pick(len)] = bytes[test_pick(sizeof(bytes))];
            compare_text(&ix, damaged, len);
        }
    }
    aci_json_index_clear(&ix);
}

/* Walks with an index and without one, all the way down: the same names and values. Returns how many there are. */
static size_t walk_both(const aci_json_index *ix, agentchat_str raw)
{
    aci_walk with, without;
    size_t count = 0;

    if (*raw.ptr != '{' && *raw.ptr != '[')
        return 0;
    aci_walk_begin_in(&with, ix, raw);
    assert_ptr_equal(with.index, ix);
    aci_walk_begin_in(&without, NULL, raw);
    while (aci_walk_next(&without)) {
        assert_true(aci_walk_next(&with));
        assert_ptr_equal(with.key.ptr, without.key.ptr);
        assert_int_equal(with.key.len, without.key.len);
        assert_ptr_equal(with.value.ptr, without.value.ptr);
        assert_int_equal(with.value.len, without.value.len);
        count += 1 + walk_both(ix, with.value);
    }
    assert_false(aci_walk_next(&with));
    return count;
}

static void test_index__walks_as_the_text_does(void **state)
{
    static const char other[] = "[1]";
    aci_json_index ix;
    aci_walk walk;
    agentchat_error err;
    uint32_t node;

    (void)state;
    aci_json_index_init(&ix, NULL);
    assert_false(aci_json_index_at(&ix, other, &node)); /* nothing was indexed yet */
    test_ok(make(&ix, " {\"a\" : [1,{\"b\":[[ ],\"x\"]} ,{}], \"c\":{ \"d\" : null } , \"e\":\"}\" }", 0, &err), &err);
    assert_int_equal(walk_both(&ix, aci_json_index_raw(&ix, 0)), 10);
    for (uint32_t i = 0; i < ix.count; i++) {
        assert_true(aci_json_index_at(&ix, aci_json_index_raw(&ix, i).ptr, &node));
        assert_int_equal(node, i);
    }
    assert_false(aci_json_index_at(&ix, ix.text + 1 + ix.nodes[1].begin, &node)); /* within a name */
    assert_false(aci_json_index_at(&ix, ix.text - 1, &node));
    assert_false(aci_json_index_at(&ix, ix.text + ix.nodes[0].end, &node));
    aci_walk_begin_in(&walk, &ix, AGENTCHAT_STR("[1]")); /* another text is walked without */
    assert_true(aci_walk_next(&walk));
    assert_str(walk.value, "1");
    assert_false(aci_walk_next(&walk));
    aci_json_index_clear(&ix);
}

static agentchat_status without_memory(const agentchat_env *env, void *user, agentchat_error *err)
{
    aci_json_index ix;
    agentchat_status status;

    (void)user;
    aci_json_index_init(&ix, env);
    status = aci_json_index_text(&ix, AGENTCHAT_STR("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]"), 0,
                                 0, err);
    aci_json_index_clear(&ix);
    return status;
}

static void test_index__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(without_memory, NULL) > 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index__members_and_elements),   cmocka_unit_test(test_index__scalars_and_reuse),
        cmocka_unit_test(test_index__errors_are_the_readers), cmocka_unit_test(test_index__same_as_the_reader),
        cmocka_unit_test(test_index__walks_as_the_text_does), cmocka_unit_test(test_index__out_of_memory),
    };

    return cmocka_run_group_tests_name("json_index", tests, NULL, NULL);
}
