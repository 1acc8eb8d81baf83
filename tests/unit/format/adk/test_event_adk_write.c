/* SPDX-License-Identifier: Apache-2.0 */
/* Writing events as adk-python writes them: what becomes of each thing, what is lost, and that the rest comes back. */
#include "unit/format/event_test.h"

#include "session/stored_event.h"
#include "json/value.h"

#define ACTIONS                                                                                                        \
    "\"actions\":{\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{" \
    "}}"
#define NO_TIME "note : the event has no time: adk-python takes that of reading it\n"

/* Writes an event in the native format and asserts what it became and what the report says, the missing time apart. */
static void assert_written(const char *native, const char *expected, const char *expected_entries)
{
    agentchat_event *event = event_of(native, "agentchat");
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_report *report;
    agentchat_error err;
    char *entries, *note;

    test_ok(agentchat_event_write(event, "adk", &out, &report, &err), &err);
    entries = entries_of(report);
    note = strstr(entries, NO_TIME);
    if (note != NULL)
        memmove(note, note + strlen(NO_TIME), strlen(note + strlen(NO_TIME)) + 1);
    if (strcmp(out.ptr, expected) != 0 || strcmp(entries, expected_entries) != 0)
        fail_msg("\n%s\nbecame   %s\nexpected %s\nreport\n%sexpected\n%s", native, out.ptr, expected, entries,
                 expected_entries);
    free(entries);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    agentchat_event_unref(event);
}

static void test_adk_write__fields(void **state)
{
    static const struct {
        const char *native, *adk, *entries;
    } cases[] = {
        {"{\"author\":\"\",\"branch\":\"\",\"actions\":{\"transfer\":\"\"}}", "{\"author\":\"\"," ACTIONS "}", ""},
        {"{\"id\":\"e\",\"invocation\":\"i\",\"author\":\"a\",\"time\":\"2026-01-02T03:04:05.678901Z\",\"branch\":"
         "\"b\","
         "\"partial\":true,\"longrunning\":[\"\\u0063\"]}",
         "{\"partial\":true,\"invocationId\":\"i\",\"author\":\"a\"," ACTIONS ",\"longRunningToolIds\":[\"\\u0063\"],"
         "\"branch\":\"b\",\"id\":\"e\",\"timestamp\":1767323045.678901}",
         ""},
        {"{\"author\":\"a\",\"time\":\"2026-01-02T04:04:05.1234567891+01:00\"}",
         "{\"author\":\"a\"," ACTIONS ",\"timestamp\":1767323045.123456789}",
         "loss /time: digits of the time beyond nanoseconds were left out\n"
         "loss /time: the time's offset from UTC was left out\n"},
        {"{\"author\":\"a\",\"time\":\"6000-01-01T00:00:00Z\"}",
         "{\"author\":\"a\"," ACTIONS ",\"timestamp\":127174492800}",
         "loss /time: the number is so high that readers take it for milliseconds\n"},
        {"{\"author\":\"a\",\"time\":\"0000-01-01T00:00:00.7+01:00\"}",
         "{\"author\":\"a\"," ACTIONS ",\"timestamp\":-62167219200}",
         "loss /time: the time is before the year 0 in UTC: the beginning of that year was written\n"
         "loss /time: the time's offset from UTC was left out\n"},
        {"{\"author\":\"a\",\"time\":\"0000-01-01T01:00:00.7+01:00\"}",
         "{\"author\":\"a\"," ACTIONS ",\"timestamp\":-62167219199.3}",
         "loss /time: the time's offset from UTC was left out\n"},
        {"{\"author\":\"a\",\"time\":\"2016-12-31T23:59:60.25Z\"}",
         "{\"author\":\"a\"," ACTIONS ",\"timestamp\":1483228800.25}",
         "loss /time: the leap second was written as the second that follows\n"},
        {"{\"author\":\"a\",\"time\":\"1969-12-31T23:59:59.5-00:00\"}",
         "{\"author\":\"a\"," ACTIONS ",\"timestamp\":-0.5}", ""},
        {"{\"author\":\"\\ud800a\",\"longrunning\":[\"\\udc00\"]}",
         "{\"author\":\"\xEF\xBF\xBD"
         "a\"," ACTIONS ",\"longRunningToolIds\":[\"\\uFFFD\"]}",
         "loss /author: lone surrogates were replaced by U+FFFD: adk-python refuses them\n"
         "loss /longrunning: lone surrogates were replaced by U+FFFD: adk-python refuses them\n"},
        {"{\"author\":\"a\",\"foo\":1,\"extras\":[{\"name\":\"host\",\"value\":1},{\"from\":\"semantic-kernel\","
         "\"name\":"
         "\"x\",\"value\":1},{\"from\":\"adk\",\"name\":\"author\",\"value\":1},{\"from\":\"adk\",\"name\":\"turn_"
         "complete\""
         ",\"value\":true},{\"from\":\"adk\",\"name\":\"turnComplete\",\"value\":false},{\"from\":\"adk\",\"name\":"
         "\"new\","
         "\"value\":{\"a\":\n null}},{\"from\":\"adk\",\"name\":\"\\ud800\",\"value\":1}]}",
         "{\"author\":\"a\"," ACTIONS ",\"turnComplete\":true,\"new\":{\"a\":null}}",
         "loss /foo: the unknown property was left out: it comes from no ADK\n"
         "loss /host: the unknown property was left out: it comes from no ADK\n"
         "loss /x: the unknown property was left out: it comes from no ADK\n"
         "loss /author: the property was left out: the name stands for something else there\n"
         "loss /turnComplete: the property was left out: there is another of its name\n"
         "loss /\xED\xA0\x80: the unknown property was left out: its name has a lone surrogate\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_written(cases[i].native, cases[i].adk, cases[i].entries);
}

#define LEFT_OUT                                                                                                       \
    "loss /actions/compaction: the compaction was left out: it needs times as \"start\" and \"end\" and a message as " \
    "\"content\"\n"

static void test_adk_write__actions(void **state)
{
    static const struct {
        const char *native, *adk, *entries;
    } cases[] = {
        {"\"statedelta\":{\"b\":1.50,\"a\":null,\"temp:t\":{\"x\":[1, 2]}}",
         "\"stateDelta\":{\"b\":1.50,\"a\":null,\"temp:t\":{\"x\":[1, 2]}},\"artifactDelta\":{},"
         "\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{}",
         ""},
        {"\"statedelta\":{\"s\":\"\\udfff\"},\"statedelete\":[\"a/b\"],\"stateadd\":{\"n\":3}",
         "\"stateDelta\":{\"s\":\"\\uFFFD\",\"a/b\":null},\"artifactDelta\":{},\"requestedAuthConfigs\":{},"
         "\"requestedToolConfirmations\":{}",
         "loss /actions/statedelta/s: lone surrogates were replaced by U+FFFD: adk-python refuses them\n"
         "repair /actions/statedelete/a~1b: that the key was deleted was written as null\n"
         "loss /actions/stateadd/n: the counter was left out: its sum is not known\n"},
        {"\"artifacts\":{\"a\":1,\"b\":-2,\"c\":1.5,\"d\":\"x\",\"e\":1.0,\"f\":\"2\"},\"transfer\":\"t\",\"escalate\":"
         "true,"
         "\"skipsummarization\":false",
         "\"skipSummarization\":false,\"stateDelta\":{},\"artifactDelta\":{\"a\":1,\"b\":-2,\"e\":1.0,\"f\":\"2\"},"
         "\"transferToAgent\":\"t\","
         "\"escalate\":true,\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{}",
         "loss /actions/artifacts/c: the artifact was left out: adk-python refuses it\n"
         "loss /actions/artifacts/d: the artifact was left out: adk-python refuses it\n"},
        {"\"extras\":[{\"from\":\"adk\",\"name\":\"requested_auth_configs\",\"value\":{\"a\":1}},{\"from\":\"adk\","
         "\"name\":"
         "\"requestedToolConfirmations\",\"value\":1},{\"from\":\"adk\",\"name\":\"end_of_agent\",\"value\":true},{"
         "\"from\":"
         "\"adk\",\"name\":\"toolConfirmation\",\"value\":1},{\"from\":\"adk\",\"name\":\"new\",\"value\":1},{\"from\":"
         "\"adk\",\"name\":\"compaction\",\"value\":[1]}],\"foo\":1",
         "\"stateDelta\":{},\"artifactDelta\":{},\"requestedToolConfirmations\":{},\"requestedAuthConfigs\":{\"a\":1},"
         "\"endOfAgent\":true",
         "loss /actions/requestedToolConfirmations: the property was left out: adk-python refuses it\n"
         "loss /actions/toolConfirmation: the property was left out: adk-python refuses it\n"
         "loss /actions/new: the unknown property was left out: adk-python refuses it\n"
         "loss /actions/compaction: the property was left out: the name stands for something else there\n"
         "loss /actions/foo: the unknown property was left out: it comes from no ADK\n"},
        {"\"compaction\":{\"end\":\"1970-01-01T00:00:02Z\",\"content\":{\"role\":\"assistant\",\"name\":\"n\","
         "\"items\":"
         "[{\"type\":\"text\",\"text\":\"s\"}]},\"start\":\"1970-01-01T01:00:01.5+01:00\"}",
         "\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{},"
         "\"compaction\":{\"startTimestamp\":1.5,\"endTimestamp\":2,\"compactedContent\":{\"role\":\"model\",\"parts\":"
         "[{\"text\":\"s\"}]}}",
         "loss /actions/compaction/start: the time's offset from UTC was left out\n"
         "loss /actions/compaction/content/name: a Content has no field for the property\n"},
        {"\"compaction\":{\"new/\":[1],\"start\":\"1970-01-01T00:00:01Z\",\"end\":\"1970-01-01T00:00:02Z\","
         "\"content\":{},\"\\u006eewer\":null}",
         "\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{},"
         "\"compaction\":{\"startTimestamp\":1,\"endTimestamp\":2,\"compactedContent\":{}}",
         "loss /actions/compaction/new~1: the property was left out: adk-python refuses it\n"
         "loss /actions/compaction/newer: the property was left out: adk-python refuses it\n"},
        {"\"compaction\":{\"start\":\"1970-01-01T00:00:02Z\"}",
         "\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{}",
         LEFT_OUT},
        {"\"compaction\":{\"start\":\"1970-01-01T00:00:02Z\",\"end\":\"x\",\"content\":{}}",
         "\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{}",
         LEFT_OUT},
        {"\"compaction\":{\"start\":\"1970-01-01T00:00:02Z\",\"end\":\"1970-01-01T00:00:02Z\",\"content\":{\"items\":[{"
         "}]}}",
         "\"stateDelta\":{},\"artifactDelta\":{},\"requestedAuthConfigs\":{},\"requestedToolConfirmations\":{}",
         LEFT_OUT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char native[1024], adk[1024];

        (void)snprintf(native, sizeof native, "{\"author\":\"a\",\"actions\":{%s}}", cases[i].native);
        (void)snprintf(adk, sizeof adk, "{\"author\":\"a\",\"actions\":{%s}}", cases[i].adk);
        assert_written(native, adk, cases[i].entries);
    }
}

static void test_adk_write__a_known_sum(void **state)
{
    agentchat_event *event;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_report *report;
    agentchat_error err;
    char *entries;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_stored_event_read(NULL, 1, AGENTCHAT_STR("{\"author\":\"a\",\"actions\":{\"stateadd\":{\"n\":3}}}"),
                                  AGENTCHAT_STR("{\"sums\":{\"n\":45}}"), &event, &err),
            &err);
    test_ok(agentchat_event_write(event, "adk", &out, &report, &err), &err);
    assert_non_null(strstr(out.ptr, "\"stateDelta\":{\"n\":45}"));
    entries = entries_of(report);
    assert_non_null(strstr(entries, "repair /actions/stateadd/n: the counter was written as its sum\n"));
    free(entries);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    agentchat_event_unref(event);
}

#define ITEM "/content/items/0"

static void test_adk_write__items(void **state)
{
    static const struct {
        const char *item, *part, *entries; /* part "": none */
    } cases[] = {
        {"{\"type\":\"text\",\"text\":\"x\"}", "{\"text\":\"x\"}", ""},
        {"{\"type\":\"text\",\"text\":\"x\",\"model\":\"m\",\"mimetype\":\"t\",\"metadata\":{}}", "{\"text\":\"x\"}",
         "loss " ITEM "/model: a Part has no field for the property\n"
         "loss " ITEM "/mimetype: a Part has no field for the property\n"
         "loss " ITEM "/metadata: a Part has no field for the property\n"},
        {"{\"type\":\"text\"}", "", "loss " ITEM ": the item was left out: it has no text\n"},
        {"{\"type\":\"text\",\"text\":null}", "", "loss " ITEM ": the item was left out: it has no text\n"},
        {"{\"type\":\"text\",\"text\":\"x\",\"new\":1,\"extras\":[{\"from\":\"adk\",\"name\":\"thought\",\"value\":"
         "false},"
         "{\"from\":\"adk\",\"name\":\"video_metadata\",\"value\":{}},{\"from\":\"adk\",\"name\":\"annotations\","
         "\"value\":1}"
         ",{\"from\":\"adk\",\"name\":\"functionCall\",\"value\":{}}]}",
         "{\"text\":\"x\",\"thought\":false,\"videoMetadata\":{}}",
         "loss " ITEM "/new: the unknown property was left out: it comes from no ADK\n"
         "loss " ITEM "/annotations: the unknown property was left out: adk-python refuses it\n"
         "loss " ITEM "/functionCall: the unknown property was left out: adk-python refuses it\n"},
        {"{\"type\":\"reasoning\",\"text\":\"x\",\"signature\":\"AA-_\"}",
         "{\"text\":\"x\",\"thought\":true,\"thoughtSignature\":\"AA-_\"}", ""},
        {"{\"type\":\"reasoning\",\"signature\":\"not "
         "base64\",\"extras\":[{\"from\":\"adk\",\"name\":\"thought\",\"value\":"
         "true}]}",
         "{\"thought\":true,\"thoughtSignature\":\"bm90IGJhc2U2NA==\"}",
         "repair " ITEM "/signature: the signature was written as base64 of its text\n"
         "loss " ITEM "/thought: the unknown property was left out: adk-python refuses it\n"},
        {"{\"type\":\"image\",\"mimetype\":\"image/png\",\"data\":\"+/8=\"}",
         "{\"inlineData\":{\"data\":\"-_8=\",\"mimeType\":\"image/png\"}}", ""},
        {"{\"type\":\"binary\",\"uri\":\"u\",\"data\":\"\"}", "{\"inlineData\":{\"data\":\"\"}}",
         "loss " ITEM "/uri: a Part has no field for the property\n"},
        {"{\"type\":\"audio\",\"uri\":\"u\",\"mimetype\":\"audio/"
         "wav\",\"extras\":[{\"from\":\"adk\",\"name\":\"fileData\","
         "\"value\":{\"display_name\":\"n\",\"displayName\":\"m\",\"new\":1,\"fileUri\":\"other\"}},{\"from\":\"adk\","
         "\"name\":"
         "\"fileData\",\"value\":{}}]}",
         "{\"fileData\":{\"fileUri\":\"u\",\"mimeType\":\"audio/wav\",\"displayName\":\"m\"}}",
         "loss " ITEM "/fileData/display_name: the property was left out: there is another of its name\n"
         "loss " ITEM "/fileData/new: the property was left out: adk-python refuses it\n"
         "loss " ITEM "/fileData/fileUri: the property was left out: the name stands for something else there\n"
         "loss " ITEM "/fileData: the unknown property was left out: adk-python refuses it\n"},
        {"{\"type\":\"image\"}", "", "loss " ITEM ": the item was left out: it has neither data nor URI\n"},
        {"{\"type\":\"call\",\"id\":\"1\",\"plugin\":\"p\",\"function\":\"f\",\"arguments\":{\"a\": "
         "1},\"exception\":1}",
         "{\"functionCall\":{\"id\":\"1\",\"name\":\"f\",\"args\":{\"a\": 1}}}",
         "loss " ITEM "/plugin: a Part has no field for the property\n"
         "loss " ITEM "/exception: a Part has no field for the property\n"},
        {"{\"type\":\"call\",\"function\":\"f\",\"arguments\":\"x\",\"extras\":[{\"from\":\"adk\",\"name\":"
         "\"thoughtSignature\",\"value\":\"a b\"}]}",
         "{\"functionCall\":{\"name\":\"f\",\"args\":{\"args\":\"x\"}},\"thoughtSignature\":\"YSBi\"}",
         "repair " ITEM "/arguments: the value was put into an object, as its \"args\"\n"
         "repair " ITEM "/thoughtSignature: the signature was written as base64 of its text\n"},
        {"{\"type\":\"call\",\"arguments\":null}", "{\"functionCall\":{}}", ""},
        {"{\"type\":\"result\",\"id\":\"1\",\"function\":\"f\",\"result\":[1]}",
         "{\"functionResponse\":{\"id\":\"1\",\"name\":\"f\",\"response\":{\"result\":[1]}}}",
         "repair " ITEM "/result: the value was put into an object, as its \"result\"\n"},
        {"{\"type\":\"result\",\"extras\":[{\"from\":\"adk\",\"name\":\"functionResponse\",\"value\":{\"inlineData\":[]"
         ","
         "\"parts\":[]}}]}",
         "{\"functionResponse\":{\"parts\":[]}}",
         "loss " ITEM "/functionResponse/inlineData: the property was left out: adk-python refuses it\n"},
        {"{\"type\":\"annotation\"}", "", "loss " ITEM ": the item was left out: there is no part of this kind\n"},
        {"{\"type\":\"file\"}", "", "loss " ITEM ": the item was left out: there is no part of this kind\n"},
        {"{\"type\":\"action\",\"text\":\"x\"}", "",
         "loss " ITEM ": the item was left out: there is no part of this kind\n"},
        {"{\"type\":\"message\",\"message\":{}}", "",
         "loss " ITEM ": the item was left out: there is no part of this kind\n"},
        {"{\"type\":\"later\"}", "", "loss " ITEM ": the item was left out: it comes from no ADK\n"},
        {"null", "", "loss " ITEM ": the item was left out: it comes from no ADK\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"kind\":\"text\",\"raw\":{\"text\":\"x\",\"function_call\":{\"name\": "
         "\"f\","
         "\"will_continue\":null}}}",
         "{\"text\":\"x\",\"functionCall\":{\"name\":\"f\"}}", ""},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"executableCode\":{\"code\":\"1\",\"language\":\"PYTHON\"}},"
         "\"model\":\"m\",\"extras\":[{\"from\":\"adk\",\"name\":\"x\",\"value\":1}]}",
         "{\"executableCode\":{\"code\":\"1\",\"language\":\"PYTHON\"}}",
         "loss " ITEM "/model: a Part has no field for the property\n"
         "loss " ITEM "/x: the unknown property was left out: adk-python refuses it\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"server_tool_call\":{}}}", "",
         "loss " ITEM ": the item was left out: adk-python refuses such a part\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"functionCall\":{\"new\":1}}}", "",
         "loss " ITEM ": the item was left out: adk-python refuses such a part\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":[1]}", "",
         "loss " ITEM ": the item was left out: adk-python refuses such a part\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"text\":5}}", "",
         "loss " ITEM ": the item was left out: adk-python refuses such a part\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"inlineData\":{\"mimeType\":5}}}", "",
         "loss " ITEM ": the item was left out: adk-python refuses such a part\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"text\":\"x\",\"inline_data\":{\"data\":[1,2,3]}}}",
         "{\"text\":\"x\"}", "loss " ITEM "/inline_data: the property was left out: adk-python refuses it\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"text\":\"x\",\"inlineData\":{\"data\":\"-_8\"}}}",
         "{\"text\":\"x\",\"inlineData\":{\"data\":\"-_8\"}}", ""},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"text\":\"x\",\"inlineData\":{\"data\":\"?\"}}}",
         "{\"text\":\"x\"}", "loss " ITEM "/inlineData: the property was left out: adk-python refuses it\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"text\":\"x\",\"functionCall\":{\"args\":[1]}}}",
         "{\"text\":\"x\"}", "loss " ITEM "/functionCall: the property was left out: adk-python refuses it\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"text\":\"x\",\"functionCall\":5}}", "{\"text\":\"x\"}",
         "loss " ITEM "/functionCall: the property was left out: adk-python refuses it\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"executableCode\":{\"code\":5}}}", "",
         "loss " ITEM ": the item was left out: adk-python refuses such a part\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"thoughtSignature\":[1]}}", "",
         "loss " ITEM ": the item was left out: adk-python refuses such a part\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\",\"raw\":{\"text\":null,\"inlineData\":null,\"thoughtSignature\":null}}",
         "{}", ""},
        /* Values that adk-python refuses, in what is kept beside an item. */
        {"{\"type\":\"text\",\"text\":\"x\",\"extras\":[{\"from\":\"adk\",\"name\":\"videoMetadata\",\"value\":5},{"
         "\"from\":"
         "\"adk\",\"name\":\"thoughtSignature\",\"value\":[1]},{\"from\":\"adk\",\"name\":\"partMetadata\",\"value\":{}"
         "}]}",
         "{\"text\":\"x\",\"partMetadata\":{}}",
         "loss " ITEM "/videoMetadata: the unknown property was left out: adk-python refuses it\n"
         "loss " ITEM "/thoughtSignature: the unknown property was left out: adk-python refuses it\n"},
        {"{\"type\":\"image\",\"data\":\"\",\"extras\":[{\"from\":\"adk\",\"name\":\"inlineData\",\"value\":{"
         "\"displayName\":5}}]"
         "}",
         "{\"inlineData\":{\"data\":\"\"}}",
         "loss " ITEM "/inlineData/displayName: the property was left out: adk-python refuses it\n"},
        {"{\"type\":\"opaque\",\"from\":\"adk\"}", "",
         "loss " ITEM ": the item was left out: adk-python refuses such a part\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char native[1024], adk[1024];

        (void)snprintf(native, sizeof native, "{\"author\":\"a\",\"content\":{\"items\":[%s]}}", cases[i].item);
        (void)snprintf(adk, sizeof adk, "{\"content\":{\"parts\":[%s]},\"author\":\"a\"," ACTIONS "}", cases[i].part);
        assert_written(native, adk, cases[i].entries);
    }
}

static void test_adk_write__content(void **state)
{
    static const struct {
        const char *native, *adk, *entries;
    } cases[] = {
        {"null", "", ""},
        {"{}", "\"content\":{},", ""},
        {"{\"items\":null}", "\"content\":{},", ""},
        {"{\"role\":null,\"items\":[]}", "\"content\":{\"parts\":[]},", ""},
        {"{\"role\":\"assistant\"}", "\"content\":{\"role\":\"model\"},", ""},
        {"{\"role\":\"model\"}", "\"content\":{\"role\":\"model\"},",
         "note /content/role: the role \"model\" is read back as \"assistant\"\n"},
        {"{\"role\":\"user\",\"name\":\"a\",\"id\":\"e\",\"time\":\"2026-01-02T03:04:05Z\"}",
         "\"content\":{\"role\":\"user\"},", ""},
        {"{\"name\":\"b\",\"model\":\"m\",\"mimetype\":\"t\",\"metadata\":{},\"id\":\"f\",\"time\":\"x\",\"new\":1,"
         "\"extras\":"
         "[{\"from\":\"adk\",\"name\":\"y\",\"value\":1}]}",
         "\"content\":{},",
         "loss /content/name: a Content has no field for the property\n"
         "loss /content/id: a Content has no field for the property\n"
         "loss /content/time: a Content has no field for the property\n"
         "loss /content/model: a Content has no field for the property\n"
         "loss /content/mimetype: a Content has no field for the property\n"
         "loss /content/metadata: a Content has no field for the property\n"
         "loss /content/new: the unknown property was left out: it comes from no ADK\n"
         "loss /content/y: the unknown property was left out: adk-python refuses it\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char native[512], adk[512];

        (void)snprintf(native, sizeof native,
                       "{\"id\":\"e\",\"author\":\"a\",\"time\":\"2026-01-02T03:04:05Z\",\"content\":%s}",
                       cases[i].native);
        (void)snprintf(adk, sizeof adk, "{%s\"author\":\"a\"," ACTIONS ",\"id\":\"e\",\"timestamp\":1767323045}",
                       cases[i].adk);
        assert_written(native, adk, cases[i].entries);
    }
}

static void test_adk_write__what_adk_rust_spells_otherwise(void **state)
{
    static const struct {
        const char *rust, *google, *entries;
    } cases[] = {
        {"\"finish_reason\":\"MaxTokens\"", "\"finishReason\":\"MAX_TOKENS\"",
         "repair /finishReason: \"MaxTokens\" was written as \"MAX_TOKENS\"\n"},
        {"\"finish_reason\":\"Other\"", "\"finishReason\":\"OTHER\"",
         "repair /finishReason: \"Other\" was written as \"OTHER\"\n"},
        {"\"finishReason\":\"STOP\"", "\"finishReason\":\"STOP\"", ""},
        {"\"usage_metadata\":{\"prompt_token_count\":1,\"total_token_count\":null,\"cache_read_input_token_count\":2,"
         "\"thinking_token_count\":3,\"cost\":0.1,\"is_byok\":null}",
         "\"usageMetadata\":{\"promptTokenCount\":1,\"cachedContentTokenCount\":2,\"thoughtsTokenCount\":3}",
         "loss /usageMetadata/cost: the property was left out: adk-python refuses it\n"
         "repair /usageMetadata/cache_read_input_token_count: the property was written as \"cachedContentTokenCount\"\n"
         "repair /usageMetadata/thinking_token_count: the property was written as \"thoughtsTokenCount\"\n"},
        {"\"usageMetadata\":{\"promptTokenCount\": 1,\"trafficType\":null}",
         "\"usageMetadata\":{\"promptTokenCount\":1}", ""},
        {"\"usage_metadata\":{\"cache_read_input_token_count\":2,\"thinking_token_count\":3,"
         "\"cached_content_token_count\":1,\"thoughtsTokenCount\":null,\"thinking_token_count\":4}",
         "\"usageMetadata\":{\"cachedContentTokenCount\":1,\"thoughtsTokenCount\":4}",
         "loss /usageMetadata/thinking_token_count: the property was left out: adk-python refuses it\n"
         "loss /usageMetadata/cache_read_input_token_count: the property was left out: there is a "
         "\"cachedContentTokenCount\" already\n"
         "repair /usageMetadata/thinking_token_count: the property was written as \"thoughtsTokenCount\"\n"},
        {"\"citation_metadata\":{\"citationSources\":[{\"uri\":\"u\",\"title\":null,\"startIndex\":1,"
         "\"publicationDate\":\"2026-01-02\"},{\"publicationDate\":\"2026-02\"},{\"publicationDate\":\"spring\"}]}",
         "\"citationMetadata\":{\"citations\":[{\"uri\":\"u\",\"startIndex\":1,\"publicationDate\":{\"year\":2026,"
         "\"month\":1,\"day\":2}},{\"publicationDate\":{\"year\":2026,\"month\":2}},{}]}",
         "repair /citationMetadata/citationSources: the property was written as \"citations\"\n"
         "repair /citationMetadata/citationSources/0/publicationDate: the date was written as an object\n"
         "repair /citationMetadata/citationSources/1/publicationDate: the date was written as an object\n"
         "loss /citationMetadata/citationSources/2/publicationDate: the property was left out: adk-python refuses "
         "it\n"},
        {"\"citation_metadata\":{\"citationSources\":[5],\"more\":1}", "\"citationMetadata\":{}",
         "loss /citationMetadata/more: the property was left out: adk-python refuses it\n"
         "loss /citationMetadata/citationSources: the property was left out: adk-python refuses it\n"},
        {"\"citation_metadata\":{\"citationSources\":null}", "\"citationMetadata\":{}", ""},
        {"\"citationMetadata\":{\"citations\":[{\"uri\":null}]}", "\"citationMetadata\":{\"citations\":[{}]}", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rust[512], google[512], *native;
        agentchat_event *event;

        (void)snprintf(rust, sizeof rust, "{\"author\":\"a\",%s}", cases[i].rust);
        (void)snprintf(google, sizeof google, "{\"author\":\"a\"," ACTIONS ",%s}", cases[i].google);
        event = event_of(rust, "adk");
        native = text_of(event, "agentchat");
        agentchat_event_unref(event);
        assert_written(native, google, cases[i].entries);
        free(native);
    }
}

/* Python reads no integer of more digits; where digits follow the point, it does not limit them. */
static void test_adk_write__long_numbers(void **state)
{
    enum { MOST = 4300 };
    static char number[MOST + 2], native[8 * MOST], adk[8 * MOST];

    (void)state;
    memset(number, '7', MOST + 1);
    (void)snprintf(native, sizeof native,
                   "{\"author\":\"a\",\"extras\":[{\"from\":\"adk\",\"name\":\"output\",\"value\":[%.*s, \"%s\", 0.%s, "
                   "-%s, %s.5e-10]}]}",
                   MOST, number, number, number, number, number);
    (void)snprintf(adk, sizeof adk,
                   "{\"author\":\"a\"," ACTIONS ",\"output\":[%.*s, \"%s\", 0.%s, -%.17se4284, %.17se4274]}", MOST,
                   number, number, number, number, number);
    assert_written(native, adk,
                   "loss /output: a number of more than 4300 digits was shortened: adk-python refuses it\n");
}

/* Canonical text of JSON, to be freed with free(). */
static char *canonical(const char *json)
{
    agentchat_error err;
    aci_buf out;
    char *copy;

    agentchat_error_clear(&err);
    aci_buf_init(&out, NULL, SIZE_MAX);
    test_ok(aci_json_canonical(agentchat_str_from(json), &out, aci_env(NULL), &err), &err);
    copy = calloc(out.len + 1, 1);
    memcpy(copy, out.ptr, out.len);
    aci_buf_clear(&out);
    return copy;
}

/* What Google's ADKs write goes through the native format and comes back as it was. */
static void test_adk_write__nothing_is_lost_on_the_way(void **state)
{
    static const char *const cases[] = {
        "{\"id\":\"7c9e\",\"invocationId\":\"e-12\",\"author\":\"weather\",\"timestamp\":1767323045.678901,\"content\":"
        "{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"id\":\"adk-1\",\"name\":\"get\",\"args\":{\"city\":"
        "\"Bonn\"}}},"
        "{\"text\":\"\\u00e9\",\"thought\":true,\"thoughtSignature\":\"Cg-_\"},{\"text\":\"a\",\"thoughtSignature\":"
        "\"AA==\"},"
        "{\"inlineData\":{\"data\":\"AA-_\",\"mimeType\":\"image/"
        "png\",\"displayName\":\"d\"}},{\"fileData\":{\"fileUri\":"
        "\"gs://b\",\"mimeType\":\"video/mp4\"},\"videoMetadata\":{\"fps\":1.50}},{\"executableCode\":{\"code\":\"1\","
        "\"language\":\"PYTHON\"}},{\"codeExecutionResult\":{\"outcome\":\"OUTCOME_OK\",\"output\":\"1\"}},{\"text\":"
        "\"x\","
        "\"inlineData\":{\"data\":\"\"}},{\"functionResponse\":{\"id\":\"1\",\"name\":\"f\",\"response\":{\"r\":[1,"
        "null]},"
        "\"scheduling\":\"SILENT\"}},{\"toolCall\":{\"toolType\":\"X\",\"args\":{}}},{}]},"
        "\"actions\":{\"stateDelta\":{\"user:last\":\"Bonn\",\"n\":12345678901234567890123,\"o\":{\"b\":1,\"a\":null}},"
        "\"artifactDelta\":{\"a.txt\":2},\"requestedAuthConfigs\":{\"a\":{\"authScheme\":{\"type\":\"x\"}}},"
        "\"requestedToolConfirmations\":{\"c\":{"
        "\"hint\":"
        "\"h\",\"confirmed\":false}},\"skipSummarization\":true,\"transferToAgent\":\"b\",\"escalate\":false,"
        "\"compaction\":{\"startTimestamp\":1.25,\"endTimestamp\":2.0,\"compactedContent\":{\"role\":\"model\","
        "\"parts\":[{"
        "\"text\":\"s\"}]}},\"endOfAgent\":true,\"agentState\":{\"x\":1},\"rewindBeforeInvocationId\":\"i\",\"route\":["
        "1,"
        "\"a\"],\"renderUiWidgets\":[],\"setModelResponse\":{}},\"longRunningToolIds\":[\"adk-1\"],\"branch\":\"a.b\","
        "\"partial\":false,\"turnComplete\":true,\"errorCode\":\"E\",\"finishReason\":\"STOP\",\"usageMetadata\":"
        "{\"promptTokenCount\":1},\"groundingMetadata\":{},\"customMetadata\":{\"k\":[1]},\"nodeInfo\":{\"path\":\"\"},"
        "\"output\":5,\"isolationScope\":\"s\",\"somethingNew\":{\"x\":1}}",
        "{\"author\":\"user\",\"timestamp\":1767323045,\"content\":{\"parts\":[]}," ACTIONS "}",
        "{\"author\":\"user\",\"timestamp\":-1.5,\"content\":{}," ACTIONS "}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_bytes out = AGENTCHAT_BYTES_INIT;
        agentchat_report *read, *written;
        agentchat_event *event, *again;
        agentchat_error err;
        char *native, *before, *after, *entries;

        test_ok(agentchat_event_read(NULL, agentchat_str_from(cases[i]), NULL, &event, &read, &err), &err);
        native = text_of(event, "agentchat");
        again = event_of(native, NULL);
        test_ok(agentchat_event_write(again, "adk", &out, &written, &err), &err);
        assert_int_equal(agentchat_report_count(read), 0);
        entries = entries_of(written);
        assert_string_equal(entries, "");
        before = canonical(cases[i]);
        after = canonical(out.ptr);
        assert_string_equal(after, before);
        free(entries);
        free(before);
        free(after);
        free(native);
        agentchat_report_free(read);
        agentchat_report_free(written);
        agentchat_bytes_clear(&out);
        agentchat_event_unref(event);
        agentchat_event_unref(again);
    }
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static agentchat_status there_and_back(const agentchat_env *env, void *user, agentchat_error *err)
{
    return read_and_write(env, user, "adk", "adk", err);
}

static void test_adk_write__memory_may_run_out(void **state)
{
    static const char *const cases[] = {
        "{\"id\":\"\\u0031\",\"timestamp\":1734292270899,\"content\":{\"role\":\"assistant\",\"parts\":[{\"text\":"
        "\"\\ud800\","
        "\"new\":1,\"thought\":true,\"thoughtSignature\":\"a "
        "b\"},{\"inlineData\":{\"data\":\"-_8\",\"displayName\":\"\\n\"}},"
        "{\"inlineData\":{\"data\":[1,2]}},{\"functionCall\":{\"name\":\"\\n\",\"args\":\"\\ud800\",\"willContinue\":"
        "true},"
        "\"thoughtSignature\":\"a b\"},{\"new\":1},{\"executableCode\":{\"code\":\"1\"}}]}}",
        "{\"author\":\"\\ud800\",\"actions\":{\"stateDelta\":{\"a\\n\":\"\\ud800\",\"b\":1},\"artifactDelta\":{\"a\":1,"
        "\"b\":"
        "\"x\"},\"compaction\":{\"m\\n\":1,\"startTimestamp\":1,\"endTimestamp\":2,\"compactedContent\":{\"parts\":[{"
        "\"text\":"
        "\"x\"}]}},"
        "\"new\":1,\"requestedAuthConfigs\":{\"a\":1}},\"usage_metadata\":{\"cost\":1,\"thinking_token_count\":2,\"x\":"
        "3},"
        "\"citation_metadata\":{\"citationSources\":[{\"uri\":\"u\"}]},\"finish_reason\":\"Stop\",\"new\":\n[1]}",
        "{\"actions\":{\"compaction\":{\"startTimestamp\":1},\"stateDelta\":{}}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(test_oom_sweep(there_and_back, (void *)(uintptr_t)cases[i]) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adk_write__fields),
        cmocka_unit_test(test_adk_write__actions),
        cmocka_unit_test(test_adk_write__a_known_sum),
        cmocka_unit_test(test_adk_write__items),
        cmocka_unit_test(test_adk_write__content),
        cmocka_unit_test(test_adk_write__what_adk_rust_spells_otherwise),
        cmocka_unit_test(test_adk_write__long_numbers),
        cmocka_unit_test(test_adk_write__nothing_is_lost_on_the_way),
        cmocka_unit_test(test_adk_write__memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
