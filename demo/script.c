/* SPDX-License-Identifier: Apache-2.0 */
#include "script.h"
#include <stdio.h>
#include <stdlib.h>

/* A named value, which is saved with the chat. */
#define STEPS_DONE AGENTCHAT_STR("steps_done")

const script_step script_steps[SCRIPT_STEPS] = {
    {"We want to open a bakery for night owls. What comes first?", "Planner"},
    {"What could go wrong?", "Critic"},
    {"Please file what we have.", "Archivist"},
    {"What does the panel think?", "Panel"},
    {"Please file the panel's opinion too.", "Archivist"},
    {"Is that the opinion of the whole panel?", "Panel"},
    {"Then what is the plan now?", "Planner"},
};

agentchat_status script_run(agentchat_chat *chat, size_t step, agentchat_error *err)
{
    agentchat_status status;
    char done[8];

    (void)snprintf(done, sizeof done, "%u", (unsigned)(step + 1));
    (void)((status = agentchat_chat_add_text(chat, "user", agentchat_str_from(script_steps[step].question), err)) < 0 ||
           (status = agentchat_chat_invoke(chat, agentchat_str_from(script_steps[step].who), err)) < 0 ||
           (status =
                agentchat_chat_set_value(chat, STEPS_DONE, (agentchat_str){NULL, 0}, agentchat_str_from(done), err)));
    return status;
}

size_t script_done(const agentchat_chat *chat)
{
    agentchat_str value = agentchat_chat_value(chat, STEPS_DONE, NULL);
    char digits[8];

    (void)snprintf(digits, sizeof digits, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(value));
    return (size_t)strtoul(digits, NULL, 10);
}
