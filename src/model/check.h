/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of values that come through the interface, shared by the builders of messages and snapshots. */
#ifndef ACI_MODEL_CHECK_H
#define ACI_MODEL_CHECK_H

#include "model/model.h"

/* E_INVALID, with the offset, for what is not WTF-8. Surrogates are accepted, since what a reader gives must be able to
   go back in; a pair of them is not, since it would come back as another text. Absent and null are fine. */
agentchat_status aci_check_text(agentchat_str text, agentchat_error *err);
/* Checks JSON text against env's depth limit and strips the whitespace around the value. E_INVALID for what is no JSON,
   with path and offset inside the value; E_LIMIT; E_NOMEM. */
agentchat_status aci_check_json(const agentchat_env *env, agentchat_str *text, agentchat_error *err);

#endif
