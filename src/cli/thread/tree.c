/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints and branches as a tree. */
#include "cli/show/show.h"

#include "cli/text/text.h"
#include "cli/thread/thread.h"
#include <stdlib.h>
#include <string.h>

/* ==== graph ====================================================================================================== */

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

/* false: out of memory. */
static bool thread_graph_begin(cli_thread_graph *graph, const agentchat_checkpoint_list *list)
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

/* Where several lines lead to the next checkpoint: draws a row in which they join. */
static void thread_graph_join(FILE *out, cli_thread_graph *graph, size_t index)
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

/* ==== tree ======================================================================================================= */

typedef struct page {
    cli_thread *thread;
    const agentchat_checkpoint_list *list;
    show show;
    cli_thread_graph graph;
    size_t *names;           /* as of cli_thread_names() */
    size_t name, line, step; /* widths; 0: the column is left out */
} page;

/* What is put together in memory goes to the screen, cut to so many columns, 0 for all, and made safe. Gives its
   width. */
static size_t put_memory(page *p, cli_memory *memory, size_t columns)
{
    size_t width = 0;

    if (cli_memory_end(memory)) {
        width = cli_put_cut(p->show.out, (agentchat_str){memory->text, memory->len}, columns);
        free(memory->text);
    } else {
        p->show.failed = true;
    }
    return width;
}

static size_t name_width(page *p, size_t index)
{
    size_t width = 0;
    cli_memory memory;

    if (cli_memory_begin(&memory))
        cli_thread_names_put(memory.out, agentchat_checkpoint_list_at(p->list, index)->id, p->names[index]);
    if (cli_memory_end(&memory)) {
        width = cli_put_width((agentchat_str){memory.text, memory.len});
        free(memory.text);
    } else {
        p->show.failed = true;
    }
    return width;
}

/* Widths of the columns: what is wider than usual pushes its own row to the right. */
static void measure(page *p)
{
    enum { WIDEST_NAME = 24 };
    size_t widest = 0;
    bool has_lines = false;

    for (size_t i = 0; i < agentchat_checkpoint_list_count(p->list); i++) {
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(p->list, i);
        size_t name = name_width(p, i);
        size_t step = info->has_step ? (size_t)snprintf(NULL, 0, "step %lld", (long long)info->step) : 0;

        size_t line = (size_t)snprintf(NULL, 0, "line %llu", (unsigned long long)info->line);

        if (name > p->name && name <= WIDEST_NAME)
            p->name = name;
        if (line > widest)
            widest = line;
        has_lines = has_lines || info->line != agentchat_checkpoint_list_at(p->list, 0)->line;
        if (step > p->step)
            p->step = step;
    }
    p->line = has_lines ? widest : 0;
}

/* `…e91c  line 1  step 6  `: in front of the message. */
static void put_columns(page *p, FILE *out, size_t index)
{
    const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(p->list, index);
    size_t width = name_width(p, index), line = 0, step = 0;

    cli_thread_names_put(out, info->id, p->names[index]);
    cli_put_spaces(out, (p->name > width ? p->name - width : 0) + 2);
    if (p->line > 0) {
        line = (size_t)fprintf(out, "line %llu", (unsigned long long)info->line);
        cli_put_spaces(out, p->line - line + 2);
    }
    if (p->step == 0)
        return;
    if (info->has_step)
        step = (size_t)fprintf(out, "step %lld", (long long)info->step);
    cli_put_spaces(out, p->step - step + 2);
}

/* `  (branch)` where it was put as one, and where its parent is not drawn, `  (follows …e91c)`. */
static void put_marks(page *p, FILE *out, const agentchat_checkpoint_info *info)
{
    if (info->parent != NULL && info->line == info->sequence)
        (void)fputs("  (branch)", out);
    if (info->parent == NULL || p->graph.has_line)
        return;
    (void)fputs("  (follows ", out);
    cli_thread_names_put(out, info->parent,
                         cli_thread_names_shortest(agentchat_checkpoint_list_at(p->list, 0)->sequence));
    (void)fputc(')', out);
}

/* A row: the message has the room that the rest leaves. */
static agentchat_status put_checkpoint(page *p, size_t index)
{
    const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(p->list, index);
    agentchat_status status = AGENTCHAT_OK;
    cli_memory columns, message, marks;

    thread_graph_join(p->show.out, &p->graph, index);
    if (cli_memory_begin(&columns)) {
        cli_thread_graph_put(columns.out, &p->graph, index);
        put_columns(p, columns.out, index);
    }
    size_t used = put_memory(p, &columns, 0);
    if (cli_memory_begin(&marks))
        put_marks(p, marks.out, info);
    if (!cli_memory_end(&marks)) {
        p->show.failed = true;
        return AGENTCHAT_OK;
    }
    agentchat_str after = {marks.text, marks.len};
    if (cli_memory_begin(&message))
        status = cli_thread_last_message_put(p->thread, message.out, info);
    (void)put_memory(p, &message, show_room(&p->show, used + cli_put_width(after)));
    (void)cli_put(p->show.out, after);
    (void)fputc('\n', p->show.out);
    free(marks.text);
    return status;
}

static agentchat_status put_rows(page *p)
{
    agentchat_status status = AGENTCHAT_OK;

    measure(p);
    for (size_t i = 0; status >= 0 && i < agentchat_checkpoint_list_count(p->list) && !ferror(p->show.out); i++)
        status = put_checkpoint(p, i);
    if (status >= 0 && agentchat_checkpoint_list_cursor(p->list) != NULL)
        (void)fprintf(p->show.out, "there are more: --cursor %s\n", agentchat_checkpoint_list_cursor(p->list));
    return status;
}

agentchat_status cli_thread_tree_put(cli_thread *t, const cli_pager *pager, const agentchat_checkpoint_list *list)
{
    page p = {.thread = t,
              .list = list,
              .show = {.out = pager->out, .style = pager->style, .columns = pager->columns},
              .names = cli_thread_names(list)};
    agentchat_status status = AGENTCHAT_OK;

    if (p.names != NULL && thread_graph_begin(&p.graph, list)) {
        status = put_rows(&p);
        cli_thread_graph_end(&p.graph);
    } else {
        p.show.failed = true;
    }
    free(p.names);
    return status >= 0 && p.show.failed ? agentchat_error_set(&t->store.err, AGENTCHAT_E_NOMEM, "out of memory")
                                        : status;
}
