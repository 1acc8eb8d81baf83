/* SPDX-License-Identifier: Apache-2.0 */
/* What .NET keeps in a channel: which messages, and in what form its state is. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_CHANNEL_KIND_H
#define ACI_FORMAT_SEMANTIC_KERNEL_CHANNEL_KIND_H

#include "model/model.h"

/* Whether Semantic Kernel's history channel keeps a message: it has text, a call, a result or an image. */
bool aci_sk_channel_keeps(const agentchat_message *message);
/* What a channel's state is by its key and type. */
typedef enum aci_sk_state { ACI_SK_STATE_OTHER, ACI_SK_STATE_HISTORY, ACI_SK_STATE_CHAT } aci_sk_state;
aci_sk_state aci_sk_state_of(agentchat_str key, agentchat_str type);
#define ACI_SK_HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="

#endif
