/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists in the store: segments, to which elements are only ever appended, and their items, each of which names some
 * bodies by number. A segment made for a branch or an edit begins with spans of others: positions that stand for items
 * there. What a span stands for is never a span itself.
 */
#ifndef ACI_THREAD_LISTS_H
#define ACI_THREAD_LISTS_H

#include "thread/contents.h"
#include "thread/rows.h"

/* Spans of a segment; beyond it, names of bodies are copied instead. */
enum { ACI_MOST_SPANS = 64 };

typedef struct aci_span {
    int64_t pos, count; /* of the segment */
    int64_t seg, from;  /* where they stand */
} aci_span;

typedef struct aci_segment_row {
    int64_t seg;
    aci_span *spans;
    size_t span_count;
} aci_segment_row;

typedef struct aci_segment_found { /* for ACI_SEGMENT_ROW */
    aci_arena *arena;
    int64_t num;
    aci_segment_row row; /* seg: that was asked for; no spans: there is no row */
} aci_segment_found;
/* The row that the columns hold, whichever it is. */
agentchat_status aci_lists_read_segment(aci_segment_found *found, const aci_sql_value *columns, size_t count,
                                        agentchat_error *err);
agentchat_status aci_lists_load_segment(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* Queues a segment's row. blob: room for its spans until the batch has run. */
agentchat_status aci_lists_put_segment(aci_tx *tx, int64_t num, const aci_segment_row *row, aci_arena *arena,
                                       agentchat_error *err);
/* Some items as a row: the bodies of positions pos to pos + count - 1. */
typedef struct aci_item_row {
    int64_t num, seg, pos, count;
    agentchat_str bodies; /* their numbers, encoded */
} aci_item_row;
/* The row that the columns hold; its bytes live as long as these. */
agentchat_status aci_lists_read_item(aci_item_row *row, const aci_sql_value *columns, size_t count,
                                     agentchat_error *err);
/* The numbers of its bodies, in the arena. */
agentchat_status aci_lists_item_numbers(const aci_item_row *row, aci_arena *arena, int64_t **out, agentchat_error *err);
/* Queues a new row. */
agentchat_status aci_lists_put_item(aci_tx *tx, const aci_item_row *row, agentchat_error *err);
/* Queues items that name `count` bodies, at a position. */
agentchat_status aci_lists_insert_items(aci_tx *tx, int64_t num, int64_t seg, int64_t pos, const int64_t *bodies,
                                        size_t count, aci_arena *arena, agentchat_error *err);

/* A list whose numbers of bodies are wanted. */
typedef struct aci_list_want {
    aci_range range;
    int64_t *numbers; /* as many as the range is long; in the arena */
} aci_list_want;
/* Reads lists in at most two batches. *stored: how many positions stand in the rows that were read; NULL: not wanted.
   E_CORRUPT where something is missing, E_LIMIT where the lists together are longer than the environment allows. */
agentchat_status aci_lists_read(aci_tx *tx, int64_t num, aci_list_want *wants, size_t count, aci_arena *arena,
                                uint64_t *stored, agentchat_error *err);

#endif
