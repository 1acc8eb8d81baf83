/* SPDX-License-Identifier: Apache-2.0 */
#include "team.h"
#include "note.h"
#include <stdio.h>

/* Nobody asks a model: an answer is made from what the agent remembers, so a memory that was lost, doubled or out of
   order would be seen in the words. */
static agentchat_status from_memory(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                    agentchat_error *err)
{
    const char *opinion = user;
    size_t count = agentchat_messages_count(seen);
    note newest = note_of(agentchat_messages_at(seen, count - 1));
    char text[512];

    (void)snprintf(text, sizeof text, "%s (I remember %zu messages, the newest begins \"%.24s\")", opinion, count,
                   newest.text);
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

/* The chat inside the Panel. */
static agentchat_status make_panel(void *user, agentchat_chat **out, agentchat_error *err)
{
    static char hope[] = "People are hungry at two in the morning.";
    static char fear[] = "People are asleep at two in the morning.";
    agentchat_status status;

    (void)user;
    (void)((status = agentchat_chat_new(NULL, out, err)) < 0 ||
           (status = agentchat_chat_add_history_agent(*out, AGENTCHAT_STR("Optimist"), from_memory, hope, err)) < 0 ||
           (status = agentchat_chat_add_history_agent(*out, AGENTCHAT_STR("Pessimist"), from_memory, fear, err)));
    if (status < 0) {
        agentchat_chat_free(*out);
        *out = NULL;
    }
    return status;
}

static agentchat_status add_panel(agentchat_chat *chat, agentchat_error *err)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_agent *panel = NULL;
    agentchat_status status;

    options.name = AGENTCHAT_STR("Panel");
    options.mode = AGENTCHAT_AGGREGATOR_NESTED; /* outside, only its last word is heard, as the Panel's */
    options.make = make_panel;
    status = agentchat_aggregator_new(NULL, &options, &panel, err);
    return status < 0 ? status : agentchat_chat_add_agent(chat, panel, err);
}

agentchat_chat *team_chat(archivist *filing, buyer *buying, agentchat_error *err)
{
    static char plan[] = "First an oven, then a baker, then the night.";
    static char objection[] = "Ovens are loud and neighbours sleep.";
    agentchat_chat *chat = NULL;

    if (agentchat_chat_new(NULL, &chat, err) == 0 &&
        agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Planner"), from_memory, plan, err) == 0 &&
        agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Critic"), from_memory, objection, err) == 0 &&
        archivist_join(filing, chat, err) == 0 && add_panel(chat, err) == 0 && buyer_join(buying, chat, err) == 0)
        return chat;
    agentchat_chat_free(chat);
    return NULL;
}
