/* SPDX-License-Identifier: Apache-2.0 */
/* Restoring into a chat: the cases of Semantic Kernel's decision record 0048, and that the chat goes on as the saved
   one would have. The case of a chat with fewer agents is in test_restore_channels.c. */
#include "restore_test.h"

static void test_restore__after_a_reset(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents());
    agentchat_chat *chat = two_agents();
    agentchat_error err;

    (void)state;
    invoke(chat, "Second");
    test_ok(agentchat_chat_reset(chat, &err), &err);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    assert_channel_texts(chat, 0, "test;1st;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_restore__into_a_chat_without_agents(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents()), *empty;
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    (void)state;
    empty = capture(chat);
    refuse(chat, empty, AGENTCHAT_E_NO_AGENTS, "no agents"); /* also when the source was empty */
    refuse(chat, snapshot, AGENTCHAT_E_NO_AGENTS, "no agents");
    add_text(chat, "x");
    refuse(chat, snapshot, AGENTCHAT_E_NO_AGENTS, "no agents");
    test_ok(agentchat_chat_reset(chat, &err), &err);
    test_fails(agentchat_chat_restore(chat, NULL, NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "snapshot must not be NULL");
    add_agent(chat, speaker(NULL, "First", "1st"));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    assert_texts(agentchat_chat_history(chat), "test;1st;");
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(empty);
    agentchat_chat_free(chat);
}

static void test_restore__enhanced(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents());
    agentchat_chat *chat = two_agents();
    agentchat_report *report = NULL;
    mock m = {.says = "m"};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_EXTRA), 1);
    assert_int_equal(m.creates + m.restores, 0);
    add_text(chat, "more");
    assert_int_equal(m.receives, 0);
    invoke(chat, "M");
    assert_string_equal(m.given, "test;1st;more;");
    assert_int_equal(m.last_batch, 3);
    assert_channel_texts(chat, 0, "test;1st;more;m;");
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_restore__turn_completion_and_values(void **state)
{
    agentchat_chat *chat = two_agents(), *next = test_chat_new(NULL), *fewer = test_chat_new(NULL);
    agentchat_str absent = {NULL, 0}, type;
    agentchat_snapshot *snapshot, *again;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    agentchat_chat_set_complete(chat, true);
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR("{\"n\":1.50}"), &err), &err);
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("b"), AGENTCHAT_STR("image/png"), AGENTCHAT_STR("\x89"), &err),
            &err);
    snapshot = through_bytes(capture(chat));
    assert_int_equal(agentchat_snapshot_next_turn(snapshot), 1);
    agentchat_chat_free(chat);
    /* In another order: the turn stays the second agent's. */
    add_agent(next, speaker(NULL, "Second", "2nd"));
    add_agent(next, speaker(NULL, "First", "1st"));
    test_ok(agentchat_chat_set_value(next, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR("0"), &err), &err);
    test_ok(agentchat_chat_set_value(next, AGENTCHAT_STR("own"), absent, AGENTCHAT_STR("1"), &err), &err);
    test_ok(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), &err);
    assert_true(agentchat_chat_is_complete(next));
    assert_str(agentchat_chat_value(next, AGENTCHAT_STR("a"), NULL), "{\"n\":1.50}");
    assert_str(agentchat_chat_value(next, AGENTCHAT_STR("b"), &type), "\x89");
    assert_str(type, "image/png");
    assert_str(agentchat_chat_value(next, AGENTCHAT_STR("own"), NULL), "1");
    agentchat_chat_set_complete(next, false);
    test_ok(agentchat_chat_invoke_next(next, &err), &err);
    assert_texts(agentchat_chat_history(next), "1st;2nd;");
    again = capture(next);
    agentchat_chat_free(next); /* the snapshot outlives the chat, values included */
    assert_str(agentchat_snapshot_value(again, AGENTCHAT_STR("b"), NULL), "\x89");
    /* The agent whose turn it was is gone: the position in the order wraps round. */
    add_agent(fewer, speaker(NULL, "Other", "o"));
    test_ok(agentchat_chat_restore(fewer, snapshot, NULL, NULL, &err), &err);
    agentchat_chat_set_complete(fewer, false);
    test_ok(agentchat_chat_invoke_next(fewer, &err), &err);
    assert_texts(agentchat_chat_history(fewer), "1st;o;");
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(again);
    agentchat_chat_free(fewer);
}

static void test_restore__equivalent_chat_saves_the_same_bytes(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_chat *chat = test_chat_new(NULL), *next = test_chat_new(NULL);
    mock m = {.says = "m"}, n = {.says = "m"};
    const char *names[3] = {"H", "G", "M"};
    char *first, *second;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    add_agent(chat, aggregator("G"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    for (int i = 0; i < 3; i++)
        invoke(chat, names[i]);
    snapshot = through_bytes(capture(chat));
    add_agent(next, speaker(NULL, "H", "h"));
    add_agent(next, aggregator("G"));
    /* Ids are the host's to set; with equal ones the files are equal but for the chat inside, whose agents are new. */
    add_agent(next, mock_agent(NULL, "M", &n));
    test_ok(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), &err);
    for (int i = 0; i < 3; i++) {
        invoke(chat, names[i]);
        invoke(next, names[i]);
    }
    assert_string_equal(m.given, "1;h;inner;h;inner;");
    assert_string_equal(n.given, "h;inner;");
    assert_channel_texts(chat, 0, "1;h;inner;m;h;inner;m;");
    assert_channel_texts(next, 0, "1;h;inner;m;h;inner;m;");
    assert_channel_texts(chat, 1, "1;h;inner;m;h;inner;m;");
    assert_channel_texts(next, 1, "1;h;inner;m;h;inner;m;");
    first = picture(next);
    second = picture(next);
    assert_string_equal(first, second); /* deterministic */
    free(first);
    free(second);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

/* By way of Semantic Kernel's own format, with something pending, as written by default and strictly. */
static void through_semantic_kernel(bool strict, const char *given)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL), *next = test_chat_new(NULL);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot = NULL, *read = NULL;
    mock m = {.says = "m"}, fresh = {.says = "m"};
    agentchat_error err;

    add_agent(chat, speaker(NULL, "H", "h"));
    add_agent(chat, aggregator("G"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    invoke(chat, "H");
    invoke(chat, "G");
    invoke(chat, "M");
    m.fail_receive = -1;
    add_text(chat, "2");
    snapshot = capture(chat);
    options.format = "semantic-kernel";
    options.strict = strict;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    test_ok(agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, NULL, &read, NULL, &err), &err);
    assert_string_equal(agentchat_snapshot_format(read), "semantic-kernel");
    add_agent(next, speaker(NULL, "H", "h"));
    add_agent(next, aggregator("G"));
    add_agent(next, mock_agent(NULL, "M", &fresh));
    test_ok(agentchat_chat_restore(next, read, NULL, NULL, &err), &err);
    invoke(next, "G");
    invoke(next, "M");
    assert_texts(agentchat_chat_history(next), "1;h;inner;m;2;inner;m;");
    assert_channel_texts(next, 0, "1;h;inner;m;2;inner;m;");
    assert_channel_texts(next, 1, "1;h;inner;m;2;inner;m;");
    assert_string_equal(fresh.given, given);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(read);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

static void test_restore__through_semantic_kernels_format(void **state)
{
    (void)state;
    through_semantic_kernel(false, "2;inner;");
    through_semantic_kernel(true, "inner;"); /* .NET has no field for what is pending: the writer reports the loss */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restore__after_a_reset),
        cmocka_unit_test(test_restore__into_a_chat_without_agents),
        cmocka_unit_test(test_restore__enhanced),
        cmocka_unit_test(test_restore__turn_completion_and_values),
        cmocka_unit_test(test_restore__equivalent_chat_saves_the_same_bytes),
        cmocka_unit_test(test_restore__through_semantic_kernels_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
