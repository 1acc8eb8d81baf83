/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of channels: the digest that Semantic Kernel's KeyEncoder makes of an agent's key strings. */
#include <agentchat/snapshot.h>

#include "base/b64.h"
#include "base/sha256.h"

agentchat_status agentchat_channel_key(const agentchat_str *keys, size_t count, char out[AGENTCHAT_KEY_LEN + 1])
{
    unsigned char digest[32];
    aci_sha256 sha;
    bool ok;

    if (out == NULL)
        return AGENTCHAT_E_INVALID;
    out[0] = '\0';
    if (keys == NULL && count > 0)
        return AGENTCHAT_E_INVALID;
    if (!aci_sha256_begin(&sha))
        return AGENTCHAT_E_NOMEM;
    ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = i == 0 || aci_sha256_add(&sha, ":", 1);
        ok = ok && aci_sha256_add(&sha, keys[i].ptr != NULL ? keys[i].ptr : "", keys[i].len);
    }
    if (!aci_sha256_end(&sha, ok ? digest : NULL) || !ok)
        return AGENTCHAT_E_NOMEM;
    aci_b64_encode(digest, sizeof digest, out);
    out[AGENTCHAT_KEY_LEN] = '\0';
    return AGENTCHAT_OK;
}
