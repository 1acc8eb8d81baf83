/* SPDX-License-Identifier: Apache-2.0 */
/* Roles as they are compared. */
#include "list_edit/list_edit.h"
#include "list_edit/shared.h"

#include <string.h>

agentchat_str aci_roles_plain(agentchat_str role)
{
    return agentchat_str_equal(role, AGENTCHAT_STR("human"))       ? AGENTCHAT_STR("user")
           : agentchat_str_equal(role, AGENTCHAT_STR("ai"))        ? AGENTCHAT_STR("assistant")
           : agentchat_str_equal(role, AGENTCHAT_STR("developer")) ? AGENTCHAT_STR("system")
                                                                   : role;
}

bool aci_roles_has(const char *list, agentchat_str role)
{
    if (list == NULL || *list == '\0')
        return true;
    for (;;) {
        size_t len = strcspn(list, ",");

        if (agentchat_str_equal(aci_roles_plain((agentchat_str){list, len}), aci_roles_plain(role)))
            return true;
        if (list[len] == '\0')
            return false;
        list += len + 1;
    }
}
