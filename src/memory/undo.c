/* SPDX-License-Identifier: Apache-2.0 */
/* Undoing the last step of a document that the log has. */
#include "memory/memory_internal.h"

#include "base/error.h"

enum { MOST_ATTEMPTS = 3 };

typedef struct undoing {
    aci_document_list found; /* what is there */
    agentchat_str ns, key;
    aci_log_row last; /* its texts are in the arena of `found` */
} undoing;

static agentchat_status take_last(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    undoing *u = user;
    bool ok = true;
    agentchat_status status = aci_log_read(columns, count, &u->last, err);

    if (status < 0)
        return status;
    aci_table_keep(&aci_log_table, &u->last, u->found.arena, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status find_last(aci_tx *tx, void *user, agentchat_error *err)
{
    undoing *u = user;
    int64_t now, there;
    agentchat_status status;

    u->found.count = 0;
    u->last = (aci_log_row){.step = 0};
    aci_memory_ask_now(tx, &now);
    status = tx->count > 0 ? aci_transact_run(tx, false, err) : AGENTCHAT_OK;
    if (status < 0)
        return status;
    ACI_MEMORY_ASK(tx, ACI_MEMORY_ROW, aci_documents_load, &u->found, ACI_BYTES(u->ns), ACI_TEXT(u->key));
    ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_OF_KEY, take_last, u, ACI_INT(now), ACI_BYTES(u->ns), ACI_TEXT(u->key),
                   ACI_INT(1));
    status = aci_transact_run(tx, true, err);
    if (status < 0)
        return status;
    there = u->found.count > 0 && aci_document_lives(u->found.list, now) ? u->found.list[0].rev : 0;
    if (u->last.step == 0)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is nothing to undo: the log has no step of this document");
    if (u->last.rev != there)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is nothing to undo: the last step is not in the log");
    if (u->last.undo != 0)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is nothing to undo: the last step was an undo");
    return AGENTCHAT_OK;
}

static agentchat_status undo_once(undoing *u, agentchat_store *store, agentchat_memory_op *op, agentchat_error *err)
{
    agentchat_memory_delete_options removing = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;
    agentchat_memory_put_options putting = *op->put;
    agentchat_memory_op step = *op;
    agentchat_status status = aci_transact(store, false, find_last, u, err);

    if (status < 0)
        return status;
    removing.has_expect = putting.has_expect = true;
    removing.expect = putting.expect = (uint64_t)u->last.rev;
    putting.keep_expiry = true;
    putting.has_ttl = putting.no_index = false;
    putting.fields = NULL;
    step.json = u->last.value;
    step.put = &putting;
    step.removing = &removing;
    if (u->last.was > 0)
        return aci_putting_undo(store, &step, &u->last, err);
    if (putting.revision != NULL)
        *putting.revision = 0;
    return aci_delete_undo(store, &step, err);
}

agentchat_status agentchat_memory_undo(agentchat_store *store, const char *ns, const char *key,
                                       const agentchat_memory_put_options *options, agentchat_error *err)
{
    agentchat_memory_put_options put;
    agentchat_memory_op op = {.ns = ns, .key = key, .put = &put};
    undoing u;
    aci_space space;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_env_options_load(&put, sizeof put, options, err);
    if (status >= 0)
        status = aci_document_name(ns, key, &space, &u.key, err);
    if (status < 0)
        return status;
    u.ns = aci_space_bytes(&space);
    for (int attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
        if (!aci_documents_begin(&u.found, store->env))
            return aci_fail_nomem(err);
        agentchat_error_clear(err); /* of the attempt before */
        status = undo_once(&u, store, &op, err);
        aci_documents_end(&u.found);
        if (status != AGENTCHAT_E_CONFLICT)
            break;
    }
    return status;
}
