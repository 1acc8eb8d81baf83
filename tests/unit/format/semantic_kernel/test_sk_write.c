/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the semantic-kernel format: the sidecar in default mode, losses in strict mode, layout, memory. */
#include "sk_oom_test.h"

#define HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="

static agentchat_message *finish(agentchat_message_builder *builder)
{
    agentchat_message *message;
    agentchat_error err;

    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    return message;
}

/* A message with everything that .NET has no field for. */
static agentchat_message *rich_message(void)
{
    agentchat_message_builder *b = test_message_builder(NULL, "assistant", "Desk");
    agentchat_extra extra = {AGENTCHAT_STR("x"), AGENTCHAT_STR("[1]"), {NULL, 0}};

    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("m1"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_TIME, AGENTCHAT_STR("2026-01-02T03:04:05Z"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"__summary__\":true}"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_MIME_TYPE, AGENTCHAT_STR("text/plain"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_MODEL_ID, agentchat_str_null());
    agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_REASONING);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("think"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_SIGNATURE, AGENTCHAT_STR("sig"));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_IMAGE);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("data:image/png;n=1;base64,AAEC"));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_OPAQUE);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TYPE, AGENTCHAT_STR("video"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_RAW, AGENTCHAT_STR("{\"type\":\"video\",\"text\":\"seen\"}"));
    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_AUDIO, AGENTCHAT_STR("audio/wav"),
                                       AGENTCHAT_STR("\x01\x02\x03"));
    return finish(b);
}

static agentchat_snapshot *rich_snapshot(void)
{
    agentchat_message *message = rich_message();
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *snapshot;
    agentchat_error err;

    agentchat_snapshot_builder_add_message(b, message);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k"), AGENTCHAT_STR("T"), AGENTCHAT_CHANNEL_BYTES,
                                           AGENTCHAT_STR("\x00\xff"), 1);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("l"), AGENTCHAT_STR("T"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("[bracketed]"), AGENTCHAT_SYNCED_UNKNOWN);
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("state"), (agentchat_str){NULL, 0},
                                         AGENTCHAT_STR("{\"n\":1.50}"));
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("file"), AGENTCHAT_STR("a/b"), AGENTCHAT_STR("\x00\x01"));
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    snapshot->next_turn = 3;
    snapshot->is_complete = true;
    agentchat_message_unref(message);
    return snapshot;
}

static void test_sk_write__default_mode_keeps_what_only_we_know(void **state)
{
    agentchat_snapshot *before = rich_snapshot(), *after;
    agentchat_report *report = NULL;
    agentchat_bytes bytes = sk_write(before, false, &report);
    agentchat_str media_type;
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;

    (void)state;
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, NULL), 0);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_REPAIR, "/history/0/items/1/uri"), 1);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_REPAIR, "/history/0/items/2"), 1);
    sk_assert_equal(
        bytes,
        "{\"Participants\":[],\"History\":[{\"AuthorName\":\"Desk\",\"Role\":{\"Label\":\"assistant\"},\"Items\":["
        "{\"$type\":\"ReasoningContent\",\"Text\":\"think\",\"agentchat\":{\"signature\":\"sig\"}},"
        "{\"$type\":\"ImageContent\",\"MimeType\":\"image/png\",\"Metadata\":{\"data-uri-n\":\"1\"},\"Data\":\"AAEC\","
        "\"agentchat\":{\"uri\":\"data:image/png;n=1;base64,AAEC\",\"absent\":[\"mimetype\",\"metadata\",\"data\"]}},"
        "{\"$type\":\"TextContent\",\"Text\":\"seen\",\"agentchat\":{\"opaque\":{\"kind\":\"video\",\"raw\":{\"type\":"
        "\"video\",\"text\":\"seen\"}}}},{\"$type\":\"AudioContent\",\"MimeType\":\"audio/wav\",\"Data\":\"AQID\"}],"
        "\"ModelId\":null,\"MimeType\":\"text/plain\",\"Metadata\":{\"__summary__\":true},\"agentchat\":{\"id\":\"m1\","
        "\"time\":\"2026-01-02T03:04:05Z\",\"extras\":[{\"name\":\"x\",\"value\":[1]}]}}],"
        "\"Channels\":[{\"ChannelKey\":\"k\",\"ChannelType\":\"T\",\"ChannelState\":\"AP8=\",\"agentchat\":{\"synced\":"
        "1,"
        "\"bytes\":true}},{\"ChannelKey\":\"l\",\"ChannelType\":\"T\",\"ChannelState\":\"[bracketed]\"}],"
        "\"agentchat\":{\"turn\":3,\"complete\":true,\"values\":[{\"name\":\"state\",\"value\":{\"n\":1.50}},"
        "{\"name\":\"file\",\"mediatype\":\"a/b\",\"base64\":\"AAE=\"}]}}");
    after = sk_read_view((agentchat_str){bytes.ptr, bytes.len});
    assert_true(aci_message_equal(agentchat_messages_at(agentchat_snapshot_history(before), 0),
                                  agentchat_messages_at(agentchat_snapshot_history(after), 0)));
    assert_int_equal(agentchat_snapshot_next_turn(after), 3);
    assert_true(agentchat_snapshot_is_complete(after));
    assert_int_equal(after->channels[0].kind, AGENTCHAT_CHANNEL_BYTES);
    assert_int_equal(after->channels[0].synced, 1);
    assert_int_equal(after->channels[0].data.len, 2);
    assert_str(agentchat_snapshot_value(after, AGENTCHAT_STR("state"), &media_type), "{\"n\":1.50}");
    assert_null(media_type.ptr);
    assert_int_equal(agentchat_snapshot_value(after, AGENTCHAT_STR("file"), &media_type).len, 2);
    assert_str(media_type, "a/b");
    test_ok(agentchat_snapshot_digest(before, true, left, &err), &err);
    test_ok(agentchat_snapshot_digest(after, true, right, &err), &err);
    assert_string_equal(left, right);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(before);
    agentchat_snapshot_unref(after);
}

/* Bytes of which there are none, and a reasoning without a text: both have a value in what .NET writes. */
static void test_sk_write__nothing_comes_back_as_nothing(void **state)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_message_builder *m = test_message_builder(NULL, "assistant", NULL);
    agentchat_snapshot *before, *after;
    agentchat_message *message;
    agentchat_report *report = NULL;
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_bytes bytes;
    agentchat_error err;

    (void)state;
    agentchat_message_builder_add_item(m, AGENTCHAT_ITEM_REASONING);
    message = finish(m);
    agentchat_snapshot_builder_add_message(b, message);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k"), AGENTCHAT_STR("T"), AGENTCHAT_CHANNEL_BYTES,
                                           (agentchat_str){NULL, 0}, 1);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("l"), AGENTCHAT_STR("T"), AGENTCHAT_CHANNEL_BYTES,
                                           AGENTCHAT_STR(""), 1);
    test_ok(agentchat_snapshot_builder_finish(b, &before, &err), &err);
    bytes = sk_write(before, false, NULL);
    after = sk_read_view((agentchat_str){bytes.ptr, bytes.len});
    assert_int_equal(after->channels[0].kind, AGENTCHAT_CHANNEL_BYTES);
    assert_null(after->channels[0].data.ptr);
    assert_non_null(after->channels[1].data.ptr);
    test_ok(agentchat_snapshot_digest(before, true, left, &err), &err);
    test_ok(agentchat_snapshot_digest(after, true, right, &err), &err);
    assert_string_equal(left, right);
    agentchat_bytes_clear(&bytes);
    bytes = sk_write(before, true, &report);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, "/history/0/items/0/text"), 1);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_message_unref(message);
    agentchat_snapshot_unref(before);
    agentchat_snapshot_unref(after);
}

/* Of properties of one name a reader takes the last: strict mode writes one, and says which it left out. */
static void test_sk_write__strict_mode_writes_a_name_once(void **state)
{
    static const char document[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"role\":\"user\",\"items\":["
        "{\"type\":\"text\",\"text\":\"t\",\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Text\",\"value\":{}},"
        "{\"from\":\"semantic-kernel\",\"name\":\"$type\",\"value\":\"x\"}]},"
        "{\"type\":\"text\",\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Text\",\"value\":1},"
        "{\"from\":\"semantic-kernel\",\"name\":\"Text\",\"value\":2}]}],"
        "\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Items\",\"value\":3}]}],"
        "\"participants\":[],\"channels\":[]}";
    static const char *const lost[] = {"/history/0/items/0/extras/0", "/history/0/items/0/extras/1",
                                       "/history/0/items/1/extras/0", "/history/0/extras/0"};
    agentchat_snapshot *snapshot;
    agentchat_report *report = NULL;
    agentchat_bytes bytes;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(document), NULL, &snapshot, NULL, &err), &err);
    bytes = sk_write(snapshot, true, &report);
    sk_assert_equal(bytes,
                    "{\"Participants\":[],\"History\":[{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":["
                    "{\"$type\":\"TextContent\",\"Text\":\"t\"},{\"$type\":\"TextContent\",\"Text\":2}]}],"
                    "\"Channels\":[]}");
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, lost[i]), 1);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, NULL), 4);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_write__strict_mode_reports_each_loss_at_its_location(void **state)
{
    static const char *const paths[] = {"/history/0/metadata",
                                        "/history/0/id",
                                        "/history/0/time",
                                        "/history/0/extras/0",
                                        "/history/0/items/0/signature",
                                        "/history/0/items/1/uri",
                                        "/history/0/items/2",
                                        "/channels/0/channelstate",
                                        "/turn",
                                        "/complete",
                                        "/values/0",
                                        "/values/1"};
    agentchat_snapshot *snapshot = rich_snapshot();
    agentchat_report *report = NULL;
    agentchat_bytes bytes = sk_write(snapshot, true, &report);

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, paths[i]), 1);
    assert_int_equal(agentchat_report_count(report), sizeof paths / sizeof paths[0]);
    assert_null(strstr(bytes.ptr, "agentchat"));
    sk_assert_equal(bytes,
                    "{\"Participants\":[],\"History\":[{\"AuthorName\":\"Desk\",\"Role\":{\"Label\":\"assistant\"},"
                    "\"Items\":[{\"$type\":\"ReasoningContent\",\"Text\":\"think\"},{\"$type\":\"ImageContent\","
                    "\"Uri\":\"data:image/png;n=1;base64,AAEC\"},{\"$type\":\"AudioContent\",\"MimeType\":"
                    "\"audio/wav\",\"Data\":\"AQID\"}],\"MimeType\":\"text/plain\"}],\"Channels\":[{"
                    "\"ChannelKey\":\"k\",\"ChannelType\":\"T\",\"ChannelState\":\"AP8=\"},{\"ChannelKey\":\"l\","
                    "\"ChannelType\":\"T\",\"ChannelState\":\"[bracketed]\"}]}");
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_write__strict_mode_gives_foreign_parts_back_as_they_stood(void **state)
{
    static const char document[] =
        "{\n  \"Participants\": [\n    {\n      \"Id\": \"p\",\n      \"Extra\": { \"a\" : 1 }\n    }\n  ],\n"
        "  \"History\": [{\"AuthorName\":null,\"Role\":{\"Label\":\"u\"},\"Items\":[null,{\"$type\":\"Hologram\", "
        "\"x\" : "
        "1},{\"$type\":\"TextContent\",\"Text\":\"\\uD800\",\"$y\":2}],\"X\":\"\\u00e9\"},null],\n"
        "  \"Channels\": [\n    {\n      \"ChannelKey\": \"k\",\n      \"ChannelState\": { \"a\" : [ 1.50 ] }\n    }\n "
        " ],\n"
        "  \"Tail\": [ ]\n}";
    agentchat_snapshot *snapshot = sk_read(document);
    agentchat_report *report = NULL;
    agentchat_bytes bytes = sk_write(snapshot, true, &report);

    (void)state;
    assert_string_equal(bytes.ptr, document);
    assert_int_equal(agentchat_report_count(report), 0);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_write__strict_mode_writes_the_defaults_of_dotnet(void **state)
{
    agentchat_snapshot *snapshot = sk_read(
        "{\"History\":[{\"Items\":[{\"$type\":\"TextContent\"},{\"$type\":\"ReasoningContent\",\"Text\":null},"
        "{\"$type\":\"AnnotationContent\"},{\"$type\":\"ChatMessageContent\",\"AuthorName\":null,\"ModelId\":null}],"
        "\"ModelId\":null,\"MimeType\":null}]}");
    agentchat_bytes bytes = sk_write(snapshot, true, NULL);

    (void)state;
    sk_assert_equal(bytes,
                    "{\"Participants\":[],\"History\":[{\"AuthorName\":null,\"Role\":{\"Label\":null},\"Items\":["
                    "{\"$type\":\"TextContent\",\"Text\":null},{\"$type\":\"ReasoningContent\",\"Text\":\"\"},"
                    "{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":null},\"Label\":null,\"ReferenceId\":"
                    "null},{\"$type\":\"ChatMessageContent\",\"Role\":{\"Label\":null},\"Items\":[]}]}],"
                    "\"Channels\":[]}");
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_write__deep_values_go_into_our_property_as_text(void **state)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    static const char deep[] = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
                               "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]";
    agentchat_snapshot *before, *after;
    agentchat_report *report = NULL;
    agentchat_bytes bytes;
    agentchat_error err;

    (void)state;
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("v"), (agentchat_str){NULL, 0}, agentchat_str_from(deep));
    test_ok(agentchat_snapshot_builder_finish(b, &before, &err), &err);
    bytes = sk_write(before, false, &report);
    assert_int_equal(agentchat_report_count(report), 0);
    assert_true(aci_json_depth_of((agentchat_str){bytes.ptr, bytes.len}) < 10);
    after = sk_read_view((agentchat_str){bytes.ptr, bytes.len});
    assert_str(agentchat_snapshot_value(after, AGENTCHAT_STR("v"), NULL), deep);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(before);
    agentchat_snapshot_unref(after);
}

/* ---- out of memory -------------------------------------------------------------------------------------------- */

#define TEXT(text) "{\"$type\":\"TextContent\",\"Text\":\"" text "\"}"
#define USER(items) "{\"Role\":{\"Label\":\"user\"},\"Items\":[" items "]}"
static const char everything[] =
    "{\"Channels\":[{\"ChannelKey\":\"" HISTORY_KEY
    "\",\"ChannelType\":\"T\",\"ChannelState\":[" USER(TEXT("a\\u00e9")) "," USER(TEXT(
        "other")) "],\"X\":1},{\"ChannelKey\":\"k\",\"ChannelType\":"
                  "\"Microsoft.SemanticKernel.Agents.AggregatorChannel\",\"ChannelState\":\"{\\\"History\\\":[null]}\"}"
                  ",{\"ChannelState\":"
                  "3},{\"ChannelKey\":\"s\",\"ChannelState\":[1],\"agentchat\":{\"synced\":1,\"pending\":[0]}}],"
                  "\"Participants\":[{"
                  "\"id\":\"p\",\"Type\":\"Microsoft.SemanticKernel.Agents.AggregatorAgent\",\"Y\":2}],\"History\":"
                  "[" USER(TEXT("a\\u00e9")) ",null,{\"role\":{\"label\":\"user\",\"X\":1},\"Content\":\"c\","
                                             "\"agentchat\":{\"id\":\"m\",\"nulls\":[0]}}," USER(
                                                 "{\"Text\":\"b\",\"$type\":\"TextContent\"},{\"$type\":\"Odd\"},{\"$"
                                                 "type\":\"ImageContent\",\"Uri\":"
                                                 "\"data:image/"
                                                 "png;a=b;base64,AAEC\"},{\"$type\":\"ImageContent\",\"Data\":\"A "
                                                 "A==\"},{\"$type\":"
                                                 "\"ChatMessageContent\",\"Items\":[" TEXT(
                                                     "\\ud83d") "]},{\"$type\":\"AnnotationContent\",\"Quote\":\"q\","
                                                                "\"FileId\":\"f\",\"$z\":1}") "],\"agentchat\":{"
                                                                                              "\"turn\":1,\"values\":[{"
                                                                                              "\"name\":\"v\","
                                                                                              "\"mediatype\":\"a/b\","
                                                                                              "\"base64\":\"AA==\"}],"
                                                                                              "\"extras\":[{\"name\":"
                                                                                              "\"e\",\"value\":1}]}}";

static void test_sk_write__reading_survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(sk_sweep_reading(agentchat_str_from(everything)) > 20);
}

static void test_sk_write__writing_survives_every_failed_allocation(void **state)
{
    agentchat_snapshot *snapshot = sk_read(everything);

    (void)state;
    assert_true(sk_sweep_writing(snapshot, false) > 5);
    assert_true(sk_sweep_writing(snapshot, true) > 3);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_write__a_failing_sink_is_reported(void **state)
{
    agentchat_snapshot *snapshot = sk_read(everything);
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_sink *sink = test_sink_failing(0, false);
    agentchat_error err;

    (void)state;
    options.format = "semantic-kernel";
    test_fails(agentchat_snapshot_write(snapshot, sink, &options, NULL, &err), &err, AGENTCHAT_E_IO, NULL, NULL);
    agentchat_sink_free(sink);
    agentchat_snapshot_unref(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_write__default_mode_keeps_what_only_we_know),
        cmocka_unit_test(test_sk_write__nothing_comes_back_as_nothing),
        cmocka_unit_test(test_sk_write__strict_mode_writes_a_name_once),
        cmocka_unit_test(test_sk_write__strict_mode_reports_each_loss_at_its_location),
        cmocka_unit_test(test_sk_write__strict_mode_gives_foreign_parts_back_as_they_stood),
        cmocka_unit_test(test_sk_write__strict_mode_writes_the_defaults_of_dotnet),
        cmocka_unit_test(test_sk_write__deep_values_go_into_our_property_as_text),
        cmocka_unit_test(test_sk_write__reading_survives_every_failed_allocation),
        cmocka_unit_test(test_sk_write__writing_survives_every_failed_allocation),
        cmocka_unit_test(test_sk_write__a_failing_sink_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
