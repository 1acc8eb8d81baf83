/* SPDX-License-Identifier: Apache-2.0 */
/* Attaching a live chat to a thread, and bringing it up to date. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include "chat/channel.h"
#include "thread/thread.h"
#include <string.h>

/* ==== bringing a live chat up to date with its thread ============================================================ */

/* ---- what is newest ---------------------------------------------------------------------------------------------- */

typedef struct looking {
    const aci_keeper *keeper;
    aci_thread_found thread;
    aci_checkpoint_found newest, lost, next; /* of the line; the lost put; what comes after the remembered one */
} looking;

static void ask(const looking *l, aci_tx *tx, aci_thread_statement which, aci_checkpoint_found *found)
{
    found->found = false;
    ACI_THREAD_ASK(tx, which, aci_rows_load_checkpoint, found, ACI_TEXT(agentchat_str_from(l->keeper->thread)),
                   ACI_TEXT(agentchat_str_from(l->keeper->ns)));
}

static agentchat_status look(aci_tx *tx, void *user, agentchat_error *err)
{
    looking *l = user;
    const aci_memory *base = aci_keeper_base(l->keeper);

    aci_rows_ask_thread(tx, ACI_THREAD_ROW, agentchat_str_from(l->keeper->thread), &l->thread);
    ask(l, tx, base != NULL ? ACI_CHECKPOINT_LINE_NEWEST : ACI_CHECKPOINT_NEWEST, &l->newest);
    if (base != NULL)
        aci_transact_integer(tx, base->line);
    if (l->keeper->lost.snapshot != NULL) {
        ask(l, tx, ACI_CHECKPOINT_BY_ID, &l->lost);
        aci_transact_text(tx, agentchat_str_from(l->keeper->lost.id));
        ask(l, tx, base != NULL ? ACI_CHECKPOINT_LINE_NEXT : ACI_CHECKPOINT_FIRST, &l->next);
        if (base != NULL)
            ACI_BIND(tx, ACI_INT(base->line), ACI_INT(base->seq));
    }
    return aci_transact_run(tx, true, err);
}

static agentchat_status decide(const looking *l, agentchat_error *err)
{
    const aci_memory *base = aci_keeper_base(l->keeper);

    if (l->keeper->branch || (base == NULL && !l->newest.found) ||
        (base != NULL && l->newest.found && aci_thread_memory_fits(base, &l->newest.row)))
        return AGENTCHAT_DONE;
    if (l->keeper->lost.snapshot != NULL) /* nothing came after it, and it may be on its way */
        return AGENTCHAT_DONE;
    if (!l->newest.found)
        return aci_fail(err, AGENTCHAT_E_CONFLICT,
                        "all checkpoints of the line that the chat stands on were deleted; agentchat_thread_save() with"
                        " branch keeps it on a new one");
    return AGENTCHAT_OK;
}

static agentchat_status look_once(aci_keeper *keeper, agentchat_store *store, looking *l, aci_found_lost *found,
                                  agentchat_error *err)
{
    const aci_memory *base = aci_keeper_base(keeper);
    agentchat_str thread = agentchat_str_from(keeper->thread);
    agentchat_status status = aci_rows_name_damage(aci_transact(store, false, look, l, err), thread,
                                                   agentchat_str_from(keeper->ns), (agentchat_str){NULL, 0}, err);

    found->outcome = ACI_LOST_UNKNOWN;
    if (status >= 0 && base != NULL && !aci_rows_has(&l->thread, base->num))
        status = aci_thread_memory_fail_gone(thread, l->thread.found, err);
    if (status >= 0 && keeper->lost.snapshot != NULL)
        status = aci_thread_memory_decide_lost(&keeper->lost, l->lost.found ? &l->lost.row : NULL, base,
                                               l->next.found ? &l->next.row : NULL, false, found, err);
    aci_keeper_settle(keeper, found);
    if (status == AGENTCHAT_E_CONFLICT && keeper->branch) { /* the next save begins a line, whatever became of it */
        if (err != NULL)
            agentchat_error_clear(err);
        status = AGENTCHAT_OK;
    }
    return status;
}

/* Finds the newest checkpoint of the line that the chat stands on, or, where it remembers none, of the namespace: DONE
   when it is the one that is remembered, when there is none, and before a line has begun. E_CONFLICT: the line is gone,
   or nobody can know what became of a lost put; E_NOTFOUND: the thread is gone. */
static agentchat_status keeper_look(aci_keeper *keeper, agentchat_store *store, agentchat_error *err)
{
    aci_arena *arena = aci_arena_new(keeper->env, 0);
    looking l = {.keeper = keeper, .newest.arena = arena, .lost.arena = arena, .next.arena = arena};
    aci_found_lost found = {.outcome = ACI_LOST_UNKNOWN};
    agentchat_status status = arena != NULL ? look_once(keeper, store, &l, &found, err) : aci_fail_nomem(err);

    if (status >= 0 && found.outcome == ACI_LOST_PUT) /* it may stand on another line */
        status = look_once(keeper, store, &l, &found, err);
    if (status >= 0)
        status = decide(&l, err);
    aci_arena_unref(arena);
    return aci_keeper_name(keeper, status, err);
}

/* ---- messages that were not saved -------------------------------------------------------------------------------- */

static agentchat_status fail_unsaved(size_t unsaved, agentchat_error *err)
{
    if (unsaved == 0)
        return aci_fail(err, AGENTCHAT_E_CONFLICT,
                        "the thread went on, and the chat was changed since it was saved; agentchat_thread_save() with"
                        " branch keeps it on a line of its own");
    return aci_fail(err, AGENTCHAT_E_CONFLICT,
                    "the thread went on, and the chat has %zu messages that were not saved; agentchat_thread_catch_up()"
                    " with append puts them after the others, agentchat_thread_save() with branch keeps them on a line"
                    " of their own",
                    unsaved);
}

/* Brings a chat that is taken up to date: DONE when there is nothing new. */
static agentchat_status keeper_catch_up(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                        const agentchat_thread_catch_up_options *options, agentchat_report **report,
                                        agentchat_error *err)
{
    aci_replacing replacing = {.append = options->append};
    aci_source source = {.options = options->restore, .replacing = &replacing};
    bool is_continued;
    agentchat_status status = keeper_look(keeper, store, err);

    if (status != AGENTCHAT_OK)
        return status;
    is_continued = aci_keeper_unsaved(keeper, chat, &replacing.unsaved);
    if (!is_continued || (replacing.unsaved > 0 && !options->append))
        return aci_keeper_name(keeper, fail_unsaved(is_continued ? replacing.unsaved : 0, err), err);
    replacing.base = keeper->snapshot;
    source.line = keeper->snapshot != NULL ? (uint64_t)keeper->base.line : 0;
    status = aci_keeper_restore(keeper, store, chat, &source, report, err);
    if (status < 0)
        return status;
    for (size_t i = 0; replacing.unsaved > 0 && i < chat->channel_count; i++)
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
    if (keeper == NULL || (keeper->snapshot == NULL && keeper->lost.snapshot == NULL && keeper->store == NULL))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the chat remembers no checkpoint; restore it from one first");
    else
        status = keeper_catch_up(keeper, store, chat, &loaded, report, err);
    aci_chat_leave(chat);
    return status;
}

/* ==== chats that keep themselves in a thread ===================================================================== */

/* ---- a chat that keeps itself ------------------------------------------------------------------------------------ */

static agentchat_status before(void *self, agentchat_chat *chat, agentchat_error *err)
{
    aci_keeper *keeper = self;
    agentchat_thread_catch_up_options options = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_status status;

    if (keeper->store == NULL || keeper->no_catch_up)
        return AGENTCHAT_OK;
    options.append = keeper->append;
    status = keeper_catch_up(keeper, keeper->store, chat, &options, NULL, err);
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

/* What is queued with each checkpoint. */
static agentchat_status keep_work(aci_keeper *keeper, const agentchat_thread_attach_options *options,
                                  agentchat_error *err)
{
    size_t size = options->work_count * sizeof *keeper->work;
    agentchat_status status = aci_work_check(options->work, options->work_count, err);
    bool ok = true;

    if (status < 0 || options->work_count == 0)
        return status;
    keeper->texts = aci_arena_new(keeper->env, 0);
    keeper->work = keeper->texts != NULL ? aci_arena_alloc(keeper->texts, size) : NULL;
    if (keeper->work == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < options->work_count; i++) {
        keeper->work[i].kind = aci_arena_cstr(keeper->texts, agentchat_str_from(options->work[i].kind), &ok);
        keeper->work[i].delay_us = options->work[i].delay_us;
        keeper->work[i].body = aci_arena_copy(keeper->texts, options->work[i].body, &ok);
    }
    keeper->work_count = options->work_count;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
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
    status = keep_work(keeper, options, err);
    if (status < 0)
        return status;
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
    save.work = keeper->work;
    save.work_count = keeper->work_count;
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
        status = keeper_catch_up(keeper, store, chat, &after, report, &why);
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
    status = keeper_look(keeper, store, err);
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
