/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that keys, ids and names have in common. */
#include "state/state.h"

#include "base/error.h"
#include "base/utf8.h"
#include <string.h>

agentchat_status aci_label_check(agentchat_str label, const char *what, agentchat_error *err)
{
    aci_excerpt shown;

    if (label.len == 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the %s must not be empty", what);
    if (label.len > AGENTCHAT_MAX_KEY_BYTES)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the %s \"%s\" has %zu bytes, but at most %d are allowed", what,
                        aci_error_excerpt(label, &shown), label.len, AGENTCHAT_MAX_KEY_BYTES);
    if (memchr(label.ptr, '\0', label.len) != NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the %s \"%s\" has a NUL in it", what,
                        aci_error_excerpt(label, &shown));
    if (!aci_utf8_is_valid(label, true))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the %s \"%s\" is not UTF-8", what, aci_error_excerpt(label, &shown));
    if (aci_utf8_has_surrogates(label))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the %s \"%s\" has a surrogate in it, which is no character", what,
                        aci_error_excerpt(label, &shown));
    return AGENTCHAT_OK;
}
