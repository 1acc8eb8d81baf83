/* SPDX-License-Identifier: Apache-2.0 */
/* Named values of live chats in threads: lists that are held element by element, and values that two chats change. */
#include "thread/contract/live.h"

static void save(scene *s, agentchat_chat *chat)
{
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
}

static void restore(scene *s, agentchat_chat *chat)
{
    test_ok(agentchat_thread_restore(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
}

static void catch_up(scene *s, agentchat_chat *chat, bool append)
{
    agentchat_thread_catch_up_options options = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;

    options.append = append;
    test_ok(agentchat_thread_catch_up(s->store, chat, &options, NULL, &s->err), &s->err);
}

static void set(scene *s, agentchat_chat *chat, const char *name, const char *json)
{
    agentchat_str value = json != NULL ? agentchat_str_from(json) : (agentchat_str){NULL, 0};

    test_ok(agentchat_chat_set_value(chat, agentchat_str_from(name), (agentchat_str){NULL, 0}, value, &s->err),
            &s->err);
}

static void expect_json(agentchat_chat *chat, const char *name, const char *expected)
{
    agentchat_str value = agentchat_chat_value(chat, agentchat_str_from(name), NULL);

    if (expected == NULL)
        assert_null(value.ptr);
    else
        assert_str(value, expected);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static void test_live__a_list_is_stored_as_it_is_spelled(void **state)
{
    static const char *const updates[] = {
        "[1.50]",
        "[{\"a\" : [ ]}, \"x\"]",
        "{\"type\":\"keep\",\"from\":2,\"to\":null}",
        "[\"1\",\"1\"]",
        "{\"type\":\"keep\",\"from\":1,\"to\":-1}",
        "[null]",
        "{\"type\":\"clear\"}",
        "[]",
        "{\"__overwrite__\":[3,2,1]}",
        "[0]",
    };
    scene *s = *state;
    agentchat_chat *chat = fresh(false), *other;

    set(s, chat, "list", "[ 1 ,\n2 ]");
    for (size_t i = 0; i < sizeof updates / sizeof *updates; i++) {
        say(s, chat, "text");
        save(s, chat);
        expect_saved(s, chat);
        update(s, chat, "list", updates[i]);
        save(s, chat);
        expect_saved(s, chat);
        other = fresh(false);
        restore(s, other);
        expect_saved(s, other);
        update(s, other, "list", "[\"more\"]");
        save(s, other);
        expect_saved(s, other);
        agentchat_chat_free(other);
        catch_up(s, chat, false);
        expect_saved(s, chat);
    }
    agentchat_chat_free(chat);
}

/* A chat may go from one way of keeping a list to the other at any time. */
static void test_live__a_list_that_is_set_and_updated(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(false);

    set(s, chat, "list", "[1]");
    save(s, chat);
    set(s, chat, "list", "[1,2]");
    save(s, chat);
    expect_saved(s, chat);
    update(s, chat, "list", "[3]");
    save(s, chat);
    expect_saved(s, chat);
    set(s, chat, "list", "[1,2,3,4]");
    save(s, chat);
    expect_saved(s, chat);
    set(s, chat, "list", "{\"no\":\"list\"}");
    save(s, chat);
    expect_saved(s, chat);
    update(s, chat, "another", "[5]");
    set(s, chat, "list", NULL); /* the other moves up */
    save(s, chat);
    expect_saved(s, chat);
    expect_json(chat, "another", "[5]");
    agentchat_chat_free(chat);
}

/* ---- two chats --------------------------------------------------------------------------------------------------- */

static void test_live__what_one_chat_changed_alone_stays(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(false), *other = fresh(false);

    set(s, chat, "both", "0");
    set(s, chat, "mine", "0");
    set(s, chat, "theirs", "0");
    set(s, chat, "gone here", "0");
    set(s, chat, "gone there", "0");
    update(s, chat, "list", "[1]");
    save(s, chat);
    restore(s, other);
    set(s, other, "theirs", "1");
    set(s, other, "both", "2");
    set(s, other, "gone there", NULL);
    set(s, other, "new there", "[]");
    update(s, other, "list", "[2]");
    say(s, other, "hello");
    save(s, other);
    set(s, chat, "mine", "1");
    set(s, chat, "both", "2");
    set(s, chat, "gone here", NULL);
    set(s, chat, "new here", "3");
    catch_up(s, chat, false);
    expect_json(chat, "theirs", "1");
    expect_json(chat, "mine", "1");
    expect_json(chat, "both", "2");
    expect_json(chat, "gone here", NULL);
    expect_json(chat, "gone there", NULL);
    expect_json(chat, "new here", "3");
    expect_json(chat, "new there", "[]");
    expect_json(chat, "list", "[1,2]");
    assert_string_equal(texts(chat), "hello");
    save(s, chat);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* Changed on both sides: nothing of either is lost. */
static void test_live__what_both_changed_is_a_conflict(void **state)
{
    static const struct {
        const char *name, *mine, *theirs; /* NULL: removed */
    } cases[] = {{"value", "1", "2"}, {"value", NULL, "2"}, {"value", "1", NULL}, {"new", "1", "2"}};
    scene *s = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_thread_catch_up_options append = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
        agentchat_chat *chat = fresh(false), *other = fresh(false);

        append.append = true;
        if (i == 0) {
            set(s, chat, "value", "0");
            save(s, chat);
        } else {
            restore(s, chat);
            set(s, chat, "value", "0");
            save(s, chat);
        }
        restore(s, other);
        set(s, other, cases[i].name, cases[i].theirs);
        say(s, other, "theirs");
        save(s, other);
        set(s, chat, cases[i].name, cases[i].mine);
        expect_fails(s, agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT, "value");
        expect_fails(s, agentchat_thread_catch_up(s->store, chat, &append, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                     cases[i].name);
        expect_json(chat, cases[i].name, cases[i].mine);
        assert_null(strstr(texts(chat), i == 0 ? "theirs" : "theirs|theirs|theirs|theirs|theirs"));
        if (cases[i].name[0] == 'n') { /* for who comes after */
            set(s, other, "new", NULL);
            save(s, other);
        }
        agentchat_chat_free(chat);
        agentchat_chat_free(other);
    }
}

static void test_live__lists_that_grew_on_both_sides_are_joined_where_asked(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(false), *other = fresh(false);

    update(s, chat, "list", "[1]");
    set(s, chat, "text", "[ 1 ]");
    save(s, chat);
    restore(s, other);
    update(s, other, "list", "[2]");
    update(s, other, "text", "[2]");
    update(s, other, "new", "[2]");
    save(s, other);
    update(s, chat, "list", "[3,4]");
    set(s, chat, "text", "[ 1 ,3]");
    update(s, chat, "new", "[3]");
    expect_fails(s, agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT, "value list");
    expect_json(chat, "list", "[1,3,4]");
    catch_up(s, chat, true);
    expect_json(chat, "list", "[1,2,3,4]");
    expect_json(chat, "text", "[ 1 ,2,3]");
    expect_json(chat, "new", "[2,3]");
    save(s, chat);
    expect_saved(s, chat);
    update(s, chat, "list", "{\"type\":\"keep\",\"from\":1,\"to\":null}");
    save(s, chat);
    update(s, other, "list", "[5]");
    {
        agentchat_thread_catch_up_options append = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;

        append.append = true; /* it did not only grow there */
        expect_fails(s, agentchat_thread_catch_up(s->store, other, &append, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                     "value list");
    }
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* Equal elements that both have added are two; equal values that both have set are one. */
static void test_live__equal_elements_of_both_are_two(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(false), *other = fresh(false);

    update(s, chat, "list", "[\"begin\"]");
    save(s, chat);
    restore(s, other);
    update(s, other, "list", "[\"tick\"]");
    set(s, other, "v", "[1]");
    save(s, other);
    update(s, chat, "list", "[\"tick\"]");
    set(s, chat, "v", "[1]");
    expect_fails(s, agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT, "value list");
    catch_up(s, chat, true);
    expect_json(chat, "list", "[\"begin\",\"tick\",\"tick\"]");
    expect_json(chat, "v", "[1]");
    save(s, chat);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* An attached chat is told before the input is there. */
static void test_live__attached_does_not_lose_a_value(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(false), *other = fresh(false);

    attach(s, chat, NULL);
    say(s, chat, "1");
    attach(s, other, NULL);
    set(s, other, "v", "1");
    say(s, other, "2");
    set(s, chat, "v", "2");
    expect_fails(s, agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("3"), &s->err), AGENTCHAT_E_CONFLICT,
                 "value v");
    expect_json(chat, "v", "2");
    assert_string_equal(texts(chat), "1");
    set(s, chat, "v", NULL); /* as it was */
    say(s, chat, "3");
    expect_json(chat, "v", "1");
    assert_string_equal(texts(chat), "1|2|3");
    expect_saved(s, chat);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

int contract_live_values(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_live__a_list_is_stored_as_it_is_spelled),
        SCENE_TEST(test_live__a_list_that_is_set_and_updated),
        SCENE_TEST(test_live__what_one_chat_changed_alone_stays),
        SCENE_TEST(test_live__what_both_changed_is_a_conflict),
        SCENE_TEST(test_live__lists_that_grew_on_both_sides_are_joined_where_asked),
        SCENE_TEST(test_live__equal_elements_of_both_are_two),
        SCENE_TEST(test_live__attached_does_not_lose_a_value),
    };

    return CONTRACT_GROUP("live_values", tests);
}
