/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the native format of events, in the order in which they are written. */
#include "format/native/event.h"

#define P(name, what)                                                                                                  \
    {                                                                                                                  \
        "\"" name "\":", (uint8_t)(sizeof("\"" name "\":") - 1), (uint8_t)(what)                                       \
    }
#define OBJECT(table)                                                                                                  \
    {                                                                                                                  \
        (table), (uint32_t)(sizeof(table) / sizeof(table)[0])                                                          \
    }

static const aci_native_property event[] = {
    P("sequence", ACI_NATIVE_EVENT_SEQUENCE),
    P("id", AGENTCHAT_EVENT_ID),
    P("invocation", AGENTCHAT_EVENT_INVOCATION),
    P("author", AGENTCHAT_EVENT_AUTHOR),
    P("time", AGENTCHAT_EVENT_TIME),
    P("branch", AGENTCHAT_EVENT_BRANCH),
    P("partial", AGENTCHAT_EVENT_PARTIAL),
    P("content", ACI_NATIVE_EVENT_CONTENT),
    P("actions", ACI_NATIVE_EVENT_ACTIONS),
    P("longrunning", AGENTCHAT_EVENT_LONG_RUNNING),
    P("extras", ACI_NATIVE_EVENT_EXTRAS),
};

static const aci_native_property actions[] = {
    P("statedelta", ACI_NATIVE_EVENT_SETS),
    P("statedelete", ACI_NATIVE_EVENT_DELETES),
    P("stateadd", ACI_NATIVE_EVENT_ADDS),
    P("artifacts", AGENTCHAT_EVENT_ARTIFACTS),
    P("transfer", AGENTCHAT_EVENT_TRANSFER),
    P("escalate", AGENTCHAT_EVENT_ESCALATE),
    P("skipsummarization", AGENTCHAT_EVENT_SKIP_SUMMARIZATION),
    P("compaction", AGENTCHAT_EVENT_COMPACTION),
    P("extras", ACI_NATIVE_EVENT_EXTRAS),
};

const aci_native_object aci_native_event = OBJECT(event);
const aci_native_object aci_native_actions = OBJECT(actions);
