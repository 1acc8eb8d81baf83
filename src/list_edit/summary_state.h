/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a running summary: a JSON object that its caller keeps. */
#ifndef ACI_LIST_EDIT_SUMMARY_STATE_H
#define ACI_LIST_EDIT_SUMMARY_STATE_H

#include "base/buf.h"
#include "model/model.h"

typedef struct aci_summary_state {
    agentchat_bytes summary; /* empty: there is none */
    agentchat_bytes last_id;
    bool has_last_id;
    uint64_t covered; /* messages at the beginning of the list */
} aci_summary_state;

/* text absent: there is no summary. On failure there is nothing to be cleared. */
agentchat_status aci_summary_state_read(aci_summary_state *state, const agentchat_env *env, agentchat_str text,
                                        agentchat_error *err);
/* How many messages at the beginning of a list are covered. */
size_t aci_summary_state_covered(const aci_summary_state *state, const agentchat_messages *messages);
/* Appends a state. last_id: absent, null: there is none. E_INVALID: a summary that is not UTF-8. */
agentchat_status aci_summary_state_write(aci_buf *out, agentchat_str summary, uint64_t covered, agentchat_str last_id,
                                         agentchat_error *err);
void aci_summary_state_clear(aci_summary_state *state);

#endif
