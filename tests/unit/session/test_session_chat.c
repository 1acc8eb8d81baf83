/* SPDX-License-Identifier: Apache-2.0 */
/* A session's file as a chat: which message each event becomes, who takes part, and what the report says is not in it.
   That a session of a store gives the same is tested with the stores (tests/session/contract/bridge.c). */
#include "unit/format/event_test.h"

#include "model/model.h"

#include <agentchat/verify.h>
#include <jansson.h>

#define HEAD "{\"agentchatsession\":{\"format\":1},\"app\":\"shop\",\"user\":\"ana\",\"id\":\"s\",\"state\":"
#define SAID(text) "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"" text "\"}]}"

static const char of_every_chat[] = "loss : a chat does not hold which session it comes from, its sequence numbers and "
                                    "its earlier state\n";

static agentchat_session_file *file_of(const agentchat_env *env, agentchat_str text)
{
    agentchat_session_file *file = NULL;
    agentchat_source *source = NULL;
    agentchat_error err;

    test_ok(agentchat_source_memory(env, text, &source, &err), &err);
    test_ok(agentchat_session_file_read(env, source, NULL, &file, NULL, &err), &err);
    agentchat_source_free(source);
    return file;
}

static char *chat_text(const agentchat_snapshot *chat)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    char *copy;

    test_ok(agentchat_snapshot_write_memory(chat, NULL, &out, NULL, &err), &err);
    copy = strdup(out.ptr);
    agentchat_bytes_clear(&out);
    return copy;
}

/* The chat of a session's text in the native format, less what every one begins with, and the entries of the report but
   the one that every report has. */
static void expect_chat_with(const char *session, agentchat_str state_name, const char *chat, const char *entries)
{
    static const char head[] = "{\"agentchat\":{\"format\":1,\"reader\":1},\n";
    agentchat_session_file *file = file_of(NULL, agentchat_str_from(session));
    agentchat_snapshot *snapshot = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;
    char *text, *noted;

    test_ok(agentchat_session_file_snapshot(file, state_name, &snapshot, &report, &err), &err);
    agentchat_session_file_free(file); /* the chat does not need it */
    text = chat_text(snapshot);
    assert_memory_equal(text, head, strlen(head));
    assert_string_equal(text + strlen(head), chat);
    noted = entries_of(report);
    assert_memory_equal(noted, of_every_chat, strlen(of_every_chat));
    assert_string_equal(noted + strlen(of_every_chat), entries);
    free(noted);
    free(text);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

static void expect_chat(const char *events, const char *chat, const char *entries)
{
    char *session = malloc(strlen(events) + 200);

    (void)sprintf(session, HEAD "{},\"events\":[%s]}", events);
    expect_chat_with(session, AGENTCHAT_STR("state"), chat, entries);
    free(session);
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

static void test_session_chat__a_message_takes_from_its_event_what_it_lacks(void **state)
{
    (void)state;
    expect_chat(
        "{\"id\":\"e1\",\"author\":\"user\",\"time\":\"2026-11-21T10:02:00.50Z\",\"content\":" SAID(
            "hi") "},"
                  "{\"id\":\"e2\",\"author\":\"desk\",\"content\":{\"role\":\"assistant\",\"name\":\"desk\",\"model\":"
                  "\"m\",\"id\":\"e2\",\"metadata\":{\"a\":1.50},\"x\":1}}",
        "\"history\":[\n"
        "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"hi\"}],\"id\":\"e1\",\"time\":"
        "\"2026-11-21T10:02:00.50Z\"},\n"
        "{\"role\":\"assistant\",\"name\":\"desk\",\"model\":\"m\",\"metadata\":{\"a\":1.50},\"id\":\"e2\","
        "\"x\":1}\n"
        "],\n\"participants\":[\n{\"id\":\"desk\",\"name\":\"desk\"}\n],\n\"channels\":[]}\n",
        "");
}

static void test_session_chat__the_author_is_the_name_unless_the_role_says_it(void **state)
{
    (void)state;
    expect_chat("{\"author\":\"assistant\",\"content\":{\"role\":\"assistant\"}},"
                "{\"author\":\"desk\",\"content\":{\"role\":\"assistant\"}},"
                "{\"author\":\"assistant\",\"content\":{\"role\":\"user\"}},"
                "{\"author\":\"user\",\"content\":{\"role\":\"assistant\"}},"
                "{\"author\":\"\",\"content\":{\"role\":\"assistant\"}}",
                "\"history\":[\n"
                "{\"role\":\"assistant\"},\n"
                "{\"role\":\"assistant\",\"name\":\"desk\"},\n"
                "{\"role\":\"user\",\"name\":\"assistant\"},\n"
                "{\"role\":\"assistant\",\"name\":\"user\"},\n"
                "{\"role\":\"assistant\"}\n"
                "],\n\"participants\":[\n{\"id\":\"desk\",\"name\":\"desk\"},\n{\"id\":\"assistant\",\"name\":"
                "\"assistant\"}\n],\n\"channels\":[]}\n",
                "");
}

static void test_session_chat__a_message_without_a_role_has_that_of_its_author(void **state)
{
    static const char note[] = ": a message without a role has that of its author: user, or assistant for everybody "
                               "else\n";
    char entries[400];

    (void)state;
    (void)snprintf(entries, sizeof entries, "note /events/0/content%snote /events/1/content%s", note, note);
    expect_chat("{\"author\":\"user\",\"content\":{}},{\"author\":\"desk\",\"content\":{}},"
                "{\"author\":\"desk\",\"content\":{\"role\":null}}",
                "\"history\":[\n{\"role\":\"user\"},\n{\"role\":\"assistant\",\"name\":\"desk\"},\n"
                "{\"role\":null,\"name\":\"desk\"}\n],\n"
                "\"participants\":[\n{\"id\":\"desk\",\"name\":\"desk\"}\n],\n\"channels\":[]}\n",
                entries);
}

static void test_session_chat__what_a_message_has_of_its_own_goes_first(void **state)
{
    static const char own[] = "the message has a value of its own, and the event another one";
    char entries[400];

    (void)state;
    (void)snprintf(entries, sizeof entries,
                   "loss /events/0/id: %s\nloss /events/0/author: %s\nloss /events/0/time: %s\n"
                   "loss /events/1/id: %s\n",
                   own, own, own, own);
    expect_chat("{\"id\":\"e1\",\"author\":\"desk\",\"time\":\"2026-01-01T00:00:00Z\",\"content\":{\"role\":"
                "\"assistant\",\"name\":\"Ann\",\"id\":\"m1\",\"time\":\"2026-01-01T01:00:00+01:00\"}},"
                "{\"id\":\"e2\",\"author\":\"assistant\",\"content\":{\"role\":\"assistant\",\"name\":\"Ann\",\"id\":"
                "null}}",
                "\"history\":[\n"
                "{\"role\":\"assistant\",\"name\":\"Ann\",\"id\":\"m1\",\"time\":\"2026-01-01T01:00:00+01:00\"},\n"
                "{\"role\":\"assistant\",\"name\":\"Ann\",\"id\":null}\n"
                "],\n\"participants\":[],\n\"channels\":[]}\n",
                entries);
}

static void test_session_chat__what_nobody_said_is_not_in_it(void **state)
{
    (void)state;
    expect_chat("{\"author\":\"desk\",\"actions\":{\"statedelta\":{\"k\":1}}},"
                "{\"author\":\"desk\",\"content\":null},"
                "{\"author\":\"system\",\"actions\":{\"compaction\":{\"start\":\"2026-01-01T00:00:00Z\",\"end\":"
                "\"2026-01-01T00:00:00Z\",\"content\":" SAID("sum") "}}},"
                                                                    "{\"author\":\"user\",\"content\":" SAID("hi") "}",
                "\"history\":[\n{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"hi\"}]}\n],\n"
                "\"participants\":[],\n\"channels\":[]}\n",
                "loss /events/0: an event without a message is not in the chat\n"
                "loss /events/1: an event without a message is not in the chat\n"
                "loss /events/2: a summary of earlier events is not in the chat, which has these events themselves\n");
}

static void test_session_chat__the_report_names_what_is_not_in_it(void **state)
{
    (void)state;
    expect_chat("{\"invocation\":\"i\",\"author\":\"user\",\"branch\":\"a.b\",\"partial\":false,\"content\":" SAID(
                    "hi") ",\"actions\":{\"statedelta\":{\"k\":1},\"statedelete\":[\"d\"],\"stateadd\":{\"n\":1},"
                          "\"artifacts\":{\"f\":1},\"transfer\":\"t\",\"escalate\":true,\"skipsummarization\":true,"
                          "\"compaction\":{},\"endOfAgent\":true},\"longrunning\":[\"c\"],\"a/b\":1}",
                "\"history\":[\n{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"hi\"}]}\n],\n"
                "\"participants\":[],\n\"channels\":[]}\n",
                "loss /events/0/invocation: a chat does not hold to which invocation a message belongs\n"
                "loss /events/0/branch: a chat does not hold the branch of agents that a message comes from\n"
                "loss /events/0/longrunning: a chat does not hold which calls go on\n"
                "loss /events/0/actions/transfer: a chat holds what was said, not what an event did\n"
                "loss /events/0/actions/escalate: a chat holds what was said, not what an event did\n"
                "loss /events/0/actions/skipsummarization: a chat holds what was said, not what an event did\n"
                "loss /events/0/actions/artifacts: a chat holds what was said, not what an event did\n"
                "loss /events/0/actions/compaction: a chat holds what was said, not what an event did\n"
                "loss /events/0/actions/statedelta: a chat holds the state as it is now, not its changes\n"
                "loss /events/0/actions/statedelete: a chat holds the state as it is now, not its changes\n"
                "loss /events/0/actions/stateadd: a chat holds the state as it is now, not its changes\n"
                "loss /events/0/a~1b: a message of a chat cannot hold this property of its event\n"
                "loss /events/0/actions/endOfAgent: a message of a chat cannot hold this property of its event\n");
}

/* ---- state ---------------------------------------------------------------------------------------------------- */

static void test_session_chat__the_state_is_a_value_when_it_is_asked_for(void **state)
{
    static const char session[] = HEAD "{\"app:a\":1.50,\"k\":[1]},\"events\":[]}";
    static const char chat[] = "\"history\":[],\n\"participants\":[],\n\"channels\":[]";
    char with[200], without[200];

    (void)state;
    (void)snprintf(with, sizeof with, "%s,\n\"values\":[\n{\"name\":\"my state\",\"value\":%s}\n]}\n", chat,
                   "{\"app:a\":1.50,\"k\":[1]}");
    (void)snprintf(without, sizeof without, "%s}\n", chat);
    expect_chat_with(session, AGENTCHAT_STR("my state"), with, "");
    expect_chat_with(session, agentchat_str_from(NULL), without,
                     "loss /state: the state of the session is not in the chat\n");
    expect_chat_with(HEAD "{},\"events\":[]}", AGENTCHAT_STR("my state"), without, "");
}

static void test_session_chat__a_state_needs_a_name(void **state)
{
    agentchat_session_file *file = file_of(NULL, AGENTCHAT_STR(HEAD "{\"k\":1},\"events\":[]}"));
    agentchat_snapshot *snapshot = (agentchat_snapshot *)(uintptr_t)1;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_session_file_snapshot(file, AGENTCHAT_STR(""), &snapshot, NULL, &err), &err,
               AGENTCHAT_E_INVALID, NULL, "name");
    assert_null(snapshot);
    agentchat_session_file_free(file);
}

/* ---- read as a chat ------------------------------------------------------------------------------------------- */

static agentchat_status read_chat(const char *text, bool sessions, bool fail_on_loss, agentchat_snapshot **out,
                                  agentchat_report **report, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;

    options.sessions = sessions;
    options.fail_on_loss = fail_on_loss;
    return agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &options, out, report, err);
}

static void test_session_chat__is_read_where_sessions_are_asked_for(void **state)
{
    static const char session[] =
        HEAD "{\"k\":1},\"other\":2,\"events\":[{\"author\":\"user\",\"content\":" SAID("hi") "}]}";
    agentchat_snapshot *snapshot;
    agentchat_report *report;
    agentchat_error err;

    (void)state;
    test_fails(read_chat(session, false, false, &snapshot, NULL, &err), &err, AGENTCHAT_E_SCHEMA, NULL,
               "this is the file of a session (agentchat), not of a chat");
    test_ok(read_chat(session, true, false, &snapshot, &report, &err), &err);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 1);
    assert_str(agentchat_snapshot_value(snapshot, AGENTCHAT_STR("state"), NULL), "{\"k\":1}");
    assert_string_equal(agentchat_snapshot_format(snapshot), "agentchat");
    assert_str(agentchat_report_at(report, 0)->path, "/other"); /* of reading the file */
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 2);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    test_fails(read_chat(session, true, true, &snapshot, NULL, &err), &err, AGENTCHAT_E_LOSS, "/other", NULL);
    assert_null(snapshot);
}

static void test_session_chat__wrong_files_are_refused(void **state)
{
    static const struct {
        const char *text;
        agentchat_status status;
        const char *path, *message;
    } wrong[] = {
        {HEAD "{},\"events\":[{\"id\":\"e\"}]}", AGENTCHAT_E_SCHEMA, "/events/0", "author"},
        {HEAD "{},\"events\":[{\"author\":\"a\",\"time\":\"now\"}]}", AGENTCHAT_E_SCHEMA, "/events/0/time", NULL},
        {HEAD "{},\"events\":[", AGENTCHAT_E_SYNTAX, NULL, NULL},
        {HEAD "{}}", AGENTCHAT_E_SCHEMA, "", "events"},
        {"{\"agentchatsession\":{\"format\":9,\"reader\":9},\"state\":{},\"events\":[]}", AGENTCHAT_E_VERSION, NULL,
         NULL},
        {"{\"author\":\"a\",\"content\":{\"role\":\"user\"}}", AGENTCHAT_E_SCHEMA, "", "no mark"},
        {HEAD "{},\"events\":[]}\n" HEAD "{},\"events\":[]}\n", AGENTCHAT_E_SCHEMA, NULL, "JSON lines"},
        {"{\"appName\":1,\"events\":[]}", AGENTCHAT_E_SCHEMA, "/appName", NULL},
        {"[]x", AGENTCHAT_E_SYNTAX, NULL, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        agentchat_snapshot *snapshot = (agentchat_snapshot *)(uintptr_t)1;
        agentchat_error err;

        test_fails(read_chat(wrong[i].text, true, false, &snapshot, NULL, &err), &err, wrong[i].status, wrong[i].path,
                   wrong[i].message);
        assert_null(snapshot);
    }
}

/* ---- what google-adk and ADK-Rust wrote ----------------------------------------------------------------------- */

typedef struct recorded {
    size_t chats, messages, participants;
} recorded;

/* Every message has a role, and its event's id; reading the file as a chat gives the same one. */
static void check_chat(const agentchat_session_file *file, agentchat_str text, recorded *r)
{
    agentchat_snapshot *made, *read;
    const agentchat_messages *history;
    agentchat_error err;
    char *one, *other;
    size_t at = 0;

    test_ok(agentchat_session_file_snapshot(file, AGENTCHAT_STR("state"), &made, NULL, &err), &err);
    test_ok(read_chat(text.ptr, true, false, &read, NULL, &err), &err);
    one = chat_text(made);
    other = chat_text(read);
    assert_string_equal(one, other);
    history = agentchat_snapshot_history(made);
    for (size_t i = 0; i < agentchat_session_file_event_count(file); i++) {
        const agentchat_event *event = agentchat_session_file_event(file, i);
        const agentchat_message *content = agentchat_event_content(event), *message;

        if (content == NULL || (content->flags & ACI_MESSAGE_IS_NULL) != 0)
            continue;
        message = agentchat_messages_at(history, at++);
        assert_non_null(agentchat_message_role(message).ptr);
        assert_int_equal(agentchat_message_item_count(message), agentchat_message_item_count(content));
        assert_true(agentchat_str_equal(agentchat_message_get(message, AGENTCHAT_FIELD_ID),
                                        agentchat_event_get(event, AGENTCHAT_EVENT_ID)));
    }
    assert_int_equal(agentchat_messages_count(history), at);
    r->chats++;
    r->messages += at;
    r->participants += agentchat_snapshot_participant_count(made);
    free(one);
    free(other);
    agentchat_snapshot_unref(made);
    agentchat_snapshot_unref(read);
}

static void check_recorded(agentchat_str text, recorded *r)
{
    agentchat_document *document = NULL;
    agentchat_source *source = NULL;
    agentchat_error err;

    test_ok(agentchat_source_memory(NULL, text, &source, &err), &err);
    if (agentchat_document_read(NULL, source, NULL, &document, NULL, NULL) >= 0 &&
        agentchat_document_session(document) != NULL)
        check_chat(agentchat_document_session(document), text, r);
    agentchat_document_free(document);
    agentchat_source_free(source);
}

static void check_recorded_file(const char *name, recorded *r)
{
    char *path = test_path(test_data_dir(), name), *text = test_file_read(path, NULL);

    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *value = json_loads(line, JSON_ALLOW_NUL, NULL), *document = json_object_get(value, "text");

        check_recorded((agentchat_str){json_string_value(document), json_string_length(document)}, r);
        json_decref(value);
    }
    free(text);
    free(path);
}

static void test_session_chat__what_was_recorded_becomes_chats(void **state)
{
    recorded python = {0}, rust = {0};

    (void)state;
    check_recorded_file("interop/google-adk/recorded/python.jsonl", &python);
    check_recorded_file("interop/google-adk/recorded/rust.jsonl", &rust);
    assert_int_equal(python.chats, 378); /* of 401; test_adk_google.c says which are refused */
    assert_int_equal(python.messages, 791);
    assert_int_equal(python.participants, 285);
    assert_int_equal(rust.chats, 8); /* answers of its server; the other files are single events */
    assert_int_equal(rust.messages, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_chat__a_message_takes_from_its_event_what_it_lacks),
        cmocka_unit_test(test_session_chat__the_author_is_the_name_unless_the_role_says_it),
        cmocka_unit_test(test_session_chat__a_message_without_a_role_has_that_of_its_author),
        cmocka_unit_test(test_session_chat__what_a_message_has_of_its_own_goes_first),
        cmocka_unit_test(test_session_chat__what_nobody_said_is_not_in_it),
        cmocka_unit_test(test_session_chat__the_report_names_what_is_not_in_it),
        cmocka_unit_test(test_session_chat__the_state_is_a_value_when_it_is_asked_for),
        cmocka_unit_test(test_session_chat__a_state_needs_a_name),
        cmocka_unit_test(test_session_chat__is_read_where_sessions_are_asked_for),
        cmocka_unit_test(test_session_chat__wrong_files_are_refused),
        cmocka_unit_test(test_session_chat__what_was_recorded_becomes_chats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
