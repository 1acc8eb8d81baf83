/* SPDX-License-Identifier: Apache-2.0 */
/* What a live chat remembers of its thread, and what became of a put whose answer was lost. */
#include "thread/memory.h"

#include "base/error.h"

agentchat_status aci_thread_memory_fail_gone(agentchat_str thread, bool is_other, agentchat_error *err)
{
    aci_excerpt excerpt;

    return aci_fail(
        err, AGENTCHAT_E_NOTFOUND,
        "thread %s, which the chat remembers, was deleted%s; agentchat_thread_detach() lets the chat begin a"
        " thread",
        aci_error_excerpt(thread, &excerpt), is_other ? ", and there is another one of its name" : "");
}

/* Each line is a chain, and so the next checkpoint after the remembered one shows whether there was another between
   them. A look without the lock that finds none decides nothing: the put may be on its way. */
agentchat_status aci_thread_memory_decide_lost(const aci_lost *lost, const aci_checkpoint_row *row,
                                               const aci_memory *base, const aci_checkpoint_row *next, bool locked,
                                               aci_found_lost *out, agentchat_error *err)
{
    aci_excerpt excerpt;

    *out = (aci_found_lost){.outcome = locked ? ACI_LOST_NOT_PUT : ACI_LOST_UNKNOWN};
    if (row != NULL) { /* a put's number is that of its writing */
        out->outcome = ACI_LOST_PUT;
        out->memory =
            (aci_memory){lost->snapshot, agentchat_str_from(lost->id), row->num, row->seq, row->seq, row->line};
        return AGENTCHAT_OK;
    }
    if (lost->branch || next == NULL)
        return AGENTCHAT_OK;
    out->outcome = ACI_LOST_NOT_PUT;
    if (base != NULL ? agentchat_str_equal(next->parent, base->id) : next->parent.ptr == NULL)
        return AGENTCHAT_OK;
    out->outcome = ACI_LOST_UNKNOWN;
    return aci_fail(err, AGENTCHAT_E_CONFLICT,
                    "whether checkpoint %s was put is not known: its answer was lost, and others have deleted what came"
                    " next; save the chat with branch",
                    aci_error_excerpt(agentchat_str_from(lost->id), &excerpt));
}
