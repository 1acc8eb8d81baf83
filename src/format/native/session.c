/* SPDX-License-Identifier: Apache-2.0 */
/* Session files in the native format (docs/formats/session.md). One event a line, so that files can be compared. */
#include "format/native/session.h"

#include "base/error.h"
#include "format/kit/layout.h"
#include "format/kit/object_table.h"
#include "format/native/event.h"
#include "io/stream.h"
#include "state/state.h"
#include "json/value.h"

/* ---- reading ---------------------------------------------------------------------------------------------------- */

enum { HEADER, APP, USER, ID, TIME, SEQUENCE, STATE, INITIAL, EVENTS };

#define NAME(name)                                                                                                     \
    {                                                                                                                  \
        .camel = (name), .is_google = true                                                                             \
    }
#define TABLE(list)                                                                                                    \
    {                                                                                                                  \
        (list), (uint32_t)(sizeof(list) / sizeof(list)[0]), 0, 0, false                                                \
    }

static const aci_table_row names[] = {
    NAME(ACI_SESSION_HEADER), NAME("app"),   NAME("user"),    NAME("id"),     NAME("time"),
    NAME("sequence"),         NAME("state"), NAME("initial"), NAME("events"),
};
static const aci_object_table table = TABLE(names);

static bool read_integer(aci_session_input *s, const aci_location *path, agentchat_str raw, uint64_t *out)
{
    int64_t value;

    if (*raw.ptr < '0' || *raw.ptr > '9' || !aci_json_integer(raw, &value) || (uint64_t)value > ACI_HIGHEST_INTEGER)
        return aci_raw_reader_fail(&s->a, path, raw, AGENTCHAT_E_SCHEMA,
                                   "expected an integer from 0 to 9007199254740991");
    *out = (uint64_t)value;
    return true;
}

/* Reports which properties of an object are not known. path: of the object. */
static bool report_others(aci_session_input *s, const aci_location *path, const aci_draft *others)
{
    for (size_t i = 0; i < others->extra_count; i++) {
        const aci_location at = {path, others->extras[i].name, 0};

        if (!aci_raw_reader_note(&s->a, AGENTCHAT_REPORT_LOSS, &at,
                                 "the unknown property was left out: sessions have no such properties"))
            return false;
    }
    return true;
}

/* The header: what a version above ours must say to be refused is the oldest one whose readers understand it. */
static bool read_header(aci_session_input *s, const aci_location *path, agentchat_str raw)
{
    static const aci_table_row header[] = {NAME("format"), NAME("reader")};
    static const aci_object_table header_table = TABLE(header);
    aci_table_value values[ACI_TABLE_ROWS];
    uint64_t version[2] = {0, 1};
    aci_draft others;
    bool ok;

    aci_draft_begin(&others);
    ok = aci_object_table_members(&s->a, path, raw, &header_table, values, &others);
    for (int i = 0; ok && i < 2; i++) {
        const aci_location at = {path, values[i].name, 0};

        if (values[i].raw.ptr != NULL)
            ok = read_integer(s, &at, values[i].raw, &version[i]);
    }
    if (ok && (version[0] == 0 || version[1] == 0 || version[1] > version[0]))
        ok = aci_raw_reader_fail(&s->a, path, raw, AGENTCHAT_E_SCHEMA,
                                 "the header needs a \"format\" above 0, and no \"reader\" above that");
    if (ok && version[1] > ACI_SESSION_VERSION)
        ok = aci_raw_reader_fail(&s->a, path, raw, AGENTCHAT_E_VERSION,
                                 "the file can be read from version %llu of its format on; this is version %u",
                                 (unsigned long long)version[1], ACI_SESSION_VERSION);
    ok = ok && report_others(s, path, &others);
    aci_draft_clear(&others, s->a.env);
    return ok;
}

static bool read_time(aci_session_input *s, const aci_location *path, agentchat_str raw)
{
    return aci_raw_reader_kind(&s->a, path, raw, ACI_JSON_STRING, "a string") &&
           aci_raw_time(&s->a, path, raw, &s->data->time);
}

static bool read_member(aci_session_input *s, int index, const aci_table_value *value)
{
    const aci_location at = {NULL, value->name, 0};
    aci_session_data *data = s->data;

    if (value->raw.ptr == NULL)
        return true;
    switch (index) {
    case HEADER:
        return read_header(s, &at, value->raw);
    case APP:
        return aci_session_input_label(s, &at, value->raw, "application", &data->app);
    case USER:
        return aci_session_input_label(s, &at, value->raw, "user", &data->user);
    case ID:
        return aci_session_input_label(s, &at, value->raw, "session id", &data->id);
    case TIME:
        return read_time(s, &at, value->raw);
    case SEQUENCE:
        return read_integer(s, &at, value->raw, &data->sequence);
    case STATE:
        return aci_session_input_state(s, &at, value->raw, false, &data->state);
    case INITIAL:
        return aci_session_input_state(s, &at, value->raw, true, &data->initial);
    default:
        return aci_session_input_events(s, &at, value->raw, &aci_native_event_read, true);
    }
}

static bool finish(aci_session_input *s, const aci_table_value *values, const aci_draft *others)
{
    const aci_location sequence = {NULL, AGENTCHAT_STR("sequence"), 0};

    if (!report_others(s, NULL, others))
        return false;
    if (values[SEQUENCE].raw.ptr == NULL && !s->has_sequences) { /* a file without sequence numbers */
        for (size_t i = 0; i < s->data->event_count; i++)
            s->data->events[i]->sequence = 0;
        return true;
    }
    if (values[SEQUENCE].raw.ptr == NULL)
        s->data->sequence = s->last;
    return s->data->sequence >= s->last ||
           aci_raw_reader_fail(&s->a, &sequence, values[SEQUENCE].raw, AGENTCHAT_E_SCHEMA,
                               "the sequence number is less than that of the last event");
}

bool aci_native_session_read(aci_session_input *s)
{
    static const int required[] = {STATE, EVENTS};
    aci_table_value values[ACI_TABLE_ROWS];
    aci_draft others;
    bool ok;

    aci_draft_begin(&others);
    ok = aci_object_table_members(&s->a, NULL, s->raw, &table, values, &others);
    for (int i = 0; ok && i <= EVENTS; i++)
        ok = read_member(s, i, &values[i]);
    for (size_t i = 0; ok && i < sizeof required / sizeof *required; i++)
        if (values[required[i]].raw.ptr == NULL)
            ok = aci_raw_reader_fail(&s->a, NULL, s->raw, AGENTCHAT_E_SCHEMA, "a session needs \"%s\"",
                                     names[required[i]].camel);
    ok = ok && finish(s, values, &others);
    aci_draft_clear(&others, s->a.env);
    return ok;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

typedef struct file_writer {
    const aci_session_data *data;
    agentchat_sink *sink;
    agentchat_error *err;
    agentchat_status status;
    aci_buf text;
} file_writer;

static void put(file_writer *f)
{
    if (f->status >= 0 && f->text.len > 0)
        f->status = aci_sink_write(f->sink, f->text.ptr, f->text.len, f->err);
    f->text.len = 0;
}

static void add(file_writer *f, const char *text)
{
    if (f->status >= 0 && !aci_buf_add(&f->text, text, strlen(text)))
        f->status = aci_fail_nomem(f->err);
}

static void add_text(file_writer *f, const char *name, agentchat_str text)
{
    if (text.ptr == NULL)
        return;
    add(f, name);
    if (f->status >= 0 && !aci_json_canonical_string(text, &f->text))
        f->status = aci_fail_nomem(f->err);
}

static void add_state(file_writer *f, const char *name, const agentchat_state *state)
{
    agentchat_str key, value;
    size_t at = 0, before, count = 0;
    bool ok = true;

    add(f, name);
    before = f->text.len;
    add(f, "{");
    while (state != NULL && f->status >= 0 && ok && aci_state_next(state, &at, &key, &value)) {
        if (aci_key_scope(key, NULL) == AGENTCHAT_SCOPE_TEMP)
            continue;
        ok = (count++ == 0 || aci_buf_add(&f->text, ",", 1)) && aci_json_canonical_string(key, &f->text) &&
             aci_buf_add(&f->text, ":", 1) && aci_buf_add_str(&f->text, value);
    }
    add(f, "}");
    if (f->status >= 0 && (!ok || !aci_layout_one_line(&f->text, before)))
        f->status = aci_fail_nomem(f->err);
}

static void add_events(file_writer *f)
{
    for (size_t i = 0; i < f->data->event_count && f->status >= 0; i++) {
        const agentchat_event *event = f->data->events[i];

        add(f, i == 0 ? "\n" : ",\n");
        if (f->status >= 0)
            f->status = aci_native_event_line(event, event->sequence, &f->text, f->err);
        put(f);
    }
    add(f, f->data->event_count > 0 ? "\n]" : "]");
}

agentchat_status aci_native_session_write(const aci_session_data *data, agentchat_sink *sink, agentchat_error *err)
{
    file_writer f = {.data = data, .sink = sink, .err = err};
    char digits[24];

    aci_buf_init(&f.text, data->env, SIZE_MAX);
    add(&f, "{\"" ACI_SESSION_HEADER "\":{\"format\":1}");
    add_text(&f, ",\n\"app\":", data->app);
    add_text(&f, ",\n\"user\":", data->user);
    add_text(&f, ",\n\"id\":", data->id);
    add_text(&f, ",\n\"time\":", data->time);
    if (data->sequence > 0) {
        (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)data->sequence);
        add(&f, ",\n\"sequence\":");
        add(&f, digits);
    }
    add_state(&f, ",\n\"state\":", data->state);
    if (data->initial != NULL)
        add_state(&f, ",\n\"initial\":", data->initial);
    add(&f, ",\n\"events\":[");
    put(&f);
    add_events(&f);
    add(&f, "}\n");
    put(&f);
    aci_buf_clear(&f.text);
    return f.status;
}
