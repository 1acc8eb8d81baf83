/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate counter: figures that langchain-core 1.7.2 gave, tools, what services counted, what is refused. */
#include "support/test_support.h"

#include <agentchat/list_edit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };

static agentchat_message *said(const char *role, const char *text, const char *metadata)
{
    agentchat_message_builder *b = test_message_builder(NULL, role, NULL);
    agentchat_message *message;
    agentchat_error err;

    agentchat_message_builder_add_text(b, agentchat_str_from(text));
    if (metadata != NULL)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, agentchat_str_from(metadata));
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    return message;
}

/* Counts messages, which end with NULL, and releases them. */
static uint64_t counted(agentchat_token_options *options, agentchat_message *const *list)
{
    const agentchat_message *messages[MOST] = {NULL};
    size_t count = 0;
    uint64_t tokens;
    agentchat_error err;

    for (; list[count] != NULL; count++)
        messages[count] = list[count];
    test_ok(agentchat_count_approximately(options, messages, count, &tokens, &err), &err);
    while (count-- > 0)
        agentchat_message_unref(messages[count]);
    return tokens;
}

#define LIST(...) ((agentchat_message *const[]){__VA_ARGS__, NULL})

static void test_tools__count_as_ascii_json(void **state)
{
    static const struct {
        const char *tools;
        uint64_t tokens; /* with 1 code point to a token */
    } cases[] = {
        {"[]", 0},
        {"[{}]", 2},
        {"[ {\"a\" : 1,\"b\":[true ,null]} ]", 27},          /* {"a": 1, "b": [true, null]} */
        {"[{\"a\":\"\\u00fc\\n\\\"\\u007f\"}]", 25},         /* {"a": "\u00fc\n\"\u007f"} */
        {"[{\"a\":\"\xF0\x9F\x98\x80\"},{\"a\":1.50}]", 31}, /* twelve for a pair of surrogates; 1.5 */
    };
    agentchat_token_options options = AGENTCHAT_TOKEN_OPTIONS_INIT;
    uint64_t tokens;
    agentchat_error err;

    (void)state;
    options.chars_per_token = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        options.tools = cases[i].tools;
        test_ok(agentchat_count_approximately(&options, NULL, 0, &tokens, &err), &err);
        assert_int_equal(tokens, cases[i].tokens);
    }
    options.tools = "{}";
    test_fails(agentchat_count_approximately(&options, NULL, 0, &tokens, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "tools");
    options.tools = "[";
    test_fails(agentchat_count_approximately(&options, NULL, 0, &tokens, &err), &err, AGENTCHAT_E_SYNTAX, NULL, NULL);
}

#define OF(provider) "{\"response_metadata\":{\"model_provider\":" provider "}}"
#define USED(provider, tokens)                                                                                         \
    "{\"response_metadata\":{\"model_provider\":" provider "},\"usage_metadata\":{\"total_tokens\":" tokens "}}"

/* "hello world" of a user costs 7, "answer" of an assistant 7. */
static void test_usage__corrects_the_estimate(void **state)
{
    agentchat_token_options options = AGENTCHAT_TOKEN_OPTIONS_INIT;

    (void)state;
    options.scale_by_usage = true;
    assert_int_equal(
        counted(&options, LIST(said("user", "hello world", NULL), said("assistant", "answer", USED("\"a\"", "16")))),
        16); /* 14 * 16 / 14 */
    assert_int_equal(
        counted(&options, LIST(said("user", "hello world", NULL), said("assistant", "answer", USED("\"a\"", "500")),
                               said("user", "hello world", NULL))),
        27); /* 21 * 1.25, rounded up */
    assert_int_equal(
        counted(&options, LIST(said("user", "hello world", NULL), said("assistant", "answer", USED("\"a\"", "1")))),
        14);
    assert_int_equal(counted(&options, LIST(said("assistant", "answer", USED("\"a\"", "500")))), 7);
    assert_int_equal(
        counted(&options, LIST(said("user", "hello world", NULL), said("assistant", "answer", USED("null", "500")))),
        14);
    assert_int_equal(counted(&options, LIST(said("assistant", "answer", OF("\"b\"")),
                                            said("assistant", "answer", USED("\"a\"", "500")))),
                     14);
    assert_int_equal(
        counted(&options, LIST(said("assistant", "answer", NULL), said("ai", "answer", USED("\"a\"", "500")))),
        18); /* role "ai" counts as the same word: 14 * 1.25, rounded up */
    options.scale_by_usage = false;
    assert_int_equal(
        counted(&options, LIST(said("user", "hello world", NULL), said("assistant", "answer", USED("\"a\"", "500")))),
        14);
}

/* An opaque item is as long as Python prints it. */
static void test_numbers__are_printed_as_python_does(void **state)
{
    static const struct {
        const char *number;
        uint64_t length;
    } cases[] = {
        {"-0", 1},                    /* 0 */
        {"12345678901234567890", 20}, /* any integer */
        {"1.50", 3},                  /* 1.5 */
        {"1e16", 5},                  /* 1e+16 */
        {"1e15", 18},                 /* 1000000000000000.0 */
        {"0.00001", 5},               /* 1e-05 */
        {"-0.0001", 7},
        {"0.1000000000000000055", 3},   /* 0.1 */
        {"1.2345678e-320", 11},         /* 1.2347e-320 */
        {"1.7976931348623158e308", 23}, /* 1.7976931348623157e+308 */
        {"1.8e308", 3},                 /* inf */
        {"-1e9223372036854775807", 4},  /* -inf */
        {"1e-99999999999999999999", 3}, /* 0.0 */
        {"0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
         "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
         "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e301",
         5}, /* 100.0 */
        {"1.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
         "0000000000000000000000000000000000000000000000000001",
         3}, /* 1.0 */
    };
    agentchat_token_options options = AGENTCHAT_TOKEN_OPTIONS_INIT;

    (void)state;
    options.chars_per_token = 1;
    options.extra_per_message = -1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
        agentchat_message *message;
        agentchat_error err;

        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_OPAQUE);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TYPE, AGENTCHAT_STR("t"));
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_RAW, agentchat_str_from(cases[i].number));
        test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
        assert_int_equal(counted(&options, LIST(message)), sizeof "user" - 1 + cases[i].length);
    }
}

static agentchat_message *with_images(size_t count)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_message *message;
    agentchat_error err;

    for (size_t i = 0; i < count; i++) {
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_IMAGE);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("https://example.org/i"));
    }
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    return message;
}

/* A message with a sound, a file, a part of an unknown kind and a result, each of len bytes or characters of base64. */
static agentchat_message *with_media(size_t len, const char *scheme)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    char *data = malloc(len + 1), *json = malloc(len + 256);
    agentchat_str absent = {NULL, 0};
    agentchat_message *message;
    agentchat_error err;

    memset(data, 'A', len);
    data[len] = '\0';
    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_AUDIO, AGENTCHAT_STR("audio/wav"), (agentchat_str){data, len});
    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_BINARY, AGENTCHAT_STR("application/pdf"),
                                       (agentchat_str){data, len});
    sprintf(json, "{\"type\":\"input_image\",\"image_url\":\"%s%s\"}", scheme, data);
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_OPAQUE);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_RAW, agentchat_str_from(json));
    sprintf(json, "[{\"type\":\"image\",\"data\":\"%s\"}]", data);
    agentchat_message_builder_add_result(b, AGENTCHAT_STR("c"), absent, absent, agentchat_str_from(json));
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    free(data);
    free(json);
    return message;
}

/* A medium costs the same whatever its size. */
static void test_media__are_not_counted_by_their_base64(void **state)
{
    agentchat_token_options options = AGENTCHAT_TOKEN_OPTIONS_INIT;
    uint64_t tokens = counted(&options, LIST(with_media(4000, "data:image/png;base64,")));

    (void)state;
    assert_in_range(tokens, 4 * 85, 4 * 85 + 40);
    assert_int_equal(counted(&options, LIST(with_media(400000, "data:image/png;base64,"))), tokens);
    assert_in_range(counted(&options, LIST(with_media(4000, ""))), 4 * 85, tokens);
    assert_in_range(counted(&options, LIST(with_media(4000, "no base64: "))), 3 * 85 + 1000, 3 * 85 + 1040);
}

/* What is beyond 64 bits is as much as they hold. */
static void test_figures__may_be_extreme(void **state)
{
    agentchat_token_options options = AGENTCHAT_TOKEN_OPTIONS_INIT;
    uint64_t tokens;
    agentchat_error err;

    (void)state;
    options.tokens_per_image = UINT64_MAX;
    assert_int_equal(counted(&options, LIST(with_images(2))), UINT64_MAX);
    options = (agentchat_token_options)AGENTCHAT_TOKEN_OPTIONS_INIT;
    options.chars_per_token = 1e-320;
    assert_int_equal(counted(&options, LIST(said("user", "a", NULL))), UINT64_MAX);
    options.chars_per_token = INFINITY;
    assert_int_equal(counted(&options, LIST(said("user", "a", NULL))), 3);
    options.extra_per_message = INFINITY;
    assert_int_equal(counted(&options, LIST(said("user", "a", NULL))), UINT64_MAX);
    options.extra_per_message = NAN;
    test_fails(agentchat_count_approximately(&options, NULL, 0, &tokens, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "extra_per_message");
    options.chars_per_token = NAN;
    test_fails(agentchat_count_approximately(&options, NULL, 0, &tokens, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "chars_per_token");
}

/* What a nested message says costs what it says. */
static void test_nested__messages_are_counted(void **state)
{
    agentchat_token_options options = AGENTCHAT_TOKEN_OPTIONS_INIT;
    agentchat_message *inner = said("user", "hello", NULL), *outer;
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    uint64_t tokens;
    agentchat_error err;

    (void)state;
    agentchat_message_builder_add_message(b, inner);
    test_ok(agentchat_message_builder_finish(b, &outer, &err), &err);
    agentchat_message_unref(inner);
    test_ok(agentchat_count_characters(NULL, (const agentchat_message *const[]){outer}, 1, &tokens, &err), &err);
    assert_int_equal(tokens, 5);
    options.chars_per_token = 1;
    options.extra_per_message = -1;
    assert_int_equal(counted(&options, LIST(outer)), sizeof "user" - 1 + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tools__count_as_ascii_json),
        cmocka_unit_test(test_usage__corrects_the_estimate),
        cmocka_unit_test(test_numbers__are_printed_as_python_does),
        cmocka_unit_test(test_media__are_not_counted_by_their_base64),
        cmocka_unit_test(test_figures__may_be_extreme),
        cmocka_unit_test(test_nested__messages_are_counted),
    };

    return cmocka_run_group_tests_name("tokens", tests, NULL, NULL);
}
