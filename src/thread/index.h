/* SPDX-License-Identifier: Apache-2.0 */
/* Whether new threads of a store are indexed: one row, as long as they are. */
#ifndef ACI_THREAD_INDEX_H
#define ACI_THREAD_INDEX_H

#include "thread/rows.h"

typedef struct aci_index_row {
    bool found;
    bool is_damaged;
} aci_index_row;
/* For ACI_INDEX_ROW: damage is no failure. */
agentchat_status aci_index_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
#define ACI_INDEX_DAMAGED "the row that says that threads are indexed is damaged; switch the index on or off"
/* Queues what makes the row be there, or not, whatever there was. E_NOMEM. */
agentchat_status aci_index_set(aci_tx *tx, bool on, agentchat_error *err);

#endif
