/* SPDX-License-Identifier: Apache-2.0 */
/* State of an application or a user without a session. Layer 5. */
#include "session/session.h"

#include "base/error.h"
#include <string.h>

typedef struct scope_reading {
    const agentchat_env *env;
    aci_session_name name; /* user: absent for the application alone */
    agentchat_state *state, *revisions;
    aci_scope_loader loaders[2];
} scope_reading;

static agentchat_status read_scopes(aci_tx *tx, void *user, agentchat_error *err)
{
    scope_reading *s = user;
    int scopes = s->name.user.ptr != NULL ? 2 : 1;

    agentchat_state_free(s->state);
    agentchat_state_free(s->revisions);
    s->state = agentchat_state_new(s->env);
    s->revisions = agentchat_state_new(s->env);
    if (s->state == NULL || s->revisions == NULL)
        return aci_fail_nomem(err);
    for (int i = 0; i < scopes; i++) {
        s->loaders[i].scope = i == 0 ? AGENTCHAT_SCOPE_APP : AGENTCHAT_SCOPE_USER;
        s->loaders[i].state = s->state;
        s->loaders[i].revisions = s->revisions;
        aci_queue(tx, ACI_SQL_STATE, aci_load_state, &s->loaders[i]);
        aci_queue_scope(tx, &s->name, s->loaders[i].scope);
    }
    return aci_tx_run(tx, true, err);
}

agentchat_status agentchat_scope_state(agentchat_store *store, const char *app, const char *user, agentchat_state **out,
                                       agentchat_error *err)
{
    scope_reading s;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "out must not be NULL");
    *out = NULL;
    memset(&s, 0, sizeof s);
    status = aci_session_name_check(store, app, user != NULL ? user : "-", NULL, false, &s.name, err);
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
