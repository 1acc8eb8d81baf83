/* SPDX-License-Identifier: Apache-2.0 */
#include "script.h"

const script_step script_steps[SCRIPT_STEPS] = {
    {"We want to open a bakery for night owls. What comes first?", "Planner"},
    {"What could go wrong?", "Critic"},
    {"Please file what we have.", "Archivist"},
    {"What does the panel think?", "Panel"},
    {"Please file the panel's opinion too.", "Archivist"},
    {"Is that the opinion of the whole panel?", "Panel"},
    {"Then what is the plan now?", "Planner"},
    {"What does an oven cost?", "Buyer"},
};

agentchat_status script_run(agentchat_chat *chat, size_t step, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (agentchat_chat_message_count(chat) == 2 * step) /* else the question is there already */
        status = agentchat_chat_add_text(chat, "user", agentchat_str_from(script_steps[step].question), err);
    return status < 0 ? status : agentchat_chat_invoke(chat, agentchat_str_from(script_steps[step].who), err);
}

size_t script_done(const agentchat_chat *chat)
{
    size_t steps = agentchat_chat_message_count(chat) / 2;

    return steps < SCRIPT_STEPS ? steps : SCRIPT_STEPS;
}
