/* SPDX-License-Identifier: Apache-2.0 */
/* What of a session its chat does not hold. Locations are those of the native form (docs/formats/session.md). */
#include "format/session_chat.h"

#include "base/error.h"
#include "model/model.h"
#include "json/value.h"

static const char no_actions[] = "a chat holds what was said, not what an event did";
static const char no_changes[] = "a chat holds the state as it is now, not its changes";
static const char no_extra[] = "a message of a chat cannot hold this property of its event";
static const char own_value[] = "the message has a value of its own, and the event another one";

/* What a message of a chat cannot hold. */
static const struct {
    agentchat_event_field field;
    const char *where, *sentence;
} left_out[] = {
    {AGENTCHAT_EVENT_INVOCATION, "/invocation", "a chat does not hold to which invocation a message belongs"},
    {AGENTCHAT_EVENT_BRANCH, "/branch", "a chat does not hold the branch of agents that a message comes from"},
    {AGENTCHAT_EVENT_LONG_RUNNING, "/longrunning", "a chat does not hold which calls go on"},
    {AGENTCHAT_EVENT_TRANSFER, "/actions/transfer", no_actions},
    {AGENTCHAT_EVENT_ESCALATE, "/actions/escalate", no_actions},
    {AGENTCHAT_EVENT_SKIP_SUMMARIZATION, "/actions/skipsummarization", no_actions},
    {AGENTCHAT_EVENT_ARTIFACTS, "/actions/artifacts", no_actions},
    {AGENTCHAT_EVENT_COMPACTION, "/actions/compaction", no_actions},
};

/* What a message takes from its event where it has none itself. */
static const struct {
    agentchat_event_field of_event;
    agentchat_field of_message;
    const char *where;
} taken[] = {
    {AGENTCHAT_EVENT_ID, AGENTCHAT_FIELD_ID, "/id"},
    {AGENTCHAT_EVENT_AUTHOR, AGENTCHAT_FIELD_NAME, "/author"},
    {AGENTCHAT_EVENT_TIME, AGENTCHAT_FIELD_TIME, "/time"},
};

typedef struct listing {
    agentchat_report *report;
    size_t index; /* of the event */
    aci_buf path;
    bool ok;
} listing;

/* where: below the event. name: one more step, or absent. */
static void add(listing *l, agentchat_report_kind kind, const char *where, agentchat_str name, const char *sentence)
{
    agentchat_str none = {NULL, 0};

    l->path.len = 0;
    l->ok = l->ok && aci_buf_printf(&l->path, "/events/%zu%s", l->index, where) &&
            (name.ptr == NULL || aci_json_pointer_add(&l->path, name)) &&
            aci_report_add(l->report, kind, AGENTCHAT_MATCH_NONE, aci_buf_str(&l->path), none, "%s", sentence);
}

static void add_loss(listing *l, const char *where, const char *sentence)
{
    add(l, AGENTCHAT_REPORT_LOSS, where, (agentchat_str){NULL, 0}, sentence);
}

static void add_extras(listing *l, const char *where, const aci_extras *extras)
{
    for (size_t i = 0; i < aci_extras_count(extras); i++)
        add(l, AGENTCHAT_REPORT_LOSS, where, aci_extras_at(extras, i)->name, no_extra);
}

static void add_changes(listing *l, const agentchat_event *event)
{
    static const struct {
        agentchat_change_kind kind;
        const char *where;
    } kinds[] = {{AGENTCHAT_CHANGE_SET, "/actions/statedelta"},
                 {AGENTCHAT_CHANGE_DELETE, "/actions/statedelete"},
                 {AGENTCHAT_CHANGE_ADD, "/actions/stateadd"}};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bool has = false;

        for (size_t i = 0; i < event->change_count && !has; i++)
            has = event->changes[i].kind == kinds[k].kind;
        if (has)
            add_loss(l, kinds[k].where, no_changes);
    }
}

/* Of an author whom the role of the message names already nothing is lost. */
static bool says_the_same(agentchat_field field, agentchat_str of_event, const agentchat_message *message)
{
    agentchat_str own = agentchat_message_get(message, field);

    return own.ptr == NULL || of_event.len == 0 ||
           (!agentchat_str_is_null(own) && agentchat_str_equal(own, of_event)) ||
           (field == AGENTCHAT_FIELD_NAME && agentchat_str_equal(agentchat_message_role(message), of_event));
}

static void add_of_message(listing *l, const agentchat_event *event)
{
    const agentchat_message *message = agentchat_event_content(event);

    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!says_the_same(taken[i].of_message, agentchat_event_get(event, taken[i].of_event), message))
            add_loss(l, taken[i].where, own_value);
    if (agentchat_message_role(message).ptr == NULL)
        add(l, AGENTCHAT_REPORT_NOTE, "/content", (agentchat_str){NULL, 0},
            "a message without a role has that of its author: user, or assistant for everybody else");
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (agentchat_event_get(event, left_out[i].field).ptr != NULL)
            add_loss(l, left_out[i].where, left_out[i].sentence);
    add_changes(l, event);
    add_extras(l, "", event->extras);
    add_extras(l, "/actions", event->action_extras);
}

agentchat_status aci_session_chat_report_event(agentchat_report *report, const agentchat_event *event, size_t index,
                                               agentchat_error *err)
{
    listing l = {.report = report, .index = index, .ok = true};

    if (report == NULL)
        return AGENTCHAT_OK;
    aci_buf_init(&l.path, event->env, SIZE_MAX);
    if (aci_session_chat_has_message(event))
        add_of_message(&l, event);
    else if (agentchat_event_get(event, AGENTCHAT_EVENT_COMPACTION).ptr != NULL)
        add_loss(&l, "", "a summary of earlier events is not in the chat, which has these events themselves");
    else
        add_loss(&l, "", "an event without a message is not in the chat");
    aci_buf_clear(&l.path);
    return l.ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_session_chat_report_session(agentchat_report *report, const aci_session_data *data,
                                                 bool holds_state, agentchat_error *err)
{
    agentchat_str none = {NULL, 0};
    bool ok = aci_report_add(report, AGENTCHAT_REPORT_LOSS, AGENTCHAT_MATCH_NONE, none, none,
                             "a chat does not hold which session it comes from, its sequence numbers and its earlier "
                             "state");

    if (ok && !holds_state && agentchat_state_count(data->state) > 0)
        ok = aci_report_add(report, AGENTCHAT_REPORT_LOSS, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR("/state"), none,
                            "the state of the session is not in the chat");
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}
