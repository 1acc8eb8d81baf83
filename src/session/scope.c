/* SPDX-License-Identifier: Apache-2.0 */
/* The scopes of state: which a state has, their revisions, what of a handle is stored, reading them without a session.
 */
#include "session/session.h"

#include "base/error.h"
#include <string.h>

void aci_scope_note(const agentchat_state *state, bool *has_app, bool *has_user)
{
    agentchat_str key;

    for (size_t at = 0; aci_state_next(state, &at, &key, NULL);) {
        agentchat_scope scope = aci_key_scope(key, NULL);

        *has_app = *has_app || scope == AGENTCHAT_SCOPE_APP;
        *has_user = *has_user || scope == AGENTCHAT_SCOPE_USER;
    }
}

int64_t aci_scope_revision_of(agentchat_scope scope, int64_t app, int64_t user, int64_t own)
{
    switch (scope) {
    case AGENTCHAT_SCOPE_APP:
        return app;
    case AGENTCHAT_SCOPE_USER:
        return user;
    case AGENTCHAT_SCOPE_SESSION:
        return own;
    case AGENTCHAT_SCOPE_TEMP:
    case AGENTCHAT_SCOPE_MAX_:
        break;
    }
    return 0;
}

agentchat_state *aci_scope_copy_stored(const agentchat_session *session, bool own_only)
{
    agentchat_state *copy = aci_state_new(session->env);
    agentchat_str key, value;

    for (size_t at = 0; copy != NULL && aci_state_next(session->view.state, &at, &key, &value);) {
        agentchat_scope scope = aci_key_scope(key, NULL);

        if (scope == AGENTCHAT_SCOPE_TEMP || (own_only && scope != AGENTCHAT_SCOPE_SESSION))
            continue;
        if (!aci_state_put(copy, key, value)) {
            agentchat_state_free(copy);
            return NULL;
        }
    }
    return copy;
}

agentchat_status aci_scope_check_keys(const aci_scope_loader *read, const aci_scope_row *row, agentchat_error *err)
{
    return row->is_summed ? aci_sums_check_keys(read->keys, row->keys, read->scope, err) : AGENTCHAT_OK;
}

/* ---- without a session ---------------------------------------------------------------------------------------- */

typedef struct scope_reading {
    const agentchat_env *env;
    aci_session_name name; /* user: absent for the application alone */
    agentchat_state *state, *revisions;
    aci_scope_row rows[2];
    aci_scope_loader loaders[2];
} scope_reading;

static agentchat_status read_scopes(aci_tx *tx, void *user, agentchat_error *err)
{
    scope_reading *s = user;
    int scopes = s->name.user.ptr != NULL ? 2 : 1;
    agentchat_status status;

    agentchat_state_free(s->state);
    agentchat_state_free(s->revisions);
    s->state = aci_state_new(s->env);
    s->revisions = aci_state_new(s->env);
    if (s->state == NULL || s->revisions == NULL)
        return aci_fail_nomem(err);
    for (int i = 0; i < scopes; i++) {
        agentchat_scope scope = i == 0 ? AGENTCHAT_SCOPE_APP : AGENTCHAT_SCOPE_USER;

        s->loaders[i] = (aci_scope_loader){.scope = scope, .state = s->state, .revisions = s->revisions};
        aci_load_ask_scope(tx, ACI_STATEMENT_SCOPE, &s->name, scope, &s->rows[i]);
        aci_statement_add(tx, ACI_STATEMENT_STATE, aci_load_state, &s->loaders[i]);
        aci_statement_scope(tx, &s->name, scope);
    }
    status = aci_transact_run(tx, true, err);
    for (int i = 0; i < scopes && status >= 0; i++)
        status = aci_scope_check_keys(&s->loaders[i], &s->rows[i], err);
    return status;
}

agentchat_status agentchat_scope_state(agentchat_store *store, const char *app, const char *user, agentchat_state **out,
                                       agentchat_error *err)
{
    scope_reading s;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&s, 0, sizeof s);
    status = aci_session_name_load(&(agentchat_session_id){app, user != NULL ? user : "-", NULL}, false, &s.name, err);
    if (status < 0)
        return status;
    s.env = store->env;
    s.name.user = agentchat_str_from(user);
    status = aci_transact(store, false, read_scopes, &s, err);
    if (status >= 0) {
        *out = s.state;
        s.state = NULL;
    }
    agentchat_state_free(s.state);
    agentchat_state_free(s.revisions);
    return status;
}
