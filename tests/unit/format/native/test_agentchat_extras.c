/* SPDX-License-Identifier: Apache-2.0 */
/* Writing format 1: what it does not know, extras and items of other formats that are kept as raw text. */
#include "unit/format/document_test.h"

#include <stdio.h>

#define HEAD "{\"agentchat\":{\"format\":1,\"reader\":1},\n"

/* ---- extras ----------------------------------------------------------------------------------------------------- */

static char *write_message_with(const agentchat_extra *extras, size_t count)
{
    agentchat_snapshot_builder *to = test_snapshot_builder(NULL, NULL);
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_snapshot *snapshot;
    agentchat_message *message;
    agentchat_error err;
    char *text;

    for (size_t i = 0; i < count; i++)
        agentchat_message_builder_add_extra(b, extras[i].name, extras[i].value, extras[i].from);
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    agentchat_snapshot_builder_add_message(to, message);
    agentchat_message_unref(message);
    snapshot = finish(to);
    text = write_text(snapshot, "agentchat");
    assert_same(snapshot, text);
    agentchat_snapshot_unref(snapshot);
    return text;
}

static void test_agentchat_write__lists_extras_that_cannot_be_properties(void **state)
{
    const agentchat_extra extras[] = {
        {AGENTCHAT_STR("twice"), AGENTCHAT_STR("1"), AGENTCHAT_STR("agentchat")},
        {AGENTCHAT_STR("once"), AGENTCHAT_STR("2"), AGENTCHAT_STR("agentchat")},
        {AGENTCHAT_STR("twice"), AGENTCHAT_STR("3"), AGENTCHAT_STR("agentchat")},
        {AGENTCHAT_STR("items"), AGENTCHAT_STR("4"), AGENTCHAT_STR("agentchat")},
        {AGENTCHAT_STR("text"), AGENTCHAT_STR("5"), AGENTCHAT_STR("agentchat")},
        {AGENTCHAT_STR("both"), AGENTCHAT_STR("6"), {NULL, 0}},
        {AGENTCHAT_STR("both"), AGENTCHAT_STR("7"), AGENTCHAT_STR("agentchat")},
    };
    char *text = write_message_with(extras, sizeof(extras) / sizeof(extras[0]));

    (void)state;
    assert_string_equal(text, HEAD
                        "\"history\":[\n{\"role\":\"user\",\"items\":[],\"extras\":[{\"from\":\"agentchat\",\"name\":"
                        "\"twice\",\"value\":1},{\"from\":\"agentchat\",\"name\":\"twice\",\"value\":3},{\"from\":"
                        "\"agentchat\",\"name\":\"items\",\"value\":4},{\"name\":\"both\",\"value\":6},{\"from\":"
                        "\"agentchat\",\"name\":\"both\",\"value\":7}],\"once\":2,\"text\":"
                        "5}\n],\n\"participants\":[],\n\"channels\":[]}\n");
    free(text);
}

static void test_agentchat_write__lists_extras_when_they_are_many(void **state)
{
    static char names[300][8];
    agentchat_extra extras[300];
    char *text;

    (void)state;
    for (int i = 0; i < 300; i++) {
        sprintf(names[i], "x%d", i);
        extras[i] = (agentchat_extra){agentchat_str_from(names[i]), AGENTCHAT_STR("0"), AGENTCHAT_STR("agentchat")};
    }
    text = write_message_with(extras, 256);
    assert_null(strstr(text, "\"extras\""));
    free(text);
    text = write_message_with(extras, 300);
    assert_non_null(strstr(text, "\"extras\":[{\"from\":\"agentchat\",\"name\":\"x0\",\"value\":0}"));
    free(text);
}

/* ---- items kept as raw text ------------------------------------------------------------------------------------- */

#define SK_HEAD                                                                                                        \
    "{\"Participants\":[],\"History\":[{\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"[%.*s]\",\"agentchat\":"
#define SK_TAIL "}]}],\"Channels\":[]}"
#define KEPT(members) "{\"opaque\":{\"from\":\"agentchat\"," members "}}"

/* What the sidecar of an item says in Semantic Kernel's format, where anything can stand, and the item as format 1 has
   it: bare when that means the same. */
static const char *const opaque_items[][2] = {
    {KEPT("\"kind\":\"smell\",\"raw\":{\"type\":\"smell\",\"a\":1,\"a\":2}"), "{\"type\":\"smell\",\"a\":1,\"a\":2}"},
    {KEPT("\"kind\":\"smell\",\"raw\":{\"from\":1,\"from\":[],\"t\\u0079pe\":\"sm\\u0065ll\"}"),
     "{\"from\":1,\"from\":[],\"t\\u0079pe\":\"sm\\u0065ll\"}"},
    {KEPT("\"kind\":\"\",\"raw\":{ \"type\":\"\" }"), "{ \"type\":\"\" }"},
    {KEPT("\"kind\":\"opaque\",\"raw\":{\"from\":\"agentch\\u0061t\",\"type\":\"opaque\"}"),
     "{\"from\":\"agentch\\u0061t\",\"type\":\"opaque\"}"},
    /* types that are known, or that readers would look into */
    {KEPT("\"kind\":\"text\",\"raw\":{\"type\":\"text\"}"),
     "{\"type\":\"opaque\",\"kind\":\"text\",\"raw\":{\"type\":\"text\"}}"},
    {KEPT("\"kind\":\"message\",\"raw\":{\"type\":\"message\"}"),
     "{\"type\":\"opaque\",\"kind\":\"message\",\"raw\":{\"type\":\"message\"}}"},
    {KEPT("\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\"}"),
     "{\"type\":\"opaque\",\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\"}}"},
    {KEPT("\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\",\"from\":\"semantic-kernel\"}"),
     "{\"type\":\"opaque\",\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\",\"from\":\"semantic-kernel\"}}"},
    {KEPT("\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\",\"from\":\"mars\"}"),
     "{\"type\":\"opaque\",\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\",\"from\":\"mars\"}}"},
    {KEPT("\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\",\"from\":\"Mars\"}"),
     "{\"type\":\"opaque\",\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\",\"from\":\"Mars\"}}"},
    {KEPT("\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\",\"from\":\"mars\",\"from\":\"mars\"}"),
     "{\"type\":\"opaque\",\"kind\":\"opaque\",\"raw\":{\"type\":\"opaque\",\"from\":\"mars\",\"from\":\"mars\"}}"},
    /* no items of format 1 */
    {KEPT("\"kind\":\"smell\",\"raw\":{\"type\":\"smell\",\"type\":\"smell\"}"),
     "{\"type\":\"opaque\",\"kind\":\"smell\",\"raw\":{\"type\":\"smell\",\"type\":\"smell\"}}"},
    {KEPT("\"kind\":\"smell\",\"raw\":{\"type\":1}"), "{\"type\":\"opaque\",\"kind\":\"smell\",\"raw\":{\"type\":1}}"},
    {KEPT("\"kind\":\"smell\",\"raw\":{}"), "{\"type\":\"opaque\",\"kind\":\"smell\",\"raw\":{}}"},
    {KEPT("\"kind\":\"smell\",\"raw\":[]"), "{\"type\":\"opaque\",\"kind\":\"smell\",\"raw\":[]}"},
    {KEPT("\"kind\":\"smell\",\"raw\":\"smell\""), "{\"type\":\"opaque\",\"kind\":\"smell\",\"raw\":\"smell\"}"},
    {KEPT("\"kind\":\"smell\",\"raw\":null"), "{\"type\":\"opaque\",\"kind\":\"smell\",\"raw\":null}"},
    {KEPT("\"raw\":null"), "{\"type\":\"opaque\",\"raw\":null}"},
    /* fields beside the raw text */
    {KEPT("\"raw\":{\"type\":\"smell\"}"), "{\"type\":\"opaque\",\"raw\":{\"type\":\"smell\"}}"},
    {KEPT("\"kind\":null,\"raw\":{\"type\":\"smell\"}"),
     "{\"type\":\"opaque\",\"kind\":null,\"raw\":{\"type\":\"smell\"}}"},
    {KEPT("\"kind\":\"odour\",\"raw\":{\"type\":\"smell\"}"),
     "{\"type\":\"opaque\",\"kind\":\"odour\",\"raw\":{\"type\":\"smell\"}}"},
    {"{\"opaque\":{\"from\":\"agentchat\",\"kind\":\"smell\",\"raw\":{\"type\":\"smell\"}},"
     "\"extras\":[{\"from\":\"agentchat\",\"name\":\"e\",\"value\":1}]}",
     "{\"type\":\"opaque\",\"kind\":\"smell\",\"raw\":{\"type\":\"smell\"},\"e\":1}"},
    /* other origins */
    {"{\"opaque\":{\"kind\":\"smell\",\"raw\":{\"type\":\"smell\"}}}",
     "{\"type\":\"opaque\",\"kind\":\"smell\",\"raw\":{\"type\":\"smell\"}}"},
    {"{\"opaque\":{\"from\":\"a-later-format\",\"kind\":\"smell\",\"raw\":{\"type\":\"smell\"}}}",
     "{\"type\":\"opaque\",\"from\":\"a-later-format\",\"kind\":\"smell\",\"raw\":{\"type\":\"smell\"}}"},
    {"{\"opaque\":{\"from\":\"agentchat-encoded\",\"kind\":\"smell\",\"raw\":{\"type\":\"smell\"}}}",
     "{\"type\":\"opaque\",\"from\":\"agentchat-encoded\",\"kind\":\"smell\",\"raw\":{\"type\":\"smell\"}}"},
};
enum { OPAQUE_ITEMS = (int)(sizeof(opaque_items) / sizeof(opaque_items[0])) };

/* The document with an item, whose text outside is the one that our writer gives to .NET. */
static void document_of(char out[1000], const char *sidecar)
{
    const char *kind = strstr(sidecar, "\"kind\":\"");
    int len = kind != NULL ? (int)strcspn(kind + 8, "\"") : 0;

    sprintf(out, SK_HEAD "%s" SK_TAIL, len > 0 ? len : 7, len > 0 ? kind + 8 : "unknown", sidecar);
}

static void test_agentchat_write__writes_items_bare_only_when_that_means_the_same(void **state)
{
    char text[1000];

    (void)state;
    for (int i = 0; i < OPAQUE_ITEMS; i++) {
        agentchat_snapshot *snapshot, *back;
        char *plain, *encoded, *again;

        document_of(text, opaque_items[i][0]);
        snapshot = read_text(text);
        plain = write_text(snapshot, "agentchat");
        encoded = write_text(snapshot, "agentchat-encoded");
        sprintf(text, HEAD "\"history\":[\n{\"items\":[%s]}\n],\n\"participants\":[],\n\"channels\":[]}\n",
                opaque_items[i][1]);
        assert_string_equal(plain, text);
        assert_same(snapshot, plain);
        assert_same(snapshot, encoded);
        back = read_text(plain);
        again = write_text(back, "agentchat");
        assert_string_equal(again, plain);
        agentchat_snapshot_unref(back);
        agentchat_snapshot_unref(snapshot);
        free(again);
        free(encoded);
        free(plain);
    }
}

static agentchat_status opaque_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot;
    agentchat_status status;
    char text[1000];

    document_of(text, opaque_items[*(const int *)user][0]);
    status = agentchat_snapshot_read_memory(env, agentchat_str_from(text), NULL, &snapshot, NULL, err);
    if (status >= 0)
        status = agentchat_snapshot_write_memory(snapshot, NULL, &bytes, NULL, err);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_agentchat_write__survives_running_out_of_memory_for_such_items(void **state)
{
    (void)state;
    for (int i = 0; i < OPAQUE_ITEMS; i++)
        assert_true(test_oom_sweep(opaque_scenario, &i) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agentchat_write__lists_extras_that_cannot_be_properties),
        cmocka_unit_test(test_agentchat_write__lists_extras_when_they_are_many),
        cmocka_unit_test(test_agentchat_write__writes_items_bare_only_when_that_means_the_same),
        cmocka_unit_test(test_agentchat_write__survives_running_out_of_memory_for_such_items),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
