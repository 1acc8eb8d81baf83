/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What google-adk accepts as a scalar of each kind (docs/formats/adk.md). It is lenient: numbers may be text, 0 and 1
 * may stand for false and true. What it was not seen to accept counts as refused. All are given raw values.
 */
#ifndef ACI_FORMAT_ADK_SCALARS_H
#define ACI_FORMAT_ADK_SCALARS_H

#include "base/buf.h"

/* Whether it is one of the words in a list with a space before and after each. */
bool aci_adk_is_word(agentchat_str raw, const char *words);
bool aci_adk_is_integer(agentchat_str raw, bool may_be_negative);
bool aci_adk_is_number(agentchat_str raw);
/* A boolean, an integer or a string. */
bool aci_adk_is_route(agentchat_str raw);
/* Whether it reads a value as true or false, and which. */
bool aci_adk_boolean(agentchat_str raw, bool *value);
/* Whether it is a date as text. */
bool aci_adk_is_date(agentchat_str raw);
/* The numbers of YYYY, YYYY-MM or YYYY-MM-DD; how many there are, 0: it is something else. */
int aci_adk_date_parts(agentchat_str raw, int parts[3]);

#endif
