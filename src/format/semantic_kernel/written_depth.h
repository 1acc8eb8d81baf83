/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of containers that default mode writes. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_WRITTEN_DEPTH_H
#define ACI_FORMAT_SEMANTIC_KERNEL_WRITTEN_DEPTH_H

#include "format/semantic_kernel/writer.h"

uint32_t aci_sk_depth_of_messages(aci_sk_writer *wr, const agentchat_messages *messages);
uint32_t aci_sk_depth_of_chat(aci_sk_writer *wr, const agentchat_snapshot *chat);
uint32_t aci_sk_depth_of_state(aci_sk_writer *wr, const agentchat_channel_state *channel);

#endif
