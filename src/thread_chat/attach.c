/* SPDX-License-Identifier: Apache-2.0 */
/* Chats that keep themselves in a thread. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include <string.h>

/* ---- a chat that keeps itself ------------------------------------------------------------------------------------ */

static agentchat_status before(void *self, agentchat_chat *chat, agentchat_error *err)
{
    aci_keeper *keeper = self;
    agentchat_thread_catch_up_options options = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_status status;

    if (keeper->store == NULL || keeper->no_catch_up)
        return AGENTCHAT_OK;
    options.append = keeper->append;
    status = aci_keeper_catch_up(keeper, keeper->store, chat, &options, NULL, err);
    return status < 0 ? status : AGENTCHAT_OK;
}

static agentchat_status turn(void *self, agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err)
{
    return aci_keeper_begin_turn(self, chat, agent, err);
}

static agentchat_status says(void *self, agentchat_chat *chat, const agentchat_message *message, agentchat_error *err)
{
    (void)chat;
    return aci_keeper_says(self, message, err);
}

static agentchat_status after(void *self, agentchat_chat *chat, aci_keep_moment moment, agentchat_error *err)
{
    aci_keeper *keeper = self;
    size_t unsaved;

    if (keeper->store != NULL && keeper->keep_partial && moment == ACI_KEEP_ANSWER &&
        !aci_buf_add(&keeper->answered, keeper->speaker->id.ptr, keeper->speaker->id.len + 1))
        return aci_fail_nomem(err);
    if (keeper->store == NULL || (moment == ACI_KEEP_END) != keeper->at_end)
        return AGENTCHAT_OK;
    if (keeper->at_end && keeper->lost.snapshot == NULL && aci_keeper_unsaved(keeper, chat, &unsaved) && unsaved == 0)
        return AGENTCHAT_OK;
    return aci_keeper_save_step(keeper, chat,
                                moment == ACI_KEEP_INPUT  ? "input"
                                : moment == ACI_KEEP_EDIT ? "update"
                                                          : "loop",
                                err);
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
    keeper->keep_partial = options->keep_partial;
    return AGENTCHAT_OK;
}

/* What an unused chat is attached with: restored where there is something to restore. */
static agentchat_status begin_with_stored(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                          const agentchat_thread_attach_options *options, agentchat_report **report,
                                          agentchat_error *err)
{
    aci_source source = {.id = options->checkpoint,
                         .line = options->line,
                         .is_last = options->checkpoint != NULL && !options->branch,
                         .options = options->restore};
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_keeper_restore(keeper, store, chat, &source, report, &why);
    if (status == AGENTCHAT_E_NOTFOUND && options->checkpoint == NULL && options->line == 0)
        return AGENTCHAT_OK; /* the thread begins with this chat */
    if (status < 0 && err != NULL)
        *err = why;
    return status;
}

/* What a used chat that remembers nothing is attached with: saved where the thread has nothing yet, else put after
   that. */
static agentchat_status begin_with_chat(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                        const agentchat_thread_attach_options *options, agentchat_report **report,
                                        agentchat_error *err)
{
    agentchat_thread_catch_up_options after = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_thread_save_options save = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    save.source = "update";
    save.run = keeper->run;
    if (keeper->metadata.len > 0)
        save.metadata = aci_buf_str(&keeper->metadata);
    status = aci_keeper_save(keeper, store, chat, &save, false, &why);
    if (status == AGENTCHAT_E_CONFLICT && (!options->append || chat->was_kept))
        return aci_fail(err, AGENTCHAT_E_IN_USE,
                        "the chat has been used, and the thread has checkpoints; attach an unused chat, or %s",
                        chat->was_kept ? "this one with branch, which keeps it on a line of its own"
                                       : "this one with append, which puts its messages after those of the thread");
    if (status == AGENTCHAT_E_CONFLICT) {
        agentchat_error_clear(&why);
        after.append = true;
        after.restore = options->restore;
        status = aci_keeper_catch_up(keeper, store, chat, &after, report, &why);
    }
    if (status < 0 && err != NULL)
        *err = why;
    return status;
}

/* What a chat that remembers the thread is attached with: what it remembers has to be the newest of its line. */
static agentchat_status begin_with_remembered(aci_keeper *keeper, agentchat_store *store,
                                              const agentchat_thread_attach_options *options, agentchat_error *err)
{
    aci_excerpt excerpt;
    agentchat_status status;

    if ((options->checkpoint != NULL && strcmp(options->checkpoint, keeper->id) != 0) ||
        (options->line != 0 && options->line != (uint64_t)keeper->base.line))
        return aci_fail(err, AGENTCHAT_E_IN_USE,
                        "the chat has been used, and stands on checkpoint %s; attach an unused chat to another one",
                        aci_error_excerpt(agentchat_str_from(keeper->id), &excerpt));
    status = aci_keeper_look(keeper, store, err);
    if (status != AGENTCHAT_OK)
        return status;
    return aci_keeper_name(keeper,
                           aci_fail(err, AGENTCHAT_E_CONFLICT,
                                    "checkpoint %s, which the chat stands on, has been followed by another one;"
                                    " agentchat_thread_catch_up() brings it up to date, or attach it with branch",
                                    aci_error_excerpt(agentchat_str_from(keeper->id), &excerpt)),
                           err);
}

/* Gives the new keeper what the old one remembers of the same thread. */
static void inherit(aci_keeper *keeper, const aci_keeper *from)
{
    keeper->next_step = from->next_step;
    keeper->branch = keeper->branch || from->branch;
    if (from->snapshot != NULL)
        aci_keeper_remember(keeper, &from->base, agentchat_snapshot_ref(from->snapshot));
    keeper->lost = from->lost;
    if (from->lost.snapshot != NULL)
        keeper->lost.snapshot = agentchat_snapshot_ref(from->lost.snapshot);
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
    if (status >= 0 && aci_keeper_is_of(old, name, ns))
        inherit(keeper, old);
    if (status >= 0 && keeper->snapshot != NULL)
        status = begin_with_remembered(keeper, store, options, err);
    else if (status >= 0 && is_used(chat))
        status = begin_with_chat(keeper, store, chat, options, report, err);
    else if (status >= 0)
        status = begin_with_stored(keeper, store, chat, options, report, err);
    if (status >= 0)
        aci_keeper_install(keeper, chat,
                           (aci_chat_keeper){.before = before, .turn = turn, .says = says, .after = after});
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
    const aci_keeper *keeper;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    keeper = aci_keeper_of(chat);
    if (keeper != NULL) {
        chat->was_kept = chat->was_kept || keeper->snapshot != NULL || keeper->lost.snapshot != NULL;
        aci_chat_keeper_set(chat, NULL);
    }
    aci_chat_leave(chat);
    return AGENTCHAT_OK;
}
