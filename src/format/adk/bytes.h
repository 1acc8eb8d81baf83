/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in the ADK format, which have several spellings. */
#ifndef ACI_FORMAT_ADK_BYTES_H
#define ACI_FORMAT_ADK_BYTES_H

#include "format/kit/raw_reader.h"

/* Base64 of either alphabet, padded or not, or an array of numbers; both are absent when it is none of these. */
bool aci_adk_read_bytes(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *base64,
                        agentchat_str *bytes);

/* Any base64 as our model has it: the standard alphabet, padded; absent: it is none. false: out of memory. */
bool aci_adk_standard_base64(aci_raw_reader *a, agentchat_str text, agentchat_str *out);

/* Whether text is base64 of one of the alphabets, padded or not, its unused bits zero. */
bool aci_adk_is_base64(agentchat_str text);

#endif
