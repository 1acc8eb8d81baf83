/* SPDX-License-Identifier: Apache-2.0 */
/* The failure of an operation whose copies are used up. */
#include "snapshot/copies.h"

#include "base/error.h"

agentchat_status aci_copies_fail(const aci_copies *copies, agentchat_error *err)
{
    return aci_fail(
        err, AGENTCHAT_E_LIMIT,
        "the channels repeat the history more than %llu times the chat's size: raise max_copies if they may",
        (unsigned long long)copies->most);
}
