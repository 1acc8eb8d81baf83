/* SPDX-License-Identifier: Apache-2.0 */
/* Going over all rows of a thread in the order of their keys, page by page within one transaction. */
#ifndef ACI_THREAD_SCAN_H
#define ACI_THREAD_SCAN_H

#include "thread/body_row.h"
#include "thread/lists.h"
#include "thread/pending.h"
#include "thread/terms.h"

typedef enum aci_scan_table {
    ACI_SCAN_OF_CHECKPOINTS, /* aci_checkpoint_row */
    ACI_SCAN_OF_SEGMENTS,    /* aci_segment_row */
    ACI_SCAN_OF_ITEMS,       /* aci_item_row */
    ACI_SCAN_OF_BODIES,      /* aci_body_row without bytes */
    ACI_SCAN_OF_REFERENCES,  /* aci_body_row; those that begin with "[", as messages do that refer to data */
    ACI_SCAN_OF_PENDING,     /* aci_pending_row */
    ACI_SCAN_OF_TERMS        /* aci_term_row */
} aci_scan_table;

/* Called with each row. It may queue statements, which run after the page; row and arena live until then. */
typedef agentchat_status (*aci_scan_fn)(void *user, const void *row, aci_arena *arena, agentchat_error *err);
/* Calls `each` for all rows; their checksums were checked. */
agentchat_status aci_scan(aci_tx *tx, int64_t num, aci_scan_table which, aci_scan_fn each, void *user,
                          agentchat_error *err);

#endif
