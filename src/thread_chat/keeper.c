/* SPDX-License-Identifier: Apache-2.0 */
/* What a chat remembers of its thread, and restoring one from a checkpoint. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include "restore/restore.h"
#include "snapshot/snapshot.h"
#include "thread/thread.h"
#include <inttypes.h>
#include <string.h>

/* ==== what a chat remembers of its thread ======================================================================== */

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
    aci_arena_unref(keeper->texts);
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

/* ==== restoring a live chat from a checkpoint ==================================================================== */

/* What the report begins with: where the chat stands. */
static agentchat_status begin_report(const aci_get *get, const agentchat_chat *chat, agentchat_report **report,
                                     agentchat_error *err)
{
    *report = aci_report_new(chat->env);
    if (*report != NULL &&
        aci_report_add(*report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR(""),
                       (agentchat_str){NULL, 0}, "the chat stands on line %" PRId64 " of its thread, which has %s",
                       get->found.row.line, get->first_line == get->last_line ? "no other lines" : "other lines, too"))
        return AGENTCHAT_OK;
    return aci_fail_nomem(err);
}

static agentchat_status check_source(const aci_keeper *keeper, const aci_get *get, const aci_source *source,
                                     agentchat_error *err)
{
    const aci_checkpoint_row *row = &get->found.row;
    aci_excerpt excerpt;

    if (keeper->snapshot != NULL && row->num != keeper->base.num)
        return aci_thread_memory_fail_gone(get->thread, true, err);
    if (!source->is_last || !get->line_newest.found || get->line_newest.row.seq == row->seq)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CONFLICT,
                    "checkpoint %s has been followed by another one; agentchat_thread_attach() with branch goes on from"
                    " it on a line of its own",
                    aci_error_excerpt(row->id, &excerpt));
}

static agentchat_status restore(aci_keeper *keeper, aci_get *get, agentchat_chat *chat, const aci_source *source,
                                agentchat_report **report, agentchat_error *err)
{
    const aci_checkpoint_row *row = &get->found.row;
    agentchat_restore_options loaded;
    agentchat_status status = aci_env_options_load(&loaded, sizeof loaded, source->options, err);

    if (status >= 0)
        status = check_source(keeper, get, source, err);
    if (status >= 0 && report != NULL)
        status = begin_report(get, chat, report, err);
    if (status >= 0)
        status = aci_restore_outermost(chat, get->snapshot, &loaded, source->replacing, report, err);
    if (status < 0)
        return status;
    if (row->has_step && row->step < INT64_MAX)
        keeper->next_step = row->step + 1;
    aci_keeper_remember(keeper, &(aci_memory){get->snapshot, row->id, row->num, row->seq, row->written, row->line},
                        get->snapshot);
    get->snapshot = NULL;
    return status;
}

agentchat_status aci_keeper_restore(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                    const aci_source *source, agentchat_report **report, agentchat_error *err)
{
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_status status;
    aci_get get;

    if (source->line > INT64_MAX || (source->line != 0 && source->id != NULL))
        return aci_fail(err, AGENTCHAT_E_INVALID,
                        "a chat is restored from a checkpoint or the newest of a line, not both");
    which.ns = keeper->ns;
    which.id = source->id;
    status = aci_get_begin(&get, store, keeper->thread, &which, err);
    get.line = (int64_t)source->line;
    get.about_lines = report != NULL || source->is_last;
    get.memory = aci_keeper_base(keeper);
    if (status >= 0)
        status = aci_get_run(&get, err);
    if (status >= 0)
        status = aci_keeper_name(keeper, restore(keeper, &get, chat, source, report, err), err);
    agentchat_snapshot_unref(get.snapshot);
    aci_get_clear(&get);
    return status;
}

static agentchat_status restore_new(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                    const agentchat_thread_restore_options *options, agentchat_report **report,
                                    agentchat_error *err)
{
    aci_source source = {.id = options->checkpoint, .line = options->line, .options = options->restore};
    agentchat_str name, ns;
    aci_keeper *keeper = aci_keeper_of(chat);
    agentchat_status status = aci_rows_check_thread(thread, &name, err);

    if (status >= 0)
        status = aci_rows_check_namespace(options->ns, &ns, err);
    if (status < 0)
        return status;
    if (keeper != NULL && keeper->store != NULL)
        return aci_fail(err, AGENTCHAT_E_IN_USE, "the chat is attached to a thread; detach it first");
    keeper = aci_keeper_new(chat->env, name, ns);
    if (keeper == NULL)
        return aci_fail_nomem(err);
    status = aci_keeper_restore(keeper, store, chat, &source, report, err);
    if (status >= 0)
        aci_keeper_install(keeper, chat, (aci_chat_keeper){.self = NULL});
    else
        aci_keeper_free(keeper);
    return status;
}

void agentchat_thread_restore_options_init(agentchat_thread_restore_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_thread_restore(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                          const agentchat_thread_restore_options *options, agentchat_report **report,
                                          agentchat_error *err)
{
    agentchat_thread_restore_options loaded;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (store == NULL || chat == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "chat");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status >= 0)
        status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = restore_new(store, thread, chat, &loaded, report, err);
    aci_chat_leave(chat);
    return status < 0 ? status : AGENTCHAT_OK;
}
