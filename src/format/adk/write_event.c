/* SPDX-License-Identifier: Apache-2.0 */
/* Writing events as adk-python writes them, in camelCase (docs/formats/adk.md). */
#include "format/adk/adk.h"

#include "base/error.h"
#include "event/draft.h"
#include "format/adk/compaction.h"
#include "format/adk/write.h"
#include "format/kit/buffer_sink.h"
#include "format/kit/layout.h"
#include "json/walk.h"

/* ---- content ---------------------------------------------------------------------------------------------------- */

static void put_role(aci_adk_writer *wr, const aci_location *path, agentchat_str role)
{
    const aci_location at = {path, AGENTCHAT_STR("role"), 0};

    if (role.ptr == NULL || agentchat_str_is_null(role))
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

void aci_adk_write_content(aci_adk_writer *wr, const aci_location *path, const agentchat_message *message,
                           const agentchat_event *event)
{
    aci_writer_object_begin(&wr->out.w);
    put_role(wr, path, agentchat_message_role(message));
    put_parts(wr, path, message);
    for (size_t i = 0; i < message->field_count; i++) {
        agentchat_field field = (agentchat_field)message->fields[i].id;
        const aci_location at = {path, agentchat_str_from(aci_field_name(field)), 0};

        if (field != AGENTCHAT_FIELD_ROLE && message->fields[i].form != ACI_FORM_NULL &&
            !aci_adk_is_event_s(event, &message->fields[i]))
            aci_out_lost(&wr->out, &at, "a Content has no field for the property");
    }
    /* A content has no other members, so this only reports. */
    aci_adk_write_extras(wr, path, message->extras, &aci_adk_content, aci_adk_content.count);
    aci_writer_object_end(&wr->out.w);
}

/* ---- compaction ------------------------------------------------------------------------------------------------- */

/* Reports the other members. */
static void lost_members(aci_adk_writer *wr, aci_raw_reader *a, const aci_location *path, agentchat_str json)
{
    aci_location at = {path, {NULL, 0}, 0};
    aci_walk walk;

    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk)) {
        if (!aci_raw_reader_decode(a, walk.key, &at.name))
            aci_out_nomem(&wr->out);
        else if (!aci_adk_compaction_has(at.name))
            aci_out_lost(&wr->out, &at, "the property was left out: adk-python refuses it");
    }
}

static void put_compaction(aci_adk_writer *wr, const aci_location *path, agentchat_str json)
{
    aci_adk_compaction_parts c;
    aci_raw_reader a = {.env = wr->out.env, .arena = aci_arena_new(wr->out.env, 0), .tag = ACI_TAG(aci_adk_name)};
    const aci_location start = {path, AGENTCHAT_STR("start"), 0}, end = {path, AGENTCHAT_STR("end"), 0};
    const aci_location content = {path, AGENTCHAT_STR("content"), 0};
    bool right = a.arena != NULL && aci_adk_compaction_read(&a, &c, json);

    if (a.arena == NULL || a.status < 0) {
        aci_out_nomem(&wr->out);
    } else if (right) {
        ACI_JW_KEY(&wr->out.w, "compaction");
        aci_writer_object_begin(&wr->out.w);
        ACI_JW_KEY(&wr->out.w, "startTimestamp");
        aci_adk_write_time(wr, &start, c.start);
        ACI_JW_KEY(&wr->out.w, "endTimestamp");
        aci_adk_write_time(wr, &end, c.end);
        ACI_JW_KEY(&wr->out.w, "compactedContent");
        aci_adk_write_content(wr, &content, c.content, NULL);
        aci_writer_object_end(&wr->out.w);
        lost_members(wr, &a, path, json);
    } else {
        aci_out_lost(
            &wr->out, path,
            "the compaction was left out: it needs times as \"start\" and \"end\" and a message as \"content\"");
    }
    if (a.arena != NULL)
        agentchat_message_unref(c.content);
    aci_arena_unref(a.arena);
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

/* Versions by name: only integers. */
static void put_artifacts(aci_adk_writer *wr, const aci_location *actions, agentchat_str json)
{
    const aci_location artifacts = {actions, AGENTCHAT_STR("artifacts"), 0};
    static const aci_table_row version = ACI_ADK_KIND(INTEGER, "");
    aci_walk walk;
    aci_buf name;

    aci_buf_init(&name, wr->out.env, SIZE_MAX);
    ACI_JW_KEY(&wr->out.w, "artifactDelta");
    aci_writer_object_begin(&wr->out.w);
    aci_walk_begin(&walk, json);
    while (json.ptr != NULL && wr->out.w.status >= 0 && aci_walk_next(&walk)) {
        aci_location at = {&artifacts, {NULL, 0}, 0};

        name.len = 0;
        if (!aci_json_unquote(walk.key, &name)) {
            aci_out_nomem(&wr->out);
            break;
        }
        at.name = aci_buf_str(&name);
        if (!aci_adk_accepts(wr, &version, walk.value) || aci_json_has_lone_surrogates(walk.key)) {
            aci_out_lost(&wr->out, &at, "the artifact was left out: adk-python refuses it");
            continue;
        }
        aci_writer_key(&wr->out.w, at.name);
        aci_adk_write_json(wr, &at, walk.value);
    }
    aci_writer_object_end(&wr->out.w);
    aci_buf_clear(&name);
}

/* An object that adk-python always writes, where the event's extras do not have it. */
static void put_always(aci_adk_writer *wr, const agentchat_event *event, uint32_t index)
{
    const aci_extras *extras = event->action_extras;

    for (size_t i = 0; extras != NULL && i < extras->count; i++)
        if (aci_adk_is_own(extras->list[i].from) &&
            aci_object_table_find(&aci_adk_actions, extras->list[i].name, NULL) == index &&
            aci_adk_accepts(wr, &aci_adk_actions.list[index], extras->list[i].value))
            return;
    aci_writer_key(&wr->out.w, aci_table_camel(&aci_adk_actions, index));
    aci_writer_object_begin(&wr->out.w);
    aci_writer_object_end(&wr->out.w);
}

static void put_field(aci_adk_writer *wr, const aci_location *path, const char *name, const agentchat_event *event,
                      agentchat_event_field field)
{
    const aci_location at = {path, agentchat_str_from(aci_event_field_name(field)), 0};
    agentchat_str value = event->fields[field];

    if (value.ptr == NULL || (value.len == 0 && field != AGENTCHAT_EVENT_AUTHOR)) /* there an empty text is none */
        return;
    aci_writer_key(&wr->out.w, agentchat_str_from(name));
    if (aci_event_field_is_json(field))
        aci_adk_write_json(wr, &at, value);
    else
        aci_adk_write_text(wr, &at, value);
}

static void put_actions(aci_adk_writer *wr, const agentchat_event *event)
{
    const aci_location actions = {NULL, AGENTCHAT_STR("actions"), 0};
    const aci_location compaction = {&actions, AGENTCHAT_STR("compaction"), 0};

    ACI_JW_KEY(&wr->out.w, "actions");
    aci_writer_object_begin(&wr->out.w);
    put_field(wr, &actions, "skipSummarization", event, AGENTCHAT_EVENT_SKIP_SUMMARIZATION);
    put_delta(wr, &actions, event);
    put_artifacts(wr, &actions, event->fields[AGENTCHAT_EVENT_ARTIFACTS]);
    put_field(wr, &actions, "transferToAgent", event, AGENTCHAT_EVENT_TRANSFER);
    put_field(wr, &actions, "escalate", event, AGENTCHAT_EVENT_ESCALATE);
    put_always(wr, event, ACI_ADK_AUTH_CONFIGS);
    put_always(wr, event, ACI_ADK_TOOL_CONFIRMATIONS);
    if (event->fields[AGENTCHAT_EVENT_COMPACTION].ptr != NULL)
        put_compaction(wr, &compaction, event->fields[AGENTCHAT_EVENT_COMPACTION]);
    aci_adk_write_extras(wr, &actions, event->action_extras, &aci_adk_actions, ACI_ADK_ACTIONS_KEPT);
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

void aci_adk_write_event(aci_adk_writer *wr, const agentchat_event *event)
{
    const aci_location content = {NULL, AGENTCHAT_STR("content"), 0};

    if (!aci_adk_context_add(wr->context, event))
        aci_out_nomem(&wr->out);
    aci_writer_object_begin(&wr->out.w);
    if (event->content != NULL && (event->content->flags & ACI_MESSAGE_IS_NULL) == 0) {
        ACI_JW_KEY(&wr->out.w, "content");
        aci_adk_write_content(wr, &content, event->content, event);
    }
    put_field(wr, NULL, "partial", event, AGENTCHAT_EVENT_PARTIAL);
    put_field(wr, NULL, "invocationId", event, AGENTCHAT_EVENT_INVOCATION);
    put_field(wr, NULL, "author", event, AGENTCHAT_EVENT_AUTHOR);
    put_actions(wr, event);
    put_field(wr, NULL, "longRunningToolIds", event, AGENTCHAT_EVENT_LONG_RUNNING);
    put_field(wr, NULL, "branch", event, AGENTCHAT_EVENT_BRANCH);
    put_field(wr, NULL, "id", event, AGENTCHAT_EVENT_ID);
    put_timestamp(wr, event);
    aci_adk_write_extras(wr, NULL, event->extras, &aci_adk_event, ACI_ADK_EVENT_KEPT);
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
        aci_adk_write_event(&wr, event);
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
