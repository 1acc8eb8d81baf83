/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread: the group, and lists of threads and checkpoints. */
#include "cli/thread/thread.h"

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <agentchat/thread.h>
#include <stdlib.h>

/* ==== agentchat thread: puts chats into the threads of a store, looks at them and takes them out ================= */

static const cli_command *const commands[] = {
    &cli_thread_put,  &cli_thread_list,   &cli_thread_log,  &cli_thread_show,  &cli_thread_search, &cli_thread_diff,
    &cli_thread_view, &cli_thread_export, &cli_thread_copy, &cli_thread_prune, &cli_thread_delete,
};

static int thread_run(int argc, char **argv)
{
    static const cli_group group = {
        "thread",
        "A thread is a conversation that was saved again and again: a tree of checkpoints, "
        "each of which is a\n"
        "whole chat. The id of a checkpoint may be shortened to its beginning or its end, "
        "where only one\n"
        "begins or ends so. --namespace NS: of the checkpoints of another namespace.\n" CLI_ABOUT_STORE,
        commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_thread_group = {
    .name = "thread",
    .summary = "put chats into threads of a store, look at their checkpoints",
    .run = thread_run,
};

/* ==== agentchat thread list: the threads of a store, a page at a time ============================================ */

static bool print_table(const agentchat_thread_list *list)
{
    cli_table table = {.columns = 5};
    char buffer[CLI_TIME_LEN];

    cli_table_addf(&table, "THREAD");
    cli_table_addf(&table, "MESSAGES");
    cli_table_addf(&table, "BYTES");
    cli_table_addf(&table, "CREATED");
    cli_table_addf(&table, "WRITTEN TO");
    for (size_t i = 0; i < agentchat_thread_list_count(list); i++) {
        const agentchat_thread_info *info = agentchat_thread_list_at(list, i);

        cli_table_add(&table, agentchat_str_from(info->id));
        cli_table_addf(&table, "%llu", (unsigned long long)info->messages);
        cli_table_addf(&table, "%llu", (unsigned long long)info->bytes);
        cli_table_addf(&table, "%s", cli_time_text(info->created_us, buffer));
        cli_table_addf(&table, "%s", cli_time_text(info->updated_us, buffer));
    }
    if (!cli_table_print(stdout, &table))
        return false;
    if (agentchat_thread_list_cursor(list) != NULL)
        (void)printf("there are more: --cursor %s\n", agentchat_thread_list_cursor(list));
    return true;
}

static void list_print_json(const agentchat_thread_list *list)
{
    cli_json json = {.out = stdout};
    const char *cursor = agentchat_thread_list_cursor(list);
    char buffer[CLI_TIME_LEN];

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < agentchat_thread_list_count(list); i++) {
        const agentchat_thread_info *info = agentchat_thread_list_at(list, i);

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "id", info->id);
        cli_json_count(&json, "sequence", info->sequence);
        cli_json_count(&json, "messages", info->messages);
        cli_json_count(&json, "bytes", info->bytes);
        cli_json_cstr(&json, "created", cli_time_text(info->created_us, buffer));
        cli_json_cstr(&json, "updated", cli_time_text(info->updated_us, buffer));
        cli_json_end(&json, '}');
    }
    cli_json_end(&json, ']');
    cli_json_text(&json, "cursor", cursor != NULL ? agentchat_str_from(cursor) : agentchat_str_null());
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int list_page(cli_store *s, const agentchat_thread_list_options *options, bool as_json)
{
    agentchat_thread_list *list = NULL;

    if (!cli_store_open(s, CLI_READ))
        return CLI_ERROR;
    agentchat_status status = agentchat_thread_list_read(s->store, options, &list, &s->err);
    if (status >= 0 && as_json)
        list_print_json(list);
    else if (status >= 0 && !print_table(list))
        status = agentchat_error_set(&s->err, AGENTCHAT_E_NOMEM, "out of memory");
    agentchat_thread_list_free(list);
    cli_store_close(s);
    return status < 0 ? cli_store_fail(s, status) : CLI_SUCCESS;
}

static int list_run(int argc, char **argv)
{
    const char *limit = NULL, *filter = NULL, *source = NULL, *step = NULL, *run = NULL;
    bool as_json = false;
    int64_t number;
    uint64_t count = 0;
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    cli_store s = {.self = &cli_thread_list};
    const cli_switch switches[] = {
        {"filter", NULL, &filter}, {"source", NULL, &source},         {"step", NULL, &step},   {"run", NULL, &run},
        {"limit", NULL, &limit},   {"cursor", NULL, &options.cursor}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (limit != NULL && (!cli_number_count(limit, &count) || count == 0 || count > SIZE_MAX))
        return cli_command_usage(s.self->name, "--limit needs a number of threads from 1, not \"%s\"", limit);
    if (step != NULL && !cli_number_integer(step, &number))
        return cli_command_usage(s.self->name, "--step needs an integer, not \"%s\"", step);
    char *text = NULL;
    if (filter != NULL || source != NULL || step != NULL || run != NULL) {
        text = cli_thread_filter(source, step, run, filter);
        if (text == NULL) {
            (void)fputs("agentchat: out of memory\n", stderr);
            return CLI_ERROR;
        }
        options.filter = agentchat_str_from(text);
    }
    s.name = argv[1];
    options.limit = (size_t)count;
    status = list_page(&s, &options, as_json);
    free(text);
    return status;
}

const cli_command cli_thread_list = {
    .name = "thread list",
    .summary = "list the threads of a store",
    .help = "usage: agentchat thread list [OPTION...] STORE\n"
            "\n"
            "Lists the threads, those written to last first: id, messages in the checkpoint that was put last,\n"
            "bytes of all messages, states and values that the thread stores, when it was made and when it was\n"
            "last written to.\n"
            "\n"
            "  --filter JSON  an object: only those whose newest checkpoint (of the usual namespace) has metadata\n"
            "                 with all its members, with equal values; source, step and run are looked for in the\n"
            "                 checkpoint itself, too\n"
            "  --source WORD  only those whose newest checkpoint this made: input, loop, update, fork, …\n"
            "  --step N       only those whose newest checkpoint is of this step\n"
            "  --run RUN      only those whose newest checkpoint is of this run\n"
            "  --limit N      at most N of them; without it 100\n"
            "  --cursor C     go on where the page ended that gave this cursor\n"
            "  --json         one JSON object (schema: agentchat check --schema cli-thread-list)\n"
            "\n"
            "exit status: 0 success, 2 the store cannot be read, or cursor or filter is none\n",
    .run = list_run,
};

/* ==== agentchat thread log: the checkpoints of a thread as a tree, a page at a time ============================== */

typedef struct job {
    cli_thread thread;
    agentchat_checkpoint_list_options options;
    bool no_pager, as_json;
    char before[AGENTCHAT_ID_SIZE]; /* in full */
} job;

/* ---- for a program -------------------------------------------------------------------------------------------- */

static void log_print_json(const agentchat_checkpoint_list *list)
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
        log_print_json(list);
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

static int log_run(int argc, char **argv)
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
    .run = log_run,
};
