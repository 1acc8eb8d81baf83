/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A live chat in memory.
 *
 * Invariants between operations:
 *   - no two agents have one id, no two channels one key; channels stand in the order in which they were made;
 *   - every channel has been given, said itself, or has in its queue, each message before its `synced`; `synced` is the
 *     number of messages in the history, except while an operation is active;
 *   - a kept state never has the key of a channel.
 */
#ifndef ACI_CHAT_CHAT_H
#define ACI_CHAT_CHAT_H

#include "base/index.h"
#include "chat/agent.h"
#include "chat/queue.h"
#include "model/model.h"
#include "snapshot/snapshot.h"
#include <agentchat/turn.h>
#include <stdatomic.h>

typedef struct aci_channel {
    agentchat_agent *agent; /* the one it was made for: its table serves the channel */
    void *self;
    size_t synced; /* messages of the history it has been given or has queued */
    aci_queue queue;
    const agentchat_channel_state *origin; /* what it was restored from, in the chat's origin; NULL: nothing */
    bool is_fresh;                         /* emptied by a reset and not used since */
    char key[AGENTCHAT_KEY_LEN + 1];
} aci_channel;

/* A stored state that belongs to no agent yet. */
typedef struct aci_kept {
    const agentchat_channel_state *state;  /* lives in the chat's kept_from, as a copy */
    size_t synced;                         /* never unknown */
    const agentchat_channel_state *origin; /* for the channel that will claim it */
} aci_kept;

/* Makes a channel of a kept state: OK with *out, DONE when it is to be made anew. Set by the layer that restores. */
typedef agentchat_status (*aci_claim_fn)(agentchat_chat *chat, const aci_kept *kept, agentchat_agent *agent,
                                         aci_channel **out, agentchat_error *err);

/* When a chat is kept: after input, after an answer that was completed, after an edit, and when the operation ends. */
typedef enum aci_keep_moment { ACI_KEEP_INPUT, ACI_KEEP_ANSWER, ACI_KEEP_EDIT, ACI_KEEP_END } aci_keep_moment;

/* Who keeps a chat somewhere else; set by the layer that does. Its functions run with the chat taken. */
typedef struct aci_chat_keeper {
    /* Before input and before a turn: may bring the chat up to date. NULL: nothing to do. */
    agentchat_status (*before)(void *self, agentchat_chat *chat, agentchat_error *err);
    /* Before an agent's turn, once it is known whose it is: may save the chat, and sets its `partial`. NULL: nothing to
       do. */
    agentchat_status (*turn)(void *self, agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err);
    /* Before what an agent says in its turn joins the history; a failure keeps it out. NULL: nothing to do. */
    agentchat_status (*says)(void *self, agentchat_chat *chat, const agentchat_message *message, agentchat_error *err);
    /* Saves what there is to save. NULL: nothing to do. */
    agentchat_status (*after)(void *self, agentchat_chat *chat, aci_keep_moment moment, agentchat_error *err);
    void (*free)(void *self); /* called once, when the keeper goes; NULL: there is none */
    void *self;
} aci_chat_keeper;

/* How updates of a named list are understood. */
typedef struct aci_chat_reducer {
    char *name; /* one block of name_len bytes */
    size_t name_len;
    agentchat_chat_reducer table;
} aci_chat_reducer;

typedef enum aci_activity {
    ACI_CHAT_IDLE = 0,
    ACI_CHAT_ACTIVE = 1,     /* an operation has the chat */
    ACI_CHAT_OBSERVED = 2,   /* its observer has it: the chat is consistent and may be read */
    ACI_CHAT_SWITCH = 3,     /* what distinguishes these two */
    ACI_CHAT_INTERRUPTED = 4 /* besides one of them: it is to end; goes with it */
} aci_activity;

/* The named values of a chat as they were. */
typedef struct aci_saved_values {
    bool is_saved;
    aci_value *values;
    size_t count, cap;
    aci_index names;
} aci_saved_values;

/* The messages of a chat by their ids. */
typedef struct aci_chat_ids {
    bool is_on; /* every message gets one */
    bool lacks; /* an indexed message has none */
    aci_index positions;
    agentchat_messages indexed; /* the history, as far as it is in the index */
    agentchat_messages said;    /* in the answer that is being given, to take the place of others */
} aci_chat_ids;

struct agentchat_chat {
    const agentchat_env *env;
    atomic_int activity; /* an aci_activity */
    agentchat_chat_observer observer;
    aci_chat_keeper keeper;
    agentchat_turn *turn;  /* begun in two calls and not ended; NULL: none */
    agentchat_error cause; /* what a caller's function reported; not on the stack, since chats nest */
    bool is_owned;         /* inside an aggregator's channel */
    /* During an aggregator's turn the chat that it is an agent of. Else NULL. */
    struct agentchat_chat *outer;
    bool says_outside;                 /* of a flat aggregator: what is said here is said in the outer chat, too */
    const agentchat_messages *partial; /* what its keeper knows of a turn that did not end; NULL: nothing */
    bool is_complete;
    bool was_kept;    /* a keeper that has gone had its messages somewhere */
    size_t next_turn; /* of the round robin; may be past the last agent */
    agentchat_messages history;
    agentchat_agent **agents;
    size_t agent_count, agent_cap;
    aci_index agent_ids;
    aci_channel **channels;
    size_t channel_count, channel_cap;
    aci_kept *kept;
    size_t kept_count, kept_cap;
    agentchat_snapshot *kept_from; /* one reference; NULL: nothing is kept */
    /* What the chat was restored from and has no use for itself, to be saved with it: see capture/origin.c. One
       reference; NULL: nothing. Outlives the kept states, and goes with a reset. */
    agentchat_snapshot *origin;
    size_t adopted_count; /* agents that were looked for in it; those after them joined later */
    aci_claim_fn claim;
    aci_value *values; /* each in an arena of its own, and never changed, so that captures share it */
    size_t value_count, value_cap;
    aci_index value_names;
    aci_chat_ids ids;
    aci_chat_reducer *reducers;
    size_t reducer_count, reducer_cap;
};

/* ---- operation.c ---------------------------------------------------------------------------------------------- */

/* Takes the chat for a public operation. E_INVALID for no chat, E_BUSY. */
agentchat_status aci_chat_enter(agentchat_chat *chat, agentchat_error *err);
void aci_chat_leave(agentchat_chat *chat);
/* The same for an operation that an observer may call, too. */
agentchat_status aci_chat_enter_reading(agentchat_chat *chat, aci_activity *before, agentchat_error *err);
void aci_chat_leave_reading(agentchat_chat *chat, aci_activity before);
bool aci_chat_is_busy(const agentchat_chat *chat); /* or a chat nested in it */
/* Whether it, or a chat that it answers for, is to end what it does; and the error that says so. */
bool aci_chat_is_interrupted(const agentchat_chat *chat);
agentchat_status aci_chat_fail_interrupted(agentchat_error *err);
/* An unset record for the next of the caller's functions, which must be read before there is another. */
agentchat_error *aci_chat_cause(agentchat_chat *chat);

/* ---- observer.c ----------------------------------------------------------------------------------------------- */

/* Call the observer, if there is one, with the chat taken: after input, after an answer of an agent, after an edit. */
agentchat_status aci_chat_observe_input(agentchat_chat *chat, agentchat_error *err);
agentchat_status aci_chat_observe_answer(agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err);
agentchat_status aci_chat_observe_edit(agentchat_chat *chat, const agentchat_list_edit *edit, agentchat_error *err);

/* ---- chat_keeper.c -------------------------------------------------------------------------------------------- */

/* Call the keeper, if there is one. */
agentchat_status aci_chat_keeper_before(agentchat_chat *chat, agentchat_error *err);
agentchat_status aci_chat_keeper_turn(agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err);
agentchat_status aci_chat_keeper_says(agentchat_chat *chat, const agentchat_message *message, agentchat_error *err);
agentchat_status aci_chat_keeper_after(agentchat_chat *chat, aci_keep_moment moment, agentchat_error *err);
/* Ends an operation with this status: what was said is kept even where it failed, and the first failure counts. */
agentchat_status aci_chat_keeper_end(agentchat_chat *chat, agentchat_status status, agentchat_error *err);
/* Sets the keeper; the one before goes. The chat is taken. */
void aci_chat_keeper_set(agentchat_chat *chat, const aci_chat_keeper *keeper);

/* ---- turn_in_two_calls.c -------------------------------------------------------------------------------------- */

/* Frees the turn that has begun, if there is one, of a chat that is about to be freed. */
void aci_chat_release_turn(agentchat_chat *chat);

/* ---- find_agent.c --------------------------------------------------------------------------------------------- */

/* An agent by its id or its name. E_NOTFOUND, E_INVALID for a name of several. */
agentchat_status aci_chat_find_agent(const agentchat_chat *chat, agentchat_str name, agentchat_agent **out,
                                     agentchat_error *err);
/* The next of the round robin of a chat with agents. */
agentchat_agent *aci_chat_next_agent(agentchat_chat *chat);

/* ---- chat.c, replies.c, invoke.c -------------------------------------------------------------------------------- */

/* Appends messages, of any role, and offers them to every channel, with the flag taken. */
agentchat_status aci_chat_add(agentchat_chat *chat, const agentchat_message *const *messages, size_t count,
                              agentchat_error *err);
/* Appends messages to the history, and to those of the outer chats that are to have them: to all or to none. false: out
   of memory. Defined in replies.c. */
bool aci_chat_say(agentchat_chat *chat, const agentchat_message *const *messages, size_t count);
/* Lets an agent of the chat answer, with the flag taken. */
agentchat_status aci_chat_invoke(agentchat_chat *chat, agentchat_agent *agent, agentchat_error *err);

/* ---- edit.c ----------------------------------------------------------------------------------------------------- */

/* Edits a chat that is taken, and calls its observer; is_kept: and its keeper, before. */
agentchat_status aci_chat_edit(agentchat_chat *chat, const agentchat_list_edit *edit, agentchat_report *report,
                               bool is_kept, agentchat_error *err);

/* ---- message_ids.c ---------------------------------------------------------------------------------------------- */

/* aci_chat_add(), or by ids where the chat gives them. */
agentchat_status aci_chat_add_input(agentchat_chat *chat, const agentchat_message *const *messages, size_t count,
                                    agentchat_error *err);
/* What an agent says, with an id where the chat, or one that hears it too, gives them: one reference. */
agentchat_status aci_chat_identify(const agentchat_chat *chat, const agentchat_message *message,
                                   const agentchat_message **out, agentchat_error *err);
/* Whether it has the id of a message that was said: then it takes its place when the answer ends. */
agentchat_status aci_chat_replaces(agentchat_chat *chat, const agentchat_message *message, bool *out,
                                   agentchat_error *err);
/* Lets those messages replace the others, or, where the answer failed, forgets them. */
agentchat_status aci_chat_end_answer(agentchat_chat *chat, bool is_given, agentchat_error *err);
void aci_chat_drop_ids(agentchat_chat *chat);

/* Channels leave the list before it is freed, since its function may look into the chat. */
void aci_chat_drop_channels(agentchat_chat *chat);
void aci_chat_drop_origin(agentchat_chat *chat);

/* ---- kept.c --------------------------------------------------------------------------------------------------- */

/* Index of the state of an agent's key; kept_count: none. */
size_t aci_chat_find_kept(const agentchat_chat *chat, const agentchat_agent *agent);
void aci_chat_remove_kept(agentchat_chat *chat, size_t index);
void aci_chat_drop_kept(agentchat_chat *chat);

/* ---- named_values.c ------------------------------------------------------------------------------------------- */

/* Copies a value into an arena of its own. false: out of memory. */
bool aci_chat_value_make(const agentchat_env *env, agentchat_str name, agentchat_str media_type, agentchat_str value,
                         aci_value *out);
/* The same of a value that a snapshot has: shares what lives in an arena of its own. */
bool aci_chat_value_share(const agentchat_env *env, const aci_value *value, aci_value *out);
/* Sets a value of a chat that is taken; absent: removes it. */
agentchat_status aci_chat_value_set(agentchat_chat *chat, agentchat_str name, agentchat_str media_type,
                                    agentchat_str value, agentchat_error *err);
/* Updates a named list of a chat that is taken. Defined in named_lists.c. */
agentchat_status aci_chat_value_update(agentchat_chat *chat, agentchat_str name, agentchat_str update,
                                       agentchat_error *err);
/* Saves the values, unless that was done before; false: out of memory. Then either forgets what was saved, or makes it
   the chat's again, which cannot fail. */
bool aci_chat_values_save(agentchat_chat *chat, aci_saved_values *saved);
void aci_chat_values_forget(const agentchat_env *env, aci_saved_values *saved);
void aci_chat_values_restore(agentchat_chat *chat, aci_saved_values *saved);
/* Index of a value; value_count: there is none. */
size_t aci_chat_value_find(const agentchat_chat *chat, agentchat_str name);
/* Gives the chat a value, which replaces one of that name; what it has references on is the chat's, unless it fails.
 */
bool aci_chat_value_put(agentchat_chat *chat, const aci_value *value);
void aci_chat_value_clear(aci_value *value);
void aci_chat_values_free(const agentchat_env *env, aci_value *values, size_t count, size_t cap);

/* ---- named_lists.c --------------------------------------------------------------------------------------------- */

void aci_chat_drop_reducers(agentchat_chat *chat);

#endif
