/* SPDX-License-Identifier: Apache-2.0 */
/* Session files without a store: what is in one, written again, and its digest. */
#include "session/exchange.h"

#include "base/error.h"
#include "format/event_canonical.h"
#include "format/session_chat.h"
#include "format/session_io.h"
#include "io/stream.h"
#include <string.h>

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
    status = loaded.fail_on_loss ? aci_export_checked(&data, loaded.format, sink, filled, err)
                                 : aci_session_io_write(&data, loaded.format, sink, filled, err);
    if (status >= 0)
        status = aci_sink_commit(sink, err);
    aci_report_hand_over(filled, report);
    return status;
}
