/* SPDX-License-Identifier: Apache-2.0 */
/* The version of the linked library, which may differ from the version of the headers. */
#include <agentchat/version.h>

const char *agentchat_version(void)
{
    return AGENTCHAT_VERSION_STRING;
}
