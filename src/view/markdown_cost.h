/* SPDX-License-Identifier: Apache-2.0 */
/* What cmark would take to read a text, compared with its length. */
#ifndef ACI_VIEW_MARKDOWN_COST_H
#define ACI_VIEW_MARKDOWN_COST_H

#include <agentchat/base.h>

/* Whether cmark reads the text in time that is in proportion to its length, and nests blocks no deeper than 48: a pass
   over the bytes that never estimates too little. */
bool aci_markdown_cost_is_low(agentchat_str text);

#endif
