/* SPDX-License-Identifier: Apache-2.0 */
/* Making a session. */
#include "session/session.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

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

/* The checksum of the initial keys is the row's. */
static agentchat_status sum_initial(creation *c, agentchat_error *err)
{
    agentchat_str key, value, rest;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t at = 0; status >= 0 && aci_state_next(c->initial, &at, &key, &value);) {
        if (aci_key_scope(key, &rest) == AGENTCHAT_SCOPE_SESSION)
            status = aci_sums_toggle_key(&c->view.row.keys, rest, value, c->view.row.seq + 1, err);
    }
    return status;
}

static agentchat_status queue_first(creation *c, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status = sum_initial(c, err);

    if (status >= 0)
        status = aci_name_claim_add(&c->claim, tx, &c->view.row, err);
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
    return status;
}

/* On PostgreSQL, others may have changed a scope that is not held between its row and its keys. */
static agentchat_status check_scopes(const creation *c, const aci_tx *tx, agentchat_error *err)
{
    bool alone = tx->store->driver->dialect == ACI_SQL_SQLITE;
    agentchat_status status = AGENTCHAT_OK;

    if (alone || c->has_app)
        status = aci_scope_check_keys(&c->loaders[0], &c->app, err);
    return status >= 0 && (alone || c->has_user) ? aci_scope_check_keys(&c->loaders[1], &c->user, err) : status;
}

/* The checksum of a wider scope's keys, of which one replaces what the view shows. */
static agentchat_status sum_change(creation *c, agentchat_scope scope, agentchat_str key, agentchat_str rest,
                                   agentchat_str value, int64_t revision, agentchat_error *err)
{
    int64_t *keys = scope == AGENTCHAT_SCOPE_APP ? &c->app.keys : &c->user.keys;
    agentchat_status status;

    if (scope == AGENTCHAT_SCOPE_SESSION)
        return AGENTCHAT_OK;
    status = aci_sums_toggle_key(keys, rest, aci_state_find(c->view.state, key),
                                 aci_load_revision_find(c->view.revisions, key), err);
    return status < 0 ? status : aci_sums_toggle_key(keys, rest, value, revision, err);
}

/* The initial state goes to the store and into the view, after what is there. */
static agentchat_status put_initial(creation *c, aci_tx *tx, agentchat_error *err)
{
    agentchat_str key, value;
    agentchat_status status;

    for (size_t at = 0; aci_state_next(c->initial, &at, &key, &value);) {
        agentchat_str rest;
        agentchat_scope scope = aci_key_scope(key, &rest);
        int64_t revision =
            aci_scope_revision_of(scope, c->view.app_revision, c->view.user_revision, c->view.row.seq + 1);

        if (scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        aci_statement_add_put(tx, &c->claim.name, scope, rest, value, revision);
        status = sum_change(c, scope, key, rest, value, revision, err);
        if (status < 0)
            return status;
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
    c->view.row.num = c->claim.num;
    c->view.row.is_summed = true;
    status = queue_first(c, tx, err);
    if (status >= 0)
        status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = aci_name_claim_check(&c->claim, tx, err);
    if (status == AGENTCHAT_OK)
        status = check_scopes(c, tx, err);
    if (status != AGENTCHAT_OK)
        return status;
    c->view.app_revision = c->app.revision += c->has_app ? 1 : 0;
    c->view.user_revision = c->user.revision += c->has_user ? 1 : 0;
    status = put_initial(c, tx, err);
    if (status >= 0 && c->has_app)
        status = aci_statement_add_scope(tx, &c->app, err);
    if (status >= 0 && c->has_user)
        status = aci_statement_add_scope(tx, &c->user, err);
    if (status < 0)
        return status;
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
