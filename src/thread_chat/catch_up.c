/* SPDX-License-Identifier: Apache-2.0 */
/* Bringing a live chat up to date with its thread. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include "chat/channel.h"
#include "thread/get.h"

/* ---- what is newest ---------------------------------------------------------------------------------------------- */

static agentchat_status find_newest(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_get_ask(user, tx);
    return aci_get_find(user, tx, true, err);
}

/* Whether the newest checkpoint is the one that is remembered. */
static agentchat_status is_newest(aci_keeper *keeper, agentchat_store *store, bool *newest, agentchat_error *err)
{
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    aci_memory memory = aci_keeper_memory(keeper);
    agentchat_status status;
    aci_get get;

    which.ns = keeper->ns;
    status = aci_get_begin(&get, store, keeper->thread, &which, err);
    if (status >= 0)
        status =
            aci_rows_name_damage(aci_transact(store, false, find_newest, &get, err), get.thread, get.ns, get.id, err);
    if (status >= 0)
        *newest = keeper->snapshot != NULL && aci_memory_fits(&memory, &get.found.row);
    aci_get_clear(&get);
    if (status == AGENTCHAT_E_NOTFOUND && keeper->snapshot == NULL) { /* there is nothing yet, as was thought */
        if (err != NULL)
            agentchat_error_clear(err);
        *newest = true;
        return AGENTCHAT_OK;
    }
    return status;
}

/* ---- messages that were not saved -------------------------------------------------------------------------------- */

static agentchat_status fail_unsaved(size_t unsaved, agentchat_error *err)
{
    if (unsaved == 0)
        return aci_fail(err, AGENTCHAT_E_CONFLICT,
                        "the thread went on, and the chat was changed since it was saved; save it as a branch");
    return aci_fail(err, AGENTCHAT_E_CONFLICT,
                    "the thread went on, and the chat has %zu messages that were not saved; catch up with append, or "
                    "save it as a branch",
                    unsaved);
}

agentchat_status aci_keeper_catch_up(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                     const agentchat_thread_catch_up_options *options, agentchat_report **report,
                                     agentchat_error *err)
{
    aci_replacing replacing = {.base = keeper->snapshot, .append = options->append};
    size_t unsaved = 0;
    bool newest = false, is_continued;
    agentchat_status status = is_newest(keeper, store, &newest, err);

    if (status < 0 || newest)
        return status < 0 ? status : AGENTCHAT_DONE;
    is_continued = aci_keeper_unsaved(keeper, chat, &unsaved);
    if (!is_continued || (unsaved > 0 && !options->append))
        return fail_unsaved(is_continued ? unsaved : 0, err);
    replacing.unsaved = unsaved;
    status = aci_keeper_restore(keeper, store, chat, NULL, options->restore, &replacing, report, err);
    if (status < 0)
        return status;
    for (size_t i = 0; unsaved > 0 && i < chat->channel_count; i++)
        (void)aci_channel_deliver(chat, chat->channels[i], NULL); /* what is not accepted stays queued */
    return AGENTCHAT_OK;
}

/* ---- the public call ----------------------------------------------------------------------------------------------
 */

void agentchat_thread_catch_up_options_init(agentchat_thread_catch_up_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_thread_catch_up(agentchat_store *store, agentchat_chat *chat,
                                           const agentchat_thread_catch_up_options *options, agentchat_report **report,
                                           agentchat_error *err)
{
    agentchat_thread_catch_up_options loaded;
    aci_keeper *keeper;
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
    keeper = aci_keeper_of(chat);
    if (keeper == NULL || keeper->snapshot == NULL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the chat remembers no checkpoint; restore it from one first");
    else
        status = aci_keeper_catch_up(keeper, store, chat, &loaded, report, err);
    aci_chat_leave(chat);
    return status;
}
