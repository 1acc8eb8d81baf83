/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a snapshot without a chat. Layer 3.
 *
 * Text goes into the home that the snapshot will have; a snapshot to start from is copied text by text (there is little
 * of it), while its messages and nested chats are shared. So a snapshot never keeps another one alive, however often a
 * chat is edited. The first failure sticks.
 */
#include "snapshot/edit.h"

#include "base/buf.h"
#include "base/error.h"
#include "model/check.h"
#include <string.h>

bool aci_edit_is_broken(const agentchat_snapshot_builder *b)
{
    return b == NULL || b->status < 0;
}

void aci_edit_nomem(agentchat_snapshot_builder *b)
{
    b->status = aci_fail_nomem(&b->error);
}

/* Makes the failure in b->error stick, at /list/index/member, or /list/index if member is empty. */
void aci_edit_fail(agentchat_snapshot_builder *b, agentchat_status status, const char *list, size_t index,
                   const char *member)
{
    char place[64];

    snprintf(place, sizeof place, *member != '\0' ? "/%s/%zu/%s" : "/%s/%zu", list, index, member);
    aci_error_path_prepend(&b->error, agentchat_str_from(place));
    b->status = status;
}

void aci_edit_refuse(agentchat_snapshot_builder *b, const char *list, size_t index, const char *member,
                     const char *message)
{
    aci_edit_fail(b, aci_fail(&b->error, AGENTCHAT_E_INVALID, "%s", message), list, index, member);
}

void aci_edit_copy(agentchat_snapshot_builder *b, agentchat_str *text)
{
    bool ok = true;

    *text = aci_home_copy(b->home, *text, &ok);
    if (!ok)
        aci_edit_nomem(b);
}

/* Checks text and copies it. */
void aci_edit_text(agentchat_snapshot_builder *b, agentchat_str *text, const char *list, size_t index,
                   const char *member)
{
    agentchat_status status;

    if (aci_edit_is_broken(b))
        return;
    status = aci_check_text(*text, &b->error);
    if (status < 0)
        aci_edit_fail(b, status, list, index, member);
    else
        aci_edit_copy(b, text);
}

agentchat_snapshot_builder *agentchat_snapshot_builder_new(const agentchat_env *env, const agentchat_snapshot *from)
{
    agentchat_snapshot_builder *b;

    env = aci_env(env);
    b = aci_alloc_zero(env, sizeof *b);
    if (b == NULL)
        return NULL;
    b->env = env;
    agentchat_error_clear(&b->error);
    aci_list_init(&b->history, env);
    b->home = aci_home_new(env, 0);
    if (b->home == NULL || (from != NULL && !aci_edit_start(b, from))) {
        agentchat_snapshot_builder_free(b);
        return NULL;
    }
    return b;
}

/* ---- history -------------------------------------------------------------------------------------------------- */

void agentchat_snapshot_builder_add_message(agentchat_snapshot_builder *builder, const agentchat_message *message)
{
    if (aci_edit_is_broken(builder))
        return;
    if (message == NULL) {
        aci_edit_refuse(builder, "history", builder->history.count, "", "the message to add is NULL");
        return;
    }
    if (!aci_list_append(&builder->history, message))
        aci_edit_nomem(builder);
}

void agentchat_snapshot_builder_replace(agentchat_snapshot_builder *builder, size_t first, size_t count,
                                        const agentchat_messages *with)
{
    agentchat_messages edited;
    size_t total, inserted = agentchat_messages_count(with);

    if (aci_edit_is_broken(builder))
        return;
    total = builder->history.count;
    if (first > total || count > total - first) {
        builder->status = aci_fail(&builder->error, AGENTCHAT_E_INVALID,
                                   "messages %zu to %zu are to be replaced, but there are only %zu", first,
                                   count > SIZE_MAX - first ? SIZE_MAX : first + count, total);
        aci_error_path(&builder->error, AGENTCHAT_STR("/history"));
        return;
    }
    aci_list_prefix(&edited, &builder->history, first);
    if ((inserted > 0 && !aci_list_append_range(&edited, with, 0, inserted)) ||
        !aci_list_append_range(&edited, &builder->history, first + count, total - first - count)) {
        aci_list_clear(&edited);
        aci_edit_nomem(builder);
        return;
    }
    aci_list_clear(&builder->history);
    builder->history = edited;
    for (size_t i = 0; i < builder->channel_count; i++)
        aci_edit_move(&builder->channels[i], first, count, inserted);
}

/* ---- participants --------------------------------------------------------------------------------------------- */

void agentchat_snapshot_builder_add_participant(agentchat_snapshot_builder *builder, agentchat_str id,
                                                agentchat_str name, agentchat_str type)
{
    size_t index, same;
    void *array;

    if (aci_edit_is_broken(builder))
        return;
    index = builder->participant_count;
    if (!aci_is_given(id) || id.len == 0) {
        aci_edit_refuse(builder, "participants", index, "id", "a participant needs an id that is not empty");
        return;
    }
    same = aci_index_find(&builder->participant_ids, id);
    if (same != ACI_INDEX_NONE) {
        aci_edit_fail(builder,
                      aci_fail(&builder->error, AGENTCHAT_E_EXISTS, "participant %zu has the same id already", same),
                      "participants", index, "id");
        return;
    }
    aci_edit_text(builder, &id, "participants", index, "id");
    aci_edit_text(builder, &name, "participants", index, "name");
    aci_edit_text(builder, &type, "participants", index, "type");
    if (aci_edit_is_broken(builder))
        return;
    array = builder->participants;
    if (!aci_grow(builder->env, &array, &builder->participant_cap, index, sizeof *builder->participants)) {
        aci_edit_nomem(builder);
        return;
    }
    builder->participants = array;
    if (!aci_index_add(&builder->participant_ids, builder->env, id, index)) {
        aci_edit_nomem(builder);
        return;
    }
    builder->participants[index] = (agentchat_participant){id, name, type, NULL};
    builder->participant_count++;
}

/* ---- named values --------------------------------------------------------------------------------------------- */

static void remove_value(agentchat_snapshot_builder *b, size_t index)
{
    agentchat_str name;

    if (index == b->value_count)
        return;
    name = b->values[index].name;
    memmove(&b->values[index], &b->values[index + 1], (--b->value_count - index) * sizeof *b->values);
    aci_index_remove(&b->value_names, name, index);
    for (size_t i = index; i < b->value_count; i++) /* a snapshot to start from may have two of a name */
        if (agentchat_str_equal(b->values[i].name, name) && !aci_index_add(&b->value_names, b->env, name, i))
            aci_edit_nomem(b);
}

void agentchat_snapshot_builder_set_value(agentchat_snapshot_builder *builder, agentchat_str name,
                                          agentchat_str media_type, agentchat_str value)
{
    size_t index;
    agentchat_status status = AGENTCHAT_OK;
    void *array;

    if (aci_edit_is_broken(builder))
        return;
    index = aci_index_find(&builder->value_names, name);
    if (index == ACI_INDEX_NONE)
        index = builder->value_count;
    if (!aci_is_given(name) || name.len == 0) {
        aci_edit_refuse(builder, "values", index, "name", "a value needs a name that is not empty");
        return;
    }
    if (value.ptr == NULL) {
        remove_value(builder, index);
        return;
    }
    if (agentchat_str_is_null(media_type))
        media_type = (agentchat_str){NULL, 0};
    if (agentchat_str_is_null(value))
        value = media_type.ptr == NULL ? AGENTCHAT_STR("null") : AGENTCHAT_STR("");
    aci_edit_text(builder, &name, "values", index, "name");
    aci_edit_text(builder, &media_type, "values", index, "mediatype");
    if (!aci_edit_is_broken(builder) && media_type.ptr == NULL)
        status = aci_check_json(builder->env, &value, &builder->error);
    if (status < 0)
        aci_edit_fail(builder, status, "values", index, "value");
    if (!aci_edit_is_broken(builder))
        aci_edit_copy(builder, &value);
    array = builder->values;
    if (!aci_edit_is_broken(builder) &&
        !aci_grow(builder->env, &array, &builder->value_cap, builder->value_count, sizeof *builder->values))
        aci_edit_nomem(builder);
    builder->values = array;
    if (!aci_edit_is_broken(builder) && !aci_index_add(&builder->value_names, builder->env, name, index))
        aci_edit_nomem(builder);
    if (aci_edit_is_broken(builder))
        return;
    builder->values[index] = (aci_value){name, media_type, value};
    if (index == builder->value_count)
        builder->value_count++;
}

void agentchat_snapshot_builder_set_progress(agentchat_snapshot_builder *builder, uint64_t next_turn, bool complete)
{
    if (aci_edit_is_broken(builder))
        return;
    if (next_turn > ACI_HIGHEST_INTEGER) {
        aci_fail(&builder->error, AGENTCHAT_E_INVALID, "the turn is above 9007199254740991");
        aci_error_path_prepend(&builder->error, AGENTCHAT_STR("/turn"));
        builder->status = AGENTCHAT_E_INVALID;
        return;
    }
    builder->next_turn = next_turn;
    builder->is_complete = complete;
}

/* ---- the end -------------------------------------------------------------------------------------------------- */

/* Positions can be judged only now: messages may be added after the channel that refers to them. */
static void check_positions(agentchat_snapshot_builder *b)
{
    size_t count = b->history.count;

    for (size_t i = 0; i < b->channel_count && !aci_edit_is_broken(b); i++) {
        const agentchat_channel_state *channel = &b->channels[i];

        if (channel->pending_count > 0 && channel->pending[channel->pending_count - 1] >= count)
            aci_edit_refuse(b, "channels", i, "pending",
                            "a message is said to be queued that the history does not have");
        if (!aci_edit_is_broken(b) && b->channels[i].synced != AGENTCHAT_SYNCED_UNKNOWN &&
            b->channels[i].synced > count)
            aci_edit_fail(b,
                          aci_fail(&b->error, AGENTCHAT_E_INVALID,
                                   "the channel is said to know %zu messages, but the history has only %zu",
                                   b->channels[i].synced, count),
                          "channels", i, "synced");
    }
}

/* Copies an array into the home; an empty one is NULL. */
static void *settle(agentchat_snapshot_builder *b, const void *array, size_t count, size_t elem)
{
    void *copy;

    if (count == 0 || aci_edit_is_broken(b))
        return NULL;
    copy = aci_home_alloc(b->home, count * elem);
    if (copy == NULL)
        aci_edit_nomem(b);
    else
        memcpy(copy, array, count * elem);
    return copy;
}

static agentchat_snapshot *assemble(agentchat_snapshot_builder *b)
{
    agentchat_participant *participants = settle(b, b->participants, b->participant_count, sizeof *participants);
    agentchat_channel_state *channels = settle(b, b->channels, b->channel_count, sizeof *channels);
    aci_value *values = settle(b, b->values, b->value_count, sizeof *values);
    agentchat_snapshot *snapshot;

    if (aci_edit_is_broken(b))
        return NULL;
    snapshot = aci_snapshot_new(b->env, aci_home_ref(b->home));
    if (snapshot == NULL) {
        aci_edit_nomem(b);
        return NULL;
    }
    aci_list_copy(&snapshot->history, &b->history);
    snapshot->history_spelling = b->history_spelling;
    snapshot->bare_history = b->bare_history;
    snapshot->participants = participants;
    snapshot->participant_count = b->participant_count;
    snapshot->channels = channels;
    snapshot->channel_count = b->channel_count;
    b->channel_count = 0; /* their messages and chats are the snapshot's now */
    snapshot->extras = b->extras;
    snapshot->next_turn = b->next_turn;
    snapshot->source_bytes = b->source_bytes;
    snapshot->is_complete = b->is_complete;
    if (!aci_snapshot_set_values(snapshot, values, b->value_count)) {
        agentchat_snapshot_unref(snapshot);
        aci_edit_nomem(b);
        return NULL;
    }
    return snapshot;
}

agentchat_status agentchat_snapshot_builder_finish(agentchat_snapshot_builder *builder, agentchat_snapshot **out,
                                                   agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL) {
        agentchat_snapshot_builder_free(builder);
        return aci_fail_null(err, "out");
    }
    *out = NULL;
    if (builder == NULL)
        return aci_fail_nomem(err);
    if (!aci_edit_is_broken(builder))
        check_positions(builder);
    if (!aci_edit_is_broken(builder))
        *out = assemble(builder);
    status = builder->status;
    if (status < 0 && err != NULL)
        *err = builder->error;
    agentchat_snapshot_builder_free(builder);
    return status;
}

void agentchat_snapshot_builder_free(agentchat_snapshot_builder *builder)
{
    const agentchat_env *env;

    if (builder == NULL)
        return;
    env = builder->env;
    for (size_t i = 0; i < builder->channel_count; i++)
        aci_edit_drop_state(&builder->channels[i]);
    aci_list_clear(&builder->history);
    aci_index_clear(&builder->participant_ids, env);
    aci_index_clear(&builder->channel_keys, env);
    aci_index_clear(&builder->value_names, env);
    aci_free(env, builder->participants, builder->participant_cap * sizeof *builder->participants);
    aci_free(env, builder->channels, builder->channel_cap * sizeof *builder->channels);
    aci_free(env, builder->values, builder->value_cap * sizeof *builder->values);
    aci_home_unref(builder->home);
    aci_free(env, builder, sizeof *builder);
}
