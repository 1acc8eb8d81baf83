/* SPDX-License-Identifier: Apache-2.0 */
/* Going through the namespaces of a thread. */
#include "thread/namespaces.h"

#include "base/error.h"

typedef struct next {
    aci_arena *arena;
    agentchat_str before, ns;
    bool found;
} next;

static agentchat_status load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    next *n = user;
    agentchat_str ns = {NULL, 0};
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &ns, err);

    if (status >= 0 && (!aci_rows_is_name(ns) || aci_rows_compare(ns, n->before) <= 0))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the namespaces of a thread are not in their order");
    if (status < 0)
        return status;
    n->found = true;
    n->ns = aci_arena_copy(n->arena, ns, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_namespaces_next(aci_tx *tx, int64_t num, aci_arena *arena, agentchat_str *ns, bool *found,
                                     agentchat_error *err)
{
    next n = {.arena = arena, .before = *ns, .ns = *ns};
    agentchat_status status;

    aci_thread_statement_add(tx, ACI_NAMESPACE_NEXT, load, &n);
    aci_transact_integer(tx, num);
    aci_transact_text(tx, n.before);
    status = aci_transact_run(tx, false, err);
    *ns = n.ns;
    *found = n.found;
    return status;
}
