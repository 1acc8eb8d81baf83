/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the native format of events (docs/formats/session.md). The tables of names give the order. */
#include "format/native/event.h"

#include "base/error.h"
#include "format/kit/layout.h"

static size_t count_of(const agentchat_event *event, agentchat_change_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < event->change_count; i++)
        count += event->changes[i].kind == kind;
    return count;
}

static void write_i64(aci_json_writer *w, int64_t value)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)value);

    aci_writer_raw(w, (agentchat_str){digits, (size_t)len});
}

static void write_changes(aci_native_writer *f, const aci_native_property *property, const agentchat_event *event,
                          agentchat_change_kind kind)
{
    bool is_list = kind == AGENTCHAT_CHANGE_DELETE;

    if (count_of(event, kind) == 0)
        return;
    if (is_list)
        aci_writer_array_member(&f->w, property->quoted, property->quoted_len);
    else
        aci_writer_object_member(&f->w, property->quoted, property->quoted_len);
    for (size_t i = 0; i < event->change_count; i++) {
        const agentchat_change *change = &event->changes[i];

        if (change->kind != kind)
            continue;
        if (is_list) {
            aci_writer_string(&f->w, agentchat_str_from(change->key));
            continue;
        }
        aci_writer_key(&f->w, agentchat_str_from(change->key));
        if (kind == AGENTCHAT_CHANGE_SET)
            aci_writer_raw(&f->w, change->value);
        else
            write_i64(&f->w, change->amount);
    }
    if (is_list)
        aci_writer_array_end(&f->w);
    else
        aci_writer_object_end(&f->w);
}

static void write_field(aci_native_writer *f, const aci_native_property *property, const agentchat_event *event)
{
    agentchat_event_field field = (agentchat_event_field)property->what;
    agentchat_str value = event->fields[field];

    if (value.ptr == NULL)
        return;
    if (aci_event_field_is_json(field))
        aci_writer_raw_member(&f->w, property->quoted, property->quoted_len, value);
    else
        aci_writer_string_member(&f->w, property->quoted, property->quoted_len, value);
}

static bool has_actions(const agentchat_event *event)
{
    if (event->change_count > 0 || event->action_extras != NULL)
        return true;
    for (uint32_t i = 0; i < aci_native_actions.count; i++)
        if (aci_native_actions.list[i].what < ACI_EVENT_FIELDS &&
            event->fields[aci_native_actions.list[i].what].ptr != NULL)
            return true;
    return false;
}

typedef struct numbered_event {
    const agentchat_event *event;
    uint64_t sequence; /* 0: none */
} numbered_event;

/* The properties of the event, or of its actions, that it has. */
static void write_members(aci_native_writer *f, const aci_native_object *object, const numbered_event *numbered)
{
    const agentchat_event *event = numbered->event;

    for (const aci_native_property *property = object->list; property < object->list + object->count; property++)
        switch (property->what) {
        case ACI_NATIVE_SEQUENCE:
            if (numbered->sequence != 0) {
                aci_native_write_key(f, property);
                aci_writer_u64(&f->w, numbered->sequence);
            }
            break;
        case ACI_NATIVE_CONTENT:
            if (event->content != NULL) {
                aci_native_write_key(f, property);
                aci_native_write_message(f, event->content);
            }
            break;
        case ACI_NATIVE_ACTIONS:
            if (has_actions(event)) {
                aci_writer_object_member(&f->w, property->quoted, property->quoted_len);
                write_members(f, &aci_native_actions, numbered);
                aci_writer_object_end(&f->w);
            }
            break;
        case ACI_NATIVE_SETS:
            write_changes(f, property, event, AGENTCHAT_CHANGE_SET);
            break;
        case ACI_NATIVE_DELETES:
            write_changes(f, property, event, AGENTCHAT_CHANGE_DELETE);
            break;
        case ACI_NATIVE_ADDS:
            write_changes(f, property, event, AGENTCHAT_CHANGE_ADD);
            break;
        case ACI_NATIVE_EXTRAS:
            aci_native_write_extras(f, object == &aci_native_event ? event->extras : event->action_extras, object,
                                    false);
            break;
        default:
            write_field(f, property, event);
            break;
        }
}

static void write_event(aci_native_writer *f, const void *numbered)
{
    aci_writer_object_begin(&f->w);
    write_members(f, &aci_native_event, numbered);
    aci_writer_object_end(&f->w);
}

/* ---- as a line -------------------------------------------------------------------------------------------------- */

agentchat_status aci_native_event_line(const agentchat_event *event, uint64_t sequence, aci_buf *out,
                                       agentchat_error *err)
{
    size_t before = out->len;
    agentchat_status status =
        aci_native_write_text_of(event->env, write_event, &(numbered_event){event, sequence}, out, err);

    if (status >= 0 && !aci_layout_one_line(out, before)) {
        out->len = before;
        status = aci_fail_nomem(err);
    }
    return status;
}

agentchat_status aci_event_text(const agentchat_event *event, aci_buf *out, agentchat_error *err)
{
    return aci_native_event_line(event, 0, out, err);
}
