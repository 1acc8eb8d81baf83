/* SPDX-License-Identifier: Apache-2.0 */
/* Starting from another snapshot: its text is copied, its messages and nested chats are shared. */
#include "snapshot/builder.h"

#include "base/buf.h"

static bool copy_participants(agentchat_snapshot_builder *b, const agentchat_snapshot *from)
{
    bool ok = true;

    for (size_t i = 0; ok && i < from->participant_count; i++) {
        agentchat_participant source = from->participants[i];
        void *array = b->participants;

        if (!aci_grow(b->env, &array, &b->participant_cap, i, sizeof *b->participants))
            return false;
        b->participants = array;
        source.extras = NULL;
        aci_snapshot_copy_participant(&b->participants[i], &source, b->arena, &ok);
        b->participants[i].extras = aci_snapshot_builder_copy_extras(b, from->participants[i].extras, &ok);
        b->participant_count = i + 1;
        ok = ok && aci_index_add(&b->participant_ids, b->env, b->participants[i].id, i);
    }
    return ok;
}

static bool copy_channel(agentchat_snapshot_builder *b, const agentchat_channel_state *source)
{
    void *array = b->channels;
    agentchat_channel_state plain = *source, *copy;
    bool ok;

    if (!aci_grow(b->env, &array, &b->channel_cap, b->channel_count, sizeof *b->channels))
        return false;
    b->channels = array;
    copy = &b->channels[b->channel_count++];
    plain.extras = NULL;
    ok = aci_snapshot_copy_channel(copy, &plain, b->arena);
    copy->extras = aci_snapshot_builder_copy_extras(b, source->extras, &ok);
    return ok && aci_index_add(&b->channel_keys, b->env, copy->key, b->channel_count - 1);
}

static bool copy_values(agentchat_snapshot_builder *b, const agentchat_snapshot *from)
{
    bool ok = true;

    for (size_t i = 0; ok && i < from->value_count; i++) {
        const aci_value *value = &from->values[i];
        void *array = b->values;

        if (!aci_grow(b->env, &array, &b->value_cap, i, sizeof *b->values))
            return false;
        b->values = array;
        b->values[i] = (aci_value){.list = aci_value_list_ref(value->list)};
        b->values[i].name = aci_arena_copy(b->arena, value->name, &ok);
        b->values[i].media_type = aci_arena_copy(b->arena, value->media_type, &ok);
        b->values[i].value = aci_arena_copy(b->arena, value->value, &ok);
        b->value_count = i + 1;
        ok = ok && aci_index_add(&b->value_names, b->env, b->values[i].name, i);
    }
    return ok;
}

bool aci_snapshot_builder_start(agentchat_snapshot_builder *b, const agentchat_snapshot *from)
{
    bool ok = true;

    aci_list_copy(&b->history, &from->history);
    b->history.env = b->env;
    b->next_turn = from->next_turn;
    b->source_bytes = from->source_bytes;
    b->is_complete = from->is_complete;
    b->form = aci_arena_copy(b->arena, from->form, &ok);
    b->extras = aci_snapshot_builder_copy_extras(b, from->extras, &ok);
    ok = ok && copy_participants(b, from) && copy_values(b, from);
    for (size_t i = 0; ok && i < from->channel_count; i++)
        ok = copy_channel(b, &from->channels[i]);
    return ok;
}
