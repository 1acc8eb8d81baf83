/* SPDX-License-Identifier: Apache-2.0 */
/* Names of formats as origins. Any valid name is kept: a later version, or another library, may know its format. */
#include "model/model.h"

const char aci_tag_rule[] = "the name of a format is 1 to 64 of a-z, 0-9 and \"-\", beginning with a letter";

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

bool aci_tag_is_valid(agentchat_str tag)
{
    if (tag.len == 0 || tag.len > ACI_TAG_LONGEST || !is_letter(tag.ptr[0]))
        return false;
    for (size_t i = 1; i < tag.len; i++)
        if (!is_letter(tag.ptr[i]) && !(tag.ptr[i] >= '0' && tag.ptr[i] <= '9') && tag.ptr[i] != '-')
            return false;
    return true;
}

bool aci_tag_check(agentchat_str *tag)
{
    if (agentchat_str_is_null(*tag))
        *tag = (agentchat_str){NULL, 0};
    return tag->ptr == NULL || aci_tag_is_valid(*tag);
}
