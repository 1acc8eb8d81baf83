/* SPDX-License-Identifier: Apache-2.0 */
/* Media in the ADK format: bytes, which have several spellings, and data URIs where it names a file. */
#ifndef ACI_FORMAT_ADK_MEDIA_H
#define ACI_FORMAT_ADK_MEDIA_H

#include "format/kit/raw_reader.h"
#include "model/model.h"

/* Base64 of either alphabet, padded or not, or an array of numbers; both are absent when it is none of these. */
bool aci_adk_read_bytes(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *base64,
                        agentchat_str *bytes);

/* Whether text is base64 of one of the alphabets, padded or not, its unused bits zero. */
bool aci_adk_is_base64(agentchat_str text);

/* A data URI taken apart: its bytes, in one way or the other, and its media type, absent where it names none. false: it
   is none, or it is malformed, or a failure, which a->status shows. */
bool aci_adk_read_data_uri(aci_raw_reader *a, agentchat_str uri, aci_data *data, agentchat_str *mime_type);

/* The kind of an item with data or a URI: IMAGE, AUDIO or BINARY, by its media type, which may be absent. */
agentchat_item_kind aci_adk_part_kind(agentchat_str mime_type);

#endif
