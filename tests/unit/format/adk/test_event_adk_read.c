/* SPDX-License-Identifier: Apache-2.0 */
/* Reading events of the ADKs, those of Google and ADK-Rust: what becomes of each thing, and what is said about it. */
#include "unit/format/event_test.h"

/* Reads text and asserts what it became in the native format and what the report says. */
static void assert_read(const char *text, const char *expected, const char *expected_entries)
{
    agentchat_report *report;
    agentchat_event *event;
    agentchat_error err;
    char *native, *entries;

    test_ok(agentchat_event_read(NULL, agentchat_str_from(text), "adk", &event, &report, &err), &err);
    native = text_of(event, "agentchat");
    entries = entries_of(report);
    if (strcmp(native, expected) != 0 || strcmp(entries, expected_entries) != 0)
        fail_msg("\n%s\nbecame   %s\nexpected %s\nreport\n%sexpected\n%s", text, native, expected, entries,
                 expected_entries);
    agentchat_event_unref(event);
    event = event_of(native, NULL); /* what we write we read, and detect as native */
    assert_text(event, "agentchat", native);
    free(native);
    free(entries);
    agentchat_report_free(report);
    agentchat_event_unref(event);
}

static void test_adk_read__fields(void **state)
{
    static const struct {
        const char *text, *native, *entries;
    } cases[] = {
        {"{}", "{\"author\":\"\"}", "note : the event names no author: its author is empty\n"},
        {"{\"author\":\"\",\"id\":\"\",\"invocationId\":\"\",\"branch\":\"\"}", "{\"author\":\"\"}",
         "note /branch: the empty branch was read as none\n"},
        {"{\"author\":\"a\",\"timestamp\":\"2026-01-02T03:04:05Z\",\"branch\":\"\"}",
         "{\"author\":\"a\",\"time\":\"2026-01-02T03:04:05Z\"}", ""},
        {"{\"author\":\"x\",\"author\":\"a\",\"branch\":\"b\",\"branch\":\"b\",\"a/b\":1,\"a\\/b\":2}",
         "{\"author\":\"a\",\"branch\":\"b\",\"extras\":[{\"from\":\"adk\",\"name\":\"a/b\",\"value\":2}]}",
         "loss /author: the property occurs twice in its object: one of them was taken\n"
         "note /branch: the property occurs twice in its object: one of them was taken\n"
         "loss /a~1b: the property occurs twice in its object: the last one was taken\n"},
        {"{\"author\":\"a\",\"id\":\"\\u0000\",\"invocation_id\":\"\\ud800\"}", "{\"author\":\"a\"}",
         "loss /id: the id was left out: the event id \"\\u0000\" has a NUL in it\n"
         "loss /invocation_id: the id was left out: the invocation id \"\\ud800\" has a surrogate in it, which is no "
         "character\n"},
        {"{\"author\":\"a\",\"timestamp\":1e300}", "{\"author\":\"a\"}",
         "loss /timestamp: the time was left out: it is not in the years 0 to 9999\n"},
        {"{\"author\":\"a\",\"timestamp\":\"1767323045.25\"}",
         "{\"author\":\"a\",\"time\":\"2026-01-02T03:04:05.25Z\"}", ""},
        {"{\"author\":\"a\",\"timestamp\":\" 1.5e3 \"}", "{\"author\":\"a\",\"time\":\"1970-01-01T00:25:00Z\"}", ""},
        {"{\"author\":\"a\",\"timestamp\":\"-Infinity\"}", "{\"author\":\"a\"}",
         "loss /timestamp: the time was left out: it is no number\n"},
        {"{\"author\":\"a\",\"timestamp\":true}", "{\"author\":\"a\",\"time\":\"1970-01-01T00:00:01Z\"}", ""},
        {"{\"author\":\"a\",\"partial\":1.0}", "{\"author\":\"a\",\"partial\":true}",
         "note /partial: the value was read as true\n"},
        {"{\"author\":\"a\",\"partial\":\"OFF\"}", "{\"author\":\"a\",\"partial\":false}",
         "note /partial: the value was read as false\n"},
        {"{\"author\":\"a\",\"id\":null,\"timestamp\":null,\"invocationId\":null,\"branch\":null,\"content\":null,"
         "\"partial\":null,\"longRunningToolIds\":null}",
         "{\"author\":\"a\"}", ""},
        {"{\"id\":\"1\",\"timestamp\":1734292270.899412,\"invocation_id\":\"i\",\"author\":\"a\",\"branch\":\"x.y\","
         "\"partial\":false,\"long_running_tool_ids\":[\"c\\u0031\"]}",
         "{\"id\":\"1\",\"invocation\":\"i\",\"author\":\"a\",\"time\":\"2024-12-15T19:51:10.899412Z\",\"branch\":"
         "\"x.y\",\"partial\":false,\"longrunning\":[\"c\\u0031\"]}",
         ""},
        {"{\"author\":\"\\u0061\",\"timestamp\":\"2026-01-02t03:04:05.1234567891+01:00\"}",
         "{\"author\":\"a\",\"time\":\"2026-01-02t03:04:05.1234567891+01:00\"}", ""},
        {"{\"author\":\"a\",\"timestamp\":1734292270899}", "{\"author\":\"a\",\"time\":\"2024-12-15T19:51:10.899Z\"}",
         "note /timestamp: the number was read as milliseconds\n"},
        {"{\"author\":\"a\",\"timestamp\":1.00000000001}",
         "{\"author\":\"a\",\"time\":\"1970-01-01T00:00:01.000000000Z\"}",
         "loss /timestamp: digits of the time beyond nanoseconds were left out\n"},
        {"{\"author\":\"a\",\"invocation_id\":\"snake\",\"invocationId\":\"camel\"}",
         "{\"invocation\":\"camel\",\"author\":\"a\"}",
         "loss /invocation_id: the property is there as \"invocationId\" too, which was taken\n"},
        {"{\"author\":\"a\",\"invocationId\":\"camel\",\"invocation_id\":\"snake\"}",
         "{\"invocation\":\"camel\",\"author\":\"a\"}",
         "loss /invocation_id: the property is there as \"invocationId\" too, which was taken\n"},
        {"{\"author\":\"a\",\"invocationId\":\"i\",\"invocation_id\":\"i\",\"finish_reason\":\"A\",\"finishReason\":"
         "\"A\"}",
         "{\"invocation\":\"i\",\"author\":\"a\",\"extras\":[{\"from\":\"adk\",\"name\":\"finishReason\",\"value\":"
         "\"A\"}]}",
         "note /invocation_id: the property is there as \"invocationId\" too, which was taken\n"
         "note /finish_reason: the property is there as \"finishReason\" too, which was taken\n"},
        {"{\"author\":\"a\",\"invocationId\":null,\"invocation_id\":\"i\",\"error_code\":1,\"errorCode\":null,"
         "\"error_message\":null,\"errorMessage\":2}",
         "{\"invocation\":\"i\",\"author\":\"a\",\"extras\":[{\"from\":\"adk\",\"name\":\"errorCode\",\"value\":1},"
         "{\"from\":\"adk\",\"name\":\"errorMessage\",\"value\":2}]}",
         "note /invocationId: the property is there as \"invocation_id\" too, which was taken\n"
         "note /errorCode: the property is there as \"error_code\" too, which was taken\n"
         "note /error_message: the property is there as \"errorMessage\" too, which was taken\n"},
        {"{\"author\":\"a\",\"turn_complete\":true,\"usage_metadata\":{\"prompt_token_count\": 1},\"error_code\":null,"
         "\"some_thing\":null,\"is_greeting\":false,\"options\":{\"a\": 1}}",
         "{\"author\":\"a\",\"extras\":[{\"from\":\"adk\","
         "\"name\":\"is_greeting\",\"value\":false},{\"from\":\"adk\",\"name\":\"options\",\"value\":{\"a\": 1}},"
         "{\"from\":\"adk\",\"name\":\"usageMetadata\",\"value\":{\"prompt_token_count\": 1}},{\"from\":\"adk\","
         "\"name\":\"turnComplete\",\"value\":true}]}",
         ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_read(cases[i].text, cases[i].native, cases[i].entries);
}

static void test_adk_read__actions(void **state)
{
    static const struct {
        const char *actions, *native, *entries;
    } cases[] = {
        {"{}", "", ""},
        {"null", "", "note /actions: null was read as an empty object\n"},
        {"{\"stateDelta\":null,\"artifact_delta\":null}", "",
         "note /actions/stateDelta: null was read as an empty object\n"
         "note /actions/artifact_delta: null was read as an empty object\n"},
        {"{\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{ },\"requestedToolConfirmations\":{}}", "",
         ""},
        {"{\"state_delta\":{\"b\":1.50,\"\\u0061\":null,\"app:x\":[1, 2],\"temp:t\":12345678901234567890123}}",
         ",\"actions\":{\"statedelta\":{\"b\":1.50,\"a\":null,\"app:x\":[1, 2],\"temp:t\":12345678901234567890123}}",
         ""},
        {"{\"stateDelta\":{\"camel\":1},\"state_delta\":{\"snake\":1}}", ",\"actions\":{\"statedelta\":{\"camel\":1}}",
         "loss /actions/state_delta: the property is there as \"stateDelta\" too, which was taken\n"},
        {"{\"artifactDelta\":{\"a\":1},\"transferToAgent\":\"b\",\"escalate\":true,\"skip_summarization\":false}",
         ",\"actions\":{\"artifacts\":{\"a\":1},\"transfer\":\"b\",\"escalate\":true,\"skipsummarization\":false}", ""},
        {"{\"transfer_to_agent\":null,\"escalate\":null,\"compaction\":null}", "", ""},
        {"{\"agent_state\":{\"temp:x\":1},\"tool_confirmation\":{\"a\":1},\"new\":1,\"requestedAuthConfigs\":{\"a\":1}"
         "}",
         ",\"actions\":{\"extras\":[{\"from\":\"adk\",\"name\":\"new\",\"value\":1},{\"from\":\"adk\",\"name\":"
         "\"requestedAuthConfigs\",\"value\":{\"a\":1}},{\"from\":\"adk\",\"name\":\"agentState\",\"value\":{\"temp:"
         "x\":1"
         "}},{\"from\":\"adk\",\"name\":\"toolConfirmation\",\"value\":{\"a\":1}}]}",
         ""},
        {"{\"compaction\":{\"startTimestamp\":1.5,\"endTimestamp\":2,\"compactedContent\":{\"role\":\"model\","
         "\"parts\":"
         "[{\"text\":\"sum\"}]}}}",
         ",\"actions\":{\"compaction\":{\"start\":\"1970-01-01T00:00:01.5Z\",\"end\":\"1970-01-01T00:00:02Z\","
         "\"content\":"
         "{\"role\":\"assistant\",\"items\":[{\"type\":\"text\",\"text\":\"sum\"}]}}}",
         ""},
        {"{\"compaction\":{\"start_timestamp\":\"2026-01-02T03:04:05Z\",\"end_timestamp\":\"2026-01-02T03:04:06Z\","
         "\"compacted_content\":{}}}",
         ",\"actions\":{\"compaction\":{\"start\":\"2026-01-02T03:04:05Z\",\"end\":\"2026-01-02T03:04:06Z\","
         "\"content\":"
         "{}}}",
         ""},
        {"{\"compaction\":{\"startTimestamp\":1}}",
         ",\"actions\":{\"extras\":[{\"from\":\"adk\",\"name\":\"compaction\",\"value\":{\"startTimestamp\":1}}]}",
         "note /actions/compaction: the compaction is kept as it stands\n"},
        {"{\"compaction\":{\"startTimestamp\":1,\"mo\\u0072e/\":[1, 2],\"endTimestamp\":2,\"compactedContent\":{},"
         "\"none\":null}}",
         ",\"actions\":{\"compaction\":{\"start\":\"1970-01-01T00:00:01Z\",\"end\":\"1970-01-01T00:00:02Z\","
         "\"content\":{},\"more/\":[1, 2]}}",
         ""},
        {"{\"compaction\":{\"startTimestamp\":1,\"endTimestamp\":2,\"compactedContent\":{},\"end\":7,\"x\":1}}",
         ",\"actions\":{\"compaction\":{\"start\":\"1970-01-01T00:00:01Z\",\"end\":\"1970-01-01T00:00:02Z\","
         "\"content\":{},\"x\":1}}",
         "loss /actions/compaction/end: the unknown property was left out: the name stands for something else here\n"},
        {"{\"compaction\":{\"startTimestamp\":1,\"endTimestamp\":[2],\"compactedContent\":{},\"more\":1}}",
         ",\"actions\":{\"extras\":[{\"from\":\"adk\",\"name\":\"compaction\",\"value\":{\"startTimestamp\":1,"
         "\"endTimestamp\":[2],\"compactedContent\":{},\"more\":1}}]}",
         "note /actions/compaction: the compaction is kept as it stands\n"},
        {"{\"compaction\":[1]}", ",\"actions\":{\"extras\":[{\"from\":\"adk\",\"name\":\"compaction\",\"value\":[1]}]}",
         "note /actions/compaction: the compaction is kept as it stands\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], native[1024];

        (void)snprintf(text, sizeof text, "{\"author\":\"a\",\"actions\":%s}", cases[i].actions);
        (void)snprintf(native, sizeof native, "{\"author\":\"a\"%s}", cases[i].native);
        assert_read(text, native, cases[i].entries);
    }
}

#define KEPT "note /content/parts/0: the part is kept as it stands: its \""
#define NUMBERS(pointer) "note /content/parts/0" pointer ": the numbers are written back as base64\n"
#define AGAIN(pointer)                                                                                                 \
    "note /content/parts/0" pointer ": base64 is written back in the URL-safe alphabet, padded, as adk-python writes " \
    "it\n"

static void test_adk_read__parts(void **state)
{
    static const struct {
        const char *part, *item, *entries; /* item NULL: the part as it stands */
    } cases[] = {
        /* text */
        {"{\"text\":\"x\"}", "{\"type\":\"text\",\"text\":\"x\"}", ""},
        {"{\"text\":\"\\ud800\\n\"}", "{\"type\":\"text\",\"text\":\"\\ud800\\n\"}", ""},
        {"{\"text\":\"\",\"thought\":null}", "{\"type\":\"text\",\"text\":\"\"}", ""},
        {"{\"text\":\"x\",\"thought\":false,\"thoughtSignature\":\"AA==\"}",
         "{\"type\":\"text\",\"text\":\"x\",\"extras\":[{\"from\":\"adk\",\"name\":\"thought\",\"value\":false},{"
         "\"from\":"
         "\"adk\",\"name\":\"thoughtSignature\",\"value\":\"AA==\"}]}",
         ""},
        {"{\"text\":\"x\",\"video_metadata\":{\"fps\":1},\"new\":null}",
         "{\"type\":\"text\",\"text\":\"x\",\"extras\":[{\"from\":"
         "\"adk\","
         "\"name\":\"videoMetadata\",\"value\":{\"fps\":1}}]}",
         ""},
        {"{\"text\":5}", "text", KEPT "text\" is not as expected\n"},
        {"{\"text\":\"x\",\"thought\":1}", "text", KEPT "text\" is not as expected\n"},
        /* reasoning */
        {"{\"text\":\"x\",\"thought\":true,\"thought_signature\":\"AA==\"}",
         "{\"type\":\"reasoning\",\"text\":\"x\",\"signature\":\"AA==\"}", ""},
        {"{\"thought\":true}", "{\"type\":\"reasoning\"}", ""},
        {"{\"thinking\":\"x\",\"signature\":\"s\"}", "{\"type\":\"reasoning\",\"text\":\"x\",\"signature\":\"s\"}", ""},
        {"{\"thinking\":\"x\"}", "{\"type\":\"reasoning\",\"text\":\"x\"}", ""},
        {"{\"thinking\":\"x\",\"signature\":1}", "thinking", KEPT "thinking\" is not as expected\n"},
        /* data */
        {"{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"AAEC\"}}",
         "{\"type\":\"image\",\"mimetype\":\"image/png\",\"data\":\"AAEC\"}", ""},
        {"{\"inline_data\":{\"mime_type\":\"audio/wav\",\"data\":\"-_8=\"}}",
         "{\"type\":\"audio\",\"mimetype\":\"audio/wav\",\"data\":\"+/8=\"}", ""},
        {"{\"inlineData\":{\"mimeType\":\"text/plain\",\"data\":\"+/8=\"}}",
         "{\"type\":\"binary\",\"mimetype\":\"text/plain\",\"data\":\"+/8=\"}", AGAIN("/inlineData")},
        {"{\"inlineData\":{\"data\":\"-_8\"}}", "{\"type\":\"binary\",\"data\":\"+/8=\"}", AGAIN("/inlineData")},
        {"{\"inlineData\":{\"data\":\"AA\"}}", "{\"type\":\"binary\",\"data\":\"AA==\"}", AGAIN("/inlineData")},
        {"{\"inlineData\":{\"data\":\"\"}}", "{\"type\":\"binary\",\"data\":\"\"}", ""},
        {"{\"inlineData\":{\"data\":\"AA\\u003d=\",\"display_name\":\"n\"}}",
         "{\"type\":\"binary\",\"data\":\"AA==\",\"extras\":[{\"from\":\"adk\",\"name\":\"inlineData\",\"value\":"
         "{\"displayName\":\"n\"}}]}",
         ""},
        {"{\"inlineData\":{\"data\":[0,127,128,255]}}", "{\"type\":\"binary\",\"data\":\"AH+A/w==\"}",
         NUMBERS("/inlineData")},
        {"{\"inlineData\":{\"data\":[]}}", "{\"type\":\"binary\",\"data\":\"\"}", NUMBERS("/inlineData")},
        {"{\"inlineData\":{\"data\":[256]}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"data\":[-1]}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"data\":[1.0]}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"data\":\"AB==\"}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"data\":\"A\"}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"data\":\"AA=\"}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"data\":\"====\"}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"data\":\"+_8=\"}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"data\":\"A A=\"}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"mimeType\":\"image/png\"}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":{\"mimeType\":1,\"data\":\"\"}}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"inlineData\":5}", "inlineData", KEPT "inlineData\" is not as expected\n"},
        {"{\"mime_type\":\"image/png\",\"data\":[0,1,2],\"uri\":\"u\"}",
         "{\"type\":\"image\",\"uri\":\"u\",\"mimetype\":\"image/png\",\"data\":\"AAEC\"}", NUMBERS("")},
        {"{\"mime_type\":\"image/png\",\"data\":7}", "data", KEPT "data\" is not as expected\n"},
        /* files */
        {"{\"fileData\":{\"fileUri\":\"gs://x\",\"mimeType\":\"audio/wav\",\"displayName\":\"n\"}}",
         "{\"type\":\"audio\",\"uri\":\"gs://x\",\"mimetype\":\"audio/wav\",\"extras\":[{\"from\":\"adk\",\"name\":"
         "\"fileData\",\"value\":{\"displayName\":\"n\"}}]}",
         ""},
        {"{\"file_uri\":\"gs://x\",\"mime_type\":\"a/b\",\"annotations\":[1]}",
         "{\"type\":\"binary\",\"uri\":\"gs://x\",\"mimetype\":\"a/b\",\"extras\":[{\"from\":\"adk\",\"name\":"
         "\"annotations\",\"value\":[1]}]}",
         ""},
        {"{\"fileData\":{\"mimeType\":\"a/b\"}}", "fileData", KEPT "fileData\" is not as expected\n"},
        /* calls */
        {"{\"functionCall\":{\"id\":\"1\",\"name\":\"f\",\"args\":{\"a\": 1}}}",
         "{\"type\":\"call\",\"id\":\"1\",\"function\":\"f\",\"arguments\":{\"a\": 1}}", ""},
        {"{\"function_call\":{\"name\":\"f\",\"id\":null,\"args\":null,\"will_continue\":true}}",
         "{\"type\":\"call\",\"function\":\"f\",\"extras\":[{\"from\":\"adk\",\"name\":\"functionCall\",\"value\":"
         "{\"willContinue\":true}}]}",
         ""},
        {"{\"functionCall\":{}}", "{\"type\":\"call\"}", ""},
        {"{\"functionCall\":{\"name\":\"f\",\"new\":1},\"thoughtSignature\":\"AA==\"}",
         "{\"type\":\"call\",\"function\":\"f\",\"extras\":[{\"from\":\"adk\",\"name\":\"functionCall\",\"value\":{"
         "\"new\":1"
         "}},{\"from\":\"adk\",\"name\":\"thoughtSignature\",\"value\":\"AA==\"}]}",
         ""},
        {"{\"functionCall\":{\"name\":1}}", "functionCall", KEPT "functionCall\" is not as expected\n"},
        {"{\"name\":\"f\",\"args\":[1],\"id\":\"1\",\"thought_signature\":\"s\"}",
         "{\"type\":\"call\",\"id\":\"1\",\"function\":\"f\",\"arguments\":[1],\"extras\":[{\"from\":\"adk\",\"name\":"
         "\"thoughtSignature\",\"value\":\"s\"}]}",
         ""},
        {"{\"name\":\"f\",\"args\":null}", "{\"type\":\"call\",\"function\":\"f\"}", ""},
        {"{\"name\":\"f\"}", "name", KEPT "name\" is not as expected\n"},
        /* results */
        {"{\"functionResponse\":{\"id\":\"1\",\"name\":\"f\",\"response\":{\"a\":1},\"scheduling\":\"SILENT\"}}",
         "{\"type\":\"result\",\"id\":\"1\",\"function\":\"f\",\"result\":{\"a\":1},\"extras\":[{\"from\":\"adk\","
         "\"name\":"
         "\"functionResponse\",\"value\":{\"scheduling\":\"SILENT\"}}]}",
         ""},
        {"{\"functionResponse\":{\"name\":\"f\",\"response\":5,\"inline_data\":[]},\"id\":\"9\"}",
         "{\"type\":\"result\",\"id\":\"9\",\"function\":\"f\",\"result\":5,\"extras\":[{\"from\":\"adk\",\"name\":"
         "\"functionResponse\",\"value\":{\"inlineData\":[]}}]}",
         ""},
        {"{\"function_response\":{\"id\":\"in\",\"name\":\"f\"},\"id\":\"out\"}",
         "{\"type\":\"result\",\"id\":\"in\",\"function\":\"f\"}",
         "loss /content/parts/0/id: the id was left out: the response has another one inside\n"},
        {"{\"function_response\":{\"id\":\"\\u0069n\",\"name\":\"f\"},\"id\":\"in\"}",
         "{\"type\":\"result\",\"id\":\"in\",\"function\":\"f\"}", ""},
        {"{\"functionResponse\":{\"id\":\"in\",\"name\":5},\"id\":\"out\"}", "functionResponse",
         KEPT "functionResponse\" is not as expected\n"},
        {"{\"functionResponse\":{\"id\":\"in\",\"name\":\"f\"},\"id\":5}", "functionResponse",
         KEPT "functionResponse\" is not as expected\n"},
        /* anything else */
        {"{\"executableCode\":{\"code\":\"1\"}}", "executableCode", ""},
        {"{\"server_tool_call\":{}}", "serverToolCall", ""},
        {"{\"resource\":{\"uri\":\"u\",\"text\":\"t\"}}", "resource", ""},
        {"{\"text\":\"x\",\"functionCall\":{\"name\":\"f\"}}", "text", ""},
        {"{\"thoughtSignature\":\"AA==\"}", "", ""},
        {"{\"new\":1}", "", ""},
        {"{}", "", ""},
        {"null", "", ""},
        {"[1]", "", ""},
        {"\"x\"", "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], native[2048], kind[64] = "";

        if (*cases[i].item != '{' && *cases[i].item != '\0')
            (void)snprintf(kind, sizeof kind, "\"kind\":\"%s\",", cases[i].item);
        (void)snprintf(text, sizeof text, "{\"author\":\"a\",\"content\":{\"role\":\"model\",\"parts\":[%s]}}",
                       cases[i].part);
        if (*cases[i].item == '{')
            (void)snprintf(native, sizeof native,
                           "{\"author\":\"a\",\"content\":{\"role\":\"assistant\",\"items\":[%s]}}", cases[i].item);
        else
            (void)snprintf(
                native, sizeof native,
                "{\"author\":\"a\",\"content\":{\"role\":\"assistant\",\"items\":[{\"type\":\"opaque\",\"from\":"
                "\"adk\",%s\"raw\":%s}]}}",
                kind, cases[i].part);
        assert_read(text, native, cases[i].entries);
    }
}

static void test_adk_read__content(void **state)
{
    static const struct {
        const char *content, *native, *entries;
    } cases[] = {
        {"{}", "{}", ""},
        {"{\"role\":null,\"parts\":null}", "{}", ""},
        {"{\"role\":\"user\",\"parts\":[]}", "{\"role\":\"user\",\"items\":[]}", ""},
        {"{\"role\":\"model\"}", "{\"role\":\"assistant\"}", ""},
        {"{\"role\":\"function\",\"new\":[1]}",
         "{\"role\":\"function\",\"extras\":[{\"from\":\"adk\",\"name\":\"new\",\"value\":[1]}]}", ""},
        {"{\"role\":\"assistant\"}", "{\"role\":\"assistant\"}",
         "note /content/role: the role \"assistant\" is written back as \"model\"\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], native[256];

        (void)snprintf(text, sizeof text, "{\"author\":\"a\",\"content\":%s}", cases[i].content);
        (void)snprintf(native, sizeof native, "{\"author\":\"a\",\"content\":%s}", cases[i].native);
        assert_read(text, native, cases[i].entries);
    }
}

/* The location of each error is marked by « in the text, which is taken out. */
static void test_adk_read__errors_have_locations(void **state)
{
    static const struct {
        const char *marked;
        agentchat_status status;
        const char *path, *message;
    } cases[] = {
        {"«", AGENTCHAT_E_SYNTAX, "", "end of the input"},
        {"«[]", AGENTCHAT_E_SCHEMA, "", "expected an object, found an array"},
        {"«null", AGENTCHAT_E_SCHEMA, "", "an object"},
        {"{\"author\":\"a\"}«,", AGENTCHAT_E_SYNTAX, "", "end of the input"},
        {"{\"author\":«NaN}", AGENTCHAT_E_SYNTAX, "/author", "a value"},
        {"{\"author\":«1}", AGENTCHAT_E_SCHEMA, "/author", "expected a string, found a number"},
        {"{\"timestamp\":«\"2024-12-15 11:52:21.958542\"}", AGENTCHAT_E_SCHEMA, "/timestamp", "is no time"},
        {"{\"partial\":«2}", AGENTCHAT_E_SCHEMA, "/partial", "true or false"},
        {"{\"longRunningToolIds\":«[null]}", AGENTCHAT_E_SCHEMA, "/longRunningToolIds", "array of strings"},
        {"{\"content\":«[]}", AGENTCHAT_E_SCHEMA, "/content", "an object"},
        {"{\"content\":{\"role\":«1}}", AGENTCHAT_E_SCHEMA, "/content/role", "a string"},
        {"{\"content\":{\"parts\":«{}}}", AGENTCHAT_E_SCHEMA, "/content/parts", "an array"},
        {"{\"actions\":«[]}", AGENTCHAT_E_SCHEMA, "/actions", "an object"},
        {"{\"actions\":{\"state_delta\":«[]}}", AGENTCHAT_E_SCHEMA, "/actions/state_delta", "an object"},
        {"{\"actions\":{\"artifactDelta\":«[]}}", AGENTCHAT_E_SCHEMA, "/actions/artifactDelta", "an object"},
        {"{\"actions\":{\"transferToAgent\":«{}}}", AGENTCHAT_E_SCHEMA, "/actions/transferToAgent", "a string"},
        {"{\"actions\":{\"escalate\":«\"none\"}}", AGENTCHAT_E_SCHEMA, "/actions/escalate", "true or false"},
        {"{\"actions\":{\"compaction\":{\"startTimestamp\":«\"x\",\"endTimestamp\":1,\"compactedContent\":{}}}}",
         AGENTCHAT_E_SCHEMA, "/actions/compaction/startTimestamp", "is no time"},
        {"{\"actions\":{\"compaction\":{\"startTimestamp\":1,\"endTimestamp\":1,\"compactedContent\":{\"parts\":«1}}}}",
         AGENTCHAT_E_SCHEMA, "/actions/compaction/compactedContent/parts", "an array"},
        {"{\n\"a\":1,\n\"auth\\u006fr\":«2}", AGENTCHAT_E_SCHEMA, "/author", "a string"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len, at;
        char *text = unmarked(cases[i].marked, &len, &at);
        agentchat_event *event = (agentchat_event *)(uintptr_t)1;
        agentchat_status status;
        agentchat_report *report;
        agentchat_error err;

        status = agentchat_event_read(NULL, (agentchat_str){text, len}, "adk", &event, &report, &err);
        assert_marked(cases[i].marked, status, &err, cases[i].status, at, cases[i].path, cases[i].message);
        assert_null(event);
        if (memchr(text, '\n', len) != NULL)
            assert_true(err.line == 3 && err.column == 15);
        agentchat_report_free(report);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adk_read__fields),
        cmocka_unit_test(test_adk_read__actions),
        cmocka_unit_test(test_adk_read__parts),
        cmocka_unit_test(test_adk_read__content),
        cmocka_unit_test(test_adk_read__errors_have_locations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
