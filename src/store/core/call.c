/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, and cancelling those that run. */
#include "store/core/sql.h"

#include "base/error.h"

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may count up only what needs no lock");

void agentchat_store_interrupt(agentchat_store *store)
{
    if (store != NULL)
        (void)atomic_fetch_add(&store->interrupts, 1);
}

aci_sql_call aci_sql_call_begin(const agentchat_store *store, bool unbounded)
{
    return (aci_sql_call){(uint32_t)atomic_load(&store->interrupts), unbounded};
}

bool aci_sql_call_is_cancelled(const agentchat_store *store, const aci_sql_call *call)
{
    return (uint32_t)atomic_load(&store->interrupts) != call->interrupts;
}

agentchat_status aci_sql_call_go_on(const agentchat_store *store, const aci_sql_call *call, agentchat_error *err)
{
    if (!aci_sql_call_is_cancelled(store, call))
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CANCELLED, "the call was cancelled; it has changed nothing");
}
