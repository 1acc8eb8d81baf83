/* SPDX-License-Identifier: Apache-2.0 */
/* The streaming writer: layout, escapes of each profile, wrapped parts, the window, failures. */
#include "base/b64.h"
#include "io/stream.h"
#include "support/test_support.h"
#include "json/reader.h"
#include "json/writer.h"

typedef void content(aci_json_writer *w);

/* Writes into memory and compares. */
static void assert_written(content *write, aci_json_profile profile, uint32_t indent, const char *expected)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_error err;
    aci_json_writer w;

    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
    test_ok(aci_writer_begin(&w, NULL, sink, profile, indent, &err), &err);
    write(&w);
    test_ok(aci_writer_end(&w), &err);
    assert_int_equal(w.written, strlen(expected));
    assert_string_equal(bytes.ptr != NULL ? bytes.ptr : "", expected);
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&bytes);
}

static void everything(aci_json_writer *w)
{
    aci_writer_object_begin(w);
    ACI_JW_KEY(w, "a");
    aci_writer_string(w, AGENTCHAT_STR("x\"y"));
    aci_writer_key(w, AGENTCHAT_STR("b\n"));
    aci_writer_array_begin(w);
    aci_writer_u64(w, 0);
    aci_writer_u64(w, UINT64_MAX);
    aci_writer_bool(w, true);
    aci_writer_bool(w, false);
    aci_writer_null(w);
    aci_writer_raw(w, AGENTCHAT_STR("{\"r\": 1}"));
    aci_writer_array_end(w);
    ACI_JW_KEY(w, "e");
    aci_writer_object_begin(w);
    aci_writer_object_end(w);
    ACI_JW_KEY(w, "f");
    aci_writer_array_begin(w);
    aci_writer_array_end(w);
    ACI_JW_KEY(w, "g");
    aci_writer_base64_bytes(w, AGENTCHAT_STR("\0\xFF\x10"));
    ACI_JW_KEY(w, "h");
    aci_writer_base64_text(w, AGENTCHAT_STR("AP8Q"));
    ACI_JW_KEY(w, "i");
    aci_writer_inline_begin(w);
    aci_writer_array_begin(w);
    aci_writer_object_begin(w);
    ACI_JW_KEY(w, "j");
    aci_writer_u64(w, 1);
    aci_writer_object_end(w);
    aci_writer_u64(w, 2);
    aci_writer_array_end(w);
    aci_writer_inline_end(w);
    aci_writer_object_end(w);
    assert_int_equal(w->deepest, 3);
}

static void test_writer__compact(void **state)
{
    (void)state;
    assert_written(everything, ACI_JSON_UTF8, 0,
                   "{\"a\":\"x\\\"y\",\"b\\n\":[0,18446744073709551615,true,false,null,{\"r\": 1}],\"e\":{},\"f\":[],"
                   "\"g\":\"AP8Q\",\"h\":\"AP8Q\",\"i\":[{\"j\":1},2]}");
}

static void test_writer__indented(void **state)
{
    (void)state;
    assert_written(
        everything, ACI_JSON_UTF8, 2,
        "{\n  \"a\": \"x\\\"y\",\n  \"b\\n\": [\n    0,\n    18446744073709551615,\n    true,\n    false,\n"
        "    null,\n    {\"r\": 1}\n  ],\n  \"e\": {},\n  \"f\": [],\n  \"g\": \"AP8Q\",\n  \"h\": \"AP8Q\",\n"
        "  \"i\": [{\"j\":1},2]\n}");
}

static void lines(aci_json_writer *w)
{
    aci_writer_object_begin(w);
    ACI_JW_KEY(w, "head");
    aci_writer_u64(w, 1);
    aci_writer_newline(w);
    ACI_JW_KEY(w, "history");
    aci_writer_array_begin(w);
    for (uint64_t i = 0; i < 2; i++) {
        aci_writer_newline(w);
        aci_writer_u64(w, i);
    }
    aci_writer_newline(w);
    aci_writer_array_end(w);
    ACI_JW_KEY(w, "none");
    aci_writer_array_begin(w);
    aci_writer_array_end(w);
    aci_writer_object_end(w);
}

static void test_writer__lines_where_asked(void **state)
{
    (void)state;
    assert_written(lines, ACI_JSON_UTF8, 0, "{\"head\":1,\n\"history\":[\n0,\n1\n],\"none\":[]}");
}

static void odd_text(aci_json_writer *w)
{
    aci_writer_string(
        w, AGENTCHAT_STR("\"\\/\b\t\n\f\r\x01\x1F\x7F&'+<>`~ \xC3\xA9\xE4\xB8\xAD\xED\x9F\xBF\xF0\x9F\x98\x80"
                         "\xED\xA0\xBD|\xED\xB8\x80"));
}

static void test_writer__profiles(void **state)
{
    (void)state;
    assert_written(
        odd_text, ACI_JSON_UTF8, 0,
        "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0001\\u001f\x7F&'+<>`~ \xC3\xA9\xE4\xB8\xAD\xED\x9F\xBF\xF0\x9F\x98\x80"
        "\\ud83d|\\ude00\"");
    assert_written(odd_text, ACI_JSON_ASCII, 0,
                   "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0001\\u001f\\u007f&'+<>`~ \\u00e9\\u4e2d\\ud7ff\\ud83d\\ude00"
                   "\\ud83d|\\ude00\"");
    assert_written(odd_text, ACI_JSON_DOTNET, 0,
                   "\"\\u0022\\\\/\\b\\t\\n\\f\\r\\u0001\\u001F\\u007F\\u0026\\u0027\\u002B\\u003C\\u003E\\u0060~ "
                   "\\u00E9\\u4E2D\\uD7FF\\uD83D\\uDE00\\uD83D|\\uDE00\"");
}

static void quoted(aci_json_writer *w)
{
    aci_writer_array_begin(w);
    aci_writer_quoted_begin(w);
    aci_writer_object_begin(w);
    ACI_JW_KEY(w, "t");
    aci_writer_string(w, AGENTCHAT_STR("a\"b\n\xC3\xA9"));
    ACI_JW_KEY(w, "d");
    aci_writer_base64_bytes(w, AGENTCHAT_STR("\xFB\xEF\xBE"));
    ACI_JW_KEY(w, "n");
    aci_writer_array_begin(w);
    aci_writer_u64(w, 1);
    aci_writer_raw(w, AGENTCHAT_STR("\"\xC3\xA9\""));
    aci_writer_array_end(w);
    aci_writer_object_end(w);
    aci_writer_quoted_end(w);
    aci_writer_u64(w, 5);
    aci_writer_array_end(w);
}

static void test_writer__a_document_inside_a_string(void **state)
{
    (void)state;
    assert_written(
        quoted, ACI_JSON_UTF8, 0,
        "[\"{\\\"t\\\":\\\"a\\\\\\\"b\\\\n\xC3\xA9\\\",\\\"d\\\":\\\"++++\\\",\\\"n\\\":[1,\\\"\xC3\xA9\\\"]}\",5]");
    assert_written(quoted, ACI_JSON_DOTNET, 2,
                   "[\n  \"{\\u0022t\\u0022:\\u0022a\\\\u0022b\\\\n\\\\u00E9\\u0022,"
                   "\\u0022d\\u0022:\\u0022\\u002B\\u002B\\u002B\\u002B\\u0022,\\u0022n\\u0022:[1,"
                   "\\u0022\\u00E9\\u0022]}\",\n  5\n]");
}

/* The inner documents come back whatever their length; sizes exceed the window's several times. */
static void test_writer__large_parts_come_back(void **state)
{
    enum { MOST = 200000 };
    char *text = malloc(MOST);

    (void)state;
    for (size_t i = 0; i < MOST; i++)
        text[i] = "abc \"\\\n+'0123456789"[i * 7 % 19];
    for (size_t len = 0; len <= MOST; len = len < 40 ? len + 1 : len * 3 + 1) {
        agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
        agentchat_sink *sink = NULL;
        agentchat_error err;
        agentchat_str got = {NULL, 0}, all = {text, len};
        aci_json_writer w;
        aci_json_reader r;
        char *decoded;
        size_t decoded_len;
        aci_arena *arena = aci_arena_new(NULL, 0);

        test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
        test_ok(aci_writer_begin(&w, NULL, sink, (aci_json_profile)(len % 3), 0, &err), &err);
        aci_writer_array_begin(&w);
        aci_writer_string(&w, all);
        aci_writer_base64_bytes(&w, all);
        aci_writer_quoted_begin(&w);
        aci_writer_string(&w, all);
        aci_writer_quoted_end(&w);
        aci_writer_encoded_begin(&w);
        aci_writer_array_begin(&w);
        aci_writer_string(&w, all);
        aci_writer_base64_bytes(&w, all);
        aci_writer_array_end(&w);
        aci_writer_encoded_end(&w);
        aci_writer_array_end(&w);
        test_ok(aci_writer_end(&w), &err);

        aci_json_begin(&r, &(aci_json_options){.arena = arena}, bytes.ptr, bytes.len, &err);
        assert_true(aci_json_array(&r) && aci_json_element(&r) && aci_json_string(&r, &got));
        assert_true(agentchat_str_equal(got, all));
        assert_true(aci_json_element(&r) && aci_json_base64(&r, &got));
        assert_int_equal(aci_b64_decoded_size(got), len);
        assert_true(aci_json_element(&r) && aci_json_string(&r, &got));
        {
            aci_json_reader inner;
            agentchat_str again = {NULL, 0};

            aci_json_begin(&inner, &(aci_json_options){.arena = arena}, (char *)(uintptr_t)got.ptr, got.len, &err);
            assert_true(aci_json_string(&inner, &again) && aci_json_end(&inner));
            assert_true(agentchat_str_equal(again, all));
            test_ok(aci_json_close(&inner), &err);
        }
        assert_true(aci_json_element(&r) && aci_json_base64(&r, &got));
        decoded_len = aci_b64_decoded_size(got);
        decoded = malloc(decoded_len + 1);
        aci_b64_decode(got, decoded);
        assert_true(decoded[0] == '[' && decoded[decoded_len - 1] == ']');
        {
            aci_json_reader inner;
            agentchat_str again = {NULL, 0};

            aci_json_begin(&inner, &(aci_json_options){.arena = arena}, decoded, decoded_len, &err);
            assert_true(aci_json_array(&inner) && aci_json_element(&inner) && aci_json_string(&inner, &again));
            assert_true(agentchat_str_equal(again, all));
            assert_true(aci_json_element(&inner) && aci_json_base64(&inner, &again) && !aci_json_element(&inner));
            test_ok(aci_json_close(&inner), &err);
        }
        assert_false(aci_json_element(&r));
        assert_true(aci_json_end(&r));
        test_ok(aci_json_close(&r), &err);
        free(decoded);
        aci_arena_unref(arena);
        agentchat_sink_free(sink);
        agentchat_bytes_clear(&bytes);
    }
    free(text);
}

/* What a document holds, in single steps (`joined` false) or in calls that do several at once. */
static void write_members(aci_json_writer *w, bool joined)
{
    const agentchat_str text =
        AGENTCHAT_STR("a\"b, \xC3\xA9\xE4\xB8\xAD and so on, over a block or two of the spelling, \n`"
                      "with what needs no escape between what needs one");
    const agentchat_str raw = AGENTCHAT_STR("{\"r\":[1,2.5,\"x\"]}");

    if (joined) {
        aci_writer_object_begin_with(w, AGENTCHAT_STR("\"type\":\"text\""));
        ACI_JW_STRING_MEMBER(w, "s", text);
        ACI_JW_STRING_MEMBER(w, "no", AGENTCHAT_STR(""));
        aci_writer_raw_member(w, "\"raw\":", 6, raw);
        aci_writer_object_member(w, "\"object\":", 9);
        ACI_JW_STRING_MEMBER(w, "a longer name than others have", AGENTCHAT_STR("short"));
        aci_writer_object_end(w);
        aci_writer_array_member(w, "\"array\":", 8);
    } else {
        aci_writer_object_begin(w);
        aci_writer_key(w, AGENTCHAT_STR("type"));
        aci_writer_string(w, AGENTCHAT_STR("text"));
        aci_writer_key(w, AGENTCHAT_STR("s"));
        aci_writer_string(w, text);
        aci_writer_key(w, AGENTCHAT_STR("no"));
        aci_writer_string(w, AGENTCHAT_STR(""));
        aci_writer_key(w, AGENTCHAT_STR("raw"));
        aci_writer_raw(w, raw);
        aci_writer_key(w, AGENTCHAT_STR("object"));
        aci_writer_object_begin(w);
        aci_writer_key(w, AGENTCHAT_STR("a longer name than others have"));
        aci_writer_string(w, AGENTCHAT_STR("short"));
        aci_writer_object_end(w);
        aci_writer_key(w, AGENTCHAT_STR("array"));
        aci_writer_array_begin(w);
    }
    aci_writer_newline(w);
    aci_writer_u64(w, 7);
    aci_writer_newline(w);
    aci_writer_array_end(w);
    aci_writer_object_end(w);
}

/* The members after `fill` bytes, in an array; where: 0 plain, 1 inside a string, 2 in base64, 3 inline in an indented
   document. */
static void members_after(agentchat_str fill, bool joined, aci_json_profile profile, int where, agentchat_bytes *out)
{
    agentchat_sink *sink = NULL;
    agentchat_error err;
    aci_json_writer w;

    test_ok(agentchat_sink_memory(NULL, out, &sink, &err), &err);
    test_ok(aci_writer_begin(&w, NULL, sink, profile, where == 3 ? 2 : 0, &err), &err);
    aci_writer_array_begin(&w);
    aci_writer_raw(&w, fill);
    if (where == 1)
        aci_writer_quoted_begin(&w);
    else if (where == 2)
        aci_writer_encoded_begin(&w);
    else if (where == 3)
        aci_writer_inline_begin(&w);
    write_members(&w, joined);
    if (where == 1)
        aci_writer_quoted_end(&w);
    else if (where == 2)
        aci_writer_encoded_end(&w);
    else if (where == 3)
        aci_writer_inline_end(&w);
    write_members(&w, joined && where != 3); /* object_begin_with() is compact whatever the layout */
    aci_writer_array_end(&w);
    test_ok(aci_writer_end(&w), &err);
    assert_int_equal(w.deepest, 3);
    test_ok(aci_sink_commit(sink, &err), &err);
    agentchat_sink_free(sink);
}

/* Wherever the window ends in them, and wherever they stand. */
static void test_writer__members_at_once_are_the_same(void **state)
{
    enum { NEAR_THE_END = 1100 };
    size_t most = 64 * 1024;
    char *digits = malloc(most);

    (void)state;
    memset(digits, '1', most);
    for (size_t left = 0; left < NEAR_THE_END; left += left < 700 ? 1 : 13) {
        agentchat_bytes joined = AGENTCHAT_BYTES_INIT, apart = AGENTCHAT_BYTES_INIT;
        agentchat_str fill = {digits, most - left};
        size_t skipped = 12; /* the bracket and what was filled up with, line ends included */
        int where = (int)(left % 4);
        aci_json_profile profile = (aci_json_profile)(left % 3);

        members_after(fill, true, profile, where, &joined);
        members_after((agentchat_str){digits, 1}, false, profile, where, &apart);
        assert_int_equal(joined.len - fill.len, apart.len - 1);
        assert_memory_equal(joined.ptr + joined.len - (apart.len - skipped), apart.ptr + skipped, apart.len - skipped);
        agentchat_bytes_clear(&joined);
        agentchat_bytes_clear(&apart);
    }
    free(digits);
}

static agentchat_status write_much(const agentchat_env *env, agentchat_sink *sink, agentchat_error *err)
{
    static const char text[30000] = {'x'};
    aci_json_writer w;

    (void)aci_writer_begin(&w, env, sink, ACI_JSON_ASCII, 0, err);
    aci_writer_array_begin(&w);
    for (int i = 0; i < 12; i++) {
        aci_writer_string(&w, (agentchat_str){text, sizeof(text)});
        aci_writer_raw(&w, AGENTCHAT_STR("1"));
    }
    aci_writer_array_end(&w);
    return aci_writer_end(&w);
}

static void test_writer__a_failing_sink(void **state)
{
    agentchat_status status = AGENTCHAT_E_IO;
    uint64_t good;

    (void)state;
    for (good = 0; status < 0; good++) {
        agentchat_sink *sink = test_sink_failing(good, false);
        agentchat_error err;

        agentchat_error_clear(&err);
        status = write_much(NULL, sink, &err);
        assert_int_equal(status, err.code);
        assert_true(status == AGENTCHAT_OK || status == AGENTCHAT_E_IO);
        agentchat_sink_free(sink);
    }
    assert_true(good > 3);
}

static agentchat_status oom_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_status status = agentchat_sink_memory(env, &bytes, &sink, err);

    (void)user;
    if (status >= 0)
        status = write_much(env, sink, err);
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&bytes);
    return status;
}

static void test_writer__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(oom_scenario, NULL) >= 3);
}

static void test_writer__bad_text_and_misuse_are_errors(void **state)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    for (int what = 0; what < 4; what++) {
        agentchat_sink *sink = NULL;
        aci_json_writer w;

        test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
        test_ok(aci_writer_begin(&w, NULL, sink, ACI_JSON_ASCII, 0, &err), &err);
        if (what == 0) {
            aci_writer_string(&w, AGENTCHAT_STR("abc\xFFzz"));
        } else if (what == 1) {
            aci_writer_array_begin(&w);
        } else if (what == 2) {
            aci_writer_array_end(&w);
        } else {
            aci_writer_quoted_begin(&w);
            aci_writer_encoded_begin(&w);
        }
        aci_writer_null(&w);
        test_fails(aci_writer_end(&w), &err, what == 0 ? AGENTCHAT_E_INVALID : AGENTCHAT_E_INTERNAL, "",
                   what == 0   ? "not UTF-8"
                   : what == 1 ? "left open"
                   : what == 2 ? "closed twice"
                               : "inside a string");
        agentchat_sink_free(sink);
    }
    agentchat_bytes_clear(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writer__compact),
        cmocka_unit_test(test_writer__indented),
        cmocka_unit_test(test_writer__lines_where_asked),
        cmocka_unit_test(test_writer__profiles),
        cmocka_unit_test(test_writer__a_document_inside_a_string),
        cmocka_unit_test(test_writer__large_parts_come_back),
        cmocka_unit_test(test_writer__members_at_once_are_the_same),
        cmocka_unit_test(test_writer__a_failing_sink),
        cmocka_unit_test(test_writer__out_of_memory),
        cmocka_unit_test(test_writer__bad_text_and_misuse_are_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
