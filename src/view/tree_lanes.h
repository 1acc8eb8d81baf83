/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of a tree that is drawn row by row, newest first, each row with a line down to the one that it follows. A line
 * has a lane. Where several lines lead to a row they join above it. The command line tool has its own copy of this
 * file.
 */
#ifndef ACI_VIEW_TREE_LANES_H
#define ACI_VIEW_TREE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACI_TREE_NO_ROW SIZE_MAX
enum { ACI_TREE_LANES = 12 }; /* side by side; what has no room has no line */

typedef enum aci_lane {
    ACI_LANE_EMPTY,
    ACI_LANE_LINE,    /* goes through */
    ACI_LANE_DOT,     /* the row's own */
    ACI_LANE_JOINED,  /* lines come from the right */
    ACI_LANE_ACROSS,  /* a line goes by to the left */
    ACI_LANE_CROSSED, /* … across one that goes through */
    ACI_LANE_TURN,    /* a line comes from above and turns left */
    ACI_LANE_END      /* … the last one */
} aci_lane;

typedef struct aci_tree_lanes {
    size_t *parent;              /* set by the caller: of each row, which one further down it follows, or NO_ROW: its
                                    parent was put later, is not among them, or is gone */
    size_t lane[ACI_TREE_LANES]; /* the row that the line goes down to; NO_ROW: no line here */
    size_t lanes;                /* up to the last line */
    /* Of the row that was drawn last: */
    aci_lane row[ACI_TREE_LANES + 1];
    size_t width;
    bool comes_down; /* a line leads to it */
    bool goes_down;  /* it has a line to its parent */
} aci_tree_lanes;

/* Draws how lines join above a row. false: they do not. */
bool aci_tree_lanes_join(aci_tree_lanes *t, size_t index);
/* Draws a row. */
void aci_tree_lanes_draw(aci_tree_lanes *t, size_t index);

#endif
