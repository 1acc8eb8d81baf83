/* SPDX-License-Identifier: Apache-2.0 */
/* Chats that keep themselves in a thread. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include "thread/get.h"

/* ---- a chat that keeps itself ------------------------------------------------------------------------------------ */

static agentchat_status before(void *self, agentchat_chat *chat, agentchat_error *err)
{
    aci_keeper *keeper = self;
    agentchat_thread_catch_up_options options = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_status status;

    if (keeper->store == NULL || keeper->no_catch_up || keeper->branch)
        return AGENTCHAT_OK;
    options.append = keeper->append;
    status = aci_keeper_catch_up(keeper, keeper->store, chat, &options, NULL, err);
    return status < 0 ? status : AGENTCHAT_OK;
}

static agentchat_status after(void *self, agentchat_chat *chat, aci_keep_moment moment, agentchat_error *err)
{
    aci_keeper *keeper = self;
    agentchat_thread_save_options options = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    size_t unsaved;
    agentchat_status status;

    if (keeper->store == NULL || (moment == ACI_KEEP_END) != keeper->at_end)
        return AGENTCHAT_OK;
    if (keeper->at_end && aci_keeper_unsaved(keeper, chat, &unsaved) && unsaved == 0)
        return AGENTCHAT_OK;
    options.source = moment == ACI_KEEP_INPUT ? "input" : moment == ACI_KEEP_EDIT ? "update" : "loop";
    options.run = keeper->run;
    if (keeper->metadata.len > 0)
        options.metadata = aci_buf_str(&keeper->metadata);
    options.step = keeper->next_step;
    options.has_step = true;
    options.branch = keeper->branch;
    status = aci_keeper_save(keeper, keeper->store, chat, &options, err);
    if (status >= 0) {
        keeper->next_step++;
        keeper->branch = false; /* it goes on on its own branch now */
    }
    return status;
}

/* ---- attaching -----------------------------------------------------------------------------------------------------
 */

static bool is_used(const agentchat_chat *chat)
{
    if (chat->history.count > 0 || chat->kept_count > 0)
        return true;
    for (size_t i = 0; i < chat->channel_count; i++)
        if (!chat->channels[i]->is_fresh)
            return true;
    return false;
}

static agentchat_status take_over(aci_keeper *keeper, agentchat_store *store,
                                  const agentchat_thread_attach_options *options, agentchat_error *err)
{
    agentchat_str run;
    agentchat_status status = aci_rows_check_optional(options->run, "run", &run, err);

    if (status < 0)
        return status;
    if (run.ptr != NULL) {
        keeper->run = aci_strdup(keeper->env, run);
        if (keeper->run == NULL)
            return aci_fail_nomem(err);
    }
    if (options->metadata.ptr != NULL && !aci_buf_add_str(&keeper->metadata, options->metadata))
        return aci_fail_nomem(err);
    keeper->store = store;
    keeper->branch = options->branch;
    keeper->at_end = options->at_end;
    keeper->no_catch_up = options->no_catch_up;
    keeper->append = options->append;
    return AGENTCHAT_OK;
}

/* What an unused chat is attached with: restored where there is something to restore. */
static agentchat_status begin_with_stored(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                          const agentchat_thread_attach_options *options, agentchat_report **report,
                                          agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_keeper_restore(keeper, store, chat, options->checkpoint, options->restore, NULL, report, &why);
    if (status == AGENTCHAT_E_NOTFOUND && options->checkpoint == NULL)
        return AGENTCHAT_OK; /* the thread begins with this chat */
    if (status < 0 && err != NULL)
        *err = why;
    return status;
}

/* What a used chat is attached with: saved where the thread has nothing yet. */
static agentchat_status begin_with_chat(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                        agentchat_error *err)
{
    agentchat_thread_save_options options = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    options.source = "update";
    options.run = keeper->run;
    if (keeper->metadata.len > 0)
        options.metadata = aci_buf_str(&keeper->metadata);
    status = aci_keeper_save(keeper, store, chat, &options, &why);
    if (status == AGENTCHAT_E_CONFLICT)
        return aci_fail(err, AGENTCHAT_E_IN_USE,
                        "the chat has been used, and the thread has checkpoints; attach an unused chat");
    if (status < 0 && err != NULL)
        *err = why;
    return status;
}

/* Gives the new keeper what the old one remembers of the same thread. */
static agentchat_status inherit(aci_keeper *keeper, const aci_keeper *from, agentchat_error *err)
{
    aci_buf contents;

    aci_buf_init(&contents, keeper->env, SIZE_MAX);
    if (!aci_buf_add_str(&contents, aci_buf_str(&from->contents)))
        return aci_fail_nomem(err);
    keeper->next_step = from->next_step;
    aci_keeper_remember(keeper, agentchat_str_from(from->id), from->num, from->seq,
                        agentchat_snapshot_ref(from->snapshot), &contents);
    return AGENTCHAT_OK;
}

static agentchat_status attach(agentchat_store *store, const char *thread, agentchat_chat *chat,
                               const agentchat_thread_attach_options *options, agentchat_report **report,
                               agentchat_error *err)
{
    const aci_keeper *old = aci_keeper_of(chat);
    aci_keeper *keeper;
    agentchat_str name, ns;
    agentchat_status status = aci_rows_check_thread(thread, &name, err);

    if (status >= 0)
        status = aci_rows_check_namespace(options->ns, &ns, err);
    if (status < 0)
        return status;
    keeper = aci_keeper_new(chat->env, name, ns);
    if (keeper == NULL)
        return aci_fail_nomem(err);
    status = take_over(keeper, store, options, err);
    if (status >= 0 && aci_keeper_remembers(old, name, ns))
        status = inherit(keeper, old, err);
    else if (status >= 0 && is_used(chat))
        status = begin_with_chat(keeper, store, chat, err);
    else if (status >= 0)
        status = begin_with_stored(keeper, store, chat, options, report, err);
    if (status >= 0)
        aci_keeper_install(keeper, chat, (aci_chat_keeper){.before = before, .after = after});
    else
        aci_keeper_free(keeper);
    return status < 0 ? status : AGENTCHAT_OK;
}

void agentchat_thread_attach_options_init(agentchat_thread_attach_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_thread_attach(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                         const agentchat_thread_attach_options *options, agentchat_report **report,
                                         agentchat_error *err)
{
    agentchat_thread_attach_options loaded;
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
    status = attach(store, thread, chat, &loaded, report, err);
    aci_chat_leave(chat);
    return status;
}

agentchat_status agentchat_thread_detach(agentchat_chat *chat, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    if (aci_keeper_of(chat) != NULL)
        aci_chat_keeper_set(chat, NULL);
    aci_chat_leave(chat);
    return AGENTCHAT_OK;
}
