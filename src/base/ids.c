/* SPDX-License-Identifier: Apache-2.0 */
/* Ids and time, from the environment's functions. */
#include "base/ids.h"

#include "base/error.h"

agentchat_status aci_id_new(const agentchat_env *env, char out[ACI_ID_LEN + 1], agentchat_error *err)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char raw[16] = {0};
    size_t at = 0;

    out[0] = '\0';
    env = aci_env(env);
    if (env->random(env->user, raw, sizeof raw) != 0)
        return aci_fail(err, AGENTCHAT_E_INTERNAL, "the source of random bytes failed, so no id can be made");
    raw[6] = (unsigned char)((raw[6] & 0x0fu) | 0x40u); /* version 4 */
    raw[8] = (unsigned char)((raw[8] & 0x3fu) | 0x80u); /* the variant of RFC 9562 */
    for (size_t i = 0; i < sizeof raw; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            out[at++] = '-';
        out[at++] = digits[raw[i] >> 4];
        out[at++] = digits[raw[i] & 0x0fu];
    }
    out[at] = '\0';
    return AGENTCHAT_OK;
}

int64_t aci_now_us(const agentchat_env *env)
{
    env = aci_env(env);
    return env->now_us(env->user);
}
