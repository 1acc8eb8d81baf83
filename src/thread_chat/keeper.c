/* SPDX-License-Identifier: Apache-2.0 */
/* What a chat remembers of its thread. */
#include "thread_chat/keeper.h"

#include "base/error.h"
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
    aci_buf_init(&keeper->metadata, env, SIZE_MAX);
    aci_buf_init(&keeper->answered, env, SIZE_MAX);
    aci_list_init(&keeper->partial, env);
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
    agentchat_snapshot_unref(keeper->lost.snapshot);
    aci_buf_clear(&keeper->metadata);
    aci_buf_clear(&keeper->answered);
    aci_list_clear(&keeper->partial);
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

bool aci_keeper_is_of(const aci_keeper *keeper, agentchat_str thread, agentchat_str ns)
{
    return keeper != NULL && agentchat_str_equal(agentchat_str_from(keeper->thread), thread) &&
           agentchat_str_equal(agentchat_str_from(keeper->ns), ns);
}

const aci_memory *aci_keeper_base(const aci_keeper *keeper)
{
    return keeper->snapshot != NULL ? &keeper->base : NULL;
}

void aci_keeper_remember(aci_keeper *keeper, const aci_memory *base, agentchat_snapshot *snapshot)
{
    agentchat_snapshot *gone = keeper->snapshot;

    memcpy(keeper->id, base->id.ptr, base->id.len);
    keeper->id[base->id.len] = '\0';
    keeper->base = *base;
    keeper->base.id = agentchat_str_from(keeper->id);
    keeper->base.snapshot = keeper->snapshot = snapshot;
    agentchat_snapshot_unref(gone);
}

void aci_keeper_settle(aci_keeper *keeper, const aci_found_lost *found)
{
    agentchat_snapshot *snapshot = keeper->lost.snapshot;

    if (found->outcome == ACI_LOST_UNKNOWN)
        return;
    keeper->lost.snapshot = NULL;
    if (found->outcome == ACI_LOST_PUT) {
        aci_keeper_remember(keeper, &found->memory, snapshot);
        keeper->branch = keeper->branch && !keeper->lost.branch;
    } else {
        agentchat_snapshot_unref(snapshot);
    }
}

agentchat_status aci_keeper_name(const aci_keeper *keeper, agentchat_status status, agentchat_error *err)
{
    aci_excerpt thread, ns;

    if (status == AGENTCHAT_E_CONFLICT)
        aci_error_prefix(err, "thread %s%s%s", aci_error_excerpt(agentchat_str_from(keeper->thread), &thread),
                         keeper->ns[0] != '\0' ? ", namespace " : "",
                         keeper->ns[0] != '\0' ? aci_error_excerpt(agentchat_str_from(keeper->ns), &ns) : "");
    return status;
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

uint64_t agentchat_thread_line(const agentchat_chat *chat)
{
    const aci_keeper *keeper = aci_keeper_of(chat);

    return keeper != NULL && keeper->snapshot != NULL && !keeper->branch ? (uint64_t)keeper->base.line : 0;
}
