/* SPDX-License-Identifier: Apache-2.0 */
/* Names of formats. */
#include "model/format_name.h"

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

bool aci_format_name_is_valid(agentchat_str text)
{
    if (text.ptr == NULL || text.len == 0 || text.len > ACI_FORMAT_NAME_LONGEST || !is_letter(*text.ptr))
        return false;
    for (size_t i = 1; i < text.len; i++)
        if (!is_letter(text.ptr[i]) && !(text.ptr[i] >= '0' && text.ptr[i] <= '9') && text.ptr[i] != '-')
            return false;
    return true;
}
