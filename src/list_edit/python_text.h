/* SPDX-License-Identifier: Apache-2.0 */
/* How long values are as Python prints them (repr), in code points: LangChain counts calls by that. */
#ifndef ACI_LIST_EDIT_PYTHON_TEXT_H
#define ACI_LIST_EDIT_PYTHON_TEXT_H

#include <agentchat/str.h>
#include <stdint.h>

/* Code points of text; a lone surrogate is one. */
uint64_t aci_python_text_code_points(agentchat_str text);
/* The same of a raw JSON string, decoded, without quotes. */
uint64_t aci_python_text_string(agentchat_str raw);
/* Of a text in quotes, and of a validated raw JSON value, as repr() prints them. */
uint64_t aci_python_text_quoted(agentchat_str text);
uint64_t aci_python_text_repr(agentchat_str raw);
/* Of a validated raw JSON value as json.dumps() writes it: in ASCII. */
uint64_t aci_python_text_json(agentchat_str raw);

#endif
