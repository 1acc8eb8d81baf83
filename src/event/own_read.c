/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading our own form of events (docs/formats/session.md). Layer 5. The text is copied into the event's home once and
 * decoded there in place, so that every text of the event is a view into that copy.
 */
#include "event/own.h"

#include "base/error.h"
#include "event/values.h"

typedef struct own_reader {
    aci_event_input input;
    aci_event_draft d;
    uint64_t sequence;
} own_reader;

/* ---- changes ---------------------------------------------------------------------------------------------------- */

static bool keep_change(own_reader *o, aci_json_reader *r, agentchat_change change)
{
    return aci_event_draft_change(&o->d, change) || aci_f1_nomem(r);
}

static bool read_sets(own_reader *o, aci_json_reader *r)
{
    agentchat_change change = {AGENTCHAT_CHANGE_SET, {NULL, 0}, {NULL, 0}, 0};

    if (!aci_json_object(r))
        return false;
    while (aci_json_member(r, &change.key))
        if (!aci_event_input_key(r, &o->d, change.key) || !aci_json_raw(r, &change.value) || !keep_change(o, r, change))
            return false;
    return !aci_json_failed(r);
}

static bool read_deletes(own_reader *o, aci_json_reader *r)
{
    agentchat_change change = {AGENTCHAT_CHANGE_DELETE, {NULL, 0}, {NULL, 0}, 0};

    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!aci_json_string(r, &change.key) || !aci_event_input_key(r, &o->d, change.key) ||
            !keep_change(o, r, change))
            return false;
    return !aci_json_failed(r);
}

static bool read_adds(own_reader *o, aci_json_reader *r)
{
    agentchat_change change = {AGENTCHAT_CHANGE_ADD, {NULL, 0}, {NULL, 0}, 0};
    agentchat_str number;

    if (!aci_json_object(r))
        return false;
    while (aci_json_member(r, &change.key)) {
        if (!aci_event_input_key(r, &o->d, change.key) || !aci_json_raw(r, &number))
            return false;
        if (!aci_integer(number, &change.amount)) {
            (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "what is added must be a whole number of 64 bits");
            return false;
        }
        if (!keep_change(o, r, change))
            return false;
    }
    return !aci_json_failed(r);
}

/* ---- properties ------------------------------------------------------------------------------------------------- */

/* A field of the event: text, or an open-ended value of the right kind. */
static bool read_field(own_reader *o, aci_json_reader *r, agentchat_event_field field)
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

static bool read_actions(own_reader *o, aci_json_reader *r)
{
    aci_f1_reader *f = &o->input.f;
    aci_f1_entries entries = {0, 0};
    agentchat_str key;
    uint32_t i = 0, seen = 0;

    if (!aci_json_object(r))
        return false;
    for (; aci_f1_member(r, &aci_own_actions, &i, &key); i++) {
        bool done;

        if (i == aci_own_actions.count) {
            if (!aci_f1_read_unknown(f, r, &o->d.action_extras, &entries, key))
                return false;
            continue;
        }
        if (!aci_f1_once(r, &seen, i))
            return false;
        switch (aci_own_actions.list[i].what) {
        case ACI_OWN_SETS:
            done = read_sets(o, r);
            break;
        case ACI_OWN_DELETES:
            done = read_deletes(o, r);
            break;
        case ACI_OWN_ADDS:
            done = read_adds(o, r);
            break;
        case ACI_OWN_EXTRAS:
            done = aci_f1_read_extras(f, r, &o->d.action_extras, &entries);
            break;
        default:
            done = read_field(o, r, (agentchat_event_field)aci_own_actions.list[i].what);
            break;
        }
        if (!done)
            return false;
    }
    return !aci_json_failed(r);
}

static bool read_sequence(own_reader *o, aci_json_reader *r)
{
    if (!aci_json_u64(r, &o->sequence))
        return false;
    if (o->sequence > 0 && o->sequence <= ACI_HIGHEST_INTEGER)
        return true;
    (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "a place in a session is from 1 to 9007199254740991");
    return false;
}

static bool read_event(own_reader *o, aci_json_reader *r)
{
    aci_f1_reader *f = &o->input.f;
    aci_f1_entries entries = {0, 0};
    agentchat_str key;
    uint32_t i = 0, seen = 0;

    if (!aci_json_object(r))
        return false;
    for (; aci_f1_member(r, &aci_own_event, &i, &key); i++) {
        bool done;

        if (i == aci_own_event.count) {
            if (!aci_f1_read_unknown(f, r, &o->d.extras, &entries, key))
                return false;
            continue;
        }
        if (!aci_f1_once(r, &seen, i))
            return false;
        switch (aci_own_event.list[i].what) {
        case ACI_OWN_SEQUENCE:
            done = read_sequence(o, r);
            break;
        case ACI_OWN_CONTENT:
            o->d.content = aci_f1_read_message(f, r);
            done = o->d.content != NULL;
            break;
        case ACI_OWN_ACTIONS:
            done = read_actions(o, r);
            break;
        case ACI_OWN_EXTRAS:
            done = aci_f1_read_extras(f, r, &o->d.extras, &entries);
            break;
        default:
            done = read_field(o, r, (agentchat_event_field)aci_own_event.list[i].what);
            break;
        }
        if (!done)
            return false;
    }
    if (!aci_json_failed(r) && o->d.fields[AGENTCHAT_EVENT_AUTHOR].ptr == NULL)
        (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "an event needs an \"author\"");
    return !aci_json_failed(r);
}

agentchat_status aci_own_event_read(const agentchat_env *env, agentchat_str text, const aci_event_place *place,
                                    agentchat_report *report, uint64_t *sequence, agentchat_event **out,
                                    agentchat_error *err)
{
    own_reader o;
    agentchat_status status;

    *out = NULL;
    status = aci_event_input_begin(&o.input, env, text, place, report, ACI_JSON_IN_PLACE, 0, err);
    if (status < 0)
        return status;
    aci_event_draft_begin(&o.d, env, o.input.in.home);
    o.d.is_own = true;
    o.sequence = 0;
    if (read_event(&o, &o.input.r))
        (void)aci_json_end(&o.input.r);
    status = aci_event_input_end(&o.input, place, err);
    if (status >= 0 && sequence == NULL && o.sequence != 0 &&
        !aci_report_add(report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR("/sequence"),
                        (agentchat_str){NULL, 0}, "the place was left out: the session gives an event its place"))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_event_input_finish(&o.d, place, out, err);
    if (status >= 0 && sequence != NULL)
        *sequence = o.sequence;
    aci_event_draft_clear(&o.d);
    return status;
}
