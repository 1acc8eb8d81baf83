/* SPDX-License-Identifier: Apache-2.0 */
/* Form marks of chats: how a document spelled what means the same, so that it goes back as it came. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_FORM_H
#define ACI_FORMAT_SEMANTIC_KERNEL_FORM_H

#include "model/form_mark.h"
#include "snapshot/snapshot.h"

/* The document is a bare array of messages, .NET's ChatHistory. */
#define ACI_SK_BARE_HISTORY AGENTCHAT_STR("{\"from\":\"semantic-kernel\",\"value\":\"bare history\"}")
/* `History` is a string that holds the array. */
#define ACI_SK_QUOTED_HISTORY AGENTCHAT_STR("{\"from\":\"semantic-kernel\",\"value\":\"quoted history\"}")

/* Whether a snapshot has one of these marks, whatever its spelling. */
bool aci_sk_form_is(const agentchat_snapshot *snapshot, agentchat_str mark);

#endif
