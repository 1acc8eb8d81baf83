/* SPDX-License-Identifier: Apache-2.0 */
/* What a chat remembers of its thread. */
#include "thread_chat/keeper.h"

#include "snapshot/snapshot.h"
#include <string.h>

static void free_text(const agentchat_env *env, char *text)
{
    if (text != NULL)
        aci_free(env, text, strlen(text) + 1);
}

aci_keeper *aci_keeper_new(const agentchat_env *env, agentchat_str thread, agentchat_str ns)
{
    aci_keeper *keeper = aci_alloc_zero(env, sizeof *keeper);

    if (keeper == NULL)
        return NULL;
    keeper->env = env;
    keeper->next_step = -1;
    aci_buf_init(&keeper->contents, env, SIZE_MAX);
    aci_buf_init(&keeper->metadata, env, SIZE_MAX);
    keeper->thread = aci_strdup(env, thread);
    keeper->ns = aci_strdup(env, ns);
    if (keeper->thread != NULL && keeper->ns != NULL)
        return keeper;
    aci_keeper_free(keeper);
    return NULL;
}

void aci_keeper_free(aci_keeper *keeper)
{
    const agentchat_env *env;

    if (keeper == NULL)
        return;
    env = keeper->env;
    agentchat_snapshot_unref(keeper->snapshot);
    aci_buf_clear(&keeper->contents);
    aci_buf_clear(&keeper->metadata);
    free_text(env, keeper->thread);
    free_text(env, keeper->ns);
    free_text(env, keeper->run);
    aci_free(env, keeper, sizeof *keeper);
}

static void free_self(void *self)
{
    aci_keeper_free(self);
}

aci_keeper *aci_keeper_of(const agentchat_chat *chat)
{
    return chat != NULL && chat->keeper.free == free_self ? chat->keeper.self : NULL;
}

bool aci_keeper_remembers(const aci_keeper *keeper, agentchat_str thread, agentchat_str ns)
{
    return keeper != NULL && keeper->snapshot != NULL &&
           agentchat_str_equal(agentchat_str_from(keeper->thread), thread) &&
           agentchat_str_equal(agentchat_str_from(keeper->ns), ns);
}

aci_memory aci_keeper_memory(const aci_keeper *keeper)
{
    return (aci_memory){keeper->snapshot, agentchat_str_from(keeper->id), aci_buf_str(&keeper->contents), keeper->num,
                        keeper->seq};
}

void aci_keeper_remember(aci_keeper *keeper, agentchat_str id, int64_t num, int64_t seq, agentchat_snapshot *snapshot,
                         aci_buf *contents)
{
    agentchat_snapshot *gone = keeper->snapshot;

    memcpy(keeper->id, id.ptr, id.len);
    keeper->id[id.len] = '\0';
    keeper->num = num;
    keeper->seq = seq;
    keeper->snapshot = snapshot;
    aci_buf_clear(&keeper->contents);
    keeper->contents = *contents;
    aci_buf_init(contents, keeper->env, SIZE_MAX);
    agentchat_snapshot_unref(gone);
}

bool aci_keeper_unsaved(const aci_keeper *keeper, const agentchat_chat *chat, size_t *unsaved)
{
    const agentchat_messages *saved = keeper->snapshot != NULL ? &keeper->snapshot->history : NULL;

    *unsaved = chat->history.count;
    if (saved == NULL || saved->count == 0)
        return true;
    if (saved->count > chat->history.count || !aci_list_is_prefix(saved, &chat->history))
        return false;
    *unsaved = chat->history.count - saved->count;
    return true;
}

void aci_keeper_install(aci_keeper *keeper, agentchat_chat *chat, aci_chat_keeper hooks)
{
    if (aci_keeper_of(chat) == keeper)
        return;
    hooks.free = free_self;
    hooks.self = keeper;
    aci_chat_keeper_set(chat, &hooks);
}

const char *agentchat_thread_remembered(const agentchat_chat *chat)
{
    const aci_keeper *keeper = aci_keeper_of(chat);

    return keeper != NULL && keeper->snapshot != NULL ? keeper->id : NULL;
}
