/* SPDX-License-Identifier: Apache-2.0 */
/* Appending events. */
#include "session/session_internal.h"

#include "base/error.h"
#include "format/native/event.h"
#include <inttypes.h>
#include <string.h>

/* ==== append decide ============================================================================================== */
/*
 * What the first batch of an append has read decides whether the event may be stored: it may be there already, others
 * may have changed what is expected to be unchanged, a key may be missing, a sum may not fit.
 */

static agentchat_status conflict(aci_append *a, agentchat_error *err, const char *what, uint64_t expected,
                                 uint64_t found)
{
    a->conflict = true;
    return aci_fail(err, AGENTCHAT_E_CONFLICT, "%s is %" PRIu64 ", not %" PRIu64 " as expected", what, found, expected);
}

/* An event of the same id is there: the same event again, or another one? What the store had to fill in may differ. */
static agentchat_status compare_duplicate(aci_append *a, agentchat_error *err)
{
    const agentchat_event *stored = a->duplicates.list[0];
    agentchat_str none = {NULL, 0}, invocation = none, time = none;
    agentchat_event *same = NULL;
    aci_buf mine, theirs;
    aci_excerpt excerpt;
    agentchat_status status;

    if ((a->made & ACI_EVENT_MADE_INVOCATION) != 0)
        invocation = agentchat_event_get(stored, AGENTCHAT_EVENT_INVOCATION);
    if ((a->made & ACI_EVENT_MADE_TIME) != 0)
        time = agentchat_event_get(stored, AGENTCHAT_EVENT_TIME);
    aci_buf_init(&mine, a->session->env, SIZE_MAX);
    aci_buf_init(&theirs, a->session->env, SIZE_MAX);
    status = aci_stored_event_with(a->event, none, invocation, time, &same, err);
    if (status >= 0)
        status = aci_event_text(same, &mine, err);
    if (status >= 0)
        status = aci_event_text(stored, &theirs, err);
    if (status >= 0 && agentchat_str_equal(aci_buf_str(&mine), aci_buf_str(&theirs))) {
        a->sequence = agentchat_event_sequence(stored);
        a->duplicate = true;
    } else if (status >= 0) {
        a->conflict = true;
        status = aci_fail(err, AGENTCHAT_E_CONFLICT, "event id %s belongs to an event of other content",
                          aci_error_excerpt(agentchat_event_get(a->event, AGENTCHAT_EVENT_ID), &excerpt));
    }
    agentchat_event_unref(same);
    aci_buf_clear(&mine);
    aci_buf_clear(&theirs);
    return status;
}

static agentchat_status check_expectations(aci_append *a, agentchat_error *err)
{
    const agentchat_append_options *options = &a->options;
    aci_excerpt excerpt;
    char what[128];

    if (options->has_expect_sequence && (uint64_t)a->stage.now.row.seq != options->expect_sequence)
        return conflict(a, err, "the session's sequence", options->expect_sequence, (uint64_t)a->stage.now.row.seq);
    if (options->expect_key == NULL || (uint64_t)a->expected.revision == options->expect_revision)
        return AGENTCHAT_OK;
    (void)snprintf(what, sizeof what, "the revision of key %s",
                   aci_error_excerpt(agentchat_str_from(options->expect_key), &excerpt));
    return conflict(a, err, what, options->expect_revision, (uint64_t)a->expected.revision);
}

static agentchat_status check_presence(const aci_append *a, agentchat_error *err)
{
    aci_excerpt excerpt;

    for (size_t i = 0; i < a->count && a->must_be_there; i++) {
        if (a->changes[i].old.revision == 0)
            return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no key %s",
                            aci_error_excerpt(a->changes[i].key, &excerpt));
    }
    return AGENTCHAT_OK;
}

static agentchat_status add_up(aci_append *a, agentchat_error *err)
{
    for (size_t i = 0; i < a->count; i++) {
        aci_change_work *work = &a->changes[i];
        agentchat_status status;

        if (work->change.kind != AGENTCHAT_CHANGE_ADD)
            continue;
        status = aci_state_sum(work->key, work->old.value, work->change.amount, &work->sum, err);
        if (status < 0)
            return status;
        (void)aci_load_print_integer(work->sum, work->digits);
    }
    return AGENTCHAT_OK;
}

/* Whether the event may be appended, by what the first batch has read, and what its sums are. a->duplicate: it is there
   already; a->conflict: E_CONFLICT. */
static agentchat_status append_decide(aci_append *a, agentchat_error *err)
{
    agentchat_status status;

    if (a->duplicates.count > 0)
        return compare_duplicate(a, err);
    status = check_expectations(a, err);
    if (status >= 0)
        status = check_presence(a, err);
    return status < 0 ? status : add_up(a, err);
}

/* ==== append effect ============================================================================================== */
/*
 * An event that is appended as it is stored, and what is stored beside it: what it raised, added up to and replaced.
 */

static bool list_effects(const aci_append *a, aci_buf *sums, aci_buf *undo)
{
    for (size_t i = 0; i < a->count; i++) {
        const aci_change_work *work = &a->changes[i];

        if (work->scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        if (work->change.kind == AGENTCHAT_CHANGE_ADD &&
            !aci_effect_sum_add(sums, work->key, agentchat_str_from(work->digits)))
            return false;
        if (work->scope == AGENTCHAT_SCOPE_SESSION &&
            !aci_effect_undo_add(undo, undo->len == 1, work->key, work->old.revision, work->old.value))
            return false;
    }
    return true;
}

/* Puts together a->effect, and what the event replaced. false: out of memory. */
static bool write_effect(aci_append *a)
{
    agentchat_str entries = {NULL, 0};
    aci_buf sums;
    bool ok;

    a->undo.len = 0;
    aci_buf_init(&sums, a->session->env, SIZE_MAX);
    ok = aci_buf_add(&a->undo, "[", 1) && list_effects(a, &sums, &a->undo) && aci_buf_add(&a->undo, "]", 1);
    if (ok && a->undo.len > 2)
        entries = (agentchat_str){a->undo.ptr + 1, a->undo.len - 2};
    ok = ok &&
         aci_effect_write(&a->effect, a->stage.raises_app ? a->stage.app_revision : 0,
                          a->stage.raises_user ? a->stage.user_revision : 0, aci_buf_str(&sums), entries) &&
         (entries.len == 0 || aci_event_set_undo(a->event, aci_buf_str(&a->undo)));
    aci_buf_clear(&sums);
    return ok;
}

/* The event's text, what is stored beside it, and the event as the handle will show it: it belongs to nobody else
   yet. */
static agentchat_status append_complete(aci_append *a, agentchat_error *err)
{
    bool ok = write_effect(a);

    for (size_t i = 0, stored = 0; i < a->count && ok; i++) {
        if (a->changes[i].scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        if (a->changes[i].change.kind == AGENTCHAT_CHANGE_ADD)
            ok = aci_event_set_sum(a->event, stored, a->changes[i].sum);
        stored++;
    }
    if (!ok)
        return aci_fail_nomem(err);
    aci_event_set_stored(a->event, (uint64_t)a->stage.now.row.seq,
                         a->stage.raises_app ? (uint64_t)a->stage.app_revision : 0,
                         a->stage.raises_user ? (uint64_t)a->stage.user_revision : 0);
    a->text.len = 0;
    return aci_stored_event_text(a->event, &a->text, err);
}

/* ==== append show ================================================================================================ */
/*
 * How an append changes what the handle shows, once it is committed: in steps that can be undone, then in one that
 * cannot fail. Keys with `temp:` are nowhere else, so what they need of memory is had before the commit.
 */

int64_t aci_append_revision(const aci_append *a, agentchat_scope scope)
{
    return aci_scope_revision_of(scope, a->stage.app_revision, a->stage.user_revision, a->stage.now.row.seq + 1);
}

static agentchat_str append_value(const aci_change_work *work)
{
    if (work->change.kind == AGENTCHAT_CHANGE_DELETE)
        return (agentchat_str){NULL, 0};
    return work->change.kind == AGENTCHAT_CHANGE_ADD ? agentchat_str_from(work->digits) : work->change.value;
}

/* Puts a value into a map so that it can be undone. */
static bool show(const agentchat_env *env, agentchat_state *map, agentchat_str key, agentchat_str value,
                 aci_shown *shown)
{
    if (aci_state_find(map, key).ptr == NULL)
        return shown->is_shown = aci_state_put(map, key, value);
    shown->old = (aci_state_value){aci_alloc(env, value.len), value.len};
    if (shown->old.ptr == NULL)
        return false;
    memcpy(shown->old.ptr, value.ptr, value.len);
    return shown->is_shown = aci_state_swap(map, key, &shown->old);
}

/* Undoes it, which needs no memory. */
static void unshow(const agentchat_env *env, agentchat_state *map, agentchat_str key, aci_shown *shown)
{
    if (shown->is_shown && shown->old.ptr != NULL)
        (void)aci_state_swap(map, key, &shown->old);
    else if (shown->is_shown)
        (void)aci_state_remove(map, key);
    aci_free(env, shown->old.ptr, shown->old.len);
    *shown = (aci_shown){false, {NULL, 0}};
}

static bool is_temporary(const aci_change_work *work)
{
    return work->scope == AGENTCHAT_SCOPE_TEMP;
}

/* Shows the changes of `temp:` keys, as far as that needs memory, before the first attempt to write. They stay shown
   through all of them: which attempt succeeds may be known from its event alone. E_NOMEM only. */
static agentchat_status append_show_temporary(aci_append *a, agentchat_error *err)
{
    const agentchat_session *session = a->session;
    bool ok = true;

    for (size_t i = 0; i < a->count && ok && !a->shows_temporary; i++) {
        aci_change_work *work = &a->changes[i];

        if (is_temporary(work) && work->change.kind != AGENTCHAT_CHANGE_DELETE)
            ok = show(session->env, session->view.state, work->key, append_value(work), &work->value);
    }
    a->shows_temporary = true; /* those that are */
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* Undoes what the handle's state shows of the changes: those of `temp:` keys, or the others. */
static void append_unshow(aci_append *a, bool temporary)
{
    agentchat_session *session = a->session;

    for (size_t i = a->count; i > 0; i--) {
        aci_change_work *work = &a->changes[i - 1];

        if (is_temporary(work) != temporary)
            continue;
        unshow(session->env, session->view.state, work->key, &work->value);
        unshow(session->env, session->view.revisions, work->key, &work->revision);
    }
}

/* Carries out the other changes, once they are committed, as far as they need memory: in the new state, or in the
   handle's own one. false: out of memory, and none is shown. */
static bool append_show(aci_append *a)
{
    bool own = a->stage.state == NULL, ok = true;
    agentchat_state *state = own ? a->session->view.state : a->stage.state;
    agentchat_state *revisions = own ? a->session->view.revisions : a->stage.revisions;
    const agentchat_env *env = a->session->env;

    for (size_t i = 0; i < a->count && ok; i++) {
        aci_change_work *work = &a->changes[i];
        char digits[24];
        size_t len;

        if (is_temporary(work) || work->change.kind == AGENTCHAT_CHANGE_DELETE)
            continue;
        len = aci_load_print_integer(aci_append_revision(a, work->scope), digits);
        ok = show(env, state, work->key, append_value(work), &work->value) &&
             show(env, revisions, work->key, (agentchat_str){digits, len}, &work->revision);
    }
    if (!ok && own)
        append_unshow(a, false);
    return ok;
}

/* Once all is committed: what was replaced is not needed any more, and what is deleted goes, which needs no memory. */
static void append_settle(aci_append *a, bool temporary)
{
    agentchat_session *session = a->session;

    for (size_t i = 0; i < a->count; i++) {
        aci_change_work *work = &a->changes[i];

        if (is_temporary(work) != temporary)
            continue;
        work->value.is_shown = work->revision.is_shown = false;
        unshow(session->env, session->view.state, work->key, &work->value);
        unshow(session->env, session->view.revisions, work->key, &work->revision);
        if (work->change.kind == AGENTCHAT_CHANGE_DELETE) {
            (void)aci_state_remove(session->view.state, work->key);
            (void)aci_state_remove(session->view.revisions, work->key);
        }
    }
}

/* ==== appending an event with its changes of state, in one step ================================================== */

/* The first batch locks the session, raises the revisions of the wider scopes that change (or holds that of which a
   key is expected to be unchanged), and reads what the decision needs: an event of the same id, the values that are
   replaced or added to, and what others did since the view. The second one writes and commits. Two batches are two
   waits for a server, whatever the event does. */

/* ---- what the first batch reads ------------------------------------------------------------------------------- */

static agentchat_status load_value(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_old_value *old = user;
    aci_state_row row = {.revision = 0};
    agentchat_status status = aci_table_read(&aci_state_table, aci_state_table.owner, columns, count, &row, err);
    bool ok = true;

    if (status >= 0) /* it is stored once more with the event, to undo it */
        status = aci_load_check_stored(aci_arena_env(old->arena), old->key, &row.value, row.revision, err);
    if (status < 0)
        return status;
    old->revision = row.revision;
    old->value = aci_arena_copy(old->arena, row.value, &ok);
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
    ACI_SESSION_ASK(tx, ACI_STATEMENT_EVENT_BY_ID, aci_load_event, &a->duplicate_loader, ACI_TEXT(session->name.app),
                    ACI_INT(session->view.row.num), ACI_TEXT(agentchat_event_get(a->event, AGENTCHAT_EVENT_ID)));
    for (size_t i = 0; i < a->count; i++) { /* to undo the change, or to add to it */
        const aci_change_work *work = &a->changes[i];

        if (work->scope == AGENTCHAT_SCOPE_SESSION ||
            (work->scope != AGENTCHAT_SCOPE_TEMP && (work->change.kind == AGENTCHAT_CHANGE_ADD || a->must_be_there)))
            ask_value(a, tx, &a->changes[i].old, work->key);
    }
    if (a->options.expect_key != NULL)
        ask_value(a, tx, &a->expected, agentchat_str_from(a->options.expect_key));
}

/* ---- the two batches ------------------------------------------------------------------------------------------ */

static void queue_writes(aci_append *a, aci_tx *tx)
{
    const aci_session_name *name = &a->session->name;
    const aci_session_row *session = &a->stage.now.row;
    const aci_event_row event = {.app = name->app,
                                 .num = session->num,
                                 .origin = session->origin,
                                 .seq = session->seq,
                                 .id = agentchat_event_get(a->event, AGENTCHAT_EVENT_ID),
                                 .time_ns = agentchat_event_time_ns(a->event),
                                 .json = aci_buf_str(&a->text),
                                 .effect = aci_buf_str(&a->effect)};
    aci_scope_row app = a->stage.app_row, user = a->stage.user_row;

    app.revision = a->stage.app_revision;
    user.revision = a->stage.user_revision;
    aci_statement_add_event(tx, &event);
    for (size_t i = 0; i < a->count; i++) {
        const aci_change_work *work = &a->changes[i];
        agentchat_str rest;

        (void)aci_key_scope(work->key, &rest);
        if (work->scope != AGENTCHAT_SCOPE_TEMP)
            aci_statement_add_put(tx, name, work->scope, rest, append_value(work), aci_append_revision(a, work->scope));
    }
    aci_statement_add_advance(tx, name, session);
    if (a->stage.raises_app)
        aci_statement_add_scope(tx, ACI_STATEMENT_SCOPE_PUT, &app, NULL, NULL);
    if (a->stage.raises_user)
        aci_statement_add_scope(tx, ACI_STATEMENT_SCOPE_PUT, &user, NULL, NULL);
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
    queue_writes(a, tx);
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
    status = append_decide(a, err);
    if (a->duplicate || a->conflict)
        return look_only(a, tx, status, err);
    if (status < 0)
        return status;
    a->stage.now.row.seq++;
    a->stage.now.row.updated_us = aci_name_write_time(a->session->env, a->stage.now.row.updated_us);
    status = append_complete(a, err);
    if (status >= 0)
        status = append_show_temporary(a, err);
    if (status < 0)
        return status;
    return write_all(a, tx, err);
}

/* After the commit the handle shows what it has brought, and what others did. Where that cannot be read, or there is no
   memory for it, the handle stays out of date, and the next call brings it up to date. */
static void show_result(aci_append *a)
{
    agentchat_session *session = a->session;

    if (!a->is_known || aci_view_update_finish(&a->stage, NULL) < 0 || !append_show(a))
        return;
    aci_view_update_apply(&a->stage, true);
    append_settle(a, false);
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
        append_settle(a, true);
    else
        append_unshow(a, true);
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
    a->duplicate_loader.origin = &a->stage.now.row.origin;
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
