/* SPDX-License-Identifier: Apache-2.0 */
/* Trimming and keeping the last: calls and their results stay together, borders hold, and the budget is kept. */
#include "support/test_support.h"

#include <agentchat/calls.h>
#include <agentchat/list_edit.h>
#include <string.h>

enum { MOST = 40 };

/* A list by a script: s, u, a: a message of role system, user, assistant; c and r, each with a digit: an assistant's
   message with the call of that id, a tool's with its result; "c1+2" has two calls. */
static agentchat_messages *messages_of(const char *script)
{
    agentchat_message *list[MOST] = {NULL};
    agentchat_messages *messages;
    agentchat_error err;
    size_t count = 0;

    for (const char *p = script; *p != '\0'; count++) {
        const char *role = *p == 's' ? "system" : *p == 'u' ? "user" : *p == 'r' ? "tool" : "assistant";
        agentchat_message_builder *b = test_message_builder(NULL, role, NULL);
        char kind = *p++;

        if (kind == 's' || kind == 'u' || kind == 'a')
            agentchat_message_builder_add_text(b, AGENTCHAT_STR("text"));
        else
            do {
                agentchat_str id = {p += *p == '+', 1};

                if (kind == 'c')
                    agentchat_message_builder_add_call(b, id, AGENTCHAT_STR("p"), AGENTCHAT_STR("f"),
                                                       AGENTCHAT_STR("{}"));
                else
                    agentchat_message_builder_add_result(b, id, AGENTCHAT_STR("p"), AGENTCHAT_STR("f"),
                                                         AGENTCHAT_STR("1"));
                p++;
            } while (*p == '+');
        test_ok(agentchat_message_builder_finish(b, &list[count], &err), &err);
    }
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)list, count, &messages, &err), &err);
    while (count-- > 0)
        agentchat_message_unref(list[count]);
    return messages;
}

/* Which messages stay: x for each, . for each that goes. */
static void spell(const agentchat_list_edit *edit, char *out)
{
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};

    while (agentchat_list_edit_next(edit, &step))
        memset(out + step.index, step.kind == AGENTCHAT_EDIT_REMOVE ? '.' : 'x', step.count);
    out[agentchat_list_edit_length(edit)] = '\0';
}

static void check_last(const char *script, size_t count, const char *expected)
{
    agentchat_messages *messages = messages_of(script);
    agentchat_list_edit *edit;
    char found[MOST + 1];
    agentchat_error err;

    test_ok(agentchat_messages_keep_last(NULL, messages, count, &edit, &err), &err);
    spell(edit, found);
    assert_string_equal(found, expected);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
}

static void check_trim(const char *script, uint64_t most, const char *start_on, const char *end_on, bool system,
                       const char *expected)
{
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_messages *messages = messages_of(script);
    agentchat_list_edit *edit;
    char found[MOST + 1];
    agentchat_error err;

    options.max_tokens = most;
    options.counter = agentchat_count_messages;
    options.start_on = start_on;
    options.end_on = end_on;
    options.include_system = system;
    test_ok(agentchat_messages_trim(NULL, messages, &options, &edit, &err), &err);
    spell(edit, found);
    assert_string_equal(found, expected);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
}

static void test_keep_last__keeps_pairs_whole(void **state)
{
    (void)state;
    check_last("uaua", 2, "..xx");
    check_last("uaua", 9, "xxxx");
    check_last("uaua", 0, "....");
    check_last("uc1r1a", 2, "...x"); /* the call is outside: its result goes, too */
    check_last("uc1r1a", 3, ".xxx");
    check_last("uc1+2r1ur2a", 3, "...x.x"); /* of three one is outside */
    check_last("uc1ua", 3, ".xxx");         /* a call that waits is no pair */
    check_last("c1r1c1r1", 2, "..xx");      /* an id that is used again */
}

static void test_trim__keeps_pairs_whole(void **state)
{
    (void)state;
    check_trim("suauau", 4, "user", NULL, true, "x..xxx");
    check_trim("suc1r1au", 4, NULL, NULL, true, "x...xx");
    check_trim("suc1r1au", 3, "user", NULL, true, "x....x");
    check_trim("uc1r1", 3, "user", "user,tool", false, "xxx");
    check_trim("uc1r1", 2, "user", "user,tool", false, "...");
    check_trim("uc1r1c2", 3, NULL, "tool", false, "xxx.");
    check_trim("", 3, NULL, NULL, false, "");
    check_trim("uc1+2r1r2u", 4, NULL, NULL, false, ".xxxx");
    check_trim("uc1+2r1r2u", 3, NULL, NULL, false, "....x"); /* the two results go with their call */
    check_trim("uc1ur1u", 3, NULL, "user", false, "..x.x");
}

/* What no longer has a partner in the whole list is no beginning and no end. */
static void test_trim__ends_have_their_partners(void **state)
{
    (void)state;
    check_trim("suc1r9r1au", 4, NULL, NULL, true, "x....xx"); /* a result whose call is gone */
    check_trim("uc9aua", 4, NULL, NULL, false, "..xxx");      /* a call that was never answered */
    check_trim("uauc1", 2, NULL, NULL, false, "..xx");        /* one that waits */
    check_trim("uauc1+2r1", 3, NULL, NULL, false, "..xxx");
    check_trim("uar9", 3, NULL, NULL, false, "xx.");
    check_trim("ur9a", 3, NULL, NULL, false, "xxx"); /* in the middle it is not looked at */
}

static void test_trim__roles_have_other_names(void **state)
{
    (void)state;
    check_trim("uaua", 3, "human", "ai", false, "..xx");
    check_trim("uaua", 3, "tool,human", "assistant", false, "..xx");
    check_trim("suau", 2, "user", NULL, true, "x..x");
    check_trim("suau", 2, "", "", true, "x..x");
}

static void test_trim__says_what_is_wrong(void **state)
{
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_messages *messages = messages_of("u");
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    options.strategy = AGENTCHAT_TRIM_FIRST;
    options.start_on = "user";
    test_fails(agentchat_messages_trim(NULL, messages, &options, &edit, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "start_on");
    options.start_on = ""; /* any role: no condition */
    test_ok(agentchat_messages_trim(NULL, messages, &options, &edit, &err), &err);
    agentchat_list_edit_free(edit);
    options.include_system = true;
    test_fails(agentchat_messages_trim(NULL, messages, &options, &edit, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "include_system");
    options.strategy = (agentchat_trim_strategy)7;
    test_fails(agentchat_messages_trim(NULL, messages, &options, &edit, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "strategy");
    assert_null(edit);
    agentchat_messages_unref(messages);
}

static agentchat_status fails_at_last(void *user, const agentchat_message *const *messages, size_t count,
                                      uint64_t *tokens, agentchat_error *err)
{
    size_t *left = user;

    (void)messages;
    *tokens = count * 10;
    if ((*left)-- > 0)
        return AGENTCHAT_OK;
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service is away");
}

static void test_trim__fails_as_its_counter_does(void **state)
{
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_messages *messages = messages_of("suauau");
    size_t left, good = 0;
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    options.max_tokens = 30;
    options.include_system = true;
    options.counter = fails_at_last;
    options.counter_user = &left;
    do {
        left = good++;
        if (agentchat_messages_trim(NULL, messages, &options, &edit, &err) >= 0)
            break;
        assert_int_equal(err.code, AGENTCHAT_E_CALLBACK);
        assert_null(edit);
    } while (good < 20);
    assert_true(good > 3 && good < 20);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
}

/* ---- cutting a message ------------------------------------------------------------------------------------------- */

static agentchat_message *of_texts(const char *role, const char *first, const char *second)
{
    agentchat_message_builder *b = test_message_builder(NULL, role, NULL);
    agentchat_message *message;
    agentchat_error err;

    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("1"));
    agentchat_message_builder_add_text(b, agentchat_str_from(first));
    if (second != NULL)
        agentchat_message_builder_add_text(b, agentchat_str_from(second));
    agentchat_message_builder_add_call(b, AGENTCHAT_STR("c"), AGENTCHAT_STR("p"), AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{}"));
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    return message;
}

static void check_cut(agentchat_trim_strategy strategy, const char *first, const char *second, uint64_t most,
                      const char *expected)
{
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_message *message = of_texts("assistant", first, second);
    const agentchat_message *list[1] = {message};
    agentchat_messages *messages, *result;
    agentchat_list_edit *edit;
    agentchat_error err;
    agentchat_str text;

    test_ok(agentchat_messages_new(NULL, list, 1, &messages, &err), &err);
    options.max_tokens = most;
    options.strategy = strategy;
    options.counter = agentchat_count_characters;
    options.allow_partial = true;
    test_ok(agentchat_messages_trim(NULL, messages, &options, &edit, &err), &err);
    test_ok(agentchat_list_edit_apply(edit, messages, &result, &err), &err);
    assert_int_equal(agentchat_messages_count(result), expected != NULL);
    if (expected != NULL) { /* the call and the id stay */
        const agentchat_message *cut = agentchat_messages_at(result, 0);

        text = agentchat_item_get(agentchat_message_item(cut, 0), AGENTCHAT_FIELD_TEXT);
        assert_true(agentchat_str_equal(text, agentchat_str_from(expected)));
        assert_int_equal(agentchat_message_item_count(cut), 2);
        assert_int_equal(agentchat_item_get_kind(agentchat_message_item(cut, 1)), AGENTCHAT_ITEM_CALL);
        assert_true(agentchat_str_equal(agentchat_message_get(cut, AGENTCHAT_FIELD_ID), AGENTCHAT_STR("1")));
    }
    assert_int_equal(agentchat_message_item_count(message), second != NULL ? 3 : 2);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(result);
    agentchat_messages_unref(messages);
    agentchat_message_unref(message);
}

static void test_trim__cuts_the_message_at_the_border(void **state)
{
    (void)state;
    check_cut(AGENTCHAT_TRIM_FIRST, "one\ntwo\nthree", NULL, 8, "one\ntwo\n");
    check_cut(AGENTCHAT_TRIM_LAST, "one\ntwo\nthree", NULL, 8, "three");
    check_cut(AGENTCHAT_TRIM_LAST, "one\ntwo\nthree", NULL, 9, "two\nthree");
    check_cut(AGENTCHAT_TRIM_FIRST, "one\ntwo", NULL, 3, NULL);
    check_cut(AGENTCHAT_TRIM_FIRST, "first", "second", 5, "first");
    check_cut(AGENTCHAT_TRIM_LAST, "first", "second", 6, "second");
    check_cut(AGENTCHAT_TRIM_FIRST, "a\nb", "second", 2, "a\n");
}

/* ---- random lists ------------------------------------------------------------------------------------------------ */

/* A list of what stays has no half of a pair whose other half the whole list has. */
static void check_whole(const agentchat_messages *messages, const char *kept)
{
    agentchat_calls *calls;
    agentchat_error err;

    test_ok(agentchat_calls_find(NULL, messages, &calls, &err), &err);
    for (size_t i = 0; i < agentchat_calls_count(calls); i++) {
        const agentchat_call *call = agentchat_calls_at(calls, i);

        if (call->partner != AGENTCHAT_NO_PARTNER)
            assert_int_equal(kept[call->message], kept[agentchat_calls_at(calls, call->partner)->message]);
    }
    agentchat_calls_free(calls);
}

static void random_script(char *script)
{
    size_t count = test_pick(14);

    *script = '\0';
    for (size_t i = 0; i < count; i++) {
        static const char *const pieces[] = {"u", "a", "s", "c1", "c2", "c1+2", "c2+3", "r1", "r2", "r3", "r1+2"};

        strcat(script, pieces[test_pick(sizeof pieces / sizeof *pieces)]);
    }
}

/* Whether roles with commas name that of a message; NULL: any. */
static bool may_stand(const char *roles, const agentchat_messages *messages, size_t index)
{
    agentchat_str role = agentchat_message_role(agentchat_messages_at(messages, index));
    char text[16] = "";

    memcpy(text, role.ptr, role.len);
    return roles == NULL || strstr(roles, text) != NULL;
}

static void test_trim__of_random_lists_keeps_every_promise(void **state)
{
    static const char *const roles[] = {NULL, "user", "assistant", "user,tool", "tool"};

    (void)state;
    for (uint32_t seed = 1; seed <= 20000; seed++) {
        agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
        agentchat_messages *messages;
        agentchat_list_edit *edit;
        char script[128], kept[MOST + 1];
        const char *first, *last;
        agentchat_error err;

        test_seed(seed);
        random_script(script);
        messages = messages_of(script);
        options.max_tokens = test_pick(10);
        options.counter = agentchat_count_messages;
        options.strategy = (agentchat_trim_strategy)test_pick(2);
        options.end_on = roles[test_pick(5)];
        options.allow_partial = test_pick(2) == 0;
        if (options.strategy == AGENTCHAT_TRIM_LAST)
            options.start_on = roles[test_pick(5)];
        test_ok(agentchat_messages_trim(NULL, messages, &options, &edit, &err), &err);
        spell(edit, kept);
        check_whole(messages, kept);
        assert_true(agentchat_list_edit_result_length(edit) <= options.max_tokens);
        first = strchr(kept, 'x');
        last = strrchr(kept, 'x');
        if (first != NULL) {
            assert_true(may_stand(options.start_on, messages, (size_t)(first - kept)));
            assert_true(may_stand(options.end_on, messages, (size_t)(last - kept)));
        }
        agentchat_list_edit_free(edit);
        agentchat_messages_unref(messages);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keep_last__keeps_pairs_whole),
        cmocka_unit_test(test_trim__keeps_pairs_whole),
        cmocka_unit_test(test_trim__ends_have_their_partners),
        cmocka_unit_test(test_trim__roles_have_other_names),
        cmocka_unit_test(test_trim__says_what_is_wrong),
        cmocka_unit_test(test_trim__fails_as_its_counter_does),
        cmocka_unit_test(test_trim__cuts_the_message_at_the_border),
        cmocka_unit_test(test_trim__of_random_lists_keeps_every_promise),
    };

    return cmocka_run_group_tests_name("trim_pairs", tests, NULL, NULL);
}
