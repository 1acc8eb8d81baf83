/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a document is in, from its beginning. */
#include "support/test_support.h"

#include "base/env.h"
#include "format/detect.h"
#include "format/native/native.h"
#include "format/registry.h"
#include "io/stream.h"

static void test_detect__knows_formats_by_their_marks(void **state)
{
    static const struct {
        const char *text;
        const char *format;
    } cases[] = {
        {"{\"agentchat\":{\"format\":1,\"reader\":1}}", "agentchat"},
        {" \r\n\t{ \"agentchat\" : { \"reader\" : 1 , \"format\" : 1 } }", "agentchat"},
        {"\xEF\xBB\xBF{\"agentchat\":{\"format\":1}}", "agentchat"},
        {"{\"agentchat\":{\"x\":{\"a\":[\"}\",{}]},\"y\":\"\\\"\",\"z\":-1.5e3,\"format\":9}}", "agentchat"},
        {"{\"agentchat\":{\"format\":1,\"reader\":1,\"encoding\":\"base64\"}}", "agentchat-encoded"},
        {"{\"agentchat\":{\"encoding\":\"base64\",\"format\":1}}", "agentchat-encoded"},
        /* names are compared by what they mean */
        {"{\"\\u0061gentchat\":{\"\\u0066ormat\":1}}", "agentchat"},
        {"{\"agentcha\\u0074\":{\"forma\\u0074\":1,\"en\\u0063odin\\u0067\":1}}", "agentchat-encoded"},
        {"{\"agentchat\":{\"f\\u006Frmat\":1}}", "agentchat"},
        /* cut off within the header: ours, so that our reader says where */
        {"{\"agentchat\":{", "agentchat"},
        {"{\"agentchat\":{\"form", "agentchat"},
        {"{\"agentchat\":{\"format\":1", "agentchat"},
        {"{\"agentchat\":{\"reader\":{\"", "agentchat"},
        /* Semantic Kernel's */
        {"{\"Participants\":[]}", "semantic-kernel"},
        {"{\"x\":[{\"y\":\"]}\"}],\"\\u0048istory\":[]", "semantic-kernel"},
        {"{\"History\":[],\"agentchat\":{\"format\":1}}", "semantic-kernel"},
        {"{\"agentchat\":{\"synced\":{\"format\":1}},\"History\":[]}", "semantic-kernel"},
        {"{\"participants\":[],\"HISTORY\":[]}", "semantic-kernel"},
        {"[{\"Role\":{\"Label\":\"user\"}}]", "semantic-kernel"},
        {"[null,1,{\"Metadata\":{},\"AuthorName\":null", "semantic-kernel"},
        {"[{\"role\":{\"label\":\"user\"}}]", "semantic-kernel"},
        {"[{\"items\":[]}]", "semantic-kernel"},
        {"[{\"Content\":\"hi\"}]", "semantic-kernel"},
        {"[]", "semantic-kernel openai-chat anthropic"},
        {"[{\"role\":\"user\",\"content\":\"hi\"}]", "openai-chat anthropic"},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}", "openai-chat"},
        {"{\"input\":\"hi\"}", "openai-responses"},
        {"{\"model\":\"m\",\"output\":[]}", "openai-responses"},
        {"[{\"role\":\"system\",\"content\":\"hi\"},{\"name\":\"f\",\"call_id\":\"c\"}]", "openai-responses"},
        {"[{\"role\":\"system\",\"content\":\"hi\"}]", "openai-chat"},
        {"[{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"a\"}]}]", "anthropic"},
        /* nobody's */
        {"", NULL},
        {"{", NULL},
        {"{}", NULL},
        {"[", NULL},
        {"[null]", NULL},
        {"[{}]", NULL},
        {"[{\"a\":1}]", NULL},
        {"[{\"role\":\"user\",\"items\":5}]", NULL},
        {"{\"contents\":[{\"role\":\"user\",\"parts\":[]}]}", NULL},
        {"\"text\"", NULL},
        {"text", NULL},
        {"{\"input\":5}", NULL},
        {"{\"agentchat\":1}", NULL},
        {"{\"agentchat\"", NULL},
        {"{\"agentchat\":{}}", NULL},
        {"{\"Agentchat\":{\"format\":1}}", NULL},
        {"{\"agentchat\":{\"forma\\u0054\":1}}", NULL},
        {"{\"agentchat\":{\"format\\u0000\":1}}", NULL},
        {"{\"agentchat\":{\"forma\":1,\"formatt\":1,\"\":1}}", NULL},
        {"{\"agentchat\":{\"forma\\t\":1,\"forma\\u007\":1,\"forma\\u00g4\":1}}", NULL},
        {"{\"agentcha\\u0074", NULL},
    };

    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);
    aci_candidates found;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len = strlen(cases[i].text);
        char names[100] = "", *exact = malloc(len != 0 ? len : 1); /* no byte after the text may be looked at */

        assert_non_null(exact);
        memcpy(exact, cases[i].text, len);
        aci_detect(formats, count, exact, len, &found);
        for (size_t k = 0, used = 0; k < found.count; k++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? " " : "",
                                     found.list[k]->about.name);
        if (cases[i].format == NULL ? found.count != 0 : strcmp(names, cases[i].format) != 0)
            fail_msg("%s: %s", cases[i].text, names);
        free(exact);
    }
}

/* ---- several candidates -------------------------------------------------------------------------------------------
 */

static aci_likeness maybe(const char *data, size_t len)
{
    (void)data;
    return len > 0 ? ACI_LIKELY : ACI_UNLIKE;
}

static agentchat_status read_native(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    return aci_native_format.read_chat(in, out, err);
}

/* Reads what has no message in it. */
static agentchat_status read_nothing(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    static const char empty[] = "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],"
                                "\"channels\":[]}";

    memset(in->data, ' ', in->len);
    memcpy(in->data, empty, sizeof empty - 1);
    return read_native(in, out, err);
}

static agentchat_status read_never(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    (void)in;
    *out = NULL;
    return agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "never");
}

static const aci_format one = {.about = {.name = "one"}, .probe_chat = maybe, .read_chat = read_native};
static const aci_format two = {.about = {.name = "two"}, .probe_chat = maybe, .read_chat = read_native};
static const aci_format nothing = {.about = {.name = "nothing"}, .probe_chat = maybe, .read_chat = read_nothing};
static const aci_format never = {.about = {.name = "never"}, .probe_chat = maybe, .read_chat = read_never};

#define DOCUMENT                                                                                                       \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"role\":\"user\",\"items\":[{\"type\":\"text\","        \
    "\"text\":\"h\\u0069\"}"                                                                                           \
    "]}],\"participants\":[],\"channels\":[]}"

typedef struct candidates {
    const aci_format *list[3];
    size_t count;
    size_t notes; /* of the last reading that went well */
} candidates;

static agentchat_status settle(const agentchat_env *env, void *user, agentchat_error *err)
{
    candidates *c = user;
    aci_read in = {.env = aci_env(env), .len = sizeof DOCUMENT - 1};
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status = AGENTCHAT_E_NOMEM;

    agentchat_error_clear(err);
    in.limits = in.env->limits;
    in.report = aci_report_new(in.env);
    in.arena = aci_arena_new(in.env, 0);
    if (in.arena != NULL)
        in.data = aci_arena_alloc(in.arena, in.len + ACI_READ_PADDING);
    if (in.data != NULL && in.report != NULL) {
        memcpy(in.data, DOCUMENT, in.len);
        memset(in.data + in.len, 0, ACI_READ_PADDING);
        status = aci_detect_and_read(c->list, c->count, &in, &snapshot, err);
    } else {
        agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    }
    assert_true((status >= 0) == (snapshot != NULL));
    if (status >= 0) {
        assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 1);
        c->notes = agentchat_report_count_of(in.report, AGENTCHAT_REPORT_NOTE);
    }
    agentchat_snapshot_unref(snapshot);
    agentchat_report_free(in.report);
    aci_arena_unref(in.arena);
    return status;
}

static void test_detect__several_that_read_the_same(void **state)
{
    candidates same = {{&one, &never, &two}, 3, 0}, alone = {{&never, &two}, 2, 0};
    agentchat_error err;

    (void)state;
    test_ok(settle(NULL, &same, &err), &err);
    assert_int_equal(same.notes, 1);
    test_ok(settle(NULL, &alone, &err), &err);
    assert_int_equal(alone.notes, 0);
    assert_true(test_oom_sweep(settle, &same) > 10);
}

static void test_detect__several_that_read_differently(void **state)
{
    candidates differ = {{&one, &nothing}, 2, 0}, none = {{&never, &never}, 2, 0};
    agentchat_error err;

    (void)state;
    test_fails(settle(NULL, &differ, &err), &err, AGENTCHAT_E_SCHEMA, "", "read it differently: one, nothing; name");
    assert_int_equal(err.line, 1);
    test_fails(settle(NULL, &none, &err), &err, AGENTCHAT_E_SCHEMA, "", "never"); /* the first one's error */
}

/* A mark far from the beginning is found; one in the beginning of a large document is enough. */
static void test_detect__looks_as_far_as_it_must(void **state)
{
    enum { SIZE = 200000 };
    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);
    aci_candidates found;
    char *text = malloc(SIZE);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', SIZE);
    memcpy(text, "{\"a\":\"", 6);
    memcpy(text + SIZE - 16, "\",\"History\":[]}", 16);
    aci_detect(formats, count, text, SIZE, &found);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.list[0]->about.name, "semantic-kernel");
    memcpy(text, "{\"agentchat\":{\"synced\":\"", 25);
    memcpy(text + SIZE - 17, "\"},\"History\":[]}", 17);
    aci_detect(formats, count, text, SIZE, &found);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.list[0]->about.name, "semantic-kernel");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detect__knows_formats_by_their_marks),
        cmocka_unit_test(test_detect__several_that_read_the_same),
        cmocka_unit_test(test_detect__several_that_read_differently),
        cmocka_unit_test(test_detect__looks_as_far_as_it_must),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
