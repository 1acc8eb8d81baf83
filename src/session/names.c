/* SPDX-License-Identifier: Apache-2.0 */
/* Names, numbers and times of sessions; taking a name for a new one. */
#include "session/session_internal.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

/* ==== names, numbers and times of sessions ======================================================================= */

agentchat_status aci_session_name_load(const agentchat_session_id *who, bool needs_id, aci_session_name *out,
                                       agentchat_error *err)
{
    agentchat_status status;

    if (who == NULL)
        return aci_fail_null(err, "who");
    *out = (aci_session_name){agentchat_str_from(who->app), agentchat_str_from(who->user), agentchat_str_from(who->id)};
    status = aci_label_check(out->app, "application", err);
    if (status >= 0)
        status = aci_label_check(out->user, "user", err);
    if (status >= 0 && (needs_id || who->id != NULL))
        status = aci_label_check(out->id, "session id", err);
    return status;
}

agentchat_status agentchat_session_id_check(const agentchat_session_id *who, agentchat_error *err)
{
    aci_session_name name;

    agentchat_error_clear(err);
    return aci_session_name_load(who, false, &name, err);
}

agentchat_status aci_session_number(const agentchat_env *env, int64_t *out, agentchat_error *err)
{
    uint64_t bits = 0;

    if (env->random(env->user, &bits, sizeof bits) != 0)
        return aci_fail(err, AGENTCHAT_E_INTERNAL, "there are no random bytes for a session's number");
    *out = (int64_t)(bits >> 1);
    return AGENTCHAT_OK;
}

agentchat_status aci_name_fail_no_session(const aci_session_name *name, agentchat_error *err)
{
    aci_excerpt app, user, id;

    return aci_fail(err, AGENTCHAT_E_NOTFOUND, "application %s, user %s: there is no session %s",
                    aci_error_excerpt(name->app, &app), aci_error_excerpt(name->user, &user),
                    aci_error_excerpt(name->id, &id));
}

agentchat_status aci_name_damage(agentchat_status status, const aci_session_name *name, agentchat_error *err)
{
    aci_excerpt app, user, id;

    if (status == AGENTCHAT_E_CORRUPT)
        aci_error_prefix(err, "session %s/%s/%s", aci_error_excerpt(name->app, &app),
                         aci_error_excerpt(name->user, &user), aci_error_excerpt(name->id, &id));
    return status;
}

int64_t aci_name_write_time(const agentchat_env *env, int64_t last)
{
    int64_t now = aci_now_us(env);

    return now > last ? now : last;
}

/* ==== taking a name for a new session: one that is created, copied or imported =================================== */

enum { MOST_VANISHED = 10 };

void aci_name_claim_look(aci_name_claim *claim, aci_tx *tx)
{
    aci_load_ask_session(tx, ACI_STATEMENT_SESSION, &claim->name, &claim->there);
}

void aci_name_claim_add(aci_name_claim *claim, aci_tx *tx, const aci_session_row *row)
{
    aci_session_row made = *row;

    made.app = claim->name.app;
    made.user = claim->name.user;
    made.id = claim->name.id;
    made.num = claim->num;
    aci_statement_add(tx, ACI_STATEMENT_SESSION_INSERT, NULL, NULL);
    aci_table_bind(tx, &aci_session_table, &made);
    aci_name_claim_look(claim, tx);
}

bool aci_name_claim_was_made(const aci_name_claim *claim, const aci_tx *tx)
{
    return tx->repeated && claim->there.found && claim->there.row.num == claim->num;
}

static agentchat_status fail_exists(const aci_session_name *name, agentchat_error *err)
{
    aci_excerpt app, user, id;

    return aci_fail(err, AGENTCHAT_E_EXISTS, "application %s, user %s: there is a session %s already",
                    aci_error_excerpt(name->app, &app), aci_error_excerpt(name->user, &user),
                    aci_error_excerpt(name->id, &id));
}

/* The row could not be entered, yet nobody has the name: on PostgreSQL the session that had it may have been deleted in
   between, and else it is the number that some session has. */
static agentchat_status fail_vanished(aci_name_claim *claim, aci_tx *tx, agentchat_error *err)
{
    aci_excerpt id;

    if (++claim->vanished > MOST_VANISHED)
        return aci_fail(err, AGENTCHAT_E_INTERNAL, "the environment's random bytes repeat");
    tx->outcome = ACI_SQL_TRANSIENT;
    return aci_fail(err, AGENTCHAT_E_BUSY, "others make and delete the session %s at this moment",
                    aci_error_excerpt(claim->name.id, &id));
}

agentchat_status aci_name_claim_check(aci_name_claim *claim, aci_tx *tx, agentchat_error *err)
{
    if (aci_transact_changed(tx, 0) > 0)
        return AGENTCHAT_OK;
    if (aci_name_claim_was_made(claim, tx))
        return AGENTCHAT_DONE;
    return claim->there.found ? fail_exists(&claim->name, err) : fail_vanished(claim, tx, err);
}
