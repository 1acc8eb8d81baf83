/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restoring a chat, and the chats inside its channels. Layer 5.
 *
 * A restore is a plan (what belongs to whom), a stage (channels that nobody sees yet) and a commit that cannot fail. A
 * chat inside a channel is new and belongs to the staged channel alone: it is restored whole, and goes with the channel
 * if the outer restore is abandoned.
 */
#ifndef ACI_RESTORE_RESTORE_H
#define ACI_RESTORE_RESTORE_H

#include "chat/chat.h"
#include "snapshot/report.h"
#include "snapshot/snapshot.h"

/* One restore, from the outermost chat to the innermost. */
typedef struct aci_restoring {
    agentchat_restore_options options;
    agentchat_report *report; /* NULL: not wanted */
    aci_buf path;             /* JSON Pointer of the chat that is being restored */
    uint32_t depth;           /* of that chat: 0 for the outermost */
} aci_restoring;

/* Restores a snapshot into a chat whose flag is taken. nested: an empty one needs no agents. */
agentchat_status aci_restore_into(aci_restoring *restoring, agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                  bool nested, agentchat_error *err);

/* ---- the plan (match.c) --------------------------------------------------------------------------------------- */

#define ACI_NO_AGENT SIZE_MAX

/* Where a participant or a channel of the snapshot goes. */
typedef struct aci_place {
    size_t agent; /* index in the chat, or ACI_NO_AGENT */
    agentchat_match rule;
} aci_place;

typedef struct aci_plan {
    const agentchat_env *env;
    aci_place *participants; /* one per participant of the snapshot */
    size_t participant_count;
    aci_place *channels; /* one per channel of the snapshot */
    size_t channel_count;
} aci_plan;

/* E_SCHEMA when two stored channels have one key; whatever the resolver returns. */
agentchat_status aci_plan_make(aci_plan *plan, const aci_restoring *restoring, const agentchat_chat *chat,
                               const agentchat_snapshot *snapshot, agentchat_error *err);
void aci_plan_clear(aci_plan *plan);
/* Places the participants (match_participants.c); used: room for one mark per agent, all false. false: out of memory.
 */
bool aci_plan_participants(aci_plan *plan, bool *used, const agentchat_chat *chat, const agentchat_snapshot *snapshot);

/* ---- the stage (stage.c) -------------------------------------------------------------------------------------- */

/* Everything that the commit will put into the chat. */
typedef struct aci_stage {
    const agentchat_env *env;
    aci_channel **channels;
    size_t channel_count, channel_cap;
    aci_kept *kept;
    size_t kept_count, kept_cap;
    agentchat_snapshot *kept_from; /* copies of the kept states; NULL: none */
    agentchat_snapshot *origin;    /* see origin.h */
    aci_chat_value *values;
    size_t value_count, value_cap;
    aci_index value_names;
} aci_stage;

agentchat_status aci_stage_make(aci_stage *stage, aci_restoring *restoring, const agentchat_chat *chat,
                                const agentchat_snapshot *snapshot, const aci_plan *plan, agentchat_error *err);
void aci_stage_clear(aci_stage *stage); /* frees what is staged, the newest first */

/* Makes a channel of a stored state; nobody sees it yet. DONE without one when the agent wants it made anew. */
agentchat_status aci_stage_channel(aci_restoring *restoring, const agentchat_env *env,
                                   const agentchat_channel_state *state, size_t synced, size_t history_count,
                                   agentchat_agent *agent, aci_channel **out, agentchat_error *err);

/* ---- the newest message of a list (newest.c) -------------------------------------------------------------------- */

typedef struct aci_newest_entry {
    const agentchat_message *message;
    unsigned char digest[32];
} aci_newest_entry;

typedef struct aci_newest {
    const agentchat_env *env;
    const agentchat_messages *history;
    aci_newest_entry *entries; /* one for each message; NULL until they are asked for */
    size_t size;
    aci_index by_digest, by_message;
} aci_newest;

void aci_newest_begin(aci_newest *x, const agentchat_env *env, const agentchat_messages *history);
void aci_newest_end(aci_newest *x);
/* The last position of a message that means the same; SIZE_MAX when there is none. */
agentchat_status aci_newest_find(aci_newest *x, const agentchat_message *message, size_t *position,
                                 agentchat_error *err);

/* ---- afterwards (claim.c) ------------------------------------------------------------------------------------- */

/* An aci_claim_fn. */
agentchat_status aci_claim(agentchat_chat *chat, const aci_kept *kept, agentchat_agent *agent, aci_channel **out,
                           agentchat_error *err);

#endif
