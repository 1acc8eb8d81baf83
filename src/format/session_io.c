/* SPDX-License-Identifier: Apache-2.0 */
/* Session files: detecting the format, reading, writing. */
#include "format/session_io.h"

#include "base/error.h"
#include "format/registry.h"
#include "io/stream.h"
#include "state/state.h"

/* ---- the format ------------------------------------------------------------------------------------------------- */

/* Reads a file that was checked as JSON in the format of which its properties say the most. */
static bool read_detected(aci_session_input *s)
{
    aci_likeness best = ACI_UNLIKE;
    const aci_format *format = NULL;
    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);

    for (size_t i = 0; i < count && best != ACI_CERTAIN; i++) {
        aci_likeness likeness =
            formats[i]->probe_session != NULL ? formats[i]->probe_session(s->raw.ptr, s->raw.len) : ACI_UNLIKE;

        if (likeness > best) {
            best = likeness;
            format = formats[i];
        }
    }
    if (format != NULL) {
        s->data->format = format->about.name;
        return format->read_session(s);
    }
    return aci_raw_reader_fail(&s->a, NULL, s->raw, AGENTCHAT_E_SCHEMA,
                               "this is no session: it has no mark of a format in which sessions are read");
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

enum { SESSION_LEVELS = 2 }; /* containers around an event: the file and the list */

/* Checks and indexes the whole. Its events may be as deep as an event alone, inside the file and the list; the readers
   of formats with fewer levels check each by itself, and so is each value of the state. */
static bool check_json(aci_session_input *s)
{
    uint32_t levels = s->a.env->limits.max_depth + SESSION_LEVELS + aci_registry_more_levels();
    agentchat_status status = aci_json_index_text(&s->index, s->a.document, levels, ACI_JSON_FILE, s->a.err);

    if (status < 0)
        s->a.status = status;
    else
        s->raw = aci_json_index_raw(&s->index, 0);
    return status >= 0;
}

/* Copies the texts, which are views into the file so far. */
static bool take_texts(aci_session_input *s)
{
    bool ok = true;

    s->data->app = aci_arena_copy(s->a.arena, s->data->app, &ok);
    s->data->user = aci_arena_copy(s->a.arena, s->data->user, &ok);
    s->data->id = aci_arena_copy(s->a.arena, s->data->id, &ok);
    s->data->time = aci_arena_copy(s->a.arena, s->data->time, &ok);
    return ok || aci_raw_reader_nomem(&s->a);
}

agentchat_status aci_session_io_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                     aci_session_data *out, agentchat_error *err)
{
    aci_session_input s;
    agentchat_error detail;
    bool ok;

    memset(out, 0, sizeof *out);
    memset(&s, 0, sizeof s);
    agentchat_error_clear(&detail);
    out->env = aci_env(env);
    s.data = out;
    s.a = (aci_raw_reader){.env = out->env, .document = text, .index = &s.index, .report = report, .err = &detail};
    aci_json_index_init(&s.index, env);
    aci_json_index_init(&s.event_index, env);
    if (text.ptr == NULL)
        s.a.document = AGENTCHAT_STR("");
    if (text.len > out->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the file has more than %llu bytes",
                        (unsigned long long)out->env->limits.max_bytes);
    s.a.arena = out->arena = aci_arena_new(env, 0);
    ok = s.a.arena != NULL || aci_raw_reader_nomem(&s.a);
    ok = ok && check_json(&s);
    ok = ok && read_detected(&s) && take_texts(&s);
    aci_index_clear(&s.ids, s.a.env);
    aci_json_index_clear(&s.index);
    aci_json_index_clear(&s.event_index);
    if (ok)
        return AGENTCHAT_OK;
    aci_session_data_clear(out);
    if (err != NULL && err->code == 0)
        *err = detail;
    return s.a.status;
}

agentchat_status aci_session_io_write(const aci_session_data *data, const char *format, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err)
{
    const aci_format *chosen;
    aci_buf line;
    agentchat_status status =
        aci_registry_choose(format != NULL ? format : "agentchat", ACI_WRITE_SESSION, &chosen, err);

    if (status < 0 || !data->lines)
        return status < 0 ? status : chosen->write_session(data, sink, report, err);
    aci_buf_init(&line, data->env, SIZE_MAX);
    for (size_t i = 0; status >= 0 && i < data->event_count; i++) {
        line.len = 0;
        status = chosen->write_event(data->events[i], report, &line, err);
        if (status >= 0 && !aci_buf_add(&line, "\n", 1))
            status = aci_fail_nomem(err);
        if (status >= 0)
            status = aci_sink_write(sink, line.ptr, line.len, err);
    }
    aci_buf_clear(&line);
    return status;
}
