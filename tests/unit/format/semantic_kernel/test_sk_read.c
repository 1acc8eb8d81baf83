/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the semantic-kernel format: letter case, order, older forms, strings, errors, limits. */
#include "sk_test.h"

/* Reads a document and compares its history, as .NET would spell it, by value. */
static void reads_as(const char *document, const char *history)
{
    agentchat_snapshot *snapshot = sk_read(document);
    agentchat_bytes bytes = sk_history_text(snapshot);

    sk_assert_equal(bytes, history);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
}

static void refuses(const char *document, agentchat_status status, const char *path, const char *message)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_fails(sk_try_read(agentchat_str_from(document), &snapshot, NULL, &err), &err, status, path, message);
    assert_null(snapshot);
}

#define USER(items) "{\"Role\":{\"Label\":\"user\"},\"Items\":[" items "]}"
#define TEXT(text) "{\"$type\":\"TextContent\",\"Text\":\"" text "\"}"
#define HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="

/* ---- names ---------------------------------------------------------------------------------------------------- */

static void test_sk_read__names_of_the_decision_record(void **state)
{
    agentchat_snapshot *snapshot = sk_read("{\"history\":[{\"role\":\"user\",\"name\":\"Ana\",\"items\":[" TEXT(
        "hi") "]}],"
              "\"participants\":[{\"id\":\"p\",\"name\":\"W\",\"type\":\"T\"}],"
              "\"channels\":[{\"channelkey\":\"k\",\"channelstate\":\"s\"}]}");

    (void)state;
    assert_str(agentchat_message_role(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0)), "user");
    assert_str(agentchat_message_name(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0)), "Ana");
    assert_str(agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0)), "hi");
    assert_str(agentchat_participant_name(agentchat_snapshot_participant(snapshot, 0)), "W");
    assert_str(agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, 0)), "k");
    assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 0)), "s");
    assert_int_equal(agentchat_channel_state_synced(agentchat_snapshot_channel(snapshot, 0)), AGENTCHAT_SYNCED_UNKNOWN);
    assert_string_equal(agentchat_snapshot_format(snapshot), "semantic-kernel");
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__the_exact_spelling_wins_in_either_order(void **state)
{
    static const char *const items[] = {"{\"$type\":\"TextContent\",\"text\":\"other\",\"Text\":\"exact\"}",
                                        "{\"$type\":\"TextContent\",\"Text\":\"exact\",\"text\":\"other\"}"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char document[400];
        agentchat_snapshot *snapshot;
        const agentchat_item *item;

        snprintf(document, sizeof document, SK_ITEM("%s"), items[i]);
        snapshot = sk_read(document);
        item = agentchat_message_item(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0), 0);
        assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_TEXT), "exact");
        assert_int_equal(agentchat_item_extra_count(item), 1);
        assert_str(agentchat_item_extra(item, 0)->name, "text");
        assert_str(agentchat_item_extra(item, 0)->value, "\"other\"");
        agentchat_snapshot_unref(snapshot);
    }
}

static void test_sk_read__the_last_duplicate_counts_and_is_noted(void **state)
{
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(sk_try_read(AGENTCHAT_STR("{\"History\":[null],\"History\":[" USER(TEXT("a")) "," USER(TEXT("b")) "]}"),
                        &snapshot, &report, &err),
            &err);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 2);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_NOTE, ""), 1);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__order_of_properties_does_not_matter(void **state)
{
    agentchat_snapshot *snapshot = sk_read("{\"Channels\":[{\"ChannelState\":[" USER(
        TEXT("hi")) "],\"ChannelType\":\"T\",\"ChannelKey\":"
                    "\"" HISTORY_KEY "\"}],\"History\":[" USER(TEXT("hi")) "],\"Participants\":[]}");
    const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, 0);

    (void)state;
    assert_int_equal(agentchat_channel_state_kind(channel), AGENTCHAT_CHANNEL_MESSAGES);
    assert_ptr_equal(agentchat_messages_at(agentchat_channel_state_messages(channel), 0),
                     agentchat_messages_at(agentchat_snapshot_history(snapshot), 0));
    agentchat_snapshot_unref(snapshot);
    reads_as(SK_ITEM("{\"Metadata\":{\"a\":1},\"Text\":\"x\",\"$type\":\"TextContent\",\"X\":2}"),
             "[" USER("{\"$type\":\"TextContent\",\"Text\":\"x\",\"Metadata\":{\"a\":1},\"X\":2}") "]");
    reads_as(
        SK_ITEM("{\"Items\":[{\"Text\":\"in\",\"$type\":\"TextContent\"}],\"$type\":\"ChatMessageContent\","
                "\"Role\":{\"Label\":\"tool\"}}"),
        "[" USER("{\"$type\":\"ChatMessageContent\",\"Role\":{\"Label\":\"tool\"},\"Items\":[" TEXT("in") "]}") "]");
}

/* ---- absent, null, wrong -------------------------------------------------------------------------------------- */

static void test_sk_read__absent_null_and_empty_are_kept_apart(void **state)
{
    agentchat_snapshot *snapshot = sk_read(SK_DOC(
        "{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\"},"
        "{\"$type\":\"TextContent\",\"Text\":null},{\"$type\":\"TextContent\",\"Text\":\"\"},"
        "{\"$type\":\"FileReferenceContent\",\"FileId\":\"f\",\"Tools\":[],\"Metadata\":{}}],\"ModelId\":null}"));
    const agentchat_message *message = agentchat_messages_at(agentchat_snapshot_history(snapshot), 0);
    agentchat_str text;

    (void)state;
    assert_true(agentchat_str_is_null(agentchat_message_get(message, AGENTCHAT_FIELD_MODEL_ID)));
    assert_null(agentchat_message_get(message, AGENTCHAT_FIELD_NAME).ptr);
    assert_null(agentchat_item_get(agentchat_message_item(message, 0), AGENTCHAT_FIELD_TEXT).ptr);
    assert_true(agentchat_str_is_null(agentchat_item_get(agentchat_message_item(message, 1), AGENTCHAT_FIELD_TEXT)));
    text = agentchat_item_get(agentchat_message_item(message, 2), AGENTCHAT_FIELD_TEXT);
    assert_str(text, "");
    assert_str(agentchat_item_get(agentchat_message_item(message, 3), AGENTCHAT_FIELD_TOOLS), "[]");
    assert_str(agentchat_item_get(agentchat_message_item(message, 3), AGENTCHAT_FIELD_METADATA), "{}");
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__a_value_of_the_wrong_type_is_kept_beside(void **state)
{
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot;
    agentchat_error err;
    const agentchat_item *item;

    (void)state;
    test_ok(sk_try_read(AGENTCHAT_STR(SK_ITEM("{\"$type\":\"TextContent\",\"Text\":5,\"ModelId\":[1]}")), &snapshot,
                        &report, &err),
            &err);
    item = agentchat_message_item(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0), 0);
    assert_null(agentchat_item_get(item, AGENTCHAT_FIELD_TEXT).ptr);
    assert_int_equal(agentchat_item_extra_count(item), 2);
    assert_str(agentchat_item_extra(item, 0)->name, "Text");
    assert_str(agentchat_item_extra(item, 0)->value, "5");
    assert_str(agentchat_item_extra(item, 1)->value, "[1]");
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_NOTE, "/history/0/items/0"), 2);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__unknown_kinds_and_items_that_are_no_objects_are_opaque(void **state)
{
    agentchat_snapshot *snapshot =
        sk_read(SK_ITEM("{\"$type\":\"Hologram\",\"Depth\": 3},null,7,{},{\"Odd\":1},{\"$type\":4}"));
    const agentchat_message *message = agentchat_messages_at(agentchat_snapshot_history(snapshot), 0);

    (void)state;
    assert_int_equal(agentchat_message_item_count(message), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(agentchat_item_get_kind(agentchat_message_item(message, i)), AGENTCHAT_ITEM_OPAQUE);
    assert_str(agentchat_item_get(agentchat_message_item(message, 0), AGENTCHAT_FIELD_TYPE), "Hologram");
    assert_str(agentchat_item_get(agentchat_message_item(message, 0), AGENTCHAT_FIELD_RAW),
               "{\"$type\":\"Hologram\",\"Depth\": 3}");
    assert_str(agentchat_item_get(agentchat_message_item(message, 2), AGENTCHAT_FIELD_RAW), "7");
    agentchat_snapshot_unref(snapshot);
}

/* ---- older forms ---------------------------------------------------------------------------------------------- */

static void test_sk_read__older_forms(void **state)
{
    static const struct {
        const char *item, *expected;
    } items[] = {
        {"{\"Text\":\"old\"}", TEXT("old")},
        {"{\"Uri\":\"https://e.com/a\"}", "{\"$type\":\"ImageContent\",\"Uri\":\"https://e.com/a\"}"},
        {"{\"Data\":\"AA==\",\"MimeType\":\"audio/wav\"}",
         "{\"$type\":\"AudioContent\",\"MimeType\":\"audio/wav\",\"Data\":\"AA==\"}"},
        {"{\"Data\":\"AA==\",\"MimeType\":\"a/b\"}",
         "{\"$type\":\"BinaryContent\",\"MimeType\":\"a/b\",\"Data\":\"AA==\"}"},
        {"{\"$type\":\"BinaryContent\",\"Content\":\"AQID\"}", "{\"$type\":\"BinaryContent\",\"Data\":\"AQID\"}"},
        {"{\"$type\":\"BinaryContent\",\"Content\":\"AQID\",\"Data\":\"AA==\"}",
         "{\"$type\":\"BinaryContent\",\"Data\":\"AA==\",\"Content\":\"AQID\"}"},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"data:image/png;name=a b;charset=x;base64,AAEC\"}",
         "{\"$type\":\"ImageContent\",\"MimeType\":\"image/png\","
         "\"Metadata\":{\"data-uri-name\":\"a b\",\"data-uri-charset\":\"x\"},\"Data\":\"AAEC\"}"},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"data:,hi\",\"Metadata\":{\"k\":1}}",
         "{\"$type\":\"ImageContent\",\"MimeType\":\"text/plain\",\"Metadata\":{\"k\":1},\"Data\":\"aGk=\"}"},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"data:image/png;x=1;base64,AAEC\",\"Metadata\":{\"k\":1,"
         "\"data-uri-x\":0}}",
         "{\"$type\":\"ImageContent\",\"MimeType\":\"image/png\",\"Metadata\":{\"k\":1,\"data-uri-x\":\"1\"},"
         "\"Data\":\"AAEC\"}"},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"data:broken\"}",
         "{\"$type\":\"ImageContent\",\"Uri\":\"data:broken\"}"},
        {"{\"$type\":\"FunctionResultContent\",\"Id\":\"c\",\"Result\":1}",
         "{\"$type\":\"FunctionResultContent\",\"CallId\":\"c\",\"Result\":1}"},
        {"{\"$type\":\"FunctionResultContent\",\"Id\":\"c\",\"CallId\":\"d\"}",
         "{\"$type\":\"FunctionResultContent\",\"CallId\":\"d\",\"Id\":\"c\"}"},
        {"{\"$type\":\"AnnotationContent\",\"FileId\":\"f\",\"Quote\":\"\",\"StartIndex\":1,\"EndIndex\":2}",
         "{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\"filecitation\"},\"Label\":\"\",\"ReferenceId\":\"f\","
         "\"StartIndex\":1,\"EndIndex\":2}"},
        {"{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\"k\"},\"Label\":\"l\",\"ReferenceId\":\"r\","
         "\"Quote\":\"q\"}",
         "{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\"k\"},\"Label\":\"l\",\"ReferenceId\":\"r\","
         "\"Quote\":\"q\"}"},
        {"{\"$type\":\"ImageContent\",\"Data\":\"A A\\r\\n EC\"}", "{\"$type\":\"ImageContent\",\"Data\":\"AAEC\"}"},
        {"{\"$type\":\"ImageContent\",\"Data\":\"AB==\"}", "{\"$type\":\"ImageContent\",\"Data\":\"AA==\"}"},
        {"{\"$type\":\"ImageContent\",\"Data\":\"\\u0041AEC\"}", "{\"$type\":\"ImageContent\",\"Data\":\"AAEC\"}"},
        {"{\"$type\":\"ImageContent\",\"Data\":null}", "{\"$type\":\"ImageContent\"}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        char document[800], expected[800];

        snprintf(document, sizeof document, SK_ITEM("%s"), items[i].item);
        snprintf(expected, sizeof expected, "[" USER("%s") "]", items[i].expected);
        reads_as(document, expected);
    }
}

static void test_sk_read__content_of_the_oldest_messages(void **state)
{
    (void)state;
    reads_as(SK_DOC("{\"Role\":{\"Label\":\"user\"},\"Content\":\"old\",\"Items\":null,\"ModelId\":null}"),
             "[" USER(TEXT("old")) "]");
    reads_as(SK_DOC("{\"Role\":{\"Label\":\"user\"},\"Content\":\"old\",\"Items\":[{\"$type\":\"ImageContent\"}]}"),
             "[" USER(TEXT("old") ",{\"$type\":\"ImageContent\"}") "]");
    reads_as(SK_DOC("{\"Role\":{\"Label\":\"user\"},\"Content\":\"old\",\"Items\":[" TEXT("new") "]}"),
             "[{\"Role\":{\"Label\":\"user\"},\"Items\":[" TEXT("new") "],\"Content\":\"old\"}]");
}

static void test_sk_read__a_bare_array_is_a_history(void **state)
{
    agentchat_snapshot *snapshot = sk_read(
        "[{\"Role\":{\"Label\":\"user\"},\"Items\":[" TEXT("a\\u0062") "],\"ModelId\":\"m\",\"Metadata\":{\"k\":1}}]");
    agentchat_bytes bytes = sk_write(snapshot, true, NULL);

    (void)state;
    assert_str(agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0)), "ab");
    assert_string_equal(bytes.ptr, "[{\"Role\":{\"Label\":\"user\"},\"Items\":[" TEXT("ab") "],\"ModelId\":\"m\","
                                                                                            "\"Metadata\":{\"k\":1}}]");
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
}

/* ---- strings and states --------------------------------------------------------------------------------------- */

static void test_sk_read__history_and_states_inside_strings(void **state)
{
    agentchat_snapshot *snapshot =
        sk_read("{\"History\":\"[{\\\"Role\\\":{\\\"Label\\\":\\\"user\\\"},\\\"Items\\\":[]}]\","
                "\"Channels\":[{\"ChannelKey\":\"" HISTORY_KEY "\",\"ChannelType\":\"T\",\"ChannelState\":"
                "\"[{\\\"Role\\\":{\\\"Label\\\":\\\"user\\\"},\\\"Items\\\":[]}]\"},"
                "{\"ChannelKey\":\"k\",\"ChannelType\":\"Microsoft.SemanticKernel.Agents.AggregatorChannel\","
                "\"ChannelState\":\"{\\\"History\\\":[]}\"},"
                "{\"ChannelKey\":\"t\",\"ChannelType\":\"T\",\"ChannelState\":\"[1]\"},"
                "{\"ChannelKey\":\"u\",\"ChannelType\":\"T\",\"ChannelState\": [ 1 ] }]}");

    (void)state;
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 1);
    assert_str(agentchat_snapshot_form(snapshot), "{\"from\":\"semantic-kernel\",\"value\":\"quoted history\"}");
    assert_int_equal(snapshot->channels[0].kind, AGENTCHAT_CHANNEL_MESSAGES);
    assert_int_equal(snapshot->channels[0].spelling, ACI_SPELLED_STRING);
    assert_ptr_equal(agentchat_messages_at(&snapshot->channels[0].messages, 0),
                     agentchat_messages_at(agentchat_snapshot_history(snapshot), 0));
    assert_int_equal(snapshot->channels[1].kind, AGENTCHAT_CHANNEL_CHAT);
    assert_int_equal(snapshot->channels[2].kind, AGENTCHAT_CHANNEL_TEXT);
    assert_int_equal(snapshot->channels[2].spelling, ACI_SPELLED_STRING);
    assert_str(snapshot->channels[2].data, "[1]");
    assert_int_equal(snapshot->channels[3].spelling, ACI_SPELLED_RAW);
    assert_str(snapshot->channels[3].data, "[ 1 ]");
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__a_state_that_does_not_parse_stays_text(void **state)
{
    static const char *const states[] = {"[{\"Items\":5},1]", "{\"a\":1}", "12",
                                         "[{\"Role\":\"u\",\"Items\":[{\"$type\":\"ImageContent\",\"Data\":\"@\"}]}]"};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char document[400];
        agentchat_report *report = NULL;
        agentchat_snapshot *snapshot;
        agentchat_error err;

        snprintf(document, sizeof document,
                 "{\"History\":[null],\"Channels\":[{\"ChannelKey\":\"" HISTORY_KEY "\",\"ChannelType\":\"T\","
                 "\"ChannelState\":%s}]}",
                 states[i]);
        test_ok(sk_try_read(agentchat_str_from(document), &snapshot, &report, &err), &err);
        assert_int_equal(snapshot->channels[0].kind, AGENTCHAT_CHANNEL_TEXT);
        assert_int_equal(snapshot->channels[0].data.len, strlen(states[i]));
        assert_memory_equal(snapshot->channels[0].data.ptr, states[i], strlen(states[i]));
        assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_NOTE, NULL), 2); /* the null message, and this */
        assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_NOTE, "/channels/0"), 1);
        agentchat_report_free(report);
        agentchat_snapshot_unref(snapshot);
    }
}

static void test_sk_read__nested_chats_share_the_outer_messages(void **state)
{
    agentchat_snapshot *snapshot = sk_read("{\"Participants\":[],\"History\":[" USER(TEXT("a")) "," USER(
        TEXT("b")) "],\"Channels\":[{"
                   "\"ChannelKey\":\"k\",\"ChannelType\":\"Microsoft.SemanticKernel.Agents.AggregatorChannel\","
                   "\"ChannelState\":{\"Participants\":[],\"History\":[" USER(TEXT("b")) "," USER(
                       TEXT("c")) "],"
                                  "\"Channels\":[{\"ChannelKey\":\"" HISTORY_KEY
                                  "\",\"ChannelType\":\"T\",\"ChannelState\":[" USER(TEXT("c")) "]}]}}]}");
    const agentchat_snapshot *inner = agentchat_channel_state_chat(agentchat_snapshot_channel(snapshot, 0));

    (void)state;
    assert_non_null(inner);
    assert_ptr_equal(agentchat_messages_at(agentchat_snapshot_history(inner), 0),
                     agentchat_messages_at(agentchat_snapshot_history(snapshot), 1));
    assert_ptr_equal(agentchat_messages_at(&inner->channels[0].messages, 0),
                     agentchat_messages_at(agentchat_snapshot_history(inner), 1));
    agentchat_snapshot_unref(snapshot);
}

/* ---- the sidecar ---------------------------------------------------------------------------------------------- */

static void test_sk_read__a_foreign_agentchat_property_is_an_unknown_one(void **state)
{
    static const char *const documents[] = {
        "{\"History\":[],\"agentchat\":5}",
        "{\"History\":[],\"agentchat\":{\"turn\":\"x\"}}",
        "{\"History\":[],\"agentchat\":{\"nulls\":[2,1]}}",
        "{\"History\":[],\"agentchat\":{\"channels\":[5]}}",
        "{\"History\":[],\"agentchat\":{\"values\":[{\"name\":\"v\",\"base64\":\"AA==\"}]}}",
        "{\"History\":[],\"agentchat\":{\"values\":[{\"name\":\"v\",\"value\":1,\"new\":2}]}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        agentchat_snapshot *snapshot = sk_read(documents[i]);

        assert_non_null(snapshot->extras);
        assert_int_equal(snapshot->extras->count, 1);
        assert_str(snapshot->extras->list[0].name, "agentchat");
        assert_int_equal(agentchat_snapshot_next_turn(snapshot), 0);
        agentchat_snapshot_unref(snapshot);
    }
}

static void test_sk_read__what_a_newer_writer_put_there_is_a_loss(void **state)
{
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(sk_try_read(AGENTCHAT_STR("{\"History\":[],\"agentchat\":{\"turn\":2,\"future\":[1]}}"), &snapshot, &report,
                        &err),
            &err);
    assert_int_equal(agentchat_snapshot_next_turn(snapshot), 2);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, ""), 1);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__positions_beyond_the_history_are_not_believed(void **state)
{
    agentchat_snapshot *snapshot =
        sk_read("{\"History\":[null],\"Channels\":[{\"ChannelKey\":\"a\",\"ChannelState\":\"s\",\"agentchat\":"
                "{\"synced\":2}},{\"ChannelKey\":\"b\",\"ChannelState\":\"s\",\"agentchat\":{\"synced\":1,\"pending\":"
                "[1]}},{\"ChannelKey\":\"c\",\"ChannelState\":\"s\",\"agentchat\":{\"synced\":1,\"pending\":[0]}}]}");

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(snapshot->channels[i].synced, AGENTCHAT_SYNCED_UNKNOWN);
        assert_int_equal(snapshot->channels[i].pending_count, 0);
    }
    assert_int_equal(snapshot->channels[2].synced, 1);
    assert_int_equal(snapshot->channels[2].pending_count, 1);
    agentchat_snapshot_unref(snapshot);
}

/* ---- errors --------------------------------------------------------------------------------------------------- */

static void test_sk_read__refuses_what_is_no_chat(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    refuses("{}", AGENTCHAT_E_SCHEMA, "", "no Participants, History or Channels");
    refuses("{\"a\":1}", AGENTCHAT_E_SCHEMA, "", "no Participants, History or Channels");
    refuses("null", AGENTCHAT_E_SCHEMA, "", "neither");
    refuses("{\"History\":5}", AGENTCHAT_E_SCHEMA, "/History", "expected an array");
    refuses("{\"History\":\"nothing\"}", AGENTCHAT_E_SYNTAX, "/History", "expected a value");
    refuses("{\"History\":\"[] x\"}", AGENTCHAT_E_SYNTAX, "/History", "expected the end of the input");
    refuses("{\"Participants\":[1]}", AGENTCHAT_E_SCHEMA, "/Participants/0", "expected an object");
    refuses("{\"Channels\":[null]}", AGENTCHAT_E_SCHEMA, "/Channels/0", "expected an object");
    refuses("[1]", AGENTCHAT_E_SCHEMA, "/0", "expected an object");
    test_fails(sk_try_read(AGENTCHAT_STR("\n\n {\"History\":\n  [7]}"), &snapshot, NULL, &err), &err,
               AGENTCHAT_E_SCHEMA, "/History/0", "expected an object");
    assert_int_equal(err.offset, 18);
    assert_int_equal(err.line, 4);
    assert_int_equal(err.column, 4);
}

static void test_sk_read__turns_end_where_the_formats_end(void **state)
{
    agentchat_snapshot *snapshot;

    (void)state;
    snapshot = sk_read_view(AGENTCHAT_STR("{\"History\":[],\"agentchat\":{\"turn\":9007199254740991}}"));
    assert_int_equal(agentchat_snapshot_next_turn(snapshot), (UINT64_C(1) << 53) - 1);
    agentchat_snapshot_unref(snapshot);
    /* not what we write, so that it is taken for another program's */
    snapshot = sk_read_view(AGENTCHAT_STR("{\"History\":[],\"agentchat\":{\"turn\":9007199254740992}}"));
    assert_int_equal(agentchat_snapshot_next_turn(snapshot), 0);
    assert_non_null(snapshot->extras);
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__an_error_in_reordered_parts_names_its_location(void **state)
{
    static const char document[] = "{\"Channels\":[\n{\"ChannelKey\":\"k\"},\n 5],\"History\":[]}";
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_fails(sk_try_read(agentchat_str_from(document), &snapshot, NULL, &err), &err, AGENTCHAT_E_SCHEMA,
               "/Channels/1", "expected an object");
    assert_int_equal(err.offset, strchr(document, '5') - document);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 2);
}

static void test_sk_read__limits(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    options.limits = &limits;
    options.format = "semantic-kernel";
    limits.max_messages = 2;
    test_fails(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR("[null,null,null]"), &options, &snapshot, NULL, &err),
               &err, AGENTCHAT_E_LIMIT, NULL, "more than 2 messages");
    limits.max_messages = 0;
    limits.max_depth = 4;
    test_ok(
        agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR("[" USER(TEXT("a")) "]"), &options, &snapshot, NULL, &err),
        &err);
    agentchat_snapshot_unref(snapshot);
    limits.max_depth = 3;
    test_fails(
        agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR("[" USER(TEXT("a")) "]"), &options, &snapshot, NULL, &err),
        &err, AGENTCHAT_E_LIMIT, NULL, "nested deeper than 3 levels");
    limits.max_depth = 5; /* the string's own levels count on */
    test_fails(agentchat_snapshot_read_memory(NULL,
                                              AGENTCHAT_STR("{\"History\":\"[{\\\"Metadata\\\":{\\\"a\\\":[[1]]}}]\"}"),
                                              &options, &snapshot, NULL, &err),
               &err, AGENTCHAT_E_LIMIT, "/History/0/Metadata/a/0", "nested deeper than 5 levels");
}

static void test_sk_read__every_truncation_fails_cleanly(void **state)
{
    static const char document[] = "{\"Participants\":[{\"Id\":\"p\",\"Name\":null,\"X\":[1]}],\"History\":[" USER(TEXT(
        "a\\u00e9")) ",{\"role\":"
                     "\"user\",\"Content\":\"c\"},null," USER(
                         "{\"Text\":\"b\"}") "],\"Channels\":[{\"ChannelKey\":\"" HISTORY_KEY
                                             "\",\"ChannelType\":\"T\",\"ChannelState\":[" USER(TEXT(
                                                 "a\\u00e9")) "]},{\"ChannelKey\":\"k\",\"ChannelType\":"
                                                              "\"Microsoft.SemanticKernel.Agents.AggregatorChannel\","
                                                              "\"ChannelState\":\"{\\\"History\\\":[]}\"}],"
                                                              "\"agentchat\":{\"turn\":1}}";
    agentchat_snapshot *snapshot = sk_read(document);

    (void)state;
    agentchat_snapshot_unref(snapshot);
    for (size_t len = 0; len < sizeof document - 1; len++) {
        char *copy = malloc(len + 1); /* of its own, so that a sanitizer sees every byte beyond */
        agentchat_error err;

        assert_non_null(copy);
        memcpy(copy, document, len);
        test_fails(sk_try_read((agentchat_str){copy, len}, &snapshot, NULL, &err), &err, AGENTCHAT_E_SYNTAX, NULL,
                   NULL);
        assert_null(snapshot);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_read__names_of_the_decision_record),
        cmocka_unit_test(test_sk_read__the_exact_spelling_wins_in_either_order),
        cmocka_unit_test(test_sk_read__the_last_duplicate_counts_and_is_noted),
        cmocka_unit_test(test_sk_read__order_of_properties_does_not_matter),
        cmocka_unit_test(test_sk_read__absent_null_and_empty_are_kept_apart),
        cmocka_unit_test(test_sk_read__a_value_of_the_wrong_type_is_kept_beside),
        cmocka_unit_test(test_sk_read__unknown_kinds_and_items_that_are_no_objects_are_opaque),
        cmocka_unit_test(test_sk_read__older_forms),
        cmocka_unit_test(test_sk_read__content_of_the_oldest_messages),
        cmocka_unit_test(test_sk_read__a_bare_array_is_a_history),
        cmocka_unit_test(test_sk_read__history_and_states_inside_strings),
        cmocka_unit_test(test_sk_read__a_state_that_does_not_parse_stays_text),
        cmocka_unit_test(test_sk_read__nested_chats_share_the_outer_messages),
        cmocka_unit_test(test_sk_read__a_foreign_agentchat_property_is_an_unknown_one),
        cmocka_unit_test(test_sk_read__what_a_newer_writer_put_there_is_a_loss),
        cmocka_unit_test(test_sk_read__positions_beyond_the_history_are_not_believed),
        cmocka_unit_test(test_sk_read__refuses_what_is_no_chat),
        cmocka_unit_test(test_sk_read__turns_end_where_the_formats_end),
        cmocka_unit_test(test_sk_read__an_error_in_reordered_parts_names_its_location),
        cmocka_unit_test(test_sk_read__limits),
        cmocka_unit_test(test_sk_read__every_truncation_fails_cleanly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
