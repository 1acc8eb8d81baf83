/* SPDX-License-Identifier: Apache-2.0 */
/* How often threads on PostgreSQL wait for the server, counted on the wire. */
#include "support/postgres/test_postgres.h"
#include "support/postgres/test_proxy.h"
#include "support/test_support.h"
#include <agentchat/postgres.h>
#include <agentchat/thread_chat.h>

typedef struct scene {
    test_proxy *proxy;
    agentchat_store *store;
    agentchat_chat *chat;
    char *database;
    agentchat_error err;
} scene;

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    char text[40];

    (void)user;
    snprintf(text, sizeof text, "answer to %zu", agentchat_messages_count(seen));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

static agentchat_chat *make_chat(void)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    options.name = options.id = AGENTCHAT_STR("Desk");
    options.answer = answer;
    test_ok(test_add_agent(chat, test_history_agent_new(NULL, &options), &err), &err);
    return chat;
}

static void open_scene(scene *s)
{
    memset(s, 0, sizeof *s);
    s->database = test_postgres_database();
    test_ok(agentchat_postgres_init(NULL, s->database, NULL, &s->err), &s->err);
    s->proxy = test_proxy_new(s->database);
    test_ok(agentchat_postgres_open(NULL, test_proxy_url(s->proxy), NULL, &s->store, &s->err), &s->err);
    s->chat = make_chat();
}

static void close_scene(scene *s)
{
    agentchat_chat_free(s->chat);
    agentchat_store_close(s->store);
    test_proxy_free(s->proxy);
    free(s->database);
}

static void turn(scene *s)
{
    char text[40];

    snprintf(text, sizeof text, "question %zu", agentchat_messages_count(agentchat_chat_history(s->chat)));
    test_ok(agentchat_chat_add_text(s->chat, "user", agentchat_str_from(text), &s->err), &s->err);
    test_ok(agentchat_chat_invoke(s->chat, AGENTCHAT_STR("Desk"), &s->err), &s->err);
}

static void save(scene *s)
{
    test_ok(agentchat_thread_save(s->store, "t", s->chat, NULL, NULL, &s->err), &s->err);
}

static void put_and_count(bool indexed)
{
    scene s;

    open_scene(&s);
    if (indexed)
        test_ok(agentchat_thread_index(s.store, true, &s.err), &s.err);
    turn(&s);
    save(&s); /* the first one has to make the thread and prepare its statements */
    for (int i = 0; i < 5; i++) {
        turn(&s);
        (void)test_proxy_round_trips(s.proxy);
        save(&s);
        assert_int_equal(test_proxy_round_trips(s.proxy), 3);
    }
    close_scene(&s);
}

static void test_round_trips__a_put_waits_three_times(void **state)
{
    (void)state;
    put_and_count(false);
}

static void test_round_trips__a_put_to_an_indexed_thread_waits_three_times(void **state)
{
    (void)state;
    put_and_count(true);
}

static void test_round_trips__a_put_on_a_branch_waits_three_times(void **state)
{
    agentchat_thread_save_options options = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_chat *other;
    scene s;

    (void)state;
    open_scene(&s);
    turn(&s);
    save(&s);
    other = make_chat();
    test_ok(agentchat_thread_restore(s.store, "t", other, NULL, NULL, &s.err), &s.err);
    turn(&s);
    save(&s);
    test_ok(agentchat_chat_add_text(other, "user", AGENTCHAT_STR("another"), &s.err), &s.err);
    options.branch = true;
    (void)test_proxy_round_trips(s.proxy);
    test_ok(agentchat_thread_save(s.store, "t", other, &options, NULL, &s.err), &s.err);
    assert_int_equal(test_proxy_round_trips(s.proxy), 3);
    turn(&s); /* this chat's checkpoint is not the newest any more */
    (void)test_proxy_round_trips(s.proxy);
    save(&s);
    assert_int_equal(test_proxy_round_trips(s.proxy), 3);
    agentchat_chat_free(other);
    close_scene(&s);
}

static agentchat_str text_at(const agentchat_messages *messages, size_t index)
{
    const agentchat_item *item = agentchat_message_item(agentchat_messages_at(messages, index), 0);

    return agentchat_item_get(item, AGENTCHAT_FIELD_TEXT);
}

/* The newest messages are those of the chat; returns how often the server was waited for. */
static unsigned read_tail(scene *s, const agentchat_chat *chat, size_t count)
{
    const agentchat_messages *history = agentchat_chat_history(chat);
    size_t all = agentchat_messages_count(history), expected = count < all ? count : all;
    agentchat_messages *tail = NULL;
    unsigned trips;

    (void)test_proxy_round_trips(s->proxy);
    test_ok(agentchat_thread_tail(s->store, "t", count, NULL, &tail, &s->err), &s->err);
    trips = test_proxy_round_trips(s->proxy);
    assert_int_equal(agentchat_messages_count(tail), expected);
    for (size_t i = 0; i < expected; i++)
        assert_true(agentchat_str_equal(text_at(tail, i), text_at(history, all - expected + i)));
    agentchat_messages_unref(tail);
    return trips;
}

static void test_round_trips__the_newest_messages_wait_once(void **state)
{
    scene s;

    (void)state;
    open_scene(&s);
    for (int i = 0; i < 40; i++) {
        turn(&s);
        save(&s);
    }
    (void)read_tail(&s, s.chat, 50); /* prepares the statements */
    assert_int_equal(read_tail(&s, s.chat, 50), 1);
    assert_int_equal(read_tail(&s, s.chat, 1), 1);
    assert_int_equal(read_tail(&s, s.chat, 0), 1);
    assert_int_equal(read_tail(&s, s.chat, 80), 1);
    assert_int_equal(read_tail(&s, s.chat, 1000), 1);
    assert_int_equal(read_tail(&s, s.chat, 1001), 4); /* by steps, and the end of the transaction */
    close_scene(&s);
}

/* What the thread has besides its messages, and messages that stand elsewhere, cost round trips and nothing else. */
static void test_round_trips__what_was_not_prefetched_is_read_by_steps(void **state)
{
    agentchat_thread_save_options options = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_chat *other;
    scene s;

    (void)state;
    open_scene(&s);
    for (int i = 0; i < 20; i++) {
        char value[40];

        turn(&s);
        snprintf(value, sizeof value, "{\"turn\":%d}", i);
        test_ok(agentchat_chat_set_value(s.chat, AGENTCHAT_STR("state"), (agentchat_str){NULL, 0},
                                         agentchat_str_from(value), &s.err),
                &s.err);
        save(&s);
    }
    (void)read_tail(&s, s.chat, 30);
    assert_int_equal(read_tail(&s, s.chat, 30), 5); /* other bodies stand between */
    other = make_chat();
    test_ok(agentchat_thread_restore(s.store, "t", other, NULL, NULL, &s.err), &s.err);
    turn(&s);
    save(&s);
    test_ok(agentchat_chat_add_text(other, "user", AGENTCHAT_STR("a branch"), &s.err), &s.err);
    options.branch = true;
    test_ok(agentchat_thread_save(s.store, "t", other, &options, NULL, &s.err), &s.err);
    assert_int_equal(read_tail(&s, other, 30), 6); /* its history stands in two segments */
    agentchat_chat_free(other);
    close_scene(&s);
}

static void expect_damage(scene *s, const char *statement, const char *where)
{
    agentchat_messages *tail = NULL;

    test_postgres_run(s->database, statement);
    assert_int_equal(agentchat_thread_tail(s->store, "t", 5, NULL, &tail, &s->err), AGENTCHAT_E_CORRUPT);
    assert_null(tail);
    if (strstr(s->err.message, where) == NULL)
        fail_msg("%s: %s", where, s->err.message);
}

/* What the prefetch meets is said as it is where nothing is prefetched; damage elsewhere is in nobody's way. */
static void test_round_trips__damage_is_named_where_it_is(void **state)
{
    scene s;

    (void)state;
    open_scene(&s);
    for (int i = 0; i < 6; i++) {
        turn(&s);
        save(&s);
    }
    test_postgres_run(s.database, "UPDATE body SET sum = sum + 1 WHERE no = 1");
    (void)read_tail(&s, s.chat, 5);
    expect_damage(&s, "UPDATE item SET sum = sum + 1", "item");
    expect_damage(&s, "UPDATE checkpoint SET contents = '{\"h\":[99999999999999999999,0,5]}'", "checkpoint");
    expect_damage(&s, "UPDATE checkpoint SET contents = 'no JSON'", "checkpoint");
    close_scene(&s);
}

static agentchat_snapshot *capture(scene *s)
{
    agentchat_snapshot *snapshot = NULL;

    test_ok(agentchat_chat_capture(s->chat, NULL, &snapshot, NULL, &s->err), &s->err);
    return snapshot;
}

static void test_round_trips__a_snapshot_from_elsewhere_waits_for_what_it_follows(void **state)
{
    scene s;

    (void)state;
    open_scene(&s);
    for (int i = 0; i < 4; i++) {
        agentchat_snapshot *snapshot;

        turn(&s);
        snapshot = capture(&s);
        (void)test_proxy_round_trips(s.proxy);
        test_ok(agentchat_checkpoint_put(s.store, "t", snapshot, NULL, NULL, &s.err), &s.err);
        if (i > 0) /* lists of the checkpoint before, and their digests */
            assert_int_equal(test_proxy_round_trips(s.proxy), 5);
        agentchat_snapshot_unref(snapshot);
    }
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips__a_put_waits_three_times),
        cmocka_unit_test(test_round_trips__a_put_to_an_indexed_thread_waits_three_times),
        cmocka_unit_test(test_round_trips__a_put_on_a_branch_waits_three_times),
        cmocka_unit_test(test_round_trips__the_newest_messages_wait_once),
        cmocka_unit_test(test_round_trips__what_was_not_prefetched_is_read_by_steps),
        cmocka_unit_test(test_round_trips__damage_is_named_where_it_is),
        cmocka_unit_test(test_round_trips__a_snapshot_from_elsewhere_waits_for_what_it_follows),
    };

    test_postgres_begin("thread.round_trips.postgres");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
