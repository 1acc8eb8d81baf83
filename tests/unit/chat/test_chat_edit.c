/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a live chat: what history agents see afterwards. */
#include "chat_edit_test.h"

/* ---- history agents --------------------------------------------------------------------------------------------- */

/* Records what it is shown. */
static agentchat_status record(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)texts(seen, user);
    return agentchat_replies_add_text(out, AGENTCHAT_STR("answer"), err);
}

static void test_edit__agent_sees_the_edited_list(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    char seen[8192] = "";
    agentchat_list_edit *edit;

    (void)state;
    add_agent(chat, test_speaker_new(NULL, "A", record, seen));
    for (int i = 0; i < 10; i++)
        add_text(chat, (char[]){(char)('0' + i), '\0'});
    invoke(chat, "A");
    assert_string_equal(seen, "0;1;2;3;4;5;6;7;8;9;");
    edit = edit_of(chat);
    removes(edit, 0, 8);
    inserts(edit, 0, "system", "summary");
    replaces(edit, 8, "eight");
    assert_int_equal(edit_both(chat, edit), 0);
    assert_texts(agentchat_chat_history(chat), "summary;eight;9;answer;");
    assert_str(agentchat_message_role(agentchat_messages_at(agentchat_chat_history(chat), 0)), "system");
    assert_channel_texts(chat, 0, "summary;eight;9;answer;");
    add_text(chat, "next");
    invoke(chat, "A");
    assert_string_equal(seen, "summary;eight;9;answer;next;");
    assert_texts(agentchat_chat_history(chat), "summary;eight;9;answer;next;answer;");
    assert_int_equal(agentchat_chat_add_text(chat, "system", AGENTCHAT_STR("no"), NULL), AGENTCHAT_E_INVALID);
    agentchat_chat_free(chat);
}

static void test_edit__equal_neighbours(void **state)
{
    (void)state;
    for (size_t gone = 1; gone <= 3; gone++) {
        agentchat_chat *chat = test_chat_new(NULL);
        const agentchat_messages *history = agentchat_chat_history(chat), *seen = NULL;
        agentchat_list_edit *edit;
        agentchat_error err;

        add_agent(chat, speaker(NULL, "A", "a"));
        add_text(chat, "x");
        invoke(chat, "A");
        add_text(chat, "ok");
        add_text(chat, "ok");
        add_text(chat, "y");
        edit = edit_of(chat);
        removes(edit, gone, 1);
        replaces(edit, 2, "first ok");
        if (gone == 2)
            removes(edit, 2, 1);
        assert_int_equal(edit_both(chat, edit), 0);
        assert_texts(history, gone == 1 ? "x;first ok;ok;y;" : gone == 2 ? "x;a;ok;y;" : "x;a;first ok;y;");
        test_ok(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &seen, &err), &err);
        assert_int_equal(agentchat_messages_count(seen), agentchat_messages_count(history));
        for (size_t i = 0; i < agentchat_messages_count(history); i++)
            assert_ptr_equal(agentchat_messages_at(seen, i), agentchat_messages_at(history, i));
        agentchat_chat_free(chat);
    }
}

static void test_edit__channel_that_was_reduced(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_list_edit *edit;

    (void)state;
    add_agent(chat, reducer("R"));
    add_text(chat, "same");
    add_text(chat, "b");
    add_text(chat, "c");
    add_text(chat, "same");
    add_text(chat, "e");
    invoke(chat, "R");
    assert_channel_texts(chat, 0, "note;same;e;");
    /* What the channel has is the last of the equal ones: the first one does not concern it. */
    edit = edit_of(chat);
    removes(edit, 0, 1);
    inserts(edit, 1, "user", "before b");
    assert_int_equal(edit_both(chat, edit), 0);
    assert_texts(agentchat_chat_history(chat), "before b;b;c;same;e;");
    assert_channel_texts(chat, 0, "note;before b;same;e;");
    edit = edit_of(chat);
    removes(edit, 3, 1);
    inserts(edit, 5, "user", "end");
    assert_int_equal(edit_both(chat, edit), 0);
    assert_texts(agentchat_chat_history(chat), "before b;b;c;e;end;");
    assert_channel_texts(chat, 0, "note;before b;e;end;");
    agentchat_chat_free(chat);
}

static void test_edit__what_the_filter_keeps_out_stays_out(void **state)
{
    static const char *const keys[] = {"all"};
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_message *file = file_message();
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    options.name = AGENTCHAT_STR("All");
    options.answer = say;
    options.keys = keys;
    options.key_count = 1;
    options.keep_all = true;
    add_agent(chat, speaker(NULL, "A", NULL));
    add_agent(chat, test_history_agent_new(NULL, &options));
    invoke(chat, "A");
    invoke(chat, "All");
    add_text(chat, "a");
    test_ok(agentchat_chat_add_message(chat, file, &err), &err);
    test_ok(agentchat_chat_add_message(chat, file, &err), &err);
    add_text(chat, "b");
    add_text(chat, "c");
    edit = edit_of(chat);
    replaces(edit, 1, "was a file");
    inserts(edit, 2, "user", "before the other");
    test_ok(agentchat_list_edit_insert(edit, 3, file, &err), &err);
    test_ok(agentchat_list_edit_replace(edit, 4, file, &err), &err);
    assert_int_equal(edit_both(chat, edit), 0);
    assert_texts(agentchat_chat_history(chat), "a;was a file;before the other;;;b;;");
    assert_channel_texts(chat, 0, "a;before the other;b;");
    assert_channel_texts(chat, 1, "a;was a file;before the other;;;b;;");
    agentchat_message_unref(file);
    agentchat_chat_free(chat);
}

/* The channel that has seen the very history is no exception. */
static void test_edit__filter_of_a_channel_that_has_all(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_message *file = file_message();
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_text(chat, "1");
    invoke(chat, "A");
    edit = edit_of(chat);
    test_ok(agentchat_list_edit_insert(edit, 1, file, &err), &err);
    assert_int_equal(edit_both(chat, edit), 0);
    assert_texts(agentchat_chat_history(chat), "1;;a;");
    assert_channel_texts(chat, 0, "1;a;");
    agentchat_message_unref(file);
    agentchat_chat_free(chat);
}

static void test_edit__finds_messages_by_id(void **state)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_message *given[3] = {message("user", "1", "one"), message("user", "2", "two"), message("user", "3", "3")};
    agentchat_message *seen[3] = {message("user", "2", "TWO"), message("user", "1", "ONE"),
                                  message("user", "9", "own")};
    agentchat_messages *list = NULL;
    agentchat_snapshot *snapshot = NULL, *edited = NULL;
    agentchat_list_edit *edit = NULL;
    agentchat_error err;
    char key[AGENTCHAT_KEY_LEN + 1];

    (void)state;
    assert_int_equal(agentchat_channel_key(&AGENTCHAT_STR("k"), 1, key), AGENTCHAT_OK);
    for (int i = 0; i < 3; i++)
        agentchat_snapshot_builder_add_message(b, given[i]);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)seen, 3, &list, &err), &err);
    agentchat_snapshot_builder_set_channel_messages(b, agentchat_str_from(key), AGENTCHAT_STR("t"), list, 3);
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    test_ok(agentchat_list_edit_new(NULL, 3, &edit, &err), &err);
    removes(edit, 0, 1);
    inserts(edit, 2, "user", "before 3");
    test_ok(agentchat_snapshot_edit(NULL, snapshot, edit, &edited, NULL, &err), &err);
    assert_texts(agentchat_snapshot_history(edited), "two;before 3;3;");
    /* Found in whatever order; what is kept keeps the channel's own version. */
    assert_texts(agentchat_channel_state_messages(agentchat_snapshot_channel(edited, 0)), "TWO;own;before 3;");
    assert_int_equal(agentchat_channel_state_synced(agentchat_snapshot_channel(edited, 0)), 3);
    for (int i = 0; i < 3; i++) {
        agentchat_message_unref(given[i]);
        agentchat_message_unref(seen[i]);
    }
    agentchat_messages_unref(list);
    agentchat_list_edit_free(edit);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(edited);
}

/* Messages by a script: the id, if any, and the text of each: "1=a b" is two. */
static agentchat_messages *scripted(const char *script)
{
    agentchat_message *made[8] = {NULL};
    agentchat_messages *list;
    agentchat_error err;
    size_t count = 0;

    for (const char *at = script; *at != '\0';
         at += strspn(at, "=abcdefghijklmnopqrstuvwxyz0123456789"), at += *at == ' ') {
        const char id[] = {at[0], '\0'}, text[] = {at[1] == '=' ? at[2] : at[0], '\0'};

        made[count++] = message("user", at[1] == '=' ? id : NULL, text);
    }
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)made, count, &list, &err), &err);
    while (count > 0)
        agentchat_message_unref(made[--count]);
    return list;
}

/* A channel was given all of a history, of which one message goes. */
static void assert_left(const char *history, size_t gone, const char *channel, const char *expected)
{
    agentchat_messages *given = scripted(history), *list = scripted(channel);
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *snapshot = NULL, *edited = NULL;
    size_t count = agentchat_messages_count(given);
    agentchat_list_edit *edit = NULL;
    char key[AGENTCHAT_KEY_LEN + 1];
    agentchat_error err;

    assert_int_equal(agentchat_channel_key(&AGENTCHAT_STR("k"), 1, key), AGENTCHAT_OK);
    for (size_t i = 0; i < count; i++)
        agentchat_snapshot_builder_add_message(b, agentchat_messages_at(given, i));
    agentchat_snapshot_builder_set_channel_messages(b, agentchat_str_from(key), AGENTCHAT_STR("t"), list, count);
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    test_ok(agentchat_list_edit_new(NULL, count, &edit, &err), &err);
    removes(edit, gone, 1);
    test_ok(agentchat_snapshot_edit(NULL, snapshot, edit, &edited, NULL, &err), &err);
    assert_texts(agentchat_channel_state_messages(agentchat_snapshot_channel(edited, 0)), expected);
    agentchat_messages_unref(given);
    agentchat_messages_unref(list);
    agentchat_list_edit_free(edit);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(edited);
}

static void test_edit__ids_that_repeat(void **state)
{
    (void)state;
    assert_left("1=a 1=b", 0, "1=a 1=b", "b;");
    assert_left("1=a 1=b", 1, "1=a 1=b", "a;");
    assert_left("1=a x 1=b 1=c", 0, "1=a 1=b 1=c", "b;c;");
    assert_left("1=a x 1=b 1=c", 2, "1=b 1=c", "c;"); /* the first one was dropped */
}

static void test_edit__two_ids_are_two_messages(void **state)
{
    (void)state;
    assert_left("1=a b", 0, "2=a b", "a;b;"); /* the channel's own */
    assert_left("1=a b", 0, "a b", "b;");     /* the same, of which the channel says less */
    assert_left("a b", 0, "1=a b", "b;");     /* … or more */
    assert_left("1=a a b", 1, "2=a b", "b;"); /* the one without an id */
}

/* A history of 1, 2, 3 with a channel that holds two of them, of which a file does not say what it was given. */
static void assert_unknown(size_t first, size_t second, const char *expected)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_message *given[3] = {message("user", NULL, "1"), message("user", NULL, "2"), message("user", NULL, "3")};
    const agentchat_message *held[2] = {given[first], given[second]};
    agentchat_messages *list = NULL;
    agentchat_snapshot *snapshot = NULL, *edited = NULL;
    agentchat_list_edit *edit = NULL;
    agentchat_error err;

    for (int i = 0; i < 3; i++)
        agentchat_snapshot_builder_add_message(b, given[i]);
    test_ok(agentchat_messages_new(NULL, held, 2, &list, &err), &err);
    agentchat_snapshot_builder_set_channel_messages(b, AGENTCHAT_STR("k"), AGENTCHAT_STR("t"), list,
                                                    AGENTCHAT_SYNCED_UNKNOWN);
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    test_ok(agentchat_list_edit_new(NULL, 3, &edit, &err), &err);
    inserts(edit, 2, "user", "new");
    inserts(edit, 3, "user", "end");
    test_ok(agentchat_snapshot_edit(NULL, snapshot, edit, &edited, NULL, &err), &err);
    assert_texts(agentchat_channel_state_messages(agentchat_snapshot_channel(edited, 0)), expected);
    assert_int_equal(agentchat_channel_state_synced(agentchat_snapshot_channel(edited, 0)), AGENTCHAT_SYNCED_UNKNOWN);
    for (int i = 0; i < 3; i++)
        agentchat_message_unref(given[i]);
    agentchat_messages_unref(list);
    agentchat_list_edit_free(edit);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(edited);
}

static void test_edit__what_a_file_does_not_say(void **state)
{
    (void)state;
    assert_unknown(0, 1, "1;2;");         /* the beginning: what follows was not given yet */
    assert_unknown(1, 0, "2;1;");         /* up to the last one that the two share */
    assert_unknown(1, 2, "2;new;3;end;"); /* the end: all of it was given */
}

/* A history of three messages of the texts, of which the channel holds copies of some and waits for others; message 0
   is replaced, and one is inserted before message 1 and at the end. */
static void assert_waiting(const char *const history[3], const char *held, const size_t *pending, size_t count,
                           const char *expected, const size_t *expected_pending, size_t expected_count)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_message *copy = message("user", NULL, held);
    agentchat_messages *list = NULL;
    agentchat_snapshot *snapshot = NULL, *edited = NULL;
    const agentchat_channel_state *channel;
    agentchat_list_edit *edit = NULL;
    agentchat_error err;

    for (int i = 0; i < 3; i++) {
        agentchat_message *given = message("user", NULL, history[i]);

        agentchat_snapshot_builder_add_message(b, given);
        agentchat_message_unref(given);
    }
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)&copy, 1, &list, &err), &err);
    agentchat_snapshot_builder_set_channel_messages(b, AGENTCHAT_STR("k"), AGENTCHAT_STR("t"), list, 3);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("k"), pending, count);
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    test_ok(agentchat_list_edit_new(NULL, 3, &edit, &err), &err);
    replaces(edit, 0, "first");
    inserts(edit, 1, "user", "new");
    inserts(edit, 3, "user", "end");
    test_ok(agentchat_snapshot_edit(NULL, snapshot, edit, &edited, NULL, &err), &err);
    channel = agentchat_snapshot_channel(edited, 0);
    assert_texts(agentchat_channel_state_messages(channel), expected);
    assert_int_equal(agentchat_channel_state_synced(channel), 5);
    assert_int_equal(agentchat_channel_state_pending_count(channel), expected_count);
    for (size_t i = 0; i < expected_count; i++)
        assert_int_equal(agentchat_channel_state_pending(channel, i), expected_pending[i]);
    agentchat_message_unref(copy);
    agentchat_messages_unref(list);
    agentchat_list_edit_free(edit);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(edited);
}

static void test_edit__what_waits_for_a_channel(void **state)
{
    static const char *const different[3] = {"1", "2", "3"}, *const same[3] = {"x", "x", "x"};

    (void)state;
    /* What comes before a message that waits, or after it at the end, waits with it. */
    assert_waiting(different, "1", (const size_t[]){1, 2}, 2, "first;", (const size_t[]){1, 2, 3, 4}, 4);
    assert_waiting(different, "3", (const size_t[]){1}, 1, "3;end;", (const size_t[]){1, 2}, 2);
    assert_waiting(different, "1", (const size_t[]){2}, 1, "first;new;", (const size_t[]){3, 4}, 2);
    /* A message that waits is not the one that the channel holds. */
    assert_waiting(same, "x", (const size_t[]){1, 2}, 2, "first;", (const size_t[]){1, 2, 3, 4}, 4);
    assert_waiting(same, "x", (const size_t[]){2}, 1, "new;x;", (const size_t[]){3, 4}, 2);
    assert_waiting(same, "x", (const size_t[]){1}, 1, "x;end;", (const size_t[]){1, 2}, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edit__agent_sees_the_edited_list),
        cmocka_unit_test(test_edit__equal_neighbours),
        cmocka_unit_test(test_edit__channel_that_was_reduced),
        cmocka_unit_test(test_edit__what_the_filter_keeps_out_stays_out),
        cmocka_unit_test(test_edit__filter_of_a_channel_that_has_all),
        cmocka_unit_test(test_edit__finds_messages_by_id),
        cmocka_unit_test(test_edit__ids_that_repeat),
        cmocka_unit_test(test_edit__two_ids_are_two_messages),
        cmocka_unit_test(test_edit__what_a_file_does_not_say),
        cmocka_unit_test(test_edit__what_waits_for_a_channel),
    };

    return cmocka_run_group_tests_name("chat_edit", tests, NULL, NULL);
}
