/* SPDX-License-Identifier: Apache-2.0 */
/* States that a reduced restore left without an agent, and what an agent gets that claims one later. Layer 5. */
#include "restore/restore.h"

agentchat_status aci_claim(agentchat_chat *chat, const aci_kept *kept, agentchat_agent *agent, aci_channel **out,
                           agentchat_error *err)
{
    aci_restoring restoring = {.depth = 0};
    agentchat_status status;

    aci_buf_init(&restoring.path, chat->env, SIZE_MAX);
    status = aci_stage_channel(&restoring, chat->env, kept->state, kept->synced, chat->history.count, agent, out, err);
    if (status == AGENTCHAT_OK)
        (*out)->origin = kept->origin;
    aci_buf_clear(&restoring.path);
    return status;
}
