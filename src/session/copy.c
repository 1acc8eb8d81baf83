/* SPDX-License-Identifier: Apache-2.0 */
/* Copying a session: the database copies the rows, nothing of them travels. Layer 5. */
#include "session/session.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

typedef struct copying {
    const agentchat_env *env;
    aci_session_name from, to;
    aci_loaded_row source, there;
    int64_t num;
} copying;

static agentchat_status look(copying *c, aci_tx *tx, agentchat_error *err)
{
    memset(&c->source, 0, sizeof c->source);
    memset(&c->there, 0, sizeof c->there);
    aci_queue(tx, ACI_SQL_SESSION_LOCK, aci_load_row, &c->source);
    aci_queue_name(tx, &c->from);
    aci_queue(tx, ACI_SQL_SESSION, aci_load_row, &c->there);
    aci_queue_name(tx, &c->to);
    return aci_tx_run(tx, false, err);
}

static void queue_copy(copying *c, aci_tx *tx)
{
    int64_t now = aci_now_us(c->env);

    aci_queue(tx, ACI_SQL_SESSION_INSERT, NULL, NULL);
    aci_queue_name(tx, &c->to);
    aci_tx_integer(tx, c->num);
    aci_tx_integer(tx, c->source.row.seq);
    aci_tx_integer(tx, c->source.row.rewinds);
    aci_tx_integer(tx, now);
    aci_tx_integer(tx, now);
}

static agentchat_status copy(aci_tx *tx, void *user, agentchat_error *err)
{
    copying *c = user;
    agentchat_status status = look(c, tx, err);
    aci_excerpt excerpt;

    if (status < 0)
        return status;
    if (c->there.found && tx->repeated && c->there.row.num == c->num)
        return AGENTCHAT_OK; /* an attempt whose answer was lost has done it */
    if (!c->source.found)
        return aci_fail_no_session(&c->from, err);
    queue_copy(c, tx);
    status = aci_tx_run(tx, false, err);
    if (status < 0)
        return status;
    if (aci_tx_changed(tx, 0) == 0)
        return aci_fail(err, AGENTCHAT_E_EXISTS, "there is a session %s already", aci_excerpt_of(c->to.id, &excerpt));
    aci_queue(tx, ACI_SQL_EVENTS_COPY, NULL, NULL);
    aci_tx_integer(tx, c->num);
    aci_tx_text(tx, c->from.app);
    aci_tx_integer(tx, c->source.row.num);
    aci_queue(tx, ACI_SQL_STATE_COPY, NULL, NULL);
    aci_tx_text(tx, c->to.id);
    aci_queue_name(tx, &c->from);
    return aci_tx_run(tx, true, err);
}

agentchat_status agentchat_session_copy(agentchat_store *store, const char *app, const char *user, const char *id,
                                        const char *new_id, agentchat_bytes *made, agentchat_error *err)
{
    char generated[ACI_ID_LEN + 1];
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
        status = aci_session_name_check(store, app, user, new_id, true, &c.to, err);
    if (status < 0)
        return status;
    c.env = store->env;
    status = aci_session_number(c.env, &c.num, err);
    if (status >= 0 && made != NULL) /* first, so that nothing can fail behind the copy */
        status = aci_bytes_append(made, c.env, c.to.id, err);
    if (status < 0)
        return status;
    status = aci_transact(store, true, copy, &c, err);
    if (status < 0 && made != NULL)
        made->ptr[made->len -= c.to.id.len] = '\0';
    return status;
}
