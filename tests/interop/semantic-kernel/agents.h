/* SPDX-License-Identifier: Apache-2.0 */
/* A host's factory: an agent for each participant of a type that .NET's own programs have. */
#ifndef INTEROP_AGENTS_H
#define INTEROP_AGENTS_H

#include <agentchat/agentchat.h>

/* What the agents do. */
typedef struct agent_parts {
    agentchat_answer_fn answer;              /* of ChatCompletionAgent */
    const agentchat_remote_ops *thread;      /* of ThreadAgent */
    agentchat_aggregator_options aggregator; /* of AggregatorAgent; id and name are set for each */
} agent_parts;

/* DONE for a type that is not known. id and name may be absent or null. */
agentchat_status agent_for(agentchat_str type, agentchat_str id, agentchat_str name, const agent_parts *parts,
                           agentchat_agent **out, agentchat_error *err);

/* A thread that takes whatever it is given. */
agentchat_status thread_takes_all(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err);

#endif
