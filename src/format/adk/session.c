/* SPDX-License-Identifier: Apache-2.0 */
/* Session files of the ADKs (docs/formats/adk.md): `*.session.json` and the answers of their REST interfaces.
 */
#include "format/adk/session.h"

#include "base/error.h"
#include "event/time.h"
#include "format/adk/adk.h"
#include "format/adk/normal.h"
#include "format/adk/rust.h"
#include "format/adk/write.h"
#include "format/kit/buffer_sink.h"
#include "format/kit/layout.h"
#include "io/stream.h"
#include "state/state.h"
#include "json/walk.h"

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* A name or an id; an empty one is none. */
static bool read_label(aci_session_input *s, const aci_location *path, agentchat_str raw, const char *what,
                       agentchat_str *out)
{
    agentchat_str text;

    if (!aci_raw_reader_string(&s->a, path, raw, &text))
        return false;
    return text.len == 0 || aci_session_input_label(s, path, raw, what, out);
}

static bool read_member(aci_session_input *s, uint32_t index, const aci_table_value *value)
{
    const aci_location at = {NULL, value->name, 0};
    aci_session_data *data = s->data;

    if (!aci_table_has(value))
        return true;
    switch (index) {
    case ACI_ADK_SESSION_ID:
        return read_label(s, &at, value->raw, "session id", &data->id);
    case ACI_ADK_APP_NAME:
        return read_label(s, &at, value->raw, "application", &data->app);
    case ACI_ADK_USER_ID:
        return read_label(s, &at, value->raw, "user", &data->user);
    case ACI_ADK_STATE:
        return aci_session_input_state(s, &at, value->raw, false, &data->state);
    case ACI_ADK_EVENTS:
        return aci_session_input_events(s, &at, value->raw, &aci_adk_event_read, false);
    default:
        return aci_raw_time(&s->a, &at, value->raw, &data->time);
    }
}

static bool is_nothing(agentchat_str raw)
{
    aci_walk walk;

    if (*raw.ptr != '{' && *raw.ptr != '[')
        return *raw.ptr == 'n';
    aci_walk_begin(&walk, raw);
    return !aci_walk_next(&walk);
}

/* Reports what a native session has no field for. */
static bool report_others(aci_session_input *s, const aci_draft *others)
{
    for (size_t i = 0; i < others->extra_count; i++) {
        const aci_location at = {NULL, others->extras[i].name, 0};
        bool nothing = is_nothing(others->extras[i].value);

        if (!aci_raw_reader_note(&s->a, nothing ? AGENTCHAT_REPORT_NOTE : AGENTCHAT_REPORT_LOSS, &at,
                                 nothing ? "the unknown property was left out; there is nothing in it"
                                         : "the unknown property was left out: sessions have no such properties"))
            return false;
    }
    return true;
}

bool aci_adk_session_read(aci_session_input *s)
{
    aci_table_value values[ACI_TABLE_ROWS];
    bool ok, any = false;
    aci_draft others;

    s->a.is_lenient = true;
    s->a.tag = ACI_TAG(aci_adk_name);
    aci_draft_begin(&others);
    ok = aci_object_table_members(&s->a, NULL, s->raw, &aci_adk_session, values, &others);
    for (uint32_t i = 0; ok && i < aci_adk_session.count; i++)
        any = any || aci_table_has(&values[i]);
    if (ok && !any)
        ok = aci_raw_reader_fail(&s->a, NULL, s->raw, AGENTCHAT_E_SCHEMA,
                                 "this is no session: it has neither id, state nor events");
    ok = ok && report_others(s, &others);
    for (uint32_t i = 0; ok && i < aci_adk_session.count; i++)
        ok = read_member(s, i, &values[i]);
    aci_draft_clear(&others, s->a.env);
    return ok;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

typedef struct file_writer {
    const aci_session_data *data;
    agentchat_sink *sink;
    agentchat_report *report;
    agentchat_error *err;
    agentchat_status status;
    aci_buf line, laid_out; /* a piece of JSON, compact and as it is written */
    agentchat_sink *to_line;
    bool first;
    aci_adk_context context;
    bool is_rust;
} file_writer;

static void put(file_writer *f, const char *text, size_t len)
{
    if (f->status >= 0)
        f->status = aci_sink_write(f->sink, text, len, f->err);
}

/* What stands in f->line, indented. */
static void put_line(file_writer *f, uint32_t depth)
{
    f->laid_out.len = 0;
    if (f->status >= 0 && !aci_layout(aci_buf_str(&f->line), 2, depth, &f->laid_out))
        f->status = aci_fail_nomem(f->err);
    put(f, f->laid_out.ptr != NULL ? f->laid_out.ptr : "", f->laid_out.len);
    f->line.len = 0;
}

/* A member whose value follows; name: as it is written, with its colon and a space. */
static void put_name(file_writer *f, const char *name)
{
    put(f, f->first ? "{\n  " : ",\n  ", 4);
    put(f, name, strlen(name));
    f->first = false;
}

/* A member whose value the ADKs' writer puts into f->line, which end_piece() then writes. false after a failure. */
static bool begin_piece(file_writer *f, const char *name, aci_adk_writer *wr)
{
    put_name(f, name);
    if (f->status >= 0)
        f->status = aci_buffer_sink_new(f->data->env, &f->line, &f->to_line, f->err);
    if (f->status < 0)
        return false;
    f->status = aci_adk_writer_begin(wr, f->data->env, f->to_line, f->report, f->err);
    if (f->status < 0)
        agentchat_sink_free(f->to_line);
    return f->status >= 0;
}

static void end_piece(file_writer *f, aci_adk_writer *wr)
{
    f->status = aci_adk_writer_end(wr);
    agentchat_sink_free(f->to_line);
    put_line(f, 1);
}

static void put_label(file_writer *f, const char *name, agentchat_str text)
{
    aci_adk_writer wr;

    if (!begin_piece(f, name, &wr))
        return;
    aci_adk_write_text(&wr, NULL, text);
    end_piece(f, &wr);
}

static void put_state(file_writer *f)
{
    const aci_location state = {NULL, AGENTCHAT_STR("state"), 0};
    const aci_session_data *data = f->data;
    agentchat_str key, value;
    size_t at = 0;
    aci_adk_writer wr;

    if (!begin_piece(f, "\"state\": ", &wr))
        return;
    aci_writer_object_begin(&wr.out.w);
    while (data->state != NULL && aci_state_next(data->state, &at, &key, &value)) {
        const aci_location here = {&state, key, 0};

        if (aci_key_scope(key, NULL) == AGENTCHAT_SCOPE_TEMP)
            continue;
        aci_writer_key(&wr.out.w, key);
        aci_adk_write_json(&wr, &here, value);
    }
    aci_writer_object_end(&wr.out.w);
    end_piece(f, &wr);
}

/* When the session was last written to, else the time of its last event. */
static agentchat_str last_time(const aci_session_data *data)
{
    if (data->time.ptr != NULL || data->event_count == 0)
        return data->time;
    return data->events[data->event_count - 1]->fields[AGENTCHAT_EVENT_TIME];
}

/* ADK-Rust has whole seconds. */
static void put_time(file_writer *f)
{
    const aci_location at = {NULL, AGENTCHAT_STR("time"), 0};
    char number[ACI_ADK_TIME_SIZE];
    aci_adk_writer wr;

    if (!begin_piece(f, "\"lastUpdateTime\": ", &wr))
        return;
    /* No part of what a session means: docs/formats/digest.md. */
    if (!aci_adk_normal_time(last_time(f->data), number) && !f->is_rust)
        aci_out_report(&wr.out, AGENTCHAT_REPORT_NOTE, &at, "the time was written as %s seconds",
                       *number != '\0' ? number : "no");
    if (f->is_rust)
        number[strcspn(number, ".")] = '\0';
    aci_writer_raw(&wr.out.w, *number != '\0' ? agentchat_str_from(number) : AGENTCHAT_STR("null"));
    end_piece(f, &wr);
}

static void put_events(file_writer *f)
{
    const aci_session_data *data = f->data;
    char pointer[40];

    put_name(f, "\"events\": [");
    for (size_t i = 0; i < data->event_count && f->status >= 0; i++) {
        int len = snprintf(pointer, sizeof pointer, "/events/%zu", i);

        put(f, i == 0 ? "\n    " : ",\n    ", i == 0 ? 5 : 6);
        if (f->status >= 0)
            f->status = (f->is_rust ? aci_adk_rust_event_line : aci_adk_event_line)(
                data->events[i], (agentchat_str){pointer, (size_t)len}, &f->context, f->report, &f->line, f->err);
        put_line(f, 2);
    }
    put(f, data->event_count > 0 ? "\n  ]" : "]", data->event_count > 0 ? 4 : 1);
}

/* The keys that events change. false: out of memory. */
static bool changed_keys(const aci_session_data *data, aci_index *keys)
{
    for (size_t i = 0; i < data->event_count; i++)
        for (size_t k = 0; k < data->events[i]->change_count; k++)
            if (!aci_index_put(keys, aci_env(data->env), agentchat_str_from(data->events[i]->changes[k].key), i))
                return false;
    return true;
}

/* What a key was before the first event is lost, unless it still is that and no event says otherwise. */
static bool report_initial(const aci_session_data *data, agentchat_report *report)
{
    const aci_location initial = {NULL, AGENTCHAT_STR("initial"), 0};
    aci_index changed = {NULL, 0, 0};
    agentchat_str key, value;
    size_t at = 0;
    bool ok;

    if (report == NULL || data->initial == NULL)
        return true;
    ok = changed_keys(data, &changed);
    while (ok && aci_state_next(data->initial, &at, &key, &value)) {
        const aci_location here = {&initial, key, 0};

        if (aci_index_find(&changed, key) != ACI_INDEX_NONE ||
            !agentchat_str_equal(value, aci_state_find(data->state, key)))
            ok =
                aci_raw_reader_report(report, data->env, AGENTCHAT_REPORT_LOSS, (agentchat_str){NULL, 0}, &here,
                                      "what the key was before the first event was left out: there is no field for it");
    }
    aci_index_clear(&changed, aci_env(data->env));
    return ok;
}

static agentchat_status write_session(const aci_session_data *data, bool is_rust, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err)
{
    file_writer f = {.data = data, .sink = sink, .report = report, .err = err, .first = true, .is_rust = is_rust};

    aci_buf_init(&f.line, data->env, SIZE_MAX);
    aci_buf_init(&f.laid_out, data->env, SIZE_MAX);
    f.context = (aci_adk_context){.env = aci_env(data->env), .keep_times = data->keep_times};
    if (!report_initial(data, report))
        f.status = aci_fail_nomem(err);
    put_label(&f, "\"id\": ", data->id);
    put_label(&f, "\"appName\": ", data->app);
    put_label(&f, "\"userId\": ", data->user);
    put_state(&f);
    put_events(&f);
    if (last_time(data).ptr != NULL)
        put_time(&f);
    put(&f, "\n}\n", 3);
    aci_buf_clear(&f.line);
    aci_buf_clear(&f.laid_out);
    aci_adk_context_clear(&f.context);
    return f.status;
}

agentchat_status aci_adk_session_write(const aci_session_data *data, agentchat_sink *sink, agentchat_report *report,
                                       agentchat_error *err)
{
    return write_session(data, false, sink, report, err);
}

agentchat_status aci_adk_rust_session_write(const aci_session_data *data, agentchat_sink *sink,
                                            agentchat_report *report, agentchat_error *err)
{
    return write_session(data, true, sink, report, err);
}
