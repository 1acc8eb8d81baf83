/* SPDX-License-Identifier: Apache-2.0 */
/* Session files: detecting the format, reading, writing. */
#include "format/session_io.h"

#include "base/error.h"
#include "format/adk/adk.h"
#include "format/adk/session.h"
#include "format/native/session.h"
#include "state/state.h"
#include "json/walk.h"

/* ---- the format ------------------------------------------------------------------------------------------------- */

/* The native format begins with its header. */
static bool is_native(const aci_session_input *s)
{
    aci_walk walk;

    if (*s->raw.ptr != '{')
        return false;
    aci_walk_begin(&walk, s->raw);
    return aci_walk_next(&walk) && agentchat_str_equal(walk.key, AGENTCHAT_STR("\"" ACI_SESSION_HEADER "\""));
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

/* Containers around an event, the file and the list, and how much deeper it may be in the ADK format. */
enum { SESSION_LEVELS = 2 + ACI_ADK_MORE_LEVELS };

/* Checks the whole as JSON. Its events may be as deep as an event alone, inside the file and the list; each is checked
   by itself, and so is each value of the state. */
static bool check_json(aci_session_input *s)
{
    aci_json_options options = {.env = s->a.env, .max_depth = s->a.env->limits.max_depth + SESSION_LEVELS};
    aci_json_reader r;
    agentchat_status status;

    /* Without ACI_JSON_IN_PLACE nothing is changed. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)s->a.document.ptr, s->a.document.len, s->a.err);
    (void)(aci_json_raw(&r, &s->raw) && aci_json_end(&r));
    status = aci_json_close(&r);
    if (status < 0)
        s->a.status = status;
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
    s.a = (aci_raw_reader){.env = out->env, .document = text, .report = report, .err = &detail};
    if (text.ptr == NULL)
        s.a.document = AGENTCHAT_STR("");
    if (text.len > out->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the file has more than %llu bytes",
                        (unsigned long long)out->env->limits.max_bytes);
    s.a.arena = out->arena = aci_arena_new(env, 0);
    ok = s.a.arena != NULL || aci_raw_reader_nomem(&s.a);
    ok = ok && check_json(&s);
    s.a.is_lenient = ok && !is_native(&s);
    out->format = s.a.is_lenient ? AGENTCHAT_FORMAT_ADK : AGENTCHAT_FORMAT_AGENTCHAT;
    ok = ok && (s.a.is_lenient ? aci_adk_session_read(&s) : aci_native_session_read(&s)) && take_texts(&s);
    aci_index_clear(&s.ids, s.a.env);
    if (ok)
        return AGENTCHAT_OK;
    aci_session_data_clear(out);
    if (err != NULL && err->code == 0)
        *err = detail;
    return s.a.status;
}

agentchat_status aci_session_io_write(const aci_session_data *data, agentchat_format format, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err)
{
    switch ((int)format) {
    case AGENTCHAT_FORMAT_NONE:
    case AGENTCHAT_FORMAT_AGENTCHAT:
        return aci_native_session_write(data, sink, err);
    case AGENTCHAT_FORMAT_ADK:
        return aci_adk_session_write(data, sink, report, err);
    default:
        return aci_fail(err, AGENTCHAT_E_INVALID, "sessions are not written in the format %d", (int)format);
    }
}
