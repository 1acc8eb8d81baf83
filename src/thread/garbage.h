/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a thread that seemed to be needed by no checkpoint when they were looked at. */
#ifndef ACI_THREAD_GARBAGE_H
#define ACI_THREAD_GARBAGE_H

#include "thread/reach.h"

typedef struct aci_garbage_items { /* rows of items that stand next to each other */
    aci_range range;
    size_t rows;
} aci_garbage_items;

typedef struct aci_garbage_body {
    int64_t no, length;
} aci_garbage_body;

typedef struct aci_garbage { /* all zero: none */
    aci_number_set segments;
    aci_garbage_items *items;
    size_t item_count, item_cap;
    aci_garbage_body *bodies;
    size_t body_count, body_cap;
} aci_garbage;

/* Looks for it in all rows; reach: what the checkpoints reach, followed. */
agentchat_status aci_garbage_find(aci_garbage *garbage, const aci_reach *reach, aci_tx *tx, int64_t num,
                                  agentchat_error *err);
void aci_garbage_clear(aci_garbage *garbage, const agentchat_env *env);

/* ---- what of a row is needed ------------------------------------------------------------------------------------ */

typedef enum aci_need { ACI_NEED_NONE = 0, ACI_NEED_PART = 1, ACI_NEED_ALL = 2 } aci_need;
/* Changes the row to what is needed of it. */
aci_need aci_garbage_cut_segment(const aci_reach *reach, aci_segment_row *row);
aci_need aci_garbage_need_item(const aci_reach *reach, const aci_item_row *row);

#endif
