/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What default mode writes where .NET would refuse: one row for each row of the repair table in
 * docs/formats/semantic-kernel.md. Each is written, compared, reported, and read back as it was.
 */
#include "sk_test.h"

#define HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="
#define TEXT(text) "{\"$type\":\"TextContent\",\"Text\":\"" text "\"}"
#define USER(items) "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[" items "]}"

/* The strict text, which shows what a snapshot holds. */
static char *strict_text(const agentchat_snapshot *snapshot)
{
    agentchat_bytes bytes = sk_write(snapshot, true, NULL);
    char *text = strdup(bytes.ptr);

    assert_non_null(text);
    agentchat_bytes_clear(&bytes);
    return text;
}

/* Writes in default mode, compares by value with `expected` (NULL: not), wants `entries` entries of a kind at `path`,
   and reads it back as it was. */
static void repairs(const char *document, const char *expected, agentchat_report_kind kind, const char *path,
                    size_t entries)
{
    agentchat_snapshot *before = sk_read(document), *after;
    agentchat_report *report = NULL;
    agentchat_bytes bytes = sk_write(before, false, &report);
    char *left, *right;

    if (expected != NULL)
        sk_assert_equal(bytes, expected);
    if (sk_entries(report, kind, path) != entries)
        sk_print_report(report);
    assert_int_equal(sk_entries(report, kind, path), entries);
    after = sk_read_view((agentchat_str){bytes.ptr, bytes.len});
    left = strict_text(before);
    right = strict_text(after);
    assert_string_equal(left, right);
    assert_int_equal(before->history.count, after->history.count);
    for (size_t i = 0; i < before->history.count; i++)
        assert_true(
            aci_message_equal(agentchat_messages_at(&before->history, i), agentchat_messages_at(&after->history, i)));
    free(left);
    free(right);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(before);
    agentchat_snapshot_unref(after);
}

/* The same of a part of a document, which has an @ in its position. path NULL: nothing to report. */
static void repairs_in(const char *around, const char *part, const char *written, const char *path)
{
    const char *at = strchr(around, '@');
    char document[1000], expected[1000];

    snprintf(document, sizeof document, "%.*s%s%s", (int)(at - around), around, part, at + 1);
    snprintf(expected, sizeof expected, "%.*s%s%s", (int)(at - around), around, written, at + 1);
    repairs(document, expected, AGENTCHAT_REPORT_REPAIR, path, path != NULL ? 1 : 0);
}

/* ---- items ---------------------------------------------------------------------------------------------------- */

static void test_sk_repair__items(void **state)
{
    static const struct {
        const char *item, *written, *path; /* path NULL: nothing to report */
    } rows[] = {
        /* unknown $type, $type in another case, no $type, not an object */
        {"{\"$type\":\"Hologram\",\"Text\":\"hi\"}",
         "{\"$type\":\"TextContent\",\"Text\":\"hi\",\"agentchat\":{\"opaque\":{\"from\":\"semantic-kernel\","
         "\"kind\":\"Hologram\",\"raw\":{\"$type\":\"Hologram\",\"Text\":\"hi\"}}}}",
         "/history/0/items/0"},
        {"{\"$type\":\"textcontent\",\"Depth\":1}",
         "{\"$type\":\"TextContent\",\"Text\":\"[textcontent]\",\"agentchat\":{\"opaque\":{\"from\":"
         "\"semantic-kernel\",\"kind\":\"textcontent\",\"raw\":{\"$type\":\"textcontent\",\"Depth\":1}}}}",
         "/history/0/items/0"},
        {"{\"Odd\":1}",
         "{\"$type\":\"TextContent\",\"Text\":\"[unknown]\",\"agentchat\":{\"opaque\":{\"from\":\"semantic-kernel\","
         "\"raw\":{\"Odd\":1}}}}",
         "/history/0/items/0"},
        {"7",
         "{\"$type\":\"TextContent\",\"Text\":\"[unknown]\",\"agentchat\":{\"opaque\":{\"from\":\"semantic-kernel\","
         "\"raw\":7}}}",
         "/history/0/items/0"},
        {"{\"$type\":\"TextContent\",\"Text\":\"[unknown]\",\"X\":1,\"agentchat\":{\"opaque\":{\"raw\":2}}}",
         "{\"$type\":\"TextContent\",\"Text\":\"[unknown]\",\"X\":1,\"agentchat\":{\"opaque\":{\"raw\":2}}}",
         "/history/0/items/0"},
        /* $type is not the first property: nothing is wrong with it once it is written */
        {"{\"Text\":\"hi\",\"$type\":\"TextContent\"}", TEXT("hi"), NULL},
        /* a second property that begins with $ */
        {"{\"$type\":\"TextContent\",\"Text\":\"hi\",\"$x\":1,\"y\":2}",
         "{\"$type\":\"TextContent\",\"Text\":\"hi\",\"y\":2,\"agentchat\":{\"extras\":[{\"at\":0,\"from\":"
         "\"semantic-kernel\",\"name\":\"$x\",\"value\":1}]}}",
         "/history/0/items/0/extras/0"},
        /* a property of the wrong type */
        {"{\"$type\":\"TextContent\",\"Text\":3}",
         "{\"$type\":\"TextContent\",\"Text\":null,\"agentchat\":{\"absent\":[\"text\"],\"extras\":[{\"from\":"
         "\"semantic-kernel\",\"name\":\"Text\",\"value\":3}]}}",
         "/history/0/items/0/extras/0"},
        {"{\"$type\":\"TextContent\",\"Text\":\"x\",\"ModelId\":3}",
         "{\"$type\":\"TextContent\",\"Text\":\"x\",\"agentchat\":{\"extras\":[{\"from\":\"semantic-kernel\","
         "\"name\":\"ModelId\",\"value\":3}]}}",
         "/history/0/items/0/extras/0"},
        /* lone surrogates: in a text, inside an open-ended value, in the name of an unknown property */
        {"{\"$type\":\"TextContent\",\"Text\":\"x\\ud83dy\"}",
         "{\"$type\":\"TextContent\",\"Text\":\"x\\uFFFDy\",\"agentchat\":{\"text\":\"x\\uD83Dy\"}}",
         "/history/0/items/0/text"},
        {"{\"$type\":\"FunctionResultContent\",\"Result\":{\"\\udc00\":[\"\\ud83d\"]}}",
         "{\"$type\":\"FunctionResultContent\",\"Result\":{\"\\uFFFD\":[\"\\uFFFD\"]},\"agentchat\":{\"result\":"
         "{\"\\udc00\":[\"\\ud83d\"]}}}",
         "/history/0/items/0/result"},
        {"{\"$type\":\"TextContent\",\"Text\":\"x\",\"a\\ud83d\":1}",
         "{\"$type\":\"TextContent\",\"Text\":\"x\",\"agentchat\":{\"extras\":[{\"from\":\"semantic-kernel\",\"name\":"
         "\"a\\uD83D\",\"value\":1}]}}",
         "/history/0/items/0/extras/0"},
        /* function calls */
        {"{\"$type\":\"FunctionCallContent\"}",
         "{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"\",\"agentchat\":{\"absent\":[\"function\"]}}",
         "/history/0/items/0/function"},
        {"{\"$type\":\"FunctionCallContent\",\"FunctionName\":null}",
         "{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"\",\"agentchat\":{\"function\":null}}",
         "/history/0/items/0/function"},
        {"{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"\",\"Arguments\":[1]}",
         "{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"\",\"agentchat\":{\"arguments\":[1]}}",
         "/history/0/items/0/arguments"},
        {"{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"Arguments\":\"{}\"}",
         "{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"agentchat\":{\"arguments\":\"{}\"}}",
         "/history/0/items/0/arguments"},
        {"{\"$type\":\"TextContent\",\"Text\":\"x\",\"Metadata\":[1]}",
         "{\"$type\":\"TextContent\",\"Text\":\"x\",\"agentchat\":{\"metadata\":[1]}}", "/history/0/items/0/metadata"},
        {"{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"Exception\":\"boom\"}",
         "{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"agentchat\":{\"exception\":\"boom\"}}",
         "/history/0/items/0/exception"},
        {"{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"Exception\":{\"HResult\":1.5}}",
         "{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"agentchat\":{\"exception\":{\"HResult\":1.5}}}",
         "/history/0/items/0/exception"},
        {"{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"Exception\":{\"HResult\":-5,\"Source\":null}}",
         "{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"Exception\":{\"HResult\":-5,\"Source\":null}}",
         NULL},
        /* texts that must not be empty or whitespace-only */
        {"{\"$type\":\"ActionContent\",\"Text\":\" \\u00a0\"}",
         "{\"$type\":\"ActionContent\",\"Text\":\"(none)\",\"agentchat\":{\"text\":\" \\u00a0\"}}",
         "/history/0/items/0/text"},
        {"{\"$type\":\"ActionContent\"}",
         "{\"$type\":\"ActionContent\",\"Text\":\"(none)\",\"agentchat\":{\"absent\":[\"text\"]}}",
         "/history/0/items/0/text"},
        {"{\"$type\":\"FileReferenceContent\",\"FileId\":null}",
         "{\"$type\":\"FileReferenceContent\",\"FileId\":\"(none)\",\"agentchat\":{\"file\":null}}",
         "/history/0/items/0/file"},
        {"{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\"k\"},\"Label\":\"\",\"ReferenceId\":\"r\"}",
         "{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\"k\"},\"Label\":\"(none)\",\"ReferenceId\":\"r\","
         "\"agentchat\":{\"label\":\"\"}}",
         "/history/0/items/0/label"},
        {"{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\"k\"},\"Label\":\"l\"}",
         "{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\"k\"},\"Label\":\"l\",\"ReferenceId\":\"(none)\","
         "\"agentchat\":{\"absent\":[\"reference\"]}}",
         "/history/0/items/0/reference"},
        {"{\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\" \"},\"Label\":\"l\",\"ReferenceId\":\"r\"}",
         "{\"$type\":\"AnnotationContent\",\"Label\":\"l\",\"ReferenceId\":\"r\",\"agentchat\":{\"kind\":\" \"}}",
         "/history/0/items/0/kind"},
        {"{\"$type\":\"AnnotationContent\",\"Label\":\"l\",\"ReferenceId\":\"r\"}",
         "{\"$type\":\"AnnotationContent\",\"Label\":\"l\",\"ReferenceId\":\"r\"}", NULL},
        /* numbers and lists of the wrong kind */
        {"{\"$type\":\"AnnotationContent\",\"Label\":\"l\",\"ReferenceId\":\"r\",\"StartIndex\":2.0}",
         "{\"$type\":\"AnnotationContent\",\"Label\":\"l\",\"ReferenceId\":\"r\",\"agentchat\":{\"start\":2.0}}",
         "/history/0/items/0/start"},
        {"{\"$type\":\"AnnotationContent\",\"Label\":\"l\",\"ReferenceId\":\"r\",\"EndIndex\":2147483648}",
         "{\"$type\":\"AnnotationContent\",\"Label\":\"l\",\"ReferenceId\":\"r\",\"agentchat\":{\"end\":2147483648}}",
         "/history/0/items/0/end"},
        {"{\"$type\":\"FileReferenceContent\",\"FileId\":\"f\",\"Tools\":[\"a\",{}]}",
         "{\"$type\":\"FileReferenceContent\",\"FileId\":\"f\",\"agentchat\":{\"tools\":[\"a\",{}]}}",
         "/history/0/items/0/tools"},
        /* URIs */
        {"{\"$type\":\"ImageContent\",\"Uri\":\"not a uri\"}",
         "{\"$type\":\"ImageContent\",\"agentchat\":{\"uri\":\"not a uri\"}}", "/history/0/items/0/uri"},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"https://\"}",
         "{\"$type\":\"ImageContent\",\"agentchat\":{\"uri\":\"https://\"}}", "/history/0/items/0/uri"},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"http://e.com:99999/\"}",
         "{\"$type\":\"ImageContent\",\"agentchat\":{\"uri\":\"http://e.com:99999/\"}}", "/history/0/items/0/uri"},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"https://u@[::1]:8/a b\"}",
         "{\"$type\":\"ImageContent\",\"Uri\":\"https://u@[::1]:8/a b\"}", NULL},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"file:///x\"}", "{\"$type\":\"ImageContent\",\"Uri\":\"file:///x\"}",
         NULL},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"urn:a:b\"}", "{\"$type\":\"ImageContent\",\"Uri\":\"urn:a:b\"}", NULL},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"data:broken\"}",
         "{\"$type\":\"ImageContent\",\"agentchat\":{\"uri\":\"data:broken\"}}", "/history/0/items/0/uri"},
        {"{\"$type\":\"ImageContent\",\"Uri\":\"data:,a\",\"Data\":\"AA==\"}",
         "{\"$type\":\"ImageContent\",\"Data\":\"AA==\",\"agentchat\":{\"uri\":\"data:,a\"}}",
         "/history/0/items/0/uri"},
        /* what is fine stays */
        {"{\"$type\":\"FileReferenceContent\",\"FileId\":\"f\",\"Tools\":null,\"X\":{\"$y\":1}}",
         "{\"$type\":\"FileReferenceContent\",\"FileId\":\"f\",\"Tools\":null,\"X\":{\"$y\":1}}", NULL},
        {"{\"$type\":\"ReasoningContent\"}",
         "{\"$type\":\"ReasoningContent\",\"Text\":null,\"agentchat\":{\"absent\":[\"text\"]}}", NULL},
        /* inside a message that is an item */
        {"{\"$type\":\"ChatMessageContent\",\"Items\":[{\"$type\":\"ActionContent\",\"Text\":\"\"}],\"$z\":0}",
         "{\"$type\":\"ChatMessageContent\",\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"ActionContent\","
         "\"Text\":\"(none)\",\"agentchat\":{\"text\":\"\"}}],\"agentchat\":{\"absent\":[\"role\"],\"extras\":[{"
         "\"from\":\"semantic-kernel\",\"name\":\"$z\",\"value\":0}]}}",
         "/history/0/items/0/message/role"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        repairs_in(SK_ITEM("@"), rows[i].item, rows[i].written, rows[i].path);
}

static void test_sk_repair__arguments_that_differ_by_case_are_a_loss(void **state)
{
    (void)state;
    repairs(SK_ITEM("{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"Arguments\":{\"a\":1,\"A\":2}}"), NULL,
            AGENTCHAT_REPORT_LOSS, "/history/0/items/0/arguments", 1);
    repairs(
        SK_ITEM("{\"$type\":\"FunctionCallContent\",\"FunctionName\":\"f\",\"Arguments\":{\"a\":{\"A\":1},\"b\":2}}"),
        NULL, AGENTCHAT_REPORT_LOSS, NULL, 0);
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

static void test_sk_repair__messages(void **state)
{
    static const struct {
        const char *message, *written, *path;
    } rows[] = {
        {"{\"Items\":[]}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"absent\":[\"role\"]}}",
         "/history/0/role"},
        {"{\"Role\":{\"Label\":null},\"Items\":[]}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"role\":null}}",
         "/history/0/role"},
        {"{\"Role\":{\"Label\":\"\"},\"Items\":[]}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"role\":\"\"}}",
         "/history/0/role"},
        {"{\"Role\":[1],\"Items\":[]}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"absent\":[\"role\"],"
         "\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Role\",\"value\":[1]}]}}",
         "/history/0/role"},
        {"{\"Role\":\"user\",\"Items\":[]}", "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[]}", NULL},
        {"{\"AuthorName\":\"\\t\",\"Role\":{\"Label\":\"user\"},\"Items\":[]}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"name\":\"\\t\"}}",
         "/history/0/name"},
        {"{\"Role\":{\"Label\":\"user\"}}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"absent\":[\"items\"]}}",
         NULL},
        {"{\"Role\":{\"Label\":\"user\"},\"Items\":null}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"items\":null}}", NULL},
        {"{\"Role\":{\"Label\":\"user\"},\"Items\":[null," TEXT("a") ",null]}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[" TEXT(
             "a") "],\"agentchat\":{\"nulls\":[0,2]}}",
         "/history/0/items/0"},
        {"{\"Role\":{\"Label\":\"user\"},\"Items\":5}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"absent\":[\"items\"],"
         "\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Items\",\"value\":5}]}}",
         "/history/0/extras/0"},
        {"{\"Role\":{\"Label\":\"user\"},\"Items\":[],\"Metadata\":[]}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"metadata\":[]}}",
         "/history/0/metadata"},
        {"{\"Role\":{\"Label\":\"user\"},\"Items\":[],\"Metadata\":{\"a\":\"\\ud800\"}}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"Metadata\":{\"a\":\"\\uFFFD\"},"
         "\"agentchat\":{\"metadata\":{\"a\":\"\\ud800\"}}}",
         "/history/0/metadata"},
        {"{\"Role\":{\"Label\":\"user\",\"X\":1},\"Items\":[],\"agentchat\":7}",
         "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[],\"agentchat\":{\"extras\":[{\"from\":"
         "\"semantic-kernel\",\"name\":\"Role\",\"value\":{\"Label\":\"user\",\"X\":1}},{\"from\":\"semantic-kernel\","
         "\"name\":\"agentchat\",\"value\":7}]}}",
         "/history/0/extras/0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        repairs_in(SK_DOC("@"), rows[i].message, rows[i].written, rows[i].path);
}

static void test_sk_repair__null_messages(void **state)
{
    (void)state;
    repairs(SK_DOC("null," USER(TEXT("a")) ",null"),
            "{\"Participants\":[],\"History\":[" USER(TEXT("a")) "],\"Channels\":[],\"agentchat\":{\"nulls\":[0,2]}}",
            AGENTCHAT_REPORT_REPAIR, "/history/2", 1);
}

/* ---- envelope ------------------------------------------------------------------------------------------------- */

#define AGENT(name, type) "{\"Id\":\"i\",\"Name\":\"" name "\",\"Type\":\"Microsoft.SemanticKernel.Agents." type "\"}"
#define CHANNEL(key, type, state) "{\"ChannelKey\":\"" key "\",\"ChannelType\":\"" type "\",\"ChannelState\":" state "}"
#define SIDECAR_CHANNEL(key, type, state, sidecar)                                                                     \
    "{\"ChannelKey\":\"" key "\",\"ChannelType\":\"" type "\",\"ChannelState\":" state ",\"agentchat\":" sidecar "}"
#define DOC(participants, history, channels)                                                                           \
    "{\"Participants\":[" participants "],\"History\":[" history "],\"Channels\":[" channels "]}"
#define HISTORY_TYPE "Microsoft.SemanticKernel.Agents.ChatHistoryChannel"
#define CHAT_TYPE "Microsoft.SemanticKernel.Agents.AggregatorChannel"
#define GROUP_KEY "9hOXB1TWUj8A6pLqF+fndaYZCnCNRGd+sUAClZEUBrc="

static void test_sk_repair__a_silent_history_agent_gets_its_channel(void **state)
{
    (void)state;
    repairs(DOC(AGENT("W", "ChatCompletionAgent") "," AGENT("V", "ChatCompletionAgent"),
                USER(TEXT("a")) "," USER("{\"$type\":\"ReasoningContent\",\"Text\":\"r\"}") "," USER(TEXT("")), ""),
            DOC(AGENT("W", "ChatCompletionAgent") "," AGENT("V", "ChatCompletionAgent"),
                USER(TEXT("a")) "," USER("{\"$type\":\"ReasoningContent\",\"Text\":\"r\"}") "," USER(TEXT("")),
                SIDECAR_CHANNEL(HISTORY_KEY, HISTORY_TYPE, "[" USER(TEXT("a")) "]", "{\"added\":true}")),
            AGENTCHAT_REPORT_REPAIR, "/participants/0", 1);
}

static void test_sk_repair__a_silent_aggregator_gets_its_channel(void **state)
{
    (void)state;
    repairs(DOC(AGENT("Group", "AggregatorAgent"), USER(TEXT("a")), ""),
            DOC(AGENT("Group", "AggregatorAgent"), USER(TEXT("a")),
                SIDECAR_CHANNEL(GROUP_KEY, CHAT_TYPE,
                                DOC("", USER(TEXT("a")), CHANNEL(HISTORY_KEY, HISTORY_TYPE, "[" USER(TEXT("a")) "]")),
                                "{\"added\":true}")),
            AGENTCHAT_REPORT_REPAIR, "/participants/0", 1);
}

static void test_sk_repair__silent_agents_inside_an_aggregator(void **state)
{
    (void)state;
    repairs(DOC("", "", CHANNEL("k", CHAT_TYPE, DOC(AGENT("W", "ChatCompletionAgent"), USER(TEXT("a")), ""))),
            DOC("", "",
                CHANNEL("k", CHAT_TYPE,
                        DOC(AGENT("W", "ChatCompletionAgent"), USER(TEXT("a")),
                            SIDECAR_CHANNEL(HISTORY_KEY, HISTORY_TYPE, "[" USER(TEXT("a")) "]", "{\"added\":true}")))),
            AGENTCHAT_REPORT_REPAIR, "/channels/0/channelstate/participants/0", 1);
}

static void test_sk_repair__a_silent_agent_of_another_kind_is_a_loss(void **state)
{
    (void)state;
    repairs(DOC(AGENT("T", "ThreadAgent"), USER(TEXT("a")), ""), NULL, AGENTCHAT_REPORT_LOSS, "/participants/0", 1);
    repairs(DOC(AGENT("T", "ThreadAgent"), USER(TEXT("a")), CHANNEL("k", "ThreadChannel", "\"t1\"")), NULL,
            AGENTCHAT_REPORT_LOSS, NULL, 0);
}

static void test_sk_repair__channels_without_a_key_of_their_own(void **state)
{
    (void)state;
    repairs(DOC("", "", CHANNEL("k", "T", "\"a\"") ",{\"ChannelState\":\"c\"}," CHANNEL("k", "T", "\"b\"")),
            "{\"Participants\":[],\"History\":[],\"Channels\":[" CHANNEL(
                "k", "T",
                "\"a\"") "],\"agentchat\":{"
                         "\"channels\":[{\"at\":1,\"channel\":{\"ChannelState\":\"c\"}},{\"at\":2,\"channel\":" CHANNEL(
                             "k", "T", "\"b\"") "}]}}",
            AGENTCHAT_REPORT_REPAIR, "/channels/2", 1);
}

static void test_sk_repair__a_state_that_dotnet_cannot_read_is_made_anew(void **state)
{
    (void)state;
    repairs(DOC("", USER(TEXT("a")), CHANNEL(HISTORY_KEY, "T", "12")),
            DOC("", USER(TEXT("a")),
                SIDECAR_CHANNEL(HISTORY_KEY, "T", "[" USER(TEXT("a")) "]",
                                "{\"state\":{\"spelling\":\"raw\",\"text\":\"12\"}}")),
            AGENTCHAT_REPORT_REPAIR, "/channels/0", 1);
    repairs(DOC("", USER(TEXT("a")), "{\"ChannelKey\":\"" HISTORY_KEY "\"}"), NULL, AGENTCHAT_REPORT_REPAIR,
            "/channels/0", 1);
    repairs(DOC("", USER(TEXT("a")), CHANNEL(HISTORY_KEY, "T", "null")), NULL, AGENTCHAT_REPORT_REPAIR, "/channels/0",
            1);
    repairs(DOC("", USER(TEXT("a")), CHANNEL("k", CHAT_TYPE, "\"lost\"")), NULL, AGENTCHAT_REPORT_REPAIR, "/channels/0",
            1);
}

static void test_sk_repair__a_history_channel_that_lacks_messages_is_brought_up_to_date(void **state)
{
#define THREE USER(TEXT("a")) "," USER(TEXT("b")) "," USER(TEXT("c"))
    (void)state;
    repairs(DOC("", THREE, SIDECAR_CHANNEL(HISTORY_KEY, HISTORY_TYPE, "[" USER(TEXT("a")) "]", "{\"synced\":1}")),
            DOC("", THREE, SIDECAR_CHANNEL(HISTORY_KEY, HISTORY_TYPE, "[" THREE "]", "{\"synced\":1,\"appended\":2}")),
            AGENTCHAT_REPORT_REPAIR, "/channels/0", 1);
    repairs(
        DOC("", THREE,
            SIDECAR_CHANNEL(HISTORY_KEY, HISTORY_TYPE, "[" USER(TEXT("a")) "]", "{\"synced\":2,\"pending\":[1]}")),
        DOC("", THREE,
            SIDECAR_CHANNEL(HISTORY_KEY, HISTORY_TYPE, "[" THREE "]", "{\"synced\":2,\"pending\":[1],\"appended\":2}")),
        AGENTCHAT_REPORT_REPAIR, "/channels/0", 1);
    /* other states cannot be: .NET will never give those channels the rest */
    repairs(DOC("", THREE, SIDECAR_CHANNEL("k", "T", "\"t1\"", "{\"synced\":1}")), NULL, AGENTCHAT_REPORT_LOSS,
            "/channels/0/synced", 1);
    repairs(DOC("", THREE, SIDECAR_CHANNEL("k", "T", "\"t1\"", "{\"synced\":3,\"pending\":[2]}")), NULL,
            AGENTCHAT_REPORT_LOSS, "/channels/0/pending", 1);
    repairs(DOC("", THREE, SIDECAR_CHANNEL("k", "T", "\"t1\"", "{\"synced\":3}")), NULL, AGENTCHAT_REPORT_LOSS, NULL,
            0);
}

static void test_sk_repair__names_of_the_envelope(void **state)
{
    (void)state;
    repairs(
        DOC("{\"Id\":\"\\ud83d\",\"Name\":null,\"Type\":5}", "", CHANNEL("k", "\\udc00", "\"\\udc01\"")),
        "{\"Participants\":[{\"Id\":\"\\uFFFD\",\"Name\":null,\"agentchat\":{\"id\":\"\\uD83D\",\"extras\":[{\"from\":"
        "\"semantic-kernel\",\"name\":\"Type\",\"value\":5}]}}],\"History\":[],\"Channels\":[" SIDECAR_CHANNEL(
            "k", "\\uFFFD", "\"\\uFFFD\"",
            "{\"type\":\"\\uDC00\",\"state\":{\"spelling\":\"string\",\"text\":\"\\uDC01\"}}") "]}",
        AGENTCHAT_REPORT_REPAIR, "/participants/0/id", 1);
}

/* ---- depth ---------------------------------------------------------------------------------------------------- */

/* Deepest nesting of a document, strings not counted. */
static uint32_t depth_of(agentchat_bytes bytes)
{
    return aci_json_depth_of((agentchat_str){bytes.ptr, bytes.len});
}

static char *deep_message(size_t levels)
{
    char *text = calloc(1, 2 * levels + 200), *p = text;

    assert_non_null(text);
    p += sprintf(p, "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":"
                    "\"FunctionResultContent\",\"Result\":");
    memset(p, '[', levels);
    memset(p + levels, ']', levels);
    sprintf(p + 2 * levels, "}]}");
    return text;
}

static void check_depth(size_t levels, bool history_quoted, bool state_quoted, size_t losses)
{
    char *message = deep_message(levels), *document = malloc(2 * strlen(message) + 400);
    agentchat_snapshot *before, *after;
    agentchat_report *report = NULL;
    agentchat_bytes bytes;
    char *left, *right;

    assert_non_null(document);
    sprintf(document, DOC("", "%s", CHANNEL(HISTORY_KEY, HISTORY_TYPE, "[%s]")), message, message);
    before = sk_read(document);
    bytes = sk_write(before, false, &report);
    assert_int_equal(strstr(bytes.ptr, "\"History\": \"") != NULL, history_quoted);
    assert_int_equal(strstr(bytes.ptr, "\"ChannelState\": \"") != NULL, state_quoted);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_REPAIR, NULL), history_quoted + state_quoted);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, NULL), losses);
    if (losses == 0)
        assert_true(depth_of(bytes) <= 64);
    after = sk_read_view((agentchat_str){bytes.ptr, bytes.len});
    left = strict_text(before);
    right = strict_text(after);
    assert_string_equal(left, right);
    free(left);
    free(right);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(before);
    agentchat_snapshot_unref(after);
    free(document);
    free(message);
}

static void test_sk_repair__what_is_too_deep_goes_into_a_string(void **state)
{
    (void)state;
    /* a result lies 5 levels below the root in History, 7 in a ChannelState, 4 in a document of its own */
    check_depth(57, false, false, 0);
    check_depth(58, false, true, 0);
    check_depth(59, false, true, 0);
    check_depth(60, true, true, 0);
    check_depth(61, false, false, 2);
}

static void test_sk_repair__deep_aggregators(void **state)
{
    char *inner = strdup(DOC("", USER(TEXT("a")), "")), *document;
    agentchat_snapshot *before, *after;
    agentchat_report *report = NULL;
    agentchat_bytes bytes;
    char *left, *right;

    (void)state;
    for (size_t i = 0; i < 25; i++) {
        document = malloc(strlen(inner) + 300);
        assert_non_null(document);
        sprintf(document, DOC("", "", CHANNEL("k", CHAT_TYPE, "%s")), inner);
        free(inner);
        inner = document;
    }
    before = sk_read(inner);
    bytes = sk_write(before, false, &report);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_LOSS, NULL), 0);
    assert_int_equal(sk_entries(report, AGENTCHAT_REPORT_REPAIR, NULL), 1);
    assert_true(depth_of(bytes) <= 64);
    after = sk_read_view((agentchat_str){bytes.ptr, bytes.len});
    left = strict_text(before);
    right = strict_text(after);
    assert_string_equal(left, right);
    free(left);
    free(right);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(before);
    agentchat_snapshot_unref(after);
    free(inner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_repair__items),
        cmocka_unit_test(test_sk_repair__arguments_that_differ_by_case_are_a_loss),
        cmocka_unit_test(test_sk_repair__messages),
        cmocka_unit_test(test_sk_repair__null_messages),
        cmocka_unit_test(test_sk_repair__a_silent_history_agent_gets_its_channel),
        cmocka_unit_test(test_sk_repair__a_silent_aggregator_gets_its_channel),
        cmocka_unit_test(test_sk_repair__silent_agents_inside_an_aggregator),
        cmocka_unit_test(test_sk_repair__a_silent_agent_of_another_kind_is_a_loss),
        cmocka_unit_test(test_sk_repair__channels_without_a_key_of_their_own),
        cmocka_unit_test(test_sk_repair__a_state_that_dotnet_cannot_read_is_made_anew),
        cmocka_unit_test(test_sk_repair__a_history_channel_that_lacks_messages_is_brought_up_to_date),
        cmocka_unit_test(test_sk_repair__names_of_the_envelope),
        cmocka_unit_test(test_sk_repair__what_is_too_deep_goes_into_a_string),
        cmocka_unit_test(test_sk_repair__deep_aggregators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
