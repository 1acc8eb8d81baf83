/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appending an event with its changes of state, in one step. Layer 5.
 *
 * The first batch locks the session, raises the revisions of the wider scopes that change (or holds that of which a key
 * is expected to be unchanged), and reads what the decision needs: an event of the same id, the values that are
 * replaced or added to, and what others did since the view. The second one writes and commits. Two batches are two
 * waits for a server, whatever the event does.
 */
#include "session/append.h"

#include "base/error.h"
#include <string.h>

/* ---- what the first batch reads ------------------------------------------------------------------------------- */

static agentchat_status load_value(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_old_value *old = user;
    agentchat_str value;
    agentchat_status status = aci_column_text(columns, count, 0, &value, err);
    bool ok = true;

    if (status >= 0)
        status = aci_column_integer(columns, count, 1, &old->revision, err);
    if (status >= 0) /* it is stored once more with the event, to undo it */
        status = aci_stored_check(aci_home_env(old->home), old->key, &value, old->revision, err);
    if (status < 0)
        return status;
    old->value = aci_home_copy(old->home, value, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void ask_value(aci_append *a, aci_tx *tx, aci_old_value *old, agentchat_str key)
{
    aci_session_name name = aci_name_of(a->session);
    agentchat_str rest;
    agentchat_scope scope = agentchat_key_scope(key, &rest);

    old->home = a->home;
    old->key = key;
    old->value = (agentchat_str){NULL, 0};
    old->revision = 0;
    aci_queue(tx, ACI_SQL_STATE_VALUE, load_value, old);
    aci_queue_scope(tx, &name, scope);
    aci_tx_text(tx, rest);
}

/* Whether the stored value of a key counts: to undo the change, to add to it, or because it must be there. */
static bool needs_old(const aci_append *a, const aci_change_work *work)
{
    return work->scope != AGENTCHAT_SCOPE_TEMP &&
           (work->scope == AGENTCHAT_SCOPE_SESSION || a->must_be_there || work->change.kind == AGENTCHAT_CHANGE_ADD);
}

static void ask(aci_append *a, aci_tx *tx)
{
    const agentchat_session *session = a->session;

    aci_update_ask(&a->stage, tx, true);
    aci_queue(tx, ACI_SQL_EVENT_BY_ID, aci_load_event, &a->twin_loader);
    aci_tx_text(tx, session->app);
    aci_tx_integer(tx, session->view.row.num);
    aci_tx_text(tx, agentchat_event_get(a->event, AGENTCHAT_EVENT_ID));
    for (size_t i = 0; i < a->count; i++) {
        if (needs_old(a, &a->changes[i]))
            ask_value(a, tx, &a->changes[i].old, a->changes[i].change.key);
    }
    if (a->options.expect_key != NULL)
        ask_value(a, tx, &a->expected, agentchat_str_from(a->options.expect_key));
}

/* ---- the two batches ------------------------------------------------------------------------------------------ */

static void queue_writes(aci_append *a, aci_tx *tx)
{
    aci_session_name name = aci_name_of(a->session);

    aci_queue(tx, ACI_SQL_EVENT_INSERT, NULL, NULL);
    aci_tx_text(tx, name.app);
    aci_tx_integer(tx, a->stage.now.row.num);
    aci_tx_integer(tx, a->stage.now.row.seq);
    aci_tx_text(tx, agentchat_event_get(a->event, AGENTCHAT_EVENT_ID));
    aci_tx_integer(tx, agentchat_event_time_ns(a->event));
    aci_tx_text(tx, aci_buf_str(&a->text));
    aci_tx_text(tx, aci_buf_str(&a->effect));
    aci_queue_advance(tx, &name, &a->stage.now.row);
    if (a->stage.raises_app)
        aci_queue_raised(tx, &name, AGENTCHAT_SCOPE_APP, a->stage.app_revision);
    if (a->stage.raises_user)
        aci_queue_raised(tx, &name, AGENTCHAT_SCOPE_USER, a->stage.user_revision);
    for (size_t i = 0; i < a->count; i++) {
        const aci_change_work *work = &a->changes[i];
        agentchat_str rest;

        if (work->scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        (void)agentchat_key_scope(work->change.key, &rest);
        aci_queue_put(tx, &name, work->scope, rest, aci_append_value(work), aci_append_revision(a, work->scope));
    }
}

static agentchat_status begin_attempt(aci_append *a, agentchat_error *err)
{
    agentchat_session *session = a->session;
    agentchat_scope expected = agentchat_key_scope(agentchat_str_from(a->options.expect_key), NULL);

    aci_update_clear(&a->stage);
    aci_events_clear(session->env, &a->twins);
    a->twin = a->conflict = a->settled = false;
    if (!aci_update_begin(&a->stage, session))
        return aci_fail_nomem(err);
    a->stage.raises_app = a->raises_app;
    a->stage.raises_user = a->raises_user;
    a->stage.holds_app = expected == AGENTCHAT_SCOPE_APP;
    a->stage.holds_user = expected == AGENTCHAT_SCOPE_USER;
    return AGENTCHAT_OK;
}

/* Nothing is appended, but the handle shows what others did. Keeps `status`, the reason. */
static agentchat_status look_only(aci_append *a, aci_tx *tx, agentchat_status status, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status looked = AGENTCHAT_OK;

    agentchat_error_clear(&why);
    if (aci_update_ask_changed(&a->stage, tx))
        looked = aci_tx_run(tx, false, &why);
    if (looked >= 0)
        looked = aci_update_finish(&a->stage, &why);
    if (looked >= 0)
        return status;
    a->twin = a->conflict = false;
    *err = why;
    return looked;
}

/* The handle shows all that there is: its changes are shown before they are committed, so that no memory for that is a
   failure in time. */
static agentchat_status write_known(aci_append *a, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status = aci_update_finish(&a->stage, err);

    if (status >= 0)
        status = aci_append_show(a, err);
    if (status >= 0) {
        queue_writes(a, tx);
        status = aci_tx_run(tx, true, err);
    }
    if (status < 0)
        aci_append_unshow(a, false);
    a->settled = status >= 0;
    return status;
}

/* Others have written: what they did comes along with the commit. Without memory for it the handle stays behind, and
   the next call brings it up to date. */
static agentchat_status write_behind(aci_append *a, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status;

    queue_writes(a, tx);
    status = aci_tx_run(tx, true, err);
    a->settled =
        status >= 0 && tx->row_status >= 0 && aci_update_finish(&a->stage, NULL) >= 0 && aci_append_show(a, NULL) >= 0;
    return status;
}

static agentchat_status append(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_append *a = user;
    agentchat_status status = begin_attempt(a, err);

    if (status < 0)
        return status;
    a->repeated = tx->repeated;
    ask(a, tx);
    status = aci_tx_run(tx, false, err);
    if (status >= 0)
        status = aci_update_compare(&a->stage, err);
    if (status < 0)
        return status;
    status = aci_append_decide(a, err);
    if (a->twin || a->conflict)
        return look_only(a, tx, status, err);
    if (status < 0)
        return status;
    a->stage.now.row.seq++;
    a->stage.now.row.updated_us = aci_write_time(a->session->env, a->stage.now.row.updated_us);
    status = aci_append_complete(a, err);
    if (status >= 0)
        status = aci_append_show_temporary(a, err);
    if (status < 0)
        return status;
    return aci_update_ask_changed(&a->stage, tx) ? write_behind(a, tx, err) : write_known(a, tx, err);
}

agentchat_status aci_append_run(aci_append *a, agentchat_error *err)
{
    agentchat_session *session = a->session;
    agentchat_status status = aci_transact(session->store, true, append, a, err);

    if (status >= 0 && !a->twin)
        a->sequence = (uint64_t)a->stage.now.row.seq;
    if (a->settled) {
        aci_update_take(&a->stage, true);
        aci_append_settle(a, false);
    } else if (a->twin || a->conflict)
        aci_update_take(&a->stage, false);
    if (status >= 0 && (!a->twin || a->repeated))
        aci_append_settle(a, true);
    else
        aci_append_unshow(a, true);
    if (a->settled && session->collects) {
        session->view.events.list[session->view.events.count++] = a->event;
        a->event = NULL;
    }
    return status;
}

/* ---- the work as a whole -------------------------------------------------------------------------------------- */

agentchat_status aci_append_begin(aci_append *a, agentchat_session *session, const agentchat_event *event,
                                  agentchat_error *err)
{
    const agentchat_env *env = session->env;
    agentchat_status status;

    memset(a, 0, sizeof *a);
    a->session = session;
    a->stage.session = session;
    a->options.expect_sequence = AGENTCHAT_ANY_SEQUENCE;
    a->twin_loader.env = env;
    a->twin_loader.events = &a->twins;
    aci_buf_init(&a->text, env, SIZE_MAX);
    aci_buf_init(&a->effect, env, SIZE_MAX);
    aci_buf_init(&a->undo, env, SIZE_MAX);
    a->home = aci_home_new(env, 0);
    if (a->home == NULL)
        return aci_fail_nomem(err);
    status = aci_event_for_store(env, event, session->invocation, &a->made, &a->event, err);
    if (status < 0)
        return status;
    a->cap = agentchat_event_change_count(event);
    a->changes = a->cap > 0 ? aci_alloc_zero(env, a->cap * sizeof(*a->changes)) : NULL;
    if (a->cap > 0 && a->changes == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < a->cap; i++) {
        aci_change_work *work = &a->changes[a->count];

        work->change = agentchat_event_change(event, i);
        work->scope = agentchat_key_scope(work->change.key, NULL);
        if (work->scope == AGENTCHAT_SCOPE_TEMP && session->invocation == NULL)
            continue; /* nowhere to go */
        if (work->scope == AGENTCHAT_SCOPE_TEMP && work->change.kind == AGENTCHAT_CHANGE_ADD)
            work->old.value = aci_state_find(session->view.state, work->change.key);
        a->raises_app = a->raises_app || work->scope == AGENTCHAT_SCOPE_APP;
        a->raises_user = a->raises_user || work->scope == AGENTCHAT_SCOPE_USER;
        a->count++;
    }
    return AGENTCHAT_OK;
}

void aci_append_end(aci_append *a)
{
    const agentchat_env *env = a->session->env;

    aci_update_clear(&a->stage);
    aci_events_clear(env, &a->twins);
    agentchat_event_unref(a->event);
    for (size_t i = 0; i < a->count; i++) {
        aci_free(env, a->changes[i].value.old.ptr, a->changes[i].value.old.len);
        aci_free(env, a->changes[i].revision.old.ptr, a->changes[i].revision.old.len);
    }
    aci_free(env, a->changes, a->cap * sizeof(*a->changes));
    aci_buf_clear(&a->text);
    aci_buf_clear(&a->effect);
    aci_buf_clear(&a->undo);
    aci_home_unref(a->home);
}

static agentchat_status check_expected_key(const char *key, agentchat_error *err)
{
    agentchat_status status = aci_key_check(agentchat_str_from(key), err);

    if (status >= 0 && agentchat_key_scope(agentchat_str_from(key), NULL) == AGENTCHAT_SCOPE_TEMP)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a temp: key is not stored and has no revision");
    return status;
}

agentchat_status agentchat_session_append(agentchat_session *session, const agentchat_event *event,
                                          const agentchat_append_options *options, uint64_t *sequence,
                                          agentchat_error *err)
{
    static const agentchat_append_options anything = AGENTCHAT_APPEND_OPTIONS_INIT;
    aci_append a;
    agentchat_status status;

    agentchat_error_clear(err);
    if (sequence != NULL)
        *sequence = 0;
    if (session == NULL || event == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "session and event must not be NULL");
    if (aci_event_is_partial(event))
        return AGENTCHAT_DONE;
    status = aci_append_begin(&a, session, event, err);
    if (status >= 0)
        status = aci_options_load(&a.options, sizeof a.options, options != NULL ? options : &anything, err);
    if (status >= 0 && a.options.expect_key != NULL)
        status = check_expected_key(a.options.expect_key, err);
    if (status >= 0)
        status = aci_append_run(&a, err);
    if (status >= 0 && sequence != NULL)
        *sequence = a.sequence;
    aci_append_end(&a);
    return status < 0 ? status : AGENTCHAT_OK;
}
