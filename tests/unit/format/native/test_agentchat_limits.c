/* SPDX-License-Identifier: Apache-2.0 */
/* Reading format 1 within limits: messages, bytes, properties, levels. */
#include "unit/format/document_test.h"

#include <stdio.h>

static agentchat_status read_limited(const char *text, agentchat_limits limits, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_status status;

    options.limits = &limits;
    status = agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &options, &snapshot, NULL, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_agentchat_read__counts_every_message_that_stands_in_the_input(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{},{\"items\":[{\"type\":\"message\",\"message\":{}}]"
        "}],\"participants\":[],\"channels\":[{\"statekind\":\"messages\",\"channelstate\":[null,[0,2]]},"
        "{\"statekind\":\"chat\",\"channelstate\":{\"history\":[{}],\"participants\":[],\"channels\":[]}}]}";
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_error err;

    (void)state;
    limits.max_messages = 5;
    test_ok(read_limited(text, limits, &err), &err);
    limits.max_messages = 4;
    test_fails(read_limited(text, limits, &err), &err, AGENTCHAT_E_LIMIT, "/channels/1/channelstate/history/0",
               "more than 4 messages");
    assert_int_equal(err.offset, strstr(text, "{}],\"participants\":[],\"channels\":[]}}") - text);
}

static void test_agentchat_read__limits_what_runs_name(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{},{},{}],\"participants\":[],\"channels\":["
        "{\"statekind\":\"messages\",\"channelstate\":[[0,3]]},{\"statekind\":\"messages\",\"channelstate\":[[0,1],[1,"
        "1]]}]}";
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_error err;

    (void)state;
    limits.max_messages = 5;
    test_ok(read_limited(text, limits, &err), &err);
    limits.max_messages = 4;
    test_fails(read_limited(text, limits, &err), &err, AGENTCHAT_E_LIMIT, "/channels/1/channelstate/1",
               "more than 4 messages");
    assert_int_equal(err.offset, strstr(text, "[1,1]]") - text);
}

static void test_agentchat_read__limits_bytes_and_what_base64_holds(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],\"channels\":[{\"statekind\":"
        "\"bytes\",\"channelstate\":\"AAAAAAAAAAAA\"}]}";
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_error err;

    (void)state;
    limits.max_bytes = sizeof(text) - 1 + 9;
    test_ok(read_limited(text, limits, &err), &err);
    limits.max_bytes = sizeof(text) - 1 + 8;
    test_fails(read_limited(text, limits, &err), &err, AGENTCHAT_E_LIMIT, "/channels/0/channelstate", NULL);
    limits.max_bytes = sizeof(text) - 2;
    test_fails(read_limited(text, limits, &err), &err, AGENTCHAT_E_LIMIT, NULL, NULL);
}

static void test_agentchat_read__limits_unknown_properties_of_an_object(void **state)
{
    static char text[32768];
    char *p = text;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    p += sprintf(p, "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],\"channels\":[]");
    for (int i = 0; i < 256; i++)
        p += sprintf(p, ",\"x%d\":%d", i, i);
    sprintf(p, "}");
    test_ok(try_read(text, &snapshot, &err), &err);
    agentchat_snapshot_unref(snapshot);
    sprintf(p, ",\"y\":1}");
    test_fails(try_read(text, &snapshot, &err), &err, AGENTCHAT_E_LIMIT, "/y", "256");
    assert_int_equal(err.offset, p - text + 1);
    /* entries of extras do not count, wherever they stand */
    p += sprintf(p, ",\"extras\":[{\"from\":\"agentchat\",\"name\":\"e\",\"value\":1},{\"name\":\"f\",\"value\":1}]");
    sprintf(p, "}");
    test_ok(try_read(text, &snapshot, &err), &err);
    agentchat_snapshot_unref(snapshot);
    sprintf(p, ",\"y\":1}");
    test_fails(try_read(text, &snapshot, &err), &err, AGENTCHAT_E_LIMIT, "/y", "256");
    p = text + sprintf(text, "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],"
                             "\"channels\":[],\"extras\":[{\"name\":\"f\",\"value\":1}");
    for (int i = 0; i < 300; i++)
        p += sprintf(p, ",{\"from\":\"agentchat\",\"name\":\"e%d\",\"value\":%d}", i, i);
    p += sprintf(p, "]");
    for (int i = 0; i < 256; i++)
        p += sprintf(p, ",\"x%d\":%d", i, i);
    sprintf(p, "}");
    test_ok(try_read(text, &snapshot, &err), &err);
    agentchat_snapshot_unref(snapshot);
    sprintf(p, ",\"y\":1}");
    test_fails(try_read(text, &snapshot, &err), &err, AGENTCHAT_E_LIMIT, "/y", "256");
}

static void test_agentchat_read__survives_nesting_up_to_the_greatest_limit(void **state)
{
    static const char open[] = "{\"items\":[{\"type\":\"message\",\"message\":", close[] = "}]}";
    static const char head[] = "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[",
                      tail[] = "],\"participants\":[],\"channels\":[]}";
    const size_t levels = 3332; /* of three containers each, inside of two */
    char *text = malloc(sizeof(head) + sizeof(tail) + levels * (sizeof(open) + sizeof(close)) + 8), *p = text;
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_error err;

    (void)state;
    assert_non_null(text);
    p += sprintf(p, "%s", head);
    for (size_t i = 0; i < levels; i++)
        p += sprintf(p, "%s", open);
    p += sprintf(p, "{}");
    for (size_t i = 0; i < levels; i++)
        p += sprintf(p, "%s", close);
    sprintf(p, "%s", tail);
    limits.max_depth = 10000;
    test_ok(read_limited(text, limits, &err), &err);
    test_fails(read_limited(text, (agentchat_limits)AGENTCHAT_LIMITS_INIT, &err), &err, AGENTCHAT_E_LIMIT, NULL,
               "deep");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agentchat_read__counts_every_message_that_stands_in_the_input),
        cmocka_unit_test(test_agentchat_read__limits_what_runs_name),
        cmocka_unit_test(test_agentchat_read__limits_bytes_and_what_base64_holds),
        cmocka_unit_test(test_agentchat_read__limits_unknown_properties_of_an_object),
        cmocka_unit_test(test_agentchat_read__survives_nesting_up_to_the_greatest_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
