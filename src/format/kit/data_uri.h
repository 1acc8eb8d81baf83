/* SPDX-License-Identifier: Apache-2.0 */
/* Data URIs (RFC 2397) of the one shape that providers exchange: data:TYPE;base64,DATA. */
#ifndef ACI_FORMAT_KIT_DATA_URI_H
#define ACI_FORMAT_KIT_DATA_URI_H

#include "base/buf.h"
#include "model/model.h"

/* Splits a URI that is spelled so, with a type and with base64 that is valid; false: it is not, and nothing is set. */
bool aci_data_uri_split(agentchat_str uri, agentchat_str *mime_type, agentchat_str *base64);
/* Appends such a URI. false: out of memory. */
bool aci_data_uri_make(agentchat_str mime_type, const aci_data *data, aci_buf *out);

#endif
