/* SPDX-License-Identifier: Apache-2.0 */
#include "format/adk/part_kind.h"

#include <string.h>

agentchat_item_kind aci_adk_part_kind(agentchat_str mime_type)
{
    if (mime_type.len >= 6 && memcmp(mime_type.ptr, "image/", 6) == 0)
        return AGENTCHAT_ITEM_IMAGE;
    if (mime_type.len >= 6 && memcmp(mime_type.ptr, "audio/", 6) == 0)
        return AGENTCHAT_ITEM_AUDIO;
    return AGENTCHAT_ITEM_BINARY;
}
