/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of edits share: edit lists, agents whose channels differ from the history, an edit done twice. */
#ifndef CHAT_EDIT_TEST_H
#define CHAT_EDIT_TEST_H

#include "chat_mock.h"

static inline agentchat_list_edit *edit_of(const agentchat_chat *chat)
{
    agentchat_list_edit *edit = NULL;
    agentchat_error err;

    test_ok(agentchat_list_edit_new(NULL, agentchat_chat_message_count(chat), &edit, &err), &err);
    return edit;
}

static inline void removes(agentchat_list_edit *edit, size_t index, size_t count)
{
    agentchat_error err;

    test_ok(agentchat_list_edit_remove(edit, index, count, &err), &err);
}

static inline agentchat_message *message(const char *role, const char *id, const char *text)
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

static inline void inserts(agentchat_list_edit *edit, size_t index, const char *role, const char *text)
{
    agentchat_message *made = message(role, NULL, text);
    agentchat_error err;

    test_ok(agentchat_list_edit_insert(edit, index, made, &err), &err);
    agentchat_message_unref(made);
}

static inline void replaces(agentchat_list_edit *edit, size_t index, const char *text)
{
    agentchat_message *made = message("user", NULL, text);
    agentchat_error err;

    test_ok(agentchat_list_edit_replace(edit, index, made, &err), &err);
    agentchat_message_unref(made);
}

static inline agentchat_snapshot *capture_as_is(agentchat_chat *chat)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    options.no_delivery = true;
    test_ok(agentchat_chat_capture(chat, &options, &snapshot, NULL, &err), &err);
    return snapshot;
}

static inline agentchat_status print_difference(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                                agentchat_error *err)
{
    (void)user;
    (void)err;
    print_error("%.*s: %.*s | %.*s\n", (int)path.len, path.ptr, (int)left.len, left.ptr, (int)right.len, right.ptr);
    return AGENTCHAT_OK;
}

static inline void assert_same(const agentchat_snapshot *left, const agentchat_snapshot *right)
{
    agentchat_error err;
    bool equal = false;

    test_ok(agentchat_snapshot_diff(left, right, print_difference, NULL, &equal, &err), &err);
    assert_true(equal);
}

/* Edits the chat, and a capture of it, which must come to the same; the edit goes. Returns the report's entries of
   channels that could not follow. */
static inline size_t edit_both(agentchat_chat *chat, agentchat_list_edit *edit)
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

/* Keeps the last two and puts a note of its own before them. */
static inline agentchat_status reduce(void *user, const agentchat_messages *seen, agentchat_messages **out,
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

static inline agentchat_agent *reducer(const char *name)
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

/* Adds a message that the receive filter of history channels keeps out. */
static inline agentchat_message *file_message(void)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_message *made = NULL;
    agentchat_error err;

    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_BINARY, AGENTCHAT_STR("application/zip"), AGENTCHAT_STR("PK"));
    test_ok(agentchat_message_builder_finish(b, &made, &err), &err);
    return made;
}

typedef struct nest {
    const agentchat_env *env;
    int depth; /* chats inside the aggregator below this one */
    agentchat_aggregator_mode mode;
    agentchat_chat_observer observer; /* of the innermost chat */
} nest;

static inline agentchat_agent *aggregator(const char *name, nest *n);

static inline agentchat_status make_nest(void *user, agentchat_chat **out, agentchat_error *err)
{
    nest *n = user;

    *out = test_chat_new(n->env);
    if (n->depth > 0) {
        n->depth--;
        add_agent(*out, aggregator("Inner", n));
    } else {
        add_agent(*out, speaker(n->env, "I", "i"));
        test_ok(agentchat_chat_set_observer(*out, &n->observer, err), err);
    }
    return AGENTCHAT_OK;
}

static inline agentchat_agent *aggregator(const char *name, nest *n)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = agentchat_str_from(name);
    options.mode = n->mode;
    options.make = make_nest;
    options.user = n;
    return test_aggregator_new(n->env, &options);
}

#endif
