/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restoring a chat, and the chats inside its channels.
 *
 * A restore is a plan (what belongs to whom), a stage (channels that nobody sees yet) and a commit that cannot fail. A
 * chat inside a channel is new and belongs to the staged channel alone: it is restored in full, and is freed with the
 * channel if the outer restore is abandoned.
 */
#ifndef ACI_RESTORE_RESTORE_H
#define ACI_RESTORE_RESTORE_H

#include "chat/chat.h"
#include "snapshot/report.h"
#include "snapshot/snapshot.h"

/* What the contents of a chat are replaced with. */
typedef struct aci_replacing {
    const agentchat_snapshot *base; /* what the chat was when it was last the same as what is stored; NULL: nothing */
    size_t unsaved;                 /* the last messages of the chat's history, which come after the stored ones */
    bool append;                    /* lists that grew on both sides get the elements of both */
} aci_replacing;

/* One restore, from the outermost chat to the innermost. */
typedef struct aci_restoring {
    agentchat_restore_options options;
    agentchat_report *report;       /* NULL: not wanted */
    aci_buf path;                   /* JSON Pointer of the chat that is being restored */
    uint32_t depth;                 /* of that chat: 0 for the outermost */
    const aci_replacing *replacing; /* what is in the outermost chat goes; NULL: it must be unused */
    /* What a channel's source hands to a channel that holds a chat; its context is the aci_restoring. */
    agentchat_status (*restore_inner)(const agentchat_channel_load *source, agentchat_chat *inner,
                                      agentchat_error *err);
} aci_restoring;

/* Restores an outermost chat whose flag is taken, its report included, which the caller may have begun; NULL: not
   wanted. replacing: what is in the chat goes in the same step; NULL: it must be unused. */
agentchat_status aci_restore_outermost(agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                       const agentchat_restore_options *options, const aci_replacing *replacing,
                                       agentchat_report **report, agentchat_error *err);

/* ---- the plan (plan.c) ---------------------------------------------------------------------------------------- */

#define ACI_NO_AGENT SIZE_MAX

/* Where a participant or a channel of the snapshot goes. */
typedef struct aci_channel_match {
    size_t agent; /* index in the chat, or ACI_NO_AGENT */
    agentchat_match rule;
} aci_channel_match;

typedef struct aci_plan {
    const agentchat_env *env;
    aci_channel_match *participants; /* one per participant of the snapshot */
    size_t participant_count;
    aci_channel_match *channels; /* one per channel of the snapshot */
    size_t channel_count;
} aci_plan;

/* E_SCHEMA when two stored channels have one key; whatever the resolver returns. */
agentchat_status aci_plan_make(aci_plan *plan, const aci_restoring *restoring, const agentchat_chat *chat,
                               const agentchat_snapshot *snapshot, agentchat_error *err);
void aci_plan_clear(aci_plan *plan);
/* Matches the participants (plan_participants.c); used: one mark per agent, all false. false: out of memory. */
bool aci_plan_participants(aci_plan *plan, bool *used, const agentchat_chat *chat, const agentchat_snapshot *snapshot);

/* ---- the stage (stage.c) -------------------------------------------------------------------------------------- */

/* Everything that the commit will put into the chat. */
typedef struct aci_stage {
    const agentchat_env *env;
    agentchat_messages history;
    aci_channel **channels;
    size_t channel_count, channel_cap;
    aci_kept *kept;
    size_t kept_count, kept_cap;
    agentchat_snapshot *kept_from; /* copies of the kept states; NULL: none */
    agentchat_snapshot *origin;    /* see origin.h */
    aci_value *values;
    size_t value_count, value_cap;
    aci_index value_names;
    agentchat_str *agent_ids; /* of the chat's agents, in their order; NULL: they stay as they are */
    size_t agent_count;
    aci_index agents_by_id;
} aci_stage;

agentchat_status aci_stage_make(aci_stage *stage, aci_restoring *restoring, const agentchat_chat *chat,
                                const agentchat_snapshot *snapshot, const aci_plan *plan, agentchat_error *err);
/* Stages the named values (stage_values.c): the snapshot's, and those of the chat that it does not have. Where the
   chat's contents are replaced, what was changed in the chat since stays changed: E_CONFLICT when that was changed in
   the snapshot, too. */
agentchat_status aci_stage_values(aci_stage *stage, const aci_restoring *restoring, const agentchat_chat *chat,
                                  const agentchat_snapshot *snapshot, agentchat_error *err);
/* Stages the ids of agents whose own were made up, and which are participants with stored ones: the next save has the
   same participants. */
agentchat_status aci_stage_ids(aci_stage *stage, const agentchat_chat *chat, const agentchat_snapshot *snapshot,
                               const aci_plan *plan, agentchat_error *err);
void aci_stage_clear(aci_stage *stage); /* frees what is staged, the newest first */

/* Makes a channel of a stored state; nobody sees it yet. DONE without one when the agent wants it made anew. */
agentchat_status aci_stage_channel(aci_restoring *restoring, const agentchat_env *env,
                                   const agentchat_channel_state *state, size_t synced, size_t history_count,
                                   agentchat_agent *agent, aci_channel **out, agentchat_error *err);

#endif
