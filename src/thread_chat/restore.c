/* SPDX-License-Identifier: Apache-2.0 */
/* Restoring a live chat from a checkpoint. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include "restore/restore.h"
#include "thread/get.h"

static agentchat_status restore(aci_keeper *keeper, aci_get *get, agentchat_chat *chat,
                                const agentchat_restore_options *options, const aci_replacing *replacing,
                                agentchat_report **report, agentchat_error *err)
{
    const aci_checkpoint_row *row = &get->found.row;
    agentchat_restore_options loaded;
    agentchat_status status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    aci_buf contents;

    aci_buf_init(&contents, keeper->env, SIZE_MAX);
    if (status >= 0 && !aci_buf_add_str(&contents, row->contents)) /* before: a restored chat cannot be put back */
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_restore_outermost(chat, get->snapshot, &loaded, replacing, report, err);
    if (status >= 0) {
        if (row->has_step && row->step < INT64_MAX)
            keeper->next_step = row->step + 1;
        aci_keeper_remember(keeper, row->id, row->num, row->seq, get->snapshot, &contents);
        get->snapshot = NULL;
    }
    aci_buf_clear(&contents);
    return status;
}

agentchat_status aci_keeper_restore(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat, const char *id,
                                    const agentchat_restore_options *options, const aci_replacing *replacing,
                                    agentchat_report **report, agentchat_error *err)
{
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    aci_memory memory = aci_keeper_memory(keeper);
    agentchat_status status;
    aci_get get;

    which.ns = keeper->ns;
    which.id = id;
    status = aci_get_begin(&get, store, keeper->thread, &which, err);
    if (keeper->snapshot != NULL)
        get.memory = &memory;
    if (status >= 0)
        status = aci_get_run(&get, err);
    if (status >= 0)
        status = restore(keeper, &get, chat, options, replacing, report, err);
    agentchat_snapshot_unref(get.snapshot);
    aci_get_clear(&get);
    return status;
}

static agentchat_status restore_new(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                    const agentchat_thread_restore_options *options, agentchat_report **report,
                                    agentchat_error *err)
{
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
    status = aci_keeper_restore(keeper, store, chat, options->checkpoint, options->restore, NULL, report, err);
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
