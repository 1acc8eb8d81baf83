/* SPDX-License-Identifier: Apache-2.0 */
/* Which metadata, and which source, step and run, a list of checkpoints, or of threads, asks for. */
#ifndef ACI_THREAD_FILTER_H
#define ACI_THREAD_FILTER_H

#include "base/arena.h"
#include "thread/rows.h"
#include "json/index.h"

typedef struct aci_filter_member {
    agentchat_str name;  /* decoded */
    agentchat_str value; /* canonical */
} aci_filter_member;

typedef struct aci_filter {
    const agentchat_env *env;
    aci_filter_member *members;
    size_t count;
    aci_json_index index; /* of the metadata that is looked at */
} aci_filter;

/* Reads a filter, a JSON object; absent: all match. Clear it in any case. E_INVALID when it is none. */
agentchat_status aci_filter_begin(aci_filter *filter, const agentchat_env *env, agentchat_str json, aci_arena *arena,
                                  agentchat_error *err);
/* Whether a checkpoint has every member of the filter, with an equal value: "source", "step" and "run" where it has
   them itself, and others in its metadata. */
agentchat_status aci_filter_match(aci_filter *filter, const aci_checkpoint_row *row, bool *matches,
                                  agentchat_error *err);
void aci_filter_clear(aci_filter *filter);

#endif
