/* SPDX-License-Identifier: Apache-2.0 */
/* Copying a session: the database copies the rows, nothing of them travels. */
#include "session/session.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

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
    made = c->source.row; /* the checksums of its events and keys among it, which are the same */
    made.created_us = made.updated_us = aci_now_us(c->env);
    status = aci_name_claim_add(&c->to, tx, &made, err);
    if (status >= 0)
        status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = aci_name_claim_check(&c->to, tx, err);
    if (status != AGENTCHAT_OK)
        return status;
    aci_statement_add(tx, ACI_STATEMENT_EVENTS_COPY, NULL, NULL);
    aci_transact_integer(tx, c->to.num);
    aci_transact_text(tx, c->from.app);
    aci_transact_integer(tx, c->source.row.num);
    aci_statement_add(tx, ACI_STATEMENT_STATE_COPY, NULL, NULL);
    aci_transact_text(tx, c->to.name.id);
    aci_statement_name(tx, &c->from);
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
    call = aci_call_begin(store, true); /* the database copies all events by one statement */
    status = aci_name_damage(aci_transact_in(store, &call, true, copy, &c, err), &c.from, err);
    if (status < 0 && made != NULL)
        made->ptr[made->len -= c.to.name.id.len] = '\0';
    return status < 0 ? status : AGENTCHAT_OK;
}
