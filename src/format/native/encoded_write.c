/* SPDX-License-Identifier: Apache-2.0 */
/* Writing agentchat-encoded: format 1 with each discrete state in base64. */
#include "format/native/chat.h"

agentchat_status aci_native_encoded_write(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    return aci_native_write(out, snapshot, true, err);
}
