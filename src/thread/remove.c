/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deleting a thread. Its row goes first, so that it is gone for everybody at once, and with it as many of its other
 * rows as a step may delete; then the rest of them, in steps. Until they are gone its number is an orphan, so that
 * another call can go on where this one was killed.
 */
#include "thread/orphans.h"

#include "base/error.h"

typedef struct deletion {
    aci_steps steps;
    aci_thread_found thread;
    /* ---- what an attempt has deleted whose answer may be lost ---- */
    bool tried;
    int64_t tried_num;
    bool is_done; /* with all of its rows */
} deletion;

/* Nothing else of the row counts: what is damaged can be deleted too. */
static agentchat_status load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    deletion *d = user;

    d->thread.found = true;
    return aci_transact_column_integer(columns, count, 0, &d->thread.row.num, err);
}

static agentchat_status delete_row(aci_tx *tx, void *user, agentchat_error *err)
{
    deletion *d = user;
    agentchat_status status;

    d->thread.found = false;
    aci_thread_statement_add(tx, ACI_THREAD_LOCK, load_number, d);
    aci_transact_text(tx, d->thread.id);
    status = aci_steps_lock(&d->steps, tx, err);
    if (status < 0)
        return status;
    if (tx->repeated && d->tried && (!d->thread.found || d->thread.row.num != d->tried_num))
        return AGENTCHAT_OK; /* that attempt has done it; what is there now is another thread */
    if (!d->thread.found)
        return aci_rows_fail_no_thread(d->thread.id, err);
    d->tried = true;
    d->tried_num = d->thread.row.num;
    aci_thread_statement_add(tx, ACI_THREAD_DELETE, NULL, NULL);
    aci_transact_text(tx, d->thread.id);
    status = aci_orphans_clear_some(&d->steps, tx, d->tried_num, &d->is_done, err);
    if (status >= 0 && !d->is_done)
        status = aci_orphans_put(tx, ACI_ORPHAN_INSERT, d->tried_num, 0, err);
    if (status >= 0)
        status = aci_steps_write(&d->steps, tx, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

agentchat_status agentchat_thread_delete(agentchat_store *store, const char *thread, agentchat_error *err)
{
    deletion d = {.tried = false};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_rows_check_thread(thread, &d.thread.id, err);
    if (status < 0)
        return status;
    aci_steps_begin(&d.steps, store);
    status = aci_steps_run(&d.steps, delete_row, &d, err);
    if (status >= 0 && !d.is_done)
        status = aci_orphans_clear(&d.steps, d.tried_num, err);
    if (status >= 0 || status == AGENTCHAT_E_NOTFOUND) /* perhaps a call before this one was killed on its way */
        aci_orphans_clear_all(&d.steps);
    return status < 0 ? status : AGENTCHAT_OK;
}
