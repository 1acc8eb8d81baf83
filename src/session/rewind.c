/* SPDX-License-Identifier: Apache-2.0 */
/* Going back to an earlier event: what the later ones replaced is put back. */
#include "session/session_internal.h"

#include "base/error.h"
#include <string.h>

typedef struct going_back {
    agentchat_session *session;
    agentchat_str event_id;  /* absent: before the first event */
    aci_update stage, after; /* what others did; what the handle shows in the end */
    aci_event_array target, later;
    aci_event_loader target_loader, later_loader;
    agentchat_state *old;     /* values to be put back, by key */
    agentchat_state *touched; /* every key that a later event changed */
    uint64_t removed;
    /* ---- what an attempt has removed whose answer may be lost ---- */
    int64_t tried_after, tried_last; /* events after the one sequence number and up to the other */
    uint64_t tried;                  /* how many; 0: there was no such attempt */
} going_back;

static agentchat_status ask(going_back *g, aci_tx *tx, agentchat_error *err)
{
    const agentchat_session *session = g->session;

    aci_view_update_ask(&g->stage, tx, true);
    if (g->event_id.ptr != NULL)
        ACI_SESSION_ASK(tx, ACI_STATEMENT_EVENT_BY_ID, aci_load_event, &g->target_loader, ACI_TEXT(session->name.app),
                        ACI_INT(session->view.row.num), ACI_TEXT(g->event_id));
    return aci_transact_run(tx, false, err);
}

/* The oldest of the later events has the last word, and they come newest first. */
static agentchat_status fold_all(going_back *g, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < g->later.count && status >= 0; i++)
        status = aci_effect_undo(g->later.list[i], g->old, g->touched, err);
    return status;
}

static void queue_writes(going_back *g, aci_tx *tx, int64_t sequence)
{
    const aci_session_name *name = &g->session->name;
    const aci_session_row *row = &g->stage.now.row;
    agentchat_str key;

    ACI_SESSION_ASK(tx, ACI_STATEMENT_EVENTS_CUT, NULL, NULL, ACI_TEXT(name->app), ACI_INT(row->num),
                    ACI_INT(sequence));
    for (size_t at = 0; aci_state_next(g->touched, &at, &key, NULL);)
        aci_statement_add_put(tx, name, AGENTCHAT_SCOPE_SESSION, key, aci_state_find(g->old, key), row->seq + 1);
    aci_statement_add_advance(tx, name, row);
}

static agentchat_status begin_attempt(going_back *g, agentchat_error *err)
{
    const agentchat_env *env = g->session->env;

    aci_view_update_clear(&g->stage);
    aci_load_events_clear(env, &g->target);
    aci_load_events_clear(env, &g->later);
    agentchat_state_free(g->old);
    agentchat_state_free(g->touched);
    g->old = aci_state_new(env);
    g->touched = aci_state_new(env);
    g->removed = 0;
    return aci_view_update_begin(&g->stage, g->session) && g->old != NULL && g->touched != NULL ? AGENTCHAT_OK
                                                                                                : aci_fail_nomem(err);
}

/* The sequence number after which events are removed. In an attempt that is repeated the event itself may have gone
   meanwhile. */
static agentchat_status find_sequence(going_back *g, bool repeats, int64_t *sequence, agentchat_error *err)
{
    aci_excerpt excerpt;

    *sequence = repeats ? g->tried_after : 0;
    if (repeats || g->event_id.ptr == NULL)
        return AGENTCHAT_OK;
    if (g->target.count == 0)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no event %s in the session",
                        aci_error_excerpt(g->event_id, &excerpt));
    *sequence = (int64_t)agentchat_event_sequence(g->target.list[0]);
    return AGENTCHAT_OK;
}

static agentchat_status find_later(going_back *g, aci_tx *tx, int64_t sequence, agentchat_error *err)
{
    ACI_SESSION_ASK(tx, ACI_STATEMENT_EVENT_UNDO, aci_load_event, &g->later_loader, ACI_TEXT(g->session->name.app),
                    ACI_INT(g->stage.now.row.num), ACI_INT(sequence));
    return aci_transact_run(tx, false, err);
}

/* Whether none of the events is left that the attempt has removed; sequence numbers are not used again, so what is
   there now came after it. */
static bool was_done(const going_back *g)
{
    return g->later.count == 0 || (int64_t)agentchat_event_sequence(g->later.list[g->later.count - 1]) > g->tried_last;
}

static agentchat_status cut(going_back *g, aci_tx *tx, int64_t sequence, agentchat_error *err)
{
    agentchat_status status = fold_all(g, err);

    if (status < 0)
        return status;
    g->removed = g->later.count;
    g->tried_after = sequence;
    g->tried_last = g->stage.now.row.seq;
    g->stage.now.row.seq++; /* so that no revision of a key is used twice */
    g->stage.now.row.rewinds++;
    g->stage.now.row.updated_us = aci_name_write_time(g->session->env, g->stage.now.row.updated_us);
    queue_writes(g, tx, sequence);
    return aci_transact_run(tx, false, err);
}

static agentchat_status go_back(aci_tx *tx, void *user, agentchat_error *err)
{
    going_back *g = user;
    bool repeats = tx->repeated && g->tried > 0, nothing;
    int64_t sequence = 0;
    agentchat_status status = begin_attempt(g, err);

    if (status >= 0)
        status = ask(g, tx, err);
    if (status >= 0)
        status = aci_view_update_compare(&g->stage, err);
    if (status >= 0)
        status = find_sequence(g, repeats, &sequence, err);
    if (status >= 0)
        status = find_later(g, tx, sequence, err);
    if (status < 0)
        return status;
    nothing = repeats ? was_done(g) : g->later.count == 0;
    if (nothing)
        g->removed = repeats ? g->tried : 0;
    else
        status = cut(g, tx, sequence, err);
    if (status >= 0)
        status = aci_view_update_prefetch(&g->after, tx, err);
    if (status < 0 || nothing)
        return status;
    g->tried = g->removed;
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_session_rewind(agentchat_session *session, const char *event_id, uint64_t *removed,
                                          agentchat_error *err)
{
    going_back g;
    agentchat_status status = AGENTCHAT_OK;

    agentchat_error_clear(err);
    if (removed != NULL)
        *removed = 0;
    if (session == NULL)
        return aci_fail_null(err, "session");
    if (event_id != NULL && event_id[0] != '\0')
        status = aci_label_check(agentchat_str_from(event_id), "event id", err);
    if (status < 0)
        return status;
    memset(&g, 0, sizeof g);
    g.session = session;
    g.stage.session = g.after.session = session;
    g.event_id = agentchat_str_from(event_id);
    g.target_loader.env = g.later_loader.env = session->env;
    g.target_loader.events = &g.target;
    g.later_loader.events = &g.later;
    g.target_loader.origin = g.later_loader.origin = &g.stage.now.row.origin;
    status = aci_name_damage(aci_transact(session->store, true, go_back, &g, err), &session->name, err);
    if (status >= 0 && removed != NULL)
        *removed = g.removed;
    if (status >= 0)
        aci_view_update_apply(&g.after, true);
    aci_view_update_clear(&g.stage);
    aci_view_update_clear(&g.after);
    aci_load_events_clear(session->env, &g.target);
    aci_load_events_clear(session->env, &g.later);
    agentchat_state_free(g.old);
    agentchat_state_free(g.touched);
    return status < 0 ? status : AGENTCHAT_OK;
}
