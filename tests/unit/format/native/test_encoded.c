/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat-encoded: what stands in base64, and how it is distinguished from format 1. */
#include "support/test_support.h"

static agentchat_status read_as(const char *text, const char *format, agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;

    options.format = format;
    return agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &options, out, NULL, err);
}

static void test_encoded__writes_each_state_in_base64(void **state)
{
    static const char plain[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"role\":\"u\"}],\"participants\":[{\"id\":\"a\"}],"
        "\"channels\":[{\"channelkey\":\"k\",\"statekind\":\"text\",\"channelstate\":\"t\"}],\"values\":[{\"name\":"
        "\"v\",\"value\":1}],\"turn\":1}";
    static const char encoded[] = "{\"agentchat\":{\"format\":1,\"reader\":1,\"encoding\":\"base64\"},\n"
                                  "\"history\":\"W3sicm9sZSI6InUifV0=\",\n"
                                  "\"participants\":[\n\"eyJpZCI6ImEifQ==\"\n],\n"
                                  "\"channels\":[\n{\"channelkey\":\"k\",\"channelstate\":"
                                  "\"eyJzdGF0ZWtpbmQiOiJ0ZXh0IiwiY2hhbm5lbHN0YXRlIjoidCJ9\"}\n],\n"
                                  "\"values\":[\n\"eyJuYW1lIjoidiIsInZhbHVlIjoxfQ==\"\n],\n"
                                  "\"turn\":1}\n";
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot, *back;
    agentchat_error err;
    bool equal;

    (void)state;
    options.format = "agentchat-encoded";
    test_ok(read_as(plain, NULL, &snapshot, &err), &err);
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    assert_string_equal(bytes.ptr, encoded);
    test_ok(read_as(bytes.ptr, NULL, &back, &err), &err);
    assert_string_equal(agentchat_snapshot_format(back), "agentchat-encoded");
    test_ok(agentchat_snapshot_diff(snapshot, back, NULL, NULL, &equal, &err), &err);
    assert_true(equal);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(back);
    agentchat_snapshot_unref(snapshot);
}

static void test_encoded__reads_channels_before_the_history(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"encoding\":\"base64\",\"format\":1,\"reader\":1},\"channels\":[{\"channelstate\":"
        "\"eyJjaGFubmVsc3RhdGUiOltbMCwxXV0sInN0YXRla2luZCI6Im1lc3NhZ2VzIn0=\",\"channelkey\":\"k\"}],\"participants\":"
        "[],\"history\":\"W3sicm9sZSI6InUifV0=\"}";
    const agentchat_channel_state *channel;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(read_as(text, NULL, &snapshot, &err), &err);
    channel = agentchat_snapshot_channel(snapshot, 0);
    assert_str(agentchat_channel_state_key(channel), "k");
    assert_ptr_equal(agentchat_messages_at(agentchat_channel_state_messages(channel), 0),
                     agentchat_messages_at(agentchat_snapshot_history(snapshot), 0));
    agentchat_snapshot_unref(snapshot);
}

static void test_encoded__is_not_taken_for_format_1(void **state)
{
    static const char encoded[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1,\"encoding\":\"base64\"},\"history\":\"W10=\",\"participants\":[],"
        "\"channels\":[]}";
    static const char plain[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],\"channels\":[]}";
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_fails(read_as(encoded, "agentchat", &snapshot, &err), &err, AGENTCHAT_E_SCHEMA, "/agentchat",
               "is in format agentchat-encoded");
    assert_int_equal(err.offset, strlen("{\"agentchat\":"));
    assert_null(snapshot);
    test_fails(read_as(plain, "agentchat-encoded", &snapshot, &err), &err, AGENTCHAT_E_SCHEMA, "/agentchat",
               "is in format agentchat,");
    assert_null(snapshot);
}

static void test_encoded__counts_what_it_decodes_as_input(void **state)
{
    /* 8 bytes of history in 12 characters */
    static const char text[] = "{\"agentchat\":{\"format\":1,\"reader\":1,\"encoding\":\"base64\"},\"history\":"
                               "\"WyAgICAgIF0=\",\"participants\":"
                               "[],\"channels\":[]}";
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    options.limits = &limits;
    limits.max_bytes = sizeof(text) - 1 + 8;
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &options, &snapshot, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    limits.max_bytes--;
    test_fails(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &options, &snapshot, NULL, &err), &err,
               AGENTCHAT_E_LIMIT, "/history", NULL);
    assert_null(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encoded__writes_each_state_in_base64),
        cmocka_unit_test(test_encoded__reads_channels_before_the_history),
        cmocka_unit_test(test_encoded__is_not_taken_for_format_1),
        cmocka_unit_test(test_encoded__counts_what_it_decodes_as_input),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
