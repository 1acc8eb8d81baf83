/* SPDX-License-Identifier: Apache-2.0 */
/* Making a session. Layer 5. */
#include "session/session.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

typedef struct creation {
    agentchat_store *store;
    const agentchat_env *env;
    aci_session_name name;
    const agentchat_state *initial;
    bool has_app, has_user;
    aci_loaded_row there; /* the session of that name */
    bool again;           /* it was made by an attempt whose answer was lost */
    int64_t num;
    aci_view view;
    aci_scope_loader loaders[2];
} creation;

static void queue_first(creation *c, aci_tx *tx)
{
    agentchat_str none = AGENTCHAT_STR("");

    aci_queue(tx, ACI_SQL_SESSION_INSERT, NULL, NULL);
    aci_queue_name(tx, &c->name);
    aci_tx_integer(tx, c->num);
    aci_tx_integer(tx, 0);
    aci_tx_integer(tx, 0);
    aci_tx_integer(tx, c->view.row.created_us);
    aci_tx_integer(tx, c->view.row.created_us);
    aci_queue(tx, ACI_SQL_SESSION, aci_load_row, &c->there);
    aci_queue_name(tx, &c->name);
    aci_queue(tx, c->has_app ? ACI_SQL_SCOPE_RAISE : ACI_SQL_SCOPE, aci_load_revision, &c->view.app_revision);
    aci_tx_text(tx, c->name.app);
    aci_tx_text(tx, none);
    aci_queue(tx, c->has_user ? ACI_SQL_SCOPE_RAISE : ACI_SQL_SCOPE, aci_load_revision, &c->view.user_revision);
    aci_tx_text(tx, c->name.app);
    aci_tx_text(tx, c->name.user);
    for (int i = 0; i < 2; i++) {
        c->loaders[i].scope = i == 0 ? AGENTCHAT_SCOPE_APP : AGENTCHAT_SCOPE_USER;
        c->loaders[i].state = c->view.state;
        c->loaders[i].revisions = c->view.revisions;
        aci_queue(tx, ACI_SQL_STATE, aci_load_state, &c->loaders[i]);
        aci_queue_scope(tx, &c->name, c->loaders[i].scope);
    }
}

static int64_t revision_of(const creation *c, agentchat_scope scope)
{
    switch (scope) {
    case AGENTCHAT_SCOPE_APP:
        return c->view.app_revision;
    case AGENTCHAT_SCOPE_USER:
        return c->view.user_revision;
    case AGENTCHAT_SCOPE_SESSION:
        return c->view.row.seq + 1;
    case AGENTCHAT_SCOPE_TEMP:
    case AGENTCHAT_SCOPE_MAX_:
        break;
    }
    return 0;
}

/* The initial state goes to the store and into the view, behind what is there. */
static agentchat_status put_initial(creation *c, aci_tx *tx, agentchat_error *err)
{
    agentchat_str key, value;

    for (size_t at = 0; agentchat_state_next(c->initial, &at, &key, &value);) {
        agentchat_str rest;
        agentchat_scope scope = agentchat_key_scope(key, &rest);

        if (scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        aci_queue_put(tx, &c->name, scope, rest, value, revision_of(c, scope));
        if (!aci_state_put(c->view.state, key, value) ||
            !aci_revision_put(c->view.revisions, key, revision_of(c, scope)))
            return aci_fail_nomem(err);
    }
    return AGENTCHAT_OK;
}

static agentchat_status fail_exists(const aci_session_name *name, agentchat_error *err)
{
    aci_excerpt app, user, id;

    return aci_fail(err, AGENTCHAT_E_EXISTS, "application %s, user %s: there is a session %s already",
                    aci_excerpt_of(name->app, &app), aci_excerpt_of(name->user, &user), aci_excerpt_of(name->id, &id));
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
    c->view.row.num = c->num;
    memset(&c->there, 0, sizeof c->there);
    queue_first(c, tx);
    status = aci_tx_run(tx, false, err);
    if (status < 0)
        return status;
    if (aci_tx_changed(tx, 0) == 0) {
        c->again = tx->repeated && c->there.found && c->there.row.num == c->num;
        if (!c->there.found)
            return aci_fail(err, AGENTCHAT_E_INTERNAL, "the environment's random bytes repeat");
        return c->again ? AGENTCHAT_OK : fail_exists(&c->name, err);
    }
    if (c->has_app)
        aci_queue_raised(tx, &c->name, AGENTCHAT_SCOPE_APP, c->view.app_revision);
    if (c->has_user)
        aci_queue_raised(tx, &c->name, AGENTCHAT_SCOPE_USER, c->view.user_revision);
    status = put_initial(c, tx, err);
    return status < 0 ? status : aci_tx_run(tx, true, err);
}

static void note_scopes(creation *c)
{
    agentchat_str key;

    for (size_t at = 0; agentchat_state_next(c->initial, &at, &key, NULL);) {
        agentchat_scope scope = agentchat_key_scope(key, NULL);

        c->has_app = c->has_app || scope == AGENTCHAT_SCOPE_APP;
        c->has_user = c->has_user || scope == AGENTCHAT_SCOPE_USER;
    }
}

agentchat_status agentchat_session_create(agentchat_store *store, const char *app, const char *user, const char *id,
                                          const agentchat_state *initial, agentchat_session **out, agentchat_error *err)
{
    agentchat_session *session = NULL;
    char made[ACI_ID_LEN + 1];
    agentchat_status status;
    aci_view nothing;
    creation c;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "out must not be NULL");
    *out = NULL;
    memset(&c, 0, sizeof c);
    memset(&nothing, 0, sizeof nothing);
    status = aci_session_name_check(store, app, user, id, false, &c.name, err);
    if (status < 0)
        return status;
    c.store = store;
    c.env = store->env;
    c.initial = initial;
    if (id == NULL) {
        status = aci_id_new(c.env, made, err);
        c.name.id = agentchat_str_from(made);
    }
    if (status >= 0)
        status = aci_session_number(c.env, &c.num, err);
    if (status < 0)
        return status;
    note_scopes(&c);
    session = aci_session_new(store, &c.name, true, &nothing); /* first, so that nothing can fail behind the commit */
    status = session != NULL ? aci_transact(store, true, create, &c, err) : aci_fail_nomem(err);
    if (status >= 0 && c.again) {
        status = agentchat_session_get(store, app, user, c.name.id.ptr, NULL, out, err);
    } else if (status >= 0) {
        session->view = c.view;
        memset(&c.view, 0, sizeof c.view);
        *out = session;
        session = NULL;
    }
    agentchat_session_free(session);
    aci_view_clear(&c.view, c.env);
    return status < 0 ? status : AGENTCHAT_OK;
}
