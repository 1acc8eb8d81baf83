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
    aci_view view; /* of the attempt under way */
    aci_view made; /* of the attempt that came to its end last: it has made the session, if any has */
    aci_scope_loader loaders[2];
} creation;

static void queue_first(creation *c, aci_tx *tx)
{
    aci_name_claim_add(&c->claim, tx, 0, 0, c->view.row.created_us);
    aci_statement_add_revision(tx, c->has_app ? ACI_STATEMENT_SCOPE_RAISE : ACI_STATEMENT_SCOPE, &c->claim.name,
                               AGENTCHAT_SCOPE_APP, &c->view.app_revision);
    aci_statement_add_revision(tx, c->has_user ? ACI_STATEMENT_SCOPE_RAISE : ACI_STATEMENT_SCOPE, &c->claim.name,
                               AGENTCHAT_SCOPE_USER, &c->view.user_revision);
    for (int i = 0; i < 2; i++) {
        c->loaders[i].scope = i == 0 ? AGENTCHAT_SCOPE_APP : AGENTCHAT_SCOPE_USER;
        c->loaders[i].state = c->view.state;
        c->loaders[i].revisions = c->view.revisions;
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
    c->view.row.num = c->claim.num;
    queue_first(c, tx);
    status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = aci_name_claim_check(&c->claim, tx, err);
    if (status != AGENTCHAT_OK)
        return status;
    if (c->has_app)
        aci_statement_add_raised(tx, &c->claim.name, AGENTCHAT_SCOPE_APP, c->view.app_revision);
    if (c->has_user)
        aci_statement_add_raised(tx, &c->claim.name, AGENTCHAT_SCOPE_USER, c->view.user_revision);
    status = put_initial(c, tx, err);
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
    status = session != NULL ? aci_transact(store, true, create, &c, err) : aci_fail_nomem(err);
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
