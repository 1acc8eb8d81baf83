/* SPDX-License-Identifier: Apache-2.0 */
/* Taking a name for a new session: one that is made, copied or brought in. Layer 5. */
#include "session/session.h"

#include "base/error.h"
#include <string.h>

enum { MOST_VANISHED = 10 };

void aci_claim_look(aci_claim *claim, aci_tx *tx)
{
    memset(&claim->there, 0, sizeof claim->there);
    aci_queue(tx, ACI_SQL_SESSION, aci_load_row, &claim->there);
    aci_queue_name(tx, &claim->name);
}

void aci_claim_queue(aci_claim *claim, aci_tx *tx, int64_t sequence, int64_t rewinds, int64_t now_us)
{
    aci_queue(tx, ACI_SQL_SESSION_INSERT, NULL, NULL);
    aci_queue_name(tx, &claim->name);
    aci_tx_integer(tx, claim->num);
    aci_tx_integer(tx, sequence);
    aci_tx_integer(tx, rewinds);
    aci_tx_integer(tx, now_us);
    aci_tx_integer(tx, now_us);
    aci_claim_look(claim, tx);
}

bool aci_claim_was_made(const aci_claim *claim, const aci_tx *tx)
{
    return tx->repeated && claim->there.found && claim->there.row.num == claim->num;
}

static agentchat_status fail_exists(const aci_session_name *name, agentchat_error *err)
{
    aci_excerpt app, user, id;

    return aci_fail(err, AGENTCHAT_E_EXISTS, "application %s, user %s: there is a session %s already",
                    aci_excerpt_of(name->app, &app), aci_excerpt_of(name->user, &user), aci_excerpt_of(name->id, &id));
}

/* The row could not be entered, yet nobody has the name: on PostgreSQL the session that had it may have been deleted in
   between, and else it is the number that some session has. */
static agentchat_status fail_vanished(aci_claim *claim, aci_tx *tx, agentchat_error *err)
{
    aci_excerpt id;

    if (++claim->vanished > MOST_VANISHED)
        return aci_fail(err, AGENTCHAT_E_INTERNAL, "the environment's random bytes repeat");
    tx->outcome = AGENTCHAT_SQL_TRANSIENT;
    return aci_fail(err, AGENTCHAT_E_BUSY, "others make and delete the session %s at this moment",
                    aci_excerpt_of(claim->name.id, &id));
}

agentchat_status aci_claim_judge(aci_claim *claim, aci_tx *tx, agentchat_error *err)
{
    if (aci_tx_changed(tx, 0) > 0)
        return AGENTCHAT_OK;
    if (aci_claim_was_made(claim, tx))
        return AGENTCHAT_DONE;
    return claim->there.found ? fail_exists(&claim->name, err) : fail_vanished(claim, tx, err);
}
