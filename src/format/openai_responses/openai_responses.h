/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's Responses: what they refuse of a history. */
#ifndef ACI_FORMAT_OPENAI_RESPONSES_OPENAI_RESPONSES_H
#define ACI_FORMAT_OPENAI_RESPONSES_OPENAI_RESPONSES_H

#include <agentchat/repair.h>

extern const agentchat_repair_profile aci_openai_responses_profile;

#endif
