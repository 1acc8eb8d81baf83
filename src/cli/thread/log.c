/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread log: the checkpoints of a thread as a tree, a page at a time. */
#include "cli/command/arguments.h"
#include "cli/io/thread.h"
#include "cli/json/writer.h"
#include "cli/terminal/pager.h"
#include "cli/text/number.h"
#include "cli/thread/checkpoint.h"
#include "cli/thread/thread.h"
#include "cli/thread/tree.h"
#include <stdlib.h>

typedef struct job {
    cli_thread thread;
    agentchat_checkpoint_list_options options;
    bool no_pager, as_json;
    char before[AGENTCHAT_ID_SIZE]; /* in full */
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

/* *shown: as of cli_pager_close(). */
static agentchat_status print_tree(job *j, const agentchat_checkpoint_list *list, bool *shown)
{
    cli_pager pager;

    cli_pager_open(&pager, !j->no_pager);
    agentchat_status status = cli_thread_tree_put(&j->thread, &pager, list);
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
    int status = CLI_ERROR;

    if (!cli_store_open(&j->thread.store, CLI_READ))
        return CLI_ERROR;
    if (j->options.before == NULL || cli_thread_find(&j->thread, j->options.before, j->before, NULL)) {
        if (j->options.before != NULL)
            j->options.before = j->before;
        status = log_page(j);
    }
    cli_store_close(&j->thread.store);
    return status;
}

static int run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_log}}, .options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT};
    const char *limit = NULL, *filter = NULL, *source = NULL, *step = NULL;
    int64_t number;
    uint64_t count = 0;
    const cli_switch switches[] = {{"filter", NULL, &filter},           {"before", NULL, &j.options.before},
                                   {"source", NULL, &source},           {"step", NULL, &step},
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
    if (step != NULL && !cli_number_integer(step, &number))
        return cli_command_usage(j.thread.store.self->name, "--step needs an integer, not \"%s\"", step);
    char *text = cli_thread_filter(source, step, NULL, filter);
    if (text == NULL) {
        (void)fputs("agentchat: out of memory\n", stderr);
        return CLI_ERROR;
    }
    j.options.filter = agentchat_str_from(text);
    cli_thread_take(&j.thread, argv);
    j.options.ns = j.thread.ns;
    j.options.limit = (size_t)count;
    status = log_thread(&j);
    free(text);
    return status;
}

const cli_command cli_thread_log = {
    .name = "thread log",
    .summary = "show the checkpoints of a thread as a tree",
    .help = "usage: agentchat thread log [OPTION...] STORE THREAD\n"
            "\n"
            "Draws the checkpoints, newest first, each joined to the one that it follows: the end of its id, the\n"
            "line that it stands on if there are several, its step, and the last message of its chat with that\n"
            "message's number. (branch) stands where a checkpoint was put as one and began a line, (follows ID)\n"
            "where the one that it follows is not drawn.\n"
            "\n"
            "  --filter JSON   an object: only those whose metadata has all its members, with equal values; source,\n"
            "                  step and run are looked for in the checkpoint itself, too\n"
            "  --source WORD   only those that this made: input, loop, update, fork or another word\n"
            "  --step N        only those of this step\n"
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
