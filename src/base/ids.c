/* SPDX-License-Identifier: Apache-2.0 */
/* Ids and time, from the environment's functions. */
#include "base/ids.h"

#include "base/error.h"

/* Sixteen bytes as text, with the version that is given and the variant of RFC 9562. */
static void print(unsigned char raw[16], unsigned version, char out[ACI_ID_LEN + 1])
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;

    raw[6] = (unsigned char)((raw[6] & 0x0fu) | version << 4);
    raw[8] = (unsigned char)((raw[8] & 0x3fu) | 0x80u);
    for (size_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            out[at++] = '-';
        out[at++] = digits[raw[i] >> 4];
        out[at++] = digits[raw[i] & 0x0fu];
    }
    out[at] = '\0';
}

static agentchat_status draw(const agentchat_env *env, unsigned char raw[16], agentchat_error *err)
{
    if (env->random(env->user, raw, 16) != 0)
        return aci_fail(err, AGENTCHAT_E_INTERNAL, "the source of random bytes failed, so no id can be made");
    return AGENTCHAT_OK;
}

agentchat_status aci_id_new(const agentchat_env *env, char out[ACI_ID_LEN + 1], agentchat_error *err)
{
    unsigned char raw[16] = {0};
    agentchat_status status = draw(aci_env(env), raw, err);

    out[0] = '\0';
    if (status >= 0)
        print(raw, 4, out);
    return status;
}

agentchat_status aci_id_new_ordered(const agentchat_env *env, char out[ACI_ID_LEN + 1], agentchat_error *err)
{
    unsigned char raw[16] = {0};
    agentchat_status status = draw(aci_env(env), raw, err);
    int64_t ms = aci_now_us(env) / 1000;

    out[0] = '\0';
    if (status < 0)
        return status;
    for (int i = 0; i < 6; i++)
        raw[i] = (unsigned char)((uint64_t)ms >> (40 - 8 * i));
    print(raw, 7, out);
    return AGENTCHAT_OK;
}

int64_t aci_now_us(const agentchat_env *env)
{
    env = aci_env(env);
    return env->now_us(env->user);
}
