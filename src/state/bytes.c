/* SPDX-License-Identifier: Apache-2.0 */
/* Handing a buffer over to the bytes of a caller. */
#include "state/state.h"

#include "base/error.h"

agentchat_status aci_bytes_take(agentchat_bytes *bytes, aci_buf *text, agentchat_error *err)
{
    if (bytes == NULL)
        return aci_fail_null(err, "out");
    if (bytes->ptr != NULL)
        return aci_buf_append_bytes(bytes, text->env, aci_buf_str(text), err);
    if (!aci_buf_reserve(text, 1))
        return aci_fail_nomem(err);
    text->ptr[text->len] = '\0';
    *bytes = (agentchat_bytes){text->ptr, text->len, text->cap, text->env};
    aci_buf_init(text, text->env, text->max);
    return AGENTCHAT_OK;
}
