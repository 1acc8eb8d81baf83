/* SPDX-License-Identifier: Apache-2.0 */
/* Writing agentchat-encoded: format 1 with each discrete state in base64. Layer 4. */
#include "codec/agentchat.h"

agentchat_status aci_encoded_write(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    return aci_f1_write(out, snapshot, true, err);
}
