/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appending an event with its changes of state, in one step.
 *
 * The first batch locks the session, raises the revisions of the wider scopes that change (or holds that of which a key
 * is expected to be unchanged), and reads what the decision needs: an event of the same id, the values that are
 * replaced or added to, and what others did since the view. The second one writes and commits. Two batches are two
 * waits for a server, whatever the event does.
 */
#include "session/append.h"

#include "base/error.h"
#include "session/stored_event.h"
#include <string.h>

/* ---- what the first batch reads ------------------------------------------------------------------------------- */

static agentchat_status load_value(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_old_value *old = user;
    agentchat_str value;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &value, err);
    bool ok = true;

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &old->revision, err);
    if (status >= 0) /* it is stored once more with the event, to undo it */
        status = aci_load_check_stored(aci_arena_env(old->arena), old->key, &value, old->revision, err);
    if (status < 0)
        return status;
    old->value = aci_arena_copy(old->arena, value, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void ask_value(aci_append *a, aci_tx *tx, aci_old_value *old, agentchat_str key)
{
    aci_session_name name = a->session->name;
    agentchat_str rest;
    agentchat_scope scope = aci_key_scope(key, &rest);

    old->arena = a->arena;
    old->key = key;
    old->value = (agentchat_str){NULL, 0};
    old->revision = 0;
    aci_statement_add(tx, ACI_STATEMENT_STATE_VALUE, load_value, old);
    aci_statement_scope(tx, &name, scope);
    aci_transact_text(tx, rest);
}

static void ask(aci_append *a, aci_tx *tx)
{
    const agentchat_session *session = a->session;

    aci_view_update_ask(&a->stage, tx, true);
    aci_statement_add(tx, ACI_STATEMENT_EVENT_BY_ID, aci_load_event, &a->duplicate_loader);
    aci_transact_text(tx, session->name.app);
    aci_transact_integer(tx, session->view.row.num);
    aci_transact_text(tx, agentchat_event_get(a->event, AGENTCHAT_EVENT_ID));
    for (size_t i = 0; i < a->count; i++) { /* to undo the change or add to it, and for the checksum of the keys */
        if (a->changes[i].scope != AGENTCHAT_SCOPE_TEMP)
            ask_value(a, tx, &a->changes[i].old, a->changes[i].key);
    }
    if (a->options.expect_key != NULL)
        ask_value(a, tx, &a->expected, agentchat_str_from(a->options.expect_key));
}

/* ---- the two batches ------------------------------------------------------------------------------------------ */

static agentchat_status queue_event(aci_append *a, aci_tx *tx, agentchat_error *err)
{
    aci_session_row *session = &a->stage.now.row;
    aci_event_row row = {.seq = session->seq,
                         .id = agentchat_event_get(a->event, AGENTCHAT_EVENT_ID),
                         .time_ns = agentchat_event_time_ns(a->event),
                         .json = aci_buf_str(&a->text),
                         .effect = aci_buf_str(&a->effect),
                         .sums = {.is_linked = session->is_summed, .previous = session->last}};
    agentchat_status status = aci_statement_add_event(tx, &a->session->name, session->num, &row, err);

    a->event->sums = row.sums;
    session->last = session->is_summed ? row.sums.sum : 0;
    return status;
}

/* A change of a key, and of the checksum of all keys of its scope. */
static agentchat_status queue_change(const aci_append *a, aci_tx *tx, const aci_change_work *work, int64_t *keys,
                                     agentchat_error *err)
{
    agentchat_str rest, value = aci_append_value(work);
    int64_t revision = aci_append_revision(a, work->scope);
    agentchat_status status;

    (void)aci_key_scope(work->key, &rest);
    aci_statement_add_put(tx, &a->session->name, work->scope, rest, value, revision);
    status = aci_sums_toggle_key(keys, rest, work->old.value, work->old.revision, err);
    return status < 0 ? status : aci_sums_toggle_key(keys, rest, value, revision, err);
}

static agentchat_status queue_writes(aci_append *a, aci_tx *tx, agentchat_error *err)
{
    aci_scope_row app = a->stage.app_row, user = a->stage.user_row;
    int64_t *const keys[] = {[AGENTCHAT_SCOPE_SESSION] = &a->stage.now.row.keys,
                             [AGENTCHAT_SCOPE_USER] = &user.keys,
                             [AGENTCHAT_SCOPE_APP] = &app.keys};
    agentchat_status status = queue_event(a, tx, err);

    app.revision = a->stage.app_revision;
    user.revision = a->stage.user_revision;
    for (size_t i = 0; i < a->count && status >= 0; i++) {
        const aci_change_work *work = &a->changes[i];

        if (work->scope != AGENTCHAT_SCOPE_TEMP)
            status = queue_change(a, tx, work, keys[work->scope], err);
    }
    if (status >= 0)
        status = aci_statement_add_advance(tx, &a->session->name, &a->stage.now.row, err);
    if (status >= 0 && a->stage.raises_app)
        status = aci_statement_add_scope(tx, &app, err);
    if (status >= 0 && a->stage.raises_user)
        status = aci_statement_add_scope(tx, &user, err);
    return status;
}

static agentchat_status begin_attempt(aci_append *a, agentchat_error *err)
{
    agentchat_session *session = a->session;
    agentchat_scope expected = aci_key_scope(agentchat_str_from(a->options.expect_key), NULL);

    aci_view_update_clear(&a->stage);
    aci_load_events_clear(session->env, &a->duplicates);
    a->duplicate = a->conflict = a->is_known = false;
    if (!aci_view_update_begin(&a->stage, session))
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
    if (aci_view_update_ask_changed(&a->stage, tx))
        looked = aci_transact_run(tx, false, &why);
    if (looked >= 0)
        looked = aci_view_update_finish(&a->stage, &why);
    if (looked >= 0)
        return status;
    a->duplicate = a->conflict = false;
    *err = why;
    return looked;
}

/* What others did since the view comes along with the commit. */
static agentchat_status write_all(aci_append *a, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status;

    (void)aci_view_update_ask_changed(&a->stage, tx);
    status = queue_writes(a, tx, err);
    if (status < 0)
        return status;
    status = aci_transact_run(tx, true, err);
    a->is_known = status >= 0 && tx->row_status >= 0;
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
    status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = aci_view_update_compare(&a->stage, err);
    if (status < 0)
        return status;
    status = aci_append_decide(a, err);
    if (a->duplicate || a->conflict)
        return look_only(a, tx, status, err);
    if (status < 0)
        return status;
    a->stage.now.row.seq++;
    a->stage.now.row.updated_us = aci_name_write_time(a->session->env, a->stage.now.row.updated_us);
    status = aci_append_complete(a, err);
    if (status >= 0)
        status = aci_append_show_temporary(a, err);
    if (status < 0)
        return status;
    return write_all(a, tx, err);
}

/* After the commit the handle shows what it has brought, and what others did. Where that cannot be read, or there is no
   memory for it, the handle stays out of date, and the next call brings it up to date. */
static void show_result(aci_append *a)
{
    agentchat_session *session = a->session;

    if (!a->is_known || aci_view_update_finish(&a->stage, NULL) < 0 || !aci_append_show(a))
        return;
    aci_view_update_apply(&a->stage, true);
    aci_append_settle(a, false);
    if (!session->collects)
        return;
    session->view.events.list[session->view.events.count++] = a->event;
    a->event = NULL;
}

agentchat_status aci_append_run(aci_append *a, agentchat_error *err)
{
    agentchat_status status =
        aci_name_damage(aci_transact(a->session->store, true, append, a, err), &a->session->name, err);
    bool is_appended = status >= 0 && !a->duplicate;

    if (is_appended)
        a->sequence = (uint64_t)a->stage.now.row.seq;
    if (is_appended)
        show_result(a);
    else if (a->duplicate || a->conflict)
        aci_view_update_apply(&a->stage, false);
    if (is_appended || (status >= 0 && a->repeated))
        aci_append_settle(a, true);
    else
        aci_append_unshow(a, true);
    return status;
}

/* ---- the complete append -------------------------------------------------------------------------------------- */

agentchat_status aci_append_begin(aci_append *a, agentchat_session *session, const agentchat_event *event,
                                  agentchat_error *err)
{
    const agentchat_env *env = session->env;
    agentchat_status status;

    memset(a, 0, sizeof *a);
    a->session = session;
    a->stage.session = session;
    a->duplicate_loader.env = env;
    a->duplicate_loader.events = &a->duplicates;
    aci_buf_init(&a->text, env, SIZE_MAX);
    aci_buf_init(&a->effect, env, SIZE_MAX);
    aci_buf_init(&a->undo, env, SIZE_MAX);
    a->arena = aci_arena_new(env, 0);
    if (a->arena == NULL)
        return aci_fail_nomem(err);
    status = aci_stored_event_of(env, event, session->invocation, &a->made, &a->event, err);
    if (status < 0)
        return status;
    a->cap = agentchat_event_change_count(event);
    a->changes = a->cap > 0 ? aci_alloc_zero(env, a->cap * sizeof(*a->changes)) : NULL;
    if (a->cap > 0 && a->changes == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < a->cap; i++) {
        aci_change_work *work = &a->changes[a->count];

        work->change = event->changes[i];
        work->key = agentchat_str_from(work->change.key);
        work->scope = aci_key_scope(work->key, NULL);
        if (work->scope == AGENTCHAT_SCOPE_TEMP && session->invocation == NULL)
            continue; /* nowhere to go */
        if (work->scope == AGENTCHAT_SCOPE_TEMP && work->change.kind == AGENTCHAT_CHANGE_ADD)
            work->old.value = aci_state_find(session->view.state, work->key);
        a->raises_app = a->raises_app || work->scope == AGENTCHAT_SCOPE_APP;
        a->raises_user = a->raises_user || work->scope == AGENTCHAT_SCOPE_USER;
        a->count++;
    }
    return AGENTCHAT_OK;
}

void aci_append_end(aci_append *a)
{
    const agentchat_env *env = a->session->env;

    aci_view_update_clear(&a->stage);
    aci_load_events_clear(env, &a->duplicates);
    agentchat_event_unref(a->event);
    for (size_t i = 0; i < a->count; i++) {
        aci_free(env, a->changes[i].value.old.ptr, a->changes[i].value.old.len);
        aci_free(env, a->changes[i].revision.old.ptr, a->changes[i].revision.old.len);
    }
    aci_free(env, a->changes, a->cap * sizeof(*a->changes));
    aci_buf_clear(&a->text);
    aci_buf_clear(&a->effect);
    aci_buf_clear(&a->undo);
    aci_arena_unref(a->arena);
}

static agentchat_status check_expected_key(const char *key, agentchat_error *err)
{
    agentchat_status status = aci_key_check(agentchat_str_from(key), err);

    if (status >= 0 && aci_key_scope(agentchat_str_from(key), NULL) == AGENTCHAT_SCOPE_TEMP)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a temp: key is not stored and has no revision");
    return status;
}

void agentchat_append_options_init(agentchat_append_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_session_append(agentchat_session *session, const agentchat_event *event,
                                          const agentchat_append_options *options, uint64_t *sequence,
                                          agentchat_error *err)
{
    aci_append a;
    agentchat_status status;

    agentchat_error_clear(err);
    if (sequence != NULL)
        *sequence = 0;
    if (session == NULL || event == NULL)
        return aci_fail_null(err, session == NULL ? "session" : "event");
    if (aci_event_is_partial(event))
        return AGENTCHAT_DONE;
    status = aci_append_begin(&a, session, event, err);
    if (status >= 0)
        status = aci_env_options_load(&a.options, sizeof a.options, options, err);
    if (status >= 0 && a.options.expect_key != NULL)
        status = check_expected_key(a.options.expect_key, err);
    if (status >= 0)
        status = aci_append_run(&a, err);
    if (status >= 0 && sequence != NULL)
        *sequence = a.sequence;
    aci_append_end(&a);
    return status < 0 ? status : AGENTCHAT_OK;
}
