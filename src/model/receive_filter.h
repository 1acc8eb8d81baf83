/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages a history channel takes, as Semantic Kernel's does. */
#ifndef ACI_MODEL_RECEIVE_FILTER_H
#define ACI_MODEL_RECEIVE_FILTER_H

#include "model/model.h"

/* Messages with text, a call, a result or an image; keep_all: every one that has an item. */
bool aci_receive_filter_takes(const agentchat_message *message, bool keep_all);

#endif
