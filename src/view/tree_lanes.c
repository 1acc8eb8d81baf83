/* SPDX-License-Identifier: Apache-2.0 */
#include "view/tree_lanes.h"

#define NONE ACI_TREE_NO_ROW

/* The first and the last lane that lead to a row. false: none does, and both are NONE. */
static bool lanes_to(const aci_tree_lanes *t, size_t index, size_t *first, size_t *last)
{
    *first = *last = NONE;
    for (size_t i = 0; i < t->lanes; i++) {
        if (t->lane[i] != index)
            continue;
        *first = *first == NONE ? i : *first;
        *last = i;
    }
    return *first != NONE;
}

static void forget_empty(aci_tree_lanes *t)
{
    while (t->lanes > 0 && t->lane[t->lanes - 1] == NONE)
        t->lanes--;
}

/* A lane of a row in which those from first to last join; those between may be of others, and are crossed. */
static aci_lane joint(const aci_tree_lanes *t, size_t lane, size_t first, size_t last)
{
    bool is_open = t->lane[lane] != NONE, joins = t->lane[lane] == t->lane[first];

    if (lane < first || lane > last)
        return is_open ? ACI_LANE_LINE : ACI_LANE_EMPTY;
    if (lane == first)
        return ACI_LANE_JOINED;
    if (lane == last)
        return ACI_LANE_END;
    return joins ? ACI_LANE_TURN : is_open ? ACI_LANE_CROSSED : ACI_LANE_ACROSS;
}

bool aci_tree_lanes_join(aci_tree_lanes *t, size_t index)
{
    size_t first, last;

    if (!lanes_to(t, index, &first, &last) || first == last)
        return false;
    for (t->width = 0; t->width < t->lanes; t->width++)
        t->row[t->width] = joint(t, t->width, first, last);
    for (size_t i = first + 1; i <= last; i++) {
        if (t->lane[i] == index)
            t->lane[i] = NONE;
    }
    forget_empty(t);
    return true;
}

/* A lane for a row to which no line leads; NONE: there is no room. */
static size_t new_lane(aci_tree_lanes *t)
{
    for (size_t i = 0; i < t->lanes; i++) {
        if (t->lane[i] == NONE)
            return i;
    }
    return t->lanes < ACI_TREE_LANES ? t->lanes++ : NONE;
}

void aci_tree_lanes_draw(aci_tree_lanes *t, size_t index)
{
    size_t own, last;

    t->comes_down = lanes_to(t, index, &own, &last);
    if (!t->comes_down)
        own = new_lane(t);
    for (t->width = 0; t->width < t->lanes; t->width++)
        t->row[t->width] = t->width == own ? ACI_LANE_DOT : t->lane[t->width] != NONE ? ACI_LANE_LINE : ACI_LANE_EMPTY;
    if (own == NONE)
        t->row[t->width++] = ACI_LANE_DOT;
    else
        t->lane[own] = t->parent[index];
    t->goes_down = own != NONE && t->parent[index] != NONE;
    forget_empty(t);
}
