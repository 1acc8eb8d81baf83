/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots: counting references, and looking at what is in one. */
#include "snapshot/snapshot.h"

#include <string.h>

agentchat_snapshot *aci_snapshot_new(const agentchat_env *env, aci_arena *arena)
{
    agentchat_snapshot *snapshot = aci_alloc_zero(env, sizeof *snapshot);

    if (snapshot == NULL) {
        aci_arena_unref(arena);
        return NULL;
    }
    atomic_init(&snapshot->refs, 1);
    snapshot->env = env;
    snapshot->arena = arena;
    aci_list_init(&snapshot->history, env);
    return snapshot;
}

void aci_snapshot_copy_participant(agentchat_participant *to, const agentchat_participant *from, aci_arena *arena,
                                   bool *ok)
{
    to->id = aci_arena_copy(arena, from->id, ok);
    to->name = aci_arena_copy(arena, from->name, ok);
    to->type = aci_arena_copy(arena, from->type, ok);
    to->extras = aci_extras_copy(from->extras, arena, ok);
}

bool aci_snapshot_copy_channel(agentchat_channel_state *to, const agentchat_channel_state *from, aci_arena *arena)
{
    bool ok = true;

    *to = *from;
    aci_list_copy(&to->messages, &from->messages);
    to->chat = agentchat_snapshot_ref(from->chat);
    to->key = aci_arena_copy(arena, from->key, &ok);
    to->type = aci_arena_copy(arena, from->type, &ok);
    to->data = aci_arena_copy(arena, from->data, &ok);
    to->extras = aci_extras_copy(from->extras, arena, &ok);
    to->pending = NULL;
    if (from->pending_count == 0)
        return ok;
    to->pending = aci_arena_alloc(arena, from->pending_count * sizeof *to->pending);
    if (to->pending != NULL)
        memcpy(to->pending, from->pending, from->pending_count * sizeof *to->pending);
    return ok && to->pending != NULL;
}

const char *aci_snapshot_state_kind_name(agentchat_channel_kind kind)
{
    static const char *const names[] = {NULL, "text", "bytes", "messages", "chat"};
    size_t index = (size_t)kind;

    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

static agentchat_snapshot *writable(const agentchat_snapshot *snapshot)
{
    return (agentchat_snapshot *)(uintptr_t)snapshot; /* const in the interface, so that a view can be kept */
}

agentchat_snapshot *agentchat_snapshot_ref(const agentchat_snapshot *snapshot)
{
    agentchat_snapshot *self = writable(snapshot);

    if (self != NULL)
        atomic_fetch_add_explicit(&self->refs, 1, memory_order_relaxed);
    return self;
}

/* Gives a reference back; a snapshot that nobody holds any more joins the list of those to be taken apart. */
static void release(agentchat_snapshot *snapshot, agentchat_snapshot **dead)
{
    if (snapshot == NULL || atomic_fetch_sub_explicit(&snapshot->refs, 1, memory_order_acq_rel) != 1)
        return;
    snapshot->next_dead = *dead;
    *dead = snapshot;
}

void agentchat_snapshot_unref(const agentchat_snapshot *snapshot)
{
    agentchat_snapshot *dead = NULL;

    release(writable(snapshot), &dead);
    while (dead != NULL) {
        agentchat_snapshot *self = dead;

        dead = self->next_dead;
        for (size_t i = 0; i < self->channel_count; i++) {
            aci_list_clear(&self->channels[i].messages);
            release(self->channels[i].chat, &dead);
        }
        for (size_t i = 0; i < self->value_count; i++) {
            aci_value_list_unref(self->values[i].list);
            aci_arena_unref(self->values[i].arena);
        }
        aci_list_clear(&self->history);
        aci_index_clear(&self->value_names, self->env);
        aci_arena_unref(self->arena);
        aci_free(self->env, self, sizeof *self);
    }
}

const char *agentchat_snapshot_format(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL ? snapshot->format : NULL;
}

const agentchat_messages *agentchat_snapshot_history(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL ? &snapshot->history : NULL;
}

size_t agentchat_snapshot_participant_count(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL ? snapshot->participant_count : 0;
}

const agentchat_participant *agentchat_snapshot_participant(const agentchat_snapshot *snapshot, size_t index)
{
    return index < agentchat_snapshot_participant_count(snapshot) ? &snapshot->participants[index] : NULL;
}

size_t agentchat_snapshot_extra_count(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL ? aci_extras_count(snapshot->extras) : 0;
}

const agentchat_extra *agentchat_snapshot_extra(const agentchat_snapshot *snapshot, size_t index)
{
    return snapshot != NULL ? aci_extras_at(snapshot->extras, index) : NULL;
}

size_t agentchat_snapshot_channel_count(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL ? snapshot->channel_count : 0;
}

const agentchat_channel_state *agentchat_snapshot_channel(const agentchat_snapshot *snapshot, size_t index)
{
    return index < agentchat_snapshot_channel_count(snapshot) ? &snapshot->channels[index] : NULL;
}

agentchat_str agentchat_participant_id(const agentchat_participant *participant)
{
    return participant != NULL ? participant->id : (agentchat_str){NULL, 0};
}

agentchat_str agentchat_participant_name(const agentchat_participant *participant)
{
    return participant != NULL ? participant->name : (agentchat_str){NULL, 0};
}

agentchat_str agentchat_participant_type(const agentchat_participant *participant)
{
    return participant != NULL ? participant->type : (agentchat_str){NULL, 0};
}

size_t agentchat_participant_extra_count(const agentchat_participant *participant)
{
    return participant != NULL ? aci_extras_count(participant->extras) : 0;
}

const agentchat_extra *agentchat_participant_extra(const agentchat_participant *participant, size_t index)
{
    return participant != NULL ? aci_extras_at(participant->extras, index) : NULL;
}

agentchat_str agentchat_channel_state_key(const agentchat_channel_state *channel)
{
    return channel != NULL ? channel->key : (agentchat_str){NULL, 0};
}

agentchat_str agentchat_channel_state_type(const agentchat_channel_state *channel)
{
    return channel != NULL ? channel->type : (agentchat_str){NULL, 0};
}

agentchat_channel_kind agentchat_channel_state_kind(const agentchat_channel_state *channel)
{
    return channel != NULL ? channel->kind : AGENTCHAT_CHANNEL_TEXT;
}

agentchat_str agentchat_channel_state_data(const agentchat_channel_state *channel)
{
    if (channel == NULL || (channel->kind != AGENTCHAT_CHANNEL_TEXT && channel->kind != AGENTCHAT_CHANNEL_BYTES))
        return (agentchat_str){NULL, 0};
    return channel->data;
}

const agentchat_messages *agentchat_channel_state_messages(const agentchat_channel_state *channel)
{
    return channel != NULL && channel->kind == AGENTCHAT_CHANNEL_MESSAGES ? &channel->messages : NULL;
}

const agentchat_snapshot *agentchat_channel_state_chat(const agentchat_channel_state *channel)
{
    return channel != NULL && channel->kind == AGENTCHAT_CHANNEL_CHAT ? channel->chat : NULL;
}

size_t agentchat_channel_state_synced(const agentchat_channel_state *channel)
{
    return channel != NULL ? channel->synced : AGENTCHAT_SYNCED_UNKNOWN;
}

size_t agentchat_channel_state_pending_count(const agentchat_channel_state *channel)
{
    return channel != NULL ? channel->pending_count : 0;
}

size_t agentchat_channel_state_pending(const agentchat_channel_state *channel, size_t index)
{
    return index < agentchat_channel_state_pending_count(channel) ? channel->pending[index] : AGENTCHAT_SYNCED_UNKNOWN;
}

size_t agentchat_channel_state_extra_count(const agentchat_channel_state *channel)
{
    return channel != NULL ? aci_extras_count(channel->extras) : 0;
}

const agentchat_extra *agentchat_channel_state_extra(const agentchat_channel_state *channel, size_t index)
{
    return channel != NULL ? aci_extras_at(channel->extras, index) : NULL;
}

size_t agentchat_snapshot_value_count(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL ? snapshot->value_count : 0;
}

agentchat_str agentchat_snapshot_value_name(const agentchat_snapshot *snapshot, size_t index)
{
    if (index >= agentchat_snapshot_value_count(snapshot))
        return (agentchat_str){NULL, 0};
    return snapshot->values[index].name;
}

bool aci_snapshot_set_values(agentchat_snapshot *snapshot, aci_value *values, size_t count)
{
    enum { FEW = 16 }; /* are looked through faster than an index is made */

    snapshot->values = values;
    snapshot->value_count = count;
    for (size_t i = 0; count > FEW && i < count; i++)
        if (!aci_index_add(&snapshot->value_names, snapshot->env, values[i].name, i))
            return false;
    return true;
}

bool aci_snapshot_value_text(const aci_value *value, agentchat_str *out)
{
    *out = value->value;
    return value->list == NULL || aci_value_list_text(value->list, out);
}

static size_t find_value(const agentchat_snapshot *snapshot, agentchat_str name)
{
    if (snapshot->value_names.count > 0)
        return aci_index_find(&snapshot->value_names, name);
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (agentchat_str_equal(snapshot->values[i].name, name))
            return i;
    return ACI_INDEX_NONE;
}

agentchat_str agentchat_snapshot_value(const agentchat_snapshot *snapshot, agentchat_str name,
                                       agentchat_str *media_type)
{
    size_t index = snapshot != NULL ? find_value(snapshot, name) : ACI_INDEX_NONE;
    agentchat_str text = {NULL, 0};

    if (media_type != NULL)
        *media_type = index != ACI_INDEX_NONE ? snapshot->values[index].media_type : text;
    if (index == ACI_INDEX_NONE || !aci_snapshot_value_text(&snapshot->values[index], &text))
        return (agentchat_str){NULL, 0};
    return text;
}

agentchat_str agentchat_snapshot_form(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL ? snapshot->form : (agentchat_str){NULL, 0};
}

uint64_t agentchat_snapshot_next_turn(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL ? snapshot->next_turn : 0;
}

bool agentchat_snapshot_is_complete(const agentchat_snapshot *snapshot)
{
    return snapshot != NULL && snapshot->is_complete;
}
