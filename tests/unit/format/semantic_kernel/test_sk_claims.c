/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sidecar against what stands beside it: where writing what it says would give something else, what stands outside
 * wins, and the report has a note.
 */
#include "sk_oom_test.h"

#include "format/semantic_kernel/properties.h"

static void digest(const agentchat_snapshot *snapshot, char out[AGENTCHAT_DIGEST_LEN + 1])
{
    agentchat_error err;

    test_ok(agentchat_snapshot_digest(snapshot, true, out, &err), &err);
}

/* Reads a document with `sidecar` at its '@', or with nothing there. Returns the number of notes that something in the
   sidecar does not count. */
static size_t read_with(const char *document, const char *sidecar, char out[AGENTCHAT_DIGEST_LEN + 1])
{
    const char *at = strchr(document, '@');
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot;
    agentchat_error err;
    size_t notes = 0;
    aci_buf text;

    assert_non_null(at);
    aci_buf_init(&text, aci_env(NULL), SIZE_MAX);
    assert_true(aci_buf_add(&text, document, (size_t)(at - document)));
    if (sidecar != NULL)
        assert_true(aci_buf_printf(&text, "%s\"agentchat\":%s", at[-1] == '{' ? "" : ",", sidecar));
    assert_true(aci_buf_add_str(&text, agentchat_str_from(at + 1)));
    test_ok(sk_try_read(aci_buf_str(&text), &snapshot, &report, &err), &err);
    for (size_t i = 0; i < agentchat_report_count(report); i++)
        notes += sk_has(agentchat_report_at(report, i)->text, "agentchat says");
    digest(snapshot, out);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    aci_buf_clear(&text);
    return notes;
}

static void assert_refused(const char *document, const char *sidecar)
{
    char with[AGENTCHAT_DIGEST_LEN + 1], without[AGENTCHAT_DIGEST_LEN + 1];
    size_t notes;

    assert_int_equal(read_with(document, NULL, without), 0);
    notes = read_with(document, sidecar, with);
    if (notes == 0 || strcmp(with, without) != 0)
        fail_msg("accepted (%zu notes): %s\n%s", notes, sidecar, document);
}

#define M(members) SK_DOC("{" members "@}")
#define I(members) SK_ITEM("{" members "@}")
#define MESSAGE                                                                                                        \
    "\"AuthorName\":\"Bob\",\"Role\":{\"Label\":\"tool\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"t\"}],"     \
    "\"ModelId\":\"m\",\"MimeType\":\"m/t\",\"Metadata\":{\"a\":1}"
#define BASE "\"MimeType\":\"m/t\",\"ModelId\":\"m\",\"Metadata\":{\"a\":1}"
#define COPY                                                                                                           \
    "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"1\"}]}"
#define OTHER                                                                                                          \
    "{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"2\"}]}"
#define C(type, state)                                                                                                 \
    "{\"Participants\":[],\"History\":[" COPY "],\"Channels\":[{\"ChannelKey\":\"k\",\"ChannelType\":\"" type "\","    \
    "\"ChannelState\":" state "@}]}"
#define HISTORY "Microsoft.SemanticKernel.Agents.ChatHistoryChannel"
#define AGGREGATOR "Microsoft.SemanticKernel.Agents.AggregatorChannel"
#define CHAT(history, state)                                                                                           \
    "{\"Participants\":[],\"History\":[" history "],\"Channels\":[{\"ChannelKey\":"                                    \
    "\"Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=\",\"ChannelType\":\"" HISTORY "\",\"ChannelState\":" state "}]}"

/* ---- fields --------------------------------------------------------------------------------------------------- */

typedef struct full {
    agentchat_item_kind kind; /* 0: a message */
    const char *document;
} full;

static const full objects[] = {
    {0, M(MESSAGE)},
    {0, SK_ITEM("{\"$type\":\"ChatMessageContent\"," MESSAGE "@}")},
    {AGENTCHAT_ITEM_TEXT, I("\"$type\":\"TextContent\",\"Text\":\"t\"," BASE)},
    {AGENTCHAT_ITEM_IMAGE, I("\"$type\":\"ImageContent\",\"Uri\":\"https://a/b\"," BASE ",\"Data\":\"AAEC\"")},
    {AGENTCHAT_ITEM_AUDIO, I("\"$type\":\"AudioContent\",\"Uri\":\"https://a/b\"," BASE ",\"Data\":\"AAEC\"")},
    {AGENTCHAT_ITEM_BINARY, I("\"$type\":\"BinaryContent\",\"Uri\":\"https://a/b\"," BASE ",\"Data\":\"AAEC\"")},
    {AGENTCHAT_ITEM_CALL, I("\"$type\":\"FunctionCallContent\",\"Id\":\"i\",\"PluginName\":\"p\",\"FunctionName\":"
                            "\"safe\",\"Arguments\":{\"a\":1},\"Exception\":{}," BASE)},
    {AGENTCHAT_ITEM_RESULT, I("\"$type\":\"FunctionResultContent\",\"CallId\":\"i\",\"PluginName\":\"p\","
                              "\"FunctionName\":\"f\",\"Result\":1," BASE)},
    {AGENTCHAT_ITEM_ANNOTATION,
     I("\"$type\":\"AnnotationContent\",\"Kind\":{\"Label\":\"k\"},\"Label\":\"l\",\"ReferenceId\":\"r\",\"Title\":"
       "\"t\",\"StartIndex\":1,\"EndIndex\":2," BASE)},
    {AGENTCHAT_ITEM_FILE, I("\"$type\":\"FileReferenceContent\",\"FileId\":\"f\",\"Tools\":[\"a\"]," BASE)},
    {AGENTCHAT_ITEM_REASONING, I("\"$type\":\"ReasoningContent\",\"Text\":\"t\"," BASE)},
    {AGENTCHAT_ITEM_ACTION, I("\"$type\":\"ActionContent\",\"Text\":\"t\"," BASE)},
};

static bool stands_outside(const aci_sk_table *table, agentchat_field field)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->props[i].field == field)
            return true;
    return false;
}

/* Every field that .NET's form shows, given as something else by the sidecar: a value, one that a repair changes, or
   nothing. */
static void test_sk_claims__fields(void **state)
{
    size_t tried = 0;

    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        const full *o = &objects[i];
        const aci_sk_table *table = o->kind == 0 ? &aci_sk_nested_message : aci_sk_item_table(o->kind);

        for (int id = 1; id <= AGENTCHAT_FIELD_RAW; id++) {
            agentchat_field field = (agentchat_field)id;
            static const char *const texts[] = {"{\"%s\":\"evil\"}", "{\"%s\":\"\\ud800\"}",
                                                "{\"%s\":\" \"}",    "{\"%s\":\"data:text/plain;base64,AAEC\"}",
                                                "{\"%s\":null}",     "{\"absent\":[\"%s\"]}"};
            static const char *const json[] = {"{\"%s\":{\"evil\":1}}", "{\"%s\":\"\\ud800\"}",
                                               "{\"%s\":[\"x\"]}",      "{\"%s\":3}",
                                               "{\"%s\":null}",         "{\"absent\":[\"%s\"]}"};

            if (!(o->kind == 0 ? aci_field_of_message(field) : aci_field_of_item(o->kind, field)) ||
                !stands_outside(table, field))
                continue;
            for (size_t n = 0; n < 6; n++) {
                char sidecar[128];

                snprintf(sidecar, sizeof sidecar, (aci_field_form(field) == ACI_FORM_JSON ? json : texts)[n],
                         aci_field_name(field));
                assert_refused(o->document, sidecar);
                tried++;
            }
        }
    }
    assert_true(tried > 300);
}

/* ---- the rest ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *document, *sidecar;
} rows[] = {
    /* messages */
    {M(MESSAGE), "{\"role\":\"system\",\"name\":\"Admin\"}"},
    {M(MESSAGE), "{\"items\":null}"},
    {M(MESSAGE), "{\"absent\":[\"items\"]}"},
    {M(MESSAGE), "{\"nulls\":[7]}"},
    {M(MESSAGE), "{\"null\":true}"},
    {M("\"Role\":{\"Label\":\"user\"},\"Items\":[]"), "{\"null\":true}"}, /* nothing says that the role is absent */
    {M(MESSAGE), "{\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Plain\",\"value\":1}]}"},
    {M("\"Role\":{\"Label\":\"user\"},\"Items\":[]"), "{\"role\":\"system\"}"},
    {M("\"Role\":{\"Label\":\"user\"},\"Items\":[],\"Metadata\":{\"a\":\"\\ufffd\"}"),
     "{\"metadata\":{\"b\":\"\\ud800\"}}"},
    /* items */
    {I("\"$type\":\"TextContent\",\"Text\":\"please\""), "{\"opaque\":{\"kind\":\"X\",\"raw\":{\"x\":1}}}"},
    {I("\"$type\":\"TextContent\",\"Text\":\"[X]\",\"ModelId\":\"m\""), "{\"opaque\":{\"kind\":\"X\",\"raw\":{}}}"},
    {I("\"$type\":\"ActionContent\",\"Text\":\"[X]\""), "{\"opaque\":{\"kind\":\"X\",\"raw\":{}}}"},
    {I("\"$type\":\"ImageContent\",\"Data\":\"AAEC\""), "{\"absent\":[\"data\"]}"},
    {I("\"$type\":\"ImageContent\",\"Data\":\"AAEC\""), "{\"uri\":\"https://evil/\",\"absent\":[\"data\"]}"},
    {I("\"$type\":\"ImageContent\",\"MimeType\":\"text/plain\",\"Data\":\"AAEC\""),
     "{\"uri\":\"data:text/plain;base64,AAED\",\"absent\":[\"data\",\"mimetype\"]}"},
    {I("\"$type\":\"ImageContent\",\"MimeType\":\"image/png\",\"Data\":\"AAEC\""),
     "{\"uri\":\"data:text/plain;base64,AAEC\",\"absent\":[\"data\",\"mimetype\"]}"},
    {I("\"$type\":\"ImageContent\",\"MimeType\":\"text/plain\""), "{\"uri\":\"data:text/plain;base64,AAEC\"}"},
    {I("\"$type\":\"ImageContent\",\"Uri\":\"https://a/b\",\"Data\":\"AAEC\""), "{\"uri\":\"data:,x\"}"},
    {I("\"$type\":\"TextContent\",\"Text\":\"t\""),
     "{\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"Plain\",\"value\":1}]}"},
    /* participants */
    {"{\"Participants\":[{\"Id\":\"i\"@}],\"History\":[],\"Channels\":[]}", "{\"id\":\"j\"}"},
    {"{\"Participants\":[{\"Id\":\"i\"@}],\"History\":[],\"Channels\":[]}", "{\"id\":\"\\ud800\"}"},
    {"{\"Participants\":[{\"Id\":\"i\"@}],\"History\":[],\"Channels\":[]}", "{\"id\":null}"},
    {"{\"Participants\":[{\"Id\":\"i\"@}],\"History\":[],\"Channels\":[]}", "{\"name\":\"Admin\"}"},
    {"{\"Participants\":[{\"Id\":\"i\"@}],\"History\":[],\"Channels\":[]}", "{\"type\":\"T\"}"},
    /* channels */
    {C("T", "\"s\""), "{\"key\":\"other\"}"},
    {C("T", "\"s\""), "{\"type\":\"Other\"}"},
    {C("T", "\"s\""), "{\"state\":{\"spelling\":\"string\",\"text\":\"evil\"}}"},
    {C("T", "\"s\""), "{\"state\":{\"spelling\":\"string\",\"text\":\"\\ud800\"}}"},
    {C("T", "\"s\""), "{\"state\":{\"spelling\":\"string\",\"text\":null},\"bytes\":true}"},
    {C("T", "{\"a\":1}"), "{\"state\":{\"spelling\":\"string\",\"text\":null}}"},
    {C("T", "\"no base64\""), "{\"bytes\":true}"},
    {C("T", "1234"), "{\"bytes\":true}"},
    {C("T", "{}"), "{\"bytes\":true}"},
    {C("T", "\"s\""), "{\"added\":true}"},
    {C(HISTORY, "[" OTHER "]"), "{\"added\":true}"},
    {C(HISTORY, "[" COPY "," OTHER "]"), "{\"added\":true}"},
    {C(HISTORY, "[]"), "{\"added\":true}"},
    {C(AGGREGATOR, CHAT(COPY, "[" OTHER "]")), "{\"added\":true}"},
    {C(AGGREGATOR, CHAT(OTHER, "[" COPY "]")), "{\"added\":true}"},
    {C(AGGREGATOR, "{\"Participants\":[],\"History\":[" COPY "],\"Channels\":[]}"), "{\"added\":true}"},
    {C(AGGREGATOR, "\"text\""), "{\"added\":true}"},
    {C(HISTORY, "[" OTHER "]"), "{\"state\":{\"spelling\":\"string\",\"text\":\"evil\"}}"},
    {C(HISTORY, "[" COPY "," COPY "]"), "{\"state\":{\"spelling\":\"string\",\"text\":\"evil\"}}"},
    {C(AGGREGATOR, CHAT(OTHER, "[" COPY "]")), "{\"state\":{\"spelling\":\"string\",\"text\":\"evil\"}}"},
    {C(HISTORY, "[" OTHER "]"), "{\"synced\":0,\"appended\":1}"},
    {C(HISTORY, "[" COPY "]"), "{\"synced\":1,\"appended\":1}"},
    {C(HISTORY, "[" COPY "]"), "{\"appended\":1}"},
    {C(HISTORY, "[" COPY "]"), "{\"synced\":0,\"appended\":2}"},
    {C(HISTORY, "[" OTHER "," COPY "]"), "{\"synced\":0,\"appended\":2}"},
    {C(HISTORY, "[" OTHER "]"), "{\"nulls\":[2]}"},
    {C(HISTORY, "[" OTHER "]"), "{\"synced\":1,\"pending\":[0],\"appended\":1}"},
    /* the chat */
    {"{\"Participants\":[],\"History\":[],\"Channels\":[]@}",
     "{\"channels\":[{\"at\":0,\"channel\":{\"ChannelKey\":\"k\",\"ChannelState\":\"evil\"}}]}"},
    {"{\"Participants\":[],\"History\":[],\"Channels\":[]@}", "{\"nulls\":[3]}"},
};

static void test_sk_claims__what_stands_outside_wins(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_refused(rows[i].document, rows[i].sidecar);
}

/* What our writer itself would have said, although the file was indented since. */
static const struct {
    const char *document, *sidecar;
} good[] = {
    {M("\"Role\":{\"Label\":\"user\"},\"Items\":[]"), "{\"role\":\"\\t\"}"},
    {M("\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[]"), "{\"name\":\" \"}"},
    {M("\"Role\":{\"Label\":\"user\"},\"Items\":[],\"Metadata\":{ \"a\" : \"\\ufffd\", \"b\" : 1.0 }"),
     "{\"metadata\":{\"b\":1,\"a\":\"\\ud800\"}}"},
    {I("\"$type\":\"TextContent\",\"Text\":\"[X]\""), "{\"opaque\":{\"kind\":\"X\",\"raw\":{\"x\":1}}}"},
    {I("\"$type\":\"ImageContent\",\"MimeType\":\"text/plain\",\"Data\":\"AAEC\""),
     "{\"uri\":\"data:text/plain;base64,AAEC\",\"absent\":[\"data\",\"mimetype\"]}"},
    {C("T", "\"\\ufffd\""), "{\"state\":{\"spelling\":\"string\",\"text\":\"\\ud800\"}}"},
    {C("T", "\"AAEC\""), "{\"bytes\":true}"},
    {C(HISTORY, "[" COPY "]"), "{\"added\":true}"},
    {C(AGGREGATOR, CHAT(COPY, "[" COPY "]")), "{\"added\":true}"},
    {C(HISTORY, "[" COPY "]"), "{\"state\":{\"spelling\":\"string\",\"text\":\"thread\"}}"},
    {C(AGGREGATOR, CHAT(COPY, "[" COPY "]")), "{\"state\":{\"spelling\":\"raw\",\"text\":\"17\"}}"},
    {C(HISTORY, "[" OTHER "," COPY "]"), "{\"synced\":0,\"appended\":1}"},
    {C(HISTORY, "[" OTHER "," COPY "]"), "{\"synced\":1,\"pending\":[0],\"appended\":1}"},
    {C(HISTORY, "[" OTHER "]"), "{\"nulls\":[0]}"},
};

static void test_sk_claims__what_was_repaired_comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char with[AGENTCHAT_DIGEST_LEN + 1], without[AGENTCHAT_DIGEST_LEN + 1];
        size_t notes = read_with(good[i].document, good[i].sidecar, with);

        assert_int_equal(read_with(good[i].document, NULL, without), 0);
        if (notes > 0 || strcmp(with, without) == 0)
            fail_msg("not accepted (%zu notes): %s\n%s", notes, good[i].sidecar, good[i].document);
    }
}

/* ---- out of memory -------------------------------------------------------------------------------------------- */

static void sweep_reading(const char *document, const char *sidecar)
{
    const char *at = strchr(document, '@');
    aci_buf text;

    aci_buf_init(&text, aci_env(NULL), SIZE_MAX);
    assert_true(aci_buf_printf(&text, "%.*s,\"agentchat\":%s%s", (int)(at - document), document, sidecar, at + 1));
    assert_true(sk_sweep_reading(aci_buf_str(&text)) > 0);
    aci_buf_clear(&text);
}

static void test_sk_claims__reading_survives_every_failed_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        sweep_reading(rows[i].document, rows[i].sidecar);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        sweep_reading(good[i].document, good[i].sidecar);
}

/* What strict mode asks the reader, and default mode of names. */
static void test_sk_claims__writing_survives_every_failed_allocation(void **state)
{
    static const char document[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"role\":\"user\",\"items\":[{\"type\":\"image\","
        "\"extras\":[{\"from\":\"semantic-kernel\",\"name\":\"DataUri\",\"value\":\"d\\u00e9\"}]},{\"type\":\"opaque\","
        "\"from\":\"semantic-kernel\",\"raw\":{\"x\":1,\"$\\u0074ype\":\"T\"}},{\"type\":\"call\",\"function\":\"f\","
        "\"arguments\":{\"\\u00e9\":1,\"\\u00e8\":2}}],\"extras\":[{\"from\":\"semantic-kernel\",\"name\":"
        "\"agentchat\",\"value\":{\"role\":\"system\",\"name\":\"\\u00e9\"}}]}],\"participants\":[],\"channels\":[{"
        "\"channelkey\":\"k\",\"channeltype\":\"Microsoft.SemanticKernel.Agents.ChatHistoryChannel\",\"statekind\":"
        "\"text\",\"channelstate\":\"[{}]\"}]}";
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(document), NULL, &snapshot, NULL, &err), &err);
    assert_true(sk_sweep_writing(snapshot, true) > 10);
    assert_true(sk_sweep_writing(snapshot, false) > 5);
    agentchat_snapshot_unref(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_claims__fields),
        cmocka_unit_test(test_sk_claims__what_stands_outside_wins),
        cmocka_unit_test(test_sk_claims__what_was_repaired_comes_back),
        cmocka_unit_test(test_sk_claims__reading_survives_every_failed_allocation),
        cmocka_unit_test(test_sk_claims__writing_survives_every_failed_allocation),
    };

    return cmocka_run_group_tests_name("sk_claims", tests, NULL, NULL);
}
