/* SPDX-License-Identifier: Apache-2.0 */
/* Which agent is meant: by an id or a name, or as the next of the round robin. */
#include "chat/chat.h"

#include "base/error.h"
#include <stdio.h>
#include <string.h>

/* "2 agents are named X; use an id: id, id, …": as many ids as the record has room for. */
static agentchat_status fail_ambiguous(const agentchat_chat *chat, agentchat_str name, size_t count,
                                       agentchat_error *err)
{
    static const char cut[] = "…";
    char ids[sizeof err->message];
    aci_excerpt shown, id;
    size_t room = sizeof ids - sizeof " agents are named ; use an id: " - 20 /* digits */ -
                  strlen(aci_error_excerpt(name, &shown));
    size_t len = 0;

    ids[0] = '\0';
    for (size_t i = 0; i < chat->agent_count; i++) {
        size_t needed;

        if (!agentchat_str_equal(chat->agents[i]->name, name))
            continue;
        needed = strlen(aci_error_excerpt(chat->agents[i]->id, &id)) + 2;
        if (len + needed + sizeof cut > room) {
            snprintf(ids + len, sizeof ids - len, "%s%s", len > 0 ? ", " : "", cut);
            break;
        }
        snprintf(ids + len, sizeof ids - len, "%s%s", len > 0 ? ", " : "", id.text);
        len = strlen(ids);
    }
    return aci_fail(err, AGENTCHAT_E_INVALID, "%zu agents are named %s; use an id: %s", count, shown.text, ids);
}

agentchat_status aci_chat_find_agent(const agentchat_chat *chat, agentchat_str name, agentchat_agent **out,
                                     agentchat_error *err)
{
    size_t found = 0, bearer;
    aci_excerpt excerpt;

    *out = NULL;
    if (name.ptr == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "there is no name of an agent");
    bearer = aci_index_find(&chat->agent_ids, name);
    if (bearer != ACI_INDEX_NONE) {
        *out = chat->agents[bearer];
        return AGENTCHAT_OK;
    }
    for (size_t i = 0; i < chat->agent_count; i++)
        if (agentchat_str_equal(chat->agents[i]->name, name)) {
            found++;
            *out = chat->agents[i];
        }
    if (found == 0)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "no agent of the chat has the id or name %s",
                        aci_error_excerpt(name, &excerpt));
    return found == 1 ? AGENTCHAT_OK : fail_ambiguous(chat, name, found, err);
}

agentchat_agent *aci_chat_next_agent(agentchat_chat *chat)
{
    if (chat->next_turn >= chat->agent_count)
        chat->next_turn = 0;
    return chat->agents[chat->next_turn];
}
