/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair: what becomes of each thing that a provider refuses; and histories that were broken at random, which a check
 * of its own finds legal afterwards. REPAIR_ROUNDS: how many of these (3000).
 */
#include "support/test_support.h"

#include <agentchat/agentchat.h>
#include <stdlib.h>

/* ---- histories as short texts ----------------------------------------------------------------------------------- */

/*
 * Messages are separated by " | ", items by " ". ROLE: s u a t d (system, user, assistant, tool, developer), then
 * items: .TEXT a text, !ID a call, ?ID a result ("?ID=TEXT" with what it says), *ISSUER reasoning, signed by that one.
 */
static void add_item(agentchat_message_builder *builder, const char *word)
{
    char name[400] = "";
    const char *value = strchr(word, '=');
    size_t len = value != NULL ? (size_t)(value - word) - 1 : strlen(word) - 1;

    memcpy(name, word + 1, len);
    name[len] = '\0';
    switch (*word) {
    case '.':
        agentchat_message_builder_add_text(builder, agentchat_str_from(name));
        return;
    case '!': /* its arguments after the = */
        agentchat_message_builder_add_call(builder, *name != '\0' ? agentchat_str_from(name) : agentchat_str_null(),
                                           agentchat_str_null(), AGENTCHAT_STR("f"),
                                           value != NULL ? agentchat_str_from(value + 1) : AGENTCHAT_STR("{}"));
        return;
    case '?':
        agentchat_message_builder_add_result_text(
            builder, *name != '\0' ? agentchat_str_from(name) : agentchat_str_null(), agentchat_str_null(),
            AGENTCHAT_STR("f"), value != NULL ? agentchat_str_from(value + 1) : AGENTCHAT_STR("r"));
        return;
    default:
        agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_REASONING);
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("hm"));
        if (*name != '\0') {
            agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_SIGNATURE, AGENTCHAT_STR("sig"));
            agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_ISSUER, agentchat_str_from(name));
        }
    }
}

static const char *role_of(char letter)
{
    return letter == 's'   ? "system"
           : letter == 'u' ? "user"
           : letter == 'a' ? "assistant"
           : letter == 'd' ? "developer"
                           : "tool";
}

static agentchat_messages *make(const char *text)
{
    agentchat_message *messages[80];
    agentchat_messages *list = NULL;
    char copy[4000], *rest = copy, *word;
    agentchat_message_builder *builder = NULL;
    agentchat_error err;
    size_t count = 0;

    (void)snprintf(copy, sizeof copy, "%s", text);
    while ((word = strtok_r(rest, " ", &rest)) != NULL) {
        if (*word == '|' || builder == NULL) {
            if (builder != NULL)
                test_ok(agentchat_message_builder_finish(builder, &messages[count++], &err), &err);
            word = *word == '|' ? strtok_r(rest, " ", &rest) : word;
            test_ok(agentchat_message_builder_new(NULL, role_of(*word), agentchat_str_null(), &builder, &err), &err);
        } else {
            add_item(builder, word);
        }
    }
    if (builder != NULL)
        test_ok(agentchat_message_builder_finish(builder, &messages[count++], &err), &err);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)messages, count, &list, &err), &err);
    while (count > 0)
        agentchat_message_unref(messages[--count]);
    return list;
}

/* The same the other way round. What was made says "=" and its text. */
static void print(const agentchat_messages *list, char *out, size_t size)
{
    size_t len = 0;

    *out = '\0';
    for (size_t m = 0; m < agentchat_messages_count(list); m++) {
        const agentchat_message *message = agentchat_messages_at(list, m);

        len +=
            (size_t)snprintf(out + len, size - len, "%s%c", m > 0 ? " | " : "", *agentchat_message_role(message).ptr);
        for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
            const agentchat_item *item = agentchat_message_item(message, i);
            agentchat_item_kind kind = agentchat_item_get_kind(item);
            bool is_text = kind == AGENTCHAT_ITEM_TEXT, is_call = kind == AGENTCHAT_ITEM_CALL;
            agentchat_str name = agentchat_item_get(item, is_text                            ? AGENTCHAT_FIELD_TEXT
                                                          : kind == AGENTCHAT_ITEM_REASONING ? AGENTCHAT_FIELD_ISSUER
                                                                                             : AGENTCHAT_FIELD_CALL_ID);
            agentchat_str value = is_call ? agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS)
                                          : agentchat_item_get(item, AGENTCHAT_FIELD_RESULT);

            len += (size_t)snprintf(out + len, size - len, " %c" AGENTCHAT_STR_FMT,
                                    is_text                            ? '.'
                                    : is_call                          ? '!'
                                    : kind == AGENTCHAT_ITEM_REASONING ? '*'
                                                                       : '?',
                                    AGENTCHAT_STR_ARG(name));
            if ((is_call && !agentchat_str_equal(value, AGENTCHAT_STR("{}"))) ||
                (kind == AGENTCHAT_ITEM_RESULT && !agentchat_str_equal(value, AGENTCHAT_STR("\"r\""))))
                len += (size_t)snprintf(out + len, size - len, "=" AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(value));
        }
        assert_true(len < size);
    }
}

static agentchat_messages *repair(const agentchat_messages *list, const char *profile,
                                  const agentchat_repair_options *options, agentchat_report **report)
{
    agentchat_messages *out = NULL;
    agentchat_error err;

    test_ok(agentchat_repair(NULL, list, agentchat_repair_profile_find(profile), options, &out, NULL, report, &err),
            &err);
    return out;
}

static void expect_with(const char *profile, const char *in, const char *expected,
                        const agentchat_repair_options *options)
{
    agentchat_messages *list = make(in), *out, *again;
    agentchat_report *report = NULL;
    char text[4000];

    out = repair(list, profile, options, &report);
    print(out, text, sizeof text);
    assert_string_equal(text, expected);
    if (strcmp(in, expected) == 0)
        assert_ptr_equal(agentchat_messages_at(out, 0), agentchat_messages_at(list, 0));
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_REPAIR) +
                             agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS) >
                         0,
                     strcmp(in, expected) != 0);
    agentchat_report_free(report);
    again = repair(out, profile, options, NULL); /* a second time nothing changes */
    print(again, text, sizeof text);
    assert_string_equal(text, expected);
    agentchat_messages_unref(again);
    agentchat_messages_unref(out);
    agentchat_messages_unref(list);
}

static void expect(const char *profile, const char *in, const char *expected)
{
    expect_with(profile, in, expected, NULL);
}

/* ---- what becomes of it ----------------------------------------------------------------------------------------- */

#define NONE "=\"[no result was recorded for this call]\""

static void test_what_is_legal_stays(void **state)
{
    static const char *const openai[] = {
        "s .be | u .hi | a .yes | u .x | a .ok !c1 !c2 | t ?c1 | t ?c2 | a .done",
        "u .x | a !c1 | t ?c1 | a !c1 | t ?c1", /* an id again */
        "u .x | a !c1 !c2 | t ?c2 | t ?c1 | u .go",
        "u .x | a !c1 !c2 | t ?c2", /* it waits */
        "u .x | a !c1",
        "a .hi",
        "d .be | u .x | s .later",
    };
    static const char *const anthropic[] = {
        "s .be | u .x | a .ok !c1 !c2 | u ?c1 ?c2 .go | a .done",
        "u .x | a !c1 | u ?c1 | u .go",
        "u .x | a *anthropic !c1",
        "u .x",
    };

    (void)state;
    for (size_t i = 0; i < sizeof openai / sizeof *openai; i++)
        expect("openai-chat", openai[i], openai[i]);
    for (size_t i = 0; i < sizeof anthropic / sizeof *anthropic; i++)
        expect("anthropic", anthropic[i], anthropic[i]);
}

static void test_calls_and_results_for_openai(void **state)
{
    static const char *const cases[][2] = {
        {"u .x | a !c1 | u .go", "u .x | a !c1 | t ?c1" NONE " | u .go"},
        {"u .x | a !c1 !c2 | t ?c2 | u .stop | t ?c1", "u .x | a !c1 !c2 | t ?c2 | t ?c1 | u .stop"},
        {"u .x | t ?c1 | a !c1 | u .go", "u .x | a !c1 | t ?c1 | u .go"}, /* the result came first */
        {"u .x | a !c1 | t ?c1=one | t ?c1=two | u .go", "u .x | a !c1 | t ?c1=\"one\\ntwo\" | u .go"},
        {"u .x | a !c1 | t ?c1=one | t ?c1=one | u .go", "u .x | a !c1 | t ?c1=\"one\" | u .go"},
        {"u .x | a !c1 !c1 | t ?c1=1 | t ?c1=2", "u .x | a !c1 !c1_2 | t ?c1=\"1\" | t ?c1_2=\"2\""},
        {"u .x | a ! ! | t ?=1 | t ?=2", "u .x | a !call !call_2 | t ?call=\"1\" | t ?call_2=\"2\""},
        {"u .x | a | u .y", "u .x | u .y"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect("openai-chat", cases[i][0], cases[i][1]);
    expect("openai-chat", "u .x | t ?c9", "u .x | u .[output of a tool]\nr");
}

static void test_calls_and_results_for_anthropic(void **state)
{
    static const char *const cases[][2] = {
        {"u .x | a !c1 !c2 !c3 | t ?c1 | t ?c2 | t ?c3 | a .ok", "u .x | a !c1 !c2 !c3 | u ?c1 ?c2 ?c3 | a .ok"},
        {"u .x | a !c1 !c2 | t ?c2 | u .go", "u .x | a !c1 !c2 | u ?c1" NONE " ?c2 | u .go"},
        {"u .x | a !c1 !c2 | u ?c2 .go", "u .x | a !c1 !c2 | u ?c1" NONE " ?c2 .go"},
        {"u .x | a !c1 | u .go | a .y | t ?c1", "u .x | a !c1 | u ?c1 | u .go | a .y"},
        {"u .x | a !a:1 !a_1 | u ?a:1 ?a_1", "u .x | a !a_1_2 !a_1 | u ?a_1_2 ?a_1"},
        {"u .x | a .ok . !c1 | u ?c1 | a .", "u .x | a .ok !c1 | u ?c1"},
        {"u .x | a !c1=7 | u ?c1", "u .x | a !c1={\"INVALID_JSON\": \"7\"} | u ?c1"},
        {"u .x | a !c1=\"no | u ?c1", NULL},
        {"s .one | s .two | u .x", "s .one .two | u .x"},
        {"d .one | u .x | s .two", "s .one .two | u .x"},
        {"u .x | s .late | a .y", "s .late | u .x | a .y"},
        {"u .x | a *openai .y *anthropic", "u .x | a .y"},
        {"u .x | a * | u .z", "u .x | u .z"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cases[i][1] != NULL)
            expect("anthropic", cases[i][0], cases[i][1]);
}

/* As chats have them whose agents call functions by themselves. */
static void test_what_was_said_after_results_stays_after_them(void **state)
{
    static const char *const cases[][3] = {
        {"u .x | a !c1 ?c1 .done", "u .x | a !c1 | t ?c1 | a .done", "u .x | a !c1 | u ?c1 | a .done"},
        {"u .x | a .wait !c1 !c2 ?c2 ?c1 .b | u .y", "u .x | a .wait !c1 !c2 | t ?c2 ?c1 | a .b | u .y",
         "u .x | a .wait !c1 !c2 | u ?c2 ?c1 | a .b | u .y"},
        {"u .x | a !c1 ?c1 !c2 ?c2 .b", "u .x | a !c1 | t ?c1 | a !c2 | t ?c2 | a .b",
         "u .x | a !c1 | u ?c1 | a !c2 | u ?c2 | a .b"},
        {"u .x | a !c1 ?c1 .one !c2", "u .x | a !c1 | t ?c1 | a .one !c2", "u .x | a !c1 | u ?c1 | a .one !c2"},
        {"u .x | a !c1 !c2 ?c1 .b | t ?c2 | u .y", "u .x | a !c1 !c2 | t ?c1 | t ?c2 | a .b | u .y",
         "u .x | a !c1 !c2 | u ?c1 ?c2 | a .b | u .y"},
        {"u .x | a !c1 ?c1 *openai .b", "u .x | a !c1 | t ?c1 | a .b", "u .x | a !c1 | u ?c1 | a .b"},
        {"u .x | a !c1 ?c1 !c2 !c3 ?c3 *openai .b | u .y",
         "u .x | a !c1 | t ?c1 | a !c2 !c3 | t ?c3 | t ?c2" NONE " | a .b | u .y",
         "u .x | a !c1 | u ?c1 | a !c2 !c3 | u ?c2" NONE " ?c3 | a .b | u .y"},
        {"u .x | a .b !c1 ?c1", "u .x | a .b !c1 | t ?c1", "u .x | a .b !c1 | u ?c1"},
        {"u .x | a !c1 ?c1 | a .b", "u .x | a !c1 | t ?c1 | a .b", "u .x | a !c1 | u ?c1 | a .b"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect("openai-chat", cases[i][0], cases[i][1]);
        expect("anthropic", cases[i][0], cases[i][2]);
    }
}

/* What stood in the message is in the last piece then, and nowhere else. */
static void test_an_extra_of_a_message_in_pieces(void **state)
{
    static const char chat[] =
        "[{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"x\"}]},{\"role\":\"assistant\",\"items\":["
        "{\"type\":\"call\",\"id\":\"c1\",\"function\":\"f\",\"arguments\":{}},{\"type\":\"result\",\"id\":\"c1\","
        "\"result\":\"r\"},"
        "{\"type\":\"text\",\"text\":\"done\"}],"
        "\"extras\":[{\"from\":\"openai-chat\",\"name\":\"cache_control\",\"value\":{}}]}]";
    agentchat_messages *list = NULL, *out, *again;
    agentchat_report *report = NULL;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_messages_read(NULL, agentchat_str_from(chat), &list, NULL, &err), &err);
    out = repair(list, "anthropic", NULL, NULL);
    assert_int_equal(agentchat_message_extra_count(agentchat_messages_at(out, 1)), 0);
    assert_int_equal(agentchat_item_extra_count(agentchat_message_item(agentchat_messages_at(out, 3), 0)), 1);
    again = repair(out, "anthropic", NULL, &report);
    assert_int_equal(agentchat_report_count(report), 0);
    agentchat_report_free(report);
    agentchat_messages_unref(again);
    agentchat_messages_unref(out);
    agentchat_messages_unref(list);
}

/* A message's author and time are those of all pieces; its id, metadata and extras, of the first one. */
static void test_pieces_of_a_message(void **state)
{
    static const char chat[] = "[{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"x\"}]},"
                               "{\"role\":\"assistant\",\"name\":\"Bo\",\"id\":\"m1\",\"time\":\"2026-11-29T10:00:"
                               "00Z\",\"metadata\":{\"n\":1},"
                               "\"items\":[{\"type\":\"call\",\"id\":\"c1\",\"function\":\"f\",\"arguments\":{}},"
                               "{\"type\":\"result\",\"id\":\"c1\",\"function\":\"f\",\"result\":\"r\"},{\"type\":"
                               "\"text\",\"text\":\"done\"}],"
                               "\"extras\":[{\"from\":\"some\",\"name\":\"n\",\"value\":2}]}]";
    agentchat_messages *list = NULL, *out;
    agentchat_report *report = NULL;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_messages_read(NULL, agentchat_str_from(chat), &list, NULL, &err), &err);
    out = repair(list, "openai-chat", NULL, &report);
    assert_int_equal(agentchat_messages_count(out), 4);
    for (size_t i = 1; i < 4; i++) {
        const agentchat_message *message = agentchat_messages_at(out, i);

        assert_true(
            agentchat_str_equal(agentchat_message_role(message), agentchat_str_from(i == 2 ? "tool" : "assistant")));
        assert_int_equal(agentchat_message_get(message, AGENTCHAT_FIELD_NAME).len, i == 2 ? 0 : 2);
        assert_int_equal(agentchat_message_get(message, AGENTCHAT_FIELD_TIME).len, i == 2 ? 0 : 20);
        assert_int_equal(agentchat_message_get(message, AGENTCHAT_FIELD_ID).len, i == 1 ? 2 : 0);
        assert_int_equal(agentchat_message_get(message, AGENTCHAT_FIELD_METADATA).ptr != NULL, i == 1);
        assert_int_equal(agentchat_message_extra_count(message), i == 1);
    }
    assert_int_equal(agentchat_report_count(report), 1);
    assert_true(agentchat_str_equal(agentchat_report_at(report, 0)->path, AGENTCHAT_STR("/history/1/items/1")));
    agentchat_report_free(report);
    agentchat_messages_unref(out);
    agentchat_messages_unref(list);
}

static void test_a_history_that_waits_is_completed_on_request(void **state)
{
    agentchat_repair_options options = AGENTCHAT_REPAIR_OPTIONS_INIT;

    (void)state;
    options.complete = true;
    expect_with("openai-chat", "u .x | a !c1 !c2 | t ?c2", "u .x | a !c1 !c2 | t ?c2 | t ?c1" NONE, &options);
    expect_with("anthropic", "u .x | a !c1", "u .x | a !c1 | u ?c1" NONE, &options);
    options.complete = false;
    options.from = "anthropic"; /* whose own later system messages it takes */
    expect_with("anthropic", "u .x | s .late | a *openai .y", "u .x | s .late | a .y", &options);
}

static void test_names(void **state)
{
    static const char *const names[] = {"ok", "a.b", "a b", "",
                                        "n234567890123456789012345678901234567890123456789012345678901234567890"};
    static const char *const expected[] = {"ok", "a_b", "a_b_2", "unknown",
                                           "n234567890123456789012345678901234567890123456789012345678901234"};
    agentchat_message_builder *builder = NULL;
    agentchat_message *message = NULL;
    const agentchat_message *one;
    agentchat_messages *list = NULL, *out;
    agentchat_error err;
    char id[8];

    (void)state;
    test_ok(agentchat_message_builder_new(NULL, "assistant", agentchat_str_null(), &builder, &err), &err);
    for (size_t i = 0; i < 5; i++) {
        (void)snprintf(id, sizeof id, "c%zu", i);
        agentchat_message_builder_add_call(builder, agentchat_str_from(id), agentchat_str_null(),
                                           agentchat_str_from(names[i]), AGENTCHAT_STR("{}"));
    }
    agentchat_message_builder_add_call(builder, AGENTCHAT_STR("c9"), AGENTCHAT_STR("plug.in"), AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{}"));
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    one = message;
    test_ok(agentchat_messages_new(NULL, &one, 1, &list, &err), &err);
    out = repair(list, "openai-chat", NULL, NULL);
    for (size_t i = 0; i < 5; i++)
        assert_true(agentchat_str_equal(
            agentchat_item_get(agentchat_message_item(agentchat_messages_at(out, 0), i), AGENTCHAT_FIELD_FUNCTION),
            agentchat_str_from(expected[i])));
    assert_true(agentchat_str_equal(
        agentchat_item_get(agentchat_message_item(agentchat_messages_at(out, 0), 5), AGENTCHAT_FIELD_FUNCTION),
        AGENTCHAT_STR("plug_in-f")));
    agentchat_messages_unref(out);
    agentchat_messages_unref(list);
    agentchat_message_unref(message);
}

/* Messages as the native format spells them: what the short texts above do not say. */
static void test_media_authors_and_forms(void **state)
{
#define M(role, items) "[{\"role\":\"" role "\",\"items\":[" items "]}]"
#define MEDIA(kind, type) "{\"type\":\"" kind "\",\"mimetype\":\"" type "\",\"data\":\"AAEC\"}"
#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
#define SAID(more) "{\"role\":\"assistant\",\"items\":[" more TEXT("x") "]}"
#define THOUGHT(more, id)                                                                                              \
    "[{\"role\":\"assistant\",\"items\":[{\"type\":\"reasoning\"" more                                                 \
    ",\"extras\":[{\"from\":\"openai-responses\",\"name\":\"id\",\"value\":\"rs_1\"}]}," TEXT("x") "]" id "}"
#define NEXT ",{\"role\":\"user\",\"items\":[" TEXT("y") "]}]"
    static const struct {
        const char *profile, *in, *expected;
    } cases[] = {
        {"anthropic", M("user", MEDIA("image", "application/pdf")), M("user", MEDIA("binary", "application/pdf"))},
        {"anthropic", M("user", MEDIA("image", "IMAGE/JPG; q=1")), M("user", MEDIA("image", "image/jpeg"))},
        {"anthropic", M("user", "{\"type\":\"image\",\"data\":\"R0lGODlhAAAAAAAA\"}"),
         M("user", "{\"type\":\"image\",\"mimetype\":\"image/gif\",\"data\":\"R0lGODlhAAAAAAAA\"}")},
        {"anthropic", M("user", MEDIA("audio", "audio/wav")),
         M("user", TEXT("[audio of type audio/wav, which anthropic does not take]"))},
        {"openai-chat", M("user", MEDIA("audio", "audio/x-wav")), M("user", MEDIA("audio", "audio/wav"))},
        {"openai-chat", M("user", "{\"type\":\"binary\",\"uri\":\"https://e.org/x\"}"),
         M("user", TEXT("[a file, which openai-chat does not take: https://e.org/x]"))},
        {"openai-chat", M("user", "{\"type\":\"binary\",\"mimetype\":\"text/csv\",\"data\":\"YSxi\"}"),
         M("user", TEXT("a,b"))},
        {"openai-chat", M("assistant", TEXT("see") "," MEDIA("image", "image/png")),
         "[{\"role\":\"assistant\",\"items\":[" TEXT("see") "]},{\"role\":\"user\",\"items\":[" MEDIA(
             "image", "image/png") "]}]"},
        {"openai-chat",
         "[{\"role\":\"assistant\",\"items\":[{\"type\":\"call\",\"id\":\"c\",\"function\":\"f\"}]},{\"role\":"
         "\"tool\",\"items\":[{\"type\":\"result\",\"id\":\"c\",\"content\":[" MEDIA("image", "image/png") "]}]}]",
         "[{\"role\":\"assistant\",\"items\":[{\"type\":\"call\",\"id\":\"c\",\"function\":\"f\"}]},{\"role\":"
         "\"tool\",\"items\":[{\"type\":\"result\",\"id\":\"c\",\"content\":[{\"type\":\"text\",\"text\":\"[it "
         "follows]\"}]}]},{\"role\":"
         "\"user\",\"items\":[" MEDIA("image", "image/png") "]}]"},
        {"openai-chat",
         "[{\"role\":\"user\",\"name\":\"A b\",\"items\":[" TEXT(
             "x") "]},{\"role\":\"user\",\"name\":"
                  "\"A_b\",\"items\":[" TEXT("y") "]},{\"role\":\"user\",\"name\":\"A b\",\"items\":[" TEXT("z") "]}]",
         "[{\"role\":\"user\",\"name\":\"A_b_2\",\"items\":[" TEXT(
             "x") "]},{\"role\":\"user\",\"name\":"
                  "\"A_b\",\"items\":[" TEXT("y") "]},{\"role\":\"user\",\"name\":\"A_b_2\",\"items\":[" TEXT(
                      "z") "]}]"},
        {"openai-chat", "[{\"role\":\"user\",\"name\":\"\",\"items\":[" TEXT("x") "]}]", M("user", TEXT("x"))},
        {"openai-chat", M("tool", TEXT("x")), M("user", TEXT("x"))},
        {"anthropic", M("user", TEXT(" ") "," TEXT("\\u0000")), M("user", TEXT("\\u0000"))}, /* which is a text */
        {"anthropic", M("user", TEXT(" ")), M("user", TEXT(" "))},
        {"anthropic",
         "[{\"role\":\"user\",\"items\":[" TEXT("x") "],\"extras\":[{\"from\":\"openai-chat\",\"name\":"
                                                     "\"cache_control\",\"value\":1}]}]",
         M("user", "{\"type\":\"text\",\"text\":\"x\",\"extras\":[{\"from\":\"openai-chat\",\"name\":\"cache_control\","
                   "\"value\":1}]}")},
        {"anthropic", M("user", "{\"type\":\"annotation\",\"title\":\"T\"}"), "[]"},
        /* stored reasoning goes where what followed it is missing, or loses its id; at the end it may still follow */
        {"openai-responses", THOUGHT("", "") NEXT, "[" SAID("") NEXT},
        {"openai-responses", THOUGHT(",\"signature\":\"s\",\"issuer\":\"openai-responses\"", "") NEXT,
         "[{\"role\":\"assistant\",\"items\":[{\"type\":\"reasoning\",\"signature\":\"s\",\"issuer\":\"openai-"
         "responses\"}"
         "," TEXT("x") "]}" NEXT},
        {"openai-responses", THOUGHT("", ",\"id\":\"msg_1\"") NEXT, THOUGHT("", ",\"id\":\"msg_1\"") NEXT},
        {"openai-responses", THOUGHT("", "") "]", THOUGHT("", "") "]"},
        {"openai-responses",
         M("tool", "{\"type\":\"opaque\",\"from\":\"openai-responses\",\"kind\":\"a_output\",\"raw\":{}}"),
         M("tool", "{\"type\":\"opaque\",\"from\":\"openai-responses\",\"kind\":\"a_output\",\"raw\":{}}")},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_messages *list = NULL, *out, *again;
        agentchat_bytes text = AGENTCHAT_BYTES_INIT;
        agentchat_error err;

        test_ok(agentchat_messages_read(NULL, agentchat_str_from(cases[i].in), &list, NULL, &err), &err);
        out = repair(list, cases[i].profile, NULL, NULL);
        again = repair(out, cases[i].profile, NULL, NULL);
        test_ok(agentchat_messages_write(again, &text, &err), &err);
        assert_string_equal(text.ptr, cases[i].expected);
        agentchat_bytes_clear(&text);
        agentchat_messages_unref(again);
        agentchat_messages_unref(out);
        agentchat_messages_unref(list);
    }
#undef M
#undef MEDIA
#undef TEXT
#undef SAID
#undef THOUGHT
#undef NEXT
}

static void test_a_check_says_where(void **state)
{
    agentchat_messages *list = make("a .hi | u .x | a !c1 | u .go | t ?c9");
    agentchat_report *report = NULL;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_check_for(NULL, list, agentchat_repair_profile_find("anthropic"), NULL, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_NOTE), 1); /* the assistant is first */
    assert_true(agentchat_report_count_of(report, AGENTCHAT_REPORT_REPAIR) >= 2);
    assert_true(agentchat_str_equal(agentchat_report_at(report, 0)->path, AGENTCHAT_STR("/history/4/items/0")));
    agentchat_report_free(report);
    assert_null(agentchat_repair_profile_find("nobody"));
    assert_null(agentchat_repair_profile_find(NULL));
    assert_int_equal(agentchat_check_for(NULL, list, NULL, NULL, &report, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_check_for(NULL, list, agentchat_repair_profile_find("anthropic"), NULL, NULL, &err),
                     AGENTCHAT_E_INVALID);
    agentchat_messages_unref(list);
}

/* What a document says is read and written in the way that is usual, and strictly: the same, as nothing is refused. */
static void test_what_was_accepted_is_written_as_it_was(void **state)
{
    static const char *const documents[][2] = {
        {"openai-chat",
         "[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"assistant\",\"content\":null,\"function_call\":"
         "{\"name\":\"f\",\"arguments\":\"{}\"}},{\"role\":\"function\",\"name\":\"f\",\"content\":\"r\"}]"},
        {"anthropic",
         "{\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"system\",\"content\":"
         "\"late\"},{\"role\":\"assistant\",\"content\":[]}]}"},
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        agentchat_read_options reading = AGENTCHAT_READ_OPTIONS_INIT;
        agentchat_write_options writing = AGENTCHAT_WRITE_OPTIONS_INIT;
        agentchat_bytes usual = AGENTCHAT_BYTES_INIT, strict = AGENTCHAT_BYTES_INIT;
        agentchat_snapshot *snapshot = NULL;
        agentchat_report *report = NULL;
        agentchat_error err;

        reading.format = writing.format = documents[i][0];
        test_ok(
            agentchat_snapshot_read_memory(NULL, agentchat_str_from(documents[i][1]), &reading, &snapshot, NULL, &err),
            &err);
        test_ok(agentchat_snapshot_write_memory(snapshot, &writing, &usual, &report, &err), &err);
        assert_int_equal(agentchat_report_count(report), 0);
        writing.strict = true;
        test_ok(agentchat_snapshot_write_memory(snapshot, &writing, &strict, NULL, &err), &err);
        assert_string_equal(usual.ptr, strict.ptr);
        agentchat_report_free(report);
        agentchat_bytes_clear(&usual);
        agentchat_bytes_clear(&strict);
        agentchat_snapshot_unref(snapshot);
    }
}

/* ---- broken at random ------------------------------------------------------------------------------------------- */

static uint64_t seed;

static size_t below(size_t n)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (size_t)(seed >> 33) % n;
}

/* A history of up to 12 messages with a few ids, in any order; only assistants call. */
static void make_random(char *out, size_t size)
{
    static const char *const calls[] = {".t", ".",          "!c1",   "!c2", "!c3", "!b:d", "!", "*",
                                        "*",  "*anthropic", "!c1=7", "?c1", "?c2", "?",    ".t"};
    static const char *const results[] = {".t", ".", "?c1", "?c2", "?c3", "?b:d", "?", "?c1=o"};
    size_t len = 0, count = 1 + below(12);

    *out = '\0';
    for (size_t m = 0; m < count; m++) {
        char role = "uuaaatttsd"[below(10)];

        len += (size_t)snprintf(out + len, size - len, "%s%c", m > 0 ? " | " : "", role);
        for (size_t i = below(role == 'a' ? 7 : 4); i > 0; i--)
            len += (size_t)snprintf(out + len, size - len, " %s",
                                    role == 'a'                  ? calls[below(sizeof calls / sizeof *calls)]
                                    : role == 's' || role == 'd' ? ".t"
                                                                 : results[below(8)]);
    }
}

static agentchat_str id_at(const agentchat_item *item)
{
    return agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID);
}

/* Finds the result of a call in a message, and how many there are. */
static size_t results_in(const agentchat_message *message, agentchat_str id)
{
    size_t count = 0;

    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);

        count += agentchat_item_get_kind(item) == AGENTCHAT_ITEM_RESULT && agentchat_str_equal(id_at(item), id);
    }
    return count;
}

static bool has_only_results(const agentchat_message *message)
{
    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        if (agentchat_item_get_kind(agentchat_message_item(message, i)) != AGENTCHAT_ITEM_RESULT)
            return false;
    return agentchat_message_item_count(message) > 0;
}

/* Whether each call has one result in the messages that answer it, unless it waits, and each result a call before. */
static const char *what_is_illegal(const agentchat_messages *list)
{
    size_t count = agentchat_messages_count(list), results = 0, answered = 0, last = count;

    while (last > 0 && has_only_results(agentchat_messages_at(list, last - 1)))
        last--;
    for (size_t m = 0; m < count; m++) {
        const agentchat_message *message = agentchat_messages_at(list, m);

        for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
            const agentchat_item *item = agentchat_message_item(message, i);
            size_t found = 0, next = m + 1;

            results += agentchat_item_get_kind(item) == AGENTCHAT_ITEM_RESULT;
            if (agentchat_item_get_kind(item) != AGENTCHAT_ITEM_CALL)
                continue;
            for (size_t k = 0; k < i; k++) {
                const agentchat_item *other = agentchat_message_item(message, k);

                if (agentchat_item_get_kind(other) == AGENTCHAT_ITEM_CALL &&
                    agentchat_str_equal(id_at(other), id_at(item)))
                    return "an id twice in a message";
            }
            if (id_at(item).len == 0)
                return "a call without an id";
            while (next < count && has_only_results(agentchat_messages_at(list, next)))
                found += results_in(agentchat_messages_at(list, next++), id_at(item));
            if (next < count && !agentchat_str_equal(agentchat_message_role(agentchat_messages_at(list, next)),
                                                     AGENTCHAT_STR("assistant")))
                found += results_in(agentchat_messages_at(list, next), id_at(item));
            if (found > 1 || (found == 0 && m + 1 != last))
                return found > 1 ? "two results" : "no result";
            answered += found;
        }
    }
    return results == answered ? NULL : "a result without a call";
}

static void test_what_was_broken_at_random_is_legal(void **state)
{
    static const char *const profiles[] = {"openai-chat", "anthropic"};
    size_t rounds = (size_t)test_number("REPAIR_ROUNDS", 3000);

    (void)state;
    seed = 7;
    for (size_t i = 0; i < rounds; i++) {
        char text[4000], once[8000], twice[8000];
        agentchat_messages *list, *out, *again;
        const char *why;

        make_random(text, sizeof text);
        list = make(text);
        out = repair(list, profiles[i % 2], NULL, NULL);
        print(out, once, sizeof once);
        why = what_is_illegal(out);
        again = repair(out, profiles[i % 2], NULL, NULL);
        print(again, twice, sizeof twice);
        if (why != NULL || strcmp(once, twice) != 0)
            fail_msg("%s, round %zu: %s\nbecame: %s\nthen:   %s\n%s", profiles[i % 2], i, text, once, twice,
                     why != NULL ? why : "a second repair changes something");
        agentchat_messages_unref(again);
        agentchat_messages_unref(out);
        agentchat_messages_unref(list);
    }
}

/* Adds a step to an edit list, for one element; SIZE_MAX: all of them. */
static void take_step(agentchat_list_edit *to, const agentchat_edit_step *step, size_t without)
{
    agentchat_error err;

    for (size_t i = 0; step->kind == AGENTCHAT_EDIT_REMOVE && i < step->count; i++)
        if (i != without)
            test_ok(agentchat_list_edit_remove(to, step->index + i, 1, &err), &err);
    if (step->kind == AGENTCHAT_EDIT_REPLACE && without != 0)
        test_ok(agentchat_list_edit_replace(to, step->index, step->message, &err), &err);
    if (step->kind == AGENTCHAT_EDIT_INSERT && without != 0)
        test_ok(agentchat_list_edit_insert(to, step->index, step->message, &err), &err);
}

/* How much a list says. */
static size_t count_said(const agentchat_messages *list)
{
    char text[8000];

    print(list, text, sizeof text);
    return strlen(text);
}

/* Whether a repair without one of its changes leaves an error, or loses something. left_out: of which step, and of
   which element; all: how much it says after the whole of it. */
static bool is_needed(const agentchat_messages *list, const agentchat_list_edit *edit, size_t left_out, size_t element,
                      const agentchat_repair_profile *profile, size_t all)
{
    agentchat_edit_step step = {.kind = (agentchat_edit_kind)0};
    agentchat_list_edit *rest = NULL;
    agentchat_messages *out = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;
    bool is;

    test_ok(agentchat_list_edit_new(NULL, agentchat_messages_count(list), &rest, &err), &err);
    for (size_t i = 0; agentchat_list_edit_next(edit, &step); i++)
        take_step(rest, &step, i == left_out ? element : SIZE_MAX);
    test_ok(agentchat_list_edit_apply(rest, list, &out, &err), &err);
    test_ok(agentchat_check_for(NULL, out, profile, NULL, &report, &err), &err);
    is = agentchat_report_count_of(report, AGENTCHAT_REPORT_REPAIR) +
                 agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS) >
             0 ||
         count_said(out) < all;
    agentchat_report_free(report);
    agentchat_messages_unref(out);
    agentchat_list_edit_free(rest);
    return is;
}

/* Whether one of two equal results stood in an assistant's message: it is as good to keep the other one. */
static bool is_tie(const agentchat_messages *list, const agentchat_report *report)
{
    bool has_own = false, is_joined = false;

    for (size_t m = 0; m < agentchat_messages_count(list); m++) {
        const agentchat_message *message = agentchat_messages_at(list, m);

        for (size_t i = 0; i < agentchat_message_item_count(message); i++)
            has_own = has_own || (agentchat_str_equal(agentchat_message_role(message), AGENTCHAT_STR("assistant")) &&
                                  agentchat_item_get_kind(agentchat_message_item(message, i)) == AGENTCHAT_ITEM_RESULT);
    }
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_str joined = AGENTCHAT_STR("the result was joined"),
                            text = agentchat_report_at(report, i)->text;

        is_joined = is_joined || (text.len >= joined.len && memcmp(text.ptr, joined.ptr, joined.len) == 0);
    }
    return has_own && is_joined;
}

static void test_no_change_can_be_left_out(void **state)
{
    static const char *const profiles[] = {"openai-chat", "anthropic"};
    size_t rounds = (size_t)test_number("REPAIR_ROUNDS", 3000);

    (void)state;
    seed = 11;
    for (size_t i = 0; i < rounds; i++) {
        const agentchat_repair_profile *profile = agentchat_repair_profile_find(profiles[i % 2]);
        agentchat_edit_step step = {.kind = (agentchat_edit_kind)0};
        agentchat_list_edit *edit = NULL;
        agentchat_messages *list, *out = NULL;
        agentchat_report *report = NULL;
        agentchat_error err;
        char text[4000];

        make_random(text, sizeof text);
        list = make(text);
        test_ok(agentchat_repair(NULL, list, profile, NULL, &out, &edit, &report, &err), &err);
        for (size_t s = 0; !is_tie(list, report) && agentchat_list_edit_next(edit, &step); s++) {
            size_t elements = step.kind == AGENTCHAT_EDIT_KEEP ? 0 : step.count > 0 ? step.count : 1;

            for (size_t e = 0; e < elements; e++)
                if (!is_needed(list, edit, s, e, profile, count_said(out)))
                    fail_msg("%s, round %zu: %s\nthe change of message %zu can be left out (%d)", profiles[i % 2], i,
                             text, step.index + e, (int)step.kind);
        }
        agentchat_report_free(report);
        agentchat_list_edit_free(edit);
        agentchat_messages_unref(out);
        agentchat_messages_unref(list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_legal_stays),
        cmocka_unit_test(test_calls_and_results_for_openai),
        cmocka_unit_test(test_calls_and_results_for_anthropic),
        cmocka_unit_test(test_a_history_that_waits_is_completed_on_request),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_media_authors_and_forms),
        cmocka_unit_test(test_a_check_says_where),
        cmocka_unit_test(test_what_was_accepted_is_written_as_it_was),
        cmocka_unit_test(test_what_was_said_after_results_stays_after_them),
        cmocka_unit_test(test_pieces_of_a_message),
        cmocka_unit_test(test_an_extra_of_a_message_in_pieces),
        cmocka_unit_test(test_what_was_broken_at_random_is_legal),
        cmocka_unit_test(test_no_change_can_be_left_out),
    };

    return cmocka_run_group_tests_name("repair", tests, NULL, NULL);
}
