/* SPDX-License-Identifier: Apache-2.0 */
/* Saving a live chat as a checkpoint, and what an agent says at once. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include "base/ids.h"
#include "capture/capture.h"
#include "chat/agent.h"
#include "state/state.h"
#include "thread/thread.h"
#include <string.h>

/* ==== saving a live chat as a checkpoint ========================================================================= */

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
    how.work = options->work;
    how.work_count = options->work_count;
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
    options.work = keeper->work;
    options.work_count = keeper->work_count;
    options.step = keeper->next_step;
    options.has_step = true;
    status = aci_keeper_save(keeper, keeper->store, chat, &options, false, err);
    if (status >= 0)
        keeper->next_step++;
    return status;
}

/* ==== partial ==================================================================================================== */
/* What an agent says is kept at once, so that an answer that does not end leaves what was done for it. */

static agentchat_str thread_of(const aci_keeper *keeper)
{
    return agentchat_str_from(keeper->thread);
}

/* ---- what a turn has left ---------------------------------------------------------------------------------------- */

typedef struct reading {
    const aci_keeper *keeper;
    agentchat_messages one, found; /* of the turn of the last row; of the newest one, which has the highest index */
    char one_task[AGENTCHAT_ID_SIZE], task[AGENTCHAT_ID_SIZE];
    int64_t highest; /* -1: nothing was found */
} reading;

/* Rows come by task and index; indexes go on from turn to turn. */
static agentchat_status load_write(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    reading *r = user;
    agentchat_message *message = NULL;
    aci_pending_row row;
    agentchat_status status = aci_pending_read_row(&row, columns, count, err);
    bool ok;

    if (status < 0 || row.consumed_by.ptr != NULL || !agentchat_str_equal(row.channel, ACI_PENDING_PARTIAL) ||
        !agentchat_str_equal(row.path, r->keeper->speaker->id))
        return status;
    if (!agentchat_str_equal(row.task, agentchat_str_from(r->one_task))) {
        aci_list_clear(&r->one);
        memcpy(r->one_task, row.task.ptr, row.task.len);
        r->one_task[row.task.len] = '\0';
    }
    status = aci_pending_read_message(r->keeper->env, row.value, &message, err);
    if (status < 0)
        return status;
    ok = aci_list_append(&r->one, message);
    agentchat_message_unref(message);
    if (ok && row.index > r->highest && row.index < INT64_MAX) {
        r->highest = row.index;
        memcpy(r->task, r->one_task, sizeof r->task);
        aci_list_clear(&r->found);
        aci_list_copy(&r->found, &r->one);
    }
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status read_work(aci_tx *tx, void *user, agentchat_error *err)
{
    reading *r = user;

    aci_list_clear(&r->one); /* of an attempt that failed */
    aci_list_clear(&r->found);
    r->one_task[0] = '\0';
    r->highest = -1;
    ACI_THREAD_ASK(tx, ACI_PENDING_ROWS, load_write, r, ACI_TEXT(thread_of(r->keeper)),
                   ACI_TEXT(agentchat_str_from(r->keeper->ns)), ACI_TEXT(r->keeper->base.id));
    return aci_transact_run(tx, true, err);
}

/* What the turn begins from has to be stored, and what was said before it, but not the answers of the same operation
   where that is saved at its end. */
static bool has_to_save(const aci_keeper *keeper, const agentchat_chat *chat)
{
    size_t unsaved;

    return keeper->snapshot == NULL || keeper->branch || keeper->lost.snapshot != NULL ||
           (keeper->answered.len == 0 && (!aci_keeper_unsaved(keeper, chat, &unsaved) || unsaved > 0));
}

agentchat_status aci_keeper_begin_turn(aci_keeper *keeper, agentchat_chat *chat, const agentchat_agent *agent,
                                       agentchat_error *err)
{
    reading r = {.keeper = keeper};
    agentchat_status status = AGENTCHAT_OK;

    chat->partial = NULL;
    if (keeper->store == NULL || !keeper->keep_partial)
        return AGENTCHAT_OK;
    keeper->speaker = agent;
    keeper->repeated = 0;
    status = aci_label_check(agent->id, "agent's id", err);
    if (status >= 0 && has_to_save(keeper, chat))
        status = aci_keeper_save_step(keeper, chat, "input", err);
    if (status >= 0)
        status = aci_id_new_ordered(keeper->env, keeper->task, err);
    if (status < 0)
        return status;
    aci_list_init(&r.one, keeper->env);
    aci_list_init(&r.found, keeper->env);
    status = aci_rows_name_damage(aci_transact(keeper->store, false, read_work, &r, err), thread_of(keeper),
                                  agentchat_str_from(keeper->ns), keeper->base.id, err);
    aci_list_clear(&r.one);
    if (status < 0) {
        aci_list_clear(&r.found);
        return status;
    }
    aci_list_clear(&keeper->partial);
    keeper->partial = r.found;
    keeper->said = r.highest + 1;
    keeper->goes_on = r.found.count > 0;
    if (keeper->goes_on) {
        memcpy(keeper->task, r.task, sizeof r.task);
        chat->partial = &keeper->partial;
    }
    return AGENTCHAT_OK;
}

/* ---- what an agent says ------------------------------------------------------------------------------------------ */

typedef struct writing {
    aci_keeper *keeper;
    const agentchat_message *message;
    size_t repeated; /* of the partial turn, which are written before it */
} writing;

static agentchat_status put_message(const writing *w, aci_tx *tx, agentchat_str checkpoint,
                                    const agentchat_message *message, int64_t index, agentchat_error *err)
{
    const aci_keeper *keeper = w->keeper;
    aci_pending_row row = {.num = keeper->base.num,
                           .index = index,
                           .ns = agentchat_str_from(keeper->ns),
                           .checkpoint = checkpoint,
                           .path = keeper->speaker->id,
                           .task = agentchat_str_from(keeper->task),
                           .channel = ACI_PENDING_PARTIAL};
    agentchat_status status;
    aci_buf text;

    aci_buf_init(&text, keeper->env, SIZE_MAX);
    status = aci_pending_write_message(keeper->env, message, &text, err);
    row.value = aci_buf_str(&text);
    aci_pending_put_row(tx, &row);
    if (status >= 0)
        status = aci_transact_run(tx, false, err); /* while the text is there */
    aci_buf_clear(&text);
    return status;
}

static agentchat_status write_in(const writing *w, aci_tx *tx, aci_checkpoint_found *newest, agentchat_error *err)
{
    const aci_keeper *keeper = w->keeper;
    aci_thread_found thread;
    agentchat_str checkpoint = keeper->base.id;
    agentchat_status status;

    aci_rows_ask_thread(tx, ACI_THREAD_LOCK, thread_of(keeper), &thread);
    ACI_THREAD_ASK(tx, ACI_CHECKPOINT_LINE_NEWEST, aci_rows_load_checkpoint, newest, ACI_TEXT(thread_of(keeper)),
                   ACI_TEXT(agentchat_str_from(keeper->ns)), ACI_INT(keeper->base.line));
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && !aci_rows_has(&thread, keeper->base.num))
        status = aci_thread_memory_fail_gone(thread_of(keeper), thread.found, err);
    if (newest->found) /* others may have taken the writes along */
        checkpoint = newest->row.id;
    for (size_t i = 0; i < w->repeated && status >= 0; i++)
        status =
            put_message(w, tx, checkpoint, agentchat_messages_at(&keeper->partial, i), keeper->said + (int64_t)i, err);
    if (status >= 0)
        status = put_message(w, tx, checkpoint, w->message, keeper->said + (int64_t)w->repeated, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

static agentchat_status write_work(aci_tx *tx, void *user, agentchat_error *err)
{
    const writing *w = user;
    aci_checkpoint_found newest = {.arena = aci_arena_new(w->keeper->env, 0)};
    agentchat_status status = newest.arena != NULL ? write_in(w, tx, &newest, err) : aci_fail_nomem(err);

    aci_arena_unref(newest.arena);
    return status;
}

/* A turn that says what another has said goes on with that one's writes; one that then says something else has its own,
   with what it has said so far. */
agentchat_status aci_keeper_says(aci_keeper *keeper, const agentchat_message *message, agentchat_error *err)
{
    writing w = {.keeper = keeper, .message = message};
    agentchat_status status = AGENTCHAT_OK;

    if (keeper->store == NULL || !keeper->keep_partial)
        return AGENTCHAT_OK;
    if (keeper->goes_on && keeper->repeated < keeper->partial.count) {
        if (agentchat_messages_at(&keeper->partial, keeper->repeated) == message) {
            keeper->repeated++;
            return AGENTCHAT_OK;
        }
        w.repeated = keeper->repeated;
        keeper->goes_on = false;
        status = aci_id_new_ordered(keeper->env, keeper->task, err);
    }
    if (status >= 0)
        status = aci_transact(keeper->store, true, write_work, &w, err);
    if (status >= 0)
        keeper->said += (int64_t)w.repeated + 1;
    return status;
}
