/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An agent in memory.
 *
 * Agent, strings and the context of a built-in agent live in one arena. The three built-in agents are channel types
 * like a host's own; what sets them apart is that their functions get a context of ours instead of the user pointer.
 */
#ifndef ACI_CHAT_AGENT_H
#define ACI_CHAT_AGENT_H

#include "base/arena.h"
#include <agentchat/chat.h>

/* What a built-in channel does before and after an answer that the host gives in two calls; end may be NULL. */
typedef struct aci_turn_table {
    agentchat_status (*begin)(void *channel, void *agent, agentchat_replies *out, agentchat_error *err);
    agentchat_status (*end)(void *channel, agentchat_replies *out, agentchat_status status, agentchat_error *err);
} aci_turn_table;

struct agentchat_agent {
    aci_arena *arena;
    agentchat_str id, name, type; /* NUL-terminated; name may be absent */
    agentchat_channel_type table; /* a copy: members that the caller's struct is too short for are NULL */
    void *context;                /* what the table's functions get as `agent` */
    void *user;
    void (*free_user)(void *user);
    agentchat_chat *(*inner)(void *channel); /* the chat in an aggregator's channel; NULL for all others */
    const aci_turn_table *turns;             /* NULL: nothing is to be done */
    agentchat_chat *chat;                    /* the chat that owns the agent, or NULL */
    /* The stored participant that the agent is, in the chat's origin; NULL: none. Of the layer that restores. */
    const agentchat_participant *origin;
    bool key_from_id; /* the key strings are the channel's name and the id */
    bool id_is_made;  /* nobody gave it */
    char key[AGENTCHAT_KEY_LEN + 1];
};

/* Where the key strings of an agent come from. */
typedef enum aci_key_rule {
    ACI_KEY_AS_GIVEN = 1,    /* the caller's; without any the channel's name */
    ACI_KEY_AFTER_TYPE = 2,  /* the channel's name and then the caller's, if any */
    ACI_KEY_OF_THE_AGENT = 3 /* the same, but without any of the caller's the agent's name, else its id */
} aci_key_rule;

/* What all kinds of agents have in common. */
typedef struct aci_agent_spec {
    agentchat_str name, id; /* absent: the participant's, else none, or a generated one */
    const char *type;       /* NULL: the participant's, else type_default */
    const char *type_default;
    const agentchat_participant *participant; /* NULL: none */
    const agentchat_channel_type *table;      /* complete */
    const char *channel_name;                 /* NULL: the one in the table */
    aci_key_rule key_rule;
    const char *const *keys;
    size_t key_count;
    size_t context_size; /* 0: the context is the user pointer */
    void *user;
    void (*free_user)(void *user);
    agentchat_chat *(*inner)(void *channel);
    const aci_turn_table *turns;
} aci_agent_spec;

/* Makes an agent; a context of context_size bytes is all zero and to be filled by the caller. `checked` is what the
   options of its kind were found to be: an error is passed on. On every failure *out is NULL and the user pointer has
   been released. */
agentchat_status aci_agent_make(const agentchat_env *env, const aci_agent_spec *spec, agentchat_status checked,
                                agentchat_agent **out, agentchat_error *err);

/* Reports what is wrong with the options of an agent that is being made: "the options of agent X lack answer". */
agentchat_status aci_agent_fail_options(agentchat_str name, agentchat_str id, const char *what, agentchat_error *err);

/* Whether two agents' channels are of one type, so that one's functions understand the other's channel. */
bool aci_agent_same_type(const agentchat_agent *a, const agentchat_agent *b);

/* Report what a function of an agent, or of its channel (`what` is as in "could not receive"), returned: the agent
   first, then the cause in full. Return status. */
agentchat_status aci_agent_fail_answer(const agentchat_agent *agent, agentchat_status status,
                                       const agentchat_error *cause, agentchat_error *err);
agentchat_status aci_agent_fail_channel(const agentchat_agent *agent, agentchat_status status,
                                        const agentchat_error *cause, const char *what, agentchat_error *err);

#endif
