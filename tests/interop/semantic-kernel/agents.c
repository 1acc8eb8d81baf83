/* SPDX-License-Identifier: Apache-2.0 */
#include "agents.h"

#include <stdlib.h>
#include <string.h>

static bool ends_with(agentchat_str type, const char *tail)
{
    size_t len = strlen(tail);

    return type.len >= len && memcmp(type.ptr + type.len - len, tail, len) == 0;
}

static agentchat_agent *remote_agent(const char *id, const char *name, const agentchat_remote_ops *ops)
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
    return agentchat_remote_agent_new(NULL, &options);
}

static agentchat_agent *history_agent(const char *id, const char *name, agentchat_answer_fn answer)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.id = id;
    options.name = name;
    options.answer = answer;
    return agentchat_history_agent_new_with(NULL, &options);
}

static agentchat_agent *aggregator(const char *id, const char *name, agentchat_aggregator_options options)
{
    options.id = id;
    options.name = name;
    return agentchat_aggregator_new(NULL, &options);
}

agentchat_agent *agent_for(agentchat_str type, const char *id, const char *name, const agent_parts *parts)
{
    if (ends_with(type, "ThreadAgent"))
        return remote_agent(id, name, parts->thread);
    if (ends_with(type, "AggregatorAgent"))
        return aggregator(id, name, parts->aggregator);
    return ends_with(type, "ChatCompletionAgent") ? history_agent(id, name, parts->answer) : NULL;
}

char *agent_text(agentchat_str view)
{
    char *text;

    if (view.ptr == NULL || agentchat_str_is_null(view))
        return NULL;
    text = malloc(view.len + 1);
    if (text != NULL) {
        memcpy(text, view.ptr, view.len);
        text[view.len] = '\0';
    }
    return text;
}

agentchat_status thread_takes_all(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)batch;
    (void)err;
    return AGENTCHAT_OK;
}
