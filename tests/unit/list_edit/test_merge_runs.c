/* SPDX-License-Identifier: Apache-2.0 */
/* Merging runs of messages: what becomes of texts, items, ids, names and calls. */
#include "support/test_support.h"

#include <agentchat/list_edit.h>
#include <string.h>

/* A message of a test: "ROLE NAME ID CONTENT", "-" for what is not there. CONTENT: texts and, in the form !ID, calls,
   ?ID results, separated by "|". */
static agentchat_message *message_of(const char *spec)
{
    char role[32], name[32], id[32], content[128] = "";
    agentchat_message_builder *b;
    agentchat_message *message;
    agentchat_error err;

    assert_true(sscanf(spec, "%31s %31s %31s %127[^\n]", role, name, id, content) >= 3);
    b = test_message_builder(NULL, role, strcmp(name, "-") != 0 ? name : NULL);
    if (strcmp(id, "-") != 0)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, agentchat_str_from(id));
    for (char *part = strtok(content, "|"); part != NULL; part = strtok(NULL, "|"))
        if (*part == '!')
            agentchat_message_builder_add_call(b, agentchat_str_from(part + 1), (agentchat_str){NULL, 0},
                                               AGENTCHAT_STR("f"), AGENTCHAT_STR("{}"));
        else if (*part == '?')
            agentchat_message_builder_add_result(b, agentchat_str_from(part + 1), (agentchat_str){NULL, 0},
                                                 AGENTCHAT_STR("f"), AGENTCHAT_STR("1"));
        else
            agentchat_message_builder_add_text(b,
                                               strcmp(part, "-") != 0 ? agentchat_str_from(part) : AGENTCHAT_STR(""));
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    return message;
}

static void add(char *out, agentchat_str text)
{
    if (text.ptr == NULL || agentchat_str_is_null(text))
        text = AGENTCHAT_STR("-");
    strncat(out, text.ptr, text.len);
}

/* A message as message_of() takes it. */
static void spell(const agentchat_message *message, char *out)
{
    *out = '\0';
    add(out, agentchat_message_role(message));
    strcat(out, " ");
    add(out, agentchat_message_name(message));
    strcat(out, " ");
    add(out, agentchat_message_get(message, AGENTCHAT_FIELD_ID));
    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        agentchat_item_kind kind = agentchat_item_get_kind(item);

        strcat(out, i > 0 ? "|" : " ");
        if (kind == AGENTCHAT_ITEM_TEXT)
            add(out, agentchat_item_get(item, AGENTCHAT_FIELD_TEXT));
        else
            add(strcat(out, kind == AGENTCHAT_ITEM_CALL ? "!" : "?"),
                agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID));
    }
}

enum { MOST = 8 };

static void check_merged(const char *const *given, const char *const *expected, const agentchat_merge_options *options)
{
    agentchat_message *list[MOST] = {NULL};
    agentchat_messages *messages, *result;
    agentchat_list_edit *edit;
    size_t count = 0;
    char found[256];
    agentchat_error err;

    for (; given[count] != NULL; count++)
        list[count] = message_of(given[count]);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)list, count, &messages, &err), &err);
    test_ok(agentchat_messages_merge_runs(NULL, messages, options, &edit, &err), &err);
    test_ok(agentchat_list_edit_apply(edit, messages, &result, &err), &err);
    for (size_t i = 0; expected[i] != NULL; i++) {
        assert_true(i < agentchat_messages_count(result));
        spell(agentchat_messages_at(result, i), found);
        assert_string_equal(found, expected[i]);
        count = i + 1;
    }
    assert_int_equal(agentchat_messages_count(result), count);
    agentchat_messages_unref(result);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
    for (size_t i = 0; i < MOST; i++)
        agentchat_message_unref(list[i]);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_texts__become_one_with_the_separator(void **state)
{
    agentchat_merge_options options = AGENTCHAT_MERGE_OPTIONS_INIT;

    (void)state;
    check_merged(LIST("user - 1 a", "user - 2 b", "assistant - 3 c", "user - 4 d"),
                 LIST("user - 1 a\nb", "assistant - 3 c", "user - 4 d"), NULL);
    check_merged(LIST("user - 1 -", "user - 2 b", "user - 3", "user - 4 d"), LIST("user - 1 b\nd"), NULL);
    options.separator = " + ";
    check_merged(LIST("user - 1 a", "human - 2 b", "system - 3 c", "developer - 4 d"),
                 LIST("user - 1 a + b", "system - 3 c + d"), &options);
    options.separator = "";
    check_merged(LIST("user - 1 a", "user - 2 b"), LIST("user - 1 ab"), &options);
}

static void test_items__stand_one_after_another(void **state)
{
    (void)state;
    check_merged(LIST("user - 1 a|b", "user - 2 c"), LIST("user - 1 a|b|c"), NULL);
    check_merged(LIST("assistant - 1 a|!x", "assistant - 2 b|!y"), LIST("assistant - 1 a\nb|!x|!y"), NULL);
    check_merged(LIST("assistant - 1 a|b|!x", "assistant - 2 c|!y"), LIST("assistant - 1 a|b|!x|c|!y"), NULL);
}

static void test_results__are_never_merged(void **state)
{
    (void)state;
    check_merged(LIST("tool - 1 ?x", "tool - 2 ?y"), LIST("tool - 1 ?x", "tool - 2 ?y"), NULL);
    check_merged(LIST("user - 1 ?x", "user - 2 a"), LIST("user - 1 ?x", "user - 2 a"), NULL);
    check_merged(LIST("tool - 1 a", "tool - 2 b"), LIST("tool - 1 a", "tool - 2 b"), NULL);
}

static void test_names__stay_where_all_have_one(void **state)
{
    (void)state;
    check_merged(LIST("user Ann 1 a", "user Ann 2 b"), LIST("user Ann 1 a\nb"), NULL);
    check_merged(LIST("user Ann 1 a", "user Bob 2 b"), LIST("user - 1 a\nb"), NULL);
    check_merged(LIST("user - 1 a", "user Bob 2 b"), LIST("user - 1 a\nb"), NULL);
    check_merged(LIST("function f 1 a", "function g 2 b", "function g 3 c"),
                 LIST("function f 1 a", "function g 2 b\nc"), NULL);
}

static void test_ids__are_the_first(void **state)
{
    (void)state;
    check_merged(LIST("user - - a", "user - 2 b"), LIST("user - - a\nb"), NULL);
    check_merged(LIST("ai - - a", "ai - 2 b", "ai - 3 c"), LIST("ai - 2 a\nb\nc"), NULL);
    check_merged(LIST("ai - lc_1 a", "ai - 2 b"), LIST("ai - 2 a\nb"), NULL);
    check_merged(LIST("ai - lc_1 a", "ai - lc_2 b"), LIST("ai - lc_1 a\nb"), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts__become_one_with_the_separator),
        cmocka_unit_test(test_items__stand_one_after_another),
        cmocka_unit_test(test_results__are_never_merged),
        cmocka_unit_test(test_names__stay_where_all_have_one),
        cmocka_unit_test(test_ids__are_the_first),
    };

    return cmocka_run_group_tests_name("merge_runs", tests, NULL, NULL);
}
