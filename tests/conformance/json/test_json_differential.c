/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random documents, whole and damaged, read by us and by jansson: both accept or both refuse, but for what jansson
 * cannot hold (numbers, half surrogate pairs, U+0000 in names), and then both hold the same value.
 * AGENTCHAT_TEST_DOCUMENTS sets how many, AGENTCHAT_TEST_SEED where to start.
 */
#include "support/test_support.h"
#include "json/value.h"
#include <agentchat/json.h>
#include <stdio.h>

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % limit;
}

static void put(aci_buf *out, const char *text)
{
    assert_true(aci_buf_add(out, text, strlen(text)));
}

static void put_blanks(aci_buf *out)
{
    static const char *const blanks[] = {" ", "\n", "\t", "\r\n", "                    "};

    if (below(4) == 0)
        put(out, blanks[below(5)]);
}

static void put_string(aci_buf *out)
{
    static const char *const pieces[] = {"a",
                                         "key",
                                         "some longer plain text ",
                                         "0123456789abcdef",
                                         "\xC3\xA9",
                                         "\xD0\xBF\xD1\x80\xD0\xB8",
                                         "\xE4\xB8\xAD",
                                         "\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97\xE7\xAC\xA6\xE4\xB8\xB2\xE3\x80\x82",
                                         "\xF0\x9F\x98\x80",
                                         "\xED\x95\x9C",
                                         "\x7F",
                                         "\\n",
                                         "\\\"",
                                         "\\\\",
                                         "\\/",
                                         "\\t",
                                         "\\u0041",
                                         "\\u00e9",
                                         "\\u4E2d",
                                         "\\uD83D\\uDE00",
                                         "\\u0000",
                                         "\\ud800",
                                         "{[,:]}"};

    put(out, "\"");
    for (uint32_t n = below(6); n > 0; n--)
        put(out, pieces[below(sizeof(pieces) / sizeof(pieces[0]) - (below(8) == 0 ? 0 : 3))]);
    put(out, "\"");
}

static void put_number(aci_buf *out)
{
    static const char *const odd[] = {"0",
                                      "-0",
                                      "0.0",
                                      "1e5",
                                      "1E+2",
                                      "-1.50",
                                      "9223372036854775807",
                                      "1e308",
                                      "-9223372036854775808",
                                      "9223372036854775808",
                                      "1e999",
                                      "0.1",
                                      "1e-9",
                                      "123.456e-7"};

    if (below(2) == 0)
        put(out, odd[below(sizeof(odd) / sizeof(odd[0]))]);
    else
        assert_true(aci_buf_printf(out, "%s%u", below(2) == 0 ? "-" : "", below(100000)));
}

static void put_value(aci_buf *out, uint32_t levels)
{
    static const char *const words[] = {"true", "false", "null"};
    uint32_t kind = below(levels > 0 ? 7 : 4);

    put_blanks(out);
    if (kind <= 1) {
        put_string(out);
    } else if (kind == 2) {
        put_number(out);
    } else if (kind == 3) {
        put(out, words[below(3)]);
    } else {
        bool object = kind >= 5;

        put(out, object ? "{" : "[");
        put_blanks(out);
        for (uint32_t n = below(5), i = 0; i < n; i++) {
            put(out, i > 0 ? "," : "");
            if (object) {
                put_blanks(out);
                put_string(out);
                put_blanks(out);
                put(out, ":");
            }
            put_value(out, levels - 1);
        }
        put(out, object ? "}" : "]");
    }
    put_blanks(out);
}

static void damage(aci_buf *text)
{
    static const char bytes[] = "\"\\,:[]{}0-.eE+tfn \n\x01\x80\xC3\xE4\xF0\xFF/u";
    uint32_t at = below((uint32_t)text->len);

    switch (below(4)) {
    case 0:
        text->ptr[at] = bytes[below(sizeof(bytes) - 1)];
        break;
    case 1:
        text->ptr[at] = (char)below(256);
        break;
    case 2:
        memmove(text->ptr + at, text->ptr + at + 1, text->len - at - 1);
        text->len--;
        break;
    default:
        text->len = at;
        break;
    }
}

static void compare(agentchat_str text, aci_buf *ours, aci_buf *theirs)
{
    agentchat_str span;
    agentchat_error err;
    json_error_t jansson_error;
    agentchat_bytes dumped = AGENTCHAT_BYTES_INIT;
    json_t *value, *loaded;

    agentchat_error_clear(&err);
    bool accepted = aci_json_check(NULL, text, 0, &span, NULL, &err) >= 0;
    memset(&jansson_error, 0, sizeof(jansson_error));
    value = json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &jansson_error);
    if (accepted && value == NULL)
        accepted = json_error_code(&jansson_error) != json_error_numeric_overflow &&
                   !aci_json_has_lone_surrogates(span) &&
                   json_error_code(&jansson_error) != json_error_null_byte_in_key;
    if (!accepted && value != NULL && err.offset < text.len && text.ptr[err.offset] == '\0')
        accepted = true; /* jansson takes a bare NUL behind the value for the end of the text */
    if (accepted != (value != NULL))
        fail_msg("we %s, jansson %s (%s) this: %.*s", accepted ? "accept" : "refuse",
                 value != NULL ? "accepts" : "refuses", value != NULL ? err.message : jansson_error.text, (int)text.len,
                 text.ptr);
    json_decref(value);
    if (agentchat_json_load(text, &loaded, &err) < 0) {
        assert_true(err.code == AGENTCHAT_E_SYNTAX || err.code == AGENTCHAT_E_UNSUPPORTED);
        assert_true(err.offset <= text.len);
        return;
    }
    /* What passes is the same value: its canonical text is that of the original. */
    test_ok(agentchat_json_dump(NULL, loaded, &dumped, &err), &err);
    json_decref(loaded);
    ours->len = theirs->len = 0;
    test_ok(aci_json_canonical(span, ours, NULL, &err), &err);
    test_ok(aci_json_canonical((agentchat_str){dumped.ptr, dumped.len}, theirs, NULL, &err), &err);
    if (ours->len != theirs->len || memcmp(ours->ptr, theirs->ptr, ours->len) != 0)
        fail_msg("other value: %.*s", (int)text.len, text.ptr);
    agentchat_bytes_clear(&dumped);
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL && text[0] != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

static void test_differential__jansson(void **state)
{
    uint64_t documents = setting("AGENTCHAT_TEST_DOCUMENTS", 40000), seed = setting("AGENTCHAT_TEST_SEED", 1);
    aci_buf text, ours, theirs;

    (void)state;
    aci_buf_init(&text, NULL, SIZE_MAX);
    aci_buf_init(&ours, NULL, SIZE_MAX);
    aci_buf_init(&theirs, NULL, SIZE_MAX);
    for (uint64_t n = 0; n < documents; n++) {
        random_state = (seed + n) * UINT64_C(0x9E3779B97F4A7C15) | 1;
        (void)below(2);
        text.len = 0;
        put_value(&text, 5);
        for (uint32_t i = below(3); i > 0 && text.len > 0; i--)
            damage(&text);
        /* In a block of its own size, so that a sanitizer sees any reading outside. */
        char *block = malloc(text.len > 0 ? text.len : 1);
        assert_non_null(block);
        memcpy(block, aci_buf_str(&text).ptr, text.len);
        compare((agentchat_str){block, text.len}, &ours, &theirs);
        free(block);
    }
    aci_buf_clear(&text);
    aci_buf_clear(&ours);
    aci_buf_clear(&theirs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differential__jansson)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
