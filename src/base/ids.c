/* SPDX-License-Identifier: Apache-2.0 */
/* Ids and time: from the environment's functions, by default those of libcrypto and the system. Layer 0. */
#include "base/ids.h"

#include "base/error.h"
#include <limits.h>
#include <openssl/rand.h>
#include <time.h>

int64_t aci_system_now_us(void *user)
{
    struct timespec now = {0, 0};

    (void)user;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return 0;
    return (int64_t)now.tv_sec * 1000000 + (int64_t)now.tv_nsec / 1000;
}

int aci_system_random(void *user, void *bytes, size_t size)
{
    unsigned char *next = bytes;

    (void)user;
    while (size > 0) {
        int step = size > INT_MAX ? INT_MAX : (int)size;

        if (RAND_bytes(next, step) != 1)
            return -1;
        next += step;
        size -= (size_t)step;
    }
    return 0;
}

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
