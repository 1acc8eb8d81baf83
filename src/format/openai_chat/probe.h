/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a document is of OpenAI's Chat Completions. */
#ifndef ACI_FORMAT_OPENAI_CHAT_PROBE_H
#define ACI_FORMAT_OPENAI_CHAT_PROBE_H

#include "format/kit/probe.h"

aci_probe aci_openai_chat_probe;

#endif
