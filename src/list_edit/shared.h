/* SPDX-License-Identifier: Apache-2.0 */
/* Roles, and calls with their results. */
#ifndef ACI_LIST_EDIT_SHARED_H
#define ACI_LIST_EDIT_SHARED_H

#include "list_edit/list_edit.h"

/* ---- roles (roles.c) --------------------------------------------------------------------------------------------- */

/* Whether a role is one of a list with commas, as the field has them; list NULL: any is. */
bool aci_roles_has(const char *list, agentchat_str role);
/* A role as it is compared: user for human, assistant for ai, system for developer. */
agentchat_str aci_roles_plain(agentchat_str role);

/* ---- calls and results (pairs.c) -------------------------------------------------------------------------------- */

/* Messages that must stay or go together, because a call in one has its result in another. */
typedef struct aci_pairs {
    const agentchat_env *env;
    size_t *first; /* of each message, the first one of its group */
    size_t *next;  /* the next one of its group, and from the last one the first */
    size_t count;
} aci_pairs;

agentchat_status aci_pairs_find(aci_pairs *pairs, const agentchat_env *env, const agentchat_messages *messages,
                                agentchat_error *err);
/* Takes the flags of whole groups where one of a group has none. broken: memory for so many flags. */
void aci_pairs_complete(const aci_pairs *pairs, bool *keep, bool *broken);
/* Takes the flag of a message and of its group. */
void aci_pairs_drop(const aci_pairs *pairs, bool *keep, size_t message);
void aci_pairs_clear(aci_pairs *pairs);

#endif
