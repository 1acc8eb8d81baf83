/* SPDX-License-Identifier: Apache-2.0 */
/* The sidecar, when it is not as our writer makes it: somebody else's, kept as it stands. */
#include "sk_test.h"

#define ROOT(sidecar) "{\"Participants\":[],\"History\":[],\"Channels\":[],\"agentchat\":" sidecar "}"
#define MESSAGE(sidecar) SK_DOC("{\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":" sidecar "}")
#define ITEM(sidecar) SK_ITEM("{\"$type\":\"TextContent\",\"Text\":\"t\",\"agentchat\":" sidecar "}")
#define CHANNEL(sidecar)                                                                                               \
    "{\"Participants\":[],\"History\":[],\"Channels\":[{\"ChannelKey\":\"k\",\"ChannelType\":\"T\",\"ChannelState\":"  \
    "\"AAEC\",\"agentchat\":" sidecar "}]}"

static const char *const foreign[] = {
    /* no object at all */
    ROOT("1"),
    MESSAGE("null"),
    ITEM("[]"),
    CHANNEL("\"x\""),
    /* numbers and positions */
    ROOT("{\"turn\":-1}"),
    ROOT("{\"turn\":1.5}"),
    ROOT("{\"turn\":9007199254740992}"),
    ROOT("{\"nulls\":[1,0]}"),
    ROOT("{\"nulls\":[18446744073709551615]}"),
    ROOT("{\"nulls\":0}"),
    CHANNEL("{\"pending\":[2,2]}"),
    CHANNEL("{\"synced\":\"all\"}"),
    CHANNEL("{\"appended\":[]}"),
    /* values */
    ROOT("{\"values\":{}}"),
    ROOT("{\"values\":[{\"name\":\"a\"}]}"),
    ROOT("{\"values\":[{\"value\":1}]}"),
    ROOT("{\"values\":[{\"name\":\"a\",\"mediatype\":\"m\",\"value\":1}]}"),
    ROOT("{\"values\":[{\"name\":\"a\",\"base64\":\"AA==\"}]}"),
    ROOT("{\"values\":[{\"name\":\"a\",\"text\":\"nul\"}]}"),
    ROOT("{\"values\":[{\"name\":\"a\",\"unknown\":1}]}"),
    /* channels and their states */
    ROOT("{\"channels\":[{\"at\":0,\"x\":{}}]}"),
    ROOT("{\"channels\":[{\"at\":0,\"channel\":[]}]}"),
    CHANNEL("{\"state\":{\"x\":1}}"),
    CHANNEL("{\"state\":1}"),
    CHANNEL("{\"holds\":\"secrets\"}"),
    CHANNEL("{\"holds\":1}"),
    CHANNEL("{\"bytes\":1}"),
    /* extras */
    MESSAGE("{\"extras\":[{\"name\":\"a\"}]}"),
    MESSAGE("{\"extras\":[{\"value\":1}]}"),
    MESSAGE("{\"extras\":[{\"name\":\"a\",\"value\":1,\"from\":\"Mars\"}]}"),
    MESSAGE("{\"extras\":[{\"name\":\"a\",\"value\":1,\"from\":1}]}"),
    MESSAGE("{\"extras\":[{\"name\":\"a\",\"text\":\"nul\"}]}"),
    MESSAGE("{\"extras\":{}}"),
    /* messages and items */
    MESSAGE("{\"items\":[]}"),
    MESSAGE("{\"null\":1}"),
    MESSAGE("{\"item\":1}"),
    MESSAGE("{\"time\":1}"),
    ITEM("{\"absent\":1}"),
    ITEM("{\"opaque\":{}}"),
    ITEM("{\"opaque\":{\"kind\":\"k\"}}"),
    ITEM("{\"opaque\":{\"raw\":1,\"from\":\"Mars\"}}"),
    ITEM("{\"opaque\":{\"raw\":1,\"x\":1}}"),
    ITEM("{\"opaque\":[]}"),
};

/* Whether the sidecar of the one document is in the other, whatever the whitespace. */
static bool holds(agentchat_str wanted, agentchat_str written)
{
    agentchat_bytes left = sk_canonical(wanted), right = sk_canonical(written);
    const char *begin = strstr(left.ptr, "\"agentchat\":"), *end = begin;
    char *sidecar;
    bool found;
    int depth = 0;

    assert_non_null(begin);
    do { /* no text of the documents above has a bracket */
        depth += (*end == '{' || *end == '[') - (*end == '}' || *end == ']');
        end++;
    } while (depth > 0 || (*end != ',' && *end != '}'));
    sidecar = strndup(begin, (size_t)(end - begin));
    found = strstr(right.ptr, sidecar) != NULL;
    if (!found)
        print_message("%s is not in %s\n", sidecar, right.ptr);
    free(sidecar);
    agentchat_bytes_clear(&left);
    agentchat_bytes_clear(&right);
    return found;
}

static void test_sk_sidecar__a_foreign_shape_is_kept_as_it_stands(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        agentchat_report *report = NULL;
        agentchat_snapshot *snapshot, *again;
        char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
        agentchat_bytes bytes;
        agentchat_error err;
        size_t notes = 0;

        test_ok(sk_try_read(agentchat_str_from(foreign[i]), &snapshot, &report, &err), &err);
        for (size_t n = 0; n < agentchat_report_count(report); n++)
            notes += strstr(agentchat_report_at(report, n)->text.ptr, "foreign shape") != NULL;
        if (notes != (strstr(foreign[i], "\"agentchat\":{") != NULL)) /* what is no object is nothing to speak of */
            fail_msg("%s: %zu notes", foreign[i], notes);
        bytes = sk_write(snapshot, true, NULL);
        assert_true(holds(agentchat_str_from(foreign[i]), (agentchat_str){bytes.ptr, bytes.len}));
        agentchat_bytes_clear(&bytes);
        bytes = sk_write(snapshot, false, NULL);
        again = sk_read_view((agentchat_str){bytes.ptr, bytes.len});
        test_ok(agentchat_snapshot_digest(snapshot, true, left, &err), &err);
        test_ok(agentchat_snapshot_digest(again, true, right, &err), &err);
        if (strcmp(left, right) != 0)
            fail_msg("%s: does not come back from %s", foreign[i], bytes.ptr);
        agentchat_bytes_clear(&bytes);
        agentchat_report_free(report);
        agentchat_snapshot_unref(again);
        agentchat_snapshot_unref(snapshot);
    }
}

/* A later version may say more than this one knows; the rest counts. */
static void test_sk_sidecar__what_only_a_later_version_knows_is_reported(void **state)
{
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(sk_try_read(AGENTCHAT_STR(ROOT("{\"turn\":2,\"mood\":\"\\u001b[2J\"}")), &snapshot, &report, &err), &err);
    assert_int_equal(agentchat_snapshot_next_turn(snapshot), 2);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, NULL), 1);
    assert_non_null(strstr(agentchat_report_at(report, 0)->text.ptr, "mood"));
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

/* What an ADK brought goes through a file of Semantic Kernel's with its origin. */
static void test_sk_sidecar__origins_of_other_formats_come_back(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\n\"history\":[\n{\"role\":\"user\",\"items\":[{\"type\":"
        "\"opaque\","
        "\"from\":\"adk\",\"kind\":\"executableCode\",\"raw\":{\"executableCode\":{}}},{\"type\":\"text\",\"text\":"
        "\"x\","
        "\"extras\":[{\"from\":\"adk\",\"name\":\"videoMetadata\",\"value\":{}}]}]}\n],\n\"participants\":[],\n"
        "\"channels\":[]}\n";
    agentchat_bytes theirs, ours = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot, *again;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
    theirs = sk_write(snapshot, false, NULL);
    again = sk_read_view((agentchat_str){theirs.ptr, theirs.len});
    test_ok(agentchat_snapshot_write_memory(again, NULL, &ours, NULL, &err), &err);
    assert_string_equal(ours.ptr, text);
    agentchat_bytes_clear(&theirs);
    agentchat_bytes_clear(&ours);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_sidecar__a_foreign_shape_is_kept_as_it_stands),
        cmocka_unit_test(test_sk_sidecar__what_only_a_later_version_knows_is_reported),
        cmocka_unit_test(test_sk_sidecar__origins_of_other_formats_come_back),
    };

    return cmocka_run_group_tests_name("sk_sidecar", tests, NULL, NULL);
}
