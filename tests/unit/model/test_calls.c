/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and results: which belong together, against a naive search, without memory, and what many of one id cost. */
#include "support/test_support.h"

#include <agentchat/calls.h>
#include <stdio.h>

enum { MOST = 200 };

/* What a letter adds to a message: c0 a call with the id 0, r0 a result, c- a call without an id, C and R the same of
   another function, q a result that names none, t a text, and | ends the message. */
static void add(agentchat_message_builder *b, const char *p)
{
    char digit[2] = {p[1], '\0'};
    agentchat_str id = p[1] == '-' ? (agentchat_str){NULL, 0} : agentchat_str_from(digit);
    agentchat_str function = *p == 'q'                ? (agentchat_str){NULL, 0}
                             : *p == 'C' || *p == 'R' ? AGENTCHAT_STR("g")
                                                      : AGENTCHAT_STR("f");

    if (*p == 't')
        agentchat_message_builder_add_text(b, AGENTCHAT_STR("x"));
    else if (*p == 'c' || *p == 'C')
        agentchat_message_builder_add_call(b, id, AGENTCHAT_STR("p"), function, AGENTCHAT_STR("{}"));
    else
        agentchat_message_builder_add_result(b, id, AGENTCHAT_STR("p"), function, AGENTCHAT_STR("1"));
}

static agentchat_messages *messages_of(const char *script)
{
    const agentchat_message *list[MOST];
    agentchat_message *message;
    agentchat_messages *messages;
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    size_t count = 0;
    agentchat_error err;

    for (const char *p = script;; p++) {
        if (*p != '\0' && strchr("cCrRqt", *p) != NULL)
            add(b, p);
        if (*p != '|' && *p != '\0')
            continue;
        test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
        assert_true(count < MOST);
        list[count++] = message;
        if (*p == '\0')
            break;
        b = test_message_builder(NULL, "user", NULL);
    }
    test_ok(agentchat_messages_new(NULL, list, count, &messages, &err), &err);
    for (size_t i = 0; i < count; i++)
        agentchat_message_unref(list[i]);
    return messages;
}

static agentchat_calls *find(const agentchat_messages *messages)
{
    agentchat_calls *calls;
    agentchat_error err;

    test_ok(agentchat_calls_find(NULL, messages, &calls, &err), &err);
    return calls;
}

static void check(const char *script, const char *expected)
{
    agentchat_messages *messages = messages_of(script);
    char found[8 * MOST] = "";
    agentchat_calls *calls = find(messages);

    for (size_t i = 0; i < agentchat_calls_count(calls); i++) {
        const agentchat_call *call = agentchat_calls_at(calls, i);

        if (call->partner == AGENTCHAT_NO_PARTNER)
            (void)snprintf(found + strlen(found), sizeof found - strlen(found), "%zu:- ", call->message);
        else
            (void)snprintf(found + strlen(found), sizeof found - strlen(found), "%zu:%zu ", call->message,
                           call->partner);
    }
    assert_string_equal(found, expected);
    agentchat_calls_free(calls);
    agentchat_messages_unref(messages);
}

static void test_calls__belong_together_by_their_ids(void **state)
{
    (void)state;
    check("", "");
    check("t|t", "");
    check("c1|r1", "0:1 1:0 ");
    check("tc1t|t|r1", "0:1 2:0 ");
    check("c1c2|r2r1", "0:3 0:2 1:1 1:0 ");
    check("c1", "0:- ");
    check("r1", "0:- ");
    check("r1|c1", "0:- 1:- ");               /* a result is never that of a later call */
    check("c1|c1|r1", "0:- 1:2 2:1 ");        /* of the last call before it */
    check("c1|r1|r1", "0:1 1:0 2:- ");        /* which has one result */
    check("c1|c1|r1|r1", "0:- 1:2 2:1 3:- "); /* the earlier call is given up */
    check("c1|r1|c1|r1", "0:1 1:0 2:3 3:2 "); /* an id that is used again */
    check("c1c-r-c2r1r2", "0:4 0:2 0:1 0:5 0:0 0:3 ");
}

static void test_calls__without_ids_by_function(void **state)
{
    (void)state;
    check("c-|r-", "0:1 1:0 ");
    check("c-C-|R-r-", "0:3 0:2 1:1 1:0 ");
    check("c-c-|r-|r-|r-", "0:2 0:3 1:0 2:1 3:- ");
    check("c-|c-|r-|r-", "0:- 1:2 2:1 3:- "); /* the earlier one is given up */
    check("c-|R-", "0:- 1:- ");
    check("r-|c-", "0:- 1:- ");
    check("c-c1|r-r1", "0:2 0:3 1:0 1:1 ");
    check("c1|r-", "0:- 1:- ");
    check("c-C-|q-|q-", "0:2 0:3 1:0 2:1 "); /* without a name in their order */
    check("c-C-|r-|q-", "0:2 0:3 1:0 2:1 ");
    check("c-|C-|q-q-", "0:- 1:2 2:1 2:- ");
}

/* Ids that are empty, absent, null, or begin like another one. */
static void test_calls__ids_that_are_nearly_the_same(void **state)
{
    static const char *const ids[] = {"", "a", "ab", "a\0b", "b"};
    const agentchat_message *list[1];
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_messages *messages;
    agentchat_message *message;
    agentchat_calls *calls;
    agentchat_error err;

    (void)state;
    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < 5; i++) {
            agentchat_str id = {ids[i], i == 3 ? 3 : strlen(ids[i])};

            if (kind == 0)
                agentchat_message_builder_add_call(b, id, AGENTCHAT_STR("p"), AGENTCHAT_STR("f"), AGENTCHAT_STR("{}"));
            else
                agentchat_message_builder_add_result(b, id, AGENTCHAT_STR("p"), AGENTCHAT_STR("f"), AGENTCHAT_STR("1"));
        }
        agentchat_message_builder_add_item(b, kind == 0 ? AGENTCHAT_ITEM_CALL : AGENTCHAT_ITEM_RESULT);
        agentchat_message_builder_add_item(b, kind == 0 ? AGENTCHAT_ITEM_CALL : AGENTCHAT_ITEM_RESULT);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_CALL_ID, agentchat_str_null());
    }
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    list[0] = message;
    test_ok(agentchat_messages_new(NULL, list, 1, &messages, &err), &err);
    calls = find(messages);
    assert_int_equal(agentchat_calls_count(calls), 14);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(agentchat_calls_at(calls, i)->partner, i + 7);
        assert_int_equal(agentchat_calls_at(calls, i + 7)->partner, i);
    }
    for (size_t i = 5; i < 7; i++)
        assert_int_equal(agentchat_calls_at(calls, i)->partner, i + 7);
    agentchat_calls_free(calls);
    agentchat_messages_unref(messages);
    agentchat_message_unref(message);
}

/* The rules, searched for naively: a result belongs to the last call of its id before it, if that has none yet. */
static void pair_naively(const char *script, size_t *partners)
{
    const char *links[MOST];
    size_t count = 0, messages[MOST], message = 0;

    for (const char *p = script; *p != '\0'; p++) {
        message += *p == '|';
        if (*p != 'c' && *p != 'r')
            continue;
        partners[count] = AGENTCHAT_NO_PARTNER;
        links[count] = p;
        messages[count] = message;
        if (*p == 'r' && p[1] == '-') { /* the first one that waits in the last message that has such calls */
            size_t last = count;

            for (size_t i = count; i-- > 0 && last == count;)
                last = links[i][0] == 'c' && links[i][1] == '-' ? i : last;
            for (size_t i = 0; i < count && last < count && partners[count] == AGENTCHAT_NO_PARTNER; i++)
                if (messages[i] == messages[last] && links[i][0] == 'c' && links[i][1] == '-' &&
                    partners[i] == AGENTCHAT_NO_PARTNER) {
                    partners[i] = count;
                    partners[count] = i;
                }
        }
        for (size_t i = count; *p == 'r' && p[1] != '-' && i-- > 0;) {
            if (links[i][0] == 'c' && links[i][1] == p[1]) {
                if (partners[i] == AGENTCHAT_NO_PARTNER) {
                    partners[i] = count;
                    partners[count] = i;
                }
                break;
            }
        }
        count++;
    }
}

static void test_calls__like_a_naive_search(void **state)
{
    static const char *const words[] = {"c1", "c2", "c3", "c-", "r1", "r2", "r3", "r-", "t", "|"};

    (void)state;
    for (size_t round = 0; round < 500; round++) {
        char script[2 * MOST] = "";
        size_t partners[MOST], words_in_it = test_pick(60);
        agentchat_messages *messages;
        agentchat_calls *calls;

        for (size_t i = 0; i < words_in_it; i++)
            strcat(script, words[test_pick(10)]);
        pair_naively(script, partners);
        messages = messages_of(script);
        calls = find(messages);
        for (size_t i = 0; i < agentchat_calls_count(calls); i++)
            assert_int_equal(agentchat_calls_at(calls, i)->partner, partners[i]);
        agentchat_calls_free(calls);
        agentchat_messages_unref(messages);
    }
}

/* What they are, in which message, and what is said of none. */
static void test_calls__are_looked_at(void **state)
{
    agentchat_messages *messages = messages_of("t|tc1|r1");
    agentchat_calls *calls = find(messages), *none = find(NULL);

    (void)state;
    assert_int_equal(agentchat_calls_count(calls), 2);
    assert_ptr_equal(agentchat_calls_at(calls, 0)->item, agentchat_message_item(agentchat_messages_at(messages, 1), 1));
    assert_ptr_equal(agentchat_calls_at(calls, 1)->item, agentchat_message_item(agentchat_messages_at(messages, 2), 0));
    assert_null(agentchat_calls_at(calls, 2));
    assert_null(agentchat_calls_at(calls, SIZE_MAX));
    assert_int_equal(agentchat_calls_count(none), 0);
    assert_int_equal(agentchat_calls_count(NULL), 0);
    assert_null(agentchat_calls_at(NULL, 0));
    agentchat_calls_free(NULL);
    agentchat_calls_free(none);
    agentchat_calls_free(calls);
    agentchat_messages_unref(messages);
}

static agentchat_status find_in(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_calls *calls;
    agentchat_status status = agentchat_calls_find(env, user, &calls, err);

    assert_int_equal(calls != NULL, status >= 0);
    agentchat_calls_free(calls);
    return status;
}

static void test_calls__out_of_memory(void **state)
{
    agentchat_messages *messages = messages_of("c1|r1");

    (void)state;
    assert_int_equal(test_oom_sweep(find_in, messages), 3);
    agentchat_messages_unref(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls__belong_together_by_their_ids),
        cmocka_unit_test(test_calls__ids_that_are_nearly_the_same),
        cmocka_unit_test(test_calls__without_ids_by_function),
        cmocka_unit_test(test_calls__like_a_naive_search),
        cmocka_unit_test(test_calls__are_looked_at),
        cmocka_unit_test(test_calls__out_of_memory),
    };

    test_seed(4711);
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
