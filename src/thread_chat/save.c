/* SPDX-License-Identifier: Apache-2.0 */
/* Saving a live chat as a checkpoint. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include "capture/capture.h"
#include <string.h>

/* How to go on after a conflict. */
static const char *advice(const aci_keeper *keeper, const agentchat_chat *chat)
{
    if (keeper->snapshot != NULL)
        return "agentchat_thread_catch_up() brings the chat up to date, its own messages come after that with append; "
               "or"
               " save it with branch";
    if (chat->was_kept)
        return "save the chat with branch";
    return keeper->store != NULL
               ? "agentchat_thread_catch_up() with append puts the messages of the chat after it; or save it with "
                 "branch"
               : "agentchat_thread_attach() with append puts the messages of the chat after it; or save it with branch";
}

/* What is not known after a failure is found out by the next look. */
static void keep_lost(aci_keeper *keeper, const aci_put *work, agentchat_snapshot *snapshot)
{
    aci_lost *lost = &keeper->lost;

    agentchat_snapshot_unref(lost->snapshot);
    *lost = (aci_lost){.snapshot = agentchat_snapshot_ref(snapshot), .branch = work->options.branch};
    memcpy(lost->id, work->id.ptr, work->id.len);
}

static agentchat_status put(aci_keeper *keeper, agentchat_store *store, const agentchat_chat *chat,
                            agentchat_snapshot *snapshot, const agentchat_thread_save_options *options, bool by_hand,
                            agentchat_error *err)
{
    agentchat_checkpoint_put_options how = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_status status;
    aci_put work;

    how.ns = keeper->ns;
    how.expect = options->expect;
    how.source = options->source;
    how.run = options->run;
    how.metadata = options->metadata;
    how.step = options->step;
    how.has_step = options->has_step;
    how.branch = options->branch || keeper->branch;
    how.parent = keeper->snapshot != NULL ? keeper->id : NULL;
    how.expect_none = keeper->snapshot == NULL && !how.branch && options->expect == NULL;
    status = aci_put_begin(&work, store, keeper->thread, snapshot, &how, err);
    work.memory = aci_keeper_base(keeper);
    work.lost = keeper->lost.snapshot != NULL ? &keeper->lost : NULL;
    work.advice = advice(keeper, chat);
    work.may_begin = by_hand;
    work.answered = aci_buf_str(&keeper->answered);
    if (status >= 0)
        status = aci_keeper_name(keeper, aci_put_run(&work, err), err);
    aci_keeper_settle(keeper, &work.found);
    if (status >= 0) {
        aci_keeper_remember(
            keeper, &(aci_memory){snapshot, work.id, work.row.num, work.row.seq, work.row.written, work.row.line},
            agentchat_snapshot_ref(snapshot));
        keeper->branch = false; /* it goes on on its own line now */
        keeper->answered.len = 0;
    } else if (work.is_uncertain) {
        keep_lost(keeper, &work, snapshot);
    }
    aci_put_clear(&work);
    return status < 0 ? status : AGENTCHAT_OK;
}

agentchat_status aci_keeper_save(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                 const agentchat_thread_save_options *options, bool by_hand, agentchat_error *err)
{
    agentchat_capture_options capture;
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status = aci_env_options_load(&capture, sizeof capture, options->capture, err);

    if (status >= 0)
        status = aci_capture_outermost(chat, &capture, &snapshot, NULL, err);
    if (status >= 0)
        status = put(keeper, store, chat, snapshot, options, by_hand, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* The chat's keeper where it is one of that thread, else a new one, which the chat gets when it was saved. */
static agentchat_status save(agentchat_store *store, const char *thread, agentchat_chat *chat,
                             const agentchat_thread_save_options *options, char *id, agentchat_error *err)
{
    aci_keeper *keeper = aci_keeper_of(chat), *made = NULL;
    agentchat_str name, ns;
    agentchat_status status = aci_rows_check_thread(thread, &name, err);

    if (status >= 0)
        status = aci_rows_check_namespace(options->ns, &ns, err);
    if (status < 0)
        return status;
    if (!aci_keeper_is_of(keeper, name, ns)) {
        if (keeper != NULL && keeper->store != NULL)
            return aci_fail(err, AGENTCHAT_E_IN_USE,
                            "the chat is attached to another thread; agentchat_thread_detach() ends that");
        keeper = made = aci_keeper_new(chat->env, name, ns);
        if (made == NULL)
            return aci_fail_nomem(err);
    }
    status = aci_keeper_save(keeper, store, chat, options, true, err);
    if (status < 0 && keeper->lost.snapshot == NULL) {
        aci_keeper_free(made);
        return status;
    }
    aci_keeper_install(keeper, chat, (aci_chat_keeper){.self = NULL});
    if (status < 0)
        return status;
    if (id != NULL)
        memcpy(id, keeper->id, strlen(keeper->id) + 1);
    return AGENTCHAT_OK;
}

void agentchat_thread_save_options_init(agentchat_thread_save_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_thread_save(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                       const agentchat_thread_save_options *options, char id[AGENTCHAT_ID_SIZE],
                                       agentchat_error *err)
{
    agentchat_thread_save_options loaded;
    aci_activity activity;
    agentchat_status status;

    agentchat_error_clear(err);
    if (id != NULL)
        id[0] = '\0';
    if (store == NULL || chat == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "chat");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status >= 0)
        status = aci_chat_enter_reading(chat, &activity, err);
    if (status < 0)
        return status;
    status = save(store, thread, chat, &loaded, id, err);
    aci_chat_leave_reading(chat, activity);
    return status;
}

agentchat_status aci_keeper_save_step(aci_keeper *keeper, agentchat_chat *chat, const char *source,
                                      agentchat_error *err)
{
    agentchat_thread_save_options options = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_status status;

    options.source = source;
    options.run = keeper->run;
    if (keeper->metadata.len > 0)
        options.metadata = aci_buf_str(&keeper->metadata);
    options.step = keeper->next_step;
    options.has_step = true;
    status = aci_keeper_save(keeper, keeper->store, chat, &options, false, err);
    if (status >= 0)
        keeper->next_step++;
    return status;
}
