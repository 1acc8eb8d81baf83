/* SPDX-License-Identifier: Apache-2.0 */
/* Events as ADK-Rust has them: nearly every member must be there. */
#include "format/adk/rust.h"

#include "base/error.h"
#include "base/utf8.h"
#include "event/draft.h"
#include "format/adk/compaction.h"
#include "format/kit/buffer_sink.h"
#include "format/kit/layout.h"
#include "json/value.h"
#include "json/walk.h"

/* Values that ADK-Rust has as members of an event or its actions, and we as extras. */
typedef struct member {
    const char *name;      /* theirs */
    const char *kinds;     /* first bytes of the values that it takes */
    const char *otherwise; /* what is written where there is none; NULL: nothing */
} member;

/* In the order in which ADK-Rust writes them: before `partial`, before `actions`, after long_running_tool_ids. */
enum { BEFORE_PARTIAL = 3, BEFORE_ACTIONS = 9 };
static const member event_members[] = {
    {"usage_metadata", "{", "null"},  {"finish_reason", "\"", "null"},
    {"citation_metadata", "{", NULL}, {"turn_complete", "tf", "false"},
    {"interrupted", "tf", "false"},   {"error_code", "\"", "null"},
    {"error_message", "\"", "null"},  {"provider_metadata", "{[\"-0123456789tf", NULL},
    {"interaction_id", "\"", NULL},   {"llm_request", "\"", NULL},
    {"event_metadata", "{", NULL},
};
enum { BEFORE_COMPACTION = 2 };
static const member action_members[] = {
    {"tool_confirmation", "{", NULL},
    {"tool_confirmation_decision", "\"", NULL},
    {"route", "[", NULL},
};

/* ---- extras ----------------------------------------------------------------------------------------------------- */

/* The extras of an event or its actions. */
typedef struct others {
    aci_out *out;
    const aci_location *path;
    const aci_extras *extras;
    const member *members;
    size_t count;
    uint64_t written; /* bits of the extras that were written as members; one beyond the 64th is no member */
} others;

/* Whether an extra is a member, and a value that ADK-Rust takes. */
static bool takes(const member *m, const agentchat_extra *extra)
{
    return aci_adk_is_own(extra->from) && aci_adk_rust_is_named(extra->name, m->name) &&
           strchr(m->kinds, *extra->value.ptr) != NULL && aci_adk_rust_takes(m->name, extra->value);
}

/* Writes the members from one index to another. */
static void put_members(others *o, size_t from, size_t to)
{
    for (size_t m = from; m < to; m++) {
        const char *value = o->members[m].otherwise;
        size_t found = 0, count = o->extras != NULL ? o->extras->count : 0;

        while (found < count && found < 64 && !takes(&o->members[m], &o->extras->list[found]))
            found++;
        if (found < count && found < 64) {
            const aci_location at = {o->path, o->extras->list[found].name, 0};

            o->written |= UINT64_C(1) << found;
            if (value != NULL && strcmp(value, "false") == 0 && *o->extras->list[found].value.ptr == 'f')
                aci_out_lost(o->out, &at, "that the flag is not set is read back as none");
            aci_writer_key(&o->out->w, agentchat_str_from(o->members[m].name));
            aci_adk_rust_value(o->out, &at, o->members[m].name, o->extras->list[found].value);
        } else if (value != NULL) {
            aci_writer_key(&o->out->w, agentchat_str_from(o->members[m].name));
            aci_writer_raw(&o->out->w, agentchat_str_from(value));
        }
    }
}

/* Whether ADK-Rust has a member of that name, which is no extra. */
static bool is_member(const others *o, const agentchat_extra *extra, const aci_object_table *table, uint32_t kept)
{
    bool is = aci_object_table_find(table, extra->name, NULL) < kept;

    for (size_t m = 0; m < o->count; m++)
        is = is || aci_adk_rust_is_named(extra->name, o->members[m].name);
    return is;
}

/* Writes what ADK-Rust passes over: the other extras, as they stand. */
static void put_others(others *o, const aci_object_table *table, uint32_t kept)
{
    aci_index names = {NULL, 0, 0};

    for (size_t i = 0; o->extras != NULL && i < o->extras->count; i++) {
        const agentchat_extra *extra = &o->extras->list[i];
        const aci_location at = {o->path, extra->name, 0};

        if (*extra->value.ptr == 'n' || (i < 64 && (o->written >> i & 1) != 0))
            continue;
        if (!aci_adk_is_own(extra->from) || aci_utf8_has_surrogates(extra->name) || is_member(o, extra, table, kept) ||
            aci_index_find(&names, extra->name) != ACI_INDEX_NONE) {
            aci_out_lost(o->out, &at, "the property was left out: ADK-Rust cannot hold it");
            continue;
        }
        if (!aci_index_put(&names, o->out->env, extra->name, 0))
            aci_out_nomem(o->out);
        aci_writer_key(&o->out->w, extra->name);
        aci_adk_rust_json(o->out, &at, extra->value);
    }
    aci_index_clear(&names, o->out->env);
}

/* ---- content ---------------------------------------------------------------------------------------------------- */

static void put_content(aci_out *out, const aci_location *path, const agentchat_message *message,
                        const agentchat_event *event, const aci_adk_context *context)
{
    const aci_location role_at = {path, AGENTCHAT_STR("role"), 0}, items = {path, AGENTCHAT_STR("items"), 0};
    agentchat_str role;
    aci_object_out o;

    aci_object_out_message_beside(&o, out, path, message);
    role = aci_object_out_get(&o, AGENTCHAT_FIELD_ROLE);
    aci_writer_object_begin(&out->w);
    ACI_JW_KEY(&out->w, "role");
    if (role.ptr == NULL)
        aci_out_lost(out, &role_at, "ADK-Rust needs a role: an empty one was written");
    aci_adk_rust_text(out, &role_at,
                      role.ptr == NULL                                        ? AGENTCHAT_STR("")
                      : agentchat_str_equal(role, AGENTCHAT_STR("assistant")) ? AGENTCHAT_STR("model")
                                                                              : role);
    ACI_JW_KEY(&out->w, "parts");
    aci_writer_array_begin(&out->w);
    for (size_t i = 0; i < message->item_count; i++) {
        const aci_location at = {&items, {NULL, 0}, i};

        aci_adk_rust_part(out, &at, message->items[i], context);
    }
    aci_writer_array_end(&out->w);
    aci_writer_object_end(&out->w);
    for (size_t i = 0; i < message->field_count; i++)
        if (aci_adk_is_event_s(event, &message->fields[i]))
            (void)aci_object_out_get(&o, (agentchat_field)message->fields[i].id);
    aci_object_out_beside_end(&o);
}

/* ---- actions ---------------------------------------------------------------------------------------------------- */

static void put_delta(aci_out *out, const aci_location *actions, const agentchat_event *event)
{
    ACI_JW_KEY(&out->w, "state_delta");
    aci_writer_object_begin(&out->w);
    for (size_t i = 0; i < event->change_count; i++) {
        const agentchat_change *change = &event->changes[i];
        const char *name = change->kind == AGENTCHAT_CHANGE_SET   ? "statedelta"
                           : change->kind == AGENTCHAT_CHANGE_ADD ? "stateadd"
                                                                  : "statedelete";
        const aci_location list = {actions, agentchat_str_from(name), 0};
        const aci_location at = {&list, agentchat_str_from(change->key), 0};
        agentchat_str value = change->kind == AGENTCHAT_CHANGE_DELETE ? AGENTCHAT_STR("null") : change->value;

        if (value.ptr == NULL) {
            aci_out_lost(out, &at, "the counter was left out: its sum is not known");
            continue;
        }
        if (change->kind == AGENTCHAT_CHANGE_ADD)
            aci_out_report(out, AGENTCHAT_REPORT_REPAIR, &at, "the counter was written as its sum");
        else if (change->kind == AGENTCHAT_CHANGE_DELETE)
            aci_out_report(out, AGENTCHAT_REPORT_REPAIR, &at, "that the key was deleted was written as null");
        aci_writer_key(&out->w, agentchat_str_from(change->key));
        aci_adk_rust_json(out, &at, value);
    }
    aci_writer_object_end(&out->w);
}

/* Versions by name: integers of 64 bits. */
static void put_artifacts(aci_out *out, const aci_location *actions, agentchat_str json)
{
    const aci_location at = {actions, AGENTCHAT_STR("artifacts"), 0};
    int64_t number;
    aci_walk walk;

    ACI_JW_KEY(&out->w, "artifact_delta");
    aci_writer_object_begin(&out->w);
    aci_walk_begin(&walk, json);
    while (json.ptr != NULL && aci_walk_next(&walk)) {
        aci_buf name;

        if (aci_json_kind_of(walk.value) != ACI_JSON_NUMBER || !aci_json_integer(walk.value, &number) ||
            aci_json_has_lone_surrogates(walk.key)) {
            aci_out_lost(out, &at, "an artifact was left out: ADK-Rust refuses its version or name");
            continue;
        }
        aci_buf_init(&name, out->env, SIZE_MAX);
        if (!aci_json_unquote(walk.key, &name))
            aci_out_nomem(out);
        aci_writer_key(&out->w, aci_buf_str(&name));
        aci_writer_raw(&out->w, walk.value);
        aci_buf_clear(&name);
    }
    aci_writer_object_end(&out->w);
}

static void put_compaction(aci_out *out, const aci_location *actions, agentchat_str json,
                           const aci_adk_context *context)
{
    const aci_location at = {actions, AGENTCHAT_STR("compaction"), 0}, content = {&at, AGENTCHAT_STR("content"), 0};
    aci_raw_reader a = {.env = out->env, .arena = aci_arena_new(out->env, 0), .tag = ACI_TAG(aci_adk_name)};
    aci_adk_compaction_parts c = {{NULL, 0}, {NULL, 0}, NULL, false};
    bool is_right = a.arena != NULL && aci_adk_compaction_read(&a, &c, json);

    if (a.arena == NULL || a.status < 0) {
        aci_out_nomem(out);
    } else if (is_right) {
        ACI_JW_KEY(&out->w, "compaction");
        aci_writer_object_begin(&out->w);
        ACI_JW_STRING_MEMBER(&out->w, "start_timestamp", c.start);
        ACI_JW_STRING_MEMBER(&out->w, "end_timestamp", c.end);
        ACI_JW_KEY(&out->w, "compacted_content");
        put_content(out, &content, c.content, NULL, context);
        aci_writer_object_end(&out->w);
        if (c.has_others)
            aci_out_lost(out, &at, "members besides start, end and content were left out");
    } else {
        aci_out_lost(out, &at,
                     "the compaction was left out: it needs times as \"start\" and \"end\" and a message as "
                     "\"content\"");
    }
    agentchat_message_unref(c.content);
    aci_arena_unref(a.arena);
}

/* A flag, which ADK-Rust always has: one that is not set is none when it is read back. */
static void put_flag(aci_out *out, const aci_location *path, const char *name, const agentchat_event *event,
                     agentchat_event_field field)
{
    const aci_location at = {path, agentchat_str_from(aci_event_field_name(field)), 0};
    agentchat_str value = event->fields[field];

    if (value.ptr != NULL && *value.ptr == 'f')
        aci_out_lost(out, &at, "that the flag is not set is read back as none");
    aci_writer_key(&out->w, agentchat_str_from(name));
    aci_writer_raw(&out->w, value.ptr != NULL ? value : AGENTCHAT_STR("false"));
}

static void put_actions(aci_out *out, const agentchat_event *event, const aci_adk_context *context)
{
    const aci_location actions = {NULL, AGENTCHAT_STR("actions"), 0};
    const aci_location transfer = {&actions, AGENTCHAT_STR("transfer"), 0};
    agentchat_str agent = event->fields[AGENTCHAT_EVENT_TRANSFER];
    others o = {.out = out,
                .path = &actions,
                .extras = event->action_extras,
                .members = action_members,
                .count = sizeof action_members / sizeof *action_members};

    ACI_JW_KEY(&out->w, "actions");
    aci_writer_object_begin(&out->w);
    put_delta(out, &actions, event);
    put_artifacts(out, &actions, event->fields[AGENTCHAT_EVENT_ARTIFACTS]);
    put_flag(out, &actions, "skip_summarization", event, AGENTCHAT_EVENT_SKIP_SUMMARIZATION);
    ACI_JW_KEY(&out->w, "transfer_to_agent");
    if (agent.ptr != NULL)
        aci_adk_rust_text(out, &transfer, agent);
    else
        aci_writer_null(&out->w);
    put_flag(out, &actions, "escalate", event, AGENTCHAT_EVENT_ESCALATE);
    put_members(&o, 0, BEFORE_COMPACTION);
    if (event->fields[AGENTCHAT_EVENT_COMPACTION].ptr != NULL)
        put_compaction(out, &actions, event->fields[AGENTCHAT_EVENT_COMPACTION], context);
    put_members(&o, BEFORE_COMPACTION, o.count);
    put_others(&o, &aci_adk_actions, ACI_ADK_ACTIONS_KEPT);
    aci_writer_object_end(&out->w);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void put_text(aci_out *out, const char *name, const agentchat_event *event, agentchat_event_field field)
{
    const aci_location at = {NULL, agentchat_str_from(aci_event_field_name(field)), 0};
    agentchat_str text = event->fields[field];

    aci_writer_key(&out->w, agentchat_str_from(name));
    if (field == AGENTCHAT_EVENT_TIME && text.ptr == NULL) {
        aci_out_lost(out, &at, "ADK-Rust needs a time: the first of 1970 was written");
        text = AGENTCHAT_STR("1970-01-01T00:00:00Z");
    }
    aci_adk_rust_text(out, &at, text.ptr != NULL ? text : AGENTCHAT_STR(""));
}

static void put_event(aci_out *out, const agentchat_event *event, aci_adk_context *context)
{
    const aci_location content = {NULL, AGENTCHAT_STR("content"), 0};
    const aci_location running_at = {NULL, agentchat_str_from(aci_event_field_name(AGENTCHAT_EVENT_LONG_RUNNING)), 0};
    bool has_content = event->content != NULL && (event->content->flags & ACI_MESSAGE_IS_NULL) == 0;
    agentchat_str running = event->fields[AGENTCHAT_EVENT_LONG_RUNNING];
    others o = {.out = out,
                .extras = event->extras,
                .members = event_members,
                .count = sizeof event_members / sizeof *event_members};

    aci_writer_object_begin(&out->w);
    put_text(out, "id", event, AGENTCHAT_EVENT_ID);
    put_text(out, "timestamp", event, AGENTCHAT_EVENT_TIME);
    put_text(out, "invocation_id", event, AGENTCHAT_EVENT_INVOCATION);
    put_text(out, "branch", event, AGENTCHAT_EVENT_BRANCH);
    put_text(out, "author", event, AGENTCHAT_EVENT_AUTHOR);
    ACI_JW_KEY(&out->w, "content");
    if (has_content)
        put_content(out, &content, event->content, event, context);
    else
        aci_writer_null(&out->w);
    put_members(&o, 0, BEFORE_PARTIAL);
    put_flag(out, NULL, "partial", event, AGENTCHAT_EVENT_PARTIAL);
    put_members(&o, BEFORE_PARTIAL, BEFORE_ACTIONS);
    put_actions(out, event, context);
    if (running.ptr != NULL && agentchat_str_equal(running, AGENTCHAT_STR("[]")))
        aci_out_lost(out, &running_at, "that the list is empty is read back as none");
    ACI_JW_KEY(&out->w, "long_running_tool_ids");
    aci_adk_rust_json(out, &running_at, running.ptr != NULL ? running : AGENTCHAT_STR("[]"));
    put_members(&o, BEFORE_ACTIONS, o.count);
    put_others(&o, &aci_adk_event, ACI_ADK_EVENT_KEPT);
    aci_writer_object_end(&out->w);
}

agentchat_status aci_adk_rust_event_line(const agentchat_event *event, agentchat_str prefix, aci_adk_context *context,
                                         agentchat_report *report, aci_buf *line, agentchat_error *err)
{
    aci_adk_context alone = {.env = event->env, .keep_times = true};
    aci_write document = {.env = event->env, .report = report};
    size_t before = line->len;
    agentchat_status status = aci_buffer_sink_new(event->env, line, &document.sink, err);
    aci_out out;

    if (status < 0)
        return status;
    if (context == NULL)
        context = &alone;
    if (aci_out_begin(&out, &document, "adk-rust", 0, err) >= 0) {
        out.tag = ACI_TAG(aci_adk_name);
        out.prefix = prefix;
        if (!aci_adk_context_add(context, event))
            aci_out_nomem(&out);
        put_event(&out, event, context);
    }
    status = aci_out_end(&out);
    agentchat_sink_free(document.sink);
    aci_adk_context_clear(&alone);
    if (status >= 0 && !aci_layout_one_line(line, before))
        status = aci_fail_nomem(err);
    if (status < 0)
        line->len = before;
    return status;
}
