/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot being built, as the files that build it share it. */
#ifndef ACI_SNAPSHOT_BUILDER_H
#define ACI_SNAPSHOT_BUILDER_H

#include "base/index.h"
#include "snapshot/snapshot.h"

struct agentchat_snapshot_builder {
    const agentchat_env *env;
    aci_arena *arena;
    agentchat_status status; /* OK or the first failure, described in error */
    agentchat_error error;
    agentchat_messages history;
    agentchat_participant *participants;
    size_t participant_count, participant_cap;
    aci_index participant_ids;         /* of several with one id the first, and so below */
    agentchat_channel_state *channels; /* each owns its messages and chat */
    size_t channel_count, channel_cap;
    aci_index channel_keys;
    aci_value *values;
    size_t value_count, value_cap;
    aci_index value_names;
    aci_extras *extras;
    agentchat_str form;
    uint64_t next_turn;
    uint64_t source_bytes; /* of what it started from, and of the chats put in */
    bool is_complete;
};

static inline bool aci_is_given(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

bool aci_snapshot_builder_is_broken(const agentchat_snapshot_builder *b);
void aci_snapshot_builder_nomem(agentchat_snapshot_builder *b);
/* Makes the failure in b->error stick, at /list/index/member, or /list/index if member is empty. */
void aci_snapshot_builder_fail(agentchat_snapshot_builder *b, agentchat_status status, const char *list, size_t index,
                               const char *member);
/* The same with E_INVALID and a message. */
void aci_snapshot_builder_refuse(agentchat_snapshot_builder *b, const char *list, size_t index, const char *member,
                                 const char *message);
/* Copies text into the arena; the latter checks it first. */
void aci_snapshot_builder_copy(agentchat_snapshot_builder *b, agentchat_str *text);
void aci_snapshot_builder_text(agentchat_snapshot_builder *b, agentchat_str *text, const char *list, size_t index,
                               const char *member);

/* Fills an empty builder with what is in a snapshot. false: out of memory. */
bool aci_snapshot_builder_start(agentchat_snapshot_builder *b, const agentchat_snapshot *from);
/* Copies extras, with room to add to them; NULL gives NULL. *ok is set false when out of memory. */
aci_extras *aci_snapshot_builder_copy_extras(agentchat_snapshot_builder *b, const aci_extras *list, bool *ok);
/* Releases what a channel's state holds. */
void aci_snapshot_builder_drop_state(agentchat_channel_state *channel);
/* Moves a channel's positions after `count` messages from `first` on have become `with`. */
void aci_snapshot_builder_move(agentchat_channel_state *channel, size_t first, size_t count, size_t with);

#endif
