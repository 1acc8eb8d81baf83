/* SPDX-License-Identifier: Apache-2.0 */
/* The names of our own form of events, in the order in which they are written. Layer 5. */
#include "event/own.h"

#define P(name, what)                                                                                                  \
    {                                                                                                                  \
        "\"" name "\":", (uint8_t)(sizeof("\"" name "\":") - 1), (uint8_t)(what)                                       \
    }
#define OBJECT(table)                                                                                                  \
    {                                                                                                                  \
        (table), (uint32_t)(sizeof(table) / sizeof(table)[0])                                                          \
    }

static const aci_f1_property event[] = {
    P("sequence", ACI_OWN_SEQUENCE),
    P("id", AGENTCHAT_EVENT_ID),
    P("invocation", AGENTCHAT_EVENT_INVOCATION),
    P("author", AGENTCHAT_EVENT_AUTHOR),
    P("time", AGENTCHAT_EVENT_TIME),
    P("branch", AGENTCHAT_EVENT_BRANCH),
    P("partial", AGENTCHAT_EVENT_PARTIAL),
    P("content", ACI_OWN_CONTENT),
    P("actions", ACI_OWN_ACTIONS),
    P("longrunning", AGENTCHAT_EVENT_LONG_RUNNING),
    P("extras", ACI_OWN_EXTRAS),
};

static const aci_f1_property actions[] = {
    P("statedelta", ACI_OWN_SETS),
    P("statedelete", ACI_OWN_DELETES),
    P("stateadd", ACI_OWN_ADDS),
    P("artifacts", AGENTCHAT_EVENT_ARTIFACTS),
    P("transfer", AGENTCHAT_EVENT_TRANSFER),
    P("escalate", AGENTCHAT_EVENT_ESCALATE),
    P("skipsummarization", AGENTCHAT_EVENT_SKIP_SUMMARIZATION),
    P("compaction", AGENTCHAT_EVENT_COMPACTION),
    P("extras", ACI_OWN_EXTRAS),
};

const aci_f1_object aci_own_event = OBJECT(event);
const aci_f1_object aci_own_actions = OBJECT(actions);
