/* SPDX-License-Identifier: Apache-2.0 */
/* Invocations, in which `temp:` keys live. */
#include "session/session.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

agentchat_status agentchat_invocation_begin(agentchat_session *session, const char *id, agentchat_error *err)
{
    char made[ACI_ID_LEN + 1];
    agentchat_status status = AGENTCHAT_OK;

    agentchat_error_clear(err);
    if (session == NULL)
        return aci_fail_null(err, "session");
    if (session->invocation != NULL)
        return aci_fail(err, AGENTCHAT_E_BUSY, "an invocation is under way on this handle");
    if (id == NULL) {
        status = aci_id_new(session->env, made, err);
        id = made;
    } else {
        status = aci_label_check(agentchat_str_from(id), "invocation id", err);
    }
    if (status < 0)
        return status;
    session->invocation = aci_strdup(session->env, agentchat_str_from(id));
    if (session->invocation == NULL)
        return aci_fail_nomem(err);
    session->invocation_len = strlen(id);
    return AGENTCHAT_OK;
}

/* Taking keys out may move the others together, so that some are passed over; few passes find them all. */
static void drop_temporary(agentchat_state *state)
{
    bool found = true;

    while (found) {
        agentchat_str key;

        found = false;
        for (size_t at = 0; aci_state_next(state, &at, &key, NULL);) {
            if (aci_key_scope(key, NULL) == AGENTCHAT_SCOPE_TEMP)
                found = aci_state_remove(state, key);
        }
    }
}

void agentchat_invocation_end(agentchat_session *session)
{
    if (session == NULL || session->invocation == NULL)
        return;
    drop_temporary(session->view.state);
    aci_free(session->env, session->invocation, session->invocation_len + 1);
    session->invocation = NULL;
}

const char *agentchat_invocation_id(const agentchat_session *session)
{
    return session != NULL ? session->invocation : NULL;
}
