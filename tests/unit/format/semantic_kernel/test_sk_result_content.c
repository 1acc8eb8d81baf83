/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of results, flags, signatures and their issuers: what .NET's format has no property for. */
#include "sk_test.h"

#define DOC(items)                                                                                                     \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"role\":\"tool\",\"items\":[" items "]}],"              \
    "\"participants\":[],\"channels\":[]}"
#define PAIR "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]"
#define DEEP "{\"type\":\"result\",\"content\":[{\"type\":\"result\",\"content\":" PAIR "},null]}"

static agentchat_snapshot *read_native(const char *text)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

static bool same_digest(const agentchat_snapshot *a, const agentchat_snapshot *b)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;

    test_ok(agentchat_snapshot_digest(a, true, left, &err), &err);
    test_ok(agentchat_snapshot_digest(b, true, right, &err), &err);
    return strcmp(left, right) == 0;
}

static const struct {
    const char *items; /* of format 1 */
    const char *shown; /* what .NET's readers see */
    const char *lost;  /* where strict mode loses something; NULL: nowhere */
} cases[] = {
    {"{\"type\":\"result\",\"content\":[{\"type\":\"text\",\"text\":\"a\\\"\"}]}", "\"Result\":\"a\\\"\"", NULL},
    {"{\"type\":\"result\",\"content\":[{\"type\":\"text\",\"text\":\"a\",\"form\":{\"from\":\"x\",\"value\":1}}],"
     "\"failed\":false}",
     "\"Result\":\"a\"", NULL},
    {"{\"type\":\"result\",\"content\":" PAIR "}", "\"Result\":\"a\\nb\"", "/history/0/items/0/content"},
    {"{\"type\":\"result\",\"content\":[]}", "\"content\":[]", "/history/0/items/0/content"},
    {"{\"type\":\"result\",\"content\":null}", "FunctionResultContent", NULL},
    {"{\"type\":\"result\",\"result\":{\"r\":1},\"content\":" PAIR "}", "\"Result\":{", "/history/0/items/0/content"},
    {"{\"type\":\"result\",\"result\":null,\"content\":[{\"type\":\"image\",\"data\":\"AAEC\"}]}", "\"Data\":\"AAEC\"",
     "/history/0/items/0/content"},
    {DEEP, "\"content\":[{\"$type\":\"FunctionResultContent\"", "/history/0/items/0/content"},
    {"{\"type\":\"result\",\"result\":1,\"failed\":true}", "\"failed\":true", "/history/0/items/0/failed"},
    {"{\"type\":\"text\",\"text\":\"no\",\"refusal\":true}", "\"refusal\":true", "/history/0/items/0/refusal"},
    {"{\"type\":\"reasoning\",\"text\":\"\",\"redacted\":true}", "\"redacted\":true", "/history/0/items/0/redacted"},
    {"{\"type\":\"call\",\"function\":\"f\",\"signature\":\"s\"}", "\"signature\":\"s\"",
     "/history/0/items/0/signature"},
    {"{\"type\":\"image\",\"uri\":\"https://x/\",\"issuer\":\"google\"}", "\"issuer\":\"google\"",
     "/history/0/items/0/issuer"},
    {"{\"type\":\"message\",\"message\":{\"role\":\"user\",\"items\":[]},\"signature\":\"s\"}", "\"signature\":\"s\"",
     "/history/0/items/0/signature"},
    {"{\"type\":\"opaque\",\"kind\":\"k\",\"raw\":1,\"issuer\":\"i\"}", "\"issuer\":\"i\"", "/history/0/items/0"},
    {"{\"type\":\"text\",\"text\":\"yes\",\"refusal\":false,\"signature\":null,\"form\":{\"from\":\"x\",\"value\":[]}}",
     "\"Text\":\"yes\"", NULL},
};

static void test_sk_result_content__comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char document[600];
        agentchat_snapshot *snapshot, *again;
        agentchat_bytes bytes;

        snprintf(document, sizeof document, DOC("%s"), cases[i].items);
        snapshot = read_native(document);
        bytes = sk_write(snapshot, false, NULL);
        if (strstr(bytes.ptr, cases[i].shown) == NULL)
            fail_msg("%s: %s is not in %s", cases[i].items, cases[i].shown, bytes.ptr);
        again = sk_read(bytes.ptr);
        if (!same_digest(snapshot, again))
            fail_msg("%s does not come back from %s", cases[i].items, bytes.ptr);
        agentchat_bytes_clear(&bytes);
        agentchat_snapshot_unref(again);
        agentchat_snapshot_unref(snapshot);
    }
}

static void test_sk_result_content__strict_mode_says_what_is_lost(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char document[600];
        agentchat_snapshot *snapshot, *again;
        agentchat_report *report;
        agentchat_bytes bytes;
        size_t losses;

        snprintf(document, sizeof document, DOC("%s"), cases[i].items);
        snapshot = read_native(document);
        bytes = sk_write(snapshot, true, &report);
        losses = agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS);
        if (cases[i].lost != NULL)
            assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, cases[i].lost), 1);
        again = sk_read(bytes.ptr);
        if (losses != (cases[i].lost != NULL) || same_digest(snapshot, again) != (losses == 0))
            fail_msg("%s: %zu losses, %s", cases[i].items, losses, bytes.ptr);
        agentchat_report_free(report);
        agentchat_bytes_clear(&bytes);
        agentchat_snapshot_unref(again);
        agentchat_snapshot_unref(snapshot);
    }
}

/* What the sidecar says counts only beside the value that the writer would have written. */
static void test_sk_result_content__counts_only_beside_its_texts(void **state)
{
    static const struct {
        const char *outside;
        size_t content;
    } some[] = {{"\"a\\nb\"", 2}, {"\"a\\nc\"", 0}, {"{\"x\":1}", 0}, {"null", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char document[600];
        agentchat_snapshot *snapshot;
        const agentchat_item *item;

        snprintf(document, sizeof document,
                 SK_ITEM("{\"$type\":\"FunctionResultContent\",\"Result\":%s,\"agentchat\":{\"absent\":[\"result\"],"
                         "\"content\":[{\"$type\":\"TextContent\",\"Text\":\"a\"},{\"$type\":\"TextContent\",\"Text\":"
                         "\"b\"}]}}"),
                 some[i].outside);
        snapshot = sk_read(document);
        item = agentchat_message_item(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0), 0);
        assert_int_equal(agentchat_item_content_count(item), some[i].content);
        assert_int_equal(agentchat_item_get(item, AGENTCHAT_FIELD_RESULT).ptr == NULL, some[i].content > 0);
        agentchat_snapshot_unref(snapshot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_result_content__comes_back),
        cmocka_unit_test(test_sk_result_content__strict_mode_says_what_is_lost),
        cmocka_unit_test(test_sk_result_content__counts_only_beside_its_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
