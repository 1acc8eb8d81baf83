/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/thread/graph.h"
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* ---- who follows whom ----------------------------------------------------------------------------------------- */

typedef struct entry {
    const char *id;
    size_t index;
} entry;

static int compare(const void *left, const void *right)
{
    return strcmp(((const entry *)left)->id, ((const entry *)right)->id);
}

/* A parent that is not further down has no line: it was put later, is on another page, or is gone. */
static size_t parent_of(const entry *entries, const agentchat_checkpoint_list *list, size_t index)
{
    entry wanted = {agentchat_checkpoint_list_at(list, index)->parent, 0};
    const entry *found = NULL;

    if (wanted.id != NULL)
        found = bsearch(&wanted, entries, agentchat_checkpoint_list_count(list), sizeof *entries, compare);
    return found != NULL && found->index > index ? found->index : NONE;
}

bool cli_thread_graph_begin(cli_thread_graph *graph, const agentchat_checkpoint_list *list)
{
    size_t count = agentchat_checkpoint_list_count(list);
    entry *entries = calloc(count + 1, sizeof *entries);

    *graph = (cli_thread_graph){.count = count, .parent = calloc(count + 1, sizeof *graph->parent)};
    if (entries == NULL || graph->parent == NULL) {
        free(entries);
        cli_thread_graph_end(graph);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        entries[i] = (entry){agentchat_checkpoint_list_at(list, i)->id, i};
    qsort(entries, count, sizeof *entries, compare);
    for (size_t i = 0; i < count; i++)
        graph->parent[i] = parent_of(entries, list, i);
    free(entries);
    return true;
}

void cli_thread_graph_end(cli_thread_graph *graph)
{
    free(graph->parent);
    graph->parent = NULL;
}

/* ---- drawing -------------------------------------------------------------------------------------------------- */

/* The first and the last lane that lead to a checkpoint; NONE: none does. */
static size_t first_lane(const cli_thread_graph *graph, size_t index)
{
    for (size_t i = 0; i < graph->lanes; i++) {
        if (graph->lane[i] == index)
            return i;
    }
    return NONE;
}

static size_t last_lane(const cli_thread_graph *graph, size_t index)
{
    for (size_t i = graph->lanes; i-- > 0;) {
        if (graph->lane[i] == index)
            return i;
    }
    return NONE;
}

static void forget_empty(cli_thread_graph *graph)
{
    while (graph->lanes > 0 && graph->lane[graph->lanes - 1] == NONE)
        graph->lanes--;
}

/* A lane of a row in which the lanes from first to last join; those between may be of others, and are crossed. */
static const char *joint(const cli_thread_graph *graph, size_t lane, size_t first, size_t last)
{
    bool is_open = graph->lane[lane] != NONE, joins = graph->lane[lane] == graph->lane[first];

    if (lane < first)
        return is_open ? "│ " : "  ";
    if (lane == first)
        return "├─";
    if (lane == last)
        return "╯";
    if (lane > last)
        return is_open ? " │" : "  ";
    return joins ? "┴─" : is_open ? "│─" : "──";
}

void cli_thread_graph_join(FILE *out, cli_thread_graph *graph, size_t index)
{
    size_t first = first_lane(graph, index), last = last_lane(graph, index);

    if (first == last)
        return;
    for (size_t i = 0; i < graph->lanes; i++)
        (void)fputs(joint(graph, i, first, last), out);
    (void)fputc('\n', out);
    for (size_t i = first + 1; i <= last; i++) {
        if (graph->lane[i] == index)
            graph->lane[i] = NONE;
    }
    forget_empty(graph);
}

/* A lane for a checkpoint to which no line leads; NONE: there is no room. */
static size_t new_lane(cli_thread_graph *graph)
{
    for (size_t i = 0; i < graph->lanes; i++) {
        if (graph->lane[i] == NONE)
            return i;
    }
    return graph->lanes < CLI_THREAD_LANES ? graph->lanes++ : NONE;
}

void cli_thread_graph_put(FILE *out, cli_thread_graph *graph, size_t index)
{
    size_t own = first_lane(graph, index);

    if (own == NONE)
        own = new_lane(graph);
    for (size_t i = 0; i < graph->lanes; i++)
        (void)fputs(i == own ? "● " : graph->lane[i] != NONE ? "│ " : "  ", out);
    if (own == NONE)
        (void)fputs("● ", out);
    else
        graph->lane[own] = graph->parent[index];
    graph->has_line = own != NONE && graph->parent[index] != NONE;
    forget_empty(graph);
}
