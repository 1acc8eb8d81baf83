/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a session's file: what the readers of both forms share. Layer 5. */
#include "event/session_data.h"

#include "base/error.h"
#include "event/session_file.h"
#include "state/state.h"

void aci_session_data_clear(aci_session_data *data)
{
    for (size_t i = 0; i < data->event_count; i++)
        agentchat_event_unref(data->events[i]);
    if (data->env != NULL) {
        aci_free(data->env, data->events, data->event_cap * sizeof *data->events);
        aci_free(data->env, data->indices, data->index_cap * sizeof *data->indices);
    }
    agentchat_state_free(data->state);
    agentchat_state_free(data->initial);
    aci_home_unref(data->home);
    memset(data, 0, sizeof *data);
}

/* ---- the form --------------------------------------------------------------------------------------------------- */

/* Our own form begins with its header. */
static bool is_own(const aci_session_input *s)
{
    aci_walk walk;

    if (*s->raw.ptr != '{')
        return false;
    aci_walk_begin(&walk, s->raw);
    return aci_walk_next(&walk) && agentchat_str_equal(walk.key, AGENTCHAT_STR("\"" ACI_SESSION_HEADER "\""));
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

bool aci_session_label(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, const char *what,
                       agentchat_str *out)
{
    agentchat_error detail;

    if (!aci_adk_string(&s->a, path, raw, out))
        return false;
    agentchat_error_clear(&detail);
    if (aci_label_check(*out, what, &detail) >= 0)
        return true;
    if (!s->a.is_lenient)
        return aci_adk_fail(&s->a, path, raw, AGENTCHAT_E_INVALID, "%s", detail.message);
    *out = (agentchat_str){NULL, 0};
    return aci_adk_note(&s->a, AGENTCHAT_REPORT_LOSS, path, "the name was left out: %s", detail.message);
}

/* Whether a value is no deeper than a map of state can hold: it stands in an object, as in agentchat_state_read(). */
static bool check_depth(aci_session_input *s, const aci_adk_path *path, agentchat_str value)
{
    uint32_t max = s->a.env->limits.max_depth;

    return value.len / 2 < max || aci_json_depth_of(value) < max || /* a level takes two bytes at least */
           aci_adk_fail(&s->a, path, value, AGENTCHAT_E_LIMIT, "nested deeper than %u levels", (unsigned)max);
}

/* Whether a key may be in the state. *skip: it may not, but the rest of the file is read. */
static bool check_key(aci_session_input *s, const aci_adk_path *path, const aci_walk *at, const agentchat_state *state,
                      bool *skip)
{
    agentchat_error detail;

    *skip = false;
    agentchat_error_clear(&detail);
    if (aci_key_check(path->name, &detail) < 0) {
        *skip = s->a.is_lenient;
        return *skip ? aci_adk_note(&s->a, AGENTCHAT_REPORT_LOSS, path, "the key was left out: %s", detail.message)
                     : aci_adk_fail(&s->a, path, at->key, AGENTCHAT_E_INVALID, "%s", detail.message);
    }
    if (aci_state_find(state, path->name).ptr == NULL)
        return true;
    return s->a.is_lenient
               ? aci_adk_note(&s->a, AGENTCHAT_REPORT_LOSS, path,
                              "the key stands twice in its object: the last one was taken")
               : aci_adk_fail(&s->a, path, at->key, AGENTCHAT_E_SCHEMA, "the key stands twice in its object");
}

bool aci_session_state(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, bool own_keys,
                       agentchat_state **out)
{
    bool skip;
    aci_walk walk;

    if (!aci_adk_kind(&s->a, path, raw, ACI_JSON_OBJECT, "an object"))
        return false;
    *out = agentchat_state_new(s->a.env);
    if (*out == NULL)
        return aci_adk_nomem(&s->a);
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk)) {
        aci_adk_path at = {path, {NULL, 0}, 0};
        agentchat_scope scope;

        if (!aci_adk_decode(&s->a, walk.key, &at.name))
            return false;
        if (!check_key(s, &at, &walk, *out, &skip))
            return false;
        if (skip)
            continue;
        scope = agentchat_key_scope(at.name, NULL);
        if (own_keys && scope != AGENTCHAT_SCOPE_SESSION)
            return aci_adk_fail(&s->a, &at, walk.key, AGENTCHAT_E_INVALID,
                                "a session's own key has no prefix of another scope");
        if (scope == AGENTCHAT_SCOPE_TEMP) {
            if (!aci_adk_note(&s->a, AGENTCHAT_REPORT_LOSS, &at, "the key was left out: temp: keys are not stored"))
                return false;
        } else if (!check_depth(s, &at, walk.value)) {
            return false;
        } else if (!aci_state_put(*out, at.name, walk.value)) {
            return aci_adk_nomem(&s->a);
        }
    }
    return true;
}

static bool grow(aci_session_data *data)
{
    void *events = data->events, *indices = data->indices;
    bool ok = aci_grow(data->env, &events, &data->event_cap, data->event_count, sizeof *data->events) &&
              aci_grow(data->env, &indices, &data->index_cap, data->event_count, sizeof *data->indices);

    data->events = events;
    data->indices = indices;
    return ok;
}

/* Takes an event over. */
static bool add_event(aci_session_input *s, agentchat_event *event, size_t index)
{
    aci_session_data *data = s->data;

    if (!grow(data)) {
        agentchat_event_unref(event);
        return aci_adk_nomem(&s->a);
    }
    data->indices[data->event_count] = index;
    data->events[data->event_count++] = event;
    return true;
}

/* Whether no event before has this one's id; where the ADKs allow it, the event gives it up. */
static bool check_id(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, agentchat_event *event,
                     size_t index)
{
    agentchat_str id = event->fields[AGENTCHAT_EVENT_ID];
    size_t before;

    if (id.ptr == NULL)
        return true;
    before = aci_index_find(&s->ids, id);
    if (before != ACI_INDEX_NONE && s->a.is_lenient) {
        event->fields[AGENTCHAT_EVENT_ID] = (agentchat_str){NULL, 0};
        return aci_adk_note(&s->a, AGENTCHAT_REPORT_REPAIR, path,
                            "the event gets another id: this one is that of event %zu", before);
    }
    if (before != ACI_INDEX_NONE)
        return aci_adk_fail(&s->a, path, raw, AGENTCHAT_E_SCHEMA, "the event has the id of event %zu", before);
    return aci_index_put(&s->ids, s->a.env, id, index) || aci_adk_nomem(&s->a);
}

/* Whether the places ascend; an event without one stands right behind the one before. */
static bool check_sequence(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, uint64_t sequence,
                           agentchat_event *event)
{
    s->has_places = s->has_places || sequence != 0;
    if (sequence == 0)
        sequence = s->last + 1;
    if (sequence <= s->last)
        return aci_adk_fail(&s->a, path, raw, AGENTCHAT_E_SCHEMA, "the places of events must ascend");
    s->last = sequence;
    event->sequence = sequence;
    return true;
}

static bool read_event(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, size_t index,
                       agentchat_format format)
{
    aci_event_place place = {{NULL, 0}, s->a.document, (uint64_t)(raw.ptr - s->a.document.ptr)};
    agentchat_event *event;
    uint64_t sequence = 0;
    agentchat_status status;
    aci_buf pointer;

    aci_buf_init(&pointer, s->a.env, SIZE_MAX);
    status = aci_adk_pointer(path, &pointer) ? AGENTCHAT_OK : aci_fail_nomem(s->a.err);
    place.path = aci_buf_str(&pointer);
    if (status >= 0)
        status = aci_event_read(s->a.env, raw, format, &place, s->a.report, &sequence, &event, s->a.err);
    aci_buf_clear(&pointer);
    if (status < 0) {
        s->a.status = status;
        return false;
    }
    if (aci_event_is_partial(event)) { /* before anything refers to it */
        agentchat_event_unref(event);
        return aci_adk_note(&s->a, AGENTCHAT_REPORT_LOSS, path, "the event was left out: it is partial");
    }
    if (!check_id(s, path, raw, event, index) ||
        (format == AGENTCHAT_FORMAT_AGENTCHAT && !check_sequence(s, path, raw, sequence, event))) {
        agentchat_event_unref(event);
        return false;
    }
    return add_event(s, event, index);
}

bool aci_session_events(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, agentchat_format format)
{
    aci_walk walk;
    bool ok = aci_adk_kind(&s->a, path, raw, ACI_JSON_ARRAY, "an array");

    aci_walk_begin(&walk, raw);
    for (size_t i = 0; ok && aci_walk_next(&walk); i++) {
        const aci_adk_path at = {path, {NULL, 0}, i};

        ok = read_event(s, &at, walk.value, i, format);
    }
    return ok;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

/* Checks the whole as JSON. Its events may be as deep as an event alone, inside the file and the list; each is checked
   by itself, and so is each value of the state. */
static bool check_json(aci_session_input *s)
{
    aci_json_options options = {.env = s->a.env, .max_depth = s->a.env->limits.max_depth + ACI_SESSION_LEVELS};
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

    s->data->app = aci_home_copy(s->a.home, s->data->app, &ok);
    s->data->user = aci_home_copy(s->a.home, s->data->user, &ok);
    s->data->id = aci_home_copy(s->a.home, s->data->id, &ok);
    s->data->time = aci_home_copy(s->a.home, s->data->time, &ok);
    return ok || aci_adk_nomem(&s->a);
}

agentchat_status aci_session_data_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
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
    s.a = (aci_adk_reader){.env = out->env, .document = text, .report = report, .err = &detail};
    if (text.ptr == NULL)
        s.a.document = AGENTCHAT_STR("");
    if (text.len > out->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the file has more than %llu bytes",
                        (unsigned long long)out->env->limits.max_bytes);
    s.a.home = out->home = aci_home_new(env, 0);
    ok = s.a.home != NULL || aci_adk_nomem(&s.a);
    ok = ok && check_json(&s);
    s.a.is_lenient = ok && !is_own(&s);
    ok = ok && (s.a.is_lenient ? aci_session_adk_read(&s) : aci_session_own_read(&s)) && take_texts(&s);
    aci_index_clear(&s.ids, s.a.env);
    if (ok)
        return AGENTCHAT_OK;
    aci_session_data_clear(out);
    if (err != NULL && err->code == 0)
        *err = detail;
    return s.a.status;
}
