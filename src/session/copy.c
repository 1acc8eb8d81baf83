/* SPDX-License-Identifier: Apache-2.0 */
/* Copying a session: the database copies the rows, nothing of them travels. Layer 5. */
#include "session/session.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

typedef struct copying {
    const agentchat_env *env;
    aci_session_name from;
    aci_claim to;
    aci_loaded_row source;
} copying;

static agentchat_status look(copying *c, aci_tx *tx, agentchat_error *err)
{
    memset(&c->source, 0, sizeof c->source);
    aci_queue(tx, ACI_SQL_SESSION_LOCK, aci_load_row, &c->source);
    aci_queue_name(tx, &c->from);
    aci_claim_look(&c->to, tx);
    return aci_tx_run(tx, false, err);
}

static agentchat_status copy(aci_tx *tx, void *user, agentchat_error *err)
{
    copying *c = user;
    agentchat_status status = look(c, tx, err);

    if (status < 0)
        return status;
    if (aci_claim_was_made(&c->to, tx))
        return AGENTCHAT_OK;
    if (!c->source.found)
        return aci_fail_no_session(&c->from, err);
    aci_claim_queue(&c->to, tx, c->source.row.seq, c->source.row.rewinds, aci_now_us(c->env));
    status = aci_tx_run(tx, false, err);
    if (status >= 0)
        status = aci_claim_judge(&c->to, tx, err);
    if (status != AGENTCHAT_OK)
        return status;
    aci_queue(tx, ACI_SQL_EVENTS_COPY, NULL, NULL);
    aci_tx_integer(tx, c->to.num);
    aci_tx_text(tx, c->from.app);
    aci_tx_integer(tx, c->source.row.num);
    aci_queue(tx, ACI_SQL_STATE_COPY, NULL, NULL);
    aci_tx_text(tx, c->to.name.id);
    aci_queue_name(tx, &c->from);
    return aci_tx_run(tx, true, err);
}

agentchat_status agentchat_session_copy(agentchat_store *store, const char *app, const char *user, const char *id,
                                        const char *new_id, agentchat_bytes *made, agentchat_error *err)
{
    char generated[ACI_ID_LEN + 1];
    agentchat_sql_call call;
    copying c;
    agentchat_status status;

    agentchat_error_clear(err);
    memset(&c, 0, sizeof c);
    status = aci_session_name_check(store, app, user, id, true, &c.from, err);
    if (status >= 0 && new_id == NULL) {
        status = aci_id_new(store->env, generated, err);
        new_id = generated;
    }
    if (status >= 0)
        status = aci_session_name_check(store, app, user, new_id, true, &c.to.name, err);
    if (status < 0)
        return status;
    c.env = store->env;
    status = aci_session_number(c.env, &c.to.num, err);
    if (status >= 0 && made != NULL) /* first, so that nothing can fail behind the copy */
        status = aci_bytes_append(made, c.env, c.to.name.id, err);
    if (status < 0)
        return status;
    call = aci_call_begin(store, true); /* the database copies all events by one statement */
    status = aci_transact_in(store, &call, true, copy, &c, err);
    if (status < 0 && made != NULL)
        made->ptr[made->len -= c.to.name.id.len] = '\0';
    return status < 0 ? status : AGENTCHAT_OK;
}
