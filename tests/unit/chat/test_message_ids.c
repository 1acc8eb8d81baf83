/* SPDX-License-Identifier: Apache-2.0 */
/* Chats that give every message an id: what joins by its id takes the place of the message that has it. */
#include "chat_edit_test.h"

static void gives_ids(agentchat_chat *chat)
{
    agentchat_error err;

    test_ok(agentchat_chat_set_message_ids(chat, true, &err), &err);
}

static agentchat_status try_add(agentchat_chat *chat, const char *id, const char *text, agentchat_error *err)
{
    agentchat_message *made = message("user", id, text);
    agentchat_status status = agentchat_chat_add_message(chat, made, err);

    agentchat_message_unref(made);
    return status;
}

static void adds(agentchat_chat *chat, const char *id, const char *text)
{
    agentchat_error err;

    test_ok(try_add(chat, id, text, &err), &err);
}

static agentchat_str id_at(const agentchat_messages *list, size_t index)
{
    return agentchat_message_get(agentchat_messages_at(list, index), AGENTCHAT_FIELD_ID);
}

/* Every message has an id, and no two have the same. */
static void assert_ids(const agentchat_messages *list)
{
    for (size_t i = 0; i < agentchat_messages_count(list); i++) {
        assert_true(id_at(list, i).len > 0);
        for (size_t k = 0; k < i; k++)
            assert_false(agentchat_str_equal(id_at(list, i), id_at(list, k)));
    }
}

static const agentchat_messages *list_of(agentchat_chat *chat, size_t agent)
{
    const agentchat_messages *list = NULL;
    agentchat_error err;

    test_ok(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, agent), &list, &err), &err);
    return list;
}

static void test_message_ids__are_off_at_first(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    (void)state;
    adds(chat, NULL, "a");
    adds(chat, "1", "b");
    adds(chat, "1", "c");
    assert_texts(agentchat_chat_history(chat), "a;b;c;");
    assert_null(id_at(agentchat_chat_history(chat), 0).ptr);
    test_fails(agentchat_chat_set_message_ids(NULL, true, &err), &err, AGENTCHAT_E_INVALID, NULL, "chat");
    agentchat_chat_free(chat);
}

static void test_message_ids__input_takes_a_place(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);

    (void)state;
    gives_ids(chat);
    add_agent(chat, speaker(NULL, "A", "answer"));
    adds(chat, "1", "one");
    adds(chat, NULL, "two");
    invoke(chat, "A");
    assert_ids(agentchat_chat_history(chat));
    adds(chat, "1", "new one");
    adds(chat, "4", "four");
    assert_texts(agentchat_chat_history(chat), "new one;two;answer;four;");
    assert_texts(list_of(chat, 0), "new one;two;answer;four;"); /* its agent sees it */
    assert_ids(agentchat_chat_history(chat));
    assert_str(id_at(agentchat_chat_history(chat), 0), "1");
    agentchat_chat_free(chat);
}

static void test_message_ids__messages_that_are_there_get_one(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);

    (void)state;
    add_agent(chat, speaker(NULL, "A", "answer"));
    adds(chat, NULL, "one");
    invoke(chat, "A");
    gives_ids(chat);
    adds(chat, NULL, "two");
    assert_texts(agentchat_chat_history(chat), "one;answer;two;");
    assert_ids(agentchat_chat_history(chat));
    assert_true(agentchat_str_equal(id_at(list_of(chat, 0), 1), id_at(agentchat_chat_history(chat), 1)));
    agentchat_chat_free(chat);
}

/* ---- in an answer ------------------------------------------------------------------------------------------------ */

typedef struct corrector {
    const char *id, *text;
    bool fails;
    size_t seen;
} corrector;

/* Says a message without an id, then one of that id, twice. */
static agentchat_status correct(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                agentchat_error *err)
{
    corrector *c = user;
    agentchat_message *said = message("assistant", c->id, "first try"), *again = message("assistant", c->id, c->text);
    agentchat_status status = agentchat_replies_add_text(out, AGENTCHAT_STR("corrected"), err);

    c->seen = agentchat_messages_count(seen);
    if (status >= 0)
        status = agentchat_replies_add(out, said, err);
    if (status >= 0)
        status = agentchat_replies_add(out, again, err);
    agentchat_message_unref(said);
    agentchat_message_unref(again);
    return status >= 0 && c->fails ? agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "overloaded") : status;
}

static agentchat_chat *with_corrector(corrector *c)
{
    agentchat_chat *chat = test_chat_new(NULL);

    gives_ids(chat);
    add_agent(chat, test_speaker_new(NULL, "C", correct, c));
    add_agent(chat, speaker(NULL, "Other", "other"));
    adds(chat, "1", "one");
    invoke(chat, "Other");
    return chat;
}

static void test_message_ids__an_answer_takes_a_place_when_it_ends(void **state)
{
    corrector c = {.id = "1", .text = "new one"};
    agentchat_chat *chat = with_corrector(&c);

    (void)state;
    invoke(chat, "C");
    assert_texts(agentchat_chat_history(chat), "new one;other;corrected;");
    for (size_t agent = 0; agent < 2; agent++)
        assert_texts(list_of(chat, agent), "new one;other;corrected;");
    assert_ids(agentchat_chat_history(chat));
    c.id = "5"; /* a message of the answer itself */
    invoke(chat, "C");
    assert_texts(agentchat_chat_history(chat), "new one;other;corrected;corrected;new one;");
    assert_texts(list_of(chat, 1), "new one;other;corrected;corrected;new one;");
    agentchat_chat_free(chat);
}

static void test_message_ids__an_answer_that_fails_takes_no_place(void **state)
{
    corrector c = {.id = "1", .text = "new one", .fails = true};
    agentchat_chat *chat = with_corrector(&c);
    agentchat_error err;

    (void)state;
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("C"), &err), &err, AGENTCHAT_E_CALLBACK, NULL, "overloaded");
    assert_texts(agentchat_chat_history(chat), "one;other;corrected;");
    c.fails = false;
    c.text = "newest";
    invoke(chat, "C");
    assert_texts(agentchat_chat_history(chat), "newest;other;corrected;corrected;");
    agentchat_chat_free(chat);
}

/* ---- in a chat inside ----------------------------------------------------------------------------------------------
 */

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, test_speaker_new(NULL, "C", correct, user));
    return AGENTCHAT_OK;
}

static void test_message_ids__both_chats_of_a_flat_aggregator_have_the_new_one(void **state)
{
    corrector c = {.id = "1", .text = "new one"};
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);

    (void)state;
    options.name = AGENTCHAT_STR("Group");
    options.mode = AGENTCHAT_AGGREGATOR_FLAT;
    options.make = make_inner;
    options.user = &c;
    gives_ids(chat);
    add_agent(chat, test_aggregator_new(NULL, &options));
    adds(chat, "1", "one");
    invoke(chat, "Group");
    assert_texts(agentchat_chat_history(chat), "new one;corrected;");
    assert_channel_texts(chat, 0, "new one;corrected;");
    assert_ids(agentchat_chat_history(chat));
    agentchat_chat_free(chat);
}

/* ---- at random, against add_messages; cost; memory ----------------------------------------------------------------
 */

static void add_at_random(agentchat_chat *chat, size_t step)
{
    agentchat_message *batch[4];
    agentchat_message_update updates[4] = {{NULL, {NULL, 0}}};
    size_t count = test_pick(5);
    agentchat_list_edit *edit = NULL;
    agentchat_messages *expected = NULL;
    const agentchat_messages *history = agentchat_chat_history(chat);
    char id[8], text[32], left[8192], right[8192];
    agentchat_error err;

    for (size_t i = 0; i < count; i++) {
        (void)snprintf(id, sizeof id, "%zu", test_pick(40));
        (void)snprintf(text, sizeof text, "%zu.%zu", step, i);
        batch[i] = message("user", test_pick(3) == 0 ? NULL : id, text);
        updates[i].message = batch[i];
    }
    test_ok(agentchat_messages_add(NULL, history, updates, count, &edit, &err), &err);
    test_ok(agentchat_list_edit_apply(edit, history, &expected, &err), &err);
    test_ok(agentchat_chat_add_messages(chat, (const agentchat_message *const *)batch, count, &err), &err);
    history = agentchat_chat_history(chat);
    assert_string_equal(texts(history, left), texts(expected, right));
    assert_string_equal(texts(list_of(chat, 0), left), right);
    assert_ids(history);
    while (count > 0)
        agentchat_message_unref(batch[--count]);
    agentchat_messages_unref(expected);
    agentchat_list_edit_free(edit);
}

static void test_message_ids__as_add_messages_has_it(void **state)
{
    (void)state;
    test_seed(7);
    for (size_t round = 0; round < 20; round++) {
        agentchat_chat *chat = test_chat_new(NULL);

        gives_ids(chat);
        add_agent(chat, speaker(NULL, "A", NULL));
        invoke(chat, "A");
        for (size_t step = 0; step < 40; step++)
            add_at_random(chat, step);
        agentchat_chat_free(chat);
    }
}

static uint64_t calls_of_input(size_t before)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_chat *chat = test_chat_new(env);
    uint64_t calls;

    gives_ids(chat);
    for (size_t i = 0; i < before; i++)
        adds(chat, NULL, "x");
    calls = oom.calls;
    adds(chat, NULL, "y");
    calls = oom.calls - calls;
    agentchat_chat_free(chat);
    agentchat_env_free(env);
    return calls;
}

static void test_message_ids__input_costs_what_comes(void **state)
{
    (void)state;
    assert_true(calls_of_input(20000) <= calls_of_input(10) + 4);
}

/* All of an input is there, or nothing. */
static agentchat_status input_and_answer(const agentchat_env *env, void *user, agentchat_error *err)
{
    corrector c = {.id = "1", .text = "newest"};
    agentchat_chat *chat = test_chat_new(env);
    agentchat_status status = chat != NULL ? agentchat_chat_set_message_ids(chat, true, err) : AGENTCHAT_E_NOMEM;

    (void)user;
    if (status >= 0)
        status = test_add_agent(chat, test_speaker_new(env, "C", correct, &c), err);
    if (status >= 0)
        status = try_add(chat, "1", "one", err);
    if (status >= 0)
        status = agentchat_chat_invoke(chat, AGENTCHAT_STR("C"), err);
    if (status >= 0) {
        status = try_add(chat, "1", "new one", err);
        assert_texts(agentchat_chat_history(chat), status < 0 ? "newest;corrected;" : "new one;corrected;");
    }
    agentchat_chat_free(chat);
    return status;
}

static void test_message_ids__memory_runs_out(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(input_and_answer, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_ids__are_off_at_first),
        cmocka_unit_test(test_message_ids__input_takes_a_place),
        cmocka_unit_test(test_message_ids__messages_that_are_there_get_one),
        cmocka_unit_test(test_message_ids__an_answer_takes_a_place_when_it_ends),
        cmocka_unit_test(test_message_ids__an_answer_that_fails_takes_no_place),
        cmocka_unit_test(test_message_ids__both_chats_of_a_flat_aggregator_have_the_new_one),
        cmocka_unit_test(test_message_ids__as_add_messages_has_it),
        cmocka_unit_test(test_message_ids__input_costs_what_comes),
        cmocka_unit_test(test_message_ids__memory_runs_out),
    };

    return cmocka_run_group_tests_name("chat.message_ids", tests, NULL, NULL);
}
