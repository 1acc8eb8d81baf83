/* SPDX-License-Identifier: Apache-2.0 */
/* Taking a name for a new session: one that is created, copied or imported. */
#include "session/session.h"

#include "base/error.h"
#include <string.h>

enum { MOST_VANISHED = 10 };

void aci_name_claim_look(aci_name_claim *claim, aci_tx *tx)
{
    aci_load_ask_session(tx, ACI_STATEMENT_SESSION, &claim->name, &claim->there);
}

agentchat_status aci_name_claim_add(aci_name_claim *claim, aci_tx *tx, const aci_session_row *row, agentchat_error *err)
{
    aci_session_row made = *row;
    int64_t sum = 0;
    agentchat_status status;

    made.num = claim->num;
    status = made.is_summed ? aci_sums_of_session(&claim->name, &made, &sum, err) : AGENTCHAT_OK;
    aci_statement_add(tx, ACI_STATEMENT_SESSION_INSERT, NULL, NULL);
    aci_statement_name(tx, &claim->name);
    aci_transact_integer(tx, made.num);
    aci_transact_integer(tx, made.seq);
    aci_transact_integer(tx, made.rewinds);
    aci_transact_integer(tx, made.created_us);
    aci_transact_integer(tx, made.updated_us);
    aci_statement_optional(tx, made.is_summed, made.last);
    aci_statement_optional(tx, made.is_summed, made.keys);
    aci_statement_optional(tx, made.is_summed, sum);
    aci_name_claim_look(claim, tx);
    return status;
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
