/* SPDX-License-Identifier: Apache-2.0 */
/* Running summaries: what a model is asked, what goes, what the state remembers, over several turns. */
#include "support/test_support.h"

#include <agentchat/list_edit.h>
#include <string.h>

enum { MOST = 16, ROOM = 512 };

/* "u:ID" a user's message, "s:TEXT" a system message, "c:ID" a call, "r:ID" its result: c and r of one id belong
   together; a text is the same as the id, and an id that begins with "-" is none. */
static agentchat_message *message_of(const char *spec)
{
    const char *id = spec + 2, *role = *spec == 'u' ? "user" : *spec == 's' ? "system" : *spec == 'c' ? "ai" : "tool";
    agentchat_message_builder *b = test_message_builder(NULL, role, NULL);
    agentchat_message *message;
    agentchat_error err;

    if (*spec == 'u' && *id != '-')
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, agentchat_str_from(id));
    if (*spec == 'c')
        agentchat_message_builder_add_call(b, agentchat_str_from(id), (agentchat_str){NULL, 0}, AGENTCHAT_STR("f"),
                                           AGENTCHAT_STR("{}"));
    else if (*spec == 'r')
        agentchat_message_builder_add_result(b, agentchat_str_from(id), (agentchat_str){NULL, 0}, AGENTCHAT_STR("f"),
                                             AGENTCHAT_STR("1"));
    else
        agentchat_message_builder_add_text(b, agentchat_str_from(id));
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    return message;
}

static agentchat_messages *list_of(const char *specs)
{
    agentchat_message *list[MOST];
    agentchat_messages *messages;
    size_t count = 0;
    char copy[ROOM];
    agentchat_error err;

    (void)snprintf(copy, sizeof copy, "%s", specs);
    for (char *spec = strtok(copy, " "); spec != NULL; spec = strtok(NULL, " "))
        list[count++] = message_of(spec);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)list, count, &messages, &err), &err);
    while (count > 0)
        agentchat_message_unref(list[--count]);
    return messages;
}

/* Texts of messages, calls as !ID and results as ?ID, one space between two. */
static void spell(const agentchat_messages *messages, char *out)
{
    *out = '\0';
    for (size_t i = 0; i < agentchat_messages_count(messages); i++) {
        const agentchat_item *item = agentchat_message_item(agentchat_messages_at(messages, i), 0);
        agentchat_item_kind kind = agentchat_item_get_kind(item);
        agentchat_str text =
            agentchat_item_get(item, kind == AGENTCHAT_ITEM_TEXT ? AGENTCHAT_FIELD_TEXT : AGENTCHAT_FIELD_CALL_ID);

        strcat(out, i > 0 ? " " : "");
        strcat(out, kind == AGENTCHAT_ITEM_CALL ? "!" : kind == AGENTCHAT_ITEM_RESULT ? "?" : "");
        strncat(out, text.ptr, text.len);
    }
}

/* A model that answers S1, S2, … and remembers what it was asked. */
typedef struct model {
    char asked[ROOM];
    int calls;
} model;

static agentchat_status answer(void *user, const agentchat_messages *messages, agentchat_bytes *out,
                               agentchat_error *err)
{
    model *m = user;
    char summary[16];

    spell(messages, m->asked);
    (void)snprintf(summary, sizeof summary, "S%d", ++m->calls);
    return agentchat_bytes_append(out, agentchat_str_from(summary), err);
}

typedef struct talk {
    agentchat_summary_options options;
    model model;
    agentchat_bytes state;
} talk;

static void begin(talk *t)
{
    memset(t, 0, sizeof *t);
    agentchat_summary_options_init(&t->options, sizeof t->options);
    t->options.create_prompt = "CREATE";
    t->options.extend_prompt = "EXTEND[{summary}]";
}

static void end(talk *t)
{
    agentchat_bytes_clear(&t->state);
}

/* A turn: what a model is asked ("" for not at all), what stays of the list, and the state then. */
static void check_turn(talk *t, const char *specs, const char *asked, const char *stays, const char *state)
{
    agentchat_messages *messages = list_of(specs), *result;
    agentchat_bytes new_state = AGENTCHAT_BYTES_INIT;
    agentchat_list_edit *edit;
    char found[ROOM];
    agentchat_error err;

    *t->model.asked = '\0';
    test_ok(agentchat_messages_summarize(NULL, messages, (agentchat_str){t->state.ptr, t->state.len}, answer, &t->model,
                                         &t->options, &new_state, &edit, &err),
            &err);
    test_ok(agentchat_list_edit_apply(edit, messages, &result, &err), &err);
    spell(result, found);
    assert_string_equal(t->model.asked, asked);
    assert_string_equal(found, stays);
    assert_string_equal(new_state.ptr != NULL ? new_state.ptr : "", state);
    agentchat_bytes_clear(&t->state);
    t->state = new_state;
    agentchat_messages_unref(result);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
}

static void test_list__is_cut_and_summarised_again(void **state)
{
    talk t;

    (void)state;
    begin(&t);
    check_turn(&t, "", "", "", "");
    check_turn(&t, "u:1 u:2 u:3", "1 2 3 CREATE", "2 3", "{\"summary\":\"S1\",\"covered\":0}");
    check_turn(&t, "u:2 u:3 u:4", "2 3 4 EXTEND[S1]", "3 4", "{\"summary\":\"S2\",\"covered\":0}");
    check_turn(&t, "u:4", "4 EXTEND[S2]", "4", "{\"summary\":\"S3\",\"covered\":0}");
    end(&t);
}

static void test_introduction__is_replaced(void **state)
{
    talk t;

    (void)state;
    begin(&t);
    t.options.introduction = "So:";
    t.options.include_system = true;
    check_turn(&t, "s:sys u:1 u:2 u:3", "sys 1 2 3 CREATE", "sys So:S1 2 3", "{\"summary\":\"S1\",\"covered\":0}");
    check_turn(&t, "s:sys s:So:S1 u:2 u:3 u:4", "sys 2 3 4 EXTEND[S1]", "sys So:S2 3 4",
               "{\"summary\":\"S2\",\"covered\":0}");
    check_turn(&t, "s:So:S2 u:3 u:4 u:5", "3 4 5 EXTEND[S2]", "So:S3 4 5", "{\"summary\":\"S3\",\"covered\":0}");
    /* What only holds the old summary is no introduction. */
    check_turn(&t, "s:So:S3! u:4 u:5 u:6", "So:S3! 4 5 6 EXTEND[S3]", "So:S3! So:S4 5 6",
               "{\"summary\":\"S4\",\"covered\":0}");
    end(&t);
}

static void test_kept_list__is_covered_by_id_or_position(void **state)
{
    talk t;

    (void)state;
    begin(&t);
    t.options.keep_list = true;
    t.options.introduction = "So:";
    check_turn(&t, "u:1 u:2", "", "1 2", "");
    check_turn(&t, "u:1 u:2 u:3 u:4", "1 2 CREATE", "So:S1 3 4",
               "{\"summary\":\"S1\",\"covered\":2,\"last_id\":\"2\"}");
    check_turn(&t, "u:1 u:2 u:3 u:4", "", "So:S1 3 4", "{\"summary\":\"S1\",\"covered\":2,\"last_id\":\"2\"}");
    check_turn(&t, "u:2 u:3 u:4 u:-5 u:-6", "3 4 EXTEND[S1]", "So:S2 -5 -6",
               "{\"summary\":\"S2\",\"covered\":3,\"last_id\":\"4\"}");
    check_turn(&t, "u:4 u:-5 u:-6 u:7 u:8", "-5 -6 EXTEND[S2]", "So:S3 7 8", "{\"summary\":\"S3\",\"covered\":3}");
    check_turn(&t, "u:4 u:-5 u:-6 u:7 u:8 u:9", "7 EXTEND[S3]", "So:S4 8 9",
               "{\"summary\":\"S4\",\"covered\":4,\"last_id\":\"7\"}");
    /* An id that is not there covers nothing. */
    check_turn(&t, "u:8 u:9 u:10", "8 EXTEND[S4]", "So:S5 9 10",
               "{\"summary\":\"S5\",\"covered\":1,\"last_id\":\"8\"}");
    end(&t);
}

static void test_kept_list__with_ids_that_repeat(void **state)
{
    talk t;

    (void)state;
    begin(&t);
    t.options.keep_list = true;
    t.options.introduction = "So:";
    check_turn(&t, "u:1 u:2 u:3 u:4", "1 2 CREATE", "So:S1 3 4",
               "{\"summary\":\"S1\",\"covered\":2,\"last_id\":\"2\"}");
    /* The second 2 is not covered. */
    check_turn(&t, "u:1 u:2 u:3 u:4 u:2 u:6", "3 4 EXTEND[S1]", "So:S2 2 6",
               "{\"summary\":\"S2\",\"covered\":4,\"last_id\":\"4\"}");
    end(&t);
}

static void test_budget__decides_when(void **state)
{
    talk t;

    (void)state;
    begin(&t);
    t.options.max_tokens = 3;
    t.options.counter = agentchat_count_messages;
    t.options.keep_last = 1;
    check_turn(&t, "u:1 u:2 u:3", "", "1 2 3", "");
    check_turn(&t, "u:1 u:2 u:3 u:4", "1 2 3 4 CREATE", "4", "{\"summary\":\"S1\",\"covered\":0}");
    check_turn(&t, "u:4 u:5", "", "4 5", "{\"summary\":\"S1\",\"covered\":0}");
    end(&t);
}

static void test_calls__are_summarised_with_their_results(void **state)
{
    talk t;

    (void)state;
    begin(&t);
    check_turn(&t, "u:1 c:a r:a u:4", "1 !a ?a 4 CREATE", "4", "{\"summary\":\"S1\",\"covered\":0}");
    check_turn(&t, "u:1 c:a u:3 r:a", "1 !a 3 ?a EXTEND[S1]", "", "{\"summary\":\"S2\",\"covered\":0}");
    check_turn(&t, "u:1 u:2 r:z u:4", "1 2 ?z 4 EXTEND[S2]", "4", "{\"summary\":\"S3\",\"covered\":0}");
    t.options.split_calls = true;
    check_turn(&t, "u:1 c:a r:a u:4", "1 !a ?a 4 EXTEND[S3]", "?a 4", "{\"summary\":\"S4\",\"covered\":0}");
    end(&t);
}

static void test_prompts__of_the_defaults(void **state)
{
    talk t;

    (void)state;
    begin(&t);
    t.options.create_prompt = t.options.extend_prompt = NULL;
    check_turn(&t, "u:1", "1 " AGENTCHAT_SUMMARY_CREATE, "1", "{\"summary\":\"S1\",\"covered\":0}");
    check_turn(&t, "u:1",
               "1 This is a summary of the conversation to date: S1\n\nExtend the summary by taking into account the "
               "new messages above:",
               "1", "{\"summary\":\"S2\",\"covered\":0}");
    t.options.extend_prompt = "{summary}{summary}{x}";
    check_turn(&t, "u:1", "1 S2S2{x}", "1", "{\"summary\":\"S3\",\"covered\":0}");
    end(&t);
}

static agentchat_status refuse(void *user, const agentchat_messages *messages, agentchat_bytes *out,
                               agentchat_error *err)
{
    (void)messages;
    return user != NULL ? agentchat_bytes_append(out, agentchat_str_from(user), err)
                        : agentchat_error_set(err, AGENTCHAT_E_BUSY, "the model is busy");
}

static void check_refused(const char *state, void *user, agentchat_status expected, const char *message)
{
    agentchat_messages *messages = list_of("u:1 u:2 u:3");
    agentchat_bytes new_state = AGENTCHAT_BYTES_INIT;
    agentchat_list_edit *edit;
    agentchat_error err;

    test_fails(agentchat_messages_summarize(NULL, messages, agentchat_str_from(state), refuse, user, NULL, &new_state,
                                            &edit, &err),
               &err, expected, NULL, message);
    assert_null(edit);
    assert_int_equal(new_state.len, 0);
    agentchat_messages_unref(messages);
}

static void test_summary__is_refused(void **state)
{
    (void)state;
    check_refused(NULL, NULL, AGENTCHAT_E_BUSY, "busy");
    check_refused(NULL, (void *)"\xFF", AGENTCHAT_E_INVALID, "UTF-8");
    check_refused("[", NULL, AGENTCHAT_E_SYNTAX, NULL);
    check_refused("[]", NULL, AGENTCHAT_E_INVALID, "object");
    check_refused("{}", NULL, AGENTCHAT_E_INVALID, "\"summary\"");
    check_refused("{\"summary\":\"\",\"covered\":-1}", NULL, AGENTCHAT_E_INVALID, "\"covered\"");
    check_refused("{\"summary\":\"\",\"covered\":\"1\"}", NULL, AGENTCHAT_E_INVALID, "\"covered\"");
    check_refused("{\"summary\":\"\",\"last_id\":1}", NULL, AGENTCHAT_E_INVALID, "\"last_id\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list__is_cut_and_summarised_again),
        cmocka_unit_test(test_introduction__is_replaced),
        cmocka_unit_test(test_kept_list__is_covered_by_id_or_position),
        cmocka_unit_test(test_kept_list__with_ids_that_repeat),
        cmocka_unit_test(test_budget__decides_when),
        cmocka_unit_test(test_calls__are_summarised_with_their_results),
        cmocka_unit_test(test_prompts__of_the_defaults),
        cmocka_unit_test(test_summary__is_refused),
    };

    return cmocka_run_group_tests_name("summarize", tests, NULL, NULL);
}
