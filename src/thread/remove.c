/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting a thread. */
#include "thread/rows.h"

#include "base/error.h"

typedef struct deletion {
    aci_thread_found thread;
    /* ---- what an attempt has deleted whose answer may be lost ---- */
    bool tried;
    int64_t tried_num;
} deletion;

/* Nothing else of the row counts: what is damaged can be deleted too. */
static agentchat_status load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    deletion *d = user;

    d->thread.found = true;
    return aci_transact_column_integer(columns, count, 0, &d->thread.row.num, err);
}

static agentchat_status delete_thread(aci_tx *tx, void *user, agentchat_error *err)
{
    static const aci_thread_statement clear[] = {ACI_CLEAR_CHECKPOINTS, ACI_CLEAR_PENDING, ACI_CLEAR_ITEMS,
                                                 ACI_CLEAR_SEGMENTS, ACI_CLEAR_BODIES};
    deletion *d = user;
    agentchat_status status;

    d->thread.found = false;
    aci_thread_statement_add(tx, ACI_THREAD_LOCK, load_number, d);
    aci_transact_text(tx, d->thread.id);
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    if (tx->repeated && d->tried && (!d->thread.found || d->thread.row.num != d->tried_num))
        return AGENTCHAT_OK; /* that attempt has done it; what is there now is another thread */
    if (!d->thread.found)
        return aci_rows_fail_no_thread(d->thread.id, err);
    d->tried = true;
    d->tried_num = d->thread.row.num;
    for (size_t i = 0; i < sizeof clear / sizeof *clear; i++) {
        aci_thread_statement_add(tx, clear[i], NULL, NULL);
        aci_transact_integer(tx, d->thread.row.num);
    }
    aci_thread_statement_add(tx, ACI_THREAD_DELETE, NULL, NULL);
    aci_transact_text(tx, d->thread.id);
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_thread_delete(agentchat_store *store, const char *thread, agentchat_error *err)
{
    deletion d = {.tried = false};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_rows_check_thread(thread, &d.thread.id, err);
    return status < 0 ? status : aci_transact(store, true, delete_thread, &d, err);
}
