/* SPDX-License-Identifier: Apache-2.0 */
/* Reading events in the ADK format (docs/formats/adk.md). */
#include "format/adk/adk.h"

#include "base/error.h"
#include "event/draft.h"
#include "event/values.h"
#include "format/adk/compaction.h"
#include "format/adk/read.h"
#include "format/adk/scalars.h"
#include "format/native/event.h"
#include "format/native/message_json.h"
#include "state/state.h"
#include "json/walk.h"

typedef struct event_reader {
    aci_raw_reader a;
    aci_event_draft d;
    bool is_rust; /* times are RFC 3339: ADK-Rust wrote it, whose events always have certain members */
} event_reader;

/* A flag that is not set, or a list with nothing in it, where ADK-Rust always writes one: it is none. */
static void drop_default(const event_reader *e, aci_table_value *value)
{
    if (e->is_rust && value->raw.ptr != NULL &&
        (*value->raw.ptr == 'f' || agentchat_str_equal(value->raw, AGENTCHAT_STR("[]"))))
        value->raw = (agentchat_str){NULL, 0};
}

/* ---- fields ----------------------------------------------------------------------------------------------------- */

/* A field that holds text. Where they write an empty text for none, it is none. */
static bool read_text(event_reader *e, const aci_location *path, agentchat_str raw, agentchat_event_field field)
{
    agentchat_str *out = &e->d.fields[field];
    agentchat_error detail;

    if (!aci_raw_reader_string(&e->a, path, raw, out))
        return false;
    if (out->len == 0 && field != AGENTCHAT_EVENT_AUTHOR) {
        *out = (agentchat_str){NULL, 0};
        return field != AGENTCHAT_EVENT_TRANSFER ||
               aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_NOTE, path, "the empty name was read as none");
    }
    agentchat_error_clear(&detail);
    if (aci_event_check_text(field, *out, &detail) >= 0)
        return true;
    if (field != AGENTCHAT_EVENT_ID && field != AGENTCHAT_EVENT_INVOCATION)
        return aci_raw_reader_fail(&e->a, path, raw, AGENTCHAT_E_SCHEMA, "%s", detail.message);
    *out = (agentchat_str){NULL, 0};
    return aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_LOSS, path, "the id was left out: %s", detail.message);
}

/* A field that holds JSON, as it is spelled. */
static bool read_json(event_reader *e, const aci_location *path, agentchat_str raw, agentchat_event_field field)
{
    const char *wanted = aci_event_wants(field, raw);
    bool is_flag = field != AGENTCHAT_EVENT_LONG_RUNNING && field != AGENTCHAT_EVENT_ARTIFACTS, value;

    if (field == AGENTCHAT_EVENT_ARTIFACTS && aci_walk_is_empty_object(raw))
        return true; /* they always write one */
    e->d.fields[field] = raw;
    if (wanted != NULL && is_flag && aci_adk_boolean(raw, &value)) {
        e->d.fields[field] = value ? AGENTCHAT_STR("true") : AGENTCHAT_STR("false");
        return aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_NOTE, path, "the value was read as %s",
                                   value ? "true" : "false");
    }
    return wanted == NULL || aci_raw_reader_fail(&e->a, path, raw, AGENTCHAT_E_SCHEMA, "expected %s", wanted);
}

/* ---- compaction ------------------------------------------------------------------------------------------------- */

static bool add_time(event_reader *e, aci_buf *out, const aci_location *path, const char *name,
                     const aci_table_value *value)
{
    const aci_location at = {path, value->name, 0};
    agentchat_str time;

    if (!aci_raw_time(&e->a, &at, value->raw, &time))
        return false;
    return time.ptr == NULL ||
           (aci_buf_printf(out, "%c\"%s\":", out->len == 0 ? '{' : ',', name) &&
            aci_json_canonical_string(time, out)) ||
           aci_raw_reader_nomem(&e->a);
}

static bool add_content(event_reader *e, aci_buf *out, const aci_location *path, const aci_table_value *value)
{
    const aci_location at = {path, value->name, 0};
    const agentchat_message *message = aci_adk_content_read(&e->a, &at, value->raw);

    if (message == NULL)
        return false;
    return (aci_buf_printf(out, "%c\"content\":", out->len == 0 ? '{' : ',') &&
            aci_message_json_write(e->a.env, message, out, NULL) >= 0) ||
           aci_raw_reader_nomem(&e->a);
}

/* Members that no ADK is known to have, under their names. */
static bool add_others(event_reader *e, aci_buf *out, const aci_location *path, const aci_draft *others)
{
    for (size_t i = 0; i < others->extra_count; i++) {
        const agentchat_extra *other = &others->extras[i];
        const aci_location at = {path, other->name, 0};

        if (aci_adk_compaction_has(other->name)) {
            if (!aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_LOSS, &at,
                                     "the unknown property was left out: the name stands for something else here"))
                return false;
            continue;
        }
        if (!aci_buf_add(out, ",", 1) || !aci_json_canonical_string(other->name, out) || !aci_buf_add(out, ":", 1) ||
            !aci_buf_add_str(out, other->value))
            return aci_raw_reader_nomem(&e->a);
    }
    return true;
}

/* Whether the values have the kinds that they should have; anything else is kept as it stands. */
static bool is_compaction(const aci_table_value *values)
{
    aci_json_kind start = aci_json_kind_of(values[ACI_ADK_START].raw), end = aci_json_kind_of(values[ACI_ADK_END].raw);
    aci_json_kind content = aci_json_kind_of(values[ACI_ADK_COMPACTED].raw);

    return (start == ACI_JSON_NUMBER || start == ACI_JSON_STRING) &&
           (end == ACI_JSON_NUMBER || end == ACI_JSON_STRING) && content == ACI_JSON_OBJECT;
}

/* A summary of earlier events, in the native format: {"start":TIME,"end":TIME,"content":MESSAGE,…}. */
static bool read_compaction(event_reader *e, const aci_location *path, agentchat_str raw)
{
    aci_table_value values[ACI_TABLE_ROWS];
    agentchat_extra extra = {AGENTCHAT_STR("compaction"), raw, ACI_TAG(aci_adk_name)};
    aci_draft others;
    aci_buf text;
    bool ok = true;

    aci_draft_begin(&others);
    aci_buf_init(&text, e->a.env, SIZE_MAX);
    if (aci_json_kind_of(raw) == ACI_JSON_OBJECT)
        ok = aci_object_table_members(&e->a, path, raw, &aci_adk_compaction, values, &others);
    else
        memset(values, 0, sizeof values);
    if (ok && is_compaction(values)) {
        ok = add_time(e, &text, path, "start", &values[ACI_ADK_START]) &&
             add_time(e, &text, path, "end", &values[ACI_ADK_END]) &&
             add_content(e, &text, path, &values[ACI_ADK_COMPACTED]) && add_others(e, &text, path, &others);
        ok = ok && (aci_buf_add(&text, "}", 1) || aci_raw_reader_nomem(&e->a));
        if (ok)
            e->d.fields[AGENTCHAT_EVENT_COMPACTION] = aci_arena_copy(e->a.arena, aci_buf_str(&text), &ok);
        ok = ok || aci_raw_reader_nomem(&e->a);
    } else if (ok) {
        ok = aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_NOTE, path, "the compaction is kept as it stands") &&
             (aci_draft_add_extra(&e->d.action_extras, e->a.env, extra) || aci_raw_reader_nomem(&e->a));
    }
    aci_buf_clear(&text);
    aci_draft_clear(&others, e->a.env);
    return ok;
}

/* A row that names a field of the event. */
static bool read_field(event_reader *e, const aci_location *path, const aci_object_table *table, uint32_t row,
                       const aci_table_value *value)
{
    agentchat_event_field field = (agentchat_event_field)table->list[row].field;
    const aci_location at = {path, value->name, 0};

    if (field == 0 || !aci_table_has(value))
        return true;
    if (field == AGENTCHAT_EVENT_TIME)
        return aci_raw_time(&e->a, &at, value->raw, &e->d.fields[field]);
    if (field == AGENTCHAT_EVENT_COMPACTION)
        return read_compaction(e, &at, value->raw);
    return (aci_event_field_is_json(field) ? read_json : read_text)(e, &at, value->raw, field);
}

/* ---- actions ---------------------------------------------------------------------------------------------------- */

static bool read_delta(event_reader *e, const aci_location *path, agentchat_str raw)
{
    agentchat_change change = {AGENTCHAT_CHANGE_SET, NULL, {NULL, 0}, 0};
    agentchat_str key;
    agentchat_error detail;
    aci_walk walk;

    if (!aci_raw_reader_kind(&e->a, path, raw, ACI_JSON_OBJECT, "an object"))
        return false;
    aci_raw_reader_walk(&e->a, &walk, raw);
    while (aci_walk_next(&walk)) {
        aci_location at = {path, {NULL, 0}, 0};

        if (!aci_raw_reader_decode(&e->a, walk.key, &key))
            return false;
        at.name = key;
        change.value = walk.value;
        agentchat_error_clear(&detail);
        if (aci_key_check(key, &detail) < 0) {
            if (!aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_LOSS, &at, "the key was left out: %s", detail.message))
                return false;
            continue;
        }
        if (aci_event_draft_has(&e->d, key) &&
            !aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_LOSS, &at,
                                 "the event changes the key twice: the last one was taken"))
            return false;
        if (!aci_event_draft_change(&e->d, key, change))
            return aci_raw_reader_nomem(&e->a);
    }
    return true;
}

/* A null where adk-python wants an object: it would refuse the event. */
static bool note_null(event_reader *e, const aci_location *path, const aci_table_value *value)
{
    const aci_location at = {path, value->name, 0};

    return value->raw.ptr == NULL || aci_table_has(value) ||
           aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_NOTE, &at, "null was read as an empty object");
}

static bool read_actions(event_reader *e, const aci_location *path, agentchat_str raw)
{
    aci_table_value values[ACI_TABLE_ROWS];
    bool ok = aci_object_table_members(&e->a, path, raw, &aci_adk_actions, values, &e->d.action_extras) &&
              note_null(e, path, &values[ACI_ADK_STATE_DELTA]) && note_null(e, path, &values[ACI_ADK_ARTIFACT_DELTA]);

    drop_default(e, &values[ACI_ADK_ESCALATE]);
    drop_default(e, &values[ACI_ADK_SKIP_SUMMARIZATION]);
    if (ok && aci_table_has(&values[ACI_ADK_STATE_DELTA]))
        ok = read_delta(e, &(aci_location){path, values[ACI_ADK_STATE_DELTA].name, 0}, values[ACI_ADK_STATE_DELTA].raw);
    for (uint32_t i = 0; ok && i < ACI_ADK_ACTIONS_KEPT; i++)
        ok = read_field(e, path, &aci_adk_actions, i, &values[i]);
    for (uint32_t i = ACI_ADK_AUTH_CONFIGS; ok && i <= ACI_ADK_TOOL_CONFIRMATIONS; i++)
        if (values[i].raw.ptr != NULL && aci_walk_is_empty_object(values[i].raw))
            values[i].raw = (agentchat_str){NULL, 0};
    return ok && aci_object_table_keep(&e->a, &aci_adk_actions, values, ACI_ADK_ACTIONS_KEPT, &e->d.action_extras);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static bool read_member(event_reader *e, uint32_t row, const aci_table_value *value)
{
    const aci_location at = {NULL, value->name, 0};

    if (!aci_table_has(value))
        return true;
    if (row == ACI_ADK_ACTIONS)
        return read_actions(e, &at, value->raw);
    if (row != ACI_ADK_CONTENT)
        return read_field(e, NULL, &aci_adk_event, row, value);
    e->d.content = aci_adk_content_read(&e->a, &at, value->raw);
    return e->d.content != NULL;
}

/* An empty branch is none. ADK-Rust always writes one. */
static bool note_branch(event_reader *e, const aci_table_value *branch)
{
    const aci_location at = {NULL, branch->name, 0};

    return !agentchat_str_equal(branch->raw, AGENTCHAT_STR("\"\"")) || e->is_rust ||
           aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_NOTE, &at, "the empty branch was read as none");
}

static bool read_event(event_reader *e, agentchat_str raw)
{
    aci_table_value values[ACI_TABLE_ROWS];
    bool ok = aci_object_table_members(&e->a, NULL, raw, &aci_adk_event, values, &e->d.extras) &&
              note_null(e, NULL, &values[ACI_ADK_ACTIONS]);

    e->is_rust = ok && aci_table_has(&values[ACI_ADK_TIMESTAMP]) && *values[ACI_ADK_TIMESTAMP].raw.ptr == '"' &&
                 memchr(values[ACI_ADK_TIMESTAMP].raw.ptr, ':', values[ACI_ADK_TIMESTAMP].raw.len) != NULL;
    drop_default(e, &values[ACI_ADK_PARTIAL]);
    drop_default(e, &values[ACI_ADK_LONG_RUNNING]);
    drop_default(e, &values[ACI_ADK_TURN_COMPLETE]);
    drop_default(e, &values[ACI_ADK_INTERRUPTED]);
    for (uint32_t i = 0; ok && i < ACI_ADK_EVENT_KEPT; i++)
        ok = read_member(e, i, &values[i]);
    ok = ok && note_branch(e, &values[ACI_ADK_BRANCH]) &&
         aci_object_table_keep(&e->a, &aci_adk_event, values, ACI_ADK_EVENT_KEPT, &e->d.extras);
    if (ok && e->d.fields[AGENTCHAT_EVENT_AUTHOR].ptr == NULL) {
        e->d.fields[AGENTCHAT_EVENT_AUTHOR] = AGENTCHAT_STR("");
        ok = aci_raw_reader_note(&e->a, AGENTCHAT_REPORT_NOTE, NULL, "the event names no author: its author is empty");
    }
    return ok;
}

/* The index of the text: a part of the document's, or made. */
static bool make_index(aci_event_input *input, const aci_event_location *location, aci_json_index *index)
{
    uint32_t node;

    if (location->index == NULL)
        return aci_json_index_read(index, &input->r) && aci_json_end(&input->r);
    return (aci_json_index_at(location->index, location->document.ptr + location->offset, &node) &&
            aci_json_index_part(index, location->index, node, input->in.data)) ||
           aci_json_fail(&input->r, AGENTCHAT_E_NOMEM, "out of memory");
}

agentchat_status aci_adk_event_read(const agentchat_env *env, agentchat_str text, const aci_event_location *location,
                                    agentchat_report *report, uint64_t *sequence, agentchat_event **out,
                                    agentchat_error *err)
{
    aci_event_input input;
    aci_json_index own, *index;
    event_reader e;
    agentchat_status status = aci_event_input_begin(&input, env, text, location, report, 0, ACI_ADK_MORE_LEVELS, err);

    *out = NULL;
    if (sequence != NULL)
        *sequence = 0;
    if (status < 0)
        return status;
    aci_json_index_init(&own, input.in.env);
    index = location->part != NULL ? location->part : &own;
    memset(&e, 0, sizeof e);
    aci_event_draft_begin(&e.d, env, input.in.arena);
    e.a = (aci_raw_reader){.env = input.in.env,
                           .arena = input.in.arena,
                           .document = {input.in.data, text.len},
                           .index = index,
                           .prefix = location->path,
                           .tag = ACI_TAG(aci_adk_name),
                           .report = report,
                           .err = &input.detail,
                           .is_lenient = true};
    if (make_index(&input, location, index) && !read_event(&e, aci_json_index_raw(index, 0)))
        input.r.status = e.a.status;
    aci_json_index_clear(&own);
    status = aci_event_input_end(&input, location, err);
    if (status >= 0)
        status = aci_event_input_finish(&e.d, location, out, err);
    aci_event_draft_clear(&e.d);
    return status;
}
