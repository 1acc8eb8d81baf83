/* SPDX-License-Identifier: Apache-2.0 */
/* A compaction as events hold it: JSON with two times and a message. */
#ifndef ACI_FORMAT_ADK_COMPACTION_H
#define ACI_FORMAT_ADK_COMPACTION_H

#include "format/kit/raw_reader.h"
#include "model/model.h"

typedef struct aci_adk_compaction_parts {
    agentchat_str start, end;   /* decoded, in the reader's arena */
    agentchat_message *content; /* one reference; to be given back after a failure too */
    bool has_others;            /* members besides these three */
} aci_adk_compaction_parts;

/* Takes validated JSON of an object apart. false: it has not what a compaction needs, or a failure, which a->status
   shows. */
bool aci_adk_compaction_read(aci_raw_reader *a, aci_adk_compaction_parts *c, agentchat_str json);
/* Whether a compaction has a member of this name. */
bool aci_adk_compaction_has(agentchat_str name);

#endif
