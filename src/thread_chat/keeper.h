/* SPDX-License-Identifier: Apache-2.0 */
/*

 */
#ifndef ACI_THREAD_CHAT_KEEPER_H
#define ACI_THREAD_CHAT_KEEPER_H

#include "chat/chat.h"
#include "memory/memory.h"
#include "restore/restore.h"
#include "thread/thread.h"
#include <agentchat/thread_chat.h>

typedef struct aci_keeper {
    const agentchat_env *env; /* the chat's */
    agentchat_store *store;   /* attached to it; NULL: the chat only remembers */
    char *thread, *ns;        /* NUL-terminated */
    /* ---- the checkpoint that the chat stands on; no snapshot: none yet ---- */
    aci_memory base; /* its texts and snapshot are the next two */
    char id[AGENTCHAT_ID_SIZE];
    agentchat_snapshot *snapshot;
    aci_lost lost; /* a put after it whose outcome is not known; no snapshot: there is none */
    int64_t next_step;
    /* ---- of who is attached ---- */
    char *run;
    aci_buf metadata; /* empty: none given */
    agentchat_work_request *work;
    size_t work_count;
    aci_arena *texts; /* work and its texts; NULL: none */
    bool branch;      /* the next save begins a line */
    bool at_end, no_catch_up, append, keep_partial;
    /* ---- with keep_partial (save.c) ---- */
    aci_buf answered; /* ids of the agents that have answered since it was saved, each ended by a NUL */
    const agentchat_agent *speaker;
    char task[AGENTCHAT_ID_SIZE]; /* the turn */
    agentchat_messages partial;   /* of one that did not end */
    size_t repeated;              /* of these, by this turn, which goes on with it … */
    bool goes_on;                 /* … until it says something else */
    int64_t said;                 /* the index of the next write */
} aci_keeper;

/* The keeper of a chat, or NULL. */
aci_keeper *aci_keeper_of(const agentchat_chat *chat);
/* A keeper for a thread, which remembers nothing yet. NULL: out of memory. */
aci_keeper *aci_keeper_new(const agentchat_env *env, agentchat_str thread, agentchat_str ns);
void aci_keeper_free(aci_keeper *keeper);
/* Whether it is one of that thread and namespace. keeper may be NULL. */
bool aci_keeper_is_of(const aci_keeper *keeper, agentchat_str thread, agentchat_str ns);
/* Remembers a checkpoint; takes over the reference on the snapshot. */
void aci_keeper_remember(aci_keeper *keeper, const aci_memory *base, agentchat_snapshot *snapshot);
/* What it remembers; NULL: nothing. */
const aci_memory *aci_keeper_base(const aci_keeper *keeper);
/* Takes over what was found out about the lost put. */
void aci_keeper_settle(aci_keeper *keeper, const aci_found_lost *found);
/* Puts the thread before the message of an error that does not name it. Gives back the status. */
agentchat_status aci_keeper_name(const aci_keeper *keeper, agentchat_status status, agentchat_error *err);
/* The chat has this keeper from now on, which owns what it has, and calls its hooks; the chat is taken. */
void aci_keeper_install(aci_keeper *keeper, agentchat_chat *chat, aci_chat_keeper hooks);

/* Keep what an agent says before its answer is saved: before its turn, and with each message. */
agentchat_status aci_keeper_begin_turn(aci_keeper *keeper, agentchat_chat *chat, const agentchat_agent *agent,
                                       agentchat_error *err);
agentchat_status aci_keeper_says(aci_keeper *keeper, const agentchat_message *message, agentchat_error *err);

/* Whether the history of the chat is that of what it remembers, or begins with it: then *unsaved messages came since.
 */
bool aci_keeper_unsaved(const aci_keeper *keeper, const agentchat_chat *chat, size_t *unsaved);

/* Saves a chat that is taken, on what the keeper remembers. by_hand: a thread that is gone is begun anew. */
agentchat_status aci_keeper_save(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                 const agentchat_thread_save_options *options, bool by_hand, agentchat_error *err);
/* Saves an attached chat as the next step of its run. */
agentchat_status aci_keeper_save_step(aci_keeper *keeper, agentchat_chat *chat, const char *source,
                                      agentchat_error *err);
/* What a chat is restored from. */
typedef struct aci_source {
    const char *id; /* the checkpoint; NULL: the newest */
    uint64_t line;  /* … of this line; 0: of the namespace */
    bool is_last;   /* it must be the newest of its line: E_CONFLICT */
    const agentchat_restore_options *options;
    const aci_replacing *replacing; /* as aci_restore_outermost() */
} aci_source;
/* Reads a checkpoint and restores it into a chat that is taken; the keeper remembers it. */
agentchat_status aci_keeper_restore(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                    const aci_source *source, agentchat_report **report, agentchat_error *err);

#endif
