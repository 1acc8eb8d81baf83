/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/verify.h, and of what session.h and event.h have of files without a store. */
#include "sweep.h"

#include <agentchat/verify.h>

static const char session_text[] =
    "{\"agentchatsession\":{\"format\":1},\"app\":\"a\",\"user\":\"u\",\"id\":\"i\",\"state\":{\"k\":1},\"events\":[{"
    "\"id\":\"e\",\"author\":\"x\",\"time\":\"2026-01-02T03:04:05Z\",\"content\":{\"role\":\"user\",\"items\":[{"
    "\"type\":\"call\",\"id\":\"c\",\"function\":\"f\",\"arguments\":[1]},{\"type\":\"image\",\"uri\":"
    "\"data:text/plain;base64,aGk=\"}]}}]}";
static const char event_text[] = "{\"author\":\"a\",\"content\":{\"role\":\"user\",\"items\":[{\"type\":\"text\","
                                 "\"text\":\"t\"}]},\"actions\":{\"statedelta\":{\"k\":1}}}";
static const char events_text[] = "{\"author\":\"a\"}\n{\"author\":\"b\"}\n";
static const char history_text[] = "[{\"Role\":{\"Label\":\"user\"},\"Items\":[]}]";

static agentchat_source *source_of(const agentchat_env *env, const char *text)
{
    agentchat_source *source = NULL;
    agentchat_error err;

    test_ok(agentchat_source_memory(env, agentchat_str_from(text), &source, &err), &err);
    return source;
}

static agentchat_session_file *session_of(const agentchat_env *env)
{
    agentchat_source *source = source_of(env, session_text);
    agentchat_session_file *file = NULL;
    agentchat_error err;

    test_ok(agentchat_session_file_read(env, source, NULL, &file, NULL, &err), &err);
    agentchat_source_free(source);
    return file;
}

static agentchat_status session_file_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source *source = source_of(env, session_text);
    agentchat_session_file *file = (agentchat_session_file *)(uintptr_t)1;
    agentchat_report *report;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_session_file_read(env, source, NULL, &file, &report, err);
    sweep_end();
    assert_int_equal(file != NULL, status >= 0);
    agentchat_session_file_free(file);
    agentchat_report_free(report);
    agentchat_source_free(source);
    return status;
}

static agentchat_status look_at_session_file(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_session_file *file = session_of(env);
    const agentchat_session_id *id;
    const agentchat_event *event;
    const agentchat_state *state;
    const char *format;
    size_t count;

    (void)variant;
    (void)err;
    sweep_begin();
    id = agentchat_session_file_id(file);
    event = agentchat_session_file_event(file, 0);
    state = agentchat_session_file_state(file);
    format = agentchat_session_file_format(file);
    count = agentchat_session_file_event_count(file);
    sweep_end();
    assert_string_equal(id->app, "a");
    assert_non_null(event);
    assert_non_null(state);
    assert_string_equal(format, "agentchat");
    assert_int_equal(count, 1);
    sweep_begin();
    agentchat_session_file_free(file);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status session_file_write(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_session_file *file = session_of(env);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = sweep_sink(env, &bytes);
    agentchat_report *report;
    agentchat_status status;

    options.format = variant == 0 ? "agentchat" : "adk";
    options.fail_on_loss = variant == 2;
    sweep_begin();
    status = agentchat_session_file_write(file, sink, &options, &report, err);
    sweep_end();
    agentchat_report_free(report);
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&bytes);
    agentchat_session_file_free(file);
    return status;
}

static agentchat_status session_file_digest(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_session_file *file = session_of(env);
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_session_file_digest(file, digest, err);
    sweep_end();
    agentchat_session_file_free(file);
    return status;
}

/* From the file that was read (0), and reading it as a chat (1). */
static agentchat_status session_file_snapshot(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_session_file *file = session_of(env);
    agentchat_snapshot *snapshot = (agentchat_snapshot *)(uintptr_t)1;
    agentchat_report *report = (agentchat_report *)(uintptr_t)1;
    agentchat_source *source = source_of(env, session_text);
    agentchat_status status;

    options.sessions = true;
    sweep_begin();
    status = variant == 0 ? agentchat_session_file_snapshot(file, AGENTCHAT_STR("state"), &snapshot, &report, err)
                          : agentchat_snapshot_read(env, source, &options, &snapshot, &report, err);
    sweep_end();
    assert_true(status >= 0 || snapshot == NULL);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), status >= 0);
    assert_int_equal(agentchat_snapshot_participant_count(snapshot), status >= 0);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_source_free(source);
    agentchat_session_file_free(file);
    return status;
}

static agentchat_status event_digest(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_event *event = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    test_ok(agentchat_event_read(env, agentchat_str_from(event_text), NULL, &event, NULL, &again), &again);
    sweep_begin();
    status = agentchat_event_digest(event, digest, err);
    sweep_end();
    agentchat_event_unref(event);
    return status;
}

static const char *text_of_variant(unsigned variant)
{
    static const char *const texts[] = {session_text, event_text, events_text, history_text};

    return texts[variant];
}

static agentchat_status document_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source *source = source_of(env, text_of_variant(variant));
    agentchat_document *document = (agentchat_document *)(uintptr_t)1;
    agentchat_report *report;
    agentchat_status status;

    sweep_may_swallow();
    sweep_begin();
    status = agentchat_document_read(env, source, NULL, &document, &report, err);
    sweep_end();
    assert_int_equal(document != NULL, status >= 0);
    agentchat_document_free(document);
    agentchat_report_free(report);
    agentchat_source_free(source);
    return status;
}

static agentchat_document *document_of(const agentchat_env *env, unsigned variant)
{
    agentchat_source *source = source_of(env, text_of_variant(variant));
    agentchat_document *document = NULL;
    agentchat_error err;

    test_ok(agentchat_document_read(env, source, NULL, &document, NULL, &err), &err);
    agentchat_source_free(source);
    return document;
}

static agentchat_status look_at_document(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_document *document = document_of(env, variant);
    bool is_chat, is_session;
    const char *kind;
    size_t count;

    (void)err;
    sweep_begin();
    kind = agentchat_document_kind_name(agentchat_document_get_kind(document));
    is_chat = agentchat_document_snapshot(document) != NULL;
    is_session = agentchat_document_session(document) != NULL;
    count = agentchat_document_event_count(document);
    (void)agentchat_document_format(document);
    sweep_end();
    assert_string_equal(kind, variant == 0 ? "session" : variant == 1 ? "event" : variant == 2 ? "events" : "history");
    assert_int_equal(is_session, variant == 0);
    assert_int_equal(is_chat, variant == 3);
    assert_int_equal(count, variant == 3 ? 0 : variant == 2 ? 2 : 1);
    sweep_begin();
    agentchat_document_free(document);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status document_digest(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_document *document = document_of(env, variant);
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_status status;

    sweep_begin();
    status = agentchat_document_digest(document, true, digest, err);
    sweep_end();
    agentchat_document_free(document);
    return status;
}

static agentchat_status verify(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_source *source = source_of(env, text_of_variant(variant));
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_status status;
    size_t failed;

    sweep_may_swallow();
    sweep_begin();
    status =
        agentchat_verify(env, source, AGENTCHAT_STR("{\"transcript\":[\"x: \"]}"), NULL, NULL, digest, &failed, err);
    sweep_end();
    agentchat_source_free(source);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_session_file_read", session_file_read, SWEEP_ALLOCATES, 0},
    {"agentchat_session_file_snapshot", session_file_snapshot, SWEEP_ALLOCATES, 2},
    {"agentchat_session_file_id", look_at_session_file, SWEEP_NEVER, 0},
    {"agentchat_session_file_event", look_at_session_file, SWEEP_NEVER, 0},
    {"agentchat_session_file_state", look_at_session_file, SWEEP_NEVER, 0},
    {"agentchat_session_file_format", look_at_session_file, SWEEP_NEVER, 0},
    {"agentchat_session_file_event_count", look_at_session_file, SWEEP_NEVER, 0},
    {"agentchat_session_file_free", look_at_session_file, SWEEP_NEVER, 0},
    {"agentchat_session_file_write", session_file_write, SWEEP_ALLOCATES, 2},
    {"agentchat_session_file_digest", session_file_digest, SWEEP_ALLOCATES, 0},
    {"agentchat_event_digest", event_digest, SWEEP_ALLOCATES, 0},
    {"agentchat_document_read", document_read, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 4},
    {"agentchat_document_kind_name", look_at_document, SWEEP_NEVER, 4},
    {"agentchat_document_get_kind", look_at_document, SWEEP_NEVER, 4},
    {"agentchat_document_snapshot", look_at_document, SWEEP_NEVER, 4},
    {"agentchat_document_session", look_at_document, SWEEP_NEVER, 4},
    {"agentchat_document_event_count", look_at_document, SWEEP_NEVER, 4},
    {"agentchat_document_format", look_at_document, SWEEP_NEVER, 4},
    {"agentchat_document_free", look_at_document, SWEEP_NEVER, 4},
    {"agentchat_document_digest", document_digest, SWEEP_ALLOCATES, 4},
    {"agentchat_verify", verify, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 4},
};

int main(void)
{
    return sweep_main("sweep.verify", rows, sizeof rows / sizeof *rows);
}
