/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input made to hurt: sizes, depths, encodings. Each gets an exact error or the exact value, and costs memory in
 * proportion to its size. Case files with one oddity each are in tests/format; this is what is too large for them.
 */
#include "support/test_support.h"

#include <stdio.h>

typedef struct text {
    char *ptr;
    size_t len, cap;
} text;

static void add(text *t, const char *bytes, size_t len)
{
    if (t->cap - t->len <= len) {
        t->cap = (t->len + len + 1) * 2;
        t->ptr = realloc(t->ptr, t->cap);
        assert_non_null(t->ptr);
    }
    memcpy(t->ptr + t->len, bytes, len);
    t->len += len;
    t->ptr[t->len] = '\0';
}

static void add_text(text *t, const char *piece)
{
    add(t, piece, strlen(piece));
}

static void add_times(text *t, const char *piece, size_t times)
{
    for (size_t i = 0; i < times; i++)
        add_text(t, piece);
}

/* Reads t in an environment that counts; gives the peak beyond the file itself. */
static agentchat_status read_counted(const text *t, const agentchat_read_options *options, size_t *messages,
                                     uint64_t *peak, agentchat_error *err)
{
    test_oom memory = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&memory);
    agentchat_snapshot *snapshot = NULL;
    agentchat_status st;

    st = agentchat_snapshot_read_memory(env, (agentchat_str){t->ptr, t->len}, options, &snapshot, NULL, err);
    *messages = agentchat_messages_count(agentchat_snapshot_history(snapshot));
    *peak = memory.peak_bytes > t->len ? memory.peak_bytes - t->len : 0;
    agentchat_snapshot_unref(snapshot);
    agentchat_env_free(env);
    assert_int_equal(memory.live_blocks, 0);
    return st;
}

#define OURS "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["
#define OURS_END "],\"participants\":[],\"channels\":[]}"
#define THEIRS "{\"Participants\":[],\"History\":["
#define THEIRS_END "],\"Channels\":[]}"

static void test_hostile__string_of_100_megabytes(void **state)
{
    enum { SIZE = 100 * 1000 * 1000 };
    static const char *const heads[] = {
        OURS "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"",
        THEIRS "{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\""};
    static const char *const tails[] = {"\"}]}" OURS_END, "\"}]}" THEIRS_END};
    char *many = malloc(SIZE);

    (void)state;
    assert_non_null(many);
    memset(many, 'a', SIZE);
    for (size_t i = 0; i < 2; i++) {
        text t = {NULL, 0, 0};
        agentchat_snapshot *snapshot = NULL;
        agentchat_error err;
        agentchat_str value;

        add_text(&t, heads[i]);
        add(&t, many, SIZE);
        add_text(&t, tails[i]);
        test_ok(agentchat_snapshot_read_memory(NULL, (agentchat_str){t.ptr, t.len}, NULL, &snapshot, NULL, &err), &err);
        value = agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0));
        assert_int_equal(value.len, SIZE);
        assert_memory_equal(value.ptr, many, SIZE);
        agentchat_snapshot_unref(snapshot);
        free(t.ptr);
    }
    free(many);
}

static void test_hostile__a_million_empty_messages(void **state)
{
    static const char *const heads[] = {OURS, THEIRS}, *const tails[] = {OURS_END, THEIRS_END};
    static const char *const empty[] = {"{\"role\":\"\"}", "{}"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        text t = {NULL, 0, 0};
        agentchat_error err;
        size_t messages;
        uint64_t peak;

        add_text(&t, heads[i]);
        for (size_t n = 0; n < 1000000; n++) {
            add_text(&t, n ? "," : "");
            add_text(&t, empty[i]);
        }
        add_text(&t, tails[i]);
        test_ok(read_counted(&t, NULL, &messages, &peak, &err), &err);
        assert_int_equal(messages, 1000000);
        assert_true(peak < 200u * 1000000u); /* a fixed cost for each message, no more */
        free(t.ptr);
    }
}

static void test_hostile__too_many_messages(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    text t = {NULL, 0, 0};
    agentchat_error err;
    size_t messages;
    uint64_t peak;

    (void)state;
    limits.max_messages = 2;
    options.limits = &limits;
    add_text(&t, OURS "{\"role\":\"a\"},{\"role\":\"b\"},{\"role\":\"c\"}" OURS_END);
    test_fails(read_counted(&t, &options, &messages, &peak, &err), &err, AGENTCHAT_E_LIMIT, "/history/2", NULL);
    free(t.ptr);
}

static void test_hostile__depth_bombs(void **state)
{
    static const char *const heads[] = {
        OURS "{\"role\":\"u\",\"metadata\":",
        THEIRS "{\"Role\":{\"Label\":\"u\"},\"Metadata\":",
        THEIRS "{\"Role\":{\"Label\":\"u\"},\"Unknown\":",
        "{\"Participants\":[],\"History\":[],\"Channels\":[{\"ChannelState\":",
        "",
    };
    static const char *const bombs[] = {"[", "{\"a\":"};

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        for (size_t k = 0; k < 2; k++) {
            text t = {NULL, 0, 0};
            agentchat_error err;
            size_t messages;
            uint64_t peak;
            agentchat_status st;

            add_text(&t, heads[i]);
            add_times(&t, bombs[k], 100000);
            st = read_counted(&t, NULL, &messages, &peak, &err);
            assert_true(st == AGENTCHAT_E_LIMIT || st == AGENTCHAT_E_SCHEMA);
            assert_true(err.offset <= strlen(heads[i]) + 129 * strlen(bombs[k]));
            free(t.ptr);
        }
}

/* A document in a string in a document …: every level is text of the one around it. */
static void test_hostile__nested_chats_beyond_the_depth(void **state)
{
    text t = {NULL, 0, 0};
    agentchat_error err;
    size_t messages;
    uint64_t peak;

    (void)state;
    add_times(&t,
              "{\"Participants\":[],\"History\":[],\"Channels\":[{\"ChannelKey\":\"k\",\"ChannelType\":"
              "\"Microsoft.SemanticKernel.Agents.AggregatorChannel\",\"ChannelState\":",
              10000);
    test_fails(read_counted(&t, NULL, &messages, &peak, &err), &err, AGENTCHAT_E_LIMIT, NULL, NULL);
    free(t.ptr);
}

static void test_hostile__numbers_without_end(void **state)
{
    text t = {NULL, 0, 0};
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_str metadata;

    (void)state;
    add_text(&t, OURS "{\"role\":\"u\",\"metadata\":{\"n\":1e");
    add_times(&t, "9", 1000000);
    add_text(&t, ",\"m\":");
    add_times(&t, "8", 1000000);
    add_text(&t, "}}" OURS_END);
    test_ok(agentchat_snapshot_read_memory(NULL, (agentchat_str){t.ptr, t.len}, NULL, &snapshot, NULL, &err), &err);
    metadata =
        agentchat_message_get(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0), AGENTCHAT_FIELD_METADATA);
    assert_int_equal(metadata.len, strlen("{\"n\":1e,\"m\":}") + 2000000);
    test_ok(agentchat_snapshot_digest(snapshot, true, digest, &err), &err);
    agentchat_snapshot_unref(snapshot);
    free(t.ptr);
}

static void test_hostile__too_large(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    text t = {NULL, 0, 0};
    agentchat_error err;
    size_t messages;
    uint64_t peak;

    (void)state;
    limits.max_bytes = 100;
    options.limits = &limits;
    add_text(&t, OURS);
    add_times(&t, " ", 100);
    add_text(&t, OURS_END);
    test_fails(read_counted(&t, &options, &messages, &peak, &err), &err, AGENTCHAT_E_LIMIT, NULL, "100");
    free(t.ptr);
}

/* Runs of references must not let a small file become a large list again and again. */
static void test_hostile__references_do_not_multiply(void **state)
{
    text t = {NULL, 0, 0};
    agentchat_error err;
    size_t messages;
    uint64_t peak;
    agentchat_status st;

    (void)state;
    add_text(&t, OURS);
    for (size_t n = 0; n < 20000; n++)
        add_text(&t, n ? ",{\"role\":\"u\"}" : "{\"role\":\"u\"}");
    add_text(&t, "],\"participants\":[],\"channels\":[");
    for (size_t n = 0; n < 20000; n++) {
        char channel[128];

        snprintf(channel, sizeof channel,
                 "%s{\"channelkey\":\"k%zu\",\"statekind\":\"messages\",\"channelstate\":[[0,20000]]}", n ? "," : "",
                 n);
        add_text(&t, channel);
    }
    add_text(&t, "]}");
    st = read_counted(&t, NULL, &messages, &peak, &err);
    /* Shared or refused, but never 20,000 lists of 20,000 messages: that would be 3.2 GB. */
    assert_true(st == AGENTCHAT_OK || st == AGENTCHAT_E_LIMIT);
    assert_true(peak < 50 * t.len);
    free(t.ptr);
}

/* A stream without an end is read up to the limit, and no buffer is made in advance for more than what came. */
static void test_hostile__streams_without_an_end(void **state)
{
    static const char *const streams[] = {"/dev/zero", "/dev/urandom"};
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;

    (void)state;
    limits.max_bytes = 1000000;
    options.limits = &limits;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        test_oom memory = {.fail_at = UINT64_MAX};
        agentchat_env *env = test_oom_env(&memory);
        agentchat_snapshot *snapshot = NULL;
        agentchat_error err;

        test_fails(agentchat_snapshot_read_file(env, streams[i], &options, &snapshot, NULL, &err), &err,
                   AGENTCHAT_E_LIMIT, "", "1000000");
        assert_true(memory.peak_bytes < 3 * limits.max_bytes);
        agentchat_env_free(env);
        assert_int_equal(memory.live_blocks, 0);
    }
}

/* Numbers that claim sizes and positions: an error or the value, and no memory for what they claim. */
static void test_hostile__declared_counts_reserve_nothing(void **state)
{
    static const char *const documents[] = {
        OURS "],\"participants\":[],\"channels\":[],\"turn\":9007199254740991}",
        OURS "],\"participants\":[],\"channels\":[{\"channelkey\":\"k\",\"statekind\":\"messages\","
             "\"channelstate\":[[0,9007199254740991]]}]}",
        OURS "],\"participants\":[],\"channels\":[{\"channelkey\":\"k\",\"statekind\":\"text\","
             "\"synced\":9007199254740991,\"pending\":[9007199254740990]}]}",
        THEIRS "],\"Channels\":[],\"agentchat\":{\"turn\":18446744073709551615,\"nulls\":[18446744073709551614]}}",
        THEIRS "{\"agentchat\":{\"extras\":[{\"at\":18446744073709551614,\"name\":\"n\",\"value\":1}]}}" THEIRS_END,
        THEIRS "],\"Channels\":[{\"ChannelKey\":\"k\",\"ChannelState\":[],\"agentchat\":{\"synced\":"
               "18446744073709551614,\"pending\":[18446744073709551613]}}],\"agentchat\":{\"channels\":"
               "[{\"at\":18446744073709551615,\"channel\":{\"ChannelKey\":\"l\"}}]}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        text t = {NULL, 0, 0};
        agentchat_error err;
        size_t messages;
        uint64_t peak;
        agentchat_status st;

        add_text(&t, documents[i]);
        st = read_counted(&t, NULL, &messages, &peak, &err);
        assert_true(st == AGENTCHAT_OK || st == AGENTCHAT_E_SCHEMA || st == AGENTCHAT_E_LIMIT);
        assert_true(messages <= 1);
        assert_true(peak < 100000); /* what any small document takes */
        free(t.ptr);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile__string_of_100_megabytes),
        cmocka_unit_test(test_hostile__a_million_empty_messages),
        cmocka_unit_test(test_hostile__too_many_messages),
        cmocka_unit_test(test_hostile__depth_bombs),
        cmocka_unit_test(test_hostile__nested_chats_beyond_the_depth),
        cmocka_unit_test(test_hostile__numbers_without_end),
        cmocka_unit_test(test_hostile__too_large),
        cmocka_unit_test(test_hostile__references_do_not_multiply),
        cmocka_unit_test(test_hostile__streams_without_an_end),
        cmocka_unit_test(test_hostile__declared_counts_reserve_nothing),
    };

    return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
