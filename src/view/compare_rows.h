/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories beside each other, row by row. Layer 5. */
#ifndef ACI_VIEW_COMPARE_ROWS_H
#define ACI_VIEW_COMPARE_ROWS_H

#include "snapshot/snapshot.h"

typedef enum aci_row_kind {
    ACI_ROW_SAME,       /* left and right are equal */
    ACI_ROW_CHANGED,    /* what is at this place on the left is something else, by the same author, on the right */
    ACI_ROW_REMOVED,    /* left alone */
    ACI_ROW_ADDED,      /* right alone */
    ACI_ROW_MOVED_AWAY, /* left; on the right it stands elsewhere, at `right` */
    ACI_ROW_MOVED_HERE  /* right; on the left it stands elsewhere, at `left` */
} aci_row_kind;

typedef struct aci_row {
    aci_row_kind kind;
    size_t left, right;
} aci_row;

typedef struct aci_rows {
    const agentchat_env *env;
    aci_row *list;
    size_t count, cap;
} aci_rows;

/* E_NOMEM only. Every message of either side stands in one row. */
agentchat_status aci_rows_make(aci_rows *rows, const agentchat_env *env, const agentchat_messages *left,
                               const agentchat_messages *right, agentchat_error *err);
void aci_rows_clear(aci_rows *rows);
size_t aci_rows_count(const aci_rows *rows, aci_row_kind kind);

#endif
