/* SPDX-License-Identifier: Apache-2.0 */
/* Texts as the states of channels, JSON or nearly so: what comes back is the same text, or the report has the loss. */
#include "sk_test.h"

static const char *const texts[] = {"",
                                    " ",
                                    "null",
                                    " null",
                                    "true",
                                    "false",
                                    "0",
                                    "-1",
                                    "1.50",
                                    "1e5",
                                    "\"\"",
                                    "\"abc\"",
                                    " \"abc\"",
                                    "[]",
                                    "[] ",
                                    "[\n]",
                                    " []",
                                    "\t{}",
                                    "{}",
                                    "{} ",
                                    "{ }",
                                    "[1, 2]",
                                    "[null]",
                                    "[{}]",
                                    "[{\"Role\":{\"Label\":\"user\"}}]",
                                    "[{\"role\":\"user\"}] ",
                                    "{\"a\":1,\"a\":2}",
                                    "{\"History\":[]}",
                                    "{\"History\":null}",
                                    "{\"history\":\"\"}",
                                    "nul",
                                    "[",
                                    "[}",
                                    "{]",
                                    "[abc]",
                                    "{abc}",
                                    "[01]",
                                    "[1,]",
                                    "\xEF\xBB\xBF[]",
                                    "\"\\ud800\"",
                                    "[\"\\ud800\"]",
                                    "thread-1"};
static const char *const types[] = {"T", "Microsoft.SemanticKernel.Agents.ChatHistoryChannel",
                                    "Microsoft.SemanticKernel.Agents.AggregatorChannel"};
enum { TEXTS = sizeof texts / sizeof *texts, TYPES = sizeof types / sizeof *types };

static void digest(const agentchat_snapshot *snapshot, char out[AGENTCHAT_DIGEST_LEN + 1])
{
    agentchat_error err;

    test_ok(agentchat_snapshot_digest(snapshot, true, out, &err), &err);
}

/* Returns whether something was lost. */
static bool check(const agentchat_snapshot *snapshot, const char *text, bool strict)
{
    char before[AGENTCHAT_DIGEST_LEN + 1], after[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_report *report = NULL;
    agentchat_bytes bytes = sk_write(snapshot, strict, &report);
    agentchat_snapshot *back = sk_read_view((agentchat_str){bytes.ptr, bytes.len});
    size_t losses = agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS);

    digest(snapshot, before);
    digest(back, after);
    if ((strcmp(before, after) == 0) != (losses == 0))
        fail_msg("\"%s\", %s: %zu losses\n%s", text, strict ? "strict" : "default", losses, bytes.ptr);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, "/channels/0/channelstate"), losses);
    agentchat_bytes_clear(&bytes);
    agentchat_report_free(report);
    agentchat_snapshot_unref(back);
    return losses > 0;
}

/* A channel with the text in format 1. raw: it stood as a JSON value in its source. */
static agentchat_snapshot *in_format_1(const char *text, const char *type, bool raw)
{
    agentchat_str source = agentchat_str_from(text);
    agentchat_snapshot *snapshot;
    agentchat_error err;
    aci_buf document;

    aci_buf_init(&document, aci_env(NULL), SIZE_MAX);
    assert_true(aci_buf_printf(&document,
                               "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],"
                               "\"channels\":[{\"channelkey\":\"k\",\"channeltype\":\"%s\",\"statekind\":\"text\",%s"
                               "\"channelstate\":",
                               type, raw ? "\"raw\":true," : ""));
    assert_true(aci_json_canonical_string(source, &document));
    assert_true(aci_buf_printf(&document, "}]}"));
    test_ok(agentchat_snapshot_read_memory(NULL, aci_buf_str(&document), NULL, &snapshot, NULL, &err), &err);
    aci_buf_clear(&document);
    return snapshot;
}

static void test_sk_states__a_text_comes_back_or_is_a_loss(void **state)
{
    size_t lost = 0;

    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        for (size_t n = 0; n < TYPES * 2; n++) {
            agentchat_snapshot *snapshot = in_format_1(texts[i], types[n / 2], n % 2 == 1);

            assert_false(check(snapshot, texts[i], false));
            if (check(snapshot, texts[i], true)) {
                lost++;
                assert_int_not_equal(n / 2, 0); /* a channel of another kind holds any text */
            }
            agentchat_snapshot_unref(snapshot);
        }
    }
    assert_in_range(lost, 1, TEXTS);
}

/* What .NET wrote as a value goes back as one. */
static void test_sk_states__values_go_back_as_they_stood(void **state)
{
    static const char *const raw[] = {"[ 1 , 2.50 ]", "{ \"a\" : null }", "17",    "true",
                                      "\"null\"",     "\"{} \"",          "\"[]\""};

    (void)state;
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        char document[256];
        agentchat_snapshot *snapshot;
        agentchat_bytes bytes;

        snprintf(document, sizeof document,
                 "{\n  \"Participants\": [],\n  \"History\": [],\n  \"Channels\": [\n    {\n      \"ChannelKey\": "
                 "\"k\",\n      \"ChannelType\": \"T\",\n      \"ChannelState\": %s\n    }\n  ]\n}",
                 raw[i]);
        snapshot = sk_read(document);
        bytes = sk_write(snapshot, true, NULL);
        assert_string_equal(bytes.ptr, document);
        agentchat_bytes_clear(&bytes);
        agentchat_snapshot_unref(snapshot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_states__a_text_comes_back_or_is_a_loss),
        cmocka_unit_test(test_sk_states__values_go_back_as_they_stood),
    };

    return cmocka_run_group_tests_name("sk_states", tests, NULL, NULL);
}
