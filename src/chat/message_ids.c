/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chat that gives every message an id, and in which a message takes the place of the one with its id. What that means
 * is LangGraph's add_messages (list_edit/add.c); where nothing is replaced, it costs what comes.
 */
#include "chat/edit_stage.h"

#include "base/error.h"
#include "chat/channel.h"

agentchat_status agentchat_chat_set_message_ids(agentchat_chat *chat, bool on, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    chat->ids.is_on = on;
    aci_chat_drop_ids(chat);
    aci_chat_leave(chat);
    return AGENTCHAT_OK;
}

void aci_chat_drop_ids(agentchat_chat *chat)
{
    aci_index_clear(&chat->ids.positions, chat->env);
    aci_list_clear(&chat->ids.indexed);
    aci_list_init(&chat->ids.indexed, chat->env);
    chat->ids.lacks = false;
}

/* Brings the index up to date with the history. false: out of memory. */
static bool index_history(agentchat_chat *chat)
{
    aci_chat_ids *ids = &chat->ids;
    aci_list_cursor cursor;

    if (!aci_list_is_prefix(&ids->indexed, &chat->history))
        aci_chat_drop_ids(chat);
    aci_list_cursor_begin(&cursor, &chat->history);
    for (size_t i = ids->indexed.count; i < chat->history.count; i++) {
        agentchat_str id = aci_message_id(aci_list_cursor_at(&cursor, i));

        if (id.ptr == NULL) {
            ids->lacks = true;
        } else if (!aci_index_put(&ids->positions, chat->env, id, i)) {
            aci_chat_drop_ids(chat);
            return false;
        }
    }
    aci_list_clear(&ids->indexed);
    aci_list_copy(&ids->indexed, &chat->history);
    return true;
}

static bool has_id(const agentchat_chat *chat, const agentchat_message *message)
{
    agentchat_str id = aci_message_id(message);

    return id.ptr != NULL && aci_index_find(&chat->ids.positions, id) != ACI_INDEX_NONE;
}

/* ---- input ------------------------------------------------------------------------------------------------------ */

/* The history and the channels are edited, and what comes is at its end. */
static agentchat_status merge(agentchat_chat *chat, const agentchat_message *const *messages, size_t count,
                              agentchat_error *err)
{
    agentchat_list_edit *edit = NULL;
    agentchat_message_update *updates;
    agentchat_status status;
    size_t size;

    updates = aci_alloc_array(chat->env, count, sizeof *updates, &size);
    if (updates == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count; i++)
        updates[i] = (agentchat_message_update){messages[i], {NULL, 0}};
    status = agentchat_messages_add(chat->env, &chat->history, updates, count, &edit, err);
    aci_free(chat->env, updates, size);
    if (status >= 0)
        status = aci_chat_edit(chat, edit, NULL, false, err);
    agentchat_list_edit_free(edit);
    /* What a channel does not accept stays queued and is reported at its next use. */
    for (size_t i = 0; status >= 0 && i < chat->channel_count; i++)
        (void)aci_channel_deliver(chat, chat->channels[i], NULL);
    return status;
}

/* Whether the messages can be appended, once they have ids: none has that of another. */
static agentchat_status are_new(agentchat_chat *chat, const agentchat_message *const *messages, size_t count, bool *out,
                                agentchat_error *err)
{
    aci_index among = {0};
    agentchat_status status = AGENTCHAT_OK;

    if (!index_history(chat))
        return aci_fail_nomem(err);
    *out = !chat->ids.lacks;
    for (size_t i = 0; status >= 0 && *out && i < count; i++) {
        agentchat_str id = aci_message_id(messages[i]);

        *out = !has_id(chat, messages[i]) && (id.ptr == NULL || aci_index_find(&among, id) == ACI_INDEX_NONE);
        if (id.ptr != NULL && !aci_index_put(&among, chat->env, id, i))
            status = aci_fail_nomem(err);
    }
    aci_index_clear(&among, chat->env);
    return status;
}

static agentchat_status append(agentchat_chat *chat, const agentchat_message *const *messages, size_t count,
                               agentchat_error *err)
{
    const agentchat_message **given;
    agentchat_status status = AGENTCHAT_OK;
    size_t size, made = 0;

    given = aci_alloc_array(chat->env, count, sizeof *given, &size);
    if (given == NULL)
        return aci_fail_nomem(err);
    for (; status >= 0 && made < count; made += status >= 0)
        status = aci_model_with_id(chat->env, messages[made], &given[made], err);
    if (status >= 0)
        status = aci_chat_add(chat, given, count, err);
    while (made > 0)
        agentchat_message_unref(given[--made]);
    aci_free(chat->env, given, size);
    return status;
}

agentchat_status aci_chat_add_input(agentchat_chat *chat, const agentchat_message *const *messages, size_t count,
                                    agentchat_error *err)
{
    bool is_new = true;
    agentchat_status status;

    if (!chat->ids.is_on)
        return aci_chat_add(chat, messages, count, err);
    status = are_new(chat, messages, count, &is_new, err);
    if (status < 0)
        return status;
    return is_new ? append(chat, messages, count, err) : merge(chat, messages, count, err);
}

/* ---- an answer -------------------------------------------------------------------------------------------------- */

/* The next chat that hears what is said in this one. */
static agentchat_chat *outer_of(const agentchat_chat *chat)
{
    return chat->says_outside ? chat->outer : NULL;
}

/* Whether it, or a chat that hears it, gives ids: then all of them do. */
static bool gives_ids(const agentchat_chat *chat)
{
    for (; chat != NULL; chat = outer_of(chat))
        if (chat->ids.is_on)
            return true;
    return false;
}

agentchat_status aci_chat_identify(const agentchat_chat *chat, const agentchat_message *message,
                                   const agentchat_message **out, agentchat_error *err)
{
    if (gives_ids(chat))
        return aci_model_with_id(chat->env, message, out, err);
    *out = agentchat_message_ref(message);
    return AGENTCHAT_OK;
}

agentchat_status aci_chat_replaces(agentchat_chat *chat, const agentchat_message *message, bool *out,
                                   agentchat_error *err)
{
    *out = false;
    if (!gives_ids(chat))
        return AGENTCHAT_OK;
    for (agentchat_chat *heard = chat; heard != NULL; heard = outer_of(heard)) {
        if (!index_history(heard))
            return aci_fail_nomem(err);
        *out = *out || has_id(heard, message);
    }
    for (; *out && chat != NULL; chat = outer_of(chat))
        if (!aci_list_append(&chat->ids.said, message))
            return aci_fail_nomem(err);
    return AGENTCHAT_OK;
}

agentchat_status aci_chat_end_answer(agentchat_chat *chat, bool is_given, agentchat_error *err)
{
    agentchat_messages said = chat->ids.said;
    const agentchat_message **flat;
    agentchat_status status = AGENTCHAT_OK;
    size_t size;

    aci_list_init(&chat->ids.said, chat->env);
    if (is_given && said.count > 0) {
        flat = aci_alloc_array(chat->env, said.count, sizeof *flat, &size);
        if (flat == NULL) {
            status = aci_fail_nomem(err);
        } else {
            aci_list_flatten(&said, flat);
            status = merge(chat, flat, said.count, err);
            aci_free(chat->env, flat, size);
        }
    }
    aci_list_clear(&said);
    return status;
}
