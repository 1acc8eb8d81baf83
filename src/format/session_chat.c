/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a session as a chat: each content is a message of the history, each author but the user a participant.
 * A message takes from its event what it has not itself; one that lacks nothing is shared and not copied.
 */
#include "format/session_chat.h"

#include "base/error.h"
#include "base/index.h"
#include "model/model.h"

typedef struct making {
    const aci_session_data *data;
    agentchat_snapshot_builder *builder;
    aci_index participants; /* by author */
} making;

/* Fields that a message takes from its event. */
typedef struct taking {
    agentchat_field field;
    agentchat_str text;
} taking;
enum { MOST_TAKEN = 4 };

/* ---- messages ------------------------------------------------------------------------------------------------- */

static size_t add_taken(taking *taken, size_t count, const agentchat_message *message, agentchat_field field,
                        agentchat_str text)
{
    if (agentchat_message_get(message, field).ptr != NULL || text.len == 0)
        return count;
    taken[count] = (taking){field, text};
    return count + 1;
}

/* The author is the message's name unless its role says the same. */
static size_t list_taken(const agentchat_event *event, taking taken[MOST_TAKEN])
{
    const agentchat_message *message = agentchat_event_content(event);
    agentchat_str author = agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR);
    agentchat_str role = agentchat_message_role(message);
    size_t count = 0;

    if (role.ptr == NULL) {
        role = agentchat_str_equal(author, AGENTCHAT_STR("user")) ? author : AGENTCHAT_STR("assistant");
        count = add_taken(taken, count, message, AGENTCHAT_FIELD_ROLE, role);
    }
    if (!agentchat_str_equal(author, role))
        count = add_taken(taken, count, message, AGENTCHAT_FIELD_NAME, author);
    count = add_taken(taken, count, message, AGENTCHAT_FIELD_ID, agentchat_event_get(event, AGENTCHAT_EVENT_ID));
    return add_taken(taken, count, message, AGENTCHAT_FIELD_TIME, agentchat_event_get(event, AGENTCHAT_EVENT_TIME));
}

/* A message with the same items and more fields, in an arena of its own. NULL: out of memory. */
static agentchat_message *complete(const agentchat_env *env, const agentchat_message *message, const taking *taken,
                                   size_t count)
{
    aci_arena *arena = aci_arena_new(env, aci_message_copy_size(message) + 512);
    const agentchat_message *copy = arena != NULL ? aci_message_copy(message, arena) : NULL;
    agentchat_message *full = NULL;
    bool ok = copy != NULL;
    aci_draft draft;

    aci_draft_begin(&draft);
    for (size_t i = 0; ok && i < copy->field_count; i++)
        draft.fields[draft.field_count++] = copy->fields[i];
    for (size_t i = 0; ok && i < count; i++)
        aci_draft_set(&draft, taken[i].field, ACI_FORM_TEXT, aci_arena_copy(arena, taken[i].text, &ok));
    if (ok)
        full = aci_draft_message(&draft, arena, copy->items, copy->item_count, copy->flags);
    if (full == NULL) {
        aci_arena_unref(arena);
        return NULL;
    }
    full->extras = copy->extras;
    return full; /* the reference on the arena is the message's */
}

/* The author takes part when a message bears that name; the user is no participant, as in every chat. */
static bool add_participant(making *m, agentchat_str author, const agentchat_message *message)
{
    agentchat_str name = agentchat_message_name(message), none = {NULL, 0};
    size_t count = m->participants.count;

    if (name.len == 0 || !agentchat_str_equal(name, author) || agentchat_str_equal(author, AGENTCHAT_STR("user")))
        return true;
    if (!aci_index_add(&m->participants, m->data->env, author, count))
        return false;
    if (m->participants.count > count)
        agentchat_snapshot_builder_add_participant(m->builder, author, author, none);
    return true;
}

static bool add_message(making *m, const agentchat_event *event)
{
    const agentchat_message *content = agentchat_event_content(event);
    taking taken[MOST_TAKEN];
    size_t count = list_taken(event, taken);
    agentchat_message *message =
        count > 0 ? complete(m->data->env, content, taken, count) : agentchat_message_ref(content);
    bool ok;

    if (message == NULL)
        return false;
    agentchat_snapshot_builder_add_message(m->builder, message);
    ok = add_participant(m, agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR), message);
    agentchat_message_unref(message);
    return ok;
}

/* ---- the chat ------------------------------------------------------------------------------------------------- */

static agentchat_status add_state(making *m, agentchat_str name, agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status = agentchat_state_write(m->data->state, &text, err);
    agentchat_str none = {NULL, 0};

    if (status >= 0)
        agentchat_snapshot_builder_set_value(m->builder, name, none, (agentchat_str){text.ptr, text.len});
    agentchat_bytes_clear(&text);
    return status;
}

static agentchat_status fill(making *m, agentchat_str state_name, agentchat_report *report, agentchat_error *err)
{
    const aci_session_data *data = m->data;
    bool takes_state = state_name.ptr != NULL && agentchat_state_count(data->state) > 0;
    agentchat_status status = aci_session_chat_report_session(report, data, state_name.ptr != NULL, err);

    for (size_t i = 0; i < data->event_count && status >= 0; i++) {
        if (aci_session_chat_has_message(data->events[i]) && !add_message(m, data->events[i]))
            status = aci_fail_nomem(err);
        if (status >= 0)
            status = aci_session_chat_report_event(report, data->events[i], aci_session_event_index(data, i), err);
    }
    return status >= 0 && takes_state ? add_state(m, state_name, err) : status;
}

agentchat_status aci_session_chat_make(const aci_session_data *data, agentchat_str state_name, agentchat_report *report,
                                       agentchat_snapshot **out, agentchat_error *err)
{
    making m = {.data = data};
    agentchat_status status = agentchat_snapshot_builder_new(data->env, NULL, &m.builder, err);

    *out = NULL;
    if (status >= 0)
        status = fill(&m, state_name, report, err);
    aci_index_clear(&m.participants, data->env);
    if (status < 0) {
        agentchat_snapshot_builder_free(m.builder);
        return status;
    }
    return agentchat_snapshot_builder_finish(m.builder, out, err);
}
