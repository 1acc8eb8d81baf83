/* SPDX-License-Identifier: Apache-2.0 */
/* What other hosts and other makers bring: clocks that go wrong, ids of any kind, values that differ in their spelling
   only; and branches of branches. */
#include "thread/contract/contract.h"

/* Ids of a list, newest first, separated by spaces. */
static void expect_ids_at(scene *s, const char *before, const char *expected, const char *file, int line)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    char text[4096] = "";
    size_t len = 0;

    options.before = before;
    test_ok_at(agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), &s->err, file, line);
    for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", i > 0 ? " " : "",
                                agentchat_checkpoint_list_at(list, i)->id);
    agentchat_checkpoint_list_free(list);
    _assert_string_equal(text, expected, file, line);
}
#define expect_ids(s, before, expected) expect_ids_at((s), (before), (expected), __FILE__, __LINE__)

static void put_named(scene *s, const agentchat_snapshot *chat, const char *id, const char *parent)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    options.id = id;
    options.parent = parent;
    options.branch = parent != NULL;
    (void)put_chat(s, chat, &options);
}

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

static void test_others__a_host_whose_clock_is_slow(void **state)
{
    static const int64_t slow_by_s[] = {0, 3600, 0, INT64_C(10) * 365 * 86400, 1, 0};
    static const char *const ids[] = {"c1", "c2", "c3", "c4", "c5", "c6"};
    scene *s = *state;
    int64_t now = s->now_us;
    agentchat_snapshot *chat = chat_of("one", "one", NULL);

    s->step_us = 0; /* equal times, too */
    for (size_t i = 0; i < 6; i++) {
        agentchat_snapshot *longer = chat_with(chat, ids[i]);
        agentchat_checkpoint *checkpoint;

        agentchat_snapshot_unref(chat);
        chat = longer;
        s->now_us = now - slow_by_s[i] * 1000000;
        put_named(s, chat, ids[i], NULL); /* follows what was put last, whatever its time */
        expect_chat(s, NULL, chat);
        checkpoint = get_checkpoint(s, NULL);
        assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->id, ids[i]);
        assert_int_equal(agentchat_checkpoint_get_info(checkpoint)->time_us, s->now_us);
        assert_int_equal(agentchat_checkpoint_get_info(checkpoint)->sequence, i + 1);
        if (i > 0)
            assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->parent, ids[i - 1]);
        agentchat_checkpoint_free(checkpoint);
    }
    expect_ids(s, NULL, "c6 c5 c4 c3 c2 c1");
    expect_ids(s, "c4", "c3 c2 c1");
    agentchat_snapshot_unref(chat);
}

/* Ids that the library makes of such a clock do not matter either. */
static void test_others__made_ids_of_a_clock_that_goes_back(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    char first[AGENTCHAT_ID_SIZE], second[AGENTCHAT_ID_SIZE], both[2 * AGENTCHAT_ID_SIZE];

    s->step_us = 0;
    strcpy(first, put_chat(s, chat, NULL));
    s->now_us -= INT64_C(86400000000);
    strcpy(second, put_chat(s, chat, NULL));
    assert_true(strcmp(second, first) < 0);
    snprintf(both, sizeof both, "%s %s", second, first);
    expect_ids(s, NULL, both);
    agentchat_snapshot_unref(chat);
}

/* ---- ids --------------------------------------------------------------------------------------------------------- */

static void test_others__ids_of_another_maker(void **state)
{
    scene *s = *state;
    char longest[AGENTCHAT_ID_SIZE];
    const char *const ids[] = {"1ef4f797-8335-6428-8001-8a1503f9b875", /* LangGraph's: UUID version 6 */
                               "1ef4f797-8336-6d5e-8000-3b1a2c4d5e6f",
                               "1EF4F797-8335-6428-8001-8A1503F9B875",
                               "00000000-0000-0000-0000-000000000000",
                               "018f3c5e-7b2a-7c3d-9e4f-5a6b7c8d9e0f",
                               "7",
                               "-1",
                               "%s' OR ''='",
                               "\xe4\xbc\x9a\xe8\xa9\xb1 \xf0\x9f\x92\xac",
                               "a",
                               "a ",
                               " a",
                               "A",
                               longest};
    enum { COUNT = sizeof ids / sizeof *ids };
    agentchat_snapshot *chats[COUNT];

    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    for (size_t i = 0; i < COUNT; i++) {
        char text[16];

        snprintf(text, sizeof text, "text %zu", i);
        chats[i] = i == 0 ? chat_of(text, text, NULL) : chat_with(chats[i - 1], text);
        put_named(s, chats[i], ids[i], NULL);
    }
    for (size_t i = 0; i < COUNT; i++) {
        agentchat_checkpoint *checkpoint = get_checkpoint(s, ids[i]);

        assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->id, ids[i]);
        assert_int_equal(agentchat_checkpoint_get_info(checkpoint)->sequence, i + 1);
        if (i > 0)
            assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->parent, ids[i - 1]);
        expect_equal(agentchat_checkpoint_snapshot(checkpoint), chats[i]);
        agentchat_checkpoint_free(checkpoint);
    }
    expect_ids(s, ids[2], "1ef4f797-8336-6d5e-8000-3b1a2c4d5e6f 1ef4f797-8335-6428-8001-8a1503f9b875");
    for (size_t i = 0; i < COUNT; i++)
        agentchat_snapshot_unref(chats[i]);
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static void test_others__a_fork_of_a_fork(void **state)
{
    scene *s = *state;
    agentchat_snapshot *trunk = chat_of("1|2|3", "1|2|3", "l=[1]"), *fork = chat_with(trunk, "fork"),
                       *fork_of_fork = chat_with(fork, "fork of fork"), *third = chat_with(fork_of_fork, "third"),
                       *on_trunk = chat_with(trunk, "trunk"), *on_fork = chat_with(fork, "goes on"),
                       *on_second = chat_with(fork_of_fork, "goes on");
    uint64_t bytes;

    put_named(s, trunk, "trunk", NULL);
    put_named(s, on_trunk, "trunk 2", "trunk");
    put_named(s, fork, "fork", "trunk");
    put_named(s, on_fork, "fork 2", "fork");
    put_named(s, fork_of_fork, "fork of fork", "fork");
    put_named(s, on_second, "fork of fork 2", "fork of fork");
    bytes = thread_info(s).bytes;
    put_named(s, third, "third", "fork of fork");
    assert_in_range(thread_info(s).bytes - bytes, 1, 200); /* shares all that was before */
    expect_chat(s, "trunk", trunk);
    expect_chat(s, "trunk 2", on_trunk);
    expect_chat(s, "fork", fork);
    expect_chat(s, "fork 2", on_fork);
    expect_chat(s, "fork of fork", fork_of_fork);
    expect_chat(s, "fork of fork 2", on_second);
    expect_chat(s, "third", third);
    agentchat_snapshot_unref(trunk);
    agentchat_snapshot_unref(fork);
    agentchat_snapshot_unref(fork_of_fork);
    agentchat_snapshot_unref(third);
    agentchat_snapshot_unref(on_trunk);
    agentchat_snapshot_unref(on_fork);
    agentchat_snapshot_unref(on_second);
}

/* ---- equal and nearly equal ---------------------------------------------------------------------------------------
 */

/* Dropping one of two equal neighbours leaves the other one, and each list tells how many there are. */
static void test_others__two_equal_messages(void **state)
{
    static const char *const histories[] = {"same", "same|same", "same|x|same", "same|same|same", "same|same", "same"};
    scene *s = *state;
    agentchat_snapshot *chats[6];
    char id[16];

    for (size_t i = 0; i < 6; i++) {
        chats[i] = chat_of(histories[i], histories[5 - i], "l=[\"same\",\"same\"]");
        snprintf(id, sizeof id, "c%zu", i);
        put_named(s, chats[i], id, NULL);
    }
    for (size_t i = 0; i < 6; i++) {
        snprintf(id, sizeof id, "c%zu", i);
        expect_chat(s, id, chats[i]);
        agentchat_snapshot_unref(chats[i]);
    }
}

static agentchat_snapshot *calling_chat(const char *arguments)
{
    agentchat_message_builder *builder = test_message_builder(NULL, "assistant", NULL);
    agentchat_snapshot_builder *chat = test_snapshot_builder(NULL, NULL);
    agentchat_message *message = NULL;
    agentchat_snapshot *made = NULL;
    agentchat_error err;

    agentchat_message_builder_add_call(builder, AGENTCHAT_STR("1"), AGENTCHAT_STR(""), AGENTCHAT_STR("pay"),
                                       agentchat_str_from(arguments));
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    agentchat_snapshot_builder_add_message(chat, message);
    test_ok(agentchat_snapshot_builder_finish(chat, &made, &err), &err);
    agentchat_message_unref(message);
    return made;
}

/* Two bodies, each with its spelling, although their digests may be equal. */
static void test_others__one_fifty_beside_one_five(void **state)
{
    static const char *const values[] = {"v=1.50 l=[1.50,1.5,1.50]", "v=1.5 l=[1.50,1.5,1.50]", "v=1.50 l=[1.5,1.50]"};
    static const char *const arguments[] = {"{\"price\":1.50}", "{\"price\":1.5}", "{\"price\":1.50}"};
    scene *s = *state;
    agentchat_snapshot *chats[6];
    char id[16];

    for (size_t i = 0; i < 6; i++) {
        chats[i] = i < 3 ? chat_of("one", NULL, values[i]) : calling_chat(arguments[i - 3]);
        snprintf(id, sizeof id, "c%zu", i);
        put_named(s, chats[i], id, NULL);
    }
    for (size_t i = 0; i < 6; i++) {
        agentchat_bytes left = AGENTCHAT_BYTES_INIT, right = AGENTCHAT_BYTES_INIT;
        agentchat_checkpoint *checkpoint;

        snprintf(id, sizeof id, "c%zu", i);
        checkpoint = get_checkpoint(s, id);
        test_ok(agentchat_snapshot_write_memory(agentchat_checkpoint_snapshot(checkpoint), NULL, &left, NULL, &s->err),
                &s->err);
        test_ok(agentchat_snapshot_write_memory(chats[i], NULL, &right, NULL, &s->err), &s->err);
        assert_int_equal(left.len, right.len);
        assert_memory_equal(left.ptr, right.ptr, left.len);
        agentchat_bytes_clear(&left);
        agentchat_bytes_clear(&right);
        agentchat_checkpoint_free(checkpoint);
        agentchat_snapshot_unref(chats[i]);
    }
}

int contract_others(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_others__a_host_whose_clock_is_slow),
        SCENE_TEST(test_others__made_ids_of_a_clock_that_goes_back),
        SCENE_TEST(test_others__ids_of_another_maker),
        SCENE_TEST(test_others__a_fork_of_a_fork),
        SCENE_TEST(test_others__two_equal_messages),
        SCENE_TEST(test_others__one_fifty_beside_one_five),
    };

    return CONTRACT_GROUP("others", tests);
}
