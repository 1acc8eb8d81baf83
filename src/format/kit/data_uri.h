/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACI_FORMAT_KIT_DATA_URI_H
#define ACI_FORMAT_KIT_DATA_URI_H
#include "base/buf.h"
#include "model/model.h"
#include <agentchat/str.h>
#include <stdbool.h>
bool aci_data_uri_make(agentchat_str mime_type, const aci_data *data, aci_buf *out);
bool aci_data_uri_split(agentchat_str uri, agentchat_str *mime_type, agentchat_str *base64);
#endif
