/* SPDX-License-Identifier: Apache-2.0 */
/* Bringing a live chat up to date with its thread. */
#include "thread_chat/keeper.h"

#include "base/error.h"
#include "chat/channel.h"
#include "thread/steps.h"

/* ---- what is newest ---------------------------------------------------------------------------------------------- */

typedef struct looking {
    const aci_keeper *keeper;
    aci_thread_found thread;
    aci_checkpoint_found newest, lost, next; /* of the line; the lost put; what comes after the remembered one */
} looking;

static void ask(const looking *l, aci_tx *tx, aci_thread_statement which, aci_checkpoint_found *found)
{
    found->found = false;
    aci_thread_statement_add(tx, which, aci_rows_load_checkpoint, found);
    aci_transact_text(tx, agentchat_str_from(l->keeper->thread));
    aci_transact_text(tx, agentchat_str_from(l->keeper->ns));
}

static agentchat_status look(aci_tx *tx, void *user, agentchat_error *err)
{
    looking *l = user;
    const aci_memory *base = aci_keeper_base(l->keeper);

    aci_steps_ask_thread(tx, ACI_THREAD_ROW, agentchat_str_from(l->keeper->thread), &l->thread);
    ask(l, tx, base != NULL ? ACI_CHECKPOINT_LINE_NEWEST : ACI_CHECKPOINT_NEWEST, &l->newest);
    if (base != NULL)
        aci_transact_integer(tx, base->line);
    if (l->keeper->lost.snapshot != NULL) {
        ask(l, tx, ACI_CHECKPOINT_BY_ID, &l->lost);
        aci_transact_text(tx, agentchat_str_from(l->keeper->lost.id));
        ask(l, tx, base != NULL ? ACI_CHECKPOINT_LINE_NEXT : ACI_CHECKPOINT_FIRST, &l->next);
        if (base != NULL) {
            aci_transact_integer(tx, base->line);
            aci_transact_integer(tx, base->seq);
        }
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
    if (status >= 0 && base != NULL && !aci_steps_has(&l->thread, base->num))
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

agentchat_status aci_keeper_look(aci_keeper *keeper, agentchat_store *store, agentchat_error *err)
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

agentchat_status aci_keeper_catch_up(aci_keeper *keeper, agentchat_store *store, agentchat_chat *chat,
                                     const agentchat_thread_catch_up_options *options, agentchat_report **report,
                                     agentchat_error *err)
{
    aci_replacing replacing = {.append = options->append};
    aci_source source = {.options = options->restore, .replacing = &replacing};
    bool is_continued;
    agentchat_status status = aci_keeper_look(keeper, store, err);

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
        status = aci_keeper_catch_up(keeper, store, chat, &loaded, report, err);
    aci_chat_leave(chat);
    return status;
}
