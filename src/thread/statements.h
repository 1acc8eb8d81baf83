/* SPDX-License-Identifier: Apache-2.0 */
/* The SQL statements of threads. Which parameters they take is said in statements.c. */
#ifndef ACI_THREAD_STATEMENTS_H
#define ACI_THREAD_STATEMENTS_H

#include "thread/tables.h"

typedef enum aci_thread_statement {
    ACI_THREAD_ROW,
    ACI_THREAD_LOCK,
    ACI_THREAD_INSERT,
    ACI_THREAD_ADVANCE,
    ACI_THREAD_DELETE,
    ACI_THREADS,
    ACI_THREADS_AFTER,
    ACI_CHECKPOINT_BY_ID,
    ACI_CHECKPOINT_NEWEST,
    ACI_CHECKPOINT_CHILD,
    ACI_CHECKPOINT_HEADERS,
    ACI_CHECKPOINT_HEADERS_ALL,
    ACI_CHECKPOINT_INSERT,
    ACI_CHECKPOINT_DELETE,
    ACI_SEGMENT_ROW,
    ACI_SEGMENT_PUT,
    ACI_ITEM_ROWS,
    ACI_ITEM_INSERT,
    ACI_BODY_FIND,
    ACI_BODY_DIGESTS,
    ACI_BODY_ROWS,
    ACI_BODY_BY_DIGEST,
    ACI_BODY_INSERT,
    ACI_PENDING_PUT,
    ACI_PENDING_ROWS,
    ACI_PENDING_NEWEST,
    ACI_PENDING_CONSUME,
    ACI_PENDING_DELETE,
    ACI_SEGMENT_DELETE,
    ACI_ITEM_DELETE,
    ACI_BODY_DELETE,
    ACI_BODY_COPY,
    ACI_SCAN_CHECKPOINTS,
    ACI_SCAN_SEGMENTS,
    ACI_SCAN_ITEMS,
    ACI_SCAN_BODIES,
    ACI_SCAN_PENDING,
    ACI_SCAN_REFERENCES,
    ACI_CLEAR_CHECKPOINTS,
    ACI_CLEAR_PENDING,
    ACI_CLEAR_ITEMS,
    ACI_CLEAR_SEGMENTS,
    ACI_CLEAR_BODIES,
    ACI_THREAD_STATEMENT_COUNT_
} aci_thread_statement;

/* Queues one of them. */
void aci_thread_statement_add(aci_tx *tx, aci_thread_statement which, aci_sql_row_fn row, void *user);

#endif
