/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting a session, or all that an application holds of a user. */
#include "session/session.h"

#include "base/error.h"
#include <string.h>

/* The events, the state and the row of one session. */
static void queue_delete(aci_tx *tx, const aci_session_name *name, int64_t num)
{
    aci_statement_add(tx, ACI_STATEMENT_EVENTS_CLEAR, NULL, NULL);
    aci_transact_text(tx, name->app);
    aci_transact_integer(tx, num);
    aci_statement_add(tx, ACI_STATEMENT_STATE_CLEAR, NULL, NULL);
    aci_statement_scope(tx, name, AGENTCHAT_SCOPE_SESSION);
    aci_statement_add(tx, ACI_STATEMENT_SESSION_DELETE, NULL, NULL);
    aci_statement_name(tx, name);
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
    return aci_transact_column_integer(columns, count, 0, &d->num, err);
}

static agentchat_status delete_session(aci_tx *tx, void *user, agentchat_error *err)
{
    deletion *d = user;
    agentchat_status status;

    d->found = false;
    aci_statement_add(tx, ACI_STATEMENT_SESSION_LOCK, load_number, d);
    aci_statement_name(tx, &d->name);
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
    aci_statement_add(tx, ACI_STATEMENT_SESSION_NUMBERS, load_session, d);
    aci_transact_text(tx, d->name.app);
    aci_transact_text(tx, d->name.user);
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
    aci_statement_add(tx, ACI_STATEMENT_SCOPE_DELETE, NULL, NULL);
    aci_transact_text(tx, d->name.app);
    aci_transact_text(tx, d->name.user);
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
