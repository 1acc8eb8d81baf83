/* SPDX-License-Identifier: Apache-2.0 */
/* A session as a file: what a handle shows. */
#include "session/exchange.h"

#include "base/error.h"
#include "event/time.h"
#include "format/event_canonical.h"
#include "format/session_io.h"
#include "io/stream.h"
#include <string.h>

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

agentchat_status aci_export_checked(const aci_session_data *data, const char *format, agentchat_sink *sink,
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
    if (status >= 0)
        status = options->fail_on_loss ? aci_export_checked(&data, format, sink, report, err)
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
