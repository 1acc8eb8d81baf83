/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a result, which .NET's format has no property for: what stands for it there. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_RESULT_CONTENT_H
#define ACI_FORMAT_SEMANTIC_KERNEL_RESULT_CONTENT_H

#include "base/buf.h"
#include "model/model.h"

/* Appends the texts of a content, a line each, as a JSON string; nothing when it has no texts. false: out of memory. */
bool aci_sk_content_text(const agentchat_message *content, aci_buf *out);

#endif
