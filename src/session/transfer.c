/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions as files and documents: out of a store and into one. */
#include "session/session_internal.h"

#include "base/error.h"
#include "base/ids.h"
#include "event/time.h"
#include "format/event_canonical.h"
#include "format/session_chat.h"
#include "format/session_io.h"
#include "io/stream.h"
#include <agentchat/session_json.h>
#include <string.h>

/* ==== A session as a file: what a handle shows =================================================================== */

/* What the session's own keys were before the first of the events that the handle holds. */
static agentchat_status find_initial(const agentchat_session *session, agentchat_state **out, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    *out = aci_scope_copy_stored(session, true);
    if (*out == NULL)
        return aci_fail_nomem(err);
    for (size_t i = session->view.events.count; i > 0 && status >= 0; i--)
        status = aci_effect_undo(session->view.events.list[i - 1], *out, NULL, err);
    return status;
}

/* Writes a session, and nothing when that loses something: E_LOSS. */
static agentchat_status export_checked(const aci_session_data *data, const char *format, agentchat_sink *sink,
                                       agentchat_report *report, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *memory = NULL;
    agentchat_status status = agentchat_sink_memory(data->env, &bytes, &memory, err);

    if (status >= 0)
        status = aci_session_io_write(data, format, memory, report, err);
    if (status >= 0)
        status = aci_report_fail_on_loss(report, err);
    if (status >= 0)
        status = aci_sink_write(sink, bytes.ptr, bytes.len, err);
    agentchat_sink_free(memory);
    agentchat_bytes_clear(&bytes);
    return status;
}

static agentchat_status add_time(const agentchat_session *session, aci_session_data *data, agentchat_error *err)
{
    char text[ACI_TIME_SIZE];
    size_t len = aci_time_print_us(session->view.row.updated_us, text);
    bool ok = true;

    data->arena = aci_arena_new(session->env, 0);
    if (data->arena == NULL)
        return aci_fail_nomem(err);
    data->time = aci_arena_copy(data->arena, (agentchat_str){text, len}, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* What a handle shows, as a file has it; to be cleared with clear_data() in any case. */
static agentchat_status take_data(const agentchat_session *session, aci_session_data *data, agentchat_error *err)
{
    agentchat_status status;

    memset(data, 0, sizeof *data);
    data->env = session->env;
    data->app = session->name.app;
    data->user = session->name.user;
    data->id = session->name.id;
    data->sequence = (uint64_t)session->view.row.seq;
    data->events = session->view.events.list;
    data->event_count = session->view.events.count;
    data->state = aci_scope_copy_stored(session, false);
    status = data->state != NULL ? find_initial(session, &data->initial, err) : aci_fail_nomem(err);
    return status < 0 ? status : add_time(session, data, err);
}

static void clear_data(aci_session_data *data)
{
    agentchat_state_free(data->state);
    agentchat_state_free(data->initial);
    aci_arena_unref(data->arena);
}

/* Whether the state before the first event that a handle holds is known. */
static agentchat_status check_holes(const agentchat_session *session, agentchat_error *err)
{
    return !session->has_holes
               ? AGENTCHAT_OK
               : aci_fail(err, AGENTCHAT_E_INVALID,
                          "the handle holds events by their time and leaves out some between them, so the state "
                          "before the first one is not known");
}

static agentchat_status export_to(const agentchat_session *session, agentchat_sink *sink,
                                  const agentchat_session_file_options *options, agentchat_report *report,
                                  agentchat_error *err)
{
    const char *format = options->format != NULL ? options->format : "agentchat";
    agentchat_status status = strcmp(format, "agentchat") == 0 ? check_holes(session, err) : AGENTCHAT_OK;
    aci_session_data data;

    if (status < 0)
        return status;
    status = take_data(session, &data, err);
    data.keep_times = options->keep_times;
    data.lines = options->lines;
    if (status >= 0)
        status = options->fail_on_loss ? export_checked(&data, format, sink, report, err)
                                       : aci_session_io_write(&data, format, sink, report, err);
    if (status >= 0)
        status = aci_sink_commit(sink, err);
    clear_data(&data);
    return status;
}

agentchat_status agentchat_session_digest(const agentchat_session *session, char out[AGENTCHAT_DIGEST_LEN + 1],
                                          agentchat_error *err)
{
    aci_session_data data;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    out[0] = '\0';
    if (session == NULL)
        return aci_fail_null(err, "session");
    status = check_holes(session, err);
    if (status < 0)
        return status;
    status = take_data(session, &data, err);
    if (status >= 0)
        status = aci_event_canonical_digest(&data, out, err);
    clear_data(&data);
    return status;
}

void agentchat_session_file_options_init(agentchat_session_file_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_session_export(const agentchat_session *session, agentchat_sink *sink,
                                          const agentchat_session_file_options *options, agentchat_report **report,
                                          agentchat_error *err)
{
    agentchat_session_file_options loaded;
    agentchat_report *filled;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (session == NULL || sink == NULL)
        return aci_fail_null(err, session == NULL ? "session" : "sink");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status < 0)
        return status;
    filled = aci_report_new(session->env);
    if (filled == NULL)
        return aci_fail_nomem(err);
    status = export_to(session, sink, &loaded, filled, err);
    aci_report_hand_over(filled, report);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ==== A session's file into a store, in one transaction ========================================================== */

typedef struct importing {
    agentchat_store *store;
    const agentchat_env *env;
    aci_name_claim claim;
    char made_id[ACI_ID_LEN + 1];
    aci_session_data data;
    aci_replay replay;
    bool has_app, has_user;
    aci_scope_row app, user;
    aci_session_row row;
    agentchat_session *handle;
    aci_update view; /* what the handle shows */
} importing;

/* ---- storing -------------------------------------------------------------------------------------------------- */

/* The scopes that get keys stay as they are until the transaction ends. */
static agentchat_status claim(importing *m, aci_tx *tx, agentchat_error *err)
{
    int64_t now_us = aci_now_us(m->env);
    agentchat_status status;

    m->row = (aci_session_row){.num = m->claim.num,
                               .origin = m->claim.num,
                               .seq = m->replay.sequence,
                               .created_us = now_us,
                               .updated_us = now_us};
    aci_name_claim_add(&m->claim, tx, &m->row);
    if (m->has_app)
        aci_load_ask_scope(tx, ACI_STATEMENT_SCOPE_HOLD, &m->claim.name, AGENTCHAT_SCOPE_APP, &m->app);
    if (m->has_user)
        aci_load_ask_scope(tx, ACI_STATEMENT_SCOPE_HOLD, &m->claim.name, AGENTCHAT_SCOPE_USER, &m->user);
    status = aci_transact_run(tx, false, err);
    return status < 0 ? status : aci_name_claim_check(&m->claim, tx, err);
}

/* The revision of one of the session's own keys: that of the event which set it, unless the file's state says otherwise
   than its events. */
static int64_t own_revision(const importing *m, agentchat_str key, agentchat_str value)
{
    if (agentchat_str_equal(aci_state_find(m->replay.own, key), value))
        return aci_load_revision_find(m->replay.revisions, key);
    return aci_state_find(m->replay.own, key).ptr == NULL ? 1 : m->replay.sequence + 1;
}

static void queue_events(importing *m, aci_tx *tx)
{
    for (size_t i = 0; i < m->replay.count; i++) {
        const aci_import_event *e = &m->replay.events[i];
        const aci_event_row row = {.app = m->claim.name.app,
                                   .num = m->claim.num,
                                   .origin = m->claim.num,
                                   .seq = e->sequence,
                                   .id = agentchat_event_get(e->event, AGENTCHAT_EVENT_ID),
                                   .time_ns = agentchat_event_time_ns(e->event),
                                   .json = e->text,
                                   .effect = e->effect};

        aci_statement_add_event(tx, &row);
    }
}

static void queue_key(importing *m, aci_tx *tx, agentchat_str key, agentchat_str value)
{
    agentchat_str rest;
    agentchat_scope scope = aci_key_scope(key, &rest);
    int64_t revision = aci_scope_revision_of(scope, m->app.revision, m->user.revision, own_revision(m, key, value));

    if (scope != AGENTCHAT_SCOPE_TEMP)
        aci_statement_add_put(tx, &m->claim.name, scope, rest, value, revision);
}

static void queue_rows(importing *m, aci_tx *tx)
{
    agentchat_str key, value;

    m->app.revision++;
    m->user.revision++;
    queue_events(m, tx);
    for (size_t at = 0; aci_state_next(m->data.state, &at, &key, &value);)
        queue_key(m, tx, key, value);
    if (m->has_app)
        aci_statement_add_scope(tx, ACI_STATEMENT_SCOPE_PUT, &m->app, NULL, NULL);
    if (m->has_user)
        aci_statement_add_scope(tx, ACI_STATEMENT_SCOPE_PUT, &m->user, NULL, NULL);
}

static agentchat_status store_all(aci_tx *tx, void *user, agentchat_error *err)
{
    importing *m = user;
    agentchat_status status = claim(m, tx, err);

    if (status != AGENTCHAT_OK)
        return status; /* DONE: what the handle shows was put together by the attempt that has done it */
    queue_rows(m, tx);
    status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = aci_view_update_prefetch(&m->view, tx, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

static agentchat_status read_file(importing *m, agentchat_source *source, agentchat_report *report,
                                  agentchat_error *err)
{
    char *data = NULL;
    size_t len = 0, cap = 0;
    agentchat_status status = aci_source_read_all(source, m->env, m->env->limits.max_bytes, &data, &len, &cap, err);

    if (status >= 0)
        status = aci_session_io_read(m->env, (agentchat_str){data, len}, report, &m->data, err);
    aci_free(m->env, data, cap);
    return status;
}

static agentchat_str chosen(const char *option, agentchat_str in_file)
{
    return option != NULL ? agentchat_str_from(option) : in_file;
}

static agentchat_status choose_names(importing *m, const agentchat_session_file_options *options,
                                     agentchat_report *report, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    m->claim.name.app = chosen(options->as.app, m->data.app);
    m->claim.name.user = chosen(options->as.user, m->data.user);
    m->claim.name.id = chosen(options->as.id, m->data.id);
    if (m->claim.name.app.ptr == NULL || m->claim.name.user.ptr == NULL)
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "the file does not say which %s it belongs to; give one",
                        m->claim.name.app.ptr == NULL ? "application" : "user");
    if (m->claim.name.id.ptr == NULL) {
        status = aci_id_new(m->env, m->made_id, err);
        m->claim.name.id = agentchat_str_from(m->made_id);
        if (status >= 0 && !aci_report_add(report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR("/id"),
                                           (agentchat_str){NULL, 0}, "the file names no session: an id was made"))
            status = aci_fail_nomem(err);
    }
    if (status >= 0)
        status = aci_label_check(m->claim.name.app, "application", err);
    if (status >= 0)
        status = aci_label_check(m->claim.name.user, "user", err);
    return status < 0 ? status : aci_label_check(m->claim.name.id, "session id", err);
}

/* ---- the complete import -------------------------------------------------------------------------------------- */

/* Before anything is stored, so that nothing can fail after the commit. */
static agentchat_status make_handle(importing *m, agentchat_error *err)
{
    aci_view view;

    if (!aci_view_init(&view, m->env))
        return aci_fail_nomem(err);
    view.row.num = m->claim.num;
    m->handle = aci_session_new(m->store, &m->claim.name, false, &view);
    aci_view_clear(&view, m->env);
    if (m->handle == NULL)
        return aci_fail_nomem(err);
    m->handle->is_unloaded = true;
    m->view.session = m->handle;
    return AGENTCHAT_OK;
}

static agentchat_status import_from(importing *m, agentchat_source *source,
                                    const agentchat_session_file_options *options, agentchat_report *report,
                                    agentchat_error *err)
{
    agentchat_status status = read_file(m, source, report, err);

    if (status >= 0)
        status = choose_names(m, options, report, err);
    if (status >= 0)
        status = aci_replay_run(&m->replay, m->env, &m->data, report, err);
    if (status >= 0 && options->fail_on_loss)
        status = aci_report_fail_on_loss(report, err);
    if (status < 0) {
        aci_error_source(err, aci_source_name(source));
        return status;
    }
    aci_scope_note(m->data.state, &m->has_app, &m->has_user);
    status = aci_session_number(m->env, &m->claim.num, err);
    if (status >= 0)
        status = make_handle(m, err);
    if (status >= 0)
        status = aci_transact(m->store, true, store_all, m, err);
    return aci_name_damage(status, &m->claim.name, err);
}

static agentchat_status import_reported(agentchat_store *store, agentchat_source *source,
                                        const agentchat_session_file_options *options, agentchat_session **out,
                                        agentchat_report *report, agentchat_error *err)
{
    importing m;
    agentchat_status status;

    memset(&m, 0, sizeof m);
    m.store = store;
    m.env = store->env;
    status = import_from(&m, source, options, report, err);
    if (status >= 0) {
        aci_view_update_apply(&m.view, true);
        *out = m.handle;
    }
    if (m.handle != NULL)
        aci_view_update_clear(&m.view);
    if (*out == NULL)
        agentchat_session_free(m.handle);
    aci_replay_clear(&m.replay);
    aci_session_data_clear(&m.data);
    return status;
}

agentchat_status agentchat_session_import(agentchat_store *store, agentchat_source *source,
                                          const agentchat_session_file_options *options, agentchat_session **out,
                                          agentchat_report **report, agentchat_error *err)
{
    agentchat_session_file_options loaded;
    agentchat_report *filled;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL || source == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "source");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status < 0)
        return status;
    filled = aci_report_new(store->env);
    if (filled == NULL)
        return aci_fail_nomem(err);
    status = import_reported(store, source, &loaded, out, filled, err);
    aci_report_hand_over(filled, report);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ==== session files without a store: what is in one, written again, and its digest =============================== */

struct agentchat_session_file {
    const agentchat_env *env;
    aci_session_data data;
    agentchat_session_id id;
};

/* ---- reading -------------------------------------------------------------------------------------------------- */

static agentchat_status read_data(const agentchat_env *env, agentchat_source *source, agentchat_report *report,
                                  aci_session_data *out, agentchat_error *err)
{
    char *text = NULL;
    size_t len = 0, cap = 0;
    agentchat_status status = aci_source_read_all(source, env, env->limits.max_bytes, &text, &len, &cap, err);

    if (status >= 0)
        status = aci_session_io_read(env, (agentchat_str){text, len}, report, out, err);
    aci_free(env, text, cap);
    return status;
}

static agentchat_status make_file(const agentchat_env *env, agentchat_source *source, bool fail_on_loss,
                                  agentchat_session_file *file, agentchat_report *report, agentchat_error *err)
{
    agentchat_status status = read_data(env, source, report, &file->data, err);
    bool ok = true;

    if (status >= 0 && fail_on_loss)
        status = aci_report_fail_on_loss(report, err);
    if (status < 0) {
        aci_error_source(err, aci_source_name(source));
        return status;
    }
    file->id.app = aci_arena_cstr(file->data.arena, file->data.app, &ok);
    file->id.user = aci_arena_cstr(file->data.arena, file->data.user, &ok);
    file->id.id = aci_arena_cstr(file->data.arena, file->data.id, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status agentchat_session_file_read(const agentchat_env *env, agentchat_source *source,
                                             const agentchat_session_file_options *options,
                                             agentchat_session_file **out, agentchat_report **report,
                                             agentchat_error *err)
{
    agentchat_session_file_options loaded;
    agentchat_session_file *file;
    agentchat_report *filled;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (source == NULL)
        return aci_fail_null(err, "source");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status < 0)
        return status;
    env = aci_env(env);
    file = aci_alloc_zero(env, sizeof *file);
    if (file == NULL)
        return aci_fail_nomem(err);
    file->env = file->data.env = env;
    filled = aci_report_new(env);
    status = filled != NULL ? make_file(env, source, loaded.fail_on_loss, file, filled, err) : aci_fail_nomem(err);
    if (status >= 0)
        *out = file;
    else
        agentchat_session_file_free(file);
    aci_report_hand_over(filled, report);
    return status;
}

void agentchat_session_file_free(agentchat_session_file *file)
{
    const agentchat_env *env;

    if (file == NULL)
        return;
    env = file->env;
    aci_session_data_clear(&file->data);
    aci_free(env, file, sizeof *file);
}

/* ---- what is in it -------------------------------------------------------------------------------------------- */

const char *agentchat_session_file_format(const agentchat_session_file *file)
{
    return file != NULL ? file->data.format : NULL;
}

const agentchat_session_id *agentchat_session_file_id(const agentchat_session_file *file)
{
    return file != NULL ? &file->id : NULL;
}

size_t agentchat_session_file_event_count(const agentchat_session_file *file)
{
    return file != NULL ? file->data.event_count : 0;
}

const agentchat_event *agentchat_session_file_event(const agentchat_session_file *file, size_t index)
{
    return file != NULL && index < file->data.event_count ? file->data.events[index] : NULL;
}

const agentchat_state *agentchat_session_file_state(const agentchat_session_file *file)
{
    return file != NULL ? file->data.state : NULL;
}

agentchat_status agentchat_session_file_digest(const agentchat_session_file *file, char out[AGENTCHAT_DIGEST_LEN + 1],
                                               agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    out[0] = '\0';
    if (file == NULL)
        return aci_fail_null(err, "file");
    return aci_event_canonical_digest(&file->data, out, err);
}

/* ---- as a chat ------------------------------------------------------------------------------------------------ */

agentchat_status agentchat_session_file_snapshot(const agentchat_session_file *file, agentchat_str state_name,
                                                 agentchat_snapshot **out, agentchat_report **report,
                                                 agentchat_error *err)
{
    agentchat_report *filled;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (file == NULL)
        return aci_fail_null(err, "file");
    filled = aci_report_new(file->env);
    status = filled != NULL ? aci_session_chat_make(&file->data, state_name, filled, out, err) : aci_fail_nomem(err);
    aci_report_hand_over(filled, report);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

agentchat_status agentchat_session_file_write(const agentchat_session_file *file, agentchat_sink *sink,
                                              const agentchat_session_file_options *options, agentchat_report **report,
                                              agentchat_error *err)
{
    agentchat_session_file_options loaded;
    aci_session_data data;
    agentchat_report *filled;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (file == NULL || sink == NULL)
        return aci_fail_null(err, file == NULL ? "file" : "sink");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status < 0)
        return status;
    filled = aci_report_new(file->data.env);
    if (filled == NULL)
        return aci_fail_nomem(err);
    data = file->data;
    data.keep_times = loaded.keep_times;
    data.lines = loaded.lines;
    status = loaded.fail_on_loss ? export_checked(&data, loaded.format, sink, filled, err)
                                 : aci_session_io_write(&data, loaded.format, sink, filled, err);
    if (status >= 0)
        status = aci_sink_commit(sink, err);
    aci_report_hand_over(filled, report);
    return status;
}

/* ==== values of state as jansson's =============================================================================== */

agentchat_status agentchat_state_get_json(const agentchat_state *state, const char *key, json_t **out,
                                          agentchat_error *err)
{
    agentchat_str value = agentchat_state_get(state, key);

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    return value.ptr == NULL ? AGENTCHAT_OK : agentchat_json_load(value, out, err);
}

agentchat_status agentchat_state_set_json(agentchat_state *state, const char *key, const json_t *value,
                                          agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    agentchat_error_clear(err);
    if (state == NULL)
        return aci_fail_null(err, "state");
    status = agentchat_json_dump(state->env, value, &text, err);
    if (status >= 0)
        status = agentchat_state_set(state, key, (agentchat_str){text.ptr, text.len}, err);
    agentchat_bytes_clear(&text);
    return status;
}

agentchat_status agentchat_session_set_json(agentchat_session *session, const char *key, const json_t *value,
                                            agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    agentchat_error_clear(err);
    if (session == NULL)
        return aci_fail_null(err, "session");
    status = agentchat_json_dump(session->env, value, &text, err);
    if (status >= 0)
        status = agentchat_session_set(session, key, (agentchat_str){text.ptr, text.len}, err);
    agentchat_bytes_clear(&text);
    return status;
}
