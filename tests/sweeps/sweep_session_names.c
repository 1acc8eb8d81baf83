/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/session.h and agentchat/session_json.h: what is done by name, lists, state without a session,
   exchange. The handle and what it does are in sweep_session.c. */
#include "sweep_fixture.h"

#include <agentchat/session_json.h>
#include <jansson.h>

/* ---- by name ---------------------------------------------------------------------------------------------------- */

static void expect_missing(const fixture *p, const char *id)
{
    agentchat_session *session = NULL;
    agentchat_error err;

    test_fails(agentchat_session_get(p->store, &(agentchat_session_id){"a", "u", id}, NULL, &session, &err), &err,
               AGENTCHAT_E_NOTFOUND, NULL, NULL);
}

static agentchat_status id_check(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error detail;
    agentchat_status good, bad;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    good = agentchat_session_id_check(&(agentchat_session_id){"a", "u", "s"}, &detail);
    bad = agentchat_session_id_check(&(agentchat_session_id){"a", "u", "\xFF"}, &detail);
    sweep_end();
    assert_int_equal(good, AGENTCHAT_OK);
    assert_int_equal(bad, AGENTCHAT_E_INVALID);
    return AGENTCHAT_OK;
}

static agentchat_status session_copy(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;
    agentchat_error again;
    agentchat_status status;
    char text[1024];
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_begin();
    status = agentchat_session_copy(p.store, &(agentchat_session_id){"a", "u", "s"}, "copy", &made, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_int_equal(made.len, 0);
        fixture_expect_unchanged(&p);
        expect_missing(&p, "copy");
        test_ok(agentchat_session_copy(p.store, &(agentchat_session_id){"a", "u", "s"}, "copy", &made, &again), &again);
    }
    assert_string_equal(made.ptr, "copy");
    fixture_stored(&p, "copy", text);
    assert_string_equal(text, p.stored);
    agentchat_bytes_clear(&made);
    fixture_end(&p);
    return status;
}

static agentchat_status session_delete(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_begin();
    status = agentchat_session_delete(p.store, &(agentchat_session_id){"a", "u", "s"}, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_delete(p.store, &(agentchat_session_id){"a", "u", "s"}, &again), &again);
    }
    expect_missing(&p, "s");
    fixture_end(&p);
    return status;
}

static agentchat_status user_delete(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    uint64_t sessions = 7;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_begin();
    status = agentchat_user_delete(p.store, "a", "u", &sessions, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_int_equal(sessions, 0);
        fixture_expect_unchanged(&p);
        test_ok(agentchat_user_delete(p.store, "a", "u", &sessions, &again), &again);
    }
    assert_int_equal(sessions, 1);
    expect_missing(&p, "s");
    fixture_end(&p);
    return status;
}

static agentchat_status scope_state(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = (agentchat_state *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_begin();
    status = agentchat_scope_state(p.store, "a", "u", &map, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(map);
        test_ok(agentchat_scope_state(p.store, "a", "u", &map, &again), &again);
    }
    assert_int_equal(agentchat_state_count(map), 3);
    assert_str(agentchat_state_get(map, "app:n"), "2");
    agentchat_state_free(map);
    fixture_end(&p);
    return status;
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static agentchat_session_list *read_list(const fixture *p, const char *cursor)
{
    agentchat_session_list *list = NULL;
    agentchat_error err;

    test_ok(agentchat_session_list_read(
                p->store, "a",
                &(agentchat_session_list_options){
                    .struct_size = sizeof(agentchat_session_list_options), .cursor = cursor, .limit = 1},
                &list, &err),
            &err);
    return list;
}

/* Variants 2 and 3: a second page. */
static agentchat_status list_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_session_list *first, *list = (agentchat_session_list *)(uintptr_t)1;
    const char *cursor = NULL;
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, 0, false);
    test_ok(agentchat_session_copy(p.store, &(agentchat_session_id){"a", "u", "s"}, "copy", NULL, &again), &again);
    first = read_list(&p, NULL);
    if (variant >= 2)
        cursor = agentchat_session_list_cursor(first);
    if (variant % 2 == 1)
        sweep_may_swallow();
    sqlite_memory_count(variant % 2 == 1);
    sweep_begin();
    status = agentchat_session_list_read(
        p.store, "a",
        &(agentchat_session_list_options){
            .struct_size = sizeof(agentchat_session_list_options), .cursor = cursor, .limit = 1},
        &list, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(list);
        test_ok(agentchat_session_list_read(
                    p.store, "a",
                    &(agentchat_session_list_options){
                        .struct_size = sizeof(agentchat_session_list_options), .cursor = cursor, .limit = 1},
                    &list, &again),
                &again);
    }
    assert_int_equal(agentchat_session_list_count(list), 1);
    assert_string_equal(agentchat_session_list_at(list, 0)->id, variant >= 2 ? "s" : "copy");
    agentchat_session_list_free(list);
    agentchat_session_list_free(first);
    fixture_end(&p);
    return status;
}

static agentchat_status look_at_list(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_session_info *info, *beyond;
    agentchat_session_list *list;
    const char *cursor;
    size_t count;
    fixture p;

    (void)variant;
    (void)err;
    fixture_begin(&p, env, 0, false);
    list = read_list(&p, NULL);
    sqlite_memory_count(true);
    sweep_begin();
    count = agentchat_session_list_count(list);
    info = agentchat_session_list_at(list, 0);
    beyond = agentchat_session_list_at(list, count);
    cursor = agentchat_session_list_cursor(list);
    sweep_end();
    assert_int_equal(count, 1);
    assert_string_equal(info->id, "s");
    assert_string_equal(info->user, "u");
    assert_int_equal(info->sequence, 2);
    assert_null(beyond);
    assert_null(cursor);
    sweep_begin();
    agentchat_session_list_free(NULL);
    agentchat_session_list_free(list);
    sweep_end();
    fixture_end(&p);
    return AGENTCHAT_OK;
}

/* ---- exchange --------------------------------------------------------------------------------------------------- */

static void append_said(const fixture *p)
{
    agentchat_event_builder *builder = test_event_builder(p->env, "user");
    agentchat_message *message = sweep_rich_message(p->env);
    agentchat_event *event = NULL;
    agentchat_error err;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("said"));
    agentchat_event_builder_set_content(builder, message);
    agentchat_message_unref(message);
    test_ok(agentchat_event_builder_finish(builder, &event, &err), &err);
    test_ok(agentchat_session_append(p->session, event, NULL, NULL, &err), &err);
    agentchat_event_unref(event);
}

static agentchat_status session_snapshot(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = (agentchat_snapshot *)(uintptr_t)1;
    agentchat_report *report = (agentchat_report *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    fixture p;

    (void)variant;
    fixture_begin(&p, env, 0, false);
    append_said(&p);
    sweep_begin();
    status = agentchat_session_snapshot(p.session, AGENTCHAT_STR("state"), &snapshot, &report, err);
    sweep_end();
    agentchat_report_free(report);
    if (status < 0) {
        assert_null(snapshot);
        test_ok(agentchat_session_snapshot(p.session, AGENTCHAT_STR("state"), &snapshot, NULL, &again), &again);
    }
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 1);
    assert_int_equal(agentchat_snapshot_value_count(snapshot), 1);
    agentchat_snapshot_unref(snapshot);
    fixture_end(&p);
    return status;
}

static agentchat_status session_digest(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1] = "x", whole[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error again;
    agentchat_status status;
    fixture p;

    (void)variant;
    fixture_begin(&p, env, 0, false);
    append_said(&p);
    sweep_begin();
    status = agentchat_session_digest(p.session, digest, err);
    sweep_end();
    test_ok(agentchat_session_digest(p.session, whole, &again), &again);
    assert_string_equal(digest, status < 0 ? "" : whole);
    fixture_end(&p);
    return status;
}

static agentchat_status write_file(const fixture *p, const char *format, agentchat_bytes *out, bool swept,
                                   agentchat_error *err)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_report *report = (agentchat_report *)(uintptr_t)1;
    agentchat_sink *sink = NULL;
    agentchat_error again;
    agentchat_status status;

    test_ok(agentchat_sink_memory(p->env, out, &sink, &again), &again);
    options.format = format;
    if (swept)
        sweep_begin();
    status = agentchat_session_export(p->session, sink, &options, &report, err);
    if (swept)
        sweep_end();
    agentchat_sink_free(sink);
    agentchat_report_free(report);
    return status;
}

static agentchat_status session_export(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const char *format = variant == 0 ? "agentchat" : "adk";
    agentchat_bytes text = AGENTCHAT_BYTES_INIT, expected = AGENTCHAT_BYTES_INIT;
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, 0, false);
    append_said(&p);
    status = write_file(&p, format, &text, true, err);
    agentchat_error_clear(&again);
    test_ok(write_file(&p, format, &expected, false, &again), &again);
    if (status >= 0)
        assert_string_equal(text.ptr, expected.ptr);
    agentchat_bytes_clear(&text);
    agentchat_bytes_clear(&expected);
    fixture_end(&p);
    return status;
}

/* The ledger wants to see the call in the window. */
static agentchat_status read_file(const fixture *p, agentchat_str text, agentchat_session **out, bool swept,
                                  agentchat_error *err)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_report *report = (agentchat_report *)(uintptr_t)1;
    agentchat_source *source = NULL;
    agentchat_error again;
    agentchat_status status;

    test_ok(agentchat_source_memory(p->env, text, &source, &again), &again);
    options.as = (agentchat_session_id){"a", "u", "imported"};
    if (swept)
        sweep_begin();
    status = agentchat_session_import(p->store, source, &options, out, &report, err);
    if (swept)
        sweep_end();
    agentchat_source_free(source);
    agentchat_report_free(report);
    return status;
}

/* Variants 0 and 1: the native format; 2 and 3: that of an ADK. */
static agentchat_status session_import(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_session *made = (agentchat_session *)(uintptr_t)1;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error again;
    agentchat_status status;
    char found[1024];
    fixture p;

    fixture_begin(&p, env, variant % 2, false);
    sqlite_memory_count(false);
    append_said(&p);
    fixture_text(p.session, p.shown);
    fixture_stored(&p, "s", p.stored);
    test_ok(write_file(&p, variant < 2 ? "agentchat" : "adk", &text, false, &again), &again);
    sqlite_memory_count(variant % 2 == 1);
    status = read_file(&p, (agentchat_str){text.ptr, text.len}, &made, true, err);
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(made);
        fixture_expect_unchanged(&p);
        expect_missing(&p, "imported");
        agentchat_error_clear(&again);
        test_ok(read_file(&p, (agentchat_str){text.ptr, text.len}, &made, false, &again), &again);
    }
    fixture_stored(&p, "imported", found);
    if (variant < 2) /* an ADK's file has whitespace between its tokens, which stays inside values */
        assert_string_equal(found, p.stored);
    else
        assert_non_null(strstr(found, " e1 e2 said"));
    assert_int_equal(agentchat_state_count(agentchat_session_state(made)), 4);
    assert_int_equal(agentchat_session_event_count(made), 0);
    agentchat_session_free(made);
    agentchat_bytes_clear(&text);
    fixture_end(&p);
    return status;
}

/* ---- jansson ---------------------------------------------------------------------------------------------------- */

static agentchat_status state_set_json(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = test_state(env);
    json_t *value = json_pack("{s:[i,s]}", "x", 7, "text");
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    assert_true(map != NULL && value != NULL);
    sweep_begin();
    status = agentchat_state_set_json(map, "k", value, err);
    sweep_end();
    if (status < 0) {
        assert_int_equal(agentchat_state_count(map), 0);
        test_ok(agentchat_state_set_json(map, "k", value, &again), &again);
    }
    assert_str(agentchat_state_get(map, "k"), "{\"x\":[7,\"text\"]}");
    json_decref(value);
    agentchat_state_free(map);
    return status;
}

static agentchat_status state_get_json(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *map = NULL;
    json_t *value = (json_t *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    test_ok(agentchat_state_read(env, AGENTCHAT_STR("{\"k\":{\"x\":[7,\"text\"]}}"), &map, &again), &again);
    sweep_begin();
    status = agentchat_state_get_json(map, "k", &value, err);
    sweep_end();
    if (status < 0) {
        assert_null(value);
        test_ok(agentchat_state_get_json(map, "k", &value, &again), &again);
    }
    assert_int_equal(json_integer_value(json_array_get(json_object_get(value, "x"), 0)), 7);
    json_decref(value);
    agentchat_state_free(map);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_session_id_check", id_check, SWEEP_NEVER, 0},
    {"agentchat_session_copy", session_copy, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_session_delete", session_delete, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_user_delete", user_delete, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_scope_state", scope_state, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_session_list_read", list_read, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_session_list_count", look_at_list, SWEEP_NEVER, 0},
    {"agentchat_session_list_at", look_at_list, SWEEP_NEVER, 0},
    {"agentchat_session_list_cursor", look_at_list, SWEEP_NEVER, 0},
    {"agentchat_session_list_free", look_at_list, SWEEP_NEVER, 0},
    {"agentchat_session_snapshot", session_snapshot, SWEEP_ALLOCATES, 0},
    {"agentchat_session_digest", session_digest, SWEEP_ALLOCATES, 0},
    {"agentchat_session_export", session_export, SWEEP_ALLOCATES, 2},
    {"agentchat_session_import", session_import, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_state_set_json", state_set_json, SWEEP_ALLOCATES, 0},
    {"agentchat_state_get_json", state_get_json, SWEEP_ALLOCATES | SWEEP_DEFAULT_MEMORY, 0},
};

int main(void)
{
    sqlite_memory_begin();
    return sweep_main("sweep.session_names", rows, sizeof rows / sizeof *rows);
}
