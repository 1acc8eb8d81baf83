/* SPDX-License-Identifier: Apache-2.0 */
/* JSON for a person to read. The text is valid JSON; numbers and names stand as they were spelled, letters
   that a writer had escaped as letters. */
#ifndef ACI_VIEW_JSON_TEXT_H
#define ACI_VIEW_JSON_TEXT_H

#include "view/html.h"

/* What a string says. */
void aci_view_json_string(aci_html *h, agentchat_str json);
/* Each member and element on a line of its own, indented. */
void aci_view_json(aci_html *h, agentchat_str json);
/* On one line, cut off after so many bytes of it. */
void aci_view_json_short(aci_html *h, agentchat_str json, size_t most);
/* The same of the members of an object, without its brackets and without the quotes of names; anything else as it is.
 */
void aci_view_json_members_short(aci_html *h, agentchat_str json, size_t most);

#endif
