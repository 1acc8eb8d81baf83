/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACI_FORMAT_ADK_PART_KIND_H
#define ACI_FORMAT_ADK_PART_KIND_H

#include <agentchat/message.h>

/* The kind of an item with data or a URI: IMAGE, AUDIO or BINARY, by its media type, which may be absent. */
agentchat_item_kind aci_adk_part_kind(agentchat_str mime_type);

#endif
