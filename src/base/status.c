/* SPDX-License-Identifier: Apache-2.0 */
/* Names and texts of the result codes, made from the one list in the public header. */
#include <agentchat/status.h>

const char *agentchat_status_name(agentchat_status status)
{
    /* Callers hand in any number, so this switches over an integer and the default is reachable. */
    switch ((int)status) {
#define AGENTCHAT_X(name, value, text)                                                                                 \
    case value:                                                                                                        \
        return #name;
        AGENTCHAT_STATUS_MAP(AGENTCHAT_X)
#undef AGENTCHAT_X
    default:
        return "E_UNKNOWN";
    }
}

const char *agentchat_status_text(agentchat_status status)
{
    switch ((int)status) {
#define AGENTCHAT_X(name, value, text)                                                                                 \
    case value:                                                                                                        \
        return text;
        AGENTCHAT_STATUS_MAP(AGENTCHAT_X)
#undef AGENTCHAT_X
    default:
        return "unknown status";
    }
}

bool agentchat_status_is_retryable(agentchat_status status)
{
    return status == AGENTCHAT_E_BUSY || status == AGENTCHAT_E_CONFLICT;
}
