/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the native format of events (docs/formats/session.md). The tables of names give the order. */
#include "format/native/event.h"

#include "base/error.h"
#include "format/kit/buffer_sink.h"
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

static void write_actions(aci_native_writer *f, const aci_native_property *actions, const agentchat_event *event)
{
    if (!has_actions(event))
        return;
    aci_writer_object_member(&f->w, actions->quoted, actions->quoted_len);
    for (uint32_t i = 0; i < aci_native_actions.count; i++) {
        const aci_native_property *property = &aci_native_actions.list[i];

        switch (property->what) {
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
            aci_native_write_extras(f, event->action_extras, &aci_native_actions, false);
            break;
        default:
            write_field(f, property, event);
            break;
        }
    }
    aci_writer_object_end(&f->w);
}

static void write_event(aci_native_writer *f, const agentchat_event *event, uint64_t sequence)
{
    aci_writer_object_begin(&f->w);
    for (uint32_t i = 0; i < aci_native_event.count; i++) {
        const aci_native_property *property = &aci_native_event.list[i];

        switch (property->what) {
        case ACI_NATIVE_SEQUENCE:
            if (sequence != 0) {
                aci_native_write_key(f, property);
                aci_writer_u64(&f->w, sequence);
            }
            break;
        case ACI_NATIVE_CONTENT:
            if (event->content != NULL) {
                aci_native_write_key(f, property);
                aci_native_write_message(f, event->content);
            }
            break;
        case ACI_NATIVE_ACTIONS:
            write_actions(f, property, event);
            break;
        case ACI_NATIVE_EXTRAS:
            aci_native_write_extras(f, event->extras, &aci_native_event, false);
            break;
        default:
            write_field(f, property, event);
            break;
        }
    }
    aci_writer_object_end(&f->w);
}

/* ---- as a line -------------------------------------------------------------------------------------------------- */

agentchat_status aci_native_event_line(const agentchat_event *event, uint64_t sequence, aci_buf *out,
                                       agentchat_error *err)
{
    aci_write target = {.env = event->env};
    aci_native_writer f = {.out = &target};
    size_t before = out->len;
    agentchat_status status = aci_buffer_sink_new(event->env, out, &target.sink, err);

    if (status < 0)
        return status;
    status = aci_writer_begin(&f.w, event->env, target.sink, ACI_JSON_UTF8, 0, err);
    if (status >= 0) {
        write_event(&f, event, sequence);
        status = aci_writer_end(&f.w);
    }
    agentchat_sink_free(target.sink);
    if (status >= 0 && !aci_layout_one_line(out, before))
        status = aci_fail_nomem(err);
    if (status < 0)
        out->len = before;
    return status;
}

agentchat_status aci_event_text(const agentchat_event *event, aci_buf *out, agentchat_error *err)
{
    return aci_native_event_line(event, 0, out, err);
}
