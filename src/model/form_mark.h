/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Form marks: how a format spelled what means the same, so that it can be written that way again. As JSON text:
 *
 *     {"from":"anthropic","value":"text"}
 *
 * `value` is anything the format understands; no other format looks at it. A form mark is no part of what was said: it
 * is not in the digest, and to drop it is no loss.
 */
#ifndef ACI_MODEL_FORM_MARK_H
#define ACI_MODEL_FORM_MARK_H

#include "model/model.h"

/* Whether validated JSON text is a form mark. */
bool aci_form_mark_is_valid(agentchat_str json);
/* The value, JSON text, of a mark that this format made; absent when mark is absent or of another format. */
agentchat_str aci_form_mark_value(agentchat_str mark, agentchat_str format);

/* A member of that value, when it is an object; absent when there is none. name: letters and "_". */
agentchat_str aci_form_mark_member(agentchat_str mark, agentchat_str format, const char *name);

#endif
