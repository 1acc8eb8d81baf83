/* SPDX-License-Identifier: Apache-2.0 */
/* A message, or a JSON value, as plain text with all that it says, so that two can be compared word by word.
 */
#ifndef ACI_VIEW_MESSAGE_TEXT_H
#define ACI_VIEW_MESSAGE_TEXT_H

#include "base/buf.h"
#include "model/model.h"

/* Appends it. Data of images and sounds is given by its size and digest. E_NOMEM only. */
agentchat_status aci_message_text(const agentchat_message *message, const agentchat_env *env, agentchat_bytes *out,
                                  agentchat_error *err);
/* The same of a JSON value: each member and element on a line of its own. */
agentchat_status aci_message_text_of_json(agentchat_str json, const agentchat_env *env, agentchat_bytes *out,
                                          agentchat_error *err);
/* What either has written. */
static inline agentchat_str aci_text_of(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->ptr != NULL ? bytes->ptr : "", bytes->len};
}

#endif
