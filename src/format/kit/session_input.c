/* SPDX-License-Identifier: Apache-2.0 */
/* Names, state and events of a session's file, checked by the rules that all formats share. */
#include "format/kit/session_input.h"

#include "base/error.h"
#include "state/state.h"
#include "json/walk.h"

bool aci_session_input_label(aci_session_input *s, const aci_location *path, agentchat_str raw, const char *what,
                             agentchat_str *out)
{
    agentchat_error detail;

    if (!aci_raw_reader_string(&s->a, path, raw, out))
        return false;
    agentchat_error_clear(&detail);
    if (aci_label_check(*out, what, &detail) >= 0)
        return true;
    if (!s->a.is_lenient)
        return aci_raw_reader_fail(&s->a, path, raw, AGENTCHAT_E_INVALID, "%s", detail.message);
    *out = (agentchat_str){NULL, 0};
    return aci_raw_reader_note(&s->a, AGENTCHAT_REPORT_LOSS, path, "the name was left out: %s", detail.message);
}

/* Whether a value is no deeper than a map of state can hold: it stands in an object, as in agentchat_state_read(). */
static bool check_depth(aci_session_input *s, const aci_location *path, agentchat_str value)
{
    uint32_t max = s->a.env->limits.max_depth;

    return value.len / 2 < max || aci_json_depth_of(value) < max || /* a level takes two bytes at least */
           aci_raw_reader_fail(&s->a, path, value, AGENTCHAT_E_LIMIT, "nested deeper than %u levels", (unsigned)max);
}

/* Whether a key may be in the state. *skip: it may not, but the rest of the file is read. */
static bool check_key(aci_session_input *s, const aci_location *path, const aci_walk *at, const agentchat_state *state,
                      bool *skip)
{
    agentchat_error detail;

    *skip = false;
    agentchat_error_clear(&detail);
    if (aci_key_check(path->name, &detail) < 0) {
        *skip = s->a.is_lenient;
        return *skip
                   ? aci_raw_reader_note(&s->a, AGENTCHAT_REPORT_LOSS, path, "the key was left out: %s", detail.message)
                   : aci_raw_reader_fail(&s->a, path, at->key, AGENTCHAT_E_INVALID, "%s", detail.message);
    }
    if (aci_state_find(state, path->name).ptr == NULL)
        return true;
    return s->a.is_lenient
               ? aci_raw_reader_note(&s->a, AGENTCHAT_REPORT_LOSS, path,
                                     "the key stands twice in its object: the last one was taken")
               : aci_raw_reader_fail(&s->a, path, at->key, AGENTCHAT_E_SCHEMA, "the key stands twice in its object");
}

bool aci_session_input_state(aci_session_input *s, const aci_location *path, agentchat_str raw, bool own_keys,
                             agentchat_state **out)
{
    bool skip;
    aci_walk walk;

    if (!aci_raw_reader_kind(&s->a, path, raw, ACI_JSON_OBJECT, "an object"))
        return false;
    *out = aci_state_new(s->a.env);
    if (*out == NULL)
        return aci_raw_reader_nomem(&s->a);
    aci_raw_reader_walk(&s->a, &walk, raw);
    while (aci_walk_next(&walk)) {
        aci_location at = {path, {NULL, 0}, 0};
        agentchat_scope scope;

        if (!aci_raw_reader_decode(&s->a, walk.key, &at.name))
            return false;
        if (!check_key(s, &at, &walk, *out, &skip))
            return false;
        if (skip)
            continue;
        scope = aci_key_scope(at.name, NULL);
        if (own_keys && scope != AGENTCHAT_SCOPE_SESSION)
            return aci_raw_reader_fail(&s->a, &at, walk.key, AGENTCHAT_E_INVALID,
                                       "a session's own key has no prefix of another scope");
        if (scope == AGENTCHAT_SCOPE_TEMP) {
            if (!aci_raw_reader_note(&s->a, AGENTCHAT_REPORT_LOSS, &at,
                                     "the key was left out: temp: keys are not stored"))
                return false;
        } else if (!check_depth(s, &at, walk.value)) {
            return false;
        } else if (!aci_state_put(*out, at.name, walk.value)) {
            return aci_raw_reader_nomem(&s->a);
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

/* Takes ownership of an event. */
static bool add_event(aci_session_input *s, agentchat_event *event, size_t index)
{
    aci_session_data *data = s->data;

    if (!grow(data)) {
        agentchat_event_unref(event);
        return aci_raw_reader_nomem(&s->a);
    }
    data->indices[data->event_count] = index;
    data->events[data->event_count++] = event;
    return true;
}

/* Whether no event before has this one's id; where the ADKs allow it, the event gives it up. */
static bool check_id(aci_session_input *s, const aci_location *path, agentchat_str raw, agentchat_event *event,
                     size_t index)
{
    agentchat_str id = event->fields[AGENTCHAT_EVENT_ID];
    size_t before;

    if (id.ptr == NULL)
        return true;
    before = aci_index_find(&s->ids, id);
    if (before != ACI_INDEX_NONE && s->a.is_lenient) {
        event->fields[AGENTCHAT_EVENT_ID] = (agentchat_str){NULL, 0};
        return aci_raw_reader_note(&s->a, AGENTCHAT_REPORT_REPAIR, path,
                                   "the event gets another id: this one is that of event %zu", before);
    }
    if (before != ACI_INDEX_NONE)
        return aci_raw_reader_fail(&s->a, path, raw, AGENTCHAT_E_SCHEMA, "the event has the id of event %zu", before);
    return aci_index_put(&s->ids, s->a.env, id, index) || aci_raw_reader_nomem(&s->a);
}

/* Whether the sequence numbers ascend; an event without one gets the number after that of the event before it. */
static bool check_sequence(aci_session_input *s, const aci_location *path, agentchat_str raw, uint64_t sequence,
                           agentchat_event *event)
{
    s->has_sequences = s->has_sequences || sequence != 0;
    if (sequence == 0)
        sequence = s->last + 1;
    if (sequence <= s->last)
        return aci_raw_reader_fail(&s->a, path, raw, AGENTCHAT_E_SCHEMA, "the sequence numbers of events must ascend");
    s->last = sequence;
    event->sequence = sequence;
    return true;
}

static bool read_event(aci_session_input *s, const aci_location *path, agentchat_str raw, size_t index,
                       aci_event_reader *read, bool numbered)
{
    aci_event_location location = {
        {NULL, 0}, s->a.document, (uint64_t)(raw.ptr - s->a.document.ptr), &s->index, &s->event_index};
    agentchat_event *event;
    uint64_t sequence = 0;
    agentchat_status status;
    aci_buf pointer;

    aci_buf_init(&pointer, s->a.env, SIZE_MAX);
    status = aci_raw_reader_pointer(path, &pointer) ? AGENTCHAT_OK : aci_fail_nomem(s->a.err);
    location.path = aci_buf_str(&pointer);
    if (status >= 0)
        status = read(s->a.env, raw, &location, s->a.report, &sequence, &event, s->a.err);
    aci_buf_clear(&pointer);
    if (status < 0) {
        s->a.status = status;
        return false;
    }
    if (aci_event_is_partial(event)) { /* before anything refers to it */
        agentchat_event_unref(event);
        return aci_raw_reader_note(&s->a, AGENTCHAT_REPORT_LOSS, path, "the event was left out: it is partial");
    }
    if (!check_id(s, path, raw, event, index) || (numbered && !check_sequence(s, path, raw, sequence, event))) {
        agentchat_event_unref(event);
        return false;
    }
    return add_event(s, event, index);
}

bool aci_session_input_events(aci_session_input *s, const aci_location *path, agentchat_str raw, aci_event_reader *read,
                              bool numbered)
{
    aci_walk walk;
    bool ok = aci_raw_reader_kind(&s->a, path, raw, ACI_JSON_ARRAY, "an array");

    aci_raw_reader_walk(&s->a, &walk, raw);
    for (size_t i = 0; ok && aci_walk_next(&walk); i++) {
        const aci_location at = {path, {NULL, 0}, i};

        ok = read_event(s, &at, walk.value, i, read, numbered);
    }
    return ok;
}
