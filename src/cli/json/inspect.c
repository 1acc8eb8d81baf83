/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json/inspect.h"

agentchat_str cli_json_string(agentchat_str json)
{
    if (agentchat_json_kind_of(json) != AGENTCHAT_JSON_STRING || json.len < 2)
        return (agentchat_str){NULL, 0};
    return (agentchat_str){json.ptr + 1, json.len - 2};
}

bool cli_json_is_empty(agentchat_str json)
{
    agentchat_json_walk walk;

    return agentchat_json_walk_into(&walk, json) && !agentchat_json_walk_next(&walk);
}

size_t cli_json_length(agentchat_str array)
{
    agentchat_json_walk walk;
    size_t count = 0;

    (void)agentchat_json_walk_into(&walk, array);
    while (agentchat_json_walk_next(&walk))
        count++;
    return count;
}
