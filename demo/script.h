/* SPDX-License-Identifier: Apache-2.0 */
/* The conversation: steps, each a question of the user and the answer of one agent, which is one message; in the last
   step a call of a tool and its result come before it. */
#ifndef DEMO_SCRIPT_H
#define DEMO_SCRIPT_H

#include <agentchat/agentchat.h>

enum { SCRIPT_STEPS = 8, SCRIPT_MESSAGES = 2 * SCRIPT_STEPS + 2 };
typedef struct script_step {
    const char *question;
    const char *who; /* is to answer */
} script_step;
extern const script_step script_steps[SCRIPT_STEPS];

/* Question, where the chat does not have it yet, and answer of a step, counted from 0. */
agentchat_status script_run(agentchat_chat *chat, size_t step, agentchat_error *err);
/* How many steps the chat has done: a question without an answer is none. */
size_t script_done(const agentchat_chat *chat);

#endif
