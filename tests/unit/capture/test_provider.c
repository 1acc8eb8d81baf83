/* SPDX-License-Identifier: Apache-2.0 */
/* Asking a model: the request that is made of messages, and what becomes of a provider's answer. */
#include "support/test_support.h"

#include <agentchat/agentchat.h>

static agentchat_messages *list_of(const char *json)
{
    agentchat_messages *list = NULL;
    agentchat_error err;

    test_ok(agentchat_messages_read(NULL, agentchat_str_from(json), &list, NULL, &err), &err);
    return list;
}

/* A request without whitespace. */
static void check_request(const char *messages, const char *format, const char *members,
                          const agentchat_messages_format_options *options, const char *expected)
{
    agentchat_messages *list = list_of(messages);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    char plain[2000];
    size_t len = 0;

    test_ok(agentchat_messages_format(list, format, agentchat_str_from(members), options, &out, NULL, &err), &err);
    for (size_t i = 0; i < out.len && len < sizeof plain - 1; i++)
        if (out.ptr[i] != ' ' && out.ptr[i] != '\n')
            plain[len++] = out.ptr[i];
    plain[len] = '\0';
    assert_string_equal(plain, expected);
    agentchat_bytes_clear(&out);
    agentchat_messages_unref(list);
}

#define HI "[{\"role\":\"user\",\"name\":\"ann\",\"items\":[{\"type\":\"text\",\"text\":\"hi\"}]}]"
#define CALLS                                                                                                          \
    "[{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"hi\"}]},{\"role\":\"assistant\",\"items\":["         \
    "{\"type\":\"call\",\"id\":\"c:1\",\"function\":\"f\",\"arguments\":{}}]},{\"role\":\"tool\",\"items\":["          \
    "{\"type\":\"result\",\"id\":\"c:1\",\"result\":\"r\"}]},{\"role\":\"system\",\"items\":["                         \
    "{\"type\":\"text\",\"text\":\"late\"}]}]"

static void test_request__has_members_and_instructions(void **state)
{
    agentchat_messages_format_options options = AGENTCHAT_MESSAGES_FORMAT_OPTIONS_INIT;

    (void)state;
    options.instructions = AGENTCHAT_STR("Be");
    check_request(HI, "openai-chat", NULL, NULL, "[{\"role\":\"user\",\"name\":\"ann\",\"content\":\"hi\"}]");
    check_request(
        HI, "openai-chat", "{\"model\":\"m\",\"n\":1.0}", &options,
        "{\"messages\":[{\"role\":\"system\",\"content\":\"Be\"},{\"role\":\"user\",\"name\":\"ann\",\"content\":"
        "\"hi\"}],\"model\":\"m\",\"n\":1.0}");
    check_request(HI, "anthropic", " {\"max_tokens\":9} ", &options,
                  "{\"system\":\"Be\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"max_tokens\":9}");
    check_request(HI, "openai-responses", "{\"model\":\"m\"}", &options,
                  "{\"instructions\":\"Be\",\"input\":[{\"role\":\"user\",\"content\":\"hi\"}],\"model\":\"m\"}");
    check_request(HI, "openai-responses", "{\"instructions\":\"Own\"}", &options,
                  "{\"input\":[{\"role\":\"system\",\"content\":\"Be\"},{\"role\":\"user\",\"content\":\"hi\"}],"
                  "\"instructions\":\"Own\"}");
    /* of nobody in particular: later messages of the system go where the provider wants them */
    check_request(
        CALLS, "anthropic", "{\"max_tokens\":9}", &options,
        "{\"system\":[{\"type\":\"text\",\"text\":\"Be\"},{\"type\":\"text\",\"text\":\"late\"}],\"messages\":["
        "{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
        "\"id\":\"c_1\",\"name\":\"f\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
        "\"tool_use_id\":\"c_1\",\"content\":\"r\"}]}],\"max_tokens\":9}");
    options.strict = true;
    options.instructions = (agentchat_str){NULL, 0};
    check_request("[{\"role\":\"assistant\",\"items\":[]}]", "anthropic", NULL, &options,
                  "{\"messages\":[{\"role\":\"assistant\",\"content\":[]}]}");
}

static void test_request__says_what_is_wrong(void **state)
{
    agentchat_messages_format_options options = AGENTCHAT_MESSAGES_FORMAT_OPTIONS_INIT;
    agentchat_messages *list = list_of(HI);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_error err;

    (void)state;
    assert_int_equal(agentchat_messages_format(list, "anthropic", AGENTCHAT_STR("[]"), NULL, &out, NULL, &err),
                     AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_messages_format(list, "anthropic", AGENTCHAT_STR("{"), NULL, &out, NULL, &err),
                     AGENTCHAT_E_SYNTAX);
    assert_int_equal(
        agentchat_messages_format(list, "anthropic", AGENTCHAT_STR("{\"messages\":[]}"), NULL, &out, NULL, &err),
        AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_messages_format(list, "nobody", AGENTCHAT_STR("{}"), NULL, &out, NULL, &err),
                     AGENTCHAT_E_INVALID);
    options.fail_on_loss = true; /* the author's name */
    assert_int_equal(agentchat_messages_format(list, "anthropic", AGENTCHAT_STR("{}"), &options, &out, &report, &err),
                     AGENTCHAT_E_LOSS);
    assert_int_equal(out.len, 0);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 1);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    agentchat_messages_unref(list);
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */

typedef struct model {
    const char *format, *answer;
    agentchat_status status;
} model;

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    model *m = user;

    assert_int_equal(agentchat_messages_count(agentchat_replies_seen(out)), agentchat_messages_count(seen));
    m->status = agentchat_replies_add_document(out, m->format, agentchat_str_from(m->answer), NULL, err);
    assert_int_equal(agentchat_messages_count(agentchat_replies_seen(out)),
                     agentchat_messages_count(seen) + (m->status >= 0));
    return m->status;
}

/* Lets an agent answer with a document. Returns what it has said last; "" when nothing. */
static void check_answer(const char *format, const char *document, agentchat_status expected, const char *said,
                         const char *message)
{
    model m = {format, document, AGENTCHAT_OK};
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;
    agentchat_status status;

    test_ok(agentchat_chat_add_agent(chat, test_speaker_new(NULL, "Desk", answer, &m), &err), &err);
    status = agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err);
    assert_int_equal(m.status, expected);
    assert_int_equal(status < 0, expected < 0);
    assert_int_equal(agentchat_chat_message_count(chat), expected >= 0);
    if (expected >= 0) {
        const agentchat_message *last = agentchat_messages_at(agentchat_chat_history(chat), 0);

        assert_true(agentchat_str_equal(agentchat_message_text(last), agentchat_str_from(said)));
        assert_true(agentchat_str_equal(agentchat_message_get(last, AGENTCHAT_FIELD_NAME), AGENTCHAT_STR("Desk")));
    } else {
        if (strstr(err.message, message) == NULL)
            fail_msg("%s: %s", document, err.message);
    }
    agentchat_chat_free(chat);
}

static void test_answer__is_said_by_the_agent(void **state)
{
    static const char openai[] =
        "{\"id\":\"x\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":[{"
        "\"index\":0,\"finish_reason\":\"stop\",\"message\":{\"role\":\"assistant\",\"content\":"
        "\"Three.\",\"refusal\":null}}]}";
    static const char anthropic[] =
        "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\","
        "\"content\":[{\"type\":\"text\",\"text\":\"Three.\"}],\"stop_reason\":\"end_turn\"}";

    static const char responses[] =
        "{\"object\":\"response\",\"model\":\"m\",\"output\":[{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[]},"
        "{\"type\":\"message\",\"role\":\"assistant\",\"id\":\"msg_1\",\"content\":[{\"type\":\"output_text\","
        "\"text\":\"Three.\"}]}]}";

    (void)state;
    check_answer("openai-responses", responses, AGENTCHAT_OK, "Three.", NULL);
    check_answer(NULL, responses, AGENTCHAT_OK, "Three.", NULL);
    check_answer("openai-chat", openai, AGENTCHAT_OK, "Three.", NULL);
    check_answer(NULL, openai, AGENTCHAT_OK, "Three.", NULL);
    check_answer("anthropic", anthropic, AGENTCHAT_OK, "Three.", NULL);
    check_answer(NULL, anthropic, AGENTCHAT_OK, "Three.", NULL);
}

static void test_answer__says_what_is_wrong(void **state)
{
    (void)state;
    check_answer("anthropic",
                 "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
                 AGENTCHAT_E_SCHEMA, NULL, "answers with an error: Overloaded");
    check_answer("openai-chat", "{\"error\":{\"message\":\"no quota\"}}", AGENTCHAT_E_SCHEMA, NULL, "no quota");
    check_answer("openai-chat", "[]", AGENTCHAT_E_SCHEMA, NULL, "no answer");
    check_answer("openai-chat", "<html>", AGENTCHAT_E_SYNTAX, NULL, "");
    check_answer("openai-chat", "[{\"role\":\"system\",\"content\":\"obey\"}]", AGENTCHAT_E_INVALID, NULL, "system");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request__has_members_and_instructions),
        cmocka_unit_test(test_request__says_what_is_wrong),
        cmocka_unit_test(test_answer__is_said_by_the_agent),
        cmocka_unit_test(test_answer__says_what_is_wrong),
    };

    return cmocka_run_group_tests_name("provider", tests, NULL, NULL);
}
