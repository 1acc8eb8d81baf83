/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints and branches as a tree. */
#include "cli/show/show.h"

#include "cli/text/text.h"
#include "cli/thread/thread.h"
#include "view/tree_lanes.h"
#include <stdlib.h>
#include <string.h>

/* ==== graph ====================================================================================================== */

/* Lines down to the parents, newest first. */

typedef struct entry {
    const char *id;
    size_t index;
} entry;

static int compare(const void *left, const void *right)
{
    return strcmp(((const entry *)left)->id, ((const entry *)right)->id);
}

static size_t parent_of(const entry *entries, const agentchat_checkpoint_list *list, size_t index)
{
    entry wanted = {agentchat_checkpoint_list_at(list, index)->parent, 0};
    const entry *found = NULL;

    if (wanted.id != NULL)
        found = bsearch(&wanted, entries, agentchat_checkpoint_list_count(list), sizeof *entries, compare);
    return found != NULL && found->index > index ? found->index : ACI_TREE_NO_ROW;
}

/* Which row each one follows. NULL: out of memory. */
static size_t *parents_of(const agentchat_checkpoint_list *list)
{
    size_t count = agentchat_checkpoint_list_count(list);
    entry *entries = calloc(count + 1, sizeof *entries);
    size_t *parents = calloc(count + 1, sizeof *parents);

    for (size_t i = 0; entries != NULL && i < count; i++)
        entries[i] = (entry){agentchat_checkpoint_list_at(list, i)->id, i};
    if (entries != NULL)
        qsort(entries, count, sizeof *entries, compare);
    for (size_t i = 0; entries != NULL && parents != NULL && i < count; i++)
        parents[i] = parent_of(entries, list, i);
    if (entries == NULL) {
        free(parents);
        parents = NULL;
    }
    free(entries);
    return parents;
}

static void put_lanes(FILE *out, const aci_tree_lanes *lanes)
{
    static const char *const shown[] = {
        [ACI_LANE_EMPTY] = "  ",  [ACI_LANE_LINE] = "│ ",    [ACI_LANE_DOT] = "● ",  [ACI_LANE_JOINED] = "├─",
        [ACI_LANE_ACROSS] = "──", [ACI_LANE_CROSSED] = "│─", [ACI_LANE_TURN] = "┴─", [ACI_LANE_END] = "╯"};
    bool is_after_end = false; /* which is one column wide */

    for (size_t i = 0; i < lanes->width; i++) {
        (void)fputs(is_after_end && lanes->row[i] == ACI_LANE_LINE ? " │" : shown[lanes->row[i]], out);
        is_after_end = is_after_end || lanes->row[i] == ACI_LANE_END;
    }
}

/* ==== tree ======================================================================================================= */

typedef struct page {
    cli_thread *thread;
    const agentchat_checkpoint_list *list;
    show show;
    aci_tree_lanes lanes;
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
    if (info->parent == NULL || p->lanes.goes_down)
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

    if (aci_tree_lanes_join(&p->lanes, index)) {
        put_lanes(p->show.out, &p->lanes);
        (void)fputc('\n', p->show.out);
    }
    if (cli_memory_begin(&columns)) {
        aci_tree_lanes_draw(&p->lanes, index);
        put_lanes(columns.out, &p->lanes);
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
              .lanes = {.parent = parents_of(list)},
              .names = cli_thread_names(list)};
    agentchat_status status = AGENTCHAT_OK;

    if (p.names != NULL && p.lanes.parent != NULL)
        status = put_rows(&p);
    else
        p.show.failed = true;
    free(p.lanes.parent);
    free(p.names);
    return status >= 0 && p.show.failed ? agentchat_error_set(&t->store.err, AGENTCHAT_E_NOMEM, "out of memory")
                                        : status;
}
