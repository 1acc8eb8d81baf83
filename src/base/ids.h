/* SPDX-License-Identifier: Apache-2.0 */
/* Ids from the environment's random bytes, and its clock. */
#ifndef ACI_BASE_IDS_H
#define ACI_BASE_IDS_H

#include "base/env.h"

#define ACI_ID_LEN 36
/* A random UUID (version 4), lower-case with hyphens, and a NUL. E_INTERNAL when no random bytes can be had. */
agentchat_status aci_id_new(const agentchat_env *env, char out[ACI_ID_LEN + 1], agentchat_error *err);
/* The same of version 7: ids that are made later are greater, to the millisecond. */
agentchat_status aci_id_new_ordered(const agentchat_env *env, char out[ACI_ID_LEN + 1], agentchat_error *err);
int64_t aci_now_us(const agentchat_env *env);

#endif
