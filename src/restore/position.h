/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far into the history a stored channel has been given messages, where its file does not say.
 *
 * A list of messages that is the beginning of the history has been given that. One that is its end, or the end of what
 * the receive filter lets through of it, has been given all of it. Any other list has been given the history up to the
 * last message that the two share, found by their order. A list that shares nothing, and a state of another kind, are
 * taken as up to date. A question costs what its list is long in the document, not the history.
 */
#ifndef ACI_RESTORE_POSITION_H
#define ACI_RESTORE_POSITION_H

#include "snapshot/history_index.h"
#include "snapshot/snapshot.h"

/* Positions of the channels of one snapshot. */
typedef struct aci_positions {
    const agentchat_env *env;
    const agentchat_messages *history;
    /* Made when the first list is compared, with one element more than the history has messages: of those before a
       position, how many pass the filter, and where the last of them ends. */
    size_t *passing, *last_end;
    aci_history_index index;
} aci_positions;

void aci_positions_begin(aci_positions *positions, const agentchat_env *env, const agentchat_messages *history);
void aci_positions_end(aci_positions *positions);

typedef struct aci_position {
    size_t synced;
    size_t missing;  /* messages after it that pass the filter, when it was found by comparison; else 0 */
    bool is_assumed; /* nothing says so */
} aci_position;

/* E_NOMEM only. */
agentchat_status aci_position_find(aci_positions *positions, const agentchat_channel_state *state, aci_position *out,
                                   agentchat_error *err);

#endif
