/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a snapshot without a chat.
 *
 * Text goes into the arena that the snapshot will have; a snapshot to start from is copied text by text (there is
 * little of it), while its messages and nested chats are shared. So a snapshot never keeps another one alive, however
 * often a chat is edited. The first failure sticks.
 */
#include "snapshot/builder.h"

#include "base/buf.h"
#include "base/error.h"
#include "model/check.h"
#include <string.h>

agentchat_status agentchat_snapshot_builder_new(const agentchat_env *env, const agentchat_snapshot *from,
                                                agentchat_snapshot_builder **out, agentchat_error *err)
{
    agentchat_snapshot_builder *b;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    env = aci_env(env);
    b = aci_alloc_zero(env, sizeof *b);
    if (b == NULL)
        return aci_fail_nomem(err);
    b->env = env;
    agentchat_error_clear(&b->error);
    aci_list_init(&b->history, env);
    b->arena = aci_arena_new(env, 0);
    if (b->arena == NULL || (from != NULL && !aci_snapshot_builder_start(b, from))) {
        agentchat_snapshot_builder_free(b);
        return aci_fail_nomem(err);
    }
    *out = b;
    return AGENTCHAT_OK;
}

/* ---- history -------------------------------------------------------------------------------------------------- */

void agentchat_snapshot_builder_add_message(agentchat_snapshot_builder *builder, const agentchat_message *message)
{
    if (aci_snapshot_builder_is_broken(builder))
        return;
    if (message == NULL) {
        aci_snapshot_builder_refuse(builder, "history", builder->history.count, "", "the message to add is NULL");
        return;
    }
    if (!aci_list_append(&builder->history, message))
        aci_snapshot_builder_nomem(builder);
}

void agentchat_snapshot_builder_replace(agentchat_snapshot_builder *builder, size_t first, size_t count,
                                        const agentchat_messages *with)
{
    agentchat_messages edited;
    size_t total, inserted = agentchat_messages_count(with);

    if (aci_snapshot_builder_is_broken(builder))
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
        aci_snapshot_builder_nomem(builder);
        return;
    }
    aci_list_clear(&builder->history);
    builder->history = edited;
    for (size_t i = 0; i < builder->channel_count; i++)
        aci_snapshot_builder_move(&builder->channels[i], first, count, inserted);
}

/* ---- participants --------------------------------------------------------------------------------------------- */

void agentchat_snapshot_builder_add_participant(agentchat_snapshot_builder *builder, agentchat_str id,
                                                agentchat_str name, agentchat_str type)
{
    size_t index, same;
    void *array;

    if (aci_snapshot_builder_is_broken(builder))
        return;
    index = builder->participant_count;
    if (!aci_is_given(id) || id.len == 0) {
        aci_snapshot_builder_refuse(builder, "participants", index, "id",
                                    "a participant needs an id that is not empty");
        return;
    }
    same = aci_index_find(&builder->participant_ids, id);
    if (same != ACI_INDEX_NONE) {
        aci_snapshot_builder_fail(
            builder, aci_fail(&builder->error, AGENTCHAT_E_EXISTS, "participant %zu has the same id already", same),
            "participants", index, "id");
        return;
    }
    aci_snapshot_builder_text(builder, &id, "participants", index, "id");
    aci_snapshot_builder_text(builder, &name, "participants", index, "name");
    aci_snapshot_builder_text(builder, &type, "participants", index, "type");
    if (aci_snapshot_builder_is_broken(builder))
        return;
    array = builder->participants;
    if (!aci_grow(builder->env, &array, &builder->participant_cap, index, sizeof *builder->participants)) {
        aci_snapshot_builder_nomem(builder);
        return;
    }
    builder->participants = array;
    if (!aci_index_add(&builder->participant_ids, builder->env, id, index)) {
        aci_snapshot_builder_nomem(builder);
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
    aci_value_list_unref(b->values[index].list);
    memmove(&b->values[index], &b->values[index + 1], (--b->value_count - index) * sizeof *b->values);
    aci_index_remove(&b->value_names, name, index);
    for (size_t i = index; i < b->value_count; i++) /* a snapshot to start from may have two of a name */
        if (agentchat_str_equal(b->values[i].name, name) && !aci_index_add(&b->value_names, b->env, name, i))
            aci_snapshot_builder_nomem(b);
}

void agentchat_snapshot_builder_set_value(agentchat_snapshot_builder *builder, agentchat_str name,
                                          agentchat_str media_type, agentchat_str value)
{
    size_t index;
    agentchat_status status = AGENTCHAT_OK;
    void *array;

    if (aci_snapshot_builder_is_broken(builder))
        return;
    index = aci_index_find(&builder->value_names, name);
    if (index == ACI_INDEX_NONE)
        index = builder->value_count;
    if (!aci_is_given(name) || name.len == 0) {
        aci_snapshot_builder_refuse(builder, "values", index, "name", "a value needs a name that is not empty");
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
    aci_snapshot_builder_text(builder, &name, "values", index, "name");
    aci_snapshot_builder_text(builder, &media_type, "values", index, "mediatype");
    if (!aci_snapshot_builder_is_broken(builder) && media_type.ptr == NULL)
        status = aci_check_json(builder->env, &value, &builder->error);
    if (status < 0)
        aci_snapshot_builder_fail(builder, status, "values", index, "value");
    if (!aci_snapshot_builder_is_broken(builder))
        aci_snapshot_builder_copy(builder, &value);
    array = builder->values;
    if (!aci_snapshot_builder_is_broken(builder) &&
        !aci_grow(builder->env, &array, &builder->value_cap, builder->value_count, sizeof *builder->values))
        aci_snapshot_builder_nomem(builder);
    builder->values = array;
    if (!aci_snapshot_builder_is_broken(builder) && !aci_index_add(&builder->value_names, builder->env, name, index))
        aci_snapshot_builder_nomem(builder);
    if (aci_snapshot_builder_is_broken(builder))
        return;
    if (index == builder->value_count)
        builder->value_count++;
    else
        aci_value_list_unref(builder->values[index].list);
    builder->values[index] = (aci_value){.name = name, .media_type = media_type, .value = value};
}

void agentchat_snapshot_builder_set_progress(agentchat_snapshot_builder *builder, uint64_t next_turn, bool complete)
{
    if (aci_snapshot_builder_is_broken(builder))
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

void agentchat_snapshot_builder_set_form(agentchat_snapshot_builder *builder, agentchat_str form)
{
    const char *mismatch = NULL;
    agentchat_status status = AGENTCHAT_OK;

    if (aci_snapshot_builder_is_broken(builder))
        return;
    if (!aci_is_given(form))
        form = (agentchat_str){NULL, 0};
    else
        status = aci_check_json(builder->env, &form, &builder->error);
    if (status >= 0 && form.ptr != NULL)
        mismatch = aci_field_mismatch(AGENTCHAT_FIELD_FORM, form);
    if (mismatch != NULL)
        status = aci_fail(&builder->error, AGENTCHAT_E_INVALID, "a form mark %s", mismatch);
    if (status < 0) {
        aci_error_path_prepend(&builder->error, AGENTCHAT_STR("/form"));
        builder->status = status;
        return;
    }
    aci_snapshot_builder_copy(builder, &form);
    builder->form = form;
}

/* ---- the end -------------------------------------------------------------------------------------------------- */

/* Positions can be checked only now: messages may be added after the channel that refers to them. */
static void check_positions(agentchat_snapshot_builder *b)
{
    size_t count = b->history.count;

    for (size_t i = 0; i < b->channel_count && !aci_snapshot_builder_is_broken(b); i++) {
        const agentchat_channel_state *channel = &b->channels[i];

        if (channel->pending_count > 0 && channel->pending[channel->pending_count - 1] >= count)
            aci_snapshot_builder_refuse(b, "channels", i, "pending",
                                        "a message is said to be queued that the history does not have");
        if (!aci_snapshot_builder_is_broken(b) && b->channels[i].synced != AGENTCHAT_SYNCED_UNKNOWN &&
            b->channels[i].synced > count)
            aci_snapshot_builder_fail(b,
                                      aci_fail(&b->error, AGENTCHAT_E_INVALID,
                                               "the channel is said to know %zu messages, but the history has only %zu",
                                               b->channels[i].synced, count),
                                      "channels", i, "synced");
    }
}

/* Copies an array into the arena; an empty one is NULL. */
static void *settle(agentchat_snapshot_builder *b, const void *array, size_t count, size_t elem)
{
    void *copy;

    if (count == 0 || aci_snapshot_builder_is_broken(b))
        return NULL;
    copy = aci_arena_alloc(b->arena, count * elem);
    if (copy == NULL)
        aci_snapshot_builder_nomem(b);
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
    size_t count;

    if (aci_snapshot_builder_is_broken(b))
        return NULL;
    snapshot = aci_snapshot_new(b->env, aci_arena_ref(b->arena));
    if (snapshot == NULL) {
        aci_snapshot_builder_nomem(b);
        return NULL;
    }
    aci_list_copy(&snapshot->history, &b->history);
    snapshot->participants = participants;
    snapshot->participant_count = b->participant_count;
    snapshot->channels = channels;
    snapshot->channel_count = b->channel_count;
    b->channel_count = 0; /* their messages and chats are the snapshot's now */
    snapshot->extras = b->extras;
    snapshot->form = b->form;
    snapshot->next_turn = b->next_turn;
    snapshot->source_bytes = b->source_bytes;
    snapshot->is_complete = b->is_complete;
    count = b->value_count;
    b->value_count = 0; /* their lists are the snapshot's now */
    if (!aci_snapshot_set_values(snapshot, values, count)) {
        agentchat_snapshot_unref(snapshot);
        aci_snapshot_builder_nomem(b);
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
        return aci_fail_null(err, "builder");
    if (!aci_snapshot_builder_is_broken(builder))
        check_positions(builder);
    if (!aci_snapshot_builder_is_broken(builder))
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
        aci_snapshot_builder_drop_state(&builder->channels[i]);
    for (size_t i = 0; i < builder->value_count; i++)
        aci_value_list_unref(builder->values[i].list);
    aci_list_clear(&builder->history);
    aci_index_clear(&builder->participant_ids, env);
    aci_index_clear(&builder->channel_keys, env);
    aci_index_clear(&builder->value_names, env);
    aci_free(env, builder->participants, builder->participant_cap * sizeof *builder->participants);
    aci_free(env, builder->channels, builder->channel_cap * sizeof *builder->channels);
    aci_free(env, builder->values, builder->value_cap * sizeof *builder->values);
    aci_arena_unref(builder->arena);
    aci_free(env, builder, sizeof *builder);
}
