/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories side by side, row by row. */
#ifndef ACI_VIEW_COMPARE_ROWS_H
#define ACI_VIEW_COMPARE_ROWS_H

#include "snapshot/snapshot.h"

typedef enum aci_row_kind {
    ACI_ROW_SAME,       /* left and right are equal */
    ACI_ROW_CHANGED,    /* left and right have different messages of the same author here */
    ACI_ROW_REMOVED,    /* left alone */
    ACI_ROW_ADDED,      /* right alone */
    ACI_ROW_MOVED_AWAY, /* left; on the right it stands elsewhere, at `right` */
    ACI_ROW_MOVED_HERE  /* right; on the left it stands elsewhere, at `left` */
} aci_row_kind;

typedef struct aci_row {
    aci_row_kind kind;
    size_t left, right;
} aci_row;

typedef struct aci_compare_rows {
    const agentchat_env *env;
    aci_row *list;
    size_t count, cap;
} aci_compare_rows;

/* E_NOMEM only. Every message of either side stands in one row. */
agentchat_status aci_compare_rows_make(aci_compare_rows *rows, const agentchat_env *env, const agentchat_messages *left,
                                       const agentchat_messages *right, agentchat_error *err);
void aci_compare_rows_clear(aci_compare_rows *rows);
size_t aci_compare_rows_count(const aci_compare_rows *rows, aci_row_kind kind);

#endif
