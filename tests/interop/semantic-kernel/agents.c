/* SPDX-License-Identifier: Apache-2.0 */
#include "agents.h"

#include <string.h>

static bool ends_with(agentchat_str type, const char *tail)
{
    size_t len = strlen(tail);

    return type.len >= len && memcmp(type.ptr + type.len - len, tail, len) == 0;
}

static agentchat_status remote_agent(agentchat_str id, agentchat_str name, const agentchat_remote_ops *ops,
                                     agentchat_agent **out, agentchat_error *err)
{
    static const char *const keys[] = {"https://example.com/"};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.id = id;
    options.name = name;
    options.type = "ThreadAgent";
    options.channel_type = "ThreadChannel";
    options.keys = keys;
    options.key_count = 1;
    options.ops = ops;
    return agentchat_remote_agent_new(NULL, &options, out, err);
}

static agentchat_status history_agent(agentchat_str id, agentchat_str name, agentchat_answer_fn answer,
                                      agentchat_agent **out, agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.id = id;
    options.name = name;
    options.answer = answer;
    return agentchat_history_agent_new(NULL, &options, out, err);
}

static agentchat_status aggregator(agentchat_str id, agentchat_str name, agentchat_aggregator_options options,
                                   agentchat_agent **out, agentchat_error *err)
{
    options.id = id;
    options.name = name;
    return agentchat_aggregator_new(NULL, &options, out, err);
}

agentchat_status agent_for(agentchat_str type, agentchat_str id, agentchat_str name, const agent_parts *parts,
                           agentchat_agent **out, agentchat_error *err)
{
    agentchat_error_clear(err);
    *out = NULL;
    if (ends_with(type, "ThreadAgent"))
        return remote_agent(id, name, parts->thread, out, err);
    if (ends_with(type, "AggregatorAgent"))
        return aggregator(id, name, parts->aggregator, out, err);
    if (ends_with(type, "ChatCompletionAgent"))
        return history_agent(id, name, parts->answer, out, err);
    return AGENTCHAT_DONE;
}

agentchat_status thread_takes_all(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)batch;
    (void)err;
    return AGENTCHAT_OK;
}
