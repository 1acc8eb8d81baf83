/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of the ADK format share. */
#ifndef ACI_FORMAT_ADK_READ_H
#define ACI_FORMAT_ADK_READ_H

#include "format/adk/tables.h"
#include "format/kit/items.h"

/* A Content as a message in the reader's arena; NULL after a failure. */
agentchat_message *aci_adk_content_read(aci_raw_reader *a, const aci_location *path, agentchat_str raw);
/* Adds a Part as an item. */
bool aci_adk_part_read(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items);

#endif
