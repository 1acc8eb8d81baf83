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

/* The changes of one kind: keys with values, or for deletes a list of keys. */
static bool read_changes(native_reader *o, aci_json_reader *r, agentchat_change_kind kind)
{
    agentchat_change change = {kind, NULL, {NULL, 0}, 0};
    bool is_list = kind == AGENTCHAT_CHANGE_DELETE;
    agentchat_str key, value = {NULL, 0};

    if (is_list ? !aci_json_array(r) : !aci_json_object(r))
        return false;
    while (is_list ? aci_json_element(r) && aci_json_string(r, &key) : aci_json_member(r, &key)) {
        if (!aci_event_input_key(r, &o->d, key) || (!is_list && !aci_json_raw(r, &value)))
            return false;
        if (kind == AGENTCHAT_CHANGE_SET)
            change.value = value;
        else if (kind == AGENTCHAT_CHANGE_ADD && !aci_json_integer(value, &change.amount))
            return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "what is added must be a 64-bit integer");
        if (!aci_event_draft_change(&o->d, key, change))
            return aci_native_nomem(r);
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

/* The object of the event, or of its actions. */
static bool read_members(native_reader *o, aci_json_reader *r, const aci_native_object *known, aci_draft *extras)
{
    aci_native_members members = {.known = known, .draft = extras};
    bool done = aci_json_object(r);
    uint8_t what;

    while (done && aci_native_next(&o->input.f, r, &members, &what))
        done = what == ACI_NATIVE_SEQUENCE  ? read_sequence(o, r)
               : what == ACI_NATIVE_CONTENT ? read_content(o, r)
               : what == ACI_NATIVE_ACTIONS ? read_members(o, r, &aci_native_actions, &o->d.action_extras)
               : what == ACI_NATIVE_SETS    ? read_changes(o, r, AGENTCHAT_CHANGE_SET)
               : what == ACI_NATIVE_DELETES ? read_changes(o, r, AGENTCHAT_CHANGE_DELETE)
               : what == ACI_NATIVE_ADDS    ? read_changes(o, r, AGENTCHAT_CHANGE_ADD)
                                            : read_field(o, r, (agentchat_event_field)what);
    return !aci_json_failed(r);
}

static bool read_event(native_reader *o, aci_json_reader *r)
{
    if (read_members(o, r, &aci_native_event, &o->d.extras) && o->d.fields[AGENTCHAT_EVENT_AUTHOR].ptr == NULL)
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
