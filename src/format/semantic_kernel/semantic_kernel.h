/* SPDX-License-Identifier: Apache-2.0 */
/* The semantic-kernel format: what the library calls. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_SEMANTIC_KERNEL_H
#define ACI_FORMAT_SEMANTIC_KERNEL_SEMANTIC_KERNEL_H

#include "format/kit/format.h"

extern const aci_format aci_sk_format;

aci_probe aci_sk_probe;
/* Reads a document; *out gets a snapshot that holds a reference on in->arena. */
agentchat_status aci_sk_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err);
/* The same of option 3 of the decision record: with the states in base64. */
agentchat_status aci_sk_encoded_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err);
/* Writes one, without committing it. */
agentchat_status aci_sk_write(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err);

#endif
