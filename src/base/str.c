/* SPDX-License-Identifier: Apache-2.0 */
/* Views of bytes: absent (no address), null (one particular address) and present. */
#include "base/buf.h"
#include <agentchat/base.h>
#include <string.h>

/* Only the address matters: a view that points here is the explicit null. The array holds a readable byte, so that
   code which treats null as an empty text stays correct. */
static const char null_address[1] = {'\0'};

agentchat_str agentchat_str_from(const char *text)
{
    return (agentchat_str){text, text != NULL ? strlen(text) : 0};
}

agentchat_str agentchat_str_null(void)
{
    return (agentchat_str){null_address, 0};
}

bool agentchat_str_is_null(agentchat_str text)
{
    return text.ptr == null_address;
}

bool agentchat_str_equal(agentchat_str a, agentchat_str b)
{
    if ((a.ptr == NULL) != (b.ptr == NULL) || agentchat_str_is_null(a) != agentchat_str_is_null(b))
        return false;
    if (a.len != b.len)
        return false;
    return a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0;
}

int aci_str_compare(agentchat_str a, agentchat_str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter > 0 ? memcmp(a.ptr, b.ptr, shorter) : 0;

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}
