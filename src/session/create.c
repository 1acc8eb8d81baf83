/* SPDX-License-Identifier: Apache-2.0 */
/* Creating, copying and removing sessions. */
#include "session/session_internal.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

/* ==== making a session =========================================================================================== */

typedef struct creation {
    const agentchat_env *env;
    aci_name_claim claim;
    const agentchat_state *initial;
    bool has_app, has_user;
    aci_scope_row app, user;
    aci_view view; /* of the attempt under way */
    aci_view made; /* of the attempt that came to its end last: it has made the session, if any has */
    aci_scope_loader loaders[2];
} creation;

static void queue_first(creation *c, aci_tx *tx)
{
    aci_name_claim_add(&c->claim, tx, &c->view.row);
    aci_load_ask_scope(tx, c->has_app ? ACI_STATEMENT_SCOPE_HOLD : ACI_STATEMENT_SCOPE, &c->claim.name,
                       AGENTCHAT_SCOPE_APP, &c->app);
    aci_load_ask_scope(tx, c->has_user ? ACI_STATEMENT_SCOPE_HOLD : ACI_STATEMENT_SCOPE, &c->claim.name,
                       AGENTCHAT_SCOPE_USER, &c->user);
    for (int i = 0; i < 2; i++) {
        c->loaders[i] = (aci_scope_loader){.scope = i == 0 ? AGENTCHAT_SCOPE_APP : AGENTCHAT_SCOPE_USER,
                                           .state = c->view.state,
                                           .revisions = c->view.revisions};
        aci_statement_add(tx, ACI_STATEMENT_STATE, aci_load_state, &c->loaders[i]);
        aci_statement_scope(tx, &c->claim.name, c->loaders[i].scope);
    }
}

/* The initial state goes to the store and into the view, after what is there. */
static agentchat_status put_initial(creation *c, aci_tx *tx, agentchat_error *err)
{
    agentchat_str key, value;

    for (size_t at = 0; aci_state_next(c->initial, &at, &key, &value);) {
        agentchat_str rest;
        agentchat_scope scope = aci_key_scope(key, &rest);
        int64_t revision =
            aci_scope_revision_of(scope, c->view.app_revision, c->view.user_revision, c->view.row.seq + 1);

        if (scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        aci_statement_add_put(tx, &c->claim.name, scope, rest, value, revision);
        if (!aci_state_put(c->view.state, key, value) || !aci_load_revision_put(c->view.revisions, key, revision))
            return aci_fail_nomem(err);
    }
    return AGENTCHAT_OK;
}

static agentchat_status create(aci_tx *tx, void *user, agentchat_error *err)
{
    creation *c = user;
    agentchat_status status;

    aci_view_clear(&c->view, c->env);
    if (!aci_view_init(&c->view, c->env))
        return aci_fail_nomem(err);
    c->view.row.created_us = aci_now_us(c->env);
    c->view.row.updated_us = c->view.row.created_us;
    c->view.row.num = c->view.row.origin = c->claim.num;
    queue_first(c, tx);
    status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = aci_name_claim_check(&c->claim, tx, err);
    if (status != AGENTCHAT_OK)
        return status;
    c->view.app_revision = c->app.revision += c->has_app ? 1 : 0;
    c->view.user_revision = c->user.revision += c->has_user ? 1 : 0;
    status = put_initial(c, tx, err);
    if (status < 0)
        return status;
    if (c->has_app)
        aci_statement_add_scope(tx, ACI_STATEMENT_SCOPE_PUT, &c->app, NULL, NULL);
    if (c->has_user)
        aci_statement_add_scope(tx, ACI_STATEMENT_SCOPE_PUT, &c->user, NULL, NULL);
    aci_view_clear(&c->made, c->env);
    c->made = c->view;
    memset(&c->view, 0, sizeof c->view);
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_session_create(agentchat_store *store, const agentchat_session_id *who,
                                          const agentchat_state *initial, agentchat_session **out, agentchat_error *err)
{
    agentchat_session *session = NULL;
    char made[ACI_ID_LEN + 1];
    agentchat_status status;
    aci_view nothing;
    creation c;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&c, 0, sizeof c);
    memset(&nothing, 0, sizeof nothing);
    status = aci_session_name_load(who, false, &c.claim.name, err);
    if (status < 0)
        return status;
    c.env = store->env;
    c.initial = initial;
    if (who->id == NULL) {
        status = aci_id_new(c.env, made, err);
        c.claim.name.id = agentchat_str_from(made);
    }
    if (status >= 0)
        status = aci_session_number(c.env, &c.claim.num, err);
    if (status < 0)
        return status;
    aci_scope_note(initial, &c.has_app, &c.has_user);
    session =
        aci_session_new(store, &c.claim.name, true, &nothing); /* first, so that nothing can fail after the commit */
    status = session != NULL ? aci_name_damage(aci_transact(store, true, create, &c, err), &c.claim.name, err)
                             : aci_fail_nomem(err);
    if (status >= 0) {
        session->view = c.made;
        memset(&c.made, 0, sizeof c.made);
        *out = session;
        session = NULL;
    }
    agentchat_session_free(session);
    aci_view_clear(&c.view, c.env);
    aci_view_clear(&c.made, c.env);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ==== copying a session: the database copies the rows, nothing of them travels =================================== */

typedef struct copying {
    const agentchat_env *env;
    aci_session_name from;
    aci_name_claim to;
    aci_loaded_row source;
} copying;

static agentchat_status look(copying *c, aci_tx *tx, agentchat_error *err)
{
    aci_load_ask_session(tx, ACI_STATEMENT_SESSION_LOCK, &c->from, &c->source);
    aci_name_claim_look(&c->to, tx);
    return aci_transact_run(tx, false, err);
}

static agentchat_status copy(aci_tx *tx, void *user, agentchat_error *err)
{
    copying *c = user;
    agentchat_status status = look(c, tx, err);
    aci_session_row made;

    if (status < 0)
        return status;
    if (aci_name_claim_was_made(&c->to, tx))
        return AGENTCHAT_OK;
    if (!c->source.found)
        return aci_name_fail_no_session(&c->from, err);
    made = c->source.row;
    made.created_us = made.updated_us = aci_now_us(c->env);
    aci_name_claim_add(&c->to, tx, &made);
    status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = aci_name_claim_check(&c->to, tx, err);
    if (status != AGENTCHAT_OK)
        return status;
    ACI_SESSION_ASK(tx, ACI_STATEMENT_EVENTS_COPY, NULL, NULL, ACI_INT(c->to.num), ACI_TEXT(c->from.app),
                    ACI_INT(c->source.row.num));
    ACI_SESSION_ASK(tx, ACI_STATEMENT_STATE_COPY, NULL, NULL, ACI_TEXT(c->to.name.id), ACI_NAMES(&c->from));
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_session_copy(agentchat_store *store, const agentchat_session_id *who, const char *new_id,
                                        agentchat_bytes *made, agentchat_error *err)
{
    char generated[ACI_ID_LEN + 1];
    aci_sql_call call;
    copying c;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&c, 0, sizeof c);
    status = aci_session_name_load(who, true, &c.from, err);
    if (status >= 0 && new_id == NULL) {
        status = aci_id_new(store->env, generated, err);
        new_id = generated;
    }
    c.to.name = (aci_session_name){c.from.app, c.from.user, agentchat_str_from(new_id)};
    if (status >= 0)
        status = aci_label_check(c.to.name.id, "session id", err);
    if (status < 0)
        return status;
    c.env = store->env;
    status = aci_session_number(c.env, &c.to.num, err);
    if (status >= 0 && made != NULL) /* first, so that nothing can fail after the copy */
        status = aci_buf_append_bytes(made, c.env, c.to.name.id, err);
    if (status < 0)
        return status;
    call = aci_sql_call_begin(store, true); /* the database copies all events by one statement */
    status = aci_name_damage(aci_transact_in(store, &call, true, copy, &c, err), &c.from, err);
    if (status < 0 && made != NULL)
        made->ptr[made->len -= c.to.name.id.len] = '\0';
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ==== deleting a session, or all that an application holds of a user ============================================= */

/* The events, the state and the row of one session. */
static void queue_delete(aci_tx *tx, const aci_session_name *name, int64_t num)
{
    ACI_SESSION_ASK(tx, ACI_STATEMENT_EVENTS_CLEAR, NULL, NULL, ACI_TEXT(name->app), ACI_INT(num));
    aci_statement_add(tx, ACI_STATEMENT_STATE_CLEAR, NULL, NULL);
    aci_statement_scope(tx, name, AGENTCHAT_SCOPE_SESSION);
    ACI_SESSION_ASK(tx, ACI_STATEMENT_SESSION_DELETE, NULL, NULL, ACI_NAMES(name));
}

/* ---- one session ---------------------------------------------------------------------------------------------- */

typedef struct deletion {
    aci_session_name name;
    int64_t num;
    bool found;
    /* ---- what an attempt has deleted whose answer may be lost ---- */
    bool tried;
    int64_t tried_num;
} deletion;

/* Nothing else of the row counts: what is damaged can be deleted too. */
static agentchat_status load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    deletion *d = user;

    d->found = true;
    return aci_transact_column_integer(columns, count, 3, &d->num, err);
}

static agentchat_status delete_session(aci_tx *tx, void *user, agentchat_error *err)
{
    deletion *d = user;
    agentchat_status status;

    d->found = false;
    ACI_SESSION_ASK(tx, ACI_STATEMENT_SESSION_LOCK, load_number, d, ACI_NAMES(&d->name));
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    if (tx->repeated && d->tried && (!d->found || d->num != d->tried_num))
        return AGENTCHAT_OK; /* that attempt has done it; what is there now is another session */
    if (!d->found)
        return aci_name_fail_no_session(&d->name, err);
    d->tried = true;
    d->tried_num = d->num;
    queue_delete(tx, &d->name, d->num);
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_session_delete(agentchat_store *store, const agentchat_session_id *who, agentchat_error *err)
{
    deletion d;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&d, 0, sizeof d);
    status = aci_session_name_load(who, true, &d.name, err);
    return status < 0 ? status : aci_transact(store, true, delete_session, &d, err);
}

/* ---- a user --------------------------------------------------------------------------------------------------- */

typedef struct found_session {
    agentchat_str id;
    int64_t num;
} found_session;

typedef struct user_deletion {
    const agentchat_env *env;
    aci_session_name name;
    aci_arena *arena;
    found_session *sessions;
    size_t count, cap;
    uint64_t done; /* of an attempt whose answer was lost */
} user_deletion;

static agentchat_status load_session(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    user_deletion *d = user;
    void *sessions = d->sessions;
    agentchat_str id;
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &id, err);

    if (status < 0)
        return status;
    if (!aci_grow(d->env, &sessions, &d->cap, d->count, sizeof(*d->sessions)))
        return aci_fail_nomem(err);
    d->sessions = sessions;
    d->sessions[d->count].id = aci_arena_copy(d->arena, id, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    return aci_transact_column_integer(columns, count, 1, &d->sessions[d->count++].num, err);
}

static void queue_sessions(user_deletion *d, aci_tx *tx)
{
    d->count = 0;
    ACI_SESSION_ASK(tx, ACI_STATEMENT_SESSION_NUMBERS, load_session, d, ACI_TEXT(d->name.app), ACI_TEXT(d->name.user));
}

/* Locks everything of the user. While this waits for somebody who makes a session (with state of the user's, or from a
   session as a copy), that one stays unseen; so it looks again until there is no new one: what it holds cannot go, and
   nobody can copy it. */
static agentchat_status hold_all(user_deletion *d, aci_tx *tx, agentchat_error *err)
{
    size_t before;
    agentchat_status status;

    queue_sessions(d, tx);
    /* Whoever changes the user's state holds its scope, so nobody adds anything afterwards to what is deleted. */
    aci_load_ask_scope(tx, ACI_STATEMENT_SCOPE_HOLD, &d->name, AGENTCHAT_SCOPE_USER, NULL);
    status = aci_transact_run(tx, false, err);
    do {
        before = d->count;
        if (status >= 0) {
            queue_sessions(d, tx);
            status = aci_transact_run(tx, false, err);
        }
    } while (status >= 0 && d->count != before);
    return status;
}

static agentchat_status delete_user(aci_tx *tx, void *user, agentchat_error *err)
{
    user_deletion *d = user;
    agentchat_status status;

    d->done = tx->repeated && d->count > d->done ? d->count : d->done;
    status = hold_all(d, tx, err);
    if (status < 0)
        return status;
    for (size_t i = 0; i < d->count; i++) {
        aci_session_name name = {d->name.app, d->name.user, d->sessions[i].id};

        queue_delete(tx, &name, d->sessions[i].num);
    }
    aci_statement_add(tx, ACI_STATEMENT_STATE_CLEAR, NULL, NULL);
    aci_statement_scope(tx, &d->name, AGENTCHAT_SCOPE_USER);
    ACI_SESSION_ASK(tx, ACI_STATEMENT_SCOPE_DELETE, NULL, NULL, ACI_TEXT(d->name.app), ACI_TEXT(d->name.user));
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_user_delete(agentchat_store *store, const char *app, const char *user, uint64_t *sessions,
                                       agentchat_error *err)
{
    user_deletion d;
    agentchat_status status;

    agentchat_error_clear(err);
    if (sessions != NULL)
        *sessions = 0;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&d, 0, sizeof d);
    status = aci_session_name_load(&(agentchat_session_id){app, user, NULL}, false, &d.name, err);
    if (status < 0)
        return status;
    d.env = store->env;
    d.arena = aci_arena_new(d.env, 0);
    status = d.arena != NULL ? aci_transact(store, true, delete_user, &d, err) : aci_fail_nomem(err);
    if (status >= 0 && sessions != NULL)
        *sessions = d.count > d.done ? d.count : d.done;
    aci_free(d.env, d.sessions, d.cap * sizeof(*d.sessions));
    aci_arena_unref(d.arena);
    return status;
}
