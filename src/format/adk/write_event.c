/* SPDX-License-Identifier: Apache-2.0 */
/* Writing events as adk-python writes them, in camelCase (docs/formats/adk.md). */
#include "format/adk/adk.h"

#include "base/error.h"
#include "event/draft.h"
#include "format/adk/compaction.h"
#include "format/adk/write.h"
#include "format/kit/buffer_sink.h"
#include "format/kit/layout.h"
#include "format/kit/object_out.h"
#include "json/walk.h"

/* ---- content ---------------------------------------------------------------------------------------------------- */

static void put_role(aci_adk_writer *wr, const aci_location *path, agentchat_str role)
{
    const aci_location at = {path, AGENTCHAT_STR("role"), 0};

    if (role.ptr == NULL)
        return;
    if (agentchat_str_equal(role, AGENTCHAT_STR("assistant")))
        role = AGENTCHAT_STR("model");
    else if (agentchat_str_equal(role, AGENTCHAT_STR("model")))
        aci_out_report(&wr->out, AGENTCHAT_REPORT_NOTE, &at, "the role \"model\" is read back as \"assistant\"");
    ACI_JW_KEY(&wr->out.w, "role");
    aci_adk_write_text(wr, &at, role);
}

static void put_parts(aci_adk_writer *wr, const aci_location *path, const agentchat_message *message)
{
    const aci_location items = {path, AGENTCHAT_STR("items"), 0};

    if ((message->flags & (ACI_MESSAGE_ITEMS_ABSENT | ACI_MESSAGE_ITEMS_NULL)) != 0 && message->item_count == 0)
        return;
    ACI_JW_KEY(&wr->out.w, "parts");
    aci_writer_array_begin(&wr->out.w);
    for (size_t i = 0; i < message->item_count && wr->out.w.status >= 0; i++) {
        const aci_location at = {&items, {NULL, 0}, i};

        aci_adk_write_part(wr, &at, message->items[i]);
    }
    aci_writer_array_end(&wr->out.w);
}

static void write_content(aci_adk_writer *wr, const aci_location *path, const agentchat_message *message,
                          const agentchat_event *event)
{
    aci_adk_members extras;
    aci_object_out o;

    aci_object_out_message_beside(&o, &wr->out, path, message);
    aci_writer_object_begin(&wr->out.w);
    put_role(wr, path, aci_object_out_get(&o, AGENTCHAT_FIELD_ROLE));
    put_parts(wr, path, message);
    for (size_t i = 0; i < message->field_count; i++)
        if (aci_adk_is_event_s(event, &message->fields[i]))
            (void)aci_object_out_get(&o, (agentchat_field)message->fields[i].id);
    aci_object_out_lost_fields(&o);
    /* A content has no other members, so this only reports. */
    aci_adk_members_of(wr, &extras, &aci_adk_content, (agentchat_str){NULL, 0}, message->extras);
    aci_adk_write_members(wr, path, &extras, ACI_ADK_ROWS_BEFORE(aci_adk_content.count), 0);
    aci_writer_object_end(&wr->out.w);
}

/* ---- compaction ------------------------------------------------------------------------------------------------- */

static void put_compaction(aci_adk_writer *wr, const aci_location *path, agentchat_str json)
{
    const aci_location content = {path, AGENTCHAT_STR("content"), 0};
    aci_raw_reader *a = aci_adk_writer_reader(wr);
    aci_adk_compaction_parts c;
    aci_walk walk;

    if (a == NULL)
        return;
    if (aci_adk_compaction_read(a, &c, json)) {
        ACI_JW_KEY(&wr->out.w, "compaction");
        aci_writer_object_begin(&wr->out.w);
        ACI_JW_KEY(&wr->out.w, "startTimestamp");
        aci_adk_write_time(wr, ACI_AT(path, "start"), c.start);
        ACI_JW_KEY(&wr->out.w, "endTimestamp");
        aci_adk_write_time(wr, ACI_AT(path, "end"), c.end);
        ACI_JW_KEY(&wr->out.w, "compactedContent");
        write_content(wr, &content, c.content, NULL);
        aci_writer_object_end(&wr->out.w);
        aci_walk_begin(&walk, json);
        while (aci_walk_next(&walk)) {
            const aci_location at = {path, aci_adk_decode(wr, walk.key), 0};

            if (!aci_adk_compaction_has(at.name))
                aci_out_lost(&wr->out, &at, "the property was left out: adk-python refuses it");
        }
    } else if (a->status < 0) {
        aci_out_nomem(&wr->out);
    } else {
        aci_out_lost(
            &wr->out, path,
            "the compaction was left out: it needs times as \"start\" and \"end\" and a message as \"content\"");
    }
    agentchat_message_unref(c.content);
}

/* ---- actions ---------------------------------------------------------------------------------------------------- */

/* What becomes of a change: the value that is set, or absent. */
static agentchat_str value_of(aci_adk_writer *wr, const aci_location *actions, const agentchat_change *change)
{
    bool is_add = change->kind == AGENTCHAT_CHANGE_ADD;
    const aci_location list = {actions, is_add ? AGENTCHAT_STR("stateadd") : AGENTCHAT_STR("statedelete"), 0};
    const aci_location at = {&list, agentchat_str_from(change->key), 0};

    switch ((int)change->kind) {
    case AGENTCHAT_CHANGE_SET:
        return change->value;
    case AGENTCHAT_CHANGE_ADD:
        if (change->value.ptr != NULL)
            aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at, "the counter was written as its sum");
        else
            aci_out_lost(&wr->out, &at, "the counter was left out: its sum is not known");
        return change->value;
    default:
        aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at, "that the key was deleted was written as null");
        return AGENTCHAT_STR("null");
    }
}

static void put_delta(aci_adk_writer *wr, const aci_location *actions, const agentchat_event *event)
{
    const aci_location delta = {actions, AGENTCHAT_STR("statedelta"), 0};

    ACI_JW_KEY(&wr->out.w, "stateDelta");
    aci_writer_object_begin(&wr->out.w);
    for (size_t i = 0; i < event->change_count && wr->out.w.status >= 0; i++) {
        agentchat_str key = agentchat_str_from(event->changes[i].key);
        const aci_location at = {&delta, key, 0};
        agentchat_str value = value_of(wr, actions, &event->changes[i]);

        if (value.ptr == NULL)
            continue;
        aci_writer_key(&wr->out.w, key);
        aci_adk_write_json(wr, &at, value);
    }
    aci_writer_object_end(&wr->out.w);
}

/* A row that is a field of the event. Where they write an empty text for none, none is written. */
static void put_field(aci_adk_writer *wr, const aci_location *path, const agentchat_event *event,
                      const aci_object_table *table, uint32_t row)
{
    agentchat_event_field field = (agentchat_event_field)table->list[row].field;
    const aci_location at = {path, agentchat_str_from(aci_event_field_name(field)), 0};
    agentchat_str value = event->fields[field];

    if (value.ptr == NULL || (value.len == 0 && field != AGENTCHAT_EVENT_AUTHOR))
        return;
    aci_writer_key(&wr->out.w, aci_table_camel(table, row));
    if (aci_event_field_is_json(field))
        aci_adk_write_value(wr, &at, &table->list[row], value);
    else
        aci_adk_write_text(wr, &at, value);
}

/* An object that adk-python always writes. */
static void put_empty(aci_adk_writer *wr, uint32_t row)
{
    aci_writer_key(&wr->out.w, aci_table_camel(&aci_adk_actions, row));
    aci_writer_object_begin(&wr->out.w);
    aci_writer_object_end(&wr->out.w);
}

static void put_actions(aci_adk_writer *wr, const agentchat_event *event)
{
    const aci_location actions = {NULL, AGENTCHAT_STR("actions"), 0};
    const aci_location compaction = {&actions, AGENTCHAT_STR("compaction"), 0};
    aci_adk_members extras;

    aci_adk_members_of(wr, &extras, &aci_adk_actions, (agentchat_str){NULL, 0}, event->action_extras);
    ACI_JW_KEY(&wr->out.w, "actions");
    aci_writer_object_begin(&wr->out.w);
    put_field(wr, &actions, event, &aci_adk_actions, ACI_ADK_SKIP_SUMMARIZATION);
    put_delta(wr, &actions, event);
    if (event->fields[AGENTCHAT_EVENT_ARTIFACTS].ptr != NULL)
        put_field(wr, &actions, event, &aci_adk_actions, ACI_ADK_ARTIFACT_DELTA);
    else
        put_empty(wr, ACI_ADK_ARTIFACT_DELTA);
    put_field(wr, &actions, event, &aci_adk_actions, ACI_ADK_TRANSFER);
    put_field(wr, &actions, event, &aci_adk_actions, ACI_ADK_ESCALATE);
    for (uint32_t i = ACI_ADK_AUTH_CONFIGS; i <= ACI_ADK_TOOL_CONFIRMATIONS; i++)
        if (extras.found[i].ptr == NULL)
            put_empty(wr, i);
    if (event->fields[AGENTCHAT_EVENT_COMPACTION].ptr != NULL)
        put_compaction(wr, &compaction, event->fields[AGENTCHAT_EVENT_COMPACTION]);
    aci_adk_write_members(wr, &actions, &extras, ACI_ADK_ROWS_BEFORE(ACI_ADK_ACTIONS_KEPT), 0);
    aci_writer_object_end(&wr->out.w);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void put_timestamp(aci_adk_writer *wr, const agentchat_event *event)
{
    const aci_location at = {NULL, AGENTCHAT_STR("time"), 0};
    char number[ACI_ADK_TIME_SIZE];

    if (event->fields[AGENTCHAT_EVENT_TIME].ptr == NULL) {
        aci_out_report(&wr->out, AGENTCHAT_REPORT_NOTE, NULL,
                       "the event has no time: adk-python takes that of reading it");
        return;
    }
    aci_adk_time_number(wr, &at, event->fields[AGENTCHAT_EVENT_TIME], number);
    if (*number == '\0')
        return;
    if (aci_adk_context_time(wr->context, number))
        aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at,
                       "the time was raised to %s, so that it is after that of the event before", number);
    ACI_JW_KEY(&wr->out.w, "timestamp");
    aci_writer_raw(&wr->out.w, agentchat_str_from(number));
}

static void write_event(aci_adk_writer *wr, const agentchat_event *event)
{
    const aci_location content = {NULL, AGENTCHAT_STR("content"), 0};
    aci_adk_members extras;

    if (!aci_adk_context_add(wr->context, event))
        aci_out_nomem(&wr->out);
    aci_writer_object_begin(&wr->out.w);
    if (event->content != NULL && (event->content->flags & ACI_MESSAGE_IS_NULL) == 0) {
        ACI_JW_KEY(&wr->out.w, "content");
        write_content(wr, &content, event->content, event);
    }
    put_field(wr, NULL, event, &aci_adk_event, ACI_ADK_PARTIAL);
    put_field(wr, NULL, event, &aci_adk_event, ACI_ADK_INVOCATION);
    put_field(wr, NULL, event, &aci_adk_event, ACI_ADK_AUTHOR);
    put_actions(wr, event);
    put_field(wr, NULL, event, &aci_adk_event, ACI_ADK_LONG_RUNNING);
    put_field(wr, NULL, event, &aci_adk_event, ACI_ADK_BRANCH);
    put_field(wr, NULL, event, &aci_adk_event, ACI_ADK_ID);
    put_timestamp(wr, event);
    aci_adk_members_of(wr, &extras, &aci_adk_event, (agentchat_str){NULL, 0}, event->extras);
    extras.instead = aci_adk_write_translated;
    aci_adk_write_members(wr, NULL, &extras, ACI_ADK_ROWS_BEFORE(ACI_ADK_EVENT_KEPT), 0);
    aci_writer_object_end(&wr->out.w);
}

agentchat_status aci_adk_event_line(const agentchat_event *event, agentchat_str prefix, aci_adk_context *context,
                                    agentchat_report *report, aci_buf *out, agentchat_error *err)
{
    aci_adk_context alone = {.env = event->env, .keep_times = true};
    size_t before = out->len;
    agentchat_sink *sink;
    agentchat_status status = aci_buffer_sink_new(event->env, out, &sink, err);
    aci_adk_writer wr;

    if (status < 0)
        return status;
    status = aci_adk_writer_begin(&wr, event->env, sink, report, err);
    if (status >= 0) {
        wr.out.prefix = prefix;
        wr.context = context != NULL ? context : &alone;
        write_event(&wr, event);
        status = aci_adk_writer_end(&wr);
    }
    agentchat_sink_free(sink);
    aci_adk_context_clear(&alone);
    if (status >= 0 && !aci_layout_one_line(out, before))
        status = aci_fail_nomem(err);
    if (status < 0)
        out->len = before;
    return status;
}
