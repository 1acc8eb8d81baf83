/* SPDX-License-Identifier: Apache-2.0 */
/* Data URIs where an ADK names a file. */
#ifndef ACI_FORMAT_ADK_DATA_URI_H
#define ACI_FORMAT_ADK_DATA_URI_H

#include "format/kit/raw_reader.h"
#include "model/model.h"

/* A data URI taken apart: its bytes, in one way or the other, and its media type, absent where it names none. false: it
   is none, or it is malformed, or a failure, which a->status shows. */
bool aci_adk_read_data_uri(aci_raw_reader *a, agentchat_str uri, aci_data *data, agentchat_str *mime_type);

#endif
