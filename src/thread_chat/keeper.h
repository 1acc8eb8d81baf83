/* SPDX-License-Identifier: Apache-2.0 */
/* What a chat remembers of its thread, and, where it is attached, how it keeps itself. */
#ifndef ACI_THREAD_CHAT_KEEPER_H
#define ACI_THREAD_CHAT_KEEPER_H

#include "chat/chat.h"
#include "restore/restore.h"
#include "thread/put.h"
#include <agentchat/thread_chat.h>

typedef struct aci_keeper {
    const agentchat_env *env; /* the chat's */
    agentchat_store *store;   /* attached to it; NULL: the chat only remembers */
    /* ---- the checkpoint that is remembered; no snapshot: none yet ---- */
    char *thread, *ns; /* NUL-terminated */
    char id[AGENTCHAT_ID_SIZE];
    agentchat_snapshot *snapshot;
    aci_buf contents; /* as its row has them */
    int64_t num, seq;
    int64_t next_step;
    /* ---- of who is attached ---- */
    char *run;
    aci_buf metadata; /* empty: none given */
    bool branch, at_end, no_catch_up, append;
} aci_keeper;

/* The keeper of a chat, or NULL. */
aci_keeper *aci_keeper_of(const agentchat_chat *chat);
/* A keeper for a thread, which remembers nothing yet. NULL: out of memory. */
aci_keeper *aci_keeper_new(const agentchat_env *env, agentchat_str thread, agentchat_str ns);
void aci_keeper_free(aci_keeper *keeper);
/* Whether it remembers a checkpoint of that thread and namespace. keeper may be NULL. */
bool aci_keeper_remembers(const aci_keeper *keeper, agentchat_str thread, agentchat_str ns);
/* Remembers a checkpoint; takes over the reference on the snapshot and the contents. */
void aci_keeper_remember(aci_keeper *keeper, agentchat_str id, int64_t num, int64_t seq, agentchat_snapshot *snapshot,
                         aci_buf *contents);
/* What it remembers; only where it has a snapshot. */
aci_memory aci_keeper_memory(const aci_keeper *keeper);
/* The chat has this keeper from now on, which owns what it has, and calls its hooks; the chat is taken. */
void aci_keeper_install(aci_keeper *keeper, agentchat_chat *chat, aci_chat_keeper hooks);

/* Whether the history of the chat is that of what it remembers, or begins with it: then *unsaved messages came since.
 */
bool aci_keeper_unsaved(const aci_keeper *keeper, const agentchat_chat *chat, size_t *unsaved);

/* Saves a chat that is taken, on what the keeper remembers. */
agentchat_status aci_keeper_save(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                 const agentchat_thread_save_options *options, agentchat_error *err);
/* Brings a chat that is taken up to date: DONE when there is nothing new. */
agentchat_status aci_keeper_catch_up(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                     const agentchat_thread_catch_up_options *options, agentchat_report **report,
                                     agentchat_error *err);
/* Reads a checkpoint, id absent: the newest, and restores it into a chat that is taken; the keeper remembers it.
   replacing: as aci_restore_outermost(). */
agentchat_status aci_keeper_restore(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat, const char *id,
                                    const agentchat_restore_options *options, const aci_replacing *replacing,
                                    agentchat_report **report, agentchat_error *err);

#endif
