/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a chat was restored from and has no use for itself, but saves again.
 *
 * That is: unknown properties of the document, of participants and of channels; how the texts of channels' states were
 * spelled; and participants that are no agent of the chat. It is a snapshot without history and without messages in its
 * channels, a copy in an arena of its own: the document may be large, and a chat that is saved and restored again and
 * again must not keep all of them in memory. Agents and channels of the chat point into it; captures share it.
 */
#ifndef ACI_CAPTURE_ORIGIN_H
#define ACI_CAPTURE_ORIGIN_H

#include "chat/chat.h"
#include "snapshot/snapshot.h"

/* As many participants and channels, at the same positions, as the snapshot has. */
agentchat_status aci_origin_make(const agentchat_env *env, const agentchat_snapshot *snapshot, agentchat_snapshot **out,
                                 agentchat_error *err);

/* Whether an agent is a stored participant, by a rule that needs no look at the others: id, or name and type. */
bool aci_origin_fits(const agentchat_participant *participant, const agentchat_agent *agent, agentchat_match rule);

/* Gives agents that joined after the restore the stored participant that each of them is. */
void aci_origin_adopt(agentchat_chat *chat);

/* For each stored participant, whether it is to be saved although none of the chat's agents is it: an array of the
   environment's memory, NULL when there are none. false: out of memory. */
bool aci_origin_kept(const agentchat_chat *chat, bool **out);

#endif
