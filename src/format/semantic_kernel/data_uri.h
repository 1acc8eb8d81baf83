/* SPDX-License-Identifier: Apache-2.0 */
/* Data URIs: data:[type/subtype][;name=value]*[;format],payload. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_DATA_URI_H
#define ACI_FORMAT_SEMANTIC_KERNEL_DATA_URI_H

#include "model/model.h"

/* Parts of a data URI. */
typedef struct aci_sk_data_uri {
    agentchat_str mime_type;  /* "text/plain" when there is none */
    agentchat_str parameters; /* "name=value;name=value" */
    agentchat_str payload;
    bool is_base64; /* payload is canonical base64; else it is the bytes */
} aci_sk_data_uri;
bool aci_sk_data_uri_parse(agentchat_str text, aci_sk_data_uri *out);
bool aci_sk_is_data_uri(agentchat_str text);
/* Sets MIME_TYPE and METADATA of a draft and makes the data. NULL: out of memory. */
aci_data *aci_sk_data_uri_apply(const aci_sk_data_uri *uri, aci_draft *draft, const agentchat_env *env,
                                aci_arena *arena);

#endif
