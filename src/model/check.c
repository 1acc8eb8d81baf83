/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of values that come through the interface. */
#include "model/check.h"

#include "base/error.h"
#include "base/utf8.h"
#include "json/value.h"

static bool is_text(agentchat_str text, size_t *bad)
{
    *bad = aci_utf8_valid_prefix(text.ptr, text.len, true);
    if (*bad < text.len)
        return false;
    if (!aci_utf8_has_surrogates(text))
        return true;
    for (size_t i = 0; i + 6 <= text.len; i++) {
        const unsigned char *p = (const unsigned char *)text.ptr + i;

        if (p[0] == 0xED && (p[1] & 0xF0) == 0xA0 && p[3] == 0xED && (p[4] & 0xF0) == 0xB0) {
            *bad = i;
            return false;
        }
    }
    return true;
}

agentchat_status aci_check_text(agentchat_str text, agentchat_error *err)
{
    size_t bad;

    if (text.len == 0 || is_text(text, &bad))
        return AGENTCHAT_OK;
    aci_fail(err, AGENTCHAT_E_INVALID, "text is not UTF-8 at byte %zu", bad);
    aci_error_at(err, bad, 0, 0);
    return AGENTCHAT_E_INVALID;
}

agentchat_status aci_check_json(const agentchat_env *env, agentchat_str *text, agentchat_error *err)
{
    agentchat_error detail;
    agentchat_status status;

    agentchat_error_clear(&detail);
    status = aci_json_check(env, *text, env->limits.max_depth, text, NULL, &detail);
    if (status >= 0)
        return AGENTCHAT_OK;
    if (status != AGENTCHAT_E_NOMEM && status != AGENTCHAT_E_LIMIT)
        status = AGENTCHAT_E_INVALID;
    detail.code = status;
    if (err != NULL)
        *err = detail;
    return status;
}
