/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agentchat thread log: the checkpoints of a thread as a tree, a page at a time.
 *
 * The list holds no contents, so the last message of each checkpoint is read besides, which costs no more than that
 * message. Another program may remove a checkpoint between the two; it is shown without a message then.
 */
#include "cli/command/arguments.h"
#include "cli/io/thread.h"
#include "cli/json/writer.h"
#include "cli/show/brief.h"
#include "cli/show/line.h"
#include "cli/terminal/pager.h"
#include "cli/text/number.h"
#include "cli/text/put.h"
#include "cli/thread/checkpoint.h"
#include "cli/thread/graph.h"
#include "cli/thread/names.h"
#include "cli/thread/thread.h"
#include <stdlib.h>

typedef struct job {
    cli_thread thread;
    agentchat_checkpoint_list_options options;
    bool no_pager, as_json;
} job;

/* ---- for a program -------------------------------------------------------------------------------------------- */

static void print_json(const agentchat_checkpoint_list *list)
{
    cli_json json = {.out = stdout};
    const char *cursor = agentchat_checkpoint_list_cursor(list);

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++) {
        cli_json_begin(&json, NULL, '{');
        cli_thread_checkpoint_json(&json, agentchat_checkpoint_list_at(list, i));
        cli_json_end(&json, '}');
    }
    cli_json_end(&json, ']');
    cli_json_text(&json, "cursor", cursor != NULL ? agentchat_str_from(cursor) : agentchat_str_null());
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* ---- for a person --------------------------------------------------------------------------------------------- */

typedef struct page {
    job *job;
    const agentchat_checkpoint_list *list;
    show show;
    cli_thread_graph graph;
    size_t *names;     /* as of cli_thread_names() */
    size_t name, step; /* widths */
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

    for (size_t i = 0; i < agentchat_checkpoint_list_count(p->list); i++) {
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(p->list, i);
        size_t name = name_width(p, i);
        size_t step = info->has_step ? (size_t)snprintf(NULL, 0, "step %lld", (long long)info->step) : 0;

        if (name > p->name && name <= WIDEST_NAME)
            p->name = name;
        if (step > p->step)
            p->step = step;
    }
}

/* `…e91c  step 6  `: in front of the message. */
static void put_columns(page *p, FILE *out, size_t index)
{
    const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(p->list, index);
    size_t width = name_width(p, index), step = 0;

    cli_thread_names_put(out, info->id, p->names[index]);
    cli_put_spaces(out, (p->name > width ? p->name - width : 0) + 2);
    if (p->step == 0)
        return;
    if (info->has_step)
        step = (size_t)fprintf(out, "step %lld", (long long)info->step);
    cli_put_spaces(out, p->step - step + 2);
}

/* `#213 assistant Desk: It was shipped`: the last message of a checkpoint. */
static agentchat_status put_message(page *p, FILE *out, const agentchat_checkpoint_info *info)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_messages *messages = NULL;
    cli_thread *t = &p->job->thread;

    if (info->messages == 0) {
        (void)fputs("(no messages)", out);
        return AGENTCHAT_OK;
    }
    options.ns = info->ns;
    options.id = info->id;
    agentchat_status status = agentchat_thread_tail(t->store.store, t->id, 1, &options, &messages, &t->store.err);
    if (status == AGENTCHAT_E_NOTFOUND)
        return AGENTCHAT_OK;
    if (status < 0)
        return status;
    (void)fprintf(out, "#%llu ", (unsigned long long)info->messages - 1);
    show_brief(out, agentchat_messages_at(messages, 0));
    agentchat_messages_unref(messages);
    return AGENTCHAT_OK;
}

/* `  (branch)`, and where no line leads to it, `  (follows …e91c)`. */
static void put_marks(page *p, FILE *out, const agentchat_checkpoint_info *info)
{
    if (p->graph.is_branch)
        (void)fputs("  (branch)", out);
    if (info->parent == NULL || p->graph.has_line)
        return;
    (void)fputs("  (follows ", out);
    cli_thread_names_put(out, info->parent,
                         cli_thread_names_shortest(agentchat_checkpoint_list_at(p->list, 0)->sequence));
    (void)fputc(')', out);
}

static agentchat_status put_checkpoint(page *p, size_t index)
{
    const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(p->list, index);
    agentchat_status status = AGENTCHAT_OK;
    cli_memory head, message, marks;
    size_t used;

    cli_thread_graph_join(p->show.out, &p->graph, index);
    if (cli_memory_begin(&head)) {
        cli_thread_graph_put(head.out, &p->graph, index);
        put_columns(p, head.out, index);
    }
    used = put_memory(p, &head, 0);
    if (cli_memory_begin(&marks))
        put_marks(p, marks.out, info);
    if (!cli_memory_end(&marks)) {
        p->show.failed = true;
        return AGENTCHAT_OK;
    }
    agentchat_str behind = {marks.text, marks.len};
    if (cli_memory_begin(&message))
        status = put_message(p, message.out, info);
    (void)put_memory(p, &message, show_room(&p->show, used + cli_put_width(behind)));
    (void)cli_put(p->show.out, behind);
    (void)fputc('\n', p->show.out);
    free(marks.text);
    return status;
}

static agentchat_status put_page(page *p)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error *err = &p->job->thread.store.err;

    p->names = cli_thread_names(p->list);
    if (p->names == NULL || !cli_thread_graph_begin(&p->graph, p->list)) {
        free(p->names);
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    }
    measure(p);
    for (size_t i = 0; status >= 0 && i < agentchat_checkpoint_list_count(p->list) && !ferror(p->show.out); i++)
        status = put_checkpoint(p, i);
    if (status >= 0 && p->show.failed)
        status = agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    if (status >= 0 && agentchat_checkpoint_list_cursor(p->list) != NULL)
        (void)fprintf(p->show.out, "there are more: --cursor %s\n", agentchat_checkpoint_list_cursor(p->list));
    cli_thread_graph_end(&p->graph);
    free(p->names);
    return status;
}

/* *shown: as of cli_pager_close(). */
static agentchat_status print_tree(job *j, const agentchat_checkpoint_list *list, bool *shown)
{
    cli_pager pager;

    cli_pager_open(&pager, !j->no_pager);
    page p = {.job = j, .list = list, .show = {.out = pager.out, .style = pager.style, .columns = pager.columns}};
    agentchat_status status = put_page(&p);
    *shown = cli_pager_close(&pager);
    return status;
}

/* ---- the command ---------------------------------------------------------------------------------------------- */

/* That nothing is listed may be because there is no such thread. */
static agentchat_status check_empty(job *j)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_messages *none = NULL;
    cli_store *s = &j->thread.store;

    options.ns = j->thread.ns;
    agentchat_status status = agentchat_thread_tail(s->store, j->thread.id, 0, &options, &none, &s->err);
    agentchat_messages_unref(none);
    return status;
}

static int log_page(job *j)
{
    agentchat_checkpoint_list *list = NULL;
    cli_store *s = &j->thread.store;
    bool shown = true;
    agentchat_status status = agentchat_checkpoint_list_read(s->store, j->thread.id, &j->options, &list, &s->err);

    if (status >= 0 && agentchat_checkpoint_list_count(list) == 0)
        status = check_empty(j);
    if (status >= 0 && j->as_json)
        print_json(list);
    else if (status >= 0)
        status = print_tree(j, list, &shown);
    agentchat_checkpoint_list_free(list);
    return status < 0 ? cli_store_fail(s, status) : shown ? CLI_SUCCESS : CLI_ERROR;
}

static int log_thread(job *j)
{
    char before[AGENTCHAT_ID_SIZE];
    int status = CLI_ERROR;

    if (!cli_store_open(&j->thread.store, CLI_READ))
        return CLI_ERROR;
    if (j->options.before == NULL || cli_thread_find(&j->thread, j->options.before, before, NULL)) {
        if (j->options.before != NULL)
            j->options.before = before;
        status = log_page(j);
    }
    cli_store_close(&j->thread.store);
    return status;
}

static int run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_log}}, .options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT};
    const char *limit = NULL, *filter = NULL;
    uint64_t count = 0;
    const cli_switch switches[] = {{"filter", NULL, &filter},           {"before", NULL, &j.options.before},
                                   {"run", NULL, &j.options.run},       {"limit", NULL, &limit},
                                   {"cursor", NULL, &j.options.cursor}, {"namespace", NULL, &j.thread.ns},
                                   {"no-pager", &j.no_pager, NULL},     {"json", &j.as_json, NULL}};
    int status =
        cli_arguments(j.thread.store.self, argc, argv, "STORE THREAD", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (limit != NULL && (!cli_number_count(limit, &count) || count == 0 || count > SIZE_MAX))
        return cli_command_usage(j.thread.store.self->name, "--limit needs a number of checkpoints from 1, not \"%s\"",
                                 limit);
    if (filter != NULL)
        j.options.filter = agentchat_str_from(filter);
    cli_thread_take(&j.thread, argv);
    j.options.ns = j.thread.ns;
    j.options.limit = (size_t)count;
    return log_thread(&j);
}

const cli_command cli_thread_log = {
    .name = "thread log",
    .summary = "show the checkpoints of a thread as a tree",
    .help = "usage: agentchat thread log [OPTION...] STORE THREAD\n"
            "\n"
            "Draws the checkpoints, newest first, each with a line down to the one that it follows: the end of\n"
            "its id, its step, and the last message of its chat with that message's number. (branch) stands\n"
            "where a further line begins, (follows ID) where the line is not drawn.\n"
            "\n"
            "  --filter JSON   an object: only those whose metadata has all its members, with equal values\n"
            "  --before ID     only those that were put before this checkpoint\n"
            "  --run RUN       only those of this run\n"
            "  --limit N       at most N of them; without it 100\n"
            "  --cursor C      go on where the page ended that gave this cursor\n"
            "  --namespace NS  those of this namespace\n"
            "  --no-pager      on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-thread-log)\n"
            "\n"
            "exit status: 0 success, 2 there is no such thread, or error\n",
    .run = run,
};
