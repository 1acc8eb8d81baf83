/* SPDX-License-Identifier: Apache-2.0 */
/* A session's events as the history of a chat. */
#include "session/session.h"

#include "base/error.h"
#include "model/model.h"

/* The fields of an event that its message takes where it has none of its own. */
static const struct {
    agentchat_event_field of_event;
    agentchat_field of_message;
} taken[] = {
    {AGENTCHAT_EVENT_AUTHOR, AGENTCHAT_FIELD_NAME},
    {AGENTCHAT_EVENT_ID, AGENTCHAT_FIELD_ID},
    {AGENTCHAT_EVENT_TIME, AGENTCHAT_FIELD_TIME},
};

static bool is_missing(const agentchat_message *message, const agentchat_event *event, size_t i)
{
    return agentchat_message_get(message, taken[i].of_message).ptr == NULL &&
           agentchat_event_get(event, taken[i].of_event).len > 0;
}

/* A message with the same items and more fields, in an arena of its own. NULL: out of memory. */
static agentchat_message *complete(const agentchat_env *env, const agentchat_event *event)
{
    const agentchat_message *message = agentchat_event_content(event);
    aci_arena *arena = aci_arena_new(env, aci_message_copy_size(message) * 2 + 512);
    const agentchat_message *copy = arena != NULL ? aci_message_copy(message, arena) : NULL;
    agentchat_message *full = NULL;
    bool ok = copy != NULL;
    aci_draft draft;

    aci_draft_begin(&draft);
    for (size_t i = 0; ok && i < copy->field_count; i++)
        draft.fields[draft.field_count++] = copy->fields[i];
    for (size_t i = 0; ok && i < sizeof taken / sizeof *taken; i++) {
        if (is_missing(message, event, i))
            aci_draft_set(&draft, taken[i].of_message, ACI_FORM_TEXT,
                          aci_arena_copy(arena, agentchat_event_get(event, taken[i].of_event), &ok));
    }
    if (ok)
        full = aci_draft_message(&draft, arena, copy->items, copy->item_count, copy->flags);
    if (full == NULL) {
        aci_arena_unref(arena);
        return NULL;
    }
    full->extras = copy->extras;
    return full; /* the reference on the arena is the message's */
}

static bool add_event(const agentchat_session *session, const agentchat_event *event,
                      agentchat_snapshot_builder *builder)
{
    const agentchat_message *content = agentchat_event_content(event);
    agentchat_message *message;
    bool missing = false;

    if (content == NULL || (content->flags & ACI_MESSAGE_IS_NULL) != 0)
        return true;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        missing = missing || is_missing(content, event, i);
    message = missing ? complete(session->env, event) : agentchat_message_ref(content);
    if (message == NULL)
        return false;
    agentchat_snapshot_builder_add_message(builder, message);
    agentchat_message_unref(message);
    return true;
}

/* The merged state without `temp:` as a named value. */
static agentchat_status add_state(const agentchat_session *session, agentchat_str name,
                                  agentchat_snapshot_builder *builder, agentchat_error *err)
{
    agentchat_state *stored = aci_scope_copy_stored(session, false);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_str none = {NULL, 0};
    agentchat_status status = stored != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);

    if (status >= 0)
        status = agentchat_state_write(stored, &text, err);
    if (status >= 0)
        agentchat_snapshot_builder_set_value(builder, name, none, (agentchat_str){text.ptr, text.len});
    agentchat_bytes_clear(&text);
    agentchat_state_free(stored);
    return status;
}

agentchat_status agentchat_session_snapshot(const agentchat_session *session, agentchat_str state_name,
                                            agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_snapshot_builder *builder;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (session == NULL)
        return aci_fail_null(err, "session");
    status = agentchat_snapshot_builder_new(session->env, NULL, &builder, err);
    for (size_t i = 0; i < session->view.events.count && status >= 0; i++) {
        if (!add_event(session, session->view.events.list[i], builder))
            status = aci_fail_nomem(err);
    }
    if (status >= 0 && state_name.ptr != NULL)
        status = add_state(session, state_name, builder, err);
    if (status < 0) {
        agentchat_snapshot_builder_free(builder);
        return status;
    }
    return agentchat_snapshot_builder_finish(builder, out, err);
}
