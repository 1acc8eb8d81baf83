/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the native format of events (docs/formats/session.md). The text is copied into the event's arena once and
 * decoded there in place, so that every text of the event is a view into that copy.
 */
#include "format/native/event.h"

#include "base/error.h"
#include "event/values.h"
#include "json/value.h"

typedef struct native_reader {
    aci_event_input input;
    aci_event_draft d;
    uint64_t sequence;
} native_reader;

/* ---- changes ---------------------------------------------------------------------------------------------------- */

static bool keep_change(native_reader *o, aci_json_reader *r, agentchat_str key, agentchat_change change)
{
    return aci_event_draft_change(&o->d, key, change) || aci_native_nomem(r);
}

static bool read_sets(native_reader *o, aci_json_reader *r)
{
    agentchat_change change = {AGENTCHAT_CHANGE_SET, NULL, {NULL, 0}, 0};
    agentchat_str key;

    if (!aci_json_object(r))
        return false;
    while (aci_json_member(r, &key))
        if (!aci_event_input_key(r, &o->d, key) || !aci_json_raw(r, &change.value) || !keep_change(o, r, key, change))
            return false;
    return !aci_json_failed(r);
}

static bool read_deletes(native_reader *o, aci_json_reader *r)
{
    agentchat_change change = {AGENTCHAT_CHANGE_DELETE, NULL, {NULL, 0}, 0};
    agentchat_str key;

    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!aci_json_string(r, &key) || !aci_event_input_key(r, &o->d, key) || !keep_change(o, r, key, change))
            return false;
    return !aci_json_failed(r);
}

static bool read_adds(native_reader *o, aci_json_reader *r)
{
    agentchat_change change = {AGENTCHAT_CHANGE_ADD, NULL, {NULL, 0}, 0};
    agentchat_str key, number;

    if (!aci_json_object(r))
        return false;
    while (aci_json_member(r, &key)) {
        if (!aci_event_input_key(r, &o->d, key) || !aci_json_raw(r, &number))
            return false;
        if (!aci_json_integer(number, &change.amount))
            return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "what is added must be a 64-bit integer");
        if (!keep_change(o, r, key, change))
            return false;
    }
    return !aci_json_failed(r);
}

/* ---- properties ------------------------------------------------------------------------------------------------- */

/* A field of the event: text, or an open-ended value of the right kind. */
static bool read_field(native_reader *o, aci_json_reader *r, agentchat_event_field field)
{
    agentchat_str *out = &o->d.fields[field];
    const char *wanted;

    if (!aci_event_field_is_json(field))
        return aci_event_input_text(r, field, out);
    if (!aci_json_raw(r, out))
        return false;
    wanted = aci_event_wants(field, *out);
    if (wanted != NULL)
        (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "expected %s", wanted);
    return wanted == NULL;
}

static bool read_actions(native_reader *o, aci_json_reader *r)
{
    aci_native_members members = {.known = &aci_native_actions, .draft = &o->d.action_extras};
    bool done = aci_json_object(r);
    uint8_t what;

    while (done && aci_native_next(&o->input.f, r, &members, &what))
        done = what == ACI_NATIVE_SETS      ? read_sets(o, r)
               : what == ACI_NATIVE_DELETES ? read_deletes(o, r)
               : what == ACI_NATIVE_ADDS    ? read_adds(o, r)
                                            : read_field(o, r, (agentchat_event_field)what);
    return !aci_json_failed(r);
}

static bool read_sequence(native_reader *o, aci_json_reader *r)
{
    if (!aci_json_u64(r, &o->sequence))
        return false;
    if (o->sequence > 0 && o->sequence <= ACI_HIGHEST_INTEGER)
        return true;
    return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "a sequence number is from 1 to 9007199254740991");
}

static bool read_content(native_reader *o, aci_json_reader *r)
{
    o->d.content = aci_native_read_message(&o->input.f, r);
    return o->d.content != NULL;
}

static bool read_event(native_reader *o, aci_json_reader *r)
{
    aci_native_members members = {.known = &aci_native_event, .draft = &o->d.extras};
    bool done = aci_json_object(r);
    uint8_t what;

    while (done && aci_native_next(&o->input.f, r, &members, &what))
        done = what == ACI_NATIVE_SEQUENCE  ? read_sequence(o, r)
               : what == ACI_NATIVE_CONTENT ? read_content(o, r)
               : what == ACI_NATIVE_ACTIONS ? read_actions(o, r)
                                            : read_field(o, r, (agentchat_event_field)what);
    if (!aci_json_failed(r) && o->d.fields[AGENTCHAT_EVENT_AUTHOR].ptr == NULL)
        (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "an event needs an \"author\"");
    return !aci_json_failed(r);
}

agentchat_status aci_native_event_read(const agentchat_env *env, agentchat_str text, const aci_event_location *location,
                                       agentchat_report *report, uint64_t *sequence, agentchat_event **out,
                                       agentchat_error *err)
{
    native_reader o;
    agentchat_status status;

    *out = NULL;
    status = aci_event_input_begin(&o.input, env, text, location, report, ACI_JSON_IN_PLACE, 0, err);
    if (status < 0)
        return status;
    aci_event_draft_begin(&o.d, env, o.input.in.arena);
    o.d.is_native = true;
    o.sequence = 0;
    if (read_event(&o, &o.input.r))
        (void)aci_json_end(&o.input.r);
    status = aci_event_input_end(&o.input, location, err);
    if (status >= 0 && sequence == NULL && o.sequence != 0 &&
        !aci_report_add(report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR("/sequence"),
                        (agentchat_str){NULL, 0}, "the sequence number was left out: the session assigns it"))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_event_input_finish(&o.d, location, out, err);
    if (status >= 0 && sequence != NULL)
        *sequence = o.sequence;
    aci_event_draft_clear(&o.d);
    return status;
}
