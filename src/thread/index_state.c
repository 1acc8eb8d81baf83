/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the threads of a store are indexed: the row that says so, and how many of them are. */
#include "thread/index.h"

#include "base/error.h"

/* ---- the store's row -------------------------------------------------------------------------------------------- */

static const agentchat_str index_name = {"words", 5};

static agentchat_status sum_index(agentchat_str name, int64_t *out, agentchat_error *err)
{
    aci_row_sum sum;

    aci_row_sum_begin(&sum);
    aci_row_sum_text(&sum, name);
    return aci_row_sum_end(&sum, out, err);
}

agentchat_status aci_index_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_index_row *row = user;
    agentchat_str name = {NULL, 0};
    int64_t stored = 0, sum = 0;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &name, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &stored, err);
    if (status >= 0)
        status = sum_index(name, &sum, err);
    row->found = true;
    row->is_damaged = row->is_damaged || sum != stored || !agentchat_str_equal(name, index_name);
    return status;
}

agentchat_status aci_index_set(aci_tx *tx, bool on, agentchat_error *err)
{
    int64_t sum = 0;
    agentchat_status status = sum_index(index_name, &sum, err);

    aci_thread_statement_add(tx, ACI_INDEX_DELETE, NULL, NULL);
    if (on) {
        aci_thread_statement_add(tx, ACI_INDEX_INSERT, NULL, NULL);
        aci_transact_text(tx, index_name);
        aci_transact_integer(tx, sum);
    }
    return status;
}

/* ---- the public call -------------------------------------------------------------------------------------------- */

typedef struct index_state {
    aci_index_row row;
    bool counts; /* threads, too */
    int64_t threads, indexed;
} index_state;

static agentchat_status load_counts(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    index_state *state = user;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &state->threads, err);

    return status < 0 ? status : aci_transact_column_integer(columns, count, 1, &state->indexed, err);
}

static agentchat_status read_state(aci_tx *tx, void *user, agentchat_error *err)
{
    index_state *state = user;
    agentchat_status status;

    state->row = (aci_index_row){.found = false};
    aci_thread_statement_add(tx, ACI_INDEX_ROW, aci_index_load, &state->row);
    if (state->counts) {
        aci_thread_statement_add(tx, ACI_INDEX_COUNTS, load_counts, state);
        aci_transact_integer(tx, ACI_INDEXED);
    }
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && state->row.is_damaged)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, ACI_INDEX_DAMAGED);
    return status;
}

agentchat_status agentchat_thread_index_state(agentchat_store *store, bool *on, uint64_t *threads, uint64_t *indexed,
                                              agentchat_error *err)
{
    index_state state = {.counts = threads != NULL || indexed != NULL};
    agentchat_status status;

    agentchat_error_clear(err);
    if (on != NULL)
        *on = false;
    if (threads != NULL)
        *threads = 0;
    if (indexed != NULL)
        *indexed = 0;
    if (store == NULL || on == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "on");
    status = aci_transact(store, false, read_state, &state, err);
    if (status < 0)
        return status;
    *on = state.row.found;
    if (threads != NULL)
        *threads = (uint64_t)state.threads;
    if (indexed != NULL)
        *indexed = (uint64_t)state.indexed;
    return AGENTCHAT_OK;
}
