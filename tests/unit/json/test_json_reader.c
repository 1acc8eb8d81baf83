/* SPDX-License-Identifier: Apache-2.0 */
/* The pull reader: values, positions, pointers, limits. */
#include "support/test_support.h"
#include "json/reader.h"

/* A reader over a block of exactly the text's size. */
typedef struct fixture {
    char *text;
    aci_arena *arena;
    aci_json_reader r;
    agentchat_error err;
} fixture;

static void open_bytes(fixture *f, const char *text, size_t len, aci_json_options options)
{
    f->text = malloc(len > 0 ? len : 1);
    assert_non_null(f->text);
    memcpy(f->text, text, len);
    f->arena = aci_arena_new(NULL, 0);
    assert_non_null(f->arena);
    options.arena = f->arena;
    agentchat_error_clear(&f->err);
    aci_json_begin(&f->r, &options, f->text, len, &f->err);
}

static void open_text(fixture *f, const char *text, uint32_t flags)
{
    open_bytes(f, text, strlen(text), (aci_json_options){.flags = flags, .source = "x.json"});
}

static void close_ok(fixture *f)
{
    (void)aci_json_end(&f->r);
    test_ok(aci_json_close(&f->r), &f->err);
    aci_arena_unref(f->arena);
    free(f->text);
}

static void close_failed(fixture *f, agentchat_status status, const char *path, uint64_t offset, uint32_t line,
                         uint32_t column, const char *message)
{
    agentchat_str text;
    bool flag;
    uint64_t number;

    /* Nothing moves any more. */
    assert_true(aci_json_failed(&f->r));
    assert_false(aci_json_string(&f->r, &text) || aci_json_raw(&f->r, &text) || aci_json_base64(&f->r, &text) ||
                 aci_json_member(&f->r, &text) || aci_json_element(&f->r) || aci_json_object(&f->r) ||
                 aci_json_array(&f->r) || aci_json_bool(&f->r, &flag) || aci_json_null(&f->r) ||
                 aci_json_u64(&f->r, &number) || aci_json_end(&f->r));
    assert_int_equal(aci_json_peek(&f->r), ACI_JSON_ERROR);
    test_fails(aci_json_close(&f->r), &f->err, status, path, message);
    assert_int_equal(f->err.offset, offset);
    assert_int_equal(f->err.line, line);
    assert_int_equal(f->err.column, column);
    assert_string_equal(f->err.source, "x.json");
    aci_arena_unref(f->arena);
    free(f->text);
}

static void test_reader__typed_values(void **state)
{
    (void)state;
    for (uint32_t flags = 0; flags <= ACI_JSON_IN_PLACE; flags++) {
        fixture f;
        agentchat_str key, text;
        bool flag = false;
        uint64_t number = 0;

        open_text(
            &f,
            " {\"a\" : \"x\\u00e9\\n\\ud83d\\ude00\\ud800!\", \"b\\/c\":[true,false,null, 18446744073709551615],\r\n"
            "\t\"\":{},\"d\":[ ] , \"e\": [1.5e3 ,\"\",\"plain\"] } \n",
            flags);
        assert_int_equal(aci_json_peek(&f.r), ACI_JSON_OBJECT);
        assert_true(aci_json_object(&f.r));
        assert_true(aci_json_member(&f.r, &key));
        assert_str(key, "a");
        assert_true(aci_json_string(&f.r, &text));
        assert_str(text, "x\xC3\xA9\n\xF0\x9F\x98\x80\xED\xA0\x80!");
        assert_true(aci_json_member(&f.r, &key));
        assert_str(key, "b/c");
        assert_true(aci_json_array(&f.r));
        assert_true(aci_json_element(&f.r) && aci_json_bool(&f.r, &flag));
        assert_true(flag);
        assert_true(aci_json_element(&f.r) && aci_json_bool(&f.r, &flag));
        assert_false(flag);
        assert_true(aci_json_element(&f.r) && aci_json_null(&f.r));
        assert_true(aci_json_element(&f.r) && aci_json_u64(&f.r, &number));
        assert_true(number == UINT64_MAX);
        assert_false(aci_json_element(&f.r));
        assert_true(aci_json_member(&f.r, &key));
        assert_str(key, "");
        assert_true(aci_json_object(&f.r));
        assert_false(aci_json_member(&f.r, &key));
        assert_true(aci_json_member(&f.r, &key) && aci_json_array(&f.r));
        assert_false(aci_json_element(&f.r));
        assert_true(aci_json_member(&f.r, &key) && aci_json_array(&f.r) && aci_json_element(&f.r));
        assert_true(aci_json_raw(&f.r, &text));
        assert_str(text, "1.5e3");
        assert_true(aci_json_element(&f.r) && aci_json_string(&f.r, &text));
        assert_str(text, "");
        assert_true(aci_json_element(&f.r) && aci_json_string(&f.r, &text));
        assert_str(text, "plain");
        assert_false(aci_json_element(&f.r));
        assert_false(aci_json_member(&f.r, &key));
        close_ok(&f);
    }
}

static void test_reader__strings_without_escapes_are_slices(void **state)
{
    fixture f;
    agentchat_str text;

    (void)state;
    open_text(&f, "\"\xE4\xB8\xAD\xE6\x96\x87 and more than sixteen bytes \xF0\x9F\x98\x80\"", 0);
    assert_true(aci_json_string(&f.r, &text));
    assert_ptr_equal(text.ptr, f.text + 1);
    close_ok(&f);
}

static void test_reader__a_decoded_string_is_no_json_any_more(void **state)
{
    fixture f;
    agentchat_str text = {NULL, 0};

    (void)state;
    open_text(&f, "[\"\\u005cn\",\"\\n005cn\"]", ACI_JSON_IN_PLACE);
    assert_true(aci_json_array(&f.r) && aci_json_element(&f.r) && aci_json_string(&f.r, &text));
    assert_str(text, "\\n");
    assert_true(aci_json_element(&f.r));
    assert_false(aci_json_match(&f.r, (agentchat_str){f.text + 1, 9})); /* it would, but for the NUL */
    assert_true(aci_json_string(&f.r, &text));
    assert_str(text, "\n005cn");
    assert_false(aci_json_element(&f.r));
    close_ok(&f);
}

typedef struct bad_case {
    const char *text;
    agentchat_status status;
    const char *path;
    uint64_t offset;
    uint32_t line, column;
    const char *message;
} bad_case;

/* Pulls whatever is there as members, elements and strings; other values as raw. */
static void pull_all(aci_json_reader *r)
{
    agentchat_str text;
    aci_json_kind kind = aci_json_peek(r);

    if (kind == ACI_JSON_OBJECT && aci_json_object(r)) {
        while (aci_json_member(r, &text))
            pull_all(r);
    } else if (kind == ACI_JSON_ARRAY && aci_json_array(r)) {
        while (aci_json_element(r))
            pull_all(r);
    } else if (kind == ACI_JSON_STRING) {
        (void)aci_json_string(r, &text);
    } else if (kind != ACI_JSON_ERROR) {
        (void)aci_json_raw(r, &text);
    }
}

static const bad_case bad_cases[] = {
    {"", AGENTCHAT_E_SYNTAX, "", 0, 1, 1, "unexpected end"},
    {" \n ", AGENTCHAT_E_SYNTAX, "", 3, 2, 2, "unexpected end"},
    {"x", AGENTCHAT_E_SYNTAX, "", 0, 1, 1, "expected a value, found 'x'"},
    {"{\"a\":[1,\n  {\"b/~\":tru}]}", AGENTCHAT_E_SYNTAX, "/a/1/b~1~0", 18, 2, 10, "expected a value"},
    {"[1 2]", AGENTCHAT_E_SYNTAX, "", 3, 1, 4, "expected ',' or ']'"},
    {"[1,]", AGENTCHAT_E_SYNTAX, "/1", 3, 1, 4, "expected a value"},
    {"[", AGENTCHAT_E_SYNTAX, "", 1, 1, 2, "unexpected end"},
    {"{\"a\":1,}", AGENTCHAT_E_SYNTAX, "", 7, 1, 8, "the name of a member"},
    {"{\"a\" 1}", AGENTCHAT_E_SYNTAX, "/a", 5, 1, 6, "expected ':'"},
    {"{\"k\\u0041\":\"\x01\"}", AGENTCHAT_E_SYNTAX, "/kA", 12, 1, 13, "must be escaped"},
    {"{\"a\":{\"b\":\"\\q\"}}", AGENTCHAT_E_SYNTAX, "/a/b", 11, 1, 12, "invalid escape"},
    {"[\"\\u12\"]", AGENTCHAT_E_SYNTAX, "/0", 2, 1, 3, "invalid escape"},
    {"[\"abc\xC3(\"]", AGENTCHAT_E_SYNTAX, "/0", 5, 1, 6, "not UTF-8"},
    {"[\"\\n\xED\xA0\x80\"]", AGENTCHAT_E_SYNTAX, "/0", 4, 1, 5, "not UTF-8"},
    {"[\"abc", AGENTCHAT_E_SYNTAX, "/0", 5, 1, 6, "unexpected end of the input inside a string"},
    {"[01]", AGENTCHAT_E_SYNTAX, "", 2, 1, 3, "expected ',' or ']'"},
    {"[-]", AGENTCHAT_E_SYNTAX, "/0", 2, 1, 3, "a digit"},
    {"[1.]", AGENTCHAT_E_SYNTAX, "/0", 3, 1, 4, "a digit"},
    {"[1e+]", AGENTCHAT_E_SYNTAX, "/0", 4, 1, 5, "a digit"},
    {"[]\n x", AGENTCHAT_E_SYNTAX, "", 4, 2, 2, "the end of the input"},
    {"\xEF\xBB\xBF{}", AGENTCHAT_E_SYNTAX, "", 0, 1, 1, "byte-order mark"},
};

static void test_reader__errors_have_a_location(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++) {
        const bad_case *c = &bad_cases[i];
        agentchat_str span;
        fixture f;

        for (uint32_t flags = 0; flags <= ACI_JSON_IN_PLACE; flags++) {
            open_text(&f, c->text, flags);
            pull_all(&f.r);
            (void)aci_json_end(&f.r);
            close_failed(&f, c->status, c->path, c->offset, c->line, c->column, c->message);
        }
        /* The loop for raw values finds the same fault at the same location. */
        open_text(&f, c->text, 0);
        (void)aci_json_raw(&f.r, &span);
        (void)aci_json_end(&f.r);
        close_failed(&f, c->status, c->path, c->offset, c->line, c->column, c->message);
    }
}

static void test_reader__wrong_kinds_are_schema_errors(void **state)
{
    fixture f;
    agentchat_str text;
    uint64_t number;

    (void)state;
    open_text(&f, "[\n  7]", 0);
    assert_true(aci_json_array(&f.r) && aci_json_element(&f.r));
    assert_false(aci_json_string(&f.r, &text));
    assert_null(text.ptr);
    close_failed(&f, AGENTCHAT_E_SCHEMA, "/0", 4, 2, 3, "expected a string, found a number");

    static const char *const no_u64[] = {"-1", "-0", "1.0", "1e3", "18446744073709551616", "\"1\""};
    for (size_t i = 0; i < sizeof(no_u64) / sizeof(no_u64[0]); i++) {
        open_text(&f, no_u64[i], 0);
        assert_false(aci_json_u64(&f.r, &number));
        close_failed(&f, AGENTCHAT_E_SCHEMA, "", 0, 1, 1, "integer");
    }
}

/* What only begins like a value of another kind is no JSON, and that is what is said. */
static void test_reader__no_value_is_of_no_kind(void **state)
{
    static const struct {
        const char *text;
        agentchat_status status;
        uint64_t offset;
        const char *message;
    } cases[] = {
        {" not json", AGENTCHAT_E_SYNTAX, 1, "expected a value, found 'n'"},
        {" nul", AGENTCHAT_E_SYNTAX, 1, "expected a value, found 'n'"},
        {" True", AGENTCHAT_E_SYNTAX, 1, "expected a value, found 'T'"},
        {" truth", AGENTCHAT_E_SYNTAX, 1, "expected a value, found 't'"},
        {" false", AGENTCHAT_E_SCHEMA, 1, "found false"},
        {" fals", AGENTCHAT_E_SYNTAX, 1, "expected a value, found 'f'"},
        {" -x", AGENTCHAT_E_SYNTAX, 2, "expected a digit, found 'x'"},
        {" 1.", AGENTCHAT_E_SYNTAX, 3, "end of the input"},
        {" 1.5", AGENTCHAT_E_SCHEMA, 1, "found a number"},
        {" \"a", AGENTCHAT_E_SYNTAX, 3, "end of the input inside a string"},
        {" \"\\x\"", AGENTCHAT_E_SYNTAX, 2, "invalid escape"},
        {" \"a\"", AGENTCHAT_E_SCHEMA, 1, "found a string"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int is_object = 0; is_object < 2; is_object++) {
            fixture f;

            open_text(&f, cases[i].text, 0);
            assert_false(is_object != 0 ? aci_json_object(&f.r) : aci_json_array(&f.r));
            close_failed(&f, cases[i].status, "", cases[i].offset, 1, (uint32_t)cases[i].offset + 1, cases[i].message);
        }
    }
}

static void test_reader__fail_names_the_value_read_last(void **state)
{
    fixture f;
    agentchat_str key, text;

    (void)state;
    open_text(&f, "{\"a\":\n{\"b\":\n1}}", 0);
    assert_true(aci_json_object(&f.r) && aci_json_member(&f.r, &key) && aci_json_object(&f.r) &&
                aci_json_member(&f.r, &key) && aci_json_raw(&f.r, &text));
    assert_false(aci_json_member(&f.r, &key));
    /* The inner object is the last one read: something is missing in it. */
    assert_false(aci_json_fail(&f.r, AGENTCHAT_E_SCHEMA, "no %s here", "role"));
    close_failed(&f, AGENTCHAT_E_SCHEMA, "/a", 6, 2, 1, "no role here");

    open_text(&f, "{\"a\":\n{\"b\":\n1}}", 0);
    assert_true(aci_json_object(&f.r) && aci_json_member(&f.r, &key));
    (void)aci_json_fail(&f.r, AGENTCHAT_E_SCHEMA, "unknown");
    close_failed(&f, AGENTCHAT_E_SCHEMA, "/a", 1, 1, 2, "unknown");

    open_text(&f, "[\n1,\n2]", 0);
    assert_true(aci_json_array(&f.r) && aci_json_element(&f.r));
    size_t first = aci_json_offset(&f.r);
    assert_int_equal(first, 2);
    assert_true(aci_json_raw(&f.r, &text) && aci_json_element(&f.r) && aci_json_raw(&f.r, &text));
    (void)aci_json_fail_at(&f.r, first, AGENTCHAT_E_SCHEMA, "bad");
    close_failed(&f, AGENTCHAT_E_SCHEMA, "/1", 2, 2, 1, "bad");
}

static void test_reader__an_earlier_error_stays(void **state)
{
    fixture f;

    (void)state;
    open_text(&f, "[", 0);
    (void)agentchat_error_set(&f.err, AGENTCHAT_E_CALLBACK, "first");
    assert_true(aci_json_array(&f.r));
    assert_false(aci_json_element(&f.r));
    assert_int_equal(aci_json_close(&f.r), AGENTCHAT_E_SYNTAX);
    assert_int_equal(f.err.code, AGENTCHAT_E_CALLBACK);
    assert_string_equal(f.err.message, "first");
    aci_arena_unref(f.arena);
    free(f.text);
}

static void test_reader__depth_limit(void **state)
{
    char text[130];

    (void)state;
    for (int over = 0; over <= 1; over++) {
        fixture f;
        agentchat_str span;
        size_t levels = 40 + (size_t)over;

        memset(text, '[', levels);
        memset(text + levels, ']', levels);
        for (int raw = 0; raw <= 1; raw++) {
            open_bytes(
                &f, text, 2 * levels,
                (aci_json_options){
                    .max_depth = 45, .depth_used = 5, .source = "x.json", .path_prefix = AGENTCHAT_STR("/outer")});
            if (raw)
                (void)aci_json_raw(&f.r, &span);
            else
                pull_all(&f.r);
            if (!over)
                close_ok(&f);
            else
                close_failed(&f, AGENTCHAT_E_LIMIT,
                             "/outer/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0",
                             40, 1, 41, "deeper than 45");
        }
    }
}

static void test_reader__highest_depth(void **state)
{
    size_t levels = ACI_JSON_HIGHEST_DEPTH;
    char *text = malloc(6 * levels + 1);
    size_t at = 0;
    fixture f;
    agentchat_str span;

    (void)state;
    for (size_t i = 0; i < levels; i++, at += i % 2 == 0 ? 1 : 4)
        memcpy(text + at, i % 2 == 0 ? "[" : "{\"\":", i % 2 == 0 ? 1 : 4);
    at = 0;
    for (size_t i = 0; i < levels; i++) {
        memcpy(text + at, i % 2 == 0 ? "[" : "{\"\":", i % 2 == 0 ? 1 : 4);
        at += i % 2 == 0 ? 1 : 4;
    }
    text[at++] = '1';
    for (size_t i = levels; i > 0; i--)
        text[at++] = (i - 1) % 2 == 0 ? ']' : '}';
    open_bytes(&f, text, at, (aci_json_options){.max_depth = UINT32_MAX});
    assert_true(aci_json_raw(&f.r, &span));
    assert_int_equal(span.len, at);
    close_ok(&f);
    text[at - 1] = '}'; /* the outermost bracket */
    open_bytes(&f, text, at, (aci_json_options){.max_depth = UINT32_MAX, .source = "x.json"});
    assert_false(aci_json_raw(&f.r, &span));
    close_failed(&f, AGENTCHAT_E_SYNTAX, "", at - 1, 1, (uint32_t)at, "expected ',' or ']'");
    free(text);
}

static void test_reader__long_pointers_keep_their_tail(void **state)
{
    char text[900] = "{\"";
    fixture f;
    agentchat_str key, span;

    (void)state;
    memset(text + 2, 'k', 700);
    strcpy(text + 702, "\":{\"x\\u0041\\ud83d\\ude00\":[0,!]}}");
    open_text(&f, text, 0);
    assert_true(aci_json_object(&f.r) && aci_json_member(&f.r, &key));
    assert_false(aci_json_raw(&f.r, &span));
    assert_int_equal(aci_json_close(&f.r), AGENTCHAT_E_SYNTAX);
    const char *tail = "kkkk/xA\xF0\x9F\x98\x80/1";
    assert_true(strlen(f.err.path) > 100 && strlen(f.err.path) < sizeof(f.err.path));
    assert_string_equal(f.err.path + strlen(f.err.path) - strlen(tail), tail);
    char head[8];
    assert_int_equal(aci_json_pointer(&f.r, head, sizeof(head)), 8);
    assert_memory_equal(head, "/kkkkkkk", 8);
    aci_arena_unref(f.arena);
    free(f.text);
}

static void test_reader__raw_spans_and_lines(void **state)
{
    fixture f;
    agentchat_str key, text = {NULL, 0};

    (void)state;
    open_text(&f, "{\"a\": [1,\n{\"b\": \"\\\"]\"},\n[[],{}]\n] ,\n\"c\":!}", 0);
    assert_true(aci_json_object(&f.r) && aci_json_member(&f.r, &key) && aci_json_raw(&f.r, &text));
    assert_str(text, "[1,\n{\"b\": \"\\\"]\"},\n[[],{}]\n]");
    assert_true(aci_json_member(&f.r, &key));
    assert_false(aci_json_raw(&f.r, &text));
    close_failed(&f, AGENTCHAT_E_SYNTAX, "/c", 40, 5, 5, "expected a value");
}

static void test_reader__base64(void **state)
{
    static const struct {
        const char *text;
        uint64_t offset;
        const char *message;
    } bad[] = {
        {"\"AAA\"", 4, "too early, at byte 3"},
        {"\"AA=A\"", 4, "byte 3"},
        {"\"AAA*\"", 4, "byte 3"},
        {"\"AB==\"", 2, "byte 1"},
        {"\"====\"", 1, "byte 0"},
        {"\"AAAAAAAA=\"", 9, "byte 8"},
        {"\"AA\\u003d*\"", 0, "byte 3"},
        {"\"AA==AA==\"", 5, "byte 4"},
    };
    fixture f;
    agentchat_str text;

    (void)state;
    open_text(&f,
              "[\"\",\"AA==\",\"AAA=\",\"AAAA\",\"a\\u002Bb\\/\",\"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
              "0123456789+/AA==\"]",
              0);
    static const char *const good[] = {"", "AA==", "AAA=", "AAAA", "a+b/"};
    assert_true(aci_json_array(&f.r));
    for (size_t i = 0; i < 5; i++) {
        assert_true(aci_json_element(&f.r) && aci_json_base64(&f.r, &text));
        assert_str(text, good[i]);
    }
    assert_true(aci_json_element(&f.r) && aci_json_base64(&f.r, &text));
    assert_int_equal(text.len, 68);
    assert_false(aci_json_element(&f.r));
    close_ok(&f);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        open_text(&f, bad[i].text, 0);
        assert_false(aci_json_base64(&f.r, &text));
        assert_null(text.ptr);
        close_failed(&f, AGENTCHAT_E_SCHEMA, "", bad[i].offset, 1, (uint32_t)bad[i].offset + 1, bad[i].message);
    }
    open_text(&f, "\"AA\n\"", 0);
    assert_false(aci_json_base64(&f.r, &text));
    close_failed(&f, AGENTCHAT_E_SYNTAX, "", 3, 1, 4, "must be escaped");
    open_text(&f, "5", 0);
    assert_false(aci_json_base64(&f.r, &text));
    close_failed(&f, AGENTCHAT_E_SCHEMA, "", 0, 1, 1, "a string of base64");
}

static void test_reader__match(void **state)
{
    fixture f;
    agentchat_str text = {NULL, 0};

    (void)state;
    open_text(&f, "[{\"a\":\n1}, {\"a\":\n1},{\"a\":\n1 },12,123,\n!]", 0);
    assert_true(aci_json_array(&f.r) && aci_json_element(&f.r) && aci_json_raw(&f.r, &text));
    assert_true(aci_json_element(&f.r));
    assert_true(aci_json_match(&f.r, text));
    assert_true(aci_json_element(&f.r));
    assert_false(aci_json_match(&f.r, text)); /* other whitespace inside */
    assert_true(aci_json_raw(&f.r, &text));
    assert_true(aci_json_element(&f.r) && aci_json_raw(&f.r, &text));
    assert_true(aci_json_element(&f.r));
    assert_false(aci_json_match(&f.r, text)); /* 12 begins 123, but does not end there */
    assert_true(aci_json_raw(&f.r, &text));
    assert_true(aci_json_element(&f.r));
    assert_false(aci_json_raw(&f.r, &text));
    close_failed(&f, AGENTCHAT_E_SYNTAX, "/5", 38, 5, 1, "expected a value"); /* lines inside a match count */
}

static void test_reader__misuse_is_an_error(void **state)
{
    fixture f;
    agentchat_str key;

    (void)state;
    open_text(&f, "[1]", 0);
    assert_true(aci_json_array(&f.r));
    assert_false(aci_json_member(&f.r, &key));
    close_failed(&f, AGENTCHAT_E_INTERNAL, "", 0, 1, 1, "outside an object");
    open_text(&f, "[1]", 0);
    assert_true(aci_json_array(&f.r));
    assert_false(aci_json_end(&f.r));
    close_failed(&f, AGENTCHAT_E_INTERNAL, "", 0, 1, 1, "left open");
}

static agentchat_status deep_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    char text[400];
    aci_arena *arena = aci_arena_new(env, 0);
    aci_json_reader r;
    agentchat_status status;

    (void)user;
    if (arena == NULL)
        return AGENTCHAT_E_NOMEM;
    memset(text, '[', 100);
    strcpy(text + 100, "\"\\n\"");
    memset(text + 104, ']', 100);
    aci_json_begin(&r, &(aci_json_options){.env = env, .arena = arena}, text, 204, err);
    pull_all(&r);
    (void)aci_json_end(&r);
    status = aci_json_close(&r);
    aci_arena_unref(arena);
    return status;
}

static void test_reader__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(deep_scenario, NULL) >= 3);
}

/* The arena's block ends at every position of a string in turn: before it, at an escape, in a pair, after it. */
static void test_reader__a_string_may_be_longer_than_the_rest_of_its_block(void **state)
{
    static const char source[] =
        "\"plain text first, \\u4E2D\\ud83d\\ude00 and \\\"more\\\" of it \\n\\u00e9 at the end\"";
    static const char wanted[] =
        "plain text first, \xE4\xB8\xAD\xF0\x9F\x98\x80 and \"more\" of it \n\xC3\xA9 at the end";

    (void)state;
    for (size_t first = 8; first < 2 * sizeof(source); first++) {
        aci_arena *arena = aci_arena_new(NULL, first);
        aci_json_options options = {.arena = arena};
        char text[sizeof(source)];
        agentchat_str out;
        aci_json_reader r;

        assert_non_null(arena);
        memcpy(text, source, sizeof(source));
        aci_json_begin(&r, &options, text, sizeof(source) - 1, NULL);
        assert_true(aci_json_string(&r, &out));
        assert_true(aci_json_end(&r));
        assert_int_equal(aci_json_close(&r), AGENTCHAT_OK);
        assert_int_equal(out.len, sizeof(wanted) - 1);
        assert_memory_equal(out.ptr, wanted, out.len);
        assert_memory_equal(text, source, sizeof(source));
        aci_arena_unref(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reader__typed_values),
        cmocka_unit_test(test_reader__strings_without_escapes_are_slices),
        cmocka_unit_test(test_reader__a_decoded_string_is_no_json_any_more),
        cmocka_unit_test(test_reader__errors_have_a_location),
        cmocka_unit_test(test_reader__wrong_kinds_are_schema_errors),
        cmocka_unit_test(test_reader__no_value_is_of_no_kind),
        cmocka_unit_test(test_reader__fail_names_the_value_read_last),
        cmocka_unit_test(test_reader__an_earlier_error_stays),
        cmocka_unit_test(test_reader__depth_limit),
        cmocka_unit_test(test_reader__highest_depth),
        cmocka_unit_test(test_reader__long_pointers_keep_their_tail),
        cmocka_unit_test(test_reader__raw_spans_and_lines),
        cmocka_unit_test(test_reader__base64),
        cmocka_unit_test(test_reader__match),
        cmocka_unit_test(test_reader__misuse_is_an_error),
        cmocka_unit_test(test_reader__a_string_may_be_longer_than_the_rest_of_its_block),
        cmocka_unit_test(test_reader__out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
