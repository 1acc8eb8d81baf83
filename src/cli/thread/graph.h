/* SPDX-License-Identifier: Apache-2.0 */
/* Draws how the checkpoints of a page follow each other, newest first, each with a line down to its parent. */
#ifndef CLI_THREAD_GRAPH_H
#define CLI_THREAD_GRAPH_H

#include <agentchat/thread.h>

enum { CLI_THREAD_LANES = 12 }; /* side by side; what has no room has no line */

typedef struct cli_thread_graph {
    size_t count;
    size_t *parent;                /* of each checkpoint: which one follows below, SIZE_MAX for none */
    size_t lane[CLI_THREAD_LANES]; /* the checkpoint that the line goes down to; SIZE_MAX: no line here */
    size_t lanes;                  /* up to the last line */
    bool has_line;                 /* what was drawn last has a line to its parent */
} cli_thread_graph;

/* false: out of memory. */
bool cli_thread_graph_begin(cli_thread_graph *graph, const agentchat_checkpoint_list *list);
/* Where several lines lead to the next checkpoint: draws a row in which they join. */
void cli_thread_graph_join(FILE *out, cli_thread_graph *graph, size_t index);
/* Draws the beginning of a checkpoint's row: the lines and the checkpoint itself. */
void cli_thread_graph_put(FILE *out, cli_thread_graph *graph, size_t index);
void cli_thread_graph_end(cli_thread_graph *graph);

#endif
