/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a live chat: what its agents see afterwards, and that a failure leaves it as it was. */
#include "chat_mock.h"

/* ---- edits ------------------------------------------------------------------------------------------------------ */

static agentchat_list_edit *edit_of(const agentchat_chat *chat)
{
    agentchat_list_edit *edit = NULL;
    agentchat_error err;

    test_ok(agentchat_list_edit_new(NULL, agentchat_chat_message_count(chat), &edit, &err), &err);
    return edit;
}

static void removes(agentchat_list_edit *edit, size_t index, size_t count)
{
    agentchat_error err;

    test_ok(agentchat_list_edit_remove(edit, index, count, &err), &err);
}

static agentchat_message *message(const char *role, const char *id, const char *text)
{
    agentchat_message_builder *b = test_message_builder(NULL, role, NULL);
    agentchat_message *made = NULL;
    agentchat_error err;

    if (id != NULL)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, agentchat_str_from(id));
    agentchat_message_builder_add_text(b, agentchat_str_from(text));
    test_ok(agentchat_message_builder_finish(b, &made, &err), &err);
    return made;
}

static void inserts(agentchat_list_edit *edit, size_t index, const char *role, const char *text)
{
    agentchat_message *made = message(role, NULL, text);
    agentchat_error err;

    test_ok(agentchat_list_edit_insert(edit, index, made, &err), &err);
    agentchat_message_unref(made);
}

static void replaces(agentchat_list_edit *edit, size_t index, const char *text)
{
    agentchat_message *made = message("user", NULL, text);
    agentchat_error err;

    test_ok(agentchat_list_edit_replace(edit, index, made, &err), &err);
    agentchat_message_unref(made);
}

static agentchat_snapshot *capture_as_is(agentchat_chat *chat)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    options.no_delivery = true;
    test_ok(agentchat_chat_capture(chat, &options, &snapshot, NULL, &err), &err);
    return snapshot;
}

static agentchat_status print_difference(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                         agentchat_error *err)
{
    (void)user;
    (void)err;
    print_error("%.*s: %.*s | %.*s\n", (int)path.len, path.ptr, (int)left.len, left.ptr, (int)right.len, right.ptr);
    return AGENTCHAT_OK;
}

static void assert_same(const agentchat_snapshot *left, const agentchat_snapshot *right)
{
    agentchat_error err;
    bool equal = false;

    test_ok(agentchat_snapshot_diff(left, right, print_difference, NULL, &equal, &err), &err);
    assert_true(equal);
}

/* Edits the chat, and a capture of it, which must come to the same; the edit goes. Returns the report's entries of
   channels that could not follow. */
static size_t edit_both(agentchat_chat *chat, agentchat_list_edit *edit)
{
    agentchat_snapshot *before = capture_as_is(chat), *edited = NULL, *after;
    agentchat_report *report = NULL, *other = NULL;
    char *picture_before = picture(chat), *picture_after;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    size_t unedited;

    test_ok(agentchat_snapshot_edit(NULL, before, edit, &edited, &other, &err), &err);
    picture_after = picture(chat);
    assert_string_equal(picture_before, picture_after);
    free(picture_after);
    test_ok(agentchat_snapshot_write_memory(before, NULL, &bytes, NULL, &err), &err);
    assert_string_equal(bytes.ptr, picture_before); /* the input never changes */
    agentchat_bytes_clear(&bytes);
    free(picture_before);
    test_ok(agentchat_chat_edit(chat, edit, &report, &err), &err);
    agentchat_list_edit_free(edit);
    after = capture_as_is(chat);
    assert_same(edited, after);
    unedited = agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_UNEDITED);
    assert_int_equal(agentchat_report_count(report), unedited);
    agentchat_report_free(report);
    agentchat_report_free(other);
    agentchat_snapshot_unref(before);
    agentchat_snapshot_unref(edited);
    agentchat_snapshot_unref(after);
    return unedited;
}

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

/* Keeps the last two and puts a note of its own before them. */
static agentchat_status reduce(void *user, const agentchat_messages *seen, agentchat_messages **out,
                               agentchat_error *err)
{
    const agentchat_message *kept[3];
    size_t count = agentchat_messages_count(seen);
    agentchat_message *note;
    agentchat_status status;

    (void)user;
    if (count <= 3)
        return AGENTCHAT_OK;
    status = agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("note"), &note, err);
    if (status < 0)
        return status;
    kept[0] = note;
    kept[1] = agentchat_messages_at(seen, count - 2);
    kept[2] = agentchat_messages_at(seen, count - 1);
    status = agentchat_messages_new(NULL, kept, 3, out, err);
    agentchat_message_unref(note);
    return status;
}

static agentchat_agent *reducer(const char *name)
{
    static const char *const keys[] = {"reducer"};
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.name = agentchat_str_from(name);
    options.answer = say;
    options.reduce = reduce;
    options.keys = keys;
    options.key_count = 1;
    return test_history_agent_new(NULL, &options);
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

/* Adds a message that the receive filter of history channels keeps out. */
static agentchat_message *file_message(void)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_message *made = NULL;
    agentchat_error err;

    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_BINARY, AGENTCHAT_STR("application/zip"), AGENTCHAT_STR("PK"));
    test_ok(agentchat_message_builder_finish(b, &made, &err), &err);
    return made;
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
    agentchat_snapshot_builder_set_channel_messages(b, agentchat_str_from(key), AGENTCHAT_STR("t"), list,
                                                    AGENTCHAT_SYNCED_UNKNOWN);
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    test_ok(agentchat_list_edit_new(NULL, 3, &edit, &err), &err);
    removes(edit, 0, 1);
    inserts(edit, 2, "user", "before 3");
    test_ok(agentchat_snapshot_edit(NULL, snapshot, edit, &edited, NULL, &err), &err);
    assert_texts(agentchat_snapshot_history(edited), "two;before 3;3;");
    /* Found in whatever order; what is kept keeps the channel's own version. */
    assert_texts(agentchat_channel_state_messages(agentchat_snapshot_channel(edited, 0)), "TWO;own;before 3;");
    assert_int_equal(agentchat_channel_state_synced(agentchat_snapshot_channel(edited, 0)), AGENTCHAT_SYNCED_UNKNOWN);
    for (int i = 0; i < 3; i++) {
        agentchat_message_unref(given[i]);
        agentchat_message_unref(seen[i]);
    }
    agentchat_messages_unref(list);
    agentchat_list_edit_free(edit);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(edited);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edit__agent_sees_the_edited_list),
        cmocka_unit_test(test_edit__equal_neighbours),
        cmocka_unit_test(test_edit__channel_that_was_reduced),
        cmocka_unit_test(test_edit__what_the_filter_keeps_out_stays_out),
        cmocka_unit_test(test_edit__finds_messages_by_id),
    };

    return cmocka_run_group_tests_name("chat_edit", tests, NULL, NULL);
}
